//! The affine hull of samples: which linear equations hold of all of them (Karr 1976).
//!
//! Samples are rows, with a 1 in front, and what is kept is the reduced echelon form of the space that they span modulo a
//! prime of 127 bits. It depends on neither the order nor the number of samples, it has as many rows as the rank, and an equation
//! over the integers whose sums stay below the prime holds of the rows kept if and only if it holds of every sample: so what is
//! found here is exact. Columns depend on each other in the rows kept as they do in all samples.

use crate::fact::gcd;
use crate::prime::{self, Residue};

/// A row and the column at which it has its first entry, a 1, where all others have a 0.
#[derive(Clone, PartialEq, Eq, Debug)]
struct EchelonRow {
    pivot: usize,
    entries: Vec<Residue>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hull {
    /// By pivot.
    rows: Vec<EchelonRow>,
    /// The columns that are no pivot. Column 0 is the constant 1.
    free: Vec<usize>,
}

/// The factors times columns and the constant add up to zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equation {
    /// Columns without the constant's: the first column of numbers is 0.
    pub parts: Vec<(i128, usize)>,
    pub constant: i128,
}

/// Larger factors than this are taken for coincidence. Sums of three such multiples of 65-bit numbers and a constant of 100
/// bits stay below the prime.
const MAX_FACTOR: i128 = 1 << 20;
const MAX_CONSTANT: i128 = 1 << 100;

impl Hull {
    pub fn new(columns: usize) -> Hull {
        Hull { rows: Vec::new(), free: (0..=columns).collect() }
    }

    /// Takes in a row of numbers.
    pub fn add(&mut self, numbers: impl Iterator<Item = i128>) {
        if self.free.is_empty() {
            return;
        }
        let row: Vec<Residue> = std::iter::once(1).chain(numbers.map(prime::of)).collect();
        self.insert(row);
    }

    /// What is left of a row in the free columns, in their order.
    fn residual(&self, row: &[Residue]) -> Vec<Residue> {
        let mut rest: Vec<Residue> = self.free.iter().map(|column| row[*column]).collect();
        for one in &self.rows {
            let factor = row[one.pivot];
            if factor == 0 {
                continue;
            }
            for (value, column) in rest.iter_mut().zip(&self.free) {
                let entry = one.entries[*column];
                if entry != 0 {
                    *value = prime::sub(*value, prime::mul(factor, entry));
                }
            }
        }
        rest
    }

    /// Adds a row of residues; whether it was independent of those before.
    pub fn insert(&mut self, row: Vec<Residue>) -> bool {
        let rest = self.residual(&row);
        let Some(at) = rest.iter().position(|v| *v != 0) else { return false };
        let scale = prime::inverse(rest[at]);
        let mut entries = vec![0; row.len()];
        for (column, value) in self.free.iter().zip(&rest) {
            entries[*column] = prime::mul(*value, scale);
        }
        let pivot = self.free.remove(at);
        for one in &mut self.rows {
            let factor = one.entries[pivot];
            if factor == 0 {
                continue;
            }
            for (value, entry) in one.entries.iter_mut().zip(&entries) {
                if *entry != 0 {
                    *value = prime::sub(*value, prime::mul(factor, *entry));
                }
            }
        }
        let place = self.rows.partition_point(|one| one.pivot < pivot);
        self.rows.insert(place, EchelonRow { pivot, entries });
        true
    }

    /// The rest of a row after all rows were subtracted: zero if the row is in the space.
    pub fn remainder(&self, row: &[Residue]) -> Vec<Residue> {
        let mut rest = vec![0; row.len()];
        for (column, value) in self.free.iter().zip(self.residual(row)) {
            rest[*column] = value;
        }
        rest
    }

