//! Products, quotients and square roots.

use super::round::{Range, round};
use super::{Unpacked, Unrounded};
use crate::aig::{Aig, Lit};
use crate::circuits::{Word, add, compare, multiply as integer, mux, resize_signed};
use plumb_term::Format;

/// Flags of a product.
pub(super) struct Flags {
    pub nan: Lit,
    pub infinite: Lit,
    pub zero: Lit,
}

pub(super) fn product_flags(aig: &mut Aig, x: &Unpacked, y: &Unpacked) -> Flags {
    let any_infinite = aig.or(x.infinite, y.infinite);
    let any_zero = aig.or(x.zero, y.zero);
    let undefined = aig.and(any_infinite, any_zero);
    let nan = aig.any(&[x.nan, y.nan, undefined]);
    Flags { nan, infinite: aig.and(any_infinite, !nan), zero: aig.and(any_zero, !nan) }
}

/// The product of two finite numbers, twice as long.
pub(super) fn exact_product(aig: &mut Aig, x: &Unpacked, y: &Unpacked) -> Unrounded {
    let length = 2 * x.significand.len();
    let product = integer::multiply(aig, &x.significand, &y.significand, length);
    // Between one and four.
    let large = product[length - 1];
    let mut shifted = vec![Lit::FALSE];
    shifted.extend_from_slice(&product[..length - 1]);
    let mut significand = mux(aig, large, &product, &shifted);
    significand[length - 1] = Lit::TRUE;
    let width = x.exponent.len() + 2;
    let (exponent, _) =
        add::with_carry(aig, &resize_signed(&x.exponent, width), &resize_signed(&y.exponent, width), large);
    Unrounded { zero: aig.or(x.zero, y.zero), sign: aig.xor(x.sign, y.sign), exponent, significand }
}

pub fn multiply(aig: &mut Aig, format: Format, x: &Unpacked, y: &Unpacked) -> Unpacked {
    let product = exact_product(aig, x, y);
    let rounded = round(aig, format, &product, Range::ALL);
    let flags = product_flags(aig, x, y);
    rounded.with_special(aig, flags.nan, flags.infinite, flags.zero, product.sign)
}

pub fn divide(aig: &mut Aig, format: Format, x: &Unpacked, y: &Unpacked) -> Unpacked {
    let sign = aig.xor(x.sign, y.sign);
    let (quotient, inexact) = quotient(aig, &x.significand, &y.significand);
    let length = quotient.len();
    // Between one half and two.
    let large = quotient[length - 1];
    let mut shifted = vec![Lit::FALSE];
    shifted.extend_from_slice(&quotient[..length - 1]);
    let mut significand = vec![inexact];
    significand.extend(mux(aig, large, &quotient, &shifted));
    significand[length] = Lit::TRUE;
    let width = x.exponent.len() + 2;
    let divisor = crate::circuits::not(&resize_signed(&y.exponent, width));
    // Minus one more if the quotient is below one.
    let (exponent, _) = add::with_carry(aig, &resize_signed(&x.exponent, width), &divisor, large);
    let finite = Unrounded { zero: Lit::FALSE, sign, exponent, significand };
    let rounded = round(aig, format, &finite, Range::ALL);
    let both_zero = aig.and(x.zero, y.zero);
    let both_infinite = aig.and(x.infinite, y.infinite);
    let nan = aig.any(&[x.nan, y.nan, both_zero, both_infinite]);
    let infinite = aig.or(x.infinite, y.zero);
    let zero = aig.or(x.zero, y.infinite);
    let (infinite, zero) = (aig.and(infinite, !nan), aig.and(zero, !nan));
    rounded.with_special(aig, nan, infinite, zero, sign)
}

/// The quotient of two significands with one bit before the point and two more behind it than they have, and whether
/// something is left.
fn quotient(aig: &mut Aig, x: &[Lit], y: &[Lit]) -> (Word, Lit) {
    let mut divisor = y.to_vec();
    divisor.push(Lit::FALSE);
    let mut rest = x.to_vec();
    rest.push(Lit::FALSE);
    let mut digits = Word::new();
    for _ in 0..x.len() + 2 {
        let (difference, fits) = add::subtract_checked(aig, &rest, &divisor);
        rest = mux(aig, fits, &difference, &rest);
        digits.push(fits);
        // Below the divisor now, so doubling it does not overflow.
        rest.pop();
        rest.insert(0, Lit::FALSE);
    }
    digits.reverse();
    (digits, aig.any(&rest))
}

pub fn square_root(aig: &mut Aig, format: Format, x: &Unpacked) -> Unpacked {
    let odd = x.exponent[0];
    let half = &x.exponent[1..];
    let (root, inexact) = root(aig, &x.significand, odd);
    let mut significand = vec![inexact];
    significand.extend(root);
    let finite = Unrounded { zero: Lit::FALSE, sign: x.sign, exponent: half.to_vec(), significand };
    // Only formats with hardly any exponents have subnormal roots.
    let lowest = format.min_exponent() - (format.significand_bits() as i32 - 1);
    let underflow = lowest.div_euclid(2) < format.min_exponent();
    let rounded = round(aig, format, &finite, Range { underflow, overflow: false });
    let below_zero = aig.and(x.sign, !x.zero);
    let nan = aig.or(x.nan, below_zero);
    let infinite = aig.and(x.infinite, !nan);
    rounded.with_special(aig, nan, infinite, x.zero, x.sign)
}

/// The root of a significand, doubled if `odd`, with one bit more than it has; and whether something is left.
fn root(aig: &mut Aig, x: &[Lit], odd: Lit) -> (Word, Lit) {
    // Two bits before the point, the rest behind it, in pairs from the top.
    let mut doubled = vec![Lit::FALSE];
    doubled.extend_from_slice(x);
    let mut single = x.to_vec();
    single.push(Lit::FALSE);
    let radicand = mux(aig, odd, &doubled, &single);
    let mut bits = radicand.iter().rev().copied().chain(std::iter::repeat(Lit::FALSE));
    let mut pair = || [bits.next().unwrap_or(Lit::FALSE), bits.next().unwrap_or(Lit::FALSE)];
    // The first pair is not zero, so the first digit is one.
    let [high, low] = pair();
    let mut rest = vec![!low, aig.and(high, low)];
    let mut root = vec![Lit::TRUE];
    for _ in 0..x.len() {
        let [high, low] = pair();
        // Subtract twice the root so far and the new digit, times the new digit: (4 * root + 1) from 4 * rest + pair.
        rest.splice(0..0, [low, high]);
        let mut trial = vec![Lit::TRUE, Lit::FALSE];
        trial.extend_from_slice(&root);
        trial.resize(rest.len(), Lit::FALSE);
        let (difference, fits) = add::subtract_checked(aig, &rest, &trial);
        rest = mux(aig, fits, &difference, &rest);
        // At most twice the root: one bit longer than it.
        root.insert(0, fits);
        rest.truncate(root.len() + 1);
    }
    let left = !compare::is_zero(aig, &rest);
    (root, left)
}
