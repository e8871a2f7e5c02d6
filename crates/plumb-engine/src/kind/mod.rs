//! k-induction over the loop nest, strengthened by invariants of loop heads.
//!
//! **Idea.** Loops that do not end by themselves are abstracted ([`crate::unroll::abstraction`]): followed from an arbitrary
//! iteration on, with nothing known but invariants. Candidate invariants hold in all sample runs or come from interval analysis;
//! those that an iteration can violate are dropped until the others hold at every entry and are preserved by every iteration
//! (the Houdini algorithm of Flanagan and Leino 2001). If then no iteration can violate a check, the property holds. Else
//! candidates are sought that exclude the states from which one is violated, the counterexamples to induction; and `k` grows
//! (Sheeran, Singh, Stålmarck 2000): a check has to be violated after `k` iterations in which none was.
//!
//! ```text
//!   houdini      which of the candidates are invariants
//!   strengthen   more candidates, against counterexamples to induction
//!   tuning       knobs
//! ```
//!
//! **Soundness.** That of the abstraction, which covers every run; facts are used only after the solver has proved them,
//! wherever they come from. Invariants, like checks, are about runs that no fault has ended, so that faults may be assumed not
//! to happen ([`plumb_sym::Assumed`]). Where a proof assumes some, candidates are sought a while longer that exclude them.
//!
//! **Board.** It reads states of other engines' runs, which refute candidates; invariants and predicates, which become
//! candidates; and complete bounds of loops, which are then unwound. It posts its invariants and those of interval analysis.
//!
//! **Knobs.** [`tuning`].

mod houdini;
mod strengthen;
mod tuning;

use crate::answer::{Answer, Explored, Invariants, LoopInvariant, Proof, Unknown, WhyUnknown};
use crate::board::{Board, Cursor, LoopBound, LoopFact, LoopState};
use crate::budget::{Budget, Progress, Watcher};
use crate::engine::{About, Answers, Context, Engine, Schedule, Task};
use crate::facts::suggest::{of_interval, suggest};
use crate::facts::{Fact, Quantity, Samples};
use crate::unroll::abstraction::Abstraction;
use crate::unroll::{Pause, Unroller};
use houdini::Houdini;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::check::CheckKind;
use plumb_solve::{Outcome, Why};
use plumb_sym::{Assumed, Changes, StatePart, Sym};
use plumb_term::TermId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Instant;
use strengthen::Strengthener;
use tuning::TUNING;

pub struct KInduction;

const NAME: &str = "kind";

impl Engine for KInduction {
    fn about(&self) -> About {
        About {
            name: NAME,
            help: "k-induction with candidate invariants from sample runs and intervals",
            answers: Answers::Proofs,
            parameter: None,
            schedule: Schedule { ends_first: Some(1), ..Schedule::default() },
        }
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        kind(&task.analyses, task.options.strict, context.budget, context.board, context.watcher)
    }
}

/// With `strict`, a proof includes that there is no undefined behaviour.
pub fn kind(analyses: &Analyses, strict: bool, budget: &Budget, board: &Board, watcher: &dyn Watcher) -> Answer {
    if analyses.program().checks.iter().any(|check| check.kind == CheckKind::Leak) {
        return Answer::Unknown(Unknown { why: WhyUnknown::Endless, explored: Explored::default() });
    }
    // An arbitrary iteration of a loop of one stack says nothing of where the others are.
    if analyses.program().has_stacks() {
        return Answer::Unknown(Unknown { why: WhyUnknown::Stacks, explored: Explored::default() });
    }
    let mut prover = Prover {
        analyses,
        strict,
        budget,
        board,
        watcher,
        started: Instant::now(),
        loops: FxHashMap::default(),
        bounds: FxHashMap::default(),
        bounds_read: Cursor::default(),
        invariants_read: Cursor::default(),
        predicates_read: Cursor::default(),
        states_read: Cursor::default(),
        steps: 0,
    };
    let why = match prover.prove() {
        Ok((proof, assumed)) => return Answer::Holds(proof, assumed),
        Err(_) if budget.cancel.is_cancelled() => WhyUnknown::Cancelled,
        Err(why) => why,
    };
    Answer::Unknown(Unknown { why, explored: Explored { steps: prover.steps, ..Explored::default() } })
}

