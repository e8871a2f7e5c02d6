//! What can be known of a program before it runs: where to stop and look, and how far each place is from a violation.

use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::constants::ComparedConstants;
use plumb_ir::analysis::distance::Distances;
use plumb_ir::analysis::inputs::{InputLoop, input_loops};
use plumb_ir::program::{EdgeId, FuncId, Function, Loc};

pub struct Plan {
    /// The loops that read inputs: a run stops at their heads to be looked at.
    pub heads: Vec<InputLoop>,
    distances: Distances,
    pub constants: ComparedConstants,
    /// Functions that a run can get to.
    pub reachable: Vec<FuncId>,
}

impl Plan {
    pub fn new(analyses: &Analyses) -> Plan {
        let program = analyses.program();
        let reachable = analyses.call_graph().reachable(program.start);
        let heads = input_loops(analyses, &reachable);
        let constants = ComparedConstants::of(program, &reachable);
        Plan { heads, distances: analyses.distances().clone(), constants, reachable }
    }

    /// How far a location is from a violation.
    pub fn distance(&self, func: FuncId, loc: Loc) -> u32 {
        self.distances.from(func, loc)
    }
}

/// The edges that leave the location of an edge, itself included.
pub fn siblings(function: &Function, edge: EdgeId) -> impl Iterator<Item = EdgeId> + use<> {
    function.out_edges(function.edge(edge).from)
}
