//! What is printed means what is inferred: gcc evaluates the texts of facts on random samples, as C over `__int128` and `double`.

mod random;

use plumb_infer::{Fact, Inference, Options, Point, Sample, Scalar, Sort, Value, Variable};
use random::{Random, int};
use std::fmt::Write;
use std::process::Command;

const SCALARS: [Scalar; 5] = [
    Scalar::Int { bits: 8, signed: true },
    Scalar::Int { bits: 32, signed: true },
    Scalar::Int { bits: 32, signed: false },
    Scalar::Int { bits: 16, signed: false },
    Scalar::Bool,
];
const DOUBLE: Scalar = Scalar::Float(plumb_infer::FloatFormat::F64);

fn point(random: &mut Random, round: u64) -> Point {
    let scalar = |random: &mut Random| match round % 4 {
        0 => DOUBLE,
        1 => int(32, false),
        _ => random.pick(&SCALARS),
    };
    Point::new((0..4).map(|i| Variable::scalar(&format!("x{i}"), scalar(random))).collect())
}

/// An expression of C for the text of a fact about scalars; `None` for what C has no operator for.
fn c_text(text: &str) -> Option<String> {
    if text.contains("bits(") {
        return None;
    }
    match text.split_once(" ==> ") {
        Some((condition, fact)) => Some(format!("!({condition}) || ({})", c_text(fact)?)),
        None => Some(text.to_string()),
    }
}

/// A value as a literal of `__int128` or `double`.
fn literal(scalar: Scalar, pattern: u64) -> String {
    match scalar {
        Scalar::Float(_) => format!("number({pattern}ull)"),
        Scalar::Int { bits, signed: true } => ((pattern << (64 - bits)) as i64 >> (64 - bits)).to_string(),
        _ => pattern.to_string(),
    }
}

/// The facts of an inference, and samples of which some of them hold.
fn facts(random: &mut Random, point: &Point) -> (Vec<Fact>, Vec<Sample>) {
    let count = random.pick(&[2, 4, 30]);
    let mut samples = random::samples(random, point, count);
    let mut inference = Inference::new(point.clone(), Options { disequalities: true, ..Options::everything() });
    inference.add_many(&samples).unwrap();
    let all = inference.all_facts();
    let mut facts: Vec<Fact> = all.reported.into_iter().chain(all.suppressed).map(|likely| likely.fact).collect();
    random.shuffle(&mut facts);
    facts.truncate(40);
    samples.extend(random::samples(random, point, 20));
    samples.truncate(30);
    (facts, samples)
}

#[test]
fn gcc_reads_what_is_printed() {
    let mut random = Random(11);
    let mut c = String::from("#include <math.h>\n#include <stdio.h>\n#include <string.h>\n#include <stdbool.h>\n");
    c.push_str("static double number(unsigned long long bits) { double d; memcpy(&d, &bits, 8); return d; }\n");
    let (mut body, mut expected, mut texts) = (String::new(), String::new(), Vec::new());
    for round in 0..40 {
        let point = point(&mut random, round);
        let (facts, samples) = facts(&mut random, &point);
        let scalar = |at: usize| match point.variables[at].sort {
            Sort::Scalar(scalar) => scalar,
            Sort::Array { .. } => unreachable!("the point has scalars only"),
        };
        for fact in &facts {
            let Some(text) = c_text(&fact.text(&point)) else { continue };
            let ty = |at| if scalar(at) == DOUBLE { "double" } else { "__int128" };
            let parameters: Vec<String> = (0..4).map(|at| format!("{} x{at}", ty(at))).collect();
            let _ = writeln!(c, "static bool f{}({}) {{ return {text}; }}", texts.len(), parameters.join(", "));
            for sample in &samples {
                let argument = |(at, value): (usize, &Value)| match value {
                    Value::Scalar(pattern) => literal(scalar(at), *pattern),
                    Value::Array(_) => unreachable!("the point has scalars only"),
                };
                let arguments: Vec<String> = sample.values.iter().enumerate().map(argument).collect();
                let _ = writeln!(body, "  putchar('0' + f{}({}));", texts.len(), arguments.join(", "));
                expected.push(if fact.holds(&point, sample) { '1' } else { '0' });
            }
            body.push_str("  putchar('\\n');\n");
            expected.push('\n');
            texts.push(text);
        }
    }
    let _ = write!(c, "int main(void) {{\n{body}  return 0;\n}}\n");
    assert!(texts.len() > 500, "only {} facts", texts.len());
    let directory = std::env::temp_dir().join(format!("plumb-infer-text-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (source, program) = (directory.join("facts.c"), directory.join("facts"));
    std::fs::write(&source, c).unwrap();
    let compiled =
        Command::new("gcc").args(["-w", "-O0", "-o"]).arg(&program).arg(&source).arg("-lm").output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let found = Command::new(&program).output().unwrap();
    let found = String::from_utf8(found.stdout).unwrap();
    for ((text, found), expected) in texts.iter().zip(found.lines()).zip(expected.lines()) {
        assert_eq!(found, expected, "{text}");
    }
    assert_eq!(found.lines().count(), texts.len());
    assert!(found.contains('0') && found.contains('1'));
    let _ = std::fs::remove_dir_all(&directory);
}
