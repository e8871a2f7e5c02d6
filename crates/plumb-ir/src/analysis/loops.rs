//! Loops and their nesting, for any control flow.
//!
//! The forest is built from strongly connected components: a component with a cycle is a loop; the one location through
//! which it is entered is its head; without the head the rest falls into smaller components, which are the loops inside.
//! For reducible control flow these are exactly the natural loops. A component with several entries (a goto into a
//! loop) is irreducible: the entry that comes first in reverse postorder is made its head, and the loop is marked.
//!
//! Every cycle contains the head of some loop: a cycle lies in one component, and either meets its head or stays in the
//! rest. Engines that cut, join or widen at heads therefore cut every cycle.

use crate::analysis::graph::Graph;
use crate::index::TiVec;
use crate::program::{FuncId, Function, Loc, Program};
use plumb_c::source::Place;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct LoopId(pub u32);

plumb_c::index_types!(LoopId);

/// A loop of a program.
pub type LoopKey = (FuncId, LoopId);

#[derive(Clone, Debug)]
pub struct Loop {
    pub head: Loc,
    /// All locations of the loop, those of inner loops and the head included, in order.
    pub body: Vec<Loc>,
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Whether it can be entered elsewhere than at its head.
    pub irreducible: bool,
}

/// Where the loop with this head is in the source.
pub fn place_of(program: &Program, function: &Function, head: Loc) -> Option<Place> {
    let leaving = function.out_edges(head).map(|e| function.edge(e).span);
    let entering = function.edges.iter().filter(|e| e.to == head).map(|e| e.span);
    leaving.chain(entering).find_map(|span| program.sources.place(span))
}

/// The loops of one function, outer ones before those inside them.
#[derive(Clone, Debug)]
pub struct Loops {
    pub loops: TiVec<LoopId, Loop>,
    innermost: TiVec<Loc, Option<LoopId>>,
    is_head: TiVec<Loc, bool>,
}

impl Loops {
    /// The loops among the locations that the entry reaches.
    pub fn of(function: &Function) -> Loops {
        let graph = Graph::of_locations(function);
        let order = graph.reverse_postorder(function.entry.0);
        let len = function.loc_count as usize;
        let mut rank = vec![u32::MAX; len];
        for (i, &node) in order.iter().enumerate() {
            rank[node as usize] = i as u32;
        }
        let mut result =
            Loops { loops: TiVec::new(), innermost: vec![None; len].into(), is_head: vec![false; len].into() };
        // The region a location is in now; 0 means that it is in none that is still to be searched.
        let mut region = vec![0u32; len];
        for &node in &order {
            region[node as usize] = 1;
        }
        let mut regions = 1;
        let mut work: Vec<(Vec<u32>, Option<LoopId>, u32)> = vec![(order, None, 1)];
        while let Some((nodes, parent, number)) = work.pop() {
            let components = graph.components(&nodes, |n| region[n as usize] == number);
            for mut component in components {
                let has_cycle = component.len() > 1 || graph.succ(component[0]).contains(&component[0]);
                regions += 1;
                for &node in &component {
                    region[node as usize] = regions;
                }
                if !has_cycle {
                    continue;
                }
                component.sort_by_key(|&n| rank[n as usize]);
                let inside = |n: u32| region[n as usize] == regions;
                let is_entry = |&n: &u32| {
                    n == function.entry.0 || graph.pred(n).iter().any(|&p| !inside(p) && rank[p as usize] != u32::MAX)
                };
                let entries: Vec<u32> = component.iter().copied().filter(is_entry).collect();
                let head = entries.first().copied().unwrap_or(component[0]);
                let id = result.add(&component, head, parent, entries.len() > 1);
                region[head as usize] = 0;
                component.retain(|&n| n != head);
                work.push((component, Some(id), regions));
            }
        }
        result
    }

    fn add(&mut self, component: &[u32], head: u32, parent: Option<LoopId>, irreducible: bool) -> LoopId {
        let id = self.loops.next_key();
        let mut body: Vec<Loc> = component.iter().map(|&n| Loc(n)).collect();
        body.sort();
        for loc in &body {
            self.innermost[*loc] = Some(id);
        }
        self.is_head[Loc(head)] = true;
        let depth = parent.map_or(1, |p| self.loops[p].depth + 1);
        self.loops.push(Loop { head: Loc(head), body, parent, depth, irreducible });
        id
    }

    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id]
    }

    /// The smallest loop around a location.
    pub fn innermost(&self, loc: Loc) -> Option<LoopId> {
        self.innermost[loc]
    }

    pub fn is_head(&self, loc: Loc) -> bool {
        self.is_head[loc]
    }

    /// How many loops are around a location.
    pub fn depth(&self, loc: Loc) -> u32 {
        self.innermost(loc).map_or(0, |id| self.get(id).depth)
    }

    /// Whether the loop contains the location.
    pub fn contains(&self, id: LoopId, loc: Loc) -> bool {
        self.get(id).body.binary_search(&loc).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{graph, numbers};

    #[test]
    fn nested_loops_have_their_heads() {
        // 0 -> 2 -> 3 -> 4 -> 3, 4 -> 2, 2 -> 1
        let f = graph(5, &[(0, 2), (2, 3), (3, 4), (4, 3), (4, 2), (2, 1)]);
        let loops = Loops::of(&f);
        assert_eq!(loops.loops.len(), 2);
        assert_eq!(loops.get(LoopId(0)).head, Loc(2));
        assert_eq!(loops.get(LoopId(1)).head, Loc(3));
        assert_eq!(loops.get(LoopId(1)).parent, Some(LoopId(0)));
        assert_eq!((loops.depth(Loc(4)), loops.depth(Loc(2)), loops.depth(Loc(1))), (2, 1, 0));
        assert!(loops.loops.iter().all(|l| !l.irreducible));
    }

    #[test]
    fn a_loop_with_two_entries_is_irreducible() {
        let loops = Loops::of(&graph(4, &[(0, 2), (0, 3), (2, 3), (3, 2), (3, 1)]));
        assert_eq!(loops.loops.len(), 1);
        assert!(loops.get(LoopId(0)).irreducible);
    }

    #[test]
    fn every_cycle_of_random_graphs_has_a_head() {
        let mut random = numbers(99);
        for _ in 0..500 {
            let locs = 2 + random(9);
            let edges: Vec<(u32, u32)> = (0..random(20)).map(|_| (random(locs), random(locs))).collect();
            let f = graph(locs, &edges);
            let loops = Loops::of(&f);
            let reached = Graph::of_locations(&f).reverse_postorder(0);
            let without_heads: Vec<(u32, u32)> =
                edges.iter().copied().filter(|e| !loops.is_head(Loc(e.0)) && !loops.is_head(Loc(e.1))).collect();
            let rest = Graph::new(locs as usize, &without_heads);
            for component in rest.components(&reached, |n| reached.contains(&n)) {
                assert!(component.len() == 1 && !rest.succ(component[0]).contains(&component[0]), "{edges:?}");
            }
        }
    }
}
