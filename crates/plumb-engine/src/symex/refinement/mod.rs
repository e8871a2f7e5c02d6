//! Refinement: predicates that exclude a spurious counterexample (the paper's `refine`).
//!
//! **Idea.** The counterexample is executed once more from entry to entry as it was explored: its abstraction points cut it into
//! segments ([`trace_formula`]). Candidates ([`candidates`]) exclude it if *no* valuation of them leads through all segments. All
//! candidates are tried together, and the solver's core names those that are needed; it is minimised then. That is a sequence
//! interpolant with the vocabulary of the candidates: the valuations that are possible at each cut.
//! Predicates that the next counterexamples would need are added with them.
//!
//! Where no candidate helps, paths that entered a loop together enter it one by one, and then thresholds rise.
//!
//! **Soundness.** Whatever the predicates are, the tree has all runs: a poor choice costs time, and a counterexample that stays
//! is an UNKNOWN.

mod candidates;
#[cfg(test)]
mod tests;
mod trace_formula;

use super::abstraction::Abstraction;
use super::history::ControlFlowPath;
use super::precision::as_equation;
use super::reached_set::{EntryId, ReachedSet};
use super::targets::Target;
use super::tuning::Tuning;
use crate::board::Board;
use crate::budget::Budget;
use crate::facts::Fact;
use candidates::{Candidate, Effort, Source, Sources, is_about};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_sym::{State, Sym};
use plumb_term::{SymbolId, TermId, free_symbols};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use trace_formula::{Cut, TraceFormula};

/// A predicate and the loop that it is for.
type LoopPredicate = (LoopKey, TermId);

/// A counterexample of the abstract tree that no run follows.
pub struct SpuriousPath {
    pub path: ControlFlowPath,
    pub target: Target,
    /// States without abstraction at the abstraction points, as far as a run gets.
    pub states: Vec<State>,
}

pub struct Refiner<'a> {
    tuning: Tuning,
    budget: &'a Budget,
    sources: Sources<'a>,
    /// How often loops have got predicates over the same symbols.
    refined: FxHashMap<(LoopKey, Vec<SymbolId>), u32>,
}

