//! The refinement loop (Algorithm 3 of the paper): what comes of a path that seems to meet a target.
//!
//! The path is executed again without abstraction. If it is feasible and meets the target, the solver's model is replayed on
//! the concrete machine. If it is not, the counterexample is spurious: the precision is refined, and the exploration goes on
//! from the first entry whose precision has changed.

use super::explore::{Explorer, Fate, Stop};
use super::history::ControlFlowPath;
use super::path::SymbolicPath;
use super::reached_set::PointId;
use super::refinement::{SpuriousPath, refine};
use super::replay::replay;
use crate::answer::WhyUnknown;
use crate::predicates::feasibility::PathFeasibility;
use crate::predicates::targets::{Target, targets_of_step, without_path};
use plumb_exec::Site;
use plumb_ir::check::CheckKind;
use plumb_solve::Outcome;
use plumb_sym::{EventLog, Input, Path, State};
use plumb_term::{Assignment, Evaluator, TermId};
use rustc_hash::FxHashMap;
use std::collections::hash_map;

impl Explorer<'_> {
    /// Checks the targets that the last step of a path may have met.
    pub(super) fn check_targets(
        &mut self,
        path: &SymbolicPath,
        site: Option<Site>,
        before: &Path,
        log: &EventLog,
    ) -> Result<Fate, Stop> {
        for (target, condition) in targets_of_step(log, &self.verdict) {
            let mut known = before.since(0);
            known.extend(path.predicate_values.iter());
            let condition = without_path(&self.sym.terms, condition, before.term());
            let feasibility = self.feasibility.extend(&mut self.sym, &known, &[condition], path.model.as_ref());
            known.push(condition);
            if let PathFeasibility::Feasible(_) = feasibility
                && self.is_feasible_as_a_whole(path, &known)
                && self.meets_target(path, site, target, &known)? == Fate::Removed
            {
                return Ok(Fate::Removed);
            }
        }
        Ok(Fate::GoesOn)
    }

    /// Feasibility may have been decided for a part of the path condition only. A path that was never abstracted is known
    /// as a whole.
    fn is_feasible_as_a_whole(&mut self, path: &SymbolicPath, conditions: &[TermId]) -> bool {
        path.point.is_some() || self.feasibility.solver.check(&mut self.sym, conditions, None) != Outcome::Unsat
    }

    /// A path seems to meet a target under these conditions.
    fn meets_target(
        &mut self,
        path: &SymbolicPath,
        site: Option<Site>,
        target: Target,
        conditions: &[TermId],
    ) -> Result<Fate, Stop> {
        let Some(counterexample) = self.control_flow_path(path, conditions) else {
            self.monitor.check(&self.sym.terms)?;
            let why = "none of several merged paths can be proved to be the counterexample";
            self.verdict.not_excluded(target, WhyUnknown::GaveUp(why.to_string()));
            return Ok(Fate::GoesOn);
        };
        let mut states = Vec::new();
        let replayed = replay(&mut self.sym, &counterexample, target, &mut |_, state: &mut State, _, _| {
            states.push(state.clone());
        });
        if let Some(met) = replayed.meets_target {
            let mut conditions: Vec<TermId> = replayed.conditions.iter().map(|(_, condition)| *condition).collect();
            conditions.push(met);
            match self.feasibility.solver.check(&mut self.sym, &conditions, None) {
                Outcome::Sat => return self.confirm(target, site, &replayed.inputs, &conditions),
                Outcome::Unsat => {}
                Outcome::Unknown(why) => {
                    self.verdict.not_excluded(target, why.into());
                    return Ok(Fate::GoesOn);
                }
            }
        }
        if path.point.is_none() {
            // The path was not abstracted, and it is feasible.
            let why = "a feasible path cannot be executed again";
            self.verdict.not_excluded(target, WhyUnknown::GaveUp(why.to_string()));
            return Ok(Fate::GoesOn);
        }
        self.refine(path, SpuriousPath { path: counterexample, target, states })
    }

    /// Refines the precision against a spurious counterexample.
    fn refine(&mut self, path: &SymbolicPath, spurious: SpuriousPath) -> Result<Fate, Stop> {
        let (Some(refiner), Some(abstraction)) = (&mut self.refiner, &mut self.abstraction) else {
            return Err(Stop::Spurious);
        };
        let refined = refine(refiner, &mut self.sym, abstraction, &self.reached, &spurious);
        self.statistics.refinements += 1;
        for entry in refined {
            if !self.reached.entry(entry).is_removed {
                self.rebuild(entry);
            }
        }
        if self.reached.is_removed(path.point) {
            return Ok(Fate::Removed);
        }
        let why = "an abstract counterexample cannot be excluded";
        self.verdict.not_excluded(spurious.target, WhyUnknown::GaveUp(why.to_string()));
        Ok(Fate::GoesOn)
    }

    /// A feasible path meets the target: a violation, or the reason why there will be no proof.
    fn confirm(
        &mut self,
        target: Target,
        site: Option<Site>,
        inputs: &[Input],
        conditions: &[TermId],
    ) -> Result<Fate, Stop> {
        let why = match target {
            Target::Check(check) if self.analyses.program().check(check).kind == CheckKind::Unsupported => {
                WhyUnknown::Unsupported(check)
            }
            Target::Check(check) => {
                let (sym, solver) = (&mut self.sym, &mut self.feasibility.solver);
                let claim = (check, inputs);
                match self.verdict.replay_violation(sym, solver, self.monitor.budget, claim, conditions) {
                    Some(Ok(violation)) => return Err(Stop::Violated(violation)),
                    Some(Err(why)) => why,
                    // The models before have left an obstacle.
                    None => return Ok(Fate::GoesOn),
                }
            }
            Target::Fault(fault) => WhyUnknown::fault(fault),
            Target::Gap => WhyUnknown::Gap(site),
            Target::Doubt => WhyUnknown::Addresses,
        };
        self.verdict.not_excluded(target, why);
        Ok(Fate::GoesOn)
    }

    /// One of the control-flow paths of a path that goes on under conditions. Where paths were merged, a model of what comes
    /// after decides, up to the next abstraction point.
    fn control_flow_path(&mut self, path: &SymbolicPath, conditions: &[TermId]) -> Option<ControlFlowPath> {
        let (sym, feasibility, reached) = (&mut self.sym, &mut self.feasibility, &self.reached);
        let abstraction = &mut self.abstraction;
        let mut models: FxHashMap<Option<PointId>, Assignment> = FxHashMap::default();
        self.histories.control_flow_path(path.history, path.steps, |next_point, alternatives| {
            let model = match models.entry(next_point) {
                hash_map::Entry::Occupied(known) => known.into_mut(),
                hash_map::Entry::Vacant(new) => new.insert(match next_point {
                    None => feasibility.model_of(sym, conditions)?,
                    Some(point) => {
                        let point = reached.point(point);
                        let entry = reached.entry(point.entry);
                        let arrival = abstraction.as_mut()?.arrival_condition(sym, entry, point);
                        feasibility.model_of(sym, &arrival)?
                    }
                }),
            };
            let mut evaluator = Evaluator::new(model);
            alternatives.iter().copied().find(|one| evaluator.holds(&sym.terms, one.condition))
        })
    }
}
