//! The counterexample as a story: turn by turn of the main loop, what comes in, what is decided and what changes.
//!
//! ```text
//!   record   the violating run, observed
//!   watch    the variables that are told of     value   values as the user declared them
//!   fold     turns that repeat                  text    the story for a terminal
//! ```

mod fold;
mod record;
mod text;
mod value;
mod watch;

use crate::replay::{NotReplayed, Replay};
use plumb_answer::Budget;
use plumb_ir::program::Program;
pub(crate) use record::Before;
use serde_json::{Value, json};
use std::fmt;

/// How a text is to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    pub color: bool,
    /// Every turn, instead of the decisive ones.
    pub full: bool,
}

/// A violation told for people.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The name of the kind of check.
    pub kind: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where the main loop is, if there is one.
    pub main: Option<Place>,
    /// The first is what happens before the loop; without a loop it is the whole run.
    pub turns: Vec<Turn>,
    pub ending: Ending,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One turn of the main loop.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    pub inputs: Vec<Input>,
    pub decisions: Vec<Decision>,
    /// From the beginning of the turn to its end.
    pub changes: Vec<Change>,
}

#[derive(Clone, Debug)]
pub struct Input {
    /// The function that returns it, or what else it is.
    pub name: String,
    pub value: String,
    pub place: Option<Place>,
    /// Zero where C leaves the value open: not worth telling at first.
    pub is_idle: bool,
}

/// A condition and how it came out.
#[derive(Clone, Debug)]
pub struct Decision {
    /// As written.
    pub text: String,
    pub taken: bool,
    /// How often in the turn.
    pub times: u64,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub struct Change {
    pub name: String,
    pub before: String,
    pub after: String,
}

/// How the run ends.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The source line of the check.
    pub line: String,
    pub place: Option<Place>,
    pub function: String,
    /// The library function that it called.
    pub inside: Option<String>,
    /// The variables that decide, with their values.
    pub values: Vec<(String, String)>,
    /// The last decision.
    pub decision: Option<Decision>,
    /// The calls in progress, innermost first.
    pub calls: Vec<Call>,
}

/// What the last state of a run tells.
#[derive(Clone, Debug, Default)]
pub struct Overview {
    /// The variables that the failed condition mentions, with their values.
    pub values: Vec<(String, String)>,
    /// From the beginning of the run to its end.
    pub changes: Vec<Change>,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub text: String,
    pub place: Place,
    /// The variables that its arguments mention.
    pub values: Vec<(String, String)>,
}

impl Counterexample {
    /// Tells a violation that has been replayed. When the time is over it is told as a whole.
    pub fn new(program: &Program, replayed: &Replay, budget: &Budget) -> Result<Counterexample, NotReplayed> {
        let recorded = record::record(program, replayed, budget)?;
        let info = program.check(replayed.check);
        Ok(Counterexample {
            kind: info.kind.name(),
            message: info.message.to_string(),
            main: recorded.main,
            turns: recorded.turns,
            ending: recorded.ending,
        })
    }

    pub fn text(&self, style: Style) -> String {
        text::text(self, style)
    }

    pub fn json(&self) -> Value {
        json!({
            "check": { "kind": self.kind, "message": self.message, "place": place(self.ending.place.as_ref()) },
            "loop": place(self.main.as_ref()),
            "inputCount": self.turns.iter().map(|t| t.inputs.len()).sum::<usize>(),
            "turns": self.turns.iter().map(turn).collect::<Value>(),
            "ending": {
                "function": self.ending.function,
                "inside": self.ending.inside,
                "line": self.ending.line,
                "values": values(&self.ending.values),
                "decision": self.ending.decision.as_ref().map_or(Value::Null, decision),
                "calls": self.ending.calls.iter().map(|c| json!({
                    "text": c.text, "place": place(Some(&c.place)), "values": values(&c.values),
                })).collect::<Value>(),
            },
        })
    }
}

fn turn(turn: &Turn) -> Value {
    json!({
        "inputs": turn.inputs.iter().map(|i| json!({
            "name": i.name, "value": i.value, "place": place(i.place.as_ref()),
        })).collect::<Value>(),
        "decisions": turn.decisions.iter().map(decision).collect::<Value>(),
        "changes": turn.changes.iter().map(|c| json!({
            "name": c.name, "before": c.before, "after": c.after,
        })).collect::<Value>(),
    })
}

fn decision(decision: &Decision) -> Value {
    json!({
        "condition": decision.text, "taken": decision.taken, "times": decision.times,
        "place": place(Some(&decision.place)),
    })
}

fn values(values: &[(String, String)]) -> Value {
    values.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect()
}

fn place(place: Option<&Place>) -> Value {
    place.map_or(Value::Null, |p| json!({ "file": p.file, "line": p.line, "column": p.column }))
}
