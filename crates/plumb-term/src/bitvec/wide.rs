//! Arithmetic on limbs of 64 bits, least significant first. Results have as many limbs as the first operand.

pub fn limbs_for(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// Clears the bits above a width.
pub fn cut(limbs: &mut Vec<u64>, width: u32) {
    limbs.truncate(limbs_for(width));
    if let Some(last) = limbs.last_mut()
        && !width.is_multiple_of(64)
    {
        *last &= u64::MAX >> (64 - width % 64);
    }
}

pub fn map2(a: &[u64], b: &[u64], f: impl Fn(u64, u64) -> u64) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| f(*a, *b)).collect()
}

pub fn significant_bits(limbs: &[u64]) -> u32 {
    match limbs.iter().rposition(|limb| *limb != 0) {
        Some(at) => at as u32 * 64 + 64 - limbs[at].leading_zeros(),
        None => 0,
    }
}

pub fn trailing_zeros(limbs: &[u64]) -> u32 {
    match limbs.iter().position(|limb| *limb != 0) {
        Some(at) => at as u32 * 64 + limbs[at].trailing_zeros(),
        None => limbs.len() as u32 * 64,
    }
}

pub fn add(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut carry = false;
    let step = |(a, b): (&u64, &u64)| {
        let (sum, first) = a.overflowing_add(*b);
        let (sum, second) = sum.overflowing_add(carry as u64);
        carry = first || second;
        sum
    };
    a.iter().zip(b).map(step).collect()
}

pub fn sub(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut borrow = false;
    let step = |(a, b): (&u64, &u64)| {
        let (difference, first) = a.overflowing_sub(*b);
        let (difference, second) = difference.overflowing_sub(borrow as u64);
        borrow = first || second;
        difference
    };
    a.iter().zip(b).map(step).collect()
}

pub fn mul(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut product = vec![0u64; a.len()];
    for (i, x) in a.iter().enumerate() {
        let mut carry = 0u128;
        for (j, y) in b.iter().enumerate().take(a.len() - i) {
            carry += *x as u128 * *y as u128 + product[i + j] as u128;
            product[i + j] = carry as u64;
            carry >>= 64;
        }
    }
    product
}

/// Quotient and rest, bit by bit; the divisor is not zero.
pub fn div_rem(a: &[u64], b: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let mut quotient = vec![0u64; a.len()];
    // One limb more, so that doubling the rest does not lose its top bit.
    let mut divisor = b.to_vec();
    divisor.push(0);
    let mut rest = vec![0u64; divisor.len()];
    for at in (0..significant_bits(a)).rev() {
        rest = shl(&rest, 1);
        rest[0] |= a[at as usize / 64] >> (at % 64) & 1;
        if rest.iter().rev().ge(divisor.iter().rev()) {
            rest = sub(&rest, &divisor);
            quotient[at as usize / 64] |= 1 << (at % 64);
        }
    }
    rest.truncate(a.len());
    (quotient, rest)
}

pub fn shl(a: &[u64], count: u32) -> Vec<u64> {
    let (limbs, bits) = (count as usize / 64, count % 64);
    let at = |i: usize| if i < limbs { 0 } else { a[i - limbs] };
    let below = |i: usize| if i == 0 || bits == 0 { 0 } else { at(i - 1) >> (64 - bits) };
    (0..a.len()).map(|i| at(i) << bits | below(i)).collect()
}

pub fn shr(a: &[u64], count: u32) -> Vec<u64> {
    let (limbs, bits) = (count as usize / 64, count % 64);
    let at = |i: usize| a.get(i + limbs).copied().unwrap_or(0);
    let above = |i: usize| if bits == 0 { 0 } else { at(i + 1) << (64 - bits) };
    (0..a.len()).map(|i| at(i) >> bits | above(i)).collect()
}
