//! Questions about types: `sizeof`, `_Alignof`, `offsetof`, `_Generic`, `__builtin_types_compatible_p`,
//! `__builtin_choose_expr`.
//!
//! Their operands are not evaluated: objects mentioned there do not count as having their address taken, and array
//! lengths computed there are dropped unless the answer depends on them.

use super::Sema;
use super::convert::{Class, error_node, int_node, node};
use crate::ast::{self, OffsetofStep};
use crate::hir::{BinaryOp, Block, Expr, ExprKind, Stmt, StmtKind};
use crate::source::Span;
use crate::types::{QualTy, Quals, TyId, Type, TypeTable};

impl Sema<'_> {
    /// Types an operand that is not evaluated. Returns the array lengths it would compute.
    pub(crate) fn unevaluated(&mut self, e: &ast::Expr) -> (Expr, Vec<Stmt>) {
        let mark = self.pending_mark();
        self.unevaluated += 1;
        let e = self.expr(e);
        self.unevaluated -= 1;
        (e, self.take_pending(mark))
    }

    pub(crate) fn sizeof_expr(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        let (e, lengths) = self.unevaluated(operand);
        if self.is_error(&e) {
            return e;
        }
        if self.bit_range(&e).is_some() {
            self.error_help(span, "a bit-field has no size", "ask for the size of the struct instead");
            return error_node(span);
        }
        let size = self.size_value(self.machine_type(&e), span);
        if !matches!(size.kind, ExprKind::SizeofVla(_)) {
            return size;
        }
        // An operand of variable length is evaluated (C11 6.5.3.4p2), which shows only if it does something.
        let size = if has_effect(&e) {
            let ty = size.ty;
            let place = self.loaded(e);
            let first = self.discard(place, span);
            node(ExprKind::Comma(Box::new(first), Box::new(size)), ty, span)
        } else {
            size
        };
        self.after_lengths(lengths, size)
    }

    pub(crate) fn sizeof_type(&mut self, ty: &ast::TypeName, span: Span) -> Expr {
        let mark = self.pending_mark();
        let ty = self.type_name(ty);
        let lengths = self.take_pending(mark);
        let size = self.size_value(ty.ty, span);
        match size.kind {
            ExprKind::SizeofVla(_) => self.after_lengths(lengths, size),
            _ => size,
        }
    }

    /// The size of a type as a `size_t`; GNU C gives `void` and functions the size 1.
    pub(crate) fn size_value(&mut self, ty: TyId, span: Span) -> Expr {
        let size_t = self.size_ty();
        match self.class(ty) {
            Class::Error => return error_node(span),
            Class::Void | Class::Function => return int_node(1, size_t, span),
            Class::Int(_) | Class::Float(_) | Class::Pointer(_) | Class::Array | Class::Record(_) => {}
        }
        if self.types.is_vla(ty) {
            return node(ExprKind::SizeofVla(ty), size_t, span);
        }
        match self.types.size_of(ty) {
            Some(size) => int_node(size as i128, size_t, span),
            None => self.incomplete(ty, span),
        }
    }

    pub(crate) fn alignof_expr(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        let (e, _) = self.unevaluated(operand);
        if self.is_error(&e) {
            return e;
        }
        self.align_of_place(&e, span)
    }

    fn align_of_place(&mut self, e: &Expr, span: Span) -> Expr {
        let declared = match &e.kind {
            ExprKind::Global(id) => Some(self.globals[*id].align),
            ExprKind::Local(id) => self.function.as_ref().map(|f| f.locals[*id].align),
            _ => None,
        };
        if let Some(align) = self.member_align(e) {
            return int_node(align as i128, self.size_ty(), span);
        }
        if let ExprKind::Deref(pointer) = &e.kind {
            return self.target_align(pointer, e.ty.ty, span);
        }
        match declared {
            Some(align) => {
                let align = align.max(self.types.preferred_align_of(e.ty.ty));
                int_node(align as i128, self.size_ty(), span)
            }
            None => self.align_value(self.machine_type(e), true, span),
        }
    }

    /// The alignment that a member has of its own; an attribute, packing or i386's cap may make it another than its type's.
    fn member_align(&self, e: &Expr) -> Option<u64> {
        let ExprKind::Member { base, field } = &e.kind else { return None };
        let id = self.types.record_id(base.ty.ty)?;
        Some(self.types.record(id).body.as_ref()?.fields.get(*field as usize)?.align)
    }

    /// The alignment of what a pointer is dereferenced to, or, if that is greater, of what it pointed to before it was converted. gcc
    /// does not see sums with zero, and takes what has a name for itself.
    fn target_align(&mut self, pointer: &Expr, to: TyId, span: Span) -> Expr {
        let mut pointer = without_zero(pointer);
        let is_converted = matches!(pointer.kind, ExprKind::Cast { .. });
        while let ExprKind::Cast { value, .. } = &pointer.kind
            && self.types.pointee(value.ty.ty).is_some()
        {
            pointer = without_zero(value);
        }
        if let (ExprKind::AddrOf(place), false) = (&pointer.kind, is_converted) {
            return self.align_of_place(place, span);
        }
        let before = self.types.pointee(pointer.ty.ty).map_or(to, |target| target.ty);
        if self.realigned.contains(&to) || self.realigned.contains(&before) {
            let message = "the alignment is not known: the type may stand for a typedef with one of its own";
            self.error_help(span, message, "ask for the alignment of a type or of a variable");
            return error_node(span);
        }
        let align = |ty| if self.types.is_complete(ty) { self.types.preferred_align_of(ty) } else { 1 };
        let ty = if align(before) > align(to) { before } else { to };
        self.align_value(ty, true, span)
    }

    /// Whether an expression's type may be that of a typedef with an alignment of its own.
    pub(crate) fn may_be_realigned(&self, e: &Expr) -> bool {
        let is_place = match &e.kind {
            ExprKind::Global(id) => self.globals[*id].align != self.types.align_of(e.ty.ty),
            ExprKind::Local(id) => {
                self.function.as_ref().is_none_or(|f| f.locals[*id].align != self.types.align_of(e.ty.ty))
            }
            ExprKind::Deref(_) | ExprKind::Member { .. } => true,
            _ => false,
        };
        is_place && self.realigned.contains(&e.ty.ty)
    }

    pub(crate) fn alignof_type(&mut self, ty: &ast::TypeName, gnu: bool, span: Span) -> Expr {
        let mark = self.pending_mark();
        let (ty, align) = self.type_name_aligned(ty);
        self.take_pending(mark);
        match align {
            // An attribute on a typedef, which the type itself does not know of.
            Some(align) => int_node(align as i128, self.size_ty(), span),
            None => self.align_value(ty.ty, gnu, span),
        }
    }

    fn align_value(&mut self, ty: TyId, gnu: bool, span: Span) -> Expr {
        let size_t = self.size_ty();
        match self.class(ty) {
            Class::Error => return error_node(span),
            Class::Void | Class::Function => return int_node(1, size_t, span),
            Class::Record(_) if !self.types.is_complete(ty) => return self.incomplete(ty, span),
            Class::Int(_) | Class::Float(_) | Class::Pointer(_) | Class::Array | Class::Record(_) => {}
        }
        let align = if gnu { self.types.preferred_align_of(ty) } else { self.types.align_of(ty) };
        int_node(align as i128, size_t, span)
    }

    pub(crate) fn offsetof(&mut self, ty: &ast::TypeName, path: &[OffsetofStep], span: Span) -> Expr {
        let ty = self.type_name(ty);
        let size_t = self.size_ty();
        let mut at = ty.ty;
        let mut offset = 0i128;
        let mut variable: Option<Expr> = None;
        for step in path {
            match step {
                OffsetofStep::Field(name, field_span) => {
                    // A member of a value that is never evaluated: only its path is of interest.
                    let base = node(ExprKind::Int(0), at, span);
                    let mut e = self.member_of(base, *name, *field_span, span);
                    if self.is_error(&e) {
                        return e;
                    }
                    if self.bit_range(&e).is_some() {
                        self.error(*field_span, "a bit-field has no offset in bytes");
                        return error_node(span);
                    }
                    at = e.ty.ty;
                    while let ExprKind::Member { base, field } = e.kind {
                        offset += self.field_offset(base.ty.ty, field) as i128;
                        e = *base;
                    }
                }
                OffsetofStep::Index(index) => {
                    let Type::Array(elem, _) = self.types.get(at) else {
                        let shown = self.show(at);
                        self.error(index.span, format!("a subscript in something of type '{shown}'"));
                        return error_node(span);
                    };
                    at = elem.ty;
                    let Some(size) = self.types.size_of(at) else { return self.incomplete(at, span) };
                    let index = self.rvalue(index);
                    match self.try_const_int(&index) {
                        Some(i) => offset += i * size as i128,
                        None => {
                            let size = int_node(size as i128, size_t, span);
                            let index = self.convert_for_assign(index, size_t.into(), "subscript");
                            let scaled = self.binary_values(BinaryOp::Mul, index, size, span);
                            variable = Some(match variable {
                                Some(sum) => self.binary_values(BinaryOp::Add, sum, scaled, span),
                                None => scaled,
                            });
                        }
                    }
                }
            }
        }
        let fixed = int_node(self.wrap_int(offset, self.types.size_kind()), size_t, span);
        match variable {
            Some(variable) => self.binary_values(BinaryOp::Add, variable, fixed, span),
            None => fixed,
        }
    }

    /// The byte offset of a field by its index.
    pub(crate) fn field_offset(&self, record: TyId, field: u32) -> u64 {
        let Class::Record(record) = self.class(record) else { return 0 };
        let body = self.types.record(record).body.as_ref();
        body.and_then(|b| b.fields.get(field as usize)).map_or(0, |f| f.offset)
    }

    pub(crate) fn generic(&mut self, control: &ast::Expr, arms: &[ast::GenericArm], span: Span) -> Expr {
        self.unevaluated += 1;
        let mark = self.pending_mark();
        let control = self.rvalue(control);
        self.take_pending(mark);
        self.unevaluated -= 1;
        // A bit-field's type is its own and matches no type that can be written.
        let named = self.field_width(&control).is_none();
        let mut chosen = None;
        for arm in arms {
            match &arm.ty {
                Some(ty) => {
                    let ty = self.type_name(ty);
                    if named && ty.quals == Quals::default() && self.types.compatible(ty.ty, control.ty.ty) {
                        chosen = Some(&arm.value);
                        break;
                    }
                }
                None => chosen = chosen.or(Some(&arm.value)),
            }
        }
        match chosen {
            Some(value) => self.expr(value),
            None if self.is_error(&control) => control,
            None => {
                let shown = self.show(control.ty.ty);
                self.error_help(
                    span,
                    format!("no association of '_Generic' has the type '{shown}'"),
                    "add one for this type, or a default",
                );
                error_node(span)
            }
        }
    }

    pub(crate) fn types_compatible(&mut self, a: &ast::TypeName, b: &ast::TypeName, span: Span) -> Expr {
        let mark = self.pending_mark();
        let a = self.type_name(a);
        let b = self.type_name(b);
        self.take_pending(mark);
        // Top-level qualifiers do not count.
        let same = self.types.compatible(a.ty, b.ty);
        int_node(same as i128, TypeTable::INT, span)
    }

    pub(crate) fn choose(&mut self, cond: &ast::Expr, a: &ast::Expr, b: &ast::Expr) -> Expr {
        match self.const_int(cond, "the condition of '__builtin_choose_expr'") {
            Some(0) => self.expr(b),
            Some(_) => self.expr(a),
            None => error_node(cond.span),
        }
    }
}

