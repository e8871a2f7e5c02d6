//! What can be known of a program before it runs: where to stop and look, and how far each place is from a violation.

use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::distance::Distances;
use plumb_ir::analysis::inputs::{InputLoop, input_loops};
use plumb_ir::expr::{BinOp, CastOp, ExprId, ExprKind};
use plumb_ir::program::{EdgeId, FuncId, Function, GlobalVar, Loc, Program, VarRef};
use plumb_ir::ty::Ty;
use rustc_hash::FxHashMap;

pub struct Plan {
    /// The loops that read inputs: a run stops at their heads to be looked at.
    pub heads: Vec<InputLoop>,
    distances: Distances,
    /// The constants that each program register is compared with, in order.
    pub compared: FxHashMap<GlobalVar, Vec<i128>>,
    /// The constants of all comparisons, in order.
    pub constants: Vec<i128>,
    /// Functions that a run can get to.
    pub reachable: Vec<FuncId>,
}

impl Plan {
    pub fn new(analyses: &Analyses) -> Plan {
        let program = analyses.program();
        let reachable = analyses.call_graph().reachable(program.start);
        let heads = input_loops(analyses, &reachable);
        let (compared, constants) = constants(program, &reachable);
        Plan { heads, distances: analyses.distances().clone(), compared, constants, reachable }
    }

    /// How far a location is from a violation.
    pub fn distance(&self, func: FuncId, loc: Loc) -> u32 {
        self.distances.from(func, loc)
    }
}

/// What is compared with what.
fn constants(program: &Program, reachable: &[FuncId]) -> (FxHashMap<GlobalVar, Vec<i128>>, Vec<i128>) {
    let mut compared: FxHashMap<GlobalVar, Vec<i128>> = FxHashMap::default();
    let mut all = Vec::new();
    for &func in reachable {
        let function = program.function(func);
        for id in (0..function.exprs.len() as u32).map(ExprId) {
            let ExprKind::Binary(BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le, _, a, b) = function.exprs.kind(id)
            else {
                continue;
            };
            for (value, constant) in [(a, b), (b, a)] {
                let Some(bits) = function.exprs.as_const(constant) else { continue };
                let Ty::Int(width) = function.exprs.ty(constant) else { continue };
                let number = bits.signed(width as u32);
                if !function.is_library {
                    all.push(number);
                }
                if let Some(var) = global_behind(function, value) {
                    compared.entry(var).or_default().push(number);
                }
            }
        }
    }
    compared.values_mut().chain(std::iter::once(&mut all)).for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    (compared, all)
}

/// The program register that an expression is a widened or narrowed copy of.
fn global_behind(function: &Function, mut id: ExprId) -> Option<GlobalVar> {
    loop {
        match function.exprs.kind(id) {
            ExprKind::Var(VarRef::Global(var)) => return Some(var),
            ExprKind::Cast(CastOp::Int { .. }, inner) => id = inner,
            _ => return None,
        }
    }
}

/// The edges that leave the location of an edge, itself included.
pub fn siblings(function: &Function, edge: EdgeId) -> impl Iterator<Item = EdgeId> + use<> {
    function.out_edges(function.edge(edge).from)
}
