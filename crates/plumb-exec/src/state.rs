//! What a run consists of between two instructions, and snapshots of it.
//!
//! A machine holds several stacks, of which one runs ([`crate::stacks`]). Most programs have one.

use crate::image::Image;
use crate::inst::Inst;
use crate::memory::Space;
use crate::memory::heap::Object;
use crate::memory::layout::Segment;
use crate::memory::spacing::Unused;
use crate::outcome::Outcome;
use plumb_ir::analysis::lifetime::{CALL_BYTES, LARGEST_STACK};
use plumb_ir::program::{FuncId, Function, Lifetime, LocalVar};
use std::sync::Arc;

/// The stack pointer of the first activation of a stack that the program has made, as if it were none of the stack's: the
/// return from it is looked at closely, and refused.
pub(crate) const STARTED: u64 = u64::MAX;

/// One call in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Activation {
    /// Where the caller goes on, in the image's code.
    pub ret: *const Inst,
    /// The stack pointer at the call.
    pub sp: u64,
    /// How far the callee's window lies above the caller's.
    pub window: u32,
    /// The caller's register for the result.
    pub d: u32,
    pub func: u32,
}

/// Where an activation's objects are. Activations without objects have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub base: u64,
    pub func: u32,
}

/// A `StackAlloc` object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Allocated {
    pub object: Object,
    /// The stack pointer before and after.
    pub below: u64,
    pub above: u64,
    /// What it takes of a real stack.
    pub bytes: u64,
}

/// Registers beyond the last window, so that writing the second half of an unexpected pair stays inside.
pub(crate) const SLACK: usize = 8;

/// A stack of calls.
pub(crate) struct Stack {
    pub pc: u32,
    /// Start of the current window.
    pub fp: usize,
    pub registers: Vec<u64>,
    /// The end of the registers that windows may use.
    pub top: *mut u64,
    pub activations: Vec<Activation>,
    /// The first address above all frames and stack allocations.
    pub sp: u64,
    /// The addresses for objects.
    pub room: Segment,
    /// In order of address.
    pub frames: Vec<Frame>,
    /// Those alive, in order of address.
    pub allocated: Vec<Allocated>,
    /// What is left of the stack if its objects lie in columns.
    pub unused: Unused,
    /// Bytes of all objects on it.
    pub bytes: u64,
}

// SAFETY: `top` points into `registers`, which moves with it; activations point into the code of the image that the
// machine keeps alive.
unsafe impl Send for Stack {}

impl Stack {
    /// A stack that starts with one activation.
    pub fn new(pc: u32, window: usize, first: Activation, room: Segment) -> Stack {
        let mut stack = Stack {
            pc,
            fp: 0,
            registers: Vec::new(),
            top: std::ptr::null_mut(),
            sp: room.base,
            room,
            frames: Vec::new(),
            allocated: Vec::new(),
            unused: Unused::new(room.base),
            bytes: 0,
            activations: vec![first],
        };
        stack.resize((window + SLACK).max(1024));
        stack
    }

    /// Whether a compiled program would have room for so many bytes more. Registers stand for its variables and
    /// temporaries, which are in memory where nothing is optimised.
    pub fn has_room(&self, more: u64) -> bool {
        let calls = 8 * self.fp as u64 + CALL_BYTES * self.activations.len() as u64;
        self.bytes.saturating_add(more).saturating_add(calls) <= LARGEST_STACK
    }

    /// Makes the register stack longer.
    pub fn resize(&mut self, len: usize) {
        self.registers.resize(len, 0);
        self.top = self.registers[len - SLACK..].as_mut_ptr();
    }