/// A proof and what it assumes.
type Proved = (Proof, BTreeSet<Assumed>);

struct Prover<'a> {
    analyses: &'a Analyses,
    strict: bool,
    budget: &'a Budget,
    board: &'a Board,
    watcher: &'a dyn Watcher,
    started: Instant,
    loops: FxHashMap<LoopKey, Changes>,
    /// Complete bounds of loops that are unwound instead.
    bounds: FxHashMap<LoopKey, u32>,
    bounds_read: Cursor,
    states_read: Cursor,
    invariants_read: Cursor,
    predicates_read: Cursor,
    steps: u64,
}

impl<'a> Prover<'a> {
    fn prove(&mut self) -> Result<Proved, WhyUnknown> {
        let mut base = Houdini::new(self.explore(0, self.budget)?, self.strict, self.budget);
        // Some proofs need no invariant. One by invariants is better evidence, and is sought a little longer.
        let early = self.deeper_steps(0..=TUNING.early_k, TUNING.early_share, &base)?;
        let early = early.filter(|(_, assumed)| assumed.is_empty());
        if self.loops.keys().any(|key| !base.is_abstract(*key)) {
            // With `k` of 0 there was no need to abstract these. Deeper steps will do so, and need to know of them.
            base = Houdini::new(self.explore(0, self.budget)?, self.strict, self.budget);
        }
        let length = self.started.elapsed().clamp(TUNING.min_better_evidence, TUNING.max_better_evidence);
        self.post_intervals();
        let mut samples = (*self.board.samples(self.analyses, self.budget)).clone();
        samples.absorb(self.states_of_others());
        let conditional = self.add_candidates(&mut base, &samples);
        let until = if early.is_some() { Instant::now() + length } else { self.share(TUNING.fixpoint_share) };
        base.fixpoint(Some(until))?;
        let mut strengthener = Strengthener::new(samples);
        self.post(&base);
        if base.is_safe(Some(TUNING.step_conflicts)) == Outcome::Unsat {
            return self.with_few_assumptions(base, &mut strengthener);
        }
        if let Some(proved) = early {
            return Ok(proved);
        }
        // A deeper step is often enough, and cheap.
        if let Some(proved) = self.deeper_steps(1..=TUNING.quick_k, TUNING.quick_share, &base)? {
            return Ok(proved);
        }
        // What is not inductive alone may be together with more.
        strengthener.absorb(self.states_of_others());
        base.retry_dropped(|key, fact| strengthener.allows(key, fact));
        let conditional = conditional.into_iter().filter(|(key, fact)| strengthener.allows(*key, fact));
        conditional.for_each(|(key, fact)| base.add_candidate(key, fact));
        base.fixpoint(Some(self.share(TUNING.fixpoint_share)))?;
        self.post(&base);
        for k in 1..=TUNING.max_k {
            strengthener.absorb(self.states_of_others());
            self.try_posted(&mut base, &strengthener)?;
            if strengthener.strengthen(&mut base, Some(self.share(TUNING.strengthening_share)))? {
                return self.with_few_assumptions(base, &mut strengthener);
            }
            if let Some(assumed) = self.is_deeper_safe(k, &base, self.budget)? {
                return Ok((self.induction(k, &base), assumed));
            }
        }
        Err(WhyUnknown::NotInductive(TUNING.max_k))
    }

    /// States of other engines' runs that are new.
    fn states_of_others(&mut self) -> Vec<LoopState> {
        let posts = self.board.states.read(NAME, &mut self.states_read);
        posts.into_iter().map(|post| post.what).collect()
    }

    /// Reads complete bounds of loops: such loops are unwound, not abstracted.
    fn read_bounds(&mut self) {
        for post in self.board.loop_bounds.read(NAME, &mut self.bounds_read) {
            let LoopBound { key, iterations } = post.what;
            if iterations <= TUNING.max_followed && !self.loops.contains_key(&key) {
                self.bounds.insert(key, iterations);
            }
        }
    }

