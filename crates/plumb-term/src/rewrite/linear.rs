//! Sums, differences, negation and products: one constant per sum, on the right.

use super::{BinaryRule, UnaryRule};
use crate::bitvec::BitVec;
use crate::op::{BinaryOp, UnaryOp};
use crate::terms::{TermId, Terms};

pub const NEG: &[UnaryRule] = &[neg_neg, neg_not, neg_difference, neg_sum, neg_product];
pub const ADD: &[BinaryRule] = &[add_zero, add_constants, add_negated, add_complement, add_cancelled, add_multiples];
pub const SUB: &[BinaryRule] = &[sub_same, sub_constant, sub_from_zero, sub_negated, sub_constants, sub_cancelled];
pub const MUL: &[BinaryRule] = &[mul_simple, mul_constants, mul_sum, mul_negated];

/// A term plus a constant: `x + c`, or the term itself plus zero.
fn with_offset(terms: &Terms, a: TermId) -> (TermId, Option<BitVec>) {
    match terms.as_binary_const(BinaryOp::BvAdd, a) {
        Some((x, c)) => (x, Some(c)),
        None => (a, None),
    }
}

/// `--x = x`
fn neg_neg(terms: &mut Terms, a: TermId) -> Option<TermId> {
    terms.as_unary(UnaryOp::BvNeg, a)
}

/// `-~x = x + 1`
fn neg_not(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let x = terms.as_unary(UnaryOp::BvNot, a)?;
    let one = terms.bv(terms.width(a), 1);
    Some(terms.bv_add(x, one))
}

/// `-(x - y) = y - x`
fn neg_difference(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let (x, y) = terms.as_binary(BinaryOp::BvSub, a)?;
    Some(terms.bv_sub(y, x))
}

/// `-(x + c) = -c - x`
fn neg_sum(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let (x, c) = terms.as_binary_const(BinaryOp::BvAdd, a)?;
    let constant = terms.bv_const(&c.neg());
    Some(terms.bv_sub(constant, x))
}

/// `-(c * x) = -c * x`
fn neg_product(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let (x, c) = terms.as_binary_const(BinaryOp::BvMul, a)?;
    let constant = terms.bv_const(&c.neg());
    Some(terms.bv_mul(x, constant))
}

/// `x + 0 = x`
fn add_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.is_zero(b).then_some(a)
}

/// `(x + c) + d = x + (c + d)`, `(x + c) + (y + d) = (x + y) + (c + d)`, `(c - x) + d = (c + d) - x`
fn add_constants(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(d) = terms.as_bv(b) {
        if let (x, Some(c)) = with_offset(terms, a) {
            let constant = terms.bv_const(&c.add(&d));
            return Some(terms.bv_add(x, constant));
        }
        let (c, x) = terms.as_binary(BinaryOp::BvSub, a)?;
        let constant = terms.as_bv(c)?.add(&d);
        let constant = terms.bv_const(&constant);
        return Some(terms.bv_sub(constant, x));
    }
    let constant = match (with_offset(terms, a).1, with_offset(terms, b).1) {
        (None, None) => return None,
        (Some(c), None) | (None, Some(c)) => c,
        (Some(c), Some(d)) => c.add(&d),
    };
    let (x, y) = (with_offset(terms, a).0, with_offset(terms, b).0);
    let (sum, constant) = (terms.bv_add(x, y), terms.bv_const(&constant));
    Some(terms.bv_add(sum, constant))
}

/// `x + -y = x - y`, `x + (c - y) = (x - y) + c`
fn add_negated(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (x, other) in [(a, b), (b, a)] {
        if let Some(y) = terms.as_unary(UnaryOp::BvNeg, other) {
            return Some(terms.bv_sub(x, y));
        }
        if let Some((c, y)) = terms.as_binary(BinaryOp::BvSub, other)
            && terms.is_const(c)
        {
            let difference = terms.bv_sub(x, y);
            return Some(terms.bv_add(difference, c));
        }
    }
    None
}

/// `x + ~x = -1`
fn add_complement(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let opposite = terms.as_unary(UnaryOp::BvNot, a) == Some(b) || terms.as_unary(UnaryOp::BvNot, b) == Some(a);
    opposite.then(|| terms.ones_like(a))
}

/// `(x - y) + y = x`
fn add_cancelled(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (difference, other) in [(a, b), (b, a)] {
        if let Some((x, y)) = terms.as_binary(BinaryOp::BvSub, difference)
            && y == other
        {
            return Some(x);
        }
    }
    None
}

