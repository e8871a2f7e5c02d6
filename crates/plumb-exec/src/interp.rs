//! The main loop.
//!
//! Safety of the unchecked accesses: an [`Image`] is made only after a check that registers lie inside the window of
//! their function, targets inside its code and table indices inside their tables, and that code does not run off its
//! end. A call makes sure that the callee's whole window (and some slack) lies inside the register stack before the
//! first instruction uses it (arguments lie inside the caller's). Pointers into pages come from the TLB, whose entries are right as [`crate::memory`] says;
//! the interpreter keeps none across an instruction.

use crate::image::{Image, IndirectCall, StopSet};
use crate::inputs::InputSource;
use crate::inst::Inst;
use crate::machine::{Exit, Machine};
use crate::memory::page::{PAGE_BITS, PAGE_SIZE};
use crate::memory::{Entry, TLB_SIZE};
use crate::outcome::{FaultKind, Outcome, ProbeId};
use crate::state::{Activation, SLACK};
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::program::Loc;
use plumb_ir::ty::Bits;

#[inline(always)]
fn mask(n: u8) -> u64 {
    u64::MAX >> (64 - n as u32)
}

#[inline(always)]
fn sext(value: u64, n: u8) -> i64 {
    let shift = 64 - n as u32;
    ((value << shift) as i64) >> shift
}

#[inline(always)]
fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

#[inline(always)]
fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[inline(always)]
fn to_i32(value: f64) -> u64 {
    if value > -2147483649.0 && value < 2147483648.0 { value as i32 as u32 as u64 } else { 1 << 31 }
}

#[inline(always)]
fn to_i64(value: f64) -> u64 {
    if (-9223372036854775808.0..9223372036854775808.0).contains(&value) { value as i64 as u64 } else { 1 << 63 }
}

/// Where the bytes of an access are, if the page is in the TLB and all of them are valid.
#[inline(always)]
unsafe fn lookup<const N: usize, const WRITE: bool, const KNOWN: bool>(tlb: *const Entry, addr: u64) -> *mut u8 {
    let page = addr >> PAGE_BITS;
    // SAFETY: the index is less than the TLB's size; a page whose number matches is alive, and its bitmap, followed by
    // eight zero bytes, starts behind its data.
    unsafe {
        let entry = &*tlb.add(page as usize % TLB_SIZE);
        if page == if WRITE { entry.write } else { entry.read } {
            let data = entry.page.cast::<u8>();
            let offset = (addr % PAGE_SIZE) as usize;
            if KNOWN {
                return data.add(offset);
            }
            let valid = data.add(PAGE_SIZE as usize + offset / 8).cast::<u16>().read_unaligned() >> (offset % 8);
            let wanted = ((1u32 << N) - 1) as u16;
            if valid & wanted == wanted {
                return data.add(offset);
            }
        }
    }
    std::ptr::null_mut()
}

/// Why the loop was left. What more there is to say is in the instruction at `pc` or in `Machine::failure`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stop {
    StepLimit,
    Failure,
    DivisionByZero,
    StackOverflow,
    /// The end of the program or of what is known about it, told by the instruction.
    Instruction,
    NoInput,
    Probe,
    Trace,
}

