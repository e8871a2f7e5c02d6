//! Comparisons.

use super::super::BinaryRule;
use super::{as_pattern, as_widened, narrowed_const};
use crate::op::BinaryOp;
use crate::softfloat::{self, Number};
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

pub const EQ: &[BinaryRule] =
    &[with_nan, eq_same, eq_zero, eq_constant, |terms, a, b| widened(terms, BinaryOp::FloatEq, a, b)];
pub const LT: &[BinaryRule] = &[with_nan, lt_same, |terms, a, b| widened(terms, BinaryOp::FloatLt, a, b)];
pub const LE: &[BinaryRule] = &[with_nan, eq_same, |terms, a, b| widened(terms, BinaryOp::FloatLe, a, b)];

/// NaN compares with nothing
fn with_nan(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let is_nan = |term| as_pattern(terms, term).is_some_and(|(format, bits)| softfloat::is_nan(format, bits));
    (is_nan(a) || is_nan(b)).then_some(TermId::FALSE)
}

/// `x == x` and `x <= x` unless it is NaN
fn eq_same(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a != b {
        return None;
    }
    let is_nan = terms.float_is_nan(a);
    Some(terms.not(is_nan))
}

/// `x < x` is never
fn lt_same(_terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then_some(TermId::FALSE)
}

/// `x == 0` is a test
fn eq_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (format, bits) = as_pattern(terms, b)?;
    let is_zero = matches!(softfloat::unpack(format, bits), Number::Zero { .. });
    is_zero.then(|| terms.float_is_zero(a))
}

/// A number other than zero has one pattern, where the format stores no integer bit
fn eq_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (format, _) = as_pattern(terms, b)?;
    (!format.has_integer_bit()).then(|| terms.eq(a, b))
}

/// Numbers are compared in the format that they came from
fn widened(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = match (as_widened(terms, a), as_widened(terms, b)) {
        (Some(x), Some(y)) => (x, y),
        (Some(x), None) => (x, narrowed_const(terms, b, terms.format(x)?)?),
        (None, Some(y)) => (narrowed_const(terms, a, terms.format(y)?)?, y),
        (None, None) => return None,
    };
    (terms.sort(x) == terms.sort(y)).then(|| terms.binary(op, x, y, Sort::Bool))
}
