//! Rounding: to the precision of a format, at its place for subnormal numbers, and to an integer.
//!
//! All three keep the significand normalised and round at a position `k` bits above its lowest bit. A thermometer of `k`
//! (bit `j` set iff `j < k`) masks what is cut off; adding at the position may carry out, which is the next power of two.

use super::{Unpacked, Unrounded, exponent_width, extend_below, small_constant};
use crate::aig::{Aig, Lit};
use crate::circuits::{Word, add, compare, constant, mux, resize_signed, shift};
use plumb_term::Format;

/// How to round to an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Floor,
    Ceil,
    Truncate,
    /// To nearest, halves away from zero.
    NearestAway,
    /// To nearest, halves to even.
    NearestEven,
}

/// Which ends of the range a result can leave; checks that cannot matter cost nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub underflow: bool,
    pub overflow: bool,
}

impl Range {
    pub const ALL: Range = Range { underflow: true, overflow: true };
}

/// What was cut off, and the bit above.
struct Cut {
    lowest: Lit,
    guard: Lit,
    sticky: Lit,
}

struct Rounded {
    significand: Word,
    /// The result is the next power of two.
    carry: Lit,
    /// Nothing is left.
    vanished: Lit,
}

/// Bit `j` of `length` is set iff `j < count`, where the count is two's complement.
fn thermometer(aig: &mut Aig, count: &[Lit], length: usize) -> Word {
    let (&negative, magnitude) = match count.split_last() {
        Some(split) => split,
        None => return constant(0, length),
    };
    let magnitude: Word = magnitude.iter().map(|&bit| aig.and(bit, !negative)).collect();
    shift::left_filling(aig, &constant(0, length), &magnitude, Lit::TRUE)
}

/// Rounds `top`, below which are a guard bit and the rest, at the position that the thermometer tells. `below` has one bit
/// more than `top`.
fn round_at(
    aig: &mut Aig,
    top: &[Lit],
    (guard, rest): (Lit, Lit),
    below: &[Lit],
    decide: impl FnOnce(&mut Aig, &Cut) -> Lit,
) -> Rounded {
    let precision = top.len();
    // Exactly at a position.
    let at: Word = (0..=precision).map(|j| if j == 0 { !below[0] } else { aig.and(below[j - 1], !below[j]) }).collect();
    let lowest: Word = (0..precision).map(|j| aig.and(at[j], top[j])).collect();
    let mut guards = vec![aig.and(at[0], guard)];
    guards.extend((1..=precision).map(|j| aig.and(at[j], top[j - 1])));
    let mut stickies = vec![rest, aig.and(below[0], guard)];
    stickies.extend((0..precision).map(|j| aig.and(top[j], below[j + 1])));
    let cut = Cut { lowest: aig.any(&lowest), guard: aig.any(&guards), sticky: aig.any(&stickies) };
    let up = decide(aig, &cut);
    let mut significand = Word::with_capacity(precision);
    let mut carry = aig.and(at[0], up);
    for j in 0..precision {
        let kept = aig.and(top[j], !below[j]);
        significand.push(aig.xor(kept, carry));
        let through = aig.and(kept, carry);
        // Above all bits there is no telling positions apart.
        let here = if j + 1 < precision { at[j + 1] } else { below[precision - 1] };
        let start = aig.and(here, up);
        carry = aig.or(through, start);
    }
    if let Some(highest) = significand.last_mut() {
        *highest = Lit::TRUE;
    }
    let vanished = aig.and(below[precision - 1], !carry);
    Rounded { significand, carry, vanished }
}

fn nearest_even(aig: &mut Aig, cut: &Cut) -> Lit {
    let odd = aig.or(cut.lowest, cut.sticky);
    aig.and(cut.guard, odd)
}

/// To the nearest number of the format, halves to even.
pub fn round(aig: &mut Aig, format: Format, x: &Unrounded, range: Range) -> Unpacked {
    let precision = format.significand_bits() as usize;
    let significand = match (precision + 2).checked_sub(x.significand.len()) {
        Some(missing) => extend_below(&x.significand, missing),
        None => x.significand.clone(),
    };
    let cut = significand.len() - precision;
    let rest = aig.any(&significand[..cut - 1]);
    let width = exponent_width(format).max(x.exponent.len()) + 1;
    let exponent = resize_signed(&x.exponent, width);
    let below = if range.underflow {
        let lowest = small_constant(format.min_exponent(), width);
        let missing = add::subtract(aig, &lowest, &exponent);
        thermometer(aig, &missing, precision + 1)
    } else {
        constant(0, precision + 1)
    };
    let rounded = round_at(aig, &significand[cut..], (significand[cut - 1], rest), &below, nearest_even);
    let (exponent, _) = add::increment(aig, &exponent, rounded.carry);
    let too_large = if range.overflow {
        compare::signed_less(aig, &small_constant(format.bias(), width), &exponent)
    } else {
        Lit::FALSE
    };
    let zero = aig.or(x.zero, rounded.vanished);
    Unpacked {
        nan: Lit::FALSE,
        infinite: aig.and(too_large, !zero),
        zero,
        sign: x.sign,
        exponent: resize_signed(&exponent, exponent_width(format)),
        significand: rounded.significand,
    }
}

/// To an integer, as a number of the same format. Signs of zeros stay.
pub fn to_integral(aig: &mut Aig, format: Format, x: &Unpacked, mode: Mode) -> Unpacked {
    let precision = format.significand_bits() as usize;
    let width = exponent_width(format).max(8) + 1;
    let exponent = resize_signed(&x.exponent, width);
    let fraction_bits = add::subtract(aig, &small_constant(precision as i32 - 1, width), &exponent);
    let below = thermometer(aig, &fraction_bits, precision + 1);
    let sign = x.sign;
    let rounded = round_at(aig, &x.significand, (Lit::FALSE, Lit::FALSE), &below, |aig, cut| {
        let inexact = aig.or(cut.guard, cut.sticky);
        match mode {
            Mode::Floor => aig.and(sign, inexact),
            Mode::Ceil => aig.and(!sign, inexact),
            Mode::Truncate => Lit::FALSE,
            Mode::NearestAway => cut.guard,
            Mode::NearestEven => nearest_even(aig, cut),
        }
    });
    // What is below one half carries into one as if it were one half.
    let tiny = below[precision];
    let exponent = mux(aig, tiny, &small_constant(-1, width), &exponent);
    let (exponent, _) = add::increment(aig, &exponent, rounded.carry);
    // Only formats that have no integers between their largest fraction and infinity overflow.
    let too_large = if format.bias() < precision as i32 - 1 {
        compare::signed_less(aig, &small_constant(format.bias(), width), &exponent)
    } else {
        Lit::FALSE
    };
    let result = Unpacked {
        nan: Lit::FALSE,
        infinite: aig.and(too_large, !rounded.vanished),
        zero: rounded.vanished,
        sign,
        exponent: resize_signed(&exponent, exponent_width(format)),
        significand: rounded.significand,
    };
    result.with_special(aig, x.nan, x.infinite, x.zero, sign)
}
