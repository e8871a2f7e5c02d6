//! What the parser makes of correct programs.

use super::parse;
use super::show::Show;

fn check(table: &[(&str, &str)], wrap: impl Fn(&str) -> String, unwrap: impl Fn(&str) -> String) {
    for (text, expected) in table {
        let outcome = parse(&wrap(text));
        assert!(outcome.messages.is_empty(), "{text}: {:?}", outcome.messages);
        let shown = unwrap(&Show(&outcome.names).unit(&outcome.unit));
        assert_eq!(shown, *expected, "{text}");
    }
}

fn check_items(table: &[(&str, &str)]) {
    check(table, |text| text.to_string(), |shown| shown.to_string());
}

/// Statements in the body of a function; `T` is a typedef.
fn check_statements(table: &[(&str, &str)]) {
    let unwrap = |shown: &str| {
        let start = shown.find('{').unwrap() + 1;
        shown[start..shown.len() - 1].to_string()
    };
    check(table, |text| format!("typedef int T; void f(void) {{ {text} }}"), unwrap);
}

#[test]
fn specifiers() {
    check_items(&[
        ("long unsigned int long x;", "x : ULLong"),
        ("unsigned __int128 x; __int128_t y; __uint128_t z;", "x : UInt128; y : Int128; z : UInt128"),
        ("char a; __signed char b; unsigned char c;", "a : Char; b : SChar; c : UChar"),
        ("short unsigned x; long int y;", "x : UShort; y : Long"),
        (
            "double long x; _Complex double y; _Complex z; float __complex__ w;",
            "x : LongDouble; y : Complex; z : Complex; w : Complex",
        ),
        (
            "_Float128 a; __float128 b; _Float64x c; _Float32x d; _Float16 e;",
            "a : Float128; b : Float128; c : LongDouble; d : Double; e : Float16",
        ),
        ("typedef float _Float32; _Float32 x;", "_Float32 : typedef Float; x : _Float32"),
        ("__builtin_va_list ap; __CPROVER_bool b; _Bool c;", "ap : VaList; b : Bool; c : Bool"),
        ("static const volatile int x; extern __thread int y;", "x : static const volatile Int; y : extern thread Int"),
        ("static __inline__ _Noreturn void f(void);", "f (void) : static inline noreturn Void"),
        ("_Atomic(int *) p; _Atomic int q;", "p : atomic(_ * : Int); q : atomic Int"),
        ("_Alignas(8) _Alignas(double) char c;", "c : Char align(8) align(Double)"),
        ("__typeof__(1+2) x; typeof(int *) y;", "x : typeof (Add 1 2); y : typeof _ * : Int"),
        (
            "x; *p; f(); static y = 3; const z;",
            "x : implicit; p * : implicit; f () : implicit; y = 3 : static implicit; z : const implicit",
        ),
        ("typedef x;", "x : typedef implicit"),
        ("int typedef T; T const t;", "T : typedef Int; t : const T"),
    ]);
}

#[test]
fn declarators() {
    check_items(&[
        ("int *a[3], (*b)[3], **c, *const volatile d;", "a [3] *, b * [3], c * *, d *const volatile : Int"),
        ("int * const * p;", "p * *const : Int"),
        ("int (*f(int x))(char);", "f (x : Int) * (_ : Char) : Int"),
        ("void (*signal(int, void (*)(int)))(int);", "signal (_ : Int, _ * (_ : Int) : Void) * (_ : Int) : Void"),
        ("int (*(*x[3])(void))[5];", "x [3] * (void) * [5] : Int"),
        ("int f(void), g(), h(int, ...);", "f (void), g (), h (_ : Int, ...) : Int"),
        ("typedef int T; int f(T), g(int T), (T);", "T : typedef Int; f (_ : T), g (T : Int), T : Int"),
        (
            "typedef int T; int f(int (T)), g(int (x)), h(int ());",
            "T : typedef Int; f (_ (_ : T) : Int), g (x : Int), h (_ () : Int) : Int",
        ),
        (
            "int f(int a[static const 3], int b[*], int c[], int d[restrict]);",
            "f (a [const static 3] : Int, b [*] : Int, c [] : Int, d [restrict] : Int) : Int",
        ),
        ("int f(void *, const void *(*)[2]);", "f (_ * : Void, _ * [2] * : const Void) : Int"),
        ("int x asm(\"y\" \"z\") __attribute__((unused)) = 1;", "x asm yz @unused = 1 : Int"),
        ("int ((((x))));", "x : Int"),
        ("int main(a, b) int a; char *b; { return a; }", "def main (a,b) : Int [a : Int] [b * : Char] {return a}"),
        ("main() {}", "def main () : implicit {}"),
        ("int (f)(void) {}", "def f (void) : Int {}"),
        ("int (*f(void))[2] {}", "def f (void) * [2] : Int {}"),
        (";int x;;", "x : Int"),
        ("__extension__ typedef long long L; __extension__ int x;", "L : typedef LLong; x : Int"),
        ("asm(\"nop\"); _Static_assert(1, \"m\"); _Static_assert(2);", "asm; assert 1; assert 2"),
    ]);
}

