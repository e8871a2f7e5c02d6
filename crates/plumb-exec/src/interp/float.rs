//! Floats.

use super::{Handler, Registers, Run, Stop, handlers};
use crate::inst::{Inst, Slot, Tag};
use crate::memory::Entry;

#[inline(always)]
fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

#[inline(always)]
fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// As the processor does it: what does not fit is the least number.
#[inline(always)]
fn to_i32(value: f64) -> u64 {
    if value > -2147483649.0 && value < 2147483648.0 { value as i32 as u32 as u64 } else { 1 << 31 }
}

#[inline(always)]
fn to_i64(value: f64) -> u64 {
    if (-9223372036854775808.0..9223372036854775808.0).contains(&value) { value as i64 as u64 } else { 1 << 63 }
}

impl Registers<'_> {
    /// Puts the result of an operation.
    #[inline(always)]
    unsafe fn put_f64(self, d: Slot, value: f64) -> Stop {
        // SAFETY: as `put` and every handler.
        unsafe { if value.is_nan() { self.put_nan::<63>(d, value.to_bits()) } else { self.put(d, value.to_bits()) } }
    }

    #[inline(always)]
    unsafe fn put_f32(self, d: Slot, value: f32) -> Stop {
        let bits = value.to_bits() as u64;
        // SAFETY: as `put` and every handler.
        unsafe { if value.is_nan() { self.put_nan::<31>(d, bits) } else { self.put(d, bits) } }
    }

    /// Hands a NaN over, so that the fast way has no call in it.
    #[inline(always)]
    unsafe fn put_nan<const SIGN_BIT: u32>(self, d: Slot, bits: u64) -> Stop {
        // SAFETY: as in every handler.
        unsafe {
            self.run().value = bits;
            self.run().slot = d;
            settled_nan::<SIGN_BIT>(self.pc, self.fp, self.steps, self.tlb, self.mask, self.run)
        }
    }

    #[inline(always)]
    unsafe fn constant(self, index: u32) -> u64 {
        // SAFETY: indices lie inside the table of constants.
        unsafe { *self.run().image.constants.get_unchecked(index as usize) }
    }
}

/// A result in `run.value` that is a NaN, for `run.slot`.
#[cold]
#[inline(never)]
unsafe extern "C" fn settled_nan<const SIGN_BIT: u32>(
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
        let (bits, d) = (m.run().value, m.run().slot);
        m.put(d, m.machine().settle_nan(bits as u128, SIGN_BIT) as u64)
    }
}

