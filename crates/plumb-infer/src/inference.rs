//! The inference: samples in, likely facts out.

use crate::core::Core;
use crate::fact::Fact;
use crate::known::Known;
use crate::options::Options;
use crate::point::Point;
use crate::sample::{Sample, WrongSample};
use crate::schema::Schema;
use crate::select::{Selection, select};
use crate::splits::Splits;
use crate::unrelated::is_unrelated;
use std::sync::Arc;

/// A fact that holds of all samples.
#[derive(Clone, PartialEq, Debug)]
pub struct Likely {
    pub fact: Fact,
    /// The samples that speak for it: of a fact under a condition those that satisfy the condition.
    pub samples: u64,
    /// One minus the probability that it holds of them by chance.
    pub confidence: f64,
}

/// What is known of the samples of a point. A sample weakens or kills what is kept; nothing is computed again from samples, which
/// are not kept.
#[derive(Clone, Debug)]
pub struct Inference {
    schema: Arc<Schema>,
    core: Core,
    splits: Splits,
}

/// Facts that are reported, and facts that are not since those imply them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Facts {
    pub reported: Vec<Likely>,
    pub suppressed: Vec<Likely>,
}

impl Inference {
    pub fn new(point: Point, options: Options) -> Inference {
        let schema = Schema::new(point, options);
        let (core, splits) = (Core::new(&schema), Splits::new(&schema));
        Inference { schema: Arc::new(schema), core, splits }
    }

    pub fn point(&self) -> &Point {
        &self.schema.point
    }

    pub fn samples(&self) -> u64 {
        self.core.samples()
    }

    /// Takes in a sample. One that does not fit the point changes nothing.
    pub fn add(&mut self, sample: &Sample) -> Result<(), WrongSample> {
        self.take(sample, None)
    }

    /// Takes in one of several samples that depend on each other, as those of one run do. They weaken and kill as others do, but
    /// together they are evidence for one.
    pub fn add_from(&mut self, origin: u64, sample: &Sample) -> Result<(), WrongSample> {
        self.take(sample, Some(origin))
    }

    fn take(&mut self, sample: &Sample, origin: Option<u64>) -> Result<(), WrongSample> {
        sample.check(&self.schema.point)?;
        let row = self.schema.row(sample, origin);
        self.core.add(&self.schema, &row, sample);
        self.splits.add(&self.schema, &row, sample);
        Ok(())
    }

    /// Takes in samples up to the first that does not fit.
    pub fn add_many<'a>(&mut self, samples: impl IntoIterator<Item = &'a Sample>) -> Result<(), WrongSample> {
        samples.into_iter().try_for_each(|sample| self.add(sample))
    }

    /// The likely facts that no other implies, simplest first.
    pub fn facts(&self) -> Vec<Likely> {
        self.all_facts().reported
    }

    /// The same with the facts that were suppressed.
    pub fn all_facts(&self) -> Facts {
        let schema = &*self.schema;
        let mut known = Known::new(schema);
        let mut facts = Facts::default();
        let plain = self.selection(&self.core, &mut known, 1);
        let samples = self.core.samples();
        facts.reported.extend(plain.reported.into_iter().map(|c| Likely::new(c.fact, samples, c.chance.confidence())));
        facts.suppressed.extend(plain.implied.into_iter().map(|c| Likely::new(c.fact, samples, c.chance.confidence())));
        let conditions: Vec<(Fact, &Core)> = self.splits.conditions(schema).collect();
        for (condition, core) in &conditions {
            // A condition that always holds is no condition.
            if core.samples() == 0 || core.samples() == samples {
                continue;
            }
            let mut under = known.clone();
            under.assume(condition);
            for likely in &facts.reported {
                if let Fact::Implies(weaker, fact) = &likely.fact
                    && under.implies(weaker)
                {
                    under.assume(fact);
                }
            }
            let special = self.selection(core, &mut under, conditions.len());
            for (list, implied) in [(special.reported, false), (special.implied, true)] {
                for found in list {
                    let fact = Fact::Implies(Box::new(condition.clone()), Box::new(found.fact));
                    let is_implied = implied || known.implies(&fact);
                    if !is_implied {
                        known.assume(&fact);
                    }
                    let likely = Likely::new(fact, core.samples(), found.chance.confidence());
                    if is_implied { facts.suppressed.push(likely) } else { facts.reported.push(likely) }
                }
            }
        }
        facts
    }

    /// What of the candidates is likely enough, related, and not implied.
    fn selection(&self, core: &Core, known: &mut Known, among: usize) -> Selection {
        let schema = &*self.schema;
        let mut candidates = core.candidates(schema);
        candidates.iter_mut().for_each(|c| c.chance = c.chance.among(among));
        candidates.retain(|c| {
            let is_related = !schema.options.related_only || !is_unrelated(&schema.point, &c.fact);
            is_related && c.chance.confidence() >= schema.options.confidence
        });
        select(candidates, known)
    }
}

impl Likely {
    fn new(fact: Fact, samples: u64, confidence: f64) -> Likely {
        Likely { fact, samples, confidence }
    }
}
