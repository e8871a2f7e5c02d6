//! C text to a program, and inputs to a violation of it.

#![allow(dead_code)]

use plumb_c::driver::{FrontOptions, load_edited};
use plumb_c::target::Target;
use plumb_engine::{Budget, Cancel, Violation};
use plumb_evidence::{Edits, Replay, replay};
use plumb_exec::{
    CompileOptions, Image, InputSource, InputValue, Limits, ListInputs, Machine, Outcome, Recorder, SeedInputs,
};
use plumb_ir::lower::LowerOptions;
use plumb_ir::program::Program;
use plumb_ir::property::{CheckSelection, PropertySet};
use plumb_ir::ty::Bits;
use plumb_ir::{PrepareOptions, prepare};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A program with its file, which goes away with it.
pub struct Case {
    pub program: Program,
    pub file: PathBuf,
    folder: PathBuf,
}

impl Drop for Case {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Case {
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

pub struct How {
    pub arch: &'static str,
    pub checks: &'static str,
    pub entry: &'static str,
    /// An error function beside those that always are.
    pub error: &'static str,
}

impl Default for How {
    fn default() -> How {
        How { arch: "64", checks: "", entry: "main", error: "" }
    }
}

pub fn case(text: &str) -> Case {
    case_with(text, &How::default())
}

pub fn case_with(text: &str, how: &How) -> Case {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("plumb-evidence-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("program.c");
    std::fs::write(&file, text).unwrap();
    let program = load(&file, how, &|_, text| text).unwrap_or_else(|why| panic!("{why}"));
    Case { program, file, folder }
}

/// The program of a file whose text somebody changes.
fn load(file: &PathBuf, how: &How, edit: &dyn Fn(usize, String) -> String) -> Result<Program, String> {
    let front = FrontOptions {
        target: Target::by_name(how.arch).copied(),
        library: Some(plumb_ir::library::source),
        ..FrontOptions::default()
    };
    let messages = |diags: &plumb_c::diag::Diagnostics| diags.iter().map(|d| d.message.clone()).collect::<Vec<_>>();
    let loaded =
        load_edited(std::slice::from_ref(file), &front, edit).map_err(|failed| messages(&failed.diags).join("; "))?;
    let mut set = PropertySet::default();
    match how.checks {
        "memcleanup" => set.cleanup = true,
        checks => set.checks.add_all(CheckSelection::parse(checks).unwrap()),
    }
    set.error_functions.extend(["reach_error".into(), "__VERIFIER_error".into()]);
    if !how.error.is_empty() {
        set.error_functions.push(how.error.into());
    }
    let lowering = LowerOptions { entry: how.entry.to_string(), ..LowerOptions::default() };
    let options = PrepareOptions { lowering, promotion: true, ..PrepareOptions::default() };
    let mut diags = plumb_c::diag::Diagnostics::new();
    prepare(&loaded.hir, &set, &options, &mut diags).ok_or_else(|| messages(&diags).join("; "))
}

/// The program of a case with edits of its text.
pub fn reload(case: &Case, edits: &Edits) -> Result<Program, String> {
    load(&case.file, &How::default(), &|unit, text| edits.apply(unit, &text).expect("it is the same text"))
}

pub fn int(value: i128) -> InputValue {
    InputValue::Scalar(Bits::new(value as u128, 64))
}

/// The violation that a list of inputs leads to; zeros follow the list's end.
pub fn violation(program: &Program, values: Vec<InputValue>) -> Violation {
    let mut inputs = ListInputs::new(values);
    inputs.zeros_after = true;
    let (outcome, violation) = run(program, inputs, 100_000_000);
    violation.unwrap_or_else(|| panic!("{}", outcome.describe(program)))
}

/// The same, run from scratch.
pub fn replayed(program: &Program, values: Vec<InputValue>) -> Replay {
    confirmed(program, &violation(program, values))
}

pub fn confirmed(program: &Program, violation: &Violation) -> Replay {
    replay(program, violation, &budget(Duration::from_secs(60))).unwrap()
}

/// A violation found at random, by the first seed that leads to one.
pub fn random_violation(program: &Program, seeds: std::ops::Range<u64>) -> Option<Violation> {
    seeds.into_iter().find_map(|seed| run(program, SeedInputs::new(seed), 2_000_000).1)
}

fn run(program: &Program, inputs: impl InputSource, steps: u64) -> (Outcome, Option<Violation>) {
    let image = Arc::new(Image::compile(program, &CompileOptions::default()).unwrap());
    let mut machine = Machine::new(image);
    let mut inputs = Recorder::new(inputs);
    let outcome = machine.run(&mut inputs, Limits::steps(steps));
    let violation = match outcome {
        Outcome::CheckFailed { check, .. } => Some(Violation { check, inputs: inputs.record }),
        _ => None,
    };
    (outcome, violation)
}

pub fn budget(time: Duration) -> Budget {
    Budget { deadline: Some(Instant::now() + time), memory: 1 << 30, threads: 1, cancel: Cancel::new() }
}
