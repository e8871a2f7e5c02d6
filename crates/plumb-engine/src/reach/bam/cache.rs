//! The reachability graphs of blocks, and the cache of those that are finished.
//!
//! A block is explored by itself, from its reduced entry states: some abstract states at its entry. The key of the cache is the
//! block, these abstract states, and the version of the precisions that the exploration depends on: a refinement of a block makes
//! no graph of another one useless, and leaves the older graphs as they are for whoever has used them (copy-on-write).

use super::super::abstraction::Element;
use super::super::arg::NodeId;
use super::super::reached::Reached;
use super::blocks::BlockId;
use plumb_ir::analysis::target_distance::entry_map::StateId;
use plumb_ir::program::FuncId;
use plumb_term::TermId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of a reachability graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ReachId(pub u32);

plumb_ir::index::index_types!(ReachId);

/// What is known of a call that a node's block makes.
#[derive(Clone, Copy, Debug)]
pub enum Child {
    /// The callee's formula says everything.
    Exact,
    /// No run from the node's states makes it.
    Infeasible,
    Explored(ReachId),
}

/// The reachability graph of a block.
pub struct BlockReach<'a> {
    pub block: BlockId,
    /// The abstract states in which the block is entered; none: in any state.
    pub gate: Vec<Element>,
    /// The same as conditions on the reduced entry state.
    pub gate_conditions: Vec<TermId>,
    pub reached: Reached<'a>,
    pub root: NodeId,
    /// By node and call of its block.
    pub children: FxHashMap<(NodeId, usize), Child>,
    /// What is known of the states of a node, its calls included.
    pub conditions: FxHashMap<NodeId, Rc<[TermId]>>,
    /// By node, when its block meets a target that is still looked for; with the number of those that are not.
    pub targets: FxHashMap<NodeId, (usize, TermId)>,
    /// Nodes whose blocks may meet a target.
    pub unsafe_nodes: Vec<NodeId>,
    /// Changes of the precision before it was explored.
    pub stamp: u32,
    /// The state that the block begins with, in the map of entries.
    pub entry_state: Option<StateId>,
}

impl BlockReach<'_> {
    /// Forgets what calls of a node have come to: their precisions have changed.
    pub fn forget_calls(&mut self, node: NodeId) {
        self.children.retain(|(at, _), _| *at != node);
        self.targets.remove(&node);
        if node == self.root {
            self.conditions.clear();
        } else {
            self.conditions.remove(&node);
        }
    }
}

/// The block, its reduced entry states and the version of its precision.
pub type Key = (FuncId, Vec<Element>, u32);

#[derive(Default)]
pub struct Cache {
    known: FxHashMap<Key, ReachId>,
    pub hits: u64,
}

impl Cache {
    pub fn get(&mut self, key: &Key) -> Option<ReachId> {
        let found = self.known.get(key).copied();
        self.hits += u64::from(found.is_some());
        found
    }

    pub fn insert(&mut self, key: Key, reach: ReachId) {
        self.known.insert(key, reach);
    }

    pub fn clear(&mut self) {
        self.known.clear();
    }
}
