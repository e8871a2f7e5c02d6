//! Reachability of a state: `--reach EXPR`.
//!
//! The expression is the body of a function without parameters that stands behind the user's text, so that every name of a file means
//! there what it means to the user. The value of the expression changes only where something that it reads is written: behind
//! each such edge, and where the program begins, the function is called and its result checked to be false. An edge that writes
//! through a pointer may write every variable whose address is taken.

use crate::analysis::address_taken::{self, AddressTaken};
use crate::check::{CheckId, CheckInfo, CheckKind};
use crate::expr::ExprKind;
use crate::index::TiVec;
use crate::program::{
    Callee, FuncId, Function, GlobalObj, GlobalVar, HavocPlace, Intrinsic, Lifetime, LocalVarInfo, ObjRef, Op, Place,
    Program, VarRef,
};
use crate::rewrite::{Draft, Step};
use plumb_c::source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The function that holds the expression.
pub const REACH: &str = "plumb_reached_state";

/// What the expression reads.
#[derive(Default)]
struct Reads {
    vars: BTreeSet<GlobalVar>,
    objects: BTreeSet<GlobalObj>,
}

/// The program with the checks; what is wrong with the expression otherwise. A program without the function stays as it is.
pub fn with_reach_checks(program: Program, expression: &str) -> Result<Program, String> {
    let Some(reached) = program.find_function(REACH) else { return Ok(program) };
    let reads = reads_of(&program, reached)?;
    let taken = AddressTaken::of(&program);
    let is_taken = reads.objects.iter().any(|object| taken.global(*object).address_taken);
    let mut result = program.clone();
    let mut checks = TiVec::clone(&program.checks);
    let check = checks.push_and_get_key(CheckInfo {
        kind: CheckKind::Assertion,
        message: format!("a state in which `{expression}` holds is reached").into(),
        subject: None,
        of_inputs: false,
        span: Span::NONE,
    });
    for id in program.function_ids().filter(|id| *id != reached) {
        let function = program.function(id);
        let is_entry = program.entry == Some(id);
        if let Some(function) = checked(&program, function, is_entry, (reached, check), &reads, is_taken) {
            result.functions[id] = Arc::new(function);
        }
    }
    result.checks = Arc::new(checks);
    debug_assert_eq!(crate::verify::verify(&result), Vec::<String>::new());
    Ok(result)
}

fn reads_of(program: &Program, reached: FuncId) -> Result<Reads, String> {
    let function = program.function(reached);
    let mut reads = Reads::default();
    for edge in function.edges.iter() {
        match &edge.op {
            Op::Assign { to: Place::Var(VarRef::Local(_)), .. } | Op::Assume { .. } | Op::Return(_) => {}
            Op::Assign { to: Place::Mem(addr), .. }
                if matches!(
                    address_taken::direct(&function.exprs, *addr, &program.target),
                    Some((ObjRef::Local(_), _))
                ) => {}
            Op::Assign { .. } | Op::Havoc { .. } | Op::Call { .. } | Op::Check { .. } => {
                return Err("it has side effects, calls a function or reads what is not modelled".to_string());
            }
        }
        let mut open: Vec<_> = edge.op.exprs().collect();
        while let Some(expr) = open.pop() {
            let kind = function.exprs.kind(expr);
            match kind {
                ExprKind::Var(VarRef::Global(var)) => {
                    reads.vars.insert(var);
                }
                ExprKind::Addr(ObjRef::Global(object)) => {
                    reads.objects.insert(object);
                }
                ExprKind::Load(addr)
                    if address_taken::direct(&function.exprs, addr, &program.target).is_none()
                        && !reads_known_object(function, addr) =>
                {
                    return Err("it reads through a pointer".to_string());
                }
                _ => {}
            }
            open.extend(kind.operands());
        }
    }
    Ok(reads)
}

/// An element of an array with a name, at an index that is computed.
fn reads_known_object(function: &Function, mut addr: crate::expr::ExprId) -> bool {
    loop {
        match function.exprs.kind(addr) {
            ExprKind::Addr(_) => return true,
            ExprKind::PtrAdd(base, ..) => addr = base,
            _ => return false,
        }
    }
}

/// Whether an edge may write what is read.
fn writes(program: &Program, function: &Function, op: &Op, reads: &Reads, is_taken: bool) -> bool {
    let by_address = |addr: crate::expr::ExprId| {
        let mut at = addr;
        loop {
            match function.exprs.kind(at) {
                ExprKind::Addr(ObjRef::Global(object)) => return reads.objects.contains(&object),
                ExprKind::Addr(ObjRef::Local(_)) => return false,
                ExprKind::PtrAdd(base, ..) => at = base,
                _ => return is_taken,
            }
        }
    };
    let by_var = |var: &VarRef| matches!(var, VarRef::Global(var) if reads.vars.contains(var));
    match op {
        Op::Assign { to: Place::Var(var), .. } | Op::Havoc { to: HavocPlace::Var(var), .. } => by_var(var),
        Op::Assign { to: Place::Mem(addr), .. } => by_address(*addr),
        Op::Havoc { to: HavocPlace::Region { addr, .. } | HavocPlace::Objects { addr, .. }, .. } => by_address(*addr),
        Op::Call { to, callee, args } => {
            let result = to.as_ref().is_some_and(by_var);
            let memory = match callee {
                Callee::Intrinsic(Intrinsic::MemCopy | Intrinsic::MemSet) => {
                    args.first().is_some_and(|a| by_address(*a))
                }
                Callee::Intrinsic(_) | Callee::Indirect(_) => false,
                // A function writes in its own edges; one that takes a pointer has got it from somewhere.
                Callee::Direct(func) => !program.function(*func).has_body && is_taken,
            };
            result || memory
        }
        Op::Assume { .. } | Op::Return(_) | Op::Check { .. } => false,
    }
}

/// A function with checks behind the edges that write what is read, if there are any.
fn checked(
    program: &Program,
    function: &Function,
    is_entry: bool,
    (reached, check): (FuncId, CheckId),
    reads: &Reads,
    is_taken: bool,
) -> Option<Function> {
    let written: Vec<_> = function
        .edge_ids()
        .filter(|edge| writes(program, function, &function.edge(*edge).op, reads, is_taken))
        .collect();
    if written.is_empty() && !is_entry {
        return None;
    }
    let ty = program.function(reached).ret?;
    let mut parts = function.clone().into_parts();
    let result = parts.vars.push_and_get_key(LocalVarInfo {
        name: "%reached".into(),
        ty,
        cty: None,
        lifetime: Lifetime::Expression,
        span: Span::NONE,
    });
    let mut draft = Draft::new(parts, &program.target);
    let steps = |draft: &mut Draft, span: Span| -> [Step; 2] {
        let mut make = draft.make();
        let value = make.exprs.push(ExprKind::Var(VarRef::Local(result)), ty);
        let holds = make.is_not_zero(value);
        let cond = make.not(holds);
        let to = Some(VarRef::Local(result));
        [(Op::Call { to, callee: Callee::Direct(reached), args: Vec::new() }, span), (Op::Check { cond, check }, span)]
    };
    if is_entry {
        for step in steps(&mut draft, function.span) {
            draft.put_before(function.entry, step);
        }
    }
    for id in written {
        let edge = function.edge(id);
        let behind = steps(&mut draft, edge.span);
        let list = [(edge.op.clone(), edge.span)].into_iter().chain(behind).collect();
        draft.put_instead(id, list);
    }
    Some(draft.finish())
}
