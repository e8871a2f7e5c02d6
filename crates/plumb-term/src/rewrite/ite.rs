//! Choice, on any sort.

use super::equality::one_is_the_other;
use crate::op::{BinaryOp, UnaryOp};
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

type Rule = fn(&mut Terms, TermId, TermId, TermId) -> Option<TermId>;

pub const RULES: &[Rule] = &[
    same_arms,
    negated_condition,
    truth_arms,
    known_condition,
    shared_arm_in_then,
    shared_arm_in_else,
    equal_arms_by_condition,
    one_bit,
    extended_arms,
    reinterpreted_arms,
];

/// `c ? a : a = a`
fn same_arms(_terms: &mut Terms, _c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then_some(a)
}

/// `!c ? a : b = c ? b : a`
fn negated_condition(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let positive = terms.as_unary(UnaryOp::Not, c)?;
    Some(terms.ite(positive, b, a))
}

/// Between truth values: `c ? true : b = c || b`, `c ? b : !b = (c == b)`, `c ? c : b = c || b`, and their like
fn truth_arms(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    if terms.sort(a) != Sort::Bool {
        return None;
    }
    let (a_value, b_value) = (terms.as_bool(a), terms.as_bool(b));
    if a_value == Some(true) || a == c {
        return Some(terms.or(c, b));
    }
    if b_value == Some(false) || b == c {
        return Some(terms.and(c, a));
    }
    if a_value == Some(false) || terms.are_opposite(a, c) {
        let other = terms.not(c);
        return Some(terms.and(other, b));
    }
    if b_value == Some(true) || terms.are_opposite(b, c) {
        let other = terms.not(c);
        return Some(terms.or(other, a));
    }
    terms.are_opposite(a, b).then(|| terms.eq(c, a))
}

/// `c ? (c ? a : b) : d = c ? a : d`, and the same in the other arm
fn known_condition(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    if let Some((inner, yes, _)) = terms.as_ite(a)
        && inner == c
    {
        return Some(terms.ite(c, yes, b));
    }
    if let Some((inner, _, no)) = terms.as_ite(b)
        && inner == c
    {
        return Some(terms.ite(c, a, no));
    }
    None
}

/// `c ? (d ? x : b) : b = c && d ? x : b`
fn shared_arm_in_then(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let (d, yes, no) = terms.as_ite(a)?;
    if no == b {
        let both = terms.and(c, d);
        return Some(terms.ite(both, yes, b));
    }
    if yes == b {
        let other = terms.not(d);
        let both = terms.and(c, other);
        return Some(terms.ite(both, no, b));
    }
    None
}

/// `c ? a : (d ? a : x) = c || d ? a : x`
fn shared_arm_in_else(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let (d, yes, no) = terms.as_ite(b)?;
    if yes == a {
        let any = terms.or(c, d);
        return Some(terms.ite(any, a, no));
    }
    if no == a {
        let other = terms.not(d);
        let any = terms.or(c, other);
        return Some(terms.ite(any, a, yes));
    }
    None
}

/// `x == y ? x : y = y`
fn equal_arms_by_condition(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = terms.as_binary(BinaryOp::Eq, c)?;
    one_is_the_other(x, y, a, b).then_some(b)
}

/// `x == 1 ? 1 : 0 = x` for one bit
fn one_bit(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let (x, one) = terms.as_binary(BinaryOp::Eq, c)?;
    if terms.sort(a) != Sort::Bv(1) || terms.sort(x) != Sort::Bv(1) || terms.as_u64(one) != Some(1) {
        return None;
    }
    match (terms.as_u64(a)?, terms.as_u64(b)?) {
        (1, 0) => Some(x),
        _ => Some(terms.bv_not(x)),
    }
}

/// `c ? zext a : zext b = zext (c ? a : b)`, and with a constant that fits; the same for signs
fn extended_arms(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    for op in [UnaryOp::ZeroExtend, UnaryOp::SignExtend] {
        let (inside_a, inside_b) = match (terms.as_unary(op, a), terms.as_unary(op, b)) {
            (Some(x), Some(y)) => (x, y),
            (Some(x), None) => (x, super::extend::narrowed_const(terms, op, b, terms.width(x))?),
            (None, Some(y)) => (super::extend::narrowed_const(terms, op, a, terms.width(y))?, y),
            (None, None) => continue,
        };
        if terms.width(inside_a) != terms.width(inside_b) {
            return None;
        }
        let (inside, width) = (terms.ite(c, inside_a, inside_b), terms.width(a));
        return Some(match op {
            UnaryOp::ZeroExtend => terms.zero_extend(inside, width),
            _ => terms.sign_extend(inside, width),
        });
    }
    None
}

/// `c ? float(a) : float(b) = float(c ? a : b)` for patterns read as floats
fn reinterpreted_arms(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let format = terms.format(a)?;
    let (x, y) = (terms.as_unary(UnaryOp::FloatFromBits, a)?, terms.as_unary(UnaryOp::FloatFromBits, b)?);
    let bits = terms.ite(c, x, y);
    Some(terms.float_from_bits(bits, format))
}
