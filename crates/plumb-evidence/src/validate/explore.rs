//! All runs of a program, with loops cut where the witness says what holds there.
//!
//! **Idea.** States are taken in an order in which those that can meet do ([`plumb_ir::analysis::order`]) and are joined there.
//! A loop that is *cut* is not followed iteration by iteration. At its entry its claims have to be shown; then everything that a
//! iteration changes is forgotten, the claims are assumed, and one iteration is followed, at whose end the claims have to be shown
//! again. What an iteration changes is learned: where the head is met again, a state that differs from the forgetful one in more
//! than what was forgotten makes the whole exploration invalid, and the next one forgets more.
//!
//! With `k` above 0 the loop is followed from its entry for `k` iterations, and from the forgetful state for `k + 1`. In the first
//! `k` of these nothing has to be shown but may be assumed to have been fine: in the run that breaks something first,
//! nothing was broken before. Such a stretch is left only in its last iteration.
//!
//! **Claims** of a witness are check edges at the head, laid there from its text. To step over a check is to note what breaks it and
//! to assume it from there on; where claims are assumed, the note is thrown away. Those of a certificate are formulas about
//! the state at the head ([`super::claims`]), shown and assumed without a step.
//!
//! **Soundness.** Every run is followed as far as the first thing that it breaks, unless it is noted in [`Explorer::beyond`],
//! a gap, a doubt or a fault. The caller shows that there are none of these, or says which faults it supposes not to happen.

use super::claims::{Claims, Formulas, History, LoopClaim, join_histories};
use plumb_answer::Budget;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::{LoopId, LoopKey};
use plumb_ir::analysis::shape::FunctionShape;
use plumb_ir::program::Loc;
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_sym::{ChangeQuestion, Changes, Counting, EventLog, LoopPosition, Next, Position, State, Sym};
use plumb_term::{Sort, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// Of iterations that constants decide one of so many counts; recursion that they decide ends at a depth.
const COUNTING: Counting = Counting {
    free_iterations: 20_000,
    free_symbolic_iterations: 20_000,
    free_conditions: u32::MAX,
    free_calls: u32::MAX,
};
/// Frames that are followed, and recursive calls, whatever the bound of loops.
const MOST_FRAMES: usize = 2_000;
const LEAST_RECURSION: u32 = 8;
/// So many ways through the claims of one head are followed.
const MOST_WAYS: usize = 2_000;
/// Steps between two looks at the budget.
const SLICE: u32 = 256;
/// Of the question whether a pointer changes.
const CONFLICTS: u64 = 20_000;
/// Bytes that a term takes, with all that is around it.
const TERM_BYTES: u64 = 512;

/// A loop that is cut.
#[derive(Clone, Debug, Default)]
pub(super) struct Cut {
    /// What an iteration changes, as far as it is known.
    pub changes: Changes,
    pub claimed: Claimed,
    /// Iterations that are followed before, not counting those that constants decide.
    pub threshold: u32,
}

/// How the claims about a loop are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Claimed {
    #[default]
    Nothing,
    /// By check edges from the head to this location.
    ByEdges(Loc),
    /// By the formulas of the plan.
    ByFormulas,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub k: u32,
    /// How many iterations other loops are followed, not counting those that constants decide.
    pub bound: u32,
    pub cuts: BTreeMap<LoopKey, Cut>,
    pub formulas: Arc<Formulas>,
    /// A number counts as changed by an iteration only if a solver finds it feasible under the claims.
    pub asks_of_scalars: bool,
}

/// How a loop is followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum Mode {
    /// It is to be cut.
    Entering,
    /// Iteration by iteration.
    #[default]
    Plain,
    /// Iteration by iteration, for `k` iterations.
    Beginning,
    /// From a forgetful state.
    Stretch,
}

/// A stretch that a state is in: the forgetful states that it may have begun with, and what they had forgotten.
#[derive(Clone)]
struct Stretch {
    depth: usize,
    id: LoopId,
    firsts: Vec<Arc<(State, Changes)>>,
}

