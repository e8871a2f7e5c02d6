//! Addresses: a base and an offset, and the registers that hold the address in a parameter.

use crate::expr::{BinOp, ExprId, ExprKind};
use crate::program::{Function, LocalVar, Op, Program, VarRef};
use crate::ty::Ty;
use std::collections::BTreeMap;

/// Where something is read, in bytes from a base.
#[derive(Clone, Copy)]
pub enum Offset {
    Exact(i64),
    /// At `first` and any multiple of `stride` from there. As the points-to analysis, this takes it for granted that indices do
    /// not wrap around.
    Every {
        first: i64,
        stride: u64,
    },
}

impl Offset {
    pub const ANY: Offset = Offset::Every { first: 0, stride: 1 };

    pub fn of(function: &Function, sum: i64, indices: &[ExprId], program: &Program) -> Offset {
        let strides = indices.iter().map(|&index| stride(function, index, program));
        match strides.fold(0, common_divisor) {
            0 => Offset::Exact(sum),
            stride => Offset::Every { first: sum, stride },
        }
    }
}

/// A number that divides an offset, whatever its operands are.
fn stride(function: &Function, offset: ExprId, program: &Program) -> u64 {
    let exprs = &function.exprs;
    let bits = exprs.ty(offset).bits(&program.target);
    match exprs.kind(offset) {
        ExprKind::Const(value) => value.signed(bits).unsigned_abs() as u64,
        ExprKind::Binary(BinOp::Add | BinOp::Sub, _, a, b) => {
            common_divisor(stride(function, a, program), stride(function, b, program))
        }
        ExprKind::Binary(BinOp::Mul, _, a, b) => {
            let factor = exprs.as_const(b).or(exprs.as_const(a));
            factor.map_or(1, |value| value.signed(bits).unsigned_abs() as u64).max(1)
        }
        ExprKind::Binary(BinOp::Shl, _, _, b) => 1 << exprs.as_const(b).map_or(0, |count| count.u64().min(32)),
        _ => 1,
    }
}

fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// An address as a base, the sum of constant offsets, and the offsets that vary.
pub fn split(function: &Function, addr: ExprId, program: &Program) -> (ExprId, i64, Vec<ExprId>) {
    let (mut base, mut sum, mut indices) = (addr, 0i64, Vec::new());
    while let ExprKind::PtrAdd(inner, offset) = function.exprs.kind(base) {
        match function.exprs.as_const(offset) {
            Some(bits) => sum = sum.wrapping_add(bits.signed(program.target.pointer_bits()) as i64),
            None => indices.push(offset),
        }
        base = inner;
    }
    (base, sum, indices)
}

/// The pointer parameters that are never written, and the registers whose only definition copies one of these.
pub fn aliases(function: &Function) -> BTreeMap<LocalVar, LocalVar> {
    let mut writes: BTreeMap<LocalVar, Vec<&Op>> = BTreeMap::new();
    for edge in &function.edges {
        if let Some(VarRef::Local(var)) = edge.op.written() {
            writes.entry(var).or_default().push(&edge.op);
        }
    }
    let parameters = (0..function.param_count).map(LocalVar);
    let is_kept = |var: &LocalVar| function.var(*var).ty == Ty::Ptr && !writes.contains_key(var);
    let mut aliases: BTreeMap<LocalVar, LocalVar> = parameters.filter(is_kept).map(|var| (var, var)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (&var, ops) in writes.iter().filter(|(var, _)| var.0 >= function.param_count) {
            let [Op::Assign { value, .. }] = ops[..] else { continue };
            let ExprKind::Var(VarRef::Local(from)) = function.exprs.kind(*value) else { continue };
            if let Some(&parameter) = aliases.get(&from) {
                changed |= aliases.insert(var, parameter).is_none();
            }
        }
    }
    aliases
}
