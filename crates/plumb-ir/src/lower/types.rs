//! C types as the IR sees them.

use super::Context;
use crate::expr::Sign;
use crate::ty::Ty;
use plumb_c::hir::{self, CastKind, ExprKind};
use plumb_c::types::{ArrayLen, FloatKind, FnType, IntKind, TyId, Type, TypeTable};

/// How a value of a C type travels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Void,
    Scalar(Ty),
    /// By the address of an object that holds it.
    Record,
}

impl Class {
    /// The type of a parameter that carries the value.
    pub(super) fn carrier(self) -> Ty {
        match self {
            Class::Scalar(ty) => ty,
            Class::Record | Class::Void => Ty::Ptr,
        }
    }
}

/// A function's parameters and result as C types.
pub(super) struct Signature {
    pub(super) ret: TyId,
    pub(super) params: Vec<TyId>,
    pub(super) variadic: bool,
}

impl Context<'_> {
    pub(super) fn class(&self, ty: TyId) -> Class {
        let types = &self.hir.types;
        match types.get(ty) {
            Type::Void | Type::Error => Class::Void,
            Type::Int(kind) => Class::Scalar(self.int_ty(*kind)),
            Type::Enum(_) => Class::Scalar(self.int_ty(types.int_kind(ty).unwrap_or(IntKind::Int))),
            Type::Float(kind) => Class::Scalar(Ty::Float(kind.format(&self.target))),
            // Arrays and functions are values only as addresses.
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => Class::Scalar(Ty::Ptr),
            Type::Record(_) => Class::Record,
        }
    }

    /// `_Bool` occupies the byte that it has in memory.
    pub(super) fn int_ty(&self, kind: IntKind) -> Ty {
        Ty::Int((kind.bytes(&self.target) * 8) as u8)
    }

    /// The type of a value or of the address that stands for it.
    pub(super) fn carrier(&self, ty: TyId) -> Ty {
        self.class(ty).carrier()
    }

    pub(super) fn is_void(&self, ty: TyId) -> bool {
        self.class(ty) == Class::Void
    }

    pub(super) fn is_record(&self, ty: TyId) -> bool {
        self.class(ty) == Class::Record
    }

    /// A type that a register can hold: arrays and functions are not.
    pub(super) fn register_class(&self, ty: TyId) -> Option<Ty> {
        match (self.hir.types.get(ty), self.class(ty)) {
            (Type::Array(..) | Type::Function(_), _) | (_, Class::Void | Class::Record) => None,
            (_, Class::Scalar(ty)) => Some(ty),
        }
    }

    pub(super) fn is_bool(&self, ty: TyId) -> bool {
        self.hir.types.int_kind(ty) == Some(IntKind::Bool)
    }

    /// How operators read values of the type.
    pub(super) fn sign(&self, ty: TyId) -> Sign {
        match self.hir.types.get(ty) {
            Type::Int(_) | Type::Enum(_) => {
                let kind = self.hir.types.int_kind(ty).unwrap_or(IntKind::Int);
                if kind.is_signed(&self.target) { Sign::Signed } else { Sign::Unsigned }
            }
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => Sign::Unsigned,
            Type::Float(_) | Type::Void | Type::Record(_) | Type::Error => Sign::Plain,
        }
    }

    /// Bytes of an object of the type; 0 where only a declaration is known.
    pub(super) fn size_of(&self, ty: TyId) -> u64 {
        self.hir.types.size_of(ty).unwrap_or(0)
    }

    /// The value of an integer constant, behind conversions that change it as well.
    pub(super) fn integer_constant(&self, e: &hir::Expr) -> Option<i128> {
        match &e.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Cast { kind: CastKind::IntToInt, value, .. } => {
                let unused =
                    128 - 8 * u32::try_from(self.size_of(e.ty.ty)).ok().filter(|bytes| (1..=16).contains(bytes))?;
                let bits = self.integer_constant(value)? << unused;
                Some(match self.sign(e.ty.ty) {
                    Sign::Signed => bits >> unused,
                    Sign::Unsigned | Sign::Plain => (bits as u128 >> unused) as i128,
                })
            }
            _ => None,
        }
    }

    /// Bytes that a copy of a value moves: gcc moves a structure whose only member is a `long double` as that, without what
    /// lies behind the value.
    pub(super) fn moved_bytes(&self, ty: TyId) -> u64 {
        let types = &self.hir.types;
        let size = self.size_of(ty);
        let inner = match types.get(ty) {
            Type::Float(_) => match self.class(ty) {
                Class::Scalar(scalar) => return scalar.bytes(&self.target),
                Class::Void | Class::Record => None,
            },
            Type::Array(elem, ArrayLen::Fixed(1)) => Some(elem.ty),
            Type::Record(id) if !types.record(*id).is_union => {
                let fields = types.record(*id).body.as_ref().map_or(&[][..], |body| &body.fields);
                fields
                    .iter()
                    .filter(|field| field.bits.is_none())
                    .map(|field| field.ty.ty)
                    .find(|&t| self.size_of(t) == size)
            }
            _ => None,
        };
        inner.map_or(size, |inner| self.moved_bytes(inner))
    }

    /// Bytes that pointer arithmetic steps over: GNU C lets `void` and functions count as bytes.
    pub(super) fn step_of(&self, ty: TyId) -> u64 {
        match self.hir.types.get(ty) {
            Type::Void | Type::Function(_) | Type::Error => 1,
            _ => self.size_of(ty),
        }
    }

    pub(super) fn signature(&self, id: hir::FuncId) -> Signature {
        let function = self.hir.function(id);
        let mut signature = self.pointer_signature(function.ty);
        let unprototyped = matches!(self.hir.types.get(function.ty), Type::Function(FnType { unprototyped: true, .. }));
        if let Some(body) = &function.body {
            let params = body.locals.raw[..body.param_count].iter().map(|l| l.ty.ty);
            // Callers of a K&R definition pass promoted values.
            signature.params = if unprototyped { params.map(|p| self.promoted(p)).collect() } else { params.collect() };
        }
        signature
    }

    /// The signature of a function type or of a pointer to one.
    pub(super) fn pointer_signature(&self, ty: TyId) -> Signature {
        match self.hir.types.get(ty) {
            Type::Function(f) => {
                let params = f.params.iter().map(|p| p.ty).collect();
                Signature { ret: f.ret.ty, params, variadic: f.variadic }
            }
            Type::Pointer(to) if to.ty != ty => self.pointer_signature(to.ty),
            _ => Signature { ret: TypeTable::VOID, params: Vec::new(), variadic: false },
        }
    }

    pub(super) fn is_unprototyped(&self, ty: TyId) -> bool {
        match self.hir.types.get(ty) {
            Type::Function(f) => f.unprototyped,
            Type::Pointer(to) => self.is_unprototyped(to.ty),
            _ => false,
        }
    }

    /// The type after the default argument promotions (C11 6.5.2.2p6).
    pub(super) fn promoted(&self, ty: TyId) -> TyId {
        match self.hir.types.get(ty) {
            Type::Float(FloatKind::Float) => TypeTable::float_id(FloatKind::Double),
            Type::Int(kind) if kind.rank() < IntKind::Int.rank() => {
                let fits = kind.is_signed(&self.target) || kind.bytes(&self.target) < self.target.int_bytes;
                TypeTable::int_id(if fits { IntKind::Int } else { IntKind::UInt })
            }
            _ => ty,
        }
    }
}
