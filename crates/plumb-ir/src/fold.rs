//! The scalar semantics of the IR: what every operator computes on bit patterns.
//!
//! All functions are total: they never panic and return a value whose bits above the result type are zero. Where C leaves
//! a result undefined they follow the comments in [`crate::expr`], so that the concrete machine, the constant folder and
//! the symbolic semantics can be compared bit for bit. Floats are in [`crate::fold_float`].

use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Exprs, Sign, UnOp};
use crate::fold_float as float;
use crate::program::{FuncId, ObjRef, VarRef};
use crate::ty::{Bits, FloatFormat, Ty};
use plumb_c::target::Target;
use std::cmp::Ordering;

/// The value of a unary operator on an operand of type `ty`.
pub fn unary(op: UnOp, ty: Ty, a: Bits, target: &Target) -> Bits {
    if let Ty::Float(format) = ty {
        return float::unary(op, format, a);
    }
    let width = ty.bits(target);
    let value = a.u128();
    let result = match op {
        UnOp::Neg => value.wrapping_neg(),
        UnOp::Not => !value,
        UnOp::Clz => (value.leading_zeros() - (128 - width)) as u128,
        UnOp::Ctz => value.trailing_zeros().min(width) as u128,
        UnOp::Popcount => value.count_ones() as u128,
        UnOp::Bswap => value.swap_bytes() >> (128 - width),
        // Float operators mean nothing on integers, which are their own rounding and never NaN.
        UnOp::Abs | UnOp::Sqrt | UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round | UnOp::Rint => value,
        UnOp::IsNan | UnOp::IsInf | UnOp::IsNormal | UnOp::IsNegative => 0,
    };
    Bits::new(result, width)
}

/// The value of a binary operator on operands of type `ty`.
pub fn binary(op: BinOp, sign: Sign, ty: Ty, a: Bits, b: Bits, target: &Target) -> Bits {
    if let Ty::Float(format) = ty {
        return float::binary(op, format, a, b);
    }
    let width = ty.bits(target);
    let (x, y) = (a.u128(), b.u128());
    let signed = sign == Sign::Signed;
    let result = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div if signed => divide_signed(a.signed(width), b.signed(width)) as u128,
        BinOp::Div => x.checked_div(y).unwrap_or(u128::MAX),
        BinOp::Rem if signed => {
            let (x, y) = (a.signed(width), b.signed(width));
            if y == 0 { x as u128 } else { x.wrapping_rem(y) as u128 }
        }
        BinOp::Rem | BinOp::IeeeRem => x.checked_rem(y).unwrap_or(x),
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl => {
            if y < width as u128 {
                x << y
            } else {
                0
            }
        }
        BinOp::Shr if signed => (a.signed(width) >> y.min(width as u128 - 1)) as u128,
        BinOp::Shr => {
            if y < width as u128 {
                x >> y
            } else {
                0
            }
        }
        BinOp::Eq => return Bits::bool(x == y),
        BinOp::Ne => return Bits::bool(x != y),
        BinOp::Lt => return Bits::bool(order(a, b, signed, width) == Ordering::Less),
        BinOp::Le => return Bits::bool(order(a, b, signed, width) != Ordering::Greater),
        BinOp::Min => {
            if order(a, b, signed, width) == Ordering::Less {
                x
            } else {
                y
            }
        }
        BinOp::Max => {
            if order(a, b, signed, width) == Ordering::Greater {
                x
            } else {
                y
            }
        }
        BinOp::Copysign => x,
    };
    Bits::new(result, width)
}

/// The quotient of two integers of `width` bits is out of range: the smallest signed number by -1.
pub fn quotient_overflows(sign: Sign, width: u32, a: Bits, b: Bits) -> bool {
    sign == Sign::Signed && b.signed(width) == -1 && a.signed(width) == i128::MIN >> (128 - width)
}

/// SMT-LIB's `bvsdiv`: by zero it is -1 for what is not negative, 1 for the rest.
fn divide_signed(x: i128, y: i128) -> i128 {
    match y {
        0 => {
            if x < 0 {
                1
            } else {
                -1
            }
        }
        _ => x.wrapping_div(y),
    }
}

