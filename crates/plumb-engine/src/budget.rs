//! How much an engine may use, and when it must stop.

use crate::answer::Explored;
use crate::host::resident_bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A switch that stops an engine soon after it is thrown. Copies are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn new() -> Cancel {
        Cancel::default()
    }

    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The switch itself, for those who only know flags.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Clone, Debug)]
pub struct Budget {
    pub deadline: Option<Instant>,
    /// Bytes that may be used, roughly: for what an engine keeps, or by the whole process where only that can be told.
    pub memory: u64,
    pub threads: usize,
    pub cancel: Cancel,
}

impl Budget {
    pub fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || self.deadline.is_some_and(|d| Instant::now() >= d)
    }

    /// Whether the process has more memory than it may. `own` is what the caller knows of, for systems that do not tell.
    pub fn is_full(&self, own: u64) -> bool {
        resident_bytes().unwrap_or(own) > self.memory
    }
}

/// How far an engine is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub explored: Explored,
    pub elapsed: Duration,
    /// States kept to search from.
    pub kept: u64,
    /// Bytes that the engine's own data take, roughly.
    pub memory: u64,
}

/// Someone who wants to know how far an engine is. Called a few times a second at most, from any thread.
pub trait Watcher: Sync {
    fn progress(&self, progress: &Progress);
}

/// Nobody.
impl Watcher for () {
    fn progress(&self, _: &Progress) {}
}
