//! Target-directed search in blocks (section 7.1 of the thesis): the distance of a state under the calls of its block.
//!
//! A block's graph is used again under other calls. States know the entry of their block, and only entries know their calls
//! ([`EntryMap`]), so that one update is enough; distances are computed when they are asked for.

use super::super::graph::Entry;
use super::super::order::{BreadthFirst, DepthFirst, InnerFirst, SearchOrder};
use crate::engine::Order;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::target_distance::Metric;
use plumb_ir::analysis::target_distance::entry_map::{BlockCall, EntryMap, StateId};
use plumb_ir::program::{FuncId, Loc};
use std::cell::RefCell;
use std::rc::Rc;

/// The calls of blocks, and how far it is from their states to an error.
pub struct BlockDistances<'a> {
    analyses: &'a Analyses,
    metric: Metric,
    map: EntryMap,
}

impl BlockDistances<'_> {
    /// A state behind active calls in a block that begins with a state.
    fn within(&mut self, entry: StateId, calls: &[(FuncId, Loc)], at: (FuncId, Loc)) -> StateId {
        let graph = self.analyses.flow_graph();
        let mut context = entry;
        for (i, (func, resume)) in calls.iter().enumerate() {
            let return_loc = graph.loc(*func, *resume);
            let caller = self.map.moved(context, return_loc);
            let callee = calls.get(i + 1).map_or(at.0, |next| next.0);
            let callee_entry = graph.loc(callee, self.analyses.program().function(callee).entry);
            context = self.map.called(BlockCall { caller, return_loc }, callee_entry);
        }
        self.map.moved(context, graph.loc(at.0, at.1))
    }
}

/// How the waitlists of blocks are ordered.
pub enum BlockOrder<'a> {
    Plain(Option<Order>),
    Nearest(Rc<RefCell<BlockDistances<'a>>>),
}

impl<'a> BlockOrder<'a> {
    pub fn new(analyses: &'a Analyses, order: Option<Order>) -> BlockOrder<'a> {
        match order {
            Some(Order::Tour(metric)) => BlockOrder::Nearest(Rc::new(RefCell::new(BlockDistances {
                analyses,
                metric,
                map: EntryMap::default(),
            }))),
            other => BlockOrder::Plain(other),
        }
    }

    /// The order of one block's waitlist, and the state that the block begins with in the map of entries.
    pub fn of_block(&self, analyses: &Analyses, func: FuncId) -> (Box<dyn SearchOrder + 'a>, Option<StateId>) {
        match self {
            BlockOrder::Plain(Some(Order::Depth)) => (Box::new(DepthFirst), None),
            BlockOrder::Plain(Some(Order::Nested)) => (Box::new(InnerFirst), None),
            BlockOrder::Plain(_) => (Box::new(BreadthFirst), None),
            BlockOrder::Nearest(distances) => {
                let loc = analyses.flow_graph().loc(func, analyses.program().function(func).entry);
                let entry = distances.borrow_mut().map.initial(loc);
                (Box::new(NearestInBlock { distances: distances.clone(), entry }), Some(entry))
            }
        }
    }

    /// A block is used under a call from a state of another block.
    pub fn call(
        &self,
        analyses: &Analyses,
        (caller, callee): (Option<StateId>, Option<StateId>),
        calls: &[(FuncId, Loc)],
    ) {
        let BlockOrder::Nearest(distances) = self else { return };
        let (Some(caller), Some(callee), Some(((func, resume), around))) = (caller, callee, calls.split_last()) else {
            return;
        };
        let mut distances = distances.borrow_mut();
        let caller = distances.within(caller, around, (*func, *resume));
        let return_loc = analyses.flow_graph().loc(*func, *resume);
        distances.map.reuse(callee, BlockCall { caller, return_loc });
    }
}

struct NearestInBlock<'a> {
    distances: Rc<RefCell<BlockDistances<'a>>>,
    entry: StateId,
}

impl SearchOrder for NearestInBlock<'_> {
    fn rank(&self, entry: &Entry, _: u32) -> u64 {
        let mut distances = self.distances.borrow_mut();
        let at = (entry.state.func(), entry.state.loc);
        let state = distances.within(self.entry, &entry.state.call_stack(), at);
        let BlockDistances { analyses, metric, map } = &mut *distances;
        map.distance(analyses.target_distances(*metric), state).rank()
    }

    fn newest_first(&self) -> bool {
        false
    }
}
