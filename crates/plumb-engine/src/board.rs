//! The board: where engines post what others can use, while they run.
//!
//! *Proved* facts (invariants) may be assumed by anyone who reports who has proved them; *candidates* (samples, predicates)
//! may be tried by anyone and are trusted by none. Every post says who made it, and is about a loop of a function
//! ([`LoopFact`]). What is posted stays; whoever reads asks for what is new since the last time ([`Reader`]).
//!
//! A run with `--no-exchange` has a board on which nothing can be read, so that what the exchange is worth can be measured.

use crate::budget::Budget;
use crate::facts::samples::sample;
use crate::facts::{Fact, Samples};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// Something with the name of the engine that posted it.
#[derive(Clone, Debug)]
pub struct Posted<T> {
    pub by: &'static str,
    pub what: T,
}

/// A fact about the states at the head of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopFact {
    pub key: LoopKey,
    pub fact: Arc<Fact>,
}

#[derive(Default)]
pub struct Board {
    is_closed: bool,
    samples: OnceLock<Posted<Arc<Samples>>>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Invariants of every run that has not ended by a fault or broken a check.
    invariants: Vec<Posted<LoopFact>>,
    /// Conditions that matter at a loop head. Neither they nor their negations need to hold.
    predicates: Vec<Posted<LoopFact>>,
    counts: Counts,
}

/// What the board carried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub invariants_posted: u64,
    pub invariants_read: u64,
    pub predicates_posted: u64,
    pub predicates_read: u64,
    /// Sample runs that an engine did not have to do again.
    pub samples_shared: u64,
}

/// How far an engine has read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reader {
    invariants: usize,
    predicates: usize,
}

impl Board {
    /// One on which nothing can be read.
    pub fn closed() -> Board {
        Board { is_closed: true, ..Board::default() }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Posts are complete or not there: a panic of an engine leaves none half made.
        self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// States that runs have at loop heads: of the first engine that wants them, which others wait for.
    pub fn samples(&self, by: &'static str, analyses: &Analyses, budget: &Budget) -> Arc<Samples> {
        if self.is_closed {
            return Arc::new(sample(analyses, budget));
        }
        let mut is_own = false;
        let posted = self.samples.get_or_init(|| {
            is_own = true;
            let _span = tracing::info_span!("sampling").entered();
            let budget = &Budget { cancel: budget.cancel.without_pause(), ..budget.clone() };
            Posted { by, what: Arc::new(sample(analyses, budget)) }
        });
        if !is_own {
            self.inner().counts.samples_shared += 1;
        }
        posted.what.clone()
    }

    /// Posts invariants that were proved.
    pub fn post_invariants(&self, by: &'static str, facts: impl IntoIterator<Item = LoopFact>) {
        let mut inner = self.inner();
        let posted = post(&mut inner.invariants, by, facts);
        inner.counts.invariants_posted += posted;
    }

    /// The invariants of others that are new to a reader.
    pub fn new_invariants(&self, by: &'static str, reader: &mut Reader) -> Vec<Posted<LoopFact>> {
        if self.is_closed {
            return Vec::new();
        }
        let mut inner = self.inner();
        let new = new_of_others(&inner.invariants, by, &mut reader.invariants);
        inner.counts.invariants_read += new.len() as u64;
        new
    }

    /// Posts predicates: candidates for whoever looks for invariants.
    pub fn post_predicates(&self, by: &'static str, facts: impl IntoIterator<Item = LoopFact>) {
        let mut inner = self.inner();
        let posted = post(&mut inner.predicates, by, facts);
        inner.counts.predicates_posted += posted;
    }

    /// The predicates of others that are new to a reader.
    pub fn new_predicates(&self, by: &'static str, reader: &mut Reader) -> Vec<Posted<LoopFact>> {
        if self.is_closed {
            return Vec::new();
        }
        let mut inner = self.inner();
        let new = new_of_others(&inner.predicates, by, &mut reader.predicates);
        inner.counts.predicates_read += new.len() as u64;
        new
    }

    pub fn counts(&self) -> Counts {
        self.inner().counts
    }
}

/// Adds facts that are not there yet. How many.
fn post(list: &mut Vec<Posted<LoopFact>>, by: &'static str, facts: impl IntoIterator<Item = LoopFact>) -> u64 {
    let before = list.len();
    for what in facts {
        if !list.iter().any(|known| known.what == what) {
            list.push(Posted { by, what });
        }
    }
    (list.len() - before) as u64
}

fn new_of_others(list: &[Posted<LoopFact>], by: &'static str, read: &mut usize) -> Vec<Posted<LoopFact>> {
    let new = list[*read..].iter().filter(|post| post.by != by).cloned().collect();
    *read = list.len();
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Holder, Quantity, Sum};
    use plumb_ir::analysis::loops::LoopId;
    use plumb_ir::program::{FuncId, LocalVar, VarRef};

    fn fact(value: u128) -> LoopFact {
        let quantity = Quantity { holder: Holder::Register(VarRef::Local(LocalVar(0))), width: 32 };
        LoopFact { key: (FuncId(0), LoopId(0)), fact: Arc::new(Fact::equals(Sum::of(quantity), value)) }
    }

    #[test]
    fn readers_get_what_is_new_and_not_their_own() {
        let board = Board::default();
        let (mut one, mut other) = (Reader::default(), Reader::default());
        board.post_invariants("kind", [fact(1), fact(2), fact(1)]);
        assert_eq!(board.new_invariants("symexia", &mut one).len(), 2);
        assert!(board.new_invariants("kind", &mut other).is_empty());
        board.post_invariants("symexia", [fact(3)]);
        assert!(board.new_invariants("symexia", &mut one).is_empty());
        let found = board.new_invariants("kind", &mut other);
        assert!(found.iter().map(|post| (post.by, &post.what)).eq([("symexia", &fact(3))]));
        assert_eq!(board.counts().invariants_posted, 3);
    }

    #[test]
    fn predicates_are_no_invariants() {
        let (board, mut reader) = (Board::default(), Reader::default());
        board.post_predicates("symexia", [fact(1)]);
        assert!(board.new_invariants("kind", &mut reader).is_empty());
        assert_eq!(board.new_predicates("kind", &mut reader).len(), 1);
        assert!(board.new_predicates("kind", &mut reader).is_empty());
        assert_eq!((board.counts().predicates_posted, board.counts().predicates_read), (1, 1));
    }

    #[test]
    fn nothing_is_read_from_a_closed_board() {
        let board = Board::closed();
        board.post_invariants("kind", [fact(1)]);
        board.post_predicates("kind", [fact(1)]);
        let mut reader = Reader::default();
        assert!(board.new_invariants("symexia", &mut reader).is_empty());
        assert!(board.new_predicates("symexia", &mut reader).is_empty());
    }
}
