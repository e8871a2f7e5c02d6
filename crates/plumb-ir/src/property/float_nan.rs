//! Float arithmetic makes no NaN out of numbers. A NaN that comes from NaN operands was reported where it arose.

use super::site::Site;
use crate::check::CheckKind;
use crate::expr::{BinOp, ExprId, ExprKind, UnOp};

pub(super) fn computed(site: &mut Site<'_>, id: ExprId) {
    if !site.wants(CheckKind::FloatNan) || !site.make.exprs.ty(id).is_float() {
        return;
    }
    let kind = site.make.exprs.kind(id);
    let can_make_nan = match kind {
        ExprKind::Binary(op, ..) => {
            matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem | BinOp::IeeeRem)
        }
        ExprKind::Unary(op, ..) => op == UnOp::Sqrt,
        ExprKind::Fma(..) => true,
        _ => false,
    };
    if !can_make_nan {
        return;
    }
    let is_nan = site.make.unary(UnOp::IsNan, id);
    let mut cond = site.make.not(is_nan);
    for operand in kind.operands() {
        let was_nan = site.make.unary(UnOp::IsNan, operand);
        cond = site.make.or(was_nan, cond);
    }
    site.require(CheckKind::FloatNan, cond, "the result of a float operation is not a number".to_string());
}
