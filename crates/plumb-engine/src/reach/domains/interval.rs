//! The interval domain: bounds of registers, from the interval analysis of the program.
//!
//! The analysis has found a range for each register at each location, for all runs at once. An abstract state is the set of
//! those bounds that hold in it. The transfer shows each bound again: so a proof does not rest on the analysis, and its
//! certificate contains the bounds as facts like others. Merge keeps what both have.
//!
//! **Soundness.** A bound is part of an abstract state only if the solver shows it at the end of the block.

use super::super::block::EntryId;
use super::super::domain::{Domain, Post, Queries};
use super::super::graph::Entry;
use crate::answer::{StatePart, WhyUnknown};
use crate::facts::Quantity;
use crate::facts::suggest::of_interval;
use plumb_ir::analysis::Analyses;
use plumb_ir::program::VarRef;
use plumb_term::{Evaluator, TermId};
use rustc_hash::FxHashMap;

/// By bound of the entry, whether it is known to hold.
pub type Bounds = Box<[bool]>;

pub struct IntervalDomain<'a> {
    analyses: &'a Analyses,
    max_bounds: usize,
    /// The bounds of entries, in the symbols of predicates.
    bounds: FxHashMap<EntryId, Vec<TermId>>,
}

impl<'a> IntervalDomain<'a> {
    /// Of each entry there are at most so many bounds: each transfer has to show them.
    pub fn new(analyses: &'a Analyses, max_bounds: usize) -> IntervalDomain<'a> {
        IntervalDomain { analyses, max_bounds, bounds: FxHashMap::default() }
    }

    /// Entries are others from now on.
    pub fn forget_entries(&mut self) {
        self.bounds.clear();
    }

    /// The bounds of what an entry has havocked; what it has not is known anyway.
    fn bounds(&mut self, queries: &mut Queries, entry: &Entry) -> Vec<TermId> {
        if let Some(known) = self.bounds.get(&entry.id) {
            return known.clone();
        }
        let mut found = Vec::new();
        if let (Some(key), Some(intervals)) = (entry.key, self.analyses.intervals()) {
            let shape = self.analyses.shape(key.0);
            let head = entry.state.loc;
            let template = queries.vocabulary.template_state(queries.sym, key.0);
            let is_live = |var: &VarRef| matches!(var, VarRef::Global(_)) || shape.live.is_live(head, *var);
            for var in entry.havocked.registers.keys().filter(|var| is_live(var)) {
                let Some(value) = intervals.at(key.0, head, *var) else { continue };
                let quantity = Quantity { part: StatePart::Register(*var), width: value.width };
                for fact in of_interval(quantity, &value) {
                    let term = fact.term(queries.sym, &template);
                    found.extend(term.filter(|term| queries.sym.terms.as_bool(*term).is_none()));
                }
            }
        }
        found.truncate(self.max_bounds);
        self.bounds.insert(entry.id, found.clone());
        found
    }
}

impl Domain for IntervalDomain<'_> {
    type Element = Bounds;

    fn start(&self) -> Bounds {
        Box::new([])
    }

    fn transfer(&mut self, queries: &mut Queries, post: &Post) -> Result<Vec<Bounds>, WhyUnknown> {
        let bounds = self.bounds(queries, post.to);
        let mut holds = vec![true; bounds.len()];
        let Queries { sym, feasibility, vocabulary, .. } = queries;
        let mut open: Vec<(usize, TermId)> = Vec::new();
        let mut intervals = feasibility.intervals(sym, post.conditions);
        for (at, bound) in bounds.iter().enumerate() {
            let instance = vocabulary.instantiate(sym, *bound, post.state).unwrap_or(TermId::bool(false));
            if intervals.truth(&sym.terms, instance) != Some(true) {
                open.push((at, instance));
            }
        }
        while !open.is_empty() {
            let broken: Vec<TermId> = open.iter().map(|(_, instance)| sym.terms.not(*instance)).collect();
            let broken = sym.terms.or_all(broken);
            let Err(model) = feasibility.refute(sym, post.conditions, broken) else { break };
            // Without a model nobody knows which of them is broken.
            let mut evaluator = model.as_ref().map(Evaluator::new);
            let mut is_broken = |instance| evaluator.as_mut().is_none_or(|one| !one.holds(&sym.terms, instance));
            open.retain(|(at, instance)| {
                holds[*at] = !is_broken(*instance);
                holds[*at]
            });
        }
        Ok(vec![holds.into()])
    }

    /// The conditions imply the bounds.
    fn post_condition(&mut self, _: &mut Queries, _: &Post, _: &Bounds) -> Vec<TermId> {
        Vec::new()
    }

    fn merge(&self, a: &Bounds, b: &Bounds) -> Option<Bounds> {
        Some(a.iter().zip(b.iter()).map(|(x, y)| *x && *y).collect())
    }

    fn covers(&self, reached: &Bounds, element: &Bounds) -> bool {
        reached.iter().zip(element.iter()).all(|(reached, holds)| !reached || *holds)
    }

    fn condition(&mut self, queries: &mut Queries, entry: &Entry, element: &Bounds) -> Vec<TermId> {
        let bounds = self.bounds(queries, entry);
        let Queries { sym, vocabulary, .. } = queries;
        let known = bounds.into_iter().zip(element.iter()).filter(|(_, holds)| **holds);
        known.filter_map(|(bound, _)| vocabulary.instantiate(sym, bound, &entry.state)).collect()
    }

    fn predicates(&mut self, queries: &mut Queries, entry: &Entry, element: &Bounds) -> Vec<(TermId, bool)> {
        let bounds = self.bounds(queries, entry);
        bounds.into_iter().zip(element.iter()).filter(|(_, holds)| **holds).map(|(bound, _)| (bound, true)).collect()
    }
}
