//! Loads and stores: a look into the TLB, a test of validity, the access; all else the slow way.

use super::{Handler, Registers, Run, Stop, handlers};
use crate::inst::{Inst, Slot, Tag};
use crate::memory::page::{PAGE_BITS, PAGE_SIZE};
use crate::memory::{Entry, TLB_SIZE};
use std::ptr::NonNull;

/// What an access moves between memory and a register.
trait Loaded: Copy {
    const SIZE: usize;
    unsafe fn read(at: *const u8) -> u64;
    unsafe fn write(at: *mut u8, value: u64);
    /// All bits of so many bytes are set.
    unsafe fn all_ones(at: *const u8) -> bool;
    /// The register's value from the zero-extended bytes.
    fn extended(value: u64) -> u64;
}

macro_rules! loaded {
    ($($name:ty: $memory:ty, |$v:ident| $value:expr;)*) => {
        $(impl Loaded for $name {
            const SIZE: usize = size_of::<$memory>();

            #[inline(always)]
            unsafe fn read(at: *const u8) -> u64 {
                // SAFETY: the caller has found so many bytes there.
                let $v = unsafe { at.cast::<$memory>().read_unaligned() };
                $value
            }

            #[inline(always)]
            unsafe fn write(at: *mut u8, value: u64) {
                // SAFETY: the caller has found so many bytes there.
                unsafe { at.cast::<$memory>().write_unaligned(value as $memory) }
            }

            #[inline(always)]
            unsafe fn all_ones(at: *const u8) -> bool {
                // SAFETY: the caller has found so many bytes there.
                unsafe { at.cast::<$memory>().read_unaligned() == !0 }
            }

            #[inline(always)]
            fn extended(value: u64) -> u64 {
                let $v = value as $memory;
                $value
            }
        })*
    };
}

/// Signed numbers that a load extends to 32 bits, the last to 64.
#[derive(Clone, Copy)]
struct Signed8;
#[derive(Clone, Copy)]
struct Signed16;
#[derive(Clone, Copy)]
struct Signed32;

loaded! {
    u8: u8, |v| v as u64;
    u16: u16, |v| v as u64;
    u32: u32, |v| v as u64;
    u64: u64, |v| v;
    Signed8: i8, |v| v as i32 as u32 as u64;
    Signed16: i16, |v| v as i32 as u32 as u64;
    Signed32: i32, |v| v as i64 as u64;
}

impl<'a> Registers<'a> {
    #[inline(always)]
    unsafe fn plain(self, a: Slot, off: i32) -> u64 {
        // SAFETY: as `get`, here and below.
        unsafe { self.get(a).wrapping_add(off as i64 as u64) }
    }

    #[inline(always)]
    unsafe fn indexed(self, a: Slot, b: Slot, s: impl Into<u64>, off: u16) -> u64 {
        unsafe { self.get(a).wrapping_add(self.get(b).wrapping_mul(s.into())).wrapping_add(off as u64) }
    }

    #[inline(always)]
    unsafe fn extended(self, a: Slot, b: Slot, s: impl Into<u64>, off: u16) -> u64 {
        unsafe {
            let index = self.get(b) as i32 as i64 as u64;
            self.get(a).wrapping_add(index.wrapping_mul(s.into())).wrapping_add(off as u64)
        }
    }

    #[inline(always)]
    unsafe fn table(self, addr: u32, b: Slot, s: impl Into<u64>) -> u64 {
        unsafe { (addr as u64).wrapping_add(self.get(b).wrapping_mul(s.into())) }
    }

    #[inline(always)]
    unsafe fn table_extended(self, addr: u32, b: Slot, s: impl Into<u64>) -> u64 {
        unsafe { (addr as u64).wrapping_add((self.get(b) as i32 as i64 as u64).wrapping_mul(s.into())) }
    }

    #[inline(always)]
    unsafe fn load<T: Loaded>(self, d: Slot, addr: u64) -> Stop {
        // SAFETY: a bad address is no valid one.
        unsafe { self.load_at::<T, false>(d, addr & self.mask) }
    }

