//! Pursuing an objective: short runs that try to bring one comparison to the other side.
//!
//! First what the comparison itself suggests. A change that leads off the path to the comparison is followed by changes
//! of other inputs that lead back: `if (copy == x)` after a change of `x` is repaired by changing `copy`. Then single
//! numbers are moved in growing steps, as long as the comparison comes nearer.

use super::corpus::Seed;
use super::learn;
use super::objectives::Objective;
use super::sites::{Given, values};
use super::tuning::TUNING;
use super::worker::{Segment, Worker};
use crate::answer::Violation;
use plumb_exec::{Compared, InputValue};
use plumb_ir::ty::Bits;

/// One try.
struct Attempt {
    /// How near the comparison came.
    distance: u64,
    log: Vec<Compared>,
    given: Vec<Given>,
    found: Option<Violation>,
}

impl Worker {
    /// `None` if there is nothing to pursue.
    pub(super) fn objective(&mut self) -> Option<Option<Violation>> {
        let (objective, seed) = self.objectives.pick(self.feeder.rng())?;
        let seed = self.maybe_from_start(seed);
        let first = self.attempt(&seed, &seed.values(), objective);
        if first.found.is_some() {
            return Some(first.found);
        }
        let mut best = (first.distance, values(&first.given));
        match self.suggestions(&seed, objective, &first, &mut best) {
            Some(end) => Some(end),
            None => Some(self.climb(&seed, best.1, best.0, objective)),
        }
    }

    /// Tries what the comparison suggests. `None` if that did not do it.
    fn suggestions(
        &mut self,
        seed: &Seed,
        objective: Objective,
        first: &Attempt,
        best: &mut (u64, Vec<InputValue>),
    ) -> Option<Option<Violation>> {
        let image = self.machine.image().clone();
        let comparison = image.comparisons()[objective.comparison as usize];
        let mut tried = Vec::new();
        let occurrences = first.log.iter().enumerate().filter(|(_, c)| c.comparison == objective.comparison);
        let mut occurrences: Vec<(usize, Compared)> = occurrences.map(|(i, c)| (i, *c)).collect();
        // The last ones, and the nearest.
        occurrences.reverse();
        occurrences.truncate(TUNING.max_occurrences);
        occurrences.sort_by_key(|(_, c)| comparison.distances(c.a, c.b)[objective.holds as usize]);
        for (at, compared) in occurrences.iter().take(TUNING.tried_occurrences) {
            if let Some(found) = learn::matches(compared, &comparison, &first.given, &self.feeder.sites).first()
                && let Some(constant) = learn::constant(found, &comparison)
            {
                self.feeder.sites[first.given[found.input].id].add_constant(constant);
            }
            let mut changes = learn::changes(compared, &comparison, objective.holds, &first.given, &self.feeder.sites);
            let rng = self.feeder.rng();
            let shifted = (0..4).map(|_| rng.next() as usize).collect::<Vec<_>>();
            changes.extend(learn::shifts(compared, &comparison, &first.given, &self.feeder.sites, &shifted));
            // Where many inputs look alike, others are tried the next time.
            let surplus = changes.len().saturating_sub(TUNING.max_suggestions);
            for _ in 0..surplus {
                changes.swap_remove(self.feeder.rng().below(changes.len() as u64) as usize);
            }
            for change in changes {
                if tried.len() >= TUNING.max_suggestions || tried.contains(&change) {
                    continue;
                }
                if self.budget.is_over() {
                    return Some(None);
                }
                let mut script = values(&first.given);
                script[change.input] = change.value.clone();
                let attempt = self.attempt_on_path(seed, script, change.input, objective, &first.log[..*at]);
                tried.push(change);
                if attempt.found.is_some() || attempt.distance == 0 {
                    return Some(attempt.found);
                }
                if attempt.distance < best.0 {
                    *best = (attempt.distance, values(&attempt.given));
                }
            }
        }
        None
    }

