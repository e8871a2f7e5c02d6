//! What the SMT-LIB printer says, z3 understands in the same way: with all symbols fixed, no term can have another value
//! than evaluation gives. Without z3 on the path the tests say that they are skipped.

mod random;

use plumb_term::{Format, Sort, TermId, Terms, smtlib};
use random::{Garden, Palette};
use std::io::Write;
use std::process::{Command, Stdio};

/// z3's answers to a script, or none without z3, which is reported.
fn z3(script: &str) -> Option<String> {
    let spawned = Command::new("z3")
        .args(["-in", "-T:60"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => {
            // Past the harness, which keeps what a test that passes prints to itself.
            let _ = writeln!(std::io::stderr(), "skipped: z3 is not asked: {error}");
            return None;
        }
    };
    let mut input = child.stdin.take().expect("a pipe");
    // z3 ends with its input; a broken pipe shows in the answer.
    let _ = input.write_all(script.as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("z3's answer");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The symbols have the values of an assignment, and some term has not.
fn contradiction(garden: &mut Garden, assignment: usize) -> (Vec<TermId>, TermId) {
    let fixed: Vec<TermId> = garden.assignments[assignment]
        .clone()
        .iter()
        .map(|(symbol, value)| {
            let (term, value) = (garden.terms.symbol_term(symbol), garden.terms.value(value));
            garden.terms.eq(term, value)
        })
        .collect();
    let mut differs = TermId::FALSE;
    for entry in garden.entries.clone() {
        let value = garden.terms.value(&entry.values[assignment]);
        let one = garden.terms.ne(entry.term, value);
        differs = garden.terms.or(differs, one);
    }
    (fixed, differs)
}

fn compare(palette: &Palette, seeds: std::ops::Range<u64>, size: usize) {
    for seed in seeds {
        let mut garden = Garden::new(seed, palette, 1);
        for _ in 0..size {
            garden.grow();
        }
        garden.check();
        let (mut assertions, differs) = contradiction(&mut garden, 0);
        let mut script = String::from("(set-logic ALL)\n");
        let mut printer = smtlib::Printer::new();
        for assertion in assertions.drain(..) {
            printer.assert(&garden.terms, assertion, &mut script);
        }
        script.push_str("(check-sat)\n(push 1)\n");
        printer.push();
        printer.assert(&garden.terms, differs, &mut script);
        script.push_str("(check-sat)\n(pop 1)\n");
        printer.pop();
        // Once more after the scope, when its definitions are gone.
        printer.assert(&garden.terms, differs, &mut script);
        script.push_str("(check-sat)\n");
        let Some(answer) = z3(&script) else { return };
        assert_eq!(answer, "sat\nunsat\nunsat\n", "seed {seed}:\n{script}");
    }
}

#[test]
fn bit_vectors_mean_the_same_to_z3() {
    compare(&Palette { widths: &[1, 3, 4, 8, 12, 64, 72], formats: &[], arrays: &[] }, 0..20, 120);
}

#[test]
fn arrays_mean_the_same_to_z3() {
    compare(&Palette { widths: &[2, 8, 32], formats: &[], arrays: &[(2, 8), (32, 8)] }, 0..20, 80);
}

#[test]
fn small_floats_mean_the_same_to_z3() {
    // In formats of 3 and 3 bits, z3 4.8.12 has 0.25 * 0.25 + 0.25 = 0.5.
    const FORMATS: [Format; 2] = [Format::ieee(5, 8).unwrap(), Format::ieee(4, 6).unwrap()];
    compare(&Palette { widths: &[3, 6, 10, 13], formats: &FORMATS, arrays: &[] }, 0..60, 60);
}

#[test]
fn floats_mean_the_same_to_z3() {
    compare(&Palette { widths: &[8, 32], formats: &[Format::F32], arrays: &[] }, 0..10, 25);
    compare(&Palette { widths: &[8, 80], formats: &[Format::X87], arrays: &[] }, 0..6, 12);
}

#[test]
fn names_are_quoted_and_kept_apart() {
    let mut terms = Terms::new();
    let names = ["x", "a b", "%t3", "x|y", "x"];
    let sorts = [Sort::Bv(8), Sort::Bv(8), Sort::Bv(8), Sort::Bv(8), Sort::Bv(4)];
    let symbols: Vec<TermId> = names.iter().zip(sorts).map(|(name, sort)| terms.symbol(name, sort)).collect();
    let five = terms.bv(8, 5);
    let four = terms.bv(4, 4);
    let assertions: Vec<TermId> =
        symbols.iter().map(|symbol| terms.eq(*symbol, if terms.width(*symbol) == 8 { five } else { four })).collect();
    let script = smtlib::script(&terms, &assertions);
    if let Some(answer) = z3(&script) {
        assert_eq!(answer, "sat\n", "{script}");
    }
}

/// A graph that is a tree of 2^100 nodes is printed in a few lines.
#[test]
fn shared_terms_are_printed_once() {
    let mut terms = Terms::new();
    let mut term = terms.symbol("x", Sort::Bv(32));
    for _ in 0..100 {
        term = terms.bv_mul(term, term);
    }
    let zero = terms.bv(32, 0);
    let assertion = terms.eq(term, zero);
    assert!(smtlib::script(&terms, &[assertion]).len() < 10_000);
}
