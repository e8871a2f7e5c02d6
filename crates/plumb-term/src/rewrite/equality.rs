//! Equality, on any sort.

use super::{BinaryRule, extend, pull, slice};
use crate::op::{BinaryOp, UnaryOp};
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

pub const RULES: &[BinaryRule] = &[
    same,
    truth_values,
    one_bit_zero,
    constant_moved,
    constant_in_mask,
    same_offset,
    difference_is_zero,
    extended,
    concatenated,
    reinterpreted,
    choices_of_the_same,
    |terms, a, b| pull::compare_choice(terms, BinaryOp::Eq, a, b),
    choice_against_its_arm,
];

/// Are `x` and `y` the terms `a` and `b`, in either order?
pub fn one_is_the_other(x: TermId, y: TermId, a: TermId, b: TermId) -> bool {
    x == a && y == b || x == b && y == a
}

/// `a == a = true`
fn same(_terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then_some(TermId::TRUE)
}

/// `(a == true) = a`, `(a == !a) = false`, `(!a == b) = !(a == b)`
fn truth_values(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if terms.sort(a) != Sort::Bool {
        return None;
    }
    if let Some(value) = terms.as_bool(b) {
        return Some(if value { a } else { terms.not(a) });
    }
    if terms.are_opposite(a, b) {
        return Some(TermId::FALSE);
    }
    let (inner_a, inner_b) = (terms.as_unary(UnaryOp::Not, a), terms.as_unary(UnaryOp::Not, b));
    match (inner_a, inner_b) {
        (Some(x), Some(y)) => Some(terms.eq(x, y)),
        (Some(x), None) => Some(terms.ne(x, b)),
        (None, Some(y)) => Some(terms.ne(a, y)),
        (None, None) => None,
    }
}

/// `(a == 0) = !(a == 1)` for one bit, so that there is one way to say it
fn one_bit_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if terms.sort(a) != Sort::Bv(1) || !terms.is_zero(b) {
        return None;
    }
    let one = terms.bv(1, 1);
    Some(terms.ne(a, one))
}

/// `(x + c == d) = (x == d - c)`, and the same for `-x`, `~x`, `c - x`, `x ^ c`, and odd `c` in `c * x`
fn constant_moved(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let constant = terms.as_bv(b)?;
    if let Some((x, c)) = terms.as_binary_const(BinaryOp::BvAdd, a) {
        let moved = terms.bv_const(&constant.sub(&c));
        return Some(terms.eq(x, moved));
    }
    if let Some((x, c)) = terms.as_binary_const(BinaryOp::BvXor, a) {
        let moved = terms.bv_const(&constant.xor(&c));
        return Some(terms.eq(x, moved));
    }
    if let Some((c, x)) = terms.as_binary(BinaryOp::BvSub, a)
        && let Some(c) = terms.as_bv(c)
    {
        let moved = terms.bv_const(&c.sub(&constant));
        return Some(terms.eq(x, moved));
    }
    if let Some(x) = terms.as_unary(UnaryOp::BvNeg, a) {
        let moved = terms.bv_const(&constant.neg());
        return Some(terms.eq(x, moved));
    }
    if let Some(x) = terms.as_unary(UnaryOp::BvNot, a) {
        let moved = terms.bv_const(&constant.not());
        return Some(terms.eq(x, moved));
    }
    None
}

/// `(x & c == d) = false` when `d` has a bit that `c` lacks; `(x | c == d) = false` when it lacks one of `c`
fn constant_in_mask(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let constant = terms.as_bv(b)?;
    let impossible = if let Some((_, c)) = terms.as_binary_const(BinaryOp::BvAnd, a) {
        constant.and(&c) != constant
    } else if let Some((_, c)) = terms.as_binary_const(BinaryOp::BvOr, a) {
        constant.and(&c) != c
    } else if let Some((_, c)) = terms.as_binary_const(BinaryOp::BvMul, a) {
        constant.trailing_zeros() < c.trailing_zeros()
    } else {
        false
    };
    impossible.then_some(TermId::FALSE)
}

