//! The resources of an exploration: time, memory and pauses; and its statistics.

use super::tuning::ExplorationTuning;
use crate::answer::{Explored, WhyUnknown};
use crate::budget::{Budget, Progress, Watcher};
use plumb_ir::program::FuncId;
use plumb_sym::State;
use plumb_term::Terms;
use std::time::Instant;

pub struct Monitor<'a> {
    pub budget: &'a Budget,
    watcher: &'a dyn Watcher,
    tuning: ExplorationTuning,
    started: Instant,
    reported: Instant,
    /// Steps until the next check.
    until_check: u32,
    /// When to pause.
    pub pause: Option<Instant>,
}

impl<'a> Monitor<'a> {
    pub fn new(budget: &'a Budget, watcher: &'a dyn Watcher, tuning: &ExplorationTuning) -> Monitor<'a> {
        let now = Instant::now();
        let until_check = tuning.steps_per_check;
        Monitor { budget, watcher, tuning: *tuning, started: now, reported: now, until_check, pause: None }
    }

    pub fn should_pause(&self) -> bool {
        self.pause.is_some_and(|moment| Instant::now() >= moment)
    }

    /// Counts a step. Now and then the budget is checked: whether it was.
    pub fn step(&mut self, terms: &Terms) -> Result<bool, WhyUnknown> {
        self.until_check -= 1;
        let is_late = self.until_check.is_multiple_of(self.tuning.steps_per_clock) && self.budget.is_over();
        if self.until_check > 0 && !is_late {
            return Ok(false);
        }
        self.check(terms).map(|()| true)
    }

    /// Checks the budget at once.
    pub fn check(&mut self, terms: &Terms) -> Result<(), WhyUnknown> {
        self.until_check = self.tuning.steps_per_check;
        let is_full = terms.len() > self.tuning.max_terms || self.budget.is_full(terms.heap_bytes() as u64);
        if is_full || self.budget.is_over() { Err(self.budget.why_stopped()) } else { Ok(()) }
    }

    /// Lets a query with so many conditions count as several steps.
    pub fn charge(&mut self, conditions: usize) {
        let steps = conditions as u32 / self.tuning.conditions_per_step;
        self.until_check = self.until_check.saturating_sub(steps).max(1);
    }

    /// Reports progress, if it is time to.
    pub fn report(&mut self, explored: Explored, waiting: usize, terms: &Terms) {
        if self.reported.elapsed() >= self.tuning.report_interval {
            self.reported = Instant::now();
            let (elapsed, memory) = (self.started.elapsed(), terms.heap_bytes() as u64);
            self.watcher.progress(&Progress { explored, elapsed, kept: waiting as u64, memory });
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub steps: u64,
    /// Paths that were followed to their ends.
    pub paths: u64,
    pub refinements: u32,
    /// How often the exploration has started over.
    pub restarts: u32,
    /// The most visits of a loop head that count.
    pub max_visits: u32,
    max_frames: usize,
    /// A function that was called very often within itself, and the step of the deepest call.
    recursive: Option<(FuncId, u64)>,
}

impl Statistics {
    pub fn explored(&self, abstract_states: usize) -> Explored {
        Explored {
            runs: self.paths,
            steps: self.steps,
            deepest: self.max_visits as u64,
            states: abstract_states as u64,
            ..Explored::default()
        }
    }

    /// Notes recursion that is deeper than ever.
    pub fn note_depth(&mut self, state: &State, deep_recursion: usize) {
        if state.depth() <= self.max_frames {
            return;
        }
        self.max_frames = state.depth();
        let func = state.func();
        if state.frames().filter(|frame| frame.func == func).count() > deep_recursion {
            self.recursive = Some((func, self.steps));
        }
    }

    /// A function whose calls were still getting deeper not long ago.
    pub fn endless_recursion(&self) -> Option<FuncId> {
        self.recursive.filter(|(_, step)| *step > self.steps / 2).map(|(func, _)| func)
    }
}
