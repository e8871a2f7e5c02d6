//! Refinement: predicates that exclude an abstract counterexample.
//!
//! **Idea.** The counterexample's way is gone once more, from entry to entry as it was followed: its points are *cuts* ([`super::way`]).
//! A candidate ([`super::candidates`]) is worth something if *no* choice of values gets through once it is among the
//! predicates: all candidates are tried together, and the solver's core names those that it takes. They are thinned out one
//! by one. That is a sequence interpolant with the vocabulary of the candidates: what the predicates' values can be at each
//! cut ([`super::interpolants`]). Others that the next counterexamples would ask for come along.
//!
//! Where no candidate helps, thresholds rise.
//!
//! **Soundness.** Whatever the predicates are, the tree has all runs: a poor choice costs time, and a counterexample that stays
//! is an UNKNOWN.

use super::candidates::{Candidate, OWN, Plan, Sources, is_about};
use super::explore::Explorer;
use super::interpolants;
use super::points::EntryId;
use super::way::{Cut, Spurious, Way};
use crate::facts::Fact;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_term::{BinaryOp, Kind, SymbolId, TermId, Terms, free_symbols};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Values of one part that are told apart at once.
const MOST_ALIKE: usize = 64;
/// Parts of a location that make it a machine with a state of many parts, and those that it gets at once.
const MANY_PARTS: usize = 3;
const MOST_TOGETHER: usize = 8;
/// Predicates of the same symbols before what held in runs is preferred.
const PATIENCE: u32 = 3;

pub struct Refiner {
    sources: Sources,
    /// How often locations have got predicates of the same symbols.
    refined: FxHashMap<(LoopKey, Vec<SymbolId>), u32>,
}

impl Refiner {
    pub fn new(analyses: &Analyses) -> Refiner {
        Refiner { sources: Sources::new(analyses), refined: FxHashMap::default() }
    }

    /// Makes the precision finer. Gives the entries whose precision has changed, the first on the way first.
    pub fn refine(&mut self, explorer: &mut Explorer, spurious: &Spurious) -> Vec<EntryId> {
        let _span = tracing::info_span!("refinement").entered();
        let way = Way::of(explorer, spurious);
        // Looking at runs takes its time.
        for plan in [Plan::Quick, Plan::Thorough] {
            let candidates = self.sources.candidates(explorer, spurious, &way, plan);
            let Some(mut chosen) = way.choose(explorer, &candidates) else { continue };
            if self.is_slow(explorer, &chosen) {
                let candidates = self.sources.candidates(explorer, spurious, &way, Plan::RunsFirst);
                chosen = way.choose(explorer, &candidates).unwrap_or(chosen);
            }
            let mut alike = self.alike(explorer, &chosen);
            let together = self.together(explorer, &chosen, &candidates);
            alike.extend(self.alike(explorer, &together));
            alike.extend(together);
            if let Some(precision) = &mut explorer.precision {
                for (key, predicate) in chosen.iter().chain(&alike) {
                    precision.add(*key, *predicate, &mut explorer.sym);
                }
            }
            debug_assert!(interpolants::check(explorer, &way, &chosen), "an interpolant's triple does not hold");
            let lacks = |cut: &Cut| {
                let has = &explorer.points.entry(cut.entry).predicates;
                chosen.iter().any(|(key, predicate)| *key == cut.key && !has.contains(predicate))
            };
            let entries = way.entries(lacks);
            if !entries.is_empty() {
                return entries;
            }
        }
        // Paths that were joined may be what lets it through.
        let together = |cut: &Cut| explorer.points.entry(cut.entry).arrivals.len() > 1;
        let entries = way.entries(together);
        if !entries.is_empty() {
            explorer.apart.extend(entries.iter().map(|entry| explorer.points.entry(*entry).key));
            return entries;
        }
        self.raise_thresholds(explorer, &way)
    }

    /// Notes that predicates were chosen. Whether they are of symbols that got others again and again: each may exclude one
    /// path only, and what held in all runs may be what is missing.
    fn is_slow(&mut self, explorer: &Explorer, chosen: &[(LoopKey, TermId)]) -> bool {
        let mut is_slow = false;
        for (key, predicate) in chosen {
            let is_known = explorer.precision.as_ref().is_some_and(|p| p.predicates(*key).contains(predicate));
            if !is_known {
                let symbols = free_symbols(&explorer.sym.terms, &[*predicate]);
                let count = self.refined.entry((*key, symbols)).or_default();
                *count += 1;
                is_slow |= *count > PATIENCE;
            }
        }
        is_slow
    }