    #[inline(always)]
    unsafe fn load_static<T: Loaded>(self, d: Slot, addr: u64) -> Stop {
        // SAFETY: the compiler has seen that the address lies in a static object.
        unsafe { self.load_at::<T, true>(d, addr) }
    }

    /// Where the access is in the host, if the TLB knows the page and all bytes are valid (which for `KNOWN` ones is
    /// certain). An access that reaches over the end of its page meets the guard there.
    #[inline(always)]
    unsafe fn lookup<T: Loaded, const WRITE: bool, const KNOWN: bool>(self, addr: u64) -> Option<NonNull<u8>> {
        let page = addr >> PAGE_BITS;
        // SAFETY: the index is less than the TLB's size; a page whose number matches is alive, and its validity,
        // followed by the guard, lies behind its data.
        unsafe {
            let entry = &*self.tlb.add(page as usize % TLB_SIZE);
            if page != if WRITE { entry.write } else { entry.read } {
                return None;
            }
            let at = entry.page.cast::<u8>().add((addr % PAGE_SIZE) as usize);
            if !KNOWN && !T::all_ones(at.add(PAGE_SIZE as usize)) {
                return None;
            }
            Some(NonNull::new_unchecked(at))
        }
    }

    #[inline(always)]
    unsafe fn load_at<T: Loaded, const KNOWN: bool>(self, d: Slot, addr: u64) -> Stop {
        // SAFETY: `lookup` finds only readable bytes.
        unsafe {
            match self.lookup::<T, false, KNOWN>(addr) {
                Some(at) => self.put(d, T::read(at.as_ptr())),
                None => {
                    self.run().addr = addr;
                    self.run().slot = d;
                    slow_load::<T>(self.pc, self.fp, self.steps, self.tlb, self.mask, self.run)
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn store<T: Loaded>(self, addr: u64, value: u64) -> Stop {
        // SAFETY: a bad address is no valid one.
        unsafe { self.store_at::<T, false>(addr & self.mask, value) }
    }

    #[inline(always)]
    unsafe fn store_static<T: Loaded>(self, addr: u64, value: u64) -> Stop {
        // SAFETY: the compiler has seen that the address lies in a static object that may be written.
        unsafe { self.store_at::<T, true>(addr, value) }
    }

    #[inline(always)]
    unsafe fn store_at<T: Loaded, const KNOWN: bool>(self, addr: u64, value: u64) -> Stop {
        // SAFETY: `lookup` finds only writable bytes.
        unsafe {
            match self.lookup::<T, true, KNOWN>(addr) {
                Some(at) => {
                    T::write(at.as_ptr(), value);
                    self.next()
                }
                None => {
                    self.run().addr = addr;
                    self.run().value = value;
                    slow_store::<T>(self.pc, self.fp, self.steps, self.tlb, self.mask, self.run)
                }
            }
        }
    }
}

/// A load of the bytes at `run.addr` into `run.slot`, wherever they lie.
#[cold]
#[inline(never)]
unsafe extern "C" fn slow_load<T: Loaded>(
    pc: *const Inst,
    fp: *mut u64,
    steps: i64,
    tlb: *const Entry,
    mask: u64,
    run: *mut Run,
) -> Stop {
    // SAFETY: as in every handler.
    unsafe {
        let m = Registers { pc, fp, steps, tlb, mask, run };
        let (addr, d) = (m.run().addr, m.run().slot);
        m.put_some(d, m.machine().load_slow(addr, T::SIZE).map(T::extended))
    }
}

/// A store of `run.value` to `run.addr`.
#[cold]
#[inline(never)]
unsafe extern "C" fn slow_store<T: Loaded>(
    pc: *const Inst,
    fp: *mut u64,
    steps: i64,
    tlb: *const Entry,
    mask: u64,
    run: *mut Run,
) -> Stop {
    // SAFETY: as in every handler.
    unsafe {
        let m = Registers { pc, fp, steps, tlb, mask, run };
        let (addr, value) = (m.run().addr, m.run().value);
        m.next_if(m.machine().store_slow(addr, value, T::SIZE))
    }
}

handlers! { m;
    Ld8 { d, a, off } => m.load::<u8>(d, m.plain(a, off)),
    Ld16 { d, a, off } => m.load::<u16>(d, m.plain(a, off)),
    Ld32 { d, a, off } => m.load::<u32>(d, m.plain(a, off)),
    Ld64 { d, a, off } => m.load::<u64>(d, m.plain(a, off)),
    Ld8S { d, a, off } => m.load::<Signed8>(d, m.plain(a, off)),
    Ld16S { d, a, off } => m.load::<Signed16>(d, m.plain(a, off)),
    Ld32Q { d, a, off } => m.load::<Signed32>(d, m.plain(a, off)),
    Ld8A { d, addr } => m.load_static::<u8>(d, addr as u64),
    Ld16A { d, addr } => m.load_static::<u16>(d, addr as u64),
    Ld32A { d, addr } => m.load_static::<u32>(d, addr as u64),
    Ld64A { d, addr } => m.load_static::<u64>(d, addr as u64),
    Ld8SA { d, addr } => m.load_static::<Signed8>(d, addr as u64),
    Ld16SA { d, addr } => m.load_static::<Signed16>(d, addr as u64),
    Ld32QA { d, addr } => m.load_static::<Signed32>(d, addr as u64),
    Ld8X { s, off, d, a, b } => m.load::<u8>(d, m.indexed(a, b, s, off)),
    Ld16X { s, off, d, a, b } => m.load::<u16>(d, m.indexed(a, b, s, off)),
    Ld32X { s, off, d, a, b } => m.load::<u32>(d, m.indexed(a, b, s, off)),
    Ld64X { s, off, d, a, b } => m.load::<u64>(d, m.indexed(a, b, s, off)),
    Ld8SX { s, off, d, a, b } => m.load::<Signed8>(d, m.indexed(a, b, s, off)),
    Ld16SX { s, off, d, a, b } => m.load::<Signed16>(d, m.indexed(a, b, s, off)),
    Ld32QX { s, off, d, a, b } => m.load::<Signed32>(d, m.indexed(a, b, s, off)),
    Ld8Y { s, off, d, a, b } => m.load::<u8>(d, m.extended(a, b, s, off)),
    Ld16Y { s, off, d, a, b } => m.load::<u16>(d, m.extended(a, b, s, off)),
    Ld32Y { s, off, d, a, b } => m.load::<u32>(d, m.extended(a, b, s, off)),
    Ld64Y { s, off, d, a, b } => m.load::<u64>(d, m.extended(a, b, s, off)),
    Ld8SY { s, off, d, a, b } => m.load::<Signed8>(d, m.extended(a, b, s, off)),
    Ld16SY { s, off, d, a, b } => m.load::<Signed16>(d, m.extended(a, b, s, off)),
    Ld32QY { s, off, d, a, b } => m.load::<Signed32>(d, m.extended(a, b, s, off)),
    Ld8T { s, d, addr, b } => m.load::<u8>(d, m.table(addr, b, s)),
    Ld16T { s, d, addr, b } => m.load::<u16>(d, m.table(addr, b, s)),
    Ld32T { s, d, addr, b } => m.load::<u32>(d, m.table(addr, b, s)),
    Ld64T { s, d, addr, b } => m.load::<u64>(d, m.table(addr, b, s)),
    Ld8ST { s, d, addr, b } => m.load::<Signed8>(d, m.table(addr, b, s)),
    Ld16ST { s, d, addr, b } => m.load::<Signed16>(d, m.table(addr, b, s)),
    Ld32QT { s, d, addr, b } => m.load::<Signed32>(d, m.table(addr, b, s)),
    Ld8U { s, d, addr, b } => m.load::<u8>(d, m.table_extended(addr, b, s)),
    Ld16U { s, d, addr, b } => m.load::<u16>(d, m.table_extended(addr, b, s)),
    Ld32U { s, d, addr, b } => m.load::<u32>(d, m.table_extended(addr, b, s)),
    Ld64U { s, d, addr, b } => m.load::<u64>(d, m.table_extended(addr, b, s)),
    Ld8SU { s, d, addr, b } => m.load::<Signed8>(d, m.table_extended(addr, b, s)),
    Ld16SU { s, d, addr, b } => m.load::<Signed16>(d, m.table_extended(addr, b, s)),
    Ld32QU { s, d, addr, b } => m.load::<Signed32>(d, m.table_extended(addr, b, s)),
    St8 { v, a, off } => m.store::<u8>(m.plain(a, off), m.get(v)),
    St16 { v, a, off } => m.store::<u16>(m.plain(a, off), m.get(v)),
    St32 { v, a, off } => m.store::<u32>(m.plain(a, off), m.get(v)),
    St64 { v, a, off } => m.store::<u64>(m.plain(a, off), m.get(v)),
    St8I { a, off, i } => m.store::<u8>(m.plain(a, off), i as i64 as u64),
    St16I { a, off, i } => m.store::<u16>(m.plain(a, off), i as i64 as u64),
    St32I { a, off, i } => m.store::<u32>(m.plain(a, off), i as i64 as u64),
    St64I { a, off, i } => m.store::<u64>(m.plain(a, off), i as i64 as u64),
    St8A { v, addr } => m.store_static::<u8>(addr as u64, m.get(v)),
    St16A { v, addr } => m.store_static::<u16>(addr as u64, m.get(v)),
    St32A { v, addr } => m.store_static::<u32>(addr as u64, m.get(v)),
    St64A { v, addr } => m.store_static::<u64>(addr as u64, m.get(v)),
    St8AI { addr, i } => m.store_static::<u8>(addr as u64, i as i64 as u64),
    St16AI { addr, i } => m.store_static::<u16>(addr as u64, i as i64 as u64),
    St32AI { addr, i } => m.store_static::<u32>(addr as u64, i as i64 as u64),
    St64AI { addr, i } => m.store_static::<u64>(addr as u64, i as i64 as u64),
    St8X { s, off, v, a, b } => m.store::<u8>(m.indexed(a, b, s, off), m.get(v)),
    St16X { s, off, v, a, b } => m.store::<u16>(m.indexed(a, b, s, off), m.get(v)),
    St32X { s, off, v, a, b } => m.store::<u32>(m.indexed(a, b, s, off), m.get(v)),
    St64X { s, off, v, a, b } => m.store::<u64>(m.indexed(a, b, s, off), m.get(v)),
    St8Y { s, off, v, a, b } => m.store::<u8>(m.extended(a, b, s, off), m.get(v)),
    St16Y { s, off, v, a, b } => m.store::<u16>(m.extended(a, b, s, off), m.get(v)),
    St32Y { s, off, v, a, b } => m.store::<u32>(m.extended(a, b, s, off), m.get(v)),
    St64Y { s, off, v, a, b } => m.store::<u64>(m.extended(a, b, s, off), m.get(v)),
    St8T { s, v, addr, b } => m.store::<u8>(m.table(addr, b, s), m.get(v)),
    St16T { s, v, addr, b } => m.store::<u16>(m.table(addr, b, s), m.get(v)),
    St32T { s, v, addr, b } => m.store::<u32>(m.table(addr, b, s), m.get(v)),
    St64T { s, v, addr, b } => m.store::<u64>(m.table(addr, b, s), m.get(v)),
    St8U { s, v, addr, b } => m.store::<u8>(m.table_extended(addr, b, s), m.get(v)),
    St16U { s, v, addr, b } => m.store::<u16>(m.table_extended(addr, b, s), m.get(v)),
    St32U { s, v, addr, b } => m.store::<u32>(m.table_extended(addr, b, s), m.get(v)),
    St64U { s, v, addr, b } => m.store::<u64>(m.table_extended(addr, b, s), m.get(v)),
    LeaX { s, off, d, a, b } => m.put(d, m.indexed(a, b, s, off) & m.mask),
    LeaY { s, off, d, a, b } => m.put(d, m.extended(a, b, s, off) & m.mask),
    LeaT { s, d, addr, b } => m.put(d, m.table(addr, b, s) & m.mask),
    LeaU { s, d, addr, b } => m.put(d, m.table_extended(addr, b, s) & m.mask),
    LeaLongX { s, d, a, b } => m.put(d, m.indexed(a, b, s, 0) & m.mask),
    LeaLongY { s, d, a, b } => m.put(d, m.extended(a, b, s, 0) & m.mask),
}
