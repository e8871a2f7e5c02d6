//! Law: the predicates that a refinement chooses are sequence interpolants of the counterexample. Every refinement of a unit
//! test of this crate is checked.
//!
//! The interpolant at a cut is the set of valuations that the predicates can have there: it holds in every state that comes
//! along the segments so far, is about nothing but the state, and excludes what follows after the last cut. Each segment
//! leads from one interpolant to the next: a Hoare triple that a solver checks on its own.

use super::super::feasibility::Feasibility;
use super::super::literals;
use super::super::tuning::{AbstractionTuning, FeasibilityTuning, RefinementTuning};
use super::super::valuations::Valuations;
use super::trace_formula::{Segment, TraceFormula};
use super::{Known, LoopPredicate};
use crate::answer::Answer;
use crate::board::Board;
use crate::budget::Budget;
use crate::symex::{SymexOptions, symex};
use crate::test_program::{budget, program};
use plumb_ir::analysis::Analyses;
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_sym::Sym;
use plumb_term::{Sort, TermId};
use std::cell::Cell;

/// Larger counterexamples are not checked.
const MAX_CUTS: usize = 16;
const MAX_PREDICATES: usize = 12;

thread_local! {
    /// Sequences that were checked to the end on this thread: other tests have their own.
    static CHECKED: Cell<u32> = const { Cell::new(0) };
}

/// Whether predicates exclude a counterexample as they should, where that is quickly found out.
pub fn are_interpolants(
    sym: &mut Sym,
    known: &mut Known,
    trace: &TraceFormula,
    chosen: &[LoopPredicate],
    budget: &Budget,
    (tuning, feasibility): (&RefinementTuning, &FeasibilityTuning),
) -> bool {
    let conflicts = tuning.max_conflicts;
    let has_values = chosen.iter().any(|(_, term)| sym.terms.sort(*term) != Sort::Bool);
    if has_values || trace.cuts.len() > MAX_CUTS || chosen.len() > MAX_PREDICATES {
        return true;
    }
    let mut feasibility = Feasibility::new(budget, feasibility);
    let mut valuations_of = Valuations::new(&AbstractionTuning::DEFAULT);
    let mut instances = Vec::with_capacity(chosen.len());
    for predicate in chosen {
        instances.push(trace.instances(sym, known.vocabulary, *predicate));
    }
    let mut segments = trace.segments(sym, &instances);
    let mut interpolant = TermId::bool(true);
    for cut in 0..trace.cuts.len() {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (left, right) in instances.iter().filter_map(|one| one[cut]) {
            before.push(segments[cut].rename(sym, left));
            after.push(segments[cut + 1].rename(sym, right));
        }
        let mut conditions = segments[cut].conditions.clone();
        conditions.push(interpolant);
        // What cannot be decided in the time there is does not count against the predicates.
        let valuations = match feasibility.solver.check(sym, &conditions, Some(conflicts)) {
            Outcome::Unsat => Vec::new(),
            Outcome::Unknown(_) => return true,
            Outcome::Sat => match valuations_of.enumerate(sym, &mut feasibility, &conditions, &before) {
                Ok(valuations) => valuations,
                Err(_) => return true,
            },
        };
        let next = disjunction(sym, &before, &valuations);
        if !is_triple(sym, &segments[cut], interpolant, next, conflicts) {
            return false;
        }
        interpolant = disjunction(sym, &after, &valuations);
    }
    let is_last = is_triple(sym, &segments[trace.cuts.len()], interpolant, TermId::bool(false), conflicts);
    CHECKED.set(CHECKED.get() + 1);
    is_last
}

/// Terms have one of some valuations.
fn disjunction(sym: &mut Sym, terms: &[TermId], valuations: &[Box<[bool]>]) -> TermId {
    let mut any = TermId::bool(false);
    for valuation in valuations {
        let mut all = TermId::bool(true);
        for literal in literals(sym, terms, valuation) {
            all = sym.terms.and(all, literal);
        }
        any = sym.terms.or(any, all);
    }
    any
}

/// Whether a segment leads from states with the one to states with the other, by a solver that knows nothing else.
fn is_triple(sym: &mut Sym, segment: &Segment, before: TermId, after: TermId, conflicts: u64) -> bool {
    let mut solver = BitSolver::new();
    solver.set_limits(Limits { conflicts: Some(conflicts), ..Limits::default() });
    sym.feed_axioms(&mut 0, |terms, axiom| solver.assert(terms, axiom));
    let fails = sym.terms.not(after);
    let mut assumptions = segment.conditions.clone();
    assumptions.extend([before, fails]);
    solver.check(&mut sym.terms, &assumptions) != Outcome::Sat
}

#[test]
fn refinements_find_interpolants() {
    let before = CHECKED.get();
    let loops = [
        "int s = 0; while (input()) { if (s == 0) s = 1; else if (s == 1) s = 2; else s = 0; if (s > 2) reach_error(); }",
        "int x = 0, y = 0; while (input()) { if (x < 9) { x++; y += 2; } } if (y != 2 * x) reach_error();",
        "int x = 0, y = 9; while (input() && y > 0) { x++; y--; } if (x + y != 9) reach_error();",
        "unsigned x = 0; while (input()) { x += 4; while (input()) x += 2; } if (x % 2) reach_error();",
    ];
    for text in loops {
        let program = program(&format!("int main(void) {{ {text} return 0; }}"));
        let options = SymexOptions { threshold: Some(0), also_plain: false, ..SymexOptions::default() };
        let answer = symex(&Analyses::new(&program), &options, &budget(), &Board::default(), &());
        assert!(matches!(answer, Answer::Holds(..)), "{text}: {answer:?}");
    }
    assert!(CHECKED.get() >= before + 4, "each of them needs a refinement");
}
