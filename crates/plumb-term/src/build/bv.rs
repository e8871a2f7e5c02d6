//! Bit-vectors.

use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::rewrite;
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

impl Terms {
    fn bv_unary(&mut self, op: UnaryOp, a: TermId) -> TermId {
        debug_assert!(matches!(self.sort(a), Sort::Bv(_)));
        self.unary(op, a, self.sort(a))
    }

    fn bv_binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        debug_assert!(matches!(self.sort(a), Sort::Bv(_)));
        debug_assert_eq!(self.sort(a), self.sort(b));
        self.binary(op, a, b, self.sort(a))
    }

    fn bv_compare(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        debug_assert!(matches!(self.sort(a), Sort::Bv(_)));
        debug_assert_eq!(self.sort(a), self.sort(b));
        self.binary(op, a, b, Sort::Bool)
    }

    pub fn bv_not(&mut self, a: TermId) -> TermId {
        self.bv_unary(UnaryOp::BvNot, a)
    }

    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        self.bv_unary(UnaryOp::BvNeg, a)
    }

    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvAnd, a, b)
    }

    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvOr, a, b)
    }

    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvXor, a, b)
    }

    pub fn bv_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvAdd, a, b)
    }

    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvSub, a, b)
    }

    pub fn bv_mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvMul, a, b)
    }

    pub fn bv_udiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvUdiv, a, b)
    }

    pub fn bv_urem(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvUrem, a, b)
    }

    pub fn bv_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvSdiv, a, b)
    }

    pub fn bv_srem(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvSrem, a, b)
    }

    pub fn bv_shl(&mut self, a: TermId, count: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvShl, a, count)
    }

    pub fn bv_lshr(&mut self, a: TermId, count: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvLshr, a, count)
    }

    pub fn bv_ashr(&mut self, a: TermId, count: TermId) -> TermId {
        self.bv_binary(BinaryOp::BvAshr, a, count)
    }

    pub fn bv_ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_compare(BinaryOp::BvUlt, a, b)
    }

    /// `!(b < a)`: there is one way to say it.
    pub fn bv_ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.bv_ult(b, a);
        self.not(greater)
    }

    pub fn bv_ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_ult(b, a)
    }

    pub fn bv_uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_ule(b, a)
    }

    pub fn bv_slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_compare(BinaryOp::BvSlt, a, b)
    }

    pub fn bv_sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.bv_slt(b, a);
        self.not(greater)
    }

    pub fn bv_sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_slt(b, a)
    }

    pub fn bv_sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_sle(b, a)
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        debug_assert!(matches!((self.sort(high), self.sort(low)), (Sort::Bv(_), Sort::Bv(_))));
        let width = self.width(high) + self.width(low);
        self.binary(BinaryOp::Concat, high, low, Sort::Bv(width))
    }

    /// Bits `lo` to `hi`, both included.
    pub fn extract(&mut self, a: TermId, hi: u32, lo: u32) -> TermId {
        debug_assert!(matches!(self.sort(a), Sort::Bv(_)));
        debug_assert!(lo <= hi && hi < self.width(a), "bits {hi} to {lo} of {}", self.width(a));
        if lo == 0 && hi + 1 == self.width(a) {
            return a;
        }
        if let Some(bits) = self.as_bv(a) {
            return self.bv_const(&bits.extract(hi, lo));
        }
        let (kind, sort) = (Kind::Extract { value: a, hi, lo }, Sort::Bv(hi - lo + 1));
        self.rewritten(kind, sort, |terms| rewrite::extract(terms, a, hi, lo))
    }

    /// To a width that is not smaller.
    pub fn zero_extend(&mut self, a: TermId, width: u32) -> TermId {
        debug_assert!(matches!(self.sort(a), Sort::Bv(w) if w <= width));
        if width == self.width(a) { a } else { self.unary(UnaryOp::ZeroExtend, a, Sort::Bv(width)) }
    }

    /// To a width that is not smaller.
    pub fn sign_extend(&mut self, a: TermId, width: u32) -> TermId {
        debug_assert!(matches!(self.sort(a), Sort::Bv(w) if w <= width));
        if width == self.width(a) { a } else { self.unary(UnaryOp::SignExtend, a, Sort::Bv(width)) }
    }

    /// Cut or extended with zeros to a width.
    pub fn resize_unsigned(&mut self, a: TermId, width: u32) -> TermId {
        if width < self.width(a) { self.extract(a, width - 1, 0) } else { self.zero_extend(a, width) }
    }

    /// Cut or extended with the sign to a width.
    pub fn resize_signed(&mut self, a: TermId, width: u32) -> TermId {
        if width < self.width(a) { self.extract(a, width - 1, 0) } else { self.sign_extend(a, width) }
    }
}
