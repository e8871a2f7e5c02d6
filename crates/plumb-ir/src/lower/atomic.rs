//! `__sync_*` and `__atomic_*` builtins: the plain operation, in an atomic section where others run beside.

use super::call::Arg;
use super::function::Lowerer;
use crate::expr::{BinOp, ExprId, Sign, UnOp};
use crate::ty::Ty;
use plumb_c::hir::{AtomicOp, BinaryOp};
use plumb_c::source::Span;
use plumb_c::types::TyId;

impl Lowerer<'_, '_> {
    /// Lays an atomic operation and returns its value, if it has one.
    pub(super) fn atomic(&mut self, op: AtomicOp, args: &[Arg], cty: TyId, span: Span) -> Option<ExprId> {
        // The section holds nothing but the operation: what its operands read is read before.
        let args: Vec<Arg> = match self.cx.is_concurrent {
            true => args.iter().map(|arg| Arg { value: self.b.save(arg.value, span), ..*arg }).collect(),
            false => args.to_vec(),
        };
        self.section_end("__plumb_atomic_begin", span);
        let value = self.plain_atomic(op, &args, cty, span);
        let value = value.map(|value| if self.cx.is_concurrent { self.b.save(value, span) } else { value });
        self.section_end("__plumb_atomic_end", span);
        value
    }

    fn plain_atomic(&mut self, op: AtomicOp, args: &[Arg], cty: TyId, span: Span) -> Option<ExprId> {
        let (object, operands) = args.split_first()?;
        let of = self.cx.hir.types.pointee(object.cty).map_or(cty, |p| p.ty);
        let addr = self.b.save(object.value, span);
        if self.cx.is_record(of) {
            self.unsupported("an atomic operation on a structure", span);
            return None;
        }
        let ty = self.cx.carrier(of);
        let operand = |this: &mut Self, i: usize| match operands.get(i) {
            Some(arg) => this.fit(arg.value, arg.cty, ty),
            None => this.b.constant(crate::ty::Bits::ZERO, ty),
        };
        match op {
            AtomicOp::Fence => None,
            AtomicOp::Load => Some(self.b.load(addr, ty)),
            AtomicOp::Store => {
                let value = operand(self, 0);
                self.store(addr, value, span);
                None
            }
            AtomicOp::Clear => {
                let zero = self.b.constant(crate::ty::Bits::ZERO, ty);
                self.store(addr, zero, span);
                None
            }
            AtomicOp::Exchange => {
                let value = operand(self, 0);
                let value = self.b.save(value, span);
                let old = self.old(addr, ty, span);
                self.store(addr, value, span);
                Some(old)
            }
            AtomicOp::TestAndSet => {
                let old = self.old(addr, ty, span);
                let one = self.b.int(1, ty);
                self.store(addr, one, span);
                let was_set = self.b.truth(old);
                Some(self.b.widen_truth(was_set, self.cx.carrier(cty)))
            }
            AtomicOp::Fetch(_) | AtomicOp::FetchNand | AtomicOp::OpFetch(_) | AtomicOp::NandFetch => {
                let value = operand(self, 0);
                Some(self.update(op, addr, value, ty, span))
            }
            AtomicOp::BoolCas | AtomicOp::ValCas => {
                let (expected, new) = (operand(self, 0), operand(self, 1));
                let (expected, new) = (self.b.save(expected, span), self.b.save(new, span));
                let old = self.old(addr, ty, span);
                let equal = self.b.binary(BinOp::Eq, Sign::Unsigned, old, expected);
                let stored = self.b.ite(equal, new, old);
                self.store(addr, stored, span);
                let wanted = self.cx.carrier(cty);
                Some(if op == AtomicOp::ValCas { old } else { self.b.widen_truth(equal, wanted) })
            }
            AtomicOp::CompareExchange => {
                let expected = operands.first().map_or(addr, |a| a.value);
                let expected_addr = self.b.save(expected, span);
                let new = operand(self, 1);
                let new = self.b.save(new, span);
                let old = self.old(addr, ty, span);
                let expected = self.old(expected_addr, ty, span);
                let equal = self.b.binary(BinOp::Eq, Sign::Unsigned, old, expected);
                let stored = self.b.ite(equal, new, old);
                self.store(addr, stored, span);
                self.store(expected_addr, old, span);
                Some(self.b.widen_truth(equal, self.cx.carrier(cty)))
            }
        }
    }

    fn old(&mut self, addr: ExprId, ty: Ty, span: Span) -> ExprId {
        let old = self.b.load(addr, ty);
        self.b.into_temp(old, span)
    }

    /// Read, modify, write: the result is the old or the new value. Arithmetic wraps, and on pointers counts bytes.
    fn update(&mut self, op: AtomicOp, addr: ExprId, value: ExprId, ty: Ty, span: Span) -> ExprId {
        let value = self.b.save(value, span);
        let old = self.old(addr, ty, span);
        let (operator, gives_new) = match op {
            AtomicOp::Fetch(operator) => (Some(operator), false),
            AtomicOp::OpFetch(operator) => (Some(operator), true),
            AtomicOp::NandFetch => (None, true),
            _ => (None, false),
        };
        let word = self.b.word();
        let number = |this: &mut Self, v: ExprId| match ty {
            Ty::Ptr => this.b.cast(crate::expr::CastOp::PtrToInt, v, word),
            Ty::Int(_) | Ty::Float(_) => v,
        };
        let new = match (operator, ty) {
            (Some(BinaryOp::Add), Ty::Ptr) => {
                let offset = number(self, value);
                self.b.ptr_add(old, offset)
            }
            (Some(BinaryOp::Sub), Ty::Ptr) => {
                let offset = number(self, value);
                let offset = self.b.unary(UnOp::Neg, Sign::Plain, offset);
                self.b.ptr_add(old, offset)
            }
            (operator, _) => {
                let (a, b) = (number(self, old), number(self, value));
                let op = match operator {
                    Some(BinaryOp::Add) => BinOp::Add,
                    Some(BinaryOp::Sub) => BinOp::Sub,
                    Some(BinaryOp::BitOr) => BinOp::Or,
                    Some(BinaryOp::BitXor) => BinOp::Xor,
                    _ => BinOp::And,
                };
                let combined = self.b.binary(op, Sign::Plain, a, b);
                let new = if operator.is_none() { self.b.unary(UnOp::Not, Sign::Plain, combined) } else { combined };
                if ty == Ty::Ptr { self.b.cast(crate::expr::CastOp::IntToPtr, new, Ty::Ptr) } else { new }
            }
        };
        let new = self.b.into_temp(new, span);
        self.store(addr, new, span);
        if gives_new { new } else { old }
    }
}
