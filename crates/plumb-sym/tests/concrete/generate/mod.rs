//! Small random C programs with inputs: structures, unions, bit-fields, pointers into them, copies of ranges, heap, function
//! pointers, floats, recursion, loops with breaks, jumps. What they compute ends up in globals.
//!
//! Offsets are kept inside of objects; divisors may be zero now and then.

mod expr;

use plumb_exec::Rng;
use std::fmt::Write;

const HEAD: &str = "\
typedef unsigned long size_t;
extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void *realloc(void *, size_t); extern void free(void *);
extern void *memcpy(void *, const void *, size_t); extern void *memmove(void *, const void *, size_t);
extern void *memset(void *, int, size_t); extern size_t strlen(const char *); extern char *strcpy(char *, const char *);
extern int memcmp(const void *, const void *, size_t);
extern void reach_error(void); extern void __VERIFIER_assume(int);
extern signed char __VERIFIER_nondet_char(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void); extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern long long __VERIFIER_nondet_longlong(void); extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern _Bool __VERIFIER_nondet_bool(void); extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
typedef long long ll; typedef unsigned long long ull; typedef unsigned char u8; typedef signed char i8;
struct S { i8 c; short s; int i; ll l; unsigned b1 : 3; int b2 : 5; ull b3 : 37; _Bool b4 : 1; int arr[4]; u8 t; float f; };
union U { int i; u8 b[8]; float f; ll l; struct { short lo, hi; } h; double d; struct { unsigned x : 5; int y : 11; } z; };
struct __attribute__((packed)) K { u8 c; int i; short s; ll l; };
struct __attribute__((packed)) A { int a; int b; }; struct __attribute__((packed)) B { short s; ll l; };
struct __attribute__((packed)) C { u8 c; int i; int j; };
union W { struct A x; struct B y; struct C z; u8 raw[12]; double d; }; union W wu, wa[4];
struct Q { int k; int *p; short z; };
struct N { int v; struct N *next; };
i8 gc; u8 guc = 7; short gs = -3; unsigned short gus; int gi = 5; unsigned gu; ll gl; ull gul = 1; _Bool gb;
float gf = 1.5f; double gd; long double ge; int gj, gk = 2;
i8 ac[8]; unsigned short as[8] = {1, 2, 3}; int ai[8] = {4, 5, 6, 7}; ll al[8]; float af[8]; double ad[8]; _Bool ab[8];
int big[100] = {9, 8, 7}; u8 bytes[200]; u8 small[24]; ull wide[80]; char str[16] = \"hello\";
const int table[64] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
struct S s0, s1 = {1, 2, 3, 4, 5, 6, 7, 1}, sa[4]; union U u0, ua[4]; struct K k0, ka[4];
struct Q q0 = {1, &gi, 2}, q1 = {3, &ai[1], 4}, qa[4] = {{0, &gj}, {0, &gk}, {0, &ai[3]}, {0, &s0.i}};
int *ip[4] = {&gi, &ai[2], &s0.i, &big[5]}; struct S *sp = &s0; u8 *bp = bytes; int *hp; struct N *list; int listed;
struct R { int *p; u8 v; }; struct R ra[70] = {[0 ... 69] = {&gj, 1}}; int *pp[80] = {[0 ... 79] = &gk}; int **pq = &ip[1];
union P { int *p; size_t n; u8 b[sizeof(int *)]; } pi = {&ai[4]}; size_t num; int grid[5][7]; long double le[4];
struct X { long double d; i8 c; } xx, xa[3]; float bigf[90]; void *vp = &gi; union U uu[40]; _Bool flags[100];
void bump(int *p, int n) { *p += n; }
void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
int *choose(int c, int *a, int *b) { if (c & 4) return a; return b; }
";

const NONDET: [(&str, &str); 9] = [
    ("i8", "char"),
    ("u8", "uchar"),
    ("short", "short"),
    ("unsigned short", "ushort"),
    ("int", "int"),
    ("unsigned", "uint"),
    ("ll", "longlong"),
    ("ull", "ulonglong"),
    ("_Bool", "bool"),
];

