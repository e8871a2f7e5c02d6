//! Expressions and statements from source text to the typed tree. What gcc 12 says of each line is the expectation.

use super::check;
use crate::diag::Diagnostics;
use crate::hir::{BinaryOp, CastKind, Expr, ExprKind, Function, Program, Stmt, StmtKind};
use crate::names::Names;
use crate::parse::parse_unit;
use crate::source::SourceMap;
use crate::target::Target;
use std::sync::Arc;

/// Parses and checks a unit; `Err` holds the messages.
fn analyse(text: &str, target: Target) -> Result<Program, Vec<String>> {
    let mut sources = SourceMap::new();
    sources.add("test.i", text.to_string()).map_err(|_| vec!["too large".to_string()])?;
    let mut names = Names::new();
    let mut diags = Diagnostics::new();
    let unit = parse_unit(&sources.units()[0], &mut names, &mut diags);
    let program = if diags.has_errors() {
        None
    } else {
        check(std::slice::from_ref(&unit), None, Arc::new(sources), names, target, &mut diags)
    };
    program.ok_or_else(|| diags.iter().map(|d| d.message.clone()).collect())
}

fn program(text: &str) -> Program {
    analyse(text, Target::LP64).unwrap_or_else(|messages| panic!("{text}: {messages:?}"))
}

fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    program.function(program.find_function(name).unwrap_or_else(|| panic!("no function {name}")))
}

fn statements<'p>(program: &'p Program, name: &str) -> &'p [Stmt] {
    &function(program, name).body.as_ref().unwrap_or_else(|| panic!("{name} has no body")).block.stmts
}

/// The value that function `f`, a lone return statement, returns.
fn returned(program: &Program) -> &Expr {
    match &statements(program, "f")[0].kind {
        StmtKind::Return(Some(e)) => e,
        other => panic!("not a return: {other:?}"),
    }
}

/// Asserts each line by `_Static_assert`, in a function after the declarations.
fn assert_all(target: Target, declarations: &str, lines: &[&str]) {
    for line in lines {
        let text = format!("{declarations}\nvoid test(void) {{ _Static_assert({line}, \"\"); }}");
        if let Err(messages) = analyse(&text, target) {
            panic!("{} {line}: {messages:?}", target.name);
        }
    }
}

#[test]
fn literals_have_the_types_of_their_suffix_base_and_value() {
    let lines = [
        "_Generic(1, int:1)",
        "_Generic(2147483648, long:1)",
        "_Generic(0x80000000, unsigned:1)",
        "_Generic(0xffffffffffffffff, unsigned long:1)",
        "_Generic(18446744073709551615, __int128:1)",
        "_Generic(1u, unsigned:1)",
        "_Generic(1ull, unsigned long long:1)",
        "_Generic('a', int:1)",
        "_Generic(L'a', int:1)",
        "_Generic(u'a', unsigned short:1)",
        "_Generic(1.0f, float:1)",
        "_Generic(1.0L, long double:1)",
        "'ab' == 24930 && 'abcd' == 1633837924 && '\\377' == -1",
        "sizeof \"abc\" == 4 && sizeof L\"ab\" == 12",
        "_Generic(\"abc\", char *:1)",
    ];
    assert_all(Target::LP64, "", &lines);
    let lines = ["_Generic(2147483648, long long:1)", "_Generic(L'a', long:1)", "_Generic(4294967295u, unsigned:1)"];
    assert_all(Target::ILP32, "", &lines);
    let lines = [
        "_Generic(32768, long:1)",
        "_Generic(0x8000, unsigned:1)",
        "sizeof(1.0) == 4",
        "_Generic((unsigned short)1 + 1, unsigned:1)",
        "32767 + 1 == -32767 - 1",
    ];
    assert_all(Target::AVR, "", &lines);
}

