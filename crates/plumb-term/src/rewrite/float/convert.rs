//! Conversions that lose nothing, and operations that need less precision than they are done in.

use super::{as_exact_integer, as_widened, canonical, is_within, narrowed_const};
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::sort::{Format, Sort};
use crate::terms::{TermId, Terms};

/// The pattern of a float that was made from a pattern
pub fn bits_of_bits(terms: &mut Terms, a: TermId) -> Option<TermId> {
    terms.as_unary(UnaryOp::FloatFromBits, a)
}

/// The float of a pattern that was taken from one
pub fn float_of_bits(terms: &mut Terms, a: TermId, sort: Sort) -> Option<TermId> {
    let x = terms.as_unary(UnaryOp::FloatToBits, a)?;
    (terms.sort(x) == sort).then_some(x)
}

/// A conversion keeps NaNs and makes none; integers are none
pub fn is_nan_of_conversion(terms: &mut Terms, a: TermId) -> Option<TermId> {
    match terms.kind(a) {
        Kind::Unary(UnaryOp::FloatToFloat, x) => Some(terms.float_is_nan(x)),
        Kind::Unary(UnaryOp::SignedToFloat | UnaryOp::UnsignedToFloat, _) => Some(TermId::FALSE),
        _ => None,
    }
}

pub fn is_inf_of_widened(terms: &mut Terms, a: TermId) -> Option<TermId> {
    if as_exact_integer(terms, a).is_some() {
        return Some(TermId::FALSE);
    }
    as_widened(terms, a).map(|x| terms.float_is_inf(x))
}

pub fn is_zero_of_widened(terms: &mut Terms, a: TermId) -> Option<TermId> {
    as_widened(terms, a).map(|x| terms.float_is_zero(x))
}

/// Only the integer zero becomes zero
pub fn is_zero_of_integer(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let Kind::Unary(UnaryOp::SignedToFloat | UnaryOp::UnsignedToFloat, x) = terms.kind(a) else { return None };
    let zero = terms.zero_like(x);
    Some(terms.eq(x, zero))
}

/// What has been rounded to an integral value, or was an integer, stays
pub fn integral_already(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let Kind::Unary(op, _) = terms.kind(a) else { return None };
    let is_integral = matches!(
        op,
        UnaryOp::FloatFloor
            | UnaryOp::FloatCeil
            | UnaryOp::FloatTrunc
            | UnaryOp::FloatRound
            | UnaryOp::FloatRint
            | UnaryOp::SignedToFloat
            | UnaryOp::UnsignedToFloat
    );
    is_integral.then_some(a)
}

/// A conversion after an exact one starts from the original; back to its format it is the original
pub fn float_of_float(terms: &mut Terms, a: TermId, to: Format) -> Option<TermId> {
    let x = as_widened(terms, a)?;
    if terms.format(x) == Some(to) { canonical(terms, x) } else { Some(terms.float_to_float(x, to)) }
}

/// The same where the first conversion was from an integer
pub fn float_of_integer(terms: &mut Terms, a: TermId, to: Format) -> Option<TermId> {
    let (x, is_signed) = as_exact_integer(terms, a)?;
    Some(if is_signed { terms.signed_to_float(x, to) } else { terms.unsigned_to_float(x, to) })
}

/// An integer that was converted exactly comes back
pub fn integer_of_integer(terms: &mut Terms, a: TermId, width: u32) -> Option<TermId> {
    let (x, is_signed) = as_exact_integer(terms, a)?;
    // As a signed number of the new width it must fit.
    if terms.width(x) + !is_signed as u32 > width {
        return None;
    }
    Some(if is_signed { terms.sign_extend(x, width) } else { terms.zero_extend(x, width) })
}

pub fn integer_of_widened(terms: &mut Terms, a: TermId, width: u32) -> Option<TermId> {
    let x = as_widened(terms, a)?;
    Some(terms.float_to_signed(x, width))
}

/// `(float)((double)x + (double)y) = x + y`, and so for products, quotients and roots.
///
/// Rounding twice is rounding once when the first precision is at least twice the second plus two (Figueroa, "When is
/// double rounding innocuous?", 1995). With two more bits of exponent nothing over- or underflows on the way.
pub fn narrowed_operation(terms: &mut Terms, a: TermId, to: Format) -> Option<TermId> {
    let wide = terms.format(a)?;
    let is_innocuous =
        wide.significand_bits() >= 2 * to.significand_bits() + 2 && wide.exponent_bits() >= to.exponent_bits() + 2;
    if !is_innocuous {
        return None;
    }
    match terms.kind(a) {
        Kind::Unary(UnaryOp::FloatSqrt, x) => {
            let x = narrow(terms, x, to)?;
            Some(terms.float_sqrt(x))
        }
        Kind::Binary(op @ (BinaryOp::FloatAdd | BinaryOp::FloatMul | BinaryOp::FloatDiv), x, y) => {
            let (x, y) = (narrow(terms, x, to)?, narrow(terms, y, to)?);
            Some(terms.binary(op, x, y, Sort::Float(to)))
        }
        _ => None,
    }
}

/// An operand in the smaller format, if it is a number of it.
fn narrow(terms: &mut Terms, a: TermId, to: Format) -> Option<TermId> {
    if terms.is_const(a) {
        return narrowed_const(terms, a, to);
    }
    if let Some(x) = terms.as_unary(UnaryOp::FloatNeg, a) {
        let x = narrow_widened(terms, x, to)?;
        return Some(terms.float_neg(x));
    }
    narrow_widened(terms, a, to)
}

fn narrow_widened(terms: &mut Terms, a: TermId, to: Format) -> Option<TermId> {
    if let Some(x) = as_widened(terms, a)
        && is_within(terms.format(x)?, to)
    {
        return Some(terms.float_to_float(x, to));
    }
    let (x, is_signed) = as_exact_integer(terms, a)?;
    let copy = if is_signed { terms.signed_to_float(x, to) } else { terms.unsigned_to_float(x, to) };
    as_exact_integer(terms, copy).map(|_| copy)
}
