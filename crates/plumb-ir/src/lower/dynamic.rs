//! Sizes that are known at run time only: variable-length arrays and `alloca`.
//!
//! C leaves a length that is not positive undefined. A negative one, and one whose bytes are more than an object can have,
//! is a violation of the pointer check here; zero is not, since gcc gives such an array no elements and every access of
//! it is found.

use super::function::Lowerer;
use super::lvalue::Place;
use crate::check::CheckKind;
use crate::expr::{BinOp, ExprId, Sign};
use crate::program::Op;
use crate::ty::Bits;
use plumb_c::source::Span;
use plumb_c::types::{ArrayLen, TyId, Type};

impl Lowerer<'_, '_> {
    /// Bytes of an object of a type whose size may be known at run time only, as an integer of pointer width.
    pub(super) fn dynamic_size(&mut self, ty: TyId) -> ExprId {
        let hir = self.cx.hir;
        match *hir.types.get(ty) {
            Type::Array(elem, len) if hir.types.is_vla(ty) => {
                let each = self.dynamic_size(elem.ty);
                let count = self.dynamic_count(len);
                self.b.binary(BinOp::Mul, Sign::Plain, count, each)
            }
            _ => {
                let size = self.cx.step_of(ty);
                self.b.size(size)
            }
        }
    }

    fn dynamic_count(&mut self, len: ArrayLen) -> ExprId {
        let word = self.b.word();
        let count = match len {
            ArrayLen::Fixed(n) => self.b.size(n),
            ArrayLen::Unknown => self.b.size(0),
            ArrayLen::Variable(local) => match self.local_place(local) {
                Place::Register(var, ty) => self.b.var(var, ty),
                Place::Memory(addr) => self.b.load(addr, word),
                Place::Bits(_) | Place::Device(_) => self.b.size(0),
            },
        };
        self.b.resize(count, Sign::Unsigned, word)
    }

    /// Checks the lengths of an array that is about to be made, innermost first.
    pub(super) fn check_array_size(&mut self, ty: TyId, span: Span) {
        let hir = self.cx.hir;
        if let Type::Array(elem, len) = *hir.types.get(ty)
            && hir.types.is_vla(ty)
        {
            self.check_array_size(elem.ty, span);
            let (count, each) = (self.dynamic_count(len), self.dynamic_size(elem.ty));
            self.check_stack_size(count, each, span);
        }
    }

    /// Checks that so many elements of a size are no more bytes than an object can have. A negative count is too large.
    pub(super) fn check_stack_size(&mut self, count: ExprId, each: ExprId, span: Span) {
        if !self.cx.properties.checks.contains(CheckKind::Pointer) {
            return;
        }
        let most = u64::MAX >> (65 - self.cx.target.pointer_bits());
        let cond = match self.b.as_const(each).map(Bits::u64) {
            Some(each) => {
                let limit = self.b.size(most / each.max(1));
                self.b.binary(BinOp::Le, Sign::Unsigned, count, limit)
            }
            None => {
                let (zero, most) = (self.b.size(0), self.b.size(most));
                let nothing = self.b.binary(BinOp::Eq, Sign::Unsigned, each, zero);
                let limit = self.b.binary(BinOp::Div, Sign::Unsigned, most, each);
                let fits = self.b.binary(BinOp::Le, Sign::Unsigned, count, limit);
                self.b.or(nothing, fits)
            }
        };
        if self.b.as_const(cond).is_some_and(|c| !c.is_zero()) {
            return;
        }
        let message = "the size of an object on the stack is negative or too large".into();
        let check = self.cx.add_check(CheckKind::Pointer, message, span);
        self.b.emit(Op::Check { cond, check }, span);
    }
}
