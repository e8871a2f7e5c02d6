//! Hand-built programs for unit tests.

use crate::expr::{BinOp, ExprId, ExprKind, Sign};
use crate::input::{InputId, InputOrigin, InputSite};
use crate::make::Make;
use crate::program::{
    CTypes, Callee, Edge, FuncId, Function, FunctionParts, GlobalObjInfo, GlobalVarInfo, Intrinsic, Lifetime, Loc,
    LocalObjInfo, LocalVarInfo, ObjRef, Op, Place, Program, ScalarInit, VarRef,
};
use crate::ty::{Bits, Ty};
use plumb_c::source::{SourceMap, Span};
use plumb_c::target::Target;
use plumb_c::types::TypeTable;
use std::sync::Arc;

pub const TARGET: Target = Target::LP64;
pub const I32: Ty = Ty::Int(32);

/// Any graph as a function: edges without meaning.
pub fn graph(locs: u32, edges: &[(u32, u32)]) -> Function {
    let mut body = Body::new("f", &[("x", I32)], None);
    body.parts.loc_count = locs;
    let cond = body.make().bool(true);
    for &(a, b) in edges {
        body.edge(Loc(a), Loc(b), Op::Assume { cond, branch: None });
    }
    body.finish()
}

/// The same numbers below a limit on every run.
pub fn numbers(mut state: u64) -> impl FnMut(u32) -> u32 {
    move |limit| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32 % limit
    }
}

/// A function being written, edge after edge.
pub struct Body {
    pub parts: FunctionParts,
}

impl Body {
    /// Location 0 is the entry, location 1 the exit.
    pub fn new(name: &str, params: &[(&str, Ty)], ret: Option<Ty>) -> Body {
        let param_count = params.len() as u32;
        let mut body = Body { parts: FunctionParts { param_count, ret, ..FunctionParts::empty(name.into()) } };
        for (name, ty) in params {
            body.var(name, *ty);
        }
        body
    }

    pub fn var(&mut self, name: &str, ty: Ty) -> VarRef {
        VarRef::Local(self.parts.vars.push_and_get_key(LocalVarInfo {
            name: name.into(),
            ty,
            cty: None,
            lifetime: Lifetime::Activation,
            span: Span::NONE,
        }))
    }

    pub fn object(&mut self, name: &str, size: u64) -> ObjRef {
        ObjRef::Local(self.parts.objects.push_and_get_key(LocalObjInfo {
            name: name.into(),
            size,
            align: 8,
            cty: None,
            lifetime: Lifetime::Activation,
            span: Span::NONE,
        }))
    }

    pub fn make(&mut self) -> Make<'_> {
        Make { exprs: &mut self.parts.exprs, target: &TARGET }
    }

    pub fn push(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        self.parts.exprs.push(kind, ty)
    }

    pub fn get(&mut self, var: VarRef) -> ExprId {
        let ty = match var {
            VarRef::Local(v) => self.parts.vars[v].ty,
            VarRef::Global(_) => I32,
        };
        self.push(ExprKind::Var(var), ty)
    }

    pub fn int(&mut self, value: i128) -> ExprId {
        self.make().int(value, 32)
    }

    pub fn addr(&mut self, object: ObjRef, offset: u64) -> ExprId {
        let base = self.push(ExprKind::Addr(object), Ty::Ptr);
        self.make().field(base, offset)
    }

    pub fn load(&mut self, addr: ExprId, ty: Ty) -> ExprId {
        self.push(ExprKind::Load(addr), ty)
    }

    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = if op.is_comparison() { Ty::BOOL } else { self.parts.exprs.ty(a) };
        self.push(ExprKind::Binary(op, Sign::Signed, a, b), ty)
    }

    pub fn loc(&mut self) -> Loc {
        self.parts.loc_count += 1;
        Loc(self.parts.loc_count - 1)
    }

    pub fn edge(&mut self, from: Loc, to: Loc, op: Op) {
        self.parts.edges.push(Edge { from, to, op, span: Span::NONE });
    }

    /// An edge to a new location, which is returned.
    pub fn step(&mut self, from: Loc, op: Op) -> Loc {
        let to = self.loc();
        self.edge(from, to, op);
        to
    }

    pub fn assign(&mut self, from: Loc, var: VarRef, value: ExprId) -> Loc {
        self.step(from, Op::Assign { to: Place::Var(var), value })
    }

    pub fn store(&mut self, from: Loc, addr: ExprId, value: ExprId) -> Loc {
        self.step(from, Op::Assign { to: Place::Mem(addr), value })
    }

    pub fn intrinsic(&mut self, from: Loc, to: Option<VarRef>, intrinsic: Intrinsic, args: Vec<ExprId>) -> Loc {
        self.step(from, Op::Call { to, callee: Callee::Intrinsic(intrinsic), args })
    }

    pub fn call(&mut self, from: Loc, to: Option<VarRef>, callee: FuncId, args: Vec<ExprId>) -> Loc {
        self.step(from, Op::Call { to, callee: Callee::Direct(callee), args })
    }

    /// Branches on a condition to the two locations.
    pub fn branch(&mut self, from: Loc, cond: ExprId, yes: Loc, no: Loc) {
        let negated = self.make().not(cond);
        self.edge(from, yes, Op::Assume { cond, branch: None });
        self.edge(from, no, Op::Assume { cond: negated, branch: None });
    }

    pub fn ret(&mut self, from: Loc, value: Option<ExprId>) {
        self.edge(from, Loc(1), Op::Return(value));
    }

    pub fn finish(self) -> Function {
        Function::new(self.parts)
    }
}

/// A program of functions, the first of which starts it.
pub fn program(functions: Vec<Function>) -> Program {
    Program {
        target: TARGET,
        sources: Arc::new(SourceMap::new()),
        types: Arc::new(CTypes { table: TypeTable::new(TARGET), names: Default::default() }),
        functions: functions.into_iter().map(Arc::new).collect(),
        vars: Arc::new(Default::default()),
        objects: Arc::new(Default::default()),
        inputs: Arc::new(Default::default()),
        checks: Arc::new(Default::default()),
        start: FuncId(0),
        entry: None,
        assumptions: Arc::new(Vec::new()),
        full_expressions: Arc::default(),
        divisions: Arc::default(),
        mentioned: Arc::default(),
        claims: Arc::default(),
        store_reads: Arc::default(),
        devices: Arc::default(),
    }
}

pub fn add_input(program: &mut Program, ty: Ty) -> InputId {
    let inputs = Arc::make_mut(&mut program.inputs);
    let origin = InputOrigin::Nondet("nondet".into());
    inputs.push_and_get_key(InputSite {
        origin,
        ty: Some(ty),
        cty: None,
        part: None,
        is_signed: true,
        is_bool: false,
        span: Span::NONE,
    })
}

pub fn add_global(program: &mut Program, name: &str, ty: Ty) -> VarRef {
    let vars = Arc::make_mut(&mut program.vars);
    let init = ScalarInit::Const(Bits::ZERO);
    VarRef::Global(vars.push_and_get_key(GlobalVarInfo { name: name.into(), ty, cty: None, init, span: Span::NONE }))
}

pub fn add_object(program: &mut Program, name: &str, size: u64) -> ObjRef {
    let objects = Arc::make_mut(&mut program.objects);
    ObjRef::Global(objects.push_and_get_key(GlobalObjInfo {
        name: name.into(),
        size,
        align: 8,
        cty: None,
        init: Vec::new(),
        read_only: false,
        is_volatile: false,
        is_foreign: false,
        span: Span::NONE,
    }))
}
