//! Inverse operators: what an operand must be so that the result is the wanted one.
//!
//! A goal says of each example which bits of a value are wanted (witness functions of FlashMeta, Polozov and Gulwani 2015,
//! with known bits in place of sets). The inverse of an operator in one operand, the other being known, is a goal again, and
//! exact: a value meets it if and only if the operator makes of it what the first goal wants. Where no goal of this form is
//! exact, as for a sum whose low bits are open, there is none. Of integers all bits are wanted or none.

use crate::op::Op;
use crate::sort::Sort;

/// Wanted bits of one example: `value` where `care` has a one. Bits of `value` beyond are zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    pub care: u64,
    pub value: u64,
}

impl Wanted {
    pub const ANYTHING: Wanted = Wanted { care: 0, value: 0 };

    fn new(care: u64, value: u64) -> Wanted {
        Wanted { care, value: value & care }
    }

    pub fn is_met_by(self, lane: u64) -> bool {
        (lane ^ self.value) & self.care == 0
    }

    /// How many bits are wanted, if they are the lowest ones: what carries go through.
    fn low(self) -> Option<u32> {
        let bits = (!self.care).trailing_zeros();
        (self.care == low_bits(bits)).then_some(bits)
    }
}

fn low_bits(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// One operator with the operand that is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub op: Op,
    /// Which operand is looked for.
    pub position: usize,
    /// Its sort.
    pub operand: Sort,
    /// The sort of the other one.
    pub other: Sort,
    pub result: Sort,
}

/// Whether there is an inverse at all.
pub fn is_invertible(place: Place) -> bool {
    let shift = matches!(place.op, Op::BvShl | Op::BvLshr | Op::BvAshr) && place.position == 0;
    let plain = matches!(
        place.op,
        Op::Not
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::IntNeg
            | Op::IntAdd
            | Op::IntSub
            | Op::IntMul
            | Op::BvNot
            | Op::BvNeg
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvNand
            | Op::BvNor
            | Op::BvXnor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::Concat
            | Op::Extract { .. }
            | Op::ZeroExtend(_)
            | Op::SignExtend(_)
            | Op::RotateLeft(_)
            | Op::RotateRight(_)
    );
    shift || plain
}

/// What the operand must be, if the other one, where there is one, is `known`; `None` if nothing will do, or no goal says
/// exactly what does.
pub fn invert(place: Place, known: u64, wanted: Wanted) -> Option<Wanted> {
    if wanted.care == 0 {
        return Some(Wanted::ANYTHING);
    }
    match place.result {
        Sort::Int => integer(place, known as i64, wanted),
        Sort::Bool | Sort::Bv(_) => bits(place, known, wanted),
    }
}

fn integer(place: Place, known: i64, wanted: Wanted) -> Option<Wanted> {
    let value = wanted.value as i64;
    let operand = match (place.op, place.position) {
        (Op::IntNeg, _) => value.checked_neg()?,
        (Op::IntAdd, _) => value.checked_sub(known)?,
        (Op::IntSub, 0) => value.checked_add(known)?,
        (Op::IntSub, _) => known.checked_sub(value)?,
        (Op::IntMul, _) if known == 0 => return (value == 0).then_some(Wanted::ANYTHING),
        (Op::IntMul, _) if value.checked_rem(known)? == 0 => value.checked_div(known)?,
        _ => return None,
    };
    Some(Wanted::new(u64::MAX, operand as u64))
}