#[test]
fn records_and_enums() {
    check_items(&[
        (
            "struct S { int a, *b; char c : 3, : 2; unsigned : 0; };",
            "struct S {a, b * : Int; c :3, _ :2 : Char; _ :0 : UInt}",
        ),
        ("union { int a; struct { int b; }; } u;", "u : union {a : Int;  : struct {b : Int}}"),
        ("struct {} e; struct S; struct S *p;", "e : struct {}; struct S; p * : struct S"),
        (
            "typedef int T; struct { T T; T x; unsigned T : 3; } s; T y;",
            "T : typedef Int; s : struct {T : T; x : T; T :3 : UInt}; y : T",
        ),
        ("struct { int a;; int b } s;", "s : struct {a : Int; b : Int}"),
        ("struct { _Static_assert(1, \"\"); int (*f)(int T); } s;", "s : struct {assert 1; f * (T : Int) : Int}"),
        ("enum E { A, B = 2, C __attribute__((deprecated)) = A + 1, } e;", "e : enum E {A,B=2,C=(Add A 1)}"),
        (
            "typedef int T; void f(void) { enum { T }; T * 2; }",
            "T : typedef Int; def f (void) : Void {enum {T}; (Mul T 2)}",
        ),
    ]);
}

#[test]
fn attributes() {
    check_items(&[
        (
            "struct __attribute__((packed)) S { int a; } __attribute__((aligned(8))) x;",
            "x : struct S {a : Int} @packed @aligned(8)",
        ),
        (
            "struct { int a __attribute__((__packed__)); int b : 2 __attribute__((aligned(1))); } x;",
            "x : struct {a @packed : Int; b :2 @aligned(1) : Int}",
        ),
        ("typedef int D __attribute__((mode(DI)));", "D @mode(DI) : typedef Int"),
        (
            "typedef int word; typedef int W __attribute__((mode(word), aligned(sizeof(word))));",
            "word : typedef Int; W @mode(word) @aligned((sizeof <word>)) : typedef Int",
        ),
        (
            "int f(const char *, ...) __attribute__((format(printf, 1, 2), __const__, nonnull));",
            "f (_ * : const Char, ...) @format(printf,1,2) @const @nonnull : Int",
        ),
        (
            "__attribute__((noreturn)) void f(void), __attribute__((weak)) g(void);",
            "f (void), g (void) @weak : Void @noreturn",
        ),
        ("void (__attribute__((cdecl)) *f)(void);", "f * (void) @cdecl : Void"),
        ("int * __attribute__((unused)) const p;", "p *const @unused : Int"),
        (
            "int f(int x __attribute__((unused)), __attribute__((unused)) int y);",
            "f (x @unused : Int, y : Int @unused) : Int",
        ),
        (
            "int f(int (__attribute__((unused)) *x), int (__attribute__((unused)) int));",
            "f (x * @unused : Int, _ (_ : Int @unused) : Int) : Int",
        ),
        ("void f(void) __attribute__((unused)) {}", "def f (void) @unused : Void {}"),
        ("__attribute__(()) int x; int y __attribute__((, vector_size(16) ,));", "x : Int; y @vector_size(16) : Int"),
        (
            "[[nodiscard]] [[gnu::packed, clang::annotate(1, 2)]] int f(void);",
            "f (void) : Int @nodiscard @packed @annotate(1,2)",
        ),
        (
            "struct [[gnu::packed]] S { [[deprecated]] int a [[gnu::aligned(2)]]; };",
            "struct S {a @aligned(2) : Int @deprecated} @packed",
        ),
        (
            "#pragma pack(push, 1)\nstruct S { int a; } x;\n#pragma pack(pop)\nstruct R { int a; };",
            "x : struct S {a : Int} @pragma_pack(1); struct R {a : Int}",
        ),
        ("_Pragma(\"pack(2)\") union U { int a; }; struct S;", "union U {a : Int} @pragma_pack(2); struct S"),
    ]);
}

