//! Checks on small functions, and the arithmetic of their conditions against mathematics.

use super::*;
use crate::expr::{BinOp, CastOp, Sign, UnOp};
use crate::fold;
use crate::program::{LocalVar, VarRef};
use crate::sample::{self, Body, I32, TARGET};
use crate::ty::{Bits, Ty};

fn checks_of(program: &Program, list: &str) -> Vec<(CheckKind, ExprId, Function)> {
    let set = PropertySet { checks: CheckSelection::parse(list).unwrap(), ..PropertySet::none() };
    let result = instrument(program, &set);
    let mut found = Vec::new();
    for f in &result.functions {
        for edge in &f.edges {
            if let Op::Check { cond, check } = edge.op {
                found.push((result.check(check).kind, cond, Function::clone(f)));
            }
        }
    }
    found
}

/// Evaluates a condition with values for the registers.
fn holds(function: &Function, cond: ExprId, values: &[u128]) -> bool {
    let mut exprs = crate::expr::Exprs::default();
    for i in 0..=cond.0 {
        let expr = function.exprs.get(ExprId(i));
        let kind = match expr.kind {
            ExprKind::Var(VarRef::Local(LocalVar(v))) => {
                ExprKind::Const(Bits::new(values[v as usize], expr.ty.bits(&TARGET)))
            }
            kind => kind,
        };
        exprs.push(kind, expr.ty);
    }
    fold::constant(&exprs, cond, &TARGET).is_some_and(|v| !v.is_zero())
}

/// `f(a, b) { return a op b; }` at a small width.
fn operation(op: BinOp, sign: Sign, width: u8) -> Program {
    let ty = Ty::Int(width);
    let mut b = Body::new("f", &[("a", ty), ("b", ty)], Some(ty));
    let (x, y) = (b.get(VarRef::Local(LocalVar(0))), b.get(VarRef::Local(LocalVar(1))));
    let result = b.push(ExprKind::Binary(op, sign, x, y), ty);
    b.ret(Loc(0), Some(result));
    start(b.finish())
}

fn start(f: Function) -> Program {
    let mut main = Body::new("start", &[], None);
    main.ret(Loc(0), None);
    sample::program(vec![main.finish(), f])
}

#[test]
fn overflow_conditions_agree_with_mathematics() {
    for width in [3u8, 4] {
        let modulus = 1i128 << width;
        let signed = |v: i128| Bits::new(v as u128, width as u32).signed(width as u32);
        for (sign, list) in [(Sign::Signed, "overflow"), (Sign::Unsigned, "unsigned-overflow")] {
            for op in [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div, BinOp::Rem, BinOp::Shl] {
                let found = checks_of(&operation(op, sign, width), list);
                for a in 0..modulus {
                    for b in 0..modulus {
                        let (x, y) = if sign == Sign::Signed { (signed(a), signed(b)) } else { (a, b) };
                        let exact = match op {
                            BinOp::Add => x + y,
                            BinOp::Sub => x - y,
                            BinOp::Mul => x * y,
                            BinOp::Div | BinOp::Rem if y == 0 => 0,
                            BinOp::Div | BinOp::Rem => x / y,
                            _ if b >= width as i128 => 0,
                            _ => x << b,
                        };
                        let (min, max) =
                            if sign == Sign::Signed { (-modulus / 2, modulus / 2 - 1) } else { (0, modulus - 1) };
                        let checked = sign == Sign::Signed || matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul);
                        let fine = !checked || min <= exact && exact <= max;
                        let ours = found.iter().all(|(_, cond, f)| holds(f, *cond, &[a as u128, b as u128]));
                        assert_eq!(ours, fine, "{op:?} {sign:?} {x} {y}");
                    }
                }
            }
        }
    }
}

#[test]
fn wide_overflow_conditions_work_without_wider_bits() {
    let (min, max) = (i128::MIN, i128::MAX);
    let samples = [min, min + 1, -2, -1, 0, 1, 2, max - 1, max, 1 << 63, 1 << 64, -(1 << 64), 3 << 62];
    for op in [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Shl] {
        let found = checks_of(&operation(op, Sign::Signed, 128), "overflow");
        for a in samples {
            for b in samples {
                let fine = match op {
                    BinOp::Add => a.checked_add(b).is_some(),
                    BinOp::Sub => a.checked_sub(b).is_some(),
                    BinOp::Mul => a.checked_mul(b).is_some(),
                    _ if !(0..128).contains(&b) => true,
                    _ => (a << b) >> b == a,
                };
                let ours = found.iter().all(|(_, cond, f)| holds(f, *cond, &[a as u128, b as u128]));
                assert_eq!(ours, fine, "{op:?} {a} {b}");
            }
        }
    }
}

