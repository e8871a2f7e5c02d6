//! What values from outside may influence: by data, and by deciding whether something is written.
//!
//! A context has data dependence only (Definition 5). For the question whether a call is deterministic (Definition 6) that is too
//! little: a flag that is set to 1 where a button is pressed is as little known as the button. So a write counts as
//! influenced too if a branch that is influenced decides whether it is made. Whether the call itself is made does
//! not matter: its inputs are what they are. A call whose inputs hang on such branches is not independent either
//! (Definition 7): whatever else they decide hangs together with the inputs.

use super::dependence::{Lists, Node, Vertex};
use plumb_ir::analysis::Analyses;
use plumb_ir::index::TiVec;
use plumb_ir::program::{Callee, FuncId, HavocPlace, Intrinsic, Loc, Op, Place, VarRef};
use rustc_hash::{FxHashMap, FxHashSet};

struct Search<'a> {
    analyses: &'a Analyses,
    nodes: &'a [Option<Node>],
    first_vertex: &'a TiVec<FuncId, u32>,
    users: &'a Lists,
    found: Influence,
    waiting: Vec<Vertex>,
    branches: FxHashSet<(FuncId, Loc)>,
    /// Functions of which it is not known whether they are called.
    conditional: FxHashSet<FuncId>,
    /// By function: the locations that depend on each branch.
    dependents: FxHashMap<FuncId, FxHashMap<Loc, Vec<Loc>>>,
}

/// By vertex: what values from outside have to do with it.
pub struct Influence {
    /// Such a value may influence it.
    pub influenced: Vec<bool>,
    /// An influenced branch decides whether it writes.
    pub decided: Vec<bool>,
}

pub fn influence(
    analyses: &Analyses,
    nodes: &[Option<Node>],
    first_vertex: &TiVec<FuncId, u32>,
    users: &Lists,
    outside: &[Vertex],
) -> Influence {
    let mut search = Search {
        analyses,
        nodes,
        first_vertex,
        users,
        found: Influence { influenced: vec![false; nodes.len()], decided: vec![false; nodes.len()] },
        waiting: outside.to_vec(),
        branches: FxHashSet::default(),
        conditional: FxHashSet::default(),
        dependents: FxHashMap::default(),
    };
    while let Some(vertex) = search.waiting.pop() {
        if !std::mem::replace(&mut search.found.influenced[vertex.index()], true) {
            search.waiting.extend(search.users.of(vertex));
            if let Some(node) = search.nodes[vertex.index()] {
                search.condition(node);
            }
        }
    }
    search.found
}

impl Search<'_> {
    /// A branch is influenced if its condition is.
    fn condition(&mut self, (func, edge): Node) {
        let function = self.analyses.program().function(func);
        let edge = function.edge(edge);
        if matches!(edge.op, Op::Assume { .. }) && function.out_edges(edge.from).nth(1).is_some() {
            self.branch(func, edge.from);
        }
    }

    fn branch(&mut self, func: FuncId, branch: Loc) {
        let function = self.analyses.program().function(func);
        let mut waiting = vec![branch];
        while let Some(branch) = waiting.pop() {
            if !self.branches.insert((func, branch)) {
                continue;
            }
            let dependents = self.dependents.entry(func).or_insert_with(|| dependents(self.analyses, func));
            for loc in dependents.get(&branch).cloned().unwrap_or_default() {
                // A branch that is taken or not.
                if function.out_edges(loc).nth(1).is_some() {
                    waiting.push(loc);
                }
                for edge in function.out_edges(loc) {
                    match &function.edge(edge).op {
                        Op::Assume { .. } | Op::Check { .. } => {}
                        Op::Assign { .. } | Op::Havoc { .. } | Op::Return(_) => self.write((func, edge)),
                        Op::Call { .. } => {
                            self.write((func, edge));
                            self.callees((func, edge));
                        }
                    }
                }
            }
        }
    }

    fn write(&mut self, node: Node) {
        let vertex = Vertex::of_edge(self.first_vertex, node);
        self.found.decided[vertex.index()] = true;
        self.waiting.push(vertex);
    }

    /// What a callee writes for others to see is written or not.
    fn callees(&mut self, (func, edge): Node) {
        let (program, calls) = (self.analyses.program(), self.analyses.resolved_calls());
        let mut waiting: Vec<FuncId> = calls.targets(func, edge).collect();
        while let Some(callee) = waiting.pop() {
            if !self.conditional.insert(callee) {
                continue;
            }
            let function = program.function(callee);
            for edge in function.edge_ids().filter(|&edge| outlives_the_call(&function.edge(edge).op)) {
                self.write((callee, edge));
            }
            waiting.extend(calls.callees(callee).iter().map(|call| call.callee));
        }
    }
}

fn outlives_the_call(op: &Op) -> bool {
    match op {
        Op::Assign { to: Place::Mem(_), .. }
        | Op::Havoc { to: HavocPlace::Region { .. } | HavocPlace::Objects { .. }, .. }
        | Op::Call { callee: Callee::Intrinsic(Intrinsic::MemCopy | Intrinsic::MemSet), .. } => true,
        _ => matches!(op.written(), Some(VarRef::Global(_))),
    }
}

fn dependents(analyses: &Analyses, func: FuncId) -> FxHashMap<Loc, Vec<Loc>> {
    let control = analyses.control_dependence(func);
    let mut dependents: FxHashMap<Loc, Vec<Loc>> = FxHashMap::default();
    for loc in analyses.program().function(func).locs() {
        for &branch in control.branches(loc) {
            dependents.entry(branch).or_default().push(loc);
        }
    }
    dependents
}
