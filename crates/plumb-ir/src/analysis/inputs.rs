//! Which loops take in what the environment decides.

use super::Analyses;
use super::callgraph::CallGraph;
use super::loops::LoopId;
use crate::index::{TiSlice, TiVec};
use crate::input::InputOrigin;
use crate::program::{FuncId, Loc, Op, Program};

/// A loop that reads inputs, itself or in a function that it calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputLoop {
    pub func: FuncId,
    pub head: Loc,
    /// No other loop that reads inputs is around it, in its function or its callers.
    pub is_outer: bool,
}

/// The loops of some functions that read inputs, those of the library left out.
pub fn input_loops(analyses: &Analyses, functions: &[FuncId]) -> Vec<InputLoop> {
    let (program, graph) = (analyses.program(), analyses.call_graph());
    let reads = readers(program, graph);
    let mut found = Vec::new();
    let mut inside: TiVec<FuncId, bool> = vec![false; program.functions.len()].into();
    for &func in functions.iter().filter(|f| !program.function(**f).is_library) {
        loops_of(analyses, &reads, func, &mut found, &mut inside);
    }
    let mut work: Vec<FuncId> = functions.iter().copied().filter(|f| inside[*f]).collect();
    while let Some(func) = work.pop() {
        for call in graph.callees(func) {
            if !std::mem::replace(&mut inside[call.callee], true) {
                work.push(call.callee);
            }
        }
    }
    found.iter_mut().for_each(|one| one.is_outer &= !inside[one.func]);
    found
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
        | InputOrigin::Summary(_)
        | InputOrigin::Schedule(_) => true,
        InputOrigin::Uninitialised(_)
        | InputOrigin::Padding(_)
        | InputOrigin::FreshMemory
        | InputOrigin::ExternalObject(_)
        | InputOrigin::ForeignMemory
        | InputOrigin::MainArgument
        | InputOrigin::EntryArgument(..)
        | InputOrigin::MissingArgument(_)
        | InputOrigin::MissingReturn(_)
        | InputOrigin::UnitState(_) => false,
    }
}

/// The function, or one that it calls, takes in inputs.
fn readers(program: &Program, graph: &CallGraph) -> TiVec<FuncId, bool> {
    let mut reads: TiVec<FuncId, bool> =
        program.functions.iter().map(|f| f.edges.iter().any(|e| is_input(program, &e.op))).collect();
    let mut work: Vec<FuncId> = program.function_ids().filter(|f| reads[*f]).collect();
    while let Some(func) = work.pop() {
        for (caller, _) in graph.callers(func) {
            if !std::mem::replace(&mut reads[*caller], true) {
                work.push(*caller);
            }
        }
    }
    reads
}

/// Finds a function's loops that read inputs, and the functions that are called inside of them.
fn loops_of(
    analyses: &Analyses,
    reads: &TiSlice<FuncId, bool>,
    func: FuncId,
    found: &mut Vec<InputLoop>,
    inside: &mut TiSlice<FuncId, bool>,
) {
    let (program, graph) = (analyses.program(), analyses.call_graph());
    let function = program.function(func);
    let loops = &analyses.shape(func).loops;
    let mut reading: TiVec<LoopId, bool> = vec![false; loops.loops.len()].into();
    let mut called = Vec::new();
    for id in function.edge_ids() {
        let edge = function.edge(id);
        let Some(innermost) = loops.innermost(edge.from) else { continue };
        called.extend(graph.targets(func, id).map(|callee| (innermost, callee)));
        if is_input(program, &edge.op) || graph.targets(func, id).any(|callee| reads[callee]) {
            let mut at = Some(innermost);
            while let Some(inner) = at {
                reading[inner] = true;
                at = loops.get(inner).parent;
            }
        }
    }
    let is_read = |mut id: LoopId| loop {
        match (reading[id], loops.get(id).parent) {
            (true, _) => return true,
            (false, Some(parent)) => id = parent,
            (false, None) => return false,
        }
    };
    called.into_iter().filter(|(id, _)| is_read(*id)).for_each(|(_, callee)| inside[callee] = true);
    for (_, one) in loops.loops.iter_enumerated().filter(|(id, _)| reading[*id]) {
        found.push(InputLoop { func, head: one.head, is_outer: one.parent.is_none() });
    }
}
