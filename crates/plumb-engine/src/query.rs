//! Queries about symbolic states: a solver that has the axioms of their context.

use crate::budget::Budget;
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_sym::{Assumed, Fault, Feasible, Sym, feasible_faults};
use plumb_term::{Evaluator, TermId};
use std::collections::BTreeSet;

#[derive(Default)]
pub struct QuerySolver {
    pub solver: BitSolver,
    /// Of the axioms, how many the solver has.
    axioms: usize,
}

impl QuerySolver {
    pub fn new(solver: BitSolver) -> QuerySolver {
        QuerySolver { solver, axioms: 0 }
    }

    /// Whether conditions can all hold.
    pub fn check(&mut self, sym: &mut Sym, conditions: &[TermId], conflicts: Option<u64>, budget: &Budget) -> Outcome {
        sym.feed_axioms(&mut self.axioms, |terms, axiom| self.solver.assert(terms, axiom));
        self.solver.set_limits(Limits { conflicts, deadline: budget.deadline, cancel: Some(budget.cancel.flag()) });
        self.solver.check(&mut sym.terms, conditions)
    }

    /// After a satisfiable query: which of some conditions hold in its model.
    pub fn truths(&self, sym: &Sym, conditions: impl IntoIterator<Item = TermId>) -> Option<Vec<bool>> {
        let mut evaluator = Evaluator::new(self.solver.model()?);
        Some(conditions.into_iter().map(|condition| evaluator.holds(&sym.terms, condition)).collect())
    }

    /// The faults that are not proved to be infeasible: a proof assumes that they do not happen.
    pub fn feasible_faults(
        &mut self,
        sym: &mut Sym,
        faults: &[Fault],
        conflicts: u64,
        budget: &Budget,
    ) -> BTreeSet<Assumed> {
        feasible_faults(faults, |conditions| {
            let any = sym.terms.or_all(conditions.iter().copied());
            match self.check(sym, &[any], Some(conflicts), budget) {
                Outcome::Unsat => Feasible::None,
                Outcome::Sat => self.truths(sym, conditions.iter().copied()).map_or(Feasible::Unknown, Feasible::Model),
                Outcome::Unknown(_) => Feasible::Unknown,
            }
        })
    }

    /// Whether every run has one of some faults: a proof that assumes them away is about no run.
    pub fn are_unavoidable(&mut self, sym: &mut Sym, faults: &[Fault], conflicts: u64, budget: &Budget) -> bool {
        let any = sym.terms.or_all(faults.iter().map(|fault| fault.when));
        let none = sym.terms.not(any);
        self.check(sym, &[none], Some(conflicts), budget) == Outcome::Unsat
    }
}
