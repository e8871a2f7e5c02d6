//! All runs of a program, with loops cut where the witness says what holds there.
//!
//! **Idea.** States are taken in an order in which those that can meet do ([`plumb_ir::analysis::order`]) and are joined there.
//! A loop that is *cut* is not followed iteration by iteration. At its entry its claims have to be proved; then everything that an
//! iteration changes is havocked, the claims are assumed, and one iteration is followed, at whose end the claims have to be proved
//! again. What an iteration changes is learned: where the head is met again, a state that differs from the havocked one in more
//! than what was havocked makes the whole exploration invalid, and the next one havocs more.
//!
//! With `k` above 0 the loop is followed from its entry for `k` iterations, and from the havocked state for `k + 1`. In the first
//! `k` of these nothing has to be proved but may be assumed to have been fine: in the run that violates something
//! first, nothing was violated before. Such an inductive step is left only in its last iteration.
//!
//! **Claims** of a witness are check edges at the head, laid there from its text. To step over a check is to note what violates it and
//! to assume it from there on; where claims are assumed, the note is thrown away. Those of a certificate are formulas about
//! the state at the head ([`super::claims`]), proved and assumed without a step.
//!
//! **Soundness.** Every run is followed up to its first violation, unless it is noted in [`Explorer::unfollowed`],
//! a gap, a doubt or a fault. The caller proves that there are none of these, or says which faults it assumes not to happen.

use super::claims::{Arrival, Claims, Exits, Formulas, History, LoopClaim, join_exits, join_histories};
use super::tuning::TUNING;
use plumb_answer::Budget;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::{LoopId, LoopKey};
use plumb_ir::analysis::shape::FunctionShape;
use plumb_ir::program::Loc;
use plumb_solve::{Limits, Outcome, Solver, SolverChoice};
use plumb_sym::{ChangeQuestion, Changes, EventLog, LoopPosition, Next, Position, State, Sym};
use plumb_term::{Sort, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// A loop that is cut.
#[derive(Clone, Debug, Default)]
pub(super) struct Cut {
    /// What an iteration changes, as far as it is known.
    pub changes: Changes,
    pub claimed: Claimed,
    /// What is followed before.
    pub threshold: Unwinding,
}

/// Iterations of a loop that are followed before it is cut.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unwinding {
    /// Not counting those that constants decide.
    pub counted: u32,
    /// Enough, whether they count or not: where paths are joined, constants decide what they do not on the path of an engine,
    /// and the other way round.
    pub iterations: u32,
}

impl Unwinding {
    fn is_over(&self, position: &LoopPosition<Mode>) -> bool {
        position.counted >= self.counted || position.iterations >= self.iterations
    }
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
    pub arrival: Arrival,
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
    BaseCase,
    /// From a havocked state.
    InductiveStep,
}

/// An inductive step that a state is in: the havocked states that it may have begun with, and what was havocked in them.
#[derive(Clone)]
struct InductiveStep {
    depth: usize,
    id: LoopId,
    firsts: Vec<Arc<(State, Changes)>>,
}

/// A loop that a state is in, and what formulas claim of its head: one for each path in that was not joined with the others
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
    inductive_steps: Vec<InductiveStep>,
    open_claims: Vec<OpenClaim>,
    history: Arc<History>,
    exits: Arc<Exits>,
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
    /// What has happened, as far as it is not assumed.
    pub log: EventLog,
    pub plan: Plan,
    /// An iteration changes more than was havocked: this exploration proves nothing, the next one knows more.
    pub has_new_changes: bool,
    /// Runs that go on where nobody has followed them, and the loop that they are in.
    pub unfollowed: Vec<(TermId, Option<LoopKey>)>,
    /// Runs that get to a head whose claims, by formulas, do not hold.
    pub violated_claims: Vec<(TermId, LoopKey)>,
    claims: Claims,
    analyses: &'p Analyses,
    waitlist: BTreeMap<Vec<u32>, Run>,
    feasibility: Feasibility,
    stop: Option<Stop>,
    deadline: Option<Instant>,
}

