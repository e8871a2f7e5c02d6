//! Calls.
//!
//! Arguments are evaluated from right to left, as gcc does on x86. A record argument is passed as the address of the
//! caller's value: the callee copies it before it does anything else.

use super::function::Lowerer;
use super::special::{self, Special};
use super::types::{Class, Signature};
use crate::expr::ExprId;
use crate::input::InputOrigin;
use crate::program::{Callee, Op, VarRef};
use crate::property::is_assertion_name;
use crate::ty::Ty;
use plumb_c::diag::Diagnostic;
use plumb_c::hir;
use plumb_c::source::Span;
use plumb_c::types::TyId;
use std::sync::Arc;

/// An argument: its value, or the address of a record, and its C type.
#[derive(Clone, Copy)]
pub(super) struct Arg {
    pub(super) value: ExprId,
    pub(super) cty: TyId,
}

/// A register that the caller would like the result in.
pub(super) type Wish = Option<(VarRef, Ty)>;

impl<'a> Lowerer<'_, 'a> {
    /// Calls and returns the result (a scalar, or the address of a record), if there is one.
    pub(super) fn call(
        &mut self,
        callee: &'a hir::Callee,
        args: &'a [hir::Expr],
        result: TyId,
        wish: Wish,
        span: Span,
    ) -> Option<ExprId> {
        match callee {
            hir::Callee::Direct(id) => {
                self.refuse_effects(*id, args, span);
                let values = self.arguments(args);
                self.change_addressed(*id, args, &values, span);
                self.call_evaluated(*id, values, result, wish, span)
            }
            hir::Callee::Pointer(pointer) => {
                let mut address = self.value(pointer);
                if args.iter().any(|a| self.facts.has_effect(a)) {
                    address = self.b.save(address, pointer.span);
                }
                let args = self.arguments(args);
                self.require_prototype(address, &args, span);
                let mut signature = self.cx.pointer_signature(pointer.ty.ty);
                if self.cx.is_unprototyped(pointer.ty.ty) {
                    signature.params = args.iter().map(|a| a.cty).collect();
                }
                self.call_pointer(address, &signature, args, result, wish, span)
            }
        }
    }

    /// A claim about the program must not change it.
    fn refuse_effects(&mut self, id: hir::FuncId, args: &[hir::Expr], span: Span) {
        let function = self.cx.hir.function(id);
        let meaning = special::find(self.cx.hir.names.text(function.name)).filter(|_| function.body.is_none());
        if meaning == Some(Special::Invariant) && args.iter().any(|a| self.facts.has_effect(a)) {
            let refusal = Diagnostic::error(span, "an invariant has a side effect");
            self.cx.diags.push(refusal.help("take out assignments and calls"));
        }
    }

    /// Calls a named function, its arguments being there.
    pub(super) fn call_evaluated(
        &mut self,
        id: hir::FuncId,
        args: Vec<Arg>,
        result: TyId,
        wish: Wish,
        span: Span,
    ) -> Option<ExprId> {
        if let Some(address) = self.weak_address(id) {
            let signature = self.cx.signature(id);
            self.change_unprototyped(id, &args, span);
            return self.emit_call(Callee::Indirect(address), &signature, args, None, result, wish, span);
        }
        self.call_function(id, args, None, result, wish, span)
    }

    /// Evaluates arguments, the last one first.
    pub(super) fn arguments(&mut self, args: &'a [hir::Expr]) -> Vec<Arg> {
        let effects: Vec<bool> = args.iter().map(|a| self.facts.has_effect(a)).collect();
        let first_effect = effects.iter().position(|&e| e).unwrap_or(args.len());
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate().rev() {
            let mut value = self.value(arg);
            if first_effect < i {
                value = self.keep_argument(value, arg);
            }
            values.push(Arg { value, cty: arg.ty.ty });
        }
        values.reverse();
        values
    }

    /// An argument that effects of others come after.
    fn keep_argument(&mut self, value: ExprId, arg: &hir::Expr) -> ExprId {
        if !self.cx.is_record(arg.ty.ty) {
            return self.b.save(value, arg.span);
        }
        let copy = self.record_object("arg", arg.ty.ty, arg.span);
        self.copy_record_anew(copy, value, arg.ty.ty, arg.span);
        copy
    }

    /// A call of a named function: the program's own, what the name means to Plumb, its model, or the unknown.
    /// `forwarded` are variadic arguments that have been laid out already.
    pub(super) fn call_function(
        &mut self,
        id: hir::FuncId,
        args: Vec<Arg>,
        forwarded: Option<ExprId>,
        result: TyId,
        wish: Wish,
        span: Span,
    ) -> Option<ExprId> {
        let mut target = self.cx.hir.symbol(id);
        let function = self.cx.hir.function(target);
        let masking = self.masking_function(target);
        // What one that takes or gives values does to the mask is in its body (`external`).
        let is_plain = args.is_empty() && matches!(self.cx.class(result), Class::Void);
        if let Some(masking) = masking.filter(|_| function.body.is_none() && is_plain) {
            self.lay_masking(masking, span);
            return None;
        }
        if target != id && !self.same_machine_types(id, target) {
            self.unsupported("a call whose declaration and definition disagree about the function's type", span);
            return None;
        }
        if function.body.is_none() {
            let name = self.cx.hir.names.text(function.name);
            let meaning = special::find(name);
            if let Some(claim) = args.first()
                && (meaning == Some(Special::Assume) || is_assertion_name(name))
                && !self.id.is_some_and(|id| self.cx.hir.function(id).is_library)
            {
                self.cx.claims.entry(self.cx.hir.names.shared(function.name)).or_default().insert(claim.cty);
            }
            // The models count sections.
            let is_counted = meaning == Some(Special::AtomicSection) && self.cx.is_concurrent;
            if let Some(meaning) = meaning.filter(|_| !is_counted) {
                let declared = self.cx.pointer_signature(function.ty).ret;
                return self.special(meaning, function, &args, declared, wish, span);
            }
            target = function.model.unwrap_or(target);
        }
        // Arguments that no parameter takes have been evaluated; nothing looks at them.
        let signature = self.cx.signature(target);
        let callee = Callee::Direct(self.cx.function(target));
        self.change_unprototyped(target, &args, span);
        self.emit_call(callee, &signature, args, forwarded, result, wish, span)
    }

    /// Lays the call's edge: arguments converted to the callee's parameters, hidden ones added, the result converted.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn emit_call(
        &mut self,
        callee: Callee,
        signature: &Signature,
        args: Vec<Arg>,
        forwarded: Option<ExprId>,
        result: TyId,
        wish: Wish,
        span: Span,
    ) -> Option<ExprId> {
        let name = self.callee_name(&callee);
        let mut passed = Vec::with_capacity(args.len() + 2);
        let record = self.cx.is_record(signature.ret).then(|| self.record_object("result", signature.ret, span));
        passed.extend(record);
        for (i, &param) in signature.params.iter().enumerate() {
            let value = match args.get(i) {
                Some(arg) => self.pass(*arg, param, span)?,
                None => self.missing_argument(param, span),
            };
            passed.push(value);
        }
        if signature.variadic {
            let extra = args.get(signature.params.len()..).unwrap_or(&[]);
            let area = match forwarded {
                Some(area) => area,
                None => self.variadic_area(extra, span),
            };
            passed.push(area);
        }
        let returned = match self.cx.class(signature.ret) {
            Class::Scalar(ty) => Some(ty),
            Class::Void | Class::Record => None,
        };
        let to = returned.filter(|_| !self.cx.is_void(result)).map(|ty| match wish {
            Some((var, wished)) if wished == ty && self.same_scalar(signature.ret, result) => (var, ty),
            Some(_) | None => (VarRef::Local(self.b.temp(ty, span)), ty),
        });
        self.b.emit(Op::Call { to: to.map(|t| t.0), callee, args: passed }, span);
        match (self.cx.class(result), to, record) {
            (Class::Void, ..) => None,
            (Class::Scalar(_), Some((var, ty)), _) => {
                let value = self.b.var(var, ty);
                Some(self.convert(value, signature.ret, result, true, span))
            }
            (Class::Record, _, Some(address)) => Some(address),
            // The declaration that the caller saw promises a result that the callee does not give.
            (Class::Scalar(ty), None, _) => {
                let origin = InputOrigin::MissingReturn(name);
                Some(self.havoc_temp(ty, origin, Some(result), span))
            }
            (Class::Record, _, None) => {
                self.unsupported("a call whose declaration and definition disagree about the result", span);
                Some(self.b.null())
            }
        }
    }

    /// Whether a caller that sees one declaration passes what a callee with the other one expects: scalars of the same machine
    /// type, records of the same size. A declaration without a prototype promises nothing about parameters.
    fn same_machine_types(&self, seen: hir::FuncId, called: hir::FuncId) -> bool {
        let (a, b) = (self.cx.signature(seen), self.cx.signature(called));
        let same = |x: TyId, y: TyId| match (self.cx.class(x), self.cx.class(y)) {
            (Class::Scalar(a), Class::Scalar(b)) => a == b && self.cx.is_bool(x) == self.cx.is_bool(y),
            (Class::Record, Class::Record) => self.cx.size_of(x) == self.cx.size_of(y),
            (Class::Void, _) | (_, Class::Void) => true,
            (Class::Scalar(_), Class::Record) | (Class::Record, Class::Scalar(_)) => false,
        };
        let is_open = |id| self.cx.is_unprototyped(self.cx.hir.function(id).ty);
        let params = is_open(seen)
            || is_open(called)
            || (a.params.len() == b.params.len() && a.params.iter().zip(&b.params).all(|(&x, &y)| same(x, y)));
        same(a.ret, b.ret) && params && a.variadic == b.variadic
    }

    fn callee_name(&self, callee: &Callee) -> Arc<str> {
        let direct = match callee {
            Callee::Direct(id) => self.cx.function_ids.position(|known| *known == Some(*id)),
            Callee::Indirect(_) | Callee::Intrinsic(_) => None,
        };
        direct.map_or("a called function".into(), |id| self.cx.hir.names.shared(self.cx.hir.function(id).name))
    }

    /// No conversion stands between the two types.
    fn same_scalar(&self, a: TyId, b: TyId) -> bool {
        a == b || (self.cx.carrier(a) == self.cx.carrier(b) && self.cx.sign(a) == self.cx.sign(b))
    }

    fn pass(&mut self, arg: Arg, param: TyId, span: Span) -> Option<ExprId> {
        match (self.cx.class(arg.cty), self.cx.class(param)) {
            // Without a prototype nothing converts the argument, and floats travel in registers of their own.
            (Class::Scalar(from), Class::Scalar(to))
                if matches!(from, Ty::Float(_)) != matches!(to, Ty::Float(_)) && !self.cx.is_bool(param) =>
            {
                self.unsupported("a call without a prototype that passes a number of another kind", span);
                None
            }
            (Class::Scalar(_), Class::Scalar(ty)) => {
                let value = self.convert(arg.value, arg.cty, param, true, span);
                Some(self.fit(value, param, ty))
            }
            (Class::Record, Class::Record) if self.cx.size_of(arg.cty) >= self.cx.size_of(param) => Some(arg.value),
            _ => {
                self.unsupported("a call whose declaration and definition disagree about a parameter", span);
                None
            }
        }
    }

    /// A parameter for which the call, made without a prototype, has no argument.
    fn missing_argument(&mut self, param: TyId, span: Span) -> ExprId {
        let origin = InputOrigin::MissingArgument(self.name.clone());
        match self.cx.class(param) {
            Class::Scalar(ty) => self.havoc_temp(ty, origin, Some(param), span),
            Class::Record | Class::Void => {
                let object = self.record_object("missing", param, span);
                let size = self.cx.size_of(param);
                self.havoc_object(object, size, param, origin, span);
                object
            }
        }
    }
}
