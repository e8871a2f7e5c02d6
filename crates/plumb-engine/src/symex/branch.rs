//! Paths at their ends: states with what is known of the way that led there.

use super::points::EntryId;
use super::trail::{PointId, TrailId};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopId;
use plumb_ir::analysis::shape::FunctionShape;
use plumb_sym::{Counting, LoopPosition, Position, State};
use plumb_term::{Assignment, TermId};
use std::sync::Arc;

/// Iterations that constants decide count in portions: the number of visits is finite on every path. They all count once the
/// path has decided a dozen other things in the loop: it has many siblings.
const COUNTING: Counting =
    Counting { free_iterations: 20_000, free_symbolic_iterations: 128, free_conditions: 12, free_calls: 1_000 };

/// Numbers of entries come after numbers of turns.
const ABSTRACT: u32 = 1 << 31;

/// A loop around, and the entry of its abstraction since the path was abstracted there.
pub type Around = LoopPosition<Option<EntryId>>;

#[derive(Clone)]
pub struct Branch {
    pub state: State,
    /// What is known since the last abstraction point: the predicates that hold there, and the opposites of the others.
    pub given: Arc<[TermId]>,
    pub position: Position<Option<EntryId>>,
    pub trail: TrailId,
    pub decisions: u32,
    /// Since the start, or since it became one with others.
    pub steps: u64,
    /// The last abstraction point.
    pub point: Option<PointId>,
    /// Values under which the path is taken, if some are known.
    pub values: Option<Arc<Assignment>>,
    /// It has come to a loop's head that was not looked at yet.
    pub is_at_head: bool,
    /// It waits where others may come to.
    pub is_at_meeting: bool,
}

impl Branch {
    pub fn new(state: State) -> Branch {
        Branch {
            position: Position::start(&state),
            state,
            given: Arc::from([]),
            trail: TrailId::default(),
            decisions: 0,
            steps: 0,
            point: None,
            values: Some(Arc::new(Assignment::new())),
            is_at_head: false,
            is_at_meeting: false,
        }
    }

    /// Everything that is known of the path.
    pub fn conditions(&self) -> Vec<TermId> {
        let mut list = self.state.path.since(0);
        list.extend(self.given.iter());
        list
    }

    /// Whether it comes to the head of a loop for the first time.
    pub fn is_entering(&self) -> bool {
        self.is_at_head && self.head().is_some_and(|around| around.tag.is_none())
    }

    /// Whether two paths of a place of the nesting can become one.
    pub fn goes_together(&self, other: &Branch) -> bool {
        let enters = self.is_entering() && other.is_entering();
        enters || self.is_at_meeting && other.is_at_meeting && self.point == other.point
    }

    /// Takes over what has happened on a path in the same loops.
    pub fn count_in(&mut self, other: &Branch) {
        self.decisions = self.decisions.max(other.decisions);
        if self.values.is_none() {
            self.values = other.values.clone();
        }
        self.position.join(&other.position);
    }

    /// Its place in the nesting of calls and loops: what comes first is smaller.
    pub fn nest(&self, analyses: &Analyses) -> Vec<u32> {
        // Iterations of an abstract loop are all alike. Who has entered it otherwise is somewhere else.
        let rank = |around: &Around| around.tag.map_or(around.iterations, |entry| ABSTRACT | entry.0);
        self.position.order_key(&self.state, analyses, rank)
    }

    /// The loop whose head it is at.
    pub fn head(&self) -> Option<&Around> {
        self.position.loops().last()
    }

    /// Notes that the path was abstracted at the head where it is.
    pub fn enter(&mut self, entry: EntryId) {
        if let Some(id) = self.head().map(|around| around.id) {
            self.position.set_tag(id, Some(entry));
        }
    }

    /// Brings the loops around up to date after a step. The shape is the running function's.
    pub fn arrive(&mut self, shape: &FunctionShape, by_constants: bool, terms: usize) {
        let movement = self.position.advance(&self.state, shape, by_constants, terms, &COUNTING);
        self.is_at_head |= movement.iterated.is_some() || movement.entered.iter().any(|(_, is_at_head)| *is_at_head);
    }

    /// Loops, the outermost first, of which a decision between staying and leaving is made where the path is.
    pub fn at_exit(&self, shape: &FunctionShape) -> impl Iterator<Item = &Around> {
        let exits: Vec<LoopId> = shape.exits(self.state.loc).to_vec();
        self.position.loops().iter().filter(move |one| exits.contains(&one.id))
    }
}
