//! How a run ends.

use plumb_ir::check::CheckId;
use plumb_ir::input::InputId;
use plumb_ir::program::{EdgeId, FuncId, Loc, Program};
use plumb_ir::stacks::MOST_STACKS;
use plumb_ir::ty::Bits;
use std::fmt;

/// What the program did that no correct program does and no check was there to catch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    InvalidRead {
        addr: u64,
        size: u64,
    },
    InvalidWrite {
        addr: u64,
        size: u64,
    },
    /// A write to a string literal or `const` object.
    ReadOnlyWrite {
        addr: u64,
    },
    DivisionByZero,
    /// The smallest signed number divided by -1.
    DivisionOverflow,
    /// A shift by a negative count or by one that is not below the width.
    ShiftCount,
    /// `__builtin_clz` or `__builtin_ctz` of zero.
    ZerosOfZero,
    /// `free` of what is not the start of a live heap object.
    BadFree {
        addr: u64,
    },
    /// A call through an address that is no function's, or of a function with other parameters.
    BadCall {
        addr: u64,
    },
    /// Too many calls or too much local data.
    StackOverflow,
    /// More memory than the limit allows, or than addresses exist.
    OutOfMemory,
    /// A `printf` format that cannot be followed.
    BadFormat,
    /// A switch to a number that no stack has, or to the stack that ends.
    NoStack {
        number: u64,
    },
    /// More stacks than there can be.
    TooManyStacks,
    /// A return from the function that a stack started with.
    StackReturned,
    /// The end of the stack that the program started on.
    MainStackEnded,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::InvalidRead { addr, size } => write!(f, "invalid read of {size} byte(s) at {addr:#x}"),
            FaultKind::InvalidWrite { addr, size } => write!(f, "invalid write of {size} byte(s) at {addr:#x}"),
            FaultKind::ReadOnlyWrite { addr } => write!(f, "write to read-only memory at {addr:#x}"),
            FaultKind::DivisionByZero => f.write_str("division by zero"),
            FaultKind::DivisionOverflow => f.write_str("division of the smallest signed integer by -1"),
            FaultKind::ShiftCount => f.write_str("shift count that is negative or not below the width"),
            FaultKind::ZerosOfZero => f.write_str("count of the leading or trailing zeros of 0"),
            FaultKind::BadFree { addr } => write!(f, "free of {addr:#x}, which is not the start of a live heap object"),
            FaultKind::BadCall { addr } => {
                write!(f, "call of {addr:#x}, which is not a function with parameters of these types")
            }
            FaultKind::StackOverflow => f.write_str("stack overflow"),
            FaultKind::OutOfMemory => f.write_str("out of memory"),
            FaultKind::BadFormat => f.write_str("printf format that is malformed or not supported"),
            FaultKind::NoStack { number } => write!(f, "switch to stack {number}, which does not exist"),
            FaultKind::TooManyStacks => write!(f, "more than {MOST_STACKS} stacks at a time"),
            FaultKind::StackReturned => f.write_str("return from the function that a stack started with"),
            FaultKind::MainStackEnded => f.write_str("end of stack 0, on which the program runs"),
        }
    }
}

/// A place in the program: the edge that was being executed, and the location before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    pub func: FuncId,
    pub edge: EdgeId,
    pub loc: Loc,
}

/// Identifies a probe: its index in the list that the image was compiled with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ProbeId(pub u32);

plumb_ir::index::index_types!(ProbeId);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The entry function returned. `Program::start` never does: it exits.
    Returned(Option<Bits>),
    Exited(i32),
    Aborted,
    /// A lone `Assume` did not hold: this is not a run of the program.
    AssumptionFailed(Site),
    CheckFailed {
        check: CheckId,
        site: Site,
    },
    /// An `Unsupported` check failed: nothing is known about what the program would do.
    Unsupported {
        check: CheckId,
        site: Site,
    },
    /// A location without outgoing edges that is not a function's exit.
    Stopped {
        func: FuncId,
        loc: Loc,
    },
    /// The machine can go on from here with more steps.
    StepLimit,
    Fault {
        kind: FaultKind,
        site: Site,
    },
    /// The source had no value left. The machine can go on from here with another source.
    NoInput {
        input: InputId,
        site: Site,
    },
    /// An active probe was reached. The machine can go on from here.
    Probe(ProbeId),
}

impl Outcome {
    /// Running again makes sense: nothing ended.
    pub fn is_resumable(&self) -> bool {
        matches!(self, Outcome::StepLimit | Outcome::NoInput { .. } | Outcome::Probe(_))
    }

    pub fn site(&self) -> Option<Site> {
        match self {
            Outcome::AssumptionFailed(site)
            | Outcome::CheckFailed { site, .. }
            | Outcome::Unsupported { site, .. }
            | Outcome::Fault { site, .. }
            | Outcome::NoInput { site, .. } => Some(*site),
            Outcome::Returned(_)
            | Outcome::Exited(_)
            | Outcome::Aborted
            | Outcome::Stopped { .. }
            | Outcome::StepLimit
            | Outcome::Probe(_) => None,
        }
    }

    /// One line for people, with the place in the source where there is one.
    pub fn describe(&self, program: &Program) -> String {
        let text = match self {
            Outcome::Returned(None) => "returned".to_string(),
            Outcome::Returned(Some(value)) => format!("returned {value:?}"),
            Outcome::Exited(code) => format!("exited with {code}"),
            Outcome::Aborted => "aborted".to_string(),
            Outcome::AssumptionFailed(_) => "an assumption does not hold".to_string(),
            Outcome::CheckFailed { check, .. } => format!("check failed: {}", program.check(*check).message),
            Outcome::Unsupported { check, .. } => format!("not supported: {}", program.check(*check).message),
            Outcome::Stopped { func, .. } => format!("stopped in {}", program.function(*func).name),
            Outcome::StepLimit => "step limit reached".to_string(),
            Outcome::Fault { kind, .. } => kind.to_string(),
            Outcome::NoInput { .. } => "no input left".to_string(),
            Outcome::Probe(ProbeId(id)) => format!("probe {id} reached"),
        };
        let span = self.site().map(|s| program.function(s.func).edge(s.edge).span);
        match span.and_then(|s| program.sources.place(s)) {
            Some(place) => format!("{place}: {text}"),
            None => text,
        }
    }
}
