//! The worked examples of the thesis. Its figures are drawings of which only the captions and the text around them are at hand: graphs
//! are rebuilt from the programs in Figures 3.1 and 7.1 and from the numbers that the text gives.

use super::super::call_context::{CallContext, TargetDistances};
use super::super::distance::Distance;
use super::super::entry_map::{BlockCall, EntryMap, StateId};
use super::super::exit_distance::{Annotation, ExitDistances};
use super::super::flow_graph::{FlowFuncId, FlowGraph, FlowGraphBuilder, FlowKind, FlowLoc};
use super::super::metric::Metric;

const F: FlowFuncId = FlowFuncId(1);
const G: FlowFuncId = FlowFuncId(2);

fn call(callee: FlowFuncId) -> FlowKind {
    FlowKind::Call(Box::new([callee]))
}

/// A location by its label in the figures: L1 to L12 are `main`'s, L21 and L22 `f`'s, L31 and L32 `g`'s.
fn label(number: u32) -> FlowLoc {
    FlowLoc(match number {
        1..=12 => number - 1,
        21..=22 => number - 21 + 12,
        _ => number - 31 + 14,
    })
}

fn label_of(loc: FlowLoc) -> u32 {
    (1..=32).find(|number| matches!(number, 1..=12 | 21..=22 | 31..=32) && label(*number) == loc).unwrap()
}

/// The program of Figure 3.1, or with `g` that of Figure 7.1. `abort` at L11 has no successor: section 7.2 counts 13 edges in `main`.
fn example(has_g: bool) -> FlowGraph {
    use FlowKind::{Condition, Statement};
    let mut builder = FlowGraphBuilder::default();
    let main = [
        (1, 2, Statement),
        (2, 3, Condition),
        (2, 8, Condition),
        (3, 4, call(F)),
        (4, 5, Condition),
        (4, 6, Condition),
        (5, 7, Statement),
        (6, 7, Statement),
        (7, 10, Statement),
        (8, 9, call(if has_g { G } else { F })),
        (9, 10, Statement),
        (10, 11, Condition),
        (10, 12, Condition),
    ];
    builder.function(12, 0, 11, main.map(|(from, to, kind)| (from - 1, to - 1, kind)));
    assert_eq!(builder.function(2, 0, 1, [(0, 1, Statement)]), F);
    if has_g {
        assert_eq!(builder.function(2, 0, 1, [(0, 1, call(F))]), G);
    }
    builder.error(label(11));
    builder.finish()
}

fn annotated(graph: &FlowGraph) -> TargetDistances {
    TargetDistances::new(graph, &Metric::St.weights(graph))
}

const INFINITE: u64 = u64::MAX;

fn distance(length: u64) -> Distance {
    if length == INFINITE { Distance::INFINITE } else { Distance::new(length) }
}

/// Figure 3.5. The text gives L21 and L22 and that L1's `exit-dist'` is 0; the others follow from its rules.
#[test]
fn figure_3_5_exit_distances() {
    let graph = example(false);
    let distances = annotated(&graph);
    let expected = [
        (1, 5, Some(0)),
        (2, 4, Some(-1)),
        (3, 5, Some(0)),
        (4, 4, Some(-1)),
        (5, 3, Some(-2)),
        (6, 3, Some(-2)),
        (7, 2, Some(-3)),
        (8, 3, Some(-2)),
        (9, 2, Some(-3)),
        (10, 1, Some(-4)),
        (11, INFINITE, None),
        (12, 0, Some(-5)),
        (21, 1, Some(0)),
        (22, 0, Some(-1)),
    ];
    for (number, exit, from_entry) in expected {
        let loc = label(number);
        assert_eq!(distances.exit_dist(loc), distance(exit), "L{number}");
        assert_eq!(distances.exit_dist_from_entry(&graph, loc), from_entry, "L{number}");
    }
    // "If the function main calls f with the distance 5, the distance of L22 is 4".
    let rel_dist = 5 + distances.exit_dist_from_entry(&graph, label(22)).unwrap();
    assert_eq!(rel_dist, 4);
}

