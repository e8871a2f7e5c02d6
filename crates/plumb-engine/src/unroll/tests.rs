//! Bounds, what is stopped, and joins.

use super::*;
use crate::test_program::{budget, program};
use plumb_ir::analysis::loops::LoopId;
use plumb_solve::{BitSolver, Outcome, Solver};

/// Whether a run that was followed breaks a check.
fn is_broken(unroller: &mut Unroller) -> bool {
    let mut solver = BitSolver::new();
    unroller.sym.feed_axioms(&mut 0, |terms, axiom| solver.assert(terms, axiom));
    let broken: Vec<_> = unroller.log.obligations.iter().map(|obligation| obligation.broken).collect();
    let any = unroller.sym.terms.or_all(broken);
    match solver.check(&mut unroller.sym.terms, &[any]) {
        Outcome::Sat => true,
        Outcome::Unsat => false,
        Outcome::Unknown(why) => panic!("{why:?}"),
    }
}

#[test]
fn loops_of_known_length_need_no_bound() {
    let program = program("int main(void) { int s = 0; for (int i = 0; i < 50; i++) s += i; return s; }");
    let analyses = Analyses::new(&program);
    let mut unroller = Unroller::new(&analyses);
    assert_eq!(unroller.unroll(1, &budget()), Pause::Bound);
    assert!(unroller.frontier.is_empty());
    assert!(unroller.seen.steps > 100);
}

/// Breaks its check in the third iteration, which begins when the loop's head has been met again twice.
const THIRD: &str =
    "int main(void) { int n = 0; while (input()) { n++; if (n == 3 && input()) reach_error(); } return 0; }";

#[test]
fn a_violation_is_found_from_its_depth_on() {
    let program = program(THIRD);
    let analyses = Analyses::new(&program);
    let mut unroller = Unroller::new(&analyses);
    for bound in 1..=4 {
        assert_eq!(unroller.unroll(bound, &budget()), Pause::Bound);
        assert_eq!(is_broken(&mut unroller), bound >= 2, "bound {bound}");
        assert!(!unroller.frontier.is_empty() && unroller.frontier.iter().all(|one| one.needs_bound == bound + 1));
    }
}

#[test]
fn raising_the_bound_does_nothing_twice() {
    let program = program(THIRD);
    let analyses = Analyses::new(&program);
    let (mut by_one, mut at_once) = (Unroller::new(&analyses), Unroller::new(&analyses));
    (1..=5).for_each(|bound| assert_eq!(by_one.unroll(bound, &budget()), Pause::Bound));
    at_once.unroll(5, &budget());
    // What follows the loop is followed from what was stopped too; the loop's iterations only once.
    assert_eq!(by_one.log.obligations.len(), at_once.log.obligations.len());
    assert_eq!(by_one.log.obligations.len(), 1, "only the third iteration has a check");
    assert_eq!(by_one.frontier.len(), at_once.frontier.len());
}

#[test]
fn a_bound_of_a_loops_own_does_not_grow() {
    let program = program(THIRD);
    let analyses = Analyses::new(&program);
    let key = (program.find_function("main").unwrap(), LoopId(0));
    let mut unroller = Unroller::new(&analyses);
    unroller.fixed.insert(key, 1);
    for bound in 1..=6 {
        unroller.unroll(bound, &budget());
        assert!(!is_broken(&mut unroller));
        assert!(!unroller.frontier.is_empty());
        assert!(unroller.frontier.iter().all(|one| one.needs_bound == NEVER && one.at == Some(key)));
    }
}

#[test]
fn recursion_counts_as_iterations() {
    let text = "static int f(int n) { if (n == 3 && input()) reach_error(); return input() ? f(n + 1) : n; }
        int main(void) { return f(0); }";
    let program = program(text);
    let analyses = Analyses::new(&program);
    let mut unroller = Unroller::new(&analyses);
    for bound in 1..=4 {
        unroller.unroll(bound, &budget());
        assert_eq!(is_broken(&mut unroller), bound >= 3, "bound {bound}");
        assert!(!unroller.frontier.is_empty() && unroller.frontier.iter().all(|one| one.at.is_none()));
    }
}

/// Twenty decisions in a row are two to the twentieth paths, and not as many steps.
#[test]
fn paths_are_joined_where_they_meet() {
    let decisions = "if (input()) a++; else a += 2;\n".repeat(20);
    let text = format!("int main(void) {{ int a = 0; {decisions} if (a == 33) reach_error(); return a; }}");
    let program = program(&text);
    let analyses = Analyses::new(&program);
    let mut unroller = Unroller::new(&analyses);
    assert_eq!(unroller.unroll(1, &budget()), Pause::Bound);
    assert!(unroller.frontier.is_empty());
    assert!(unroller.seen.joins >= 20, "{} joins", unroller.seen.joins);
    assert!(unroller.seen.steps < 1_000, "{} steps", unroller.seen.steps);
    assert!(is_broken(&mut unroller));
}

#[test]
fn a_spent_budget_pauses_and_the_rest_is_not_lost() {
    let program =
        program("int main(void) { int n = 0; while (n < 2000) n++; if (n == 2000) reach_error(); return 0; }");
    let analyses = Analyses::new(&program);
    let mut unroller = Unroller::new(&analyses);
    let spent = budget();
    spent.cancel.cancel();
    assert_eq!(unroller.unroll(1, &spent), Pause::Budget);
    assert!(unroller.seen.steps < 1_000);
    assert_eq!(unroller.unroll(1, &budget()), Pause::Bound);
    assert!(is_broken(&mut unroller));
}

#[test]
fn a_pause_to_look_at_the_terms_changes_nothing() {
    let program = program(
        "int main(void) {
            unsigned n = 0, a = 1;
            while (n < 2000) { n++; a = a * 3 ^ input(); if (n == 50 && a == 7) reach_error(); }
            return 0;
        }",
    );
    let analyses = Analyses::new(&program);
    let mut paused = Unroller::new(&analyses);
    paused.pause_at = 100;
    let mut pauses = 0;
    while paused.unroll(1, &budget()) == Pause::Terms {
        assert!(paused.sym.terms.len() > paused.pause_at);
        paused.pause_at = 2 * paused.sym.terms.len();
        pauses += 1;
    }
    assert!(pauses >= 2, "{pauses} pauses");
    let mut at_once = Unroller::new(&analyses);
    assert_eq!(at_once.unroll(1, &budget()), Pause::Bound);
    assert_eq!((paused.seen.steps, paused.seen.joins), (at_once.seen.steps, at_once.seen.joins));
    assert!(is_broken(&mut paused) && is_broken(&mut at_once));
}
