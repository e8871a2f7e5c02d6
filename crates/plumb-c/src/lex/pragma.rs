//! Pragmas: a table of those that compilers for C know, each with the decision what it means to Plumb, and the state that
//! the honoured ones change. `docs/compatibility.md` shows the same table.
//!
//! gcc ignores a pragma that it does not know. Plumb refuses it by name: another compiler may act on it.

use super::pack::PackState;
use crate::code_flags::{CodeFlags, RefusedFlag, optimize_flags};

/// What Plumb does with a pragma.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It changes what the program means, as gcc has it.
    Honoured,
    /// It concerns preprocessing, warnings, optimisation or linking.
    NoEffect,
    /// It changes the meaning in a way that is not modelled; the text says which.
    Refused(&'static str),
}

use Decision::{Honoured, NoEffect, Refused};

/// The first words of pragmas; the longest match decides.
pub const TABLE: &[(&str, Decision)] = &[
    ("pack", Honoured),
    ("GCC optimize", Honoured),
    ("GCC push_options", Honoured),
    ("GCC pop_options", Honoured),
    ("GCC reset_options", Honoured),
    ("scalar_storage_order big-endian", Refused("big-endian members are not modelled")),
    ("scalar_storage_order little-endian", NoEffect),
    ("scalar_storage_order default", NoEffect),
    ("ms_struct on", Refused("Microsoft's layout of bit-fields is not modelled")),
    ("ms_struct off", NoEffect),
    ("ms_struct reset", NoEffect),
    ("weak", Refused("write __attribute__((weak)) or alias instead")),
    ("redefine_extname", Refused("write asm(\"name\") behind the declaration instead")),
    ("GCC target", NoEffect),
    ("GCC diagnostic", NoEffect),
    ("GCC system_header", NoEffect),
    ("GCC poison", NoEffect),
    ("GCC dependency", NoEffect),
    ("GCC warning", NoEffect),
    ("GCC error", NoEffect),
    ("GCC visibility", NoEffect),
    ("GCC ivdep", NoEffect),
    ("GCC unroll", NoEffect),
    ("GCC novector", NoEffect),
    ("GCC pch_preprocess", NoEffect),
    ("STDC FP_CONTRACT", NoEffect),
    ("STDC FENV_ACCESS", NoEffect),
    ("STDC CX_LIMITED_RANGE", NoEffect),
    ("STDC FLOAT_CONST_DECIMAL64", Refused("decimal floats are not modelled")),
    // Without -fopenmp and -fopenacc, which are refused, gcc ignores these.
    ("omp", NoEffect),
    ("acc", NoEffect),
    ("once", NoEffect),
    ("push_macro", NoEffect),
    ("pop_macro", NoEffect),
    ("message", NoEffect),
    ("mark", NoEffect),
    ("region", NoEffect),
    ("endregion", NoEffect),
    ("ident", NoEffect),
    ("long_calls", NoEffect),
    ("no_long_calls", NoEffect),
    ("long_calls_off", NoEffect),
    // clang's.
    ("clang diagnostic", NoEffect),
    ("clang system_header", NoEffect),
    ("clang loop", NoEffect),
    ("clang optimize", NoEffect),
    ("clang assume_nonnull", NoEffect),
    ("clang fp", Refused("floats are computed as IEEE 754 has it")),
    ("clang attribute", Refused("it gives attributes to declarations")),
    // Other compilers' for warnings, segments and optimisation.
    ("warning", NoEffect),
    ("comment", NoEffect),
    ("alloc_text", NoEffect),
    ("function", NoEffect),
    ("intrinsic", NoEffect),
    ("deprecated", NoEffect),
    ("detect_mismatch", NoEffect),
    ("error_messages", NoEffect),
    ("diag_suppress", NoEffect),
    ("diag_default", NoEffect),
    ("diag_warning", NoEffect),
    ("diag_remark", NoEffect),
    ("diag_error", NoEffect),
    ("language", NoEffect),
    ("system_include", NoEffect),
    ("anon_unions", NoEffect),
    ("push", NoEffect),
    ("pop", NoEffect),
    ("arm", NoEffect),
    ("import", NoEffect),
    ("rarely_called", NoEffect),
    ("inline", NoEffect),
    ("unroll", NoEffect),
    ("O0", NoEffect),
    ("O1", NoEffect),
    ("O2", NoEffect),
    ("O3", NoEffect),
    ("Otime", NoEffect),
    ("Ospace", NoEffect),
    ("CODE_SEG", NoEffect),
    ("CONST_SEG", NoEffect),
    ("DATA_SEG", NoEffect),
    ("STRING_SEG", NoEffect),
    ("MESSAGE", NoEffect),
    // CIL's, which merges files.
    ("merger", NoEffect),
    ("cilnoremove", NoEffect),
];

/// From the token with this index on, functions are compiled with these options; `None` is what the build says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrapvChange {
    pub token: u32,
    pub wrapv: Option<bool>,
}

/// What the pragmas so far have set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pragmas {
    pub packs: PackState,
    wrapv: Option<bool>,
    options: Vec<Option<bool>>,
    wrapv_changes: Vec<WrapvChange>,
}

