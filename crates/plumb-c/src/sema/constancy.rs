//! `__builtin_constant_p`: whether gcc, without optimisation, takes an expression for constant.
//!
//! gcc folds more than C calls constant: `x - x`, `x * 0`, `u >= 0`. Its rules change from one release to the next, so an expression is
//! constant here only if our own folding says so of plain numbers, and not constant only if it is built in a way that no
//! rule folds. In between nobody knows.

use super::Sema;
use super::constant::{Reads, StaticConst};
use crate::hir::{AddressBase, BinaryOp, Builtin, CastKind, Expr, ExprKind};
use crate::types::TypeTable;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Constancy {
    Constant,
    NotConstant,
    /// A compiler may say either.
    Unknown,
}

impl Sema<'_> {
    /// What `__builtin_constant_p` takes for constant: numbers, and string literals.
    pub(super) fn constancy(&self, e: &Expr) -> Constancy {
        match self.fold(e, Reads::None) {
            Some(StaticConst::Address { base: AddressBase::Global(id), offset: 0 }) if self.is_string(id) => {
                // `__func__` is a variable.
                let is_name = self.function.as_ref().is_some_and(|f| f.function_name == Some(id));
                if is_name { Constancy::NotConstant } else { Constancy::Constant }
            }
            Some(StaticConst::Address { .. }) => Constancy::NotConstant,
            Some(StaticConst::Int(_) | StaticConst::Float(_)) => of_folded(e),
            None if is_plain(e) => Constancy::NotConstant,
            None => Constancy::Unknown,
        }
    }
}

/// A number that we have folded: gcc has not if a string's element is read, and addresses are compared by rules of its own.
fn of_folded(e: &Expr) -> Constancy {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Call { .. } | ExprKind::Builtin { .. } => Constancy::Constant,
        ExprKind::Load(_) => Constancy::NotConstant,
        ExprKind::Cast { value, .. } | ExprKind::Neg(value) | ExprKind::BitNot(value) | ExprKind::Not(value) => {
            of_folded(value)
        }
        // gcc does not fold divisions by zero.
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, b) if !matches!(&b.kind, ExprKind::Int(v) if *v != 0) => {
            Constancy::Unknown
        }
        ExprKind::Binary(_, a, b) | ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => {
            match (of_folded(a), of_folded(b)) {
                (Constancy::Constant, Constancy::Constant) => Constancy::Constant,
                _ => Constancy::Unknown,
            }
        }
        ExprKind::Cond { cond, then: Some(then), otherwise, .. } => {
            match [cond, then, otherwise].iter().all(|part| of_folded(part) == Constancy::Constant) {
                true => Constancy::Constant,
                false => Constancy::Unknown,
            }
        }
        _ => Constancy::Unknown,
    }
}

/// Whether no rule folds an expression: a value that is read or computed by a call, possibly converted or negated, and sums of
/// such values with others or with constants. What has effects is never constant.
fn is_plain(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Load(_)
        | ExprKind::Call { .. }
        | ExprKind::Assign { .. }
        | ExprKind::CompoundAssign { .. }
        | ExprKind::IncDec { .. }
        | ExprKind::VaArg { .. }
        | ExprKind::SizeofVla(_)
        | ExprKind::CompoundLiteral { .. }
        | ExprKind::Builtin { op: Builtin::Atomic(_) | Builtin::Alloca, .. } => true,
        ExprKind::Builtin { op: Builtin::Expect, args } => args.first().is_some_and(is_plain),
        ExprKind::Cast { kind, value, .. } => *kind != CastKind::ToVoid && is_plain(value),
        ExprKind::Neg(value) | ExprKind::BitNot(value) => is_plain(value),
        ExprKind::Binary(op, a, b) => {
            let is_sum = matches!(op, BinaryOp::Add | BinaryOp::Sub) && e.ty.ty != TypeTable::ERROR;
            let is_number = |e: &Expr| matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(_));
            match (is_read(a), is_read(b)) {
                // Differences of one variable from itself are zero.
                (true, true) => *op == BinaryOp::Add,
                (true, false) => is_sum && is_number(b),
                (false, true) => is_sum && is_number(a),
                (false, false) => false,
            }
        }
        ExprKind::PtrAdd { pointer, .. } => is_read(pointer),
        _ => false,
    }
}

/// A variable's value or a call's, possibly converted.
fn is_read(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Load(_) | ExprKind::Call { .. } => true,
        ExprKind::Cast { value, .. } => is_read(value),
        _ => false,
    }
}
