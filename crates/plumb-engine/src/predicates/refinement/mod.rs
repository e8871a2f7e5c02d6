//! Refinement: predicates that exclude a spurious counterexample (`refine` in the paper on symbolic execution with abstraction).
//!
//! **Idea.** The counterexample is executed once more from entry to entry as it was explored: its abstraction points cut it into
//! segments ([`trace_formula`]). Candidates ([`candidates`]) exclude it if *no* valuation of them leads through all segments. All
//! candidates are tried together, and the solver's core names those that are needed; it is minimised then. That is a sequence
//! interpolant with the vocabulary of the candidates: the valuations that are possible at each cut.
//! Predicates that the next counterexamples would need are added with them.
//!
//! Who refines says where the counterexample is cut and what its segments are: symbolic execution gives one control-flow path,
//! abstract reachability all paths through a sequence of blocks.
//!
//! **Soundness.** None is needed: whatever the predicates are, the abstraction has all runs. A poor choice costs time, and a
//! counterexample that stays is an UNKNOWN.

mod candidates;
mod path_atoms;
#[cfg(test)]
mod tests;
mod trace_formula;

use super::exchange::Exchange;
use super::precision::{PrecisionFunction, as_equation};
use super::tuning::{FeasibilityTuning, RefinementTuning};
use super::vocabulary::Vocabulary;
use crate::answer::StatePart;
use crate::board::Board;
use crate::budget::Budget;
use crate::facts::{Fact, Quantity};
use candidates::{Candidate, Effort, Source, Sources, is_about};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_sym::{State, Sym};
use plumb_term::{Sort, SymbolId, TermId, free_symbols};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
pub use trace_formula::{Cut, TraceFormula};

/// A predicate and the loop that it is for; or a variable whose value is tracked there.
pub type LoopPredicate = (LoopKey, TermId);

/// What refinement reads and changes of an engine.
pub struct Known<'k, 'a> {
    pub precision: &'k mut PrecisionFunction,
    pub vocabulary: &'k mut Vocabulary,
    pub exchange: &'k mut Exchange<'a>,
    /// For engines that track values of variables: a candidate that says which value a variable has is the variable itself.
    pub values: Option<TrackedValues>,
}

/// Variables whose values are tracked, as the symbols of predicates that stand for them.
#[derive(Clone, Default)]
pub struct TrackedValues {
    pub tracked: BTreeSet<LoopPredicate>,
    /// Variables with too many values: predicates describe them.
    pub given_up: BTreeSet<LoopPredicate>,
}

pub struct Refiner<'a> {
    tuning: RefinementTuning,
    feasibility: FeasibilityTuning,
    budget: &'a Budget,
    sources: Sources<'a>,
    /// How often loops have got predicates over the same symbols.
    refined: FxHashMap<(LoopKey, Vec<SymbolId>), u32>,
}

