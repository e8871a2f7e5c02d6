//! Valuations: which truth values predicates can have together under conditions. They are the abstract states of a path.
//!
//! Most predicates are independent of each other: no condition relates the numbers that they are about. Each group of those
//! that depend on each other is computed on its own, and every combination of the groups is possible. What intervals decide
//! is in no group; a group about one number is split by its values; for others the solver enumerates one valuation
//! after the other, and the result is cached.
//!
//! **Soundness.** All valuations of states on the path are found. Where the conditions cannot hold at all, there may be some
//! nevertheless: then an abstract state is followed that no state has.

use super::feasibility::Feasibility;
use super::tuning::AbstractionTuning;
use super::{Valuation, literals};
use crate::answer::WhyUnknown;
use plumb_solve::Outcome;
use plumb_sym::Sym;
use plumb_term::{Evaluator, TermId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The conditions and the terms of a group.
type GroupKey = (Vec<TermId>, Vec<TermId>);

pub struct Valuations {
    tuning: AbstractionTuning,
    cache: FxHashMap<GroupKey, Arc<[Valuation]>>,
}

impl Valuations {
    pub fn new(tuning: &AbstractionTuning) -> Valuations {
        Valuations { tuning: *tuning, cache: FxHashMap::default() }
    }

    /// The valuations of terms under conditions that can hold.
    pub fn enumerate(
        &mut self,
        sym: &mut Sym,
        feasibility: &mut Feasibility,
        conditions: &[TermId],
        terms: &[TermId],
    ) -> Result<Vec<Valuation>, WhyUnknown> {
        let mut intervals = feasibility.intervals(sym, conditions);
        let truths: Vec<Option<bool>> = terms.iter().map(|term| intervals.truth(&sym.terms, *term)).collect();
        if intervals.are_contradictory {
            return Ok(Vec::new());
        }
        let open: Vec<usize> = (0..terms.len()).filter(|at| truths[*at].is_none()).collect();
        let open_terms: Vec<TermId> = open.iter().map(|at| terms[*at]).collect();
        let mut all: Vec<Valuation> = vec![truths.iter().map(|truth| truth.unwrap_or(false)).collect()];
        for group in feasibility.groups(sym, conditions, &open_terms) {
            let members: Vec<TermId> = group.members.iter().map(|at| open_terms[*at]).collect();
            let of_group = match feasibility.split_by_values(&sym.terms, &group, &members) {
                Some(valuations) => valuations.into(),
                None => self.of_group(sym, feasibility, group.conditions, members)?,
            };
            if all.len() * of_group.len() > self.tuning.max_valuations {
                return Err(too_many());
            }
            let combined = all.iter().flat_map(|one| {
                of_group.iter().map(|valuation| {
                    let mut both = one.clone();
                    group.members.iter().zip(valuation).for_each(|(at, holds)| both[open[*at]] = *holds);
                    both
                })
            });
            all = combined.collect();
        }
        Ok(all)
    }

    /// The valuations of one group, from the solver.
    fn of_group(
        &mut self,
        sym: &mut Sym,
        feasibility: &mut Feasibility,
        mut conditions: Vec<TermId>,
        terms: Vec<TermId>,
    ) -> Result<Arc<[Valuation]>, WhyUnknown> {
        conditions.sort_unstable();
        conditions.dedup();
        let key = (conditions, terms);
        if let Some(known) = self.cache.get(&key) {
            return Ok(known.clone());
        }
        let (mut conditions, terms) = key.clone();
        let mut found: Vec<Valuation> = Vec::new();
        loop {
            match feasibility.solver.check(sym, &conditions, None) {
                Outcome::Unsat => break,
                Outcome::Unknown(why) => return Err(why.into()),
                Outcome::Sat => {}
            }
            if found.len() >= self.tuning.max_valuations {
                return Err(too_many());
            }
            let Some(model) = feasibility.solver.model() else {
                return Err(WhyUnknown::no_model());
            };
            let mut evaluator = Evaluator::new(model);
            let valuation: Valuation = terms.iter().map(|term| evaluator.holds(&sym.terms, *term)).collect();
            let here = literals(sym, &terms, &valuation);
            let differs: Vec<TermId> = here.into_iter().map(|literal| sym.terms.not(literal)).collect();
            found.push(valuation);
            conditions.push(sym.terms.or_all(differs));
            if feasibility.solver.is_out_of_time() {
                return Err(WhyUnknown::Timeout);
            }
        }
        let found: Arc<[Valuation]> = found.into();
        if self.cache.len() >= self.tuning.max_cached_groups {
            self.cache.clear();
        }
        self.cache.insert(key, found.clone());
        Ok(found)
    }
}

fn too_many() -> WhyUnknown {
    WhyUnknown::GaveUp("a loop has too many abstract states".to_string())
}

#[cfg(test)]
mod tests {
    use super::super::feasibility::tests::{WIDTH, condition, empty, new_feasibility, symbols};
    use super::*;
    use plumb_solve::random::Random;
    use plumb_term::{Assignment, BitVec, Value};
    use std::collections::BTreeSet;

    /// Law: the valuations are those that some assignment has which satisfies the conditions.
    #[test]
    fn valuations_are_those_of_enumeration() {
        let (program, mut several) = (empty(), 0);
        for seed in 0..150 {
            let (mut sym, mut random) = (Sym::new(&program), Random::new(seed));
            let symbols = symbols(&mut sym, 3);
            let mut some = |count: u64| -> Vec<TermId> {
                (0..count).map(|_| condition(&mut sym, &symbols, &mut random)).collect()
            };
            let (conditions, terms) = (some(seed % 3), some(1 + seed % 4));
            let mut expected: BTreeSet<Valuation> = BTreeSet::new();
            for number in 0..512u128 {
                let mut model = Assignment::new();
                for (i, symbol) in symbols.iter().enumerate() {
                    let symbol = sym.terms.as_symbol(*symbol).unwrap();
                    model.set(symbol, Value::Bv(BitVec::new(WIDTH, number >> (3 * i) & 7)));
                }
                let mut evaluator = Evaluator::new(&model);
                if conditions.iter().all(|one| evaluator.holds(&sym.terms, *one)) {
                    expected.insert(terms.iter().map(|one| evaluator.holds(&sym.terms, *one)).collect());
                }
            }
            // The conditions of a path are feasible.
            if expected.is_empty() {
                continue;
            }
            several += u32::from(expected.len() > 1);
            let mut valuations = Valuations::new(&AbstractionTuning::DEFAULT);
            let found = valuations.enumerate(&mut sym, &mut new_feasibility(), &conditions, &terms).unwrap();
            assert_eq!(found.len(), expected.len(), "seed {seed}: each once");
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "seed {seed}");
        }
        assert!(several > 80, "{several} had more than one valuation");
    }
}
