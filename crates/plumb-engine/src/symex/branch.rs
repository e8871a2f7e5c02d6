//! Paths at their ends: states with what is known of the way that led there.

use super::points::EntryId;
use super::trail::{PointId, TrailId};
use crate::unroll::shape::Shape;
use plumb_ir::analysis::loops::LoopId;
use plumb_ir::program::{FuncId, Loc};
use plumb_sym::State;
use plumb_term::{Assignment, TermId};
use std::sync::Arc;

/// Turns that constants decide count too, in such portions: the number of turns is finite on every path, and a long loop does not
/// keep everything else from being looked at.
const FREE_TURNS: u32 = 20_000;
/// The same for turns in which terms are made.
const FREE_SYMBOLIC_TURNS: u32 = 128;

/// Turns that constants decide count as well once the path has decided so much else in the loop: it has many sisters.
const FREE_CONDITIONS: u32 = 12;

/// Numbers of entries come after numbers of turns.
const ABSTRACT: u32 = 1 << 31;

/// A loop around the place of a frame.
#[derive(Clone)]
pub struct Around {
    pub id: LoopId,
    /// Visits of the head that count: those before which it was not constants alone that decided to stay.
    pub visits: u32,
    turns: u32,
    by_constants: bool,
    otherwise: bool,
    /// Terms that there were when the turn began.
    terms: usize,
    /// Conditions of the path when the loop was entered.
    conditions: u32,
    /// Since the path was abstracted there.
    pub entry: Option<EntryId>,
}

/// Where a frame is.
#[derive(Clone)]
pub struct Spot {
    loc: Loc,
    pub loops: Vec<Around>,
}

#[derive(Clone)]
pub struct Branch {
    pub state: State,
    /// What is known since the last abstraction point: the predicates that hold there, and the opposites of the others.
    pub given: Arc<[TermId]>,
    pub spots: Vec<Spot>,
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
        let spot = Spot { loc: state.loc, loops: Vec::new() };
        Branch {
            state,
            given: Arc::from([]),
            spots: vec![spot],
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
        let head = self.spots.last().and_then(|spot| spot.loops.last());
        self.is_at_head && head.is_some_and(|around| around.entry.is_none())
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
        for (spot, others) in self.spots.iter_mut().zip(&other.spots) {
            for (one, other) in spot.loops.iter_mut().zip(&others.loops) {
                one.visits = one.visits.max(other.visits);
                one.by_constants |= other.by_constants;
                one.otherwise |= other.otherwise;
                one.terms = one.terms.min(other.terms);
                one.conditions = one.conditions.min(other.conditions);
            }
        }
    }

    /// Its place in the nesting of calls and loops: what comes first is smaller. `shape` gives the shapes of functions.
    pub fn nest(&self, mut shape: impl FnMut(FuncId) -> Arc<Shape>) -> Vec<u32> {
        let mut nest = Vec::with_capacity(self.spots.len() * 3);
        for (frame, spot) in self.state.frames().zip(&self.spots) {
            let shape = shape(frame.func);
            nest.push(frame.activation);
            for around in &spot.loops {
                nest.push(shape.order.rank(shape.loops.get(around.id).head));
                // Turns of an abstract loop are all alike. Who has entered it otherwise is somewhere else.
                nest.push(around.entry.map_or(around.turns, |entry| ABSTRACT | entry.0));
            }
            nest.push(shape.order.rank(spot.loc));
        }
        nest
    }

    /// The loop whose head it is at.
    pub fn head(&mut self) -> Option<&mut Around> {
        self.spots.last_mut()?.loops.last_mut()
    }

    /// Brings the loops around up to date after a step. The shape is the running function's.
    pub fn arrive(&mut self, shape: &Shape, by_constants: bool, terms: usize) {
        let depth = self.state.depth();
        let to = self.state.loc;
        let mut from = None;
        if depth > self.spots.len() {
            self.spots.push(Spot { loc: to, loops: Vec::new() });
        } else {
            self.spots.truncate(depth);
            from = self.spots.last().map(|spot| spot.loc);
        }
        let Some(spot) = self.spots.last_mut() else { return };
        spot.loc = to;
        let around = shape.around(to);
        if spot.loops.is_empty() && around.is_empty() {
            return;
        }
        if let Some(from) = from {
            for id in shape.exits(from) {
                if let Some(one) = spot.loops.iter_mut().find(|one| one.id == *id) {
                    one.by_constants |= by_constants;
                    one.otherwise |= !by_constants;
                }
            }
        }
        spot.loops.retain(|one| around.contains(&one.id));
        for &id in around {
            let is_head = to == shape.loops.get(id).head;
            match spot.loops.iter_mut().find(|one| one.id == id) {
                Some(one) if is_head && from.is_some() => {
                    let few = self.state.path.len().saturating_sub(one.conditions) <= FREE_CONDITIONS;
                    let is_free = one.by_constants && !one.otherwise && few;
                    let portion = if terms > one.terms { FREE_SYMBOLIC_TURNS } else { FREE_TURNS };
                    one.visits += u32::from(!is_free || one.turns % portion == portion - 1);
                    one.turns += 1;
                    (one.by_constants, one.otherwise, one.terms) = (false, false, terms);
                    self.is_at_head = true;
                }
                Some(_) => {}
                None => {
                    spot.loops.push(Around {
                        id,
                        visits: 0,
                        turns: 0,
                        by_constants: false,
                        otherwise: false,
                        terms,
                        conditions: self.state.path.len(),
                        entry: None,
                    });
                    self.is_at_head |= is_head;
                }
            }
        }
    }

    /// Loops, the outermost first, of which a decision between staying and leaving is made where the path is.
    pub fn at_exit(&self, shape: &Shape) -> impl Iterator<Item = &Around> {
        let loops = self.spots.last().into_iter().flat_map(|spot| &spot.loops);
        let exits: Vec<LoopId> = shape.exits(self.state.loc).to_vec();
        loops.filter(move |one| exits.contains(&one.id))
    }
}
