//! The counterexample as a story: iteration by iteration of the main loop, what comes in, what is decided and what changes.
//!
//! ```text
//!   record   the violating run, observed
//!   watch    the variables that are told of     value   values as the user declared them
//!   fold     iterations that repeat                  text    the story for a terminal
//!   timeline which task or handler runs when
//! ```

mod fold;
mod record;
mod text;
mod timeline;
mod value;
mod watch;

use crate::replay::{NotReplayed, Replay};
use crate::report::{BrokenCheck, NamedValue};
use plumb_answer::Budget;
use plumb_c::source::Place;
use plumb_ir::program::Program;
pub(crate) use record::Before;
use serde::{Deserialize, Serialize};
pub use timeline::{Row, Timeline};

/// How a text is to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    pub color: bool,
    /// Every iteration, instead of the decisive ones.
    pub full: bool,
}

/// A violation told for people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Counterexample {
    pub check: BrokenCheck,
    /// Where the main loop is, if there is one.
    #[serde(rename = "loop")]
    pub main: Option<Place>,
    pub input_count: usize,
    /// Which task or handler runs when, of a program with a kernel model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeline: Option<Timeline>,
    /// The first is what happens before the loop; without a loop it is the whole run.
    pub iterations: Vec<Iteration>,
    pub ending: Ending,
}

/// One iteration of the main loop.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Iteration {
    pub inputs: Vec<Input>,
    pub decisions: Vec<Decision>,
    /// From the beginning of the iteration to its end.
    pub changes: Vec<Change>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Input {
    /// The function that returns it, or what else it is.
    pub name: String,
    pub value: String,
    pub place: Option<Place>,
    /// Zero where C leaves the value open: not worth telling at first.
    #[serde(rename = "idle")]
    pub is_idle: bool,
}

/// A condition and how it came out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// As written.
    #[serde(rename = "condition")]
    pub text: String,
    pub taken: bool,
    /// How often in the iteration.
    pub times: u64,
    pub place: Place,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Change {
    pub name: String,
    pub before: String,
    pub after: String,
}

/// How the run ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// The source line of the check.
    pub line: String,
    pub function: String,
    /// The library function that it called.
    pub inside: Option<String>,
    /// The variables that decide, with their values.
    pub values: Vec<NamedValue>,
    /// The last decision.
    pub decision: Option<Decision>,
    /// The calls in progress, innermost first.
    pub calls: Vec<Call>,
}

/// What the last state of a run tells.
#[derive(Clone, Debug, Default)]
pub struct Overview {
    /// The variables that the failed condition mentions, with their values.
    pub values: Vec<NamedValue>,
    /// From the beginning of the run to its end.
    pub changes: Vec<Change>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Call {
    pub text: String,
    pub place: Place,
    /// The variables that its arguments mention.
    pub values: Vec<NamedValue>,
}

impl Counterexample {
    /// Tells a violation that has been replayed. When the time is over it is told as a whole.
    pub fn new(program: &Program, replayed: &Replay, budget: &Budget) -> Result<Counterexample, NotReplayed> {
        let timeline = Timeline::of(program, replayed, budget)?;
        let recorded = record::record(program, replayed, budget)?;
        Ok(Counterexample {
            timeline,
            check: BrokenCheck::of(program, replayed),
            main: recorded.main,
            input_count: recorded.iterations.iter().map(|t| t.inputs.len()).sum(),
            iterations: recorded.iterations,
            ending: recorded.ending,
        })
    }

    pub fn text(&self, style: Style) -> String {
        text::text(self, style)
    }
}
