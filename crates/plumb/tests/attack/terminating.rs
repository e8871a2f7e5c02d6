//! Programs that end on all inputs: every sequence of inputs is tried.

use crate::ints::Ints;
use crate::objects::{Objects, Range};
use crate::oracle::Random;
use crate::sample::{Mode, Sample};
use crate::template::{ASSERTIONS, Template};
use std::fmt::Write;

pub fn generate(random: &mut Random) -> Sample {
    let assertion = random.pick(&ASSERTIONS);
    let is_careless = random.chance(20);
    let flags: &[&str] = if is_careless { &["--checks", "overflow,shift,div-by-zero"] } else { &[] };
    let mut ints = Ints::new(random);
    ints.careless = is_careless;
    let objects = Objects::any(&mut ints, Range::Full);
    let globals = ints.targets.clone();
    let mut body = String::new();
    for _ in 0..1 + ints.random.below(3) {
        let bound = ints.random.pick(&[2, 3, 4, 4, 8]);
        let _ = writeln!(body, "    {}", ints.input(bound));
    }
    let inputs = ints.values.clone();
    if ints.random.chance(15) {
        let _ = writeln!(body, "    @stop {}@;", ints.expr(1));
    }
    let count = 2 + ints.random.below(4);
    body += &ints.block(count, 2, false, 1);
    let has_early_check = ints.random.chance(30);
    if has_early_check {
        let early = ints.expr(2);
        let _ = writeln!(body, "    int early = {};\n    @check 1 early@;", ints.unnarrowed(early));
        body += &ints.block(2, 1, false, 1);
    }
    if ints.random.chance(15) {
        let _ = writeln!(body, "    if ({}) {};", ints.expr(1), ints.random.pick(&["goto out", "return 0", "abort()"]));
        body += &ints.block(2, 1, false, 1);
    }
    if body.contains("goto out") {
        body += "out:;\n";
    }
    (ints.values, ints.targets) = (inputs, globals);
    let mask = ints.random.pick(&["& 7", "& 15", "& 255", "| 0"]);
    let last = ints.expr(3);
    let _ = writeln!(body, "    int last = (int)({} {mask});\n    @check 0 last@;", ints.unnarrowed(last));
    let text = format!("{}\n@main@\n{{\n{body}    return 0;\n}}\n", objects.text);
    let checks = if has_early_check { 2 } else { 1 };
    Sample { template: Template { text, assertion }, checks, mode: Mode::Once, flags }
}
