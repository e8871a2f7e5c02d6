//! Predefined macros for targets that the host's compiler has no flag for (AVR, HC12).
//!
//! The host compiler only preprocesses. It is told to forget its own machine (`-undef`, `-nostdinc`) and gets the
//! macros of the target in their stead, so that `stdint.h`, `stddef.h`, `limits.h` and `float.h`, which compilers
//! bring along and which are written in terms of these macros, come out right. Headers of the host's C library would
//! not, and are out of reach.

use crate::target::Target;

pub(super) fn flags(target: &Target, std: Option<&str>) -> Vec<String> {
    let mut flags: Vec<String> = ["-ffreestanding", "-undef", "-nostdinc"].map(String::from).to_vec();
    // Keeps gcc's limits.h from going on to that of the host's C library.
    flags.push("-D_LIBC_LIMITS_H_=1".to_string());
    let mut define = |name: &str, value: &str| flags.push(format!("-D{name}={value}"));
    define("__GNUC__", "12");
    define("__GNUC_MINOR__", "2");
    define("__GNUC_PATCHLEVEL__", "0");
    define("__VERSION__", "\"12.2.0\"");
    define("__NO_INLINE__", "1");
    // What `extern inline` means: GNU's way in C89, the standard's from C99 on.
    let is_c89 = std.is_some_and(|s| matches!(s, "c89" | "c90" | "ansi" | "gnu89" | "gnu90" | "iso9899:1990"));
    define(if is_c89 { "__GNUC_GNU_INLINE__" } else { "__GNUC_STDC_INLINE__" }, "1");
    define("__FINITE_MATH_ONLY__", "0");
    define("__USER_LABEL_PREFIX__", "");
    define("__REGISTER_PREFIX__", "");
    define("__BIGGEST_ALIGNMENT__", &target.max_align.to_string());
    for (order, number) in ["RELAXED", "CONSUME", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"].iter().zip(0..) {
        define(&format!("__ATOMIC_{order}"), &format!("{number}"));
    }
    define("__CHAR_BIT__", "8");
    define("__ORDER_LITTLE_ENDIAN__", "1234");
    define("__ORDER_BIG_ENDIAN__", "4321");
    define("__ORDER_PDP_ENDIAN__", "3412");
    define("__BYTE_ORDER__", "__ORDER_LITTLE_ENDIAN__");
    define("__FLOAT_WORD_ORDER__", "__ORDER_LITTLE_ENDIAN__");
    if target.is_avr() {
        avr(&mut define);
    } else {
        define(&format!("__{}__", target.name.to_ascii_uppercase()), "1");
    }
    integers(target, &mut define);
    floats(&mut define);
    flags
}

/// What avr-gcc says of a usual ATmega, and which of its builtins have a model. A device's own macros (`__AVR_ATmega328P__`)
/// are the user's to define.
fn avr(define: &mut impl FnMut(&str, &str)) {
    for name in ["__AVR__", "__AVR", "AVR", "__ELF__", "__WITH_AVRLIBC__", "__FLASH", "__AVR_2_BYTE_PC__"] {
        define(name, "1");
    }
    for name in ["__AVR_HAVE_16BIT_SP__", "__AVR_HAVE_SPH__", "__AVR_HAVE_LPMX__", "__AVR_HAVE_MUL__"] {
        define(name, "1");
    }
    // avr-libc's assert only ends the program unless it is told to say which one failed.
    define("__ASSERT_USE_STDERR", "1");
    define("__AVR_ARCH__", "5");
    define("__AVR_SFR_OFFSET__", "0x20");
    for builtin in ["SEI", "CLI", "SLEEP", "WDR", "NOP", "SWAP", "DELAY_CYCLES"] {
        define(&format!("__BUILTIN_AVR_{builtin}"), "1");
    }
}

/// A basic integer type with its width in bytes and the suffix of its constants.
struct IntType {
    name: &'static str,
    unsigned: &'static str,
    bytes: u64,
    suffix: &'static str,
}

