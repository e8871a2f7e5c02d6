//! Taking an address apart into the pointer it was computed from and what was added.

use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Exprs, Sign, UnOp};
use crate::make::Make;
use crate::ty::Bits;

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

    /// That no offset wrapped around when an index was cut to pointer width and scaled: one condition for each offset that
    /// could have.
    pub fn unwrapped(&self, make: &mut Make<'_>) -> Vec<ExprId> {
        self.offsets.iter().filter_map(|&offset| unwrapped(make, offset)).collect()
    }
}

fn unwrapped(make: &mut Make<'_>, offset: ExprId) -> Option<ExprId> {
    let word = make.target.pointer_bits();
    let (mut index, mut scale) = (offset, 1u128);
    if let ExprKind::Unary(UnOp::Neg, _, inner) = make.exprs.kind(index) {
        index = inner;
    }
    if let ExprKind::Binary(BinOp::Mul, Sign::Plain, a, b) = make.exprs.kind(index) {
        (index, scale) = match (make.exprs.as_const(a), make.exprs.as_const(b)) {
            (_, Some(c)) => (a, c.u128()),
            (Some(c), None) => (b, c.u128()),
            // Elements of variable size: the sizes themselves were allocated, the product is not bounded here.
            (None, None) => return None,
        };
    }
    let mut bits = word;
    if let ExprKind::Cast(CastOp::Int { .. }, inner) = make.exprs.kind(index) {
        let from = make.exprs.ty(inner).bits(make.target);
        if from < word && scale < 1 << (word - 1 - from) {
            return None;
        }
        if from > word {
            (index, bits) = (inner, from);
        }
    }
    if (scale <= 1 && bits == word) || make.exprs.as_const(index).is_some() {
        return None;
    }
    // -most <= index <= most, as one comparison.
    let most = ((1u128 << (word - 1)) - 1) / scale.max(1);
    let ty = make.exprs.ty(index);
    let shift = make.constant(Bits::new(most, bits), ty);
    let span = make.constant(Bits::new(2 * most, bits), ty);
    let moved = make.binary(BinOp::Add, Sign::Plain, index, shift);
    Some(make.binary(BinOp::Le, Sign::Unsigned, moved, span))
}
