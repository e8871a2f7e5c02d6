//! The abstract reachability graph: abstract states at entries, where they come from, and what covers them.
//!
//! A node is a set of abstract states that one block has brought to one entry. Abstract states that some node at the entry covers
//! are not added again; the node remembers for whom it has covered. When a subtree is removed, those have to come once
//! more: lazy abstraction keeps the rest.
//!
//! **Soundness.** As long as nothing waits, every abstract successor of a node that is part of the graph is covered by another that
//! is.

use super::block::EntryId;
use super::domain::Domain;
use super::graph::EdgeId;
use plumb_ir::index::TiVec;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

plumb_ir::index::index_types!(NodeId);

/// A block from a node to one of its ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Step {
    pub node: NodeId,
    pub edge: EdgeId,
}

pub struct Node<E> {
    pub entry: EntryId,
    pub elements: Vec<E>,
    /// How it was reached; `None` for the start.
    pub parent: Option<Step>,
    pub depth: u32,
    /// Changes of the precision before it was made.
    pub stamp: u32,
    pub is_removed: bool,
    children: Vec<NodeId>,
    /// Steps some of whose abstract successors it has covered.
    covers_for: FxHashSet<Step>,
}

pub struct Arg<D: Domain> {
    nodes: TiVec<NodeId, Node<D::Element>>,
    /// The reached set: by entry, the abstract states with their nodes.
    reached: FxHashMap<EntryId, FxHashMap<D::Element, NodeId>>,
    pub removed: u64,
}

/// What has to be done again after a removal.
#[derive(Default)]
pub struct Again {
    pub steps: Vec<Step>,
}

impl<D: Domain> Default for Arg<D> {
    fn default() -> Arg<D> {
        Arg { nodes: TiVec::new(), reached: FxHashMap::default(), removed: 0 }
    }
}

impl<D: Domain> Arg<D> {
    pub fn node(&self, id: NodeId) -> &Node<D::Element> {
        &self.nodes[id]
    }

    /// The nodes that are part of the graph.
    pub fn nodes(&self) -> impl Iterator<Item = &Node<D::Element>> {
        self.nodes.iter().filter(|node| !node.is_removed)
    }

    /// Those at an entry.
    pub fn nodes_at(&self, entry: EntryId) -> Vec<NodeId> {
        let all = self.nodes.iter_enumerated();
        all.filter(|(_, node)| !node.is_removed && node.entry == entry).map(|(id, _)| id).collect()
    }

    /// Abstract states that are part of the graph.
    pub fn len(&self) -> usize {
        self.reached.values().map(FxHashMap::len).sum()
    }

    pub fn add(&mut self, entry: EntryId, elements: Vec<D::Element>, parent: Option<Step>, stamp: u32) -> NodeId {
        let id = self.nodes.next_key();
        let depth = parent.map_or(0, |step| self.node(step.node).depth + 1);
        if let Some(step) = parent {
            self.nodes[step.node].children.push(id);
        }
        let reached = self.reached.entry(entry).or_default();
        reached.extend(elements.iter().map(|element| (element.clone(), id)));
        let covers_for = FxHashSet::default();
        let children = Vec::new();
        self.nodes.push(Node { entry, elements, parent, depth, stamp, is_removed: false, children, covers_for });
        id
    }

    /// The stop operator: whether an abstract state that a step brings to an entry is covered by one that was reached there.
    pub fn cover(&mut self, domain: &D, step: Step, entry: EntryId, element: &D::Element) -> bool {
        let Some(reached) = self.reached.get(&entry) else { return false };
        let by = reached.get(element).or_else(|| {
            let mut all = reached.iter();
            all.find(|(one, _)| domain.covers(one, element)).map(|(_, node)| node)
        });
        let Some(by) = by.copied() else { return false };
        self.nodes[by].covers_for.insert(step);
        true
    }

    /// Removes a node with everything that was reached from it.
    pub fn remove_subtree(&mut self, root: NodeId) -> Again {
        let mut again = Again::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            let node = &mut self.nodes[id];
            if std::mem::replace(&mut node.is_removed, true) {
                continue;
            }
            self.removed += 1;
            open.append(&mut node.children);
            let (entry, elements) = (node.entry, std::mem::take(&mut node.elements));
            again.steps.extend(std::mem::take(&mut node.covers_for));
            if let Some(reached) = self.reached.get_mut(&entry) {
                elements.iter().for_each(|element| {
                    reached.remove(element);
                });
            }
        }
        again.steps.extend(self.node(root).parent);
        again.steps.retain(|step| !self.node(step.node).is_removed);
        again.steps.sort_unstable();
        again.steps.dedup();
        again
    }
}
