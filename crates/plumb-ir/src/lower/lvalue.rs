//! Places: where an lvalue's value is read from and written to.

use super::GlobalSlot;
use super::bitfield::{Window, bytes_of};
use super::function::{Lowerer, Slot};
use super::subscript::Use;
use crate::expr::{BinOp, CastOp, ExprId, ExprKind, Sign};
use crate::input::InputOrigin;
use crate::program::{AssumptionKind, HavocPlace, Intrinsic, ObjRef, Op, Place as IrPlace, VarRef};
use crate::ty::Ty;
use plumb_c::hir;
use plumb_c::source::Span;
use plumb_c::types::{BitRange, IntKind, TyId};
use std::sync::Arc;

#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Register(VarRef, Ty),
    Memory(ExprId),
    /// Memory, or a register of a device: only the run knows.
    Device(ExprId),
    Bits(BitPlace),
}

/// Bits of the bytes from `addr` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitPlace {
    pub(super) addr: ExprId,
    pub(super) bytes: u64,
    pub(super) lo: u8,
    pub(super) width: u8,
    /// As [`Place::Device`].
    pub(super) device: bool,
}

impl BitPlace {
    fn ty(self) -> Ty {
        Ty::Int((self.bytes * 8) as u8)
    }

    fn is_whole(self) -> bool {
        self.lo == 0 && self.width as u64 == self.bytes * 8
    }
}

