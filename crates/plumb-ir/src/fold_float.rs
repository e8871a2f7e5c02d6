//! The float half of the scalar semantics: IEEE 754, round to nearest even.
//!
//! Single and double precision are the host's; x87's extended format is soft floats from `rustc_apfloat`, with the
//! remainders and the square root (which that crate lacks or asserts in) done exactly on integer significands. The sign
//! and payload of a NaN result are unspecified, as C cannot see them without looking at bytes.

use crate::expr::{BinOp, UnOp};
use crate::ty::{Bits, FloatFormat};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

type X87 = X87DoubleExtended;

fn f32_bits(value: f32) -> Bits {
    Bits::new(value.to_bits() as u128, 32)
}

fn f64_bits(value: f64) -> Bits {
    Bits::new(value.to_bits() as u128, 64)
}

fn f32_of(bits: Bits) -> f32 {
    f32::from_bits(bits.u64() as u32)
}

fn f64_of(bits: Bits) -> f64 {
    f64::from_bits(bits.u64())
}

/// Bit patterns that no x87 operation produces are read as the processor reads them: a set integer bit under a zero
/// exponent is that of exponent one, a missing integer bit elsewhere makes an invalid operand (NaN).
fn x87_of(bits: Bits) -> X87 {
    let raw = bits.u128() & (u128::MAX >> 48);
    let (exponent, integer_bit) = (raw >> 64 & 0x7fff, raw >> 63 & 1);
    match (exponent, integer_bit) {
        (0, 1) => X87::from_bits(raw | 1 << 64),
        (1.., 0) => X87::NAN,
        _ => X87::from_bits(raw),
    }
}

fn x87_bits(value: X87) -> Bits {
    Bits::new(value.to_bits(), 80)
}

/// The position of the sign bit.
fn sign_bit(format: FloatFormat) -> u128 {
    match format {
        FloatFormat::F32 => 1 << 31,
        FloatFormat::F64 => 1 << 63,
        FloatFormat::X87 => 1 << 79,
    }
}

fn width(format: FloatFormat) -> u32 {
    match format {
        FloatFormat::F32 => 32,
        FloatFormat::F64 => 64,
        FloatFormat::X87 => 80,
    }
}

pub fn unary(op: UnOp, format: FloatFormat, a: Bits) -> Bits {
    let sign = sign_bit(format);
    match op {
        // Sign operations act on the bits alone, also of NaNs.
        UnOp::Neg => Bits::new(a.u128() ^ sign, width(format)),
        UnOp::Abs => Bits::new(a.u128() & !sign, width(format)),
        UnOp::IsNegative => Bits::bool(a.u128() & sign != 0),
        _ => match format {
            FloatFormat::F32 => unary_f32(op, f32_of(a)),
            FloatFormat::F64 => unary_f64(op, f64_of(a)),
            FloatFormat::X87 if op == UnOp::Sqrt => x86_nan(format, unary_x87(op, x87_of(a)), a, a),
            FloatFormat::X87 => unary_x87(op, x87_of(a)),
        },
    }
}

fn unary_f32(op: UnOp, x: f32) -> Bits {
    match op {
        UnOp::Sqrt => f32_bits(x.sqrt()),
        UnOp::Floor => f32_bits(x.floor()),
        UnOp::Ceil => f32_bits(x.ceil()),
        UnOp::Trunc => f32_bits(x.trunc()),
        UnOp::Round => f32_bits(x.round()),
        UnOp::Rint => f32_bits(x.round_ties_even()),
        UnOp::IsNan => Bits::bool(x.is_nan()),
        UnOp::IsInf => Bits::bool(x.is_infinite()),
        UnOp::IsNormal => Bits::bool(x.is_normal()),
        UnOp::Neg | UnOp::Abs | UnOp::IsNegative => f32_bits(x),
        // Integer operators mean nothing here.
        UnOp::Not | UnOp::Clz | UnOp::Ctz | UnOp::Popcount | UnOp::Bswap => f32_bits(x),
    }
}

fn unary_f64(op: UnOp, x: f64) -> Bits {
    match op {
        UnOp::Sqrt => f64_bits(x.sqrt()),
        UnOp::Floor => f64_bits(x.floor()),
        UnOp::Ceil => f64_bits(x.ceil()),
        UnOp::Trunc => f64_bits(x.trunc()),
        UnOp::Round => f64_bits(x.round()),
        UnOp::Rint => f64_bits(x.round_ties_even()),
        UnOp::IsNan => Bits::bool(x.is_nan()),
        UnOp::IsInf => Bits::bool(x.is_infinite()),
        UnOp::IsNormal => Bits::bool(x.is_normal()),
        UnOp::Neg | UnOp::Abs | UnOp::IsNegative => f64_bits(x),
        UnOp::Not | UnOp::Clz | UnOp::Ctz | UnOp::Popcount | UnOp::Bswap => f64_bits(x),
    }
}

