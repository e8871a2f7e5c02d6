//! The symbolic semantics of automata: `step` over an edge and `join` of states.
//!
//! ```text
//!   value     constants, terms, pointers          pointer   pointers as objects and offsets
//!   memory/   objects and accesses                table     tables that are cheap to copy
//!   path      path conditions                     state     what a run has at one moment
//!   sym       terms, objects, axioms of all states log       what happens in a step
//!   eval/     expressions                         question  what checks ask about memory
//!   step      edges                               call      calls, returns, intrinsics
//!   stacks    the stacks that do not run, and switching to them
//!   join      two states at one place            havoc     states that have forgotten something
//!   anywhere  a state at any location            canonical states that are equal up to names
//!   rename    states under other names
//!   reduced   functions as blocks: reduced entry states, and exits expanded at calls
//!   template  facts about states as terms        model     a model as the inputs of a run
//!   open      what formulas rest on that C leaves open
//!   position  where a run is in its nest of calls and loops
//!   cut       scalars that an abstraction forgets, on all stacks
//!   fault     what ends a run without a check    assumed   what a proof supposes
//! ```
//!
//! It is the second of the two meanings of an edge; the first is the concrete machine's. A state stands for all runs
//! that satisfy its path condition. Inputs become symbols; under a model of the symbols the inputs whose path conditions
//! hold, in the order in which they were made, are those of a run that takes the path.
//!
//! **Soundness.** A state over-approximates no run and leaves none out, with four exceptions that are noted rather than
//! silent: a *fault* ([`EventLog::faults`]) ends a run where the concrete machine does; a *gap* ([`EventLog::gaps`]) is where
//! the symbolic side does not know what a run does, and may leave it; an *obligation* ([`EventLog::obligations`]) is a check that
//! may break; and registers that nobody has assigned are symbols that no input answers for. An engine that proves something
//! shows that no gap and no *doubt* ([`EventLog::doubts`]) can be, and no fault but those that it supposes not to happen
//! ([`Assumed`]). Faults and broken checks are the run's own, so that a hypothesis may say that
//! there were none before; gaps are not.

mod anywhere;
mod assumed;
mod call;
mod canonical;
mod cut;
mod eval;
mod fault;
mod havoc;
mod join;
mod log;
pub mod memory;
mod model;
mod open;
mod path;
mod pointer;
mod position;
mod question;
mod reduced;
mod rename;
mod stacks;
mod state;
mod step;
mod sym;
mod table;
mod template;
mod value;

pub use anywhere::Callers;
pub use assumed::{Assumed, Feasible, feasible_faults, split_faults};
pub use canonical::{Canonical, CanonicalForm};
pub use cut::{Fate, Forgotten, Judge, StateCell};
pub use fault::{Fault, FaultKind, FaultSite};
pub use havoc::{ChangeQuestion, Changes, NewObjects};
pub use log::{EventLog, Given, Input, Obligation};
pub use memory::region::RegionId;
pub use memory::{ObjectInfo, ObjectKind};
pub use model::{inputs_of, set_region};
pub use open::OpenChoice;
pub use path::Path;
pub use position::{ABSTRACT_ENTRY, Counting, LoopPosition, Movement, Position};
pub use reduced::{Instance, Irreducible, ReducedEntry, ReducedExit, direct_call};
pub use rename::Renaming;
pub use stacks::SuspendedStack;
pub use state::{Frame, State};
pub use step::{Next, Step};
pub use sym::Sym;
pub use template::{NamedScalar, StatePart, TemplateSymbols};
pub use value::{ObjId, Place, Value, sort_of};
