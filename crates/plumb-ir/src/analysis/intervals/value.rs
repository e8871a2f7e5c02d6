//! Sets of bit patterns: what a register can hold.
//!
//! A set is given by a range of the signed reading, one of the unsigned reading, and the low bits if they are always the
//! same. Each of them alone contains every pattern of the set; [`Value::reduced`] lets them learn from each other.

use crate::expr::{BinOp, Sign};
use crate::ty::Bits;

/// A set of patterns of a width up to 64 bits. Never empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    pub width: u32,
    /// The least and the greatest, read as signed numbers.
    pub signed: (i128, i128),
    /// The same, read as unsigned ones.
    pub unsigned: (i128, i128),
    /// So many low bits are known.
    pub low_bits: u32,
    /// What they are.
    pub low: u64,
}

fn limits(width: u32) -> ((i128, i128), (i128, i128)) {
    let most = i128::MAX >> (128 - width);
    ((-most - 1, most), (0, 2 * most + 1))
}

fn mask(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits.min(64)) }
}

/// The least number from a bound on that has the low bits.
fn next_with(bound: i128, modulus: i128, rest: i128) -> i128 {
    bound + (rest - bound).rem_euclid(modulus)
}

fn meet(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    (a.0.max(b.0), a.1.min(b.1))
}

impl Value {
    pub fn any(width: u32) -> Value {
        let (signed, unsigned) = limits(width);
        Value { width, signed, unsigned, low_bits: 0, low: 0 }
    }

    pub fn constant(bits: Bits, width: u32) -> Value {
        let (signed, unsigned) = (bits.signed(width), bits.u128() as i128);
        let low = bits.u64() & mask(width);
        Value { width, signed: (signed, signed), unsigned: (unsigned, unsigned), low_bits: width, low }
    }

    pub fn contains(&self, bits: Bits) -> bool {
        let (signed, unsigned) = (bits.signed(self.width), bits.u128() as i128);
        (self.signed.0..=self.signed.1).contains(&signed)
            && (self.unsigned.0..=self.unsigned.1).contains(&unsigned)
            && bits.u64() & mask(self.low_bits) == self.low
    }

    /// The only pattern, if there is one.
    pub fn as_constant(&self) -> Option<Bits> {
        (self.unsigned.0 == self.unsigned.1).then(|| Bits::new(self.unsigned.0 as u128, self.width))
    }

    /// From ranges that may be too wide for the width: such a range says nothing.
    fn of_ranges(width: u32, signed: (i128, i128), unsigned: (i128, i128), low_bits: u32, low: u64) -> Value {
        let (all_signed, all_unsigned) = limits(width);
        let fits = |range: (i128, i128), all: (i128, i128)| {
            if range.0 >= all.0 && range.1 <= all.1 && range.0 <= range.1 { range } else { all }
        };
        let low_bits = low_bits.min(width);
        let value = Value {
            width,
            signed: fits(signed, all_signed),
            unsigned: fits(unsigned, all_unsigned),
            low_bits,
            low: low & mask(low_bits),
        };
        // Sets that contain what an operation can give have something in common.
        value.reduced().unwrap_or(Value::any(width))
    }

    /// The ranges narrowed by each other and by the low bits; `None` if nothing is left.
    pub fn reduced(mut self) -> Option<Value> {
        let most = limits(self.width).0.1;
        let whole = 2 * (most + 1);
        for _ in 0..2 {
            let modulus = 1i128 << self.low_bits;
            for range in [&mut self.signed, &mut self.unsigned] {
                range.0 = next_with(range.0, modulus, self.low as i128);
                range.1 = -next_with(-range.1, modulus, -(self.low as i128));
                if range.0 > range.1 {
                    return None;
                }
            }
            if self.signed.0 >= 0 {
                self.unsigned = meet(self.unsigned, self.signed);
            } else if self.signed.1 < 0 {
                self.unsigned = meet(self.unsigned, (self.signed.0 + whole, self.signed.1 + whole));
            }
            if self.unsigned.1 <= most {
                self.signed = meet(self.signed, self.unsigned);
            } else if self.unsigned.0 > most {
                self.signed = meet(self.signed, (self.unsigned.0 - whole, self.unsigned.1 - whole));
            }
            if self.signed.0 > self.signed.1 || self.unsigned.0 > self.unsigned.1 {
                return None;
            }
        }
        if self.unsigned.0 == self.unsigned.1 {
            self.low_bits = self.width;
            self.low = self.unsigned.0 as u64;
        }
        Some(self)
    }

    pub fn join(&self, other: &Value) -> Value {
        let span = |a: (i128, i128), b: (i128, i128)| (a.0.min(b.0), a.1.max(b.1));
        let agreed = (self.low ^ other.low).trailing_zeros();
        let low_bits = self.low_bits.min(other.low_bits).min(agreed);
        Value {
            width: self.width,
            signed: span(self.signed, other.signed),
            unsigned: span(self.unsigned, other.unsigned),
            low_bits,
            low: self.low & mask(low_bits),
        }
    }