fn unary_x87(op: UnOp, x: X87) -> Bits {
    let rounded = |round| x87_bits(x.round_to_integral(round).value);
    match op {
        UnOp::Sqrt => x87_bits(sqrt_x87(x)),
        UnOp::Floor => rounded(Round::TowardNegative),
        UnOp::Ceil => rounded(Round::TowardPositive),
        UnOp::Trunc => rounded(Round::TowardZero),
        UnOp::Round => rounded(Round::NearestTiesToAway),
        UnOp::Rint => rounded(Round::NearestTiesToEven),
        UnOp::IsNan => Bits::bool(x.is_nan()),
        UnOp::IsInf => Bits::bool(x.is_infinite()),
        UnOp::IsNormal => Bits::bool(x.is_normal()),
        UnOp::Neg | UnOp::Abs | UnOp::IsNegative => x87_bits(x),
        UnOp::Not | UnOp::Clz | UnOp::Ctz | UnOp::Popcount | UnOp::Bswap => x87_bits(x),
    }
}

pub fn binary(op: BinOp, format: FloatFormat, a: Bits, b: Bits) -> Bits {
    match op {
        BinOp::Copysign => {
            let sign = sign_bit(format);
            Bits::new(a.u128() & !sign | b.u128() & sign, width(format))
        }
        // Every format fits into the x87's, and a remainder is a value of its operands' format.
        BinOp::IeeeRem => {
            let to_x87 = |v| x87_of(convert(format, FloatFormat::X87, v));
            let result = convert(FloatFormat::X87, format, x87_bits(ieee_remainder(to_x87(a), to_x87(b))));
            x86_nan(format, result, a, b)
        }
        _ => match format {
            FloatFormat::F32 => binary_f32(op, f32_of(a), f32_of(b)),
            FloatFormat::F64 => binary_f64(op, f64_of(a), f64_of(b)),
            FloatFormat::X87 if op.is_comparison() => binary_x87(op, x87_of(a), x87_of(b)),
            FloatFormat::X87 => x86_nan(format, binary_x87(op, x87_of(a), x87_of(b)), a, b),
        },
    }
}

/// The NaN that x86 gives: the first operand that is one, made quiet, or else a negative one. Other results stay.
fn x86_nan(format: FloatFormat, result: Bits, a: Bits, b: Bits) -> Bits {
    let is_nan = |bits: Bits| !unary(UnOp::IsNan, format, bits).is_zero();
    if !is_nan(result) {
        return result;
    }
    let quiet = match format {
        FloatFormat::F32 => 1 << 22,
        FloatFormat::F64 => 1 << 51,
        FloatFormat::X87 => 1 << 62,
    };
    match [a, b].into_iter().find(|operand| is_nan(*operand)) {
        Some(nan) => Bits::new(nan.u128() | quiet, width(format)),
        None => Bits::new(result.u128() | sign_bit(format), width(format)),
    }
}

/// minNum (`less`) or maxNum: a number rather than a NaN; of equal values, such as the two zeros, the second, as x86 does.
fn pick<T: PartialOrd + Copy>(x: T, y: T, x_is_nan: bool, y_is_nan: bool, less: bool) -> T {
    let first = if less { x < y } else { x > y };
    if y_is_nan || !x_is_nan && first { x } else { y }
}

fn binary_f32(op: BinOp, x: f32, y: f32) -> Bits {
    match op {
        BinOp::Add => f32_bits(x + y),
        BinOp::Sub => f32_bits(x - y),
        BinOp::Mul => f32_bits(x * y),
        BinOp::Div => f32_bits(x / y),
        BinOp::Rem => f32_bits(x % y),
        BinOp::Eq => Bits::bool(x == y),
        BinOp::Ne => Bits::bool(x != y),
        BinOp::Lt => Bits::bool(x < y),
        BinOp::Le => Bits::bool(x <= y),
        BinOp::Min => f32_bits(pick(x, y, x.is_nan(), y.is_nan(), true)),
        BinOp::Max => f32_bits(pick(x, y, x.is_nan(), y.is_nan(), false)),
        BinOp::IeeeRem | BinOp::Copysign => f32_bits(x),
        // Integer operators mean nothing here.
        BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => f32_bits(x),
    }
}