fn integers(target: &Target, define: &mut impl FnMut(&str, &str)) {
    let types = [
        IntType { name: "signed char", unsigned: "unsigned char", bytes: 1, suffix: "" },
        IntType { name: "short int", unsigned: "short unsigned int", bytes: 2, suffix: "" },
        IntType { name: "int", unsigned: "unsigned int", bytes: target.int_bytes, suffix: "" },
        IntType { name: "long int", unsigned: "long unsigned int", bytes: target.long_bytes, suffix: "L" },
        IntType { name: "long long int", unsigned: "long long unsigned int", bytes: 8, suffix: "LL" },
    ];
    let max = |bytes: u64| (1u64 << (bytes * 8 - 1)) - 1;
    let umax = |bytes: u64| u64::MAX >> (64 - bytes * 8);
    let unsigned_suffix =
        |t: &IntType| if t.bytes < target.int_bytes { String::new() } else { format!("U{}", t.suffix) };
    let macros = ["__SCHAR", "__SHRT", "__INT", "__LONG", "__LONG_LONG"];
    let sizes = ["", "SHORT", "INT", "LONG", "LONG_LONG"];
    for ((ty, name), size) in types.iter().zip(macros).zip(sizes) {
        define(&format!("{name}_MAX__"), &format!("{}{}", max(ty.bytes), ty.suffix));
        define(&format!("{name}_WIDTH__"), &(ty.bytes * 8).to_string());
        if !size.is_empty() {
            define(&format!("__SIZEOF_{size}__"), &ty.bytes.to_string());
        }
    }
    // The exact-width types prefer `int` among types of the same width, as gcc does for these targets.
    let of_width = |bytes: u64| {
        [2, 0, 1, 3, 4].into_iter().map(|i: usize| &types[i]).find(|t| t.bytes == bytes).unwrap_or(&types[4])
    };
    for bytes in [1, 2, 4, 8] {
        let (ty, bits) = (of_width(bytes), bytes * 8);
        for kind in ["", "_LEAST", "_FAST"] {
            define(&format!("__INT{kind}{bits}_TYPE__"), ty.name);
            define(&format!("__UINT{kind}{bits}_TYPE__"), ty.unsigned);
            define(&format!("__INT{kind}{bits}_MAX__"), &format!("{}{}", max(bytes), ty.suffix));
            define(&format!("__UINT{kind}{bits}_MAX__"), &format!("{}{}", umax(bytes), unsigned_suffix(ty)));
            define(&format!("__INT{kind}{bits}_WIDTH__"), &bits.to_string());
        }
        define(&format!("__INT{bits}_C(c)"), &paste(ty.suffix));
        define(&format!("__UINT{bits}_C(c)"), &paste(&unsigned_suffix(ty)));
    }
    let pointer = of_width(target.pointer_bytes);
    let named = [
        ("SIZE", pointer, true),
        ("PTRDIFF", pointer, false),
        ("INTPTR", pointer, false),
        ("UINTPTR", pointer, true),
        ("INTMAX", &types[4], false),
        ("UINTMAX", &types[4], true),
        ("WCHAR", of_width(target.wchar_bytes), false),
        ("WINT", of_width(target.wchar_bytes), false),
        ("CHAR16", of_width(2), true),
        ("CHAR32", of_width(4), true),
        ("SIG_ATOMIC", of_width(1), false),
    ];
    for (name, ty, unsigned) in named {
        define(&format!("__{name}_TYPE__"), if unsigned { ty.unsigned } else { ty.name });
        let (value, suffix) = match unsigned {
            true => (umax(ty.bytes), unsigned_suffix(ty)),
            false => (max(ty.bytes), ty.suffix.to_string()),
        };
        define(&format!("__{name}_MAX__"), &format!("{value}{suffix}"));
        define(&format!("__{name}_WIDTH__"), &(ty.bytes * 8).to_string());
    }
    for name in ["WCHAR", "WINT", "SIG_ATOMIC"] {
        define(&format!("__{name}_MIN__"), &format!("(-__{name}_MAX__ - 1)"));
    }
    define("__INTMAX_C(c)", &paste("LL"));
    define("__UINTMAX_C(c)", &paste("ULL"));
    define("__SIZEOF_POINTER__", &target.pointer_bytes.to_string());
    define("__SIZEOF_SIZE_T__", &target.pointer_bytes.to_string());
    define("__SIZEOF_PTRDIFF_T__", &target.pointer_bytes.to_string());
    define("__SIZEOF_WCHAR_T__", &target.wchar_bytes.to_string());
}

fn paste(suffix: &str) -> String {
    if suffix.is_empty() { "c".to_string() } else { format!("c##{suffix}") }
}

/// `float`, `double` and `long double` all have 32 bits on these targets.
fn floats(define: &mut impl FnMut(&str, &str)) {
    define("__FLT_RADIX__", "2");
    define("__FLT_EVAL_METHOD__", "0");
    define("__DECIMAL_DIG__", "9");
    for (name, suffix, size) in [("FLT", "F", "FLOAT"), ("DBL", "", "DOUBLE"), ("LDBL", "L", "LONG_DOUBLE")] {
        define(&format!("__SIZEOF_{size}__"), "4");
        let values = [
            ("MANT_DIG", "24"),
            ("DIG", "6"),
            ("DECIMAL_DIG", "9"),
            ("MIN_EXP", "(-125)"),
            ("MIN_10_EXP", "(-37)"),
            ("MAX_EXP", "128"),
            ("MAX_10_EXP", "38"),
            ("HAS_DENORM", "1"),
            ("HAS_INFINITY", "1"),
            ("HAS_QUIET_NAN", "1"),
        ];
        for (part, value) in values {
            define(&format!("__{name}_{part}__"), value);
        }
        let constants = [
            ("MAX", "3.40282347e+38"),
            ("NORM_MAX", "3.40282347e+38"),
            ("MIN", "1.17549435e-38"),
            ("EPSILON", "1.19209290e-7"),
            ("DENORM_MIN", "1.40129846e-45"),
        ];
        for (part, value) in constants {
            define(&format!("__{name}_{part}__"), &format!("{value}{suffix}"));
        }
    }
}
