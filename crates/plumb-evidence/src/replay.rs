//! Replay: the claim of a violation, tried from scratch.
//!
//! The image is compiled anew without probes, coverage or tracing, so that nothing of the engine that made the claim can
//! take part. Two runs break the same check if they end at a check edge with the same [`CheckId`]: every place in the
//! source that a property speaks of has one of its own.

use plumb_engine::Violation;
use plumb_exec::{CompileOptions, Image, InputSource, InputValue, Limits, Machine, Outcome, RegionFill, Site, StopSet};
use plumb_ir::check::CheckId;
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::program::Program;
use plumb_ir::ty::Bits;
use std::fmt;
use std::sync::Arc;

/// A run that broke the check that it was said to break.
#[derive(Clone, Debug)]
pub struct Replay {
    pub check: CheckId,
    /// The edge that failed.
    pub site: Site,
    /// IR edges run.
    pub steps: u64,
    /// The inputs that the run asked for, and no others.
    pub inputs: Vec<(InputId, InputValue)>,
}

impl Replay {
    /// The violation without inputs that no run asks for.
    pub fn violation(&self) -> Violation {
        Violation { check: self.check, inputs: self.inputs.clone() }
    }
}

/// Why a violation is none.
#[derive(Clone, Debug)]
pub enum NotReplayed {
    /// The program cannot be run: the reason.
    CannotRun(String),
    /// The run ended otherwise.
    Ended(Outcome),
    /// The run broke another check.
    OtherCheck(CheckId),
    /// The run asked for another input than the violation gives, after so many that agreed.
    OtherInput(usize),
}

impl fmt::Display for NotReplayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotReplayed::CannotRun(why) => write!(f, "the program cannot be run: {why}"),
            NotReplayed::Ended(outcome) => write!(f, "the run does not break the check but ends as {outcome:?}"),
            NotReplayed::OtherCheck(check) => write!(f, "the run breaks another check, number {}", check.0),
            NotReplayed::OtherInput(at) => write!(f, "the run asks for another input than number {}", at + 1),
        }
    }
}

impl std::error::Error for NotReplayed {}

/// Runs the program from scratch with the violation's inputs.
pub fn replay(program: &Program, violation: &Violation, limits: Limits) -> Result<Replay, NotReplayed> {
    let image = compile(program, &CompileOptions::default())?;
    let mut machine = Machine::new(image);
    let mut inputs = Tape::new(&violation.inputs);
    let outcome = machine.run_until(&mut inputs, limits, &StopSet::default());
    if let Some(at) = inputs.strayed {
        return Err(NotReplayed::OtherInput(at));
    }
    match outcome {
        Outcome::CheckFailed { check, site } if check == violation.check => {
            let used = inputs.used();
            Ok(Replay { check, site, steps: machine.steps(), inputs: violation.inputs[..used].to_vec() })
        }
        Outcome::CheckFailed { check, .. } => Err(NotReplayed::OtherCheck(check)),
        outcome => Err(NotReplayed::Ended(outcome)),
    }
}

pub(crate) fn compile(program: &Program, options: &CompileOptions) -> Result<Arc<Image>, NotReplayed> {
    Image::compile(program, options).map(Arc::new).map_err(|error| NotReplayed::CannotRun(error.to_string()))
}

/// Recorded inputs, which must be asked for in their order by the sites that they were recorded for.
pub(crate) struct Tape<'a> {
    inputs: &'a [(InputId, InputValue)],
    next: usize,
    /// Where a run first asked for another input than the next.
    pub strayed: Option<usize>,
}

impl<'a> Tape<'a> {
    pub fn new(inputs: &'a [(InputId, InputValue)]) -> Tape<'a> {
        Tape { inputs, next: 0, strayed: None }
    }

    pub fn used(&self) -> usize {
        self.next
    }

    fn take(&mut self, id: InputId) -> Option<&'a InputValue> {
        let (expected, value) = self.inputs.get(self.next)?;
        if *expected != id {
            self.strayed = Some(self.next);
            return None;
        }
        self.next += 1;
        Some(value)
    }
}

impl InputSource for Tape<'_> {
    fn scalar(&mut self, id: InputId, _: &InputSite) -> Option<Bits> {
        match self.take(id)? {
            InputValue::Scalar(bits) => Some(*bits),
            InputValue::Region(_) => {
                self.strayed = Some(self.next - 1);
                None
            }
        }
    }

    fn region(&mut self, id: InputId, _: &InputSite, _: u64) -> Option<RegionFill> {
        match self.take(id)? {
            InputValue::Region(fill) => Some(fill.clone()),
            InputValue::Scalar(_) => {
                self.strayed = Some(self.next - 1);
                None
            }
        }
    }
}
