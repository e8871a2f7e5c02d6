//! Formulas of checks, faults and the frontier, put to the solver.

use super::tuning::TUNING;
use crate::answer::{Violation, WhyUnknown};
use crate::budget::Budget;
use crate::query::QuerySolver;
use crate::replay::realise::Realiser;
use crate::unroll::{FrontierState, Unroller};
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::program::Program;
use plumb_solve::{Outcome, Solver, Why};
use plumb_sym::{Assumed, Fault, Obligation, OpenChoice, split_faults};
use plumb_term::TermId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

pub(super) enum Verdict {
    Fine,
    Violated(Violation),
    Open(WhyUnknown),
}

/// What becomes of checks that are hard to decide.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Looked at again at the bound, which is not reached yet.
    EarlyCheck,
    /// Deferred until the program is unwound further, with more effort then.
    Deferrable,
    /// They have to be decided.
    Final,
}

pub(super) struct Goals<'b> {
    pub queries: QuerySolver,
    budget: &'b Budget,
    /// How many of the unrolling's obligations were looked at.
    obligations: usize,
    /// Checks that were deferred.
    pending: Vec<Obligation>,
    deferral_conflicts: u64,
    /// Checks that say that something is not modelled.
    unsupported: Vec<Obligation>,
    realiser: Realiser<'b>,
    /// Models of each check that did not replay, and why the first of all did not.
    false_claims: FxHashMap<CheckId, u32>,
    failed_replay_reason: Option<WhyUnknown>,
    assumes_layout: bool,
}

