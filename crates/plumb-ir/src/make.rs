//! Making expressions for passes: typed constructors that fold constants and neutral operands as they go.

use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Exprs, Sign, UnOp};
use crate::fold;
use crate::ty::{Bits, Ty};
use plumb_c::target::Target;

/// Appends expressions to one function's arena.
pub struct Make<'a> {
    pub exprs: &'a mut Exprs,
    pub target: &'a Target,
}

impl Make<'_> {
    pub fn constant(&mut self, value: Bits, ty: Ty) -> ExprId {
        self.exprs.push(ExprKind::Const(value), ty)
    }

    /// An integer constant, cut to the width.
    pub fn int(&mut self, value: i128, width: u32) -> ExprId {
        self.constant(Bits::new(value as u128, width), Ty::Int(width as u8))
    }

    /// An integer constant of pointer width.
    pub fn size(&mut self, value: u64) -> ExprId {
        self.int(value as i128, self.target.pointer_bits())
    }

    pub fn bool(&mut self, value: bool) -> ExprId {
        self.constant(Bits::bool(value), Ty::BOOL)
    }

    fn truth(&self, id: ExprId) -> Option<bool> {
        self.exprs.as_const(id).map(|bits| !bits.is_zero())
    }

    pub fn unary(&mut self, op: UnOp, a: ExprId) -> ExprId {
        let ty = self.exprs.ty(a);
        let result = match op {
            UnOp::IsNan | UnOp::IsInf | UnOp::IsNormal | UnOp::IsNegative => Ty::BOOL,
            _ => ty,
        };
        match self.exprs.as_const(a) {
            Some(bits) => self.constant(fold::unary(op, ty, bits, self.target), result),
            None => self.exprs.push(ExprKind::Unary(op, Sign::Plain, a), result),
        }
    }

    pub fn binary(&mut self, op: BinOp, sign: Sign, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.exprs.ty(a);
        let result = if op.is_comparison() { Ty::BOOL } else { ty };
        match (self.exprs.as_const(a), self.exprs.as_const(b)) {
            (Some(x), Some(y)) => self.constant(fold::binary(op, sign, ty, x, y, self.target), result),
            (Some(x), None) if op == BinOp::Add && x.is_zero() && !ty.is_float() => b,
            (None, Some(y)) if matches!(op, BinOp::Add | BinOp::Sub) && y.is_zero() && !ty.is_float() => a,
            _ => self.exprs.push(ExprKind::Binary(op, sign, a, b), result),
        }
    }

    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Eq, Sign::Plain, a, b)
    }

    pub fn ne(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Ne, Sign::Plain, a, b)
    }

    /// Whether the value differs from zero (or null).
    pub fn is_not_zero(&mut self, a: ExprId) -> ExprId {
        let ty = self.exprs.ty(a);
        if ty == Ty::BOOL {
            return a;
        }
        let zero = self.constant(Bits::ZERO, ty);
        self.ne(a, zero)
    }

    /// An integer at another width, extended by the sign.
    pub fn resize(&mut self, a: ExprId, sign: Sign, width: u32) -> ExprId {
        let from = self.exprs.ty(a);
        let to = Ty::Int(width as u8);
        if from == to {
            return a;
        }
        let op = CastOp::Int { from: sign, to: sign, implicit: false };
        match self.exprs.as_const(a) {
            Some(bits) => self.constant(fold::cast(op, from, to, bits, self.target), to),
            None => self.exprs.push(ExprKind::Cast(op, a), to),
        }
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        match (self.truth(a), self.exprs.kind(a)) {
            (Some(value), _) => self.bool(!value),
            (None, ExprKind::Unary(UnOp::Not, _, inner)) => inner,
            (None, _) => self.exprs.push(ExprKind::Unary(UnOp::Not, Sign::Plain, a), Ty::BOOL),
        }
    }

    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth(a), self.truth(b)) {
            (Some(true), _) | (_, Some(false)) => b,
            (Some(false), _) | (_, Some(true)) => a,
            (None, None) => self.exprs.push(ExprKind::And(a, b), Ty::BOOL),
        }
    }

    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.truth(a), self.truth(b)) {
            (Some(false), _) | (_, Some(true)) => b,
            (Some(true), _) | (_, Some(false)) => a,
            (None, None) => self.exprs.push(ExprKind::Or(a, b), Ty::BOOL),
        }
    }

    pub fn ptr_add(&mut self, base: ExprId, offset: ExprId) -> ExprId {
        if self.exprs.as_const(offset).is_some_and(Bits::is_zero) {
            return base;
        }
        self.exprs.push(ExprKind::PtrAdd(base, offset), Ty::Ptr)
    }

    /// The address some bytes behind a base.
    pub fn field(&mut self, base: ExprId, offset: u64) -> ExprId {
        let offset = self.size(offset);
        self.ptr_add(base, offset)
    }
}
