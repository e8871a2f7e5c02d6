//! Missing functions that are declared `const`: equal arguments, equal results.
//!
//! Every call gets an arbitrary value, as any missing function's does, and a table keeps the arguments and values of the
//! first calls with different arguments. A run in which a call gets another value than an earlier one with the same
//! arguments is none of a program that keeps its promise: it is supposed away. A run whose calls have more different
//! arguments than the table holds is "not supported".
//!
//! Functions that take or return records, and all in programs with threads or interrupts, where the table would be an
//! object that several write, may return anything.

use super::function::Lowerer;
use super::types::{Class, Signature};
use crate::check::CheckKind;
use crate::expr::{BinOp, CastOp, ExprId, Sign};
use crate::program::{GlobalVar, GlobalVarInfo, LocalVar, Op, ScalarInit, VarRef};
use crate::ty::{Bits, Ty};
use plumb_c::hir;
use plumb_c::source::Span;

/// Different arguments that are told apart. Each costs a register for every parameter, and calls in loops soon have more
/// than any table.
const CALLS: usize = 8;

/// An earlier call: whether there was one, its arguments, and what it returned.
struct Call {
    is_set: GlobalVar,
    args: Vec<GlobalVar>,
    value: GlobalVar,
}

impl Lowerer<'_, '_> {
    /// Supposes that a value is the one that an earlier call with the same arguments returned, if there was one.
    pub(super) fn constant(
        &mut self,
        function: &hir::Function,
        signature: &Signature,
        params: &[LocalVar],
        value: ExprId,
    ) {
        let is_scalar = |cty| matches!(self.cx.class(cty), Class::Scalar(_));
        let has_scalars = signature.params.iter().all(|&cty| is_scalar(cty));
        let is_fixed = !signature.variadic && !self.cx.is_unprototyped(function.ty);
        if !has_scalars || !is_fixed || self.cx.is_concurrent {
            return;
        }
        let span = function.span;
        let args: Vec<ExprId> = params.iter().map(|&param| self.b.local(param)).collect();
        let args: Vec<ExprId> = args.into_iter().map(|arg| self.comparable(arg)).collect();
        let value = self.comparable(value);
        let value = self.b.reusable(value, span);
        let count = if args.is_empty() { 1 } else { CALLS };
        let table: Vec<Call> = (0..count).map(|i| self.call_of_table(i, &args, value, span)).collect();
        let mut is_known = self.b.bool(false);
        for call in &table {
            let is_same = self.has_arguments(call, &args, span);
            let old = self.b.var(VarRef::Global(call.value), self.b.ty(value));
            let differs = self.b.binary(BinOp::Ne, Sign::Plain, old, value);
            let breaks = self.b.and(is_same, differs);
            let cond = self.b.not(breaks);
            self.b.emit(Op::Assume { cond, branch: None }, span);
            let either = self.b.or(is_known, is_same);
            is_known = self.b.into_temp(either, span);
        }
        self.remember(&table, is_known, &args, value, span);
    }

    /// Takes the call into the first place that is free, if it is a new one.
    fn remember(&mut self, table: &[Call], is_known: ExprId, args: &[ExprId], value: ExprId, span: Span) {
        let is_new = self.b.not(is_known);
        let mut is_left = self.b.reusable(is_new, span);
        for call in table {
            let is_set = self.b.var(VarRef::Global(call.is_set), Ty::BOOL);
            let is_free = self.b.not(is_set);
            let takes = self.b.and(is_left, is_free);
            let takes = self.b.into_temp(takes, span);
            for (&var, &arg) in call.args.iter().chain([&call.value]).zip(args.iter().chain([&value])) {
                let old = self.b.var(VarRef::Global(var), self.b.ty(arg));
                let new = self.b.ite(takes, arg, old);
                self.b.assign(VarRef::Global(var), new, span);
            }
            let is_set = self.b.or(is_set, takes);
            self.b.assign(VarRef::Global(call.is_set), is_set, span);
            let rest = self.b.not(takes);
            let rest = self.b.and(is_left, rest);
            is_left = self.b.into_temp(rest, span);
        }
        let message =
            format!("calls of the const function {} with more than {} different arguments", self.name, table.len());
        let check = self.cx.add_check(CheckKind::Unsupported, message.into(), span);
        let cond = self.b.not(is_left);
        self.b.emit(Op::Check { cond, check }, span);
    }

    fn call_of_table(&mut self, i: usize, args: &[ExprId], value: ExprId, span: Span) -> Call {
        let mut register = |what: String, ty: Ty| {
            let name = format!("{}%{i}%{what}", self.name).into();
            let info = GlobalVarInfo { name, ty, cty: None, init: ScalarInit::Const(Bits::ZERO), span };
            self.cx.vars.push_and_get_key(info)
        };
        let is_set = register("called".to_string(), Ty::BOOL);
        let args = args.iter().enumerate().map(|(k, &arg)| register(format!("arg{k}"), self.b.ty(arg))).collect();
        Call { is_set, args, value: register("value".to_string(), self.b.ty(value)) }
    }

    /// Whether a call of the table was made with these arguments.
    fn has_arguments(&mut self, call: &Call, args: &[ExprId], span: Span) -> ExprId {
        let mut all = self.b.var(VarRef::Global(call.is_set), Ty::BOOL);
        for (&var, &arg) in call.args.iter().zip(args) {
            let old = self.b.var(VarRef::Global(var), self.b.ty(arg));
            let equal = self.b.binary(BinOp::Eq, Sign::Plain, old, arg);
            all = self.b.and(all, equal);
        }
        self.b.into_temp(all, span)
    }

    /// Floats are compared by their bits: zeros of different signs are different arguments, and what is not a number
    /// equals itself.
    fn comparable(&mut self, value: ExprId) -> ExprId {
        match self.b.ty(value) {
            Ty::Float(format) => {
                let bits = Ty::Float(format).bits(&self.cx.target);
                self.b.cast(CastOp::Reinterpret, value, Ty::Int(bits as u8))
            }
            Ty::Int(_) | Ty::Ptr => value,
        }
    }
}
