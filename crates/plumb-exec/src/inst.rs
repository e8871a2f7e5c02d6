//! The instruction set: 16 bytes per instruction, three 32-bit operands, registers in a window of 64-bit slots.
//!
//! Integers and pointers of up to 64 bits are kept zero-extended ("canonical"), so equality, unsigned order, bitwise
//! operators and widening need no width. Names end in the width where it matters (`32`, `64`, `N` for the one in `n`), in
//! `I` for an immediate second operand, in `K` for one from the constant pool. Values beyond 64 bits take two slots and
//! are computed by [`crate::slow`].
//!
//! Memory operands come in six modes, told by the last letter of loads and stores:
//!
//! | suffix | address | used for |
//! | --- | --- | --- |
//! | none | `a + off` | fields, locals in memory |
//! | `A`  | `addr` | fields of statics; known to lie inside a live object and one page |
//! | `X`  | `a + b * s + off` | elements |
//! | `Y`  | `a + sext32(b) * s + off` | elements with an `int` index on 64-bit targets |
//! | `T`  | `addr + b * s` | elements of statics |
//! | `U`  | `addr + sext32(b) * s` | the same with an `int` index |
//!
//! Steps: a transfer of control subtracts the number of IR edges that run from its target up to the next transfer, so
//! straight-line code counts nothing. Branches carry both counts (`t` if taken, `f` if not).

/// A register: an index into the window. While a function is compiled, the top bits tell the kind of register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slot(pub u32);

/// Two neighbouring registers that hold a value of more than 64 bits, low half first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pair(pub u32);

/// A place in the code. While a function is compiled: a label; in instructions of an image: the distance in bytes from
/// the instruction, as an `i32`; in jump tables: an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Target(pub u32);

/// Looks at, or rewrites, what instructions refer to.
pub(crate) trait Visit {
    fn slot(&mut self, slot: &mut Slot);
    fn pair(&mut self, pair: &mut Pair);
    fn target(&mut self, target: &mut Target);
}

pub(crate) trait Operand {
    fn accept(&mut self, visit: &mut impl Visit);
}

impl Operand for Slot {
    fn accept(&mut self, visit: &mut impl Visit) {
        visit.slot(self);
    }
}

impl Operand for Pair {
    fn accept(&mut self, visit: &mut impl Visit) {
        visit.pair(self);
    }
}

impl Operand for Target {
    fn accept(&mut self, visit: &mut impl Visit) {
        visit.target(self);
    }
}

macro_rules! plain_operands {
    ($($ty:ty),*) => { $(impl Operand for $ty { fn accept(&mut self, _: &mut impl Visit) {} })* };
}
plain_operands!(u8, u16, u32, i32);

