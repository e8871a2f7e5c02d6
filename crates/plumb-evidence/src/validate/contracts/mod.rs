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
use super::induct::{self, Invariants, Shown};
use super::{Rejected, Subject, Validation};
use crate::witness::locate::Locator;
use functions::Merged;
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
        .map_err(|why| Validation::Rejected(format!("a condition is no expression of the program there: {why}")))?;
    let analyses = Analyses::new(&program);
    let refused = |why: String| Validation::Unknown(format!("the contracts cannot be checked: {why}"));
    let names: Vec<_> = merged.iter().map(|one| subject.program.function(one.func).name.clone()).collect();
    let functions = derive::functions(&analyses, &names).map_err(refused)?;
    let claims = Claims { subject, metadata, set, merged: &merged, budget };
    let mut assumed = Vec::new();
    let replaced: Vec<_> = functions.iter().filter(|one| one.is_replaced).collect();
    if let Some(func) = unbounded_stack_of(&analyses, replaced.iter().map(|one| one.func)) {
        if subject.strict {
            let name = &program.function(func).name;
            let why = format!("the stack may not suffice for calls of `{name}`, which a strict proof may not suppose");
            return Err(Validation::Unknown(why));
        }
        assumed.push(FaultKind::StackOverflow.deed().to_string());
    }
    for one in &replaced {
        let unit = derive::unit(&analyses, &functions, one).map_err(refused)?;
        let name = &program.function(one.func).name;
        claims.shown_of(&unit, &format!("the contract of `{name}`"), &mut assumed)?;
    }
    let top = derive::top(&analyses, &functions).map_err(refused)?;
    let how = claims.shown_of(&top, "the program with the contracts", &mut assumed)?;
    let names: Vec<String> = functions.iter().map(|one| format!("`{}`", program.function(one.func).name)).collect();
    let names = match &names[..] {
        [one] => format!("the contract of {one} holds"),
        _ => format!("the contracts of {} hold", names.join(", ")),
    };
    Ok(format!("{names}, and with that: {how}{}", induct::supposing(assumed)))
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
    /// How a program is shown to hold; what is supposed for it is added to the list.
    fn shown_of(&self, program: &Program, what: &str, assumed: &mut Vec<String>) -> Result<String, Validation> {
        let descriptions: Vec<String> = self.merged.iter().flat_map(|one| self.descriptions(one)).collect();
        let invariants = Invariants { list: &self.set.invariants, others: &descriptions };
        let judged = induct::judge(program, self.metadata, invariants, self.subject.strict, self.budget);
        match judged {
            Ok(Shown { how, assumed: new }) => {
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
            format!("a call of `{name}` may not satisfy what its contract requires"),
            format!("`{name}` may not ensure what its contract says"),
        ]
    }
}
