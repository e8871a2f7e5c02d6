//! Linear equations that hold for all rows of numbers, by elimination modulo a large prime (Karr 1976, on samples).
//!
//! An equation over the integers also holds modulo the prime; what is found there is read back as fractions with small
//! numerators and denominators, and only such are kept. That they hold of the rows is for the caller to check, as numbers of
//! a machine wrap around.

use super::tuning::TUNING;

const PRIME: u64 = (1 << 61) - 1;

/// The sum of factors times columns is the constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equation {
    pub parts: Vec<(i64, usize)>,
    pub constant: i64,
}

fn mul(a: u64, b: u64) -> u64 {
    ((a as u128 * b as u128) % PRIME as u128) as u64
}

fn sub(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

fn inverse(a: u64) -> u64 {
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

/// A fraction with small parts that is the number modulo the prime: the first remainder of Euclid's algorithm that is small
/// enough (Wang 1981).
fn fraction(a: u64) -> Option<(i64, i64)> {
    let (mut r0, mut r1) = (PRIME as i128, a as i128);
    let (mut t0, mut t1) = (0i128, 1i128);
    while r1 > TUNING.max_coefficient as i128 {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (t0, t1) = (t1, t0 - quotient * t1);
    }
    if t1 == 0 || t1.abs() > TUNING.max_coefficient as i128 {
        return None;
    }
    let sign = if t1 < 0 { -1 } else { 1 };
    Some(((r1 * sign) as i64, (t1 * sign) as i64))
}

/// Equations that every other one follows from, as far as they are small.
pub fn equations<'a>(rows: impl Iterator<Item = &'a [i128]>, columns: usize) -> Vec<Equation> {
    // The first column is the constant 1. Each row of the basis has a 1 at its pivot, where the others have zeros.
    let mut basis: Vec<(usize, Vec<u64>)> = Vec::new();
    for row in rows {
        let mut next: Vec<u64> = Vec::with_capacity(columns + 1);
        next.push(1);
        next.extend(row.iter().map(|v| v.rem_euclid(PRIME as i128) as u64));
        for (pivot, known) in &basis {
            let factor = next[*pivot];
            if factor != 0 {
                next.iter_mut().zip(known).for_each(|(a, b)| *a = sub(*a, mul(factor, *b)));
            }
        }
        let Some(pivot) = next.iter().position(|v| *v != 0) else { continue };
        let scale = inverse(next[pivot]);
        next.iter_mut().for_each(|v| *v = mul(*v, scale));
        for (_, known) in &mut basis {
            let factor = known[pivot];
            if factor != 0 {
                known.iter_mut().zip(&next).for_each(|(a, b)| *a = sub(*a, mul(factor, *b)));
            }
        }
        basis.push((pivot, next));
        if basis.len() > columns {
            return Vec::new();
        }
    }
    let is_pivot = |at: usize| basis.iter().any(|(pivot, _)| *pivot == at);
    (1..=columns).filter(|at| !is_pivot(*at)).filter_map(|free| equation(&basis, free)).collect()
}

/// The column that is no pivot, by those that are.
fn equation(basis: &[(usize, Vec<u64>)], free: usize) -> Option<Equation> {
    let mut fractions = Vec::new();
    let mut rest = 0;
    for (pivot, row) in basis {
        match (pivot, row[free]) {
            (_, 0) => {}
            (0, number) => rest = number,
            (_, number) => fractions.push((*pivot, fraction(number)?)),
        }
    }
    let mut common = 1i64;
    for (_, (_, denominator)) in &fractions {
        common = common / gcd(common, *denominator) * denominator;
        if common > TUNING.max_coefficient {
            return None;
        }
    }
    let mut parts = vec![(common, free - 1)];
    for (pivot, (numerator, denominator)) in fractions {
        let factor = numerator * (common / denominator);
        if factor.abs() > TUNING.max_coefficient {
            return None;
        }
        parts.push((-factor, pivot - 1));
    }
    let constant = mul(rest, common as u64);
    let constant = if constant > PRIME / 2 { constant as i64 - PRIME as i64 } else { constant as i64 };
    if constant.abs() > TUNING.max_equation_constant {
        return None;
    }
    (parts.len() <= TUNING.max_summands).then_some(Equation { parts, constant })
}

pub fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(rows: &[&[i128]]) -> Vec<Equation> {
        equations(rows.iter().copied(), rows[0].len())
    }

    #[test]
    fn equations_of_two_and_three_numbers_are_found() {
        let rows: [&[i128]; 4] = [&[0, 5], &[1, 7], &[2, 9], &[-3, -1]];
        assert_eq!(find(&rows), [Equation { parts: vec![(1, 1), (-2, 0)], constant: 5 }]);
        let rows: [&[i128]; 4] = [&[1, 1, 2], &[2, 0, 2], &[5, -3, 2], &[1, 4, 5]];
        assert_eq!(find(&rows), [Equation { parts: vec![(1, 2), (-1, 0), (-1, 1)], constant: 0 }]);
    }

    #[test]
    fn fractions_become_factors() {
        let rows: [&[i128]; 3] = [&[2, 1], &[4, 2], &[6, 3]];
        assert_eq!(find(&rows), [Equation { parts: vec![(2, 1), (-1, 0)], constant: 0 }]);
    }

    #[test]
    fn unrelated_numbers_have_none() {
        let rows: [&[i128]; 3] = [&[0, 1], &[1, 5], &[2, 3]];
        assert_eq!(find(&rows), []);
    }
}
