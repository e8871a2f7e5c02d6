//! Linear equations that are known, over the integers and modulo powers of two.

use crate::hull::Hull;
use crate::module::Module;
use crate::prime;

#[derive(Clone)]
pub struct Equations {
    /// The span of the sums that are zero: factors by term and the constant last, so that terms are eliminated before it.
    zeros: Hull,
    /// Sums that are multiples of 2^64. A multiple of a smaller power is one after multiplication.
    multiples: Module,
    /// Whether no sum is known to be zero.
    is_empty: bool,
}

/// Fractions up to this are read back. With bounds of 65 bits sums stay far below 2^126.
const MAX_FACTOR: i128 = 1 << 40;

impl Equations {
    pub fn new(terms: usize) -> Equations {
        Equations { zeros: Hull::new(terms), multiples: Module::new(64, terms + 1), is_empty: true }
    }

    pub fn assume(&mut self, row: &[i128]) {
        self.is_empty = false;
        self.zeros.insert(row.iter().map(|v| prime::of(*v)).collect());
        self.assume_modulo(row, 64);
    }

    pub fn assume_modulo(&mut self, row: &[i128], bits: u32) {
        self.multiples.insert(scaled(row, bits));
    }

    /// Whether a sum is zero.
    pub fn is_zero(&self, row: &[i128]) -> bool {
        !self.is_empty && self.rest(row).iter().all(|v| *v == 0)
    }

    /// Whether a sum is a multiple of the power of two.
    pub fn is_multiple(&self, row: &[i128], bits: u32) -> bool {
        self.multiples.contains(scaled(row, bits))
    }

    fn rest(&self, row: &[i128]) -> Vec<prime::Residue> {
        let row: Vec<prime::Residue> = row.iter().map(|v| prime::of(*v)).collect();
        self.zeros.remainder(&row)
    }

    /// Bounds of positive multiples of a sum: as it is, and after elimination.
    pub fn bounds(&self, row: &[i128], of: &dyn Fn(usize) -> (i128, i128)) -> Vec<(i128, i128)> {
        let mut list: Vec<(i128, i128)> = interval(row, of).into_iter().collect();
        if !self.is_empty {
            list.extend(self.eliminated(row).and_then(|row| interval(&row, of)));
        }
        list
    }

    /// A positive multiple of the sum without what the equations determine.
    fn eliminated(&self, row: &[i128]) -> Option<Vec<i128>> {
        let rest = self.rest(row);
        let (constant, factors) = rest.split_last()?;
        let fractions: Option<Vec<(i128, i128)>> = factors.iter().map(|f| prime::fraction(*f, MAX_FACTOR)).collect();
        let fractions = fractions?;
        let mut common = 1i128;
        for (_, denominator) in &fractions {
            common = common / crate::fact::gcd(common as u128, *denominator as u128) as i128 * denominator;
            if common > MAX_FACTOR {
                return None;
            }
        }
        let mut eliminated: Vec<i128> = fractions.iter().map(|(n, d)| n * (common / d)).collect();
        // The constant's denominator divides that of the factors if the equations are of integers; if not, what is read here is huge.
        let constant = prime::signed(prime::mul(*constant, prime::of(common)));
        if constant.abs() > 1 << 110 {
            return None;
        }
        eliminated.push(constant);
        Some(eliminated)
    }
}

fn scaled(row: &[i128], bits: u32) -> Vec<u64> {
    row.iter().map(|v| (*v as u64).checked_shl(64 - bits).unwrap_or(0)).collect()
}

/// Bounds of a sum over independent terms.
fn interval(row: &[i128], of: &dyn Fn(usize) -> (i128, i128)) -> Option<(i128, i128)> {
    let (constant, factors) = row.split_last()?;
    let (mut least, mut most) = (*constant, *constant);
    for (at, factor) in factors.iter().enumerate().filter(|(_, factor)| **factor != 0) {
        let (low, high) = of(at);
        let (a, b) = (factor.checked_mul(low)?, factor.checked_mul(high)?);
        least = least.checked_add(a.min(b))?;
        most = most.checked_add(a.max(b))?;
    }
    Some((least, most))
}
