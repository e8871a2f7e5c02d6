//! Operators on whole columns: the values of a term on all examples at once.
//!
//! A column of truth values is packed, 64 examples to a word, unused bits zero. Any other column has a word for each example.
//! Integers that leave 64 bits, and divisions of integers by zero, have no column: the term is no candidate.

use crate::op::Op;
use crate::sort::Sort;

/// Words of a column for so many examples.
pub fn words(sort: Sort, examples: usize) -> usize {
    match sort {
        Sort::Bool => examples.div_ceil(64),
        Sort::Int | Sort::Bv(_) => examples,
    }
}

/// The column of a list of lanes.
pub fn pack(sort: Sort, lanes: &[u64]) -> Vec<u64> {
    match sort {
        Sort::Bool => {
            let word = |chunk: &[u64]| chunk.iter().enumerate().fold(0, |word, (at, lane)| word | (lane & 1) << at);
            lanes.chunks(64).map(word).collect()
        }
        Sort::Int | Sort::Bv(_) => lanes.to_vec(),
    }
}

/// The word with a bit for every example of the last, perhaps incomplete, word.
fn last_word(examples: usize) -> u64 {
    match examples % 64 {
        0 => u64::MAX,
        rest => (1 << rest) - 1,
    }
}

/// The word that tells of up to 64 examples which of them satisfy a test.
#[inline(always)]
fn gather(count: usize, test: impl Fn(usize) -> bool) -> u64 {
    (0..count).fold(0, |word, at| word | (test(at) as u64) << at)
}

#[inline(always)]
fn map(a: &[u64], out: &mut [u64], f: impl Fn(u64) -> u64) -> bool {
    for (out, a) in out.iter_mut().zip(a) {
        *out = f(*a);
    }
    true
}

#[inline(always)]
fn zip(a: &[u64], b: &[u64], out: &mut [u64], f: impl Fn(u64, u64) -> u64) -> bool {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = f(*a, *b);
    }
    true
}

/// Of operators that may have no value: whether all have one.
#[inline(always)]
fn try_zip(a: &[u64], b: &[u64], out: &mut [u64], f: impl Fn(i64, i64) -> Option<i64>) -> bool {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        match f(*a as i64, *b as i64) {
            Some(value) => *out = value as u64,
            None => return false,
        }
    }
    true
}

#[inline(always)]
fn test(a: &[u64], b: &[u64], out: &mut [u64], f: impl Fn(u64, u64) -> bool) -> bool {
    for (out, (a, b)) in out.iter_mut().zip(a.chunks(64).zip(b.chunks(64))) {
        *out = gather(a.len(), |at| f(a[at], b[at]));
    }
    true
}

/// The number that a lane is when read with a sign.
#[inline(always)]
pub fn signed(lane: u64, width: u32) -> i64 {
    (lane << (64 - width)) as i64 >> (64 - width)
}

/// Applies an operator to columns; the operands' sorts suit it, and there are two of them where it folds. False where
/// some example has no value.
pub fn apply(op: Op, sorts: &[Sort], operands: &[&[u64]], examples: usize, out: &mut [u64]) -> bool {
    let (sort, a) = (sorts[0], operands[0]);
    let done = match (sort, operands) {
        (Sort::Bool, _) => truth(op, sorts, operands, examples, out),
        (Sort::Int, [_]) => return integer_unary(op, a, out),
        (Sort::Int, [_, b, ..]) => return integer_binary(op, a, b, out),
        (Sort::Bv(width), [_]) => bits_unary(op, width, a, out),
        (Sort::Bv(width), [_, b, ..]) => bits_binary(op, width, sorts[1], a, b, out),
        (_, []) => false,
    };
    debug_assert!(done, "{op:?} has no column for {sorts:?}");
    done
}

fn truth(op: Op, sorts: &[Sort], operands: &[&[u64]], examples: usize, out: &mut [u64]) -> bool {
    let a = operands[0];
    let done = match (op, operands) {
        (Op::Not, _) => map(a, out, |a| !a),
        (Op::And, [_, b]) => zip(a, b, out, |a, b| a & b),
        (Op::Or, [_, b]) => zip(a, b, out, |a, b| a | b),
        (Op::Xor | Op::Distinct, [_, b]) => zip(a, b, out, |a, b| a ^ b),
        (Op::Eq, [_, b]) => zip(a, b, out, |a, b| !(a ^ b)),
        (Op::Implies, [_, b]) => zip(a, b, out, |a, b| !a | b),
        (Op::Ite, [_, b, c]) if sorts[1] == Sort::Bool => {
            for (at, out) in out.iter_mut().enumerate() {
                *out = a[at] & b[at] | !a[at] & c[at];
            }
            true
        }
        (Op::Ite, [_, b, c]) => {
            for (at, out) in out.iter_mut().enumerate() {
                *out = if a[at / 64] >> (at % 64) & 1 != 0 { b[at] } else { c[at] };
            }
            return true;
        }
        _ => false,
    };
    if let Some(last) = out.last_mut() {
        *last &= last_word(examples);
    }
    done
}

