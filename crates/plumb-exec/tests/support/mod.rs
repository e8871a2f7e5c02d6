//! Small programs written by hand, and a generator of random numbers.
#![allow(dead_code)]

use plumb_c::names::Names;
use plumb_c::source::{SourceMap, Span};
use plumb_c::target::Target;
use plumb_c::types::TypeTable;
use plumb_exec::{CompileOptions, Image, Limits, Machine, Outcome, ZeroInputs};
use plumb_ir::check::{CheckId, CheckInfo, CheckKind};
use plumb_ir::expr::{BinOp, CastOp, ExprId, ExprKind, Exprs, Sign, UnOp};
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::program::*;
use plumb_ir::ty::{Bits, Ty};
use std::sync::Arc;

pub const I32: Ty = Ty::Int(32);
pub const I64: Ty = Ty::Int(64);

/// A function being written: edges are appended at the current location.
pub struct Body {
    pub parts: FunctionParts,
    pub at: Loc,
}

impl Body {
    pub fn new(name: &str, params: &[Ty], ret: Option<Ty>) -> Body {
        let parts = FunctionParts {
            name: name.into(),
            param_count: params.len() as u32,
            ret,
            ret_cty: None,
            vars: Default::default(),
            frame_bytes: 0,
            objects: Default::default(),
            exprs: Exprs::default(),
            edges: Default::default(),
            loc_count: 2,
            entry: Loc(0),
            exit: Loc(1),
            labels: Vec::new(),
            loops: Vec::new(),
            has_body: true,
            is_library: false,
            is_static: false,
            wrapv: false,
            span: Span::NONE,
        };
        let mut body = Body { parts, at: Loc(0) };
        params.iter().for_each(|ty| {
            body.var(*ty);
        });
        body
    }

    pub fn var(&mut self, ty: Ty) -> VarRef {
        self.parts.vars.push(LocalVarInfo {
            name: "v".into(),
            ty,
            cty: None,
            lifetime: Lifetime::Activation,
            span: Span::NONE,
        });
        VarRef::Local(LocalVar(self.parts.vars.len() as u32 - 1))
    }

    pub fn object(&mut self, size: u64, align: u64) -> ObjRef {
        self.parts.objects.push(LocalObjInfo {
            name: "o".into(),
            size,
            align,
            cty: None,
            lifetime: Lifetime::Activation,
            span: Span::NONE,
        });
        ObjRef::Local(LocalObj(self.parts.objects.len() as u32 - 1))
    }

    pub fn push(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        self.parts.exprs.push(kind, ty)
    }

    pub fn int(&mut self, value: i128, bits: u8) -> ExprId {
        self.push(ExprKind::Const(Bits::new(value as u128, bits as u32)), Ty::Int(bits))
    }

    pub fn get(&mut self, var: VarRef, ty: Ty) -> ExprId {
        self.push(ExprKind::Var(var), ty)
    }

    pub fn param(&mut self, index: u32) -> ExprId {
        let ty = self.parts.vars[LocalVar(index)].ty;
        self.get(VarRef::Local(LocalVar(index)), ty)
    }

    pub fn addr(&mut self, object: ObjRef) -> ExprId {
        self.push(ExprKind::Addr(object), Ty::Ptr)
    }

    pub fn load(&mut self, addr: ExprId, ty: Ty) -> ExprId {
        self.push(ExprKind::Load(addr), ty)
    }

    pub fn binary(&mut self, op: BinOp, sign: Sign, a: ExprId, b: ExprId) -> ExprId {
        let ty = if op.is_comparison() { Ty::BOOL } else { self.parts.exprs.ty(a) };
        self.push(ExprKind::Binary(op, sign, a, b), ty)
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.push(ExprKind::Unary(UnOp::Not, Sign::Plain, a), Ty::BOOL)
    }

    pub fn cast(&mut self, from: Sign, a: ExprId, bits: u8) -> ExprId {
        self.push(ExprKind::Cast(CastOp::Int { from, to: from, implicit: false }, a), Ty::Int(bits))
    }

