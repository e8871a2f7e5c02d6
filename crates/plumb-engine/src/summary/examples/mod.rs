//! Examples: pairs of inputs and output of one function, from runs on the concrete machine.
//!
//! **Idea.** As in the paper (section 5.3) there are up to 10,000 of them, by symbolic execution for branch coverage and by
//! mutation:
//!
//! ```text
//!   prober    calls of the function           palette   special values, and ranges of the program's calls
//!   paths     symbolic execution              mutate    mutation, guided by branches and rare outputs
//!   balance   which examples are kept
//! ```
//!
//! An input that the function does not return from (a fault, an exit, an assumption that fails) is no example. The same seed
//! gives the same examples, unless a deadline ends the search.

mod balance;
mod mutate;
pub(super) mod palette;
mod paths;
mod prober;
mod tuning;

#[cfg(test)]
mod tests;

pub use prober::{NotReturned, Novelty, Outcome, Prober};

use super::scalar::is_integral;
use crate::budget::Budget;
use mutate::Collector;
use palette::Palette;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::{Scalar, Signature};
use plumb_ir::program::FuncId;
use tuning::ExamplesTuning;

/// How an example was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    Special,
    Symbolic,
    Mutation,
    /// From a counterexample, with the output corrected.
    Correction,
}

/// Patterns of the inputs, in the order of the signature, and of the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    pub inputs: Box<[u64]>,
    pub output: u64,
    pub origin: Origin,
}

/// Examples with different inputs.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    pub list: Vec<Example>,
    /// Branches that the calls took.
    pub branches: usize,
    /// Calls that were made to find them.
    pub calls: u64,
}

/// Collects examples of the signature's function.
pub fn collect(
    analyses: &Analyses,
    signature: &Signature,
    prober: &mut Prober,
    budget: &Budget,
    seed: u64,
) -> Examples {
    let _span = tracing::info_span!("examples").entered();
    of_signature(analyses, signature, prober, &tuning::TUNING, budget, seed)
}

/// A few examples, the same ones whenever a program has the same function with the same calls.
pub fn sample(analyses: &Analyses, signature: &Signature, prober: &mut Prober, budget: &Budget) -> Examples {
    of_signature(analyses, signature, prober, &tuning::SAMPLE, budget, 0)
}

/// A term computes with the integers that floats are: inputs that are none belong to no example.
fn of_signature(
    analyses: &Analyses,
    signature: &Signature,
    prober: &mut Prober,
    tuning: &'static ExamplesTuning,
    budget: &Budget,
    seed: u64,
) -> Examples {
    // Every collection has its own limit of steps.
    prober.work = 0;
    let mut found = collect_on(analyses, signature.func, &signature.inputs, prober, tuning, budget, seed);
    let are_integral = |example: &Example| {
        signature.inputs.iter().zip(&example.inputs).all(|(scalar, pattern)| is_integral(scalar.ty, *pattern))
    };
    found.list.retain(are_integral);
    found
}

/// Collects inputs of a unit that it returns from, with one result for each.
pub fn collect_for_unit(
    analyses: &Analyses,
    func: FuncId,
    scalars: &[Scalar],
    prober: &mut Prober,
    budget: &Budget,
    seed: u64,
) -> Examples {
    collect_on(analyses, func, scalars, prober, &tuning::UNIT, budget, seed)
}

fn collect_on(
    analyses: &Analyses,
    func: FuncId,
    scalars: &[Scalar],
    prober: &mut Prober,
    tuning: &'static ExamplesTuning,
    budget: &Budget,
    seed: u64,
) -> Examples {
    if scalars.is_empty() {
        return Examples::default();
    }
    let palette = Palette::new(analyses, func, scalars);
    let mut collector = Collector::new(prober, &palette, tuning, seed);
    if !collector.enumerate(budget) {
        collector.special(&budget.part(4));
        paths::explore(&mut collector, &budget.part(2));
        collector.mutate(budget);
    }
    let (branches, calls) = (collector.prober().covered(), collector.calls);
    let list = balance::balanced(collector);
    tracing::info!(examples = list.len(), calls);
    Examples { list, branches, calls }
}
