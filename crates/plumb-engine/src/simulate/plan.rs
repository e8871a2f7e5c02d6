//! What can be known of a program before it runs: where to stop and look, and how far each place is from a violation.

use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::constants::ComparedConstants;
use plumb_ir::analysis::inputs::{InputLoop, input_loops};
use plumb_ir::analysis::target_distance::{Distance, Metric, ProgramGraph, TargetDistances};
use plumb_ir::index::TiVec;
use plumb_ir::program::{EdgeId, FuncId, Function, Loc};

pub struct Plan {
    /// The loops that read inputs: a run stops at their heads to be looked at.
    pub heads: Vec<InputLoop>,
    /// In edges, the smallest over all calls that may be active.
    distances: TiVec<FuncId, TiVec<Loc, Distance>>,
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
        Plan { heads, distances: distances(analyses), constants, reachable }
    }

    /// How far a location is from a violation.
    pub fn distance(&self, func: FuncId, loc: Loc) -> Distance {
        self.distances[func][loc]
    }
}

/// The smallest distance of each location over all calls that may be active. Where calls through pointers go is not worth a points-to
/// analysis here, which takes longer than a run needs to start.
fn distances(analyses: &Analyses) -> TiVec<FuncId, TiVec<Loc, Distance>> {
    let program = analyses.program();
    let flow = ProgramGraph::of(analyses, analyses.call_graph());
    let annotation = TargetDistances::new(&flow.graph, &Metric::St.weights(&flow.graph));
    let of_function = |func: FuncId| {
        let locs = program.function(func).locs();
        locs.map(|loc| annotation.anywhere(flow.loc(func, loc))).collect()
    };
    program.function_ids().map(of_function).collect()
}

/// The edges that leave the location of an edge, itself included.
pub fn siblings(function: &Function, edge: EdgeId) -> impl Iterator<Item = EdgeId> + use<> {
    function.out_edges(function.edge(edge).from)
}
