//! What is known of one term: its values, bounds, remainders and bits.

use super::Known;
use crate::fact::{Fact, Linear, Term};
use crate::point::{NAN, Scalar, float_number};

/// Numbers as the point's scalars have them: floats by the number that orders them.
#[derive(Clone, Debug)]
pub struct Range {
    pub least: i128,
    pub most: i128,
    pub may_be_nan: bool,
    /// The numbers of an integer or pointer, the patterns of a float.
    pub values: Option<Vec<i128>>,
    pub excluded: Vec<i128>,
    /// Modulus and remainder.
    pub remainders: Vec<(u64, u64)>,
    /// Width, mask and bits.
    pub bits: Vec<(u32, u64, u64)>,
}

/// Ranges up to this many numbers are enumerated.
const MAX_ENUMERATED: i128 = 64;

impl Range {
    pub fn of(scalar: Scalar) -> Range {
        let (least, most, may_be_nan) = match scalar {
            Scalar::Float(_) => (float_number(f64::NEG_INFINITY), float_number(f64::INFINITY), true),
            _ => (scalar.limits().0, scalar.limits().1, false),
        };
        Range { least, most, may_be_nan, values: None, excluded: Vec::new(), remainders: Vec::new(), bits: Vec::new() }
    }

    /// Both hold of one integer or pointer.
    pub fn meet(&mut self, other: Range) {
        self.least = self.least.max(other.least);
        self.most = self.most.min(other.most);
        self.may_be_nan &= other.may_be_nan;
        self.values = match (self.values.take(), other.values) {
            (Some(mut values), Some(others)) => {
                values.retain(|value| others.contains(value));
                Some(values)
            }
            (one, None) | (None, one) => one,
        };
        self.excluded.extend(other.excluded);
        self.remainders.extend(other.remainders);
        self.bits.extend(other.bits);
    }

    pub fn float_at_least(&mut self, pattern: u64) {
        self.may_be_nan = false;
        self.least = self.least.max(float_number(f64::from_bits(pattern)));
    }

    pub fn float_at_most(&mut self, pattern: u64) {
        self.may_be_nan = false;
        self.most = self.most.min(float_number(f64::from_bits(pattern)));
    }

    pub fn is_float_at_least(&self, pattern: u64) -> bool {
        !self.may_be_nan && self.least >= float_number(f64::from_bits(pattern))
    }

    pub fn is_float_at_most(&self, pattern: u64) -> bool {
        !self.may_be_nan && self.most <= float_number(f64::from_bits(pattern))
    }

    pub fn tight_least(&self) -> i128 {
        (self.least..=self.most).take(64).find(|number| !self.excluded.contains(number)).unwrap_or(self.least)
    }

    pub fn tight_most(&self) -> i128 {
        let downwards = (self.least..=self.most).rev();
        downwards.take(64).find(|number| !self.excluded.contains(number)).unwrap_or(self.most)
    }

    /// The only number that it may be.
    pub fn constant(&self) -> Option<i128> {
        (!self.may_be_nan && self.least == self.most).then_some(self.least)
    }

    /// Whether a number is possible, as far as bounds, remainders and exclusions say.
    fn may_be(&self, number: i128) -> bool {
        let fits = |(modulus, remainder): &(u64, u64)| number.rem_euclid(*modulus as i128) == *remainder as i128;
        (self.least..=self.most).contains(&number)
            && !self.excluded.contains(&number)
            && self.remainders.iter().all(fits)
    }

    /// All numbers that an integer may be, if they are few.
    pub fn numbers(&self) -> Option<Vec<i128>> {
        if let Some(values) = &self.values {
            return Some(values.iter().copied().filter(|v| self.may_be(*v)).collect());
        }
        (self.most - self.least < MAX_ENUMERATED)
            .then(|| (self.least..=self.most).filter(|number| self.may_be(*number)).collect())
    }

    /// Whether none of the numbers of this one, which are few, is possible for the other. Not for floats.
    pub fn has_no_number_of(&self, other: &Range) -> bool {
        if self.may_be_nan || other.may_be_nan {
            return false;
        }
        match (&self.values, &other.values) {
            (Some(ours), Some(theirs)) => !ours.iter().any(|v| theirs.contains(v)),
            (Some(ours), None) => !ours.iter().any(|v| other.may_be(*v)),
            _ => false,
        }
    }
}