    /// Tries what others have proved, and what their refinements distinguish, as candidates.
    fn try_posted(&mut self, base: &mut Houdini, strengthener: &Strengthener) -> Result<(), WhyUnknown> {
        let mut posts = self.board.invariants.read(NAME, &mut self.invariants_read);
        posts.extend(self.board.predicates.read(NAME, &mut self.predicates_read));
        let posted = posts.into_iter().map(|post| post.what).filter(|what| self.loops.contains_key(&what.key));
        let both = posted.flat_map(|LoopFact { key, fact }| [(key, (*fact).clone()), (key, (*fact).clone().negated())]);
        let candidates: Vec<(LoopKey, Fact)> = both.filter(|(key, fact)| strengthener.allows(*key, fact)).collect();
        if !candidates.is_empty() {
            candidates.into_iter().for_each(|(key, fact)| base.add_candidate(key, fact));
            base.fixpoint(Some(self.share(TUNING.fixpoint_share)))?;
            self.post(base);
        }
        Ok(())
    }

    /// Posts what is proved so far.
    fn post(&self, base: &Houdini) {
        let facts = base.proved().into_iter().flat_map(|(key, facts)| facts.into_iter().map(move |fact| (key, fact)));
        self.board.invariants.post(NAME, facts.map(|(key, fact)| LoopFact { key, fact }));
    }

    /// The proof, after an attempt to prove that the faults that it assumes away cannot happen.
    fn with_few_assumptions(&self, mut base: Houdini, strengthener: &mut Strengthener) -> Result<Proved, WhyUnknown> {
        if !self.strict && !base.assumed().is_empty() {
            let length = self.started.elapsed().clamp(TUNING.min_excluding, TUNING.max_excluding);
            let until = self.budget.deadline.map_or(Instant::now() + length, |end| end.min(Instant::now() + length));
            base.strict = true;
            // No single query may take longer either.
            let deadline = base.budget.deadline.replace(until);
            let is_proved = strengthener.strengthen(&mut base, Some(until));
            base.budget.deadline = deadline;
            base.strict = false;
            // There is a proof already: errors can only be about time.
            if let Ok(true) = is_proved {
                return Ok((self.induction(0, &base), BTreeSet::new()));
            }
        }
        let assumed = assumptions(&mut base)?;
        Ok((self.induction(0, &base), assumed))
    }

    /// The proof with its invariants.
    fn induction(&self, k: u32, base: &Houdini) -> Proof {
        let proved = base.proved();
        let mut sym = Sym::new(self.analyses.program());
        let mut loops = Vec::new();
        for (func, id) in self.loop_keys() {
            // Terms in a template state name the parts of the state by their symbols, whatever kind of fact it is.
            let (state, template) = sym.template(func);
            let facts = proved.get(&(func, id)).into_iter().flatten();
            let facts = facts.filter_map(|fact| fact.term(&mut sym, &state)).collect();
            let (head, symbols) = (self.analyses.shape(func).head(id), template.parts(&sym));
            loops.push(LoopInvariant { func, head, facts, symbols });
        }
        Proof::Induction { k, invariants: Arc::new(Invariants { terms: sym.terms, loops }) }
    }

    /// The abstracted loops, in order.
    fn loop_keys(&self) -> BTreeSet<LoopKey> {
        self.loops.keys().copied().collect()
    }

    /// A proof by the first `k` of some that is enough, with the invariants so far, in a share of the time that is left.
    fn deeper_steps(
        &mut self,
        depths: RangeInclusive<u32>,
        share: u32,
        base: &Houdini,
    ) -> Result<Option<Proved>, WhyUnknown> {
        let budget = Budget { deadline: Some(self.share(share)), ..self.budget.clone() };
        for k in depths {
            match self.is_deeper_safe(k, base, &budget) {
                Ok(Some(assumed)) => return Ok(Some((self.induction(k, base), assumed))),
                Ok(None) => {}
                Err(WhyUnknown::Timeout) if !self.budget.is_over() => break,
                Err(why) => return Err(why),
            }
        }
        Ok(None)
    }