    /// Equations of two and three of the columns listed. Of columns that are multiples of each other, but for a constant, only
    /// the first takes part in equations of three, and of those only some are given where `ternary` columns are exceeded.
    pub fn equations(&self, columns: &[usize], ternary: usize) -> Vec<Equation> {
        let mut found = Vec::new();
        let mut classes: Vec<Projected> = Vec::new();
        for &column in columns {
            let Some(next) = self.project(column) else { continue };
            match classes.iter().find(|known| known.slope == next.slope) {
                Some(known) => {
                    let factor = prime::neg(prime::mul(next.scale, prime::inverse(known.scale)));
                    found.extend(self.equation(&[(1, next.column), (factor, known.column)], MAX_FACTOR));
                }
                None => classes.push(next),
            }
        }
        if self.free.is_empty() {
            return found;
        }
        let classes = &classes[..classes.len().min(ternary)];
        for (i, a) in classes.iter().enumerate() {
            for (j, b) in classes.iter().enumerate().skip(i + 1) {
                let (s, t) = (prime::sub(b.slope.0, a.slope.0), prime::sub(b.slope.1, a.slope.1));
                for c in &classes[j + 1..] {
                    let (u, v) = (prime::sub(c.slope.0, a.slope.0), prime::sub(c.slope.1, a.slope.1));
                    if prime::mul(s, v) == prime::mul(u, t) {
                        found.extend(self.dependence(a, b, c));
                    }
                }
            }
        }
        found
    }

    /// A column without its constant part, as a point of the plane: columns that are multiples of each other have one point,
    /// and three columns of which one is a combination of the others have points on a line. The converses hold but for bad
    /// luck, as the plane is chosen by chance. `None` for a constant column.
    fn project(&self, column: usize) -> Option<Projected> {
        let mut sums = [0; 3];
        for one in &self.rows {
            let entry = one.entries[column + 1];
            if one.pivot == 0 || entry == 0 {
                continue;
            }
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum = prime::add(*sum, prime::mul(weight(one.pivot, k), entry));
            }
        }
        let [scale, s, t] = sums;
        let inverse = (scale != 0).then(|| prime::inverse(scale))?;
        Some(Projected { column, scale, slope: (prime::mul(s, inverse), prime::mul(t, inverse)) })
    }

    /// The equation of three columns whose points lie on a line.
    fn dependence(&self, a: &Projected, b: &Projected, c: &Projected) -> Option<Equation> {
        let line = |pick: fn(&Projected) -> Residue| {
            let (x, y, z) = (pick(a), pick(b), pick(c));
            [prime::sub(z, y), prime::sub(x, z), prime::sub(y, x)]
        };
        let weights = [line(|p| p.slope.0), line(|p| p.slope.1)];
        let weights = weights.iter().find(|w| w.iter().all(|v| *v != 0))?;
        let factor = |at: usize, one: &Projected| prime::mul(weights[at], prime::inverse(one.scale));
        let last = prime::inverse(factor(2, c));
        let of = |at: usize, one: &Projected| (prime::mul(factor(at, one), last), one.column);
        self.equation(&[of(0, a), of(1, b), (1, c.column)], MAX_FACTOR)
    }

    /// Equations that all others follow from, as far as their factors are small: of each free column and those that are not free.
    pub fn basis(&self, max_factor: i128) -> Vec<Equation> {
        let by_pivots = |free: &usize| {
            let depends = |row: &&EchelonRow| row.pivot != 0 && row.entries[*free] != 0;
            let others = self.rows.iter().filter(depends).map(|row| (prime::neg(row.entries[*free]), row.pivot - 1));
            let parts: Vec<(Residue, usize)> = std::iter::once((1, free - 1)).chain(others).collect();
            self.equation(&parts, max_factor)
        };
        self.free.iter().filter(|column| **column > 0).filter_map(by_pivots).collect()
    }

    /// The equation with these factors, if they are small fractions and it holds of every row.
    fn equation(&self, parts: &[(Residue, usize)], max_factor: i128) -> Option<Equation> {
        let fractions: Option<Vec<(i128, i128)>> =
            parts.iter().map(|(factor, _)| prime::fraction(*factor, max_factor)).collect();
        let fractions = fractions?;
        let common = fractions.iter().fold(1i128, |all, (_, d)| all / gcd(all as u128, *d as u128) as i128 * d);
        let parts: Vec<(i128, usize)> =
            fractions.iter().zip(parts).map(|((n, d), (_, column))| (n * (common / d), *column)).collect();
        if parts.iter().any(|(factor, _)| *factor == 0 || factor.abs() > max_factor) {
            return None;
        }
        let sum = |row: &EchelonRow| {
            let part = |(factor, column): &(i128, usize)| prime::mul(prime::of(*factor), row.entries[column + 1]);
            parts.iter().map(part).fold(0, prime::add)
        };
        let first = self.rows.first().filter(|row| row.pivot == 0)?;
        let constant = prime::signed(prime::neg(sum(first)));
        let holds = self.rows[1..].iter().all(|row| sum(row) == 0);
        (holds && constant.abs() <= MAX_CONSTANT).then_some(Equation { parts, constant })
    }
}

