//! The programs that show contracts of a witness, made of the program with their functions in its text.
//!
//! ```text
//!   top         calls of f run `use`, whose body is arbitrary; no function's own body runs
//!   unit of f   `prove` is called in an arbitrary state; its body is f's own, in which calls run `use`
//! ```
//!
//! A function whose writes have no names, or that runs start with, cannot be replaced: all its calls run `check`, whose body is its own. So it
//! is with one that takes pointers (structures travel by pointers too) if its unit shows nothing, since there a pointer may be null.
//! The argument why this is enough is that of [`plumb_contract`], with one thing more: what is required is checked wherever a
//! function is called, so that the first call that breaks it is seen in the program in which it is made.

use super::functions::{BODY, CHECK, PROVE, USE};
use plumb_contract::without_input_assumptions;
use plumb_ir::analysis::Analyses;
use plumb_ir::check::CheckKind;
use plumb_ir::derive::Runs;
use plumb_ir::derive::chain::Chain;
use plumb_ir::derive::replace_body::{Body, replace_body, written_places};
use plumb_ir::derive::unit::{arbitrary_call, called_once, end_program};
use plumb_ir::input::InputOrigin;
use plumb_ir::program::{Callee, FuncId, Function, Loc, Op, Program};
use plumb_ir::ty::Ty;
use std::sync::Arc;

/// The functions of one contract in the program that has them.
#[derive(Clone, Copy, Debug)]
pub struct Functions {
    /// The one whose contract it is.
    pub func: FuncId,
    body: FuncId,
    using: FuncId,
    proving: FuncId,
    checking: FuncId,
    /// Its contract stands for it.
    pub is_replaced: bool,
    /// It is called, and with pointers: what they point to in its calls its unit cannot know.
    pub takes_pointers: bool,
}

/// Finds the functions of the contracts of functions with these names, in their order.
pub fn functions(analyses: &Analyses, names: &[Arc<str>]) -> Result<Vec<Functions>, String> {
    let program = analyses.program();
    let looks_for_leaks = program.checks.iter().any(|check| check.kind == CheckKind::Leak);
    let running = analyses.resolved_calls().reachable(program.start);
    let mut found = Vec::new();
    for (k, name) in names.iter().enumerate() {
        let find = |prefix: &str| {
            let own = format!("{prefix}{k}");
            program.find_function(&own).ok_or_else(|| format!("`{own}` is not in the program"))
        };
        let body = find(BODY)?;
        let called = program.function(body).edges.iter().find_map(|edge| match edge.op {
            Op::Call { callee: Callee::Direct(func), .. } if program.function(func).name == *name => Some(func),
            _ => None,
        });
        let func = called.ok_or_else(|| format!("a call of `{name}` is not one of a function of its own"))?;
        let is_replaced = Some(func) != program.entry
            && !looks_for_leaks
            && program.function(func).ret != Some(Ty::Ptr)
            && written_places(analyses, func).is_ok();
        let is_called = running.contains(&func);
        let takes_pointers = is_called && program.function(func).params().iter().any(|param| param.ty == Ty::Ptr);
        found.push(Functions {
            func,
            body,
            using: find(USE)?,
            proving: find(PROVE)?,
            checking: find(CHECK)?,
            is_replaced,
            takes_pointers,
        });
    }
    Ok(found)
}

/// The program in which contracts are used.
pub fn top(analyses: &Analyses, contracts: &[Functions]) -> Result<Program, String> {
    let mut program = analyses.program().clone();
    without_input_assumptions(&mut program);
    for one in contracts {
        program = match one.is_replaced {
            true => {
                let body = arbitrary(analyses, &program, one)?;
                let program = replace_body(&program, one.body, body, Runs::More)?.program;
                with_body(&program, one.func, program.function(one.using).clone())?
            }
            false => {
                let own = add_copy(analyses, &mut program, one.func);
                let checking = redirected(program.function(one.checking), one.body, own);
                with_body(&program, one.func, checking)?
            }
        };
    }
    Ok(program)
}

/// The program that proves a contract of a function that is replaced elsewhere.
pub fn unit(analyses: &Analyses, contracts: &[Functions], one: &Functions) -> Result<Program, String> {
    let mut program = top(analyses, contracts)?;
    let own = add_copy(analyses, &mut program, one.func);
    let proving = redirected(program.function(one.proving), one.body, own);
    program = with_body(&program, one.proving, proving)?;
    let (mut start, args) = arbitrary_call(analyses, &program, one.func);
    let to = program.function(one.func).ret.map(|ty| start.local(ty));
    start.step(Op::Call { to, callee: Callee::Direct(one.proving), args });
    end_program(&mut start);
    let mut derived = called_once(start, one.func);
    derived.program.entry = Some(one.proving);
    match plumb_ir::verify::verify(&derived.program).into_iter().next() {
        None => Ok(derived.program),
        Some(broken) => Err(broken),
    }
}

fn with_body(program: &Program, func: FuncId, function: Function) -> Result<Program, String> {
    let body = Body { function, inputs: Vec::new(), checks: Vec::new() };
    Ok(replace_body(program, func, body, Runs::Unrelated)?.program)
}

/// Adds the function as it was.
fn add_copy(analyses: &Analyses, program: &mut Program, func: FuncId) -> FuncId {
    program.functions.push_and_get_key(analyses.program().functions[func].clone())
}

/// Leaves anything in what the function may write, and returns anything.
fn arbitrary(analyses: &Analyses, program: &Program, one: &Functions) -> Result<Body, String> {
    let function = program.function(one.body);
    let origin = InputOrigin::Summary(program.function(one.func).name.clone());
    let mut chain = Chain::new(program, function.without_body(), Loc(0), function.span);
    chain.havoc_places(&written_places(analyses, one.func)?, &origin);
    let result = function.ret.map(|ty| chain.input(origin, ty, None));
    let exit = chain.parts.exit;
    chain.last_step(Op::Return(result), exit);
    Ok(chain.into_body())
}

/// The function with its calls of one function handed to another.
fn redirected(function: &Function, from: FuncId, to: FuncId) -> Function {
    let mut parts = function.clone().into_parts();
    for edge in parts.edges.iter_mut() {
        if let Op::Call { callee, .. } = &mut edge.op
            && *callee == Callee::Direct(from)
        {
            *callee = Callee::Direct(to);
        }
    }
    Function::new(parts)
}