fn order(a: Bits, b: Bits, signed: bool, width: u32) -> Ordering {
    if signed { a.signed(width).cmp(&b.signed(width)) } else { a.u128().cmp(&b.u128()) }
}

/// The value of a conversion.
pub fn cast(op: CastOp, from: Ty, to: Ty, a: Bits, target: &Target) -> Bits {
    let width = to.bits(target);
    match op {
        CastOp::Int { from: Sign::Signed, .. } => Bits::new(a.signed(from.bits(target)) as u128, width),
        CastOp::Int { from: Sign::Unsigned | Sign::Plain, .. }
        | CastOp::PtrToInt
        | CastOp::IntToPtr
        | CastOp::Reinterpret => Bits::new(a.u128(), width),
        CastOp::IntToFloat(sign) => match to {
            Ty::Float(format) if sign == Sign::Signed => float::from_signed(format, a.signed(from.bits(target))),
            Ty::Float(format) => float::from_unsigned(format, a.u128()),
            Ty::Int(_) | Ty::Ptr => Bits::new(a.u128(), width),
        },
        CastOp::FloatToInt(sign) => match from {
            Ty::Float(format) => Bits::new(float::to_int(format, a, sign == Sign::Signed, width), width),
            Ty::Int(_) | Ty::Ptr => Bits::new(a.u128(), width),
        },
        CastOp::FloatToFloat => match (from, to) {
            (Ty::Float(from), Ty::Float(to)) => float::convert(from, to, a),
            _ => Bits::new(a.u128(), width),
        },
    }
}

/// `width` bits of a value, from bit `lo` on; bits beyond the value are zero.
pub fn extract(value: Bits, lo: u8, width: u32) -> Bits {
    Bits::new(value.u128().checked_shr(lo as u32).unwrap_or(0), width)
}

/// `base` with `value_width` bits from bit `lo` on replaced.
pub fn insert(base: Bits, value: Bits, lo: u8, value_width: u32) -> Bits {
    let place = |bits: u128| bits.checked_shl(lo as u32).unwrap_or(0);
    let hole = place(u128::MAX >> (128 - value_width));
    Bits::new(base.u128() & !hole | place(value.u128()) & hole, 128)
}

/// `a * b + c`, rounded once.
pub fn fma(format: FloatFormat, a: Bits, b: Bits, c: Bits) -> Bits {
    float::fma(format, a, b, c)
}

/// What an expression's value depends on besides constants.
#[derive(Clone, Copy, Debug)]
pub enum Leaf {
    Var(VarRef),
    Addr(ObjRef),
    Function(FuncId),
    /// What memory holds at an address.
    Load(Bits, Ty),
}

/// The value of an expression that depends on nothing but constants, as far as operators that skip an operand allow it.
pub fn constant(exprs: &Exprs, id: ExprId, target: &Target) -> Option<Bits> {
    evaluate(exprs, id, target, &mut |_| None)
}