fn bits(place: Place, known: u64, wanted: Wanted) -> Option<Wanted> {
    let Wanted { care, value } = wanted;
    let mask = place.operand.mask();
    let flipped = Wanted::new(care, !value);
    match place.op {
        Op::Not | Op::BvNot => Some(flipped),
        Op::And | Op::BvAnd => conjunct(known, wanted),
        Op::BvNand => conjunct(known, flipped),
        // By De Morgan.
        Op::Or | Op::BvOr => conjunct(!known, flipped).map(|goal| Wanted::new(goal.care, !goal.value)),
        Op::BvNor => conjunct(!known, wanted).map(|goal| Wanted::new(goal.care, !goal.value)),
        Op::Xor | Op::BvXor => Some(Wanted::new(care, value ^ known)),
        Op::BvXnor => Some(Wanted::new(care, !(value ^ known))),
        Op::BvNeg => wanted.low().map(|_| Wanted::new(care, value.wrapping_neg())),
        Op::BvAdd => wanted.low().map(|_| Wanted::new(care, value.wrapping_sub(known))),
        Op::BvSub if place.position == 0 => wanted.low().map(|_| Wanted::new(care, value.wrapping_add(known))),
        Op::BvSub => wanted.low().map(|_| Wanted::new(care, known.wrapping_sub(value))),
        Op::BvMul => factor(known, wanted),
        Op::BvShl | Op::BvLshr | Op::BvAshr => shifted(place, known, wanted),
        Op::Extract { lo, .. } => Some(Wanted::new(care << lo, value << lo)),
        Op::ZeroExtend(_) => (value & !mask == 0).then(|| Wanted::new(care & mask, value)),
        Op::SignExtend(_) => sign_copies(wanted, place.operand, 0),
        Op::RotateLeft(count) => Some(rotated(place.operand, wanted, count, false)),
        Op::RotateRight(count) => Some(rotated(place.operand, wanted, count, true)),
        Op::Concat => concatenated(place, known, wanted),
        _ => None,
    }
}

/// `operand & known`.
fn conjunct(known: u64, wanted: Wanted) -> Option<Wanted> {
    (wanted.value & !known == 0).then(|| Wanted::new(wanted.care & known, wanted.value))
}

