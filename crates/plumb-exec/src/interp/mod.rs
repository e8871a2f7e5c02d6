//! The interpreter: threaded code.
//!
//! Every instruction has a handler, a function that does its work and then calls the handler of the next instruction as
//! its last action. What all of them need is passed on as arguments ([`Registers`]), and so stays in processor registers;
//! an optimising compiler turns the calls into jumps. Where it does not, the calls pile up on the stack, so a run is cut
//! into slices of some steps: at the end of a slice the handlers return, and the next slice starts afresh.
//!
//! To keep registers free of saving and restoring, a handler holds nothing but the common case. What is rare is again a
//! last call, of a function with the same arguments.
//!
//! Safety of the unchecked accesses: an [`Image`] is made only after a check that registers lie inside the window of
//! their function, targets inside its code and table indices inside their tables, and that code does not run off its
//! end. A call makes sure that the callee's whole window (and some slack) lies inside the register stack before its first
//! instruction runs; arguments lie inside the caller's window. Pointers into pages come from the TLB, whose entries are
//! right as [`crate::memory`] says; no handler keeps one.

mod access;
mod arith;
mod control;
mod float;
mod world;

use crate::image::{EntryPoint, Image, StopSet};
use crate::inputs::InputSource;
use crate::inst::{Inst, Slot, Tag, Target};
use crate::machine::{Exit, Machine};
use crate::memory::Entry;
use crate::outcome::{FaultKind, Outcome, ProbeId};
use crate::state::{Activation, Stack};
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::program::Loc;
use plumb_ir::ty::Bits;

/// The steps of a slice. Without optimisation every instruction of a slice takes a frame of the native stack.
const SLICE: i64 = if cfg!(debug_assertions) { 64 } else { 4096 };

/// Why the handlers returned. What more there is to say is in the instruction at `pc` or in `Machine::failure`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Stop {
    /// The slice is over.
    Slice,
    Failure,
    DivisionByZero,
    DivisionOverflow,
    ShiftCount,
    StackOverflow,
    /// The end of the program or of what is known about it, told by the instruction.
    Instruction,
    NoInput,
    Probe,
    Trace,
}

/// What handlers reach through a pointer.
struct Run<'a> {
    machine: *mut Machine,
    image: &'a Image,
    code: *const Inst,
    globals: *mut u64,
    stack: *mut Stack,
    entry_points: *const EntryPoint,
    /// The end of the activations, and the end of those that fit: the vector's length is right only after `sync`.
    activation: *mut Activation,
    last_activation: *mut Activation,
    inputs: *mut dyn InputSource,
    stops: &'a StopSet,
    // Where the handlers stopped.
    pc: *const Inst,
    fp: *mut u64,
    steps: i64,
    // What a memory access that cannot be made the fast way hands over.
    addr: u64,
    value: u64,
    slot: Slot,
}

impl Run<'_> {
    /// Takes over the activations, as many as `limit` of which may be.
    fn watch_activations(&mut self, limit: usize) {
        // SAFETY: the stack is the machine's.
        let activations = unsafe { &mut (*self.stack).activations };
        let start = activations.as_mut_ptr();
        let room = activations.capacity().min(limit).max(activations.len());
        // SAFETY: both lie inside the vector's memory or at its end.
        unsafe {
            self.activation = start.add(activations.len());
            self.last_activation = start.add(room);
        }
    }
}

/// The arguments of handlers: the instruction, the window, the steps left in the slice, the TLB, the mask of addresses.
#[derive(Clone, Copy)]
struct Registers<'a> {
    pc: *const Inst,
    fp: *mut u64,
    steps: i64,
    tlb: *const Entry,
    mask: u64,
    run: *mut Run<'a>,
}

type Handler = for<'a> unsafe extern "C" fn(*const Inst, *mut u64, i64, *const Entry, u64, *mut Run<'a>) -> Stop;

/// Defines a handler for each instruction named, and their list.
macro_rules! handlers {
    ($m:ident; $($name:ident { $($field:ident),* } => $body:expr,)*) => {
        $(
            #[allow(non_snake_case)]
            unsafe extern "C" fn $name(
                pc: *const Inst,
                fp: *mut u64,
                steps: i64,
                tlb: *const Entry,
                mask: u64,
                run: *mut Run,
            ) -> Stop {
                // SAFETY: see the module's comment; the table leads here only for this instruction.
                unsafe {
                    let $m = Registers { pc, fp, steps, tlb, mask, run };
                    let Inst::$name { $($field),* } = *pc else { std::hint::unreachable_unchecked() };
                    $body
                }
            }
        )*
        pub(super) const LIST: &[(Tag, Handler)] = &[$((Tag::$name, $name)),*];
    };
}
use handlers;

