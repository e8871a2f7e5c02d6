//! The waitlist: paths that are still to be followed, and the order in which they are.
//!
//! A tree of paths may be infinite, and even a finite one may be too large: the order decides what is explored in the time
//! there is. All orders explore the same tree.

use plumb_exec::Rng;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

/// Which path of the waitlist is followed next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The newest path first.
    #[default]
    Depth,
    /// The shortest path first.
    Breadth,
    /// The path at the location that was followed least often first.
    Coverage,
    /// A walk from the root that chooses among children evenly: short paths are likelier than long ones.
    Random,
    /// As the program is nested: the iterations of a loop one after the other and before what follows it. Paths that can be
    /// merged at a loop's head wait for each other there.
    Nested,
}

/// What an order may know of a path.
#[derive(Clone, Debug)]
pub struct Rank {
    /// A number for the location that it is at.
    pub location: u64,
    /// Decisions on it.
    pub depth: u32,
    /// Where it is in the nesting of calls and loops ([`plumb_sym::Position::order_key`]).
    pub nesting: Vec<u32>,
}

pub struct Waitlist<T> {
    list: List<T>,
    /// How often a path was taken at a location.
    taken: FxHashMap<u64, u32>,
    /// Paths that were added so far.
    added: u64,
}

enum List<T> {
    Depth(Vec<T>),
    Breadth(VecDeque<T>),
    /// By how often a path had been taken at the location when this one was added, the newest first. Brought up to date
    /// when it is taken.
    Coverage(BinaryHeap<Ranked<T>>),
    /// By depth, with the decisions: a path's chance is halved by each decision.
    Random(Vec<(u32, T)>, Rng),
    /// By nesting, and then the newest first.
    Nested(BTreeMap<(Vec<u32>, Reverse<u64>), T>),
}

struct Ranked<T> {
    rank: (Reverse<u32>, u64),
    location: u64,
    item: T,
}

impl<T> PartialEq for Ranked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.rank == other.rank
    }
}

impl<T> Eq for Ranked<T> {}

impl<T> PartialOrd for Ranked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Ranked<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank.cmp(&other.rank)
    }
}

impl<T> Waitlist<T> {
    pub fn new(order: Order, seed: u64) -> Waitlist<T> {
        let list = match order {
            Order::Depth => List::Depth(Vec::new()),
            Order::Breadth => List::Breadth(VecDeque::new()),
            Order::Coverage => List::Coverage(BinaryHeap::new()),
            Order::Random => List::Random(Vec::new(), Rng(seed)),
            Order::Nested => List::Nested(BTreeMap::new()),
        };
        Waitlist { list, taken: FxHashMap::default(), added: 0 }
    }

    pub fn len(&self) -> usize {
        match &self.list {
            List::Depth(list) => list.len(),
            List::Breadth(list) => list.len(),
            List::Coverage(list) => list.len(),
            List::Random(list, _) => list.len(),
            List::Nested(list) => list.len(),
        }
    }

    /// Whether paths are ordered by nesting.
    pub fn is_nested(&self) -> bool {
        matches!(self.list, List::Nested(_))
    }

    pub fn push(&mut self, rank: Rank, item: T) {
        self.added += 1;
        match &mut self.list {
            List::Depth(list) => list.push(item),
            List::Breadth(list) => list.push_back(item),
            List::Coverage(list) => {
                let taken = self.taken.get(&rank.location).copied().unwrap_or(0);
                list.push(Ranked { rank: (Reverse(taken), self.added), location: rank.location, item });
            }
            List::Random(list, _) => list.push((rank.depth, item)),
            List::Nested(list) => {
                list.insert((rank.nesting, Reverse(self.added)), item);
            }
        }
    }

