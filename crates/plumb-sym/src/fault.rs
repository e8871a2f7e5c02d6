//! Faults: what ends a run that no check has looked at.
//!
//! What a fault is decides what a proof of the other checks may do with it. *Undefined behaviour of the program* ends what C
//! says about the run, so that a proof for all runs up to there is a proof under an assumption, which names the place
//! and the check that would look at it ([`FaultKind::check`]). That is done only where a compiled program stops too
//! ([`FaultKind::is_assumable`]): dividing, but on small machines, where the command line asks for strict proofs. Where it may go on, with what lies beside an object, at the address 0 of a small
//! machine, or with another count, people expect to hear of what it does then, and drivers whose private data lies behind
//! an object live by it:
//!
//! | kind | what the run does | check |
//! | --- | --- | --- |
//! | `DivisionByZero` | divides by zero | div-by-zero |
//! | `DivisionOverflow` | divides the smallest signed number by -1 | overflow |
//! | `FoldableDivisionByZero`, `FoldableDivisionOverflow` | the same where compilers may do without the division (`plumb-ir`'s `lower/division.rs`), or a function of the compiler's divides | the same |
//! | `ShiftCount` | shifts by a negative count or by one of at least the width | shift |
//! | `NullPointer` | uses a pointer that is null, or null moved by less than a page, by a constant of the program | pointer |
//! | `OutOfBounds` | leaves the live object that a pointer was computed from | pointer |
//! | `DeadObject` | uses a pointer to an object whose life is over | pointer |
//! | `ReadOnly` | writes to a string literal or a `const` object | pointer |
//! | `InvalidFree` | frees a pointer that is not the start of a live heap object | double-free |
//!
//! The others end a run for a reason of ours, or for one that no check looks for. They stay in the way of every proof:
//!
//! | kind | why |
//! | --- | --- |
//! | `NotAnObject` | a pointer from outside that is null, or a number that the program casts: what is there the model does not have |
//! | `ModelBounds` | an object that a library model made is left: its size is the model's, not C's |
//! | `Call` | a call of what is no function, or of one with other parameters: compilers make something of it |
//! | `StaleComparison` | a pointer to a dead object is compared with another: compilers compare addresses |
//! | `ZerosOfZero` | leading or trailing zeros of 0 are counted: no check looks for it yet |
//! | `StackOverflow` | a limit of the machine |
//! | `NoStack`, `StackReturned`, `MainStackEnded`, `TooManyStacks` | stacks are used as they cannot be: no check looks for it |
//!
//! Where a pointer comes from decides: an input, the result of a missing function, or memory of arbitrary content is outside.
//! Such pointers are numbers that are no constants; if they are not null, using them is a *gap* ([`Sym::gaps`]). A pointer
//! that is one or the other is split by its condition.

use crate::state::State;
use crate::sym::Sym;
use plumb_ir::check::CheckKind;
use plumb_ir::program::{Callee, EdgeId, FuncId, Loc, Op};
use plumb_term::{Kind, TermId};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FaultKind {
    DivisionByZero,
    DivisionOverflow,
    FoldableDivisionByZero,
    FoldableDivisionOverflow,
    ShiftCount,
    NullPointer,
    OutOfBounds,
    DeadObject,
    ReadOnly,
    InvalidFree,
    NotAnObject,
    ModelBounds,
    Call,
    StaleComparison,
    ZerosOfZero,
    StackOverflow,
    NoStack,
    StackReturned,
    MainStackEnded,
    TooManyStacks,
}

impl FaultKind {
    /// The check that looks for it, if it is undefined behaviour of the program.
    pub fn check(self) -> Option<CheckKind> {
        match self {
            FaultKind::DivisionByZero | FaultKind::FoldableDivisionByZero => Some(CheckKind::DivisionByZero),
            FaultKind::DivisionOverflow | FaultKind::FoldableDivisionOverflow => Some(CheckKind::SignedOverflow),
            FaultKind::ShiftCount => Some(CheckKind::Shift),
            FaultKind::NullPointer | FaultKind::OutOfBounds | FaultKind::DeadObject | FaultKind::ReadOnly => {
                Some(CheckKind::Pointer)
            }
            FaultKind::InvalidFree => Some(CheckKind::Free),
            FaultKind::NotAnObject
            | FaultKind::ModelBounds
            | FaultKind::Call
            | FaultKind::StaleComparison
            | FaultKind::ZerosOfZero
            | FaultKind::StackOverflow
            | FaultKind::NoStack
            | FaultKind::StackReturned
            | FaultKind::MainStackEnded
            | FaultKind::TooManyStacks => None,
        }
    }

    /// Whether a proof may suppose that no run does it: compiled programs stop there.
    pub fn is_assumable(self) -> bool {
        matches!(self, FaultKind::DivisionByZero | FaultKind::DivisionOverflow)
    }

