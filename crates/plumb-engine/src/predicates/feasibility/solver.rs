//! The solver for path conditions, and when it is thrown away.
//!
//! A solver keeps the gates of earlier queries, and with them what it has learned; those of paths that are left behind slow
//! down later ones. It starts afresh once it has many gates and more than twice those that its first query needed.

use super::super::tuning::FeasibilityTuning;
use crate::budget::Budget;
use crate::query::QuerySolver;
use plumb_solve::{BitSolver, Outcome, Solver};
use plumb_sym::Sym;
use plumb_term::{Assignment, TermId};

pub struct PathSolver {
    budget: Budget,
    max_gates: usize,
    queries: QuerySolver,
    /// Gates that the first query took, once it was made.
    first_gates: Option<usize>,
}

impl PathSolver {
    pub fn new(budget: &Budget, tuning: &FeasibilityTuning) -> PathSolver {
        PathSolver {
            budget: budget.clone(),
            max_gates: tuning.max_solver_gates,
            queries: new_solver(),
            first_gates: None,
        }
    }

    /// Whether conditions can all hold.
    pub fn check(&mut self, sym: &mut Sym, conditions: &[TermId], conflicts: Option<u64>) -> Outcome {
        let gates = self.queries.solver.stats().gates;
        if self.first_gates.is_some_and(|first| gates > self.max_gates.max(2 * first)) {
            self.queries = new_solver();
            self.first_gates = None;
        }
        let outcome = self.queries.check(sym, conditions, conflicts, &self.budget);
        self.first_gates.get_or_insert(self.queries.solver.stats().gates);
        outcome
    }

    /// After a satisfiable query: its model.
    pub fn model(&self) -> Option<&Assignment> {
        self.queries.solver.model()
    }

    /// After an unsatisfiable query: conditions that cannot all hold.
    pub fn core(&self) -> &[TermId] {
        self.queries.solver.core()
    }

    pub fn is_out_of_time(&self) -> bool {
        self.budget.is_over()
    }
}

fn new_solver() -> QuerySolver {
    let mut solver = BitSolver::new();
    // Guesses of whole assignments take longer than most of the queries.
    solver.set_sat_option("lucky", 0);
    QuerySolver::new(solver)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::{budget, program};
    use plumb_term::Sort;

    /// `a * b == number` for two numbers of their own.
    fn product(sym: &mut Sym, number: u128) -> TermId {
        let [a, b] = ["a", "b"].map(|name| sym.terms.fresh_symbol(name, Sort::Bv(16)));
        let (product, number) = (sym.terms.bv_mul(a, b), sym.terms.bv(16, number));
        sym.terms.eq(product, number)
    }

    #[test]
    fn a_solver_is_kept_for_queries_like_its_first() {
        let program = program("int main(void) { return 0; }");
        let mut sym = Sym::new(&program);
        let tuning = FeasibilityTuning { max_solver_gates: 0, ..FeasibilityTuning::DEFAULT };
        let mut solver = PathSolver::new(&budget(), &tuning);
        let mut gates = Vec::new();
        for number in 1..=6 {
            let condition = product(&mut sym, number);
            assert_eq!(solver.check(&mut sym, &[condition], None), Outcome::Sat);
            gates.push(solver.queries.solver.stats().gates);
        }
        // The second is added to the first; the solver with both is dropped sooner or later.
        assert!(gates[0] < gates[1], "{gates:?}");
        assert!(gates[2..].iter().any(|some| *some < gates[1]), "{gates:?}");
    }
}
