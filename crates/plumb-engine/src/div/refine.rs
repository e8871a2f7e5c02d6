//! Refinement of one unit's summary against calls that it allows and the unit does not make.

use super::language::{Clause, Pair, Values};
use super::partition::{Part, Spurious, candidates, divided, part_of, point};
use super::prove::Prover;
use super::questions::{is_division, without_implied};
use super::runs::Run;
use super::specification::Specification;
use super::table::tabulate;
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

impl Blamed {
    /// Looks whether the unit makes a call.
    pub fn note(&mut self, analyses: &Analyses, specification: &mut Specification, claimed: &Values) {
        if self.spurious.len() >= TUNING.spurious_calls || self.spurious.iter().any(|(known, _)| known == claimed) {
            return;
        }
        let tries = if specification.unit.asks { TUNING.runs_of_call } else { 1 };
        let mut real = None;
        for _ in 0..tries {
            match specification.run(analyses, claimed) {
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
    if specification.samples().is_empty() || specification.is_trivial() {
        specification.collect(prover.analyses, prover.budget, 1);
    }
    for (claimed, _) in &blamed.spurious {
        specification.sample_near(prover.analyses, claimed);
    }
    let allowed = |specification: &Specification| {
        blamed.spurious.iter().filter(|(claimed, _)| specification.allows(claimed)).count()
    };
    let before = allowed(specification);
    strengthen(prover, specification, blamed, others);
    for (claimed, real) in &blamed.spurious {
        for _ in 0..TUNING.repartitions {
            let is_spent = prover.budget.is_over() || specification.is_spent(prover.attempts());
            let is_done = is_spent || !specification.allows(claimed);
            if is_done || !partition(prover, specification, claimed, real.as_ref(), others) {
                break;
            }
        }
        match real {
            _ if !specification.allows(claimed) => {}
            Some(real) => add_point(prover, specification, claimed, real, others),
            None if specification.unit.is_recursive && !specification.unit.asks => {
                tabulate(prover, specification, claimed, others);
            }
            None => {}
        }
    }
    simplify(prover, specification, others);
    specification.attempts += prover.attempts();
    allowed(specification) < before
}

/// Facts about all calls of a unit that nothing is known of yet: units that call it need them.
pub fn enrich(prover: &Prover, specification: &mut Specification, others: &[Contract]) -> bool {
    specification.collect(prover.analyses, prover.budget, 1);
    let mut pairs = specification.pairs.clone();
    for pair in &mut pairs {
        pair.ensures.extend(candidates(specification, pair.requires));
    }
    let is_enriched = pairs != specification.pairs && adopt(prover, specification, pairs, others, None);
    simplify(prover, specification, others);
    specification.attempts += prover.attempts();
    is_enriched
}

/// New facts about calls from the entry states of each pair that a spurious call belongs to, without a partition.
fn strengthen(prover: &Prover, specification: &mut Specification, blamed: &Blamed, others: &[Contract]) {
    let mut pairs = specification.pairs.clone();
    for pair in &mut pairs {
        let concerns = |(claimed, _): &(Values, Option<Values>)| specification.language.holds(pair.requires, claimed);
        if prover.budget.is_over() || !blamed.spurious.iter().any(concerns) {
            continue;
        }
        let new: Vec<Clause> = candidates(specification, pair.requires);
        for clause in blamed.candidates.iter().chain(&new) {
            if !pair.ensures.contains(clause) {
                pair.ensures.push(*clause);
            }
        }
    }
    if pairs != specification.pairs {
        refute_by_samples(specification, &mut pairs);
        adopt(prover, specification, pairs, others, None);
    }
}

/// Divides the pair that a spurious call belongs to; whether it makes sense to try again with more samples.
fn partition(
    prover: &Prover,
    specification: &mut Specification,
    claimed: &Values,
    real: Option<&Values>,
    others: &[Contract],
) -> bool {
    let Some(at) = specification.language.pair_of(&specification.pairs, claimed) else { return false };
    if specification.pairs.len() >= TUNING.cases {
        return false;
    }
    let parent = specification.pairs[at].clone();
    let samples = specification.samples().len();
    let Some(part) = part_of(specification, &parent, &Spurious { claimed, real }) else { return false };
    let terms = specification.language.terms();
    let outside = terms.not(part.requires);
    for inside in [part.requires, outside] {
        let requires = specification.language.terms().and(parent.requires, inside);
        specification.diversify(prover.analyses, requires, prover.budget);
    }
    let mut pairs = divided(specification, at, &part);
    if !is_divided(prover, specification, at, &pairs) {
        return false;
    }
    refute_by_samples(specification, &mut pairs);
    if specification.language.allow(&pairs, claimed) {
        return false;
    }
    // A partition is worth nothing if the spurious call stays possible.
    adopt(prover, specification, pairs, others, Some(claimed)) || specification.samples().len() > samples
}

/// States the call from one entry state.
fn add_point(prover: &Prover, specification: &mut Specification, claimed: &Values, real: &Values, others: &[Contract]) {
    if specification.points >= TUNING.points || specification.unit.asks {
        return;
    }
    specification.points += 1;
    add_proved_point(prover, specification, real, others, Some(claimed));
}

/// States a call that the unit makes, if that can be proved and excludes another call; whether it does.
pub fn add_proved_point(
    prover: &Prover,
    specification: &mut Specification,
    real: &Values,
    others: &[Contract],
    unless: Option<&Values>,
) -> bool {
    let Some(at) = specification.language.pair_of(&specification.pairs, real) else { return false };
    let Part { requires, ensures } = point(specification, real);
    let parent = specification.pairs[at].clone();
    let terms = specification.language.terms();
    let outside = terms.not(requires);
    let (first, second) = (terms.and(parent.requires, requires), terms.and(parent.requires, outside));
    let mut pairs = specification.pairs.clone();
    pairs[at] = Pair { requires: first, ensures: [parent.ensures.clone(), ensures].concat() };
    pairs.insert(at + 1, Pair { requires: second, ensures: parent.ensures });
    is_divided(prover, specification, at, &pairs) && adopt(prover, specification, pairs, others, unless)
}

/// Whether pairs are those in force with one of them divided into two, as far as the solver tells.
fn is_divided(prover: &Prover, specification: &mut Specification, at: usize, pairs: &[Pair]) -> bool {
    if pairs.len() == specification.pairs.len() {
        return true;
    }
    let (parent, first, second) = (specification.pairs[at].requires, pairs[at].requires, pairs[at + 1].requires);
    is_division(specification.language.terms(), parent, first, second, prover.budget)
}

/// Drops clauses that samples refute: those of one part may have been inferred before others came.
fn refute_by_samples(specification: &Specification, pairs: &mut [Pair]) {
    for values in specification.samples() {
        specification.language.refute(pairs, values);
    }
}

/// Proves pairs and puts them in the place of the old ones, if that works out and they do not allow a call.
fn adopt(
    prover: &Prover,
    specification: &mut Specification,
    pairs: Vec<Pair>,
    others: &[Contract],
    unless: Option<&Values>,
) -> bool {
    let Specification { unit, language, runs, pairs: old, .. } = specification;
    let known: Vec<Clause> = old.iter().flat_map(|pair| pair.ensures.iter().copied()).collect();
    let target = &prover.analyses.program().target;
    let mut rerun = |values: &Values| {
        let (before, entry) = (runs.samples().len(), &values[..unit.entry.len()]);
        if let Run::Returned(real) = runs.run(target, unit, entry) {
            runs.add(real);
        }
        runs.sample_near(target, unit, entry);
        runs.since(before).to_vec()
    };
    let Some((pairs, proof)) = prover.prove(language, pairs, &known, others, &mut rerun) else { return false };
    if unless.is_some_and(|call| language.allow(&pairs, call)) {
        return false;
    }
    specification.pairs = pairs;
    specification.proof = Some(proof);
    true
}

/// Drops clauses that others imply: what is proved stays the same, and the contract can be read.
fn simplify(prover: &Prover, specification: &mut Specification, others: &[Contract]) {
    let pairs = without_implied(&mut specification.language, &specification.pairs, prover.budget);
    if pairs != specification.pairs {
        adopt(prover, specification, pairs, others, None);
    }
}
