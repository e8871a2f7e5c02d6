//! One thread's search: its machine, what it has seen and learned, and the states it branches from.

use super::corpus::{Corpus, Entry, Place, Seed, Trace};
use super::features::{Layout, Novelty, Seen};
use super::learn::{self, Change};
use super::objectives::Objectives;
use super::plan::Plan;
use super::sites::{Feeder, Given};
use crate::answer::{Explored, Violation};
use crate::budget::Budget;
use plumb_exec::{Compared, Image, InputValue, Limits, Machine, News, Outcome, ProbeId, StopSet};
use plumb_ir::check::CheckId;
use std::sync::Arc;

/// Steps that one stretch from a loop head to the next may take at first.
const STRETCH: u64 = 400_000;
const LONGEST_STRETCH: u64 = 400_000_000;
/// How often a failed assumption is mended before the run is given up.
const REPAIRS: usize = 24;
/// A state is kept at the latest after so many heads or inputs, to go back to when an assumption fails.
const LONGEST_WAY: u32 = 16;
const MOST_GIVEN: usize = 256;
/// Memory that the program may use.
const PROGRAM_MEMORY: u64 = 1 << 28;

pub struct Worker {
    machine: Machine,
    image: Arc<Image>,
    plan: Arc<Plan>,
    stops: StopSet,
    start: Place,
    /// Loop heads since the place that the machine was last put to.
    passed: u32,
    pub feeder: Feeder,
    corpus: Corpus,
    seen: Seen,
    objectives: Objectives,
    news: Vec<News>,
    state: Vec<u64>,
    stretch: u64,
    /// Stretches cut off in a row.
    cut_off: u32,
    /// Combinations kept for nothing but being new.
    kept_combinations: u64,
    heads: u64,
    pub explored: Explored,
    pub unsupported: Option<CheckId>,
    pub ended: Ended,
}

/// How the runs from the start ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ended {
    /// A run that asked for no input came to its end.
    pub without_inputs: bool,
    pub steps: u64,
}

/// How a stretch ended.
enum Stretch {
    /// At a loop head.
    Head(usize),
    /// The run is over.
    Over,
    Broken(CheckId),
}

impl Worker {
    pub fn new(image: Arc<Image>, plan: Arc<Plan>, layouts: Arc<Vec<Layout>>, seed: u64, entries: usize) -> Worker {
        let mut machine = Machine::new(image.clone());
        let start = Place { snapshot: machine.snapshot(), trace: Trace::start(), depth: 0 };
        let outer = plan.heads.iter().enumerate().filter(|(_, h)| h.is_outer);
        Worker {
            machine,
            // Inner loops are looked at only where the way round the outer ones is too long.
            stops: outer.map(|(i, _)| ProbeId(i as u32)).collect(),
            passed: 0,
            start,
            feeder: Feeder::new(image.program(), plan.constants.clone(), seed),
            corpus: Corpus::new(entries),
            seen: Seen::new(layouts),
            objectives: Objectives::new(&image, &plan),
            news: Vec::new(),
            state: Vec::new(),
            stretch: STRETCH,
            cut_off: 0,
            kept_combinations: 0,
            heads: 0,
            explored: Explored::default(),
            unsupported: None,
            ended: Ended::default(),
            image,
            plan,
        }
    }

