//! How much of the program the runs have been through.
//!
//! The machine reports branches that are taken for the first time. Locations follow from them: from the start of the
//! program along edges that are no branches or have been taken, into functions that are called on the way. What lies
//! behind an edge that always ends the run counts up to the next branch; a function called through a pointer counts once
//! one of its branches is taken.

use super::plan::siblings;
use plumb_ir::program::{Callee, EdgeId, FuncId, Loc, Op, Program};
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

    pub fn branches(&self) -> u64 {
        self.taken.len() as u64
    }

    /// Locations that runs have been at.
    pub fn locations(&self, program: &Program) -> u64 {
        let mut seen: FxHashSet<(FuncId, Loc)> = FxHashSet::default();
        let mut open: Vec<(FuncId, Loc)> = vec![(program.start, program.function(program.start).entry)];
        open.extend(self.taken.iter().map(|(func, _)| (*func, program.function(*func).entry)));
        while let Some((func, loc)) = open.pop() {
            if !seen.insert((func, loc)) {
                continue;
            }
            let function = program.function(func);
            for edge in function.out_edges(loc) {
                if siblings(function, edge).count() > 1 && !self.taken.contains(&(func, edge)) {
                    continue;
                }
                let edge = function.edge(edge);
                open.push((func, edge.to));
                if let Op::Call { callee: Callee::Direct(callee), .. } = edge.op {
                    open.push((callee, program.function(callee).entry));
                }
            }
        }
        seen.len() as u64
    }
}