    /// What is in both; `None` if nothing is.
    pub fn meet(&self, other: &Value) -> Option<Value> {
        let (fewer, more) = if self.low_bits <= other.low_bits { (self, other) } else { (other, self) };
        if more.low & mask(fewer.low_bits) != fewer.low {
            return None;
        }
        Value {
            width: self.width,
            signed: meet(self.signed, other.signed),
            unsigned: meet(self.unsigned, other.unsigned),
            low_bits: more.low_bits,
            low: more.low,
        }
        .reduced()
    }

    /// A range that has grown goes on to the next of some numbers, so that it grows only so often.
    pub fn widen(&self, next: &Value, thresholds: &[i128]) -> Value {
        let ((slo, shi), (ulo, uhi)) = limits(self.width);
        let below = |bound: i128, least: i128| {
            let at = thresholds.partition_point(|t| *t <= bound);
            thresholds[..at].last().map_or(least, |t| (*t).max(least))
        };
        let above = |bound: i128, most: i128| {
            let at = thresholds.partition_point(|t| *t < bound);
            thresholds.get(at).map_or(most, |t| (*t).min(most))
        };
        let grow = |old: (i128, i128), new: (i128, i128), least: i128, most: i128| {
            let lo = if new.0 < old.0 { below(new.0, least) } else { old.0 };
            (lo, if new.1 > old.1 { above(new.1, most) } else { old.1 })
        };
        let joined = self.join(next);
        Value {
            signed: grow(self.signed, joined.signed, slo, shi),
            unsigned: grow(self.unsigned, joined.unsigned, ulo, uhi),
            ..joined
        }
    }

    pub fn binary(op: BinOp, sign: Sign, a: &Value, b: &Value) -> Value {
        let width = a.width;
        let low_bits = a.low_bits.min(b.low_bits);
        match op {
            BinOp::Add => Value::of_ranges(
                width,
                (a.signed.0 + b.signed.0, a.signed.1 + b.signed.1),
                (a.unsigned.0 + b.unsigned.0, a.unsigned.1 + b.unsigned.1),
                low_bits,
                a.low.wrapping_add(b.low),
            ),
            BinOp::Sub => Value::of_ranges(
                width,
                (a.signed.0 - b.signed.1, a.signed.1 - b.signed.0),
                (a.unsigned.0 - b.unsigned.1, a.unsigned.1 - b.unsigned.0),
                low_bits,
                a.low.wrapping_sub(b.low),
            ),
            BinOp::Mul => {
                // Zeros at the low end add up.
                let zeros = |v: &Value| v.low.trailing_zeros().min(v.low_bits);
                let exact = low_bits;
                let by_zeros = zeros(a) + zeros(b);
                let (bits, low) = if by_zeros > exact { (by_zeros, 0) } else { (exact, a.low.wrapping_mul(b.low)) };
                Value::of_ranges(width, products(a.signed, b.signed), products(a.unsigned, b.unsigned), bits, low)
            }
            BinOp::Div if sign == Sign::Signed => match b.as_constant().map(|c| c.signed(width)) {
                Some(by) if by > 0 => {
                    Value::of_ranges(width, (a.signed.0 / by, a.signed.1 / by), limits(width).1, 0, 0)
                }
                _ => Value::any(width),
            },
            BinOp::Div => match b.as_constant().map(|c| c.u128() as i128) {
                Some(by) if by > 0 => {
                    Value::of_ranges(width, limits(width).0, (a.unsigned.0 / by, a.unsigned.1 / by), 0, 0)
                }
                _ => Value::any(width),
            },
            BinOp::Rem if sign == Sign::Signed => match b.as_constant().map(|c| c.signed(width)) {
                Some(by) if by > 0 => {
                    let lo = if a.signed.0 < 0 { (1 - by).max(a.signed.0) } else { 0 };
                    let hi = if a.signed.1 > 0 { (by - 1).min(a.signed.1) } else { 0 };
                    Value::of_ranges(width, (lo, hi), limits(width).1, 0, 0)
                }
                _ => Value::any(width),
            },
            BinOp::Rem => match b.as_constant().map(|c| c.u128() as i128) {
                Some(by) if by > 0 => Value::of_ranges(width, limits(width).0, (0, (by - 1).min(a.unsigned.1)), 0, 0),
                _ => Value::any(width),
            },
            BinOp::And => {
                let most = a.unsigned.1.min(b.unsigned.1);
                Value::of_ranges(width, limits(width).0, (0, most), low_bits, a.low & b.low)
            }
            BinOp::Or | BinOp::Xor => {
                // No bit above the highest of both.
                let top = (a.unsigned.1 | b.unsigned.1) as u128;
                let most = (u128::MAX.checked_shr(top.leading_zeros()).unwrap_or(0)) as i128;
                let low = if op == BinOp::Or { a.low | b.low } else { a.low ^ b.low };
                Value::of_ranges(width, limits(width).0, (0, most), low_bits, low)
            }
            BinOp::Shl => match b.as_constant().map(|c| c.u128()) {
                Some(count) if count < width as u128 => {
                    let factor = 1i128 << count;
                    let low_bits = a.low_bits + count as u32;
                    let low = a.low.checked_shl(count as u32).unwrap_or(0);
                    let scaled = |range: (i128, i128)| (range.0 * factor, range.1 * factor);
                    Value::of_ranges(width, scaled(a.signed), scaled(a.unsigned), low_bits, low)
                }
                _ => Value::any(width),
            },
            BinOp::Shr => match b.as_constant().map(|c| c.u128()) {
                Some(count) if count < width as u128 && sign == Sign::Signed => {
                    let range = (a.signed.0 >> count, a.signed.1 >> count);
                    Value::of_ranges(width, range, limits(width).1, 0, 0)
                }
                Some(count) if count < width as u128 => {
                    let range = (a.unsigned.0 >> count, a.unsigned.1 >> count);
                    Value::of_ranges(width, limits(width).0, range, 0, 0)
                }
                _ => Value::any(width),
            },
            BinOp::Eq
            | BinOp::Ne
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Min
            | BinOp::Max
            | BinOp::IeeeRem
            | BinOp::Copysign => Value::any(width),
        }
    }

