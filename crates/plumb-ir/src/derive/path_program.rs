//! The program of one path (Beyer, Henzinger, Majumdar, Rybalchenko: "Path Invariants", 2007, without its loops): the
//! edges of the path in their order, and nothing else.
//!
//! Every activation on the path becomes a function of its own, a chain of the edges that the path takes in it, so
//! that locals, their lifetimes and the nesting of calls stay what they were. A branch becomes an assumption; an
//! indirect call becomes a call of the function that the path goes on in, behind the assumption that the pointer is
//! its address. A call that the path steps over runs the original function as a whole. Behind the last edge the run
//! stops.
//!
//! **Runs.** A run of the derived program is a run of the original along the path: edges do the same to the same
//! state, and each assumption is the branch that the original takes then. The original's runs along the path are all
//! there; the others are not: [`Runs::Fewer`]. The functions that the copies come from stay where they are, so that
//! their addresses are the same.

use super::{Derived, FunctionProvenance, Made, Origin, Provenance, Runs, assemble};
use crate::expr::{ExprId, ExprKind};
use crate::index::TiVec;
use crate::make::Make;
use crate::program::{Callee, Edge, EdgeId, FuncId, FunctionParts, Loc, Op, Program};
use crate::ty::Ty;
use std::sync::Arc;

/// One activation of the path, as far as it has been followed.
struct Activation {
    /// The function of the original.
    func: FuncId,
    /// The copy's number in the derived program.
    copy: FuncId,
    parts: FunctionParts,
    edges: Vec<(Edge, Origin<(FuncId, EdgeId)>)>,
    locations: TiVec<Loc, Origin<(FuncId, Loc)>>,
    /// Where the original is, and where the copy is.
    at: Loc,
    copy_at: Loc,
}

/// The program of a path from the start of the program: the edges in the order in which a run takes them. A call that
/// is followed is in the list before the edges of what it calls; one that is stepped over is followed by the edge
/// behind it, or is the last of the list. The answer for what is no such list is what is wrong with it.
pub fn path_program(program: &Program, path: &[(FuncId, EdgeId)]) -> Result<Derived, String> {
    let mut builder = Builder { program, derived: program.clone(), provenance: Provenance::identity(program) };
    builder.provenance.runs = Runs::Fewer;
    let first = builder.activation(program.start);
    builder.derived.start = first.copy;
    let mut stack = vec![first];
    for (i, &(func, id)) in path.iter().enumerate() {
        let Some(top) = stack.last_mut() else { return Err("the path goes on behind its end".to_string()) };
        let edge = program.function(func).edges.get(id).filter(|e| func == top.func && e.from == top.at);
        let Some(edge) = edge else {
            return Err(format!("edge {i} of the path does not follow the one before it"));
        };
        match followed(program, func, edge, path.get(i + 1).copied()) {
            Some(callee) => {
                let inner = builder.activation(callee);
                top.call(edge, id, callee, inner.copy, program);
                stack.push(inner);
            }
            None => {
                top.step(edge, id);
                if matches!(edge.op, Op::Return(_)) {
                    stack.pop().into_iter().for_each(|activation| builder.finish(activation));
                }
            }
        }
    }
    while let Some(open) = stack.pop() {
        builder.finish(open);
    }
    match crate::verify::verify(&builder.derived).into_iter().next() {
        None => Ok(Derived { program: builder.derived, provenance: builder.provenance }),
        Some(broken) => Err(broken),
    }
}

/// The function that the path enters by an edge of a caller; `None` if it steps over a call, or if the edge is none.
fn followed(program: &Program, caller: FuncId, edge: &Edge, next: Option<(FuncId, EdgeId)>) -> Option<FuncId> {
    let Op::Call { callee, .. } = &edge.op else { return None };
    let (func, id) = next?;
    let next = program.function(func).edges.get(id)?;
    // A function that calls itself where the entry is the location behind the call: taken as stepped over.
    let steps_over = func == caller && next.from == edge.to;
    let enters = next.from == program.function(func).entry && !steps_over;
    match callee {
        Callee::Direct(callee) => (enters && *callee == func).then_some(func),
        Callee::Indirect(_) => enters.then_some(func),
        Callee::Intrinsic(_) => None,
    }
}

