//! Initialisers of locals: stores into the object in the order of evaluation.

use super::bitfield::bytes_of;
use super::function::{Lowerer, Slot};
use super::lvalue::Place;
use crate::expr::ExprId;
use crate::program::{GlobalObjInfo, Intrinsic, ObjRef, VarRef};
use plumb_c::hir::{self, ExprKind, InitPart, Initializer, StaticPart, StaticValue};
use plumb_c::source::Span;
use plumb_c::types::TyId;

/// From this many constant parts on, an object is copied from a static image rather than stored part by part.
const IMAGE_PARTS: usize = 64;

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
                if init.parts.len() >= IMAGE_PARTS && self.copy_image(addr, init, cty, local.align, span) {
                    return;
                }
                let zeroed = self.clear(addr, size, init, span);
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

    /// Zeroes the object if the parts leave anything of it out, and says whether. A string literal counts as its whole array:
    /// what it leaves of that is filled with it.
    fn clear(&mut self, addr: ExprId, size: u64, init: &Initializer, span: Span) -> bool {
        if !init.zero_rest || size == 0 {
            return false;
        }
        // Parts are in order of evaluation, mostly that of their offsets: a gap is what does not continue the run.
        let mut covered = 0;
        for part in &init.parts {
            if part.offset == covered && part.bits.is_none() {
                covered += self.cx.size_of(part.ty);
            }
        }
        let zeroes = covered < size;
        if zeroes {
            let zero = self.b.int(0, crate::ty::Ty::Int(8));
            let size = self.b.size(size);
            self.intrinsic(Intrinsic::MemSet, vec![addr, zero, size], None, span);
        }
        zeroes
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
