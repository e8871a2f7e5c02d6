//! The judge of every answer: `plumb-term`'s evaluator on all examples.
//!
//! `plumb-term` has no integers. A term over integers is evaluated with bit-vectors that are so wide that no operation of
//! this term, on inputs of these examples, can leave them; then they compute as integers do. A term that would need more
//! than [`MAX_INT_BITS`] is not judged, and what is not judged satisfies nothing.

use crate::examples::Examples;
use crate::expr::Expr;
use crate::op::Op;
use crate::sort::{Sort, Value};
use plumb_term::{Assignment, BitVec, Evaluator, TermId, Terms};

/// Integers wider than this are not evaluated.
pub const MAX_INT_BITS: u32 = 4096;

/// A term of an arena and the condition under which it has a value: no integer is divided by zero.
#[derive(Clone, Copy, Debug)]
pub struct Lowered {
    pub term: TermId,
    pub defined: TermId,
}

/// A term over inputs, ready to be evaluated.
pub struct Oracle {
    terms: Terms,
    inputs: Vec<(TermId, Sort)>,
    lowered: Lowered,
    sort: Sort,
    int_bits: u32,
}

impl Oracle {
    /// `None` if integers would be too wide, or sorts do not fit. `input_bits` bounds the bits, sign included, of integer
    /// inputs.
    pub fn new(expr: &Expr, inputs: &[Sort], input_bits: u32) -> Option<Oracle> {
        let sort = expr.sort(inputs, &[])?;
        let expanded = expr.expand();
        let int_bits = int_bits(&expanded, input_bits).widest;
        if int_bits > MAX_INT_BITS {
            return None;
        }
        let mut terms = Terms::new();
        let symbol = |(at, sort): (usize, &Sort)| (terms.symbol(&format!("in{at}"), term_sort(*sort, int_bits)), *sort);
        let inputs: Vec<(TermId, Sort)> = inputs.iter().enumerate().map(symbol).collect();
        let symbols: Vec<TermId> = inputs.iter().map(|(term, _)| *term).collect();
        let lowered = lower(&expanded, &symbols, int_bits, &mut terms);
        Some(Oracle { terms, inputs, lowered, sort, int_bits })
    }

    /// The value under an assignment of the inputs; `None` if there is none, or none of 64 bits.
    pub fn value(&self, inputs: &[Value]) -> Option<Value> {
        let mut assignment = Assignment::new();
        for ((term, sort), value) in self.inputs.iter().zip(inputs) {
            debug_assert_eq!(*sort, value.sort());
            if let Some(symbol) = self.terms.as_symbol(*term) {
                assignment.set(symbol, term_value(*value, self.int_bits));
            }
        }
        let mut evaluator = Evaluator::new(&assignment);
        if !evaluator.holds(&self.terms, self.lowered.defined) {
            return None;
        }
        match (evaluator.value(&self.terms, self.lowered.term), self.sort) {
            (plumb_term::Value::Bool(value), Sort::Bool) => Some(Value::bool(value)),
            (plumb_term::Value::Bv(bits), Sort::Bv(width)) => Some(Value::bv(width, bits.to_u64()?)),
            (plumb_term::Value::Bv(bits), Sort::Int) => narrow(&bits).map(Value::int),
            _ => None,
        }
    }
}

/// Which examples a term satisfies.
pub fn satisfied(expr: &Expr, examples: &Examples) -> Vec<bool> {
    let sorts = examples.input_sorts();
    let integers = sorts.iter().enumerate().filter(|(_, sort)| **sort == Sort::Int);
    let lanes = integers.flat_map(|(input, _)| examples.input(input));
    let input_bits = lanes.map(|lane| bits_of(*lane as i64)).max().unwrap_or(1);
    let Some(oracle) = Oracle::new(expr, &sorts, input_bits) else { return vec![false; examples.len()] };
    let holds = |at: usize| match oracle.value(&examples.inputs_of(at)) {
        Some(value) => (value == examples.output_of(at)) != examples.is_forbidden(at),
        None => false,
    };
    (0..examples.len()).map(holds).collect()
}

/// A wide number as one of 64 bits, if it is one.
fn narrow(bits: &BitVec) -> Option<i64> {
    let low = bits.resize_low(64);
    let value = low.to_u64()? as i64;
    (BitVec::from_i128(bits.width(), i128::from(value)) == *bits).then_some(value)
}

