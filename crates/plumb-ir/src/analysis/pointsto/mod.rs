//! Points-to analysis: which objects every pointer may point into, inclusion-based (Andersen 1994).
//!
//! **Idea.** Each register and each word of each abstract object is a node with a set of targets; assignments are
//! inclusions between nodes, solved by propagating differences along a graph whose cycles are collapsed now and then.
//! Abstract objects are the named ones, one for each allocation edge and one for each function; a target is an object
//! with a byte offset, so fields are kept apart. An index that varies by multiples of `s` folds the object's offsets
//! modulo `s` (an array of records keeps its fields), one that varies freely folds the object to one word. Library
//! models are analysed once per call, so that `malloc` has as many objects as callers.
//!
//! **Soundness.** Every value carries its targets, integers and floats too, so that pointers survive being copied byte by
//! byte or through integers. What is not derived from a pointer (an integer without targets turned into a pointer, a
//! pointer from outside) is *unknown*: it may point anywhere; what is stored through it is visible to every load, what
//! is loaded through it is unknown. Where a program has memory from outside (`lower/foreign.rs`), that is where such a pointer
//! leads, and nowhere else: the unknown object is that memory. Three things are taken for granted: a pointer read from memory that was never
//! written points to no object (such a read is undefined in C), an address computed from a pointer stays with the pointer's
//! object, and index arithmetic does not wrap around the address space. When the work exceeds its budget the analysis
//! starts again without fields, and when that does too the whole answer becomes unknown.

mod constraints;
mod contents;
mod objects;
mod sets;
mod solve;
mod values;

pub use contents::Contents;

use crate::expr::ExprId;
use crate::program::{EdgeId, FuncId, GlobalObj, LocalObj, Program};
use solve::Solver;

/// What a target may be a pointer into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Object {
    Global(GlobalObj),
    /// An object of any activation of the function.
    Local(FuncId, LocalObj),
    /// Any object that the edge of the function allocated on the heap.
    Heap(FuncId, EdgeId),
    /// Any object that the edge of the function allocated on the stack.
    Stack(FuncId, EdgeId),
    Function(FuncId),
}

/// An object and, where it is one, the offset into it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Target {
    pub object: Object,
    pub offset: Option<i64>,
}

/// What a pointer may point to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Targets {
    /// Anything.
    Unknown,
    /// Into one of these objects, or nowhere. In order.
    Known(Vec<Target>),
}

/// The solution for a whole program.
pub struct PointsTo {
    /// `None` when the budget ran out.
    solver: Option<Solver>,
}

/// Set operations and edges that an attempt may cost; a few seconds' worth.
pub const DEFAULT_BUDGET: u64 = 60_000_000;

impl PointsTo {
    pub fn of(program: &Program) -> PointsTo {
        PointsTo::with_budget(program, DEFAULT_BUDGET)
    }

    pub fn with_budget(program: &Program, budget: u64) -> PointsTo {
        let solver = Solver::run(program, budget, true).or_else(|| Solver::run(program, budget, false));
        PointsTo { solver }
    }

    /// Whether the analysis was given up, so that every answer is "unknown".
    pub fn gave_up(&self) -> bool {
        self.solver.is_none()
    }

    /// What the value of an expression of the function may point to, in any state of any run.
    pub fn targets(&self, function: FuncId, expr: ExprId) -> Targets {
        match self.solver.as_ref().and_then(|s| s.targets(function, expr)) {
            Some(list) => Targets::Known(list),
            None => Targets::Unknown,
        }
    }

    /// The functions that a pointer call may run; `None` if they are not known.
    pub fn call_targets(&self, function: FuncId, edge: EdgeId) -> Option<Vec<FuncId>> {
        self.solver.as_ref()?.call_targets(function, edge)
    }

    /// How large the problem was: nodes, inclusions, targets.
    pub fn statistics(&self) -> Option<(usize, usize, usize)> {
        self.solver.as_ref().map(Solver::statistics)
    }
}

#[cfg(test)]
mod tests;