struct Builder<'a> {
    program: &'a Program,
    derived: Program,
    provenance: Provenance,
}

impl Builder<'_> {
    /// A copy of the function without edges. Its place in the derived program is taken at once.
    fn activation(&mut self, func: FuncId) -> Activation {
        let function = self.program.function(func);
        let copy = self.derived.functions.push_and_get_key(self.program.functions[func].clone());
        self.provenance.functions.push(self.provenance.functions[func].clone());
        let parts = FunctionParts {
            edges: TiVec::new(),
            loc_count: 2,
            entry: Loc(0),
            exit: Loc(1),
            labels: Vec::new(),
            loops: Vec::new(),
            ..function.clone().into_parts()
        };
        let locations = vec![Origin::Original((func, function.entry)), Origin::Original((func, function.exit))];
        Activation {
            func,
            copy,
            parts,
            edges: Vec::new(),
            locations: locations.into(),
            at: function.entry,
            copy_at: Loc(0),
        }
    }

    fn finish(&mut self, activation: Activation) {
        let Activation { func, copy, parts, edges, locations, .. } = activation;
        let (function, edges) = assemble(parts, edges);
        self.derived.functions[copy] = Arc::new(function);
        self.provenance.functions[copy] = FunctionProvenance { function: Origin::Original(func), locations, edges };
    }
}

impl Activation {
    /// Appends an edge of the original.
    fn step(&mut self, edge: &Edge, id: EdgeId) {
        self.append(edge, edge.op.clone(), Origin::Original((self.func, id)));
    }

    /// Appends a call of the copy of what the path goes on in.
    fn call(&mut self, edge: &Edge, id: EdgeId, callee: FuncId, copy: FuncId, program: &Program) {
        let Op::Call { to, callee: called, args } = &edge.op else { return self.step(edge, id) };
        if let Callee::Indirect(pointer) = *called {
            let address = self.parts.exprs.push(ExprKind::FuncAddr(callee), Ty::Ptr);
            let mut make = Make { exprs: &mut self.parts.exprs, target: &program.target };
            let cond = make.eq(pointer, address);
            let next = self.location(edge.from);
            let assume = Op::Assume { cond, branch: None };
            let made = Edge { from: self.copy_at, to: next, op: assume, span: edge.span };
            self.edges.push((made, Origin::Made(Made::CallTarget)));
            self.copy_at = next;
        }
        let op = Op::Call { to: *to, callee: Callee::Direct(copy), args: self.taken(callee, args, program) };
        self.append(edge, op, Origin::Original((self.func, id)));
    }

    /// The arguments that the function takes.
    fn taken(&self, callee: FuncId, args: &[ExprId], program: &Program) -> Vec<ExprId> {
        args.iter().copied().take(program.function(callee).param_count as usize).collect()
    }

    fn append(&mut self, edge: &Edge, op: Op, origin: Origin<(FuncId, EdgeId)>) {
        let to = match op {
            Op::Return(_) => self.parts.exit,
            Op::Assign { .. } | Op::Assume { .. } | Op::Havoc { .. } | Op::Call { .. } | Op::Check { .. } => {
                self.location(edge.to)
            }
        };
        self.edges.push((Edge { from: self.copy_at, to, op, span: edge.span }, origin));
        self.at = edge.to;
        self.copy_at = to;
    }

    fn location(&mut self, original: Loc) -> Loc {
        self.parts.loc_count += 1;
        self.locations.push(Origin::Original((self.func, original)));
        Loc(self.parts.loc_count - 1)
    }
}