impl Machine {
    /// Runs until something needs attention. `left` is the number of steps that remain.
    ///
    /// The loop's arms hold nothing but the common case: what is rare is called, and answers with a plain flag, so that
    /// the few values that every instruction needs stay in processor registers.
    pub(crate) fn interpret(&mut self, inputs: &mut dyn InputSource, stops: &StopSet, left: &mut i64) -> Exit {
        let image = self.image.clone();
        let image: &Image = &image;
        let started_with = *left;
        let mut steps = *left;
        let code = image.code.as_ptr();
        let globals = self.state.globals.as_mut_ptr();
        let tlb: *const Entry = self.memory.tlb();
        let pointer_mask = image.map.pointer_mask;
        // SAFETY: `pc` and `fp` come from a state that this loop or `at_function` left behind.
        let mut pc = unsafe { code.add(self.state.stack().pc as usize) };
        let stack = self.state.stack_mut();
        let mut fp = unsafe { stack.registers.as_mut_ptr().add(stack.fp) };

        macro_rules! get {
            ($slot:expr) => {
                *fp.add($slot.0 as usize)
            };
        }
        macro_rules! set {
            ($slot:expr, $value:expr) => {{
                let value: u64 = $value;
                *fp.add($slot.0 as usize) = value;
            }};
        }
        // Stores what the loop keeps in locals.
        macro_rules! save {
            () => {{
                let stack = self.state.stack_mut();
                stack.pc = pc.offset_from(code) as u32;
                stack.fp = fp.offset_from(stack.registers.as_ptr()) as usize;
            }};
        }
        macro_rules! some {
            ($option:expr) => {
                match $option {
                    Some(value) => value,
                    None => break Stop::Failure,
                }
            };
        }
        macro_rules! next {
            () => {{
                pc = pc.add(1);
                continue;
            }};
        }
        macro_rules! put {
            ($slot:expr, $value:expr) => {{
                set!($slot, $value);
                next!()
            }};
        }
        macro_rules! go {
            ($to:expr, $steps:expr) => {{
                // The instruction has no effect but the jump: it can be repeated when the run goes on.
                if steps <= 0 {
                    break Stop::StepLimit;
                }
                steps -= $steps as i64;
                pc = code.add($to as usize);
                continue;
            }};
        }
        macro_rules! branch {
            ($cond:expr, $t:expr, $f:expr, $to:expr) => {{
                let taken = $cond;
                if steps <= 0 {
                    break Stop::StepLimit;
                }
                if taken {
                    steps -= *$t as i64;
                    pc = code.add($to.0 as usize);
                } else {
                    steps -= *$f as i64;
                    pc = pc.add(1);
                }
                continue;
            }};
        }
        macro_rules! load {
            ($d:expr, $n:literal, $ty:ty, $known:literal, $addr:expr, |$v:ident| $value:expr) => {{
                let addr: u64 = $addr & pointer_mask;
                let at = lookup::<$n, false, $known>(tlb, addr);
                let $v: $ty = if !at.is_null() {
                    at.cast::<$ty>().read_unaligned()
                } else {
                    some!(self.load_slow(addr, $n)) as $ty
                };
                put!($d, $value)
            }};
        }
        macro_rules! store {
            ($n:literal, $ty:ty, $known:literal, $addr:expr, $value:expr) => {{
                let addr: u64 = $addr & pointer_mask;
                let value: u64 = $value;
                let at = lookup::<$n, true, $known>(tlb, addr);
                if !at.is_null() {
                    at.cast::<$ty>().write_unaligned(value as $ty);
                } else if !self.store_slow(addr, value, $n) {
                    break Stop::Failure;
                }
                next!()
            }};
        }
        // Addresses of the modes.
        macro_rules! plain {
            ($a:expr, $off:expr) => {
                get!($a).wrapping_add(*$off as i64 as u64)
            };
        }
        macro_rules! indexed {
            ($a:expr, $b:expr, $s:expr, $off:expr) => {
                get!($a).wrapping_add(get!($b).wrapping_mul(*$s as u64)).wrapping_add(*$off as u64)
            };
        }
        macro_rules! extended {
            ($a:expr, $b:expr, $s:expr, $off:expr) => {
                get!($a)
                    .wrapping_add((get!($b) as i32 as i64 as u64).wrapping_mul(*$s as u64))
                    .wrapping_add(*$off as u64)
            };
        }
        macro_rules! table {
            ($addr:expr, $b:expr, $s:expr) => {
                (*$addr as u64).wrapping_add(get!($b).wrapping_mul(*$s as u64))
            };
        }
        macro_rules! table_extended {
            ($addr:expr, $b:expr, $s:expr) => {
                (*$addr as u64).wrapping_add((get!($b) as i32 as i64 as u64).wrapping_mul(*$s as u64))
            };
        }
        macro_rules! call {
            ($func:expr, $d:expr, $window:expr) => {{
                if steps <= 0 {
                    break Stop::StepLimit;
                }
                let callee = image.functions.get_unchecked($func as usize);
                let stack = &mut *self.state.stacks.as_mut_ptr().add(self.state.current);
                let sp = stack.sp;
                if stack.activations.len() >= self.depth as usize {
                    break Stop::StackOverflow;
                }
                let ret = pc.offset_from(code) as u32 + 1;
                stack.activations.push(Activation { ret, window: $window, d: $d, func: $func, base: sp, sp });
                fp = fp.add($window as usize);
                if fp.wrapping_add(callee.window as usize) > stack.top {
                    fp = self.grow(fp, callee.window as usize);
                }
                steps -= callee.steps as i64;
                pc = code.add(callee.start as usize);
                continue;
            }};
        }
        // Takes the last activation off and goes back to its caller; `$write` stores the result there.
        macro_rules! ret {
            (|$d:ident| $write:expr) => {{
                let stack = &mut *self.state.stacks.as_mut_ptr().add(self.state.current);
                let Some(activation) = stack.activations.pop() else { break Stop::StackOverflow };
                if stack.sp != activation.sp && !self.leave(activation) {
                    break Stop::Failure;
                }
                fp = fp.sub(activation.window as usize);
                let $d = fp.add(activation.d as usize);
                $write;
                pc = code.add(activation.ret as usize);
                continue;
            }};
        }

        // SAFETY: see the module's comment.
        let stop = unsafe {
            loop {
                match &*pc {
                    Inst::Move { d, a } => put!(d, get!(a)),
                    Inst::Move2 { d, a } => {
                        let (low, high) = (get!(a), *fp.add(a.0 as usize + 1));
                        set!(d, low);
                        *fp.add(d.0 as usize + 1) = high;
                        next!()
                    }
                    Inst::Const { d, lo, hi } => put!(d, *lo as u64 | (*hi as u64) << 32),
                    Inst::GlobalGet { d, g } => put!(d, *globals.add(*g as usize)),
                    Inst::GlobalSet { g, a } => {
                        *globals.add(*g as usize) = get!(a);
                        next!()
                    }
                    Inst::GlobalSetI { g, lo, hi } => {
                        *globals.add(*g as usize) = *lo as u64 | (*hi as u64) << 32;
                        next!()
                    }
                    Inst::GlobalGet2 { d, g } => {
                        set!(d, *globals.add(*g as usize));
                        *fp.add(d.0 as usize + 1) = *globals.add(*g as usize + 1);
                        next!()
                    }
                    Inst::GlobalSet2 { g, a } => {
                        *globals.add(*g as usize) = get!(a);
                        *globals.add(*g as usize + 1) = *fp.add(a.0 as usize + 1);
                        next!()
                    }

                    Inst::Add32 { d, a, b } => put!(d, (get!(a) as u32).wrapping_add(get!(b) as u32) as u64),
                    Inst::Add64 { d, a, b } => put!(d, get!(a).wrapping_add(get!(b))),
                    Inst::AddN { n, d, a, b } => put!(d, get!(a).wrapping_add(get!(b)) & mask(*n)),
                    Inst::Add32I { d, a, i } => put!(d, (get!(a) as u32).wrapping_add(*i as u32) as u64),
                    Inst::Add64I { d, a, i } => put!(d, get!(a).wrapping_add(*i as i64 as u64)),
                    Inst::AddNI { n, d, a, i } => put!(d, get!(a).wrapping_add(*i as i64 as u64) & mask(*n)),
                    Inst::Sub32 { d, a, b } => put!(d, (get!(a) as u32).wrapping_sub(get!(b) as u32) as u64),
                    Inst::Sub64 { d, a, b } => put!(d, get!(a).wrapping_sub(get!(b))),
                    Inst::SubN { n, d, a, b } => put!(d, get!(a).wrapping_sub(get!(b)) & mask(*n)),
                    Inst::Mul32 { d, a, b } => put!(d, (get!(a) as u32).wrapping_mul(get!(b) as u32) as u64),
                    Inst::Mul64 { d, a, b } => put!(d, get!(a).wrapping_mul(get!(b))),
                    Inst::MulN { n, d, a, b } => put!(d, get!(a).wrapping_mul(get!(b)) & mask(*n)),
                    Inst::Mul32I { d, a, i } => put!(d, (get!(a) as u32).wrapping_mul(*i as u32) as u64),
                    Inst::Mul64I { d, a, i } => put!(d, get!(a).wrapping_mul(*i as i64 as u64)),
                    Inst::NegN { n, d, a } => put!(d, get!(a).wrapping_neg() & mask(*n)),
                    Inst::NotN { n, d, a } => put!(d, !get!(a) & mask(*n)),
                    Inst::And { d, a, b } => put!(d, get!(a) & get!(b)),
                    Inst::Or { d, a, b } => put!(d, get!(a) | get!(b)),
                    Inst::Xor { d, a, b } => put!(d, get!(a) ^ get!(b)),
                    Inst::AndI { d, a, i } => put!(d, get!(a) & *i as u64),
                    Inst::AndSI { d, a, i } => put!(d, get!(a) & *i as i64 as u64),
                    Inst::OrI { d, a, i } => put!(d, get!(a) | *i as u64),
                    Inst::XorI { d, a, i } => put!(d, get!(a) ^ *i as u64),
                    Inst::Shl32 { d, a, b } => {
                        let count = get!(b);
                        put!(d, if count < 32 { ((get!(a) as u32) << count) as u64 } else { 0 })
                    }
                    Inst::Shl64 { d, a, b } => {
                        let count = get!(b);
                        put!(d, if count < 64 { get!(a) << count } else { 0 })
                    }
                    Inst::ShlN { n, d, a, b } => {
                        let count = get!(b);
                        put!(d, if count < *n as u64 { (get!(a) << count) & mask(*n) } else { 0 })
                    }
                    Inst::ShrU { d, a, b } => {
                        let count = get!(b);
                        put!(d, if count < 64 { get!(a) >> count } else { 0 })
                    }
                    Inst::ShrS32 { d, a, b } => put!(d, ((get!(a) as i32) >> get!(b).min(31)) as u32 as u64),
                    Inst::ShrSN { n, d, a, b } => put!(d, (sext(get!(a), *n) >> get!(b).min(63)) as u64 & mask(*n)),
                    Inst::Shl32I { d, a, i } => put!(d, ((get!(a) as u32) << (*i & 31)) as u64),
                    Inst::Shl64I { d, a, i } => put!(d, get!(a) << (*i & 63)),
                    Inst::ShlNI { n, d, a, i } => put!(d, (get!(a) << (*i & 63)) & mask(*n)),
                    Inst::ShrUI { d, a, i } => put!(d, get!(a) >> (*i & 63)),
                    Inst::ShrS32I { d, a, i } => put!(d, ((get!(a) as i32) >> (*i & 31)) as u32 as u64),
                    Inst::ShrSNI { n, d, a, i } => put!(d, (sext(get!(a), *n) >> (*i & 63)) as u64 & mask(*n)),
                    Inst::DivS32 { d, a, b } => {
                        let b = get!(b) as i32;
                        if b == 0 {
                            break Stop::DivisionByZero;
                        }
                        put!(d, (get!(a) as i32).wrapping_div(b) as u32 as u64)
                    }
                    Inst::DivSN { n, d, a, b } => {
                        let b = sext(get!(b), *n);
                        if b == 0 {
                            break Stop::DivisionByZero;
                        }
                        put!(d, sext(get!(a), *n).wrapping_div(b) as u64 & mask(*n))
                    }
                    Inst::DivU { d, a, b } => match get!(a).checked_div(get!(b)) {
                        Some(value) => put!(d, value),
                        None => break Stop::DivisionByZero,
                    },
                    Inst::RemS32 { d, a, b } => {
                        let b = get!(b) as i32;
                        if b == 0 {
                            break Stop::DivisionByZero;
                        }
                        put!(d, (get!(a) as i32).wrapping_rem(b) as u32 as u64)
                    }
                    Inst::RemSN { n, d, a, b } => {
                        let b = sext(get!(b), *n);
                        if b == 0 {
                            break Stop::DivisionByZero;
                        }
                        put!(d, sext(get!(a), *n).wrapping_rem(b) as u64 & mask(*n))
                    }
                    Inst::RemU { d, a, b } => match get!(a).checked_rem(get!(b)) {
                        Some(value) => put!(d, value),
                        None => break Stop::DivisionByZero,
                    },
                    Inst::DivS32I { d, a, i } => match (get!(a) as i32).checked_div(*i) {
                        Some(value) => put!(d, value as u32 as u64),
                        None => break Stop::DivisionByZero,
                    },
                    Inst::RemS32I { d, a, i } => match (get!(a) as i32).checked_rem(*i) {
                        Some(value) => put!(d, value as u32 as u64),
                        None => break Stop::DivisionByZero,
                    },
                    Inst::DivUI { d, a, i } => match get!(a).checked_div(*i as u64) {
                        Some(value) => put!(d, value),
                        None => break Stop::DivisionByZero,
                    },
                    Inst::RemUI { d, a, i } => match get!(a).checked_rem(*i as u64) {
                        Some(value) => put!(d, value),
                        None => break Stop::DivisionByZero,
                    },
                    Inst::Clz { n, d, a } => put!(d, (get!(a).leading_zeros() - (64 - *n as u32)) as u64 & mask(*n)),
                    Inst::Ctz { n, d, a } => put!(d, get!(a).trailing_zeros().min(*n as u32) as u64 & mask(*n)),
                    Inst::Popcount { d, a } => put!(d, get!(a).count_ones() as u64),
                    Inst::Bswap { n, d, a } => put!(d, get!(a).swap_bytes() >> (64 - *n as u32)),

                    Inst::Sext8To32 { d, a } => put!(d, get!(a) as i8 as i32 as u32 as u64),
                    Inst::Sext16To32 { d, a } => put!(d, get!(a) as i16 as i32 as u32 as u64),
                    Inst::Sext32To64 { d, a } => put!(d, get!(a) as i32 as i64 as u64),
                    Inst::Sext { n, m, d, a } => put!(d, sext(get!(a), *n) as u64 & mask(*m)),
                    Inst::Extract { n, lo, d, a } => put!(d, (get!(a) >> (*lo & 63)) & mask(*n)),
                    Inst::Insert { n, lo, d, a, b } => {
                        let hole = mask(*n) << (*lo & 63);
                        put!(d, get!(a) & !hole | (get!(b) << (*lo & 63)) & hole)
                    }

                    Inst::Eq { d, a, b } => put!(d, (get!(a) == get!(b)) as u64),
                    Inst::Ne { d, a, b } => put!(d, (get!(a) != get!(b)) as u64),
                    Inst::LtU { d, a, b } => put!(d, (get!(a) < get!(b)) as u64),
                    Inst::LeU { d, a, b } => put!(d, (get!(a) <= get!(b)) as u64),
                    Inst::LtS32 { d, a, b } => put!(d, ((get!(a) as i32) < get!(b) as i32) as u64),
                    Inst::LeS32 { d, a, b } => put!(d, (get!(a) as i32 <= get!(b) as i32) as u64),
                    Inst::LtS64 { d, a, b } => put!(d, ((get!(a) as i64) < get!(b) as i64) as u64),
                    Inst::LeS64 { d, a, b } => put!(d, (get!(a) as i64 <= get!(b) as i64) as u64),
                    Inst::EqI { d, a, i } => put!(d, (get!(a) == *i as u64) as u64),
                    Inst::NeI { d, a, i } => put!(d, (get!(a) != *i as u64) as u64),
                    Inst::LtUI { d, a, i } => put!(d, (get!(a) < *i as u64) as u64),
                    Inst::GtUI { d, a, i } => put!(d, (get!(a) > *i as u64) as u64),
                    Inst::LtS32I { d, a, i } => put!(d, ((get!(a) as i32) < *i) as u64),
                    Inst::GtS32I { d, a, i } => put!(d, (get!(a) as i32 > *i) as u64),
                    Inst::LtS64I { d, a, i } => put!(d, ((get!(a) as i64) < *i as i64) as u64),
                    Inst::GtS64I { d, a, i } => put!(d, (get!(a) as i64 > *i as i64) as u64),

                    Inst::Jump { n, to } => go!(to.0, *n),
                    Inst::Tick { n } => {
                        steps -= *n as i64;
                        next!()
                    }
                    Inst::BrEq { t, f, a, b, to } => branch!(get!(a) == get!(b), t, f, to),
                    Inst::BrNe { t, f, a, b, to } => branch!(get!(a) != get!(b), t, f, to),
                    Inst::BrLtU { t, f, a, b, to } => branch!(get!(a) < get!(b), t, f, to),
                    Inst::BrLeU { t, f, a, b, to } => branch!(get!(a) <= get!(b), t, f, to),
                    Inst::BrLtS32 { t, f, a, b, to } => branch!((get!(a) as i32) < get!(b) as i32, t, f, to),
                    Inst::BrLeS32 { t, f, a, b, to } => branch!(get!(a) as i32 <= get!(b) as i32, t, f, to),
                    Inst::BrLtS64 { t, f, a, b, to } => branch!((get!(a) as i64) < get!(b) as i64, t, f, to),
                    Inst::BrLeS64 { t, f, a, b, to } => branch!(get!(a) as i64 <= get!(b) as i64, t, f, to),
                    Inst::BrEqI { t, f, a, i, to } => branch!(get!(a) == *i as u64, t, f, to),
                    Inst::BrNeI { t, f, a, i, to } => branch!(get!(a) != *i as u64, t, f, to),
                    Inst::BrLtUI { t, f, a, i, to } => branch!(get!(a) < *i as u64, t, f, to),
                    Inst::BrGeUI { t, f, a, i, to } => branch!(get!(a) >= *i as u64, t, f, to),
                    Inst::BrLtS32I { t, f, a, i, to } => branch!((get!(a) as i32) < *i, t, f, to),
                    Inst::BrGeS32I { t, f, a, i, to } => branch!(get!(a) as i32 >= *i, t, f, to),
                    Inst::BrLtS64I { t, f, a, i, to } => branch!((get!(a) as i64) < *i as i64, t, f, to),
                    Inst::BrGeS64I { t, f, a, i, to } => branch!(get!(a) as i64 >= *i as i64, t, f, to),
                    Inst::BrAny { t, f, a, i, to } => branch!(get!(a) & *i as u64 != 0, t, f, to),
                    Inst::BrNone { t, f, a, i, to } => branch!(get!(a) & *i as u64 == 0, t, f, to),
                    Inst::BrGlobalEqI { t, f, g, i, to } => {
                        branch!(*globals.add(*g as usize) == *i as u64, t, f, to)
                    }
                    Inst::BrGlobalNeI { t, f, g, i, to } => {
                        branch!(*globals.add(*g as usize) != *i as u64, t, f, to)
                    }
                    Inst::SwitchDense { a, i } => {
                        let table = image.tables.get_unchecked(*i as usize);
                        let at = get!(a).wrapping_sub(table.low);
                        let arm = table.dense.get(at as usize).unwrap_or(&table.default);
                        go!(arm.to.0, arm.steps)
                    }
                    Inst::SwitchSparse { a, i } => {
                        let table = image.tables.get_unchecked(*i as usize);
                        let value = get!(a);
                        let at = table.sparse.partition_point(|(low, ..)| *low <= value);
                        let arm = match at.checked_sub(1).map(|at| &table.sparse[at]) {
                            Some((_, high, arm)) if value <= *high => arm,
                            Some(_) | None => &table.default,
                        };
                        go!(arm.to.0, arm.steps)
                    }
                    Inst::Call { f, d, w } => call!(*f, d.0, *w),
                    Inst::CallPtr { i } => {
                        let site = image.calls.get_unchecked(*i as usize);
                        let func = some!(self.resolve(site, get!(site.callee)));
                        call!(func, site.d.0, site.window)
                    }
                    Inst::Return {} => ret!(|_d| ()),
                    Inst::ReturnValue { a } => {
                        let value = get!(a);
                        ret!(|d| *d = value)
                    }
                    Inst::ReturnPair { a } => {
                        let (low, high) = (get!(a), *fp.add(a.0 as usize + 1));
                        ret!(|d| {
                            *d = low;
                            *d.add(1) = high;
                        })
                    }
                    Inst::Enter { d } => {
                        let base = some!(self.enter());
                        put!(d, base)
                    }
                    Inst::Halt {}
                    | Inst::AssumeFail {}
                    | Inst::CheckFail { .. }
                    | Inst::NoEdge { .. }
                    | Inst::BadCall {}
                    | Inst::Exit { .. }
                    | Inst::Abort {} => break Stop::Instruction,
                    Inst::Probe { i } => {
                        if stops.contains(ProbeId(*i)) {
                            break Stop::Probe;
                        }
                        next!()
                    }
                    Inst::Cover { i } => {
                        *self.coverage.get_unchecked_mut(*i as usize) += 1;
                        next!()
                    }
                    Inst::Trace { .. } => break Stop::Trace,

                    Inst::AddF64 { d, a, b } => put!(d, (f64_of(get!(a)) + f64_of(get!(b))).to_bits()),
                    Inst::SubF64 { d, a, b } => put!(d, (f64_of(get!(a)) - f64_of(get!(b))).to_bits()),
                    Inst::MulF64 { d, a, b } => put!(d, (f64_of(get!(a)) * f64_of(get!(b))).to_bits()),
                    Inst::DivF64 { d, a, b } => put!(d, (f64_of(get!(a)) / f64_of(get!(b))).to_bits()),
                    Inst::AddF64K { d, a, k } => {
                        put!(d, (f64_of(get!(a)) + f64_of(*image.constants.get_unchecked(*k as usize))).to_bits())
                    }
                    Inst::SubF64K { d, a, k } => {
                        put!(d, (f64_of(get!(a)) - f64_of(*image.constants.get_unchecked(*k as usize))).to_bits())
                    }
                    Inst::MulF64K { d, a, k } => {
                        put!(d, (f64_of(get!(a)) * f64_of(*image.constants.get_unchecked(*k as usize))).to_bits())
                    }
                    Inst::DivF64K { d, a, k } => {
                        put!(d, (f64_of(get!(a)) / f64_of(*image.constants.get_unchecked(*k as usize))).to_bits())
                    }
                    Inst::AddF32 { d, a, b } => put!(d, (f32_of(get!(a)) + f32_of(get!(b))).to_bits() as u64),
                    Inst::SubF32 { d, a, b } => put!(d, (f32_of(get!(a)) - f32_of(get!(b))).to_bits() as u64),
                    Inst::MulF32 { d, a, b } => put!(d, (f32_of(get!(a)) * f32_of(get!(b))).to_bits() as u64),
                    Inst::DivF32 { d, a, b } => put!(d, (f32_of(get!(a)) / f32_of(get!(b))).to_bits() as u64),
                    Inst::AddF32I { d, a, i } => put!(d, (f32_of(get!(a)) + f32::from_bits(*i)).to_bits() as u64),
                    Inst::SubF32I { d, a, i } => put!(d, (f32_of(get!(a)) - f32::from_bits(*i)).to_bits() as u64),
                    Inst::MulF32I { d, a, i } => put!(d, (f32_of(get!(a)) * f32::from_bits(*i)).to_bits() as u64),
                    Inst::DivF32I { d, a, i } => put!(d, (f32_of(get!(a)) / f32::from_bits(*i)).to_bits() as u64),
                    Inst::SqrtF64 { d, a } => put!(d, f64_of(get!(a)).sqrt().to_bits()),
                    Inst::SqrtF32 { d, a } => put!(d, f32_of(get!(a)).sqrt().to_bits() as u64),
                    Inst::EqF64 { d, a, b } => put!(d, (f64_of(get!(a)) == f64_of(get!(b))) as u64),
                    Inst::LtF64 { d, a, b } => put!(d, (f64_of(get!(a)) < f64_of(get!(b))) as u64),
                    Inst::LeF64 { d, a, b } => put!(d, (f64_of(get!(a)) <= f64_of(get!(b))) as u64),
                    Inst::EqF32 { d, a, b } => put!(d, (f32_of(get!(a)) == f32_of(get!(b))) as u64),
                    Inst::LtF32 { d, a, b } => put!(d, (f32_of(get!(a)) < f32_of(get!(b))) as u64),
                    Inst::LeF32 { d, a, b } => put!(d, (f32_of(get!(a)) <= f32_of(get!(b))) as u64),
                    Inst::BrEqF64 { t, f, a, b, to } => branch!(f64_of(get!(a)) == f64_of(get!(b)), t, f, to),
                    Inst::BrNeF64 { t, f, a, b, to } => branch!(f64_of(get!(a)) != f64_of(get!(b)), t, f, to),
                    Inst::BrLtF64 { t, f, a, b, to } => branch!(f64_of(get!(a)) < f64_of(get!(b)), t, f, to),
                    Inst::BrLeF64 { t, f, a, b, to } => branch!(f64_of(get!(a)) <= f64_of(get!(b)), t, f, to),
                    Inst::BrNotLtF64 { t, f, a, b, to } => {
                        let less = f64_of(get!(a)) < f64_of(get!(b));
                        branch!(!less, t, f, to)
                    }
                    Inst::BrNotLeF64 { t, f, a, b, to } => {
                        let less = f64_of(get!(a)) <= f64_of(get!(b));
                        branch!(!less, t, f, to)
                    }
                    Inst::BrEqF32 { t, f, a, b, to } => branch!(f32_of(get!(a)) == f32_of(get!(b)), t, f, to),
                    Inst::BrNeF32 { t, f, a, b, to } => branch!(f32_of(get!(a)) != f32_of(get!(b)), t, f, to),
                    Inst::BrLtF32 { t, f, a, b, to } => branch!(f32_of(get!(a)) < f32_of(get!(b)), t, f, to),
                    Inst::BrLeF32 { t, f, a, b, to } => branch!(f32_of(get!(a)) <= f32_of(get!(b)), t, f, to),
                    Inst::BrNotLtF32 { t, f, a, b, to } => {
                        let less = f32_of(get!(a)) < f32_of(get!(b));
                        branch!(!less, t, f, to)
                    }
                    Inst::BrNotLeF32 { t, f, a, b, to } => {
                        let less = f32_of(get!(a)) <= f32_of(get!(b));
                        branch!(!less, t, f, to)
                    }
                    Inst::F32ToF64 { d, a } => put!(d, (f32_of(get!(a)) as f64).to_bits()),
                    Inst::F64ToF32 { d, a } => put!(d, (f64_of(get!(a)) as f32).to_bits() as u64),
                    Inst::I32ToF64 { d, a } => put!(d, (get!(a) as i32 as f64).to_bits()),
                    Inst::I64ToF64 { d, a } => put!(d, (get!(a) as i64 as f64).to_bits()),
                    Inst::I32ToF32 { d, a } => put!(d, (get!(a) as i32 as f32).to_bits() as u64),
                    Inst::I64ToF32 { d, a } => put!(d, (get!(a) as i64 as f32).to_bits() as u64),
                    Inst::F64ToI32 { d, a } => put!(d, to_i32(f64_of(get!(a)))),
                    Inst::F64ToI64 { d, a } => put!(d, to_i64(f64_of(get!(a)))),
                    Inst::F32ToI32 { d, a } => put!(d, to_i32(f32_of(get!(a)) as f64)),
                    Inst::F32ToI64 { d, a } => put!(d, to_i64(f32_of(get!(a)) as f64)),

                    Inst::Ld8 { d, a, off } => load!(d, 1, u8, false, plain!(a, off), |v| v as u64),
                    Inst::Ld16 { d, a, off } => load!(d, 2, u16, false, plain!(a, off), |v| v as u64),
                    Inst::Ld32 { d, a, off } => load!(d, 4, u32, false, plain!(a, off), |v| v as u64),
                    Inst::Ld64 { d, a, off } => load!(d, 8, u64, false, plain!(a, off), |v| v),
                    Inst::Ld8S { d, a, off } => {
                        load!(d, 1, u8, false, plain!(a, off), |v| v as i8 as i32 as u32 as u64)
                    }
                    Inst::Ld16S { d, a, off } => {
                        load!(d, 2, u16, false, plain!(a, off), |v| v as i16 as i32 as u32 as u64)
                    }
                    Inst::Ld32Q { d, a, off } => load!(d, 4, u32, false, plain!(a, off), |v| v as i32 as i64 as u64),
                    Inst::Ld8A { d, addr } => load!(d, 1, u8, true, *addr as u64, |v| v as u64),
                    Inst::Ld16A { d, addr } => load!(d, 2, u16, true, *addr as u64, |v| v as u64),
                    Inst::Ld32A { d, addr } => load!(d, 4, u32, true, *addr as u64, |v| v as u64),
                    Inst::Ld64A { d, addr } => load!(d, 8, u64, true, *addr as u64, |v| v),
                    Inst::Ld8SA { d, addr } => load!(d, 1, u8, true, *addr as u64, |v| v as i8 as i32 as u32 as u64),
                    Inst::Ld16SA { d, addr } => load!(d, 2, u16, true, *addr as u64, |v| v as i16 as i32 as u32 as u64),
                    Inst::Ld32QA { d, addr } => load!(d, 4, u32, true, *addr as u64, |v| v as i32 as i64 as u64),
                    Inst::Ld8X { s, off, d, a, b } => load!(d, 1, u8, false, indexed!(a, b, s, off), |v| v as u64),
                    Inst::Ld16X { s, off, d, a, b } => load!(d, 2, u16, false, indexed!(a, b, s, off), |v| v as u64),
                    Inst::Ld32X { s, off, d, a, b } => load!(d, 4, u32, false, indexed!(a, b, s, off), |v| v as u64),
                    Inst::Ld64X { s, off, d, a, b } => load!(d, 8, u64, false, indexed!(a, b, s, off), |v| v),
                    Inst::Ld8SX { s, off, d, a, b } => {
                        load!(d, 1, u8, false, indexed!(a, b, s, off), |v| v as i8 as i32 as u32 as u64)
                    }
                    Inst::Ld16SX { s, off, d, a, b } => {
                        load!(d, 2, u16, false, indexed!(a, b, s, off), |v| v as i16 as i32 as u32 as u64)
                    }
                    Inst::Ld32QX { s, off, d, a, b } => {
                        load!(d, 4, u32, false, indexed!(a, b, s, off), |v| v as i32 as i64 as u64)
                    }
                    Inst::Ld8Y { s, off, d, a, b } => load!(d, 1, u8, false, extended!(a, b, s, off), |v| v as u64),
                    Inst::Ld16Y { s, off, d, a, b } => load!(d, 2, u16, false, extended!(a, b, s, off), |v| v as u64),
                    Inst::Ld32Y { s, off, d, a, b } => load!(d, 4, u32, false, extended!(a, b, s, off), |v| v as u64),
                    Inst::Ld64Y { s, off, d, a, b } => load!(d, 8, u64, false, extended!(a, b, s, off), |v| v),
                    Inst::Ld8SY { s, off, d, a, b } => {
                        load!(d, 1, u8, false, extended!(a, b, s, off), |v| v as i8 as i32 as u32 as u64)
                    }
                    Inst::Ld16SY { s, off, d, a, b } => {
                        load!(d, 2, u16, false, extended!(a, b, s, off), |v| v as i16 as i32 as u32 as u64)
                    }
                    Inst::Ld32QY { s, off, d, a, b } => {
                        load!(d, 4, u32, false, extended!(a, b, s, off), |v| v as i32 as i64 as u64)
                    }
                    Inst::Ld8T { s, d, addr, b } => load!(d, 1, u8, false, table!(addr, b, s), |v| v as u64),
                    Inst::Ld16T { s, d, addr, b } => load!(d, 2, u16, false, table!(addr, b, s), |v| v as u64),
                    Inst::Ld32T { s, d, addr, b } => load!(d, 4, u32, false, table!(addr, b, s), |v| v as u64),
                    Inst::Ld64T { s, d, addr, b } => load!(d, 8, u64, false, table!(addr, b, s), |v| v),
                    Inst::Ld8ST { s, d, addr, b } => {
                        load!(d, 1, u8, false, table!(addr, b, s), |v| v as i8 as i32 as u32 as u64)
                    }
                    Inst::Ld16ST { s, d, addr, b } => {
                        load!(d, 2, u16, false, table!(addr, b, s), |v| v as i16 as i32 as u32 as u64)
                    }
                    Inst::Ld32QT { s, d, addr, b } => {
                        load!(d, 4, u32, false, table!(addr, b, s), |v| v as i32 as i64 as u64)
                    }
                    Inst::Ld8U { s, d, addr, b } => load!(d, 1, u8, false, table_extended!(addr, b, s), |v| v as u64),
                    Inst::Ld16U { s, d, addr, b } => load!(d, 2, u16, false, table_extended!(addr, b, s), |v| v as u64),
                    Inst::Ld32U { s, d, addr, b } => load!(d, 4, u32, false, table_extended!(addr, b, s), |v| v as u64),
                    Inst::Ld64U { s, d, addr, b } => load!(d, 8, u64, false, table_extended!(addr, b, s), |v| v),
                    Inst::Ld8SU { s, d, addr, b } => {
                        load!(d, 1, u8, false, table_extended!(addr, b, s), |v| v as i8 as i32 as u32 as u64)
                    }
                    Inst::Ld16SU { s, d, addr, b } => {
                        load!(d, 2, u16, false, table_extended!(addr, b, s), |v| v as i16 as i32 as u32 as u64)
                    }
                    Inst::Ld32QU { s, d, addr, b } => {
                        load!(d, 4, u32, false, table_extended!(addr, b, s), |v| v as i32 as i64 as u64)
                    }
                    Inst::St8 { v, a, off } => store!(1, u8, false, plain!(a, off), get!(v)),
                    Inst::St16 { v, a, off } => store!(2, u16, false, plain!(a, off), get!(v)),
                    Inst::St32 { v, a, off } => store!(4, u32, false, plain!(a, off), get!(v)),
                    Inst::St64 { v, a, off } => store!(8, u64, false, plain!(a, off), get!(v)),
                    Inst::St8I { a, off, i } => store!(1, u8, false, plain!(a, off), *i as i64 as u64),
                    Inst::St16I { a, off, i } => store!(2, u16, false, plain!(a, off), *i as i64 as u64),
                    Inst::St32I { a, off, i } => store!(4, u32, false, plain!(a, off), *i as i64 as u64),
                    Inst::St64I { a, off, i } => store!(8, u64, false, plain!(a, off), *i as i64 as u64),
                    Inst::St8A { v, addr } => store!(1, u8, true, *addr as u64, get!(v)),
                    Inst::St16A { v, addr } => store!(2, u16, true, *addr as u64, get!(v)),
                    Inst::St32A { v, addr } => store!(4, u32, true, *addr as u64, get!(v)),
                    Inst::St64A { v, addr } => store!(8, u64, true, *addr as u64, get!(v)),
                    Inst::St8AI { addr, i } => store!(1, u8, true, *addr as u64, *i as i64 as u64),
                    Inst::St16AI { addr, i } => store!(2, u16, true, *addr as u64, *i as i64 as u64),
                    Inst::St32AI { addr, i } => store!(4, u32, true, *addr as u64, *i as i64 as u64),
                    Inst::St64AI { addr, i } => store!(8, u64, true, *addr as u64, *i as i64 as u64),
                    Inst::St8X { s, off, v, a, b } => store!(1, u8, false, indexed!(a, b, s, off), get!(v)),
                    Inst::St16X { s, off, v, a, b } => store!(2, u16, false, indexed!(a, b, s, off), get!(v)),
                    Inst::St32X { s, off, v, a, b } => store!(4, u32, false, indexed!(a, b, s, off), get!(v)),
                    Inst::St64X { s, off, v, a, b } => store!(8, u64, false, indexed!(a, b, s, off), get!(v)),
                    Inst::St8Y { s, off, v, a, b } => store!(1, u8, false, extended!(a, b, s, off), get!(v)),
                    Inst::St16Y { s, off, v, a, b } => store!(2, u16, false, extended!(a, b, s, off), get!(v)),
                    Inst::St32Y { s, off, v, a, b } => store!(4, u32, false, extended!(a, b, s, off), get!(v)),
                    Inst::St64Y { s, off, v, a, b } => store!(8, u64, false, extended!(a, b, s, off), get!(v)),
                    Inst::St8T { s, v, addr, b } => store!(1, u8, false, table!(addr, b, s), get!(v)),
                    Inst::St16T { s, v, addr, b } => store!(2, u16, false, table!(addr, b, s), get!(v)),
                    Inst::St32T { s, v, addr, b } => store!(4, u32, false, table!(addr, b, s), get!(v)),
                    Inst::St64T { s, v, addr, b } => store!(8, u64, false, table!(addr, b, s), get!(v)),
                    Inst::St8U { s, v, addr, b } => store!(1, u8, false, table_extended!(addr, b, s), get!(v)),
                    Inst::St16U { s, v, addr, b } => store!(2, u16, false, table_extended!(addr, b, s), get!(v)),
                    Inst::St32U { s, v, addr, b } => store!(4, u32, false, table_extended!(addr, b, s), get!(v)),
                    Inst::St64U { s, v, addr, b } => store!(8, u64, false, table_extended!(addr, b, s), get!(v)),
                    Inst::LeaX { s, off, d, a, b } => put!(d, indexed!(a, b, s, off) & pointer_mask),
                    Inst::LeaY { s, off, d, a, b } => put!(d, extended!(a, b, s, off) & pointer_mask),
                    Inst::LeaT { s, d, addr, b } => put!(d, table!(addr, b, s) & pointer_mask),
                    Inst::LeaU { s, d, addr, b } => put!(d, table_extended!(addr, b, s) & pointer_mask),
                    Inst::LeaLongX { s, d, a, b } => put!(d, indexed!(a, b, s, &0u16) & pointer_mask),
                    Inst::LeaLongY { s, d, a, b } => put!(d, extended!(a, b, s, &0u16) & pointer_mask),

                    Inst::Slow { i } => {
                        save!();
                        if !self.slow(*i) {
                            break Stop::Failure;
                        }
                        next!()
                    }
                    Inst::InBounds { n, d, a, b } => {
                        let value = self.in_bounds(get!(a), get!(b), *n as u64);
                        put!(d, value as u64)
                    }
                    Inst::Havoc { i } => {
                        save!();
                        match self.havoc(*i, inputs) {
                            Some(true) => next!(),
                            Some(false) => break Stop::NoInput,
                            None => break Stop::Failure,
                        }
                    }
                    Inst::HeapAlloc { d, a } => {
                        let addr = some!(self.heap_alloc(get!(a)));
                        put!(d, addr)
                    }
                    Inst::StackAlloc { d, a } => {
                        let addr = some!(self.stack_alloc(get!(a)));
                        put!(d, addr)
                    }
                    Inst::Free { a } => {
                        if !self.free(get!(a)) {
                            break Stop::Failure;
                        }
                        next!()
                    }
                    Inst::StackFree { a } => {
                        if !self.stack_free(get!(a)) {
                            break Stop::Failure;
                        }
                        next!()
                    }
                    Inst::MemCopy { a, b, c } => {
                        if !self.mem_copy(get!(a), get!(b), get!(c)) {
                            break Stop::Failure;
                        }
                        next!()
                    }
                    Inst::MemSet { a, b, c } => {
                        if !self.mem_set(get!(a), get!(b) as u8, get!(c)) {
                            break Stop::Failure;
                        }
                        next!()
                    }
                    Inst::Print { d, a, b } => {
                        let count = some!(self.print(get!(a), get!(b)));
                        put!(d, count as u64)
                    }
                }
            }
        };
        // SAFETY: as in the loop.
        unsafe { save!() };
        self.state.ticked += (started_with - steps) as u64;
        *left = steps;
        self.stopped(stop, image)
    }