trait ResizeLow {
    /// The low bits of a vector that is at least so wide, or the vector with its sign extended.
    fn resize_low(&self, width: u32) -> BitVec;
}

impl ResizeLow for BitVec {
    fn resize_low(&self, width: u32) -> BitVec {
        if self.width() >= width { self.extract(width - 1, 0) } else { self.sign_extend(width) }
    }
}

pub fn term_sort(sort: Sort, int_bits: u32) -> plumb_term::Sort {
    match sort {
        Sort::Bool => plumb_term::Sort::Bool,
        Sort::Int => plumb_term::Sort::Bv(int_bits),
        Sort::Bv(width) => plumb_term::Sort::Bv(width),
    }
}

fn term_value(value: Value, int_bits: u32) -> plumb_term::Value {
    match value.sort() {
        Sort::Bool => plumb_term::Value::Bool(value.lane() != 0),
        Sort::Int => plumb_term::Value::Bv(BitVec::from_i128(int_bits, i128::from(value.lane() as i64))),
        Sort::Bv(width) => plumb_term::Value::Bv(BitVec::new(width, u128::from(value.lane()))),
    }
}

/// Bits of a number, its sign included.
pub fn bits_of(value: i64) -> u32 {
    65 - if value < 0 { !value } else { value }.leading_zeros()
}

/// Bits that integers of a term may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntBits {
    /// Those of the term itself.
    pub value: u32,
    /// Those of every integer on the way, with room for the steps that a division takes.
    pub widest: u32,
}

/// Bounds of an expanded term's integers, if its inputs have at most so many bits.
pub fn int_bits(expr: &Expr, input_bits: u32) -> IntBits {
    match expr {
        Expr::Input(_) | Expr::Hole(_) => IntBits { value: input_bits, widest: input_bits },
        Expr::Const(value) => {
            let bits = value.as_int().map_or(1, bits_of);
            IntBits { value: bits, widest: bits }
        }
        Expr::Call(..) => int_bits(&expr.expand(), input_bits),
        Expr::Apply(op, operands) => {
            let below: Vec<IntBits> = operands.iter().map(|operand| int_bits(operand, input_bits)).collect();
            let most = |list: &[IntBits]| list.iter().map(|bits| bits.value).max().unwrap_or(1);
            let value = match op {
                Op::IntAdd | Op::IntSub => most(&below).saturating_add(below.len() as u32),
                Op::IntMul => below.iter().fold(0, |sum: u32, bits| sum.saturating_add(bits.value)),
                Op::IntNeg | Op::IntAbs | Op::IntDiv | Op::IntMod | Op::IntRem => most(&below).saturating_add(1),
                Op::Ite => most(&below[1..]),
                _ => most(&below),
            };
            let room = if matches!(op, Op::IntDiv | Op::IntMod | Op::IntRem) { 1 } else { 0 };
            let widest = below.iter().map(|bits| bits.widest).max().unwrap_or(1);
            IntBits { value, widest: widest.max(value.saturating_add(room)) }
        }
    }
}

/// An expanded term in an arena, over terms for its inputs; integers as bit-vectors of this width.
pub fn lower(expr: &Expr, inputs: &[TermId], int_bits: u32, terms: &mut Terms) -> Lowered {
    let lowered = |term: TermId| Lowered { term, defined: TermId::TRUE };
    match expr {
        Expr::Input(at) => lowered(inputs[*at as usize]),
        Expr::Const(value) => lowered(terms.value(&term_value(*value, int_bits))),
        Expr::Hole(_) | Expr::Call(..) => unreachable!("the term is expanded and has no holes"),
        Expr::Apply(Op::Ite, operands) => {
            let [c, a, b] = [0, 1, 2].map(|at| lower(&operands[at], inputs, int_bits, terms));
            let taken = terms.ite(c.term, a.defined, b.defined);
            Lowered { term: terms.ite(c.term, a.term, b.term), defined: terms.and(c.defined, taken) }
        }
        Expr::Apply(op, operands) => {
            let mut operands: Vec<Lowered> =
                operands.iter().map(|operand| lower(operand, inputs, int_bits, terms)).collect();
            let defined = operands.iter().fold(TermId::TRUE, |all, operand| terms.and(all, operand.defined));
            let first = operands.remove(0);
            let rest: Vec<TermId> = operands.iter().map(|operand| operand.term).collect();
            let mut result = Lowered { term: first.term, defined };
            match rest.as_slice() {
                [] => result.term = unary(*op, first.term, terms),
                rest => {
                    for second in rest {
                        let divides = matches!(op, Op::IntDiv | Op::IntMod | Op::IntRem);
                        if divides {
                            let zero = terms.bv(int_bits, 0);
                            let proper = terms.ne(*second, zero);
                            result.defined = terms.and(result.defined, proper);
                        }
                        result.term = binary(*op, result.term, *second, terms);
                    }
                }
            }
            result
        }
    }
}

