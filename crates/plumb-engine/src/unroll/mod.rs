//! Unwinding: all runs of the program up to a bound, as symbolic states that are joined where paths meet.
//!
//! **Idea.** The waitlist is ordered so that a loop's iterations come one after the other and before what follows the loop, a
//! called function before what follows the call ([`plumb_ir::analysis::order`]). A state that reaches a location where another
//! one of the same activation and iteration waits is joined with it: there is one state for each location and iteration, not
//! one for each path.
//!
//! **Bounds.** An iteration counts if it was not constants alone that decided to stay in the loop; loops with known trip counts
//! are thus followed to their end, whatever the bound. A state that would exceed the bound joins the *frontier*. A larger
//! bound goes on from there: nothing is done twice, and terms already made stay. The same holds for recursion: calls of a
//! function that is active already count as iterations.
//!
//! **Soundness.** When no state of the frontier is feasible, the states cover all runs of the program.

pub mod abstraction;

use crate::budget::Budget;
use abstraction::{Abstraction, InductiveStep};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::forward::Locations;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::program::{EdgeId, FuncId, Loc};
use plumb_sym::{EventLog, Next, Position, State, Sym};
use plumb_term::TermId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tuning::TUNING;

/// A bound that is not reached: of loops with a bound of their own.
pub const NEVER: u32 = u32::MAX;

/// How a loop is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Mode {
    /// From its beginning, as far as the bound allows.
    #[default]
    Plain,
    /// To be abstracted, once all paths that lead to it have met.
    Entering,
    /// The base case of the induction: from its beginning, for `k` iterations.
    BaseCase,
    /// The inductive step: from an arbitrary iteration on.
    InductiveStep,
}

/// A state with its position in the nest of calls and loops.
#[derive(Clone)]
pub struct Run {
    pub state: State,
    position: Position<Mode>,
    /// Of the loops that are in the inductive step, outer ones first.
    steps_in_progress: Vec<InductiveStep>,
}

/// A state that the bound has stopped.
pub struct FrontierState {
    pub run: Run,
    /// The bound with which it can go on.
    pub needs_bound: u32,
    /// The loop whose bound it was, if it was one's.
    pub at: Option<LoopKey>,
}

/// How a state goes on after a step.
enum Moved {
    On,
    /// The bound of a loop, or of recursion, does not allow it.
    Bound(Option<LoopKey>),
    /// Other states cover where it leads.
    Dropped,
    /// To a loop that is to be abstracted.
    Entered,
}

pub struct Unroller<'p> {
    pub sym: Sym<'p>,
    /// What has happened, hypotheses left out.
    pub log: EventLog,
    analyses: &'p Analyses,
    waitlist: BTreeMap<Vec<u32>, Run>,
    pub frontier: Vec<FrontierState>,
    pub abstraction: Option<Abstraction>,
    pub bound: u32,
    /// How many terms there may be before unwinding pauses.
    pub pause_at: usize,
    /// Loops with a bound of their own, which does not grow.
    pub fixed: FxHashMap<LoopKey, u32>,
    /// The bound, which does not grow either, of the iterations of a loop within an iteration of another.
    pub nested: Option<u32>,
    pub seen: Seen,
}

/// What states have come to so far.
pub struct Seen {
    /// Locations that they have been at.
    pub visited: Locations,
    /// Branches that they have taken, each with the path condition behind it, of the last time.
    pub branches: FxHashMap<(FuncId, EdgeId), TermId>,
    /// The most iterations of each loop that one has begun.
    pub iterations: FxHashMap<LoopKey, u32>,
    pub steps: u64,
    pub joins: u64,
}

/// Why unwinding has paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// Every state has ended or is in the frontier.
    Bound,
    /// There are as many terms as were to be made before somebody looks at them. The next call goes on.
    Terms,
    /// The budget is spent.
    Budget,
}

