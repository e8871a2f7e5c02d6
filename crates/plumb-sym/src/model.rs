//! A model as the inputs of a run.
//!
//! Under a model of the symbols the inputs whose path conditions hold, in the order in which they were made, are those of a
//! run that takes the path.

use crate::log::{Given, Input};
use crate::memory::region::{Region, RegionId};
use crate::sym::Sym;
use plumb_ir::input::InputId;
use plumb_ir::input_value::{InputValue, RegionFill};
use plumb_ir::ty::{Bits, Ty};
use plumb_term::{Assignment, BitVec, Evaluator, TermId, Value};
use std::collections::BTreeMap;

/// Bytes of one region that are given.
const MOST_BYTES: u64 = 1 << 20;

/// The inputs of a list whose paths hold in a model, in the order in which they were asked for.
pub fn inputs_of(sym: &Sym, list: &[Input], model: &Assignment) -> Vec<(InputId, InputValue)> {
    let mut evaluator = Evaluator::new(model);
    let mut inputs = Vec::new();
    for input in list {
        if !evaluator.holds(&sym.terms, input.path) {
            continue;
        }
        let value = match &input.given {
            Given::Scalar(term, ty) => InputValue::Scalar(scalar(sym, &mut evaluator, *term, *ty)),
            Given::Region(region, size) => InputValue::Region(fill(sym, &mut evaluator, *region, *size)),
        };
        inputs.push((input.id, value));
    }
    inputs
}

/// The other way round: sets the symbols that a region has so far by the bytes that it was filled with. `None` if it is an array by now.
pub fn set_region(sym: &Sym, region: RegionId, fill: &RegionFill, model: &mut Assignment) -> Option<()> {
    let region = sym.region(region);
    if region.array.is_some() {
        return None;
    }
    let end = region.symbols.iter().map(|(at, symbol)| at + sym.terms.width(*symbol) as u64 / 8).max();
    let bytes = fill.bytes(usize::try_from(end.unwrap_or(0).min(MOST_BYTES)).ok()?);
    for (at, symbol) in &region.symbols {
        let width = sym.terms.width(*symbol);
        let from = usize::try_from(*at).ok()?;
        let part = bytes.get(from..from + width as usize / 8)?;
        let number = part.iter().rev().try_fold(0u128, |number, byte| Some(number.checked_mul(256)? + *byte as u128));
        model.set(sym.terms.as_symbol(*symbol)?, Value::Bv(BitVec::new(width, number?)));
    }
    Some(())
}

fn bits(value: &Value) -> u128 {
    match value {
        Value::Bool(value) => *value as u128,
        Value::Bv(bits) | Value::Float(_, bits) => bits.to_u128().unwrap_or(0),
        Value::Array(_) => 0,
    }
}

/// The bytes of a large region that are not zero; `None` if they are too many.
fn sparse(sym: &Sym, evaluator: &mut Evaluator, region: &Region) -> Option<BTreeMap<u64, u8>> {
    let mut bytes = BTreeMap::new();
    let mut put = |at: u64, value: u128, count: u64| {
        for k in 0..count.min(16) {
            match (value >> (8 * k)) as u8 {
                0 => bytes.remove(&at.wrapping_add(k)),
                byte => bytes.insert(at.wrapping_add(k), byte),
            };
        }
    };
    if let Some((unit, array)) = region.array
        && let Value::Array(array) = evaluator.value(&sym.terms, array)
    {
        if array.default().to_u128() != Some(0) {
            return None;
        }
        for (index, element) in array.entries() {
            put(index.to_u64()?.checked_mul(unit)?, element.to_u128()?, unit);
        }
    }
    for (at, symbol) in &region.symbols {
        let value = evaluator.value(&sym.terms, *symbol);
        put(*at, bits(&value), sym.terms.width(*symbol) as u64 / 8);
    }
    Some(bytes)
}

fn scalar(sym: &Sym, evaluator: &mut Evaluator, term: TermId, ty: Ty) -> Bits {
    let value = evaluator.value(&sym.terms, term);
    Bits::new(bits(&value), ty.bits(&sym.program.target))
}

fn fill(sym: &Sym, evaluator: &mut Evaluator, region: RegionId, size: TermId) -> RegionFill {
    let size = bits(&evaluator.value(&sym.terms, size)) as u64;
    let region = sym.region(region);
    if size > MOST_BYTES
        && let Some(mut bytes) = sparse(sym, evaluator, region)
    {
        // An access that leads nowhere may have read beyond.
        let _ = bytes.split_off(&size);
        return if bytes.is_empty() { RegionFill::Zero } else { RegionFill::Sparse(bytes) };
    }
    let size = size.min(MOST_BYTES);
    let mut bytes = vec![0u8; size as usize];
    let mut put = |at: u64, value: u128, count: u64| {
        for k in 0..count.min(16) {
            if let Some(byte) = bytes.get_mut((at + k) as usize) {
                *byte = (value >> (8 * k)) as u8;
            }
        }
    };
    if let Some((unit, array)) = region.array
        && let Value::Array(array) = evaluator.value(&sym.terms, array)
    {
        let default = array.default().to_u128().unwrap_or(0);
        if default != 0 {
            (0..size / unit).for_each(|i| put(i * unit, default, unit));
        }
        for (index, element) in array.entries() {
            if let (Some(index), Some(element)) = (index.to_u64(), element.to_u128())
                && let Some(at) = index.checked_mul(unit)
            {
                put(at, element, unit);
            }
        }
    }
    for (at, symbol) in &region.symbols {
        let value = evaluator.value(&sym.terms, *symbol);
        put(*at, bits(&value), sym.terms.width(*symbol) as u64 / 8);
    }
    if bytes.iter().all(|b| *b == 0) { RegionFill::Zero } else { RegionFill::Bytes(bytes) }
}
