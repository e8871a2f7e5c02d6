//! Violations that rest on a value which C leaves open and the machine has settled: the number behind the sign of `memcmp`,
//! the sign of a NaN. Those that rest on a pointer from outside are found here too ([`crate::outside`]).
//!
//! What the machine takes is what one library returns. Other libraries, and compilers where they compute the value
//! themselves, give 1 or -1. A violation that real programs show breaks its check with those too, so it is run again
//! with them.

use crate::answer::{Violation, WhyUnknown};
use crate::budget::Budget;
use crate::outside::rests_on_outside;
use plumb_exec::{Image, Limits, ListInputs, Machine, Outcome, Settling};
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::ty::Ty;
use plumb_sym::OpenChoice;
use std::sync::Arc;

/// Steps between two looks at the clock.
const SLICE: u64 = 1_000_000;

/// Why there is no violation, if it is none with another value for what the machine has settled.
pub fn rests_on(image: &Arc<Image>, violation: &Violation, budget: &Budget) -> Option<WhyUnknown> {
    if rests_on_outside(image, violation, budget) {
        return Some(WhyUnknown::OutsidePointer(violation.check));
    }
    if [false, true].into_iter().all(|is_nan_negative| is_also_otherwise(image, violation, is_nan_negative, budget)) {
        return None;
    }
    let is_settled = |o: &InputOrigin, ty: Option<Ty>| matches!(ty, Some(Ty::Int(_))) && o.is_open(ty);
    let open = image.program().inputs.iter().position(|site| is_settled(&site.origin, site.ty));
    let of_nan = || WhyUnknown::NotReplayed(violation.check, Some(OpenChoice::NanPattern));
    Some(open.map_or_else(of_nan, |open| WhyUnknown::LooseModel(InputId(open as u32))))
}

/// Whether the check is broken too where things are settled in another way, or nothing is.
fn is_also_otherwise(image: &Arc<Image>, violation: &Violation, is_nan_negative: bool, budget: &Budget) -> bool {
    let mut machine = Machine::new(image.clone());
    machine.set_settling(Settling::Otherwise { is_nan_negative });
    let mut inputs = ListInputs::new(violation.inputs.iter().map(|(_, value)| value.clone()));
    loop {
        match machine.run(&mut inputs, Limits::steps(SLICE)) {
            Outcome::CheckFailed { check, .. } if check == violation.check => return true,
            Outcome::StepLimit if !budget.is_over() => {}
            _ => return !machine.has_settled(),
        }
    }
}
