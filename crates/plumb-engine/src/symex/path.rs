//! Paths of the exploration: a symbolic state with the history that led to it.

use super::history::HistoryId;
use super::reached_set::{EntryId, PointId};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::{LoopId, LoopKey};
use plumb_ir::analysis::shape::FunctionShape;
use plumb_sym::{ABSTRACT_ENTRY, Counting, LoopPosition, Position, State};
use plumb_term::{Assignment, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A loop around the location, with its abstract entry once the path was abstracted there.
pub type EnclosingLoop = LoopPosition<Option<EntryId>>;

#[derive(Clone)]
pub struct SymbolicPath {
    pub state: State,
    /// The literals of the predicates at the last abstraction point: the paper's `eq`.
    pub predicate_values: Arc<[TermId]>,
    pub position: Position<Option<EntryId>>,
    pub history: HistoryId,
    pub decisions: u32,
    /// Since the start, or since the path was merged from others.
    pub steps: u64,
    /// The last abstraction point.
    pub point: Option<PointId>,
    /// Loops that were left since then without having been abstracted: after how many iterations, the last time.
    pub exits: Arc<BTreeMap<LoopKey, u32>>,
    /// A model of the path condition, if one is known.
    pub model: Option<Arc<Assignment>>,
    /// It has come to a loop head and was not handled there yet.
    pub is_at_head: bool,
    /// It waits at a location where other paths may be merged with it.
    pub is_at_join: bool,
}

impl SymbolicPath {
    pub fn new(state: State) -> SymbolicPath {
        SymbolicPath {
            position: Position::start(&state),
            state,
            predicate_values: Arc::from([]),
            history: HistoryId::default(),
            decisions: 0,
            steps: 0,
            point: None,
            exits: Arc::default(),
            model: Some(Arc::new(Assignment::new())),
            is_at_head: false,
            is_at_join: false,
        }
    }

    /// All conditions of the path since the start, or since the last abstraction point.
    pub fn path_condition(&self) -> Vec<TermId> {
        let mut list = self.state.path.since(0);
        list.extend(self.predicate_values.iter());
        list
    }

    /// The innermost loop; at a loop head, the loop of the head.
    pub fn innermost_loop(&self) -> Option<&EnclosingLoop> {
        self.position.loops().last()
    }

    /// The loop at whose head the path is.
    pub fn loop_key(&self) -> Option<LoopKey> {
        self.innermost_loop().map(|one| (self.state.func(), one.id))
    }

    /// Whether it is at the head of a loop that it was not abstracted in so far.
    pub fn is_entering(&self) -> bool {
        self.is_at_head && self.innermost_loop().is_some_and(|one| one.tag.is_none())
    }

    /// Whether two paths of the same nesting can become one.
    pub fn can_merge(&self, other: &SymbolicPath) -> bool {
        let both_enter = self.is_entering() && other.is_entering();
        both_enter || self.is_at_join && other.is_at_join && self.point == other.point
    }

    /// Takes over the counts of a path that is merged into this one.
    pub fn count_in(&mut self, other: &SymbolicPath) {
        self.decisions = self.decisions.max(other.decisions);
        if self.model.is_none() {
            self.model = other.model.clone();
        }
        self.position.join(&other.position);
        // Of both is known what they have in common.
        if self.exits != other.exits {
            Arc::make_mut(&mut self.exits).retain(|key, iterations| other.exits.get(key) == Some(iterations));
        }
    }

    /// Its place in the nesting of calls and loops: what comes first is smaller.
    pub fn nesting(&self, analyses: &Analyses) -> Vec<u32> {
        // All iterations of an abstract loop are alike. Paths of another entry are ordered elsewhere.
        let rank = |one: &EnclosingLoop| one.tag.map_or(one.iterations, |entry| ABSTRACT_ENTRY | entry.0);
        self.position.order_key(&self.state, analyses, rank)
    }

    /// Notes that the path was abstracted at the head where it is.
    pub fn set_entry(&mut self, entry: EntryId) {
        if let Some(id) = self.innermost_loop().map(|one| one.id) {
            self.position.set_tag(id, Some(entry));
        }
    }

    /// Brings the enclosing loops up to date after a step. The shape is the running function's.
    pub fn advance(&mut self, shape: &FunctionShape, by_constants: bool, terms: usize, counting: &Counting) {
        let movement = self.position.advance(&self.state, shape, by_constants, terms, counting);
        let depth = self.position.depth();
        for (_, one) in movement.left.iter().filter(|(at, one)| *at + 1 == depth && one.tag.is_none()) {
            Arc::make_mut(&mut self.exits).insert((self.state.func(), one.id), one.iterations);
        }
        self.is_at_head |= movement.iterated.is_some() || movement.entered.iter().any(|(_, is_at_head)| *is_at_head);
    }

    /// The enclosing loops, the outermost first, that can be left at the path's location.
    pub fn loops_with_exit(&self, shape: &FunctionShape) -> impl Iterator<Item = &EnclosingLoop> {
        let exits: Vec<LoopId> = shape.exits(self.state.loc).to_vec();
        self.position.loops().iter().filter(move |one| exits.contains(&one.id))
    }
}
