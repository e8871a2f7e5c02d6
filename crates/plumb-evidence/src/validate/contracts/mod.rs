//! Contracts of a witness, checked function by function.
//!
//! ```text
//!   clause     conditions, with \result and \old         functions  C functions that evaluate them
//!   derive     the programs that show them
//! ```
//!
//! Nothing of a contract is believed: each body is shown to keep it, callers to satisfy what it requires, and that they use
//! no more of the function than it ensures. Invariants of loops are shown in the same programs.

mod clause;
mod derive;
mod functions;

use super::annotate::annotate;
use super::content::{InvariantSet, Metadata};
use super::induct::{self, Invariants, ProofResult};
use super::{Rejected, Subject, Validation};
use crate::witness::locate::Locator;
use derive::Functions;
use functions::Merged;
pub(super) use functions::is_own;
use plumb_answer::Budget;
use plumb_contract::unbounded_stack_of;
use plumb_ir::analysis::Analyses;
use plumb_ir::program::Program;
use plumb_sym::FaultKind;

pub(super) fn check(
    subject: &Subject,
    metadata: &Metadata,
    set: &InvariantSet,
    locator: &Locator<'_>,
    budget: &Budget,
) -> Validation {
    if subject.program.has_stacks() {
        return Validation::Unknown("contracts support one call stack only, and the program has several".to_string());
    }
    match shown(subject, metadata, set, locator, budget) {
        Ok(how) => Validation::Confirmed(how),
        Err(validation) => validation,
    }
}

fn shown(
    subject: &Subject,
    metadata: &Metadata,
    set: &InvariantSet,
    locator: &Locator<'_>,
    budget: &Budget,
) -> Result<String, Validation> {
    let InvariantSet { invariants, contracts } = set;
    let mut edits =
        annotate(subject.program, locator, invariants).map_err(|Rejected(why)| Validation::Rejected(why))?;
    let merged = functions::merge(subject.program, locator, contracts)?;
    functions::put(subject.program, &merged, invariants.len(), &mut edits)?;
    let program = (subject.reload)(&edits)
        .map_err(|why| Validation::Rejected(format!("a condition is not a valid expression at its location: {why}")))?;
    let analyses = Analyses::new(&program);
    let names: Vec<_> = merged.iter().map(|one| subject.program.function(one.func).name.clone()).collect();
    let mut functions = derive::functions(&analyses, &names).map_err(refused)?;
    let claims = Claims { subject, metadata, set, merged: &merged, budget };
    let mut assumed = loop {
        match claims.units_shown(&analyses, &functions) {
            Ok(assumed) => break assumed,
            Err((at, _)) if functions[at].takes_pointers => functions[at].is_replaced = false,
            Err((_, validation)) => return Err(validation),
        }
    };
    let top = derive::top(&analyses, &functions).map_err(refused)?;
    let how = claims.shown_of(&top, "the program with the contracts", &mut assumed)?;
    let names: Vec<String> = functions.iter().map(|one| format!("`{}`", program.function(one.func).name)).collect();
    let names = match &names[..] {
        [one] => format!("the contract of {one} holds"),
        _ => format!("the contracts of {} hold", names.join(", ")),
    };
    Ok(format!("{names}, and with that: {how}{}", induct::supposing(assumed)))
}

fn refused(why: String) -> Validation {
    Validation::Unknown(format!("the contracts cannot be checked: {why}"))
}

/// What a witness says, and how it is judged.
struct Claims<'a> {
    subject: &'a Subject<'a>,
    metadata: &'a Metadata,
    set: &'a InvariantSet,
    merged: &'a [Merged],
    budget: &'a Budget,
}

impl Claims<'_> {
    /// What is supposed where functions that contracts stand for are shown to keep them; or the first that is not, with what is said of it.
    fn units_shown(&self, analyses: &Analyses, functions: &[Functions]) -> Result<Vec<String>, (usize, Validation)> {
        let program = analyses.program();
        let mut assumed = Vec::new();
        let replaced = || functions.iter().enumerate().filter(|(_, one)| one.is_replaced);
        for (at, one) in replaced() {
            let Some(func) = unbounded_stack_of(analyses, [one.func]) else { continue };
            if self.subject.rules.strict {
                let name = &program.function(func).name;
                let why = format!(
                    "calls of `{name}` may overflow the stack, which a strict proof may not exclude by assumption"
                );
                return Err((at, Validation::Unknown(why)));
            }
            assumed.push(FaultKind::StackOverflow.description().to_string());
        }
        for (at, one) in replaced() {
            let name = &program.function(one.func).name;
            let shown = match derive::unit(analyses, functions, one) {
                Ok(unit) => self.shown_of(&unit, &format!("the contract of `{name}`"), &mut assumed),
                Err(why) => Err(refused(why)),
            };
            shown.map_err(|validation| (at, validation))?;
        }
        Ok(assumed)
    }

    /// How a program is shown to hold; what is supposed for it is added to the list.
    fn shown_of(&self, program: &Program, what: &str, assumed: &mut Vec<String>) -> Result<String, Validation> {
        let descriptions: Vec<String> = self.merged.iter().flat_map(|one| self.descriptions(one)).collect();
        let invariants = Invariants { list: &self.set.invariants, others: &descriptions };
        let judged = induct::judge(program, self.metadata, invariants, self.subject.rules, self.budget);
        match judged {
            Ok(ProofResult { how, assumed: new }) => {
                assumed.extend(induct::assumed_texts(program, &new));
                Ok(how)
            }
            Err(Validation::Rejected(why)) => Err(Validation::Rejected(format!("{what}: {why}"))),
            Err(Validation::Unknown(why)) => Err(Validation::Unknown(format!("{what}: {why}"))),
            Err(confirmed @ Validation::Confirmed(_)) => Err(confirmed),
        }
    }

    /// What is wrong if the claims of a contract do not hold.
    fn descriptions(&self, contract: &Merged) -> [String; 2] {
        let name = &self.subject.program.function(contract.func).name;
        [
            format!("a call of `{name}` may violate the precondition of its contract"),
            format!("`{name}` may violate the postcondition of its contract"),
        ]
    }
}
