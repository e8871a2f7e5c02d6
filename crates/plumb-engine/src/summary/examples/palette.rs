//! Values that functions are likely to treat differently from their neighbours.

use super::tuning::TUNING;
use crate::summary::scalar::{limits, narrower_range, number, pattern};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::{Scalar, ScalarType, Source};
use plumb_ir::expr::ExprKind;
use plumb_ir::program::{FuncId, Program, VarRef};
use plumb_ir::ty::{FloatFormat, Ty};
use std::collections::BTreeSet;

/// Special values of every input, and what is known of inputs at the calls in the program.
pub struct Palette {
    pub types: Vec<ScalarType>,
    /// Patterns, by input.
    pub special: Vec<Vec<u64>>,
    /// Constants of the function and its callees.
    pub constants: Vec<i128>,
    /// The least and the greatest number that calls pass, where that is less than the type has.
    pub ranges: Vec<Option<(i128, i128)>>,
}

impl Palette {
    pub fn new(analyses: &Analyses, func: FuncId, inputs: &[Scalar]) -> Palette {
        let called = analyses.resolved_calls().reachable(func);
        let constants = constants(analyses.program(), &called, TUNING.constants);
        let ranges: Vec<_> = inputs.iter().map(|input| range(analyses, func, input)).collect();
        let types: Vec<ScalarType> = inputs.iter().map(|input| input.ty).collect();
        let special = types.iter().zip(&ranges).map(|(ty, range)| special(*ty, *range, &constants)).collect();
        Palette { types, special, constants, ranges }
    }

    /// Whether all inputs are such as calls of the program pass.
    pub fn is_inside(&self, inputs: &[u64]) -> bool {
        self.types
            .iter()
            .zip(&self.ranges)
            .zip(inputs)
            .all(|((ty, range), input)| range.is_none_or(|(least, most)| (least..=most).contains(&number(*ty, *input))))
    }
}

/// Constants of functions, in the order in which they occur; those between two integers are truncated.
pub(in crate::summary) fn constants(program: &Program, functions: &[FuncId], most: usize) -> Vec<i128> {
    let mut seen = BTreeSet::new();
    let mut list = Vec::new();
    for &func in functions {
        let exprs = &program.function(func).exprs;
        for id in exprs.ids() {
            let numbers = match (exprs.kind(id), exprs.ty(id)) {
                (ExprKind::Const(bits), Ty::Int(width @ 2..=64)) => [bits.signed(width as u32), bits.u128() as i128],
                (ExprKind::Const(bits), ty @ Ty::Float(FloatFormat::F32 | FloatFormat::F64)) => {
                    [number(ScalarType { ty, is_signed: true, is_bool: false }, bits.u64()); 2]
                }
                _ => continue,
            };
            for number in numbers {
                if list.len() < most && seen.insert(number) {
                    list.push(number);
                }
            }
        }
    }
    list
}

/// What the interval analysis knows of an input where the function begins.
fn range(analyses: &Analyses, func: FuncId, input: &Scalar) -> Option<(i128, i128)> {
    let var = match input.source {
        Source::Parameter(param) => VarRef::Local(param),
        Source::Global(var) => VarRef::Global(var),
        Source::Object(..) | Source::Pointee(..) | Source::External(_) | Source::Stream(_) => return None,
    };
    if input.ty.ty.is_float() {
        return None;
    }
    let entry = analyses.program().function(func).entry;
    narrower_range(input.ty, &analyses.intervals()?.at(func, entry, var)?)
}

fn special(ty: ScalarType, range: Option<(i128, i128)>, constants: &[i128]) -> Vec<u64> {
    let (least, most) = limits(ty);
    let mut numbers: Vec<i128> = vec![0, 1, -1, 2, least, most, least + 1, most - 1];
    if let Some((low, high)) = range {
        numbers.extend([low, high, low + (high - low) / 2, low - 1, high + 1]);
    }
    for &constant in constants {
        numbers.extend([constant, constant - 1, constant + 1, -constant]);
    }
    numbers.extend((1..127).map(|bit| 1i128 << bit).take_while(|power| *power <= most));
    let mut seen = BTreeSet::new();
    let fits = numbers.into_iter().filter(|number| (least..=most).contains(number));
    fits.map(|number| pattern(ty, number)).filter(|pattern| seen.insert(*pattern)).collect()
}
