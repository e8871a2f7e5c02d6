//! The report of a check: one value with all that an answer tells, from which every form of output is rendered.
//!
//! ```text
//!   parts       checks, inputs, assumptions and files, as a reader without the program needs them
//!   cause       why there is no answer          proof   why the property holds
//!   statistics  where the time went             text    the report for a terminal
//! ```
//!
//! JSON is what `serde` makes of the value, and reading it gives the value back: nothing that a form of output tells comes
//! from anywhere else. Field names are those of the JSON documents that `plumb check --json` writes.

mod cause;
mod parts;
mod proof;
mod seconds;
mod statistics;
mod text;

pub use cause::{Cause, Limits};
pub use parts::{
    Assumption, BrokenCheck, EvidenceFile, EvidenceKind, FileResult, InputChanges, LoopPredicate, NamedValue,
    ReadInput, UndefinedBehaviour, assumptions, at, inputs, span_of, undefined_behaviour, violated,
};
pub use plumb_answer::Explored;
pub use proof::ProofSummary;
pub use statistics::{EngineStatistics, Phase, Statistics};
pub(crate) use text::plural;
pub use text::{View, amount};

use crate::contract::ContractText;
use crate::story::Counterexample;
use plumb_c::source::Place;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A check that is over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    #[serde(flatten)]
    pub finding: Finding,
    /// The engine whose answer it is; none where it is no engine's.
    pub engine: Option<String>,
    /// What the search has seen of the program.
    pub explored: Option<Explored>,
    /// Not known of a report that was prepared for the case that the time runs out.
    pub seconds: Option<Times>,
    /// What was taken for granted, in the order of the source.
    pub assumptions: Vec<Assumption>,
    /// By engine and phase, where somebody asked for it.
    pub statistics: Option<Statistics>,
}

/// The verdict with its evidence.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "verdict")]
pub enum Finding {
    #[serde(rename = "TRUE")]
    Holds(Holds),
    #[serde(rename = "FALSE")]
    Violated(Box<Violated>),
    #[serde(rename = "UNKNOWN")]
    Unknown(Unknown),
}

/// The property holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Holds {
    /// One sentence.
    pub reason: String,
    pub proof: ProofSummary,
    /// The predicates that the proof rests on, where somebody asked for them.
    pub predicates: Vec<LoopPredicate>,
    /// The contracts of functions that the proof rests on.
    pub contracts: Vec<ContractText>,
    /// How the validator confirmed the proof, where it was asked to.
    pub validated: Option<String>,
    /// The proof is for runs that do nothing of this.
    pub undefined_behaviour: Vec<UndefinedBehaviour>,
    pub files: Vec<EvidenceFile>,
}

/// A property is broken by a run that has been replayed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Violated {
    /// The property, as competitions call it.
    pub property: String,
    /// One sentence.
    pub reason: String,
    pub check: BrokenCheck,
    /// Where the user is told of it.
    pub place: Option<Place>,
    /// What the run reads, in order.
    pub inputs: Vec<ReadInput>,
    /// The number of inputs before minimising.
    pub inputs_found: usize,
    pub input_changes: Option<InputChanges>,
    /// None when there was no time to tell the run.
    pub counterexample: Option<Counterexample>,
    pub files: Vec<EvidenceFile>,
}

/// There is no answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Unknown {
    /// One sentence.
    pub reason: String,
    pub cause: Cause,
}

#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Times {
    #[serde(with = "seconds")]
    pub load: Duration,
    #[serde(with = "seconds")]
    pub search: Duration,
    #[serde(with = "seconds")]
    pub evidence: Duration,
}

impl Report {
    /// A finding of which nothing else is known yet.
    pub fn of(finding: Finding) -> Report {
        Report { finding, engine: None, explored: None, seconds: None, assumptions: Vec::new(), statistics: None }
    }
}

impl Finding {
    pub fn unknown(cause: Cause) -> Finding {
        Finding::Unknown(Unknown { reason: format!("no answer: {cause}"), cause })
    }

    /// The verdict as competitions have it: the last line of a report.
    pub fn verdict(&self) -> String {
        match self {
            Finding::Holds(_) => "TRUE".to_string(),
            Finding::Violated(violated) => format!("FALSE({})", violated.property),
            Finding::Unknown(_) => "UNKNOWN".to_string(),
        }
    }
}

impl Holds {
    pub fn new(proof: ProofSummary) -> Holds {
        Holds {
            reason: format!("holds: {proof}"),
            proof,
            predicates: Vec::new(),
            contracts: Vec::new(),
            validated: None,
            undefined_behaviour: Vec::new(),
            files: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
