//! Loops that write every element of an array from the first on: `for (i = 0; i < N; i++) a[i] = ...`.
//!
//! **Soundness.** The head is entered with `i` being 0 and left where `N <= i` holds; in the loop `i` is written by the edges
//! back to the head only, each of which adds 1. So `i` is `N` where the loop is left, and the loop was passed with each
//! smaller value; each time the element of that number was written, since no path around the loop avoids the write.

use super::collect::Scope;
use crate::analysis::loops::Loop;
use crate::expr::{BinOp, CastOp, ExprId, ExprKind};
use crate::program::{EdgeId, FuncId, Function, HavocPlace, Loc, LocalObj, LocalVar, ObjRef, Op, Place, VarRef};

/// How many bytes of the object, from its start on, have been written for certain where the edge is taken because a loop
/// is done.
pub fn filled_bytes(scope: Scope, func: FuncId, object: LocalObj, edge: EdgeId) -> Option<u64> {
    let function = scope.program.function(func);
    let head = function.edge(edge).from;
    let (var, count) = bound(function, edge)?;
    let loops = &scope.analyses.shape(func).loops;
    let around = loops.loops.iter().find(|l| l.head == head && !l.irreducible)?;
    if !counts_from_zero(function, around, var, edge) {
        return None;
    }
    let writes = |id: EdgeId| element_written(scope, function, id, object, var);
    let inside = || function.edge_ids().filter(|id| is_inside(around, function, *id));
    // What is filled from outside again in the loop is not written.
    let fills = |id: EdgeId| matches!(&function.edge(id).op, Op::Havoc { to, .. } if !matches!(to, HavocPlace::Var(_)));
    if inside().any(fills) {
        return None;
    }
    let bytes = inside().find_map(writes)?;
    let is_write = |id: EdgeId| writes(id) == Some(bytes);
    passes(function, around, is_write).then_some(count.checked_mul(bytes)?)
}

fn is_inside(around: &Loop, function: &Function, id: EdgeId) -> bool {
    let inside = |loc: Loc| around.body.binary_search(&loc).is_ok();
    inside(function.edge(id).from) && inside(function.edge(id).to)
}

/// The register and the constant `N` of a condition `N <= i`.
fn bound(function: &Function, edge: EdgeId) -> Option<(LocalVar, u64)> {
    let Op::Assume { cond, .. } = function.edge(edge).op else { return None };
    let ExprKind::Binary(BinOp::Le, _, count, var) = function.exprs.kind(cond) else { return None };
    let ExprKind::Var(VarRef::Local(var)) = function.exprs.kind(var) else { return None };
    // Positive whichever way it is read.
    let count = function.exprs.as_const(count)?.u128();
    (count < 1 << 15).then_some((var, count as u64))
}

/// Whether a register is 0 where the loop is entered, and grows by 1 with each iteration; and the edge is the only way out.
fn counts_from_zero(function: &Function, around: &Loop, var: LocalVar, exit: EdgeId) -> bool {
    let inside = |loc: Loc| around.body.binary_search(&loc).is_ok();
    let value_is = |id: EdgeId, expected: &dyn Fn(ExprKind) -> bool| match function.edge(id).op {
        Op::Assign { to: Place::Var(VarRef::Local(to)), value } => to == var && expected(function.exprs.kind(value)),
        _ => false,
    };
    let is_var = |id: ExprId| function.exprs.kind(id) == ExprKind::Var(VarRef::Local(var));
    let is_one = |id: ExprId| function.exprs.as_const(id).is_some_and(|one| one.u128() == 1);
    let zero = |kind: ExprKind| matches!(kind, ExprKind::Const(bits) if bits.is_zero());
    let next = |kind: ExprKind| matches!(kind, ExprKind::Binary(BinOp::Add, _, a, b) if is_var(a) && is_one(b));
    function.edge_ids().all(|id| {
        let edge = function.edge(id);
        match (inside(edge.from), inside(edge.to)) {
            (false, true) => value_is(id, &zero),
            (true, true) if edge.to == around.head => value_is(id, &next),
            (true, true) => edge.op.written() != Some(VarRef::Local(var)),
            (true, false) => id == exit,
            (false, false) => true,
        }
    })
}

/// The size of an element, where the edge writes the element of the object whose number the register holds.
fn element_written(scope: Scope, function: &Function, id: EdgeId, object: LocalObj, var: LocalVar) -> Option<u64> {
    let Op::Assign { to: Place::Mem(addr), value } = function.edge(id).op else { return None };
    let exprs = &function.exprs;
    let ExprKind::PtrAdd(base, offset) = exprs.kind(addr) else { return None };
    let bytes = exprs.ty(value).bytes(&scope.program.target);
    let index = match exprs.kind(offset) {
        ExprKind::Binary(BinOp::Mul, _, index, size) if exprs.as_const(size)?.u128() == bytes as u128 => index,
        _ if bytes == 1 => offset,
        _ => return None,
    };
    // Made wider, so that it is the same number: it is small and not negative.
    let index = match exprs.kind(index) {
        ExprKind::Cast(CastOp::Int { .. }, narrow) => narrow,
        _ => index,
    };
    let is_element = exprs.kind(base) == ExprKind::Addr(ObjRef::Local(object))
        && exprs.kind(index) == ExprKind::Var(VarRef::Local(var))
        && exprs.ty(index).bits(&scope.program.target) >= 16;
    is_element.then_some(bytes)
}

/// Whether every path around the loop takes such an edge.
fn passes(function: &Function, around: &Loop, is_write: impl Fn(EdgeId) -> bool) -> bool {
    let mut seen = vec![around.head];
    let mut waiting = vec![around.head];
    while let Some(loc) = waiting.pop() {
        for id in function.out_edges(loc).filter(|&id| is_inside(around, function, id) && !is_write(id)) {
            let to = function.edge(id).to;
            if to == around.head {
                return false;
            }
            if !seen.contains(&to) {
                seen.push(to);
                waiting.push(to);
            }
        }
    }
    true
}
