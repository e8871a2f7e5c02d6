//! Models of the C library, written in C on top of the `__plumb_*` intrinsics that lowering knows.
//!
//! The models are one translation unit for the front end. A model stands in for a function that the program declares
//! but does not define; the program's own definition always wins (linking sees to both). The C files speak of `size_t`
//! and the like, which a prologue defines for the target; those of `<math.h>` are written once and instantiated for each
//! real type.

use plumb_c::target::{FloatFormat, Target};
use plumb_c::types::TypeTable;
use rustc_hash::FxHashSet;

/// What all others rely on.
const FIRST: (&str, &str) = ("errno.c", include_str!("library/errno.c"));

/// Files that are the same for every target, in an order in which everything is declared before it is used.
const FILES: [(&str, &str); 19] = [
    ("open.c", include_str!("library/open.c")),
    ("assert.c", include_str!("library/assert.c")),
    ("verifier.c", include_str!("library/verifier.c")),
    ("stdlib.c", include_str!("library/stdlib.c")),
    ("string.c", include_str!("library/string.c")),
    ("ctype.c", include_str!("library/ctype.c")),
    ("byteorder.c", include_str!("library/byteorder.c")),
    ("number.c", include_str!("library/number.c")),
    ("decimal.c", include_str!("library/decimal.c")),
    ("math_bits.c", include_str!("library/math_bits.c")),
    ("format.c", include_str!("library/format.c")),
    ("format_real.c", include_str!("library/format_real.c")),
    ("scan.c", include_str!("library/scan.c")),
    ("stdio.c", include_str!("library/stdio.c")),
    ("time.c", include_str!("library/time.c")),
    ("unistd.c", include_str!("library/unistd.c")),
    ("thread.c", include_str!("library/thread.c")),
    ("pthread.c", include_str!("library/pthread.c")),
    ("interrupt.c", include_str!("library/interrupt.c")),
];

/// Names of functions without a model, by header.
const UNMODELLED: &str = include_str!("library/unmodelled.txt");

/// What avr-libc has, and what others have in its stead.
const BSD: (&str, &str) = ("bsd.c", include_str!("library/bsd.c"));
const AVR: (&str, &str) = ("avr.c", include_str!("library/avr.c"));

/// Instantiated for `float`, `double` and `long double`.
const REAL_FILES: [(&str, &str); 2] =
    [("math.c", include_str!("library/math.c")), ("math_bounds.c", include_str!("library/math_bounds.c"))];

/// What the models are built on. Names that start with `__plumb_` and have no body here are lowered to IR operations.
const INTRINSICS: &str = "\
void *__plumb_heap_alloc(size_t size);
void *__plumb_heap_alloc_aligned(size_t size, size_t alignment);
void *__plumb_stack_alloc(size_t size);
void __plumb_free(void *object);
void __plumb_mem_copy(void *to, const void *from, size_t size);
int __plumb_overlap(const void *a, const void *b, size_t size);
void __plumb_mem_set(void *to, int byte, size_t size);
void __plumb_havoc(void *region, size_t size);
void __plumb_answer(void *region, size_t size);
size_t __plumb_bytes_left(const void *pointer);
int __plumb_print(const char *format, va_list arguments);
void __plumb_exit(int code) __attribute__((noreturn));
void __plumb_abort(void) __attribute__((noreturn));
void __plumb_unsupported(const char *what) __attribute__((noreturn));
void __plumb_assume(int condition);
_Bool __plumb_nondet_bool(void);
unsigned char __plumb_nondet_uchar(void);
int __plumb_nondet_int(void);
unsigned __plumb_nondet_uint(void);
long __plumb_nondet_long(void);
unsigned long __plumb_nondet_ulong(void);
unsigned long long __plumb_nondet_ulonglong(void);
size_t __plumb_nondet_size_t(void);
double __plumb_nondet_double(void);
float __plumb_nondet_realf(void);
double __plumb_nondet_real(void);
long double __plumb_nondet_reall(void);
";

