//! Sorts of terms, and the float formats.

use std::fmt;

/// What kind of value a term has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// Bit-vectors of a width of at least one.
    Bv(u32),
    Float(Format),
    /// From bit-vectors to bit-vectors, of these widths.
    Array {
        index: u32,
        element: u32,
    },
}

impl Sort {
    /// The width of a bit-vector, or of a float's pattern.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::Bv(width) => Some(width),
            Sort::Float(format) => Some(format.width()),
            Sort::Bool | Sort::Array { .. } => None,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("bool"),
            Sort::Bv(width) => write!(f, "bv{width}"),
            Sort::Float(format) => write!(f, "{format}"),
            Sort::Array { index, element } => write!(f, "bv{index}[]bv{element}"),
        }
    }
}

/// A binary float format: IEEE's, with an implicit integer bit, or x87's, which stores it.
///
/// Formats of 2 to 15 bits of exponent and 2 to 64 bits of significand exist: small ones let circuits be tested on
/// every pattern.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Format {
    exponent: u8,
    significand: u8,
    explicit: bool,
}

impl Format {
    pub const F16: Format = Format { exponent: 5, significand: 11, explicit: false };
    pub const F32: Format = Format { exponent: 8, significand: 24, explicit: false };
    pub const F64: Format = Format { exponent: 11, significand: 53, explicit: false };
    /// The 80 bits of x87's extended precision.
    pub const X87: Format = Format { exponent: 15, significand: 64, explicit: true };

    /// The IEEE format with so many bits of exponent and of significand, the implicit one included.
    pub const fn ieee(exponent: u32, significand: u32) -> Option<Format> {
        if exponent < 2 || exponent > 15 || significand < 2 || significand > 64 {
            return None;
        }
        Some(Format { exponent: exponent as u8, significand: significand as u8, explicit: false })
    }

    pub fn exponent_bits(self) -> u32 {
        self.exponent as u32
    }

    /// Bits of precision, the integer bit included whether it is stored or not.
    pub fn significand_bits(self) -> u32 {
        self.significand as u32
    }

    /// Is the integer bit stored?
    pub fn has_integer_bit(self) -> bool {
        self.explicit
    }

    /// Bits of a pattern.
    pub fn width(self) -> u32 {
        self.exponent_bits() + self.significand_bits() + self.explicit as u32
    }

    /// Bits below the exponent field.
    pub fn stored_significand_bits(self) -> u32 {
        self.significand_bits() - 1 + self.explicit as u32
    }

    pub fn bias(self) -> i32 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    /// The exponent of the smallest normal number.
    pub fn min_exponent(self) -> i32 {
        1 - self.bias()
    }

    pub fn sign_mask(self) -> u128 {
        1 << (self.width() - 1)
    }

    /// The quiet NaN that every operation with a NaN result gives: positive, with the top bit of the fraction only.
    pub fn canonical_nan(self) -> u128 {
        self.infinity(false) | 1 << (self.significand_bits() - 2)
    }

    pub fn infinity(self, negative: bool) -> u128 {
        let exponent = ((1u128 << self.exponent_bits()) - 1) << self.stored_significand_bits();
        let integer = (self.explicit as u128) << (self.significand_bits() - 1);
        exponent | integer | if negative { self.sign_mask() } else { 0 }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Format::F16 => f.write_str("f16"),
            Format::F32 => f.write_str("f32"),
            Format::F64 => f.write_str("f64"),
            Format::X87 => f.write_str("f80"),
            Format { exponent, significand, .. } => write!(f, "float({exponent},{significand})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_the_known_formats() {
        assert_eq!(Format::ieee(8, 24), Some(Format::F32));
        assert_eq!(Format::ieee(1, 24), None);
        assert_eq!(Format::F32.canonical_nan(), 0x7fc0_0000);
        assert_eq!(Format::F32.infinity(true), 0xff80_0000);
        assert_eq!(Format::F64.canonical_nan(), 0x7ff8 << 48);
        assert_eq!(Format::X87.width(), 80);
        assert_eq!(Format::X87.canonical_nan(), 0x7fff_c000 << 48);
        assert_eq!(Format::X87.infinity(false), 0x7fff_8000 << 48);
    }
}
