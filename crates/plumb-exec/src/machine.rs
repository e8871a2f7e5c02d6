//! The machine: runs an image, keeps and restores snapshots, and lets others look at its state.

use crate::image::{Image, StopSet, TracePhase};
use crate::inputs::InputSource;
use crate::memory::Memory;
use crate::memory::heap::Object;
use crate::memory::layout::SegmentKind;
use crate::memory::page;
use crate::meter::Meter;
use crate::outcome::{FaultKind, Outcome, Site};
use crate::output::Output;
use crate::settle::Settling;
use crate::state::{Activation, Snapshot, Stack, State};
use plumb_ir::program::{EdgeId, FuncId, GlobalVar, Loc, LocalObj, LocalVar};
use plumb_ir::ty::{Bits, Ty};
use std::cell::Cell;
use std::sync::Arc;

/// What a run may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Steps (IR edges) of this run. It ends at the first jump after them.
    pub steps: u64,
    /// Calls in progress.
    pub depth: u32,
    /// Bytes of memory that have been written to.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        // As many calls of a small function fill the stack of a compiled program.
        Limits { steps: u64::MAX, depth: 170_000, memory: 1 << 30 }
    }
}

impl Limits {
    pub fn steps(steps: u64) -> Limits {
        Limits { steps, ..Limits::default() }
    }
}

pub struct Machine {
    pub(crate) image: Arc<Image>,
    pub(crate) memory: Memory,
    pub(crate) state: State,
    pub(crate) output: Output,
    pub(crate) coverage: Vec<u64>,
    pub(crate) meter: Meter,
    pub(crate) depth: u32,
    pub(crate) settling: Settling,
    pub(crate) has_settled: bool,
    /// Bytes of pages that the thread had made when the state was last kept or restored.
    made_before: u64,
    /// What went wrong in the instruction that stopped the interpreter.
    pub(crate) failure: Option<FaultKind>,
    /// The static, heap and stack object that was asked about last: checks ask about the same ones again and again. What
    /// dies is forgotten.
    pub(crate) recent: Cell<[Object; 3]>,
}

/// Indices into `recent`.
pub(crate) const RECENT_STATIC: usize = 0;
pub(crate) const RECENT_HEAP: usize = 1;
pub(crate) const RECENT_STACK: usize = 2;

/// Why the interpreter gave control back.
pub(crate) enum Exit {
    End(Outcome),
    Trace(u32),
}

/// An edge that has run, as an observer of a traced run sees it.
pub struct TraceEvent<'a> {
    pub machine: &'a mut Machine,
    pub func: FuncId,
    pub edge: EdgeId,
    pub phase: TracePhase,
    /// What the edge stored to memory: address, value and its type.
    pub stored: Option<(u64, Bits, Ty)>,
}

impl Machine {
    /// A machine before the first step of the program.
    pub fn new(image: Arc<Image>) -> Machine {
        let start = image.program.start;
        Machine::at_function(image, start, &[])
    }

    /// A machine before the first step of one function, with arguments; missing ones are zero.
    pub fn at_function(image: Arc<Image>, func: FuncId, args: &[Bits]) -> Machine {
        let code = &image.functions[func];
        let room = image.map.stack_room(0);
        let first = Activation { ret: image.code.as_ptr(), sp: room.base, window: 0, d: 0, func: func.0 };
        let mut stack = Stack::new(code.start, code.window as usize, first, room);
        let function = image.program.function(func);
        for (i, (var, value)) in function.params().iter().zip(args).enumerate() {
            let slot = code.slots[LocalVar::from(i)].0 as usize;
            let value = value.u128() & var.ty.mask(&image.program.target);
            stack.registers[slot] = value as u64;
            if image.is_wide(var.ty) {
                stack.registers[slot + 1] = (value >> 64) as u64;
            }
        }
        let state = State {
            stacks: vec![stack],
            current: 0,
            globals: image.globals.clone(),
            ticked: code.steps as u64,
            ended: None,
            entry: func,
        };
        let coverage = vec![0; image.edge_count as usize];
        let meter = match image.comparisons.is_empty() {
            true => Meter::default(),
            false => Meter::new(image.comparisons.len()),
        };
        let memory = Memory::new(image.space.clone());
        Machine {
            memory,
            state,
            output: Output::Discard,
            coverage,
            meter,
            depth: u32::MAX,
            settling: Settling::default(),
            has_settled: false,
            made_before: page::bytes_made(),
            failure: None,
            recent: Cell::default(),
            image,
        }
    }

    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// What the runs of this machine have done, and nearly done. Not part of the state: restoring a snapshot takes nothing
    /// back.
    pub fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    /// How values that library models leave open, and signs of NaNs, are settled from now on.
    pub fn set_settling(&mut self, settling: Settling) {
        self.settling = settling;
    }

