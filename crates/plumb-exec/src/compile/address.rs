//! Addressing modes, loads and stores.

use super::FunctionCompiler;
use super::arith::signed_immediate;
use crate::image::SlowOp;
use crate::inst::{Inst, Slot};
use crate::memory::layout::SegmentKind;
use crate::memory::page::PAGE_SIZE;
use plumb_ir::expr::{BinOp, CastOp, ExprId, ExprKind, Sign};
use plumb_ir::program::ObjRef;
use plumb_ir::ty::{Bits, Ty};

/// An address as far as it need not be computed: base + index * scale + offset, modulo the pointer's width.
struct Address {
    base: Base,
    index: Option<Index>,
    offset: i64,
}

#[derive(Clone, Copy)]
enum Base {
    Slot(Slot),
    Constant(u64),
}

#[derive(Clone, Copy)]
struct Index {
    slot: Slot,
    scale: u16,
    /// The register holds an `i32` whose sign is to be extended.
    extend: bool,
}

/// An address in one of the instruction set's modes.
enum Mode {
    Offset { a: Slot, off: i32 },
    Absolute { addr: u32 },
    Indexed { a: Slot, b: Slot, s: u8, off: u16 },
    IndexedExtended { a: Slot, b: Slot, s: u8, off: u16 },
    Table { addr: u32, b: Slot, s: u8 },
    TableExtended { addr: u32, b: Slot, s: u8 },
}

/// What a load does with the bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoadKind {
    U8,
    U16,
    U32,
    U64,
    S8To32,
    S16To32,
    S32To64,
}

impl LoadKind {
    fn plain(bits: u32) -> Option<LoadKind> {
        match bits {
            8 => Some(LoadKind::U8),
            16 => Some(LoadKind::U16),
            32 => Some(LoadKind::U32),
            64 => Some(LoadKind::U64),
            _ => None,
        }
    }

    fn extending(from: u32, to: u32) -> Option<LoadKind> {
        match (from, to) {
            (8, 32) => Some(LoadKind::S8To32),
            (16, 32) => Some(LoadKind::S16To32),
            (32, 64) => Some(LoadKind::S32To64),
            _ => None,
        }
    }
}

macro_rules! by_kind {
    ($kind:expr, $u8:ident $u16:ident $u32:ident $u64:ident $s8:ident $s16:ident $q32:ident, $fields:tt) => {
        match $kind {
            LoadKind::U8 => Inst::$u8 $fields,
            LoadKind::U16 => Inst::$u16 $fields,
            LoadKind::U32 => Inst::$u32 $fields,
            LoadKind::U64 => Inst::$u64 $fields,
            LoadKind::S8To32 => Inst::$s8 $fields,
            LoadKind::S16To32 => Inst::$s16 $fields,
            LoadKind::S32To64 => Inst::$q32 $fields,
        }
    };
}

macro_rules! by_size {
    ($bits:expr, $s8:ident $s16:ident $s32:ident $s64:ident, $fields:tt) => {
        match $bits {
            8 => Inst::$s8 $fields,
            16 => Inst::$s16 $fields,
            32 => Inst::$s32 $fields,
            _ => Inst::$s64 $fields,
        }
    };
}

