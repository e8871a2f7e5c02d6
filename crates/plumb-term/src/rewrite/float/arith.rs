//! Arithmetic with constants that makes no arithmetic, or cheaper one.

use super::super::BinaryRule;
use super::{as_pattern, canonical};
use crate::softfloat::{self, Number};
use crate::terms::{TermId, Terms};

pub const ADD: &[BinaryRule] = &[nan_operand, add_negative_zero];
pub const MUL: &[BinaryRule] = &[nan_operand, mul_one];
pub const DIV: &[BinaryRule] = &[nan_operand, div_power_of_two];

fn as_number(terms: &Terms, a: TermId) -> Option<Number> {
    as_pattern(terms, a).map(|(format, bits)| softfloat::unpack(format, bits))
}

/// With NaN the result is NaN
fn nan_operand(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let format = terms.format(a)?;
    let is_nan = as_number(terms, a) == Some(Number::Nan) || as_number(terms, b) == Some(Number::Nan);
    is_nan.then(|| terms.float_const(format, format.canonical_nan()))
}

/// `x + -0.0 = x`
fn add_negative_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if as_number(terms, b)? != (Number::Zero { negative: true }) {
        return None;
    }
    canonical(terms, a)
}

/// `x * 1.0 = x`, `x * -1.0 = -x`
fn mul_one(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let Number::Finite { negative, exponent: -63, significand: 0x8000_0000_0000_0000 } = as_number(terms, b)? else {
        return None;
    };
    let product = if negative { terms.float_neg(a) } else { a };
    canonical(terms, product)
}

/// `x / 2^k = x * 2^-k` where both powers are normal numbers
fn div_power_of_two(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (format, bits) = as_pattern(terms, b)?;
    let Number::Finite { negative, exponent, significand: 0x8000_0000_0000_0000 } = softfloat::unpack(format, bits)
    else {
        return None;
    };
    let inverse = Number::Finite { negative, exponent: -126 - exponent, significand: 1 << 63 };
    let inverse = softfloat::pack(format, inverse);
    if !softfloat::is_normal(format, bits) || !softfloat::is_normal(format, inverse) {
        return None;
    }
    let inverse = terms.float_const(format, inverse);
    Some(terms.float_mul(a, inverse))
}
