//! Alarms: runs of the abstract program that violate a check, step by step.

use super::abstraction::Abstract;
use crate::answer::Violation;
use crate::budget::Budget;
use plumb_exec::{CompileOptions, Image, Limits, ListInputs, Machine, Outcome, StopSet, TracePhase};
use plumb_ir::program::{EdgeId, FuncId, Op};
use plumb_ir::ty::Bits;
use std::sync::Arc;

/// A call of a summary in a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Use {
    /// In the list of replacements.
    pub replacement: usize,
    pub inputs: Vec<u64>,
    pub output: u64,
}

/// A run of the abstract program.
pub struct Alarm {
    /// The edges of the original, in order. Calls of summaries are stepped over.
    pub path: Vec<(FuncId, EdgeId)>,
    /// The calls of summaries, in order.
    pub uses: Vec<Use>,
}

/// Steps between two looks at the budget.
const SLICE: u64 = 1_000_000;

/// The run with the inputs of a violation. `None` if there is no time for it, or if the run ends otherwise.
pub fn retrace(program: &Abstract, violation: &Violation, budget: &Budget) -> Option<Alarm> {
    let options = CompileOptions { trace: true, ..CompileOptions::default() };
    let mut machine = Machine::new(Arc::new(Image::compile(&program.program, &options).ok()?));
    let mut inputs = ListInputs::new(violation.inputs.iter().map(|(_, value)| value.clone()));
    let mut alarm = Alarm { path: Vec::new(), uses: Vec::new() };
    let outcome = loop {
        let outcome = machine.run_traced(&mut inputs, Limits::steps(SLICE), &StopSet::default(), &mut |event| {
            let op = &program.program.function(event.func).edge(event.edge).op;
            if let (Some(summary), Op::Return(_)) = (program.summaries.get(&event.func), op) {
                let value = |var| event.machine.local(var).unwrap_or(Bits::ZERO).u64();
                alarm.uses.push(Use {
                    replacement: summary.replacement,
                    inputs: summary.inputs.iter().map(|var| value(*var)).collect(),
                    output: value(summary.result),
                });
            }
            let has_begun = matches!(op, Op::Call { .. }) && event.phase == TracePhase::Done;
            if !has_begun && let Some(at) = program.provenance.edge(event.func, event.edge).original() {
                alarm.path.push(at);
            }
        });
        if outcome != Outcome::StepLimit || budget.is_over() {
            break outcome;
        }
    };
    match outcome {
        Outcome::CheckFailed { check, site } if check == violation.check => {
            alarm.path.push(program.provenance.edge(site.func, site.edge).original()?);
            Some(alarm)
        }
        _ => None,
    }
}
