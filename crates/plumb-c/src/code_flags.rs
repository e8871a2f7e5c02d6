//! The compiler's `-f` and `-m` flags, each with the decision what it means to Plumb. `docs/compatibility.md` shows the same
//! table.
//!
//! They come from compile commands, from Plumb's own command line and from `optimize` attributes and pragmas. A flag that
//! changes layout or meaning is honoured or refused by name, and so is one that nobody here knows. The machine itself (`-m32`)
//! is chosen in [`crate::preprocess`].

use crate::target::Target;

/// What flags change about the language or the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CodeFlags {
    /// `-fsigned-char`, `-funsigned-char`: otherwise as the machine has it.
    pub char_signed: Option<bool>,
    pub short_enums: Option<bool>,
    /// `-fpack-struct`: every record is packed, whatever `#pragma pack` says.
    pub pack_struct: bool,
    /// Signed overflow wraps by definition.
    pub wrapv: bool,
    pub gnu89_inline: bool,
    /// Decimal constants beyond `long` are `unsigned long` where they fit, as before C99.
    pub c90_constants: bool,
    /// Unnamed members of a tagged type or a typedef give their members to the record around them.
    pub ms_extensions: bool,
    pub freestanding: bool,
    /// `-O1` and above.
    pub optimises: bool,
    /// The machine may have an instruction for a product and a sum, rounded once: `-mfma`, or a processor that is named.
    pub has_fused_sums: bool,
    /// `-ffp-contract=fast`, which gcc takes for granted, and `-ffp-contract=off` or `on`.
    pub contracts: Option<bool>,
}

/// Before C99 `extern inline` meant what the attribute `gnu_inline` says.
pub fn is_before_c99(std: &str) -> bool {
    ["c89", "c90", "gnu89", "gnu90", "iso9899:1990", "iso9899:199409"].contains(&std)
}

/// What Plumb does with a flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    Honoured(Effect),
    /// It concerns optimisation, warnings, linking or debugging. The program is checked as compiled without optimisation.
    NoEffect,
    /// It changes the meaning in a way that is not modelled; the text says which.
    Refused(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    SignedChar(bool),
    ShortEnums(bool),
    PackStruct(bool),
    Wrapv(bool),
    Gnu89Inline(bool),
    MsExtensions(bool),
    Freestanding(bool),
}

use Decision::{Honoured, NoEffect, Refused};

