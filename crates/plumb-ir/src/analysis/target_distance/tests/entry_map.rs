//! The map of entries against call stacks written out.

use super::super::call_context::TargetDistances;
use super::super::distance::Distance;
use super::super::entry_map::{BlockCall, EntryMap, StateId};
use super::super::flow_graph::{FlowFuncId, FlowGraph, FlowGraphBuilder, FlowKind, FlowLoc};
use super::super::metric::Metric;
use super::laws::{Random, random_graph};

/// The return locations of a state's active calls, the outermost first; `None` if its block is, by way of others, its own caller.
fn call_stack(map: &EntryMap, state: StateId) -> Option<Vec<FlowLoc>> {
    let mut stack = Vec::new();
    let mut entries = vec![map.entry(state)];
    while let Some(call) = map.call(entries[entries.len() - 1]) {
        let outer = map.entry(call.caller);
        if entries.contains(&outer) {
            return None;
        }
        entries.push(outer);
        stack.push(call.return_loc);
    }
    stack.reverse();
    Some(stack)
}

/// A random step from a state; `None` if it has none of the kind that was drawn.
fn step(graph: &FlowGraph, map: &mut EntryMap, random: &mut Random, from: StateId) -> Option<StateId> {
    let loc = map.loc(from);
    if graph.functions[graph.func_of(loc)].exit == loc && random.below(2) == 0 {
        return map.returned(from);
    }
    let edges: Vec<_> = graph.edges.iter().filter(|edge| edge.from == loc).collect();
    if edges.is_empty() {
        return None;
    }
    let edge = edges[random.below(edges.len() as u32) as usize];
    match &edge.kind {
        FlowKind::Call(callees) => {
            let callee = callees[random.below(callees.len() as u32) as usize];
            let call = BlockCall { caller: from, return_loc: edge.to };
            Some(map.called(call, graph.functions[callee].entry))
        }
        FlowKind::Blocked => None,
        _ => Some(map.moved(from, edge.to)),
    }
}

/// States are made, asked for and called anew in any order: the answer is always that of the call stack of the moment.
#[test]
fn distances_are_those_of_the_call_stack_of_the_moment() {
    let mut random = Random(41);
    let (mut reused, mut relative) = (0, 0);
    for _ in 0..3_000 {
        let graph = random_graph(&mut random, true);
        let distances = TargetDistances::new(&graph, &Metric::ALL[random.below(4) as usize].weights(&graph));
        let mut map = EntryMap::default();
        let first = FlowFuncId(random.below(graph.functions.len() as u32));
        let mut states = vec![map.initial(graph.functions[first].entry)];
        for _ in 0..40 {
            let state = states[random.below(states.len() as u32) as usize];
            states.extend(step(&graph, &mut map, &mut random, state));
            let (entry, caller) = (map.entry(state), states[random.below(states.len() as u32) as usize]);
            let call = graph.edges.iter().find(|edge| {
                let FlowKind::Call(callees) = &edge.kind else { return false };
                edge.from == map.loc(caller) && callees.contains(&graph.func_of(map.loc(entry)))
            });
            if let Some(call) = call {
                map.reuse(entry, BlockCall { caller, return_loc: call.to });
                reused += 1;
            }
            for state in [state, caller] {
                let Some(stack) = call_stack(&map, state) else { continue };
                let expected = distances.distance(map.loc(state), distances.context(stack));
                assert_eq!(map.distance(&distances, state), expected);
                relative += u32::from(expected < distances.abs_dist(map.loc(state)));
            }
        }
    }
    assert!(reused > 500 && relative > 500, "{reused} reused, {relative} over an exit");
}

/// A recursive function whose block is its own caller: one return is enough to get behind the inner call, where the error is.
#[test]
fn a_block_may_be_its_own_caller() {
    let recursive = FlowFuncId(0);
    let mut builder = FlowGraphBuilder::default();
    let call = FlowKind::Call(Box::new([recursive]));
    // Entry 0, exit 1; 2 calls itself and returns to 3, from where 4, an error, is a step away.
    let edges = [
        (0, 1, FlowKind::Condition),
        (0, 2, FlowKind::Condition),
        (2, 3, call),
        (3, 4, FlowKind::Statement),
        (3, 1, FlowKind::Statement),
    ];
    builder.function(5, 0, 1, edges);
    builder.error(FlowLoc(4));
    let graph = builder.finish();
    let distances = TargetDistances::new(&graph, &Metric::St.weights(&graph));
    let mut map = EntryMap::default();
    let entry = map.initial(FlowLoc(0));
    let (exit, at_call) = (map.moved(entry, FlowLoc(1)), map.moved(entry, FlowLoc(2)));
    assert_eq!(map.distance(&distances, exit), Distance::INFINITE);
    map.reuse(entry, BlockCall { caller: at_call, return_loc: FlowLoc(3) });
    assert_eq!(map.distance(&distances, exit), Distance::new(1));
    assert_eq!(map.distance(&distances, entry), Distance::new(2));
}
