//! How much a search may cost, and when it must stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Bounds of one search. With bounds that are counts the same seed gives the same answers on any number of threads; a
/// deadline or a cancellation ends the search where it happens to be.
#[derive(Clone, Debug)]
pub struct Budget {
    pub deadline: Option<Instant>,
    /// Terms that may be examined.
    pub candidates: u64,
    /// Terms to examine beyond the first complete answer, in search of a smaller one.
    pub improvement: u64,
    /// Bytes that enumerated terms may take, roughly.
    pub memory: u64,
    pub threads: usize,
    /// Set by anyone to stop soon.
    pub cancel: Arc<AtomicBool>,
    /// Where chance begins: which examples are looked at first.
    pub seed: u64,
    /// Answers to keep.
    pub answers: usize,
}

impl Default for Budget {
    /// A gibibyte, one thread, no deadline.
    fn default() -> Budget {
        Budget {
            deadline: None,
            candidates: u64::MAX,
            improvement: 500_000,
            memory: 1 << 30,
            threads: 1,
            cancel: Arc::default(),
            seed: 0,
            answers: 5,
        }
    }
}

impl Budget {
    /// Whether time is up or someone wants the search to stop.
    pub fn is_over(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// With an answer that satisfies all examples that a function can satisfy.
    Complete,
    /// The grammar has no more terms that differ on the examples.
    Exhausted,
    /// The bound on examined terms was reached.
    Candidates,
    /// There was no room for more terms.
    Memory,
    /// The deadline passed, or the search was cancelled.
    Stopped,
}
