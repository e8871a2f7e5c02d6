//! Oracle: answers about programs with several stacks against all their runs.
//!
//! Random programs ask for truth values only. The machine makes every run, from snapshots where it asks; then the engines that follow
//! stacks are asked. A violation must be one of the runs', and is replayed; a proof says that no run breaks a check or
//! faults. `PLUMB_STACKS_COUNT` asks for more programs (default 30), `PLUMB_STACKS_SEED` for others.

mod common;
#[path = "../../plumb-sym/tests/concrete/stacks.rs"]
mod stacks;

use plumb_engine::bmc::{BmcOptions, bmc};
use plumb_engine::board::Board;
use plumb_engine::engine::{Context, Engine, Options, Task};
use plumb_engine::registry::Registry;
use plumb_engine::symex::{SymexOptions, symex};
use plumb_engine::{Answer, Budget, Cancel, WhyUnknown};
use plumb_exec::{CompileOptions, Image, InputSource, Limits, ListInputs, Machine, Outcome, RegionFill, Snapshot};
use plumb_ir::analysis::Analyses;
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::program::Program;
use plumb_ir::ty::Bits;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs of a program with more are not made.
const MOST_RUNS: u32 = 1_000;
const STEPS: u64 = 20_000;

/// How the runs of a program end.
#[derive(Default, Debug)]
struct Truth {
    runs: u32,
    broken: u32,
    faults: u32,
}

/// Gives one truth value. What arrays hold at first nobody reads.
struct OneValue(Option<bool>);

impl InputSource for OneValue {
    fn scalar(&mut self, _: InputId, _: &InputSite) -> Option<Bits> {
        self.0.take().map(|value| Bits::new(value as u128, 1))
    }

    fn region(&mut self, _: InputId, _: &InputSite, _: u64) -> Option<RegionFill> {
        Some(RegionFill::Zero)
    }
}

/// Makes every run; `None` where there are too many, or one is too long.
fn enumerate(program: &Program) -> Option<Truth> {
    let image = Arc::new(Image::compile(program, &CompileOptions::default()).ok()?);
    let mut machine = Machine::new(image);
    let mut truth = Truth::default();
    let mut open: Vec<(Snapshot, Option<bool>)> = vec![(machine.snapshot(), None)];
    while let Some((from, value)) = open.pop() {
        machine.restore(&from);
        let outcome = machine.run(&mut OneValue(value), Limits::steps(STEPS));
        match outcome {
            Outcome::NoInput { .. } => {
                let here = machine.snapshot();
                open.extend([true, false].map(|value| (here.clone(), Some(value))));
                continue;
            }
            Outcome::StepLimit => return None,
            Outcome::CheckFailed { .. } => truth.broken += 1,
            Outcome::Fault { .. } | Outcome::Unsupported { .. } => truth.faults += 1,
            _ => {}
        }
        truth.runs += 1;
        if truth.runs > MOST_RUNS {
            return None;
        }
    }
    Some(truth)
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn budget() -> Budget {
    Budget {
        deadline: Some(Instant::now() + Duration::from_secs(60)),
        memory: 2 << 30,
        threads: 1,
        cancel: Cancel::new(),
    }
}

/// The program of a seed.
fn program(seed: u64) -> Program {
    let input = "return __VERIFIER_nondet_bool();";
    let style = stacks::Style { input, faults: seed.is_multiple_of(4), prints: false, length: 3 };
    let file = std::env::temp_dir().join(format!("plumb-engine-stacks-{}-{seed}.i", std::process::id()));
    std::fs::write(&file, stacks::program(seed, style)).expect("temporary files can be written");
    let program = common::program(file.clone()).expect("the program is one");
    let _ = std::fs::remove_file(&file);
    program
}

/// Whether an answer is right; `None` for one that says nothing.
fn is_right(program: &Program, truth: &Truth, answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Holds(_, assumed) => Some(truth.broken == 0 && truth.faults == 0 && assumed.is_empty()),
        Answer::Violated(violation) => {
            let image = Arc::new(Image::compile(program, &CompileOptions::default()).expect("it has run before"));
            let values = violation.inputs.iter().map(|(_, value)| value.clone());
            let outcome = Machine::new(image).run(&mut ListInputs::new(values), Limits::steps(STEPS));
            let breaks = matches!(outcome, Outcome::CheckFailed { check, .. } if check == violation.check);
            Some(truth.broken > 0 && breaks)
        }
        Answer::Unknown(_) => None,
    }
}

#[test]
fn answers_agree_with_all_runs() {
    let first = number("PLUMB_STACKS_SEED", 1);
    let (mut decided, mut open, mut skipped, mut violated) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for seed in first..first + number("PLUMB_STACKS_COUNT", 30) {
        let program = program(seed);
        let Some(truth) = enumerate(&program) else {
            skipped += 1;
            continue;
        };
        violated += u32::from(truth.broken > 0);
        let analyses = Analyses::new(&program);
        let answers = [
            ("oscegar", run("oscegar", &program)),
            ("bmc", bmc(&analyses, &BmcOptions::default(), &budget(), &Board::closed(), &())),
            ("symex", symex(&analyses, &SymexOptions::default(), &budget(), &Board::closed(), &())),
        ];
        for (engine, answer) in answers {
            match is_right(&program, &truth, &answer) {
                Some(true) => decided += 1,
                Some(false) => wrong.push(format!("{engine}, seed {seed}: {answer:?}, but {truth:?}")),
                // What is not decided has a fault in some run.
                None if truth.faults > 0 && truth.broken == 0 => decided += 1,
                None => {
                    eprintln!("{engine}, seed {seed}: {answer:?}, but {truth:?}");
                    open += 1;
                }
            }
        }
    }
    eprintln!(
        "{decided} answers are right, {open} are open, {skipped} programs have too many runs, {violated} violate"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(decided > 10 * open && violated > 0, "most programs are decided");
}

/// What an engine answers alone.
fn run(name: &str, program: &Program) -> Answer {
    let task = Task { analyses: Arc::new(Analyses::new(program)), options: Options::default() };
    let engine: &dyn Engine = Registry::standard().find(name).expect("there is such an engine");
    let (budget, board) = (budget(), Board::closed());
    let context = Context { budget: &budget, board: &board, watcher: &(), is_alone: true, has_few_processors: true };
    engine.run(&task, &context)
}

/// Engines that reason about one stack say so.
#[test]
fn engines_of_one_stack_decline() {
    let program = program(2);
    assert!(program.has_stacks());
    for name in ["kind", "pbe", "div"] {
        match run(name, &program) {
            Answer::Unknown(unknown) => assert_eq!(unknown.why, WhyUnknown::Stacks, "{name}"),
            other => panic!("{name} answers {other:?}"),
        }
    }
}
