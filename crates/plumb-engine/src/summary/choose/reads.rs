//! What an edge reads, and what it does to memory.

use super::dependence::{Builder, Node, Vertex};
use plumb_ir::analysis::pointsto::{Object, Targets};
use plumb_ir::analysis::signature::{Signature, Source};
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::index::TiVec;
use plumb_ir::input::InputOrigin;
use plumb_ir::program::{
    Callee, EdgeId, Extent, FuncId, Function, GlobalVar, HavocPlace, Intrinsic, LocalVar, Op, Place, VarRef,
};
use rustc_hash::FxHashSet;

/// The registers that the edges of a function read, each with the vertex that reads it.
#[derive(Default)]
pub struct Reads {
    pub locals: TiVec<EdgeId, Vec<(LocalVar, Vertex)>>,
    pub globals: TiVec<EdgeId, Vec<(GlobalVar, Vertex)>>,
}

impl Builder<'_> {
    /// Collects the reads of a function's registers, and adds the dependence that goes through memory, arguments and
    /// results.
    pub fn reads(&mut self, func: FuncId) -> Reads {
        let function = self.program().function(func);
        let mut reads = Reads::default();
        for edge in function.edge_ids() {
            let mut found = OfEdge::default();
            self.edge(function, (func, edge), &mut found);
            reads.locals.push(found.locals);
            reads.globals.push(found.globals);
        }
        reads
    }

    fn edge(&mut self, function: &Function, node: Node, found: &mut OfEdge) {
        let vertex = self.vertex(node);
        let op = &function.edge(node.1).op;
        match op {
            Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. } => {
                self.call(function, node, op, found);
                return;
            }
            Op::Call { callee: Callee::Intrinsic(intrinsic), args, .. } => match (intrinsic, &args[..]) {
                (Intrinsic::MemCopy, &[to, from, _]) => {
                    self.loads(node.0, from, vertex);
                    self.stores(node.0, to, vertex);
                }
                (Intrinsic::MemSet, &[to, ..]) => self.stores(node.0, to, vertex),
                _ => {}
            },
            Op::Havoc { to, input } => {
                let origin = &self.program().input(*input).origin;
                if !matches!(origin, InputOrigin::Uninitialised(_) | InputOrigin::Padding(_) | InputOrigin::FreshMemory)
                {
                    self.mark_from_outside(vertex);
                }
                match to {
                    HavocPlace::Region { addr, .. } | HavocPlace::Objects { addr, extent: Extent::Object } => {
                        self.stores(node.0, *addr, vertex);
                    }
                    HavocPlace::Objects { extent: Extent::Reached | Extent::Behind, .. } => {
                        self.stores_anywhere(vertex)
                    }
                    HavocPlace::Var(_) => {}
                }
            }
            Op::Assign { to: Place::Mem(addr), .. } => self.stores(node.0, *addr, vertex),
            Op::Assign { to: Place::Var(_), .. } | Op::Assume { .. } | Op::Return(_) | Op::Check { .. } => {}
        }
        let exprs: Vec<ExprId> = op.exprs().collect();
        self.values(function, node.0, &exprs, vertex, found);
    }

    /// The result of a call depends on what the callee returns; of an auxiliary function on its inputs.
    fn call(&mut self, function: &Function, node: Node, op: &Op, found: &mut OfEdge) {
        let Op::Call { to, callee, args } = op else { return };
        let vertex = self.vertex(node);
        if let Callee::Indirect(pointer) = callee {
            self.values(function, node.0, &[*pointer], vertex, found);
        }
        let arguments: Vec<Vertex> = args.iter().map(|_| self.part_of(node)).collect();
        for (&argument, &at) in args.iter().zip(&arguments) {
            self.values(function, node.0, &[argument], at, found);
        }
        let targets: Vec<FuncId> = self.analyses().resolved_calls().targets(node.0, node.1).collect();
        for callee in targets {
            for (i, &argument) in
                arguments.iter().enumerate().take(self.program().function(callee).param_count as usize)
            {
                let parameter = self.parameter(callee, LocalVar(i as u32));
                self.depends(parameter, argument);
            }
            if let Some(signature) = self.auxiliary(callee) {
                self.inputs(node, args, &arguments, signature, found);
            } else if !self.program().function(callee).has_body {
                if to.is_some() {
                    self.mark_from_outside(vertex);
                }
            } else if to.is_some() {
                let body = self.program().function(callee);
                for edge in body.edge_ids().filter(|&edge| matches!(body.edge(edge).op, Op::Return(Some(_)))) {
                    let returned = self.vertex((callee, edge));
                    self.depends(vertex, returned);
                }
            }
        }
    }

    fn inputs(&mut self, node: Node, args: &[ExprId], at: &[Vertex], signature: &Signature, found: &mut OfEdge) {
        let vertex = self.vertex(node);
        for input in &signature.inputs {
            match input.source {
                Source::Parameter(LocalVar(i)) => {
                    if let Some(&argument) = at.get(i as usize) {
                        self.depends(vertex, argument);
                    }
                }
                Source::Pointee(LocalVar(i), _) => {
                    if let (Some(&argument), Some(&pointer)) = (at.get(i as usize), args.get(i as usize)) {
                        self.depends(vertex, argument);
                        self.loads(node.0, pointer, vertex);
                    }
                }
                Source::Global(var) => found.globals.push((var, vertex)),
                Source::Object(object, _) => {
                    let content = self.object(Object::Global(object));
                    self.depends(vertex, content);
                }
                Source::External(_) | Source::Stream(_) => self.mark_from_outside(vertex),
            }
        }
    }

    /// The vertex reads what the expressions read.
    fn values(&mut self, function: &Function, func: FuncId, roots: &[ExprId], vertex: Vertex, found: &mut OfEdge) {
        let mut stack = roots.to_vec();
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let kind = function.exprs.kind(id);
            match kind {
                ExprKind::Var(VarRef::Local(var)) => found.locals.push((var, vertex)),
                ExprKind::Var(VarRef::Global(var)) => found.globals.push((var, vertex)),
                ExprKind::Load(addr) => self.loads(func, addr, vertex),
                _ => {}
            }
            stack.extend(kind.operands());
        }
    }

    fn loads(&mut self, func: FuncId, addr: ExprId, vertex: Vertex) {
        match self.analyses().points_to().targets(func, addr) {
            Targets::Unknown => self.loads_anything(vertex),
            Targets::Known(list) => {
                for target in list {
                    let content = self.object(target.object);
                    self.depends(vertex, content);
                }
            }
        }
    }

    fn stores(&mut self, func: FuncId, addr: ExprId, vertex: Vertex) {
        match self.analyses().points_to().targets(func, addr) {
            Targets::Unknown => self.stores_anywhere(vertex),
            Targets::Known(list) => {
                for target in list {
                    let content = self.object(target.object);
                    self.depends(content, vertex);
                }
            }
        }
    }
}

/// The reads of one edge.
#[derive(Default)]
struct OfEdge {
    locals: Vec<(LocalVar, Vertex)>,
    globals: Vec<(GlobalVar, Vertex)>,
}
