//! k-induction over the loop nest, strengthened by facts about loop heads.
//!
//! **Idea.** Loops that do not end by themselves are abstracted ([`crate::unroll::abstraction`]): followed from any turn on,
//! with nothing known but facts. Facts are candidates that held in sample runs or that abstract interpretation found; those
//! that a turn can break are dropped until the rest holds at every entry and survives every turn (the Houdini algorithm of
//! Flanagan and Leino 2001). If then no check can break in a turn, the property holds. Else facts are looked for that
//! exclude the states from which one breaks, and `k` grows (Sheeran, Singh, Stålmarck 2000): a check has to break after
//! `k` turns in which none did.
//!
//! ```text
//!   houdini      which of the candidates hold
//!   said         those that were shown, for others to read
//!   strengthen   more candidates, against states that should not be
//! ```
//!
//! **Soundness.** That of the abstraction, which follows every run; facts are used only after the solver has shown them,
//! whatever they come from. Facts, like checks, are about runs that no fault has ended, so that faults may be supposed not
//! to happen ([`plumb_sym::Assumed`]). Where that is needed for some, facts are looked for a while longer that exclude them.
//!
//! **Knobs.** `k` goes up to [`MOST_K`]. Loops are abstracted once they have turned [`PATIENCE`] times otherwise than by
//! constants, or very often. Showing and strengthening get parts of the time that is left.

mod houdini;
mod said;
mod strengthen;

use crate::answer::{Answer, Explored, Proof, Unknown, WhyUnknown};
use crate::board::{Board, LoopFact};
use crate::budget::{Budget, Progress, Watcher};
use crate::engine::{Answers, Context, Engine, Schedule, Task};
use crate::facts::suggest::{of_interval, suggest};
use crate::facts::{Fact, Holder, Quantity, Samples};
use crate::unroll::abstraction::Abstraction;
use crate::unroll::{Pause, Unroller};
use houdini::Houdini;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::check::CheckKind;
use plumb_solve::{Limits, Outcome, Why};
use plumb_sym::{Assumed, Changes, State, Sym};
use rustc_hash::FxHashMap;
use said::said;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use strengthen::Strengthener;

const PATIENCE: u32 = 2;
const MOST_K: u32 = 24;
/// Times that an exploration may be done again because it has learned what a loop changes, or met another loop.
const MOST_RESTARTS: u32 = 60;
/// Showing facts gets one in so many parts of the time that is left.
const SETTLING: u32 = 3;
/// Before more facts are looked for, `k` grows so far, in one of so many parts of the time.
const QUICK_K: u32 = 8;
const QUICK: u32 = 6;
/// Conflicts for a step that may be tried again with more facts.
const CONFLICTS: u64 = 200_000;
/// Strengthening gets one in so many parts of the time that is left, before each `k`.
const STRENGTHENING: u32 = 2;
/// Excluding what a proof supposes gets as long as the proof took, within these bounds.
const LEAST_EXCLUDING: Duration = Duration::from_millis(500);
const MOST_EXCLUDING: Duration = Duration::from_secs(10);
const LONG: Duration = Duration::from_secs(900);

pub struct KInduction;

const NAME: &str = "kind";

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "k-induction with candidate invariants from sample runs and intervals"
    }

    fn answers(&self) -> Answers {
        Answers::Proofs
    }

    fn schedule(&self) -> Schedule {
        Schedule { ends_first: Some(1), ..Schedule::default() }
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        kind(&task.analyses, task.options.strict, context.budget, context.board, context.watcher)
    }
}

/// With `strict`, a proof shows that there is no undefined behaviour.
pub fn kind(analyses: &Analyses, strict: bool, budget: &Budget, board: &Board, watcher: &dyn Watcher) -> Answer {
    if analyses.program().checks.iter().any(|check| check.kind == CheckKind::Leak) {
        return Answer::Unknown(Unknown { why: WhyUnknown::Endless, explored: Explored::default() });
    }
    let mut prover = Prover {
        analyses,
        strict,
        budget,
        board,
        watcher,
        started: Instant::now(),
        loops: FxHashMap::default(),
        steps: 0,
    };
    let why = match prover.prove() {
        Ok((proof, assumed)) => return Answer::Holds(proof, assumed),
        Err(why) => why,
    };
    let why = if budget.cancel.is_cancelled() { WhyUnknown::Cancelled } else { why };
    Answer::Unknown(Unknown { why, explored: Explored { steps: prover.steps, ..Explored::default() } })
}