fn binary_f64(op: BinOp, x: f64, y: f64) -> Bits {
    match op {
        BinOp::Add => f64_bits(x + y),
        BinOp::Sub => f64_bits(x - y),
        BinOp::Mul => f64_bits(x * y),
        BinOp::Div => f64_bits(x / y),
        BinOp::Rem => f64_bits(x % y),
        BinOp::Eq => Bits::bool(x == y),
        BinOp::Ne => Bits::bool(x != y),
        BinOp::Lt => Bits::bool(x < y),
        BinOp::Le => Bits::bool(x <= y),
        BinOp::Min => f64_bits(pick(x, y, x.is_nan(), y.is_nan(), true)),
        BinOp::Max => f64_bits(pick(x, y, x.is_nan(), y.is_nan(), false)),
        BinOp::IeeeRem | BinOp::Copysign => f64_bits(x),
        BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => f64_bits(x),
    }
}

fn binary_x87(op: BinOp, x: X87, y: X87) -> Bits {
    match op {
        BinOp::Add => x87_bits((x + y).value),
        BinOp::Sub => x87_bits((x - y).value),
        BinOp::Mul => x87_bits((x * y).value),
        BinOp::Div => x87_bits((x / y).value),
        BinOp::Rem => x87_bits(c_remainder(x, y)),
        BinOp::Eq => Bits::bool(x == y),
        BinOp::Ne => Bits::bool(x != y),
        BinOp::Lt => Bits::bool(x < y),
        BinOp::Le => Bits::bool(x <= y),
        BinOp::Min => x87_bits(pick(x, y, x.is_nan(), y.is_nan(), true)),
        BinOp::Max => x87_bits(pick(x, y, x.is_nan(), y.is_nan(), false)),
        BinOp::IeeeRem | BinOp::Copysign => x87_bits(x),
        BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => x87_bits(x),
    }
}

pub fn fma(format: FloatFormat, a: Bits, b: Bits, c: Bits) -> Bits {
    match format {
        FloatFormat::F32 => f32_bits(f32_of(a).mul_add(f32_of(b), f32_of(c))),
        FloatFormat::F64 => f64_bits(f64_of(a).mul_add(f64_of(b), f64_of(c))),
        FloatFormat::X87 => x87_bits(x87_of(a).mul_add(x87_of(b), x87_of(c)).value),
    }
}

pub fn from_signed(format: FloatFormat, value: i128) -> Bits {
    match format {
        FloatFormat::F32 => f32_bits(value as f32),
        FloatFormat::F64 => f64_bits(value as f64),
        FloatFormat::X87 => x87_bits(X87::from_i128(value).value),
    }
}

pub fn from_unsigned(format: FloatFormat, value: u128) -> Bits {
    match format {
        FloatFormat::F32 => f32_bits(value as f32),
        FloatFormat::F64 => f64_bits(value as f64),
        FloatFormat::X87 => x87_bits(X87::from_u128(value).value),
    }
}

/// The truncated value as an integer, to be cut to `width` bits by the caller.
///
/// x86 converts to 32 or 64 signed bits and gives the most negative number for what does not fit. Compilers build the
/// other conversions from those two: narrow types from 32 bits, `unsigned` from 64, and 64 unsigned bits by moving
/// the upper half of the range down. For 128 bits there is no instruction; what does not fit gives the most negative number.
pub fn to_int(format: FloatFormat, a: Bits, signed: bool, width: u32) -> u128 {
    let x = x87_of(convert(format, FloatFormat::X87, a));
    let native = |x: X87, bits: u32| {
        let result = x.to_i128(bits as usize);
        let invalid = result.status.contains(rustc_apfloat::Status::INVALID_OP);
        if invalid { i128::MIN >> (128 - bits) } else { result.value }
    };
    let result = match (width, signed) {
        (0..=31, _) | (32, true) => native(x, 32),
        (32, false) | (33..=63, _) | (64, true) => native(x, 64),
        (64, false) => {
            let half = X87::from_u128(1 << 63).value;
            if x >= half { native((x - half).value, 64) ^ i64::MIN as i128 } else { native(x, 64) }
        }
        (_, true) => native(x, 128),
        (_, false) => {
            let result = x.to_u128(128);
            let invalid = result.status.contains(rustc_apfloat::Status::INVALID_OP);
            if invalid { i128::MIN } else { result.value as i128 }
        }
    };
    result as u128
}

/// The same with the nearest value for what does not fit, and zero for a NaN: what gcc folds conversions of constants to.
pub fn to_int_saturating(format: FloatFormat, a: Bits, signed: bool, width: u32) -> u128 {
    let x = x87_of(convert(format, FloatFormat::X87, a));
    if signed { x.to_i128(width as usize).value as u128 } else { x.to_u128(width as usize).value }
}

