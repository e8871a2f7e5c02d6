//! Pointers that are dereferenced point to live objects, the access stays inside, and what is written may be; pointers
//! that are called are functions of the right type.
//!
//! The object is the one of the pointer that the address was computed from: an address that was moved into a
//! neighbouring object is out of bounds. That is seen where one expression moves and uses the pointer; the concrete
//! machine keeps objects so far apart that it rarely matters.

use super::address::Address;
use super::site::Site;
use crate::analysis::address_taken::AddressTaken;
use crate::check::CheckKind;
use crate::expr::{ExprId, ExprKind};
use crate::program::{FuncId, Function, ObjRef, VarRef};
use crate::ty::Ty;

pub(super) fn accessed(site: &mut Site<'_>, address: &Address, addr: ExprId, bytes: ExprId, write: bool) {
    if !site.wants(CheckKind::Pointer) {
        return;
    }
    let make = &mut site.make;
    let inside = make.exprs.push(ExprKind::InBounds { base: address.base, addr, size: bytes, write }, Ty::BOOL);
    let cond = match make.exprs.as_const(bytes).map(|b| b.is_zero()) {
        Some(true) => return,
        Some(false) => inside,
        None => {
            let some = make.is_not_zero(bytes);
            let nothing = make.not(some);
            make.or(nothing, inside)
        }
    };
    let message = match write {
        true => "a pointer that is null, dangling, out of its object or read-only is written through",
        false => "a pointer that is null, dangling or out of its object is dereferenced",
    };
    site.require(CheckKind::Pointer, cond, message.to_string());
}

/// A named object is written to.
pub(super) fn written(site: &mut Site<'_>, object: ObjRef) {
    if let ObjRef::Global(id) = object
        && site.wants(CheckKind::Pointer)
        && site.program.object(id).read_only
    {
        let name = site.program.object(id).name.clone();
        let cond = site.make.bool(false);
        site.require(CheckKind::Pointer, cond, format!("{name} is written to, which is read-only"));
    }
}

/// A function is called through a pointer: it must be the address of one that takes these arguments. One function stands
/// for all that have its parameters and result.
pub(super) fn call(site: &mut Site<'_>, callee: ExprId, args: &[ExprId], to: Option<VarRef>, taken: &AddressTaken) {
    if !site.wants(CheckKind::Pointer) {
        return;
    }
    let args: Vec<Ty> = args.iter().map(|&a| site.make.exprs.ty(a)).collect();
    let ret = to.map(|to| match to {
        VarRef::Local(var) => site.function.var(var).ty,
        VarRef::Global(var) => site.program.var(var).ty,
    });
    let program = site.program;
    if let ExprKind::FuncAddr(id) = site.make.exprs.kind(callee)
        && program.function(id).accepts(&args, ret)
    {
        return;
    }
    let mut like: Vec<FuncId> = Vec::new();
    for id in program.function_ids().filter(|&id| taken.function(id) && program.function(id).accepts(&args, ret)) {
        let same = |&other: &FuncId| is_alike(program.function(id), program.function(other));
        if !like.iter().any(same) {
            like.push(id);
        }
    }
    let mut cond = site.make.bool(false);
    for like in like {
        let one = site.make.exprs.push(ExprKind::Callable { pointer: callee, like }, Ty::BOOL);
        cond = site.make.or(cond, one);
    }
    let message = "a pointer is called that is null or no function with these parameters".to_string();
    site.require(CheckKind::Pointer, cond, message);
}

fn is_alike(a: &Function, b: &Function) -> bool {
    a.ret == b.ret && a.params().iter().map(|p| p.ty).eq(b.params().iter().map(|p| p.ty))
}
