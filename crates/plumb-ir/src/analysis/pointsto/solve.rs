//! The constraint graph and its solution.

use super::constraints::{CallSite, Instance};
use super::objects::{ANYWHERE, ObjInfo, ObjKind};
use super::sets::Set;
use super::{Object, Target};
use crate::analysis::graph::Graph;
use crate::expr::ExprId;
use crate::index::TiVec;
use crate::program::GlobalVar;
use crate::program::{EdgeId, FuncId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Something that holds targets.
pub type Node = u32;
/// A target as sets hold it: an object and an offset, numbered.
pub type Loc = u32;
/// An abstract object.
pub type Obj = u32;

/// The node of everything that was stored through unknown pointers: what memory from outside holds, where there is such.
pub const STORED_ANYWHERE: Node = 0;
/// The node that holds just the unknown target.
pub const UNKNOWN_NODE: Node = 1;
pub const UNKNOWN_LOC: Loc = 0;
pub const UNKNOWN_OBJ: Obj = 0;

/// How the targets of a computed pointer come from those of its operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shift {
    By(i64),
    /// By any multiple.
    Multiple(u64),
    Anywhere,
}

/// A constraint that unfolds with the targets of the node it hangs on.
#[derive(Clone, Debug)]
pub enum Complex {
    /// `dst` includes what `size` bytes at the targets hold.
    Load {
        dst: Node,
        size: u64,
    },
    /// `size` bytes at the targets include `src`; `None` means any number of bytes.
    Store {
        src: Node,
        size: Option<u64>,
    },
    Shift {
        dst: Node,
        shift: Shift,
    },
    /// The bytes at the targets flow to the nodes of a copy in progress, one for each word or one for all.
    CopyFrom {
        words: Node,
        size: Option<u64>,
    },
    /// The other half of a copy.
    CopyTo {
        words: Node,
        size: Option<u64>,
    },
    /// Call of the targets: the number of a call site.
    Call(u32),
}

pub struct Solver {
    pub word: i64,
    parent: Vec<Node>,
    current: Vec<Set>,
    processed: Vec<Set>,
    succ: Vec<Vec<Node>>,
    edges: FxHashSet<(Node, Node)>,
    complex: Vec<Vec<Complex>>,
    /// Stores whose value is this node, so that those of values without targets cost nothing.
    stores_from: Vec<Vec<(Node, Option<u64>)>>,
    pub locs: Vec<(Obj, i64)>,
    pub loc_parent: Vec<Loc>,
    pub objects: Vec<ObjInfo>,
    pub by_object: FxHashMap<(Object, u32), Obj>,
    fresh: Vec<(Node, Complex)>,
    heap: BinaryHeap<Reverse<(u32, Node)>>,
    queued: Vec<bool>,
    rank: Vec<u32>,
    work: u64,
    budget: u64,
    /// Whether offsets are distinguished.
    pub fields: bool,
    /// Unknown pointers lead to memory from outside, which is an object.
    pub has_foreign_memory: bool,
    /// Pointers made from integers; unknown if no target explains them.
    pub forged: Vec<Node>,
    pub instances: Vec<Instance>,
    pub shared: FxHashMap<FuncId, u32>,
    pub instances_of: FxHashMap<FuncId, Vec<u32>>,
    pub global_vars: TiVec<GlobalVar, Node>,
    pub call_sites: Vec<CallSite>,
    /// The call sites of an edge, one for each instance of its function.
    pub sites_of: FxHashMap<(FuncId, EdgeId), Vec<u32>>,
    /// Functions whose address is taken, once they are needed.
    pub callable: Option<Arc<[FuncId]>>,
}

