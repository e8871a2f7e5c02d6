//! The bit patterns of floats, where a program looks at them.
//!
//! Which NaN an operation gives is not specified: processors differ in its sign and in what they keep of the operands'. Only
//! a conversion to a wider format keeps the sign on all of them (IEEE 754-2019, 6.2.3 asks for the payload, and both
//! processors and gcc's own routines keep the sign with it).
//! Terms have one NaN for all ([`plumb_term::Format::canonical_nan`]), which no comparison tells from others. A pattern that a
//! program looks at, though, is any quiet NaN where it is a result's: what is proved holds for every processor.
//!
//! That holds of constants too, on which a processor, or a compiler in its place, computes as on other values: what an operation
//! on them gives is made the NaN of terms ([`Sym::result`]), whose pattern, with either sign, nobody knows. Other NaN patterns are
//! of numbers that the program has put together from bits.

use crate::open::OpenChoice;
use crate::sym::Sym;
use crate::value::{Value, format_of};
use plumb_ir::expr::UnOp;
use plumb_ir::fold;
use plumb_ir::ty::{Bits, Ty};
use plumb_term::{Format, Kind, Sort, TermId, UnaryOp};

/// Operators that are looked through for the one that made a float.
const DEEPEST: u32 = 6;

impl Sym<'_> {
    /// A scalar's term as the bit-vector that memory holds.
    pub(crate) fn pattern(&mut self, term: TermId) -> TermId {
        match self.terms.sort(term) {
            Sort::Bool => self.terms.bool_to_bv(term, 8),
            Sort::Float(format) => self.float_pattern(term, format, DEEPEST),
            Sort::Bv(_) | Sort::Array { .. } => term,
        }
    }

    fn float_pattern(&mut self, term: TermId, format: Format, depth: u32) -> TermId {
        match self.terms.kind(term) {
            // An operation on constants may have given it, and terms have one NaN for all.
            Kind::Const if self.is_result_nan(term, format) => self.any_nan(format, true),
            Kind::Const | Kind::Symbol(_) | Kind::Unary(UnaryOp::FloatFromBits, _) => self.terms.float_to_bits(term),
            Kind::Unary(UnaryOp::FloatNeg, a) if depth > 0 => {
                let sign = self.terms.bv(format.width(), format.sign_mask());
                let bits = self.float_pattern(a, format, depth - 1);
                self.terms.bv_xor(bits, sign)
            }
            Kind::Unary(UnaryOp::FloatAbs, a) if depth > 0 => {
                let rest = self.terms.bv(format.width(), format.sign_mask() - 1);
                let bits = self.float_pattern(a, format, depth - 1);
                self.terms.bv_and(bits, rest)
            }
            Kind::Ite(cond, a, b) if depth > 0 => {
                let (x, y) = (self.float_pattern(a, format, depth - 1), self.float_pattern(b, format, depth - 1));
                self.terms.ite(cond, x, y)
            }
            Kind::Unary(UnaryOp::FloatToFloat, a) if depth > 0 && self.is_widening(a, format) => {
                self.widened_pattern(term, a, format, depth - 1)
            }
            // What made it is too far away: a copy of a NaN from outside, maybe, of which nothing is known.
            Kind::Unary(UnaryOp::FloatNeg | UnaryOp::FloatAbs, _) | Kind::Ite(..) => {
                self.result_pattern(term, format, false)
            }
            Kind::Unary(..) | Kind::Binary(..) | Kind::Fma(..) | Kind::Store(..) | Kind::Extract { .. } => {
                self.result_pattern(term, format, true)
            }
        }
    }

    fn is_widening(&self, from: TermId, to: Format) -> bool {
        matches!(self.terms.sort(from), Sort::Float(from)
            if from.exponent_bits() < to.exponent_bits() && from.significand_bits() < to.significand_bits())
    }

    /// The pattern of `a` in a wider format: as that of any other result, but a NaN has the sign of `a`.
    fn widened_pattern(&mut self, term: TermId, a: TermId, format: Format, depth: u32) -> TermId {
        let Sort::Float(narrow) = self.terms.sort(a) else { return self.result_pattern(term, format, true) };
        let of_operand = self.float_pattern(a, narrow, depth);
        let sign = self.terms.extract(of_operand, narrow.width() - 1, narrow.width() - 1);
        let any = self.result_pattern(term, format, true);
        let rest = self.terms.extract(any, format.width() - 2, 0);
        self.terms.concat(sign, rest)
    }

    /// The pattern of an operation's result. It is the same whenever it is looked at.
    fn result_pattern(&mut self, term: TermId, format: Format, is_quiet: bool) -> TermId {
        if let Some(bits) = self.patterns.get(&term) {
            return *bits;
        }
        let nan = self.any_nan(format, is_quiet);
        let is_nan = self.terms.float_is_nan(term);
        let bits = self.terms.float_to_bits(term);
        let bits = self.terms.ite(is_nan, nan, bits);
        self.patterns.insert(term, bits);
        bits
    }

    /// A NaN of which nobody knows the sign and the payload, or, unless it is a quiet one, whether it is quiet.
    fn any_nan(&mut self, format: Format, is_quiet: bool) -> TermId {
        let any = self.terms.fresh_symbol("nan", Sort::Bv(format.width()));
        self.open.insert(any, OpenChoice::NanPattern);
        let quiet = self.terms.bv(format.width(), format.canonical_nan());
        if is_quiet {
            return self.terms.bv_or(any, quiet);
        }
        let number = self.terms.float_from_bits(any, format);
        let is_nan = self.terms.float_is_nan(number);
        self.terms.ite(is_nan, any, quiet)
    }

    fn is_result_nan(&self, constant: TermId, format: Format) -> bool {
        let bits = self.terms.const_bits(constant).and_then(|bits| bits.to_u128());
        bits.is_some_and(|bits| is_nan_of_result(bits, format))
    }

    /// What an operation on constants gives.
    pub(super) fn result(&self, bits: Bits, ty: Ty) -> Value {
        match ty {
            Ty::Float(format) if !fold::unary(UnOp::IsNan, ty, bits, &self.program.target).is_zero() => {
                let format = format_of(format);
                Value::Const(Bits::new(format.canonical_nan(), format.width()))
            }
            Ty::Float(_) | Ty::Int(_) | Ty::Ptr => Value::Const(bits),
        }
    }

    /// A value whose pattern does not change from one look to the next, as memory holds it.
    pub(crate) fn with_pattern(&mut self, value: Value, ty: Ty) -> Value {
        match (&value, ty) {
            (Value::Const(bits), Ty::Float(format)) if !has_pattern(*bits, ty) => {
                let format = format_of(format);
                let pattern = self.any_nan(format, true);
                Value::Term(self.terms.float_from_bits(pattern, format))
            }
            _ => value,
        }
    }

    /// Whether the sign bit is set.
    pub(super) fn is_negative(&mut self, term: TermId) -> TermId {
        let bits = self.pattern(term);
        let top = self.terms.width(bits) - 1;
        let sign = self.terms.extract(bits, top, top);
        self.terms.bv_to_bool(sign)
    }

    /// The magnitude of `a` with the sign bit of `b`.
    pub(super) fn copysign(&mut self, a: TermId, b: TermId) -> TermId {
        let is_negative = self.is_negative(b);
        let positive = self.terms.float_abs(a);
        let negative = self.terms.float_neg(positive);
        self.terms.ite(is_negative, negative, positive)
    }
}

/// Whether the pattern of a constant is known: it is not that of an operation's NaN.
pub(crate) fn has_pattern(bits: Bits, ty: Ty) -> bool {
    !matches!(ty, Ty::Float(format) if is_nan_of_result(bits.u128(), format_of(format)))
}

/// The NaN that stands for those of operations, or its negation.
fn is_nan_of_result(bits: u128, format: Format) -> bool {
    bits & !format.sign_mask() == format.canonical_nan()
}
