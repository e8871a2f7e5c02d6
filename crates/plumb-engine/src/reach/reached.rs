//! The reached set of a reachability graph, with the waitlist: what is still to be done in it.

use super::abstraction::{Combined, Element};
use super::arg::{Again, Arg, NodeId, Step};
use super::block::EntryId;
use super::graph::BlockGraph;
use super::order::{SearchOrder, Waitlist};

/// What is still to be done.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// Everything from a node.
    Expand(NodeId),
    /// One end of the block of a node that was expanded before.
    Again(Step),
}

impl Work {
    fn node(self) -> NodeId {
        match self {
            Work::Expand(node) => node,
            Work::Again(step) => step.node,
        }
    }
}

pub struct Reached<'a> {
    pub arg: Arg<Combined<'a>>,
    waitlist: Waitlist<'a, Work>,
}

impl<'a> Reached<'a> {
    pub fn new(order: Box<dyn SearchOrder + 'a>) -> Reached<'a> {
        Reached { arg: Arg::default(), waitlist: Waitlist::new(order) }
    }

    /// The next work on what is part of the graph.
    pub fn next_work(&mut self) -> Option<Work> {
        while let Some(work) = self.waitlist.pop() {
            if !self.arg.node(work.node()).is_removed {
                return Some(work);
            }
        }
        None
    }

    pub fn waiting(&self) -> usize {
        self.waitlist.len()
    }

    /// Adds a node, which is to be expanded.
    pub fn add(
        &mut self,
        graph: &BlockGraph,
        entry: EntryId,
        elements: Vec<Element>,
        parent: Option<Step>,
        stamp: u32,
    ) -> NodeId {
        let node = self.arg.add(entry, elements, parent, stamp);
        self.wait(graph, Work::Expand(node));
        node
    }

    /// Removes a node and everything that was reached from it, and lets others come again that it has covered.
    pub fn remove(&mut self, graph: &BlockGraph, node: NodeId) {
        let Again { steps } = self.arg.remove_subtree(node);
        let arg = &self.arg;
        self.waitlist.retain(|work| !arg.node(work.node()).is_removed);
        for step in steps {
            self.wait(graph, Work::Again(step));
        }
    }

    fn wait(&mut self, graph: &BlockGraph, work: Work) {
        let node = self.arg.node(work.node());
        self.waitlist.push(graph.entry(node.entry), node.depth, work);
    }
}