#[test]
fn initializers() {
    check_items(&[
        ("int a[] = { 1, 2, };", "a [] = {1, 2} : Int"),
        ("int a[] = { [0] = 1, [2 ... 4] = 2, [5] 3 };", "a [] = {[0]=1, [2..4]=2, [5]=3} : Int"),
        ("struct S s = { .a = 1, b: 2, .c[1].d = { 3 }, {} };", "s = {.a=1, .b=2, .c[1].d={3}, {}} : struct S"),
        ("char s[] = \"a\" \"b\", t[] = {\"c\"};", "s [] = \"ab\", t [] = {\"c\"} : Char"),
        ("struct S *p = &(struct S){ 1 };", "p * = (AddrOf (literal <struct S> {1})) : struct S"),
    ]);
}

#[test]
fn expressions() {
    check_statements(&[
        ("a + b * c - d;", "(Sub (Add a (Mul b c)) d)"),
        (
            "a || b && c | d ^ e & f == g < h << i;",
            "(|| a (&& b (BitOr c (BitXor d (BitAnd e (Eq f (Lt g (Shl h i))))))))",
        ),
        ("a = b += c;", "(= a (Add= b c))"),
        ("a ? b : c ? d, e : f;", "(? a b (? c (, d e) f))"),
        ("a ?: b;", "(?: a b)"),
        ("-!~+*&x++;", "(Neg (Not (BitNot (Plus (Deref (AddrOf (_++ x)))))))"),
        ("--a[1].b->c(d, e)--;", "(--_ (_-- (call (index a 1).b->c d e)))"),
        ("(T)-x;", "(cast <T> (Neg x))"),
        ("(x)-y;", "(Sub x y)"),
        ("(T){1}.a + sizeof(T){1}[0];", "(Add (literal <T> {1}).a (sizeof (index (literal <T> {1}) 0)))"),
        ("sizeof(T) * 2 + sizeof x[1];", "(Add (Mul (sizeof <T>) 2) (sizeof (index x 1)))"),
        ("_Alignof(T) + __alignof__(T) + __alignof__ x;", "(Add (Add (alignof <T>) (gnu_alignof <T>)) (alignof x))"),
        ("({ int x = 1; x; });", "(do {x = 1 : Int; x})"),
        ("&&l; goto *p;", "&&l; goto *p"),
        ("_Generic(x, int: 1, T *: 2, default: 3);", "(generic x Int=1 _ * : T=2 default=3)"),
        ("__builtin_va_arg(ap, T *);", "(va_arg ap <_ * : T>)"),
        ("__builtin_offsetof(struct S, a.b[1]->c);", "(offsetof <struct S> .a.b[1][0].c)"),
        ("__builtin_types_compatible_p(T, int[]);", "(same <T> <_ [] : Int>)"),
        ("__builtin_choose_expr(1, a, b);", "(choose 1 a b)"),
        ("__extension__ (x); __real__ x;", "(Extension x); (Real x)"),
        ("(__extension__ (T)x);", "(Extension (cast <T> x))"),
        ("(T (*)(int, ...))x;", "(cast <_ * (_ : Int, ...) : T> x)"),
        ("(T (*[2])[3])x; (T **)x;", "(cast <_ [2] * [3] : T> x); (cast <_ * * : T> x)"),
        ("__func__, __FUNCTION__;", "(, func func)"),
        ("0x10UL + 1.5f + 'a' + 1i;", "(Add (Add (Add 16UL 1.5F) '97) imaginary)"),
        ("f(); f((a, b), c);", "(call f); (call f (, a b) c)"),
    ]);
}