    /// What a run does, as a verb with its object.
    pub fn description(self) -> &'static str {
        match self {
            FaultKind::DivisionByZero => "divides by zero",
            FaultKind::DivisionOverflow => "divides the smallest number by -1",
            FaultKind::FoldableDivisionByZero => "divides by zero, where compilers may do without the division",
            FaultKind::FoldableDivisionOverflow => {
                "divides the smallest number by -1, where compilers may do without a division that traps"
            }
            FaultKind::ShiftCount => "shifts by a negative count or by one of at least the width",
            FaultKind::NullPointer => "dereferences a null pointer",
            FaultKind::OutOfBounds => "leaves the bounds of an object",
            FaultKind::DeadObject => "uses an object after its lifetime",
            FaultKind::ReadOnly => "writes to a read-only object",
            FaultKind::InvalidFree => "frees a pointer that is not the start of a live heap object",
            FaultKind::NotAnObject => "dereferences an address at which the model has no object",
            FaultKind::ModelBounds => "leaves the bounds of an object that a library model made",
            FaultKind::Call => "calls an address at which there is no function with these parameters",
            FaultKind::StaleComparison => "compares a pointer to an object after its lifetime",
            FaultKind::ZerosOfZero => "counts the leading or trailing zeros of 0",
            FaultKind::StackOverflow => "overflows the stack",
            FaultKind::NoStack => "switches to a stack that does not exist",
            FaultKind::StackReturned => "returns from the function that a stack started with",
            FaultKind::MainStackEnded => "ends the stack that it started on",
            FaultKind::TooManyStacks => "creates more stacks than are supported",
        }
    }
}

/// Where a fault happens: in the user's code, if a library model does it on behalf of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FaultSite {
    pub func: FuncId,
    pub loc: Loc,
    pub edge: EdgeId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Runs that end by it: nothing has ended them before.
    pub when: TermId,
    pub kind: FaultKind,
    pub site: Option<FaultSite>,
}

/// Conditions by kind: what may be wrong with one access.
#[derive(Default)]
pub(crate) struct FaultConditions(Vec<(FaultKind, TermId)>);

impl FaultConditions {
    pub fn add(&mut self, kind: FaultKind, when: TermId, sym: &mut Sym) {
        if when == TermId::bool(false) {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, known)) => *known = sym.terms.or(*known, when),
            None => self.0.push((kind, when)),
        }
    }

    /// Whether something is wrong.
    pub fn any(&self, sym: &mut Sym) -> TermId {
        sym.terms.or_all(self.0.iter().map(|(_, when)| *when))
    }

    /// The same, under a condition.
    pub fn add_all(&mut self, others: FaultConditions, condition: TermId, sym: &mut Sym) {
        for (kind, when) in others.0 {
            let when = sym.terms.and(condition, when);
            self.add(kind, when, sym);
        }
    }
}

/// Choices that are looked through for constants.
const DEEPEST_CHOICE: u32 = 8;

impl Sym<'_> {
    /// A run that has faulted is over: the state goes on with those that have not.
    pub fn exclude_faulted_runs(&mut self, state: &mut State) {
        if state.fault != TermId::bool(false) {
            let sound = self.terms.not(state.fault);
            state.path.push(sound, &mut self.terms);
            state.fault = TermId::bool(false);
        }
    }

    /// Notes that a run goes wrong here under a condition.
    pub(crate) fn note_fault(&mut self, state: &mut State, kind: FaultKind, condition: TermId) {
        let first = self.first_time(state, condition);
        if first != TermId::bool(false) {
            let site = self.fault_site(state);
            self.scratch.log.faults.push(Fault { when: first, kind, site });
            state.fault = self.terms.or(state.fault, first);
        }
    }

    pub(crate) fn note_faults(&mut self, state: &mut State, faults: FaultConditions) {
        for (kind, when) in faults.0 {
            self.note_fault(state, kind, when);
        }
    }

    /// The edge at hand, or the call in the user's code that has led into the library.
    pub(crate) fn fault_site(&self, state: &State) -> Option<FaultSite> {
        let mut resume = None;
        for frame in state.frames().rev() {
            let function = self.program.function(frame.func);
            let edge = match resume {
                None => function.out_edges(state.loc).next(),
                Some(resume) => {
                    let is_call = |id: &EdgeId| {
                        let edge = function.edge(*id);
                        edge.to == resume
                            && matches!(edge.op, Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. })
                    };
                    function.edge_ids().find(is_call)
                }
            };
            if !function.is_library {
                return edge.map(|edge| FaultSite { func: frame.func, loc: function.edge(edge).from, edge });
            }
            resume = Some(frame.resume);
        }
        None
    }

    /// When a number is null, or null moved by less than a page, because constants of the program make it so.
    pub(crate) fn null_by_constants(&mut self, number: TermId) -> TermId {
        self.null_within(number, DEEPEST_CHOICE)
    }

    fn null_within(&mut self, number: TermId, depth: u32) -> TermId {
        match self.terms.kind(number) {
            Kind::Ite(condition, a, b) if depth > 0 => {
                let (a, b) = (self.null_within(a, depth - 1), self.null_within(b, depth - 1));
                self.terms.ite(condition, a, b)
            }
            _ => {
                let is_null = self.terms.as_u64(number).is_some_and(|number| u128::from(number) < self.guard_page());
                TermId::bool(is_null)
            }
        }
    }
}
