//! Symbolic execution path by path, with implicit predicate abstraction and refinement.
//!
//! **Idea.** Plain symbolic execution (King 1976) follows one path after the other; on a program with infinitely many it never
//! ends. Jonáš, Strejček and Griggio (*Combining Symbolic Execution with Predicate Abstraction and CEGAR*, FMCAD 2024) let
//! paths forget at loop heads all but the values of some predicates, and follow only *p-simple* paths: those that come to
//! no head twice with the same values. Then the tree is finite for every *precision function*, which says where and after how
//! many visits (the *threshold*) paths forget, and what is kept (the *predicates*). A path to an error in the abstract tree is
//! gone again without abstraction: it is a violation, or it shows which predicates are missing.
//!
//! ```text
//!   order         which path is followed next
//!   questions     whether a path is possible
//!   ranges        conditions on one number
//!   spans         intervals of terms
//!   trail         how paths went, and going there again
//!   branch        paths at their ends
//!   precision     precision functions and predicates
//!   points        abstraction points: entries of loops, abstract states
//!   explore       the tree
//!   targets       what paths may meet
//!   heads         what paths do at loop heads
//!   valuations    the abstract states of a path
//!   meeting       many paths that become one
//!   way           a counterexample's way, and what lets nothing through
//!   candidates    where predicates come from
//!   refine        predicates against abstract counterexamples
//!   interpolants  what they say along a way, and the check of it
//!   evidence      invariants of a finished tree
//! ```
//!
//! **Where this goes beyond the paper.** Calls are followed on the stack of the symbolic state, nothing is inlined. At an
//! abstraction point only what the loop changes is forgotten, not all memory, so that few predicates are needed. Abstract
//! states are shared by all paths of an entry, not by those of one path only. Loops that constants decide are not
//! abstracted (they count no visits). Where a turn has very many paths they become one. Beside that, for a part of the
//! time, paths are followed as they are: where there are few of them that is all there is to do. Candidates for predicates
//! come from several sources, and a core of the solver chooses among them.
//!
//! **Soundness.** `plumb-sym`'s, and that of abstraction points ([`points`]): a run follows some path as long as no entry says
//! that the abstract state has been explored, and then another path goes on from a state that the run is in. Faults, gaps
//! and doubts are targets like checks: an end without any of them is a proof. Faults may be supposed not to happen
//! ([`plumb_sym::Assumed`]): a path goes on with what has not faulted. A violation is replayed.
//!
//! **Knobs.** The initial threshold, and the order. Unbounded recursion is not abstracted: the exploration does not end. Where
//! leaks are looked for nothing is.

mod branch;
mod candidates;
mod evidence;
mod explore;
mod heads;
mod interpolants;
mod meeting;
mod order;
mod points;
mod precision;
mod questions;
mod ranges;
mod refine;
mod spans;
mod targets;
mod trail;
mod valuations;
mod way;

pub use order::Order;

use crate::answer::{AbstractTree, Answer, Proof, Unknown, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Watcher};
use crate::engine::{Answers, Context, Engine, Options, Schedule, Task};
use crate::facts::Fact;
use explore::{Explorer, Stop};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::check::CheckKind;
use precision::PrecisionFunction;
use refine::Refiner;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymexOptions {
    /// Abstracts, with this threshold at first.
    pub threshold: Option<u32>,
    pub order: Option<Order>,
    pub seed: u64,
    /// Beside the abstraction, paths are followed as they are for a while.
    pub tries_plainly: bool,
    /// Paths at one place that do not become one yet.
    pub most_apart: usize,
    /// A proof shows that there is no undefined behaviour.
    pub strict: bool,
}

impl Default for SymexOptions {
    fn default() -> SymexOptions {
        SymexOptions {
            threshold: None,
            order: None,
            seed: 0,
            tries_plainly: true,
            most_apart: meeting::FEW,
            strict: false,
        }
    }
}

/// Symbolic execution without abstraction.
pub struct Symex;

impl Engine for Symex {
    fn name(&self) -> &'static str {
        "symex"
    }

    fn help(&self) -> &'static str {
        "symbolic execution, path by path"
    }

    fn answers(&self) -> Answers {
        Answers::Both
    }

    fn schedule(&self) -> Schedule {
        // Bounded model checking looks at the same paths, joined.
        Schedule { in_default_run: false, ends_first: Some(2), ..Schedule::default() }
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        let Options { order, seed, strict, .. } = task.options;
        let options = SymexOptions { threshold: None, order, seed, strict, ..Default::default() };
        symex(&task.analyses, &options, context.budget, context.board, context.watcher)
    }
}

/// Symbolic execution with implicit predicate abstraction.
pub struct Symexia;

pub(crate) const SYMEXIA: &str = "symexia";

impl Engine for Symexia {
    fn name(&self) -> &'static str {
        SYMEXIA
    }

    fn help(&self) -> &'static str {
        "symbolic execution with predicate abstraction of loops and refinement; alone, a part of the time goes to paths without abstraction"
    }

    fn answers(&self) -> Answers {
        Answers::Both
    }

    fn parameter(&self) -> Option<&'static str> {
        Some("loops are abstracted once their heads were visited so often [default: 0]")
    }

    fn schedule(&self) -> Schedule {
        Schedule { waits_for: Some(8), ends_first: Some(2), ..Schedule::default() }
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        let Options { order, seed, strict, parameter, .. } = task.options;
        let threshold = Some(parameter.unwrap_or(0));
        // Beside others bounded model checking looks at finite trees.
        let tries_plainly = context.is_alone;
        let options = SymexOptions { threshold, order, seed, tries_plainly, strict, ..Default::default() };
        symex(&task.analyses, &options, context.budget, context.board, context.watcher)
    }
}

