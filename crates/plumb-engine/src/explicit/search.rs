//! The search: states to be explored by the number of preemptions that led to them, and the fingerprints of those visited.

use super::choices::{Choices, choices};
use super::tuning::TUNING;
use crate::answer::{Explored, Violation, WhyUnknown};
use crate::budget::{Budget, Progress, Watcher};
use plumb_exec::{
    Image, InputSource, InputValue, Limits, LiveRegisters, Machine, Outcome, RegionFill, Snapshot, page_bytes,
};
use plumb_ir::index::{TiSlice, TiVec};
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::ty::Bits;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::time::Instant;

/// What a search has found.
pub enum Found {
    Violation(Violation),
    /// Every run breaks no check.
    Everything,
    /// Why that is not known.
    Open(WhyUnknown),
}

/// The inputs that led to a state, the last one first.
struct Trail {
    before: Option<Arc<Trail>>,
    input: InputId,
    value: InputValue,
}

/// A state with the values that it has not gone on with yet.
struct Open {
    state: Snapshot,
    trail: Option<Arc<Trail>>,
    input: InputId,
    value: InputValue,
}

pub struct Search<'a> {
    machine: Machine,
    live: LiveRegisters,
    choices: TiVec<InputId, Choices>,
    budget: &'a Budget,
    watcher: &'a dyn Watcher,
    started: Instant,
    /// By number of preemptions; within one number the last one is explored first.
    open: Vec<Vec<Open>>,
    open_count: u64,
    visited: FxHashSet<u128>,
    /// Why the search is not complete, if it is not.
    gap: Option<WhyUnknown>,
    explored: Explored,
}

/// Gives one value, and then none but to inputs that have one choice only, which it notes.
struct NextInput<'a> {
    next: Option<InputValue>,
    choices: &'a TiSlice<InputId, Choices>,
    trail: Option<Arc<Trail>>,
    /// An input of which not all values are tried.
    incomplete: Option<InputId>,
}

impl NextInput<'_> {
    fn value(&mut self, id: InputId) -> Option<InputValue> {
        let choices = &self.choices[id];
        let value = match self.next.take() {
            Some(value) => value,
            None => match &choices.values[..] {
                [only] => only.clone(),
                _ => return None,
            },
        };
        if !choices.is_complete {
            self.incomplete.get_or_insert(id);
        }
        self.trail = Some(Arc::new(Trail { before: self.trail.take(), input: id, value: value.clone() }));
        Some(value)
    }
}

impl InputSource for NextInput<'_> {
    fn scalar(&mut self, id: InputId, _: &InputSite) -> Option<Bits> {
        match self.value(id)? {
            InputValue::Scalar(bits) => Some(bits),
            InputValue::Region(_) => None,
        }
    }

    fn region(&mut self, id: InputId, _: &InputSite, _: u64) -> Option<RegionFill> {
        match self.value(id)? {
            InputValue::Region(fill) => Some(fill),
            InputValue::Scalar(_) => None,
        }
    }
}

/// How a run from a state goes on.
enum Next {
    /// The run is over, or goes where another has been.
    Done,
    Violation(Violation),
    /// The budget is spent.
    Stop,
    /// It asks for an input that has several values.
    Asks(InputId),
}

