//! The bits of each operator from the bits of its operands, or from the numbers of float operands.

use super::{Blaster, Form, constant_word, format_of, is_expanded};
use crate::aig::Lit;
use crate::circuits::float::{Class, classify, compare as relations, convert, pack};
use crate::circuits::{
    Word, add, and, as_constant, compare, divide, multiply, mux, not, or, resize, resize_signed, shift, xor,
};
use crate::limits::Why;
use plumb_term::{BinaryOp, Kind, Sort, TermId, Terms, UnaryOp};

impl Blaster {
    /// Makes the bits of a term whose needs are met.
    pub(super) fn make_bits(&mut self, terms: &Terms, term: TermId) -> Result<(), Why> {
        if let Some(number) = self.numbers.get(&term)
            && super::computes_number(terms, term)
        {
            let word = pack(&mut self.aig, format_of(terms, term), number);
            self.set(terms, term, &word);
            return Ok(());
        }
        if let sort @ Sort::Array { .. } = terms.sort(term) {
            return if is_expanded(sort) {
                self.expanded_array(terms, term);
                Ok(())
            } else {
                self.lazy_array(terms, term);
                Ok(())
            };
        }
        let word = match terms.kind(term) {
            Kind::Const => terms.const_bits(term).map(|bits| constant_word(&bits)).unwrap_or_default(),
            Kind::Symbol(_) => {
                self.fresh_symbol(terms, term);
                return Ok(());
            }
            Kind::Unary(op, a) => self.unary(terms, term, op, a),
            Kind::Binary(op, a, b) => self.binary(terms, op, a, b),
            Kind::Ite(c, a, b) => {
                let (c, a, b) = (self.operand_bit(terms, c), self.operand(terms, a), self.operand(terms, b));
                mux(&mut self.aig, c, &a, &b)
            }
            Kind::Extract { value, hi, lo } => self.operand(terms, value)[lo as usize..=hi as usize].to_vec(),
            // Arrays and numbers were dealt with above.
            Kind::Fma(..) | Kind::Store(..) => return Err(Why::Unsupported("an ill-sorted term")),
        };
        self.set(terms, term, &word);
        Ok(())
    }

    fn unary(&mut self, terms: &Terms, term: TermId, op: UnaryOp, a: TermId) -> Word {
        let width = terms.width(term) as usize;
        match op {
            UnaryOp::FloatToSigned => {
                let number = &self.numbers[&a];
                return convert::to_signed(&mut self.aig, number, width);
            }
            UnaryOp::FloatIsNan | UnaryOp::FloatIsInf | UnaryOp::FloatIsNormal | UnaryOp::FloatIsZero => {
                let class = self.class(terms, a);
                return vec![match op {
                    UnaryOp::FloatIsNan => class.nan,
                    UnaryOp::FloatIsInf => class.infinite,
                    UnaryOp::FloatIsZero => class.zero,
                    _ => class.normal,
                }];
            }
            _ => {}
        }
        let mut word = self.operand(terms, a);
        let sign = word.len() - 1;
        match op {
            UnaryOp::Not | UnaryOp::BvNot => not(&word),
            UnaryOp::BvNeg => add::negate(&mut self.aig, &word),
            UnaryOp::ZeroExtend => resize(&word, width),
            UnaryOp::SignExtend => resize_signed(&word, width),
            UnaryOp::FloatNeg => {
                word[sign] = !word[sign];
                word
            }
            UnaryOp::FloatAbs => {
                word[sign] = Lit::FALSE;
                word
            }
            UnaryOp::FloatIsNegative => vec![word[sign]],
            UnaryOp::FloatToBits | UnaryOp::FloatFromBits => word,
            // Numbers, classes and arrays are made elsewhere.
            UnaryOp::FloatSqrt
            | UnaryOp::FloatFloor
            | UnaryOp::FloatCeil
            | UnaryOp::FloatTrunc
            | UnaryOp::FloatRound
            | UnaryOp::FloatRint
            | UnaryOp::FloatIsNan
            | UnaryOp::FloatIsInf
            | UnaryOp::FloatIsNormal
            | UnaryOp::FloatIsZero
            | UnaryOp::FloatToFloat
            | UnaryOp::SignedToFloat
            | UnaryOp::UnsignedToFloat
            | UnaryOp::FloatToSigned
            | UnaryOp::ConstArray => word,
        }
    }

