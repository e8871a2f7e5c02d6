//! Terms with fewer choices: equal results of a decision tree become one, under a condition of their own.
//!
//! A tree has a choice less than it has leaves; after that it has a choice less than it has *different* leaves. The rule that
//! a summary has no more branches than its function would else reject many a term that only repeats itself.

use super::complexity::term_complexity;
use crate::summary::tuning::TUNING;
use plumb_synth::{Expr, Op};

/// One path through a tree: its conditions, and whether they hold.
type TreePath<'a> = Vec<(&'a Expr, bool)>;

/// The same function with no more choices than that, if regrouping achieves it.
pub fn with_fewer_choices(expr: &Expr, most: usize) -> Option<Expr> {
    let mut groups: Vec<(&Expr, Vec<TreePath<'_>>)> = Vec::new();
    collect(expr, &mut Vec::new(), &mut groups);
    // What is left when no other condition holds needs none: the one that would be longest.
    groups.sort_by_key(|(_, paths)| paths.iter().map(Vec::len).sum::<usize>());
    let (last, others) = groups.split_last()?;
    let regrouped = others.iter().rev().fold(last.0.clone(), |rest, (leaf, paths)| {
        let condition = any(paths.iter().map(|path| all(path)));
        Expr::Apply(Op::Ite, vec![condition, (*leaf).clone(), rest])
    });
    (regrouped.size() <= TUNING.max_choice_nodes && term_complexity(&regrouped) <= most).then_some(regrouped)
}

fn collect<'a>(expr: &'a Expr, path: &mut TreePath<'a>, groups: &mut Vec<(&'a Expr, Vec<TreePath<'a>>)>) {
    if let Expr::Apply(Op::Ite, operands) = expr
        && let [condition, then, otherwise] = operands.as_slice()
    {
        for (arm, holds) in [(then, true), (otherwise, false)] {
            path.push((condition, holds));
            collect(arm, path, groups);
            path.pop();
        }
        return;
    }
    match groups.iter_mut().find(|(leaf, _)| *leaf == expr) {
        Some((_, paths)) => paths.push(path.clone()),
        None => groups.push((expr, vec![path.clone()])),
    }
}

fn all(path: &TreePath<'_>) -> Expr {
    joined(
        Op::And,
        path.iter().map(|(condition, holds)| match holds {
            true => (*condition).clone(),
            false => Expr::Apply(Op::Not, vec![(*condition).clone()]),
        }),
    )
}

fn any(conditions: impl Iterator<Item = Expr>) -> Expr {
    joined(Op::Or, conditions)
}

/// Of at least one term.
fn joined(op: Op, terms: impl Iterator<Item = Expr>) -> Expr {
    let joined = terms.reduce(|first, second| Expr::Apply(op, vec![first, second]));
    joined.unwrap_or(Expr::Const(plumb_synth::Value::bool(op == Op::And)))
}

/// A term with no more choices than that, made by taking one arm of a choice for the whole, again and again. Each time the
/// result that `value` likes best is kept.
pub fn pruned<V: Ord>(expr: &Expr, most: usize, mut value: impl FnMut(&Expr) -> V) -> Option<Expr> {
    let mut expr = expr.clone();
    while term_complexity(&expr) > most {
        let count = expr.branches();
        if count > TUNING.max_pruned_choices {
            return None;
        }
        let arms = (0..count).flat_map(|at| [(at, 1), (at, 2)]);
        let candidates = arms.map(|(at, arm)| collapsed(&expr, &mut at.clone(), arm));
        expr = candidates.map(|one| (value(&one), one)).reduce(|best, one| if one.0 > best.0 { one } else { best })?.1;
    }
    Some(expr)
}

/// The term with one of its choices replaced by an arm; choices are counted from the top.
fn collapsed(expr: &Expr, left: &mut usize, arm: usize) -> Expr {
    match expr {
        Expr::Input(_) | Expr::Const(_) | Expr::Hole(_) => expr.clone(),
        Expr::Apply(Op::Ite, operands) if *left == 0 => {
            *left = usize::MAX;
            operands[arm].clone()
        }
        Expr::Apply(op, operands) => {
            if *op == Op::Ite && *left != usize::MAX {
                *left -= 1;
            }
            Expr::Apply(*op, operands.iter().map(|operand| collapsed(operand, left, arm)).collect())
        }
        Expr::Call(..) => collapsed(&expr.expand(), left, arm),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_exec::Rng;
    use plumb_synth::{Oracle, Sort, Value};

    fn less(a: u32, b: u32) -> Expr {
        Expr::Apply(Op::BvSlt, vec![Expr::Input(a), Expr::Input(b)])
    }

    fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        Expr::Apply(Op::Ite, vec![condition, then, otherwise])
    }

    #[test]
    fn a_median_has_three_results_and_two_choices() {
        let [a, b, c] = [0, 1, 2].map(Expr::Input);
        let upper = choice(less(1, 2), b.clone(), choice(less(0, 2), c.clone(), a.clone()));
        let lower = choice(less(0, 2), a.clone(), choice(less(1, 2), c.clone(), b.clone()));
        let median = choice(less(0, 1), upper, lower);
        assert_eq!(term_complexity(&median), 5);
        let regrouped = with_fewer_choices(&median, 3).unwrap();
        assert_eq!(term_complexity(&regrouped), 2);
        assert_eq!(with_fewer_choices(&median, 1), None);
        let sorts = [Sort::Bv(8); 3];
        let (before, after) = (Oracle::new(&median, &sorts, 1).unwrap(), Oracle::new(&regrouped, &sorts, 1).unwrap());
        let mut rng = Rng(3);
        for _ in 0..500 {
            let values = [0; 3].map(|_| Value::bv(8, rng.below(6) + 126));
            assert_eq!(before.value(&values), after.value(&values));
        }
    }

    #[test]
    fn pruning_keeps_what_is_worth_most() {
        let word = |value: u64| Expr::Const(Value::bv(8, value));
        let tree = choice(less(0, 1), word(3), choice(less(1, 2), word(4), choice(less(0, 2), word(5), word(6))));
        // Every 5 counts.
        let value = |expr: &Expr| format!("{expr:?}").matches("lane: 5").count();
        assert_eq!(pruned(&tree, 0, value), Some(word(5)));
        assert_eq!(pruned(&tree, 3, value), Some(tree.clone()));
        assert_eq!(term_complexity(&pruned(&tree, 1, value).unwrap()), 1);
    }

    #[test]
    fn a_term_without_choices_stays() {
        assert_eq!(with_fewer_choices(&Expr::Input(0), 0), Some(Expr::Input(0)));
    }
}
