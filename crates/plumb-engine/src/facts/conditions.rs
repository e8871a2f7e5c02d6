//! What a program itself asks: its comparisons and remainders, as conditions on quantities.
//!
//! A loop's bound is rarely a number that runs come near to, and the relation that a proof needs is often one that the
//! program compares by: these conditions are where facts are looked for first.

use super::fact::{Fact, Quantity, Sum, View, read};
use super::linear::Linear;
use super::tuning::TUNING;
use plumb_ir::expr::{BinOp, ExprId, ExprKind, Sign, UnOp};
use plumb_ir::program::{FuncId, Function, ObjRef, Program};
use plumb_ir::ty::Ty;
use plumb_sym::StatePart;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The conditions of a program.
#[derive(Clone)]
pub struct Conditions {
    by_function: FxHashMap<FuncId, BTreeSet<Fact>>,
    /// Those about static quantities, which all functions see.
    statics: BTreeSet<Fact>,
    /// The numbers that functions compare with what lies behind their pointers. No facts: not every state has it.
    behind_pointers: FxHashMap<(FuncId, Quantity), BTreeSet<u128>>,
}

impl Conditions {
    pub fn of(program: &Program) -> Conditions {
        let by_function = conditions(program);
        let is_static = |fact: &&Fact| fact.quantities().into_iter().all(Quantity::is_static);
        let statics = by_function.values().flatten().filter(is_static).cloned().collect();
        Conditions { by_function, statics, behind_pointers: compared_behind_pointers(program) }
    }

    /// The numbers that a function compares with a quantity behind a pointer.
    pub fn compared_behind_pointer(&self, func: FuncId, quantity: Quantity) -> impl Iterator<Item = u128> {
        self.behind_pointers.get(&(func, quantity)).into_iter().flatten().copied()
    }

    /// Those about quantities that a function can see.
    pub fn seen_by(&self, func: FuncId) -> impl Iterator<Item = &Fact> {
        let own = self.by_function.get(&func);
        let others = self.statics.iter().filter(move |fact| own.is_none_or(|own| !own.contains(fact)));
        own.into_iter().flatten().chain(others)
    }
}

fn conditions(program: &Program) -> FxHashMap<FuncId, BTreeSet<Fact>> {
    let mut all = FxHashMap::default();
    for func in program.function_ids() {
        let function = program.function(func);
        if function.is_library {
            continue;
        }
        let mut asked = BTreeSet::new();
        for id in (0..function.exprs.len() as u32).map(ExprId) {
            let ExprKind::Binary(op, sign, a, b) = function.exprs.kind(id) else { continue };
            condition(program, function, op, sign, a, b, &mut asked);
        }
        all.insert(func, asked);
    }
    all
}

fn compared_behind_pointers(program: &Program) -> FxHashMap<(FuncId, Quantity), BTreeSet<u128>> {
    let mut all: FxHashMap<(FuncId, Quantity), BTreeSet<u128>> = FxHashMap::default();
    for func in program.function_ids() {
        let function = program.function(func);
        for id in (0..function.exprs.len() as u32).map(ExprId) {
            let ExprKind::Binary(BinOp::Eq | BinOp::Ne, _, a, b) = function.exprs.kind(id) else { continue };
            for (one, other) in [(a, b), (b, a)] {
                if let (Some(quantity), Some(number)) = (cell_behind(function, one), function.exprs.as_const(other)) {
                    all.entry((func, quantity)).or_default().insert(number.u128());
                }
            }
        }
    }
    all
}

/// The number that a load from a constant distance behind a pointer gives.
fn cell_behind(function: &Function, load: ExprId) -> Option<Quantity> {
    let exprs = &function.exprs;
    let ExprKind::Load(addr) = exprs.kind(load) else { return None };
    let Ty::Int(width @ (8 | 16 | 32 | 64)) = exprs.ty(load) else { return None };
    let (base, at) = moved(function, addr)?;
    let (pointer, through) = match exprs.kind(base) {
        ExprKind::Var(pointer) => (pointer, None),
        ExprKind::Load(addr) => {
            let (base, through) = moved(function, addr)?;
            let ExprKind::Var(pointer) = exprs.kind(base) else { return None };
            (pointer, Some(through))
        }
        _ => return None,
    };
    Some(Quantity { part: StatePart::Behind { pointer, through, at }, width: width as u32 })
}

/// An address as another one and a constant distance.
fn moved(function: &Function, addr: ExprId) -> Option<(ExprId, u64)> {
    match function.exprs.kind(addr) {
        ExprKind::PtrAdd(base, offset) => Some((base, function.exprs.as_const(offset)?.u64())),
        _ => Some((addr, 0)),
    }
}

