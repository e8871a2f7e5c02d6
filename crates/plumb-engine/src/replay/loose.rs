//! Violations that rest on a value which C leaves open and the machine has settled: the number behind the sign of `memcmp`,
//! the sign of a NaN. Those that rest on a pointer from outside are found here too ([`super::outside`]), and on one that is an address
//! of the program's own.
//!
//! What the machine takes is what one library returns. Other libraries, and compilers where they compute the value
//! themselves, give 1 or -1. A violation that real programs show breaks its check with those too, so it is run again
//! with them.

use super::outside::rests_on_outside;
use super::tuning::TUNING;
use crate::answer::{Violation, WhyUnknown};
use crate::budget::Budget;
use plumb_exec::{Image, InputValue, Limits, ListInputs, Machine, Outcome, SegmentKind, Settling};
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::ty::{Bits, Ty};
use plumb_sym::OpenChoice;
use std::sync::Arc;

/// Why there is no violation, if it is none with another value for what the machine has settled.
pub fn rests_on(image: &Arc<Image>, violation: &Violation, budget: &Budget) -> Option<WhyUnknown> {
    if rests_on_outside(image, violation, budget) {
        return Some(WhyUnknown::OutsidePointer(violation.check));
    }
    if rests_on_addresses(image, violation, budget) {
        return Some(WhyUnknown::NotReplayed(violation.check, Some(OpenChoice::Addresses)));
    }
    if [false, true].into_iter().all(|is_nan_negative| is_also_otherwise(image, violation, is_nan_negative, budget)) {
        return None;
    }
    let is_settled = |o: &InputOrigin, ty: Option<Ty>| matches!(ty, Some(Ty::Int(_))) && o.is_open(ty);
    let open = image.program().inputs.iter().position(|site| is_settled(&site.origin, site.ty));
    let of_nan = || WhyUnknown::NotReplayed(violation.check, Some(OpenChoice::NanPattern));
    Some(open.map_or_else(of_nan, |open| WhyUnknown::LooseModel(InputId(open as u32))))
}

/// Whether a pointer from outside must be the address of an object of the program: that is assumed not to be, and no harness could return it.
fn rests_on_addresses(image: &Arc<Image>, violation: &Violation, budget: &Budget) -> bool {
    let program = image.program();
    let is_own = |id: InputId, value: &InputValue| match value {
        InputValue::Scalar(word) if program.input(id).ty == Some(Ty::Ptr) => {
            let kind = image.addresses().kind_of(word.u64());
            kind.is_some_and(|kind| kind != SegmentKind::Foreign) || image.addresses().function_at(word.u64()).is_some()
        }
        InputValue::Scalar(_) | InputValue::Region(_) => false,
    };
    let other = |(id, value): &(InputId, InputValue)| match is_own(*id, value) {
        true => InputValue::Scalar(Bits::ZERO),
        false => value.clone(),
    };
    if !violation.inputs.iter().any(|(id, value)| is_own(*id, value)) {
        return false;
    }
    let mut machine = Machine::new(image.clone());
    let mut inputs = ListInputs::new(violation.inputs.iter().map(other));
    loop {
        match machine.run(&mut inputs, Limits::steps(TUNING.slice)) {
            Outcome::CheckFailed { check, .. } if check == violation.check => return false,
            Outcome::StepLimit if !budget.is_over() => {}
            _ => return true,
        }
    }
}

/// Whether the check is broken too where things are settled in another way, or nothing is.
fn is_also_otherwise(image: &Arc<Image>, violation: &Violation, is_nan_negative: bool, budget: &Budget) -> bool {
    let mut machine = Machine::new(image.clone());
    machine.set_settling(Settling::Otherwise { is_nan_negative });
    let mut inputs = ListInputs::new(violation.inputs.iter().map(|(_, value)| value.clone()));
    loop {
        match machine.run(&mut inputs, Limits::steps(TUNING.slice)) {
            Outcome::CheckFailed { check, .. } if check == violation.check => return true,
            Outcome::StepLimit if !budget.is_over() => {}
            _ => return !machine.has_settled(),
        }
    }
}
