//! Addresses of devices: constants that the program casts to pointers to something volatile.
//!
//! A pointer to one register is often the base of a block of them, whose length nothing tells: it stands for the rest of
//! the page that it lies in. A structure or an array says itself how long it is. Where pointers are wide, the first and
//! the last page hold no devices but numbers in disguise: null with an offset, -1 for failure.

use super::Sema;
use super::constant::{Reads, StaticConst};
use super::convert::Class;
use crate::hir::{Device, Expr};
use crate::types::{QualTy, TyId, Type};

impl Sema<'_> {
    /// Notes the device behind a cast of an integer to a pointer type.
    pub(crate) fn note_device(&mut self, value: &Expr, to: TyId) {
        let Class::Pointer(to) = self.class(to) else { return };
        let (Some(size), Some(StaticConst::Int(number))) =
            (self.types.size_of(to.ty), self.fold(value, Reads::ConstObjects))
        else {
            return;
        };
        let bits = self.types.target.pointer_bits();
        let last = u64::MAX >> (64 - bits);
        let page = if bits < 32 { 256 } else { 4096 };
        let address = number as u64 & last;
        let is_number = if bits < 32 { address == 0 } else { address < page || address > last - page };
        if is_number || self.in_library || !self.has_volatile(to) {
            return;
        }
        let bytes = match self.types.get(to.ty) {
            Type::Record(_) | Type::Array(..) => size,
            _ => size.max(page - address % page),
        };
        let device = Device { address, bytes: bytes.min(last - address) };
        if !self.devices.contains(&device) {
            self.devices.push(device);
        }
    }

    fn has_volatile(&self, ty: QualTy) -> bool {
        ty.quals.is_volatile
            || match self.types.get(ty.ty) {
                Type::Array(elem, _) => self.has_volatile(*elem),
                Type::Record(id) => {
                    let body = self.types.record(*id).body.as_ref();
                    body.is_some_and(|b| b.fields.iter().any(|f| self.has_volatile(f.ty)))
                }
                _ => false,
            }
    }
}
