//! What an engine found out.

use plumb_contract::Contract;
use plumb_exec::{FaultKind, InputValue, Site};
use plumb_ir::check::CheckId;
use plumb_ir::input::InputId;
use plumb_ir::program::{FuncId, Loc};
use plumb_solve::Why;
pub use plumb_sym::StatePart;
use plumb_sym::{Assumed, OpenChoice};
use plumb_term::{TermId, Terms};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub enum Answer {
    /// The property holds, for runs that do nothing of what is supposed not to happen.
    Holds(Proof, BTreeSet<Assumed>),
    Violated(Violation),
    Unknown(Unknown),
}

/// Why a property holds.
#[derive(Clone, Debug)]
pub enum Proof {
    /// The program asks for no input: its only run has been made, in so many steps.
    OnlyRun { steps: u64 },
    /// Every state that a schedule leads to has been visited.
    AllStates { states: u64, steps: u64 },
    /// No run goes further than what was unrolled, in so many steps, with loops bounded like that.
    Bounded { bound: u32, steps: u64 },
    /// By induction: what did not break in `k` iterations of a loop does not break in the next.
    Induction { k: u32, invariants: Arc<Invariants> },
    /// A tree of abstract paths has been exhausted. The invariants are what it says of loop heads; where they are too many,
    /// or some have no name, the tree itself is all the evidence there is.
    Abstraction { invariants: Option<Arc<Invariants>>, tree: AbstractTree },
    /// All states of abstract tasks under their kernel have been explored, after so many refinements that track so many
    /// variables. The explored states are all the evidence there is.
    Exploration { states: u64, transitions: u64, refinements: u32, tracked: u32 },
    /// Functions keep contracts, and the program in which they have these for bodies holds. Parts are about derived programs: those
    /// of units about [`plumb_contract::unit_of`] with all contracts, that of the top about [`plumb_contract::summarised`].
    Modular {
        contracts: Arc<Vec<Contract>>,
        /// For every function with a contract.
        units: Vec<(FuncId, Proof)>,
        top: Box<Proof>,
    },
}

/// The size and the precision of a tree of abstract paths.
#[derive(Clone, Debug)]
pub struct AbstractTree {
    /// Abstract states at loop heads.
    pub states: u64,
    /// Paths that were followed to their ends, those of coarser precisions among them.
    pub paths: u64,
    pub refinements: u32,
    /// Engines whose invariants the abstract states contain, each shown again by the exploration.
    pub strengthened_by: BTreeSet<&'static str>,
    /// The predicates of each loop, as facts that may hold or not.
    pub predicates: Arc<Invariants>,
    /// Every abstract state that was reached.
    pub reached: Arc<ReachedSet>,
}

/// The abstract states that an exhausted tree has at loop heads: whoever checks the proof follows each loop once from
/// these and looks that nothing else is reached.
#[derive(Debug, Default)]
pub struct ReachedSet {
    pub terms: Terms,
    /// What the symbols of predicates stand for.
    pub symbols: Vec<(TermId, StatePart)>,
    pub entries: Vec<LoopEntry>,
    /// Loops that are unwound before they are abstracted.
    pub thresholds: Vec<Threshold>,
    /// Loop iterations that count on a path that was not abstracted.
    pub bound: u32,
}

/// How far a loop is unwound before it is abstracted.
#[derive(Clone, Debug)]
pub struct Threshold {
    pub func: FuncId,
    pub head: Loc,
    /// Iterations that count: those that constants decide come in portions, as the engine likes them.
    pub counted: u32,
    /// The most iterations of any path that was abstracted. However one counts, no path is unwound further.
    pub iterations: u32,
}

/// A loop that paths have entered abstractly.
#[derive(Clone, Debug)]
pub struct LoopEntry {
    pub func: FuncId,
    pub head: Loc,
    /// The active calls, outermost first: who called, and where that goes on.
    pub call_stack: Vec<(FuncId, Loc)>,
    pub predicates: Vec<TermId>,
    /// By abstract state, whether each predicate holds.
    pub states: Vec<Box<[bool]>>,
    /// The abstract states of entries that come before this one from which paths came, where `None` is the program's start. Without a
    /// list it is entered from anywhere.
    pub arrivals: Option<Vec<Option<(usize, usize)>>>,
    /// By arrival, how loops were left on the way from there; nothing where that does not matter.
    pub exits: Vec<Vec<LoopExit>>,
}

/// How a loop was left that was not abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopExit {
    pub func: FuncId,
    pub head: Loc,
    /// How often its head was met again, the last time that it was entered.
    pub iterations: u32,
}

/// What was shown of the states at loop heads, as conditions on symbols.
#[derive(Debug, Default)]
pub struct Invariants {
    pub terms: Terms,
    pub loops: Vec<LoopInvariant>,
}

