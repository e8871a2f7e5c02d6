//! Programs as control-flow automata.
//!
//! A function is a set of locations joined by edges; an edge does one thing. Invariants, checked by [`crate::verify`]:
//! * A location has no outgoing edge (a stop), one edge of any kind, or several `Assume` edges of which exactly one
//!   holds in every state. A single `Assume` edge restricts the runs: one that fails it is not a run of the program.
//! * `Return` edges lead to the function's `exit` location, which has no outgoing edge.
//! * Registers hold scalars. Their address cannot be taken; memory is reached only through `Load` expressions, `Mem`
//!   places and intrinsics.
//! * A function's parameters are its first registers. Records travel by hidden pointers, variadic arguments by a hidden
//!   pointer to an array of 8-byte (or larger) slots: both are ordinary parameters here.
//!
//! Functions sit behind `Arc`, so that a program is cheap to copy with one body replaced.

use crate::check::{CheckId, CheckInfo, CheckKind};
use crate::expr::{ExprId, Exprs};
use crate::index::TiVec;
use crate::input::{InputId, InputSite};
use crate::ty::{Bits, Ty};
use plumb_c::source::{SourceMap, Span};
use plumb_c::target::Target;
use plumb_c::types::{TyId, TypeTable};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct FuncId(pub u32);

/// A location of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct Loc(pub u32);

/// An edge of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct EdgeId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct GlobalVar(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct LocalVar(pub u32);

/// A register, of the program or of the function at hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VarRef {
    Global(GlobalVar),
    Local(LocalVar),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct GlobalObj(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct LocalObj(pub u32);

/// A memory object with a name: static, or one of the current activation's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ObjRef {
    Global(GlobalObj),
    Local(LocalObj),
}

plumb_c::index_types!(FuncId, Loc, EdgeId, GlobalVar, LocalVar, GlobalObj, LocalObj);

#[derive(Clone, Debug)]
pub struct Program {
    pub target: Target,
    pub sources: Arc<SourceMap>,
    /// C types, for showing values the way the user declared them.
    pub types: Arc<CTypes>,
    pub functions: TiVec<FuncId, Arc<Function>>,
    pub vars: Arc<TiVec<GlobalVar, GlobalVarInfo>>,
    pub objects: Arc<TiVec<GlobalObj, GlobalObjInfo>>,
    /// Every place where a value from outside enters.
    pub inputs: Arc<TiVec<InputId, InputSite>>,
    pub checks: Arc<TiVec<CheckId, CheckInfo>>,
    /// A made function without parameters that sets up arguments, calls the user's entry and runs what follows it.
    pub start: FuncId,
    /// The user's function that it calls.
    pub entry: Option<FuncId>,
    /// What had to be assumed about the world, told to the user with every verdict.
    pub assumptions: Arc<Vec<Assumption>>,
    /// Expressions that are no part of another one (C11 6.8p4), and statements without any, in the user's functions: what
    /// witnesses name places by.
    pub full_expressions: Arc<Vec<Span>>,
    /// Edges, by their spans, whose divisions compiled programs carry out: others may be folded away.
    pub divisions: Arc<FxHashSet<Span>>,
    /// Functions that the user's text names in expressions, be it where no run gets to.
    pub mentioned: Arc<BTreeSet<Arc<str>>>,
    /// Functions without a body that assert or assume what they are given, with the types in which the user's calls pass it.
    pub claims: Arc<BTreeMap<Arc<str>, BTreeSet<TyId>>>,
    /// Inputs that stand for the read of a device register by a store into some bits of it: nothing uses their values.
    pub store_reads: Arc<BTreeSet<InputId>>,
    /// Addresses of devices, in order and without overlap. No object lies there.
    pub devices: Arc<Vec<DeviceRange>>,
}

/// Addresses from `start` on, `end` not included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceRange {
    pub start: u64,
    pub end: u64,
}

