//! Bit-fields in expressions.
//!
//! gcc gives a bit-field narrower than its declared type an integer type of its own width. Up to the width of `int` it
//! promotes to `int`; wider ones keep their precision through arithmetic, which wraps at that many bits. The typed tree has no
//! such types. An expression of that kind has the declared type, its value always fits the width, and
//! [`Sema::field_width`] reads the width off the tree's shape.

use super::Sema;
use super::convert::{Class, int_node, node, wrap_bits};
use crate::hir::{BinaryOp, Expr, ExprKind, StmtKind};
use crate::types::{BitRange, IntKind, QualTy, TyId, TypeTable};

/// The type of the shift counts in a truncation. Counts in the program's own shifts are promoted, never of this type,
/// so it tells the two apart.
const MARK: IntKind = IntKind::UChar;

impl Sema<'_> {
    /// The bits of the bit-field that an lvalue or member value designates.
    pub(crate) fn bit_range(&self, e: &Expr) -> Option<BitRange> {
        let ExprKind::Member { base, field } = &e.kind else { return None };
        let Class::Record(record) = self.class(base.ty.ty) else { return None };
        self.types.record(record).body.as_ref()?.fields.get(*field as usize)?.bits
    }

    /// The width of a value that comes from a bit-field narrower than its type.
    pub(crate) fn field_width(&self, e: &Expr) -> Option<u32> {
        let width = match &e.kind {
            ExprKind::Load(target) => self.bit_range(target)?.width,
            ExprKind::Member { .. } => self.bit_range(e)?.width,
            ExprKind::Assign { target, .. }
            | ExprKind::CompoundAssign { target, .. }
            | ExprKind::IncDec { target, .. } => self.bit_range(target)?.width,
            ExprKind::Comma(_, last) => return self.field_width(last),
            ExprKind::StmtExpr(block) => match &block.stmts.last()?.kind {
                StmtKind::Expr(last) => return self.field_width(last),
                _ => return None,
            },
            ExprKind::Binary(BinaryOp::Shr, _, count) if count.ty.ty == TypeTable::int_id(MARK) => {
                let ExprKind::Int(count) = count.kind else { return None };
                self.int_bits(e.ty)?.checked_sub(count as u32)?
            }
            _ => return None,
        };
        (width < self.int_bits(e.ty)?).then_some(width)
    }

    /// The type that says how large an expression's value is: a value of a bit-field's width takes the smallest machine
    /// integer of at least that width (`sizeof(s.f = 1)` is 2 for nine bits), any other one its own type.
    pub(crate) fn machine_type(&self, e: &Expr) -> TyId {
        let Some(width) = self.field_width(e) else { return e.ty.ty };
        let bytes = u64::from(width).div_ceil(8).next_power_of_two();
        let signed = matches!(self.class(e.ty.ty), Class::Int(kind) if kind.is_signed(&self.types.target));
        self.types.int_of_bytes(bytes, signed).map_or(e.ty.ty, TypeTable::int_id)
    }

    /// Reports `typeof` and `__auto_type` of a value that has a bit-field's width: gcc declares an object of exactly that
    /// width, which no type here has.
    pub(crate) fn require_whole_width(&mut self, e: &Expr) {
        if self.bit_range(e).is_some() || self.field_width(e).is_some() {
            self.error_help(
                e.span,
                "the type of this expression has the width of a bit-field, which Plumb does not model for objects",
                "write the type that is meant",
            );
        }
    }

    fn int_bits(&self, ty: QualTy) -> Option<u32> {
        match self.class(ty.ty) {
            Class::Int(kind) => Some(kind.bits(&self.types.target)),
            _ => None,
        }
    }

    /// The low `width` bits of an integer, extended by its type's sign.
    pub(crate) fn truncate(&mut self, e: Expr, width: u32) -> Expr {
        let Class::Int(kind) = self.class(e.ty.ty) else { return e };
        let target = self.types.target;
        let span = e.span;
        if let ExprKind::Int(value) = e.kind {
            return int_node(wrap_bits(value, width, kind.is_signed(&target)), e.ty.ty, span);
        }
        let count = || Box::new(int_node((kind.bits(&target) - width) as i128, TypeTable::int_id(MARK), span));
        // Shifted left as unsigned, so that no overflow check sees a signed shift.
        let unsigned = TypeTable::int_id(kind.to_unsigned());
        let wide = self.scalar_cast(e, unsigned, false);
        let high = node(ExprKind::Binary(BinaryOp::Shl, Box::new(wide), count()), unsigned, span);
        let high = self.scalar_cast(high, TypeTable::int_id(kind), false);
        node(ExprKind::Binary(BinaryOp::Shr, Box::new(high), count()), TypeTable::int_id(kind), span)
    }
}
