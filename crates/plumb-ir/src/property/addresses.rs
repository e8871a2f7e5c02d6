//! What a run sees of addresses: checks that fail where it might go another way if objects lay elsewhere in memory.
//!
//! C says how pointers compare as long as both point into one object; different objects that are alive have different
//! addresses. Beyond that (one past the end of an object and the start of another, the order of objects, their distance,
//! objects that are dead, literals that a compiler may make one) the answer depends on where things happen to lie.
//!
//! This is no property of the program: the checks are of the kind "not supported". They rely on a machine that uses no
//! address twice and leaves room between objects. Addresses that are turned into numbers are not looked at here.

use super::site::Site;
use super::{CheckSelection, Draft};
use crate::analysis::pointsto::{Object, PointsTo, Target, Targets};
use crate::check::{CheckInfo, CheckKind};
use crate::expr::{BinOp, ExprId, ExprKind};
use crate::index::TiVec;
use crate::program::{FuncId, Function, Op, Program};
use crate::property::CheckId;
use crate::ty::Ty;
use std::sync::Arc;

/// The program with a check before every comparison and difference of pointers that needs one.
pub fn watch_addresses(program: &Program, points_to: &PointsTo) -> Program {
    let mut result = program.clone();
    let mut checks = TiVec::clone(&program.checks);
    for id in program.function_ids() {
        if let Some(function) = watched(program, id, points_to, &mut checks) {
            result.functions[id] = Arc::new(function);
        }
    }
    result.checks = Arc::new(checks);
    debug_assert_eq!(crate::verify::verify(&result), Vec::<String>::new());
    result
}

fn watched(
    program: &Program,
    id: FuncId,
    points_to: &PointsTo,
    checks: &mut TiVec<CheckId, CheckInfo>,
) -> Option<Function> {
    let function = program.function(id);
    let mut draft = Draft::of(function, &program.target);
    for loc in function.locs() {
        let mut site = Site::new(program, function, draft.make(), CheckSelection::NONE);
        for edge in function.out_edges(loc) {
            site.span = function.edge(edge).span;
            for expr in function.edge(edge).op.exprs() {
                site.walk(expr, &mut |site, expr| compared(site, expr, id, points_to));
            }
        }
        for found in site.found {
            let check = checks.push_and_get_key(CheckInfo {
                kind: found.kind,
                message: found.message.into(),
                subject: None,
                of_inputs: false,
                span: found.span,
            });
            draft.put_before(loc, (Op::Check { cond: found.cond, check }, found.span));
        }
    }
    draft.is_changed().then(|| draft.finish())
}

fn compared(site: &mut Site<'_>, id: ExprId, function: FuncId, points_to: &PointsTo) {
    let exprs = &*site.make.exprs;
    let (a, b, is_equality) = match exprs.kind(id) {
        ExprKind::PtrDiff(a, b) => (a, b, false),
        ExprKind::Binary(BinOp::Lt | BinOp::Le, _, a, b) if exprs.ty(a) == Ty::Ptr => (a, b, false),
        ExprKind::Binary(BinOp::Eq | BinOp::Ne, _, a, b) if exprs.ty(a) == Ty::Ptr => (a, b, true),
        _ => return,
    };
    let targets = |e: ExprId| points_to.targets(function, e);
    if is_equality {
        // Null, labels and values such as (void *)-1 are no object's address.
        if is_no_address(site, a) || is_no_address(site, b) {
            return;
        }
        let is_function = |t: &Target| matches!(t.object, Object::Function(_));
        if [a, b].into_iter().all(|e| matches!(targets(e), Targets::Known(list) if list.iter().all(is_function))) {
            return;
        }
    }
    let mut cond = site.make.exprs.push(ExprKind::SameObject(a, b), Ty::BOOL);
    if is_equality {
        let program = site.program;
        let is_literal = |t: &Target| matches!(t.object, Object::Global(g) if program.object(g).read_only);
        let may_be_literal = |e: ExprId| match targets(e) {
            Targets::Unknown => true,
            Targets::Known(list) => list.iter().any(is_literal),
        };
        if !may_be_literal(a) && !may_be_literal(b) {
            let (first, second) = (inside(site, a), inside(site, b));
            let apart = site.make.and(first, second);
            cond = site.make.or(cond, apart);
        }
        for e in [a, b] {
            let some = site.make.is_not_zero(e);
            let null = site.make.not(some);
            cond = site.make.or(null, cond);
        }
    }
    site.require(CheckKind::Unsupported, cond, "the result depends on where objects lie in memory".to_string());
}

/// A constant that no object lies at: in the first page, or the last.
fn is_no_address(site: &Site<'_>, e: ExprId) -> bool {
    let mask = Ty::Ptr.mask(site.make.target);
    let edge = mask.min(4095);
    site.make.exprs.as_const(e).is_some_and(|bits| bits.u128() <= edge || bits.u128() > mask - edge)
}

/// The pointer points to a byte of a live object.
fn inside(site: &mut Site<'_>, e: ExprId) -> ExprId {
    let size = site.make.size(1);
    site.make.exprs.push(ExprKind::InBounds { base: e, addr: e, size, write: false }, Ty::BOOL)
}