static TABLE: [Handler; 256] = table();

const fn table() -> [Handler; 256] {
    let lists = [access::LIST, arith::LIST, control::LIST, float::LIST, world::LIST];
    let mut table: [Handler; 256] = [unknown; 256];
    let (mut list, mut count) = (0, 0);
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            let (tag, handler) = lists[list][at];
            table[tag as usize] = handler;
            count += 1;
            at += 1;
        }
        list += 1;
    }
    assert!(count == Tag::COUNT, "every instruction has one handler");
    table
}

/// No instruction has such a number.
unsafe extern "C" fn unknown(
    pc: *const Inst,
    fp: *mut u64,
    steps: i64,
    tlb: *const Entry,
    mask: u64,
    run: *mut Run,
) -> Stop {
    // SAFETY: as in every handler.
    unsafe { Registers { pc, fp, steps, tlb, mask, run }.stop(Stop::Instruction) }
}

impl<'a> Registers<'a> {
    #[inline(always)]
    unsafe fn get(self, slot: Slot) -> u64 {
        // SAFETY: the slot lies in the window.
        unsafe { *self.fp.add(slot.0 as usize) }
    }

    #[inline(always)]
    unsafe fn set(self, slot: Slot, value: u64) {
        // SAFETY: the slot lies in the window.
        unsafe { *self.fp.add(slot.0 as usize) = value }
    }

    #[inline(always)]
    unsafe fn high(self, low: u32) -> *mut u64 {
        // SAFETY: both halves of a pair lie in the window.
        unsafe { self.fp.add(low as usize + 1) }
    }

    #[inline(always)]
    unsafe fn run(self) -> &'a mut Run<'a> {
        // SAFETY: the run outlives its handlers, which use it one after the other.
        unsafe { &mut *self.run }
    }

    /// The machine, knowing what the handlers know.
    #[inline(always)]
    unsafe fn machine(self) -> &'a mut Machine {
        // SAFETY: the machine is borrowed by `interpret` for as long as handlers run.
        unsafe {
            self.sync();
            &mut *self.run().machine
        }
    }

    /// Runs the instruction at `pc`.
    #[inline(always)]
    unsafe fn dispatch(self) -> Stop {
        // SAFETY: the first byte of an instruction is its tag.
        unsafe {
            let handler = TABLE[*self.pc.cast::<u8>() as usize];
            handler(self.pc, self.fp, self.steps, self.tlb, self.mask, self.run)
        }
    }

    #[inline(always)]
    unsafe fn next(self) -> Stop {
        // SAFETY: code does not end in an instruction that goes on to the next.
        unsafe { Registers { pc: self.pc.add(1), ..self }.dispatch() }
    }

    /// Sets a register and goes on.
    #[inline(always)]
    unsafe fn put(self, slot: Slot, value: u64) -> Stop {
        // SAFETY: as its parts.
        unsafe {
            self.set(slot, value);
            self.next()
        }
    }

    /// Leaves the handlers with the instruction at hand not done.
    #[inline(always)]
    unsafe fn stop(self, stop: Stop) -> Stop {
        // SAFETY: see `run`.
        let run = unsafe { self.run() };
        run.pc = self.pc;
        run.fp = self.fp;
        run.steps = self.steps;
        stop
    }

    /// A branch. It has no effect but the jump, so it can be repeated when the run goes on.
    #[inline(always)]
    unsafe fn branch(self, taken: bool, t: u8, f: u16, to: Target) -> Stop {
        // SAFETY: targets lie inside the code.
        unsafe {
            if self.steps <= 0 {
                return self.stop(Stop::Slice);
            }
            if taken {
                let pc = self.pc.byte_offset(to.0 as i32 as isize);
                Registers { pc, steps: self.steps - t as i64, ..self }.dispatch()
            } else {
                Registers { pc: self.pc.add(1), steps: self.steps - f as i64, ..self }.dispatch()
            }
        }
    }

    /// Stores what handlers keep to themselves into the machine's state.
    #[inline(always)]
    unsafe fn sync(self) {
        // SAFETY: the code, the register stack and the activations are those of the run.
        unsafe {
            let stack = &mut *self.run().stack;
            stack.pc = self.pc.offset_from(self.run().code) as u32;
            stack.fp = self.fp.offset_from(stack.registers.as_ptr()) as usize;
            let calls = self.run().activation.offset_from(stack.activations.as_ptr()) as usize;
            stack.activations.set_len(calls);
        }
    }

    /// Goes on with the stack that the machine has switched to.
    #[inline(always)]
    unsafe fn resume(self) -> Stop {
        // SAFETY: the stack is as `sync`, or its making, has left it; what the handlers knew of the other one is in its place.
        unsafe {
            let run = self.run();
            let machine = &mut *run.machine;
            let stack: *mut Stack = machine.state.stack_mut();
            run.stack = stack;
            run.watch_activations(machine.depth as usize);
            let pc = run.code.add((*stack).pc as usize);
            let fp = (*stack).registers.as_mut_ptr().add((*stack).fp);
            Registers { pc, fp, ..self }.dispatch()
        }
    }

    /// Goes on if something went well, else stops with the failure that it left in the machine.
    #[inline(always)]
    unsafe fn next_if(self, went_well: bool) -> Stop {
        // SAFETY: as its parts.
        unsafe { if went_well { self.next() } else { self.stop(Stop::Failure) } }
    }

    /// Sets a register if there is a value, else stops as `next_if` does.
    #[inline(always)]
    unsafe fn put_some(self, slot: Slot, value: Option<u64>) -> Stop {
        // SAFETY: as its parts.
        unsafe {
            match value {
                Some(value) => self.put(slot, value),
                None => self.stop(Stop::Failure),
            }
        }
    }
}

