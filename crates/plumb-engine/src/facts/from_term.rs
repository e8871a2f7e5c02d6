//! Facts from terms: the inverse of [`Fact::term`], as far as the language of facts goes.
//!
//! Predicates are terms over symbols that stand for quantities. As facts they can be evaluated on samples and tried by
//! engines that have other terms.

use super::fact::{Fact, Quantity, Sum, View};
use super::linear::Linear;
use plumb_ir::ty::Bits;
use plumb_sym::StatePart;
use plumb_term::{BinaryOp, Kind, Sort, TermId, Terms, UnaryOp};

/// What a symbol stands for.
type QuantityOf<'q> = &'q dyn Fn(TermId) -> Option<Quantity>;

impl Fact {
    /// The fact that a condition states; `None` where the language has no such fact, or a symbol is no quantity.
    pub fn from_term(terms: &Terms, condition: TermId, quantity: QuantityOf) -> Option<Fact> {
        match terms.kind(condition) {
            // A truth value is a quantity of one bit.
            Kind::Symbol(_) => Some(Fact::equals(Sum::of(quantity(condition)?), 1)),
            Kind::Unary(UnaryOp::Not, a) => Some(Fact::from_term(terms, a, quantity)?.negated()),
            Kind::Binary(BinaryOp::Or, a, b) => {
                Some(either(Fact::from_term(terms, a, quantity)?, Fact::from_term(terms, b, quantity)?))
            }
            Kind::Binary(BinaryOp::And, a, b) => {
                let (a, b) = (Fact::from_term(terms, a, quantity)?, Fact::from_term(terms, b, quantity)?);
                Some(either(a.negated(), b.negated()).negated())
            }
            Kind::Binary(BinaryOp::Eq, a, b) => {
                let (side, number) = if terms.is_const(a) { (b, a) } else { (a, b) };
                if let Some(fact) = congruence(terms, side, number, quantity) {
                    return Some(fact);
                }
                let (sum, value) = linear(terms, a, quantity)?.equation(linear(terms, b, quantity)?)?;
                Some(Fact::equals(sum, value))
            }
            Kind::Binary(op @ (BinaryOp::BvSlt | BinaryOp::BvUlt), a, b) => {
                let view = if op == BinaryOp::BvSlt { View::Signed } else { View::Unsigned };
                let (a, b) = (linear(terms, a, quantity)?, linear(terms, b, quantity)?);
                match (a.number(view), b.number(view)) {
                    (None, Some(number)) => Some(Fact::AtLeast(a.sum()?, number, view).negated()),
                    (Some(number), None) => Some(Fact::AtMost(b.sum()?, number, view).negated()),
                    (None, None) => Some(Fact::less(a.sum()?, b.sum()?, view)),
                    (Some(_), Some(_)) => None,
                }
            }
            _ => None,
        }
    }
}

impl Fact {
    /// The same where symbols stand for parts of a state.
    pub fn about_parts(terms: &Terms, condition: TermId, part: &dyn Fn(TermId) -> Option<StatePart>) -> Option<Fact> {
        let quantity = |symbol: TermId| {
            let width = match terms.sort(symbol) {
                Sort::Bool => 1,
                Sort::Bv(width @ 1..=64) => width,
                Sort::Bv(_) | Sort::Float(_) | Sort::Array { .. } => return None,
            };
            Some(Quantity { part: part(symbol)?, width })
        };
        Fact::from_term(terms, condition, &quantity)
    }
}

fn either(a: Fact, b: Fact) -> Fact {
    let list = |fact| match fact {
        Fact::Any(list) => list,
        other => vec![other],
    };
    Fact::Any(list(a).into_iter().chain(list(b)).collect())
}

/// That a remainder, or the lowest bits, are a number.
fn congruence(terms: &Terms, side: TermId, number: TermId, quantity: QuantityOf) -> Option<Fact> {
    let (value, divisor) = match terms.kind(side) {
        Kind::Binary(BinaryOp::BvUrem, value, divisor) => {
            (value, terms.as_u64(divisor).filter(|divisor| *divisor > 0)?)
        }
        Kind::Extract { value, hi, lo: 0 } if hi < 63 => (value, 1u64 << (hi + 1)),
        _ => return None,
    };
    Some(Fact::Congruent(linear(terms, value, quantity)?.sum()?, divisor, terms.as_u64(number)?))
}