/// Figure 3.6. The text and Figure 7.2 give L1, L2, L3, L4, L8, L11 and L21; the others follow.
#[test]
fn figure_3_6_absolute_distances() {
    let distances = annotated(&example(false));
    let expected = [
        (1, 5),
        (2, 4),
        (3, 5),
        (4, 4),
        (5, 3),
        (6, 3),
        (7, 2),
        (8, 3),
        (9, 2),
        (10, 1),
        (11, 0),
        (12, INFINITE),
        (21, INFINITE),
        (22, INFINITE),
    ];
    for (number, length) in expected {
        assert_eq!(distances.abs_dist(label(number)), distance(length), "L{number}");
    }
}

/// A state of Figure 3.13's algorithm where everything is abstracted to *True*: the location and the calls that are active.
#[derive(Clone)]
struct AbstractState {
    loc: FlowLoc,
    /// Return locations, the outermost first.
    calls: Vec<FlowLoc>,
    context: CallContext,
}

/// The states in the order in which they are taken from the waitlist, each with its distance, and the error state.
fn explore(graph: &FlowGraph, distances: &TargetDistances, is_directed: bool) -> Vec<(u32, Distance)> {
    let dist = |state: &AbstractState| distances.distance(state.loc, state.context);
    let mut waitlist = vec![AbstractState { loc: label(1), calls: Vec::new(), context: CallContext::OUTERMOST }];
    let mut order = Vec::new();
    while !waitlist.is_empty() {
        let newest = waitlist.len() - 1;
        let nearest = (0..waitlist.len()).min_by_key(|at| dist(&waitlist[*at])).unwrap();
        let state = waitlist.remove(if is_directed { nearest } else { newest });
        order.push((label_of(state.loc), dist(&state)));
        let mut successors = Vec::new();
        for edge in graph.edges.iter().filter(|edge| edge.from == state.loc) {
            let mut next = state.clone();
            next.loc = edge.to;
            if let FlowKind::Call(callees) = &edge.kind {
                next.loc = graph.functions[callees[0]].entry;
                next.calls.push(edge.to);
            }
            successors.push(next);
        }
        if graph.functions[graph.func_of(state.loc)].exit == state.loc && !state.calls.is_empty() {
            let mut next = state.clone();
            next.loc = next.calls.pop().unwrap();
            successors.push(next);
        }
        // The first successor is the true branch, which a depth-first search takes first.
        for mut next in successors.into_iter().rev() {
            next.context = distances.context(next.calls.iter().copied());
            if graph.is_error(next.loc) {
                order.push((label_of(next.loc), dist(&next)));
                return order;
            }
            waitlist.push(next);
        }
    }
    order
}

/// The exploration of Figure 3.12: the text has s1 at L1 with distance 5, s3 at L8 with 3 and s4 at L21 with 3; and that of Figure 3.2,
/// where the target path that a depth-first search finds has ten states and the directed one's is shorter.
#[test]
fn figure_3_12_the_nearest_state_is_explored_first() {
    let graph = example(false);
    let distances = annotated(&graph);
    let finite = |order: Vec<(u32, Distance)>| -> Vec<(u32, u64)> {
        order.into_iter().map(|(number, distance)| (number, distance.finite().unwrap())).collect()
    };
    let directed = finite(explore(&graph, &distances, true));
    assert_eq!(directed, [(1, 5), (2, 4), (8, 3), (21, 3), (22, 2), (9, 2), (10, 1), (11, 0)]);
    let depth_first = finite(explore(&graph, &distances, false));
    // s4 and s12 of Figure 3.2 are both at L21.
    let path = [(1, 5), (2, 4), (3, 5), (21, 5), (22, 4), (4, 4), (5, 3), (7, 2), (10, 1), (11, 0)];
    assert_eq!(depth_first, path);
}

/// Functions whose bodies are so many statements long beside one branch for each callee, which leads over its call to the exit.
/// The statement branch is the base case; `None` for a function that has none.
fn calling(functions: &[(Option<u32>, &[u32])]) -> FlowGraph {
    let mut builder = FlowGraphBuilder::default();
    for (base_case, callees) in functions {
        // 0 is the entry, 1 the exit.
        let mut edges = Vec::new();
        let mut locs = 2;
        let mut from = 0;
        for step in 1..=base_case.unwrap_or(0) {
            let to = if Some(step) == *base_case { 1 } else { locs };
            edges.push((from, to, FlowKind::Statement));
            locs += u32::from(to != 1);
            from = to;
        }
        for callee in *callees {
            edges.extend([(0, locs, FlowKind::Condition), (locs, 1, call(FlowFuncId(*callee)))]);
            locs += 1;
        }
        builder.function(locs, 0, 1, edges);
    }
    builder.finish()
}

