//! Violation witnesses of SV-COMP, format 2.0.

use crate::replay::{NotReplayed, replay};
use plumb_engine::Violation;
use plumb_exec::Limits;
use plumb_ir::program::Program;
use std::time::SystemTime;

/// A file of the task, with its bytes as they are on disk.
#[derive(Clone, Debug)]
pub struct TaskFile {
    /// As the user named it, and as places in the program name it.
    pub name: String,
    pub content: Vec<u8>,
}

/// What the witness is about.
#[derive(Clone, Debug)]
pub struct Task {
    pub files: Vec<TaskFile>,
    /// Such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
    pub specification: String,
    pub created: SystemTime,
    pub version: String,
    /// How the tool was called.
    pub command_line: Option<String>,
}

pub fn witness(program: &Program, violation: &Violation, task: &Task) -> Result<String, NotReplayed> {
    let _ = (replay(program, violation, Limits::default())?, task);
    Ok(String::new())
}
