//! Looks after what the machine has to give: memory, and processor time where the system limits it.

use super::Running;
use super::tuning::TUNING;
use crate::answer::WhyUnknown;
use crate::budget::Budget;
use crate::host::{processor_limit, processor_time, resident_bytes};
use std::time::{Duration, Instant};

pub struct Supervisor<'b> {
    budget: &'b Budget,
    processor_limit: Option<Duration>,
    last_poll: Instant,
}

impl<'b> Supervisor<'b> {
    pub fn new(budget: &'b Budget) -> Supervisor<'b> {
        Supervisor { budget, processor_limit: processor_limit(), last_poll: Instant::now() }
    }

    pub fn poll(&mut self, running: &mut [Running]) {
        if self.budget.cancel.is_cancelled() {
            running.iter().for_each(|r| r.cancel.cancel());
        }
        if self.last_poll.elapsed() < TUNING.memory_poll {
            return;
        }
        self.last_poll = Instant::now();
        if let (Some(limit), Some(used)) = (self.processor_limit, processor_time())
            && used + TUNING.reporting_time > limit
        {
            for one in running.iter_mut().filter(|r| r.ended.is_none()) {
                one.ended = Some(WhyUnknown::Timeout);
                one.cancel.cancel();
            }
        }
        // One after the other: what an engine has is free only when it has ended.
        let is_full = resident_bytes().is_some_and(|bytes| bytes > self.budget.memory);
        if is_full && running.iter().all(|r| r.ended.is_none()) {
            let last = running.iter_mut().filter(|r| r.ends_first.is_some()).max_by_key(|r| r.ends_first);
            if let Some(one) = last {
                one.ended = Some(WhyUnknown::OutOfMemory);
                one.cancel.cancel();
            }
        }
    }
}