#[test]
fn conversion_conditions_agree_with_mathematics() {
    for (from_bits, to_bits) in [(4u8, 3u8), (3, 3), (3, 4)] {
        for from in [Sign::Signed, Sign::Unsigned] {
            for to in [Sign::Signed, Sign::Unsigned] {
                let mut b = Body::new("f", &[("a", Ty::Int(from_bits))], Some(Ty::Int(to_bits)));
                let x = b.get(VarRef::Local(LocalVar(0)));
                let op = CastOp::Int { from, to, implicit: true };
                let result = b.push(ExprKind::Cast(op, x), Ty::Int(to_bits));
                b.ret(Loc(0), Some(result));
                let found = checks_of(&start(b.finish()), "conversion");
                for a in 0..1u128 << from_bits {
                    let read = |bits: Bits, sign, width: u8| match sign {
                        Sign::Signed => bits.signed(width as u32),
                        _ => bits.u128() as i128,
                    };
                    let value = Bits::new(a, from_bits as u32);
                    let result = fold::cast(op, Ty::Int(from_bits), Ty::Int(to_bits), value, &TARGET);
                    let fine = read(value, from, from_bits) == read(result, to, to_bits);
                    let ours = found.iter().all(|(_, cond, f)| holds(f, *cond, &[a]));
                    assert_eq!(ours, fine, "{from:?} {from_bits} {to:?} {to_bits} {a}");
                }
            }
        }
    }
}

#[test]
fn float_conversions_are_checked_at_the_edges() {
    let float = Ty::Float(crate::ty::FloatFormat::F64);
    let mut b = Body::new("f", &[("a", float)], Some(I32));
    let x = b.get(VarRef::Local(LocalVar(0)));
    let result = b.push(ExprKind::Cast(CastOp::FloatToInt(Sign::Signed), x), I32);
    b.ret(Loc(0), Some(result));
    let found = checks_of(&start(b.finish()), "conversion");
    let fine = |v: f64| found.iter().all(|(_, cond, f)| holds(f, *cond, &[v.to_bits() as u128]));
    assert!(fine(2147483647.9) && fine(-2147483648.9) && fine(0.0));
    assert!(!fine(2147483648.0) && !fine(-2147483649.0) && !fine(f64::NAN) && !fine(f64::INFINITY));
}

#[test]
fn guarded_divisions_are_checked_only_where_they_happen() {
    let mut b = Body::new("f", &[("a", I32), ("b", I32)], Some(Ty::BOOL));
    let (x, y) = (b.get(VarRef::Local(LocalVar(0))), b.get(VarRef::Local(LocalVar(1))));
    let zero = b.int(0);
    let guard = b.binary(BinOp::Ne, y, zero);
    let quotient = b.binary(BinOp::Div, x, y);
    let positive = b.binary(BinOp::Lt, zero, quotient);
    let both = b.push(ExprKind::And(guard, positive), Ty::BOOL);
    b.ret(Loc(0), Some(both));
    let found = checks_of(&start(b.finish()), "div-by-zero");
    assert_eq!(found.len(), 1);
    assert!(holds(&found[0].2, found[0].1, &[5, 0]) && holds(&found[0].2, found[0].1, &[5, 1]));
}

#[test]
fn a_branch_is_checked_once_before_both_sides() {
    let mut b = Body::new("f", &[("a", I32), ("b", I32)], None);
    let (x, y) = (b.get(VarRef::Local(LocalVar(0))), b.get(VarRef::Local(LocalVar(1))));
    let quotient = b.binary(BinOp::Div, x, y);
    let cond = b.binary(BinOp::Lt, quotient, y);
    let (yes, no) = (b.loc(), b.loc());
    b.branch(Loc(0), cond, yes, no);
    b.ret(yes, None);
    b.ret(no, None);
    assert_eq!(checks_of(&start(b.finish()), "div-by-zero").len(), 1);
}

#[test]
fn bounds_of_named_objects_are_arithmetic() {
    let mut b = Body::new("f", &[("i", Ty::Int(64))], None);
    let a = b.object("a", 40);
    let i = b.get(VarRef::Local(LocalVar(0)));
    let four = b.make().int(4, 64);
    let scaled = b.push(ExprKind::Binary(BinOp::Mul, Sign::Plain, i, four), Ty::Int(64));
    let (base, fixed) = (b.addr(a, 0), b.addr(a, 36));
    let element = b.make().ptr_add(base, scaled);
    let one = b.int(1);
    let at = b.store(Loc(0), element, one);
    let at = b.store(at, fixed, one);
    b.ret(at, None);
    let found = checks_of(&start(b.finish()), "bounds,pointer");
    assert!(found.iter().all(|(kind, ..)| *kind == CheckKind::Bounds));
    let fine = |i: u64| found.iter().all(|(_, cond, f)| holds(f, *cond, &[i as u128]));
    // The last one is 4 when scaled and cut to 64 bits.
    assert!(fine(9) && !fine(10) && !fine(u64::MAX) && !fine((1 << 62) + 1));
}

