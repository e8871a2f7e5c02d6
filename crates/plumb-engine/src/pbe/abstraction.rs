//! The abstract program: calls of the original handed over to summaries.

use crate::summary::Summary;
use crate::summary::body::{SummaryBody, nondeterministic_body, summary_body};
use plumb_ir::analysis::signature::Signature;
use plumb_ir::derive::replace_calls::replace_calls;
use plumb_ir::derive::{Derived, Provenance, Runs};
use plumb_ir::program::{Callee, EdgeId, FuncId, LocalVar, Op, Program};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Calls of one function that run a summary.
#[derive(Clone, Debug)]
pub struct Replacement {
    pub func: FuncId,
    /// Call edges of the original.
    pub calls: Vec<(FuncId, EdgeId)>,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Synthesised(Summary),
    /// Any result in a range.
    Nondeterministic(Signature, Option<(i128, i128)>),
}

/// A program with summaries.
pub struct Abstract {
    pub program: Program,
    /// Back to the program that the summaries were put into.
    pub provenance: Provenance,
    /// By function that has the body of a summary.
    pub summaries: BTreeMap<FuncId, Installed>,
}

/// Where a summary keeps what it computes with.
pub struct Installed {
    /// In the list of replacements.
    pub replacement: usize,
    pub inputs: Vec<LocalVar>,
    pub result: LocalVar,
}

/// Hands calls of the original over to summaries.
pub fn abstract_program(program: &Program, replacements: &[Replacement]) -> Result<Abstract, String> {
    let mut result = Abstract::of(program.clone(), Provenance::identity(program));
    for (number, replacement) in replacements.iter().enumerate() {
        result.install(number, replacement, &replacement.calls)?;
    }
    Ok(result)
}

/// The same in the program of a path, where calls that the path steps over are those of the original. Only synthesised
/// summaries are put in.
pub fn abstract_path(path: &Derived, replacements: &[Replacement]) -> Result<Abstract, String> {
    let mut result = Abstract::of(path.program.clone(), Provenance::identity(&path.program));
    for (number, replacement) in replacements.iter().enumerate() {
        if let Kind::Synthesised(_) = replacement.kind {
            let calls = stepped_over(path, replacement);
            if !calls.is_empty() {
                result.install(number, replacement, &calls)?;
            }
        }
    }
    Ok(result)
}

/// The calls of a path that are among those that a replacement hands over.
fn stepped_over(path: &Derived, replacement: &Replacement) -> Vec<(FuncId, EdgeId)> {
    let wanted: FxHashSet<(FuncId, EdgeId)> = replacement.calls.iter().copied().collect();
    let mut calls = Vec::new();
    for (func, function) in path.program.functions.iter_enumerated() {
        for (edge, info) in function.edges.iter_enumerated() {
            let is_call = matches!(info.op, Op::Call { callee: Callee::Direct(to), .. } if to == replacement.func);
            if is_call && path.provenance.edge(func, edge).original().is_some_and(|at| wanted.contains(&at)) {
                calls.push((func, edge));
            }
        }
    }
    calls
}

impl Abstract {
    fn of(program: Program, provenance: Provenance) -> Abstract {
        Abstract { program, provenance, summaries: BTreeMap::new() }
    }

    fn install(&mut self, number: usize, replacement: &Replacement, calls: &[(FuncId, EdgeId)]) -> Result<(), String> {
        let SummaryBody { body, inputs, result } = match &replacement.kind {
            Kind::Synthesised(summary) => {
                summary_body(&self.program, summary).ok_or("a summary is no term over bit-vectors")?
            }
            Kind::Nondeterministic(signature, range) => nondeterministic_body(&self.program, signature, *range),
        };
        let (derived, func) = replace_calls(&self.program, replacement.func, calls, body, Runs::Unrelated)?;
        self.provenance = derived.provenance.after(&self.provenance);
        self.program = derived.program;
        self.summaries.insert(func, Installed { replacement: number, inputs, result });
        Ok(())
    }
}
