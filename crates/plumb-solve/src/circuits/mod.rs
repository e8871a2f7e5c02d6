//! Arithmetic as gates. Words are vectors of literals, least significant bit first.
//!
//! Constants need no special treatment in most circuits: the gate rules fold them, so that an adder of a constant or a
//! comparison with one comes out as a hand-made circuit would. Multiplication is the exception (`multiply.rs`).

pub mod add;
pub mod compare;
pub mod divide;
pub mod float;
pub mod multiply;
pub mod shift;
#[cfg(test)]
mod tests;

use crate::aig::{Aig, Lit};

/// Bits of a number, least significant first.
pub type Word = Vec<Lit>;

/// A constant; bits beyond 128 are zero.
pub fn constant(value: u128, width: usize) -> Word {
    (0..width).map(|i| Lit::constant(i < 128 && value >> i & 1 != 0)).collect()
}

/// A two's complement constant of any width.
pub fn signed_constant(value: i128, width: usize) -> Word {
    (0..width).map(|i| Lit::constant(value >> i.min(127) & 1 != 0)).collect()
}

/// The value of a word of constants of at most 128 bits.
pub fn as_constant(word: &[Lit]) -> Option<u128> {
    if word.len() > 128 {
        return None;
    }
    word.iter().enumerate().try_fold(0, |value, (i, lit)| Some(value | (lit.as_constant()? as u128) << i))
}

pub fn not(word: &[Lit]) -> Word {
    word.iter().map(|&bit| !bit).collect()
}

pub fn and(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    a.iter().zip(b).map(|(&x, &y)| aig.and(x, y)).collect()
}

pub fn or(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    a.iter().zip(b).map(|(&x, &y)| aig.or(x, y)).collect()
}

pub fn xor(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    a.iter().zip(b).map(|(&x, &y)| aig.xor(x, y)).collect()
}

pub fn mux(aig: &mut Aig, c: Lit, t: &[Lit], e: &[Lit]) -> Word {
    t.iter().zip(e).map(|(&x, &y)| aig.mux(c, x, y)).collect()
}

/// Every bit and-ed with one literal.
pub fn mask(aig: &mut Aig, word: &[Lit], keep: Lit) -> Word {
    word.iter().map(|&bit| aig.and(bit, keep)).collect()
}

/// Zeros above, or the excess cut off.
pub fn resize(word: &[Lit], width: usize) -> Word {
    let mut result = word[..word.len().min(width)].to_vec();
    result.resize(width, Lit::FALSE);
    result
}

/// Copies of the sign above, or the excess cut off.
pub fn resize_signed(word: &[Lit], width: usize) -> Word {
    let sign = word.last().copied().unwrap_or(Lit::FALSE);
    let mut result = word[..word.len().min(width)].to_vec();
    result.resize(width, sign);
    result
}
