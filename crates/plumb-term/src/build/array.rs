//! Arrays from bit-vectors to bit-vectors.

use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::rewrite;
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

impl Terms {
    /// The array with the same element everywhere.
    pub fn const_array(&mut self, index: u32, element: TermId) -> TermId {
        debug_assert!(matches!(self.sort(element), Sort::Bv(_)));
        let sort = Sort::Array { index, element: self.width(element) };
        self.unary(UnaryOp::ConstArray, element, sort)
    }

    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let sort = self.sort(array);
        debug_assert!(matches!(sort, Sort::Array { index: width, .. } if width == self.width(index)));
        let element = if let Sort::Array { element, .. } = sort { element } else { 1 };
        self.binary(BinaryOp::Select, array, index, Sort::Bv(element))
    }

    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        let sort = self.sort(array);
        debug_assert_eq!(sort, Sort::Array { index: self.width(index), element: self.width(element) });
        let kind = Kind::Store(array, index, element);
        if let Some(term) = self.made(kind, sort) {
            return term;
        }
        self.rewritten(kind, sort, |terms| rewrite::store(terms, array, index, element))
    }
}