    pub fn pop(&mut self) -> Option<T> {
        match &mut self.list {
            List::Depth(list) => list.pop(),
            List::Breadth(list) => list.pop_front(),
            List::Coverage(list) => loop {
                let mut best = list.pop()?;
                let taken = self.taken.entry(best.location).or_default();
                // Another path may have been taken there since.
                if best.rank.0.0 < *taken && !list.is_empty() {
                    best.rank.0 = Reverse(*taken);
                    list.push(best);
                    continue;
                }
                *taken += 1;
                return Some(best.item);
            },
            List::Random(list, random) => {
                // The chance of a leaf is two to the minus its depth; the shallowest is the unit.
                let least = list.iter().map(|(depth, _)| *depth).min()?;
                let weight = |depth: u32| 0.5f64.powi((depth - least).min(1000) as i32);
                let sum: f64 = list.iter().map(|(depth, _)| weight(*depth)).sum();
                let mut left = random.below(1 << 53) as f64 / (1u64 << 53) as f64 * sum;
                let found = list.iter().position(|(depth, _)| {
                    left -= weight(*depth);
                    left <= 0.0
                });
                let at = found.unwrap_or(list.len() - 1);
                Some(list.swap_remove(at).1)
            }
            List::Nested(list) => list.pop_first().map(|(_, item)| item),
        }
    }

    /// The next path, with all others of the same nesting that can be merged with it.
    pub fn pop_group(&mut self, can_merge: impl Fn(&T, &T) -> bool) -> Option<Vec<T>> {
        let List::Nested(list) = &mut self.list else { return self.pop().map(|one| vec![one]) };
        let ((nesting, _), first) = list.pop_first()?;
        let mut group = vec![first];
        let same = list.range((nesting.clone(), Reverse(u64::MAX))..=(nesting, Reverse(0)));
        let keys: Vec<_> = same.filter(|(_, item)| can_merge(&group[0], item)).map(|(key, _)| key.clone()).collect();
        group.extend(keys.iter().filter_map(|key| list.remove(key)));
        Some(group)
    }

    pub fn iter(&self) -> Box<dyn Iterator<Item = &T> + '_> {
        match &self.list {
            List::Depth(list) => Box::new(list.iter()),
            List::Breadth(list) => Box::new(list.iter()),
            List::Coverage(list) => Box::new(list.iter().map(|ranked| &ranked.item)),
            List::Random(list, _) => Box::new(list.iter().map(|(_, item)| item)),
            List::Nested(list) => Box::new(list.values()),
        }
    }

    /// Removes the paths that are not to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        match &mut self.list {
            List::Depth(list) => list.retain(|item| keep(item)),
            List::Breadth(list) => list.retain(|item| keep(item)),
            List::Coverage(list) => {
                let all = std::mem::take(list);
                *list = all.into_iter().filter(|ranked| keep(&ranked.item)).collect();
            }
            List::Random(list, _) => list.retain(|(_, item)| keep(item)),
            List::Nested(list) => list.retain(|_, item| keep(item)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(order: Order, items: &[(u64, u32)]) -> Vec<usize> {
        let mut waitlist = Waitlist::new(order, 1);
        for (i, (location, depth)) in items.iter().enumerate() {
            waitlist.push(Rank { location: *location, depth: *depth, nesting: vec![*depth] }, i);
        }
        std::iter::from_fn(|| waitlist.pop()).collect()
    }

    #[test]
    fn every_order_takes_everything_once() {
        let items: Vec<(u64, u32)> = (0..100).map(|i| (i % 7, (i % 11) as u32)).collect();
        for order in [Order::Depth, Order::Breadth, Order::Coverage, Order::Random, Order::Nested] {
            let mut all = taken(order, &items);
            all.sort();
            assert_eq!(all, (0..100).collect::<Vec<_>>(), "{order:?}");
        }
    }

    #[test]
    fn paths_of_one_nesting_are_taken_together() {
        let mut waitlist = Waitlist::new(Order::Nested, 0);
        for (nesting, item) in [(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (1, 'X')] {
            waitlist.push(Rank { location: 0, depth: 0, nesting: vec![nesting] }, item);
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
}
