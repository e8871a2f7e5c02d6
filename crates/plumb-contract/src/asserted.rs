//! Conditions as checks at locations: the program holds if and only if they are invariants.

use crate::lower::Lowering;
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::derive::chain::Chain;
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::program::{FuncId, Function, Loc, Op, Program};
use plumb_ir::ty::Ty;
use plumb_sym::StatePart;
use plumb_term::{TermId, Terms};
use std::sync::Arc;

/// Conditions on the states at a location.
#[derive(Clone, Debug)]
pub struct Conditions {
    pub func: FuncId,
    pub at: Loc,
    pub terms: Terms,
    /// What the symbols stand for; each has the sort of its type.
    pub symbols: Vec<(TermId, StatePart, Ty)>,
    pub list: Vec<TermId>,
}

/// A program with conditions as checks.
#[derive(Clone, Debug)]
pub struct Asserted {
    pub program: Program,
    /// By place and condition. Nothing else is checked but that nothing happens that is not modelled.
    pub checks: Vec<Vec<CheckId>>,
}

/// The program that checks conditions wherever a run comes to their locations. A run that would break a check of the program itself
/// ends before it.
pub fn asserted(program: &Program, places: &[Conditions]) -> Result<Asserted, String> {
    let mut derived = program.clone();
    for func in program.function_ids() {
        derived.functions[func] = with_assumptions(program, &program.functions[func]);
    }
    let mut checks = Vec::new();
    for place in places {
        let (function, new, ids) = with_checks(&derived, place)?;
        derived.functions[place.func] = Arc::new(function);
        Arc::make_mut(&mut derived.checks).extend(new);
        checks.push(ids);
    }
    match plumb_ir::verify::verify(&derived).into_iter().next() {
        None => Ok(Asserted { program: derived, checks }),
        Some(broken) => Err(broken),
    }
}

/// The function with assumptions for its checks.
fn with_assumptions(program: &Program, function: &Arc<Function>) -> Arc<Function> {
    let is_property = |op: &Op| match op {
        Op::Check { check, .. } => program.check(*check).kind != CheckKind::Unsupported,
        _ => false,
    };
    if !function.edges.iter().any(|edge| is_property(&edge.op)) {
        return function.clone();
    }
    let mut parts = Function::clone(function).into_parts();
    for edge in parts.edges.iter_mut().filter(|edge| is_property(&edge.op)) {
        if let Op::Check { cond, .. } = edge.op {
            edge.op = Op::Assume { cond, branch: None };
        }
    }
    Arc::new(Function::new(parts))
}

/// The function with checks before what it does at the location.
fn with_checks(
    program: &Program,
    place: &Conditions,
) -> Result<(Function, Vec<plumb_ir::check::CheckInfo>, Vec<CheckId>), String> {
    let function = program.function(place.func);
    let (old, span) = (function.edges.len(), function.span);
    let mut chain = Chain::new(program, function.clone().into_parts(), place.at, span);
    let mut lowering = Lowering::default();
    for (symbol, part, ty) in &place.symbols {
        let value = read(&mut chain, *part, *ty);
        lowering.set(*symbol, value);
    }
    let mut ids = Vec::new();
    for condition in &place.list {
        let cond = lowering.lower(&place.terms, *condition, &mut chain.make())?;
        ids.push(chain.check(cond, CheckKind::Assertion, "a likely fact does not hold"));
    }
    let Chain { mut parts, at, checks, .. } = chain;
    for edge in parts.edges.iter_mut().take(old).filter(|edge| edge.from == place.at) {
        edge.from = at;
    }
    Ok((Function::new(parts), checks, ids))
}

fn read(chain: &mut Chain<'_>, part: StatePart, ty: Ty) -> ExprId {
    let kind = match part {
        StatePart::Register(var) => ExprKind::Var(var),
        StatePart::Bytes(object, offset) => {
            let base = chain.parts.exprs.push(ExprKind::Addr(object), Ty::Ptr);
            ExprKind::Load(chain.make().field(base, offset))
        }
        StatePart::Behind { pointer, through, at } => {
            let mut base = chain.parts.exprs.push(ExprKind::Var(pointer), Ty::Ptr);
            if let Some(through) = through {
                let place = chain.make().field(base, through);
                base = chain.parts.exprs.push(ExprKind::Load(place), Ty::Ptr);
            }
            ExprKind::Load(chain.make().field(base, at))
        }
    };
    chain.parts.exprs.push(kind, ty)
}
