//! Law: what the compiled code computes is what the scalar semantics says, for every operator, width and shape of
//! operands, whether as a value or as a branch.

mod support;

use plumb_c::target::{FloatFormat, Target};
use plumb_exec::{FaultKind, Image, Limits, Machine, Outcome, Rng, ZeroInputs};
use plumb_ir::expr::{BinOp, CastOp, ExprId, ExprKind, Sign, UnOp};
use plumb_ir::fold;
use plumb_ir::program::FuncId;
use plumb_ir::ty::{Bits, Ty};
use std::sync::Arc;
use support::*;

const WIDTHS: [u8; 14] = [1, 5, 8, 13, 16, 24, 31, 32, 33, 48, 63, 64, 80, 128];
const FLOATS: [FloatFormat; 3] = [FloatFormat::F32, FloatFormat::F64, FloatFormat::X87];

/// Values that lean to edges: zero, ones, the sign bit, small and arbitrary numbers.
fn sample(rng: &mut Rng, ty: Ty, target: &Target) -> Bits {
    if let Ty::Float(format) = ty {
        let value = match rng.below(10) {
            0 => 0.0,
            1 => -0.0,
            2 => f64::INFINITY,
            3 => f64::NAN,
            4 => 1e300,
            5 => rng.below(100) as f64 - 50.0,
            6 => 2147483648.0 * (rng.below(3) as f64 - 1.0),
            7 => f64::from_bits(rng.next()),
            _ => (rng.next() as i64 as f64) / 1e17,
        };
        return plumb_exec::float_bits(value, format);
    }
    let bits = ty.bits(target);
    let wide = rng.next() as u128 | (rng.next() as u128) << 64;
    let value = match rng.below(8) {
        0 => 0,
        1 => u128::MAX,
        2 => 1 << (bits - 1),
        3 => (1 << (bits - 1)) - 1,
        4 => wide % 40,
        5 => (wide % 40).wrapping_neg(),
        _ => wide,
    };
    Bits::new(value, bits)
}

fn is_nan(bits: Bits, ty: Ty) -> bool {
    matches!(ty, Ty::Float(format) if !fold::unary(UnOp::IsNan, Ty::Float(format), bits, &Target::LP64).is_zero())
}

/// A function of two parameters whose body is an expression; the second result is of a branch on it, for truth values.
struct Case {
    image: Arc<Image>,
    ty: Ty,
}

impl Case {
    fn new(target: Target, a: Ty, b: Ty, make: impl Fn(&mut Body, ExprId, ExprId) -> ExprId) -> Case {
        let mut body = Body::new("value", &[a, b], None);
        let (x, y) = (body.param(0), body.param(1));
        let value = make(&mut body, x, y);
        let ty = body.parts.exprs.ty(value);
        body.parts.ret = Some(ty);
        body.ret(Some(value));
        let mut functions = vec![body.finish()];
        if ty == Ty::BOOL {
            let mut body = Body::new("branch", &[a, b], Some(Ty::BOOL));
            let (x, y) = (body.param(0), body.param(1));
            let cond = make(&mut body, x, y);
            let (yes, no) = (body.loc(), body.loc());
            body.branch(cond, yes, no);
            for (loc, value) in [(yes, 1), (no, 0)] {
                body.at = loc;
                let value = body.int(value, 1);
                body.ret(Some(value));
            }
            functions.push(body.finish());
        }
        Case { image: image(&program(target, functions)), ty }
    }

    fn check(&self, args: [Bits; 2], expected: Outcome, what: &str) {
        for i in 0..self.image.program().functions.len() as u32 {
            let mut machine = Machine::at_function(self.image.clone(), FuncId(i), &args);
            let outcome = machine.run(&mut ZeroInputs, Limits::default());
            let same = match (&outcome, &expected) {
                (Outcome::Returned(Some(a)), Outcome::Returned(Some(b))) => {
                    a == b || is_nan(*a, self.ty) && is_nan(*b, self.ty)
                }
                (Outcome::Fault { kind: a, .. }, Outcome::Fault { kind: b, .. }) => a == b,
                (a, b) => a == b,
            };
            assert!(same, "{what} on {args:?}: {outcome:?}, expected {expected:?}\n{}", self.image.listing(FuncId(i)));
        }
    }
}

