//! What becomes of an engine's answer.
//!
//! An engine's violation is a claim. It becomes FALSE when a run from scratch has broken the same check. Claims that do not
//! replay end in the portfolio, which goes on with other engines; one that comes as far as here is a defect of ours, and
//! the answer is UNKNOWN. A proof is an answer as it is, unless the user wants it validated.

use super::progress::Line;
use super::{files, verdict};
use crate::args::{Args, CheckArgs};
use crate::load::Wanted;
use crate::validate;
use crate::watchdog::EVIDENCE;
use plumb_engine::{AbstractTree, Assumed, Budget, Cancel, Proof, Violation, Watcher};
use plumb_evidence::contract::{Old, contract_texts};
use plumb_evidence::report::{
    BrokenCheck, Cause, Finding, Holds, InputChanges, LoopPredicate, ProofSummary, Violated, inputs,
    undefined_behaviour, violated,
};
use plumb_evidence::{
    Counterexample, NotReplayed, Replay, Validation, certificate, in_c, minimise, replay, validate_certificate,
};
use plumb_ir::check::CheckKind;
use plumb_ir::program::Program;
use plumb_solve::SolverChoice;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What it may take to tell a run iteration by iteration. A longer one is reported as a whole.
const TRACE_TIME: Duration = Duration::from_secs(5);
/// Violations with more steps than this are reported as they were found: trying others would take too long.
const LONG_RUN: u64 = 100_000_000;

/// What was asked, and of which program.
pub struct Job<'a> {
    pub args: &'a Args,
    pub check: &'a CheckArgs,
    pub wanted: &'a Wanted,
    pub program: &'a Program,
    pub line: &'a Line,
}

