//! Floats: what the sign bit alone decides, exact conversions, comparisons with constants.

mod arith;
mod compare;
mod convert;
mod sign;

pub use arith::{ADD, DIV, MUL};
pub use compare::{EQ, LE, LT};

use super::{UnaryRule, first_unary};
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::softfloat;
use crate::sort::{Format, Sort};
use crate::terms::{TermId, Terms};

/// An equal term for an operator on `a`, whose result has the sort `sort`.
pub fn unary(terms: &mut Terms, op: UnaryOp, a: TermId, sort: Sort) -> Option<TermId> {
    let rules: &[UnaryRule] = match op {
        UnaryOp::FloatToBits => &[convert::bits_of_bits],
        UnaryOp::FloatFromBits => return convert::float_of_bits(terms, a, sort),
        UnaryOp::FloatNeg => &[sign::neg_neg],
        UnaryOp::FloatAbs => &[sign::abs_of_sign],
        UnaryOp::FloatIsNegative => &[sign::sign_of_sign, sign::sign_of_integer, sign::sign_of_bits],
        UnaryOp::FloatIsNan => &[sign::is_nan_of_sign, convert::is_nan_of_conversion],
        UnaryOp::FloatIsInf => &[sign::is_inf_of_sign, convert::is_inf_of_widened],
        UnaryOp::FloatIsNormal => &[sign::is_normal_of_sign],
        UnaryOp::FloatIsZero => &[sign::is_zero_of_sign, convert::is_zero_of_integer, convert::is_zero_of_widened],
        UnaryOp::FloatFloor | UnaryOp::FloatCeil | UnaryOp::FloatTrunc | UnaryOp::FloatRound | UnaryOp::FloatRint => {
            &[convert::integral_already]
        }
        UnaryOp::FloatToFloat => {
            let Sort::Float(to) = sort else { return None };
            return convert::float_of_float(terms, a, to)
                .or_else(|| convert::float_of_integer(terms, a, to))
                .or_else(|| convert::narrowed_operation(terms, a, to));
        }
        UnaryOp::FloatToSigned => {
            let Sort::Bv(width) = sort else { return None };
            return convert::integer_of_integer(terms, a, width)
                .or_else(|| convert::integer_of_widened(terms, a, width));
        }
        UnaryOp::FloatSqrt | UnaryOp::SignedToFloat | UnaryOp::UnsignedToFloat => &[],
        UnaryOp::Not
        | UnaryOp::BvNot
        | UnaryOp::BvNeg
        | UnaryOp::ZeroExtend
        | UnaryOp::SignExtend
        | UnaryOp::ConstArray => &[],
    };
    first_unary(terms, rules, a)
}

/// Is every number of the one format a number of the other?
fn is_within(from: Format, to: Format) -> bool {
    from.exponent_bits() <= to.exponent_bits() && from.significand_bits() <= to.significand_bits()
}

/// Does the term only have canonical patterns, as results of arithmetic do?
fn is_canonical(terms: &Terms, a: TermId) -> bool {
    match terms.kind(a) {
        Kind::Const => match (terms.format(a), terms.const_bits(a).and_then(|bits| bits.to_u128())) {
            (Some(format), Some(bits)) => softfloat::pack(format, softfloat::unpack(format, bits)) == bits,
            _ => false,
        },
        Kind::Unary(op, _) => !matches!(op, UnaryOp::FloatNeg | UnaryOp::FloatAbs | UnaryOp::FloatFromBits),
        Kind::Binary(op, ..) => op != BinaryOp::Select,
        Kind::Fma(..) => true,
        Kind::Symbol(_) | Kind::Ite(..) | Kind::Store(..) | Kind::Extract { .. } => false,
    }
}

/// The number of a float as arithmetic would return it, if that costs no arithmetic.
fn canonical(terms: &mut Terms, a: TermId) -> Option<TermId> {
    if is_canonical(terms, a) {
        return Some(a);
    }
    let format = terms.format(a)?;
    if format.has_integer_bit() {
        return None;
    }
    let (is_nan, nan) = (terms.float_is_nan(a), terms.float_const(format, format.canonical_nan()));
    Some(terms.ite(is_nan, nan, a))
}

/// The pattern of a float constant.
fn as_pattern(terms: &Terms, a: TermId) -> Option<(Format, u128)> {
    Some((terms.format(a)?, terms.const_bits(a)?.to_u128()?))
}

/// A term converted from a format whose numbers all are in its own.
fn as_widened(terms: &Terms, a: TermId) -> Option<TermId> {
    let x = terms.as_unary(UnaryOp::FloatToFloat, a)?;
    is_within(terms.format(x)?, terms.format(a)?).then_some(x)
}

/// A constant as one of a smaller format, if it is a number there.
fn narrowed_const(terms: &mut Terms, a: TermId, to: Format) -> Option<TermId> {
    let (format, bits) = as_pattern(terms, a)?;
    let narrow = softfloat::to_float(format, to, bits);
    let back = softfloat::unpack(to, narrow);
    (back == softfloat::unpack(format, bits)).then(|| terms.float_const(to, narrow))
}

/// An integer converted to a float that holds every number of its width exactly.
fn as_exact_integer(terms: &Terms, a: TermId) -> Option<(TermId, bool)> {
    let Kind::Unary(op @ (UnaryOp::SignedToFloat | UnaryOp::UnsignedToFloat), x) = terms.kind(a) else { return None };
    let (format, width) = (terms.format(a)?, terms.width(x));
    let fits = width <= format.significand_bits() && width as i32 <= format.bias();
    fits.then_some((x, op == UnaryOp::SignedToFloat))
}
