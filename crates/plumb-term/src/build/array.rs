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
        debug_assert!(matches!(self.sort(array), Sort::Array { index: width, .. } if width == self.width(index)));
        let sort = self.element_sort(array);
        self.binary(BinaryOp::Select, array, index, sort)
    }

    /// The sort of an array's elements.
    pub fn element_sort(&self, array: TermId) -> Sort {
        match self.sort(array) {
            Sort::Array { element, .. } => Sort::Bv(element),
            other => other,
        }
    }

    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        let sort = self.sort(array);
        debug_assert_eq!(sort, Sort::Array { index: self.width(index), element: self.width(element) });
        let kind = Kind::Store(array, index, element);
        self.rewritten(kind, sort, |terms| rewrite::store(terms, array, index, element))
    }
}
