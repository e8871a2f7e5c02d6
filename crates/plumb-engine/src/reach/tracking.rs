//! Which domain tracks what the refiner has chosen, and since when.

use super::abstraction::Combined;
use super::domain::Product;
use crate::predicates::precision::as_equation;
use crate::predicates::refinement::{LoopPredicate, Refiner};
use crate::predicates::vocabulary::Vocabulary;
use plumb_sym::Sym;
use plumb_term::Sort;
use rustc_hash::FxHashMap;

/// Since when domains track what the refiner has chosen.
#[derive(Default)]
pub struct Tracking {
    /// Changes of the precision so far.
    pub stamp: u32,
    since: FxHashMap<LoopPredicate, u32>,
}

impl Tracking {
    /// Hands what the refiner has chosen for a loop head to the domains: a variable that was compared with a constant to the
    /// value domain, unless it had too many values; everything else to the predicate domain. Whether that is new.
    pub fn track(
        &mut self,
        sym: &mut Sym,
        domain: &mut Combined,
        (refiner, vocabulary): (&Refiner, &mut Vocabulary),
        (key, predicate): LoopPredicate,
    ) -> bool {
        let Product(_, Product(values, predicates)) = domain;
        let is_predicate = sym.terms.sort(predicate) == Sort::Bool;
        // The refiner chooses variables themselves too.
        let variable = as_equation(&sym.terms, predicate).map_or(predicate, |(variable, _)| variable);
        let variable = Some(variable).filter(|variable| matches!(sym.terms.sort(*variable), Sort::Bv(_)));
        let is_new = match variable {
            Some(variable) if !values.is_given_up(key, variable) => {
                let compared = || refiner.compared_values(sym, vocabulary, (key, variable)).into_iter().collect();
                values.track(key, variable, compared)
            }
            _ => is_predicate && predicates.add(key, predicate),
        };
        if is_new {
            self.stamp += 1;
        }
        let stamp = self.stamp;
        for term in [Some(predicate), variable].into_iter().flatten() {
            let since = self.since.entry((key, term)).or_insert(stamp);
            if is_new {
                *since = stamp;
            }
        }
        is_new
    }

    /// Whether something was tracked after so many changes of the precision, or is not tracked yet.
    pub fn is_newer(&self, one: &LoopPredicate, stamp: u32) -> bool {
        self.since.get(one).is_none_or(|since| *since > stamp)
    }
}
