//! Operators, and the view of a term that a traversal matches on.
//!
//! [`crate::eval`] defines executably what each operator computes.

use crate::terms::{SymbolId, TermId};

/// An enum whose variants can be listed, and stored as a number.
macro_rules! operators {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];
        }
    };
}

operators! {
    /// Operators on one term. The result's sort carries what parameters there are (widths, formats).
    UnaryOp {
        /// Of a truth value.
        Not,
        BvNot,
        BvNeg,
        ZeroExtend,
        SignExtend,
        /// The bit-vector that is a float's pattern.
        FloatToBits,
        /// The float whose pattern a bit-vector is.
        FloatFromBits,
        /// Flips the sign bit, also of NaNs.
        FloatNeg,
        /// Clears the sign bit, also of NaNs.
        FloatAbs,
        FloatSqrt,
        FloatFloor,
        FloatCeil,
        FloatTrunc,
        /// To the nearest integer, halves away from zero.
        FloatRound,
        /// To the nearest integer, halves to even.
        FloatRint,
        FloatIsNan,
        FloatIsInf,
        /// Neither zero, subnormal, infinite nor NaN.
        FloatIsNormal,
        FloatIsZero,
        /// The sign bit, also of zeros and NaNs.
        FloatIsNegative,
        /// To another format, rounded to nearest even. Between equal formats there is no such term.
        FloatToFloat,
        SignedToFloat,
        UnsignedToFloat,
        /// Truncated toward zero; what does not fit into the signed width, and NaN, gives the most negative number.
        FloatToSigned,
        /// The array of the result's sort with the same element everywhere.
        ConstArray,
    }
}

operators! {
    /// Operators on two terms.
    BinaryOp {
        And,
        Or,
        /// Of any sort; on floats equality of patterns, on truth values equivalence.
        Eq,
        BvAnd,
        BvOr,
        BvXor,
        BvAdd,
        BvSub,
        BvMul,
        /// By zero: all ones.
        BvUdiv,
        /// By zero: the dividend.
        BvUrem,
        /// Toward zero; by zero 1 for negative dividends, else -1.
        BvSdiv,
        /// The sign of the dividend; by zero the dividend.
        BvSrem,
        /// The count is unsigned and of the same width; a count of at least the width shifts everything out.
        BvShl,
        BvLshr,
        BvAshr,
        BvUlt,
        BvSlt,
        /// The first operand becomes the upper bits.
        Concat,
        FloatAdd,
        FloatMul,
        FloatDiv,
        /// C's `fmod`: exact, with the sign of the dividend.
        FloatRem,
        /// IEEE's remainder (C's `remainder`).
        FloatIeeeRem,
        /// The smaller one; a number rather than a NaN; of equal values the second.
        FloatMin,
        FloatMax,
        /// IEEE's equality: NaN differs from everything, the zeros are equal.
        FloatEq,
        FloatLt,
        FloatLe,
        /// Array, index.
        Select,
    }
}

impl BinaryOp {
    pub fn is_commutative(self) -> bool {
        match self {
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Eq
            | BinaryOp::BvAnd
            | BinaryOp::BvOr
            | BinaryOp::BvXor
            | BinaryOp::BvAdd
            | BinaryOp::BvMul
            | BinaryOp::FloatAdd
            | BinaryOp::FloatMul
            | BinaryOp::FloatEq => true,
            BinaryOp::BvSub
            | BinaryOp::BvUdiv
            | BinaryOp::BvUrem
            | BinaryOp::BvSdiv
            | BinaryOp::BvSrem
            | BinaryOp::BvShl
            | BinaryOp::BvLshr
            | BinaryOp::BvAshr
            | BinaryOp::BvUlt
            | BinaryOp::BvSlt
            | BinaryOp::Concat
            | BinaryOp::FloatDiv
            | BinaryOp::FloatRem
            | BinaryOp::FloatIeeeRem
            | BinaryOp::FloatMin
            | BinaryOp::FloatMax
            | BinaryOp::FloatLt
            | BinaryOp::FloatLe
            | BinaryOp::Select => false,
        }
    }
}

/// A term's operator with its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A constant of sort Bool, Bv or Float: see [`crate::Terms::constant`].
    Const,
    Symbol(SymbolId),
    Unary(UnaryOp, TermId),
    Binary(BinaryOp, TermId, TermId),
    /// Condition, then, else; of any sort.
    Ite(TermId, TermId, TermId),
    /// `a * b + c` on floats, rounded once.
    Fma(TermId, TermId, TermId),
    /// Array, index, element.
    Store(TermId, TermId, TermId),
    /// Bits `lo` to `hi`, both included.
    Extract {
        value: TermId,
        hi: u32,
        lo: u32,
    },
}

impl Kind {
    /// The operands in order.
    pub fn operands(self) -> Operands {
        match self {
            Kind::Const | Kind::Symbol(_) => Operands::new([TermId::FALSE; 3], 0),
            Kind::Unary(_, a) | Kind::Extract { value: a, .. } => Operands::new([a; 3], 1),
            Kind::Binary(_, a, b) => Operands::new([a, b, b], 2),
            Kind::Ite(a, b, c) | Kind::Fma(a, b, c) | Kind::Store(a, b, c) => Operands::new([a, b, c], 3),
        }
    }
}

/// Up to three operands, without allocation.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    list: [TermId; 3],
    at: u8,
    len: u8,
}

impl Operands {
    fn new(list: [TermId; 3], len: u8) -> Operands {
        Operands { list, at: 0, len }
    }

    pub fn as_slice(&self) -> &[TermId] {
        &self.list[self.at as usize..self.len as usize]
    }
}

impl Iterator for Operands {
    type Item = TermId;

    fn next(&mut self) -> Option<TermId> {
        (self.at < self.len).then(|| {
            self.at += 1;
            self.list[self.at as usize - 1]
        })
    }
}
