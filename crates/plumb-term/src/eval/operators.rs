//! The meaning of every operator, executable: the one place of this crate that defines them.
//!
//! All are total on operands of the right sorts. They agree with `plumb_ir::fold` to the bit, but for NaN results: there
//! their pattern is unspecified, here it is the format's canonical NaN.

use crate::bitvec::BitVec;
use crate::op::{BinaryOp, UnaryOp};
use crate::softfloat::{self, Number, Rounding};
use crate::sort::{Format, Sort};
use crate::value::{ArrayValue, Value};
use std::cmp::Ordering;

/// A float's pattern as a number. Patterns have at most 80 bits.
fn pattern(bits: &BitVec) -> u128 {
    bits.to_u128().unwrap_or(0)
}

fn float(format: Format, pattern: u128) -> Value {
    Value::Float(format, BitVec::new(format.width(), pattern))
}

#[cold]
fn ill_sorted(op: impl std::fmt::Debug) -> ! {
    unreachable!("operands of wrong sorts for {op:?}: terms are well-sorted by construction")
}

/// The value of a unary operator whose result has the sort `sort`.
pub fn unary(op: UnaryOp, a: &Value, sort: Sort) -> Value {
    match a {
        Value::Bool(a) => match op {
            UnaryOp::Not => Value::Bool(!a),
            _ => ill_sorted(op),
        },
        Value::Bv(a) => unary_bv(op, a, sort),
        Value::Float(format, a) => unary_float(op, *format, a, sort),
        Value::Array(_) => ill_sorted(op),
    }
}

fn unary_bv(op: UnaryOp, a: &BitVec, sort: Sort) -> Value {
    match (op, sort) {
        (UnaryOp::BvNot, _) => Value::Bv(a.not()),
        (UnaryOp::BvNeg, _) => Value::Bv(a.neg()),
        (UnaryOp::ZeroExtend, Sort::Bv(width)) => Value::Bv(a.zero_extend(width)),
        (UnaryOp::SignExtend, Sort::Bv(width)) => Value::Bv(a.sign_extend(width)),
        (UnaryOp::FloatFromBits, Sort::Float(format)) => Value::Float(format, a.clone()),
        (UnaryOp::SignedToFloat, Sort::Float(format)) => {
            let negative = a.is_negative();
            let magnitude = if negative { a.neg() } else { a.clone() };
            float(format, softfloat::from_integer(format, negative, &magnitude))
        }
        (UnaryOp::UnsignedToFloat, Sort::Float(format)) => float(format, softfloat::from_integer(format, false, a)),
        (UnaryOp::ConstArray, Sort::Array { index, .. }) => Value::Array(ArrayValue::new(index, a.clone())),
        _ => ill_sorted(op),
    }
}

fn unary_float(op: UnaryOp, format: Format, a: &BitVec, sort: Sort) -> Value {
    let bits = pattern(a);
    let integral = |rounding| float(format, softfloat::round_to_integral(format, bits, rounding));
    match (op, sort) {
        (UnaryOp::FloatToBits, _) => Value::Bv(a.clone()),
        // Sign operations act on the bits alone, also of NaNs.
        (UnaryOp::FloatNeg, _) => float(format, bits ^ format.sign_mask()),
        (UnaryOp::FloatAbs, _) => float(format, bits & !format.sign_mask()),
        (UnaryOp::FloatIsNegative, _) => Value::Bool(bits & format.sign_mask() != 0),
        (UnaryOp::FloatSqrt, _) => float(format, softfloat::sqrt(format, bits)),
        (UnaryOp::FloatFloor, _) => integral(Rounding::Floor),
        (UnaryOp::FloatCeil, _) => integral(Rounding::Ceil),
        (UnaryOp::FloatTrunc, _) => integral(Rounding::Trunc),
        (UnaryOp::FloatRound, _) => integral(Rounding::NearestAway),
        (UnaryOp::FloatRint, _) => integral(Rounding::NearestEven),
        (UnaryOp::FloatIsNan, _) => Value::Bool(softfloat::is_nan(format, bits)),
        (UnaryOp::FloatIsInf, _) => Value::Bool(matches!(softfloat::unpack(format, bits), Number::Infinity { .. })),
        (UnaryOp::FloatIsNormal, _) => Value::Bool(softfloat::is_normal(format, bits)),
        (UnaryOp::FloatIsZero, _) => Value::Bool(matches!(softfloat::unpack(format, bits), Number::Zero { .. })),
        (UnaryOp::FloatToFloat, Sort::Float(to)) => float(to, softfloat::to_float(format, to, bits)),
        (UnaryOp::FloatToSigned, Sort::Bv(width)) => Value::Bv(softfloat::to_signed(format, bits, width)),
        _ => ill_sorted(op),
    }
}