pub fn convert(from: FloatFormat, to: FloatFormat, a: Bits) -> Bits {
    let mut lost = false;
    match (from, to) {
        (FloatFormat::F32, FloatFormat::F32)
        | (FloatFormat::F64, FloatFormat::F64)
        | (FloatFormat::X87, FloatFormat::X87) => a,
        (FloatFormat::F32, FloatFormat::F64) => f64_bits(f32_of(a) as f64),
        (FloatFormat::F64, FloatFormat::F32) => f32_bits(f64_of(a) as f32),
        (FloatFormat::F32, FloatFormat::X87) => {
            let single = Single::from_bits(a.u128());
            x87_bits(FloatConvert::<X87>::convert(single, &mut lost).value)
        }
        (FloatFormat::F64, FloatFormat::X87) => {
            let double = Double::from_bits(a.u128());
            x87_bits(FloatConvert::<X87>::convert(double, &mut lost).value)
        }
        (FloatFormat::X87, FloatFormat::F32) => {
            Bits::new(FloatConvert::<Single>::convert(x87_of(a), &mut lost).value.to_bits(), 32)
        }
        (FloatFormat::X87, FloatFormat::F64) => {
            Bits::new(FloatConvert::<Double>::convert(x87_of(a), &mut lost).value.to_bits(), 64)
        }
    }
}

/// A finite non-zero magnitude as `significand * 2^exponent` with bit 63 of the significand set.
fn unpack(x: X87) -> (u128, i32) {
    let raw = x.to_bits();
    let significand = raw as u64;
    let shift = significand.leading_zeros();
    let biased = (raw >> 64 & 0x7fff) as i32;
    (((significand << shift) as u128), biased.max(1) - 16383 - 63 - shift as i32)
}

fn pack(significand: u128, exponent: i32, negative: bool) -> X87 {
    let magnitude = X87::from_u128(significand).value.scalbn(exponent);
    if negative { -magnitude } else { magnitude }
}

/// `significand * 2^shift` modulo `modulus`, all below 2^66.
fn shifted_modulo(significand: u128, shift: i32, modulus: u128) -> u128 {
    let mut rest = significand % modulus;
    let mut left = shift;
    while left > 0 && rest != 0 {
        let step = left.min(60);
        rest = (rest << step) % modulus;
        left -= step;
    }
    rest
}

/// C's `fmod`: exact, with the sign of the dividend.
fn c_remainder(x: X87, y: X87) -> X87 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y.is_zero() {
        return X87::NAN;
    }
    if x.is_zero() || y.is_infinite() {
        return x;
    }
    let ((mx, ex), (my, ey)) = (unpack(x), unpack(y));
    if ex < ey {
        return x;
    }
    pack(shifted_modulo(mx, ex - ey, my), ey, x.is_negative())
}

/// IEEE's remainder: `x - n * y` for the integer `n` nearest to `x / y`, the even one of two.
fn ieee_remainder(x: X87, y: X87) -> X87 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y.is_zero() {
        return X87::NAN;
    }
    if x.is_zero() || y.is_infinite() {
        return x;
    }
    let ((mx, ex), (my, ey)) = (unpack(x), unpack(y));
    if ex < ey - 1 {
        return x;
    }
    // Modulo twice the divisor, so that the rest also tells whether the quotient is odd.
    let (unit, divisor) = if ex >= ey { (ey, my) } else { (ex, my << 1) };
    let rest = shifted_modulo(mx, ex - unit, 2 * divisor);
    let (magnitude, flipped) = if 2 * rest <= divisor {
        (rest, false)
    } else if 2 * rest < 3 * divisor {
        if rest >= divisor { (rest - divisor, false) } else { (divisor - rest, true) }
    } else {
        (2 * divisor - rest, true)
    };
    pack(magnitude, unit, x.is_negative() != (flipped && magnitude != 0))
}

/// Correctly rounded: the integer root of a 127- or 128-bit significand has 64 bits, and its rest tells the rounding; a
/// tie cannot happen.
fn sqrt_x87(x: X87) -> X87 {
    if x.is_nan() || x.is_zero() || x.is_pos_infinity() {
        return x;
    }
    if x.is_negative() {
        return X87::NAN;
    }
    let (significand, exponent) = unpack(x);
    let shift = if (exponent - 63) % 2 == 0 { 63 } else { 64 };
    let square = significand << shift;
    let root = square.isqrt();
    let root = if square - root * root > root { root + 1 } else { root };
    pack(root, (exponent - shift) / 2, false)
}
