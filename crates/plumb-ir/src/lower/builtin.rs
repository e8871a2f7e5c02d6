//! Compiler builtins.

use super::call::Arg;
use super::function::Lowerer;
use crate::expr::{BinOp, ExprId, Sign, UnOp};
use crate::input::InputOrigin;
use crate::program::{Intrinsic, Op, VarRef};
use crate::ty::{Bits, Ty};
use plumb_c::hir::{self, Builtin};
use plumb_c::source::Span;
use plumb_c::types::TyId;

impl<'a> Lowerer<'_, 'a> {
    /// Evaluates a builtin and returns its value, if it has one.
    pub(super) fn builtin(&mut self, op: Builtin, args: &'a [hir::Expr], cty: TyId, span: Span) -> Option<ExprId> {
        match (op, args) {
            (Builtin::VaStart, [list, ..]) => {
                self.variadic_start(list, span);
                return None;
            }
            (Builtin::VaCopy, [to, from, ..]) => {
                self.variadic_copy(to, from, span);
                return None;
            }
            (Builtin::VaEnd, _) => return None,
            (Builtin::Unreachable, _) => {
                self.unsupported("__builtin_unreachable is reached", span);
                return None;
            }
            (Builtin::ConstantP, _) => {
                self.unsupported("whether the compiler folds the argument of __builtin_constant_p is not known", span);
                return Some(self.b.int(0, self.cx.carrier(cty)));
            }
            (Builtin::Trap, _) => {
                self.intrinsic(Intrinsic::Abort, Vec::new(), None, span);
                self.b.stop();
                return None;
            }
            _ => {}
        }
        let values = self.arguments(args);
        if let Builtin::Atomic(op) = op {
            return self.atomic(op, &values, cty, span);
        }
        let ty = self.cx.carrier(cty);
        let result = match values[..] {
            [] => None,
            [a] => self.unary_builtin(op, a, ty, span),
            [a, b] => self.binary_builtin(op, a, b, span),
            [a, b, c] => self.ternary_builtin(op, a, b, c, None, span),
            [a, b, c, last] => self.ternary_builtin(op, a, b, c, Some(last), span),
            [..] => None,
        };
        match (result, op) {
            (Some(value), _) => Some(self.sized(value, ty)),
            (None, Builtin::ReturnAddress | Builtin::FrameAddress) => {
                let origin = InputOrigin::External("__builtin_return_address".into());
                let address = self.havoc_temp(ty, origin, Some(cty), span);
                // Those of the function itself are there.
                if values.first().is_some_and(|level| self.b.as_const(level.value) == Some(Bits::ZERO)) {
                    let is_set = self.b.truth(address);
                    self.b.emit(Op::Assume { cond: is_set, branch: None }, span);
                }
                Some(address)
            }
            (None, Builtin::Prefetch) => None,
            (None, Builtin::Expect) => values.first().map(|a| a.value),
            (None, _) => {
                self.cx.broken_promise(span, "a builtin with a wrong number of arguments");
                None
            }
        }
    }

    /// A result of the operand's width, or a truth value, in the node's type.
    fn sized(&mut self, value: ExprId, ty: Ty) -> ExprId {
        match (self.b.ty(value), ty) {
            (Ty::Int(1), Ty::Int(_)) => self.b.widen_truth(value, ty),
            (Ty::Int(_), Ty::Int(_)) => self.b.resize(value, Sign::Unsigned, ty),
            _ => value,
        }
    }

    fn unary_builtin(&mut self, op: Builtin, arg: Arg, ty: Ty, span: Span) -> Option<ExprId> {
        let a = arg.value;
        let simple = match op {
            // Undefined at zero, which the sign says.
            Builtin::Clz => return Some(self.b.unary(UnOp::Clz, Sign::Unsigned, a)),
            Builtin::Ctz => return Some(self.b.unary(UnOp::Ctz, Sign::Unsigned, a)),
            Builtin::Popcount => UnOp::Popcount,
            Builtin::Bswap => UnOp::Bswap,
            Builtin::IsNan => UnOp::IsNan,
            Builtin::IsInf => UnOp::IsInf,
            Builtin::IsNormal => UnOp::IsNormal,
            Builtin::SignBit => UnOp::IsNegative,
            Builtin::Fabs => UnOp::Abs,
            Builtin::Sqrt => UnOp::Sqrt,
            Builtin::Floor => UnOp::Floor,
            Builtin::Ceil => UnOp::Ceil,
            Builtin::Trunc => UnOp::Trunc,
            Builtin::Round => UnOp::Round,
            Builtin::Rint => UnOp::Rint,
            Builtin::Ffs => return Some(self.find_first_set(a, span)),
            Builtin::Parity => {
                let count = self.b.unary(UnOp::Popcount, Sign::Plain, a);
                return Some(self.b.extract(count, 0, 1));
            }
            Builtin::Clrsb => return Some(self.redundant_sign_bits(a, span)),
            Builtin::IsInfSign => {
                let a = self.b.reusable(a, span);
                let infinite = self.b.unary(UnOp::IsInf, Sign::Plain, a);
                let negative = self.b.unary(UnOp::IsNegative, Sign::Plain, a);
                let (minus, plus, zero) = (self.b.int(-1, ty), self.b.int(1, ty), self.b.int(0, ty));
                let signed = self.b.ite(negative, minus, plus);
                return Some(self.b.ite(infinite, signed, zero));
            }
            Builtin::IsFinite => {
                let a = self.b.reusable(a, span);
                let infinite = self.b.unary(UnOp::IsInf, Sign::Plain, a);
                let nan = self.b.unary(UnOp::IsNan, Sign::Plain, a);
                let neither = self.b.or(infinite, nan);
                return Some(self.b.not(neither));
            }
            Builtin::Alloca => {
                let word = self.b.word();
                let size = self.fit(a, arg.cty, word);
                let size = self.b.reusable(size, span);
                let one = self.b.size(1);
                self.check_stack_size(size, one, span);
                let temp = self.b.temp(Ty::Ptr, span);
                self.intrinsic(Intrinsic::StackAlloc, vec![size], Some(VarRef::Local(temp)), span);
                let object = self.b.local(temp);
                self.havoc_region(object, size, InputOrigin::FreshMemory, span);
                return Some(object);
            }
            Builtin::Expect => return Some(a),
            _ => return None,
        };
        Some(self.b.unary(simple, Sign::Plain, a))
    }

    /// One plus the place of the lowest set bit, or 0.
    fn find_first_set(&mut self, a: ExprId, span: Span) -> ExprId {
        let a = self.b.reusable(a, span);
        let ty = self.b.ty(a);
        let (zero, one) = (self.b.int(0, ty), self.b.int(1, ty));
        let trailing = self.b.unary(UnOp::Ctz, Sign::Plain, a);
        let place = self.b.binary(BinOp::Add, Sign::Plain, trailing, one);
        let is_zero = self.b.binary(BinOp::Eq, Sign::Plain, a, zero);
        self.b.ite(is_zero, zero, place)
    }

    /// Leading bits that equal the sign, without the sign itself.
    fn redundant_sign_bits(&mut self, a: ExprId, span: Span) -> ExprId {
        let a = self.b.reusable(a, span);
        let ty = self.b.ty(a);
        let (one, last) = (self.b.int(1, ty), self.b.int(ty.bits(self.b.target()) as i128 - 1, ty));
        let sign = self.b.binary(BinOp::Shr, Sign::Signed, a, last);
        let differing = self.b.binary(BinOp::Xor, Sign::Plain, a, sign);
        let leading = self.b.unary(UnOp::Clz, Sign::Plain, differing);
        self.b.binary(BinOp::Sub, Sign::Plain, leading, one)
    }

    fn binary_builtin(&mut self, op: Builtin, a: Arg, b: Arg, span: Span) -> Option<ExprId> {
        let (a, b) = (a.value, b.value);
        let arithmetic = |op| Some((op, false));
        let found = match op {
            Builtin::Fmod => arithmetic(BinOp::Rem),
            Builtin::Fmin => arithmetic(BinOp::Min),
            Builtin::Fmax => arithmetic(BinOp::Max),
            Builtin::Copysign => arithmetic(BinOp::Copysign),
            Builtin::Remainder => arithmetic(BinOp::IeeeRem),
            Builtin::IsGreater => Some((BinOp::Lt, true)),
            Builtin::IsGreaterEqual => Some((BinOp::Le, true)),
            Builtin::IsLess => Some((BinOp::Lt, false)),
            Builtin::IsLessEqual => Some((BinOp::Le, false)),
            Builtin::IsLessGreater => {
                let (a, b) = (self.b.reusable(a, span), self.b.reusable(b, span));
                let less = self.b.binary(BinOp::Lt, Sign::Plain, a, b);
                let greater = self.b.binary(BinOp::Lt, Sign::Plain, b, a);
                return Some(self.b.or(less, greater));
            }
            Builtin::IsUnordered => {
                let first = self.b.unary(UnOp::IsNan, Sign::Plain, a);
                let second = self.b.unary(UnOp::IsNan, Sign::Plain, b);
                return Some(self.b.or(first, second));
            }
            Builtin::Expect => return Some(a),
            _ => None,
        };
        let (op, swap) = found?;
        let (a, b) = if swap { (b, a) } else { (a, b) };
        Some(self.b.binary(op, Sign::Plain, a, b))
    }

    fn ternary_builtin(
        &mut self,
        op: Builtin,
        a: Arg,
        b: Arg,
        c: Arg,
        width: Option<Arg>,
        span: Span,
    ) -> Option<ExprId> {
        let op = match op {
            Builtin::Fma => return Some(self.b.fma(a.value, b.value, c.value)),
            Builtin::AddOverflow => BinOp::Add,
            Builtin::SubOverflow => BinOp::Sub,
            Builtin::MulOverflow => BinOp::Mul,
            _ => return None,
        };
        let width = width.and_then(|width| u8::try_from(self.b.as_const(width.value)?.u64()).ok());
        Some(self.overflow(op, a, b, c, width, span))
    }

    /// Computes in a type wide enough for the exact result, stores what fits, and tells whether that was all. What fits is
    /// the result's type, or so many bits of it.
    fn overflow(&mut self, op: BinOp, a: Arg, b: Arg, to: Arg, bits: Option<u8>, span: Span) -> ExprId {
        let result = self.cx.hir.types.pointee(to.cty).map_or(a.cty, |p| p.ty);
        let width = |this: &Self, cty| this.cx.carrier(cty).bits(&this.cx.target);
        let (wa, wb, wr) = (width(self, a.cty), width(self, b.cty), width(self, result));
        let needed = match op {
            BinOp::Mul => (wa + wb).max(wr) + 2,
            _ => wa.max(wb).max(wr) + 2,
        };
        // The product of two 64-bit numbers has 128 bits; the two more are needed only by a result of more than 126.
        if wa.max(wb).max(wr) > 64 {
            self.unsupported("overflow builtins on 128-bit integers", span);
        }
        let exact = Ty::Int(needed.min(128) as u8);
        let left = self.b.resize(a.value, self.cx.sign(a.cty), exact);
        let right = self.b.resize(b.value, self.cx.sign(b.cty), exact);
        let value = self.b.binary(op, Sign::Plain, left, right);
        let value = self.b.into_temp(value, span);
        let low = self.b.resize(value, Sign::Plain, self.cx.carrier(result));
        let kept = bits.map_or(low, |bits| self.b.extract(low, 0, bits));
        let back = self.b.resize(kept, self.cx.sign(result), exact);
        self.store(to.value, low, span);
        self.b.binary(BinOp::Ne, Sign::Plain, back, value)
    }
}
