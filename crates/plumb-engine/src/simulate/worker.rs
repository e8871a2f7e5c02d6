//! One thread's search: its machine, what it has seen and learned, and the states it branches from.

use super::corpus::{Corpus, Entry, Place, Seed, Trace};
use super::coverage::Coverage;
use super::features::{Layout, Novelty, Seen};
use super::objectives::Objectives;
use super::observe::Observer;
use super::plan::Plan;
use super::sites::{Feeder, Given};
use super::tuning::TUNING;
use crate::answer::{Explored, Violation, WhyUnknown};
use crate::budget::Budget;
use crate::loose;
use plumb_exec::{FaultKind, Image, InputValue, Limits, Machine, News, Outcome, ProbeId, StopSet};
use plumb_ir::check::CheckId;
use plumb_ir::input::InputId;
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock};

static NO_STOPS: LazyLock<StopSet> = LazyLock::new(StopSet::default);

pub struct Worker {
    pub(super) machine: Machine,
    pub(super) image: Arc<Image>,
    pub(super) plan: Arc<Plan>,
    pub(super) budget: Budget,
    stops: StopSet,
    start: Place,
    /// Loop heads since the place that the machine was last put to.
    pub(super) passed: u32,
    /// This run stops at no head.
    without_stops: bool,
    /// One run from the start in so many does.
    without_stops_every: u64,
    /// How much longer it may get for that: a power of two.
    without_stops_factor: u32,
    pub feeder: Feeder,
    corpus: Corpus,
    seen: Seen,
    pub(super) objectives: Objectives,
    news: Vec<News>,
    state: Vec<u64>,
    segment: u64,
    /// Segments cut off in a row.
    cut_off: u32,
    /// Combinations kept for nothing but being new.
    kept_combinations: u64,
    heads: u64,
    pub explored: Explored,
    /// What is not modelled and ended runs, by how many.
    pub unsupported: FxHashMap<CheckId, u64>,
    /// Runs that needed more memory than there is.
    pub out_of_memory: u64,
    /// What the program may use, and what may be kept in one round.
    program_memory: u64,
    round_memory: u64,
    /// What was kept in this round.
    kept_bytes: u64,
    /// An input that a violation rested on and no real library need give.
    pub loose: Option<WhyUnknown>,
    pub(super) observer: Observer,
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
        let outer = plan.heads.iter().enumerate().filter(|(_, h)| h.is_outer);
        Worker {
            machine,
            // Inner loops are looked at only where the way round the outer ones is too long.
            stops: outer.map(|(i, _)| ProbeId(i as u32)).collect(),
            passed: 0,
            without_stops: false,
            without_stops_every: 4,
            without_stops_factor: 0,
            budget,
            start,
            feeder: Feeder::new(image.program(), plan.constants.all.clone(), seed),
            corpus: Corpus::new(entries),
            seen: Seen::new(layouts),
            objectives: Objectives::new(&image, &plan),
            news: Vec::new(),
            state: Vec::new(),
            segment: TUNING.segment_steps,
            cut_off: 0,
            kept_combinations: 0,
            heads: 0,
            explored: Explored::default(),
            unsupported: FxHashMap::default(),
            out_of_memory: 0,
            // A byte of the program takes two.
            program_memory: TUNING.program_memory.min(share / 4),
            round_memory: share / 4,
            kept_bytes: 0,
            loose: None,
            observer: Observer::default(),
            image,
            plan,
        }
    }

    /// Searches for about so many steps, or until it has kept much.
    pub fn search(&mut self, steps: u64) -> Option<Violation> {
        let end = self.explored.steps + steps;
        self.kept_bytes = 0;
        while self.explored.steps < end && self.kept_bytes < self.round_memory && !self.budget.is_over() {
            if let Some(violation) = self.one() {
                return Some(violation);
            }
        }
        None
    }

    /// One run, or several short ones toward an objective.
    fn one(&mut self) -> Option<Violation> {
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
            let rng = self.feeder.rng();
            let length = 1 << rng.below(10);
            if choice < 90
                && let Some(entry) = self.corpus.pick(rng)
            {
                let place = entry.place.clone();
                return self.run(place, &[], length);
            }
        }
        // Runs that stop nowhere get past loops of many iterations. They are long, so they must prove their worth.
        self.without_stops = self.feeder.rng().below(self.without_stops_every) == 0;
        self.without_stops_factor = self.feeder.rng().below(8) as u32;
        let length = 1 << self.feeder.rng().below(12);
        let known = self.objectives.branches().0;
        let found = self.run(self.start.clone(), &[], length);
        if std::mem::replace(&mut self.without_stops, false) {
            let is_worth = self.objectives.branches().0 > known;
            self.without_stops_every = if is_worth { 4 } else { (self.without_stops_every * 2).min(1024) };
        }
        found
    }

    /// Runs from a place, first on a script, for so many heads after the last that showed something new.
    fn run(&mut self, from: Place, script: &[InputValue], length: u64) -> Option<Violation> {
        self.explored.runs += 1;
        self.seen.jump();
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
            self.heads += 1;
            self.passed += 1;
            let novelty = self.seen.look(head, &mut self.machine, &mut self.state);
            let weight =
                self.weight(novelty, is_new).filter(|w| *w >= TUNING.novel_weight || since_kept >= TUNING.min_spacing);
            since_kept = since_kept.saturating_add(1);
            if weight.is_some()
                || self.passed >= TUNING.max_heads_to_snapshot
                || self.feeder.given.len() >= TUNING.max_inputs_to_snapshot
            {
                place.trace = place.trace.then(&self.feeder.given);
                self.kept_bytes += self.machine.changed_bytes() + place.trace.bytes();
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
                let state = self.state.as_slice().into();
                self.corpus.add(Entry { place: place.clone(), head, state, weight, picks: 0 });
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

    /// How much a state is worth keeping.
    fn weight(&mut self, novelty: Novelty, is_new: bool) -> Option<f64> {
        if novelty.values > 0 || is_new {
            return Some(TUNING.novel_weight + novelty.values as f64);
        }
        if novelty.pairs > 0 {
            return Some(2.0 + (novelty.pairs as f64).min(TUNING.novel_weight - 3.0));
        }
        // New combinations may be without end: they get a share only.
        let keep = novelty.combination && self.kept_combinations <= self.heads / 8;
        self.kept_combinations += keep as u64;
        keep.then_some(1.0)
    }

    /// The inputs of a run that broke a check, if real libraries can make the same run.
    pub(super) fn violation(&mut self, place: &Place, check: CheckId) -> Option<Violation> {
        let mut inputs = place.trace.inputs();
        inputs.extend_from_slice(&self.feeder.given);
        if let Some(loose) = inputs.iter().find(|g| self.feeder.sites[g.id.0 as usize].is_loose) {
            self.loose.get_or_insert(WhyUnknown::LooseModel(loose.id));
            return None;
        }
        let violation = Violation { check, inputs: inputs.into_iter().map(|g| (g.id, g.value)).collect() };
        if let Some(why) = loose::rests_on(&self.image, &violation, &self.budget) {
            self.loose.get_or_insert(why);
            return None;
        }
        Some(violation)
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
        let stops = if self.without_stops { &NO_STOPS } else { &self.stops };
        let mut left = if self.without_stops { self.segment << self.without_stops_factor } else { self.segment };
        let outcome = loop {
            // In slices, so that the clock is looked at.
            let slice = left.min(TUNING.slice);
            let limits = Limits { memory: self.program_memory, depth: TUNING.max_call_depth, ..Limits::steps(slice) };
            let outcome = self.machine.run_until(&mut self.feeder, limits, stops);
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

    /// Goes the way since the place again, past the heads on it.
    pub(super) fn way(&mut self, heads: u32) -> Outcome {
        let start = self.explored.steps;
        for _ in 0..heads {
            let outcome = self.segment();
            let is_long = self.explored.steps - start > self.segment || self.budget.is_over();
            if !matches!(outcome, Outcome::Probe(_)) || is_long {
                return outcome;
            }
        }
        self.segment()
    }

    pub(super) fn end_of(&mut self, outcome: Outcome) -> Segment {
        match outcome {
            Outcome::StepLimit => {
                // Where many segments are cut off, longer ones are needed.
                self.cut_off += 1;
                if self.cut_off >= 4 {
                    self.cut_off = 0;
                    self.stops = StopSet::all(&self.image);
                    self.segment = (self.segment * 4).min(TUNING.longest_segment);
                }
                return Segment::Over;
            }
            Outcome::CheckFailed { check, .. } => return Segment::Broken(check),
            Outcome::Unsupported { check, .. } => {
                *self.unsupported.entry(check).or_default() += 1;
                return Segment::Over;
            }
            Outcome::Fault { kind: FaultKind::OutOfMemory, .. } => self.out_of_memory += 1,
            Outcome::Probe(_) | Outcome::Fault { .. } | Outcome::NoInput { .. } | Outcome::AssumptionFailed(_) => {}
            Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted | Outcome::Stopped { .. } => {}
        }
        self.cut_off = 0;
        match outcome {
            Outcome::Probe(id) => Segment::Head(id.0 as usize),
            _ => Segment::Over,
        }
    }

    /// Keeps what the last segment did for the first time. Returns whether a branch was new.
    pub(super) fn keep_news(&mut self, place: &Place) -> bool {
        if !self.machine.meter().has_news() {
            return false;
        }
        let mut news = std::mem::take(&mut self.news);
        self.machine.meter().take_news(&mut news);
        let script: &[Given] = &self.feeder.given;
        // A run that stops nowhere passes any number of heads.
        let passed = if self.without_stops { u32::MAX } else { self.passed };
        let seed = (script.len() <= TUNING.longest_script).then(|| Seed {
            place: place.clone(),
            script: script.into(),
            passed,
            picks: 0,
        });
        let is_new = self.objectives.note(&news, seed.as_ref(), &mut self.machine);
        self.news = news;
        is_new
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

    /// What matters may have been decided long before the seed's place: as often as not, short ways are gone from the
    /// start on.
    pub(super) fn maybe_from_start(&mut self, seed: Seed) -> Seed {
        const SHORT: u64 = 10_000;
        let place = &seed.place;
        let is_short = place.trace.len > 0 && place.trace.len <= TUNING.longest_script && place.work <= SHORT;
        let go_back = is_short && self.feeder.rng().below(2) == 0;
        if go_back { seed.rebased(&self.start) } else { seed }
    }

    /// A value near another, or any.
    fn varied(&mut self, value: &InputValue, id: InputId) -> InputValue {
        let rng = self.feeder.rng();
        match (value, rng.below(4)) {
            (InputValue::Scalar(bits), 0) => {
                let delta = (rng.below(33) as i128 - 16) as u128;
                InputValue::Scalar(plumb_ir::ty::Bits::new(bits.u128().wrapping_add(delta), 128))
            }
            (InputValue::Scalar(bits), 1) => {
                InputValue::Scalar(plumb_ir::ty::Bits::new(bits.u128() ^ 1 << rng.below(32), 128))
            }
            _ => self.feeder.redraw(id),
        }
    }

    /// What is reported of the search so far.
    pub fn summary(&self) -> Explored {
        let (branches, all_branches) = self.objectives.branches();
        Explored { states: self.seen.states() as u64, branches, all_branches, ..self.explored }
    }

    pub fn coverage(&self) -> &Coverage {
        &self.objectives.coverage
    }

    /// Bytes that this search keeps beside pages and inputs, which it shares with others.
    pub fn own_bytes(&self) -> u64 {
        let registers = 8 * self.state.len() as u64 + 512;
        self.kept() as u64 * registers + self.seen.bytes()
    }

    /// Keeps the better half. Returns false if there was next to nothing to give away.
    pub fn shrink(&mut self) -> bool {
        let before = self.kept();
        self.corpus.evict();
        self.objectives.shrink();
        self.kept() < before
    }

    pub fn kept(&self) -> usize {
        self.corpus.len() + self.objectives.seeds()
    }

    /// The states kept since the last exchange that others should know.
    pub fn share(&mut self) -> Shared {
        const MOST: usize = 48;
        let added = std::mem::take(&mut self.corpus.added) as usize;
        let mut entries: Vec<Entry> = self.corpus.youngest(added).to_vec();
        entries.retain(|e| e.weight > 1.0);
        entries.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        entries.truncate(MOST);
        Shared { entries, seeds: self.objectives.share(), sites: self.feeder.sites.clone() }
    }

    /// Takes over what another search has found, as far as it is new here.
    pub fn receive(&mut self, shared: &Shared) {
        for entry in &shared.entries {
            self.seen.jump();
            let novelty = self.seen.add(entry.head, &entry.state);
            if novelty.values > 0 || novelty.pairs > 0 {
                self.corpus.add(Entry { picks: 0, ..entry.clone() });
            }
        }
        self.corpus.added = 0;
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
    sites: Vec<super::sites::Site>,
}
