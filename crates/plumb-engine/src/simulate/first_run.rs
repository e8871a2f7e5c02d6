//! The first run: until the program first reads an input that the environment decides.
//!
//! A program that never does has one run, which is executed at full speed and to its end. Arbitrary initial memory is zero
//! here, which is one of its values.

use super::tuning::TUNING;
use crate::answer::Violation;
use crate::budget::Budget;
use plumb_exec::{FnInputs, Image, InputValue, Limits, Machine, Outcome, RegionFill};
use plumb_ir::index::TiVec;
use plumb_ir::input::InputId;
use plumb_ir::program::Program;
use plumb_ir::ty::Bits;
use std::sync::Arc;

pub enum FirstRun {
    Broken(Violation),
    /// A run that read no input has ended.
    Ended(Ending),
    /// The program reads inputs.
    Asks,
    /// It has read none and has not ended.
    OutOfTime {
        steps: u64,
    },
}

/// How a run ended that read no input.
pub struct Ending {
    pub outcome: Outcome,
    pub steps: u64,
    /// A value was needed that a library's model leaves open.
    pub has_settled: bool,
}

pub fn run_first(program: &Program, image: Arc<Image>, budget: &Budget) -> FirstRun {
    let mut machine = Machine::new(image);
    let is_incidental: TiVec<InputId, bool> =
        program.inputs.iter().map(|site| super::sites::Site::new(site, program).is_incidental).collect();
    // A byte of the program takes two.
    let limits = Limits { memory: budget.memory / 2, ..Limits::steps(TUNING.first_run_slice) };
    let mut given = Vec::new();
    loop {
        // Zero for memory, nothing for what is asked of the environment.
        let zero = |id: InputId| {
            let value = match program.input(id).ty {
                Some(_) => InputValue::Scalar(Bits::ZERO),
                None => InputValue::Region(RegionFill::Zero),
            };
            is_incidental[id].then(|| {
                given.push((id, value.clone()));
                value
            })
        };
        let outcome = machine.run(&mut FnInputs(zero), limits);
        match outcome {
            Outcome::CheckFailed { check, .. } => {
                return FirstRun::Broken(Violation { check, inputs: given });
            }
            Outcome::StepLimit if budget.is_over() => return FirstRun::OutOfTime { steps: machine.steps() },
            Outcome::StepLimit => {}
            Outcome::NoInput { .. } | Outcome::Probe(_) => return FirstRun::Asks,
            Outcome::Returned(_)
            | Outcome::Exited(_)
            | Outcome::Aborted
            | Outcome::Stopped { .. }
            | Outcome::AssumptionFailed(_)
            | Outcome::Unsupported { .. }
            | Outcome::Fault { .. } => {
                if !given.is_empty() {
                    return FirstRun::Asks;
                }
                let (steps, has_settled) = (machine.steps(), machine.has_settled());
                return FirstRun::Ended(Ending { outcome, steps, has_settled });
            }
        }
    }
}
