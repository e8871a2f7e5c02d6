//! Whether addresses become numbers: a program that makes none cannot see where objects lie but by comparing pointers.

use super::pointsto::{PointsTo, Targets};
use crate::expr::{ExprId, ExprKind};
use crate::index::TiVec;
use crate::program::{DatumValue, FuncId, Function, Program};
use crate::ty::Ty;

/// Some expression of the function turns what may be an address into a number, or loads one as a number.
pub fn makes_numbers(function: &Function, id: FuncId, points_to: &PointsTo) -> bool {
    let exprs = &function.exprs;
    let may_be_address = |e: ExprId| match points_to.targets(id, e) {
        Targets::Unknown => true,
        Targets::Known(targets) => !targets.is_empty(),
    };
    let mut seen: TiVec<ExprId, bool> = vec![false; exprs.len()].into();
    let mut work: Vec<ExprId> = function.edges.iter().flat_map(|e| e.op.exprs()).collect();
    while let Some(e) = work.pop() {
        if std::mem::replace(&mut seen[e], true) {
            continue;
        }
        let is_number = exprs.ty(e) != Ty::Ptr;
        let makes = match exprs.kind(e) {
            ExprKind::Cast(_, a) => is_number && exprs.ty(a) == Ty::Ptr && may_be_address(a),
            ExprKind::Load(_) => is_number && may_be_address(e),
            _ => false,
        };
        if makes {
            return true;
        }
        work.extend(exprs.kind(e).operands());
    }
    false
}

/// Some text of the program has a `%p` in it: the number of characters that `printf` returns depends on the address.
pub fn prints_addresses(program: &Program) -> bool {
    let has = |bytes: &[u8]| {
        bytes.split(|b| *b == b'%').skip(1).any(|rest| {
            let conversion = rest.iter().find(|b| !b"-+ #0123456789.*'lhjztL".contains(b));
            conversion == Some(&b'p')
        })
    };
    program.objects.iter().flat_map(|o| &o.init).any(|datum| match &datum.value {
        DatumValue::Bytes(bytes) => has(bytes),
        DatumValue::Object(..) | DatumValue::Function(_) => false,
    })
}
