//! Objects that are split, and objects that must not be.

use super::promote;
use crate::expr::{BinOp, ExprKind, Sign};
use crate::input::InputId;
use crate::program::GlobalObj;
use crate::program::{
    Datum, DatumValue, FuncId, Function, HavocPlace, Intrinsic, Loc, LocalVar, Op, Program, ScalarInit, VarRef,
};
use crate::sample::{self, Body, I32};
use crate::ty::{Bits, Ty};
use crate::verify::verify;

fn promoted(body: Body) -> Program {
    let mut start = Body::new("start", &[], None);
    start.ret(Loc(0), None);
    let program = sample::program(vec![start.finish(), body.finish()]);
    let result = promote(&program);
    assert_eq!(verify(&result), Vec::<String>::new());
    result
}

fn touches_memory(function: &Function) -> bool {
    let loads = |id: u32| matches!(function.exprs.kind(crate::expr::ExprId(id)), ExprKind::Load(_));
    (0..function.exprs.len() as u32).any(loads)
}

#[test]
fn fields_become_registers_and_copies_go_leaf_by_leaf() {
    let mut b = Body::new("f", &[], Some(I32));
    let (s, t) = (b.object("s", 16), b.object("t", 16));
    let (s0, s4, t4, ps, pt) = (b.addr(s, 0), b.addr(s, 4), b.addr(t, 4), b.addr(s, 0), b.addr(t, 0));
    let (one, two) = (b.int(1), b.int(2));
    let at = b.store(Loc(0), s0, one);
    let at = b.store(at, s4, two);
    let size = b.make().size(16);
    let at = b.intrinsic(at, None, Intrinsic::MemCopy, vec![pt, ps, size]);
    let value = b.load(t4, I32);
    b.ret(at, Some(value));
    let result = promoted(b);
    let f = result.function(FuncId(1));
    assert!(f.objects.is_empty() && !touches_memory(f));
    let names: Vec<&str> = f.vars.iter().map(|v| &*v.name).collect();
    // Only the second half of `t` is ever read, so only that is copied.
    assert_eq!(names, ["s@0", "s@4", "t@4"]);
}

#[test]
fn a_varying_index_keeps_the_object_in_memory() {
    let mut b = Body::new("f", &[("i", Ty::Int(64))], Some(I32));
    let s = b.object("s", 16);
    let i = b.get(VarRef::Local(LocalVar(0)));
    let base = b.addr(s, 0);
    let addr = b.make().ptr_add(base, i);
    let value = b.load(addr, I32);
    b.ret(Loc(0), Some(value));
    assert_eq!(promoted(b).function(FuncId(1)).objects.len(), 1);
}

#[test]
fn overlapping_accesses_keep_the_object_in_memory() {
    let mut b = Body::new("f", &[], Some(I32));
    let s = b.object("s", 8);
    let (s0, s2, one) = (b.addr(s, 0), b.addr(s, 2), b.int(1));
    let at = b.store(Loc(0), s0, one);
    let value = b.load(s2, I32);
    b.ret(at, Some(value));
    assert_eq!(promoted(b).function(FuncId(1)).objects.len(), 1);
}

#[test]
fn every_byte_that_goes_to_memory_has_a_leaf() {
    let mut b = Body::new("f", &[("p", Ty::Ptr), ("q", Ty::Ptr)], None);
    let s = b.object("s", 24);
    let (s4, ps) = (b.addr(s, 4), b.addr(s, 0));
    let (p, q) = (b.get(VarRef::Local(LocalVar(0))), b.get(VarRef::Local(LocalVar(1))));
    let size = b.make().size(24);
    let at = b.intrinsic(Loc(0), None, Intrinsic::MemCopy, vec![ps, p, size]);
    let one = b.int(1);
    let at = b.store(at, s4, one);
    let at = b.intrinsic(at, None, Intrinsic::MemCopy, vec![q, ps, size]);
    b.ret(at, None);
    let result = promoted(b);
    let f = result.function(FuncId(1));
    assert!(f.objects.is_empty());
    let bytes: u64 = f.vars.raw[2..].iter().filter(|v| &*v.name != "%kept").map(|v| v.ty.bytes(&sample::TARGET)).sum();
    assert_eq!(bytes, 24);
}

#[test]
fn fills_and_types_of_the_same_size_are_converted() {
    let mut b = Body::new("f", &[("c", Ty::Int(8))], Some(Ty::Int(64)));
    let s = b.object("s", 8);
    let s0 = b.addr(s, 0);
    let c = b.get(VarRef::Local(LocalVar(0)));
    let eight = b.make().size(8);
    let at = b.intrinsic(Loc(0), None, Intrinsic::MemSet, vec![s0, c, eight]);
    let (number, pointer) = (b.load(s0, Ty::Int(64)), b.load(s0, Ty::Ptr));
    let as_int = b.push(ExprKind::Cast(crate::expr::CastOp::PtrToInt, pointer), Ty::Int(64));
    let sum = b.push(ExprKind::Binary(BinOp::Add, Sign::Plain, number, as_int), Ty::Int(64));
    b.ret(at, Some(sum));
    let result = promoted(b);
    let f = result.function(FuncId(1));
    assert!(f.objects.is_empty() && !touches_memory(f));
    assert!(f.edges.iter().all(|e| !matches!(e.op, Op::Call { .. })));
}

#[test]
fn globals_keep_their_initial_values_and_inputs_fill_leaves() {
    let mut program = sample::program(Vec::new());
    let g = sample::add_object(&mut program, "g", 12);
    let kept = sample::add_object(&mut program, "kept", 4);
    let input = sample::add_input(&mut program, I32);
    let objects = std::sync::Arc::make_mut(&mut program.objects);
    objects[GlobalObj(0)].init.push(Datum { offset: 2, value: DatumValue::Bytes([1, 2, 3].into()) });
    let mut b = Body::new("f", &[], Some(Ty::Ptr));
    let (g0, g4, g8, address) = (b.addr(g, 0), b.addr(g, 4), b.addr(g, 8), b.addr(kept, 0));
    let four = b.make().size(4);
    let at = b.step(Loc(0), Op::Havoc { to: HavocPlace::Region { addr: g8, size: four }, input });
    let (x, y, z) = (b.load(g0, I32), b.load(g4, I32), b.load(g8, I32));
    let v = b.var("v", I32);
    let at = b.assign(at, v, x);
    let at = b.assign(at, v, y);
    let at = b.assign(at, v, z);
    b.ret(at, Some(address));
    program.functions.push(std::sync::Arc::new(b.finish()));
    let result = promote(&program);
    assert_eq!(verify(&result), Vec::<String>::new());
    assert_eq!(result.objects.len(), 1);
    let inits: Vec<ScalarInit> = result.vars.iter().map(|v| v.init).collect();
    let constant = |v: u128| ScalarInit::Const(Bits::new(v, 32));
    assert_eq!(inits, [constant(0x0201_0000), constant(3), constant(0)]);
    assert_eq!(result.inputs.len(), 2);
    assert_eq!(result.input(InputId(1)).ty, Some(I32));
}
