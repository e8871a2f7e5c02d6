//! Arithmetic modulo the prime 2^127 - 1, and fractions read back from it.

pub const PRIME: u128 = (1 << 127) - 1;

/// A number modulo the prime: below it.
pub type Residue = u128;

fn reduce(x: u128) -> Residue {
    let x = (x & PRIME) + (x >> 127);
    if x >= PRIME { x - PRIME } else { x }
}

pub fn of(number: i128) -> Residue {
    let size = reduce(number.unsigned_abs());
    if number < 0 { neg(size) } else { size }
}

pub fn neg(a: Residue) -> Residue {
    if a == 0 { 0 } else { PRIME - a }
}

pub fn add(a: Residue, b: Residue) -> Residue {
    reduce(a + b)
}

pub fn sub(a: Residue, b: Residue) -> Residue {
    reduce(a + (PRIME - b))
}

pub fn mul(a: Residue, b: Residue) -> Residue {
    let (a0, a1) = (a as u64 as u128, a >> 64);
    let (b0, b1) = (b as u64 as u128, b >> 64);
    // Neither half-product reaches 2^127, so their sum fits.
    let middle = a0 * b1 + a1 * b0;
    let (low, carry) = (a0 * b0).overflowing_add(middle << 64);
    let high = a1 * b1 + (middle >> 64) + carry as u128;
    // 2^128 is 2 modulo the prime, and the high half is below 2^126.
    add(reduce(low), 2 * high)
}

/// Of a number that is not zero.
pub fn inverse(a: Residue) -> Residue {
    let (mut result, mut base, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, base);
        }
        base = mul(base, base);
        exponent >>= 1;
    }
    result
}

/// The number of least size with this residue.
pub fn signed(a: Residue) -> i128 {
    if a > PRIME / 2 { a as i128 - PRIME as i128 } else { a as i128 }
}

/// The fraction with numerator and denominator of at most `bound` that has the residue, if there is one: the first remainder
/// of Euclid's algorithm that is small enough (Wang 1981). There is at most one while `2 * bound * bound` is below the prime.
pub fn fraction(a: Residue, bound: i128) -> Option<(i128, i128)> {
    let (mut r0, mut r1) = (PRIME as i128, a as i128);
    let (mut t0, mut t1) = (0i128, 1i128);
    while r1 > bound {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (t0, t1) = (t1, t0.checked_sub(quotient.checked_mul(t1)?)?);
    }
    if t1 == 0 || t1.abs() > bound {
        return None;
    }
    Some(if t1 < 0 { (-r1, -t1) } else { (r1, t1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_has_its_laws() {
        let list =
            [0, 1, 2, PRIME - 1, PRIME / 2, PRIME / 3, 1 << 126, (1 << 64) - 1, 1 << 64, 0x1234_5678_9abc_def0 << 60];
        for a in list {
            assert_eq!(add(a, neg(a)), 0);
            if a != 0 {
                assert_eq!(mul(a, inverse(a)), 1);
            }
            for b in list {
                assert_eq!(mul(a, b), mul(b, a));
                assert_eq!(add(sub(a, b), b), a);
                for c in list {
                    assert_eq!(mul(a, add(b, c)), add(mul(a, b), mul(a, c)));
                    assert_eq!(mul(a, mul(b, c)), mul(mul(a, b), c));
                }
            }
        }
    }

    #[test]
    fn small_fractions_are_read_back() {
        for (n, d) in [(0, 1), (1, 1), (-1, 1), (1, 3), (-7, 12), (1 << 20, 3), (1, 1 << 20)] {
            assert_eq!(fraction(mul(of(n), inverse(of(d))), 1 << 20), Some((n, d)));
        }
        assert_eq!(fraction(of(1 << 40), 1 << 20), None);
        assert_eq!(signed(of(-5)), -5);
    }
}
