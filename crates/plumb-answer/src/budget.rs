//! How much an engine may use, and when it must stop.

use crate::answer::{Explored, WhyUnknown};
use crate::host::resident_bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A switch that stops an engine soon after it is thrown, or lets it wait. Copies are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    is_cancelled: Arc<AtomicBool>,
    is_paused: Arc<AtomicBool>,
}

impl Cancel {
    pub fn new() -> Cancel {
        Cancel::default()
    }

    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Lets the engine wait where it looks at its budget, or go on.
    pub fn pause(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::Relaxed);
    }

    /// A switch of its own for a part of the work: it is thrown alone, and it waits whenever this one does. Whoever throws
    /// this one has to throw it as well.
    pub fn of_part(&self) -> Cancel {
        Cancel { is_cancelled: Arc::default(), is_paused: self.is_paused.clone() }
    }

    /// The same switch for work that others wait for: it can be stopped, but not paused.
    pub fn without_pause(&self) -> Cancel {
        Cancel { is_cancelled: self.is_cancelled.clone(), is_paused: Arc::default() }
    }

    /// The switch itself, for those who only know flags.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.is_cancelled.clone()
    }

    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn is_paused(&self) -> bool {
        self.is_paused.load(Ordering::Relaxed)
    }
}

/// How often an engine that waits looks whether it may go on.
const PAUSE: Duration = Duration::from_millis(5);

#[derive(Clone, Debug)]
pub struct Budget {
    pub deadline: Option<Instant>,
    /// Bytes that may be used, roughly: for what an engine keeps, or by the whole process where only that can be told.
    pub memory: u64,
    pub threads: usize,
    pub cancel: Cancel,
}

impl Budget {
    /// Without any limit, on one thread.
    pub fn unlimited() -> Budget {
        Budget { deadline: None, memory: u64::MAX, threads: 1, cancel: Cancel::new() }
    }

    /// Whether the engine must stop. An engine that was told to wait waits here.
    pub fn is_over(&self) -> bool {
        loop {
            let is_over = self.cancel.is_cancelled() || self.deadline.is_some_and(|d| Instant::now() >= d);
            if is_over || !self.cancel.is_paused() {
                return is_over;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Why an engine stops that may not go on: it was cancelled, its time is over, or else its memory is full.
    pub fn why_stopped(&self) -> WhyUnknown {
        match () {
            _ if self.cancel.is_cancelled() => WhyUnknown::Cancelled,
            _ if self.is_over() => WhyUnknown::Timeout,
            _ => WhyUnknown::OutOfMemory,
        }
    }

    /// One in so many parts of the time that is left.
    pub fn part(&self, parts: u32) -> Budget {
        let now = Instant::now();
        let deadline = self.deadline.map(|end| now + end.saturating_duration_since(now) / parts);
        Budget { deadline, ..self.clone() }
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

    /// The same in the engine's own words: they are shown in the place of what progress usually looks like.
    fn progress_as(&self, progress: &Progress, _line: &str) {
        self.progress(progress);
    }

    /// What the engine is at, in a few words, until it reports progress.
    fn phase(&self, _what: &str) {}
}

/// Nobody.
impl Watcher for () {
    fn progress(&self, _: &Progress) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_waits_with_the_whole_and_is_cancelled_alone() {
        let whole = Cancel::new();
        let part = whole.of_part();
        whole.pause(true);
        assert!(part.is_paused());
        part.cancel();
        assert!(part.is_cancelled() && !whole.is_cancelled());
    }

    #[test]
    fn parts_are_of_the_time_that_is_left() {
        let now = Instant::now();
        let whole = |deadline| Budget { deadline, memory: 1, threads: 1, cancel: Cancel::new() };
        assert_eq!(whole(None).part(4).deadline, None);
        let left = |deadline| whole(deadline).part(4).deadline.map(|end| end.saturating_duration_since(now));
        let quarter = left(Some(now + Duration::from_secs(400))).expect("there is a deadline");
        assert!((100..150).contains(&quarter.as_secs()), "{quarter:?}");
        assert!(whole(Some(now)).part(4).is_over(), "nothing is left of nothing");
    }

    #[test]
    fn a_reason_to_stop_is_the_first_that_holds() {
        let budget = Budget { deadline: None, memory: 0, threads: 1, cancel: Cancel::new() };
        assert_eq!(budget.why_stopped(), WhyUnknown::OutOfMemory);
        let expired = Budget { deadline: Some(Instant::now()), ..budget.clone() };
        assert_eq!(expired.why_stopped(), WhyUnknown::Timeout);
        expired.cancel.cancel();
        assert_eq!(expired.why_stopped(), WhyUnknown::Cancelled);
    }
}
