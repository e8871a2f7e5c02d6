//! What a finished tree says of loop heads: invariants, and the abstract states themselves.
//!
//! Every state at a head that a path can come to is in one of the abstract states that were visited there; before the
//! abstraction begins, the predicates' values of the states themselves are found. Their disjunction is an invariant. It says
//! less than the tree, in which an abstract state of an inner loop belongs to one of the loop around it: that is kept
//! in the set of reached states.

use super::explore::Explorer;
use super::trail::PointId;
use crate::answer::{Invariants, LoopEntry, LoopInvariant, ReachedSet, StatePart};
use plumb_ir::analysis::loops::LoopKey;
use plumb_term::{Import, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Abstract states of one location, beyond which nobody would want to read them.
const MOST_STATES: usize = 200;

/// Abstract states with the same predicates.
struct Group {
    predicates: Vec<TermId>,
    valuations: BTreeSet<Box<[bool]>>,
}

/// The invariants of the abstracted loops; `None` where they are not all known, or too many.
pub fn invariants(explorer: &mut Explorer) -> Option<Invariants> {
    let mut groups: FxHashMap<LoopKey, Vec<Group>> = FxHashMap::default();
    for entry in explorer.points.entries.iter().filter(|entry| !entry.is_gone) {
        let list = groups.entry(entry.key).or_default();
        let at = list.iter().position(|group| group.predicates == entry.predicates).unwrap_or_else(|| {
            list.push(Group { predicates: entry.predicates.clone(), valuations: BTreeSet::new() });
            list.len() - 1
        });
        list[at].valuations.extend(entry.visited.keys().cloned());
    }
    if groups.keys().any(|key| explorer.more_concrete.contains(key)) {
        return None;
    }
    // Visits before the abstraction, by the predicates that the location has now.
    for concrete in std::mem::take(&mut explorer.concrete) {
        let Some(list) = groups.get_mut(&concrete.key) else { continue };
        if explorer.points.is_gone(concrete.point) {
            continue;
        }
        let predicates = explorer.precision.as_ref()?.predicates(concrete.key).to_vec();
        let mut said = Vec::with_capacity(predicates.len());
        for predicate in &predicates {
            said.push(explorer.vocabulary.at(&mut explorer.sym, *predicate, &concrete.state)?);
        }
        let valuations = explorer.valuations(&concrete.conditions, &said).ok()?;
        let at = list.iter().position(|group| group.predicates == predicates).unwrap_or_else(|| {
            list.push(Group { predicates, valuations: BTreeSet::new() });
            list.len() - 1
        });
        list[at].valuations.extend(valuations);
    }
    let mut keys: Vec<LoopKey> = groups.keys().copied().collect();
    keys.sort();
    let mut told = Told::new(explorer);
    for key in keys {
        let groups = groups.remove(&key)?;
        if groups.iter().map(|group| group.valuations.len()).sum::<usize>() > MOST_STATES {
            return None;
        }
        let facts = facts(told.explorer, &groups);
        told.tell(key, &facts)?;
    }
    Some(told.invariants)
}

/// The predicates of all locations, told in the same way.
pub fn predicates(explorer: &mut Explorer) -> Invariants {
    let mut all: Vec<(LoopKey, Vec<TermId>)> = match &explorer.precision {
        Some(precision) => precision.iter().map(|(key, p)| (key, p.predicates.clone())).collect(),
        None => Vec::new(),
    };
    all.sort();
    let mut told = Told::new(explorer);
    for (key, list) in all {
        // What has no name is not told.
        let _ = told.tell(key, &list);
    }
    told.invariants
}

/// The abstract states of the finished tree, each with those from which paths came to its entry.
pub fn reached(explorer: &mut Explorer) -> ReachedSet {
    let mut set = ReachedSet { bound: explorer.deepest, ..ReachedSet::default() };
    let (mut import, mut known) = (Import::new(), FxHashSet::default());
    // Where points are in the set.
    let mut places: FxHashMap<PointId, (usize, usize)> = FxHashMap::default();
    for at in 0..explorer.points.entries.len() {
        let entry = &explorer.points.entries[at];
        if entry.is_gone {
            continue;
        }
        let (key, predicates) = (entry.key, entry.predicates.clone());
        let mut visited: Vec<(Box<[bool]>, PointId)> =
            entry.visited.iter().map(|(valuation, visited)| (valuation.clone(), visited.point)).collect();
        visited.sort();
        let mut arrivals: Vec<Option<(usize, usize)>> = Vec::new();
        for arrival in &entry.arrivals {
            let from = arrival.point.map(|point| places.get(&point).copied());
            // A point that is not there would be one that is gone, and with it the entry.
            let from = from.unwrap_or(None);
            if !arrivals.contains(&from) {
                arrivals.push(from);
            }
        }
        let call_stack = entry.state.call_stack();
        let head = explorer.shape(key.0).loops.get(key.1).head;
        let mut copies = Vec::with_capacity(predicates.len());
        for predicate in &predicates {
            let parts = explorer.vocabulary.parts(&mut explorer.sym, key.0, *predicate);
            for (symbol, part) in parts.iter().flat_map(|parts| parts.iter()) {
                let symbol = import.apply(&explorer.sym.terms, &mut set.terms, *symbol);
                if known.insert(symbol) {
                    set.symbols.push((symbol, *part));
                }
            }
            copies.push(import.apply(&explorer.sym.terms, &mut set.terms, *predicate));
        }
        places.extend(visited.iter().enumerate().map(|(i, (_, point))| (*point, (set.entries.len(), i))));
        let states = visited.into_iter().map(|(valuation, _)| valuation).collect();
        set.entries.push(LoopEntry { func: key.0, head, call_stack, predicates: copies, states, arrivals });
        // A loop of which nobody knows whether constants decide it is entered as it is at first.
        let first = u32::from(!explorer.undecided.contains(&key));
        let threshold = explorer.precision.as_ref().map_or(0, |precision| precision.threshold(key)).max(first);
        if threshold > 0 && !set.thresholds.iter().any(|(place, _)| *place == (key.0, head)) {
            set.thresholds.push(((key.0, head), threshold));
        }
    }
    set
}

/// What groups of abstract states have in common, and that one of them holds.
fn facts(explorer: &mut Explorer, groups: &[Group]) -> Vec<TermId> {
    let terms = &mut explorer.sym.terms;
    let mut facts = Vec::new();
    let mut any = TermId::bool(false);
    for group in groups {
        for valuation in &group.valuations {
            let mut all = TermId::bool(true);
            for (at, predicate) in group.predicates.iter().enumerate() {
                let is_same = groups.len() == 1 && group.valuations.iter().all(|other| other[at] == valuation[at]);
                let literal = if valuation[at] { *predicate } else { terms.not(*predicate) };
                if !is_same {
                    all = terms.and(all, literal);
                } else if !facts.contains(&literal) {
                    facts.push(literal);
                }
            }
            any = terms.or(any, all);
        }
    }
    if any != TermId::bool(true) {
        facts.push(any);
    }
    facts
}

/// Terms over the symbols of predicates, brought into an arena of their own.
struct Told<'e, 'a> {
    explorer: &'e mut Explorer<'a>,
    import: Import,
    invariants: Invariants,
}

impl<'e, 'a> Told<'e, 'a> {
    fn new(explorer: &'e mut Explorer<'a>) -> Told<'e, 'a> {
        Told { explorer, import: Import::new(), invariants: Invariants::default() }
    }

    fn tell(&mut self, key: LoopKey, facts: &[TermId]) -> Option<()> {
        let (func, id) = key;
        let head = self.explorer.shape(func).loops.get(id).head;
        let mut symbols: Vec<(TermId, StatePart)> = Vec::new();
        let mut told = Vec::with_capacity(facts.len());
        for fact in facts {
            let parts = self.explorer.vocabulary.parts(&mut self.explorer.sym, func, *fact)?;
            for (symbol, held) in parts.iter().copied() {
                let symbol = self.import.apply(&self.explorer.sym.terms, &mut self.invariants.terms, symbol);
                if !symbols.contains(&(symbol, held)) {
                    symbols.push((symbol, held));
                }
            }
            told.push(self.import.apply(&self.explorer.sym.terms, &mut self.invariants.terms, *fact));
        }
        self.invariants.loops.push(LoopInvariant { func, head, facts: told, symbols });
        Some(())
    }
}
