//! Runs of a unit on the machine: the original, called from given entry states.

use super::language::Values;
use super::tuning::TUNING;
use super::units::Unit;
use crate::budget::Budget;
use crate::summary::examples::{Prober, collect_for_unit};
use plumb_c::target::Target;
use plumb_exec::Rng;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::ScalarType;
use rustc_hash::FxHashSet;

/// How a call went.
pub enum Run {
    Returned(Values),
    /// The run ended, or took too long.
    NotReturned,
}

pub struct Runs {
    prober: Prober,
    samples: Vec<Values>,
    known: FxHashSet<Values>,
    /// Of values from outside; another one for every call.
    seed: u64,
}

impl Runs {
    /// `None` if the unit cannot be run.
    pub fn new(analyses: &Analyses, unit: &Unit) -> Option<Runs> {
        let mut prober = Prober::of_unit(analyses, unit.func, &unit.entry)?;
        prober.limit = TUNING.sample_steps;
        Some(Runs { prober, samples: Vec::new(), known: FxHashSet::default(), seed: 0 })
    }

    pub fn samples(&self) -> &[Values] {
        &self.samples
    }

    /// Calls the unit from an entry state, and gives it the time that it needs.
    pub fn run(&mut self, target: &Target, unit: &Unit, entry: &[u64]) -> Run {
        self.prober.limit = TUNING.run_steps;
        let run = self.call(target, unit, entry);
        self.prober.limit = TUNING.sample_steps;
        run
    }

    fn call(&mut self, target: &Target, unit: &Unit, entry: &[u64]) -> Run {
        self.seed += 1;
        let outcome = match unit.asks {
            true => self.prober.call_seeded(entry, self.seed),
            false => self.prober.call(entry),
        };
        let Some(result) = outcome.returned() else { return Run::NotReturned };
        let mut values: Vec<u64> = entry.to_vec();
        for scalar in &unit.exit {
            let Some(value) = self.prober.after(scalar.source, scalar.ty.ty.bytes(target)) else {
                return Run::NotReturned;
            };
            values.push(value & mask(scalar.ty.ty.bits(target)));
        }
        if let Some(ty) = unit.result {
            values.push(result & mask(ty.ty.bits(target)));
        }
        Run::Returned(values.into())
    }

    /// Finds samples.
    pub fn collect(&mut self, analyses: &Analyses, unit: &Unit, budget: &Budget, seed: u64) {
        let slice = super::decide::part(budget, TUNING.samples_slice);
        let found = collect_for_unit(analyses, unit.func, &unit.entry, &mut self.prober, &slice, seed);
        let mut entries: Vec<Box<[u64]>> = found.list.into_iter().map(|example| example.inputs).collect();
        if unit.entry.is_empty() {
            entries.push(Box::default());
        }
        // Recursive functions return from small values only, and what they return differs there.
        let mut rng = Rng(seed);
        for _ in 0..if unit.entry.is_empty() { 0 } else { TUNING.small_samples } {
            let value = |ty: ScalarType| rng.below(16).wrapping_sub(3) & mask(ty.ty.bits(&analyses.program().target));
            entries.push(unit.entry.iter().map(|scalar| scalar.ty).map(value).collect());
        }
        // What depends on values from outside is seen in several calls only.
        let rounds = if unit.asks { 4 } else { 1 };
        for _ in 0..rounds {
            for entry in &entries {
                self.sample(&analyses.program().target, unit, entry);
            }
        }
    }

    /// Calls the unit and keeps what it did.
    pub fn sample(&mut self, target: &Target, unit: &Unit, entry: &[u64]) {
        if let Run::Returned(values) = self.call(target, unit, entry) {
            self.add(values);
        }
    }

    /// Takes in a sample.
    pub fn add(&mut self, values: Values) {
        if self.samples.len() < TUNING.samples && self.known.insert(values.clone()) {
            self.samples.push(values);
        }
    }

    /// Samples from the number on.
    pub fn since(&self, number: usize) -> &[Values] {
        &self.samples[number.min(self.samples.len())..]
    }

    /// Tries entry states near to one: each value a little larger and smaller, zero, negated and swapped with its neighbour.
    pub fn sample_near(&mut self, target: &Target, unit: &Unit, entry: &[u64]) {
        for at in 0..entry.len().min(8) {
            let ty = unit.entry[at].ty;
            let old = entry[at];
            let others = [old.wrapping_add(1), old.wrapping_sub(1), 0, 1, old.wrapping_neg(), old >> 1, old << 1];
            for new in others.map(|value| value & mask(ty.ty.bits(target))).into_iter().filter(|new| *new != old) {
                let mut changed = entry.to_vec();
                changed[at] = new;
                self.sample(target, unit, &changed);
            }
            if unit.entry.get(at + 1).is_some_and(|next| next.ty == ty) {
                let mut changed = entry.to_vec();
                changed.swap(at, at + 1);
                self.sample(target, unit, &changed);
            }
        }
    }
}

fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits.clamp(1, 64))
}
