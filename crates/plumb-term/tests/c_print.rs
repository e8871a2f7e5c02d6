//! What the C printer says, gcc understands in the same way: random terms are printed, compiled with checks for undefined
//! behaviour, and must have the values that evaluation gives. Without gcc the tests pass without looking.

mod random;

use plumb_term::c_print::{CModel, CName, Refusal, expression};
use plumb_term::{Format, Sort, SymbolId, TermId, Terms, Value};
use random::{Entry, Garden, Palette};
use std::fmt::Write;
use std::process::Command;

const MODEL: CModel = CModel { int_bits: 32, has_int128: true };

/// Symbols are `s0`, `s1`, ...; every second one is signed.
fn name(symbol: SymbolId) -> Option<CName> {
    Some(CName { text: format!("s{}", symbol.0), is_signed: symbol.0 % 2 == 1 })
}

fn literal(bits: u128) -> String {
    format!("((unsigned __int128){:#x}ull << 64 | {:#x}ull)", (bits >> 64) as u64, bits as u64)
}

fn float_type(format: Format) -> &'static str {
    match format {
        Format::F32 => "float",
        Format::F64 => "double",
        _ => "long double",
    }
}

fn declaration(terms: &Terms, symbol: SymbolId, value: &Value) -> Option<String> {
    let sign = if symbol.0 % 2 == 1 { "signed" } else { "unsigned" };
    let of_bits = |ty: &str, bits: u128| Some(format!("static {ty} s{};", symbol.0)).map(|d| (d, bits));
    let (declaration, bits) = match (terms.symbol_sort(symbol), value) {
        (Sort::Bool, Value::Bool(value)) => of_bits("_Bool", *value as u128)?,
        (Sort::Bv(width), Value::Bv(bits)) => {
            let ty = match width {
                8 => format!("{sign} char"),
                16 => format!("{sign} short"),
                32 => format!("{sign} int"),
                64 => format!("{sign} long long"),
                128 => format!("{sign} __int128"),
                _ => return None,
            };
            of_bits(&ty, bits.to_u128()?)?
        }
        (Sort::Float(format), Value::Float(_, bits)) => of_bits(float_type(format), bits.to_u128()?)?,
        _ => return None,
    };
    Some(format!("{declaration}\nstatic const unsigned __int128 i{} = {};", symbol.0, literal(bits)))
}

/// Prints what is wrong about one term.
fn check(terms: &Terms, entry: &Entry, text: &str) -> String {
    let id = entry.term.index();
    match &entry.values[0] {
        Value::Bool(value) => format!("if (({text}) != {}) printf(\"%d \", {id});\n", *value as u8),
        Value::Bv(bits) => {
            let expected = literal(bits.to_u128().unwrap());
            format!("if ((unsigned __int128)({text}) != {expected}) printf(\"%d \", {id});\n")
        }
        Value::Float(format, bits) => {
            let (ty, bytes) = (float_type(*format), format.width() / 8);
            let expected = literal(bits.to_u128().unwrap());
            format!(
                "{{ {ty} v = {text}, w; unsigned __int128 e = {expected}; memcpy(&w, &e, sizeof w); \
                 if (memcmp(&v, &w, {bytes}) && !(v != v && w != w)) printf(\"%d \", {id}); }}\n"
            )
        }
        Value::Array(_) => panic!("{:?} was printed", terms.kind(entry.term)),
    }
}

fn program(garden: &Garden) -> (String, usize) {
    let mut text = String::from("#include <stdio.h>\n#include <string.h>\n");
    let mut symbols = Vec::new();
    for (symbol, value) in garden.assignments[0].iter() {
        if let Some(declaration) = declaration(&garden.terms, symbol, value) {
            let _ = writeln!(text, "{declaration}");
            symbols.push(symbol);
        }
    }
    text.push_str("int main(void) {\n");
    for symbol in symbols {
        let _ = writeln!(text, "memcpy(&s{0}, &i{0}, sizeof s{0} < 16 ? sizeof s{0} : 16);", symbol.0);
    }
    let mut printed = 0;
    for entry in &garden.entries {
        match expression(&garden.terms, entry.term, MODEL, &name, 4000) {
            Ok(expression) => {
                printed += 1;
                text.push_str(&check(&garden.terms, entry, &expression));
            }
            Err(Refusal::Unnamed(symbol)) => panic!("{symbol:?} has a name"),
            Err(Refusal::TooLong | Refusal::NoCounterpart(_)) => {}
        }
    }
    text.push_str("return 0; }\n");
    (text, printed)
}

