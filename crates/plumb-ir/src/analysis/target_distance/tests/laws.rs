//! Distances against brute force: Dijkstra's algorithm over configurations, a location with the stack of its return locations,
//! on thousands of random graphs with and without recursion.
//!
//! Stacks of the brute force are bounded. A shortest path needs no function twice among the calls that it makes and leaves active,
//! and none twice in the nest of a call that it returns from: so twice the number of functions on top of the first stack are enough.

use super::super::call_context::{CallContext, TargetDistances};
use super::super::distance::Distance;
use super::super::flow_graph::{FlowFuncId, FlowGraph, FlowGraphBuilder, FlowKind, FlowLoc};
use super::super::metric::{EdgeWeights, Metric};
use crate::index::TiVec;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32 % limit
    }
}

/// Up to four functions with up to five locations each and few calls. Without recursion a function calls those before it only.
pub fn random_graph(random: &mut Random, is_recursive: bool) -> FlowGraph {
    let functions = 1 + random.below(4);
    let mut calls_left = 4;
    let mut builder = FlowGraphBuilder::default();
    let mut locs_of = Vec::new();
    for func in 0..functions {
        let locs = 1 + random.below(5);
        let callable = if is_recursive { functions } else { func };
        let edges: Vec<(u32, u32, FlowKind)> = (0..random.below(2 * locs + 1))
            .map(|_| {
                let kind = match random.below(8) {
                    0..=2 if callable > 0 && calls_left > 0 => {
                        let count = 1 + random.below(2).min(calls_left - 1);
                        calls_left -= count;
                        FlowKind::Call((0..count).map(|_| FlowFuncId(random.below(callable))).collect())
                    }
                    3 => FlowKind::Blocked,
                    4 | 5 => FlowKind::Condition,
                    _ => FlowKind::Statement,
                };
                (random.below(locs), random.below(locs), kind)
            })
            .collect();
        builder.function(locs, random.below(locs), random.below(locs), edges);
        locs_of.push(locs);
    }
    let all: u32 = locs_of.iter().sum();
    for loc in (0..all).map(FlowLoc) {
        if random.below(4) == 0 {
            builder.loop_head(loc);
        }
    }
    for _ in 0..random.below(3) {
        builder.error(FlowLoc(random.below(all)));
    }
    builder.finish()
}

/// The weights of a metric, or any, zeros among them.
fn random_weights(random: &mut Random, graph: &FlowGraph) -> EdgeWeights {
    let metric = Metric::ALL[random.below(4) as usize];
    let mut weights = metric.weights(graph);
    if random.below(2) == 0 {
        graph.edges.keys().for_each(|edge| weights.set(edge, random.below(6) as u64));
        weights.of_return = random.below(3) as u64;
    }
    weights
}

/// A stack as a call may have it: return locations, the outermost first, and the function that runs.
fn random_stack(random: &mut Random, graph: &FlowGraph) -> (Vec<FlowLoc>, FlowFuncId) {
    let mut stack = Vec::new();
    let mut func = FlowFuncId(random.below(graph.functions.len() as u32));
    for _ in 0..random.below(4) {
        let calls: Vec<_> = graph.edges_of(func).filter(|edge| matches!(edge.kind, FlowKind::Call(_))).collect();
        if calls.is_empty() {
            break;
        }
        let edge = calls[random.below(calls.len() as u32) as usize];
        let FlowKind::Call(callees) = &edge.kind else { unreachable!() };
        stack.push(edge.to);
        func = callees[random.below(callees.len() as u32) as usize];
    }
    (stack, func)
}

/// The shortest path from a configuration to one that is a goal, by search in the unfolded graph.
fn unfolded(
    graph: &FlowGraph,
    weights: &EdgeWeights,
    start: (FlowLoc, Vec<FlowLoc>),
    is_goal: impl Fn(FlowLoc, &[FlowLoc]) -> bool,
) -> Distance {
    let most = start.1.len() + 2 * graph.functions.len();
    let mut best: FxHashMap<(FlowLoc, Vec<FlowLoc>), u64> = FxHashMap::default();
    let mut queue = BinaryHeap::from([Reverse((0, start.0, start.1))]);
    while let Some(Reverse((length, loc, stack))) = queue.pop() {
        if is_goal(loc, &stack) {
            return Distance::new(length);
        }
        match best.get_mut(&(loc, stack.clone())) {
            Some(known) if *known <= length => continue,
            Some(known) => *known = length,
            None => drop(best.insert((loc, stack.clone()), length)),
        }
        for (id, edge) in graph.edges.iter_enumerated().filter(|(_, edge)| edge.from == loc) {
            let longer = length + weights.of(id);
            match &edge.kind {
                FlowKind::Blocked => {}
                FlowKind::Call(callees) if stack.len() < most => {
                    for callee in callees {
                        let mut deeper = stack.clone();
                        deeper.push(edge.to);
                        queue.push(Reverse((longer, graph.functions[*callee].entry, deeper)));
                    }
                }
                FlowKind::Call(_) => {}
                _ => queue.push(Reverse((longer, edge.to, stack.clone()))),
            }
        }
        if graph.functions[graph.func_of(loc)].exit == loc
            && let Some((return_loc, rest)) = stack.split_last()
        {
            queue.push(Reverse((length + weights.of_return, *return_loc, rest.to_vec())));
        }
    }
    Distance::INFINITE
}