    /// Searches for about so many steps.
    pub fn search(&mut self, steps: u64, budget: &Budget) -> Option<Violation> {
        let end = self.explored.steps + steps;
        while self.explored.steps < end && !budget.is_over() {
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
        let length = 1 << self.feeder.rng().below(12);
        self.run(self.start.clone(), &[], length)
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
        let mut left = length;
        loop {
            let stretch = self.mended_stretch(&place);
            let is_new = self.keep_news(&place);
            let head = match stretch {
                Stretch::Broken(check) => return Some(self.violation(&place, check)),
                Stretch::Over => return None,
                Stretch::Head(head) => head,
            };
            depth += self.plan.heads[head].is_outer as u64;
            self.explored.deepest = self.explored.deepest.max(depth);
            self.heads += 1;
            self.passed += 1;
            let novelty = self.seen.look(head, &mut self.machine, &mut self.state);
            let weight = self.weight(novelty, is_new);
            if weight.is_some() || self.passed >= LONGEST_WAY || self.feeder.given.len() >= MOST_GIVEN {
                place.trace = place.trace.then(&self.feeder.given);
                place.snapshot = self.machine.snapshot();
                place.depth = depth;
                self.feeder.given.clear();
                self.passed = 0;
            }
            if let Some(weight) = weight {
                self.feeder.reward();
                let state = self.state.as_slice().into();
                self.corpus.add(Entry { place: place.clone(), head, state, weight, picks: 0 });
                left = length;
            } else {
                left -= 1;
                if left == 0 {
                    return None;
                }
            }
        }
    }

    /// How much a state is worth keeping.
    fn weight(&mut self, novelty: Novelty, is_new: bool) -> Option<f64> {
        if novelty.values > 0 || is_new {
            return Some(16.0 + novelty.values as f64);
        }
        if novelty.pairs > 0 {
            return Some(2.0 + (novelty.pairs as f64).min(14.0));
        }
        // New combinations may be without end: they get a share only.
        let keep = novelty.combination && self.kept_combinations <= self.heads / 8;
        self.kept_combinations += keep as u64;
        keep.then_some(1.0)
    }

    fn violation(&self, place: &Place, check: CheckId) -> Violation {
        let mut inputs = place.trace.inputs();
        inputs.extend_from_slice(&self.feeder.given);
        Violation { check, inputs: inputs.into_iter().map(|g| (g.id, g.value)).collect() }
    }

    /// A stretch, tried again with other inputs where an assumption fails.
    fn mended_stretch(&mut self, place: &Place) -> Stretch {
        let mut tries = 0;
        let mut outcome = self.stretch();
        loop {
            let Outcome::AssumptionFailed(_) = outcome else { return self.end_of(outcome, place) };
            if tries >= REPAIRS || self.feeder.given.is_empty() {
                return Stretch::Over;
            }
            tries += 1;
            let script = self.mended(place, tries);
            self.again(place, &script);
            outcome = self.way(self.passed);
        }
    }

    /// Puts the machine back to a place, with a script.
    fn again(&mut self, place: &Place, script: &[InputValue]) {
        self.machine.restore(&place.snapshot);
        self.feeder.given.clear();
        self.feeder.set_script(script);
    }

    /// Runs on to the next loop head or the end.
    fn stretch(&mut self) -> Outcome {
        let before = self.machine.work();
        let limits = Limits { memory: PROGRAM_MEMORY, ..Limits::steps(self.stretch) };
        let outcome = self.machine.run_until(&mut self.feeder, limits, &self.stops);
        self.explored.steps += self.machine.work().saturating_sub(before).max(1);
        outcome
    }

    /// Goes the way since the place again, past the heads on it.
    fn way(&mut self, heads: u32) -> Outcome {
        for _ in 0..heads {
            let outcome = self.stretch();
            if !matches!(outcome, Outcome::Probe(_)) {
                return outcome;
            }
        }
        self.stretch()
    }

    fn end_of(&mut self, outcome: Outcome, place: &Place) -> Stretch {
        match outcome {
            Outcome::Probe(id) => {
                self.cut_off = 0;
                Stretch::Head(id.0 as usize)
            }
            Outcome::CheckFailed { check, .. } => Stretch::Broken(check),
            Outcome::Unsupported { check, .. } => {
                self.unsupported.get_or_insert(check);
                Stretch::Over
            }
            Outcome::StepLimit => {
                // Where many stretches are cut off, longer ones are needed.
                self.cut_off += 1;
                if self.cut_off >= 4 {
                    self.cut_off = 0;
                    self.stops = StopSet::all(&self.image);
                    self.stretch = (self.stretch * 4).min(LONGEST_STRETCH);
                }
                Stretch::Over
            }
            Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted | Outcome::Stopped { .. } => {
                self.cut_off = 0;
                if self.feeder.given.is_empty() && place.depth == 0 && place.trace.inputs().is_empty() {
                    self.ended = Ended { without_inputs: true, steps: self.machine.steps() };
                }
                Stretch::Over
            }
            Outcome::Fault { .. } | Outcome::NoInput { .. } | Outcome::AssumptionFailed(_) => {
                self.cut_off = 0;
                Stretch::Over
            }
        }
    }

    /// Inputs for the stretch that has just failed an assumption, changed where they seem to matter for it.
    fn mended(&mut self, place: &Place, tries: usize) -> Vec<InputValue> {
        let mut script: Vec<InputValue> = self.feeder.given.iter().map(|g| g.value.clone()).collect();
        self.machine.meter().start_log();
        self.again(place, &script);
        let outcome = self.way(self.passed);
        let log = self.machine.meter().end_log();
        if let Outcome::AssumptionFailed(site) = outcome {
            let changes = self.assumption_changes(&log, site);
            if !changes.is_empty() {
                let which = self.feeder.rng().below(changes.len().min(1 + tries) as u64) as usize;
                let Change { input, value } = changes[which].clone();
                let id = self.feeder.given[input].id;
                // A value that was learned to be right for the site, rather than always the one at the edge.
                let redrawn = self.feeder.rng().below(2) == 0 && tries < REPAIRS / 2;
                script[input] = if redrawn { self.feeder.redraw(id) } else { value };
                script.truncate(input + 1);
                return script;
            }
        }
        // Nothing to go by: one of the last inputs.
        let back = self.feeder.rng().below(script.len().min(1 + tries / 4) as u64) as usize;
        let input = script.len() - 1 - back;
        script[input] = self.feeder.redraw(self.feeder.given[input].id);
        script.truncate(input + 1);
        script
    }

    /// What the last comparisons of a failed assumption suggest; what they say of sites is learned on the way.
    fn assumption_changes(&mut self, log: &[Compared], site: plumb_exec::Site) -> Vec<Change> {
        let image = self.image.clone();
        let comparisons = image.comparisons();
        let mut changes = Vec::new();
        let of_edge = |c: &&Compared| {
            let comparison = &comparisons[c.comparison as usize];
            comparison.func == site.func && comparison.edge == site.edge
        };
        for (age, compared) in log.iter().rev().take_while(of_edge).enumerate() {
            let comparison = &comparisons[compared.comparison as usize];
            let holds = !comparison.holds(compared.a, compared.b);
            let given = &self.feeder.given;
            for found in learn::matches(compared, comparison, given, &self.feeder.sites).iter().take(1) {
                let id = given[found.input].id.0 as usize;
                if let Some(constant) = learn::constant(found, comparison) {
                    self.feeder.sites[id].add_constant(constant);
                }
                if age == 0
                    && let Some((low, high)) = learn::range(found, comparison, holds)
                {
                    self.feeder.sites[id].restrict(low, high);
                }
            }
            changes.extend(learn::changes(compared, comparison, holds, &self.feeder.given, &self.feeder.sites));
        }
        changes
    }

    /// Keeps what the last stretch did for the first time. Returns whether a branch was new.
    fn keep_news(&mut self, place: &Place) -> bool {
        if !self.machine.meter().has_news() {
            return false;
        }
        let mut news = std::mem::take(&mut self.news);
        self.machine.meter().take_news(&mut news);
        let script: Arc<[Given]> = self.feeder.given.as_slice().into();
        let seed = Seed { place: place.clone(), script, passed: self.passed, picks: 0 };
        let is_new = self.objectives.note(&news, &seed, &mut self.machine);
        self.news = news;
        is_new
    }

    /// A seed with some of its inputs changed. `None` if there is no seed.
    fn variation(&mut self) -> Option<Option<Violation>> {
        let seed = self.objectives.pick_seed(self.feeder.rng())?;
        let mut script = seed.values();
        if !script.is_empty() {
            let changes = 1 + self.feeder.rng().below(3);
            for _ in 0..changes {
                let at = self.feeder.rng().below(script.len() as u64) as usize;
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

    /// A value near another, or any.
    fn varied(&mut self, value: &InputValue, id: plumb_ir::input::InputId) -> InputValue {
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

    /// Short runs that try to bring one comparison to the other side. `None` if there is nothing to try.
    fn objective(&mut self) -> Option<Option<Violation>> {
        let (objective, seed) = self.objectives.pick(self.feeder.rng())?;
        let image = self.image.clone();
        let comparison = image.comparisons()[objective.comparison as usize];
        let mut script = seed.values();
        let (mut best, log, found) = self.attempt(&seed, &script, objective.comparison, objective.holds);
        if found.is_some() {
            return Some(found);
        }
        let given: Vec<Given> = self.feeder.given.clone();
        // What the comparison says itself.
        let mut tried = Vec::new();
        for compared in log.iter().rev().filter(|c| c.comparison == objective.comparison).take(4) {
            for change in learn::changes(compared, &comparison, objective.holds, &given, &self.feeder.sites) {
                if tried.len() >= 16 || tried.contains(&change) || change.input >= given.len() {
                    continue;
                }
                if let Some(constant) = learn::matches(compared, &comparison, &given, &self.feeder.sites)
                    .first()
                    .and_then(|m| Some((given[m.input].id.0, learn::constant(m, &comparison)?)))
                {
                    self.feeder.sites[constant.0 as usize].add_constant(constant.1);
                }
                let mut changed: Vec<InputValue> = given.iter().map(|g| g.value.clone()).collect();
                changed[change.input] = change.value.clone();
                tried.push(change);
                let (distance, _, found) = self.attempt(&seed, &changed, objective.comparison, objective.holds);
                if found.is_some() {
                    return Some(found);
                }
                if distance == 0 {
                    return Some(None);
                }
                if distance < best {
                    (best, script) = (distance, changed);
                }
            }
        }
        Some(self.climb(&seed, script, best, objective.comparison, objective.holds))
    }

    /// Changes one number after the other, in growing steps, as long as the comparison comes nearer.
    fn climb(
        &mut self,
        seed: &Seed,
        mut script: Vec<InputValue>,
        mut best: u64,
        comparison: u32,
        holds: bool,
    ) -> Option<Violation> {
        const ATTEMPTS: usize = 48;
        let mut attempts = 0;
        let scalars: Vec<usize> = (0..script.len()).filter(|i| matches!(script[*i], InputValue::Scalar(_))).collect();
        if scalars.is_empty() {
            return None;
        }
        for _ in 0..8 {
            let input = scalars[self.feeder.rng().below(scalars.len() as u64) as usize];
            for direction in [1i128, -1] {
                let mut step = direction;
                loop {
                    attempts += 1;
                    if attempts > ATTEMPTS {
                        return None;
                    }
                    let InputValue::Scalar(bits) = script[input] else { break };
                    let mut changed = script.clone();
                    let value = bits.u128().wrapping_add(step as u128);
                    changed[input] = InputValue::Scalar(plumb_ir::ty::Bits::new(value, 128));
                    let (distance, _, found) = self.attempt(seed, &changed, comparison, holds);
                    if found.is_some() || distance == 0 {
                        return found;
                    }
                    if distance >= best {
                        break;
                    }
                    (best, script) = (distance, changed);
                    step = step.saturating_mul(4);
                }
            }
        }
        None
    }

    /// One stretch on a script: how near the comparison came, what was compared, and whether a check broke.
    fn attempt(
        &mut self,
        seed: &Seed,
        script: &[InputValue],
        comparison: u32,
        holds: bool,
    ) -> (u64, Vec<Compared>, Option<Violation>) {
        self.explored.runs += 1;
        self.feeder.begin_run();
        self.again(&seed.place, script);
        self.machine.meter().start_log();
        self.passed = seed.passed;
        let outcome = self.way(seed.passed);
        let log = self.machine.meter().end_log();
        let stretch = self.end_of(outcome, &seed.place);
        let found = match stretch {
            Stretch::Broken(check) => Some(self.violation(&seed.place, check)),
            Stretch::Head(_) | Stretch::Over => None,
        };
        self.keep_news(&seed.place);
        let about = &self.image.comparisons()[comparison as usize];
        let of_it = log.iter().filter(|c| c.comparison == comparison);
        let nearest = of_it.map(|c| about.distances(c.a, c.b)[holds as usize]).min();
        (nearest.unwrap_or(u64::MAX), log, found)
    }

    /// What is told of the search so far.
    pub fn summary(&self) -> Explored {
        let (branches, all_branches) = self.objectives.branches();
        Explored { states: self.seen.states() as u64, branches, all_branches, ..self.explored }
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

/// What one search tells another.
pub struct Shared {
    entries: Vec<Entry>,
    seeds: Vec<(News, u64, Seed)>,
    sites: Vec<super::sites::Site>,
}