/// A loop that a state is in, and what formulas claim of its head: one for each way in that was not joined with the others
/// at once.
#[derive(Clone)]
struct OpenClaim {
    depth: usize,
    id: LoopId,
    claims: Vec<Arc<LoopClaim>>,
}

#[derive(Clone)]
struct Run {
    state: State,
    position: Position<Mode>,
    stretches: Vec<Stretch>,
    open_claims: Vec<OpenClaim>,
    history: Arc<History>,
}

/// Why an exploration is worth nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    Time,
    Memory,
    /// What cannot be cut.
    Failed(&'static str),
}

pub(super) struct Explorer<'p> {
    pub sym: Sym<'p>,
    /// What has happened, as far as it is not supposed.
    pub log: EventLog,
    pub plan: Plan,
    /// An iteration changes more than was forgotten: this exploration proves nothing, the next one knows more.
    pub has_learned: bool,
    /// Runs that go on where nobody has followed them, and the loop that they are in.
    pub beyond: Vec<(TermId, Option<LoopKey>)>,
    /// Runs that get to a head whose claims, by formulas, do not hold.
    pub lost: Vec<(TermId, LoopKey)>,
    claims: Claims,
    analyses: &'p Analyses,
    waiting: BTreeMap<Vec<u32>, Run>,
    stop: Option<Stop>,
    deadline: Option<Instant>,
}

