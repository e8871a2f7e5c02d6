//! Conversions between scalars.

use super::function::Lowerer;
use super::types::Class;
use crate::check::CheckKind;
use crate::expr::{BinOp, CastOp, ExprId, Sign, UnOp};
use crate::fold;
use crate::fold_float;
use crate::program::Op;
use crate::ty::{Bits, Ty};
use plumb_c::hir::{self, CastKind, ExprKind};
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

    /// Whether gcc may have folded the conversion of a part of a value, such as of an arm of `?:`, that does not fit. It saturates then, as
    /// nothing does at run time; whether it folds depends on what stands around the constant.
    pub(super) fn is_open_conversion(&self, value: &hir::Expr, to: TyId) -> bool {
        let is_constant = |e: &hir::Expr| matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(_));
        !is_constant(value) && self.has_unfitting_constant(value, to, true)
    }

    /// Whether a constant that the value may be does not fit, or may not after what is `computed` with it. Calls of constants
    /// are constants to gcc where it knows the function.
    fn has_unfitting_constant(&self, e: &hir::Expr, to: TyId, is_whole: bool) -> bool {
        let part = |e: &hir::Expr, is_whole| self.has_unfitting_constant(e, to, is_whole);
        let is_constant = |e: &hir::Expr| matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(_));
        match &e.kind {
            ExprKind::Float(bits) => !is_whole || !self.fits(*bits, e.ty.ty, to),
            ExprKind::Cast { value, .. } => part(value, is_whole),
            ExprKind::Neg(value) => part(value, false),
            // What is computed with a variable is computed when the program runs.
            ExprKind::Binary(_, a, b) => is_constant(a) && part(b, false) || is_constant(b) && part(a, false),
            ExprKind::Cond { cond, then, otherwise, .. } => {
                part(then.as_deref().unwrap_or(cond), is_whole) || part(otherwise, is_whole)
            }
            ExprKind::Comma(_, value) => part(value, is_whole),
            ExprKind::Call { args, .. } | ExprKind::Builtin { args, .. } => {
                !args.is_empty() && args.iter().all(is_constant)
            }
            _ => false,
        }
    }

    fn fits(&self, constant: u128, from: TyId, to: TyId) -> bool {
        let (Class::Scalar(from), Class::Scalar(ty @ Ty::Int(width))) = (self.cx.class(from), self.cx.class(to)) else {
            return true;
        };
        let Ty::Float(format) = from else { return true };
        let is_signed = self.cx.sign(to) == Sign::Signed;
        let constant = Bits::new(constant, from.bits(&self.cx.target));
        let saturated = fold_float::to_int_saturating(format, constant, is_signed, width.into());
        let computed = fold::cast(CastOp::FloatToInt(self.cx.sign(to)), from, ty, constant, &self.cx.target);
        Bits::new(saturated, width.into()) == computed
    }

    /// A run in which a value does not fit the integer type that it is converted to is not supported.
    pub(super) fn require_fitting(&mut self, value: ExprId, to: TyId, span: Span) {
        let (from, Class::Scalar(Ty::Int(width))) = (self.b.ty(value), self.cx.class(to)) else { return };
        let is_signed = self.cx.sign(to) == Sign::Signed;
        let number = |exponent: u32| {
            let one = Bits::new(1 << exponent, 128);
            fold::cast(CastOp::IntToFloat(Sign::Unsigned), Ty::Int(128), from, one, &self.cx.target)
        };
        let end = number(u32::from(width) - u32::from(is_signed));
        let end = self.b.constant(end, from);
        let below = self.b.binary(BinOp::Lt, Sign::Plain, value, end);
        let start = match is_signed {
            true => self.b.unary(UnOp::Neg, Sign::Plain, end),
            false => self.b.constant(Bits::ZERO, from),
        };
        let above = self.b.binary(BinOp::Le, Sign::Plain, start, value);
        let fits = self.b.binary(BinOp::And, Sign::Plain, above, below);
        let message = "a conversion of a floating value that does not fit, of which compilers may have folded a part";
        let check = self.cx.add_check(CheckKind::Unsupported, message.into(), span);
        self.b.emit(Op::Check { cond: fits, check }, span);
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
