//! Quotients and remainders. By zero they are what SMT-LIB says.

use super::compare::is_not_negative;
use super::{BinaryRule, extend};
use crate::op::UnaryOp;
use crate::terms::{TermId, Terms};

pub const UDIV: &[BinaryRule] = &[udiv_by_constant, udiv_zero_extended];
pub const UREM: &[BinaryRule] = &[urem_by_constant, urem_same, urem_zero_extended];
pub const SDIV: &[BinaryRule] = &[sdiv_by_constant, sdiv_not_negative, sdiv_sign_extended];
pub const SREM: &[BinaryRule] = &[srem_by_constant, urem_same, srem_not_negative, srem_sign_extended];

/// `x / 0 = -1`, `x / 2^k = x >> k`
fn udiv_by_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let divisor = terms.as_bv(b)?;
    if divisor.is_zero() {
        return Some(terms.ones_like(a));
    }
    let (width, shift) = (divisor.width(), divisor.log2()?);
    let high = terms.extract(a, width - 1, shift);
    Some(terms.zero_extend(high, width))
}

/// `zext x / c = zext (x / c)`, or zero when `c` is too large
fn udiv_zero_extended(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, width) = (terms.as_unary(UnaryOp::ZeroExtend, a)?, terms.width(a));
    if !terms.is_const(b) {
        return None;
    }
    let Some(divisor) = extend::narrowed_const(terms, UnaryOp::ZeroExtend, b, terms.width(x)) else {
        return Some(terms.zero_like(a));
    };
    let quotient = terms.bv_udiv(x, divisor);
    Some(terms.zero_extend(quotient, width))
}

/// `x % 0 = x`, `x % 2^k`: the lower bits
fn urem_by_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let divisor = terms.as_bv(b)?;
    if divisor.is_zero() {
        return Some(a);
    }
    let shift = divisor.log2()?;
    if shift == 0 {
        return Some(terms.zero_like(a));
    }
    let low = terms.extract(a, shift - 1, 0);
    Some(terms.zero_extend(low, divisor.width()))
}

/// `x % x = 0`, also for zero
fn urem_same(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then(|| terms.zero_like(a))
}

/// `zext x % zext y = zext (x % y)`, also by zero; with a constant too large for `x` it is `x`
fn urem_zero_extended(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, width) = (terms.as_unary(UnaryOp::ZeroExtend, a)?, terms.width(a));
    let divisor = if terms.is_const(b) {
        match extend::narrowed_const(terms, UnaryOp::ZeroExtend, b, terms.width(x)) {
            Some(divisor) => divisor,
            None => return Some(a),
        }
    } else {
        terms.as_unary(UnaryOp::ZeroExtend, b)?
    };
    let inner = terms.width(x).max(terms.width(divisor));
    let (x, divisor) = (terms.zero_extend(x, inner), terms.zero_extend(divisor, inner));
    let rest = terms.bv_urem(x, divisor);
    Some(terms.zero_extend(rest, width))
}

/// `x / 1 = x`, `x / -1 = -x`, `x / 0 = x < 0 ? 1 : -1`
fn sdiv_by_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let divisor = terms.as_bv(b)?;
    // In one bit, 1 is -1: both rules give the same.
    if divisor.is_ones() {
        return Some(terms.bv_neg(a));
    }
    if divisor.is_one() {
        return Some(a);
    }
    if !divisor.is_zero() {
        return None;
    }
    let (is_negative, one, minus_one) = (terms.bv_slt(a, b), terms.bv(divisor.width(), 1), terms.ones_like(a));
    Some(terms.ite(is_negative, one, minus_one))
}

/// Numbers that are not negative are divided as unsigned ones, also by zero
fn sdiv_not_negative(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (is_not_negative(terms, a) && is_not_negative(terms, b)).then(|| terms.bv_udiv(a, b))
}

/// `x % 0 = x`, `x % 1 = x % -1 = 0`
fn srem_by_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let divisor = terms.as_bv(b)?;
    if divisor.is_zero() {
        return Some(a);
    }
    (divisor.is_one() || divisor.is_ones()).then(|| terms.zero_like(a))
}

fn srem_not_negative(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (is_not_negative(terms, a) && is_not_negative(terms, b)).then(|| terms.bv_urem(a, b))
}

/// `sext x % sext y = sext (x % y)`, also by zero
fn srem_sign_extended(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (width, inner) = (terms.width(a), signed_width(terms, a)?.max(signed_width(terms, b)?));
    if inner >= width {
        return None;
    }
    let (x, y) = (terms.extract(a, inner - 1, 0), terms.extract(b, inner - 1, 0));
    let rest = terms.bv_srem(x, y);
    Some(terms.sign_extend(rest, width))
}

/// `sext x / sext y = sext (x / y)`, also by zero, with one bit more for the least number divided by -1
fn sdiv_sign_extended(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (width, inner) = (terms.width(a), signed_width(terms, a)?.max(signed_width(terms, b)?) + 1);
    if inner >= width {
        return None;
    }
    let (x, y) = (terms.extract(a, inner - 1, 0), terms.extract(b, inner - 1, 0));
    let quotient = terms.bv_sdiv(x, y);
    Some(terms.sign_extend(quotient, width))
}

/// How many bits a signed number needs, where that is fewer than it has.
fn signed_width(terms: &Terms, a: TermId) -> Option<u32> {
    let width = terms.width(a);
    if let Some(x) = terms.as_unary(UnaryOp::SignExtend, a) {
        return Some(terms.width(x));
    }
    if let Some(x) = terms.as_unary(UnaryOp::ZeroExtend, a) {
        return Some(terms.width(x) + 1);
    }
    let bits = terms.as_bv(a)?;
    let sign = bits.bit(width - 1);
    let same = (0..width).rev().take_while(|i| bits.bit(*i) == sign).count() as u32;
    Some(width - same + 1)
}
