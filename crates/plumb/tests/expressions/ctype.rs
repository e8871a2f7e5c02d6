//! The arithmetic types of C and values that sit where conversions go wrong: around zero, powers of two and limits.

use crate::oracle::{Arch, Random};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CType {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    /// Enumerations declared by the generated programs: compatible with `int` and with `unsigned`.
    SignedEnum,
    UnsignedEnum,
    Int128,
    UInt128,
    Float,
    Double,
    LongDouble,
}

use CType::*;

const INTEGERS: [CType; 16] = [
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    SignedEnum,
    UnsignedEnum,
    Int128,
    UInt128,
];
const FLOATS: [CType; 3] = [Float, Double, LongDouble];

impl CType {
    /// An integer type of the data model; 128 bits are an affair of 64-bit targets.
    pub fn any_integer(random: &mut Random, arch: Arch) -> CType {
        let known = if arch == Arch::Lp64 { INTEGERS.len() } else { INTEGERS.len() - 2 };
        INTEGERS[random.below(known)]
    }

    pub fn any_float(random: &mut Random) -> CType {
        random.pick(&FLOATS)
    }

    pub fn any(random: &mut Random, arch: Arch) -> CType {
        if random.chance(25) { CType::any_float(random) } else { CType::any_integer(random, arch) }
    }

    pub fn name(self) -> &'static str {
        match self {
            Bool => "_Bool",
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned",
            Long => "long",
            ULong => "unsigned long",
            LLong => "long long",
            ULLong => "unsigned long long",
            SignedEnum => "enum signed_enum",
            UnsignedEnum => "enum unsigned_enum",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
            Float => "float",
            Double => "double",
            LongDouble => "long double",
        }
    }

    pub fn is_float(self) -> bool {
        FLOATS.contains(&self)
    }

    pub fn is_wide(self) -> bool {
        matches!(self, Int128 | UInt128)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Char | SChar | Short | Int | Long | LLong | SignedEnum | Int128) || self.is_float()
    }

    /// Value bits of an integer type.
    pub fn bits(self, arch: Arch) -> u32 {
        match self {
            Bool => 1,
            Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt | SignedEnum | UnsignedEnum => 32,
            Long | ULong if arch == Arch::Ilp32 => 32,
            Long | ULong | LLong | ULLong => 64,
            Int128 | UInt128 => 128,
            Float => 32,
            Double => 64,
            LongDouble => 80,
        }
    }

    /// Open bounds between which a float converts to the type with a defined result; C89-style decimal text that `long
    /// double` holds exactly.
    pub fn float_bounds(self, arch: Arch) -> (&'static str, &'static str) {
        match (self.is_signed(), self.bits(arch)) {
            (true, 8) => ("-129.0", "128.0"),
            (true, 16) => ("-32769.0", "32768.0"),
            (true, 32) => ("-2147483649.0", "2147483648.0"),
            (true, 64) => ("-9223372036854775809.0L", "9223372036854775808.0L"),
            (true, _) => ("-0x1p127L", "0x1p127L"),
            (false, 8) => ("-1.0", "256.0"),
            (false, 16) => ("-1.0", "65536.0"),
            (false, 32) => ("-1.0", "4294967296.0"),
            (false, 64) => ("-1.0", "18446744073709551616.0L"),
            (false, 1) => ("-1e300", "1e300"),
            (false, _) => ("-1.0", "0x1p128L"),
        }
    }

    /// A constant expression of exactly this type.
    pub fn any_value(self, random: &mut Random, arch: Arch) -> String {
        if self.is_float() {
            return format!("(({}){})", self.name(), self.float_text(random));
        }
        let bits = self.bits(arch);
        let value = integer(random, bits);
        if bits == 128 {
            let (high, low) = ((value >> 64) as u64, value as u64);
            return format!("(({})((unsigned __int128){high:#x}ULL << 64 | {low:#x}ULL))", self.name());
        }
        format!("(({}){:#x}ULL)", self.name(), value as u64)
    }

    fn float_text(self, random: &mut Random) -> String {
        const PLAIN: [&str; 28] = [
            "0.0",
            "-0.0",
            "1.0",
            "-1.0",
            "0.5",
            "-0.5",
            "1.5",
            "2.5",
            "0.1",
            "-0.3",
            "3.14159265358979323846",
            "1e10",
            "16777217.0",
            "33554433.0",
            "4294967296.5",
            "2147483647.5",
            "-2147483648.0",
            "9007199254740993.0",
            "255.9",
            "127.99999",
            "65535.5",
            "18446744073709551615.0",
            "9223372036854775807.0",
            "1e-40",
            "1.17549435e-38",
            "3.4028234e38",
            "0x1.fffffep-1",
            "0x1.000001p0",
        ];
        const DOUBLE: [&str; 8] = [
            "1e300",
            "-1e300",
            "1.7976931348623157e308",
            "2.2250738585072014e-308",
            "5e-324",
            "0x1.fffffffffffffp52",
            "0x1.00000080000001p0",
            "4.9406564584124654e-320",
        ];
        const EXTENDED: [&str; 5] =
            ["1e4000L", "3.3621031431120935e-4932L", "0x1.fffffffffffffffep3L", "0.1L", "9007199254740993.25L"];
        let roll = random.below(100);
        match self {
            LongDouble if roll < 20 => random.pick(&EXTENDED).to_string(),
            LongDouble | Double if roll < 40 => random.pick(&DOUBLE).to_string(),
            _ if roll < 80 => random.pick(&PLAIN).to_string(),
            _ => {
                let sign = if random.chance(50) { "-" } else { "" };
                let digits = random.next() % 1_000_000_007;
                let exponent = random.between(-20, 15);
                let suffix = random.pick(&["", "f", "L"]);
                format!("{sign}{}.{digits}e{exponent}{suffix}", random.below(10))
            }
        }
    }
}

/// A bit pattern of that many bits, more often than not a limit or its neighbour.
fn integer(random: &mut Random, bits: u32) -> u128 {
    let mask = u128::MAX >> (128 - bits);
    let power = 1u128 << random.below(bits as usize);
    let raw = match random.below(10) {
        0 => 0,
        1 => 1,
        2 => u128::MAX,
        3 => mask >> 1,
        4 => (mask >> 1) + 1,
        5 => power,
        6 => power.wrapping_sub(1),
        7 => power.wrapping_neg(),
        8 => random.next() as u128 % 256,
        _ => (random.next() as u128) << 64 | random.next() as u128,
    };
    raw & mask
}
