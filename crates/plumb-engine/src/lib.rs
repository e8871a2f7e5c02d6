//! Engines: each takes a program with its properties, a budget and someone to tell of its progress, and returns an
//! answer with its evidence.
//!
//! ```text
//!   budget     how long, how much memory, and when to stop at once
//!   answer     what an engine found out
//!   host       what the machine has to give
//!   loose      violations that rest on what C leaves open
//!   realise    a model's inputs as those of a real run
//!   simulate/  guided concrete search for violations
//!   unroll/    symbolic states of all runs up to a bound
//!   bmc/       bounded model checking
//!   portfolio  several of them at once
//!   kind/      k-induction with facts about loop heads
//!   symex/     symbolic execution path by path, with predicate abstraction
//! ```
//!
//! An engine knows nothing of C syntax, files or the terminal. A violation it returns is a claim: whoever reports it
//! replays it first.

pub mod answer;
pub mod bmc;
pub mod budget;
pub mod host;
pub mod kind;
mod loose;
pub mod portfolio;
mod realise;
pub mod simulate;
pub mod symex;
#[cfg(test)]
mod test_program;
pub mod unroll;

pub use answer::{
    AbstractTree, Answer, Explored, Invariants, LoopEntry, LoopInvariant, Proof, ReachedSet, StatePart, Unknown,
    Violation, WhyUnknown,
};
pub use budget::{Budget, Cancel, Progress, Watcher};
pub use plumb_sym::{Assumed, OpenChoice};
