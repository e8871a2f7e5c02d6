//! IEEE 754 arithmetic on patterns of any [`Format`], rounded to nearest even.
//!
//! A pattern is unpacked to a [`Number`], computed on exactly or with a sticky bit for what is lost, and rounded once by
//! [`round`]. Formats have at most 64 bits of precision, so products fit into 128 bits. For single and double precision
//! the host's floats do the same faster (`host`); tests compare the two.

mod arith;
mod convert;
mod host;
mod integral;
mod remainder;

pub use arith::{add, div, fma, mul, sqrt};
pub use convert::{from_integer, to_float, to_signed};
pub use integral::{Rounding, round_to_integral};
pub use remainder::{fmod, ieee_remainder};

use crate::sort::Format;
use std::cmp::Ordering;

/// What a pattern stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    Nan,
    Infinity {
        negative: bool,
    },
    Zero {
        negative: bool,
    },
    /// `significand * 2^exponent`, with bit 63 of the significand set.
    Finite {
        negative: bool,
        exponent: i32,
        significand: u64,
    },
}

/// The number that a pattern stands for.
///
/// x87 patterns that no operation produces are read as the processor reads them: a set integer bit under a zero exponent
/// is that of exponent one, a missing integer bit elsewhere makes an invalid operand (NaN).
pub fn unpack(format: Format, pattern: u128) -> Number {
    let stored = format.stored_significand_bits();
    let negative = pattern & format.sign_mask() != 0;
    let field = (pattern >> stored) as u32 & ((1 << format.exponent_bits()) - 1);
    let fraction = (pattern & ((1u128 << stored) - 1)) as u64;
    let integer_bit = 1u64 << (format.significand_bits() - 1);
    let is_special = field == (1 << format.exponent_bits()) - 1;
    if format.has_integer_bit() && field != 0 && fraction & integer_bit == 0 {
        return Number::Nan;
    }
    if is_special {
        return if fraction & (integer_bit - 1) == 0 { Number::Infinity { negative } } else { Number::Nan };
    }
    let significand = if field != 0 { fraction | integer_bit } else { fraction };
    if significand == 0 {
        return Number::Zero { negative };
    }
    let shift = significand.leading_zeros();
    let quantum = (field.max(1) as i32) - format.bias() - (format.significand_bits() as i32 - 1);
    Number::Finite { negative, exponent: quantum - shift as i32, significand: significand << shift }
}

fn with_sign(format: Format, negative: bool, magnitude: u128) -> u128 {
    if negative { magnitude | format.sign_mask() } else { magnitude }
}

/// The canonical pattern of a number that the format can hold; others are rounded.
pub fn pack(format: Format, number: Number) -> u128 {
    match number {
        Number::Nan => format.canonical_nan(),
        Number::Infinity { negative } => format.infinity(negative),
        Number::Zero { negative } => with_sign(format, negative, 0),
        Number::Finite { negative, exponent, significand } => {
            round(format, negative, exponent, significand as u128, false)
        }
    }
}

/// The pattern nearest to `significand * 2^exponent`, the even one of two; `sticky` says that the true significand is
/// larger by less than one. The significand is not zero.
pub fn round(format: Format, negative: bool, exponent: i32, significand: u128, sticky: bool) -> u128 {
    let precision = format.significand_bits() as i32;
    let top = exponent + 127 - significand.leading_zeros() as i32;
    let quantum = top.max(format.min_exponent()) - (precision - 1);
    let shift = quantum - exponent;
    let kept = if shift <= 0 {
        // Only reached with room to spare: the significand has at most `precision` bits. Nothing can be sticky then.
        debug_assert!(!sticky, "a rounded number has bits to spare");
        significand << -shift
    } else {
        let kept = if shift < 128 { significand >> shift } else { 0 };
        let lost = if shift < 128 { significand & ((1 << shift) - 1) } else { significand };
        let against_half = match shift {
            1..=128 => lost.cmp(&(1 << (shift - 1))),
            _ => Ordering::Less,
        };
        let up = match against_half {
            Ordering::Greater => true,
            Ordering::Equal => sticky || kept & 1 == 1,
            Ordering::Less => false,
        };
        kept + up as u128
    };
    // Rounding up may have carried into the next binade.
    let (kept, quantum) = if kept >> precision != 0 { (kept >> 1, quantum + 1) } else { (kept, quantum) };
    let integer_bit = 1u128 << (precision - 1);
    let field = if kept & integer_bit == 0 { 0 } else { quantum + precision - 1 + format.bias() };
    if field >= (1 << format.exponent_bits()) - 1 {
        return format.infinity(negative);
    }
    let fraction = if format.has_integer_bit() { kept } else { kept & (integer_bit - 1) };
    with_sign(format, negative, (field as u128) << format.stored_significand_bits() | fraction)
}

/// The order of two numbers; none if one is NaN. The zeros are equal.
pub fn compare(format: Format, a: u128, b: u128) -> Option<Ordering> {
    let key = |number: Number| match number {
        Number::Nan => None,
        Number::Zero { .. } => Some((0, 0, 0)),
        Number::Infinity { negative } => Some((if negative { -1 } else { 1 }, i32::MAX, 0)),
        Number::Finite { negative, exponent, significand } => {
            Some((if negative { -1 } else { 1 }, exponent, significand))
        }
    };
    let ((sign_a, exponent_a, significand_a), (sign_b, exponent_b, significand_b)) =
        (key(unpack(format, a))?, key(unpack(format, b))?);
    let magnitudes = (exponent_a, significand_a).cmp(&(exponent_b, significand_b));
    let same_sign = if sign_a < 0 { magnitudes.reverse() } else { magnitudes };
    Some(sign_a.cmp(&sign_b).then(same_sign))
}

/// minNum (`less`) or maxNum: a number rather than a NaN; of equal values, such as the two zeros, the second.
pub fn pick(format: Format, a: u128, b: u128, less: bool) -> u128 {
    let wanted = if less { Ordering::Less } else { Ordering::Greater };
    let first = match compare(format, a, b) {
        Some(order) => order == wanted,
        None => unpack(format, b) == Number::Nan,
    };
    pack(format, unpack(format, if first { a } else { b }))
}

pub fn is_nan(format: Format, a: u128) -> bool {
    unpack(format, a) == Number::Nan
}

/// Neither zero, subnormal, infinite nor NaN.
pub fn is_normal(format: Format, a: u128) -> bool {
    match unpack(format, a) {
        Number::Finite { exponent, .. } => exponent + 63 >= format.min_exponent(),
        Number::Nan | Number::Infinity { .. } | Number::Zero { .. } => false,
    }
}
