//! Floats. A float term is a pattern; operations whose result is NaN give the format's canonical one.

use crate::bitvec::BitVec;
use crate::eval;
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::softfloat;
use crate::sort::{Format, Sort};
use crate::terms::{TermId, Terms};

impl Terms {
    /// The format of a float operand. Anything else is an error of the caller.
    fn operand_format(&self, a: TermId) -> Format {
        let format = self.format(a);
        debug_assert!(format.is_some(), "a float operand");
        format.unwrap_or(Format::F64)
    }

    fn float_unary(&mut self, op: UnaryOp, a: TermId) -> TermId {
        debug_assert!(self.format(a).is_some());
        self.unary(op, a, self.sort(a))
    }

    fn float_test(&mut self, op: UnaryOp, a: TermId) -> TermId {
        debug_assert!(self.format(a).is_some());
        self.unary(op, a, Sort::Bool)
    }

    fn float_binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.format(a).is_some() && self.sort(a) == self.sort(b));
        self.binary(op, a, b, self.sort(a))
    }

    fn float_compare(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.format(a).is_some() && self.sort(a) == self.sort(b));
        self.binary(op, a, b, Sort::Bool)
    }

    /// The pattern as a bit-vector.
    pub fn float_to_bits(&mut self, a: TermId) -> TermId {
        let width = self.operand_format(a).width();
        self.unary(UnaryOp::FloatToBits, a, Sort::Bv(width))
    }

    /// The float with that pattern.
    pub fn float_from_bits(&mut self, a: TermId, format: Format) -> TermId {
        debug_assert_eq!(self.sort(a), Sort::Bv(format.width()));
        self.unary(UnaryOp::FloatFromBits, a, Sort::Float(format))
    }

    pub fn float_neg(&mut self, a: TermId) -> TermId {
        self.float_unary(UnaryOp::FloatNeg, a)
    }

    pub fn float_abs(&mut self, a: TermId) -> TermId {
        self.float_unary(UnaryOp::FloatAbs, a)
    }

    pub fn float_sqrt(&mut self, a: TermId) -> TermId {
        self.float_unary(UnaryOp::FloatSqrt, a)
    }

    pub fn float_floor(&mut self, a: TermId) -> TermId {
        self.float_unary(UnaryOp::FloatFloor, a)
    }

    pub fn float_ceil(&mut self, a: TermId) -> TermId {
        self.float_unary(UnaryOp::FloatCeil, a)
    }

    pub fn float_trunc(&mut self, a: TermId) -> TermId {
        self.float_unary(UnaryOp::FloatTrunc, a)
    }

    /// Halves away from zero.
    pub fn float_round(&mut self, a: TermId) -> TermId {
        self.float_unary(UnaryOp::FloatRound, a)
    }

    /// Halves to even.
    pub fn float_rint(&mut self, a: TermId) -> TermId {
        self.float_unary(UnaryOp::FloatRint, a)
    }

    pub fn float_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(BinaryOp::FloatAdd, a, b)
    }

    /// `a + -b`, which is the same.
    pub fn float_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let minus = self.float_neg(b);
        self.float_add(a, minus)
    }

    pub fn float_mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(BinaryOp::FloatMul, a, b)
    }

    pub fn float_div(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(BinaryOp::FloatDiv, a, b)
    }

    /// C's `fmod`.
    pub fn float_rem(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(BinaryOp::FloatRem, a, b)
    }

    /// IEEE's remainder.
    pub fn float_ieee_rem(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(BinaryOp::FloatIeeeRem, a, b)
    }

    pub fn float_min(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(BinaryOp::FloatMin, a, b)
    }

    pub fn float_max(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(BinaryOp::FloatMax, a, b)
    }

    /// `a * b + c`, rounded once.
    pub fn float_fma(&mut self, a: TermId, b: TermId, c: TermId) -> TermId {
        debug_assert!(self.format(a).is_some() && self.sort(a) == self.sort(b) && self.sort(a) == self.sort(c));
        let (a, b) = self.in_order(a, b);
        if let (Some(x), Some(y), Some(z)) = (self.constant(a), self.constant(b), self.constant(c)) {
            return self.value(&eval::fma(&x, &y, &z));
        }
        self.make(Kind::Fma(a, b, c), self.sort(a))
    }

    /// The magnitude of `a` with the sign bit of `b`.
    pub fn float_copysign(&mut self, a: TermId, b: TermId) -> TermId {
        let (positive, is_negative) = (self.float_abs(a), self.float_is_negative(b));
        let negative = self.float_neg(positive);
        self.ite(is_negative, negative, positive)
    }

    /// IEEE's equality.
    pub fn float_eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_compare(BinaryOp::FloatEq, a, b)
    }

    pub fn float_lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_compare(BinaryOp::FloatLt, a, b)
    }

    pub fn float_le(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_compare(BinaryOp::FloatLe, a, b)
    }

    pub fn float_is_nan(&mut self, a: TermId) -> TermId {
        self.float_test(UnaryOp::FloatIsNan, a)
    }

    pub fn float_is_inf(&mut self, a: TermId) -> TermId {
        self.float_test(UnaryOp::FloatIsInf, a)
    }

    pub fn float_is_normal(&mut self, a: TermId) -> TermId {
        self.float_test(UnaryOp::FloatIsNormal, a)
    }

    pub fn float_is_zero(&mut self, a: TermId) -> TermId {
        self.float_test(UnaryOp::FloatIsZero, a)
    }

    /// The sign bit.
    pub fn float_is_negative(&mut self, a: TermId) -> TermId {
        self.float_test(UnaryOp::FloatIsNegative, a)
    }

    /// To another format; to the same one the pattern stays as it is.
    pub fn float_to_float(&mut self, a: TermId, format: Format) -> TermId {
        if self.format(a) == Some(format) {
            return a;
        }
        self.unary(UnaryOp::FloatToFloat, a, Sort::Float(format))
    }

    pub fn signed_to_float(&mut self, a: TermId, format: Format) -> TermId {
        self.unary(UnaryOp::SignedToFloat, a, Sort::Float(format))
    }

    pub fn unsigned_to_float(&mut self, a: TermId, format: Format) -> TermId {
        self.unary(UnaryOp::UnsignedToFloat, a, Sort::Float(format))
    }

    /// The operator: truncated; NaN and what does not fit give the most negative number of the width.
    pub fn float_to_signed(&mut self, a: TermId, width: u32) -> TermId {
        self.unary(UnaryOp::FloatToSigned, a, Sort::Bv(width))
    }

    /// C's conversion to an integer type of a width and sign, with x86's results out of range.
    ///
    /// x86 converts to 32 or 64 signed bits. Compilers build the other conversions from those two: narrow types from
    /// 32 bits, `unsigned` from 64, and 64 unsigned bits by moving the upper half of the range down. For wider types
    /// there is no instruction: what does not fit gives the most negative number.
    pub fn float_to_int(&mut self, a: TermId, signed: bool, width: u32) -> TermId {
        match (width, signed) {
            (0..=31, _) | (32, true) => self.float_to_signed_cut(a, 32, width),
            (32, false) | (33..=63, _) | (64, true) => self.float_to_signed_cut(a, 64, width),
            (64, false) => self.float_to_u64(a),
            (_, true) => self.float_to_signed_cut(a, width.max(128), width),
            (_, false) => self.float_to_wide_unsigned(a, width),
        }
    }

    fn float_to_signed_cut(&mut self, a: TermId, through: u32, width: u32) -> TermId {
        let number = self.float_to_signed(a, through);
        self.extract(number, width - 1, 0)
    }

    fn float_to_u64(&mut self, a: TermId) -> TermId {
        let format = self.operand_format(a);
        // In formats that end below 2^63 this is infinity, and only infinity is not less.
        let half = softfloat::from_integer(format, false, &BitVec::new(64, 1 << 63));
        let half = self.float_const(format, half);
        let in_upper_half = self.float_le(half, a);
        let moved = self.float_sub(a, half);
        let upper = self.float_to_signed(moved, 64);
        let top = self.bv(64, 1 << 63);
        let upper = self.bv_xor(upper, top);
        let lower = self.float_to_signed(a, 64);
        self.ite(in_upper_half, upper, lower)
    }

    /// One bit more makes room for the sign; a negative number there is one that did not fit.
    fn float_to_wide_unsigned(&mut self, a: TermId, width: u32) -> TermId {
        let through = width.max(128);
        let number = self.float_to_signed(a, through + 1);
        let sign = self.extract(number, through, through);
        let one = self.bv(1, 1);
        let misfit = self.eq(sign, one);
        let invalid = self.bv_const(&BitVec::min_signed(through));
        let fitting = self.extract(number, through - 1, 0);
        let result = self.ite(misfit, invalid, fitting);
        self.extract(result, width - 1, 0)
    }
}
