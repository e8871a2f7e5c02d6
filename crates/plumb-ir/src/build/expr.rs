//! Constructors of expressions.

use super::{FunctionBuilder, Traits};
use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Sign, UnOp};
use crate::fold;
use crate::program::{FuncId, LocalVar, ObjRef, VarRef};
use crate::ty::{Bits, Ty};

impl FunctionBuilder {
    pub fn ty(&self, id: ExprId) -> Ty {
        self.exprs.ty(id)
    }

    pub fn kind(&self, id: ExprId) -> ExprKind {
        self.exprs.kind(id)
    }

    pub fn as_const(&self, id: ExprId) -> Option<Bits> {
        self.exprs.as_const(id)
    }

    pub fn is_stable(&self, id: ExprId) -> bool {
        self.traits[id].stable
    }

    pub fn is_partial(&self, id: ExprId) -> bool {
        self.traits[id].partial
    }

    fn push(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        let mut traits = match kind {
            ExprKind::Var(VarRef::Local(v)) => Traits { stable: self.temporary[v], partial: false },
            ExprKind::Var(VarRef::Global(_)) => Traits { stable: false, partial: false },
            ExprKind::Load(_)
            | ExprKind::InBounds { .. }
            | ExprKind::Callable { .. }
            | ExprKind::Freeable(_)
            | ExprKind::IsLive(_)
            | ExprKind::SameObject(..)
            | ExprKind::BytesLeft(_)
            | ExprKind::ObjectOffset(_)
            | ExprKind::NoLeak(_)
            | ExprKind::HeapEmpty => Traits { stable: false, partial: true },
            ExprKind::Unary(op, sign, a) => Traits { stable: true, partial: self.exprs.unary_may_fault(op, sign, a) },
            ExprKind::Binary(op, sign, a, b) => {
                let width = self.ty(a).bits(&self.target);
                Traits { stable: true, partial: self.exprs.may_fault(op, sign, a, b, width) }
            }
            ExprKind::Const(_)
            | ExprKind::Addr(_)
            | ExprKind::FuncAddr(_)
            | ExprKind::Cast(..)
            | ExprKind::Ite(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::PtrAdd(..)
            | ExprKind::PtrDiff(..)
            | ExprKind::Extract { .. }
            | ExprKind::Insert { .. }
            | ExprKind::Fma(..) => Traits { stable: true, partial: false },
        };
        for operand in kind.operands() {
            let of = self.traits[operand];
            traits.stable &= of.stable;
            traits.partial |= of.partial;
        }
        self.traits.push(traits);
        self.exprs.push(kind, ty)
    }

    pub fn constant(&mut self, bits: Bits, ty: Ty) -> ExprId {
        self.push(ExprKind::Const(bits), ty)
    }

    /// The low bits of a number, of an integer or pointer type.
    pub fn int(&mut self, value: i128, ty: Ty) -> ExprId {
        let bits = Bits::new(value as u128, ty.bits(&self.target));
        self.constant(bits, ty)
    }

    pub fn bool(&mut self, value: bool) -> ExprId {
        self.constant(Bits::bool(value), Ty::BOOL)
    }

    pub fn null(&mut self) -> ExprId {
        self.constant(Bits::ZERO, Ty::Ptr)
    }

    /// The integer type as wide as a pointer.
    pub fn word(&self) -> Ty {
        Ty::Int(self.target.pointer_bits() as u8)
    }

    pub fn size(&mut self, bytes: u64) -> ExprId {
        let word = self.word();
        self.int(bytes as i128, word)
    }

    /// The value of a register of that type.
    pub fn var(&mut self, var: VarRef, ty: Ty) -> ExprId {
        self.push(ExprKind::Var(var), ty)
    }

    pub fn local(&mut self, var: LocalVar) -> ExprId {
        let ty = self.var_ty(var);
        self.var(VarRef::Local(var), ty)
    }

    pub fn var_ty(&self, var: LocalVar) -> Ty {
        self.vars[var].ty
    }

    pub fn addr(&mut self, object: ObjRef) -> ExprId {
        self.push(ExprKind::Addr(object), Ty::Ptr)
    }

    pub fn func_addr(&mut self, func: FuncId) -> ExprId {
        self.push(ExprKind::FuncAddr(func), Ty::Ptr)
    }

    pub fn load(&mut self, addr: ExprId, ty: Ty) -> ExprId {
        debug_assert_eq!(self.ty(addr), Ty::Ptr);
        self.push(ExprKind::Load(addr), ty)
    }

    pub fn bytes_left(&mut self, pointer: ExprId) -> ExprId {
        let word = self.word();
        self.push(ExprKind::BytesLeft(pointer), word)
    }

    pub fn object_offset(&mut self, pointer: ExprId) -> ExprId {
        let word = self.word();
        self.push(ExprKind::ObjectOffset(pointer), word)
    }

    pub fn same_object(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.push(ExprKind::SameObject(a, b), Ty::BOOL)
    }

    pub fn in_bounds(&mut self, addr: ExprId, size: ExprId, write: bool) -> ExprId {
        self.push(ExprKind::InBounds { base: addr, addr, size, write }, Ty::BOOL)
    }

    pub fn is_live(&mut self, pointer: ExprId) -> ExprId {
        self.push(ExprKind::IsLive(pointer), Ty::BOOL)
    }

    pub fn unary(&mut self, op: UnOp, sign: Sign, a: ExprId) -> ExprId {
        if op == UnOp::Not && self.ty(a) == Ty::BOOL {
            return self.not(a);
        }
        let ty = self.ty(a);
        let result = match op {
            UnOp::IsNan | UnOp::IsInf | UnOp::IsNormal | UnOp::IsNegative => Ty::BOOL,
            UnOp::Neg
            | UnOp::Not
            | UnOp::Clz
            | UnOp::Ctz
            | UnOp::Popcount
            | UnOp::Bswap
            | UnOp::Abs
            | UnOp::Sqrt
            | UnOp::Floor
            | UnOp::Ceil
            | UnOp::Trunc
            | UnOp::Round
            | UnOp::Rint => ty,
        };
        match self.as_const(a) {
            Some(bits) if self.folds_unary(op, sign, ty, bits) => {
                let value = fold::unary(op, ty, bits, &self.target);
                self.constant(value, result)
            }
            Some(_) | None => self.push(ExprKind::Unary(op, sign, a), result),
        }
    }

    /// Whether no check could object to the operation.
    fn folds_unary(&self, op: UnOp, sign: Sign, ty: Ty, bits: Bits) -> bool {
        match (op, sign, ty) {
            (UnOp::Neg, Sign::Signed, Ty::Int(width)) => bits.u128() != 1 << (width - 1),
            (UnOp::Neg, Sign::Unsigned, Ty::Int(_)) => bits.is_zero(),
            (UnOp::Clz | UnOp::Ctz, Sign::Signed | Sign::Unsigned, _) => !bits.is_zero(),
            (UnOp::Sqrt, _, Ty::Float(_)) => !self.makes_nan(ty, fold::unary(op, ty, bits, &self.target), &[bits]),
            _ => true,
        }
    }

    /// Whether the result of an operation on floats is a NaN that no operand is.
    fn makes_nan(&self, ty: Ty, result: Bits, operands: &[Bits]) -> bool {
        let is_nan = |bits| !fold::unary(UnOp::IsNan, ty, bits, &self.target).is_zero();
        is_nan(result) && !operands.iter().any(|&bits| is_nan(bits))
    }

    /// Logical negation, pushed into comparisons of integers (not of floats, where NaN compares false either way).
    pub fn not(&mut self, a: ExprId) -> ExprId {
        debug_assert_eq!(self.ty(a), Ty::BOOL);
        match self.kind(a) {
            ExprKind::Const(bits) => self.bool(bits.is_zero()),
            ExprKind::Unary(UnOp::Not, _, inner) => inner,
            ExprKind::Binary(BinOp::Eq, sign, l, r) => self.push(ExprKind::Binary(BinOp::Ne, sign, l, r), Ty::BOOL),
            ExprKind::Binary(BinOp::Ne, sign, l, r) => self.push(ExprKind::Binary(BinOp::Eq, sign, l, r), Ty::BOOL),
            ExprKind::Binary(BinOp::Lt, sign, l, r) if !self.ty(l).is_float() => {
                self.push(ExprKind::Binary(BinOp::Le, sign, r, l), Ty::BOOL)
            }
            ExprKind::Binary(BinOp::Le, sign, l, r) if !self.ty(l).is_float() => {
                self.push(ExprKind::Binary(BinOp::Lt, sign, r, l), Ty::BOOL)
            }
            _ => self.push(ExprKind::Unary(UnOp::Not, Sign::Plain, a), Ty::BOOL),
        }
    }

    pub fn binary(&mut self, op: BinOp, sign: Sign, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.ty(a);
        debug_assert_eq!(ty, self.ty(b), "operands of {op:?}");
        let result = if op.is_comparison() { Ty::BOOL } else { ty };
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b))
            && self.folds(op, sign, ty, x, y)
        {
            let value = fold::binary(op, sign, ty, x, y, &self.target);
            return self.constant(value, result);
        }
        if let Some(simpler) = self.simplify(op, sign, a, b) {
            return simpler;
        }
        self.push(ExprKind::Binary(op, sign, a, b), result)
    }

    /// Whether no check could object to the operation.
    fn folds(&self, op: BinOp, sign: Sign, ty: Ty, x: Bits, y: Bits) -> bool {
        if ty.is_float() {
            return op.is_comparison() || !self.makes_nan(ty, fold::binary(op, sign, ty, x, y, &self.target), &[x, y]);
        }
        let width = ty.bits(&self.target);
        let (sx, sy) = (x.signed(width), y.signed(width));
        let fits = |exact: Option<i128>| exact.is_some_and(|v| Bits::new(v as u128, width).signed(width) == v);
        let count = y.u128();
        let most = u128::MAX >> (128 - width);
        match (op, sign) {
            (BinOp::Div | BinOp::Rem, _) => !y.is_zero() && (sign != Sign::Signed || fits(sx.checked_div(sy))),
            (BinOp::Shl, Sign::Signed) if sx < 0 => false,
            (BinOp::Shl, Sign::Signed) => {
                let used = 128 - sx.leading_zeros();
                count < width as u128 && used as u128 + count < width as u128
            }
            (BinOp::Shl | BinOp::Shr, _) => count < width as u128,
            (BinOp::Add, Sign::Signed) => fits(sx.checked_add(sy)),
            (BinOp::Sub, Sign::Signed) => fits(sx.checked_sub(sy)),
            (BinOp::Mul, Sign::Signed) => fits(sx.checked_mul(sy)),
            (BinOp::Add, Sign::Unsigned) => y.u128() <= most - x.u128(),
            (BinOp::Sub, Sign::Unsigned) => y.u128() <= x.u128(),
            (BinOp::Mul, Sign::Unsigned) => x.u128().checked_mul(y.u128()).is_some_and(|exact| exact <= most),
            _ => true,
        }
    }

    fn simplify(&mut self, op: BinOp, sign: Sign, a: ExprId, b: ExprId) -> Option<ExprId> {
        let ty = self.ty(a);
        if !matches!(ty, Ty::Int(_)) {
            return self.compare_address(op, a, b);
        }
        let zero = |this: &Self, e| this.as_const(e).is_some_and(Bits::is_zero);
        let one = |this: &Self, e| this.as_const(e) == Some(Bits::ONE);
        match op {
            BinOp::Add | BinOp::Or | BinOp::Xor if zero(self, a) => Some(b),
            // A negative number is not to be shifted left, by nothing either.
            BinOp::Shl if sign == Sign::Signed => None,
            BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr if zero(self, b) => Some(a),
            BinOp::Mul if one(self, a) => Some(b),
            BinOp::Mul | BinOp::Div if one(self, b) && ty != Ty::BOOL => Some(a),
            BinOp::Eq | BinOp::Ne if zero(self, b) || one(self, b) => {
                // A truth value that was widened, compared with a truth value.
                let truth = self.widened_truth(a)?;
                let keeps = (op == BinOp::Ne) == zero(self, b);
                Some(if keeps { truth } else { self.not(truth) })
            }
            _ => None,
        }
    }

    /// An object's address is not null.
    fn compare_address(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let is_null = self.ty(a) == Ty::Ptr && self.as_const(b).is_some_and(Bits::is_zero);
        match (op, self.kind(a)) {
            (BinOp::Eq | BinOp::Ne, ExprKind::Addr(_)) if is_null => Some(self.bool(op == BinOp::Ne)),
            _ => None,
        }
    }

    /// The `bool` that an integer was zero-extended from.
    pub fn widened_truth(&self, id: ExprId) -> Option<ExprId> {
        match self.kind(id) {
            _ if self.ty(id) == Ty::BOOL => Some(id),
            ExprKind::Cast(CastOp::Int { from: Sign::Unsigned | Sign::Plain, .. }, inner) => self.widened_truth(inner),
            // A widened truth value of more than one bit is not negative, so its sign extension is a zero extension.
            ExprKind::Cast(CastOp::Int { from: Sign::Signed, .. }, inner) if self.ty(inner) != Ty::BOOL => {
                self.widened_truth(inner)
            }
            _ => None,
        }
    }

    /// `value != 0`, for a scalar of any type.
    pub fn truth(&mut self, value: ExprId) -> ExprId {
        let ty = self.ty(value);
        if ty == Ty::BOOL {
            return value;
        }
        let zero = self.constant(Bits::ZERO, ty);
        let sign = if ty == Ty::Ptr { Sign::Unsigned } else { Sign::Plain };
        self.binary(BinOp::Ne, sign, value, zero)
    }

    pub fn cast(&mut self, op: CastOp, value: ExprId, to: Ty) -> ExprId {
        let from = self.ty(value);
        if let Some(bits) = self.as_const(value)
            && self.folds_cast(op, from, to, bits)
        {
            let bits = fold::cast(op, from, to, bits, &self.target);
            return self.constant(bits, to);
        }
        match (op, self.kind(value)) {
            (CastOp::Int { from: a, to: b, .. }, _) if from == to && (a == b || b == Sign::Plain) => value,
            (CastOp::FloatToFloat | CastOp::Reinterpret, _) if from == to => value,
            (CastOp::IntToPtr, ExprKind::Cast(CastOp::PtrToInt, pointer)) => pointer,
            (CastOp::PtrToInt, ExprKind::Cast(CastOp::IntToPtr, integer)) if self.ty(integer) == to => integer,
            _ => self.push(ExprKind::Cast(op, value), to),
        }
    }

    /// Whether no check could object to the conversion: it keeps the value, or the user asked for another one.
    fn folds_cast(&self, op: CastOp, from: Ty, to: Ty, bits: Bits) -> bool {
        let target = &self.target;
        let result = fold::cast(op, from, to, bits, target);
        let number = |bits: Bits, sign, ty: Ty| match sign {
            Sign::Signed => (bits.signed(ty.bits(target)) < 0, bits.signed(ty.bits(target)) as u128),
            Sign::Unsigned | Sign::Plain => (false, bits.u128()),
        };
        match op {
            CastOp::Int { from: source, to: sign, implicit: true } if source != Sign::Plain && sign != Sign::Plain => {
                number(bits, source, from) == number(result, sign, to)
            }
            CastOp::FloatToInt(sign) if sign != Sign::Plain => {
                let wide = Ty::Int(128);
                let exact = fold::cast(CastOp::FloatToInt(Sign::Signed), from, wide, bits, target);
                let back = fold::cast(CastOp::IntToFloat(Sign::Signed), wide, from, exact, target);
                let whole = fold::unary(UnOp::Trunc, from, bits, target);
                let is_exact = !fold::binary(BinOp::Eq, Sign::Plain, from, back, whole, target).is_zero();
                let is_extreme = matches!(exact.signed(128), i128::MIN | i128::MAX);
                is_exact && !is_extreme && number(exact, Sign::Signed, wide) == number(result, sign, to)
            }
            CastOp::Int { .. }
            | CastOp::FloatToInt(_)
            | CastOp::IntToFloat(_)
            | CastOp::FloatToFloat
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Reinterpret => true,
        }
    }

    /// An integer brought to another width by its sign, in a way that no check looks at.
    pub fn resize(&mut self, value: ExprId, from: Sign, to: Ty) -> ExprId {
        self.cast(CastOp::Int { from, to: Sign::Plain, implicit: false }, value, to)
    }

    /// A truth value as 0 or 1.
    pub fn widen_truth(&mut self, truth: ExprId, to: Ty) -> ExprId {
        self.cast(CastOp::Int { from: Sign::Unsigned, to: Sign::Signed, implicit: false }, truth, to)
    }

    pub fn ite(&mut self, cond: ExprId, a: ExprId, b: ExprId) -> ExprId {
        debug_assert_eq!(self.ty(a), self.ty(b));
        match self.as_const(cond) {
            Some(bits) => {
                if bits.is_zero() {
                    b
                } else {
                    a
                }
            }
            None if a == b => a,
            None => {
                let ty = self.ty(a);
                self.push(ExprKind::Ite(cond, a, b), ty)
            }
        }
    }

    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.as_const(a), self.as_const(b)) {
            (Some(x), _) if x.is_zero() => a,
            (Some(_), _) => b,
            (None, Some(y)) if !y.is_zero() => a,
            (None, _) => self.push(ExprKind::And(a, b), Ty::BOOL),
        }
    }

    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.as_const(a), self.as_const(b)) {
            (Some(x), _) if !x.is_zero() => a,
            (Some(_), _) => b,
            (None, Some(y)) if y.is_zero() => a,
            (None, _) => self.push(ExprKind::Or(a, b), Ty::BOOL),
        }
    }

    pub fn ptr_add(&mut self, pointer: ExprId, offset: ExprId) -> ExprId {
        debug_assert_eq!(self.ty(offset), self.word());
        let Some(by) = self.as_const(offset) else {
            return self.push(ExprKind::PtrAdd(pointer, offset), Ty::Ptr);
        };
        if by.is_zero() {
            return pointer;
        }
        let width = self.target.pointer_bits();
        match self.kind(pointer) {
            ExprKind::Const(bits) => {
                let sum = Bits::new(bits.u128().wrapping_add(by.u128()), width);
                self.constant(sum, Ty::Ptr)
            }
            ExprKind::PtrAdd(inner, first) if self.as_const(first).is_some() => {
                let first = self.as_const(first).map_or(0, Bits::u128);
                let word = self.word();
                let sum = self.constant(Bits::new(first.wrapping_add(by.u128()), width), word);
                self.ptr_add(inner, sum)
            }
            _ => self.push(ExprKind::PtrAdd(pointer, offset), Ty::Ptr),
        }
    }

    pub fn ptr_offset(&mut self, pointer: ExprId, bytes: u64) -> ExprId {
        let offset = self.size(bytes);
        self.ptr_add(pointer, offset)
    }

    pub fn ptr_diff(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let word = self.word();
        match (self.as_const(a), self.as_const(b)) {
            (Some(x), Some(y)) => {
                let bits = Bits::new(x.u128().wrapping_sub(y.u128()), self.target.pointer_bits());
                self.constant(bits, word)
            }
            _ => self.push(ExprKind::PtrDiff(a, b), word),
        }
    }

    pub fn extract(&mut self, value: ExprId, lo: u8, width: u8) -> ExprId {
        let to = Ty::Int(width);
        match self.as_const(value) {
            _ if lo == 0 && self.ty(value) == to => value,
            Some(bits) => {
                let bits = fold::extract(bits, lo, width as u32);
                self.constant(bits, to)
            }
            None => self.push(ExprKind::Extract { value, lo }, to),
        }
    }

    pub fn insert(&mut self, base: ExprId, value: ExprId, lo: u8) -> ExprId {
        let ty = self.ty(base);
        let width = self.ty(value).bits(&self.target);
        match (self.as_const(base), self.as_const(value)) {
            _ if lo == 0 && self.ty(value) == ty => value,
            (Some(b), Some(v)) => {
                let bits = fold::insert(b, v, lo, width);
                self.constant(bits, ty)
            }
            _ => self.push(ExprKind::Insert { base, value, lo }, ty),
        }
    }

    pub fn fma(&mut self, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        let ty = self.ty(a);
        self.push(ExprKind::Fma(a, b, c), ty)
    }
}
