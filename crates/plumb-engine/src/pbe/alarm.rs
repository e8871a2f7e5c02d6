//! Alarms: runs of the abstract program that violate a check, step by step.

use super::abstraction::Abstract;
use crate::answer::Violation;
use crate::budget::Budget;
use crate::replay::retrace::{self, Retraced};
use plumb_exec::Machine;
use plumb_ir::program::FuncId;
use plumb_ir::ty::Bits;

/// A call of a summary in a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Use {
    /// In the list of replacements.
    pub replacement: usize,
    pub inputs: Vec<u64>,
    pub output: u64,
}

/// A run of the abstract program.
pub type Alarm = Retraced<Use>;

/// The run with the inputs of a violation. `None` if there is no time for it, or if the run ends otherwise.
pub fn retrace(program: &Abstract, violation: &Violation, budget: &Budget) -> Option<Alarm> {
    let used = |func: FuncId, machine: &Machine| {
        let summary = program.summaries.get(&func)?;
        let value = |var| machine.local(var).unwrap_or(Bits::ZERO).u64();
        let inputs = summary.inputs.iter().map(|var| value(*var)).collect();
        Some(Use { replacement: summary.replacement, inputs, output: value(summary.result) })
    };
    let alarm = retrace::retrace((&program.program, &program.provenance), violation, budget, &used)?;
    alarm.ends_in_original.then_some(alarm)
}
