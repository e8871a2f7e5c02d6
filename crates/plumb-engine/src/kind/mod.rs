//! k-induction over the loop nest, strengthened by facts about loop heads.
//!
//! **Idea.** Loops that do not end by themselves are abstracted ([`crate::unroll::abstraction`]): followed from any turn on,
//! with nothing known but facts. Facts are candidates that held in sample runs ([`facts`]); those that a turn can break
//! are dropped until the rest holds at every entry and survives every turn (the Houdini algorithm of Flanagan and Leino
//! 2001). If then no check can break in a turn, the property holds; else `k` grows (Sheeran, Singh, Stålmarck 2000): a check
//! has to break after `k` turns in which none did.
//!
//! **Soundness.** That of the abstraction, which follows every run; facts are used only after the solver has shown them.
//!
//! **Knobs.** `k` goes up to [`MOST_K`]. Loops are abstracted once they have turned [`PATIENCE`] times otherwise than by
//! constants.

mod facts;
mod said;

use crate::answer::{Answer, Explored, Proof, Unknown, WhyUnknown};
use crate::budget::{Budget, Progress, Watcher};
use crate::unroll::abstraction::{Abstraction, Fact, LoopFacts, LoopKey};
use crate::unroll::{Pause, Unroller};
use facts::{Known, believed};
use plumb_ir::program::Program;
use plumb_solve::{BitSolver, Limits, Outcome, Solver, Why};
use plumb_sym::{Changes, State, Sym};
use plumb_term::{Evaluator, Sort, TermId};
use rustc_hash::FxHashMap;
use said::said;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

const PATIENCE: u32 = 2;
const MOST_K: u32 = 24;
/// Times that an exploration may be done again because it has learned what a loop changes, or met another loop.
const MOST_RESTARTS: u32 = 60;
const TERM_BYTES: u64 = 1024;

pub fn kind(program: &Program, budget: &Budget, watcher: &dyn Watcher) -> Answer {
    let mut prover = Prover {
        program,
        budget,
        watcher,
        started: Instant::now(),
        facts: believed(program, budget),
        loops: FxHashMap::default(),
        steps: 0,
    };
    let why = match prover.prove() {
        Ok(proof) => return Answer::Holds(proof),
        Err(why) => why,
    };
    let why = if budget.cancel.is_cancelled() { WhyUnknown::Cancelled } else { why };
    Answer::Unknown(Unknown { why, explored: Explored { steps: prover.steps, ..Explored::default() } })
}

struct Prover<'a> {
    program: &'a Program,
    budget: &'a Budget,
    watcher: &'a dyn Watcher,
    started: Instant,
    /// Believed at first, shown after the first round.
    facts: FxHashMap<LoopKey, Vec<Arc<Known>>>,
    loops: FxHashMap<LoopKey, Changes>,
    steps: u64,
}

impl<'a> Prover<'a> {
    fn prove(&mut self) -> Result<Proof, WhyUnknown> {
        let mut unroller = self.explore(0, true)?;
        let mut solver = self.solver(&unroller);
        let on = self.houdini(&mut unroller, &mut solver)?;
        if self.is_safe(&mut unroller, &mut solver, &on)? {
            return Ok(self.induction(0));
        }
        for k in 1..=MOST_K {
            let mut unroller = self.explore(k, false)?;
            let mut solver = self.solver(&unroller);
            if self.is_safe(&mut unroller, &mut solver, &[])? {
                return Ok(self.induction(k));
            }
        }
        Err(WhyUnknown::NotInductive(MOST_K))
    }

    /// The proof with what it rests on.
    fn induction(&self, k: u32) -> Proof {
        let facts = |key: &LoopKey| self.facts.get(key).cloned().unwrap_or_default();
        let loops = self.loops.keys().map(|key| (*key, facts(key))).collect();
        let term = |fact: &Arc<Known>, sym: &mut Sym, state: &State| fact.term(sym, state);
        Proof::Induction { k, invariants: Arc::new(said(self.program, loops, term, self.budget)) }
    }

    fn solver(&self, unroller: &Unroller) -> BitSolver {
        let _ = unroller;
        let mut solver = BitSolver::new();
        solver.set_limits(Limits {
            conflicts: None,
            deadline: self.budget.deadline,
            cancel: Some(self.budget.cancel.flag()),
        });
        solver
    }