/// Whether evaluating an expression can do anything but yield a value.
pub(crate) fn has_effect(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::Func(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::SizeofVla(_) => false,
        ExprKind::Deref(x)
        | ExprKind::AddrOf(x)
        | ExprKind::Decay(x)
        | ExprKind::Neg(x)
        | ExprKind::BitNot(x)
        | ExprKind::Not(x)
        | ExprKind::Member { base: x, .. }
        | ExprKind::Cast { value: x, .. } => has_effect(x),
        ExprKind::Load(x) => is_volatile(x.ty) || has_effect(x),
        ExprKind::Binary(_, a, b)
        | ExprKind::PtrDiff(a, b)
        | ExprKind::LogicalAnd(a, b)
        | ExprKind::LogicalOr(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::PtrAdd { pointer: a, index: b, .. } => has_effect(a) || has_effect(b),
        ExprKind::Cond { cond, then, otherwise, .. } => {
            has_effect(cond) || then.as_deref().is_some_and(has_effect) || has_effect(otherwise)
        }
        ExprKind::StmtExpr(block) => block_has_effect(block),
        ExprKind::CompoundLiteral { .. }
        | ExprKind::Assign { .. }
        | ExprKind::CompoundAssign { .. }
        | ExprKind::IncDec { .. }
        | ExprKind::Call { .. }
        | ExprKind::Builtin { .. }
        | ExprKind::VaArg { .. } => true,
    }
}

/// A pointer without the zeros that are added to it.
fn without_zero(pointer: &Expr) -> &Expr {
    match &pointer.kind {
        ExprKind::PtrAdd { pointer, index, .. } if matches!(index.kind, ExprKind::Int(0)) => without_zero(pointer),
        _ => pointer,
    }
}

fn is_volatile(ty: QualTy) -> bool {
    ty.quals.is_volatile
}

fn block_has_effect(block: &Block) -> bool {
    block.stmts.iter().any(|s| match &s.kind {
        StmtKind::Empty => false,
        StmtKind::Expr(e) => has_effect(e),
        _ => true,
    })
}