fn order(graph: &FlowGraph) -> Vec<(u32, Annotation)> {
    let exits = ExitDistances::of(graph, &Metric::St.weights(graph));
    exits.order.iter().map(|(func, annotation)| (func.0, *annotation)).collect()
}

const MAIN: u32 = 0;
const X: u32 = 1;
const Y: u32 = 2;
const Z: u32 = 3;

/// Figure 3.8: `x` has no callee, `y` calls `x`, and `main` calls both.
#[test]
fn figure_3_8_callees_come_first() {
    use Annotation::AfterCallees;
    let graph = calling(&[(Some(9), &[X, Y]), (Some(3), &[]), (Some(9), &[X])]);
    assert_eq!(order(&graph), [(X, AfterCallees), (Y, AfterCallees), (MAIN, AfterCallees)]);
}

/// Figure 3.10, with functions of our own lengths: one recursive function, and chains of several, of which the one with the shortest
/// base case is taken out first.
#[test]
fn figure_3_10_the_shortest_base_case_breaks_the_recursion() {
    use Annotation::{AfterCallees, ByBaseCase, NeverReturns};
    let alone = calling(&[(Some(9), &[X]), (Some(3), &[X])]);
    assert_eq!(order(&alone), [(X, ByBaseCase), (MAIN, AfterCallees)]);

    // exit-dist*(x) is 4 and exit-dist*(y) 7: x is removed, and y's callee is known then.
    let chain = calling(&[(Some(9), &[X]), (Some(4), &[Y]), (Some(7), &[X])]);
    assert_eq!(order(&chain), [(X, ByBaseCase), (Y, AfterCallees), (MAIN, AfterCallees)]);
    let exits = ExitDistances::of(&chain, &Metric::St.weights(&chain));
    // Over x, y is shorter than its base case.
    assert_eq!(exits.through(&chain, FlowFuncId(Y)), Distance::new(5));

    // x calls y, y calls z, z calls x. The removal of z leaves no chain, and then y comes before x.
    let three = calling(&[(Some(9), &[X]), (Some(8), &[Y]), (Some(7), &[Z]), (Some(2), &[X])]);
    assert_eq!(order(&three), [(Z, ByBaseCase), (Y, AfterCallees), (X, AfterCallees), (MAIN, AfterCallees)]);

    // x and y call each other and themselves: the second one needs its base case as well.
    let both = calling(&[(Some(9), &[X]), (Some(4), &[X, Y]), (Some(7), &[X, Y])]);
    assert_eq!(order(&both), [(X, ByBaseCase), (Y, ByBaseCase), (MAIN, AfterCallees)]);

    // Without a base case nobody returns, and main only over its own.
    let endless = calling(&[(Some(9), &[X]), (None, &[Y]), (None, &[X])]);
    assert_eq!(order(&endless), [(X, NeverReturns), (Y, NeverReturns), (MAIN, AfterCallees)]);
}