fn fault(kind: FaultKind) -> Outcome {
    let site = plumb_exec::Site { func: FuncId(0), edge: plumb_ir::program::EdgeId(0), loc: plumb_ir::program::Loc(0) };
    Outcome::Fault { kind, site }
}

fn binary_case(rng: &mut Rng, target: Target, op: BinOp, sign: Sign, ty: Ty) {
    let registers = Case::new(target, ty, ty, |body, a, b| body.binary(op, sign, a, b));
    let is_shift = matches!(op, BinOp::Shl | BinOp::Shr);
    let expect = |a: Bits, b: Bits| {
        let divides = matches!(op, BinOp::Div | BinOp::Rem) && !ty.is_float();
        if divides && b.is_zero() {
            fault(FaultKind::DivisionByZero)
        } else if divides && fold::quotient_overflows(sign, ty.bits(&target), a, b) {
            fault(FaultKind::DivisionOverflow)
        } else if is_shift && sign != Sign::Plain && b.u128() >= ty.bits(&target) as u128 {
            fault(FaultKind::ShiftCount)
        } else {
            Outcome::Returned(Some(fold::binary(op, sign, ty, a, b, &target)))
        }
    };
    let what = format!("{op:?} {sign:?} {ty}");
    for _ in 0..20 {
        let (a, b) = (sample(rng, ty, &target), sample(rng, ty, &target));
        registers.check([a, b], expect(a, b), &what);
        registers.check([a, a], expect(a, a), &what);
    }
    for _ in 0..6 {
        let constant = sample(rng, ty, &target);
        let right = Case::new(target, ty, ty, |body, a, _| {
            let c = body.push(ExprKind::Const(constant), ty);
            body.binary(op, sign, a, c)
        });
        let left = Case::new(target, ty, ty, |body, a, _| {
            let c = body.push(ExprKind::Const(constant), ty);
            body.binary(op, sign, c, a)
        });
        for _ in 0..6 {
            let a = sample(rng, ty, &target);
            right.check([a, a], expect(a, constant), &format!("{what} constant {constant:?}"));
            left.check([a, a], expect(constant, a), &format!("constant {constant:?} {what}"));
        }
    }
}

#[test]
fn integer_operators() {
    let mut rng = Rng(1);
    let ops = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
        BinOp::Rem,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Shl,
        BinOp::Shr,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::Lt,
        BinOp::Le,
    ];
    for width in WIDTHS {
        for op in ops {
            for sign in [Sign::Signed, Sign::Unsigned, Sign::Plain] {
                binary_case(&mut rng, Target::LP64, op, sign, Ty::Int(width));
            }
        }
    }
    for op in [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le] {
        for target in [Target::LP64, Target::ILP32, Target::AVR] {
            binary_case(&mut rng, target, op, Sign::Unsigned, Ty::Ptr);
        }
    }
}

#[test]
fn float_operators() {
    let mut rng = Rng(2);
    let ops = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
        BinOp::Rem,
        BinOp::IeeeRem,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::Lt,
        BinOp::Le,
        BinOp::Min,
        BinOp::Max,
        BinOp::Copysign,
    ];
    for format in FLOATS {
        for op in ops {
            binary_case(&mut rng, Target::LP64, op, Sign::Plain, Ty::Float(format));
        }
    }
}

#[test]
fn unary_operators() {
    let mut rng = Rng(3);
    let target = Target::LP64;
    let check = |rng: &mut Rng, op: UnOp, ty: Ty, to: Ty| {
        let case = Case::new(target, ty, ty, |body, a, _| body.push(ExprKind::Unary(op, Sign::Plain, a), to));
        for _ in 0..30 {
            let a = sample(rng, ty, &target);
            case.check([a, a], Outcome::Returned(Some(fold::unary(op, ty, a, &target))), &format!("{op:?} {ty}"));
        }
    };
    for width in WIDTHS {
        for op in [UnOp::Neg, UnOp::Not, UnOp::Clz, UnOp::Ctz, UnOp::Popcount, UnOp::Bswap] {
            check(&mut rng, op, Ty::Int(width), Ty::Int(width));
        }
    }
    for format in FLOATS {
        let ty = Ty::Float(format);
        for op in [UnOp::Neg, UnOp::Abs, UnOp::Sqrt, UnOp::Floor, UnOp::Ceil, UnOp::Trunc, UnOp::Round, UnOp::Rint] {
            check(&mut rng, op, ty, ty);
        }
        for op in [UnOp::IsNan, UnOp::IsInf, UnOp::IsNormal, UnOp::IsNegative] {
            check(&mut rng, op, ty, Ty::BOOL);
        }
    }
}

