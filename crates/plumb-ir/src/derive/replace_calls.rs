//! Some calls of a function handed to another body, while the others still run the function: a summary that is used where
//! it is worth it.
//!
//! **Runs.** As those of [`super::replace_body`], but only inside of the calls that were handed over. The edges of the
//! callers keep their origins. What the new function does has none.

use super::replace_body::{Body, bring_along, has_same_type};
use super::{Derived, FunctionProvenance, Made, Provenance, Runs};
use crate::index::TiVec;
use crate::program::{Callee, EdgeId, FuncId, Function, Op, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The program in which direct calls of a function run a new body, and the number of the function that has it; or what
/// keeps the body from taking its place. `runs` is what the summary's maker claims.
pub fn replace_calls(
    program: &Program,
    func: FuncId,
    calls: &[(FuncId, EdgeId)],
    body: Body,
    runs: Runs,
) -> Result<(Derived, FuncId), String> {
    has_same_type(program.function(func), &body.function)?;
    let mut derived = program.clone();
    let mut provenance = Provenance::identity(program);
    provenance.runs = runs;
    let why = Made::Summary(func);
    provenance.functions.push(FunctionProvenance::made(&body.function, why));
    let function = bring_along(&mut derived, &mut provenance, body, why);
    let new = derived.functions.push_and_get_key(Arc::new(function));
    let mut by_caller: BTreeMap<FuncId, Vec<EdgeId>> = BTreeMap::new();
    for &(caller, edge) in calls {
        by_caller.entry(caller).or_default().push(edge);
    }
    for (caller, edges) in by_caller {
        let mut parts = derived.functions[caller].as_ref().clone().into_parts();
        redirect(&mut parts.edges, &edges, func, new).map_err(|edge| {
            format!("edge {} of {} is no call of {}", edge.0, parts.name, program.function(func).name)
        })?;
        derived.functions[caller] = Arc::new(Function::new(parts));
    }
    match crate::verify::verify(&derived).into_iter().next() {
        None => Ok((Derived { program: derived, provenance }, new)),
        Some(broken) => Err(broken),
    }
}

/// Hands calls over; the first edge that is none is the error.
fn redirect(
    list: &mut TiVec<EdgeId, crate::program::Edge>,
    edges: &[EdgeId],
    func: FuncId,
    new: FuncId,
) -> Result<(), EdgeId> {
    for &edge in edges {
        match list.get_mut(edge).map(|e| &mut e.op) {
            Some(Op::Call { callee, .. }) if *callee == Callee::Direct(func) => *callee = Callee::Direct(new),
            _ => return Err(edge),
        }
    }
    Ok(())
}