impl<'a> Refiner<'a> {
    pub fn new(
        analyses: &'a Analyses,
        (tuning, feasibility): (&RefinementTuning, &FeasibilityTuning),
        budget: &'a Budget,
        board: &'a Board,
    ) -> Refiner<'a> {
        let sources = Sources::new(analyses, tuning, budget, board);
        Refiner { tuning: *tuning, feasibility: *feasibility, budget, sources, refined: FxHashMap::default() }
    }

    /// Adds predicates to the precision that exclude a counterexample, if `is_progress` accepts them. Gives those that exclude
    /// it, known ones among them; `None` if no candidates do. The exact states are those without abstraction at the cuts, as
    /// far as a run gets.
    pub fn refine(
        &mut self,
        sym: &mut Sym,
        known: &mut Known,
        (trace, exact_states): (&TraceFormula, &[State]),
        mut is_progress: impl FnMut(&[LoopPredicate]) -> bool,
    ) -> Option<Vec<LoopPredicate>> {
        let tuning = (self.tuning, self.feasibility);
        let tuning = (&tuning.0, &tuning.1);
        // Candidates from sample runs take their time.
        for effort in [Effort::Quick, Effort::Thorough] {
            let candidates = self.sources.candidates(sym, known, (trace, exact_states), effort);
            let Some(mut chosen) = trace.choose(sym, known, &candidates, self.budget, tuning) else {
                continue;
            };
            if self.is_slow(sym, known, &chosen) {
                let effort = Effort::SamplesFirst;
                let candidates = self.sources.candidates(sym, known, (trace, exact_states), effort);
                chosen = trace.choose(sym, known, &candidates, self.budget, tuning).unwrap_or(chosen);
            }
            let mut more = self.other_values(sym, known, &chosen);
            let variables = self.other_variables(sym, known, &chosen, &candidates);
            more.extend(self.other_values(sym, known, &variables));
            more.extend(variables);
            let predicates: Vec<LoopPredicate> =
                chosen.iter().copied().filter(|(_, term)| sym.terms.sort(*term) == Sort::Bool).collect();
            for (key, predicate) in predicates.iter().chain(&more) {
                known.precision.add(*key, *predicate, sym);
            }
            known.exchange.post_predicates(sym, known.vocabulary, &predicates);
            #[cfg(test)]
            assert!(tests::are_interpolants(sym, known, trace, &chosen, self.budget, tuning));
            if is_progress(&chosen) {
                return Some(chosen);
            }
        }
        None
    }

    /// Notes that predicates were chosen. Whether they are over symbols that got others again and again: each may exclude
    /// one path only, and a fact that holds in all sample runs may be what is missing.
    fn is_slow(&mut self, sym: &Sym, known: &Known, chosen: &[LoopPredicate]) -> bool {
        let mut is_slow = false;
        for (key, predicate) in chosen {
            let is_predicate = sym.terms.sort(*predicate) == Sort::Bool;
            if is_predicate && !known.precision.predicates(*key).contains(predicate) {
                let symbols = free_symbols(&sym.terms, &[*predicate]);
                let count = self.refined.entry((*key, symbols)).or_default();
                *count += 1;
                is_slow |= *count > self.tuning.patience;
            }
        }
        is_slow
    }

    /// For variables that are compared with one value, the other values that the program compares them with: they are state
    /// variables, and the next path would need the next of their values. Variables that were chosen together share them.
    fn other_values(&self, sym: &mut Sym, known: &mut Known, chosen: &[LoopPredicate]) -> Vec<LoopPredicate> {
        let mut variables: Vec<LoopPredicate> = Vec::new();
        let mut values: BTreeSet<TermId> = BTreeSet::new();
        for (key, predicate) in chosen {
            let Some((variable, _)) = as_equation(&sym.terms, *predicate) else { continue };
            variables.push((*key, variable));
            values.extend(self.compared_values(sym, known.vocabulary, (*key, variable)));
        }
        let mut found = Vec::new();
        for (key, variable) in variables {
            let fitting = values.iter().filter(|value| sym.terms.sort(**value) == sym.terms.sort(variable)).copied();
            let fitting: Vec<TermId> = fitting.take(self.tuning.max_values).collect();
            found.extend(fitting.into_iter().map(|value| (key, sym.terms.eq(variable, value))));
        }
        found
    }

    /// The constants that the program compares a variable with.
    pub fn compared_values(
        &self,
        sym: &mut Sym,
        vocabulary: &mut Vocabulary,
        (key, variable): LoopPredicate,
    ) -> BTreeSet<TermId> {
        let mut values = BTreeSet::new();
        let Some(parts) = vocabulary.parts(sym, key.0, variable) else { return values };
        if let ([(_, part @ StatePart::Behind { .. })], Sort::Bv(width)) = (&parts[..], sym.terms.sort(variable)) {
            let quantity = Quantity { part: *part, width };
            let numbers = self.sources.conditions.compared_behind_pointer(key.0, quantity);
            return numbers.map(|number| sym.terms.bv(width, number)).collect();
        }
        let template = vocabulary.template_state(sym, key.0);
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
        values
    }

    /// Where several variables of a loop are compared with values, it is a state machine with many variables: of one more
    /// path, all the variables that it compares. What lies behind pointers are more often flags of structures that others fill.
    fn other_variables(
        &self,
        sym: &Sym,
        known: &Known,
        chosen: &[LoopPredicate],
        candidates: &[Candidate],
    ) -> Vec<LoopPredicate> {
        let tuning = &self.tuning;
        let variable = |predicate: &TermId| {
            let variable = as_equation(&sym.terms, *predicate).map(|(variable, _)| variable);
            variable.filter(|variable| !known.vocabulary.is_behind_pointer(*variable))
        };
        let mut found = Vec::new();
        let mut keys: Vec<LoopKey> =
            chosen.iter().filter(|(_, predicate)| variable(predicate).is_some()).map(|(key, _)| *key).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            let has = known.precision.predicates(key);
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
