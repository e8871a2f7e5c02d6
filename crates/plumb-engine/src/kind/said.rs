//! Facts that were shown, as conditions for others to read.
//!
//! A fact's term is made in a state of which nothing is known, so that it speaks of the parts of the state by their symbols,
//! whatever kind of fact it is. Facts that others imply are left out: candidates come in
//! crowds, and readers want the few that matter.

use crate::answer::{Held, Invariants, LoopInvariant};
use crate::budget::Budget;
use crate::unroll::abstraction::LoopKey;
use plumb_ir::analysis::loops::Loops;
use plumb_ir::program::Program;
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_sym::{State, Sym};
use plumb_term::{TermId, Terms};

/// Beyond so many facts of a loop nobody looks for those that matter.
const MOST_COMPARED: usize = 600;

/// What the facts of loops say. `term` makes the term of one; loops without facts belong to the list as well.
pub(super) fn said<F>(
    program: &Program,
    mut loops: Vec<(LoopKey, Vec<F>)>,
    term: impl Fn(&F, &mut Sym, &State) -> Option<TermId>,
    budget: &Budget,
) -> Invariants {
    let mut sym = Sym::new(program);
    loops.sort_by_key(|(key, _)| *key);
    let mut found = Vec::new();
    for ((func, id), facts) in loops {
        let (state, visible) = sym.anywhere(func);
        let terms: Vec<TermId> = facts.iter().filter_map(|fact| term(fact, &mut sym, &state)).collect();
        let terms = essential(&mut sym.terms, terms, budget);
        let mut symbols: Vec<(TermId, Held)> =
            visible.registers.iter().map(|(var, term)| (*term, Held::Register(*var))).collect();
        for (object, region) in &visible.objects {
            symbols.extend(sym.region(*region).symbols.iter().map(|(at, term)| (*term, Held::Bytes(*object, *at))));
        }
        let head = Loops::of(program.function(func)).get(id).head;
        found.push(LoopInvariant { func, head, facts: terms, symbols });
    }
    Invariants { terms: sym.terms, loops: found }
}

/// Those of some conditions that the others do not imply.
fn essential(terms: &mut Terms, mut facts: Vec<TermId>, budget: &Budget) -> Vec<TermId> {
    facts.sort();
    facts.dedup();
    facts.retain(|fact| *fact != TermId::bool(true));
    if facts.len() > MOST_COMPARED {
        return facts;
    }
    let mut solver = BitSolver::new();
    solver.set_limits(Limits { conflicts: Some(2_000), deadline: budget.deadline, cancel: Some(budget.cancel.flag()) });
    let mut at = 0;
    while at < facts.len() {
        let not = terms.not(facts[at]);
        let others = facts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, fact)| *fact);
        let assumptions: Vec<TermId> = others.chain([not]).collect();
        match solver.check(terms, &assumptions) {
            Outcome::Unsat => {
                facts.remove(at);
            }
            Outcome::Sat | Outcome::Unknown(_) => at += 1,
        }
    }
    facts
}
