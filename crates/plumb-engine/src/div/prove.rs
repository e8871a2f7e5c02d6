//! Proofs of contracts: `{requires} unit {ensures}` for all pairs at once.
//!
//! The unit with a check for every conjunct is given to the engines. A counterexample is a call: all clauses that it breaks are
//! dropped, its entry state is run on the original for one more sample, and the rest is tried again (the Houdini algorithm of
//! Flanagan and Leino 2001). Inner calls of units, the unit itself included, run contracts: what is left is proved by induction
//! over the depth of calls.

use super::decide::{decide, part};
use super::specification::{Clause, Pair, Run, Specification, UnitProof, Values};
use super::tuning::TUNING;
use crate::answer::{Answer, Violation};
use crate::budget::Budget;
use plumb_contract::{Contract, Unit, unit_of};
use plumb_exec::{CompileOptions, Image, Limits, ListInputs, Machine, Outcome};
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::Provenance;
use plumb_sym::{Assumed, FaultSite};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

pub struct Prover<'a> {
    pub analyses: &'a Analyses,
    pub strict: bool,
    pub budget: &'a Budget,
}

/// What an attempt to prove a contract came to.
enum Attempt {
    Proved(UnitProof),
    /// A call that breaks the contract. It may be none of the original where inner calls run contracts.
    Refuted(Values),
    Undecided,
}

impl Prover<'_> {
    /// The pairs with the clauses that can be proved together, and their proof; `None` where not even the pairs that are in force
    /// can be proved with the others' contracts.
    pub fn prove(
        &self,
        specification: &mut Specification,
        mut pairs: Vec<Pair>,
        others: &[Contract],
    ) -> Option<(Vec<Pair>, UnitProof)> {
        for _ in 0..TUNING.counterexamples {
            match self.attempt(specification, &pairs, others, TUNING.proof_slice) {
                Attempt::Proved(proof) => return Some((pairs, proof)),
                Attempt::Refuted(values) => {
                    if !self.drop_refuted(specification, &mut pairs, &values) {
                        return None;
                    }
                }
                Attempt::Undecided => return self.prove_one_by_one(specification, &pairs, others),
            }
            if self.budget.is_over() {
                return None;
            }
        }
        None
    }

    /// Drops the clauses that a counterexample breaks, and those that the original breaks from the same entry state.
    fn drop_refuted(&self, specification: &mut Specification, pairs: &mut [Pair], values: &Values) -> bool {
        let mut refuting = vec![values.clone()];
        let entry = &values[..specification.unit.entry.len()];
        if let Run::Returned(real) = specification.run(self.analyses, entry) {
            specification.add(real.clone());
            refuting.push(real);
        }
        let mut dropped = false;
        for pair in pairs {
            for values in &refuting {
                if !specification.holds(pair.requires, values) {
                    continue;
                }
                let before = pair.ensures.len();
                pair.ensures.retain(|c| !specification.holds(c.when, values) || specification.holds(c.then, values));
                dropped |= pair.ensures.len() < before;
            }
        }
        dropped
    }

    /// Adds one clause after the other to those that need no new proof.
    fn prove_one_by_one(
        &self,
        specification: &mut Specification,
        pairs: &[Pair],
        others: &[Contract],
    ) -> Option<(Vec<Pair>, UnitProof)> {
        let known: BTreeSet<Clause> = specification.pairs.iter().flat_map(|pair| pair.ensures.iter().copied()).collect();
        let is_known = |clause: &Clause| known.contains(clause);
        let mut kept: Vec<Pair> = pairs
            .iter()
            .map(|pair| Pair { ensures: pair.ensures.iter().copied().filter(is_known).collect(), ..pair.clone() })
            .collect();
        let slice = TUNING.proof_slice / 4;
        let Attempt::Proved(mut proof) = self.attempt(specification, &kept, others, slice) else { return None };
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
            match self.attempt(specification, &kept, others, slice) {
                Attempt::Proved(next) => proof = next,
                Attempt::Refuted(_) | Attempt::Undecided => {
                    kept[at].ensures.pop();
                }
            }
        }
        Some((kept, proof))
    }

    /// A proof that a unit whose contract promises nothing does nothing that is not modelled.
    pub fn prove_trivial(&self, specification: &mut Specification, others: &[Contract]) -> Option<UnitProof> {
        let pairs = specification.pairs.clone();
        match self.attempt(specification, &pairs, others, TUNING.trivial_slice) {
            Attempt::Proved(proof) => Some(proof),
            Attempt::Refuted(_) | Attempt::Undecided => None,
        }
    }

    fn attempt(
        &self,
        specification: &mut Specification,
        pairs: &[Pair],
        others: &[Contract],
        slice: Duration,
    ) -> Attempt {
        let _span = tracing::info_span!("unit proof").entered();
        tracing::info!(proofs = 1);
        let contract = specification.contract(pairs);
        let Ok(unit) = unit_of(self.analyses, &contract, others) else { return Attempt::Undecided };
        let analyses = Analyses::new(&unit.derived.program);
        match decide(&analyses, self.strict, &part(self.budget, slice)) {
            Answer::Holds(proof, assumed) => match home(&unit.derived.provenance, &assumed) {
                Some(assumed) => Attempt::Proved(UnitProof { proof, assumed }),
                None => Attempt::Undecided,
            },
            Answer::Violated(violation) => {
                counterexample(&unit, &violation).map_or(Attempt::Undecided, Attempt::Refuted)
            }
            Answer::Unknown(_) => Attempt::Undecided,
        }
    }
}

/// The call that breaks a contract, with the values of its symbols.
fn counterexample(unit: &Unit, violation: &Violation) -> Option<Values> {
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

/// What a proof of a derived program assumes, as assumptions about the original. `None` if it assumes something of what was made
/// up.
pub fn home(provenance: &Provenance, assumed: &BTreeSet<Assumed>) -> Option<BTreeSet<Assumed>> {
    let place = |site: FaultSite| {
        let (func, edge) = provenance.edge(site.func, site.edge).original()?;
        let (_, loc) = provenance.location(site.func, site.loc).original()?;
        Some(FaultSite { func, edge, loc })
    };
    let one = |assumed: &Assumed| match assumed.site {
        Some(site) => Some(Assumed { site: Some(place(site)?), ..*assumed }),
        None => Some(*assumed),
    };
    assumed.iter().map(one).collect()
}
