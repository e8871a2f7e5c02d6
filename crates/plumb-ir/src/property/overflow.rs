//! Integer arithmetic stays in range.
//!
//! Signed: the exact result, computed with more bits, lies between the type's extremes. Where there are no more bits
//! (types wider than 64 bits) the signs of operands and result tell. `MIN / -1` and `MIN % -1` are the only quotients out
//! of range. A left shift overflows if shifting back does not give the value; shift counts out of range are left to the
//! shift check. Unsigned arithmetic, whose wrapping C defines, is checked on request.

use super::shift;
use super::site::Site;
use crate::check::CheckKind;
use crate::expr::{BinOp, ExprId, ExprKind, Sign, UnOp};
use crate::make::Make;
use crate::ty::{Bits, Ty};

/// The kind of overflow that an operator can have, if it is checked.
fn kind_of(site: &Site<'_>, id: ExprId, sign: Sign) -> Option<CheckKind> {
    let kind = match sign {
        Sign::Signed => CheckKind::SignedOverflow,
        Sign::Unsigned => CheckKind::UnsignedOverflow,
        Sign::Plain => return None,
    };
    (matches!(site.make.exprs.ty(id), Ty::Int(_)) && site.wants(kind)).then_some(kind)
}

pub(super) fn computed(site: &mut Site<'_>, id: ExprId) {
    let ExprKind::Binary(op, sign, a, b) = site.make.exprs.kind(id) else { return };
    let Some(kind) = kind_of(site, id, sign) else { return };
    let width = site.make.exprs.ty(id).bits(site.make.target);
    let cond = match (op, sign) {
        (BinOp::Add | BinOp::Sub | BinOp::Mul, Sign::Signed) if width <= 64 => {
            let wide = if op == BinOp::Mul { 2 * width } else { width + 1 };
            exact_in_range(&mut site.make, op, a, b, width, wide)
        }
        (BinOp::Add | BinOp::Sub, Sign::Signed) => signs_agree(&mut site.make, op, id, a, b),
        (BinOp::Mul, Sign::Signed) => divides_back(&mut site.make, id, a, b, width),
        (BinOp::Div | BinOp::Rem, Sign::Signed) => divides(&mut site.make, a, b, width),
        (BinOp::Shl, Sign::Signed) => {
            let back = site.make.binary(BinOp::Shr, Sign::Signed, id, b);
            let fits = site.make.eq(back, a);
            let in_range = shift::below_width(site, b, width);
            let too_far = site.make.not(in_range);
            site.make.or(too_far, fits)
        }
        (BinOp::Add, _) => site.make.binary(BinOp::Le, Sign::Unsigned, a, id),
        (BinOp::Sub, _) => site.make.binary(BinOp::Le, Sign::Unsigned, b, a),
        (BinOp::Mul, _) if width <= 64 => {
            let make = &mut site.make;
            let (x, y) = (make.resize(a, Sign::Unsigned, 2 * width), make.resize(b, Sign::Unsigned, 2 * width));
            let product = make.binary(BinOp::Mul, Sign::Plain, x, y);
            let max = make.constant(Bits::new(u128::MAX >> (128 - width), 2 * width), Ty::Int(2 * width as u8));
            make.binary(BinOp::Le, Sign::Unsigned, product, max)
        }
        (BinOp::Mul, _) => {
            let make = &mut site.make;
            let some = make.is_not_zero(a);
            let nothing = make.not(some);
            let back = make.binary(BinOp::Div, Sign::Unsigned, id, a);
            let fits = make.eq(back, b);
            make.or(nothing, fits)
        }
        _ => return,
    };
    let signedness = if sign == Sign::Signed { "a signed" } else { "an unsigned" };
    let message = format!("{} overflows {signedness} integer of {width} bits", name(op));
    site.require(kind, cond, message);
}

fn name(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "a sum",
        BinOp::Sub => "a difference",
        BinOp::Mul => "a product",
        BinOp::Div => "a quotient",
        BinOp::Rem => "the quotient of a remainder",
        BinOp::Shl => "a left shift",
        _ => "a result",
    }
}

