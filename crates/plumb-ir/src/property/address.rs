//! Taking an address apart into the pointer it was computed from and what was added.

use crate::expr::{BinOp, ExprId, ExprKind, Exprs, Sign};
use crate::make::Make;

pub(super) struct Address {
    /// The pointer at the start of the chain of additions.
    pub base: ExprId,
    /// What was added, innermost first.
    pub offsets: Vec<ExprId>,
}

impl Address {
    pub fn of(exprs: &Exprs, addr: ExprId) -> Address {
        let mut offsets = Vec::new();
        let mut base = addr;
        while let ExprKind::PtrAdd(inner, offset) = exprs.kind(base) {
            offsets.push(offset);
            base = inner;
        }
        offsets.reverse();
        Address { base, offsets }
    }

    /// The sum of the offsets, of pointer width.
    pub fn offset(&self, make: &mut Make<'_>) -> ExprId {
        let mut sum = make.size(0);
        for &offset in &self.offsets {
            sum = make.binary(BinOp::Add, Sign::Plain, sum, offset);
        }
        sum
    }
}
