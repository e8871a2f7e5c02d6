//! The value domain: the values of some variables (explicit-value analysis with refinement: Beyer and Löwe 2013).
//!
//! An abstract state gives each tracked part of the program's state a constant, or nothing. The tracked parts of a loop head are
//! its precision: refinement adds those of which it has asked whether they equal a constant, since the next counterexample would ask for the
//! next constant. The solver enumerates the values that a block leaves; a part that has too many of them is a counter and no
//! state variable, and is given up for the predicate domain.
//!
//! **Soundness.** The solver's: enumeration ends when no other values are possible.

use super::super::block::EntryId;
use super::super::domain::{Domain, Post, Queries};
use super::super::graph::{EdgeId, Entry};
use super::super::tuning::ValueTuning;
use crate::answer::WhyUnknown;
use plumb_ir::analysis::loops::LoopKey;
use plumb_solve::Outcome;
use plumb_sym::State;
use plumb_term::{Evaluator, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// By tracked part: its value, as a constant.
pub type Values = Box<[Option<TermId>]>;

struct Tracked {
    symbol: TermId,
    /// Values that were seen at the loop head.
    seen: FxHashSet<TermId>,
    is_given_up: bool,
}

pub struct ValueDomain {
    tuning: ValueTuning,
    precision: FxHashMap<LoopKey, Vec<Tracked>>,
    instances: FxHashMap<(Site, TermId), Option<TermId>>,
    /// Parts that were given up and not reported yet.
    given_up: Vec<(LoopKey, TermId)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Site {
    Entry(EntryId),
    Edge(EdgeId),
}

impl ValueDomain {
    pub fn new(tuning: &ValueTuning) -> ValueDomain {
        ValueDomain {
            tuning: *tuning,
            precision: FxHashMap::default(),
            instances: FxHashMap::default(),
            given_up: Vec::new(),
        }
    }

    /// Whether a part is tracked at a loop head, or was and has been given up.
    fn find(&self, key: LoopKey, symbol: TermId) -> Option<&Tracked> {
        self.precision.get(&key)?.iter().find(|one| one.symbol == symbol)
    }

    pub fn is_given_up(&self, key: LoopKey, symbol: TermId) -> bool {
        self.find(key, symbol).is_some_and(|one| one.is_given_up)
    }

    /// Tracks a part, unless it was given up. Whether that is new.
    pub fn track(&mut self, key: LoopKey, symbol: TermId) -> bool {
        let is_new = self.find(key, symbol).is_none();
        if is_new {
            let tracked = Tracked { symbol, seen: FxHashSet::default(), is_given_up: false };
            self.precision.entry(key).or_default().push(tracked);
        }
        is_new
    }

    /// Parts that were given up since the last time.
    pub fn take_given_up(&mut self) -> Vec<(LoopKey, TermId)> {
        std::mem::take(&mut self.given_up)
    }

    fn give_up(&mut self, key: LoopKey, at: usize) {
        if let Some(one) = self.precision.get_mut(&key).and_then(|list| list.get_mut(at)) {
            one.is_given_up = true;
            self.given_up.push((key, one.symbol));
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

    /// The values that parts can have together; or the part that has too many.
    fn enumerate(
        &self,
        queries: &mut Queries,
        conditions: &[TermId],
        instances: &[Option<TermId>],
    ) -> Result<Result<Vec<Values>, usize>, WhyUnknown> {
        let Queries { sym, feasibility, .. } = queries;
        let open: Vec<(usize, TermId)> = instances
            .iter()
            .enumerate()
            .filter_map(|(at, term)| Some((at, (*term)?)))
            .filter(|(_, term)| !sym.terms.is_const(*term))
            .collect();
        let constants: Values = instances.iter().map(|term| term.filter(|term| sym.terms.is_const(*term))).collect();
        if open.is_empty() {
            return Ok(Ok(vec![constants]));
        }
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
                return Err(WhyUnknown::Solver("the solver gave no model of a satisfiable query".to_string()));
            };
            let mut evaluator = Evaluator::new(model);
            let values: Vec<_> = open.iter().map(|(_, term)| evaluator.value(&sym.terms, *term)).collect();
            let mut element = constants.clone();
            let mut differs = Vec::with_capacity(open.len());
            for ((at, term), value) in open.iter().zip(&values) {
                let value = sym.terms.value(value);
                element[*at] = Some(value);
                seen[*at].insert(value);
                if seen[*at].len() > self.tuning.max_values {
                    return Ok(Err(*at));
                }
                differs.push(sym.terms.ne(*term, value));
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

    fn equations(&self, queries: &mut Queries, instances: &[Option<TermId>], values: &Values) -> Vec<TermId> {
        let pairs = instances.iter().zip(values.iter()).filter_map(|(term, value)| Some(((*term)?, (*value)?)));
        let pairs: Vec<(TermId, TermId)> = pairs.collect();
        pairs.into_iter().map(|(term, value)| queries.sym.terms.eq(term, value)).collect()
    }
}

impl Domain for ValueDomain {
    type Element = Values;

    fn start(&self) -> Values {
        Box::new([])
    }

    fn transfer(&mut self, queries: &mut Queries, post: &Post) -> Result<Vec<Values>, WhyUnknown> {
        let Some(key) = post.to.key else { return Ok(vec![self.start()]) };
        loop {
            let instances = self.instances(queries, Site::Edge(post.edge), key, post.state);
            match self.enumerate(queries, post.conditions, &instances)? {
                Err(at) => self.give_up(key, at),
                Ok(found) => {
                    let max_values = self.tuning.max_values;
                    let tracked = self.precision.entry(key).or_default();
                    let mut too_many = None;
                    for (at, value) in found.iter().flat_map(|one| one.iter().enumerate()) {
                        if let Some(value) = value {
                            tracked[at].seen.insert(*value);
                            too_many = too_many.or((tracked[at].seen.len() > max_values).then_some(at));
                        }
                    }
                    match too_many {
                        Some(at) => self.give_up(key, at),
                        None => return Ok(found),
                    }
                }
            }
        }
    }

    fn post_condition(&mut self, queries: &mut Queries, post: &Post, element: &Values) -> Vec<TermId> {
        let Some(key) = post.to.key else { return Vec::new() };
        let instances = self.instances(queries, Site::Edge(post.edge), key, post.state);
        self.equations(queries, &instances, element)
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
        let mut found = Vec::new();
        let symbols: Vec<TermId> = self.precision.get(&key).into_iter().flatten().map(|one| one.symbol).collect();
        for (symbol, value) in symbols.into_iter().zip(element.iter()) {
            let Queries { sym, vocabulary, .. } = queries;
            let instance = self.instances.entry((Site::Entry(entry.id), symbol));
            let instance = *instance.or_insert_with(|| vocabulary.instantiate(sym, symbol, &entry.state));
            if let Some((instance, value)) = instance.zip(*value) {
                found.push(sym.terms.eq(instance, value));
            }
        }
        found
    }

    fn predicates(&mut self, queries: &mut Queries, entry: &Entry, element: &Values) -> Vec<(TermId, bool)> {
        let Some(key) = entry.key else { return Vec::new() };
        let tracked = self.precision.get(&key).into_iter().flatten();
        let pairs: Vec<(TermId, TermId)> =
            tracked.zip(element.iter()).filter_map(|(one, value)| Some((one.symbol, (*value)?))).collect();
        pairs.into_iter().map(|(symbol, value)| (queries.sym.terms.eq(symbol, value), true)).collect()
    }
}