/// Whether a sum of two terms that is a multiple of two to the number of bits makes them agree under the mask. Bits of a sum
/// depend on no higher ones, so that all values of the low bits can be tried.
fn fixes_bits(sum: &Linear, a: Term, b: Term, bits: u32, mask: u64) -> bool {
    const MAX_TRIED: u32 = 10;
    let [(p, x), (q, y)] = sum.terms()[..] else { return false };
    let is_about_both = (x, y) == (a, b) || (x, y) == (b, a);
    if !is_about_both || bits > MAX_TRIED || (p & 1 == 0 && q & 1 == 0) {
        return false;
    }
    let low = (1u64 << bits) - 1;
    let is_zero = |x: u64, y: u64| {
        let products = (p as u64).wrapping_mul(x).wrapping_add((q as u64).wrapping_mul(y));
        products.wrapping_add(sum.constant() as u64) & low == 0
    };
    let agrees = |x: u64, y: u64| (x ^ y) & mask == 0;
    // The term with an odd factor is a function of the other.
    let (known, factor) = if q & 1 == 1 { (p, q) } else { (q, p) };
    (0..=low).all(|value| {
        let rest = (known as u64).wrapping_mul(value).wrapping_add(sum.constant() as u64).wrapping_neg();
        let other = rest.wrapping_mul(crate::module::inverse(factor as u64)) & low;
        let (x, y) = if q & 1 == 1 { (value, other) } else { (other, value) };
        debug_assert!(is_zero(x, y));
        agrees(x, y)
    })
}

impl Known {
    pub(super) fn assume_values(&mut self, term: Term, patterns: &[u64]) {
        let Some(scalar) = self.scalar(term) else { return };
        let numbers: Vec<i128> = patterns.iter().map(|p| scalar.number(*p)).collect();
        let is_float = matches!(scalar, Scalar::Float(_));
        self.narrow(term, |range| {
            if !numbers.contains(&NAN) {
                range.may_be_nan = false;
                range.least = range.least.max(numbers.iter().copied().min().unwrap_or(range.least));
                range.most = range.most.min(numbers.iter().copied().max().unwrap_or(range.most));
            }
            let values: Vec<i128> =
                if is_float { patterns.iter().map(|p| *p as i128).collect() } else { numbers.clone() };
            match &mut range.values {
                Some(known) => known.retain(|value| values.contains(value)),
                None => range.values = Some(values),
            }
        });
        if let ([number], false) = (&numbers[..], is_float)
            && let Some(row) = self.integer_row([(1, term)], -number)
        {
            self.equations.assume(&row);
        }
    }

    pub(super) fn has_values(&self, term: Term, patterns: &[u64]) -> bool {
        let (Some(scalar), Some(range)) = (self.scalar(term), self.range(term)) else { return false };
        if matches!(scalar, Scalar::Float(_)) {
            let all = range.values.as_ref();
            return all.is_some_and(|values| values.iter().all(|v| patterns.contains(&(*v as u64))));
        }
        let numbers: Vec<i128> = patterns.iter().map(|p| scalar.number(*p)).collect();
        if let [number] = numbers[..]
            && self.integer_row([(1, term)], -number).is_some_and(|row| self.equations.is_zero(&row))
        {
            return true;
        }
        range.numbers().is_some_and(|all| all.iter().all(|v| numbers.contains(v)))
    }

    /// Whether the pattern is none that the term may have.
    pub(super) fn excludes(&self, term: Term, pattern: u64) -> bool {
        let (Some(scalar), Some(range)) = (self.scalar(term), self.range(term)) else { return false };
        if matches!(scalar, Scalar::Float(_)) {
            return range.values.as_ref().is_some_and(|values| !values.contains(&(pattern as i128)));
        }
        let number = scalar.number(pattern);
        let (known, bits) = self.known_bits(term);
        range.values.as_ref().is_some_and(|values| !values.contains(&number))
            || !range.may_be(number)
            || pattern & known != bits
            || self.sum_is(super::Sign::NotZero, [(1, term)], -number)
    }

    pub(super) fn has_remainder(&self, term: Term, modulus: u64, remainder: u64) -> bool {
        let Some(range) = self.range(term) else { return false };
        let fits = |number: i128| number.rem_euclid(modulus as i128) == remainder as i128;
        let known = |(m, r): &(u64, u64)| m % modulus == 0 && r % modulus == remainder;
        let by_equations = || {
            let row = self.integer_row([(1, term)], -(remainder as i128));
            modulus.is_power_of_two()
                && row.is_some_and(|row| self.equations.is_multiple(&row, modulus.trailing_zeros()))
        };
        // The other terms of a sum are multiples of the modulus.
        let by_sum = |(sum, power): &(Linear, u32)| {
            let own = sum.terms().iter().find(|(_, other)| *other == term);
            let others = sum.terms().iter().filter(|(_, other)| *other != term);
            let (Some((factor @ (1 | -1), _)), super::ZERO) = (own, *power) else { return false };
            others.into_iter().all(|(factor, _)| factor.unsigned_abs() % modulus == 0)
                && fits(-sum.constant() * *factor as i128)
        };
        range.remainders.iter().any(known)
            || self.sums.iter().any(by_sum)
            || range.numbers().is_some_and(|all| all.into_iter().all(fits))
            || by_equations()
    }

