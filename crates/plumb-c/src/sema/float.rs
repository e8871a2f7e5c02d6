//! Floating constants as bit patterns in the formats of the target.
//!
//! Every operation rounds once, to nearest with ties to even, in the format of its operands, as gcc's folding does.
//! x87's 80 bits have no host type, so all formats go through `rustc_apfloat`.

use crate::hir::{BinaryOp, Builtin};
use crate::target::FloatFormat;
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

/// Evaluates `$body` with `$f` standing for the apfloat type of `$format`.
macro_rules! with_format {
    ($format:expr, $f:ident => $body:expr) => {
        match $format {
            FloatFormat::F32 => {
                type $f = Single;
                $body
            }
            FloatFormat::F64 => {
                type $f = Double;
                $body
            }
            FloatFormat::X87 => {
                type $f = X87DoubleExtended;
                $body
            }
        }
    };
}

/// A decimal or hexadecimal literal without suffix, rounded to the format.
pub(crate) fn parse(text: &str, format: FloatFormat) -> Option<u128> {
    with_format!(format, F => Some(F::from_str_r(text, Round::NearestTiesToEven).ok()?.value.to_bits()))
}

/// An integer, which `unsigned` says to read as a `u128`.
pub(crate) fn from_int(value: i128, unsigned: bool, format: FloatFormat) -> u128 {
    with_format!(format, F => {
        let rounded = if unsigned { F::from_u128(value as u128) } else { F::from_i128(value) };
        rounded.value.to_bits()
    })
}

/// Truncation towards zero to an integer of so many bits; `None` when the value does not fit (undefined in C).
pub(crate) fn to_int(bits: u128, format: FloatFormat, width: u32, signed: bool) -> Option<i128> {
    with_format!(format, F => {
        let value = F::from_bits(bits);
        let (status, result) = if signed {
            let r = value.to_i128(width as usize);
            (r.status, r.value)
        } else {
            let r = value.to_u128(width as usize);
            (r.status, r.value as i128)
        };
        (!status.contains(Status::INVALID_OP)).then_some(result)
    })
}

/// Like [`to_int`], with the value nearest to one that does not fit, and zero for a NaN: what gcc folds these to.
pub(crate) fn to_int_saturating(bits: u128, format: FloatFormat, width: u32, signed: bool) -> i128 {
    with_format!(format, F => {
        let value = F::from_bits(bits);
        if signed { value.to_i128(width as usize).value } else { value.to_u128(width as usize).value as i128 }
    })
}

pub(crate) fn convert(bits: u128, from: FloatFormat, to: FloatFormat) -> u128 {
    fn narrow<A, B>(bits: u128) -> u128
    where
        A: Float + FloatConvert<B>,
        B: Float,
    {
        let converted: B = A::from_bits(bits).convert(&mut false).value;
        converted.to_bits()
    }
    if from == to {
        return bits;
    }
    with_format!(from, A => with_format!(to, B => narrow::<A, B>(bits)))
}

pub(crate) fn is_zero(bits: u128, format: FloatFormat) -> bool {
    with_format!(format, F => F::from_bits(bits).is_zero())
}

pub(crate) fn negate(bits: u128, format: FloatFormat) -> u128 {
    with_format!(format, F => (-F::from_bits(bits)).to_bits())
}

pub(crate) fn infinity(format: FloatFormat) -> u128 {
    with_format!(format, F => F::INFINITY.to_bits())
}

/// A NaN with the payload in the low bits of its significand.
pub(crate) fn nan(payload: u128, quiet: bool, format: FloatFormat) -> u128 {
    with_format!(format, F => {
        let nan = if quiet { F::qnan(Some(payload)) } else { F::snan(Some(payload)) };
        nan.to_bits()
    })
}

/// `+ - * /`; other operators have no floating meaning.
pub(crate) fn arith(op: BinaryOp, a: u128, b: u128, format: FloatFormat) -> Option<u128> {
    with_format!(format, F => {
        let (a, b) = (F::from_bits(a), F::from_bits(b));
        let round = Round::NearestTiesToEven;
        let result = match op {
            BinaryOp::Add => a.add_r(b, round),
            BinaryOp::Sub => a.sub_r(b, round),
            BinaryOp::Mul => a.mul_r(b, round),
            BinaryOp::Div => a.div_r(b, round),
            BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr | BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr
            | BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => return None,
        };
        Some(result.value.to_bits())
    })
}

/// The order of two values, `None` when one is a NaN.
pub(crate) fn compare(a: u128, b: u128, format: FloatFormat) -> Option<Ordering> {
    with_format!(format, F => F::from_bits(a).partial_cmp(&F::from_bits(b)))
}