impl Job<'_> {
    /// Makes evidence of a claim, or says that it is none. As soon as it is known to be more than a claim, `known` hears of
    /// it.
    pub fn violation(&self, claim: &Violation, budget: &Budget, known: impl Fn(Finding)) -> Finding {
        // Evidence gets a little time beyond the deadline: a claim that nobody can replay is worth nothing.
        let end = budget.deadline.map(|end| end.max(Instant::now() + EVIDENCE));
        let budget = &Budget { deadline: end, ..budget.clone() };
        let made = self.evidence(claim, budget, |finding| known(Finding::Violated(Box::new(finding))));
        match made {
            Ok(finding) => Finding::Violated(Box::new(finding)),
            Err(why @ NotReplayed::OutOfTime) => Finding::unknown(Cause::NoTimeToReplay {
                place: BrokenCheck::as_called(self.program, claim.check).place,
                because: why.to_string(),
            }),
            Err(why) => Finding::unknown(Cause::WrongClaim {
                check: BrokenCheck::as_called(self.program, claim.check),
                because: why.to_string(),
            }),
        }
    }

    /// Replays a claim and makes the most of it, keeping some of the time for telling it.
    fn evidence(&self, claim: &Violation, budget: &Budget, known: impl Fn(Violated)) -> Result<Violated, NotReplayed> {
        self.line.phase("replaying a violation");
        // Ctrl-C is about the search, and about what follows this run.
        let mut replayed = replay(self.program, claim, &Budget { cancel: Cancel::new(), ..budget.clone() })?;
        let inputs_found = replayed.inputs.len();
        known(self.violated(&replayed, inputs_found));
        let mut input_changes = None;
        // The inputs of a loop belong together.
        let is_lasso = self.program.check(replayed.check).kind == CheckKind::Request;
        let can_shrink = !replayed.inputs.is_empty() && replayed.steps <= LONG_RUN && !is_lasso;
        if !self.check.minimise.is_zero() && can_shrink {
            self.line.phase("minimising the counterexample");
            let end = Instant::now().checked_add(self.check.minimise);
            let latest = budget.deadline.and_then(|end| end.checked_sub(EVIDENCE / 2));
            let deadline = [latest, end].into_iter().flatten().min();
            let minimised = minimise(self.program, &replayed, &Budget { deadline, ..budget.clone() })?;
            input_changes = Some(InputChanges { found: minimised.changes_before, now: minimised.changes });
            replayed = minimised.replay;
        }
        self.line.phase("preparing the counterexample");
        let latest = budget.deadline.and_then(|end| end.checked_sub(EVIDENCE / 4));
        let end = Instant::now().checked_add(TRACE_TIME);
        let deadline = [latest, end].into_iter().flatten().min();
        let counterexample = Counterexample::new(self.program, &replayed, &Budget { deadline, ..budget.clone() })?;
        self.line.phase("writing evidence");
        let files = files::write(self.args, self.check, self.wanted, self.program, &replayed, budget);
        let violated = self.violated(&replayed, inputs_found);
        Ok(Violated { input_changes, counterexample: Some(counterexample), files, ..violated })
    }

    /// What a replayed run tells by itself.
    fn violated(&self, replayed: &Replay, inputs_found: usize) -> Violated {
        let check = BrokenCheck::of(self.program, replayed);
        Violated {
            property: verdict::property(check.kind, self.wanted).to_string(),
            reason: violated(self.program, replayed.check, replayed.reported_at),
            place: check.place.clone(),
            check,
            inputs: inputs(self.program, &replayed.inputs),
            inputs_found,
            input_changes: None,
            counterexample: None,
            files: Vec::new(),
        }
    }

    /// Tells a proof, and writes what it rests on. `known` hears of it before files are written, unless it is to be
    /// validated.
    pub fn proof(
        &self,
        proof: &Proof,
        assumed: &BTreeSet<Assumed>,
        budget: &Budget,
        known: impl Fn(Finding),
    ) -> Finding {
        let summary = ProofSummary::of(self.program, proof);
        let undefined_behaviour = undefined_behaviour(self.program, assumed);
        let mut holds = Holds { undefined_behaviour, ..Holds::new(summary) };
        if !self.check.validated {
            known(Finding::Holds(holds.clone()));
        }
        if let Proof::Modular { contracts, .. } = proof {
            holds.contracts = contract_texts(self.program, contracts, Old::Acsl);
        }
        if let (true, Proof::Abstraction { tree, .. }) = (self.check.verbose, proof) {
            holds.predicates = predicates(self.program, tree);
        }
        self.write(holds, Some(proof), budget)
    }

    /// Tells that there is nothing to break, and writes that down.
    pub fn nothing_to_break(&self, because: &str, budget: &Budget) -> Finding {
        let summary = ProofSummary::NothingToBreak { because: because.to_string() };
        self.write(Holds::new(summary), None, budget)
    }

    /// What is reported of a proof that is validated, if that is wanted, and written.
    fn write(&self, mut holds: Holds, proof: Option<&Proof>, budget: &Budget) -> Finding {
        if self.check.validated {
            self.line.phase("validating the proof");
            match self.validated(proof, budget) {
                Ok(how) => holds.validated = Some(how),
                Err(because) => {
                    return Finding::unknown(Cause::NotValidated { proof: holds.proof.to_string(), because });
                }
            }
        }
        holds.files = files::write_proof(self.check, self.wanted, self.program, proof);
        Finding::Holds(holds)
    }

    /// How the validator confirms a proof, or what it says otherwise.
    fn validated(&self, proof: Option<&Proof>, budget: &Budget) -> Result<String, String> {
        let validation =
            validate::examined(self.args, self.wanted, self.program, &SolverChoice::default(), |subject| {
                let text = certificate(self.program, proof, subject.task);
                validate_certificate(subject, &text, budget)
            })?;
        match validation {
            Validation::Confirmed(how) => Ok(how),
            Validation::Rejected(why) => Err(format!("rejected it: {why}")),
            Validation::Unknown(why) => Err(format!("could not decide it: {why}")),
        }
    }
}

/// The predicates that a proof rests on, by loop.
fn predicates(program: &Program, tree: &AbstractTree) -> Vec<LoopPredicate> {
    let by_loop = in_c(program, &tree.predicates).into_iter();
    let flat = by_loop.flat_map(|(place, list)| list.into_iter().map(move |predicate| (place.clone(), predicate)));
    flat.map(|(place, predicate)| LoopPredicate { place, predicate }).collect()
}