/// The front end's type and name tables.
#[derive(Clone, Debug)]
pub struct CTypes {
    pub table: TypeTable,
    pub names: plumb_c::names::Names,
}

impl Program {
    /// The call by which the start function begins the user's program; `None` where it does not get that far, since there
    /// is no entry or its arguments are not modelled.
    pub fn entry_call(&self) -> Option<EdgeId> {
        let (start, entry) = (self.function(self.start), self.entry?);
        let is_call = |op: &Op| matches!(op, Op::Call { callee: Callee::Direct(callee), .. } if *callee == entry);
        // A constructor may be the entry too: the later call is the one.
        start.edge_ids().rev().find(|id| is_call(&start.edge(*id).op))
    }

    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id]
    }

    pub fn function_ids(&self) -> impl Iterator<Item = FuncId> + use<> {
        self.functions.keys()
    }

    pub fn find_function(&self, name: &str) -> Option<FuncId> {
        self.functions.position(|f| &*f.name == name)
    }

    pub fn var(&self, id: GlobalVar) -> &GlobalVarInfo {
        &self.vars[id]
    }

    /// The object that stands for memory from outside, if pointers may lead there.
    pub fn foreign_memory(&self) -> Option<GlobalObj> {
        // It is the first object of a program that has it.
        let first = GlobalObj(0);
        self.objects.get(first).filter(|info| info.is_foreign).map(|_| first)
    }

    pub fn object(&self, id: GlobalObj) -> &GlobalObjInfo {
        &self.objects[id]
    }

    pub fn input(&self, id: InputId) -> &InputSite {
        &self.inputs[id]
    }

    pub fn check(&self, id: CheckId) -> &CheckInfo {
        &self.checks[id]
    }

    /// The full expressions around a place, the innermost first. Only statement expressions put one inside another.
    pub fn full_expressions_at(&self, span: Span) -> Vec<Span> {
        let holds = |outer: &&Span| outer.start <= span.start && span.end <= outer.end;
        let mut found: Vec<Span> = self.full_expressions.iter().filter(holds).copied().collect();
        found.sort_by_key(|s| s.end - s.start);
        found
    }

    /// Whether some check asks where a pointer points.
    pub fn checks_pointers(&self) -> bool {
        self.checks.iter().any(|check| check.kind == CheckKind::Pointer)
    }
}

/// In JSON: `external-function` and so on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssumptionKind {
    /// A function without a body or model: returns an arbitrary value, changes nothing.
    ExternalFunction,
    /// The same, but it may change what its arguments reach.
    ExternalEffects,
    /// A function without a body or model that is handed functions of the program: it does not call them.
    Callback,
    /// A model that allocates memory: there is enough.
    Allocation,
    /// A function with sums of floats, of which the compiler may make one operation with a product, rounded once
    /// (`-ffp-contract`): it does not.
    Contraction,
    /// An object that no unit defines: starts with an arbitrary value.
    ExternalObject,
    /// Inline assembly: its outputs are arbitrary, and nothing else changes.
    Assembly,
    /// Assembly outside of functions: it changes nothing that the program uses.
    FileAssembly,
    /// An instruction of inline assembly that orders accesses, waits or masks interrupts: it changes nothing.
    Barrier,
    /// A `_Bool` that is read through a pointer, whose memory may hold anything: it is 0 or 1.
    Bool,
    /// A function of the program under a name that compilers know from the C library: calls of it are calls of it.
    OwnLibrary,
    /// Addresses that are a device's: reading gives an arbitrary value, writing changes no memory, and no object lies there.
    Device,
    /// What a pointer from outside leads to where it is dereferenced: memory that is no object of the program, of arbitrary
    /// content at first.
    ForeignMemory,
    /// A volatile object with static storage: it holds what the program wrote last.
    Volatile,
    /// A function that hardware calls: it does not.
    Interrupt,
    /// A function that hardware calls: whenever interrupts are not masked and nothing of its priority runs.
    InterruptSource,
    /// Threads, handlers or tasks: memory is sequentially consistent, and library functions and copies of objects are one step.
    Atomicity,
    /// A pointer that the function which a run starts with is given: it is null or points to one object of its own.
    EntryPointer,
    /// Such a pointer behind which no object is made any more: it is null.
    EntryNull,
    /// A global of a library model: where the entry function is called in an arbitrary state it has its initial value.
    EntryLibrary,
    /// An object in AVR's program memory: it is read with `pgm_read_byte` and its like, never as an ordinary object.
    ProgramMemory,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Assumption {
    pub kind: AssumptionKind,
    pub name: Arc<str>,
    pub span: Span,
}

