//! The parts together: what the engine says of small programs, and what it does for it.

mod laws;
mod scaling;

use super::explore::Bam;
use super::*;
use crate::answer::Proof;
use crate::answer::WhyUnknown;
use crate::test_program::{budget, program};
use plumb_ir::analysis::target_distance::Metric;

fn answer(text: &str, order: Option<Order>) -> Answer {
    let program = program(text);
    let options = BamOptions { order, ..BamOptions::default() };
    bam(&Analyses::new(&program), &options, &budget(), &Board::default(), &())
}

fn holds(text: &str) {
    let found = answer(text, None);
    assert!(matches!(found, Answer::Holds(..)), "{text}: {found:?}");
}

/// What an exploration has done, which ends without a counterexample.
struct Effort {
    blocks: usize,
    /// Steps of block formulas.
    steps: u64,
    /// Reachability graphs of functions, and how often one was used again.
    explored: u64,
    hits: u64,
    transfers: u64,
    refinements: u32,
    queries: u64,
    terms: usize,
}

fn effort(text: &str) -> Effort {
    effort_with(text, BamTuning::DEFAULT)
}

fn effort_with(text: &str, tuning: BamTuning) -> Effort {
    let program = program(text);
    let (analyses, budget, board) = (Analyses::new(&program), budget(), Board::default());
    let options = BamOptions { tuning, ..BamOptions::default() };
    let mut bam = Bam::new(&analyses, &options, &budget, &board, &());
    assert!(bam.explore().is_ok(), "{text}");
    let effort = Effort {
        blocks: bam.blocks.len(),
        steps: bam.blocks.steps,
        explored: bam.statistics.explored,
        hits: bam.cache.hits,
        transfers: bam.statistics.transfers,
        refinements: bam.statistics.refinements,
        queries: bam.abstraction.queries,
        terms: bam.abstraction.sym.terms.len(),
    };
    assert!(matches!(evidence::answer(bam), Answer::Holds(..)));
    effort
}

#[test]
fn a_formula_of_a_function_without_loops_is_its_summary() {
    let text = "int clamp(int x) { if (x > 100) return 100; if (x < 0) return 0; return x; }
        int main(void) { int a = clamp(input()), b = clamp(input()); if (a + b > LIMIT) reach_error(); }";
    let found = effort(&text.replace("LIMIT", "200"));
    assert_eq!((found.blocks, found.explored, found.refinements), (1, 0, 0));
    assert!(matches!(answer(&text.replace("LIMIT", "199"), None), Answer::Violated(_)));
}

#[test]
fn what_a_loop_leaves_behind_comes_to_the_caller() {
    let text = "unsigned total; void add(unsigned step) { while (input()) total += step; }
        int main(void) { add(2); add(4); add(6); if (total % 2 == WRONG) reach_error(); }";
    holds(&text.replace("WRONG", "1"));
    assert!(matches!(answer(&text.replace("WRONG", "0"), None), Answer::Violated(_)));
}

#[test]
fn one_reduced_state_is_explored_once() {
    let found = effort(
        "int count(int n) { int i = 0; while (i < n) i++; return i; }
        int main(void) { int n = input(); if (n < 0 || n > 9) return 0; int a = count(n); int b = count(n); int c = count(n);
            if (a > 9 || b > 9 || c > 9) reach_error(); }",
    );
    assert_eq!(found.blocks, 1);
    assert!(found.hits >= 2, "{} hits, {} explored", found.hits, found.explored);
}

#[test]
fn a_target_in_a_callee_is_one_of_those_callers_that_can_meet_it() {
    let text = "void check(int x) { if (x < 0) reach_error(); } void twice(int x) { check(x); check(x / 2); }
        int main(void) { int x = input(); if (x >= LEAST) { twice(x); twice(x); } }";
    holds(&text.replace("LEAST", "0"));
    assert!(matches!(answer(&text.replace("LEAST", "-1"), None), Answer::Violated(_)));
}

#[test]
fn entry_states_of_functions_are_refined() {
    let text = "int level; void wait(void) { int seen = level; while (input()) { if (level != seen) reach_error(); } }
        int main(void) { level = 3; wait(); level = input(); wait(); }";
    holds(text);
    let text = "int mode; void run(void) { while (input()) { if (mode == 1) mode = 2; else if (mode == 2) mode = 1; else reach_error(); } }
        int main(void) { mode = FIRST; run(); run(); }";
    holds(&text.replace("FIRST", "1"));
    assert!(matches!(answer(&text.replace("FIRST", "3"), None), Answer::Violated(_)));
}

#[test]
fn all_orders_unfold_counterexamples_through_blocks() {
    let text = "int n; void step(void) { while (n < 3 && input()) n++; } void two(void) { step(); step(); }
        int main(void) { two(); two(); if (n == 3) reach_error(); }";
    for order in [Order::Depth, Order::Breadth, Order::Nested, Order::Tour(Metric::Lf), Order::Tour(Metric::St)] {
        let found = answer(text, Some(order));
        assert!(matches!(found, Answer::Violated(_)), "{order:?}: {found:?}");
    }
}

#[test]
fn a_function_that_begins_with_a_loop_is_a_block() {
    let found = effort(
        "unsigned t; void add(void) { while (input()) t += 2; } int main(void) { add(); add(); if (t % 2) reach_error(); }",
    );
    assert_eq!(found.blocks, 1);
}

#[test]
fn functions_that_take_pointers_are_followed() {
    holds("void set(int *p) { *p = 4; } int main(void) { int a, b; set(&a); set(&b); if (a + b != 8) reach_error(); }");
    holds(
        "int cells[4]; void put(int i, int v) { cells[i & 3] = v; }
        int main(void) { put(1, 5); put(2, 6); if (cells[1] != 5 || cells[2] != 6) reach_error(); }",
    );
}

#[test]
fn unbounded_recursion_is_the_reason() {
    let text = "int f(int x) { return input() ? f(x + 1) : x; } int main(void) { if (f(0) < 0) reach_error(); }";
    let found = answer(text, None);
    let Answer::Unknown(Unknown { why: WhyUnknown::Recursion(_), .. }) = found else { panic!("{found:?}") };
}

#[test]
fn a_proof_has_the_abstract_states_of_every_call_context() {
    let text = "unsigned t; void add(unsigned n) { while (input()) t += n; }
        int main(void) { int other; add(2); other = 1; add(4); other = 2; if (t % 2) reach_error(); return other; }";
    let Answer::Holds(Proof::Abstraction { tree, .. }, _) = answer(text, None) else { panic!("no proof") };
    let contexts: std::collections::BTreeSet<_> = tree.reached.entries.iter().map(|one| &one.call_stack).collect();
    assert_eq!(contexts.len(), 2);
}
