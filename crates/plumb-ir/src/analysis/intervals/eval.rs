//! Expressions over sets, and what a condition says about registers.

use super::{State, Value};
use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Sign, UnOp};
use crate::program::Function;
use crate::ty::{Bits, Ty};

/// How deep expressions are looked into; what lies deeper may be anything.
const DEPTH: u32 = 40;

/// The patterns that an expression can have; `None` for what is not an integer.
pub fn value(function: &Function, id: ExprId, state: &State) -> Option<Value> {
    within(function, id, state, DEPTH)
}

fn within(function: &Function, id: ExprId, state: &State, depth: u32) -> Option<Value> {
    let exprs = &function.exprs;
    let Ty::Int(width @ 1..=64) = exprs.ty(id) else { return None };
    let width = width as u32;
    let any = Value::any(width);
    if depth == 0 {
        return Some(any);
    }
    let operand = |id: ExprId| within(function, id, state, depth - 1);
    let found = match exprs.kind(id) {
        ExprKind::Const(bits) => Some(Value::constant(bits, width)),
        ExprKind::Var(var) => state.get(var),
        ExprKind::Unary(UnOp::Neg, sign, a) => {
            operand(a).map(|a| Value::binary(BinOp::Sub, sign, &Value::constant(Bits::ZERO, width), &a))
        }
        ExprKind::Unary(UnOp::Not, sign, a) => operand(a)
            .map(|a| Value::binary(BinOp::Sub, sign, &Value::constant(Bits::new(u128::MAX, width), width), &a)),
        ExprKind::Binary(op, sign, a, b) if op.is_comparison() => match (operand(a), operand(b)) {
            (Some(a), Some(b)) => compare(op, sign, &a, &b).map(|truth| Value::constant(Bits::bool(truth), 1)),
            _ => None,
        },
        ExprKind::Binary(op, sign, a, b) => match (operand(a), operand(b)) {
            (Some(a), Some(b)) => Some(Value::binary(op, sign, &a, &b)),
            _ => None,
        },
        ExprKind::Cast(CastOp::Int { from, .. }, a) => operand(a).map(|a| a.resize(width, from)),
        ExprKind::Ite(cond, a, b) => match (truth(operand(cond)), operand(a), operand(b)) {
            (Some(true), a, _) => a,
            (Some(false), _, b) => b,
            (None, Some(a), Some(b)) => Some(a.join(&b)),
            (None, _, _) => None,
        },
        ExprKind::And(a, b) => match (truth(operand(a)), truth(operand(b))) {
            (Some(false), _) | (_, Some(false)) => Some(Value::constant(Bits::bool(false), 1)),
            (Some(true), Some(true)) => Some(Value::constant(Bits::bool(true), 1)),
            _ => None,
        },
        ExprKind::Or(a, b) => match (truth(operand(a)), truth(operand(b))) {
            (Some(true), _) | (_, Some(true)) => Some(Value::constant(Bits::bool(true), 1)),
            (Some(false), Some(false)) => Some(Value::constant(Bits::bool(false), 1)),
            _ => None,
        },
        ExprKind::Extract { value, lo: 0 } => operand(value).map(|v| v.resize(width, Sign::Unsigned)),
        ExprKind::Extract { .. }
        | ExprKind::Insert { .. }
        | ExprKind::Unary(_, _, _)
        | ExprKind::Cast(_, _)
        | ExprKind::Addr(_)
        | ExprKind::FuncAddr(_)
        | ExprKind::Load(_)
        | ExprKind::PtrAdd(_, _)
        | ExprKind::PtrDiff(_, _)
        | ExprKind::Fma(_, _, _)
        | ExprKind::InBounds { .. }
        | ExprKind::Callable { .. }
        | ExprKind::Freeable(_)
        | ExprKind::IsLive(_)
        | ExprKind::SameObject(_, _)
        | ExprKind::BytesLeft(_)
        | ExprKind::ObjectOffset(_)
        | ExprKind::NoLeak(_)
        | ExprKind::HeapEmpty => None,
    };
    Some(found.filter(|v| v.width == width).unwrap_or(any))
}

fn truth(value: Option<Value>) -> Option<bool> {
    value.and_then(|v| v.as_constant()).map(|bits| !bits.is_zero())
}

/// The range by which a sign reads.
fn range(value: &Value, sign: Sign) -> (i128, i128) {
    match sign {
        Sign::Signed => value.signed,
        Sign::Unsigned | Sign::Plain => value.unsigned,
    }
}

