//! Proofs by visiting all states, made again.
//!
//! Programs with several stacks have too many interleavings for the exploration that joins paths ([`super::explore`]), and the states
//! that an explicit-state search has visited are no formulas. So the certificate claims no more than that they are finitely many, and here
//! they are visited depth first, by a search of its own: from where the program asks for an input, with each value of it.
//!
//! **Soundness.** Every run is followed to its end or to a state whose future has been followed; one input that has more values than are
//! tried, a fault, or what is not modelled leaves the question open. The runs are those of the machine's memory layout; the
//! same search of the program with [`plumb_ir::property::layout`]'s checks shows that they stand for all others. States are
//! compared by the machine's fingerprints of all that there is: which registers are dead the search of the engine knows by an analysis, which may be wrong.

use super::Validation;
use super::tuning::TUNING;
use plumb_answer::Budget;
use plumb_exec::{
    CompileOptions, Image, InputSource, InputValue, Limits, Machine, Outcome, RegionFill, Snapshot, page_bytes,
};
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::program::Program;
use plumb_ir::property::layout::{LayoutChecks, layout_checks};
use plumb_ir::ty::{Bits, Ty};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Visits all states of a program.
pub(super) fn check(program: &Program, budget: &Budget) -> Validation {
    match visit(program, budget) {
        Err(stop) => stop,
        Ok(states) => match layout_checks(program, TUNING.points_to_operations) {
            LayoutChecks::Needless => Validation::Confirmed(confirmed(states)),
            LayoutChecks::Impossible => Validation::Unknown(ON_LAYOUT.to_string()),
            LayoutChecks::Program(watched) => match visit(&watched, budget) {
                Ok(states) => Validation::Confirmed(confirmed(states)),
                // The check that fails is not one of the program's own.
                Err(Validation::Rejected(_)) => Validation::Unknown(ON_LAYOUT.to_string()),
                Err(stop) => stop,
            },
        },
    }
}

const ON_LAYOUT: &str = "runs may depend on where objects lie in memory";

fn confirmed(states: usize) -> String {
    format!("all {states} states at which it asks for an input were visited, and no run from them violates a check")
}

/// All values of an input, or nothing where they are too many. What nobody has assigned has unknown values of any kind.
fn values(program: &Program, id: InputId) -> Option<Vec<InputValue>> {
    let site = program.input(id);
    let width = match site.ty {
        Some(Ty::Int(_)) if site.is_bool => 1,
        Some(ty @ Ty::Int(_)) if !site.origin.is_garbage() => ty.bits(&program.target),
        _ => return None,
    };
    let value = |number| InputValue::Scalar(Bits::new(number, width));
    (width <= TUNING.max_enumerated_bits).then(|| (0..1u128 << width).map(value).collect())
}

/// Gives one value, and stops the machine at the next request.
struct OneInput(Option<InputValue>);

impl InputSource for OneInput {
    fn scalar(&mut self, _: InputId, _: &InputSite) -> Option<Bits> {
        match self.0.take()? {
            InputValue::Scalar(bits) => Some(bits),
            InputValue::Region(_) => None,
        }
    }

    fn region(&mut self, _: InputId, _: &InputSite, _: u64) -> Option<RegionFill> {
        None
    }
}

/// Follows every run; how many states there are at which the program asks for an input.
fn visit(program: &Program, budget: &Budget) -> Result<usize, Validation> {
    let unknown = |why: &str| Validation::Unknown(why.to_string());
    let image = Image::compile(program, &CompileOptions::default())
        .map_err(|error| Validation::Unknown(format!("the machine cannot run the program: {error}")))?;
    let mut machine = Machine::new(Arc::new(image));
    let mut visited: FxHashSet<u128> = FxHashSet::default();
    let mut open: Vec<(Snapshot, InputValue)> = Vec::new();
    let mut next = None;
    loop {
        if let Some(input) = follow(&mut machine, OneInput(next.take()), &mut visited, budget)? {
            let Some(values) = values(program, input) else {
                return Err(unknown("an input has more values than can be tried"));
            };
            let state = machine.snapshot();
            open.extend(values.into_iter().map(|value| (state.clone(), value)));
            let own = open.len() as u64 * TUNING.open_state_bytes + visited.len() as u64 * TUNING.visited_state_bytes;
            if own + page_bytes() > budget.memory {
                return Err(unknown("there was not enough memory for all states"));
            }
        }
        let Some((state, value)) = open.pop() else { break };
        machine.restore(&state);
        next = Some(value);
    }
    match machine.has_settled() {
        true => Err(unknown("runs may depend on choices that the C library leaves open")),
        false => Ok(visited.len()),
    }
}

/// Runs on to where the program asks for an input in a state that is new: which. Nothing, where the run is over or goes where
/// another has been.
fn follow(
    machine: &mut Machine,
    mut input: OneInput,
    visited: &mut FxHashSet<u128>,
    budget: &Budget,
) -> Result<Option<InputId>, Validation> {
    let limits = Limits { memory: budget.memory / 2, ..Limits::steps(TUNING.state_slice) };
    // States of a run without inputs. Where one is met again the run goes round for ever.
    let mut on_the_way = FxHashSet::default();
    loop {
        if budget.is_over() {
            return Err(Validation::Unknown("there was not enough time".to_string()));
        }
        return match machine.run(&mut input, limits) {
            Outcome::StepLimit if on_the_way.insert(machine.fingerprint()) => continue,
            Outcome::NoInput { input, .. } if visited.insert(machine.fingerprint()) => Ok(Some(input)),
            Outcome::CheckFailed { check, .. } => {
                let message = &machine.image().program().check(check).message;
                Err(Validation::Rejected(format!("a run violates a check: {message}")))
            }
            Outcome::Unsupported { check, .. } => {
                let message = &machine.image().program().check(check).message;
                Err(Validation::Unknown(format!("a run reaches an operation that Plumb does not model: {message}")))
            }
            Outcome::Fault { kind, .. } => {
                Err(Validation::Unknown(format!("a run may end in a fault that no selected check covers: {kind}")))
            }
            Outcome::StepLimit
            | Outcome::NoInput { .. }
            | Outcome::Returned(_)
            | Outcome::Exited(_)
            | Outcome::Aborted
            | Outcome::AssumptionFailed(_)
            | Outcome::Stopped { .. }
            | Outcome::Probe(_) => Ok(None),
        };
    }
}
