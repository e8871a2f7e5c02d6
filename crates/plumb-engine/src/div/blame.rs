//! Which contracts a false alarm needs.
//!
//! Calls of nearly all units are spurious as long as their contracts say little, but few of them lead to the alarm. Contracts are
//! taken back one by one; where the run with the rest of the inputs still violates the check, the contract was not needed, and it
//! is not refined against this alarm. A refinement costs much more than a run.

use super::decide::part;
use super::tuning::TUNING;
use crate::answer::Violation;
use crate::budget::Budget;
use plumb_contract::{Contract, Summarised, summarised};
use plumb_exec::{CompileOptions, Image, Limits, ListInputs, Machine, Outcome, Recorder};
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::{Made, Origin};
use plumb_ir::program::FuncId;
use std::sync::Arc;

/// The alarm as a run of a program with fewer contracts, from which none can be taken back without losing the alarm, as far as there is
/// time to find out; `None` if it needs all. Units that run long are spared first: they are hard to describe.
pub fn with_few_contracts(
    analyses: &Analyses,
    contracts: &[Contract],
    alarm: (&Summarised, &Violation),
    budget: &Budget,
) -> Option<(Summarised, Violation)> {
    let _span = tracing::info_span!("blame").entered();
    let slice = part(budget, TUNING.blame_slice);
    let mut order: Vec<FuncId> = contracts.iter().map(|contract| contract.func).collect();
    order.sort_by_key(|func| !analyses.runs_long(*func));
    let mut kept: Vec<Contract> = contracts.to_vec();
    let mut few: Option<(Summarised, Violation)> = None;
    for func in order {
        if slice.is_over() || kept.len() == 1 {
            break;
        }
        let (old, violation) = few.as_ref().map_or(alarm, |few| (&few.0, &few.1));
        if !is_used(old, violation, func) {
            continue;
        }
        let others: Vec<Contract> = kept.iter().filter(|contract| contract.func != func).cloned().collect();
        let Some(next) = without(analyses, &others, func, old, violation) else { continue };
        few = Some(next);
        kept = others;
    }
    few
}

/// Whether a run asks for values that a contract leaves open. One that leaves nothing open needs no refinement.
fn is_used(summarised: &Summarised, violation: &Violation, func: FuncId) -> bool {
    violation.inputs.iter().any(|(id, _)| summarised.derived.provenance.input(*id) == Origin::Made(Made::Summary(func)))
}

/// The alarm in the program where a function runs its original, if it is one there.
fn without(
    analyses: &Analyses,
    others: &[Contract],
    func: FuncId,
    old: &Summarised,
    violation: &Violation,
) -> Option<(Summarised, Violation)> {
    let provenance = &old.derived.provenance;
    let is_other = |id| provenance.input(id) != Origin::Made(Made::Summary(func));
    let values = violation.inputs.iter().filter(|(id, _)| is_other(*id)).map(|(_, value)| value.clone());
    let next = summarised(analyses, others).ok()?;
    let image = Image::compile(&next.derived.program, &CompileOptions::default()).ok()?;
    let mut machine = Machine::new(Arc::new(image));
    let mut inputs = Recorder::new(ListInputs::new(values));
    match machine.run(&mut inputs, Limits::steps(TUNING.run_steps)) {
        // Checks that contracts bring along come after those of the program, which keep their numbers.
        Outcome::CheckFailed { check, .. } if check == violation.check => {
            Some((next, Violation { check, inputs: inputs.record }))
        }
        _ => None,
    }
}
