//! The bench that candidates are run on: a machine, the best course so far, and marks to run from.

use super::course::{Course, Iteration};
use super::feed::{Feed, Garbage, LastValues};
use super::iterations;
use crate::replay::{Clock, NotReplayed, Replay, Tape, compile};
use plumb_answer::Budget;
use plumb_exec::{CompileOptions, Machine, Outcome, Snapshot, StopSet};
use plumb_ir::check::CheckId;
use plumb_ir::program::Program;
use std::sync::Arc;

/// The state before an iteration of the best course.
#[derive(Clone)]
pub(super) struct Mark {
    pub iteration: usize,
    snapshot: Snapshot,
    last_values: LastValues,
}

pub(super) struct Bench<'a> {
    pub program: &'a Program,
    machine: Machine,
    stops: StopSet,
    check: CheckId,
    /// The best so far.
    pub course: Course,
    start: Mark,
    /// Steps that a candidate may take.
    limit: u64,
    garbage: Garbage,
    budget: &'a Budget,
    /// That of the pass at hand, which has to give way to the next.
    pass_budget: Budget,
    pub runs: u64,
}

impl<'a> Bench<'a> {
    pub fn new(program: &'a Program, claimed: &Replay, budget: &'a Budget) -> Result<Bench<'a>, NotReplayed> {
        let main = iterations::main_loop(program, &claimed.inputs, budget)?;
        let probes = main.into_iter().collect();
        let image = compile(program, &CompileOptions { probes, ..CompileOptions::default() })?;
        let stops = StopSet::all(&image);
        let mut machine = Machine::new(image);
        let start = Mark { iteration: 0, snapshot: machine.snapshot(), last_values: LastValues::default() };
        let limit = claimed.steps.saturating_mul(2).saturating_add(1_000_000);
        let whole = vec![Arc::new(claimed.inputs.clone())];
        let course = Course::new(whole, program);
        let mut bench = Bench {
            program,
            machine,
            stops,
            check: claimed.check,
            course,
            start,
            limit,
            garbage: Garbage::Recorded,
            budget,
            pass_budget: budget.clone(),
            runs: 1,
        };
        bench.cut_into_iterations();
        Ok(bench)
    }

    /// Finds out where the iterations of the first course begin.
    fn cut_into_iterations(&mut self) {
        let all = self.course.iterations[0].clone();
        let mut tape = Tape::new(&all);
        let mut iterations: Vec<Iteration> = Vec::new();
        let mut begin = 0;
        self.machine.restore(&self.start.snapshot);
        let mut clock = Clock::new(self.budget);
        while let Some(Outcome::Probe(_)) = clock.run(&mut self.machine, &mut tape, &self.stops, &mut |_| {}) {
            if tape.used() > begin {
                iterations.push(Arc::new(all[begin..tape.used()].to_vec()));
                begin = tape.used();
            }
        }
        if begin < all.len() || iterations.is_empty() {
            iterations.push(Arc::new(all[begin..].to_vec()));
        }
        self.course = Course::new(iterations, self.program);
    }

    /// The whole time is over.
    pub fn is_exhausted(&self) -> bool {
        self.budget.is_over()
    }

    /// The time is over, or the share of the pass at hand.
    pub fn is_over(&self) -> bool {
        self.pass_budget.is_over()
    }

    /// Runs a pass for no longer than one part in so many of the time that is left. Returns whether it got to its end.
    pub fn pass(&mut self, pass: fn(&mut Bench<'a>), parts: u32) -> bool {
        self.pass_budget.deadline = self.budget.part(parts).deadline;
        pass(self);
        let is_whole = !self.is_over();
        self.pass_budget.deadline = self.budget.deadline;
        is_whole
    }

    pub fn iteration_count(&self) -> usize {
        self.course.iterations.len()
    }

    pub fn start(&self) -> Mark {
        self.start.clone()
    }

    /// Moves a mark forward to the beginning of a later iteration of the best course. `watch` sees the machine at the beginning
    /// of every iteration before it.
    pub fn advance(&mut self, mark: &mut Mark, to: usize, mut watch: impl FnMut(usize, &mut Machine)) -> bool {
        if to <= mark.iteration {
            return true;
        }
        self.machine.restore(&mark.snapshot);
        let between = &self.course.iterations[mark.iteration..to];
        let mut feed = Feed::new(self.program, self.garbage, between, std::mem::take(&mut mark.last_values));
        let mut iteration = mark.iteration;
        let mut clock = Clock::new(&self.pass_budget);
        while iteration < to {
            match clock.run(&mut self.machine, &mut feed, &self.stops, &mut |_| {}) {
                Some(Outcome::Probe(_)) if feed.next_iteration() => {
                    iteration += 1;
                    watch(iteration, &mut self.machine);
                }
                Some(Outcome::Probe(_)) => {}
                Some(_) | None => return false,
            }
        }
        *mark = Mark { iteration: to, snapshot: self.machine.snapshot(), last_values: feed.last_values.clone() };
        true
    }

    /// Runs a candidate that differs from the best course only from the mark's iteration on, `iterations` being what follows there.
    /// Keeps it if it breaks the same check and costs less.
    pub fn attempt(&mut self, mark: &Mark, iterations: &[Iteration]) -> bool {
        let best = std::mem::take(&mut self.course);
        let found = self.run(mark, &best.iterations[..mark.iteration], iterations);
        self.keep_better(best, found)
    }

    /// The same with the best course without its iterations from the mark to `end`.
    pub fn attempt_without(&mut self, mark: &Mark, end: usize) -> bool {
        let best = std::mem::take(&mut self.course);
        let found = self.run(mark, &best.iterations[..mark.iteration], &best.iterations[end..]);
        self.keep_better(best, found)
    }

    fn keep_better(&mut self, best: Course, found: Option<Course>) -> bool {
        let is_better = |c: &Course| c.cost() < best.cost() && c.iterations.len() <= best.iterations.len();
        let better = found.filter(is_better);
        let is_better = better.is_some();
        self.course = better.unwrap_or(best);
        is_better
    }

    /// Takes other garbage for the rest of the work, if the check still breaks with it.
    pub fn settle(&mut self, garbage: Garbage) -> bool {
        let before = std::mem::replace(&mut self.garbage, garbage);
        let iterations = self.course.iterations.clone();
        match self.run(&self.start(), &[], &iterations) {
            Some(course) => {
                self.course = course;
                true
            }
            None => {
                self.garbage = before;
                false
            }
        }
    }

    /// The course of a candidate that breaks the same check: some iterations before the mark, and some from there on.
    fn run(&mut self, mark: &Mark, before: &[Iteration], iterations: &[Iteration]) -> Option<Course> {
        if self.is_over() {
            return None;
        }
        self.runs += 1;
        self.machine.restore(&mark.snapshot);
        let mut feed = Feed::new(self.program, self.garbage, iterations, mark.last_values.clone());
        let mut clock = Clock::with_steps(&self.pass_budget, self.limit);
        loop {
            match clock.run(&mut self.machine, &mut feed, &self.stops, &mut |_| {}) {
                Some(Outcome::Probe(_)) => {
                    feed.next_iteration();
                }
                Some(Outcome::CheckFailed { check, .. }) if check == self.check => break,
                Some(_) | None => return None,
            }
        }
        let mut all = before.to_vec();
        all.extend(feed.finish());
        Some(Course::new(all, self.program))
    }
}
