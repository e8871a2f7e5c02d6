//! What engines and those who check their evidence both know.
//!
//! ```text
//!   answer   verdicts with their evidence: proofs, violations, reasons for neither
//!   budget   how long, how much memory, and when to stop at once
//!   host     what the machine has to give
//!   tuning   how knobs are written down
//! ```
//!
//! It lies below both, so that the validator cannot come to depend on an engine.

pub mod answer;
pub mod budget;
pub mod host;
mod tuning;

pub use answer::{
    AbstractTree, Answer, Explored, Invariants, LoopEntry, LoopExit, LoopInvariant, Proof, ReachedSet, StatePart,
    Threshold, Unknown, Violation, WhyUnknown,
};
pub use budget::{Budget, Cancel, Progress, Watcher};
pub use plumb_sym::{Assumed, OpenChoice};
