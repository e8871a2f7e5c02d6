//! Rewriting at construction.
//!
//! A rule is a small function that looks at an operator and its operands, a bounded number of levels deep, and returns
//! an equal term or `None`. Each is sound by itself: `tests/laws.rs` compares what constructors return with what the
//! operators compute. The constructors fold constants and order commutative operands before any rule is asked.

use crate::op::{BinaryOp, UnaryOp};
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

pub fn unary(_terms: &mut Terms, _op: UnaryOp, _a: TermId, _sort: Sort) -> Option<TermId> {
    None
}

pub fn binary(_terms: &mut Terms, _op: BinaryOp, _a: TermId, _b: TermId, _sort: Sort) -> Option<TermId> {
    None
}

pub fn ite(_terms: &mut Terms, _c: TermId, _a: TermId, _b: TermId) -> Option<TermId> {
    None
}

pub fn extract(_terms: &mut Terms, _a: TermId, _hi: u32, _lo: u32) -> Option<TermId> {
    None
}

pub fn store(_terms: &mut Terms, _array: TermId, _index: TermId, _element: TermId) -> Option<TermId> {
    None
}