    /// The variables of the calls in progress that live in registers, and the objects of these calls. Of the library, which
    /// is at work at the end of a program, only the calls that called the user back count: variables that a call has
    /// not written yet hold what earlier calls left there. Temporaries count where they are read again.
    pub fn held(&self, image: &Image, is_running: bool) -> (Vec<u64>, Vec<Object>) {
        let is_library = |a: &&Activation| image.program.function(FuncId(a.func)).is_library;
        let ending = self.activations.iter().rev().take_while(is_library).count();
        let mut values = Vec::new();
        let mut objects: Vec<Object> = self.allocated.iter().map(|a| a.object).collect();
        // In the order of the calls, of those that have objects.
        let mut frames = self.frames.iter().rev().peekable();
        let mut start = self.fp;
        let mut callee: Option<&Activation> = None;
        for (depth, call) in self.activations.iter().rev().enumerate() {
            let code = &image.functions[FuncId(call.func)];
            let has_objects = !code.layout.objects.is_empty();
            let frame = frames.next_if(|f| has_objects && f.func == call.func);
            if depth >= ending {
                let function = image.program.function(FuncId(call.func));
                let live = image.liveness(FuncId(call.func));
                let is_stale = |var: LocalVar| match callee {
                    Some(callee) => {
                        let call = function.edge(image.call_site(callee.ret).edge);
                        live.is_stale(function, var, Some(call.to))
                    }
                    // Where a stack that does not run goes on is not looked at.
                    None => is_running && live.is_stale(function, var, None),
                };
                let held = code.slots.iter_enumerated().filter(|(var, _)| !is_stale(*var));
                values
                    .extend(held.flat_map(|(var, slot)| self.words_of(image, function, var, start + slot.0 as usize)));
                let base = frame.map(|f| f.base);
                let own = base.into_iter().flat_map(|b| code.layout.objects.iter().map(move |o| (b, o)));
                objects.extend(own.map(|(base, o)| Object { base: base + o.base, ..*o }));
            }
            start = start.saturating_sub(call.window as usize);
            callee = Some(call);
        }
        (values, objects)
    }

    /// What is in a register, which may be two words wide.
    fn words_of(&self, image: &Image, function: &Function, var: LocalVar, at: usize) -> impl Iterator<Item = u64> {
        let count = if image.is_wide(function.var(var).ty) { 2 } else { 1 };
        self.registers.get(at..at + count).unwrap_or_default().iter().copied()
    }

    /// The parameters and the variables of outermost blocks of the user's calls in progress, and their objects.
    pub fn held_by_variables(&self, image: &Image) -> (Vec<u64>, Vec<Object>) {
        let mut values = Vec::new();
        let mut objects = Vec::new();
        // In the order of the calls, of those that have objects.
        let mut frames = self.frames.iter().rev().peekable();
        let mut start = self.fp;
        for call in self.activations.iter().rev() {
            let func = FuncId(call.func);
            let (code, function) = (&image.functions[func], image.program.function(func));
            let has_objects = !code.layout.objects.is_empty();
            let frame = frames.next_if(|f| has_objects && f.func == call.func);
            if !function.is_library {
                let slots =
                    code.slots.iter_enumerated().filter(|(var, _)| function.var(*var).lifetime == Lifetime::Activation);
                values
                    .extend(slots.flat_map(|(var, slot)| self.words_of(image, function, var, start + slot.0 as usize)));
                if let Some(base) = frame.map(|frame| frame.base) {
                    let own = code.layout.objects.iter_enumerated();
                    let own = own.filter(|(object, _)| function.object(*object).lifetime == Lifetime::Activation);
                    objects.extend(own.map(|(_, o)| Object { base: base + o.base, ..*o }));
                }
            }
            start = start.saturating_sub(call.window as usize);
        }
        (values, objects)
    }

    /// How many registers are in use.
    pub fn used(&self, image: &Image) -> usize {
        let window = self.activations.last().map_or(0, |a| image.functions[FuncId(a.func)].window as usize);
        (self.fp + window).min(self.registers.len())
    }

