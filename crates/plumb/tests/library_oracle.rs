//! Oracle: random calls of library functions whose results C or glibc fix to the bit. gcc's binary and `plumb run` must print
//! the same.
//!
//! Longer runs: `PLUMB_LIBRARY_COUNT` (programs, default 4), `PLUMB_LIBRARY_SEED` (the first seed). A failing program is kept and
//! its path printed.

mod oracle;

use oracle::{Arch, Random, TempDir, env_number, keep, parallel, plumb_run, program_output, run, say};
use std::ffi::OsStr;
use std::process::Command;
use std::time::Duration;

const HEAD: &str = r#"#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void d(double x) { unsigned long long u; memcpy(&u, &x, 8); printf("%016llx ", u); }
static void f(float x) { unsigned u; memcpy(&u, &x, 4); printf("%08x ", u); }

static void l(long double x)
{
    unsigned char b[16];
    memcpy(b, &x, 10);
    for (int i = 9; i >= 0; i--)
        printf("%02x", b[i]);
    printf(" ");
}

static void show(const struct tm *t)
{
    printf("%d %d %d %d %d %d %d %d\n", t->tm_year, t->tm_mon, t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec, t->tm_wday, t->tm_yday);
}

int main(void)
{
    char *end;
    struct tm t;
    time_t when;
    int q;
    double h;
    float g;
"#;

/// Where functions of mathematics have their corners.
const EDGES: [&str; 18] = [
    "0.0",
    "1.0",
    "-1.0",
    "0.5",
    "1.5",
    "-2.5",
    "3.0",
    "1e308",
    "-1e308",
    "4.9e-324",
    "2.2250738585072014e-308",
    "INFINITY",
    "-INFINITY",
    "NAN",
    "-NAN",
    "9007199254740993.0",
    "-0.3",
    "123456.789",
];

/// A number in decimal notation.
fn decimal(r: &mut Random) -> String {
    let length = r.pick(&[1usize, 3, 8, 15, 16, 17, 18, 19, 20, 25, 38]);
    let mut text: String = (0..length).map(|_| char::from(b'0' + r.below(10) as u8)).collect();
    if r.chance(60) {
        text.insert(r.below(length + 1), '.');
    }
    if r.chance(70) {
        let power = r.pick(&[0, 1, 5, 10, 22, 23, 30, 44, 100, 270]);
        text = format!("{text}{}{}{power}", r.pick(&["e", "E"]), r.pick(&["", "-", "+"]));
    }
    format!("{}{text}", r.pick(&["", "-", "+"]))
}

fn numbers(r: &mut Random) -> String {
    let text = decimal(r);
    format!(
        "    errno = 0; d(strtod(\"{text}\", &end)); printf(\"%d %d \", errno, (int)strlen(end));\n    \
             errno = 0; f(strtof(\"{text}\", &end)); printf(\"%d \", errno); l(strtold(\"{text}\", &end));\n    \
             h = 0; g = 0; q = sscanf(\"{text} {text}\", \"%lf%f\", &h, &g); d(h); f(g); printf(\"%d\\n\", q);\n"
    )
}

fn calendar(r: &mut Random) -> String {
    let reach = r.pick(&[1i64 << 31, 1 << 33, 1 << 45, 1 << 55]);
    let when = r.between(-reach, reach);
    let mut field = |low, high| if r.chance(50) { r.between(low, high) } else { r.between(-1_000_000, 1_000_000) };
    let (mon, mday, hour) = (field(-5, 20), field(-40, 70), field(-30, 50));
    format!(
        "    when = {when}LL; if (gmtime_r(&when, &t)) {{ show(&t); printf(\"%lld\\n\", (long long)timegm(&t)); }}\n    \
             memset(&t, 0, sizeof t); t.tm_year = {year}; t.tm_mon = {mon}; t.tm_mday = {mday}; t.tm_hour = {hour};\n    \
             printf(\"%lld \", (long long)timegm(&t)); show(&t); if (t.tm_year > -2800 && t.tm_year < 8000) printf(\"%s\", asctime(&t));\n    \
             d(difftime({when}LL, {other}LL)); printf(\"%x %x\\n\", htons({low}), htonl({high}u));\n",
        year = r.between(-300, 300),
        other = r.between(-reach, reach),
        low = r.below(1 << 16),
        high = r.below(1 << 32),
    )
}

fn mathematics(r: &mut Random) -> String {
    let (x, mut y, n) = (r.pick(&EDGES), r.pick(&EDGES), r.between(-1100, 1100));
    // Of two NaNs any may be the result.
    if x.contains("NAN") && y.contains("NAN") {
        y = "1.0";
    }
    let two = r.pick(&["fmod", "remainder", "fmin", "fmax", "fdim", "copysign"]);
    let one = r.pick(&["floor", "ceil", "trunc", "round", "rint", "nearbyint", "fabs", "sqrt"]);
    format!(
        "    d({two}({x}, {y})); f({two}f({x}, {y})); l({two}l({x}, {y})); d({one}({x})); f({one}f({x})); l({one}l({y}));\n    \
             d(nextafter({x}, {y})); f(nextafterf({x}, {y})); errno = 0; d(ldexp({x}, {n})); printf(\"%d \", errno);\n    \
             f(scalbnf({x}, {small})); errno = 0; q = ilogb({y}); printf(\"%d %d %d %d\\n\", q, errno, fpclassify({x}), isnormal({y}));\n",
        small = n / 8,
    )
}

fn program(seed: u64) -> String {
    let mut r = Random::new(seed);
    let mut text = HEAD.to_string();
    for _ in 0..30 {
        text.push_str(&numbers(&mut r));
        text.push_str(&calendar(&mut r));
        text.push_str(&mathematics(&mut r));
    }
    text.push_str("    return 0;\n}\n");
    text
}

/// What differs, if anything.
fn check(seed: u64) -> Option<String> {
    let folder = TempDir::new("library");
    let text = program(seed);
    let (source, binary) = (folder.write("library.c", &text), folder.path().join("library"));
    // The compiler must not compute what the library is asked for.
    let flags: [&OsStr; 2] = ["-fno-builtin".as_ref(), "-w".as_ref()];
    if let Err(complaint) = oracle::gcc_build(Arch::Lp64, &source, &binary, &flags) {
        return Some(complaint);
    }
    let limit = Duration::from_secs(300);
    let theirs = run(&mut Command::new(&binary), limit).stdout;
    let ours = run(&mut plumb_run(&source, Arch::Lp64), limit).stdout;
    let ours = program_output(&ours);
    if ours == theirs {
        return None;
    }
    let differing = ours.lines().zip(theirs.lines()).find(|(a, b)| a != b);
    let (a, b) = differing.unwrap_or(("an end", "another end"));
    Some(format!("{}: here `{a}`, gcc `{b}`", keep(&format!("library-{seed}.c"), &text).display()))
}

#[test]
fn library_results_agree_with_gcc() {
    if !oracle::gcc_for(Arch::Lp64) {
        say("skipped: gcc cannot build programs here");
        return;
    }
    let (count, first) = (env_number("PLUMB_LIBRARY_COUNT", 4), env_number("PLUMB_LIBRARY_SEED", 1));
    let reports: Vec<String> =
        parallel(count as usize, |index| check(first + index as u64)).into_iter().flatten().collect();
    assert!(reports.is_empty(), "{} of {count} programs differ:\n{}", reports.len(), reports.join("\n"));
}
