//! A program compiled for the machine: code, tables and the memory it starts with.
//!
//! Invariant, which the interpreter's unchecked accesses rest on: every function's code ends in an instruction that does
//! not fall through, every register operand is less than its function's `window`, every target lies inside the code, and
//! every table index inside its table. [`crate::compile`] makes images only through a check of all of that.

use crate::accelerate::{Closing, Iteration};
use crate::inst::{Inst, Slot, Target, Visit};
use crate::memory::Space;
use crate::memory::layout::{AddressMap, FrameLayout, TooLarge};
use crate::meter::Comparison;
use crate::outcome::{ProbeId, Site};
use crate::settle::Settled;
use plumb_ir::analysis::liveness::Liveness;
use plumb_ir::expr::{BinOp, CastOp, LeakRoots, Sign, UnOp};
use plumb_ir::index::TiVec;
use plumb_ir::input::InputId;
use plumb_ir::program::{EdgeId, Extent, FuncId, GlobalVar, Loc, LocalVar, Program};
use plumb_ir::ty::{FloatFormat, Ty};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// What to compile in beyond the program itself.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Locations at which a run can be stopped.
    pub probes: TiVec<ProbeId, (FuncId, Loc)>,
    /// Count how often each edge runs.
    pub coverage: bool,
    /// Report every edge to an observer.
    pub trace: bool,
    /// Note branches taken for the first time and measure how near the others were: see [`crate::Meter`].
    pub measure: bool,
    /// Run every iteration of a loop by itself, so that acceleration can be compared with it.
    pub unaccelerated: bool,
}

/// Why a program cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompileError {
    TooLarge(TooLarge),
    /// A function whose code or registers exceed what instructions can address.
    FunctionTooLarge(Arc<str>),
    /// The initial data could not be set up.
    Data(crate::outcome::FaultKind),
    /// Code that breaks the image's invariant: a defect of the compiler, never run.
    Malformed(Arc<str>),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::TooLarge(e) => {
                write!(f, "the {} exceeds the target's address space of {:#x} bytes", e.what, e.available)
            }
            CompileError::FunctionTooLarge(name) => {
                write!(f, "function `{name}` is too large to run; split it into smaller ones")
            }
            CompileError::Data(kind) => write!(f, "the initial data cannot be set up: {kind}"),
            CompileError::Malformed(name) => write!(f, "internal error: malformed code for `{name}`"),
        }
    }
}

impl std::error::Error for CompileError {}

/// What a call must know of its callee.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryPoint {
    /// Distance of the first instruction from the start of the code, in bytes.
    pub start: u32,
    pub steps: u32,
    /// Bytes of registers.
    pub window: u32,
}

/// One function's code and what the machine must know to call it.
#[derive(Clone, Debug)]
pub(crate) struct FunctionCode {
    /// Index of the first instruction.
    pub start: u32,
    pub end: u32,
    /// Registers of an activation, with the arguments of the calls it makes.
    pub window: u32,
    /// Steps up to the first transfer.
    pub steps: u32,
    /// Which parameter types it has: see [`Image::signatures`].
    pub signature: u32,
    pub ret: Option<Ty>,
    pub layout: FrameLayout,
    /// The first instruction of each edge, in order of code. An edge may have several.
    pub edges: Vec<(u32, EdgeId)>,
    /// The register of each variable.
    pub slots: TiVec<LocalVar, Slot>,
    /// The index of its first edge's coverage counter.
    pub coverage: u32,
}

/// Where a jump table leads, and the steps counted on the way and after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    pub to: Target,
    pub steps: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct SwitchTable {
    /// The value of the first dense arm.
    pub low: u64,
    pub dense: Vec<Arm>,
    /// Ranges of values, disjoint and sorted.
    pub sparse: Vec<(u64, u64, Arm)>,
    pub default: Arm,
}

