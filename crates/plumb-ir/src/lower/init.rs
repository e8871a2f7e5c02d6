//! Initialisers of locals: stores into the object in the order of evaluation.

use super::Context;
use super::bitfield::bytes_of;
use super::function::{Lowerer, Slot};
use super::lvalue::Place;
use crate::expr::ExprId;
use crate::input::InputOrigin;
use crate::program::{GlobalObjInfo, Intrinsic, ObjRef, VarRef};
use plumb_c::hir::{self, ExprKind, InitPart, Initializer, StaticPart, StaticValue};
use plumb_c::source::Span;
use plumb_c::types::{ArrayLen, BitRange, Field, IntKind, TyId, Type};
use std::collections::{BTreeMap, BTreeSet};

/// From this many constant parts on, an object is copied from a static image rather than stored part by part.
const IMAGE_PARTS: usize = 64;
/// gcc zeroes an object whose initialiser has more zeros than that, and little else.
const MANY_ZEROS: u64 = 6;
/// gcc moves constants one by one up to so many bytes with the vector instructions of x86, and copies more at once. Without them
/// it copies sooner; what lies between is arbitrary here.
const MOVED_BYTES: u64 = 256;

/// A part of an initialiser with its place in the whole object.
#[derive(Clone, Copy)]
struct Placed<'a> {
    offset: u64,
    part: &'a InitPart,
    /// It belongs to a compound literal in the list, which gcc takes for a part of the list.
    in_literal: bool,
}

/// The parts of an initialiser, those of compound literals in it included.
fn placed(init: &Initializer) -> Vec<Placed<'_>> {
    fn add<'a>(all: &mut Vec<Placed<'a>>, init: &'a Initializer, offset: u64, in_literal: bool) {
        for part in &init.parts {
            match literal(&part.value).filter(|_| init.zero_rest) {
                Some(inner) => add(all, inner, offset + part.offset, true),
                None => all.push(Placed { offset: offset + part.offset, part, in_literal }),
            }
        }
    }
    let mut all = Vec::with_capacity(init.parts.len());
    add(&mut all, init, 0, false);
    all
}

/// The list of a value that is a compound literal.
fn literal(value: &hir::Expr) -> Option<&Initializer> {
    match &value.kind {
        ExprKind::Load(inner) => literal(inner),
        ExprKind::CompoundLiteral { init, .. } if init.zero_rest => Some(init),
        _ => None,
    }
}

/// The list of a compound literal that is the value of a comma expression: gcc stores its parts where the value goes, once it has
/// come so far, but does not take it for a part of the list around it.
fn literal_behind_effects(value: &hir::Expr) -> Option<&Initializer> {
    match &value.kind {
        ExprKind::Comma(_, rest) => literal(rest).or_else(|| literal_behind_effects(rest)),
        _ => None,
    }
}

fn start_and_width(bits: BitRange) -> (u32, u32) {
    (bits.start, bits.width)
}

/// What the parts of an initialiser cover of an object.
struct Coverage<'c, 'a> {
    cx: &'c Context<'a>,
    /// By offset and bits, the size of the part that lies there.
    parts: BTreeMap<(u64, Option<(u32, u32)>), u64>,
    /// Offsets of parts that keep a list of characters from being a string.
    no_characters: BTreeSet<u64>,
    /// Arrays of characters that are given by lists of constants, with their sizes: strings to gcc, which fill the whole array.
    strings: Vec<(u64, u64)>,
}

impl<'c, 'a> Coverage<'c, 'a> {
    fn of(cx: &'c Context<'a>, parts: &[Placed], is_declared: bool) -> Coverage<'c, 'a> {
        let mut coverage = Coverage { cx, parts: BTreeMap::new(), no_characters: BTreeSet::new(), strings: Vec::new() };
        for placed in parts {
            let part = placed.part;
            let size = coverage.parts.entry((placed.offset, part.bits.map(start_and_width))).or_default();
            *size = (*size).max(cx.size_of(part.ty));
            if !is_declared || placed.in_literal || cx.integer_constant(&part.value).is_none() {
                coverage.no_characters.insert(placed.offset);
            }
        }
        coverage
    }

