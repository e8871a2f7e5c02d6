//! What is kept of one variable, or of all elements of an array: bounds, few values, remainders, bits, distribution.

use crate::chance::{Chance, Evidence, Spread};
use crate::fact::{Fact, Term, gcd};
use crate::options::Options;
use crate::point::{NAN, Scalar, float_of_number};

/// A fact that holds of all samples, and how likely that is by chance.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub fact: Fact,
    pub chance: Chance,
}

impl Candidate {
    pub fn new(fact: Fact, chance: Chance) -> Candidate {
        Candidate { fact, chance }
    }
}

/// Different values that are distinguished; with more than this a variable has many.
const MAX_DISTINCT: usize = 40;

/// A bound that was reached, and how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Extreme {
    number: i128,
    times: u64,
}

impl Extreme {
    fn add(&mut self, number: i128, is_beyond: bool) {
        if is_beyond {
            *self = Extreme { number, times: 1 };
        } else if number == self.number {
            self.times += 1;
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Single {
    scalar: Scalar,
    count: u64,
    has_nan: bool,
    /// Least and greatest number, of those that are no NaN.
    extremes: Option<(Extreme, Extreme)>,
    /// The patterns seen with their counts, sorted; `None` when they have become too many.
    values: Option<Vec<(u64, u64)>>,
    /// What the differences of numbers have in common, and one of the numbers.
    step: u128,
    origin: i128,
    /// Bits that were never 0, and bits that were ever 1.
    always: u64,
    ever: u64,
    ones: BitCounts,
    /// Patterns that have not been seen, of those that the options ask for.
    unseen: Vec<u64>,
    pub spread: Spread,
}

impl Single {
    pub fn new(scalar: Scalar, options: &Options) -> Single {
        let (least, most) = scalar.limits();
        let mut unseen: Vec<u64> = match scalar {
            Scalar::Int { .. } => {
                let fits = options.constants.iter().filter(|c| (least..=most).contains(*c));
                fits.map(|c| scalar.pattern(*c)).collect()
            }
            Scalar::Pointer { .. } => vec![0],
            Scalar::Bool | Scalar::Float(_) => Vec::new(),
        };
        unseen.sort();
        unseen.dedup();
        Single {
            scalar,
            count: 0,
            has_nan: false,
            extremes: None,
            values: Some(Vec::new()),
            step: 0,
            origin: 0,
            always: u64::MAX,
            ever: 0,
            ones: BitCounts::default(),
            unseen,
            spread: Spread::new(),
        }
    }

    pub fn add(&mut self, pattern: u64, number: i128) {
        if self.count == 0 {
            self.origin = number;
        }
        self.count += 1;
        self.spread.add(number, matches!(self.scalar, Scalar::Float(_)));
        if let Some(values) = &mut self.values {
            match values.binary_search_by_key(&pattern, |(value, _)| *value) {
                Ok(at) => values[at].1 += 1,
                Err(_) if values.len() == MAX_DISTINCT => self.values = None,
                Err(at) => values.insert(at, (pattern, 1)),
            }
        }
        self.unseen.retain(|other| *other != pattern);
        if number == NAN {
            self.has_nan = true;
            return;
        }
        match &mut self.extremes {
            None => {
                let extreme = Extreme { number, times: 1 };
                self.extremes = Some((extreme, extreme));
            }
            Some((least, most)) => {
                least.add(number, number < least.number);
                most.add(number, number > most.number);
            }
        }
        if matches!(self.scalar, Scalar::Int { .. }) {
            self.always &= pattern;
            self.ever |= pattern;
            self.ones.add(pattern);
            if self.step != 1 {
                self.step = gcd(self.step, number.abs_diff(self.origin));
            }
        }
    }

    /// Whether it has the same few values again and again, as an enumeration has.
    pub fn is_enumeration(&self, options: &Options) -> bool {
        const OFTEN: u64 = 8;
        let is_small =
            |values: &Vec<(u64, u64)>| values.len() <= options.max_values && self.count >= OFTEN * values.len() as u64;
        self.values.as_ref().is_some_and(is_small)
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number that it always was.
    pub fn constant(&self) -> Option<i128> {
        match self.extremes {
            Some((least, most)) if !self.has_nan && least.number == most.number => Some(least.number),
            _ => None,
        }
    }

    /// Bits that have been both 0 and 1.
    pub fn varying(&self) -> u64 {
        if self.count == 0 { 0 } else { self.ever & !self.always }
    }

    /// How often a bit is 1.
    pub fn bit_frequency(&self, bit: u32) -> f64 {
        self.ones.count(bit) as f64 / self.count.max(1) as f64
    }

    /// Different values, of which no more than some are counted.
    fn distinct(&self) -> f64 {
        self.values.as_ref().map_or(MAX_DISTINCT + 1, Vec::len) as f64
    }

    /// What holds of the term that the values were of.
    pub fn candidates(&self, term: Term, evidence: Evidence, options: &Options) -> Vec<Candidate> {
        let mut list = Vec::new();
        if self.count == 0 {
            return list;
        }
        self.value_sets(term, evidence, options, &mut list);
        match self.scalar {
            Scalar::Int { .. } => {
                self.bounds(evidence, |number, is_least| bound(term, number, is_least), &mut list);
                self.differences(term, evidence, &mut list);
                self.remainders(term, evidence, &mut list);
                self.bits(term, evidence, options, &mut list);
            }
            Scalar::Float(_) if !self.has_nan => {
                list.push(Candidate::new(Fact::NotNan(term), Chance::coin(evidence.times())));
                self.bounds(evidence, |number, is_least| float_bound(term, number, is_least), &mut list);
            }
            Scalar::Pointer { .. } => self.differences(term, evidence, &mut list),
            Scalar::Bool | Scalar::Float(_) => {}
        }
        list
    }

    /// Whether there is one more value that was missed: if all are equally frequent, or one is as rare as the rarest seen.
    fn value_sets(&self, term: Term, evidence: Evidence, options: &Options, list: &mut Vec<Candidate>) {
        let Some(values) = &self.values else { return };
        // Addresses mean nothing by themselves, but for null.
        let is_address = matches!(self.scalar, Scalar::Pointer { .. });
        if values.len() > options.max_values || is_address && values.iter().any(|(value, _)| *value != 0) {
            return;
        }
        let size = values.len() as f64;
        let rarest = values.iter().map(|(_, count)| *count).min().unwrap_or(0) as f64;
        let missed = Chance::repeated((-1f64).exp(), evidence.of(rarest));
        let chance = Chance::repeated(size / (size + 1.0), evidence.times()).greatest(missed);
        list.push(Candidate::new(Fact::OneOf(term, values.iter().map(|(value, _)| *value).collect()), chance));
    }

    /// The extremes as bounds, and zero as one where they are not convincing.
    fn bounds(&self, evidence: Evidence, fact: impl Fn(i128, bool) -> Fact, list: &mut Vec<Candidate>) {
        let Some((least, most)) = self.extremes else { return };
        let times = evidence.times();
        let range = (most.number - least.number) as f64 + 1.0;
        for (extreme, is_least) in [(least, true), (most, false)] {
            // Of a value just beyond the bound, as frequent as others or as the bound itself, none was seen.
            let often = evidence.of(extreme.times as f64);
            let gap =
                Chance::repeated(1.0 - 1.0 / (range + 1.0), times).greatest(Chance::repeated((-1f64).exp(), often));
            // Values are cut off there, so that many more fall on the bound than on others.
            let crowd = Chance::crowd((times / range).max(times / self.distinct()), often - 1.0);
            list.push(Candidate::new(fact(extreme.number, is_least), gap.least(crowd)));
            let is_signed = self.scalar.limits().0 < 0 || matches!(self.scalar, Scalar::Float(_));
            let beyond_zero = if is_least { extreme.number } else { -extreme.number };
            if is_signed && beyond_zero >= 0 {
                // Signs are as often one as the other.
                let chance = Chance::coin(times);
                list.push(Candidate::new(fact(0, is_least), chance));
                if beyond_zero > 0 && self.scalar.is_integer() {
                    let one = if is_least { 1 } else { -1 };
                    let never_zero = Chance::repeated(1.0 - 1.0 / (range + 1.0), times);
                    list.push(Candidate::new(fact(one, is_least), chance.greatest(never_zero)));
                }
            }
        }
    }

    fn differences(&self, term: Term, evidence: Evidence, list: &mut Vec<Candidate>) {
        let Some((least, most)) = self.extremes else { return };
        let is_address = matches!(self.scalar, Scalar::Pointer { .. });
        let range = if is_address { 2.0 } else { (most.number - least.number) as f64 + 1.0 };
        for pattern in &self.unseen {
            list.push(Candidate::new(
                Fact::Differs(term, *pattern),
                Chance::repeated(1.0 - 1.0 / range, evidence.times()),
            ));
        }
    }

    fn remainders(&self, term: Term, evidence: Evidence, list: &mut Vec<Candidate>) {
        let Ok(modulus) = u64::try_from(self.step) else { return };
        if modulus < 2 {
            return;
        }
        let remainder = self.origin.rem_euclid(modulus as i128) as u64;
        // Two values have some difference; further ones share its divisors by chance.
        let chance = Chance::repeated(1.0 / modulus as f64, evidence.times().min(self.distinct()) - 2.0);
        list.push(Candidate::new(Fact::Remainder { term, modulus, remainder }, chance));
    }

    /// The bits that never change, each convincing by itself: by different numbers that are large enough to have had it otherwise.
    fn bits(&self, term: Term, evidence: Evidence, options: &Options, list: &mut Vec<Candidate>) {
        let fixed = self.scalar.mask() & !self.varying();
        if fixed == self.scalar.mask() {
            return;
        }
        let mut found = (0, Chance::repeated(0.0, 1.0));
        for bit in (0..64).filter(|bit| fixed >> bit & 1 == 1) {
            let free = evidence.of(self.spread.longer_than(bit + 1)).min(self.distinct() - 1.0);
            let chance = Chance::coin(free).among(self.scalar.bits() as usize);
            if chance.confidence() >= options.confidence {
                found = (found.0 | 1 << bit, found.1.greatest(chance));
            }
        }
        let (mask, chance) = found;
        if mask != 0 {
            list.push(Candidate::new(Fact::Bits { term, mask, value: self.always & mask }, chance));
        }
    }
}

fn bound(term: Term, number: i128, is_least: bool) -> Fact {
    if is_least { Fact::AtLeast(term, number) } else { Fact::AtMost(term, number) }
}

fn float_bound(term: Term, number: i128, is_least: bool) -> Fact {
    let pattern = float_of_number(number).to_bits();
    if is_least { Fact::FloatAtLeast(term, pattern) } else { Fact::FloatAtMost(term, pattern) }
}

/// How often each bit was 1, as binary counters side by side: an addition touches a few words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct BitCounts {
    planes: Vec<u64>,
}

impl BitCounts {
    fn add(&mut self, pattern: u64) {
        let mut carry = pattern;
        for plane in &mut self.planes {
            if carry == 0 {
                return;
            }
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
        if carry != 0 {
            self.planes.push(carry);
        }
    }

    fn count(&self, bit: u32) -> u64 {
        self.planes.iter().enumerate().map(|(i, plane)| (plane >> bit & 1) << i).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::VarId;

    const X: Term = Term::Var(VarId(0));

    fn facts(scalar: Scalar, numbers: impl Iterator<Item = i128>) -> Vec<Fact> {
        let options = Options::default();
        let mut single = Single::new(scalar, &options);
        numbers.for_each(|n| single.add(scalar.pattern(n), n));
        let list = single.candidates(X, Evidence::new(single.count, single.count), &options);
        list.into_iter().filter(|c| c.chance.confidence() >= 0.99).map(|c| c.fact).collect()
    }

    const INT: Scalar = Scalar::Int { bits: 32, signed: true };

    #[test]
    fn bits_are_counted() {
        let mut counts = BitCounts::default();
        (0..1000u64).for_each(|i| counts.add(i));
        assert_eq!((counts.count(0), counts.count(9), counts.count(10)), (500, 1000 - 512, 0));
    }

    #[test]
    fn ranges_need_values_enough() {
        let small = facts(INT, (0..1000).map(|i| i * 7 % 10));
        assert!(small.contains(&Fact::AtLeast(X, 0)) && small.contains(&Fact::AtMost(X, 9)));
        let large = facts(INT, (0..1000).map(|i| i * 7_919 % 100_003 - 50_000));
        assert!(!large.iter().any(|f| matches!(f, Fact::AtLeast(..) | Fact::AtMost(..))), "{large:?}");
        let cut = facts(INT, (0..1000).map(|i| (i * 7_919 % 100_003 - 50_000).min(1000)));
        assert!(cut.contains(&Fact::AtMost(X, 1000)) && !cut.iter().any(|f| matches!(f, Fact::AtLeast(..))));
        let positive = facts(INT, (0..1000).map(|i| i * 7_919 % 100_003 + 5));
        assert!(positive.contains(&Fact::AtLeast(X, 0)) && !positive.contains(&Fact::AtLeast(X, 5)));
    }

    #[test]
    fn a_value_that_was_seen_once_makes_a_set_doubtful() {
        let set = |f: &Fact| matches!(f, Fact::OneOf(..));
        assert!(facts(INT, (0..100).map(|i| i % 3 * 50)).iter().any(set));
        assert!(!facts(INT, (0..100).map(|i| i128::from(i == 50))).iter().any(set));
    }

    #[test]
    fn remainders_and_bits_need_different_values() {
        let many = facts(INT, (0..50).map(|i| i * i * 12 + 5));
        assert!(many.contains(&Fact::Remainder { term: X, modulus: 12, remainder: 5 }));
        assert!(many.iter().any(|f| matches!(f, Fact::Bits { mask, value, .. } if mask & 3 == 3 && value & 3 == 1)));
        let few = facts(INT, (0..50).map(|i| i % 2 * 12 + 5));
        assert!(!few.iter().any(|f| matches!(f, Fact::Remainder { .. } | Fact::Bits { .. })), "{few:?}");
    }
}
