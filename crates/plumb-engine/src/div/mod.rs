//! Proofs with contracts that are inferred from runs and proved, function by function.
//!
//! **Idea.** Functions from which no check can be reached are replaced by contracts; the smaller program is checked. A
//! counterexample that the original does not have shows calls that a contract allows and the function does not make. Facts are
//! inferred from runs of the function, its entry states are partitioned by them, and what can be proved of the function alone becomes
//! part of its contract (Yeolekar, Unadkat: "Assertion Checking using Dynamic Inference", Algorithm 1).
//!
//! **Where this differs.** Candidates are also what excludes the counterexample's path, over the values of one call. Partitions are
//! by conditions of the program, signs and orders, few by a greedy cover, instead of by all facts about the inputs. A recursive
//! function is proved with its own contract for its inner calls. A unit about which nothing can be said runs its original again.
//!
//! **Soundness.** Nothing inferred is trusted: the answer is a proof only if every unit that has a contract is proved (with
//! its contract, be that empty) and so is the program with contracts ([`plumb_contract`] has the argument). What these proofs
//! assume, the whole proof assumes. A violation is a run of the original, replayed.
//!
//! **Progress.** Every false alarm strengthens a contract so that one of its calls is excluded, if need be by a pair for one entry
//! state, or takes a contract back.
//!
//! ```text
//!   units          the functions, and the scalars that contracts speak of
//!   specification  contract and partition of one unit        runs       samples of it
//!   language       what its contract can say                 formula    facts as terms
//!   conditions     what branches compare                     claims     facts of others, proved
//!   decide         one program, by the engines in turn       prove      contracts of one unit
//!   alarm          a run with contracts on the machine       excluded   what excludes its path
//!   blame          which contracts a false alarm needs       exchange   what other engines can use
//!   invariants     facts of others about locations, proved
//!   partition      entry states that belong together         refine     a stronger contract against a false alarm
//!   questions      what formulas imply, asked of the solver  table      calls of a recursive unit, one by one
//!   tuning         knobs
//! ```

mod alarm;
mod blame;
pub mod claims;
pub mod conditions;
mod decide;
mod exchange;
mod excluded;
mod formula;
pub mod invariants;
mod language;
mod partition;
mod prove;
mod questions;
mod refine;
mod runs;
mod specification;
mod table;
#[cfg(test)]
mod tests;
mod tuning;
mod units;

use crate::answer::{Answer, Explored, Proof, Unknown, Violation, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Watcher};
use crate::engine::{About, Answers, Context, Engine, Options, Schedule, Task};
use crate::filter::{Filtered, filter, replay_on_original};
use crate::replay::realise::Realiser;
use alarm::{Alarm, retrace};
use blame::with_few_contracts;
use decide::{DecideOptions, OfProgram, decide_alternating, decide_original, part};
use excluded::SymbolicPath;
use plumb_contract::{Contract, Summarised, assumed_home, summarised, unbounded_stack};
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::{Made, Origin};
use plumb_ir::program::FuncId;
use plumb_sym::{Assumed, FaultKind};
use prove::Prover;
use refine::{Blamed, enrich, refine};
use specification::{Shown, Specification};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;
use tuning::TUNING;
use units::Units;

pub struct Div;

impl Engine for Div {
    fn about(&self) -> About {
        About {
            name: exchange::NAME,
            help: "contracts of functions, inferred from runs and proved one by one, in place of the functions",
            answers: Answers::Both,
            parameter: None,
            schedule: Schedule { ends_first: Some(2), ..Schedule::default() },
        }
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[("--unwind", "none")]
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        let analyses = &*task.analyses;
        let unknown = |why| Answer::Unknown(Unknown { why, explored: Explored::default() });
        // A contract speaks of what one stack does between a call and its return.
        if analyses.program().has_stacks() {
            return unknown(WhyUnknown::Stacks);
        }
        let units = Units::of(analyses);
        if let Some(why) = units.reason(analyses.program()) {
            return unknown(WhyUnknown::NotApplicable(format!("no function can be replaced by a contract: {why}")));
        }
        // Other engines follow calls, but not for ever.
        let calls = analyses.resolved_calls();
        if !context.is_alone && !units.list.iter().any(|unit| calls.is_recursive(unit.func)) {
            return unknown(WhyUnknown::NotApplicable(
                "next to other engines only recursive functions are replaced by contracts, and there is none (use --engine div)"
                    .to_string(),
            ));
        }
        Checker::new(analyses, units, &task.options, context).run()
    }
}

