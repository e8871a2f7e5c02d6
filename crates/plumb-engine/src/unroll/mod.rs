//! Unrolling: all runs of the program up to a bound, as symbolic states that are joined where paths meet.
//!
//! **Idea.** States are taken in an order in which a loop's turns come one after the other and before what follows the loop,
//! a called function's before what follows the call ([`plumb_ir::analysis::order`]). A state that gets to a place where
//! another one of the same activation and turn waits is joined with it, so that there is one state for each place and turn,
//! not one for each path.
//!
//! **Bounds.** A turn of a loop counts if it was not constants alone that decided to stay; loops with known trip counts
//! are thus followed to their end, whatever the bound. A state that would exceed the bound is put aside, with all it has.
//! Raising the bound goes on from there: nothing is done twice, and terms already made stay. The same holds for
//! recursion: calls of a function that is active already count as turns.
//!
//! **Soundness.** When no state is left aside whose path is possible, the states were all that the program has.

pub mod abstraction;
pub(crate) mod shape;

use crate::budget::Budget;
use abstraction::{Abstraction, LoopKey, Window};
use plumb_ir::analysis::loops::LoopId;
use plumb_ir::program::{FuncId, Loc, Program};
use plumb_sym::{State, Step, Sym};
use rustc_hash::FxHashMap;
use shape::Shape;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Turns that constants decide are counted too, in such portions, so that a long loop does not keep everything else from
/// being looked at.
const FREE_TURNS: u32 = 20_000;
/// The same for turns in which terms are made: they cost more than a run does.
const FREE_SYMBOLIC_TURNS: u32 = 128;
/// The same for calls of a function that is active already.
const FREE_CALLS: u32 = 1_000;
/// A bound that is not reached: of loops with a bound of their own.
pub const NEVER: u32 = u32::MAX;
/// Terms have 32-bit names.
const MOST_TERMS: usize = 1 << 31;
/// Steps between two looks at the budget.
const SLICE: u32 = 512;

/// Progress in a loop around the place of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Turns {
    id: LoopId,
    /// All turns so far.
    all: u32,
    /// Those that count.
    counted: u32,
    /// In this turn constants have decided to stay.
    by_constants: bool,
    /// In this turn something else has.
    otherwise: bool,
    /// Terms that there were when the turn began.
    terms: usize,
    mode: Mode,
}

/// How a loop is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// From its beginning, as far as the bound allows.
    Plain,
    /// To be abstracted, once all ways that lead to it have met.
    Entering,
    /// From its beginning, for as many turns as the abstraction wants.
    Beginning,
    /// From any of its turns on.
    Window,
}

/// Where a frame is.
#[derive(Clone, Debug)]
struct Spot {
    loc: Loc,
    turns: Vec<Turns>,
    /// Conditions of the path when the function was entered.
    conditions: u32,
    /// Activations of the function below, as far as they count.
    recursion: u32,
}

/// A state with the turns of its loops, by frame.
#[derive(Clone)]
pub struct Run {
    pub state: State,
    spots: Vec<Spot>,
    /// Of the loops that are followed from any turn on, outer ones first.
    windows: Vec<Window>,
}

/// A state that the bound has stopped.
pub struct Aside {
    pub run: Run,
    /// Turns, or calls, that going on would need.
    pub wants: u32,
    /// The loop whose bound it was, if it was one's.
    pub at: Option<LoopKey>,
}

/// What came of a move.
enum Moved {
    On,
    /// The bound of a loop, or of recursion, does not allow it.
    Bound(Option<LoopKey>),
    /// Nobody wants to know where it leads.
    Gone,
    /// To a loop that is to be abstracted.
    Entered,
}

pub struct Unroller<'p> {
    pub sym: Sym<'p>,
    shapes: Vec<Option<Arc<Shape>>>,
    waiting: BTreeMap<Vec<u32>, Run>,
    pub aside: Vec<Aside>,
    pub abstraction: Option<Abstraction>,
    pub bound: u32,
    /// Loops with a bound of their own, which does not grow.
    pub fixed: FxHashMap<LoopKey, u32>,
    pub steps: u64,
    pub joins: u64,
}

/// Why the unrolling has paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// Every state has ended or is put aside.
    Bound,
    /// The budget is spent.
    Budget,
}