#[test]
fn conversions() {
    let mut rng = Rng(4);
    let check = |rng: &mut Rng, target: Target, op: CastOp, from: Ty, to: Ty| {
        let case = Case::new(target, from, from, |body, a, _| body.push(ExprKind::Cast(op, a), to));
        for _ in 0..15 {
            let a = sample(rng, from, &target);
            let expected = fold::cast(op, from, to, a, &target);
            case.check([a, a], Outcome::Returned(Some(expected)), &format!("{op:?} {from} to {to}"));
        }
    };
    for sign in [Sign::Signed, Sign::Unsigned] {
        for from in WIDTHS.map(Ty::Int) {
            for to in WIDTHS.map(Ty::Int) {
                check(&mut rng, Target::LP64, CastOp::Int { from: sign, to: sign, implicit: false }, from, to);
            }
            for format in FLOATS {
                check(&mut rng, Target::LP64, CastOp::IntToFloat(sign), from, Ty::Float(format));
                check(&mut rng, Target::LP64, CastOp::FloatToInt(sign), Ty::Float(format), from);
            }
        }
    }
    for from in FLOATS {
        for to in FLOATS {
            check(&mut rng, Target::LP64, CastOp::FloatToFloat, Ty::Float(from), Ty::Float(to));
        }
    }
    for target in [Target::LP64, Target::ILP32, Target::AVR] {
        for width in WIDTHS {
            check(&mut rng, target, CastOp::IntToPtr, Ty::Int(width), Ty::Ptr);
            check(&mut rng, target, CastOp::PtrToInt, Ty::Ptr, Ty::Int(width));
        }
    }
    check(&mut rng, Target::LP64, CastOp::Reinterpret, Ty::Float(FloatFormat::F64), Ty::Int(64));
    check(&mut rng, Target::LP64, CastOp::Reinterpret, Ty::Int(32), Ty::Float(FloatFormat::F32));
    check(&mut rng, Target::LP64, CastOp::Reinterpret, Ty::Float(FloatFormat::X87), Ty::Int(80));
}

#[test]
fn parts_of_integers() {
    let mut rng = Rng(5);
    let target = Target::LP64;
    for base in [8u8, 16, 32, 64, 80, 128] {
        for _ in 0..12 {
            let width = 1 + rng.below(base as u64) as u8;
            let lo = rng.below((base - width) as u64 + 1) as u8;
            let (whole, part) = (Ty::Int(base), Ty::Int(width));
            let extract =
                Case::new(target, whole, part, |body, a, _| body.push(ExprKind::Extract { value: a, lo }, part));
            let insert = Case::new(target, whole, part, |body, a, b| {
                body.push(ExprKind::Insert { base: a, value: b, lo }, whole)
            });
            for _ in 0..10 {
                let (a, b) = (sample(&mut rng, whole, &target), sample(&mut rng, part, &target));
                let expected = fold::extract(a, lo, width as u32);
                extract.check([a, b], Outcome::Returned(Some(expected)), &format!("extract {lo}+{width} of {base}"));
                let expected = Bits::new(fold::insert(a, b, lo, width as u32).u128(), base as u32);
                insert.check([a, b], Outcome::Returned(Some(expected)), &format!("insert {lo}+{width} of {base}"));
            }
        }
    }
}