    /// Some run of this machine has met a value that a library model leaves open, or has made a NaN. Not part of the state,
    /// as the meter.
    pub fn has_settled(&self) -> bool {
        self.has_settled
    }

    /// The bits of a NaN that an operation has given, with the sign that it is to have.
    #[cold]
    pub(crate) fn settle_nan(&mut self, bits: u128, sign_bit: u32) -> u128 {
        self.has_settled = true;
        match self.settling {
            Settling::AsHost | Settling::AsInputs => bits,
            Settling::Otherwise { is_nan_negative } => bits & !(1 << sign_bit) | (is_nan_negative as u128) << sign_bit,
        }
    }

    /// Where `printf` goes. Output is not part of the state: restoring a snapshot takes nothing back.
    pub fn set_output(&mut self, output: Output) {
        self.output = output;
    }

    pub fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    /// Runs until the program ends or a limit is met.
    pub fn run(&mut self, inputs: &mut dyn InputSource, limits: Limits) -> Outcome {
        self.run_until(inputs, limits, &StopSet::default())
    }

    /// Runs until the program ends, a limit is met or one of the probes is reached.
    pub fn run_until(&mut self, inputs: &mut dyn InputSource, limits: Limits, stops: &StopSet) -> Outcome {
        self.run_traced(inputs, limits, stops, &mut |_| {})
    }

    /// The same, telling an observer of every edge if the image was compiled for that.
    pub fn run_traced(
        &mut self,
        inputs: &mut dyn InputSource,
        limits: Limits,
        stops: &StopSet,
        observer: &mut dyn FnMut(TraceEvent),
    ) -> Outcome {
        if let Some(outcome) = &self.state.ended {
            return outcome.clone();
        }
        self.memory.set_limit(limits.memory);
        self.depth = limits.depth;
        let mut left = limits.steps.min(i64::MAX as u64) as i64;
        loop {
            match self.interpret(inputs, stops, &mut left) {
                Exit::Trace(i) => {
                    let point = self.image.traces[i as usize];
                    let stored = point
                        .stored
                        .map(|(addr, value, ty)| (self.register(addr.0), self.register_bits(value.0, ty), ty));
                    let (func, edge, phase) = (point.func, point.edge, point.phase);
                    observer(TraceEvent { machine: self, func, edge, phase, stored });
                }
                Exit::End(outcome) => {
                    if !outcome.is_resumable() {
                        self.state.ended = Some(outcome.clone());
                    }
                    self.output.flush();
                    return outcome;
                }
            }
        }
    }

    /// Keeps the present state: a few small copies; pages are shared.
    pub fn snapshot(&mut self) -> Snapshot {
        self.made_before = page::bytes_made();
        let space = self.memory.snapshot();
        self.state.save(&self.image, space)
    }

    /// Goes back (or over) to a state of the same image. Returns false, changing nothing, for another image's.
    pub fn restore(&mut self, snapshot: &Snapshot) -> bool {
        if !Arc::ptr_eq(snapshot.image(), &self.image) {
            return false;
        }
        self.recent = Cell::default();
        let space = self.state.load(snapshot);
        self.memory.restore(space);
        self.made_before = page::bytes_made();
        true
    }

    /// What a snapshot taken now would take of its own, roughly: the pages written since the last one was taken or
    /// restored, as long as no other machine runs on the thread.
    pub fn changed_bytes(&self) -> u64 {
        page::bytes_made() - self.made_before
    }

    /// The work done so far: as [`Machine::steps`], but not to the step where a block is not run to its end, and told at
    /// once.
    pub fn work(&self) -> u64 {
        self.state.ticked
    }

