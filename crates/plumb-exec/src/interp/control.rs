//! Jumps, branches, switches, calls and returns.

use super::{Handler, Registers, Run, Stop, handlers};
use crate::accelerate::{Cells, accelerate};
use crate::image::{Arm, IndirectCall};
use crate::inst::{Inst, Tag};
use crate::machine::Machine;
use crate::memory::Entry;
use crate::outcome::FaultKind;
use crate::state::{Activation, SLACK};

impl<'a> Registers<'a> {
    /// Jumps where a table says.
    #[inline(always)]
    unsafe fn go(self, arm: Arm) -> Stop {
        // SAFETY: targets lie inside the code.
        unsafe {
            if self.steps <= 0 {
                return self.stop(Stop::Slice);
            }
            let pc = self.run().code.add(arm.to.0 as usize);
            Registers { pc, steps: self.steps - arm.steps as i64, ..self }.dispatch()
        }
    }

    /// Calls a function whose arguments are in its window, `window` slots up.
    #[inline(always)]
    unsafe fn call(self, func: u32, d: u32, window: u32) -> Stop {
        // SAFETY: the function exists; the window is tested before it is used.
        unsafe {
            if self.steps <= 0 {
                return self.stop(Stop::Slice);
            }
            let run = self.run();
            let callee = &*run.entry_points.add(func as usize);
            let fp = self.fp.add(window as usize);
            let activation = run.activation;
            if activation == run.last_activation || fp.wrapping_byte_add(callee.window as usize) > (*run.stack).top {
                run.value = callee.window as u64 / 8 + window as u64;
                return make_room(self.pc, self.fp, self.steps, self.tlb, self.mask, self.run);
            }
            run.activation = activation.add(1);
            activation.write(Activation { ret: self.pc.add(1), sp: (*run.stack).sp, window, d, func });
            let pc = run.code.byte_add(callee.start as usize);
            Registers { pc, fp, steps: self.steps - callee.steps as i64, ..self }.dispatch()
        }
    }

    /// Goes back to the caller, with a result that `write` stores into its register.
    #[inline(always)]
    unsafe fn ret(self, write: impl FnOnce(*mut u64)) -> Stop {
        // SAFETY: there is an activation for every window; the caller's lies below.
        unsafe {
            let run = self.run();
            let activation = run.activation.sub(1);
            if (*run.stack).sp != (*activation).sp {
                return leave(self.pc, self.fp, self.steps, self.tlb, self.mask, self.run);
            }
            run.activation = activation;
            let fp = self.fp.sub((*activation).window as usize);
            write(fp.add((*activation).d as usize));
            Registers { pc: (*activation).ret, fp, ..self }.dispatch()
        }
    }
}

/// Makes room for one more call, which needs `run.value` registers, and tries again.
#[cold]
#[inline(never)]
unsafe extern "C" fn make_room(
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
        let limit = m.machine().depth as usize;
        let stack = &mut *m.run().stack;
        let depth = stack.activations.len();
        if depth >= limit {
            return m.stop(Stop::StackOverflow);
        }
        if depth == stack.activations.capacity() {
            stack.activations.reserve(1);
        }
        m.run().watch_activations(limit);
        let at = stack.fp;
        let needed = at + m.run().value as usize + SLACK;
        if needed > stack.registers.len() {
            stack.resize(needed.max(stack.registers.len() * 2));
        }
        Registers { fp: stack.registers.as_mut_ptr().add(at), ..m }.dispatch()
    }
}

/// Ends the life of the activation's objects and repeats the return.
#[inline(never)]
unsafe extern "C" fn leave(
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
        if m.machine().leave() { m.dispatch() } else { m.stop(Stop::Failure) }
    }
}

