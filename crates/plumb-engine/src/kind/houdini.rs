//! The largest inductive subset of candidate invariants (Houdini: Flanagan and Leino 2001).
//!
//! The program is explored once with its loops abstracted and `k` of 0. A candidate is assumed where inductive steps begin and
//! has to hold where heads are visited, each under a switch; those that a model violates are switched off, until the others
//! hold at every visit. Candidates come in waves: what an earlier wave has proved stays proved, so that only new ones have to be
//! asked about.

use super::strengthen::Counterexample;
use super::tuning::TUNING;
use crate::answer::WhyUnknown;
use crate::budget::Budget;
use crate::facts::Samples;
use crate::facts::{Fact, Quantity};
use crate::query::QuerySolver;
use crate::unroll::Unroller;
use plumb_ir::analysis::loops::LoopKey;
use plumb_solve::{BitSolver, Outcome, Solver, Why};
use plumb_sym::{Assumed, split_faults};
use plumb_term::{Evaluator, Sort, TermId, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Candidate,
    Proved,
    Dropped,
}

/// The result of a query about all candidates.
pub enum Round {
    Holds,
    /// The solver has a model that violates these.
    Broken(BTreeSet<usize>),
    /// Queries about these are too hard.
    Hard(BTreeSet<usize>),
    OutOfTime,
}

struct Entry {
    key: LoopKey,
    known: Arc<Fact>,
    switch: TermId,
    status: Status,
}

/// An exploration with candidates and invariants.
pub struct Houdini<'p> {
    pub unroller: Unroller<'p>,
    queries: QuerySolver,
    entries: Vec<Entry>,
    /// An entry, and runs that violate it.
    goals: Vec<(usize, TermId)>,
    /// The goal that the next round begins with.
    cursor: usize,
    pub budget: Budget,
    /// Faults may not be assumed away.
    pub strict: bool,
}