    /// IR edges run so far.
    pub fn steps(&self) -> u64 {
        let stack = self.state.stack();
        let stacks = self.state.stacks.iter().enumerate().filter(|(_, stack)| stack.is_live());
        let pending = stacks.map(|(number, stack)| {
            let calls = stack.activations.iter().skip(1);
            let calls: u64 = calls.map(|a| self.image.uncounted_from(self.image.index_of(a.ret))).sum();
            let suspended = if number == self.state.current { 0 } else { self.image.uncounted_from(stack.pc) };
            calls + suspended
        });
        let pending: u64 = pending.sum();
        // A run that ended did so in the middle of an edge, which counts; one that goes on is before its next edge.
        let here = match &self.state.ended {
            None => self.image.uncounted_from(stack.pc),
            Some(_) if self.image.code[stack.pc as usize].is_end() => 0,
            Some(_) => self.image.uncounted_from(stack.pc + 1),
        };
        self.state.ticked.saturating_sub(pending + here)
    }

    /// How often an edge has run, if the image counts that.
    pub fn coverage(&self, func: FuncId, edge: EdgeId) -> u64 {
        let first = self.image.functions[func].coverage;
        self.coverage.get((first + edge.0) as usize).copied().unwrap_or(0)
    }

    /// Takes over that another machine has run an edge. Returns whether it is news.
    pub fn learn_edge(&mut self, func: FuncId, edge: EdgeId) -> bool {
        let number = self.image.edge_number(func, edge) as usize;
        self.coverage.get_mut(number).is_some_and(|count| std::mem::replace(count, (*count).max(1)) == 0)
    }

    /// The function that is running and the location it is at or past, with the number of its activation.
    pub fn position(&self) -> (FuncId, Loc) {
        let site = self.image.site(self.state.stack().pc);
        (site.func, site.loc)
    }

    /// The functions of the calls in progress, outermost first.
    pub fn call_stack(&self) -> impl Iterator<Item = FuncId> {
        self.state.stack().activations.iter().map(|a| FuncId(a.func))
    }

    /// Calls in progress, the function that the run started with included.
    pub fn call_depth(&self) -> usize {
        self.state.stack().activations.len()
    }

    /// The edges of the calls in progress, outermost first.
    pub fn calls(&self) -> impl Iterator<Item = Site> {
        // An activation knows the instruction after its call.
        let calls = self.state.stack().activations.iter().skip(1);
        calls.map(|a| self.image.site(self.image.index_of(a.ret).saturating_sub(1)))
    }

    pub(crate) fn register(&self, slot: u32) -> u64 {
        let stack = self.state.stack();
        stack.registers.get(stack.fp + slot as usize).copied().unwrap_or(0)
    }

    pub(crate) fn register_bits(&self, slot: u32, ty: Ty) -> Bits {
        let high = if self.image.is_wide(ty) { self.register(slot + 1) } else { 0 };
        Bits::new(self.register(slot) as u128 | (high as u128) << 64, 128)
    }

    /// The value of a program register.
    pub fn global(&self, var: GlobalVar) -> Bits {
        let slot = self.image.global_slot(var) as usize;
        let wide = self.image.is_wide(self.image.program.var(var).ty);
        let high = if wide { self.state.globals[slot + 1] } else { 0 };
        Bits::new(self.state.globals[slot] as u128 | (high as u128) << 64, 128)
    }

    /// Changes a program register: for those who build states to search from. Only between runs that ended at a probe
    /// or before the first step is it certain that no copy of the old value is in use.
    pub fn set_global(&mut self, var: GlobalVar, value: Bits) {
        let ty = self.image.program.var(var).ty;
        let value = value.u128() & ty.mask(&self.image.program.target);
        let slot = self.image.global_slot(var) as usize;
        self.state.globals[slot] = value as u64;
        if self.image.is_wide(ty) {
            self.state.globals[slot + 1] = (value >> 64) as u64;
        }
    }

    /// The value of a register of the function that is running.
    pub fn local(&self, var: LocalVar) -> Option<Bits> {
        let func = FuncId(self.state.stack().activations.last()?.func);
        let info = self.image.program.function(func).vars.get(var)?;
        Some(self.register_bits(self.image.local_slot(func, var).0, info.ty))
    }

    /// Changes a register of the function that is running.
    pub fn set_local(&mut self, var: LocalVar, value: Bits) {
        let Some(func) = self.state.stack().activations.last().map(|a| FuncId(a.func)) else { return };
        let Some(info) = self.image.program.function(func).vars.get(var) else { return };
        let value = value.u128() & info.ty.mask(&self.image.program.target);
        let wide = self.image.is_wide(info.ty);
        let slot = self.image.local_slot(func, var).0 as usize;
        let stack = self.state.stack_mut();
        stack.registers[stack.fp + slot] = value as u64;
        if wide {
            stack.registers[stack.fp + slot + 1] = (value >> 64) as u64;
        }
    }

