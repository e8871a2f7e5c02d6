//! The value domain: the values of some variables (explicit-value analysis with refinement: Beyer and Löwe 2013).
//!
//! An abstract state gives each tracked part of the program's state a constant, or nothing. The tracked parts of a loop head are
//! its precision: refinement adds those of which it has asked whether they equal a constant, since the next counterexample would ask for the
//! next constant. The solver enumerates the values that a block leaves. Where there are too many at once, the values that the
//! program compares the part with are distinguished, and from all others; a part that has ever more of them is a counter and no state variable, and is given up for the
//! predicate domain.
//!
//! **Soundness.** The solver's: enumeration ends when no other values are possible.

use super::super::block::EntryId;
use super::super::domain::{Domain, Post, Queries};
use super::super::graph::{EdgeId, Entry};
use super::super::tuning::ValueTuning;
use crate::answer::WhyUnknown;
use crate::predicates::refinement::TrackedValues;
use plumb_ir::analysis::loops::LoopKey;
use plumb_solve::Outcome;
use plumb_sym::{State, Sym};
use plumb_term::{Evaluator, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What is known of a tracked part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Known {
    /// Its value, a constant.
    Is(TermId),
    /// It is none of the constants that the program compares it with.
    Other,
}

/// By tracked part, what is known of it, if anything.
pub type Values = Box<[Option<Known>]>;

struct Tracked {
    symbol: TermId,
    /// The constants that the program compares it with.
    compared: Vec<TermId>,
    /// Values that were seen at the loop head.
    seen: FxHashSet<TermId>,
    is_given_up: bool,
}

pub struct ValueDomain {
    tuning: ValueTuning,
    precision: FxHashMap<LoopKey, Vec<Tracked>>,
    instances: FxHashMap<(Site, TermId), Option<TermId>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Site {
    Entry(EntryId),
    Edge(EdgeId),
}

impl ValueDomain {
    pub fn new(tuning: &ValueTuning) -> ValueDomain {
        ValueDomain { tuning: *tuning, precision: FxHashMap::default(), instances: FxHashMap::default() }
    }

    /// Entries are others from now on; the precision stays.
    pub fn forget_entries(&mut self) {
        self.instances.clear();
    }

    /// Whether a part is tracked at a loop head, or was and has been given up.
    fn find(&self, key: LoopKey, symbol: TermId) -> Option<&Tracked> {
        self.precision.get(&key)?.iter().find(|one| one.symbol == symbol)
    }

    pub fn is_given_up(&self, key: LoopKey, symbol: TermId) -> bool {
        self.find(key, symbol).is_some_and(|one| one.is_given_up)
    }

    /// Whether parts are tracked at a loop head.
    pub fn has_precision(&self, key: LoopKey) -> bool {
        self.precision.get(&key).is_some_and(|list| list.iter().any(|one| !one.is_given_up))
    }

    /// All tracked parts, and those that were given up.
    pub fn tracked_values(&self) -> TrackedValues {
        let mut values = TrackedValues::default();
        for (key, one) in self.precision.iter().flat_map(|(key, list)| list.iter().map(|one| (*key, one))) {
            let set = if one.is_given_up { &mut values.given_up } else { &mut values.tracked };
            set.insert((key, one.symbol));
        }
        values
    }

    /// Tracks a part, unless it was given up. Whether that is new.
    pub fn track(&mut self, key: LoopKey, symbol: TermId, compared: impl FnOnce() -> Vec<TermId>) -> bool {
        let is_new = self.find(key, symbol).is_none();
        if is_new {
            let compared = compared();
            let tracked = Tracked { symbol, compared, seen: FxHashSet::default(), is_given_up: false };
            self.precision.entry(key).or_default().push(tracked);
        }
        is_new
    }

    fn give_up(&mut self, key: LoopKey, at: usize) {
        if let Some(one) = self.precision.get_mut(&key).and_then(|list| list.get_mut(at)) {
            one.is_given_up = true;
        }
    }

    /// Whether a part is tracked, and an abstract state does not say which value it has.
    pub fn is_vague(&self, (key, symbol): (LoopKey, TermId), values: &Values) -> bool {
        let place = self.precision.get(&key).and_then(|list| list.iter().position(|one| one.symbol == symbol));
        let tracked = place.filter(|at| !self.precision[&key][*at].is_given_up);
        tracked.is_some_and(|at| !matches!(values.get(at), Some(Some(Known::Is(_)))))
    }

    /// Does not track the value of a part any more.
    pub fn give_up_symbol(&mut self, key: LoopKey, symbol: TermId) {
        let place = self.precision.get(&key).and_then(|list| list.iter().position(|one| one.symbol == symbol));
        if let Some(at) = place {
            self.give_up(key, at);
        }
    }

    /// By tracked part, its value in a state; `None` where it was given up or the state has no such part.
    fn instances(&mut self, queries: &mut Queries, site: Site, key: LoopKey, state: &State) -> Vec<Option<TermId>> {
        let Queries { sym, vocabulary, .. } = queries;
        let mut found = Vec::new();
        for one in self.precision.get(&key).into_iter().flatten() {
            let instance = self.instances.entry((site, one.symbol));
            let instance = *instance.or_insert_with(|| vocabulary.instantiate(sym, one.symbol, state));
            found.push(instance.filter(|_| !one.is_given_up));
        }
        found
    }

    /// The values that parts can have together. Of parts that are `classified` only whether they have one of the values that they
    /// are compared with. Or the part that has too many.
    fn enumerate(
        &self,
        queries: &mut Queries,
        (key, conditions): (LoopKey, &[TermId]),
        instances: &[Option<TermId>],
        classified: &BTreeSet<usize>,
    ) -> Result<Result<Vec<Values>, usize>, WhyUnknown> {
        let Queries { sym, feasibility, .. } = queries;
        let open: Vec<(usize, TermId)> = instances
            .iter()
            .enumerate()
            .filter_map(|(at, term)| Some((at, (*term)?)))
            .filter(|(_, term)| !sym.terms.is_const(*term))
            .collect();
        let constant = |term: &Option<TermId>| term.filter(|term| sym.terms.is_const(*term)).map(Known::Is);
        let constants: Values = instances.iter().map(constant).collect();
        if open.is_empty() {
            return Ok(Ok(vec![constants]));
        }
        let tracked = self.precision.get(&key).map_or(&[][..], |list| list);
        let mut found: Vec<Values> = Vec::new();
        let mut seen: Vec<FxHashSet<TermId>> = vec![FxHashSet::default(); instances.len()];
        let mut conditions = conditions.to_vec();
        loop {
            match feasibility.solver.check(sym, &conditions, None) {
                Outcome::Unsat => return Ok(Ok(found)),
                Outcome::Unknown(why) => return Err(why.into()),
                Outcome::Sat => {}
            }
            let Some(model) = feasibility.solver.model() else {
                return Err(WhyUnknown::no_model());
            };
            let mut evaluator = Evaluator::new(model);
            let values: Vec<_> = open.iter().map(|(_, term)| evaluator.value(&sym.terms, *term)).collect();
            let mut element = constants.clone();
            let mut differs = Vec::with_capacity(open.len());
            for ((at, term), value) in open.iter().zip(&values) {
                let value = sym.terms.value(value);
                let compared = &tracked[*at].compared;
                let known = match classified.contains(at) && !compared.contains(&value) {
                    true => Known::Other,
                    false => Known::Is(value),
                };
                element[*at] = Some(known);
                seen[*at].insert(value);
                if seen[*at].len() > self.tuning.max_values_at_once && !classified.contains(at) {
                    return Ok(Err(*at));
                }
                let same = condition(sym, *term, known, compared);
                differs.push(sym.terms.not(same));
            }
            found.push(element);
            conditions.push(sym.terms.or_all(differs));
            if found.len() > self.tuning.max_successors {
                let most = (0..seen.len()).max_by_key(|at| seen[*at].len()).unwrap_or(0);
                return Ok(Err(most));
            }
            if feasibility.solver.is_out_of_time() {
                return Err(WhyUnknown::Timeout);
            }
        }
    }

    /// What values say of the instances of parts.
    fn conditions(
        &self,
        queries: &mut Queries,
        key: LoopKey,
        instances: &[Option<TermId>],
        values: &Values,
    ) -> Vec<TermId> {
        let tracked = self.precision.get(&key).into_iter().flatten();
        let all = tracked.zip(instances.iter().zip(values.iter()));
        let all = all.filter_map(|(one, (term, known))| Some((one, (*term)?, (*known)?)));
        all.map(|(one, term, known)| condition(queries.sym, term, known, &one.compared)).collect()
    }
}

/// What is known of a part, as a condition.
fn condition(sym: &mut Sym, term: TermId, known: Known, compared: &[TermId]) -> TermId {
    match known {
        Known::Is(value) => sym.terms.eq(term, value),
        Known::Other => {
            let none: Vec<TermId> = compared.iter().map(|value| sym.terms.ne(term, *value)).collect();
            sym.terms.and_all(none)
        }
    }
}

impl Domain for ValueDomain {
    type Element = Values;

    fn start(&self) -> Values {
        Box::new([])
    }

    fn transfer(&mut self, queries: &mut Queries, post: &Post) -> Result<Vec<Values>, WhyUnknown> {
        let Some(key) = post.to.key else { return Ok(vec![self.start()]) };
        let mut instances = self.instances(queries, Site::Edge(post.edge), key, post.state);
        let mut classified = BTreeSet::new();
        let found = loop {
            match self.enumerate(queries, (key, post.conditions), &instances, &classified)? {
                Ok(found) => break found,
                // It may be anything as far as is known here.
                Err(at) => {
                    if !classified.insert(at) || self.precision[&key][at].compared.is_empty() {
                        instances[at] = None;
                    }
                }
            }
        };
        let tracked = self.precision.entry(key).or_default();
        let mut counters = BTreeSet::new();
        for (at, value) in found.iter().flat_map(|one| one.iter().enumerate()) {
            if let Some(Known::Is(value)) = value
                && tracked[at].seen.insert(*value)
                && tracked[at].seen.len() > self.tuning.max_values
            {
                counters.insert(at);
            }
        }
        for at in counters {
            self.give_up(key, at);
        }
        Ok(found)
    }

    fn post_condition(&mut self, queries: &mut Queries, post: &Post, element: &Values) -> Vec<TermId> {
        let Some(key) = post.to.key else { return Vec::new() };
        let instances = self.instances(queries, Site::Edge(post.edge), key, post.state);
        self.conditions(queries, key, &instances, element)
    }

    fn merge(&self, _: &Values, _: &Values) -> Option<Values> {
        None
    }

    fn covers(&self, reached: &Values, element: &Values) -> bool {
        let known = |at: usize| element.get(at).copied().flatten();
        reached.iter().enumerate().all(|(at, value)| value.is_none() || *value == known(at))
    }

    fn condition(&mut self, queries: &mut Queries, entry: &Entry, element: &Values) -> Vec<TermId> {
        let Some(key) = entry.key else { return Vec::new() };
        // What was known of a part before it was given up is still so.
        let symbols: Vec<TermId> = self.precision.get(&key).into_iter().flatten().map(|one| one.symbol).collect();
        let mut instances = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            let Queries { sym, vocabulary, .. } = queries;
            let instance = self.instances.entry((Site::Entry(entry.id), symbol));
            instances.push(*instance.or_insert_with(|| vocabulary.instantiate(sym, symbol, &entry.state)));
        }
        self.conditions(queries, key, &instances, element)
    }

    fn predicates(&mut self, queries: &mut Queries, entry: &Entry, element: &Values) -> Vec<(TermId, bool)> {
        let Some(key) = entry.key else { return Vec::new() };
        let mut found = Vec::new();
        for (one, known) in self.precision.get(&key).into_iter().flatten().zip(element.iter()) {
            let terms = &mut queries.sym.terms;
            match known {
                None => {}
                Some(Known::Is(value)) => found.push((terms.eq(one.symbol, *value), true)),
                Some(Known::Other) => {
                    found.extend(one.compared.iter().map(|value| (terms.eq(one.symbol, *value), false)));
                }
            }
        }
        found
    }
}
