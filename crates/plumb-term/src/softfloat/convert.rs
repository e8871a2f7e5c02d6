//! Conversions between formats and to and from integers of any width.

use super::{Number, pack, round, unpack};
use crate::bitvec::BitVec;
use crate::sort::Format;

pub fn to_float(from: Format, to: Format, a: u128) -> u128 {
    pack(to, unpack(from, a))
}

/// The nearest float to `-magnitude` or `magnitude`. Integer zero is positive zero.
pub fn from_integer(format: Format, negative: bool, magnitude: &BitVec) -> u128 {
    let bits = magnitude.significant_bits();
    if bits == 0 {
        return pack(format, Number::Zero { negative: false });
    }
    let surplus = bits.saturating_sub(128);
    let upper = magnitude.lshr_by(surplus).to_u128().unwrap_or(u128::MAX);
    round(format, negative, surplus as i32, upper, magnitude.trailing_zeros() < surplus)
}

/// Truncated toward zero; NaN and what does not fit into the signed width give the most negative number.
pub fn to_signed(format: Format, a: u128, width: u32) -> BitVec {
    let (negative, exponent, significand) = match unpack(format, a) {
        Number::Nan | Number::Infinity { .. } => return BitVec::min_signed(width),
        Number::Zero { .. } => return BitVec::zero(width),
        Number::Finite { negative, exponent, significand } => (negative, exponent, significand),
    };
    // The highest bit has weight 2^(exponent + 63); a magnitude of 2^(width - 1) is the most negative number anyway.
    let top = exponent + 63;
    if top >= width as i32 - 1 && top >= 0 {
        return BitVec::min_signed(width);
    }
    let magnitude = if exponent >= 0 {
        BitVec::new(width.max(64), significand as u128).shl_by(exponent as u32)
    } else {
        BitVec::new(width.max(64), (significand as u128) >> (-exponent).min(64))
    };
    let magnitude = magnitude.extract(width - 1, 0);
    if negative { magnitude.neg() } else { magnitude }
}
