//! Evidence of a finished exploration: the cached blocks unfolded, so that every call context has the abstract states of its loops.
//!
//! A certificate names loops with their call stacks. So the graph of a function is written once for each call context in which it
//! was used. Its abstract states are facts about its own activation, and whoever checks the certificate follows calls
//! exactly: what BAM forgets at the entries and exits of functions he does not forget, so that the claims are as inductive as they were
//! here. Where one context has used several graphs of a function, or has several abstract entries of one loop, their union may be too little; then the
//! whole program is explored by lazy abstraction with the predicates that were found, and that proof is the evidence.

use super::super::evidence::{self, ReachedWriter, States, valuations_of};
use super::super::explore::Explorer;
use super::super::monitor::Stop;
use super::super::order::BreadthFirst;
use super::blocks::FUNCTION_ENTRY;
use super::cache::{BlockReach, Child, ReachId};
use super::explore::{Bam, PROGRAM};
use crate::answer::{AbstractTree, Answer, Proof, Unknown};
use crate::predicates::precision::PrecisionFunction;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::program::{FuncId, Loc};
use rustc_hash::FxHashSet;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

type CallStack = Vec<(FuncId, Loc)>;

/// The answer of an exploration that found nothing.
pub fn answer(mut bam: Bam) -> Answer {
    let assumed = std::mem::take(&mut bam.verdict.assumed);
    match proof(&mut bam) {
        Some(proof) => Answer::Holds(proof, assumed),
        None => by_lazy_abstraction(bam),
    }
}

/// The proof by the cached blocks; `None` where their contexts cannot be distinguished.
fn proof(bam: &mut Bam) -> Option<Proof> {
    let heads = heads(bam)?;
    if heads.is_empty() {
        return Some(Proof::Bounded { bound: 1, steps: bam.blocks.steps });
    }
    let mut known: BTreeMap<(ReachId, u32), States> = BTreeMap::new();
    let mut writer = ReachedWriter::default();
    let mut all: Vec<(LoopKey, (ReachId, u32))> = Vec::new();
    for ((key, call_stack), (reach, entry)) in heads {
        let states = match known.entry((reach, entry)) {
            Entry::Occupied(there) => there.into_mut(),
            Entry::Vacant(place) => {
                all.push((key, (reach, entry)));
                place.insert(states_at(bam, reach, entry))
            }
        };
        let head = bam.analyses.shape(key.0).head(key.1);
        let (sym, vocabulary) = (&mut bam.abstraction.sym, &mut bam.abstraction.vocabulary);
        writer.add(sym, vocabulary, ((key, head), &call_stack), states, None);
    }
    let (sym, vocabulary) = (&mut bam.abstraction.sym, &mut bam.abstraction.vocabulary);
    let most = bam.options.tuning.reach.exploration.max_invariant_states;
    let states = all.iter().map(|(key, at)| (*key, &known[at]));
    let invariants = evidence::invariants(sym, vocabulary, bam.analyses, states, most).map(Arc::new);
    let precision = of_loops(sym, &bam.precisions.precision);
    let predicates = Arc::new(evidence::predicates(sym, vocabulary, bam.analyses, &precision));
    let tree = AbstractTree {
        states: known.values().flat_map(|states| states.values()).map(|states| states.len() as u64).sum(),
        paths: bam.statistics.transfers,
        refinements: bam.statistics.refinements,
        strengthened_by: BTreeSet::new(),
        predicates,
        reached: Arc::new(writer.set),
    };
    Some(Proof::Abstraction { invariants, tree })
}

/// Loop heads by call context, with the graph and the number of the abstract entry that has their abstract states.
fn heads(bam: &Bam) -> Option<BTreeMap<(LoopKey, CallStack), (ReachId, u32)>> {
    let mut heads = BTreeMap::new();
    let mut seen: FxHashSet<(ReachId, CallStack)> = FxHashSet::default();
    let mut open: Vec<(ReachId, CallStack)> = vec![(PROGRAM, Vec::new())];
    while let Some((id, context)) = open.pop() {
        if !seen.insert((id, context.clone())) {
            continue;
        }
        if seen.len() > bam.options.tuning.max_contexts {
            return None;
        }
        let reach: &BlockReach = bam.reach(id);
        let graph = bam.blocks.graph(reach.block);
        for node in reach.reached.arg.nodes() {
            let entry = graph.entry(node.entry);
            let Some(key) = entry.key else { continue };
            let call_stack: CallStack = context.iter().chain(&entry.call_stack).copied().collect();
            let known = heads.entry((key, call_stack)).or_insert((id, node.entry.0));
            if *known != (id, node.entry.0) {
                return None;
            }
        }
        for ((node, call), child) in &reach.children {
            let node = reach.reached.arg.node(*node);
            let Child::Explored(callee) = child else { continue };
            if !node.is_removed {
                let calls = &graph.entry(node.entry).calls[*call].call_stack;
                open.push((*callee, context.iter().chain(calls).copied().collect()));
            }
        }
    }
    Some(heads)
}

/// The abstract states of a graph at an entry.
fn states_at(bam: &mut Bam, id: ReachId, entry: u32) -> States {
    let Bam { reaches, blocks, abstraction, .. } = bam;
    let reach = &reaches[id];
    let mut literals = Vec::new();
    for node in reach.reached.arg.nodes().filter(|node| node.entry.0 == entry) {
        let entry = blocks.graph(reach.block).entry(node.entry);
        for element in &node.elements {
            let (domain, mut queries) = abstraction.parts();
            literals.push(super::super::domain::Domain::predicates(domain, &mut queries, entry, element));
        }
    }
    valuations_of(&abstraction.sym, literals)
}

/// The precision at loop heads.
fn of_loops(sym: &mut plumb_sym::Sym, precision: &PrecisionFunction) -> PrecisionFunction {
    let mut result = PrecisionFunction::new(0);
    for (key, one) in precision.iter().filter(|(key, _)| key.1 != FUNCTION_ENTRY) {
        for predicate in &one.predicates {
            result.add(key, *predicate, sym);
        }
    }
    result
}

/// The proof that lazy abstraction finds with the same predicates.
fn by_lazy_abstraction(mut bam: Bam) -> Answer {
    let _span = tracing::info_span!("unfolding").entered();
    bam.forget_graphs();
    let tuning = &bam.options.tuning.reach;
    let mut explorer = Explorer::new(
        bam.analyses,
        Box::new(BreadthFirst),
        bam.options.strict,
        tuning,
        bam.monitor.budget,
        bam.board,
        bam.monitor.watcher,
    );
    explorer.precisions.precision = of_loops(&mut bam.abstraction.sym, &bam.precisions.precision);
    explorer.precisions.refiner = bam.precisions.refiner;
    explorer.precisions.tracking = bam.precisions.tracking;
    explorer.abstraction.sym = bam.abstraction.sym;
    explorer.abstraction.domain = bam.abstraction.domain;
    explorer.abstraction.vocabulary = bam.abstraction.vocabulary;
    match explorer.explore() {
        Ok(()) => {
            let assumed = std::mem::take(&mut explorer.verdict.assumed);
            Answer::Holds(evidence::proof(&mut explorer), assumed)
        }
        Err(Stop::Violated(violation)) => Answer::Violated(violation),
        Err(Stop::Unknown(why)) => Answer::Unknown(Unknown { why, explored: explorer.explored() }),
    }
}