impl<'p> Houdini<'p> {
    pub fn new(unroller: Unroller<'p>, strict: bool, budget: &Budget) -> Houdini<'p> {
        let mut solver = BitSolver::new();
        for (name, value) in TUNING.sat_options {
            solver.set_sat_option(name, value);
        }
        let (queries, budget) = (QuerySolver::new(solver), budget.clone());
        Houdini { unroller, queries, entries: Vec::new(), goals: Vec::new(), cursor: 0, budget, strict }
    }

    /// Whether a loop is abstracted here. Another exploration, with another `k`, may unwind what this one abstracts.
    pub fn is_abstract(&self, key: LoopKey) -> bool {
        self.unroller.abstraction.as_ref().is_some_and(|abstraction| abstraction.loops.contains_key(&key))
    }

    /// Adds a candidate about a loop that is abstracted here. Of others nothing can be proved: their heads are not visited, and
    /// a candidate that is asked about nowhere would be an invariant.
    pub fn add_candidate(&mut self, key: LoopKey, known: Fact) {
        if !self.is_abstract(key) {
            return;
        }
        tracing::info!(candidates = 1u64);
        let number = self.entries.len();
        let switch = self.unroller.sym.terms.fresh_symbol("fact", Sort::Bool);
        let known = Arc::new(known);
        self.entries.push(Entry { key, known: known.clone(), switch, status: Status::Candidate });
        self.assume(key, &known, switch);
        let Some(abstraction) = &self.unroller.abstraction else { return };
        let visits: Vec<_> = abstraction.visits.iter().filter(|v| v.key == key).collect();
        for visit in visits {
            let broken = match known.term(&mut self.unroller.sym, &visit.state) {
                Some(holds) => {
                    let fails = self.unroller.sym.terms.not(holds);
                    self.unroller.sym.terms.and(visit.reached, fails)
                }
                None => visit.reached,
            };
            if broken != TermId::bool(false) {
                self.goals.push((number, broken));
            }
        }
    }

    /// Makes what was dropped a candidate again, where it may hold.
    pub fn retry_dropped(&mut self, may_hold: impl Fn(LoopKey, &Fact) -> bool) {
        let dropped = self.entries.iter().filter(|e| e.status == Status::Dropped && may_hold(e.key, &e.known));
        let list: Vec<(LoopKey, Fact)> = dropped.map(|e| (e.key, (*e.known).clone())).collect();
        list.into_iter().for_each(|(key, known)| self.add_candidate(key, known));
    }

    /// Assumes a fact where a switch is on. One that another exploration of the same program has proved needs none.
    pub fn assume(&mut self, key: LoopKey, known: &Fact, switch: TermId) {
        let Some(abstraction) = &self.unroller.abstraction else { return };
        let havocs: Vec<_> = abstraction.havocs.iter().filter(|o| o.key == key).collect();
        for havoc in havocs {
            if let Some(holds) = known.term(&mut self.unroller.sym, &havoc.state) {
                let terms = &mut self.unroller.sym.terms;
                let assumed = terms.implies(switch, holds);
                let assumed = terms.implies(havoc.open, assumed);
                self.queries.solver.assert(terms, assumed);
            }
        }
    }

    /// Whether an invariant excludes a state.
    pub fn excludes(&self, key: LoopKey, values: &FxHashMap<Quantity, u128>) -> bool {
        let get = |q: Quantity| values.get(&q).copied();
        let proved = self.entries.iter().filter(|e| e.status == Status::Proved && e.key == key);
        proved.into_iter().any(|e| e.known.holds(&get) == Some(false))
    }

    pub fn proved(&self) -> FxHashMap<LoopKey, Vec<Arc<Fact>>> {
        let mut facts: FxHashMap<LoopKey, Vec<Arc<Fact>>> = FxHashMap::default();
        for entry in self.entries.iter().filter(|e| e.status == Status::Proved) {
            facts.entry(entry.key).or_default().push(entry.known.clone());
        }
        facts
    }

    /// Whether a goal and a condition are satisfiable together.
    fn ask(&mut self, goal: TermId, condition: TermId, conflicts: Option<u64>) -> Outcome {
        self.queries.check(&mut self.unroller.sym, &[condition, goal], conflicts, &self.budget)
    }

    /// All candidates switched on, as one term: a solver is slow with thousands of assumptions.
    fn all_on(&mut self) -> TermId {
        let is_on = |e: &Entry| if e.status == Status::Candidate { e.switch } else { TermId::bool(true) };
        let list: Vec<TermId> = self.entries.iter().map(is_on).collect();
        balanced(&list, &mut |a, b| self.unroller.sym.terms.and(a, b)).unwrap_or(TermId::bool(true))
    }

    /// An invariant is on for good, a dropped candidate is off.
    fn fix(&mut self, entry: usize, status: Status) {
        let entry = &mut self.entries[entry];
        entry.status = status;
        let terms = &mut self.unroller.sym.terms;
        let fixed = if status == Status::Proved { entry.switch } else { terms.not(entry.switch) };
        self.queries.solver.assert(terms, fixed);
    }

    /// Drops candidates until those that are left are inductive: a fixpoint. When the time is over, hard ones are dropped and
    /// the others get half as much again; what is not decided then is dropped too. Gives how many were proved.
    pub fn fixpoint(&mut self, mut until: Option<Instant>) -> Result<usize, WhyUnknown> {
        let _span = tracing::info_span!("proving candidates").entered();
        let started = Instant::now();
        let mut is_extended = false;
        loop {
            match self.try_round(until)? {
                Round::Holds => return Ok(self.fix_candidates(Status::Proved)),
                Round::Broken(list) | Round::Hard(list) => self.drop_all(&list),
                Round::OutOfTime if !is_extended => {
                    is_extended = true;
                    let is_hard =
                        |e: &usize| self.entries[*e].status == Status::Candidate && self.entries[*e].known.is_hard();
                    let hard: BTreeSet<usize> = (0..self.entries.len()).filter(is_hard).collect();
                    self.drop_all(&hard);
                    until = Some(Instant::now() + started.elapsed() / 2);
                }
                Round::OutOfTime => {
                    self.fix_candidates(Status::Dropped);
                    return Ok(0);
                }
            }
        }
    }

    /// Whether all candidates hold at every visit.
    pub fn try_round(&mut self, until: Option<Instant>) -> Result<Round, WhyUnknown> {
        let is_out_of_time = || until.is_some_and(|until| Instant::now() >= until);
        if is_out_of_time() {
            return Ok(Round::OutOfTime);
        }
        let goals: Vec<(usize, TermId)> = self.goals.clone();
        let is_candidate = |this: &Self, entry: usize| this.entries[entry].status == Status::Candidate;
        let open: Vec<(usize, TermId)> =
            goals.iter().copied().filter(|(entry, _)| is_candidate(self, *entry)).collect();
        let all_on = self.all_on();
        // Those before the cursor were asked about last. They are asked again: what was dropped since may have implied them.
        let cursor = self.cursor.min(goals.len());
        let mut ranges = vec![0..cursor, cursor..goals.len()];
        while let Some(range) = ranges.pop() {
            if is_out_of_time() {
                return Ok(Round::OutOfTime);
            }
            let violated = |(entry, goal): &(usize, TermId)| match is_candidate(self, *entry) {
                true => *goal,
                false => TermId::bool(false),
            };
            let list: Vec<TermId> = goals[range.clone()].iter().map(violated).collect();
            let any = balanced(&list, &mut |a, b| self.unroller.sym.terms.or(a, b)).unwrap_or(TermId::bool(false));
            if any == TermId::bool(false) {
                continue;
            }
            match self.ask(any, all_on, Some(conflicts(range.len()))) {
                Outcome::Unsat => {}
                Outcome::Sat => {
                    self.cursor = range.start;
                    return self.broken(&open).map(Round::Broken);
                }
                Outcome::Unknown(Why::Conflicts) if range.len() == 1 => {
                    self.cursor = range.start;
                    return Ok(Round::Hard(BTreeSet::from([goals[range.start].0])));
                }
                Outcome::Unknown(Why::Conflicts) => {
                    let middle = range.start + range.len().next_power_of_two() / 2;
                    ranges.extend([middle..range.end, range.start..middle]);
                }
                Outcome::Unknown(why) => return Err(why.into()),
            }
        }
        self.cursor = 0;
        Ok(Round::Holds)
    }

    pub fn drop_all(&mut self, list: &BTreeSet<usize>) {
        list.iter().for_each(|entry| self.fix(*entry, Status::Dropped));
    }

    /// Gives all candidates a status, and how many there are.
    pub fn fix_candidates(&mut self, status: Status) -> usize {
        self.goals.clear();
        self.cursor = 0;
        let list: Vec<usize> =
            (0..self.entries.len()).filter(|e| self.entries[*e].status == Status::Candidate).collect();
        list.iter().for_each(|entry| self.fix(*entry, status));
        list.len()
    }

    /// The candidates that the solver's model violates.
    fn broken(&self, open: &[(usize, TermId)]) -> Result<BTreeSet<usize>, WhyUnknown> {
        let holds = self
            .queries
            .truths(&self.unroller.sym, open.iter().map(|(_, goal)| *goal))
            .ok_or_else(WhyUnknown::wrong_model)?;
        let broken: BTreeSet<usize> =
            open.iter().zip(holds).filter(|(_, holds)| *holds).map(|((entry, _), _)| *entry).collect();
        if broken.is_empty() { Err(WhyUnknown::wrong_model()) } else { Ok(broken) }
    }

    /// After a satisfiable query: the states at the first heads of inductive steps that the model's run goes through.
    pub fn counterexamples(&mut self, samples: &Samples) -> Vec<Counterexample> {
        let Some(abstraction) = &self.unroller.abstraction else { return Vec::new() };
        let mut asked = Vec::new();
        for havoc in &abstraction.havocs {
            let Some(seen) = samples.heads.get(&havoc.key) else { continue };
            let mut terms = Vec::new();
            for quantity in &seen.quantities {
                if let Some(term) = quantity.term(&mut self.unroller.sym, &havoc.state) {
                    terms.push((*quantity, term));
                }
            }
            asked.push((havoc.key, havoc.state.path.term(), terms));
        }
        let Some(model) = self.queries.solver.model() else { return Vec::new() };
        let mut evaluator = Evaluator::new(model);
        let terms = &self.unroller.sym.terms;
        let mut counterexamples: Vec<Counterexample> = Vec::new();
        for (key, path, list) in asked {
            if !evaluator.holds(terms, path) {
                continue;
            }
            let mut values = FxHashMap::default();
            for (quantity, term) in list {
                if let Value::Bv(bits) = evaluator.value(terms, term) {
                    values.insert(quantity, bits.to_u128().unwrap_or(0));
                }
            }
            counterexamples.push(Counterexample { key, values });
        }
        counterexamples
    }

    /// Whether the invariants exclude every violation, and every state of the frontier, in runs without faults that may be
    /// assumed away.
    pub fn is_safe(&mut self, conflicts: Option<u64>) -> Outcome {
        let log = &self.unroller.log;
        let checks = log.obligations.iter().map(|o| o.broken);
        let (_, faults) = split_faults(&log.faults, self.strict);
        let faults = faults.iter().map(|fault| fault.when);
        let mut goals: Vec<TermId> = checks.chain(faults).chain(log.unknowns()).collect();
        // Loops that others have bounded were unwound so far: no run may go further.
        for stopped in &self.unroller.frontier {
            let sound = self.unroller.sym.terms.not(stopped.run.state.fault);
            goals.push(self.unroller.sym.terms.and(stopped.run.state.path.term(), sound));
        }
        let any = self.unroller.sym.terms.or_all(goals);
        self.ask(any, TermId::bool(true), conflicts)
    }

    /// The faults that a proof assumes not to happen.
    pub fn assumed(&mut self) -> BTreeSet<Assumed> {
        let (assumable, _) = split_faults(&self.unroller.log.faults, self.strict);
        self.queries.feasible_faults(&mut self.unroller.sym, &assumable, TUNING.fault_conflicts, &self.budget)
    }

    /// Whether the assumptions exclude every run.
    pub fn is_vacuous(&mut self) -> bool {
        let (assumable, _) = split_faults(&self.unroller.log.faults, self.strict);
        self.queries.are_unavoidable(&mut self.unroller.sym, &assumable, TUNING.fault_conflicts, &self.budget)
    }
}

/// Conflicts of a query about so many goals at once. Most need none; where one needs many, it is found by halving.
fn conflicts(goals: usize) -> u64 {
    (TUNING.single_conflicts / (1 + goals.ilog2() as u64)).max(TUNING.least_conflicts)
}

/// Joins a list pairwise. Where few members differ from those of another list, so do few of the terms.
fn balanced(list: &[TermId], join: &mut dyn FnMut(TermId, TermId) -> TermId) -> Option<TermId> {
    match list {
        [] => None,
        [one] => Some(*one),
        _ => {
            let middle = list.len().next_power_of_two() / 2;
            let (left, right) = (balanced(&list[..middle], join)?, balanced(&list[middle..], join)?);
            Some(join(left, right))
        }
    }
}

#[cfg(test)]
mod tests;