#[test]
fn arithmetic_follows_the_usual_conversions() {
    let declarations = "enum E { A = -1 } e; enum F { B } f; _Bool b; char c; short s; unsigned u; long l; float x; \
                        int *p; const int *cp; void *v; int a[3]; struct S { int m; } r; int g(int);";
    let lines = [
        "_Generic(c + c, int:1)",
        "_Generic(b + b, int:1)",
        "_Generic(e + 0, int:1)",
        "_Generic(f + 0, unsigned:1)",
        "_Generic(u + l, long:1)",
        "_Generic(u + -1, unsigned:1)",
        "_Generic(s << l, int:1)",
        "_Generic(x * l, float:1)",
        "_Generic(x < l, int:1)",
        "_Generic(!x, int:1)",
        "_Generic(-c, int:1)",
        "_Generic((char)1, char:1)",
        "_Generic(c = 1L, char:1)",
        "_Generic(c += 1L, char:1)",
        "_Generic(c++, char:1)",
        "_Generic((0, c), char:1)",
        "_Generic(p - p, long:1)",
        "_Generic(1 + p, int *:1)",
        "_Generic(v + 1, void *:1)",
        "_Generic(a, int *:1)",
        "_Generic(&a, int (*)[3]:1)",
        "_Generic(g, int (*)(int):1)",
        "_Generic(*g, int (*)(int):1)",
        "_Generic(1 ? p : cp, const int *:1)",
        "_Generic(1 ? p : 0, int *:1)",
        "_Generic(1 ? p : (void *)0, int *:1)",
        "_Generic(1 ? v : p, void *:1)",
        "_Generic(1 ? c : s, int:1)",
        "_Generic(x ?: 1, float:1)",
        "_Generic(1 ? r : r, struct S:1)",
        "_Generic(({ 1; c; }), char:1)",
        "_Generic(a[1], int:1)",
        "_Generic(1[a], int:1)",
        "_Generic(&a[1], int *:1)",
        "_Generic(sizeof c, unsigned long:1)",
    ];
    assert_all(Target::LP64, declarations, &lines);
    assert_all(
        Target::ILP32,
        "unsigned u; long l;",
        &["_Generic(u + l, unsigned long:1)", "_Generic(sizeof u, unsigned:1)"],
    );
}

#[test]
fn bit_fields_promote_by_width() {
    let declarations = "struct { unsigned a : 31, b : 32; unsigned long c : 20, d : 32; long e : 32; \
                        unsigned long long f : 33, g : 64; _Bool h : 1; } s;";
    let lines = [
        "_Generic(s.a + 0, int:1)",
        "_Generic(s.b + 0, unsigned:1)",
        "_Generic(s.c + 0, int:1)",
        "_Generic(s.d + 0, unsigned:1)",
        "_Generic(s.e + 0, int:1)",
        "_Generic(s.g + 0, unsigned long long:1)",
        "_Generic(s.h + 0, int:1)",
        "_Generic((0, s.a) + 0, int:1)",
        "_Generic((s.a = 1) + 0, int:1)",
        // A type of 33 bits, which no type name denotes.
        "_Generic(s.f + 1, unsigned long long:0, default:1)",
        "_Generic(s.f + 1LL, long long:1)",
        "_Generic(1 ? s.f : 1, unsigned long long:0, default:1)",
        "sizeof(s.f + 1) == 8",
    ];
    assert_all(Target::LP64, declarations, &lines);
    // Sums of 33-bit values wrap at 33 bits: a truncation by shifts stands around them.
    let p = program("struct { unsigned long long x : 33; } s; unsigned long long f(void) { return s.x + 1; }");
    let ExprKind::Binary(BinaryOp::Shr, left, count) = &returned(&p).kind else { panic!("{:?}", returned(&p)) };
    assert!(matches!(left.kind, ExprKind::Binary(BinaryOp::Shl, ..)));
    assert!(matches!(count.kind, ExprKind::Int(31)));
}

