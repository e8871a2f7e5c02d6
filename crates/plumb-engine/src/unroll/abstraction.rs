//! Loops followed from any of their turns on: the step of an induction.
//!
//! A loop that is abstracted is followed in two ways. From its *beginning* for `k` turns; and in a *window* of `k + 1` turns
//! that may lie anywhere: at its first head everything that a turn changes is forgotten, and only the loop's facts are
//! known. What happens in the first `k` turns of a window is hypothesis: in the run that breaks a check first, nothing
//! was broken there. So checks and faults do not count in these turns, and a loop is left only from its beginning or
//! from the last turn of a window. With `k` of 0 there is no beginning, and a window of one turn.
//!
//! Every run is among those followed: of each loop that it is in, or has been through, it is in one of the first `k` turns,
//! or its last `k + 1` turns are a window.
//!
//! What a turn changes is found out by following it: where the head is met again, the state must differ from the one
//! before in nothing but what was forgotten. If it does, the changes are *learned* and all is to be done again.
//!
//! What is known at a window's first head is not a matter of the following: openings and visits say where it would be
//! assumed and where it has to hold, so that it can be chosen afterwards.

use super::{Mode, Moved, Run, Unroller};
use plumb_ir::analysis::loops::{LoopId, LoopKey};
use plumb_ir::analysis::shape::FunctionShape;
use plumb_sym::{Changes, LoopPosition, State};
use plumb_term::{Sort, TermId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Turns of a loop that is not abstracted, in all: of one inside of others each run counts.
const MOST_TURNS: u32 = 4_000;

/// The head of an abstracted loop, entered or met again: what is to be known there has to hold.
pub struct Visit {
    pub key: LoopKey,
    pub state: State,
    /// Runs that get there without a fault.
    pub reached: TermId,
}

/// The first head of a window.
pub struct Opening {
    pub key: LoopKey,
    pub state: State,
    /// A symbol without which nobody gets further: who assumes something at this head says that the symbol implies it.
    pub open: TermId,
}

pub struct Abstraction {
    pub k: u32,
    pub loops: FxHashMap<LoopKey, Changes>,
    /// With `k` of 0 those where a turn has ended too; else only those where loops are entered.
    pub visits: Vec<Visit>,
    pub openings: Vec<Opening>,
    /// Turns of loops that are followed as they are, in all their runs together.
    turned: FxHashMap<LoopKey, u32>,
    /// A turn changes more than was forgotten: all is to be done again.
    pub has_learned: bool,
    /// A loop cannot be abstracted.
    pub has_failed: bool,
}

impl Abstraction {
    pub fn new(k: u32, loops: FxHashMap<LoopKey, Changes>) -> Abstraction {
        Abstraction {
            k,
            loops,
            visits: Vec::new(),
            openings: Vec::new(),
            turned: FxHashMap::default(),
            has_learned: false,
            has_failed: false,
        }
    }
}

/// A window that a state is in.
#[derive(Clone)]
pub struct Window {
    /// The number of the frame.
    depth: usize,
    id: LoopId,
    /// The states at its first head, and what they have forgotten: one for each way that led there and was not joined
    /// with the others at once.
    firsts: Vec<Arc<(State, Changes)>>,
}

impl Run {
    /// The loop that is to be abstracted from here on.
    pub(super) fn entering(&self) -> Option<LoopId> {
        self.position.loops().iter().find(|one| one.tag == Mode::Entering).map(|one| one.id)
    }

    /// Whether nothing has happened yet in its innermost window.
    fn is_fresh(&self, shape: &FunctionShape) -> bool {
        let is_first = |one: &LoopPosition<Mode>| {
            one.tag == Mode::Window && one.iterations == 0 && self.state.loc == shape.head(one.id)
        };
        self.position.loops().last().is_some_and(is_first)
    }

    /// The windows of a state that was joined with another one in windows of the same loops. What turns change is told by
    /// comparing with the states at the beginning of all of them: what one of the ways in has already is a change for
    /// another.
    pub(super) fn join_windows(mut self, others: &[Window], shape: &FunctionShape) -> Run {
        let is_fresh = self.is_fresh(shape);
        let innermost = self.windows.len();
        for (i, (window, other)) in self.windows.iter_mut().zip(others).enumerate() {
            if is_fresh && i + 1 == innermost {
                // The first of them has forgotten no more than the others.
                let forgotten = window.firsts.first().map(|first| first.1.clone()).unwrap_or_default();
                window.firsts = vec![Arc::new((self.state.clone(), forgotten))];
                continue;
            }
            for first in &other.firsts {
                if !window.firsts.iter().any(|known| Arc::ptr_eq(known, first)) {
                    window.firsts.push(first.clone());
                }
            }
        }
        self
    }
}

impl Unroller<'_> {
    pub(super) fn is_abstract(&self, key: LoopKey) -> bool {
        self.abstraction.as_ref().is_some_and(|a| a.loops.contains_key(&key))
    }

    /// Whether a loop has turned so often that it had better be abstracted, be its bound known or not.
    pub(super) fn is_weary(&mut self, key: LoopKey) -> bool {
        let Some(abstraction) = &mut self.abstraction else { return false };
        let turned = abstraction.turned.entry(key).or_default();
        *turned += 1;
        *turned > MOST_TURNS
    }

    /// A loop is entered elsewhere than at its head.
    pub(super) fn irreducible(&mut self) -> Moved {
        if let Some(abstraction) = &mut self.abstraction {
            abstraction.has_failed = true;
        }
        Moved::Gone
    }

    fn k(&self) -> u32 {
        self.abstraction.as_ref().map_or(0, |a| a.k)
    }

    /// Whether a state is in a turn in which nothing was broken.
    pub(super) fn is_hypothesis(&self, run: &Run) -> bool {
        !run.windows.is_empty()
            && run.position.all_loops().any(|one| one.tag == Mode::Window && one.iterations < self.k())
    }

    /// Whether loops may be left here. Their windows end.
    pub(super) fn may_leave(&self, run: &mut Run, left: &[(usize, LoopPosition<Mode>)]) -> bool {
        if left.iter().all(|(_, one)| one.tag != Mode::Window) {
            return true;
        }
        run.windows.retain(|w| left.iter().all(|(depth, one)| (*depth, one.id) != (w.depth, w.id)));
        left.iter().all(|(_, one)| one.tag != Mode::Window || one.iterations >= self.k())
    }

    /// Follows a loop from its beginning and in a window.
    pub(super) fn enter_abstractly(&mut self, run: Run, id: LoopId) {
        let key = (run.state.func(), id);
        let depth = run.position.depth() - 1;
        self.visit(key, &run.state);
        let mut window = run;
        if self.k() > 0 {
            // Ways that could be taken at once are told apart by a choice.
            let choice = self.sym.terms.fresh_symbol("beginning", Sort::Bool);
            let mut beginning = window.clone();
            beginning.position.set_tag(id, Mode::Beginning);
            beginning.state.path.push(choice, &mut self.sym.terms);
            self.wait(beginning);
            let not = self.sym.terms.not(choice);
            window.state.path.push(not, &mut self.sym.terms);
        }
        window.position.set_tag(id, Mode::Window);
        let Some(abstraction) = &mut self.abstraction else { return };
        let Some(known) = abstraction.loops.get_mut(&key) else { return };
        self.sym.forget(&mut window.state, known);
        let changes = known.clone();
        let open = self.sym.terms.fresh_symbol("open", Sort::Bool);
        window.state.path.push(open, &mut self.sym.terms);
        abstraction.openings.push(Opening { key, state: window.state.clone(), open });
        let first = Arc::new((window.state.clone(), changes));
        window.windows.push(Window { depth, id, firsts: vec![first] });
        self.wait(window);
    }

    /// Notes that a head is reached.
    fn visit(&mut self, key: LoopKey, state: &State) {
        let Some(abstraction) = &mut self.abstraction else { return };
        let sound = self.sym.terms.not(state.fault);
        let reached = self.sym.terms.and(state.path.term(), sound);
        if reached != TermId::bool(false) {
            abstraction.visits.push(Visit { key, state: state.clone(), reached });
        }
    }

    /// The head of an abstracted loop is met again.
    pub(super) fn next_abstract_turn(&mut self, run: &Run, key: LoopKey, mode: Mode, iterations: u32) -> Moved {
        let k = self.k();
        if mode == Mode::Beginning {
            return if iterations >= k { Moved::Gone } else { Moved::On };
        }
        let shape = self.analyses.shape(key.0);
        let depth = run.position.depth() - 1;
        let window = run.windows.iter().rfind(|w| w.depth == depth && w.id == key.1);
        for first in window.map(|w| w.firsts.clone()).unwrap_or_default() {
            let (first, forgotten) = &*first;
            let mut changes = forgotten.clone();
            let grown = self.sym.note_changes(first, &run.state, &shape.live, &mut changes);
            let Some(abstraction) = &mut self.abstraction else { return Moved::Gone };
            match grown {
                Ok(false) => {}
                Ok(true) => {
                    abstraction.has_learned = true;
                    if let Some(known) = abstraction.loops.get_mut(&key) {
                        known.merge(&changes);
                    }
                }
                Err(_) => abstraction.has_failed = true,
            }
        }
        if k == 0 {
            self.visit(key, &run.state);
        }
        if iterations > k { Moved::Gone } else { Moved::On }
    }
}
