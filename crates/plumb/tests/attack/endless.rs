//! Reactive programs: an endless loop over small types that reads inputs in every iteration. All reachable states are
//! visited breadth first. Part of the state may be on the heap, behind pointers that change.

use crate::ints::Ints;
use crate::objects::{Objects, Range};
use crate::oracle::Random;
use crate::sample::{Mode, Sample};
use crate::template::{ASSERTIONS, Template};
use std::fmt::Write;

pub fn generate(random: &mut Random) -> Sample {
    generate_with(random, |_, _| String::new())
}

/// With objects on the heap.
pub fn generate_heap(random: &mut Random) -> Sample {
    generate_with(random, Objects::heap)
}

/// With more declarations at the start of main.
fn generate_with(random: &mut Random, more: impl Fn(&mut Objects, &mut Ints) -> String) -> Sample {
    let assertion = random.pick(&ASSERTIONS);
    let mut ints = Ints::new(random);
    let mut objects = Objects::any(&mut ints, Range::Small);
    let more = more(&mut objects, &mut ints);
    let globals = std::mem::take(&mut objects.text);
    for _ in 0..ints.random.below(3) {
        objects.scalar(&mut ints, "local", "    @local@");
    }
    let locals = more + &std::mem::take(&mut objects.text);
    let state = (ints.values.clone(), ints.targets.clone());
    let mut body = String::new();
    let bound = ints.random.pick(&[2, 3, 4, 4]);
    let _ = writeln!(body, "        {}", ints.input(bound));
    if ints.random.chance(20) {
        let _ = writeln!(body, "        @stop {}@;", ints.expr(1));
    }
    let count = 2 + ints.random.below(4);
    body += &ints.block(count, 2, false, 2);
    if ints.random.chance(25) {
        let _ = writeln!(body, "        {}", ints.input(2));
        body += &ints.block(1, 1, false, 2);
    }
    // A jump to the next iteration would leave out what keeps values small.
    for clamp in &objects.clamps {
        let _ = writeln!(body, "        {clamp}");
    }
    let is_leaving = ints.random.chance(15);
    if is_leaving || ints.random.chance(15) {
        let _ = writeln!(body, "        if ({}) {};", ints.expr(1), if is_leaving { "break" } else { "continue" });
    }
    (ints.values, ints.targets) = state;
    let _ = writeln!(body, "        int r = (int)({} & 15);\n        @check 0 r@;", ints.expr(3));
    let mut end = String::new();
    if is_leaving {
        let _ = writeln!(end, "    int last = (int)({} & 15);\n    @check 1 last@;", ints.expr(2));
    }
    let text =
        format!("{globals}\n@main@\n{{\n{locals}    @loop@ {{\n{body}    }}\n    @after@\n{end}    return 0;\n}}\n");
    let checks = if is_leaving { 2 } else { 1 };
    Sample { template: Template { text, assertion }, checks, mode: Mode::States, flags: &[] }
}
