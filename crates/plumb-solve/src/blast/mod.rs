//! From terms to gates: every term is encoded once for the life of a solver, so deeper queries only add.
//!
//! A term has up to two forms: its bits, and for floats the unpacked number that arithmetic works on
//! ([`crate::circuits::float`]). Each is made when somebody needs it: results of float operations get bits only where those
//! are looked at, and symbols are unpacked only where something computes with them. Traversal uses an explicit stack.

mod bits;
mod number;

use crate::aig::{Aig, Lit};
use crate::arrays::Arrays;
use crate::circuits::Word;
use crate::circuits::float::Unpacked;
use crate::limits::{Limits, Why};
use plumb_term::{BinaryOp, BitVec, Format, Kind, Sort, TermId, Terms, UnaryOp};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The form in which a term is needed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Form {
    Bits,
    Number,
}

type Need = (TermId, Form);

/// Terms between two looks at the clock.
const TERMS_BETWEEN_LOOKS: u32 = 256;

/// How far to look for the form that a float is naturally in.
const SIGHT: usize = 8;

#[derive(Default)]
pub struct Blaster {
    pub aig: Aig,
    pub arrays: Arrays,
    /// By term: one more than where its bits start; zero for none.
    places: Vec<u32>,
    bits: Vec<Lit>,
    numbers: FxHashMap<TermId, Unpacked>,
    /// Quotients with their remainders, which are one circuit; the flag tells signed ones.
    divisions: FxHashMap<(TermId, TermId, bool), (Word, Word)>,
    symbols: Vec<TermId>,
    stack: Vec<Need>,
}

impl Blaster {
    /// Symbols of all sorts that have been encoded, in that order.
    pub fn symbols(&self) -> &[TermId] {
        &self.symbols
    }

    /// Whether a term has been encoded in any form; then everything below it has, too.
    pub fn knows(&self, term: TermId) -> bool {
        self.has(term, Form::Bits) || self.has(term, Form::Number)
    }

    fn has(&self, term: TermId, form: Form) -> bool {
        match form {
            Form::Bits => self.places.get(term.index()).is_some_and(|&place| place != 0),
            Form::Number => self.numbers.contains_key(&term),
        }
    }

    /// The bits of a term that has them.
    pub fn word(&self, terms: &Terms, term: TermId) -> Option<&[Lit]> {
        self.has(term, Form::Bits).then(|| &self.bits[self.place(terms, term)])
    }

    fn place(&self, terms: &Terms, term: TermId) -> Range<usize> {
        let start = self.places[term.index()] as usize - 1;
        start..start + bit_count(terms.sort(term))
    }

    /// The bits of an operand, which were made before.
    fn operand(&self, terms: &Terms, term: TermId) -> Word {
        self.bits[self.place(terms, term)].to_vec()
    }

    fn operand_bit(&self, terms: &Terms, term: TermId) -> Lit {
        self.bits[self.place(terms, term).start]
    }

    fn set(&mut self, terms: &Terms, term: TermId, word: &[Lit]) {
        debug_assert_eq!(word.len(), bit_count(terms.sort(term)));
        if self.places.len() < terms.len() {
            self.places.resize(terms.len(), 0);
        }
        self.places[term.index()] = self.bits.len() as u32 + 1;
        self.bits.extend_from_slice(word);
    }

    /// The gate of a truth value.
    pub fn truth(&mut self, terms: &Terms, term: TermId, limits: &Limits) -> Result<Lit, Why> {
        self.blast(terms, term, limits)?;
        Ok(self.operand_bit(terms, term))
    }

