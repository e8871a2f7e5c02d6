//! Negation, conjunction, disjunction.
//!
//! A disjunction is a conjunction of negated literals, negated: the rules are written once and read both ways.

use super::literal::{Joint, Literal, conjunction};
use super::{BinaryRule, UnaryRule};
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::terms::{TermId, Terms};

pub const NOT: &[UnaryRule] = &[not_not];

pub const AND: &[BinaryRule] = &[and_constant, and_literals, and_nested];
pub const OR: &[BinaryRule] = &[or_constant, or_literals, or_nested];

/// `!!a = a`
fn not_not(terms: &mut Terms, a: TermId) -> Option<TermId> {
    terms.as_unary(UnaryOp::Not, a)
}

/// `a && true = a`, `a && false = false`
fn and_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.as_bool(b).map(|value| if value { a } else { TermId::FALSE })
}

/// `a || false = a`, `a || true = true`
fn or_constant(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    terms.as_bool(b).map(|value| if value { TermId::TRUE } else { a })
}

/// `a && a = a`, `a && !a = false`, `x == 3 && x == 4 = false`, `x < 3 && x < 5 = x < 3`
fn and_literals(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    decided(terms, a, b, false)
}

/// The same of the negated literals.
fn or_literals(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    decided(terms, a, b, true)
}

fn read(terms: &Terms, a: TermId, is_or: bool) -> Literal {
    let literal = Literal::of(terms, a);
    if is_or { literal.flipped() } else { literal }
}

fn decided(terms: &Terms, a: TermId, b: TermId, is_or: bool) -> Option<TermId> {
    Some(match conjunction(terms, read(terms, a, is_or), read(terms, b, is_or))? {
        Joint::False => TermId::bool(is_or),
        Joint::First => a,
        Joint::Second => b,
    })
}

/// `a && (a && b) = a && b`, `a && (!a || b) = a && b`, and their like
fn and_nested(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    nested(terms, a, b, false).or_else(|| nested(terms, b, a, false))
}

fn or_nested(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    nested(terms, a, b, true).or_else(|| nested(terms, b, a, true))
}

/// A literal joined with a conjunction or disjunction of two, which may be negated.
fn nested(terms: &mut Terms, a: TermId, b: TermId, is_or: bool) -> Option<TermId> {
    let whole = read(terms, b, is_or);
    let Kind::Binary(op @ (BinaryOp::And | BinaryOp::Or), p, q) = terms.kind(whole.atom) else { return None };
    // Read as part of a conjunction of literals, `b` is `p && q` or `p || q` of literals that carry its sign.
    let sign = |literal: Literal| if whole.negated { literal.flipped() } else { literal };
    let (p_literal, q_literal) = (sign(Literal::of(terms, p)), sign(Literal::of(terms, q)));
    let is_conjunction = (op == BinaryOp::And) != whole.negated;
    let literal = read(terms, a, is_or);
    for (this, other) in [(p_literal, q_literal), (q_literal, p_literal)] {
        let joint = conjunction(terms, literal, this);
        if is_conjunction {
            match joint {
                Some(Joint::False) => return Some(TermId::bool(is_or)),
                Some(Joint::Second) => return Some(b),
                // The literal says more than this part, which can go.
                Some(Joint::First) => return Some(rejoin(terms, a, other, is_or)),
                None => {}
            }
        } else {
            match joint {
                // This alternative is excluded.
                Some(Joint::False) => return Some(rejoin(terms, a, other, is_or)),
                // The literal says more than this alternative, and so more than both.
                Some(Joint::First) => return Some(a),
                Some(Joint::Second) | None => {}
            }
        }
    }
    None
}

/// `a` joined with a literal that was read in the same way.
fn rejoin(terms: &mut Terms, a: TermId, literal: Literal, is_or: bool) -> TermId {
    let literal = if is_or { literal.flipped() } else { literal };
    let term = if literal.negated { terms.not(literal.atom) } else { literal.atom };
    if is_or { terms.or(a, term) } else { terms.and(a, term) }
}