    /// Where an object of the function that is running lies.
    pub fn local_object(&self, object: LocalObj) -> Option<Object> {
        let stack = self.state.stack();
        let frame = stack.frames.last().filter(|f| stack.activations.last().is_some_and(|a| a.func == f.func))?;
        let layout = &self.image.functions.get(FuncId(frame.func))?.layout;
        let object = layout.objects.get(object)?;
        Some(Object { base: frame.base + object.base, size: object.size })
    }

    /// The value of a register of a call in progress; 0 is the outermost.
    pub fn local_of(&self, depth: usize, var: LocalVar) -> Option<Bits> {
        let stack = self.state.stack();
        let func = FuncId(stack.activations.get(depth)?.func);
        let above: usize = stack.activations[depth + 1..].iter().map(|a| a.window as usize).sum();
        let ty = self.image.program.function(func).vars.get(var)?.ty;
        let slot = stack.fp.checked_sub(above)? + self.image.local_slot(func, var).0 as usize;
        let high = if self.image.is_wide(ty) { *stack.registers.get(slot + 1)? } else { 0 };
        Some(Bits::new(*stack.registers.get(slot)? as u128 | (high as u128) << 64, 128))
    }

    /// What is allocated at present.
    pub fn heap_objects(&self) -> impl Iterator<Item = Object> + '_ {
        self.memory.space().heap_objects().iter()
    }

    /// Where an object of a call in progress lies; 0 is the outermost.
    pub fn object_of(&self, depth: usize, object: LocalObj) -> Option<Object> {
        let stack = self.state.stack();
        let layout = |func: u32| &self.image.functions[FuncId(func)].layout;
        let has_objects = |func: u32| !layout(func).objects.is_empty();
        let before = stack.activations.get(..depth)?.iter().filter(|a| has_objects(a.func)).count();
        let func = stack.activations.get(depth)?.func;
        let frame = stack.frames.get(before).filter(|frame| frame.func == func)?;
        let object = layout(func).objects.get(object)?;
        Some(Object { base: frame.base + object.base, size: object.size })
    }

    pub fn read_memory(&mut self, addr: u64, to: &mut [u8]) -> Result<(), FaultKind> {
        self.memory.read(addr, to)
    }

    pub fn write_memory(&mut self, addr: u64, from: &[u8]) -> Result<(), FaultKind> {
        self.memory.write(addr, from)
    }

    /// The bytes of memory from outside that the run has touched, as a pattern of this seed gave them, by offset.
    pub fn foreign_bytes(&self, seed: u64) -> std::collections::BTreeMap<u64, u8> {
        self.memory.space().foreign_bytes(seed)
    }

    /// The live object that an address lies in or just past.
    pub fn object_at(&self, addr: u64) -> Option<Object> {
        let mut recent = self.recent.get();
        // An object without bytes is not kept, and one that is not there has none.
        if let Some(object) = recent.iter().find(|o| o.size > 0 && o.touches(addr)) {
            return Some(*object);
        }
        let (object, place) = match self.image.map.kind_of(addr)? {
            SegmentKind::ReadOnly | SegmentKind::Static | SegmentKind::Foreign => {
                (self.image.map.find_static(addr)?, RECENT_STATIC)
            }
            SegmentKind::Heap => (self.memory.space().heap_objects().find(addr)?, RECENT_HEAP),
            SegmentKind::Stack => (self.stack_object(addr)?, RECENT_STACK),
        };
        recent[place] = object;
        self.recent.set(recent);
        Some(object)
    }

    /// Forgets the object of a kind that was asked about last, which may be dead now.
    pub(crate) fn forget_recent(&mut self, place: usize) {
        self.recent.get_mut()[place] = Object::default();
    }

    fn stack_object(&self, addr: u64) -> Option<Object> {
        self.state.stacks.iter().find_map(|stack| {
            let at = stack.allocated.partition_point(|a| a.object.base <= addr);
            let below = at.checked_sub(1).map(|at| stack.allocated[at].object);
            if let Some(object) = below.filter(|o| o.touches(addr)) {
                return Some(object);
            }
            let at = stack.frames.partition_point(|f| f.base <= addr).checked_sub(1)?;
            let frame = stack.frames[at];
            let layout = &self.image.functions[FuncId(frame.func)].layout;
            let object = layout.find(addr - frame.base)?;
            Some(Object { base: frame.base + object.base, size: object.size })
        })
    }
}
