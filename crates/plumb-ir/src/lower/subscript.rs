//! Elements of arrays, and the check that a subscript lies inside the array it is applied to.
//!
//! Once lowered, `a[i][j]` is one offset into one object, and a `j` that leaves its row but not the object looks fine. So
//! the check is made here, on the index as C sees it: before it is scaled, and in its own type. As gcc's sanitizer does, it
//! leaves out the last member of a structure reached through a pointer, since that is how arrays of unknown length
//! were written before C had flexible members. One past the end may be computed but not accessed, nor may its elements.

use super::function::Lowerer;
use crate::check::CheckKind;
use crate::expr::{BinOp, ExprId, Sign};
use crate::program::Op;
use crate::ty::Ty;
use plumb_c::hir::{Expr, ExprKind};
use plumb_c::source::Span;
use plumb_c::types::{ArrayLen, Type};

/// What an element's address is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Access,
    AddressOnly,
}

impl<'a> Lowerer<'_, 'a> {
    /// The value of a pointer that is dereferenced.
    pub(super) fn element(&mut self, pointer: &'a Expr, purpose: Use) -> ExprId {
        if let ExprKind::PtrAdd { pointer: base, index, negate: false } = &pointer.kind
            && let ExprKind::Decay(array) = &base.kind
            && self.cx.properties.checks.contains(CheckKind::Bounds)
            && let Some(len) = self.checked_length(array)
        {
            let mut start = self.start_of(array);
            if self.facts.has_effect(index) {
                start = self.b.save(start, base.span);
            }
            let count = self.value(index);
            let count = self.b.bounded(count, index.span);
            let limit = if purpose == Use::Access { len } else { len + 1 };
            self.check_subscript(count, index, len, limit, pointer.span);
            let offset = self.element_offset(base.ty.ty, count, index.ty.ty, false);
            return self.b.ptr_add(start, offset);
        }
        match &pointer.kind {
            ExprKind::Decay(array) if purpose == Use::Access => self.start_of(array),
            _ => self.value(pointer),
        }
    }

    /// Where an array begins whose elements are used. If it is a row of another array, it must be one of its rows: one past
    /// the last has an address but no elements.
    fn start_of(&mut self, array: &'a Expr) -> ExprId {
        match &array.kind {
            ExprKind::Deref(row) => self.element(row, Use::Access),
            _ => self.address(array),
        }
    }

    fn check_subscript(&mut self, count: ExprId, index: &Expr, len: u64, limit: u64, span: Span) {
        let wide = Ty::Int(128);
        let number = self.b.resize(count, self.cx.sign(index.ty.ty), wide);
        let limit = self.b.int(limit as i128, wide);
        let cond = self.b.binary(BinOp::Lt, Sign::Unsigned, number, limit);
        if self.b.as_const(cond).is_some_and(|c| !c.is_zero()) {
            return;
        }
        let message = format!("a subscript is outside of an array of {len} elements");
        let check = self.cx.add_check(CheckKind::Bounds, message.into(), span);
        self.b.emit(Op::Check { cond, check }, span);
    }

    /// The length that subscripts of an array lvalue must stay below, if it has one that binds.
    fn checked_length(&self, array: &Expr) -> Option<u64> {
        let Type::Array(_, ArrayLen::Fixed(len)) = *self.cx.hir.types.get(array.ty.ty) else { return None };
        (!self.is_open_ended(array)).then_some(len)
    }

    /// The last member of a structure that a pointer leads to.
    fn is_open_ended(&self, array: &Expr) -> bool {
        let ExprKind::Member { base, field } = &array.kind else { return false };
        let types = &self.cx.hir.types;
        let body = types.record_id(base.ty.ty).and_then(|id| types.record(id).body.as_ref());
        body.is_none_or(|b| *field as usize + 1 == b.fields.len()) && is_behind_pointer(base)
    }
}

fn is_behind_pointer(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Deref(_) => true,
        ExprKind::Member { base, .. } => is_behind_pointer(base),
        _ => false,
    }
}
