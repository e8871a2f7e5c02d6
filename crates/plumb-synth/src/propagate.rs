//! Top-down propagation: from the wanted output through inverse operators to terms that are there.
//!
//! After Lee, "Combining the Top-Down Propagation and Bottom-Up Enumeration for Inductive Program Synthesis" (POPL 2021,
//! DUET): an answer `op(a, ?)` for an enumerated `a` needs a term for the hole whose column is what the inverse of `op`
//! asks for. Where the inverse asks for one value on each example the table of columns has it or not; where it leaves bits
//! open the smallest terms are tried one by one. With a second inverse on the path answers are found that are twice as large
//! as what enumeration reaches.

use crate::bank::Bank;
use crate::budget::Budget;
use crate::column;
use crate::enumerate::{Enumerator, on_threads};
use crate::examples::Examples;
use crate::expr::Expr;
use crate::inverse::{Place, Wanted, invert, is_invertible};
use crate::rules::Rules;
use crate::sort::Sort;
use crate::tuning::PROPAGATION as TUNING;
use rustc_hash::FxHashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pieces that the terms of one path are cut into, for threads to share.
const PIECES: usize = 64;

/// The operators between a rule's root and one of its holes.
#[derive(Clone, Debug)]
struct InversePath {
    rule: usize,
    hole: usize,
    /// The other hole, if there is one.
    other: Option<usize>,
    steps: Vec<(Place, Sibling)>,
}

/// The other operand of an operator on the path.
#[derive(Clone, Copy, Debug)]
enum Sibling {
    None,
    /// The term in the path's other hole.
    Other,
    Leaf(usize),
}

/// An answer in the making: a rule with one hole still to fill, or an enumerated term.
enum Found {
    Term { nonterminal: usize, term: u32 },
    Inner { rule: usize, hole: usize, other: Option<(usize, u32)>, below: Box<Found> },
}

/// What all threads of a propagation know.
struct Propagation<'a> {
    enumerator: &'a Enumerator<'a>,
    budget: &'a Budget,
    /// The examples that count.
    lanes: Vec<usize>,
    /// By nonterminal.
    paths: Vec<Vec<InversePath>>,
    /// By nonterminal, terms by their values on the examples that count; empty if all count.
    index: Vec<FxHashMap<Vec<u64>, u32>>,
}

/// Inversions that a thread may still make.
struct Steps(u64);

/// An answer made of enumerated terms and one or two operators above them, if there is one.
pub fn compose(enumerator: &Enumerator, examples: &Examples, budget: &Budget) -> Option<Expr> {
    let propagation = Propagation::new(enumerator, budget, (0..examples.len()).collect())?;
    let goal: Vec<Wanted> = (0..examples.len()).map(|at| wanted(examples, at)).collect();
    propagation.compose(&goal)
}

/// A term that is right on these examples, whatever it is on others, made of enumerated terms and one or two operators above
/// them.
pub fn compose_for(enumerator: &Enumerator, examples: &Examples, lanes: &[usize], budget: &Budget) -> Option<Expr> {
    let mut propagation = Propagation::new(enumerator, budget, lanes.to_vec())?;
    propagation.make_index();
    let goal: Vec<Wanted> = lanes.iter().map(|at| wanted(examples, *at)).collect();
    propagation.compose(&goal)
}

/// What an example wants. A forbidden output leaves all others open: the caller looks at what comes of that.
fn wanted(examples: &Examples, at: usize) -> Wanted {
    match examples.is_forbidden(at) {
        true => Wanted::ANYTHING,
        false => Wanted { care: examples.output_sort().mask(), value: examples.output()[at] },
    }
}

/// The paths to the holes of a nonterminal's rules.
fn paths(rules: &Rules, nonterminal: usize) -> Vec<InversePath> {
    let mut paths = Vec::new();
    for &number in rules.nonterminals[nonterminal].rules.iter() {
        let rule = &rules.rules[number];
        if rule.choice.is_some() {
            continue;
        }
        for hole in 0..rule.holes.len() {
            let other = (0..rule.holes.len()).find(|other| *other != hole);
            let is_simple = rule.holes.len() <= 2 && rule.expanded.occurrences(hole as u32) == 1;
            if is_simple && let Some(steps) = steps_to(rules, number, hole as u32) {
                let is_twin = rule.is_symmetric && hole == 1;
                if !is_twin {
                    paths.push(InversePath { rule: number, hole, other, steps });
                }
            }
        }
    }
    paths
}

