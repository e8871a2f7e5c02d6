//! How often one call asks for a value from outside: the most on any path. Those times count too that do not influence the
//! result, so that whoever runs a call knows which value is the input.

use super::collect::Scope;
use crate::analysis::dataflow::{self, Direction, Problem};
use crate::index::TiVec;
use crate::input::InputId;
use crate::program::{EdgeId, FuncId, Function, Loc, Op};
use rustc_hash::FxHashMap;

/// Counts end here: more often than once is all that matters.
const MANY: u8 = 2;

pub struct Asked<'a> {
    scope: Scope<'a>,
    known: FxHashMap<(FuncId, InputId), u8>,
}

/// The most times that a path to a location has asked; `None` where no path leads.
struct Paths<'a> {
    times: &'a TiVec<EdgeId, u8>,
}

impl Problem for Paths<'_> {
    type Fact = Option<u8>;

    fn bottom(&self) -> Option<u8> {
        None
    }

    fn boundary(&self, _: Loc) -> Option<u8> {
        Some(0)
    }

    fn transfer(&self, edge: EdgeId, before: &Option<u8>) -> Option<u8> {
        before.map(|count| (count + self.times[edge]).min(MANY))
    }

    fn join(&self, into: &mut Option<u8>, fact: &Option<u8>) -> bool {
        let old = *into;
        *into = old.max(*fact);
        *into != old
    }
}

impl<'a> Asked<'a> {
    pub fn new(scope: Scope<'a>) -> Asked<'a> {
        Asked { scope, known: FxHashMap::default() }
    }

    pub fn more_than_once(&mut self, func: FuncId, input: InputId) -> bool {
        self.most(func, input) >= MANY
    }

    fn most(&mut self, func: FuncId, input: InputId) -> u8 {
        if let Some(&count) = self.known.get(&(func, input)) {
            return count;
        }
        let function = self.scope.program.function(func);
        let calls = self.scope.analyses.resolved_calls();
        let count = if calls.is_recursive(func) {
            let asks = |id: FuncId| asks_itself(self.scope.program.function(id), input);
            if calls.reachable(func).into_iter().any(asks) { MANY } else { 0 }
        } else {
            let times = function.edge_ids().map(|edge| self.times(func, edge, input)).collect();
            let counts = dataflow::solve(function, &Paths { times: &times }, Direction::Forward);
            counts.iter().flatten().copied().max().unwrap_or(0)
        };
        self.known.insert((func, input), count);
        count
    }

    fn times(&mut self, func: FuncId, edge: EdgeId, input: InputId) -> u8 {
        match &self.scope.program.function(func).edge(edge).op {
            Op::Havoc { input: asked, .. } => (*asked == input) as u8,
            Op::Call { .. } => {
                let targets: Vec<FuncId> = self.scope.analyses.resolved_calls().targets(func, edge).collect();
                targets.into_iter().map(|callee| self.most(callee, input)).max().unwrap_or(0)
            }
            Op::Assign { .. } | Op::Assume { .. } | Op::Return(_) | Op::Check { .. } => 0,
        }
    }
}

fn asks_itself(function: &Function, input: InputId) -> bool {
    function.edges.iter().any(|edge| matches!(edge.op, Op::Havoc { input: asked, .. } if asked == input))
}
