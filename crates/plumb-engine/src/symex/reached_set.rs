//! The reached set: abstract entries of loops, and the abstract states that were reached there.
//!
//! **Idea.** When a path comes to the head of a loop that the precision function says to abstract, it enters the loop
//! *abstractly*. An [`Entry`] is the state that came there with everything havocked that an iteration modifies. It keeps
//! what the loop does not touch, and the path condition up to it; the paper's fresh memory has nothing, and would need a
//! predicate for every variable. From then on, an *abstract state* of the entry is a valuation of the location's predicates,
//! and the path goes on from the entry's state with the paper's `eq`: the predicates have the values that they had in the
//! state that came.
//!
//! Paths that come to a loop at once enter it together: the entry's state is their join, which loses nothing, and its path
//! condition says that one of them was taken. Where that keeps a counterexample from being refuted, each enters alone.
//!
//! **Coverage.** A path that comes to a head with a valuation that its entry has reached already is covered and not
//! followed: what it could do from there, the path that came first does. This is the paper's `simple`; the paper
//! compares with the points of the same path only, here all paths of the entry count, so that an abstract state is explored
//! once and not once for each path to it. That is sound since between two visits of one entry nothing has changed but what
//! was havocked: each visit checks that, and where it is not so, the entry is built again with more havocked.
//!
//! **Removal.** When an entry is built again, everything that was reached through it is removed. Paths elsewhere that were covered by a
//! removed abstract state are followed again.

