//! Alarms: runs of the program with contracts that violate a check, step by step on the machine.

use super::language::Values;
use crate::answer::Violation;
use crate::budget::Budget;
use crate::replay::retrace::{self, Retraced};
use plumb_contract::{Installed, Summarised, Unit};
use plumb_exec::Machine;
use plumb_ir::program::FuncId;
use std::collections::BTreeMap;

/// A call of a contract in a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Use {
    pub func: FuncId,
    /// By symbol of the contract.
    pub values: Values,
}

/// A run of the program with contracts.
pub type Alarm = Retraced<Use>;

/// The run with the inputs of a violation. `None` if there is no time for it, or if the run ends otherwise.
pub fn retrace(summarised: &Summarised, violation: &Violation, budget: &Budget) -> Option<Alarm> {
    let Summarised { derived, installed } = summarised;
    let of = (&derived.program, &derived.provenance);
    let alarm = retrace::retrace(of, violation, budget, &|func, machine| use_of(installed, func, machine))?;
    alarm.ends_in_original.then_some(alarm)
}

/// The calls of contracts in the run of a unit that violates one of its checks.
pub fn inner_calls(unit: &Unit, violation: &Violation, budget: &Budget) -> Option<Vec<Use>> {
    let of = (&unit.derived.program, &unit.derived.provenance);
    let run = retrace::retrace(of, violation, budget, &|func, machine| use_of(&unit.installed, func, machine))?;
    Some(run.uses)
}

/// What a contract has chosen that returns.
fn use_of(installed: &BTreeMap<FuncId, Installed>, func: FuncId, machine: &Machine) -> Option<Use> {
    let value = |var| machine.local(var).map_or(0, |bits| bits.u64());
    let values = installed.get(&func)?.atoms.iter().map(|var| value(*var)).collect();
    Some(Use { func, values })
}
