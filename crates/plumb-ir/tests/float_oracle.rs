//! Float semantics against the host's C compiler: every operator on a grid of awkward values, in all three formats.
//!
//! The test compiles a C program that prints the bits of each result and compares them with [`plumb_ir::fold`]. NaNs are
//! equal whatever their bits. It runs on x86-64, whose out-of-range conversions the IR follows.
#![cfg(target_arch = "x86_64")]

use plumb_c::target::Target;
use plumb_ir::expr::{BinOp, CastOp, Sign, UnOp};
use plumb_ir::fold;
use plumb_ir::ty::{Bits, FloatFormat, Ty};
use std::process::Command;

const PROGRAM: &str = r#"
#include <math.h>
#include <stdio.h>
#include <string.h>
typedef unsigned long long u64;
typedef unsigned __int128 u128;
static void show(const void *p, int n) {
  const unsigned char *b = p; for (int i = n - 1; i >= 0; i--) printf("%02x", b[i]); putchar('\n');
}
#define OUT(T, n, e) do { T r_ = (e); show(&r_, n); } while (0)
#define INT(T, e) do { T r_ = (T)(e); show(&r_, sizeof r_); } while (0)
#define UNARY(T, n, sfx, x) \
  OUT(T, n, -x); OUT(T, n, fabs##sfx(x)); OUT(T, n, sqrt##sfx(x)); OUT(T, n, floor##sfx(x)); OUT(T, n, ceil##sfx(x)); \
  OUT(T, n, trunc##sfx(x)); OUT(T, n, round##sfx(x)); OUT(T, n, rint##sfx(x)); \
  INT(char, isnan(x) != 0); INT(char, isinf(x) != 0); INT(char, isnormal(x) != 0); INT(char, signbit(x) != 0); \
  INT(signed char, x); INT(unsigned char, x); INT(short, x); INT(unsigned short, x); INT(int, x); INT(unsigned, x); \
  INT(long long, x); INT(u64, x); OUT(float, 4, (float)x); OUT(double, 8, (double)x); OUT(long double, 10, (long double)x);
#define BINARY(T, n, sfx, x, y) \
  OUT(T, n, x + y); OUT(T, n, x - y); OUT(T, n, x * y); OUT(T, n, x / y); OUT(T, n, fmod##sfx(x, y)); \
  OUT(T, n, remainder##sfx(x, y)); OUT(T, n, fmin##sfx(x, y)); OUT(T, n, fmax##sfx(x, y)); OUT(T, n, copysign##sfx(x, y)); \
  INT(char, x == y); INT(char, x != y); INT(char, x < y); INT(char, x <= y); OUT(T, n, fma##sfx(x, y, (T)1.1));
#define INTS(e) OUT(float, 4, (float)(e)); OUT(double, 8, (double)(e)); OUT(long double, 10, (long double)(e));
static volatile long double values[] = { VALUES };
int main(void) {
  int count = sizeof values / sizeof *values;
  for (int i = 0; i < count; i++) {
    volatile float f = (float)values[i]; volatile double d = (double)values[i]; volatile long double l = values[i];
    UNARY(float, 4, f, f) UNARY(double, 8, , d) UNARY(long double, 10, l, l)
    for (int j = 0; j < count; j++) {
      volatile float f2 = (float)values[j]; volatile double d2 = (double)values[j]; volatile long double l2 = values[j];
      BINARY(float, 4, f, f, f2) BINARY(double, 8, , d, d2) BINARY(long double, 10, l, l, l2)
    }
  }
  for (int i = 0; i < 128; i++)
    for (int k = -2; k <= 2; k++) {
      u128 v = ((u128)1 << i) + ((u128)1 << (i > 52 ? i - 53 : 0)) + k;
      volatile u128 u = v; volatile __int128 s = v; volatile u64 u6 = v; volatile long long s6 = v;
      INTS(u) INTS(s) INTS(u6) INTS(s6)
    }
}
"#;

/// Values as C spells them, and as bits of an x87 number made by the fold under test from hexadecimal parts.
const VALUES: &[&str] = &[
    "0.0L",
    "-0.0L",
    "1.0L",
    "-1.0L",
    "0.5L",
    "1.5L",
    "2.5L",
    "-2.5L",
    "3.0L",
    "0.1L",
    "-7.25L",
    "1e10L",
    "-1e10L",
    "127.5L",
    "128.0L",
    "255.9L",
    "256.0L",
    "-128.9L",
    "-129.0L",
    "32768.0L",
    "70000.0L",
    "-40000.0L",
    "2147483647.5L",
    "2147483648.0L",
    "-2147483648.9L",
    "-2147483649.0L",
    "4294967295.5L",
    "4294967296.0L",
    "9223372036854775807.0L",
    "9223372036854775808.0L",
    "-9223372036854775808.0L",
    "18446744073709551615.0L",
    "18446744073709551616.0L",
    "1e30L",
    "-1e30L",
    "3.4028234e38L",
    "3.4028236e38L",
    "1e-40L",
    "1e-45L",
    "1.7976931348623157e308L",
    "1e309L",
    "4e-324L",
    "2.2250738585072014e-308L",
    "1.1e4932L",
    "3.6e-4951L",
    "1e-4940L",
    "3.3621e-4932L",
    "-1e-4945L",
    "1.0L/3",
    "123456789.123456789L",
    "0x1.fffffffffffffffep0L",
    "0x1.000001p0L",
    "0x1.0000010000000002p0L",
    "0x1.00000000000008p0L",
    "(long double)INFINITY",
    "-(long double)INFINITY",
    "(long double)NAN",
];

struct Answers {
    lines: std::vec::IntoIter<u128>,
    count: usize,
}

impl Answers {
    fn next(&mut self) -> u128 {
        self.count += 1;
        self.lines.next().expect("the program prints one line for each question")
    }

    fn check_float(&mut self, format: FloatFormat, ours: Bits, what: &dyn Fn() -> String) {
        let theirs = self.next();
        let is_nan = |bits| !fold::unary(UnOp::IsNan, Ty::Float(format), bits, &Target::LP64).is_zero();
        let both_nan = is_nan(ours) && is_nan(Bits::new(theirs, 128));
        assert!(both_nan || ours.u128() == theirs, "{}: ours {ours:?}, theirs {theirs:#x}", what());
    }

    fn check(&mut self, ours: Bits, what: &dyn Fn() -> String) {
        let theirs = self.next();
        assert_eq!(ours.u128(), theirs, "{}", what());
    }
}

fn run(program: &str) -> Answers {
    let dir = std::env::temp_dir().join(format!("plumb-float-oracle-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (source, binary) = (dir.join("t.c"), dir.join("t"));
    std::fs::write(&source, program).unwrap();
    let built = Command::new("gcc").args(["-O0", "-w", "-o"]).args([&binary, &source]).arg("-lm").status().unwrap();
    assert!(built.success());
    let output = Command::new(&binary).output().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<u128> = text.lines().map(|l| u128::from_str_radix(l, 16).unwrap()).collect();
    Answers { lines: lines.into_iter(), count: 0 }
}

const FORMATS: [FloatFormat; 3] = [FloatFormat::F32, FloatFormat::F64, FloatFormat::X87];

fn unary_answers(answers: &mut Answers, format: FloatFormat, x: Bits) {
    let target = &Target::LP64;
    let ty = Ty::Float(format);
    let float_ops = [UnOp::Neg, UnOp::Abs, UnOp::Sqrt, UnOp::Floor, UnOp::Ceil, UnOp::Trunc, UnOp::Round, UnOp::Rint];
    for op in float_ops {
        answers.check_float(format, fold::unary(op, ty, x, target), &|| format!("{op:?} {format:?} {x:?}"));
    }
    for op in [UnOp::IsNan, UnOp::IsInf, UnOp::IsNormal, UnOp::IsNegative] {
        // The sign of a NaN is unspecified, and C's macros report what they see.
        let ours = fold::unary(op, ty, x, target);
        answers.check(ours, &|| format!("{op:?} {format:?} {x:?}"));
    }
    for width in [8u8, 16, 32, 64] {
        for sign in [Sign::Signed, Sign::Unsigned] {
            let ours = fold::cast(CastOp::FloatToInt(sign), ty, Ty::Int(width), x, target);
            let theirs = answers.next();
            // From x87, compilers convert to 8 and 16 bits by an instruction of 16 bits: the IR knows only one way.
            let wide = fold::cast(CastOp::FloatToInt(Sign::Signed), ty, Ty::Int(32), x, target).signed(32);
            if format == FloatFormat::X87 && width < 32 && i16::try_from(wide).is_err() {
                continue;
            }
            assert_eq!(ours.u128(), theirs, "{format:?} {x:?} to {sign:?} i{width}");
        }
    }
    for to in FORMATS {
        let ours = fold::cast(CastOp::FloatToFloat, ty, Ty::Float(to), x, target);
        answers.check_float(to, ours, &|| format!("{format:?} {x:?} to {to:?}"));
    }
}

fn binary_answers(answers: &mut Answers, format: FloatFormat, x: Bits, y: Bits) {
    let target = &Target::LP64;
    let ty = Ty::Float(format);
    let ops = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
        BinOp::Rem,
        BinOp::IeeeRem,
        BinOp::Min,
        BinOp::Max,
        BinOp::Copysign,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::Lt,
        BinOp::Le,
    ];
    for op in ops {
        let ours = fold::binary(op, Sign::Plain, ty, x, y, target);
        let what = || format!("{op:?} {format:?} {x:?} {y:?}");
        if op.is_comparison() {
            answers.check(ours, &what);
        } else if matches!(op, BinOp::Min | BinOp::Max)
            && !fold::binary(BinOp::Eq, Sign::Plain, ty, x, y, target).is_zero()
        {
            // Which of two zeros is returned differs between libraries.
            answers.next();
        } else {
            answers.check_float(format, ours, &what);
        }
    }
    let one_point_one = fold::cast(CastOp::FloatToFloat, Ty::Float(FloatFormat::F64), ty, f64_bits(1.1), target);
    let ours = fold::fma(format, x, y, one_point_one);
    answers.check_float(format, ours, &|| format!("fma {format:?} {x:?} {y:?}"));
}

fn f64_bits(value: f64) -> Bits {
    Bits::new(value.to_bits() as u128, 64)
}

#[test]
fn floats_agree_with_gcc() {
    let target = &Target::LP64;
    let program = PROGRAM.replace("VALUES", &VALUES.join(", "));
    let mut answers = run(&program);
    // The values themselves come from C too: a first program prints them in the three formats.
    let printer = r#"
#include <math.h>
#include <stdio.h>
static void show(const void *p, int n) { const unsigned char *b = p; while (n--) printf("%02x", b[n]); putchar('\n'); }
static volatile long double values[] = { VALUES };
int main(void) {
  for (int i = 0; i < (int)(sizeof values / sizeof *values); i++) {
    volatile float f = (float)values[i]; volatile double d = (double)values[i]; long double l = values[i];
    show((void *)&f, 4); show((void *)&d, 8); show(&l, 10);
  }
}"#;
    let mut printed = run(&printer.replace("VALUES", &VALUES.join(", ")));
    let values: Vec<[Bits; 3]> = VALUES.iter().map(|_| [0; 3].map(|_: i32| Bits::new(printed.next(), 128))).collect();
    for x in &values {
        for (format, &x) in FORMATS.into_iter().zip(x) {
            unary_answers(&mut answers, format, x);
        }
        for y in &values {
            for (i, format) in FORMATS.into_iter().enumerate() {
                binary_answers(&mut answers, format, x[i], y[i]);
            }
        }
    }
    for i in 0..128 {
        for k in -2i128..=2 {
            let low = if i > 52 { i - 53 } else { 0 };
            let value = (1u128 << i).wrapping_add(1 << low).wrapping_add(k as u128);
            for (width, sign) in [(128, Sign::Unsigned), (128, Sign::Signed), (64, Sign::Unsigned), (64, Sign::Signed)]
            {
                for to in FORMATS {
                    let from = Bits::new(value, width as u32);
                    let ours = fold::cast(CastOp::IntToFloat(sign), Ty::Int(width), Ty::Float(to), from, target);
                    answers.check_float(to, ours, &|| format!("{sign:?} i{width} {value:#x} to {to:?}"));
                }
            }
        }
    }
    assert_eq!(answers.lines.next(), None);
    assert!(answers.count > 100_000);
}
