//! Merging of paths.
//!
//! **Idea.** An iteration of a loop with twenty decisions has a million paths. Following each of them alone keeps values constant,
//! which makes most queries easy; so few paths are left as they are. But where many of them come from one abstraction
//! point to one location, they are merged: values that differ become a choice by the conditions that distinguish the paths,
//! and the solver finds the abstract states of all of them (compare Kuznetsov, Kinder, Bucur and Candea, *Efficient State
//! Merging in Symbolic Execution*, 2012).
//!
//! A counterexample is one control-flow path. Which of the merged paths it takes is decided by a model, between each two
//! of its abstraction points on its own: the predicates' values at the points are all that the segments have in common.
//!
//! **Soundness.** Joining loses nothing where at most one of the paths is taken (see [`plumb_sym`]'s `join`): paths that come
//! from one abstraction point differ in a decision since, and those from different ones in the predicate values at the
//! points. States that cannot be joined stay separate paths.

use super::history::{Alternative, Histories};
use super::path::SymbolicPath;
use crate::budget::Budget;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::liveness::Liveness;
use plumb_sym::{State, Sym};
use plumb_term::TermId;

/// Two states in one; `None` where that would lose something.
fn join(sym: &mut Sym, a: State, b: State, live: &Liveness) -> Option<State> {
    let (joined, log) = sym.join(a, b, live);
    log.is_empty().then_some(joined)
}

/// The state of several paths at a loop head, with all that their path conditions say.
pub fn join_all(sym: &mut Sym, paths: &[SymbolicPath], live: &Liveness) -> Option<State> {
    let mut joined: Option<State> = None;
    for path in paths {
        let mut state = path.state.clone();
        for literal in path.predicate_values.iter() {
            state.path.push(*literal, &mut sym.terms);
        }
        joined = Some(match joined {
            Some(other) => join(sym, other, state, live)?,
            None => state,
        });
    }
    joined
}

/// Merges paths that are at one location, as far as their states can be joined.
pub fn merge(
    sym: &mut Sym,
    histories: &mut Histories,
    analyses: &Analyses,
    budget: &Budget,
    paths: Vec<SymbolicPath>,
) -> Vec<SymbolicPath> {
    // Those with most conditions in common first: one condition distinguishes them.
    let mut list: Vec<(Vec<TermId>, SymbolicPath)> =
        paths.into_iter().map(|path| (path.state.path.since(0), path)).collect();
    list.sort_by(|a, b| a.0.cmp(&b.0));
    let common = |a: &[TermId], b: &[TermId]| a.iter().zip(b).take_while(|(x, y)| x == y).count();
    // Of each with the next.
    let mut shared: Vec<usize> = list.windows(2).map(|pair| common(&pair[0].0, &pair[1].0)).collect();
    let mut unmerged: Vec<SymbolicPath> = Vec::new();
    while let Some(at) = (0..shared.len()).max_by_key(|at| shared[*at])
        && !budget.is_over()
    {
        let (_, second) = list.remove(at + 1);
        shared.remove(at);
        match merge_two(sym, histories, analyses, &mut list[at].1, &second) {
            true => list[at].0 = list[at].1.state.path.since(0),
            false => unmerged.push(second),
        }
        for first in at.saturating_sub(1)..(at + 1).min(shared.len()) {
            shared[first] = common(&list[first].0, &list[first + 1].0);
        }
    }
    unmerged.extend(list.into_iter().map(|(_, path)| path));
    unmerged
}

/// Merges a path into another one. Whether their states can be joined.
fn merge_two(
    sym: &mut Sym,
    histories: &mut Histories,
    analyses: &Analyses,
    first: &mut SymbolicPath,
    second: &SymbolicPath,
) -> bool {
    let live = &analyses.shape(first.state.func()).live;
    let alternatives = [&*first, second].map(|path| Alternative {
        history: path.history,
        steps: path.steps,
        condition: path.state.path.term(),
    });
    let Some(joined) = join(sym, first.state.clone(), second.state.clone(), live) else { return false };
    first.state = joined;
    first.count_in(second);
    first.history = histories.merge(alternatives.to_vec());
    first.steps = 0;
    true
}
