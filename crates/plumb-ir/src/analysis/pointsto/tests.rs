//! Small programs whose pointers are known.

use super::*;
use crate::expr::{BinOp, CastOp, ExprKind, Sign};
use crate::program::{Callee, Intrinsic, Loc, LocalVar, Op, VarRef};
use crate::sample::{self, Body, I32};
use crate::ty::Ty;

const F: FuncId = FuncId(0);

fn local(i: u32, offset: i64) -> Target {
    Target { object: Object::Local(F, LocalObj(i)), offset: Some(offset) }
}

fn known(analysis: &PointsTo, expr: ExprId) -> Vec<Target> {
    match analysis.targets(F, expr) {
        Targets::Known(list) => list,
        Targets::Unknown => panic!("unknown"),
    }
}

#[test]
fn fields_are_kept_apart() {
    let mut b = Body::new("f", &[], None);
    let (s, x, y) = (b.object("s", 16), b.object("x", 4), b.object("y", 4));
    let (s0, s8, px, py) = (b.addr(s, 0), b.addr(s, 8), b.addr(x, 0), b.addr(y, 0));
    let p = b.var("p", Ty::Ptr);
    let at = b.store(Loc(0), s0, px);
    let at = b.store(at, s8, py);
    let (l0, l8) = (b.load(s0, Ty::Ptr), b.load(s8, Ty::Ptr));
    let at = b.assign(at, p, l0);
    let at = b.assign(at, p, l8);
    let vp = b.get(p);
    b.ret(at, None);
    b.edge(Loc(0), Loc(0), Op::Return(Some(vp)));
    let program = sample::program(vec![b.finish()]);
    let analysis = PointsTo::of(&program);
    assert_eq!(known(&analysis, l0), [local(1, 0)]);
    assert_eq!(known(&analysis, l8), [local(2, 0)]);
    assert_eq!(known(&analysis, vp), [local(1, 0), local(2, 0)]);
    let contents = analysis.contents(Object::Local(F, LocalObj(0)));
    assert_eq!([0, 8].map(|at| contents.at(at)), [local(1, 0), local(2, 0)].map(|t| Targets::Known(vec![t])));
    assert_eq!(analysis.local(F, LocalVar(0)), Targets::Known(vec![local(1, 0), local(2, 0)]));
    assert!(analysis.contents(Object::Local(F, LocalObj(1))).is_empty());
}

#[test]
fn an_array_of_records_keeps_its_fields_under_a_varying_index() {
    let mut b = Body::new("f", &[("i", Ty::Int(64))], None);
    let (a, x, y) = (b.object("a", 160), b.object("x", 4), b.object("y", 4));
    let (px, py) = (b.addr(x, 0), b.addr(y, 0));
    let i = b.get(VarRef::Local(LocalVar(0)));
    let sixteen = b.make().int(16, 64);
    let scaled = b.push(ExprKind::Binary(BinOp::Mul, Sign::Plain, i, sixteen), Ty::Int(64));
    let base = b.addr(a, 0);
    let element = b.make().ptr_add(base, scaled);
    let second = b.make().field(element, 8);
    let at = b.store(Loc(0), element, px);
    let at = b.store(at, second, py);
    let far = b.addr(a, 16 * 7 + 8);
    let loaded = b.load(far, Ty::Ptr);
    let p = b.var("p", Ty::Ptr);
    let at = b.assign(at, p, loaded);
    b.ret(at, None);
    let program = sample::program(vec![b.finish()]);
    assert_eq!(known(&PointsTo::of(&program), loaded), [local(2, 0)]);
}

#[test]
fn bytewise_copies_carry_pointers() {
    let mut b = Body::new("f", &[("i", Ty::Int(64))], None);
    let (s, t, x) = (b.object("s", 8), b.object("t", 8), b.object("x", 4));
    let i = b.get(VarRef::Local(LocalVar(0)));
    let c = b.var("c", Ty::Int(8));
    let p = b.var("p", Ty::Ptr);
    let (ps, pt, px) = (b.addr(s, 0), b.addr(t, 0), b.addr(x, 0));
    let (si, ti) = (b.make().ptr_add(ps, i), b.make().ptr_add(pt, i));
    let at = b.store(Loc(0), ps, px);
    let byte = b.load(si, Ty::Int(8));
    let at = b.assign(at, c, byte);
    let vc = b.get(c);
    let at = b.store(at, ti, vc);
    let loaded = b.load(pt, Ty::Ptr);
    let at = b.assign(at, p, loaded);
    b.ret(at, None);
    let program = sample::program(vec![b.finish()]);
    let targets = known(&PointsTo::of(&program), loaded);
    assert_eq!(targets.iter().map(|t| t.object).collect::<Vec<_>>(), [Object::Local(F, LocalObj(2))]);
}