/// What the lexer must tell the user about a pragma.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum PragmaEffect {
    None,
    /// `#pragma pack` with arguments that gcc ignores.
    Malformed,
    Refused(String),
}

impl Pragmas {
    pub fn into_changes(self) -> (Vec<super::pack::PackChange>, Vec<WrapvChange>) {
        (self.packs.into_changes(), self.wrapv_changes)
    }

    /// Handles the text after `#pragma`, standing before the token of the given index.
    pub fn pragma(&mut self, text: &str, token: usize) -> PragmaEffect {
        let words = split(text);
        match (decision(&words), words.as_slice()) {
            (_, []) | (Some(NoEffect), _) => PragmaEffect::None,
            (Some(Refused(why)), _) => PragmaEffect::Refused(format!("`#pragma {}`: {why}", text.trim())),
            (Some(Honoured), ["pack", arguments @ ..]) => self.packs.pragma(arguments, token),
            (Some(Honoured), ["GCC", "optimize", ..]) => self.optimize(text, token),
            (Some(Honoured), ["GCC", "push_options", ..]) => {
                self.options.push(self.wrapv);
                PragmaEffect::None
            }
            (Some(Honoured), ["GCC", "pop_options", ..]) => {
                // As gcc does, an unmatched one changes nothing.
                if let Some(wrapv) = self.options.pop() {
                    self.set_wrapv(wrapv, token);
                }
                PragmaEffect::None
            }
            (Some(Honoured), _) => {
                self.set_wrapv(None, token);
                PragmaEffect::None
            }
            (None, [first, ..]) => {
                PragmaEffect::Refused(format!("`#pragma {first}` is not known, and may change what the program means"))
            }
        }
    }

    /// `#pragma GCC optimize ("wrapv", "O2")`: the options are strings.
    fn optimize(&mut self, text: &str, token: usize) -> PragmaEffect {
        let quoted = text.split('"').skip(1).step_by(2);
        let numbers = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| w.parse::<u8>().is_ok());
        let mut flags = CodeFlags { wrapv: self.wrapv.unwrap_or(false), ..CodeFlags::default() };
        for flag in quoted.chain(numbers).flat_map(optimize_flags) {
            if let Err(RefusedFlag { flag, why }) = flags.apply(&flag) {
                return PragmaEffect::Refused(format!("`#pragma GCC optimize` with {flag}: {why}"));
            }
        }
        let wrapv =
            if text.contains("wrapv") || text.contains("strict-overflow") { Some(flags.wrapv) } else { self.wrapv };
        self.set_wrapv(wrapv, token);
        PragmaEffect::None
    }

    fn set_wrapv(&mut self, wrapv: Option<bool>, token: usize) {
        self.wrapv = wrapv;
        self.wrapv_changes.push(WrapvChange { token: token as u32, wrapv });
    }
}

/// The decision for a pragma's words, that of the longest entry that they begin with.
fn decision(words: &[&str]) -> Option<Decision> {
    let begins = |entry: &str| {
        let entry = split(entry);
        words.starts_with(&entry).then_some(entry.len())
    };
    let matches = TABLE.iter().filter_map(|&(entry, decision)| Some((begins(entry)?, decision)));
    matches.max_by_key(|(length, _)| *length).map(|(_, decision)| decision)
}

/// Words and single punctuation characters.
fn split(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_follows_gcc() {
        let mut state = Pragmas::default();
        let steps = [
            ("pack(push,1)", 1),
            (" pack ( push , here , 2 )", 2),
            ("pack(4)", 4),
            ("pack(pop, here)", 1),
            ("pack(pop)", 0),
            ("pack(pop)", 0),
            ("pack(8)", 8),
            ("pack()", 0),
            ("GCC diagnostic push", 0),
            ("pack(3)", 0),
        ];
        for (index, (text, expected)) in steps.into_iter().enumerate() {
            state.pragma(text, index);
            assert_eq!(state.packs.current(), expected, "{text}");
        }
    }

    #[test]
    fn options_are_a_stack() {
        let mut state = Pragmas::default();
        let steps = [
            ("GCC push_options", None),
            ("GCC optimize (\"wrapv\")", Some(true)),
            ("GCC optimize (\"O2\")", Some(true)),
            ("GCC optimize \"no-wrapv\"", Some(false)),
            ("GCC pop_options", None),
            ("GCC optimize (\"-fwrapv,O3\")", Some(true)),
            ("GCC reset_options", None),
            ("GCC optimize 2", None),
        ];
        for (index, (text, expected)) in steps.into_iter().enumerate() {
            assert_eq!(state.pragma(text, index), PragmaEffect::None, "{text}");
            assert_eq!(state.wrapv, expected, "{text}");
        }
        for text in ["GCC optimize (\"fast-math\")", "weak f", "vector = 3", "scalar_storage_order big-endian"] {
            assert!(matches!(state.pragma(text, 0), PragmaEffect::Refused(_)), "{text}");
        }
    }
}
