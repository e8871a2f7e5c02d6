//! Point pairs of a recursive unit for calls that take too long to run: those of the calls that it makes come first.
//!
//! The run of a function that calls itself twice grows without measure, but the calls in it are few when each is counted once. A call of
//! the unit whose inner calls run contracts is short; where these are point pairs, it gives what the original does. So the
//! entry states that a call needs are looked for with the solver, one by one, down to those that need no others, and stated on the way back. That
//! is dynamic programming with proofs: every pair is proved by those before it.

use super::alarm::inner_calls;
use super::decide::{decide, part};
use super::language::Values;
use super::partition::point;
use super::prove::{Prover, counterexample};
use super::refine::add_proved_point;
use super::specification::Specification;
use super::tuning::TUNING;
use crate::answer::Answer;
use plumb_contract::{Case, Contract, unit_of};
use plumb_ir::analysis::Analyses;
use plumb_term::TermId;

/// States the call from an entry state, and before it those that it rests on, as far as they are few.
pub fn tabulate(prover: &Prover, specification: &mut Specification, claimed: &Values, others: &[Contract]) {
    let entries = specification.unit.entry.len();
    let mut open: Vec<Box<[u64]>> = vec![claimed[..entries].into()];
    while let Some(entry) = open.last().cloned() {
        let is_spent = prover.budget.is_over() || specification.is_spent(prover.attempts());
        if is_spent || open.len() + specification.table.len() > TUNING.table {
            return;
        }
        let Some(call) = call_from(prover, specification, &entry, others) else { return };
        let unknown =
            call.inner.iter().map(|values| &values[..entries]).find(|one| !specification.table.contains(*one));
        match unknown {
            // No run returns from there.
            Some(unknown) if open.iter().any(|one| **one == *unknown) => return,
            Some(unknown) => open.push(unknown.into()),
            None => {
                if !add_proved_point(prover, specification, &call.values, others, None) {
                    return;
                }
                specification.table.insert(entry);
                open.pop();
            }
        }
    }
}

/// A call of the unit in which inner calls run contracts.
struct Call {
    values: Values,
    /// Inner calls of the unit itself.
    inner: Vec<Values>,
}

/// A call from an entry state that returns.
fn call_from(prover: &Prover, specification: &mut Specification, entry: &[u64], others: &[Contract]) -> Option<Call> {
    let symbols = specification.language.symbols().len();
    let values: Values = entry.iter().copied().chain(std::iter::repeat_n(0, symbols - entry.len())).collect();
    let requires = point(specification, &values).requires;
    let mut contract = specification.contract();
    contract.cases.push(Case { requires, ensures: TermId::bool(false) });
    let unit = unit_of(prover.analyses, &contract, others).ok()?;
    let slice = part(prover.budget, TUNING.trivial_slice);
    let answer = decide(&Analyses::new(&unit.derived.program), prover.decide_options.of_derived(), &slice);
    let Answer::Violated(violation) = answer else { return None };
    let values = counterexample(&unit, &violation)?;
    let inner = inner_calls(&unit, &violation, prover.budget)?.into_iter().filter(|one| one.func == contract.func);
    let inner = inner.map(|one| one.values).collect();
    (values[..entry.len()] == *entry).then_some(Call { values, inner })
}