/// Whether a reason is about runs that the program has, rather than about what the search could not do.
fn rests_on_runs(why: &WhyUnknown) -> bool {
    matches!(
        why,
        WhyUnknown::Unsupported(_)
            | WhyUnknown::Faults(_)
            | WhyUnknown::Gap(_)
            | WhyUnknown::OutsidePointer(_)
            | WhyUnknown::Fault(..)
            | WhyUnknown::NotReplayed(..)
            | WhyUnknown::LooseModel(_)
    )
}

struct Checker<'a> {
    analyses: &'a Analyses,
    options: &'a Options,
    budget: &'a Budget,
    board: &'a Board,
    watcher: &'a dyn Watcher,
    realiser: Realiser<'a>,
    /// Of the units whose calls run contracts.
    specifications: BTreeMap<FuncId, Specification>,
    refinements: u32,
    started: Instant,
    /// Nobody else looks at the original.
    is_alone: bool,
}

/// What an alarm leads to.
enum Judged {
    Violated(Violation),
    /// The contracts are others now.
    Refined,
}

impl<'a> Checker<'a> {
    fn new(analyses: &'a Analyses, units: Units, options: &'a Options, context: &Context<'a>) -> Checker<'a> {
        let Context { budget, board, watcher, .. } = *context;
        let specifications = units.list.into_iter().filter_map(|unit| {
            let func = unit.func;
            Some((func, Specification::new(analyses, unit)?))
        });
        Checker {
            analyses,
            options,
            budget,
            board,
            watcher,
            realiser: Realiser::new(analyses.program()),
            specifications: specifications.collect(),
            refinements: 0,
            started: Instant::now(),
            is_alone: context.is_alone,
        }
    }

    fn run(mut self) -> Answer {
        self.check()
    }

    /// The answer, and how often contracts were refined for it.
    #[cfg(test)]
    fn run_counted(mut self) -> (Answer, u32) {
        (self.check(), self.refinements)
    }

    fn check(&mut self) -> Answer {
        self.keep_provable();
        loop {
            if self.budget.is_over() {
                return self.unknown(WhyUnknown::Timeout);
            }
            exchange::post(self.board, self.analyses, &mut self.specifications);
            if let Some(answer) = self.without_contracts() {
                return answer;
            }
            let contracts = self.contracts();
            let summarised = match summarised(self.analyses, &contracts) {
                Ok(summarised) => summarised,
                // Defects must not end in a wrong program.
                Err(why) => return self.unknown(WhyUnknown::CannotRun(why)),
            };
            let decide_options =
                if contracts.is_empty() { self.decide_options() } else { self.decide_options().of_derived() };
            let with_contracts = &Analyses::new(&summarised.derived.program);
            let original = (self.is_alone && !contracts.is_empty()).then(|| (self.analyses, self.decide_options()));
            let answer = match decide_alternating(with_contracts, decide_options, original, self.budget) {
                OfProgram::WithContracts(answer) => answer,
                OfProgram::Original(answer) => return answer,
            };
            match answer {
                Answer::Holds(proof, assumed) if contracts.is_empty() => return Answer::Holds(proof, assumed),
                Answer::Holds(proof, assumed) => match self.modular(&summarised, contracts, proof, &assumed) {
                    Some(answer) => return answer,
                    None => self.keep_provable(),
                },
                Answer::Violated(violation) => match self.judge(&summarised, &violation) {
                    Judged::Violated(violation) => return Answer::Violated(violation),
                    Judged::Refined => {}
                },
                Answer::Unknown(Unknown { why: WhyUnknown::Bound(bound), explored }) => {
                    let why = WhyUnknown::Bound(self.bound().map_or(bound, |of_units| of_units.min(bound)));
                    return Answer::Unknown(Unknown { why, explored });
                }
                Answer::Unknown(unknown) if contracts.is_empty() || !rests_on_runs(&unknown.why) => {
                    return Answer::Unknown(unknown);
                }
                Answer::Unknown(unknown) => self.give_back_for(&summarised, &unknown.why),
            }
        }
    }

    /// The answer for the original, where contracts have been refined often: as much time as a part of that took. What is small is decided
    /// sooner than described.
    fn without_contracts(&self) -> Option<Answer> {
        let is_due = self.is_alone && self.refinements >= TUNING.refinements_alone;
        if !is_due || self.specifications.is_empty() {
            return None;
        }
        decide_original(
            self.analyses,
            self.decide_options(),
            &part(self.budget, self.started.elapsed() / TUNING.original_share),
        )
    }

    /// Takes back what allows a run that the program with contracts has and that no proof gets past: the contract that it is in, or
    /// all of them. The original may have no such run, and if it has one, the reason has to be about the original.
    fn give_back_for(&mut self, summarised: &Summarised, why: &WhyUnknown) {
        let provenance = &summarised.derived.provenance;
        let at = match why {
            WhyUnknown::Faults(Some(Assumed { site: Some(site), .. })) => Some((site.func, site.edge)),
            WhyUnknown::Gap(Some(site)) => Some((site.func, site.edge)),
            _ => None,
        };
        let made = match (why, at) {
            (WhyUnknown::Unsupported(check), _) => match provenance.check(*check) {
                Origin::Made(made) => Some(made),
                Origin::Original(_) => None,
            },
            (_, Some((func, edge))) => match provenance.edge(func, edge) {
                Origin::Made(made) => Some(made),
                Origin::Original(_) => None,
            },
            _ => None,
        };
        match made {
            Some(Made::Summary(func)) if self.specifications.contains_key(&func) => self.give_back(func),
            _ => self.specifications.clear(),
        }
        self.keep_provable();
    }

    fn decide_options(&self) -> DecideOptions {
        DecideOptions::of(self.options)
    }

    /// The bound up to which the units were looked at; `None` if all are proved.
    fn bound(&self) -> Option<u32> {
        let shown = self.specifications.values().filter_map(|one| Some(&one.proof.as_ref()?.shown));
        let bounds = shown.filter_map(|shown| match shown {
            Shown::UpTo(bound) => Some(*bound),
            Shown::Proof(_) => None,
        });
        bounds.min()
    }

    /// Takes back the contracts of units of which not even the empty contract can be proved: they do something that is not
    /// modelled, or the state that they are called in cannot be built.
    fn keep_provable(&mut self) {
        let _span = tracing::info_span!("units").entered();
        // Callees first, so that a unit meets the contracts that are in use.
        let order: Vec<FuncId> = self.analyses.resolved_calls().bottom_up().to_vec();
        let mut changed = true;
        while changed && !self.budget.is_over() {
            changed = false;
            for func in &order {
                let others = self.contracts_but(*func);
                let prover = Prover::new(self.analyses, self.decide_options(), self.budget);
                let Some(specification) = self.specifications.get_mut(func).filter(|one| one.proof.is_none()) else {
                    continue;
                };
                specification.proof = prover.prove_as_is(&mut specification.language, &specification.pairs, &others);
                if specification.proof.is_none() {
                    self.give_back(*func);
                    changed = true;
                }
            }
        }
        self.watcher.phase(&format!("{} units", self.specifications.len()));
    }

    /// Calls of the unit run the original again. Proofs that rest on its contract are to be made anew.
    fn give_back(&mut self, func: FuncId) {
        self.specifications.remove(&func);
        for (other, specification) in &mut self.specifications {
            if self.analyses.resolved_calls().reachable(*other).contains(&func) {
                specification.proof = None;
            }
        }
    }

    fn contracts(&mut self) -> Vec<Contract> {
        self.specifications.values_mut().map(Specification::contract).collect()
    }

    fn contracts_but(&mut self, func: FuncId) -> Vec<Contract> {
        let others = self.specifications.iter_mut().filter(|(other, _)| **other != func);
        others.map(|(_, specification)| specification.contract()).collect()
    }

    /// The proof of the whole, if all parts are proved and what they assume is about the original. Where a unit cannot be proved with the
    /// contracts of the others, its calls run the original from now on.
    fn modular(
        &mut self,
        summarised: &Summarised,
        contracts: Vec<Contract>,
        top: Proof,
        assumed: &BTreeSet<Assumed>,
    ) -> Option<Answer> {
        let mut all = assumed_home(self.analyses.program(), &summarised.derived.provenance, assumed);
        self.prove_with_final_contracts(&contracts);
        if let Some((func, _)) = self.specifications.iter().find(|(_, one)| one.proof.is_none()) {
            if self.budget.is_over() {
                return Some(self.unknown(WhyUnknown::Timeout));
            }
            self.give_back(*func);
            return None;
        }
        let mut units = Vec::new();
        for (func, specification) in &self.specifications {
            let of_unit = specification.proof.as_ref()?;
            let proof = match &of_unit.shown {
                Shown::Proof(proof) => proof.clone(),
                Shown::UpTo(bound) => {
                    let bound = self.bound().unwrap_or(*bound);
                    return Some(self.unknown(WhyUnknown::Bound(bound)));
                }
            };
            all.extend(of_unit.assumed.iter().copied());
            units.push((*func, proof));
        }
        if let Some(func) = unbounded_stack(self.analyses, &contracts) {
            // Nothing in a unit knows how much of the stack its callers have left.
            if self.options.strict {
                return Some(self.unknown(WhyUnknown::Recursion(func)));
            }
            all.insert(Assumed { site: None, kind: FaultKind::StackOverflow });
        }
        tracing::info!(contracts = contracts.len(), refinements = self.refinements);
        let proof = Proof::Modular { contracts: Arc::new(contracts), units, top: Box::new(top) };
        Some(Answer::Holds(proof, all))
    }

    /// Units that call units were proved with contracts of those that may have changed since.
    fn prove_with_final_contracts(&mut self, contracts: &[Contract]) {
        let calls = self.analyses.resolved_calls();
        let has_contract = |func: &FuncId| contracts.iter().any(|contract| contract.func == *func);
        let decide_options = self.decide_options();
        for (func, specification) in &mut self.specifications {
            if calls.reachable(*func).iter().any(|callee| callee != func && has_contract(callee)) {
                let prover = Prover::new(self.analyses, decide_options, self.budget);
                let others: Vec<Contract> = contracts.iter().filter(|other| other.func != *func).cloned().collect();
                specification.proof = prover.prove_again(&mut specification.language, &specification.pairs, &others);
            }
        }
    }

    /// Finds out what an alarm is, and refines if it is a false one.
    fn judge(&mut self, summarised: &Summarised, violation: &Violation) -> Judged {
        tracing::info!(alarms = 1);
        let provenance = &summarised.derived.provenance;
        let slice = part(self.budget, TUNING.filter_slice);
        if let Some(real) = replay_on_original(&mut self.realiser, provenance, violation, &slice) {
            return Judged::Violated(real);
        }
        exchange::post_states(self.board, self.analyses, summarised, violation);
        let contracts = self.contracts();
        let few = with_few_contracts(self.analyses, &contracts, (summarised, violation), self.budget);
        let (summarised, violation) = few.as_ref().map_or((summarised, violation), |few| (&few.0, &few.1));
        let Some(alarm) = retrace(summarised, violation, self.budget) else {
            self.specifications.clear();
            return Judged::Refined;
        };
        if self.is_cheap_path(&alarm) {
            let _span = tracing::info_span!("filter").entered();
            let slice = part(self.budget, TUNING.filter_slice);
            if let Filtered::True(violation) = filter(self.analyses.program(), &alarm.path, &mut self.realiser, &slice)
            {
                return Judged::Violated(violation);
            }
        }
        self.refine(summarised, violation, &alarm);
        Judged::Refined
    }

    /// Whether the originals of the contracts that were used end soon, so that the path can be solved with them.
    fn is_cheap_path(&self, alarm: &Alarm) -> bool {
        let used: BTreeSet<FuncId> = alarm.uses.iter().map(|one| one.func).collect();
        !used.into_iter().any(|func| self.analyses.runs_long(func))
    }

    /// Strengthens the contracts that are to blame, or takes them back.
    fn refine(&mut self, summarised: &Summarised, violation: &Violation, alarm: &Alarm) {
        let _span = tracing::info_span!("refine").entered();
        self.refinements += 1;
        tracing::info!(refinements = 1);
        let mut path = SymbolicPath::follow(summarised, violation);
        let mut by_unit: BTreeMap<FuncId, Blamed> = BTreeMap::new();
        for (number, one) in alarm.uses.iter().enumerate() {
            let Some(specification) = self.specifications.get_mut(&one.func) else { continue };
            let blamed = by_unit.entry(one.func).or_default();
            blamed.note(self.analyses, specification, &one.values);
            if let Some(path) = &mut path {
                blamed.candidates.extend(path.clauses(number, one, &mut specification.language));
            }
        }
        let mut is_refined = false;
        for (func, blamed) in by_unit.iter().filter(|(_, blamed)| blamed.is_spurious()) {
            self.enrich_callees(*func);
            let others = self.contracts_but(*func);
            let budget = self.share(*func);
            let prover = Prover::new(self.analyses, self.decide_options(), &budget);
            let Some(specification) = self.specifications.get_mut(func) else { continue };
            self.watcher.phase(&format!("refinement {}: {}", self.refinements, specification.unit.name));
            if !specification.is_spent(0) && refine(&prover, specification, blamed, &others) {
                is_refined = true;
            } else if !self.budget.is_over() {
                self.give_back(*func);
                is_refined = true;
            }
        }
        if !is_refined && !self.budget.is_over() {
            // Every call is one that its unit makes, and the run is none of the original: values from outside are to blame, or
            // what the machine settles. The originals ask for them.
            by_unit.keys().for_each(|func| self.give_back(*func));
            if by_unit.is_empty() {
                self.specifications.clear();
            }
        }
        self.keep_provable();
    }

    /// The time to refine a unit: little where the original costs little.
    fn share(&self, func: FuncId) -> Budget {
        let left = self.budget.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        match left {
            Some(left) if !self.analyses.runs_long(func) => part(self.budget, left / TUNING.short_share),
            Some(_) | None => self.budget.clone(),
        }
    }

    /// Infers contracts of units that a unit calls, where they promise nothing: it is proved with these.
    fn enrich_callees(&mut self, func: FuncId) {
        let called = self.analyses.resolved_calls().reachable(func);
        let is_open =
            |callee: &&FuncId| **callee != func && self.specifications.get(callee).is_some_and(|s| s.is_trivial());
        for callee in called.iter().filter(is_open).copied().collect::<Vec<_>>() {
            let others = self.contracts_but(callee);
            let prover = Prover::new(self.analyses, self.decide_options(), self.budget);
            if let Some(specification) = self.specifications.get_mut(&callee).filter(|one| one.attempts == 0) {
                enrich(&prover, specification, &others);
            }
        }
    }

    fn unknown(&self, why: WhyUnknown) -> Answer {
        Answer::Unknown(Unknown { why, explored: Explored::default() })
    }
}
