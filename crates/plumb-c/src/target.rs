//! Data models: the sizes and alignments that a compiler for the target uses.

/// How `long double` is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatFormat {
    F32,
    F64,
    /// x87 extended precision: 80 bits in 12 or 16 bytes.
    X87,
}

/// Everything about the target that the meaning of a program depends on. All targets are little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub name: &'static str,
    pub pointer_bytes: u64,
    pub int_bytes: u64,
    pub long_bytes: u64,
    /// Alignment of 8-byte scalars as members (4 on i386).
    pub align8: u64,
    /// The strictest alignment of any basic type on AVR is 1; elsewhere this does not bind.
    pub max_scalar_align: u64,
    pub double_format: FloatFormat,
    pub long_double_format: FloatFormat,
    pub long_double_bytes: u64,
    pub long_double_align: u64,
    pub char_signed: bool,
    /// An `enum` is as small as its values allow, on no machine unless a flag says so.
    pub short_enums: bool,
    /// `wchar_t` is this many bytes; signed everywhere but on AVR's 2.
    pub wchar_bytes: u64,
    /// Alignment of `malloc`'s results and of `__attribute__((aligned))` without an argument.
    pub max_align: u64,
    /// The flags that make a host gcc preprocess for this target; none if it cannot. Floats are evaluated in their own
    /// format, so 32-bit x86 is the one with SSE arithmetic.
    pub cc_flags: &'static [&'static str],
    pub has_int128: bool,
}

impl Target {
    pub const ILP32: Target = Target {
        name: "32",
        pointer_bytes: 4,
        int_bytes: 4,
        long_bytes: 4,
        align8: 4,
        max_scalar_align: 16,
        double_format: FloatFormat::F64,
        long_double_format: FloatFormat::X87,
        long_double_bytes: 12,
        long_double_align: 4,
        char_signed: true,
        short_enums: false,
        wchar_bytes: 4,
        max_align: 16,
        cc_flags: &["-m32", "-msse2", "-mfpmath=sse"],
        has_int128: false,
    };

    pub const LP64: Target = Target {
        name: "64",
        pointer_bytes: 8,
        int_bytes: 4,
        long_bytes: 8,
        align8: 8,
        max_scalar_align: 16,
        double_format: FloatFormat::F64,
        long_double_format: FloatFormat::X87,
        long_double_bytes: 16,
        long_double_align: 16,
        char_signed: true,
        short_enums: false,
        wchar_bytes: 4,
        max_align: 16,
        cc_flags: &["-m64"],
        has_int128: true,
    };

    /// avr-gcc: 16-bit int and pointers, no alignment, `double` is 32 bits wide.
    pub const AVR: Target = Target {
        name: "avr",
        pointer_bytes: 2,
        int_bytes: 2,
        long_bytes: 4,
        align8: 1,
        max_scalar_align: 1,
        double_format: FloatFormat::F32,
        long_double_format: FloatFormat::F32,
        long_double_bytes: 4,
        long_double_align: 1,
        char_signed: true,
        short_enums: false,
        wchar_bytes: 2,
        max_align: 1,
        cc_flags: &[],
        has_int128: false,
    };

    /// HC12 and S12X: 16-bit int and pointers, no alignment beyond bytes, 32-bit `double`.
    pub const HC12: Target = Target { name: "hc12", char_signed: true, ..Target::AVR };

    pub const ALL: [&'static Target; 4] = [&Target::ILP32, &Target::LP64, &Target::AVR, &Target::HC12];

    pub fn by_name(name: &str) -> Option<&'static Target> {
        Target::ALL.into_iter().find(|t| t.name == name)
    }

    /// Special assembly, named address spaces and builtins are avr-gcc's.
    pub fn is_avr(&self) -> bool {
        self.name == Target::AVR.name
    }

    pub fn pointer_bits(&self) -> u32 {
        self.pointer_bytes as u32 * 8
    }
}