/// Flags without their values; a name ends in `=` where a value must follow. Those that change the meaning.
pub const MEANINGFUL: &[(&str, Decision)] = &[
    ("-fsigned-char", Honoured(Effect::SignedChar(true))),
    ("-fno-unsigned-char", Honoured(Effect::SignedChar(true))),
    ("-funsigned-char", Honoured(Effect::SignedChar(false))),
    ("-fno-signed-char", Honoured(Effect::SignedChar(false))),
    ("-fshort-enums", Honoured(Effect::ShortEnums(true))),
    ("-fno-short-enums", Honoured(Effect::ShortEnums(false))),
    ("-fpack-struct", Honoured(Effect::PackStruct(true))),
    ("-fpack-struct=", Refused("gcc's layout with it is neither that of -fpack-struct nor that of #pragma pack")),
    ("-fno-pack-struct", Honoured(Effect::PackStruct(false))),
    ("-fwrapv", Honoured(Effect::Wrapv(true))),
    ("-fno-strict-overflow", Honoured(Effect::Wrapv(true))),
    ("-fno-wrapv", Honoured(Effect::Wrapv(false))),
    ("-fstrict-overflow", Honoured(Effect::Wrapv(false))),
    ("-fgnu89-inline", Honoured(Effect::Gnu89Inline(true))),
    ("-fno-gnu89-inline", Honoured(Effect::Gnu89Inline(false))),
    ("-fms-extensions", Honoured(Effect::MsExtensions(true))),
    ("-fno-ms-extensions", Honoured(Effect::MsExtensions(false))),
    ("-ffreestanding", Honoured(Effect::Freestanding(true))),
    ("-fno-hosted", Honoured(Effect::Freestanding(true))),
    ("-fhosted", Honoured(Effect::Freestanding(false))),
    ("-fno-freestanding", Honoured(Effect::Freestanding(false))),
    ("-funsigned-bitfields", Refused("bit-fields of plain int are signed")),
    ("-fno-signed-bitfields", Refused("bit-fields of plain int are signed")),
    ("-fshort-wchar", Refused("wide characters of 16 bits are not modelled")),
    ("-fshort-double", Refused("a double of 32 bits is not modelled on this machine")),
    ("-ftrapv", Refused("signed overflow would end the program; `--checks overflow` finds it")),
    ("-fplan9-extensions", Refused("conversions of Plan 9's C are not modelled")),
    ("-fno-asm", Refused("it takes away keywords")),
    ("-fpreprocessed", Refused("the file would not be preprocessed; give it the suffix .i")),
    ("-fplugin=", Refused("a plugin may change anything")),
    ("-fopenmp", Refused("threads are not modelled")),
    ("-fopenmp-simd", Refused("OpenMP's loops are not modelled")),
    ("-fopenacc", Refused("threads are not modelled")),
    ("-fgnu-tm", Refused("transactional memory is not modelled")),
    ("-fcilkplus", Refused("threads are not modelled")),
    ("-finstrument-functions", Refused("every call would call two functions more")),
    ("-ftrivial-auto-var-init=", Refused("variables without an initialiser are arbitrary here")),
    ("-finput-charset=", Refused("source text is UTF-8 or bytes")),
    ("-fexec-charset=", Refused("strings hold the bytes of the source text")),
    ("-fwide-exec-charset=", Refused("wide strings hold Unicode")),
    ("-ffast-math", Refused("floats are computed as IEEE 754 has it")),
    ("-funsafe-math-optimizations", Refused("floats are computed as IEEE 754 has it")),
    ("-fassociative-math", Refused("floats are computed as IEEE 754 has it")),
    ("-freciprocal-math", Refused("floats are computed as IEEE 754 has it")),
    ("-ffinite-math-only", Refused("floats are computed as IEEE 754 has it")),
    ("-fno-signed-zeros", Refused("floats are computed as IEEE 754 has it")),
    ("-fsingle-precision-constant", Refused("constants have the type that C gives them")),
    ("-fcx-limited-range", Refused("complex numbers are not modelled")),
    ("-Ofast", Refused("it is -O3 with -ffast-math: floats are computed as IEEE 754 has it")),
    ("-m16", Refused("there is no such machine; see --arch")),
    ("-mx32", Refused("there is no such machine; see --arch")),
    ("-miamcu", Refused("there is no such machine; see --arch")),
    ("-mms-bitfields", Refused("Microsoft's layout of bit-fields is not modelled")),
    ("-malign-double", Refused("another alignment of double is not modelled")),
    ("-mlong-double-64", Refused("another format of long double is not modelled")),
    ("-mlong-double-128", Refused("another format of long double is not modelled")),
    ("-m96bit-long-double", Refused("another size of long double is not modelled")),
    ("-m128bit-long-double", Refused("another size of long double is not modelled")),
    ("-mfpmath=sse", NoEffect),
    ("-mfpmath=", Refused("floats are computed in their own format, not in that of the x87")),
    ("-mno-sse", Refused("floats are computed in their own format, not in that of the x87")),
    ("-mno-sse2", Refused("floats are computed in their own format, not in that of the x87")),
    ("-mbig-endian", Refused("all machines here are little-endian")),
    ("-EB", Refused("all machines here are little-endian")),
    ("-mint8", Refused("an int of 8 bits is not modelled")),
    ("-mdouble=32", NoEffect),
    ("-mdouble=", Refused("double has 32 bits on AVR here")),
    ("-mlong-double=32", NoEffect),
    ("-mlong-double=", Refused("long double has 32 bits on AVR here")),
    ("-mstructure-size-boundary=8", NoEffect),
    ("-mstructure-size-boundary=", Refused("another alignment of structures is not modelled")),
    ("-mabi=sysv", NoEffect),
    ("-mabi=aapcs", NoEffect),
    ("-mabi=aapcs-linux", NoEffect),
    ("-mabi=", Refused("another layout, or another va_list, is not modelled")),
];

