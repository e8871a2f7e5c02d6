//! What a program itself asks: its comparisons and remainders, as conditions on quantities.
//!
//! A loop's bound is rarely a number that runs come near to, and the relation that a proof needs is often one that the
//! program compares by: these conditions are where facts are looked for first.

use super::fact::{Fact, Holder, Quantity, Sum, View, read};
use super::tuning::TUNING;
use plumb_ir::expr::{BinOp, ExprId, ExprKind, Sign, UnOp};
use plumb_ir::program::{FuncId, Function, ObjRef, Program};
use plumb_ir::ty::{Bits, Ty};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Conditions by function.
pub fn conditions(program: &Program) -> FxHashMap<FuncId, BTreeSet<Fact>> {
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
    let (Some(x), Some(y)) = (Linear::of(program, function, a), Linear::of(program, function, b)) else { return };
    let width = x.width;
    match op {
        BinOp::Lt | BinOp::Le => match (x.sum(), y.sum()) {
            (Some(a), Some(b)) => {
                asked.insert(Fact::Less(a.clone(), b.clone(), view));
                asked.insert(Fact::NotGreater(a, b, view));
            }
            (Some(a), None) => bounds(a, read(y.constant, width, view), view, asked),
            (None, Some(b)) => bounds(b, read(x.constant, width, view), view, asked),
            (None, None) => {}
        },
        BinOp::Eq | BinOp::Ne => {
            let difference = x.minus(&y);
            if let Some(sum) = difference.without_constant() {
                let value = Bits::new(difference.constant.wrapping_neg(), width).u128();
                asked.insert(Fact::equals(sum, value));
            }
        }
        BinOp::Rem if y.parts.is_empty() && (2..1 << 16).contains(&y.constant) && y.constant >> (width - 1) == 0 => {
            if let Some(sum) = x.sum() {
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

/// An expression as multiples of quantities and a constant.
struct Linear {
    parts: BTreeMap<Quantity, i64>,
    constant: u128,
    width: u32,
}

impl Linear {
    fn of(program: &Program, function: &Function, id: ExprId) -> Option<Linear> {
        Linear::within(program, function, id, 6)
    }

    fn within(program: &Program, function: &Function, id: ExprId, depth: u32) -> Option<Linear> {
        let exprs = &function.exprs;
        let Ty::Int(width @ 2..=64) = exprs.ty(id) else { return None };
        let width = width as u32;
        let constant = |constant: u128| Linear { parts: BTreeMap::new(), constant, width };
        let one = |holder| Linear { parts: BTreeMap::from([(Quantity { holder, width }, 1)]), constant: 0, width };
        let operand = |id| Linear::within(program, function, id, depth.checked_sub(1)?);
        match exprs.kind(id) {
            ExprKind::Const(bits) => Some(constant(bits.u128())),
            ExprKind::Var(var) => Some(one(Holder::Register(var))),
            ExprKind::Load(_) => named_cell(program, function, id).map(|quantity| one(quantity.holder)),
            ExprKind::Unary(UnOp::Neg, _, a) => Some(constant(0).minus(&operand(a)?)),
            ExprKind::Binary(BinOp::Add, _, a, b) => {
                let negated = constant(0).minus(&operand(b)?);
                Some(operand(a)?.minus(&negated))
            }
            ExprKind::Binary(BinOp::Sub, _, a, b) => Some(operand(a)?.minus(&operand(b)?)),
            ExprKind::Binary(BinOp::Mul, _, a, b) => {
                let (x, y) = (operand(a)?, operand(b)?);
                let (sum, factor) = if y.parts.is_empty() { (x, y) } else { (y, x) };
                let number = i64::try_from(read(factor.constant, width, View::Signed)).ok()?;
                if !factor.parts.is_empty() || number.abs() > TUNING.max_factor {
                    return None;
                }
                sum.times(number)
            }
            _ => None,
        }
    }

    fn minus(&self, other: &Linear) -> Linear {
        let mut parts = self.parts.clone();
        for (quantity, factor) in &other.parts {
            let sum = parts.entry(*quantity).or_insert(0);
            *sum = sum.saturating_sub(*factor);
        }
        parts.retain(|_, factor| *factor != 0);
        let constant = Bits::new(self.constant.wrapping_sub(other.constant), self.width).u128();
        Linear { parts, constant, width: self.width }
    }

    fn times(mut self, number: i64) -> Option<Linear> {
        for factor in self.parts.values_mut() {
            *factor = factor.checked_mul(number).filter(|f| f.abs() <= TUNING.max_factor)?;
        }
        self.parts.retain(|_, factor| *factor != 0);
        self.constant = Bits::new(self.constant.wrapping_mul(number as i128 as u128), self.width).u128();
        Some(self)
    }

    fn without_constant(&self) -> Option<Sum> {
        let parts: Vec<(i64, Quantity)> = self.parts.iter().map(|(q, factor)| (*factor, *q)).collect();
        if parts.len() > TUNING.max_summands { None } else { Sum::new(parts) }
    }

    fn sum(&self) -> Option<Sum> {
        Some(self.without_constant()?.plus(self.constant as i128))
    }
}

/// The number that a load from a constant place of a named object gives.
pub fn named_cell(program: &Program, function: &Function, load: ExprId) -> Option<Quantity> {
    let exprs = &function.exprs;
    let ExprKind::Load(addr) = exprs.kind(load) else { return None };
    let Ty::Int(width @ (8 | 16 | 32 | 64)) = exprs.ty(load) else { return None };
    let (base, offset) = match exprs.kind(addr) {
        ExprKind::PtrAdd(base, offset) => (base, exprs.as_const(offset)?.u64()),
        _ => (addr, 0),
    };
    let ExprKind::Addr(object) = exprs.kind(base) else { return None };
    let (holder, size) = match object {
        ObjRef::Global(object) if program.object(object).read_only => return None,
        ObjRef::Global(object) => (Holder::Static(object, offset), program.object(object).size),
        ObjRef::Local(object) => (Holder::Local(object, offset), function.object(object).size),
    };
    let fits = offset.checked_add(width as u64 / 8).is_some_and(|end| end <= size);
    fits.then_some(Quantity { holder, width: width as u32 })
}
