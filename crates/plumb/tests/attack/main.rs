//! The attack: random programs whose truth is known, given to every engine. A verdict that is not the truth, a certificate
//! that is rejected, a harness that does not fail, a crash: each is a failure, whose program is kept.
//!
//! ```text
//!   terminating  the truth comes from all sequences of inputs
//!   endless      from breadth-first search over all states; with objects on the heap as well
//!   memory       from sanitizers
//!   floats       from all sequences of inputs
//!   ints, objects   what the first two are made of
//!   template     programs with inputs and checks left open, for the driver and for Plumb
//!   sample       what the driver sees, and the conditions that are chosen by it
//!   driver.c     runs a program on everything
//!   judge        Plumb's verdicts and evidence against the truth
//!   tally        a table of them
//! ```
//!
//! Longer runs: `PLUMB_ATTACK_COUNT` (programs of each kind, default 8), `PLUMB_ATTACK_SEED` (the first seed),
//! `PLUMB_ATTACK_ENGINES` (names, separated by commas).

#[path = "../oracle/mod.rs"]
mod oracle;

mod endless;
mod floats;
mod ints;
mod judge;
mod memory;
mod objects;
mod sample;
mod tally;
mod template;
mod terminating;

use judge::{ENGINES, Judge, Validation};
use oracle::{Arch, Random, env_number, keep, parallel, say};
use sample::{Driver, Mode, Program, Sample};
use std::sync::Mutex;
use tally::Tally;

/// A kind of programs.
struct Kind {
    name: &'static str,
    mode: Mode,
    generate: fn(&mut Random) -> Sample,
    /// Of a hundred programs the default run must answer so many, or the test says nothing.
    least_answers: usize,
}

/// All kinds at once would be twice as many processes as there are processors, for each of them.
static ONE_KIND: Mutex<()> = Mutex::new(());

#[test]
fn terminating_programs() {
    attack(&Kind { name: "terminating", mode: Mode::Once, generate: terminating::generate, least_answers: 80 });
}

#[test]
fn endless_programs() {
    attack(&Kind { name: "endless", mode: Mode::States, generate: endless::generate, least_answers: 50 });
}

#[test]
fn heap_programs() {
    attack(&Kind { name: "heap", mode: Mode::States, generate: endless::generate_heap, least_answers: 40 });
}

#[test]
fn memory_programs() {
    attack(&Kind { name: "memory", mode: Mode::Fork, generate: memory::generate, least_answers: 70 });
}

#[test]
fn float_programs() {
    attack(&Kind { name: "float", mode: Mode::Once, generate: floats::generate, least_answers: 50 });
}

fn attack(kind: &Kind) {
    let _one = ONE_KIND.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let archs = oracle::testable_archs();
    if archs.is_empty() {
        return;
    }
    let count = env_number("PLUMB_ATTACK_COUNT", 8) as usize;
    let first = env_number("PLUMB_ATTACK_SEED", 1);
    let engines = engines();
    let driver = Driver::new(&archs, kind.mode);
    let state = Mutex::new((Tally::default(), 0));
    parallel(count, |index| {
        let seed = first + index as u64;
        let program = program(kind, seed, &archs, &driver);
        let mut judge = Judge::new(&program, kind.mode);
        for engine in &engines {
            let judgement = judge.judge(engine);
            let mut state = state.lock().expect("nobody panics with the tally in hand");
            match judgement {
                Ok(judgement) => {
                    state.0.add(engine, &judgement);
                    if judgement.certificate == Some(Validation::Unknown) {
                        say(report(kind, seed, engine, &program, "the certificate is not decided"));
                    }
                }
                Err(problem) => {
                    state.1 += 1;
                    say(report(kind, seed, engine, &program, &problem));
                }
            }
        }
    });
    let (tally, problems) = state.into_inner().expect("all workers are done");
    say(format!("attack: {count} {} programs from seed {first}, {problems} problems\n{tally}", kind.name));
    assert_eq!(problems, 0, "wrong verdicts, evidence that is worth nothing, or crashes");
    if let Some(row) = tally.row("auto") {
        let least = count * kind.least_answers / 100;
        assert!(row.answered() >= least, "the default run answers {} of {count} only", row.answered());
    }
}

fn engines() -> Vec<String> {
    match std::env::var("PLUMB_ATTACK_ENGINES") {
        Ok(names) => names.split(',').map(str::to_string).collect(),
        Err(_) => ENGINES.map(str::to_string).to_vec(),
    }
}

/// The program of a seed: the first that is small enough for the driver.
fn program(kind: &Kind, seed: u64, archs: &[Arch], driver: &Driver) -> Program {
    let mut random = Random::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d));
    let arch = archs[(seed % 3) as usize % archs.len()];
    for _ in 0..100 {
        let sample = (kind.generate)(&mut random);
        if let Some(program) = sample.decide(driver, arch, &mut random) {
            return program;
        }
    }
    panic!("no {} program of seed {seed} is small enough", kind.name)
}

fn report(kind: &Kind, seed: u64, engine: &str, program: &Program, problem: &str) -> String {
    let name = format!("attack-{}-{seed}.c", kind.name);
    let kept = keep(&name, &program.text);
    let truth = if program.is_broken { "FALSE" } else { "TRUE" };
    let flags = program.flags.join(" ");
    let arch = program.arch.name();
    format!(
        "--- {} seed {seed}, engine {engine}, truth {truth}: plumb check {} --arch {arch} {flags}\n{problem}",
        kind.name,
        kept.display()
    )
}