/// Flags without effect on the meaning, without `-f` and `no-`. Values after `=` are theirs.
pub const WITHOUT_EFFECT: &[&str] = &[
    "PIC",
    "PIE",
    "aggressive-loop-optimizations",
    "align-functions",
    "align-jumps",
    "align-labels",
    "align-loops",
    "analyzer",
    "asynchronous-unwind-tables",
    "auto-inc-dec",
    "branch-probabilities",
    "builtin",
    "callgraph-info",
    "caller-saves",
    "cf-protection",
    "code-hoisting",
    "color-diagnostics",
    "combine-stack-adjustments",
    "common",
    "compare-elim",
    "crossjumping",
    "cse-follow-jumps",
    "data-sections",
    "dce",
    "debug-prefix-map",
    "debug-types-section",
    "delete-null-pointer-checks",
    "devirtualize",
    "diagnostics-color",
    "diagnostics-show-option",
    "dollars-in-identifiers",
    "dse",
    "dwarf2-cfi-asm",
    "early-inlining",
    "eliminate-unused-debug-types",
    "exceptions",
    "excess-precision",
    "expensive-optimizations",
    "fat-lto-objects",
    "file-prefix-map",
    "float-store",
    "forward-propagate",
    "fp-contract",
    "function-cse",
    "function-sections",
    "gcse",
    "hosted-optimizations",
    "ident",
    "if-conversion",
    "if-conversion2",
    "indirect-inlining",
    "inline",
    "inline-functions",
    "inline-functions-called-once",
    "inline-limit",
    "inline-small-functions",
    "ipa-cp",
    "ipa-cp-clone",
    "ipa-icf",
    "ipa-pta",
    "ipa-ra",
    "ipa-sra",
    "isolate-erroneous-paths-dereference",
    "ivopts",
    "jump-tables",
    "keep-inline-functions",
    "keep-static-consts",
    "keep-static-functions",
    "lax-vector-conversions",
    "live-patching",
    "loop-optimize",
    "lto",
    "macro-prefix-map",
    "math-errno",
    "max-errors",
    "merge-all-constants",
    "merge-constants",
    "message-length",
    "min-function-alignment",
    "modulo-sched",
    "move-loop-invariants",
    "non-call-exceptions",
    "omit-frame-pointer",
    "optimize-sibling-calls",
    "optimize-strlen",
    "partial-inlining",
    "patchable-function-entry",
    "peel-loops",
    "peephole",
    "peephole2",
    "permissive",
    "pic",
    "pie",
    "plt",
    "prefetch-loop-arrays",
    "printf-return-value",
    "profile-arcs",
    "profile-generate",
    "profile-use",
    "record-gcc-switches",
    "reg-struct-return",
    "rename-registers",
    "reorder-blocks",
    "reorder-blocks-and-partition",
    "reorder-functions",
    "rerun-cse-after-loop",
    "rounding-math",
    "sanitize",
    "sanitize-coverage",
    "sanitize-recover",
    "schedule-insns",
    "schedule-insns2",
    "sched-pressure",
    "section-anchors",
    "semantic-interposition",
    "show-column",
    "shrink-wrap",
    "signaling-nans",
    "split-stack",
    "split-wide-types",
    "ssa-phiopt",
    "stack-check",
    "stack-clash-protection",
    "stack-protector",
    "stack-protector-all",
    "stack-protector-explicit",
    "stack-protector-strong",
    "stack-usage",
    "store-merging",
    "strict-aliasing",
    "strict-flex-arrays",
    "strict-volatile-bitfields",
    "syntax-only",
    "test-coverage",
    "thread-jumps",
    "threadsafe-statics",
    "toplevel-reorder",
    "track-macro-expansion",
    "trapping-math",
    "tree-ch",
    "tree-dce",
    "tree-loop-distribute-patterns",
    "tree-loop-distribution",
    "tree-loop-vectorize",
    "tree-pre",
    "tree-slp-vectorize",
    "tree-vectorize",
    "tree-vrp",
    "unit-at-a-time",
    "unroll-all-loops",
    "unroll-loops",
    "unwind-tables",
    "use-linker-plugin",
    "var-tracking",
    "var-tracking-assignments",
    "vect-cost-model",
    "verbose-asm",
    "visibility",
    "vla-loop-versioning",
    "web",
    "whole-program",
    "working-directory",
    "wrapv-pointer",
    "zero-call-used-regs",
    "zero-initialized-in-bss",
];

