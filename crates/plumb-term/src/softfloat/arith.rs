//! Sum, product, quotient, root and fused multiply-add.

use super::{Number, host, pack, round, unpack};
use crate::sort::Format;

pub fn add(format: Format, a: u128, b: u128) -> u128 {
    host::binary(format, a, b, |x, y| x + y, |x, y| x + y)
        .unwrap_or_else(|| sum(format, unpack(format, a), unpack(format, b)))
}

pub(super) fn sum(format: Format, x: Number, y: Number) -> u128 {
    match (x, y) {
        (Number::Nan, _) | (_, Number::Nan) => format.canonical_nan(),
        (Number::Infinity { negative: a }, Number::Infinity { negative: b }) if a != b => format.canonical_nan(),
        (Number::Infinity { negative }, _) | (_, Number::Infinity { negative }) => format.infinity(negative),
        (Number::Zero { negative: a }, Number::Zero { negative: b }) => pack(format, Number::Zero { negative: a && b }),
        (Number::Zero { .. }, other) | (other, Number::Zero { .. }) => pack(format, other),
        (
            Number::Finite { negative: na, exponent: ea, significand: sa },
            Number::Finite { negative: nb, exponent: eb, significand: sb },
        ) => {
            let a = Exact { negative: na, exponent: ea - 64, high: sa as u128, low: 0 };
            let b = Exact { negative: nb, exponent: eb - 64, high: sb as u128, low: 0 };
            exact_sum(format, a, b)
        }
    }
}

pub fn mul(format: Format, a: u128, b: u128) -> u128 {
    host::binary(format, a, b, |x, y| x * y, |x, y| x * y)
        .unwrap_or_else(|| product(format, unpack(format, a), unpack(format, b)))
}

pub(super) fn product(format: Format, x: Number, y: Number) -> u128 {
    match (x, y) {
        (Number::Nan, _) | (_, Number::Nan) => format.canonical_nan(),
        (Number::Infinity { .. }, Number::Zero { .. }) | (Number::Zero { .. }, Number::Infinity { .. }) => {
            format.canonical_nan()
        }
        (
            Number::Finite { negative: na, exponent: ea, significand: sa },
            Number::Finite { negative: nb, exponent: eb, significand: sb },
        ) => round(format, na != nb, ea + eb, sa as u128 * sb as u128, false),
        (Number::Infinity { .. }, _) | (_, Number::Infinity { .. }) => format.infinity(sign(x) != sign(y)),
        (Number::Zero { .. }, _) | (_, Number::Zero { .. }) => {
            pack(format, Number::Zero { negative: sign(x) != sign(y) })
        }
    }
}

fn sign(x: Number) -> bool {
    match x {
        Number::Nan => false,
        Number::Infinity { negative } | Number::Zero { negative } | Number::Finite { negative, .. } => negative,
    }
}

pub fn div(format: Format, a: u128, b: u128) -> u128 {
    host::binary(format, a, b, |x, y| x / y, |x, y| x / y)
        .unwrap_or_else(|| quotient(format, unpack(format, a), unpack(format, b)))
}

pub(super) fn quotient(format: Format, x: Number, y: Number) -> u128 {
    match (x, y) {
        (Number::Nan, _) | (_, Number::Nan) => format.canonical_nan(),
        (Number::Infinity { .. }, Number::Infinity { .. }) | (Number::Zero { .. }, Number::Zero { .. }) => {
            format.canonical_nan()
        }
        (
            Number::Finite { negative: na, exponent: ea, significand: sa },
            Number::Finite { negative: nb, exponent: eb, significand: sb },
        ) => {
            let (numerator, divisor) = ((sa as u128) << 64, sb as u128);
            // Two bits more than the quotient of 64 or 65 bits: one decides the rounding, the rest is sticky.
            let (high, rest) = (numerator / divisor, (numerator % divisor) << 2);
            let significand = (high << 2) | (rest / divisor);
            round(format, na != nb, ea - eb - 66, significand, rest % divisor != 0)
        }
        (Number::Infinity { .. }, _) | (_, Number::Zero { .. }) => format.infinity(sign(x) != sign(y)),
        (Number::Zero { .. }, _) | (_, Number::Infinity { .. }) => {
            pack(format, Number::Zero { negative: sign(x) != sign(y) })
        }
    }
}

pub fn sqrt(format: Format, a: u128) -> u128 {
    host::unary(format, a, f32::sqrt, f64::sqrt).unwrap_or_else(|| root(format, unpack(format, a)))
}

pub(super) fn root(format: Format, x: Number) -> u128 {
    match x {
        Number::Nan => format.canonical_nan(),
        Number::Zero { .. } | Number::Infinity { negative: false } => pack(format, x),
        Number::Infinity { negative: true } | Number::Finite { negative: true, .. } => format.canonical_nan(),
        Number::Finite { negative: false, exponent, significand } => {
            // 127 or 128 bits with an even exponent have a root of 64 bits.
            let shift = if exponent % 2 == 0 { 64 } else { 63 };
            let square = (significand as u128) << shift;
            let root = square.isqrt();
            let rest = square - root * root;
            // The root lies above the middle of its last digit when the rest exceeds it; never in the middle.
            round(format, false, (exponent - shift) / 2 - 1, root << 1 | (rest > root) as u128, rest != 0)
        }
    }
}

pub fn fma(format: Format, a: u128, b: u128, c: u128) -> u128 {
    host::ternary(format, [a, b, c], f32::mul_add, f64::mul_add)
        .unwrap_or_else(|| product_sum(format, unpack(format, a), unpack(format, b), unpack(format, c)))
}