impl<'a> Refiner<'a> {
    pub fn new(analyses: &'a Analyses, tuning: &Tuning, budget: &'a Budget, board: &'a Board) -> Refiner<'a> {
        let sources = Sources::new(analyses, &tuning.refinement, budget, board);
        Refiner { tuning: *tuning, budget, sources, refined: FxHashMap::default() }
    }

    /// Refines the precision. Gives the entries whose precision has changed, in the order of the counterexample.
    pub fn refine(
        &mut self,
        sym: &mut Sym,
        abstraction: &mut Abstraction,
        reached: &ReachedSet,
        spurious: &SpuriousPath,
    ) -> Vec<EntryId> {
        let _span = tracing::info_span!("refinement").entered();
        let trace = TraceFormula::of(sym, reached, spurious);
        // What others have proved meanwhile may exclude it.
        abstraction.exchange.read(sym, &mut abstraction.vocabulary);
        let entries = trace.entries(|cut: &Cut| abstraction.lacks_invariants(reached.entry(cut.entry)));
        if !entries.is_empty() {
            return entries;
        }
        // Candidates from sample runs take their time.
        for effort in [Effort::Quick, Effort::Thorough] {
            let candidates = self.sources.candidates(sym, abstraction, reached, (spurious, &trace), effort);
            let Some(mut chosen) = trace.choose(sym, abstraction, &candidates, self.budget, &self.tuning) else {
                continue;
            };
            if self.is_slow(sym, abstraction, &chosen) {
                let effort = Effort::SamplesFirst;
                let candidates = self.sources.candidates(sym, abstraction, reached, (spurious, &trace), effort);
                chosen = trace.choose(sym, abstraction, &candidates, self.budget, &self.tuning).unwrap_or(chosen);
            }
            let mut more = self.other_values(sym, abstraction, &chosen);
            let variables = self.other_variables(sym, abstraction, &chosen, &candidates);
            more.extend(self.other_values(sym, abstraction, &variables));
            more.extend(variables);
            for (key, predicate) in chosen.iter().chain(&more) {
                abstraction.precision.add(*key, *predicate, sym);
            }
            abstraction.exchange.post_predicates(sym, &mut abstraction.vocabulary, &chosen);
            #[cfg(test)]
            assert!(tests::are_interpolants(sym, abstraction, &trace, &chosen, self.budget, &self.tuning));
            let lacks = |cut: &Cut| {
                let has = &reached.entry(cut.entry).predicates;
                chosen.iter().any(|(key, predicate)| *key == cut.key && !has.contains(predicate))
            };
            let entries = trace.entries(lacks);
            if !entries.is_empty() {
                return entries;
            }
        }
        // The join of several arrivals may be what lets the counterexample through.
        let entries = trace.entries(|cut: &Cut| reached.entry(cut.entry).arrivals.len() > 1);
        if !entries.is_empty() {
            abstraction.loops.entered_separately.extend(entries.iter().map(|entry| reached.entry(*entry).key));
            return entries;
        }
        raise_thresholds(abstraction, reached, &trace)
    }

    /// Notes that predicates were chosen. Whether they are over symbols that got others again and again: each may exclude
    /// one path only, and a fact that holds in all sample runs may be what is missing.
    fn is_slow(&mut self, sym: &Sym, abstraction: &Abstraction, chosen: &[LoopPredicate]) -> bool {
        let mut is_slow = false;
        for (key, predicate) in chosen {
            if !abstraction.precision.predicates(*key).contains(predicate) {
                let symbols = free_symbols(&sym.terms, &[*predicate]);
                let count = self.refined.entry((*key, symbols)).or_default();
                *count += 1;
                is_slow |= *count > self.tuning.refinement.patience;
            }
        }
        is_slow
    }

    /// For variables that are compared with one value, the other values that the program compares them with: they are state
    /// variables, and the next path would need the next of their values. Variables that were chosen together share them.
    fn other_values(
        &self,
        sym: &mut Sym,
        abstraction: &mut Abstraction,
        chosen: &[LoopPredicate],
    ) -> Vec<LoopPredicate> {
        let mut variables: Vec<LoopPredicate> = Vec::new();
        let mut values: BTreeSet<TermId> = BTreeSet::new();
        for (key, predicate) in chosen {
            let Some((variable, _)) = as_equation(&sym.terms, *predicate) else { continue };
            variables.push((*key, variable));
            let Some(parts) = abstraction.vocabulary.parts(sym, key.0, variable) else { continue };
            let template = abstraction.vocabulary.template_state(sym, key.0);
            for fact in self.sources.conditions.seen_by(key.0) {
                if matches!(fact, Fact::OneOf(..))
                    && is_about(fact, &parts)
                    && let Some(term) = fact.term(sym, &template)
                    && let Some((of, value)) = as_equation(&sym.terms, term)
                    && of == variable
                {
                    values.insert(value);
                }
            }
        }
        let mut found = Vec::new();
        for (key, variable) in variables {
            let fitting = values.iter().filter(|value| sym.terms.sort(**value) == sym.terms.sort(variable)).copied();
            let fitting: Vec<TermId> = fitting.take(self.tuning.refinement.max_values).collect();
            found.extend(fitting.into_iter().map(|value| (key, sym.terms.eq(variable, value))));
        }
        found
    }

    /// Where several variables of a loop are compared with values, it is a state machine with many variables: of one more
    /// path, all the variables that it compares.
    fn other_variables(
        &self,
        sym: &Sym,
        abstraction: &Abstraction,
        chosen: &[LoopPredicate],
        candidates: &[Candidate],
    ) -> Vec<LoopPredicate> {
        let tuning = &self.tuning.refinement;
        let variable = |predicate: &TermId| as_equation(&sym.terms, *predicate).map(|(variable, _)| variable);
        let mut found = Vec::new();
        let mut keys: Vec<LoopKey> =
            chosen.iter().filter(|(_, predicate)| variable(predicate).is_some()).map(|(key, _)| *key).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            let has = abstraction.precision.predicates(key);
            let mut variables: BTreeSet<TermId> = has.iter().filter_map(variable).collect();
            if variables.len() < tuning.many_variables {
                continue;
            }
            let own = candidates.iter().filter(|c| c.key == key && c.source == Source::Own && c.step > 0);
            for (variable, candidate) in own.filter_map(|c| Some((variable(&c.term)?, c))) {
                if variables.insert(variable) {
                    found.push((key, candidate.term));
                }
            }
        }
        found.truncate(tuning.max_variables_at_once);
        found
    }
}

/// No predicate helps: the loops of the counterexample are followed further before they are abstracted.
fn raise_thresholds(abstraction: &mut Abstraction, reached: &ReachedSet, trace: &TraceFormula) -> Vec<EntryId> {
    for cut in &trace.cuts {
        let heads = reached.entry(cut.entry).arrivals.iter().filter_map(|arrival| arrival.innermost_loop());
        let visits = heads.map(|head| head.counted).max().unwrap_or(0);
        abstraction.precision.raise_threshold(cut.key, visits + 1);
    }
    trace.entries(|_| true)
}
