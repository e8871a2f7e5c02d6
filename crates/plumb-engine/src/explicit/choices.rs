//! Which values an input has: all of them where they are few, and else some that programs compare with.

use super::tuning::TUNING;
use plumb_exec::{InputValue, RegionFill};
use plumb_ir::expr::ExprKind;
use plumb_ir::index::TiVec;
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::program::Program;
use plumb_ir::ty::{Bits, Ty};
use std::collections::BTreeSet;

/// The values of an input.
#[derive(Clone, Debug)]
pub struct Choices {
    /// Those to be tried first come last.
    pub values: Vec<InputValue>,
    /// There are no others.
    pub is_complete: bool,
    /// Who runs next is what is asked.
    pub is_schedule: bool,
}

/// The values of all inputs of a program.
pub fn choices(program: &Program) -> TiVec<InputId, Choices> {
    let constants = constants(program);
    program.inputs.keys().map(|id| of_input(program, id, &constants)).collect()
}

fn of_input(program: &Program, id: InputId, constants: &[u128]) -> Choices {
    let site = program.input(id);
    let is_schedule = matches!(site.origin, InputOrigin::Schedule(_));
    let scalar = |value: u128, width: u32| InputValue::Scalar(Bits::new(value, width));
    match site.ty {
        Some(Ty::Int(_)) if site.is_bool => {
            Choices { values: vec![scalar(1, 1), scalar(0, 1)], is_complete: true, is_schedule }
        }
        Some(ty @ Ty::Int(_)) if !site.origin.is_garbage() => {
            let width = ty.bits(&program.target);
            if width <= TUNING.enumerable_bits {
                let values = (0..1u128 << width).rev().map(|value| scalar(value, width)).collect();
                return Choices { values, is_complete: true, is_schedule };
            }
            let mut values: Vec<InputValue> = constants.iter().rev().map(|value| scalar(*value, width)).collect();
            values.extend([scalar(1, width), scalar(0, width)]);
            Choices { values, is_complete: false, is_schedule }
        }
        Some(_) => Choices { values: vec![InputValue::Scalar(Bits::ZERO)], is_complete: false, is_schedule },
        None => Choices { values: vec![InputValue::Region(RegionFill::Zero)], is_complete: false, is_schedule },
    }
}

/// Small constants of the user's functions, the smallest first.
fn constants(program: &Program) -> Vec<u128> {
    let mut found: BTreeSet<u128> = BTreeSet::new();
    for function in program.functions.iter().filter(|f| !f.is_library) {
        for id in function.exprs.ids() {
            if let ExprKind::Const(bits) = function.exprs.kind(id)
                && function.exprs.ty(id) != Ty::BOOL
                && (2..1 << 16).contains(&bits.u128())
            {
                found.insert(bits.u128());
            }
        }
    }
    found.into_iter().take(TUNING.constants).collect()
}