pub(super) fn product_sum(format: Format, x: Number, y: Number, z: Number) -> u128 {
    let (
        Number::Finite { negative: na, exponent: ea, significand: sa },
        Number::Finite { negative: nb, exponent: eb, significand: sb },
    ) = (x, y)
    else {
        // The product is zero, infinite or NaN: exact, so that rounding it first changes nothing.
        return sum(format, unpack(format, product(format, x, y)), z);
    };
    let product = Exact { negative: na != nb, exponent: ea + eb - 64, high: sa as u128 * sb as u128, low: 0 };
    match z {
        Number::Nan => format.canonical_nan(),
        Number::Infinity { negative } => format.infinity(negative),
        Number::Zero { .. } => product.rounded(format, false),
        Number::Finite { negative, exponent, significand } => {
            let addend = Exact { negative, exponent: exponent - 64, high: significand as u128, low: 0 };
            exact_sum(format, product, addend)
        }
    }
}

/// `(high * 2^64 + low) * 2^exponent`: 192 bits, of which a product takes the upper 128.
#[derive(Clone, Copy)]
struct Exact {
    negative: bool,
    exponent: i32,
    high: u128,
    low: u64,
}

impl Exact {
    /// The highest bit at position 126 of `high`, which leaves room for a carry. Below it are at least 62 zeros or
    /// bits of a product.
    fn normalised(self) -> Exact {
        let shift = self.high.leading_zeros() as i32 - 1;
        if shift < 0 {
            let low = ((self.high as u64) << 63) | self.low >> 1;
            return Exact { exponent: self.exponent + 1, high: self.high >> 1, low, ..self };
        }
        let carried = if (1..64).contains(&shift) { (self.low >> (64 - shift)) as u128 } else { 0 };
        let low = if shift >= 64 { 0 } else { self.low << shift };
        Exact { exponent: self.exponent - shift, high: self.high << shift | carried, low, ..self }
    }

    /// Divided by a power of two; the lowest bit keeps whether anything was lost.
    fn shifted_down(self, count: i32) -> Exact {
        let (mut high, mut low, mut lost) = (self.high, self.low, false);
        let mut left = count;
        while left > 0 && (high != 0 || low != 0) {
            let step = left.min(63);
            lost |= low & ((1 << step) - 1) != 0;
            low = low >> step | (high as u64) << (64 - step);
            high >>= step;
            left -= step;
        }
        Exact { exponent: self.exponent + count, high, low: low | lost as u64, ..self }
    }

    fn rounded(self, format: Format, sticky: bool) -> u128 {
        if self.high == 0 {
            return round(format, self.negative, self.exponent, self.low as u128, sticky);
        }
        // With bit 127 of the significand set there are bits to spare below any precision.
        let shift = self.high.leading_zeros() as i32;
        let carried = if shift == 0 { 0 } else { (self.low as u128) << 64 >> (128 - shift) };
        let significand = self.high << shift | carried;
        let lost = if shift < 64 { self.low << shift != 0 } else { false };
        round(format, self.negative, self.exponent + 64 - shift, significand, lost || sticky)
    }
}

/// The sum of two numbers that are not zero.
fn exact_sum(format: Format, a: Exact, b: Exact) -> u128 {
    let (a, b) = (a.normalised(), b.normalised());
    let (large, small) = if (a.exponent, a.high, a.low) >= (b.exponent, b.high, b.low) { (a, b) } else { (b, a) };
    // A digit that is lost here lies at least 62 places below the last one that rounding can ask for.
    let small = small.shifted_down(large.exponent - small.exponent);
    let (high, low) = if large.negative == small.negative {
        let (low, carry) = large.low.overflowing_add(small.low);
        (large.high + small.high + carry as u128, low)
    } else {
        let (low, borrow) = large.low.overflowing_sub(small.low);
        (large.high - small.high - borrow as u128, low)
    };
    if high == 0 && low == 0 {
        // An exact difference of zero is positive when rounding to nearest.
        return pack(format, Number::Zero { negative: false });
    }
    Exact { high, low, ..large }.rounded(format, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interesting(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let random = *seed ^ *seed >> 29;
        match random % 5 {
            0 => random,
            // Exponents near each other and few set bits, where cancellation and ties happen.
            1 => random & 0x800f_ffff_ffff_ffff | (1000 + (random >> 53 & 63)) << 52,
            2 => random & 0xbff0_0000_0000_0003 | 0x3c00_0000_0000_0000,
            3 => random & 0x8000_0000_0000_00ff,
            _ => random | 0x7fe0_0000_0000_0000,
        }
    }

    #[test]
    fn soft_arithmetic_agrees_with_the_hosts() {
        let mut seed = 3;
        let canonical = |x: f64| if x.is_nan() { Format::F64.canonical_nan() } else { x.to_bits() as u128 };
        for _ in 0..200_000 {
            let [a, b, c] = [(); 3].map(|_| f64::from_bits(interesting(&mut seed)));
            let [x, y, z] = [a, b, c].map(|v| unpack(Format::F64, v.to_bits() as u128));
            let same = |soft: u128, host: f64, what: &str| {
                assert_eq!(soft, canonical(host), "{what} of {a:e} {b:e} {c:e} is {host:e}");
            };
            same(sum(Format::F64, x, y), a + b, "sum");
            same(product(Format::F64, x, y), a * b, "product");
            same(quotient(Format::F64, x, y), a / b, "quotient");
            same(root(Format::F64, x), a.sqrt(), "root");
            same(product_sum(Format::F64, x, y, z), a.mul_add(b, c), "fma");
        }
    }
}
