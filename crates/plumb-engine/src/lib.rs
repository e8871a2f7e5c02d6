//! Engines: each takes a program with its properties, a budget and a watcher of its progress, and returns an
//! answer with its evidence.
//!
//! ```text
//!   engine     what an engine is            registry   those that there are
//!   board      what they exchange           portfolio  several of them at once
//!   replay/    claims on the machine: whether a violation is one of a real run, and which run that is
//!   query      a solver with the axioms of symbolic states
//!   simulate/  guided concrete search for violations
//!   unroll/    symbolic states of all runs up to a bound
//!   bmc/       bounded model checking
//!   facts/     facts about loop heads, and where candidates come from
//!   kind/      k-induction with facts about loop heads
//!   predicates/ predicate abstraction: valuations, feasibility, refinement
//!   symex/     symbolic execution path by path, with predicate abstraction
//!   explicit/  explicit-state search of all schedules
//!   reach/     abstract reachability: lazy abstraction over blocks
//!   metric_choice/  which metric a target-directed search counts distances in, learned from runs
//!   summary/   function summaries: where they are worth it, how they are made from examples, which are used together
//!   filter     is there a run of the original along the path of an alarm?
//!   pbe/       falsification with summaries made from examples
//!   oscegar/   tasks under their kernel: explicit exploration of abstract tasks, refined by traces
//!   div/       proofs with contracts inferred from runs and proved function by function
//! ```
//!
//! An engine knows nothing of C syntax, the terminal or files, but for the cache of summaries. A violation it returns is a claim: whoever reports it
//! replays it first.

pub mod bmc;
pub mod board;
pub mod div;
pub mod engine;
pub mod explicit;
pub mod facts;
mod filter;
pub mod kind;
pub mod metric_choice;
pub mod oscegar;
pub mod pbe;
pub mod portfolio;
mod predicates;
mod query;
pub mod reach;
pub mod registry;
mod replay;
pub mod simulate;
pub mod summary;
pub mod symex;
#[cfg(test)]
mod test_program;
pub mod unroll;

pub use plumb_answer::host;
pub use plumb_answer::{
    AbstractTree, Answer, Assumed, Budget, Cancel, Explored, Invariants, LoopEntry, LoopInvariant, OpenChoice,
    Progress, Proof, ReachedSet, StatePart, Unknown, Violation, Watcher, WhyUnknown,
};
pub(crate) use plumb_answer::{answer, budget};
