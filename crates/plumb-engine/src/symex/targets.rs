//! Targets: what paths may meet, and what comes of it.
//!
//! A check that breaks, a fault, a gap or a doubt. A path that seems to meet one is gone again without abstraction: a run
//! meets it, or the precision becomes finer.
//!
//! **Soundness.** A target is passed over only if the solver says that the path does not meet it. A fault that the proof may
//! suppose not to happen is noted ([`plumb_sym::Assumed`]); everything else leaves an obstacle, with which there is no proof. A
//! violation is run on the machine before it is said.

use super::branch::Branch;
use super::explore::{Explorer, Stop};
use super::questions::Possible;
use super::trail::{End, Line, Target, walk};
use super::way::Spurious;
use crate::answer::{Violation, WhyUnknown};
use crate::realise::why_not_real;
use plumb_exec::Site;
use plumb_ir::check::{CheckId, CheckKind};
use plumb_solve::Outcome;
use plumb_sym::{Assumed, EventLog, Input, OpenChoice, State, inputs_of};
use plumb_term::{BinaryOp, Kind, TermId, Terms};

/// Violations that turn out to be none before no more are tried.
const MOST_FAILURES: u32 = 40;

/// What came of looking at a target.
pub enum Hit {
    /// The path goes on.
    Goes,
    /// It is gone: the precision is finer now.
    Gone,
}

