//! An order of locations in which every loop is in one piece (a weak topological order, Bourdoncle 1993).
//!
//! A loop's head comes first, then what is inside, then what comes after the loop. Every edge leads forward, or to the
//! head of a loop around its source; in irreducible control flow also into a loop past its head. An explorer that always
//! takes what is first in this order has finished all iterations of a loop before it looks at what comes behind it.

use crate::analysis::graph::Graph;
use crate::analysis::loops::{LoopId, Loops};
use crate::index::TiVec;
use crate::program::{Function, Loc};

#[derive(Clone, Debug)]
pub struct NestedOrder {
    rank: TiVec<Loc, u32>,
}

/// What is still to be put in order: the parts of one region, last one first.
enum Part {
    Location(u32),
    Loop(LoopId),
}

impl NestedOrder {
    pub fn of(function: &Function, loops: &Loops) -> NestedOrder {
        let graph = Graph::of_locations(function);
        let mut rank = vec![u32::MAX; function.loc_count as usize];
        let mut next = 0;
        let mut place = |loc: u32| {
            rank[loc as usize] = next;
            next += 1;
        };
        let reachable = graph.reverse_postorder(function.entry.0);
        let mut stack = parts(&graph, loops, &reachable, None);
        while let Some(part) = stack.pop() {
            match part {
                Part::Location(loc) => place(loc),
                Part::Loop(id) => {
                    let head = loops.get(id).head;
                    place(head.0);
                    let rest: Vec<u32> = loops.get(id).body.iter().map(|l| l.0).filter(|l| *l != head.0).collect();
                    stack.extend(parts(&graph, loops, &rest, Some(id)));
                }
            }
        }
        NestedOrder { rank: rank.into() }
    }

    /// A location's number in the order; the largest number there is for what the entry does not reach.
    pub fn rank(&self, loc: Loc) -> u32 {
        self.rank[loc]
    }
}

/// The parts of a region, last first: single locations, and the loops directly inside of `around`.
fn parts(graph: &Graph, loops: &Loops, nodes: &[u32], around: Option<LoopId>) -> Vec<Part> {
    let depth = around.map_or(0, |id| loops.get(id).depth);
    let mut inside = vec![false; graph.len()];
    nodes.iter().for_each(|n| inside[*n as usize] = true);
    let components = graph.components(nodes, |n| inside[n as usize]);
    let part = |component: Vec<u32>| {
        let mut id = loops.innermost(Loc(component[0]));
        // The loop one level further in than the region.
        while let Some(inner) = id
            && loops.get(inner).depth > depth + 1
        {
            id = loops.get(inner).parent;
        }
        match id {
            Some(id) if loops.get(id).depth == depth + 1 => Part::Loop(id),
            Some(_) | None => Part::Location(component[0]),
        }
    };
    components.into_iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{graph, numbers};

    #[test]
    fn loops_are_in_one_piece_and_edges_lead_forward() {
        let mut random = numbers(7);
        for _ in 0..500 {
            let count = 3 + random(10);
            let edges: Vec<(u32, u32)> = (0..count * 2).map(|_| (random(count), random(count))).collect();
            let function = graph(count, &edges);
            let loops = Loops::of(&function);
            let order = NestedOrder::of(&function, &loops);
            for l in &loops.loops {
                let mut ranks: Vec<u32> = l.body.iter().map(|loc| order.rank(*loc)).collect();
                ranks.sort_unstable();
                assert_eq!(ranks[0], order.rank(l.head));
                assert_eq!(ranks[ranks.len() - 1] - ranks[0] + 1, ranks.len() as u32);
            }
            let reached = |loc: Loc| order.rank(loc) != u32::MAX;
            for edge in function.edges.iter().filter(|e| reached(e.from)) {
                let heads_home = loops.loops.iter().any(|l| l.head == edge.to && l.body.contains(&edge.from));
                assert!(order.rank(edge.from) < order.rank(edge.to) || heads_home, "{edges:?}: {:?}", edge);
            }
        }
    }
}
