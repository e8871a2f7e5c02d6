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
use plumb_c::types::{ArrayLen, Field, TyId, Type};
use rustc_hash::FxHashMap;

/// From this many constant parts on, an object is copied from a static image rather than stored part by part.
const IMAGE_PARTS: usize = 64;
/// gcc zeroes an object whose initialiser has more zeros than that, and little else.
const MANY_ZEROS: usize = 6;
/// gcc moves constants one by one where these are no more moves than that, of so many bytes on x86-64.
const MOST_MOVES: u64 = 16;
const VECTOR_BYTES: u64 = 16;

/// What the parts of an initialiser cover of an object.
struct Coverage<'c, 'a> {
    cx: &'c Context<'a>,
    /// By offset and first bit, the size of the part that begins there.
    parts: FxHashMap<(u64, Option<u32>), u64>,
}

impl<'c, 'a> Coverage<'c, 'a> {
    fn of(cx: &'c Context<'a>, init: &Initializer) -> Coverage<'c, 'a> {
        let mut parts: FxHashMap<(u64, Option<u32>), u64> = FxHashMap::default();
        for part in &init.parts {
            let size = parts.entry((part.offset, part.bits.map(|bits| bits.start))).or_default();
            *size = (*size).max(cx.size_of(part.ty));
        }
        Coverage { cx, parts }
    }

    /// Whether every member of what lies there has its value. Padding and unnamed bit-fields have none; a union needs that of a
    /// member as large as itself.
    fn is_complete(&self, ty: TyId, offset: u64, bits: Option<u32>) -> bool {
        let types = &self.cx.hir.types;
        let size = self.cx.size_of(ty);
        if self.parts.get(&(offset, bits)).is_some_and(|part| bits.is_some() || *part >= size) {
            return true;
        }
        match types.get(ty) {
            Type::Array(elem, ArrayLen::Fixed(count)) => {
                let size = self.cx.size_of(elem.ty);
                size == 0 || (0..*count).all(|i| self.is_complete(elem.ty, offset + i * size, None))
            }
            // A flexible array has no elements here.
            Type::Array(..) => true,
            Type::Record(id) => {
                let record = types.record(*id);
                let Some(body) = &record.body else { return false };
                let mut members = body.fields.iter().filter(|field| field.name.is_some() || field.bits.is_none());
                let is_given = |field: &Field| {
                    self.is_complete(field.ty.ty, offset + field.offset, field.bits.map(|bits| bits.start))
                };
                match record.is_union {
                    true => members.any(|field| self.cx.size_of(field.ty.ty) == size && is_given(field)),
                    false => members.all(is_given),
                }
            }
            _ => false,
        }
    }
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
                let zeroed = self.is_zeroed_first(init, cty, size);
                if self.is_copied(init, size, zeroed) && self.copy_image(addr, init, cty, local.align, span) {
                    return;
                }
                if zeroed {
                    let zero = self.b.int(0, crate::ty::Ty::Int(8));
                    let size = self.b.size(size);
                    self.intrinsic(Intrinsic::MemSet, vec![addr, zero, size], None, span);
                } else if init.zero_rest && self.stored_bits(init) < size * 8 {
                    // Padding keeps what lies there.
                    self.havoc_local(id, InputOrigin::Padding, span);
                }
                for part in &init.parts {
                    self.init_part(addr, part, cty, zeroed, span);
                }
            }
            Slot::Vla(var) => {
                let addr = self.b.local(var);
                for part in &init.parts {
                    self.init_part(addr, part, cty, false, span);
                }
            }
        }
    }

    /// Whether the whole object is zero before the parts are stored, as in gcc: where they leave out a member, or are mostly
    /// zeros. Otherwise padding keeps what lies there.
    fn is_zeroed_first(&self, init: &Initializer, cty: TyId, size: u64) -> bool {
        if !init.zero_rest || size == 0 {
            return false;
        }
        let is_zero = |part: &&InitPart| matches!(part.value.kind, ExprKind::Int(0) | ExprKind::Float(0));
        let zeros = init.parts.iter().filter(is_zero).count();
        let others = init.parts.len() - zeros;
        zeros > MANY_ZEROS && others < init.parts.len() / 4 || !Coverage::of(&*self.cx, init).is_complete(cty, 0, None)
    }

    /// Whether an object that is initialised by constants is copied from a static one, whose padding is zero. gcc does so where
    /// its members are not moved one by one; else it only saves edges.
    fn is_copied(&self, init: &Initializer, size: u64, zeroed: bool) -> bool {
        let word = if self.cx.target.pointer_bytes == 8 { VECTOR_BYTES } else { self.cx.target.pointer_bytes };
        let has_padding = self.stored_bits(init) < size * 8;
        size > MOST_MOVES * word || init.parts.len() >= IMAGE_PARTS && (zeroed || !has_padding)
    }

    /// Bits that the parts store.
    fn stored_bits(&self, init: &Initializer) -> u64 {
        let bits = |part: &InitPart| part.bits.map_or(self.cx.size_of(part.ty) * 8, |bits| bits.width.into());
        init.parts.iter().map(bits).sum()
    }

    fn init_part(&mut self, base: ExprId, part: &'a InitPart, whole: TyId, zeroed: bool, span: Span) {
        let value_span = if part.value.span.is_none() { span } else { part.value.span };
        if let Some(range) = part.bits {
            let window = self.cx.window_at(whole, part.offset, range).unwrap_or(bytes_of(part.offset, range));
            let value = self.value(&part.value);
            let value = self.fit(value, part.value.ty.ty, self.cx.carrier(part.ty));
            let place = self.bit_place(base, part.offset, range, window, span);
            self.write(place, value, part.ty, value_span);
            return;
        }
        let to = self.b.ptr_offset(base, part.offset);
        let size = self.cx.size_of(part.ty);
        if let ExprKind::Global(_) = part.value.kind {
            return self.init_string(to, size, part, zeroed, value_span);
        }
        if self.cx.is_record(part.ty) {
            let from = self.value(&part.value);
            return self.copy_bytes(to, from, size, value_span);
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
    fn copy_image(&mut self, addr: ExprId, init: &Initializer, cty: TyId, align: u64, span: Span) -> bool {
        let parts: Option<Vec<StaticPart>> = init.parts.iter().map(|p| self.static_part(p)).collect();
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

    fn static_part(&self, part: &InitPart) -> Option<StaticPart> {
        let bytes = self.cx.size_of(part.ty);
        let value = match (&part.value.kind, part.bits) {
            (ExprKind::Int(value), Some(range)) => StaticValue::Bits { value: *value as u128, range },
            (ExprKind::Int(value), None) => StaticValue::Int { value: *value as u128, bytes },
            (ExprKind::Float(bits), None) => StaticValue::Int { value: *bits, bytes },
            _ => return None,
        };
        Some(StaticPart { offset: part.offset, value })
    }
}