#[test]
fn pointers_are_checked_against_their_base() {
    let mut b = Body::new("f", &[("p", Ty::Ptr)], Some(I32));
    let p = b.get(VarRef::Local(LocalVar(0)));
    let field = b.make().field(p, 8);
    let value = b.load(field, I32);
    b.ret(Loc(0), Some(value));
    let program = start(b.finish());
    let found = checks_of(&program, "pointer");
    assert_eq!(found.len(), 1);
    assert!(
        matches!(found[0].2.exprs.kind(found[0].1), ExprKind::InBounds { base, addr, .. } if base == p && addr == field)
    );
    assert!(checks_of(&program, "bounds").is_empty());
}

#[test]
fn shifts_see_the_count_that_the_user_made() {
    let mut b = Body::new("f", &[("a", I32), ("n", Ty::Int(64))], Some(I32));
    let (a, n) = (b.get(VarRef::Local(LocalVar(0))), b.get(VarRef::Local(LocalVar(1))));
    let narrow = CastOp::Int { from: Sign::Signed, to: Sign::Signed, implicit: false };
    let count = b.push(ExprKind::Cast(narrow, n), I32);
    let shifted = b.push(ExprKind::Binary(BinOp::Shr, Sign::Signed, a, count), I32);
    b.ret(Loc(0), Some(shifted));
    let found = checks_of(&start(b.finish()), "shift");
    let fine = |n: i64| found.iter().all(|(_, cond, f)| holds(f, *cond, &[1, n as u64 as u128]));
    assert!(fine(31) && !fine(32) && !fine(-1) && fine((1 << 32) + 1));
}

#[test]
fn fresh_nans_are_found() {
    let float = Ty::Float(crate::ty::FloatFormat::F64);
    let mut b = Body::new("f", &[("a", float), ("b", float)], Some(float));
    let (x, y) = (b.get(VarRef::Local(LocalVar(0))), b.get(VarRef::Local(LocalVar(1))));
    let quotient = b.push(ExprKind::Binary(BinOp::Div, Sign::Plain, x, y), float);
    b.ret(Loc(0), Some(quotient));
    let found = checks_of(&start(b.finish()), "float-nan");
    let fine =
        |x: f64, y: f64| found.iter().all(|(_, cond, f)| holds(f, *cond, &[x.to_bits() as u128, y.to_bits() as u128]));
    assert!(fine(1.0, 0.0) && fine(f64::NAN, 1.0) && !fine(0.0, 0.0) && !fine(f64::INFINITY, f64::INFINITY));
}

#[test]
fn error_functions_and_assertions_become_checks() {
    let mut main = Body::new("start", &[], None);
    let flag = main.var("flag", I32);
    let v = main.get(flag);
    let at = main.call(Loc(0), None, FuncId(1), vec![v]);
    let at = main.call(at, None, FuncId(2), vec![]);
    main.ret(at, None);
    let mut assert = Body::new("__VERIFIER_assert", &[("c", I32)], None);
    assert.ret(Loc(0), None);
    assert.parts.has_body = false;
    let mut error = Body::new("reach_error", &[], None);
    error.ret(Loc(0), None);
    let program = sample::program(vec![main.finish(), assert.finish(), error.finish()]);
    let kinds = |set: &PropertySet| {
        let result = instrument(&program, set);
        let edges = result.function(FuncId(0)).edges.clone();
        edges
            .iter()
            .filter_map(|e| if let Op::Check { check, .. } = e.op { Some(result.check(check).kind) } else { None })
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(&PropertySet::default()), [CheckKind::Assertion, CheckKind::ErrorCall]);
    let file = prp::parse("CHECK( init(main()), LTL(G ! call(reach_error())) )").unwrap();
    assert_eq!(kinds(&PropertySet::from_properties(&file.properties)), [CheckKind::ErrorCall]);
    assert!(kinds(&PropertySet::none()).is_empty());
}

#[test]
fn negation_and_labels() {
    let mut b = Body::new("f", &[("a", I32)], Some(I32));
    let x = b.get(VarRef::Local(LocalVar(0)));
    let minus = b.push(ExprKind::Unary(UnOp::Neg, Sign::Signed, x), I32);
    b.parts.labels.push(("ERROR".into(), Loc(0)));
    b.ret(Loc(0), Some(minus));
    let program = start(b.finish());
    let found = checks_of(&program, "overflow");
    assert!(!holds(&found[0].2, found[0].1, &[0x8000_0000]) && holds(&found[0].2, found[0].1, &[7]));
    let set = PropertySet { error_labels: vec!["ERROR".into()], ..PropertySet::none() };
    let result = instrument(&program, &set);
    let first = result.function(FuncId(1)).out_edges(Loc(0)).next().unwrap();
    assert!(matches!(result.function(FuncId(1)).edge(first).op, Op::Check { .. }));
}
