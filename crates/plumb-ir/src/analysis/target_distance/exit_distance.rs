//! `exit-dist`: from each location to the exit of its function, through whole calls.
//!
//! Functions are annotated in the order of the call graph, since a call is as long as its callee's shortest path from entry to exit
//! (the thesis's `FW`). In a recursive component no function can be first; the thesis calls `exit-dist*` for each of its
//! functions, which ignores calls of unknown length and so finds the shortest *base case*, and takes the function with the shortest
//! one out of the dependency graph. That is Knuth's generalisation of Dijkstra's algorithm (1977): the smallest candidate
//! can not become smaller any more, whatever the others turn out to be. So the whole component is searched with one queue: a
//! call of a function that is not settled waits until its entry is.
//!
//! Figures 3.7 and 3.11 mark a location as visited when it is first seen, which is right only where all weights are equal: a
//! call is seen from a near return location although it may be long. Here a location is settled when it is taken from the
//! queue.

use super::distance::Distance;
use super::flow_graph::{FlowEdgeId, FlowFuncId, FlowGraph, FlowKind, FlowLoc};
use super::metric::EdgeWeights;
use crate::index::TiVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How the shortest path through a function became known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Annotation {
    /// Of all its callees it was known before (`exit-dist`).
    AfterCallees,
    /// Some function that it calls was not known yet (`exit-dist*`).
    ByBaseCase,
    /// No run returns from it.
    NeverReturns,
}

#[derive(Clone, Debug)]
pub struct ExitDistances {
    by_loc: TiVec<FlowLoc, Distance>,
    /// Functions in the order in which their shortest distances became known.
    pub order: Vec<(FlowFuncId, Annotation)>,
}

impl ExitDistances {
    pub fn of(graph: &FlowGraph, weights: &EdgeWeights) -> ExitDistances {
        let by_loc = vec![Distance::INFINITE; graph.loc_count()].into();
        let mut component_of: TiVec<FlowFuncId, u32> = vec![0; graph.functions.len()].into();
        let components = graph.components();
        for (number, members) in components.iter().enumerate() {
            members.iter().for_each(|func| component_of[*func] = number as u32);
        }
        let exits = ExitDistances { by_loc, order: Vec::new() };
        let is_settled = vec![false; graph.loc_count()].into();
        let mut search = Search { graph, weights, component_of, is_settled, exits, queue: BinaryHeap::new() };
        components.iter().for_each(|members| search.annotate(members));
        search.exits
    }

    /// From a location to the exit of its function.
    pub fn of_loc(&self, loc: FlowLoc) -> Distance {
        self.by_loc[loc]
    }

    /// The shortest path through a function: the thesis's `FW`.
    pub fn through(&self, graph: &FlowGraph, func: FlowFuncId) -> Distance {
        self.by_loc[graph.functions[func].entry]
    }

    /// The shortest path from a call location to its return location, if the edge is a call.
    pub fn over_call(&self, graph: &FlowGraph, weights: &EdgeWeights, edge: FlowEdgeId) -> Option<Distance> {
        let FlowKind::Call(callees) = &graph.edges[edge].kind else { return None };
        let shortest = callees.iter().map(|callee| self.through(graph, *callee)).min();
        Some(shortest.unwrap_or(Distance::INFINITE) + weights.of(edge) + weights.of_return)
    }
}

struct Search<'a> {
    graph: &'a FlowGraph,
    weights: &'a EdgeWeights,
    component_of: TiVec<FlowFuncId, u32>,
    is_settled: TiVec<FlowLoc, bool>,
    exits: ExitDistances,
    queue: BinaryHeap<Reverse<(Distance, FlowLoc)>>,
}

impl Search<'_> {
    /// Annotates a component whose callees elsewhere are annotated.
    fn annotate(&mut self, members: &[FlowFuncId]) {
        for func in members {
            self.push(self.graph.functions[*func].exit, Distance::ZERO);
        }
        while let Some(Reverse((distance, loc))) = self.queue.pop() {
            if std::mem::replace(&mut self.is_settled[loc], true) {
                continue;
            }
            debug_assert_eq!(self.exits.by_loc[loc], distance);
            self.relax_incoming(loc, distance);
            let func = self.graph.func_of(loc);
            if self.graph.functions[func].entry == loc {
                self.note_known(func);
                self.relax_waiting_calls(func, distance);
            }
        }
        for func in members {
            if !self.is_known(*func) {
                self.exits.order.push((*func, Annotation::NeverReturns));
            }
        }
    }

    fn push(&mut self, loc: FlowLoc, distance: Distance) {
        if distance < self.exits.by_loc[loc] {
            self.exits.by_loc[loc] = distance;
            self.queue.push(Reverse((distance, loc)));
        }
    }

    fn is_known(&self, func: FlowFuncId) -> bool {
        self.is_settled[self.graph.functions[func].entry]
    }

    fn relax_incoming(&mut self, loc: FlowLoc, distance: Distance) {
        let graph = self.graph;
        for id in graph.incoming(loc) {
            let edge = &graph.edges[id];
            let length = match &edge.kind {
                FlowKind::Call(callees) => {
                    let known = callees.iter().filter(|callee| self.is_known(**callee));
                    let Some(shortest) = known.map(|callee| self.exits.through(graph, *callee)).min() else { continue };
                    shortest + self.weights.of(id) + self.weights.of_return
                }
                FlowKind::Statement | FlowKind::Condition | FlowKind::NewStack(_) | FlowKind::Switch => {
                    Distance::new(self.weights.of(id))
                }
                FlowKind::EndStack | FlowKind::Blocked => continue,
            };
            self.push(edge.from, length + distance);
        }
    }

    /// Calls whose return locations were settled before the way through the callee was known.
    fn relax_waiting_calls(&mut self, callee: FlowFuncId, through: Distance) {
        let graph = self.graph;
        for id in graph.calls_of(callee) {
            let edge = &graph.edges[id];
            let is_here = self.component_of[graph.func_of(edge.from)] == self.component_of[callee];
            if is_here && self.is_settled[edge.to] {
                let length = through + self.weights.of(id) + self.weights.of_return;
                self.push(edge.from, length + self.exits.by_loc[edge.to]);
            }
        }
    }

    fn note_known(&mut self, func: FlowFuncId) {
        let here = self.component_of[func];
        let is_unknown = |callee: &FlowFuncId| self.component_of[*callee] == here && !self.is_known(*callee);
        let mut kinds = self.graph.edges_of(func).map(|edge| &edge.kind);
        // A function that calls itself is among its unknown callees: its entry has just been settled.
        let calls_unknown = kinds.any(|kind| match kind {
            FlowKind::Call(callees) => callees.iter().any(|callee| *callee == func || is_unknown(callee)),
            FlowKind::Statement
            | FlowKind::Condition
            | FlowKind::NewStack(_)
            | FlowKind::Switch
            | FlowKind::EndStack
            | FlowKind::Blocked => false,
        });
        let annotation = if calls_unknown { Annotation::ByBaseCase } else { Annotation::AfterCallees };
        self.exits.order.push((func, annotation));
    }
}
