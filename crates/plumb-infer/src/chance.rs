//! How likely it is that a fact holds of the samples by chance.
//!
//! As in Daikon (Ernst et al. 2007) a fact is reported if that is unlikely. "By chance" means: variables are independent of
//! each other, and each has the distribution that was observed of it. A fact that is one of many candidates of its kind needs to be so
//! much less likely. Chances are natural logarithms.

use crate::point::NAN;

/// The logarithm of a probability, or of a bound of it.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Chance(f64);

impl Chance {
    pub const CERTAIN: Chance = Chance(0.0);

    /// Something of the given probability happens so many times.
    pub fn repeated(probability: f64, times: f64) -> Chance {
        if times <= 0.0 { Chance::CERTAIN } else { Chance((probability.clamp(0.0, 1.0).ln() * times).max(f64::MIN)) }
    }

    /// A coin falls on one side so many times: for what nothing else is known of.
    pub fn coin(times: f64) -> Chance {
        Chance::repeated(0.5, times)
    }

    /// One of so many candidates.
    pub fn among(self, candidates: usize) -> Chance {
        Chance((self.0 + (candidates.max(1) as f64).ln()).min(0.0))
    }

    pub fn least(self, other: Chance) -> Chance {
        if other.0 < self.0 { other } else { self }
    }

    pub fn greatest(self, other: Chance) -> Chance {
        if other.0 > self.0 { other } else { self }
    }

    /// That something which happens `expected` times on average happens at least `seen` times, if events are independent (a
    /// bound by Chernoff).
    pub fn crowd(expected: f64, seen: f64) -> Chance {
        if seen <= expected {
            return Chance::CERTAIN;
        }
        Chance((seen - expected + seen * (expected / seen).ln()).min(0.0))
    }

    /// One minus the probability.
    pub fn confidence(self) -> f64 {
        1.0 - self.0.exp()
    }
}

/// How much samples say: so many, of which each counts for a part of an independent one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evidence {
    pub samples: f64,
    /// At most 1.
    pub share: f64,
}

impl Evidence {
    /// Of samples that come from so many independent origins.
    pub fn new(samples: u64, origins: u64) -> Evidence {
        let share = if samples == 0 { 1.0 } else { (origins as f64 / samples as f64).min(1.0) };
        Evidence { samples: samples as f64, share }
    }

    /// Independent samples.
    pub fn times(self) -> f64 {
        self.samples * self.share
    }

    /// What so many of the samples count for.
    pub fn of(self, samples: f64) -> f64 {
        samples * self.share
    }
}

const CELLS: usize = 64;
const OCTAVES: usize = 2 * 64 + 2;

/// The distribution of a variable, as far as chances need it. It does not depend on the order of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spread {
    count: u64,
    /// Counts of values by a hash: for how often two variables would be equal.
    cells: [u32; CELLS],
    /// Counts by sign and magnitude: for how often one would be less than another.
    octaves: Vec<u32>,
}

impl Spread {
    pub fn new() -> Spread {
        Spread { count: 0, cells: [0; CELLS], octaves: vec![0; OCTAVES] }
    }

    pub fn add(&mut self, number: i128, is_float: bool) {
        self.count += 1;
        let hash = (number as u64 ^ (number >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
        let cell = &mut self.cells[hash as usize];
        *cell = cell.saturating_add(1);
        let octave = &mut self.octaves[octave(number, is_float)];
        *octave = octave.saturating_add(1);
    }

    /// A bound of the probability that independent values of two variables are equal.
    pub fn equal(&self, other: &Spread) -> f64 {
        let both = self.cells.iter().zip(&other.cells).map(|(a, b)| *a as f64 * *b as f64).sum::<f64>();
        both / (self.count.max(1) as f64 * other.count.max(1) as f64)
    }

    /// A bound of the probability that two values of the variable are equal.
    pub fn collision(&self) -> f64 {
        self.equal(self)
    }

    /// Values whose magnitude has more than so many bits.
    pub fn longer_than(&self, bits: u32) -> f64 {
        let bits = (bits as usize).min(64);
        let (below, above) = (&self.octaves[..64 - bits], &self.octaves[64 + bits + 1..OCTAVES - 1]);
        below.iter().chain(above).map(|count| *count as f64).sum()
    }

    /// A bound of the probability that a value of this one is at most an independent value of the other.
    pub fn at_most(&self, other: &Spread) -> f64 {
        let (mut below, mut sum) = (0.0, 0.0);
        for (a, b) in self.octaves.iter().zip(&other.octaves) {
            below += *a as f64;
            sum += below * *b as f64;
        }
        sum / (self.count.max(1) as f64 * other.count.max(1) as f64)
    }
}

/// Zero is in the middle; NaN is by itself. Of a float's number it is the exponent that counts, and those around 1 are told
/// apart.
fn octave(number: i128, is_float: bool) -> usize {
    let size = match number.unsigned_abs() {
        _ if number == NAN => return OCTAVES - 1,
        0 => 0,
        magnitude if is_float => ((magnitude >> 52) as i64 - 1023 + 32).clamp(1, 64) as usize,
        magnitude => (128 - magnitude.leading_zeros() as usize).min(64),
    };
    if number < 0 { 64 - size } else { 64 + size }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(numbers: impl Iterator<Item = i128>) -> Spread {
        let mut spread = Spread::new();
        numbers.for_each(|n| spread.add(n, false));
        spread
    }

    #[test]
    fn distributions_bound_what_they_say() {
        let (low, high) = (spread(0..100), spread(1000..1100));
        assert!(low.at_most(&high) == 1.0 && high.at_most(&low) < 0.01);
        let half = low.at_most(&low);
        assert!((0.5..0.75).contains(&half), "{half}");
        assert!(low.collision() >= 0.01 && low.collision() < 0.03);
        assert!(spread((0..100).map(|i| i % 2)).collision() >= 0.5);
        assert_eq!((spread(0..100).longer_than(3), spread(-8..0).longer_than(3)), (92.0, 1.0));
        assert!(spread([-3, 7].into_iter()).at_most(&spread([0].into_iter())) == 0.5);
    }

    #[test]
    fn chances_fall_with_evidence() {
        assert!(Chance::coin(10.0).confidence() > 0.999);
        assert_eq!(Chance::coin(0.0).confidence(), 0.0);
        assert!(Chance::coin(10.0).among(1000).confidence() < 0.1);
        assert!(Chance::crowd(1.0, 20.0).confidence() > 0.999);
        assert_eq!(Chance::crowd(5.0, 4.0).confidence(), 0.0);
        assert_eq!(Chance::repeated(0.0, 3.0).confidence(), 1.0);
    }
}