    pub fn loc(&mut self) -> Loc {
        self.parts.loc_count += 1;
        Loc(self.parts.loc_count - 1)
    }

    pub fn edge(&mut self, from: Loc, to: Loc, op: Op) {
        self.parts.edges.push(Edge { from, to, op, span: Span::NONE });
    }

    pub fn step(&mut self, op: Op) {
        let to = self.loc();
        self.edge(self.at, to, op);
        self.at = to;
    }

    pub fn assign(&mut self, var: VarRef, value: ExprId) {
        self.step(Op::Assign { to: Place::Var(var), value });
    }

    pub fn store(&mut self, addr: ExprId, value: ExprId) {
        self.step(Op::Assign { to: Place::Mem(addr), value });
    }

    pub fn call(&mut self, to: Option<VarRef>, callee: Callee, args: Vec<ExprId>) {
        self.step(Op::Call { to, callee, args });
    }

    /// Branches from the current location.
    pub fn branch(&mut self, cond: ExprId, yes: Loc, no: Loc) {
        let negated = self.not(cond);
        self.edge(self.at, yes, Op::Assume { cond, branch: None });
        self.edge(self.at, no, Op::Assume { cond: negated, branch: None });
    }

    pub fn goto(&mut self, to: Loc) {
        let yes = self.push(ExprKind::Const(Bits::ONE), Ty::BOOL);
        self.edge(self.at, to, Op::Assume { cond: yes, branch: None });
    }

    pub fn ret(&mut self, value: Option<ExprId>) {
        self.edge(self.at, Loc(1), Op::Return(value));
    }

    pub fn finish(self) -> Function {
        Function::new(self.parts)
    }
}

/// A program of functions, the first being where it starts.
pub fn program(target: Target, functions: Vec<Function>) -> Program {
    Program {
        target,
        sources: Arc::new(SourceMap::new()),
        types: Arc::new(CTypes { table: TypeTable::new(target), names: Names::new() }),
        functions: functions.into_iter().map(Arc::new).collect(),
        vars: Arc::default(),
        objects: Arc::default(),
        inputs: Arc::default(),
        checks: Arc::default(),
        start: FuncId(0),
        entry: None,
        assumptions: Arc::default(),
        divisions: Default::default(),
        full_expressions: Arc::default(),
        mentioned: Arc::default(),
        claims: Arc::default(),
        store_reads: Arc::default(),
        devices: Arc::default(),
    }
}

pub fn static_object(size: u64, align: u64, read_only: bool, init: Vec<Datum>) -> GlobalObjInfo {
    GlobalObjInfo {
        name: "s".into(),
        size,
        align,
        cty: None,
        init,
        read_only,
        is_volatile: false,
        is_foreign: false,
        span: Span::NONE,
    }
}

pub fn input(ty: Option<Ty>) -> InputSite {
    InputSite {
        origin: InputOrigin::Nondet("nondet".into()),
        ty,
        cty: None,
        part: None,
        is_signed: true,
        is_bool: false,
        span: Span::NONE,
    }
}

pub fn check(kind: CheckKind) -> CheckInfo {
    CheckInfo { kind, message: "message".into(), subject: None, of_inputs: false, span: Span::NONE }
}

pub const CHECK: CheckId = CheckId(0);
pub const INPUT: InputId = InputId(0);

pub fn image(program: &Program) -> Arc<Image> {
    Arc::new(Image::compile(program, &CompileOptions::default()).unwrap())
}

pub fn machine(program: &Program) -> Machine {
    Machine::new(image(program))
}

pub fn run(program: &Program) -> Outcome {
    machine(program).run(&mut ZeroInputs, Limits::steps(100_000_000))
}

/// The value that a call of the first function returns.
pub fn result(program: &Program, args: &[Bits]) -> Outcome {
    Machine::at_function(image(program), FuncId(0), args).run(&mut ZeroInputs, Limits::steps(100_000_000))
}
