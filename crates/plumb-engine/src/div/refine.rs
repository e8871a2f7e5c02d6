//! Refinement of one unit's summary against calls that it allows and the unit does not make.

use super::partition::{Part, Spurious, candidates, divided, part_of, point};
use super::prove::Prover;
use super::specification::{Clause, Pair, Run, Specification, Values};
use super::questions::without_implied;
use super::tuning::TUNING;
use plumb_contract::Contract;
use plumb_ir::analysis::Analyses;

/// What an alarm has against a unit.
#[derive(Default)]
pub struct Blamed {
    /// Calls that the unit does not make, with what it does from the same entry state, if it returns.
    spurious: Vec<(Values, Option<Values>)>,
    /// Clauses that exclude the alarm's path.
    pub candidates: Vec<Clause>,
}

/// Calls of one unit in one alarm that are looked at.
const MAX_SPURIOUS: usize = 8;
/// Runs of a unit that asks for values from outside: one of them may be the call.
const TRIES: usize = 16;

impl Blamed {
    /// Looks whether the unit makes a call.
    pub fn note(&mut self, analyses: &Analyses, specification: &mut Specification, claimed: &Values) {
        if self.spurious.len() >= MAX_SPURIOUS || self.spurious.iter().any(|(known, _)| known == claimed) {
            return;
        }
        let entry = &claimed[..specification.unit.entry.len()];
        let tries = if specification.unit.asks { TRIES } else { 1 };
        let mut real = None;
        for _ in 0..tries {
            match specification.run(analyses, entry) {
                Run::Returned(values) if values == *claimed => {
                    specification.add(values);
                    return;
                }
                Run::Returned(values) => real = Some(values),
                Run::NotReturned => {}
            }
        }
        if let Some(real) = &real {
            specification.add(real.clone());
        }
        self.spurious.push((claimed.clone(), real));
    }

    pub fn is_spurious(&self) -> bool {
        !self.spurious.is_empty()
    }
}

/// Strengthens the summary until it allows none of the spurious calls, as far as it can; whether it allows fewer of them now.
pub fn refine(prover: &Prover, specification: &mut Specification, blamed: &Blamed, others: &[Contract]) -> bool {
    if specification.samples().len() < TUNING.samples / 8 || specification.proof_is_trivial() {
        specification.collect(prover.analyses, prover.budget, 1);
    }
    for (claimed, _) in &blamed.spurious {
        let entry: Vec<u64> = claimed[..specification.unit.entry.len()].to_vec();
        specification.sample_near(prover.analyses, &entry);
    }
    let is_open = |specification: &Specification| {
        blamed.spurious.iter().filter(|(claimed, _)| specification.allow(&specification.pairs, claimed)).count()
    };
    let before = is_open(specification);
    strengthen(prover, specification, blamed, others);
    for (claimed, real) in &blamed.spurious {
        for _ in 0..TUNING.repartitions {
            if prover.budget.is_over() || !specification.allow(&specification.pairs, claimed) {
                break;
            }
            if !partition(prover, specification, claimed, real.as_ref(), others) {
                break;
            }
        }
        if let Some(real) = real.as_ref().filter(|_| specification.allow(&specification.pairs, claimed)) {
            add_point(prover, specification, real, others);
        }
    }
    simplify(prover, specification, others);
    is_open(specification) < before
}

/// New facts about calls from the entry states of each pair that a spurious call belongs to, without a partition.
fn strengthen(prover: &Prover, specification: &mut Specification, blamed: &Blamed, others: &[Contract]) {
    let mut pairs = specification.pairs.clone();
    for at in 0..pairs.len() {
        let concerns = |(claimed, _): &&(Values, Option<Values>)| specification.holds(pairs[at].requires, claimed);
        if !blamed.spurious.iter().any(|one| concerns(&one)) {
            continue;
        }
        let new: Vec<Clause> = candidates(specification, pairs[at].requires);
        for clause in blamed.candidates.iter().chain(&new) {
            if !pairs[at].ensures.contains(clause) {
                pairs[at].ensures.push(*clause);
            }
        }
    }
    refute_by_samples(specification, &mut pairs);
    adopt(prover, specification, pairs, others);
}

