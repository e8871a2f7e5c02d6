//! What calls cost that are made again: counts, not seconds.

use super::effort;
use std::fmt::Write;

/// A program of many small functions, each called so many times.
fn many_functions(functions: usize, calls: usize, body: &dyn Fn(usize) -> String, last: &str) -> String {
    let mut text = "unsigned total;\n".to_string();
    let mut main = "int main(void) { unsigned s = input();\n".to_string();
    for i in 0..functions {
        let _ = writeln!(text, "unsigned f{i}(unsigned x) {{ {} }}", body(i));
        for call in 0..calls {
            let _ = writeln!(main, "s = f{i}(s + {call});");
        }
    }
    text + &main + last + "return 0; }"
}

#[test]
fn a_second_call_of_small_functions_costs_little() {
    let body = |i: usize| {
        format!(
            "unsigned y = x & 1023; if (x & 1) y += {i}; else y ^= {}; if (y & 2) y = y * 3 + 1; else y = y - (y >> 2);
            if (y & 4) y ^= 85; if (y > 100000) reach_error(); return y & 1023;",
            i + 1
        )
    };
    let last = "if (s > 1023) reach_error();\n";
    let [once, twice] = [1, 2].map(|calls| effort(&many_functions(200, calls, &body, last)));
    assert_eq!(twice.blocks, 200, "each is a block");
    let counts = [("steps", once.steps, twice.steps), ("transfers", once.transfers, twice.transfers)];
    for (what, once, twice) in counts {
        assert!(twice * 10 <= once * 13, "{what}: {once} with one call, {twice} with two");
    }
    assert_eq!((twice.refinements, twice.explored), (0, 200), "each is explored once, for its own target");
    assert_eq!(twice.hits, 200);
    assert!(twice.terms < 4 * once.terms, "{} terms, {} with two calls", once.terms, twice.terms);
}

#[test]
fn loops_of_functions_are_explored_once() {
    let body = |i: usize| {
        format!("unsigned k = 0; while (k < {} && input()) {{ if (k > {}) reach_error(); k++; }} return x;", 5 + i, 5 + i)
    };
    let [once, twice] = [1, 2].map(|calls| effort(&many_functions(60, calls, &body, "")));
    assert_eq!(twice.explored, 60, "each function once");
    assert_eq!(twice.refinements, once.refinements);
}
