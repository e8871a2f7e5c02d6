//! Remainders: C's `fmod` and IEEE's, by long division over the whole range of exponents.
//!
//! One row of subtraction per binary digit that the quotient can have: some 280 rows for single precision, 2100 for double,
//! 32900 for x87's format. [`rows`] lets callers refuse what is absurd.

use super::{Unpacked, exponent_width, extend_below};
use crate::aig::{Aig, Lit};
use crate::circuits::{Word, add, compare, constant, mux, not, resize, resize_signed, shift, signed_constant};
use plumb_term::Format;

/// Digits that the quotient of two numbers can have.
pub fn rows(format: Format) -> usize {
    (format.bias() - format.min_exponent()) as usize + format.significand_bits() as usize
}

/// What long division leaves of `|x|` by `|y|`, in units of half of the divisor's lowest bit.
struct Left {
    /// Two bits longer than a significand, below twice the divisor's.
    rest: Word,
    /// The quotient is odd.
    odd: Lit,
    /// The dividend is less than half the divisor.
    far_below: Lit,
}

/// `steps` tells how many digits can come before the last.
fn long_division(aig: &mut Aig, format: Format, x: &Unpacked, y: &Unpacked) -> Left {
    let width = exponent_width(format) + 1;
    let above = add::subtract(aig, &resize_signed(&x.exponent, width), &resize_signed(&y.exponent, width));
    let negative = above[width - 1];
    // Significands in units of the divisor's lowest bit; the invariant is a rest below twice the divisor.
    let mut divisor = y.significand.clone();
    divisor.push(Lit::FALSE);
    let mut rest = x.significand.clone();
    rest.push(Lit::FALSE);
    let mut odd = Lit::FALSE;
    let active = countdown(aig, &above, rows(format));
    for (digit, &runs) in active.iter().enumerate().rev() {
        let (difference, fits) = add::subtract_checked(aig, &rest, &divisor);
        let subtract = aig.and(fits, runs);
        rest = mux(aig, subtract, &difference, &rest);
        if digit == 0 {
            odd = subtract;
        } else {
            let mut doubled = vec![Lit::FALSE];
            doubled.extend_from_slice(&rest[..rest.len() - 1]);
            rest = mux(aig, runs, &doubled, &rest);
        }
    }
    // One below: the dividend's significand counts half as much as the divisor's.
    let just_below = compare::equal(aig, &above, &signed_constant(-1, width));
    let doubled = extend_below(&rest, 1);
    let single = resize(&rest, rest.len() + 1);
    let rest = mux(aig, just_below, &single, &doubled);
    Left { rest, odd, far_below: aig.and(negative, !just_below) }
}

/// Literal `i` says that the number is at least `i` (and not negative): which digits a quotient has.
fn countdown(aig: &mut Aig, count: &[Lit], rows: usize) -> Word {
    let width = count.len();
    let negative = count[width - 1];
    let mut at_least = vec![!negative];
    for i in 1..rows {
        let less = compare::less(aig, &count[..width - 1], &constant(i as u128, width - 1));
        at_least.push(aig.and(!less, !negative));
    }
    at_least
}

/// The number whose magnitude is a rest, of a dividend's sign.
fn from_rest(aig: &mut Aig, format: Format, rest: &[Lit], y: &Unpacked, sign: Lit) -> Unpacked {
    let zero = compare::is_zero(aig, rest);
    let (normal, zeros) = shift::normalise(aig, rest);
    let precision = format.significand_bits() as usize;
    let width = exponent_width(format) + 2;
    // The rest has two bits above the point where the divisor has one, and one bit below its lowest.
    let excess = rest.len() as i128 - 1 - precision as i128;
    let base = add::add(aig, &resize_signed(&y.exponent, width), &signed_constant(excess, width));
    let exponent = add::subtract(aig, &base, &resize(&zeros, width));
    let mut significand = normal[rest.len() - precision..].to_vec();
    significand[precision - 1] = Lit::TRUE;
    Unpacked {
        nan: Lit::FALSE,
        infinite: Lit::FALSE,
        zero,
        sign,
        exponent: resize_signed(&exponent, exponent_width(format)),
        significand,
    }
}

/// The special cases of both remainders: `x` itself where it is small, zero or `y` infinite.
fn finish(aig: &mut Aig, x: &Unpacked, y: &Unpacked, small: Lit, rest: Unpacked) -> Unpacked {
    let itself = aig.any(&[small, x.zero, y.infinite]);
    let result = Unpacked::mux(aig, itself, x, &rest);
    let nan = aig.any(&[x.nan, y.nan, x.infinite, y.zero]);
    Unpacked { nan, infinite: Lit::FALSE, zero: aig.and(result.zero, !nan), ..result }
}

/// C's `fmod`: exact, with the sign of the dividend.
pub fn truncated(aig: &mut Aig, format: Format, x: &Unpacked, y: &Unpacked) -> Unpacked {
    let left = long_division(aig, format, x, y);
    let width = exponent_width(format) + 1;
    let small = compare::signed_less(aig, &resize_signed(&x.exponent, width), &resize_signed(&y.exponent, width));
    let rest = from_rest(aig, format, &left.rest, y, x.sign);
    finish(aig, x, y, small, rest)
}

/// IEEE's remainder: `x - n * y` for the integer `n` nearest to `x / y`, the even one of two.
pub fn nearest(aig: &mut Aig, format: Format, x: &Unpacked, y: &Unpacked) -> Unpacked {
    let left = long_division(aig, format, x, y);
    // In half units the divisor is twice its significand, and half of it the significand itself.
    let length = left.rest.len();
    let half = resize(&y.significand, length);
    let whole = resize(&extend_below(&y.significand, 1), length);
    let above = compare::less(aig, &half, &left.rest);
    let tie = compare::equal(aig, &half, &left.rest);
    let up = aig.and(tie, left.odd);
    let up = aig.or(above, up);
    let (over, _) = add::with_carry(aig, &whole, &not(&left.rest), Lit::TRUE);
    let rest = mux(aig, up, &over, &left.rest);
    let zero = compare::is_zero(aig, &rest);
    // An exact multiple keeps the dividend's sign.
    let flip = aig.and(up, !zero);
    let sign = aig.xor(x.sign, flip);
    let rest = from_rest(aig, format, &rest, y, sign);
    finish(aig, x, y, left.far_below, rest)
}
