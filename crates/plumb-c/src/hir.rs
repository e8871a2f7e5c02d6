//! The typed program: names resolved, types checked, every implicit conversion an explicit node, all translation
//! units linked into one.
//!
//! Conventions that lowering may rely on:
//! * An expression is an lvalue exactly when its kind is one of `Local`, `Global`, `Deref`, `Member` (of an lvalue) or
//!   `CompoundLiteral`. A string literal is a `Global`. Reading one is always a `Load` node around it; arrays and functions become
//!   pointers only by `Decay` nodes. Aggregates are loaded too: a `Load` of record type is the whole value.
//! * Operands of arithmetic `Binary` nodes have the node's type (shifts: the left one does; comparisons: both operands
//!   have one common type and the node has type `int`).
//! * Conditions (`if`, `while`, `for`, `&&`, `||`, `!`, `?:`) are scalars of any type, compared with zero by lowering.
//! * Array lengths that vary are read from hidden locals, which a [`StmtKind::VlaSize`] statement has set before.

use crate::index::TiVec;
use crate::names::{Name, Names};
use crate::source::{SourceMap, Span};
pub use crate::target::Target;
use crate::types::{BitRange, QualTy, TyId, TypeTable};
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FuncId(pub u32);

/// A local variable or parameter of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct LocalId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct LabelId(pub u32);

crate::index_types!(GlobalId, FuncId, LocalId, LabelId);

impl LabelId {
    /// The number that stands for the label's address: not null, and known before the function is complete.
    pub fn number(self) -> u64 {
        self.0 as u64 + 1
    }
}

/// A linked program.
#[derive(Clone, Debug)]
pub struct Program {
    pub sources: Arc<SourceMap>,
    pub names: Names,
    pub types: TypeTable,
    pub globals: TiVec<GlobalId, Global>,
    pub functions: TiVec<FuncId, Function>,
    /// What file scope names at the end of each unit, in the order of the units.
    pub unit_scopes: Vec<UnitScope>,
    pub devices: Vec<Device>,
    /// Functions that run before `main`, in their order.
    pub constructors: Vec<FuncId>,
    /// Functions that run at exit, the last one first.
    pub destructors: Vec<FuncId>,
    /// Assembly outside of functions, in the program's own units.
    pub file_assembly: Vec<Span>,
    /// A unit is compiled so that products and sums of floats may be rounded once ([`crate::code_flags::CodeFlags::may_contract`]).
    pub may_contract: bool,
    /// Functions that the program's own units mention, be it where no run gets to.
    pub mentioned: BTreeSet<Name>,
}

/// Memory-mapped registers: an address that the program casts to a pointer to something volatile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Device {
    pub address: u64,
    pub bytes: u64,
}

/// Type names of a unit's file scope, sorted by name.
#[derive(Clone, Debug, Default)]
pub struct UnitScope {
    /// With the alignment that an attribute gave to the name itself.
    pub typedefs: Vec<(Name, QualTy, Option<u64>)>,
    pub tags: Vec<(Name, TyId)>,
}

impl Program {
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id]
    }

    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id]
    }

    /// The function that a declaration denotes once all units are linked.
    pub fn symbol(&self, mut id: FuncId) -> FuncId {
        while let (None, Some(of)) = (&self.function(id).body, self.function(id).view_of) {
            id = of;
        }
        id
    }

    /// The object that a declaration denotes once all units are linked.
    pub fn object(&self, mut id: GlobalId) -> GlobalId {
        while let Some(of) = self.global(id).view_of {
            id = of;
        }
        id
    }

    /// The function of that name with external linkage, or else the only static one.
    pub fn find_function(&self, name: &str) -> Option<FuncId> {
        let matching = |want_static: bool| {
            let mut found = self.functions.keys().filter(|&id| {
                let function = self.function(id);
                let is_other = function.view_of.is_some_and(|of| self.function(of).name == function.name);
                function.is_static == want_static && self.names.text(function.name) == name && !is_other
            });
            found.next().filter(|_| found.next().is_none())
        };
        matching(false).or_else(|| matching(true))
    }
}

