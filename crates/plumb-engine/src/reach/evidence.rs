//! Evidence of a finished exploration: the reached abstract states, invariants of loops, and the predicates.
//!
//! The abstract states of an entry become valuations of all predicates that occur in them: a variable with a value is one
//! that equals this constant and no other. Where not all abstract states know all predicates, those that know the same are an
//! entry of the certificate of their own: the claim about a loop head is the disjunction of its entries.

use super::abstraction::Abstraction;
use super::block::EntryId;
use super::domain::Domain;
use super::explore::Explorer;
use super::graph::{BlockGraph, Entry};
use crate::answer::{self, AbstractTree, Invariants, LoopEntry, Proof};
use crate::predicates::Valuation;
use crate::predicates::loop_states::{InvariantWriter, LoopStates};
use crate::predicates::precision::{PrecisionFunction, as_equation};
use crate::predicates::vocabulary::Vocabulary;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::program::{FuncId, Loc};
use plumb_sym::Sym;
use plumb_term::{Import, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Predicates, and the valuations of them that were reached.
pub type States = BTreeMap<Vec<TermId>, BTreeSet<Valuation>>;

/// The proof by a finished exploration.
pub fn proof(explorer: &mut Explorer) -> Proof {
    let states = states_by_entry(explorer);
    if states.is_empty() {
        return Proof::Bounded { bound: 1, steps: explorer.graph.steps };
    }
    let keys: Option<Vec<LoopKey>> = states.keys().map(|entry| explorer.graph.entry(*entry).key).collect();
    let Explorer { abstraction: Abstraction { sym, vocabulary, .. }, analyses, tuning, .. } = explorer;
    let most = tuning.exploration.max_invariant_states;
    let all = keys.map(|keys| keys.into_iter().zip(states.values()));
    let invariants = all.and_then(|all| invariants(sym, vocabulary, analyses, all, most)).map(Arc::new);
    let predicates = Arc::new(predicates(sym, vocabulary, analyses, &explorer.precisions.precision));
    let reached = Arc::new(reached_states(explorer, &states));
    let tree = AbstractTree {
        // Without that of the start.
        states: explorer.reached.arg.len().saturating_sub(1) as u64,
        paths: explorer.statistics.transfers,
        refinements: explorer.statistics.refinements,
        strengthened_by: BTreeSet::new(),
        predicates,
        reached,
    };
    Proof::Abstraction { invariants, tree }
}

/// The abstract states of entries as valuations.
fn states_by_entry(explorer: &mut Explorer) -> BTreeMap<EntryId, States> {
    let mut known: BTreeMap<EntryId, Vec<Vec<(TermId, bool)>>> = BTreeMap::new();
    let Explorer { reached, graph, abstraction, .. } = explorer;
    for node in reached.arg.nodes().filter(|node| node.entry != BlockGraph::START) {
        let (domain, mut queries) = abstraction.parts();
        let entry = graph.entry(node.entry);
        let literals = node.elements.iter().map(|element| domain.predicates(&mut queries, entry, element));
        known.entry(node.entry).or_default().extend(literals);
    }
    let all = known.into_iter();
    all.map(|(entry, elements)| (entry, valuations_of(&explorer.abstraction.sym, elements))).collect()
}

pub fn valuations_of(sym: &Sym, elements: Vec<Vec<(TermId, bool)>>) -> States {
    let all: BTreeSet<TermId> = elements.iter().flatten().map(|(predicate, _)| *predicate).collect();
    let mut states = States::new();
    for element in elements {
        let literals: FxHashMap<TermId, bool> = element.into_iter().collect();
        let equal = literals.iter().filter(|(_, holds)| **holds).filter_map(|(one, _)| as_equation(&sym.terms, *one));
        let values: FxHashMap<TermId, TermId> = equal.collect();
        let (mut predicates, mut valuation) = (Vec::new(), Vec::new());
        for predicate in &all {
            // A variable that equals one constant equals no other.
            let by_value = || {
                let (variable, value) = as_equation(&sym.terms, *predicate)?;
                values.get(&variable).map(|known| *known == value)
            };
            if let Some(holds) = literals.get(predicate).copied().or_else(by_value) {
                predicates.push(*predicate);
                valuation.push(holds);
            }
        }
        states.entry(predicates).or_default().insert(valuation.into());
    }
    states
}

/// The invariants of loops; `None` where one has too many abstract states, or is about parts without a name.
pub fn invariants<'s>(
    sym: &mut Sym,
    vocabulary: &mut Vocabulary,
    analyses: &Analyses,
    states: impl Iterator<Item = (LoopKey, &'s States)>,
    max_states: usize,
) -> Option<Invariants> {
    let mut loops: BTreeMap<LoopKey, LoopStates> = BTreeMap::new();
    for (key, states) in states {
        for (predicates, valuations) in states {
            loops.entry(key).or_default().add(predicates.clone(), valuations.iter().cloned());
        }
    }
    let mut writer = InvariantWriter::default();
    for (key, states) in loops {
        let is_short = states.len() <= max_states;
        let facts = is_short.then(|| states.facts(sym))?;
        let head = analyses.shape(key.0).head(key.1);
        writer.write(sym, vocabulary, (key.0, head), &facts)?;
    }
    Some(writer.invariants)
}

/// The predicates of all loops, in the form of invariants.
pub fn predicates(
    sym: &mut Sym,
    vocabulary: &mut Vocabulary,
    analyses: &Analyses,
    precision: &PrecisionFunction,
) -> Invariants {
    let mut all: Vec<(LoopKey, Vec<TermId>)> = precision.iter().map(|(key, p)| (key, p.predicates.clone())).collect();
    all.sort();
    let mut writer = InvariantWriter::default();
    for (key, list) in all {
        let head = analyses.shape(key.0).head(key.1);
        // Predicates about parts without a name are left out.
        let _ = writer.write(sym, vocabulary, (key.0, head), &list);
    }
    writer.invariants
}

/// A reached set, as whoever checks the proof reads it.
pub struct ReachedWriter {
    pub set: answer::ReachedSet,
    import: Import,
    known: FxHashSet<TermId>,
}

impl Default for ReachedWriter {
    fn default() -> ReachedWriter {
        let set = answer::ReachedSet { bound: 1, ..Default::default() };
        ReachedWriter { set, import: Import::new(), known: FxHashSet::default() }
    }
}

impl ReachedWriter {
    /// Adds the abstract states of a loop head in one context. Gives the numbers of its entries.
    pub fn add(
        &mut self,
        sym: &mut Sym,
        vocabulary: &mut Vocabulary,
        ((key, head), call_stack): ((LoopKey, Loc), &[(FuncId, Loc)]),
        states: &States,
        arrivals: Option<&Vec<Option<(usize, usize)>>>,
    ) -> Vec<usize> {
        let mut numbers = Vec::with_capacity(states.len());
        for (predicates, valuations) in states {
            let mut copies = Vec::with_capacity(predicates.len());
            for predicate in predicates {
                let parts = vocabulary.parts(sym, key.0, *predicate);
                for (symbol, part) in parts.iter().flat_map(|parts| parts.iter()) {
                    let symbol = self.import.apply(&sym.terms, &mut self.set.terms, *symbol);
                    if self.known.insert(symbol) {
                        self.set.symbols.push((symbol, *part));
                    }
                }
                copies.push(self.import.apply(&sym.terms, &mut self.set.terms, *predicate));
            }
            numbers.push(self.set.entries.len());
            self.set.entries.push(LoopEntry {
                func: key.0,
                head,
                call_stack: call_stack.to_vec(),
                predicates: copies,
                states: valuations.iter().cloned().collect(),
                arrivals: arrivals.cloned(),
                exits: Vec::new(),
            });
        }
        numbers
    }
}

/// The reached set of an exploration.
fn reached_states(explorer: &mut Explorer, states: &BTreeMap<EntryId, States>) -> answer::ReachedSet {
    let mut writer = ReachedWriter::default();
    // By entry: where its abstract states are in the set.
    let mut numbers: FxHashMap<EntryId, Vec<usize>> = FxHashMap::default();
    for (id, states) in states {
        let entry = explorer.graph.entry(*id);
        let Some(key) = entry.key else { continue };
        let head = explorer.analyses.shape(key.0).head(key.1);
        let call_stack = entry.call_stack.clone();
        let arrivals = arrivals(explorer, entry, &numbers, &writer.set.entries);
        let Abstraction { sym, vocabulary, .. } = &mut explorer.abstraction;
        let place = ((key, head), &call_stack[..]);
        numbers.entry(*id).or_default().extend(writer.add(sym, vocabulary, place, states, arrivals.as_ref()));
    }
    writer.set
}

/// From where an entry is reached; from anywhere, for all that is to be said of it, if it is alone. Only entries of one loop under one call stack need to be distinguished by that.
fn arrivals(
    explorer: &Explorer,
    entry: &Entry,
    numbers: &FxHashMap<EntryId, Vec<usize>>,
    entries: &[LoopEntry],
) -> Option<Vec<Option<(usize, usize)>>> {
    let is_alike = |other: &&Entry| (other.key, &other.call_stack) == (entry.key, &entry.call_stack);
    if explorer.graph.entries().filter(is_alike).count() <= 1 {
        return None;
    }
    let mut found = Vec::new();
    for from in entry.arrives_from() {
        match numbers.get(&from) {
            None => found.push(None),
            Some(list) => {
                found.extend(list.iter().flat_map(|at| (0..entries[*at].states.len()).map(|state| Some((*at, state)))));
            }
        }
    }
    Some(found)
}