/// Flags of machines that choose instructions, calling conventions or alignment of code, without `-m` and `no-`.
pub const MACHINE_WITHOUT_EFFECT: &[&str] = &[
    "32",
    "64",
    "accumulate-args",
    "accumulate-outgoing-args",
    "aes",
    "align-stringops",
    "apcs-frame",
    "arch",
    "arm",
    "asm",
    "avx",
    "avx2",
    "bmi",
    "bmi2",
    "branches-within-32B-boundaries",
    "call-prologues",
    "cmodel",
    "cmse",
    "cpu",
    "cx16",
    "f16c",
    "fancy-math-387",
    "fentry",
    "fix-cortex-m3-ldrd",
    "float-abi",
    "fma",
    "fp-ret-in-387",
    "fp16-format",
    "fpu",
    "function-return",
    "general-regs-only",
    "hard-float",
    "implicit-it",
    "indirect-branch",
    "indirect-branch-cs-prefix",
    "indirect-branch-register",
    "llvm",
    "little-endian",
    "long-calls",
    "lzcnt",
    "mcu",
    "mmx",
    "movbe",
    "n-flash",
    "omit-leaf-frame-pointer",
    "pclmul",
    "poke-function-name",
    "popcnt",
    "preferred-stack-boundary",
    "prefer-vector-width",
    "rdrnd",
    "rdseed",
    "record-mcount",
    "red-zone",
    "regparm",
    "relax",
    "restrict-it",
    "retpoline",
    "sched-epilog",
    "sha",
    "short-calls",
    "single-pic-base",
    "skip-rax-setup",
    "slow-flash-data",
    "soft-float",
    "sse",
    "sse2",
    "sse3",
    "sse4",
    "sse4.1",
    "sse4.2",
    "ssse3",
    "stack-arg-probe",
    "stack-protector-guard",
    "stack-protector-guard-offset",
    "stack-protector-guard-reg",
    "stackrealign",
    "strict-X",
    "stringop-strategy",
    "sysv-abi",
    "thumb",
    "thumb-interwork",
    "tiny-stack",
    "tls-dialect",
    "tpcs-frame",
    "tune",
    "unaligned-access",
    "vzeroupper",
    "word-relocations",
];

/// The decision for a flag that begins with `-f`, `-m` or `-O`; `None` where nobody here knows it.
pub fn decision(flag: &str) -> Option<Decision> {
    let with_value = flag.split_once('=').map(|(name, _)| format!("{name}="));
    let named = |name: &str| MEANINGFUL.iter().find(|(known, _)| *known == name).map(|(_, decision)| *decision);
    if let Some(decision) = named(flag).or_else(|| named(with_value.as_deref()?)) {
        return Some(decision);
    }
    if flag.starts_with("-O") {
        return Some(NoEffect);
    }
    // The other sense of a flag that is refused is what is modelled anyway.
    if let Some(opposite) = opposite(flag)
        && matches!(named(&opposite), Some(Refused(_)))
    {
        return Some(NoEffect);
    }
    let name = flag.split('=').next().unwrap_or(flag);
    let (list, name) = match (name.strip_prefix("-f"), name.strip_prefix("-m")) {
        (Some(name), _) => (WITHOUT_EFFECT, name),
        (_, Some(name)) => (MACHINE_WITHOUT_EFFECT, name),
        _ => return None,
    };
    let name = name.strip_prefix("no-").unwrap_or(name);
    let is_builtin = name.starts_with("builtin-");
    (is_builtin || list.contains(&name)).then_some(NoEffect)
}

