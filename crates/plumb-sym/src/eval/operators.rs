//! Operators on scalars: constants by [`plumb_ir::fold`], the rest as terms.

use super::pattern::has_pattern;
use crate::fault::FaultKind;
use crate::state::State;
use crate::sym::Sym;
use crate::value::{Value, format_of, from_bits};
use plumb_ir::expr::{BinOp, CastOp, Sign, UnOp};
use plumb_ir::fold;
use plumb_ir::ty::{Bits, Ty};
use plumb_term::{Sort, TermId};

impl Sym<'_> {
    /// A truth value as one bit; other terms as they are.
    fn as_bits(&mut self, term: TermId) -> TermId {
        match self.terms.sort(term) {
            Sort::Bool => self.terms.bool_to_bv(term, 1),
            Sort::Bv(_) | Sort::Float(_) | Sort::Array { .. } => term,
        }
    }

    /// A scalar as a bit-vector of its width.
    fn bits_term(&mut self, value: &Value, ty: Ty) -> TermId {
        let term = self.term_of(value, ty);
        self.as_bits(term)
    }

    /// An integer of a type from a bit-vector of its width.
    fn integer(&mut self, bits: TermId, ty: Ty) -> Value {
        let term =
            if ty == Ty::BOOL && self.terms.sort(bits) != Sort::Bool { self.terms.bv_to_bool(bits) } else { bits };
        Value::of_term(term, &self.terms)
    }

    /// A count of leading or trailing zeros that C sees ends the run at 0.
    pub(super) fn zeros_of_zero(&mut self, state: &mut State, op: UnOp, sign: Sign, ty: Ty, a: &Value) {
        if !matches!(op, UnOp::Clz | UnOp::Ctz) || sign == Sign::Plain {
            return;
        }
        let x = self.bits_term(a, ty);
        let zero = self.terms.bv(ty.bits(&self.program.target), 0);
        let wrong = self.terms.eq(x, zero);
        if wrong != TermId::bool(false) {
            self.fault_here(state, FaultKind::ZerosOfZero, wrong);
        }
    }

    pub(super) fn unary(&mut self, op: UnOp, ty: Ty, a: &Value) -> Value {
        let is_of_sign = matches!(op, UnOp::Abs | UnOp::IsNegative);
        if let Value::Const(bits) = a
            && (!is_of_sign || has_pattern(*bits, ty))
        {
            let folded = fold::unary(op, ty, *bits, &self.program.target);
            return match op {
                // It acts on the sign alone.
                UnOp::Neg | UnOp::Abs => Value::Const(folded),
                UnOp::IsNan | UnOp::IsInf | UnOp::IsNormal | UnOp::IsNegative => Value::Const(folded),
                _ => self.result(folded, ty),
            };
        }
        let opened;
        let a = match is_of_sign {
            true => {
                opened = self.with_pattern(a.clone(), ty);
                &opened
            }
            false => a,
        };
        let x = self.term_of(a, ty);
        if ty.is_float() && op == UnOp::IsNegative {
            return Value::of_term(self.is_negative(x), &self.terms);
        }
        let terms = &mut self.terms;
        if ty.is_float() {
            let term = match op {
                UnOp::Neg => terms.float_neg(x),
                UnOp::Abs => terms.float_abs(x),
                UnOp::Sqrt => terms.float_sqrt(x),
                UnOp::Floor => terms.float_floor(x),
                UnOp::Ceil => terms.float_ceil(x),
                UnOp::Trunc => terms.float_trunc(x),
                UnOp::Round => terms.float_round(x),
                UnOp::Rint => terms.float_rint(x),
                UnOp::IsNan => terms.float_is_nan(x),
                UnOp::IsInf => terms.float_is_inf(x),
                UnOp::IsNormal => terms.float_is_normal(x),
                UnOp::IsNegative => terms.float_is_negative(x),
                // Operators on integers mean nothing here: the operand, as in the concrete semantics.
                UnOp::Not | UnOp::Clz | UnOp::Ctz | UnOp::Popcount | UnOp::Bswap => x,
            };
            return Value::of_term(term, terms);
        }
        if op == UnOp::Not && ty == Ty::BOOL {
            return Value::of_term(terms.not(x), &self.terms);
        }
        let x = self.as_bits(x);
        let terms = &mut self.terms;
        let bits = match op {
            UnOp::Neg => terms.bv_neg(x),
            UnOp::Not => terms.bv_not(x),
            UnOp::Clz => terms.bv_clz(x),
            UnOp::Ctz => terms.bv_ctz(x),
            UnOp::Popcount => terms.bv_popcount(x),
            UnOp::Bswap => terms.bv_bswap(x),
            UnOp::Abs | UnOp::Sqrt | UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round | UnOp::Rint => x,
            UnOp::IsNan | UnOp::IsInf | UnOp::IsNormal | UnOp::IsNegative => return Value::FALSE,
        };
        self.integer(bits, ty)
    }

    /// The quotient of two signed integers is out of range: the smallest number by -1.
    fn quotient_overflows(&mut self, sign: Sign, ty: Ty, a: &Value, b: &Value) -> TermId {
        if sign != Sign::Signed {
            return TermId::bool(false);
        }
        let width = ty.bits(&self.program.target);
        let is_minus_one = self.is_integer(ty, b, u128::MAX);
        let is_smallest = self.is_integer(ty, a, 1 << (width - 1));
        self.terms.and(is_minus_one, is_smallest)
    }

    /// The integer has the low bits of `pattern`.
    fn is_integer(&mut self, ty: Ty, value: &Value, pattern: u128) -> TermId {
        let width = ty.bits(&self.program.target);
        if let Value::Const(bits) = value {
            return TermId::bool(*bits == Bits::new(pattern, width));
        }
        let term = self.bits_term(value, ty);
        let pattern = self.terms.bv(width, Bits::new(pattern, width).u128());
        self.terms.eq(term, pattern)
    }

    /// Whether compiled programs carry out the divisions of the edge at hand.
    fn divides_for_sure(&self, state: &State) -> bool {
        let function = self.program.function(state.func());
        let mut edges = function.out_edges(state.loc);
        edges.next().is_some_and(|edge| self.program.divisions.contains(&function.edge(edge).span))
    }

    /// Divisions without a quotient and shifts by too much end the run where no check has.
    fn operand_faults(&mut self, state: &mut State, op: BinOp, sign: Sign, ty: Ty, a: &Value, b: &Value) {
        if ty.is_float() {
            return;
        }
        let width = ty.bits(&self.program.target);
        let wrong = match (op, b) {
            (BinOp::Div | BinOp::Rem, _) => {
                let is_carried_out = self.divides_for_sure(state);
                let is_zero = self.is_integer(ty, b, 0);
                let by_zero =
                    if is_carried_out { FaultKind::DivisionByZero } else { FaultKind::FoldableDivisionByZero };
                self.fault_here(state, by_zero, is_zero);
                // Wider numbers than the machine's are divided by functions, which do not stop at an overflow.
                let is_instruction = matches!(width, 32) || width == 64 && self.program.target.pointer_bits() == 64;
                let overflows = self.quotient_overflows(sign, ty, a, b);
                let overflow = match is_carried_out && is_instruction {
                    true => FaultKind::DivisionOverflow,
                    false => FaultKind::FoldableDivisionOverflow,
                };
                return self.fault_here(state, overflow, overflows);
            }
            (BinOp::Shl | BinOp::Shr, _) if sign == Sign::Plain => return,
            (BinOp::Shl | BinOp::Shr, Value::Const(bits)) => TermId::bool(bits.u128() >= width as u128),
            (BinOp::Shl | BinOp::Shr, _) => {
                let y = self.bits_term(b, ty);
                let limit = self.terms.bv(width, width as u128);
                self.terms.bv_ule(limit, y)
            }
            _ => return,
        };
        self.fault_here(state, FaultKind::ShiftCount, wrong);
    }

    pub(super) fn binary(&mut self, state: &mut State, op: BinOp, sign: Sign, ty: Ty, a: &Value, b: &Value) -> Value {
        self.operand_faults(state, op, sign, ty, a, b);
        if let (Value::Const(x), Value::Const(y)) = (a, b)
            && (op != BinOp::Copysign || has_pattern(*x, ty) && has_pattern(*y, ty))
        {
            let folded = fold::binary(op, sign, ty, *x, *y, &self.program.target);
            return match op {
                BinOp::Copysign => Value::Const(folded),
                _ if op.is_comparison() => Value::Const(folded),
                _ => self.result(folded, ty),
            };
        }
        let opened;
        let a = match op {
            BinOp::Copysign => {
                opened = self.with_pattern(a.clone(), ty);
                &opened
            }
            _ => a,
        };
        if ty == Ty::Ptr && op.is_comparison() {
            self.note_stale(state, a, b);
            let term = match op {
                BinOp::Eq => self.pointer_eq(a, b),
                BinOp::Ne => {
                    let same = self.pointer_eq(a, b);
                    self.terms.not(same)
                }
                BinOp::Lt => self.pointer_less(a, b, false),
                _ => self.pointer_less(a, b, true),
            };
            return Value::of_term(term, &self.terms);
        }
        let (x, y) = (self.term_of(a, ty), self.term_of(b, ty));
        match ty {
            Ty::Float(_) => self.float_binary(op, x, y),
            Ty::Int(1) => self.bool_binary(op, sign, x, y),
            Ty::Int(_) | Ty::Ptr => self.int_binary(op, sign, ty, x, y),
        }
    }

    fn bool_binary(&mut self, op: BinOp, sign: Sign, x: TermId, y: TermId) -> Value {
        let term = match op {
            BinOp::And => self.terms.and(x, y),
            BinOp::Or => self.terms.or(x, y),
            BinOp::Xor | BinOp::Ne => self.terms.xor(x, y),
            BinOp::Eq => self.terms.iff(x, y),
            _ => {
                let (x, y) = (self.as_bits(x), self.as_bits(y));
                return self.int_binary(op, sign, Ty::BOOL, x, y);
            }
        };
        Value::of_term(term, &self.terms)
    }

    fn int_binary(&mut self, op: BinOp, sign: Sign, ty: Ty, x: TermId, y: TermId) -> Value {
        let signed = sign == Sign::Signed;
        let terms = &mut self.terms;
        let bits = match op {
            BinOp::Add => terms.bv_add(x, y),
            BinOp::Sub => terms.bv_sub(x, y),
            BinOp::Mul => terms.bv_mul(x, y),
            BinOp::Div if signed => terms.bv_sdiv(x, y),
            BinOp::Div => terms.bv_udiv(x, y),
            BinOp::Rem if signed => terms.bv_srem(x, y),
            BinOp::Rem | BinOp::IeeeRem => terms.bv_urem(x, y),
            BinOp::And => terms.bv_and(x, y),
            BinOp::Or => terms.bv_or(x, y),
            BinOp::Xor => terms.bv_xor(x, y),
            BinOp::Shl => terms.bv_shl(x, y),
            BinOp::Shr if signed => terms.bv_ashr(x, y),
            BinOp::Shr => terms.bv_lshr(x, y),
            BinOp::Eq => terms.eq(x, y),
            BinOp::Ne => terms.ne(x, y),
            BinOp::Lt if signed => terms.bv_slt(x, y),
            BinOp::Lt => terms.bv_ult(x, y),
            BinOp::Le if signed => terms.bv_sle(x, y),
            BinOp::Le => terms.bv_ule(x, y),
            BinOp::Min | BinOp::Max => {
                let less = match (op, signed) {
                    (BinOp::Min, true) => terms.bv_slt(x, y),
                    (BinOp::Min, false) => terms.bv_ult(x, y),
                    (_, true) => terms.bv_slt(y, x),
                    (_, false) => terms.bv_ult(y, x),
                };
                terms.ite(less, x, y)
            }
            BinOp::Copysign => x,
        };
        if op.is_comparison() { Value::of_term(bits, &self.terms) } else { self.integer(bits, ty) }
    }

    fn float_binary(&mut self, op: BinOp, x: TermId, y: TermId) -> Value {
        if op == BinOp::Copysign {
            return Value::of_term(self.copysign(x, y), &self.terms);
        }
        let terms = &mut self.terms;
        let term = match op {
            BinOp::Add => terms.float_add(x, y),
            BinOp::Sub => terms.float_sub(x, y),
            BinOp::Mul => terms.float_mul(x, y),
            BinOp::Div => terms.float_div(x, y),
            BinOp::Rem => terms.float_rem(x, y),
            BinOp::IeeeRem => terms.float_ieee_rem(x, y),
            BinOp::Eq => terms.float_eq(x, y),
            BinOp::Ne => {
                let same = terms.float_eq(x, y);
                terms.not(same)
            }
            BinOp::Lt => terms.float_lt(x, y),
            BinOp::Le => terms.float_le(x, y),
            BinOp::Min => terms.float_min(x, y),
            BinOp::Max => terms.float_max(x, y),
            BinOp::Copysign => terms.float_copysign(x, y),
            // Operators on integers mean nothing here; lowering makes none.
            BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => x,
        };
        Value::of_term(term, terms)
    }

    pub(super) fn cast(&mut self, op: CastOp, from: Ty, to: Ty, a: &Value) -> Value {
        let target = &self.program.target;
        if let Value::Const(bits) = a
            && (op != CastOp::Reinterpret || has_pattern(*bits, from))
        {
            let folded = fold::cast(op, from, to, *bits, target);
            return if op == CastOp::FloatToFloat { self.result(folded, to) } else { Value::Const(folded) };
        }
        let width = to.bits(target);
        match op {
            CastOp::Int { from: sign, .. } => {
                let x = self.bits_term(a, from);
                let bits = match sign {
                    Sign::Signed => self.terms.resize_signed(x, width),
                    Sign::Unsigned | Sign::Plain => self.terms.resize_unsigned(x, width),
                };
                self.integer(bits, to)
            }
            CastOp::PtrToInt => {
                let x = self.address(a);
                let bits = self.terms.resize_unsigned(x, width);
                self.integer(bits, to)
            }
            CastOp::IntToPtr => {
                let x = self.bits_term(a, from);
                let bits = self.terms.resize_unsigned(x, width);
                Value::of_term(bits, &self.terms)
            }
            CastOp::IntToFloat(sign) => {
                let x = self.bits_term(a, from);
                let Ty::Float(format) = to else { return a.clone() };
                let term = match sign {
                    Sign::Signed => self.terms.signed_to_float(x, format_of(format)),
                    Sign::Unsigned | Sign::Plain => self.terms.unsigned_to_float(x, format_of(format)),
                };
                Value::of_term(term, &self.terms)
            }
            CastOp::FloatToInt(sign) => {
                let x = self.term_of(a, from);
                let bits = self.terms.float_to_int(x, sign == Sign::Signed, width);
                self.integer(bits, to)
            }
            CastOp::FloatToFloat => {
                let x = self.term_of(a, from);
                let Ty::Float(format) = to else { return a.clone() };
                Value::of_term(self.terms.float_to_float(x, format_of(format)), &self.terms)
            }
            CastOp::Reinterpret if from == to => a.clone(),
            CastOp::Reinterpret => {
                let x = self.term_of(a, from);
                let bits = self.pattern(x);
                let bits = self.terms.resize_unsigned(bits, to.bytes(target) as u32 * 8);
                let term = from_bits(bits, to, target, &mut self.terms);
                Value::of_term(term, &self.terms)
            }
        }
    }

    pub(super) fn extract_bits(&mut self, value: &Value, from: Ty, lo: u8, ty: Ty) -> Value {
        let width = ty.bits(&self.program.target);
        if let Value::Const(bits) = value {
            return Value::Const(fold::extract(*bits, lo, width));
        }
        let x = self.bits_term(value, from);
        let bits = self.terms.extract(x, lo as u32 + width - 1, lo as u32);
        self.integer(bits, ty)
    }

    pub(super) fn insert_bits(&mut self, base: &Value, ty: Ty, value: &Value, inner: Ty, lo: u8) -> Value {
        let (width, part) = (ty.bits(&self.program.target), inner.bits(&self.program.target));
        if let (Value::Const(base), Value::Const(value)) = (base, value) {
            return Value::Const(fold::insert(*base, *value, lo, part));
        }
        let lo = lo as u32;
        let (x, mut bits) = (self.bits_term(base, ty), self.bits_term(value, inner));
        if lo > 0 {
            let low = self.terms.extract(x, lo - 1, 0);
            bits = self.terms.concat(bits, low);
        }
        if lo + part < width {
            let high = self.terms.extract(x, width - 1, lo + part);
            bits = self.terms.concat(high, bits);
        }
        self.integer(bits, ty)
    }

    pub(super) fn fma(&mut self, ty: Ty, a: &Value, b: &Value, c: &Value) -> Value {
        let Ty::Float(format) = ty else { return a.clone() };
        if let (Value::Const(x), Value::Const(y), Value::Const(z)) = (a, b, c) {
            return self.result(fold::fma(format, *x, *y, *z), ty);
        }
        let [x, y, z] = [a, b, c].map(|v| self.term_of(v, ty));
        Value::of_term(self.terms.float_fma(x, y, z), &self.terms)
    }
}
