//! What following a function's paths needs to know of its automaton.

use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::analysis::loops::{LoopId, Loops};
use plumb_ir::analysis::order::NestedOrder;
use plumb_ir::program::{EdgeId, Function, Loc};

pub(super) struct Shape {
    pub loops: Loops,
    pub order: NestedOrder,
    pub live: Liveness,
    /// By location: the loops around it, the outermost first.
    around: Vec<Vec<LoopId>>,
    /// By location: how many edges lead there.
    entering: Vec<u32>,
}

impl Shape {
    pub fn of(function: &Function) -> Shape {
        let loops = Loops::of(function);
        let around = |loc: Loc| {
            let mut found = Vec::new();
            let mut next = loops.innermost(loc);
            while let Some(id) = next {
                found.insert(0, id);
                next = loops.get(id).parent;
            }
            found
        };
        let around = function.locs().map(around).collect();
        let mut entering = vec![0; function.loc_count as usize];
        for edge in &function.edges {
            entering[edge.to.0 as usize] += 1;
        }
        let order = NestedOrder::of(function, &loops);
        let live = Liveness::of(function);
        Shape { loops, order, live, around, entering }
    }

    pub fn around(&self, loc: Loc) -> &[LoopId] {
        &self.around[loc.0 as usize]
    }

    pub fn head(&self, id: LoopId) -> Loc {
        self.loops.get(id).head
    }

    pub fn is_meeting(&self, loc: Loc) -> bool {
        self.entering[loc.0 as usize] > 1
    }

    /// Whether some edges from a location stay in a loop and others leave it.
    pub fn decides(&self, function: &Function, loc: Loc, id: LoopId) -> bool {
        let stays = |edge: EdgeId| self.loops.contains(id, function.edge(edge).to);
        let edges: Vec<EdgeId> = function.out_edges(loc).collect();
        edges.len() > 1 && edges.iter().any(|e| stays(*e)) && !edges.iter().all(|e| stays(*e))
    }
}