handlers! { m;
    AddF64 { d, a, b } => m.put_f64(d, f64_of(m.get(a)) + f64_of(m.get(b))),
    SubF64 { d, a, b } => m.put_f64(d, f64_of(m.get(a)) - f64_of(m.get(b))),
    MulF64 { d, a, b } => m.put_f64(d, f64_of(m.get(a)) * f64_of(m.get(b))),
    DivF64 { d, a, b } => m.put_f64(d, f64_of(m.get(a)) / f64_of(m.get(b))),
    AddF64K { d, a, k } => {
        m.put_f64(d, f64_of(m.get(a)) + f64_of(m.constant(k)))
    },
    SubF64K { d, a, k } => {
        m.put_f64(d, f64_of(m.get(a)) - f64_of(m.constant(k)))
    },
    MulF64K { d, a, k } => {
        m.put_f64(d, f64_of(m.get(a)) * f64_of(m.constant(k)))
    },
    DivF64K { d, a, k } => {
        m.put_f64(d, f64_of(m.get(a)) / f64_of(m.constant(k)))
    },
    AddF32 { d, a, b } => m.put_f32(d, f32_of(m.get(a)) + f32_of(m.get(b))),
    SubF32 { d, a, b } => m.put_f32(d, f32_of(m.get(a)) - f32_of(m.get(b))),
    MulF32 { d, a, b } => m.put_f32(d, f32_of(m.get(a)) * f32_of(m.get(b))),
    DivF32 { d, a, b } => m.put_f32(d, f32_of(m.get(a)) / f32_of(m.get(b))),
    AddF32I { d, a, i } => m.put_f32(d, f32_of(m.get(a)) + f32::from_bits(i)),
    SubF32I { d, a, i } => m.put_f32(d, f32_of(m.get(a)) - f32::from_bits(i)),
    MulF32I { d, a, i } => m.put_f32(d, f32_of(m.get(a)) * f32::from_bits(i)),
    DivF32I { d, a, i } => m.put_f32(d, f32_of(m.get(a)) / f32::from_bits(i)),
    SqrtF64 { d, a } => m.put_f64(d, f64_of(m.get(a)).sqrt()),
    SqrtF32 { d, a } => m.put_f32(d, f32_of(m.get(a)).sqrt()),
    EqF64 { d, a, b } => m.put(d, (f64_of(m.get(a)) == f64_of(m.get(b))) as u64),
    LtF64 { d, a, b } => m.put(d, (f64_of(m.get(a)) < f64_of(m.get(b))) as u64),
    LeF64 { d, a, b } => m.put(d, (f64_of(m.get(a)) <= f64_of(m.get(b))) as u64),
    EqF32 { d, a, b } => m.put(d, (f32_of(m.get(a)) == f32_of(m.get(b))) as u64),
    LtF32 { d, a, b } => m.put(d, (f32_of(m.get(a)) < f32_of(m.get(b))) as u64),
    LeF32 { d, a, b } => m.put(d, (f32_of(m.get(a)) <= f32_of(m.get(b))) as u64),
    BrEqF64 { t, f, a, b, to } => m.branch(f64_of(m.get(a)) == f64_of(m.get(b)), t, f, to),
    BrNeF64 { t, f, a, b, to } => m.branch(f64_of(m.get(a)) != f64_of(m.get(b)), t, f, to),
    BrLtF64 { t, f, a, b, to } => m.branch(f64_of(m.get(a)) < f64_of(m.get(b)), t, f, to),
    BrLeF64 { t, f, a, b, to } => m.branch(f64_of(m.get(a)) <= f64_of(m.get(b)), t, f, to),
    BrNotLtF64 { t, f, a, b, to } => {
        let less = f64_of(m.get(a)) < f64_of(m.get(b));
        m.branch(!less, t, f, to)
    },
    BrNotLeF64 { t, f, a, b, to } => {
        let less = f64_of(m.get(a)) <= f64_of(m.get(b));
        m.branch(!less, t, f, to)
    },
    BrEqF32 { t, f, a, b, to } => m.branch(f32_of(m.get(a)) == f32_of(m.get(b)), t, f, to),
    BrNeF32 { t, f, a, b, to } => m.branch(f32_of(m.get(a)) != f32_of(m.get(b)), t, f, to),
    BrLtF32 { t, f, a, b, to } => m.branch(f32_of(m.get(a)) < f32_of(m.get(b)), t, f, to),
    BrLeF32 { t, f, a, b, to } => m.branch(f32_of(m.get(a)) <= f32_of(m.get(b)), t, f, to),
    BrNotLtF32 { t, f, a, b, to } => {
        let less = f32_of(m.get(a)) < f32_of(m.get(b));
        m.branch(!less, t, f, to)
    },
    BrNotLeF32 { t, f, a, b, to } => {
        let less = f32_of(m.get(a)) <= f32_of(m.get(b));
        m.branch(!less, t, f, to)
    },
    F32ToF64 { d, a } => m.put(d, (f32_of(m.get(a)) as f64).to_bits()),
    F64ToF32 { d, a } => m.put(d, (f64_of(m.get(a)) as f32).to_bits() as u64),
    I32ToF64 { d, a } => m.put(d, (m.get(a) as i32 as f64).to_bits()),
    I64ToF64 { d, a } => m.put(d, (m.get(a) as i64 as f64).to_bits()),
    I32ToF32 { d, a } => m.put(d, (m.get(a) as i32 as f32).to_bits() as u64),
    I64ToF32 { d, a } => m.put(d, (m.get(a) as i64 as f32).to_bits() as u64),
    F64ToI32 { d, a } => m.put(d, to_i32(f64_of(m.get(a)))),
    F64ToI64 { d, a } => m.put(d, to_i64(f64_of(m.get(a)))),
    F32ToI32 { d, a } => m.put(d, to_i32(f32_of(m.get(a)) as f64)),
    F32ToI64 { d, a } => m.put(d, to_i64(f32_of(m.get(a)) as f64)),
}