fn integer_unary(op: Op, a: &[u64], out: &mut [u64]) -> bool {
    match op {
        Op::IntNeg => try_zip(a, a, out, |a, _| a.checked_neg()),
        Op::IntAbs => try_zip(a, a, out, |a, _| a.checked_abs()),
        _ => false,
    }
}

fn integer_binary(op: Op, a: &[u64], b: &[u64], out: &mut [u64]) -> bool {
    match op {
        Op::Eq => test(a, b, out, |a, b| a == b),
        Op::Distinct => test(a, b, out, |a, b| a != b),
        Op::IntLe => test(a, b, out, |a, b| a as i64 <= b as i64),
        Op::IntLt => test(a, b, out, |a, b| (a as i64) < b as i64),
        Op::IntGe => test(a, b, out, |a, b| a as i64 >= b as i64),
        Op::IntGt => test(a, b, out, |a, b| a as i64 > b as i64),
        Op::IntAdd => try_zip(a, b, out, i64::checked_add),
        Op::IntSub => try_zip(a, b, out, i64::checked_sub),
        Op::IntMul => try_zip(a, b, out, i64::checked_mul),
        Op::IntDiv => try_zip(a, b, out, i64::checked_div_euclid),
        Op::IntMod => try_zip(a, b, out, |a, b| (b != 0).then(|| a.wrapping_rem_euclid(b))),
        Op::IntRem => try_zip(a, b, out, |a, b| (b != 0).then(|| a.wrapping_rem(b))),
        _ => false,
    }
}

fn bits_unary(op: Op, width: u32, a: &[u64], out: &mut [u64]) -> bool {
    let mask = Sort::Bv(width).mask();
    let rotate_left = |a: u64, count: u32| match count % width {
        0 => a,
        count => (a << count | a >> (width - count)) & mask,
    };
    match op {
        Op::BvNot => map(a, out, |a| !a & mask),
        Op::BvNeg => map(a, out, |a| a.wrapping_neg() & mask),
        Op::BvRedOr => map(a, out, |a| u64::from(a != 0)),
        Op::BvRedAnd => map(a, out, |a| u64::from(a == mask)),
        Op::Extract { hi, lo } => {
            let mask = Sort::Bv(hi - lo + 1).mask();
            map(a, out, |a| a >> lo & mask)
        }
        Op::ZeroExtend(_) => map(a, out, |a| a),
        Op::SignExtend(more) => {
            let mask = Sort::Bv(width + more).mask();
            map(a, out, |a| signed(a, width) as u64 & mask)
        }
        Op::RotateLeft(count) => map(a, out, |a| rotate_left(a, count)),
        Op::RotateRight(count) => map(a, out, |a| rotate_left(a, width - count % width)),
        _ => false,
    }
}

