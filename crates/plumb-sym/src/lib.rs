//! The symbolic semantics of automata: `step` over an edge and `join` of states.
//!
//! ```text
//!   value     constants, terms, pointers          pointer   pointers as objects and offsets
//!   memory/   objects and accesses                table     tables that are cheap to copy
//!   path      path conditions                     state     what a run has at one moment
//!   sym       terms, objects, inputs of all states
//!   eval/     expressions                         question  what checks ask about memory
//!   step      edges                               call      calls, returns, intrinsics
//!   join      two states at one place            havoc     states that have forgotten something
//!   look      states looked at from outside      model     a model as the inputs of a run
//!   open      what formulas rest on that C leaves open
//!   fault     what ends a run without a check    assumed   what a proof supposes
//! ```
//!
//! It is the second of the two meanings of an edge; the first is the concrete machine's. A state stands for all runs
//! that satisfy its path condition. Inputs become symbols; under a model of the symbols the inputs whose path conditions
//! hold, in the order in which they were made, are those of a run that takes the path.
//!
//! **Soundness.** A state over-approximates no run and leaves none out, with four exceptions that are noted rather than
//! silent: a *fault* ([`Sym::faults`]) ends a run where the concrete machine does; a *gap* ([`Sym::gaps`]) is where
//! the symbolic side does not know what a run does, and may leave it; an *obligation* ([`Sym::obligations`]) is a check that
//! may break; and registers that nobody has assigned are symbols that no input answers for. An engine that proves something
//! shows that no gap and no *doubt* ([`Sym::doubts`]) can be, and no fault but those that it supposes not to happen
//! ([`Assumed`]). Faults and broken checks are the run's own, so that a hypothesis may say that
//! there were none before; gaps are not.

mod assumed;
mod call;
mod eval;
mod fault;
mod havoc;
mod join;
mod look;
pub mod memory;
mod model;
mod open;
mod path;
mod pointer;
mod question;
mod state;
mod step;
mod sym;
mod table;
mod value;

pub use assumed::{Assumed, Feasible, feasible_faults, split_faults};
pub use fault::{Fault, FaultKind, FaultSite};
pub use havoc::{Changes, NewObjects};
pub use look::{NamedScalar, StatePart, Unknown, Visible};
pub use memory::{ObjectInfo, ObjectKind};
pub use model::{given_inputs, inputs_of};
pub use open::OpenChoice;
pub use path::Path;
pub use state::{Frame, State};
pub use step::Step;
pub use sym::{Given, Input, Obligation, Sym};
pub use value::{ObjId, Place, Value, sort_of};