    fn save(&self, image: &Image) -> SavedStack {
        SavedStack {
            pc: self.pc,
            fp: self.fp,
            registers: self.registers[..self.used(image)].into(),
            activations: self.activations[..].into(),
            sp: self.sp,
            room: self.room,
            frames: self.frames[..].into(),
            allocated: self.allocated[..].into(),
            unused: self.unused,
            bytes: self.bytes,
        }
    }

    fn load(&mut self, saved: &SavedStack) {
        self.pc = saved.pc;
        self.fp = saved.fp;
        let needed = saved.registers.len() + SLACK;
        if self.registers.len() < needed {
            self.resize(needed);
        }
        self.registers[..saved.registers.len()].copy_from_slice(&saved.registers);
        self.activations.clear();
        self.activations.extend_from_slice(&saved.activations);
        self.sp = saved.sp;
        self.room = saved.room;
        self.unused = saved.unused;
        self.bytes = saved.bytes;
        self.frames.clear();
        self.frames.extend_from_slice(&saved.frames);
        self.allocated.clear();
        self.allocated.extend_from_slice(&saved.allocated);
    }
}

struct SavedStack {
    pc: u32,
    fp: usize,
    registers: Box<[u64]>,
    activations: Box<[Activation]>,
    sp: u64,
    room: Segment,
    frames: Box<[Frame]>,
    allocated: Box<[Allocated]>,
    unused: Unused,
    bytes: u64,
}

struct Saved {
    image: Arc<Image>,
    space: Space,
    stacks: Vec<SavedStack>,
    current: usize,
    globals: Box<[u64]>,
    ticked: u64,
    ended: Option<Outcome>,
    entry: FuncId,
}

// SAFETY: nothing in it changes, and the image keeps alive what activations point to.
unsafe impl Send for Saved {}
unsafe impl Sync for Saved {}

/// The whole state of a machine at one moment. Copies share it; memory is shared with the machine until either writes.
#[derive(Clone)]
pub struct Snapshot(Arc<Saved>);

/// The running state: what a snapshot keeps, in a form that is fast to change.
pub(crate) struct State {
    pub stacks: Vec<Stack>,
    pub current: usize,
    pub globals: Vec<u64>,
    /// Steps counted, among them those of blocks not run to their end yet.
    pub ticked: u64,
    /// How the run ended, if it cannot go on.
    pub ended: Option<Outcome>,
    /// The function that the run began with.
    pub entry: FuncId,
}

impl State {
    pub fn stack(&self) -> &Stack {
        &self.stacks[self.current]
    }

    pub fn stack_mut(&mut self) -> &mut Stack {
        &mut self.stacks[self.current]
    }

    pub fn save(&self, image: &Arc<Image>, space: Space) -> Snapshot {
        Snapshot(Arc::new(Saved {
            image: image.clone(),
            space,
            stacks: self.stacks.iter().map(|s| s.save(image)).collect(),
            current: self.current,
            globals: self.globals[..].into(),
            ticked: self.ticked,
            ended: self.ended.clone(),
            entry: self.entry,
        }))
    }

    /// Takes over a snapshot, keeping the buffers; returns its memory.
    pub fn load<'a>(&mut self, snapshot: &'a Snapshot) -> &'a Space {
        let saved = &*snapshot.0;
        self.stacks.truncate(saved.stacks.len());
        while self.stacks.len() < saved.stacks.len() {
            let none = Activation { ret: std::ptr::null(), sp: 0, window: 0, d: 0, func: 0 };
            self.stacks.push(Stack::new(0, 0, none, Segment { base: 0, size: 0 }));
        }
        self.stacks.iter_mut().zip(&saved.stacks).for_each(|(stack, saved)| stack.load(saved));
        self.current = saved.current;
        self.globals.copy_from_slice(&saved.globals);
        self.ticked = saved.ticked;
        self.ended.clone_from(&saved.ended);
        self.entry = saved.entry;
        &saved.space
    }
}

impl Snapshot {
    /// The image that the snapshot's machine ran: only machines of the same image can take it over.
    pub fn image(&self) -> &Arc<Image> {
        &self.0.image
    }
}
