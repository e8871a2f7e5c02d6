//! The programs that laws are tested on.

use crate::generate;
use plumb_c::driver::{FrontOptions, load_program};
use plumb_c::target::Target;
use plumb_ir::program::Program;
use plumb_ir::property::{CheckSelection, PropertySet};
use plumb_ir::{PrepareOptions, prepare};
use std::path::{Path, PathBuf};

/// What random programs seldom do: endless loops with states that do not matter, allocation that decides about checks,
/// addresses that are looked at, functions that end the run, pointers to functions.
const SMALL: &[&str] = &[
    "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); typedef unsigned long size_t;
     int idle, noise[4], speed; static void log_it(int v) { noise[v & 3] += v; idle++; }
     static int ramp(int v) { return v > 3 ? v - 1 : v + 1; }
     int main(void) { int ticks = 0; for (;;) { int c = __VERIFIER_nondet_int();
       if (idle & 1) log_it(c); else noise[0]--; ticks = ramp(ticks); if (c == 5) speed++; else if (c < 0) speed = 0;
       if (speed > 2) reach_error(); } }",
    "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); typedef __typeof__(sizeof 0) size_t;
     extern void *malloc(size_t); extern void free(void *); int *keep, *other, sum;
     static void drop(void) { free(keep); } static void spare(void) { other = malloc(8); if (other) *other = 3; }
     int main(void) { keep = malloc(4); if (!keep) return 1; *keep = __VERIFIER_nondet_int(); spare(); sum += *keep;
       if (*keep > 3) { drop(); spare(); } if (__VERIFIER_nondet_int() & 1) sum += *keep; if (keep == other) reach_error(); return 0; }",
    "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); extern void exit(int); extern void abort(void);
     extern void __VERIFIER_assume(int); int depth, trace[8], errors; static int fact(int n) { trace[n & 7] = n; return n < 2 ? 1 : n * fact(n - 1); }
     static void quit(int code) { errors++; if (code > 2) exit(code); if (code == 2) abort(); }
     static int twice(int x) { return x + x; } static int less(int x) { return x - 1; } int (*op)(int) = twice;
     int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 6); depth = fact(n); quit(__VERIFIER_nondet_int() & 3);
       if (__VERIFIER_nondet_int() & 1) op = less; int m = op(n); if (m == 4) reach_error(); int waste = 0;
       while (waste < n) waste++; if (depth == 2) reach_error(); return waste; }",
    "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
     struct T { int level; int *where; unsigned char bits[6]; } t[3]; int target, unused[16];
     static void put(struct T *p, int i, int v) { p->bits[i % 6u] = v; p->level += v & 1; if (p->where) *p->where = p->level; }
     static void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
     int main(void) { t[1].where = &target; fill(unused, 16); for (int i = 0; i < 5; i++) { int v = __VERIFIER_nondet_int();
       put(&t[i % 3], i, v); if (v == 9) fill(unused + i, 2); } if (target > 1) reach_error(); return unused[3]; }",
    "extern int __VERIFIER_nondet_int(void); extern int read_sensor(void); extern int printf(const char *, ...);
     struct R { int w; unsigned char h; } rects[3]; int gain = 2, table[4] = { 1, 2, 3, 4 }, sum; const int fixed[4] = { 5, 6, 7, 8 };
     static int area(const struct R *r) { return r->w * r->h; } static int by_value(struct R r, int k) { return r.w - r.h + k; }
     static int pick(int i) { printf(\"%d %s\", i, i ? \"yes\" : \"no\"); return table[i & 3] + fixed[i & 3] * gain; }
     static int total(const int *a) { int s = 0; for (int i = 0; i < 4; i++) s += a[i]; return s; }
     static int sense(int low) { int v = read_sensor() & 7; return v < low ? low : v; }
     static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
     static int middle(int a, int b, int c) { int t[3]; t[0] = a; t[1] = b; t[2] = c; if (t[0] > t[1]) swap(t, t + 1);
       if (t[1] > t[2]) swap(t + 1, t + 2); if (t[0] > t[1]) swap(t, t + 1); return t[gain == 9 ? 2 : 1]; }
     static int powers(int n) { unsigned char t[5]; for (int i = 0; i < 5; i++) t[i] = i * n + gain; return t[n % 5u]; }
     static int steps(int n) { return n <= 0 ? 0 : 1 + steps(n / 2) + table[0]; }
     int main(void) { int mine[4] = { 0 }; for (int i = 0; i < 30; i++) { int v = __VERIFIER_nondet_int() & 3;
       rects[v % 3].w = v; rects[v % 3].h = i & 1; gain = v & 1; table[i & 3] = v >> 1; mine[v] = i & 1; int a = i & 1;
       swap(&a, &sum); sum += area(&rects[v % 3]); sum += by_value(rects[a & 1], v); sum += pick(v); sum += total(table);
       sum += total(mine); sum += sense(v); sum += middle(v, i & 3, a & 3); sum += steps(v); sum += powers(v); sum &= 7; } return sum; }",
    "extern int __VERIFIER_nondet_int(void); int total; struct P { int x; short y[2]; };
     static void divide(int v, int *low, int *high) { *low = v & 7; *high = v >> 3; }
     static void sum(int n, int *out) { if (n <= 0) { *out = 0; return; } int below = 9; sum(n - 1, &below); *out = below + n; }
     static void both(int *a, int *b) { *a += 1; *b += 2; if (a == b) total++; }
     static void move(struct P *p, int by) { p->x += by; p->y[by & 1] = by; if (p->x < 0) p->x = 0; }
     static void fill(int *a, int n) { for (int i = 0; i < n; i++) a[i] = n - i; }
     static int count(struct P p) { p.x++; return p.x + p.y[0]; } static void twice(int *p) { both(p, p); }
     int main(void) { int l = 0, h = 0, s, a[3] = { 0 }; struct P p = { 0 }; for (int i = 0; i < 8; i++) { int v = __VERIFIER_nondet_int();
       divide(v, &l, &h); sum(v & 7, &s); both(&l, &h); both(&l, &l); both(&total, &h); move(&p, v & 3); fill(a, 1 + (v & 1));
       twice(&s); h ^= count(p); } return a[0]; }",
];

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Runs a law on random programs and on the examples, with a seed for each.
pub fn for_each_program(name: &str, mut law: impl FnMut(&Program, u64)) {
    let folder = std::env::temp_dir().join(format!("plumb-derive-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("temporary files can be made");
    let first = number("PLUMB_DERIVE_SEED", 1);
    for seed in first..first + number("PLUMB_DERIVE_COUNT", 60) {
        let file = folder.join("program.i");
        std::fs::write(&file, generate::program(seed)).expect("temporary files can be written");
        law(&program(&[file], seed), seed);
    }
    for (text, seed) in SMALL.iter().zip(1..) {
        let file = folder.join("small.i");
        std::fs::write(&file, text).expect("temporary files can be written");
        // Every list of checks, promoted and not.
        let rounds = number("PLUMB_DERIVE_ROUNDS", 10);
        (0..rounds).for_each(|round| law(&program(std::slice::from_ref(&file), round), seed * 10 + round));
    }
    let _ = std::fs::remove_dir_all(&folder);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (files, seed) in [
        &["charger/charger.c", "charger/bench.c"][..],
        &["cruise/cruise.c"],
        &["elevator/elevator.c"],
        &["incubator/incubator.c"],
        &["traffic/traffic.c"],
    ]
    .into_iter()
    .zip(1..)
    {
        let files: Vec<PathBuf> = files.iter().map(|file| examples.join(file)).collect();
        law(&program(&files, seed), seed);
    }
}

fn program(files: &[PathBuf], seed: u64) -> Program {
    let target = if seed % 3 == 2 { Target::ILP32 } else { Target::LP64 };
    let front =
        FrontOptions { target: Some(target), library: Some(plumb_ir::library::source), ..FrontOptions::default() };
    let mut loaded = load_program(files, &front).unwrap_or_else(|failed| panic!("{:?}", failed.diags));
    let mut properties = PropertySet::default();
    if seed.is_multiple_of(2) {
        let checks = ["all", "overflow", "bounds,pointer", "div-by-zero,shift,conversion"][seed as usize / 2 % 4];
        properties.checks.add_all(CheckSelection::parse(checks).expect("a list of checks"));
    }
    let options = PrepareOptions { promotion: seed % 5 != 4, ..PrepareOptions::default() };
    let program = prepare(&loaded.hir, &properties, &options, &mut loaded.diags);
    let program = program.unwrap_or_else(|| panic!("{:?}", loaded.diags));
    assert_eq!(plumb_ir::verify::verify(&program), Vec::<String>::new());
    program
}
