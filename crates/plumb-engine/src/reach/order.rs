//! The order of the waitlist: which abstract state is expanded next.
//!
//! All orders explore the same abstract states; they decide how soon a counterexample is found, and which. An order gives an
//! abstract state a rank when it is added; the smallest is taken next, and of equals the newest or the oldest.

use super::graph::Entry;
use crate::predicates::targets::distance_to_error;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::target_distance::Metric;
use std::collections::BTreeMap;

pub trait SearchOrder {
    /// The smallest is expanded first. The depth is the number of blocks since the start.
    fn rank(&self, entry: &Entry, depth: u32) -> u64;

    /// Of equal ranks the newest is expanded first, and not the oldest.
    fn newest_first(&self) -> bool;
}

pub struct DepthFirst;

impl SearchOrder for DepthFirst {
    fn rank(&self, _: &Entry, _: u32) -> u64 {
        0
    }

    fn newest_first(&self) -> bool {
        true
    }
}

pub struct BreadthFirst;

impl SearchOrder for BreadthFirst {
    fn rank(&self, _: &Entry, depth: u32) -> u64 {
        depth.into()
    }

    fn newest_first(&self) -> bool {
        false
    }
}

/// Inner loops first: what they leave is known as a whole before the loop around them goes on.
pub struct InnerFirst;

impl SearchOrder for InnerFirst {
    fn rank(&self, entry: &Entry, depth: u32) -> u64 {
        let nesting = entry.position.all_loops().count() as u64;
        (u64::from(u32::MAX) - nesting) << 32 | u64::from(depth)
    }

    fn newest_first(&self) -> bool {
        false
    }
}

/// The nearest to an error location first, under the calls that are active (target-directed search); of equals the oldest.
pub struct NearestFirst<'a> {
    pub analyses: &'a Analyses,
    pub metric: Metric,
}

impl SearchOrder for NearestFirst<'_> {
    fn rank(&self, entry: &Entry, _: u32) -> u64 {
        distance_to_error(self.analyses, self.metric, &entry.state).rank()
    }

    fn newest_first(&self) -> bool {
        false
    }
}

pub struct Waitlist<'a, T> {
    order: Box<dyn SearchOrder + 'a>,
    items: BTreeMap<(u64, u64), T>,
    added: u64,
}

impl<'a, T> Waitlist<'a, T> {
    pub fn new(order: Box<dyn SearchOrder + 'a>) -> Waitlist<'a, T> {
        Waitlist { order, items: BTreeMap::new(), added: 0 }
    }

    pub fn push(&mut self, entry: &Entry, depth: u32, item: T) {
        self.added += 1;
        let age = if self.order.newest_first() { !self.added } else { self.added };
        self.items.insert((self.order.rank(entry, depth), age), item);
    }

    pub fn pop(&mut self) -> Option<T> {
        self.items.pop_first().map(|(_, item)| item)
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.items.retain(|_, item| keep(item));
    }
}
