//! What the search posts for other engines and reads from them. It posts states at loop heads, for those who guess invariants, and
//! the branches that runs have taken. It reads locations that no run reaches, which are no longer looked for, and inputs that
//! take other branches, which it goes on from.

use super::NAME;
use super::tuning::TUNING;
use super::worker::Worker;
use crate::board::{Board, Cursor, LoopState};
use crate::facts::Observed;
use plumb_exec::InputValue;
use plumb_ir::program::{FuncId, Loc};
use rustc_hash::FxHashSet;
use std::sync::Arc;

#[derive(Default)]
pub struct Observer {
    observed: Option<Arc<Observed>>,
    states: Vec<LoopState>,
    /// Of the branches taken, how many were posted.
    posted_branches: u64,
    dead: FxHashSet<(FuncId, Loc)>,
    dead_read: Cursor,
    inputs_read: Cursor,
    /// Inputs of other engines that are still to be tried.
    pub suggested: Vec<Vec<InputValue>>,
}

impl Worker {
    pub fn observing(mut self, observed: Arc<Observed>) -> Worker {
        self.observer.observed = Some(observed);
        self
    }

    /// Notes the state that the machine has at a head.
    pub(super) fn observe(&mut self, head: usize) {
        let Some(observed) = &self.observer.observed else { return };
        let at = self.plan.heads[head];
        if self.observer.states.len() < TUNING.max_posted_states
            && let Some(head) = observed.at(at.func, at.head)
        {
            let values = head.values(&mut self.machine);
            self.observer.states.push(LoopState { key: head.key, values });
        }
    }

    /// Posts what was noted since the last time, and reads what others have posted.
    pub fn exchange(&mut self, board: &Board) {
        let observer = &mut self.observer;
        board.states.post(NAME, std::mem::take(&mut observer.states));
        let coverage = &self.objectives.coverage;
        if coverage.branches() > std::mem::replace(&mut observer.posted_branches, coverage.branches()) {
            board.taken.post(NAME, coverage.taken());
        }
        let inputs = board.inputs.read(NAME, &mut observer.inputs_read);
        observer.suggested.extend(inputs.iter().map(|post| post.what.iter().map(|(_, value)| value.clone()).collect()));
        let dead = board.dead.read(NAME, &mut observer.dead_read);
        if !dead.is_empty() {
            observer.dead.extend(dead.into_iter().map(|post| post.what));
            self.objectives.drop_decided(&observer.dead);
        }
    }
}
