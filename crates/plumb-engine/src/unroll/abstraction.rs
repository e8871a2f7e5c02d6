//! Loops followed from an arbitrary iteration on: the step of a k-induction.
//!
//! A loop that is abstracted is followed twice: in the *base case* from its beginning for `k` iterations; and in the *inductive
//! step* for `k + 1` iterations from an arbitrary one on. There the step begins by *havoc*: everything that an iteration
//! changes becomes arbitrary, and only the loop's invariants are known. The first `k` iterations of the step are hypothesis: in
//! the run that violates a check first, none was violated there. So checks and faults do not count in these iterations, and a
//! loop is left only from the base case or from the last iteration of the step. With `k` of 0 there is no base case, and a
//! step of one iteration.
//!
//! Every run is covered: of each loop that it is in, or has left, it is in one of the first `k` iterations, or its last `k + 1`
//! iterations are an inductive step.
//!
//! What an iteration changes is found by following it: where the head is reached again, the state must differ from the one
//! before in nothing but what was havocked. If it does, the changes are added and all is explored again.
//!
//! Invariants are not a matter of the exploration: havocs and visits say where they would be assumed and where they have to
//! hold, so that they can be chosen afterwards.

use super::tuning::TUNING;
use super::{Mode, Moved, Run, Unroller};
use plumb_ir::analysis::loops::{LoopId, LoopKey};
use plumb_ir::analysis::shape::FunctionShape;
use plumb_sym::{Changes, LoopPosition, State};
use plumb_term::{Sort, TermId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The head of an abstracted loop, entered or reached again: its invariants have to hold.
pub struct Visit {
    pub key: LoopKey,
    pub state: State,
    /// Runs that reach it without a fault.
    pub reached: TermId,
}

/// The first head of an inductive step: the loop's invariants are assumed.
pub struct Havoc {
    pub key: LoopKey,
    pub state: State,
    /// A symbol that every path through this head has as a condition: what is assumed here is assumed to follow from it.
    pub open: TermId,
}

pub struct Abstraction {
    pub k: u32,
    pub loops: FxHashMap<LoopKey, Changes>,
    /// With `k` of 0 also those at the end of an iteration; else only those where loops are entered.
    pub visits: Vec<Visit>,
    pub havocs: Vec<Havoc>,
    /// Iterations of loops that are not abstracted, in all their activations together.
    iterated_plainly: FxHashMap<LoopKey, u32>,
    /// An iteration changes more than was havocked: all is to be explored again.
    pub has_new_changes: bool,
    /// A loop cannot be abstracted.
    pub has_failed: bool,
}

impl Abstraction {
    pub fn new(k: u32, loops: FxHashMap<LoopKey, Changes>) -> Abstraction {
        Abstraction {
            k,
            loops,
            visits: Vec::new(),
            havocs: Vec::new(),
            iterated_plainly: FxHashMap::default(),
            has_new_changes: false,
            has_failed: false,
        }
    }
}

/// An inductive step that a state is in.
#[derive(Clone)]
pub struct InductiveStep {
    /// The number of the frame.
    depth: usize,
    id: LoopId,
    /// The states at its first head, and what was havocked: one for each path that led there and was not joined with the
    /// others at once.
    firsts: Vec<Arc<(State, Changes)>>,
}

impl Run {
    /// The loop that is to be abstracted from here on.
    pub(super) fn entering(&self) -> Option<LoopId> {
        self.position.loops().iter().find(|one| one.tag == Mode::Entering).map(|one| one.id)
    }

    /// Whether the innermost inductive step has just begun.
    fn is_at_first_head(&self, shape: &FunctionShape) -> bool {
        let is_first = |one: &LoopPosition<Mode>| {
            one.tag == Mode::InductiveStep && one.iterations == 0 && self.state.loc == shape.head(one.id)
        };
        self.position.loops().last().is_some_and(is_first)
    }

    /// The inductive steps of a state that was joined with another one in steps of the same loops. What iterations change is
    /// found by comparison with the states at the first head of all of them: what one of them has from the start is a change for
    /// another.
    pub(super) fn join_steps(mut self, others: &[InductiveStep], shape: &FunctionShape) -> Run {
        let is_at_first_head = self.is_at_first_head(shape);
        let innermost = self.steps_in_progress.len();
        for (i, (inductive_step, other)) in self.steps_in_progress.iter_mut().zip(others).enumerate() {
            if is_at_first_head && i + 1 == innermost {
                // In the first of them no more is havocked than in the others.
                let forgotten = inductive_step.firsts.first().map(|first| first.1.clone()).unwrap_or_default();
                inductive_step.firsts = vec![Arc::new((self.state.clone(), forgotten))];
                continue;
            }
            for first in &other.firsts {
                if !inductive_step.firsts.iter().any(|known| Arc::ptr_eq(known, first)) {
                    inductive_step.firsts.push(first.clone());
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

    /// Whether a loop has had so many iterations that it had better be abstracted, known trip count or not.
    pub(super) fn exceeds_iterations(&mut self, key: LoopKey) -> bool {
        let Some(abstraction) = &mut self.abstraction else { return false };
        let iterated_plainly = abstraction.iterated_plainly.entry(key).or_default();
        *iterated_plainly += 1;
        *iterated_plainly > TUNING.max_iterations
    }

    /// A loop is entered elsewhere than at its head.
    pub(super) fn irreducible(&mut self) -> Moved {
        if let Some(abstraction) = &mut self.abstraction {
            abstraction.has_failed = true;
        }
        Moved::Dropped
    }

    fn k(&self) -> u32 {
        self.abstraction.as_ref().map_or(0, |a| a.k)
    }

    /// Whether a state is in an iteration that is hypothesis.
    pub(super) fn is_hypothesis(&self, run: &Run) -> bool {
        !run.steps_in_progress.is_empty()
            && run.position.all_loops().any(|one| one.tag == Mode::InductiveStep && one.iterations < self.k())
    }

    /// Whether loops may be left here. Their inductive steps end.
    pub(super) fn may_leave(&self, run: &mut Run, left: &[(usize, LoopPosition<Mode>)]) -> bool {
        if left.iter().all(|(_, one)| one.tag != Mode::InductiveStep) {
            return true;
        }
        run.steps_in_progress.retain(|w| left.iter().all(|(depth, one)| (*depth, one.id) != (w.depth, w.id)));
        left.iter().all(|(_, one)| one.tag != Mode::InductiveStep || one.iterations >= self.k())
    }

    /// Follows a loop in the base case and in the inductive step.
    pub(super) fn abstract_loop(&mut self, run: Run, id: LoopId) {
        let key = (run.state.func(), id);
        let depth = run.position.depth() - 1;
        self.visit(key, &run.state);
        let mut inductive_step = run;
        if self.k() > 0 {
            // A choice distinguishes the two.
            let choice = self.sym.terms.fresh_symbol("beginning", Sort::Bool);
            let mut base_case = inductive_step.clone();
            base_case.position.set_tag(id, Mode::BaseCase);
            base_case.state.path.push(choice, &mut self.sym.terms);
            self.enqueue(base_case);
            let not = self.sym.terms.not(choice);
            inductive_step.state.path.push(not, &mut self.sym.terms);
        }
        inductive_step.position.set_tag(id, Mode::InductiveStep);
        let Some(abstraction) = &mut self.abstraction else { return };
        let Some(known) = abstraction.loops.get_mut(&key) else { return };
        self.sym.forget(&mut inductive_step.state, known);
        let changes = known.clone();
        let open = self.sym.terms.fresh_symbol("open", Sort::Bool);
        inductive_step.state.path.push(open, &mut self.sym.terms);
        abstraction.havocs.push(Havoc { key, state: inductive_step.state.clone(), open });
        let first = Arc::new((inductive_step.state.clone(), changes));
        inductive_step.steps_in_progress.push(InductiveStep { depth, id, firsts: vec![first] });
        self.enqueue(inductive_step);
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

    /// The head of an abstracted loop is reached again.
    pub(super) fn next_abstract_iteration(&mut self, run: &Run, key: LoopKey, mode: Mode, iterations: u32) -> Moved {
        let k = self.k();
        if mode == Mode::BaseCase {
            return if iterations >= k { Moved::Dropped } else { Moved::On };
        }
        let shape = self.analyses.shape(key.0);
        let depth = run.position.depth() - 1;
        let inductive_step = run.steps_in_progress.iter().rfind(|w| w.depth == depth && w.id == key.1);
        for first in inductive_step.map(|w| w.firsts.clone()).unwrap_or_default() {
            let (first, forgotten) = &*first;
            let mut changes = forgotten.clone();
            let grown = self.sym.note_changes(first, &run.state, &shape.live, &mut changes);
            let Some(abstraction) = &mut self.abstraction else { return Moved::Dropped };
            match grown {
                Ok(false) => {}
                Ok(true) => {
                    abstraction.has_new_changes = true;
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
        if iterations > k { Moved::Dropped } else { Moved::On }
    }
}
