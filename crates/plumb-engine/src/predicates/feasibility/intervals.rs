//! What terms can be while conditions hold, as intervals.
//!
//! Controllers compute with numbers whose range the path condition bounds, and test whether the result is in another one: `x / 5 - 440689 <= -43`
//! for an `x` between 11 and 80. Circuits of divisions are hard for a solver; intervals decide most of that. Comparisons with
//! constants among the conditions bound the terms that are compared, whatever these are, and the bounds go up from operands
//! to results.
//!
//! **Soundness.** Every set contains all that a term can be while all conditions hold: what is found to be impossible is, and what is
//! found to be certain is. `None` says nothing.

use super::super::tuning::FeasibilityTuning;
use plumb_ir::analysis::intervals::Value;
use plumb_ir::expr::{BinOp, Sign};
use plumb_ir::ty::Bits;
use plumb_term::{BinaryOp, Kind, Sort, TermId, Terms, UnaryOp};
use rustc_hash::FxHashMap;

pub struct TermIntervals {
    /// Numbers that conditions bound, and conditions themselves.
    bounds: FxHashMap<TermId, Value>,
    truths: FxHashMap<TermId, bool>,
    /// What was found so far.
    numbers: FxHashMap<TermId, Value>,
    decided: FxHashMap<TermId, Option<bool>>,
    max_depth: u32,
    max_terms: usize,
    /// The conditions cannot all hold.
    pub are_contradictory: bool,
}

impl TermIntervals {
    pub fn under(terms: &Terms, conditions: &[TermId], tuning: &FeasibilityTuning) -> TermIntervals {
        let mut intervals = TermIntervals {
            bounds: FxHashMap::default(),
            truths: FxHashMap::default(),
            numbers: FxHashMap::default(),
            decided: FxHashMap::default(),
            max_depth: tuning.max_interval_depth,
            max_terms: tuning.max_interval_terms,
            are_contradictory: false,
        };
        conditions.iter().for_each(|condition| intervals.learn(terms, *condition, true));
        intervals.are_contradictory |= conditions.iter().any(|one| intervals.compared(terms, *one, 0) == Some(false));
        intervals
    }

    fn learn(&mut self, terms: &Terms, condition: TermId, holds: bool) {
        if let Some(other) = self.truths.insert(condition, holds) {
            self.are_contradictory |= other != holds;
            return;
        }
        match (terms.kind(condition), holds) {
            (Kind::Unary(UnaryOp::Not, a), _) => self.learn(terms, a, !holds),
            (Kind::Binary(BinaryOp::And, a, b), true) | (Kind::Binary(BinaryOp::Or, a, b), false) => {
                self.learn(terms, a, holds);
                self.learn(terms, b, holds);
            }
            (Kind::Binary(BinaryOp::Eq, a, b), true) => {
                for (side, other) in [(a, b), (b, a)] {
                    if let Some(value) = constant(terms, other) {
                        self.bound(side, value);
                    }
                }
            }
            (Kind::Binary(op @ (BinaryOp::BvSlt | BinaryOp::BvUlt), a, b), _) => {
                self.learn_order(terms, op, a, b, holds)
            }
            _ => {}
        }
    }

    fn learn_order(&mut self, terms: &Terms, op: BinaryOp, a: TermId, b: TermId, holds: bool) {
        let Some(width) = width(terms, a) else { return };
        let all = Value::any(width);
        let is_signed = op == BinaryOp::BvSlt;
        let range = |value: &Value| if is_signed { value.signed } else { value.unsigned };
        for (side, other, is_left) in [(a, b, true), (b, a, false)] {
            let Some(value) = constant(terms, other) else { continue };
            let (number, (least, most)) = (range(&value).0, range(&all));
            // What the comparison, or its opposite, says of this side.
            let (low, high) = match (is_left, holds) {
                (true, true) => (least, number - 1),
                (true, false) => (number, most),
                (false, true) => (number + 1, most),
                (false, false) => (least, number),
            };
            if low > high {
                self.are_contradictory = true;
                return;
            }
            let bound = match is_signed {
                true => Value { signed: (low, high), ..all },
                false => Value { unsigned: (low, high), ..all },
            };
            match bound.reduced() {
                Some(bound) => self.bound(side, bound),
                None => self.are_contradictory = true,
            }
        }
    }

    fn bound(&mut self, term: TermId, value: Value) {
        match self.bounds.get(&term) {
            None => _ = self.bounds.insert(term, value),
            Some(known) => match known.meet(&value) {
                Some(both) => _ = self.bounds.insert(term, both),
                None => self.are_contradictory = true,
            },
        }
    }

    /// Whether a condition holds whenever the others do, or never then.
    pub fn truth(&mut self, terms: &Terms, condition: TermId) -> Option<bool> {
        self.truth_below(terms, condition, 0)
    }