#[test]
fn statements() {
    check_statements(&[
        ("switch (x) case 1: l: default: y;", "switch x case 1: l: default: y"),
        ("if (a) if (b) x; else y;", "if a if b x else y"),
        ("while (a) ; do { x; } while (b);", "while a empty; do {x} while b"),
        (
            "for (;;) break; for (i = 0; i < 1; i++) continue;",
            "for <||> break; for <(= i 0)|(Lt i 1)|(_++ i)> continue",
        ),
        ("for (int i = 0, *p = &i; ; ) {}", "for <i = 0, p * = (AddrOf i) : Int||> {}"),
        (
            "switch (x) { case 1: case 2 ... 3: y; default: ; }",
            "switch x {case 1: empty; case 2..3: y; default: empty}",
        ),
        ("goto l; l: T: x; return; return 1;", "goto l; l: empty; T: x; return ; return 1"),
        ("l: __attribute__((unused)) x; m: int y; n:", "l:@unused x; m: empty; y : Int; n: empty"),
        ("case 1: int x; default: T y;", "case 1: empty; x : Int; default: empty; y : T"),
        ("__label__ a, b; a: b: ;", "labels a,b; a: empty; b: empty"),
        ("__attribute__((fallthrough)); __attribute__((unused)) int x;", "empty; x : Int @unused"),
        ("int g(int x) { return x; } g(1);", "def g (x : Int) : Int {return x}; (call g 1)"),
        ("_Static_assert(1, \"\"); __auto_type x = 1;", "assert 1; x = 1 : auto_type"),
        ("static x; register i = 1; auto j;", "x : static implicit; i = 1 : register implicit; j : auto implicit"),
        (
            "asm(\"a\"); asm volatile (\"b\" : \"=r\"(x), [n] \"+m\"(y) : \"i\"(1) : \"memory\", \"cc\");",
            "asm a||||; asm volatile b|=r=x,+m=y|i=1|memory,cc|",
        ),
        (
            "__asm__ __volatile__ goto (\"c\" : : \"r\"(x) : : l, m); asm(\"d\"::\"r\"(x));",
            "asm volatile c||r=x||l,m; asm d||r=x||",
        ),
    ]);
}

#[test]
fn typedef_names_can_be_hidden() {
    check_statements(&[
        ("T x; { int T = 1; T * x; } T y;", "x : T; {T = 1 : Int; (Mul T x)}; y : T"),
        ("for (int T = 0; T; ) T++; T y;", "for <T = 0 : Int|T|> (_++ T); y : T"),
        ("T T = 1; T * 2;", "T = 1 : T; (Mul T 2)"),
        ("int T = sizeof(T), y = (T) + 1;", "T = (sizeof T), y = (Add T 1) : Int"),
        ("T: goto T; x.T = x->T; T y;", "T: goto T; (= x.T x->T); y : T"),
        ("{ typedef char U; U c; } U * d;", "{U : typedef Char; c : U}; (Mul U d)"),
        ("x = ({ int T; T * 2; }); T y;", "(= x (do {T : Int; (Mul T 2)})); y : T"),
        ("int g(int T); T z;", "g (T : Int) : Int; z : T"),
        ("struct S { T T; } s = { .T = 1 }; T w;", "s = {.T=1} : struct S {T : T}; w : T"),
    ]);
    check_items(&[
        ("typedef int T; void f(int T) { T * 2; } T x;", "T : typedef Int; def f (T : Int) : Void {(Mul T 2)}; x : T"),
        ("typedef int T; int f(x) T x; { return x; }", "T : typedef Int; def f (x) : Int [x : T] {return x}"),
    ]);
}

#[test]
fn spans_cover_what_was_written() {
    let text = "int x = a + (b);";
    let outcome = parse(text);
    let crate::ast::Item::Declaration(declaration) = &outcome.unit.items[0] else { panic!("a declaration") };
    assert_eq!((declaration.span.start, declaration.span.end), (1, 1 + text.len() as u32));
    let Some(crate::ast::Init::Expr(value)) = &declaration.declarators[0].init else { panic!("an initialiser") };
    assert_eq!((value.span.start, value.span.end), (9, 16));
}