impl FunctionCompiler<'_> {
    fn pointer_mask(&self) -> u64 {
        self.image.map.pointer_mask
    }

    /// Takes an address apart. Registers it names stay right until the temporaries are cut back.
    fn address(&mut self, id: ExprId) -> Address {
        if self.reserved(id).is_some() {
            return Address { base: Base::Slot(self.value(id, None)), index: None, offset: 0 };
        }
        self.address_parts(id)
    }

    /// The same without asking whether the whole is known.
    fn address_parts(&mut self, id: ExprId) -> Address {
        let plain = |base| Address { base, index: None, offset: 0 };
        match self.f.exprs.kind(id) {
            ExprKind::PtrAdd(base, offset) => {
                let mut address = self.address(base);
                self.add_offset(&mut address, offset);
                address
            }
            ExprKind::Addr(ObjRef::Global(object)) => plain(Base::Constant(self.image.map.object(object).base)),
            ExprKind::Addr(ObjRef::Local(object)) => {
                let offset = self.layout.objects[object].base as i64;
                Address { base: Base::Slot(self.frame), index: None, offset }
            }
            ExprKind::Const(bits) => plain(Base::Constant(bits.u64())),
            _ => plain(Base::Slot(self.value(id, None))),
        }
    }

    fn add_offset(&mut self, address: &mut Address, id: ExprId) {
        let width = self.pointer_bits();
        if self.reserved(id).is_none() {
            match self.f.exprs.kind(id) {
                ExprKind::Const(bits) => {
                    address.offset = address.offset.wrapping_add(bits.signed(width) as i64);
                    return;
                }
                ExprKind::Binary(BinOp::Add, _, a, b) => {
                    self.add_offset(address, a);
                    self.add_offset(address, b);
                    return;
                }
                ExprKind::Binary(BinOp::Sub, _, a, b) if self.f.exprs.as_const(b).is_some() => {
                    let amount = self.f.exprs.as_const(b).map_or(0, |bits| bits.signed(width) as i64);
                    self.add_offset(address, a);
                    address.offset = address.offset.wrapping_sub(amount);
                    return;
                }
                ExprKind::Binary(BinOp::Mul, _, a, b) => {
                    if let Some(scale) = self.f.exprs.as_const(b).and_then(|c| u16::try_from(c.u128()).ok()) {
                        return self.add_index(address, a, scale);
                    }
                    if let Some(scale) = self.f.exprs.as_const(a).and_then(|c| u16::try_from(c.u128()).ok()) {
                        return self.add_index(address, b, scale);
                    }
                }
                ExprKind::Binary(BinOp::Shl, _, a, b) => {
                    if let Some(count @ 0..=15) = self.f.exprs.as_const(b).map(Bits::u64) {
                        return self.add_index(address, a, 1 << count);
                    }
                }
                _ => {}
            }
        }
        self.add_index(address, id, 1);
    }

    fn add_index(&mut self, address: &mut Address, id: ExprId, scale: u16) {
        // (x + c) * scale: the constant part joins the offset.
        if self.reserved(id).is_none()
            && let ExprKind::Binary(BinOp::Add, _, x, c) = self.f.exprs.kind(id)
            && let Some(bits) = self.f.exprs.as_const(c)
        {
            let amount = (bits.signed(self.pointer_bits()) as i64).wrapping_mul(scale as i64);
            address.offset = address.offset.wrapping_add(amount);
            return self.add_index(address, x, scale);
        }
        if address.index.is_some() {
            let slot = self.materialised(address, None);
            *address = Address { base: Base::Slot(slot), index: None, offset: 0 };
        }
        let extended = match self.f.exprs.kind(id) {
            ExprKind::Cast(CastOp::Int { from: Sign::Signed, .. }, inner)
                if self.ty(inner) == Ty::Int(32) && self.pointer_bits() == 64 && self.reserved(id).is_none() =>
            {
                Some(inner)
            }
            _ => None,
        };
        let slot = self.value(extended.unwrap_or(id), None);
        address.index = Some(Index { slot, scale, extend: extended.is_some() });
    }

    /// The address of a pointer expression, in a register.
    pub(super) fn address_value(&mut self, id: ExprId, want: Option<Slot>) -> Slot {
        let d = want.unwrap_or_else(|| self.temp(Ty::Ptr));
        let mark = self.temp;
        let address = self.address_parts(id);
        self.materialised(&address, Some(d));
        self.temp = mark;
        d
    }

    fn add_constant(&mut self, d: Slot, a: Slot, amount: i64) {
        match i32::try_from(amount) {
            Ok(i) => self.emit(match self.pointer_bits() {
                64 => Inst::Add64I { d, a, i },
                32 => Inst::Add32I { d, a, i },
                n => Inst::AddNI { n: n as u8, d, a, i },
            }),
            Err(_) => {
                let b = self.constant(Ty::Ptr, Bits::new(amount as u128, self.pointer_bits()), None);
                self.emit(match self.pointer_bits() {
                    64 => Inst::Add64 { d, a, b },
                    32 => Inst::Add32 { d, a, b },
                    n => Inst::AddN { n: n as u8, d, a, b },
                });
            }
        }
    }

    /// The address in a register.
    fn materialised(&mut self, address: &Address, want: Option<Slot>) -> Slot {
        match (address.base, address.index) {
            (Base::Constant(base), None) => {
                let value = base.wrapping_add(address.offset as u64) & self.pointer_mask();
                self.constant(Ty::Ptr, Bits::new(value as u128, 64), want)
            }
            (Base::Slot(slot), None) if address.offset == 0 => self.moved(Ty::Ptr, slot, want),
            (Base::Slot(slot), None) => {
                let d = want.unwrap_or_else(|| self.temp(Ty::Ptr));
                self.add_constant(d, slot, address.offset);
                d
            }
            (Base::Constant(base), Some(Index { slot: b, scale: s, extend })) => {
                let value = base.wrapping_add(address.offset as u64) & self.pointer_mask();
                match u32::try_from(value) {
                    Ok(addr) => {
                        let d = want.unwrap_or_else(|| self.temp(Ty::Ptr));
                        self.emit(match extend {
                            true => Inst::LeaU { s, d, addr, b },
                            false => Inst::LeaT { s, d, addr, b },
                        });
                        d
                    }
                    Err(_) => {
                        let a = self.constant(Ty::Ptr, Bits::new(value as u128, 64), None);
                        self.scaled_sum(a, address.index, 0, want)
                    }
                }
            }
            (Base::Slot(a), index @ Some(_)) => self.scaled_sum(a, index, address.offset, want),
        }
    }

    /// A register plus a scaled index plus an offset, in a register.
    fn scaled_sum(&mut self, a: Slot, index: Option<Index>, offset: i64, want: Option<Slot>) -> Slot {
        let Some(Index { slot: b, scale, extend }) = index else { return self.moved(Ty::Ptr, a, want) };
        if let (Ok(s), Ok(off)) = (u8::try_from(scale), u16::try_from(offset)) {
            let d = want.unwrap_or_else(|| self.temp(Ty::Ptr));
            self.emit(match extend {
                true => Inst::LeaY { s, off, d, a, b },
                false => Inst::LeaX { s, off, d, a, b },
            });
            return d;
        }
        let sum = match want {
            Some(d) if offset == 0 => d,
            Some(_) | None => self.temp(Ty::Ptr),
        };
        self.emit(match extend {
            true => Inst::LeaLongY { s: scale, d: sum, a, b },
            false => Inst::LeaLongX { s: scale, d: sum, a, b },
        });
        if offset == 0 {
            return sum;
        }
        let d = want.unwrap_or(sum);
        self.add_constant(d, sum, offset);
        d
    }

    /// Brings an address into a mode of the instruction set, for an access of so many bytes.
    fn mode(&mut self, address: Address, size: u64, write: bool) -> Mode {
        match (address.base, address.index) {
            (Base::Constant(base), None) => {
                let addr = base.wrapping_add(address.offset as u64) & self.pointer_mask();
                match u32::try_from(addr) {
                    Ok(addr) if self.is_safe_static(addr as u64, size, write) => Mode::Absolute { addr },
                    _ => Mode::Offset { a: self.constant(Ty::Ptr, Bits::new(addr as u128, 64), None), off: 0 },
                }
            }
            (Base::Constant(base), Some(Index { slot: b, scale, extend })) => {
                let addr = base.wrapping_add(address.offset as u64) & self.pointer_mask();
                match (u32::try_from(addr), u8::try_from(scale), extend) {
                    (Ok(addr), Ok(s), false) => Mode::Table { addr, b, s },
                    (Ok(addr), Ok(s), true) => Mode::TableExtended { addr, b, s },
                    _ => Mode::Offset { a: self.materialised(&address, None), off: 0 },
                }
            }
            (Base::Slot(a), None) => match i32::try_from(address.offset) {
                Ok(off) => Mode::Offset { a, off },
                Err(_) => Mode::Offset { a: self.materialised(&address, None), off: 0 },
            },
            (Base::Slot(a), Some(Index { slot: b, scale, extend })) => {
                match (u16::try_from(address.offset), u8::try_from(scale), extend) {
                    (Ok(off), Ok(s), false) => Mode::Indexed { a, b, s, off },
                    (Ok(off), Ok(s), true) => Mode::IndexedExtended { a, b, s, off },
                    _ => {
                        // The offset is left to the access.
                        let sum = self.scaled_sum(a, address.index, 0, None);
                        self.mode(Address { base: Base::Slot(sum), index: None, offset: address.offset }, size, write)
                    }
                }
            }
        }
    }

    /// The access lies inside one static object and one page, and may be made: no test is needed at run time.
    fn is_safe_static(&self, addr: u64, size: u64, write: bool) -> bool {
        let map = &self.image.map;
        let writable = map.kind_of(addr) == Some(SegmentKind::Static);
        map.find_static(addr).is_some_and(|o| o.covers(addr, size))
            && addr % PAGE_SIZE + size <= PAGE_SIZE
            && (!write || writable)
    }

    pub(super) fn load(&mut self, ty: Ty, addr: ExprId, want: Option<Slot>) -> Slot {
        let bits = self.bits(ty);
        let Some(kind) = LoadKind::plain(bits) else {
            return self.odd_load(ty, addr, want);
        };
        self.load_kind(kind, ty, bits, addr, want)
    }

    /// A load whose sign is extended, in one instruction; `None` if the value is no such load.
    pub(super) fn extended_load(&mut self, id: ExprId, n: u32, m: u32, want: Option<Slot>) -> Option<Slot> {
        let ExprKind::Load(addr) = self.f.exprs.kind(id) else { return None };
        if self.reserved(id).is_some() {
            return None;
        }
        let kind = LoadKind::extending(n, m)?;
        Some(self.load_kind(kind, Ty::Int(m as u8), n, addr, want))
    }

    fn load_kind(&mut self, kind: LoadKind, ty: Ty, bits: u32, addr: ExprId, want: Option<Slot>) -> Slot {
        let mark = self.temp;
        let address = self.address(addr);
        let mode = self.mode(address, bits as u64 / 8, false);
        self.temp = mark;
        let d = want.unwrap_or_else(|| self.temp(ty));
        self.emit(match mode {
            Mode::Offset { a, off } => {
                by_kind!(kind, Ld8 Ld16 Ld32 Ld64 Ld8S Ld16S Ld32Q, { d, a, off })
            }
            Mode::Absolute { addr } => {
                by_kind!(kind, Ld8A Ld16A Ld32A Ld64A Ld8SA Ld16SA Ld32QA, { d, addr })
            }
            Mode::Indexed { a, b, s, off } => {
                by_kind!(kind, Ld8X Ld16X Ld32X Ld64X Ld8SX Ld16SX Ld32QX, { s, off, d, a, b })
            }
            Mode::IndexedExtended { a, b, s, off } => {
                by_kind!(kind, Ld8Y Ld16Y Ld32Y Ld64Y Ld8SY Ld16SY Ld32QY, { s, off, d, a, b })
            }
            Mode::Table { addr, b, s } => {
                by_kind!(kind, Ld8T Ld16T Ld32T Ld64T Ld8ST Ld16ST Ld32QT, { s, d, addr, b })
            }
            Mode::TableExtended { addr, b, s } => {
                by_kind!(kind, Ld8U Ld16U Ld32U Ld64U Ld8SU Ld16SU Ld32QU, { s, d, addr, b })
            }
        });
        d
    }

    /// Widths that are not 8, 16, 32 or 64 bits.
    fn odd_load(&mut self, ty: Ty, addr: ExprId, want: Option<Slot>) -> Slot {
        let mark = self.temp;
        let a = self.value(addr, None);
        self.temp = mark;
        let d = want.unwrap_or_else(|| self.temp(ty));
        self.slow(SlowOp::Load { ty, d, a });
        d
    }

    pub(super) fn store(&mut self, addr: ExprId, value: ExprId) {
        let ty = self.ty(value);
        let bits = self.bits(ty);
        if !matches!(bits, 1 | 8 | 16 | 32 | 64) {
            let a = self.value(addr, None);
            let v = self.value(value, None);
            return self.slow(SlowOp::Store { ty, a, v });
        }
        // Truth values occupy a byte and are canonical.
        let bits = bits.max(8);
        let immediate = self.f.exprs.as_const(value).and_then(|c| signed_immediate(c, bits));
        let v = match immediate {
            Some(_) => None,
            None => Some(self.value(value, None)),
        };
        let address = self.address(addr);
        let mode = self.mode(address, bits as u64 / 8, true);
        let inst = match (mode, immediate) {
            (Mode::Offset { a, off }, Some(i)) => by_size!(bits, St8I St16I St32I St64I, { a, off, i }),
            (Mode::Absolute { addr }, Some(i)) => by_size!(bits, St8AI St16AI St32AI St64AI, { addr, i }),
            (mode, _) => {
                let v = v.unwrap_or_else(|| self.value(value, None));
                match mode {
                    Mode::Offset { a, off } => by_size!(bits, St8 St16 St32 St64, { v, a, off }),
                    Mode::Absolute { addr } => by_size!(bits, St8A St16A St32A St64A, { v, addr }),
                    Mode::Indexed { a, b, s, off } => {
                        by_size!(bits, St8X St16X St32X St64X, { s, off, v, a, b })
                    }
                    Mode::IndexedExtended { a, b, s, off } => {
                        by_size!(bits, St8Y St16Y St32Y St64Y, { s, off, v, a, b })
                    }
                    Mode::Table { addr, b, s } => by_size!(bits, St8T St16T St32T St64T, { s, v, addr, b }),
                    Mode::TableExtended { addr, b, s } => {
                        by_size!(bits, St8U St16U St32U St64U, { s, v, addr, b })
                    }
                }
            }
        };
        self.emit(inst);
    }

    /// A store of a register to the address in another.
    pub(super) fn store_at(&mut self, ty: Ty, a: Slot, v: Slot) {
        let bits = self.bits(ty);
        if !matches!(bits, 1 | 8 | 16 | 32 | 64) {
            return self.slow(SlowOp::Store { ty, a, v });
        }
        self.emit(by_size!(bits.max(8), St8 St16 St32 St64, { v, a, off: 0 }));
    }
}
