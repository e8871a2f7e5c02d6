//! What a type is made of: size, alignment, completeness, classes of types, members by name.
//!
//! Alignments come in two kinds on i386, where an 8-byte scalar is aligned to 4 bytes as a member but prefers 8:
//! [`TypeTable::align_of`] is what `_Alignof` says, [`TypeTable::preferred_align_of`] what `__alignof__` says.

use crate::names::Name;
use crate::types::{ArrayLen, FloatKind, IntKind, QualTy, RecordId, TyId, Type, TypeTable};

impl TypeTable {
    /// The size in bytes; `None` for incomplete types, functions, `void`, variable-length arrays, and arrays larger
    /// than the address space.
    pub fn size_of(&self, ty: TyId) -> Option<u64> {
        match self.get(ty) {
            Type::Int(kind) => Some(kind.bytes(&self.target)),
            Type::Float(kind) => Some(self.float_bytes(*kind)),
            Type::Pointer(_) => Some(self.target.pointer_bytes),
            Type::Array(elem, ArrayLen::Fixed(n)) => {
                self.size_of(elem.ty)?.checked_mul(*n).filter(|&bytes| bytes <= self.max_object_bytes())
            }
            Type::Array(_, ArrayLen::Unknown | ArrayLen::Variable(_)) => None,
            Type::Record(id) => self.record(*id).body.as_ref().map(|b| b.size),
            Type::Enum(id) => self.enumeration(*id).underlying.map(|k| k.bytes(&self.target)),
            Type::Void | Type::Function(_) | Type::Error => None,
        }
    }

    /// Calls with the offset and the type of each scalar in a type that begins at an offset: numbers, enumerations and
    /// pointers. Of arrays so many elements are looked at; bit-fields are left out.
    pub fn each_scalar(&self, ty: TyId, at: u64, most_elements: u64, found: &mut dyn FnMut(u64, TyId)) {
        match self.get(ty) {
            Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Pointer(_) => found(at, ty),
            Type::Array(element, ArrayLen::Fixed(len)) => {
                let Some(size) = self.size_of(element.ty) else { return };
                for i in 0..(*len).min(most_elements) {
                    self.each_scalar(element.ty, at + i * size, most_elements, found);
                }
            }
            Type::Record(id) => {
                let Some(body) = &self.record(*id).body else { return };
                for field in body.fields.iter().filter(|f| f.bits.is_none()) {
                    self.each_scalar(field.ty.ty, at + field.offset, most_elements, found);
                }
            }
            Type::Void | Type::Array(..) | Type::Function(_) | Type::Error => {}
        }
    }

    fn float_bytes(&self, kind: FloatKind) -> u64 {
        use crate::target::FloatFormat;
        match kind.format(&self.target) {
            FloatFormat::F32 => 4,
            FloatFormat::F64 => 8,
            FloatFormat::X87 => self.target.long_double_bytes,
        }
    }

    /// gcc refuses objects beyond `PTRDIFF_MAX`.
    pub fn max_object_bytes(&self) -> u64 {
        (1 << (self.target.pointer_bits() - 1)) - 1
    }

    /// The alignment that the type demands as a member: C11's `_Alignof`. 1 for types without one.
    pub fn align_of(&self, ty: TyId) -> u64 {
        self.alignment(ty, self.target.align8)
    }

    /// The alignment that gcc gives a lone variable: GNU's `__alignof__`.
    pub fn preferred_align_of(&self, ty: TyId) -> u64 {
        self.alignment(ty, 8)
    }

    fn alignment(&self, ty: TyId, align8: u64) -> u64 {
        let scalar = |bytes: u64| if bytes == 8 { align8 } else { bytes };
        let natural = match self.get(ty) {
            Type::Int(kind) => scalar(kind.bytes(&self.target)),
            Type::Float(FloatKind::LongDouble) if self.target.long_double_bytes > 8 => self.target.long_double_align,
            Type::Float(kind) => scalar(self.float_bytes(*kind)),
            Type::Pointer(_) => scalar(self.target.pointer_bytes),
            Type::Enum(id) => self.enumeration(*id).underlying.map_or(1, |k| scalar(k.bytes(&self.target))),
            Type::Array(elem, _) => return self.alignment(elem.ty, align8),
            // Attributes may have raised it above any scalar's.
            Type::Record(id) => return self.record(*id).body.as_ref().map_or(1, |b| b.align),
            Type::Void | Type::Function(_) | Type::Error => 1,
        };
        natural.min(self.target.max_scalar_align)
    }

