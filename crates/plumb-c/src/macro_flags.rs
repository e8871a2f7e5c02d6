//! Compiler flags that change nothing that is modelled, and yet macros that the compiler predefines: `-mavx2` defines `__AVX2__`,
//! `-fsanitize=address` `__SANITIZE_ADDRESS__`. A program can look at these, so the preprocessor is given such flags.
//!
//! A test goes through all flags without effect on the meaning and compares what gcc predefines with and without each.

use crate::code_flags::opposite;

/// Flags whose name alone decides, in the sense that changes macros where the compiler was not built to have it anyway.
const NAMES: &[&str] = &[
    "-fPIC",
    "-fPIE",
    "-fcf-protection",
    "-fexceptions",
    "-fno-asynchronous-unwind-tables",
    "-fno-dwarf2-cfi-asm",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fnon-call-exceptions",
    "-fpic",
    "-fpie",
    "-frounding-math",
    "-fsanitize",
    "-fsignaling-nans",
    "-fstack-protector",
    "-fstack-protector-all",
    "-fstack-protector-explicit",
    "-fstack-protector-strong",
];

/// The same of x86, without `-m` and `no-`.
const MACHINE_NAMES: &[&str] = &[
    "aes",
    "arch",
    "avx",
    "avx2",
    "bmi",
    "bmi2",
    "cmodel",
    "cpu",
    "cx16",
    "f16c",
    "fma",
    "general-regs-only",
    "lzcnt",
    "mmx",
    "movbe",
    "pclmul",
    "popcnt",
    "rdrnd",
    "rdseed",
    "sha",
    "soft-float",
    "sse",
    "sse2",
    "sse3",
    "sse4",
    "sse4.1",
    "sse4.2",
    "ssse3",
    "tune",
];

/// Those that say where code may lie: compilers for small machines define nothing for them.
const POSITION: &[&str] =
    &["-fPIC", "-fPIE", "-fpic", "-fpie", "-fno-asynchronous-unwind-tables", "-fno-dwarf2-cfi-asm"];

/// A flag as the preprocessor is given it; `None` where its macros do not hang on it.
pub fn for_preprocessor(flag: &str) -> Option<String> {
    let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
    // The value is a word: it names no file, and begins no flag.
    let is_word = |value: &str| {
        value.starts_with(|c: char| c.is_ascii_alphanumeric())
            && value.chars().all(|c| c.is_ascii_alphanumeric() || ",.+-_".contains(c))
    };
    let is_known = match name.strip_prefix("-m") {
        Some(machine) => MACHINE_NAMES.contains(&machine.strip_prefix("no-").unwrap_or(machine)),
        None => NAMES.contains(&name) || opposite(name).is_some_and(|opposite| NAMES.contains(&opposite.as_str())),
    };
    (is_known && value.is_none_or(is_word)).then(|| flag.to_string())
}

/// Whether a flag defines macros on machines that the host's compiler does not know, where they are not known here.
pub fn is_unknown_elsewhere(flag: &str) -> bool {
    let name = flag.split('=').next().unwrap_or(flag);
    name.starts_with("-f") && NAMES.contains(&name) && !POSITION.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_flags::{MACHINE_WITHOUT_EFFECT, WITHOUT_EFFECT};
    use std::collections::BTreeSet;
    use std::io::Write;
    use std::process::Command;

    /// What gcc predefines; `None` where it does not take the flag.
    fn predefined(flags: &[String]) -> Option<BTreeSet<String>> {
        let output = Command::new("gcc").args(["-dM", "-E", "-x", "c", "/dev/null"]).args(flags).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect())
    }

    #[test]
    fn every_flag_that_changes_macros_is_handed_on() {
        for machine in ["-m64", "-m32"] {
            let Some(without) = predefined(&[machine.to_string()]) else {
                // The test harness captures what `eprintln!` writes.
                let _ = writeln!(std::io::stderr().lock(), "skipped: gcc does not preprocess for {machine}");
                continue;
            };
            // Values of flags that need one, or that mean something else with one.
            let values = |name: &str| match name {
                "arch" | "tune" | "cpu" => vec!["=haswell"],
                "sanitize" => vec!["=address", "=thread", "=undefined", "=leak"],
                "cf-protection" => vec!["", "=none", "=branch", "=full"],
                "cmodel" => vec!["=small", "=medium", "=large", "=kernel"],
                "excess-precision" => vec!["=fast", "=standard"],
                "fp-contract" => vec!["=fast", "=off"],
                _ => vec!["", "=1", "=2", "=full"],
            };
            let kinds = [("-f", WITHOUT_EFFECT), ("-m", MACHINE_WITHOUT_EFFECT)];
            let mut changing = 0;
            for (kind, names) in kinds {
                for name in names.iter().filter(|name| !["32", "64"].contains(name)) {
                    for flag in ["", "no-"]
                        .iter()
                        .flat_map(|no| values(name).into_iter().map(move |value| format!("{kind}{no}{name}{value}")))
                    {
                        let Some(with) = predefined(&[machine.to_string(), flag.clone()]) else { continue };
                        changing += (with != without) as u32;
                        assert!(
                            with == without || for_preprocessor(&flag).is_some(),
                            "{machine}: {flag} changes macros: {:?}",
                            with.symmetric_difference(&without).take(5).collect::<Vec<_>>()
                        );
                    }
                }
            }
            assert!(changing > 20, "{changing}");
        }
    }

    #[test]
    fn only_words_are_handed_on() {
        for flag in ["-mavx2", "-mno-avx2", "-march=x86-64-v3", "-fsanitize=address,undefined", "-fno-exceptions"] {
            assert_eq!(for_preprocessor(flag).as_deref(), Some(flag));
        }
        for flag in ["-mcpu=-fplugin=x", "-march=@x", "-fsanitize=", "-fwrapv", "-funroll-loops", "-fsanitize=/x"] {
            assert_eq!(for_preprocessor(flag), None, "{flag}");
        }
        assert!(is_unknown_elsewhere("-fstack-protector") && is_unknown_elsewhere("-fno-math-errno"));
        assert!(!is_unknown_elsewhere("-fno-exceptions") && !is_unknown_elsewhere("-fPIC"));
    }
}
