//! The two remainders, exact on integer significands.

use super::{Number, pack, round, unpack};
use crate::sort::Format;

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
    let rest = shifted_modulo(x.significand, x.exponent - y.exponent, y.significand);
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
    // Modulo twice the divisor, so that the rest also tells whether the quotient is odd.
    let (unit, divisor) =
        if x.exponent >= y.exponent { (y.exponent, y.significand) } else { (x.exponent, y.significand << 1) };
    let rest = shifted_modulo(x.significand, x.exponent - unit, 2 * divisor);
    // In halves of the divisor the rest lies in one of four quarters of the doubled divisor.
    let (magnitude, is_flipped) = if 2 * rest <= divisor {
        (rest, false)
    } else if 2 * rest < 3 * divisor {
        if rest >= divisor { (rest - divisor, false) } else { (divisor - rest, true) }
    } else {
        (2 * divisor - rest, true)
    };
    result(format, x.negative != (is_flipped && magnitude != 0), unit, magnitude)
}
