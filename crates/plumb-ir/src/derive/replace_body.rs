//! A function's body replaced by another automaton: by a summary of it.
//!
//! **Runs.** The derived program runs as the original does, except inside calls of the function, where it runs the new
//! body: what that does has no origin. Which relation follows is the summary's obligation, so whoever makes it states
//! it. With a summary that can do whatever the body can (on registers, memory and result), every run of the original
//! that breaks a check outside of the function has a counterpart: [`Runs::More`]. Checks inside of the body that was
//! replaced are gone; a proof of the derived program says nothing about them.
//!
//! [`arbitrary_body`] is the coarsest such summary: the result is arbitrary, and so is all that the mod/ref analysis
//! says the function may write.

use super::chain::Chain;
use super::{Derived, FunctionProvenance, Made, Origin, Provenance, Runs};
use crate::analysis::Analyses;
use crate::analysis::modref::Objects;
use crate::analysis::pointsto::Object;
use crate::check::{CheckId, CheckInfo};
use crate::input::{InputId, InputOrigin, InputSite};
use crate::program::{Callee, Edge, FuncId, Function, GlobalObj, GlobalVar, Intrinsic, Loc, LocalVar, Op, Program};
use crate::ty::Ty;
use std::sync::Arc;

/// A new body with what it brings along. Its inputs and checks have the numbers that follow those of the program.
#[derive(Clone, Debug)]
pub struct Body {
    pub function: Function,
    pub inputs: Vec<InputSite>,
    pub checks: Vec<CheckInfo>,
}

/// The program with another body for a function, or what keeps the body from taking its place. `runs` is what the
/// summary's maker claims.
pub fn replace_body(program: &Program, func: FuncId, body: Body, runs: Runs) -> Result<Derived, String> {
    has_same_type(program.function(func), &body.function)?;
    let mut derived = program.clone();
    let mut provenance = Provenance::identity(program);
    provenance.runs = runs;
    let why = Made::Summary(func);
    let function = Origin::Original(func);
    provenance.functions[func] = FunctionProvenance { function, ..FunctionProvenance::made(&body.function, why) };
    derived.functions[func] = Arc::new(bring_along(&mut derived, &mut provenance, body, why));
    match crate::verify::verify(&derived).into_iter().next() {
        None => Ok(Derived { program: derived, provenance }),
        Some(broken) => Err(broken),
    }
}

/// A body can stand for a function whose parameters and result have the same types.
pub(super) fn has_same_type(old: &Function, new: &Function) -> Result<(), String> {
    let types = |function: &Function| function.params().iter().map(|p| p.ty).collect::<Vec<Ty>>();
    match types(old) == types(new) && old.ret == new.ret {
        true => Ok(()),
        false => Err(format!("the new body of {} has other parameters or another result", old.name)),
    }
}

/// Adds the inputs and checks of a body to the program.
pub(super) fn bring_along(derived: &mut Program, provenance: &mut Provenance, body: Body, why: Made) -> Function {
    provenance.inputs.extend(body.inputs.iter().map(|_| Origin::<InputId>::Made(why)));
    provenance.checks.extend(body.checks.iter().map(|_| Origin::<CheckId>::Made(why)));
    Arc::make_mut(&mut derived.inputs).extend(body.inputs);
    Arc::make_mut(&mut derived.checks).extend(body.checks);
    body.function
}

/// A body that returns anything and leaves anything in all that the function may write. `None` if that has no name:
/// heap and stack objects, unknown ones; or if the function allocates or frees.
///
/// It always returns, so that it stands for calls that return: what ends a run inside of the function is gone. The
/// function therefore must not end runs other than by breaking a check: a body with `exit` or with assumptions gives
/// `None` too.
pub fn arbitrary_body(analyses: &Analyses, func: FuncId) -> Option<Body> {
    let program = analyses.program();
    let function = program.function(func);
    let called = analyses.resolved_calls().reachable(func);
    if called.iter().any(|&id| ends_runs(program.function(id))) {
        return None;
    }
    let written = written_places(analyses, func).ok().filter(|written| written.pointees.is_empty())?;
    let mut chain = Chain::new(program, function.without_body(), Loc(0), function.span);
    chain.havoc_places(&written, &InputOrigin::Summary(function.name.clone()));
    let result = function.ret.map(|ty| chain.input(InputOrigin::Summary(function.name.clone()), ty, None));
    let exit = chain.parts.exit;
    chain.last_step(Op::Return(result), exit);
    Some(chain.into_body())
}

/// What a function, with all that it calls, may have written when it returns, by names that every caller knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WrittenPlaces {
    pub registers: Vec<GlobalVar>,
    pub objects: Vec<GlobalObj>,
    /// Parameters: the objects that they point to when the function is called, each as a whole.
    pub pointees: Vec<LocalVar>,
}

/// The places that the function may write; or why they have no names: heap and stack objects, unknown ones, and objects that
/// come and go. Objects of its own activation, or of a callee's, are dead when the call returns. Those of its callers have names where
/// they are written through parameters only ([`crate::analysis::handed_down`]).
pub fn written_places(analyses: &Analyses, func: FuncId) -> Result<WrittenPlaces, String> {
    let program = analyses.program();
    let name = &program.function(func).name;
    let writes = &analyses.mod_ref().function(func).writes;
    let Objects::Known(objects) = &writes.objects else {
        return Err(format!("{name} may write to objects that the points-to analysis does not know"));
    };
    if writes.lifetimes {
        return Err(format!("{name} allocates or frees objects"));
    }
    let called = analyses.resolved_calls().reachable(func);
    let registers = writes.registers.iter().copied().collect();
    let mut written = WrittenPlaces { registers, ..WrittenPlaces::default() };
    for &object in objects {
        match object {
            // A run that writes there ends: its bytes are the same after every call.
            Object::Global(object) if program.object(object).read_only => {}
            Object::Global(object) => written.objects.push(object),
            Object::Local(owner, _) if called.contains(&owner) && !analyses.resolved_calls().is_recursive(owner) => {}
            Object::Local(owner, object) => match analyses.handed_down().written(func) {
                Some(parameters) => written.pointees = parameters.iter().copied().collect(),
                None => {
                    let owner = program.function(owner);
                    let object = &owner.object(object).name;
                    return Err(format!("{name} may write to {object}, an object of a call of {}", owner.name));
                }
            },
            Object::Heap(..) | Object::Stack(..) | Object::Function(_) => {
                return Err(format!("{name} may write to allocated objects"));
            }
        }
    }
    Ok(written)
}

/// Whether a run may end in one of the function's own edges, other than by a check or a fault.
fn ends_runs(function: &Function) -> bool {
    let stops = |edge: &Edge| edge.to != function.exit && function.out_edges(edge.to).next().is_none();
    function.edges.iter().any(|edge| match &edge.op {
        Op::Call { callee: Callee::Intrinsic(Intrinsic::Exit | Intrinsic::Abort), .. } => true,
        // A stack that goes on elsewhere may never come back.
        op if op.stack_intrinsic().is_some() => true,
        Op::Assume { cond, .. } => {
            let is_jump = function.exprs.as_const(*cond).is_some_and(|value| !value.is_zero());
            stops(edge) || function.out_edges(edge.from).count() == 1 && !is_jump
        }
        Op::Assign { .. } | Op::Havoc { .. } | Op::Call { .. } => stops(edge),
        Op::Return(_) | Op::Check { .. } => false,
    })
}
