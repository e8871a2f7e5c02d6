//! All runs of a program, with loops cut where the witness says what holds there.
//!
//! **Idea.** States are taken in an order in which those that can meet do ([`plumb_ir::analysis::order`]) and are joined there.
//! A loop that is *cut* is not followed turn by turn. At its entry its claims have to be shown; then everything that a
//! turn changes is forgotten, the claims are assumed, and one turn is followed, at whose end the claims have to be shown
//! again. What a turn changes is learned: where the head is met again, a state that differs from the forgetful one in more
//! than what was forgotten makes the whole exploration invalid, and the next one forgets more.
//!
//! With `k` above 0 the loop is followed from its entry for `k` turns, and from the forgetful state for `k + 1`. In the first
//! `k` of these nothing has to be shown but may be assumed to have been fine: in the run that breaks something first,
//! nothing was broken before. Such a stretch is left only in its last turn.
//!
//! **Claims** of a witness are check edges at the head, laid there from its text. To step over a check is to note what breaks it and
//! to assume it from there on; where claims are assumed, the note is thrown away. Those of a certificate are formulas about
//! the state at the head ([`super::claims`]), shown and assumed without a step.
//!
//! **Soundness.** Every run is followed as far as the first thing that it breaks, unless it is noted in [`Explorer::beyond`],
//! a gap, a doubt or a fault. The caller shows that there are none of these, or says which faults it supposes not to happen.

use super::claims::{Claims, Formulas, History, LoopClaim, join_histories};
use super::shape::Shape;
use plumb_engine::Budget;
use plumb_ir::analysis::loops::LoopId;
use plumb_ir::program::{FuncId, Loc, Program};
use plumb_sym::{Changes, State, Step, Sym};
use plumb_term::{Sort, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) type LoopKey = (FuncId, LoopId);

/// Turns that constants decide are counted as well, one of so many.
const FREE_TURNS: u32 = 20_000;
/// So many ways through the claims of one head are followed.
const MOST_WAYS: usize = 2_000;
/// Steps between two looks at the budget.
const SLICE: u32 = 256;
/// Bytes that a term takes, with all that is around it.
const TERM_BYTES: u64 = 512;

/// A loop that is cut.
#[derive(Clone, Debug, Default)]
pub(super) struct Cut {
    /// What a turn changes, as far as it is known.
    pub changes: Changes,
    pub claimed: Claimed,
    /// Turns that are followed before, not counting those that constants decide.
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
    /// How many turns other loops are followed, not counting those that constants decide.
    pub bound: u32,
    pub cuts: BTreeMap<LoopKey, Cut>,
    pub formulas: Arc<Formulas>,
}

/// How a loop is followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Mode {
    /// It is to be cut.
    Entering,
    /// Turn by turn.
    Plain,
    /// Turn by turn, for `k` turns.
    Beginning,
    /// From a forgetful state.
    Stretch,
}

#[derive(Clone, Copy, Debug)]
struct Turns {
    id: LoopId,
    turn: u32,
    counted: u32,
    by_constants: bool,
    otherwise: bool,
    mode: Mode,
}

/// Where a frame is.
#[derive(Clone, Debug)]
struct Spot {
    loc: Loc,
    loops: Vec<Turns>,
    /// Conditions on the path when the function was entered.
    conditions: u32,
    recursion: u32,
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
    spots: Vec<Spot>,
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
    pub plan: Plan,
    /// A turn changes more than was forgotten: this exploration proves nothing, the next one knows more.
    pub has_learned: bool,
    /// Runs that go on where nobody has followed them, and the loop that they are in.
    pub beyond: Vec<(TermId, Option<LoopKey>)>,
    /// Runs that get to a head whose claims, by formulas, do not hold.
    pub lost: Vec<(TermId, LoopKey)>,
    claims: Claims,
    shapes: Vec<Option<Arc<Shape>>>,
    waiting: BTreeMap<Vec<u32>, Run>,
    stop: Option<Stop>,
}

