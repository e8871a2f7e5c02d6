//! The parts together: what an exploration of a small program leaves behind.

pub mod simple_paths;

use super::explore::{Explorer, Stop};
use super::*;
use crate::predicates::precision::as_equation;
use crate::test_program::{budget, program};
use plumb_ir::program::Program;
use plumb_term::TermId;

/// Explores with abstraction and hands the explorer to a closure.
fn explore<T>(program: &Program, threshold: u32, inspect: impl FnOnce(Result<(), Stop>, &mut Explorer) -> T) -> T {
    let (analyses, budget, board) = (Analyses::new(program), budget(), Board::default());
    let tuning = &Tuning::DEFAULT;
    let abstraction = Abstraction::new(&analyses, &board, threshold, tuning);
    let refiner = Refiner::new(&analyses, (&tuning.refinement, &tuning.feasibility), &budget, &board);
    let explorer = Explorer::new(&analyses, (Order::Nested, 0), true, tuning, &budget, &());
    let mut explorer = explorer.abstracting(abstraction, Some(refiner));
    let end = explorer.explore();
    inspect(end, &mut explorer)
}

#[test]
fn refinement_finds_the_predicates_of_a_state_machine() {
    let program = program(
        "int main(void) { int s = 0; while (input()) { if (s == 0) s = 1; else if (s == 1) s = 0; else reach_error(); } }",
    );
    explore(&program, 0, |end, explorer| {
        assert!(end.is_ok());
        assert!(explorer.statistics.refinements > 0);
        let abstraction = explorer.abstraction.as_ref().unwrap();
        let predicates: Vec<TermId> = abstraction.precision.iter().flat_map(|(_, p)| p.predicates.clone()).collect();
        assert!(!predicates.is_empty());
        assert!(predicates.iter().all(|one| as_equation(&explorer.sym.terms, *one).is_some()));
        // s is 0 or 1 at the head.
        assert_eq!(explorer.reached.points().count(), 2);
    });
}

#[test]
fn a_threshold_delays_the_abstraction() {
    let program =
        program("int main(void) { int x = 0; while (input()) if (x < 100) x++; if (x > 100) reach_error(); }");
    for threshold in [0, 3] {
        explore(&program, threshold, |end, explorer| {
            assert!(end.is_ok());
            assert!(explorer.statistics.max_visits >= threshold);
            let first = explorer.reached.entries().next().unwrap();
            assert_eq!(first.arrivals[0].innermost_loop().unwrap().counted, threshold);
        });
    }
}

#[test]
fn loops_that_constants_decide_are_not_abstracted() {
    let program =
        program("int main(void) { int s = 0; for (int i = 0; i < 9; i++) s += i; if (s != 36) reach_error(); }");
    explore(&program, 0, |end, explorer| {
        assert!(end.is_ok());
        assert_eq!((explorer.reached.len(), explorer.statistics.refinements), (0, 0));
    });
}

#[test]
fn a_feasible_counterexample_is_a_violation() {
    let program = program("int main(void) { int x = 0; while (input()) x++; if (x == 2) reach_error(); }");
    explore(&program, 0, |end, _| assert!(matches!(end, Err(Stop::Violated(_)))));
}
