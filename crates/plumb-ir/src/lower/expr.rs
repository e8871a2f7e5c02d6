//! Values of expressions: scalars as expressions, records as addresses of objects that hold them.

use super::cond::is_comparison;
use super::function::Lowerer;
use super::lvalue::Place;
use super::types::Class;
use crate::expr::{BinOp, ExprId, Sign, UnOp};
use crate::program::{AssumptionKind, VarRef};
use crate::ty::{Bits, Ty};
use plumb_c::hir::{self, BinaryOp, CastKind, ExprKind};
use plumb_c::source::Span;
use plumb_c::types::{TyId, TypeTable};

impl<'a> Lowerer<'_, 'a> {
    /// Evaluates an expression to its value, or to the address of a record that holds it.
    pub(super) fn value(&mut self, e: &'a hir::Expr) -> ExprId {
        let cty = e.ty.ty;
        let ty = self.cx.carrier(cty);
        match &e.kind {
            ExprKind::Int(value) => self.b.int(*value, ty),
            ExprKind::Float(bits) => {
                let bits = Bits::new(*bits, ty.bits(self.b.target()));
                self.b.constant(bits, ty)
            }
            ExprKind::Load(place) if self.cx.is_record(cty) => self.record_of(place),
            ExprKind::Load(lvalue) => {
                let place = self.place(lvalue);
                self.read(place, lvalue)
            }
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral { .. } => {
                let place = self.place(e);
                match (place, self.cx.register_class(cty)) {
                    (_, Some(_)) => self.read(place, e),
                    (place, None) => self.address_of(place, e.span),
                }
            }
            ExprKind::Func(_) => self.address(e),
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.address(place),
            ExprKind::Cast { kind, value, implicit } => self.cast_expr(e, *kind, value, *implicit),
            ExprKind::Neg(a) => {
                let value = self.value(a);
                self.b.unary(UnOp::Neg, self.cx.sign(cty), value)
            }
            ExprKind::BitNot(a) => {
                let value = self.value(a);
                self.b.unary(UnOp::Not, self.cx.sign(cty), value)
            }
            ExprKind::Not(_) => self.truth_value(e, ty),
            ExprKind::Binary(op, ..) if is_comparison(*op) => self.truth_value(e, ty),
            ExprKind::Binary(op, a, b) => {
                let value = self.arithmetic(*op, a, b, cty, e.span);
                self.note_division(e, value);
                value
            }
            ExprKind::PtrAdd { pointer, index, negate } => self.pointer_sum(pointer, index, *negate),
            ExprKind::PtrDiff(a, b) => self.pointer_difference(a, b, ty),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) if self.facts.is_flat(e) => self.truth_value(e, ty),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => {
                let temp = self.b.temp(ty, e.span);
                self.logical_into(e, VarRef::Local(temp), ty);
                self.b.local(temp)
            }
            ExprKind::Cond { .. } => self.conditional(e, ty),
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.value(b)
            }
            ExprKind::Assign { target, value } => self.assign(target, value, e.span, true),
            ExprKind::CompoundAssign { .. } => self.compound_assign(e, true),
            ExprKind::IncDec { increment, prefix, target } => self.step(target, *increment, *prefix, e.span, true),
            ExprKind::Call { callee, args } => {
                self.call(callee, args, cty, None, e.span).unwrap_or_else(|| self.nothing(ty))
            }
            ExprKind::Builtin { op, args } => self.builtin(*op, args, cty, e.span).unwrap_or_else(|| self.nothing(ty)),
            ExprKind::StmtExpr(block) => self.block_value(block, cty).unwrap_or_else(|| self.nothing(ty)),
            ExprKind::LabelAddr(label) => self.b.int(label.number() as i128, Ty::Ptr),
            ExprKind::SizeofVla(of) => {
                let size = self.dynamic_size(*of);
                self.b.resize(size, Sign::Unsigned, ty)
            }
            ExprKind::VaArg { list } => self.variadic_argument(list, cty, e.span),
        }
    }

    /// What stands for the value of an expression that ends the run or is void.
    pub(super) fn nothing(&mut self, ty: Ty) -> ExprId {
        self.b.constant(Bits::ZERO, ty)
    }

    fn truth_value(&mut self, e: &'a hir::Expr, ty: Ty) -> ExprId {
        let truth = self.truth(e);
        self.b.widen_truth(truth, ty)
    }

    /// Evaluates an expression for its effects, and for what checks may say to its operators.
    pub(super) fn discard(&mut self, e: &'a hir::Expr) {
        match &e.kind {
            ExprKind::Cast { kind: CastKind::ToVoid | CastKind::NoOp, value, .. } => self.discard(value),
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.discard(b);
            }
            ExprKind::Assign { target, value } => {
                self.assign(target, value, e.span, false);
            }
            ExprKind::CompoundAssign { .. } => {
                self.compound_assign(e, false);
            }
            ExprKind::IncDec { increment, target, .. } => {
                self.step(target, *increment, true, e.span, false);
            }
            ExprKind::Call { callee, args } => {
                self.call(callee, args, TypeTable::VOID, None, e.span);
            }
            ExprKind::StmtExpr(block) => self.block(block),
            ExprKind::Cond { cond, then: Some(then), otherwise, .. } if !self.facts.is_flat(e) => {
                self.arms(cond, e.span, |this| this.discard(then), |this| this.discard(otherwise));
            }
            ExprKind::LogicalAnd(a, b) if !self.facts.is_flat(e) => {
                self.arms(a, e.span, |this| this.discard(b), |_| {});
            }
            ExprKind::LogicalOr(a, b) if !self.facts.is_flat(e) => {
                self.arms(a, e.span, |_| {}, |this| this.discard(b));
            }
            ExprKind::Builtin { op, args } => {
                self.builtin(*op, args, e.ty.ty, e.span);
            }
            _ if self.cx.is_record(e.ty.ty) => self.discard_record(e),
            _ => {
                let value = self.value(e);
                self.b.reusable(value, e.span);
            }
        }
    }

    /// Reads a record for nothing: its first and last byte stand for all.
    fn discard_record(&mut self, e: &'a hir::Expr) {
        let address = self.value(e);
        let size = self.cx.size_of(e.ty.ty);
        if is_named(e) || size == 0 || self.device_address(address).is_some() {
            return;
        }
        for offset in [0, size - 1] {
            let byte = self.b.ptr_offset(address, offset);
            let byte = self.b.load(byte, Ty::Int(8));
            self.b.into_temp(byte, e.span);
        }
    }

    /// Evaluates a scalar into a register of its type.
    pub(super) fn value_into(&mut self, e: &'a hir::Expr, to: VarRef, ty: Ty) {
        match &e.kind {
            ExprKind::Call { callee, args } => {
                if let Some(value) = self.call(callee, args, e.ty.ty, Some((to, ty)), e.span) {
                    self.assign_unless_there(to, value, e.span);
                }
            }
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) if !self.facts.is_flat(e) => {
                self.logical_into(e, to, ty);
            }
            ExprKind::Cond { cond, then: Some(then), otherwise, .. } if !self.facts.is_flat(e) => {
                self.arms(
                    cond,
                    e.span,
                    |this| this.value_into(then, to, ty),
                    |this| {
                        this.value_into(otherwise, to, ty);
                    },
                );
            }
            _ => {
                let value = self.value(e);
                let value = self.fit(value, e.ty.ty, ty);
                self.b.assign(to, value, e.span);
            }
        }
    }

    fn assign_unless_there(&mut self, to: VarRef, value: ExprId, span: Span) {
        if self.b.kind(value) != crate::expr::ExprKind::Var(to) {
            self.b.assign(to, value, span);
        }
    }

    fn cast_expr(&mut self, e: &'a hir::Expr, kind: CastKind, value: &'a hir::Expr, implicit: bool) -> ExprId {
        match (kind, self.cx.class(e.ty.ty)) {
            (CastKind::ToUnion { field }, Class::Record) => self.union_of(e, field, value),
            (CastKind::ToVoid, _) | (_, Class::Void) => {
                self.discard(value);
                self.nothing(Ty::Ptr)
            }
            (CastKind::ToBool, Class::Scalar(ty)) => {
                let truth = self.truth(value);
                self.b.widen_truth(truth, ty)
            }
            (_, Class::Record) => self.value(value),
            (_, Class::Scalar(_)) => {
                let from = value.ty.ty;
                let is_open = kind == CastKind::FloatToInt && self.is_open_conversion(value, e.ty.ty);
                let value = self.value(value);
                if is_open {
                    self.require_fitting(value, e.ty.ty, e.span);
                }
                self.cast(kind, value, from, e.ty.ty, implicit, e.span)
            }
        }
    }

    fn union_of(&mut self, e: &'a hir::Expr, field: u32, value: &'a hir::Expr) -> ExprId {
        let object = self.record_object("union", e.ty.ty, e.span);
        let hir = self.cx.hir;
        let body = hir.types.record_id(e.ty.ty).and_then(|id| hir.types.record(id).body.as_ref());
        let offset = body.and_then(|b| b.fields.get(field as usize)).map_or(0, |f| f.offset);
        let to = self.b.ptr_offset(object, offset);
        let from = self.value(value);
        if self.cx.is_record(value.ty.ty) {
            self.copy_record_anew(to, from, value.ty.ty, e.span);
        } else {
            self.store(to, from, e.span);
        }
        object
    }

    /// The values of two operands. gcc evaluates from left to right, except that it moves a variable behind a more
    /// complex operand where the operator allows it.
    pub(super) fn operands(&mut self, a: &'a hir::Expr, b: &'a hir::Expr, swaps: bool) -> (ExprId, ExprId) {
        let mut left = self.value(a);
        if self.facts.has_effect(b) && !(swaps && is_variable(a)) {
            left = self.b.save(left, a.span);
        }
        (left, self.value(b))
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &'a hir::Expr, b: &'a hir::Expr, cty: TyId, span: Span) -> ExprId {
        let swaps = matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
        let (left, right) = self.operands(a, b, swaps);
        self.combine(op, left, right, cty, b.ty.ty, span)
    }

    /// An arithmetic operator on values: the left one and the result are of type `cty`.
    pub(super) fn combine(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        cty: TyId,
        right_cty: TyId,
        span: Span,
    ) -> ExprId {
        let sign = self.cx.sign(cty);
        let ty = self.b.ty(left);
        let op = match op {
            BinaryOp::Mul => BinOp::Mul,
            BinaryOp::Div => BinOp::Div,
            BinaryOp::Rem => BinOp::Rem,
            BinaryOp::Add => BinOp::Add,
            BinaryOp::Sub => BinOp::Sub,
            BinaryOp::BitAnd => BinOp::And,
            BinaryOp::BitXor => BinOp::Xor,
            BinaryOp::BitOr => BinOp::Or,
            BinaryOp::Shl | BinaryOp::Shr => {
                let count = self.shift_count(right, right_cty, ty, span);
                let op = if op == BinaryOp::Shl { BinOp::Shl } else { BinOp::Shr };
                return self.b.binary(op, sign, left, count);
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let right = self.fit(right, right_cty, ty);
                let truth = self.compare(op, sign, left, right);
                return self.b.widen_truth(truth, ty);
            }
        };
        let is_sum = matches!((op, ty), (BinOp::Add | BinOp::Sub, Ty::Float(_)));
        if is_sum && self.cx.hir.may_contract && self.is_user_code() {
            self.cx.assume(AssumptionKind::Contraction, self.name.clone(), span);
        }
        let right = self.fit(right, right_cty, ty);
        self.b.binary(op, sign, left, right)
    }

    /// A shift count in the type of the shifted value; one too large for that stays too large.
    fn shift_count(&mut self, count: ExprId, cty: TyId, ty: Ty, span: Span) -> ExprId {
        let has = self.b.ty(count);
        let (bits, count_bits) = (ty.bits(self.b.target()), has.bits(self.b.target()));
        if count_bits <= bits {
            return self.b.resize(count, self.cx.sign(cty), ty);
        }
        let count = self.b.reusable(count, span);
        let limit = self.b.int(bits as i128, has);
        let fits = self.b.binary(BinOp::Lt, Sign::Unsigned, count, limit);
        let low = self.b.resize(count, Sign::Unsigned, ty);
        let too_large = self.b.int(bits as i128, ty);
        self.b.ite(fits, low, too_large)
    }

    fn pointer_sum(&mut self, pointer: &'a hir::Expr, index: &'a hir::Expr, negate: bool) -> ExprId {
        let (base, count) = self.operands(pointer, index, false);
        let offset = self.element_offset(pointer.ty.ty, count, index.ty.ty, negate);
        self.b.ptr_add(base, offset)
    }

    /// A number of elements behind a pointer in bytes.
    pub(super) fn element_offset(&mut self, pointer: TyId, count: ExprId, count_cty: TyId, negate: bool) -> ExprId {
        let word = self.b.word();
        let step = match self.cx.hir.types.pointee(pointer) {
            Some(elem) => self.dynamic_size(elem.ty),
            None => self.b.size(1),
        };
        let count = self.b.resize(count, self.cx.sign(count_cty), word);
        let offset = self.b.binary(BinOp::Mul, Sign::Plain, count, step);
        if negate { self.b.unary(UnOp::Neg, Sign::Plain, offset) } else { offset }
    }

    fn pointer_difference(&mut self, a: &'a hir::Expr, b: &'a hir::Expr, ty: Ty) -> ExprId {
        let (left, right) = self.operands(a, b, false);
        let bytes = self.b.ptr_diff(left, right);
        let step = match self.cx.hir.types.pointee(a.ty.ty) {
            Some(elem) => self.dynamic_size(elem.ty),
            None => self.b.size(1),
        };
        let count = if self.b.as_const(step).is_some_and(Bits::is_zero) {
            // gcc accepts pointers to empty records; all of them are equal.
            bytes
        } else {
            self.b.binary(BinOp::Div, Sign::Signed, bytes, step)
        };
        self.b.resize(count, Sign::Signed, ty)
    }

    fn conditional(&mut self, e: &'a hir::Expr, ty: Ty) -> ExprId {
        let ExprKind::Cond { cond, then, otherwise, elvis_cast } = &e.kind else {
            return self.nothing(ty);
        };
        if self.cx.is_void(e.ty.ty) {
            self.discard(e);
            return self.nothing(ty);
        }
        let Some(then) = then else {
            return self.elvis(e, cond, *elvis_cast, otherwise, ty);
        };
        if let ExprKind::Int(value) = cond.kind {
            return self.value(if value != 0 { then } else { otherwise });
        }
        if self.facts.is_flat(e) {
            let cond = self.truth(cond);
            let (yes, no) = (self.value(then), self.value(otherwise));
            return self.b.ite(cond, yes, no);
        }
        let temp = VarRef::Local(self.b.temp(ty, e.span));
        self.arms(cond, e.span, |this| this.value_into(then, temp, ty), |this| this.value_into(otherwise, temp, ty));
        self.b.var(temp, ty)
    }

    /// GNU `a ?: b`.
    fn elvis(
        &mut self,
        e: &'a hir::Expr,
        cond: &'a hir::Expr,
        cast: Option<CastKind>,
        otherwise: &'a hir::Expr,
        ty: Ty,
    ) -> ExprId {
        let value = self.value(cond);
        let value = self.b.save(value, cond.span);
        let value = self.b.reusable(value, cond.span);
        let truth = self.b.truth(value);
        let temp = VarRef::Local(self.b.temp(ty, e.span));
        let (yes, no, join) = (self.b.new_loc(), self.b.new_loc(), self.b.new_loc());
        let (if_true, if_false) = super::cond::branch_targets(crate::program::BranchKind::Conditional, yes, no);
        self.b.branch(truth, if_true, if_false, cond.span);
        self.b.at(yes);
        let value = match cast {
            Some(kind) => self.cast(kind, value, cond.ty.ty, e.ty.ty, true, e.span),
            None => self.fit(value, cond.ty.ty, ty),
        };
        self.b.assign(temp, value, e.span);
        self.b.jump(join, e.span);
        self.b.at(no);
        self.value_into(otherwise, temp, ty);
        self.b.continue_at(join, e.span);
        self.b.var(temp, ty)
    }

    /// Reads the scalar that an lvalue without a `Load` around it designates.
    pub(super) fn read_place(&mut self, e: &'a hir::Expr) -> (Place, ExprId) {
        let place = self.place(e);
        (place, self.read(place, e))
    }
}

/// A variable or a member of one, which can be read without fail.
fn is_named(e: &hir::Expr) -> bool {
    match &e.kind {
        ExprKind::Load(place) => is_named(place),
        ExprKind::Member { base, .. } => is_named(base),
        ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::CompoundLiteral { .. } => true,
        _ => false,
    }
}

/// A variable's plain value, which gcc moves behind other operands.
fn is_variable(e: &hir::Expr) -> bool {
    match &e.kind {
        ExprKind::Load(place) => matches!(place.kind, ExprKind::Local(_) | ExprKind::Global(_)),
        _ => false,
    }
}