/// An object with static storage: a file-scope variable, a `static` local, a string literal or a file-scope compound
/// literal.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: Name,
    pub ty: QualTy,
    /// At least the type's own alignment.
    pub align: u64,
    pub is_static: bool,
    /// `Extern`: declared but never defined, so its value is arbitrary. A tentative definition is `Zero`.
    pub init: GlobalInit,
    pub thread_local: bool,
    /// Declared weak somewhere: without a definition it may be missing, its address null.
    pub weak: bool,
    /// `&` was applied to it or to a part of it, or it decayed to a pointer.
    pub address_taken: bool,
    /// Nothing sets it when the program starts: its initial value is arbitrary.
    pub noinit: bool,
    /// `progmem`: on the machine it is not where ordinary reads look for it.
    pub in_program_memory: bool,
    /// `register int sp asm("sp");` at file scope: a name of a machine register.
    pub in_machine_register: bool,
    /// Another declaration of the same symbol under another type: these are its bytes. See [`Program::object`].
    pub view_of: Option<GlobalId>,
    /// For a `static` local, the function it belongs to.
    pub owner: Option<FuncId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum GlobalInit {
    Extern,
    Zero,
    Data(Vec<StaticPart>),
}

/// Bytes of a static initialiser; what no part covers is zero. Later parts override earlier ones. Where the type ends in
/// a flexible array, parts may lie beyond its size: the object is that much larger.
#[derive(Clone, Debug)]
pub struct StaticPart {
    pub offset: u64,
    pub value: StaticValue,
}

#[derive(Clone, Debug)]
pub enum StaticValue {
    /// The low `bytes` bytes of the value, little-endian.
    Int { value: u128, bytes: u64 },
    /// Bits of a bit-field whose range counts from the part's offset.
    Bits { value: u128, range: BitRange },
    /// Raw bytes (strings, floats of any format).
    Bytes(Box<[u8]>),
    /// An address constant of pointer size.
    Address { base: AddressBase, offset: i64 },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressBase {
    Global(GlobalId),
    Function(FuncId),
    /// `&&label` of a function, in a static local's initialiser.
    Label(FuncId, LabelId),
}

/// What declarations promise of a function's effects. Gathered from all of them.
#[derive(Clone, Default, Debug)]
pub struct PromisedEffects {
    /// `pure`: it changes nothing.
    pub is_pure: bool,
    /// `const`: it changes nothing either, and its result depends on nothing but the values of its arguments.
    pub is_const: bool,
    /// `access(read_only, n)`: it does not change the object that the parameter points to. Counted from 0.
    pub read_only: Vec<u32>,
    /// `access(none, n)`: it does not access that object.
    pub not_accessed: Vec<u32>,
}

impl PromisedEffects {
    pub fn changes_nothing(&self) -> bool {
        self.is_pure || self.is_const
    }

    pub(crate) fn merge(&mut self, other: &PromisedEffects) {
        self.is_pure |= other.is_pure;
        self.is_const |= other.is_const;
        self.read_only.extend(&other.read_only);
        self.not_accessed.extend(&other.not_accessed);
    }
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    /// Always a function type; of several declarations, the composite.
    pub ty: TyId,
    pub is_static: bool,
    pub is_inline: bool,
    pub noreturn: bool,
    /// gcc takes the result for an address that is not null, as the declaration promises.
    pub returns_nonnull: bool,
    /// What it leaves alone, as the declarations promise.
    pub effects: PromisedEffects,
    /// `__attribute__((interrupt))` and `signal` handlers.
    pub interrupt: bool,
    pub weak: bool,
    pub address_taken: bool,
    /// Signed overflow is defined to wrap in it.
    pub wrapv: bool,
    /// Why a run that calls it is not supported, whatever its body.
    pub refusal: Option<&'static str>,
    pub body: Option<Body>,
    /// Another declaration of the same symbol under another type, or the target of an alias: calls and addresses are that
    /// one's. See [`Program::symbol`].
    pub view_of: Option<FuncId>,
    /// For a function without a body: the library model that stands for it. Its type may differ where the program's
    /// declaration is unusual; lowering converts arguments and result.
    pub model: Option<FuncId>,
    /// Comes from the library models, not from the user's files.
    pub is_library: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Body {
    /// Parameters are the first locals, in order. Where the function's type is unprototyped they have their declared
    /// types: callers pass the promoted ones, and each argument is converted on entry.
    pub param_count: usize,
    pub locals: TiVec<LocalId, Local>,
    pub labels: TiVec<LabelId, Label>,
    pub block: Block,
    pub end_span: Span,
}

impl Body {
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id]
    }
}

