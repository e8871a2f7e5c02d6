//! Terms as C expressions, for invariants that people and witness validators read.
//!
//! A bit-vector is printed as an expression whose value is the bit-vector's, read as unsigned, with the casts and masks that
//! C's promotions make necessary; where a signed reading is compared or divided, as that. No expression overflows a
//! signed type or shifts too far, so it means in C what the term means. Floats are C's own, for the formats that C
//! has. What C cannot say, such as a float's pattern or an array, is refused.
//!
//! Conversions to signed types and right shifts of negative numbers are gcc's: two's complement and arithmetic.

mod bv;
mod float;
mod piece;

use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::sort::Sort;
use crate::terms::{SymbolId, TermId, Terms};
use piece::{Piece, Prec, Type};

/// How a symbol is called in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CName {
    /// An expression, in parentheses if it is not a primary one. For a bit-vector its type has the symbol's width, for a
    /// float its format; for a truth value it is 0 or 1.
    pub text: String,
    pub is_signed: bool,
}

/// Why a term is not printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The expression would be longer or deeper than asked for.
    TooLong,
    /// A symbol that the caller has no name for.
    Unnamed(SymbolId),
    /// A term that has no counterpart in C.
    NoCounterpart(TermId),
}

/// The widths of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CModel {
    /// Bits of `int`: 16 or 32.
    pub int_bits: u32,
    /// Is there `__int128`?
    pub has_int128: bool,
}

/// Names of symbols.
pub type Names<'a> = dyn Fn(SymbolId) -> Option<CName> + 'a;

/// Expressions are nested no deeper.
const MAX_DEPTH: u32 = 150;

/// The C expression of a term, of at most `limit` bytes.
pub fn expression(terms: &Terms, term: TermId, model: CModel, names: &Names, limit: usize) -> Result<String, Refusal> {
    let mut printer = CPrinter { terms, model, names, left: limit, limit, depth: 0 };
    let piece = match terms.sort(term) {
        Sort::Bool => printer.truth(term)?,
        Sort::Bv(_) => printer.unsigned(term)?,
        Sort::Float(_) => printer.float(term)?,
        Sort::Array { .. } => return Err(Refusal::NoCounterpart(term)),
    };
    Ok(piece.text)
}

struct CPrinter<'a> {
    terms: &'a Terms,
    model: CModel,
    names: &'a Names<'a>,
    /// Leaves and operators that may still be printed, each at least a byte.
    left: usize,
    limit: usize,
    depth: u32,
}

type Result<T, E = Refusal> = std::result::Result<T, E>;

impl CPrinter<'_> {
    /// Does a step of the printing, within the limits.
    fn nested(&mut self, step: impl FnOnce(&mut Self) -> Result<Piece>) -> Result<Piece> {
        if self.left == 0 || self.depth == MAX_DEPTH {
            return Err(Refusal::TooLong);
        }
        self.left -= 1;
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        // Some operands are printed more than once: what is too long must not grow further.
        result.and_then(|piece| if piece.text.len() > self.limit { Err(Refusal::TooLong) } else { Ok(piece) })
    }

    fn name(&self, symbol: SymbolId) -> Result<CName> {
        (self.names)(symbol).ok_or(Refusal::Unnamed(symbol))
    }

    /// A truth value: an expression that is 0 or 1.
    fn truth(&mut self, term: TermId) -> Result<Piece> {
        self.nested(|printer| match printer.terms.kind(term) {
            Kind::Const => Ok(Piece::primary(if term == TermId::TRUE { "1" } else { "0" }, Type::Int)),
            Kind::Symbol(symbol) => Ok(Piece::primary(printer.name(symbol)?.text, Type::Int)),
            Kind::Unary(UnaryOp::Not, a) => printer.negation(a),
            Kind::Unary(op, a) => printer.float_test(term, op, a),
            Kind::Binary(BinaryOp::And, a, b) => {
                Ok(Piece::binary(&printer.truth(a)?, "&&", &printer.truth(b)?, Prec::And, Type::Int))
            }
            Kind::Binary(BinaryOp::Or, a, b) => {
                Ok(Piece::binary(&printer.truth(a)?, "||", &printer.truth(b)?, Prec::Or, Type::Int))
            }
            Kind::Binary(op, a, b) => printer.comparison(term, op, a, b, false),
            Kind::Ite(c, a, b) => {
                let (c, a, b) = (printer.truth(c)?, printer.truth(a)?, printer.truth(b)?);
                Ok(Piece::choice(&c, &a, &b, Type::Int))
            }
            Kind::Fma(..) | Kind::Store(..) | Kind::Extract { .. } => Err(Refusal::NoCounterpart(term)),
        })
    }

    /// `!a`, with the comparison turned around where `a` is one.
    fn negation(&mut self, a: TermId) -> Result<Piece> {
        if let Kind::Binary(op @ (BinaryOp::Eq | BinaryOp::BvUlt | BinaryOp::BvSlt), x, y) = self.terms.kind(a) {
            return self.comparison(a, op, x, y, true);
        }
        let inner = self.truth(a)?;
        Ok(Piece::prefix("!", &inner, Type::Int))
    }

    fn comparison(&mut self, term: TermId, op: BinaryOp, a: TermId, b: TermId, negated: bool) -> Result<Piece> {
        if op == BinaryOp::Eq
            && let Some(is_equal) = self.float_pattern(a, b)?
        {
            return Ok(if negated { Piece::prefix("!", &is_equal, Type::Int) } else { is_equal });
        }
        let (sign, prec) = match (op, negated) {
            (BinaryOp::Eq | BinaryOp::FloatEq, false) => ("==", Prec::Equality),
            (BinaryOp::Eq, true) => ("!=", Prec::Equality),
            (BinaryOp::BvUlt | BinaryOp::BvSlt, true) => (">=", Prec::Relation),
            (BinaryOp::BvUlt | BinaryOp::BvSlt | BinaryOp::FloatLt, false) => ("<", Prec::Relation),
            (BinaryOp::FloatLe, false) => ("<=", Prec::Relation),
            _ => return Err(Refusal::NoCounterpart(term)),
        };
        let (a, b) = match (op, self.terms.sort(a)) {
            (BinaryOp::Eq, Sort::Bool) => (self.truth(a)?, self.truth(b)?),
            // C compares numbers: it cannot say that any two patterns are equal.
            (BinaryOp::Eq, Sort::Float(_) | Sort::Array { .. }) => return Err(Refusal::NoCounterpart(term)),
            (BinaryOp::Eq, Sort::Bv(_)) if self.is_signed(a, 4) || self.is_signed(b, 4) => {
                (self.signed(a)?, self.signed(b)?)
            }
            (BinaryOp::BvSlt, _) => (self.signed(a)?, self.signed(b)?),
            (_, Sort::Float(_)) => (self.float(a)?, self.float(b)?),
            _ => (self.unsigned(a)?, self.unsigned(b)?),
        };
        Ok(Piece::binary(&a, sign, &b, prec, Type::Int))
    }
}
