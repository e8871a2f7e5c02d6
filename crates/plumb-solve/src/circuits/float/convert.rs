//! Conversions between formats, from integers and to integers.

use super::round::{Range, round};
use super::{Unpacked, Unrounded, exponent_width, extend_below, small_constant};
use crate::aig::{Aig, Lit};
use crate::circuits::{Word, add, compare, constant, mask, mux, resize, resize_signed, shift};
use plumb_term::Format;

/// A number of one format as one of another.
pub fn to_format(aig: &mut Aig, from: Format, to: Format, x: &Unpacked) -> Unpacked {
    let lowest = |format: Format| format.min_exponent() - format.significand_bits() as i32;
    let range = Range { underflow: lowest(from) < lowest(to), overflow: from.bias() > to.bias() };
    let exact = from.significand_bits() <= to.significand_bits();
    if exact && range == (Range { underflow: false, overflow: false }) {
        let missing = (to.significand_bits() - from.significand_bits()) as usize;
        return Unpacked {
            exponent: resize_signed(&x.exponent, exponent_width(to)),
            significand: extend_below(&x.significand, missing),
            ..x.clone()
        };
    }
    let finite =
        Unrounded { zero: x.zero, sign: x.sign, exponent: x.exponent.clone(), significand: x.significand.clone() };
    // Rounding up can leave the range of a format with the same exponents, and subnormal numbers lose bits where the
    // precision shrinks.
    let rounded = round(aig, to, &finite, Range::ALL);
    rounded.with_special(aig, x.nan, x.infinite, x.zero, x.sign)
}

/// The nearest number to an integer.
pub fn from_integer(aig: &mut Aig, to: Format, x: &[Lit], signed: bool) -> Unpacked {
    let sign = if signed { x[x.len() - 1] } else { Lit::FALSE };
    let magnitude = add::negate_if(aig, sign, x);
    let zero = compare::is_zero(aig, &magnitude);
    let (significand, zeros) = shift::normalise(aig, &magnitude);
    let width = (usize::BITS - x.len().leading_zeros()) as usize + 2;
    let highest = small_constant(x.len() as i32 - 1, width);
    let exponent = add::subtract(aig, &highest, &resize(&zeros, width));
    let finite = Unrounded { zero, sign, exponent, significand };
    let range = Range { underflow: false, overflow: x.len() as i32 > to.bias() };
    round(aig, to, &finite, range)
}

/// The number truncated to a two's complement integer; what does not fit, and NaN, gives the most negative one.
pub fn to_signed(aig: &mut Aig, x: &Unpacked, width: usize) -> Word {
    // Magnitudes below 2^(width - 1) fit; the most negative number itself comes out right as what does not.
    let room = width - 1;
    let precision = x.significand.len();
    let at_top = match room.checked_sub(precision) {
        Some(missing) => extend_below(&x.significand, missing),
        None => x.significand[precision - room..].to_vec(),
    };
    let bits = x.exponent.len().max((usize::BITS - room.leading_zeros()) as usize + 1) + 1;
    let exponent = resize_signed(&x.exponent, bits);
    let fraction = exponent[bits - 1];
    let too_large = !compare::signed_less(aig, &exponent, &small_constant(room as i32, bits));
    let too_large = aig.and(too_large, !x.zero);
    let invalid = aig.any(&[too_large, x.nan, x.infinite]);
    let nothing = aig.or(fraction, x.zero);
    let mut magnitude = if room == 0 {
        Word::new()
    } else {
        let count = add::subtract(aig, &small_constant(room as i32 - 1, bits), &exponent);
        // Not negative where the result counts.
        let shifted = shift::right(aig, &at_top, &count[..bits - 1]);
        mask(aig, &shifted, !nothing)
    };
    magnitude.push(Lit::FALSE);
    let value = add::negate_if(aig, x.sign, &magnitude);
    let mut least = constant(0, width);
    least[width - 1] = Lit::TRUE;
    mux(aig, invalid, &least, &value)
}
