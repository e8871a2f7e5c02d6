//! Facts that a whole set of them shows (Flanagan and Leino 2001).
//!
//! The program is followed once with its loops abstracted and `k` of 0. A fact is assumed where windows open and has to hold
//! where heads are visited, each under a switch; those that a model breaks are switched off, until the rest holds at
//! every visit. Facts come in waves: what an earlier wave has shown stays shown, so that only new ones have to be looked at.

use super::known::Known;
use super::open_question;
use crate::answer::WhyUnknown;
use crate::unroll::Unroller;
use crate::unroll::abstraction::LoopKey;
use plumb_solve::{BitSolver, Limits, Outcome, Solver, Why};
use plumb_term::{Evaluator, Sort, TermId};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;

/// Conflicts for all goals at once; then one goal after the other gets the second number.
const JOINT_CONFLICTS: u64 = 20_000;
const SINGLE_CONFLICTS: u64 = 2_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Believed,
    Shown,
    Dropped,
}

const HOPED: [Status; 2] = [Status::Believed, Status::Shown];

struct Entry {
    key: LoopKey,
    known: Arc<Known>,
    switch: TermId,
    status: Status,
}

/// An exploration with facts.
pub struct Houdini<'p> {
    pub unroller: Unroller<'p>,
    pub solver: BitSolver,
    /// Of the unrolling's axioms, how many the solver has.
    axioms: usize,
    entries: Vec<Entry>,
    /// An entry, and runs that break it.
    goals: Vec<(usize, TermId)>,
    limits: Limits,
}

impl<'p> Houdini<'p> {
    pub fn new(unroller: Unroller<'p>, limits: Limits) -> Houdini<'p> {
        let solver = BitSolver::new();
        Houdini { unroller, solver, axioms: 0, entries: Vec::new(), goals: Vec::new(), limits }
    }

    /// Adds a fact that may turn out to be none.
    pub fn believe(&mut self, key: LoopKey, known: Known) {
        let number = self.entries.len();
        let switch = self.unroller.sym.terms.fresh_symbol("fact", Sort::Bool);
        let known = Arc::new(known);
        self.entries.push(Entry { key, known: known.clone(), switch, status: Status::Believed });
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

    /// A fact that is shown already: of another exploration of the same program.
    pub fn assume_shown(&mut self, key: LoopKey, known: &Known) {
        self.assume(key, known, TermId::bool(true));
    }

    fn assume(&mut self, key: LoopKey, known: &Known, switch: TermId) {
        let Some(abstraction) = &self.unroller.abstraction else { return };
        let openings: Vec<_> = abstraction.openings.iter().filter(|o| o.key == key).collect();
        for opening in openings {
            if let Some(holds) = known.term(&mut self.unroller.sym, &opening.state) {
                let terms = &mut self.unroller.sym.terms;
                let assumed = terms.implies(switch, holds);
                let assumed = terms.implies(opening.open, assumed);
                self.solver.assert(terms, assumed);
            }
        }
    }

    pub fn shown(&self) -> FxHashMap<LoopKey, Vec<Arc<Known>>> {
        let mut facts: FxHashMap<LoopKey, Vec<Arc<Known>>> = FxHashMap::default();
        for entry in self.entries.iter().filter(|e| e.status == Status::Shown) {
            facts.entry(entry.key).or_default().push(entry.known.clone());
        }
        facts
    }

    /// Whether there is a model of a goal with facts of the given kinds.
    fn ask(&mut self, goal: TermId, with: &[Status], conflicts: Option<u64>) -> Outcome {
        for at in self.axioms..self.unroller.sym.axioms.len() {
            let axiom = self.unroller.sym.axioms[at];
            self.solver.assert(&mut self.unroller.sym.terms, axiom);
        }
        self.axioms = self.unroller.sym.axioms.len();
        let on = self.entries.iter().filter(|e| with.contains(&e.status)).map(|e| e.switch);
        let assumptions: Vec<TermId> = on.chain([goal]).collect();
        self.solver.set_limits(Limits { conflicts, ..self.limits.clone() });
        self.solver.check(&mut self.unroller.sym.terms, &assumptions)
    }

    /// Drops facts until those that are left hold at every visit. What is not done by the given time is dropped too.
    /// Gives how many are new.
    pub fn settle(&mut self, until: Option<Instant>) -> Result<usize, WhyUnknown> {
        loop {
            let open: Vec<(usize, TermId)> =
                self.goals.iter().copied().filter(|(e, _)| self.entries[*e].status == Status::Believed).collect();
            if until.is_some_and(|until| Instant::now() >= until) {
                self.drop_believed();
                return Ok(0);
            }
            let any = self.unroller.sym.terms.or_all(open.iter().map(|g| g.1));
            match self.ask(any, &HOPED, Some(JOINT_CONFLICTS)) {
                Outcome::Unsat => break,
                Outcome::Sat => self.drop_broken(&open)?,
                Outcome::Unknown(Why::Conflicts) => {
                    if self.one_by_one(&open, until)? {
                        break;
                    }
                }
                Outcome::Unknown(why) => return Err(open_question(why)),
            }
        }
        self.goals.clear();
        let mut count = 0;
        for entry in self.entries.iter_mut().filter(|e| e.status == Status::Believed) {
            entry.status = Status::Shown;
            count += 1;
        }
        Ok(count)
    }

    /// Goals by themselves: those that take too long are dropped. Whether nothing was.
    fn one_by_one(&mut self, open: &[(usize, TermId)], until: Option<Instant>) -> Result<bool, WhyUnknown> {
        let mut all_hold = true;
        for (entry, broken) in open {
            if self.entries[*entry].status != Status::Believed {
                continue;
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(false);
            }
            match self.ask(*broken, &HOPED, Some(SINGLE_CONFLICTS)) {
                Outcome::Unsat => {}
                Outcome::Sat => {
                    all_hold = false;
                    self.drop_broken(open)?;
                }
                Outcome::Unknown(Why::Conflicts) => {
                    all_hold = false;
                    self.entries[*entry].status = Status::Dropped;
                }
                Outcome::Unknown(why) => return Err(open_question(why)),
            }
        }
        Ok(all_hold)
    }

    fn drop_believed(&mut self) {
        self.goals.clear();
        self.entries.iter_mut().filter(|e| e.status == Status::Believed).for_each(|e| e.status = Status::Dropped);
    }

    /// Drops every fact that the solver's model breaks.
    fn drop_broken(&mut self, open: &[(usize, TermId)]) -> Result<(), WhyUnknown> {
        let no_model = || WhyUnknown::Solver("the solver's model is none".to_string());
        let model = self.solver.model().ok_or_else(no_model)?;
        let mut evaluator = Evaluator::new(model);
        let mut count = 0;
        for (entry, broken) in open {
            let entry = &mut self.entries[*entry];
            if entry.status == Status::Believed && evaluator.holds(&self.unroller.sym.terms, *broken) {
                entry.status = Status::Dropped;
                count += 1;
            }
        }
        if count == 0 { Err(no_model()) } else { Ok(()) }
    }

    /// Whether no check can break and no run can fault, by what is shown.
    pub fn is_safe(&mut self, conflicts: Option<u64>) -> Outcome {
        let sym = &self.unroller.sym;
        let checks = sym.obligations.iter().map(|o| o.broken);
        let others = sym.faults.iter().chain(&sym.gaps).chain(&sym.doubts).copied();
        let goals: Vec<TermId> = checks.chain(others).collect();
        let any = self.unroller.sym.terms.or_all(goals);
        self.ask(any, &[Status::Shown], conflicts)
    }
}