    /// Whether every member of what lies there has its value. Padding has none; a union needs that of a member as large as
    /// itself; to gcc unnamed bit-fields are members that nobody can name.
    fn is_complete(&mut self, ty: TyId, offset: u64, bits: Option<(u32, u32)>) -> bool {
        let cx = self.cx;
        let types = &cx.hir.types;
        let size = cx.size_of(ty);
        if self.parts.get(&(offset, bits)).is_some_and(|part| bits.is_some() || *part >= size) {
            return true;
        }
        match types.get(ty) {
            Type::Array(elem, ArrayLen::Fixed(_)) if self.is_string(elem.ty, offset, size) => {
                self.strings.push((offset, size));
                true
            }
            Type::Array(elem, ArrayLen::Fixed(count)) => {
                let size = self.cx.size_of(elem.ty);
                size == 0 || (0..*count).all(|i| self.is_complete(elem.ty, offset + i * size, None))
            }
            // A flexible array has no elements here.
            Type::Array(..) => true,
            Type::Record(id) => {
                let record = types.record(*id);
                let Some(body) = &record.body else { return false };
                let mut given = |field: &Field| {
                    self.is_complete(field.ty.ty, offset + field.offset, field.bits.map(start_and_width))
                };
                // To gcc a bit-field has the smallest type that its bits fit into.
                let size_in_union = |field: &Field| match field.bits {
                    Some(bits) => u64::from(bits.width.div_ceil(8).next_power_of_two()),
                    None => cx.size_of(field.ty.ty),
                };
                let is_unnamed_bits = |field: &Field| field.name.is_none() && field.bits.is_some();
                match record.is_union {
                    true => body.fields.iter().any(|field| size_in_union(field) == size && given(field)),
                    false => body.fields.iter().all(|field| !is_unnamed_bits(field) && given(field)),
                }
            }
            _ => false,
        }
    }

    /// Whether what lies there is a list of constant characters.
    fn is_string(&self, elem: TyId, offset: u64, size: u64) -> bool {
        let is_character = self
            .cx
            .hir
            .types
            .int_kind(elem)
            .is_some_and(|kind| matches!(kind, IntKind::Char | IntKind::SChar | IntKind::UChar));
        is_character
            && self.parts.range((offset, None)..(offset + size, None)).next().is_some()
            && self.no_characters.range(offset..offset + size).next().is_none()
    }
}

/// What becomes of an object before the parts of its initialiser are stored.
enum Before {
    /// It is zero.
    Cleared,
    /// It keeps what lies there, but for these arrays, which are zero.
    Kept(Vec<(u64, u64)>),
}

