//! Bit-vector values of any width, with the arithmetic of SMT-LIB.
//!
//! Up to 128 bits a value is one machine number; wider ones are limbs of 64 bits (`wide`). Bits above the width are
//! always zero, so that equal values are equal structures.

mod wide;

use std::cmp::Ordering;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVec(Repr);

/// 24 bytes: values of terms are kept by the million.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// Up to 128 bits.
    Inline { width: u32, low: u64, high: u64 },
    /// More than 128 bits: the limbs that the width needs, least significant first.
    Wide { width: u32, limbs: Box<[u64]> },
}

/// The bits of a value to compute with.
enum Bits<'a> {
    Inline(u128),
    Wide(&'a [u64]),
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

impl BitVec {
    /// The low bits of a number, extended with zeros.
    pub fn new(width: u32, value: u128) -> BitVec {
        debug_assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 128 {
            let value = value & mask(width);
            BitVec(Repr::Inline { width, low: value as u64, high: (value >> 64) as u64 })
        } else {
            BitVec::from_limbs(width, vec![value as u64, (value >> 64) as u64])
        }
    }

    /// The low bits of a number in two's complement.
    pub fn from_i128(width: u32, value: i128) -> BitVec {
        let fill = if value < 0 { u64::MAX } else { 0 };
        if width <= 128 {
            return BitVec::new(width, value as u128);
        }
        let mut limbs = vec![fill; wide::limbs_for(width)];
        limbs[0] = value as u64;
        limbs[1] = (value >> 64) as u64;
        BitVec::from_limbs(width, limbs)
    }

    /// From limbs, least significant first; missing ones are zero, bits above the width are dropped.
    pub fn from_limbs(width: u32, mut limbs: Vec<u64>) -> BitVec {
        limbs.resize(wide::limbs_for(width).max(2), 0);
        if width <= 128 {
            return BitVec::new(width, limbs[0] as u128 | (limbs[1] as u128) << 64);
        }
        wide::cut(&mut limbs, width);
        BitVec(Repr::Wide { width, limbs: limbs.into_boxed_slice() })
    }

    pub fn zero(width: u32) -> BitVec {
        BitVec::new(width, 0)
    }

    pub fn one(width: u32) -> BitVec {
        BitVec::new(width, 1)
    }

    pub fn ones(width: u32) -> BitVec {
        BitVec::from_i128(width, -1)
    }

    /// The most negative number: the sign bit alone.
    pub fn min_signed(width: u32) -> BitVec {
        BitVec::one(width).shl_by(width - 1)
    }

    pub fn max_signed(width: u32) -> BitVec {
        BitVec::min_signed(width).not()
    }

    pub fn width(&self) -> u32 {
        match self.0 {
            Repr::Inline { width, .. } | Repr::Wide { width, .. } => width,
        }
    }

    fn bits(&self) -> Bits<'_> {
        match &self.0 {
            Repr::Inline { low, high, .. } => Bits::Inline(*low as u128 | (*high as u128) << 64),
            Repr::Wide { limbs, .. } => Bits::Wide(limbs),
        }
    }

    /// The value, if it is below 2^128.
    pub fn to_u128(&self) -> Option<u128> {
        match self.bits() {
            Bits::Inline(value) => Some(value),
            Bits::Wide(limbs) => {
                limbs[2..].iter().all(|limb| *limb == 0).then(|| limbs[0] as u128 | (limbs[1] as u128) << 64)
            }
        }
    }

    /// The value, if it is below 2^64.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|value| u64::try_from(value).ok())
    }

    /// The value in two's complement, if it has no more than 128 bits.
    pub fn to_i128(&self) -> Option<i128> {
        match self.bits() {
            Bits::Inline(value) => Some(signed(value, self.width())),
            Bits::Wide(_) => None,
        }
    }

    /// The limbs, least significant first, as many as the width needs.
    pub fn limbs(&self) -> Vec<u64> {
        match self.bits() {
            Bits::Inline(value) if self.width() <= 64 => vec![value as u64],
            Bits::Inline(value) => vec![value as u64, (value >> 64) as u64],
            Bits::Wide(limbs) => limbs.to_vec(),
        }
    }

    /// The bit at a position; zero above the width.
    pub fn bit(&self, at: u32) -> bool {
        match self.bits() {
            Bits::Inline(value) => at < 128 && value >> at & 1 == 1,
            Bits::Wide(limbs) => limbs.get(at as usize / 64).is_some_and(|limb| limb >> (at % 64) & 1 == 1),
        }
    }

    /// The sign bit.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width() - 1)
    }

    pub fn is_zero(&self) -> bool {
        match self.bits() {
            Bits::Inline(value) => value == 0,
            Bits::Wide(limbs) => limbs.iter().all(|limb| *limb == 0),
        }
    }

    pub fn is_one(&self) -> bool {
        self.to_u128() == Some(1)
    }

    pub fn is_ones(&self) -> bool {
        match self.bits() {
            Bits::Inline(value) => value == mask(self.width()),
            Bits::Wide(_) => self.count_ones() == self.width(),
        }
    }

    pub fn count_ones(&self) -> u32 {
        match self.bits() {
            Bits::Inline(value) => value.count_ones(),
            Bits::Wide(limbs) => limbs.iter().map(|limb| limb.count_ones()).sum(),
        }
    }

    /// The number of bits up to the highest set one; 0 for zero.
    pub fn significant_bits(&self) -> u32 {
        match self.bits() {
            Bits::Inline(value) => 128 - value.leading_zeros(),
            Bits::Wide(limbs) => wide::significant_bits(limbs),
        }
    }

    pub fn trailing_zeros(&self) -> u32 {
        match self.bits() {
            Bits::Inline(value) => value.trailing_zeros().min(self.width()),
            Bits::Wide(limbs) => wide::trailing_zeros(limbs).min(self.width()),
        }
    }

    /// The exponent, if the value is a power of two.
    pub fn log2(&self) -> Option<u32> {
        (self.count_ones() == 1).then(|| self.trailing_zeros())
    }

    fn zip(
        &self,
        other: &BitVec,
        narrow: impl Fn(u128, u128) -> u128,
        broad: impl Fn(&[u64], &[u64]) -> Vec<u64>,
    ) -> BitVec {
        debug_assert_eq!(self.width(), other.width(), "operands of one width");
        match (self.bits(), other.bits()) {
            (Bits::Inline(a), Bits::Inline(b)) => BitVec::new(self.width(), narrow(a, b)),
            _ => BitVec::from_limbs(self.width(), broad(&self.limbs(), &other.limbs())),
        }
    }

    pub fn not(&self) -> BitVec {
        match self.bits() {
            Bits::Inline(value) => BitVec::new(self.width(), !value),
            Bits::Wide(limbs) => BitVec::from_limbs(self.width(), limbs.iter().map(|limb| !limb).collect()),
        }
    }

    pub fn neg(&self) -> BitVec {
        BitVec::zero(self.width()).sub(self)
    }

    pub fn and(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a & b, |a, b| wide::map2(a, b, |a, b| a & b))
    }

    pub fn or(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a | b, |a, b| wide::map2(a, b, |a, b| a | b))
    }

    pub fn xor(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a ^ b, |a, b| wide::map2(a, b, |a, b| a ^ b))
    }

    pub fn add(&self, other: &BitVec) -> BitVec {
        self.zip(other, u128::wrapping_add, wide::add)
    }

    pub fn sub(&self, other: &BitVec) -> BitVec {
        self.zip(other, u128::wrapping_sub, wide::sub)
    }

    pub fn mul(&self, other: &BitVec) -> BitVec {
        self.zip(other, u128::wrapping_mul, wide::mul)
    }

    pub fn udiv(&self, other: &BitVec) -> BitVec {
        if other.is_zero() {
            return BitVec::ones(self.width());
        }
        self.zip(other, |a, b| a / b, |a, b| wide::div_rem(a, b).0)
    }

    pub fn urem(&self, other: &BitVec) -> BitVec {
        if other.is_zero() {
            return self.clone();
        }
        self.zip(other, |a, b| a % b, |a, b| wide::div_rem(a, b).1)
    }

    fn magnitude(&self) -> BitVec {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    pub fn sdiv(&self, other: &BitVec) -> BitVec {
        // SMT-LIB defines it through the unsigned division of magnitudes, which also says what division by zero gives.
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() != other.is_negative() { quotient.neg() } else { quotient }
    }

    pub fn srem(&self, other: &BitVec) -> BitVec {
        let rest = self.magnitude().urem(&other.magnitude());
        if self.is_negative() { rest.neg() } else { rest }
    }

    /// Shifted left by a number of bits of any size.
    pub fn shl_by(&self, count: u32) -> BitVec {
        match self.bits() {
            Bits::Inline(value) => BitVec::new(self.width(), if count < self.width() { value << count } else { 0 }),
            Bits::Wide(limbs) => BitVec::from_limbs(self.width(), wide::shl(limbs, count)),
        }
    }

    /// Shifted right by a number of bits of any size, filled with zeros.
    pub fn lshr_by(&self, count: u32) -> BitVec {
        match self.bits() {
            Bits::Inline(value) => BitVec::new(self.width(), if count < self.width() { value >> count } else { 0 }),
            Bits::Wide(limbs) => BitVec::from_limbs(self.width(), wide::shr(limbs, count)),
        }
    }

    pub fn ashr_by(&self, count: u32) -> BitVec {
        if self.is_negative() { self.not().lshr_by(count).not() } else { self.lshr_by(count) }
    }

    /// A shift count, cut to the width: all larger ones do the same.
    fn count(&self) -> u32 {
        self.to_u64().unwrap_or(u64::MAX).min(self.width() as u64) as u32
    }

    pub fn shl(&self, count: &BitVec) -> BitVec {
        self.shl_by(count.count())
    }

    pub fn lshr(&self, count: &BitVec) -> BitVec {
        self.lshr_by(count.count())
    }

    pub fn ashr(&self, count: &BitVec) -> BitVec {
        self.ashr_by(count.count())
    }

    pub fn cmp_unsigned(&self, other: &BitVec) -> Ordering {
        match (self.bits(), other.bits()) {
            (Bits::Inline(a), Bits::Inline(b)) => a.cmp(&b),
            _ => self.limbs().iter().rev().cmp(other.limbs().iter().rev()),
        }
    }

    pub fn cmp_signed(&self, other: &BitVec) -> Ordering {
        other.is_negative().cmp(&self.is_negative()).then_with(|| self.cmp_unsigned(other))
    }

    pub fn ult(&self, other: &BitVec) -> bool {
        self.cmp_unsigned(other).is_lt()
    }

    pub fn slt(&self, other: &BitVec) -> bool {
        self.cmp_signed(other).is_lt()
    }

    /// With `low` below it.
    pub fn concat(&self, low: &BitVec) -> BitVec {
        let width = self.width() + low.width();
        self.zero_extend(width).shl_by(low.width()).or(&low.zero_extend(width))
    }

    /// Bits `lo` to `hi`, both included.
    pub fn extract(&self, hi: u32, lo: u32) -> BitVec {
        debug_assert!(lo <= hi && hi < self.width(), "bits {hi} to {lo} of {}", self.width());
        match self.bits() {
            Bits::Inline(value) => BitVec::new(hi - lo + 1, value >> lo),
            Bits::Wide(limbs) => BitVec::from_limbs(hi - lo + 1, wide::shr(limbs, lo)),
        }
    }

    /// To a width that is not smaller.
    pub fn zero_extend(&self, width: u32) -> BitVec {
        debug_assert!(width >= self.width());
        match self.bits() {
            Bits::Inline(value) => BitVec::new(width, value),
            Bits::Wide(limbs) => BitVec::from_limbs(width, limbs.to_vec()),
        }
    }

    pub fn sign_extend(&self, width: u32) -> BitVec {
        if self.is_negative() { self.not().zero_extend(width).not() } else { self.zero_extend(width) }
    }
}

