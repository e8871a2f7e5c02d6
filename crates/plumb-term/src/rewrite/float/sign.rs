//! Operators that look at the sign bit only, or do not look at it.

use crate::op::{Kind, UnaryOp};
use crate::terms::{TermId, Terms};

/// The operand of a negation or an absolute value.
fn without_sign(terms: &Terms, a: TermId) -> Option<TermId> {
    match terms.kind(a) {
        Kind::Unary(UnaryOp::FloatNeg | UnaryOp::FloatAbs, x) => Some(x),
        _ => None,
    }
}

/// `--x = x`
pub fn neg_neg(terms: &mut Terms, a: TermId) -> Option<TermId> {
    terms.as_unary(UnaryOp::FloatNeg, a)
}

/// `|-x| = |x|`, `||x|| = |x|`
pub fn abs_of_sign(terms: &mut Terms, a: TermId) -> Option<TermId> {
    without_sign(terms, a).map(|x| terms.float_abs(x))
}

pub fn is_nan_of_sign(terms: &mut Terms, a: TermId) -> Option<TermId> {
    without_sign(terms, a).map(|x| terms.float_is_nan(x))
}

pub fn is_inf_of_sign(terms: &mut Terms, a: TermId) -> Option<TermId> {
    without_sign(terms, a).map(|x| terms.float_is_inf(x))
}

pub fn is_normal_of_sign(terms: &mut Terms, a: TermId) -> Option<TermId> {
    without_sign(terms, a).map(|x| terms.float_is_normal(x))
}

pub fn is_zero_of_sign(terms: &mut Terms, a: TermId) -> Option<TermId> {
    without_sign(terms, a).map(|x| terms.float_is_zero(x))
}

/// The sign of `-x` is the other one, that of `|x|` is clear
pub fn sign_of_sign(terms: &mut Terms, a: TermId) -> Option<TermId> {
    if terms.as_unary(UnaryOp::FloatAbs, a).is_some() {
        return Some(TermId::FALSE);
    }
    let x = terms.as_unary(UnaryOp::FloatNeg, a)?;
    let is_negative = terms.float_is_negative(x);
    Some(terms.not(is_negative))
}

/// The sign of a converted integer is the integer's: zero becomes positive zero
pub fn sign_of_integer(terms: &mut Terms, a: TermId) -> Option<TermId> {
    if terms.as_unary(UnaryOp::UnsignedToFloat, a).is_some() {
        return Some(TermId::FALSE);
    }
    let x = terms.as_unary(UnaryOp::SignedToFloat, a)?;
    let zero = terms.zero_like(x);
    Some(terms.bv_slt(x, zero))
}

/// The sign of a pattern is its top bit
pub fn sign_of_bits(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let x = terms.as_unary(UnaryOp::FloatFromBits, a)?;
    let zero = terms.zero_like(x);
    Some(terms.bv_slt(x, zero))
}
