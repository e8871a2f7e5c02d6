//! Violations that rest on a value which C leaves open and the machine has settled: the number behind the sign of `memcmp`.
//!
//! What the machine takes is what one library returns. Other libraries, and compilers where they compute the value
//! themselves, give 1 or -1. A violation that real programs show breaks its check with those too, so it is run again
//! with them.

use crate::answer::Violation;
use crate::budget::Budget;
use plumb_exec::{Image, Limits, ListInputs, Machine, Outcome, Settling};
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::ty::Ty;
use std::sync::Arc;

/// Steps between two looks at the clock.
const SLICE: u64 = 1_000_000;

/// The input that is settled, if the violation is none with another value for it.
pub fn rests_on(image: &Arc<Image>, violation: &Violation, budget: &Budget) -> Option<InputId> {
    let program = image.program();
    let is_settled = |o: &InputOrigin, ty: Option<Ty>| matches!(ty, Some(Ty::Int(_))) && o.is_open(ty);
    let open = program.inputs.iter().position(|site| is_settled(&site.origin, site.ty))?;
    let mut machine = Machine::new(image.clone());
    machine.set_settling(Settling::ToUnits);
    let mut inputs = ListInputs::new(violation.inputs.iter().map(|(_, value)| value.clone()));
    loop {
        match machine.run(&mut inputs, Limits::steps(SLICE)) {
            Outcome::CheckFailed { check, .. } if check == violation.check => return None,
            Outcome::StepLimit if !budget.is_over() => {}
            _ if !machine.has_settled() => return None,
            _ => return Some(InputId(open as u32)),
        }
    }
}
