//! Dropping inputs that nobody reads: C leaves locals uninitialised, which lowering writes down as inputs, and most
//! locals are written before they are read.
//!
//! Only inputs that stand for indeterminate values go away: the user's own inputs are part of what a run is, read or not.

use crate::analysis::liveness::Liveness;
use crate::input::InputOrigin;
use crate::program::{EdgeId, Function, HavocPlace, Op, Program};
use crate::rewrite::Draft;
use std::sync::Arc;

pub fn without_garbage(program: &Program) -> Program {
    let mut result = program.clone();
    for (i, function) in program.functions.iter().enumerate() {
        let dead = dead_inputs(program, function);
        if dead.is_empty() {
            continue;
        }
        let mut draft = Draft::of(function, &program.target);
        for edge in dead {
            draft.put_instead(edge, Vec::new());
        }
        result.functions[i] = Arc::new(draft.finish());
    }
    result
}

fn dead_inputs(program: &Program, function: &Function) -> Vec<EdgeId> {
    let garbage = |edge: EdgeId| match function.edge(edge).op {
        Op::Havoc { to: HavocPlace::Var(var), input } => match program.input(input).origin {
            InputOrigin::Uninitialised(_) | InputOrigin::MissingReturn(_) => Some(var),
            InputOrigin::Nondet(_)
            | InputOrigin::External(_)
            | InputOrigin::Library(_)
            | InputOrigin::FreshMemory
            | InputOrigin::ExternalObject(_)
            | InputOrigin::Volatile(_)
            | InputOrigin::Register(_)
            | InputOrigin::MainArgument
            | InputOrigin::Assembly
            | InputOrigin::MissingArgument(_) => None,
        },
        _ => None,
    };
    let candidates: Vec<_> = function.edge_ids().filter_map(|e| Some((e, garbage(e)?))).collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let liveness = Liveness::of(function);
    let is_dead = |&(edge, var): &(EdgeId, _)| !liveness.is_live(function.edge(edge).to, var);
    candidates.into_iter().filter(is_dead).map(|(edge, _)| edge).collect()
}