fn compare(op: BinOp, sign: Sign, a: &Value, b: &Value) -> Option<bool> {
    let ((al, ah), (bl, bh)) = (range(a, sign), range(b, sign));
    match op {
        BinOp::Lt if ah < bl => Some(true),
        BinOp::Lt if al >= bh => Some(false),
        BinOp::Le if ah <= bl => Some(true),
        BinOp::Le if al > bh => Some(false),
        BinOp::Eq | BinOp::Ne => {
            let same = match (a.as_constant(), b.as_constant()) {
                _ if a.meet(b).is_none() => Some(false),
                (Some(x), Some(y)) => Some(x == y),
                _ => None,
            };
            same.map(|same| same == (op == BinOp::Eq))
        }
        _ => None,
    }
}

/// Narrows a state to where a condition holds, or does not. Whether anything is left.
pub fn refine(function: &Function, cond: ExprId, holds: bool, state: &mut State) -> bool {
    refine_within(function, cond, holds, state, DEPTH)
}

fn refine_within(function: &Function, cond: ExprId, holds: bool, state: &mut State, depth: u32) -> bool {
    if depth == 0 {
        return true;
    }
    if truth(value(function, cond, state)) == Some(!holds) {
        return false;
    }
    match function.exprs.kind(cond) {
        ExprKind::Unary(UnOp::Not, _, a) => refine_within(function, a, !holds, state, depth - 1),
        ExprKind::And(a, b) if holds => {
            refine_within(function, a, true, state, depth - 1) && refine_within(function, b, true, state, depth - 1)
        }
        ExprKind::Or(a, b) if !holds => {
            refine_within(function, a, false, state, depth - 1) && refine_within(function, b, false, state, depth - 1)
        }
        ExprKind::Binary(op, sign, a, b) if op.is_comparison() => {
            let (op, a, b) = match (op, holds) {
                (_, true) => (op, a, b),
                (BinOp::Lt, false) => (BinOp::Le, b, a),
                (BinOp::Le, false) => (BinOp::Lt, b, a),
                (BinOp::Eq, false) => (BinOp::Ne, a, b),
                (_, false) => (BinOp::Eq, a, b),
            };
            refine_comparison(function, op, sign, a, b, state)
        }
        ExprKind::Var(var) => {
            let bit = Value::constant(Bits::bool(holds), 1);
            match state.get(var) {
                Some(known) if known.width == 1 => match known.meet(&bit) {
                    Some(met) => {
                        state.set(var, Some(met));
                        true
                    }
                    None => false,
                },
                _ => true,
            }
        }
        _ => true,
    }
}

/// A comparison that holds narrows the registers on its sides.
fn refine_comparison(function: &Function, op: BinOp, sign: Sign, a: ExprId, b: ExprId, state: &mut State) -> bool {
    let (Some(x), Some(y)) = (value(function, a, state), value(function, b, state)) else { return true };
    let bounded = |of: &Value, least: i128, most: i128| {
        let mut set = Value::any(of.width);
        match sign {
            Sign::Signed => set.signed = (set.signed.0.max(least), set.signed.1.min(most)),
            Sign::Unsigned | Sign::Plain => set.unsigned = (set.unsigned.0.max(least), set.unsigned.1.min(most)),
        }
        set
    };
    let (least, most) = (range(&x, sign).0, range(&y, sign).1);
    let (for_x, for_y) = match op {
        BinOp::Lt => (bounded(&x, i128::MIN, most - 1), bounded(&y, least + 1, i128::MAX)),
        BinOp::Le => (bounded(&x, i128::MIN, most), bounded(&y, least, i128::MAX)),
        BinOp::Eq => (y, x),
        BinOp::Ne => (without(&x, &y), without(&y, &x)),
        _ => return true,
    };
    narrow(function, a, &for_x, state) && narrow(function, b, &for_y, state)
}

/// A set without a constant at its end.
fn without(set: &Value, other: &Value) -> Value {
    let mut set = *set;
    if let Some(constant) = other.as_constant() {
        let (signed, unsigned) = (constant.signed(set.width), constant.u128() as i128);
        for (range, number) in [(&mut set.signed, signed), (&mut set.unsigned, unsigned)] {
            range.0 += i128::from(range.0 == number && range.0 < range.1);
            range.1 -= i128::from(range.1 == number && range.0 < range.1);
        }
    }
    set
}

/// Narrows the register that an expression is.
fn narrow(function: &Function, id: ExprId, to: &Value, state: &mut State) -> bool {
    let ExprKind::Var(var) = function.exprs.kind(id) else { return true };
    let Some(known) = state.get(var) else { return true };
    match known.meet(to) {
        Some(met) => {
            state.set(var, Some(met));
            true
        }
        None => false,
    }
}
