//! Inputs that take branches which no run of a concrete search has taken. They are posted for it to go on from: what a solver
//! unlocks in the first iterations a machine follows for thousands (hybrid fuzzing; Stephens et al., "Driller", 2016).
//!
//! A concrete search takes most branches by itself, and soon. So the solver is asked only when no new branch was taken since the
//! last bound, a few times for each branch and with little effort.

use super::NAME;
use super::tuning::TUNING;
use crate::board::{Board, Cursor};
use crate::budget::Budget;
use crate::query::QuerySolver;
use crate::unroll::Unroller;
use plumb_ir::program::{EdgeId, FuncId};
use plumb_solve::{Outcome, Solver};
use plumb_sym::inputs_of;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
pub(super) struct Uncovered {
    read: Cursor,
    taken: FxHashSet<(FuncId, EdgeId)>,
    /// How often the solver was asked about a branch.
    asked: FxHashMap<(FuncId, EdgeId), u32>,
}

impl Uncovered {
    /// Posts inputs for some of the unwound branches that no run has taken.
    pub fn post(&mut self, unroller: &mut Unroller, queries: &mut QuerySolver, board: &Board, budget: &Budget) {
        let news = board.taken.read(NAME, &mut self.read);
        let has_news = !news.is_empty();
        self.taken.extend(news.into_iter().map(|post| post.what));
        // Without any, nobody runs the program.
        if has_news || self.taken.is_empty() {
            return;
        }
        let is_open = |branch: &(FuncId, EdgeId)| {
            !self.taken.contains(branch) && self.asked.get(branch).is_none_or(|times| *times < TUNING.uncovered_tries)
        };
        let mut open: Vec<_> = unroller.seen.branches.iter().filter(|(branch, _)| is_open(branch)).collect();
        open.sort_unstable_by_key(|(branch, _)| (self.asked.get(*branch).copied(), **branch));
        let open: Vec<_> = open.into_iter().take(TUNING.uncovered_branches).map(|(a, b)| (*a, *b)).collect();
        for (branch, condition) in open {
            *self.asked.entry(branch).or_default() += 1;
            let limit = Some(TUNING.uncovered_conflicts);
            let is_feasible = queries.check(&mut unroller.sym, &[condition], limit, budget) == Outcome::Sat;
            if let Some(model) = queries.solver.model().filter(|_| is_feasible) {
                let inputs = inputs_of(&unroller.sym, &unroller.log.inputs, model);
                board.inputs.post(NAME, [inputs.into()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::{budget, program};
    use plumb_ir::analysis::Analyses;
    use plumb_ir::input_value::InputValue;

    /// What is posted for a program after one iteration, once some branches were taken.
    fn posted(text: &str, looks: usize, is_run: bool) -> Vec<Vec<u128>> {
        let program = program(text);
        let analyses = Analyses::new(&program);
        let (mut unroller, mut queries, board) = (Unroller::new(&analyses), QuerySolver::default(), Board::default());
        unroller.unroll(1, &budget());
        let main = program.function_ids().find(|func| &*program.function(*func).name == "main").unwrap();
        board.taken.post("simulate", is_run.then_some((main, EdgeId(u32::MAX))));
        let mut uncovered = Uncovered::default();
        (0..looks).for_each(|_| uncovered.post(&mut unroller, &mut queries, &board, &budget()));
        let value = |value: &InputValue| match value {
            InputValue::Scalar(bits) => bits.u128(),
            InputValue::Region(_) => 0,
        };
        let posts = board.inputs.read("simulate", &mut Cursor::default());
        posts.iter().map(|post| post.what.iter().map(|(_, input)| value(input)).collect()).collect()
    }

    const LOCKED: &str = "int main(void) { unsigned x = input(); if (x * x * x == 1860867u) return 1; return 0; }";

    #[test]
    fn inputs_take_branches_that_no_run_has_taken() {
        let found = posted(LOCKED, 2, true);
        assert!(found.iter().any(|inputs| (inputs[0] as u32).wrapping_pow(3) == 1_860_867), "{found:?}");
    }

    #[test]
    fn nobody_is_asked_while_runs_find_branches_or_where_there_are_none() {
        assert!(posted(LOCKED, 1, true).is_empty(), "a new branch was taken");
        assert!(posted(LOCKED, 2, false).is_empty(), "nobody runs the program");
    }

    #[test]
    fn branches_that_no_run_takes_give_none() {
        let text = "int main(void) { unsigned x = input(); if (x % 2u == 2u) return 1; return 0; }";
        assert!(posted(text, 3, true).iter().all(|inputs| inputs[0] % 2 != 2));
    }
}
