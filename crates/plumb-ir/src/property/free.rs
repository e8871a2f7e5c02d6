//! What is freed is null or the start of a live heap object: no double frees, no frees of other memory.

use super::site::Site;
use crate::check::CheckKind;
use crate::expr::{ExprId, ExprKind};
use crate::ty::Ty;

pub(super) fn freed(site: &mut Site<'_>, pointer: ExprId) {
    if site.wants(CheckKind::Free) {
        let cond = site.make.exprs.push(ExprKind::Freeable(pointer), Ty::BOOL);
        let message = "memory is freed that is not the start of a live heap object".to_string();
        site.require(CheckKind::Free, cond, message);
    }
}