#[derive(Clone, Debug)]
pub struct Local {
    /// `None` for hidden locals (array lengths, compound literals).
    pub name: Option<Name>,
    pub ty: QualTy,
    pub align: u64,
    pub address_taken: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Label {
    pub name: Name,
    /// `&&label` was taken.
    pub address_taken: bool,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    /// Locals whose lifetime is the block.
    pub locals: Vec<LocalId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    /// The point where a local comes to life; without an initialiser its value is arbitrary.
    Declare {
        local: LocalId,
        init: Option<Initializer>,
    },
    /// `__attribute__((cleanup))`: the call is made whenever control leaves the rest of the block, but by `exit` and its like.
    Defer(Expr),
    /// Evaluates the length of a variable-length array into its hidden local (of type `size_t`).
    VlaSize {
        local: LocalId,
        len: Expr,
    },
    Block(Block),
    If {
        cond: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
    },
    /// `init` is a list so that `for (int i = 0, j = 1; ...)` needs no block; `scope` are the locals it declares.
    For {
        init: Vec<Stmt>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
        scope: Vec<LocalId>,
    },
    /// `value` is promoted; case values are converted to its type.
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    /// `low == high` but for GNU ranges. Values are sign- or zero-extended from the switch's type.
    Case {
        low: i128,
        high: i128,
        body: Box<Stmt>,
    },
    Default {
        body: Box<Stmt>,
    },
    Label {
        label: LabelId,
        body: Box<Stmt>,
    },
    Goto(LabelId),
    GotoComputed(Expr),
    Break,
    Continue,
    /// Converted to the function's return type.
    Return(Option<Expr>),
    Asm(Box<AsmStmt>),
}

/// Inline assembly. Its effect is unknown: outputs are arbitrary afterwards, and with `clobbers_memory` so is memory.
#[derive(Clone, Debug)]
pub struct AsmStmt {
    pub template: Vec<u8>,
    /// Lvalues that are written.
    pub outputs: Vec<Expr>,
    pub inputs: Vec<Expr>,
    /// Inputs in memory, as lvalues, by their operand's number: assembly that clobbers memory may write them.
    pub memory_inputs: Vec<(usize, Expr)>,
    /// Outputs that start in the same register as an input (`"+r"(x)`, or `"=r"(x) : "0"(y)`), by their indices.
    pub ties: Vec<(usize, usize)>,
    pub clobbers_memory: bool,
    /// Targets of `asm goto`, any of which may be jumped to.
    pub labels: Vec<LabelId>,
}

/// An initialiser flattened to scalar stores, in the order of evaluation.
#[derive(Clone, Debug)]
pub struct Initializer {
    /// Bytes that no part sets are zero (an initialiser list, or a string shorter than its array).
    pub zero_rest: bool,
    pub parts: Vec<InitPart>,
}

#[derive(Clone, Debug)]
pub struct InitPart {
    pub offset: u64,
    /// Counted from `offset`.
    pub bits: Option<BitRange>,
    /// Converted to the type of the part: a scalar, or a record's whole value, or the `Global` lvalue of a
    /// string literal, longer than the `ty` array (then cut) or shorter (then zero-filled).
    pub value: Expr,
    pub ty: TyId,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: QualTy,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Of integer, enum or pointer type; sign- or zero-extended from the type.
    Int(i128),
    /// Bits in the format of the type.
    Float(u128),

    // Lvalues and designators.
    Local(LocalId),
    Global(GlobalId),
    Func(FuncId),
    Deref(Box<Expr>),
    /// A field of a record lvalue or of a record value (a call's result); `field` indexes the record's fields, which
    /// include anonymous members, so a path through one is several nodes.
    Member {
        base: Box<Expr>,
        field: u32,
    },
    CompoundLiteral {
        local: LocalId,
        init: Box<Initializer>,
    },

    // Conversions.
    /// The value in an lvalue. Of a bit-field, the node has the field's declared type.
    Load(Box<Expr>),
    /// The address of an lvalue or function.
    AddrOf(Box<Expr>),
    /// An array lvalue to a pointer to its first element; a function to its address.
    Decay(Box<Expr>),
    Cast {
        kind: CastKind,
        value: Box<Expr>,
        implicit: bool,
    },

