//! Pointers that are dereferenced point to live objects, and the access stays inside.
//!
//! The object is the one of the pointer that the address was computed from: an address that was moved into a
//! neighbouring object is out of bounds.

use super::address::Address;
use super::site::Site;
use crate::check::CheckKind;
use crate::expr::{ExprId, ExprKind};
use crate::ty::Ty;

pub(super) fn accessed(site: &mut Site<'_>, address: &Address, addr: ExprId, bytes: ExprId) {
    if !site.wants(CheckKind::Pointer) {
        return;
    }
    let make = &mut site.make;
    let inside = make.exprs.push(ExprKind::InBounds { base: address.base, addr, size: bytes }, Ty::BOOL);
    let cond = match make.exprs.as_const(bytes).map(|b| b.is_zero()) {
        Some(true) => return,
        Some(false) => inside,
        None => {
            let some = make.is_not_zero(bytes);
            let nothing = make.not(some);
            make.or(nothing, inside)
        }
    };
    let message = "a pointer that is null, dangling or out of its object is dereferenced".to_string();
    site.require(CheckKind::Pointer, cond, message);
}

/// A function is called through a pointer.
pub(super) fn call(site: &mut Site<'_>, callee: ExprId) {
    if site.wants(CheckKind::Pointer) && !matches!(site.make.exprs.kind(callee), ExprKind::FuncAddr(_)) {
        let cond = site.make.is_not_zero(callee);
        site.require(CheckKind::Pointer, cond, "a null pointer is called".to_string());
    }
}
