//! Minimising: the same check broken with less.
//!
//! **Idea.** Delta debugging (Zeller and Hildebrandt, 2002) over what a reactive program is made of. A run is cut into
//! *iterations* of its main loop ([`iterations`]); a candidate leaves out iterations, leaves out inputs, or makes values simpler, and is
//! kept if the run still breaks the same check and is smaller ([`sequence`]). Inputs are given out by iteration and by site
//! ([`feed`]), so that a candidate that takes another branch does not shift the meaning of every input that follows.
//!
//! A pass goes through the run from front to back and keeps the machine's state before the place of the change
//! ([`runner`]): a candidate is run from there on only.
//!
//! ```text
//!   cuts     whole iterations: between equal states, by chunks
//!   values   zero, held, smaller: throughout the run, by chunk of iterations, one by one
//! ```
//!
//! Passes that try the least at the price of the most come first. Each gets a share of the time that is left, so that none
//! keeps the others from their iteration; only when a whole round of passes has changed nothing may they take what they need.
//!
//! **Soundness.** Whatever the passes do, the result is replayed from scratch; if that should fail, the violation comes
//! back as it was.

mod cuts;
pub(crate) mod feed;
pub(crate) mod iterations;
mod runner;
mod sequence;
mod values;

use crate::replay::{NotReplayed, Replay, replay};
use plumb_answer::{Budget, Cancel, Violation};
use plumb_ir::program::Program;
use runner::CandidateRunner;

/// What minimising came to.
#[derive(Clone, Debug)]
pub struct Minimised {
    /// The smaller violation, run from scratch.
    pub replay: Replay,
    /// Inputs before.
    pub before: usize,
    /// Inputs that are not what was read at the same place of the iteration before (zero in the first), before and after.
    pub changes_before: usize,
    pub changes: usize,
    /// Runs made.
    pub runs: u64,
    /// Nothing was left to try; else the budget ended first.
    pub is_complete: bool,
}

/// Makes a violation smaller for as long as the budget lasts. The result has been replayed, whatever the budget.
pub fn minimise(program: &Program, claimed: &Replay, budget: &Budget) -> Result<Minimised, NotReplayed> {
    let before = claimed.inputs.len();
    let mut runner = CandidateRunner::new(program, claimed, budget)?;
    let changes_before = runner.sequence.changes;
    let is_complete = reduce(&mut runner);
    let smaller = Violation { check: claimed.check, inputs: runner.sequence.inputs() };
    // A candidate takes no more than about twice the steps of the claim, so this run needs no clock.
    let last = Budget { deadline: None, cancel: Cancel::new(), ..budget.clone() };
    let (replay, changes) = match replay(program, &smaller, &last) {
        Ok(replayed) => (replayed, runner.sequence.changes),
        Err(_) => (claimed.clone(), changes_before),
    };
    Ok(Minimised { replay, before, changes_before, changes, runs: runner.runs, is_complete })
}

/// Passes of the first round, and of those that follow until none of them helps.
const FIRST: [fn(&mut CandidateRunner); 6] = [
    values::settle_garbage,
    cuts::between_equal_states,
    cuts::by_large_chunks,
    cuts::between_like_states,
    values::throughout,
    values::by_iterations,
];
const AGAIN: [fn(&mut CandidateRunner); 6] = [
    cuts::by_chunks,
    cuts::inside_iterations,
    cuts::between_equal_states,
    cuts::between_like_states,
    values::by_chunk,
    values::one_by_one,
];

/// Runs the passes until none of them helps. False if the budget ended first.
fn reduce(runner: &mut CandidateRunner) -> bool {
    const SHARE: u32 = 5;
    for pass in FIRST {
        runner.pass(pass, SHARE);
    }
    let mut share = SHARE;
    loop {
        let before = runner.sequence.cost();
        let mut is_whole = true;
        for pass in AGAIN {
            is_whole &= runner.pass(pass, share);
        }
        if runner.is_exhausted() {
            return false;
        }
        match (runner.sequence.cost() < before, is_whole) {
            (false, true) => return true,
            (false, false) => share = 1,
            (true, _) => {}
        }
    }
}
