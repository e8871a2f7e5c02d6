//! From comparisons back to inputs: which input, changed how, would have decided a comparison the other way.
//!
//! No data flow is followed. An operand that equals an input's value, as it is or cut to fewer bits, is taken to be that
//! input; where that is a mistake a run is lost, nothing more.

use super::sites::{Domain, Given, Number, Site};
use super::tuning::TUNING;
use plumb_exec::{Compared, Comparison, InputValue, Reading};
use plumb_ir::expr::BinOp;
use plumb_ir::index::TiSlice;
use plumb_ir::input::InputId;
use plumb_ir::ty::{Bits, FloatFormat};

/// An input of a run that a comparison has met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// Index among the inputs given.
    pub input: usize,
    /// It was the first operand.
    pub is_left: bool,
    /// The other operand.
    pub other: u64,
    /// The bits of the input that took part; 0 for a float that was widened.
    pub bits: u32,
}

/// A change of one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub input: usize,
    pub value: InputValue,
}

/// The inputs that one comparison may have met, the latest first.
pub fn matches(
    compared: &Compared,
    comparison: &Comparison,
    given: &[Given],
    sites: &TiSlice<InputId, Site>,
) -> Vec<Match> {
    let mut found = Vec::new();
    let recent = given.len().saturating_sub(TUNING.lookback);
    for (input, one) in given.iter().enumerate().skip(recent).rev() {
        let InputValue::Scalar(value) = one.value else { continue };
        let domain = sites[one.id].domain;
        let Some(width) = domain.bits() else { continue };
        let widened = match (domain, comparison.reading) {
            (Domain::Float(FloatFormat::F32), Reading::F64) => {
                Some((f32::from_bits(value.u64() as u32) as f64).to_bits())
            }
            _ => None,
        };
        for (operand, other, is_left) in [(compared.a, compared.b, true), (compared.b, compared.a, false)] {
            let bits = match widened {
                Some(wide) => (wide == operand).then_some(0),
                None => equal_bits(value.u64(), width, operand, comparison.bits),
            };
            if let Some(bits) = bits {
                found.push(Match { input, is_left, other, bits });
                if found.len() >= TUNING.max_matches {
                    return found;
                }
            }
        }
    }
    found
}

/// How many low bits of an input, extended with or without sign, make up an operand.
fn equal_bits(input: u64, width: u32, operand: u64, operand_bits: u32) -> Option<u32> {
    let mask = |bits: u32| if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
    [width.min(64), 32, 16, 8].into_iter().filter(|bits| *bits <= width.min(64)).find(|&bits| {
        let low = input & mask(bits);
        let extended = Bits::new(low as u128, 64).signed(bits) as u64 & mask(operand_bits);
        low & mask(operand_bits) == operand || extended == operand
    })
}

/// Values for the matched input that make the comparison hold, or fail, the likeliest first.
pub fn values(found: &Match, comparison: &Comparison, holds: bool) -> Vec<u64> {
    let other = found.other;
    // The next pattern of a float is the next float, away from zero for both signs.
    let (up, down) = (other.wrapping_add(1), other.wrapping_sub(1));
    let less = if found.is_left { vec![down, other] } else { vec![up, other] };
    let more = if found.is_left { vec![up, other] } else { vec![down, other] };
    match (comparison.op, holds) {
        (BinOp::Eq, true) | (BinOp::Ne, false) => vec![other],
        (BinOp::Eq, false) | (BinOp::Ne, true) => vec![up, down],
        (BinOp::Lt, true) | (BinOp::Le, true) => less,
        _ => more,
    }
}

/// Changes that may make the last occurrence of a comparison hold, or fail.
pub fn changes(
    compared: &Compared,
    comparison: &Comparison,
    holds: bool,
    given: &[Given],
    sites: &TiSlice<InputId, Site>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    for found in matches(compared, comparison, given, sites) {
        let one = &given[found.input];
        for value in values(&found, comparison, holds) {
            let value = fitted(value, found.bits, one, sites);
            changes.push(Change { input: found.input, value });
        }
    }
    changes
}

/// Inputs moved by as much as a comparison is away from equality: right where an operand is an input plus something.
pub fn shifts(
    compared: &Compared,
    comparison: &Comparison,
    given: &[Given],
    sites: &TiSlice<InputId, Site>,
    which: &[usize],
) -> Vec<Change> {
    if given.is_empty() || matches!(comparison.reading, Reading::F32 | Reading::F64) {
        return Vec::new();
    }
    let by = Bits::new(compared.b.wrapping_sub(compared.a) as u128, 64).signed(comparison.bits.clamp(1, 64));
    let mut changes = Vec::new();
    for input in which.iter().map(|w| w % given.len()) {
        let (InputValue::Scalar(value), Domain::Int { bits, .. }) =
            (&given[input].value, sites[given[input].id].domain)
        else {
            continue;
        };
        for moved in [value.u128().wrapping_add(by as u128), value.u128().wrapping_sub(by as u128)] {
            changes.push(Change { input, value: InputValue::Scalar(Bits::new(moved, bits)) });
        }
    }
    changes
}

/// The value of an input whose low bits are to be a value's.
fn fitted(value: u64, bits: u32, one: &Given, sites: &TiSlice<InputId, Site>) -> InputValue {
    if bits == 0 {
        return InputValue::Scalar(Bits::new((f64::from_bits(value) as f32).to_bits() as u128, 32));
    }
    let extended = Bits::new(value as u128, 64).signed(bits.min(64));
    InputValue::Scalar(Bits::new(extended as u128, sites[one.id].domain.bits().unwrap_or(64)))
}

/// The values of a site for which a comparison of its input with a constant holds, or fails, if they are a range.
pub fn range(found: &Match, comparison: &Comparison, holds: bool) -> Option<(Number, Number)> {
    if !comparison.constant {
        return None;
    }
    let other = match comparison.reading {
        Reading::Unsigned => found.other as Number,
        Reading::Signed(bits) => Bits::new(found.other as u128, 64).signed(bits),
        Reading::F32 | Reading::F64 => return None,
    };
    // Small numbers are right for either reading of the input.
    let lowest = if comparison.reading == Reading::Unsigned { 0 } else { Number::MIN };
    // Each as a bound on the input: `x < c`, `x <= c`, `c < x`, `c <= x` or its contrary.
    match (comparison.op, found.is_left, holds) {
        (BinOp::Lt, true, true) | (BinOp::Le, false, false) => Some((lowest, other - 1)),
        (BinOp::Le, true, true) | (BinOp::Lt, false, false) => Some((lowest, other)),
        (BinOp::Lt, false, true) | (BinOp::Le, true, false) => Some((other + 1, Number::MAX)),
        (BinOp::Le, false, true) | (BinOp::Lt, true, false) => Some((other, Number::MAX)),
        _ => None,
    }
}

/// A constant that an input is compared with, in the reading of the comparison.
pub fn constant(found: &Match, comparison: &Comparison) -> Option<Number> {
    match comparison.reading {
        _ if !comparison.constant => None,
        Reading::Unsigned => {
            // Equality does not say how it reads its operands: a constant with its top bit set is a negative one.
            let signed = Bits::new(found.other as u128, 64).signed(comparison.bits.clamp(1, 64));
            Some(if matches!(comparison.op, BinOp::Eq | BinOp::Ne) { signed } else { found.other as Number })
        }
        Reading::Signed(bits) => Some(Bits::new(found.other as u128, 64).signed(bits)),
        Reading::F32 => Some(f32::from_bits(found.other as u32) as Number),
        Reading::F64 => Some(f64::from_bits(found.other) as Number),
    }
}