pub fn binary(op: BinaryOp, a: &Value, b: &Value) -> Value {
    if op == BinaryOp::Eq {
        return Value::Bool(a == b);
    }
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => match op {
            BinaryOp::And => Value::Bool(*a && *b),
            BinaryOp::Or => Value::Bool(*a || *b),
            _ => ill_sorted(op),
        },
        (Value::Bv(a), Value::Bv(b)) => binary_bv(op, a, b),
        (Value::Float(format, a), Value::Float(_, b)) => binary_float(op, *format, pattern(a), pattern(b)),
        (Value::Array(array), Value::Bv(index)) if op == BinaryOp::Select => Value::Bv(array.select(index).clone()),
        _ => ill_sorted(op),
    }
}

fn binary_bv(op: BinaryOp, a: &BitVec, b: &BitVec) -> Value {
    let bits = match op {
        BinaryOp::BvAnd => a.and(b),
        BinaryOp::BvOr => a.or(b),
        BinaryOp::BvXor => a.xor(b),
        BinaryOp::BvAdd => a.add(b),
        BinaryOp::BvSub => a.sub(b),
        BinaryOp::BvMul => a.mul(b),
        BinaryOp::BvUdiv => a.udiv(b),
        BinaryOp::BvUrem => a.urem(b),
        BinaryOp::BvSdiv => a.sdiv(b),
        BinaryOp::BvSrem => a.srem(b),
        BinaryOp::BvShl => a.shl(b),
        BinaryOp::BvLshr => a.lshr(b),
        BinaryOp::BvAshr => a.ashr(b),
        BinaryOp::Concat => a.concat(b),
        BinaryOp::BvUlt => return Value::Bool(a.ult(b)),
        BinaryOp::BvSlt => return Value::Bool(a.slt(b)),
        _ => ill_sorted(op),
    };
    Value::Bv(bits)
}

fn binary_float(op: BinaryOp, format: Format, a: u128, b: u128) -> Value {
    let order = || softfloat::compare(format, a, b);
    let bits = match op {
        BinaryOp::FloatAdd => softfloat::add(format, a, b),
        BinaryOp::FloatMul => softfloat::mul(format, a, b),
        BinaryOp::FloatDiv => softfloat::div(format, a, b),
        BinaryOp::FloatRem => softfloat::fmod(format, a, b),
        BinaryOp::FloatIeeeRem => softfloat::ieee_remainder(format, a, b),
        BinaryOp::FloatMin => softfloat::pick(format, a, b, true),
        BinaryOp::FloatMax => softfloat::pick(format, a, b, false),
        BinaryOp::FloatEq => return Value::Bool(order() == Some(Ordering::Equal)),
        BinaryOp::FloatLt => return Value::Bool(order() == Some(Ordering::Less)),
        BinaryOp::FloatLe => return Value::Bool(matches!(order(), Some(Ordering::Less | Ordering::Equal))),
        _ => ill_sorted(op),
    };
    float(format, bits)
}

/// `a * b + c`, rounded once.
pub fn fma(a: &Value, b: &Value, c: &Value) -> Value {
    match (a, b, c) {
        (Value::Float(format, a), Value::Float(_, b), Value::Float(_, c)) => {
            float(*format, softfloat::fma(*format, pattern(a), pattern(b), pattern(c)))
        }
        _ => ill_sorted("fma"),
    }
}