impl Machine {
    /// The function at an address, if a call site may call it.
    #[inline(never)]
    fn resolve(&mut self, site: &IndirectCall, addr: u64) -> Option<u32> {
        let found = self.image.map.function_at(addr).filter(|func| {
            let callee = &self.image.functions[*func];
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
}

handlers! { m;
    Jump { n, to } => {
        if m.steps <= 0 {
            return m.stop(Stop::Slice);
        }
        let pc = m.pc.byte_offset(to.0 as i32 as isize);
        Registers { pc, steps: m.steps - n as i64, ..m }.dispatch()
    },
    Tick { n } => {
        if m.steps <= 0 {
            return m.stop(Stop::Slice);
        }
        Registers { pc: m.pc.add(1), steps: m.steps - n as i64, ..m }.dispatch()
    },
    BrEq { t, f, a, b, to } => m.branch(m.get(a) == m.get(b), t, f, to),
    BrNe { t, f, a, b, to } => m.branch(m.get(a) != m.get(b), t, f, to),
    BrLtU { t, f, a, b, to } => m.branch(m.get(a) < m.get(b), t, f, to),
    BrLeU { t, f, a, b, to } => m.branch(m.get(a) <= m.get(b), t, f, to),
    BrLtS32 { t, f, a, b, to } => m.branch((m.get(a) as i32) < m.get(b) as i32, t, f, to),
    BrLeS32 { t, f, a, b, to } => m.branch(m.get(a) as i32 <= m.get(b) as i32, t, f, to),
    BrLtS64 { t, f, a, b, to } => m.branch((m.get(a) as i64) < m.get(b) as i64, t, f, to),
    BrLeS64 { t, f, a, b, to } => m.branch(m.get(a) as i64 <= m.get(b) as i64, t, f, to),
    BrEqI { t, f, a, i, to } => m.branch(m.get(a) == i as u64, t, f, to),
    BrNeI { t, f, a, i, to } => m.branch(m.get(a) != i as u64, t, f, to),
    BrLtUI { t, f, a, i, to } => m.branch(m.get(a) < i as u64, t, f, to),
    BrGeUI { t, f, a, i, to } => m.branch(m.get(a) >= i as u64, t, f, to),
    BrLtS32I { t, f, a, i, to } => m.branch((m.get(a) as i32) < i, t, f, to),
    BrGeS32I { t, f, a, i, to } => m.branch(m.get(a) as i32 >= i, t, f, to),
    BrLtS64I { t, f, a, i, to } => m.branch((m.get(a) as i64) < i as i64, t, f, to),
    BrGeS64I { t, f, a, i, to } => m.branch(m.get(a) as i64 >= i as i64, t, f, to),
    BrAny { t, f, a, i, to } => m.branch(m.get(a) & i as u64 != 0, t, f, to),
    BrNone { t, f, a, i, to } => m.branch(m.get(a) & i as u64 == 0, t, f, to),
    BrGlobalEqI { t, f, g, i, to } => m.branch(*m.run().globals.add(g as usize) == i as u64, t, f, to),
    BrGlobalNeI { t, f, g, i, to } => m.branch(*m.run().globals.add(g as usize) != i as u64, t, f, to),
    Loop { i } => {
        if m.steps <= 0 {
            return m.stop(Stop::Slice);
        }
        let run = m.run();
        let closing = run.image.closings.get_unchecked(i as usize);
        let cells = Cells { registers: m.fp, globals: run.globals };
        if closing.condition.as_ref().is_some_and(|condition| !condition.holds(&cells)) {
            return Registers { pc: m.pc.add(1), steps: m.steps - closing.steps_if_not as i64, ..m }.dispatch();
        }
        let pc = m.pc.byte_offset(closing.to as isize);
        let steps = m.steps - closing.steps_if_taken as i64;
        let machine = &mut *run.machine;
        let (loops, most) = (&run.image.loops, (steps - 1).max(0) as u64);
        let paths = loops.get_unchecked(closing.loop_index as usize);
        let made = accelerate(paths, &cells, most, &mut machine.coverage, &mut machine.meter);
        Registers { pc, steps: steps - made as i64, ..m }.dispatch()
    },
    SwitchDense { a, i } => {
        let table = m.run().image.tables.get_unchecked(i as usize);
        let at = m.get(a).wrapping_sub(table.low);
        m.go(*table.dense.get(at as usize).unwrap_or(&table.default))
    },
    SwitchSparse { a, i } => {
        let table = m.run().image.tables.get_unchecked(i as usize);
        let value = m.get(a);
        let at = table.sparse.partition_point(|(low, ..)| *low <= value);
        m.go(match table.sparse[..at].last() {
            Some((_, high, arm)) if value <= *high => *arm,
            Some(_) | None => table.default,
        })
    },
    Call { f, d, w } => m.call(f, d.0, w),
    CallPtr { i } => {
        let site = m.run().image.calls.get_unchecked(i as usize);
        match m.machine().resolve(site, m.get(site.callee)) {
            Some(func) => m.call(func, site.d.0, site.window),
            None => m.stop(Stop::Failure),
        }
    },
    Return { } => m.ret(|_| ()),
    ReturnValue { a } => {
        let value = m.get(a);
        m.ret(|d| *d = value)
    },
    ReturnPair { a } => {
        let (low, high) = (*m.fp.add(a.0 as usize), *m.high(a.0));
        m.ret(|d| {
            *d = low;
            *d.add(1) = high;
        })
    },
}
