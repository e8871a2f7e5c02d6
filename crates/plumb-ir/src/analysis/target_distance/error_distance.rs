//! `abs-dist`: from each location to the nearest error location, in whatever a run calls on its way but not after it has returned
//! from the function where it is; and the distance *anywhere*, for those who do not know the calls that are active.
//!
//! One search against the edges, from all error locations at once, over two layers. In the layer `Inside` active calls stay
//! active. The layer `Anywhere` may also leave a function for any of its return locations, and goes on inside from where it
//! likes: a path first returns from what was active at its start and then enters what is active at its end, so that every
//! path that the search finds matches its calls and returns.
//!
//! What a switch of stacks leads to is not known: any location that some stack was switched away from, under any calls.

use super::distance::Distance;
use super::exit_distance::ExitDistances;
use super::flow_graph::{FlowEdgeId, FlowGraph, FlowKind, FlowLoc};
use super::metric::EdgeWeights;
use crate::index::TiVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Clone, Debug)]
pub struct ErrorDistances {
    inside: TiVec<FlowLoc, Distance>,
    anywhere: TiVec<FlowLoc, Distance>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
enum Layer {
    Inside,
    Anywhere,
}

impl ErrorDistances {
    pub fn of(graph: &FlowGraph, weights: &EdgeWeights, exits: &ExitDistances) -> ErrorDistances {
        let infinite: TiVec<FlowLoc, Distance> = vec![Distance::INFINITE; graph.loc_count()].into();
        let switches = |ends_too: bool| {
            let is_one = move |kind: &FlowKind| *kind == FlowKind::Switch || ends_too && *kind == FlowKind::EndStack;
            graph.edges.iter_enumerated().filter(move |(_, edge)| is_one(&edge.kind)).map(|(id, _)| id)
        };
        let mut is_resumed: TiVec<FlowLoc, bool> = vec![false; graph.loc_count()].into();
        switches(false).for_each(|id| is_resumed[graph.edges[id].to] = true);
        let errors = ErrorDistances { inside: infinite.clone(), anywhere: infinite };
        let switches = switches(true).collect();
        let mut search = Search { graph, weights, exits, switches, is_resumed, errors, queue: BinaryHeap::new() };
        search.run();
        search.errors
    }

    /// `abs-dist`.
    pub fn inside(&self, loc: FlowLoc) -> Distance {
        self.inside[loc]
    }

    /// The smallest distance over all call stacks.
    pub fn anywhere(&self, loc: FlowLoc) -> Distance {
        self.anywhere[loc]
    }

    fn layer(&mut self, layer: Layer) -> &mut TiVec<FlowLoc, Distance> {
        match layer {
            Layer::Inside => &mut self.inside,
            Layer::Anywhere => &mut self.anywhere,
        }
    }
}

struct Search<'a> {
    graph: &'a FlowGraph,
    weights: &'a EdgeWeights,
    exits: &'a ExitDistances,
    /// Edges on which another stack goes on; empty once the nearest location that one can go on at is known.
    switches: Vec<FlowEdgeId>,
    /// Locations at which a stack can go on.
    is_resumed: TiVec<FlowLoc, bool>,
    errors: ErrorDistances,
    queue: BinaryHeap<Reverse<(Distance, Layer, FlowLoc)>>,
}

impl Search<'_> {
    fn run(&mut self) {
        let graph = self.graph;
        for loc in graph.locs().filter(|loc| graph.is_error(*loc)) {
            self.push(Layer::Inside, loc, Distance::ZERO);
        }
        while let Some(Reverse((distance, layer, loc))) = self.queue.pop() {
            if self.errors.layer(layer)[loc] != distance {
                continue;
            }
            self.relax_incoming(layer, loc, distance);
            match layer {
                Layer::Inside => {
                    self.push(Layer::Anywhere, loc, distance);
                    self.leave_upwards(loc, distance);
                }
                Layer::Anywhere => self.leave_downwards(loc, distance),
            }
        }
    }

    fn push(&mut self, layer: Layer, loc: FlowLoc, distance: Distance) {
        let known = &mut self.errors.layer(layer)[loc];
        if distance < *known {
            *known = distance;
            self.queue.push(Reverse((distance, layer, loc)));
        }
    }

    fn relax_incoming(&mut self, layer: Layer, loc: FlowLoc, distance: Distance) {
        let graph = self.graph;
        for id in graph.incoming(loc) {
            let edge = &graph.edges[id];
            let length = match &edge.kind {
                FlowKind::Call(_) => self.exits.over_call(graph, self.weights, id).unwrap_or(Distance::INFINITE),
                FlowKind::Statement | FlowKind::Condition | FlowKind::NewStack(_) | FlowKind::Switch => {
                    Distance::new(self.weights.of(id))
                }
                FlowKind::EndStack | FlowKind::Blocked => continue,
            };
            self.push(layer, edge.from, length + distance);
        }
    }

    /// From an entry to the calls that lead there.
    fn leave_upwards(&mut self, loc: FlowLoc, distance: Distance) {
        let graph = self.graph;
        if !graph.is_entry(loc) {
            return;
        }
        let func = graph.func_of(loc);
        for id in graph.calls_of(func).chain(graph.starts_of(func)) {
            self.push(Layer::Inside, graph.edges[id].from, distance + self.weights.of(id));
        }
    }

    /// From a return location to the exits that lead there, and from where a stack goes on to all switches.
    fn leave_downwards(&mut self, loc: FlowLoc, distance: Distance) {
        let graph = self.graph;
        for id in graph.incoming(loc) {
            if let FlowKind::Call(callees) = &graph.edges[id].kind {
                for callee in callees {
                    let exit = graph.functions[*callee].exit;
                    self.push(Layer::Anywhere, exit, distance + self.weights.of_return);
                }
            }
        }
        if self.is_resumed[loc] {
            // All others are farther.
            for id in std::mem::take(&mut self.switches) {
                self.push(Layer::Inside, graph.edges[id].from, distance + self.weights.of(id));
            }
        }
    }
}
