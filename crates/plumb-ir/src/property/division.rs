//! Integers are not divided by zero.

use super::site::Site;
use crate::check::CheckKind;
use crate::expr::{BinOp, ExprId, ExprKind};

pub(super) fn divided(site: &mut Site<'_>, id: ExprId) {
    let ExprKind::Binary(op @ (BinOp::Div | BinOp::Rem), _, _, divisor) = site.make.exprs.kind(id) else { return };
    if !site.wants(CheckKind::DivisionByZero) || site.make.exprs.ty(divisor).is_float() {
        return;
    }
    let cond = site.make.is_not_zero(divisor);
    let what = if op == BinOp::Div { "division" } else { "remainder" };
    site.require(CheckKind::DivisionByZero, cond, format!("{what} by zero"));
}