/// The models as one preprocessed translation unit for programs whose preprocessed texts are these. Line markers name the file and line that a place
/// came from. Of the functions without a model only those are there that a text names: there are thousands.
pub fn source(target: &Target, texts: &[&str]) -> String {
    let words: FxHashSet<&str> = texts.iter().flat_map(|text| words(text)).collect();
    // A word may be pieced together, or have the prefix of builtins.
    let has_pieces = texts.iter().any(|text| has_pieced_labels(text));
    let is_named = |name: &str| has_pieces || words.contains(name) || words.contains(&*format!("__builtin_{name}"));
    text(target, &is_named)
}

/// All models.
pub fn all(target: &Target) -> String {
    text(target, &|_| true)
}

/// What may be names in C, in string literals as well: labels for assemblers are strings.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    text.split(move |c| !is_part(c)).filter(|word| !word.is_empty())
}

/// Whether a label for the assembler is made of several strings that hold something, or of escapes.
fn has_pieced_labels(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("asm") {
        rest = rest[at + 3..].trim_start_matches('_').trim_start();
        // A line marker may stand between any two words.
        if rest.starts_with('#') {
            return true;
        }
        let Some(inner) = rest.strip_prefix('(') else { continue };
        let label = inner.split(')').next().unwrap_or_default();
        let is_label = label.split('"').step_by(2).all(|between| between.trim().is_empty());
        let pieces = label.split('"').skip(1).step_by(2).filter(|piece| !piece.is_empty());
        if label.contains("\n#") || is_label && (pieces.count() > 1 || label.contains('\\')) {
            return true;
        }
    }
    false
}

fn text(target: &Target, is_named: &dyn Fn(&str) -> bool) -> String {
    let table = TypeTable::new(*target);
    let mut text = format!(
        "# 1 \"<library>/prologue\"\ntypedef {} size_t;\ntypedef {} ptrdiff_t;\ntypedef __builtin_va_list va_list;\n{INTRINSICS}",
        table.size_kind().c_name(),
        table.ptrdiff_kind().c_name(),
    );
    let mut add = |name: &str, body: &str| {
        text.push_str(&format!("# 1 \"<library>/{name}\"\n"));
        text.push_str(body);
    };
    let reals = [
        ("float", "f", FloatFormat::F32),
        ("double", "", target.double_format),
        ("long double", "l", target.long_double_format),
    ];
    add(FIRST.0, FIRST.1);
    for (name, body) in REAL_FILES {
        for (real, suffix, format) in reals {
            add(name, &instantiate(body, real, suffix, format));
        }
    }
    for (name, body) in FILES {
        add(name, body);
    }
    let (name, body) = if target.is_avr() { AVR } else { BSD };
    add(name, body);
    text.push_str("# 1 \"<library>/unmodelled.txt\"\n");
    for name in unmodelled().filter(|name| is_named(name)) {
        text.push_str(&format!("int {name}() {{ __plumb_unsupported(\"{name} is not modelled\"); }}\n"));
    }
    text
}

/// Functions of the library that have no model, and end a run as "not supported".
pub fn unmodelled() -> impl Iterator<Item = &'static str> {
    let lines = UNMODELLED.lines().filter(|line| !line.starts_with('#') && !line.ends_with(':'));
    lines.flat_map(str::split_whitespace)
}

