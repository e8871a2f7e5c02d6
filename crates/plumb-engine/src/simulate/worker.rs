//! One thread's search: its machine, what it has seen and learned, and the states it branches from.

use super::corpus::{Entry, Place, Seed, Trace};
use super::coverage::Coverage;
use super::features::Layout;
use super::objectives::Objectives;
use super::observe::Observer;
use super::plan::Plan;
use super::segments::Segments;
use super::sites::{Feeder, Given, Site, values};
use super::states::States;
use super::tuning::TUNING;
use crate::answer::{Explored, Violation, WhyUnknown};
use crate::budget::Budget;
use crate::replay::loose;
use plumb_exec::{FaultKind, Image, InputValue, Limits, Machine, News, Outcome, RegionFill};
use plumb_ir::check::CheckId;
use plumb_ir::index::TiVec;
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::ty::Bits;
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub struct Worker {
    pub(super) machine: Machine,
    pub(super) plan: Arc<Plan>,
    pub(super) budget: Budget,
    memory: Memory,
    pub feeder: Feeder,
    segments: Segments,
    /// Loop heads since the place that the machine was last put to.
    pub(super) passed: u32,
    states: States,
    pub(super) objectives: Objectives,
    pub explored: Explored,
    pub obstacles: Obstacles,
    pub(super) observer: Observer,
}

/// Bytes.
struct Memory {
    /// What the program may use.
    program: u64,
    /// What may be kept in one round, and what was kept in this one.
    round: u64,
    kept: u64,
}

/// What has ended runs without an answer.
#[derive(Default)]
pub struct Obstacles {
    /// What is not modelled, by how many runs.
    pub unsupported: FxHashMap<CheckId, u64>,
    /// Runs that needed more memory than there is.
    pub out_of_memory: u64,
    /// An input that a violation rested on and no real library need give.
    pub loose: Option<WhyUnknown>,
}

/// How a segment ended.
pub(super) enum Segment {
    /// At a loop head.
    Head(usize),
    /// The run is over.
    Over,
    Broken(CheckId),
}

impl Worker {
    pub fn new(
        image: Arc<Image>,
        plan: Arc<Plan>,
        layouts: Arc<Vec<Layout>>,
        seed: u64,
        entries: usize,
        budget: Budget,
    ) -> Worker {
        let mut machine = Machine::new(image.clone());
        let start = Place { snapshot: machine.snapshot(), trace: Trace::start(), depth: 0, heads: 0, work: 0 };
        let share = budget.memory / budget.threads.max(1) as u64;
        Worker {
            machine,
            // A byte of the program takes two.
            memory: Memory { program: TUNING.program_memory.min(share / 4), round: share / 4, kept: 0 },
            budget,
            feeder: Feeder::new(image.program(), plan.constants.all.clone(), seed),
            segments: Segments::new(&plan),
            passed: 0,
            states: States::new(start, layouts, entries),
            objectives: Objectives::new(&image, &plan),
            explored: Explored::default(),
            obstacles: Obstacles::default(),
            observer: Observer::default(),
            plan,
        }
    }

    /// Searches for about so many steps, or until it has kept much.
    pub fn search(&mut self, steps: u64) -> Option<Violation> {
        let end = self.explored.steps + steps;
        self.memory.kept = 0;
        while self.explored.steps < end && self.memory.kept < self.memory.round && !self.budget.is_over() {
            if let Some(violation) = self.one() {
                return Some(violation);
            }
        }
        None
    }

