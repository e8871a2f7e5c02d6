//! What reaches beyond registers: slow operations, inputs, allocation, output; stops, probes and traces.

use super::{Handler, Registers, Run, Stop, handlers};
use crate::inst::{Inst, Tag, WRITE, stack_op};
use crate::memory::Entry;
use crate::outcome::ProbeId;
use plumb_ir::program::{EdgeId, FuncId};

handlers! { m;
    Slow { i } => m.next_if(m.machine().slow(i)),
    InBounds { n, d, a, b } => {
        let (size, write) = ((n & !WRITE) as u64, n & WRITE != 0);
        m.put(d, m.machine().in_bounds(m.get(a), m.get(b), size, write) as u64)
    },
    Havoc { i } => {
        match m.machine().havoc(i, &mut *m.run().inputs) {
            Some(true) => m.next(),
            Some(false) => m.stop(Stop::NoInput),
            None => m.stop(Stop::Failure),
        }
    },
    HeapAlloc { d, a, b } => m.put_some(d, m.machine().heap_alloc(m.get(a), m.get(b))),
    StackAlloc { d, a } => m.put_some(d, m.machine().stack_alloc(m.get(a))),
    Free { stack, a } => {
        let (machine, address) = (m.machine(), m.get(a));
        m.next_if(if stack == 0 { machine.free(address) } else { machine.stack_free(address) })
    },
    MemCopy { a, b, c } => m.next_if(m.machine().mem_copy(m.get(a), m.get(b), m.get(c))),
    MemSet { a, b, c } => m.next_if(m.machine().mem_set(m.get(a), m.get(b) as u8, m.get(c))),
    Print { d, a, b } => m.put_some(d, m.machine().print(m.get(a), m.get(b))),
    Enter { d } => m.put_some(d, m.machine().enter()),
    Halt { } => m.stop(Stop::Instruction),
    AssumeFail { } => m.stop(Stop::Instruction),
    CheckFail { i } => {
        let _ = i;
        m.stop(Stop::Instruction)
    },
    NoEdge { i } => {
        let _ = i;
        m.stop(Stop::Instruction)
    },
    BadCall { } => m.stop(Stop::Instruction),
    Exit { a } => {
        let _ = a;
        m.stop(Stop::Instruction)
    },
    Abort { } => m.stop(Stop::Instruction),
    Stack { op, d, a, b } => {
        match op {
            stack_op::NEW => match m.machine().new_stack(m.get(a), m.get(b)) {
                Some((number, steps)) => {
                    m.set(d, number);
                    // The list of stacks may have moved, registers and activations have not.
                    m.run().stack = (*m.run().machine).state.stack_mut();
                    Registers { steps: m.steps - steps, ..m }.next()
                }
                None => m.stop(Stop::Failure),
            },
            stack_op::CURRENT => m.put(d, (*m.run().machine).state.current as u64),
            // Nothing has happened yet, so it can be repeated when the run goes on.
            _ if m.steps <= 0 => m.stop(Stop::Slice),
            stack_op::SWITCH if m.machine().switch_stack(m.get(a)) => m.resume(),
            stack_op::END if m.machine().end_stack(m.get(a)) => m.resume(),
            _ => m.stop(Stop::Failure),
        }
    },
    Probe { i } => {
        if m.run().stops.contains(ProbeId(i)) { m.stop(Stop::Probe) } else { m.next() }
    },
    Cover { i, f, e } => {
        let machine = &mut *m.run().machine;
        let count = machine.coverage.get_unchecked_mut(i as usize);
        *count += 1;
        if *count == 1 {
            machine.meter.first(FuncId(f), EdgeId(e));
        }
        m.next()
    },
    Measure { i, a, b } => {
        let meter = &mut (*m.run().machine).meter;
        if !meter.is_done(i) {
            meter.measure(i, &m.run().image.comparisons[i as usize], m.get(a), m.get(b));
        }
        m.next()
    },
    Trace { i } => {
        let _ = i;
        m.stop(Stop::Trace)
    },
}
