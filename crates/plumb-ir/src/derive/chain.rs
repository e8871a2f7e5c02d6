//! Edges one after the other that are made up: choices that come before a call, and bodies without branches.

use super::replace_body::{Body, WrittenPlaces};
use crate::check::{CheckId, CheckInfo, CheckKind};
use crate::expr::{ExprId, ExprKind};
use crate::input::{InputId, InputOrigin, InputSite};
use crate::make::Make;
use crate::program::{
    Edge, Extent, Function, FunctionParts, HavocPlace, Lifetime, Loc, LocalVarInfo, ObjRef, Op, Place, Program, VarRef,
};
use crate::ty::{Bits, Ty};
use plumb_c::source::Span;
use plumb_c::types::{IntKind, TyId};

/// A function under construction to which edges are added. Its inputs and checks follow those of the program.
pub struct Chain<'a> {
    pub program: &'a Program,
    pub parts: FunctionParts,
    /// Where the chain goes on.
    pub at: Loc,
    pub inputs: Vec<InputSite>,
    pub checks: Vec<CheckInfo>,
    /// What the edges are reported as.
    span: Span,
}

impl<'a> Chain<'a> {
    pub fn new(program: &'a Program, parts: FunctionParts, at: Loc, span: Span) -> Chain<'a> {
        Chain { program, parts, at, inputs: Vec::new(), checks: Vec::new(), span }
    }

    pub fn make(&mut self) -> Make<'_> {
        Make { exprs: &mut self.parts.exprs, target: &self.program.target }
    }

    pub fn step(&mut self, op: Op) {
        let to = Loc(self.parts.loc_count);
        self.parts.loc_count += 1;
        self.parts.edges.push(Edge { from: self.at, to, op, span: self.span });
        self.at = to;
    }

    /// The edge that ends the chain.
    pub fn last_step(&mut self, op: Op, to: Loc) {
        self.parts.edges.push(Edge { from: self.at, to, op, span: self.span });
        self.at = to;
    }

    pub fn havoc(&mut self, to: HavocPlace, origin: InputOrigin, ty: Option<Ty>, cty: Option<TyId>) {
        let kind = cty.and_then(|cty| self.program.types.table.int_kind(cty));
        self.inputs.push(InputSite {
            origin,
            ty,
            cty,
            part: None,
            is_signed: kind.is_some_and(|k| k.is_signed(&self.program.target)),
            is_bool: kind == Some(IntKind::Bool),
            span: self.span,
        });
        let input = InputId((self.program.inputs.len() + self.inputs.len()) as u32 - 1);
        self.step(Op::Havoc { to, input });
    }

    pub fn local(&mut self, ty: Ty) -> VarRef {
        VarRef::Local(self.parts.vars.push_and_get_key(LocalVarInfo {
            name: "%unit".into(),
            ty,
            cty: None,
            lifetime: Lifetime::Expression,
            span: self.span,
        }))
    }

    /// An arbitrary value.
    pub fn input(&mut self, origin: InputOrigin, ty: Ty, cty: Option<TyId>) -> ExprId {
        let var = self.local(ty);
        self.havoc(HavocPlace::Var(var), origin, Some(ty), cty);
        self.parts.exprs.push(ExprKind::Var(var), ty)
    }

    /// A register of the function that keeps a value.
    pub fn save(&mut self, value: ExprId) -> VarRef {
        let var = self.local(self.parts.exprs.ty(value));
        self.step(Op::Assign { to: Place::Var(var), value });
        var
    }

    /// Arbitrary values in places that a function may write, whose body the chain is: whatever their types, any pattern.
    pub fn havoc_places(&mut self, places: &WrittenPlaces, origin: &InputOrigin) {
        for &var in &places.registers {
            let ty = self.program.var(var).ty;
            self.havoc(HavocPlace::Var(VarRef::Global(var)), origin.clone(), Some(ty), None);
        }
        for &object in &places.objects {
            let info = self.program.object(object);
            let addr = self.parts.exprs.push(ExprKind::Addr(ObjRef::Global(object)), Ty::Ptr);
            let size = self.make().size(info.size);
            self.havoc(HavocPlace::Region { addr, size }, origin.clone(), None, None);
        }
        for &parameter in &places.pointees {
            let addr = self.parts.exprs.push(ExprKind::Var(VarRef::Local(parameter)), Ty::Ptr);
            // A pointer that has left its object may be moved back into it.
            let null = self.make().constant(Bits::ZERO, Ty::Ptr);
            let lives = self.parts.exprs.push(ExprKind::IsLive(addr), Ty::BOOL);
            let mut make = self.make();
            let (is_null, is_lost) = (make.eq(addr, null), make.not(lives));
            let is_no_null = make.not(is_null);
            let is_lost = make.and(is_no_null, is_lost);
            self.unsupported(is_lost, "a contract of a function that writes through a pointer outside of its object");
            let objects = HavocPlace::Objects { addr, extent: Extent::Object };
            self.havoc(objects, origin.clone(), None, None);
        }
    }

    /// A check of the condition.
    pub fn check(&mut self, cond: ExprId, kind: CheckKind, message: &str) -> CheckId {
        let info = CheckInfo { kind, message: message.into(), subject: None, of_inputs: false, span: self.span };
        self.checks.push(info);
        let check = CheckId((self.program.checks.len() + self.checks.len()) as u32 - 1);
        self.step(Op::Check { cond, check });
        check
    }

    /// The chain as the body of a function.
    pub fn into_body(self) -> Body {
        Body { function: Function::new(self.parts), inputs: self.inputs, checks: self.checks }
    }

    /// Nothing is known where the condition holds.
    pub fn unsupported(&mut self, cond: ExprId, what: &str) {
        let cond = self.make().not(cond);
        self.check(cond, CheckKind::Unsupported, what);
    }
}