/// A term as a constant multiple of another.
fn as_multiple(terms: &Terms, a: TermId) -> (TermId, BitVec) {
    terms.as_binary_const(BinaryOp::BvMul, a).unwrap_or_else(|| (a, BitVec::one(terms.width(a))))
}

/// `c * x + d * x = (c + d) * x`
fn add_multiples(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let ((x, c), (y, d)) = (as_multiple(terms, a), as_multiple(terms, b));
    if x != y || terms.is_const(x) {
        return None;
    }
    let factor = terms.bv_const(&c.add(&d));
    Some(terms.bv_mul(x, factor))
}

/// `x - x = 0`
fn sub_same(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then(|| terms.zero_like(a))
}

/// `x - c = x + -c`
fn sub_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let constant = terms.as_bv(b)?.neg();
    let constant = terms.bv_const(&constant);
    Some(terms.bv_add(a, constant))
}

/// `0 - x = -x`
fn sub_from_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.is_zero(a).then(|| terms.bv_neg(b))
}

/// `x - -y = x + y`
fn sub_negated(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let y = terms.as_unary(UnaryOp::BvNeg, b)?;
    Some(terms.bv_add(a, y))
}

/// `(x + c) - (y + d) = (x - y) + (c - d)`, also with one of the constants missing, or `x` missing
fn sub_constants(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (y, d) = with_offset(terms, b);
    if let Some(c) = terms.as_bv(a) {
        let constant = terms.bv_const(&c.sub(&d?));
        return Some(terms.bv_sub(constant, y));
    }
    let (x, c) = with_offset(terms, a);
    let constant = match (c, d) {
        (None, None) => return None,
        (Some(c), None) => c,
        (None, Some(d)) => d.neg(),
        (Some(c), Some(d)) => c.sub(&d),
    };
    let (difference, constant) = (terms.bv_sub(x, y), terms.bv_const(&constant));
    Some(terms.bv_add(difference, constant))
}

/// `(x + y) - x = y`, `x - (x + y) = -y`, `x - (x - y) = y`, `(x - y) - x = -y`
fn sub_cancelled(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if let Some((x, y)) = terms.as_binary(BinaryOp::BvAdd, a)
        && (x == b || y == b)
    {
        return Some(if x == b { y } else { x });
    }
    if let Some((x, y)) = terms.as_binary(BinaryOp::BvAdd, b)
        && (x == a || y == a)
    {
        return Some(terms.bv_neg(if x == a { y } else { x }));
    }
    if let Some((x, y)) = terms.as_binary(BinaryOp::BvSub, b)
        && x == a
    {
        return Some(y);
    }
    if let Some((x, y)) = terms.as_binary(BinaryOp::BvSub, a)
        && x == b
    {
        return Some(terms.bv_neg(y));
    }
    None
}

/// `x * 0 = 0`, `x * 1 = x`, `x * -1 = -x`
fn mul_simple(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let factor = terms.as_bv(b)?;
    if factor.is_zero() {
        return Some(b);
    }
    if factor.is_one() {
        return Some(a);
    }
    factor.is_ones().then(|| terms.bv_neg(a))
}

/// `(x * c) * d = x * (c * d)`, `(x * c) * (y * d) = (x * y) * (c * d)`
fn mul_constants(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(d) = terms.as_bv(b) {
        let (x, c) = terms.as_binary_const(BinaryOp::BvMul, a)?;
        let constant = terms.bv_const(&c.mul(&d));
        return Some(terms.bv_mul(x, constant));
    }
    let ((x, c), (y, d)) = (as_multiple(terms, a), as_multiple(terms, b));
    if x == a && y == b {
        return None;
    }
    let (product, constant) = (terms.bv_mul(x, y), terms.bv_const(&c.mul(&d)));
    Some(terms.bv_mul(product, constant))
}

/// `(x + c) * d = x * d + c * d`: elements of arrays get addresses that differ by constants
fn mul_sum(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let d = terms.as_bv(b)?;
    let (x, c) = terms.as_binary_const(BinaryOp::BvAdd, a)?;
    let (product, constant) = (terms.bv_mul(x, b), terms.bv_const(&c.mul(&d)));
    Some(terms.bv_add(product, constant))
}

/// `-x * c = x * -c`, `-x * -y = x * y`
fn mul_negated(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let x = terms.as_unary(UnaryOp::BvNeg, a)?;
    if let Some(c) = terms.as_bv(b) {
        let constant = terms.bv_const(&c.neg());
        return Some(terms.bv_mul(x, constant));
    }
    let y = terms.as_unary(UnaryOp::BvNeg, b)?;
    Some(terms.bv_mul(x, y))
}
