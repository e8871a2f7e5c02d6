//! `plumb show layout`: sizes, alignments, offsets and bits of every struct, union and enum. `--asserts` states them as C
//! that a compiler can be asked to refute.

use crate::args::{Args, ShowArgs};
use crate::load;
use crate::report::{Failure, Output};
use plumb_c::hir::Program;
use plumb_c::names::Name;
use plumb_c::source::{Place, Span};
use plumb_c::types::{ArrayLen, EnumId, Field, QualTy, Record, RecordBody, RecordId, TyId, Type};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::fmt::Write;

pub fn show(args: &Args, show: &ShowArgs, out: &mut Output) -> Result<(), Failure> {
    let program = load::hir(args, out)?;
    let layout = Layout::new(&program, show.library);
    if show.asserts {
        out.text(&layout.asserts());
    } else if args.json {
        let records = layout.records().map(|(id, body)| layout.record_doc(id, body));
        let enums = layout.enums().map(|id| layout.enum_doc(id));
        out.json(&records.chain(enums).collect::<Vec<_>>());
    } else {
        for (id, body) in layout.records() {
            out.text(&layout.record_text(id, body));
        }
        for id in layout.enums() {
            out.text(&layout.enum_text(id));
        }
    }
    Ok(())
}

/// A type, as JSON has it.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum TypeDoc<'a> {
    Struct(RecordDoc<'a>),
    Union(RecordDoc<'a>),
    Enum(EnumDoc<'a>),
}

#[derive(Serialize)]
struct RecordDoc<'a> {
    name: String,
    size: u64,
    align: u64,
    fields: Vec<FieldDoc<'a>>,
    place: Option<Place>,
}

#[derive(Serialize)]
struct FieldDoc<'a> {
    name: Option<&'a str>,
    #[serde(rename = "type")]
    ty: String,
    offset: u64,
    bits: Option<BitsDoc>,
}

#[derive(Serialize)]
struct BitsDoc {
    start: u32,
    width: u32,
}

#[derive(Serialize)]
struct EnumDoc<'a> {
    name: String,
    #[serde(rename = "type")]
    ty: Option<&'static str>,
    variants: Vec<VariantDoc<'a>>,
    place: Option<Place>,
}

/// The value is text: it may be wider than a number of JSON.
#[derive(Serialize)]
struct VariantDoc<'a> {
    name: &'a str,
    value: String,
}

struct Layout<'a> {
    program: &'a Program,
    with_library: bool,
    /// Typedef names of types that have no tag.
    typedefs: FxHashMap<TyId, Name>,
}

impl<'a> Layout<'a> {
    fn new(program: &'a Program, with_library: bool) -> Layout<'a> {
        let mut typedefs = FxHashMap::default();
        for scope in &program.unit_scopes {
            for &(name, ty, _) in &scope.typedefs {
                typedefs.entry(ty.ty).or_insert(name);
            }
        }
        Layout { program, with_library, typedefs }
    }

    fn shown(&self, span: Span) -> bool {
        // Types that the compiler makes have no place.
        self.program.sources.place(span).is_some_and(|p| self.with_library || !p.file.starts_with("<library>"))
    }

    fn records(&self) -> impl Iterator<Item = (RecordId, &RecordBody)> {
        let all = self.program.types.records.iter().enumerate();
        all.filter(|(_, r)| self.shown(r.span))
            .filter_map(|(i, r)| r.body.as_ref().map(|body| (RecordId(i as u32), body)))
    }

    fn enums(&self) -> impl Iterator<Item = EnumId> {
        let all = self.program.types.enums.iter().enumerate();
        all.filter(|(_, e)| e.underlying.is_some() && self.shown(e.span)).map(|(i, _)| EnumId(i as u32))
    }

    fn text(&self, name: Name) -> &str {
        self.program.names.text(name)
    }

    fn show(&self, ty: impl Into<QualTy>) -> String {
        self.program.types.show(ty, &self.program.names)
    }

    fn record(&self, id: RecordId) -> &Record {
        self.program.types.record(id)
    }

    /// `struct S`, the name of a typedef, or `struct <anonymous>`.
    fn title(&self, keyword: &str, tag: Option<Name>, ty: Option<TyId>) -> String {
        match (tag, ty.and_then(|ty| self.typedefs.get(&ty))) {
            (Some(tag), _) => format!("{keyword} {}", self.text(tag)),
            (None, Some(&name)) => self.text(name).to_string(),
            (None, None) => format!("{keyword} <anonymous>"),
        }
    }

    fn record_title(&self, id: RecordId) -> String {
        let record = self.record(id);
        let keyword = if record.is_union { "union" } else { "struct" };
        self.title(keyword, record.tag, self.program.types.find(&Type::Record(id)))
    }

    fn enum_title(&self, id: EnumId) -> String {
        let tag = self.program.types.enumeration(id).tag;
        self.title("enum", tag, self.program.types.find(&Type::Enum(id)))
    }

    fn record_text(&self, id: RecordId, body: &RecordBody) -> String {
        let mut out = format!("{}: size {}, align {}", self.record_title(id), body.size, body.align);
        if let Some(place) = self.program.sources.place(self.record(id).span) {
            let _ = write!(out, "  [{place}]");
        }
        out.push('\n');
        for field in &body.fields {
            let name = field.name.map_or("<anonymous>", |n| self.text(n));
            let _ = write!(out, "  {:>5}", field.offset);
            if let Some(bits) = field.bits {
                let _ = write!(out, " bits {}..{}", bits.start, bits.start + bits.width);
            }
            let _ = writeln!(out, "  {name} : {}", self.show(field.ty));
        }
        out
    }

    fn enum_text(&self, id: EnumId) -> String {
        let e = self.program.types.enumeration(id);
        let kind = e.underlying.map_or("?", |k| k.c_name());
        let mut out = format!("{}: {kind}", self.enum_title(id));
        if let Some(place) = self.program.sources.place(e.span) {
            let _ = write!(out, "  [{place}]");
        }
        out.push('\n');
        for (name, value) in &e.variants {
            let _ = writeln!(out, "  {} = {value}", self.text(*name));
        }
        out
    }

    fn record_doc(&self, id: RecordId, body: &RecordBody) -> TypeDoc<'_> {
        let field = |field: &Field| FieldDoc {
            name: field.name.map(|name| self.text(name)),
            ty: self.show(field.ty),
            offset: field.offset,
            bits: field.bits.map(|bits| BitsDoc { start: bits.start, width: bits.width }),
        };
        let record = RecordDoc {
            name: self.record_title(id),
            size: body.size,
            align: body.align,
            fields: body.fields.iter().map(field).collect(),
            place: self.program.sources.place(self.record(id).span),
        };
        if self.record(id).is_union { TypeDoc::Union(record) } else { TypeDoc::Struct(record) }
    }

