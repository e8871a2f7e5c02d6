//! Structs and unions: tags, members, and the way from their declarations to gcc's layout.

use super::attr::Attributes;
use super::record_layout::{Rules, Shape, lay_out};
use super::spec::{Base, carried_align};
use super::{Sema, Tag};
use crate::ast::{DeclSpecs, FieldDecl, FieldDeclarator, RecordSpec, TypeSpec};
use crate::names::Name;
use crate::source::Span;
use crate::types::{ArrayLen, BitRange, Field, FloatKind, QualTy, Record, RecordBody, RecordId, TyId, Type, TypeTable};
use rustc_hash::FxHashSet;

/// A member before it has a place.
struct Member {
    name: Option<Name>,
    ty: QualTy,
    width: Option<u64>,
    shape: Shape,
    span: Span,
}

impl Sema<'_> {
    pub(crate) fn record_type(&mut self, spec: &RecordSpec, alone: bool) -> TyId {
        let ty = self.record_tag(spec, alone);
        if let (Some(fields), Type::Record(id)) = (&spec.fields, self.types.get(ty).clone()) {
            self.define_record(id, fields, spec);
        }
        ty
    }

    /// The record that the specifier means, declared here if need be.
    fn record_tag(&mut self, spec: &RecordSpec, alone: bool) -> TyId {
        let Some(tag) = spec.tag else { return self.new_record(spec) };
        let declares = spec.fields.is_some() || alone;
        let found = if declares { self.scope().tags.get(&tag).copied() } else { self.lookup_tag(tag) };
        match found {
            Some(found) if !found.is_enum && found.is_union == spec.is_union => found.ty,
            Some(_) => self.wrong_tag(tag, spec.span),
            None => {
                let ty = self.new_record(spec);
                self.scope().tags.insert(tag, Tag { ty, is_union: spec.is_union, is_enum: false });
                ty
            }
        }
    }

    fn new_record(&mut self, spec: &RecordSpec) -> TyId {
        let unit = self.unit_number();
        let id = self.types.records.push_and_get_key(Record {
            is_union: spec.is_union,
            tag: spec.tag,
            body: None,
            unit,
            span: spec.span,
        });
        self.types.intern(Type::Record(id))
    }

    fn define_record(&mut self, id: RecordId, fields: &[FieldDecl], spec: &RecordSpec) {
        let attributes = self.attributes(&[&spec.attrs], &[]);
        let mut members = Vec::new();
        for field in fields {
            match field {
                FieldDecl::StaticAssert(assert) => self.static_assert(assert),
                FieldDecl::Field { specs, declarators, span } => {
                    self.field_declaration(specs, declarators, *span, attributes.packed, &mut members);
                }
            }
        }
        // Checked after the members, one of which may have defined the same tag.
        if self.types.record(id).body.is_some() {
            let previous = self.types.record(id).span;
            let keyword = if spec.is_union { "union" } else { "struct" };
            let name = spec.tag.map_or_else(String::new, |t| self.text(t));
            self.error_at_both(spec.span, format!("redefinition of '{keyword} {name}'"), previous);
            return;
        }
        let flexible = self.check_members(&members, spec);
        let body = self.place_members(members, &attributes, spec, flexible);
        let record = &mut self.types.records[id];
        record.body = Some(body);
        record.span = spec.span;
    }

    fn field_declaration(
        &mut self,
        specs: &DeclSpecs,
        declarators: &[FieldDeclarator],
        span: Span,
        packed: bool,
        members: &mut Vec<Member>,
    ) {
        let base = self.base_type(specs, declarators.is_empty());
        if base.is_auto {
            self.error_help(span, "'__auto_type' is not allowed for members", "write the member's type");
        }
        if declarators.is_empty() {
            // `struct { int a; };` has the members of the inner struct; with a tag it only declares that.
            let is_anonymous =
                matches!(&specs.ty, TypeSpec::Record(record) if record.tag.is_none() && record.fields.is_some());
            // Microsoft's C takes in the members of a named record as well.
            let is_taken_in = self.flags.ms_extensions && self.types.record_id(base.ty.ty).is_some();
            if is_anonymous || is_taken_in {
                let attributes = self.attributes(&[&specs.attrs], &specs.align);
                let shape = self.shape(base.ty, None, &attributes, packed, None, true);
                members.push(Member { name: None, ty: base.ty, width: None, shape, span });
            }
            return;
        }
        for declarator in declarators {
            if let Some(member) = self.member(base, specs, declarator, packed) {
                members.push(member);
            }
        }
    }

    fn member(&mut self, base: Base, specs: &DeclSpecs, d: &FieldDeclarator, packed: bool) -> Option<Member> {
        let attributes = self.attributes(&[&specs.attrs, &d.declarator.attrs, &d.attrs], &specs.align);
        let ty = self.retyped(base.ty, &attributes);
        let ty = self.declared_type(ty, &d.declarator, false);
        let name = d.declarator.name;
        let span = d.declarator.span;
        let mut width = None;
        if let Some(bits) = &d.bits {
            let value = self.const_int(bits, "width of a bit-field");
            width = Some(self.bit_width(ty, name, value?, bits.span)?);
        } else if !self.is_member_type(ty.ty) {
            let shown = self.show(ty.ty);
            let text = name.map_or_else(String::new, |n| self.text(n));
            let help = self.incomplete_help(ty.ty);
            self.error_help(span, format!("member '{text}' has incomplete type '{shown}'"), help);
            return None;
        }
        if base.is_align_unknown && d.declarator.parts.is_empty() {
            let message =
                "the alignment of this member is not known: `typeof` may stand for a typedef with one of its own";
            self.error_help(span, message, "write the type");
            return None;
        }
        let align = carried_align(base, &d.declarator);
        let shape = self.shape(ty, align, &attributes, packed, width, name.is_some());
        Some(Member { name, ty, width, shape, span })
    }

    fn is_member_type(&self, ty: TyId) -> bool {
        match self.types.get(ty) {
            Type::Array(elem, ArrayLen::Unknown) => self.types.is_complete(elem.ty),
            _ => self.types.is_complete(ty),
        }
    }

    /// Checks a bit-field's width against its type.
    fn bit_width(&mut self, ty: QualTy, name: Option<Name>, value: i128, span: Span) -> Option<u64> {
        if ty.ty == TypeTable::ERROR {
            return None;
        }
        let text = name.map_or_else(|| "<unnamed>".to_string(), |n| self.text(n));
        let Some(kind) = self.types.int_kind(ty.ty) else {
            let shown = self.show(ty.ty);
            self.error_help(
                span,
                format!("bit-field '{text}' has type '{shown}'"),
                "a bit-field needs an integer type",
            );
            return None;
        };
        let max = kind.bits(&self.types.target);
        if value < 0 || value > max as i128 {
            let shown = self.show(ty.ty);
            self.error(span, format!("width {value} of bit-field '{text}' does not fit its type '{shown}'"));
            return None;
        }
        if value == 0 && name.is_some() {
            self.error_help(span, format!("bit-field '{text}' has width zero"), "a zero-width bit-field has no name");
            return None;
        }
        Some(value as u64)
    }

    fn shape(
        &self,
        ty: QualTy,
        type_align: Option<u64>,
        attributes: &Attributes,
        packed: bool,
        bits: Option<u64>,
        named: bool,
    ) -> Shape {
        let mut scalar = ty;
        while let Some(elem) = self.types.element(scalar.ty) {
            scalar = elem;
        }
        let target = &self.types.target;
        let caps = match self.types.get(scalar.ty) {
            Type::Int(_) | Type::Enum(_) | Type::Float(FloatKind::Double) => !scalar.quals.is_atomic,
            _ => false,
        };
        Shape {
            size: self.types.size_of(ty.ty).unwrap_or(0),
            type_align: type_align.unwrap_or_else(|| self.types.preferred_align_of(ty.ty)),
            // A record's alignment is never the cap's business.
            type_user_align: type_align.is_some() || matches!(self.types.get(scalar.ty), Type::Record(_)),
            cap: (caps && target.align8 < 8).then_some(target.align8),
            align: attributes.align,
            packed: packed || attributes.packed,
            bits,
            named,
        }
    }

    /// Reports double names and misplaced flexible arrays; tells whether the record ends in one.
    fn check_members(&mut self, members: &[Member], spec: &RecordSpec) -> bool {
        let mut names = FxHashSet::default();
        for member in members {
            match member.name {
                Some(name) => self.claim_member(name, member.span, &mut names),
                None => self.claim_inner(member.ty.ty, member.span, &mut names),
            }
        }
        let is_flexible = |ty: TyId| matches!(self.types.get(ty), Type::Array(_, ArrayLen::Unknown));
        let misplaced = members
            .iter()
            .enumerate()
            .find(|(i, m)| is_flexible(m.ty.ty) && (spec.is_union || i + 1 < members.len() || members.len() == 1));
        if let Some((_, member)) = misplaced {
            let span = member.span;
            self.error_help(
                span,
                "a flexible array must be the last of several members of a struct",
                "give the array a length, or move it to the end",
            );
        }
        members.last().is_some_and(|m| match self.types.get(m.ty.ty) {
            Type::Array(_, ArrayLen::Unknown) => true,
            Type::Record(id) => self.types.record(*id).body.as_ref().is_some_and(|b| b.flexible),
            _ => false,
        })
    }

    fn claim_member(&mut self, name: Name, span: Span, names: &mut FxHashSet<Name>) {
        if !names.insert(name) {
            let text = self.text(name);
            self.error_help(span, format!("two members have the name '{text}'"), "rename one of them");
        }
    }

    /// Members of an anonymous struct or union are members of the record around it.
    fn claim_inner(&mut self, ty: TyId, span: Span, names: &mut FxHashSet<Name>) {
        let Some(id) = self.types.record_id(ty) else { return };
        let Some(body) = &self.types.record(id).body else { return };
        let inner: Vec<_> = body.fields.iter().map(|f| (f.name, f.ty.ty)).collect();
        for (name, ty) in inner {
            match name {
                Some(name) => self.claim_member(name, span, names),
                None => self.claim_inner(ty, span, names),
            }
        }
    }

    fn place_members(
        &mut self,
        members: Vec<Member>,
        attributes: &Attributes,
        spec: &RecordSpec,
        flexible: bool,
    ) -> RecordBody {
        let shapes: Vec<Shape> = members.iter().map(|m| m.shape).collect();
        let layout = lay_out(
            &shapes,
            Rules {
                is_union: spec.is_union,
                align: attributes.last_align,
                pack: attributes.pack,
                max_mode_align: self.types.target.max_scalar_align,
            },
        );
        if layout.size > self.types.max_object_bytes() {
            self.error(spec.span, "the type is larger than the address space");
            return RecordBody { fields: Vec::new(), size: 0, align: 1, transparent: false, flexible: false };
        }
        let places = layout.positions.into_iter().zip(layout.aligns);
        let placed = members.into_iter().zip(places).filter(|(m, _)| m.width != Some(0));
        let fields = placed.map(|(m, (position, align))| {
            let (offset, bits) = match m.width {
                None => (position / 8, None),
                Some(width) => bit_range(position, width, m.shape.size),
            };
            Field { name: m.name, ty: m.ty, offset, bits, align, span: m.span }
        });
        RecordBody {
            fields: fields.collect(),
            size: layout.size,
            align: layout.align,
            transparent: attributes.transparent_union && spec.is_union,
            flexible,
        }
    }
}

/// A bit-field's storage unit of its declared type, or where it straddles two, its first byte.
fn bit_range(position: u64, width: u64, unit_bytes: u64) -> (u64, Option<BitRange>) {
    let unit = unit_bytes.max(1) * 8;
    let granule = if position % unit + width <= unit { unit } else { 8 };
    let range = BitRange { start: (position % granule) as u32, width: width as u32 };
    (position / granule * (granule / 8), Some(range))
}