    fn truth_below(&mut self, terms: &Terms, condition: TermId, depth: u32) -> Option<bool> {
        if let Some(known) = terms.as_bool(condition).or_else(|| self.truths.get(&condition).copied()) {
            return Some(known);
        }
        if let Some(known) = self.decided.get(&condition) {
            return *known;
        }
        if depth > self.max_depth || self.decided.len() > self.max_terms {
            return None;
        }
        let found = self.truth_of_operands(terms, condition, depth);
        self.decided.insert(condition, found);
        found
    }

    fn truth_of_operands(&mut self, terms: &Terms, condition: TermId, depth: u32) -> Option<bool> {
        match terms.kind(condition) {
            Kind::Unary(UnaryOp::Not, a) => self.truth_below(terms, a, depth + 1).map(|holds| !holds),
            Kind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let decisive = op == BinaryOp::Or;
                let first = self.truth_below(terms, a, depth + 1);
                if first == Some(decisive) {
                    return first;
                }
                match (first, self.truth_below(terms, b, depth + 1)) {
                    (_, Some(second)) if second == decisive => Some(decisive),
                    (Some(_), Some(_)) => Some(!decisive),
                    _ => None,
                }
            }
            Kind::Ite(c, a, b) => match self.truth_below(terms, c, depth + 1) {
                Some(true) => self.truth_below(terms, a, depth + 1),
                Some(false) => self.truth_below(terms, b, depth + 1),
                None => {
                    let first = self.truth_below(terms, a, depth + 1)?;
                    (self.truth_below(terms, b, depth + 1)? == first).then_some(first)
                }
            },
            _ => self.compared(terms, condition, depth),
        }
    }

    /// What intervals decide about a comparison of numbers.
    fn compared(&mut self, terms: &Terms, condition: TermId, depth: u32) -> Option<bool> {
        let Kind::Binary(op @ (BinaryOp::Eq | BinaryOp::BvSlt | BinaryOp::BvUlt), a, b) = terms.kind(condition) else {
            return None;
        };
        let (x, y) = (self.number(terms, a, depth + 1)?, self.number(terms, b, depth + 1)?);
        let less = |x: (i128, i128), y: (i128, i128)| match () {
            _ if x.1 < y.0 => Some(true),
            _ if x.0 >= y.1 => Some(false),
            _ => None,
        };
        match op {
            BinaryOp::BvSlt => less(x.signed, y.signed),
            BinaryOp::BvUlt => less(x.unsigned, y.unsigned),
            _ if x.meet(&y).is_none() => Some(false),
            _ => (x.as_constant()? == y.as_constant()?).then_some(true),
        }
    }

    fn number(&mut self, terms: &Terms, term: TermId, depth: u32) -> Option<Value> {
        if let Some(known) = self.numbers.get(&term) {
            return Some(*known);
        }
        let width = width(terms, term)?;
        let bound = self.bounds.get(&term).copied();
        if depth > self.max_depth || self.numbers.len() > self.max_terms {
            return Some(bound.unwrap_or(Value::any(width)));
        }
        let found = self.of_operands(terms, term, width, depth + 1).unwrap_or(Value::any(width));
        let value = match bound {
            None => found,
            // Nothing in common: the conditions cannot hold, and anything is true.
            Some(bound) => found.meet(&bound).unwrap_or_else(|| {
                self.are_contradictory = true;
                bound
            }),
        };
        self.numbers.insert(term, value);
        Some(value)
    }

    fn of_operands(&mut self, terms: &Terms, term: TermId, width: u32, depth: u32) -> Option<Value> {
        match terms.kind(term) {
            Kind::Const => constant(terms, term),
            Kind::Unary(UnaryOp::BvNeg, a) => {
                let zero = Value::constant(Bits::ZERO, width);
                Some(Value::binary(BinOp::Sub, Sign::Signed, &zero, &self.number(terms, a, depth)?))
            }
            Kind::Unary(UnaryOp::ZeroExtend, a) => Some(self.number(terms, a, depth)?.resize(width, Sign::Unsigned)),
            Kind::Unary(UnaryOp::SignExtend, a) => Some(self.number(terms, a, depth)?.resize(width, Sign::Signed)),
            Kind::Extract { value, lo: 0, .. } => Some(self.number(terms, value, depth)?.resize(width, Sign::Unsigned)),
            Kind::Ite(c, a, b) => match self.truth_below(terms, c, depth) {
                Some(true) => self.number(terms, a, depth),
                Some(false) => self.number(terms, b, depth),
                None => Some(self.number(terms, a, depth)?.join(&self.number(terms, b, depth)?)),
            },
            Kind::Binary(op, a, b) => {
                let (op, sign) = match op {
                    BinaryOp::BvAdd => (BinOp::Add, Sign::Signed),
                    BinaryOp::BvSub => (BinOp::Sub, Sign::Signed),
                    BinaryOp::BvMul => (BinOp::Mul, Sign::Signed),
                    BinaryOp::BvSdiv => (BinOp::Div, Sign::Signed),
                    BinaryOp::BvUdiv => (BinOp::Div, Sign::Unsigned),
                    BinaryOp::BvSrem => (BinOp::Rem, Sign::Signed),
                    BinaryOp::BvUrem => (BinOp::Rem, Sign::Unsigned),
                    BinaryOp::BvAnd => (BinOp::And, Sign::Unsigned),
                    BinaryOp::BvOr => (BinOp::Or, Sign::Unsigned),
                    BinaryOp::BvXor => (BinOp::Xor, Sign::Unsigned),
                    BinaryOp::BvShl => (BinOp::Shl, Sign::Unsigned),
                    BinaryOp::BvLshr => (BinOp::Shr, Sign::Unsigned),
                    BinaryOp::BvAshr => (BinOp::Shr, Sign::Signed),
                    _ => return None,
                };
                Some(Value::binary(op, sign, &self.number(terms, a, depth)?, &self.number(terms, b, depth)?))
            }
            _ => None,
        }
    }
}

