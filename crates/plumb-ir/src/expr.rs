//! Expressions: typed, free of side effects, bit-precise, shared in one arena per function.
//!
//! The meaning of every operator is that of SMT-LIB's bit-vectors and IEEE floats with round-to-nearest-even, except
//! where a comment says otherwise. [`crate::fold`] defines it executably.

use crate::index::TiVec;
use crate::program::{FuncId, ObjRef, VarRef};
use crate::ty::{Bits, Ty};
use serde::Serialize;

/// An expression of the function that owns the arena. Operands have smaller ids than their users.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct ExprId(pub u32);

plumb_c::index_types!(ExprId);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Ty,
}

/// Which reading of the bits an operator takes. For `Add`, `Sub`, `Mul`, `Shl` and `Neg` the result is the same for
/// all; the sign says what overflow means to the instrumentation, and `Plain` marks arithmetic that C does not see
/// (addresses, bit-fields), which is never checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sign {
    Signed,
    Unsigned,
    Plain,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExprKind {
    Const(Bits),
    /// The value of a register.
    Var(VarRef),
    /// The address of an object's first byte.
    Addr(ObjRef),
    FuncAddr(FuncId),
    /// The value in memory at an address (operand of type `Ptr`), of the node's type.
    Load(ExprId),
    Unary(UnOp, Sign, ExprId),
    Binary(BinOp, Sign, ExprId, ExprId),
    Cast(CastOp, ExprId),
    /// `condition ? a : b`. The arm that is not taken counts as not evaluated.
    Ite(ExprId, ExprId, ExprId),
    /// On `bool`. The second operand counts as not evaluated when the first decides.
    And(ExprId, ExprId),
    Or(ExprId, ExprId),
    /// Pointer plus a byte offset of pointer width (two's complement).
    PtrAdd(ExprId, ExprId),
    /// Difference of two addresses in bytes, an integer of pointer width.
    PtrDiff(ExprId, ExprId),
    /// The node's width of bits of an integer, starting at bit `lo`.
    Extract {
        value: ExprId,
        lo: u8,
    },
    /// `base` with the bits from `lo` on replaced by `value` (narrower than or as wide as the base).
    Insert {
        base: ExprId,
        value: ExprId,
        lo: u8,
    },
    /// `a * b + c` on floats, rounded once.
    Fma(ExprId, ExprId, ExprId),

    // Questions about memory, of type `bool` unless said otherwise; they are what memory checks are made of.
    /// The `size` bytes (an integer of pointer width) from `addr` on lie inside the live object that `base` points into
    /// or just past; where `base` points into no live object, inside any single one. `base` is the pointer that the
    /// address was computed from. With `write` the object must not be read-only either.
    InBounds {
        base: ExprId,
        addr: ExprId,
        size: ExprId,
        write: bool,
    },
    /// The pointer is the address of a function with the parameters and result of `like`.
    Callable {
        pointer: ExprId,
        like: FuncId,
    },
    /// The pointer may be given to `free`: null, or the start of a live heap object.
    Freeable(ExprId),
    /// The object that the pointer points into is alive.
    IsLive(ExprId),
    /// Both pointers point into (or just past) the same live object.
    SameObject(ExprId, ExprId),
    /// Bytes from the pointer to the end of its object, an integer of pointer width; 0 where there is none.
    BytesLeft(ExprId),
    /// Bytes from the start of the pointer's object to the pointer, an integer of pointer width; 0 where there is none.
    ObjectOffset(ExprId),
    /// Every heap object that is still alive can be reached from the roots.
    NoLeak(LeakRoots),
    /// No heap object is alive.
    HeapEmpty,
}

