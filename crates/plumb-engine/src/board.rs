//! The board: where engines post what others can use, while they run.
//!
//! ```text
//!   proved      invariants     facts that hold whenever a run is at a loop head
//!               loop_bounds    iterations that no run exceeds
//!               dead           locations that no run reaches
//!   candidates  states         what runs had at loop heads
//!               predicates     facts that distinguish paths
//!               inputs         those of runs that take branches which none has taken
//!   seen        taken          branches that runs have taken
//! ```
//!
//! *Proved* posts may be assumed by anyone who reports who has proved them; they are about runs that have neither ended by a
//! fault nor violated a check. *Candidates* may be tried by anyone and are trusted by none; what runs have been *seen* to do steers
//! searches. Every post says who made it. What is
//! posted stays; a reader gets what is new since it last read ([`Cursor`]).
//!
//! A run with `--no-exchange` has a board on which nothing can be read, so that what the exchange is worth can be measured.

use crate::budget::Budget;
use crate::facts::samples::sample;
use crate::facts::{Fact, Observed, Samples};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::input::InputId;
use plumb_ir::input_value::InputValue;
use plumb_ir::program::{EdgeId, FuncId, Loc};
use rustc_hash::FxHashSet;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Something with the name of the engine that posted it.
#[derive(Clone, Debug)]
pub struct Posted<T> {
    pub by: &'static str,
    pub what: T,
}

/// A fact about the states at the head of a loop.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LoopFact {
    pub key: LoopKey,
    pub fact: Arc<Fact>,
}

/// No run that enters the loop goes round it more often before it leaves it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LoopBound {
    pub key: LoopKey,
    pub iterations: u32,
}

/// A state that a run had at the head of a loop: values of what is observed there ([`Observed`]), in its order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LoopState {
    pub key: LoopKey,
    pub values: Arc<[u64]>,
}

/// Posts of one kind.
pub struct Channel<T> {
    is_closed: bool,
    posts: Mutex<Posts<T>>,
    read: AtomicU64,
}

struct Posts<T> {
    list: Vec<Posted<T>>,
    known: FxHashSet<T>,
}

/// How far a reader has read a channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor(usize);

impl<T: Clone + Eq + Hash> Channel<T> {
    fn new(is_closed: bool) -> Channel<T> {
        let posts = Posts { list: Vec::new(), known: FxHashSet::default() };
        Channel { is_closed, posts: Mutex::new(posts), read: AtomicU64::new(0) }
    }

    /// Posts what is not there yet.
    pub fn post(&self, by: &'static str, items: impl IntoIterator<Item = T>) {
        // A post is complete or not there: a panic of an engine leaves none half made.
        let mut posts = self.posts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        for what in items {
            if posts.known.insert(what.clone()) {
                posts.list.push(Posted { by, what });
            }
        }
    }

    /// The posts of others that are new to a reader.
    pub fn read(&self, by: &'static str, cursor: &mut Cursor) -> Vec<Posted<T>> {
        if self.is_closed {
            return Vec::new();
        }
        let posts = self.posts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let new: Vec<_> = posts.list[cursor.0..].iter().filter(|post| post.by != by).cloned().collect();
        *cursor = Cursor(posts.list.len());
        self.read.fetch_add(new.len() as u64, Ordering::Relaxed);
        new
    }

    pub fn counts(&self) -> Counts {
        let posted = self.posts.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).list.len() as u64;
        Counts { posted, read: self.read.load(Ordering::Relaxed) }
    }
}

/// What a channel carried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub posted: u64,
    pub read: u64,
}

pub struct Board {
    is_closed: bool,
    pub invariants: Channel<LoopFact>,
    pub loop_bounds: Channel<LoopBound>,
    pub dead: Channel<(FuncId, Loc)>,
    pub states: Channel<LoopState>,
    pub predicates: Channel<LoopFact>,
    pub inputs: Channel<Arc<[(InputId, InputValue)]>>,
    pub taken: Channel<(FuncId, EdgeId)>,
    observed: OnceLock<Arc<Observed>>,
    samples: OnceLock<Arc<Samples>>,
    /// Sample runs that an engine did not have to do again.
    samples_shared: AtomicU64,
}

impl Default for Board {
    fn default() -> Board {
        Board::new(false)
    }
}

