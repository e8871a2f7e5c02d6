//! Whether a program that asks for nothing has one run only, so that having seen it is a proof.
//!
//! Inputs are not all that a run may depend on. C leaves open where objects lie in memory, in which order `qsort` compares
//! and which number `memcmp` returns; and what a program does after it has left an object's bounds is anyone's guess.
//! So the run is made a second time, by a program that ends where it depends on the layout of memory ([`layout_checks`]), and
//! no value may have been needed that a library's model leaves open ([`plumb_exec::Machine::has_settled`]).
//!
//! Where the second run ends as the first one did, every run of the program does. When in doubt, it is not determined.

use super::first_run::{Ending, FirstRun, run_first};
use super::tuning::TUNING;
use crate::budget::Budget;
use plumb_exec::{CompileOptions, Image, Outcome};
use plumb_ir::program::Program;
use plumb_ir::property::layout::{LayoutChecks, layout_checks};
use std::sync::Arc;
use std::time::Instant;

/// Set operations for the points-to analysis: a second or two, or what time there is.
pub(crate) fn analysis_operations(budget: &Budget) -> u64 {
    let (most, per_ms) = (TUNING.points_to_operations, TUNING.points_to_operations_per_ms);
    let left = budget.deadline.map(|d| d.saturating_duration_since(Instant::now()).as_millis() as u64);
    left.map_or(most, |ms| ms.saturating_mul(per_ms).min(most))
}

/// Every run of the program ends like this one, in which it asked for nothing. False also if time is up before that is
/// known.
pub fn is_determined(program: &Program, ending: &Ending, budget: &Budget) -> bool {
    if ending.has_settled {
        return false;
    }
    let watched = match layout_checks(program, analysis_operations(budget)) {
        LayoutChecks::Needless => return true,
        LayoutChecks::Impossible => return false,
        LayoutChecks::Program(watched) => watched,
    };
    let Ok(image) = Image::compile(&watched, &CompileOptions::default()) else { return false };
    match run_first(&watched, Arc::new(image), budget) {
        FirstRun::Ended(again) => !again.has_settled && ends_alike(&again.outcome, &ending.outcome),
        FirstRun::Broken(_) | FirstRun::Asks | FirstRun::OutOfTime { .. } => false,
    }
}

/// The places of the two have other numbers.
fn ends_alike(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::AssumptionFailed(a), Outcome::AssumptionFailed(b)) => a.func == b.func,
        (Outcome::Stopped { func: a, .. }, Outcome::Stopped { func: b, .. }) => a == b,
        (a, b) => a == b,
    }
}
