//! Minimising: the same check broken with less.
//!
//! **Idea.** Delta debugging (Zeller and Hildebrandt, 2002) over what a reactive program is made of. A run is cut into
//! *turns* of its main loop ([`turns`]); a candidate leaves out turns, leaves out inputs, or makes values simpler, and is
//! kept if the run still breaks the same check and is smaller ([`course`]). Inputs are given out by turn and by site
//! ([`feed`]), so that a candidate that takes another branch does not shift the meaning of every input that follows.
//!
//! A pass goes through the run from front to back and keeps the machine's state before the place of the change
//! ([`bench`]): a candidate is run from there on only.
//!
//! ```text
//!   cuts     whole turns: between equal states first, then by chunks
//!   values   zero, held, smaller: throughout the run, by chunk of turns, one by one
//! ```
//!
//! **Soundness.** Whatever the passes do, the result is replayed from scratch; if that should fail, the violation comes
//! back as it was.

mod bench;
mod course;
mod cuts;
pub(crate) mod feed;
pub(crate) mod turns;
mod values;

use crate::replay::{NotReplayed, replay};
use bench::Bench;
use plumb_engine::{Budget, Violation};
use plumb_exec::Limits;
use plumb_ir::program::Program;

/// What minimising came to.
#[derive(Clone, Debug)]
pub struct Minimised {
    pub violation: Violation,
    /// Inputs before.
    pub before: usize,
    /// Inputs that are not what was read at the same place of the turn before (zero in the first), before and after.
    pub changes_before: usize,
    pub changes: usize,
    /// Runs made.
    pub runs: u64,
    /// Nothing was left to try; else the budget ended first.
    pub is_complete: bool,
}

/// Makes a violation smaller for as long as the budget lasts. The result has been replayed, whatever the budget.
pub fn minimise(program: &Program, violation: &Violation, budget: &Budget) -> Result<Minimised, NotReplayed> {
    let before = violation.inputs.len();
    let claimed = replay(program, violation, Limits::default())?;
    let mut bench = Bench::new(program, &claimed, budget)?;
    let changes_before = bench.course.changes;
    let is_complete = reduce(&mut bench);
    let smaller = Violation { check: violation.check, inputs: bench.course.inputs() };
    let (result, changes) = match replay(program, &smaller, Limits::default()) {
        Ok(replayed) => (replayed.violation(), bench.course.changes),
        Err(_) => (claimed.violation(), changes_before),
    };
    Ok(Minimised { violation: result, before, changes_before, changes, runs: bench.runs, is_complete })
}

/// Runs the passes until none of them helps. False if the budget ended first.
fn reduce(bench: &mut Bench) -> bool {
    values::settle_garbage(bench);
    cuts::between_equal_states(bench);
    values::throughout(bench);
    values::by_turns(bench);
    loop {
        let before = bench.course.cost();
        cuts::by_chunks(bench);
        cuts::inside_turns(bench);
        cuts::between_equal_states(bench);
        values::by_chunk(bench);
        values::one_by_one(bench);
        if bench.is_over() {
            return false;
        }
        if bench.course.cost() >= before {
            return true;
        }
    }
}
