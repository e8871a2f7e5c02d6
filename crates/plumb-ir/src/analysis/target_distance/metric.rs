//! What an edge counts: the four metrics of section 4.1 as one function of edges.

use super::flow_graph::{FlowEdge, FlowGraph, FlowKind};
use crate::analysis::target_distance::flow_graph::FlowEdgeId;
use crate::index::TiVec;
use serde::{Deserialize, Serialize};

/// What the length of a path is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Statements. Good where every edge makes an abstract state.
    St,
    /// Basic blocks: branch conditions.
    Bb,
    /// Loop heads: where blocks of a block encoding end.
    Lh,
    /// Loop heads, function entries and exits: where blocks of block-abstraction memoisation end.
    Lf,
}

impl Metric {
    pub const ALL: [Metric; 4] = [Metric::St, Metric::Bb, Metric::Lh, Metric::Lf];

    pub fn name(self) -> &'static str {
        match self {
            Metric::St => "st",
            Metric::Bb => "bb",
            Metric::Lh => "lh",
            Metric::Lf => "lf",
        }
    }

    pub fn by_name(name: &str) -> Option<Metric> {
        Metric::ALL.into_iter().find(|metric| metric.name() == name)
    }

    /// The edge-weight function `W` of equations 4.1 to 4.4.
    ///
    /// `st` counts neither calls nor returns, as the numbers of Figures 3.5 and 3.6 have it. A *loop condition* is an edge that
    /// leaves a loop head: in Figure 7.6 that is the same as a condition of a loop statement, and the heads of `for (;;)` and
    /// of `do`, which have none, end a block as well.
    pub fn weight(self, graph: &FlowGraph, operation: Operation) -> u64 {
        let edge = match operation {
            Operation::Along(edge) => edge,
            Operation::Return => return u64::from(self == Metric::Lf),
        };
        let is_loop_condition = graph.is_loop_head(edge.from);
        let counts = match self {
            Metric::St => !matches!(edge.kind, FlowKind::Call(_)),
            Metric::Bb => edge.kind == FlowKind::Condition,
            Metric::Lh => is_loop_condition,
            Metric::Lf => is_loop_condition || graph.is_entry(edge.from),
        };
        u64::from(counts)
    }

    pub fn weights(self, graph: &FlowGraph) -> EdgeWeights {
        let of_edges = graph.edges.iter().map(|edge| self.weight(graph, Operation::Along(edge))).collect();
        EdgeWeights { of_edges, of_return: self.weight(graph, Operation::Return) }
    }
}

impl std::fmt::Display for Metric {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What a path consists of: edges, where a call edge is the way into the callee, and returns.
#[derive(Clone, Copy, Debug)]
pub enum Operation<'a> {
    Along(&'a FlowEdge),
    Return,
}

/// The weights of all edges of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeWeights {
    of_edges: TiVec<FlowEdgeId, u64>,
    /// From a callee's exit to the return location.
    pub of_return: u64,
}

impl EdgeWeights {
    pub fn of(&self, edge: FlowEdgeId) -> u64 {
        self.of_edges[edge]
    }

    pub fn set(&mut self, edge: FlowEdgeId, weight: u64) {
        self.of_edges[edge] = weight;
    }
}
