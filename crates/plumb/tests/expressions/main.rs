//! Oracle: generated expressions. Thousands of typed expressions are computed by gcc -O0 and by Plumb, each at run time
//! and, where C allows it, as a constant of a static initialiser, an enumerator and a case label. The two sides
//! of Plumb that do arithmetic (constant evaluation and the machine) are so held against gcc and against each other.
//!
//! Covered: promotions and usual conversions over all integer types, enums and bit-fields of any width, shifts, division,
//! comparison across signedness, float formats with their rounding and conversions, compound assignment, steps,
//! conversions by calls, `switch`, the order of evaluation where C leaves it open. Signed overflow wraps (`-fwrapv`).
//!
//! Longer runs: `PLUMB_EXPRESSIONS` (cases per data model, default 5000), `PLUMB_EXPRESSIONS_SEED`.

#[path = "../oracle/mod.rs"]
mod oracle;

mod cases;
mod ctype;
mod order;
mod tree;

use cases::{BitStruct, Case, Maker};
use oracle::{Arch, Random, TempDir, env_number, keep, parallel, program_output, run, say};
use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

const CASES_PER_PROGRAM: usize = 250;

const PRELUDE: &str = r#"
int printf(const char *, ...);
enum signed_enum { negative = -5, small = 3 };
enum unsigned_enum { unsigned_large = 4000000000u };
enum wide_enum { wide_constant = 0x123456789abLL };

static void show_integer(int number, char key, unsigned long long value) {
  printf("%d %c %llx\n", number, key, value);
}
static void show_float(int number, char key, float value) {
  union { float value; unsigned bits; } u;
  u.value = value;
  if (value != value) printf("%d %c nan\n", number, key); else printf("%d %c %x\n", number, key, u.bits);
}
static void show_double(int number, char key, double value) {
  union { double value; unsigned long long bits; } u;
  u.value = value;
  if (value != value) printf("%d %c nan\n", number, key); else printf("%d %c %llx\n", number, key, u.bits);
}
static void show_long_double(int number, char key, long double value) {
  union { long double value; struct { unsigned long long mantissa; unsigned short head; } bits; } u;
  u.value = value;
  if (value != value) printf("%d %c nan\n", number, key);
  else printf("%d %c %x:%llx\n", number, key, u.bits.head, u.bits.mantissa);
}
static void fill(void *object, unsigned size, unsigned char byte) {
  unsigned char *bytes = object;
  for (unsigned i = 0; i < size; i++) bytes[i] = byte;
}
static void dump(int number, void *object, unsigned size) {
  unsigned char *bytes = object;
  printf("%d d", number);
  for (unsigned i = 0; i < size; i++) printf(" %x", bytes[i]);
  printf("\n");
}
"#;

const PRELUDE_64: &str = r#"
static void show_wide(int number, char key, unsigned __int128 value) {
  printf("%d %c %llx:%llx\n", number, key, (unsigned long long)(value >> 64), (unsigned long long)value);
}
"#;

#[test]
fn values_agree_with_gcc() {
    let archs = oracle::testable_archs();
    let per_model = env_number("PLUMB_EXPRESSIONS", 5000) as usize;
    let seed = env_number("PLUMB_EXPRESSIONS_SEED", 1);
    let programs = per_model.div_ceil(CASES_PER_PROGRAM);
    let reports = parallel(programs * archs.len(), |index| {
        let arch = archs[index % archs.len()];
        check(seed.wrapping_mul(1_000_003).wrapping_add(index as u64), arch)
    });
    let compared: usize = reports.iter().map(|r| r.compared).sum();
    let differences: Vec<&String> = reports.iter().flat_map(|r| &r.differences).collect();
    for difference in differences.iter().take(90) {
        say(difference);
    }
    let cases = programs * archs.len() * CASES_PER_PROGRAM;
    say(format!("expressions: {cases} cases, {compared} values compared, {} differ", differences.len()));
    assert!(differences.is_empty(), "{} values differ from gcc's", differences.len());
}

#[derive(Default)]
struct Report {
    compared: usize,
    differences: Vec<String>,
}

fn check(seed: u64, arch: Arch) -> Report {
    let mut random = Random::new(seed);
    let structs: Vec<BitStruct> = (0..12).map(|index| BitStruct::any(&mut random, index, arch)).collect();
    let mut maker = Maker { random: &mut random, arch, structs: &structs };
    let cases: Vec<Case> = (0..CASES_PER_PROGRAM).map(|number| maker.case(number)).collect();
    let source = program(&structs, &cases, arch);

    let dir = TempDir::new("expressions");
    let file = dir.write("expressions.c", &source);
    let binary = dir.path().join("expressions");
    if let Err(complaint) = oracle::gcc_build(arch, &file, &binary, &[]) {
        panic!("gcc rejects generated program {}:\n{complaint}", keep("expressions-rejected.c", &source).display());
    }
    let expected = run(&mut Command::new(&binary), Duration::from_secs(60));
    assert!(expected.success(), "gcc's program fails: {}", keep("expressions-failing.c", &source).display());
    let actual = run(&mut oracle::plumb_run(&file, arch), Duration::from_secs(300));

    let (expected, got) = (lines(&expected.stdout), lines(program_output(&actual.stdout)));
    let mut report = Report { compared: expected.len(), differences: Vec::new() };
    let mut last_shown = None;
    for ((number, key), want) in &expected {
        let Some(have) = got.get(&(*number, key.clone())) else {
            // A run that ended early says nothing about the cases after this one.
            let end = actual.stdout.lines().last().unwrap_or_default();
            report.differences.push(format!("--- case {number} line {key} is missing: {end}\n{}", actual.stderr));
            report.differences.push(source_of(&cases, *number));
            break;
        };
        if have != want {
            let place = format!("--- --arch {} case {number} line {key}", arch.name());
            report.differences.push(format!("{place}: gcc {want}, plumb {have}"));
            if last_shown != Some(number) {
                report.differences.push(source_of(&cases, *number));
            }
            last_shown = Some(number);
        }
    }
    if !report.differences.is_empty() {
        let kept = keep(&format!("expressions-{seed}-{}.c", arch.name()), &source);
        report.differences.push(format!("    in {}", kept.display()));
    }
    report
}

fn source_of(cases: &[Case], number: usize) -> String {
    cases.get(number).map_or_else(String::new, |case| format!("{}{}", case.text, case.calls))
}

fn program(structs: &[BitStruct], cases: &[Case], arch: Arch) -> String {
    let mut text = String::from(PRELUDE) + order::PRELUDE;
    if arch == Arch::Lp64 {
        text += PRELUDE_64;
    }
    for structure in structs {
        text += &structure.text;
    }
    for case in cases {
        text += &case.text;
    }
    text += "int main(void) {\n";
    for case in cases {
        text += &case.calls;
    }
    text += "  return 0;\n}\n";
    text
}

/// Printed values by case number and key.
fn lines(output: &str) -> BTreeMap<(usize, String), String> {
    let mut values = BTreeMap::new();
    for line in output.lines() {
        let mut words = line.splitn(3, ' ');
        if let (Some(number), Some(key), Some(value)) = (words.next(), words.next(), words.next())
            && let Ok(number) = number.parse()
        {
            values.insert((number, key.to_string()), value.to_string());
        }
    }
    values
}