    /// Whether no check is violated after `k` iterations in which none was, given the invariants. Then it gives what is
    /// assumed.
    fn is_deeper_safe(
        &mut self,
        k: u32,
        base: &Houdini,
        budget: &Budget,
    ) -> Result<Option<BTreeSet<Assumed>>, WhyUnknown> {
        let mut deeper = Houdini::new(self.explore(k, budget)?, self.strict, budget);
        for (key, facts) in base.proved() {
            facts.iter().for_each(|fact| deeper.assume(key, fact, TermId::bool(true)));
        }
        match deeper.is_safe(Some(TUNING.step_conflicts)) {
            Outcome::Unsat => assumptions(&mut deeper).map(Some),
            Outcome::Sat | Outcome::Unknown(Why::Conflicts) => Ok(None),
            Outcome::Unknown(why) => Err(why.into()),
        }
    }

    /// The end of a share of the time that is left.
    fn share(&self, part: u32) -> Instant {
        let left =
            self.budget.deadline.map_or(TUNING.longest_budget, |end| end.saturating_duration_since(Instant::now()));
        Instant::now() + left.min(TUNING.longest_budget) / part
    }

    /// Adds the plain candidates of all loops, and gives the conditional ones.
    fn add_candidates(&self, base: &mut Houdini, samples: &Samples) -> Vec<(LoopKey, Fact)> {
        let mut conditional = Vec::new();
        for key in self.loop_keys() {
            let Some(seen) = samples.heads.get(&key) else { continue };
            let changes = &self.loops[&key].registers;
            let is_changed = |q: Quantity| match q.part {
                StatePart::Register(var) => changes.contains_key(&var),
                StatePart::Bytes(..) | StatePart::Behind { .. } => true,
            };
            let changed = seen.quantities.iter().copied().filter(|q| is_changed(*q));
            changed.flat_map(|q| self.interval_facts(key, q)).for_each(|fact| base.add_candidate(key, fact));
            let suggestions = suggest(seen, &samples.constants, &samples.conditions(key), &is_changed);
            suggestions.plain.into_iter().for_each(|fact| base.add_candidate(key, fact));
            conditional.extend(suggestions.conditional.into_iter().map(|fact| (key, fact)));
        }
        conditional
    }

    /// What interval analysis proves of a quantity at a loop head.
    fn interval_facts(&self, key: LoopKey, quantity: Quantity) -> Vec<Fact> {
        let StatePart::Register(var) = quantity.part else { return Vec::new() };
        let Some(intervals) = self.analyses.intervals() else { return Vec::new() };
        let head = self.analyses.shape(key.0).head(key.1);
        intervals.at(key.0, head, var).map(|value| of_interval(quantity, &value)).unwrap_or_default()
    }

    /// Posts what interval analysis proves of all loop heads.
    fn post_intervals(&self) {
        let heads = self.board.observed(self.analyses).heads();
        let facts = heads.iter().flat_map(|head| {
            let facts = head.quantities.iter().flat_map(|quantity| self.interval_facts(head.key, *quantity));
            facts.map(|fact| LoopFact { key: head.key, fact: Arc::new(fact) })
        });
        self.board.invariants.post("intervals", facts);
    }