    /// Encodes a term and everything below it. What was encoded before an error stays.
    pub fn blast(&mut self, terms: &Terms, root: TermId, limits: &Limits) -> Result<(), Why> {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push((root, Form::Bits));
        let mut steps = 0u32;
        let mut result = Ok(());
        while let Some(&(term, form)) = stack.last() {
            if self.has(term, form) {
                stack.pop();
                continue;
            }
            steps += 1;
            if steps.is_multiple_of(TERMS_BETWEEN_LOOKS)
                && let Some(why) = limits.exhausted()
            {
                result = Err(why);
                break;
            }
            let needs = self.needs(terms, term, form);
            let waiting = stack.len();
            stack.extend(needs.into_iter().flatten().filter(|&(operand, form)| !self.has(operand, form)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let made = match form {
                Form::Bits => self.make_bits(terms, term),
                Form::Number => self.make_number(terms, term),
            };
            if let Err(why) = made {
                result = Err(why);
                break;
            }
        }
        self.stack = stack;
        result
    }

    /// What has to be there before a term can be made in a form.
    fn needs(&self, terms: &Terms, term: TermId, form: Form) -> [Option<Need>; 3] {
        let bits = |id: TermId| Some((id, Form::Bits));
        let number = |id: TermId| Some((id, Form::Number));
        if form == Form::Number {
            return match terms.kind(term) {
                Kind::Ite(c, a, b) => [bits(c), number(a), number(b)],
                Kind::Unary(UnaryOp::FloatNeg | UnaryOp::FloatAbs, a) => [number(a), None, None],
                Kind::Unary(UnaryOp::SignedToFloat | UnaryOp::UnsignedToFloat, a) => [bits(a), None, None],
                _ if !computes_number(terms, term) => [bits(term), None, None],
                kind => {
                    let mut needs = [None; 3];
                    for (need, operand) in needs.iter_mut().zip(kind.operands()) {
                        *need = number(operand);
                    }
                    needs
                }
            };
        }
        if computes_number(terms, term) {
            return [number(term), None, None];
        }
        match terms.kind(term) {
            Kind::Unary(op, a) => match op {
                UnaryOp::FloatToSigned => [number(a), None, None],
                UnaryOp::FloatIsNan | UnaryOp::FloatIsInf | UnaryOp::FloatIsNormal | UnaryOp::FloatIsZero => {
                    [Some((a, self.natural_form(terms, a))), None, None]
                }
                _ => [bits(a), None, None],
            },
            Kind::Binary(BinaryOp::FloatEq | BinaryOp::FloatLt | BinaryOp::FloatLe, a, b) => {
                let form = self.comparison_form(terms, a, b);
                [Some((a, form)), Some((b, form)), None]
            }
            kind => {
                let mut needs = [None; 3];
                for (need, operand) in needs.iter_mut().zip(kind.operands()) {
                    *need = bits(operand);
                }
                needs
            }
        }
    }

    /// The form of a float that costs nothing more, or the less of the two.
    fn natural_form(&self, terms: &Terms, mut term: TermId) -> Form {
        for _ in 0..SIGHT {
            if self.has(term, Form::Bits) {
                return Form::Bits;
            }
            if computes_number(terms, term) || self.has(term, Form::Number) {
                return Form::Number;
            }
            term = match terms.kind(term) {
                Kind::Unary(UnaryOp::FloatNeg | UnaryOp::FloatAbs, a) => a,
                Kind::Ite(_, a, b) if terms.as_symbol(a).is_some() || terms.is_const(a) => b,
                Kind::Ite(_, a, _) => a,
                _ => return Form::Bits,
            };
        }
        Form::Bits
    }

    /// Patterns of formats with an implicit integer bit compare directly.
    fn comparison_form(&self, terms: &Terms, a: TermId, b: TermId) -> Form {
        let implicit = terms.format(a).is_some_and(|format| !format.has_integer_bit());
        let natural = |term| terms.is_const(term) || self.natural_form(terms, term) == Form::Bits;
        if implicit && natural(a) && natural(b) { Form::Bits } else { Form::Number }
    }

    fn fresh_symbol(&mut self, terms: &Terms, term: TermId) {
        self.symbols.push(term);
        match terms.sort(term) {
            sort @ Sort::Array { .. } if !is_expanded(sort) => {
                self.arrays.add_symbol(term, sort);
                self.set(terms, term, &[]);
            }
            sort => {
                let word = self.aig.inputs(bit_count(sort));
                self.set(terms, term, &word);
            }
        }
    }
}

/// Whether a term is a float operation, whose result is a number first.
fn computes_number(terms: &Terms, term: TermId) -> bool {
    match terms.kind(term) {
        Kind::Fma(..) => true,
        Kind::Unary(op, _) => matches!(
            op,
            UnaryOp::FloatSqrt
                | UnaryOp::FloatFloor
                | UnaryOp::FloatCeil
                | UnaryOp::FloatTrunc
                | UnaryOp::FloatRound
                | UnaryOp::FloatRint
                | UnaryOp::FloatToFloat
                | UnaryOp::SignedToFloat
                | UnaryOp::UnsignedToFloat
        ),
        Kind::Binary(op, ..) => matches!(
            op,
            BinaryOp::FloatAdd
                | BinaryOp::FloatMul
                | BinaryOp::FloatDiv
                | BinaryOp::FloatRem
                | BinaryOp::FloatIeeeRem
                | BinaryOp::FloatMin
                | BinaryOp::FloatMax
        ),
        Kind::Const | Kind::Symbol(_) | Kind::Ite(..) | Kind::Store(..) | Kind::Extract { .. } => false,
    }
}

/// Arrays of so few elements are words of all their elements; others are left to lemmas.
pub fn is_expanded(sort: Sort) -> bool {
    const INDEX_BITS: u32 = 4;
    const TOTAL_BITS: u32 = 1024;
    match sort {
        Sort::Array { index, element } => index <= INDEX_BITS && element << index <= TOTAL_BITS,
        Sort::Bool | Sort::Bv(_) | Sort::Float(_) => false,
    }
}

/// Gates that stand for a value of a sort. Arrays that are not expanded have none.
pub fn bit_count(sort: Sort) -> usize {
    match sort {
        Sort::Bool => 1,
        Sort::Bv(width) => width as usize,
        Sort::Float(format) => format.width() as usize,
        Sort::Array { index, element } if is_expanded(sort) => (element as usize) << index,
        Sort::Array { .. } => 0,
    }
}

/// A constant as gates.
pub fn constant_word(bits: &BitVec) -> Word {
    (0..bits.width()).map(|at| Lit::constant(bits.bit(at))).collect()
}

/// The format of a float; other sorts do not get here.
fn format_of(terms: &Terms, term: TermId) -> Format {
    terms.format(term).unwrap_or(Format::F64)
}
