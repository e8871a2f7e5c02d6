//! Checks that fail where a run depends on what C leaves open about memory.
//!
//! Whoever has seen runs of the concrete machine has seen them with one layout of memory. They stand for all layouts if none of them
//! depends on it, which a second program shows that ends where one does:
//!
//! * Pointers are compared and subtracted only where C says what comes out ([`watch_addresses`]).
//! * Memory is accessed inside of live objects and freed properly. The machine has objects far apart and uses no address twice.
//!
//! Addresses that become numbers are found without a run: a conversion from a pointer, or the load of a number from memory
//! that may hold one (by points-to analysis, which follows pointers through copies of bytes). Any of these in a function
//! that can be called is one too many.

use super::addresses::watch_addresses;
use super::{CheckSelection, PropertySet, instrument};
use crate::analysis::address_numbers::{makes_numbers, prints_addresses};
use crate::analysis::callgraph::CallGraph;
use crate::analysis::pointsto::PointsTo;
use crate::check::CheckKind;
use crate::program::Program;

/// What shows that runs do not depend on the layout of memory.
pub enum LayoutChecks {
    /// Nothing that the program does depends on memory.
    Needless,
    /// Runs of this program end at a check that the original does not have where they depend on it.
    Program(Box<Program>),
    /// Nothing can show it.
    Impossible,
}

/// The program with checks where its runs may depend on addresses or leave their objects. The points-to analysis may take so
/// many set operations.
pub fn layout_checks(program: &Program, operations: u64) -> LayoutChecks {
    let memory = [CheckKind::Bounds, CheckKind::Pointer, CheckKind::Free, CheckKind::Leak];
    if program.checks.iter().any(|c| memory.contains(&c.kind)) || prints_addresses(program) {
        return LayoutChecks::Impossible;
    }
    let points_to = PointsTo::with_budget(program, operations);
    let reachable = CallGraph::of(program, Some(&points_to)).reachable(program.start);
    if points_to.gave_up() || reachable.iter().any(|f| makes_numbers(program.function(*f), *f, &points_to)) {
        return LayoutChecks::Impossible;
    }
    let watched = watch_addresses(program, &points_to);
    // Small machines have not enough addresses to use each once.
    if program.target.pointer_bits() < 32 && watched.checks.len() > program.checks.len() {
        return LayoutChecks::Impossible;
    }
    let mut checks = CheckSelection::NONE;
    [CheckKind::Bounds, CheckKind::Pointer, CheckKind::Free].into_iter().for_each(|kind| checks.add(kind));
    let watched = instrument(&watched, &PropertySet { checks, ..PropertySet::none() });
    match watched.checks.len() == program.checks.len() {
        true => LayoutChecks::Needless,
        false => LayoutChecks::Program(Box::new(watched)),
    }
}
