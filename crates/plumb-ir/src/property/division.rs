//! Integers are not divided by zero.

use super::site::Site;
use crate::check::CheckKind;
use crate::expr::{BinOp, ExprId, ExprKind};

pub(super) fn divided(site: &mut Site<'_>, id: ExprId) {
    let ExprKind::Binary(op @ (BinOp::Div | BinOp::Rem), _, _, divisor) = site.make.exprs.kind(id) else { return };
    if !site.make.exprs.ty(divisor).is_float() {
        by(site, divisor, if op == BinOp::Div { "division" } else { "remainder" });
    }
}

/// An integer is divided by another.
pub(super) fn by(site: &mut Site<'_>, divisor: ExprId, what: &str) {
    if site.wants(CheckKind::DivisionByZero) {
        let cond = site.make.is_not_zero(divisor);
        site.require(CheckKind::DivisionByZero, cond, format!("{what} by zero"));
    }
}
