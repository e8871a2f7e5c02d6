//! Orders. Constants go to the right; what a promotion widened is compared as it was before.

use super::{BinaryRule, extend, pull};
use crate::bitvec::BitVec;
use crate::op::{BinaryOp, UnaryOp};
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

pub const ULT: &[BinaryRule] =
    &[less_same, ult_constant_right, ult_constant_left, ult_zero_extended, ult_sign_extended, |terms, a, b| {
        pull::compare_choice(terms, BinaryOp::BvUlt, a, b)
    }];
pub const SLT: &[BinaryRule] =
    &[less_same, slt_constant_right, slt_constant_left, slt_not_negative, slt_sign_extended, |terms, a, b| {
        pull::compare_choice(terms, BinaryOp::BvSlt, a, b)
    }];

/// `x < x = false`
fn less_same(_terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then_some(TermId::FALSE)
}

/// `x < min = false`, `x < min + 1 = (x == min)`, `x < max = (x != max)`
fn constant_right(terms: &mut Terms, a: TermId, b: TermId, min: BitVec, max: BitVec) -> Option<TermId> {
    let constant = terms.as_bv(b)?;
    if constant == min {
        return Some(TermId::FALSE);
    }
    if constant == max {
        return Some(terms.ne(a, b));
    }
    if constant == min.add(&BitVec::one(min.width())) {
        let min = terms.bv_const(&min);
        return Some(terms.eq(a, min));
    }
    None
}

/// `max < x = false`, `c < x = !(x < c + 1)`
fn constant_left(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId, max: BitVec) -> Option<TermId> {
    let constant = terms.as_bv(a)?;
    if constant == max {
        return Some(TermId::FALSE);
    }
    let next = terms.bv_const(&constant.add(&BitVec::one(max.width())));
    let not_greater = terms.binary(op, b, next, Sort::Bool);
    Some(terms.not(not_greater))
}

fn ult_constant_right(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    constant_right(terms, a, b, BitVec::zero(width), BitVec::ones(width))
}

fn slt_constant_right(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    constant_right(terms, a, b, BitVec::min_signed(width), BitVec::max_signed(width))
}

fn ult_constant_left(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let max = BitVec::ones(terms.width(a));
    constant_left(terms, BinaryOp::BvUlt, a, b, max)
}

fn slt_constant_left(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let max = BitVec::max_signed(terms.width(a));
    constant_left(terms, BinaryOp::BvSlt, a, b, max)
}

/// `zext x < zext y = x < y`, `zext x < c = x < c` or true
fn ult_zero_extended(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let x = terms.as_unary(UnaryOp::ZeroExtend, a)?;
    if terms.is_const(b) {
        let narrow = extend::narrowed_const(terms, UnaryOp::ZeroExtend, b, terms.width(x));
        return Some(narrow.map_or(TermId::TRUE, |narrow| terms.bv_ult(x, narrow)));
    }
    let y = terms.as_unary(UnaryOp::ZeroExtend, b)?;
    let width = terms.width(x).max(terms.width(y));
    let (x, y) = (terms.zero_extend(x, width), terms.zero_extend(y, width));
    Some(terms.bv_ult(x, y))
}

/// `sext x <u sext y = x <u y`: extending the sign keeps both orders
fn ult_sign_extended(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = (terms.as_unary(UnaryOp::SignExtend, a)?, terms.as_unary(UnaryOp::SignExtend, b)?);
    (terms.width(x) == terms.width(y)).then(|| terms.bv_ult(x, y))
}

/// Is the sign bit known to be clear?
pub fn is_not_negative(terms: &Terms, a: TermId) -> bool {
    match terms.as_bv(a) {
        Some(bits) => !bits.is_negative(),
        None => terms.as_unary(UnaryOp::ZeroExtend, a).is_some(),
    }
}

/// Between numbers that are not negative the orders agree; none is below a negative one
fn slt_not_negative(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if !is_not_negative(terms, a) {
        return None;
    }
    if is_not_negative(terms, b) {
        return Some(terms.bv_ult(a, b));
    }
    terms.is_const(b).then_some(TermId::FALSE)
}

/// `sext x < sext y = x < y`, `sext x < c = x < c`, or what the sign of a `c` out of range says
fn slt_sign_extended(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let x = terms.as_unary(UnaryOp::SignExtend, a)?;
    if let Some(constant) = terms.as_bv(b) {
        let narrow = extend::narrowed_const(terms, UnaryOp::SignExtend, b, terms.width(x));
        return Some(narrow.map_or(TermId::bool(!constant.is_negative()), |narrow| terms.bv_slt(x, narrow)));
    }
    let y = terms.as_unary(UnaryOp::SignExtend, b)?;
    let width = terms.width(x).max(terms.width(y));
    let (x, y) = (terms.sign_extend(x, width), terms.sign_extend(y, width));
    Some(terms.bv_slt(x, y))
}
