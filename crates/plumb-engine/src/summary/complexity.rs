//! Complexity: how many branches a function, or a summary, has (Definition 1 and section 3.3.2).

use plumb_ir::analysis::Analyses;
use plumb_ir::expr::ExprKind;
use plumb_ir::index::TiVec;
use plumb_ir::program::{EdgeId, FuncId, Function, Op};
use plumb_synth::{Expr, Op as SynthOp};

/// By function: its branches and, for every call in it, those of the called function. Calls among mutually recursive functions
/// count nothing, calls through pointers the most complex target.
pub fn complexities(analyses: &Analyses) -> TiVec<FuncId, usize> {
    let (program, graph) = (analyses.program(), analyses.resolved_calls());
    let mut sums: TiVec<FuncId, usize> = vec![0; program.functions.len()].into();
    for &func in graph.bottom_up() {
        let function = program.function(func);
        let calls = function.edge_ids().filter(|edge| matches!(function.edge(*edge).op, Op::Call { .. }));
        let most = |edge: EdgeId| {
            let targets = graph.targets(func, edge).filter(|target| !graph.mutually_recursive(func, *target));
            targets.map(|target| sums[target]).max().unwrap_or(0)
        };
        sums[func] = calls.map(most).fold(branches(function), usize::saturating_add);
    }
    sums
}

/// Of one function.
pub fn complexity(analyses: &Analyses, func: FuncId) -> usize {
    complexities(analyses)[func]
}

/// Decisions of one function: one less than the edges of each branching location, and choices inside of expressions.
fn branches(function: &Function) -> usize {
    let decisions = function.locs().map(|loc| function.out_edges(loc).count().saturating_sub(1));
    let is_choice = |kind: ExprKind| matches!(kind, ExprKind::Ite(..));
    let choices = function.exprs.ids().filter(|&id| is_choice(function.exprs.kind(id))).count();
    decisions.sum::<usize>() + choices
}

/// Of a summary's term: its choices. One between the words 0 and 1 is a truth value as C's comparisons are, not a branch.
pub fn term_complexity(expr: &Expr) -> usize {
    match expr {
        Expr::Input(_) | Expr::Hole(_) | Expr::Const(_) => 0,
        Expr::Apply(op, operands) => {
            let is_truth = |e: &Expr| matches!(e, Expr::Const(value) if value.lane() <= 1);
            let is_branch = *op == SynthOp::Ite && !operands[1..].iter().all(is_truth);
            is_branch as usize + operands.iter().map(term_complexity).sum::<usize>()
        }
        Expr::Call(function, operands) => {
            term_complexity(&function.body) + operands.iter().map(term_complexity).sum::<usize>()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::program;
    use plumb_synth::Value;

    #[test]
    fn branches_of_callees_count_for_every_call() {
        let text = "int sign(int x) { if (x < 0) return -1; if (x > 0) return 1; return 0; }
            int both(int x, int y) { if (x == y) return 0; return sign(x) + sign(y); }
            int down(int x) { return x < 1 ? 0 : down(x - 1); }
            int main(void) { return both(input(), 3) + down(input()); }";
        let analyses = Analyses::new(&program(text));
        let of = |name: &str| complexity(&analyses, analyses.program().find_function(name).unwrap());
        assert_eq!((of("sign"), of("both"), of("down")), (2, 5, 1));
    }

    #[test]
    fn truth_values_are_no_branches() {
        let word = |value: u64| Expr::Const(Value::bv(32, value));
        let less = Expr::Apply(SynthOp::BvSlt, vec![Expr::Input(0), Expr::Input(1)]);
        let choice = |a: Expr, b: Expr| Expr::Apply(SynthOp::Ite, vec![less.clone(), a, b]);
        assert_eq!(term_complexity(&choice(word(1), word(0))), 0);
        assert_eq!(term_complexity(&choice(word(2), choice(word(0), word(1)))), 1);
    }
}
