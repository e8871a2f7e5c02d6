//! Constant expressions: the value that gcc's folding gives a typed expression.
//!
//! [`Sema::try_const_int`] answers for integer constant expressions (array sizes, cases, enumerators) and
//! [`Sema::static_value`] for static initialisers, which may hold addresses and, as in gcc, the values of constant objects with an
//! initialiser. Arms that are not evaluated may be anything; overflow wraps.

use super::Sema;
use super::convert::{Class, wrap_bits};
use super::float;
use crate::ast;
use crate::hir::{AddressBase, BinaryOp, Builtin, CastKind, Expr, ExprKind};
use crate::target::FloatFormat;
use crate::types::{IntKind, TyId, TypeTable};
use std::cmp::Ordering;

/// A value known before the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StaticConst {
    /// Of an integer or pointer type, extended by the type's sign.
    Int(i128),
    /// Bits in the format of the type.
    Float(u128),
    Address {
        base: AddressBase,
        offset: i64,
    },
}

use StaticConst::{Address, Float, Int};

/// Which objects may be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reads {
    None,
    ConstObjects,
}

impl Sema<'_> {
    /// The value of an integer constant expression, reported if it is none. `what` names it in the message.
    pub(crate) fn const_int(&mut self, e: &ast::Expr, what: &str) -> Option<i128> {
        let mark = self.pending_mark();
        self.unevaluated += 1;
        let value = self.rvalue(e);
        self.unevaluated -= 1;
        self.take_pending(mark);
        self.const_int_value(&value, what)
    }

    pub(crate) fn const_int_value(&mut self, value: &Expr, what: &str) -> Option<i128> {
        match self.class(value.ty.ty) {
            Class::Error => return None,
            Class::Int(_) => {
                if let Some(v) = self.try_const_int(value) {
                    return Some(v);
                }
            }
            Class::Void | Class::Float(_) | Class::Pointer(_) | Class::Array | Class::Function | Class::Record(_) => {}
        }
        self.error_help(
            value.span,
            format!("{what} is not an integer constant"),
            "use literals, enumerators, sizeof and operators on them",
        );
        None
    }

    /// The value of an integer expression, if constant.
    pub(crate) fn try_const_int(&mut self, e: &Expr) -> Option<i128> {
        match self.fold(e, Reads::None)? {
            Int(v) if matches!(self.class(e.ty.ty), Class::Int(_)) => Some(v),
            Int(_) | Float(_) | Address { .. } => None,
        }
    }

    /// The value of an expression in a static initialiser, if constant.
    pub(crate) fn static_value(&mut self, e: &Expr) -> Option<StaticConst> {
        self.fold(e, Reads::ConstObjects)
    }

    pub(crate) fn fold(&self, e: &Expr, reads: Reads) -> Option<StaticConst> {
        match &e.kind {
            ExprKind::Int(v) => Some(Int(*v)),
            ExprKind::Float(bits) => Some(Float(*bits)),
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.fold_place(place, reads),
            ExprKind::LabelAddr(label) => {
                let function = self.function.as_ref()?.id;
                Some(Address { base: AddressBase::Label(function, *label), offset: 0 })
            }
            ExprKind::Cast { kind, value, .. } => {
                let v = self.fold(value, reads)?;
                self.fold_conversion(v, value.ty.ty, e.ty.ty, *kind)
            }
            ExprKind::Neg(value) => match (self.fold(value, reads)?, self.class(e.ty.ty)) {
                (Int(v), Class::Int(kind)) => Some(Int(self.wrap_int(v.wrapping_neg(), kind))),
                (Float(bits), Class::Float(kind)) => Some(Float(float::negate(bits, self.float_format(kind)))),
                _ => None,
            },
            ExprKind::BitNot(value) => match (self.fold(value, reads)?, self.class(e.ty.ty)) {
                (Int(v), Class::Int(kind)) => Some(Int(self.wrap_int(!v, kind))),
                _ => None,
            },
            ExprKind::Not(value) => {
                let v = self.fold(value, reads)?;
                Some(Int(!self.truth(v, value.ty.ty)? as i128))
            }
            ExprKind::Binary(op, a, b) => self.fold_binary(*op, a, b, reads),
            ExprKind::PtrAdd { pointer, index, negate } => self.fold_pointer_add(pointer, index, *negate, reads),
            ExprKind::PtrDiff(a, b) => self.fold_difference(a, b, reads),
            ExprKind::LogicalAnd(a, b) => self.fold_logical(a, b, false, reads),
            ExprKind::LogicalOr(a, b) => self.fold_logical(a, b, true, reads),
            ExprKind::Cond { cond, then, otherwise, elvis_cast } => {
                let c = self.fold(cond, reads)?;
                match (self.truth(c, cond.ty.ty)?, then) {
                    (true, Some(then)) => self.fold(then, reads),
                    (true, None) => self.fold_conversion(c, cond.ty.ty, e.ty.ty, (*elvis_cast)?),
                    (false, _) => self.fold(otherwise, reads),
                }
            }
            ExprKind::Load(place) => self.fold_load(place, reads),
            ExprKind::Builtin { op, args } => self.fold_builtin(*op, args, e.ty.ty, reads),
            ExprKind::Call { callee, args } => self.fold_call(callee, args, reads),
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Func(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Comma(..)
            | ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::StmtExpr(_)
            | ExprKind::SizeofVla(_)
            | ExprKind::VaArg { .. } => None,
        }
    }

    /// The address of an lvalue or function.
    pub(crate) fn fold_place(&self, place: &Expr, reads: Reads) -> Option<StaticConst> {
        match &place.kind {
            ExprKind::Global(id) => Some(Address { base: AddressBase::Global(*id), offset: 0 }),
            ExprKind::Func(id) => Some(Address { base: AddressBase::Function(*id), offset: 0 }),
            ExprKind::Deref(pointer) => self.fold(pointer, reads),
            ExprKind::Member { base, field } => {
                let offset = self.field_offset(base.ty.ty, *field) as i128;
                self.offset_by(self.fold_place(base, reads)?, offset)
            }
            _ => None,
        }
    }

    /// A pointer moved by bytes. Null pointers move too: that is how `offsetof` is spelled by hand.
    fn offset_by(&self, at: StaticConst, bytes: i128) -> Option<StaticConst> {
        match at {
            Int(v) => Some(Int(wrap_bits(v.wrapping_add(bytes), self.types.target.pointer_bits(), false))),
            Address { base, offset } => Some(Address { base, offset: offset.checked_add(i64::try_from(bytes).ok()?)? }),
            Float(_) => None,
        }
    }

    /// The size of what a pointer type points to; `void` and functions count one byte.
    fn stride(&self, pointer: TyId) -> Option<i128> {
        let Class::Pointer(to) = self.class(pointer) else { return None };
        match self.class(to.ty) {
            Class::Void | Class::Function => Some(1),
            _ => self.types.size_of(to.ty).map(i128::from),
        }
    }

    fn fold_pointer_add(&self, pointer: &Expr, index: &Expr, negate: bool, reads: Reads) -> Option<StaticConst> {
        let stride = self.stride(pointer.ty.ty)?;
        let at = self.fold(pointer, reads)?;
        let Int(index) = self.fold(index, reads)? else { return None };
        let bytes = index.checked_mul(stride)?;
        self.offset_by(at, if negate { -bytes } else { bytes })
    }

    fn fold_difference(&self, a: &Expr, b: &Expr, reads: Reads) -> Option<StaticConst> {
        use AddressBase::Label;
        let stride = self.stride(a.ty.ty)?;
        let bytes = match (self.fold(a, reads)?, self.fold(b, reads)?) {
            (Int(x), Int(y)) => x - y,
            (Address { base, offset: x }, Address { base: other, offset: y }) if base == other => {
                i128::from(x) - i128::from(y)
            }
            (Address { base: Label(f, a), offset: x }, Address { base: Label(g, b), offset: y }) if f == g => {
                i128::from(a.number()) + i128::from(x) - i128::from(b.number()) - i128::from(y)
            }
            _ => return None,
        };
        Some(Int(self.wrap_int(bytes.checked_div(stride)?, self.types.ptrdiff_kind())))
    }

    /// Whether a value counts as true; `None` for the address of something that may be missing.
    fn truth(&self, value: StaticConst, ty: TyId) -> Option<bool> {
        match value {
            Int(v) => Some(v != 0),
            Float(bits) => match self.class(ty) {
                Class::Float(kind) => Some(!float::is_zero(bits, self.float_format(kind))),
                _ => None,
            },
            Address { base: AddressBase::Function(id), .. } if self.functions[id].weak => None,
            Address { base: AddressBase::Global(id), .. } if self.globals[id].weak => None,
            Address { .. } => Some(true),
        }
    }

    fn fold_logical(&self, a: &Expr, b: &Expr, decisive: bool, reads: Reads) -> Option<StaticConst> {
        let left = self.fold(a, reads)?;
        if self.truth(left, a.ty.ty)? == decisive {
            return Some(Int(decisive as i128));
        }
        let right = self.fold(b, reads)?;
        Some(Int(self.truth(right, b.ty.ty)? as i128))
    }

    fn fold_conversion(&self, value: StaticConst, from: TyId, to: TyId, kind: CastKind) -> Option<StaticConst> {
        let target = &self.types.target;
        if let Address { .. } = value {
            // An address keeps its meaning only at its full width.
            return match (kind, self.class(to)) {
                (CastKind::ToBool, _) => Some(Int(self.truth(value, from)? as i128)),
                (CastKind::NoOp | CastKind::PtrToPtr | CastKind::IntToPtr, _) => Some(value),
                (CastKind::PtrToInt | CastKind::IntToInt, Class::Int(k)) if k.bits(target) == target.pointer_bits() => {
                    Some(value)
                }
                _ => None,
            };
        }
        match (kind, value, self.class(from), self.class(to)) {
            (CastKind::NoOp, ..) => Some(value),
            (CastKind::ToBool, ..) => Some(Int(self.truth(value, from)? as i128)),
            (CastKind::IntToInt | CastKind::PtrToInt, Int(v), _, Class::Int(k)) => Some(Int(self.wrap_int(v, k))),
            (CastKind::IntToFloat, Int(v), Class::Int(k), Class::Float(to)) => {
                Some(Float(float::from_int(v, k == IntKind::UInt128, self.float_format(to))))
            }
            (CastKind::IntToPtr | CastKind::PtrToPtr, Int(v), ..) => {
                Some(Int(wrap_bits(v, target.pointer_bits(), false)))
            }
            (CastKind::FloatToFloat, Float(bits), Class::Float(from), Class::Float(to)) => {
                Some(Float(float::convert(bits, self.float_format(from), self.float_format(to))))
            }
            (CastKind::FloatToInt, Float(bits), Class::Float(from), Class::Int(k)) => {
                Some(Int(float::to_int_saturating(bits, self.float_format(from), k.bits(target), k.is_signed(target))))
            }
            _ => None,
        }
    }

    fn fold_binary(&self, op: BinaryOp, a: &Expr, b: &Expr, reads: Reads) -> Option<StaticConst> {
        let x = self.fold(a, reads)?;
        let y = self.fold(b, reads)?;
        match (x, y, self.class(a.ty.ty)) {
            (Int(x), Int(y), Class::Int(kind)) => self.int_op(op, x, y, kind).map(Int),
            (Int(x), Int(y), Class::Pointer(_)) => holds(op, x.cmp(&y)).map(|b| Int(b as i128)),
            (Float(x), Float(y), Class::Float(kind)) => float_op(op, x, y, self.float_format(kind)),
            (Address { .. }, _, _) | (_, Address { .. }, _) => self.address_op(op, x, y),
            _ => None,
        }
    }

    /// An operator on integers of one type.
    pub(crate) fn int_op(&self, op: BinaryOp, x: i128, y: i128, kind: IntKind) -> Option<i128> {
        let target = &self.types.target;
        // Everything but `unsigned __int128` is held by the `i128` as its value.
        let wide = kind == IntKind::UInt128;
        let (ux, uy) = (x as u128, y as u128);
        let result = match op {
            BinaryOp::Add => x.wrapping_add(y),
            BinaryOp::Sub => x.wrapping_sub(y),
            BinaryOp::Mul => x.wrapping_mul(y),
            BinaryOp::Div | BinaryOp::Rem if y == 0 => return None,
            BinaryOp::Div if wide => (ux / uy) as i128,
            BinaryOp::Rem if wide => (ux % uy) as i128,
            BinaryOp::Div => x.wrapping_div(y),
            BinaryOp::Rem => x.wrapping_rem(y),
            BinaryOp::BitAnd => x & y,
            BinaryOp::BitXor => x ^ y,
            BinaryOp::BitOr => x | y,
            // A count beyond the width shifts everything out, as in gcc's folding; a negative one is no constant.
            BinaryOp::Shl | BinaryOp::Shr if y < 0 => return None,
            BinaryOp::Shl if y >= i128::from(kind.bits(target)) => 0,
            BinaryOp::Shl => x << y,
            BinaryOp::Shr if wide => ux.checked_shr(y.min(128) as u32).unwrap_or(0) as i128,
            BinaryOp::Shr => x >> y.min(127),
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
                let order = if wide { ux.cmp(&uy) } else { x.cmp(&y) };
                return holds(op, order).map(i128::from);
            }
        };
        Some(self.wrap_int(result, kind))
    }

    /// Comparisons of addresses, and sums of an address and a number.
    fn address_op(&self, op: BinaryOp, x: StaticConst, y: StaticConst) -> Option<StaticConst> {
        let decided = |answer: bool| Some(Int(answer as i128));
        match (x, y) {
            (Address { base, offset: a }, Address { base: other, offset: b }) if base == other => match op {
                BinaryOp::Sub => Some(Int(i128::from(a) - i128::from(b))),
                _ => decided(holds(op, a.cmp(&b))?),
            },
            (Address { .. }, Address { .. }) => match op {
                // Different objects: one past the end of one may still be the start of another.
                BinaryOp::Eq | BinaryOp::Ne if self.is_inside(x) && self.is_inside(y) => decided(op == BinaryOp::Ne),
                _ => None,
            },
            (Address { .. }, Int(0)) if op != BinaryOp::Add && op != BinaryOp::Sub => {
                self.truth(x, TypeTable::VOID)?;
                decided(holds(op, Ordering::Greater)?)
            }
            (Int(0), Address { .. }) if op != BinaryOp::Add => {
                self.truth(y, TypeTable::VOID)?;
                decided(holds(op, Ordering::Less)?)
            }
            (Address { .. }, Int(v)) => match op {
                BinaryOp::Add => self.offset_by(x, v),
                BinaryOp::Sub => self.offset_by(x, -v),
                _ => None,
            },
            (Int(v), Address { .. }) if op == BinaryOp::Add => self.offset_by(y, v),
            _ => None,
        }
    }

    /// Whether an address certainly lies within its object.
    fn is_inside(&self, address: StaticConst) -> bool {
        match address {
            Address { base: AddressBase::Global(id), offset } => {
                let size = self.types.size_of(self.globals[id].ty.ty).unwrap_or(0);
                offset == 0 || (offset > 0 && (offset as u64) < size)
            }
            Address { base: AddressBase::Function(_) | AddressBase::Label(..), offset } => offset == 0,
            Int(_) | Float(_) => false,
        }
    }

    fn fold_builtin(&self, op: Builtin, args: &[Expr], ty: TyId, reads: Reads) -> Option<StaticConst> {
        let first = args.first()?;
        let x = self.fold(first, reads)?;
        match (x, self.class(first.ty.ty)) {
            (Int(v), Class::Int(kind)) => self.bit_op(op, v, kind).map(Int),
            (Float(x), Class::Float(kind)) => {
                let format = self.float_format(kind);
                if let Some(class) = float::classify(op, x, format) {
                    return Some(Int(class));
                }
                let Some(second) = args.get(1) else { return float::unary(op, x, format).map(Float) };
                let Float(y) = self.fold(second, reads)? else { return None };
                match self.class(ty) {
                    Class::Float(_) if args.len() == 2 => float::binary(op, x, y, format).map(Float),
                    Class::Int(_) => ordered(op, float::compare(x, y, format)).map(|b| Int(b as i128)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn bit_op(&self, op: Builtin, value: i128, kind: IntKind) -> Option<i128> {
        let bits = kind.bits(&self.types.target);
        let v = wrap_bits(value, bits, false) as u128;
        Some(match op {
            Builtin::Clz if v != 0 => i128::from(v.leading_zeros() - (128 - bits)),
            Builtin::Ctz if v != 0 => i128::from(v.trailing_zeros()),
            Builtin::Ffs => {
                if v == 0 {
                    0
                } else {
                    i128::from(v.trailing_zeros()) + 1
                }
            }
            Builtin::Popcount => i128::from(v.count_ones()),
            Builtin::Parity => i128::from(v.count_ones() % 2),
            Builtin::Clrsb => {
                let v = wrap_bits(value, bits, true);
                let same = if v < 0 { (!v).leading_zeros() } else { v.leading_zeros() };
                i128::from(same - (128 - bits)) - 1
            }
            Builtin::Bswap => (v.swap_bytes() >> (128 - bits)) as i128,
            _ => return None,
        })
    }
}

fn float_op(op: BinaryOp, x: u128, y: u128, format: FloatFormat) -> Option<StaticConst> {
    match float::arith(op, x, y, format) {
        Some(bits) => Some(Float(bits)),
        None => {
            let answer = match float::compare(x, y, format) {
                Some(order) => holds(op, order)?,
                None => {
                    holds(op, Ordering::Equal)?;
                    op == BinaryOp::Ne
                }
            };
            Some(Int(answer as i128))
        }
    }
}

/// Whether a comparison holds of operands in that order; `None` for other operators.
fn holds(op: BinaryOp, order: Ordering) -> Option<bool> {
    Some(match op {
        BinaryOp::Lt => order == Ordering::Less,
        BinaryOp::Gt => order == Ordering::Greater,
        BinaryOp::Le => order != Ordering::Greater,
        BinaryOp::Ge => order != Ordering::Less,
        BinaryOp::Eq => order == Ordering::Equal,
        BinaryOp::Ne => order != Ordering::Equal,
        BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitXor
        | BinaryOp::BitOr => return None,
    })
}

/// The comparison builtins, false on NaNs but for `isunordered`.
fn ordered(op: Builtin, order: Option<Ordering>) -> Option<bool> {
    Some(match op {
        Builtin::IsGreater => order == Some(Ordering::Greater),
        Builtin::IsGreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        Builtin::IsLess => order == Some(Ordering::Less),
        Builtin::IsLessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Builtin::IsLessGreater => matches!(order, Some(Ordering::Less | Ordering::Greater)),
        Builtin::IsUnordered => order.is_none(),
        _ => return None,
    })
}
