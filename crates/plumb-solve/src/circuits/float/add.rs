//! Sums, and products with a sum rounded once.

use super::round::{Range, round};
use super::{Unpacked, Unrounded, extend_below, multiply};
use crate::aig::{Aig, Lit};
use crate::circuits::{Word, add, compare, constant, mask, mux, resize, resize_signed, shift, xor};
use plumb_term::Format;

/// Bits below the significands that keep a sum exact enough for rounding: guard, round and sticky.
const EXTRA: usize = 3;

/// The sum of two finite numbers whose words have the same lengths.
fn sum(aig: &mut Aig, x: &Unrounded, y: &Unrounded) -> Unrounded {
    let swap = larger_second(aig, x, y);
    let (sign, other_sign) = (aig.mux(swap, y.sign, x.sign), aig.mux(swap, x.sign, y.sign));
    let large = mux(aig, swap, &y.significand, &x.significand);
    let small = mux(aig, swap, &x.significand, &y.significand);
    let small_zero = aig.mux(swap, x.zero, y.zero);
    let small = mask(aig, &small, !small_zero);
    let exponent = mux(aig, swap, &y.exponent, &x.exponent);
    let small_exponent = mux(aig, swap, &x.exponent, &y.exponent);
    let apart = add::subtract(aig, &exponent, &small_exponent);
    let small = shift::right_sticky(aig, &extend_below(&small, EXTRA), &apart);
    let large = extend_below(&large, EXTRA);
    let subtract = aig.xor(sign, other_sign);
    let signs = vec![subtract; small.len()];
    let addend = xor(aig, &small, &signs);
    let (mut total, carry) = add::with_carry(aig, &large, &addend, subtract);
    total.push(aig.and(carry, !subtract));
    let cancelled = compare::is_zero(aig, &total);
    let both_zero = aig.and(x.zero, y.zero);
    let zero = aig.or(cancelled, both_zero);
    let (significand, zeros) = shift::normalise(aig, &total);
    let width = exponent.len().max(zeros.len()) + 2;
    let above = add::increment(aig, &resize_signed(&exponent, width), Lit::TRUE).0;
    let exponent = add::subtract(aig, &above, &resize(&zeros, width));
    // A sum of opposite numbers is positive; of two zeros with the same sign, such a zero.
    let zero_sign = aig.and(x.sign, y.sign);
    let sign = aig.mux(zero, zero_sign, sign);
    Unrounded { zero, sign, exponent, significand }
}

/// Whether the second number has the larger magnitude. Zeros are smaller than everything.
fn larger_second(aig: &mut Aig, x: &Unrounded, y: &Unrounded) -> Lit {
    let whole = |number: &Unrounded| -> Word { [&number.significand[..], &number.exponent[..]].concat() };
    let less = compare::signed_less(aig, &whole(x), &whole(y));
    let less = aig.and(less, !y.zero);
    aig.or(x.zero, less)
}

fn finite(x: &Unpacked) -> Unrounded {
    Unrounded { zero: x.zero, sign: x.sign, exponent: x.exponent.clone(), significand: x.significand.clone() }
}

pub fn add(aig: &mut Aig, format: Format, x: &Unpacked, y: &Unpacked) -> Unpacked {
    let total = sum(aig, &finite(x), &finite(y));
    // Operands are multiples of the smallest number, so is the sum: where it is subnormal, it is exact.
    let rounded = round(aig, format, &total, Range { underflow: false, overflow: true });
    with_infinities(aig, rounded, x, y, Lit::FALSE)
}

/// Special cases of a sum, whose operands may also be infinite or NaN.
fn with_infinities(aig: &mut Aig, sum: Unpacked, x: &Unpacked, y: &Unpacked, invalid: Lit) -> Unpacked {
    let opposite = aig.xor(x.sign, y.sign);
    let both = aig.and(x.infinite, y.infinite);
    let undefined = aig.and(both, opposite);
    let nan = aig.any(&[x.nan, y.nan, undefined, invalid]);
    let any = aig.or(x.infinite, y.infinite);
    let infinite = aig.and(any, !nan);
    let sign = aig.mux(y.infinite, y.sign, sum.sign);
    let sign = aig.mux(x.infinite, x.sign, sign);
    sum.with_special(aig, nan, infinite, Lit::FALSE, sign)
}

/// `x * y + z`, rounded once.
pub fn fused(aig: &mut Aig, format: Format, x: &Unpacked, y: &Unpacked, z: &Unpacked) -> Unpacked {
    let product = multiply::exact_product(aig, x, y);
    let precision = format.significand_bits() as usize;
    let addend = Unrounded {
        zero: z.zero,
        sign: z.sign,
        exponent: resize_signed(&z.exponent, product.exponent.len()),
        significand: extend_below(&z.significand, precision),
    };
    let total = sum(aig, &product, &addend);
    let rounded = round(aig, format, &total, Range::ALL);
    let flags = multiply::product_flags(aig, x, y);
    let factor = Unpacked {
        nan: flags.nan,
        infinite: flags.infinite,
        zero: flags.zero,
        sign: product.sign,
        exponent: constant(0, 1),
        significand: constant(0, 1),
    };
    with_infinities(aig, rounded, &factor, z, Lit::FALSE)
}