#[test]
fn constants_fold_as_gcc_folds_them() {
    let declarations = "struct S { int a, b[4]; struct { char c; } d; }; int x; int arr[4]; int g();";
    let lines = [
        "2147483647 + 1 == -2147483647 - 1",
        "-1 > 0u",
        "(unsigned char)300 == 44",
        "(_Bool)0.5 == 1",
        "(int)-1.9 == -1",
        "(int)1e10 == 2147483647",
        "1.0f / 3 != 1.0 / 3",
        "(float)16777217 == 16777216.0f",
        "1 << 31 < 0 && -8 >> 1 == -4 && 1 << 40 == 0",
        "(-7) / 2 == -3 && (-7) % 2 == -1",
        "0 && 1 / 0 || 1",
        "1 ? 1 : 1 / 0",
        "1 || g()",
        "(5 ?: 1 / 0) == 5",
        "(unsigned __int128)-1 >> 127 == 1",
        "(unsigned __int128)-1 / 2 > 0",
        "__builtin_offsetof(struct S, b[2]) == 12",
        "__builtin_offsetof(struct S, d.c) == 20",
        "(long)&((struct S *)0)->b[1] == 8",
        "&x != 0 && &arr[1] - &arr[0] == 1 && &arr[2] > &arr[1]",
        "__builtin_popcount(255) == 8 && __builtin_clz(1) == 31 && __builtin_ctzll(8) == 3",
        "__builtin_clrsb(-1) == 31 && __builtin_clrsbl(1) == 62 && __builtin_ffs(0) == 0",
        "__builtin_bswap32(0x11223344) == 0x44332211 && __builtin_bswap16(0x1122) == 0x2211",
        "__builtin_constant_p(1 + 2) && !__builtin_constant_p(x) && __builtin_constant_p(\"a\")",
        "__builtin_types_compatible_p(int, const int) && !__builtin_types_compatible_p(int, long)",
        "__builtin_strlen(\"abc\") == 3",
        "__builtin_isnan(__builtin_nan(\"\")) && !__builtin_isnan(__builtin_inf())",
        "__builtin_isinf_sign(-__builtin_inff()) == -1",
        "__builtin_fabs(-1.5) == 1.5 && __builtin_floor(-0.5) == -1 && __builtin_copysign(1, -0.0) == -1",
        "__builtin_sqrtf(2) == 0x1.6a09e6p+0f && __builtin_fmod(5.5, 2) == 1.5",
        "!__builtin_isless(1.0, __builtin_nan(\"\")) && __builtin_isunordered(1.0, __builtin_nan(\"\"))",
        "__builtin_fpclassify(0, 1, 2, 3, 4, 0.0) == 4 && __builtin_fpclassify(0, 1, 2, 3, 4, 1e-310) == 3",
        "__builtin_choose_expr(1, 2, g()) == 2",
        "__builtin_object_size(arr, 0) == 16 && __builtin_object_size(&arr[1], 0) == 12",
        "__builtin_expect(7, 1) == 7 && __builtin_classify_type(1.0) == 8",
        "__alignof__(double) == 8 && _Alignof(struct S) == 4",
        "sizeof(void) == 1 && sizeof(g) == 1 && sizeof(struct S) == 24",
    ];
    assert_all(Target::LP64, declarations, &lines);
    assert_all(Target::ILP32, "", &["__alignof__(double) == 8 && _Alignof(double) == 4"]);
}