    /// Whether an object of the type may exist; a variable-length array's may.
    pub fn is_complete(&self, ty: TyId) -> bool {
        match self.get(ty) {
            Type::Void | Type::Function(_) => false,
            Type::Array(elem, len) => *len != ArrayLen::Unknown && self.is_complete(elem.ty),
            Type::Record(id) => self.record(*id).body.is_some(),
            Type::Enum(id) => self.enumeration(*id).underlying.is_some(),
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Error => true,
        }
    }

    /// Whether the size is known at run time only.
    pub fn is_vla(&self, ty: TyId) -> bool {
        match self.get(ty) {
            Type::Array(elem, len) => matches!(len, ArrayLen::Variable(_)) || self.is_vla(elem.ty),
            _ => false,
        }
    }

    /// Whether any part of the type is a variable-length array (C11 6.7.6p3).
    pub fn is_variably_modified(&self, ty: TyId) -> bool {
        match self.get(ty) {
            Type::Array(elem, len) => matches!(len, ArrayLen::Variable(_)) || self.is_variably_modified(elem.ty),
            Type::Pointer(to) => self.is_variably_modified(to.ty),
            Type::Function(f) => self.is_variably_modified(f.ret.ty),
            _ => false,
        }
    }

    pub fn is_integer(&self, ty: TyId) -> bool {
        matches!(self.get(ty), Type::Int(_) | Type::Enum(_))
    }

    pub fn is_arith(&self, ty: TyId) -> bool {
        self.is_integer(ty) || matches!(self.get(ty), Type::Float(_))
    }

    pub fn is_pointer(&self, ty: TyId) -> bool {
        matches!(self.get(ty), Type::Pointer(_))
    }

    pub fn is_scalar(&self, ty: TyId) -> bool {
        self.is_arith(ty) || self.is_pointer(ty)
    }

    /// Whether a value of the type is a pointer or has one in it.
    pub fn holds_pointers(&self, ty: TyId) -> bool {
        match self.get(ty) {
            Type::Pointer(_) => true,
            Type::Array(elem, _) => self.holds_pointers(elem.ty),
            Type::Record(id) => {
                let fields = self.record(*id).body.iter().flat_map(|body| &body.fields);
                fields.map(|field| field.ty.ty).any(|ty| self.holds_pointers(ty))
            }
            Type::Int(_) | Type::Void | Type::Enum(_) | Type::Float(_) | Type::Function(_) | Type::Error => false,
        }
    }

    pub fn pointee(&self, ty: TyId) -> Option<QualTy> {
        match self.get(ty) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The element type of an array, whatever its length.
    pub fn element(&self, ty: TyId) -> Option<QualTy> {
        match self.get(ty) {
            Type::Array(elem, _) => Some(*elem),
            _ => None,
        }
    }

    /// The kind of an integer type; of an enum, the kind of its compatible integer type.
    pub fn int_kind(&self, ty: TyId) -> Option<IntKind> {
        match self.get(ty) {
            Type::Int(kind) => Some(*kind),
            Type::Enum(id) => self.enumeration(*id).underlying,
            _ => None,
        }
    }

    pub fn record_id(&self, ty: TyId) -> Option<RecordId> {
        match self.get(ty) {
            Type::Record(id) => Some(*id),
            _ => None,
        }
    }

    /// The way to a named member: field indices, the last one the member, the others anonymous members around it.
    pub fn find_field(&self, record: RecordId, name: Name) -> Option<Vec<u32>> {
        let fields = &self.record(record).body.as_ref()?.fields;
        if let Some(i) = fields.iter().position(|f| f.name == Some(name)) {
            return Some(vec![i as u32]);
        }
        fields.iter().enumerate().filter(|(_, f)| f.name.is_none() && f.bits.is_none()).find_map(|(i, f)| {
            let mut path = self.find_field(self.record_id(f.ty.ty)?, name)?;
            path.insert(0, i as u32);
            Some(path)
        })
    }

    /// The integer kind of that many bytes which gcc prefers: `long` where it is as wide as `long long`.
    pub fn int_of_bytes(&self, bytes: u64, signed: bool) -> Option<IntKind> {
        const BY_PREFERENCE: [IntKind; 6] =
            [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LLong, IntKind::Int128];
        let has = |k: &IntKind| *k != IntKind::Int128 || self.target.has_int128;
        let kind = BY_PREFERENCE.into_iter().filter(has).find(|k| k.bytes(&self.target) == bytes)?;
        // `int` and `short` are both 2 bytes on 16-bit targets, and gcc takes `int`.
        let kind = if bytes == self.target.int_bytes { IntKind::Int } else { kind };
        Some(if signed { kind } else { kind.to_unsigned() })
    }
}
