//! Conversions: integer promotions, usual arithmetic conversions, casts, and conversion as if by assignment.
//!
//! Every conversion becomes a `Cast` node, or a new constant where the operand is one. What gcc 12 merely warns about
//! (mixing pointers of different types, pointers and integers) is accepted without a word.

use super::Sema;
use crate::hir::{CastKind, Expr, ExprKind};
use crate::sema::float;
use crate::source::Span;
use crate::target::FloatFormat;
use crate::types::{FloatKind, IntKind, QualTy, RecordId, TyId, Type, TypeTable};

/// A type as the rules of expressions tell types apart: enums are their integer types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Void,
    Int(IntKind),
    Float(FloatKind),
    /// With the type pointed to.
    Pointer(QualTy),
    Array,
    Function,
    Record(RecordId),
    Error,
}

/// The type in which arithmetic is done. `width` is the precision of gcc's bit-field types wider than `int` that equal
/// no standard type: arithmetic on `unsigned long long x : 33` wraps at 33 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arith {
    Int { kind: IntKind, width: Option<u32> },
    Float(FloatKind),
}

impl Arith {
    pub(crate) const INT: Arith = Arith::Int { kind: IntKind::Int, width: None };

    pub(crate) fn ty(self) -> TyId {
        match self {
            Arith::Int { kind, .. } => TypeTable::int_id(kind),
            Arith::Float(kind) => TypeTable::float_id(kind),
        }
    }
}

pub(crate) fn node(kind: ExprKind, ty: impl Into<QualTy>, span: Span) -> Expr {
    Expr { kind, ty: ty.into(), span }
}

pub(crate) fn int_node(value: i128, ty: TyId, span: Span) -> Expr {
    node(ExprKind::Int(value), ty, span)
}

/// Stands for an expression that has been reported.
pub(crate) fn error_node(span: Span) -> Expr {
    node(ExprKind::Int(0), TypeTable::ERROR, span)
}

/// The value of so many low bits, sign- or zero-extended.
pub(crate) fn wrap_bits(value: i128, bits: u32, signed: bool) -> i128 {
    match 128 - bits.min(128) {
        128 => 0,
        shift if signed => (value << shift) >> shift,
        shift => (((value as u128) << shift) >> shift) as i128,
    }
}