/// `-fno-wrapv` for `-fwrapv`, and `-fwrapv` for `-fno-wrapv`.
pub(crate) fn opposite(flag: &str) -> Option<String> {
    let (kind, name) = (flag.get(..2)?, flag.get(2..)?);
    Some(match name.strip_prefix("no-") {
        Some(name) => format!("{kind}{name}"),
        None => format!("{kind}no-{name}"),
    })
}

/// The flags that a string in an `optimize` attribute or pragma stands for: `O2` is `-O2`, `wrapv` is `-fwrapv`.
pub fn optimize_flags(text: &str) -> Vec<String> {
    let flag = |option: &str| match option.bytes().next() {
        Some(b'-') => option.to_string(),
        Some(b'O') => format!("-{option}"),
        Some(b'0'..=b'9') => format!("-O{option}"),
        Some(_) | None => format!("-f{option}"),
    };
    text.split(',').map(str::trim).filter(|option| !option.is_empty()).map(flag).collect()
}

/// A flag that is not honoured, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedFlag {
    pub flag: String,
    pub why: String,
}

impl CodeFlags {
    /// Acts on a flag that begins with `-f`, `-m` or `-O`.
    pub fn apply(&mut self, flag: &str) -> Result<(), RefusedFlag> {
        let refused = |why: &str| Err(RefusedFlag { flag: flag.to_string(), why: why.to_string() });
        self.note_contraction(flag);
        match decision(flag) {
            None => return refused("it is not known here, and may change what the program means"),
            Some(Refused(why)) => return refused(why),
            Some(NoEffect) => {}
            Some(Honoured(effect)) => match effect {
                Effect::SignedChar(signed) => self.char_signed = Some(signed),
                Effect::ShortEnums(short) => self.short_enums = Some(short),
                Effect::PackStruct(packs) => self.pack_struct = packs,
                Effect::Wrapv(wraps) => self.wrapv = wraps,
                Effect::Gnu89Inline(is) => self.gnu89_inline = is,
                Effect::MsExtensions(are) => self.ms_extensions = are,
                Effect::Freestanding(is) => self.freestanding = is,
            },
        }
        Ok(())
    }

    /// What decides whether the build's compiler may round a product and a sum once.
    fn note_contraction(&mut self, flag: &str) {
        match flag.split_once('=').unwrap_or((flag, "")) {
            ("-O0", _) => self.optimises = false,
            (name, _) if name.starts_with("-O") => self.optimises = true,
            ("-ffp-contract", "fast") => self.contracts = Some(true),
            ("-ffp-contract", _) => self.contracts = Some(false),
            ("-mfma" | "-mfpu", _) => self.has_fused_sums = true,
            ("-mno-fma", _) => self.has_fused_sums = false,
            ("-march" | "-mcpu", processor) => {
                let is_without = ["x86-64", "x86-64-v2", "i386", "i486", "i586", "i686", "k8", "core2", "nehalem"];
                let is_named = processor.starts_with(|c: char| c.is_ascii_alphanumeric());
                self.has_fused_sums = is_named && !is_without.contains(&processor);
            }
            _ => {}
        }
    }

    /// Whether the build's compiler may round the product in `a * b + c` or not: gcc does not where it can, unless it is told to.
    pub fn may_contract(&self) -> bool {
        self.optimises && self.has_fused_sums && self.contracts != Some(false)
    }

