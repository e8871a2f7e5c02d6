//! Proofs by contracts, part by part.
//!
//! The derived programs are made again from the program and the contracts: the unit of each contract, and the program that uses them.
//! Each must be shown to hold with what the certificate claims of it. That this is enough is argued in [`plumb_contract`].

use super::certificate::claims;
use super::induct::{self, ProofResult, assuming};
use super::{Rejected, Subject, Validation};
use crate::certificate::{ContractData, ProofData, UnitProof, read_contracts};
use plumb_answer::Budget;
use plumb_contract::{Contract, assumed_home, summarised, unbounded_stack, unit_of};
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::Derived;
use plumb_ir::program::{FuncId, Program};
use plumb_sym::{Assumed, FaultKind};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(
    subject: &Subject,
    contracts: &[ContractData],
    units: Vec<UnitProof>,
    top: ProofData,
    budget: &Budget,
) -> Validation {
    if subject.program.has_stacks() {
        return Validation::Unknown("contracts support one call stack only, and the program has several".to_string());
    }
    match shown(subject, contracts, units, top, budget) {
        Ok(validation) | Err(validation) => validation,
    }
}

fn rejected<T>(why: impl Into<String>) -> Result<T, Validation> {
    Err(Validation::Rejected(why.into()))
}

fn shown(
    subject: &Subject,
    contracts: &[ContractData],
    units: Vec<UnitProof>,
    top: ProofData,
    budget: &Budget,
) -> Result<Validation, Validation> {
    let program = subject.program;
    let contracts = read_contracts(program, contracts).or_else(rejected)?;
    let mut proofs = by_function(program, &contracts, units)?;
    let analyses = Analyses::new(program);
    let mut parts = Parts { subject, budget, assumed: supposed_stack(subject, &analyses, &contracts)? };
    let whole = summarised(&analyses, &contracts).or_else(rejected)?;
    for contract in &contracts {
        let name = &program.function(contract.func).name;
        let Some(proof) = proofs.remove(&contract.func) else {
            return rejected(format!("it has no proof of the contract of `{name}`"));
        };
        let unit = unit_of(&analyses, contract, &contracts).or_else(rejected)?;
        parts.part(&unit.derived, proof, &format!("the contract of `{name}`"))?;
    }
    let how = parts.part(&whole.derived, top, "the program with the contracts")?;
    let names = contracts.iter().map(|contract| format!("`{}`", program.function(contract.func).name));
    let names = match contracts.len() {
        1 => format!("the contract of {} holds", names.collect::<String>()),
        _ => format!("the contracts of {} hold", names.collect::<Vec<_>>().join(", ")),
    };
    Ok(Validation::Confirmed(format!("{names}, and with that: {how}{}", assuming(program, &parts.assumed))))
}

/// One proof for every contract, and for nothing else.
fn by_function(
    program: &Program,
    contracts: &[Contract],
    units: Vec<UnitProof>,
) -> Result<BTreeMap<FuncId, ProofData>, Validation> {
    let mut proofs = BTreeMap::new();
    for UnitProof { function, proof } in units {
        let func = FuncId(function);
        if !contracts.iter().any(|contract| contract.func == func) {
            return rejected(format!("it proves a contract of function {function}, which has none"));
        }
        if proofs.insert(func, proof).is_some() {
            return rejected(format!("it has two proofs of the contract of `{}`", program.function(func).name));
        }
    }
    Ok(proofs)
}

/// What has to be supposed of the stack: nothing, where the call graph bounds it.
pub(super) fn supposed_stack(
    subject: &Subject,
    analyses: &Analyses,
    contracts: &[Contract],
) -> Result<BTreeSet<Assumed>, Validation> {
    match unbounded_stack(analyses, contracts) {
        None => Ok(BTreeSet::new()),
        Some(func) if subject.rules.strict => {
            let name = &subject.program.function(func).name;
            rejected(format!(
                "calls of `{name}` may overflow the stack, which a strict proof may not exclude by assumption"
            ))
        }
        Some(_) => Ok(BTreeSet::from([Assumed { site: None, kind: FaultKind::StackOverflow }])),
    }
}

/// The parts that were shown so far.
struct Parts<'a> {
    subject: &'a Subject<'a>,
    budget: &'a Budget,
    /// Said of the original.
    assumed: BTreeSet<Assumed>,
}

impl Parts<'_> {
    /// Checks what is claimed of a derived program, and tells how it was shown.
    fn part(&mut self, derived: &Derived, proof: ProofData, what: &str) -> Result<String, Validation> {
        let analyses = Analyses::new(&derived.program);
        let claims = match claims(&analyses, proof) {
            Ok(claims) => claims,
            Err(Rejected(why)) => return rejected(format!("{what}: {why}")),
        };
        match induct::shown(&analyses, &claims, self.subject.rules, self.budget) {
            Ok(ProofResult { how, assumed }) => {
                self.assumed.extend(assumed_home(self.subject.program, &derived.provenance, &assumed));
                Ok(how)
            }
            Err(Validation::Rejected(why)) => rejected(format!("{what}: {why}")),
            Err(Validation::Unknown(why)) => Err(Validation::Unknown(format!("{what}: {why}"))),
            Err(confirmed @ Validation::Confirmed(_)) => Err(confirmed),
        }
    }
}