fn bits_binary(op: Op, width: u32, second: Sort, a: &[u64], b: &[u64], out: &mut [u64]) -> bool {
    let mask = Sort::Bv(width).mask();
    let top = width as u64;
    let int = |lane: u64| signed(lane, width);
    match op {
        Op::Eq => test(a, b, out, |a, b| a == b),
        Op::Distinct => test(a, b, out, |a, b| a != b),
        Op::BvUlt => test(a, b, out, |a, b| a < b),
        Op::BvUle => test(a, b, out, |a, b| a <= b),
        Op::BvUgt => test(a, b, out, |a, b| a > b),
        Op::BvUge => test(a, b, out, |a, b| a >= b),
        Op::BvSlt => test(a, b, out, |a, b| int(a) < int(b)),
        Op::BvSle => test(a, b, out, |a, b| int(a) <= int(b)),
        Op::BvSgt => test(a, b, out, |a, b| int(a) > int(b)),
        Op::BvSge => test(a, b, out, |a, b| int(a) >= int(b)),
        Op::BvAnd => zip(a, b, out, |a, b| a & b),
        Op::BvOr => zip(a, b, out, |a, b| a | b),
        Op::BvXor => zip(a, b, out, |a, b| a ^ b),
        Op::BvNand => zip(a, b, out, |a, b| !(a & b) & mask),
        Op::BvNor => zip(a, b, out, |a, b| !(a | b) & mask),
        Op::BvXnor => zip(a, b, out, |a, b| !(a ^ b) & mask),
        Op::BvAdd => zip(a, b, out, |a, b| a.wrapping_add(b) & mask),
        Op::BvSub => zip(a, b, out, |a, b| a.wrapping_sub(b) & mask),
        Op::BvMul => zip(a, b, out, |a, b| a.wrapping_mul(b) & mask),
        Op::BvUdiv => zip(a, b, out, |a, b| a.checked_div(b).unwrap_or(mask)),
        Op::BvUrem => zip(a, b, out, |a, b| a.checked_rem(b).unwrap_or(a)),
        Op::BvSdiv => zip(a, b, out, |a, b| match int(b) {
            0 if int(a) < 0 => 1,
            0 => mask,
            divisor => int(a).wrapping_div(divisor) as u64 & mask,
        }),
        Op::BvSrem => zip(a, b, out, |a, b| match int(b) {
            0 => a,
            divisor => int(a).wrapping_rem(divisor) as u64 & mask,
        }),
        Op::BvSmod => zip(a, b, out, |a, b| match (int(a), int(b)) {
            (_, 0) => a,
            (dividend, divisor) => match dividend.wrapping_rem(divisor) {
                0 => 0,
                rest if (rest < 0) == (divisor < 0) => rest as u64 & mask,
                rest => (rest + divisor) as u64 & mask,
            },
        }),
        Op::BvShl => zip(a, b, out, |a, b| if b < top { a << b & mask } else { 0 }),
        Op::BvLshr => zip(a, b, out, |a, b| if b < top { a >> b } else { 0 }),
        Op::BvAshr => zip(a, b, out, |a, b| (int(a) >> b.min(63)) as u64 & mask),
        Op::BvComp => zip(a, b, out, |a, b| (a == b) as u64),
        Op::Concat => match second {
            Sort::Bv(low) => zip(a, b, out, |a, b| if low < 64 { a << low | b } else { b }),
            Sort::Bool | Sort::Int => false,
        },
        _ => false,
    }
}