/// From where memory counts as reached at the end of the program, beside static objects and program registers. The two differ where
/// the program ends inside of calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LeakRoots {
    /// All that active calls may still hold: their variables, in scope or not, and what their unfinished expressions have computed and
    /// read again. What cannot be reached from here is lost.
    Possible,
    /// Parameters and variables of the outermost blocks of the user's active functions. What can be reached from here is not lost.
    Certain,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// Two's complement or IEEE negation, by type.
    Neg,
    /// Bitwise complement; logical negation on `bool`.
    Not,
    /// Counts of the operand's width; the result has the operand's type. `Clz`/`Ctz` of zero is the
    /// width; with a sign, as C sees them, the run ends there: `__builtin_clz(0)` is undefined.
    Clz,
    Ctz,
    Popcount,
    /// Reverses bytes.
    Bswap,
    // Floats to floats.
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// Halves away from zero.
    Round,
    /// Halves to even.
    Rint,
    // Floats to bool.
    IsNan,
    IsInf,
    /// Neither zero, subnormal, infinite nor NaN.
    IsNormal,
    /// The sign bit, also of zeros and NaNs.
    IsNegative,
}

/// Operators on two integers or two floats of equal type (shifts too). Comparisons yield `bool`; those on pointers
/// compare addresses, `Unsigned`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Integers: truncating; by zero as in SMT-LIB (unsigned: all ones; signed: 1 or -1), guarded by a check or fault in
    /// the concrete machine. So is the one signed quotient out of range, the smallest number by -1, which wraps here.
    /// `Signed` and `Unsigned` differ; floats: IEEE.
    Div,
    /// Integers: sign of the dividend; by zero the dividend. What has no quotient has no remainder: C leaves `MIN % -1`
    /// undefined and x86 traps, as for `Div`. Floats: C's `fmod`.
    Rem,
    /// IEEE remainder (C's `remainder`), floats only.
    IeeeRem,
    And,
    Or,
    Xor,
    /// Shift counts are unsigned; a count of at least the width gives 0 (or the sign, for `Signed` `Shr`). C leaves such a
    /// shift undefined, so unless the sign is `Plain` it is guarded by a check or faults in the concrete machine.
    Shl,
    /// Arithmetic if `Signed`, logical otherwise.
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    /// IEEE minNum and maxNum.
    Min,
    Max,
    /// The magnitude of the first with the sign of the second.
    Copysign,
}

