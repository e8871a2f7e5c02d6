//! Truth values: conditions as `bool` expressions where that is safe, as branches where it is not.
//!
//! A branch of the source that short-circuit operators split has one edge tagged with the statement's own decision on
//! every path; the edges in between are tagged as decisions of `&&` and `||`.

use super::function::Lowerer;
use crate::expr::{BinOp, ExprId, Sign};
use crate::program::{Branch, BranchKind, Loc, VarRef};
use crate::ty::Ty;
use plumb_c::hir::{self, CastKind, ExprKind};
use plumb_c::source::Span;

/// A branch target and how the edge there is tagged.
pub(super) type BranchTarget = (Loc, Branch);

pub(super) fn branch_targets(kind: BranchKind, yes: Loc, no: Loc) -> (BranchTarget, BranchTarget) {
    ((yes, Branch { kind, taken: true }), (no, Branch { kind, taken: false }))
}

impl<'a> Lowerer<'_, 'a> {
    /// Whether a scalar is not zero.
    pub(super) fn truth(&mut self, e: &'a hir::Expr) -> ExprId {
        let e = self.same_truth(e);
        match &e.kind {
            ExprKind::Not(a) => {
                let a = self.truth(a);
                self.b.not(a)
            }
            ExprKind::Binary(op, a, b) if is_comparison(*op) => self.comparison(*op, a, b),
            ExprKind::LogicalAnd(a, b) if self.facts.is_flat(e) => {
                let a = self.truth(a);
                let b = self.truth(b);
                self.b.and(a, b)
            }
            ExprKind::LogicalOr(a, b) if self.facts.is_flat(e) => {
                let a = self.truth(a);
                let b = self.truth(b);
                self.b.or(a, b)
            }
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => {
                let temp = self.b.temp(Ty::BOOL, e.span);
                self.logical_into(e, VarRef::Local(temp), Ty::BOOL);
                self.b.local(temp)
            }
            _ => {
                let value = self.value(e);
                self.b.truth(value)
            }
        }
    }

    /// Steps over conversions that do not change whether a value is zero.
    fn same_truth(&self, mut e: &'a hir::Expr) -> &'a hir::Expr {
        while let ExprKind::Cast { kind, value, .. } = &e.kind {
            let widens = |from: Ty, to: Ty| match (from, to) {
                (Ty::Int(from), Ty::Int(to)) => from <= to,
                _ => false,
            };
            match kind {
                CastKind::ToBool | CastKind::NoOp | CastKind::PtrToPtr => e = value,
                CastKind::IntToInt if widens(self.cx.carrier(value.ty.ty), self.cx.carrier(e.ty.ty)) => e = value,
                CastKind::IntToInt
                | CastKind::IntToFloat
                | CastKind::FloatToInt
                | CastKind::FloatToFloat
                | CastKind::PtrToInt
                | CastKind::IntToPtr
                | CastKind::ToVoid
                | CastKind::ToUnion { .. } => break,
            }
        }
        e
    }

    /// Goes one way if the condition holds and the other if not.
    pub(super) fn branch(&mut self, e: &'a hir::Expr, yes: BranchTarget, no: BranchTarget) {
        self.branch_within(e, yes, no, None);
    }

    /// Tags go with the decision of the statement, so an edge that decides an operand of `!` has the span of the outermost
    /// negation: what the tag says is true of that text.
    fn branch_within(&mut self, e: &'a hir::Expr, yes: BranchTarget, no: BranchTarget, negation: Option<Span>) {
        let e = self.same_truth(e);
        let logical = |taken| Branch { kind: BranchKind::Logical, taken };
        match &e.kind {
            ExprKind::Not(a) => self.branch_within(a, no, yes, negation.or(Some(e.span))),
            ExprKind::LogicalAnd(a, b) if !self.facts.is_flat(e) => {
                let second = self.b.new_loc();
                self.branch_within(a, (second, logical(true)), no, negation);
                self.b.at(second);
                self.branch_within(b, yes, no, negation);
            }
            ExprKind::LogicalOr(a, b) if !self.facts.is_flat(e) => {
                let second = self.b.new_loc();
                self.branch_within(a, yes, (second, logical(false)), negation);
                self.b.at(second);
                self.branch_within(b, yes, no, negation);
            }
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.branch_within(b, yes, no, negation);
            }
            _ => {
                let cond = self.truth(e);
                self.b.branch(cond, yes, no, negation.unwrap_or(e.span));
            }
        }
    }

    /// Assigns 1 or 0 according to a `&&` or `||`.
    pub(super) fn logical_into(&mut self, e: &'a hir::Expr, to: VarRef, ty: Ty) {
        let (yes, no, join) = (self.b.new_loc(), self.b.new_loc(), self.b.new_loc());
        let (if_true, if_false) = branch_targets(BranchKind::Logical, yes, no);
        self.branch(e, if_true, if_false);
        for (loc, value) in [(yes, 1), (no, 0)] {
            self.b.at(loc);
            let value = self.b.int(value, ty);
            self.b.assign(to, value, e.span);
            self.b.jump(join, e.span);
        }
        self.b.at(join);
    }

    /// A comparison as a truth value.
    pub(super) fn comparison(&mut self, op: hir::BinaryOp, a: &'a hir::Expr, b: &'a hir::Expr) -> ExprId {
        let sign = self.cx.sign(a.ty.ty);
        let (left, right) = self.operands(a, b, true);
        let right = self.fit(right, b.ty.ty, self.b.ty(left));
        self.compare(op, sign, left, right)
    }

    pub(super) fn compare(&mut self, op: hir::BinaryOp, sign: Sign, left: ExprId, right: ExprId) -> ExprId {
        let (op, swap) = match op {
            hir::BinaryOp::Eq => (BinOp::Eq, false),
            hir::BinaryOp::Ne => (BinOp::Ne, false),
            hir::BinaryOp::Lt => (BinOp::Lt, false),
            hir::BinaryOp::Le => (BinOp::Le, false),
            hir::BinaryOp::Gt => (BinOp::Lt, true),
            hir::BinaryOp::Ge => (BinOp::Le, true),
            hir::BinaryOp::Mul
            | hir::BinaryOp::Div
            | hir::BinaryOp::Rem
            | hir::BinaryOp::Add
            | hir::BinaryOp::Sub
            | hir::BinaryOp::Shl
            | hir::BinaryOp::Shr
            | hir::BinaryOp::BitAnd
            | hir::BinaryOp::BitXor
            | hir::BinaryOp::BitOr => (BinOp::Ne, false),
        };
        let (left, right) = if swap { (right, left) } else { (left, right) };
        self.b.binary(op, sign, left, right)
    }

    /// Lays the arms of a conditional expression; each ends at the join.
    pub(super) fn arms(
        &mut self,
        cond: &'a hir::Expr,
        span: Span,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let (yes, no, join) = (self.b.new_loc(), self.b.new_loc(), self.b.new_loc());
        let (if_true, if_false) = branch_targets(BranchKind::Conditional, yes, no);
        self.branch(cond, if_true, if_false);
        self.b.at(yes);
        then(self);
        self.b.jump(join, span);
        self.b.at(no);
        otherwise(self);
        self.b.continue_at(join, span);
    }
}

pub(super) fn is_comparison(op: hir::BinaryOp) -> bool {
    match op {
        hir::BinaryOp::Eq
        | hir::BinaryOp::Ne
        | hir::BinaryOp::Lt
        | hir::BinaryOp::Le
        | hir::BinaryOp::Gt
        | hir::BinaryOp::Ge => true,
        hir::BinaryOp::Mul
        | hir::BinaryOp::Div
        | hir::BinaryOp::Rem
        | hir::BinaryOp::Add
        | hir::BinaryOp::Sub
        | hir::BinaryOp::Shl
        | hir::BinaryOp::Shr
        | hir::BinaryOp::BitAnd
        | hir::BinaryOp::BitXor
        | hir::BinaryOp::BitOr => false,
    }
}
