//! Building a function: a cursor that leaves edges behind it, and constructors of expressions that fold as they go.
//!
//! The constructors are total and never change what a check would see: an operation whose evaluation a property may
//! object to (a division by zero, a signed overflow, a shift too far) stays an operation, even on constants.
//!
//! Jumps are laid as edges that assume nothing. [`FunctionBuilder::finish`] contracts them, drops what cannot be reached
//! and renumbers the rest, so that callers may be generous with locations.

mod contract;
mod expr;

use crate::expr::{ExprId, ExprKind, Exprs};
use crate::index::TiVec;
use crate::program::{
    Branch, Edge, Function, FunctionParts, Lifetime, Loc, LocalObj, LocalObjInfo, LocalVar, LocalVarInfo, LoopKind,
    LoopStatement, Op, Place, VarRef,
};
use crate::ty::Ty;
use contract::Contraction;
use plumb_c::source::Span;
use plumb_c::target::Target;
use plumb_c::types::TyId;
use std::sync::Arc;

/// What is known of an expression from its making.
#[derive(Clone, Copy)]
struct Traits {
    /// No edge can change its value: made of constants, addresses and temporaries only.
    stable: bool,
    /// Reads memory or divides: evaluating it where C would not may fail.
    partial: bool,
}

pub struct FunctionBuilder {
    target: Target,
    exprs: Exprs,
    traits: TiVec<ExprId, Traits>,
    vars: TiVec<LocalVar, LocalVarInfo>,
    /// By register: it is a temporary, written once per evaluation.
    temporary: TiVec<LocalVar, bool>,
    objects: TiVec<LocalObj, LocalObjInfo>,
    edges: Vec<Edge>,
    loc_count: u32,
    entry: Loc,
    exit: Loc,
    here: Loc,
    labels: Vec<(Arc<str>, Loc)>,
    loops: Vec<LoopStatement>,
    /// Others may change global registers between any two edges.
    pub globals_are_shared: bool,
}

/// What a finished function is called and how it is called.
pub struct Header {
    pub name: Arc<str>,
    pub param_count: u32,
    pub ret: Option<Ty>,
    pub ret_cty: Option<TyId>,
    pub has_body: bool,
    pub is_library: bool,
    pub is_static: bool,
    pub wrapv: bool,
    pub span: Span,
}

impl FunctionBuilder {
    pub fn new(target: Target) -> FunctionBuilder {
        FunctionBuilder {
            target,
            exprs: Exprs::default(),
            traits: TiVec::new(),
            vars: TiVec::new(),
            temporary: TiVec::new(),
            objects: TiVec::new(),
            edges: Vec::new(),
            loc_count: 2,
            entry: Loc(0),
            exit: Loc(1),
            here: Loc(0),
            labels: Vec::new(),
            loops: Vec::new(),
            globals_are_shared: false,
        }
    }

    pub fn target(&self) -> &Target {
        &self.target
    }

    // Registers and objects.

    pub fn add_var(&mut self, info: LocalVarInfo) -> LocalVar {
        self.temporary.push(false);
        self.vars.push_and_get_key(info)
    }

    /// A new register that is written once before each use of it.
    pub fn temp(&mut self, ty: Ty, span: Span) -> LocalVar {
        let name = format!("%{}", self.vars.len()).into();
        let var = self.add_var(LocalVarInfo { name, ty, cty: None, lifetime: Lifetime::Expression, span });
        self.temporary[var] = true;
        var
    }

    pub fn set_lifetime(&mut self, var: LocalVar, lifetime: Lifetime) {
        self.vars[var].lifetime = lifetime;
    }

    pub fn add_object(&mut self, info: LocalObjInfo) -> LocalObj {
        self.objects.push_and_get_key(info)
    }

    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    // Locations and edges.

    pub fn new_loc(&mut self) -> Loc {
        self.loc_count += 1;
        Loc(self.loc_count - 1)
    }

    pub fn here(&self) -> Loc {
        self.here
    }

    pub fn exit(&self) -> Loc {
        self.exit
    }

    /// Moves the cursor.
    pub fn at(&mut self, loc: Loc) {
        self.here = loc;
    }

    pub fn edge(&mut self, from: Loc, to: Loc, op: Op, span: Span) {
        self.edges.push(Edge { from, to, op, span });
    }

    /// Lays an edge from the cursor to a new location and moves there.
    pub fn emit(&mut self, op: Op, span: Span) {
        let to = self.new_loc();
        self.edge(self.here, to, op, span);
        self.here = to;
    }

    /// Goes from the cursor to a location and leaves the cursor where nothing leads to.
    pub fn jump(&mut self, to: Loc, span: Span) {
        let cond = self.bool(true);
        self.edge(self.here, to, Op::Assume { cond, branch: None }, span);
        self.here = self.new_loc();
    }

    /// Whether the edges laid so far lead from the entry to the cursor.
    pub fn is_reached(&self) -> bool {
        let edges: Vec<(Loc, Loc)> = self.edges.iter().map(|e| (e.from, e.to)).collect();
        contract::reachable(&edges, self.loc_count as usize, self.entry)[self.here]
    }

