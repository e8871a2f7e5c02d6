//! SMT-LIB's bit-vector operators as expressions on which no run can fault.
//!
//! Where the machine would fault (a division by zero or out of range, an arithmetic shift by too much), a choice around the
//! operator keeps it from being evaluated. Formulas that become part of a program are made of these: summaries, contracts.

use crate::expr::{BinOp, ExprId, ExprKind, Sign, UnOp};
use crate::make::Make;
use crate::ty::Ty;

impl Make<'_> {
    /// Bits of an expression's value.
    pub fn width(&self, id: ExprId) -> u32 {
        self.exprs.ty(id).bits(self.target)
    }

    /// An integer constant as wide as an expression.
    pub fn int_like(&mut self, value: i128, like: ExprId) -> ExprId {
        let width = self.width(like);
        self.int(value, width)
    }

    pub fn ite(&mut self, cond: ExprId, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.exprs.ty(a);
        self.exprs.push(ExprKind::Ite(cond, a, b), ty)
    }

    pub fn bits_not(&mut self, a: ExprId) -> ExprId {
        let ty = self.exprs.ty(a);
        self.exprs.push(ExprKind::Unary(UnOp::Not, Sign::Plain, a), ty)
    }

    /// So many bits from the lowest one on.
    pub fn extract(&mut self, value: ExprId, lo: u32, width: u32) -> ExprId {
        if lo == 0 && self.width(value) == width {
            return value;
        }
        self.exprs.push(ExprKind::Extract { value, lo: lo as u8 }, Ty::Int(width as u8))
    }

    /// Both together must have at most 128 bits.
    pub fn concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        let (high_bits, low_bits) = (self.width(high), self.width(low));
        let width = high_bits + low_bits;
        let base = self.resize(low, Sign::Unsigned, width);
        self.exprs.push(ExprKind::Insert { base, value: high, lo: low_bits as u8 }, Ty::Int(width as u8))
    }

    /// By zero: all ones.
    pub fn unsigned_quotient(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (ones, quotient) = (self.int_like(-1, a), self.guarded(BinOp::Div, Sign::Unsigned, a, b));
        self.by_zero(b, ones, quotient)
    }

    /// By zero: the dividend.
    pub fn unsigned_remainder(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let rest = self.guarded(BinOp::Rem, Sign::Unsigned, a, b);
        self.by_zero(b, a, rest)
    }

    /// By -1 it is the negation, which wraps; by zero it is -1, or 1 for what is negative.
    pub fn signed_quotient(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (one, ones) = (self.int_like(1, a), self.int_like(-1, a));
        let negated = self.unary(UnOp::Neg, a);
        let quotient = self.guarded(BinOp::Div, Sign::Signed, a, b);
        let by_ones = self.eq(b, ones);
        let proper = self.ite(by_ones, negated, quotient);
        let is_negative = self.is_negative(a);
        let improper = self.ite(is_negative, one, ones);
        self.by_zero(b, improper, proper)
    }

    /// The sign is the dividend's; by zero it is the dividend.
    pub fn signed_remainder(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (zero, ones) = (self.int_like(0, a), self.int_like(-1, a));
        let rest = self.guarded(BinOp::Rem, Sign::Signed, a, b);
        let by_ones = self.eq(b, ones);
        let proper = self.ite(by_ones, zero, rest);
        self.by_zero(b, a, proper)
    }

    /// The remainder with the sign of the divisor; by zero the dividend.
    pub fn modulo(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let rest = self.signed_remainder(a, b);
        let moved = self.binary(BinOp::Add, Sign::Plain, rest, b);
        let (rest_sign, divisor_sign) = (self.is_negative(rest), self.is_negative(b));
        let agree = self.eq(rest_sign, divisor_sign);
        let zero = self.int_like(0, a);
        let is_exact = self.eq(rest, zero);
        let stays = self.or(is_exact, agree);
        let proper = self.ite(stays, rest, moved);
        self.by_zero(b, a, proper)
    }

    /// A count of at least the width leaves the sign.
    pub fn arithmetic_shift(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        let (most, zero, ones) = (self.int_like(width as i128 - 1, b), self.int_like(0, a), self.int_like(-1, a));
        let is_proper = self.binary(BinOp::Le, Sign::Unsigned, b, most);
        let shifted = self.guarded(BinOp::Shr, Sign::Signed, a, b);
        let is_negative = self.is_negative(a);
        let sign = self.ite(is_negative, ones, zero);
        self.ite(is_proper, shifted, sign)
    }

    pub fn is_negative(&mut self, a: ExprId) -> ExprId {
        let zero = self.int_like(0, a);
        self.binary(BinOp::Lt, Sign::Signed, a, zero)
    }

    /// An operator as it stands, for the arm of a choice: constants are not folded, since the choice decides.
    fn guarded(&mut self, op: BinOp, sign: Sign, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.exprs.ty(a);
        self.exprs.push(ExprKind::Binary(op, sign, a, b), ty)
    }

    fn by_zero(&mut self, divisor: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        let zero = self.int_like(0, divisor);
        let is_zero = self.eq(divisor, zero);
        self.ite(is_zero, then, otherwise)
    }
}
