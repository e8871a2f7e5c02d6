//! What can be known of a program before it runs: where to stop and look, and how far each place is from a violation.

use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::callgraph::CallGraph;
use plumb_ir::analysis::distance::Distances;
use plumb_ir::analysis::loops::LoopId;
use plumb_ir::expr::{BinOp, CastOp, ExprId, ExprKind};
use plumb_ir::input::InputOrigin;
use plumb_ir::program::{EdgeId, FuncId, Function, GlobalVar, Loc, Op, Program, VarRef};
use plumb_ir::ty::Ty;
use rustc_hash::FxHashMap;

pub struct Plan {
    /// Heads of the loops that read inputs, where a run stops to be looked at.
    pub heads: Vec<Head>,
    distances: Distances,
    /// The constants that each program register is compared with, in order.
    pub compared: FxHashMap<GlobalVar, Vec<i128>>,
    /// The constants of all comparisons, in order.
    pub constants: Vec<i128>,
    /// Functions that a run can get to.
    pub reachable: Vec<FuncId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    pub func: FuncId,
    pub loc: Loc,
    /// No other loop that reads inputs is around it, in its function or its callers.
    pub is_outer: bool,
}

impl Plan {
    pub fn new(analyses: &Analyses) -> Plan {
        let program = analyses.program();
        let graph = analyses.call_graph();
        let reachable = graph.reachable(program.start);
        let reads = readers(program, graph);
        let mut heads = Vec::new();
        let mut inside = vec![false; program.functions.len()];
        for &func in reachable.iter().filter(|f| !program.function(**f).is_library) {
            heads_of(analyses, &reads, func, &mut heads, &mut inside);
        }
        let mut work: Vec<FuncId> = reachable.iter().copied().filter(|f| inside[f.0 as usize]).collect();
        while let Some(func) = work.pop() {
            for call in graph.callees(func) {
                if !std::mem::replace(&mut inside[call.callee.0 as usize], true) {
                    work.push(call.callee);
                }
            }
        }
        heads.iter_mut().for_each(|head| head.is_outer &= !inside[head.func.0 as usize]);
        let (compared, constants) = constants(program, &reachable);
        Plan { heads, distances: analyses.distances().clone(), compared, constants, reachable }
    }

    /// How far a location is from a violation.
    pub fn distance(&self, func: FuncId, loc: Loc) -> u32 {
        self.distances.from(func, loc)
    }
}

/// Whether an edge takes in what the environment decides, as against memory that merely starts out arbitrary.
fn is_input(program: &Program, op: &Op) -> bool {
    let Op::Havoc { input, .. } = op else { return false };
    match program.input(*input).origin {
        InputOrigin::Nondet(_)
        | InputOrigin::External(_)
        | InputOrigin::ExternalMemory(_)
        | InputOrigin::Library(_)
        | InputOrigin::Volatile(_)
        | InputOrigin::Register(_)
        | InputOrigin::Assembly
        | InputOrigin::Summary(_) => true,
        InputOrigin::Uninitialised(_)
        | InputOrigin::FreshMemory
        | InputOrigin::ExternalObject(_)
        | InputOrigin::MainArgument
        | InputOrigin::EntryArgument(..)
        | InputOrigin::MissingArgument(_)
        | InputOrigin::MissingReturn(_)
        | InputOrigin::UnitState(_) => false,
    }
}

/// By function: it, or one that it calls, takes in inputs.
fn readers(program: &Program, graph: &CallGraph) -> Vec<bool> {
    let mut reads: Vec<bool> =
        program.functions.iter().map(|f| f.edges.iter().any(|e| is_input(program, &e.op))).collect();
    let mut work: Vec<FuncId> = program.function_ids().filter(|f| reads[f.0 as usize]).collect();
    while let Some(func) = work.pop() {
        for (caller, _) in graph.callers(func) {
            if !std::mem::replace(&mut reads[caller.0 as usize], true) {
                work.push(*caller);
            }
        }
    }
    reads
}

/// Finds the heads of a function's loops that read inputs, and the functions that are called inside of them.
fn heads_of(analyses: &Analyses, reads: &[bool], func: FuncId, heads: &mut Vec<Head>, inside: &mut [bool]) {
    let (program, graph) = (analyses.program(), analyses.call_graph());
    let function = program.function(func);
    let loops = &analyses.shape(func).loops;
    let mut reading = vec![false; loops.loops.len()];
    let mut called = Vec::new();
    for id in function.edge_ids() {
        let edge = function.edge(id);
        let Some(innermost) = loops.innermost(edge.from) else { continue };
        called.extend(graph.targets(func, id).map(|callee| (innermost, callee)));
        if is_input(program, &edge.op) || graph.targets(func, id).any(|callee| reads[callee.0 as usize]) {
            let mut at = Some(innermost);
            while let Some(inner) = at {
                reading[inner.0 as usize] = true;
                at = loops.get(inner).parent;
            }
        }
    }
    let is_read = |mut id: LoopId| loop {
        match (reading[id.0 as usize], loops.get(id).parent) {
            (true, _) => return true,
            (false, Some(parent)) => id = parent,
            (false, None) => return false,
        }
    };
    called.into_iter().filter(|(id, _)| is_read(*id)).for_each(|(_, callee)| inside[callee.0 as usize] = true);
    for (_, found) in loops.loops.iter().enumerate().filter(|(i, _)| reading[*i]) {
        heads.push(Head { func, loc: found.head, is_outer: found.parent.is_none() });
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
