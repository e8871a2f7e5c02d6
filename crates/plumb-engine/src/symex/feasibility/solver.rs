//! The solver for path conditions, and when it is thrown away.
//!
//! A solver keeps the gates of earlier queries, and with them what it has learned; those of paths that are left behind slow
//! down later ones. It starts afresh once it has many more gates than its first query needed.

use super::super::tuning::FeasibilityTuning;
use crate::budget::Budget;
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_sym::Sym;
use plumb_term::{Assignment, TermId};

pub struct PathSolver {
    budget: Budget,
    max_stale_gates: usize,
    solver: BitSolver,
    /// Of the axioms, how many the solver has.
    axioms: usize,
    /// Gates that the first query took.
    first_gates: usize,
}

impl PathSolver {
    pub fn new(budget: &Budget, tuning: &FeasibilityTuning) -> PathSolver {
        PathSolver {
            budget: budget.clone(),
            max_stale_gates: tuning.max_stale_gates,
            solver: new_solver(),
            axioms: 0,
            first_gates: 0,
        }
    }

    /// Whether conditions can all hold.
    pub fn check(&mut self, sym: &mut Sym, conditions: &[TermId], conflicts: Option<u64>) -> Outcome {
        if self.solver.stats().gates > self.max_stale_gates + 4 * self.first_gates {
            self.solver = new_solver();
            self.axioms = 0;
            self.first_gates = 0;
        }
        let is_new = self.solver.stats().gates == 0;
        sym.feed_axioms(&mut self.axioms, |terms, axiom| self.solver.assert(terms, axiom));
        let (deadline, cancel) = (self.budget.deadline, Some(self.budget.cancel.flag()));
        self.solver.set_limits(Limits { conflicts, deadline, cancel });
        let outcome = self.solver.check(&mut sym.terms, conditions);
        if is_new {
            self.first_gates = self.solver.stats().gates;
        }
        outcome
    }

    /// After a satisfiable query: its model.
    pub fn model(&self) -> Option<&Assignment> {
        self.solver.model()
    }

    /// After an unsatisfiable query: conditions that cannot all hold.
    pub fn core(&self) -> &[TermId] {
        self.solver.core()
    }

    pub fn is_out_of_time(&self) -> bool {
        self.budget.is_over()
    }
}

fn new_solver() -> BitSolver {
    let mut solver = BitSolver::new();
    // Guesses of whole assignments take longer than most of the queries.
    solver.set_sat_option("lucky", 0);
    solver
}