/// A proof and what it supposes.
type Proved = (Proof, BTreeSet<Assumed>);

struct Prover<'a> {
    analyses: &'a Analyses,
    strict: bool,
    budget: &'a Budget,
    board: &'a Board,
    watcher: &'a dyn Watcher,
    started: Instant,
    loops: FxHashMap<LoopKey, Changes>,
    steps: u64,
}

impl<'a> Prover<'a> {
    fn prove(&mut self) -> Result<Proved, WhyUnknown> {
        let samples = self.board.samples(NAME, self.analyses, self.budget);
        let mut base = Houdini::new(self.explore(0, self.budget)?, self.strict, limits(self.budget));
        let conditional = self.believe(&mut base, &samples);
        base.settle(Some(self.share(SETTLING)))?;
        let mut strengthener = Strengthener::new(&samples);
        self.post(&base);
        if base.is_safe(Some(CONFLICTS)) == Outcome::Unsat {
            return self.supposing_little(base, &mut strengthener);
        }
        // Deep and cheap often does it.
        let quick = Budget { deadline: Some(self.share(QUICK)), ..self.budget.clone() };
        for k in 1..=QUICK_K {
            match self.is_deeper_safe(k, &base, &quick) {
                Ok(Some(assumed)) => return Ok((self.induction(k, &base), assumed)),
                Ok(None) => {}
                Err(WhyUnknown::Timeout) if !self.budget.is_over() => break,
                Err(why) => return Err(why),
            }
        }
        // What did not hold alone may hold together with more.
        base.believe_again();
        conditional.into_iter().for_each(|(key, fact)| base.believe(key, fact));
        base.settle(Some(self.share(SETTLING)))?;
        self.post(&base);
        for k in 1..=MOST_K {
            if strengthener.strengthen(&mut base, Some(self.share(STRENGTHENING)))? {
                return self.supposing_little(base, &mut strengthener);
            }
            if let Some(assumed) = self.is_deeper_safe(k, &base, self.budget)? {
                return Ok((self.induction(k, &base), assumed));
            }
        }
        Err(WhyUnknown::NotInductive(MOST_K))
    }

    /// Tells others what is shown so far.
    fn post(&self, base: &Houdini) {
        let facts = base.shown().into_iter().flat_map(|(key, facts)| facts.into_iter().map(move |fact| (key, fact)));
        self.board.post_invariants(NAME, facts.map(|(key, fact)| LoopFact { key, fact }));
    }

    /// The proof by what is shown, after an attempt to show that what it supposes cannot happen.
    fn supposing_little(&self, mut base: Houdini, strengthener: &mut Strengthener) -> Result<Proved, WhyUnknown> {
        if !self.strict && !base.assumed().is_empty() {
            let patience = self.started.elapsed().clamp(LEAST_EXCLUDING, MOST_EXCLUDING);
            base.strict = true;
            let is_shown = strengthener.strengthen(&mut base, Some(Instant::now() + patience));
            base.strict = false;
            // The proof is there already: what is in the way now is the time.
            if let Ok(true) = is_shown {
                return Ok((self.induction(0, &base), BTreeSet::new()));
            }
        }
        let assumed = supposed(&mut base)?;
        Ok((self.induction(0, &base), assumed))
    }

    /// The proof with what it rests on.
    fn induction(&self, k: u32, base: &Houdini) -> Proof {
        let shown = base.shown();
        let facts = |key: &LoopKey| shown.get(key).cloned().unwrap_or_default();
        let loops = self.loops.keys().map(|key| (*key, facts(key))).collect();
        let term = |fact: &Arc<Fact>, sym: &mut Sym, state: &State| fact.term(sym, state);
        Proof::Induction { k, invariants: Arc::new(said(self.analyses, loops, term)) }
    }

