//! A truth value as an atom that may be negated, and what two literals about one term say together.

use super::BinaryOp;
use crate::bitvec::BitVec;
use crate::op::{Kind, UnaryOp};
use crate::terms::{TermId, Terms};

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Literal {
    pub atom: TermId,
    pub negated: bool,
}

/// What is left of a conjunction of two literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joint {
    False,
    First,
    Second,
}

impl Literal {
    pub fn of(terms: &Terms, a: TermId) -> Literal {
        match terms.kind(a) {
            Kind::Unary(UnaryOp::Not, atom) => Literal { atom, negated: true },
            _ => Literal { atom: a, negated: false },
        }
    }

    pub fn flipped(self) -> Literal {
        Literal { negated: !self.negated, ..self }
    }
}

/// A comparison of a term with a constant.
struct Bound {
    op: BinaryOp,
    subject: TermId,
    constant: BitVec,
    negated: bool,
}

impl Bound {
    fn of(terms: &Terms, literal: Literal) -> Option<Bound> {
        let Kind::Binary(op @ (BinaryOp::Eq | BinaryOp::BvUlt | BinaryOp::BvSlt), subject, constant) =
            terms.kind(literal.atom)
        else {
            return None;
        };
        Some(Bound { op, subject, constant: terms.as_bv(constant)?, negated: literal.negated })
    }

    fn holds(&self, value: &BitVec) -> bool {
        let compared = match self.op {
            BinaryOp::BvUlt => value.ult(&self.constant),
            BinaryOp::BvSlt => value.slt(&self.constant),
            _ => *value == self.constant,
        };
        compared != self.negated
    }

    fn is_point(&self) -> bool {
        self.op == BinaryOp::Eq && !self.negated
    }
}

/// The conjunction of two literals, where one of them decides it.
pub fn conjunction(terms: &Terms, a: Literal, b: Literal) -> Option<Joint> {
    if a.atom == b.atom {
        return Some(if a.negated == b.negated { Joint::First } else { Joint::False });
    }
    let (a, b) = (Bound::of(terms, a)?, Bound::of(terms, b)?);
    if a.subject != b.subject {
        return None;
    }
    if a.is_point() {
        return Some(if b.holds(&a.constant) { Joint::First } else { Joint::False });
    }
    if b.is_point() {
        return Some(if a.holds(&b.constant) { Joint::Second } else { Joint::False });
    }
    if a.op != b.op || a.op == BinaryOp::Eq {
        return None;
    }
    // `x < c` and `x < d`, each perhaps negated.
    let a_is_smaller = if a.op == BinaryOp::BvUlt { a.constant.ult(&b.constant) } else { a.constant.slt(&b.constant) };
    match (a.negated, b.negated) {
        (false, false) => Some(if a_is_smaller { Joint::First } else { Joint::Second }),
        (true, true) => Some(if a_is_smaller { Joint::Second } else { Joint::First }),
        (false, true) => a_is_smaller.then_some(Joint::False),
        (true, false) => (!a_is_smaller).then_some(Joint::False),
    }
}