impl<'a> Lowerer<'_, 'a> {
    /// Gives a local its initial value.
    pub(super) fn initialise(&mut self, id: hir::LocalId, init: &'a Initializer, span: Span) {
        let Some(local) = self.body.map(|b| b.local(id)) else {
            return;
        };
        let cty = local.ty.ty;
        match self.slots[id] {
            Slot::Register(var) => {
                let ty = self.b.var_ty(var);
                match init.parts.last() {
                    Some(part) => self.value_into(&part.value, VarRef::Local(var), ty),
                    None => {
                        let zero = self.b.constant(crate::ty::Bits::ZERO, ty);
                        self.b.assign(VarRef::Local(var), zero, span);
                    }
                }
            }
            slot @ (Slot::Object(_) | Slot::Scoped(_)) => {
                let addr = match slot {
                    Slot::Object(object) => self.b.addr(ObjRef::Local(object)),
                    Slot::Scoped(var) | Slot::Vla(var) | Slot::Register(var) => self.b.local(var),
                };
                let size = self.cx.size_of(cty);
                let parts = placed(init);
                let before = self.before(init, &parts, (cty, size), local.name.is_some());
                let is_cleared = matches!(before, Before::Cleared);
                let is_copied = self.is_copied(&parts, size, is_cleared);
                if is_copied && self.copy_image(addr, &parts, cty, local.align, span) {
                    return;
                }
                // Padding keeps what lies there.
                if !is_cleared && self.stored_bits(&parts) < size * 8 {
                    self.havoc_local(id, InputOrigin::Padding, span);
                }
                self.prepare(addr, size, before, span);
                for part in parts {
                    self.init_part(addr, part, cty, is_cleared, span);
                }
            }
            Slot::Vla(var) => {
                let addr = self.b.local(var);
                for part in placed(init) {
                    self.init_part(addr, part, cty, false, span);
                }
            }
        }
    }

    /// Gives a part of an object the value of a list of its own. What the list leaves out was made arbitrary with the whole.
    fn initialise_part(&mut self, addr: ExprId, init: &'a Initializer, cty: TyId, span: Span) {
        let size = self.cx.size_of(cty);
        let parts = placed(init);
        let before = self.before(init, &parts, (cty, size), false);
        let is_cleared = matches!(before, Before::Cleared);
        self.prepare(addr, size, before, span);
        for part in parts {
            self.init_part(addr, part, cty, is_cleared, span);
        }
    }

    fn prepare(&mut self, addr: ExprId, size: u64, before: Before, span: Span) {
        match before {
            Before::Cleared => self.zero(addr, size, span),
            Before::Kept(strings) => {
                for (offset, size) in strings {
                    let addr = self.b.ptr_offset(addr, offset);
                    self.zero(addr, size, span);
                }
            }
        }
    }

    /// What gcc does before it stores the parts: the whole object becomes zero where they leave out a member, or are mostly zeros.
    fn before(&self, init: &Initializer, parts: &[Placed], (cty, size): (TyId, u64), is_declared: bool) -> Before {
        if !init.zero_rest || size == 0 {
            return Before::Kept(Vec::new());
        }
        let mut coverage = Coverage::of(&*self.cx, parts, is_declared);
        let is_complete = coverage.is_complete(cty, 0, None);
        let strings = coverage.strings;
        let in_string = |offset: u64| strings.iter().any(|(start, size)| (*start..*start + *size).contains(&offset));
        let (mut zeros, mut others) = (0, 0);
        for placed in parts {
            let value = &placed.part.value;
            let is_zero = matches!(value.kind, ExprKind::Float(0)) || self.cx.integer_constant(value) == Some(0);
            match value.kind {
                _ if is_zero && !in_string(placed.offset) => zeros += 1,
                // A string counts by its characters.
                ExprKind::Global(_) => others += self.cx.size_of(value.ty.ty),
                _ => others += 1,
            }
        }
        match zeros > MANY_ZEROS && others < (zeros + others) / 4 || !is_complete {
            true => Before::Cleared,
            false => Before::Kept(strings),
        }
    }

    /// Whether an object that is initialised by constants is copied from a static one, whose padding is zero. gcc does so where
    /// its members are not moved one by one; else it only saves edges.
    fn is_copied(&self, parts: &[Placed], size: u64, is_cleared: bool) -> bool {
        let has_padding = self.stored_bits(parts) < size * 8;
        size > MOVED_BYTES || parts.len() >= IMAGE_PARTS && (is_cleared || !has_padding)
    }

    /// Bits that the parts store. Of `long double` those of the value.
    fn stored_bits(&self, parts: &[Placed]) -> u64 {
        let bits = |placed: &Placed| match (placed.part.bits, literal_behind_effects(&placed.part.value)) {
            (Some(bits), _) => bits.width.into(),
            (None, Some(init)) => {
                let ty = placed.part.ty;
                let size = self.cx.size_of(ty);
                let inner = self::placed(init);
                match self.before(init, &inner, (ty, size), false) {
                    Before::Cleared => size * 8,
                    Before::Kept(_) => self.stored_bits(&inner),
                }
            }
            (None, None) => self.cx.moved_bytes(placed.part.ty) * 8,
        };
        parts.iter().map(bits).sum()
    }

    fn zero(&mut self, addr: ExprId, size: u64, span: Span) {
        let zero = self.b.int(0, crate::ty::Ty::Int(8));
        let size = self.b.size(size);
        self.intrinsic(Intrinsic::MemSet, vec![addr, zero, size], None, span);
    }

    fn init_part(&mut self, base: ExprId, placed: Placed<'a>, whole: TyId, zeroed: bool, span: Span) {
        let Placed { offset, part, .. } = placed;
        let value_span = if part.value.span.is_none() { span } else { part.value.span };
        if let Some(range) = part.bits {
            let window = self.cx.window_at(whole, offset, range).unwrap_or(bytes_of(offset, range));
            let value = self.value(&part.value);
            let value = self.fit(value, part.value.ty.ty, self.cx.carrier(part.ty));
            let place = self.bit_place(base, offset, range, window, span);
            self.write(place, value, part.ty, value_span);
            return;
        }
        let to = self.b.ptr_offset(base, offset);
        let size = self.cx.size_of(part.ty);
        if let ExprKind::Global(_) = part.value.kind {
            return self.init_string(to, size, part, zeroed, value_span);
        }
        if let Some(init) = literal_behind_effects(&part.value) {
            let mut value = &part.value;
            while let ExprKind::Comma(effects, rest) = &value.kind {
                self.discard(effects);
                value = rest;
            }
            return self.initialise_part(to, init, part.ty, value_span);
        }
        if self.cx.is_record(part.ty) {
            let from = self.value(&part.value);
            return self.copy_record(to, from, part.ty, value_span);
        }
        let value = self.value(&part.value);
        let value = self.fit(value, part.value.ty.ty, self.cx.carrier(part.ty));
        self.write(Place::Memory(to), value, part.ty, value_span);
    }

    /// A string literal into an array: cut, or filled up with zeros.
    fn init_string(&mut self, to: ExprId, size: u64, part: &'a InitPart, zeroed: bool, span: Span) {
        let from = self.address(&part.value);
        let length = self.cx.size_of(part.value.ty.ty);
        self.copy_bytes(to, from, length.min(size), span);
        if length < size && !zeroed {
            let rest = self.b.ptr_offset(to, length);
            let zero = self.b.int(0, crate::ty::Ty::Int(8));
            let count = self.b.size(size - length);
            self.intrinsic(Intrinsic::MemSet, vec![rest, zero, count], None, span);
        }
    }

    /// Copies an initialiser of constants from a static object made for it. False if it is not constant.
    fn copy_image(&mut self, addr: ExprId, parts: &[Placed], cty: TyId, align: u64, span: Span) -> bool {
        let parts: Option<Vec<StaticPart>> = parts.iter().map(|p| self.static_part(p)).collect();
        let size = self.cx.size_of(cty);
        let Some(parts) = parts else {
            return false;
        };
        let data = self.cx.data(&parts);
        let name = format!("{}%image{}", self.name, self.b.object_count()).into();
        let info = GlobalObjInfo {
            name,
            size,
            align,
            cty: Some(cty),
            init: data,
            read_only: true,
            is_volatile: false,
            is_foreign: false,
            span,
        };
        let object = self.cx.add_object(info, None);
        let from = self.b.addr(ObjRef::Global(object));
        self.copy_bytes(addr, from, size, span);
        true
    }

    fn static_part(&self, placed: &Placed) -> Option<StaticPart> {
        let part = placed.part;
        let bytes = self.cx.size_of(part.ty);
        let value = match (self.cx.integer_constant(&part.value), &part.value.kind, part.bits) {
            (Some(value), _, Some(range)) => StaticValue::Bits { value: value as u128, range },
            (Some(value), _, None) => StaticValue::Int { value: value as u128, bytes },
            (None, ExprKind::Float(bits), None) => StaticValue::Int { value: *bits, bytes },
            _ => return None,
        };
        Some(StaticPart { offset: placed.offset, value })
    }
}