impl Board {
    fn new(is_closed: bool) -> Board {
        Board {
            is_closed,
            invariants: Channel::new(is_closed),
            loop_bounds: Channel::new(is_closed),
            dead: Channel::new(is_closed),
            states: Channel::new(is_closed),
            predicates: Channel::new(is_closed),
            inputs: Channel::new(is_closed),
            taken: Channel::new(is_closed),
            observed: OnceLock::new(),
            samples: OnceLock::new(),
            samples_shared: AtomicU64::new(0),
        }
    }

    /// One on which nothing can be read.
    pub fn closed() -> Board {
        Board::new(true)
    }

    /// What of a state at a loop head is worth looking at. Everyone who posts and reads states means the same by it.
    pub fn observed(&self, analyses: &Analyses) -> &Arc<Observed> {
        self.observed.get_or_init(|| Arc::new(Observed::of(analyses)))
    }

    /// States that runs have at loop heads: of the first engine that wants them, which others wait for.
    pub fn samples(&self, analyses: &Analyses, budget: &Budget) -> Arc<Samples> {
        let observed = self.observed(analyses);
        if self.is_closed {
            return Arc::new(sample(analyses, observed, budget));
        }
        let mut is_own = false;
        let samples = self.samples.get_or_init(|| {
            is_own = true;
            let _span = tracing::info_span!("sampling").entered();
            let budget = &Budget { cancel: budget.cancel.without_pause(), ..budget.clone() };
            Arc::new(sample(analyses, observed, budget))
        });
        if !is_own {
            self.samples_shared.fetch_add(1, Ordering::Relaxed);
        }
        samples.clone()
    }

    /// Reports what the board carried.
    pub fn report(&self) {
        let _span = tracing::info_span!("board").entered();
        let (invariants, predicates) = (self.invariants.counts(), self.predicates.counts());
        let (inputs, taken) = (self.inputs.counts(), self.taken.counts());
        let (states, bounds, dead) = (self.states.counts(), self.loop_bounds.counts(), self.dead.counts());
        tracing::info!(
            invariants_posted = invariants.posted,
            invariants_read = invariants.read,
            loop_bounds_posted = bounds.posted,
            loop_bounds_read = bounds.read,
            dead_locations_posted = dead.posted,
            dead_locations_read = dead.read,
            states_posted = states.posted,
            states_read = states.read,
            predicates_posted = predicates.posted,
            predicates_read = predicates.read,
            inputs_posted = inputs.posted,
            inputs_read = inputs.read,
            taken_branches_posted = taken.posted,
            taken_branches_read = taken.read,
            samples_shared = self.samples_shared.load(Ordering::Relaxed),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::StatePart;
    use crate::facts::{Quantity, Sum};
    use plumb_ir::analysis::loops::LoopId;
    use plumb_ir::program::{LocalVar, VarRef};

    fn fact(value: u128) -> LoopFact {
        let quantity = Quantity { part: StatePart::Register(VarRef::Local(LocalVar(0))), width: 32 };
        LoopFact { key: (FuncId(0), LoopId(0)), fact: Arc::new(Fact::equals(Sum::of(quantity), value)) }
    }

    #[test]
    fn readers_get_what_is_new_and_not_their_own() {
        let board = Board::default();
        let (mut one, mut other) = (Cursor::default(), Cursor::default());
        board.invariants.post("kind", [fact(1), fact(2), fact(1)]);
        assert_eq!(board.invariants.read("symexia", &mut one).len(), 2);
        assert!(board.invariants.read("kind", &mut other).is_empty());
        board.invariants.post("symexia", [fact(3), fact(2)]);
        assert!(board.invariants.read("symexia", &mut one).is_empty());
        let found = board.invariants.read("kind", &mut other);
        assert!(found.iter().map(|post| (post.by, &post.what)).eq([("symexia", &fact(3))]));
        assert_eq!(board.invariants.counts(), Counts { posted: 3, read: 3 });
    }

    #[test]
    fn channels_do_not_mix() {
        let board = Board::default();
        board.predicates.post("symexia", [fact(1)]);
        assert!(board.invariants.read("kind", &mut Cursor::default()).is_empty());
        assert_eq!(board.predicates.read("kind", &mut Cursor::default()).len(), 1);
    }

    #[test]
    fn nothing_is_read_from_a_closed_board() {
        let board = Board::closed();
        board.invariants.post("kind", [fact(1)]);
        assert!(board.invariants.read("symexia", &mut Cursor::default()).is_empty());
    }
}
