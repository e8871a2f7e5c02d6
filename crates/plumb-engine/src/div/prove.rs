//! Proofs of contracts: `{requires} unit {ensures}` for all pairs at once.
//!
//! The unit with a check for every conjunct is given to the engines. A counterexample is a call: all clauses that it breaks are
//! dropped, its entry state is run on the original for one more sample, and the rest is tried again (the Houdini algorithm of
//! Flanagan and Leino 2001). Inner calls of units, the unit itself included, run contracts: what is left is proved by induction
//! over the depth of calls.

use super::decide::{DecideOptions, decide, part};
use super::exchange::unit_invariants;
use super::language::{Clause, Language, Pair, Values};
use super::specification::{Shown, UnitProof};
use super::tuning::TUNING;
use crate::answer::{Answer, Violation, WhyUnknown};
use crate::budget::Budget;
use plumb_contract::{Contract, Unit, assumed_home, unit_of};
use plumb_exec::{CompileOptions, Image, Limits, ListInputs, Machine, Outcome};
use plumb_ir::analysis::Analyses;
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub struct Prover<'a> {
    pub analyses: &'a Analyses,
    pub decide_options: DecideOptions,
    pub budget: &'a Budget,
    /// Attempts so far.
    attempts: Cell<usize>,
}

/// What an attempt to prove a contract came to.
enum Attempt {
    Proved(UnitProof),
    /// A call that breaks the contract. It may be none of the original where inner calls run contracts.
    Refuted(Values),
    Undecided,
}

/// Calls that a unit really makes from the entry state of a call, and near to it.
pub type Rerun<'r> = dyn FnMut(&Values) -> Vec<Values> + 'r;