fn unary(op: Op, a: TermId, terms: &mut Terms) -> TermId {
    let width = terms.width(a);
    match op {
        Op::Not => terms.not(a),
        Op::BvNot => terms.bv_not(a),
        Op::BvNeg | Op::IntNeg => terms.bv_neg(a),
        Op::BvRedOr | Op::BvRedAnd => {
            let least = terms.bv_const(&if op == Op::BvRedOr { BitVec::one(width) } else { BitVec::ones(width) });
            let holds = terms.bv_ule(least, a);
            terms.bool_to_bv(holds, 1)
        }
        Op::IntAbs => {
            let (zero, negated) = (terms.bv(width, 0), terms.bv_neg(a));
            let is_negative = terms.bv_slt(a, zero);
            terms.ite(is_negative, negated, a)
        }
        Op::Extract { hi, lo } => terms.extract(a, hi, lo),
        Op::ZeroExtend(bits) => terms.zero_extend(a, width + bits),
        Op::SignExtend(bits) => terms.sign_extend(a, width + bits),
        Op::RotateLeft(count) => rotate_left(a, count % width, terms),
        Op::RotateRight(count) => rotate_left(a, (width - count % width) % width, terms),
        _ => unreachable!("{op:?} has more than one operand"),
    }
}

fn rotate_left(a: TermId, count: u32, terms: &mut Terms) -> TermId {
    let width = terms.width(a);
    if count == 0 {
        return a;
    }
    let (high, low) = (terms.extract(a, width - 1 - count, 0), terms.extract(a, width - 1, width - count));
    terms.concat(high, low)
}

fn binary(op: Op, a: TermId, b: TermId, terms: &mut Terms) -> TermId {
    match op {
        Op::And => terms.and(a, b),
        Op::Or => terms.or(a, b),
        Op::Xor => terms.xor(a, b),
        Op::Implies => terms.implies(a, b),
        Op::Eq => terms.eq(a, b),
        Op::Distinct => terms.ne(a, b),
        Op::BvAnd => terms.bv_and(a, b),
        Op::BvOr => terms.bv_or(a, b),
        Op::BvXor => terms.bv_xor(a, b),
        Op::BvNand | Op::BvNor | Op::BvXnor => {
            let plain = match op {
                Op::BvNand => terms.bv_and(a, b),
                Op::BvNor => terms.bv_or(a, b),
                _ => terms.bv_xor(a, b),
            };
            terms.bv_not(plain)
        }
        Op::BvAdd | Op::IntAdd => terms.bv_add(a, b),
        Op::BvSub | Op::IntSub => terms.bv_sub(a, b),
        Op::BvMul | Op::IntMul => terms.bv_mul(a, b),
        Op::IntDiv => euclidean(a, b, terms).0,
        Op::IntMod => euclidean(a, b, terms).1,
        Op::BvUdiv => terms.bv_udiv(a, b),
        Op::BvUrem => terms.bv_urem(a, b),
        Op::BvSdiv => terms.bv_sdiv(a, b),
        Op::BvSrem | Op::IntRem => terms.bv_srem(a, b),
        Op::BvSmod => modulo(a, b, terms),
        Op::BvShl => terms.bv_shl(a, b),
        Op::BvLshr => terms.bv_lshr(a, b),
        Op::BvAshr => terms.bv_ashr(a, b),
        Op::BvUlt => terms.bv_ult(a, b),
        Op::BvUle => terms.bv_ule(a, b),
        Op::BvUgt => terms.bv_ugt(a, b),
        Op::BvUge => terms.bv_uge(a, b),
        Op::BvSlt | Op::IntLt => terms.bv_slt(a, b),
        Op::BvSle | Op::IntLe => terms.bv_sle(a, b),
        Op::BvSgt | Op::IntGt => terms.bv_sgt(a, b),
        Op::BvSge | Op::IntGe => terms.bv_sge(a, b),
        Op::BvComp => {
            let equal = terms.eq(a, b);
            terms.bool_to_bv(equal, 1)
        }
        Op::Concat => terms.concat(a, b),
        _ => unreachable!("{op:?} has not two operands"),
    }
}

