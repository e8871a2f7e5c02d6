//! Rounding to an integral value.

use super::{Number, pack, unpack};
use crate::sort::Format;

/// How a number between two integers is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// Toward negative infinity.
    Floor,
    /// Toward positive infinity.
    Ceil,
    /// Toward zero.
    Trunc,
    /// To the nearest, halves away from zero.
    NearestAway,
    /// To the nearest, halves to even.
    NearestEven,
}

pub fn round_to_integral(format: Format, a: u128, rounding: Rounding) -> u128 {
    let number = unpack(format, a);
    let Number::Finite { negative, exponent, significand } = number else { return pack(format, number) };
    if exponent >= 0 {
        return pack(format, number);
    }
    // Bits below the point; beyond 65 the number is small whatever they are.
    let below = (-exponent).min(66) as u32;
    let (whole, half) = ((significand as u128) >> below, 1u128 << (below - 1));
    let rest = significand as u128 & ((1 << below) - 1);
    let up = match rounding {
        Rounding::Floor => negative && rest != 0,
        Rounding::Ceil => !negative && rest != 0,
        Rounding::Trunc => false,
        Rounding::NearestAway => rest >= half,
        Rounding::NearestEven => rest > half || rest == half && whole & 1 == 1,
    };
    // An integral value below 2^64 that was rounded up has few bits or is 2^64: both are exact in the format.
    match whole + up as u128 {
        0 => pack(format, Number::Zero { negative }),
        value => super::round(format, negative, 0, value, false),
    }
}
