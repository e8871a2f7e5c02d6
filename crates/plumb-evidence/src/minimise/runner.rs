//! Runs candidates of delta debugging: a machine, the best input sequence so far, and checkpoints to run from.

use super::feed::{Feed, Garbage, LastValues};
use super::iterations;
use super::sequence::{InputSequence, Iteration};
use crate::replay::{Clock, NotReplayed, Replay, Tape, compile};
use plumb_answer::Budget;
use plumb_exec::{CompileOptions, Machine, Outcome, Snapshot, StopSet};
use plumb_ir::check::CheckId;
use plumb_ir::program::Program;
use std::sync::Arc;

/// The state before an iteration of the best sequence.
#[derive(Clone)]
pub(super) struct Checkpoint {
    pub iteration: usize,
    snapshot: Snapshot,
    last_values: LastValues,
}

pub(super) struct CandidateRunner<'a> {
    pub program: &'a Program,
    machine: Machine,
    stops: StopSet,
    check: CheckId,
    /// The best so far.
    pub sequence: InputSequence,
    start: Checkpoint,
    /// Steps that a candidate may take.
    limit: u64,
    garbage: Garbage,
    budget: &'a Budget,
    /// That of the pass at hand, which has to give way to the next.
    pass_budget: Budget,
    pub runs: u64,
}

impl<'a> CandidateRunner<'a> {
    pub fn new(program: &'a Program, claimed: &Replay, budget: &'a Budget) -> Result<CandidateRunner<'a>, NotReplayed> {
        let main = iterations::main_loop(program, &claimed.inputs, budget)?;
        let probes = main.into_iter().collect();
        let image = compile(program, &CompileOptions { probes, ..CompileOptions::default() })?;
        let stops = StopSet::all(&image);
        let mut machine = Machine::new(image);
        let start = Checkpoint { iteration: 0, snapshot: machine.snapshot(), last_values: LastValues::default() };
        let limit = claimed.steps.saturating_mul(2).saturating_add(1_000_000);
        let whole = vec![Arc::new(claimed.inputs.clone())];
        let sequence = InputSequence::new(whole, program);
        let mut runner = CandidateRunner {
            program,
            machine,
            stops,
            check: claimed.check,
            sequence,
            start,
            limit,
            garbage: Garbage::Recorded,
            budget,
            pass_budget: budget.clone(),
            runs: 1,
        };
        runner.cut_into_iterations();
        Ok(runner)
    }

    /// Finds out where the iterations of the first sequence begin.
    fn cut_into_iterations(&mut self) {
        let all = self.sequence.iterations[0].clone();
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
        self.sequence = InputSequence::new(iterations, self.program);
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
    pub fn pass(&mut self, pass: fn(&mut CandidateRunner<'a>), parts: u32) -> bool {
        self.pass_budget.deadline = self.budget.part(parts).deadline;
        pass(self);
        let is_whole = !self.is_over();
        self.pass_budget.deadline = self.budget.deadline;
        is_whole
    }

    pub fn iteration_count(&self) -> usize {
        self.sequence.iterations.len()
    }

    pub fn start(&self) -> Checkpoint {
        self.start.clone()
    }

    /// Moves a checkpoint forward to the beginning of a later iteration of the best sequence. `watch` sees the machine at the beginning
    /// of every iteration before it.
    pub fn advance(
        &mut self,
        checkpoint: &mut Checkpoint,
        to: usize,
        mut watch: impl FnMut(usize, &mut Machine),
    ) -> bool {
        if to <= checkpoint.iteration {
            return true;
        }
        self.machine.restore(&checkpoint.snapshot);
        let between = &self.sequence.iterations[checkpoint.iteration..to];
        let mut feed = Feed::new(self.program, self.garbage, between, std::mem::take(&mut checkpoint.last_values));
        let mut iteration = checkpoint.iteration;
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
        *checkpoint =
            Checkpoint { iteration: to, snapshot: self.machine.snapshot(), last_values: feed.last_values.clone() };
        true
    }

    /// Runs a candidate that differs from the best sequence only from the checkpoint's iteration on, `iterations` being what follows there.
    /// Keeps it if it breaks the same check and costs less.
    pub fn attempt(&mut self, checkpoint: &Checkpoint, iterations: &[Iteration]) -> bool {
        let best = std::mem::take(&mut self.sequence);
        let found = self.run(checkpoint, &best.iterations[..checkpoint.iteration], iterations);
        self.keep_better(best, found)
    }

    /// The same with the best sequence without its iterations from the checkpoint to `end`.
    pub fn attempt_without(&mut self, checkpoint: &Checkpoint, end: usize) -> bool {
        let best = std::mem::take(&mut self.sequence);
        let found = self.run(checkpoint, &best.iterations[..checkpoint.iteration], &best.iterations[end..]);
        self.keep_better(best, found)
    }

    fn keep_better(&mut self, best: InputSequence, found: Option<InputSequence>) -> bool {
        let is_better = |c: &InputSequence| c.cost() < best.cost() && c.iterations.len() <= best.iterations.len();
        let better = found.filter(is_better);
        let is_better = better.is_some();
        self.sequence = better.unwrap_or(best);
        is_better
    }

    /// Takes other garbage for the rest of the work, if the check still breaks with it.
    pub fn settle(&mut self, garbage: Garbage) -> bool {
        let before = std::mem::replace(&mut self.garbage, garbage);
        let iterations = self.sequence.iterations.clone();
        match self.run(&self.start(), &[], &iterations) {
            Some(sequence) => {
                self.sequence = sequence;
                true
            }
            None => {
                self.garbage = before;
                false
            }
        }
    }

    /// The sequence of a candidate that breaks the same check: some iterations before the checkpoint, and some from there on.
    fn run(
        &mut self,
        checkpoint: &Checkpoint,
        before: &[Iteration],
        iterations: &[Iteration],
    ) -> Option<InputSequence> {
        if self.is_over() {
            return None;
        }
        self.runs += 1;
        self.machine.restore(&checkpoint.snapshot);
        let mut feed = Feed::new(self.program, self.garbage, iterations, checkpoint.last_values.clone());
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
        Some(InputSequence::new(all, self.program))
    }
}