/// A file of `REAL` and `_R` for one real type.
fn instantiate(body: &str, real: &str, suffix: &str, format: FloatFormat) -> String {
    // The limits of <float.h>: least and greatest exponent of a fraction in [0.5, 1), and bits of the significand.
    let (min_exp, max_exp, digits) = match format {
        FloatFormat::F32 => ("(-125)", "128", "24"),
        FloatFormat::F64 => ("(-1021)", "1024", "53"),
        FloatFormat::X87 => ("(-16381)", "16384", "64"),
    };
    body.replace("MIN_EXP_R", min_exp)
        .replace("MAX_EXP_R", max_exp)
        .replace("DIGITS_R", digits)
        .replace("REAL", real)
        .replace("_R(", &format!("{suffix}("))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::{LowerOptions, lower};
    use crate::property::PropertySet;
    use plumb_c::diag::{Diagnostics, render};
    use plumb_c::names::Names;
    use plumb_c::parse::parse_unit;
    use plumb_c::sema::check;
    use plumb_c::source::SourceMap;
    use std::sync::Arc;

    #[test]
    fn every_real_type_gets_its_own_functions() {
        let text = all(&Target::LP64);
        for name in ["float sinf(float x)", "double sin(double x)", "long double sinl(long double x)"] {
            assert!(text.contains(name), "{name}");
        }
        assert!(!text.contains("_R("), "an instantiation left a placeholder");
    }

    /// Every model is C that the front end takes and lowering turns into a sound program, on every machine.
    #[test]
    fn every_model_lowers_for_every_target() {
        for target in Target::ALL {
            let mut sources = SourceMap::new();
            sources.add("<library>", all(target)).unwrap();
            let (mut names, mut diags) = (Names::new(), Diagnostics::new());
            let unit = parse_unit(&sources.units()[0], &mut names, &mut diags);
            let sources = Arc::new(sources);
            let hir = check(&[unit], None, sources.clone(), names, *target, &mut diags);
            let options = LowerOptions { entry: "abort".to_string(), ..LowerOptions::default() };
            let program = hir.and_then(|hir| lower(&hir, &options, &PropertySet::none(), &mut diags));
            let rendered: String = diags.iter().map(|d| render(d, &sources, false)).collect();
            let program = program.unwrap_or_else(|| panic!("{}: {rendered}", target.name));
            assert_eq!(crate::verify::verify(&program), Vec::<String>::new(), "{}", target.name);
        }
    }

    /// A name stands for one thing: a model, or what has none.
    #[test]
    fn no_name_is_modelled_and_unmodelled() {
        let mut seen = std::collections::BTreeSet::new();
        for name in unmodelled() {
            assert!(seen.insert(name), "{name} is listed twice");
            let is_modelled = FILES.iter().any(|(_, body)| {
                body.lines()
                    .any(|line| line.contains(&format!(" {name}(")) && line.starts_with(|c: char| c.is_alphabetic()))
            });
            assert!(!is_modelled, "{name} has a model");
        }
        assert!(seen.contains("regcomp") && seen.contains("tcgetattr"));
    }

    /// A call of `__builtin_X` that turns into one of a function X must not end at a function of which nothing is known. CBMC's
    /// names are not modelled in C; the library for an AVR has all others, and those for its own instructions.
    #[test]
    fn every_target_of_a_builtin_is_modelled_or_named() {
        let text = all(&Target::AVR);
        for name in plumb_c::sema::libc_types::builtin_targets().filter(|name| !name.starts_with("__CPROVER_")) {
            let head = [format!(" {name}("), format!("*{name}(")];
            let is_defined = text.lines().any(|line| {
                line.starts_with(|c: char| c.is_alphabetic())
                    && head.iter().any(|h| line.split(" = ").next().unwrap().contains(h))
            });
            assert!(is_defined, "{name}");
        }
    }

    #[test]
    fn functions_without_a_model_are_there_where_they_are_named() {
        let has = |texts: &[&str], name: &str| source(&Target::LP64, texts).contains(&format!("int {name}()"));
        assert!(!has(&["int main(void) { return 0; }"], "regcomp"));
        assert!(has(&["", "int main(void) { return regcomp(0, 0, 0); }"], "regcomp"));
        assert!(has(&["int f(void) __asm__ (\"\" \"regcomp\");"], "regcomp"));
        assert!(has(&["int f(void) __asm__(\"reg\" \"comp\");"], "regcomp"));
        assert!(has(&["int f(void) { return __builtin___strlen_chk(0); }"], "__strlen_chk"));
        assert!(!has_pieced_labels(
            "void f(void) { asm volatile (\"a %0\" \"b\" : \"=r\"(x)); __asm__(\"\" \"regcomp\"); }"
        ));
    }

    #[test]
    fn types_follow_the_target() {
        assert!(all(&Target::LP64).contains("typedef unsigned long size_t;"));
        assert!(all(&Target::AVR).contains("typedef unsigned int size_t;"));
    }
}
