//! Assignment: simple, compound, `++` and `--`.
//!
//! The value of an assignment is what its target then holds. An expression reads memory when its edge runs, so a value
//! that is used after a store is saved before it.

use super::function::Lowerer;
use super::lvalue::Place;
use crate::expr::{BinOp, ExprId, Sign};
use crate::ty::{Bits, Ty};
use plumb_c::hir::{self, AssignOp, BinaryOp, ExprKind};
use plumb_c::source::Span;
use plumb_c::types::{TyId, Type, TypeTable};

impl<'a> Lowerer<'_, 'a> {
    /// Assigns and returns the target's new value; without `used` what is returned means nothing.
    pub(super) fn assign(&mut self, target: &'a hir::Expr, value: &'a hir::Expr, span: Span, used: bool) -> ExprId {
        let cty = target.ty.ty;
        if self.cx.is_record(cty) {
            return self.assign_record(target, value, span);
        }
        if is_variable(target)
            && let Place::Register(var, ty) = self.place(target)
        {
            self.value_into_at(value, var, ty, span);
            return self.b.var(var, ty);
        }
        let (place, new) = self.place_and_value(target, value);
        let ty = self.cx.carrier(cty);
        let new = self.fit(new, value.ty.ty, ty);
        self.write_used(place, new, cty, span, used)
    }

    /// The target of an assignment and its new value. gcc evaluates the operands of the value's outermost operator, then
    /// the target's address, then applies the operator: a call comes after the address, a sum before it.
    fn place_and_value(&mut self, target: &'a hir::Expr, value: &'a hir::Expr) -> (Place, ExprId) {
        let (moves, moved) = (self.facts.has_effect(value), self.facts.has_effect(target));
        match &value.kind {
            // gcc keeps no copy of a local variable, so that what the target steps is read after the step.
            _ if !moves && (!moved || steps(target)) => {
                let place = self.place(target);
                (place, self.value(value))
            }
            ExprKind::Call { callee: hir::Callee::Direct(id), args } if !self.cx.is_record(value.ty.ty) => {
                let mut args = self.arguments(args);
                if moved {
                    for arg in args.iter_mut().filter(|arg| !self.cx.is_record(arg.cty)) {
                        arg.value = self.b.save(arg.value, value.span);
                    }
                }
                let place = self.place(target);
                let place = self.stabilise(place, target.span);
                let result = self.call_evaluated(*id, args, value.ty.ty, None, value.span);
                (place, result.unwrap_or_else(|| self.nothing(self.cx.carrier(value.ty.ty))))
            }
            ExprKind::Load(from) => {
                let from_place = self.place(from);
                let from_place = self.stabilise(from_place, from.span);
                let place = self.place(target);
                (place, self.read(from_place, from))
            }
            _ => {
                let new = self.value(value);
                let new = if moved { self.b.save(new, value.span) } else { new };
                (self.place(target), new)
            }
        }
    }

    /// As `value_into`, the edge standing for the whole assignment.
    fn value_into_at(&mut self, value: &'a hir::Expr, var: crate::program::VarRef, ty: Ty, span: Span) {
        match value.kind {
            ExprKind::Call { .. } | ExprKind::Cond { .. } | ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => {
                self.value_into(value, var, ty);
            }
            _ => {
                let new = self.value(value);
                let new = self.fit(new, value.ty.ty, ty);
                self.b.assign(var, new, span);
            }
        }
    }

    fn write_used(&mut self, place: Place, value: ExprId, cty: TyId, span: Span, used: bool) -> ExprId {
        let value = match place {
            Place::Memory(_) | Place::Device(_) | Place::Bits(_) if used => self.b.save(value, span),
            Place::Memory(_) | Place::Device(_) | Place::Bits(_) | Place::Register(..) => value,
        };
        self.write(place, value, cty, span)
    }

    fn assign_record(&mut self, target: &'a hir::Expr, value: &'a hir::Expr, span: Span) -> ExprId {
        let mut to = self.address(target);
        if self.facts.has_effect(value) {
            to = self.b.save(to, target.span);
        }
        let from = self.value(value);
        self.copy_record(to, from, target.ty.ty, span);
        to
    }

    /// `target op= value`. gcc evaluates a value with effects before it looks at the target; otherwise it reads the target
    /// first.
    pub(super) fn compound_assign(&mut self, e: &'a hir::Expr, used: bool) -> ExprId {
        let ExprKind::CompoundAssign { op, target, value, compute, compute_bits, into, back } = &e.kind else {
            return self.b.null();
        };
        let (compute, span) = (*compute, e.span);
        let is_atomic = self.is_atomic_update(target, span);
        let (place, old, right) = if is_atomic || self.facts.has_effect(value) {
            let mut right = self.value(value);
            if is_atomic || self.facts.has_effect(target) {
                right = self.b.save(right, value.span);
            }
            if is_atomic {
                self.section_end("__plumb_atomic_begin", span);
            }
            let (place, old) = self.read_place(target);
            (place, old, right)
        } else {
            let (place, old) = self.read_place(target);
            (place, old, self.value(value))
        };
        let cty = target.ty.ty;
        let new = match op {
            AssignOp::PtrAdd { negate } => {
                let offset = self.element_offset(cty, right, value.ty.ty, *negate);
                self.b.ptr_add(old, offset)
            }
            AssignOp::Arith(op) => {
                let left = match into {
                    Some(kind) => self.cast(*kind, old, cty, compute, true, span),
                    None => self.fit(old, cty, self.cx.carrier(compute)),
                };
                let left = self.wrap_to(left, compute, *compute_bits);
                let new = self.combine(*op, left, right, compute, value.ty.ty, span);
                self.note_division(e, new);
                let new = self.wrap_to(new, compute, *compute_bits);
                match back {
                    Some(kind) => self.cast(*kind, new, compute, cty, true, span),
                    None => self.fit(new, compute, self.cx.carrier(cty)),
                }
            }
        };
        let value = self.write_used(place, new, cty, span, used);
        self.end_atomic_update(is_atomic, value, span)
    }

    /// Whether an update is one step: of an `_Atomic` variable beside which others run. What another expression leads to is not
    /// updated in one step, since what leads there may change meanwhile.
    fn is_atomic_update(&mut self, target: &hir::Expr, span: Span) -> bool {
        let is_atomic = self.cx.is_concurrent && target.ty.quals.is_atomic;
        if is_atomic && !is_variable(target) {
            self.unsupported("an update of an _Atomic object that is no variable, beside other threads", span);
        }
        is_atomic && is_variable(target)
    }

    fn end_atomic_update(&mut self, is_atomic: bool, value: ExprId, span: Span) -> ExprId {
        if !is_atomic {
            return value;
        }
        let value = self.b.save(value, span);
        self.section_end("__plumb_atomic_end", span);
        value
    }

    /// The value cut to a bit-field's width and extended again.
    fn wrap_to(&mut self, value: ExprId, cty: TyId, bits: Option<u32>) -> ExprId {
        let Some(bits) = bits else { return value };
        let (ty, sign) = (self.b.ty(value), self.cx.sign(cty));
        let low = self.b.extract(value, 0, bits as u8);
        self.b.resize(low, sign, ty)
    }

    /// `++` and `--`.
    pub(super) fn step(
        &mut self,
        target: &'a hir::Expr,
        increment: bool,
        prefix: bool,
        span: Span,
        used: bool,
    ) -> ExprId {
        let cty = target.ty.ty;
        let is_atomic = self.is_atomic_update(target, span);
        if is_atomic {
            self.section_end("__plumb_atomic_begin", span);
        }
        let (place, mut old) = self.read_place(target);
        if used && !prefix {
            old = self.b.into_temp(old, span);
        }
        let new = self.stepped(old, cty, increment, span);
        let value = self.write_used(place, new, cty, span, used && prefix);
        self.end_atomic_update(is_atomic, if prefix { value } else { old }, span)
    }

    fn stepped(&mut self, old: ExprId, cty: TyId, increment: bool, span: Span) -> ExprId {
        let types = &self.cx.hir.types;
        match types.get(cty) {
            Type::Pointer(_) => {
                let one = self.b.size(1);
                let offset = self.element_offset(cty, one, TypeTable::int_id(types.ptrdiff_kind()), !increment);
                self.b.ptr_add(old, offset)
            }
            Type::Float(_) => {
                let ty = self.b.ty(old);
                let one = crate::fold::cast(
                    crate::expr::CastOp::IntToFloat(Sign::Signed),
                    Ty::Int(32),
                    ty,
                    Bits::ONE,
                    self.b.target(),
                );
                let one = self.b.constant(one, ty);
                let op = if increment { BinOp::Add } else { BinOp::Sub };
                self.b.binary(op, Sign::Plain, old, one)
            }
            Type::Int(_)
            | Type::Enum(_)
            | Type::Void
            | Type::Array(..)
            | Type::Function(_)
            | Type::Record(_)
            | Type::Error => {
                // In the promoted type: `char c; c++` overflows only when it is converted back.
                let promoted = self.cx.promoted(cty);
                let wide = self.convert(old, cty, promoted, true, span);
                let one = self.b.int(1, self.b.ty(wide));
                let op = if increment { BinaryOp::Add } else { BinaryOp::Sub };
                let new = self.combine(op, wide, one, promoted, promoted, span);
                self.convert(new, promoted, cty, true, span)
            }
        }
    }
}

/// A variable itself, whose place nothing can move.
fn is_variable(target: &hir::Expr) -> bool {
    matches!(target.kind, ExprKind::Local(_) | ExprKind::Global(_))
}

/// An lvalue behind `p++` or `a[i++]`.
fn steps(e: &hir::Expr) -> bool {
    match &e.kind {
        ExprKind::IncDec { target, .. } => is_variable(target),
        ExprKind::Deref(inner) | ExprKind::Member { base: inner, .. } => steps(inner),
        ExprKind::Cast { value, .. } => steps(value),
        ExprKind::PtrAdd { pointer, index, .. } => steps(pointer) || steps(index),
        _ => false,
    }
}