impl<'p> Explorer<'p> {
    pub fn new(analyses: &'p Analyses, plan: Plan) -> Explorer<'p> {
        let mut sym = Sym::new(analyses.program());
        let claims = Claims::import(&plan.formulas, &mut sym.terms);
        Explorer {
            sym,
            log: EventLog::default(),
            plan,
            lost: Vec::new(),
            claims,
            has_learned: false,
            beyond: Vec::new(),
            analyses,
            waiting: BTreeMap::new(),
            stop: None,
            deadline: None,
        }
    }

    /// Follows everything.
    pub fn explore(&mut self, budget: &Budget) -> Result<(), Stop> {
        self.deadline = budget.deadline;
        let state = self.sym.start();
        let (stretches, open_claims, history) = (Vec::new(), Vec::new(), Arc::default());
        let run = Run { position: Position::start(&state), state, stretches, open_claims, history };
        if let Some(run) = self.arrive(run, true) {
            self.wait(run);
        }
        let mut until_look = SLICE;
        let most_terms = (budget.memory / TERM_BYTES).clamp(1 << 16, u32::MAX as u64 / 2) as usize;
        while let Some((_, run)) = self.waiting.pop_first() {
            self.follow(run, &mut until_look, most_terms, budget);
            if let Some(stop) = self.stop.take() {
                return Err(stop);
            }
        }
        Ok(())
    }

    /// The place in the order in which states are taken.
    fn key(&self, run: &Run) -> Vec<u32> {
        run.position.order_key(&run.state, self.analyses, |one| one.iterations * 4 + one.tag as u32)
    }

    /// Puts a state where it is taken in its iteration, joined with the one that is there.
    fn wait(&mut self, run: Run) {
        let key = self.key(&run);
        let Some(mut there) = self.waiting.remove(&key) else {
            self.waiting.insert(key, run);
            return;
        };
        let shape = self.analyses.shape(run.state.func());
        let (state, log) = self.sym.join(there.state, run.state, &shape.live);
        there.state = state;
        self.log.append(log);
        there.position.join(&run.position);
        for (x, y) in there.stretches.iter_mut().zip(&run.stretches) {
            for first in &y.firsts {
                if !x.firsts.iter().any(|known| Arc::ptr_eq(known, first)) {
                    x.firsts.push(first.clone());
                }
            }
        }
        for (x, y) in there.open_claims.iter_mut().zip(&run.open_claims) {
            for claim in &y.claims {
                if !x.claims.contains(claim) {
                    x.claims.push(claim.clone());
                }
            }
        }
        join_histories(&mut there.history, &run.history);
        self.waiting.insert(key, there);
    }

    /// Follows a state until it ends, splits, or others may come to where it is.
    fn follow(&mut self, mut run: Run, until_look: &mut u32, most_terms: usize, budget: &Budget) {
        while self.stop.is_none() {
            *until_look -= 1;
            if *until_look == 0 {
                *until_look = SLICE;
                self.stop = match (budget.is_over(), self.sym.terms.len() > most_terms) {
                    (true, _) => Some(Stop::Time),
                    (false, true) => Some(Stop::Memory),
                    (false, false) => None,
                };
            }
            if is_entering(&run) {
                return self.enter(run);
            }
            let (conditions, depth) = (run.state.path.len(), run.state.depth());
            let step = self.sym.step(&mut run.state);
            self.log.append(if self.is_supposed(&run) { step.log.of_hypothesis() } else { step.log });
            match step.next {
                Next::Ended => return,
                Next::Moved => {
                    let by_constants = run.state.path.len() == conditions;
                    let has_returned = run.state.depth() < depth;
                    let Some(on) = self.arrive(run, by_constants) else { return };
                    run = on;
                    let shape = self.analyses.shape(run.state.func());
                    let may_meet = has_returned || is_entering(&run) || shape.is_meeting(run.state.loc);
                    if may_meet && !self.waiting.is_empty() {
                        return self.wait(run);
                    }
                }
                Next::Split(states) => {
                    for state in states {
                        let one = Run { state, ..run.clone() };
                        if let Some(one) = self.arrive(one, false) {
                            self.wait(one);
                        }
                    }
                    return;
                }
            }
        }
    }

    /// Whether a state is in an iteration in which nothing was broken.
    fn is_supposed(&self, run: &Run) -> bool {
        let is_before = |one: &LoopPosition<Mode>| one.tag == Mode::Stretch && one.iterations < self.plan.k;
        !run.stretches.is_empty() && run.position.all_loops().any(is_before)
    }

    /// Brings a state up to date that has moved; `None` if it need not be followed further.
    fn arrive(&mut self, mut run: Run, by_constants: bool) -> Option<Run> {
        let func = run.state.func();
        let shape = self.analyses.shape(func);
        let movement = run.position.advance(&run.state, shape, by_constants, self.sym.terms.len(), &COUNTING);
        if movement.is_plain() {
            return Some(run);
        }
        let depth = run.position.depth();
        if movement.has_called
            && (run.position.recursion() > self.plan.bound.max(LEAST_RECURSION) || depth > MOST_FRAMES)
        {
            self.note_beyond(&run, None);
            return None;
        }
        self.leave(&mut run, &movement.left)?;
        for (id, is_at_head) in movement.entered {
            let is_cut = self.plan.cuts.get(&(func, id)).is_some_and(|cut| cut.threshold == 0);
            if is_cut && !is_at_head {
                self.stop = Some(Stop::Failed("a loop is entered elsewhere than at its head"));
                return None;
            }
            if is_cut {
                run.position.set_tag(id, Mode::Entering);
            }
        }
        match movement.iterated {
            Some(id) => self.iterated(run, (func, id)),
            None => Some(run),
        }
    }

    fn note_beyond(&mut self, run: &Run, key: Option<LoopKey>) {
        let sound = self.sym.terms.not(run.state.fault);
        let reached = self.sym.terms.and(run.state.path.term(), sound);
        self.beyond.push((reached, key));
    }

    /// Loops are left; `None` where a stretch may not be.
    fn leave(&mut self, run: &mut Run, left: &[(usize, LoopPosition<Mode>)]) -> Option<()> {
        let is_left = |at: usize, id: LoopId| left.iter().any(|(depth, one)| (*depth, one.id) == (at, id));
        run.stretches.retain(|s| !is_left(s.depth, s.id));
        run.open_claims.retain(|s| !is_left(s.depth, s.id));
        left.iter().all(|(_, one)| one.tag != Mode::Stretch || one.iterations >= self.plan.k).then_some(())
    }

    /// The head of a loop is met again.
    fn iterated(&mut self, mut run: Run, key: LoopKey) -> Option<Run> {
        let LoopPosition { iterations, counted, tag, .. } = *run.position.get(key.1)?;
        let shape = self.analyses.shape(key.0);
        let k = self.plan.k;
        match tag {
            Mode::Entering => None,
            Mode::Plain if self.plan.cuts.get(&key).is_some_and(|cut| counted >= cut.threshold) => {
                run.position.set_tag(key.1, Mode::Entering);
                Some(run)
            }
            Mode::Plain if counted > self.plan.bound => {
                self.note_beyond(&run, Some(key));
                None
            }
            Mode::Plain => Some(run),
            Mode::Beginning if iterations < k => self.pass_claims(run, key, shape, false),
            Mode::Beginning => {
                self.show_claims(run, key, shape);
                None
            }
            Mode::Stretch => {
                self.learn(&run, key, shape);
                if iterations <= k {
                    return self.pass_claims(run, key, shape, true);
                }
                self.show_claims(run, key, shape);
                None
            }
        }
    }

    /// Compares a state with those that its stretch began with.
    fn learn(&mut self, run: &Run, key: LoopKey, shape: &FunctionShape) {
        let depth = run.position.depth() - 1;
        let stretch = run.stretches.iter().rfind(|s| s.depth == depth && s.id == key.1);
        for first in stretch.map(|s| s.firsts.clone()).unwrap_or_default() {
            let (first, forgotten) = &*first;
            let mut changes = forgotten.clone();
            let (path, deadline) = (run.state.path.term(), self.deadline);
            let mut is_feasible = |sym: &mut Sym<'p>, differs: TermId| is_feasible(sym, path, differs, deadline);
            let question =
                &mut ChangeQuestion { about_scalars: self.plan.asks_of_scalars, is_feasible: &mut is_feasible };
            let learned = self.sym.note_feasible_changes(first, &run.state, &shape.live, &mut changes, question);
            match learned {
                Ok(false) => {}
                Ok(true) => {
                    self.has_learned = true;
                    if let Some(cut) = self.plan.cuts.get_mut(&key) {
                        cut.changes.merge(&changes);
                    }
                }
                Err(_) => self.stop = Some(Stop::Failed("an iteration of a loop makes or ends objects")),
            }
        }
    }

    /// Cuts a loop at whose head a state is.
    fn enter(&mut self, run: Run) {
        let func = run.state.func();
        let depth = run.position.depth() - 1;
        let entering = run.position.loops().iter().find(|one| one.tag == Mode::Entering);
        let Some(id) = entering.map(|one| one.id) else { return };
        let key = (func, id);
        let shape = self.analyses.shape(func);
        let mut stretch = run;
        let claim = self.claims.at_entry(&mut self.sym, &stretch.state, &stretch.history, key);
        let claim = Arc::new(claim);
        stretch.open_claims.push(OpenClaim { depth, id, claims: vec![claim.clone()] });
        self.show_claims(stretch.clone(), key, shape);
        stretch.position.set_tag(id, Mode::Stretch);
        if self.plan.k > 0 {
            // Both ways could be taken at once: a choice tells them apart.
            let choice = self.sym.terms.fresh_symbol("beginning", Sort::Bool);
            let mut beginning = stretch.clone();
            beginning.position.set_tag(id, Mode::Beginning);
            beginning.state.path.push(choice, &mut self.sym.terms);
            if let Some(run) = self.pass_claims(beginning, key, shape, true) {
                self.wait(run);
            }
            let other = self.sym.terms.not(choice);
            stretch.state.path.push(other, &mut self.sym.terms);
        }
        let Some(cut) = self.plan.cuts.get_mut(&key) else { return };
        self.sym.forget(&mut stretch.state, &mut cut.changes);
        let first = Arc::new((stretch.state.clone(), cut.changes.clone()));
        self.claims.note_opened(&mut self.sym, &claim, &stretch.state, &mut stretch.history);
        stretch.stretches.push(Stretch { depth, id, firsts: vec![first] });
        if let Some(run) = self.pass_claims(stretch, key, shape, true) {
            self.wait(run);
        }
    }

    /// Notes where the claims of a head do not hold, of a state that nobody follows further.
    fn show_claims(&mut self, run: Run, key: LoopKey, shape: &FunctionShape) {
        match self.claimed(key) {
            Claimed::Nothing => {}
            Claimed::ByEdges(end) => drop(self.over_edges(&run, end, shape, false)),
            Claimed::ByFormulas => drop(self.over_formulas(run, key, false)),
        }
    }

    /// Takes a state from a head over its claims. Where they are supposed to hold, nothing is noted of them.
    fn pass_claims(&mut self, mut run: Run, key: LoopKey, shape: &FunctionShape, supposed: bool) -> Option<Run> {
        match self.claimed(key) {
            Claimed::Nothing => Some(run),
            Claimed::ByFormulas => self.over_formulas(run, key, supposed),
            Claimed::ByEdges(end) => {
                run.state = self.over_edges(&run, end, shape, supposed)?;
                // What follows the claims may be the head of an inner loop, or of this one again.
                self.arrive(run, true)
            }
        }
    }

    fn claimed(&self, key: LoopKey) -> Claimed {
        self.plan.cuts.get(&key).map_or(Claimed::Nothing, |cut| cut.claimed)
    }

    fn over_formulas(&mut self, mut run: Run, key: LoopKey, supposed: bool) -> Option<Run> {
        let supposed = supposed || self.is_supposed(&run);
        let depth = run.position.depth() - 1;
        let open = run.open_claims.iter().rfind(|open| open.depth == depth && open.id == key.1)?;
        let claims = open.claims.clone();
        let each: Vec<TermId> = claims.iter().map(|claim| self.claims.term(&mut self.sym, claim, &run.state)).collect();
        // A run has the claim of its own way in; where several were joined, all of them are shown.
        let holds = match supposed {
            true => self.sym.terms.or_all(each),
            false => self.sym.terms.and_all(each),
        };
        if !supposed {
            let (fails, sound) = (self.sym.terms.not(holds), self.sym.terms.not(run.state.fault));
            let lost = self.sym.terms.and_all([run.state.path.term(), sound, fails]);
            if lost != TermId::bool(false) {
                self.lost.push((lost, key));
            }
        }
        run.state.path.push(holds, &mut self.sym.terms);
        (!run.state.path.is_impossible()).then_some(run)
    }

    /// The state behind the check edges of the claims at a head.
    fn over_edges(&mut self, run: &Run, end: Loc, shape: &FunctionShape, supposed: bool) -> Option<State> {
        // In an iteration of an outer loop in which nothing was broken, neither was a claim.
        let supposed = supposed || self.is_supposed(run);
        let depth = run.state.depth();
        let mut open = vec![(run.state.clone(), false)];
        let mut done: Option<State> = None;
        let mut ways = 0;
        while let Some((mut state, has_moved)) = open.pop() {
            if has_moved && state.loc == end {
                done = Some(match done {
                    Some(other) => {
                        let (state, log) = self.sym.join(other, state, &shape.live);
                        self.log.append(log);
                        state
                    }
                    None => state,
                });
                continue;
            }
            ways += 1;
            if ways > MOST_WAYS || state.depth() != depth {
                self.stop = Some(Stop::Failed("an invariant has too many ways through it"));
                return None;
            }
            let step = self.sym.step(&mut state);
            self.log.append(if supposed { step.log.of_hypothesis() } else { step.log });
            match step.next {
                Next::Ended => {}
                Next::Moved => open.push((state, true)),
                Next::Split(states) => open.extend(states.into_iter().map(|state| (state, true))),
            }
        }
        done
    }
}

fn is_entering(run: &Run) -> bool {
    run.position.loops().iter().any(|one| one.tag == Mode::Entering)
}

/// Whether a path may be taken on which something differs. Claims that were assumed are part of the path.
fn is_feasible(sym: &mut Sym, path: TermId, differs: TermId, deadline: Option<Instant>) -> bool {
    let mut solver = BitSolver::new();
    solver.set_limits(Limits { conflicts: Some(CONFLICTS), deadline, cancel: None });
    sym.feed_axioms(&mut 0, |terms, axiom| solver.assert(terms, axiom));
    solver.check(&mut sym.terms, &[path, differs]) != Outcome::Unsat
}