    fn class(&mut self, terms: &Terms, a: TermId) -> Class {
        let format = format_of(terms, a);
        if self.has(a, Form::Bits) {
            let word = self.operand(terms, a);
            return classify(&mut self.aig, format, &word);
        }
        let number = &self.numbers[&a];
        let normal = number.normal(&mut self.aig, format);
        Class { nan: number.nan, infinite: number.infinite, zero: number.zero, normal }
    }

    fn binary(&mut self, terms: &Terms, op: BinaryOp, a: TermId, b: TermId) -> Word {
        match op {
            BinaryOp::FloatEq | BinaryOp::FloatLt | BinaryOp::FloatLe => {
                return vec![self.float_comparison(terms, op, a, b)];
            }
            BinaryOp::Select => return self.select(terms, a, b),
            BinaryOp::Eq => return vec![self.equality(terms, a, b)],
            BinaryOp::BvUdiv => return self.division(terms, a, b, false).0,
            BinaryOp::BvUrem => return self.division(terms, a, b, false).1,
            BinaryOp::BvSdiv => return self.division(terms, a, b, true).0,
            BinaryOp::BvSrem => return self.division(terms, a, b, true).1,
            _ => {}
        }
        let (x, y) = (self.operand(terms, a), self.operand(terms, b));
        let aig = &mut self.aig;
        match op {
            BinaryOp::And | BinaryOp::BvAnd => and(aig, &x, &y),
            BinaryOp::Or | BinaryOp::BvOr => or(aig, &x, &y),
            BinaryOp::BvXor => xor(aig, &x, &y),
            BinaryOp::BvAdd => add::add(aig, &x, &y),
            BinaryOp::BvSub => add::subtract(aig, &x, &y),
            BinaryOp::BvMul => multiply::multiply(aig, &x, &y, x.len()),
            BinaryOp::BvShl => shift::left(aig, &x, &y),
            BinaryOp::BvLshr => shift::right(aig, &x, &y),
            BinaryOp::BvAshr => shift::right_signed(aig, &x, &y),
            BinaryOp::BvUlt => vec![compare::less(aig, &x, &y)],
            BinaryOp::BvSlt => vec![compare::signed_less(aig, &x, &y)],
            BinaryOp::Concat => [y, x].concat(),
            // Made above, or as numbers.
            BinaryOp::Eq
            | BinaryOp::BvUdiv
            | BinaryOp::BvUrem
            | BinaryOp::BvSdiv
            | BinaryOp::BvSrem
            | BinaryOp::FloatAdd
            | BinaryOp::FloatMul
            | BinaryOp::FloatDiv
            | BinaryOp::FloatRem
            | BinaryOp::FloatIeeeRem
            | BinaryOp::FloatMin
            | BinaryOp::FloatMax
            | BinaryOp::FloatEq
            | BinaryOp::FloatLt
            | BinaryOp::FloatLe
            | BinaryOp::Select => x,
        }
    }

    fn float_comparison(&mut self, terms: &Terms, op: BinaryOp, a: TermId, b: TermId) -> Lit {
        let format = format_of(terms, a);
        let relation = if !format.has_integer_bit() && self.has(a, Form::Bits) && self.has(b, Form::Bits) {
            let (x, y) = (self.operand(terms, a), self.operand(terms, b));
            relations::relate_patterns(&mut self.aig, format, &x, &y)
        } else {
            relations::relate_unpacked(&mut self.aig, &self.numbers[&a], &self.numbers[&b])
        };
        match op {
            BinaryOp::FloatEq => relation.equal,
            BinaryOp::FloatLt => relation.less,
            _ => relation.less_or_equal(&mut self.aig),
        }
    }