impl Solver {
    /// The solution, unless it costs more than the budget. Without `fields` every object is one word.
    pub fn run(program: &Program, budget: u64, fields: bool) -> Option<Solver> {
        let foreign = program.foreign_memory();
        let mut solver = Solver {
            word: program.target.pointer_bytes as i64,
            parent: Vec::new(),
            current: Vec::new(),
            processed: Vec::new(),
            succ: Vec::new(),
            edges: FxHashSet::default(),
            complex: Vec::new(),
            stores_from: Vec::new(),
            locs: vec![(UNKNOWN_OBJ, 0)],
            loc_parent: vec![UNKNOWN_LOC],
            objects: vec![ObjInfo {
                kind: foreign.map_or(ObjKind::Unknown, |object| ObjKind::Known(Object::Global(object))),
                size: None,
                stride: foreign.map_or(0, |_| 1),
                locs: FxHashMap::from_iter([(0, UNKNOWN_LOC)]),
                cells: FxHashMap::default(),
            }],
            by_object: foreign.map(|object| ((Object::Global(object), 0), UNKNOWN_OBJ)).into_iter().collect(),
            fresh: Vec::new(),
            heap: BinaryHeap::new(),
            queued: Vec::new(),
            rank: Vec::new(),
            work: 0,
            budget,
            fields,
            has_foreign_memory: foreign.is_some(),
            forged: Vec::new(),
            instances: Vec::new(),
            shared: FxHashMap::default(),
            instances_of: FxHashMap::default(),
            global_vars: TiVec::new(),
            call_sites: Vec::new(),
            sites_of: FxHashMap::default(),
            callable: None,
        };
        solver.node();
        solver.node();
        solver.add_target(UNKNOWN_NODE, UNKNOWN_LOC);
        if solver.has_foreign_memory {
            solver.add_target(STORED_ANYWHERE, UNKNOWN_LOC);
        }
        solver.generate(program);
        solver.solve(program).then_some(solver)
    }

    pub fn statistics(&self) -> (usize, usize, usize) {
        (self.parent.len(), self.edges.len(), self.locs.len())
    }

    pub fn node(&mut self) -> Node {
        let id = self.parent.len() as Node;
        self.parent.push(id);
        self.current.push(Set::default());
        self.processed.push(Set::default());
        self.succ.push(Vec::new());
        self.complex.push(Vec::new());
        self.stores_from.push(Vec::new());
        self.queued.push(false);
        self.rank.push(u32::MAX);
        id
    }

    pub fn find(&self, mut node: Node) -> Node {
        while self.parent[node as usize] != node {
            node = self.parent[node as usize];
        }
        node
    }

    fn find_compressing(&mut self, node: Node) -> Node {
        let root = self.find(node);
        let mut at = node;
        while self.parent[at as usize] != root {
            at = std::mem::replace(&mut self.parent[at as usize], root);
        }
        root
    }

    fn push(&mut self, node: Node) {
        if !std::mem::replace(&mut self.queued[node as usize], true) {
            self.heap.push(Reverse((self.rank[node as usize], node)));
        }
    }

    pub fn add_target(&mut self, node: Node, loc: Loc) {
        let node = self.find(node);
        if self.current[node as usize].insert(loc) {
            self.push(node);
        }
    }

    /// `to` includes `from`.
    pub fn add_edge(&mut self, from: Node, to: Node) {
        let (from, to) = (self.find_compressing(from), self.find_compressing(to));
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.succ[from as usize].push(to);
        self.flow(from, to);
    }

    fn flow(&mut self, from: Node, to: Node) {
        self.work += 1 + self.current[from as usize].cost() as u64;
        let set = std::mem::take(&mut self.current[from as usize]);
        if self.current[to as usize].union(&set) {
            self.push(to);
        }
        self.current[from as usize] = set;
    }

    /// Adds a constraint, also while solving.
    pub fn add_complex(&mut self, node: Node, complex: Complex) {
        self.fresh.push((node, complex));
    }