/// Of one loop: every state at its head has the facts. A loop without any was followed from any state on.
#[derive(Clone, Debug)]
pub struct LoopInvariant {
    pub func: FuncId,
    pub head: Loc,
    pub facts: Vec<TermId>,
    /// What the facts' symbols stand for.
    pub symbols: Vec<(TermId, StatePart)>,
}

/// Inputs that make a run break a check.
#[derive(Clone, Debug)]
pub struct Violation {
    pub check: CheckId,
    /// Every value that the run asks for, in order.
    pub inputs: Vec<(InputId, InputValue)>,
}

#[derive(Clone, Debug)]
pub struct Unknown {
    pub why: WhyUnknown,
    pub explored: Explored,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyUnknown {
    Timeout,
    OutOfMemory,
    Cancelled,
    /// Runs met something that is not modelled: the first of these.
    Unsupported(CheckId),
    /// Runs end well here, but may go another way where objects lie elsewhere in memory or another library leaves other
    /// values for what C leaves open.
    Addresses,
    /// A check was broken with a value of a library function that its model allows but no library need return.
    LooseModel(InputId),
    /// A model breaks the check, but the run that the machine makes of its inputs does not: the model may rest on what C
    /// leaves open and the machine has settled otherwise. `None` where it rests on nothing of that kind: a defect.
    NotReplayed(CheckId, Option<OpenChoice>),
    /// No run within the bound violates a check, but some exceed it.
    Bound(u32),
    /// Some runs may leave their objects, divide by zero or do something else that ends them: what and where, if it is
    /// known of one.
    Faults(Option<Assumed>),
    /// Some runs may use memory in ways that are not modelled symbolically. Where, if it is known of one.
    Gap(Option<Site>),
    /// The check was broken only through a pointer that a function without a body returned or left in memory: it may
    /// point to something that the model does not have.
    OutsidePointer(CheckId),
    /// k-induction up to this `k` proves nothing.
    NotInductive(u32),
    /// After so many refinements there is a counterexample that is neither a run nor excluded.
    NotRefined(u32),
    /// The engine met one of its own limits: which.
    GaveUp(String),
    /// No bound was found for the recursion of this function.
    Recursion(FuncId),
    /// Leaks are looked for where runs end; induction is about those that do not.
    Endless,
    /// The solver gave no answer: why.
    Solver(String),
    /// The program asks for nothing and its run ends in undefined behaviour that no check was there for.
    Fault(FaultKind, Site),
    /// The engine cannot work on this program: the reason.
    NotApplicable(String),
    /// The program has several stacks, and the engine reasons about one.
    Stacks,
    /// Nothing takes control away from the program, and the engine is about schedules.
    OneSchedule,
    /// All schedules were followed, but not with all values of this input.
    Values(InputId),
    /// The program cannot be run: the reason.
    CannotRun(String),
    /// The system gives an engine no thread: why.
    NoThread(String),
    /// Plumb itself has a defect: what was seen of it.
    Defect(String),
}

impl WhyUnknown {
    /// Whether the search was ended from outside: the reason says nothing about the program.
    pub fn is_budget(&self) -> bool {
        matches!(self, WhyUnknown::Timeout | WhyUnknown::Cancelled | WhyUnknown::OutOfMemory)
    }

    /// A query is satisfiable and its model cannot be had.
    pub fn no_model() -> WhyUnknown {
        WhyUnknown::Solver("the solver gave no model of a satisfiable query".to_string())
    }

    /// A model makes the formula false that it was asked for.
    pub fn wrong_model() -> WhyUnknown {
        WhyUnknown::Solver("the solver's model does not satisfy the formula".to_string())
    }

    /// Something happens, or may, that a proof may not suppose not to happen.
    pub fn fault(what: Assumed) -> WhyUnknown {
        WhyUnknown::Faults(Some(what))
    }
}

/// Why a solver had no answer.
impl From<Why> for WhyUnknown {
    fn from(why: Why) -> WhyUnknown {
        match why {
            Why::Cancelled => WhyUnknown::Cancelled,
            Why::Time => WhyUnknown::Timeout,
            Why::Conflicts | Why::Unsupported(_) | Why::Process(_) => WhyUnknown::Solver(why.to_string()),
        }
    }
}

/// What a search has seen of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Explored {
    pub runs: u64,
    /// Edges executed.
    pub steps: u64,
    /// Iterations of the outermost loop in the longest run.
    pub deepest: u64,
    /// Abstract states met at loop heads.
    pub states: u64,
    pub branches: u64,
    /// Branches that there are in functions that can be reached.
    pub all_branches: u64,
    pub locations: u64,
    pub all_locations: u64,
}