    /// Says why the loop was left.
    #[cold]
    #[inline(never)]
    fn stopped(&mut self, stop: Stop, image: &Image) -> Exit {
        let pc = self.state.stack().pc;
        let site = image.site(pc);
        let fault = |kind| Outcome::Fault { kind, site };
        let inst = image.code[pc as usize];
        Exit::End(match stop {
            Stop::StepLimit => Outcome::StepLimit,
            Stop::DivisionByZero => fault(FaultKind::DivisionByZero),
            Stop::StackOverflow => fault(FaultKind::StackOverflow),
            Stop::Failure => fault(self.failure.take().unwrap_or(FaultKind::OutOfMemory)),
            Stop::NoInput => match inst {
                Inst::Havoc { i } => Outcome::NoInput { input: image.havocs[i as usize].input, site },
                _ => Outcome::StepLimit,
            },
            Stop::Probe | Stop::Trace => {
                // The run goes on after the instruction.
                self.state.stack_mut().pc = pc + 1;
                match inst {
                    Inst::Trace { i } => return Exit::Trace(i),
                    Inst::Probe { i } => Outcome::Probe(ProbeId(i)),
                    _ => Outcome::StepLimit,
                }
            }
            Stop::Instruction => match inst {
                Inst::Halt {} => Outcome::Returned(self.returned()),
                Inst::AssumeFail {} => Outcome::AssumptionFailed(site),
                Inst::CheckFail { i } => {
                    let check = CheckId(i);
                    match image.program.check(check).kind {
                        CheckKind::Unsupported => Outcome::Unsupported { check, site },
                        _ => Outcome::CheckFailed { check, site },
                    }
                }
                Inst::NoEdge { i } => Outcome::Stopped { func: site.func, loc: Loc(i) },
                Inst::Exit { a } => Outcome::Exited(self.register(a.0) as i32),
                Inst::Abort {} => Outcome::Aborted,
                _ => fault(FaultKind::BadCall { addr: 0 }),
            },
        })
    }

