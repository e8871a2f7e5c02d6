//! Bitwise operators.

use super::{BinaryRule, UnaryRule, slice};
use crate::bitvec::BitVec;
use crate::op::{BinaryOp, UnaryOp};
use crate::terms::{TermId, Terms};

pub const NOT: &[UnaryRule] = &[not_not, not_neg];
pub const AND: &[BinaryRule] = &[
    and_simple,
    and_complement,
    and_constants,
    and_nested,
    |terms, a, b| truths(terms, BinaryOp::BvAnd, a, b),
    and_low_mask,
    |terms, a, b| extended(terms, BinaryOp::BvAnd, a, b),
    |terms, a, b| split(terms, BinaryOp::BvAnd, a, b),
];
pub const OR: &[BinaryRule] = &[
    or_simple,
    or_complement,
    or_constants,
    or_nested,
    |terms, a, b| truths(terms, BinaryOp::BvOr, a, b),
    |terms, a, b| extended(terms, BinaryOp::BvOr, a, b),
    |terms, a, b| split(terms, BinaryOp::BvOr, a, b),
];
pub const XOR: &[BinaryRule] = &[
    xor_simple,
    xor_complement,
    xor_constants,
    xor_nested,
    |terms, a, b| truths(terms, BinaryOp::BvXor, a, b),
    |terms, a, b| extended(terms, BinaryOp::BvXor, a, b),
    |terms, a, b| split(terms, BinaryOp::BvXor, a, b),
];

fn apply(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> TermId {
    let sort = terms.sort(a);
    terms.binary(op, a, b, sort)
}

fn are_complements(terms: &Terms, a: TermId, b: TermId) -> bool {
    terms.as_unary(UnaryOp::BvNot, a) == Some(b) || terms.as_unary(UnaryOp::BvNot, b) == Some(a)
}

/// `~~x = x`
fn not_not(terms: &mut Terms, a: TermId) -> Option<TermId> {
    terms.as_unary(UnaryOp::BvNot, a)
}

/// `~-x = x - 1`
fn not_neg(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let x = terms.as_unary(UnaryOp::BvNeg, a)?;
    let minus_one = terms.ones_like(a);
    Some(terms.bv_add(x, minus_one))
}

/// `x & 0 = 0`, `x & -1 = x`, `x & x = x`
fn and_simple(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(a);
    }
    let mask = terms.as_bv(b)?;
    if mask.is_zero() {
        return Some(b);
    }
    mask.is_ones().then_some(a)
}

/// `x & ~x = 0`
fn and_complement(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    are_complements(terms, a, b).then(|| terms.zero_like(a))
}

/// `(x & c) & d = x & (c & d)`
fn and_constants(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    constants(terms, BinaryOp::BvAnd, BitVec::and, a, b)
}

/// `x & (x & y) = x & y`, `x & (x | y) = x`
fn and_nested(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    nested(terms, BinaryOp::BvAnd, BinaryOp::BvOr, a, b)
}

/// `x & 0..01..1`: the low bits
fn and_low_mask(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let mask = terms.as_bv(b)?;
    let ones = mask.significant_bits();
    if mask.count_ones() != ones {
        return None;
    }
    let low = terms.extract(a, ones - 1, 0);
    Some(terms.zero_extend(low, mask.width()))
}

/// `x | 0 = x`, `x | -1 = -1`, `x | x = x`
fn or_simple(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(a);
    }
    let mask = terms.as_bv(b)?;
    if mask.is_zero() {
        return Some(a);
    }
    mask.is_ones().then_some(b)
}

/// `x | ~x = -1`
fn or_complement(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    are_complements(terms, a, b).then(|| terms.ones_like(a))
}

/// `(x | c) | d = x | (c | d)`
fn or_constants(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    constants(terms, BinaryOp::BvOr, BitVec::or, a, b)
}

/// `x | (x | y) = x | y`, `x | (x & y) = x`
fn or_nested(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    nested(terms, BinaryOp::BvOr, BinaryOp::BvAnd, a, b)
}

/// `x ^ 0 = x`, `x ^ -1 = ~x`, `x ^ x = 0`
fn xor_simple(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(terms.zero_like(a));
    }
    let mask = terms.as_bv(b)?;
    if mask.is_zero() {
        return Some(a);
    }
    mask.is_ones().then(|| terms.bv_not(a))
}