impl<'p> Unroller<'p> {
    pub fn new(analyses: &'p Analyses) -> Unroller<'p> {
        let mut sym = Sym::new(analyses.program());
        let state = sym.start();
        let run = Run { position: Position::start(&state), state, steps_in_progress: Vec::new() };
        Unroller {
            sym,
            log: EventLog::default(),
            analyses,
            waitlist: BTreeMap::new(),
            frontier: vec![FrontierState { run, needs_bound: 0, at: None }],
            abstraction: None,
            bound: 0,
            pause_at: usize::MAX,
            fixed: FxHashMap::default(),
            nested: None,
            seen: Seen {
                visited: Locations::none(analyses.program()),
                branches: FxHashMap::default(),
                iterations: FxHashMap::default(),
                steps: 0,
                joins: 0,
            },
        }
    }

    /// Goes on from the frontier, as far as the bound allows.
    pub fn unroll(&mut self, bound: u32, budget: &Budget) -> Pause {
        let _span = tracing::info_span!("unwinding").entered();
        self.bound = bound;
        let (steps, joins) = (self.seen.steps, self.seen.joins);
        let pause = self.unwind(bound, budget);
        tracing::info!(symbolic_steps = self.seen.steps - steps, joins = self.seen.joins - joins);
        pause
    }

    fn unwind(&mut self, bound: u32, budget: &Budget) -> Pause {
        let frontier = std::mem::take(&mut self.frontier);
        for one in frontier {
            if one.needs_bound <= bound { self.enqueue(one.run) } else { self.frontier.push(one) }
        }
        let mut until_poll = TUNING.slice;
        while let Some((_, run)) = self.waitlist.pop_first() {
            if let Some(id) = run.entering() {
                self.abstract_loop(run, id);
                continue;
            }
            match self.follow(run, &mut until_poll, budget) {
                Pause::Bound => {}
                early @ (Pause::Terms | Pause::Budget) => return early,
            }
        }
        Pause::Bound
    }

    /// Puts a state on the waitlist, joined with the one that waits at its location.
    fn enqueue(&mut self, run: Run) {
        let key = self.key(&run);
        match self.waitlist.remove(&key) {
            Some(there) => {
                let shape = self.analyses.shape(run.state.func());
                let (state, log) = self.sym.join(there.state, run.state, &shape.live);
                self.log.append(log);
                let mut position = there.position;
                position.join(&run.position);
                self.seen.joins += 1;
                let joined = Run { state, position, steps_in_progress: there.steps_in_progress };
                self.waitlist.insert(key, joined.join_steps(&run.steps_in_progress, shape));
            }
            None => {
                self.waitlist.insert(key, run);
            }
        }
    }

    /// The place in the order of the waitlist. Iterations of the base case and of the inductive step are not the same.
    fn key(&self, run: &Run) -> Vec<u32> {
        run.position.order_key(&run.state, self.analyses, |one| one.iterations * 4 + one.tag as u32)
    }

    /// Follows a state until it ends, splits, or reaches a join point.
    fn follow(&mut self, mut run: Run, until_poll: &mut u32, budget: &Budget) -> Pause {
        loop {
            *until_poll -= 1;
            if *until_poll == 0 {
                *until_poll = TUNING.slice;
                let early = match () {
                    _ if budget.is_over() || self.is_full(budget) => Some(Pause::Budget),
                    _ if self.sym.terms.len() > self.pause_at => Some(Pause::Terms),
                    _ => None,
                };
                if let Some(pause) = early {
                    self.enqueue(run);
                    return pause;
                }
            }
            self.seen.steps += 1;
            let from = (run.state.func(), run.state.loc);
            self.seen.visited.insert(from.0, from.1);
            let (conditions, depth, stack) = (run.state.path.len(), run.state.depth(), run.state.current_stack());
            let step = self.sym.step(&mut run.state);
            if !step.log.is_empty() {
                self.log.append(if self.is_hypothesis(&run) { step.log.of_hypothesis() } else { step.log });
            }
            match step.next {
                Next::Ended => return Pause::Bound,
                Next::Moved => {
                    let by_constants = run.state.path.len() == conditions;
                    let Some(on) = self.dispatch(run, by_constants) else { return Pause::Bound };
                    run = on;
                    let has_returned = run.state.depth() < depth || run.state.current_stack() != stack;
                    if self.is_join_point(&run, has_returned) {
                        self.enqueue(run);
                        return Pause::Bound;
                    }
                }
                Next::Split(states) => {
                    for state in states {
                        self.note_branch(from, &state);
                        let one = Run {
                            state,
                            position: run.position.clone(),
                            steps_in_progress: run.steps_in_progress.clone(),
                        };
                        if let Some(one) = self.dispatch(one, false) {
                            self.enqueue(one);
                        }
                    }
                    return Pause::Bound;
                }
            }
        }
    }

    /// Notes the branch that a state has taken, unless it is a call.
    fn note_branch(&mut self, (func, loc): (FuncId, Loc), state: &State) {
        let function = self.analyses.program().function(func);
        let taken = function.out_edges(loc).find(|edge| state.func() == func && function.edge(*edge).to == state.loc);
        if let (Some(edge), None) = (taken, &self.abstraction) {
            self.seen.branches.insert((func, edge), state.path.term());
        }
    }

    fn is_full(&self, budget: &Budget) -> bool {
        self.sym.terms.len() > TUNING.max_terms || budget.is_full(self.sym.terms.heap_bytes() as u64)
    }

    /// Updates the position of a state that has moved. Gives it back if it simply goes on.
    fn dispatch(&mut self, mut run: Run, by_constants: bool) -> Option<Run> {
        match self.moved(&mut run, by_constants) {
            Moved::On => return Some(run),
            Moved::Dropped => {}
            Moved::Bound(at) => {
                let is_fixed = at.is_some_and(|key| self.fixed_bound(&run, key).is_some());
                let needs_bound = if is_fixed { NEVER } else { self.bound + 1 };
                self.frontier.push(FrontierState { run, needs_bound, at });
            }
            Moved::Entered => self.enqueue(run),
        }
        None
    }

    /// Whether another state may reach the same location: where edges meet, and behind a call or a switch of stacks, from which
    /// other paths may still return.
    fn is_join_point(&self, run: &Run, has_returned: bool) -> bool {
        let shape = self.analyses.shape(run.state.func());
        !self.waitlist.is_empty() && (has_returned || shape.is_meeting(run.state.loc))
    }

    fn moved(&mut self, run: &mut Run, by_constants: bool) -> Moved {
        let func = run.state.func();
        let shape = self.analyses.shape(func);
        let movement = run.position.advance(&run.state, shape, by_constants, self.sym.terms.len(), &TUNING.counting);
        if movement.is_plain() {
            return Moved::On;
        }
        if !self.may_leave(run, &movement.left) {
            return Moved::Dropped;
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

    /// How often a loop may iterate, if that does not grow with the bound.
    fn fixed_bound(&self, run: &Run, key: LoopKey) -> Option<u32> {
        let nested = self.nested.filter(|_| run.position.is_nested(key.1));
        self.fixed.get(&key).copied().or(nested)
    }

    /// A loop's next iteration begins.
    fn iterated(&mut self, run: &Run, key: LoopKey) -> Moved {
        let Some(one) = run.position.get(key.1) else { return Moved::On };
        let most = self.seen.iterations.entry(key).or_default();
        *most = one.iterations.max(*most);
        match one.tag {
            Mode::Plain | Mode::Entering => {
                let bound = self.fixed_bound(run, key).unwrap_or(self.bound);
                let is_over = one.counted > bound || self.exceeds_iterations(key);
                if is_over { Moved::Bound(Some(key)) } else { Moved::On }
            }
            Mode::BaseCase | Mode::InductiveStep => self.next_abstract_iteration(run, key, one.tag, one.iterations),
        }
    }
}

#[cfg(test)]
mod tests;
pub(crate) mod tuning;
