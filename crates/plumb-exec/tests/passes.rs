//! Passes on whole programs: from C to a run, with and without promotion, with and without checks.

use plumb_c::diag::Diagnostics;
use plumb_c::names::Names;
use plumb_c::parse::parse_unit;
use plumb_c::source::SourceMap;
use plumb_c::target::Target;
use plumb_exec::{CompileOptions, Image, Limits, Machine, Outcome, Output, ZeroInputs};
use plumb_ir::lower::{LowerOptions, lower};
use plumb_ir::program::Program;
use plumb_ir::promote::promote;
use plumb_ir::property::{CheckSelection, PropertySet, instrument};
use plumb_ir::verify::verify;
use std::sync::Arc;

fn program(source: &str, target: Target) -> Program {
    let mut sources = SourceMap::new();
    sources.add("test.c", source.to_string()).unwrap();
    sources.add("<library>", plumb_ir::library::all(&target)).unwrap();
    let sources = Arc::new(sources);
    let (mut names, mut diags) = (Names::new(), Diagnostics::new());
    let units: Vec<_> = sources.units().iter().map(|unit| parse_unit(unit, &mut names, &mut diags)).collect();
    assert!(!diags.has_errors(), "{diags:?}");
    let hir = plumb_c::sema::check(&units[..1], Some(&units[1]), sources.clone(), names, target, &mut diags);
    let hir = hir.unwrap_or_else(|| panic!("{diags:?}"));
    let program =
        lower(&hir, &LowerOptions::default(), &PropertySet::none(), &mut diags).unwrap_or_else(|| panic!("{diags:?}"));
    assert_eq!(verify(&program), Vec::<String>::new());
    program
}

/// How a run with all inputs zero ends, and what it prints.
fn run(program: &Program) -> (String, Vec<u8>) {
    let image = Arc::new(Image::compile(program, &CompileOptions::default()).unwrap());
    let mut machine = Machine::new(image);
    machine.set_output(Output::Capture(Vec::new()));
    let outcome = match machine.run(&mut ZeroInputs, Limits::steps(10_000_000)) {
        Outcome::CheckFailed { check, .. } => program.check(check).kind.name().to_string(),
        Outcome::Fault { kind, .. } => format!("fault: {kind}"),
        Outcome::Exited(code) => format!("exit {code}"),
        other => format!("{other:?}"),
    };
    (outcome, machine.output().captured().to_vec())
}

const EXTERNS: &str = "typedef __typeof__(sizeof 0) size_t; void *malloc(size_t); void free(void *); int printf(const char *, ...);\n\
                       void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);\n\
                       int __VERIFIER_nondet_int(void); void abort(void);\n";

