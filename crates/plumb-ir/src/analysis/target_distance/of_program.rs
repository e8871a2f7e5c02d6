//! The flow graph of a program: its locations and edges under their own numbers, function after function.

use super::flow_graph::{FlowEdgeId, FlowFuncId, FlowGraph, FlowGraphBuilder, FlowKind, FlowLoc};
use crate::analysis::Analyses;
use crate::analysis::callgraph::CallGraph;
use crate::check::CheckKind;
use crate::expr::ExprId;
use crate::index::TiVec;
use crate::program::{Callee, EdgeId, FuncId, Function, Intrinsic, Loc, Op};

#[derive(Clone, Debug)]
pub struct ProgramGraph {
    pub graph: FlowGraph,
    /// By function: the numbers of its first location and of its first edge.
    first: TiVec<FuncId, (u32, u32)>,
}

impl ProgramGraph {
    /// Error locations are the sources of checks that fail whatever the run, such as calls of an error function; of all checks
    /// if there is none of that kind. Of functions that no run gets to nothing is a target, and they call nothing.
    ///
    /// The call graph says where calls through pointers go: the fewer targets, the better the distances.
    pub fn of(analyses: &Analyses, calls: &CallGraph) -> ProgramGraph {
        let program = analyses.program();
        let mut is_reachable: TiVec<FuncId, bool> = vec![false; program.functions.len()].into();
        calls.reachable(program.start).into_iter().for_each(|func| is_reachable[func] = true);
        let mut builder = FlowGraphBuilder::default();
        let mut first = TiVec::new();
        let (mut certain, mut possible) = (Vec::new(), Vec::new());
        let (mut locs, mut edges) = (0, 0);
        for func in program.function_ids() {
            let function = program.function(func);
            let kind = |id: EdgeId| {
                let targets = || calls.targets(func, id).map(|callee| FlowFuncId(callee.0)).collect();
                if is_reachable[func] { kind_of(function, id, targets) } else { FlowKind::Blocked }
            };
            let list: Vec<(u32, u32, FlowKind)> =
                function.edge_ids().map(|id| (function.edge(id).from.0, function.edge(id).to.0, kind(id))).collect();
            builder.function(function.loc_count, function.entry.0, function.exit.0, list);
            if is_reachable[func] {
                let loops = &analyses.shape(func).loops;
                let heads = function.locs().filter(|loc| loops.is_head(*loc));
                heads.for_each(|loc| builder.loop_head(FlowLoc(locs + loc.0)));
                for edge in &function.edges {
                    if let Op::Check { cond, check } = edge.op
                        && program.check(check).kind != CheckKind::Unsupported
                    {
                        possible.push(FlowLoc(locs + edge.from.0));
                        certain.extend(is_false(function, cond).then_some(FlowLoc(locs + edge.from.0)));
                    }
                }
            }
            first.push((locs, edges));
            locs += function.loc_count;
            edges += function.edges.len() as u32;
        }
        let errors = if certain.is_empty() { possible } else { certain };
        errors.into_iter().for_each(|loc| builder.error(loc));
        ProgramGraph { graph: builder.finish(), first }
    }

    pub fn loc(&self, func: FuncId, loc: Loc) -> FlowLoc {
        FlowLoc(self.first[func].0 + loc.0)
    }

    pub fn edge(&self, func: FuncId, edge: EdgeId) -> FlowEdgeId {
        FlowEdgeId(self.first[func].1 + edge.0)
    }
}

fn is_false(function: &Function, cond: ExprId) -> bool {
    function.exprs.as_const(cond).is_some_and(|value| value.is_zero())
}

fn kind_of(function: &Function, id: EdgeId, targets: impl Fn() -> Box<[FlowFuncId]>) -> FlowKind {
    let edge = function.edge(id);
    match &edge.op {
        Op::Assume { cond, .. } | Op::Check { cond, .. } if is_false(function, *cond) => FlowKind::Blocked,
        Op::Assume { .. } if function.out_edges(edge.from).count() > 1 => FlowKind::Condition,
        Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. } => FlowKind::Call(targets()),
        Op::Call { callee: Callee::Intrinsic(which), .. } => match which {
            Intrinsic::Exit | Intrinsic::Abort => FlowKind::Blocked,
            Intrinsic::NewStack => FlowKind::NewStack(targets()),
            Intrinsic::SwitchStack => FlowKind::Switch,
            Intrinsic::EndStack => FlowKind::EndStack,
            Intrinsic::HeapAlloc
            | Intrinsic::StackAlloc
            | Intrinsic::Free
            | Intrinsic::StackFree
            | Intrinsic::MemCopy
            | Intrinsic::MemSet
            | Intrinsic::Print
            | Intrinsic::CurrentStack => FlowKind::Statement,
        },
        Op::Assume { .. } | Op::Check { .. } | Op::Assign { .. } | Op::Havoc { .. } | Op::Return(_) => {
            FlowKind::Statement
        }
    }
}