/// The operators from the root to the hole, if all have inverses and operands that are known.
fn steps_to(rules: &Rules, number: usize, hole: u32) -> Option<Vec<(Place, Sibling)>> {
    let rule = &rules.rules[number];
    let holes: Vec<Sort> = rule.holes.iter().map(|hole| rules.sort(*hole)).collect();
    let sort = |expr: &Expr| expr.sort(&rules.inputs, &holes);
    let mut steps = Vec::new();
    let mut at = &rule.expanded;
    while let Expr::Apply(op, operands) = at {
        let position = operands.iter().position(|operand| operand.occurrences(hole) > 0)?;
        let (other, sibling) = match (operands.len(), operands.get(1 - position.min(1))) {
            (1, _) => (sort(&operands[0])?, Sibling::None),
            (2, Some(other)) => (sort(other)?, sibling(rules, other)?),
            _ => return None,
        };
        let place = Place { op: *op, position, operand: sort(&operands[position])?, other, result: sort(at)? };
        if !is_invertible(place) || place.operand == Sort::Bool {
            return None;
        }
        steps.push((place, sibling));
        at = &operands[position];
    }
    (!steps.is_empty()).then_some(steps)
}

fn sibling(rules: &Rules, expr: &Expr) -> Option<Sibling> {
    let leaf = match expr {
        Expr::Hole(_) => return Some(Sibling::Other),
        Expr::Input(input) => crate::code::Leaf::Input(*input),
        Expr::Const(value) => crate::code::Leaf::Const(*value),
        Expr::Apply(..) | Expr::Call(..) => return None,
    };
    rules.leaves.iter().position(|known| *known == leaf).map(Sibling::Leaf)
}