/// `x ^ ~x = -1`, `~x ^ ~y = x ^ y`
fn xor_complement(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if are_complements(terms, a, b) {
        return Some(terms.ones_like(a));
    }
    let (x, y) = (terms.as_unary(UnaryOp::BvNot, a)?, terms.as_unary(UnaryOp::BvNot, b)?);
    Some(terms.bv_xor(x, y))
}

/// `(x ^ c) ^ d = x ^ (c ^ d)`
fn xor_constants(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    constants(terms, BinaryOp::BvXor, BitVec::xor, a, b)
}

/// `x ^ (x ^ y) = y`
fn xor_nested(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (x, other) in [(a, b), (b, a)] {
        if let Some((p, q)) = terms.as_binary(BinaryOp::BvXor, other)
            && (p == x || q == x)
        {
            return Some(if p == x { q } else { p });
        }
    }
    None
}

fn constants(
    terms: &mut Terms,
    op: BinaryOp,
    fold: fn(&BitVec, &BitVec) -> BitVec,
    a: TermId,
    b: TermId,
) -> Option<TermId> {
    let d = terms.as_bv(b)?;
    let (x, c) = terms.as_binary_const(op, a)?;
    let constant = terms.bv_const(&fold(&c, &d));
    Some(apply(terms, op, x, constant))
}

/// An operand again inside the same operator, or inside its dual, which absorbs it.
fn nested(terms: &mut Terms, op: BinaryOp, dual: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    for (x, other) in [(a, b), (b, a)] {
        if let Some((p, q)) = terms.as_binary(op, other)
            && (p == x || q == x)
        {
            return Some(other);
        }
        if let Some((p, q)) = terms.as_binary(dual, other)
            && (p == x || q == x)
        {
            return Some(x);
        }
    }
    None
}

/// The condition of `c ? 1 : 0`, which is how C's truth values look.
fn as_truth(terms: &Terms, a: TermId) -> Option<TermId> {
    let (condition, yes, no) = terms.as_ite(a)?;
    (terms.as_u64(yes) == Some(1) && terms.as_u64(no) == Some(0)).then_some(condition)
}

/// `(c ? 1 : 0) & (d ? 1 : 0) = (c && d ? 1 : 0)`, and their like
fn truths(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let (c, d) = (as_truth(terms, a)?, as_truth(terms, b)?);
    let joined = match op {
        BinaryOp::BvAnd => terms.and(c, d),
        BinaryOp::BvOr => terms.or(c, d),
        _ => terms.xor(c, d),
    };
    Some(terms.bool_to_bv(joined, terms.width(a)))
}

/// `zext x | zext y = zext (x | y)`, in the larger of the two widths; for `&` in the smaller one, also with constants
fn extended(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = (terms.as_unary(UnaryOp::ZeroExtend, a)?, terms.as_unary(UnaryOp::ZeroExtend, b));
    let y = match (y, op) {
        (Some(y), _) => y,
        (None, BinaryOp::BvAnd) if terms.is_const(b) => b,
        (None, _) => return None,
    };
    let (width_x, width_y) = (terms.width(x), terms.width(y));
    let inner = if op == BinaryOp::BvAnd { width_x.min(width_y) } else { width_x.max(width_y) };
    let (x, y) = (terms.resize_unsigned(x, inner), terms.resize_unsigned(y, inner));
    let inside = apply(terms, op, x, y);
    Some(terms.zero_extend(inside, terms.width(a)))
}

/// `(x:y) | (u:v) = (x | u):(y | v)`: constants may serve for a pair, zeros above or below for half of one
fn split(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    for concat in [a, b] {
        let Some((_, low)) = terms.as_binary(BinaryOp::Concat, concat) else { continue };
        let seam = terms.width(low);
        let Some((a_high, a_low)) = slice::split(terms, a, seam) else { continue };
        let Some((b_high, b_low)) = slice::split(terms, b, seam) else { continue };
        if [a_high, a_low, b_high, b_low].iter().any(|part| terms.is_const(*part)) {
            let (high, low) = (apply(terms, op, a_high, b_high), apply(terms, op, a_low, b_low));
            return Some(terms.concat(high, low));
        }
    }
    None
}
