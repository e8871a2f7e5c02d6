//! The counterexample as a story: turn by turn of the loop, what comes in, what is decided and what changes.

use crate::replay::{NotReplayed, Replay, replay};
use plumb_engine::Violation;
use plumb_exec::Limits;
use plumb_ir::program::Program;
use serde_json::{Value, json};

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
    replay: Replay,
}

impl Counterexample {
    pub fn new(program: &Program, violation: &Violation) -> Result<Counterexample, NotReplayed> {
        Ok(Counterexample { replay: replay(program, violation, Limits::default())? })
    }

    pub fn text(&self, _: Style) -> String {
        format!("{} inputs", self.replay.inputs.len())
    }

    pub fn json(&self) -> Value {
        json!({ "inputs": self.replay.inputs.len() })
    }
}
