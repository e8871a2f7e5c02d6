//! Conversions keep the value.
//!
//! Integer to integer: only those that the user did not write as a cast. Float to integer: all, since C leaves a value out
//! of range undefined however it was written.

use super::site::Site;
use crate::check::CheckKind;
use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Sign};
use crate::fold;
use crate::ty::{Bits, Ty};

pub(super) fn converted(site: &mut Site<'_>, id: ExprId) {
    if !site.wants(CheckKind::Conversion) {
        return;
    }
    let ExprKind::Cast(op, value) = site.make.exprs.kind(id) else { return };
    let to_ty = site.make.exprs.ty(id);
    let bits = to_ty.bits(site.make.target);
    let (cond, sign) = match op {
        CastOp::Int { from, to, implicit: true } if from != Sign::Plain && to != Sign::Plain => {
            (keeps_integer(site, value, from, to, bits), to)
        }
        CastOp::FloatToInt(to) if to != Sign::Plain => (keeps_float(site, value, to, bits), to),
        CastOp::Int { .. }
        | CastOp::FloatToInt(_)
        | CastOp::IntToFloat(_)
        | CastOp::FloatToFloat
        | CastOp::PtrToInt
        | CastOp::IntToPtr
        | CastOp::Reinterpret => return,
    };
    let signedness = if sign == Sign::Signed { "a signed" } else { "an unsigned" };
    let message = format!("a conversion to {signedness} integer of {bits} bits changes the value");
    site.require(CheckKind::Conversion, cond, message);
}

/// The value lies between the extremes of the new type that the old one can reach.
fn keeps_integer(site: &mut Site<'_>, value: ExprId, from: Sign, to: Sign, to_bits: u32) -> ExprId {
    let make = &mut site.make;
    let from_bits = make.exprs.ty(value).bits(make.target);
    let mut cond = make.bool(true);
    if from == Sign::Signed {
        let from_min = i128::MIN >> (128 - from_bits);
        let to_min = if to == Sign::Signed { i128::MIN >> (128 - to_bits) } else { 0 };
        if to_min > from_min {
            let min = make.int(to_min, from_bits);
            let above = make.binary(BinOp::Le, Sign::Signed, min, value);
            cond = make.and(cond, above);
        }
    }
    let largest = |sign, bits: u32| u128::MAX >> (128 - bits) >> (sign == Sign::Signed) as u32;
    let (from_max, to_max) = (largest(from, from_bits), largest(to, to_bits));
    if to_max < from_max {
        let max = make.constant(Bits::new(to_max, from_bits), Ty::Int(from_bits as u8));
        let below = make.binary(BinOp::Le, from, value, max);
        cond = make.and(cond, below);
    }
    cond
}

/// The truncated value fits: `MIN - 1 < x < MAX + 1`, as far as the format can tell these numbers from their
/// neighbours. A NaN satisfies neither.
fn keeps_float(site: &mut Site<'_>, value: ExprId, to: Sign, bits: u32) -> ExprId {
    let ty = site.make.exprs.ty(value);
    let make = &mut site.make;
    let mut number = |n: i128| {
        let wide = Ty::Int(128);
        let bits = fold::cast(CastOp::IntToFloat(Sign::Signed), wide, ty, Bits::new(n as u128, 128), make.target);
        make.constant(bits, ty)
    };
    let magnitude_bits = if to == Sign::Signed { bits - 1 } else { bits };
    if magnitude_bits > 125 {
        // Beyond the range of small formats; the bound that matters is that the value is a number.
        let nan = make.unary(crate::expr::UnOp::IsNan, value);
        return make.not(nan);
    }
    let end = number(1i128 << magnitude_bits);
    let min = if to == Sign::Signed { -(1i128 << magnitude_bits) } else { 0 };
    // Where MIN - 1 rounds to MIN, MIN itself is the least value that fits.
    let (below_min, min) = (number(min - 1), number(min));
    let above = if make.exprs.as_const(below_min) == make.exprs.as_const(min) {
        make.binary(BinOp::Le, Sign::Plain, min, value)
    } else {
        make.binary(BinOp::Lt, Sign::Plain, below_min, value)
    };
    let below = make.binary(BinOp::Lt, Sign::Plain, value, end);
    make.and(above, below)
}
