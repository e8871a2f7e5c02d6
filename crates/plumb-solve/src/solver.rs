//! What engines know of a solver.

use crate::limits::{Limits, Why};
use plumb_term::{Assignment, Evaluator, TermId, Terms, Value};

/// The answer of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Sat,
    Unsat,
    Unknown(Why),
}

/// A stack of assertions over the terms of one arena, which is passed to each call and always the same.
///
/// Obligations of an implementation: `Sat` only with a model of all assertions and assumptions, `Unsat` only if there is
/// none and with a core that suffices for it, `Unknown` otherwise. Answers do not depend on earlier checks.
pub trait Solver: Send {
    /// Adds a truth value to what has to hold until the enclosing scope is popped.
    fn assert(&mut self, terms: &mut Terms, term: TermId);

    /// Opens a scope.
    fn push(&mut self);

    /// Closes the innermost scope; without one nothing happens.
    fn pop(&mut self);

    /// Is there a model of the assertions and, this time, of the assumptions?
    fn check(&mut self, terms: &mut Terms, assumptions: &[TermId]) -> Outcome;

    /// After `Sat`: values of symbols. Symbols without one may have any; zero is one of them.
    fn model(&self) -> Option<&Assignment>;

    /// After `Unsat`: assumptions of the check that cannot all hold together with the assertions.
    fn core(&self) -> &[TermId];

    /// Bounds of every check from now on.
    fn set_limits(&mut self, limits: Limits);

    /// After `Sat`: the value of any term. Many terms are better evaluated with one [`Evaluator`] of the model.
    fn value(&self, terms: &Terms, term: TermId) -> Option<Value> {
        self.model().map(|model| Evaluator::new(model).value(terms, term))
    }
}