    pub fn unite(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find_compressing(a), self.find_compressing(b));
        if a == b {
            return;
        }
        let (i, j) = (a as usize, b as usize);
        self.parent[j] = a;
        let (set, processed) = (std::mem::take(&mut self.current[j]), std::mem::take(&mut self.processed[j]));
        self.work += (set.cost() + self.current[i].cost()) as u64;
        let wakes = self.processed[i].is_empty() != processed.is_empty();
        self.current[i].union(&set);
        self.processed[i] = self.processed[i].intersection(&processed);
        let succ = std::mem::take(&mut self.succ[j]);
        self.succ[i].extend(succ);
        let complex = std::mem::take(&mut self.complex[j]);
        self.complex[i].extend(complex);
        let stores = std::mem::take(&mut self.stores_from[j]);
        self.stores_from[i].extend(stores);
        if wakes {
            // One side's stores slept; processing from scratch wakes them.
            self.processed[i] = Set::default();
        }
        self.push(a);
    }

    fn solve(&mut self, program: &Program) -> bool {
        let mut next_collapse = 0usize;
        loop {
            while let Some((node, complex)) = self.fresh.pop() {
                self.attach(program, node, complex);
            }
            if self.work > self.budget {
                return false;
            }
            if self.edges.len() >= next_collapse {
                self.collapse_cycles();
                next_collapse = self.edges.len() + self.edges.len() / 4 + 10_000;
            }
            match self.heap.pop() {
                Some(Reverse((_, node))) => {
                    self.queued[node as usize] = false;
                    if self.find(node) == node {
                        self.process(program, node);
                    }
                }
                None => {
                    if !self.explain_forged() && self.fresh.is_empty() {
                        return true;
                    }
                }
            }
        }
    }

    /// Makes pointers from integers unknown where nothing explains them; tells whether there were any.
    fn explain_forged(&mut self) -> bool {
        let mut any = false;
        for node in std::mem::take(&mut self.forged) {
            let root = self.find(node);
            if self.current[root as usize].is_empty() {
                self.add_target(node, UNKNOWN_LOC);
                any = true;
            }
        }
        any
    }

    /// Hangs a constraint on its node and applies it to the targets that are already there.
    fn attach(&mut self, program: &Program, node: Node, complex: Complex) {
        let node = self.find(node);
        if let Complex::Store { src, size } = complex {
            let src = self.find(src);
            self.stores_from[src as usize].push((node, size));
        }
        let known: Vec<Loc> = self.current[node as usize].iter().collect();
        self.complex[node as usize].push(complex.clone());
        self.apply(program, &complex, &known);
    }

    fn process(&mut self, program: &Program, node: Node) {
        let n = node as usize;
        let new = self.current[n].minus(&self.processed[n]);
        if new.is_empty() {
            return;
        }
        let first = self.processed[n].is_empty();
        self.processed[n].union(&new);
        let succ = std::mem::take(&mut self.succ[n]);
        for &to in &succ {
            let to = self.find_compressing(to);
            self.work += 1 + new.cost() as u64;
            if to != node && self.current[to as usize].union(&new) {
                self.push(to);
            }
        }
        self.succ[n] = succ;
        let locs: Vec<Loc> = new.iter().collect();
        self.work += locs.len() as u64;
        if first {
            for (base, size) in self.stores_from[n].clone() {
                let base = self.find(base);
                let targets: Vec<Loc> = self.current[base as usize].iter().collect();
                self.apply(program, &Complex::Store { src: node, size }, &targets);
            }
        }
        let complex = std::mem::take(&mut self.complex[n]);
        for constraint in &complex {
            self.apply(program, constraint, &locs);
        }
        // Applying may have united the node with another or given it new constraints.
        let root = self.find(node) as usize;
        self.complex[root].extend(complex);
    }

    fn apply(&mut self, program: &Program, complex: &Complex, locs: &[Loc]) {
        if self.work > self.budget {
            return;
        }
        self.work += locs.len() as u64;
        match *complex {
            Complex::Load { dst, size } => {
                for &loc in locs {
                    if self.locs[loc as usize].0 == UNKNOWN_OBJ {
                        self.add_target(dst, UNKNOWN_LOC);
                        self.add_edge(STORED_ANYWHERE, dst);
                    }
                    for cell in self.cells(loc, Some(size)) {
                        self.add_edge(cell, dst);
                    }
                }
            }
            Complex::Store { src, size } => {
                if self.current[self.find(src) as usize].is_empty() {
                    return;
                }
                for &loc in locs {
                    if self.locs[loc as usize].0 == UNKNOWN_OBJ {
                        self.add_edge(src, STORED_ANYWHERE);
                    }
                    for cell in self.cells(loc, size) {
                        self.add_edge(src, cell);
                    }
                }
            }
            Complex::Shift { dst, shift } => {
                let shifted: Set = locs.iter().map(|&loc| self.shifted(loc, shift)).collect();
                let dst = self.find(dst);
                if self.current[dst as usize].union(&shifted) {
                    self.push(dst);
                }
            }
            Complex::CopyFrom { words, size } => {
                for &loc in locs {
                    if self.locs[loc as usize].0 == UNKNOWN_OBJ {
                        for w in self.each_word(size) {
                            self.add_edge(UNKNOWN_NODE, words + w);
                            self.add_edge(STORED_ANYWHERE, words + w);
                        }
                    }
                    for (cell, word) in self.copied_cells(loc, size) {
                        self.add_edge(cell, words + word);
                    }
                }
            }
            Complex::CopyTo { words, size } => {
                for &loc in locs {
                    if self.locs[loc as usize].0 == UNKNOWN_OBJ {
                        self.each_word(size).for_each(|w| self.add_edge(words + w, STORED_ANYWHERE));
                    }
                    for (cell, word) in self.copied_cells(loc, size) {
                        self.add_edge(words + word, cell);
                    }
                }
            }
            Complex::Call(site) => {
                for &loc in locs {
                    match self.objects[self.locs[loc as usize].0 as usize].kind {
                        ObjKind::Known(Object::Function(id)) => self.resolve(program, site, id),
                        ObjKind::Unknown => self.resolve_unknown(program, site),
                        ObjKind::Known(_) => {}
                    }
                }
            }
        }
    }

    /// Unites the nodes of every cycle of inclusions and ranks the others so that sources come first.
    fn collapse_cycles(&mut self) {
        let len = self.parent.len();
        let pairs: Vec<(u32, u32)> = (0..len as u32)
            .filter(|&n| self.parent[n as usize] == n)
            .flat_map(|n| self.succ[n as usize].iter().map(move |&to| (n, to)))
            .collect();
        let edges: Vec<(u32, u32)> = pairs.into_iter().map(|(a, b)| (a, self.find(b))).collect();
        self.work += (len + edges.len()) as u64;
        let nodes: Vec<u32> = (0..len as u32).collect();
        let components = Graph::new(len, &edges).components(&nodes, |n| self.parent[n as usize] == n);
        let last = components.len() as u32;
        for (i, component) in components.iter().enumerate() {
            for &node in &component[1..] {
                self.unite(component[0], node);
            }
            self.rank[component[0] as usize] = last - i as u32;
        }
        for node in 0..len {
            if self.parent[node] == node as Node && self.succ[node].len() > 1 {
                let mut succ: Vec<Node> = self.succ[node].iter().map(|&s| self.find(s)).collect();
                succ.sort_unstable();
                succ.dedup();
                succ.retain(|&s| s != node as Node);
                self.succ[node] = succ;
            }
        }
        let waiting: Vec<Node> = self.heap.drain().map(|Reverse((_, node))| node).collect();
        for node in waiting {
            self.queued[node as usize] = false;
            let root = self.find(node);
            self.push(root);
        }
    }

    /// The targets of a node, `None` if it may point anywhere.
    pub fn targets_of(&self, node: Node) -> Option<Vec<Target>> {
        let mut list = Vec::new();
        for loc in self.current[self.find(node) as usize].iter() {
            let (obj, offset) = self.locs[self.find_loc(loc) as usize];
            let info = &self.objects[obj as usize];
            match info.kind {
                ObjKind::Unknown => return None,
                ObjKind::Known(object) => {
                    let exact = offset != ANYWHERE && info.stride == 0;
                    list.push(Target { object, offset: exact.then_some(offset) });
                }
            }
        }
        list.sort();
        list.dedup();
        Some(list)
    }

    pub fn targets(&self, function: FuncId, expr: ExprId) -> Option<Vec<Target>> {
        let mut list = Vec::new();
        for &instance in self.instances_of.get(&function)? {
            if let Some(node) = self.instances[instance as usize].value(expr)? {
                list.extend(self.targets_of(node)?);
            }
        }
        list.sort();
        list.dedup();
        Some(list)
    }

    pub fn call_targets(&self, function: FuncId, edge: EdgeId) -> Option<Vec<FuncId>> {
        self.instances_of.get(&function)?;
        let mut list = Vec::new();
        for &site in self.sites_of.get(&(function, edge)).map_or(&[][..], |sites| sites) {
            let site = &self.call_sites[site as usize];
            self.targets_of(site.callee)?;
            list.extend_from_slice(&site.targets);
        }
        list.sort();
        list.dedup();
        Some(list)
    }
}
