//! Conversions between scalars.

use super::function::Lowerer;
use super::types::Class;
use crate::check::CheckKind;
use crate::expr::{CastOp, ExprId, Sign};
use crate::fold_float;
use crate::ty::{Bits, Ty};
use plumb_c::hir::CastKind;
use plumb_c::source::Span;
use plumb_c::types::{TyId, Type};

impl Lowerer<'_, '_> {
    /// A scalar conversion of the given kind.
    pub(super) fn cast(
        &mut self,
        kind: CastKind,
        value: ExprId,
        from: TyId,
        to: TyId,
        implicit: bool,
        span: Span,
    ) -> ExprId {
        let Class::Scalar(ty) = self.cx.class(to) else {
            return value;
        };
        match kind {
            CastKind::ToBool => {
                let truth = self.b.truth(value);
                self.b.widen_truth(truth, ty)
            }
            CastKind::IntToInt => {
                let op = CastOp::Int { from: self.cx.sign(from), to: self.cx.sign(to), implicit };
                self.b.cast(op, value, ty)
            }
            CastKind::IntToFloat => self.b.cast(CastOp::IntToFloat(self.cx.sign(from)), value, ty),
            CastKind::FloatToInt => match self.folded_to_int(value, to, ty) {
                Some(folded) => folded,
                None => self.b.cast(CastOp::FloatToInt(self.cx.sign(to)), value, ty),
            },
            CastKind::FloatToFloat => self.b.cast(CastOp::FloatToFloat, value, ty),
            CastKind::PtrToInt => {
                let word = self.b.word();
                let number = self.b.cast(CastOp::PtrToInt, value, word);
                // gcc sign-extends a pointer to a wider integer.
                self.b.resize(number, Sign::Signed, ty)
            }
            CastKind::IntToPtr => {
                let word = self.b.word();
                let number = self.b.resize(value, self.cx.sign(from), word);
                self.b.cast(CastOp::IntToPtr, number, Ty::Ptr)
            }
            CastKind::PtrToPtr | CastKind::NoOp => self.fit(value, from, ty),
            CastKind::ToVoid => value,
            CastKind::ToUnion { .. } => {
                self.cx.broken_promise(span, "a conversion to a union that is not a record");
                value
            }
        }
    }

    /// A conversion between any two scalar types, as an assignment makes it.
    pub(super) fn convert(&mut self, value: ExprId, from: TyId, to: TyId, implicit: bool, span: Span) -> ExprId {
        if from == to {
            return value;
        }
        match self.cast_kind(from, to) {
            Some(kind) => self.cast(kind, value, from, to, implicit, span),
            None => value,
        }
    }

    fn cast_kind(&self, from: TyId, to: TyId) -> Option<CastKind> {
        enum Is {
            Int,
            Float,
            Pointer,
        }
        let types = &self.cx.hir.types;
        let class = |ty| match types.get(ty) {
            Type::Int(_) | Type::Enum(_) => Some(Is::Int),
            Type::Float(_) => Some(Is::Float),
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => Some(Is::Pointer),
            Type::Void | Type::Record(_) | Type::Error => None,
        };
        if self.cx.is_bool(to) {
            return class(from).map(|_| CastKind::ToBool);
        }
        Some(match (class(from)?, class(to)?) {
            (Is::Int, Is::Int) => CastKind::IntToInt,
            (Is::Int, Is::Float) => CastKind::IntToFloat,
            (Is::Int, Is::Pointer) => CastKind::IntToPtr,
            (Is::Float, Is::Int) => CastKind::FloatToInt,
            (Is::Float, Is::Float) => CastKind::FloatToFloat,
            // C has no such conversion; the bits are as good as any.
            (Is::Float, Is::Pointer) | (Is::Pointer, Is::Float) => CastKind::NoOp,
            (Is::Pointer, Is::Int) => CastKind::PtrToInt,
            (Is::Pointer, Is::Pointer) => CastKind::PtrToPtr,
        })
    }

    /// A constant that does not fit, as gcc folds it. Where conversions are checked it stays one.
    fn folded_to_int(&mut self, value: ExprId, to: TyId, ty: Ty) -> Option<ExprId> {
        let (Ty::Float(format), Ty::Int(width)) = (self.b.ty(value), ty) else { return None };
        let constant = self.b.as_const(value).filter(|_| !self.cx.properties.checks.contains(CheckKind::Conversion))?;
        let is_signed = self.cx.sign(to) == Sign::Signed;
        let folded = fold_float::to_int_saturating(format, constant, is_signed, width.into());
        Some(self.b.constant(Bits::new(folded, width.into()), ty))
    }

    /// The value with the IR type that its C type says, should a node without conversion disagree.
    pub(super) fn fit(&mut self, value: ExprId, cty: TyId, ty: Ty) -> ExprId {
        let has = self.b.ty(value);
        if has == ty {
            return value;
        }
        let word = self.b.word();
        let sign = self.cx.sign(cty);
        match (has, ty) {
            (Ty::Int(_), Ty::Int(_)) => self.b.resize(value, sign, ty),
            (Ty::Int(_), Ty::Ptr) => {
                let number = self.b.resize(value, sign, word);
                self.b.cast(CastOp::IntToPtr, number, Ty::Ptr)
            }
            (Ty::Ptr, Ty::Int(_)) => {
                let number = self.b.cast(CastOp::PtrToInt, value, word);
                self.b.resize(number, Sign::Signed, ty)
            }
            (Ty::Float(_), Ty::Float(_)) => self.b.cast(CastOp::FloatToFloat, value, ty),
            (Ty::Int(_), Ty::Float(_)) => self.b.cast(CastOp::IntToFloat(sign), value, ty),
            (Ty::Float(_), Ty::Int(_)) => self.b.cast(CastOp::FloatToInt(Sign::Signed), value, ty),
            (Ty::Float(_), Ty::Ptr) | (Ty::Ptr, Ty::Float(_)) | (Ty::Ptr, Ty::Ptr) => self.b.constant(Bits::ZERO, ty),
        }
    }
}
