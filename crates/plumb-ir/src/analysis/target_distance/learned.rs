//! Distances that learn from refutations (ours; the thesis names it as future work in section 6.1).
//!
//! A metric knows only the text of a program: the path that it takes for the shortest may be one that no run has, and so may the next
//! hundred that differ from it in what does not matter. Each refutation of such a path has a core, the edges whose operations
//! contradict each other. An edge that keeps appearing in cores grows longer, so that the search turns to paths around it.
//! The growth is geometric: a detour that is `d` longer is preferred after about `log d` refutations.
//!
//! Distances are computed anew for a batch of cores, and only if some weight has changed: the annotation takes as long as
//! tens of thousands of queries. As weights only grow, so do distances, and none becomes infinite that was finite: the
//! order changes, but what is explored in the end does not.

use super::call_context::TargetDistances;
use super::flow_graph::{FlowEdgeId, FlowGraph};
use super::metric::{EdgeWeights, Metric};
use rustc_hash::FxHashMap;

/// The numbers that decide how distances grow.
#[derive(Clone, Copy, Debug)]
pub struct LearnedTuning {
    /// Cores that an edge may appear in at no cost: a refinement usually excludes what it was made for.
    pub free_appearances: u32,
    /// An edge grows by at most `2^max_doublings`: sums of a path stay far below what 64 bits hold, and an edge without which there is
    /// no path to the error costs all of them the same.
    pub max_doublings: u32,
    /// Cores between two computations of distances.
    pub batch: u32,
}

impl LearnedTuning {
    pub const DEFAULT: LearnedTuning = LearnedTuning { free_appearances: 1, max_doublings: 20, batch: 8 };
}

#[derive(Clone, Debug)]
pub struct LearnedDistances {
    tuning: LearnedTuning,
    metric_weights: EdgeWeights,
    weights: EdgeWeights,
    /// Cores that an edge was in.
    appearances: FxHashMap<FlowEdgeId, u32>,
    distances: TargetDistances,
    /// Cores since distances were computed.
    pending: u32,
    has_grown: bool,
}

impl LearnedDistances {
    /// At first, those of the metric.
    pub fn new(graph: &FlowGraph, metric: Metric, tuning: LearnedTuning) -> LearnedDistances {
        let weights = metric.weights(graph);
        LearnedDistances {
            tuning,
            distances: TargetDistances::new(graph, &weights),
            metric_weights: weights.clone(),
            weights,
            appearances: FxHashMap::default(),
            pending: 0,
            has_grown: false,
        }
    }

    pub fn distances(&self) -> &TargetDistances {
        &self.distances
    }

    /// Notes the core of an infeasible path. However often the path passes an edge, it appears once.
    pub fn note_infeasible(&mut self, core: impl IntoIterator<Item = FlowEdgeId>) {
        let mut edges: Vec<FlowEdgeId> = core.into_iter().collect();
        edges.sort_unstable();
        edges.dedup();
        self.pending += 1;
        for edge in edges {
            let count = self.appearances.entry(edge).or_default();
            *count += 1;
            let weight = self.metric_weights.of(edge) + self.tuning.growth(*count);
            self.has_grown |= weight != self.weights.of(edge);
            self.weights.set(edge, weight);
        }
    }

    /// Brings the distances up to date if there is a batch of cores. Whether they may have changed: waitlists are ordered anew then, and
    /// call contexts and what entry maps have cached are computed anew.
    pub fn update(&mut self, graph: &FlowGraph) -> bool {
        self.pending >= self.tuning.batch && self.update_now(graph)
    }

    /// Brings the distances up to date with all cores. Whether they may have changed.
    pub fn update_now(&mut self, graph: &FlowGraph) -> bool {
        self.pending = 0;
        if !std::mem::take(&mut self.has_grown) {
            return false;
        }
        self.distances = TargetDistances::new(graph, &self.weights);
        true
    }

    /// Cores that an edge was in.
    pub fn appearances(&self, edge: FlowEdgeId) -> u32 {
        self.appearances.get(&edge).copied().unwrap_or(0)
    }

    pub fn weight(&self, edge: FlowEdgeId) -> u64 {
        self.weights.of(edge)
    }
}

impl LearnedTuning {
    /// What an edge is longer by after so many appearances.
    fn growth(&self, appearances: u32) -> u64 {
        let doublings = appearances.saturating_sub(self.free_appearances).min(self.max_doublings);
        (1 << doublings) - 1
    }
}
