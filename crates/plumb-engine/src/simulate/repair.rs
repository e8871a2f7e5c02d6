//! Mending: a run that fails an assumption is not thrown away; the inputs that the assumption is about are changed.
//!
//! It is a local search: of all inputs tried for a segment, those that got farthest are changed further. What failed
//! assumptions say of a site's values is learned meanwhile.

use super::corpus::Place;
use super::learn::{self, Change};
use super::sites::{Given, values};
use super::tuning::TUNING;
use super::worker::{Segment, Worker};
use plumb_exec::{Compared, InputValue, Outcome, Site};

impl Worker {
    /// Runs on to the next loop head, with other inputs where an assumption fails.
    pub(super) fn repaired_segment(&mut self, place: &Place) -> Segment {
        let outcome = self.segment();
        let Outcome::AssumptionFailed(_) = outcome else { return self.end_of(outcome) };
        if self.feeder.given.is_empty() || self.feeder.given.len() > TUNING.longest_repair {
            return Segment::Over;
        }
        // Once more, to see what was compared.
        let mut best: Vec<Given> = self.feeder.given.clone();
        let (outcome, log) = self.logged(place, &values(&best));
        let Outcome::AssumptionFailed(site) = outcome else { return self.end_of(outcome) };
        let mut suggested = self.suggested(&best, &log, site);
        let mut farthest = self.machine.work();
        let mut misses = 0;
        for _ in 0..TUNING.max_repairs {
            if self.budget.is_over() {
                break;
            }
            let script = self.changed(&best, &suggested, misses);
            let (outcome, log) = self.logged(place, &script);
            let Outcome::AssumptionFailed(site) = outcome else { return self.end_of(outcome) };
            misses += 1;
            if self.machine.work() > farthest {
                farthest = self.machine.work();
                misses = 0;
                best.clone_from(&self.feeder.given);
                suggested = self.suggested(&best, &log, site);
            } else if misses >= TUNING.max_repair_misses + suggested.len() {
                break;
            }
        }
        Segment::Over
    }

    /// The path since the place on a script, and what was compared on it.
    fn logged(&mut self, place: &Place, script: &[InputValue]) -> (Outcome, Vec<Compared>) {
        self.again(place, script);
        self.machine.meter().start_log();
        let outcome = self.repeat_path(self.passed);
        (outcome, self.machine.meter().end_log())
    }

    /// The inputs with one of them changed: as suggested, one suggestion after the other; then at random.
    fn changed(&mut self, given: &[Given], suggested: &[Change], misses: usize) -> Vec<InputValue> {
        let mut script = values(given);
        let rng = self.feeder.rng();
        let input = match suggested.get(misses) {
            Some(Change { input, value }) => {
                // Now and then a value that was learned to be right for the site, rather than always the one at the edge.
                if rng.below(4) != 0 {
                    script[*input] = value.clone();
                    return script;
                }
                *input
            }
            None => match suggested.len() {
                few if few > 0 && rng.below(2) == 0 => suggested[rng.below(few as u64) as usize].input,
                _ => script.len() - 1 - rng.below(script.len().min(1 + misses) as u64) as usize,
            },
        };
        script[input] = self.feeder.redraw(given[input].id);
        script
    }

    /// What the comparisons of a failed assumption suggest.
    fn suggested(&mut self, given: &[Given], log: &[Compared], site: Site) -> Vec<Change> {
        let image = self.machine.image().clone();
        let comparisons = image.comparisons();
        let mut changes = Vec::new();
        let of_edge = |c: &&Compared| {
            let comparison = &comparisons[c.comparison as usize];
            comparison.func == site.func && comparison.edge == site.edge
        };
        for (age, compared) in log.iter().rev().take_while(of_edge).enumerate() {
            let comparison = &comparisons[compared.comparison as usize];
            let holds = !comparison.holds(compared.a, compared.b);
            if let Some(found) = learn::matches(compared, comparison, given, &self.feeder.sites).first() {
                let own = &mut self.feeder.sites[given[found.input].id];
                if let Some(constant) = learn::constant(found, comparison) {
                    own.add_constant(constant);
                }
                if age == 0
                    && let Some((low, high)) = learn::range(found, comparison, holds)
                {
                    own.restrict(low, high);
                }
            }
            changes.extend(learn::changes(compared, comparison, holds, given, &self.feeder.sites));
        }
        changes
    }
}