/// Quotient and remainder of SMT-LIB's integers: the remainder is not negative.
fn euclidean(a: TermId, b: TermId, terms: &mut Terms) -> (TermId, TermId) {
    let width = terms.width(a);
    let (zero, one) = (terms.bv(width, 0), terms.bv(width, 1));
    let (quotient, rest) = (terms.bv_sdiv(a, b), terms.bv_srem(a, b));
    let (is_low, is_positive) = (terms.bv_slt(rest, zero), terms.bv_slt(zero, b));
    let (less, more) = (terms.bv_sub(quotient, one), terms.bv_add(quotient, one));
    let (plus, minus) = (terms.bv_add(rest, b), terms.bv_sub(rest, b));
    let (next, lifted) = (terms.ite(is_positive, less, more), terms.ite(is_positive, plus, minus));
    (terms.ite(is_low, next, quotient), terms.ite(is_low, lifted, rest))
}

/// The remainder with the sign of the divisor; by zero the dividend.
fn modulo(a: TermId, b: TermId, terms: &mut Terms) -> TermId {
    let zero = terms.bv(terms.width(a), 0);
    let rest = terms.bv_srem(a, b);
    let is_exact = terms.eq(rest, zero);
    let by_zero = terms.eq(b, zero);
    let (rest_is_negative, divisor_is_negative) = (terms.bv_slt(rest, zero), terms.bv_slt(b, zero));
    let agree = terms.iff(rest_is_negative, divisor_is_negative);
    let stays = terms.or_all([is_exact, by_zero, agree]);
    let moved = terms.bv_add(rest, b);
    terms.ite(stays, rest, moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(op: Op, a: i64, b: i64) -> Expr {
        Expr::Apply(op, vec![Expr::Const(Value::int(a)), Expr::Const(Value::int(b))])
    }

    fn value(expr: &Expr) -> Option<i64> {
        Oracle::new(expr, &[], 1)?.value(&[])?.as_int()
    }

    #[test]
    fn integers_are_exact() {
        assert_eq!(value(&apply(Op::IntMul, 1 << 40, 1 << 22)), Some(1 << 62));
        assert_eq!(value(&apply(Op::IntMul, 1 << 40, 1 << 40)), None);
        let huge = Expr::Apply(Op::IntMul, vec![apply(Op::IntMul, 1 << 40, 1 << 40), Expr::Const(Value::int(3))]);
        let back = Expr::Apply(Op::IntDiv, vec![huge, apply(Op::IntMul, 1 << 40, 1 << 39)]);
        assert_eq!(value(&back), Some(6));
        for (a, b, quotient, rest) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (6, -2, -3, 0)] {
            assert_eq!(
                (value(&apply(Op::IntDiv, a, b)), value(&apply(Op::IntMod, a, b))),
                (Some(quotient), Some(rest))
            );
        }
        assert_eq!(value(&apply(Op::IntDiv, 1, 0)), None);
        assert_eq!(value(&apply(Op::IntDiv, i64::MIN, -1)), None);
    }

    #[test]
    fn only_the_branch_that_is_taken_needs_a_value() {
        let choice = |condition: bool| {
            let condition = Expr::Const(Value::bool(condition));
            Expr::Apply(Op::Ite, vec![condition, Expr::Const(Value::int(4)), apply(Op::IntMod, 1, 0)])
        };
        assert_eq!((value(&choice(true)), value(&choice(false))), (Some(4), None));
    }

    #[test]
    fn numbers_have_bits() {
        let bits = [(0, 1), (-1, 1), (1, 2), (-2, 2), (127, 8), (-128, 8), (i64::MIN, 64), (i64::MAX, 64)];
        assert!(bits.iter().all(|(number, bits)| bits_of(*number) == *bits));
    }
}
