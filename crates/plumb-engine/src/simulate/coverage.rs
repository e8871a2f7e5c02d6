//! How much of the program the runs have been through.
//!
//! The machine reports branches that are taken for the first time. Locations follow from them: from the start of the
//! program along edges that are no branches or have been taken, into functions that are called on the way. What lies
//! behind an edge that always ends the run counts up to the next branch; a function called through a pointer counts once
//! one of its branches is taken.

use super::plan::siblings;
use plumb_ir::analysis::forward::Locations;
use plumb_ir::program::{Callee, EdgeId, FuncId, Op, Program};
use rustc_hash::FxHashSet;

#[derive(Clone, Default)]
pub struct Coverage {
    taken: FxHashSet<(FuncId, EdgeId)>,
}

impl Coverage {
    pub fn add(&mut self, func: FuncId, edge: EdgeId) {
        self.taken.insert((func, edge));
    }

    pub fn merge(&mut self, other: &Coverage) {
        self.taken.extend(&other.taken);
    }

    pub fn taken(&self) -> impl Iterator<Item = (FuncId, EdgeId)> {
        self.taken.iter().copied()
    }

    pub fn branches(&self) -> u64 {
        self.taken.len() as u64
    }

    /// Locations that runs have been at.
    pub fn locations(&self, program: &Program) -> u64 {
        let entry = |func: FuncId| (func, program.function(func).entry);
        let started = self.taken.iter().map(|(func, _)| entry(*func)).chain([entry(program.start)]);
        let is_taken = |func: FuncId, edge: EdgeId| {
            siblings(program.function(func), edge).count() < 2 || self.taken.contains(&(func, edge))
        };
        let called = |func: FuncId, edge: EdgeId| match program.function(func).edge(edge).op {
            Op::Call { callee: Callee::Direct(callee), .. } => vec![callee],
            _ => Vec::new(),
        };
        Locations::along(program, started, is_taken, called).count() as u64
    }
}
