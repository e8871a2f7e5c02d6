//! Unpacked numbers of float terms.

use super::{Blaster, format_of};
use crate::aig::Lit;
use crate::circuits::float::compare::{picks_first, relate_unpacked};
use crate::circuits::float::round::{Mode, to_integral};
use crate::circuits::float::{Unpacked, add, convert, multiply, remainder, unpack};
use crate::limits::Why;
use plumb_term::{BinaryOp, Format, Kind, TermId, Terms, UnaryOp};

/// Remainders are long divisions over all exponents; more rows than these make no sense as gates.
const MOST_ROWS: usize = 4000;

impl Blaster {
    /// Makes the number of a float term whose needs are met.
    pub(super) fn make_number(&mut self, terms: &Terms, term: TermId) -> Result<(), Why> {
        let format = format_of(terms, term);
        let number = match terms.kind(term) {
            Kind::Ite(c, a, b) => {
                let c = self.operand_bit(terms, c);
                Unpacked::mux(&mut self.aig, c, &self.numbers[&a], &self.numbers[&b])
            }
            Kind::Fma(a, b, c) => {
                add::fused(&mut self.aig, format, &self.numbers[&a], &self.numbers[&b], &self.numbers[&c])
            }
            Kind::Unary(UnaryOp::FloatNeg, a) => {
                let mut number = self.numbers[&a].clone();
                number.sign = !number.sign;
                number
            }
            Kind::Unary(UnaryOp::FloatAbs, a) => Unpacked { sign: Lit::FALSE, ..self.numbers[&a].clone() },
            Kind::Unary(op, a) if super::computes_number(terms, term) => self.unary_number(terms, op, a, format),
            Kind::Binary(op, a, b) if super::computes_number(terms, term) => {
                self.binary_number(op, &[a, b].map(|id| self.numbers[&id].clone()), format)?
            }
            Kind::Const
            | Kind::Symbol(_)
            | Kind::Unary(..)
            | Kind::Binary(..)
            | Kind::Store(..)
            | Kind::Extract { .. } => {
                let word = self.operand(terms, term);
                unpack(&mut self.aig, format, &word)
            }
        };
        self.numbers.insert(term, number);
        Ok(())
    }

    fn unary_number(&mut self, terms: &Terms, op: UnaryOp, a: TermId, format: Format) -> Unpacked {
        if matches!(op, UnaryOp::SignedToFloat | UnaryOp::UnsignedToFloat) {
            let word = self.operand(terms, a);
            return convert::from_integer(&mut self.aig, format, &word, op == UnaryOp::SignedToFloat);
        }
        let (aig, x) = (&mut self.aig, &self.numbers[&a]);
        match op {
            UnaryOp::FloatSqrt => multiply::square_root(aig, format, x),
            UnaryOp::FloatFloor => to_integral(aig, format, x, Mode::Floor),
            UnaryOp::FloatCeil => to_integral(aig, format, x, Mode::Ceil),
            UnaryOp::FloatTrunc => to_integral(aig, format, x, Mode::Truncate),
            UnaryOp::FloatRound => to_integral(aig, format, x, Mode::NearestAway),
            UnaryOp::FloatRint => to_integral(aig, format, x, Mode::NearestEven),
            // What is left is a conversion between formats.
            _ => convert::to_format(aig, format_of(terms, a), format, x),
        }
    }

    fn binary_number(&mut self, op: BinaryOp, [x, y]: &[Unpacked; 2], format: Format) -> Result<Unpacked, Why> {
        let aig = &mut self.aig;
        if matches!(op, BinaryOp::FloatRem | BinaryOp::FloatIeeeRem) && remainder::rows(format) > MOST_ROWS {
            return Err(Why::Unsupported("remainders of floats with so many exponents"));
        }
        Ok(match op {
            BinaryOp::FloatMul => multiply::multiply(aig, format, x, y),
            BinaryOp::FloatDiv => multiply::divide(aig, format, x, y),
            BinaryOp::FloatRem => remainder::truncated(aig, format, x, y),
            BinaryOp::FloatIeeeRem => remainder::nearest(aig, format, x, y),
            BinaryOp::FloatMin | BinaryOp::FloatMax => {
                let relation = relate_unpacked(aig, x, y);
                let first = picks_first(aig, x.nan, y.nan, relation, op == BinaryOp::FloatMin);
                Unpacked::mux(aig, first, x, y)
            }
            // What is left is a sum.
            _ => add::add(aig, format, x, y),
        })
    }
}
