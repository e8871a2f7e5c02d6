//! Unary and binary operators, `&&`, `||` and `?:`.

use super::Sema;
use super::convert::{Arith, Class, error_node, node};
use super::expr::merge_quals;
use super::float;
use crate::ast::{self, UnaryOp};
use crate::hir::{BinaryOp, CastKind, Expr, ExprKind};
use crate::source::Span;
use crate::types::{IntKind, QualTy, TyId, Type, TypeTable};

impl Sema<'_> {
    pub(crate) fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Expr {
        match op {
            UnaryOp::Extension => self.expr(operand),
            UnaryOp::AddrOf => self.address_of(operand, span),
            UnaryOp::Deref => {
                let pointer = self.rvalue(operand);
                self.deref(pointer, span)
            }
            UnaryOp::Not => {
                let value = self.rvalue(operand);
                let value = self.check_scalar(value);
                if self.is_error(&value) {
                    return value;
                }
                node(ExprKind::Not(Box::new(value)), TypeTable::INT, span)
            }
            UnaryOp::Plus | UnaryOp::Neg | UnaryOp::BitNot => {
                let value = self.rvalue(operand);
                self.unary_arith(op, value, span)
            }
            UnaryOp::Real => {
                let value = self.rvalue(operand);
                match self.arith_of(&value) {
                    Some(_) => value,
                    None => self.unsupported_complex(span),
                }
            }
            UnaryOp::Imag => self.unsupported_complex(span),
        }
    }

    fn unary_arith(&mut self, op: UnaryOp, value: Expr, span: Span) -> Expr {
        if self.is_error(&value) {
            return value;
        }
        let arith = match self.arith_of(&value) {
            Some(Arith::Float(_)) if op == UnaryOp::BitNot => None,
            arith => arith,
        };
        let Some(arith) = arith else {
            let shown = self.show(value.ty.ty);
            let sign = match op {
                UnaryOp::Plus => "+",
                UnaryOp::BitNot => "~",
                _ => "-",
            };
            self.error(span, format!("unary '{sign}' cannot be applied to something of type '{shown}'"));
            return error_node(span);
        };
        let value = self.arith_operand(value, arith);
        let ty = arith.ty();
        let kind = match (op, &value.kind, arith) {
            (UnaryOp::Plus, ..) => {
                // A node of its own type: `+s.field` is no bit-field any more unless it keeps a wide one's precision.
                return Expr { span, ..value };
            }
            (UnaryOp::Neg, ExprKind::Int(v), Arith::Int { kind, width: None })
                if self.wrap_int(v.wrapping_neg(), kind) == v.wrapping_neg() =>
            {
                return node(ExprKind::Int(v.wrapping_neg()), ty, span);
            }
            (UnaryOp::Neg, ExprKind::Float(bits), Arith::Float(kind)) => {
                return node(ExprKind::Float(float::negate(*bits, self.float_format(kind))), ty, span);
            }
            (UnaryOp::Neg, ..) => ExprKind::Neg(Box::new(value)),
            _ => ExprKind::BitNot(Box::new(value)),
        };
        self.arith_result(node(kind, ty, span), arith)
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let a = self.rvalue(a);
        let b = self.rvalue(b);
        self.binary_values(op, a, b, span)
    }

    pub(crate) fn binary_values(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        if self.is_error(&a) || self.is_error(&b) {
            return error_node(span);
        }
        match op {
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, a, b, span),
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
                self.comparison(op, a, b, span)
            }
            BinaryOp::Add | BinaryOp::Sub => self.additive(op, a, b, span),
            BinaryOp::Mul | BinaryOp::Div => self.arithmetic(op, a, b, span),
            BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr => {
                match (self.class(a.ty.ty), self.class(b.ty.ty)) {
                    (Class::Int(_), Class::Int(_)) => self.arithmetic(op, a, b, span),
                    _ => self.bad_operands(op, &a, &b, span),
                }
            }
        }
    }

    pub(crate) fn bad_operands(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Expr {
        let (shown_a, shown_b) = (self.show(a.ty.ty), self.show(b.ty.ty));
        let sign = operator_text(op);
        self.error(span, format!("'{sign}' cannot be applied to '{shown_a}' and '{shown_b}'"));
        error_node(span)
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (Some(x), Some(y)) = (self.arith_of(&a), self.arith_of(&b)) else {
            return self.bad_operands(op, &a, &b, span);
        };
        let common = self.common_arith(x, y);
        let a = self.arith_operand(a, common);
        let b = self.arith_operand(b, common);
        let result = node(ExprKind::Binary(op, Box::new(a), Box::new(b)), common.ty(), span);
        self.arith_result(result, common)
    }

    fn shift(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (Some(left @ Arith::Int { .. }), Some(Arith::Int { .. })) = (self.arith_of(&a), self.arith_of(&b)) else {
            return self.bad_operands(op, &a, &b, span);
        };
        let a = self.arith_operand(a, left);
        let b = self.promote(b);
        let result = node(ExprKind::Binary(op, Box::new(a), Box::new(b)), left.ty(), span);
        self.arith_result(result, left)
    }

    fn additive(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        match (self.class(a.ty.ty), self.class(b.ty.ty), op) {
            (Class::Pointer(_), Class::Int(_), _) => self.pointer_add(a, b, op == BinaryOp::Sub, span),
            (Class::Int(_), Class::Pointer(_), BinaryOp::Add) => self.pointer_add(b, a, false, span),
            (Class::Pointer(x), Class::Pointer(y), BinaryOp::Sub) => {
                if !self.types.compatible(x.ty, y.ty) && self.types.size_of(x.ty) != self.types.size_of(y.ty) {
                    return self.bad_operands(op, &a, &b, span);
                }
                if let Some(bad) = self.check_stride(a.ty.ty, span) {
                    return bad;
                }
                let ty = TypeTable::int_id(self.types.ptrdiff_kind());
                node(ExprKind::PtrDiff(Box::new(a), Box::new(b)), ty, span)
            }
            _ => self.arithmetic(op, a, b, span),
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (a, b) = match (self.class(a.ty.ty), self.class(b.ty.ty)) {
            (Class::Int(_) | Class::Float(_), Class::Int(_) | Class::Float(_)) => {
                let (Some(x), Some(y)) = (self.arith_of(&a), self.arith_of(&b)) else {
                    return self.bad_operands(op, &a, &b, span);
                };
                let common = self.common_arith(x, y);
                (self.arith_operand(a, common), self.arith_operand(b, common))
            }
            (Class::Pointer(_), Class::Pointer(_) | Class::Int(_)) => {
                let common = a.ty.ty;
                let b = self.scalar_cast(b, common, true);
                (a, b)
            }
            (Class::Int(_), Class::Pointer(_)) => {
                let common = b.ty.ty;
                let a = self.scalar_cast(a, common, true);
                (a, b)
            }
            _ => return self.bad_operands(op, &a, &b, span),
        };
        node(ExprKind::Binary(op, Box::new(a), Box::new(b)), TypeTable::INT, span)
    }

    pub(crate) fn logical(&mut self, a: &ast::Expr, b: &ast::Expr, and: bool, span: Span) -> Expr {
        let a = self.rvalue(a);
        let a = self.check_scalar(a);
        let b = self.rvalue(b);
        let b = self.check_scalar(b);
        if self.is_error(&a) || self.is_error(&b) {
            return error_node(span);
        }
        let (a, b) = (Box::new(a), Box::new(b));
        let kind = if and { ExprKind::LogicalAnd(a, b) } else { ExprKind::LogicalOr(a, b) };
        node(kind, TypeTable::INT, span)
    }

    pub(crate) fn conditional(
        &mut self,
        cond: &ast::Expr,
        then: Option<&ast::Expr>,
        otherwise: &ast::Expr,
        span: Span,
    ) -> Expr {
        let cond = self.rvalue(cond);
        let cond = self.check_scalar(cond);
        let then = then.map(|e| self.rvalue(e));
        let otherwise = self.rvalue(otherwise);
        self.conditional_values(cond, then, otherwise, span)
    }

    pub(crate) fn conditional_values(&mut self, cond: Expr, then: Option<Expr>, otherwise: Expr, span: Span) -> Expr {
        let first = then.as_ref().unwrap_or(&cond);
        if self.is_error(&cond) || self.is_error(first) || self.is_error(&otherwise) {
            return error_node(span);
        }
        if let (Some(x), Some(y)) = (self.arith_of(first), self.arith_of(&otherwise)) {
            let common = self.common_arith(x, y);
            let elvis_cast = then.is_none().then(|| self.elvis_cast(cond.ty.ty, common.ty()));
            let then = then.map(|e| Box::new(self.arith_operand(e, common)));
            let otherwise = Box::new(self.arith_operand(otherwise, common));
            let kind = ExprKind::Cond { cond: Box::new(cond), then, otherwise, elvis_cast };
            return self.arith_result(node(kind, common.ty(), span), common);
        }
        let (x, y) = (first.ty.ty, otherwise.ty.ty);
        let then_is_null = then.as_ref().is_some_and(|e| self.is_null_constant(e));
        let otherwise_is_null = self.is_null_constant(&otherwise);
        let Some(ty) = self.conditional_type(x, y, then_is_null, otherwise_is_null) else {
            let (shown_x, shown_y) = (self.show(x), self.show(y));
            self.error(span, format!("the arms of '?:' have types '{shown_x}' and '{shown_y}', which do not meet"));
            return error_node(span);
        };
        let elvis_cast = then.is_none().then(|| self.elvis_cast(cond.ty.ty, ty));
        let then = then.map(|e| Box::new(self.scalar_cast(e, ty, true)));
        let otherwise = Box::new(self.scalar_cast(otherwise, ty, true));
        node(ExprKind::Cond { cond: Box::new(cond), then, otherwise, elvis_cast }, ty, span)
    }

    fn elvis_cast(&self, from: TyId, to: TyId) -> CastKind {
        if from == to { CastKind::NoOp } else { self.cast_kind(from, to).unwrap_or(CastKind::NoOp) }
    }

    /// The type of `c ? x : y` where not both arms are arithmetic (C11 6.5.15, with gcc's leniency).
    fn conditional_type(&mut self, x: TyId, y: TyId, x_null: bool, y_null: bool) -> Option<TyId> {
        Some(match (self.class(x), self.class(y)) {
            (Class::Void, _) | (_, Class::Void) => TypeTable::VOID,
            (Class::Record(_), Class::Record(_)) => return (x == y || self.types.compatible(x, y)).then_some(x),
            (Class::Pointer(a), Class::Pointer(b)) => {
                if x == y || y_null {
                    x
                } else if x_null {
                    y
                } else {
                    let quals = merge_quals(a.quals, b.quals);
                    let ty = if self.types.compatible(a.ty, b.ty) {
                        self.types.composite(a.ty, b.ty)
                    } else {
                        TypeTable::VOID
                    };
                    self.types.intern(Type::Pointer(QualTy { ty, quals }))
                }
            }
            (Class::Pointer(_), Class::Int(_)) => x,
            (Class::Int(_), Class::Pointer(_)) => y,
            _ => return None,
        })
    }

    /// The unsigned kind of so many bits that gcc's builtins use.
    pub(crate) fn unsigned_of_bits(&self, bits: u32) -> IntKind {
        let target = &self.types.target;
        [IntKind::UChar, IntKind::UShort, IntKind::UInt, IntKind::ULong, IntKind::ULLong]
            .into_iter()
            .find(|k| k.bits(target) == bits)
            .unwrap_or(IntKind::UInt128)
    }
}

/// As C writes it.
pub(crate) fn operator_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
    }
}
