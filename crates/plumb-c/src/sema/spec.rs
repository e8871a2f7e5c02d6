//! Declaration specifiers: from `unsigned long`, `struct S {...}`, `typeof(e)` to a type.
//!
//! Types that Plumb does not support (complex numbers, vectors, `_Float16`) are incomplete records of a telling name:
//! headers may declare functions with them, and whoever needs a value of one is told so by the checks on incomplete types.

use super::{Entity, Sema};
use crate::ast::{AddressSpace, BasicType, DeclSpecs, Declarator, DeclaratorPart, TypeName, TypeSpec};
use crate::names::Name;
use crate::source::Span;
use crate::types::{ArrayLen, Field, FloatKind, IntKind, QualTy, Quals, Record, RecordBody, TyId, Type, TypeTable};

/// The meaning of declaration specifiers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    pub ty: QualTy,
    /// The alignment that an `aligned` attribute on a typedef gave the type.
    pub align: Option<u64>,
    /// `typeof` of an expression whose type may be such a typedef: nobody noted which.
    pub is_align_unknown: bool,
    /// `__auto_type`: `ty` is still to be taken from the initialiser.
    pub is_auto: bool,
}

impl From<QualTy> for Base {
    fn from(ty: QualTy) -> Base {
        Base { ty, align: None, is_align_unknown: false, is_auto: false }
    }
}

