//! From writes to reads of a function's own registers.
//!
//! A value is followed from its write on as long as it is live and not written over, so that the work is the sum of the
//! ranges in which values live.

use super::dependence::{Builder, Vertex};
use super::reads::Reads;
use plumb_ir::index::TiVec;
use plumb_ir::program::{FuncId, Function, Loc, LocalVar, VarRef};

impl Builder<'_> {
    pub fn locals(&mut self, func: FuncId, reads: &Reads) {
        let function = self.program().function(func);
        let mut visited = Visited::new(function);
        for i in 0..function.param_count {
            let parameter = self.parameter(func, LocalVar(i));
            self.follow(func, function, reads, (LocalVar(i), parameter, function.entry), &mut visited);
        }
        for edge in function.edge_ids() {
            if let Some(VarRef::Local(var)) = function.edge(edge).op.written() {
                let written = self.vertex((func, edge));
                self.follow(func, function, reads, (var, written, function.edge(edge).to), &mut visited);
            }
        }
    }

    /// The reads that a value, written by a vertex, reaches from a location on.
    fn follow(
        &mut self,
        func: FuncId,
        function: &Function,
        reads: &Reads,
        (var, written, from): (LocalVar, Vertex, Loc),
        visited: &mut Visited,
    ) {
        visited.start();
        let mut waiting = vec![from];
        while let Some(loc) = waiting.pop() {
            if !self.analyses().shape(func).live.is_live(loc, VarRef::Local(var)) || !visited.insert(loc) {
                continue;
            }
            for edge in function.out_edges(loc) {
                for &(_, reader) in reads.locals[edge].iter().filter(|read| read.0 == var) {
                    self.depends(reader, written);
                }
                if function.edge(edge).op.written() != Some(VarRef::Local(var)) {
                    waiting.push(function.edge(edge).to);
                }
            }
        }
    }
}

/// The locations that a search has seen; starting the next one costs nothing.
pub struct Visited {
    stamps: TiVec<Loc, u32>,
    now: u32,
    /// Locations that were looked at, whether new or not, since it was last asked.
    pub count: u64,
}

impl Visited {
    pub fn new(function: &Function) -> Visited {
        Visited { stamps: vec![0; function.loc_count as usize].into(), now: 0, count: function.loc_count as u64 }
    }

    pub fn start(&mut self) {
        self.now += 1;
    }

    /// Whether the location is new.
    pub fn insert(&mut self, loc: Loc) -> bool {
        self.count += 1;
        std::mem::replace(&mut self.stamps[loc], self.now) != self.now
    }
}
