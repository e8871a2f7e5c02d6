//! Feasibility of paths: satisfiability of path conditions, and how most queries are answered without the solver.
//!
//! A feasible path gets one more condition. Its model is tried first; then the conditions that the new one depends on are
//! found ([`Independence`]). Where they are all about one number, the sets of its values decide ([`ValueSets`]); their
//! conjunction may have been asked before (compare the counterexample cache of Cadar, Dunbar and Engler's KLEE, 2008);
//! intervals of terms may decide it ([`intervals`]); it may hold if one number has another value. Only then is the solver asked
//! ([`solver`]), and only about them.
//!
//! **Soundness.** "Infeasible" is what the solver says of conditions of the path; leaving some out makes it no less true.
//! "Feasible" may be wrong where axioms relate symbols that conditions do not: then an infeasible path is followed. Whoever
//! claims that a path reaches something queries its whole condition.

mod intervals;
mod solver;

pub use solver::PathSolver;

use super::tuning::FeasibilityTuning;
use crate::budget::Budget;
pub use intervals::TermIntervals;
use plumb_solve::{Group, Independence, Outcome, ValueSets};
use plumb_sym::Sym;
use plumb_term::{Assignment, BitVec, Evaluator, Sort, SymbolId, TermId, Terms, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub enum PathFeasibility {
    Infeasible,
    /// With a model, where one is known.
    Feasible(Option<Arc<Assignment>>),
}

use PathFeasibility::{Feasible, Infeasible};

pub struct Feasibility {
    tuning: FeasibilityTuning,
    pub solver: PathSolver,
    independence: Independence,
    value_sets: ValueSets,
    /// By conditions, in order: a model, or `None` if they are unsatisfiable.
    cache: FxHashMap<Box<[TermId]>, Option<Arc<Assignment>>>,
}

impl Feasibility {
    pub fn new(budget: &Budget, tuning: &FeasibilityTuning) -> Feasibility {
        Feasibility {
            tuning: *tuning,
            solver: PathSolver::new(budget, tuning),
            independence: Independence::new(tuning.max_condition_terms),
            value_sets: ValueSets::new(tuning.max_ranges, tuning.max_candidate_values),
            cache: FxHashMap::default(),
        }
    }

    /// Whether a feasible path with a given model still is with new conditions.
    pub fn extend(
        &mut self,
        sym: &mut Sym,
        path: &[TermId],
        new: &[TermId],
        model: Option<&Arc<Assignment>>,
    ) -> PathFeasibility {
        if new.contains(&TermId::bool(false)) {
            return Infeasible;
        }
        if let Some(model) = model
            && holds(sym, model, new)
        {
            return Feasible(Some(model.clone()));
        }
        let dependent = self.dependent(sym, path, new);
        if let Some(decided) = self.value_sets.decide(&sym.terms, &dependent) {
            let Some((symbol, value)) = decided else { return Infeasible };
            return Feasible(model.map(|model| with_value(sym, model, symbol, value)));
        }
        let mut key = dependent.clone();
        key.sort_unstable();
        key.dedup();
        if let Some(known) = self.cache.get(&key[..]).cloned() {
            return match known {
                None => Infeasible,
                Some(found) => Feasible(self.merged_model(sym, model, &found, &dependent)),
            };
        }
        let mut intervals = self.intervals(sym, &dependent[new.len()..]);
        let truths: Vec<Option<bool>> = new.iter().map(|condition| intervals.truth(&sym.terms, *condition)).collect();
        if intervals.are_contradictory || truths.contains(&Some(false)) {
            self.cache_answer(key, None);
            return Infeasible;
        }
        if truths.iter().all(|truth| *truth == Some(true)) {
            return Feasible(None);
        }
        if let (Some(model), [new]) = (model, new)
            && let Some((symbol, values)) = self.value_sets.candidates(&sym.terms, *new, &dependent)
        {
            let mut models = values.into_iter().map(|value| with_value(sym, model, symbol, value));
            if let Some(found) = models.find(|model| holds(sym, model, &dependent)) {
                return Feasible(Some(found));
            }
        }
        match self.solver.check(sym, &key, Some(self.tuning.max_conflicts)) {
            Outcome::Unsat => {
                self.cache_answer(key, None);
                Infeasible
            }
            Outcome::Sat => {
                let Some(found) = self.solver.model().cloned().map(Arc::new) else { return Feasible(None) };
                let model = self.merged_model(sym, model, &found, &dependent);
                self.cache_answer(key, Some(found));
                Feasible(model)
            }
            Outcome::Unknown(_) => Feasible(None),
        }
    }

    /// A model of a path with more conditions, one after the other, from a model of the path; `None` if there is none.
    pub fn extend_by_each(
        &mut self,
        sym: &mut Sym,
        mut path: Vec<TermId>,
        more: &[TermId],
        mut model: Option<Arc<Assignment>>,
    ) -> Option<Option<Arc<Assignment>>> {
        for condition in more {
            match self.extend(sym, &path, &[*condition], model.as_ref()) {
                Infeasible => return None,
                Feasible(found) => model = found,
            }
            path.push(*condition);
        }
        Some(model)
    }

    /// A model of conditions, from the solver.
    pub fn model_of(&mut self, sym: &mut Sym, conditions: &[TermId]) -> Option<Assignment> {
        match self.solver.check(sym, conditions, None) {
            Outcome::Sat => self.solver.model().cloned(),
            Outcome::Unsat | Outcome::Unknown(_) => None,
        }
    }

    /// Whether a condition is impossible on a path. If not, there may be a model that says why.
    pub fn refute(&mut self, sym: &mut Sym, path: &[TermId], condition: TermId) -> Result<(), Option<Assignment>> {
        let conditions: Vec<TermId> = path.iter().copied().chain([condition]).collect();
        match self.solver.check(sym, &conditions, Some(self.tuning.max_conflicts)) {
            Outcome::Unsat => Ok(()),
            Outcome::Sat => Err(self.solver.model().cloned()),
            Outcome::Unknown(_) => Err(None),
        }
    }

    /// What terms can be under conditions.
    pub fn intervals(&self, sym: &Sym, conditions: &[TermId]) -> TermIntervals {
        TermIntervals::under(&sym.terms, conditions, &self.tuning)
    }

    /// Groups of terms that depend on each other under conditions.
    pub fn groups(&mut self, sym: &Sym, conditions: &[TermId], terms: &[TermId]) -> Vec<Group> {
        self.independence.note_axioms(&sym.terms, &sym.axioms);
        self.independence.groups(&sym.terms, conditions, terms)
    }

    fn dependent(&mut self, sym: &Sym, path: &[TermId], new: &[TermId]) -> Vec<TermId> {
        self.independence.note_axioms(&sym.terms, &sym.axioms);
        self.independence.dependent(&sym.terms, path, new)
    }

    /// The truth values that the members of a group can have together, where everything is about one number.
    pub fn split_by_values(&mut self, terms: &Terms, group: &Group, members: &[TermId]) -> Option<Vec<Box<[bool]>>> {
        if group.depends_on_axioms { None } else { self.value_sets.split(terms, &group.conditions, members) }
    }

    fn cache_answer(&mut self, key: Vec<TermId>, answer: Option<Arc<Assignment>>) {
        if self.cache.len() >= self.tuning.max_cached {
            self.cache.clear();
        }
        self.cache.insert(key.into(), answer);
    }

    /// The model of a path, but for the symbols of some conditions the values that were found for them.
    fn merged_model(
        &mut self,
        sym: &Sym,
        model: Option<&Arc<Assignment>>,
        found: &Arc<Assignment>,
        conditions: &[TermId],
    ) -> Option<Arc<Assignment>> {
        let mut merged = (**model?).clone();
        for condition in conditions {
            let symbols = self.independence.symbols_of(&sym.terms, *condition)?;
            for symbol in symbols.iter() {
                match found.get(*symbol) {
                    Some(value) => merged.set(*symbol, value.clone()),
                    None => merged.set(*symbol, Value::zero(sym.terms.symbol_sort(*symbol))),
                }
            }
        }
        Some(Arc::new(merged))
    }
}

/// The same model but for one symbol.
fn with_value(sym: &Sym, model: &Assignment, symbol: SymbolId, value: u64) -> Arc<Assignment> {
    let value = match sym.terms.symbol_sort(symbol) {
        Sort::Bv(width) => Value::Bv(BitVec::new(width, value as u128)),
        _ => Value::Bool(value == 1),
    };
    let mut changed = model.clone();
    changed.set(symbol, value);
    Arc::new(changed)
}

fn holds(sym: &Sym, model: &Assignment, conditions: &[TermId]) -> bool {
    let mut evaluator = Evaluator::new(model);
    conditions.iter().all(|condition| evaluator.holds(&sym.terms, *condition))
}

#[cfg(test)]
pub mod tests;
