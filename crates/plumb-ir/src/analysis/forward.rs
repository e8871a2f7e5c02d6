//! Locations that runs can still get to.

use crate::analysis::bits::BitSet;
use crate::analysis::callgraph::CallGraph;
use crate::index::TiVec;
use crate::program::{EdgeId, FuncId, Loc, Program};

/// A set of locations of a program.
#[derive(Clone, Debug)]
pub struct Locations {
    by_function: TiVec<FuncId, BitSet>,
}

impl Locations {
    pub fn none(program: &Program) -> Locations {
        Locations { by_function: program.functions.iter().map(|f| BitSet::new(f.loc_count as usize)).collect() }
    }

    pub fn contains(&self, func: FuncId, loc: Loc) -> bool {
        self.by_function[func].contains(loc.0 as usize)
    }

    /// Adds a location; tells whether it is new.
    pub fn insert(&mut self, func: FuncId, loc: Loc) -> bool {
        self.by_function[func].insert(loc.0 as usize)
    }

    /// The locations to which edges and calls lead from given ones, these included. Returns are not followed: whoever asks about
    /// a run gives where each of its calls goes on.
    pub fn forward(program: &Program, graph: &CallGraph, from: impl IntoIterator<Item = (FuncId, Loc)>) -> Locations {
        Locations::along(program, from, |_, _| true, |func, edge| graph.targets(func, edge).collect())
    }

    /// The same along edges that are taken, and into functions that are called.
    pub fn along(
        program: &Program,
        from: impl IntoIterator<Item = (FuncId, Loc)>,
        is_taken: impl Fn(FuncId, EdgeId) -> bool,
        called: impl Fn(FuncId, EdgeId) -> Vec<FuncId>,
    ) -> Locations {
        let mut reached = Locations::none(program);
        let mut work: Vec<(FuncId, Loc)> = from.into_iter().collect();
        while let Some((func, loc)) = work.pop() {
            if !reached.insert(func, loc) {
                continue;
            }
            let function = program.function(func);
            for edge in function.out_edges(loc).filter(|edge| is_taken(func, *edge)) {
                work.push((func, function.edge(edge).to));
                work.extend(called(func, edge).into_iter().map(|callee| (callee, program.function(callee).entry)));
            }
        }
        reached
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.by_function.iter().map(BitSet::len).sum()
    }
}
