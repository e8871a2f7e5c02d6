//! The inputs of a violating run by iteration, and what they cost a reader.

use plumb_exec::{InputValue, RegionFill};
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::program::Program;
use plumb_ir::ty::{Bits, FloatFormat, Ty};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The inputs read in one iteration of the main loop; iterations that read none count with the one that reads next. What is read
/// before the loop is an iteration too.
pub(super) type Iteration = Arc<Vec<(InputId, InputValue)>>;

/// The n-th question of a site within an iteration: what a program that polls its pins in a loop reads from one of them.
pub(super) type Channel = (InputId, u32);

/// The inputs of an iteration with their channels.
pub(super) fn channels(iteration: &[(InputId, InputValue)]) -> impl Iterator<Item = (Channel, &InputValue)> {
    let mut asked: FxHashMap<InputId, u32> = FxHashMap::default();
    iteration.iter().map(move |(id, value)| {
        let count = asked.entry(*id).or_default();
        *count += 1;
        ((*id, *count - 1), value)
    })
}

#[derive(Clone, Debug, Default)]
pub(super) struct InputSequence {
    pub iterations: Vec<Iteration>,
    /// What the values cost.
    weight: u64,
    /// Inputs that are not what their channel got last, zero at first.
    pub changes: usize,
}

impl InputSequence {
    pub fn new(iterations: Vec<Iteration>, program: &Program) -> InputSequence {
        let mut last: FxHashMap<Channel, &InputValue> = FxHashMap::default();
        let mut weight = 0;
        let mut changes = 0;
        for (channel, value) in iterations.iter().flat_map(|t| channels(t)) {
            weight += weight_of(value, program.input(channel.0), program);
            let differs = match last.insert(channel, value) {
                Some(before) => before != value,
                None => *value != zero_like(value),
            };
            // A value that stays the same is read over.
            if differs {
                weight += 4;
                changes += 1;
            }
        }
        InputSequence { iterations, weight, changes }
    }

    pub fn inputs(&self) -> Vec<(InputId, InputValue)> {
        self.iterations.iter().flat_map(|t| t.iter().cloned()).collect()
    }

    pub fn input_count(&self) -> usize {
        self.iterations.iter().map(|t| t.len()).sum()
    }

    /// Less is better: first inputs and iterations, then values.
    pub fn cost(&self) -> (usize, usize, u64) {
        (self.input_count(), self.iterations.len(), self.weight)
    }
}

fn weight_of(value: &InputValue, site: &InputSite, program: &Program) -> u64 {
    match value {
        InputValue::Scalar(bits) => scalar_weight(*bits, site, program) as u64,
        InputValue::Region(RegionFill::Zero) => 0,
        InputValue::Region(RegionFill::Bytes(bytes)) => 8 + bytes.iter().filter(|b| **b != 0).count() as u64,
        InputValue::Region(RegionFill::Sparse(bytes)) => 8 + bytes.len() as u64,
        InputValue::Region(RegionFill::Pattern(_)) => u32::MAX as u64,
    }
}

fn scalar_weight(bits: Bits, site: &InputSite, program: &Program) -> u32 {
    match site.ty {
        Some(Ty::Float(format)) => {
            let value = float(bits, format);
            match value {
                0.0 => u32::from(!bits.is_zero()),
                v if v.is_finite() && v.fract() == 0.0 && v.abs() < 1e9 => 2 + magnitude(v as i128),
                v if v.is_finite() => 64,
                _ => 80,
            }
        }
        Some(ty @ Ty::Int(_)) if site.is_signed => magnitude(bits.signed(ty.bits(&program.target))),
        Some(Ty::Int(_) | Ty::Ptr) | None => 128 - bits.u128().leading_zeros(),
    }
}

/// Bits of the absolute value, and a little for the minus.
fn magnitude(value: i128) -> u32 {
    let bits = 128 - value.unsigned_abs().leading_zeros();
    if value < 0 { bits + 1 } else { bits }
}

pub(super) fn float(bits: Bits, format: FloatFormat) -> f64 {
    match format {
        FloatFormat::F32 => f32::from_bits(bits.u64() as u32) as f64,
        FloatFormat::F64 => f64::from_bits(bits.u64()),
        FloatFormat::X87 => {
            f64::from_bits(plumb_ir::fold_float::convert(FloatFormat::X87, FloatFormat::F64, bits).u64())
        }
    }
}

/// The value as the machine will use it: bits above the type are dropped, a C truth value is 0 or 1, zeros at the end of a
/// region are left out.
pub(super) fn normal(value: &InputValue, site: &InputSite, program: &Program) -> InputValue {
    match value {
        InputValue::Scalar(bits) => {
            let mask = if site.is_bool { 1 } else { site.ty.map_or(u128::MAX, |ty| ty.mask(&program.target)) };
            InputValue::Scalar(Bits::new(bits.u128() & mask, 128))
        }
        InputValue::Region(RegionFill::Bytes(bytes)) => {
            let used = bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
            InputValue::Region(if used == 0 { RegionFill::Zero } else { RegionFill::Bytes(bytes[..used].to_vec()) })
        }
        InputValue::Region(RegionFill::Sparse(bytes)) if bytes.values().all(|b| *b == 0) => {
            InputValue::Region(RegionFill::Zero)
        }
        InputValue::Region(fill @ (RegionFill::Zero | RegionFill::Pattern(_) | RegionFill::Sparse(_))) => {
            InputValue::Region(fill.clone())
        }
    }
}

/// Zero of the kind that a value has.
pub(super) fn zero_like(value: &InputValue) -> InputValue {
    match value {
        InputValue::Scalar(_) => InputValue::Scalar(Bits::ZERO),
        InputValue::Region(_) => InputValue::Region(RegionFill::Zero),
    }
}