impl Machine {
    /// Runs until something needs attention. `left` is the number of steps that remain.
    pub(crate) fn interpret(&mut self, inputs: &mut dyn InputSource, stops: &StopSet, left: &mut i64) -> Exit {
        let image = self.image.clone();
        let tlb = self.memory.tlb();
        let depth = self.depth as usize;
        let stack: *mut Stack = self.state.stack_mut();
        // SAFETY: a borrow of the caller's, for as long as the run: the pointer does not outlive this function.
        let inputs: *mut dyn InputSource = unsafe { std::mem::transmute::<&mut dyn InputSource, _>(inputs) };
        // SAFETY: the state is what the last run, or the making of the machine, left behind.
        let mut run = unsafe {
            Run {
                machine: self,
                image: &image,
                code: image.code.as_ptr(),
                globals: self.state.globals.as_mut_ptr(),
                stack,
                entry_points: image.entry_points.as_ptr(),
                activation: std::ptr::null_mut(),
                last_activation: std::ptr::null_mut(),
                inputs,
                stops,
                pc: image.code.as_ptr().add((*stack).pc as usize),
                fp: (*stack).registers.as_mut_ptr().add((*stack).fp),
                steps: 0,
                addr: 0,
                value: 0,
                slot: Slot(0),
            }
        };
        run.watch_activations(depth);
        let mask = image.map.pointer_mask;
        let stop = loop {
            let slice = (*left).min(SLICE);
            // SAFETY: see the module's comment.
            let stop =
                unsafe { Registers { pc: run.pc, fp: run.fp, steps: slice, tlb, mask, run: &mut run }.dispatch() };
            let used = slice - run.steps;
            *left -= used;
            self.state.ticked += used as u64;
            if stop != Stop::Slice || *left <= 0 {
                break stop;
            }
        };
        // SAFETY: as in `Registers::sync`.
        unsafe { Registers { pc: run.pc, fp: run.fp, steps: 0, tlb, mask, run: &mut run }.sync() };
        self.stopped(stop, &image)
    }

    /// Says why the handlers returned.
    #[cold]
    #[inline(never)]
    fn stopped(&mut self, stop: Stop, image: &Image) -> Exit {
        let pc = self.state.stack().pc;
        let site = image.site(pc);
        let fault = |kind| Outcome::Fault { kind, site };
        let inst = image.code[pc as usize];
        Exit::End(match stop {
            Stop::Slice => Outcome::StepLimit,
            Stop::DivisionByZero => fault(FaultKind::DivisionByZero),
            Stop::DivisionOverflow => fault(FaultKind::DivisionOverflow),
            Stop::ShiftCount => fault(FaultKind::ShiftCount),
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

    /// What the entry function returned: it is in the register that its activation named.
    fn returned(&self) -> Option<Bits> {
        let code = self.image.functions.get(self.state.entry)?;
        code.ret.map(|ty| self.register_bits(0, ty))
    }
}
