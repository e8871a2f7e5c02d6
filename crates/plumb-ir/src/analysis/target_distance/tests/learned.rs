//! Distances that learn.

use super::super::call_context::{CallContext, TargetDistances};
use super::super::flow_graph::{FlowEdgeId, FlowGraph, FlowGraphBuilder, FlowKind, FlowLoc};
use super::super::learned::{LearnedDistances, LearnedTuning};
use super::super::metric::Metric;
use super::laws::{Random, random_graph};

/// A branch of two edges to the error and a detour of twelve.
fn two_ways() -> FlowGraph {
    let mut builder = FlowGraphBuilder::default();
    let mut edges = vec![(0, 1, FlowKind::Condition), (1, 2, FlowKind::Statement), (0, 3, FlowKind::Condition)];
    edges.extend((3..14).map(|at| (at, if at == 13 { 2 } else { at + 1 }, FlowKind::Statement)));
    builder.function(14, 0, 2, edges);
    builder.error(FlowLoc(2));
    builder.finish()
}

#[test]
fn a_search_turns_away_from_what_keeps_being_refuted() {
    let graph = two_ways();
    let mut learned = LearnedDistances::new(&graph, Metric::St, LearnedTuning { batch: 1, ..LearnedTuning::DEFAULT });
    let prefers_short = |learned: &LearnedDistances| {
        let dist = |loc| learned.distances().distance(FlowLoc(loc), CallContext::OUTERMOST);
        dist(1) < dist(3)
    };
    assert!(prefers_short(&learned));
    let short = FlowEdgeId(1);
    // The first appearance is free; 1 + 1, 1 + 3, 1 + 7 are still less than 11, and 1 + 15 is not.
    for (cores, changes, is_short) in [(1, false, true), (2, true, true), (4, true, true), (5, true, false)] {
        while learned.appearances(short) < cores - 1 {
            learned.note_infeasible([short, short]);
            learned.update(&graph);
        }
        learned.note_infeasible([short, short]);
        assert_eq!(learned.update(&graph), changes, "after {cores} cores");
        assert_eq!(prefers_short(&learned), is_short, "after {cores} cores");
    }
}

#[test]
fn batches_wait_and_growth_ends() {
    let graph = two_ways();
    let tuning = LearnedTuning { free_appearances: 0, max_doublings: 3, batch: 4 };
    let mut learned = LearnedDistances::new(&graph, Metric::St, tuning);
    for core in 1..=3 {
        learned.note_infeasible([FlowEdgeId(1)]);
        assert!(!learned.update(&graph), "after {core} cores");
    }
    assert_eq!(learned.distances().abs_dist(FlowLoc(1)).finite(), Some(1));
    learned.note_infeasible([FlowEdgeId(1)]);
    assert!(learned.update(&graph));
    assert_eq!(learned.distances().abs_dist(FlowLoc(1)).finite(), Some(8));
    // It has grown as far as it may: nothing is computed again.
    (0..10).for_each(|_| learned.note_infeasible([FlowEdgeId(1)]));
    assert!(!learned.update(&graph));
}

/// Batched distances are those of a fresh annotation with the weights that were learned, they only grow, and what has a path keeps one.
#[test]
fn learned_distances_are_those_of_the_learned_weights() {
    let mut random = Random(77);
    for _ in 0..500 {
        let graph = random_graph(&mut random, true);
        if graph.edges.is_empty() {
            continue;
        }
        let metric = Metric::ALL[random.below(4) as usize];
        let tuning = LearnedTuning { batch: 1 + random.below(4), ..LearnedTuning::DEFAULT };
        let mut learned = LearnedDistances::new(&graph, metric, tuning);
        let mut before = learned.distances().clone();
        for _ in 0..12 {
            let count = random.below(4);
            let core: Vec<FlowEdgeId> =
                (0..count).map(|_| FlowEdgeId(random.below(graph.edges.len() as u32))).collect();
            learned.note_infeasible(core);
            learned.update(&graph);
            for loc in graph.locs() {
                let (old, new) = (before.anywhere(loc), learned.distances().anywhere(loc));
                assert!(old <= new && old.is_finite() == new.is_finite());
            }
            before = learned.distances().clone();
        }
        learned.update_now(&graph);
        let mut weights = metric.weights(&graph);
        graph.edges.keys().for_each(|edge| weights.set(edge, learned.weight(edge)));
        let fresh = TargetDistances::new(&graph, &weights);
        for loc in graph.locs() {
            assert_eq!(learned.distances().abs_dist(loc), fresh.abs_dist(loc));
            assert_eq!(learned.distances().exit_dist(loc), fresh.exit_dist(loc));
            assert_eq!(learned.distances().anywhere(loc), fresh.anywhere(loc));
        }
    }
}
