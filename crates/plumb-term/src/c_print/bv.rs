//! Bit-vectors in C.

use super::piece::{Piece, Prec, Type};
use super::{CPrinter, Refusal, Result};
use crate::bitvec::BitVec;
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::terms::TermId;

impl CPrinter<'_> {
    /// The smallest C type that holds a width.
    fn container(&self, term: TermId) -> Result<u32> {
        let width = self.terms.width(term);
        let found = [8, 16, 32, 64, 128].into_iter().find(|bits| *bits >= width);
        found.filter(|bits| *bits < 128 || self.model.has_int128).ok_or(Refusal::NoCounterpart(term))
    }

    /// The type that arithmetic on a term is done in: its container, or `unsigned`.
    fn arithmetic(&self, term: TermId) -> Result<u32> {
        Ok(self.container(term)?.max(self.model.int_bits))
    }

    fn type_name(&self, bits: u32, is_signed: bool) -> String {
        let name = match bits {
            8 => "char",
            16 if self.model.int_bits > 16 => "short",
            128 => "__int128",
            64 => "long long",
            _ if bits == self.model.int_bits => "int",
            _ => "long",
        };
        match (is_signed, bits) {
            (true, 8) => "signed char".into(),
            (true, _) => name.into(),
            (false, _) => format!("unsigned {name}"),
        }
    }

    fn signed_type(&self, bits: u32) -> Type {
        if bits <= self.model.int_bits { Type::Int } else { Type::Signed(bits) }
    }

    fn suffix(&self, bits: u32) -> &'static str {
        match bits {
            64 | 128 => "ull",
            _ if bits > self.model.int_bits => "ul",
            _ => "u",
        }
    }

    fn unsigned_literal(&self, value: u128, bits: u32) -> Piece {
        if value < 1 << (self.model.int_bits - 1) && bits <= 64 {
            return Piece::primary(value.to_string(), Type::Int);
        }
        self.typed_literal(value, bits)
    }

    /// A literal of the unsigned type of so many bits.
    fn typed_literal(&self, value: u128, bits: u32) -> Piece {
        if bits == 128 {
            let name = self.type_name(128, false);
            let (high, low) = ((value >> 64) as u64, value as u64);
            let text =
                if high == 0 { format!("({name}){low}ull") } else { format!("((({name}){high}ull << 64) | {low}ull)") };
            let prec = if high == 0 { Prec::Prefix } else { Prec::Primary };
            return Piece { text, prec, ty: Type::Unsigned(128) };
        }
        let text = if value < 10_000 { value.to_string() } else { format!("{value:#x}") };
        Piece::primary(format!("{text}{}", self.suffix(bits)), Type::Unsigned(bits))
    }

    fn signed_literal(&self, bits: &BitVec, container: u32) -> Piece {
        let value = bits.to_i128().unwrap_or(0);
        let ty = self.signed_type(container);
        let suffix = match container {
            64 => "ll",
            _ if container > self.model.int_bits => "l",
            _ => "",
        };
        if container == 128 {
            let unsigned = self.typed_literal(value as u128, 128);
            return Piece::cast(&self.type_name(128, true), &unsigned, ty);
        }
        if value >= 0 {
            return Piece::primary(format!("{value}{suffix}"), ty);
        }
        // The most negative number has no literal of its own.
        if value == i128::MIN >> (128 - container) && container >= self.model.int_bits {
            return Piece::primary(format!("(-{}{suffix} - 1)", -(value + 1)), ty);
        }
        Piece { text: format!("{value}{suffix}"), prec: Prec::Prefix, ty }
    }

    /// Is the signed reading the natural one, because a signed variable is behind it?
    pub(super) fn is_signed(&self, term: TermId, depth: u32) -> bool {
        match self.terms.kind(term) {
            Kind::Symbol(symbol) => (self.names)(symbol).is_some_and(|name| name.is_signed),
            Kind::Unary(UnaryOp::SignExtend, _) => true,
            Kind::Ite(_, a, b) if depth > 0 => self.is_signed(a, depth - 1) || self.is_signed(b, depth - 1),
            Kind::Binary(op, a, b) if depth > 0 => {
                let is_linear = matches!(op, BinaryOp::BvAdd | BinaryOp::BvSub | BinaryOp::BvMul);
                let divides_signed = matches!(op, BinaryOp::BvSdiv | BinaryOp::BvSrem);
                divides_signed || is_linear && (self.is_signed(a, depth - 1) || self.is_signed(b, depth - 1))
            }
            _ => false,
        }
    }

    /// An operand of the arithmetic type.
    fn in_type(&self, piece: Piece, bits: u32) -> Piece {
        if piece.ty == Type::Unsigned(bits) {
            return piece;
        }
        if let Ok(value) = piece.text.parse::<u128>() {
            return self.typed_literal(value, bits);
        }
        Piece::cast(&self.type_name(bits, false), &piece, Type::Unsigned(bits))
    }

    /// Cuts a result of arithmetic in `bits` to a term's width.
    fn cut(&self, term: TermId, piece: Piece, bits: u32) -> Result<Piece> {
        let (width, container) = (self.terms.width(term), self.container(term)?);
        if width == bits {
            return Ok(self.in_type(piece, bits));
        }
        if width == container {
            return Ok(Piece::cast(&self.type_name(width, false), &piece, Type::Int));
        }
        let mask = self.unsigned_literal(u128::MAX >> (128 - width), bits);
        let ty = if piece.ty == Type::Int { Type::Int } else { Type::Unsigned(bits) };
        Ok(Piece::binary(&piece, "&", &mask, Prec::BitAnd, ty))
    }

    /// The value as an unsigned number.
    pub(super) fn unsigned(&mut self, term: TermId) -> Result<Piece> {
        self.nested(|printer| printer.unsigned_inside(term))
    }

    fn unsigned_inside(&mut self, term: TermId) -> Result<Piece> {
        let bits = self.arithmetic(term)?;
        match self.terms.kind(term) {
            Kind::Const => {
                let value = self.terms.const_bits(term).and_then(|bits| bits.to_u128()).unwrap_or(0);
                Ok(self.unsigned_literal(value, bits))
            }
            Kind::Symbol(symbol) => self.unsigned_symbol(term, symbol),
            Kind::Unary(op, a) => self.unsigned_unary(term, op, a, bits),
            Kind::Binary(op, a, b) => self.unsigned_binary(term, op, a, b, bits),
            Kind::Ite(c, a, b) => self.unsigned_choice(c, a, b, bits),
            Kind::Extract { value, lo, .. } => self.unsigned_extract(term, value, lo, bits),
            Kind::Fma(..) | Kind::Store(..) => Err(Refusal::NoCounterpart(term)),
        }
    }

    fn unsigned_symbol(&mut self, term: TermId, symbol: crate::SymbolId) -> Result<Piece> {
        let (name, width, container) = (self.name(symbol)?, self.terms.width(term), self.container(term)?);
        // A variable of C has a type of C.
        if width != container {
            return Err(Refusal::NoCounterpart(term));
        }
        let ty = if container < self.model.int_bits { Type::Int } else { Type::Unsigned(container) };
        let variable = Piece::primary(name.text, ty);
        if !name.is_signed {
            return Ok(variable);
        }
        Ok(Piece::cast(&self.type_name(container, false), &variable, ty))
    }

    fn unsigned_unary(&mut self, term: TermId, op: UnaryOp, a: TermId, bits: u32) -> Result<Piece> {
        match op {
            UnaryOp::BvNot | UnaryOp::BvNeg => {
                let operand = self.unsigned(a)?;
                let operand = self.in_type(operand, bits);
                let sign = if op == UnaryOp::BvNot { "~" } else { "-" };
                self.cut(term, Piece::prefix(sign, &operand, Type::Unsigned(bits)), bits)
            }
            UnaryOp::ZeroExtend => {
                let operand = self.unsigned(a)?;
                // Narrow values fit everywhere; a wide one keeps its type until arithmetic asks for another.
                Ok(if operand.ty == Type::Int { operand } else { self.in_type(operand, bits) })
            }
            UnaryOp::SignExtend => {
                let operand = self.signed(a)?;
                let operand = Piece::cast(&self.type_name(bits, false), &operand, Type::Unsigned(bits));
                self.cut(term, operand, bits)
            }
            UnaryOp::Not
            | UnaryOp::FloatToBits
            | UnaryOp::FloatFromBits
            | UnaryOp::FloatNeg
            | UnaryOp::FloatAbs
            | UnaryOp::FloatSqrt
            | UnaryOp::FloatFloor
            | UnaryOp::FloatCeil
            | UnaryOp::FloatTrunc
            | UnaryOp::FloatRound
            | UnaryOp::FloatRint
            | UnaryOp::FloatIsNan
            | UnaryOp::FloatIsInf
            | UnaryOp::FloatIsNormal
            | UnaryOp::FloatIsZero
            | UnaryOp::FloatIsNegative
            | UnaryOp::FloatToFloat
            | UnaryOp::SignedToFloat
            | UnaryOp::UnsignedToFloat
            | UnaryOp::FloatToSigned
            | UnaryOp::ConstArray => Err(Refusal::NoCounterpart(term)),
        }
    }

    fn unsigned_choice(&mut self, c: TermId, a: TermId, b: TermId, bits: u32) -> Result<Piece> {
        // `c ? 1 : 0` is the truth value itself.
        if self.terms.as_u64(a) == Some(1) && self.terms.as_u64(b) == Some(0) {
            return self.truth(c);
        }
        let (c, a, b) = (self.truth(c)?, self.unsigned(a)?, self.unsigned(b)?);
        if a.ty == b.ty {
            let ty = a.ty;
            return Ok(Piece::choice(&c, &a, &b, ty));
        }
        let (a, b) = (self.in_type(a, bits), self.in_type(b, bits));
        Ok(Piece::choice(&c, &a, &b, Type::Unsigned(bits)))
    }

    /// Bits from the middle: shifted down, and cut.
    fn unsigned_extract(&mut self, term: TermId, value: TermId, lo: u32, bits: u32) -> Result<Piece> {
        let wide = self.arithmetic(value)?;
        let is_top = lo + self.terms.width(term) == self.terms.width(value);
        let value = self.unsigned(value)?;
        let shifted = match lo {
            0 => value,
            _ => {
                let ty = value.ty;
                Piece::binary(&value, ">>", &self.unsigned_literal(lo as u128, bits), Prec::Shift, ty)
            }
        };
        let (width, container) = (self.terms.width(term), self.container(term)?);
        if width == container && width >= self.model.int_bits && wide > width {
            return Ok(Piece::cast(&self.type_name(width, false), &shifted, Type::Unsigned(width)));
        }
        if is_top && (wide == bits || shifted.ty == Type::Int) {
            return Ok(shifted);
        }
        if width == container {
            return self.cut(term, shifted, wide);
        }
        // The result may have a narrower type than the mask was applied in.
        let masked = self.cut(term, shifted, wide)?;
        Ok(if wide > bits && masked.ty != Type::Int { self.in_type(masked, bits) } else { masked })
    }

    fn unsigned_binary(&mut self, term: TermId, op: BinaryOp, a: TermId, b: TermId, bits: u32) -> Result<Piece> {
        let simple = match op {
            BinaryOp::BvAdd => ("+", Prec::Sum),
            BinaryOp::BvSub => ("-", Prec::Sum),
            BinaryOp::BvMul => ("*", Prec::Product),
            BinaryOp::BvAnd => ("&", Prec::BitAnd),
            BinaryOp::BvOr => ("|", Prec::BitOr),
            BinaryOp::BvXor => ("^", Prec::BitXor),
            BinaryOp::BvUdiv => ("/", Prec::Product),
            BinaryOp::BvUrem => ("%", Prec::Product),
            BinaryOp::BvSdiv | BinaryOp::BvSrem => return self.signed_division(term, op, a, b, bits),
            BinaryOp::BvShl | BinaryOp::BvLshr | BinaryOp::BvAshr => return self.shift(term, op, a, b, bits),
            BinaryOp::Concat => return self.concatenation(term, a, b, bits),
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Eq
            | BinaryOp::BvUlt
            | BinaryOp::BvSlt
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
            | BinaryOp::Select => return Err(Refusal::NoCounterpart(term)),
        };
        let (sign, prec) = simple;
        let (x, y) = (self.unsigned(a)?, self.unsigned(b)?);
        let ty = if x.ty == Type::Int && y.ty == Type::Int { Type::Int } else { Type::Unsigned(bits) };
        match op {
            // No result is larger than the operands.
            BinaryOp::BvAnd | BinaryOp::BvOr | BinaryOp::BvXor => Ok(Piece::binary(&x, sign, &y, prec, ty)),
            BinaryOp::BvUdiv | BinaryOp::BvUrem => {
                let quotient = Piece::binary(&x, sign, &y, prec, ty);
                if self.terms.is_const(b) && !self.is_zero(b) {
                    return Ok(quotient);
                }
                let ones = self.unsigned_literal(u128::MAX >> (128 - self.terms.width(term)), bits);
                let by_zero = if op == BinaryOp::BvUdiv { ones } else { x };
                self.unless_zero(&y, quotient, by_zero, bits)
            }
            _ => {
                let x = self.in_type(x, bits);
                self.cut(term, Piece::binary(&x, sign, &y, prec, Type::Unsigned(bits)), bits)
            }
        }
    }

    fn is_zero(&self, term: TermId) -> bool {
        self.terms.const_bits(term).is_some_and(|bits| bits.is_zero())
    }

    /// `divisor ? quotient : by_zero`
    fn unless_zero(&self, divisor: &Piece, quotient: Piece, by_zero: Piece, bits: u32) -> Result<Piece> {
        let condition = Piece::binary(divisor, "!=", &Piece::primary("0", Type::Int), Prec::Equality, Type::Int);
        if quotient.ty == by_zero.ty {
            let ty = quotient.ty;
            return Ok(Piece::choice(&condition, &quotient, &by_zero, ty));
        }
        let (quotient, by_zero) = (self.in_type(quotient, bits), self.in_type(by_zero, bits));
        Ok(Piece::choice(&condition, &quotient, &by_zero, Type::Unsigned(bits)))
    }

    /// Signed division: -1 as divisor overflows in C, and zero is no divisor there.
    fn signed_division(&mut self, term: TermId, op: BinaryOp, a: TermId, b: TermId, bits: u32) -> Result<Piece> {
        let (x, y) = (self.signed(a)?, self.signed(b)?);
        let (zero, one) = (Piece::primary("0", Type::Int), Piece::primary("1", Type::Int));
        let minus_one = Piece { text: "-1".into(), prec: Prec::Prefix, ty: Type::Int };
        let is_quotient = op == BinaryOp::BvSdiv;
        let result = Piece::binary(&x, if is_quotient { "/" } else { "%" }, &y, Prec::Product, x.ty);
        let result = Piece::cast(&self.type_name(bits, false), &result, Type::Unsigned(bits));
        if self.terms.const_bits(b).is_some_and(|bits| !bits.is_zero() && !bits.is_ones()) {
            return self.cut(term, result, bits);
        }
        let unsigned = self.unsigned(a)?;
        let unsigned = self.in_type(unsigned, bits);
        let negated = Piece::prefix("-", &unsigned, Type::Unsigned(bits));
        let by_minus_one = if is_quotient { negated } else { zero.clone() };
        let is_negative = Piece::binary(&x, "<", &zero, Prec::Relation, Type::Int);
        let by_zero = if is_quotient { Piece::choice(&is_negative, &one, &minus_one, Type::Int) } else { unsigned };
        let is_minus_one = Piece::binary(&y, "==", &minus_one, Prec::Equality, Type::Int);
        let is_zero = Piece::binary(&y, "==", &zero, Prec::Equality, Type::Int);
        let by_minus_one = self.in_type(by_minus_one, bits);
        let by_zero = self.in_type(by_zero, bits);
        let rest = Piece::choice(&is_minus_one, &by_minus_one, &result, Type::Unsigned(bits));
        let whole = Piece::choice(&is_zero, &by_zero, &rest, Type::Unsigned(bits));
        self.cut(term, whole, bits)
    }

    /// Shifts by more than the width are none in C.
    fn shift(&mut self, term: TermId, op: BinaryOp, a: TermId, b: TermId, bits: u32) -> Result<Piece> {
        let width = self.terms.width(term);
        let count = self.unsigned(b)?;
        let limit = self.unsigned_literal(width as u128, bits);
        let fits = Piece::binary(&count, "<", &limit, Prec::Relation, Type::Int);
        if op == BinaryOp::BvAshr {
            let value = self.signed(a)?;
            let last = self.unsigned_literal(width as u128 - 1, bits);
            let (count, last) = (self.in_type(count, bits), self.in_type(last, bits));
            let count = Piece::choice(&fits, &count, &last, Type::Unsigned(bits));
            let shifted = Piece::binary(&value, ">>", &count, Prec::Shift, value.ty);
            let shifted = Piece::cast(&self.type_name(bits, false), &shifted, Type::Unsigned(bits));
            return self.cut(term, shifted, bits);
        }
        let value = self.unsigned(a)?;
        let value = self.in_type(value, bits);
        let sign = if op == BinaryOp::BvShl { "<<" } else { ">>" };
        let shifted = Piece::binary(&value, sign, &count, Prec::Shift, Type::Unsigned(bits));
        let zero = self.typed_literal(0, bits);
        self.cut(term, Piece::choice(&fits, &shifted, &zero, Type::Unsigned(bits)), bits)
    }

    fn concatenation(&mut self, term: TermId, high: TermId, low: TermId, bits: u32) -> Result<Piece> {
        let seam = self.terms.width(low);
        let upper = self.unsigned(high)?;
        let upper = self.in_type(upper, bits);
        let seam = self.unsigned_literal(seam as u128, bits);
        let upper = Piece::binary(&upper, "<<", &seam, Prec::Shift, Type::Unsigned(bits));
        debug_assert!(self.terms.width(term) <= bits);
        if self.is_zero(low) {
            return Ok(upper);
        }
        let lower = self.unsigned(low)?;
        Ok(Piece::binary(&upper, "|", &lower, Prec::BitOr, Type::Unsigned(bits)))
    }

    /// The value as a signed number.
    pub(super) fn signed(&mut self, term: TermId) -> Result<Piece> {
        self.nested(|printer| printer.signed_inside(term))
    }

    fn signed_inside(&mut self, term: TermId) -> Result<Piece> {
        let (width, container) = (self.terms.width(term), self.container(term)?);
        let ty = self.signed_type(container);
        match self.terms.kind(term) {
            Kind::Const => {
                let bits = self.terms.const_bits(term).unwrap_or_else(|| BitVec::zero(width));
                return Ok(self.signed_literal(&bits, container));
            }
            Kind::Symbol(symbol) if width == container => {
                let name = self.name(symbol)?;
                if name.is_signed {
                    return Ok(Piece::primary(name.text, ty));
                }
            }
            Kind::Unary(UnaryOp::SignExtend, a) => {
                let inner = self.signed(a)?;
                if inner.ty == ty {
                    return Ok(inner);
                }
                return Ok(Piece::cast(&self.type_name(container, true), &inner, ty));
            }
            Kind::Unary(UnaryOp::ZeroExtend, a) => {
                let inner = self.unsigned(a)?;
                if inner.ty == ty {
                    return Ok(inner);
                }
                return Ok(Piece::cast(&self.type_name(container, true), &inner, ty));
            }
            _ => {}
        }
        let value = self.unsigned(term)?;
        if width == container {
            return Ok(Piece::cast(&self.type_name(container, true), &value, ty));
        }
        // The sign bit is moved to the top of the type and back.
        let bits = self.arithmetic(term)?;
        let value = self.in_type(value, bits);
        let count = Piece::primary((bits - width).to_string(), Type::Int);
        let up = Piece::binary(&value, "<<", &count, Prec::Shift, Type::Unsigned(bits));
        let up = Piece::cast(&self.type_name(bits, true), &up, self.signed_type(bits));
        Ok(Piece::binary(&up, ">>", &count, Prec::Shift, self.signed_type(bits)))
    }
}