/// A global scalar that lives in a register.
#[derive(Clone, Debug)]
pub struct GlobalVarInfo {
    /// As the user wrote it; a part of a split aggregate is `name.field`.
    pub name: Arc<str>,
    pub ty: Ty,
    pub cty: Option<TyId>,
    pub init: ScalarInit,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarInit {
    Const(Bits),
    Object(GlobalObj, i64),
    Function(FuncId),
}

#[derive(Clone, Debug)]
pub struct GlobalObjInfo {
    pub name: Arc<str>,
    pub size: u64,
    pub align: u64,
    pub cty: Option<TyId>,
    /// What no datum covers is zero. Data do not overlap and are in order of offset.
    pub init: Vec<Datum>,
    /// String literals and `const` objects: the program must not write here.
    pub read_only: bool,
    pub is_volatile: bool,
    /// It stands for all memory that is no object of the program, at the addresses of [`foreign_addresses`]. See `lower/foreign.rs`.
    pub is_foreign: bool,
    pub span: Span,
}

/// A function has no more bytes than this behind its address, in either semantics.
pub const FUNCTION_BYTES: u64 = 16;

/// Where memory from outside lies: far from where Linux puts the objects of a program, but where it lets a harness have
/// memory. Nowhere, on machines that have no room for it.
pub fn foreign_addresses(target: &Target) -> std::ops::Range<u64> {
    match target.pointer_bits() {
        64 => 1 << 45..(1 << 45) + (1 << 31),
        32 => 0x8000_0000..0xc000_0000,
        _ => 0..0,
    }
}

impl GlobalObjInfo {
    /// Whether addresses are among its initial data.
    pub fn holds_addresses(&self) -> bool {
        self.init.iter().any(|datum| !matches!(datum.value, DatumValue::Bytes(_)))
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Datum {
    pub offset: u64,
    pub value: DatumValue,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DatumValue {
    Bytes(Box<[u8]>),
    /// A pointer into an object, of the target's pointer size.
    Object(GlobalObj, i64),
    Function(FuncId),
}

/// An automaton. What it is made of can be read but not changed in place: see [`Function::into_parts`].
#[derive(Clone, Debug)]
pub struct Function {
    parts: FunctionParts,
    /// For each location, the range of its edges in `edges`, which are sorted by source.
    out: Vec<u32>,
}

/// What a function is made of.
#[derive(Clone, Debug)]
pub struct FunctionParts {
    pub name: Arc<str>,
    /// The first of `vars`.
    pub param_count: u32,
    pub ret: Option<Ty>,
    /// The C type of the result, where it is a scalar of the source.
    pub ret_cty: Option<TyId>,
    pub vars: TiVec<LocalVar, LocalVarInfo>,
    pub objects: TiVec<LocalObj, LocalObjInfo>,
    /// What the objects take on the stack of a compiled program: those too that are promoted to registers.
    pub frame_bytes: u64,
    pub exprs: Exprs,
    pub edges: TiVec<EdgeId, Edge>,
    pub loc_count: u32,
    pub entry: Loc,
    pub exit: Loc,
    /// The user's labels, for error-label properties and goto-free displays.
    pub labels: Vec<(Arc<str>, Loc)>,
    /// The user's loop statements: what witnesses name loops by.
    pub loops: Vec<LoopStatement>,
    /// False for functions that exist only as a declaration; such a body havocs its result and returns.
    pub has_body: bool,
    pub is_library: bool,
    /// Only its own file can call it by its name.
    pub is_static: bool,
    /// Signed overflow is defined to wrap, so that no check is made for it.
    pub wrapv: bool,
    pub span: Span,
}

impl FunctionParts {
    /// A function without parameters and result, with an entry, an exit and nothing in between.
    pub fn empty(name: Arc<str>) -> FunctionParts {
        FunctionParts {
            name,
            param_count: 0,
            ret: None,
            ret_cty: None,
            vars: TiVec::new(),
            objects: TiVec::new(),
            frame_bytes: 0,
            exprs: Exprs::default(),
            edges: TiVec::new(),
            loc_count: 2,
            entry: Loc(0),
            exit: Loc(1),
            labels: Vec::new(),
            loops: Vec::new(),
            has_body: true,
            is_library: false,
            is_static: false,
            wrapv: false,
            span: Span::NONE,
        }
    }
}

/// A loop statement of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LoopStatement {
    pub kind: LoopKind,
    /// Where its iterations begin: before the condition, or before the body of a `do`.
    pub head: Loc,
    /// From the keyword on.
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LoopKind {
    While,
    DoWhile,
    For,
}

impl std::ops::Deref for Function {
    type Target = FunctionParts;

    fn deref(&self) -> &FunctionParts {
        &self.parts
    }
}

impl Function {
    /// Sorts edges by source location (keeping the given order within one) and indexes them.
    pub fn new(mut parts: FunctionParts) -> Function {
        parts.edges.sort_by_key(|e| e.from);
        let mut out = vec![0u32; parts.loc_count as usize + 1];
        for edge in &parts.edges {
            out[edge.from.0 as usize + 1] += 1;
        }
        for i in 0..parts.loc_count as usize {
            out[i + 1] += out[i];
        }
        Function { parts, out }
    }

    /// Takes the function apart to be changed and indexed anew.
    pub fn into_parts(self) -> FunctionParts {
        self.parts
    }

    /// Its name, parameters and result, with an entry, an exit and nothing in between: what another body is built in.
    pub fn without_body(&self) -> FunctionParts {
        let FunctionParts { param_count, ret, ret_cty, has_body, is_library, is_static, wrapv, span, .. } = self.parts;
        let (name, vars) = (self.name.clone(), self.params().to_vec().into());
        let signature = FunctionParts { vars, param_count, ret, ret_cty, ..FunctionParts::empty(name) };
        FunctionParts { has_body, is_library, is_static, wrapv, span, ..signature }
    }

    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id]
    }

    pub fn edge_ids(&self) -> impl DoubleEndedIterator<Item = EdgeId> + use<> {
        self.edges.keys()
    }

    pub fn locs(&self) -> impl Iterator<Item = Loc> + use<> {
        (0..self.loc_count).map(Loc)
    }

    /// The edges that leave a location.
    pub fn out_edges(&self, loc: Loc) -> impl Iterator<Item = EdgeId> + use<> {
        (self.out[loc.0 as usize]..self.out[loc.0 as usize + 1]).map(EdgeId)
    }

    pub fn var(&self, id: LocalVar) -> &LocalVarInfo {
        &self.vars[id]
    }

    pub fn object(&self, id: LocalObj) -> &LocalObjInfo {
        &self.objects[id]
    }

    pub fn params(&self) -> &[LocalVarInfo] {
        &self.vars.raw[..self.param_count as usize]
    }

    /// Whether a call with arguments of these types, whose result is used as `ret`, may reach the function through a
    /// pointer. Arguments that it does not take are ignored.
    pub fn accepts(&self, args: &[Ty], ret: Option<Ty>) -> bool {
        let params = self.params();
        params.len() <= args.len()
            && params.iter().zip(args).all(|(p, a)| p.ty == *a)
            && (ret.is_none() || ret == self.ret)
    }
}

/// A register of a function. Its value is unspecified until assigned; lowering havocs what C leaves uninitialised.
#[derive(Clone, Debug)]
pub struct LocalVarInfo {
    /// The user's name, or a made one starting with `%`.
    pub name: Arc<str>,
    pub ty: Ty,
    pub cty: Option<TyId>,
    pub lifetime: Lifetime,
    pub span: Span,
}

/// How long a local variable lives, and so until when what it points to is not lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// As long as the activation: parameters, and variables of the outermost block.
    Activation,
    /// As long as an inner block.
    Block,
    /// As long as an expression needs it: what the source has no variable for.
    Expression,
}

impl LocalVarInfo {
    /// Whether the source has no variable for it.
    pub fn is_made(&self) -> bool {
        self.name.starts_with('%')
    }
}

/// A memory object of each activation, alive from call to return, with unspecified content at first.
#[derive(Clone, Debug)]
pub struct LocalObjInfo {
    pub name: Arc<str>,
    pub size: u64,
    pub align: u64,
    pub cty: Option<TyId>,
    pub lifetime: Lifetime,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub from: Loc,
    pub to: Loc,
    pub op: Op,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Op {
    Assign {
        to: Place,
        value: ExprId,
    },
    /// `branch` tells which decision of the source it is; `None` for assumptions of the user and made-up ones.
    Assume {
        cond: ExprId,
        branch: Option<Branch>,
    },
    /// An arbitrary value from outside.
    Havoc {
        to: HavocPlace,
        input: InputId,
    },
    Call {
        to: Option<VarRef>,
        callee: Callee,
        args: Vec<ExprId>,
    },
    Return(Option<ExprId>),
    /// The property holds here if `cond` does. A run that breaks it ends.
    Check {
        cond: ExprId,
        check: CheckId,
    },
}

impl Op {
    /// The expressions that the edge evaluates.
    pub fn exprs(&self) -> impl Iterator<Item = ExprId> + '_ {
        let (fixed, args): ([Option<ExprId>; 2], &[ExprId]) = match self {
            Op::Assign { to: Place::Var(_), value } => ([Some(*value), None], &[]),
            Op::Assign { to: Place::Mem(addr), value } => ([Some(*addr), Some(*value)], &[]),
            Op::Assume { cond, .. } | Op::Check { cond, .. } => ([Some(*cond), None], &[]),
            Op::Havoc { to: HavocPlace::Var(_), .. } => ([None, None], &[]),
            Op::Havoc { to: HavocPlace::Region { addr, size }, .. } => ([Some(*addr), Some(*size)], &[]),
            Op::Havoc { to: HavocPlace::Objects { addr, .. }, .. } => ([Some(*addr), None], &[]),
            Op::Call { callee: Callee::Indirect(addr), args, .. } => ([Some(*addr), None], args),
            Op::Call { callee: Callee::Direct(_) | Callee::Intrinsic(_), args, .. } => ([None, None], args),
            Op::Return(value) => ([*value, None], &[]),
        };
        fixed.into_iter().flatten().chain(args.iter().copied())
    }