    /// Where a part is asked for one value, the others that the program asks it for: it is a state that the program goes
    /// through, and the next path would ask for the next of them. Parts that were chosen together share their values.
    fn alike(&self, explorer: &mut Explorer, chosen: &[(LoopKey, TermId)]) -> Vec<(LoopKey, TermId)> {
        let mut parts: Vec<(LoopKey, TermId)> = Vec::new();
        let mut values: BTreeSet<TermId> = BTreeSet::new();
        for (key, predicate) in chosen {
            let Some((part, _)) = equation(&explorer.sym.terms, *predicate) else { continue };
            parts.push((*key, part));
            let Some(held) = explorer.vocabulary.parts(&mut explorer.sym, key.0, part) else { continue };
            let template = explorer.vocabulary.state(&mut explorer.sym, key.0);
            for known in self.sources.asked_in(key.0) {
                if matches!(known, Fact::OneOf(..))
                    && is_about(known, &held)
                    && let Some(term) = known.term(&mut explorer.sym, &template)
                    && let Some((of, value)) = equation(&explorer.sym.terms, term)
                    && of == part
                {
                    values.insert(value);
                }
            }
        }
        let terms = &mut explorer.sym.terms;
        let mut alike = Vec::new();
        for (key, part) in parts {
            let fitting = values.iter().filter(|value| terms.sort(**value) == terms.sort(part)).copied();
            let fitting: Vec<TermId> = fitting.take(MOST_ALIKE).collect();
            alike.extend(fitting.into_iter().map(|value| (key, terms.eq(part, value))));
        }
        alike
    }

    /// Where several parts of a location are asked for values, it is a machine whose state has many parts: of one more path, all
    /// the parts that it asks for values.
    fn together(
        &self,
        explorer: &Explorer,
        chosen: &[(LoopKey, TermId)],
        candidates: &[Candidate],
    ) -> Vec<(LoopKey, TermId)> {
        let terms = &explorer.sym.terms;
        let part = |predicate: &TermId| equation(terms, *predicate).map(|(part, _)| part);
        let mut together = Vec::new();
        let mut keys: Vec<LoopKey> =
            chosen.iter().filter(|(_, predicate)| part(predicate).is_some()).map(|(key, _)| *key).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            let has = explorer.precision.as_ref().map_or(&[][..], |p| p.predicates(key));
            let mut parts: BTreeSet<TermId> = has.iter().filter_map(part).collect();
            if parts.len() < MANY_PARTS {
                continue;
            }
            let own = candidates.iter().filter(|c| c.key == key && c.stage == OWN && c.step > 0);
            for (part, candidate) in own.filter_map(|c| Some((part(&c.term)?, c))) {
                if parts.insert(part) {
                    together.push((key, candidate.term));
                }
            }
        }
        together.truncate(MOST_TOGETHER);
        together
    }

    /// Nothing helps: the loops on the way are followed further before they are abstracted.
    fn raise_thresholds(&self, explorer: &mut Explorer, way: &Way) -> Vec<EntryId> {
        for cut in &way.cuts {
            let arrivals = &explorer.points.entry(cut.entry).arrivals;
            let heads = arrivals.iter().filter_map(|arrival| arrival.head());
            let visits = heads.map(|around| around.counted).max().unwrap_or(0);
            if let Some(precision) = &mut explorer.precision {
                let precision = precision.of(cut.key);
                precision.threshold = precision.threshold.max(visits + 1);
            }
        }
        way.entries(|_| true)
    }
}

/// A symbol that is to be equal to a constant, and the constant.
pub fn equation(terms: &Terms, predicate: TermId) -> Option<(TermId, TermId)> {
    let Kind::Binary(BinaryOp::Eq, a, b) = terms.kind(predicate) else { return None };
    let (part, value) = if terms.is_const(a) { (b, a) } else { (a, b) };
    (terms.is_const(value) && terms.as_symbol(part).is_some()).then_some((part, value))
}