    /// Explores the program with its loops abstracted, until what their iterations change is known.
    fn explore(&mut self, k: u32, budget: &Budget) -> Result<Unroller<'a>, WhyUnknown> {
        for _ in 0..TUNING.max_restarts {
            let mut unroller = Unroller::new(self.analyses);
            self.read_bounds();
            unroller.fixed.clone_from(&self.bounds);
            unroller.abstraction = Some(Abstraction::new(k, self.loops.clone()));
            let pause = unroller.unroll(TUNING.free_iterations, budget);
            self.steps += unroller.seen.steps;
            let explored = Explored { steps: self.steps, deepest: k as u64, ..Explored::default() };
            let (elapsed, memory) = (self.started.elapsed(), unroller.sym.terms.heap_bytes() as u64);
            self.watcher.progress(&Progress { explored, elapsed, kept: 0, memory });
            if pause == Pause::Budget {
                return Err(budget.why_stopped());
            }
            let Some(abstraction) = &unroller.abstraction else { return Err(WhyUnknown::NotInductive(k)) };
            if abstraction.has_failed {
                return Err(WhyUnknown::NotInductive(k));
            }
            self.loops.clone_from(&abstraction.loops);
            let mut is_done = !abstraction.has_new_changes;
            for stopped in &unroller.frontier {
                // Recursion is not abstracted.
                let Some(key) = stopped.at else { return Err(WhyUnknown::NotInductive(k)) };
                // A proof shows that no run goes round the loop so often.
                if self.bounds.contains_key(&key) {
                    continue;
                }
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

/// What a proof assumes. If that excludes every run, it is no proof.
fn assumptions(proved: &mut Houdini) -> Result<BTreeSet<Assumed>, WhyUnknown> {
    let assumed = proved.assumed();
    match assumed.first() {
        Some(first) if proved.is_vacuous() => Err(WhyUnknown::fault(*first)),
        Some(_) | None => Ok(assumed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::{budget, program};
    use plumb_ir::analysis::loops::LoopId;
    use plumb_ir::program::{LocalVar, VarRef};

    /// A loop of up to seven iterations, and an endless one that violates its check after the seventh.
    const BOUNDED: &str = "int main(void) {
        unsigned n = 0, most = input() & 7;
        while (n < most) n++;
        while (input()) if (n > LIMIT) reach_error();
        return 0; }";

    fn answer(limit: u32, iterations: u32) -> Answer {
        let program = program(&BOUNDED.replace("LIMIT", &limit.to_string()));
        let (analyses, board) = (Analyses::new(&program), Board::default());
        let main = program.function_ids().find(|func| &*program.function(*func).name == "main").unwrap();
        let loops = &analyses.shape(main).loops.loops;
        let first = (0..loops.len() as u32).map(LoopId).min_by_key(|id| loops[*id].head.0).unwrap();
        board.loop_bounds.post("other", [LoopBound { key: (main, first), iterations }]);
        let deadline = Some(Instant::now() + std::time::Duration::from_secs(20));
        kind(&analyses, false, &Budget { deadline, ..budget() }, &board, &())
    }

    /// The inner loop is unwound with `k` of 0 and abstracted with more: candidates about it that no run of the samples breaks
    /// must not become invariants of what has never visited its head.
    #[test]
    fn nothing_is_proved_of_a_loop_that_was_unwound() {
        let text = "int main(void) { while (1) {
            int x = 0, y = 0, v = input();
            for (int i = 0; i < 1000; i++) { y = x; if (v == 123456789) x = 1; }
            if (y) reach_error(); } }";
        let program = program(text);
        let (analyses, board) = (Analyses::new(&program), Board::default());
        let deadline = Some(Instant::now() + std::time::Duration::from_secs(10));
        let answer = kind(&analyses, false, &Budget { deadline, ..budget() }, &board, &());
        assert!(!matches!(answer, Answer::Holds(..)), "{answer:?}");
        let main = program.function_ids().find(|func| &*program.function(*func).name == "main").unwrap();
        // A run with that input is where the facts do not hold.
        let x = program.function(main).vars.iter().position(|var| &*var.name == "x").unwrap();
        let x = StatePart::Register(VarRef::Local(LocalVar(x as u32)));
        for post in board.invariants.read("other", &mut Cursor::default()) {
            let one = |quantity: Quantity| (quantity.part == x).then_some(1);
            assert_ne!(post.what.fact.holds(&one), Some(false), "{post:?} excludes x = 1");
        }
    }

    #[test]
    fn bounds_of_others_are_proved_and_not_trusted() {
        assert!(matches!(answer(7, 7), Answer::Holds(..)));
        assert!(!matches!(answer(4, 2), Answer::Holds(..)), "a bound that is none hides the violation");
    }
}
