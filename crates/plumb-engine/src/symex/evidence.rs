//! Evidence of a finished exploration: loop invariants, predicates, and the reached abstract states themselves.
//!
//! Every state at a head that a path can come to is in one of the abstract states that were reached there; for states
//! before the abstraction begins, the valuations of the predicates are computed now. Their disjunction is an invariant. It
//! says less than the reached set, in which an abstract state of an inner loop belongs to one of the loop around it.

use super::abstraction::Abstraction;
use super::path::SymbolicPath;
use super::reached_set::{Entry, PointId, ReachedSet};
use crate::answer::{self, Invariants, LoopEntry, LoopExit, Threshold};
use crate::predicates::Valuation;
use crate::predicates::feasibility::Feasibility;
use crate::predicates::loop_states::{InvariantWriter, LoopStates};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_sym::{State, Sym};
use plumb_term::{Import, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

impl Entry {
    /// The predicates, and the invariants of others: predicates that hold in every abstract state.
    fn all_predicates(&self) -> Vec<TermId> {
        self.predicates.iter().chain(&self.invariants).copied().collect()
    }

    fn all_states(&self) -> Vec<Valuation> {
        self.reached.keys().map(|valuation| self.with_invariants(valuation)).collect()
    }

    fn with_invariants(&self, valuation: &Valuation) -> Valuation {
        valuation.iter().copied().chain(self.invariants.iter().map(|_| true)).collect()
    }
}

/// Visits of loop heads before the abstraction begins there.
pub struct ConcreteVisits {
    max_visits: usize,
    visits: Vec<ConcreteVisit>,
    /// Loops of which visits were left out.
    incomplete: FxHashSet<LoopKey>,
}

struct ConcreteVisit {
    key: LoopKey,
    state: State,
    path_condition: Vec<TermId>,
    point: Option<PointId>,
}

impl ConcreteVisits {
    pub fn new(max_visits: usize) -> ConcreteVisits {
        ConcreteVisits { max_visits, visits: Vec::new(), incomplete: FxHashSet::default() }
    }

    pub fn record(&mut self, key: LoopKey, path: &SymbolicPath) {
        if self.visits.len() >= self.max_visits {
            self.incomplete.insert(key);
            return;
        }
        let (state, path_condition) = (path.state.clone(), path.path_condition());
        self.visits.push(ConcreteVisit { key, state, path_condition, point: path.point });
    }

    /// Whether a loop was visited before its abstraction began.
    fn has_visited(&self, key: LoopKey) -> bool {
        self.incomplete.contains(&key) || self.visits.iter().any(|visit| visit.key == key)
    }

    pub fn clear(&mut self) {
        self.visits.clear();
        self.incomplete.clear();
    }
}

/// The invariants of the abstracted loops; `None` where a loop has more than `max_states` abstract states, or not all of
/// them are known.
pub fn invariants(
    sym: &mut Sym,
    feasibility: &mut Feasibility,
    abstraction: &mut Abstraction,
    reached: &ReachedSet,
    max_states: usize,
) -> Option<Invariants> {
    let mut loops: BTreeMap<LoopKey, LoopStates> = BTreeMap::new();
    for entry in reached.entries() {
        loops.entry(entry.key).or_default().add(entry.all_predicates(), entry.all_states());
    }
    let Abstraction { precision, vocabulary, valuations, concrete_visits, .. } = abstraction;
    if loops.keys().any(|key| concrete_visits.incomplete.contains(key)) {
        return None;
    }
    for visit in std::mem::take(&mut concrete_visits.visits) {
        let Some(states) = loops.get_mut(&visit.key) else { continue };
        if reached.is_removed(visit.point) {
            continue;
        }
        let predicates = precision.predicates(visit.key);
        let instances: Option<Vec<TermId>> =
            predicates.iter().map(|predicate| vocabulary.instantiate(sym, *predicate, &visit.state)).collect();
        let found = valuations.enumerate(sym, feasibility, &visit.path_condition, &instances?).ok()?;
        states.add(predicates.to_vec(), found);
    }
    let mut writer = InvariantWriter::default();
    for (key, states) in loops {
        let facts = (states.len() <= max_states).then(|| states.facts(sym))?;
        let head = abstraction.analyses.shape(key.0).head(key.1);
        writer.write(sym, &mut abstraction.vocabulary, (key.0, head), &facts)?;
    }
    Some(writer.invariants)
}

/// Invariants of those loops that are finished, as predicates: facts about all states that runs have at their heads. Loops that
/// were visited before the abstraction, or have more than `max_states` abstract states, are left out.
pub fn finished_invariants(
    sym: &mut Sym,
    abstraction: &Abstraction,
    reached: &ReachedSet,
    is_finished: impl Fn(LoopKey) -> bool,
    max_states: usize,
) -> Vec<(LoopKey, TermId)> {
    let mut loops: BTreeMap<LoopKey, LoopStates> = BTreeMap::new();
    for entry in reached.entries().filter(|entry| is_finished(entry.key)) {
        loops.entry(entry.key).or_default().add(entry.all_predicates(), entry.all_states());
    }
    loops.retain(|key, states| states.len() <= max_states && !abstraction.concrete_visits.has_visited(*key));
    loops.iter().flat_map(|(key, states)| states.facts(sym).into_iter().map(|fact| (*key, fact))).collect()
}

/// The predicates of all loops, in the form of invariants.
pub fn predicates(sym: &mut Sym, abstraction: &mut Abstraction) -> Invariants {
    let mut all: Vec<(LoopKey, Vec<TermId>)> =
        abstraction.precision.iter().map(|(key, precision)| (key, precision.predicates.clone())).collect();
    all.sort();
    let mut writer = InvariantWriter::default();
    for (key, list) in all {
        // Predicates about parts without a name are left out.
        let head = abstraction.analyses.shape(key.0).head(key.1);
        let _ = writer.write(sym, &mut abstraction.vocabulary, (key.0, head), &list);
    }
    writer.invariants
}

/// An abstract state from which a path came, and how it has left loops since.
type Arrival = (Option<(usize, usize)>, Vec<LoopExit>);

fn exits(analyses: &Analyses, path: &SymbolicPath) -> Vec<LoopExit> {
    let exit = |(key, iterations): (&LoopKey, &u32)| {
        let head = analyses.shape(key.0).head(key.1);
        LoopExit { func: key.0, head, iterations: *iterations }
    };
    path.exits.iter().map(exit).collect()
}

/// The abstract states of the finished tree, each with those from which paths came to its entry.
pub fn reached_states(
    sym: &mut Sym,
    abstraction: &mut Abstraction,
    reached: &ReachedSet,
    bound: u32,
) -> answer::ReachedSet {
    let mut set = answer::ReachedSet { bound, ..Default::default() };
    let (mut import, mut known) = (Import::new(), FxHashSet::default());
    // Where points are in the set.
    let mut index_of: FxHashMap<PointId, (usize, usize)> = FxHashMap::default();
    for entry in reached.entries() {
        let key = entry.key;
        let mut states: Vec<(Valuation, PointId)> =
            entry.reached.iter().map(|(valuation, one)| (entry.with_invariants(valuation), one.point)).collect();
        states.sort();
        let mut arrivals: Vec<Arrival> = Vec::new();
        for arrival in &entry.arrivals {
            // An entry that is not removed has no arrival from a removed point.
            let from = arrival.point.and_then(|point| index_of.get(&point).copied());
            let exits = exits(abstraction.analyses, arrival);
            if !arrivals.contains(&(from, exits.clone())) {
                arrivals.push((from, exits));
            }
        }
        let (arrivals, exits) = arrivals.into_iter().unzip();
        let head = abstraction.analyses.shape(key.0).head(key.1);
        let all = entry.all_predicates();
        let mut predicates = Vec::with_capacity(all.len());
        for predicate in &all {
            let parts = abstraction.vocabulary.parts(sym, key.0, *predicate);
            for (symbol, part) in parts.iter().flat_map(|parts| parts.iter()) {
                let symbol = import.apply(&sym.terms, &mut set.terms, *symbol);
                if known.insert(symbol) {
                    set.symbols.push((symbol, *part));
                }
            }
            predicates.push(import.apply(&sym.terms, &mut set.terms, *predicate));
        }
        index_of.extend(states.iter().enumerate().map(|(i, (_, point))| (*point, (set.entries.len(), i))));
        let states = states.into_iter().map(|(valuation, _)| valuation).collect();
        let call_stack = entry.state.call_stack();
        let arrivals = Some(arrivals);
        set.entries.push(LoopEntry { func: key.0, head, call_stack, predicates, states, arrivals, exits });
        // A loop of which nothing but constant decisions was observed is entered as it is at first.
        let first = u32::from(!abstraction.loops.is_input_dependent(key));
        let threshold = abstraction.precision.threshold(key).max(first);
        if threshold > 0 {
            let unwound = entry.arrivals.iter().filter_map(|arrival| arrival.innermost_loop());
            let iterations = unwound.map(|one| one.iterations).max().unwrap_or(u32::MAX);
            match set.thresholds.iter_mut().find(|known| (known.func, known.head) == (key.0, head)) {
                Some(known) => known.iterations = known.iterations.max(iterations),
                None => set.thresholds.push(Threshold { func: key.0, head, counted: threshold, iterations }),
            }
        }
    }
    drop_needless_exits(&mut set.entries);
    set
}

/// Entries of a loop are told apart by the abstract states from which they are reached, and by exits only where paths from one of
/// these have entered it apart.
fn drop_needless_exits(entries: &mut [LoopEntry]) {
    let mut all: FxHashMap<_, u32> = FxHashMap::default();
    let places = |entry: &LoopEntry| {
        let of_entry = (entry.func, entry.head, entry.call_stack.clone());
        let mut from: Vec<_> = entry.arrivals.iter().flatten().copied().collect();
        from.sort();
        from.dedup();
        from.into_iter().map(move |from| (of_entry.clone(), from)).collect::<Vec<_>>()
    };
    entries.iter().flat_map(places).for_each(|place| *all.entry(place).or_default() += 1);
    for entry in entries {
        if places(entry).iter().all(|place| all[place] == 1) || entry.exits.iter().all(Vec::is_empty) {
            entry.exits.clear();
            let mut seen = FxHashSet::default();
            entry.arrivals.iter_mut().for_each(|list| list.retain(|from| seen.insert(*from)));
        }
    }
}