#[test]
fn integers_without_provenance_are_unknown_and_reach_everything() {
    let mut b = Body::new("f", &[("n", Ty::Int(64))], None);
    let (x, y) = (b.object("x", 8), b.object("y", 4));
    let n = b.get(VarRef::Local(LocalVar(0)));
    let forged = b.push(ExprKind::Cast(CastOp::IntToPtr, n), Ty::Ptr);
    let (px, py) = (b.addr(x, 0), b.addr(y, 0));
    let at = b.store(Loc(0), forged, py);
    let loaded = b.load(px, Ty::Ptr);
    let p = b.var("p", Ty::Ptr);
    let at = b.assign(at, p, loaded);
    b.ret(at, None);
    let program = sample::program(vec![b.finish()]);
    let analysis = PointsTo::of(&program);
    assert_eq!(analysis.targets(F, forged), Targets::Unknown);
    assert_eq!(known(&analysis, loaded), [local(1, 0)]);
}

#[test]
fn copies_move_fields_and_calls_through_memory_resolve() {
    let mut b = Body::new("main", &[], None);
    let (s, t) = (b.object("s", 24), b.object("t", 24));
    let f = b.push(ExprKind::FuncAddr(FuncId(1)), Ty::Ptr);
    let (s16, ps, pt, t16) = (b.addr(s, 16), b.addr(s, 0), b.addr(t, 0), b.addr(t, 16));
    let at = b.store(Loc(0), s16, f);
    let size = b.make().size(24);
    let at = b.intrinsic(at, None, Intrinsic::MemCopy, vec![pt, ps, size]);
    let callee = b.load(t16, Ty::Ptr);
    let h = b.var("h", Ty::Ptr);
    let eight = b.make().size(8);
    let at = b.intrinsic(at, Some(h), Intrinsic::HeapAlloc, vec![eight, eight]);
    let vh = b.get(h);
    let at = b.step(at, Op::Call { to: None, callee: Callee::Indirect(callee), args: vec![vh] });
    b.ret(at, None);
    let main = b.finish();
    let call =
        main.edge_ids().find(|&e| matches!(main.edge(e).op, Op::Call { callee: Callee::Indirect(_), .. })).unwrap();
    let heap = main
        .edge_ids()
        .find(|&e| matches!(main.edge(e).op, Op::Call { callee: Callee::Intrinsic(Intrinsic::HeapAlloc), .. }));
    let mut g = Body::new("g", &[("p", Ty::Ptr)], None);
    let vp = g.get(VarRef::Local(LocalVar(0)));
    let one = g.int(1);
    let at = g.store(Loc(0), vp, one);
    g.ret(at, None);
    let mut other = Body::new("other", &[("p", I32)], None);
    other.ret(Loc(0), None);
    let program = sample::program(vec![main, g.finish(), other.finish()]);
    let analysis = PointsTo::of(&program);
    assert_eq!(analysis.call_targets(F, call), Some(vec![FuncId(1)]));
    let expected = Target { object: Object::Heap(F, heap.unwrap()), offset: Some(0) };
    assert_eq!(analysis.targets(FuncId(1), vp), Targets::Known(vec![expected]));
}

#[test]
fn without_budget_everything_is_unknown() {
    let mut b = Body::new("f", &[], None);
    let x = b.object("x", 4);
    let px = b.addr(x, 0);
    let p = b.var("p", Ty::Ptr);
    let at = b.assign(Loc(0), p, px);
    b.ret(at, None);
    let program = sample::program(vec![b.finish()]);
    let analysis = PointsTo::with_budget(&program, 0);
    assert!(analysis.gave_up());
    assert_eq!(analysis.targets(F, px), Targets::Unknown);
}