impl<'a> Search<'a> {
    pub fn new(image: Arc<Image>, budget: &'a Budget, watcher: &'a dyn Watcher) -> Search<'a> {
        let choices = choices(image.program());
        let live = LiveRegisters::default();
        Search {
            machine: Machine::new(image),
            live,
            choices,
            budget,
            watcher,
            started: Instant::now(),
            open: Vec::new(),
            open_count: 0,
            visited: FxHashSet::default(),
            gap: None,
            explored: Explored::default(),
        }
    }

    pub fn explored(&self) -> Explored {
        Explored { states: self.visited.len() as u64, ..self.explored }
    }

    pub fn run(&mut self) -> Found {
        let mut preemptions = 0;
        let mut trail: Option<Arc<Trail>> = None;
        let mut value: Option<InputValue> = None;
        loop {
            match self.follow(&mut trail, value.take()) {
                Next::Violation(violation) => return Found::Violation(violation),
                Next::Stop => return Found::Open(self.why_stopped()),
                Next::Asks(input) => {
                    if self.is_full() {
                        return Found::Open(WhyUnknown::OutOfMemory);
                    }
                    self.branch(input, &trail, preemptions);
                }
                Next::Done => self.explored.runs += 1,
            }
            let Some((number, one)) = self.take() else { break };
            self.machine.restore(&one.state);
            (preemptions, trail, value) = (number, one.trail, Some(one.value));
            debug_assert!(self.choices.get(one.input).is_some());
        }
        match self.gap.take() {
            // Another library would give other values.
            None if self.machine.has_settled() => Found::Open(WhyUnknown::Addresses),
            None => Found::Everything,
            Some(why) => Found::Open(why),
        }
    }

    /// What cannot be modelled is a better reason than the time.
    fn why_stopped(&mut self) -> WhyUnknown {
        match self.gap.take() {
            Some(why @ (WhyUnknown::Unsupported(_) | WhyUnknown::Fault(..))) => why,
            Some(_) | None => self.budget.why_stopped(),
        }
    }

    /// The state that is explored next, with its number of preemptions.
    fn take(&mut self) -> Option<(usize, Open)> {
        let (number, list) = self.open.iter_mut().enumerate().find(|(_, list)| !list.is_empty())?;
        self.open_count -= 1;
        list.pop().map(|one| (number, one))
    }

    /// Puts the state with each value of an input aside. To take control away costs a preemption; to leave it does not.
    fn branch(&mut self, input: InputId, trail: &Option<Arc<Trail>>, preemptions: usize) {
        let state = self.machine.snapshot();
        let Choices { values, is_schedule, .. } = self.choices[input].clone();
        for value in values {
            let is_preemption = is_schedule && !matches!(&value, InputValue::Scalar(bits) if bits.is_zero());
            let number = preemptions + usize::from(is_preemption);
            while self.open.len() <= number {
                self.open.push(Vec::new());
            }
            self.open_count += 1;
            self.open[number].push(Open { state: state.clone(), trail: trail.clone(), input, value });
        }
    }

    fn is_full(&self) -> bool {
        let own = self.open_count * TUNING.open_bytes + self.visited.len() as u64 * TUNING.visited_bytes;
        own + page_bytes() > self.budget.memory
    }

    /// Runs on until the program asks for an input that has several values, in a state that is new.
    fn follow(&mut self, trail: &mut Option<Arc<Trail>>, value: Option<InputValue>) -> Next {
        let mut source = NextInput { next: value, choices: &self.choices, trail: trail.take(), incomplete: None };
        let before = self.machine.work();
        let limits = Limits { memory: self.budget.memory / 2, ..Limits::steps(TUNING.slice) };
        let mut circle = CycleDetector::default();
        let outcome = loop {
            match self.machine.run(&mut source, limits) {
                Outcome::StepLimit if self.budget.is_over() => return Next::Stop,
                Outcome::StepLimit => match circle.visit(self.machine.fingerprint()) {
                    Round::Open => {}
                    Round::Closed => break None,
                    Round::TooLong => {
                        self.gap.get_or_insert(WhyUnknown::Timeout);
                        break None;
                    }
                },
                outcome => break Some(outcome),
            }
        };
        let incomplete = source.incomplete;
        *trail = source.trail.take();
        self.explored.steps += self.machine.work() - before;
        if let Some(input) = incomplete {
            self.gap.get_or_insert(WhyUnknown::Values(input));
        }
        match outcome {
            None => Next::Done,
            Some(Outcome::NoInput { input, .. }) => {
                match self.visited.insert(self.machine.fingerprint_at_input(&self.live)) {
                    true => self.ask(input),
                    false => Next::Done,
                }
            }
            Some(Outcome::CheckFailed { check, .. }) => {
                Next::Violation(Violation { check, inputs: inputs(trail.as_deref()) })
            }
            Some(Outcome::Unsupported { check, .. }) => self.give_up(WhyUnknown::Unsupported(check)),
            Some(Outcome::Fault { kind, site }) => self.give_up(WhyUnknown::Fault(kind, site)),
            Some(
                Outcome::Returned(_)
                | Outcome::Exited(_)
                | Outcome::Aborted
                | Outcome::AssumptionFailed(_)
                | Outcome::Stopped { .. }
                | Outcome::StepLimit
                | Outcome::Probe(_),
            ) => Next::Done,
        }
    }

    fn ask(&mut self, input: InputId) -> Next {
        if (self.visited.len() as u64).is_multiple_of(TUNING.report) {
            let progress = Progress {
                explored: self.explored(),
                elapsed: self.started.elapsed(),
                kept: self.open_count,
                memory: page_bytes(),
            };
            self.watcher.progress(&progress);
            if self.budget.is_over() {
                return Next::Stop;
            }
        }
        Next::Asks(input)
    }

    /// A run that says nothing about the program: there may be violations beyond.
    fn give_up(&mut self, why: WhyUnknown) -> Next {
        match &self.gap {
            None | Some(WhyUnknown::Timeout | WhyUnknown::Values(_)) => self.gap = Some(why),
            Some(_) => {}
        }
        Next::Done
    }
}

fn inputs(mut trail: Option<&Trail>) -> Vec<(InputId, InputValue)> {
    let mut list = Vec::new();
    while let Some(one) = trail {
        list.push((one.input, one.value.clone()));
        trail = one.before.as_deref();
    }
    list.reverse();
    list
}

/// Whether a run that asks for nothing is where it was before (Brent's algorithm on fingerprints).
#[derive(Default)]
struct CycleDetector {
    kept: Option<u128>,
    slices: u32,
    next: u32,
}

enum Round {
    Open,
    Closed,
    TooLong,
}

impl CycleDetector {
    fn visit(&mut self, fingerprint: u128) -> Round {
        if self.kept == Some(fingerprint) {
            return Round::Closed;
        }
        self.slices += 1;
        if self.slices > self.next {
            self.kept = Some(fingerprint);
            self.next = self.slices * 2;
        }
        if self.slices > TUNING.most_slices { Round::TooLong } else { Round::Open }
    }
}