impl<'p> Unroller<'p> {
    pub fn new(program: &'p Program) -> Unroller<'p> {
        let mut sym = Sym::new(program);
        let state = sym.start();
        let spot = Spot { loc: state.loc, turns: Vec::new(), conditions: 0, recursion: 0 };
        let run = Run { state, spots: vec![spot], windows: Vec::new() };
        let shapes = vec![None; program.functions.len()];
        let aside = vec![Aside { run, wants: 0, at: None }];
        Unroller {
            sym,
            shapes,
            waiting: BTreeMap::new(),
            aside,
            abstraction: None,
            bound: 0,
            fixed: FxHashMap::default(),
            steps: 0,
            joins: 0,
        }
    }

    fn shape(&mut self, func: FuncId) -> Arc<Shape> {
        let program = self.sym.program;
        self.shapes[func.0 as usize].get_or_insert_with(|| Arc::new(Shape::of(program.function(func)))).clone()
    }

    /// Goes on from what was put aside, as far as the bound allows.
    pub fn unroll(&mut self, bound: u32, budget: &Budget) -> Pause {
        self.bound = bound;
        let aside = std::mem::take(&mut self.aside);
        for one in aside {
            if one.wants <= bound { self.wait(one.run) } else { self.aside.push(one) }
        }
        let mut until_look = SLICE;
        while let Some((_, run)) = self.waiting.pop_first() {
            if let Some(id) = run.entering() {
                self.enter_abstractly(run, id);
                continue;
            }
            if let Pause::Budget = self.follow(run, &mut until_look, budget) {
                return Pause::Budget;
            }
        }
        Pause::Bound
    }

    /// Puts a state where it will be taken in its turn, joined with the one that is there.
    fn wait(&mut self, run: Run) {
        let key = self.key(&run);
        match self.waiting.remove(&key) {
            Some(there) => {
                let live = self.shape(run.state.func());
                let state = self.sym.join(there.state, run.state, &live.live);
                let spots = join_spots(there.spots, &run.spots);
                self.joins += 1;
                let joined = Run { state, spots, windows: there.windows };
                self.waiting.insert(key, joined.join_windows(&run.windows, &live));
            }
            None => {
                self.waiting.insert(key, run);
            }
        }
    }

    /// The place in the order: by frame the loops around with their turns, the location, the activation.
    fn key(&mut self, run: &Run) -> Vec<u32> {
        let mut key = Vec::with_capacity(run.spots.len() * 3);
        for (frame, spot) in run.state.frames().zip(&run.spots) {
            let shape = self.shapes[frame.func.0 as usize].clone();
            let shape = match shape {
                Some(shape) => shape,
                None => self.shape(frame.func),
            };
            key.push(frame.activation);
            for turns in &spot.turns {
                key.push(shape.order.rank(shape.loops.get(turns.id).head));
                // Ways from the beginning and from anywhere are not the same turn.
                key.push(turns.all * 4 + turns.mode as u32);
            }
            key.push(shape.order.rank(spot.loc));
        }
        key
    }

    /// Follows a state until it ends, splits, or gets to a place where another may come.
    fn follow(&mut self, mut run: Run, until_look: &mut u32, budget: &Budget) -> Pause {
        loop {
            *until_look -= 1;
            if *until_look == 0 {
                *until_look = SLICE;
                if budget.is_over() || self.is_full(budget) {
                    self.wait(run);
                    return Pause::Budget;
                }
            }
            self.steps += 1;
            let (conditions, depth) = (run.state.path.len(), run.state.depth());
            let (obligations, faults) = (self.sym.obligations.len(), self.sym.faults.len());
            let step = self.sym.step(&mut run.state);
            if self.is_hypothesis(&run) {
                self.sym.obligations.truncate(obligations);
                self.sym.faults.truncate(faults);
            }
            match step {
                Step::Ended => return Pause::Bound,
                Step::Went => {
                    let by_constants = run.state.path.len() == conditions;
                    let Some(on) = self.settle(run, by_constants) else { return Pause::Bound };
                    run = on;
                    if self.may_meet(&run, run.state.depth() < depth) {
                        self.wait(run);
                        return Pause::Bound;
                    }
                }
                Step::Split(states) => {
                    for state in states {
                        let one = Run { state, spots: run.spots.clone(), windows: run.windows.clone() };
                        if let Some(one) = self.settle(one, false) {
                            self.wait(one);
                        }
                    }
                    return Pause::Bound;
                }
            }
        }
    }

    fn is_full(&self, budget: &Budget) -> bool {
        self.sym.terms.len() > MOST_TERMS || budget.is_full(self.sym.terms.heap_bytes() as u64)
    }

    /// Brings a state that has moved up to date. Gives it back if it simply goes on.
    fn settle(&mut self, mut run: Run, by_constants: bool) -> Option<Run> {
        match self.moved(&mut run, by_constants) {
            Moved::On => return Some(run),
            Moved::Gone => {}
            Moved::Bound(at) => {
                let is_fixed = at.is_some_and(|key| self.fixed.contains_key(&key));
                let wants = if is_fixed { NEVER } else { self.bound + 1 };
                self.aside.push(Aside { run, wants, at });
            }
            Moved::Entered => self.wait(run),
        }
        None
    }

    /// Whether another state may get to the place where this one is: where edges meet, and behind a call, from which
    /// other ways may still lead back.
    fn may_meet(&mut self, run: &Run, has_returned: bool) -> bool {
        let func = run.state.func();
        !self.waiting.is_empty() && (has_returned || self.shape(func).is_meeting(run.state.loc))
    }

    fn moved(&mut self, run: &mut Run, by_constants: bool) -> Moved {
        let depth = run.state.depth();
        if depth > run.spots.len() {
            let func = run.state.func();
            let below = run.state.frames().zip(&run.spots).rfind(|(frame, _)| frame.func == func);
            let conditions = run.state.path.len();
            let recursion = below.map_or(0, |(_, spot)| {
                let counts = conditions > spot.conditions || (depth as u32).is_multiple_of(FREE_CALLS);
                spot.recursion + u32::from(counts)
            });
            run.spots.push(Spot { loc: run.state.loc, turns: Vec::new(), conditions, recursion });
            return match self.arrive(run, Loc(u32::MAX), by_constants) {
                Moved::On if recursion > self.bound => Moved::Bound(None),
                moved => moved,
            };
        }
        if depth < run.spots.len() {
            let left = run.spots.pop().map(|spot| spot.turns).unwrap_or_default();
            if !self.may_leave(run, depth, &left) {
                return Moved::Gone;
            }
        }
        let from = run.spots.last().map_or(Loc(u32::MAX), |spot| spot.loc);
        self.arrive(run, from, by_constants)
    }

    /// The running frame has gone from one location to the one where its state is.
    fn arrive(&mut self, run: &mut Run, from: Loc, by_constants: bool) -> Moved {
        let func = run.state.func();
        let shape = self.shape(func);
        let to = run.state.loc;
        let known = from != Loc(u32::MAX);
        let Some(spot) = run.spots.last_mut() else { return Moved::On };
        spot.loc = to;
        if spot.turns.is_empty() && shape.around(to).is_empty() {
            return Moved::On;
        }
        if known {
            for id in shape.exits(from) {
                if let Some(turns) = spot.turns.iter_mut().find(|t| t.id == *id) {
                    turns.by_constants |= by_constants;
                    turns.otherwise |= !by_constants;
                }
            }
        }
        let before = std::mem::take(&mut spot.turns);
        let around = shape.around(to);
        let left: Vec<Turns> = before.iter().copied().filter(|t| !around.contains(&t.id)).collect();
        let depth = run.spots.len() - 1;
        if !self.may_leave(run, depth, &left) {
            return Moved::Gone;
        }
        let mut moved = Moved::On;
        let mut turns = Vec::with_capacity(around.len());
        for &id in around {
            let is_head = to == shape.loops.get(id).head;
            turns.push(match before.iter().find(|t| t.id == id) {
                Some(begun) if known && is_head => {
                    let next = self.next_turn(run, (func, id), begun, &shape);
                    if let Moved::Bound(_) | Moved::Gone = next.1 {
                        moved = next.1;
                    }
                    next.0
                }
                Some(begun) => *begun,
                None => {
                    let mut mode = Mode::Plain;
                    if self.is_abstract((func, id)) {
                        mode = Mode::Entering;
                        moved = if is_head { Moved::Entered } else { self.irreducible() };
                    }
                    let terms = self.sym.terms.len();
                    Turns { id, all: 0, counted: 0, by_constants: false, otherwise: false, terms, mode }
                }
            });
        }
        if let Some(spot) = run.spots.last_mut() {
            spot.turns = turns;
        }
        moved
    }

    fn bound_of(&self, key: LoopKey) -> u32 {
        self.fixed.get(&key).copied().unwrap_or(self.bound)
    }

    /// A loop's next turn begins.
    fn next_turn(&mut self, run: &Run, key: LoopKey, begun: &Turns, shape: &Shape) -> (Turns, Moved) {
        let is_free = begun.by_constants && !begun.otherwise;
        let terms = self.sym.terms.len();
        let portion = if terms > begun.terms { FREE_SYMBOLIC_TURNS } else { FREE_TURNS };
        let counted = begun.counted + u32::from(!is_free || begun.all % portion == portion - 1);
        let next = Turns { all: begun.all + 1, counted, by_constants: false, otherwise: false, terms, ..*begun };
        let moved = match begun.mode {
            Mode::Plain | Mode::Entering if counted > self.bound_of(key) || self.is_weary(key) => {
                Moved::Bound(Some(key))
            }
            Mode::Plain | Mode::Entering => Moved::On,
            Mode::Beginning | Mode::Window => self.next_abstract_turn(run, key, &next, shape),
        };
        (next, moved)
    }
}

/// Of two joined states: turns count if they do in one of them.
fn join_spots(mut a: Vec<Spot>, b: &[Spot]) -> Vec<Spot> {
    for (x, y) in a.iter_mut().zip(b) {
        for (x, y) in x.turns.iter_mut().zip(&y.turns) {
            x.counted = x.counted.max(y.counted);
            x.by_constants &= y.by_constants;
            x.otherwise |= y.otherwise;
        }
        x.recursion = x.recursion.max(y.recursion);
    }
    a
}
