//! The parts together: what the engine says of small programs.

mod laws;

use super::*;
use crate::answer::Proof;
use crate::test_program::{budget, program};

fn answer(text: &str) -> Answer {
    let program = program(text);
    reach(&Analyses::new(&program), &ReachOptions::default(), &budget(), &Board::default(), &())
}

fn holds(text: &str) {
    let answer = answer(text);
    assert!(matches!(answer, Answer::Holds(..)), "{text}: {answer:?}");
}

#[test]
fn loops_are_proved_with_predicates() {
    holds(
        "int main(void) { int x = 0, y = 0; while (input()) { if (x < 9) { x++; y += 2; } } if (y != 2 * x) reach_error(); }",
    );
    holds(
        "int main(void) { unsigned x = 0; while (input()) { x += 4; while (input()) x += 2; } if (x % 2) reach_error(); }",
    );
}

#[test]
fn state_machines_are_proved_by_values() {
    let text = "int main(void) { int s = 0; while (input()) {
        if (s == 0) s = 7; else if (s == 7) s = 3; else if (s == 3) s = 0; else reach_error(); } }";
    holds(text);
    let program = program(text);
    let answer = reach(&Analyses::new(&program), &ReachOptions::default(), &budget(), &Board::default(), &());
    let Answer::Holds(Proof::Abstraction { tree, .. }, _) = answer else { panic!("{answer:?}") };
    assert_eq!(tree.states, 3, "s is 0, 7 or 3 at the head");
}

#[test]
fn a_feasible_counterexample_is_a_violation() {
    let found = answer("int main(void) { int x = 0; while (input()) x++; if (x == 3) reach_error(); }");
    assert!(matches!(found, Answer::Violated(_)), "{found:?}");
}

#[test]
fn a_program_without_abstract_loops_is_one_block() {
    holds("int main(void) { int s = 0; for (int i = 0; i < 9; i++) s += i; if (s != 36) reach_error(); }");
    let found =
        answer("int main(void) { int s = input(); for (int i = 0; i < 9; i++) s += i; if (s == 40) reach_error(); }");
    assert!(matches!(found, Answer::Violated(_)), "{found:?}");
}

#[test]
fn exact_blocks_end_where_the_abstract_ones_do() {
    // Constants decide the loop in the first block, inputs in the second.
    let text = "int s; void add(int n) { for (int i = 0; i < n; i++) s++; }
        int main(void) { add(2); if (input() == 5 && s == N) reach_error(); while (input()) add(input()); }";
    let found = answer(&text.replace('N', "2"));
    assert!(matches!(found, Answer::Violated(_)), "{found:?}");
    holds(&text.replace('N', "3"));
}

#[test]
fn unbounded_recursion_is_the_reason() {
    let found =
        answer("int f(int x) { return input() ? f(x + 1) : x; } int main(void) { if (f(0) < 0) reach_error(); }");
    let Answer::Unknown(Unknown { why: WhyUnknown::Recursion(_), .. }) = found else { panic!("{found:?}") };
}