    /// One run, or several short ones toward an objective.
    fn one(&mut self) -> Option<Violation> {
        if let Some(script) = self.observer.suggested.pop() {
            return self.run(self.states.start.clone(), &script, TUNING.suggested_length);
        }
        let choice = self.feeder.rng().below(100);
        if self.explored.runs > 4 {
            if choice < 25
                && let Some(found) = self.objective()
            {
                return found;
            }
            if choice < 45
                && let Some(found) = self.variation()
            {
                return found;
            }
            if choice < 50
                && let Some(found) = self.repetition()
            {
                return found;
            }
            let rng = self.feeder.rng();
            let length = 1 << rng.below(10);
            if choice < 90
                && let Some(entry) = self.states.corpus.pick(rng)
            {
                let place = entry.place.clone();
                return self.run(place, &[], length);
            }
        }
        self.segments.begin_run(self.feeder.rng());
        let length = 1 << self.feeder.rng().below(12);
        let known = self.objectives.branches().0;
        let found = self.run(self.states.start.clone(), &[], length);
        self.segments.end_run(self.objectives.branches().0 > known);
        found
    }

    /// Runs from a place, first on a script, for so many heads after the last that showed something new.
    fn run(&mut self, from: Place, script: &[InputValue], length: u64) -> Option<Violation> {
        self.explored.runs += 1;
        self.states.seen.jump();
        self.feeder.begin_run();
        let mut place = from;
        self.again(&place, script);
        self.passed = 0;
        let mut depth = place.depth;
        let (mut left, mut last) = (length, length.saturating_mul(8));
        let mut since_kept = u32::MAX;
        loop {
            if self.budget.is_over() {
                return None;
            }
            let segment = self.repaired_segment(&place);
            let is_new = self.keep_news(&place);
            let head = match segment {
                Segment::Broken(check) => return self.violation(&place, check),
                Segment::Over => return None,
                Segment::Head(head) => head,
            };
            depth += self.plan.heads[head].is_outer as u64;
            self.explored.deepest = self.explored.deepest.max(depth);
            self.passed += 1;
            let weight = self.states.weigh(head, &mut self.machine, is_new);
            let weight = weight.filter(|w| *w >= TUNING.novel_weight || since_kept >= TUNING.min_spacing);
            since_kept = since_kept.saturating_add(1);
            if weight.is_some()
                || self.passed >= TUNING.max_heads_to_snapshot
                || self.feeder.given.len() >= TUNING.max_inputs_to_snapshot
            {
                place.trace = place.trace.then(&self.feeder.given);
                self.memory.kept += self.machine.changed_bytes() + place.trace.bytes();
                place.snapshot = self.machine.snapshot();
                place.depth = depth;
                place.heads = place.heads.saturating_add(self.passed);
                place.work = self.machine.work();
                self.feeder.given.clear();
                self.passed = 0;
            }
            if let Some(weight) = weight {
                self.feeder.reward();
                self.observe(head);
                self.states.keep(place.clone(), head, weight);
                since_kept = 0;
                if weight >= TUNING.novel_weight {
                    left = length;
                }
            }
            left = left.saturating_sub(1);
            last = last.saturating_sub(1);
            if left == 0 || last == 0 {
                return None;
            }
        }
    }

    /// The inputs of a run that broke a check, if real libraries can make the same run.
    pub(super) fn violation(&mut self, place: &Place, check: CheckId) -> Option<Violation> {
        let mut inputs = place.trace.inputs();
        inputs.extend_from_slice(&self.feeder.given);
        if let Some(loose) = inputs.iter().find(|g| self.feeder.sites[g.id].is_loose) {
            self.obstacles.loose.get_or_insert(WhyUnknown::LooseModel(loose.id));
            return None;
        }
        let mut violation = Violation { check, inputs: inputs.into_iter().map(|g| (g.id, g.value)).collect() };
        self.write_down_foreign_memory(&mut violation);
        if let Some(why) = loose::rests_on(self.machine.image(), &violation, &self.budget) {
            self.obstacles.loose.get_or_insert(why);
            return None;
        }
        Some(violation)
    }

    /// What memory from outside held in the run at hand, in place of the seed that it was made of.
    fn write_down_foreign_memory(&self, violation: &mut Violation) {
        let program = self.machine.image().program();
        let is_foreign = |id: InputId, value: &InputValue| match value {
            InputValue::Region(_) => program.input(id).origin == InputOrigin::ForeignMemory,
            InputValue::Scalar(_) => false,
        };
        let mut fills = violation.inputs.iter_mut().filter(|(id, value)| is_foreign(*id, value));
        // Where it was replaced in between, the machine knows only the last.
        if let (Some((_, value)), None) = (fills.next(), fills.next())
            && let InputValue::Region(RegionFill::Pattern(seed)) = value
        {
            *value = InputValue::Region(RegionFill::Sparse(self.machine.foreign_bytes(*seed)));
        }
    }

