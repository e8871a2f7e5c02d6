//! Moves, integer arithmetic, widths and comparisons.

use super::{Handler, Registers, Run, Stop, handlers};
use crate::inst::{Inst, Slot, Tag};
use crate::memory::Entry;

/// So many low bits.
#[inline(always)]
fn ones(n: u8) -> u64 {
    u64::MAX >> (64 - n as u32)
}

/// The low bits as a signed number.
#[inline(always)]
fn sext(value: u64, n: u8) -> i64 {
    let shift = 64 - n as u32;
    ((value << shift) as i64) >> shift
}

/// Why a signed division has no result.
#[inline(always)]
fn no_quotient(by_zero: bool) -> Stop {
    if by_zero { Stop::DivisionByZero } else { Stop::DivisionOverflow }
}

handlers! { m;
    Move { d, a } => m.put(d, m.get(a)),
    Move2 { d, a } => {
        let (low, high) = (m.get(Slot(a.0)), *m.high(a.0));
        m.set(Slot(d.0), low);
        *m.high(d.0) = high;
        m.next()
    },
    Const { d, lo, hi } => m.put(d, lo as u64 | (hi as u64) << 32),
    GlobalGet { d, g } => m.put(d, *m.run().globals.add(g as usize)),
    GlobalSet { g, a } => {
        *m.run().globals.add(g as usize) = m.get(a);
        m.next()
    },
    GlobalSetI { g, lo, hi } => {
        *m.run().globals.add(g as usize) = lo as u64 | (hi as u64) << 32;
        m.next()
    },
    GlobalAdd32I { d, g, i } => {
        let register = m.run().globals.add(g as usize);
        let value = (*register as u32).wrapping_add(i as u32) as u64;
        *register = value;
        m.put(d, value)
    },
    GlobalGet2 { d, g } => {
        m.set(Slot(d.0), *m.run().globals.add(g as usize));
        *m.high(d.0) = *m.run().globals.add(g as usize + 1);
        m.next()
    },
    GlobalSet2 { g, a } => {
        *m.run().globals.add(g as usize) = m.get(Slot(a.0));
        *m.run().globals.add(g as usize + 1) = *m.high(a.0);
        m.next()
    },

    Add32 { d, a, b } => m.put(d, (m.get(a) as u32).wrapping_add(m.get(b) as u32) as u64),
    Add64 { d, a, b } => m.put(d, m.get(a).wrapping_add(m.get(b))),
    AddN { n, d, a, b } => m.put(d, m.get(a).wrapping_add(m.get(b)) & ones(n)),
    Add32I { d, a, i } => m.put(d, (m.get(a) as u32).wrapping_add(i as u32) as u64),
    Add64I { d, a, i } => m.put(d, m.get(a).wrapping_add(i as i64 as u64)),
    AddNI { n, d, a, i } => m.put(d, m.get(a).wrapping_add(i as i64 as u64) & ones(n)),
    Sub32 { d, a, b } => m.put(d, (m.get(a) as u32).wrapping_sub(m.get(b) as u32) as u64),
    Sub64 { d, a, b } => m.put(d, m.get(a).wrapping_sub(m.get(b))),
    SubN { n, d, a, b } => m.put(d, m.get(a).wrapping_sub(m.get(b)) & ones(n)),
    Mul32 { d, a, b } => m.put(d, (m.get(a) as u32).wrapping_mul(m.get(b) as u32) as u64),
    Mul64 { d, a, b } => m.put(d, m.get(a).wrapping_mul(m.get(b))),
    MulN { n, d, a, b } => m.put(d, m.get(a).wrapping_mul(m.get(b)) & ones(n)),
    Mul32I { d, a, i } => m.put(d, (m.get(a) as u32).wrapping_mul(i as u32) as u64),
    Mul64I { d, a, i } => m.put(d, m.get(a).wrapping_mul(i as i64 as u64)),
    NegN { n, d, a } => m.put(d, m.get(a).wrapping_neg() & ones(n)),
    NotN { n, d, a } => m.put(d, !m.get(a) & ones(n)),
    And { d, a, b } => m.put(d, m.get(a) & m.get(b)),
    Or { d, a, b } => m.put(d, m.get(a) | m.get(b)),
    Xor { d, a, b } => m.put(d, m.get(a) ^ m.get(b)),
    AndI { d, a, i } => m.put(d, m.get(a) & i as u64),
    AndSI { d, a, i } => m.put(d, m.get(a) & i as i64 as u64),
    OrI { d, a, i } => m.put(d, m.get(a) | i as u64),
    XorI { d, a, i } => m.put(d, m.get(a) ^ i as u64),
    Shl32 { d, a, b } => {
        let count = m.get(b);
        if count >= 32 {
            return m.stop(Stop::ShiftCount);
        }
        m.put(d, ((m.get(a) as u32) << count) as u64)
    },
    Shl64 { d, a, b } => {
        let count = m.get(b);
        if count >= 64 {
            return m.stop(Stop::ShiftCount);
        }
        m.put(d, m.get(a) << count)
    },
    ShlN { n, d, a, b } => {
        let count = m.get(b);
        if count >= n as u64 {
            return m.stop(Stop::ShiftCount);
        }
        m.put(d, (m.get(a) << (count & 63)) & ones(n))
    },
    ShrU { n, d, a, b } => {
        let count = m.get(b);
        if count >= n as u64 {
            return m.stop(Stop::ShiftCount);
        }
        m.put(d, m.get(a) >> (count & 63))
    },
    ShrS32 { d, a, b } => {
        let count = m.get(b);
        if count >= 32 {
            return m.stop(Stop::ShiftCount);
        }
        m.put(d, ((m.get(a) as i32) >> count) as u32 as u64)
    },
    ShrSN { n, d, a, b } => {
        let count = m.get(b);
        if count >= n as u64 {
            return m.stop(Stop::ShiftCount);
        }
        m.put(d, (sext(m.get(a), n) >> (count & 63)) as u64 & ones(n))
    },
    Shl32I { d, a, i } => m.put(d, ((m.get(a) as u32) << (i & 31)) as u64),
    Shl64I { d, a, i } => m.put(d, m.get(a) << (i & 63)),
    ShlNI { n, d, a, i } => m.put(d, (m.get(a) << (i & 63)) & ones(n)),
    ShrUI { d, a, i } => m.put(d, m.get(a) >> (i & 63)),
    ShrS32I { d, a, i } => m.put(d, ((m.get(a) as i32) >> (i & 31)) as u32 as u64),
    ShrSNI { n, d, a, i } => m.put(d, (sext(m.get(a), n) >> (i & 63)) as u64 & ones(n)),
    DivS32 { d, a, b } => {
        let b = m.get(b) as i32;
        match (m.get(a) as i32).checked_div(b) {
            Some(value) => m.put(d, value as u32 as u64),
            None => m.stop(no_quotient(b == 0)),
        }
    },
    DivSN { n, d, a, b } => {
        let (a, b) = (sext(m.get(a), n), sext(m.get(b), n));
        // At fewer than 64 bits the quotient fits the register but not the type.
        let overflows = b == -1 && a == i64::MIN >> (64 - n);
        match a.checked_div(b) {
            Some(value) if !overflows => m.put(d, value as u64 & ones(n)),
            _ => m.stop(no_quotient(b == 0)),
        }
    },
    DivU { d, a, b } => match m.get(a).checked_div(m.get(b)) {
        Some(value) => m.put(d, value),
        None => m.stop(Stop::DivisionByZero),
    },
    RemS32 { d, a, b } => {
        let b = m.get(b) as i32;
        match (m.get(a) as i32).checked_rem(b) {
            Some(value) => m.put(d, value as u32 as u64),
            None => m.stop(no_quotient(b == 0)),
        }
    },
    RemSN { n, d, a, b } => {
        let (a, b) = (sext(m.get(a), n), sext(m.get(b), n));
        // At fewer than 64 bits the quotient fits the register but not the type.
        let overflows = b == -1 && a == i64::MIN >> (64 - n);
        match a.checked_rem(b) {
            Some(value) if !overflows => m.put(d, value as u64 & ones(n)),
            _ => m.stop(no_quotient(b == 0)),
        }
    },
    RemU { d, a, b } => match m.get(a).checked_rem(m.get(b)) {
        Some(value) => m.put(d, value),
        None => m.stop(Stop::DivisionByZero),
    },
    DivS32I { d, a, i } => match (m.get(a) as i32).checked_div(i) {
        Some(value) => m.put(d, value as u32 as u64),
        None => m.stop(Stop::DivisionByZero),
    },
    RemS32I { d, a, i } => match (m.get(a) as i32).checked_rem(i) {
        Some(value) => m.put(d, value as u32 as u64),
        None => m.stop(Stop::DivisionByZero),
    },
    DivUI { d, a, i } => match m.get(a).checked_div(i as u64) {
        Some(value) => m.put(d, value),
        None => m.stop(Stop::DivisionByZero),
    },
    RemUI { d, a, i } => match m.get(a).checked_rem(i as u64) {
        Some(value) => m.put(d, value),
        None => m.stop(Stop::DivisionByZero),
    },
    Clz { n, d, a } => m.put(d, (m.get(a).leading_zeros() - (64 - n as u32)) as u64 & ones(n)),
    Ctz { n, d, a } => m.put(d, m.get(a).trailing_zeros().min(n as u32) as u64 & ones(n)),

    Sext8To32 { d, a } => m.put(d, m.get(a) as i8 as i32 as u32 as u64),
    Sext16To32 { d, a } => m.put(d, m.get(a) as i16 as i32 as u32 as u64),
    Sext32To64 { d, a } => m.put(d, m.get(a) as i32 as i64 as u64),
    Sext { n, w, d, a } => m.put(d, sext(m.get(a), n) as u64 & ones(w)),
    Extract { n, lo, d, a } => m.put(d, (m.get(a) >> (lo & 63)) & ones(n)),
    Insert { n, lo, d, a, b } => {
        let hole = ones(n) << (lo & 63);
        m.put(d, m.get(a) & !hole | (m.get(b) << (lo & 63)) & hole)
    },

    Eq { d, a, b } => m.put(d, (m.get(a) == m.get(b)) as u64),
    Ne { d, a, b } => m.put(d, (m.get(a) != m.get(b)) as u64),
    LtU { d, a, b } => m.put(d, (m.get(a) < m.get(b)) as u64),
    LeU { d, a, b } => m.put(d, (m.get(a) <= m.get(b)) as u64),
    LtS32 { d, a, b } => m.put(d, ((m.get(a) as i32) < m.get(b) as i32) as u64),
    LeS32 { d, a, b } => m.put(d, (m.get(a) as i32 <= m.get(b) as i32) as u64),
    LtS64 { d, a, b } => m.put(d, ((m.get(a) as i64) < m.get(b) as i64) as u64),
    LeS64 { d, a, b } => m.put(d, (m.get(a) as i64 <= m.get(b) as i64) as u64),
    EqI { d, a, i } => m.put(d, (m.get(a) == i as u64) as u64),
    NeI { d, a, i } => m.put(d, (m.get(a) != i as u64) as u64),
    LtUI { d, a, i } => m.put(d, (m.get(a) < i as u64) as u64),
    GtUI { d, a, i } => m.put(d, (m.get(a) > i as u64) as u64),
    LtS32I { d, a, i } => m.put(d, ((m.get(a) as i32) < i) as u64),
    GtS32I { d, a, i } => m.put(d, (m.get(a) as i32 > i) as u64),
    LtS64I { d, a, i } => m.put(d, ((m.get(a) as i64) < i as i64) as u64),
    GtS64I { d, a, i } => m.put(d, (m.get(a) as i64 > i as i64) as u64),
}
