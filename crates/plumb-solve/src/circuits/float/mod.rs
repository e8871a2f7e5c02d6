//! Floats as gates, for every format.
//!
//! Operations work on unpacked numbers: flags, a sign, a two's complement exponent without bias, and a significand whose
//! highest bit is set. Subnormal numbers are normalised too, so that only unpacking, packing and the place of rounding know
//! of them (the form of Brain, Schanda & Sun, "Building Better Bit-Blasting for Floating-Point Problems", 2019). A result
//! stays unpacked for the next operation; its pattern is made only when somebody looks at bits.
//!
//! Patterns are those of [`Format`]: a NaN result is the format's canonical one, and x87 patterns that no operation produces
//! are read as the processor reads them.

pub mod add;
pub mod compare;
pub mod convert;
pub mod multiply;
pub mod remainder;
pub mod round;
#[cfg(test)]
mod tests;

use super::{Word, add as adders, compare as order, constant, mask, mux, resize, shift, signed_constant};
use crate::aig::{Aig, Lit};
use plumb_term::Format;

/// A number in the form that operations work on.
///
/// At most one flag is set. Exponent and significand mean something only where none is; the significand's highest bit is
/// set, and the exponent is that of a number of the format, subnormal ones included.
#[derive(Clone, Debug)]
pub struct Unpacked {
    pub nan: Lit,
    pub infinite: Lit,
    pub zero: Lit,
    pub sign: Lit,
    pub exponent: Word,
    pub significand: Word,
}

/// Bits of an unpacked exponent: enough for the smallest subnormal number and for the largest number.
pub fn exponent_width(format: Format) -> usize {
    let lowest = (format.bias() - 1) as u32 + format.significand_bits() - 1;
    let widest = lowest.max(format.bias() as u32);
    (u32::BITS - widest.leading_zeros()) as usize + 1
}

/// The fields of a pattern.
struct Fields<'a> {
    fraction: &'a [Lit],
    integer: Lit,
    exponent: &'a [Lit],
    sign: Lit,
    exponent_zero: Lit,
    exponent_ones: Lit,
}

fn fields<'a>(aig: &mut Aig, format: Format, pattern: &'a [Lit]) -> Fields<'a> {
    let stored = format.stored_significand_bits() as usize;
    let precision = format.significand_bits() as usize;
    let sign = pattern[pattern.len() - 1];
    let exponent = &pattern[stored..pattern.len() - 1];
    let exponent_zero = order::is_zero(aig, exponent);
    let exponent_ones = aig.all(exponent);
    let integer = if format.has_integer_bit() { pattern[precision - 1] } else { !exponent_zero };
    Fields { fraction: &pattern[..precision - 1], integer, exponent, sign, exponent_zero, exponent_ones }
}

/// What a pattern denotes, as far as flags tell.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    pub nan: Lit,
    pub infinite: Lit,
    pub zero: Lit,
    pub normal: Lit,
}

/// The class of a pattern, without unpacking it.
pub fn classify(aig: &mut Aig, format: Format, pattern: &[Lit]) -> Class {
    let fields = fields(aig, format, pattern);
    let fraction_zero = order::is_zero(aig, fields.fraction);
    class_of(aig, format, &fields, fraction_zero)
}

fn class_of(aig: &mut Aig, format: Format, fields: &Fields, fraction_zero: Lit) -> Class {
    let ones_nan = aig.and(fields.exponent_ones, !fraction_zero);
    let ones_zero = aig.and(fields.exponent_ones, fraction_zero);
    let all_zero = aig.and(fields.exponent_zero, fraction_zero);
    let ordinary = aig.and(!fields.exponent_zero, !fields.exponent_ones);
    if !format.has_integer_bit() {
        return Class { nan: ones_nan, infinite: ones_zero, zero: all_zero, normal: ordinary };
    }
    // A missing integer bit makes an invalid operand; one under a zero exponent makes the exponent one.
    let invalid = aig.and(!fields.exponent_zero, !fields.integer);
    let unusual = aig.and(fields.exponent_zero, fields.integer);
    let usual = aig.and(ordinary, fields.integer);
    Class {
        nan: aig.or(invalid, ones_nan),
        infinite: aig.and(ones_zero, fields.integer),
        zero: aig.and(all_zero, !fields.integer),
        normal: aig.or(usual, unusual),
    }
}