/// `MIN / -1` has no result.
fn divides(make: &mut Make<'_>, a: ExprId, b: ExprId, width: u32) -> ExprId {
    let (min, minus_one) = (make.int(i128::MIN >> (128 - width), width), make.int(-1, width));
    let (is_not_min, is_not_minus_one) = (make.ne(a, min), make.ne(b, minus_one));
    make.or(is_not_min, is_not_minus_one)
}

/// The library divides one signed integer by another for the user.
pub(super) fn quotient_of(site: &mut Site<'_>, a: ExprId, b: ExprId) {
    if site.wants(CheckKind::SignedOverflow) {
        let width = site.make.exprs.ty(a).bits(site.make.target);
        let cond = divides(&mut site.make, a, b, width);
        let message = format!("a quotient overflows a signed integer of {width} bits");
        site.require(CheckKind::SignedOverflow, cond, message);
    }
}

/// The operation at the wide width gives a number that fits the narrow one.
fn exact_in_range(make: &mut Make<'_>, op: BinOp, a: ExprId, b: ExprId, width: u32, wide: u32) -> ExprId {
    let (x, y) = (make.resize(a, Sign::Signed, wide), make.resize(b, Sign::Signed, wide));
    let exact = make.binary(op, Sign::Plain, x, y);
    let (min, max) = (make.int(i128::MIN >> (128 - width), wide), make.int(i128::MAX >> (128 - width), wide));
    let above = make.binary(BinOp::Le, Sign::Signed, min, exact);
    let below = make.binary(BinOp::Le, Sign::Signed, exact, max);
    make.and(above, below)
}

/// A sum overflows if its sign differs from that of both operands; a difference if the operands' signs differ and its
/// own differs from the first one's.
fn signs_agree(make: &mut Make<'_>, op: BinOp, result: ExprId, a: ExprId, b: ExprId) -> ExprId {
    let first = make.binary(BinOp::Xor, Sign::Plain, a, result);
    let other = if op == BinOp::Add { result } else { a };
    let second = make.binary(BinOp::Xor, Sign::Plain, b, other);
    let both = make.binary(BinOp::And, Sign::Plain, first, second);
    let zero = make.constant(Bits::ZERO, make.exprs.ty(result));
    make.binary(BinOp::Le, Sign::Signed, zero, both)
}

/// A product is exact if dividing it by a factor gives the other; `-1 * MIN`, which is not, has no such quotient.
fn divides_back(make: &mut Make<'_>, product: ExprId, a: ExprId, b: ExprId, width: u32) -> ExprId {
    let (min, minus_one) = (make.int(i128::MIN >> (128 - width), width), make.int(-1, width));
    let some = make.is_not_zero(a);
    let nothing = make.not(some);
    let back = make.binary(BinOp::Div, Sign::Signed, product, a);
    let exact = make.eq(back, b);
    let (a_fine, b_fine) = (make.ne(a, minus_one), make.ne(b, min));
    let has_quotient = make.or(a_fine, b_fine);
    let fits = make.and(has_quotient, exact);
    make.or(nothing, fits)
}

pub(super) fn negated(site: &mut Site<'_>, id: ExprId) {
    let ExprKind::Unary(UnOp::Neg, sign, a) = site.make.exprs.kind(id) else { return };
    let Some(kind) = kind_of(site, id, sign) else { return };
    if sign == Sign::Signed {
        return negation_of(site, a);
    }
    let width = site.make.exprs.ty(id).bits(site.make.target);
    let some = site.make.is_not_zero(a);
    let cond = site.make.not(some);
    site.require(kind, cond, format!("a negation overflows an unsigned integer of {width} bits"));
}

/// A signed integer is negated.
pub(super) fn negation_of(site: &mut Site<'_>, a: ExprId) {
    if site.wants(CheckKind::SignedOverflow) {
        let width = site.make.exprs.ty(a).bits(site.make.target);
        let min = site.make.int(i128::MIN >> (128 - width), width);
        let cond = site.make.ne(a, min);
        site.require(CheckKind::SignedOverflow, cond, format!("a negation overflows a signed integer of {width} bits"));
    }
}