/// Figure 7.2, map2. The graph is rebuilt from its tables: `f` is explored for s3 (s5, s6), cached as st1 and st2, and used again as s9
/// and s10 where `g` calls it at s8.
///
/// Two entries of the printed table are not those of Figure 7.3's algorithm. For st1 it has no call but the distance under s3, for
/// which the block was explored: s3 is its call here. For s12 it has the entry *nil*; line 11 gives the entry of s4, which is s1.
#[test]
fn figure_7_2_entries_know_their_calls() {
    let graph = example(true);
    let distances = annotated(&graph);
    let mut map = EntryMap::default();
    let s1 = map.initial(label(1));
    let s2 = map.moved(s1, label(2));
    let s3 = map.moved(s2, label(3));
    let s4 = map.moved(s2, label(8));
    let from_s3 = BlockCall { caller: s3, return_loc: label(4) };
    let s5 = map.called(from_s3, label(21));
    let s6 = map.moved(s5, label(22));
    let st1 = map.called(from_s3, label(21));
    let st2 = map.moved(st1, label(22));
    let s7 = map.returned(s6).unwrap();
    let s8 = map.called(BlockCall { caller: s4, return_loc: label(9) }, label(31));
    // The cached block: copies of st1 and st2 whose entry is told its call.
    let s9 = map.initial(label(21));
    let s10 = map.moved(s9, label(22));
    // Asked for before the block is used under a call, so that a stale answer would show.
    assert_eq!(map.distance(&distances, s10), Distance::INFINITE);
    map.reuse(s9, BlockCall { caller: s8, return_loc: label(32) });
    let s11 = map.returned(s10).unwrap();
    let s12 = map.returned(s11).unwrap();
    let map2: [(StateId, u64, Option<StateId>, StateId); 14] = [
        (s1, 5, None, s1),
        (s2, 4, None, s1),
        (s3, 5, None, s1),
        (s4, 3, None, s1),
        (s5, 5, Some(s3), s5),
        (s6, 4, None, s5),
        (st1, 5, Some(s3), st1),
        (st2, 4, None, st1),
        (s7, 4, None, s1),
        (s8, 3, Some(s4), s8),
        (s9, 3, Some(s8), s9),
        (s10, 2, None, s9),
        (s11, 2, None, s8),
        (s12, 2, None, s1),
    ];
    for (state, dist, caller, entry) in map2 {
        assert_eq!(map.distance(&distances, state), Distance::new(dist), "{state:?}");
        assert_eq!(map.call(state).map(|call| call.caller), caller, "{state:?}");
        assert_eq!(map.entry(state), entry, "{state:?}");
    }
    assert_eq!([s7, s11, s12].map(|state| label_of(map.loc(state))), [4, 32, 9]);
}

/// The thesis's `exit-dist'` plus the distance of the call is the same as ours over the return location, but where the call is near
/// an error inside of its callee.
#[test]
fn distances_of_calls_and_of_return_locations_agree_where_the_call_returns() {
    let graph = example(true);
    let distances = annotated(&graph);
    for (call, return_loc) in [(3, 4), (8, 9)] {
        let dist_of_call = distances.distance(label(call), CallContext::OUTERMOST).finite().unwrap() as i64;
        let context = distances.call(label(return_loc), CallContext::OUTERMOST);
        let inside: &[u32] = if call == 3 { &[21, 22] } else { &[31, 32] };
        for loc in inside.iter().map(|number| label(*number)) {
            let of_thesis = distances.exit_dist_from_entry(&graph, loc).unwrap() + dist_of_call;
            assert_eq!(distances.distance(loc, context).finite().unwrap() as i64, of_thesis);
        }
    }
    // main calls a function with an error one step from its entry and an exit ten steps away. Behind the error branch the sum of the
    // thesis is negative; nothing is reached from there.
    let mut builder = FlowGraphBuilder::default();
    builder.function(2, 0, 1, [(0, 1, call(F))]);
    let mut body: Vec<(u32, u32, FlowKind)> = (0..10).map(|at| (at, at + 1, FlowKind::Statement)).collect();
    body.push((0, 11, FlowKind::Condition));
    builder.function(12, 0, 10, body);
    builder.error(FlowLoc(2 + 11));
    let graph = builder.finish();
    let distances = annotated(&graph);
    let dist_of_call = distances.distance(FlowLoc(0), CallContext::OUTERMOST);
    assert_eq!(dist_of_call, Distance::new(1));
    let near_exit = FlowLoc(2 + 9);
    assert_eq!(distances.exit_dist_from_entry(&graph, near_exit).unwrap() + 1, -8);
    let context = distances.call(FlowLoc(1), CallContext::OUTERMOST);
    assert_eq!(distances.distance(near_exit, context), Distance::INFINITE);
}

/// The metrics on Figure 7.1: the shortest path from L1 leads over L8, `g` and `f`.
#[test]
fn metrics_count_what_they_are_named_for() {
    let graph = example(true);
    let dist = |metric: Metric| {
        let distances = TargetDistances::new(&graph, &metric.weights(&graph));
        distances.distance(label(1), CallContext::OUTERMOST)
    };
    assert_eq!(dist(Metric::St), Distance::new(5));
    // L2 to L8 and L10 to L11.
    assert_eq!(dist(Metric::Bb), Distance::new(2));
    assert_eq!(dist(Metric::Lh), Distance::new(0));
    // The edge that leaves main's entry, and over L3 one such edge and one return; over L8 there would be two of each.
    assert_eq!(dist(Metric::Lf), Distance::new(3));
}
