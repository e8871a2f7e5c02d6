//! What following the paths of a function needs to know of its automaton: its loops, an order of its locations, where paths
//! meet, where a loop may be left.

use crate::analysis::liveness::Liveness;
use crate::analysis::loops::{LoopId, Loops};
use crate::analysis::order::NestedOrder;
use crate::index::TiVec;
use crate::program::{Function, Loc};

#[derive(Debug)]
pub struct FunctionShape {
    pub loops: Loops,
    pub order: NestedOrder,
    pub live: Liveness,
    /// By location: the loops around it, the outermost first.
    around: TiVec<Loc, Vec<LoopId>>,
    /// By location: whether several edges lead there.
    is_meeting: TiVec<Loc, bool>,
    /// By location: the loops that some but not all of several edges leave.
    exits: TiVec<Loc, Vec<LoopId>>,
}

impl FunctionShape {
    pub fn of(function: &Function) -> FunctionShape {
        let loops = Loops::of(function);
        let order = NestedOrder::of(function, &loops);
        let around: TiVec<Loc, Vec<LoopId>> = function
            .locs()
            .map(|loc| {
                let mut list: Vec<LoopId> =
                    std::iter::successors(loops.innermost(loc), |id| loops.get(*id).parent).collect();
                list.reverse();
                list
            })
            .collect();
        let mut entering: TiVec<Loc, u32> = vec![0; function.loc_count as usize].into();
        function.edges.iter().for_each(|edge| entering[edge.to] += 1);
        let exits = function
            .locs()
            .map(|loc| {
                let targets: Vec<Loc> = function.out_edges(loc).map(|e| function.edge(e).to).collect();
                let leaves = |id: &LoopId| {
                    let inside = targets.iter().filter(|to| around[**to].contains(id)).count();
                    inside > 0 && inside < targets.len()
                };
                around[loc].iter().copied().filter(leaves).collect()
            })
            .collect();
        let is_meeting = entering.iter().map(|count| *count > 1).collect();
        let live = Liveness::of(function);
        FunctionShape { loops, order, live, around, is_meeting, exits }
    }

    /// The loops around a location, the outermost first.
    pub fn around(&self, loc: Loc) -> &[LoopId] {
        &self.around[loc]
    }

    pub fn head(&self, id: LoopId) -> Loc {
        self.loops.get(id).head
    }

    /// Whether several edges lead to a location.
    pub fn is_meeting(&self, loc: Loc) -> bool {
        self.is_meeting[loc]
    }

    /// The loops of which it is decided at a location whether they are left.
    pub fn exits(&self, loc: Loc) -> &[LoopId] {
        &self.exits[loc]
    }
}
