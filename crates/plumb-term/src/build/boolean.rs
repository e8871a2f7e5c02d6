//! Truth values, equality and choice.

use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::rewrite;
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

impl Terms {
    pub fn not(&mut self, a: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), Sort::Bool);
        self.unary(UnaryOp::Not, a, Sort::Bool)
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.sort(a) == Sort::Bool && self.sort(b) == Sort::Bool);
        self.binary(BinaryOp::And, a, b, Sort::Bool)
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.sort(a) == Sort::Bool && self.sort(b) == Sort::Bool);
        self.binary(BinaryOp::Or, a, b, Sort::Bool)
    }

    pub fn and_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        terms.into_iter().fold(TermId::TRUE, |all, term| self.and(all, term))
    }

    pub fn or_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        terms.into_iter().fold(TermId::FALSE, |any, term| self.or(any, term))
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        self.eq(a, b)
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.ne(a, b)
    }

    /// Equality on any sort; of patterns on floats (IEEE's is [`Terms::float_eq`]).
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), self.sort(b));
        self.binary(BinaryOp::Eq, a, b, Sort::Bool)
    }

    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// `condition ? a : b`, on any sort.
    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(condition), Sort::Bool);
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let Some(value) = self.as_bool(condition) {
            return if value { a } else { b };
        }
        let (kind, sort) = (Kind::Ite(condition, a, b), self.sort(a));
        self.rewritten(kind, sort, |terms| rewrite::ite(terms, condition, a, b))
    }

    /// 1 or 0 of a width.
    pub fn bool_to_bv(&mut self, a: TermId, width: u32) -> TermId {
        let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
        self.ite(a, one, zero)
    }

    /// Is it different from zero?
    pub fn bv_to_bool(&mut self, a: TermId) -> TermId {
        let zero = self.bv(self.width(a), 0);
        self.ne(a, zero)
    }
}