    fn division(&mut self, terms: &Terms, a: TermId, b: TermId, signed: bool) -> (Word, Word) {
        if let Some(known) = self.divisions.get(&(a, b, signed)) {
            return known.clone();
        }
        let (x, y) = (self.operand(terms, a), self.operand(terms, b));
        let circuit = if signed { divide::signed } else { divide::unsigned };
        let result = circuit(&mut self.aig, &x, &y);
        self.divisions.insert((a, b, signed), result.clone());
        result
    }

    fn equality(&mut self, terms: &Terms, a: TermId, b: TermId) -> Lit {
        let sort = terms.sort(a);
        if let Sort::Array { .. } = sort
            && !is_expanded(sort)
        {
            return self.arrays.add_equality(&mut self.aig, a, b);
        }
        let (x, y) = (self.operand(terms, a), self.operand(terms, b));
        compare::equal(&mut self.aig, &x, &y)
    }

    fn select(&mut self, terms: &Terms, array: TermId, index: TermId) -> Word {
        let sort = terms.sort(array);
        let at = self.operand(terms, index);
        if !is_expanded(sort) {
            return self.arrays.add_read(&mut self.aig, array, at);
        }
        let element = element_width(sort);
        let mut cells: Vec<Word> = self.operand(terms, array).chunks(element).map(<[Lit]>::to_vec).collect();
        for bit in at {
            let halves: Vec<Word> = cells.chunks(2).map(|pair| mux(&mut self.aig, bit, &pair[1], &pair[0])).collect();
            cells = halves;
        }
        cells.swap_remove(0)
    }

    fn expanded_array(&mut self, terms: &Terms, term: TermId) {
        let sort = terms.sort(term);
        let element = element_width(sort);
        let word = match terms.kind(term) {
            Kind::Unary(UnaryOp::ConstArray, a) => self.operand(terms, a).repeat(super::bit_count(sort) / element),
            Kind::Store(array, index, value) => {
                let (mut word, at, value) =
                    (self.operand(terms, array), self.operand(terms, index), self.operand(terms, value));
                let fixed = as_constant(&at);
                for (place, cell) in word.chunks_mut(element).enumerate() {
                    if fixed.is_some_and(|fixed| fixed != place as u128) {
                        continue;
                    }
                    let here: Word = at.iter().enumerate().map(|(i, bit)| bit.negate_if(place >> i & 1 == 0)).collect();
                    let here = self.aig.all(&here);
                    for (bit, &new) in cell.iter_mut().zip(&value) {
                        *bit = self.aig.mux(here, new, *bit);
                    }
                }
                word
            }
            Kind::Ite(c, a, b) => {
                let (c, a, b) = (self.operand_bit(terms, c), self.operand(terms, a), self.operand(terms, b));
                mux(&mut self.aig, c, &a, &b)
            }
            // No other operator gives an array.
            Kind::Symbol(_)
            | Kind::Const
            | Kind::Unary(..)
            | Kind::Binary(..)
            | Kind::Fma(..)
            | Kind::Extract { .. } => {
                self.fresh_symbol(terms, term);
                return;
            }
        };
        self.set(terms, term, &word);
    }

    fn lazy_array(&mut self, terms: &Terms, term: TermId) {
        let sort = terms.sort(term);
        match terms.kind(term) {
            Kind::Unary(UnaryOp::ConstArray, a) => {
                let element = self.operand(terms, a);
                self.arrays.add_constant(term, sort, element);
            }
            Kind::Store(array, index, value) => {
                let (index, value) = (self.operand(terms, index), self.operand(terms, value));
                self.arrays.add_store(term, sort, array, index, value);
            }
            Kind::Ite(c, a, b) => {
                let c = self.operand_bit(terms, c);
                self.arrays.add_choice(term, sort, c, a, b);
            }
            Kind::Symbol(_)
            | Kind::Const
            | Kind::Unary(..)
            | Kind::Binary(..)
            | Kind::Fma(..)
            | Kind::Extract { .. } => {
                self.fresh_symbol(terms, term);
                return;
            }
        }
        self.set(terms, term, &[]);
    }
}

fn element_width(sort: Sort) -> usize {
    match sort {
        Sort::Array { element, .. } => element as usize,
        Sort::Bool | Sort::Bv(_) | Sort::Float(_) => 1,
    }
}
