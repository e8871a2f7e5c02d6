//! What unwinding proves about the parts of a program that it has finished: those that no state of the frontier can reach.
//!
//! Every run is covered by the unwound states until it passes through a state of the frontier. So a location that no state has
//! visited, and that the frontier cannot reach, is dead; and a loop that the frontier cannot reach has been followed by all
//! runs to its end.

use super::NAME;
use crate::board::{Board, LoopBound};
use crate::unroll::Unroller;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::forward::Locations;
use plumb_ir::program::{FuncId, Loc};

/// Posts complete bounds of loops, and the first locations behind branches that no run takes.
pub(super) fn post(analyses: &Analyses, unroller: &Unroller, board: &Board) {
    let program = analyses.program();
    let frontier = unroller.frontier.iter().flat_map(|stopped| stopped.run.state.pending_locations());
    let ahead = Locations::forward(program, analyses.call_graph(), frontier);
    let is_finished = |func: FuncId, loc: Loc| !ahead.contains(func, loc);
    let finished =
        unroller.seen.iterations.iter().filter(|(key, _)| is_finished(key.0, analyses.shape(key.0).head(key.1)));
    board.loop_bounds.post(NAME, finished.map(|(key, most)| LoopBound { key: *key, iterations: *most }));
    for func in program.function_ids() {
        let function = program.function(func);
        let is_infeasible = |edge: &&plumb_ir::program::Edge| {
            let is_dead = !unroller.seen.visited.contains(func, edge.to) && is_finished(func, edge.to);
            is_dead && unroller.seen.visited.contains(func, edge.from)
        };
        board.dead.post(NAME, function.edges.iter().filter(is_infeasible).map(|edge| (func, edge.to)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Cursor;
    use crate::test_program::{budget, program};

    /// What is posted of a program that is unwound so far.
    fn posted(text: &str, bound: u32) -> (Vec<u32>, usize) {
        let program = program(text);
        let analyses = Analyses::new(&program);
        let (mut unroller, board) = (Unroller::new(&analyses), Board::default());
        unroller.unroll(bound, &budget());
        post(&analyses, &unroller, &board);
        let bounds = board.loop_bounds.read("reader", &mut Cursor::default());
        let dead = board.dead.read("reader", &mut Cursor::default());
        let main = |func: FuncId| &*program.function(func).name == "main";
        let of_main = bounds.iter().filter(|post| main(post.what.key.0)).map(|post| post.what.iterations);
        (of_main.collect(), dead.iter().filter(|post| main(post.what.0)).count())
    }

    #[test]
    fn a_loop_before_an_endless_one_has_a_complete_bound() {
        let text = "int main(void) { unsigned n = 0;
            for (int i = 0; i < 3; i++) n += input();
            while (1) n++; }";
        assert_eq!(posted(text, 2).0, [3]);
    }

    #[test]
    fn a_loop_that_the_frontier_reaches_again_has_none() {
        let text = "int main(void) { unsigned n = 0;
            while (input()) for (int i = 0; i < 3; i++) n += input();
            return 0; }";
        assert!(posted(text, 4).0.is_empty());
    }

    #[test]
    fn branches_that_no_run_takes_are_dead_once_the_frontier_is_past_them() {
        let before = "int main(void) { unsigned n = 1;
            if (n > 2) n = 7;
            while (input()) n++;
            return 0; }";
        let inside = "int main(void) { unsigned n = 1;
            while (input()) { if (n > 1000) n = 7; n++; }
            return 0; }";
        assert!(posted(before, 2).1 > 0);
        assert_eq!(posted(inside, 2).1, 0, "it is feasible later");
    }
}