    /// Puts the machine back to a place, with a script.
    pub(super) fn again(&mut self, place: &Place, script: &[InputValue]) {
        self.machine.restore(&place.snapshot);
        self.feeder.given.clear();
        self.feeder.set_script(script);
    }

    /// Runs on to the next loop head or the end.
    pub(super) fn segment(&mut self) -> Outcome {
        let before = self.machine.work();
        let mut left = self.segments.longest();
        let outcome = loop {
            // In slices, so that the clock is looked at.
            let slice = left.min(TUNING.slice);
            let limits = Limits { memory: self.memory.program, depth: TUNING.max_call_depth, ..Limits::steps(slice) };
            let outcome = self.machine.run_until(&mut self.feeder, limits, self.segments.stops());
            if outcome != Outcome::StepLimit || self.budget.is_over() {
                break outcome;
            }
            left -= slice;
            if left == 0 {
                break outcome;
            }
        };
        self.explored.steps += self.machine.work().saturating_sub(before).max(1);
        outcome
    }

    /// Follows the path since the place again, past the heads on it.
    pub(super) fn repeat_path(&mut self, heads: u32) -> Outcome {
        let start = self.explored.steps;
        for _ in 0..heads {
            let outcome = self.segment();
            let is_long = self.explored.steps - start > self.segments.steps || self.budget.is_over();
            if !matches!(outcome, Outcome::Probe(_)) || is_long {
                return outcome;
            }
        }
        self.segment()
    }

    pub(super) fn end_of(&mut self, outcome: Outcome) -> Segment {
        if !matches!(outcome, Outcome::CheckFailed { .. } | Outcome::Unsupported { .. }) {
            self.segments.note_end(outcome == Outcome::StepLimit, self.machine.image());
        }
        match outcome {
            Outcome::Probe(id) => return Segment::Head(id.0 as usize),
            Outcome::CheckFailed { check, .. } => return Segment::Broken(check),
            Outcome::Unsupported { check, .. } => *self.obstacles.unsupported.entry(check).or_default() += 1,
            Outcome::Fault { kind: FaultKind::OutOfMemory, .. } => self.obstacles.out_of_memory += 1,
            Outcome::StepLimit | Outcome::Fault { .. } | Outcome::NoInput { .. } | Outcome::AssumptionFailed(_) => {}
            Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted | Outcome::Stopped { .. } => {}
        }
        Segment::Over
    }

    /// Keeps what the last segment did for the first time. Returns whether a branch was new.
    pub(super) fn keep_news(&mut self, place: &Place) -> bool {
        if !self.machine.meter().has_news() {
            return false;
        }
        let mut news = Vec::new();
        self.machine.meter().take_news(&mut news);
        let script: &[Given] = &self.feeder.given;
        // A run that stops nowhere passes any number of heads.
        let passed = if self.segments.is_unstopped() { u32::MAX } else { self.passed };
        let seed = (script.len() <= TUNING.longest_script).then(|| Seed {
            place: place.clone(),
            script: script.into(),
            passed,
            picks: 0,
        });
        self.objectives.note(&news, seed.as_ref(), &mut self.machine)
    }

    /// A seed with some of its inputs changed. `None` if there is no seed.
    fn variation(&mut self) -> Option<Option<Violation>> {
        let seed = self.objectives.pick_seed(self.feeder.rng())?;
        let seed = self.maybe_from_start(seed);
        let mut script = seed.values();
        if !script.is_empty() {
            let changes = 1 + self.feeder.rng().below(3);
            for _ in 0..changes {
                // What was new happened at the end.
                let (rng, len) = (self.feeder.rng(), script.len() as u64);
                let at = rng.below(len).max(rng.below(len)) as usize;
                script[at] = self.varied(&script[at], seed.script[at].id);
            }
            if self.feeder.rng().below(4) == 0 {
                let keep = self.feeder.rng().below(script.len() as u64) as usize;
                script.truncate(keep);
            }
        }
        let length = 1 << self.feeder.rng().below(6);
        Some(self.run(seed.place, &script, length))
    }

