//! Shift counts lie below the width, and what is shifted left is not negative (C11 6.5.7).
//!
//! Shifting left beyond the range of a signed type is an overflow, not this check's business.

use super::site::Site;
use crate::check::CheckKind;
use crate::expr::{BinOp, ExprId, ExprKind, Sign};
use crate::ty::Bits;

pub(super) fn shifted(site: &mut Site<'_>, id: ExprId) {
    let ExprKind::Binary(op @ (BinOp::Shl | BinOp::Shr), sign, value, count) = site.make.exprs.kind(id) else { return };
    if sign == Sign::Plain || !site.wants(CheckKind::Shift) {
        return;
    }
    let width = site.make.exprs.ty(id).bits(site.make.target);
    let cond = below_width(site, count, width);
    site.require(CheckKind::Shift, cond, format!("a shift count is negative or at least {width}"));
    if op == BinOp::Shl && sign == Sign::Signed {
        let zero = site.make.constant(Bits::ZERO, site.make.exprs.ty(value));
        let cond = site.make.binary(BinOp::Le, Sign::Signed, zero, value);
        site.require(CheckKind::Shift, cond, "a negative value is shifted left".to_string());
    }
}

/// Whether a shift count is in range. Lowering extends a narrow count by its sign and keeps a wide one too large, so a
/// count that C calls negative or too large is too large here.
pub(super) fn below_width(site: &mut Site<'_>, count: ExprId, width: u32) -> ExprId {
    let ty = site.make.exprs.ty(count);
    // A count that is too narrow to reach the width compares with its own largest value.
    let limit = (width as u128).min(ty.mask(site.make.target));
    let op = if limit == width as u128 { BinOp::Lt } else { BinOp::Le };
    let limit = site.make.constant(Bits::new(limit, ty.bits(site.make.target)), ty);
    site.make.binary(op, Sign::Unsigned, count, limit)
}
