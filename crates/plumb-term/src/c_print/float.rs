//! Floats in C: `float`, `double` and `long double`.

use super::piece::{Piece, Prec, Type};
use super::{CPrinter, Refusal, Result};
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::softfloat::{self, Number};
use crate::sort::Format;
use crate::terms::TermId;

impl CPrinter<'_> {
    /// The type's name, and the suffix of its literals and functions.
    fn float_type(&self, term: TermId) -> Result<(&'static str, &'static str)> {
        match self.terms.format(term) {
            Some(Format::F32) => Ok(("float", "f")),
            Some(Format::F64) => Ok(("double", "")),
            Some(Format::X87) => Ok(("long double", "l")),
            _ => Err(Refusal::NoCounterpart(term)),
        }
    }

    pub(super) fn float(&mut self, term: TermId) -> Result<Piece> {
        self.nested(|printer| printer.float_inside(term))
    }

    fn float_inside(&mut self, term: TermId) -> Result<Piece> {
        let (_, suffix) = self.float_type(term)?;
        match self.terms.kind(term) {
            Kind::Const => self.float_literal(term),
            Kind::Symbol(symbol) => Ok(Piece::primary(self.name(symbol)?.text, Type::Float)),
            Kind::Unary(op, a) => self.float_unary(term, op, a),
            Kind::Binary(op, a, b) => self.float_binary(term, op, a, b),
            Kind::Fma(a, b, c) => {
                let operands = [self.float(a)?, self.float(b)?, self.float(c)?];
                Ok(Piece::call(&format!("__builtin_fma{suffix}"), &operands, Type::Float))
            }
            Kind::Ite(c, a, b) => {
                let (c, a, b) = (self.truth(c)?, self.float(a)?, self.float(b)?);
                Ok(Piece::choice(&c, &a, &b, Type::Float))
            }
            Kind::Store(..) | Kind::Extract { .. } => Err(Refusal::NoCounterpart(term)),
        }
    }

    /// A number in hexadecimal, which loses nothing.
    fn float_literal(&self, term: TermId) -> Result<Piece> {
        let (_, suffix) = self.float_type(term)?;
        let (Some(format), Some(bits)) = (self.terms.format(term), self.terms.const_bits(term)) else {
            return Err(Refusal::NoCounterpart(term));
        };
        Ok(number_literal(softfloat::unpack(format, bits.to_u128().unwrap_or(0)), suffix))
    }

    /// That a float has a certain pattern: C compares numbers, and of every number but zero there is one pattern. `None` where it is another
    /// comparison, or one with a NaN.
    pub(super) fn float_pattern(&mut self, a: TermId, b: TermId) -> Result<Option<Piece>> {
        let (value, constant) = if self.terms.is_const(b) { (a, b) } else { (b, a) };
        let float = match self.terms.kind(value) {
            Kind::Unary(UnaryOp::FloatToBits, float) => float,
            _ => value,
        };
        // The patterns of `long double` are not all numbers.
        let (Some(format @ (Format::F32 | Format::F64)), Some(bits)) =
            (self.terms.format(float), self.terms.const_bits(constant))
        else {
            return Ok(None);
        };
        let number = softfloat::unpack(format, bits.to_u128().unwrap_or(0));
        let (_, suffix) = self.float_type(float)?;
        let is_equal = |value: &Piece| {
            let literal = number_literal(number, suffix);
            Piece::binary(value, "==", &literal, Prec::Equality, Type::Int)
        };
        match number {
            Number::Nan => Ok(None),
            Number::Zero { negative } => {
                let value = self.float(float)?;
                let sign = Piece::call("__builtin_signbit", std::slice::from_ref(&value), Type::Int);
                let relation = if negative { "!=" } else { "==" };
                let sign = Piece::binary(&sign, relation, &Piece::primary("0", Type::Int), Prec::Equality, Type::Int);
                Ok(Some(Piece::binary(&is_equal(&value), "&&", &sign, Prec::And, Type::Int)))
            }
            Number::Infinity { .. } | Number::Finite { .. } => {
                let value = self.float(float)?;
                Ok(Some(is_equal(&value)))
            }
        }
    }

    fn float_unary(&mut self, term: TermId, op: UnaryOp, a: TermId) -> Result<Piece> {
        let (name, suffix) = self.float_type(term)?;
        let function = match op {
            UnaryOp::FloatNeg => {
                let operand = self.float(a)?;
                return Ok(Piece::prefix("-", &operand, Type::Float));
            }
            UnaryOp::FloatToFloat => {
                let operand = self.float(a)?;
                return Ok(Piece::cast(name, &operand, Type::Float));
            }
            UnaryOp::SignedToFloat => {
                let operand = self.signed(a)?;
                return Ok(Piece::cast(name, &operand, Type::Float));
            }
            UnaryOp::UnsignedToFloat => {
                let operand = self.unsigned(a)?;
                return Ok(Piece::cast(name, &operand, Type::Float));
            }
            UnaryOp::FloatAbs => "fabs",
            UnaryOp::FloatSqrt => "sqrt",
            UnaryOp::FloatFloor => "floor",
            UnaryOp::FloatCeil => "ceil",
            UnaryOp::FloatTrunc => "trunc",
            UnaryOp::FloatRound => "round",
            UnaryOp::FloatRint => "rint",
            UnaryOp::Not
            | UnaryOp::BvNot
            | UnaryOp::BvNeg
            | UnaryOp::ZeroExtend
            | UnaryOp::SignExtend
            | UnaryOp::FloatToBits
            | UnaryOp::FloatFromBits
            | UnaryOp::FloatIsNan
            | UnaryOp::FloatIsInf
            | UnaryOp::FloatIsNormal
            | UnaryOp::FloatIsZero
            | UnaryOp::FloatIsNegative
            | UnaryOp::FloatToSigned
            | UnaryOp::ConstArray => return Err(Refusal::NoCounterpart(term)),
        };
        let operand = self.float(a)?;
        Ok(Piece::call(&format!("__builtin_{function}{suffix}"), &[operand], Type::Float))
    }

    fn float_binary(&mut self, term: TermId, op: BinaryOp, a: TermId, b: TermId) -> Result<Piece> {
        let (_, suffix) = self.float_type(term)?;
        let (x, y) = (self.float(a)?, self.float(b)?);
        let call = |function: &str| {
            Piece::call(&format!("__builtin_{function}{suffix}"), &[x.clone(), y.clone()], Type::Float)
        };
        Ok(match op {
            BinaryOp::FloatAdd => Piece::binary(&x, "+", &y, Prec::Sum, Type::Float),
            BinaryOp::FloatMul => Piece::binary(&x, "*", &y, Prec::Product, Type::Float),
            BinaryOp::FloatDiv => Piece::binary(&x, "/", &y, Prec::Product, Type::Float),
            BinaryOp::FloatRem => call("fmod"),
            BinaryOp::FloatIeeeRem => call("remainder"),
            // C's functions may give either of two zeros.
            BinaryOp::FloatMin | BinaryOp::FloatMax => {
                let order = if op == BinaryOp::FloatMin { "<" } else { ">" };
                let is_nan = Piece::binary(&y, "!=", &y, Prec::Equality, Type::Int);
                let is_first = Piece::binary(&x, order, &y, Prec::Relation, Type::Int);
                let takes_first = Piece::binary(&is_nan, "||", &is_first, Prec::Or, Type::Int);
                Piece::choice(&takes_first, &x, &y, Type::Float)
            }
            _ => return Err(Refusal::NoCounterpart(term)),
        })
    }

    pub(super) fn float_test(&mut self, term: TermId, op: UnaryOp, a: TermId) -> Result<Piece> {
        let function = match op {
            UnaryOp::FloatIsNan => "isnan",
            UnaryOp::FloatIsInf => "isinf",
            UnaryOp::FloatIsNormal => "isnormal",
            // Arithmetic gives NaNs the sign that the machine likes: only a variable's sign is told.
            UnaryOp::FloatIsNegative if self.terms.as_symbol(a).is_some() => "signbit",
            UnaryOp::FloatIsZero => {
                let zero = Piece::primary("0", Type::Int);
                let operand = self.float(a)?;
                return Ok(Piece::binary(&operand, "==", &zero, Prec::Equality, Type::Int));
            }
            _ => return Err(Refusal::NoCounterpart(term)),
        };
        let operand = self.float(a)?;
        let call = Piece::call(&format!("__builtin_{function}"), &[operand], Type::Int);
        Ok(Piece::binary(&call, "!=", &Piece::primary("0", Type::Int), Prec::Equality, Type::Int))
    }
}

/// A number, in hexadecimal where decimals would be long: that loses nothing.
fn number_literal(number: Number, suffix: &str) -> Piece {
    let minus = |negative: bool| if negative { "-" } else { "" };
    let text = match number {
        Number::Nan => format!("__builtin_nan{suffix}(\"\")"),
        Number::Infinity { negative } => format!("{}__builtin_inf{suffix}()", minus(negative)),
        Number::Zero { negative } => format!("{}0.0{suffix}", minus(negative)),
        Number::Finite { negative, exponent, significand } => {
            let zeros = significand.trailing_zeros();
            let (digits, exponent) = (significand >> zeros, exponent + zeros as i32);
            match u32::try_from(exponent) {
                // Small integers read better in decimal.
                Ok(shift) if shift < 20 && digits < 1 << 30 => {
                    format!("{}{}.0{suffix}", minus(negative), digits << shift)
                }
                _ => format!("{}{digits:#x}p{exponent}{suffix}", minus(negative)),
            }
        }
    };
    let prec = if text.starts_with('-') { Prec::Prefix } else { Prec::Primary };
    Piece { text, prec, ty: Type::Float }
}