/// Bodies of `main` on aggregates; each prints what it computes.
const AGGREGATES: &[&str] = &[
    "struct { int a; char b; double c; short d[3]; } s = { 1, 2, 3.5, { 4, 5, 6 } }, t = s;
     t.d[1] += s.a; s = t; printf(\"%d %d %g %d %d\\n\", s.a, s.b, s.c, s.d[1], t.d[2]);",
    "struct B { unsigned a : 3, b : 7; int c : 12; long d; } s = { 5, 100, -7, 9 }, *p = malloc(sizeof *p);
     if (!p) return 1; *p = s; s.b = 3; p->c--; s.d = p->d; struct B t = *p; printf(\"%d %d %d %ld\\n\", s.b, t.b, t.c, t.d);",
    "union { int i; float f; } u; u.f = 1.5f; int x = u.i; u.i += 0x400000; printf(\"%x %g\\n\", x, u.f);",
    "union { long l; void *p; } u; int x = 3; u.p = &x; long l = u.l; printf(\"%d\\n\", *(int *)l);",
    "int a[4]; for (int i = 0; i < 4; i++) a[i] = i * i; int b[2] = { a[1], a[3] }; printf(\"%d\\n\", b[0] + b[1]);",
    "struct S { char c; int i; } s, t; memset(&s, 0x11, sizeof s); t = s; t.c = 2; s = t; printf(\"%d %x\\n\", s.c, s.i);",
    "struct L { struct L *next; int v; } a = { 0, 1 }, b = { &a, 2 }, c = { &b, 3 }; struct L n = c; int sum = n.v;
     while (n.next) { n = *n.next; sum += n.v; } printf(\"%d\\n\", sum);",
    "struct { struct { int x, y; } p[2]; } m = { { { 1, 2 }, { 3, 4 } } }; m.p[0] = m.p[1]; m.p[1].y = 9;
     printf(\"%d %d %d\\n\", m.p[0].x, m.p[0].y, m.p[1].y);",
    "struct __attribute__((packed)) { char c; long l; short s; } s = { 1, 2, 3 }, t; t = s; char raw[sizeof t];
     memcpy(raw, &t, sizeof t); printf(\"%d %d %d\\n\", raw[0], raw[1], raw[sizeof t - 2]);",
    "static struct { int n; const char *name; int (*f)(const char *, ...); } g = { 7, \"seven\", printf };
     g.n++; g.f(\"%s %d\\n\", g.name, g.n);",
    "long double l = 1.25L; struct { long double l; int i; } s = { l, 3 }, t = s; t.l *= 2; printf(\"%g %d\\n\", (double)t.l, t.i);",
    "struct { _Bool b; unsigned char c; } s = { 5, 5 }, t; t = s; t.b |= 0; printf(\"%d %d\\n\", t.b, t.c);",
];

#[test]
fn promotion_changes_nothing_that_a_run_shows() {
    for target in [Target::LP64, Target::ILP32] {
        for body in AGGREGATES {
            let before = program(&format!("{EXTERNS}int main(void) {{ {body} return 0; }}"), target);
            let after = promote(&before);
            let (outcome, text) = run(&before);
            assert_eq!(outcome, "exit 0", "{body}");
            assert!(!text.is_empty());
            assert_eq!(run(&after), (outcome, text), "{} {body}", target.name);
        }
    }
}

#[test]
fn promotion_moves_what_it_can_into_registers() {
    let count = |program: &Program| program.functions.iter().map(|f| f.objects.len()).sum::<usize>();
    let before = program(&format!("{EXTERNS}int main(void) {{ {} return 0; }}", AGGREGATES[0]), Target::LP64);
    let after = promote(&before);
    let is_leaf = |name: &str| after.functions.iter().any(|f| f.vars.iter().any(|v| &*v.name == name));
    assert!(count(&after) < count(&before) && is_leaf("t.d[1]") && is_leaf("s.c"));
    assert!(after.inputs.len() >= before.inputs.len());
}

/// Bodies of `main` with the check that must fail, or `exit 0`. The input is always 0.
const CHECKED: &[(&str, &str, &str)] = &[
    ("overflow", "int x = 0x7fffffff + n; x++;", "overflow"),
    ("overflow", "int x = 0x7fffffff; x += n; unsigned u = 0xffffffff; u++;", "exit 0"),
    ("overflow", "int x = -0x7fffffff - 1 - n; x = x / -1;", "overflow"),
    ("overflow", "int x = -0x7fffffff - 1 + n; x = -x;", "overflow"),
    ("overflow", "long x = 1L << 62; x = x * (2 + n);", "overflow"),
    ("overflow", "int x = 1 + n; x = x << 31;", "overflow"),
    ("overflow", "short s = 32767; s = s + 1 + n; signed char c = (signed char)(200 + n);", "exit 0"),
    ("unsigned-overflow", "unsigned u = n; u--;", "unsigned-overflow"),
    ("div-by-zero", "int x = 5 / n;", "div-by-zero"),
    ("div-by-zero", "int x = n && 5 / n; x = n ? 7 % n : 3;", "exit 0"),
    ("shift", "int x = 1 << (32 + n);", "shift"),
    ("shift", "int x = 1 << (n - 1);", "shift"),
    ("shift", "int x = 5 >> (n + ((long)1 << 33));", "shift"),
    ("shift", "int x = (1 << 30) >> (31 + n);", "exit 0"),
    ("conversion", "signed char c = 200 + n;", "conversion"),
    ("conversion", "unsigned u = n - 1;", "conversion"),
    ("conversion", "int x = 3e9 + n;", "conversion"),
    ("conversion", "signed char c = (signed char)(200 + n); unsigned char d = 200 + n;", "exit 0"),
    ("float-nan", "double x = n / 1.0; x = x / x;", "float-nan"),
    ("float-nan", "double x = 1.0 / (n / 1.0);", "exit 0"),
    ("bounds", "int a[4]; a[4 + n] = 1;", "bounds"),
    ("bounds", "int a[4]; int i = n - 1; a[i] = 1;", "bounds"),
    ("bounds", "int a[4] = { 0 }; for (int i = 0; i < 4; i++) a[3 - i] = i + n;", "exit 0"),
    ("pointer", "int *p = (int *)(long)n; *p = 1;", "pointer"),
    ("pointer", "int *p = malloc(4); if (p) { free(p); *p = 1; }", "pointer"),
    ("pointer", "int *p = malloc(8); if (p) { p[2 + n] = 1; }", "pointer"),
    ("pointer", "int *p = malloc(8); if (p) { p[1 + n] = 1; free(p); }", "exit 0"),
    ("pointer", "char b[4]; char *p = b; memset(p, 0, 5 + n);", "pointer"),
    ("double-free", "int *p = malloc(4); if (p) { free(p); free(p); }", "double-free"),
    ("double-free", "int *p = malloc(4); if (p) { free(p + 1); }", "double-free"),
    ("double-free", "int x; free(&x);", "double-free"),
    ("double-free", "free(0); int *p = malloc(4); free(p);", "exit 0"),
    ("leak", "int *p = malloc(4);", "leak"),
    ("leak", "keep = malloc(4);", "exit 0"),
    ("assertion", "assert(n == 0); assert(n == 1);", "assertion"),
    ("assertion", "__VERIFIER_assert(n == 0); __CPROVER_assert(n, \"n\");", "assertion"),
    ("none", "assert(n == 0); reach_error();", "error-call"),
];

#[test]
fn checks_fail_where_they_must_and_nowhere_else() {
    let header = "void assert(int); void __VERIFIER_assert(int); void __CPROVER_assert(_Bool, const char *); void reach_error(void);\n\
                  void *keep;\n";
    for (list, body, expected) in CHECKED {
        let source = format!("{EXTERNS}{header}int main(void) {{ int n = __VERIFIER_nondet_int(); {body} return 0; }}");
        let plain = program(&source, Target::LP64);
        let set = PropertySet { checks: CheckSelection::parse(list).unwrap(), ..PropertySet::default() };
        for (order, checked) in [
            ("checks", instrument(&plain, &set)),
            ("checks, promoted", promote(&instrument(&plain, &set))),
            ("promoted, checks", instrument(&promote(&plain), &set)),
        ] {
            assert_eq!(verify(&checked), Vec::<String>::new());
            assert_eq!(run(&checked).0, *expected, "{order} ({list}): {body}");
        }
    }
}
