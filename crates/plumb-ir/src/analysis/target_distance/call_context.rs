//! The distance of a location under the calls that are active.

use super::distance::Distance;
use super::error_distance::ErrorDistances;
use super::exit_distance::ExitDistances;
use super::flow_graph::{FlowGraph, FlowLoc};
use super::metric::EdgeWeights;

/// The active calls, as far as distances depend on them: how far it is from the exit of the running function.
///
/// An explorer keeps one with every state and needs no call stack then.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct CallContext {
    from_exit: Distance,
}

impl CallContext {
    /// No call is active: behind the exit the program has ended.
    pub const OUTERMOST: CallContext = CallContext { from_exit: Distance::INFINITE };
}

/// The annotation of a flow graph with distances.
#[derive(Clone, Debug)]
pub struct TargetDistances {
    exits: ExitDistances,
    errors: ErrorDistances,
    of_return: u64,
}

impl TargetDistances {
    pub fn new(graph: &FlowGraph, weights: &EdgeWeights) -> TargetDistances {
        let exits = ExitDistances::of(graph, weights);
        let errors = ErrorDistances::of(graph, weights, &exits);
        TargetDistances { exits, errors, of_return: weights.of_return }
    }

    /// `dist`: the smaller of `abs-dist` and `rel-dist`.
    pub fn distance(&self, loc: FlowLoc, context: CallContext) -> Distance {
        self.abs_dist(loc).min(self.rel_dist(loc, context))
    }

    /// The context of a callee whose call returns to this location, in the context of the caller.
    pub fn call(&self, return_loc: FlowLoc, caller: CallContext) -> CallContext {
        CallContext { from_exit: self.distance(return_loc, caller) + self.of_return }
    }

    /// The context of these active calls, given by their return locations, the outermost first.
    pub fn context(&self, return_locs: impl IntoIterator<Item = FlowLoc>) -> CallContext {
        return_locs.into_iter().fold(CallContext::OUTERMOST, |caller, return_loc| self.call(return_loc, caller))
    }

    /// The smallest distance over all contexts.
    pub fn anywhere(&self, loc: FlowLoc) -> Distance {
        self.errors.anywhere(loc)
    }

    /// To an error without a return from the function of the location.
    pub fn abs_dist(&self, loc: FlowLoc) -> Distance {
        self.errors.inside(loc)
    }

    /// To an error over the exit of the function.
    pub fn rel_dist(&self, loc: FlowLoc, context: CallContext) -> Distance {
        self.exit_dist(loc) + context.from_exit
    }

    /// To the exit of the function.
    pub fn exit_dist(&self, loc: FlowLoc) -> Distance {
        self.exits.of_loc(loc)
    }

    /// `exit-dist'`: what remains of the way through the function, less than nothing once more than all of it is behind.
    pub fn exit_dist_from_entry(&self, graph: &FlowGraph, loc: FlowLoc) -> Option<i64> {
        let through = self.exits.through(graph, graph.func_of(loc)).finite()?;
        let left = self.exit_dist(loc).finite()?;
        Some(left as i64 - through as i64)
    }

    pub fn exits(&self) -> &ExitDistances {
        &self.exits
    }
}