    /// To another width, extended by the sign's reading.
    pub fn resize(&self, width: u32, from: Sign) -> Value {
        if width >= self.width {
            let (signed, unsigned) = match from {
                Sign::Signed => (self.signed, limits(width).1),
                Sign::Unsigned | Sign::Plain => (limits(width).0, self.unsigned),
            };
            return Value::of_ranges(width, signed, unsigned, self.low_bits, self.low);
        }
        // Truncation keeps what fits.
        Value::of_ranges(width, self.signed, self.unsigned, self.low_bits, self.low)
    }
}

fn products(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    let all = [a.0.checked_mul(b.0), a.0.checked_mul(b.1), a.1.checked_mul(b.0), a.1.checked_mul(b.1)];
    let list: Option<Vec<i128>> = all.into_iter().collect();
    // An empty range stands for one that does not fit.
    list.and_then(|list| Some((*list.iter().min()?, *list.iter().max()?))).unwrap_or((1, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold;
    use crate::ty::Ty;
    use plumb_c::target::Target;

    fn sets() -> Vec<Value> {
        let mut sets = vec![Value::any(4)];
        for a in 0..16u128 {
            sets.push(Value::constant(Bits::new(a, 4), 4));
            for b in [1, 3, 6, 10] {
                let other = Value::constant(Bits::new(a + b, 4), 4);
                sets.push(Value::constant(Bits::new(a, 4), 4).join(&other));
            }
        }
        sets.into_iter().filter_map(Value::reduced).collect()
    }

    fn members(set: &Value) -> Vec<Bits> {
        (0..16).map(|p| Bits::new(p, 4)).filter(|p| set.contains(*p)).collect()
    }

    #[test]
    fn operations_give_sets_with_every_result() {
        let target = Target::LP64;
        let ops = [
            BinOp::Add,
            BinOp::Sub,
            BinOp::Mul,
            BinOp::Div,
            BinOp::Rem,
            BinOp::And,
            BinOp::Or,
            BinOp::Xor,
            BinOp::Shl,
            BinOp::Shr,
        ];
        for a in sets() {
            for b in sets() {
                for (op, sign) in ops.iter().flat_map(|op| [(*op, Sign::Signed), (*op, Sign::Unsigned)]) {
                    let result = Value::binary(op, sign, &a, &b);
                    for x in members(&a) {
                        for y in members(&b) {
                            let z = fold::binary(op, sign, Ty::Int(4), x, y, &target);
                            assert!(result.contains(z), "{op:?} {sign:?} {a:?} {b:?}: {x:?} {y:?} give {z:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn sets_join_meet_widen_and_change_their_width_without_losing_members() {
        let sets = sets();
        for a in &sets {
            for from in [Sign::Signed, Sign::Unsigned] {
                for x in members(a) {
                    assert!(a.resize(2, from).contains(Bits::new(x.u128(), 2)));
                    let wide = if from == Sign::Signed { x.signed(4) as u128 } else { x.u128() };
                    assert!(a.resize(7, from).contains(Bits::new(wide, 7)));
                }
            }
            for b in &sets {
                let (joined, met, wide) = (a.join(b), a.meet(b), a.widen(b, &[-3, 0, 5]));
                for x in members(a).into_iter().chain(members(b)) {
                    assert!(joined.contains(x) && wide.contains(x));
                    let both = a.contains(x) && b.contains(x);
                    assert!(!both || met.is_some_and(|met| met.contains(x)), "{a:?} {b:?} {x:?}");
                }
            }
        }
    }
}