fn condition(
    program: &Program,
    function: &Function,
    op: BinOp,
    sign: Sign,
    a: ExprId,
    b: ExprId,
    asked: &mut BTreeSet<Fact>,
) {
    let view = if sign == Sign::Signed { View::Signed } else { View::Unsigned };
    let of = |id| linear(program, function, id, TUNING.max_depth);
    let (Some(x), Some(y)) = (of(a), of(b)) else { return };
    let width = x.width;
    match op {
        BinOp::Lt | BinOp::Le => match (few(x.sum()), few(y.sum())) {
            (Some(a), Some(b)) => {
                asked.insert(Fact::less(a.clone(), b.clone(), view));
                asked.insert(Fact::NotGreater(a, b, view));
            }
            (Some(a), None) => bounds(a, read(y.constant, width, view), view, asked),
            (None, Some(b)) => bounds(b, read(x.constant, width, view), view, asked),
            (None, None) => {}
        },
        BinOp::Eq | BinOp::Ne => {
            if let Some((sum, value)) = x.equation(y).filter(|(sum, _)| sum.parts().len() <= TUNING.max_summands) {
                asked.insert(Fact::equals(sum, value));
            }
        }
        BinOp::Rem if y.parts.is_empty() && (2..1 << 16).contains(&y.constant) && y.constant >> (width - 1) == 0 => {
            if let Some(sum) = few(x.sum()) {
                remainders(sum, y.constant as u64, asked);
            }
        }
        // A number that is counted in steps.
        BinOp::Add | BinOp::Sub if y.parts.is_empty() && (3..=TUNING.max_step).contains(&y.constant) => {
            if let (Some(sum), 1) = (x.without_constant(), x.parts.len()) {
                remainders(sum, y.constant as u64, asked);
            }
        }
        _ => {}
    }
}

fn remainders(sum: Sum, divisor: u64, asked: &mut BTreeSet<Fact>) {
    let rests = if divisor <= TUNING.max_divisor { divisor } else { 1 };
    asked.extend((0..rests).map(|rest| Fact::Congruent(sum.clone(), divisor, rest)));
}

/// A sum that is compared with a number.
fn bounds(sum: Sum, number: i128, view: View, asked: &mut BTreeSet<Fact>) {
    let width = sum.width();
    let (least, most) = match view {
        View::Signed => (i128::MIN >> (128 - width), i128::MAX >> (128 - width)),
        View::Unsigned => (0, (u128::MAX >> (128 - width)) as i128),
    };
    for bound in [number - 1, number] {
        // A bound at the end of the range says nothing.
        if bound >= least && bound < most {
            asked.insert(Fact::AtMost(sum.clone(), bound, view));
        }
    }
}

/// An expression as a linear combination, looked through to a depth.
fn linear(program: &Program, function: &Function, id: ExprId, depth: u32) -> Option<Linear> {
    let exprs = &function.exprs;
    let Ty::Int(width @ 2..=64) = exprs.ty(id) else { return None };
    let width = width as u32;
    let operand = |id| linear(program, function, id, depth.checked_sub(1)?);
    match exprs.kind(id) {
        ExprKind::Const(bits) => Some(Linear::constant(bits.u128(), width)),
        ExprKind::Var(var) => Some(Linear::of(Quantity { part: StatePart::Register(var), width })),
        ExprKind::Load(_) => named_cell(program, function, id).map(Linear::of),
        ExprKind::Unary(UnOp::Neg, _, a) => operand(a)?.times(-1),
        ExprKind::Binary(BinOp::Add, _, a, b) => operand(a)?.plus(1, operand(b)?),
        ExprKind::Binary(BinOp::Sub, _, a, b) => operand(a)?.plus(-1, operand(b)?),
        ExprKind::Binary(BinOp::Mul, _, a, b) => {
            let (x, y) = (operand(a)?, operand(b)?);
            let (sum, factor) = if y.parts.is_empty() { (x, y) } else { (y, x) };
            let number = factor.number(View::Signed).filter(|number| number.abs() <= TUNING.max_factor.into())?;
            let product = sum.times(number)?;
            product.parts.values().all(|factor| factor.abs() <= TUNING.max_factor).then_some(product)
        }
        _ => None,
    }
}

/// A sum of few quantities.
fn few(sum: Option<Sum>) -> Option<Sum> {
    sum.filter(|sum| sum.parts().len() <= TUNING.max_summands)
}

/// The number that a load from a constant place of a named object gives.
pub fn named_cell(program: &Program, function: &Function, load: ExprId) -> Option<Quantity> {
    let exprs = &function.exprs;
    let ExprKind::Load(addr) = exprs.kind(load) else { return None };
    let Ty::Int(width @ (8 | 16 | 32 | 64)) = exprs.ty(load) else { return None };
    let (base, offset) = moved(function, addr)?;
    let ExprKind::Addr(object) = exprs.kind(base) else { return None };
    let size = match object {
        ObjRef::Global(object) if program.object(object).read_only => return None,
        ObjRef::Global(object) => program.object(object).size,
        ObjRef::Local(object) => function.object(object).size,
    };
    let fits = offset.checked_add(width as u64 / 8).is_some_and(|end| end <= size);
    fits.then_some(Quantity { part: StatePart::Bytes(object, offset), width: width as u32 })
}
