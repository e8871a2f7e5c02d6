//! Alarms: runs of the program with contracts that violate a check, step by step on the machine.

use super::language::Values;
use crate::answer::Violation;
use crate::budget::Budget;
use plumb_contract::{Installed, Summarised, Unit};
use plumb_exec::{CompileOptions, Image, Limits, ListInputs, Machine, Outcome, Site, StopSet, TracePhase};
use plumb_ir::derive::Derived;
use plumb_ir::program::{EdgeId, FuncId, Op};
use std::collections::BTreeMap;
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
    let Summarised { derived, installed } = summarised;
    let mut alarm = Alarm { path: Vec::new(), uses: Vec::new() };
    let site = follow(derived, installed, violation, budget, &mut |step| match step {
        Step::Return(one) => alarm.uses.push(one),
        Step::Edge(func, edge) => alarm.path.extend(derived.provenance.edge(func, edge).original()),
    })?;
    alarm.path.push(derived.provenance.edge(site.func, site.edge).original()?);
    Some(alarm)
}

/// The calls of contracts in the run of a unit that violates one of its checks.
pub fn inner_calls(unit: &Unit, violation: &Violation, budget: &Budget) -> Option<Vec<Use>> {
    let mut uses = Vec::new();
    follow(&unit.derived, &unit.installed, violation, budget, &mut |step| match step {
        Step::Return(one) => uses.push(one),
        Step::Edge(..) => {}
    })?;
    Some(uses)
}

/// What a run does.
enum Step {
    /// A contract returns.
    Return(Use),
    /// An edge; for a call the one before it begins.
    Edge(FuncId, EdgeId),
}

/// The run with the inputs of a violation up to where it violates the check.
fn follow(
    derived: &Derived,
    installed: &BTreeMap<FuncId, Installed>,
    violation: &Violation,
    budget: &Budget,
    note: &mut dyn FnMut(Step),
) -> Option<Site> {
    let options = CompileOptions { trace: true, ..CompileOptions::default() };
    let program = &derived.program;
    let mut machine = Machine::new(Arc::new(Image::compile(program, &options).ok()?));
    let mut inputs = ListInputs::new(violation.inputs.iter().map(|(_, value)| value.clone()));
    let outcome = loop {
        let outcome = machine.run_traced(&mut inputs, Limits::steps(SLICE), &StopSet::default(), &mut |event| {
            let op = &program.function(event.func).edge(event.edge).op;
            if let (Some(installed), Op::Return(_)) = (installed.get(&event.func), op) {
                let value = |var| event.machine.local(var).map_or(0, |bits| bits.u64());
                let values = installed.atoms.iter().map(|var| value(*var)).collect();
                note(Step::Return(Use { func: event.func, values }));
            }
            let has_begun = matches!(op, Op::Call { .. }) && event.phase == TracePhase::Done;
            if !has_begun {
                note(Step::Edge(event.func, event.edge));
            }
        });
        if outcome != Outcome::StepLimit || budget.is_over() {
            break outcome;
        }
    };
    match outcome {
        Outcome::CheckFailed { check, site } if check == violation.check => Some(site),
        _ => None,
    }
}
