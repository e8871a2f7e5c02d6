//! Library functions that are arithmetic under another name, checked where the user calls them.
//!
//! `abs` negates and `div` divides: what their operators need is known before the call. Whether a function of <math.h>
//! made a NaN out of numbers (`sqrt(-1)`) shows in its result, so that check comes after the call.

use super::site::Site;
use super::{division, overflow};
use crate::expr::{ExprId, ExprKind, UnOp};
use crate::program::{Callee, Function, Lifetime, LocalVarInfo, Op, Place, Program, VarRef};
use crate::rewrite::{Draft, Step};
use crate::ty::Ty;
use plumb_c::source::Span;

const NEGATING: [&str; 4] = ["abs", "labs", "llabs", "imaxabs"];
const DIVIDING: [&str; 4] = ["div", "ldiv", "lldiv", "imaxdiv"];

/// The function that an operation calls by name, if it is the library's.
fn callee<'a>(program: &'a Program, op: &Op) -> Option<&'a Function> {
    let Op::Call { callee: Callee::Direct(id), .. } = op else { return None };
    Some(program.function(*id)).filter(|callee| callee.is_library)
}

/// What a call needs before it is made.
pub(super) fn called(site: &mut Site<'_>, op: &Op) {
    let (Some(callee), Op::Call { args, .. }) = (callee(site.program, op), op) else { return };
    match args[..] {
        [value] if NEGATING.contains(&&*callee.name) => overflow::negation_of(site, value),
        // The first argument is where the result goes.
        [_, a, b] if DIVIDING.contains(&&*callee.name) => {
            division::by(site, b, "division");
            overflow::quotient_of(site, a, b);
        }
        _ => {}
    }
}

/// A call that is watched for making a NaN.
pub(super) struct Watched {
    /// What stands in place of the call.
    pub steps: Vec<Step>,
    /// What must hold after it.
    pub cond: ExprId,
    pub message: String,
}

pub(super) fn watched(program: &Program, draft: &mut Draft<'_>, op: &Op, span: Span) -> Option<Watched> {
    let function = callee(program, op)?;
    let (Some(ty @ Ty::Float(_)), Op::Call { to, callee, args }) = (function.ret, op) else { return None };
    let floats: Vec<ExprId> = args.iter().copied().filter(|&arg| draft.parts.exprs.ty(arg).is_float()).collect();
    if floats.is_empty() {
        return None;
    }
    let kept = fresh(draft, Ty::BOOL, span);
    let to = to.unwrap_or_else(|| fresh(draft, ty, span));
    let mut make = draft.make();
    let mut was_nan = make.bool(false);
    for arg in floats {
        let is_nan = make.unary(UnOp::IsNan, arg);
        was_nan = make.or(was_nan, is_nan);
    }
    let result = make.exprs.push(ExprKind::Var(to), ty);
    let is_nan = make.unary(UnOp::IsNan, result);
    let is_number = make.not(is_nan);
    let excused = make.exprs.push(ExprKind::Var(kept), Ty::BOOL);
    let cond = make.or(excused, is_number);
    // The arguments are looked at before the call: its result may overwrite a variable that they were made of.
    let steps = vec![
        (Op::Assign { to: Place::Var(kept), value: was_nan }, span),
        (Op::Call { to: Some(to), callee: *callee, args: args.clone() }, span),
    ];
    let message = format!("the result of {} is not a number although its arguments are", function.name);
    Some(Watched { steps, cond, message })
}

fn fresh(draft: &mut Draft<'_>, ty: Ty, span: Span) -> VarRef {
    let vars = &mut draft.parts.vars;
    VarRef::Local(vars.push_and_get_key(LocalVarInfo {
        name: "%kept".into(),
        ty,
        cty: None,
        lifetime: Lifetime::Expression,
        span,
    }))
}
