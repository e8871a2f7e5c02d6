//! Members, subscripts, dereferences and addresses.
//!
//! Taking an address and dereferencing cancel out here (C11 6.5.3.2p3), so `&a[i]` is a mere pointer addition and
//! `*&x` is `x`.

use super::Sema;
use super::convert::{Class, error_node, node};
use super::expr::{is_lvalue, merge_quals};
use crate::ast;
use crate::hir::{Expr, ExprKind};
use crate::names::Name;
use crate::source::Span;
use crate::types::{QualTy, TyId};

impl Sema<'_> {
    pub(crate) fn member_access(
        &mut self,
        base: &ast::Expr,
        arrow: bool,
        field: Name,
        field_span: Span,
        span: Span,
    ) -> Expr {
        let base = if arrow {
            let pointer = self.rvalue(base);
            match self.class(pointer.ty.ty) {
                Class::Pointer(_) => self.deref(pointer, span),
                Class::Error => return error_node(span),
                _ => {
                    let shown = self.show(pointer.ty.ty);
                    let name = self.names.shared(field);
                    self.error_help(
                        field_span,
                        format!("'->{name}' needs a pointer on its left, and this has type '{shown}'"),
                        "use '.' on a struct or union",
                    );
                    return error_node(span);
                }
            }
        } else {
            self.expr(base)
        };
        self.member_of(base, field, field_span, span)
    }

    /// `base.field`, by way of the anonymous members that hold it.
    pub(crate) fn member_of(&mut self, base: Expr, field: Name, field_span: Span, span: Span) -> Expr {
        let record = match self.class(base.ty.ty) {
            Class::Record(record) => record,
            Class::Error => return error_node(span),
            Class::Void | Class::Int(_) | Class::Float(_) | Class::Pointer(_) | Class::Array | Class::Function => {
                let shown = self.show(base.ty.ty);
                let name = self.names.shared(field);
                let help = match self.class(base.ty.ty) {
                    Class::Pointer(_) => "use '->' on a pointer",
                    _ => "only structs and unions have members",
                };
                self.error_help(field_span, format!("'.{name}' in something of type '{shown}'"), help);
                return error_node(span);
            }
        };
        if self.types.record(record).body.is_none() {
            return self.incomplete(base.ty.ty, span);
        }
        let Some(path) = self.types.find_field(record, field) else {
            let shown = self.show(base.ty.ty);
            let name = self.names.shared(field);
            self.error(field_span, format!("'{shown}' has no member named '{name}'"));
            return error_node(span);
        };
        path.into_iter().fold(base, |e, index| self.member_at(e, index, span))
    }

    /// One member by its index; qualifiers of the whole extend to it.
    pub(crate) fn member_at(&mut self, base: Expr, field: u32, span: Span) -> Expr {
        let Class::Record(record) = self.class(base.ty.ty) else { return error_node(span) };
        let body = self.types.record(record).body.as_ref();
        let Some(ty) = body.and_then(|b| b.fields.get(field as usize)).map(|f| f.ty) else { return error_node(span) };
        let ty = QualTy { ty: ty.ty, quals: merge_quals(ty.quals, base.ty.quals) };
        node(ExprKind::Member { base: Box::new(base), field }, ty, span)
    }

    pub(crate) fn index(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let a = self.rvalue(a);
        let b = self.rvalue(b);
        if self.is_error(&a) || self.is_error(&b) {
            return error_node(span);
        }
        let (pointer, index) = match (self.class(a.ty.ty), self.class(b.ty.ty)) {
            (Class::Pointer(_), Class::Int(_)) => (a, b),
            (Class::Int(_), Class::Pointer(_)) => (b, a),
            (Class::Pointer(_), _) | (_, Class::Pointer(_)) => {
                self.error(span, "an array subscript must be an integer");
                return error_node(span);
            }
            _ => {
                let shown = self.show(a.ty.ty);
                self.error(span, format!("only arrays and pointers have elements, and this has type '{shown}'"));
                return error_node(span);
            }
        };
        let sum = self.pointer_add(pointer, index, false, span);
        self.deref(sum, span)
    }

    /// `pointer + index` or `pointer - index`, in elements.
    pub(crate) fn pointer_add(&mut self, pointer: Expr, index: Expr, negate: bool, span: Span) -> Expr {
        if let Some(bad) = self.check_stride(pointer.ty.ty, span) {
            return bad;
        }
        let ty = pointer.ty.ty;
        node(ExprKind::PtrAdd { pointer: Box::new(pointer), index: Box::new(index), negate }, ty, span)
    }

    /// Reports arithmetic on pointers to types without a size. GNU C gives `void` and functions the size 1.
    pub(crate) fn check_stride(&mut self, pointer: TyId, span: Span) -> Option<Expr> {
        let Class::Pointer(to) = self.class(pointer) else { return None };
        let fits = match self.class(to.ty) {
            Class::Void | Class::Function | Class::Error => true,
            Class::Int(_) | Class::Float(_) | Class::Pointer(_) => true,
            Class::Array | Class::Record(_) => self.types.is_complete(to.ty),
        };
        if fits { None } else { Some(self.incomplete(to.ty, span)) }
    }

    /// What a pointer value points to.
    pub(crate) fn deref(&mut self, pointer: Expr, span: Span) -> Expr {
        let to = match self.class(pointer.ty.ty) {
            Class::Pointer(to) => to,
            Class::Error => return error_node(span),
            Class::Void | Class::Int(_) | Class::Float(_) | Class::Array | Class::Function | Class::Record(_) => {
                let shown = self.show(pointer.ty.ty);
                self.error(span, format!("only a pointer can be dereferenced, and this has type '{shown}'"));
                return error_node(span);
            }
        };
        match pointer.kind {
            ExprKind::AddrOf(inner) => Expr { ty: to, span, ..*inner },
            ExprKind::Decay(inner) if matches!(inner.kind, ExprKind::Func(_)) => Expr { ty: to, span, ..*inner },
            _ => node(ExprKind::Deref(Box::new(pointer)), to, span),
        }
    }

    pub(crate) fn address_of(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        let e = self.expr(operand);
        if self.is_error(&e) {
            return e;
        }
        self.address_of_designator(e, span)
    }

    pub(crate) fn address_of_designator(&mut self, e: Expr, span: Span) -> Expr {
        if matches!(self.class(e.ty.ty), Class::Function) {
            let decayed = self.loaded(e);
            return match decayed.kind {
                ExprKind::Decay(function) => node(ExprKind::AddrOf(function), decayed.ty, span),
                _ => Expr { span, ..decayed },
            };
        }
        if !is_lvalue(&e) {
            self.error_help(
                span,
                "'&' needs an object or a function, and this is a value without an address",
                "store the value in a variable and take that one's address",
            );
            return error_node(span);
        }
        if self.bit_range(&e).is_some() {
            self.error(span, "a bit-field has no address");
            return error_node(span);
        }
        self.mark_address(&e);
        let ty = self.types.pointer_to(e.ty);
        match e.kind {
            ExprKind::Deref(pointer) => {
                let pointer = *pointer;
                Expr { ty: ty.into(), span, ..pointer }
            }
            _ => node(ExprKind::AddrOf(Box::new(e)), ty, span),
        }
    }

    /// The function that a callee names outright: `f`, `*f`, `&f` and so on.
    pub(crate) fn direct_callee<'e>(&self, mut callee: &'e ast::Expr) -> Option<(&'e ast::Expr, Name)> {
        let mut wrapped = false;
        loop {
            match &callee.kind {
                ast::ExprKind::Unary(ast::UnaryOp::Extension, inner) => callee = inner,
                ast::ExprKind::Unary(ast::UnaryOp::Deref | ast::UnaryOp::AddrOf, inner) => {
                    wrapped = true;
                    callee = inner;
                }
                // `*p` of a variable is not the variable.
                ast::ExprKind::Ident(name) => {
                    let is_function = matches!(self.lookup(*name), Some(super::Entity::Func(_)) | None);
                    return (is_function || !wrapped).then_some((callee, *name));
                }
                _ => return None,
            }
        }
    }

    /// The address of an lvalue that the analyser made itself.
    pub(crate) fn pointer_to_place(&mut self, place: Expr) -> Expr {
        let span = place.span;
        self.mark_address(&place);
        let ty = self.types.pointer_to(QualTy::from(place.ty.ty));
        node(ExprKind::AddrOf(Box::new(place)), ty, span)
    }

    /// The lvalue behind a pointer value that the analyser dereferences itself, reported if it is no pointer to an
    /// object.
    pub(crate) fn place_behind(&mut self, pointer: Expr) -> Option<Expr> {
        let span = pointer.span;
        let place = self.deref(pointer, span);
        match self.class(place.ty.ty) {
            Class::Error => None,
            Class::Void | Class::Function => {
                self.error(span, "a pointer to an object of known type is needed here");
                None
            }
            Class::Int(_) | Class::Float(_) | Class::Pointer(_) | Class::Array | Class::Record(_) => Some(place),
        }
    }
}