/// A call through a pointer.
#[derive(Clone, Debug)]
pub(crate) struct IndirectCall {
    pub callee: Slot,
    pub d: Slot,
    /// Where the callee's window starts.
    pub window: u32,
    pub args: Vec<Ty>,
    pub signature: u32,
    /// The type of the value that the caller uses.
    pub ret: Option<Ty>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum HavocTarget {
    Slot(Slot, Ty),
    /// A register of the program, by slot.
    Global(u32, Ty),
    Region {
        addr: Slot,
        size: Slot,
    },
    Objects {
        addr: Slot,
        extent: Extent,
    },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct HavocSite {
    pub input: InputId,
    pub target: HavocTarget,
    /// The value is not asked for: it is settled, for arguments in two registers.
    pub settled: Option<(Settled, Slot, Slot)>,
}

/// Operations too rare to be instructions. Operands of more than 64 bits are pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SlowOp {
    Unary { op: UnOp, sign: Sign, ty: Ty, to: Ty, d: Slot, a: Slot },
    Binary { op: BinOp, sign: Sign, ty: Ty, to: Ty, d: Slot, a: Slot, b: Slot },
    Cast { op: CastOp, ty: Ty, to: Ty, d: Slot, a: Slot },
    Fma { format: FloatFormat, d: Slot, a: Slot, b: Slot, c: Slot },
    Extract { ty: Ty, to: Ty, lo: u8, d: Slot, a: Slot },
    Insert { ty: Ty, part: Ty, lo: u8, d: Slot, a: Slot, b: Slot },
    Load { ty: Ty, d: Slot, a: Slot },
    Store { ty: Ty, a: Slot, v: Slot },
    InBounds { d: Slot, base: Slot, addr: Slot, size: Slot, write: bool },
    Callable { d: Slot, a: Slot, like: FuncId },
    Freeable { d: Slot, a: Slot },
    IsLive { d: Slot, a: Slot },
    SameObject { d: Slot, a: Slot, b: Slot },
    BytesLeft { d: Slot, a: Slot },
    ObjectOffset { d: Slot, a: Slot },
    NoLeak { d: Slot, roots: LeakRoots },
    HeapEmpty { d: Slot },
}

impl SlowOp {
    /// Shows each register with the type it holds, `None` where it is a single one anyway.
    pub fn visit(&mut self, mut f: impl FnMut(&mut Slot, Option<Ty>)) {
        match self {
            SlowOp::Unary { ty, to, d, a, .. } | SlowOp::Cast { ty, to, d, a, .. } => {
                f(a, Some(*ty));
                f(d, Some(*to));
            }
            SlowOp::Binary { ty, to, d, a, b, .. } => {
                f(a, Some(*ty));
                f(b, Some(*ty));
                f(d, Some(*to));
            }
            SlowOp::Fma { format, d, a, b, c } => {
                [d, a, b, c].into_iter().for_each(|slot| f(slot, Some(Ty::Float(*format))));
            }
            SlowOp::Extract { ty, to, d, a, .. } => {
                f(a, Some(*ty));
                f(d, Some(*to));
            }
            SlowOp::Insert { ty, part, d, a, b, .. } => {
                f(a, Some(*ty));
                f(b, Some(*part));
                f(d, Some(*ty));
            }
            SlowOp::Load { ty, d, a } => {
                f(a, None);
                f(d, Some(*ty));
            }
            SlowOp::Store { ty, a, v } => {
                f(a, None);
                f(v, Some(*ty));
            }
            SlowOp::InBounds { d, base, addr, size, .. } => {
                [d, base, addr, size].into_iter().for_each(|slot| f(slot, None));
            }
            SlowOp::SameObject { d, a, b } => [d, a, b].into_iter().for_each(|slot| f(slot, None)),
            SlowOp::Callable { d, a, .. }
            | SlowOp::Freeable { d, a }
            | SlowOp::IsLive { d, a }
            | SlowOp::BytesLeft { d, a }
            | SlowOp::ObjectOffset { d, a } => {
                f(d, None);
                f(a, None);
            }
            SlowOp::NoLeak { d, .. } | SlowOp::HeapEmpty { d } => f(d, None),
        }
    }
}

/// When a traced edge is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TracePhase {
    /// Before the callee runs: its arguments are known.
    Call,
    /// After the edge, its effect being visible.
    Done,
}

/// An edge to report, with the registers that hold what it stored to memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TracePoint {
    pub func: FuncId,
    pub edge: EdgeId,
    pub phase: TracePhase,
    pub stored: Option<(Slot, Slot, Ty)>,
}

pub struct Image {
    pub(crate) program: Arc<Program>,
    pub(crate) map: AddressMap,
    pub(crate) code: Vec<Inst>,
    pub(crate) functions: TiVec<FuncId, FunctionCode>,
    /// By function.
    pub(crate) entry_points: Vec<EntryPoint>,
    pub(crate) constants: Vec<u64>,
    pub(crate) slow: Vec<SlowOp>,
    pub(crate) havocs: Vec<HavocSite>,
    pub(crate) calls: Vec<IndirectCall>,
    pub(crate) tables: Vec<SwitchTable>,
    /// By accelerated loop, the paths through its body.
    pub(crate) loops: Vec<Vec<Iteration>>,
    /// What the instructions do that close such loops.
    pub(crate) closings: Vec<Closing>,
    pub(crate) traces: Vec<TracePoint>,
    pub(crate) comparisons: Vec<Comparison>,
    /// Parameter types of functions and calls, by number.
    pub(crate) signatures: Vec<Vec<Ty>>,
    /// The first slot of each program register.
    pub(crate) global_slots: TiVec<GlobalVar, u32>,
    pub(crate) globals: Vec<u64>,
    pub(crate) space: Space,
    pub(crate) edge_count: u32,
    pub(crate) probes: u32,
    /// By function, where it has been asked for.
    pub(crate) liveness: TiVec<FuncId, OnceLock<Liveness>>,
}

