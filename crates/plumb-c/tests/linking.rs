//! Declarations and linkage: in one unit, across units, and with the library of models.

mod front;

use front::{analyse, function, global, link, mistakes};
use plumb_c::hir::{GlobalInit, Program, StmtKind};
use plumb_c::target::Target;
use plumb_c::types::{ArrayLen, Type};

fn shown(program: &Program, name: &str) -> String {
    program.types.show(function(program, name).ty, &program.names)
}

#[test]
fn units_share_external_names_and_keep_static_ones() {
    let program = link(&[
        "extern int a[]; int t; static int s = 1; extern int x; int f(int, char); int g(void) { return f(x, s); }",
        "int a[10]; int t; static int s = 2; int x = 7; int f(int n, char c) { return n * c + s; }",
    ]);
    assert_eq!(program.types.size_of(global(&program, "a").ty.ty), Some(40));
    assert!(matches!(global(&program, "t").init, GlobalInit::Zero));
    assert!(matches!(global(&program, "x").init, GlobalInit::Data(_)));
    assert_eq!(program.globals.iter().filter(|g| program.names.text(g.name) == "s").count(), 2);
    assert!(function(&program, "f").body.is_some());
}

#[test]
fn records_of_two_units_are_compared_by_structure() {
    let list = "struct L { struct L *next; int v; }; ";
    let user = format!("{list} int sum(struct L *l); int f(struct L *l) {{ return sum(l); }}");
    let definer = format!("{list} int sum(struct L *l) {{ return l->v; }}");
    link(&[&user, &definer]);
    let other = "struct L { struct L *next; long v; }; int sum(struct L *l) { return l->v; }";
    let program = link(&[&user, other]);
    let views: Vec<_> = program.functions.iter().filter(|f| program.names.text(f.name) == "sum").collect();
    assert_eq!(views.len(), 2, "each unit has its own type");
    assert_eq!(views.iter().filter(|f| f.view_of.is_some()).count(), 1);
    assert!(program.find_function("sum").is_some_and(|id| program.function(id).body.is_some()));
}

#[test]
fn declarations_of_one_unit_follow_gcc() {
    for text in [
        "static int x; extern int x; int f(void) { return x; }",
        "static int f(void); int f(void) { return 1; }",
        "int x; int x = 2; int x;",
        "struct S x; struct S { int a; };",
        "typedef int T; typedef int T;",
        "typedef int T; void f(void) { T T = 3; T++; }",
        "int x; void f(void) { int x = 1; { extern int x; x = 2; } }",
        "int f(char); int f(c) char c; { return c; }",
        "int f(const int x); int f(int x) { return x; }",
        "extern inline __attribute__((gnu_inline)) int f(void) { return 1; } int f(void) { return 2; }",
        "void f(void) { g(); } void g(void) {}",
        "_Complex double cexp(_Complex double);",
        "enum E; enum E *p; enum E { A };",
        "int f(int (*)[*]); int f(int (*p)[4]) { return sizeof *p; }",
    ] {
        link(&[text]);
    }
    for (text, part) in [
        ("int x; double x;", "conflicting types for 'x'"),
        ("extern int x; static int x;", "static declaration of 'x'"),
        ("int f(void); static int f(void) { return 1; }", "static declaration of 'f'"),
        ("int f(void) { return 1; } int f(void) { return 2; }", "redefinition of 'f'"),
        ("int x = 1; int x = 2;", "redefinition of 'x'"),
        ("struct S { int a; }; struct S { int a; };", "redefinition of 'struct S'"),
        ("union S { int a; }; struct S *p;", "another kind of tag"),
        ("enum E { A }; enum F { A };", "'A' is declared twice"),
        ("typedef int T; typedef long T;", "already a typedef"),
        ("struct S x;", "size of 'x' is not known"),
        ("int f(int a) { int a; return a; }", "'a' is declared twice"),
        ("int f(); int f(char c) { return c; }", "conflicting types for 'f'"),
        ("struct S { struct S s; };", "incomplete type"),
        ("struct { int a : 33; } s;", "does not fit its type"),
        ("struct { int a; struct { int a; }; } s;", "two members"),
        ("int n; int a[n];", "array length"),
        ("int a[-1];", "negative length"),
        ("_Complex double z;", "complex numbers"),
        ("int f(struct Q *p); struct Q { int a; }; int f(struct Q *p);", "conflicting types for 'f'"),
        ("void f(void) { int x __attribute__((cleanup(f))); }", "too many arguments"),
        ("void f(void) { int x __attribute__((cleanup(g))); }", "cleanup function 'g' is not declared"),
    ] {
        let messages = mistakes(&[text]);
        assert!(messages.iter().any(|m| m.contains(part)), "{text}: {messages:?}");
    }
}