#[test]
fn gcc_accepts_these() {
    let units = [
        "const int x = 1; const int y = x + 1; int z = y * 2;",
        "const struct { int a[3]; } s = {{1, 2, 3}}; int y = s.a[2];",
        "int x; int *const p = &x; int *q = p;",
        "char c = \"abc\"[1];",
        "int i = (int){3}; int *p = (int[]){1, 2};",
        "long x = (long)&x + 4; void *y = (void *)(4 + (long)&x);",
        "int a[3][4]; int *p = a[1], *q = *a, *r = &a[1][2], *t = *(a + 1) + 2;",
        "int f(void) { lab:; static void *p = &&lab; goto *p; }",
        "void g(void); void f(void) { return g(); }",
        "void f(void) { return 1; } int g(void) { return; }",
        "void f(unsigned char x) { switch (x) { case 0: case 256: case 5 ... 2:; } }",
        "void f(void *p) { *p; (void)*p; &*p; p + 1; p++; }",
        "int x; void f(void) { x ? (void)0 : 1; x ? f : x; x = f; }",
        "int *p; float *q; void f(void) { p = q; p = 5; p == q; p < 1; 1 ? p : q; }",
        "void f(void) { undeclared(); undeclared(1); int n = strlen(\"x\"); }",
        "typedef union { int *a; float *b; } U __attribute__((transparent_union)); void f(U);\n\
         void g(int *p) { f(p); f(0); f((float *)0); }",
        "void f(void) { { __label__ a; a:; goto a; } { __label__ a; goto a; a:; } }",
        "struct S { int a[3]; }; struct S g(void); int f(void) { return g().a[1]; }",
        "void f(void) { _Bool b; b++; --b; b += 2; enum E { A } e; e++; e += 1; }",
        "void f(void) { f; *f; &f; (*f)(); (&f)(); (***f)(); }",
        "int f(int n) { while (sizeof(int[n]) > 3) n--; int(*p)[n]; return sizeof(p[0]) + sizeof *(int(*)[n])p; }",
        "int x; void f(void) { asm(\"\" : \"=r\"(x) : \"0\"(x) : \"memory\"); asm volatile(\"\" : \"+m\"(x)); }",
        "int f(int a, ...) { __builtin_va_list l, m; __builtin_va_start(l, a); __builtin_va_copy(m, l);\n\
         int x = __builtin_va_arg(l, int); __builtin_va_end(l); return x; }\n\
         int g(__builtin_va_list l) { return __builtin_va_arg(l, int); }",
        "int f(int *p) { return __sync_fetch_and_add(p, 1) + __atomic_load_n(p, 5) + __sync_bool_compare_and_swap(p, 1, 2); }",
        "void f(int *p, int *q) { __atomic_load(p, q, 0); __atomic_exchange(p, q, q, 0); __sync_lock_release(p); }",
        "int f(int a) { int r; return __builtin_add_overflow(a, 1, &r) || __builtin_add_overflow_p(a, 1, (char)0); }",
        "void f(char *p) { __builtin___memcpy_chk(p, \"x\", 1, 2); __builtin___sprintf_chk(p, 0, 9, \"%d\", 1); }",
        "int f(void) { if (1) lab: goto lab; return ({ l: 5; }); }",
        "extern void *__builtin_alloca(unsigned long); void *f(void) { return __builtin_alloca(3); }",
    ];
    for text in units {
        if let Err(messages) = analyse(text, Target::LP64) {
            panic!("{text}: {messages:?}");
        }
    }
}

#[test]
fn mistakes_are_reported() {
    let cases = [
        ("const int x = 1; enum { E = x };", "not an integer constant"),
        ("int y = (1, 2);", "constant"),
        ("int y = (int)(long)&y;", "constant"),
        ("enum { x = 1 / 0 };", "not an integer constant"),
        ("int g(int); void f(void) { g(1, 2); }", "too many arguments"),
        ("int g(int, ...); void f(void) { g(); }", "too few arguments"),
        ("void g(void); void f(void) { int x = g(); }", "has no value"),
        ("struct S { int a; }; int f(struct S s) { return s; }", "incompatible types"),
        ("void f(int x) { switch (x) { case 1 ... 3: case 2:; } }", "has a case already"),
        ("void f(int x) { switch (x) { default: default:; } }", "default already"),
        ("struct S; void f(struct S *p) { *p; }", "incomplete"),
        ("struct S { int a; } s; void f(void) { if (s); }", "a condition must be"),
        ("double d; void f(void) { d % 2; }", "'%' cannot be applied"),
        ("int *p; double d; void f(void) { p = d; }", "incompatible types"),
        ("int *p; void f(void) { -p; }", "unary '-'"),
        ("int a[2]; void f(void) { a = 0; }", "an array cannot be assigned"),
        ("void f(int x) { (x ? x : x) = 1; }", "not an object"),
        ("const int c; void f(void) { c++; }", "const"),
        ("struct { int a : 3; } s; void f(void) { &s.a; }", "no address"),
        ("struct { int a : 3; } s; int x = sizeof s.a;", "no size"),
        ("void f(void) { int y = foo; int z = foo; }", "'foo' is not declared"),
        ("void f(void) { goto nowhere; }", "used but not defined"),
        ("void f(void) { a:; a:; }", "defined twice"),
        ("void f(void) { break; }", "'break' outside"),
        ("void f(void) { continue; }", "'continue' outside"),
        ("void f(void) { case 1:; }", "'case' outside"),
        ("int x; int f(void) { return x(); }", "only functions can be called"),
        ("int x; int f(void) { return x.a; }", "'.a' in something"),
        ("struct S { int a; } s; int f(void) { return s.b; }", "no member named 'b'"),
        ("int f(int x) { return _Generic(x, char:1); }", "no association"),
        ("int f(int x) { return __builtin_nope(x); }", "'__builtin_nope' is not supported"),
        ("void f(void) { int g(void) { return 1; } }", "inside functions"),
        ("double f(void) { return 1.0i; }", "complex"),
    ];
    for (text, part) in cases {
        match analyse(text, Target::LP64) {
            Ok(_) => panic!("accepted: {text}"),
            Err(messages) => assert!(messages.iter().any(|m| m.contains(part)), "{text}: {messages:?}"),
        }
    }
    let outcome = analyse("void f(void) { int y = foo; int z = foo + foo; }", Target::LP64);
    assert_eq!(outcome.map(|_| ()).map_err(|m| m.len()), Err(1));
}