struct Projected {
    column: usize,
    scale: Residue,
    slope: (Residue, Residue),
}

/// A number that looks random and is always the same.
fn weight(row: usize, k: usize) -> Residue {
    let mix = |seed: u64| {
        let a = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ b >> 31
    };
    let seed = (row as u64 * 3 + k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mix(seed) as u128) << 62 | mix(seed ^ 0x5bd1_e995) as u128 >> 2) & (prime::PRIME >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hull(rows: &[&[i128]]) -> Hull {
        let mut hull = Hull::new(rows[0].len());
        rows.iter().for_each(|row| hull.add(row.iter().copied()));
        hull
    }

    fn find(rows: &[&[i128]]) -> Vec<Equation> {
        let columns: Vec<usize> = (0..rows[0].len()).collect();
        hull(rows).equations(&columns, 100)
    }

    #[test]
    fn equations_of_two_and_three_numbers_are_found() {
        let rows: [&[i128]; 4] = [&[0, 5], &[1, 7], &[2, 9], &[-3, -1]];
        assert_eq!(find(&rows), [Equation { parts: vec![(1, 1), (-2, 0)], constant: -5 }]);
        let rows: [&[i128]; 5] = [&[1, 1, 2], &[2, 0, 2], &[5, -3, 2], &[1, 4, 5], &[1 << 63, 9, (1 << 63) + 9]];
        assert_eq!(find(&rows), [Equation { parts: vec![(-1, 0), (-1, 1), (1, 2)], constant: 0 }]);
    }

    #[test]
    fn fractions_become_factors_and_constants_are_left_out() {
        let rows: [&[i128]; 3] = [&[2, 7, 1], &[4, 7, 2], &[6, 7, 3]];
        assert_eq!(find(&rows), [Equation { parts: vec![(2, 2), (-1, 0)], constant: 0 }]);
    }

    #[test]
    fn unrelated_numbers_have_none_and_fill_the_space() {
        let rows: [&[i128]; 3] = [&[0, 1], &[1, 5], &[2, 3]];
        assert_eq!(find(&rows), []);
        assert!(hull(&rows).free.is_empty());
    }

    #[test]
    fn the_form_does_not_depend_on_the_order() {
        let rows: [&[i128]; 4] = [&[3, 1, 4, 1], &[5, 9, 2, 6], &[5, 3, 5, 8], &[9, 7, 9, 3]];
        let forward = hull(&rows);
        let mut backward = rows;
        backward.reverse();
        assert_eq!(forward, hull(&backward));
        assert_eq!(forward, hull(&[rows[2], rows[0], rows[2], rows[3], rows[1], rows[0]]));
    }

    #[test]
    fn every_free_column_has_an_equation_of_the_basis() {
        let rows: [&[i128]; 4] = [&[1, 1, 2, 5], &[2, 0, 2, 5], &[5, -3, 2, 5], &[1, 4, 5, 5]];
        let expected = [
            Equation { parts: vec![(1, 2), (-1, 0), (-1, 1)], constant: 0 },
            Equation { parts: vec![(1, 3)], constant: -5 },
        ];
        assert_eq!(hull(&rows).basis(MAX_FACTOR), expected);
        let halves: [&[i128]; 3] = [&[2, 1], &[4, 2], &[6, 3]];
        assert_eq!(hull(&halves).basis(MAX_FACTOR), [Equation { parts: vec![(2, 1), (-1, 0)], constant: 0 }]);
        assert_eq!(hull(&halves).basis(1), [], "2 is too large");
    }
}