    /// The low bits of a term's number are those of another number.
    pub(super) fn assume_low_bits(&mut self, term: Term, bits: u32, number: u64) {
        if bits > 0
            && let Some(row) = self.integer_row([(1, term)], -(number as i128))
        {
            self.equations.assume_modulo(&row, bits);
        }
    }

    pub(super) fn assume_same_low_bits(&mut self, a: Term, b: Term, bits: u32) {
        if bits > 0
            && let Some(row) = self.integer_row([(1, a), (-1, b)], 0)
        {
            self.equations.assume_modulo(&row, bits);
        }
    }

    /// Bits that are known one by one, or as a remainder.
    pub(super) fn has_bits(&self, term: Term, mask: u64, value: u64) -> bool {
        let (known, bits) = self.known_bits(term);
        if bits & mask & known != value & known {
            return false;
        }
        let open = mask & !known;
        let low = u64::MAX.checked_shr(open.leading_zeros()).unwrap_or(0);
        open == 0 || low & !mask == 0 && low < u64::MAX && self.has_remainder(term, low + 1, value & low)
    }

    /// Which bits of a term's pattern are known, and those.
    pub(super) fn known_bits(&self, term: Term) -> (u64, u64) {
        let (Some(scalar), Some(range)) = (self.scalar(term), self.range(term)) else { return (0, 0) };
        if !scalar.is_integer() {
            return (0, 0);
        }
        let (mut known, mut bits) = (0, 0);
        let mut add = |mask: u64, value: u64| {
            known |= mask;
            bits |= value & mask;
        };
        if let Some(numbers) = range.numbers().filter(|numbers| !numbers.is_empty()) {
            let patterns = numbers.iter().map(|number| scalar.pattern(*number));
            let (always, ever) = patterns.fold((u64::MAX, 0), |(a, e), p| (a & p, e | p));
            add(scalar.mask() & !(ever & !always), always);
        }
        // Above the highest bit in which the bounds differ all numbers between them agree.
        let (low, high) = (scalar.pattern(range.least), scalar.pattern(range.most));
        if (range.least < 0) == (range.most < 0) {
            let varying = 64 - (low ^ high).leading_zeros();
            add(scalar.mask() & u64::MAX.checked_shl(varying).unwrap_or(0), low);
        }
        for (modulus, remainder) in &range.remainders {
            let power = (1u64 << modulus.trailing_zeros()) - 1;
            add(power & scalar.mask(), *remainder);
        }
        for (width, mask, value) in &range.bits {
            if *width == scalar.bits() {
                add(*mask, *value);
            }
        }
        (known, bits)
    }

    pub(super) fn have_same_bits(&self, a: Term, b: Term, mask: u64) -> bool {
        let (Some(x), Some(y)) = (self.scalar(a), self.scalar(b)) else { return false };
        let is_stronger = |fact: &Fact| match fact {
            Fact::SameBits { left, right, mask: known } => (*left, *right) == (a, b) && mask & !known == 0,
            _ => false,
        };
        if self.facts.iter().any(is_stronger) {
            return true;
        }
        if !x.is_integer() || !y.is_integer() || matches!(a, Term::Each(_)) || matches!(b, Term::Each(_)) {
            return false;
        }
        if x.bits() == y.bits() && self.at(a) == self.at(b) {
            return true;
        }
        let ((known_a, bits_a), (known_b, bits_b)) = (self.known_bits(a), self.known_bits(b));
        let fixed = known_a & known_b & !(bits_a ^ bits_b);
        let open = mask & !fixed;
        let bits = 64 - open.leading_zeros();
        let row = || self.integer_row([(1, a), (-1, b)], 0);
        if bits > x.bits().min(y.bits()) {
            return false;
        }
        open == 0
            || row().is_some_and(|row| self.equations.is_multiple(&row, bits))
            || self.sums.iter().any(|(sum, power)| bits <= *power && fixes_bits(sum, a, b, bits, open))
    }
}