    /// Ends the path at the cursor.
    pub fn stop(&mut self) {
        self.here = self.new_loc();
    }

    /// Goes on to a location, which becomes the cursor.
    pub fn continue_at(&mut self, loc: Loc, span: Span) {
        self.jump(loc, span);
        self.here = loc;
    }

    /// Leaves the cursor by two edges, and the cursor where nothing leads to. A constant condition is a jump.
    pub fn branch(&mut self, cond: ExprId, yes: (Loc, Branch), no: (Loc, Branch), span: Span) {
        match self.exprs.as_const(cond) {
            Some(bits) => self.jump(if bits.is_zero() { no.0 } else { yes.0 }, span),
            None => {
                let negated = self.not(cond);
                let from = self.here;
                self.edge(from, yes.0, Op::Assume { cond, branch: Some(yes.1) }, span);
                self.edge(from, no.0, Op::Assume { cond: negated, branch: Some(no.1) }, span);
                self.here = self.new_loc();
            }
        }
    }

    pub fn assign(&mut self, to: VarRef, value: ExprId, span: Span) {
        self.emit(Op::Assign { to: Place::Var(to), value }, span);
    }

    pub fn add_label(&mut self, name: Arc<str>, loc: Loc) {
        self.labels.push((name, loc));
    }

    pub fn add_loop(&mut self, kind: LoopKind, head: Loc, span: Span) {
        self.loops.push(LoopStatement { kind, head, span });
    }

    /// A value that later edges cannot change: itself if it is stable, or a temporary that holds it.
    pub fn save(&mut self, value: ExprId, span: Span) -> ExprId {
        if self.is_stable(value) {
            return value;
        }
        self.into_temp(value, span)
    }

    pub fn into_temp(&mut self, value: ExprId, span: Span) -> ExprId {
        let temp = self.temp(self.ty(value), span);
        self.assign(VarRef::Local(temp), value, span);
        self.local(temp)
    }

    /// A value that may be used several times without making expressions grow: a leaf.
    pub fn reusable(&mut self, value: ExprId, span: Span) -> ExprId {
        match self.exprs.kind(value) {
            ExprKind::Var(VarRef::Global(_)) if self.globals_are_shared => self.into_temp(value, span),
            ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::Addr(_) | ExprKind::FuncAddr(_) => value,
            _ => self.into_temp(value, span),
        }
    }

    /// The value, in a temporary if it is large: conditions that are laid one after the other for the parts of a long
    /// expression would otherwise repeat each part in all that follow.
    pub fn bounded(&mut self, value: ExprId, span: Span) -> ExprId {
        const LARGE: usize = 40;
        let mut parts = vec![value];
        let mut seen = 0;
        while let Some(part) = parts.pop() {
            seen += 1;
            if seen > LARGE {
                return self.into_temp(value, span);
            }
            parts.extend(self.exprs.kind(part).operands());
        }
        value
    }

    /// Contracts jumps, drops what the entry does not lead to, and numbers the remaining locations in order of making.
    pub fn finish(self, header: Header) -> Function {
        let count = self.loc_count as usize;
        let map = Contraction::new(&self.edges, &self.exprs, &self.labels, count);
        let reached = map.reachable(&self.edges, self.entry);
        let mut numbers: TiVec<Loc, Option<Loc>> = vec![None; count].into();
        let mut next = 0u32;
        let exit = map.target(self.exit);
        for (loc, number) in numbers.iter_mut_enumerated() {
            if map.target(loc) == loc && (reached[loc] || loc == exit) {
                *number = Some(Loc(next));
                next += 1;
            }
        }
        let number = |loc: Loc| numbers[map.target(loc)];
        let edges = self.edges.into_iter().zip(&map.contracted).filter(|(_, contracted)| !**contracted);
        let edges = edges
            .filter(|(e, _)| reached[map.target(e.from)])
            .filter_map(|(e, _)| Some(Edge { from: number(e.from)?, to: number(e.to)?, ..e }))
            .collect();
        let frame_bytes = self.objects.iter().fold(0u64, |sum, o| sum.saturating_add(o.size));
        Function::new(FunctionParts {
            name: header.name,
            param_count: header.param_count,
            ret: header.ret,
            ret_cty: header.ret_cty,
            vars: self.vars,
            frame_bytes,
            objects: self.objects,
            exprs: self.exprs,
            edges,
            loc_count: next,
            entry: number(self.entry).unwrap_or(Loc(0)),
            exit: number(self.exit).unwrap_or(Loc(0)),
            labels: self.labels.iter().filter_map(|(n, l)| Some((n.clone(), number(*l)?))).collect(),
            loops: self.loops.iter().filter_map(|l| Some(LoopStatement { head: number(l.head)?, ..*l })).collect(),
            has_body: header.has_body,
            is_library: header.is_library,
            is_static: header.is_static,
            wrapv: header.wrapv,
            span: header.span,
        })
    }
}