/// Classification builtins, as the `int` they yield.
pub(crate) fn classify(op: Builtin, bits: u128, format: FloatFormat) -> Option<i128> {
    with_format!(format, F => {
        let v = F::from_bits(bits);
        Some(match op {
            Builtin::IsNan => v.is_nan() as i128,
            Builtin::IsInf => v.is_infinite() as i128,
            Builtin::IsInfSign if v.is_infinite() => if v.is_negative() { -1 } else { 1 },
            Builtin::IsInfSign => 0,
            Builtin::IsFinite => v.is_finite() as i128,
            Builtin::IsNormal => v.is_normal() as i128,
            Builtin::SignBit => v.is_negative() as i128,
            _ => return None,
        })
    })
}

/// Exact functions of one argument that gcc folds.
pub(crate) fn unary(op: Builtin, bits: u128, format: FloatFormat) -> Option<u128> {
    let integral =
        |round: Round| with_format!(format, F => F::from_bits(bits).round_to_integral(round).value.to_bits());
    match op {
        Builtin::Fabs => Some(with_format!(format, F => F::from_bits(bits).abs().to_bits())),
        Builtin::Floor => Some(integral(Round::TowardNegative)),
        Builtin::Ceil => Some(integral(Round::TowardPositive)),
        Builtin::Trunc => Some(integral(Round::TowardZero)),
        Builtin::Round => Some(integral(Round::NearestTiesToAway)),
        Builtin::Rint => Some(integral(Round::NearestTiesToEven)),
        Builtin::Sqrt => match format {
            FloatFormat::F32 => Some(f32::from_bits(bits as u32).sqrt().to_bits() as u128),
            FloatFormat::F64 => Some(f64::from_bits(bits as u64).sqrt().to_bits() as u128),
            FloatFormat::X87 => None,
        },
        _ => None,
    }
}

/// Exact functions of two arguments that gcc folds.
pub(crate) fn binary(op: Builtin, a: u128, b: u128, format: FloatFormat) -> Option<u128> {
    with_format!(format, F => {
        let (a, b) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            Builtin::Copysign => a.copy_sign(b),
            Builtin::Fmin => a.min(b),
            Builtin::Fmax => a.max(b),
            Builtin::Fmod => a.c_fmod(b).value,
            Builtin::Remainder => a.ieee_rem(b).value,
            _ => return None,
        };
        Some(result.to_bits())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_round_once_to_their_format() {
        let cases = [
            ("1.5", FloatFormat::F64, 1.5f64.to_bits() as u128),
            ("0.1", FloatFormat::F64, 0.1f64.to_bits() as u128),
            (".5e1", FloatFormat::F64, 5f64.to_bits() as u128),
            ("1.", FloatFormat::F64, 1f64.to_bits() as u128),
            ("1e400", FloatFormat::F64, f64::INFINITY.to_bits() as u128),
            ("0x1.8p3", FloatFormat::F64, 12f64.to_bits() as u128),
            ("0x.8p0", FloatFormat::F32, 0.5f32.to_bits() as u128),
            ("0.1", FloatFormat::F32, 0.1f32.to_bits() as u128),
            ("3.40282347e+38", FloatFormat::F32, f32::MAX.to_bits() as u128),
            ("4.9406564584124654e-324", FloatFormat::F64, 1),
            ("1.0", FloatFormat::X87, 0x3fff_8000_0000_0000_0000),
        ];
        for (text, format, bits) in cases {
            assert_eq!(parse(text, format), Some(bits), "{text}");
        }
        assert_eq!(parse("1.0x", FloatFormat::F64), None);
    }

    #[test]
    fn conversions_truncate_and_refuse_what_does_not_fit() {
        let f64_bits = |v: f64| v.to_bits() as u128;
        assert_eq!(to_int(f64_bits(-1.9), FloatFormat::F64, 32, true), Some(-1));
        assert_eq!(to_int(f64_bits(-0.9), FloatFormat::F64, 32, false), Some(0));
        assert_eq!(to_int(f64_bits(4294967295.0), FloatFormat::F64, 32, false), Some(0xffff_ffff));
        assert_eq!(to_int(f64_bits(4294967296.0), FloatFormat::F64, 32, false), None);
        assert_eq!(to_int(f64_bits(f64::NAN), FloatFormat::F64, 32, true), None);
        assert_eq!(from_int(16777217, false, FloatFormat::F32), 16777216f32.to_bits() as u128);
        assert_eq!(convert(f64_bits(0.1), FloatFormat::F64, FloatFormat::F32), 0.1f32.to_bits() as u128);
    }
}