    /// The same operation on other expressions.
    pub fn map_exprs(&self, mut f: impl FnMut(ExprId) -> ExprId) -> Op {
        match self {
            Op::Assign { to: Place::Var(var), value } => Op::Assign { to: Place::Var(*var), value: f(*value) },
            Op::Assign { to: Place::Mem(addr), value } => {
                let addr = f(*addr);
                Op::Assign { to: Place::Mem(addr), value: f(*value) }
            }
            Op::Assume { cond, branch } => Op::Assume { cond: f(*cond), branch: *branch },
            Op::Check { cond, check } => Op::Check { cond: f(*cond), check: *check },
            Op::Havoc { to: HavocPlace::Var(_), .. } => self.clone(),
            Op::Havoc { to: HavocPlace::Region { addr, size }, input } => {
                let addr = f(*addr);
                Op::Havoc { to: HavocPlace::Region { addr, size: f(*size) }, input: *input }
            }
            Op::Havoc { to: HavocPlace::Objects { addr, extent }, input } => {
                Op::Havoc { to: HavocPlace::Objects { addr: f(*addr), extent: *extent }, input: *input }
            }
            Op::Call { to, callee, args } => {
                let callee = match callee {
                    Callee::Indirect(addr) => Callee::Indirect(f(*addr)),
                    Callee::Direct(_) | Callee::Intrinsic(_) => *callee,
                };
                Op::Call { to: *to, callee, args: args.iter().map(|&a| f(a)).collect() }
            }
            Op::Return(value) => Op::Return(value.map(f)),
        }
    }