/// The text of a program.
pub fn program(seed: u64) -> String {
    let mut g = Generator {
        rng: Rng(seed),
        out: String::new(),
        indent: 1,
        locals: Vec::new(),
        label: 0,
        depth: 0,
        loops: 0,
        main: false,
    };
    g.functions();
    let body = g.main();
    format!("{HEAD}{}{body}", g.out)
}

struct Generator {
    rng: Rng,
    out: String,
    indent: usize,
    /// Scalar locals in scope that may be read and written.
    locals: Vec<String>,
    label: u32,
    depth: u32,
    loops: u32,
    /// In `main`, where all functions may be called.
    main: bool,
}

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.indent);
        let _ = writeln!(self.out, "{indent}{text}");
    }

    fn assign(&mut self) {
        let place = self.place(2);
        let e = self.expr(3);
        let op = self.pick(&["=", "=", "=", "+=", "-=", "^=", "|=", "&=", "*="]);
        match self.below(10) {
            0 => self.line(&format!("{place}++;")),
            1 => self.line(&format!("--{place};")),
            _ => self.line(&format!("{place} {op} {e};")),
        }
    }

    fn copies(&mut self) {
        let (i, j, n) = (self.index(8, 1), self.index(8, 1), self.index(16, 1));
        let text = match self.below(14) {
            0 => format!("memcpy(small + {i}, bytes + {j}, {n});"),
            1 => format!("memmove(small + {i}, small + {j}, {n});"),
            2 => format!("memset(small + {i}, {}, {n});", self.expr(1)),
            3 => format!("memset((u8 *)ai + {i}, {}, {n});", self.expr(1)),
            4 => format!("memcpy(&sa[{}], &s0, sizeof s0);", self.index(4, 1)),
            5 => format!("memcpy((u8 *)&sa[{}] + {i}, small, {n});", self.index(4, 1)),
            6 => format!("{} = {};", self.structure(1), self.structure(1)),
            7 => format!("ua[{}] = u0;", self.index(4, 1)),
            8 => format!("qa[{}] = q{};", self.index(4, 1), self.below(2)),
            9 => format!("memcpy(&q1, &qa[{}], sizeof q1);", self.index(4, 1)),
            10 => format!("memset(bytes, {}, 200);", self.expr(1)),
            11 => format!("memcpy((u8 *)big + {i} * 4, ai, 16);"),
            12 => format!("memmove((u8 *)big + {i} * 8, (u8 *)big + {j} * 4, {n});"),
            _ => format!("memcpy(&k0, (u8 *)&wide[{}] + {i}, sizeof k0);", self.index(16, 1)),
        };
        self.line(&text);
    }

    /// Pointers among many, pointers as numbers and bytes, objects of unknown size, local objects.
    fn odd(&mut self) {
        let (e, f, p) = (self.expr(2), self.expr(1), self.pointer(1));
        let i = self.index(4, 1);
        // The last ones are often beyond the symbolic side, and end the comparison.
        let kinds = if self.chance(6) { 30 } else { 24 };
        let text = match self.below(kinds) {
            0 => format!("pp[{}] = {p};", self.index(80, 1)),
            1 => format!("*pp[{}] = {e};", self.index(80, 1)),
            2 => format!("gj ^= *pp[{}];", self.index(80, 1)),
            3 => format!("ra[{}].p = {p};", self.index(70, 1)),
            4 => format!("ra[{}].v = {e};", self.index(70, 1)),
            5 => format!("gk += *ra[{}].p;", self.index(70, 1)),
            6 => format!("ra[{}] = ra[{}];", self.index(70, 1), self.index(70, 1)),
            7 => format!("pq = &ip[{i}]; **pq = {e};"),
            8 => format!("pi.p = {p}; *pi.p += {e};"),
            9 => format!("*(int *)((size_t)ai + (({e}) & 7) * 4) = {f};"),
            10 => format!("num = (size_t)&big[{}]; *(int *)num = {e};", self.index(100, 1)),
            11 => format!("gb = ((size_t)ip[{i}] & 3) != 0; gj = (size_t)ip[{i}] == (size_t)&gi;"),
            12 => format!("grid[{}][{}] = {e};", self.index(5, 1), self.index(7, 1)),
            13 => format!("gk -= (&grid[0][0])[{}];", self.index(35, 1)),
            14 => format!("le[{i}] = {}; ge += le[{}];", self.real(2), self.index(4, 1)),
            15 => format!("xa[{}].d = {}; xx = xa[{}];", self.index(3, 1), self.real(1), self.index(3, 1)),
            16 => format!("bigf[{}] = {}; gf = bigf[{}];", self.index(90, 1), self.real(2), self.index(90, 1)),
            17 => format!(
                "{{ int loc[4] = {{1, 2}}; int *lp = ({e}) ? &loc[{i}] : &gi; *lp = {f}; bump(&loc[{i}], 2); gk += loc[1] + *lp; }}"
            ),
            18 => format!("swap(&ip[{i}], &qa[{}].p);", self.index(4, 1)),
            19 => format!("*choose({e}, {p}, &gj) = {f};"),
            20 => format!("vp = ({e}) ? (void *)&s0 : (void *)&ua[1]; ((u8 *)vp)[{}] = {f};", self.index(8, 1)),
            21 => format!("flags[{}] = {e}; gb = flags[{}];", self.index(100, 1), self.index(100, 1)),
            22 => format!(
                "gj = memcmp(small + {i}, bytes + {i}, ({e}) & 7) < 0; strcpy(str, \"ab\" ); str[{i}] = ({f}) | 1;"
            ),
            23 => format!(
                "{{ struct S t = {}; struct S *w = ({e}) ? &t : &s1; w->arr[{i}] = {f}; w->b1 = {e}; sa[{i}] = t; }}",
                self.structure(1)
            ),
            24 => format!("pi.n += ({f}) & 0; *pi.p ^= {e};"),
            25 => format!("memcpy(pi.b, &ip[{i}], sizeof pi); *pi.p = {e};"),
            26 => format!(
                "for (unsigned k = 0; k < sizeof pi; k++) pi.b[k] = ((u8 *)&ip[{i}])[k]; gj = (pi.p == ip[{i}]);"
            ),
            27 => {
                let (a, b) = (self.expr(1), self.expr(1));
                format!(
                    "{{ unsigned n = (({e}) & 15) + 1; int *h = malloc(n * sizeof *h); h[(unsigned)({a}) % n] = {f}; \
                     gk += h[(unsigned)({b}) % n]; memset(h, 1, n * 4); gj = h[(unsigned)({b}) % n]; free(h); }}"
                )
            }
            28 => format!("uu[{}].{} = {e};", self.index(40, 1), self.pick(&["i", "l", "h.hi", "z.y", "b[3]"])),
            _ => format!("gl ^= uu[{}].{};", self.index(40, 1), self.pick(&["i", "l", "h.lo", "z.x", "b[5]"])),
        };
        self.line(&text);
    }

    fn simple(&mut self) {
        if self.chance(25) {
            return self.odd();
        }
        match self.below(24) {
            0..=7 => self.assign(),
            8 | 9 => self.copies(),
            10 => {
                let (k, p) = (self.index(4, 1), self.pointer(2));
                self.line(&format!("ip[{k}] = {p};"));
            }
            11 => {
                let p = self.pointer(2);
                let q = if self.chance(50) { "q0".to_string() } else { format!("qa[{}]", self.index(4, 1)) };
                self.line(&format!("{q}.p = {p};"));
            }
            12 => {
                let (c, i, s) = (self.expr(1), self.index(4, 1), self.below(2));
                self.line(&format!("sp = ({c}) ? &sa[{i}] : &s{s};"));
            }
            13 | 14 => {
                let e = self.real(3);
                let to = match self.below(5) {
                    0 => "gf".to_string(),
                    1 => "gd".to_string(),
                    2 => "ge".to_string(),
                    3 => format!("af[{}]", self.index(8, 1)),
                    _ => format!("ad[{}]", self.index(8, 1)),
                };
                self.line(&format!("{to} = {e};"));
            }
            15 => {
                let e = self.real(2);
                let i = self.index(4, 1);
                self.line(&format!("{{ float t = {e}; if (t == t) ua[{i}].f = t; }}"));
            }
            16 => {
                let (ty, name) = NONDET[self.below(NONDET.len())];
                let place = self.place(1);
                self.line(&format!("{place} = ({ty})__VERIFIER_nondet_{name}();"));
            }
            17 => {
                let to = self.pick(&["gf", "gd", "ge", "af[1]", "ad[2]"]);
                let name = self.pick(&["float", "double"]);
                self.line(&format!("{to} = __VERIFIER_nondet_{name}();"));
            }
            18 => match self.below(4) {
                0 => {
                    let (e, i) = (self.expr(1), self.below(5));
                    self.line(&format!("free(hp); hp = malloc(24 + (({e}) & 7)); hp[{i}] = 3; hp[5] = gi;"));
                }
                1 => self.line("hp = realloc(hp, 32); hp[7] = hp[0];"),
                2 => self.line("free(hp); hp = calloc(8, 4);"),
                _ => {
                    let (i, e) = (self.index(6, 1), self.expr(2));
                    self.line(&format!("hp[{i}] = {e};"));
                }
            },
            19 => match self.below(3) {
                0 => {
                    let e = self.expr(2);
                    self.line(&format!(
                        "{{ struct N *n = malloc(sizeof *n); n->v = {e}; n->next = list; list = n; listed++; }}"
                    ));
                }
                1 => self.line("if (list) { struct N *n = list; list = n->next; gj += n->v; free(n); listed--; }"),
                _ => self.line("{ struct N *n; for (n = list; n; n = n->next) { gk ^= n->v; n->v++; } }"),
            },
            20 => {
                let e = self.expr(2);
                self.line(&format!("bp = bytes + (({e}) & 127);"));
            }
            21 => {
                let e = self.expr(3);
                if self.chance(30) {
                    self.line(&format!("if (({e}) == 12345) reach_error();"));
                } else {
                    self.line(&format!("__VERIFIER_assume(({e}) != 77);"));
                }
            }
            22 if self.main => {
                let c = self.call(2);
                self.line(&format!("gj = {c};"));
            }
            _ => self.assign(),
        }
    }

    fn block(&mut self, count: usize) {
        self.indent += 1;
        self.depth += 1;
        for _ in 0..count {
            self.statement();
        }
        self.depth -= 1;
        self.indent -= 1;
    }

    fn statement(&mut self) {
        if self.depth >= 3 {
            return self.simple();
        }
        match self.below(20) {
            0..=2 => {
                let e = self.expr(2);
                self.line(&format!("if ({e}) {{"));
                let n = 1 + self.below(3);
                self.block(n);
                if self.chance(60) {
                    self.line("} else {");
                    self.block(2);
                }
                self.line("}");
            }
            3 if self.loops < 2 => {
                self.loops += 1;
                let (name, e) = (format!("c{}", self.label), self.expr(1));
                self.label += 1;
                self.line(&format!("for (int {name} = 0; {name} < (({e}) & 3); {name}++) {{"));
                let n = 1 + self.below(2);
                self.block(n);
                if self.chance(40) {
                    let (e, way) = (self.expr(2), self.pick(&["break", "continue"]));
                    self.line(&format!("  if ({e}) {way};"));
                    self.block(1);
                }
                self.line("}");
                self.loops -= 1;
            }
            4 if self.loops < 2 => {
                self.loops += 1;
                let name = format!("w{}", self.label);
                self.label += 1;
                self.line(&format!("{{ int {name} = 0; do {{"));
                self.block(1);
                let e = self.expr(2);
                self.line(&format!("}} while (++{name} < 4 && ({e})); }}"));
                self.loops -= 1;
            }
            5 => {
                let e = self.expr(2);
                self.line(&format!("switch (({e}) & 7) {{"));
                for value in 0..3 {
                    self.line(&format!("case {value}:"));
                    self.block(1);
                    if self.chance(70) {
                        self.line("  break;");
                    }
                }
                if self.chance(50) {
                    self.line("case 4 ... 6: gk++; break;");
                    self.line("default:");
                    self.block(1);
                }
                self.line("}");
            }
            6 => {
                let (label, e) = (self.label, self.expr(2));
                self.label += 1;
                self.line(&format!("if ({e}) goto L{label};"));
                self.block(2);
                self.line(&format!("L{label}:;"));
            }
            7 => {
                let (label, e, f) = (self.label, self.expr(1), self.expr(2));
                self.label += 1;
                self.line(&format!("{{ int v{label}[(({e}) & 3) + 2]; v{label}[0] = {f}; v{label}[1] = gi;"));
                self.line(&format!("  gk += v{label}[({f}) & 1]; }}"));
            }
            _ => self.simple(),
        }
    }

    fn functions(&mut self) {
        for (i, extra) in [(0, ""), (1, "static int kept = 3; kept += x; y ^= kept; ")] {
            let _ = writeln!(self.out, "int f{i}(int x, int y) {{ {extra}");
            self.locals = vec!["x".into(), "y".into()];
            self.block(3);
            let e = self.expr(2);
            let _ = writeln!(self.out, "  return {e};\n}}");
        }
        self.locals = vec!["n".into(), "x".into()];
        let (e, f) = (self.expr(2), self.expr(2));
        let _ = writeln!(self.out, "int rec(int n, int x) {{ int t[2]; if (n <= 0 || n > 3) return x; t[0] = {e};");
        let _ = writeln!(self.out, "  t[1] = rec(n - 1, x + t[0]); return t[n & 1] + (t[0] ^ ({f})); }}");
        self.locals = vec!["x".into()];
        let (e, f) = (self.expr(2), self.expr(2));
        let _ = writeln!(
            self.out,
            "struct S take(struct S a, int x) {{ a.i += {e}; a.b2 = {f}; if (x & 1) s1 = a; return a; }}"
        );
        let _ = writeln!(
            self.out,
            "int f2(int x, int y) {{ return x - y; }}\nint f3(int x, int y) {{ gi = x; return f0(y, x); }}"
        );
        let _ = writeln!(self.out, "int (*ft[4])(int, int) = {{f0, f1, f2, f3}};");
        let _ = writeln!(
            self.out,
            "int va(int n, ...) {{ __builtin_va_list l; int t = 0; __builtin_va_start(l, n); \
             for (int i = 0; i < n && i < 3; i++) t += (int)__builtin_va_arg(l, int); __builtin_va_end(l); return t; }}"
        );
    }

    fn main(&mut self) -> String {
        let before = std::mem::take(&mut self.out);
        self.main = true;
        self.locals.clear();
        let _ = writeln!(
            self.out,
            "int main(void) {{\n  hp = malloc(24); struct S in; union U un; int la[4]; struct K kk;"
        );
        for i in 0..2 + self.below(4) {
            let (ty, name) = NONDET[self.below(NONDET.len())];
            let _ = writeln!(self.out, "  {ty} x{i} = __VERIFIER_nondet_{name}();");
            self.locals.push(format!("x{i}"));
        }
        for extra in
            ["in.i", "in.b2", "in.arr[1]", "un.i", "un.h.hi", "la[2]", "la[gi & 3]", "kk.i", "kk.l", "un.b[gj & 7]"]
        {
            if self.chance(40) {
                self.locals.push(extra.into());
            }
        }
        for _ in 0..12 + self.below(14) {
            self.statement();
        }
        if self.chance(50) {
            self.line("s1 = in; u0 = un; k0 = kk; gj += la[1];");
        }
        let _ = writeln!(self.out, "  return gi & 127;\n}}");
        std::mem::replace(&mut self.out, before)
    }
}
