//! Device registers that are reached through pointers in variables.
//!
//! An access at an address that is a constant is known for a device's when it is lowered. A pointer that was loaded is
//! not: it may hold such an address, or that of an object. So the addresses that the program casts to pointers to volatile
//! are collected beforehand, and an access to a volatile place behind a pointer asks whether it lies among them: then
//! a read is an input and a write goes nowhere. Elsewhere it is an access like any other. The program's own objects lie
//! outside of these ranges, which is listed as assumed with them.

use super::Context;
use super::function::Lowerer;
use super::lvalue::{BitPlace, Place};
use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Sign};
use crate::input::InputOrigin;
use crate::program::{AssumptionKind, BranchKind, DeviceRange, VarRef};
use crate::ty::Ty;
use plumb_c::hir;
use plumb_c::source::Span;

/// The ranges of a program's devices, in order and without overlap.
pub(super) fn ranges(program: &hir::Program) -> Vec<DeviceRange> {
    let mut all: Vec<DeviceRange> = program
        .devices
        .iter()
        .map(|d| DeviceRange { start: d.address, end: d.address.saturating_add(d.bytes) })
        .collect();
    all.sort_by_key(|r| (r.start, r.end));
    let mut merged: Vec<DeviceRange> = Vec::new();
    for range in all {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            Some(_) | None => merged.push(range),
        }
    }
    merged
}

impl Context<'_> {
    /// An access at a constant address.
    fn assume_register(&mut self, address: u64, span: Span) {
        self.assume(AssumptionKind::Device, format!("{address:#x}").into(), span);
    }

    /// What a device has at a constant address and behind: what the program casts to, or the rest of the page.
    fn range_from(&self, address: u64) -> DeviceRange {
        let page = if self.target.pointer_bytes < 4 { 256 } else { 4096 };
        let of_page = DeviceRange { start: address, end: (address | (page - 1)).saturating_add(1) };
        self.devices.iter().copied().find(|range| (range.start..range.end).contains(&address)).unwrap_or(of_page)
    }

    fn assume_devices(&mut self, span: Span) {
        for range in self.devices.clone().iter() {
            self.assume(AssumptionKind::Device, format!("{:#x}..{:#x}", range.start, range.end).into(), span);
        }
    }
}

impl<'a> Lowerer<'_, 'a> {
    /// The place of a volatile lvalue, which may turn out to be a device register.
    pub(super) fn perhaps_device(&mut self, place: Place) -> Place {
        let addr = match place {
            Place::Memory(addr) => addr,
            Place::Bits(bits) => bits.addr,
            Place::Register(..) | Place::Device(_) => return place,
        };
        if self.cx.devices.is_empty() || self.device_address(addr).is_some() || self.is_in_object(addr) {
            return place;
        }
        match place {
            Place::Bits(bits) => Place::Bits(BitPlace { device: true, ..bits }),
            Place::Memory(_) | Place::Register(..) | Place::Device(_) => Place::Device(addr),
        }
    }

    /// Whether the address was computed from that of an object by name.
    fn is_in_object(&self, addr: ExprId) -> bool {
        match self.b.kind(addr) {
            ExprKind::Addr(_) | ExprKind::FuncAddr(_) => true,
            ExprKind::PtrAdd(base, _) => self.is_in_object(base),
            _ => false,
        }
    }

    /// Reads from the device, or by `otherwise` from memory, a value of the type.
    pub(super) fn read_device(
        &mut self,
        addr: ExprId,
        bytes: u64,
        ty: Ty,
        lvalue: &'a hir::Expr,
        otherwise: impl FnOnce(&mut Self, ExprId) -> ExprId,
    ) -> ExprId {
        let span = lvalue.span;
        let temp = VarRef::Local(self.b.temp(ty, span));
        let origin = InputOrigin::Volatile(self.lvalue_name(lvalue));
        let cty = (self.cx.carrier(lvalue.ty.ty) == ty).then_some(lvalue.ty.ty);
        self.where_device(
            addr,
            bytes,
            span,
            |this| this.havoc_var(temp, origin, cty, span),
            |this, addr| {
                let value = otherwise(this, addr);
                this.b.assign(temp, value, span);
            },
        );
        self.b.var(temp, ty)
    }

    /// Writes to memory by `otherwise`, unless the address is a device's.
    pub(super) fn write_device(
        &mut self,
        addr: ExprId,
        bytes: u64,
        span: Span,
        otherwise: impl FnOnce(&mut Self, ExprId),
    ) {
        self.where_device(addr, bytes, span, |_| {}, otherwise);
    }

    /// An access at a constant address, or at a distance from one that is not constant: then the run is not supported unless the
    /// access stays in the device, since an object of the program may lie anywhere else.
    pub(super) fn stay_in_device(&mut self, addr: ExprId, bytes: u64, span: Span) {
        let Some(base) = self.device_address(addr) else { return };
        if let ExprKind::Const(_) = self.b.kind(addr) {
            return self.cx.assume_register(base, span);
        }
        let range = self.cx.range_from(base);
        self.cx.assume(AssumptionKind::Device, format!("{:#x}..{:#x}", range.start, range.end).into(), span);
        let Some(room) = (range.end - range.start).checked_sub(bytes) else {
            return self.unsupported("an access that leaves its device", span);
        };
        let word = self.b.word();
        let number = self.b.cast(CastOp::PtrToInt, addr, word);
        let (start, room) = (self.b.size(range.start), self.b.size(room));
        let offset = self.b.binary(BinOp::Sub, Sign::Plain, number, start);
        let inside = self.b.binary(BinOp::Le, Sign::Unsigned, offset, room);
        let (yes, no) = (self.b.new_loc(), self.b.new_loc());
        let (if_true, if_false) = super::cond::branch_targets(BranchKind::Conditional, yes, no);
        self.b.branch(inside, if_true, if_false, span);
        self.b.at(no);
        self.unsupported("an access at a variable distance from a constant address that leaves the device there", span);
        self.b.at(yes);
    }

    fn where_device(
        &mut self,
        addr: ExprId,
        bytes: u64,
        span: Span,
        device: impl FnOnce(&mut Self),
        memory: impl FnOnce(&mut Self, ExprId),
    ) {
        self.cx.assume_devices(span);
        let addr = self.b.reusable(addr, span);
        // Objects lie outside of devices, so what points into one needs no look at its address.
        let taken = self.b.is_live(addr);
        let free = self.b.not(taken);
        let inside = self.in_device(addr, bytes);
        let cond = self.b.and(free, inside);
        let (yes, no, join) = (self.b.new_loc(), self.b.new_loc(), self.b.new_loc());
        let (if_true, if_false) = super::cond::branch_targets(BranchKind::Conditional, yes, no);
        self.b.branch(cond, if_true, if_false, span);
        self.b.at(yes);
        device(self);
        self.b.jump(join, span);
        self.b.at(no);
        memory(self, addr);
        self.b.continue_at(join, span);
    }

    /// So many bytes at the address are a device's.
    fn in_device(&mut self, addr: ExprId, bytes: u64) -> ExprId {
        let word = self.b.word();
        let number = self.b.cast(CastOp::PtrToInt, addr, word);
        let mut inside = self.b.bool(false);
        for range in self.cx.devices.clone().iter() {
            let Some(room) = (range.end - range.start).checked_sub(bytes) else { continue };
            let (start, room) = (self.b.size(range.start), self.b.size(room));
            let offset = self.b.binary(BinOp::Sub, Sign::Plain, number, start);
            let fits = self.b.binary(BinOp::Le, Sign::Unsigned, offset, room);
            inside = self.b.or(inside, fits);
        }
        inside
    }
}
