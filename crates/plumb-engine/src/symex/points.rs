//! Abstraction points: where a path forgets.
//!
//! **Idea.** When a path comes to the head of a loop that the precision function says to abstract, it enters the loop
//! *abstractly*. An [`Entry`] is the state that came there with everything forgotten that a turn of the loop changes. It keeps what
//! the loop does not touch, and all that is known of the way to it; the paper's fresh memory has nothing, and would need a
//! predicate for every variable. From then on, an *abstract state* of the entry is a valuation of the location's predicates,
//! and the path goes on from the entry's state with `eq`: the predicates have the values that they had in the state that
//! came.
//!
//! Paths that come to a loop at once enter it together: the entry's state is their join, which loses nothing, and its path says
//! that one of them was taken. Where that keeps a counterexample from being refuted, they are kept apart.
//!
//! **p-simple.** A path that comes to a head with a valuation that its entry has had already is not followed: what it could
//! do from there, the path that came first does (`simple`; the paper compares with the points of the same path only, here all
//! paths of the entry count, so that an abstract state is explored once and not once for each way to it). That is sound since
//! between two visits of one entry nothing has changed but what was forgotten: it is looked at each time, and where it
//! is not so, the entry is made again with more forgotten.
//!
//! **Discarding.** When an entry is made again, all that came of it goes. Paths elsewhere that were turned away because of an abstract
//! state that is gone now come back.

use super::branch::Branch;
use super::trail::PointId;
use plumb_ir::analysis::loops::LoopKey;
use plumb_sym::{Changes, State};
use plumb_term::{Assignment, TermId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EntryId(pub u32);

/// By predicate of an entry, whether it holds.
pub type Valuation = Box<[bool]>;

/// A loop that a path has entered abstractly.
pub struct Entry {
    pub key: LoopKey,
    /// The paths that came, which have been joined.
    pub arrivals: Vec<Arc<Branch>>,
    pub forgotten: Changes,
    /// The state with everything forgotten that turns change, on the path that led here.
    pub state: State,
    /// Values under which one can come here, if some are known.
    pub values: Option<Arc<Assignment>>,
    /// The location's predicates when it was made.
    pub predicates: Vec<TermId>,
    /// The predicates, said of the state.
    pub terms: Vec<TermId>,
    pub visited: FxHashMap<Valuation, Visited>,
    pub is_gone: bool,
}

/// An abstract state that was come to.
pub struct Visited {
    pub point: PointId,
    /// Paths that came to it later.
    pub turned_away: Vec<Arc<Branch>>,
}

/// An abstraction point on a path.
pub struct Point {
    pub entry: EntryId,
    /// The path that came first, and the abstract state that it came with.
    pub arrival: Arc<Branch>,
    pub valuation: Valuation,
    pub is_gone: bool,
}

#[derive(Default)]
pub struct Points {
    pub entries: Vec<Entry>,
    pub points: Vec<Point>,
}

impl Points {
    pub fn entry(&self, id: EntryId) -> &Entry {
        &self.entries[id.0 as usize]
    }

    pub fn entry_mut(&mut self, id: EntryId) -> &mut Entry {
        &mut self.entries[id.0 as usize]
    }

    pub fn point(&self, id: PointId) -> &Point {
        &self.points[id.0 as usize]
    }

    pub fn is_gone(&self, point: Option<PointId>) -> bool {
        point.is_some_and(|point| self.point(point).is_gone)
    }

    pub fn add_entry(&mut self, entry: Entry) -> EntryId {
        self.entries.push(entry);
        EntryId(self.entries.len() as u32 - 1)
    }

    pub fn add_point(&mut self, entry: EntryId, arrival: Arc<Branch>, valuation: Valuation) -> PointId {
        self.points.push(Point { entry, arrival, valuation, is_gone: false });
        PointId(self.points.len() as u32 - 1)
    }

    /// Removes an entry with all that came of it. Gives the paths that had come to it, and others that have to be looked at
    /// again.
    pub fn discard(&mut self, id: EntryId) -> Vec<Arc<Branch>> {
        self.entries[id.0 as usize].is_gone = true;
        let mut again = self.entries[id.0 as usize].arrivals.clone();
        // A point is younger than its entry and the last point on the path that came, an entry than the point that led to it.
        for at in 0..self.points.len() {
            if self.points[at].is_gone {
                continue;
            }
            let entry = self.points[at].entry;
            self.lose(entry, &mut again);
            self.points[at].is_gone = self.entry(entry).is_gone || self.is_gone(self.points[at].arrival.point);
        }
        for at in 0..self.entries.len() {
            self.lose(EntryId(at as u32), &mut again);
        }
        let points = &self.points;
        let is_gone = |point: PointId| points[point.0 as usize].is_gone;
        for entry in &mut self.entries {
            if entry.is_gone {
                entry.visited = FxHashMap::default();
                continue;
            }
            entry.visited.retain(|_, visited| {
                let keep = !is_gone(visited.point);
                if !keep {
                    again.append(&mut visited.turned_away);
                } else {
                    visited.turned_away.retain(|branch| branch.point.is_none_or(|point| !is_gone(point)));
                }
                keep
            });
        }
        again.retain(|branch| branch.point.is_none_or(|point| !is_gone(point)));
        again
    }

    /// An entry is gone if one of the paths is that came to it; the others come again.
    fn lose(&mut self, id: EntryId, again: &mut Vec<Arc<Branch>>) {
        let entry = self.entry(id);
        if !entry.is_gone && entry.arrivals.iter().any(|arrival| self.is_gone(arrival.point)) {
            again.extend(entry.arrivals.iter().cloned());
            self.entries[id.0 as usize].is_gone = true;
        }
    }
}
