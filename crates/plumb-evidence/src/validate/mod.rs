//! Witnesses and certificates, checked from scratch.
//!
//! ```text
//!   yaml        the text of a witness           content    what it says
//!   violation   a run along the waypoints       search     what they leave open
//!   annotate    invariants in the program's text
//!   induct      whether invariants hold, and whether they are enough
//!   explore     all runs, with loops cut
//!   certificate the text of a certificate       claims     its formulas, said of states
//!   all_states  those of programs with several stacks
//!   modular     proofs by contracts             contracts/ those of a witness
//!   tuning      its knobs
//! ```
//!
//! **Idea.** A violation is confirmed by a run of the concrete machine that passes the waypoints in their order and breaks the
//! property at the target. Invariants are confirmed by induction: each is shown where its loop is entered and after an iteration that
//! begins in it, and nothing else may go wrong on the way.
//!
//! **Soundness.** Nothing of an engine takes part: the front end and the two semantics of edges are all that producer and
//! checker share, and the solver is a fresh one, or another program altogether ([`Rules::solvers`]). What a witness says is never believed; it only tells where to look.

mod all_states;
mod annotate;
mod certificate;
mod claims;
mod content;
mod contracts;
mod explore;
mod induct;
mod modular;
mod search;
mod tuning;
mod violation;
mod yaml;

pub use annotate::Edits;
pub use certificate::validate_certificate;

use crate::witness::locate::Locator;
use crate::witness::{Task, data_model, sha256};
use content::{Content, InvariantSet, Metadata, Place, Witness};
use plumb_answer::Budget;
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::program::Program;
use plumb_solve::SolverChoice;

/// Why a witness is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected(pub String);

/// What checking a witness has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Validation {
    /// How.
    Confirmed(String),
    /// Why.
    Rejected(String),
    /// What was in the way.
    Unknown(String),
}

/// What a witness is checked against.
pub struct Subject<'a> {
    pub program: &'a Program,
    /// The files; the rest is not looked at.
    pub task: &'a Task,
    /// What is checked by the whole program, or by one check, as property files write it.
    pub specification: &'a dyn Fn(Option<CheckId>) -> String,
    /// Makes the program again from texts with something put into them, or says what is wrong with these.
    pub reload: &'a dyn Fn(&Edits) -> Result<Program, String>,
    pub rules: Rules<'a>,
}

/// What a proof must show, and who answers questions about it.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// There must be no undefined behaviour.
    pub strict: bool,
    pub solvers: &'a SolverChoice,
}

/// What kind of thing a witness claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claims {
    Violation,
    Invariants,
}

/// Checks a witness, and tells what it claims if that can be read.
pub fn validate(subject: &Subject, text: &str, budget: &Budget) -> (Option<Claims>, Validation) {
    let mut witness = match content::read(text) {
        Ok(witness) => witness,
        Err(Rejected(why)) => return (None, Validation::Rejected(why)),
    };
    let claims = match witness.content {
        Content::Violation(_) => Claims::Violation,
        Content::Invariants(_) => Claims::Invariants,
    };
    let validation = match check_metadata(subject, &mut witness) {
        Err(Rejected(why)) => Validation::Rejected(why),
        Ok(()) => {
            let unsupported = unsupported_property(subject.program).filter(|_| claims == Claims::Invariants);
            if let Some(why) = unsupported {
                return (Some(claims), Validation::Unknown(why.to_string()));
            }
            let locator = Locator::new(subject.program, subject.task);
            match &witness.content {
                Content::Violation(segments) => {
                    violation::check(subject, &witness.metadata, segments, &locator, budget)
                }
                Content::Invariants(set) if set.contracts.is_empty() => {
                    induct::check(subject, &witness.metadata, &set.invariants, &locator, budget)
                }
                Content::Invariants(set) => contracts::check(subject, &witness.metadata, set, &locator, budget),
            }
        }
    };
    (Some(claims), validation)
}

/// Why no proof of a program's properties can be checked: a response property is violated by an infinite run, not by a state.
fn unsupported_property(program: &Program) -> Option<&'static str> {
    let has_requests = program.checks.iter().any(|check| check.kind == CheckKind::Request);
    has_requests.then_some("visiting states one by one does not show that every request is answered")
}

/// White space and the order of lines are of no account in a specification.
fn same_specification(a: &str, b: &str) -> bool {
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.replace("CHECK", "\nCHECK").lines().map(compact).collect();
        lines.retain(|line| !line.is_empty());
        lines.sort();
        lines
    };
    lines(a) == lines(b)
}

fn compact(line: &str) -> String {
    line.split_whitespace().collect()
}

/// Whether the witness is about this program and this property. Files get the names that they have here.
fn check_metadata(subject: &Subject, witness: &mut Witness) -> Result<(), Rejected> {
    let Metadata { version, files, specification, data_model: model, language, .. } = &witness.metadata;
    if !matches!(version.as_str(), "2.0" | "2.1") {
        return Err(Rejected(format!("its format `{version}` is not supported; 2.0 and 2.1 are")));
    }
    if language != "C" {
        return Err(Rejected(format!("it is about a program in `{language}`")));
    }
    let here = data_model(subject.program).unwrap_or("none that the format has");
    if model != here {
        return Err(Rejected(format!("it is for the data model `{model}`, but the program is checked for {here}")));
    }
    let hashes: Vec<String> = subject.task.files.iter().map(|f| sha256::hex(&sha256::sha256(&f.content))).collect();
    if files.len() != hashes.len() {
        return Err(Rejected(format!("it is about {} files, but {} were given", files.len(), hashes.len())));
    }
    let mut names = Vec::new();
    for (name, hash) in files {
        let Some(at) = hashes.iter().position(|here| here.eq_ignore_ascii_case(hash)) else {
            return Err(Rejected(format!("its hash of `{name}` matches none of the given files")));
        };
        names.push((name.clone(), subject.task.files[at].name.clone()));
    }
    let is_known = match witness.content {
        Content::Invariants(_) => same_specification(specification, &(subject.specification)(None)),
        Content::Violation(_) => {
            let checks = subject.program.checks.keys();
            checks.into_iter().any(|check| same_specification(specification, &(subject.specification)(Some(check))))
        }
    };
    if !is_known {
        let wanted = (subject.specification)(None);
        return Err(Rejected(format!("it is about the property `{specification}`, but `{wanted}` is checked")));
    }
    rename(&mut witness.content, &names)
}

fn rename(content: &mut Content, names: &[(String, String)]) -> Result<(), Rejected> {
    let rename = |place: &mut Place| match names.iter().find(|(theirs, _)| *theirs == place.file) {
        Some((_, ours)) => {
            place.file.clone_from(ours);
            Ok(())
        }
        None => Err(Rejected(format!("`{}` is not one of its input files", place.file))),
    };
    match content {
        Content::Violation(segments) => segments.iter_mut().flatten().try_for_each(|w| rename(&mut w.place)),
        Content::Invariants(InvariantSet { invariants, contracts }) => {
            let places = invariants.iter_mut().map(|i| &mut i.place).chain(contracts.iter_mut().map(|c| &mut c.place));
            places.into_iter().try_for_each(rename)
        }
    }
}