fn signed(value: u128, width: u32) -> i128 {
    ((value << (128 - width)) as i128) >> (128 - width)
}

impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:{}", self.width())
    }
}

/// In hexadecimal.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bits() {
            Bits::Inline(value) => write!(f, "{value:#x}"),
            Bits::Wide(limbs) => {
                f.write_str("0x")?;
                limbs.iter().rev().try_for_each(|limb| write!(f, "{limb:016x}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wide arithmetic agrees with that of 128 bits where both can be done: operands of 100 bits in 130-bit vectors.
    #[test]
    fn wide_operators_agree_with_narrow_ones() {
        let mut seed = 1u128;
        let mut next = || {
            seed = seed.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x5851_f42d_4c95_7f2d);
            (seed >> 28) >> (seed % 90) as u32
        };
        for _ in 0..2000 {
            let (a, b) = (next(), next());
            let (narrow_a, narrow_b) = (BitVec::from_i128(100, a as i128), BitVec::from_i128(100, b as i128));
            let (wide_a, wide_b) = (narrow_a.sign_extend(200), narrow_b.sign_extend(200));
            let same = |narrow: BitVec, wide: BitVec| assert_eq!(narrow, wide.extract(99, 0), "{a:#x} {b:#x}");
            same(narrow_a.add(&narrow_b), wide_a.add(&wide_b));
            same(narrow_a.sub(&narrow_b), wide_a.sub(&wide_b));
            same(narrow_a.mul(&narrow_b), wide_a.mul(&wide_b));
            same(narrow_a.sdiv(&narrow_b), wide_a.sdiv(&wide_b));
            same(narrow_a.srem(&narrow_b), wide_a.srem(&wide_b));
            same(narrow_a.xor(&narrow_b), wide_a.xor(&wide_b));
            let (unsigned_a, unsigned_b) = (narrow_a.zero_extend(300), narrow_b.zero_extend(300));
            same(narrow_a.udiv(&narrow_b), unsigned_a.udiv(&unsigned_b));
            same(narrow_a.urem(&narrow_b), unsigned_a.urem(&unsigned_b));
            assert_eq!(narrow_a.cmp_signed(&narrow_b), wide_a.cmp_signed(&wide_b));
            assert_eq!(narrow_a.cmp_unsigned(&narrow_b), unsigned_a.cmp_unsigned(&unsigned_b));
            let count = (b % 110) as u32;
            same(narrow_a.shl_by(count), wide_a.shl_by(count));
            same(narrow_a.ashr_by(count), wide_a.ashr_by(count));
            same(narrow_a.lshr_by(count), unsigned_a.lshr_by(count));
            assert_eq!(narrow_a.concat(&narrow_b).extract(99, 0), narrow_b);
            assert_eq!(narrow_a.concat(&narrow_b).extract(199, 100), narrow_a);
            assert_eq!(narrow_a.significant_bits(), unsigned_a.significant_bits());
        }
    }

    #[test]
    fn division_by_zero_is_smt_libs() {
        let (zero, five, minus) = (BitVec::zero(8), BitVec::new(8, 5), BitVec::from_i128(8, -5));
        assert!(five.udiv(&zero).is_ones());
        assert_eq!(five.urem(&zero), five);
        assert_eq!(five.sdiv(&zero).to_i128(), Some(-1));
        assert_eq!(minus.sdiv(&zero).to_i128(), Some(1));
        assert_eq!(minus.srem(&zero), minus);
        assert_eq!(BitVec::min_signed(8).sdiv(&BitVec::ones(8)), BitVec::min_signed(8));
    }
}