/// The value of an expression whose leaves somebody knows, or those of them that it depends on. Questions about memory have
/// none.
pub fn evaluate(
    exprs: &Exprs,
    id: ExprId,
    target: &Target,
    leaf: &mut dyn FnMut(Leaf) -> Option<Bits>,
) -> Option<Bits> {
    let ty = exprs.ty(id);
    let mut value = |id| evaluate(exprs, id, target, leaf);
    match exprs.kind(id) {
        ExprKind::Const(bits) => Some(bits),
        ExprKind::Unary(op, _, a) => Some(unary(op, exprs.ty(a), value(a)?, target)),
        ExprKind::Binary(op, sign, a, b) => {
            let a_value = value(a)?;
            Some(binary(op, sign, exprs.ty(a), a_value, value(b)?, target))
        }
        ExprKind::Cast(op, a) => Some(cast(op, exprs.ty(a), ty, value(a)?, target)),
        ExprKind::Ite(c, a, b) => {
            let chosen = if value(c)?.is_zero() { b } else { a };
            value(chosen)
        }
        ExprKind::And(a, b) => match (value(a), value(b)) {
            (Some(Bits::ZERO), _) | (_, Some(Bits::ZERO)) => Some(Bits::ZERO),
            (Some(_), Some(_)) => Some(Bits::ONE),
            (None, _) | (_, None) => None,
        },
        ExprKind::Or(a, b) => match (value(a), value(b)) {
            (Some(Bits::ONE), _) | (_, Some(Bits::ONE)) => Some(Bits::ONE),
            (Some(_), Some(_)) => Some(Bits::ZERO),
            (None, _) | (_, None) => None,
        },
        ExprKind::PtrAdd(a, b) => {
            let a = value(a)?;
            Some(binary(BinOp::Add, Sign::Plain, ty, a, value(b)?, target))
        }
        ExprKind::PtrDiff(a, b) => {
            let a = value(a)?;
            Some(binary(BinOp::Sub, Sign::Plain, ty, a, value(b)?, target))
        }
        ExprKind::Extract { value: a, lo } => Some(extract(value(a)?, lo, ty.bits(target))),
        ExprKind::Insert { base, value: part, lo } => {
            let base = value(base)?;
            Some(insert(base, value(part)?, lo, exprs.ty(part).bits(target)))
        }
        ExprKind::Fma(a, b, c) => match ty {
            Ty::Float(format) => {
                let (a, b) = (value(a)?, value(b)?);
                Some(fma(format, a, b, value(c)?))
            }
            Ty::Int(_) | Ty::Ptr => None,
        },
        ExprKind::Load(addr) => {
            let addr = value(addr)?;
            leaf(Leaf::Load(addr, ty))
        }
        ExprKind::Var(var) => leaf(Leaf::Var(var)),
        ExprKind::Addr(object) => leaf(Leaf::Addr(object)),
        ExprKind::FuncAddr(func) => leaf(Leaf::Function(func)),
        ExprKind::InBounds { .. }
        | ExprKind::Callable { .. }
        | ExprKind::Freeable(_)
        | ExprKind::IsLive(_)
        | ExprKind::SameObject(..)
        | ExprKind::BytesLeft(_)
        | ExprKind::ObjectOffset(_)
        | ExprKind::NoLeak(_)
        | ExprKind::HeapEmpty => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::LeakRoots;

    const TARGET: &Target = &Target::LP64;

    fn bin(op: BinOp, sign: Sign, width: u8, a: i128, b: i128) -> Bits {
        let bits = |v: i128| Bits::new(v as u128, width as u32);
        binary(op, sign, Ty::Int(width), bits(a), bits(b), TARGET)
    }

    /// Every pair of operands of the small widths, against arithmetic on mathematical integers.
    #[test]
    fn integers_agree_with_mathematics_on_small_widths() {
        for width in 1..=6u8 {
            let modulus = 1i128 << width;
            let wrap = |v: i128| Bits::new(v as u128, width as u32);
            for a in 0..modulus {
                for b in 0..modulus {
                    let (sa, sb) = (wrap(a).signed(width as u32), wrap(b).signed(width as u32));
                    for (sign, x, y) in [(Sign::Unsigned, a, b), (Sign::Signed, sa, sb)] {
                        let all_ones = if sign == Sign::Signed && x < 0 { 1 } else { -1 };
                        let quotient = if y == 0 { all_ones } else { x / y };
                        let shifted = if b < width as i128 { x >> b } else { x >> (width as i128 - 1).max(b.min(100)) };
                        let expected = [
                            (BinOp::Add, wrap(x + y)),
                            (BinOp::Sub, wrap(x - y)),
                            (BinOp::Mul, wrap(x * y)),
                            (BinOp::Div, wrap(quotient)),
                            (BinOp::Rem, wrap(if y == 0 { x } else { x % y })),
                            (BinOp::And, wrap(x & y)),
                            (BinOp::Or, wrap(x | y)),
                            (BinOp::Xor, wrap(x ^ y)),
                            (BinOp::Shl, wrap(if b < width as i128 { x << b } else { 0 })),
                            (BinOp::Shr, wrap(shifted)),
                            (BinOp::Eq, Bits::bool(x == y)),
                            (BinOp::Ne, Bits::bool(x != y)),
                            (BinOp::Lt, Bits::bool(x < y)),
                            (BinOp::Le, Bits::bool(x <= y)),
                        ];
                        for (op, value) in expected {
                            assert_eq!(bin(op, sign, width, a, b), value, "{op:?} {sign:?} i{width} {a} {b}");
                        }
                    }
                }
                let count = |f: fn(u128) -> u32| f(a as u128) as i128;
                assert_eq!(unary(UnOp::Neg, Ty::Int(width), wrap(a), TARGET), wrap(-a));
                assert_eq!(unary(UnOp::Not, Ty::Int(width), wrap(a), TARGET), wrap(!a));
                assert_eq!(unary(UnOp::Popcount, Ty::Int(width), wrap(a), TARGET), wrap(count(u128::count_ones)));
                let clz = (0..width).rev().take_while(|&i| a >> i & 1 == 0).count() as i128;
                let ctz = (0..width).take_while(|&i| a >> i & 1 == 0).count() as i128;
                assert_eq!(unary(UnOp::Clz, Ty::Int(width), wrap(a), TARGET), wrap(clz));
                assert_eq!(unary(UnOp::Ctz, Ty::Int(width), wrap(a), TARGET), wrap(ctz));
            }
        }
    }

    #[test]
    fn the_edges_of_128_bits() {
        let min = i128::MIN;
        assert_eq!(bin(BinOp::Div, Sign::Signed, 128, min, -1).u128() as i128, min);
        assert_eq!(bin(BinOp::Rem, Sign::Signed, 128, min, -1), Bits::ZERO);
        assert_eq!(bin(BinOp::Shl, Sign::Plain, 128, 1, 127).u128(), 1 << 127);
        assert_eq!(bin(BinOp::Shl, Sign::Plain, 128, 1, 128), Bits::ZERO);
        assert_eq!(bin(BinOp::Shr, Sign::Signed, 128, min, 1000).u128(), u128::MAX);
        assert_eq!(bin(BinOp::Lt, Sign::Unsigned, 128, min, 5), Bits::ZERO);
        assert_eq!(unary(UnOp::Bswap, Ty::Int(32), Bits::new(0x11223344, 32), TARGET).u128(), 0x44332211);
    }

    #[test]
    fn conversions_extend_by_the_source_sign() {
        let int = |from| CastOp::Int { from, to: Sign::Signed, implicit: false };
        let minus_one = Bits::new(0xff, 8);
        assert_eq!(cast(int(Sign::Signed), Ty::Int(8), Ty::Int(32), minus_one, TARGET).u128(), 0xffff_ffff);
        assert_eq!(cast(int(Sign::Unsigned), Ty::Int(8), Ty::Int(32), minus_one, TARGET).u128(), 0xff);
        assert_eq!(cast(int(Sign::Signed), Ty::Int(32), Ty::Int(8), Bits::new(0x1234, 32), TARGET).u128(), 0x34);
    }

    #[test]
    fn parts_of_integers() {
        let value = Bits::new(0xabcd_ef01, 32);
        assert_eq!(extract(value, 8, 12).u128(), 0xdef);
        assert_eq!(insert(value, Bits::new(0x5, 4), 28, 4).u128(), 0x5bcd_ef01);
        assert_eq!(insert(value, Bits::new(0x77, 8), 0, 8).u128(), 0xabcd_ef77);
        assert_eq!(extract(Bits::new(u128::MAX, 128), 127, 1), Bits::ONE);
    }

    #[test]
    fn constants_fold_through_skipped_operands() {
        let mut exprs = Exprs::default();
        let no = exprs.push(ExprKind::Const(Bits::ZERO), Ty::BOOL);
        let unknown = exprs.push(ExprKind::NoLeak(LeakRoots::Possible), Ty::BOOL);
        let and = exprs.push(ExprKind::And(unknown, no), Ty::BOOL);
        let ite = exprs.push(ExprKind::Ite(no, unknown, no), Ty::BOOL);
        assert_eq!(constant(&exprs, and, TARGET), Some(Bits::ZERO));
        assert_eq!(constant(&exprs, ite, TARGET), Some(Bits::ZERO));
        assert_eq!(constant(&exprs, unknown, TARGET), None);
    }
}
