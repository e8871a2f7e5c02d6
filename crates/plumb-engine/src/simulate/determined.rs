//! Whether a program that asks for nothing has one run only, so that having seen it is a proof.
//!
//! Inputs are not all that a run may depend on. C leaves open where objects lie in memory, in which order `qsort` compares
//! and which number `memcmp` returns; and what a program does after it has left an object's bounds is anyone's guess.
//! So the run is made a second time, by a program that ends where it depends on such things:
//!
//! * Pointers are compared and subtracted only where C says what comes out ([`watch_addresses`]), memory is accessed
//!   inside of live objects and freed properly. The machine has objects far apart and uses no address twice.
//! * No value was needed that a library's model leaves open ([`Machine::has_settled`]).
//!
//! Addresses that become numbers are found without a run: a conversion from a pointer, or the load of a number from memory
//! that may hold one (by points-to analysis, which follows pointers through copies of bytes). Any of these in a function
//! that can be called is one too many.
//!
//! Where the second run ends as the first one did, every run of the program does. When in doubt, it is not determined.

use super::first_run::{Ending, FirstRun, run_first};
use crate::budget::Budget;
use plumb_exec::{CompileOptions, Image, Outcome};
use plumb_ir::analysis::address_numbers::{makes_numbers, prints_addresses};
use plumb_ir::analysis::callgraph::CallGraph;
use plumb_ir::analysis::pointsto::PointsTo;
use plumb_ir::check::CheckKind;
use plumb_ir::program::Program;
use plumb_ir::property::addresses::watch_addresses;
use plumb_ir::property::{CheckSelection, PropertySet, instrument};
use std::sync::Arc;
use std::time::Instant;

/// Set operations for the points-to analysis: a second or two, or what time there is.
fn analysis(budget: &Budget) -> u64 {
    const MOST: u64 = 20_000_000;
    const PER_MILLISECOND: u64 = 5_000;
    let left = budget.deadline.map(|d| d.saturating_duration_since(Instant::now()).as_millis() as u64);
    left.map_or(MOST, |ms| ms.saturating_mul(PER_MILLISECOND).min(MOST))
}

/// What shows that runs do not depend on what C leaves open.
pub(crate) enum Watched {
    /// Nothing that the program does depends on memory.
    Needless,
    /// Runs of this program end at a check that the original does not have where they depend on it.
    Program(Box<Program>),
    /// Nothing can show it.
    Impossible,
}

/// The program with checks where its runs may depend on addresses or leave their objects.
pub(crate) fn watched(program: &Program, budget: &Budget) -> Watched {
    let memory = [CheckKind::Bounds, CheckKind::Pointer, CheckKind::Free, CheckKind::Leak];
    if program.checks.iter().any(|c| memory.contains(&c.kind)) || prints_addresses(program) {
        return Watched::Impossible;
    }
    let points_to = PointsTo::with_budget(program, analysis(budget));
    let reachable = CallGraph::of(program, Some(&points_to)).reachable(program.start);
    if points_to.gave_up() || reachable.iter().any(|f| makes_numbers(program.function(*f), *f, &points_to)) {
        return Watched::Impossible;
    }
    let watched = watch_addresses(program, &points_to);
    // Small machines have not enough addresses to use each once.
    if program.target.pointer_bits() < 32 && watched.checks.len() > program.checks.len() {
        return Watched::Impossible;
    }
    let mut checks = CheckSelection::NONE;
    [CheckKind::Bounds, CheckKind::Pointer, CheckKind::Free].into_iter().for_each(|kind| checks.add(kind));
    let watched = instrument(&watched, &PropertySet { checks, ..PropertySet::none() });
    match watched.checks.len() == program.checks.len() {
        true => Watched::Needless,
        false => Watched::Program(Box::new(watched)),
    }
}

/// Every run of the program ends like this one, in which it asked for nothing. False also if time is up before that is
/// known.
pub fn is_determined(program: &Program, ending: &Ending, budget: &Budget) -> bool {
    if ending.has_settled {
        return false;
    }
    let watched = match watched(program, budget) {
        Watched::Needless => return true,
        Watched::Impossible => return false,
        Watched::Program(watched) => watched,
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