    /// The register that the edge writes.
    pub fn written(&self) -> Option<VarRef> {
        match self {
            Op::Assign { to: Place::Var(var), .. } | Op::Havoc { to: HavocPlace::Var(var), .. } => Some(*var),
            Op::Call { to, .. } => *to,
            Op::Assign { to: Place::Mem(_), .. }
            | Op::Havoc { to: HavocPlace::Region { .. } | HavocPlace::Objects { .. }, .. }
            | Op::Assume { .. }
            | Op::Check { .. }
            | Op::Return(_) => None,
        }
    }
}

/// Where an assignment goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    Var(VarRef),
    /// The bytes at an address, as many as the value's type has.
    Mem(ExprId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HavocPlace {
    Var(VarRef),
    /// `size` bytes (an integer of pointer width) from an address on.
    Region {
        addr: ExprId,
        size: ExprId,
    },
    /// Whole objects, as one input that is as long as they are together. Where the address is that of no live object, none.
    /// Read-only objects keep their bytes.
    Objects {
        addr: ExprId,
        extent: Extent,
    },
}

/// The objects that an address leads to. Reached is what a pointer in a reached object points to: breadth first, the
/// pointers of an object in order of offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// The object that it points into.
    Object,
    /// That object and all that it reaches.
    Reached,
    /// All that the object reaches, but not itself.
    Behind,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BranchKind {
    If,
    While,
    DoWhile,
    For,
    Switch,
    /// `?:`
    Conditional,
    /// `&&`, `||`
    Logical,
    /// A computed goto or `asm goto`.
    Goto,
}

/// A decision of the source. For `Switch`, `taken` means that the case at the edge's span was matched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Branch {
    pub kind: BranchKind,
    pub taken: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    Direct(FuncId),
    /// A function's address. Lowering guarantees nothing of its type: the number and types of arguments are checked at
    /// the call.
    Indirect(ExprId),
    Intrinsic(Intrinsic),
}

/// What C cannot express about memory and the world; the library models are written in C on top of these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Intrinsic {
    /// `ptr (size, alignment)`: a new heap object of unspecified content, aligned for any type and to the alignment, which
    /// may be 0. Never null.
    HeapAlloc,
    /// `ptr (size)`: a new object that dies with the activation (`alloca`, variable-length arrays).
    StackAlloc,
    /// `(ptr)`: ends the life of a heap object; null does nothing.
    Free,
    /// `(ptr)`: ends the life of a `StackAlloc` object before its activation does.
    StackFree,
    /// `(to, from, size)`: as `memmove`.
    MemCopy,
    /// `(to, byte as i8, size)`.
    MemSet,
    /// `int (format, variadic arguments)`: `printf` to standard output; the result is the number of bytes written.
    Print,
    /// `(code as int)`: the program ends.
    Exit,
    /// The program ends abnormally.
    Abort,
    /// `unsigned (start, argument)`: a stack that begins with the call of a function. See [`crate::stacks`].
    NewStack,
    /// `(number as unsigned)`: another stack goes on; this one does when somebody switches back.
    SwitchStack,
    /// `(number as unsigned)`: the running stack ends and another one goes on.
    EndStack,
    /// `unsigned ()`: the number of the running stack.
    CurrentStack,
}