impl BinOp {
    pub fn is_comparison(self) -> bool {
        matches!(self, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastOp {
    /// Integer to integer of the node's width: truncated, or extended by `from`. `to` is the C target's sign and
    /// `implicit` tells a conversion the user did not write: both are for the conversion check only.
    Int {
        from: Sign,
        to: Sign,
        implicit: bool,
    },
    /// Rounded to nearest even.
    IntToFloat(Sign),
    /// Truncated toward zero; out of range or NaN gives what x86 gives: for a result of 32 or 64 signed bits the "integer
    /// indefinite" value 0x80..0, narrower ones the truncation of the 32-bit result.
    FloatToInt(Sign),
    FloatToFloat,
    PtrToInt,
    IntToPtr,
    /// Same bits, other type, for values that were stored as one type and read as another.
    Reinterpret,
}

/// All expressions of one function.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    list: TiVec<ExprId, Expr>,
}

impl Exprs {
    pub fn push(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        self.list.push_and_get_key(Expr { kind, ty })
    }

    pub fn get(&self, id: ExprId) -> Expr {
        self.list[id]
    }

    pub fn ty(&self, id: ExprId) -> Ty {
        self.list[id].ty
    }

    pub fn kind(&self, id: ExprId) -> ExprKind {
        self.list[id].kind
    }

    /// All of them, operands before their users.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ExprId> + use<> {
        self.list.keys()
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The concrete machine may fault on the operator itself, whatever its operands do: an integer division by zero or
    /// of the smallest number by -1, or a shift that C sees by a count not known to be below the width (in bits) of what is shifted.
    pub fn may_fault(&self, op: BinOp, sign: Sign, a: ExprId, b: ExprId, width: u32) -> bool {
        match op {
            BinOp::Div | BinOp::Rem => !self.ty(a).is_float(),
            BinOp::Shl | BinOp::Shr => {
                sign != Sign::Plain && self.as_const(b).is_none_or(|count| count.u128() >= width as u128)
            }
            _ => false,
        }
    }

    /// The same of a unary operator: a count of zeros that C sees, of what is not known to be other than 0.
    pub fn unary_may_fault(&self, op: UnOp, sign: Sign, a: ExprId) -> bool {
        let counts = matches!(op, UnOp::Clz | UnOp::Ctz) && sign != Sign::Plain;
        counts && self.as_const(a).is_none_or(|bits| bits.is_zero())
    }

    pub fn as_const(&self, id: ExprId) -> Option<Bits> {
        match self.kind(id) {
            ExprKind::Const(bits) => Some(bits),
            _ => None,
        }
    }
}

impl ExprKind {
    /// The operands, in order of evaluation.
    pub fn operands(self) -> Operands {
        let (list, len) = match self {
            ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Addr(_)
            | ExprKind::FuncAddr(_)
            | ExprKind::NoLeak(_)
            | ExprKind::HeapEmpty => ([ExprId(0); 3], 0),
            ExprKind::Load(a)
            | ExprKind::Unary(_, _, a)
            | ExprKind::Cast(_, a)
            | ExprKind::Extract { value: a, .. }
            | ExprKind::Callable { pointer: a, .. }
            | ExprKind::Freeable(a)
            | ExprKind::IsLive(a)
            | ExprKind::BytesLeft(a)
            | ExprKind::ObjectOffset(a) => ([a, a, a], 1),
            ExprKind::Binary(_, _, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::PtrAdd(a, b)
            | ExprKind::PtrDiff(a, b)
            | ExprKind::Insert { base: a, value: b, .. }
            | ExprKind::SameObject(a, b) => ([a, b, b], 2),
            ExprKind::Ite(a, b, c) | ExprKind::Fma(a, b, c) | ExprKind::InBounds { base: a, addr: b, size: c, .. } => {
                ([a, b, c], 3)
            }
        };
        Operands { list, at: 0, len }
    }

    /// The same operator on other operands.
    pub fn map_operands(self, mut f: impl FnMut(ExprId) -> ExprId) -> ExprKind {
        match self {
            ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Addr(_)
            | ExprKind::FuncAddr(_)
            | ExprKind::NoLeak(_)
            | ExprKind::HeapEmpty => self,
            ExprKind::Load(a) => ExprKind::Load(f(a)),
            ExprKind::Unary(op, sign, a) => ExprKind::Unary(op, sign, f(a)),
            ExprKind::Cast(op, a) => ExprKind::Cast(op, f(a)),
            ExprKind::Extract { value, lo } => ExprKind::Extract { value: f(value), lo },
            ExprKind::Freeable(a) => ExprKind::Freeable(f(a)),
            ExprKind::IsLive(a) => ExprKind::IsLive(f(a)),
            ExprKind::BytesLeft(a) => ExprKind::BytesLeft(f(a)),
            ExprKind::ObjectOffset(a) => ExprKind::ObjectOffset(f(a)),
            ExprKind::Binary(op, sign, a, b) => ExprKind::Binary(op, sign, f(a), f(b)),
            ExprKind::And(a, b) => ExprKind::And(f(a), f(b)),
            ExprKind::Or(a, b) => ExprKind::Or(f(a), f(b)),
            ExprKind::PtrAdd(a, b) => ExprKind::PtrAdd(f(a), f(b)),
            ExprKind::PtrDiff(a, b) => ExprKind::PtrDiff(f(a), f(b)),
            ExprKind::Insert { base, value, lo } => ExprKind::Insert { base: f(base), value: f(value), lo },
            ExprKind::SameObject(a, b) => ExprKind::SameObject(f(a), f(b)),
            ExprKind::Ite(a, b, c) => ExprKind::Ite(f(a), f(b), f(c)),
            ExprKind::Fma(a, b, c) => ExprKind::Fma(f(a), f(b), f(c)),
            ExprKind::InBounds { base, addr, size, write } => {
                ExprKind::InBounds { base: f(base), addr: f(addr), size: f(size), write }
            }
            ExprKind::Callable { pointer, like } => ExprKind::Callable { pointer: f(pointer), like },
        }
    }
}

/// Up to three operands, without allocation.
pub struct Operands {
    list: [ExprId; 3],
    at: u8,
    len: u8,
}

impl Iterator for Operands {
    type Item = ExprId;

    fn next(&mut self) -> Option<ExprId> {
        (self.at < self.len).then(|| {
            self.at += 1;
            self.list[self.at as usize - 1]
        })
    }
}