#[test]
fn inline_and_weak_definitions_yield() {
    let program = link(&[
        "inline int f(void) { return 1; } __attribute__((weak)) int w(void) { return 1; }",
        "int f(void) { return 2; } int x;",
        "inline int f(void) { return 3; }",
    ]);
    let body = function(&program, "f").body.as_ref().unwrap();
    assert_eq!(program.sources.place(body.block.span).unwrap().file.as_ref(), "unit1.c");
    let program = link(&["int g(void) { return 3; } int f(void) __attribute__((alias(\"g\")));"]);
    assert_eq!(function(&program, "f").view_of, program.find_function("g"));
}

#[test]
fn old_style_parameters_keep_their_declared_types() {
    let program = link(&["int f(a, b, c) char b; float c; { return a + b + c; }"]);
    let Type::Function(ty) = program.types.get(function(&program, "f").ty) else { panic!() };
    let show = |ty| program.types.show(ty, &program.names);
    assert!(ty.unprototyped);
    assert_eq!(ty.params.iter().map(|p| show(*p)).collect::<Vec<_>>(), ["int", "int", "double"]);
    let body = function(&program, "f").body.as_ref().unwrap();
    assert_eq!(body.locals.iter().map(|l| show(l.ty)).collect::<Vec<_>>(), ["int", "char", "float"]);
}

#[test]
fn variable_lengths_are_evaluated_into_hidden_locals() {
    let program = link(&["int f(int n, int a[n][n + 1]) { int b[n]; return sizeof b + a[1][2]; }"]);
    assert_eq!(shown(&program, "f"), "int(int, int (*)[])");
    let body = function(&program, "f").body.as_ref().unwrap();
    assert_eq!(body.param_count, 2);
    let lengths: Vec<_> = body
        .block
        .stmts
        .iter()
        .filter_map(|s| match &s.kind {
            StmtKind::VlaSize { local, .. } => Some(*local),
            _ => None,
        })
        .collect();
    assert_eq!(lengths.len(), 3, "two of the parameter, one of the local");
    let b = body.locals.iter().find(|l| l.name.is_some_and(|n| program.names.text(n) == "b")).unwrap();
    assert!(matches!(program.types.get(b.ty.ty), Type::Array(_, ArrayLen::Variable(l)) if *l == lengths[2]));
}

#[test]
fn models_stand_in_for_what_the_program_leaves_undefined() {
    let library = "
        typedef unsigned long size_t;
        void *__plumb_alloc(size_t);
        static int twice(int x) { return 2 * x; }
        void *malloc(size_t n) { return __plumb_alloc(n); }
        int abs(int x) { return x < 0 ? -x : x; }
        int labs(int x) { return twice(abs(x)); }
        void *unneeded(size_t n) { return malloc(n); }";
    let program = "
        int abs(int x) { return x; } int labs(int); void *malloc(unsigned int n);
        int main(void) { malloc(3); return labs(abs(1)); }";
    let program = analyse(&[program], Some(library), Target::LP64).unwrap();
    let model = |name: &str| program.function(function(&program, name).model.unwrap());
    assert!(model("malloc").is_library && model("malloc").body.is_some());
    assert!(model("labs").body.is_some());
    assert!(function(&program, "abs").model.is_none(), "the program's own definition wins");
    let of_library = |name: &str| {
        program.functions.iter().filter(|f| f.is_library && program.names.text(f.name) == name).collect::<Vec<_>>()
    };
    assert!(of_library("abs").is_empty());
    assert!(of_library("twice")[0].body.is_some());
    assert!(of_library("unneeded")[0].body.is_none(), "bodies are checked on demand");
}
