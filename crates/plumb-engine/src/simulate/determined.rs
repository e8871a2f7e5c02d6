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
use plumb_ir::analysis::callgraph::CallGraph;
use plumb_ir::analysis::pointsto::{PointsTo, Targets};
use plumb_ir::check::CheckKind;
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::program::{DatumValue, FuncId, Function, Program};
use plumb_ir::property::addresses::watch_addresses;
use plumb_ir::property::{CheckSelection, PropertySet, instrument};
use plumb_ir::ty::Ty;
use std::sync::Arc;
use std::time::Instant;

/// Set operations for the points-to analysis: a second or two, or what time there is.
fn analysis(budget: &Budget) -> u64 {
    const MOST: u64 = 20_000_000;
    const PER_MILLISECOND: u64 = 5_000;
    let left = budget.deadline.map(|d| d.saturating_duration_since(Instant::now()).as_millis() as u64);
    left.map_or(MOST, |ms| ms.saturating_mul(PER_MILLISECOND).min(MOST))
}

/// Every run of the program ends like this one, in which it asked for nothing. False also if time is up before that is
/// known.
pub fn is_determined(program: &Program, ending: &Ending, budget: &Budget) -> bool {
    let memory = [CheckKind::Bounds, CheckKind::Pointer, CheckKind::Free, CheckKind::Leak];
    if ending.has_settled || program.checks.iter().any(|c| memory.contains(&c.kind)) || prints_addresses(program) {
        return false;
    }
    let points_to = PointsTo::with_budget(program, analysis(budget));
    let reachable = CallGraph::of(program, Some(&points_to)).reachable(program.start);
    if points_to.gave_up() || reachable.iter().any(|f| makes_numbers(program.function(*f), *f, &points_to)) {
        return false;
    }
    let watched = watch_addresses(program, &points_to);
    // Small machines have not enough addresses to use each once.
    if program.target.pointer_bits() < 32 && watched.checks.len() > program.checks.len() {
        return false;
    }
    let mut checks = CheckSelection::NONE;
    [CheckKind::Bounds, CheckKind::Pointer, CheckKind::Free].into_iter().for_each(|kind| checks.add(kind));
    let watched = instrument(&watched, &PropertySet { checks, ..PropertySet::none() });
    // Nothing that it does depends on memory.
    if watched.checks.len() == program.checks.len() {
        return true;
    }
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

/// Some expression of the function turns what may be an address into a number, or loads one as a number.
fn makes_numbers(function: &Function, id: FuncId, points_to: &PointsTo) -> bool {
    let exprs = &function.exprs;
    let may_be_address = |e: ExprId| match points_to.targets(id, e) {
        Targets::Unknown => true,
        Targets::Known(targets) => !targets.is_empty(),
    };
    let mut seen = vec![false; exprs.len()];
    let mut work: Vec<ExprId> = function.edges.iter().flat_map(|e| e.op.exprs()).collect();
    while let Some(e) = work.pop() {
        if std::mem::replace(&mut seen[e.0 as usize], true) {
            continue;
        }
        let is_number = exprs.ty(e) != Ty::Ptr;
        let makes = match exprs.kind(e) {
            ExprKind::Cast(_, a) => is_number && exprs.ty(a) == Ty::Ptr && may_be_address(a),
            ExprKind::Load(_) => is_number && may_be_address(e),
            _ => false,
        };
        if makes {
            return true;
        }
        work.extend(exprs.kind(e).operands());
    }
    false
}

/// Some text of the program has a `%p` in it: the number of characters that `printf` returns depends on the address.
fn prints_addresses(program: &Program) -> bool {
    let has = |bytes: &[u8]| {
        bytes.split(|b| *b == b'%').skip(1).any(|rest| {
            let conversion = rest.iter().find(|b| !b"-+ #0123456789.*'lhjztL".contains(b));
            conversion == Some(&b'p')
        })
    };
    program.objects.iter().flat_map(|o| &o.init).any(|datum| match &datum.value {
        DatumValue::Bytes(bytes) => has(bytes),
        DatumValue::Object(..) | DatumValue::Function(_) => false,
    })
}