#[test]
fn addresses_are_marked_where_they_escape() {
    let text = "struct S { int a; int b[2]; } s, t, u, w; int x, y, z; int arr[2], brr[2]; void h(void); void k(void);\n\
                void f(void) { x = 1; &y; s.a; &t.a; u.b[0]; arr[1]; h(); void (*p)(void) = k; (*h)();\n\
                  sizeof(&z); sizeof(w.b[0]); __builtin_constant_p(&z); (void)brr; int l, m; &m; l = 2; }";
    let p = program(text);
    let global = |name: &str| p.globals.iter().find(|g| p.names.text(g.name) == name).map(|g| g.address_taken);
    for (name, taken) in [
        ("x", false),
        ("y", true),
        ("z", false),
        ("s", false),
        ("t", true),
        ("u", true),
        ("w", false),
        ("arr", true),
        ("brr", false),
    ] {
        assert_eq!(global(name), Some(taken), "{name}");
    }
    assert!(!function(&p, "h").address_taken);
    assert!(function(&p, "k").address_taken);
    let body = function(&p, "f").body.as_ref();
    let local = |name: &str| {
        let locals = &body.as_ref().unwrap_or_else(|| panic!("f has a body")).locals;
        locals.iter().find(|l| l.name.is_some_and(|n| p.names.text(n) == name)).map(|l| l.address_taken)
    };
    assert_eq!((local("l"), local("m")), (Some(false), Some(true)));
}

#[test]
fn conversions_are_explicit() {
    let p = program("char c; long f(void) { return c; }");
    let ExprKind::Cast { kind: CastKind::IntToInt, value, implicit: true } = &returned(&p).kind else {
        panic!("{:?}", returned(&p));
    };
    assert!(matches!(value.kind, ExprKind::Load(_)));
    let p = program("int *q; int *f(void) { return &q[2]; }");
    assert!(matches!(returned(&p).kind, ExprKind::PtrAdd { .. }));
    let p = program("int *q; int *f(void) { return &*q; }");
    assert!(matches!(returned(&p).kind, ExprKind::Load(_)));
    let p = program("double f(void) { return -1; }");
    assert!(matches!(returned(&p).kind, ExprKind::Float(bits) if bits == (-1f64).to_bits() as u128));
    let p = program("unsigned char c; int f(void) { return c += 300; }");
    let ExprKind::Cast { value, .. } = &returned(&p).kind else { panic!("{:?}", returned(&p)) };
    assert!(matches!(
        value.kind,
        ExprKind::CompoundAssign { into: Some(CastKind::IntToInt), back: Some(CastKind::IntToInt), .. }
    ));
}

#[test]
fn array_lengths_are_computed_where_they_stand() {
    let p = program("unsigned long f(int n) { return sizeof(int[n]); }");
    let ExprKind::StmtExpr(block) = &returned(&p).kind else { panic!("{:?}", returned(&p)) };
    assert!(matches!(block.stmts[0].kind, StmtKind::VlaSize { .. }));
    assert!(matches!(&block.stmts[1].kind, StmtKind::Expr(e) if matches!(e.kind, ExprKind::SizeofVla(_))));
    // The operand is not evaluated, so its lengths are not either.
    let p = program("unsigned long f(int n) { return sizeof(sizeof(int[n])); }");
    assert!(matches!(returned(&p).kind, ExprKind::Int(8)));
}

#[test]
fn deep_trees_are_typed() {
    let text = format!("int f(int x) {{ return {}x; }}", "x + ".repeat(15_000));
    let run = move || analyse(&text, Target::LP64).is_ok();
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    assert!(thread.expect("a thread starts").join().expect("no panic"));
}
