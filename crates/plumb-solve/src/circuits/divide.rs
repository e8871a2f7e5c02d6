//! Division: restoring, one row of subtraction per bit of the quotient.
//!
//! A divisor of zero needs no case of its own: nothing borrows, so the quotient is all ones and the rest the dividend,
//! which is what SMT-LIB asks for.

use super::add::{negate_if, subtract_checked};
use super::{Word, mux};
use crate::aig::{Aig, Lit};

/// Quotient and remainder of unsigned numbers.
pub fn unsigned(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let width = a.len();
    // Whether the divisor has a bit at this position or above.
    let mut reaches = vec![Lit::FALSE; width + 1];
    for i in (0..width).rev() {
        reaches[i] = aig.or(reaches[i + 1], b[i]);
    }
    let mut quotient = vec![Lit::FALSE; width];
    let mut rest = Word::new();
    for i in (0..width).rev() {
        // The rest so far has fewer bits than the divisor may have: those above only tell that it does not fit.
        rest.insert(0, a[i]);
        let known = rest.len();
        let (difference, fits_below) = subtract_checked(aig, &rest, &b[..known]);
        let fits = aig.and(fits_below, !reaches[known]);
        quotient[i] = fits;
        rest = mux(aig, fits, &difference, &rest);
    }
    (quotient, rest)
}

/// Quotient and remainder of two's complement numbers, rounded towards zero.
pub fn signed(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
    let (size_a, size_b) = (negate_if(aig, sign_a, a), negate_if(aig, sign_b, b));
    let (quotient, rest) = unsigned(aig, &size_a, &size_b);
    let negative = aig.xor(sign_a, sign_b);
    (negate_if(aig, negative, &quotient), negate_if(aig, sign_a, &rest))
}