impl Explorer<'_> {
    /// Where a state is.
    pub(super) fn site(&self, state: &State) -> Option<Site> {
        let func = state.func();
        self.program.function(func).out_edges(state.loc).next().map(|edge| Site { func, edge, loc: state.loc })
    }

    /// Looks at what the last step may have met.
    pub(super) fn targets(
        &mut self,
        branch: &Branch,
        site: Option<Site>,
        before: &plumb_sym::Path,
        log: &EventLog,
    ) -> Result<Hit, Stop> {
        let mut met: Vec<(Target, TermId)> = Vec::new();
        let path = before.term();
        met.extend(log.obligations.iter().map(|o| (Target::Check(o.check), o.broken)));
        // What cannot be proved any more need not be asked.
        if self.obstacle.is_none() {
            let own = |target, list: &[TermId]| list.iter().map(|term| (target, *term)).collect::<Vec<_>>();
            let faults = log.faults.iter();
            // What is supposed already need not be asked either.
            let faults = faults.filter(|fault| !self.assumed.contains(&Assumed::of(fault)));
            met.extend(faults.map(|fault| (Target::Fault(Assumed::of(fault)), fault.when)));
            met.extend(own(Target::Gap, &log.gaps));
            met.extend(own(Target::Doubt, &log.doubts));
        }
        for (target, when) in met {
            let mut known = before.since(0);
            known.extend(branch.given.iter());
            let when = beyond(&self.sym.terms, when, path);
            if let Possible::Yes(_) = self.questions.is_possible(&mut self.sym, &known, &[when], branch.values.as_ref())
                && self.is_certain(branch, &known, when)
            {
                known.push(when);
                if let Hit::Gone = self.hit(branch, site, target, &known)? {
                    return Ok(Hit::Gone);
                }
            }
        }
        Ok(Hit::Goes)
    }

    /// Whether a path that seems to meet a target is to be looked at. Questions may be about a part of the path only; of one
    /// that was never abstracted all is known, and asked.
    fn is_certain(&mut self, branch: &Branch, known: &[TermId], when: TermId) -> bool {
        if branch.point.is_some() {
            return true;
        }
        let conditions: Vec<TermId> = known.iter().copied().chain([when]).collect();
        self.questions.ask(&mut self.sym, &conditions, None) != Outcome::Unsat
    }

    /// A path seems to meet a target, under these conditions.
    fn hit(&mut self, branch: &Branch, site: Option<Site>, target: Target, conditions: &[TermId]) -> Result<Hit, Stop> {
        let Some(Line { signs, steps }) = self.line(branch, conditions) else {
            self.until_look = 1;
            self.look_at_budget()?;
            self.not_excluded(
                target,
                WhyUnknown::Solver("none of several paths can be told to be the one".to_string()),
            );
            return Ok(Hit::Goes);
        };
        let mut states = Vec::new();
        let plain = walk(&mut self.sym, &signs, steps, target, &mut |_, state: &mut State, _, _| {
            states.push(state.clone());
        });
        if let End::Arrived(met) = plain.end {
            let mut conditions: Vec<TermId> = plain.conditions.iter().map(|(_, condition)| *condition).collect();
            conditions.push(met);
            match self.questions.ask(&mut self.sym, &conditions, None) {
                Outcome::Sat => return self.real(target, site, &plain.inputs, &conditions),
                Outcome::Unsat => {}
                Outcome::Unknown(why) => {
                    self.not_excluded(target, why.into());
                    return Ok(Hit::Goes);
                }
            }
        }
        if branch.point.is_none() {
            // The path itself is possible.
            self.not_excluded(target, WhyUnknown::Solver("a path cannot be gone again".to_string()));
            return Ok(Hit::Goes);
        }
        let Some(mut refiner) = self.refiner.take() else { return Err(Stop::Abstract) };
        let spurious = Spurious { signs, steps, target, states };
        let refined = refiner.refine(self, &spurious);
        self.refiner = Some(refiner);
        self.refinements += 1;
        for entry in refined {
            if !self.points.entry(entry).is_gone {
                self.make_again(entry);
            }
        }
        if self.points.is_gone(branch.point) {
            return Ok(Hit::Gone);
        }
        // A counterexample that stays is no proof.
        let why = "an abstract counterexample cannot be excluded";
        self.not_excluded(target, WhyUnknown::Solver(why.to_string()));
        Ok(Hit::Goes)
    }

    /// A target that paths may meet: the proof will suppose that they do not, or there will be none.
    fn not_excluded(&mut self, target: Target, why: WhyUnknown) {
        match target {
            Target::Fault(fault) if !self.strict && fault.kind.is_assumable() => {
                self.assumed.insert(fault);
            }
            Target::Check(_) | Target::Fault(_) | Target::Gap | Target::Doubt => {
                self.obstacle.get_or_insert(why);
            }
        }
    }

    /// There will be no proof.
    pub(super) fn give_up(&mut self, why: &str) {
        self.obstacle.get_or_insert_with(|| WhyUnknown::Solver(why.to_string()));
    }

    /// A run meets the target.
    fn real(
        &mut self,
        target: Target,
        site: Option<Site>,
        inputs: &[Input],
        conditions: &[TermId],
    ) -> Result<Hit, Stop> {
        let why = match target {
            Target::Check(check) if self.program.check(check).kind == CheckKind::Unsupported => {
                WhyUnknown::Unsupported(check)
            }
            Target::Check(check) if self.failures < MOST_FAILURES => {
                let Some(mut why) = self.why_not_real(check, inputs, conditions)? else {
                    self.give_up("the solver's model is none");
                    return Ok(Hit::Goes);
                };
                if why == WhyUnknown::NotReplayed(check, Some(OpenChoice::Addresses)) {
                    let mut real = conditions.to_vec();
                    real.extend(self.realiser.layout(&mut self.sym));
                    if self.questions.ask(&mut self.sym, &real, None) == Outcome::Sat {
                        why = self.why_not_real(check, inputs, &real)?.unwrap_or(why);
                    }
                }
                why
            }
            Target::Check(_) => return Ok(Hit::Goes),
            Target::Fault(fault) => WhyUnknown::fault(fault),
            Target::Gap => WhyUnknown::Faults(site),
            Target::Doubt => WhyUnknown::Addresses,
        };
        self.not_excluded(target, why);
        Ok(Hit::Goes)
    }
}

impl Explorer<'_> {
    /// Runs the solver's model, which breaks a check under conditions: why no run does, unless one does. `None` without a
    /// model.
    fn why_not_real(
        &mut self,
        check: CheckId,
        inputs: &[Input],
        conditions: &[TermId],
    ) -> Result<Option<WhyUnknown>, Stop> {
        let Some(model) = self.questions.model() else { return Ok(None) };
        let claim = Violation { check, inputs: inputs_of(&self.sym, inputs, model) };
        self.failures += 1;
        match self.realiser.realise(&claim, self.budget) {
            Ok(violation) => Err(Stop::Violated(violation)),
            Err(not_real) => Ok(Some(why_not_real(&self.sym, check, conditions, not_real))),
        }
    }
}

/// What a condition says beyond the path that it begins with.
pub fn beyond(terms: &Terms, condition: TermId, path: TermId) -> TermId {
    match terms.kind(condition) {
        Kind::Binary(BinaryOp::And, a, b) if a == path => b,
        Kind::Binary(BinaryOp::And, a, b) if b == path => a,
        _ => condition,
    }
}