impl<'p> Explorer<'p> {
    pub fn new(program: &'p Program, plan: Plan) -> Explorer<'p> {
        let mut sym = Sym::new(program);
        let claims = Claims::import(&plan.formulas, &mut sym.terms);
        Explorer {
            sym,
            plan,
            lost: Vec::new(),
            claims,
            has_learned: false,
            beyond: Vec::new(),
            shapes: vec![None; program.functions.len()],
            waiting: BTreeMap::new(),
            stop: None,
        }
    }

    /// Follows everything.
    pub fn explore(&mut self, budget: &Budget) -> Result<(), Stop> {
        let state = self.sym.start();
        let spot = Spot { loc: state.loc, loops: Vec::new(), conditions: 0, recursion: 0 };
        let (stretches, open_claims, history) = (Vec::new(), Vec::new(), Arc::default());
        let run = Run { state, spots: vec![spot], stretches, open_claims, history };
        // The start may be a loop's head.
        if let Some(run) = self.settle(run, None) {
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

    fn shape(&mut self, func: FuncId) -> Arc<Shape> {
        let program = self.sym.program;
        self.shapes[func.0 as usize].get_or_insert_with(|| Arc::new(Shape::of(program.function(func)))).clone()
    }

    /// Frames, the turns of the loops around them, and locations, outer ones first.
    fn key(&mut self, run: &Run) -> Vec<u32> {
        let mut key = Vec::new();
        let frames: Vec<(FuncId, u32)> = run.state.frames().map(|frame| (frame.func, frame.activation)).collect();
        for ((func, activation), spot) in frames.into_iter().zip(&run.spots) {
            let shape = self.shape(func);
            key.push(activation);
            for turns in &spot.loops {
                key.push(shape.order.rank(shape.head(turns.id)));
                key.push(turns.turn * 4 + turns.mode as u32);
            }
            key.push(shape.order.rank(spot.loc));
        }
        key
    }

    /// Puts a state where it is taken in its turn, joined with the one that is there.
    fn wait(&mut self, run: Run) {
        let key = self.key(&run);
        let Some(mut there) = self.waiting.remove(&key) else {
            self.waiting.insert(key, run);
            return;
        };
        let shape = self.shape(run.state.func());
        there.state = self.sym.join(there.state, run.state, &shape.live);
        for (x, y) in there.spots.iter_mut().zip(&run.spots) {
            for (x, y) in x.loops.iter_mut().zip(&y.loops) {
                x.counted = x.counted.max(y.counted);
                x.by_constants &= y.by_constants;
                x.otherwise |= y.otherwise;
            }
            x.recursion = x.recursion.max(y.recursion);
        }
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
            let noted = (self.sym.obligations.len(), self.sym.faults.len());
            let from = run.state.loc;
            let step = self.sym.step(&mut run.state);
            if self.is_supposed(&run) {
                self.sym.obligations.truncate(noted.0);
                self.sym.faults.truncate(noted.1);
            }
            match step {
                Step::Ended => return,
                Step::Went => {
                    let by_constants = run.state.path.len() == conditions;
                    self.note_decision(&mut run, depth, from, by_constants);
                    let has_returned = run.state.depth() < depth;
                    let Some(on) = self.arrive(run) else { return };
                    run = on;
                    let shape = self.shape(run.state.func());
                    let may_meet = has_returned || is_entering(&run) || shape.is_meeting(run.state.loc);
                    if may_meet && !self.waiting.is_empty() {
                        return self.wait(run);
                    }
                }
                Step::Split(states) => {
                    self.note_decision(&mut run, depth, from, false);
                    for state in states {
                        let one = Run { state, ..run.clone() };
                        if let Some(one) = self.arrive(one) {
                            self.wait(one);
                        }
                    }
                    return;
                }
            }
        }
    }

    /// Whether a state is in a turn in which nothing was broken.
    fn is_supposed(&self, run: &Run) -> bool {
        let mut loops = run.spots.iter().flat_map(|spot| &spot.loops);
        !run.stretches.is_empty() && loops.any(|t| t.mode == Mode::Stretch && t.turn < self.plan.k)
    }

    /// Notes for the loops around what decided to stay or to leave.
    fn note_decision(&mut self, run: &mut Run, depth: usize, from: Loc, by_constants: bool) {
        let Some(spot) = run.spots.get_mut(depth - 1).filter(|spot| !spot.loops.is_empty()) else { return };
        let Some(func) = run.state.frames().nth(depth - 1).map(|frame| frame.func) else { return };
        let shape = self.shape(func);
        let function = self.sym.program.function(func);
        for turns in &mut spot.loops {
            if shape.decides(function, from, turns.id) {
                turns.by_constants |= by_constants;
                turns.otherwise |= !by_constants;
            }
        }
    }

    /// Brings a state up to date that has moved; `None` if it need not be followed further.
    fn arrive(&mut self, mut run: Run) -> Option<Run> {
        let depth = run.state.depth();
        if depth > run.spots.len() {
            self.push_spot(&mut run)?;
            return self.settle(run, None);
        }
        if depth < run.spots.len() {
            let left = run.spots.pop().map(|spot| spot.loops).unwrap_or_default();
            self.leave(&mut run, depth, &left)?;
        }
        let from = run.spots.last().map(|spot| spot.loc);
        self.settle(run, from)
    }

    fn push_spot(&mut self, run: &mut Run) -> Option<()> {
        let (func, conditions) = (run.state.func(), run.state.path.len());
        let below = run.state.frames().zip(&run.spots).rfind(|(frame, _)| frame.func == func);
        let recursion = below.map_or(0, |(_, spot)| spot.recursion + u32::from(conditions > spot.conditions));
        let depth = run.spots.len() as u32;
        run.spots.push(Spot { loc: run.state.loc, loops: Vec::new(), conditions, recursion });
        if recursion > self.plan.bound.max(8) || depth > 2_000 {
            self.note_beyond(run, None);
            return None;
        }
        Some(())
    }

    fn note_beyond(&mut self, run: &Run, key: Option<LoopKey>) {
        let sound = self.sym.terms.not(run.state.fault);
        let reached = self.sym.terms.and(run.state.path.term(), sound);
        self.beyond.push((reached, key));
    }

    /// Loops of a frame are left; `None` where a stretch may not be.
    fn leave(&mut self, run: &mut Run, depth: usize, left: &[Turns]) -> Option<()> {
        run.stretches.retain(|s| s.depth != depth || left.iter().all(|t| t.id != s.id));
        run.open_claims.retain(|s| s.depth != depth || left.iter().all(|t| t.id != s.id));
        left.iter().all(|t| t.mode != Mode::Stretch || t.turn >= self.plan.k).then_some(())
    }

    /// The running frame has come from a location to the one where its state is.
    fn settle(&mut self, mut run: Run, from: Option<Loc>) -> Option<Run> {
        let (func, to) = (run.state.func(), run.state.loc);
        let shape = self.shape(func);
        let depth = run.spots.len() - 1;
        let spot = &mut run.spots[depth];
        spot.loc = to;
        let around = shape.around(to);
        if spot.loops.is_empty() && around.is_empty() {
            return Some(run);
        }
        let before = std::mem::take(&mut spot.loops);
        let left: Vec<Turns> = before.iter().copied().filter(|t| !around.contains(&t.id)).collect();
        self.leave(&mut run, depth, &left)?;
        let mut again = None;
        for &id in around {
            let is_head = to == shape.head(id);
            let is_cut = self.plan.cuts.get(&(func, id)).is_some_and(|cut| cut.threshold == 0);
            let turns = match before.iter().find(|t| t.id == id) {
                Some(begun) if is_head && from.is_some() => {
                    again = Some(id);
                    *begun
                }
                Some(begun) => *begun,
                None if is_cut && !is_head => {
                    self.stop = Some(Stop::Failed("a loop is entered elsewhere than at its head"));
                    return None;
                }
                None => {
                    let mode = if is_cut { Mode::Entering } else { Mode::Plain };
                    Turns { id, turn: 0, counted: 0, by_constants: false, otherwise: false, mode }
                }
            };
            run.spots[depth].loops.push(turns);
        }
        match again {
            Some(id) => self.next_turn(run, (func, id), &shape),
            None => Some(run),
        }
    }

    /// The head of a loop is met again.
    fn next_turn(&mut self, mut run: Run, key: LoopKey, shape: &Shape) -> Option<Run> {
        let turns = run.spots.last_mut()?.loops.iter_mut().find(|t| t.id == key.1)?;
        let is_free = turns.by_constants && !turns.otherwise;
        turns.turn += 1;
        turns.counted += u32::from(!is_free || turns.turn % FREE_TURNS == 0);
        (turns.by_constants, turns.otherwise) = (false, false);
        let Turns { turn, counted, mode, .. } = *turns;
        let k = self.plan.k;
        match mode {
            Mode::Entering => None,
            Mode::Plain if self.plan.cuts.get(&key).is_some_and(|cut| counted >= cut.threshold) => {
                set_mode(&mut run, key.1, Mode::Entering);
                Some(run)
            }
            Mode::Plain if counted > self.plan.bound => {
                self.note_beyond(&run, Some(key));
                None
            }
            Mode::Plain => Some(run),
            Mode::Beginning if turn < k => self.pass_claims(run, key, shape, false),
            Mode::Beginning => {
                self.show_claims(run, key, shape);
                None
            }
            Mode::Stretch => {
                self.learn(&run, key, shape);
                if turn <= k {
                    return self.pass_claims(run, key, shape, true);
                }
                self.show_claims(run, key, shape);
                None
            }
        }
    }

    /// Compares a state with those that its stretch began with.
    fn learn(&mut self, run: &Run, key: LoopKey, shape: &Shape) {
        let depth = run.spots.len() - 1;
        let stretch = run.stretches.iter().rfind(|s| s.depth == depth && s.id == key.1);
        for first in stretch.map(|s| s.firsts.clone()).unwrap_or_default() {
            let (first, forgotten) = &*first;
            let mut changes = forgotten.clone();
            match self.sym.note_changes(first, &run.state, &shape.live, &mut changes) {
                Ok(false) => {}
                Ok(true) => {
                    self.has_learned = true;
                    if let Some(cut) = self.plan.cuts.get_mut(&key) {
                        cut.changes.merge(&changes);
                    }
                }
                Err(_) => self.stop = Some(Stop::Failed("a turn of a loop makes or ends objects")),
            }
        }
    }

    /// Cuts a loop at whose head a state is.
    fn enter(&mut self, run: Run) {
        let func = run.state.func();
        let depth = run.spots.len() - 1;
        let Some(id) = run.spots[depth].loops.iter().find(|t| t.mode == Mode::Entering).map(|t| t.id) else { return };
        let key = (func, id);
        let shape = self.shape(func);
        let mut stretch = run;
        let claim = self.claims.at_entry(&mut self.sym, &stretch.state, &stretch.history, key);
        let claim = Arc::new(claim);
        stretch.open_claims.push(OpenClaim { depth, id, claims: vec![claim.clone()] });
        self.show_claims(stretch.clone(), key, &shape);
        set_mode(&mut stretch, id, Mode::Stretch);
        if self.plan.k > 0 {
            // Both ways could be taken at once: a choice tells them apart.
            let choice = self.sym.terms.fresh_symbol("beginning", Sort::Bool);
            let mut beginning = stretch.clone();
            set_mode(&mut beginning, id, Mode::Beginning);
            beginning.state.path.push(choice, &mut self.sym.terms);
            if let Some(run) = self.pass_claims(beginning, key, &shape, true) {
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
        if let Some(run) = self.pass_claims(stretch, key, &shape, true) {
            self.wait(run);
        }
    }

    /// Notes where the claims of a head do not hold, of a state that nobody follows further.
    fn show_claims(&mut self, run: Run, key: LoopKey, shape: &Shape) {
        match self.claimed(key) {
            Claimed::Nothing => {}
            Claimed::ByEdges(end) => drop(self.over_edges(&run, end, shape, false)),
            Claimed::ByFormulas => drop(self.over_formulas(run, key, false)),
        }
    }

    /// Takes a state from a head over its claims. Where they are supposed to hold, nothing is noted of them.
    fn pass_claims(&mut self, mut run: Run, key: LoopKey, shape: &Shape, supposed: bool) -> Option<Run> {
        match self.claimed(key) {
            Claimed::Nothing => Some(run),
            Claimed::ByFormulas => self.over_formulas(run, key, supposed),
            Claimed::ByEdges(end) => {
                run.state = self.over_edges(&run, end, shape, supposed)?;
                // What follows the claims may be the head of an inner loop, or of this one again.
                let head = shape.head(key.1);
                self.settle(run, Some(head))
            }
        }
    }

    fn claimed(&self, key: LoopKey) -> Claimed {
        self.plan.cuts.get(&key).map_or(Claimed::Nothing, |cut| cut.claimed)
    }

    fn over_formulas(&mut self, mut run: Run, key: LoopKey, supposed: bool) -> Option<Run> {
        let supposed = supposed || self.is_supposed(&run);
        let depth = run.spots.len() - 1;
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
    fn over_edges(&mut self, run: &Run, end: Loc, shape: &Shape, supposed: bool) -> Option<State> {
        // In a turn of an outer loop in which nothing was broken, neither was a claim.
        let supposed = supposed || self.is_supposed(run);
        let noted = (self.sym.obligations.len(), self.sym.faults.len());
        let depth = run.state.depth();
        let mut open = vec![(run.state.clone(), false)];
        let mut done: Option<State> = None;
        let mut ways = 0;
        while let Some((mut state, has_moved)) = open.pop() {
            if has_moved && state.loc == end {
                done = Some(match done {
                    Some(other) => self.sym.join(other, state, &shape.live),
                    None => state,
                });
                continue;
            }
            ways += 1;
            if ways > MOST_WAYS || state.depth() != depth {
                self.stop = Some(Stop::Failed("an invariant has too many ways through it"));
                return None;
            }
            match self.sym.step(&mut state) {
                Step::Ended => {}
                Step::Went => open.push((state, true)),
                Step::Split(states) => open.extend(states.into_iter().map(|state| (state, true))),
            }
        }
        if supposed {
            self.sym.obligations.truncate(noted.0);
            self.sym.faults.truncate(noted.1);
        }
        done
    }
}

fn is_entering(run: &Run) -> bool {
    run.spots.last().is_some_and(|spot| spot.loops.iter().any(|t| t.mode == Mode::Entering))
}

fn set_mode(run: &mut Run, id: LoopId, mode: Mode) {
    if let Some(turns) = run.spots.last_mut().and_then(|s| s.loops.iter_mut().find(|t| t.id == id)) {
        turns.mode = mode;
    }
}