impl<'b> Goals<'b> {
    pub fn new(program: &'b Program, budget: &'b Budget) -> Goals<'b> {
        Goals {
            queries: QuerySolver::default(),
            budget,
            obligations: 0,
            pending: Vec::new(),
            deferral_conflicts: TUNING.deferral_conflicts,
            unsupported: Vec::new(),
            realiser: Realiser::new(program),
            false_claims: FxHashMap::default(),
            failed_replay_reason: None,
            assumes_layout: false,
        }
    }

    /// Whether a formula is satisfiable.
    fn ask(&mut self, unroller: &mut Unroller, goal: TermId, conflicts: Option<u64>) -> Outcome {
        self.ask_all(unroller, &[goal], conflicts)
    }

    /// Whether formulas are satisfiable together.
    fn ask_all(&mut self, unroller: &mut Unroller, goals: &[TermId], conflicts: Option<u64>) -> Outcome {
        self.queries.check(&mut unroller.sym, goals, conflicts, self.budget)
    }

    /// The same with static objects placed as on the machine, once a model has rested on another layout.
    fn ask_real(&mut self, unroller: &mut Unroller, goal: TermId, conflicts: Option<u64>) -> Outcome {
        let mut assumed = vec![goal];
        if self.assumes_layout {
            assumed.extend(self.realiser.layout(&mut unroller.sym));
        }
        self.ask_all(unroller, &assumed, conflicts)
    }

    /// Decides the checks that were met since the last time, and deferred ones.
    pub fn checks(&mut self, unroller: &mut Unroller, effort: Effort) -> Verdict {
        let program = unroller.sym.program;
        let fresh = unroller.log.obligations[self.obligations..].to_vec();
        self.obligations = unroller.log.obligations.len();
        let (unsupported, goals): (Vec<_>, Vec<_>) =
            fresh.into_iter().partition(|o| program.check(o.check).kind == CheckKind::Unsupported);
        self.unsupported.extend(unsupported);
        let mut all = std::mem::take(&mut self.pending);
        all.extend(goals);
        loop {
            all.retain(|goal| {
                self.false_claims.get(&goal.check).is_none_or(|claims| *claims < TUNING.max_false_claims)
            });
            if all.is_empty() {
                return Verdict::Fine;
            }
            let any = unroller.sym.terms.or_all(all.iter().map(|o| o.broken));
            let conflicts = match effort {
                Effort::EarlyCheck => Some(TUNING.early_conflicts),
                Effort::Deferrable => Some(self.deferral_conflicts),
                Effort::Final => (all.len() > 1).then_some(TUNING.joint_conflicts),
            };
            match self.ask_real(unroller, any, conflicts) {
                Outcome::Sat => {
                    if let Some(verdict) = self.claim(unroller, &mut all) {
                        return verdict;
                    }
                }
                Outcome::Unsat => return Verdict::Fine,
                Outcome::Unknown(Why::Conflicts) => match effort {
                    Effort::Final => return self.one_by_one(unroller, &all),
                    Effort::EarlyCheck | Effort::Deferrable => {
                        self.pending = all;
                        self.deferral_conflicts <<= u32::from(effort == Effort::Deferrable);
                        return Verdict::Fine;
                    }
                },
                Outcome::Unknown(why) => return Verdict::Open(why.into()),
            }
        }
    }

    fn one_by_one(&mut self, unroller: &mut Unroller, goals: &[Obligation]) -> Verdict {
        for goal in goals {
            match self.ask_real(unroller, goal.broken, None) {
                Outcome::Sat => {
                    if let Some(verdict) = self.claim(unroller, &mut vec![*goal]) {
                        return verdict;
                    }
                }
                Outcome::Unsat => {}
                Outcome::Unknown(why) => return Verdict::Open(why.into()),
            }
        }
        Verdict::Fine
    }

    /// Replays the solver's model. If it does not replay, its goal leaves the list, and there will be no proof.
    fn claim(&mut self, unroller: &mut Unroller, goals: &mut Vec<Obligation>) -> Option<Verdict> {
        let Some(at) = self.broken_in_model(unroller, goals) else {
            return Some(Verdict::Open(WhyUnknown::GaveUp(
                "the solver's model does not satisfy the formula".to_string(),
            )));
        };
        let goal = goals.remove(at);
        let mut why = match self.replay(unroller, goal) {
            Ok(violation) => return Some(Verdict::Violated(violation)),
            Err(why) => why,
        };
        let rests_on = unroller.sym.open_choices(&[goal.broken]);
        if !self.assumes_layout && rests_on.contains(&OpenChoice::Addresses) {
            self.assumes_layout = true;
            if self.ask_real(unroller, goal.broken, Some(TUNING.joint_conflicts)) == Outcome::Sat {
                why = match self.replay(unroller, goal) {
                    Ok(violation) => return Some(Verdict::Violated(violation)),
                    Err(why) => why,
                };
            }
        }
        if matches!(why, WhyUnknown::Timeout | WhyUnknown::CannotRun(_)) {
            return Some(Verdict::Open(why));
        }
        *self.false_claims.entry(goal.check).or_default() += 1;
        self.failed_replay_reason.get_or_insert(why);
        None
    }

    /// The goal that holds in the solver's model.
    fn broken_in_model(&self, unroller: &Unroller, goals: &[Obligation]) -> Option<usize> {
        self.queries.truths(&unroller.sym, goals.iter().map(|goal| goal.broken))?.iter().position(|holds| *holds)
    }

    /// The concrete run of the solver's model.
    fn replay(&mut self, unroller: &Unroller, goal: Obligation) -> Result<Violation, WhyUnknown> {
        let claim = (goal.check, &unroller.log.inputs[..]);
        self.realiser.replay(&unroller.sym, self.queries.solver.model(), claim, &[goal.broken], self.budget)
    }

    /// Drops states of the frontier that no run reaches without a fault. Gives why the solver was stopped, if it was.
    pub fn drop_infeasible_frontier(&mut self, unroller: &mut Unroller) -> Option<WhyUnknown> {
        if unroller.frontier.is_empty() {
            return None;
        }
        let sound = |stopped: &FrontierState, sym: &mut plumb_sym::Sym| {
            let sound = sym.terms.not(stopped.run.state.fault);
            sym.terms.and(stopped.run.state.path.term(), sound)
        };
        let paths: Vec<TermId> = unroller.frontier.iter().map(|stopped| sound(stopped, &mut unroller.sym)).collect();
        let any = unroller.sym.terms.or_all(paths.iter().copied());
        let mut feasible = vec![false; paths.len()];
        match self.ask(unroller, any, Some(TUNING.frontier_conflicts)) {
            Outcome::Unsat => {
                unroller.frontier.clear();
                return None;
            }
            Outcome::Sat => self.note_feasible(unroller, &paths, &mut feasible),
            Outcome::Unknown(Why::Conflicts | Why::Unsupported(_) | Why::Process(_)) => {}
            Outcome::Unknown(why) => return Some(why.into()),
        }
        if paths.len() > TUNING.max_single_frontier {
            return None;
        }
        let mut infeasible = vec![false; paths.len()];
        for at in 0..paths.len() {
            if feasible[at] {
                continue;
            }
            match self.ask(unroller, paths[at], Some(TUNING.frontier_conflicts)) {
                Outcome::Unsat => infeasible[at] = true,
                Outcome::Sat => self.note_feasible(unroller, &paths, &mut feasible),
                Outcome::Unknown(Why::Conflicts | Why::Unsupported(_) | Why::Process(_)) => {}
                Outcome::Unknown(why) => return Some(why.into()),
            }
        }
        let mut infeasible = infeasible.into_iter();
        unroller.frontier.retain(|_| infeasible.next() != Some(true));
        None
    }

    fn note_feasible(&self, unroller: &Unroller, paths: &[TermId], feasible: &mut [bool]) {
        let holds = self.queries.truths(&unroller.sym, paths.iter().copied()).unwrap_or_default();
        feasible.iter_mut().zip(holds).for_each(|(feasible, holds)| *feasible |= holds);
    }

    /// Why there is no answer: a model that did not replay says more than a timeout or the bound.
    pub fn reason(&self, why: WhyUnknown) -> WhyUnknown {
        match &self.failed_replay_reason {
            Some(failed_replay_reason) if why != WhyUnknown::Cancelled => failed_replay_reason.clone(),
            Some(_) | None => why,
        }
    }

    /// What the proof assumes, once the frontier is empty; or what rules out a proof.
    pub fn assumptions_of_proof(
        &mut self,
        unroller: &mut Unroller,
        strict: bool,
    ) -> Result<BTreeSet<Assumed>, WhyUnknown> {
        if let Some(why) = &self.failed_replay_reason {
            return Err(why.clone());
        }
        let unsupported = std::mem::take(&mut self.unsupported);
        for goal in &unsupported {
            match self.ask(unroller, goal.broken, None) {
                Outcome::Unsat => {}
                Outcome::Sat => return Err(WhyUnknown::Unsupported(goal.check)),
                Outcome::Unknown(why) => return Err(why.into()),
            }
        }
        let log = &unroller.log;
        let (assumable, others) = split_faults(&log.faults, strict);
        let lists = [
            (others.iter().map(|fault| fault.when).collect(), WhyUnknown::Faults(None)),
            (log.gaps.clone(), WhyUnknown::Gap(None)),
            (log.doubts.clone(), WhyUnknown::Addresses),
        ];
        for (list, reason) in lists {
            let any = unroller.sym.terms.or_all(list);
            match self.ask(unroller, any, None) {
                Outcome::Unsat => {}
                Outcome::Sat => return Err(self.fault_of_model(unroller, &others).unwrap_or(reason)),
                Outcome::Unknown(why) => return Err(why.into()),
            }
        }
        let (sym, conflicts) = (&mut unroller.sym, TUNING.fault_conflicts);
        let assumed = self.queries.feasible_faults(sym, &assumable, conflicts, self.budget);
        match assumed.first() {
            Some(first) if self.queries.are_unavoidable(sym, &assumable, conflicts, self.budget) => {
                Err(WhyUnknown::fault(*first))
            }
            Some(_) | None => Ok(assumed),
        }
    }

    /// A fault in the solver's model.
    fn fault_of_model(&self, unroller: &Unroller, faults: &[Fault]) -> Option<WhyUnknown> {
        let holds = self.queries.truths(&unroller.sym, faults.iter().map(|fault| fault.when))?;
        let (found, _) = faults.iter().zip(holds).find(|(_, holds)| *holds)?;
        Some(WhyUnknown::fault(Assumed::of(found)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::{budget, program};
    use plumb_ir::analysis::Analyses;

    /// What is asked of the states of a program that is unwound so far.
    fn unwound<R>(text: &str, bound: u32, ask: impl FnOnce(&mut Goals, &mut Unroller) -> R) -> R {
        let (program, budget) = (program(text), budget());
        let analyses = Analyses::new(&program);
        let mut unroller = Unroller::new(&analyses);
        unroller.unroll(bound, &budget);
        ask(&mut Goals::new(&program, &budget), &mut unroller)
    }

    const THIRD: &str =
        "int main(void) { int n = 0; while (input()) { n++; if (n == 3 && input() == 7) reach_error(); } return 0; }";

    #[test]
    fn a_violation_is_the_run_of_a_model() {
        assert!(unwound(THIRD, 1, |goals, unroller| matches!(goals.checks(unroller, Effort::Final), Verdict::Fine)));
        let verdict = unwound(THIRD, 2, |goals, unroller| goals.checks(unroller, Effort::Final));
        let Verdict::Violated(violation) = verdict else { panic!("the third iteration breaks the check") };
        assert_eq!(violation.inputs.len(), 4, "three conditions of the loop, and the 7");
    }

    #[test]
    fn checks_are_looked_at_once() {
        unwound(THIRD, 2, |goals, unroller| {
            assert!(matches!(goals.checks(unroller, Effort::EarlyCheck), Verdict::Violated(_)));
            assert!(matches!(goals.checks(unroller, Effort::Final), Verdict::Fine), "it was reported");
        });
    }

    #[test]
    fn the_frontier_is_empty_once_no_run_reaches_it() {
        let text = "int main(void) { unsigned n = input(); if (n > 3) return 0; while (n) n--; return 0; }";
        let left = |bound| {
            unwound(text, bound, |goals, unroller| {
                assert!(goals.drop_infeasible_frontier(unroller).is_none());
                unroller.frontier.len()
            })
        };
        assert_eq!((left(1), left(5)), (1, 0));
    }

    #[test]
    fn a_proof_names_the_faults_that_it_assumes_away() {
        let text = "int main(void) { int n = input(); return 10 / n; }";
        let assumed = |strict| unwound(text, 1, |goals, unroller| goals.assumptions_of_proof(unroller, strict));
        assert_eq!(assumed(false).map(|assumed| assumed.len()), Ok(1));
        assert!(matches!(assumed(true), Err(WhyUnknown::Fault(..) | WhyUnknown::Faults(_))));
    }

    #[test]
    fn a_proof_about_no_run_is_none() {
        let text = "int main(void) { int n = input(); n = 0; return 10 / n; }";
        let assumed = unwound(text, 1, |goals, unroller| goals.assumptions_of_proof(unroller, false));
        assert!(assumed.is_err(), "every run divides by zero");
    }
}