macro_rules! instructions {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $ty:ty),* }),* $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Debug)]
        #[repr(u8)]
        pub enum Inst { $($(#[$doc])* $name { $($field: $ty),* }),* }

        /// The first byte of instructions.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Tag { $($name),* }

        impl Tag {
            pub const COUNT: usize = [$(Tag::$name),*].len();
        }

        impl Inst {
            /// Shows every operand to a visitor. Being made from the same table as the instructions, it misses none.
            pub(crate) fn visit(&mut self, visit: &mut impl Visit) {
                match self { $(Inst::$name { $($field),* } => { $(Operand::accept($field, visit);)* let _ = visit; })* }
            }
        }
    };
}

instructions! {
    // Moves.
    Move { d: Slot, a: Slot },
    Move2 { d: Pair, a: Pair },
    Const { d: Slot, lo: u32, hi: u32 },
    GlobalGet { d: Slot, g: u32 },
    GlobalSet { g: u32, a: Slot },
    GlobalSetI { g: u32, lo: u32, hi: u32 },
    /// Adds to the program register and keeps a copy.
    GlobalAdd32I { d: Slot, g: u32, i: i32 },
    GlobalGet2 { d: Pair, g: u32 },
    GlobalSet2 { g: u32, a: Pair },

    // Integer arithmetic.
    Add32 { d: Slot, a: Slot, b: Slot },
    Add64 { d: Slot, a: Slot, b: Slot },
    AddN { n: u8, d: Slot, a: Slot, b: Slot },
    Add32I { d: Slot, a: Slot, i: i32 },
    Add64I { d: Slot, a: Slot, i: i32 },
    AddNI { n: u8, d: Slot, a: Slot, i: i32 },
    Sub32 { d: Slot, a: Slot, b: Slot },
    Sub64 { d: Slot, a: Slot, b: Slot },
    SubN { n: u8, d: Slot, a: Slot, b: Slot },
    Mul32 { d: Slot, a: Slot, b: Slot },
    Mul64 { d: Slot, a: Slot, b: Slot },
    MulN { n: u8, d: Slot, a: Slot, b: Slot },
    Mul32I { d: Slot, a: Slot, i: i32 },
    Mul64I { d: Slot, a: Slot, i: i32 },
    NegN { n: u8, d: Slot, a: Slot },
    NotN { n: u8, d: Slot, a: Slot },
    And { d: Slot, a: Slot, b: Slot },
    Or { d: Slot, a: Slot, b: Slot },
    Xor { d: Slot, a: Slot, b: Slot },
    AndI { d: Slot, a: Slot, i: u32 },
    AndSI { d: Slot, a: Slot, i: i32 },
    OrI { d: Slot, a: Slot, i: u32 },
    XorI { d: Slot, a: Slot, i: u32 },
    /// Shifts by a register fault where the count is not below the width.
    Shl32 { d: Slot, a: Slot, b: Slot },
    Shl64 { d: Slot, a: Slot, b: Slot },
    ShlN { n: u8, d: Slot, a: Slot, b: Slot },
    ShrU { n: u8, d: Slot, a: Slot, b: Slot },
    ShrS32 { d: Slot, a: Slot, b: Slot },
    ShrSN { n: u8, d: Slot, a: Slot, b: Slot },
    /// Immediate shift counts are less than the width.
    Shl32I { d: Slot, a: Slot, i: u32 },
    Shl64I { d: Slot, a: Slot, i: u32 },
    ShlNI { n: u8, d: Slot, a: Slot, i: u32 },
    ShrUI { d: Slot, a: Slot, i: u32 },
    ShrS32I { d: Slot, a: Slot, i: u32 },
    ShrSNI { n: u8, d: Slot, a: Slot, i: u32 },
    DivS32 { d: Slot, a: Slot, b: Slot },
    DivSN { n: u8, d: Slot, a: Slot, b: Slot },
    DivU { d: Slot, a: Slot, b: Slot },
    RemS32 { d: Slot, a: Slot, b: Slot },
    RemSN { n: u8, d: Slot, a: Slot, b: Slot },
    RemU { d: Slot, a: Slot, b: Slot },
    /// Immediate divisors are neither 0 nor -1.
    DivS32I { d: Slot, a: Slot, i: i32 },
    RemS32I { d: Slot, a: Slot, i: i32 },
    DivUI { d: Slot, a: Slot, i: u32 },
    RemUI { d: Slot, a: Slot, i: u32 },
    Clz { n: u8, d: Slot, a: Slot },
    Ctz { n: u8, d: Slot, a: Slot },

    // Widths. Widening without sign is nothing, narrowing is `AndI`.
    Sext8To32 { d: Slot, a: Slot },
    Sext16To32 { d: Slot, a: Slot },
    Sext32To64 { d: Slot, a: Slot },
    /// From `n` to `w` bits.
    Sext { n: u8, w: u8, d: Slot, a: Slot },
    /// `n` bits from bit `lo` on.
    Extract { n: u8, lo: u8, d: Slot, a: Slot },
    Insert { n: u8, lo: u8, d: Slot, a: Slot, b: Slot },

    // Comparisons to a truth value.
    Eq { d: Slot, a: Slot, b: Slot },
    Ne { d: Slot, a: Slot, b: Slot },
    LtU { d: Slot, a: Slot, b: Slot },
    LeU { d: Slot, a: Slot, b: Slot },
    LtS32 { d: Slot, a: Slot, b: Slot },
    LeS32 { d: Slot, a: Slot, b: Slot },
    LtS64 { d: Slot, a: Slot, b: Slot },
    LeS64 { d: Slot, a: Slot, b: Slot },
    EqI { d: Slot, a: Slot, i: u32 },
    NeI { d: Slot, a: Slot, i: u32 },
    LtUI { d: Slot, a: Slot, i: u32 },
    GtUI { d: Slot, a: Slot, i: u32 },
    LtS32I { d: Slot, a: Slot, i: i32 },
    GtS32I { d: Slot, a: Slot, i: i32 },
    LtS64I { d: Slot, a: Slot, i: i32 },
    GtS64I { d: Slot, a: Slot, i: i32 },

    // Control.
    Jump { n: u16, to: Target },
    /// Counts steps inside a block too long for its counts.
    Tick { n: u16 },
    BrEq { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrNe { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrLtU { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrLeU { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrLtS32 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrLeS32 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrLtS64 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrLeS64 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrEqI { t: u8, f: u16, a: Slot, i: u32, to: Target },
    BrNeI { t: u8, f: u16, a: Slot, i: u32, to: Target },
    BrLtUI { t: u8, f: u16, a: Slot, i: u32, to: Target },
    BrGeUI { t: u8, f: u16, a: Slot, i: u32, to: Target },
    BrLtS32I { t: u8, f: u16, a: Slot, i: i32, to: Target },
    BrGeS32I { t: u8, f: u16, a: Slot, i: i32, to: Target },
    BrLtS64I { t: u8, f: u16, a: Slot, i: i32, to: Target },
    BrGeS64I { t: u8, f: u16, a: Slot, i: i32, to: Target },
    /// Some bit of the mask is set.
    BrAny { t: u8, f: u16, a: Slot, i: u32, to: Target },
    BrNone { t: u8, f: u16, a: Slot, i: u32, to: Target },
    BrGlobalEqI { t: u8, f: u16, g: u32, i: u32, to: Target },
    BrGlobalNeI { t: u8, f: u16, g: u32, i: u32, to: Target },
    /// Closes a loop that can be accelerated: entry `i` of the image's closings.
    Loop { i: u32 },
    /// Jumps through table `i`: dense, or searched.
    SwitchDense { a: Slot, i: u32 },
    SwitchSparse { a: Slot, i: u32 },
    /// Arguments are in the callee's window already, which starts `w` slots above the caller's.
    Call { f: u32, d: Slot, w: u32 },
    CallPtr { i: u32 },
    Return {},
    ReturnValue { a: Slot },
    ReturnPair { a: Pair },
    /// First instruction of functions with objects: makes them live and puts their base address into `d`.
    Enter { d: Slot },
    /// The entry function has returned.
    Halt {},
    AssumeFail {},
    CheckFail { i: u32 },
    NoEdge { i: u32 },
    BadCall {},
    Probe { i: u32 },
    /// An edge ran: its number among all, its function and its index there.
    Cover { i: u32, f: u32, e: u32 },
    Trace { i: u32 },
    /// Comparison `i` of two registers is about to be made.
    Measure { i: u32, a: Slot, b: Slot },

    // Floats.
    AddF64 { d: Slot, a: Slot, b: Slot },
    SubF64 { d: Slot, a: Slot, b: Slot },
    MulF64 { d: Slot, a: Slot, b: Slot },
    DivF64 { d: Slot, a: Slot, b: Slot },
    AddF64K { d: Slot, a: Slot, k: u32 },
    SubF64K { d: Slot, a: Slot, k: u32 },
    MulF64K { d: Slot, a: Slot, k: u32 },
    DivF64K { d: Slot, a: Slot, k: u32 },
    AddF32 { d: Slot, a: Slot, b: Slot },
    SubF32 { d: Slot, a: Slot, b: Slot },
    MulF32 { d: Slot, a: Slot, b: Slot },
    DivF32 { d: Slot, a: Slot, b: Slot },
    AddF32I { d: Slot, a: Slot, i: u32 },
    SubF32I { d: Slot, a: Slot, i: u32 },
    MulF32I { d: Slot, a: Slot, i: u32 },
    DivF32I { d: Slot, a: Slot, i: u32 },
    SqrtF64 { d: Slot, a: Slot },
    SqrtF32 { d: Slot, a: Slot },
    EqF64 { d: Slot, a: Slot, b: Slot },
    LtF64 { d: Slot, a: Slot, b: Slot },
    LeF64 { d: Slot, a: Slot, b: Slot },
    EqF32 { d: Slot, a: Slot, b: Slot },
    LtF32 { d: Slot, a: Slot, b: Slot },
    LeF32 { d: Slot, a: Slot, b: Slot },
    BrEqF64 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrNeF64 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrLtF64 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrLeF64 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrNotLtF64 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrNotLeF64 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrEqF32 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrNeF32 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrLtF32 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrLeF32 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrNotLtF32 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    BrNotLeF32 { t: u8, f: u16, a: Slot, b: Slot, to: Target },
    F32ToF64 { d: Slot, a: Slot },
    F64ToF32 { d: Slot, a: Slot },
    I32ToF64 { d: Slot, a: Slot },
    I64ToF64 { d: Slot, a: Slot },
    I32ToF32 { d: Slot, a: Slot },
    I64ToF32 { d: Slot, a: Slot },
    F64ToI32 { d: Slot, a: Slot },
    F64ToI64 { d: Slot, a: Slot },
    F32ToI32 { d: Slot, a: Slot },
    F32ToI64 { d: Slot, a: Slot },

    // Loads: `Ld8S` extends the sign to 32 bits, `Ld32Q` to 64.
    Ld8 { d: Slot, a: Slot, off: i32 },
    Ld16 { d: Slot, a: Slot, off: i32 },
    Ld32 { d: Slot, a: Slot, off: i32 },
    Ld64 { d: Slot, a: Slot, off: i32 },
    Ld8S { d: Slot, a: Slot, off: i32 },
    Ld16S { d: Slot, a: Slot, off: i32 },
    Ld32Q { d: Slot, a: Slot, off: i32 },
    Ld8A { d: Slot, addr: u32 },
    Ld16A { d: Slot, addr: u32 },
    Ld32A { d: Slot, addr: u32 },
    Ld64A { d: Slot, addr: u32 },
    Ld8SA { d: Slot, addr: u32 },
    Ld16SA { d: Slot, addr: u32 },
    Ld32QA { d: Slot, addr: u32 },
    Ld8X { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld16X { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld32X { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld64X { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld8SX { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld16SX { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld32QX { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld8Y { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld16Y { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld32Y { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld64Y { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld8SY { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld16SY { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld32QY { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    Ld8T { s: u8, d: Slot, addr: u32, b: Slot },
    Ld16T { s: u8, d: Slot, addr: u32, b: Slot },
    Ld32T { s: u8, d: Slot, addr: u32, b: Slot },
    Ld64T { s: u8, d: Slot, addr: u32, b: Slot },
    Ld8ST { s: u8, d: Slot, addr: u32, b: Slot },
    Ld16ST { s: u8, d: Slot, addr: u32, b: Slot },
    Ld32QT { s: u8, d: Slot, addr: u32, b: Slot },
    Ld8U { s: u8, d: Slot, addr: u32, b: Slot },
    Ld16U { s: u8, d: Slot, addr: u32, b: Slot },
    Ld32U { s: u8, d: Slot, addr: u32, b: Slot },
    Ld64U { s: u8, d: Slot, addr: u32, b: Slot },
    Ld8SU { s: u8, d: Slot, addr: u32, b: Slot },
    Ld16SU { s: u8, d: Slot, addr: u32, b: Slot },
    Ld32QU { s: u8, d: Slot, addr: u32, b: Slot },
    St8 { v: Slot, a: Slot, off: i32 },
    St16 { v: Slot, a: Slot, off: i32 },
    St32 { v: Slot, a: Slot, off: i32 },
    St64 { v: Slot, a: Slot, off: i32 },
    /// Immediate values are sign-extended.
    St8I { a: Slot, off: i32, i: i32 },
    St16I { a: Slot, off: i32, i: i32 },
    St32I { a: Slot, off: i32, i: i32 },
    St64I { a: Slot, off: i32, i: i32 },
    St8A { v: Slot, addr: u32 },
    St16A { v: Slot, addr: u32 },
    St32A { v: Slot, addr: u32 },
    St64A { v: Slot, addr: u32 },
    St8AI { addr: u32, i: i32 },
    St16AI { addr: u32, i: i32 },
    St32AI { addr: u32, i: i32 },
    St64AI { addr: u32, i: i32 },
    St8X { s: u8, off: u16, v: Slot, a: Slot, b: Slot },
    St16X { s: u8, off: u16, v: Slot, a: Slot, b: Slot },
    St32X { s: u8, off: u16, v: Slot, a: Slot, b: Slot },
    St64X { s: u8, off: u16, v: Slot, a: Slot, b: Slot },
    St8Y { s: u8, off: u16, v: Slot, a: Slot, b: Slot },
    St16Y { s: u8, off: u16, v: Slot, a: Slot, b: Slot },
    St32Y { s: u8, off: u16, v: Slot, a: Slot, b: Slot },
    St64Y { s: u8, off: u16, v: Slot, a: Slot, b: Slot },
    St8T { s: u8, v: Slot, addr: u32, b: Slot },
    St16T { s: u8, v: Slot, addr: u32, b: Slot },
    St32T { s: u8, v: Slot, addr: u32, b: Slot },
    St64T { s: u8, v: Slot, addr: u32, b: Slot },
    St8U { s: u8, v: Slot, addr: u32, b: Slot },
    St16U { s: u8, v: Slot, addr: u32, b: Slot },
    St32U { s: u8, v: Slot, addr: u32, b: Slot },
    St64U { s: u8, v: Slot, addr: u32, b: Slot },
    /// The address itself, for what no mode covers.
    LeaX { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    LeaY { s: u8, off: u16, d: Slot, a: Slot, b: Slot },
    LeaT { s: u16, d: Slot, addr: u32, b: Slot },
    LeaU { s: u16, d: Slot, addr: u32, b: Slot },
    LeaLongX { s: u16, d: Slot, a: Slot, b: Slot },
    LeaLongY { s: u16, d: Slot, a: Slot, b: Slot },

    // The world.
    /// What is rare: entry `i` of the image's table of slow operations.
    Slow { i: u32 },
    /// `n` bytes at `b` lie in the object of `a`; with the bit [`WRITE`] in `n`, they may be written.
    InBounds { n: u16, d: Slot, a: Slot, b: Slot },
    Havoc { i: u32 },
    HeapAlloc { d: Slot, a: Slot, b: Slot },
    StackAlloc { d: Slot, a: Slot },
    /// Of the heap, or of the stack if `stack` is not zero.
    Free { stack: u8, a: Slot },
    MemCopy { a: Slot, b: Slot, c: Slot },
    MemSet { a: Slot, b: Slot, c: Slot },
    Print { d: Slot, a: Slot, b: Slot },
    Exit { a: Slot },
    Abort {},
    /// One of the operations on stacks ([`stack_op`]), which are too rare for instructions of their own. Those that have no result or
    /// fewer operands repeat one.
    Stack { op: u8, d: Slot, a: Slot, b: Slot },
}

/// What [`Inst::Stack`] does.
pub mod stack_op {
    /// Makes a stack that begins with the function at `a`, called with `b`: its number goes to `d`.
    pub const NEW: u8 = 0;
    /// Goes on with stack `a`.
    pub const SWITCH: u8 = 1;
    /// Ends the running stack and goes on with stack `a`.
    pub const END: u8 = 2;
    /// The number of the running stack goes to `d`.
    pub const CURRENT: u8 = 3;
}

/// Marks the size of an access that writes.
pub const WRITE: u16 = 0x8000;

const _: () = assert!(size_of::<Inst>() == 16);

impl Inst {
    /// Ends a straight line of code: nothing after it runs without being jumped or returned to with a count.
    pub(crate) fn is_transfer(&self) -> bool {
        matches!(self, Inst::Tick { .. } | Inst::Loop { .. }) || self.is_end() || self.counts().is_some()
    }

    /// What follows is reached, if at all, by a jump.
    pub(crate) fn is_end(&self) -> bool {
        matches!(
            self,
            Inst::Jump { .. }
                | Inst::SwitchDense { .. }
                | Inst::SwitchSparse { .. }
                | Inst::Return {}
                | Inst::ReturnValue { .. }
                | Inst::ReturnPair { .. }
                | Inst::Halt {}
                | Inst::AssumeFail {}
                | Inst::CheckFail { .. }
                | Inst::NoEdge { .. }
                | Inst::BadCall {}
                | Inst::Exit { .. }
                | Inst::Abort {}
                | Inst::Stack { op: stack_op::END, .. }
        )
    }

    /// Ends a run in the middle of an edge, whose beginning lies elsewhere and has been counted there.
    pub(crate) fn is_stub(&self) -> bool {
        matches!(self, Inst::AssumeFail {} | Inst::CheckFail { .. } | Inst::BadCall {})
    }

    /// The target and the two step counts of a conditional branch.
    pub(crate) fn counts(&self) -> Option<(Target, u8, u16)> {
        let mut copy = *self;
        copy.counts_mut().map(|(to, t, f)| (*to, *t, *f))
    }
}

macro_rules! branch_counts {
    ($($name:ident)*) => {
        impl Inst {
            pub(crate) fn counts_mut(&mut self) -> Option<(&mut Target, &mut u8, &mut u16)> {
                match self {
                    $(Inst::$name { t, f, to, .. } => Some((to, t, f)),)*
                    _ => None,
                }
            }
        }
    };
}

branch_counts! {
    BrEq BrNe BrLtU BrLeU BrLtS32 BrLeS32 BrLtS64 BrLeS64
    BrEqI BrNeI BrLtUI BrGeUI BrLtS32I BrGeS32I BrLtS64I BrGeS64I BrAny BrNone BrGlobalEqI BrGlobalNeI
    BrEqF64 BrNeF64 BrLtF64 BrLeF64 BrNotLtF64 BrNotLeF64
    BrEqF32 BrNeF32 BrLtF32 BrLeF32 BrNotLtF32 BrNotLeF32
}
