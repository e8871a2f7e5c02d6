//! What calls cost that are made again: counts, not seconds.

use super::{BamTuning, effort, effort_with};
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
    // A function is a block however often it is called; and once with the usual rule, where it is a part of its caller's.
    let blocks = BamTuning { min_call_sites: 1, ..BamTuning::DEFAULT };
    let [once, twice] = [1, 2].map(|calls| effort_with(&many_functions(200, calls, &body, last), blocks));
    let inlined = effort(&many_functions(200, 1, &body, last));
    assert_eq!((once.blocks, twice.blocks, inlined.blocks), (201, 201, 0), "`main` is one too");
    let counts = [
        ("steps", once.steps, twice.steps),
        ("steps", inlined.steps, twice.steps),
        ("queries", once.queries, twice.queries),
        ("graphs", once.explored, twice.explored),
        ("transfers", once.transfers, twice.transfers),
    ];
    for (what, once, twice) in counts {
        assert!(twice * 10 <= once * 13, "{what}: {once} with one call, {twice} with two");
    }
    assert_eq!(
        (twice.refinements, twice.explored, twice.hits),
        (0, 201, 200),
        "each is explored once, for its own target"
    );
    assert!(twice.terms < 4 * once.terms, "{} terms, {} with two calls", once.terms, twice.terms);
}

#[test]
fn loops_of_functions_are_explored_once() {
    let body = |i: usize| {
        let most = 5 + i;
        format!("unsigned k = 0; while (k < {most} && input()) {{ if (k > {most}) reach_error(); k++; }} return x;")
    };
    let blocks = BamTuning { min_call_sites: 1, ..BamTuning::DEFAULT };
    let [once, twice] = [1, 2].map(|calls| effort_with(&many_functions(60, calls, &body, ""), blocks));
    assert_eq!((once.explored, twice.explored), (61, 61), "each function once");
    assert_eq!(twice.hits, 60);
    assert!(twice.queries * 10 <= once.queries * 13, "{} queries, {} with two calls", once.queries, twice.queries);
}
