//! Expressions: the dispatch over the syntax, identifiers, and the conversion of lvalues to values.
//!
//! ```text
//!   expr       dispatch, identifiers, lvalue conversion
//!   literal    numbers, characters, strings
//!   access     members, subscripts, dereference, addresses
//!   operators  unary and binary operators, ?:, comma
//!   assign     assignment, compound assignment, ++ and --
//!   query      sizeof, alignof, offsetof, _Generic and other questions about types
//!   call       calls
//! ```
//!
//! Each arm of the dispatch is a function of its own, so that deep trees meet small stack frames.

use super::convert::{Class, error_node, int_node, node};
use super::{Entity, Sema};
use crate::ast;
use crate::hir::{Expr, ExprKind, LocalId, Stmt, StmtKind};
use crate::names::Name;
use crate::source::Span;
use crate::types::{QualTy, Quals, TyId, Type, TypeTable};

/// Qualifiers of an object that is part of another.
pub(crate) fn merge_quals(a: Quals, b: Quals) -> Quals {
    Quals {
        is_const: a.is_const | b.is_const,
        is_volatile: a.is_volatile | b.is_volatile,
        is_restrict: a.is_restrict | b.is_restrict,
        is_atomic: a.is_atomic | b.is_atomic,
        space: a.space.or(b.space),
    }
}

/// Whether an expression designates an object (see the conventions of [`crate::hir`]).
pub(crate) fn is_lvalue(mut e: &Expr) -> bool {
    loop {
        match &e.kind {
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Deref(_) | ExprKind::CompoundLiteral { .. } => {
                return true;
            }
            ExprKind::Member { base, .. } => e = base,
            _ => return false,
        }
    }
}

