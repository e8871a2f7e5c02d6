//! Refinement of an exploration: predicates against a spurious counterexample, and what is done where none helps.
//!
//! The counterexample is executed once more from entry to entry as it was explored: its abstraction points cut it into
//! segments, and the shared refiner ([`crate::predicates::refinement`]) looks for predicates at the cuts. Where no candidate
//! helps, paths that entered a loop together enter it one by one, and then thresholds rise.

use super::abstraction::Abstraction;
use super::history::ControlFlowPath;
use super::reached_set::{EntryId, PointId, ReachedSet};
use super::replay::replay;
use crate::predicates::refinement::{Cut, LoopPredicate, Refiner, TraceFormula};
use crate::predicates::targets::{Target, without_path};
use plumb_sym::{State, Sym};
use plumb_term::TermId;

/// A counterexample of the abstract tree that no run follows.
pub struct SpuriousPath {
    pub path: ControlFlowPath,
    pub target: Target,
    /// States without abstraction at the abstraction points, as far as a run gets.
    pub states: Vec<State>,
}

/// Refines the precision. Gives the entries whose precision has changed, in the order of the counterexample.
pub fn refine(
    refiner: &mut Refiner,
    sym: &mut Sym,
    abstraction: &mut Abstraction,
    reached: &ReachedSet,
    spurious: &SpuriousPath,
) -> Vec<EntryId> {
    let _span = tracing::info_span!("refinement").entered();
    let trace = trace_formula(sym, reached, spurious);
    // What others have proved meanwhile may exclude it.
    abstraction.exchange.read(sym, &mut abstraction.vocabulary);
    let entry = |cut: &Cut| reached.entry(EntryId(cut.entry));
    let entries = ids(trace.entries(|cut: &Cut| abstraction.lacks_invariants(entry(cut))));
    if !entries.is_empty() {
        return entries;
    }
    let changed = |chosen: &[LoopPredicate]| {
        let lacks = |cut: &Cut| {
            let has = &entry(cut).predicates;
            chosen.iter().any(|(key, predicate)| *key == cut.key && !has.contains(predicate))
        };
        ids(trace.entries(lacks))
    };
    let known = &mut abstraction.known();
    let is_progress = |chosen: &[LoopPredicate]| !changed(chosen).is_empty();
    if let Some(chosen) = refiner.refine(sym, known, (&trace, &spurious.states), is_progress) {
        return changed(&chosen);
    }
    // The join of several arrivals may be what lets the counterexample through.
    let entries = ids(trace.entries(|cut: &Cut| entry(cut).arrivals.len() > 1));
    if !entries.is_empty() {
        abstraction.loops.entered_separately.extend(entries.iter().map(|entry| reached.entry(*entry).key));
        return entries;
    }
    raise_thresholds(abstraction, reached, &trace)
}

fn ids(entries: Vec<u32>) -> Vec<EntryId> {
    entries.into_iter().map(EntryId).collect()
}

/// The counterexample, cut at its abstraction points.
fn trace_formula(sym: &mut Sym, reached: &ReachedSet, spurious: &SpuriousPath) -> TraceFormula {
    let mut cuts: Vec<Cut> = Vec::new();
    let mut path_conditions: Vec<Vec<TermId>> = Vec::new();
    let mut cut = |_: &mut Sym, state: &mut State, point: PointId, step: u64| {
        let id = reached.point(point).entry;
        let entry = reached.entry(id);
        let before = std::mem::replace(state, entry.state.clone());
        path_conditions.push(before.path.since(0));
        let havocked = entry.havocked.registers.keys().copied().collect();
        cuts.push(Cut { entry: id.0, key: entry.key, havocked, step, before, after: state.clone() });
    };
    let replayed = replay(sym, &spurious.path, spurious.target, &mut cut);
    let mut conditions = replayed.conditions;
    let mut last = replayed.before_target.since(0);
    // What the exploration has met, the same path meets again.
    if let Some(met) = replayed.meets_target {
        let met = without_path(&sym.terms, met, replayed.before_target.term());
        conditions.push((spurious.path.steps, met));
        last.push(met);
    }
    path_conditions.push(last);
    TraceFormula { cuts, conditions, path_conditions, models: Vec::new() }
}

/// No predicate helps: the loops of the counterexample are followed further before they are abstracted.
fn raise_thresholds(abstraction: &mut Abstraction, reached: &ReachedSet, trace: &TraceFormula) -> Vec<EntryId> {
    for cut in &trace.cuts {
        let heads = reached.entry(EntryId(cut.entry)).arrivals.iter().filter_map(|arrival| arrival.innermost_loop());
        let visits = heads.map(|head| head.counted).max().unwrap_or(0);
        abstraction.precision.raise_threshold(cut.key, visits + 1);
    }
    ids(trace.entries(|_| true))
}