    /// Tries a script; where the run leaves the path, other inputs than those changed so far are changed to get it back.
    fn attempt_on_path(
        &mut self,
        seed: &Seed,
        mut script: Vec<InputValue>,
        changed: usize,
        objective: Objective,
        path: &[Compared],
    ) -> Attempt {
        let image = self.machine.image().clone();
        let comparisons = image.comparisons();
        let mut fixed = vec![changed];
        loop {
            let attempt = self.attempt(seed, &script, objective);
            let is_last = fixed.len() > TUNING.max_followups || self.budget.is_over();
            if attempt.found.is_some() || attempt.distance == 0 || is_last {
                return attempt;
            }
            let holds = |c: &Compared| comparisons[c.comparison as usize].holds(c.a, c.b);
            let off = attempt
                .log
                .iter()
                .zip(path)
                .find(|(now, then)| now.comparison != then.comparison || holds(now) != holds(then));
            let Some((now, then)) = off else { return attempt };
            if now.comparison != then.comparison {
                return attempt;
            }
            let comparison = &comparisons[now.comparison as usize];
            let changes = learn::changes(now, comparison, holds(then), &attempt.given, &self.feeder.sites);
            let Some(change) = changes.into_iter().find(|c| !fixed.contains(&c.input)) else { return attempt };
            script = values(&attempt.given);
            script[change.input] = change.value;
            fixed.push(change.input);
        }
    }

    /// Changes one number after the other, in growing steps, as long as the comparison comes nearer.
    fn climb(
        &mut self,
        seed: &Seed,
        mut script: Vec<InputValue>,
        mut best: u64,
        objective: Objective,
    ) -> Option<Violation> {
        let scalars: Vec<usize> = (0..script.len()).filter(|i| matches!(script[*i], InputValue::Scalar(_))).collect();
        if scalars.is_empty() {
            return None;
        }
        let mut attempts = 0;
        while attempts < TUNING.hill_climbing_steps {
            let input = scalars[self.feeder.rng().below(scalars.len() as u64) as usize];
            for direction in [1i128, -1] {
                let mut step = direction;
                while let Some(InputValue::Scalar(bits)) = script.get(input)
                    && attempts < TUNING.hill_climbing_steps
                {
                    if self.budget.is_over() {
                        return None;
                    }
                    attempts += 1;
                    let value = bits.u128().wrapping_add(step as u128);
                    let mut changed = script.clone();
                    changed[input] = InputValue::Scalar(Bits::new(value, 128));
                    let attempt = self.attempt(seed, &changed, objective);
                    if attempt.found.is_some() || attempt.distance == 0 {
                        return attempt.found;
                    }
                    if attempt.distance >= best {
                        break;
                    }
                    (best, script) = (attempt.distance, changed);
                    step = step.saturating_mul(4);
                }
            }
        }
        None
    }

    /// The path of a seed on a script.
    fn attempt(&mut self, seed: &Seed, script: &[InputValue], objective: Objective) -> Attempt {
        self.explored.runs += 1;
        self.feeder.begin_run();
        self.again(&seed.place, script);
        self.machine.meter().start_log();
        self.passed = seed.passed;
        let outcome = self.repeat_path(seed.passed);
        let log = self.machine.meter().end_log();
        let found = match self.end_of(outcome) {
            Segment::Broken(check) => self.violation(&seed.place, check),
            Segment::Head(_) | Segment::Over => None,
        };
        self.keep_news(&seed.place);
        let about = &self.machine.image().comparisons()[objective.comparison as usize];
        let of_it = log.iter().filter(|c| c.comparison == objective.comparison);
        let nearest = of_it.map(|c| about.distances(c.a, c.b)[objective.holds as usize]).min();
        Attempt { distance: nearest.unwrap_or(u64::MAX), log, given: self.feeder.given.clone(), found }
    }
}
