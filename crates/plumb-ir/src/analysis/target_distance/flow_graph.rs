//! Interprocedural flow graphs: what distances and structural features are computed on.
//!
//! A program gives one ([`super::of_program`]), and a test builds one by hand. Locations and edges of all functions are numbered
//! through. A call edge leads from the call location to the return location; that a run goes through a callee in between (the
//! function call edge to its entry, the function return edge from its exit) is said by the list of callees.

use crate::analysis::graph::{Graph, Rows};
use crate::index::TiVec;
use std::ops::Range;

/// A location of the whole program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FlowLoc(pub u32);

/// An edge of the whole program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FlowEdgeId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FlowFuncId(pub u32);

plumb_c::index_types!(FlowLoc, FlowEdgeId, FlowFuncId);

/// What an edge means for the path of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FlowKind {
    /// An operation that decides nothing.
    Statement,
    /// One of several branches.
    Condition,
    /// From the call location to the return location, through one of these functions.
    Call(Box<[FlowFuncId]>),
    /// A new stack, which begins in one of these functions; the run goes on behind the edge.
    NewStack(Box<[FlowFuncId]>),
    /// Another stack goes on, wherever it was; the edge is passed when somebody switches back.
    Switch,
    /// Another stack goes on, wherever it was, and this one does not.
    EndStack,
    /// No run passes it.
    Blocked,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowEdge {
    pub from: FlowLoc,
    pub to: FlowLoc,
    pub kind: FlowKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowFunction {
    pub entry: FlowLoc,
    pub exit: FlowLoc,
    /// Its locations, all in one piece.
    pub locs: Range<u32>,
    /// Its edges, all in one piece.
    pub edges: Range<u32>,
}

/// A graph while it is built. Functions may be called before they are added: their numbers are given in order from 0 on.
#[derive(Clone, Debug, Default)]
pub struct FlowGraphBuilder {
    functions: TiVec<FlowFuncId, FlowFunction>,
    edges: TiVec<FlowEdgeId, FlowEdge>,
    is_loop_head: TiVec<FlowLoc, bool>,
    is_error: TiVec<FlowLoc, bool>,
}

impl FlowGraphBuilder {
    /// A function with so many locations; `entry`, `exit` and the ends of `edges` are counted from its first one on.
    pub fn function(
        &mut self,
        locs: u32,
        entry: u32,
        exit: u32,
        edges: impl IntoIterator<Item = (u32, u32, FlowKind)>,
    ) -> FlowFuncId {
        let first = self.is_error.len() as u32;
        let first_edge = self.edges.len() as u32;
        let place = |loc: u32| {
            assert!(loc < locs, "location {loc} of a function with {locs}");
            FlowLoc(first + loc)
        };
        for (from, to, kind) in edges {
            self.edges.push(FlowEdge { from: place(from), to: place(to), kind });
        }
        let (entry, exit) = (place(entry), place(exit));
        let count = self.is_error.len() + locs as usize;
        self.is_error.resize(count, false);
        self.is_loop_head.resize(count, false);
        let edges = first_edge..self.edges.len() as u32;
        self.functions.push_and_get_key(FlowFunction { entry, exit, locs: first..first + locs, edges })
    }

    pub fn loop_head(&mut self, loc: FlowLoc) {
        self.is_loop_head[loc] = true;
    }

    pub fn error(&mut self, loc: FlowLoc) {
        self.is_error[loc] = true;
    }

    pub fn finish(self) -> FlowGraph {
        let FlowGraphBuilder { functions, edges, is_loop_head, is_error } = self;
        let into = edges.iter_enumerated().map(|(id, edge)| (edge.to.0, id.0));
        let incoming = Rows::new(is_error.len(), into);
        let mut calls = Vec::new();
        let mut starts = Vec::new();
        for (id, edge) in edges.iter_enumerated() {
            match &edge.kind {
                FlowKind::Call(callees) => calls.extend(callees.iter().map(|callee| (callee.0, id.0))),
                FlowKind::NewStack(callees) => starts.extend(callees.iter().map(|callee| (callee.0, id.0))),
                FlowKind::Statement
                | FlowKind::Condition
                | FlowKind::Switch
                | FlowKind::EndStack
                | FlowKind::Blocked => {}
            }
        }
        let calls_of = Rows::new(functions.len(), calls.iter().copied());
        let starts_of = Rows::new(functions.len(), starts.iter().copied());
        let mut func_of: TiVec<FlowLoc, FlowFuncId> = vec![FlowFuncId(0); is_error.len()].into();
        for (id, function) in functions.iter_enumerated() {
            function.locs.clone().for_each(|loc| func_of[FlowLoc(loc)] = id);
        }
        FlowGraph { functions, edges, is_loop_head, is_error, incoming, calls_of, starts_of, func_of }
    }
}

#[derive(Clone, Debug)]
pub struct FlowGraph {
    pub functions: TiVec<FlowFuncId, FlowFunction>,
    pub edges: TiVec<FlowEdgeId, FlowEdge>,
    is_loop_head: TiVec<FlowLoc, bool>,
    is_error: TiVec<FlowLoc, bool>,
    /// By location: edges that lead there.
    incoming: Rows,
    /// By function: calls of it.
    calls_of: Rows,
    /// By function: edges that make a stack which begins in it.
    starts_of: Rows,
    func_of: TiVec<FlowLoc, FlowFuncId>,
}

impl FlowGraph {
    pub fn loc_count(&self) -> usize {
        self.is_error.len()
    }

    pub fn locs(&self) -> impl Iterator<Item = FlowLoc> + use<> {
        self.is_error.keys()
    }

    pub fn func_of(&self, loc: FlowLoc) -> FlowFuncId {
        self.func_of[loc]
    }

    pub fn is_loop_head(&self, loc: FlowLoc) -> bool {
        self.is_loop_head[loc]
    }

    pub fn is_error(&self, loc: FlowLoc) -> bool {
        self.is_error[loc]
    }

    pub fn is_entry(&self, loc: FlowLoc) -> bool {
        self.functions[self.func_of[loc]].entry == loc
    }

    /// The edges that lead to a location, within its function.
    pub fn incoming(&self, loc: FlowLoc) -> impl Iterator<Item = FlowEdgeId> + '_ {
        self.incoming.row(loc.0).iter().map(|id| FlowEdgeId(*id))
    }

    pub fn edges_of(&self, func: FlowFuncId) -> impl Iterator<Item = &FlowEdge> + '_ {
        self.functions[func].edges.clone().map(|id| &self.edges[FlowEdgeId(id)])
    }

    /// The call edges that may call a function.
    pub fn calls_of(&self, func: FlowFuncId) -> impl Iterator<Item = FlowEdgeId> + '_ {
        self.calls_of.row(func.0).iter().map(|id| FlowEdgeId(*id))
    }

    /// The edges that make a stack which may begin in a function.
    pub fn starts_of(&self, func: FlowFuncId) -> impl Iterator<Item = FlowEdgeId> + '_ {
        self.starts_of.row(func.0).iter().map(|id| FlowEdgeId(*id))
    }

    /// Sets of functions that can call each other, each after those that it calls (the function call dependency graph).
    pub fn components(&self) -> Vec<Vec<FlowFuncId>> {
        let mut pairs = Vec::new();
        for edge in &self.edges {
            if let FlowKind::Call(callees) = &edge.kind {
                pairs.extend(callees.iter().map(|callee| (self.func_of[edge.from].0, callee.0)));
            }
        }
        let nodes: Vec<u32> = (0..self.functions.len() as u32).collect();
        let components = Graph::new(self.functions.len(), &pairs).components(&nodes, |_| true);
        components.into_iter().map(|members| members.into_iter().map(FlowFuncId).collect()).collect()
    }
}