    /// The last inputs of a seed again and again: timers and counters come nearer to their ends while the program goes
    /// round, however unlikely each round is. `None` if there is nothing to repeat.
    fn repetition(&mut self) -> Option<Option<Violation>> {
        let (_, seed) = self.objectives.pick(self.feeder.rng())?;
        let rng = self.feeder.rng();
        let parts = rng.below(TUNING.max_repeated_parts) as usize;
        let (times, length) = (4 << rng.below(6), 64 << rng.below(5));
        let mut round = values(&seed.place.trace.last_inputs(parts));
        let mut script = seed.values();
        round.extend_from_slice(&script);
        if round.is_empty() {
            return None;
        }
        let most = (TUNING.longest_repetition / round.len()).min(times);
        (0..most).for_each(|_| script.extend_from_slice(&round));
        Some(self.run(seed.place, &script, length))
    }

    /// What matters may have been decided long before the seed's place: as often as not, short paths are followed from the
    /// start on.
    pub(super) fn maybe_from_start(&mut self, seed: Seed) -> Seed {
        let place = &seed.place;
        let has_few_inputs = place.trace.len > 0 && place.trace.len <= TUNING.longest_script;
        let is_short = has_few_inputs && place.work <= TUNING.short_path;
        let go_back = is_short && self.feeder.rng().below(2) == 0;
        if go_back { seed.rebased(&self.states.start) } else { seed }
    }

    /// A value near another, or any.
    fn varied(&mut self, value: &InputValue, id: InputId) -> InputValue {
        let rng = self.feeder.rng();
        match (value, rng.below(4)) {
            (InputValue::Scalar(bits), 0) => {
                let delta = (rng.below(33) as i128 - 16) as u128;
                InputValue::Scalar(Bits::new(bits.u128().wrapping_add(delta), 128))
            }
            (InputValue::Scalar(bits), 1) => InputValue::Scalar(Bits::new(bits.u128() ^ 1 << rng.below(32), 128)),
            _ => self.feeder.redraw(id),
        }
    }

    /// What is reported of the search so far.
    pub fn summary(&self) -> Explored {
        let (branches, all_branches) = self.objectives.branches();
        Explored { states: self.states.seen.states() as u64, branches, all_branches, ..self.explored }
    }

    pub fn coverage(&self) -> &Coverage {
        &self.objectives.coverage
    }

    pub fn own_bytes(&self) -> u64 {
        self.states.own_bytes(self.kept())
    }

    /// Keeps the better half. Returns false if there was next to nothing to give away.
    pub fn shrink(&mut self) -> bool {
        let before = self.kept();
        self.states.corpus.evict();
        self.objectives.shrink();
        self.kept() < before
    }

    pub fn kept(&self) -> usize {
        self.states.corpus.len() + self.objectives.seeds()
    }

    /// What others should know of what was found since the last exchange.
    pub fn share(&mut self) -> Shared {
        Shared { entries: self.states.share(), seeds: self.objectives.share(), sites: self.feeder.sites.clone() }
    }

    /// Takes over what another search has found, as far as it is new here.
    pub fn receive(&mut self, shared: &Shared) {
        self.states.receive(&shared.entries);
        self.objectives.receive(&shared.seeds, &mut self.machine);
        for (own, other) in self.feeder.sites.iter_mut().zip(&shared.sites) {
            own.merge(other);
        }
    }
}

/// What one search reports to the others.
pub struct Shared {
    entries: Vec<Entry>,
    seeds: Vec<(News, u64, Seed)>,
    sites: TiVec<InputId, Site>,
}
