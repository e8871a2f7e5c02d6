//! What the search posts for other engines and reads from them: states at loop heads, for those who guess invariants; locations
//! that no run reaches, which are no longer looked for.

use super::NAME;
use super::tuning::TUNING;
use super::worker::Worker;
use crate::board::{Board, Cursor, LoopState};
use crate::facts::Observed;
use plumb_ir::program::{FuncId, Loc};
use rustc_hash::FxHashSet;
use std::sync::Arc;

#[derive(Default)]
pub struct Observer {
    observed: Option<Arc<Observed>>,
    states: Vec<LoopState>,
    dead: FxHashSet<(FuncId, Loc)>,
    cursor: Cursor,
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

    /// The states noted since the last time.
    pub fn take_observations(&mut self) -> Vec<LoopState> {
        std::mem::take(&mut self.observer.states)
    }

    /// Stops looking for branches that others have proved infeasible.
    pub fn drop_dead(&mut self, board: &Board) {
        let posts = board.dead.read(NAME, &mut self.observer.cursor);
        if !posts.is_empty() {
            self.observer.dead.extend(posts.into_iter().map(|post| post.what));
            self.objectives.drop_decided(&self.observer.dead);
        }
    }
}