    /// Whether no check breaks after so many turns in which none did, by the facts that are shown.
    /// Then it gives what is supposed.
    fn is_deeper_safe(
        &mut self,
        k: u32,
        base: &Houdini,
        budget: &Budget,
    ) -> Result<Option<BTreeSet<Assumed>>, WhyUnknown> {
        let mut deeper = Houdini::new(self.explore(k, budget)?, self.strict, limits(budget));
        for (key, facts) in base.shown() {
            facts.iter().for_each(|fact| deeper.assume_shown(key, fact));
        }
        match deeper.is_safe(Some(CONFLICTS)) {
            Outcome::Unsat => supposed(&mut deeper).map(Some),
            Outcome::Sat | Outcome::Unknown(Why::Conflicts) => Ok(None),
            Outcome::Unknown(why) => Err(why.into()),
        }
    }

    /// When a part of the time that is left is over.
    fn share(&self, part: u32) -> Instant {
        let left = self.budget.deadline.map_or(LONG, |end| end.saturating_duration_since(Instant::now()));
        Instant::now() + left.min(LONG) / part
    }

    /// Believes the plain facts of all loops, and gives the others.
    fn believe(&self, base: &mut Houdini, samples: &Samples) -> Vec<(LoopKey, Fact)> {
        let mut keys: Vec<LoopKey> = self.loops.keys().copied().collect();
        keys.sort();
        let mut conditional = Vec::new();
        for key in keys {
            let Some(seen) = samples.heads.get(&key) else { continue };
            let changes = &self.loops[&key].registers;
            let is_changed = |q: Quantity| match q.holder {
                Holder::Register(var) => changes.contains_key(&var),
                Holder::Static(_, _) | Holder::Local(_, _) => true,
            };
            if let Some(intervals) = self.analyses.intervals() {
                let head = self.analyses.shape(key.0).head(key.1);
                let found = seen.quantities.iter().filter(|q| is_changed(**q)).filter_map(|q| match q.holder {
                    Holder::Register(var) => Some((*q, intervals.at(key.0, head, var)?)),
                    Holder::Static(_, _) | Holder::Local(_, _) => None,
                });
                found.flat_map(|(q, value)| of_interval(q, &value)).for_each(|fact| base.believe(key, fact));
            }
            let suggestions = suggest(seen, &samples.constants, &samples.conditions(key), &is_changed);
            suggestions.plain.into_iter().for_each(|fact| base.believe(key, fact));
            conditional.extend(suggestions.conditional.into_iter().map(|fact| (key, fact)));
        }
        conditional
    }

    /// Follows the program with its loops abstracted until nothing more is learned of them.
    fn explore(&mut self, k: u32, budget: &Budget) -> Result<Unroller<'a>, WhyUnknown> {
        for _ in 0..MOST_RESTARTS {
            let mut unroller = Unroller::new(self.analyses);
            unroller.abstraction = Some(Abstraction::new(k, self.loops.clone()));
            let pause = unroller.unroll(PATIENCE, budget);
            self.steps += unroller.steps;
            self.watcher.progress(&Progress {
                explored: Explored { steps: self.steps, deepest: k as u64, ..Explored::default() },
                elapsed: self.started.elapsed(),
                kept: 0,
                memory: unroller.sym.terms.heap_bytes() as u64,
            });
            if pause == Pause::Budget {
                return Err(if budget.is_over() { WhyUnknown::Timeout } else { WhyUnknown::OutOfMemory });
            }
            let Some(abstraction) = &unroller.abstraction else { return Err(WhyUnknown::NotInductive(k)) };
            if abstraction.has_failed {
                return Err(WhyUnknown::NotInductive(k));
            }
            self.loops.clone_from(&abstraction.loops);
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
}

/// What a proof supposes. If that leaves no run at all, it is no proof.
fn supposed(shown: &mut Houdini) -> Result<BTreeSet<Assumed>, WhyUnknown> {
    let assumed = shown.assumed();
    match assumed.first() {
        Some(first) if shown.is_vacuous() => Err(WhyUnknown::fault(*first)),
        Some(_) | None => Ok(assumed),
    }
}

fn limits(budget: &Budget) -> Limits {
    Limits { conflicts: None, deadline: budget.deadline, cancel: Some(budget.cancel.flag()) }
}