/// `(x + c == y + c) = (x == y)`, `(x + c == x) = false`, `(x + y == x + z) = (y == z)`
fn same_offset(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (sum, other) in [(a, b), (b, a)] {
        if let Some((x, y)) = terms.as_binary(BinaryOp::BvAdd, sum)
            && (x == other || y == other)
        {
            let (rest, zero) = (if x == other { y } else { x }, terms.zero_like(x));
            return Some(terms.eq(rest, zero));
        }
    }
    let ((x, y), (u, v)) = (terms.as_binary(BinaryOp::BvAdd, a)?, terms.as_binary(BinaryOp::BvAdd, b)?);
    if y == v || x == u {
        let (left, right) = if y == v { (x, u) } else { (y, v) };
        return Some(terms.eq(left, right));
    }
    if x == v || y == u {
        let (left, right) = if x == v { (y, u) } else { (x, v) };
        return Some(terms.eq(left, right));
    }
    // Of two offsets one is enough.
    let (c, d) = (terms.as_bv(y)?, terms.as_bv(v)?);
    let offset = terms.bv_const(&d.sub(&c));
    let moved = terms.bv_add(u, offset);
    Some(terms.eq(x, moved))
}

/// `(x - y == 0) = (x == y)`, `(x ^ y == 0) = (x == y)`
fn difference_is_zero(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if !terms.is_zero(b) {
        return None;
    }
    let (x, y) = terms.as_binary(BinaryOp::BvSub, a).or_else(|| terms.as_binary(BinaryOp::BvXor, a))?;
    Some(terms.eq(x, y))
}

/// `(zext x == zext y) = (x == y)`, `(zext x == c) = (x == c)` or false; the same for signs
fn extended(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for op in [UnaryOp::ZeroExtend, UnaryOp::SignExtend] {
        let Some(x) = terms.as_unary(op, a) else { continue };
        if terms.is_const(b) {
            let narrow = extend::narrowed_const(terms, op, b, terms.width(x));
            return Some(narrow.map_or(TermId::FALSE, |narrow| terms.eq(x, narrow)));
        }
        let y = terms.as_unary(op, b)?;
        let width = terms.width(x).max(terms.width(y));
        let wider = |terms: &mut Terms, operand| match op {
            UnaryOp::ZeroExtend => terms.zero_extend(operand, width),
            _ => terms.sign_extend(operand, width),
        };
        let (x, y) = (wider(terms, x), wider(terms, y));
        return Some(terms.eq(x, y));
    }
    None
}

/// `(x:y == c) = (x == upper c && y == lower c)`, and for two concatenations with the same seam
fn concatenated(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (_, low) = terms.as_binary(BinaryOp::Concat, a).or_else(|| terms.as_binary(BinaryOp::Concat, b))?;
    let seam = terms.width(low);
    let ((a_high, a_low), (b_high, b_low)) = (slice::split(terms, a, seam)?, slice::split(terms, b, seam)?);
    let (upper, lower) = (terms.eq(a_high, b_high), terms.eq(a_low, b_low));
    Some(terms.and(upper, lower))
}

/// `(float(x) == float(y)) = (x == y)` for patterns read as floats, also against constants
fn reinterpreted(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.format(a)?;
    let from_bits = |terms: &Terms, term| terms.as_unary(UnaryOp::FloatFromBits, term);
    if from_bits(terms, a).is_none() && from_bits(terms, b).is_none() {
        return None;
    }
    let (x, y) = (terms.float_to_bits(a), terms.float_to_bits(b));
    Some(terms.eq(x, y))
}

/// `(c ? k : l) == (d ? k : l)` is `c == d` for different constants `k`, `l`
fn choices_of_the_same(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let ((c, k, l), (d, m, n)) = (terms.as_ite(a)?, terms.as_ite(b)?);
    if c == d {
        // Both arms may lead to the same terms, and on: remembered, that is a graph and not a tree.
        if let Some(known) = terms.known.get(&(BinaryOp::Eq, a, b)) {
            return Some(*known);
        }
        let (yes, no) = (terms.eq(k, m), terms.eq(l, n));
        let result = terms.ite(c, yes, no);
        terms.known.insert((BinaryOp::Eq, a, b), result);
        return Some(result);
    }
    let are_constants = [k, l, m, n].iter().all(|arm| terms.is_const(*arm));
    if !are_constants || k == l {
        return None;
    }
    if (k, l) == (m, n) {
        return Some(terms.eq(c, d));
    }
    ((k, l) == (n, m)).then(|| terms.ne(c, d))
}

/// `(c ? x : y) == x` is `c || y == x`
fn choice_against_its_arm(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (choice, other) in [(a, b), (b, a)] {
        let Some((c, yes, no)) = terms.as_ite(choice) else { continue };
        if yes == other || no == other {
            let (yes, no) = (terms.eq(yes, other), terms.eq(no, other));
            return Some(terms.ite(c, yes, no));
        }
    }
    None
}
