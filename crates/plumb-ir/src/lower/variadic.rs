//! Variadic arguments.
//!
//! The caller lays them out in an object of its own, in slots of 8 bytes or a multiple, and passes its address as a
//! hidden last argument. A `va_list` holds the address of the next slot: in its `overflow_arg_area` member on 64-bit
//! x86, where the type is a record, and by itself elsewhere.

use super::call::Arg;
use super::function::Lowerer;
use super::lvalue::Place;
use crate::expr::ExprId;
use crate::program::ObjRef;
use crate::ty::Ty;
use plumb_c::hir;
use plumb_c::source::Span;
use plumb_c::target::FloatFormat;
use plumb_c::types::TyId;

/// Offset of `overflow_arg_area` in the x86-64 record.
const NEXT_SLOT: u64 = 8;

impl<'a> Lowerer<'_, 'a> {
    fn slot_size(&self, cty: TyId) -> u64 {
        match self.cx.carrier(cty) {
            Ty::Float(FloatFormat::X87) => 16,
            _ => self.cx.size_of(cty).next_multiple_of(8).max(8),
        }
    }

    /// The address of an object that holds the arguments.
    pub(super) fn variadic_area(&mut self, args: &[Arg], span: Span) -> ExprId {
        if args.is_empty() {
            let object = match self.no_arguments {
                Some(object) => object,
                None => self.temp_object("noargs", 8, 8, None, span),
            };
            self.no_arguments = Some(object);
            return self.b.addr(ObjRef::Local(object));
        }
        let size = args.iter().map(|a| self.slot_size(a.cty)).sum();
        let object = self.temp_object("args", size, 8, None, span);
        let area = self.b.addr(ObjRef::Local(object));
        let mut offset = 0;
        for arg in args {
            let slot = self.b.ptr_offset(area, offset);
            if self.cx.is_record(arg.cty) {
                self.copy_record_anew(slot, arg.value, arg.cty, span);
            } else {
                self.store(slot, arg.value, span);
            }
            offset += self.slot_size(arg.cty);
        }
        area
    }

    /// The place of the next slot's address in a `va_list` lvalue.
    fn next_slot_place(&mut self, list: &'a hir::Expr) -> Place {
        let place = self.place(list);
        if self.cx.is_record(list.ty.ty) {
            let record = self.address_of(place, list.span);
            return Place::Memory(self.b.ptr_offset(record, NEXT_SLOT));
        }
        place
    }

    fn read_slot(&mut self, place: Place) -> ExprId {
        match place {
            Place::Register(var, ty) => self.b.var(var, ty),
            Place::Memory(addr) | Place::Device(addr) | Place::Bits(super::lvalue::BitPlace { addr, .. }) => {
                self.b.load(addr, Ty::Ptr)
            }
        }
    }

    /// The address of the arguments that a `va_list` passed as an argument stands for.
    pub(super) fn slots_of_argument(&mut self, list: Arg) -> ExprId {
        match self.cx.hir.types.pointee(list.cty) {
            Some(to) if self.cx.is_record(to.ty) => {
                let addr = self.b.ptr_offset(list.value, NEXT_SLOT);
                self.b.load(addr, Ty::Ptr)
            }
            Some(_) | None => list.value,
        }
    }

    /// `va_arg`: the value, or the address of a record.
    pub(super) fn variadic_argument(&mut self, list: &'a hir::Expr, cty: TyId, span: Span) -> ExprId {
        let place = self.next_slot_place(list);
        let place = self.stabilise(place, span);
        let slot = self.read_slot(place);
        let slot = self.b.into_temp(slot, span);
        let step = self.slot_size(cty);
        let next = self.b.ptr_offset(slot, step);
        self.write(place, next, list.ty.ty, span);
        if self.cx.is_record(cty) {
            return slot;
        }
        let ty = self.cx.carrier(cty);
        self.b.load(slot, ty)
    }

    pub(super) fn variadic_start(&mut self, list: &'a hir::Expr, span: Span) {
        let place = self.next_slot_place(list);
        let area = match self.variadic {
            Some(var) => self.b.local(var),
            None => return self.unsupported("va_start in a function without variadic arguments", span),
        };
        self.write(place, area, list.ty.ty, span);
    }

    pub(super) fn variadic_copy(&mut self, to: &'a hir::Expr, from: &'a hir::Expr, span: Span) {
        let place = self.next_slot_place(to);
        let place = self.stabilise(place, span);
        let source = self.next_slot_place(from);
        let slot = self.read_slot(source);
        self.write(place, slot, to.ty.ty, span);
    }
}
