//! The resources of an exploration, and why it ends early.

use crate::answer::{Explored, Violation, WhyUnknown};
use crate::budget::{Budget, Progress, Watcher};
use crate::predicates::verdict::Verdict;
use std::time::{Duration, Instant};

/// Why an exploration ends before everything was explored.
pub enum Stop {
    Violated(Violation),
    Unknown(WhyUnknown),
}

impl From<WhyUnknown> for Stop {
    fn from(why: WhyUnknown) -> Stop {
        Stop::Unknown(why)
    }
}

impl Stop {
    /// A reason that lies in the program says more than one that lies in the budget.
    pub fn explained(self, verdict: &mut Verdict) -> Stop {
        match self {
            Stop::Unknown(why) if why.is_budget() => Stop::Unknown(verdict.obstacle.take().unwrap_or(why)),
            stop => stop,
        }
    }
}

/// The budget, and who watches the progress.
pub struct Monitor<'a> {
    pub budget: &'a Budget,
    pub watcher: &'a dyn Watcher,
    report_interval: Duration,
    started: Instant,
    reported: Instant,
}

impl<'a> Monitor<'a> {
    pub fn new(budget: &'a Budget, watcher: &'a dyn Watcher, report_interval: Duration) -> Monitor<'a> {
        let now = Instant::now();
        Monitor { budget, watcher, report_interval, started: now, reported: now }
    }

    /// Checks the budget for so many bytes of terms.
    pub fn check(&self, memory: u64) -> Result<(), WhyUnknown> {
        let is_over = self.budget.is_over() || self.budget.is_full(memory);
        if is_over { Err(self.budget.why_stopped()) } else { Ok(()) }
    }

    /// Whether it is time to report progress.
    pub fn is_due(&self) -> bool {
        self.reported.elapsed() >= self.report_interval
    }

    /// Reports progress: with how much work waiting, and so many bytes of terms.
    pub fn report(&mut self, explored: Explored, waiting: usize, memory: u64) {
        self.reported = Instant::now();
        self.watcher.progress(&Progress { explored, elapsed: self.started.elapsed(), kept: waiting as u64, memory });
    }
}
