//! Dominators and post-dominators, by the iteration of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm",
//! 2001): immediate dominators are intersected along the partial tree in reverse postorder until nothing changes.
//!
//! Post-dominators are dominators of the reversed graph from a virtual node behind every stop.

use crate::analysis::graph::Graph;
use crate::program::{Function, Loc};

/// A tree over a function's locations in which those above one dominate it, or post-dominate it.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// The immediate dominator; the root's is itself. `NONE` for what the root does not reach.
    idom: Vec<u32>,
    root: u32,
    locs: u32,
}

const NONE: u32 = u32::MAX;

impl Dominators {
    /// Which locations lie on every path from the entry.
    pub fn of(function: &Function) -> Dominators {
        Dominators::compute(&Graph::of_locations(function), function.entry.0, function.loc_count)
    }

    /// Which locations lie on every path to a stop. A run that stays in an endless loop counts as ending at one location of it, so
    /// that every location that the entry reaches is in the tree. What lies on every path to a stop, or to that location where there is none,
    /// lies on every path that does not stay in some other loop for ever.
    pub fn post(function: &Function) -> Dominators {
        let virtual_end = function.loc_count;
        let forward = Graph::of_locations(function);
        let order = forward.reverse_postorder(function.entry.0);
        let mut ends: Vec<u32> = order.iter().copied().filter(|&loc| forward.succ(loc).is_empty()).collect();
        let mut reaches_end = vec![false; function.loc_count as usize];
        let mut stack = ends.clone();
        while let Some(loc) = stack.pop() {
            if !std::mem::replace(&mut reaches_end[loc as usize], true) {
                stack.extend(forward.pred(loc));
            }
        }
        let endless: Vec<u32> = order.iter().copied().filter(|&loc| !reaches_end[loc as usize]).collect();
        let mut component = vec![NONE; function.loc_count as usize];
        let components = forward.components(&endless, |loc| !reaches_end[loc as usize]);
        for (i, members) in components.iter().enumerate() {
            members.iter().for_each(|&loc| component[loc as usize] = i as u32);
        }
        for (i, members) in components.iter().enumerate() {
            let stays = |loc: &u32| forward.succ(*loc).iter().all(|&to| component[to as usize] == i as u32);
            if members.iter().all(stays) {
                // The one that is reached first: the head of the loop.
                ends.extend(endless.iter().copied().find(|&loc| component[loc as usize] == i as u32));
            }
        }
        let mut edges: Vec<(u32, u32)> = function.edges.iter().map(|e| (e.to.0, e.from.0)).collect();
        edges.extend(ends.into_iter().map(|loc| (virtual_end, loc)));
        let graph = Graph::new(virtual_end as usize + 1, &edges);
        Dominators::compute(&graph, virtual_end, function.loc_count)
    }

    fn compute(graph: &Graph, root: u32, locs: u32) -> Dominators {
        let order = graph.reverse_postorder(root);
        let mut rank = vec![NONE; graph.len()];
        for (i, &node) in order.iter().enumerate() {
            rank[node as usize] = i as u32;
        }
        let mut idom = vec![NONE; graph.len()];
        idom[root as usize] = root;
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &order[1..] {
                let processed = graph.pred(node).iter().copied().filter(|&p| idom[p as usize] != NONE);
                let new = processed.reduce(|a, b| intersect(&idom, &rank, a, b)).unwrap_or(NONE);
                if idom[node as usize] != new {
                    idom[node as usize] = new;
                    changed = true;
                }
            }
        }
        Dominators { idom, root, locs }
    }

    /// The closest other location that dominates this one.
    pub fn immediate(&self, loc: Loc) -> Option<Loc> {
        let up = self.idom[loc.0 as usize];
        (up != NONE && loc.0 != self.root && up < self.locs).then_some(Loc(up))
    }

    /// Whether the location is in the tree at all.
    pub fn is_reached(&self, loc: Loc) -> bool {
        self.idom[loc.0 as usize] != NONE
    }

    /// Whether every path to `b` passes `a`; every location of the tree dominates itself.
    pub fn dominates(&self, a: Loc, b: Loc) -> bool {
        self.is_reached(b) && std::iter::successors(Some(b), |&loc| self.immediate(loc)).any(|loc| loc == a)
    }
}

fn intersect(idom: &[u32], rank: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while rank[a as usize] > rank[b as usize] {
            a = idom[a as usize];
        }
        while rank[b as usize] > rank[a as usize] {
            b = idom[b as usize];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{graph, numbers};

    /// By definition: `a` dominates `b` if removing `a` cuts `b` off.
    fn brute_force(graph: &[(u32, u32)], locs: u32, root: u32, a: u32, b: u32) -> bool {
        let reach = |without: u32| {
            let mut seen = vec![false; locs as usize];
            let mut stack = vec![root];
            while let Some(n) = stack.pop() {
                if n == without || std::mem::replace(&mut seen[n as usize], true) {
                    continue;
                }
                stack.extend(graph.iter().filter(|e| e.0 == n).map(|e| e.1));
            }
            seen
        };
        reach(NONE)[b as usize] && reach(NONE)[a as usize] && !reach(a)[b as usize]
    }

    #[test]
    fn dominators_are_those_of_the_definition() {
        let mut random = numbers(54321);
        for _ in 0..300 {
            let locs = 2 + random(8);
            let edges: Vec<(u32, u32)> = (0..random(16)).map(|_| (random(locs), random(locs))).collect();
            let dominators = Dominators::of(&graph(locs, &edges));
            for (a, b) in (0..locs).flat_map(|a| (0..locs).map(move |b| (a, b))) {
                let expected = brute_force(&edges, locs, 0, a, b);
                assert_eq!(dominators.dominates(Loc(a), Loc(b)), expected, "{a} over {b} in {edges:?}");
            }
        }
    }

    /// Of graphs in which every location that the entry reaches gets to a stop.
    #[test]
    fn agrees_with_the_definition_on_random_graphs() {
        let mut random = numbers(12345);
        let mut compared = 0;
        while compared < 300 {
            let locs = 2 + random(8);
            let edges: Vec<(u32, u32)> = (0..random(16)).map(|_| (random(locs), random(locs))).collect();
            let function = graph(locs, &edges);
            let reached = Graph::of_locations(&function).reverse_postorder(0);
            let end = locs;
            let mut reversed: Vec<(u32, u32)> = edges.iter().map(|&(a, b)| (b, a)).collect();
            let stops = reached.iter().copied().filter(|n| !edges.iter().any(|e| e.0 == *n));
            reversed.extend(stops.map(|n| (end, n)));
            let is_in = |loc: u32| brute_force(&reversed, locs + 1, end, loc, loc);
            if !reached.iter().all(|loc| is_in(*loc)) {
                continue;
            }
            compared += 1;
            let tree = Dominators::post(&function);
            for (a, b) in (0..locs).flat_map(|a| (0..locs).map(move |b| (a, b))) {
                let above = std::iter::successors(Some(Loc(b)), |loc| tree.immediate(*loc));
                let dominates = tree.is_reached(Loc(b)) && above.into_iter().any(|loc| loc == Loc(a));
                assert_eq!(dominates, brute_force(&reversed, locs + 1, end, a, b), "{edges:?} {a} {b}");
            }
        }
    }
}
