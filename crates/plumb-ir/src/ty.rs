//! Types and constants of the IR: integers of a width, floats of a format, pointers. C's richer types end in lowering.

pub use plumb_c::target::FloatFormat;
use plumb_c::target::Target;
use std::fmt;

/// The type of an expression or register.
///
/// Integers carry no sign: operators do. `Int(1)` is the type of truth values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// 1 to 128 bits.
    Int(u8),
    Float(FloatFormat),
    /// An address, as wide as the target's pointers.
    Ptr,
}

impl Ty {
    pub const BOOL: Ty = Ty::Int(1);

    /// Bits that count for the value (80 for x87 floats, though they occupy more in memory).
    pub fn bits(self, target: &Target) -> u32 {
        match self {
            Ty::Int(bits) => bits as u32,
            Ty::Float(FloatFormat::F32) => 32,
            Ty::Float(FloatFormat::F64) => 64,
            Ty::Float(FloatFormat::X87) => 80,
            Ty::Ptr => target.pointer_bits(),
        }
    }

    /// Bytes that a load or store of the type touches. X87 values touch 10 bytes; their padding stays as it is.
    pub fn bytes(self, target: &Target) -> u64 {
        self.bits(target).div_ceil(8) as u64
    }

    /// The all-ones mask of the type's bits.
    pub fn mask(self, target: &Target) -> u128 {
        u128::MAX >> (128 - self.bits(target))
    }

    pub fn is_float(self) -> bool {
        matches!(self, Ty::Float(_))
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int(1) => f.write_str("bool"),
            Ty::Int(bits) => write!(f, "i{bits}"),
            Ty::Float(FloatFormat::F32) => f.write_str("f32"),
            Ty::Float(FloatFormat::F64) => f.write_str("f64"),
            Ty::Float(FloatFormat::X87) => f.write_str("f80"),
            Ty::Ptr => f.write_str("ptr"),
        }
    }
}

/// A constant of any type as a bit pattern, zero above the type's bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bits {
    lo: u64,
    hi: u64,
}

impl Bits {
    pub const ZERO: Bits = Bits { lo: 0, hi: 0 };
    pub const ONE: Bits = Bits { lo: 1, hi: 0 };

    /// The low bits of a value.
    pub fn new(value: u128, bits: u32) -> Bits {
        let value = value & (u128::MAX >> (128 - bits));
        Bits { lo: value as u64, hi: (value >> 64) as u64 }
    }

    pub fn bool(value: bool) -> Bits {
        Bits { lo: value as u64, hi: 0 }
    }

    pub fn u128(self) -> u128 {
        self.lo as u128 | (self.hi as u128) << 64
    }

    pub fn u64(self) -> u64 {
        self.lo
    }

    /// The value as a two's complement number of that width.
    pub fn signed(self, bits: u32) -> i128 {
        ((self.u128() << (128 - bits)) as i128) >> (128 - bits)
    }

    pub fn is_zero(self) -> bool {
        self == Bits::ZERO
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.u128())
    }
}
