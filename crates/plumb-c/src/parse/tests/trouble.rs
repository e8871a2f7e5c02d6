//! What the parser says about incorrect programs, and that it survives them all.

use super::{parse, with_large_stack};

#[test]
fn messages_name_the_trouble() {
    let table: &[(&str, &[&str])] = &[
        ("int x", &["expected `;` behind the declaration, found the end of the file"]),
        ("int f( { }", &["expected a parameter, found `{`"]),
        ("foo x; bar *y;", &["unknown type name `foo`", "unknown type name `bar`"]),
        ("int f(foo *x) { return 0; } int g;", &["unknown type name `foo`"]),
        ("static const foo *p;", &["unknown type name `foo`"]),
        ("struct S { foo x; bar y; int z; };", &["unknown type name `foo`", "unknown type name `bar`"]),
        (
            "void f(void) { foo x; y = ; z = 1; return }",
            &["unknown type name `foo`", "expected an expression, found `;`", "expected an expression, found `}`"],
        ),
        ("void f(void) { x = (1 + 2; } int y;", &["expected `)`, found `;`"]),
        ("int a[] = { 1, ; 2 }; foo b;", &["expected an expression, found `;`", "unknown type name `foo`"]),
        (
            "void f(void) { int a[] = { 1, ; }; foo b; }",
            &["expected an expression, found `;`", "unknown type name `foo`"],
        ),
        ("}", &["unmatched `}`"]),
        ("void f(void) { else x; }", &["`else` without `if`"]),
        ("void f(void) { if (x) int y; }", &["a declaration stands where a statement must"]),
        ("int float x;", &["these type specifiers do not go together"]),
        ("long long long x;", &["these type specifiers do not go together"]),
        ("signed unsigned x;", &["these type specifiers do not go together"]),
        ("struct S { int a; } int x;", &["these type specifiers do not go together"]),
        ("static extern int x;", &["a declaration has one storage class at most"]),
        ("_Decimal64 x;", &["decimal floating types are not supported"]),
        ("int x = 0b2;", &["`0b2` has the digit 2, which base 2 does not know"]),
        ("int x = 1z;", &["`z` is no suffix of an integer literal"]),
        ("int x = '';", &["empty character constant"]),
        ("void *p = L\"a\" u\"b\";", &["string literals with different encoding prefixes cannot be joined"]),
        (
            "int x = 'a;\nint y;",
            &["unterminated character constant", "expected `;` behind the declaration, found `int`"],
        ),
        ("int f(int n; int a[n], int n);", &["forward declarations of parameters are not supported"]),
        ("void f(void) { if (x) { while (y) {", &["expected `}`, found the end of the file"]),
        ("void f(void) {", &["expected `}`, found the end of the file"]),
        ("void f(void) { /* ", &["unterminated comment", "expected `}`, found the end of the file"]),
        ("struct { int x;", &["expected `}`, found the end of the file"]),
        ("int x __attribute__((used b));", &["expected `,` or the end of the attributes, found `b`"]),
        ("= 3;", &["expected a declaration, found `=`"]),
        ("void f(void) { int; return int; }", &["expected an expression, found the type `int`"]),
        ("struct;", &["expected a tag or `{`, found `;`"]),
    ];
    for (text, expected) in table {
        assert_eq!(parse(text).messages, *expected, "{text}");
    }
}

#[test]
fn errors_are_capped() {
    assert_eq!(parse(&"foo x; ".repeat(1000)).messages.len(), crate::diag::Diagnostics::MAX_ERRORS);
    assert_eq!(parse(&"@ ".repeat(1000)).messages.len(), crate::diag::Diagnostics::MAX_ERRORS);
}

const SAMPLE: &str = r##"
# 1 "sample.c"
typedef unsigned long size_t; typedef struct node { struct node *next; int v : 3, w; } node;
#pragma pack(push, 1)
enum E { A = 1, B, C };
static inline int f(int a, node *n, ...) __attribute__((unused));
#pragma pack(pop)
int g(a, b) int a; char *b; { return a + *b; }
int table[2][3] = { [0] = { 1, 2 }, [1] = { [0 ... 2] = 'x' } };
int f(int a, node *n, ...) {
    /* comment */ // another
    for (int i = 0; i < a; i++) { if (n->v == A) continue; else break; }
    switch (a) { case 1 ... 3: a <<= 2; default: ; }
    do { a = n ? (int)sizeof(node) : ({ int T = 1; T; }); } while (a-- > 0x1p3f);
    asm volatile ("nop" : "=r"(a) : [x] "r"(n) : "memory");
    node m = { .v = 1, .next = &(node){ 0 } };
    size_t s = _Generic(a, int: 1, default: 2) + __builtin_offsetof(node, w) + L"wide"[1];
    goto end; end: __attribute__((unused)) return m.v ?: "é\n\x41"[s];
}
"##;

#[test]
fn truncation_anywhere_is_survived() {
    assert!(parse(SAMPLE).messages.is_empty(), "{:?}", parse(SAMPLE).messages);
    for end in (0..SAMPLE.len()).filter(|&end| SAMPLE.is_char_boundary(end)) {
        parse(&SAMPLE[..end]);
        parse(&SAMPLE[end..]);
    }
}

#[test]
fn deletions_and_doublings_are_survived() {
    let places: Vec<usize> = SAMPLE.char_indices().map(|(at, _)| at).collect();
    for window in places.windows(2) {
        let (before, at, after) = (&SAMPLE[..window[0]], &SAMPLE[window[0]..window[1]], &SAMPLE[window[1]..]);
        parse(&format!("{before}{after}"));
        parse(&format!("{before}{at}{at}{after}"));
        for other in ["(", "}", "\"", ";", "\\\n", "#"] {
            parse(&format!("{before}{other}{after}"));
        }
    }
}

#[test]
fn garbage_is_survived() {
    with_large_stack(|| {
        // A fixed linear congruential generator: the same garbage on every run.
        let mut state = 1u64;
        let mut next = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize
        };
        for _ in 0..200 {
            let bytes: Vec<u8> = (0..2000).map(|_| next() as u8).filter(|&b| b != 0).collect();
            parse(&crate::preprocess::decode(bytes));
        }
        const WORDS: [&str; 40] = [
            "int",
            "x",
            "(",
            ")",
            "{",
            "}",
            "[",
            "]",
            ";",
            ",",
            "*",
            "=",
            "+",
            "struct",
            "typedef",
            "T",
            "if",
            "else",
            "for",
            "while",
            "do",
            "switch",
            "case",
            "1",
            ":",
            "?",
            "\"s\"",
            "'c'",
            "__attribute__",
            "((",
            "asm",
            "sizeof",
            "enum",
            "...",
            ".",
            "->",
            "&&",
            "goto",
            "_Generic",
            "typeof",
        ];
        for _ in 0..5000 {
            let text: String = (0..60).map(|_| format!("{} ", WORDS[next() % WORDS.len()])).collect();
            parse(&text);
        }
    });
}
