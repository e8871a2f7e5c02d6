//! Shifts. By constants they are slices.

use super::BinaryRule;
use crate::terms::{TermId, Terms};

pub const SHL: &[BinaryRule] = &[shift_of_zero, shl_constant];
pub const LSHR: &[BinaryRule] = &[shift_of_zero, lshr_constant];
pub const ASHR: &[BinaryRule] = &[shift_of_zero, shift_of_ones, ashr_constant];

/// `0 << n = 0`
fn shift_of_zero(terms: &mut Terms, a: TermId, _count: TermId) -> Option<TermId> {
    terms.is_zero(a).then_some(a)
}

/// `-1 >> n = -1`
fn shift_of_ones(terms: &mut Terms, a: TermId, _count: TermId) -> Option<TermId> {
    terms.as_bv(a)?.is_ones().then_some(a)
}

/// A constant count, cut to the width.
fn constant_count(terms: &Terms, a: TermId, count: TermId) -> Option<u32> {
    let width = terms.width(a);
    Some(terms.as_bv(count)?.to_u64().map_or(width, |count| count.min(width as u64) as u32))
}

/// `x << 3`: the lower bits of `x` above three zeros
fn shl_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (width, count) = (terms.width(a), constant_count(terms, a, b)?);
    if count == 0 {
        return Some(a);
    }
    if count == width {
        return Some(terms.zero_like(a));
    }
    let (high, zeros) = (terms.extract(a, width - 1 - count, 0), terms.bv(count, 0));
    Some(terms.concat(high, zeros))
}

/// `x >> 3`: the upper bits of `x`, extended with zeros
fn lshr_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (width, count) = (terms.width(a), constant_count(terms, a, b)?);
    if count == width {
        return Some(terms.zero_like(a));
    }
    let high = terms.extract(a, width - 1, count);
    Some(terms.zero_extend(high, width))
}

/// `x >> 3`: the upper bits of `x`, extended with the sign
fn ashr_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (width, count) = (terms.width(a), constant_count(terms, a, b)?);
    let high = terms.extract(a, width - 1, count.min(width - 1));
    Some(terms.sign_extend(high, width))
}