    /// The function at an address, if a call site may call it.
    fn resolve(&mut self, site: &IndirectCall, addr: u64) -> Option<u32> {
        let found = self.image.map.function_at(addr).filter(|func| {
            let callee = &self.image.functions[func.0 as usize];
            // What the callee does not take is ignored.
            let fits = callee.signature == site.signature
                || site.args.starts_with(&self.image.signatures[callee.signature as usize]);
            fits && (site.ret.is_none() || site.ret == callee.ret)
        });
        if found.is_none() {
            self.failure = Some(FaultKind::BadCall { addr });
        }
        found.map(|func| func.0)
    }

    /// Makes room for a window at `fp`, which may lie beyond the end, and returns its new place.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, fp: *mut u64, window: usize) -> *mut u64 {
        let stack = self.state.stack_mut();
        let at = (fp as usize - stack.registers.as_ptr() as usize) / size_of::<u64>();
        let len = (at + window + SLACK).max(stack.registers.len() * 2);
        stack.resize(len);
        // SAFETY: the length has just been made larger than that.
        unsafe { stack.registers.as_mut_ptr().add(at) }
    }

    /// What the entry function returned: it is in the register that its activation named.
    #[cold]
    fn returned(&self) -> Option<Bits> {
        let code = self.image.functions.get(self.state.entry.0 as usize)?;
        code.ret.map(|ty| self.register_bits(0, ty))
    }
}
