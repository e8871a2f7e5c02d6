//! Enumerations: values, the types of enumerators, the integer type that stands behind them.

use super::attr::Attributes;
use super::{Entity, Sema, Tag};
use crate::ast::{EnumSpec, Enumerator};
use crate::names::Name;
use crate::source::Span;
use crate::types::{Enum, EnumId, IntKind, TyId, Type, TypeTable};

impl Sema<'_> {
    pub(crate) fn enum_type(&mut self, spec: &EnumSpec, alone: bool) -> TyId {
        let ty = self.enum_tag(spec, alone);
        let Type::Enum(id) = *self.types.get(ty) else { return ty };
        if let Some(variants) = &spec.variants {
            if self.types.enumeration(id).underlying.is_some() {
                let previous = self.types.enumeration(id).span;
                let name = spec.tag.map_or_else(String::new, |t| self.text(t));
                self.error_at_both(spec.span, format!("redefinition of 'enum {name}'"), previous);
                return ty;
            }
            let attributes = self.attributes(&[&spec.attrs], &[]);
            self.define_enum(id, ty, variants, &attributes, spec.span);
        }
        ty
    }

    /// The enum that the specifier means, declared here if need be.
    fn enum_tag(&mut self, spec: &EnumSpec, alone: bool) -> TyId {
        let Some(tag) = spec.tag else { return self.new_enum(None, spec.span) };
        let declares = spec.variants.is_some() || alone;
        let found = if declares { self.scope().tags.get(&tag).copied() } else { self.lookup_tag(tag) };
        match found {
            Some(found) if found.is_enum => found.ty,
            Some(_) => self.wrong_tag(tag, spec.span),
            None => {
                let ty = self.new_enum(spec.tag, spec.span);
                self.scope().tags.insert(tag, Tag { ty, is_union: false, is_enum: true });
                ty
            }
        }
    }

    pub(crate) fn wrong_tag(&mut self, tag: Name, span: Span) -> TyId {
        let text = self.text(tag);
        self.error_help(
            span,
            format!("'{text}' is declared as another kind of tag"),
            "use the keyword (struct, union or enum) of its definition",
        );
        TypeTable::ERROR
    }

    fn new_enum(&mut self, tag: Option<Name>, span: Span) -> TyId {
        let unit = self.unit_number();
        let id = self.types.enums.push_and_get_key(Enum { tag, underlying: None, variants: Vec::new(), unit, span });
        self.types.intern(Type::Enum(id))
    }

    fn define_enum(&mut self, id: EnumId, ty: TyId, variants: &[Enumerator], attributes: &Attributes, span: Span) {
        let mut values: Vec<(Name, i128)> = Vec::with_capacity(variants.len());
        let mut next = 0i128;
        for variant in variants {
            if let Some(value) = &variant.value
                && let Some(value) = self.const_int(value, "enumerator value")
            {
                next = value;
            }
            if self.value_bytes(next, next).is_none() {
                let name = self.text(variant.name);
                self.error(variant.span, format!("the value of enumerator '{name}' fits no integer type"));
                next = 0;
            }
            // Later enumerators may use this one, before the enum's own type is known.
            let kind = self.enumerator_kind(next);
            self.declare_entity(variant.name, Entity::Constant(next, TypeTable::int_id(kind)), variant.span);
            values.push((variant.name, next));
            next += 1;
        }
        let low = values.iter().map(|v| v.1).min().unwrap_or(0);
        let high = values.iter().map(|v| v.1).max().unwrap_or(0);
        let int_bytes = self.types.target.int_bytes;
        let bytes = match self.value_bytes(low, high) {
            Some(bytes) => self.enum_bytes(bytes, attributes),
            None => {
                self.error(span, "no integer type holds all values of the enumeration");
                8
            }
        };
        let underlying = self.types.int_of_bytes(bytes, low < 0).unwrap_or(IntKind::LLong);
        for &(name, value) in &values {
            if !fits(value, int_bytes, true) {
                self.scope().entities.insert(name, Entity::Constant(value, ty));
            }
        }
        let definition = &mut self.types.enums[id];
        definition.underlying = Some(underlying);
        definition.variants = values;
        definition.span = span;
    }

    /// The bytes of an enum whose values need at least so many: an `int` unless a mode, `packed` or `-fshort-enums` says
    /// otherwise. `aligned` on an enumeration changes nothing with gcc.
    fn enum_bytes(&mut self, least: u64, attributes: &Attributes) -> u64 {
        if let Some((mode, mode_span)) = attributes.mode {
            let bytes = self.mode_bytes(mode);
            if bytes < least || !matches!(bytes, 1 | 2 | 4 | 8) {
                let text = self.text(mode);
                self.error_help(
                    mode_span,
                    format!("machine mode '{text}' does not hold all values of the enumeration"),
                    "leave the attribute out, or name a larger mode",
                );
                return least;
            }
            return bytes;
        }
        match attributes.packed || self.types.target.short_enums {
            true => least,
            false => least.max(self.types.target.int_bytes),
        }
    }

    /// The bytes of the smallest integer type for values from `low` to `high`, signed exactly when `low` is negative.
    fn value_bytes(&self, low: i128, high: i128) -> Option<u64> {
        [1, 2, 4, 8].into_iter().find(|&bytes| fits(low, bytes, low < 0) && fits(high, bytes, low < 0))
    }

    fn enumerator_kind(&self, value: i128) -> IntKind {
        let target = &self.types.target;
        [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong, IntKind::LLong]
            .into_iter()
            .find(|k| fits(value, k.bytes(target), k.is_signed(target)))
            .unwrap_or(IntKind::ULLong)
    }
}

fn fits(value: i128, bytes: u64, signed: bool) -> bool {
    let bits = bytes * 8;
    if signed { value >= -(1 << (bits - 1)) && value < 1 << (bits - 1) } else { value >= 0 && value < 1 << bits }
}
