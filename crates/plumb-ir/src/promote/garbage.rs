//! Dropping inputs that nobody reads: C leaves locals uninitialised, which lowering writes down as inputs, and most
//! locals are written before they are read.
//!
//! Only inputs that stand for indeterminate values go away: the user's own inputs are part of what a run is, read or not. A
//! function that ends without a value returns zero where no call of it reads what it returns, and a local object that a
//! constant replaces at once needs no garbage before.

use crate::analysis::address_taken::{self, AddressTaken};
use crate::analysis::liveness::Liveness;
use crate::index::TiVec;
use crate::input::InputOrigin;
use crate::program::FuncId;
use crate::program::{Callee, EdgeId, Function, HavocPlace, LocalVar, ObjRef, Op, Place, Program, VarRef};
use crate::promote::filled::filled_later;
use crate::rewrite::Draft;
use crate::ty::Bits;
use std::sync::Arc;

pub fn without_garbage(program: &Program) -> Program {
    let mut result = program.clone();
    let unread = unread_results(program);
    for (id, function) in program.functions.iter_enumerated() {
        let dead = dead_inputs(program, function);
        let missing = if unread[id] { missing_results(program, function) } else { Vec::new() };
        if dead.is_empty() && missing.is_empty() {
            continue;
        }
        let mut draft = Draft::of(function, &program.target);
        for (edge, var) in missing.into_iter().filter(|(edge, _)| !dead.contains(edge)) {
            let value = draft.make().constant(Bits::ZERO, function.var(var).ty);
            let step = (Op::Assign { to: Place::Var(VarRef::Local(var)), value }, function.edge(edge).span);
            draft.put_instead(edge, vec![step]);
        }
        for edge in dead {
            draft.put_instead(edge, Vec::new());
        }
        result.functions[id] = Arc::new(draft.finish());
    }
    result
}

/// The inputs that stand for results which a function does not give: its own, not those of void functions that it calls
/// for a value.
fn missing_results(program: &Program, function: &Function) -> Vec<(EdgeId, LocalVar)> {
    let is_own = |origin: &InputOrigin| matches!(origin, InputOrigin::MissingReturn(name) if *name == function.name);
    let edges = function.edge_ids().filter_map(|edge| match function.edge(edge).op {
        Op::Havoc { to: HavocPlace::Var(VarRef::Local(var)), input } => {
            (function.ret.is_some() && is_own(&program.input(input).origin)).then_some((edge, var))
        }
        _ => None,
    });
    edges.collect()
}

/// For each function that may end without a value: whether every call of it throws its result away.
fn unread_results(program: &Program) -> TiVec<FuncId, bool> {
    let mut unread: TiVec<FuncId, bool> =
        program.functions.iter().map(|f| !missing_results(program, f).is_empty()).collect();
    if !unread.contains(&true) {
        return unread;
    }
    let taken = AddressTaken::of(program);
    for id in program.function_ids() {
        unread[id] &= !taken.function(id);
    }
    for function in &program.functions {
        let mut liveness = None;
        for edge in &function.edges {
            let Op::Call { to: Some(var), callee: Callee::Direct(callee), .. } = &edge.op else { continue };
            if unread[*callee] {
                let liveness = liveness.get_or_insert_with(|| Liveness::of(function));
                unread[*callee] = matches!(var, VarRef::Local(_)) && !liveness.is_live(edge.to, *var);
            }
        }
    }
    unread
}

fn dead_inputs(program: &Program, function: &Function) -> Vec<EdgeId> {
    let garbage = |edge: EdgeId| match function.edge(edge).op {
        Op::Havoc { to: HavocPlace::Var(var), input } => match program.input(input).origin {
            InputOrigin::Uninitialised(_) | InputOrigin::Padding(_) | InputOrigin::MissingReturn(_) => Some(var),
            InputOrigin::Nondet(_)
            | InputOrigin::External(_)
            | InputOrigin::ExternalMemory(_)
            | InputOrigin::ForeignMemory
            | InputOrigin::Library(_)
            | InputOrigin::FreshMemory
            | InputOrigin::ExternalObject(_)
            | InputOrigin::Volatile(_)
            | InputOrigin::Register(_)
            | InputOrigin::MainArgument
            | InputOrigin::EntryArgument(..)
            | InputOrigin::Assembly
            | InputOrigin::MissingArgument(_)
            | InputOrigin::Summary(_)
            | InputOrigin::UnitState(_)
            | InputOrigin::Schedule(_) => None,
        },
        _ => None,
    };
    let mut overwritten: Vec<EdgeId> = function.edge_ids().filter(|&e| is_overwritten(program, function, e)).collect();
    let filled = filled_later(program, function);
    overwritten.extend(filled.into_iter().filter(|edge| !overwritten.contains(edge)).collect::<Vec<_>>());
    let candidates: Vec<_> = function.edge_ids().filter_map(|e| Some((e, garbage(e)?))).collect();
    if candidates.is_empty() {
        return overwritten;
    }
    let liveness = Liveness::of(function);
    let is_dead = |&(edge, var): &(EdgeId, _)| !liveness.is_live(function.edge(edge).to, var);
    candidates.into_iter().filter(is_dead).map(|(edge, _)| edge).chain(overwritten).collect()
}

/// Whether an edge fills a local object with garbage that the very next edge replaces as a whole, reading no memory.
fn is_overwritten(program: &Program, function: &Function, edge: EdgeId) -> bool {
    let Op::Havoc { to: HavocPlace::Region { addr, size }, input } = function.edge(edge).op else { return false };
    if !matches!(program.input(input).origin, InputOrigin::Uninitialised(_) | InputOrigin::Padding(_)) {
        return false;
    }
    let exprs = &function.exprs;
    let object = address_taken::direct(exprs, addr, &program.target);
    let Some((ObjRef::Local(_), 0)) = object else { return false };
    let mut next = function.out_edges(function.edge(edge).to);
    let (Some(only), None) = (next.next(), next.next()) else { return false };
    let Op::Assign { to: Place::Mem(to), value } = function.edge(only).op else { return false };
    let covers = exprs.as_const(size).is_some_and(|s| s.u64() == exprs.ty(value).bytes(&program.target));
    covers && address_taken::direct(exprs, to, &program.target) == object && exprs.as_const(value).is_some()
}
