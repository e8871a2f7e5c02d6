//! Engines: each takes a program with its properties, a budget and someone to tell of its progress, and returns an
//! answer with its evidence.
//!
//! ```text
//!   engine     what an engine is            registry   those that there are
//!   board      what they tell each other    portfolio  several of them at once
//!   budget     how long, how much memory, and when to stop at once
//!   answer     what an engine found out
//!   host       what the machine has to give
//!   loose      violations that rest on what C leaves open
//!   realise    a model's inputs as those of a real run
//!   simulate/  guided concrete search for violations
//!   unroll/    symbolic states of all runs up to a bound
//!   bmc/       bounded model checking
//!   facts/     facts about loop heads, and where candidates come from
//!   kind/      k-induction with facts about loop heads
//!   symex/     symbolic execution path by path, with predicate abstraction
//! ```
//!
//! An engine knows nothing of C syntax, files or the terminal. A violation it returns is a claim: whoever reports it
//! replays it first.

pub mod answer;
pub mod bmc;
pub mod board;
pub mod budget;
pub mod engine;
pub mod facts;
pub mod host;
pub mod kind;
mod loose;
pub mod portfolio;
mod realise;
pub mod registry;
pub mod simulate;
pub mod symex;
pub mod unroll;

pub use answer::{
    AbstractTree, Answer, Explored, Invariants, LoopEntry, LoopInvariant, Proof, ReachedSet, StatePart, Unknown,
    Violation, WhyUnknown,
};
pub use budget::{Budget, Cancel, Progress, Watcher};
pub use plumb_sym::{Assumed, OpenChoice};
