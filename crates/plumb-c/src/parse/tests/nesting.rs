//! Depth: what is deep but real is taken, what is absurd is refused, and nothing overflows the stack.

use super::{parse, with_large_stack};

fn refused(text: &str) {
    let messages = parse(text).messages;
    assert_eq!(messages, ["the program is nested too deeply here"], "{}", &text[..40.min(text.len())]);
}

fn taken(text: &str) {
    let messages = parse(text).messages;
    assert!(messages.is_empty(), "{}: {messages:?}", &text[..40.min(text.len())]);
}

fn body(text: &str) -> String {
    format!("void f(void) {{ {text} }}")
}

#[test]
fn absurd_nesting_is_refused() {
    with_large_stack(|| {
        let n = 100_000;
        for (open, middle, close) in [
            ("(", "x", ")"),
            ("-", "x", ""),
            ("++", "x", ""),
            ("sizeof ", "x", ""),
            ("sizeof(", "x", ")"),
            ("(int)", "x", ""),
            ("(int){", "1", "}"),
            ("f(", "x", ")"),
            ("a[", "0", "]"),
            ("a = ", "x", ""),
            ("a ? b : ", "x", ""),
            ("a ? ", "b", " : c"),
            ("({", "x;", "})"),
            ("a || b && ", "c", ""),
            ("__extension__ ", "x", ""),
            ("_Generic(", "x", ", default: 1)"),
        ] {
            refused(&body(&format!("{}{middle}{};", open.repeat(n), close.repeat(n))));
        }
        for (first, rest) in
            [("a", "+b"), ("a", ",b"), ("a", ".b"), ("a", "[0]"), ("a", "()"), ("a", "++"), ("a", "&&b")]
        {
            refused(&body(&format!("{first}{};", rest.repeat(n))));
        }
        for (open, middle, close) in [
            ("{", "", "}"),
            ("if (a) ", ";", ""),
            ("while (a) ", ";", ""),
            ("if (a) l: ", ";", ""),
            ("for (;;) ", ";", ""),
        ] {
            refused(&body(&format!("{}{middle}{}", open.repeat(n), close.repeat(n))));
        }
        refused(&format!("{}int x; {}", "struct { ".repeat(n), "} y;".repeat(n)));
        refused(&format!("int {}x{};", "(*".repeat(n), ")(void)".repeat(n)));
        refused(&format!("int x = {}1{};", "{".repeat(n), "}".repeat(n)));
        refused(&format!("int {}x;", "*".repeat(n)));
        refused(&format!("int x{};", "[1]".repeat(n)));
        refused(&format!("int f{};", "(int (".repeat(n)));
        refused(&format!("__typeof__({}x{}) y;", "(__typeof__(".repeat(n), "))0".repeat(n)));
    });
}

/// Nothing is read twice: what would be exponential or quadratic in the depth ends within the test's patience.
#[test]
fn nothing_is_read_again_and_again() {
    with_large_stack(|| {
        let n = 3_000;
        let statement = format!("{}x;{}", "__attribute__((a(({ ".repeat(n), "})))) x;".repeat(n));
        parse(&body(&statement));
        parse(&body(&statement.replace("__attr", "l: __attr")));
        parse(&body(&statement.replace("x;}", "int x;}")));
        parse(&format!("int f(int {});", "(__attribute__((a(({ int g(int ".repeat(n)));
        parse(&body(&format!("{}x;", "(__extension__ ".repeat(n))));
        parse(&body(&format!("{}x;", "__extension__ ".repeat(100_000))));
    });
}

/// A chain as the first operand of another chain, and so on: each is short, together they are too high.
#[test]
fn chains_of_chains_add_up() {
    with_large_stack(|| {
        let mut text = "a".to_string();
        for _ in 0..10 {
            text = format!("({text}{})", " + a".repeat(3000));
        }
        refused(&body(&format!("{text};")));
        let many = format!("a{}", " + a".repeat(3000));
        taken(&body(&format!("{many}; {many}; f({many}, {many}, {many}, {many}, {many}, {many}, {many}, {many});")));
        taken(&format!("int x[] = {{ {} }};", format!("{many}, ").repeat(20)));
    });
}

#[test]
fn deep_but_real_is_taken() {
    with_large_stack(|| {
        taken(&body(&format!("{} ;", "if (a) b(); else ".repeat(15_000))));
        let labels: String = (0..100_000).map(|i| format!("case {i}: ")).collect();
        taken(&body(&format!("switch (a) {{ {labels} ; }}")));
        taken(&body(&format!("{}x{};", "(".repeat(2_000), ")".repeat(2_000))));
        taken(&body(&format!("a{};", "+b".repeat(15_000))));
        taken(&body(&"x = 1; ".repeat(100_000)));
        taken(&format!("char *s = {};", "\"abc\" ".repeat(100_000)));
        taken(&format!("int a[] = {{ {} }};", "1, ".repeat(100_000)));
    });
}
