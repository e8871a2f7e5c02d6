//! Oracle: initialisers of locals, bit by bit. gcc's code decides what an initialiser clears, what it stores and which padding it
//! leaves alone, and programs that compare or send whole structures see the difference. Random records are initialised in a
//! function whose stack was filled before; gcc's program runs over two fillings that have no bit in common:
//!
//! * bits that are the same both times are determined, and bounded model checking must prove that they have these values;
//! * the others are what lay there, and it must find a run in which they all have other values.
//!
//! Longer runs: `PLUMB_INITIALISER_COUNT` (programs, default 60), `PLUMB_INITIALISER_SEED`.

#[path = "../oracle/mod.rs"]
mod oracle;

mod generate;

use generate::{Program, program};
use oracle::{Arch, Random, TempDir, env_number, gcc_build, keep, parallel, plumb, run, say};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What garbage is supposed to be in some run. Every four bits of it have both values.
const GARBAGE: u8 = 0x59;

#[test]
fn initialisers_agree_with_gcc() {
    let archs = oracle::testable_archs();
    if archs.is_empty() {
        return;
    }
    let count = env_number("PLUMB_INITIALISER_COUNT", 60) as usize;
    let first = env_number("PLUMB_INITIALISER_SEED", 1);
    let results = parallel(count, |index| {
        let seed = first + index as u64;
        let arch = archs[index % archs.len()];
        let program = program(&mut Random::new(seed), arch);
        compare(&program, arch).map_err(|complaint| {
            let kept = keep(&format!("initialiser-{seed}-{}.c", arch.name()), complaint.program);
            format!("seed {seed}, --arch {}: {}; {}", arch.name(), complaint.what, kept.display())
        })
    });
    let bits = |which: fn(&Bits) -> usize| results.iter().flatten().map(which).sum::<usize>();
    let (determined, left) = (bits(|b| b.determined), bits(|b| b.left));
    say(format!("initialisers: {count} programs from seed {first}, {determined} bits stored or cleared, {left} left"));
    let complaints: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(determined > 100 * count && left > count, "the programs say nothing");
}

struct Complaint {
    what: String,
    program: String,
}

/// What gcc's program does to the bits of the objects.
struct Bits {
    determined: usize,
    left: usize,
}

fn compare(program: &Program, arch: Arch) -> Result<Bits, Complaint> {
    let dir = TempDir::new("initialisers");
    let printing = program.that_prints();
    let fail = |what: String, program: &str| Complaint { what, program: program.to_string() };
    let source = dir.write("prints.c", &printing);
    let binary = dir.path().join("prints");
    gcc_build(arch, &source, &binary, &[]).map_err(|what| fail(what, &printing))?;
    let bytes = |filling: &str| bytes_of(&binary, filling);
    let (Some(a), Some(b)) = (bytes("a5"), bytes("5a")) else {
        return Err(fail("the program does not run".into(), &printing));
    };
    let mut determined = String::new();
    let mut left = Vec::new();
    let mut bits = Bits { determined: 0, left: 0 };
    for (place, (a, b)) in program.places(&a).zip(a.iter().flatten().zip(b.iter().flatten())) {
        let varying = a ^ b;
        bits.left += varying.count_ones() as usize;
        bits.determined += varying.count_zeros() as usize;
        if varying != 0xff {
            let _ = writeln!(determined, "    assert(({place} & {}) == {});", !varying, a & !varying);
        }
        if varying != 0 {
            left.push(format!("({place} & {varying}) == {}", GARBAGE & varying));
        }
    }
    let asserting = program.that_asserts(&determined);
    let said = verdict(&dir.write("determined.c", &asserting), arch);
    if said != "TRUE" {
        return Err(fail(format!("{said} where gcc's program determines the bits"), &asserting));
    }
    if !left.is_empty() {
        let asserting = program.that_asserts(&format!("    assert(!({}));\n", left.join("\n        && ")));
        let said = verdict(&dir.write("left.c", &asserting), arch);
        if said != "FALSE(unreach-call)" {
            return Err(fail(format!("{said} where gcc's program leaves the bits"), &asserting));
        }
    }
    Ok(bits)
}

/// The bytes that the program prints, a line for each object.
fn bytes_of(binary: &Path, filling: &str) -> Option<Vec<Vec<u8>>> {
    let done = run(Command::new(binary).arg(filling), Duration::from_secs(20));
    if !done.success() {
        return None;
    }
    let line = |line: &str| line.split_whitespace().map(|byte| byte.parse().ok()).collect();
    done.stdout.lines().map(line).collect()
}

fn verdict(file: &Path, arch: Arch) -> String {
    let mut command = plumb();
    command.arg("check").arg(file).args(["--engine", "bmc", "--timeout", "60", "--arch", arch.name()]);
    let done = run(&mut command, Duration::from_secs(120));
    match done.stdout.lines().last() {
        Some(line) => line.to_string(),
        None => done.describe(),
    }
}