/// Divides the pair that a spurious call belongs to; whether it makes sense to try again with more samples.
fn partition(
    prover: &Prover,
    specification: &mut Specification,
    claimed: &Values,
    real: Option<&Values>,
    others: &[Contract],
) -> bool {
    let Some(at) = specification.pair_of(&specification.pairs, claimed) else { return false };
    if specification.pairs.len() >= TUNING.cases {
        return false;
    }
    let parent = specification.pairs[at].clone();
    let samples = specification.samples().len();
    let Some(part) = part_of(specification, &parent, &Spurious { claimed, real }) else { return false };
    let pairs = specification.pairs.clone();
    let pairs = divided(specification, &pairs, at, &part);
    divide(prover, specification, pairs, claimed, others) || specification.samples().len() > samples
}

/// States the call from one entry state.
fn add_point(prover: &Prover, specification: &mut Specification, real: &Values, others: &[Contract]) {
    let Some(at) = specification.pair_of(&specification.pairs, real) else { return };
    if specification.points >= TUNING.points || specification.unit.asks {
        return;
    }
    specification.points += 1;
    let Part { requires, ensures } = point(specification, real);
    let parent = specification.pairs[at].clone();
    let terms = specification.terms();
    let outside = terms.not(requires);
    let (first, second) = (terms.and(parent.requires, requires), terms.and(parent.requires, outside));
    let mut pairs = specification.pairs.clone();
    pairs[at] = Pair { requires: first, ensures: [parent.ensures.clone(), ensures].concat() };
    pairs.insert(at + 1, Pair { requires: second, ensures: parent.ensures });
    adopt(prover, specification, pairs, others);
}

/// Drops clauses that samples refute: those of one part may have been inferred before others came.
fn refute_by_samples(specification: &Specification, pairs: &mut [Pair]) {
    for values in specification.samples() {
        for pair in pairs.iter_mut() {
            if pair.ensures.is_empty() || !specification.holds(pair.requires, values) {
                continue;
            }
            let conditions: Vec<_> = pair.ensures.iter().flat_map(|clause| [clause.when, clause.then]).collect();
            let held = specification.hold(&conditions, values);
            let mut at = 0;
            pair.ensures.retain(|_| {
                at += 2;
                !held[at - 2] || held[at - 1]
            });
        }
    }
}

/// Proves pairs and, if that works out, puts them in the place of the old ones.
fn adopt(prover: &Prover, specification: &mut Specification, pairs: Vec<Pair>, others: &[Contract]) -> bool {
    if pairs == specification.pairs {
        return false;
    }
    let Some((pairs, proof)) = prover.prove(specification, pairs, others) else { return false };
    specification.pairs = pairs;
    specification.proof = Some(proof);
    true
}

/// The same for a partition, which is worth nothing if a spurious call stays possible.
fn divide(
    prover: &Prover,
    specification: &mut Specification,
    mut pairs: Vec<Pair>,
    claimed: &Values,
    others: &[Contract],
) -> bool {
    refute_by_samples(specification, &mut pairs);
    if specification.allow(&pairs, claimed) {
        return false;
    }
    let Some((pairs, proof)) = prover.prove(specification, pairs, others) else { return false };
    if specification.allow(&pairs, claimed) {
        return false;
    }
    specification.pairs = pairs;
    specification.proof = Some(proof);
    true
}

/// Drops clauses that others imply: what is proved stays the same, and the contract can be read.
fn simplify(prover: &Prover, specification: &mut Specification, others: &[Contract]) {
    let pairs = without_implied(specification, &specification.pairs.clone(), prover.budget);
    adopt(prover, specification, pairs, others);
}
