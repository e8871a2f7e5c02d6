//! Solving data-flow equations over a function's locations by a worklist.
//!
//! A problem gives facts (a join semilattice) and what an edge does to them; the solution is the least one, so for facts
//! that only grow along finite chains the iteration ends. It is sound if `transfer` is monotone and over-approximates
//! what the edge does.

use crate::analysis::graph::Graph;
use crate::index::TiVec;
use crate::program::{EdgeId, Function, Loc};
use std::collections::BinaryHeap;

pub trait Problem {
    type Fact: Clone;

    /// The fact of a location that nothing flows into.
    fn bottom(&self) -> Self::Fact;

    /// What holds at the entry (forward) or at the exit and other stops (backward).
    fn boundary(&self, loc: Loc) -> Self::Fact;

    /// The fact at the far end of an edge, from the fact at its near end: forward from source to target, backward from
    /// target to source.
    fn transfer(&self, edge: EdgeId, fact: &Self::Fact) -> Self::Fact;

    /// Joins a fact into another; tells whether that changed.
    fn join(&self, into: &mut Self::Fact, fact: &Self::Fact) -> bool;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Forward,
    Backward,
}

/// The least fact at each location.
pub fn solve<P: Problem>(function: &Function, problem: &P, direction: Direction) -> TiVec<Loc, P::Fact> {
    let len = function.loc_count as usize;
    let mut facts: TiVec<Loc, P::Fact> = vec![problem.bottom(); len].into();
    let ranks = ranks(function, direction);
    let incoming = incoming(function);
    let mut queue = Queue::new(ranks);
    for loc in function.locs() {
        let is_boundary = match direction {
            Direction::Forward => loc == function.entry,
            Direction::Backward => function.out_edges(loc).next().is_none(),
        };
        if is_boundary {
            problem.join(&mut facts[loc], &problem.boundary(loc));
            queue.push(loc);
        } else if direction == Direction::Backward {
            // Loops without a way out use registers too.
            queue.push(loc);
        }
    }
    while let Some(loc) = queue.pop() {
        let mut visit = |edge: EdgeId, far: Loc| {
            let fact = problem.transfer(edge, &facts[loc]);
            if problem.join(&mut facts[far], &fact) {
                queue.push(far);
            }
        };
        match direction {
            Direction::Forward => function.out_edges(loc).for_each(|e| visit(e, function.edge(e).to)),
            Direction::Backward => incoming[loc].iter().for_each(|&e| visit(e, function.edge(e).from)),
        }
    }
    facts
}

/// For each location, the edges that enter it.
pub fn incoming(function: &Function) -> TiVec<Loc, Vec<EdgeId>> {
    let mut incoming: TiVec<Loc, Vec<EdgeId>> = vec![Vec::new(); function.loc_count as usize].into();
    for id in function.edge_ids() {
        incoming[function.edge(id).to].push(id);
    }
    incoming
}

/// Priorities that visit a location after those it depends on, except around loops.
fn ranks(function: &Function, direction: Direction) -> TiVec<Loc, u32> {
    let order = Graph::of_locations(function).reverse_postorder(function.entry.0);
    let mut ranks: TiVec<Loc, u32> = vec![u32::MAX; function.loc_count as usize].into();
    let last = order.len() as u32;
    for (i, &loc) in order.iter().enumerate() {
        ranks[Loc(loc)] = match direction {
            Direction::Forward => i as u32,
            Direction::Backward => last - i as u32,
        };
    }
    ranks
}

/// Locations waiting to be visited, each once, lowest rank first.
struct Queue {
    ranks: TiVec<Loc, u32>,
    heap: BinaryHeap<std::cmp::Reverse<(u32, Loc)>>,
    waiting: TiVec<Loc, bool>,
}

impl Queue {
    fn new(ranks: TiVec<Loc, u32>) -> Queue {
        let waiting = vec![false; ranks.len()].into();
        Queue { ranks, heap: BinaryHeap::new(), waiting }
    }

    fn push(&mut self, loc: Loc) {
        if !std::mem::replace(&mut self.waiting[loc], true) {
            self.heap.push(std::cmp::Reverse((self.ranks[loc], loc)));
        }
    }

    fn pop(&mut self) -> Option<Loc> {
        let std::cmp::Reverse((_, loc)) = self.heap.pop()?;
        self.waiting[loc] = false;
        Some(loc)
    }
}
