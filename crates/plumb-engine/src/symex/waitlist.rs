//! The waitlist: paths that are still to be followed, and the order in which they are.
//!
//! A tree of paths may be infinite, and even a finite one may be too large: the order decides what is explored in the time
//! there is. All orders explore the same tree.

pub use crate::engine::Order;
use plumb_exec::Rng;
use plumb_ir::analysis::target_distance::{Distance, Metric};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What an order may know of a path.
#[derive(Clone, Debug)]
pub struct Rank {
    /// A number for the location that it is at.
    pub location: u64,
    /// Decisions on it.
    pub depth: u32,
    /// Where it is in the nesting of calls and loops ([`plumb_sym::Position::order_key`]).
    pub nesting: Vec<u32>,
    /// How far it is from an error location, where the order asks for it.
    pub distance: Distance,
}

pub struct Waitlist<T> {
    order: Order,
    /// The first is followed next, but in the random order.
    list: BTreeMap<Key, (Rank, T)>,
    /// How often a path was taken at a location.
    taken: FxHashMap<u64, u32>,
    /// Paths that were added so far.
    added: u64,
    random: Rng,
}

/// What the order compares, and then how new a path is.
type Key = (Vec<u32>, u64);

impl<T> Waitlist<T> {
    pub fn new(order: Order, seed: u64) -> Waitlist<T> {
        Waitlist { order, list: BTreeMap::new(), taken: FxHashMap::default(), added: 0, random: Rng(seed) }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether paths are ordered by nesting.
    pub fn is_nested(&self) -> bool {
        self.order == Order::Nested
    }

    /// What distances are counted in, if paths are ordered by them.
    pub fn metric(&self) -> Option<Metric> {
        match self.order {
            Order::Tour(metric) => Some(metric),
            Order::Depth | Order::Breadth | Order::Coverage | Order::Random | Order::Nested => None,
        }
    }

    pub fn push(&mut self, mut rank: Rank, item: T) {
        self.added += 1;
        let compared = match self.order {
            Order::Depth | Order::Breadth | Order::Random => Vec::new(),
            // Brought up to date when it is taken.
            Order::Coverage => vec![self.taken.get(&rank.location).copied().unwrap_or(0)],
            Order::Nested => std::mem::take(&mut rank.nesting),
            Order::Tour(_) => {
                let distance = rank.distance.rank();
                vec![(distance >> 32) as u32, distance as u32]
            }
        };
        let newness = if self.order == Order::Breadth { self.added } else { !self.added };
        self.list.insert((compared, newness), (rank, item));
    }

    pub fn pop(&mut self) -> Option<T> {
        if self.order == Order::Random {
            let key = self.random_key()?;
            return self.list.remove(&key).map(|(_, item)| item);
        }
        loop {
            let ((compared, newness), (rank, item)) = self.list.pop_first()?;
            if self.order == Order::Coverage {
                let taken = self.taken.entry(rank.location).or_default();
                // Another path may have been taken there since.
                if compared != [*taken] && !self.list.is_empty() {
                    self.list.insert((vec![*taken], newness), (rank, item));
                    continue;
                }
                *taken += 1;
            }
            return Some(item);
        }
    }

    /// The chance of a leaf is two to the minus its depth; the shallowest is the unit.
    fn random_key(&mut self) -> Option<Key> {
        let least = self.list.values().map(|(rank, _)| rank.depth).min()?;
        let weight = |(rank, _): &(Rank, T)| 0.5f64.powi((rank.depth - least).min(1000) as i32);
        let sum: f64 = self.list.values().map(weight).sum();
        let mut left = self.random.below(1 << 53) as f64 / (1u64 << 53) as f64 * sum;
        let found = self.list.iter().find(|(_, waiting)| {
            left -= weight(waiting);
            left <= 0.0
        });
        found.or(self.list.last_key_value()).map(|(key, _)| key.clone())
    }

    /// The next path, with all others of the same nesting that can be merged with it.
    pub fn pop_group(&mut self, can_merge: impl Fn(&T, &T) -> bool) -> Option<Vec<T>> {
        if !self.is_nested() {
            return self.pop().map(|one| vec![one]);
        }
        let ((nesting, _), first) = self.list.pop_first()?;
        let mut group = vec![first.1];
        let same = self.list.range((nesting.clone(), 0)..=(nesting, u64::MAX));
        let keys: Vec<Key> =
            same.filter(|(_, (_, item))| can_merge(&group[0], item)).map(|(key, _)| key.clone()).collect();
        group.extend(keys.iter().filter_map(|key| self.list.remove(key)).map(|(_, item)| item));
        Some(group)
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.list.values().map(|(_, item)| item)
    }

    /// Removes the paths that are not to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.list.retain(|_, (_, item)| keep(item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(location: u64, depth: u32, nesting: u32) -> Rank {
        Rank { location, depth, nesting: vec![nesting], distance: Distance::new(u64::from(depth)) }
    }

    fn taken(order: Order, items: &[(u64, u32)]) -> Vec<usize> {
        let mut waitlist = Waitlist::new(order, 1);
        for (i, (location, depth)) in items.iter().enumerate() {
            waitlist.push(rank(*location, *depth, *depth), i);
        }
        std::iter::from_fn(|| waitlist.pop()).collect()
    }

    #[test]
    fn every_order_takes_everything_once() {
        let items: Vec<(u64, u32)> = (0..100).map(|i| (i % 7, (i % 11) as u32)).collect();
        let tour = Order::Tour(Metric::St);
        for order in [Order::Depth, Order::Breadth, Order::Coverage, Order::Random, Order::Nested, tour] {
            let mut all = taken(order, &items);
            all.sort();
            assert_eq!(all, (0..100).collect::<Vec<_>>(), "{order:?}");
        }
    }

    #[test]
    fn paths_of_one_nesting_are_taken_together() {
        let mut waitlist = Waitlist::new(Order::Nested, 0);
        for (nesting, item) in [(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (1, 'X')] {
            waitlist.push(rank(0, 0, nesting), item);
        }
        let groups: Vec<Vec<char>> =
            std::iter::from_fn(|| waitlist.pop_group(|a, b| a.is_lowercase() == b.is_lowercase())).collect();
        assert_eq!(groups, [vec!['X'], vec!['d', 'b'], vec!['c', 'a']]);
    }

    #[test]
    fn the_location_taken_least_often_comes_first() {
        assert_eq!(taken(Order::Depth, &[(0, 0), (1, 0), (2, 0)]), [2, 1, 0]);
        assert_eq!(taken(Order::Breadth, &[(0, 0), (1, 0), (2, 0)]), [0, 1, 2]);
        // The newest at location 0, then location 1, then what is left.
        assert_eq!(taken(Order::Coverage, &[(1, 0), (0, 0), (0, 0)]), [2, 0, 1]);
    }

    #[test]
    fn the_nearest_path_comes_first_and_then_the_newest() {
        assert_eq!(taken(Order::Tour(Metric::St), &[(0, 7), (1, 2), (2, 9), (3, 2)]), [3, 1, 0, 2]);
        let mut waitlist = Waitlist::new(Order::Tour(Metric::Lf), 0);
        for (distance, item) in [(Distance::INFINITE, 'c'), (Distance::new(1 << 40), 'b'), (Distance::new(3), 'a')] {
            waitlist.push(Rank { distance, ..rank(0, 0, 0) }, item);
        }
        assert_eq!(std::iter::from_fn(|| waitlist.pop()).collect::<String>(), "abc");
    }
}
