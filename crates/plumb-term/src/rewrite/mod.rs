//! Rewriting at construction.
//!
//! A rule is a small function that looks at an operator and its operands, a bounded number of levels deep, and returns
//! an equal term or `None`. Each is sound by itself: `tests/laws.rs` compares what constructors return with what the
//! operators compute. The constructors fold constants and order commutative operands (constants last) before any rule
//! is asked, and stop asking rules inside of rules at a fixed depth.
//!
//! The rules are those that pay in software model checking: what C's promotions do to narrow values is undone
//! (`extend.rs`, `compare.rs`), values that are one of a few constants stay visible as such (`pull.rs`), linear
//! arithmetic keeps one constant (`linear.rs`), bytes put together again become the value they came from (`slice.rs`),
//! memory is looked through (`array.rs`).

mod array;
mod bitwise;
mod boolean;
mod compare;
mod divide;
mod equality;
mod extend;
mod float;
mod ite;
mod linear;
mod literal;
mod pull;
mod shift;
mod slice;

use crate::bitvec::BitVec;
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

type UnaryRule = fn(&mut Terms, TermId) -> Option<TermId>;
type BinaryRule = fn(&mut Terms, TermId, TermId) -> Option<TermId>;

fn first_unary(terms: &mut Terms, rules: &[UnaryRule], a: TermId) -> Option<TermId> {
    rules.iter().find_map(|rule| rule(terms, a))
}

fn first_binary(terms: &mut Terms, rules: &[BinaryRule], a: TermId, b: TermId) -> Option<TermId> {
    rules.iter().find_map(|rule| rule(terms, a, b))
}

/// An equal term for an operator on `a`, whose result has the sort `sort`.
pub fn unary(terms: &mut Terms, op: UnaryOp, a: TermId, sort: Sort) -> Option<TermId> {
    let found = match op {
        UnaryOp::Not => first_unary(terms, boolean::NOT, a),
        UnaryOp::BvNot => first_unary(terms, bitwise::NOT, a),
        UnaryOp::BvNeg => first_unary(terms, linear::NEG, a),
        UnaryOp::ZeroExtend => extend::zero_extend(terms, a, sort),
        UnaryOp::SignExtend => extend::sign_extend(terms, a, sort),
        UnaryOp::FloatToBits
        | UnaryOp::FloatFromBits
        | UnaryOp::FloatNeg
        | UnaryOp::FloatAbs
        | UnaryOp::FloatSqrt
        | UnaryOp::FloatFloor
        | UnaryOp::FloatCeil
        | UnaryOp::FloatTrunc
        | UnaryOp::FloatRound
        | UnaryOp::FloatRint
        | UnaryOp::FloatIsNan
        | UnaryOp::FloatIsInf
        | UnaryOp::FloatIsNormal
        | UnaryOp::FloatIsZero
        | UnaryOp::FloatIsNegative
        | UnaryOp::FloatToFloat
        | UnaryOp::SignedToFloat
        | UnaryOp::UnsignedToFloat
        | UnaryOp::FloatToSigned => float::unary(terms, op, a, sort),
        UnaryOp::ConstArray => return None,
    };
    found.or_else(|| pull::unary(terms, op, a, sort))
}

/// An equal term for an operator on `a` and `b`, whose result has the sort `sort`.
pub fn binary(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId, sort: Sort) -> Option<TermId> {
    let rules = match op {
        BinaryOp::And => return first_binary(terms, boolean::AND, a, b),
        BinaryOp::Or => return first_binary(terms, boolean::OR, a, b),
        BinaryOp::Select => return array::select(terms, a, b),
        BinaryOp::Eq => equality::RULES,
        BinaryOp::BvAnd => bitwise::AND,
        BinaryOp::BvOr => bitwise::OR,
        BinaryOp::BvXor => bitwise::XOR,
        BinaryOp::BvAdd => linear::ADD,
        BinaryOp::BvSub => linear::SUB,
        BinaryOp::BvMul => linear::MUL,
        BinaryOp::BvUdiv => divide::UDIV,
        BinaryOp::BvUrem => divide::UREM,
        BinaryOp::BvSdiv => divide::SDIV,
        BinaryOp::BvSrem => divide::SREM,
        BinaryOp::BvShl => shift::SHL,
        BinaryOp::BvLshr => shift::LSHR,
        BinaryOp::BvAshr => shift::ASHR,
        BinaryOp::BvUlt => compare::ULT,
        BinaryOp::BvSlt => compare::SLT,
        BinaryOp::Concat => slice::CONCAT,
        BinaryOp::FloatEq => float::EQ,
        BinaryOp::FloatLt => float::LT,
        BinaryOp::FloatLe => float::LE,
        BinaryOp::FloatAdd => float::ADD,
        BinaryOp::FloatMul => float::MUL,
        BinaryOp::FloatDiv => float::DIV,
        BinaryOp::FloatRem | BinaryOp::FloatIeeeRem | BinaryOp::FloatMin | BinaryOp::FloatMax => &[],
    };
    first_binary(terms, rules, a, b).or_else(|| pull::binary(terms, op, a, b, sort))
}

/// An equal term for `condition ? a : b`.
pub fn ite(terms: &mut Terms, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
    ite::RULES.iter().find_map(|rule| rule(terms, condition, a, b))
}

/// An equal term for bits `lo` to `hi` of `a`.
pub fn extract(terms: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    slice::EXTRACT.iter().find_map(|rule| rule(terms, a, hi, lo)).or_else(|| pull::extract(terms, a, hi, lo))
}

/// An equal term for an array with one element replaced.
pub fn store(terms: &mut Terms, array: TermId, index: TermId, element: TermId) -> Option<TermId> {
    array::STORE.iter().find_map(|rule| rule(terms, array, index, element))
}

/// What rules match on.
impl Terms {
    fn as_unary(&self, op: UnaryOp, a: TermId) -> Option<TermId> {
        match self.kind(a) {
            Kind::Unary(found, operand) if found == op => Some(operand),
            _ => None,
        }
    }

    fn as_binary(&self, op: BinaryOp, a: TermId) -> Option<(TermId, TermId)> {
        match self.kind(a) {
            Kind::Binary(found, first, second) if found == op => Some((first, second)),
            _ => None,
        }
    }

    /// A commutative operator with a constant, which is its second operand.
    fn as_binary_const(&self, op: BinaryOp, a: TermId) -> Option<(TermId, BitVec)> {
        let (first, second) = self.as_binary(op, a)?;
        Some((first, self.as_bv(second)?))
    }

    fn as_ite(&self, a: TermId) -> Option<(TermId, TermId, TermId)> {
        match self.kind(a) {
            Kind::Ite(condition, yes, no) => Some((condition, yes, no)),
            _ => None,
        }
    }

    fn is_zero(&self, a: TermId) -> bool {
        self.as_bv(a).is_some_and(|bits| bits.is_zero())
    }

    /// Is one the negation of the other?
    fn are_opposite(&self, a: TermId, b: TermId) -> bool {
        self.as_unary(UnaryOp::Not, a) == Some(b) || self.as_unary(UnaryOp::Not, b) == Some(a)
    }

    fn zero_like(&mut self, a: TermId) -> TermId {
        self.bv(self.width(a), 0)
    }

    fn ones_like(&mut self, a: TermId) -> TermId {
        self.bv_const(&BitVec::ones(self.width(a)))
    }
}