    /// Follows the program with its loops abstracted until nothing more is learned of them.
    fn explore(&mut self, k: u32, with_switches: bool) -> Result<Unroller<'a>, WhyUnknown> {
        let most_terms = (self.budget.memory / TERM_BYTES).clamp(1 << 16, u32::MAX as u64 / 2) as usize;
        for _ in 0..MOST_RESTARTS {
            let mut unroller = Unroller::new(self.program);
            let mut loops = FxHashMap::default();
            for (key, changes) in &self.loops {
                let known = self.facts.get(key).map(Vec::as_slice).unwrap_or(&[]);
                let facts = known.iter().map(|fact| {
                    let switch = if with_switches {
                        unroller.sym.terms.fresh_symbol("fact", Sort::Bool)
                    } else {
                        TermId::bool(true)
                    };
                    (fact.clone() as Arc<dyn Fact>, switch)
                });
                loops.insert(*key, LoopFacts { facts: facts.collect(), changes: changes.clone() });
            }
            unroller.abstraction =
                Some(Abstraction { k, loops, goals: Vec::new(), has_learned: false, has_failed: false });
            let pause = unroller.unroll(PATIENCE, most_terms, self.budget);
            self.steps += unroller.steps;
            self.watcher.progress(&Progress {
                explored: Explored { steps: self.steps, deepest: k as u64, ..Explored::default() },
                elapsed: self.started.elapsed(),
                kept: 0,
                memory: unroller.sym.terms.heap_bytes() as u64,
            });
            if pause == Pause::Budget {
                return Err(if self.budget.is_over() { WhyUnknown::Timeout } else { WhyUnknown::OutOfMemory });
            }
            let Some(abstraction) = &unroller.abstraction else { return Err(WhyUnknown::NotInductive(k)) };
            if abstraction.has_failed {
                return Err(WhyUnknown::NotInductive(k));
            }
            for (key, known) in &abstraction.loops {
                self.loops.insert(*key, known.changes.clone());
            }
            let mut is_done = !abstraction.has_learned;
            for aside in &unroller.aside {
                // Recursion is not abstracted.
                let Some(key) = aside.at else { return Err(WhyUnknown::NotInductive(k)) };
                is_done = false;
                self.loops.entry(key).or_default();
            }
            if is_done {
                return Ok(unroller);
            }
        }
        Err(WhyUnknown::NotInductive(k))
    }

    /// Drops facts until those that are left hold at every entry and survive every turn. Gives the switches that are on.
    fn houdini(&mut self, unroller: &mut Unroller, solver: &mut BitSolver) -> Result<Vec<TermId>, WhyUnknown> {
        for at in 0..unroller.sym.axioms.len() {
            let axiom = unroller.sym.axioms[at];
            solver.assert(&mut unroller.sym.terms, axiom);
        }
        let Some(abstraction) = &unroller.abstraction else { return Ok(Vec::new()) };
        let goals = abstraction.goals.clone();
        let switches: FxHashMap<LoopKey, Vec<TermId>> = abstraction
            .loops
            .iter()
            .map(|(key, known)| (*key, known.facts.iter().map(|(_, switch)| *switch).collect()))
            .collect();
        let mut dropped: BTreeSet<(LoopKey, usize)> = BTreeSet::new();
        loop {
            let open: Vec<_> = goals.iter().filter(|g| !dropped.contains(&(g.key, g.fact))).collect();
            let mut keys: Vec<&LoopKey> = switches.keys().collect();
            keys.sort();
            let on: Vec<TermId> = keys
                .iter()
                .flat_map(|key| switches[*key].iter().enumerate().map(move |(i, s)| (**key, i, *s)))
                .filter(|(key, i, _)| !dropped.contains(&(*key, *i)))
                .map(|(_, _, switch)| switch)
                .collect();
            let any = unroller.sym.terms.or_all(open.iter().map(|g| g.broken));
            let assumptions: Vec<TermId> = on.iter().copied().chain([any]).collect();
            match solver.check(&mut unroller.sym.terms, &assumptions) {
                Outcome::Unsat => {
                    // Nothing was shown of loops that were not met.
                    self.facts.retain(|key, _| switches.contains_key(key));
                    self.keep(&dropped);
                    return Ok(on);
                }
                Outcome::Sat => {
                    let Some(model) = solver.model() else { return Err(WhyUnknown::Timeout) };
                    let mut evaluator = Evaluator::new(model);
                    let before = dropped.len();
                    for goal in open {
                        if evaluator.holds(&unroller.sym.terms, goal.broken) {
                            dropped.insert((goal.key, goal.fact));
                        }
                    }
                    if dropped.len() == before {
                        return Err(WhyUnknown::Solver("the solver's model is none".to_string()));
                    }
                }
                Outcome::Unknown(why) => return Err(open_question(why)),
            }
        }
    }

    /// Forgets the facts that were dropped.
    fn keep(&mut self, dropped: &BTreeSet<(LoopKey, usize)>) {
        for (key, facts) in &mut self.facts {
            let mut at = 0;
            facts.retain(|_| {
                at += 1;
                !dropped.contains(&(*key, at - 1))
            });
        }
    }

    /// Whether no check can break and no run can fault.
    fn is_safe(&mut self, unroller: &mut Unroller, solver: &mut BitSolver, on: &[TermId]) -> Result<bool, WhyUnknown> {
        if on.is_empty() {
            for at in 0..unroller.sym.axioms.len() {
                let axiom = unroller.sym.axioms[at];
                solver.assert(&mut unroller.sym.terms, axiom);
            }
        }
        let goals: Vec<TermId> = unroller.sym.obligations.iter().map(|o| o.broken).collect();
        let sym = &unroller.sym;
        let others = sym.faults.iter().chain(&sym.gaps).chain(&sym.doubts).copied();
        let goals: Vec<TermId> = goals.into_iter().chain(others).collect();
        let any = unroller.sym.terms.or_all(goals);
        let assumptions: Vec<TermId> = on.iter().copied().chain([any]).collect();
        match solver.check(&mut unroller.sym.terms, &assumptions) {
            Outcome::Unsat => Ok(true),
            Outcome::Sat => Ok(false),
            Outcome::Unknown(why) => Err(open_question(why)),
        }
    }
}

fn open_question(why: Why) -> WhyUnknown {
    match why {
        Why::Cancelled => WhyUnknown::Cancelled,
        Why::Time => WhyUnknown::Timeout,
        Why::Conflicts | Why::Unsupported(_) | Why::Process(_) => WhyUnknown::Solver(why.to_string()),
    }
}