impl<'a> Prover<'a> {
    pub fn new(analyses: &'a Analyses, decide_options: DecideOptions, budget: &'a Budget) -> Prover<'a> {
        Prover { analyses, decide_options, budget, attempts: Cell::new(0) }
    }

    pub fn attempts(&self) -> usize {
        self.attempts.get()
    }

    /// The pairs with the clauses that can be proved together, and their proof. `known` are clauses that need no new proof. `None`
    /// where not even these can be proved.
    pub fn prove(
        &self,
        language: &mut Language,
        mut pairs: Vec<Pair>,
        known: &[Clause],
        others: &[Contract],
        rerun: &mut Rerun<'_>,
    ) -> Option<(Vec<Pair>, UnitProof)> {
        for _ in 0..TUNING.counterexamples {
            match self.attempt(language, &pairs, others, TUNING.proof_slice) {
                Attempt::Proved(proof) => return Some((pairs, proof)),
                Attempt::Refuted(values) => {
                    // The counterexample may be none of the original, which may break other clauses.
                    let mut is_refuted = language.refute(&mut pairs, &values);
                    for real in rerun(&values) {
                        is_refuted |= language.refute(&mut pairs, &real);
                    }
                    if !is_refuted {
                        return None;
                    }
                }
                Attempt::Undecided => return self.prove_one_by_one(language, &pairs, known, others),
            }
            if self.budget.is_over() {
                return None;
            }
        }
        None
    }

    /// Adds one clause after the other to those that need no new proof.
    fn prove_one_by_one(
        &self,
        language: &mut Language,
        pairs: &[Pair],
        known: &[Clause],
        others: &[Contract],
    ) -> Option<(Vec<Pair>, UnitProof)> {
        let is_known = |clause: &Clause| known.contains(clause);
        let mut kept: Vec<Pair> = pairs
            .iter()
            .map(|pair| Pair { ensures: pair.ensures.iter().copied().filter(is_known).collect(), ..pair.clone() })
            .collect();
        let slice = TUNING.proof_slice / 4;
        let Attempt::Proved(mut proof) = self.attempt(language, &kept, others, slice) else { return None };
        let new: Vec<(usize, Clause)> = pairs
            .iter()
            .enumerate()
            .flat_map(|(at, pair)| pair.ensures.iter().map(move |clause| (at, *clause)))
            .filter(|(_, clause)| !is_known(clause))
            .take(TUNING.one_by_one)
            .collect();
        for (at, clause) in new {
            if self.budget.is_over() {
                break;
            }
            kept[at].ensures.push(clause);
            match self.attempt(language, &kept, others, slice) {
                Attempt::Proved(next) => proof = next,
                Attempt::Refuted(_) | Attempt::Undecided => {
                    kept[at].ensures.pop();
                }
            }
        }
        Some((kept, proof))
    }

    /// A proof of what some pairs promise, be it nothing, as it is.
    pub fn prove_as_is(&self, language: &mut Language, pairs: &[Pair], others: &[Contract]) -> Option<UnitProof> {
        self.prove_within(language, pairs, others, TUNING.trivial_slice)
    }

    /// The same of pairs that were proved with other contracts inside: it is worth all the time that is left.
    pub fn prove_again(&self, language: &mut Language, pairs: &[Pair], others: &[Contract]) -> Option<UnitProof> {
        let mut slice = TUNING.trivial_slice;
        while !self.budget.is_over() {
            if let Some(proof) = self.prove_within(language, pairs, others, slice) {
                return Some(proof);
            }
            slice = slice.saturating_mul(2);
            if slice > TUNING.longest_slice {
                break;
            }
        }
        None
    }

    fn prove_within(
        &self,
        language: &mut Language,
        pairs: &[Pair],
        others: &[Contract],
        slice: Duration,
    ) -> Option<UnitProof> {
        match self.attempt(language, pairs, others, slice) {
            Attempt::Proved(proof) => Some(proof),
            Attempt::Refuted(_) | Attempt::Undecided => None,
        }
    }

    fn attempt(&self, language: &mut Language, pairs: &[Pair], others: &[Contract], slice: Duration) -> Attempt {
        let _span = tracing::info_span!("unit proof").entered();
        tracing::info!(proofs = 1);
        self.attempts.set(self.attempts.get() + 1);
        let contract = language.contract(pairs);
        let Ok(unit) = unit_of(self.analyses, &contract, others) else { return Attempt::Undecided };
        let analyses = Analyses::new(&unit.derived.program);
        let left = self.budget.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let slice = left.map_or(slice, |left| slice.min(left / TUNING.proof_share));
        match decide(&analyses, self.decide_options.of_derived(), &part(self.budget, slice)) {
            Answer::Holds(proof, assumed) => {
                let assumed = assumed_home(self.analyses.program(), &unit.derived.provenance, &assumed);
                let invariants = unit_invariants(self.analyses, &unit, &proof);
                Attempt::Proved(UnitProof { shown: Shown::Proof(proof), assumed, invariants })
            }
            Answer::Violated(violation) => {
                counterexample(&unit, &violation).map_or(Attempt::Undecided, Attempt::Refuted)
            }
            Answer::Unknown(unknown) => match (unknown.why, self.decide_options.unwind) {
                // The user wants to know what happens within the bound.
                (WhyUnknown::Bound(bound), Some(_)) => {
                    let (assumed, invariants) = Default::default();
                    Attempt::Proved(UnitProof { shown: Shown::UpTo(bound), assumed, invariants })
                }
                _ => Attempt::Undecided,
            },
        }
    }
}

/// The call that breaks a contract, with the values of its symbols.
pub fn counterexample(unit: &Unit, violation: &Violation) -> Option<Values> {
    if unit.checks.iter().all(|one| one.check != violation.check) {
        return None;
    }
    let image = Image::compile(&unit.derived.program, &CompileOptions::default()).ok()?;
    let mut machine = Machine::new(Arc::new(image));
    let mut inputs = ListInputs::new(violation.inputs.iter().map(|(_, value)| value.clone()));
    match machine.run(&mut inputs, Limits::steps(TUNING.run_steps)) {
        Outcome::CheckFailed { check, .. } if check == violation.check => {
            unit.atoms.iter().map(|var| machine.local(*var).map(|bits| bits.u64())).collect()
        }
        _ => None,
    }
}