/// `operand * known`, modulo a power of two: an odd factor has an inverse.
fn factor(known: u64, wanted: Wanted) -> Option<Wanted> {
    let zeros = known.trailing_zeros().min(64);
    if wanted.value & low_bits(zeros) != 0 {
        return None;
    }
    let bits = wanted.low()?;
    if bits <= zeros {
        return Some(Wanted::ANYTHING);
    }
    let odd = known >> zeros;
    // Newton's iteration doubles the correct bits; the first guess has three.
    let inverse = (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
    Some(Wanted::new(low_bits(bits - zeros), (wanted.value >> zeros).wrapping_mul(inverse)))
}

/// A shift of the operand by `known`.
fn shifted(place: Place, known: u64, wanted: Wanted) -> Option<Wanted> {
    let Wanted { care, value } = wanted;
    let Sort::Bv(width) = place.operand else { return None };
    let mask = place.operand.mask();
    if place.position != 0 {
        return None;
    }
    if place.op == Op::BvAshr {
        return sign_copies(wanted, place.operand, known.min(u64::from(width) - 1) as u32);
    }
    if known >= u64::from(width) {
        return (value == 0).then_some(Wanted::ANYTHING);
    }
    let count = known as u32;
    match place.op {
        Op::BvShl => (value & low_bits(count) == 0).then(|| Wanted::new(care >> count, value >> count)),
        _ => (value & !(mask >> count) == 0).then(|| Wanted::new(care << count & mask, value << count)),
    }
}

/// The operand whose upper bits, after a shift to the right by `count`, are copies of its sign.
fn sign_copies(wanted: Wanted, operand: Sort, count: u32) -> Option<Wanted> {
    let mask = operand.mask();
    let sign = mask ^ mask >> 1;
    // Of the result: what comes from below the sign, and copies of the sign.
    let below = (sign - 1) >> count;
    let copies = wanted.care & !below;
    let low = Wanted::new((wanted.care & below) << count, (wanted.value & below) << count);
    match wanted.value & copies {
        _ if copies == 0 => Some(low),
        0 => Some(Wanted::new(low.care | sign, low.value)),
        all if all == copies => Some(Wanted::new(low.care | sign, low.value | sign)),
        _ => None,
    }
}

fn rotated(operand: Sort, wanted: Wanted, count: u32, left: bool) -> Wanted {
    let Sort::Bv(width) = operand else { return wanted };
    let mask = operand.mask();
    let count = if left { count % width } else { (width - count % width) % width };
    let rotate = |bits: u64| if count == 0 { bits } else { (bits << count | bits >> (width - count)) & mask };
    Wanted::new(rotate(wanted.care), rotate(wanted.value))
}

fn concatenated(place: Place, known: u64, wanted: Wanted) -> Option<Wanted> {
    let low_sort = if place.position == 0 { place.other } else { place.operand };
    let Sort::Bv(low) = low_sort else { return None };
    let upper = Wanted::new(wanted.care >> low, wanted.value >> low);
    let lower = Wanted::new(wanted.care & low_bits(low), wanted.value);
    if place.position == 0 { lower.is_met_by(known).then_some(upper) } else { upper.is_met_by(known).then_some(lower) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column;

    /// Every operator on a few bits with every goal: what meets the inverse is what makes the operator meet the goal.
    #[test]
    fn inverses_are_exact() {
        let (four, two) = (Sort::Bv(4), Sort::Bv(2));
        let table = [
            (Op::BvNot, four, None),
            (Op::BvNeg, four, None),
            (Op::BvAnd, four, Some(four)),
            (Op::BvOr, four, Some(four)),
            (Op::BvXor, four, Some(four)),
            (Op::BvNand, four, Some(four)),
            (Op::BvNor, four, Some(four)),
            (Op::BvXnor, four, Some(four)),
            (Op::BvAdd, four, Some(four)),
            (Op::BvSub, four, Some(four)),
            (Op::BvMul, four, Some(four)),
            (Op::BvShl, four, Some(four)),
            (Op::BvLshr, four, Some(four)),
            (Op::BvAshr, four, Some(four)),
            (Op::Concat, two, Some(two)),
            (Op::Extract { hi: 2, lo: 1 }, four, None),
            (Op::ZeroExtend(2), two, None),
            (Op::SignExtend(2), two, None),
            (Op::RotateLeft(3), four, None),
            (Op::RotateRight(1), four, None),
            (Op::Not, Sort::Bool, None),
            (Op::And, Sort::Bool, Some(Sort::Bool)),
            (Op::Or, Sort::Bool, Some(Sort::Bool)),
            (Op::Xor, Sort::Bool, Some(Sort::Bool)),
        ];
        for (op, operand, other) in table {
            let positions = if other.is_some() { 2 } else { 1 };
            for position in 0..positions {
                let place = |result| Place { op, position, operand, other: other.unwrap_or(operand), result };
                let sorts: Vec<Sort> = [Some(operand), other].into_iter().flatten().collect();
                let result = op.result(&sorts).unwrap();
                if !is_invertible(place(result)) {
                    assert!(matches!(op, Op::BvShl | Op::BvLshr | Op::BvAshr) && position == 1);
                    continue;
                }
                check(place(result), &sorts);
            }
        }
    }

    fn check(place: Place, sorts: &[Sort]) {
        let carries = matches!(place.op, Op::BvNeg | Op::BvAdd | Op::BvSub | Op::BvMul);
        let other = sorts.get(1).map_or(0, |sort| sort.mask());
        for care in 0..=place.result.mask() {
            for value in (0..=care).filter(|value| value & !care == 0) {
                for known in 0..=other {
                    let wanted = Wanted { care, value };
                    let goal = invert(place, known, wanted);
                    if carries && wanted.low().is_none() {
                        assert!(goal.is_none() || place.op == Op::BvMul && care == 0);
                        continue;
                    }
                    for lane in 0..=place.operand.mask() {
                        let pair = if place.position == 0 { [lane, known] } else { [known, lane] };
                        let columns: Vec<&[u64]> = pair.chunks(1).take(sorts.len()).collect();
                        let mut out = [0];
                        assert!(column::apply(place.op, sorts, &columns, 1, &mut out));
                        let is_right = wanted.is_met_by(out[0]);
                        let is_allowed = goal.is_some_and(|goal| goal.is_met_by(lane));
                        assert_eq!(is_right, is_allowed, "{place:?} {known} {wanted:?} {lane}");
                    }
                }
            }
        }
    }

    #[test]
    fn integers_have_exact_inverses() {
        let place = |op, position| Place { op, position, operand: Sort::Int, other: Sort::Int, result: Sort::Int };
        let goal = |value: i64| Wanted { care: u64::MAX, value: value as u64 };
        assert_eq!(invert(place(Op::IntMul, 0), 3, goal(12)), Some(goal(4)));
        assert_eq!(invert(place(Op::IntMul, 0), 5, goal(12)), None);
        assert_eq!(invert(place(Op::IntMul, 0), 0, goal(12)), None);
        assert_eq!(invert(place(Op::IntMul, 0), 0, goal(0)), Some(Wanted::ANYTHING));
        assert_eq!(invert(place(Op::IntSub, 1), 3, goal(12)), Some(goal(-9)));
        assert_eq!(invert(place(Op::IntAdd, 1), -1i64 as u64, goal(i64::MAX)), None);
        assert_eq!(invert(place(Op::IntMul, 0), -1i64 as u64, goal(i64::MIN)), None);
    }
}