impl Sema<'_> {
    pub(crate) fn class(&self, ty: TyId) -> Class {
        match self.types.get(ty) {
            Type::Void => Class::Void,
            Type::Int(kind) => Class::Int(*kind),
            Type::Float(kind) => Class::Float(*kind),
            Type::Pointer(to) => Class::Pointer(*to),
            Type::Array(..) => Class::Array,
            Type::Function(_) => Class::Function,
            Type::Record(id) => Class::Record(*id),
            Type::Enum(id) => Class::Int(self.types.enumeration(*id).underlying.unwrap_or(IntKind::UInt)),
            Type::Error => Class::Error,
        }
    }

    pub(crate) fn is_error(&self, e: &Expr) -> bool {
        e.ty.ty == TypeTable::ERROR
    }

    pub(crate) fn show(&self, ty: TyId) -> String {
        self.types.show(ty, self.names)
    }

    pub(crate) fn float_format(&self, kind: FloatKind) -> FloatFormat {
        kind.format(&self.types.target)
    }

    pub(crate) fn wrap_int(&self, value: i128, kind: IntKind) -> i128 {
        wrap_bits(value, kind.bits(&self.types.target), kind.is_signed(&self.types.target))
    }

    pub(crate) fn size_ty(&self) -> TyId {
        TypeTable::int_id(self.types.size_kind())
    }

    /// The integer promotion of a kind (C11 6.3.1.1).
    pub(crate) fn promoted_kind(&self, kind: IntKind) -> IntKind {
        let target = &self.types.target;
        if kind.rank() >= IntKind::Int.rank() {
            kind
        } else if kind.bits(target) < IntKind::Int.bits(target) || kind.is_signed(target) {
            IntKind::Int
        } else {
            IntKind::UInt
        }
    }

    /// The type an arithmetic operand is promoted to, `None` for other operands.
    pub(crate) fn arith_of(&self, e: &Expr) -> Option<Arith> {
        let kind = match self.class(e.ty.ty) {
            Class::Int(kind) => kind,
            Class::Float(kind) => return Some(Arith::Float(kind)),
            Class::Void | Class::Pointer(_) | Class::Array | Class::Function | Class::Record(_) | Class::Error => {
                return None;
            }
        };
        Some(match self.field_width(e) {
            None => Arith::Int { kind: self.promoted_kind(kind), width: None },
            Some(width) => self.promoted_field(kind, width),
        })
    }

    /// The promotion of a bit-field narrower than its type: to the standard type of its width where there is one.
    fn promoted_field(&self, kind: IntKind, width: u32) -> Arith {
        let target = &self.types.target;
        let int_bits = IntKind::Int.bits(target);
        let standard = |k: IntKind| if kind.is_signed(target) { k } else { k.to_unsigned() };
        if width < int_bits {
            Arith::INT
        } else if let Some(k) =
            [IntKind::Int, IntKind::Long, IntKind::LLong].into_iter().find(|k| k.bits(target) == width)
        {
            Arith::Int { kind: standard(k), width: None }
        } else {
            Arith::Int { kind, width: Some(width) }
        }
    }

    /// The usual arithmetic conversions (C11 6.3.1.8) on promoted types.
    pub(crate) fn common_arith(&self, a: Arith, b: Arith) -> Arith {
        match (a, b) {
            (Arith::Float(x), Arith::Float(y)) => Arith::Float(x.max(y)),
            (Arith::Float(x), Arith::Int { .. }) | (Arith::Int { .. }, Arith::Float(x)) => Arith::Float(x),
            (Arith::Int { kind: x, width: None }, Arith::Int { kind: y, width: None }) => {
                Arith::Int { kind: self.common_kind(x, y), width: None }
            }
            (Arith::Int { kind: x, width: wx }, Arith::Int { kind: y, width: wy }) => {
                // gcc ranks these types by precision alone and prefers the unsigned one of two equals.
                let target = &self.types.target;
                let bits = |kind: IntKind, width: Option<u32>| width.unwrap_or(kind.bits(target));
                match bits(x, wx).cmp(&bits(y, wy)) {
                    std::cmp::Ordering::Greater => a,
                    std::cmp::Ordering::Less => b,
                    std::cmp::Ordering::Equal if x.is_signed(target) => b,
                    std::cmp::Ordering::Equal => a,
                }
            }
        }
    }

    fn common_kind(&self, x: IntKind, y: IntKind) -> IntKind {
        let target = &self.types.target;
        if x == y {
            return x;
        }
        if x.is_signed(target) == y.is_signed(target) {
            return if x.rank() >= y.rank() { x } else { y };
        }
        let (signed, unsigned) = if x.is_signed(target) { (x, y) } else { (y, x) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.bits(target) > unsigned.bits(target) {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// Converts an arithmetic operand to the type of an operation.
    pub(crate) fn arith_operand(&mut self, e: Expr, to: Arith) -> Expr {
        let width_known = match to {
            Arith::Int { width: Some(width), .. } => self.field_width(&e) == Some(width) && e.ty.ty == to.ty(),
            Arith::Int { width: None, .. } | Arith::Float(_) => true,
        };
        let converted = self.scalar_cast(e, to.ty(), true);
        match to {
            Arith::Int { width: Some(width), .. } if !width_known => self.truncate(converted, width),
            Arith::Int { .. } | Arith::Float(_) => converted,
        }
    }

    /// Marks the result of an operation as one of the operation's type, cut to its precision.
    pub(crate) fn arith_result(&mut self, e: Expr, ty: Arith) -> Expr {
        match ty {
            Arith::Int { width: Some(width), .. } => self.truncate(e, width),
            Arith::Int { width: None, .. } | Arith::Float(_) => e,
        }
    }

    /// Integer promotion; other values are left alone.
    pub(crate) fn promote(&mut self, e: Expr) -> Expr {
        match self.arith_of(&e) {
            Some(to @ Arith::Int { .. }) => self.arith_operand(e, to),
            Some(Arith::Float(_)) | None => e,
        }
    }

    /// Default argument promotions (C11 6.5.2.2p6).
    pub(crate) fn promote_argument(&mut self, e: Expr) -> Expr {
        match self.arith_of(&e) {
            Some(Arith::Float(FloatKind::Float)) => self.arith_operand(e, Arith::Float(FloatKind::Double)),
            Some(to @ Arith::Int { .. }) => self.arith_operand(e, to),
            Some(Arith::Float(_)) | None => e,
        }
    }

    /// How a scalar, or an equal record, converts; `None` when it does not.
    pub(crate) fn cast_kind(&self, from: TyId, to: TyId) -> Option<CastKind> {
        Some(match (self.class(from), self.class(to)) {
            (_, Class::Void) => CastKind::ToVoid,
            (Class::Int(_) | Class::Float(_) | Class::Pointer(_), Class::Int(IntKind::Bool)) => CastKind::ToBool,
            (Class::Int(_), Class::Int(_)) => CastKind::IntToInt,
            (Class::Int(_), Class::Float(_)) => CastKind::IntToFloat,
            (Class::Int(_), Class::Pointer(_)) => CastKind::IntToPtr,
            (Class::Float(_), Class::Int(_)) => CastKind::FloatToInt,
            (Class::Float(_), Class::Float(_)) => CastKind::FloatToFloat,
            (Class::Pointer(_), Class::Int(_)) => CastKind::PtrToInt,
            (Class::Pointer(_), Class::Pointer(_)) => CastKind::PtrToPtr,
            (Class::Record(a), Class::Record(b)) if a == b => CastKind::NoOp,
            (Class::Record(_), Class::Record(_)) if self.types.compatible(from, to) => CastKind::NoOp,
            (Class::Error, _) | (_, Class::Error) => CastKind::NoOp,
            _ => return None,
        })
    }

    /// Casts between types that [`Self::cast_kind`] knows to convert; anything else is left to the caller to have
    /// reported, and merely retyped.
    pub(crate) fn scalar_cast(&mut self, value: Expr, to: TyId, implicit: bool) -> Expr {
        if value.ty.ty == to {
            return Expr { ty: to.into(), ..value };
        }
        match self.cast_kind(value.ty.ty, to) {
            Some(kind) => self.cast_node(value, to, kind, implicit),
            None => Expr { ty: TypeTable::ERROR.into(), ..value },
        }
    }

    /// Builds a cast, folding constants where the result is defined. An integer that C itself would change by the
    /// conversion stays one that is converted, for those who want to know.
    pub(crate) fn cast_node(&mut self, value: Expr, to: TyId, kind: CastKind, implicit: bool) -> Expr {
        if kind == CastKind::IntToPtr && self.unevaluated == 0 {
            self.note_device(&value, to);
        }
        if let Some(folded) = self.fold_cast(&value, to, kind)
            && !(implicit && kind == CastKind::IntToInt && changes_integer(&value.kind, &folded))
        {
            return node(folded, to, value.span);
        }
        let span = value.span;
        node(ExprKind::Cast { kind, value: Box::new(value), implicit }, to, span)
    }

    fn fold_cast(&self, value: &Expr, to: TyId, kind: CastKind) -> Option<ExprKind> {
        let pointer_bits = self.types.target.pointer_bits();
        match value.kind {
            ExprKind::Int(v) => Some(match (kind, self.class(to)) {
                (CastKind::ToBool, _) => ExprKind::Int((v != 0) as i128),
                (CastKind::IntToInt | CastKind::PtrToInt, Class::Int(k)) => ExprKind::Int(self.wrap_int(v, k)),
                (CastKind::IntToFloat, Class::Float(k)) => {
                    let unsigned = self.class(value.ty.ty) == Class::Int(IntKind::UInt128);
                    ExprKind::Float(float::from_int(v, unsigned, self.float_format(k)))
                }
                (CastKind::IntToPtr, _) => ExprKind::Int(wrap_bits(v, pointer_bits, false)),
                (CastKind::PtrToPtr, _) => ExprKind::Int(v),
                _ => return None,
            }),
            ExprKind::Float(bits) => {
                let Class::Float(from) = self.class(value.ty.ty) else { return None };
                let format = self.float_format(from);
                Some(match (kind, self.class(to)) {
                    (CastKind::ToBool, _) => ExprKind::Int(!float::is_zero(bits, format) as i128),
                    (CastKind::FloatToFloat, Class::Float(k)) => {
                        ExprKind::Float(float::convert(bits, format, self.float_format(k)))
                    }
                    (CastKind::FloatToInt, Class::Int(k)) => {
                        let target = &self.types.target;
                        ExprKind::Int(float::to_int(bits, format, k.bits(target), k.is_signed(target))?)
                    }
                    _ => return None,
                })
            }
            _ => None,
        }
    }

    /// Converts as if by assignment to an object of type `to`. `context` names the place in a message: "assignment",
    /// "argument", "initialisation".
    pub(crate) fn convert_for_assign(&mut self, value: Expr, to: QualTy, context: &str) -> Expr {
        let value = self.loaded(value);
        let (from, to) = (value.ty.ty, to.ty);
        if from == to {
            return value;
        }
        if from == TypeTable::ERROR || to == TypeTable::ERROR {
            return Expr { ty: to.into(), ..value };
        }
        if from == TypeTable::VOID {
            self.error_help(
                value.span,
                format!("{context} of an expression of type 'void', which has no value"),
                "give the function called a return type, or drop the use of its result",
            );
            return error_node(value.span);
        }
        let allowed = match (self.class(from), self.class(to)) {
            (_, Class::Void | Class::Array | Class::Function) => false,
            (Class::Int(_) | Class::Float(_), Class::Int(_) | Class::Float(_)) => true,
            (Class::Int(_) | Class::Pointer(_), Class::Int(_) | Class::Pointer(_)) => true,
            (Class::Record(_), Class::Record(_)) => self.types.compatible(from, to),
            _ => false,
        };
        if allowed {
            return self.scalar_cast(value, to, true);
        }
        let (shown_from, shown_to) = (self.show(from), self.show(to));
        self.error_help(
            value.span,
            format!("incompatible types in {context}: '{shown_to}' is needed, this is '{shown_from}'"),
            "convert the value explicitly, or correct one of the types",
        );
        Expr { ty: to.into(), ..error_node(value.span) }
    }

    /// An explicit cast `(to)value` of an rvalue.
    pub(crate) fn explicit_cast(&mut self, value: Expr, to: TyId, span: Span) -> Expr {
        let from = value.ty.ty;
        if from == TypeTable::ERROR || to == TypeTable::ERROR {
            return Expr { ty: to.into(), ..error_node(span) };
        }
        if let Class::Record(record) = self.class(to)
            && from != to
            && self.types.record(record).is_union
            && let Some(field) = self.union_member_of_type(record, from)
        {
            let kind = CastKind::ToUnion { field };
            return node(ExprKind::Cast { kind, value: Box::new(value), implicit: false }, to, span);
        }
        if from == to {
            if self.field_width(&value).is_none() {
                return Expr { ty: to.into(), span, ..value };
            }
            // The node keeps the value from being taken for a bit-field's.
            let kind = CastKind::NoOp;
            return node(ExprKind::Cast { kind, value: Box::new(value), implicit: false }, to, span);
        }
        match self.cast_kind(from, to) {
            Some(kind) => Expr { span, ..self.cast_node(value, to, kind, false) },
            None => {
                let (shown_from, shown_to) = (self.show(from), self.show(to));
                self.error(span, format!("a value of type '{shown_from}' cannot be cast to '{shown_to}'"));
                Expr { ty: to.into(), ..error_node(span) }
            }
        }
    }

    /// The member that GNU's cast to a union sets: the first one of the value's type.
    pub(crate) fn union_member_of_type(&self, union: RecordId, ty: TyId) -> Option<u32> {
        let body = self.types.record(union).body.as_ref()?;
        let fields = &body.fields;
        fields.iter().position(|f| f.name.is_some() && self.types.compatible(f.ty.ty, ty)).map(|i| i as u32)
    }

    /// Whether a value is a null pointer constant (C11 6.3.2.3p3).
    pub(crate) fn is_null_constant(&mut self, e: &Expr) -> bool {
        match self.class(e.ty.ty) {
            Class::Int(_) => self.try_const_int(e) == Some(0),
            Class::Pointer(to) if to == QualTy::from(TypeTable::VOID) => match &e.kind {
                ExprKind::Int(v) => *v == 0,
                ExprKind::Cast { kind: CastKind::IntToPtr, value, .. } => self.try_const_int(value) == Some(0),
                _ => false,
            },
            _ => false,
        }
    }

    /// Checks that a condition is a scalar.
    pub(crate) fn check_scalar(&mut self, e: Expr) -> Expr {
        match self.class(e.ty.ty) {
            Class::Int(_) | Class::Float(_) | Class::Pointer(_) | Class::Error => e,
            Class::Void | Class::Array | Class::Function | Class::Record(_) => {
                let shown = self.show(e.ty.ty);
                self.error(e.span, format!("a condition must be a number or a pointer, and this has type '{shown}'"));
                error_node(e.span)
            }
        }
    }
}

/// Whether an integer became another one.
fn changes_integer(from: &ExprKind, to: &ExprKind) -> bool {
    matches!((from, to), (ExprKind::Int(from), ExprKind::Int(to)) if from != to)
}
