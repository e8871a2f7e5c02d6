//! Assignment, compound assignment, `++` and `--`.

use super::Sema;
use super::convert::{Arith, Class, error_node, node};
use super::expr::is_lvalue;
use crate::ast;
use crate::hir::{AssignOp, BinaryOp, CastKind, Expr, ExprKind};
use crate::source::Span;
use crate::types::TyId;

impl Sema<'_> {
    pub(crate) fn assign(&mut self, target: &ast::Expr, value: &ast::Expr, span: Span) -> Expr {
        let target = self.expr(target);
        let value = self.rvalue(value);
        let Some(target) = self.modifiable(target, "assigned to") else { return error_node(span) };
        let ty = target.ty.ty;
        let value = self.convert_for_assign(value, target.ty, "assignment");
        node(ExprKind::Assign { target: Box::new(target), value: Box::new(value) }, ty, span)
    }

    /// Checks that an expression designates an object that may be changed.
    pub(crate) fn modifiable(&mut self, target: Expr, how: &str) -> Option<Expr> {
        let span = target.span;
        let class = self.class(target.ty.ty);
        if class == Class::Error {
            return None;
        }
        if !is_lvalue(&target) {
            self.error(span, format!("this is not an object, so it cannot be {how}"));
            return None;
        }
        match class {
            Class::Array => {
                self.error_help(
                    span,
                    format!("an array cannot be {how} as a whole"),
                    "copy its elements, for instance with memcpy",
                );
                return None;
            }
            Class::Void | Class::Function => {
                let shown = self.show(target.ty.ty);
                self.error(span, format!("something of type '{shown}' cannot be {how}"));
                return None;
            }
            Class::Record(record) if self.types.record(record).body.is_none() => {
                self.incomplete(target.ty.ty, span);
                return None;
            }
            Class::Record(_) | Class::Int(_) | Class::Float(_) | Class::Pointer(_) | Class::Error => {}
        }
        if target.ty.quals.is_const {
            self.error_help(span, format!("this object is const, so it cannot be {how}"), "drop its 'const'");
            return None;
        }
        Some(target)
    }

    pub(crate) fn compound_assign(&mut self, op: BinaryOp, target: &ast::Expr, value: &ast::Expr, span: Span) -> Expr {
        let target = self.expr(target);
        let value = self.rvalue(value);
        let Some(target) = self.modifiable(target, "assigned to") else { return error_node(span) };
        if self.is_error(&value) {
            return value;
        }
        match (self.class(target.ty.ty), self.class(value.ty.ty), op) {
            (Class::Pointer(_), Class::Int(_), BinaryOp::Add | BinaryOp::Sub) => {
                if let Some(bad) = self.check_stride(target.ty.ty, span) {
                    return bad;
                }
                let op = AssignOp::PtrAdd { negate: op == BinaryOp::Sub };
                let compute = target.ty.ty;
                compound_node(op, target, value, Compute { ty: compute, bits: None, into: None, back: None }, span)
            }
            (Class::Int(_) | Class::Float(_), Class::Int(_) | Class::Float(_), _) => {
                self.compound_arith(op, target, value, span)
            }
            _ => self.bad_operands(op, &target, &value, span),
        }
    }

    fn compound_arith(&mut self, op: BinaryOp, target: Expr, value: Expr, span: Span) -> Expr {
        // The target's promotion, with the width of a bit-field.
        let ty = target.ty.ty;
        let (Some(left), Some(right)) = (self.arith_of(&target), self.arith_of(&value)) else {
            return self.bad_operands(op, &target, &value, span);
        };
        let integers = matches!((left, right), (Arith::Int { .. }, Arith::Int { .. }));
        let needs_integers = !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div);
        if needs_integers && !integers {
            return self.bad_operands(op, &target, &value, span);
        }
        let (compute, value) = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            (left, self.promote(value))
        } else {
            let common = self.common_arith(left, right);
            (common, self.arith_operand(value, common))
        };
        let bits = match compute {
            Arith::Int { width, .. } => width,
            Arith::Float(_) => None,
        };
        let compute = compute.ty();
        let (into, back) = (self.step(ty, compute), self.step(compute, ty));
        compound_node(AssignOp::Arith(op), target, value, Compute { ty: compute, bits, into, back }, span)
    }

    fn step(&self, from: TyId, to: TyId) -> Option<CastKind> {
        if from == to { None } else { self.cast_kind(from, to) }
    }

    pub(crate) fn inc_dec(&mut self, increment: bool, prefix: bool, target: &ast::Expr, span: Span) -> Expr {
        let target = self.expr(target);
        let how = if increment { "incremented" } else { "decremented" };
        let Some(target) = self.modifiable(target, how) else { return error_node(span) };
        let ty = target.ty.ty;
        match self.class(ty) {
            Class::Int(_) | Class::Float(_) => {}
            Class::Pointer(_) => {
                if let Some(bad) = self.check_stride(ty, span) {
                    return bad;
                }
            }
            Class::Void | Class::Array | Class::Function | Class::Record(_) | Class::Error => {
                let shown = self.show(ty);
                self.error(span, format!("something of type '{shown}' cannot be {how}"));
                return error_node(span);
            }
        }
        node(ExprKind::IncDec { increment, prefix, target: Box::new(target) }, ty, span)
    }
}

/// The type that a compound assignment computes in, and the ways there and back.
struct Compute {
    ty: TyId,
    bits: Option<u32>,
    into: Option<CastKind>,
    back: Option<CastKind>,
}

fn compound_node(op: AssignOp, target: Expr, value: Expr, compute: Compute, span: Span) -> Expr {
    let ty = target.ty.ty;
    let (target, value) = (Box::new(target), Box::new(value));
    let Compute { ty: compute, bits: compute_bits, into, back } = compute;
    node(ExprKind::CompoundAssign { op, target, value, compute, compute_bits, into, back }, ty, span)
}