impl<'p> Explorer<'p> {
    pub fn new(analyses: &'p Analyses, plan: Plan, solvers: &SolverChoice) -> Explorer<'p> {
        let mut sym = Sym::new(analyses.program());
        let claims = Claims::import(&plan.formulas, &mut sym.terms);
        Explorer {
            sym,
            log: EventLog::default(),
            plan,
            violated_claims: Vec::new(),
            claims,
            has_new_changes: false,
            unfollowed: Vec::new(),
            analyses,
            waitlist: BTreeMap::new(),
            feasibility: Feasibility::new(solvers),
            stop: None,
            deadline: None,
        }
    }

    /// Follows everything.
    pub fn explore(&mut self, budget: &Budget) -> Result<(), Stop> {
        self.deadline = budget.deadline;
        // An arbitrary iteration of a loop of one stack says nothing of where the others are.
        if self.analyses.program().has_stacks() && !self.plan.cuts.is_empty() {
            return Err(Stop::Failed("loops of programs with several stacks are not cut"));
        }
        let state = self.sym.start();
        let (inductive_steps, open_claims, history) = (Vec::new(), Vec::new(), Arc::default());
        let run = Run {
            position: Position::start(&state),
            state,
            inductive_steps,
            open_claims,
            history,
            exits: Arc::default(),
        };
        if let Some(run) = self.arrive(run, true) {
            self.wait(run);
        }
        let mut until_poll = TUNING.symbolic_slice;
        let most_terms = (budget.memory / TUNING.term_bytes).clamp(1 << 16, u32::MAX as u64 / 2) as usize;
        while let Some((_, run)) = self.waitlist.pop_first() {
            self.follow(run, &mut until_poll, most_terms, budget);
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
        let Some(mut there) = self.waitlist.remove(&key) else {
            self.waitlist.insert(key, run);
            return;
        };
        let shape = self.analyses.shape(run.state.func());
        let (state, log) = self.sym.join(there.state, run.state, &shape.live);
        there.state = state;
        self.log.append(log);
        there.position.join(&run.position);
        for (x, y) in there.inductive_steps.iter_mut().zip(&run.inductive_steps) {
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
        join_exits(&mut there.exits, &run.exits);
        self.waitlist.insert(key, there);
    }

    /// Follows a state until it ends, splits, or others may come to where it is.
    fn follow(&mut self, mut run: Run, until_poll: &mut u32, most_terms: usize, budget: &Budget) {
        while self.stop.is_none() {
            *until_poll -= 1;
            if *until_poll == 0 {
                *until_poll = TUNING.symbolic_slice;
                self.stop = match (budget.is_over(), self.sym.terms.len() > most_terms) {
                    (true, _) => Some(Stop::Time),
                    (false, true) => Some(Stop::Memory),
                    (false, false) => None,
                };
            }
            if is_entering(&run) {
                return self.enter(run);
            }
            let (conditions, depth, stack) = (run.state.path.len(), run.state.depth(), run.state.current_stack());
            let step = self.sym.step(&mut run.state);
            self.log.append(if self.is_hypothesis(&run) { step.log.of_hypothesis() } else { step.log });
            match step.next {
                Next::Ended => return,
                Next::Moved => {
                    let by_constants = run.state.path.len() == conditions;
                    let has_returned = run.state.depth() < depth || run.state.current_stack() != stack;
                    let Some(on) = self.arrive(run, by_constants) else { return };
                    run = on;
                    let shape = self.analyses.shape(run.state.func());
                    let may_meet = has_returned || is_entering(&run) || shape.is_meeting(run.state.loc);
                    if may_meet && !self.waitlist.is_empty() {
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
    fn is_hypothesis(&self, run: &Run) -> bool {
        let is_before = |one: &LoopPosition<Mode>| one.tag == Mode::InductiveStep && one.iterations < self.plan.k;
        !run.inductive_steps.is_empty() && run.position.all_loops().any(is_before)
    }

    /// Brings a state up to date that has moved; `None` if it need not be followed further.
    fn arrive(&mut self, mut run: Run, by_constants: bool) -> Option<Run> {
        let func = run.state.func();
        let shape = self.analyses.shape(func);
        let movement = run.position.advance(&run.state, shape, by_constants, self.sym.terms.len(), &TUNING.counting);
        if movement.is_plain() {
            return Some(run);
        }
        let depth = run.position.depth();
        if movement.has_called
            && (run.position.recursion() > self.plan.bound.max(TUNING.min_recursion) || depth > TUNING.max_frames)
        {
            self.note_unfollowed(&run, None);
            return None;
        }
        // A call that no run makes would be followed to that depth, and so would all calls that it makes.
        if movement.has_called && run.position.recursion() > 0 && !self.is_feasible(&run) {
            return None;
        }
        self.leave(&mut run, &movement.left)?;
        for (id, is_at_head) in movement.entered {
            let is_cut = self.plan.cuts.get(&(func, id)).is_some_and(|cut| cut.threshold.counted == 0);
            if is_cut && !is_at_head {
                self.stop = Some(Stop::Failed("a loop is entered at a location other than its head"));
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

    /// Whether a solver finds a run that gets here, or does not know.
    fn is_feasible(&mut self, run: &Run) -> bool {
        let path = self.sound_path(run);
        self.feasibility.ask(&mut self.sym, path, TermId::bool(true), self.deadline)
    }

    fn note_unfollowed(&mut self, run: &Run, key: Option<LoopKey>) {
        let reached = self.sound_path(run);
        self.unfollowed.push((reached, key));
    }

    /// That a run gets to a state, and not by undefined behaviour, after which there is no run.
    fn sound_path(&mut self, run: &Run) -> TermId {
        let sound = self.sym.terms.not(run.state.fault);
        self.sym.terms.and(run.state.path.term(), sound)
    }

    /// Loops are left; `None` where an inductive step may not be.
    fn leave(&mut self, run: &mut Run, left: &[(usize, LoopPosition<Mode>)]) -> Option<()> {
        let is_left = |at: usize, id: LoopId| left.iter().any(|(depth, one)| (*depth, one.id) == (at, id));
        run.inductive_steps.retain(|s| !is_left(s.depth, s.id));
        run.open_claims.retain(|s| !is_left(s.depth, s.id));
        let (func, depth) = (run.state.func(), run.position.depth());
        for (_, one) in left.iter().filter(|(at, one)| *at + 1 == depth && one.tag == Mode::Plain) {
            let exit = vec![(one.iterations, run.state.path.term())];
            Arc::make_mut(&mut run.exits).insert((func, one.id), exit);
        }
        left.iter().all(|(_, one)| one.tag != Mode::InductiveStep || one.iterations >= self.plan.k).then_some(())
    }

    /// The head of a loop is met again.
    fn iterated(&mut self, mut run: Run, key: LoopKey) -> Option<Run> {
        let position = *run.position.get(key.1)?;
        let LoopPosition { iterations, counted, tag, .. } = position;
        let shape = self.analyses.shape(key.0);
        let k = self.plan.k;
        let waits = || counted <= TUNING.max_visits && self.claims.is_out_of_context(&run.state, &run.history, key);
        match tag {
            Mode::Entering => None,
            // Where paths are joined an iteration may count that did not on each of them: the loop is entered later.
            Mode::Plain if waits() => Some(run),
            Mode::Plain if self.plan.cuts.get(&key).is_some_and(|cut| cut.threshold.is_over(&position)) => {
                run.position.set_tag(key.1, Mode::Entering);
                Some(run)
            }
            Mode::Plain if counted > self.plan.bound => {
                self.note_unfollowed(&run, Some(key));
                None
            }
            Mode::Plain => Some(run),
            Mode::BaseCase if iterations < k => self.pass_claims(run, key, shape, false),
            Mode::BaseCase => {
                self.prove_claims(run, key, shape);
                None
            }
            Mode::InductiveStep => {
                self.learn(&run, key, shape);
                if iterations <= k {
                    return self.pass_claims(run, key, shape, true);
                }
                self.prove_claims(run, key, shape);
                None
            }
        }
    }

    /// Compares a state with those that its inductive step began with.
    fn learn(&mut self, run: &Run, key: LoopKey, shape: &FunctionShape) {
        let depth = run.position.depth() - 1;
        let step = run.inductive_steps.iter().rfind(|s| s.depth == depth && s.id == key.1);
        for first in step.map(|s| s.firsts.clone()).unwrap_or_default() {
            let (first, forgotten) = &*first;
            let mut changes = forgotten.clone();
            let (path, deadline) = (self.sound_path(run), self.deadline);
            let feasibility = &mut self.feasibility;
            let mut is_feasible = |sym: &mut Sym<'p>, differs: TermId| feasibility.ask(sym, path, differs, deadline);
            let question =
                &mut ChangeQuestion { about_scalars: self.plan.asks_of_scalars, is_feasible: &mut is_feasible };
            let learned = self.sym.note_feasible_changes(first, &run.state, &shape.live, &mut changes, question);
            match learned {
                Ok(false) => {}
                Ok(true) => {
                    self.has_new_changes = true;
                    if let Some(cut) = self.plan.cuts.get_mut(&key) {
                        cut.changes.merge(&changes);
                    }
                }
                Err(_) if !feasibility.ask(&mut self.sym, path, TermId::bool(true), deadline) => {}
                Err(_) => {
                    self.stop = Some(Stop::Failed("an iteration of a loop creates objects or ends their lifetimes"))
                }
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
        let mut step = run;
        let before = (&*step.history, &*step.exits);
        let claim = self.claims.at_entry(&mut self.sym, &step.state, before, self.plan.arrival, key);
        let claim = Arc::new(claim);
        step.open_claims.push(OpenClaim { depth, id, claims: vec![claim.clone()] });
        self.prove_claims(step.clone(), key, shape);
        step.position.set_tag(id, Mode::InductiveStep);
        if self.plan.k > 0 {
            // Both paths could be taken at once: a choice tells them apart.
            let choice = self.sym.terms.fresh_symbol("beginning", Sort::Bool);
            let mut base_case = step.clone();
            base_case.position.set_tag(id, Mode::BaseCase);
            base_case.state.path.push(choice, &mut self.sym.terms);
            if let Some(run) = self.pass_claims(base_case, key, shape, true) {
                self.wait(run);
            }
            let other = self.sym.terms.not(choice);
            step.state.path.push(other, &mut self.sym.terms);
        }
        let Some(cut) = self.plan.cuts.get_mut(&key) else { return };
        self.sym.forget(&mut step.state, &mut cut.changes);
        let first = Arc::new((step.state.clone(), cut.changes.clone()));
        self.claims.note_opened(&mut self.sym, &claim, &step.state, self.plan.arrival, &mut step.history);
        step.exits = Arc::default();
        step.inductive_steps.push(InductiveStep { depth, id, firsts: vec![first] });
        if let Some(run) = self.pass_claims(step, key, shape, true) {
            self.wait(run);
        }
    }

    /// Notes where the claims of a head do not hold, of a state that nobody follows further.
    fn prove_claims(&mut self, run: Run, key: LoopKey, shape: &FunctionShape) {
        match self.claimed(key) {
            Claimed::Nothing => {}
            Claimed::ByEdges(end) => drop(self.over_edges(&run, end, shape, false)),
            Claimed::ByFormulas => drop(self.over_formulas(run, key, false)),
        }
    }

    /// Takes a state from a head over its claims. Where they are assumed to hold, nothing is noted of them.
    fn pass_claims(&mut self, mut run: Run, key: LoopKey, shape: &FunctionShape, assumed: bool) -> Option<Run> {
        match self.claimed(key) {
            Claimed::Nothing => Some(run),
            Claimed::ByFormulas => self.over_formulas(run, key, assumed),
            Claimed::ByEdges(end) => {
                run.state = self.over_edges(&run, end, shape, assumed)?;
                // What follows the claims may be the head of an inner loop, or of this one again.
                self.arrive(run, true)
            }
        }
    }

    fn claimed(&self, key: LoopKey) -> Claimed {
        self.plan.cuts.get(&key).map_or(Claimed::Nothing, |cut| cut.claimed)
    }

    fn over_formulas(&mut self, mut run: Run, key: LoopKey, assumed: bool) -> Option<Run> {
        let assumed = assumed || self.is_hypothesis(&run);
        let depth = run.position.depth() - 1;
        let open = run.open_claims.iter().rfind(|open| open.depth == depth && open.id == key.1)?;
        let claims = open.claims.clone();
        let each: Vec<TermId> = claims.iter().map(|claim| self.claims.term(&mut self.sym, claim, &run.state)).collect();
        // A run has the claim of its own path in; where several were joined, all of them are proved.
        let holds = match assumed {
            true => self.sym.terms.or_all(each),
            false => self.sym.terms.and_all(each),
        };
        if !assumed {
            let (path, fails) = (self.sound_path(&run), self.sym.terms.not(holds));
            let violated_claims = self.sym.terms.and(path, fails);
            if violated_claims != TermId::bool(false) {
                self.violated_claims.push((violated_claims, key));
            }
        }
        run.state.path.push(holds, &mut self.sym.terms);
        (!run.state.path.is_impossible()).then_some(run)
    }

    /// The state behind the check edges of the claims at a head.
    fn over_edges(&mut self, run: &Run, end: Loc, shape: &FunctionShape, assumed: bool) -> Option<State> {
        // In an iteration of an outer loop in which nothing was broken, neither was a claim.
        let assumed = assumed || self.is_hypothesis(run);
        let depth = run.state.depth();
        let mut open = vec![(run.state.clone(), false)];
        let mut done: Option<State> = None;
        let mut paths = 0;
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
            paths += 1;
            if paths > TUNING.max_claim_paths || state.depth() != depth {
                self.stop = Some(Stop::Failed("an invariant has too many paths through it"));
                return None;
            }
            let step = self.sym.step(&mut state);
            self.log.append(if assumed { step.log.of_hypothesis() } else { step.log });
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

/// Whether paths may be taken on which something differs. An iteration has one path and many things that it may change: one
/// solver answers for all of them, so that the path becomes gates once.
struct Feasibility {
    solver: Box<dyn Solver>,
    /// Axioms that the solver has.
    fed: usize,
}

impl Feasibility {
    fn new(solvers: &SolverChoice) -> Feasibility {
        Feasibility { solver: solvers.solver(), fed: 0 }
    }

    /// Claims that were assumed are part of the path. What the solver does not decide counts as feasible.
    fn ask(&mut self, sym: &mut Sym, path: TermId, differs: TermId, deadline: Option<Instant>) -> bool {
        self.solver.set_limits(Limits { conflicts: Some(TUNING.pointer_conflicts), deadline, cancel: None });
        let solver = &mut self.solver;
        sym.feed_axioms(&mut self.fed, |terms, axiom| solver.assert(terms, axiom));
        self.solver.check(&mut sym.terms, &[path, differs]) != Outcome::Unsat
    }
}
