//! Arbitrary values of a C type in memory.
//!
//! A region of arbitrary bytes is more than an object can hold whose type has `_Bool` in it: what comes from outside is
//! 0 or 1 there. Members of unions stay arbitrary, since another member may have been written.

use super::cond::branch_targets;
use super::function::Lowerer;
use crate::expr::{BinOp, ExprId, Sign};
use crate::input::InputOrigin;
use crate::program::{BranchKind, Lifetime, LocalVarInfo, VarRef};
use crate::ty::Ty;
use plumb_c::source::Span;
use plumb_c::types::{ArrayLen, TyId, Type};

/// Arrays of up to so many elements are gone through without a loop.
const UNROLLED: u64 = 8;

impl Lowerer<'_, '_> {
    /// Fills an object with anything that a value of its type may be. It may be larger than the type says.
    pub(super) fn havoc_object(&mut self, addr: ExprId, bytes: u64, cty: TyId, origin: InputOrigin, span: Span) {
        let size = self.b.size(bytes);
        self.havoc_typed(addr, size, origin, Some(cty), span);
        self.settle(addr, cty, span);
    }

    /// Makes every `_Bool` in the object 0 or 1.
    fn settle(&mut self, addr: ExprId, cty: TyId, span: Span) {
        if !self.has_bool(cty) {
            return;
        }
        let hir = self.cx.hir;
        match hir.types.get(cty) {
            Type::Array(elem, ArrayLen::Fixed(len)) => self.settle_elements(addr, elem.ty, *len, span),
            Type::Record(id) => {
                let body = hir.types.record(*id).body.as_ref();
                for field in body.iter().flat_map(|b| &b.fields).filter(|f| f.bits.is_none()) {
                    let at = self.b.ptr_offset(addr, field.offset);
                    self.settle(at, field.ty.ty, span);
                }
            }
            _ => {
                let ty = self.cx.carrier(cty);
                let (byte, one) = (self.b.load(addr, ty), self.b.int(1, ty));
                let truth = self.b.binary(BinOp::And, Sign::Plain, byte, one);
                self.store(addr, truth, span);
            }
        }
    }

    fn settle_elements(&mut self, addr: ExprId, elem: TyId, len: u64, span: Span) {
        let size = self.cx.size_of(elem);
        if len <= UNROLLED {
            for i in 0..len {
                let at = self.b.ptr_offset(addr, i * size);
                self.settle(at, elem, span);
            }
            return;
        }
        let word = self.b.word();
        let info = LocalVarInfo { name: "%element".into(), ty: word, cty: None, lifetime: Lifetime::Expression, span };
        let index = VarRef::Local(self.b.add_var(info));
        let zero = self.b.size(0);
        self.b.assign(index, zero, span);
        let (head, body, done) = (self.b.new_loc(), self.b.new_loc(), self.b.new_loc());
        self.b.continue_at(head, span);
        let (count, end) = (self.b.var(index, word), self.b.size(len));
        let more = self.b.binary(BinOp::Lt, Sign::Unsigned, count, end);
        let (yes, no) = branch_targets(BranchKind::For, body, done);
        self.b.branch(more, yes, no, span);
        self.b.at(body);
        let (step, one) = (self.b.size(size), self.b.size(1));
        let offset = self.b.binary(BinOp::Mul, Sign::Plain, count, step);
        let at = self.b.ptr_add(addr, offset);
        self.settle(at, elem, span);
        let next = self.b.binary(BinOp::Add, Sign::Plain, count, one);
        self.b.assign(index, next, span);
        self.b.jump(head, span);
        self.b.at(done);
    }

    fn has_bool(&self, cty: TyId) -> bool {
        let types = &self.cx.hir.types;
        match types.get(cty) {
            Type::Int(_) => self.cx.is_bool(cty) && matches!(self.cx.carrier(cty), Ty::Int(_)),
            Type::Array(elem, ArrayLen::Fixed(_)) => self.has_bool(elem.ty),
            Type::Record(id) => {
                let record = types.record(*id);
                let fields = record.body.iter().flat_map(|b| &b.fields);
                !record.is_union && fields.filter(|f| f.bits.is_none()).any(|f| self.has_bool(f.ty.ty))
            }
            Type::Array(_, ArrayLen::Unknown | ArrayLen::Variable(_))
            | Type::Void
            | Type::Enum(_)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Function(_)
            | Type::Error => false,
        }
    }
}