    fn enum_doc(&self, id: EnumId) -> TypeDoc<'_> {
        let e = self.program.types.enumeration(id);
        let variants = e.variants.iter();
        TypeDoc::Enum(EnumDoc {
            name: self.enum_title(id),
            ty: e.underlying.map(|kind| kind.c_name()),
            variants: variants.map(|(n, v)| VariantDoc { name: self.text(*n), value: v.to_string() }).collect(),
            place: self.program.sources.place(e.span),
        })
    }

    /// Assertions about every type that can be named at the end of the file.
    fn asserts(&self) -> String {
        let mut out = String::new();
        for scope in &self.program.unit_scopes {
            for &(tag, ty) in &scope.tags {
                let keyword = match self.program.types.get(ty) {
                    Type::Record(id) if self.record(*id).is_union => "union",
                    Type::Record(_) => "struct",
                    Type::Enum(_) => "enum",
                    _ => continue,
                };
                self.assert_type(&format!("{keyword} {}", self.text(tag)), ty, None, true, &mut out);
            }
            for &(name, ty, align) in &scope.typedefs {
                // A tagged type's members are asserted under its tag.
                let is_anonymous = self.typedefs.get(&ty.ty) == Some(&name) && self.is_untagged(ty.ty);
                self.assert_type(self.text(name), ty.ty, align, is_anonymous, &mut out);
            }
        }
        out
    }

    fn is_untagged(&self, ty: TyId) -> bool {
        match self.program.types.get(ty) {
            Type::Record(id) => self.record(*id).tag.is_none(),
            _ => false,
        }
    }

    fn assert_type(&self, name: &str, ty: TyId, align: Option<u64>, with_members: bool, out: &mut String) {
        let types = &self.program.types;
        if let Type::Function(_) | Type::Void = types.get(ty) {
            return;
        }
        let Some(size) = types.size_of(ty).filter(|_| types.is_complete(ty)) else { return };
        let _ = writeln!(out, "_Static_assert(sizeof({name}) == {size}, \"size of {name}\");");
        let align = align.unwrap_or_else(|| types.align_of(ty));
        let _ = writeln!(out, "_Static_assert(_Alignof({name}) == {align}, \"alignment of {name}\");");
        match types.get(ty) {
            Type::Record(id) if with_members => self.assert_members(name, "", 0, *id, out),
            Type::Enum(id) => {
                if let Some(kind) = types.enumeration(*id).underlying {
                    let order = if kind.is_signed(&types.target) { '<' } else { '>' };
                    let _ = writeln!(out, "_Static_assert(({name})-1 {order} 0, \"sign of {name}\");");
                }
            }
            _ => {}
        }
    }

    /// Offsets of members, and of the members of those whose type has no name of its own.
    fn assert_members(&self, name: &str, path: &str, base: u64, id: RecordId, out: &mut String) {
        let Some(body) = &self.record(id).body else { return };
        for field in &body.fields {
            let offset = base + field.offset;
            match (field.name, field.bits) {
                (_, Some(_)) => {}
                (None, None) => {
                    if let Type::Record(inner) = self.program.types.get(field.ty.ty) {
                        self.assert_members(name, path, offset, *inner, out);
                    }
                }
                (Some(member), None) => self.assert_member(name, path, offset, self.text(member), field, out),
            }
        }
    }

    fn assert_member(&self, name: &str, path: &str, offset: u64, member: &str, field: &Field, out: &mut String) {
        let path = format!("{path}{member}");
        let _ = writeln!(
            out,
            "_Static_assert(__builtin_offsetof({name}, {path}) == {offset}, \"offset of {path} in {name}\");"
        );
        let (mut ty, mut path) = (field.ty.ty, path);
        while let Type::Array(elem, len) = self.program.types.get(ty) {
            if *len == ArrayLen::Fixed(0) || *len == ArrayLen::Unknown {
                return;
            }
            ty = elem.ty;
            path.push_str("[0]");
        }
        if let Type::Record(inner) = self.program.types.get(ty)
            && self.record(*inner).tag.is_none()
            && !self.typedefs.contains_key(&ty)
        {
            self.assert_members(name, &format!("{path}."), offset, *inner, out);
        }
    }
}
