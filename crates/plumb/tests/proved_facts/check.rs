//! Facts in ACSL's notation as C: numbers are mathematical, so everything is widened to 128 bits.

use crate::program::{Function, Program};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Entry,
    /// Every function of these programs has one loop.
    Loop,
    Exit,
}

pub struct Fact {
    pub function: String,
    pub kind: Kind,
    pub text: String,
    pub proved: bool,
}

impl Fact {
    /// `None` if it has words that C does not have.
    pub fn in_c(&self) -> Option<String> {
        formula(&self.text, self.kind)
    }
}

const HEAD: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N(x) ((__int128)(x))
static int refuted(const char *fact) { puts(fact); fflush(stdout); exit(86); }
#define CHECK(holds, fact) ((holds) ? 0 : refuted(fact))
static unsigned long long state;
static unsigned draw(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned)(state >> 16);
}
int nondet(void)
{
    static const int edges[] = { 0, 1, -1, 2, 3, 7, 8, 77777, 2147483647, -2147483647 - 1, 255, 256, 65535, -32768 };
    switch (draw() % 4) {
    case 0: return edges[draw() % (sizeof edges / sizeof *edges)];
    case 1: return (int)(draw() % 41) - 20;
    case 2: return (int)draw();
    default: return (int)(draw() >> draw() % 32);
    }
}
"#;

const TAIL: &str = r#"
#undef main
int main(int argc, char **argv)
{
    long first = atol(argv[1]), runs = atol(argv[2]);
    for (long run = 0; run < runs; run++) {
        state = 0x9e3779b97f4a7c15ull * (unsigned long long)(first * 100003 + run + 1);
        g0 = g1 = 0, u0 = 0;
        memset(t, 0, sizeof t);
        program_main();
    }
    return 0;
}
"#;

/// The program that looks at the facts wherever it comes by.
pub fn checked(program: &Program, facts: &[&Fact]) -> String {
    let hook = |function: &Function, kind: Kind| {
        let here = facts.iter().filter(|fact| fact.function == function.name && fact.kind == kind);
        let checks: Vec<String> = here
            .filter_map(|fact| {
                let told = format!("{}, {:?}: {}", fact.function, fact.kind, fact.text);
                Some(format!("CHECK({}, {told:?})", fact.in_c()?))
            })
            .collect();
        let checks = if checks.is_empty() { "0".to_string() } else { checks.join(",\n        ") };
        match kind {
            Kind::Entry => {
                let before = |(ty, name): &(&str, String)| format!("    {ty} arg_{name} = {name};\n");
                let arguments: String = function.parameters.iter().map(before).collect();
                let globals = "    int old_g0 = g0, old_g1 = g1, old_t[4];\n    unsigned old_u0 = u0;\n    memcpy(old_t, t, sizeof t);\n";
                format!("{arguments}{globals}    {checks};\n")
            }
            Kind::Loop => format!("{checks}, "),
            Kind::Exit => format!("    {} result = s;\n    {checks};\n", function.result),
        }
    };
    format!("{HEAD}#define main program_main\n{}{TAIL}", program.text(&hook))
}

fn formula(text: &str, kind: Kind) -> Option<String> {
    const ALL: &str = "\\forall integer k; 0 <= k < ";
    const SOME: &str = "\\exists integer k; 0 <= k < ";
    if let Some((size, rest)) = text.strip_prefix(ALL).and_then(|rest| rest.split_once(" ==> ")) {
        let (size, rest) = (term(size, kind)?, formula(rest, kind)?);
        return Some(format!("({{ int all = 1; for (int k = 0; k < {size}; k++) all = all && ({rest}); all; }})"));
    }
    if let Some((size, rest)) = text.strip_prefix(SOME).and_then(|rest| rest.split_once(" && ")) {
        let (size, rest) = (term(size, kind)?, formula(rest, kind)?);
        return Some(format!("({{ int some = 0; for (int k = 0; k < {size}; k++) some = some || ({rest}); some; }})"));
    }
    match text.split_once(" ==> ") {
        Some((condition, rest)) => {
            let (condition, rest) = (term(condition, kind)?, formula(rest, kind)?);
            Some(format!("(!({condition}) || ({rest}))"))
        }
        None => term(text, kind),
    }
}

/// Replaces names: at an exit a parameter stands for the argument, and what is old has a copy.
fn term(text: &str, kind: Kind) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("\\old(") {
            let (name, after) = after.split_once(')')?;
            let (index, after) = index(after);
            out += &format!("N(old_{name}{index})");
            rest = after;
        } else if let Some(after) = rest.strip_prefix("\\result") {
            out += "N(result)";
            rest = after;
        } else if c == '\\' {
            return None;
        } else if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            out += &rest[..end];
            // A decimal constant is signed in C.
            if rest[..end].parse::<i64>().is_err() && !rest.starts_with("0x") {
                out += "ull";
            }
            rest = &rest[end..];
        } else if c.is_ascii_alphabetic() || c == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            if after.starts_with('(') {
                return None;
            }
            let (index, after) = index(after);
            let prefix = if kind == Kind::Exit && matches!(name, "a" | "b") { "arg_" } else { "" };
            out += &format!("N({prefix}{name}{index})");
            rest = after;
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    Some(out)
}

/// `[k]`, `[k + 1]` or `[3]` at the beginning, and what comes behind it.
fn index(text: &str) -> (&str, &str) {
    match text.starts_with('[').then(|| text.find(']')).flatten() {
        Some(end) => text.split_at(end + 1),
        None => ("", text),
    }
}