/// A hash of a column. Collisions cost time only: columns are compared.
#[inline]
pub fn hash(column: &[u64]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| {
        let product = u128::from(state ^ word) * u128::from(FACTOR);
        (product >> 64) as u64 ^ product as u64
    };
    mix(column.iter().fold(0x243f_6a88_85a3_08d3, |state, word| mix(state, *word).rotate_left(23)), 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Expr;
    use crate::oracle::Oracle;
    use crate::random::Random;
    use crate::sort::Value;

    fn lane(sort: Sort, column: &[u64], example: usize) -> u64 {
        match sort {
            Sort::Bool => column[example / 64] >> (example % 64) & 1,
            Sort::Int | Sort::Bv(_) => column[example],
        }
    }

    /// Compares an operator on columns with what `plumb-term` says of each example.
    fn compare(op: Op, sorts: &[Sort], lanes: &[Vec<u64>]) {
        let result = op.result(sorts).unwrap();
        let examples = lanes[0].len();
        let inputs: Vec<Expr> = (0..sorts.len() as u32).map(Expr::Input).collect();
        let oracle = Oracle::new(&Expr::Apply(op, inputs), sorts, 64).unwrap();
        let columns: Vec<Vec<u64>> = sorts.iter().zip(lanes).map(|(sort, lanes)| pack(*sort, lanes)).collect();
        let value = |at: usize| {
            let values: Vec<Value> = sorts.iter().zip(lanes).map(|(sort, l)| Value::from_lane(*sort, l[at])).collect();
            oracle.value(&values).map(Value::lane)
        };
        let whole: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let mut out = vec![0; words(result, examples)];
        let is_defined = apply(op, sorts, &whole, examples, &mut out);
        let wanted: Vec<Option<u64>> = (0..examples).map(value).collect();
        assert_eq!(is_defined, wanted.iter().all(Option::is_some), "{op:?} {sorts:?}");
        if is_defined {
            let found: Vec<Option<u64>> = (0..examples).map(|at| Some(lane(result, &out, at))).collect();
            assert_eq!(found, wanted, "{op:?} {sorts:?}");
        }
    }

    /// All operands of few bits, bounds and random ones of many.
    fn operands(sort: Sort, random: &mut Random) -> Vec<u64> {
        let mask = sort.mask();
        if mask < 16 {
            return (0..=mask).collect();
        }
        let mut lanes = vec![0, 1, 2, 3, mask, mask - 1, mask >> 1, mask ^ mask >> 1, 63, 64, 31, 32];
        lanes.extend((0..20).map(|_| random.next() & mask));
        lanes
    }

    #[test]
    fn operators_on_bits_are_those_of_the_oracle() {
        let mut random = Random::new(1);
        for width in [1, 3, 4, 8, 32, 63, 64] {
            let sort = Sort::Bv(width);
            let values = operands(sort, &mut random);
            let (a, b): (Vec<u64>, Vec<u64>) =
                values.iter().flat_map(|a| values.iter().map(|b| (*a & sort.mask(), *b & sort.mask()))).unzip();
            for op in
                ["bvand bvor bvxor bvnand bvnor bvxnor bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvshl \
                        bvlshr bvashr bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge bvcomp = distinct"]
                .iter()
                .flat_map(|names| names.split_whitespace())
            {
                compare(Op::by_name(op, 2).unwrap(), &[sort, sort], &[a.clone(), b.clone()]);
            }
            let mut unary = vec![Op::BvNot, Op::BvNeg, Op::RotateLeft(1), Op::RotateRight(5), Op::RotateLeft(0)];
            unary.extend([Op::Extract { hi: width - 1, lo: width / 2 }, Op::ZeroExtend(64 - width), Op::SignExtend(0)]);
            unary.extend([Op::SignExtend(64 - width), Op::BvRedOr, Op::BvRedAnd]);
            for op in unary {
                compare(op, &[sort], std::slice::from_ref(&a));
            }
            if width <= 32 {
                compare(Op::Concat, &[sort, sort], &[a.clone(), b.clone()]);
            }
            let truth: Vec<u64> = a.iter().zip(&b).map(|(a, b)| (a ^ b ^ a >> 1) & 1).collect();
            compare(Op::Ite, &[Sort::Bool, sort, sort], &[truth, a, b]);
        }
    }

    #[test]
    fn operators_on_integers_and_truth_values_are_those_of_the_oracle() {
        let mut numbers: Vec<i64> = (-9..=9).collect();
        numbers.extend([i64::MIN, i64::MAX, i64::MIN + 1, 1 << 32, -(1 << 31), 3_000_000_000]);
        for a in &numbers {
            for b in &numbers {
                let lanes = [vec![*a as u64], vec![*b as u64]];
                for op in ["+", "-", "*", "div", "mod", "%", "<=", "<", ">=", ">", "=", "distinct"] {
                    compare(Op::by_name(op, 2).unwrap(), &[Sort::Int, Sort::Int], &lanes);
                }
                compare(Op::IntNeg, &[Sort::Int], &lanes[..1]);
                compare(Op::IntAbs, &[Sort::Int], &lanes[..1]);
            }
        }
        let [a, b, c] = [1, 2, 4].map(|bit| (0..100u64).map(|at| u64::from(at & bit != 0)).collect::<Vec<u64>>());
        for op in ["and", "or", "xor", "=>", "=", "distinct"] {
            compare(Op::by_name(op, 2).unwrap(), &[Sort::Bool, Sort::Bool], &[a.clone(), b.clone()]);
        }
        compare(Op::Not, &[Sort::Bool], std::slice::from_ref(&a));
        compare(Op::Ite, &[Sort::Bool; 3], &[a, b, c]);
    }

    #[test]
    fn truth_values_are_packed() {
        let lanes: Vec<u64> = (0..70).map(|at| at % 3 % 2).collect();
        let column = pack(Sort::Bool, &lanes);
        assert_eq!(column.len(), 2);
        assert!((0..70).all(|at| lane(Sort::Bool, &column, at) == lanes[at]));
        let mut negated = vec![0; 2];
        assert!(apply(Op::Not, &[Sort::Bool], &[&column], 70, &mut negated));
        assert!((0..70).all(|at| lane(Sort::Bool, &negated, at) == 1 - lanes[at]));
        assert_eq!(negated[1] >> 6, 0);
    }

    #[test]
    fn integers_do_not_wrap() {
        let mut out = [0];
        let int = [Sort::Int, Sort::Int];
        let (most, least, zero) = ([i64::MAX as u64], [i64::MIN as u64], [0]);
        assert!(!apply(Op::IntAdd, &int, &[&most, &most], 1, &mut out));
        assert!(!apply(Op::IntNeg, &int[..1], &[&least], 1, &mut out));
        assert!(!apply(Op::IntDiv, &int, &[&most, &zero], 1, &mut out));
        assert!(apply(Op::IntMod, &int, &[&[-7i64 as u64], &[3]], 1, &mut out));
        assert_eq!(out, [2]);
    }
}
