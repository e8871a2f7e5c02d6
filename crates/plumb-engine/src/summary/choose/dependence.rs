//! The graph of data dependence over the whole program (Definition 3).
//!
//! Vertices are edges of automata, one for each argument of a call besides, and joins: what a parameter, an object or a global
//! holds at some point. Stores to memory never hide earlier ones, and their order does not count: a load sees every
//! store to an object that it may read. Where the points-to analysis does not know, a pointer may be to anything, as in the paper, where
//! all pointers are one variable. Parts of calls that belong together by context are kept apart for global registers only.
//!
//! **Soundness.** An edge is missing from a context only if nothing that it computes can get into the inputs of the call.

use super::globals::Visits;
use super::outside::{Influence, influence};
use crate::budget::Budget;
use crate::summary::tuning::TUNING;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::pointsto::Object;
use plumb_ir::analysis::signature::Signature;
use plumb_ir::index::TiVec;
use plumb_ir::program::{EdgeId, FuncId, LocalVar, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A node of the paper: an edge of a function.
pub type Node = (FuncId, EdgeId);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Vertex(u32);

impl Vertex {
    /// Edges come first, function by function.
    pub fn of_edge(first_vertex: &TiVec<FuncId, u32>, node: Node) -> Vertex {
        Vertex(first_vertex[node.0] + node.1.0)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

pub struct Dependence {
    /// By vertex: the edge that it is, or is a part of; `None` for joins.
    nodes: Vec<Option<Node>>,
    first_vertex: TiVec<FuncId, u32>,
    /// What a vertex depends on, and what depends on it.
    sources: Lists,
    users: Lists,
    influence: Influence,
    /// Those that ask for such a value themselves.
    outside: FxHashSet<Vertex>,
}

impl Dependence {
    /// A call of a function with a signature is one node. So many locations are visited to follow the values of globals.
    /// `None` if the budget is over before that is done.
    pub fn of(
        analyses: &Analyses,
        auxiliary: &TiVec<FuncId, Option<Signature>>,
        max_visits: u64,
        budget: &Budget,
    ) -> Option<Dependence> {
        let mut builder = Builder::new(analyses, auxiliary);
        let mut functions = analyses.resolved_calls().reachable(analyses.program().start);
        functions.sort();
        let mut reads = FxHashMap::default();
        for &func in &functions {
            if budget.is_over() {
                return None;
            }
            let found = builder.reads(func);
            builder.locals(func, &found);
            reads.insert(func, found);
        }
        builder.globals(&functions, &reads, Visits { left: max_visits, budget });
        Some(builder.finish())
    }

    /// Whether a value from outside may influence the inputs of a call.
    pub fn depends_on_outside(&self, call: Node) -> bool {
        let vertex = Vertex::of_edge(&self.first_vertex, call);
        self.outside.contains(&vertex) || self.sources.of(vertex).iter().any(|s| self.influence.influenced[s.index()])
    }

    /// The context of a call (Definition 5): the fixpoint of dependence, the call included.
    pub fn context(&self, call: Node) -> BTreeSet<Node> {
        let (vertices, _) = self.closure(call, usize::MAX);
        vertices.iter().filter_map(|vertex| self.nodes[vertex.index()]).collect()
    }

    /// The vertices of a context, unless they are too many; in the order in which they were found.
    fn closure(&self, call: Node, limit: usize) -> (Vec<Vertex>, bool) {
        let start = Vertex::of_edge(&self.first_vertex, call);
        let mut seen: FxHashSet<Vertex> = FxHashSet::from_iter([start]);
        let mut found = vec![start];
        let mut next = 0;
        while let Some(&vertex) = found.get(next) {
            next += 1;
            found.extend(self.sources.of(vertex).iter().copied().filter(|source| seen.insert(*source)));
            if found.len() > limit {
                return (found, false);
            }
        }
        (found, true)
    }

    /// Whether nothing outside of the context uses what the context computes (Definition 7), and no value from outside decides
    /// what it computes. Edges of functions that count as the callee's own are not outside.
    pub fn is_independent(&self, call: Node, is_inside: impl Fn(FuncId) -> bool) -> bool {
        let (context, is_whole) = self.closure(call, TUNING.max_context);
        if !is_whole {
            return false;
        }
        let computes = |vertex: &Vertex| self.nodes[vertex.index()].is_some_and(|node| node != call);
        if context.iter().filter(|vertex| computes(vertex)).any(|vertex| self.influence.decided[vertex.index()]) {
            return false;
        }
        let nodes: FxHashSet<Node> = context.iter().filter_map(|vertex| self.nodes[vertex.index()]).collect();
        let mut seen: FxHashSet<Vertex> = FxHashSet::default();
        let mut waiting: Vec<Vertex> = context.iter().copied().filter(computes).collect();
        let mut inside: FxHashMap<FuncId, bool> = FxHashMap::default();
        while let Some(vertex) = waiting.pop() {
            for &user in self.users.of(vertex) {
                match self.nodes[user.index()] {
                    // On to whoever reads what is joined here.
                    None => {
                        if seen.insert(user) {
                            waiting.push(user);
                        }
                    }
                    Some(node) if nodes.contains(&node) => {}
                    Some(node) => {
                        if !*inside.entry(node.0).or_insert_with(|| is_inside(node.0)) {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }
}

/// The graph while it is being made.
pub struct Builder<'a> {
    analyses: &'a Analyses,
    auxiliary: &'a TiVec<FuncId, Option<Signature>>,
    nodes: Vec<Option<Node>>,
    first_vertex: TiVec<FuncId, u32>,
    /// User and source.
    pairs: Vec<(Vertex, Vertex)>,
    outside: Vec<Vertex>,
    parameters: FxHashMap<(FuncId, LocalVar), Vertex>,
    objects: FxHashMap<Object, Vertex>,
    /// What is read or written where nobody knows which object it is.
    anything: Vertex,
    anywhere: Vertex,
}

impl<'a> Builder<'a> {
    fn new(analyses: &'a Analyses, auxiliary: &'a TiVec<FuncId, Option<Signature>>) -> Builder<'a> {
        let program = analyses.program();
        let mut nodes = Vec::new();
        let mut first_vertex = TiVec::new();
        for func in program.function_ids() {
            first_vertex.push(nodes.len() as u32);
            nodes.extend(program.function(func).edge_ids().map(|edge| Some((func, edge))));
        }
        let mut builder = Builder {
            analyses,
            auxiliary,
            nodes,
            first_vertex,
            pairs: Vec::new(),
            outside: Vec::new(),
            parameters: FxHashMap::default(),
            objects: FxHashMap::default(),
            anything: Vertex(0),
            anywhere: Vertex(0),
        };
        (builder.anything, builder.anywhere) = (builder.join(), builder.join());
        builder.depends(builder.anything, builder.anywhere);
        builder
    }

    pub fn analyses(&self) -> &'a Analyses {
        self.analyses
    }

    pub fn program(&self) -> &'a Program {
        self.analyses.program()
    }

    /// The signature of a function whose calls are one node each.
    pub fn auxiliary(&self, func: FuncId) -> Option<&'a Signature> {
        self.auxiliary[func].as_ref()
    }

    pub fn vertex(&self, node: Node) -> Vertex {
        Vertex::of_edge(&self.first_vertex, node)
    }

    /// A vertex of its own for a part of a node.
    pub fn part_of(&mut self, node: Node) -> Vertex {
        self.nodes.push(Some(node));
        Vertex(self.nodes.len() as u32 - 1)
    }

    /// A vertex that is no edge.
    pub fn join(&mut self) -> Vertex {
        self.nodes.push(None);
        Vertex(self.nodes.len() as u32 - 1)
    }

    pub fn depends(&mut self, user: Vertex, source: Vertex) {
        self.pairs.push((user, source));
    }

    pub fn mark_from_outside(&mut self, vertex: Vertex) {
        self.outside.push(vertex);
    }

    pub fn parameter(&mut self, func: FuncId, var: LocalVar) -> Vertex {
        match self.parameters.get(&(func, var)) {
            Some(&vertex) => vertex,
            None => {
                let vertex = self.join();
                self.parameters.insert((func, var), vertex);
                vertex
            }
        }
    }

    /// What an object holds.
    pub fn object(&mut self, object: Object) -> Vertex {
        match self.objects.get(&object) {
            Some(&vertex) => vertex,
            None => {
                let vertex = self.join();
                self.objects.insert(object, vertex);
                self.depends(vertex, self.anywhere);
                self.depends(self.anything, vertex);
                vertex
            }
        }
    }

    pub fn loads_anything(&mut self, vertex: Vertex) {
        self.depends(vertex, self.anything);
    }

    pub fn stores_anywhere(&mut self, vertex: Vertex) {
        self.depends(self.anywhere, vertex);
    }

    fn finish(mut self) -> Dependence {
        self.pairs.sort_unstable();
        self.pairs.dedup();
        let count = self.nodes.len();
        let sources = Lists::new(count, self.pairs.iter().copied());
        let users = Lists::new(count, self.pairs.iter().map(|&(user, source)| (source, user)));
        let influence = influence(self.analyses, &self.nodes, &self.first_vertex, &users, &self.outside);
        let outside = self.outside.into_iter().collect();
        Dependence { nodes: self.nodes, first_vertex: self.first_vertex, sources, users, influence, outside }
    }
}

/// For each vertex a list of vertices.
pub struct Lists {
    starts: Vec<u32>,
    items: Vec<Vertex>,
}

impl Lists {
    fn new(count: usize, pairs: impl Iterator<Item = (Vertex, Vertex)> + Clone) -> Lists {
        let mut starts = vec![0u32; count + 1];
        for (key, _) in pairs.clone() {
            starts[key.index() + 1] += 1;
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut at = starts.clone();
        let mut items = vec![Vertex(0); starts[count] as usize];
        for (key, item) in pairs {
            items[at[key.index()] as usize] = item;
            at[key.index()] += 1;
        }
        Lists { starts, items }
    }

    pub fn of(&self, vertex: Vertex) -> &[Vertex] {
        let (start, end) = (self.starts[vertex.index()], self.starts[vertex.index() + 1]);
        &self.items[start as usize..end as usize]
    }
}