    /// The flags that make gcc see the same language.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        let mut add = |wanted: bool, flag: &str| flags.extend(wanted.then(|| flag.to_string()));
        add(self.char_signed == Some(true), "-fsigned-char");
        add(self.char_signed == Some(false), "-funsigned-char");
        add(self.short_enums == Some(true), "-fshort-enums");
        add(self.short_enums == Some(false), "-fno-short-enums");
        add(self.wrapv, "-fwrapv");
        add(self.gnu89_inline, "-fgnu89-inline");
        add(self.ms_extensions, "-fms-extensions");
        add(self.freestanding, "-ffreestanding");
        add(self.pack_struct, "-fpack-struct");
        flags
    }

    /// The machine with what the flags change about it.
    pub fn machine(&self, target: Target) -> Target {
        Target {
            char_signed: self.char_signed.unwrap_or(target.char_signed),
            short_enums: self.short_enums.unwrap_or(target.short_enums),
            ..target
        }
    }

    /// Flags of a build come first; what the user says adds to them and wins.
    pub fn add(&mut self, user: &CodeFlags) {
        self.char_signed = user.char_signed.or(self.char_signed);
        self.short_enums = user.short_enums.or(self.short_enums);
        self.pack_struct |= user.pack_struct;
        self.wrapv |= user.wrapv;
        self.gnu89_inline |= user.gnu89_inline;
        self.c90_constants |= user.c90_constants;
        self.ms_extensions |= user.ms_extensions;
        self.freestanding |= user.freestanding;
        self.optimises |= user.optimises;
        self.has_fused_sums |= user.has_fused_sums;
        self.contracts = user.contracts.or(self.contracts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_have_one_decision() {
        for (i, (flag, _)) in MEANINGFUL.iter().enumerate() {
            assert!(MEANINGFUL[..i].iter().all(|(other, _)| other != flag), "{flag}");
            let name = flag.trim_end_matches('=').trim_start_matches("-fno-").trim_start_matches("-f");
            assert!(!WITHOUT_EFFECT.contains(&name), "{flag}");
        }
        for list in [WITHOUT_EFFECT, MACHINE_WITHOUT_EFFECT] {
            for (i, name) in list.iter().enumerate() {
                assert!(!list[..i].contains(name), "{name}");
            }
        }
    }

    /// Of flags with a value that changes layout or floats, the values that change nothing are taken by name.
    #[test]
    fn values_are_refused_that_nobody_knows() {
        for flag in ["-mfpmath=sse", "-mabi=aapcs", "-mabi=sysv", "-mstructure-size-boundary=8", "-mdouble=32"] {
            assert_eq!(CodeFlags::default().apply(flag), Ok(()), "{flag}");
        }
        for flag in [
            "-mfpmath=387",
            "-mfpmath=both",
            "-mfpmath=sse+387",
            "-mabi=ms",
            "-mabi=apcs-gnu",
            "-mstructure-size-boundary=32",
            "-mstructure-size-boundary=64",
            "-mdouble=64",
        ] {
            assert!(CodeFlags::default().apply(flag).is_err(), "{flag}");
        }
    }

    #[test]
    fn contraction_takes_optimisation_and_a_machine() {
        let may_contract = |list: &[&str]| {
            let mut flags = CodeFlags::default();
            list.iter().for_each(|flag| flags.apply(flag).unwrap());
            flags.may_contract()
        };
        assert!(may_contract(&["-O2", "-mfma"]));
        assert!(may_contract(&["-O2", "-march=haswell", "-ffp-contract=fast"]));
        assert!(may_contract(&["-mfpu=fpv4-sp-d16", "-Os"]));
        for list in [
            &["-mfma"][..],
            &["-O2"],
            &["-O2", "-march=x86-64"],
            &["-O2", "-mfma", "-ffp-contract=off"],
            &["-O2", "-O0", "-mfma"],
            &["-O1", "-mfma", "-mno-fma"],
        ] {
            assert!(!may_contract(list), "{list:?}");
        }
    }

    #[test]
    fn later_flags_win_and_unknown_ones_are_refused() {
        let mut flags = CodeFlags::default();
        for flag in ["-funsigned-char", "-fwrapv", "-fno-wrapv", "-fpack-struct", "-O2", "-fno-builtin-memcpy"] {
            assert_eq!(flags.apply(flag), Ok(()), "{flag}");
        }
        let expected =
            CodeFlags { char_signed: Some(false), pack_struct: true, optimises: true, ..CodeFlags::default() };
        assert_eq!(flags, expected);
        assert_eq!(flags.flags(), ["-funsigned-char", "-fpack-struct"]);
        for flag in ["-fno-such-flag", "-ffast-math", "-mint8", "-fpack-struct=3", "-mfoo", "-fplugin=x.so", "-Ofast"] {
            assert_eq!(flags.apply(flag).unwrap_err().flag, flag);
        }
        assert_eq!(flags.apply("-fno-fast-math"), Ok(()));
        assert_eq!(flags, expected);
    }
}