impl Image {
    pub fn compile(program: &Program, options: &CompileOptions) -> Result<Image, CompileError> {
        crate::compile::compile(program, options)
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    pub fn addresses(&self) -> &AddressMap {
        &self.map
    }

    /// The comparisons that are measured.
    pub fn comparisons(&self) -> &[Comparison] {
        &self.comparisons
    }

    /// The number of an edge among all of the program's.
    pub fn edge_number(&self, func: FuncId, edge: EdgeId) -> u32 {
        self.functions[func].coverage + edge.0
    }

    /// The index of an instruction of the code.
    pub(crate) fn index_of(&self, inst: *const Inst) -> u32 {
        ((inst as usize - self.code.as_ptr() as usize) / size_of::<Inst>()) as u32
    }

    /// Which function an instruction belongs to.
    pub(crate) fn function_of(&self, pc: u32) -> FuncId {
        FuncId(self.functions.partition_point(|f| f.start <= pc).0.saturating_sub(1))
    }

    /// The edge that an instruction belongs to.
    pub(crate) fn site(&self, pc: u32) -> Site {
        let func = self.function_of(pc);
        let code = &self.functions[func];
        let at = code.edges.partition_point(|(start, _)| *start <= pc);
        let edge = at.checked_sub(1).map_or(EdgeId(0), |at| code.edges[at].1);
        let function = self.program.function(func);
        let loc = function.edges.get(edge).map_or(function.entry, |e| e.from);
        Site { func, edge, loc }
    }

    /// The call that goes on at an instruction.
    pub(crate) fn call_site(&self, resume: *const Inst) -> Site {
        self.site(self.index_of(resume).saturating_sub(1))
    }

    pub(crate) fn liveness(&self, func: FuncId) -> &Liveness {
        self.liveness[func].get_or_init(|| Liveness::of(self.program.function(func)))
    }

    /// Edges that begin at an instruction or after it and have been counted with its block.
    pub(crate) fn uncounted_from(&self, pc: u32) -> u64 {
        let code = &self.functions[self.function_of(pc)];
        let mut end = pc;
        while end < code.end && !self.code[end as usize].is_transfer() {
            end += 1;
        }
        let first = code.edges.partition_point(|(start, _)| *start < pc);
        let within = code.edges[first..].iter().take_while(|(start, _)| *start <= end);
        within.filter(|(start, _)| !self.code[*start as usize].is_stub()).count() as u64
    }

    /// The register of a function's variable.
    pub(crate) fn local_slot(&self, func: FuncId, var: LocalVar) -> Slot {
        self.functions[func].slots[var]
    }

    pub(crate) fn global_slot(&self, var: GlobalVar) -> u32 {
        self.global_slots[var]
    }

    pub(crate) fn is_wide(&self, ty: Ty) -> bool {
        ty.bits(&self.program.target) > 64
    }

    /// The code as text, for those who work on the compiler.
    pub fn listing(&self, func: FuncId) -> String {
        let code = &self.functions[func];
        let mut out = format!("{}: {} registers\n", self.program.function(func).name, code.window);
        for pc in code.start..code.end {
            for (_, edge) in code.edges.iter().filter(|(start, _)| *start == pc) {
                out += &format!("  edge {}:\n", edge.0);
            }
            out += &format!("    {pc}: {:?}\n", self.code[pc as usize]);
        }
        out
    }
}

/// Which of an image's probes stop a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StopSet {
    words: Vec<u64>,
}

impl StopSet {
    pub fn all(image: &Image) -> StopSet {
        (0..image.probes).map(ProbeId).collect()
    }

    pub fn contains(&self, id: ProbeId) -> bool {
        self.words.get(id.0 as usize / 64).is_some_and(|w| w >> (id.0 % 64) & 1 != 0)
    }

    pub fn insert(&mut self, id: ProbeId) {
        let word = id.0 as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (id.0 % 64);
    }

    pub fn remove(&mut self, id: ProbeId) {
        if let Some(word) = self.words.get_mut(id.0 as usize / 64) {
            *word &= !(1 << (id.0 % 64));
        }
    }
}

impl FromIterator<ProbeId> for StopSet {
    fn from_iter<I: IntoIterator<Item = ProbeId>>(ids: I) -> StopSet {
        let mut set = StopSet::default();
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }
}

/// Finds an operand that breaks the image's invariant.
pub(crate) struct BoundsCheck {
    pub window: u32,
    pub start: u32,
    pub end: u32,
    pub is_right: bool,
}

impl Visit for BoundsCheck {
    fn slot(&mut self, slot: &mut Slot) {
        self.is_right &= slot.0 < self.window;
    }

    fn pair(&mut self, pair: &mut crate::inst::Pair) {
        self.is_right &= pair.0.checked_add(1).is_some_and(|high| high < self.window);
    }

    fn target(&mut self, target: &mut Target) {
        self.is_right &= (self.start..self.end).contains(&target.0);
    }
}
