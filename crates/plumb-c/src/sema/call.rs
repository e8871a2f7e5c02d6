//! Function calls: callees, argument conversions, implicit declarations, variadic argument lists.

use super::convert::{Class, error_node, node};
use super::expr::is_lvalue;
use super::{Entity, Sema};
use crate::ast;
use crate::hir::{Callee, CastKind, Expr, ExprKind, FuncId};
use crate::names::Name;
use crate::source::Span;
use crate::types::{QualTy, RecordId, TyId, Type, TypeTable};

impl Sema<'_> {
    pub(crate) fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Expr {
        if let Some((place, name)) = self.direct_callee(callee) {
            let found = self.lookup(name);
            let declared = match found {
                Some(Entity::Func(id)) => Some(id),
                Some(_) | None => None,
            };
            if declared.is_some() || found.is_none() {
                return self.call_by_name(name, declared, args, place.span, span);
            }
        }
        let callee = self.rvalue(callee);
        let function = match self.class(callee.ty.ty) {
            Class::Pointer(to) if matches!(self.class(to.ty), Class::Function) => to.ty,
            Class::Error => {
                // The arguments may hold mistakes of their own.
                args.iter().for_each(|a| drop(self.rvalue(a)));
                return error_node(span);
            }
            _ => {
                let shown = self.show(callee.ty.ty);
                self.error(callee.span, format!("only functions can be called, and this has type '{shown}'"));
                return error_node(span);
            }
        };
        let values = args.iter().map(|a| self.rvalue(a)).collect();
        let callee = match callee.kind {
            ExprKind::Decay(f) | ExprKind::AddrOf(f) if matches!(f.kind, ExprKind::Func(_)) => match f.kind {
                ExprKind::Func(id) => Callee::Direct(id),
                _ => Callee::Pointer(f),
            },
            _ => Callee::Pointer(Box::new(callee)),
        };
        self.call_node(callee, function, values, span)
    }

    fn call_by_name(
        &mut self,
        name: Name,
        declared: Option<FuncId>,
        args: &[ast::Expr],
        name_span: Span,
        span: Span,
    ) -> Expr {
        let has_body = declared.is_some_and(|id| self.functions[id].body.is_some());
        if !has_body && self.is_builtin_name(name) {
            let text = self.names.shared(name);
            if let Some(result) = self.builtin_call(&text, args, span) {
                return result;
            }
            if declared.is_none() {
                self.error_help(
                    name_span,
                    format!("the builtin '{text}' is not supported"),
                    "leave the code that uses it out, or define a function of this name",
                );
                args.iter().for_each(|a| drop(self.rvalue(a)));
                return error_node(span);
            }
        }
        let id = match declared {
            Some(id) => id,
            None => self.declare_implicit_function(name, name_span),
        };
        let values = args.iter().map(|a| self.rvalue(a)).collect();
        self.call_node(Callee::Direct(id), self.functions[id].ty, values, span)
    }

    /// A call of a library function under a builtin's name.
    pub(crate) fn call_library(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Option<Expr> {
        let id = self.known_library_function(name)?;
        let ty = self.functions[id].ty;
        Some(self.call_node(Callee::Direct(id), ty, args, span))
    }

    /// A call with arguments that are values already.
    pub(crate) fn call_node(&mut self, callee: Callee, function: TyId, args: Vec<Expr>, span: Span) -> Expr {
        let Type::Function(f) = self.types.get(function) else { return error_node(span) };
        let (ret, count, variadic, unprototyped) = (f.ret, f.params.len(), f.variadic, f.unprototyped);
        if !unprototyped && (args.len() < count || (args.len() > count && !variadic)) {
            let which = if args.len() < count { "few" } else { "many" };
            let least = if variadic { "at least " } else { "" };
            self.error(
                span,
                format!("too {which} arguments in this call: {least}{count} needed, {} given", args.len()),
            );
            return Expr { ty: ret.ty.into(), ..error_node(span) };
        }
        let mut converted = Vec::with_capacity(args.len());
        for (i, arg) in args.into_iter().enumerate() {
            let param = match self.types.get(function) {
                Type::Function(f) if !unprototyped => f.params.get(i).copied(),
                _ => None,
            };
            converted.push(match param {
                Some(param) => self.argument(arg, param),
                None => self.free_argument(arg),
            });
        }
        if ret.ty != TypeTable::VOID && !self.types.is_complete(ret.ty) {
            return self.incomplete(ret.ty, span);
        }
        node(ExprKind::Call { callee, args: converted }, ret.ty, span)
    }

    /// An argument that no parameter type is known for.
    fn free_argument(&mut self, arg: Expr) -> Expr {
        if arg.ty.ty == TypeTable::VOID {
            return self.convert_for_assign(arg, TypeTable::INT.into(), "argument");
        }
        self.promote_argument(arg)
    }

    fn argument(&mut self, arg: Expr, param: QualTy) -> Expr {
        if let Class::Record(union) = self.class(param.ty)
            && arg.ty.ty != param.ty
            && self.types.record(union).body.as_ref().is_some_and(|b| b.transparent)
            && let Some(e) = self.transparent_argument(&arg, union, param.ty)
        {
            let (field, ty) = e;
            let value = self.scalar_cast(arg, ty, true);
            let span = value.span;
            let kind = CastKind::ToUnion { field };
            return node(ExprKind::Cast { kind, value: Box::new(value), implicit: true }, param.ty, span);
        }
        self.convert_for_assign(arg, param, "argument")
    }

    /// The member of a transparent union that takes an argument: one of its type, else the first one it converts to.
    fn transparent_argument(&mut self, arg: &Expr, union: RecordId, whole: TyId) -> Option<(u32, TyId)> {
        if let Class::Record(_) = self.class(arg.ty.ty)
            && self.types.compatible(arg.ty.ty, whole)
        {
            return None;
        }
        if let Some(field) = self.union_member_of_type(union, arg.ty.ty) {
            return Some((field, arg.ty.ty));
        }
        let is_null = self.is_null_constant(arg);
        let is_pointer = matches!(self.class(arg.ty.ty), Class::Pointer(_));
        let fields = &self.types.record(union).body.as_ref()?.fields;
        let field = fields.iter().position(|f| {
            self.types.is_pointer(f.ty.ty) && (is_pointer || is_null) || (!is_pointer && self.types.is_integer(f.ty.ty))
        })?;
        Some((field as u32, fields[field].ty.ty))
    }

    /// The object behind an operand of type `va_list`. Where that type is an array (and so a pointer as a parameter),
    /// this is the array's element.
    pub(crate) fn va_list_operand(&mut self, list: &ast::Expr) -> Expr {
        let e = self.expr(list);
        let span = e.span;
        let list_ty = self.va_list_type();
        let Some(elem) = self.types.element(list_ty) else {
            if self.is_error(&e) || is_lvalue(&e) {
                return e;
            }
            // CIL declares these builtins as functions of its own and passes a list's address.
            if self.types.pointee(e.ty.ty).is_some_and(|to| to.ty == list_ty) {
                return self.deref(e, span);
            }
            self.error(span, "a variable of type 'va_list' is needed here");
            return error_node(span);
        };
        let pointer = self.loaded(e);
        if self.is_error(&pointer) {
            return pointer;
        }
        match self.class(pointer.ty.ty) {
            // Of a pointer to something else, gcc takes the type for a va_list's all the same.
            Class::Pointer(_) => {
                let ty = self.types.pointer_to(elem);
                let pointer = self.scalar_cast(pointer, ty, true);
                self.deref(pointer, span)
            }
            _ => {
                self.error(span, "a variable of type 'va_list' is needed here");
                error_node(span)
            }
        }
    }

    /// `va_list` as a parameter's type.
    pub(crate) fn va_list_param(&mut self) -> TyId {
        let list = self.va_list_type();
        match self.types.element(list) {
            Some(elem) => self.types.pointer_to(elem),
            None => list,
        }
    }
}