impl Sema<'_> {
    pub(crate) fn type_name(&mut self, t: &TypeName) -> QualTy {
        self.type_name_aligned(t).0
    }

    /// The type with the alignment that attributes gave it, if any.
    pub(crate) fn type_name_aligned(&mut self, t: &TypeName) -> (QualTy, Option<u64>) {
        let base = self.base_type(&t.specs, false);
        if base.is_auto {
            self.error_help(t.span, "'__auto_type' is allowed in declarations only", "write the type");
            return (TypeTable::ERROR.into(), None);
        }
        let attributes = self.attributes(&[&t.specs.attrs, &t.declarator.attrs], &t.specs.align);
        let ty = self.retyped(base.ty, &attributes);
        (self.declared_type(ty, &t.declarator, true), attributes.align.or(carried_align(base, &t.declarator)))
    }

    /// `alone` tells that no declarator follows, so that `struct S;` declares a new tag.
    pub(crate) fn base_type(&mut self, specs: &DeclSpecs, alone: bool) -> Base {
        let mut base = match &specs.ty {
            TypeSpec::Basic(basic) => Base::from(QualTy::from(self.basic_type(*basic, specs.span))),
            TypeSpec::Record(record) => Base::from(QualTy::from(self.record_type(record, alone))),
            TypeSpec::Enum(spec) => Base::from(QualTy::from(self.enum_type(spec, alone))),
            TypeSpec::Typedef(name) => self.typedef(*name, specs.span),
            TypeSpec::TypeofExpr(e) => {
                let e = self.expr(e);
                self.require_whole_width(&e);
                Base { is_align_unknown: self.may_be_realigned(&e), ..Base::from(e.ty) }
            }
            TypeSpec::TypeofType(t) => {
                let (ty, align) = self.type_name_aligned(t);
                Base { align, ..Base::from(ty) }
            }
            TypeSpec::Atomic(t) => {
                let mut ty = self.type_name(t);
                ty.quals.is_atomic = true;
                ty.into()
            }
            TypeSpec::Auto => Base { is_auto: true, ..Base::from(QualTy::from(TypeTable::ERROR)) },
            TypeSpec::ImplicitInt => Base::from(QualTy::from(TypeTable::INT)),
        };
        if specs.quals.space != AddressSpace::Generic && !self.types.target.is_avr() {
            let message = "`__flash` and `__memx` are address spaces of AVR";
            self.error_help(specs.span, message, "choose the machine with `--arch avr`");
        }
        base.ty = self.qualify(base.ty, specs.quals);
        base
    }

    fn typedef(&mut self, name: Name, span: Span) -> Base {
        let found = self.scopes.iter().rev().find_map(|s| Some((*s.entities.get(&name)?, s.typedef_aligns.get(&name))));
        match found {
            Some((Entity::Typedef(ty), align)) => Base { align: align.copied(), ..Base::from(ty) },
            Some(_) | None => {
                let text = self.text(name);
                self.error_help(span, format!("unknown type name '{text}'"), "declare it with typedef before this use");
                Base::from(QualTy::from(TypeTable::ERROR))
            }
        }
    }

    /// Adds qualifiers; those of an array are its elements' (C11 6.7.3p9).
    pub(crate) fn qualify(&mut self, ty: QualTy, quals: Quals) -> QualTy {
        if quals == Quals::default() {
            return ty;
        }
        if let Type::Array(elem, len) = *self.types.get(ty.ty) {
            let elem = self.qualify(elem, quals);
            return QualTy { ty: self.types.array_of(elem, len), quals: ty.quals };
        }
        let quals = Quals {
            is_const: ty.quals.is_const || quals.is_const,
            is_volatile: ty.quals.is_volatile || quals.is_volatile,
            is_restrict: ty.quals.is_restrict || quals.is_restrict,
            is_atomic: ty.quals.is_atomic || quals.is_atomic,
            space: ty.quals.space.or(quals.space),
        };
        QualTy { ty: ty.ty, quals }
    }

    fn basic_type(&mut self, basic: BasicType, span: Span) -> TyId {
        let kind = match basic {
            BasicType::Void => return TypeTable::VOID,
            BasicType::Float => return TypeTable::float_id(FloatKind::Float),
            BasicType::Double => return TypeTable::float_id(FloatKind::Double),
            BasicType::LongDouble => return TypeTable::float_id(FloatKind::LongDouble),
            BasicType::Float16 => return self.unsupported_type("_Float16"),
            BasicType::Complex => return self.unsupported_type("_Complex"),
            BasicType::Float128 => return self.float128(),
            BasicType::VaList => return self.va_list_type(),
            BasicType::Size => self.types.size_kind(),
            BasicType::SignedSize => self.types.ptrdiff_kind(),
            BasicType::Bool => IntKind::Bool,
            BasicType::Char => IntKind::Char,
            BasicType::SChar => IntKind::SChar,
            BasicType::UChar => IntKind::UChar,
            BasicType::Short => IntKind::Short,
            BasicType::UShort => IntKind::UShort,
            BasicType::Int => IntKind::Int,
            BasicType::UInt => IntKind::UInt,
            BasicType::Long => IntKind::Long,
            BasicType::ULong => IntKind::ULong,
            BasicType::LLong => IntKind::LLong,
            BasicType::ULLong => IntKind::ULLong,
            BasicType::Int128 | BasicType::UInt128 if !self.types.target.has_int128 => {
                let arch = self.types.target.name;
                self.error_help(
                    span,
                    format!("'__int128' does not exist on the '{arch}' target"),
                    "check the program with --arch 64",
                );
                return TypeTable::ERROR;
            }
            BasicType::Int128 => IntKind::Int128,
            BasicType::UInt128 => IntKind::UInt128,
        };
        TypeTable::int_id(kind)
    }

    /// A record that the compiler makes; one per name and run.
    fn made_record(&mut self, name: &str, body: impl FnOnce(&mut Self) -> Option<RecordBody>) -> TyId {
        let tag = self.names.intern(name);
        if let Some(&ty) = self.linkage.made_types.get(&tag) {
            return ty;
        }
        let body = body(self);
        let id = self.types.records.push_and_get_key(Record {
            is_union: false,
            tag: Some(tag),
            body,
            unit: 0,
            span: Span::NONE,
        });
        let ty = self.types.intern(Type::Record(id));
        self.linkage.made_types.insert(tag, ty);
        ty
    }

    pub(crate) fn unsupported_type(&mut self, name: &str) -> TyId {
        self.made_record(name, |_| None)
    }

    /// Structs of the system headers have such members, so its size matters; its values cannot be computed with.
    fn float128(&mut self) -> TyId {
        self.made_record("__float128", |sema| {
            let bytes = sema.types.array_of(TypeTable::int_id(IntKind::UChar), ArrayLen::Fixed(16));
            let align = 16.min(sema.types.target.max_align);
            let field = Field { name: None, ty: bytes.into(), offset: 0, bits: None, align, span: Span::NONE };
            Some(RecordBody { fields: vec![field], size: 16, align, transparent: false, flexible: false })
        })
    }

    /// `__builtin_va_list`: on 64-bit x86 an array of one register save area descriptor, elsewhere a pointer.
    pub(crate) fn va_list_type(&mut self) -> TyId {
        match self.types.target.pointer_bytes {
            8 => {
                let tag = self.made_record("__va_list_tag", |sema| {
                    let uint = TypeTable::int_id(IntKind::UInt);
                    let pointer = sema.types.pointer_to(TypeTable::VOID);
                    let members = [
                        ("gp_offset", uint, 0),
                        ("fp_offset", uint, 4),
                        ("overflow_arg_area", pointer, 8),
                        ("reg_save_area", pointer, 16),
                    ];
                    let fields = members.map(|(name, ty, offset)| {
                        let name = Some(sema.names.intern(name));
                        let align = sema.types.align_of(ty);
                        Field { name, ty: ty.into(), offset, bits: None, align, span: Span::NONE }
                    });
                    let fields = fields.to_vec();
                    Some(RecordBody { fields, size: 24, align: 8, transparent: false, flexible: false })
                });
                self.types.array_of(tag, ArrayLen::Fixed(1))
            }
            4 => self.types.pointer_to(TypeTable::int_id(IntKind::Char)),
            _ => self.types.pointer_to(TypeTable::VOID),
        }
    }

    /// Why an incomplete type has no objects, as a help line.
    pub(crate) fn incomplete_help(&self, ty: TyId) -> String {
        if let Some(id) = self.types.record_id(ty)
            && self.types.record(id).span.is_none()
        {
            return "Plumb does not support complex numbers, vectors and _Float16; leave this code out".to_string();
        }
        "include or write the definition of the type before this use".to_string()
    }
}

/// The alignment of a typedef holds for its objects and for arrays of it, not for pointers to it.
pub(crate) fn carried_align(base: Base, declarator: &Declarator) -> Option<u64> {
    let only_arrays = declarator.parts.iter().all(|p| matches!(p, DeclaratorPart::Array { .. }));
    base.align.filter(|_| only_arrays)
}