/// The width of a number that intervals are computed for.
fn width(terms: &Terms, term: TermId) -> Option<u32> {
    match terms.sort(term) {
        Sort::Bv(width @ 1..=64) => Some(width),
        _ => None,
    }
}

fn constant(terms: &Terms, term: TermId) -> Option<Value> {
    let width = width(terms, term)?;
    terms.as_u64(term).map(|value| Value::constant(Bits::new(value as u128, width), width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_exec::Rng;
    use plumb_term::{Assignment, BitVec, Evaluator};

    fn number(terms: &mut Terms, symbols: &[TermId], rng: &mut Rng, depth: u32) -> TermId {
        if depth == 0 || rng.below(5) == 0 {
            return match rng.below(3) {
                0 => terms.bv(4, rng.below(16) as u128),
                _ => symbols[rng.below(symbols.len() as u64) as usize],
            };
        }
        let a = number(terms, symbols, rng, depth - 1);
        let b = number(terms, symbols, rng, depth - 1);
        match rng.below(15) {
            0 => terms.bv_add(a, b),
            1 => terms.bv_sub(a, b),
            2 => terms.bv_mul(a, b),
            3 => terms.bv_sdiv(a, b),
            4 => terms.bv_udiv(a, b),
            5 => terms.bv_srem(a, b),
            6 => terms.bv_urem(a, b),
            7 => terms.bv_and(a, b),
            8 => terms.bv_or(a, b),
            9 => terms.bv_xor(a, b),
            10 => terms.bv_shl(a, b),
            11 => terms.bv_lshr(a, b),
            12 => terms.bv_ashr(a, b),
            13 => terms.bv_neg(a),
            _ => {
                let c = truth(terms, symbols, rng, 0);
                terms.ite(c, a, b)
            }
        }
    }

    fn truth(terms: &mut Terms, symbols: &[TermId], rng: &mut Rng, depth: u32) -> TermId {
        if depth == 0 || rng.below(3) == 0 {
            let a = number(terms, symbols, rng, depth);
            let b = match rng.below(2) {
                0 => terms.bv(4, rng.below(16) as u128),
                _ => number(terms, symbols, rng, depth),
            };
            return match rng.below(4) {
                0 => terms.eq(a, b),
                1 => terms.bv_ult(a, b),
                2 => terms.bv_slt(a, b),
                _ => terms.bv_slt(b, a),
            };
        }
        let a = truth(terms, symbols, rng, depth - 1);
        let b = truth(terms, symbols, rng, depth - 1);
        match rng.below(3) {
            0 => terms.and(a, b),
            1 => terms.or(a, b),
            _ => terms.not(a),
        }
    }

    #[test]
    fn what_is_certain_holds_for_all_values_that_the_conditions_allow() {
        let mut rng = Rng(11);
        let (mut decided, mut contradictory) = (0, 0);
        for round in 0..6000 {
            let mut terms = Terms::new();
            let symbols = [terms.symbol("x", Sort::Bv(4)), terms.symbol("y", Sort::Bv(4))];
            let conditions: Vec<TermId> = (0..round % 4).map(|_| truth(&mut terms, &symbols, &mut rng, 1)).collect();
            let question = truth(&mut terms, &symbols, &mut rng, 3);
            let mut intervals = TermIntervals::under(&terms, &conditions, &FeasibilityTuning::DEFAULT);
            let found = intervals.truth(&terms, question);
            decided += u32::from(found.is_some() && terms.as_bool(question).is_none());
            contradictory += u32::from(intervals.are_contradictory);
            for values in 0..256u128 {
                let mut assignment = Assignment::new();
                for (symbol, value) in symbols.iter().zip([values & 15, values >> 4]) {
                    let symbol = terms.as_symbol(*symbol).unwrap();
                    assignment.set(symbol, plumb_term::Value::Bv(BitVec::new(4, value)));
                }
                let mut evaluator = Evaluator::new(&assignment);
                if conditions.iter().all(|condition| evaluator.holds(&terms, *condition)) {
                    assert!(!intervals.are_contradictory, "round {round}: {values} is possible");
                    let holds = evaluator.holds(&terms, question);
                    assert!(found.is_none_or(|found| found == holds), "round {round}: {values} gives {holds}");
                }
            }
        }
        assert!(decided > 200, "{decided} questions were decided");
        assert!(contradictory > 100, "{contradictory} lists of conditions were contradictory");
    }
}
