//! Violations through pointers from outside: what a function without a body returned, or left in memory that it was handed.
//!
//! Such a pointer may point to something that the model does not have. That its address belongs to no object here says
//! nothing about the program, so that a check of memory which it breaks is no violation: as for proofs, it is a gap. (Under
//! the competition's rule a missing function returns any number, and the violation counts. Null counts always.)
//!
//! **How it is recognised.** The pointer that the broken check asks about lies close to a word that came from outside. The
//! run is made again with this word moved far away: if the pointer moves by the same distance it was computed from the
//! word. A run that then goes another way depends on the word too; nothing is claimed of it.

use super::tuning::TUNING;
use crate::answer::Violation;
use crate::budget::Budget;
use plumb_exec::{Image, InputSource, InputValue, Limits, Machine, Outcome, RegionFill, Site};
use plumb_ir::check::CheckKind;
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::fold::{Leaf, evaluate};
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::program::{AssumptionKind, ObjRef, Op, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Whether a broken check of memory asks about a pointer from outside.
pub fn rests_on_outside(image: &Arc<Image>, violation: &Violation, budget: &Budget) -> bool {
    let program = image.program();
    let kind = program.check(violation.check).kind;
    if !matches!(kind, CheckKind::Pointer | CheckKind::Bounds | CheckKind::Free) {
        return false;
    }
    let outside = outside_inputs(program);
    if !violation.inputs.iter().any(|(id, _)| outside.contains(id)) {
        return false;
    }
    let given = violation.inputs.iter().map(|(_, value)| value.clone()).collect();
    let Some((pointers, inputs)) = broken_by(image, violation, given, budget) else { return false };
    let width = program.target.pointer_bytes as usize;
    let distance = 1u64 << (width * 8 - 4);
    let reach = TUNING.outside_reach;
    for (at, (id, value)) in violation.inputs.iter().map(|(id, _)| id).zip(&inputs).enumerate() {
        if !outside.contains(id) {
            continue;
        }
        for (offset, word) in words(value, width) {
            let is_near = |p: &u64| p.wrapping_sub(word).wrapping_add(reach) <= 2 * reach;
            if word == 0 || !pointers.iter().any(is_near) {
                continue;
            }
            let mask = if width < 8 { (1u64 << (width * 8)) - 1 } else { u64::MAX };
            let moved = word.wrapping_add(distance) & mask;
            let mut others = inputs.clone();
            others[at] = with_word(value, offset, moved, width);
            let Some((again, _)) = broken_by(image, violation, others, budget) else { return true };
            let moves =
                |(before, after): (&u64, &u64)| is_near(before) && after.wrapping_sub(*before) & mask == distance;
            if pointers.iter().zip(&again).any(moves) {
                return true;
            }
        }
    }
    false
}

/// Inputs that hold words from functions without a body, of which no property file says that they return any number.
fn outside_inputs(program: &Program) -> FxHashSet<InputId> {
    let effects = program.assumptions.iter().filter(|a| a.kind == AssumptionKind::ExternalEffects);
    let missing: FxHashSet<&str> = effects.map(|a| &*a.name).collect();
    let is_outside = |site: &InputSite| match &site.origin {
        InputOrigin::External(name) | InputOrigin::ExternalMemory(name) => missing.contains(&**name),
        _ => false,
    };
    let sites = program.inputs.iter_enumerated().filter(|(_, site)| is_outside(site));
    sites.map(|(id, _)| id).collect()
}

/// The words that a pointer may have been read from, with their offsets.
fn words(value: &InputValue, width: usize) -> Vec<(usize, u64)> {
    match value {
        InputValue::Scalar(bits) => vec![(0, bits.u64())],
        InputValue::Region(RegionFill::Bytes(bytes)) => {
            let number = |word: &[u8]| word.iter().rev().fold(0u64, |number, byte| number << 8 | *byte as u64);
            let starts = (0..bytes.len()).step_by(width);
            starts.map(|at| (at, number(&bytes[at..(at + width).min(bytes.len())]))).collect()
        }
        InputValue::Region(RegionFill::Zero | RegionFill::Pattern(_) | RegionFill::Sparse(_)) => Vec::new(),
    }
}

fn with_word(value: &InputValue, offset: usize, word: u64, width: usize) -> InputValue {
    match value {
        InputValue::Region(RegionFill::Bytes(bytes)) => {
            let mut bytes = bytes.clone();
            bytes.resize(bytes.len().max(offset + width), 0);
            bytes[offset..offset + width].copy_from_slice(&word.to_le_bytes()[..width]);
            InputValue::Region(RegionFill::Bytes(bytes))
        }
        InputValue::Scalar(_)
        | InputValue::Region(RegionFill::Zero | RegionFill::Pattern(_) | RegionFill::Sparse(_)) => {
            InputValue::Scalar(Bits::new(word as u128, 64))
        }
    }
}

/// The pointers that the check asks about where it fails, and the inputs of the run with their bytes; `None` if it does not
/// fail.
fn broken_by(
    image: &Arc<Image>,
    violation: &Violation,
    inputs: Vec<InputValue>,
    budget: &Budget,
) -> Option<(Vec<u64>, Vec<InputValue>)> {
    let mut machine = Machine::new(image.clone());
    let mut tape = InBytes { inputs, next: 0 };
    loop {
        match machine.run(&mut tape, Limits::steps(TUNING.slice)) {
            Outcome::CheckFailed { check, site } if check == violation.check => {
                return Some((asked(&mut machine, site), tape.inputs));
            }
            Outcome::StepLimit if !budget.is_over() => {}
            _ => return None,
        }
    }
}

/// The inputs in order; patterns become the bytes that they stand for.
struct InBytes {
    inputs: Vec<InputValue>,
    next: usize,
}

impl InputSource for InBytes {
    fn scalar(&mut self, _: InputId, _: &InputSite) -> Option<Bits> {
        self.next += 1;
        match self.inputs.get(self.next - 1)? {
            InputValue::Scalar(bits) => Some(*bits),
            InputValue::Region(_) => None,
        }
    }

    fn region(&mut self, _: InputId, _: &InputSite, size: u64) -> Option<RegionFill> {
        self.next += 1;
        match self.inputs.get_mut(self.next - 1)? {
            InputValue::Region(fill) => {
                if matches!(fill, RegionFill::Pattern(_)) && size <= TUNING.max_outside_bytes {
                    *fill = RegionFill::Bytes(fill.bytes(size as usize));
                }
                Some(fill.clone())
            }
            InputValue::Scalar(_) => None,
        }
    }
}

/// The values of the pointers in the condition of a check at which the machine has stopped.
fn asked(machine: &mut Machine, site: Site) -> Vec<u64> {
    let image = machine.image().clone();
    let function = image.program().function(site.func);
    let Op::Check { cond, .. } = function.edge(site.edge).op else { return Vec::new() };
    let mut pointers: Vec<ExprId> = Vec::new();
    let mut open = vec![cond];
    while let Some(expr) = open.pop() {
        match function.exprs.kind(expr) {
            ExprKind::InBounds { base, addr, .. } => pointers.extend([base, addr]),
            ExprKind::Callable { pointer, .. } | ExprKind::Freeable(pointer) | ExprKind::IsLive(pointer) => {
                pointers.push(pointer);
            }
            ExprKind::Or(a, b) | ExprKind::And(a, b) => open.extend([a, b]),
            ExprKind::Unary(_, _, a) => open.push(a),
            _ => {}
        }
    }
    let target = &image.program().target;
    let mut leaf = |leaf: Leaf| match leaf {
        Leaf::Var(VarRef::Local(var)) => machine.local(var),
        Leaf::Var(VarRef::Global(var)) => Some(machine.global(var)),
        Leaf::Addr(ObjRef::Local(object)) => machine.local_object(object).map(|o| Bits::new(o.base as u128, 64)),
        Leaf::Addr(ObjRef::Global(object)) => Some(Bits::new(image.addresses().object(object).base as u128, 64)),
        Leaf::Function(func) => Some(Bits::new(image.addresses().function_address(func) as u128, 64)),
        Leaf::Load(addr, ty) => load(machine, addr.u64(), ty),
    };
    pointers
        .into_iter()
        .filter_map(|pointer| evaluate(&function.exprs, pointer, target, &mut leaf))
        .map(|bits| bits.u64())
        .collect()
}

fn load(machine: &mut Machine, addr: u64, ty: Ty) -> Option<Bits> {
    let mut bytes = [0u8; 16];
    let size = ty.bytes(&machine.image().program().target) as usize;
    machine.read_memory(addr, bytes.get_mut(..size)?).ok()?;
    Some(Bits::new(u128::from_le_bytes(bytes), 128))
}
