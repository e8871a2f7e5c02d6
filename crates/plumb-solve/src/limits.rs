//! How much a check may cost, and why one ended without an answer.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Bounds of each check. The default has none.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// Conflicts of the SAT solver, per check.
    pub conflicts: Option<u64>,
    pub deadline: Option<Instant>,
    /// Set by anyone to stop at once.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Whether time is up or the flag is set.
    pub fn exhausted(&self) -> Option<Why> {
        if self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Why::Cancelled);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Why::Time)
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Why {
    /// The conflict limit was reached.
    Conflicts,
    /// The deadline has passed.
    Time,
    /// Someone set the cancellation flag.
    Cancelled,
    /// A term is beyond this back end; the text says which kind.
    Unsupported(&'static str),
    /// The process of an external solver could not be run or gave no sense.
    Process(&'static str),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Conflicts => f.write_str("the solver's conflict limit was reached"),
            Why::Time => f.write_str("the solver ran out of time"),
            Why::Cancelled => f.write_str("the solver was cancelled"),
            Why::Unsupported(what) => write!(f, "the solver does not support {what}"),
            Why::Process(what) => write!(f, "the external solver failed: {what}"),
        }
    }
}