    // Operators.
    Neg(Box<Expr>),
    BitNot(Box<Expr>),
    /// `!e`, of type `int`.
    Not(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Pointer plus or minus elements; the index has any integer type and is extended to pointer width by its sign.
    PtrAdd {
        pointer: Box<Expr>,
        index: Box<Expr>,
        negate: bool,
    },
    /// Difference in elements, of type `ptrdiff_t`.
    PtrDiff(Box<Expr>, Box<Expr>),
    LogicalAnd(Box<Expr>, Box<Expr>),
    LogicalOr(Box<Expr>, Box<Expr>),
    /// Both arms have the node's type (or the node is void). Without a middle the condition's value, evaluated once and
    /// converted by `then`'s cast kinds, is the result: sema puts the conversion in `elvis_cast`.
    Cond {
        cond: Box<Expr>,
        then: Option<Box<Expr>>,
        otherwise: Box<Expr>,
        elvis_cast: Option<CastKind>,
    },
    Comma(Box<Expr>, Box<Expr>),
    /// The value assigned has the unqualified type of the lvalue; the node's value is what the lvalue then holds.
    Assign {
        target: Box<Expr>,
        value: Box<Expr>,
    },
    /// `target op= value`: the target's value is cast to `compute`, combined, and cast back.
    CompoundAssign {
        op: AssignOp,
        target: Box<Expr>,
        value: Box<Expr>,
        compute: TyId,
        /// Bits at which the computation wraps, where that is less than `compute` has: gcc keeps the width of bit-fields
        /// wider than `int`.
        compute_bits: Option<u32>,
        into: Option<CastKind>,
        back: Option<CastKind>,
    },
    /// `++` and `--` on integers, floats and pointers. Integer arithmetic is done in the promoted type.
    IncDec {
        increment: bool,
        prefix: bool,
        target: Box<Expr>,
    },

    Call {
        callee: Callee,
        args: Vec<Expr>,
    },
    Builtin {
        op: Builtin,
        args: Vec<Expr>,
    },
    /// The value of the last expression statement; void otherwise.
    StmtExpr(Box<Block>),
    LabelAddr(LabelId),
    /// The size in bytes of a type that involves variable-length arrays.
    SizeofVla(TyId),
    /// Reads the next variadic argument; `list` is an lvalue of type `va_list`, or the element where that type is an
    /// array (LP64).
    VaArg {
        list: Box<Expr>,
    },
}

#[derive(Clone, Debug)]
pub enum Callee {
    Direct(FuncId),
    /// A value of pointer-to-function type.
    Pointer(Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastKind {
    /// Between integer types (enums and `_Bool` as a source included): extend by the source's sign, or truncate.
    IntToInt,
    /// Any scalar to `_Bool`: compare with zero.
    ToBool,
    IntToFloat,
    FloatToInt,
    FloatToFloat,
    PtrToInt,
    IntToPtr,
    PtrToPtr,
    ToVoid,
    /// Same representation (qualifiers only, or equal record types).
    NoOp,
    /// GNU cast of a member's value to its union type.
    ToUnion {
        field: u32,
    },
}

/// Operators whose operands have been converted; comparisons yield `int`. The operand type says whether they work on
/// integers, floats or (comparisons only) pointers.
pub use crate::ast::BinaryOp;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssignOp {
    Arith(BinaryOp),
    /// `p += i`, `p -= i`.
    PtrAdd {
        negate: bool,
    },
}

/// Compiler builtins with a meaning of their own. Library functions under a builtin name (`__builtin_memcpy`) are
/// ordinary calls of the library function instead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `__builtin_expect(e, c)` is `e`, of type `long`.
    Expect,
    Unreachable,
    Trap,
    Clz,
    Ctz,
    Ffs,
    Popcount,
    Parity,
    Clrsb,
    Bswap,
    /// `__builtin_add_overflow(a, b, p)` and friends: the operation on mathematical integers, stored wrapped; the
    /// result says whether it wrapped.
    AddOverflow,
    SubOverflow,
    MulOverflow,
    /// `__builtin_object_size` when not known at compile time: arbitrary within its contract is the constant -1 or 0.
    Alloca,
    /// The arguments of these three are `va_list` lvalues as in [`ExprKind::VaArg`].
    VaStart,
    VaEnd,
    VaCopy,
    /// Floating point classification of one argument: `int` results.
    IsNan,
    IsInf,
    IsInfSign,
    IsFinite,
    IsNormal,
    SignBit,
    /// `isgreater` and so on: comparisons that are false on NaN and never trap.
    IsGreater,
    IsGreaterEqual,
    IsLess,
    IsLessEqual,
    IsLessGreater,
    IsUnordered,
    /// Exact functions of one float argument, the type being that of the node.
    Fabs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    Rint,
    /// Exact functions of two float arguments.
    Fmod,
    Fmin,
    Fmax,
    Copysign,
    Remainder,
    /// Exact function of three float arguments.
    Fma,
    Prefetch,
    /// `__builtin_constant_p` of what one compiler folds and another one does not.
    ConstantP,
    ReturnAddress,
    FrameAddress,
    /// `__sync_*` and `__atomic_*` on one thread: the plain operation.
    Atomic(AtomicOp),
}

/// The value returned is the old one unless said otherwise. Arguments: pointer, then operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicOp {
    Fetch(BinaryOp),
    FetchNand,
    /// Returns the new value.
    OpFetch(BinaryOp),
    NandFetch,
    Load,
    Store,
    Exchange,
    /// `__sync_bool_compare_and_swap(p, old, new)`.
    BoolCas,
    /// `__sync_val_compare_and_swap(p, old, new)`.
    ValCas,
    /// `__atomic_compare_exchange_n(p, &expected, desired, ...)`.
    CompareExchange,
    TestAndSet,
    Clear,
    Fence,
}