impl<'a> Propagation<'a> {
    fn new(enumerator: &'a Enumerator<'a>, budget: &'a Budget, lanes: Vec<usize>) -> Option<Propagation<'a>> {
        let rules = enumerator.rules;
        if rules.sort(rules.start) == Sort::Bool || lanes.is_empty() {
            return None;
        }
        let paths = (0..rules.nonterminals.len()).map(|nonterminal| paths(rules, nonterminal)).collect();
        Some(Propagation { enumerator, budget, lanes, paths, index: Vec::new() })
    }

    fn make_index(&mut self) {
        let rules = self.enumerator.rules;
        let of = |(nonterminal, bank): (usize, &Bank)| {
            let mut index = FxHashMap::default();
            if rules.sort(nonterminal) != Sort::Bool {
                for term in 0..bank.len().min(TUNING.indexed) as u32 {
                    let column = bank.column(term);
                    index.entry(self.lanes.iter().map(|lane| column[*lane]).collect()).or_insert(term);
                }
            }
            index
        };
        self.index = self.enumerator.banks.iter().enumerate().map(of).collect();
    }

    /// With one inverse first, then with two.
    fn compose(&self, goal: &[Wanted]) -> Option<Expr> {
        let most = (self.enumerator.examined / TUNING.candidates_per_step).max(TUNING.least_steps);
        // The smallest terms, for every path the same number.
        let paths = self.paths[self.enumerator.rules.start].len().max(1) as u64;
        let outer = (most / paths) as usize;
        self.solve_on_threads(goal, &[outer], most).or_else(|| {
            let outer = ((most / paths / (TUNING.inner_width as u64 * paths)) as usize).max(4);
            self.solve_on_threads(goal, &[outer, TUNING.inner_width], most)
        })
    }

    /// The first answer in the order of paths and terms: each path is cut into pieces, which share the steps.
    fn solve_on_threads(&self, goal: &[Wanted], widths: &[usize], most: u64) -> Option<Expr> {
        let start = self.enumerator.rules.start;
        let mut jobs = Vec::new();
        for path in 0..self.paths[start].len() {
            let terms = self.terms_beside(&self.paths[start][path], widths[0]);
            let piece = terms.div_ceil(PIECES).max(1);
            jobs.extend((0..terms).step_by(piece).map(|first| (path, first as u32, (first + piece).min(terms) as u32)));
        }
        let results: Vec<Mutex<Option<Found>>> = jobs.iter().map(|_| Mutex::default()).collect();
        let (next, first_found) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let work = || {
            while let at = next.fetch_add(1, Ordering::Relaxed)
                && let Some((path, first, end)) = jobs.get(at)
                && at < first_found.load(Ordering::Relaxed)
                && !self.budget.is_over()
            {
                let mut steps = Steps(most / jobs.len() as u64 + 1);
                let found = self.solve_along(start, *path, *first..*end, goal, &widths[1..], &mut steps);
                if found.is_some()
                    && let Ok(mut slot) = results[at].lock()
                {
                    first_found.fetch_min(at, Ordering::Relaxed);
                    *slot = found;
                }
            }
        };
        on_threads(self.budget.threads.min(jobs.len()), work);
        let mut found = results.into_iter().filter_map(|slot| slot.into_inner().ok().flatten());
        found.next().map(|found| self.expr(&found))
    }

    /// How many terms may be put beside a path's goal.
    fn terms_beside(&self, path: &InversePath, width: usize) -> usize {
        let holes = &self.enumerator.rules.rules[path.rule].holes;
        path.other.map_or(1, |other| self.enumerator.banks[holes[other]].len().min(width))
    }

    /// A term for the goal. `widths` says for each inverse that may still be put on the path how many terms to try beside it.
    fn solve(&self, nonterminal: usize, goal: &[Wanted], widths: &[usize], steps: &mut Steps) -> Option<Found> {
        let (width, inner) = widths.split_first()?;
        (0..self.paths[nonterminal].len()).find_map(|path| {
            let terms = self.terms_beside(&self.paths[nonterminal][path], *width) as u32;
            self.solve_along(nonterminal, path, 0..terms, goal, inner, steps)
        })
    }

    /// A term for the goal whose rule is the path's, with one of these terms in its other hole.
    fn solve_along(
        &self,
        nonterminal: usize,
        path: usize,
        terms: std::ops::Range<u32>,
        goal: &[Wanted],
        inner: &[usize],
        steps: &mut Steps,
    ) -> Option<Found> {
        let path = &self.paths[nonterminal][path];
        let holes = &self.enumerator.rules.rules[path.rule].holes;
        for term in terms {
            steps.0 = steps.0.checked_sub(1)?;
            if steps.0.is_multiple_of(4096) && self.budget.is_over() {
                return None;
            }
            let other = path.other.map(|other| (holes[other], term));
            let Some(below) = self.inverted(path, other, goal) else { continue };
            let target = holes[path.hole];
            let found = self.look_up(target, &below, steps);
            let found = if found.is_none() { self.solve(target, &below, inner, steps) } else { found };
            if let Some(below) = found {
                return Some(Found::Inner { rule: path.rule, hole: path.hole, other, below: Box::new(below) });
            }
        }
        None
    }

    /// The goal for the hole at the end of a path.
    fn inverted(&self, path: &InversePath, other: Option<(usize, u32)>, goal: &[Wanted]) -> Option<Vec<Wanted>> {
        let mut goal = goal.to_vec();
        for (place, sibling) in &path.steps {
            let known: &[u64] = match (sibling, other) {
                (Sibling::Other, Some((nonterminal, term))) => self.enumerator.banks[nonterminal].column(term),
                (Sibling::Leaf(leaf), _) => &self.enumerator.leaves[*leaf],
                (Sibling::None | Sibling::Other, _) => &[],
            };
            if place.other == Sort::Bool {
                return None;
            }
            for (lane, wanted) in self.lanes.iter().zip(&mut goal) {
                *wanted = invert(*place, known.get(*lane).copied().unwrap_or(0), *wanted)?;
            }
        }
        Some(goal)
    }

    /// An enumerated term that meets the goal.
    fn look_up(&self, nonterminal: usize, goal: &[Wanted], steps: &mut Steps) -> Option<Found> {
        let bank = &self.enumerator.banks[nonterminal];
        let mask = self.enumerator.rules.sort(nonterminal).mask();
        let term = if goal.iter().all(|wanted| wanted.care == mask) {
            let column: Vec<u64> = goal.iter().map(|wanted| wanted.value).collect();
            match self.index.get(nonterminal) {
                Some(index) => index.get(&column).copied(),
                None => bank.find(column::hash(&column), &column),
            }
        } else {
            let scanned = bank.len().min(TUNING.scanned) as u32;
            steps.0 = steps.0.saturating_sub(u64::from(scanned) / 16);
            let meets = |term: &u32| {
                let column = bank.column(*term);
                goal.iter().zip(&self.lanes).all(|(wanted, lane)| wanted.is_met_by(column[*lane]))
            };
            (0..scanned).find(meets)
        };
        term.map(|term| Found::Term { nonterminal, term })
    }

    fn expr(&self, found: &Found) -> Expr {
        match found {
            Found::Term { nonterminal, term } => self.enumerator.expr(*nonterminal, *term),
            Found::Inner { rule, hole, other, below } => {
                let rule = &self.enumerator.rules.rules[*rule];
                let mut holes = vec![Expr::Hole(0); rule.holes.len()];
                if let Some((nonterminal, term)) = other {
                    holes[1 - hole] = self.enumerator.expr(*nonterminal, *term);
                }
                holes[*hole] = self.expr(below);
                rule.template.fill(&holes)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::evaluate;
    use crate::grammar::Grammar;
    use crate::op::Op;
    use crate::sort::Value;

    /// Words over `x` and 3 with these operators, enumerated up to a size, and the examples of a function.
    fn compose_after(size: usize, sort: Sort, ops: &[Op], function: fn(u64) -> u64) -> Option<(Expr, Examples)> {
        let mut grammar = Grammar::new("S", sort);
        let start = grammar.start();
        grammar.add(start, Expr::Input(0), &[], &[sort]).unwrap();
        grammar.add(start, Expr::Const(Value::from_lane(sort, 3)), &[], &[sort]).unwrap();
        for op in ops {
            let two = Expr::Apply(*op, vec![Expr::Hole(0), Expr::Hole(1)]);
            grammar.add(start, two, &[start, start], &[sort]).unwrap();
        }
        let mut examples = Examples::new(&[sort], sort);
        for input in [1, 2, 5, 40, 77, 1000] {
            examples.push(&[Value::from_lane(sort, input)], Value::from_lane(sort, function(input))).unwrap();
        }
        let rules = Rules::new(&grammar, &examples);
        let (budget, mut enumerator) = (Budget::default(), Enumerator::new(&rules, &examples, 0));
        for _ in 0..size {
            enumerator.next_size(None, &budget);
        }
        compose(&enumerator, &examples, &budget).map(|expr| (expr, examples))
    }

    #[test]
    fn answers_are_larger_than_what_is_enumerated() {
        let ops = [Op::IntAdd, Op::IntMul];
        // x*x*x + 3*x, which has 11 nodes, from terms of 5.
        let (expr, examples) = compose_after(5, Sort::Int, &ops, |x| x * x * x + 3 * x).unwrap();
        assert_eq!(evaluate(&expr, &examples).as_deref(), Some(examples.output()));
        assert!(expr.size() > 5);
        assert!(compose_after(1, Sort::Int, &ops, |x| x.wrapping_pow(7).wrapping_add(3 * x)).is_none());
    }

    #[test]
    fn goals_with_open_bits_are_met() {
        let ops = [Op::BvAnd, Op::BvShl, Op::BvAdd];
        let (expr, examples) = compose_after(5, Sort::Bv(32), &ops, |x| ((x + 3) & (x << 3)) & (x + x + x)).unwrap();
        assert_eq!(evaluate(&expr, &examples).as_deref(), Some(examples.output()));
    }
}