/// By how much a run of the usual tests is multiplied.
fn rounds(usual: u32) -> u32 {
    std::env::var("PLUMB_DISTANCE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn compare(is_recursive: bool, seed: u64) {
    let mut random = Random(seed);
    let (mut finite, mut over_exit, mut recursive) = (0, 0, 0);
    for round in 0..rounds(2_000) {
        let graph = random_graph(&mut random, is_recursive);
        let weights = random_weights(&mut random, &graph);
        let distances = TargetDistances::new(&graph, &weights);
        recursive += u32::from(graph.components().len() < graph.functions.len());
        let (stack, func) = random_stack(&mut random, &graph);
        let context = distances.context(stack.iter().copied());
        for loc in graph.functions[func].locs.clone().map(FlowLoc) {
            let name = || format!("round {round}, {loc:?} under {stack:?} of {graph:#?} with {weights:?}");
            let is_error = |at: FlowLoc, _: &[FlowLoc]| graph.is_error(at);
            let expected = unfolded(&graph, &weights, (loc, stack.clone()), is_error);
            assert_eq!(distances.distance(loc, context), expected, "dist: {}", name());
            // Without a caller nothing is over the exit.
            let alone = unfolded(&graph, &weights, (loc, Vec::new()), is_error);
            assert_eq!(distances.abs_dist(loc), alone, "abs-dist: {}", name());
            let exit = graph.functions[func].exit;
            let at_exit = |at: FlowLoc, stack: &[FlowLoc]| at == exit && stack.is_empty();
            let expected_exit = unfolded(&graph, &weights, (loc, Vec::new()), at_exit);
            assert_eq!(distances.exit_dist(loc), expected_exit, "exit-dist: {}", name());
            assert!(distances.anywhere(loc) <= expected, "anywhere: {}", name());
            finite += u32::from(expected.is_finite());
            over_exit += u32::from(expected < alone);
        }
    }
    // The laws have been tried on what they are about.
    assert!(finite > 1_000 && over_exit > 50, "{finite} finite distances, {over_exit} over an exit");
    assert!(!is_recursive || recursive > 100, "{recursive} graphs with mutual recursion");
}

#[test]
fn distances_are_those_of_the_unfolded_graph() {
    compare(false, 11);
}

#[test]
fn distances_are_those_of_the_unfolded_graph_with_recursion() {
    compare(true, 23);
}

/// The distance anywhere is the smallest over all call stacks: stacks without recursion are tried one by one.
#[test]
fn the_distance_anywhere_is_the_smallest_over_all_contexts() {
    let mut random = Random(5);
    let mut below = 0;
    for _ in 0..rounds(2_000) {
        let graph = random_graph(&mut random, false);
        let weights = random_weights(&mut random, &graph);
        let distances = TargetDistances::new(&graph, &weights);
        // Callers have higher numbers.
        let mut contexts: TiVec<FlowFuncId, Vec<CallContext>> =
            vec![vec![CallContext::OUTERMOST]; graph.functions.len()].into();
        for func in graph.functions.keys().rev() {
            for edge in graph.edges_of(func) {
                let FlowKind::Call(callees) = &edge.kind else { continue };
                let here = contexts[func].clone();
                for callee in callees {
                    let new = here.iter().map(|context| distances.call(edge.to, *context));
                    contexts[*callee].extend(new);
                }
            }
        }
        for loc in graph.locs() {
            let of_func = &contexts[graph.func_of(loc)];
            let smallest = of_func.iter().map(|context| distances.distance(loc, *context)).min().unwrap();
            assert_eq!(distances.anywhere(loc), smallest, "{loc:?} of {graph:#?} with {weights:?}");
            below += u32::from(smallest < distances.abs_dist(loc));
        }
    }
    assert!(below > 100, "{below}");
}
