//! The two remainders, exact on integer significands.

use super::{Number, pack, round, unpack};
use crate::sort::Format;
use std::cmp::Ordering;

/// `dividend * 2^shift` divided by a divisor: what is left, and whether the quotient is odd. All are below 2^66.
///
/// The long division of schoolbooks, a binary digit at a time. The scalar semantics of `plumb-ir`, which is compared with this, reduces
/// sixty digits at once: an oracle must not share its mistakes.
fn long_division(dividend: u128, shift: i32, divisor: u128) -> (u128, bool) {
    let (mut rest, mut is_odd) = (dividend % divisor, dividend / divisor % 2 == 1);
    for _ in 0..shift {
        rest *= 2;
        is_odd = rest >= divisor;
        if is_odd {
            rest -= divisor;
        }
    }
    (rest, is_odd)
}

struct Operand {
    negative: bool,
    exponent: i32,
    significand: u128,
}

/// The two finite operands that are left when NaN, infinities and zeros have been dealt with, or the result.
fn operands(format: Format, a: u128, b: u128) -> Result<(Operand, Operand), u128> {
    match (unpack(format, a), unpack(format, b)) {
        (Number::Nan | Number::Infinity { .. }, _) | (_, Number::Nan | Number::Zero { .. }) => {
            Err(format.canonical_nan())
        }
        (x @ Number::Zero { .. }, _) | (x, Number::Infinity { .. }) => Err(pack(format, x)),
        (
            Number::Finite { negative: na, exponent: ea, significand: sa },
            Number::Finite { negative: nb, exponent: eb, significand: sb },
        ) => Ok((
            Operand { negative: na, exponent: ea, significand: sa as u128 },
            Operand { negative: nb, exponent: eb, significand: sb as u128 },
        )),
    }
}

fn result(format: Format, negative: bool, exponent: i32, significand: u128) -> u128 {
    match significand {
        0 => pack(format, Number::Zero { negative }),
        _ => round(format, negative, exponent, significand, false),
    }
}

/// C's `fmod`: the sign of the dividend.
pub fn fmod(format: Format, a: u128, b: u128) -> u128 {
    let (x, y) = match operands(format, a, b) {
        Ok(operands) => operands,
        Err(result) => return result,
    };
    if x.exponent < y.exponent {
        return result(format, x.negative, x.exponent, x.significand);
    }
    let (rest, _) = long_division(x.significand, x.exponent - y.exponent, y.significand);
    result(format, x.negative, y.exponent, rest)
}

/// IEEE's remainder: `x - n * y` for the integer `n` nearest to `x / y`, the even one of two.
pub fn ieee_remainder(format: Format, a: u128, b: u128) -> u128 {
    let (x, y) = match operands(format, a, b) {
        Ok(operands) => operands,
        Err(result) => return result,
    };
    if x.exponent < y.exponent - 1 {
        return result(format, x.negative, x.exponent, x.significand);
    }
    // In units in which both are integers.
    let (unit, divisor) =
        if x.exponent >= y.exponent { (y.exponent, y.significand) } else { (x.exponent, y.significand << 1) };
    let (rest, is_odd) = long_division(x.significand, x.exponent - unit, divisor);
    // The next multiple of the divisor is nearer, or as near and the even one.
    let is_next = match (2 * rest).cmp(&divisor) {
        Ordering::Less => false,
        Ordering::Equal => is_odd,
        Ordering::Greater => true,
    };
    let magnitude = if is_next { divisor - rest } else { rest };
    result(format, x.negative != is_next, unit, magnitude)
}