impl Sema<'_> {
    /// The value of an expression: lvalues are loaded, arrays and functions decay.
    pub(crate) fn rvalue(&mut self, e: &ast::Expr) -> Expr {
        let e = self.expr(e);
        self.loaded(e)
    }

    /// An expression as written: possibly an lvalue or a function designator.
    pub(crate) fn expr(&mut self, e: &ast::Expr) -> Expr {
        let span = e.span;
        match &e.kind {
            ast::ExprKind::Int { value, decimal, unsigned, long } => {
                self.int_literal(*value, *decimal, *unsigned, *long, span)
            }
            ast::ExprKind::Float { text, suffix } => self.float_literal(text, *suffix, span),
            ast::ExprKind::Imaginary => self.unsupported_complex(span),
            ast::ExprKind::Char { value, encoding } => self.char_literal(*value, *encoding, span),
            ast::ExprKind::String { units, encoding } => self.string_literal(units, *encoding, span),
            ast::ExprKind::Ident(name) => self.identifier(*name, span),
            ast::ExprKind::FunctionName => self.function_name(span),
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ast::ExprKind::IncDec { increment, prefix, value } => self.inc_dec(*increment, *prefix, value, span),
            ast::ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ast::ExprKind::LogicalAnd(a, b) => self.logical(a, b, true, span),
            ast::ExprKind::LogicalOr(a, b) => self.logical(a, b, false, span),
            ast::ExprKind::Cond(c, then, otherwise) => self.conditional(c, then.as_deref(), otherwise, span),
            ast::ExprKind::Comma(a, b) => self.comma(a, b, span),
            ast::ExprKind::Assign(target, value) => self.assign(target, value, span),
            ast::ExprKind::AssignOp(op, target, value) => self.compound_assign(*op, target, value, span),
            ast::ExprKind::Call(callee, args) => self.call(callee, args, span),
            ast::ExprKind::Index(a, b) => self.index(a, b, span),
            ast::ExprKind::Member { base, arrow, field, field_span } => {
                self.member_access(base, *arrow, *field, *field_span, span)
            }
            ast::ExprKind::Cast(ty, value) => self.cast(ty, value, span),
            ast::ExprKind::CompoundLiteral(ty, list) => self.compound(ty, list, span),
            ast::ExprKind::SizeofExpr(value) => self.sizeof_expr(value, span),
            ast::ExprKind::SizeofType(ty) => self.sizeof_type(ty, span),
            ast::ExprKind::AlignofExpr(value) => self.alignof_expr(value, span),
            ast::ExprKind::AlignofType { ty, gnu } => self.alignof_type(ty, *gnu, span),
            ast::ExprKind::StmtExpr(block) => self.statement_expr(block, span),
            ast::ExprKind::LabelAddr(name) => self.label_address(*name, span),
            ast::ExprKind::Generic { control, arms } => self.generic(control, arms, span),
            ast::ExprKind::VaArg { list, ty } => self.va_arg(list, ty, span),
            ast::ExprKind::Offsetof { ty, path } => self.offsetof(ty, path, span),
            ast::ExprKind::TypesCompatible(a, b) => self.types_compatible(a, b, span),
            ast::ExprKind::ChooseExpr(c, a, b) => self.choose(c, a, b),
            ast::ExprKind::Quantifier { forall, variable, body } => self.quantifier(*forall, variable, body, span),
        }
    }

    /// Lvalue conversion, array decay, function decay (C11 6.3.2.1).
    pub(crate) fn loaded(&mut self, e: Expr) -> Expr {
        let ty = e.ty.ty;
        match self.types.get(ty) {
            Type::Array(elem, _) => {
                let elem = QualTy { ty: elem.ty, quals: merge_quals(elem.quals, e.ty.quals) };
                self.decay_array(e, elem)
            }
            Type::Function(_) => {
                self.mark_address(&e);
                let span = e.span;
                // `*p` of a function pointer designates the function: its decay is `p` again.
                match e.kind {
                    ExprKind::Deref(pointer) => *pointer,
                    _ => {
                        let pointer = self.types.pointer_to(ty);
                        node(ExprKind::Decay(Box::new(e)), pointer, span)
                    }
                }
            }
            Type::Void => match e.kind {
                ExprKind::Deref(pointer) => self.scalar_cast(*pointer, TypeTable::VOID, true),
                _ => Expr { ty: ty.into(), ..e },
            },
            Type::Record(id) if is_lvalue(&e) => {
                if self.types.record(*id).body.is_none() {
                    return self.incomplete(ty, e.span);
                }
                let span = e.span;
                node(ExprKind::Load(Box::new(e)), ty, span)
            }
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Enum(_) if is_lvalue(&e) => {
                let span = e.span;
                node(ExprKind::Load(Box::new(e)), ty, span)
            }
            Type::Record(_) | Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Enum(_) | Type::Error => {
                Expr { ty: ty.into(), ..e }
            }
        }
    }

    fn decay_array(&mut self, e: Expr, elem: QualTy) -> Expr {
        let pointer = self.types.pointer_to(elem);
        let span = e.span;
        if is_lvalue(&e) {
            self.mark_address(&e);
            return node(ExprKind::Decay(Box::new(e)), pointer, span);
        }
        // An array in a call's result has an address only as part of a temporary (C11 6.2.4p8).
        match self.materialize(e) {
            Some((store, place)) => {
                self.mark_address(&place);
                let decayed = node(ExprKind::Decay(Box::new(place)), pointer, span);
                node(ExprKind::Comma(Box::new(store), Box::new(decayed)), pointer, span)
            }
            None => error_node(span),
        }
    }

    /// Stores the record value that a member path starts from in a hidden local. Returns the store and the path as an
    /// lvalue.
    fn materialize(&mut self, e: Expr) -> Option<(Expr, Expr)> {
        match e.kind {
            ExprKind::Member { base, field } => {
                let (store, base) = self.materialize(*base)?;
                Some((store, Expr { kind: ExprKind::Member { base: Box::new(base), field }, ..e }))
            }
            _ if self.is_error(&e) => None,
            _ => {
                let (ty, span) = (e.ty.ty, e.span);
                let local = self.hidden_local(ty, span)?;
                let place = || node(ExprKind::Local(local), ty, span);
                let store = ExprKind::Assign { target: Box::new(place()), value: Box::new(e) };
                Some((node(store, ty, span), place()))
            }
        }
    }

    /// A temporary of the function being checked; `None`, reported, at file scope.
    pub(crate) fn hidden_local(&mut self, ty: TyId, span: Span) -> Option<LocalId> {
        if self.function.is_none() {
            self.error(span, "this expression needs a temporary object, which there is none of outside functions");
            return None;
        }
        let align = self.types.align_of(ty);
        Some(self.new_local(None, ty.into(), align, span))
    }

    /// Notes that the address of the object or function behind a designator escapes.
    pub(crate) fn mark_address(&mut self, mut e: &Expr) {
        if self.unevaluated > 0 {
            return;
        }
        loop {
            match &e.kind {
                ExprKind::Member { base, .. } => e = base,
                ExprKind::Local(id) | ExprKind::CompoundLiteral { local: id, .. } => {
                    if let Some(f) = &mut self.function {
                        f.locals[*id].address_taken = true;
                    }
                    return;
                }
                ExprKind::Global(id) => {
                    self.globals[*id].address_taken = true;
                    return;
                }
                ExprKind::Func(id) => {
                    self.functions[*id].address_taken = true;
                    return;
                }
                _ => return,
            }
        }
    }

    pub(crate) fn incomplete(&mut self, ty: TyId, span: Span) -> Expr {
        let shown = self.show(ty);
        self.error_help(
            span,
            format!("the type '{shown}' is incomplete here"),
            "define the type before this use, for instance by including the header that does",
        );
        error_node(span)
    }

    pub(crate) fn unsupported_complex(&mut self, span: Span) -> Expr {
        self.error_help(span, "complex numbers are not supported", "use two real variables instead");
        error_node(span)
    }

    fn identifier(&mut self, name: Name, span: Span) -> Expr {
        match self.lookup(name) {
            Some(Entity::Local(id)) => {
                let ty = self.function.as_ref().map_or(TypeTable::ERROR.into(), |f| f.locals[id].ty);
                node(ExprKind::Local(id), ty, span)
            }
            Some(Entity::Global(id)) => node(ExprKind::Global(id), self.globals[id].ty, span),
            Some(Entity::Func(id)) => node(ExprKind::Func(id), self.functions[id].ty, span),
            Some(Entity::Constant(value, ty)) => int_node(value, ty, span),
            Some(Entity::Typedef(_)) => {
                let text = self.names.shared(name);
                self.error(span, format!("'{text}' is a type, but a value is needed here"));
                error_node(span)
            }
            None => {
                let text = self.names.shared(name);
                self.error_help(span, format!("'{text}' is not declared"), "declare it before this line");
                // Told once: later uses in this scope find something of the error type.
                self.scope().entities.insert(name, Entity::Constant(0, TypeTable::ERROR));
                error_node(span)
            }
        }
    }

    fn comma(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let a = self.rvalue(a);
        let b = self.rvalue(b);
        let ty = b.ty;
        node(ExprKind::Comma(Box::new(a), Box::new(b)), ty, span)
    }

    fn cast(&mut self, ty: &ast::TypeName, value: &ast::Expr, span: Span) -> Expr {
        let mark = self.pending_mark();
        let to = self.type_name(ty);
        let to = to.ty;
        let lengths = self.take_pending(mark);
        let value = self.expr(value);
        let result = if to == TypeTable::VOID {
            self.discard(value, span)
        } else {
            let value = self.loaded(value);
            self.explicit_cast(value, to, span)
        };
        self.after_lengths(lengths, result)
    }

    /// `(void)e`. Arrays and functions are not evaluated, so that their addresses do not count as taken.
    pub(crate) fn discard(&mut self, e: Expr, span: Span) -> Expr {
        let void = TypeTable::VOID;
        let value = match (self.class(e.ty.ty), &e.kind) {
            (Class::Array | Class::Function, ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Func(_)) => {
                int_node(0, TypeTable::INT, span)
            }
            _ => self.loaded(e),
        };
        if value.ty.ty == void {
            return Expr { span, ..value };
        }
        Expr { span, ..self.scalar_cast(value, void, false) }
    }

    fn compound(&mut self, ty: &ast::TypeName, list: &ast::InitList, span: Span) -> Expr {
        let ty = self.type_name(ty);
        self.compound_literal(ty, list, span)
    }

    fn statement_expr(&mut self, block: &ast::Block, span: Span) -> Expr {
        if self.function.is_none() {
            self.error(span, "a statement expression is allowed only inside a function");
            return error_node(span);
        }
        let block = self.block(block);
        let ty = match block.stmts.last().map(|s| value_of(s)) {
            Some(Some(e)) => e.ty.ty,
            Some(None) | None => TypeTable::VOID,
        };
        node(ExprKind::StmtExpr(Box::new(block)), ty, span)
    }

    fn label_address(&mut self, name: Name, span: Span) -> Expr {
        let pointer = self.types.pointer_to(TypeTable::VOID);
        match self.label(name, span) {
            Some(label) => {
                if let Some(f) = &mut self.function {
                    f.labels[label].address_taken = true;
                }
                node(ExprKind::LabelAddr(label), pointer, span)
            }
            None => error_node(span),
        }
    }

    fn va_arg(&mut self, list: &ast::Expr, ty: &ast::TypeName, span: Span) -> Expr {
        let list = self.va_list_operand(list);
        let ty = self.type_name(ty);
        if !self.types.is_complete(ty.ty) && ty.ty != TypeTable::ERROR {
            return self.incomplete(ty.ty, span);
        }
        node(ExprKind::VaArg { list: Box::new(list) }, ty.ty, span)
    }

    /// How many statements wait to be placed before the one being checked.
    pub(crate) fn pending_mark(&self) -> usize {
        self.function.as_ref().map_or(0, |f| f.pending.len())
    }

    /// The array lengths that have come up since the mark.
    pub(crate) fn take_pending(&mut self, mark: usize) -> Vec<Stmt> {
        match &mut self.function {
            Some(f) if f.pending.len() > mark => f.pending.split_off(mark),
            Some(_) | None => Vec::new(),
        }
    }

    /// An expression whose array lengths are computed right before it: in a loop's condition or under `&&` they must
    /// not be computed at the start of the statement.
    pub(crate) fn after_lengths(&mut self, lengths: Vec<Stmt>, e: Expr) -> Expr {
        if lengths.is_empty() {
            return e;
        }
        let (ty, span) = (e.ty, e.span);
        let mut stmts = lengths;
        stmts.push(Stmt { kind: StmtKind::Expr(e), span });
        let block = crate::hir::Block { stmts, locals: Vec::new(), span };
        node(ExprKind::StmtExpr(Box::new(block)), ty, span)
    }
}

/// The expression whose value a statement expression ending in this statement has.
fn value_of(stmt: &Stmt) -> Option<&Expr> {
    match &stmt.kind {
        StmtKind::Expr(e) => Some(e),
        _ => None,
    }
}