pub fn symex(
    analyses: &Analyses,
    options: &SymexOptions,
    budget: &Budget,
    board: &Board,
    watcher: &dyn Watcher,
) -> Answer {
    // Leaks are looked for where runs end: what is forgotten of loops may be where memory is lost.
    let has_leaks = analyses.program().checks.iter().any(|check| check.kind == CheckKind::Leak);
    let Some(threshold) = options.threshold.filter(|_| !has_leaks) else {
        let order = options.order.unwrap_or(PLAIN_ORDER);
        let mut explorer = Explorer::new(analyses, order, options.seed, budget, board, watcher);
        explorer.strict = options.strict;
        let end = explorer.explore();
        return answer(&mut explorer, end);
    };
    let order = options.order.unwrap_or(Order::Nested);
    let explorer = Explorer::new(analyses, order, options.seed, budget, board, watcher);
    let mut explorer = explorer.abstracting(PrecisionFunction::new(threshold), Some(Refiner::new(analyses)));
    explorer.most_apart = options.most_apart;
    explorer.strict = options.strict;
    // It is not worth much memory.
    let plain_budget = Budget { memory: budget.memory / 3, ..budget.clone() };
    let mut plain = options.tries_plainly.then(|| {
        let order = options.order.unwrap_or(PLAIN_ORDER);
        let mut plain = Explorer::new(analyses, order, options.seed, &plain_budget, board, &());
        plain.strict = options.strict;
        plain
    });
    let (mut slice, mut spent) = (FIRST_SLICE, Duration::ZERO);
    loop {
        if let Some(one) = &mut plain {
            let part = slice / if spent < EARLY { EARLY_PART } else { PLAIN_PART };
            match one.explore_until(Instant::now() + part) {
                Err(Stop::Paused) if spent < PLAIN => spent += part,
                Err(Stop::Paused | Stop::Unknown(_) | Stop::Abstract) => plain = None,
                end @ (Ok(()) | Err(Stop::Violated(_))) => return answer(one, end),
            }
        }
        let end = match &plain {
            Some(_) => explorer.explore_until(Instant::now() + slice),
            None => explorer.explore(),
        };
        match end {
            Err(Stop::Paused) => slice = slice * 3 / 2,
            end => return answer(&mut explorer, end),
        }
    }
}

/// What the end of an exploration says.
fn answer(explorer: &mut Explorer, end: Result<(), Stop>) -> Answer {
    match end {
        Ok(()) => {
            let assumed = std::mem::take(&mut explorer.assumed);
            Answer::Holds(proof(explorer), assumed)
        }
        Err(Stop::Violated(violation)) => Answer::Violated(violation),
        Err(Stop::Unknown(why)) => Answer::Unknown(Unknown { why, explored: explorer.explored() }),
        // There is someone who refines, and nobody who pauses.
        Err(Stop::Abstract | Stop::Paused) => {
            Answer::Unknown(Unknown { why: WhyUnknown::Cancelled, explored: explorer.explored() })
        }
    }
}

/// What paths without abstraction get of the time that abstraction gets, at first and later, and what is enough for them.
const EARLY: Duration = Duration::from_secs(3);
const EARLY_PART: u32 = 2;
const PLAIN_PART: u32 = 8;
const PLAIN: Duration = Duration::from_secs(10);
const PLAIN_ORDER: Order = Order::Coverage;
/// How long abstraction has before paths without it have their turn, at first.
const FIRST_SLICE: Duration = Duration::from_millis(200);

/// What one exploration at a fixed precision finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtPrecision {
    /// No abstract path meets a target.
    Safe,
    /// One does, and a run may or may not.
    Counterexample,
    Unknown,
}

/// Explores once, without refining: every loop with the same threshold, and with the predicates that are given for it.
pub fn at_precision(
    analyses: &Analyses,
    predicates: &[(LoopKey, Fact)],
    options: &SymexOptions,
    budget: &Budget,
) -> AtPrecision {
    let board = Board::closed();
    let mut explorer = Explorer::new(analyses, options.order.unwrap_or_default(), options.seed, budget, &board, &());
    explorer.most_apart = options.most_apart;
    explorer.strict = true;
    let mut precision = PrecisionFunction::new(options.threshold.unwrap_or(0));
    for (key, known) in predicates {
        let template = explorer.vocabulary.state(&mut explorer.sym, key.0);
        if let Some(term) = known.term(&mut explorer.sym, &template) {
            precision.add(*key, term, &mut explorer.sym);
        }
    }
    match explorer.abstracting(precision, None).explore() {
        Ok(()) => AtPrecision::Safe,
        Err(Stop::Abstract | Stop::Violated(_)) => AtPrecision::Counterexample,
        Err(Stop::Unknown(_) | Stop::Paused) => AtPrecision::Unknown,
    }
}

/// What a finished exploration shows.
fn proof(explorer: &mut Explorer) -> Proof {
    if explorer.points.points.iter().all(|point| point.is_gone) {
        return Proof::Bounded { bound: explorer.deepest, steps: explorer.steps };
    }
    let states = explorer.points.points.iter().filter(|point| !point.is_gone).count() as u64;
    let invariants = evidence::invariants(explorer).map(Arc::new);
    let predicates = Arc::new(evidence::predicates(explorer));
    let reached = Arc::new(evidence::reached(explorer));
    let (paths, refinements) = (explorer.paths, explorer.refinements);
    Proof::Abstraction { invariants, tree: AbstractTree { states, paths, refinements, predicates, reached } }
}
