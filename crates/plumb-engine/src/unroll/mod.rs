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

use crate::budget::Budget;
use abstraction::{Abstraction, Window};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_sym::{Counting, EventLog, Next, Position, State, Sym};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Of iterations and calls that constants decide. A bound of 1 thus covers loops of up to 20,000 iterations of known number.
const COUNTING: Counting =
    Counting { free_iterations: 20_000, free_symbolic_iterations: 128, free_conditions: u32::MAX, free_calls: 1_000 };
/// A bound that is not reached: of loops with a bound of their own.
pub const NEVER: u32 = u32::MAX;
/// Terms have 32-bit names.
const MOST_TERMS: usize = 1 << 31;
/// Steps between two looks at the budget.
const SLICE: u32 = 512;

/// How a loop is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Mode {
    /// From its beginning, as far as the bound allows.
    #[default]
    Plain,
    /// To be abstracted, once all ways that lead to it have met.
    Entering,
    /// From its beginning, for as many turns as the abstraction wants.
    Beginning,
    /// From any of its turns on.
    Window,
}

/// A state with its position in the nest of calls and loops.
#[derive(Clone)]
pub struct Run {
    pub state: State,
    position: Position<Mode>,
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
    /// What has happened, hypotheses left out.
    pub log: EventLog,
    analyses: &'p Analyses,
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
    pub fn new(analyses: &'p Analyses) -> Unroller<'p> {
        let mut sym = Sym::new(analyses.program());
        let state = sym.start();
        let run = Run { position: Position::start(&state), state, windows: Vec::new() };
        Unroller {
            sym,
            log: EventLog::default(),
            analyses,
            waiting: BTreeMap::new(),
            aside: vec![Aside { run, wants: 0, at: None }],
            abstraction: None,
            bound: 0,
            fixed: FxHashMap::default(),
            steps: 0,
            joins: 0,
        }
    }

    /// Goes on from what was put aside, as far as the bound allows.
    pub fn unroll(&mut self, bound: u32, budget: &Budget) -> Pause {
        let _span = tracing::info_span!("unwinding").entered();
        self.bound = bound;
        let (steps, joins) = (self.steps, self.joins);
        let pause = self.unwind(bound, budget);
        tracing::info!(symbolic_steps = self.steps - steps, joins = self.joins - joins);
        pause
    }

    fn unwind(&mut self, bound: u32, budget: &Budget) -> Pause {
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
                let shape = self.analyses.shape(run.state.func());
                let (state, log) = self.sym.join(there.state, run.state, &shape.live);
                self.log.append(log);
                let mut position = there.position;
                position.join(&run.position);
                self.joins += 1;
                let joined = Run { state, position, windows: there.windows };
                self.waiting.insert(key, joined.join_windows(&run.windows, shape));
            }
            None => {
                self.waiting.insert(key, run);
            }
        }
    }

    /// The place in the order in which states are taken. Iterations from the beginning and from anywhere are not the same.
    fn key(&self, run: &Run) -> Vec<u32> {
        run.position.order_key(&run.state, self.analyses, |one| one.iterations * 4 + one.tag as u32)
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
            let step = self.sym.step(&mut run.state);
            if !step.log.is_empty() {
                self.log.append(if self.is_hypothesis(&run) { step.log.of_hypothesis() } else { step.log });
            }
            match step.next {
                Next::Ended => return Pause::Bound,
                Next::Moved => {
                    let by_constants = run.state.path.len() == conditions;
                    let Some(on) = self.settle(run, by_constants) else { return Pause::Bound };
                    run = on;
                    if self.may_meet(&run, run.state.depth() < depth) {
                        self.wait(run);
                        return Pause::Bound;
                    }
                }
                Next::Split(states) => {
                    for state in states {
                        let one = Run { state, position: run.position.clone(), windows: run.windows.clone() };
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
    fn may_meet(&self, run: &Run, has_returned: bool) -> bool {
        let shape = self.analyses.shape(run.state.func());
        !self.waiting.is_empty() && (has_returned || shape.is_meeting(run.state.loc))
    }

    fn moved(&mut self, run: &mut Run, by_constants: bool) -> Moved {
        let func = run.state.func();
        let shape = self.analyses.shape(func);
        let movement = run.position.advance(&run.state, shape, by_constants, self.sym.terms.len(), &COUNTING);
        if movement.is_plain() {
            return Moved::On;
        }
        if !self.may_leave(run, &movement.left) {
            return Moved::Gone;
        }
        for (id, is_at_head) in movement.entered {
            if self.is_abstract((func, id)) {
                run.position.set_tag(id, Mode::Entering);
                return if is_at_head { Moved::Entered } else { self.irreducible() };
            }
        }
        match movement.iterated {
            Some(id) => self.iterated(run, (func, id)),
            None if movement.has_called && run.position.recursion() > self.bound => Moved::Bound(None),
            None => Moved::On,
        }
    }

    fn bound_of(&self, key: LoopKey) -> u32 {
        self.fixed.get(&key).copied().unwrap_or(self.bound)
    }

    /// A loop's next iteration begins.
    fn iterated(&mut self, run: &Run, key: LoopKey) -> Moved {
        let Some(one) = run.position.get(key.1) else { return Moved::On };
        match one.tag {
            Mode::Plain | Mode::Entering if one.counted > self.bound_of(key) || self.is_weary(key) => {
                Moved::Bound(Some(key))
            }
            Mode::Plain | Mode::Entering => Moved::On,
            Mode::Beginning | Mode::Window => self.next_abstract_turn(run, key, one.tag, one.iterations),
        }
    }
}

#[cfg(test)]
mod tests;