pub fn unpack(aig: &mut Aig, format: Format, pattern: &[Lit]) -> Unpacked {
    let fields = fields(aig, format, pattern);
    let fraction_zero = order::is_zero(aig, fields.fraction);
    let class = class_of(aig, format, &fields, fraction_zero);
    let width = exponent_width(format);
    let mut significand = fields.fraction.to_vec();
    significand.push(fields.integer);
    let (mut significand, zeros) = shift::normalise(aig, &significand);
    if let Some(top) = significand.last_mut() {
        *top = Lit::TRUE;
    }
    let bias = signed_constant(-(format.bias() as i128), width);
    let ordinary = adders::add(aig, &resize(fields.exponent, width), &bias);
    let lowest = signed_constant(format.min_exponent() as i128, width);
    let subnormal = adders::subtract(aig, &lowest, &resize(&zeros, width));
    let exponent = mux(aig, fields.exponent_zero, &subnormal, &ordinary);
    let Class { nan, infinite, zero, normal: _ } = class;
    Unpacked { nan, infinite, zero, sign: fields.sign, exponent, significand }
}

/// The pattern of a number; of a NaN the canonical one.
pub fn pack(aig: &mut Aig, format: Format, x: &Unpacked) -> Word {
    let precision = format.significand_bits() as usize;
    let lowest = signed_constant(format.min_exponent() as i128, x.exponent.len());
    let subnormal = order::signed_less(aig, &x.exponent, &lowest);
    // A subnormal number is short of its exponent by less than the precision, which needs few bits to tell.
    let bits = (usize::BITS - (precision - 1).leading_zeros()) as usize;
    let bits = bits.min(x.exponent.len());
    let missing = adders::subtract(aig, &lowest[..bits], &x.exponent[..bits]);
    let count = mask(aig, &missing, subnormal);
    let significand = shift::right(aig, &x.significand, &count);
    let width = x.exponent.len();
    let biased = adders::add(aig, &x.exponent, &signed_constant(format.bias() as i128, width));
    let special = aig.or(x.nan, x.infinite);
    let flagged = aig.or(special, x.zero);
    let mut pattern = mask(aig, &significand[..precision - 1], !flagged);
    if let Some(quiet) = pattern.last_mut() {
        *quiet = aig.or(*quiet, x.nan);
    }
    if format.has_integer_bit() {
        let integer = aig.and(significand[precision - 1], !flagged);
        pattern.push(aig.or(integer, special));
    }
    let below = aig.or(subnormal, x.zero);
    for &bit in &resize(&biased, format.exponent_bits() as usize) {
        let bit = aig.and(bit, !below);
        pattern.push(aig.or(bit, special));
    }
    pattern.push(aig.and(x.sign, !x.nan));
    pattern
}

impl Unpacked {
    /// Whether the number is neither flagged nor subnormal.
    pub fn normal(&self, aig: &mut Aig, format: Format) -> Lit {
        let lowest = signed_constant(format.min_exponent() as i128, self.exponent.len());
        let large = !order::signed_less(aig, &self.exponent, &lowest);
        let flagged = aig.any(&[self.nan, self.infinite, self.zero]);
        aig.and(large, !flagged)
    }

    /// One of two numbers of the same format.
    pub fn mux(aig: &mut Aig, c: Lit, t: &Unpacked, e: &Unpacked) -> Unpacked {
        Unpacked {
            nan: aig.mux(c, t.nan, e.nan),
            infinite: aig.mux(c, t.infinite, e.infinite),
            zero: aig.mux(c, t.zero, e.zero),
            sign: aig.mux(c, t.sign, e.sign),
            exponent: mux(aig, c, &t.exponent, &e.exponent),
            significand: mux(aig, c, &t.significand, &e.significand),
        }
    }

    /// The flags replaced by those of an operation's special cases, which leave out the ordinary result.
    fn with_special(self, aig: &mut Aig, nan: Lit, infinite: Lit, zero: Lit, sign: Lit) -> Unpacked {
        let special = aig.any(&[nan, infinite, zero]);
        let overflow = aig.and(self.infinite, !special);
        let vanished = aig.and(self.zero, !special);
        Unpacked {
            nan,
            infinite: aig.or(infinite, overflow),
            zero: aig.or(zero, vanished),
            sign,
            exponent: self.exponent,
            significand: self.significand,
        }
    }
}

/// A finite number before rounding: any exponent, and a significand of any length whose highest bit is set unless the number
/// is zero. The lowest bit may stand for everything below it.
#[derive(Clone, Debug)]
pub struct Unrounded {
    pub zero: Lit,
    pub sign: Lit,
    pub exponent: Word,
    pub significand: Word,
}

/// A constant of a width that certainly holds it.
fn small_constant(value: i32, width: usize) -> Word {
    debug_assert!(width >= 33 - (value ^ value >> 31).leading_zeros() as usize);
    signed_constant(value as i128, width)
}

/// Zeros below a word.
fn extend_below(word: &[Lit], count: usize) -> Word {
    let mut result = constant(0, count);
    result.extend_from_slice(word);
    result
}
