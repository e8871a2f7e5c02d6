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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::{budget, program};
    use plumb_sym::FaultKind;
    use plumb_term::Sort;

    /// Asks in the context of a program that does nothing, about three symbols.
    fn ask(test: impl FnOnce(&mut QuerySolver, &mut Sym, [TermId; 3])) {
        let program = program("int main(void) { return 0; }");
        let mut sym = Sym::new(&program);
        let symbols = ["a", "b", "c"].map(|name| sym.terms.symbol(name, Sort::Bool));
        test(&mut QuerySolver::default(), &mut sym, symbols);
    }

    #[test]
    fn axioms_hold_from_when_they_are_there() {
        ask(|queries, sym, [a, b, _]| {
            assert_eq!(queries.check(sym, &[a, b], None, &budget()), Outcome::Sat);
            let axiom = {
                let not_b = sym.terms.not(b);
                sym.terms.implies(a, not_b)
            };
            sym.axioms.push(axiom);
            assert_eq!(queries.check(sym, &[a, b], None, &budget()), Outcome::Unsat);
            assert_eq!(queries.check(sym, &[a], None, &budget()), Outcome::Sat);
            assert_eq!(queries.truths(sym, [a, b]), Some(vec![true, false]));
        });
    }

    #[test]
    fn conditions_are_true_only_in_models() {
        ask(|queries, sym, [a, _, _]| {
            let not_a = sym.terms.not(a);
            assert_eq!(queries.check(sym, &[a, not_a], None, &budget()), Outcome::Unsat);
            assert_eq!(queries.truths(sym, [a]), None);
        });
    }

    #[test]
    fn faults_that_no_run_has_are_left_out() {
        ask(|queries, sym, [a, b, _]| {
            let not_a = sym.terms.not(a);
            sym.axioms.push(not_a);
            let fault = |when, kind| Fault { when, kind, site: None };
            let faults = [fault(a, FaultKind::DivisionByZero), fault(b, FaultKind::ShiftCount)];
            let feasible = queries.feasible_faults(sym, &faults, 1_000, &budget());
            assert!(feasible.iter().eq([&Assumed::of(&faults[1])]));
            assert!(!queries.are_unavoidable(sym, &faults, 1_000, &budget()), "a run without either");
            sym.axioms.push(b);
            assert!(queries.are_unavoidable(sym, &faults, 1_000, &budget()));
        });
    }
}
