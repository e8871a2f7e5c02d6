//! Accesses of named objects stay inside them.
//!
//! The object is alive and its size is known, so the condition is plain arithmetic on the offset: `offset <= size - n`,
//! unsigned, which also refuses negative offsets.

use super::address::Address;
use super::site::Site;
use crate::check::CheckKind;
use crate::expr::{BinOp, ExprId, Sign};
use crate::program::ObjRef;

pub(super) fn accessed(site: &mut Site<'_>, object: ObjRef, address: &Address, bytes: ExprId) {
    if !site.wants(CheckKind::Bounds) {
        return;
    }
    let (size, name) = match object {
        ObjRef::Global(id) => (site.program.object(id).size, site.program.object(id).name.clone()),
        ObjRef::Local(id) => (site.function.object(id).size, site.function.object(id).name.clone()),
    };
    let make = &mut site.make;
    let offset = address.offset(make);
    let cond = match make.exprs.as_const(bytes).map(|b| b.u64()) {
        Some(0) => return,
        Some(bytes) if bytes > size => make.bool(false),
        Some(bytes) => {
            let last = make.size(size - bytes);
            make.binary(BinOp::Le, Sign::Unsigned, offset, last)
        }
        None => {
            let end = make.size(size);
            let inside = make.binary(BinOp::Le, Sign::Unsigned, offset, end);
            let room = make.binary(BinOp::Sub, Sign::Plain, end, offset);
            let enough = make.binary(BinOp::Le, Sign::Unsigned, bytes, room);
            let fits = make.and(inside, enough);
            let some = make.is_not_zero(bytes);
            let nothing = make.not(some);
            make.or(nothing, fits)
        }
    };
    site.require(CheckKind::Bounds, cond, format!("an access is outside of {name}, which has {size} bytes"));
}