use super::path::SymbolicPath;
use crate::predicates::Valuation;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::index::TiVec;
use plumb_sym::{Changes, State};
use plumb_term::{Assignment, TermId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EntryId(pub u32);

/// An abstraction point of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PointId(pub u32);

plumb_ir::index::index_types!(EntryId, PointId);

/// A loop that paths have entered abstractly.
pub struct Entry {
    pub key: LoopKey,
    /// The paths that came, which have been joined.
    pub arrivals: Vec<Arc<SymbolicPath>>,
    /// What iterations modify, and the state does not know.
    pub havocked: Changes,
    pub state: State,
    /// A model of the state's path condition, if one is known.
    pub model: Option<Arc<Assignment>>,
    /// Invariants of other engines that the state assumes and every visit establishes.
    pub invariants: Vec<TermId>,
    /// The location's predicates when the entry was built.
    pub predicates: Vec<TermId>,
    /// The predicates, instantiated in the state.
    pub instances: Vec<TermId>,
    /// The abstract states.
    pub reached: FxHashMap<Valuation, Reached>,
    pub is_removed: bool,
}

/// A reached abstract state.
pub struct Reached {
    pub point: PointId,
    /// Paths that came to it later.
    pub covered: Vec<Arc<SymbolicPath>>,
}

/// An abstraction point: where a path went on from an abstract state.
pub struct AbstractionPoint {
    pub entry: EntryId,
    /// The path that came first.
    pub arrival: Arc<SymbolicPath>,
    pub valuation: Valuation,
    pub is_removed: bool,
}

#[derive(Default)]
pub struct ReachedSet {
    entries: TiVec<EntryId, Entry>,
    points: TiVec<PointId, AbstractionPoint>,
}

impl ReachedSet {
    pub fn entry(&self, id: EntryId) -> &Entry {
        &self.entries[id]
    }

    pub fn point(&self, id: PointId) -> &AbstractionPoint {
        &self.points[id]
    }

    /// Abstract states that were ever reached.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The entries that are part of the tree, in the order in which they were built.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.is_removed)
    }

    /// The abstract states that are part of the tree.
    pub fn points(&self) -> impl Iterator<Item = &AbstractionPoint> {
        self.points.iter().filter(|point| !point.is_removed)
    }

    /// Whether a path that comes from an abstraction point is no longer part of the tree.
    pub fn is_removed(&self, point: Option<PointId>) -> bool {
        point.is_some_and(|point| self.point(point).is_removed)
    }

    pub fn add_entry(&mut self, entry: Entry) -> EntryId {
        self.entries.push_and_get_key(entry)
    }

    /// Whether the path's abstract state was reached before. Then the path is covered, and kept in case that the state is
    /// removed.
    pub fn cover(&mut self, id: EntryId, valuation: &Valuation, path: &Arc<SymbolicPath>) -> bool {
        match self.entries[id].reached.get_mut(valuation) {
            Some(reached) => {
                reached.covered.push(path.clone());
                true
            }
            None => false,
        }
    }

    /// Adds an abstract state that a path came to first.
    pub fn add_point(&mut self, entry: EntryId, arrival: Arc<SymbolicPath>, valuation: Valuation) -> PointId {
        let new = AbstractionPoint { entry, arrival, valuation: valuation.clone(), is_removed: false };
        let point = self.points.push_and_get_key(new);
        self.entries[entry].reached.insert(valuation, Reached { point, covered: Vec::new() });
        point
    }

    /// Removes an entry with all that was reached through it. Gives the paths that have to come to their loop heads again:
    /// those that had come to removed entries, and those that removed states had covered.
    pub fn remove(&mut self, id: EntryId) -> Vec<Arc<SymbolicPath>> {
        self.entries[id].is_removed = true;
        let mut again = self.entries[id].arrivals.clone();
        // A point is younger than its entry and the last point of the path that came, an entry than the points of its
        // arrivals.
        for point in self.points.keys() {
            if self.points[point].is_removed {
                continue;
            }
            let entry = self.points[point].entry;
            self.remove_orphan(entry, &mut again);
            let is_removed = self.entry(entry).is_removed || self.is_removed(self.points[point].arrival.point);
            self.points[point].is_removed = is_removed;
        }
        for entry in self.entries.keys() {
            self.remove_orphan(entry, &mut again);
        }
        let points = &self.points;
        let is_removed = |point: PointId| points[point].is_removed;
        for entry in &mut self.entries {
            if entry.is_removed {
                entry.reached = FxHashMap::default();
                continue;
            }
            entry.reached.retain(|_, reached| {
                let keep = !is_removed(reached.point);
                if !keep {
                    again.append(&mut reached.covered);
                } else {
                    reached.covered.retain(|path| path.point.is_none_or(|point| !is_removed(point)));
                }
                keep
            });
        }
        again.retain(|path| path.point.is_none_or(|point| !is_removed(point)));
        again
    }

    /// An entry needs every path that came to it; removing one removes the entry, and the others come again.
    fn remove_orphan(&mut self, id: EntryId, again: &mut Vec<Arc<SymbolicPath>>) {
        let entry = self.entry(id);
        if !entry.is_removed && entry.arrivals.iter().any(|arrival| self.is_removed(arrival.point)) {
            again.extend(entry.arrivals.iter().cloned());
            self.entries[id].is_removed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::program;
    use plumb_ir::analysis::loops::LoopId;
    use plumb_ir::program::FuncId;
    use plumb_sym::Sym;

    /// A reached set over states that do not matter.
    struct Tree {
        state: State,
        reached: ReachedSet,
    }

    impl Tree {
        fn path(&self, point: Option<PointId>, decisions: u32) -> Arc<SymbolicPath> {
            Arc::new(SymbolicPath { point, decisions, ..SymbolicPath::new(self.state.clone()) })
        }

        fn entry(&mut self, arrivals: &[&Arc<SymbolicPath>]) -> EntryId {
            self.reached.add_entry(Entry {
                key: (FuncId(0), LoopId(0)),
                arrivals: arrivals.iter().map(|path| Arc::clone(path)).collect(),
                havocked: Changes::default(),
                state: self.state.clone(),
                model: None,
                invariants: Vec::new(),
                predicates: Vec::new(),
                instances: Vec::new(),
                reached: FxHashMap::default(),
                is_removed: false,
            })
        }

        fn point(&mut self, entry: EntryId, arrival: &Arc<SymbolicPath>, holds: bool) -> PointId {
            self.reached.add_point(entry, arrival.clone(), [holds].into())
        }
    }

    fn tree() -> Tree {
        let program = program("int main(void) { return 0; }");
        let state = Sym::new(&program).start();
        Tree { state, reached: ReachedSet::default() }
    }

    fn decisions(paths: &[Arc<SymbolicPath>]) -> Vec<u32> {
        paths.iter().map(|path| path.decisions).collect()
    }

    #[test]
    fn a_path_is_covered_by_a_state_that_was_reached() {
        let mut tree = tree();
        let first = tree.path(None, 0);
        let entry = tree.entry(&[&first]);
        assert!(!tree.reached.cover(entry, &[true].into(), &first));
        let point = tree.point(entry, &first, true);
        let second = tree.path(Some(point), 1);
        assert!(tree.reached.cover(entry, &[true].into(), &second));
        assert!(!tree.reached.cover(entry, &[false].into(), &second));
        let other = tree.entry(&[&first]);
        assert!(!tree.reached.cover(other, &[true].into(), &second), "entries do not cover each other's paths");
    }

    #[test]
    fn removal_reaches_everything_behind_and_frees_covered_paths() {
        let mut tree = tree();
        let start = tree.path(None, 0);
        let outer = tree.entry(&[&start]);
        let kept = tree.point(outer, &start, true);
        let (to_inner, elsewhere) = (tree.path(Some(kept), 1), tree.path(Some(kept), 2));
        let inner = tree.entry(&[&to_inner]);
        let in_inner = tree.point(inner, &to_inner, true);
        // Through the inner loop back to the outer one, and from there on.
        let back = tree.path(Some(in_inner), 3);
        let behind = tree.point(outer, &back, false);
        assert!(tree.reached.cover(outer, &[false].into(), &elsewhere));
        let again = tree.reached.remove(inner);
        assert!(tree.reached.entry(inner).is_removed && !tree.reached.entry(outer).is_removed);
        assert!([in_inner, behind].into_iter().all(|point| tree.reached.is_removed(Some(point))));
        assert!(!tree.reached.is_removed(Some(kept)) && !tree.reached.is_removed(None));
        // The inner loop is entered again, and the state that had covered the other path is none any more.
        assert_eq!(decisions(&again), [1, 2]);
        assert!(!tree.reached.cover(outer, &[false].into(), &elsewhere));
        assert_eq!((tree.reached.entries().count(), tree.reached.points().count()), (1, 1));
    }

    #[test]
    fn an_entry_needs_all_its_arrivals() {
        let mut tree = tree();
        let start = tree.path(None, 0);
        let first = tree.entry(&[&start]);
        let point = tree.point(first, &start, true);
        let (dependent, independent) = (tree.path(Some(point), 1), tree.path(None, 2));
        let joined = tree.entry(&[&dependent, &independent]);
        let again = tree.reached.remove(first);
        assert!(tree.reached.entry(joined).is_removed);
        assert_eq!(decisions(&again), [0, 2], "the path that depends on the removed point is removed with it");
    }
}