fn linear(terms: &Terms, term: TermId, quantity: QuantityOf) -> Option<Linear> {
    let Sort::Bv(width @ 1..=64) = terms.sort(term) else { return None };
    if let Some(constant) = terms.as_u64(term) {
        return Some(Linear::constant(constant as u128, width));
    }
    match terms.kind(term) {
        Kind::Symbol(_) => quantity(term).filter(|quantity| quantity.width == width).map(Linear::of),
        Kind::Unary(UnaryOp::BvNeg, a) => linear(terms, a, quantity)?.times(-1),
        Kind::Binary(BinaryOp::BvAdd, a, b) => linear(terms, a, quantity)?.plus(1, linear(terms, b, quantity)?),
        Kind::Binary(BinaryOp::BvSub, a, b) => linear(terms, a, quantity)?.plus(-1, linear(terms, b, quantity)?),
        Kind::Binary(BinaryOp::BvMul, a, b) => {
            let (factor, other) = if terms.is_const(a) { (a, b) } else { (b, a) };
            let factor = Bits::new(terms.as_u64(factor)? as u128, width).signed(width);
            linear(terms, other, quantity)?.times(factor)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_exec::Rng;
    use plumb_ir::program::{LocalVar, VarRef};
    use plumb_sym::StatePart;
    use plumb_term::{Assignment, BitVec, Evaluator, Value};

    const WIDTH: u32 = 3;

    fn number(terms: &mut Terms, symbols: &[TermId], rng: &mut Rng, depth: u32) -> TermId {
        if depth == 0 {
            let constant = terms.bv(WIDTH, rng.below(8) as u128);
            return if rng.below(3) == 0 { constant } else { symbols[rng.below(2) as usize] };
        }
        let (a, b) = (number(terms, symbols, rng, depth - 1), number(terms, symbols, rng, depth - 1));
        match rng.below(5) {
            0 => terms.bv_add(a, b),
            1 => terms.bv_sub(a, b),
            2 => terms.bv_mul(a, b),
            3 => terms.bv_neg(a),
            _ => terms.bv_urem(a, b),
        }
    }

    fn condition(terms: &mut Terms, symbols: &[TermId], rng: &mut Rng, depth: u32) -> TermId {
        if depth == 0 {
            let (a, b) = (number(terms, symbols, rng, 1), number(terms, symbols, rng, 1));
            return match rng.below(4) {
                0 => terms.eq(a, b),
                1 => terms.bv_slt(a, b),
                2 => terms.bv_ule(a, b),
                _ => {
                    let (low, zero) = (terms.extract(a, 0, 0), terms.bv(1, 0));
                    terms.eq(low, zero)
                }
            };
        }
        let (a, b) = (condition(terms, symbols, rng, depth - 1), condition(terms, symbols, rng, depth - 1));
        match rng.below(3) {
            0 => terms.and(a, b),
            1 => terms.or(a, b),
            _ => terms.not(a),
        }
    }

    /// Law: a fact holds exactly where the term does that it was made from.
    #[test]
    fn facts_mean_what_their_terms_mean() {
        let (mut rng, mut made) = (Rng(3), 0);
        for round in 0..3000 {
            let mut terms = Terms::new();
            let symbols = [terms.symbol("x", Sort::Bv(WIDTH)), terms.symbol("y", Sort::Bv(WIDTH))];
            let term = condition(&mut terms, &symbols, &mut rng, round % 3);
            let quantity_of = |symbol: TermId| {
                let at = symbols.iter().position(|one| *one == symbol)? as u32;
                Some(Quantity { part: StatePart::Register(VarRef::Local(LocalVar(at))), width: WIDTH })
            };
            let Some(fact) = Fact::from_term(&terms, term, &quantity_of) else { continue };
            made += 1;
            for values in 0..64u128 {
                let values = [values & 7, values >> 3];
                let mut assignment = Assignment::new();
                for (symbol, value) in symbols.iter().zip(values) {
                    assignment.set(terms.as_symbol(*symbol).unwrap(), Value::Bv(BitVec::new(WIDTH, value)));
                }
                let expected = Evaluator::new(&assignment).holds(&terms, term);
                let get = |quantity: Quantity| match quantity.part {
                    StatePart::Register(VarRef::Local(var)) => Some(values[var.0 as usize]),
                    _ => None,
                };
                assert_eq!(fact.holds(&get), Some(expected), "{fact:?} in round {round} at {values:?}");
            }
        }
        assert!(made > 1000, "{made} terms were facts");
    }
}
