//! The run of a derived program with the inputs of a violation, step by step on the machine.
//!
//! The program has bodies that stand for functions of the original: contracts, or summaries from examples. What the run does
//! is represented by two lists: the edges of the original that it takes, and the calls of those bodies.

use super::tuning::TUNING;
use crate::answer::Violation;
use crate::budget::Budget;
use plumb_exec::{CompileOptions, Image, Limits, ListInputs, Machine, Outcome, StopSet, TracePhase};
use plumb_ir::derive::Provenance;
use plumb_ir::program::{EdgeId, FuncId, Op, Program};
use std::sync::Arc;

/// A run that violates a check.
pub struct Retraced<U> {
    /// The edges of the original, in order, that of the check last if it is one. A call that runs such a body is stepped over.
    pub path: Vec<(FuncId, EdgeId)>,
    /// The calls of such bodies, in the order in which they return.
    pub uses: Vec<U>,
    /// The check is one of the original.
    pub ends_in_original: bool,
}

/// The run with the inputs of a violation. `used` looks at the machine where a function returns. `None` if there is no time for it,
/// or if the run ends otherwise.
pub fn retrace<U>(
    (program, provenance): (&Program, &Provenance),
    violation: &Violation,
    budget: &Budget,
    used: &dyn Fn(FuncId, &Machine) -> Option<U>,
) -> Option<Retraced<U>> {
    let options = CompileOptions { trace: true, ..CompileOptions::default() };
    let mut machine = Machine::new(Arc::new(Image::compile(program, &options).ok()?));
    let mut inputs = ListInputs::new(violation.inputs.iter().map(|(_, value)| value.clone()));
    let mut run = Retraced { path: Vec::new(), uses: Vec::new(), ends_in_original: false };
    let outcome = loop {
        let outcome = machine.run_traced(&mut inputs, Limits::steps(TUNING.slice), &StopSet::default(), &mut |event| {
            let op = &program.function(event.func).edge(event.edge).op;
            if let Op::Return(_) = op {
                run.uses.extend(used(event.func, event.machine));
            }
            let has_begun = matches!(op, Op::Call { .. }) && event.phase == TracePhase::Done;
            if !has_begun {
                run.path.extend(provenance.edge(event.func, event.edge).original());
            }
        });
        if outcome != Outcome::StepLimit || budget.is_over() {
            break outcome;
        }
    };
    match outcome {
        Outcome::CheckFailed { check, site } if check == violation.check => {
            let last = provenance.edge(site.func, site.edge).original();
            run.path.extend(last);
            run.ends_in_original = last.is_some();
            Some(run)
        }
        _ => None,
    }
}