/// Random expressions over two parameters, with shared and lazily evaluated parts, against a direct evaluation.
#[test]
fn random_expressions() {
    let mut rng = Rng(6);
    for round in 0..300 {
        let ty = Ty::Int(*[8u8, 16, 32, 64].get(rng.below(4) as usize).unwrap_or(&32));
        let mut body = Body::new("value", &[ty, ty], Some(ty));
        let mut values = vec![body.param(0), body.param(1)];
        let mut truths = vec![body.int(rng.below(2) as i128, 1)];
        for _ in 0..rng.below(40) + 2 {
            let pick = |rng: &mut Rng, list: &[ExprId]| list[rng.below(list.len() as u64) as usize];
            let (a, b) = (pick(&mut rng, &values), pick(&mut rng, &values));
            let (c, d) = (pick(&mut rng, &truths), pick(&mut rng, &truths));
            let sign = if rng.below(2) == 0 { Sign::Signed } else { Sign::Unsigned };
            match rng.below(12) {
                0 => values.push(body.push(ExprKind::Ite(c, a, b), ty)),
                1 => truths.push(body.push(ExprKind::And(c, d), Ty::BOOL)),
                2 => truths.push(body.push(ExprKind::Or(c, d), Ty::BOOL)),
                3 => truths.push(body.binary(BinOp::Lt, sign, a, b)),
                4 => truths.push(body.binary(BinOp::Eq, sign, a, b)),
                5 => truths.push(body.not(c)),
                6 => {
                    let constant = sample(&mut rng, ty, &Target::LP64);
                    values.push(body.push(ExprKind::Const(constant), ty));
                }
                7 => {
                    // A division that is guarded, as lowering guards what it must not evaluate.
                    let zero = body.push(ExprKind::Const(Bits::ZERO), ty);
                    let is_zero = body.binary(BinOp::Eq, sign, b, zero);
                    let minus_one = body.push(ExprKind::Const(Bits::new(u128::MAX, ty.bits(&Target::LP64))), ty);
                    let is_minus_one = body.binary(BinOp::Eq, sign, b, minus_one);
                    let has_none = body.push(ExprKind::Or(is_zero, is_minus_one), Ty::BOOL);
                    let quotient = body.binary(BinOp::Div, sign, a, b);
                    values.push(body.push(ExprKind::Ite(has_none, a, quotient), ty));
                }
                8 => {
                    let wide = body.cast(sign, a, 128);
                    let Ty::Int(bits) = ty else { continue };
                    values.push(body.cast(sign, wide, bits));
                }
                9 => {
                    // So are shifts.
                    let Ty::Int(bits) = ty else { continue };
                    let width = body.push(ExprKind::Const(Bits::new(bits as u128, bits as u32)), ty);
                    let fits = body.binary(BinOp::Lt, Sign::Unsigned, b, width);
                    let op = if rng.below(2) == 0 { BinOp::Shl } else { BinOp::Shr };
                    let shifted = body.binary(op, sign, a, b);
                    values.push(body.push(ExprKind::Ite(fits, shifted, a), ty));
                }
                _ => {
                    let op = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Xor];
                    values.push(body.binary(op[rng.below(4) as usize], sign, a, b));
                }
            }
        }
        let last = values[values.len() - 1];
        let exprs = body.parts.exprs.clone();
        body.ret(Some(last));
        let program = program(Target::LP64, vec![body.finish()]);
        let image = image(&program);
        for _ in 0..10 {
            let args = [sample(&mut rng, ty, &Target::LP64), sample(&mut rng, ty, &Target::LP64)];
            let outcome = Machine::at_function(image.clone(), FuncId(0), &args).run(&mut ZeroInputs, Limits::default());
            let expected = evaluate(&exprs, last, &args);
            assert_eq!(outcome, Outcome::Returned(Some(expected)), "round {round}\n{}", image.listing(FuncId(0)));
        }
    }
}

fn evaluate(exprs: &plumb_ir::expr::Exprs, id: ExprId, args: &[Bits]) -> Bits {
    let value = |id| evaluate(exprs, id, args);
    let target = &Target::LP64;
    match exprs.kind(id) {
        ExprKind::Const(bits) => bits,
        ExprKind::Var(plumb_ir::program::VarRef::Local(var)) => args[var.0 as usize],
        ExprKind::Unary(op, _, a) => fold::unary(op, exprs.ty(a), value(a), target),
        ExprKind::Binary(op, sign, a, b) => fold::binary(op, sign, exprs.ty(a), value(a), value(b), target),
        ExprKind::Cast(op, a) => fold::cast(op, exprs.ty(a), exprs.ty(id), value(a), target),
        ExprKind::Ite(c, a, b) => value(if value(c).is_zero() { b } else { a }),
        ExprKind::And(a, b) => Bits::bool(!value(a).is_zero() && !value(b).is_zero()),
        ExprKind::Or(a, b) => Bits::bool(!value(a).is_zero() || !value(b).is_zero()),
        other => panic!("not made by the generator: {other:?}"),
    }
}
