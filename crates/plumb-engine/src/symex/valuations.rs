//! The abstract states of a path: which values predicates can have together under conditions.
//!
//! Most predicates have nothing to do with each other: no condition ties the numbers that they are about. Each group of those that have is
//! looked at on its own, and every combination of what they can be is possible. What intervals decide is no question; a
//! group about one number is answered by the ranges of its values; of others the solver is asked for one combination after
//! the other, and the answer is remembered.
//!
//! **Soundness.** All combinations that some state on the path has are found. Where the conditions cannot hold at all, there may be some
//! nevertheless: then an abstract state is followed that is none.

use super::explore::{Explorer, Stop};
use super::points::Valuation;
use super::spans::Spans;
use crate::answer::WhyUnknown;
use plumb_solve::Outcome;
use plumb_term::{Evaluator, TermId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Abstract states that one path may have at a head.
const MOST_VALUATIONS: usize = 1_000;
/// Groups that are remembered.
const MOST_KNOWN: usize = 50_000;

/// The conditions and the terms of a group.
type Asked = (Vec<TermId>, Vec<TermId>);

/// What the terms of groups can be.
#[derive(Default)]
pub struct KnownGroups {
    known: FxHashMap<Asked, Arc<[Valuation]>>,
}

impl Explorer<'_> {
    /// The valuations of terms under conditions that can hold.
    pub fn valuations(&mut self, conditions: &[TermId], terms: &[TermId]) -> Result<Vec<Valuation>, Stop> {
        let mut spans = Spans::under(&self.sym.terms, conditions);
        let truths: Vec<Option<bool>> = terms.iter().map(|term| spans.truth(&self.sym.terms, *term)).collect();
        if spans.are_contradictory {
            return Ok(Vec::new());
        }
        let open: Vec<usize> = (0..terms.len()).filter(|at| truths[*at].is_none()).collect();
        let asked: Vec<TermId> = open.iter().map(|at| terms[*at]).collect();
        let mut all: Vec<Valuation> = vec![truths.iter().map(|truth| truth.unwrap_or(false)).collect()];
        for group in self.questions.groups(&self.sym, conditions, &asked) {
            let members: Vec<TermId> = group.members.iter().map(|at| asked[*at]).collect();
            let choices = match self.questions.split(&self.sym.terms, &group, &members) {
                Some(choices) => choices.into(),
                None => self.choices(group.conditions, members)?,
            };
            if all.len() * choices.len() > MOST_VALUATIONS {
                return Err(too_many());
            }
            let combined = all.iter().flat_map(|one| {
                choices.iter().map(|choice| {
                    let mut both = one.clone();
                    group.members.iter().zip(choice).for_each(|(at, holds)| both[open[*at]] = *holds);
                    both
                })
            });
            all = combined.collect();
        }
        Ok(all)
    }

    /// What terms of one group can be, from the solver.
    fn choices(&mut self, mut conditions: Vec<TermId>, terms: Vec<TermId>) -> Result<Arc<[Valuation]>, Stop> {
        conditions.sort_unstable();
        conditions.dedup();
        let key = (conditions, terms);
        if let Some(known) = self.known_groups.known.get(&key) {
            return Ok(known.clone());
        }
        let (mut conditions, terms) = key.clone();
        let mut found: Vec<Valuation> = Vec::new();
        loop {
            match self.questions.ask(&mut self.sym, &conditions, None) {
                Outcome::Unsat => break,
                Outcome::Unknown(why) => return Err(Stop::Unknown(why.into())),
                Outcome::Sat => {}
            }
            if found.len() >= MOST_VALUATIONS {
                return Err(too_many());
            }
            let Some(model) = self.questions.model() else {
                let why = "the solver's model is none".to_string();
                return Err(Stop::Unknown(WhyUnknown::Solver(why)));
            };
            let mut evaluator = Evaluator::new(model);
            let valuation: Valuation = terms.iter().map(|term| evaluator.holds(&self.sym.terms, *term)).collect();
            let mut other = TermId::bool(false);
            for (term, holds) in terms.iter().zip(&valuation) {
                let differs = if *holds { self.sym.terms.not(*term) } else { *term };
                other = self.sym.terms.or(other, differs);
            }
            found.push(valuation);
            conditions.push(other);
            self.look_at_budget()?;
        }
        let found: Arc<[Valuation]> = found.into();
        if self.known_groups.known.len() >= MOST_KNOWN {
            self.known_groups.known.clear();
        }
        self.known_groups.known.insert(key, found.clone());
        Ok(found)
    }
}

fn too_many() -> Stop {
    Stop::Unknown(WhyUnknown::Solver("a loop has too many abstract states".to_string()))
}
