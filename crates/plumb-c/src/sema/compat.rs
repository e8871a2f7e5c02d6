//! Compatible types (C11 6.2.7) and the composite of two.
//!
//! Records and enums of different translation units are compared by structure. Two records under comparison are taken for
//! compatible while their members are looked at, so recursive types come to an end.

use crate::types::{ArrayLen, EnumId, FnType, IntKind, QualTy, RecordId, TyId, Type, TypeTable};
use rustc_hash::FxHashSet;

impl TypeTable {
    pub fn compatible(&self, a: TyId, b: TyId) -> bool {
        Comparison { table: self, assumed: FxHashSet::default() }.types(a, b)
    }

    /// As [`TypeTable::compatible`], remembering the records found compatible: linking compares the same ones again for
    /// every declaration that mentions them.
    pub(crate) fn compatible_remembered(&mut self, a: TyId, b: TyId) -> bool {
        let mut comparison = Comparison { table: self, assumed: FxHashSet::default() };
        let compatible = comparison.types(a, b);
        let assumed = comparison.assumed;
        if compatible {
            self.same_records.extend(assumed);
        }
        compatible
    }

    /// Compatible types with equal qualifiers.
    pub fn compatible_qualified(&self, a: QualTy, b: QualTy) -> bool {
        a.quals == b.quals && self.compatible(a.ty, b.ty)
    }

    /// The type that knows what either of two compatible types knows. Of records, the complete one.
    pub fn composite(&mut self, a: TyId, b: TyId) -> TyId {
        if a == b {
            return a;
        }
        match (self.get(a).clone(), self.get(b).clone()) {
            (Type::Pointer(x), Type::Pointer(y)) => {
                let to = self.composite_qualified(x, y);
                self.pointer_to(to)
            }
            (Type::Array(x, m), Type::Array(y, n)) => {
                let elem = self.composite_qualified(x, y);
                let len = match (m, n) {
                    (ArrayLen::Fixed(_), _) => m,
                    (_, ArrayLen::Fixed(_)) => n,
                    (ArrayLen::Unknown, _) => n,
                    (ArrayLen::Variable(_), _) => m,
                };
                self.array_of(elem, len)
            }
            (Type::Function(f), Type::Function(g)) => {
                let ret = self.composite_qualified(f.ret, g.ret);
                let composite = match (f.unprototyped, g.unprototyped) {
                    (true, false) => FnType { ret, ..g },
                    (false, true) => FnType { ret, ..f },
                    // A definition in the old style knows its parameters, a mere `f()` does not.
                    (true, true) if f.params.is_empty() => FnType { ret, ..g },
                    (true, true) => FnType { ret, ..f },
                    (false, false) => {
                        let pairs = f.params.iter().zip(&g.params);
                        let params = pairs.map(|(x, y)| self.composite_qualified(*x, *y)).collect();
                        FnType { ret, params, ..f }
                    }
                };
                self.intern(Type::Function(composite))
            }
            (Type::Record(x), Type::Record(_)) if self.record(x).body.is_none() => b,
            _ => a,
        }
    }

    fn composite_qualified(&mut self, a: QualTy, b: QualTy) -> QualTy {
        QualTy { ty: self.composite(a.ty, b.ty), quals: a.quals }
    }

    /// The type that a value of the type is passed as where no prototype tells (C11 6.5.2.2p6).
    pub fn default_promoted(&self, ty: TyId) -> TyId {
        match self.get(ty) {
            Type::Float(crate::types::FloatKind::Float) => TypeTable::float_id(crate::types::FloatKind::Double),
            Type::Int(_) | Type::Enum(_) => {
                let Some(kind) = self.int_kind(ty) else { return ty };
                if kind.rank() >= IntKind::Int.rank() {
                    return ty;
                }
                let unsigned =
                    !kind.is_signed(&self.target) && kind.bits(&self.target) >= IntKind::Int.bits(&self.target);
                TypeTable::int_id(if unsigned { IntKind::UInt } else { IntKind::Int })
            }
            _ => ty,
        }
    }
}

struct Comparison<'a> {
    table: &'a TypeTable,
    assumed: FxHashSet<(RecordId, RecordId)>,
}

impl Comparison<'_> {
    fn types(&mut self, a: TyId, b: TyId) -> bool {
        if a == b {
            return true;
        }
        let table = self.table;
        match (table.get(a), table.get(b)) {
            (Type::Error, _) | (_, Type::Error) => true,
            (Type::Pointer(x), Type::Pointer(y)) => self.qualified(*x, *y),
            (Type::Array(x, m), Type::Array(y, n)) => {
                let lengths = match (m, n) {
                    (ArrayLen::Fixed(m), ArrayLen::Fixed(n)) => m == n,
                    _ => true,
                };
                lengths && self.qualified(*x, *y)
            }
            (Type::Function(f), Type::Function(g)) => self.functions(f, g),
            (Type::Record(x), Type::Record(y)) => self.records(*x, *y),
            (Type::Enum(x), Type::Enum(y)) => self.enums(*x, *y),
            (Type::Enum(e), Type::Int(kind)) | (Type::Int(kind), Type::Enum(e)) => {
                table.enumeration(*e).underlying == Some(*kind)
            }
            _ => false,
        }
    }

    fn qualified(&mut self, a: QualTy, b: QualTy) -> bool {
        a.quals == b.quals && self.types(a.ty, b.ty)
    }

    fn functions(&mut self, f: &FnType, g: &FnType) -> bool {
        if !self.types(f.ret.ty, g.ret.ty) {
            return false;
        }
        match (f.unprototyped, g.unprototyped) {
            (false, false) => {
                f.variadic == g.variadic
                    && f.params.len() == g.params.len()
                    && f.params.iter().zip(&g.params).all(|(x, y)| self.types(x.ty, y.ty))
            }
            (true, true) => true,
            (true, false) => self.old_style(f, g),
            (false, true) => self.old_style(g, f),
        }
    }

    /// `old` tells its parameters' promoted types if it is a definition and nothing otherwise (C11 6.7.6.3p15).
    fn old_style(&mut self, old: &FnType, prototype: &FnType) -> bool {
        let table = self.table;
        if old.params.is_empty() {
            return !prototype.variadic
                && prototype.params.iter().all(|p| self.types(p.ty, table.default_promoted(p.ty)));
        }
        !prototype.variadic
            && old.params.len() == prototype.params.len()
            && old.params.iter().zip(&prototype.params).all(|(x, y)| self.types(x.ty, y.ty))
    }

    fn records(&mut self, x: RecordId, y: RecordId) -> bool {
        let (a, b) = (self.table.record(x), self.table.record(y));
        if a.is_union != b.is_union || a.tag != b.tag || a.unit == b.unit {
            return false;
        }
        let (Some(p), Some(q)) = (&a.body, &b.body) else { return a.tag.is_some() };
        if self.table.same_records.contains(&(x, y)) || !self.assumed.insert((x, y)) {
            return true;
        }
        p.size == q.size
            && p.align == q.align
            && p.fields.len() == q.fields.len()
            && p.fields.iter().zip(&q.fields).all(|(f, g)| {
                f.name == g.name && f.offset == g.offset && f.bits == g.bits && self.qualified(f.ty, g.ty)
            })
    }

    fn enums(&self, x: EnumId, y: EnumId) -> bool {
        let (a, b) = (self.table.enumeration(x), self.table.enumeration(y));
        a.unit != b.unit
            && a.tag == b.tag
            && (a.underlying.is_none() || b.underlying.is_none() || a.variants == b.variants)
    }
}
