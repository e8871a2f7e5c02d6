//! Edges one after the other that are made up: choices that come before a call.

use crate::check::{CheckId, CheckInfo, CheckKind};
use crate::expr::{ExprId, ExprKind};
use crate::input::{InputId, InputOrigin, InputSite};
use crate::make::Make;
use crate::program::{Edge, FunctionParts, HavocPlace, Loc, LocalVarInfo, Op, Program, VarRef};
use crate::ty::Ty;
use plumb_c::source::Span;
use plumb_c::types::{IntKind, TyId};

/// A function under construction to which edges are added. Its inputs and checks follow those of the program.
pub(super) struct Chain<'a> {
    pub program: &'a Program,
    pub parts: FunctionParts,
    /// Where the chain goes on.
    pub at: Loc,
    pub inputs: Vec<InputSite>,
    pub checks: Vec<CheckInfo>,
    /// What the edges are told as.
    span: Span,
}

impl<'a> Chain<'a> {
    pub(super) fn new(program: &'a Program, parts: FunctionParts, at: Loc, span: Span) -> Chain<'a> {
        Chain { program, parts, at, inputs: Vec::new(), checks: Vec::new(), span }
    }

    pub(super) fn make(&mut self) -> Make<'_> {
        Make { exprs: &mut self.parts.exprs, target: &self.program.target }
    }

    pub(super) fn step(&mut self, op: Op) {
        let to = Loc(self.parts.loc_count);
        self.parts.loc_count += 1;
        self.parts.edges.push(Edge { from: self.at, to, op, span: self.span });
        self.at = to;
    }

    pub(super) fn havoc(&mut self, to: HavocPlace, origin: InputOrigin, ty: Option<Ty>, cty: Option<TyId>) {
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

    pub(super) fn local(&mut self, ty: Ty) -> VarRef {
        VarRef::Local(self.parts.vars.push_and_get_key(LocalVarInfo {
            name: "%unit".into(),
            ty,
            cty: None,
            span: self.span,
        }))
    }

    /// An arbitrary value.
    pub(super) fn input(&mut self, origin: InputOrigin, ty: Ty, cty: Option<TyId>) -> ExprId {
        let var = self.local(ty);
        self.havoc(HavocPlace::Var(var), origin, Some(ty), cty);
        self.parts.exprs.push(ExprKind::Var(var), ty)
    }

    /// Nothing is known where the condition holds.
    pub(super) fn unsupported(&mut self, cond: ExprId, what: &str) {
        self.checks.push(CheckInfo {
            kind: CheckKind::Unsupported,
            message: what.into(),
            subject: None,
            of_inputs: false,
            span: self.span,
        });
        let check = CheckId((self.program.checks.len() + self.checks.len()) as u32 - 1);
        let cond = self.make().not(cond);
        self.step(Op::Check { cond, check });
    }
}
