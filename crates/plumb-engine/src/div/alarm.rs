//! Alarms: runs of the program with contracts that violate a check, step by step on the machine.

use super::language::Values;
use crate::answer::Violation;
use crate::budget::Budget;
use plumb_contract::Summarised;
use plumb_exec::{CompileOptions, Image, Limits, ListInputs, Machine, Outcome, StopSet, TracePhase};
use plumb_ir::program::{EdgeId, FuncId, Op};
use std::sync::Arc;

/// A call of a contract in a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Use {
    pub func: FuncId,
    /// By symbol of the contract.
    pub values: Values,
}

/// A run of the program with contracts.
pub struct Alarm {
    /// The edges of the original, in order. Calls of contracts are stepped over.
    pub path: Vec<(FuncId, EdgeId)>,
    /// The calls of contracts, in the order in which they return.
    pub uses: Vec<Use>,
}

/// Steps between two looks at the budget.
const SLICE: u64 = 1_000_000;

/// The run with the inputs of a violation. `None` if there is no time for it, or if the run ends otherwise.
pub fn retrace(summarised: &Summarised, violation: &Violation, budget: &Budget) -> Option<Alarm> {
    let options = CompileOptions { trace: true, ..CompileOptions::default() };
    let program = &summarised.derived.program;
    let provenance = &summarised.derived.provenance;
    let mut machine = Machine::new(Arc::new(Image::compile(program, &options).ok()?));
    let mut inputs = ListInputs::new(violation.inputs.iter().map(|(_, value)| value.clone()));
    let mut alarm = Alarm { path: Vec::new(), uses: Vec::new() };
    let outcome = loop {
        let outcome = machine.run_traced(&mut inputs, Limits::steps(SLICE), &StopSet::default(), &mut |event| {
            let op = &program.function(event.func).edge(event.edge).op;
            if let (Some(installed), Op::Return(_)) = (summarised.installed.get(&event.func), op) {
                let value = |var| event.machine.local(var).map_or(0, |bits| bits.u64());
                let values = installed.atoms.iter().map(|var| value(*var)).collect();
                alarm.uses.push(Use { func: event.func, values });
            }
            let has_begun = matches!(op, Op::Call { .. }) && event.phase == TracePhase::Done;
            if !has_begun && let Some(at) = provenance.edge(event.func, event.edge).original() {
                alarm.path.push(at);
            }
        });
        if outcome != Outcome::StepLimit || budget.is_over() {
            break outcome;
        }
    };
    match outcome {
        Outcome::CheckFailed { check, site } if check == violation.check => {
            alarm.path.push(provenance.edge(site.func, site.edge).original()?);
            Some(alarm)
        }
        _ => None,
    }
}