impl<'a> Lowerer<'_, 'a> {
    /// The place that an lvalue designates. A value of record type designates the object that holds it.
    pub(super) fn place(&mut self, e: &'a hir::Expr) -> Place {
        let place = self.designated(e);
        if e.ty.quals.is_volatile { self.perhaps_device(place) } else { place }
    }

    fn designated(&mut self, e: &'a hir::Expr) -> Place {
        match &e.kind {
            hir::ExprKind::Local(id) => self.local_place(*id),
            hir::ExprKind::Global(id) => {
                self.require_usable(*id, e.span);
                match self.cx.global(*id) {
                    GlobalSlot::Register(var, ty) => Place::Register(VarRef::Global(var), ty),
                    GlobalSlot::Object(object) => Place::Memory(self.b.addr(ObjRef::Global(object))),
                }
            }
            hir::ExprKind::Deref(pointer) => Place::Memory(self.element(pointer, Use::Access)),
            hir::ExprKind::Member { base, field } => self.member(base, *field, e.span),
            hir::ExprKind::CompoundLiteral { local, init } => {
                self.initialise(*local, init, e.span);
                self.local_place(*local)
            }
            hir::ExprKind::Func(id) => {
                if let Some(address) = self.weak_address(*id) {
                    return Place::Memory(address);
                }
                let function = self.cx.function(*id);
                Place::Memory(self.b.func_addr(function))
            }
            _ => Place::Memory(self.value(e)),
        }
    }

    pub(super) fn local_place(&mut self, id: hir::LocalId) -> Place {
        match self.slots[id] {
            Slot::Register(var) => Place::Register(VarRef::Local(var), self.b.var_ty(var)),
            Slot::Object(object) => Place::Memory(self.b.addr(ObjRef::Local(object))),
            Slot::Vla(var) | Slot::Scoped(var) => Place::Memory(self.b.local(var)),
        }
    }

    fn member(&mut self, base: &'a hir::Expr, field: u32, span: Span) -> Place {
        let record = self.place(base);
        let addr = self.address_of(record, span);
        let hir = self.cx.hir;
        let Some(id) = hir.types.record_id(base.ty.ty) else {
            self.cx.broken_promise(span, "a member of something that is not a record");
            return Place::Memory(addr);
        };
        let info = hir.types.record(id).body.as_ref().and_then(|b| b.fields.get(field as usize));
        let Some(info) = info else {
            self.cx.broken_promise(span, "a member that its record does not have");
            return Place::Memory(addr);
        };
        match info.bits {
            None => Place::Memory(self.b.ptr_offset(addr, info.offset)),
            Some(range) => {
                let window = self.cx.bit_windows(id)[field as usize].unwrap_or(bytes_of(info.offset, range));
                self.bit_place(addr, info.offset, range, window, span)
            }
        }
    }

    /// Bits counted from a byte of the object at `base`, reached through a window of its bytes.
    pub(super) fn bit_place(
        &mut self,
        base: ExprId,
        offset: u64,
        range: BitRange,
        window: Window,
        span: Span,
    ) -> Place {
        let lo = offset * 8 + range.start as u64 - window.start * 8;
        if window.bytes > 16 {
            self.unsupported("a bit-field that straddles more than 16 bytes", span);
        }
        let bytes = window.bytes.min(16);
        let addr = self.b.ptr_offset(base, window.start);
        Place::Bits(BitPlace {
            addr,
            bytes,
            lo: lo.min(127) as u8,
            width: range.width.clamp(1, 128 - lo.min(127) as u32) as u8,
            device: false,
        })
    }

    pub(super) fn address_of(&mut self, place: Place, span: Span) -> ExprId {
        match place {
            Place::Memory(addr) | Place::Device(addr) => addr,
            Place::Register(..) | Place::Bits(_) => {
                self.cx.broken_promise(span, "the address of a register or bit-field");
                self.b.null()
            }
        }
    }

    /// The address of an lvalue or function.
    pub(super) fn address(&mut self, e: &'a hir::Expr) -> ExprId {
        if let hir::ExprKind::Deref(pointer) = &e.kind {
            return self.element(pointer, Use::AddressOnly);
        }
        let place = self.place(e);
        self.address_of(place, e.span)
    }

    /// The same place, whatever later edges do.
    pub(super) fn stabilise(&mut self, place: Place, span: Span) -> Place {
        match place {
            Place::Register(..) => place,
            Place::Memory(addr) => Place::Memory(self.b.save(addr, span)),
            Place::Device(addr) => Place::Device(self.b.save(addr, span)),
            Place::Bits(bits) => Place::Bits(BitPlace { addr: self.b.save(bits.addr, span), ..bits }),
        }
    }

    /// The scalar in a place that an lvalue designates.
    pub(super) fn read(&mut self, place: Place, lvalue: &'a hir::Expr) -> ExprId {
        let cty = lvalue.ty.ty;
        let span = lvalue.span;
        if self.cx.options.volatile_inputs && lvalue.ty.quals.is_volatile {
            let origin = InputOrigin::Volatile(self.lvalue_name(lvalue));
            return self.read_input(place, cty, origin, span);
        }
        let addr = match place {
            Place::Register(var, ty) => {
                if let hir::ExprKind::Global(id) = lvalue.kind
                    && let Some(bits) = self.cx.constant_global(id, ty)
                {
                    return self.b.constant(bits, ty);
                }
                return self.b.var(var, ty);
            }
            Place::Memory(addr) | Place::Device(addr) => addr,
            Place::Bits(bits) => bits.addr,
        };
        if let Some(device) = self.device_address(addr) {
            if matches!(place, Place::Memory(_) | Place::Device(_))
                && let Some(status) = self.read_status(device, span)
            {
                let ty = self.cx.carrier(cty);
                return self.b.resize(status, crate::expr::Sign::Unsigned, ty);
            }
            let bytes = match place {
                Place::Bits(bits) => bits.bytes,
                Place::Memory(_) | Place::Device(_) | Place::Register(..) => self.cx.size_of(cty),
            };
            self.stay_in_device(addr, bytes, span);
            let origin = InputOrigin::Register(device);
            // What a compiler reads of a device is whole bytes.
            return match place {
                Place::Bits(bits) => {
                    let window = self.havoc_temp(bits.ty(), origin, None, span);
                    let field = self.b.extract(window, bits.lo, bits.width);
                    self.extend_field(field, cty)
                }
                Place::Memory(_) | Place::Device(_) | Place::Register(..) => self.read_input(place, cty, origin, span),
            };
        }
        let ty = self.cx.carrier(cty);
        match place {
            Place::Bits(bits) if bits.device => {
                let field = Ty::Int(bits.width);
                let field = self.read_device(addr, bits.bytes, field, lvalue, |this, addr| {
                    this.load_field(BitPlace { addr, ..bits })
                });
                self.extend_field(field, cty)
            }
            Place::Bits(bits) => {
                let field = self.load_field(bits);
                self.extend_field(field, cty)
            }
            Place::Device(_) => {
                let bytes = ty.bytes(&self.cx.target);
                let value = self.read_device(addr, bytes, ty, lvalue, |this, addr| this.b.load(addr, ty));
                self.as_bool(value, lvalue)
            }
            Place::Memory(_) | Place::Register(..) => {
                let value = self.b.load(addr, ty);
                self.as_bool(value, lvalue)
            }
        }
    }

    /// A value from memory, which is checked if it is a `_Bool` that something else than an assignment may have left there:
    /// behind a pointer, or in any object of a program in which others fill objects.
    fn as_bool(&mut self, value: ExprId, lvalue: &'a hir::Expr) -> ExprId {
        let is_bool = self.cx.hir.types.int_kind(lvalue.ty.ty) == Some(IntKind::Bool);
        let is_suspect = is_behind_pointer(lvalue) || (self.cx.objects_are_filled && !self.is_in_union(lvalue));
        if is_bool && is_suspect { self.checked_bool(value, lvalue) } else { value }
    }

    fn is_in_union(&self, lvalue: &hir::Expr) -> bool {
        match &lvalue.kind {
            hir::ExprKind::Member { base, .. } => {
                let types = &self.cx.hir.types;
                types.record_id(base.ty.ty).is_some_and(|id| types.record(id).is_union) || self.is_in_union(base)
            }
            hir::ExprKind::Deref(pointer) => match &pointer.kind {
                hir::ExprKind::Decay(array) | hir::ExprKind::AddrOf(array) => self.is_in_union(array),
                _ => false,
            },
            _ => false,
        }
    }

    /// A `_Bool` from memory that may never have been written as one. With another value than 0 and 1 it is a trap
    /// representation (C11 6.2.6.1), and compilers take it for either. That what comes from outside is none is assumed.
    fn checked_bool(&mut self, value: ExprId, lvalue: &'a hir::Expr) -> ExprId {
        let span = lvalue.span;
        let value = self.b.save(value, span);
        let one = self.b.int(1, self.b.ty(value));
        let cond = self.b.binary(BinOp::Le, Sign::Unsigned, value, one);
        let name = self.lvalue_name(lvalue);
        self.cx.assume(AssumptionKind::Bool, name, span);
        let message = "a _Bool is read that is neither 0 nor 1";
        let check = self.cx.add_input_check(message.into(), span);
        self.b.emit(Op::Check { cond, check }, span);
        value
    }

    fn load_field(&mut self, bits: BitPlace) -> ExprId {
        let whole = self.load_window(bits);
        self.b.extract(whole, bits.lo, bits.width)
    }

    /// The value of a bit-field in its declared type.
    fn extend_field(&mut self, field: ExprId, cty: TyId) -> ExprId {
        let (sign, ty) = (self.cx.sign(cty), self.cx.carrier(cty));
        self.b.resize(field, sign, ty)
    }

    /// A read that gives an arbitrary value.
    fn read_input(&mut self, place: Place, cty: TyId, origin: InputOrigin, span: Span) -> ExprId {
        match place {
            Place::Bits(bits) => {
                let field = self.havoc_temp(Ty::Int(bits.width), origin, None, span);
                self.extend_field(field, cty)
            }
            Place::Memory(_) | Place::Device(_) | Place::Register(..) => {
                let ty = self.cx.carrier(cty);
                self.havoc_temp(ty, origin, Some(cty), span)
            }
        }
    }

    /// What the user calls the object behind an lvalue.
    pub(super) fn lvalue_name(&self, e: &hir::Expr) -> Arc<str> {
        match &e.kind {
            hir::ExprKind::Local(id) => {
                let name = self.body.and_then(|b| b.local(*id).name);
                name.map_or_else(|| "local".into(), |n| self.cx.hir.names.shared(n))
            }
            hir::ExprKind::Global(id) => self.cx.hir.names.shared(self.cx.hir.global(*id).name),
            _ => self.cx.hir.sources.text(e.span).into(),
        }
    }

    /// Writes a scalar of the place's type and returns what a read of the place would then give. The value must be
    /// stable if the caller uses that.
    pub(super) fn write(&mut self, place: Place, value: ExprId, cty: TyId, span: Span) -> ExprId {
        match place {
            Place::Register(var, ty) => {
                self.b.assign(var, value, span);
                self.b.var(var, ty)
            }
            Place::Memory(addr) => {
                self.store(addr, value, span);
                value
            }
            Place::Device(addr) => {
                // Checks of the value are made wherever it goes.
                let value = self.b.reusable(value, span);
                let bytes = self.b.ty(value).bytes(&self.cx.target);
                self.write_device(addr, bytes, span, |this, addr| this.store(addr, value, span));
                value
            }
            Place::Bits(bits) => {
                let field = self.narrow(value, cty, bits.width);
                if bits.device {
                    self.write_device(bits.addr, bits.bytes, span, |this, addr| {
                        this.store_window(BitPlace { addr, ..bits }, field, span);
                    });
                } else if let Some(device) = self.device_address(bits.addr) {
                    self.stay_in_device(bits.addr, bits.bytes, span);
                    if !bits.is_whole() {
                        self.read_for_store(bits, device, span);
                    }
                } else {
                    self.store_window(bits, field, span);
                }
                self.extend_field(field, cty)
            }
        }
    }

    /// The read by which a compiled program keeps the bits of a register beside those that it writes.
    fn read_for_store(&mut self, bits: BitPlace, device: u64, span: Span) {
        let temp = VarRef::Local(self.b.temp(bits.ty(), span));
        let input = self.cx.add_input(InputOrigin::Register(device), Some(bits.ty()), None, span);
        self.cx.store_reads.insert(input);
        self.b.emit(Op::Havoc { to: HavocPlace::Var(temp), input }, span);
    }

    /// A value of the declared type cut to a bit-field's width: a conversion that C makes by itself.
    fn narrow(&mut self, value: ExprId, cty: TyId, width: u8) -> ExprId {
        if self.b.ty(value) == Ty::Int(width) {
            return value;
        }
        let sign = self.cx.sign(cty);
        self.b.cast(CastOp::Int { from: sign, to: sign, implicit: true }, value, Ty::Int(width))
    }

    /// Stores a scalar in memory; what goes to a device register is gone.
    pub(super) fn store(&mut self, addr: ExprId, value: ExprId, span: Span) {
        match self.device_address(addr) {
            Some(device) => {
                let bytes = self.b.ty(value).bytes(&self.cx.target);
                self.stay_in_device(addr, bytes, span);
                self.write_status(device, value, span);
            }
            None => self.b.emit(Op::Assign { to: IrPlace::Mem(addr), value }, span),
        }
    }

    /// The constant address that an address is or was computed from. Where pointers are wide the first page holds no
    /// devices: an address in it is a null pointer that something was added to. Small machines have registers there.
    pub(super) fn device_address(&self, addr: ExprId) -> Option<u64> {
        let first = if self.cx.target.pointer_bytes < 4 { 1 } else { 4096 };
        match self.b.kind(addr) {
            ExprKind::Const(bits) if bits.u64() >= first => Some(bits.u64()),
            ExprKind::PtrAdd(base, _) => self.device_address(base),
            _ => None,
        }
    }

    /// The bytes of a window as one integer.
    fn load_window(&mut self, bits: BitPlace) -> ExprId {
        if bits.bytes.is_power_of_two() {
            return self.b.load(bits.addr, bits.ty());
        }
        let mut whole = self.b.int(0, bits.ty());
        for (at, bytes) in pieces(bits.bytes) {
            let addr = self.b.ptr_offset(bits.addr, at);
            let part = self.b.load(addr, Ty::Int((bytes * 8) as u8));
            whole = self.b.insert(whole, part, (at * 8) as u8);
        }
        whole
    }

    fn store_window(&mut self, bits: BitPlace, field: ExprId, span: Span) {
        let whole = if bits.is_whole() {
            field
        } else {
            let old = self.load_window(bits);
            self.b.insert(old, field, bits.lo)
        };
        if bits.bytes.is_power_of_two() {
            return self.store(bits.addr, whole, span);
        }
        let whole = self.b.save(whole, span);
        let base = self.b.save(bits.addr, span);
        for (at, bytes) in pieces(bits.bytes) {
            let addr = self.b.ptr_offset(base, at);
            let part = self.b.extract(whole, (at * 8) as u8, (bytes * 8) as u8);
            self.store(addr, part, span);
        }
    }

    /// Copies a constant number of bytes between objects, which may overlap.
    pub(super) fn copy_bytes(&mut self, to: ExprId, from: ExprId, size: u64, span: Span) {
        if size == 0 {
            return;
        }
        let is_from_device = self.device_address(from).is_some();
        if is_from_device {
            self.stay_in_device(from, size, span);
        }
        if self.device_address(to).is_some() {
            return self.stay_in_device(to, size, span);
        }
        let size = self.b.size(size);
        match self.device_address(from) {
            Some(device) => self.havoc_region(to, size, InputOrigin::Register(device), span),
            None => self.intrinsic(Intrinsic::MemCopy, vec![to, from, size], None, span),
        }
    }

    /// Copies a record into an object that holds another value.
    pub(super) fn copy_record(&mut self, to: ExprId, from: ExprId, cty: TyId, span: Span) {
        let size = self.cx.moved_bytes(cty);
        self.copy_bytes(to, from, size, span);
    }

    /// Copies a record into a new object, in which arbitrary bytes lie.
    pub(super) fn copy_record_anew(&mut self, to: ExprId, from: ExprId, cty: TyId, span: Span) {
        let (moved, size) = (self.cx.moved_bytes(cty), self.cx.size_of(cty));
        if moved < size {
            let rest = self.b.ptr_offset(to, moved);
            let count = self.b.size(size - moved);
            self.havoc_region(rest, count, InputOrigin::Padding("a copy".into()), span);
        }
        self.copy_bytes(to, from, moved, span);
    }

    /// The address of an object that holds a record lvalue's value: the lvalue's own, unless reading it is an input.
    pub(super) fn record_of(&mut self, lvalue: &'a hir::Expr) -> ExprId {
        let addr = self.address(lvalue);
        if !(self.cx.options.volatile_inputs && lvalue.ty.quals.is_volatile) {
            return addr;
        }
        let copy = self.record_object("volatile", lvalue.ty.ty, lvalue.span);
        let size = self.cx.size_of(lvalue.ty.ty);
        let origin = InputOrigin::Volatile(self.lvalue_name(lvalue));
        self.havoc_object(copy, size, lvalue.ty.ty, origin, lvalue.span);
        copy
    }
}

/// A number of bytes as loads of 8, 4, 2 and 1 bytes: offsets and sizes.
fn pieces(bytes: u64) -> impl Iterator<Item = (u64, u64)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let left = bytes - at;
        let size = [8, 4, 2, 1].into_iter().find(|&s| s <= left)?;
        at += size;
        Some((at - size, size))
    })
}

/// The lvalue is reached through a pointer, so that its object may have any type, or none.
fn is_behind_pointer(lvalue: &hir::Expr) -> bool {
    match &lvalue.kind {
        hir::ExprKind::Deref(pointer) => !matches!(pointer.kind, hir::ExprKind::Decay(_) | hir::ExprKind::AddrOf(_)),
        hir::ExprKind::Member { base, .. } => is_behind_pointer(base),
        _ => false,
    }
}
