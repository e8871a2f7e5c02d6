//! The bench that candidates are run on: a machine, the best course so far, and marks to run from.

use super::course::{Course, Turn};
use super::feed::{Feed, Garbage, Held};
use super::turns;
use crate::replay::{NotReplayed, Replay, compile};
use plumb_engine::Budget;
use plumb_exec::{CompileOptions, Limits, Machine, Outcome, Snapshot, StopSet};
use plumb_ir::check::CheckId;
use plumb_ir::program::Program;
use std::sync::Arc;

/// Steps between two looks at the budget.
const SLICE: u64 = 5_000_000;

/// The state before a turn of the best course.
#[derive(Clone)]
pub(super) struct Mark {
    pub turn: usize,
    snapshot: Snapshot,
    held: Held,
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
    pub runs: u64,
}

impl<'a> Bench<'a> {
    pub fn new(program: &'a Program, claimed: &Replay, budget: &'a Budget) -> Result<Bench<'a>, NotReplayed> {
        let main = turns::main_loop(program, &claimed.inputs)?;
        let probes = main.into_iter().collect();
        let image = compile(program, &CompileOptions { probes, ..CompileOptions::default() })?;
        let stops = StopSet::all(&image);
        let mut machine = Machine::new(image);
        let start = Mark { turn: 0, snapshot: machine.snapshot(), held: Held::default() };
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
            runs: 1,
        };
        bench.cut_into_turns();
        Ok(bench)
    }

    /// Finds out where the turns of the first course begin.
    fn cut_into_turns(&mut self) {
        let all = self.course.turns[0].clone();
        let mut tape = crate::replay::Tape::new(&all);
        let mut turns: Vec<Turn> = Vec::new();
        let mut begin = 0;
        self.machine.restore(&self.start.snapshot);
        while let Outcome::Probe(_) = self.machine.run_until(&mut tape, Limits::default(), &self.stops) {
            if tape.used() > begin {
                turns.push(Arc::new(all[begin..tape.used()].to_vec()));
                begin = tape.used();
            }
        }
        if begin < all.len() || turns.is_empty() {
            turns.push(Arc::new(all[begin..].to_vec()));
        }
        self.course = Course::new(turns, self.program);
    }

    pub fn is_over(&self) -> bool {
        self.budget.is_over()
    }

    pub fn turn_count(&self) -> usize {
        self.course.turns.len()
    }

    pub fn start(&self) -> Mark {
        self.start.clone()
    }

    /// Moves a mark forward to the beginning of a later turn of the best course. `watch` sees the machine at the beginning
    /// of every turn on the way.
    pub fn advance(&mut self, mark: &mut Mark, to: usize, mut watch: impl FnMut(usize, &mut Machine)) -> bool {
        if to <= mark.turn {
            return true;
        }
        self.machine.restore(&mark.snapshot);
        let turns = self.course.turns[mark.turn..].to_vec();
        let mut feed = Feed::new(self.program, self.garbage, &turns, std::mem::take(&mut mark.held));
        let mut turn = mark.turn;
        while turn < to {
            let outcome = self.machine.run_until(&mut feed, Limits::default(), &self.stops);
            if !matches!(outcome, Outcome::Probe(_)) {
                return false;
            }
            if feed.next_turn() {
                turn += 1;
                watch(turn, &mut self.machine);
            }
        }
        *mark = Mark { turn: to, snapshot: self.machine.snapshot(), held: feed.held.clone() };
        true
    }

    /// Runs a candidate that differs from the best course only from the mark's turn on, `turns` being what follows there.
    /// Keeps it if it breaks the same check and costs less.
    pub fn attempt(&mut self, mark: &Mark, turns: &[Turn]) -> bool {
        let Some(course) = self.run(mark, turns) else { return false };
        let is_better = course.cost() < self.course.cost() && course.turns.len() <= self.course.turns.len();
        if is_better {
            self.course = course;
        }
        is_better
    }

    /// Takes other garbage for the rest of the work, if the check still breaks with it.
    pub fn settle(&mut self, garbage: Garbage) -> bool {
        let before = std::mem::replace(&mut self.garbage, garbage);
        let turns = self.course.turns.clone();
        match self.run(&self.start(), &turns) {
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

    /// The course of a candidate that breaks the same check.
    fn run(&mut self, mark: &Mark, turns: &[Turn]) -> Option<Course> {
        if self.is_over() {
            return None;
        }
        self.runs += 1;
        self.machine.restore(&mark.snapshot);
        let mut feed = Feed::new(self.program, self.garbage, turns, mark.held.clone());
        let mut left = self.limit;
        loop {
            let before = self.machine.steps();
            let limits = Limits { steps: left.min(SLICE), ..Limits::default() };
            let outcome = self.machine.run_until(&mut feed, limits, &self.stops);
            left = left.saturating_sub((self.machine.steps() - before).max(1));
            match outcome {
                Outcome::Probe(_) => {
                    feed.next_turn();
                }
                Outcome::StepLimit if left > 0 && !self.is_over() => {}
                Outcome::CheckFailed { check, .. } if check == self.check => break,
                _ => return None,
            }
            if left == 0 {
                return None;
            }
        }
        let mut all = self.course.turns[..mark.turn].to_vec();
        all.extend(feed.finish());
        Some(Course::new(all, self.program))
    }
}
