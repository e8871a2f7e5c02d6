//! What stands between the exploration and a verdict: obstacles of a proof, assumptions, and violations on the concrete machine.
//!
//! **Soundness.** A target is passed over only if the solver says that the path does not meet it. A fault that the proof may
//! assume not to happen is noted ([`plumb_sym::Assumed`]); everything else is an obstacle, with which there is no proof. A violation
//! is replayed on the concrete machine before it is claimed.

use super::feasibility::PathSolver;
use super::targets::Target;
use crate::answer::{Violation, WhyUnknown};
use crate::budget::Budget;
use crate::replay::realise::Realiser;
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::program::Program;
use plumb_solve::Outcome;
use plumb_sym::{Assumed, Input, OpenChoice, Sym};
use plumb_term::TermId;
use std::collections::BTreeSet;

pub struct Verdict<'a> {
    /// Nothing may be assumed not to happen.
    is_strict: bool,
    /// The reason why there is no proof. It lies in the program and says more than one that lies in the budget.
    pub obstacle: Option<WhyUnknown>,
    pub assumed: BTreeSet<Assumed>,
    /// A run ends without a fault, or goes on without end.
    pub has_surviving_run: bool,
    realiser: Realiser<'a>,
    /// Models that may still fail to replay.
    replays_left: u32,
}

impl<'a> Verdict<'a> {
    pub fn new(program: &'a Program, is_strict: bool, max_failed_replays: u32) -> Verdict<'a> {
        Verdict {
            is_strict,
            obstacle: None,
            assumed: BTreeSet::new(),
            has_surviving_run: false,
            realiser: Realiser::new(program),
            replays_left: max_failed_replays,
        }
    }

    /// Whether an exploration that ends is a proof.
    pub fn can_prove(&self) -> bool {
        self.obstacle.is_none()
    }

    pub fn assumes(&self, fault: &Assumed) -> bool {
        self.assumed.contains(fault)
    }

    /// A path may meet a target: the proof will assume that it does not, or there will be none.
    pub fn not_excluded(&mut self, target: Target, why: WhyUnknown) {
        match target {
            Target::Fault(fault) if !self.is_strict && fault.kind.is_assumable() => {
                self.assumed.insert(fault);
            }
            Target::Check(_) | Target::Fault(_) | Target::Gap | Target::Doubt => {
                self.obstacle.get_or_insert(why);
            }
        }
    }

    /// What is assumed in the proof by an exploration that has ended; or why it is none.
    pub fn conclude(&mut self) -> Result<(), WhyUnknown> {
        // A proof that assumes away every run is none.
        let vacuous = self.assumed.first().filter(|_| !self.has_surviving_run).map(|first| WhyUnknown::fault(*first));
        match self.obstacle.take().or(vacuous) {
            Some(why) => Err(why),
            None => Ok(()),
        }
    }

    /// A feasible path meets a target under a condition that the solver has found satisfiable: the violation, or the reason why
    /// there will be no proof.
    pub fn confirm(
        &mut self,
        sym: &mut Sym,
        solver: &mut PathSolver,
        budget: &Budget,
        (target, inputs): (Target, &[Input]),
        condition: TermId,
    ) -> Result<Violation, WhyUnknown> {
        match target {
            Target::Check(check) if sym.program.check(check).kind == CheckKind::Unsupported => {
                Err(WhyUnknown::Unsupported(check))
            }
            Target::Check(check) => match self.replay_violation(sym, solver, budget, (check, inputs), &[condition]) {
                Some(found) => found,
                None => Err(WhyUnknown::GaveUp("too many models did not replay".to_string())),
            },
            Target::Fault(fault) => Err(WhyUnknown::fault(fault)),
            Target::Gap => Err(WhyUnknown::Gap(None)),
            Target::Doubt => Err(WhyUnknown::Addresses),
        }
    }

    /// Replays the solver's model, which breaks a check under conditions: the violation, or why the check does not fail.
    /// `None` if no more models are tried.
    pub fn replay_violation(
        &mut self,
        sym: &mut Sym,
        solver: &mut PathSolver,
        budget: &Budget,
        claim: (CheckId, &[Input]),
        conditions: &[TermId],
    ) -> Option<Result<Violation, WhyUnknown>> {
        if self.replays_left == 0 {
            return None;
        }
        let found = self.replay_model(sym, solver, budget, claim, conditions);
        let Err(WhyUnknown::NotReplayed(_, Some(OpenChoice::Addresses))) = found else { return Some(found) };
        // The model may hold with the machine's own addresses too.
        let mut real = conditions.to_vec();
        real.extend(self.realiser.layout(sym));
        Some(match solver.check(sym, &real, None) {
            Outcome::Sat => self.replay_model(sym, solver, budget, claim, &real),
            Outcome::Unsat | Outcome::Unknown(_) => found,
        })
    }

    fn replay_model(
        &mut self,
        sym: &Sym,
        solver: &PathSolver,
        budget: &Budget,
        claim: (CheckId, &[Input]),
        conditions: &[TermId],
    ) -> Result<Violation, WhyUnknown> {
        self.replays_left = self.replays_left.saturating_sub(1);
        self.realiser.replay(sym, solver.model(), claim, conditions, budget)
    }
}