/// What the compiled program prints, or none without gcc, which is reported.
fn run(text: &str, tag: &str) -> Option<String> {
    let folder = std::env::temp_dir().join(format!("plumb-term-c-{}-{tag}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("terms.c"), folder.join("terms"));
    std::fs::write(&source, text).unwrap();
    let ran = Command::new("gcc")
        .args(["-w", "-O0", "-ffp-contract=off", "-fno-builtin", "-fsanitize=undefined", "-o"])
        .arg(&binary)
        .arg(&source)
        .arg("-lm")
        .output();
    let gcc = match ran {
        Ok(gcc) => gcc,
        Err(error) => {
            // Past the harness, which keeps what a test that passes prints to itself.
            let _ =
                std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("skipped: gcc is not asked: {error}\n"));
            let _ = std::fs::remove_dir_all(&folder);
            return None;
        }
    };
    assert!(gcc.status.success(), "{}\n{text}", String::from_utf8_lossy(&gcc.stderr));
    let output = Command::new(&binary).output().unwrap();
    let _ = std::fs::remove_dir_all(&folder);
    Some(String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

fn compare(palette: &Palette, seeds: std::ops::Range<u64>, size: usize, tag: &str) {
    let mut total = 0;
    for seed in seeds {
        let mut garden = Garden::new(seed, palette, 1);
        for _ in 0..size {
            garden.grow();
        }
        garden.check();
        let (text, printed) = program(&garden);
        total += printed;
        let Some(output) = run(&text, &format!("{tag}{seed}")) else { return };
        let wrong = output.split(' ').next().and_then(|id| id.parse::<usize>().ok());
        let line = wrong.and_then(|id| text.lines().find(|line| line.ends_with(&format!("printf(\"%d \", {id});"))));
        assert_eq!(output, "", "seed {seed}: {}", line.unwrap_or(&text));
    }
    assert!(total > size, "{total} terms were printed");
}

#[test]
fn integers_mean_the_same_to_gcc() {
    compare(&Palette { widths: &[1, 5, 8, 12, 16, 32], formats: &[], arrays: &[] }, 0..6, 300, "narrow");
    compare(&Palette { widths: &[8, 24, 32, 33, 64, 96, 128], formats: &[], arrays: &[] }, 0..6, 300, "wide");
}

#[test]
fn floats_mean_the_same_to_gcc() {
    let formats = &[Format::F32, Format::F64, Format::X87];
    compare(&Palette { widths: &[8, 32, 64], formats, arrays: &[] }, 0..6, 300, "float");
}

fn c(terms: &Terms, term: TermId) -> String {
    let named = |symbol: SymbolId| {
        let text = terms.symbol_name(symbol).to_string();
        let is_signed = !text.starts_with('u');
        Some(CName { text, is_signed })
    };
    expression(terms, term, MODEL, &named, 1000).unwrap()
}

#[test]
fn invariants_read_well() {
    let mut terms = Terms::new();
    let [x, n, u] = ["x", "n", "u"].map(|name| terms.symbol(name, Sort::Bv(32)));
    let [five, zero] = [5, 0].map(|value| terms.bv(32, value));
    let less = terms.bv_slt(x, five);
    assert_eq!(c(&terms, less), "x < 5");
    let at_most = terms.bv_sle(x, n);
    let positive = terms.bv_sge(x, zero);
    let both = terms.and(positive, at_most);
    assert_eq!(c(&terms, both), "n >= x && x >= 0");
    let unsigned = terms.bv_ule(u, five);
    assert_eq!(c(&terms, unsigned), "u < 6");
    let byte = terms.symbol("ub", Sort::Bv(8));
    let wide = terms.zero_extend(byte, 32);
    let equal = terms.eq(wide, u);
    assert_eq!(c(&terms, equal), "u == ub");
    let sum = terms.bv_add(x, five);
    let equal = terms.eq(sum, n);
    assert_eq!(c(&terms, equal), "n == (int)((unsigned int)x + 5)");
    let f = terms.symbol("f", Sort::Float(Format::F32));
    let half = terms.f32_const(0.5);
    let below = terms.float_lt(f, half);
    assert_eq!(c(&terms, below), "f < 0x1p-1f");
}

#[test]
fn long_expressions_are_refused() {
    let mut terms = Terms::new();
    let mut term = terms.symbol("u", Sort::Bv(32));
    for _ in 0..100 {
        term = terms.bv_udiv(term, term);
    }
    let named = |symbol: SymbolId| Some(CName { text: format!("s{}", symbol.0), is_signed: false });
    assert_eq!(expression(&terms, term, MODEL, &named, 1000), Err(Refusal::TooLong));
}
