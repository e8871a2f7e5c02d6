//! Symbolic execution path by path, with implicit predicate abstraction and refinement.
//!
//! **Idea.** Plain symbolic execution (King 1976) follows one path after the other; on a program with infinitely many it never
//! ends. Jonáš, Strejček and Griggio (*Combining Symbolic Execution with Predicate Abstraction and CEGAR*, FMCAD 2024)
//! abstract paths at loop heads to the values of some predicates, and follow only *p-simple* paths: those that come to no head
//! twice with the same values. Then the tree is finite for every *precision function*, which says at which locations and
//! after how many visits (the *threshold*) paths are abstracted, and by which *predicates*. A path to an error in the
//! abstract tree is executed again without abstraction: it is a violation, or it is spurious and shows which predicates are
//! missing.
//!
//! In the order in which the engine works:
//!
//! ```text
//!   explore        Algorithm 2: follows paths from the waitlist
//!     waitlist       paths that are still to be followed, and the search order
//!     path           a symbolic state with its history
//!     history        the decisions and abstraction points of a path
//!     merging        many paths at one location become one
//!     monitor        time, memory, statistics
//!   abstraction    from states at a loop head to abstract states
//!     loop_heads     which loops are abstracted, and what their iterations modify
//!     reached_set    the abstract states, and which paths they cover
//!   cegar          Algorithm 3: a path that seems to meet a target
//!     replay         execution along one control-flow path
//!     refinement     new predicates against spurious counterexamples
//!   evidence       invariants and the reached set of a finished exploration
//!   tuning         all numbers, with reasons
//! ```
//!
//! Precision, vocabulary, valuations, feasibility, the refiner, targets, the verdict and the exchange with other engines are
//! [`crate::predicates`].
//!
//! **Where this goes beyond the paper.** Calls are followed on the stack of the symbolic state, nothing is inlined. At an
//! abstraction point only what the loop modifies is havocked, not all memory, so that few predicates are needed. Abstract
//! states cover all paths of an entry, not those of one path only. Loops that constants decide are not abstracted (they count
//! no visits). Where an iteration has very many paths they are merged. Beside that, for a part of the time, paths are
//! followed without abstraction: a finite tree needs no predicates. Candidate predicates come from several sources, and a
//! core of the solver chooses among them.
//!
//! **Soundness.** `plumb-sym`'s, and that of the reached set ([`reached_set`]): a run follows some path as long as its state is
//! not covered, and then another path goes on from a state that the run is in. Faults, gaps and doubts are targets like
//! checks: an exploration that ends without any of them is a proof. Faults may be assumed not to happen
//! ([`plumb_sym::Assumed`]): a path goes on with the runs that have not faulted. A violation is replayed.
//!
//! **Knobs.** The initial threshold, the search order, and [`Tuning`]. Unbounded recursion is not abstracted: the exploration does not
//! end. Nothing is abstracted where leaks are checked, and in programs with several stacks.

mod abstraction;
mod cegar;
mod evidence;
mod explore;
mod history;
mod loop_heads;
mod merging;
mod monitor;
mod path;
mod reached_set;
mod refinement;
mod replay;
mod tuning;
mod waitlist;

pub use tuning::Tuning;
pub use waitlist::Order;

use crate::answer::{AbstractTree, Answer, Proof, Unknown, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Watcher};
use crate::engine::{About, Answers, Context, Engine, Options, Schedule, Task};
use crate::predicates::refinement::Refiner;
use abstraction::Abstraction;
use explore::{Explorer, Stop};
use plumb_ir::analysis::Analyses;
use plumb_ir::check::CheckKind;
use reached_set::Entry;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
pub struct SymexOptions {
    /// Paths are abstracted, with this threshold at first. `None`: symbolic execution without abstraction.
    pub threshold: Option<u32>,
    pub order: Option<Order>,
    pub seed: u64,
    /// For a part of the time paths are followed without abstraction too.
    pub also_plain: bool,
    /// A proof shows that there is no undefined behaviour.
    pub strict: bool,
    pub tuning: Tuning,
}

impl Default for SymexOptions {
    fn default() -> SymexOptions {
        SymexOptions { threshold: None, order: None, seed: 0, also_plain: true, strict: false, tuning: Tuning::DEFAULT }
    }
}

/// Symbolic execution without abstraction.
pub struct Symex;

impl Engine for Symex {
    fn about(&self) -> About {
        About {
            name: "symex",
            help: "symbolic execution, path by path",
            answers: Answers::Both,
            parameter: None,
            // Bounded model checking explores the same paths, joined.
            schedule: Schedule { in_default_run: false, ends_first: Some(2), ..Schedule::default() },
        }
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[("--order", "coverage")]
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
    fn about(&self) -> About {
        About {
            name: SYMEXIA,
            help: "symbolic execution with predicate abstraction of loops and refinement; alone, a part of the time goes to paths without abstraction",
            answers: Answers::Both,
            parameter: Some("loops are abstracted once their heads were visited this often [default: 0]"),
            schedule: Schedule {
                waits_for: Some(8),
                yields_to_tasks: true,
                ends_first: Some(2),
                ..Schedule::default()
            },
        }
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[("--order", "nested")]
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        let Options { order, seed, strict, parameter, .. } = task.options;
        let threshold = Some(parameter.unwrap_or(0));
        // Beside other engines, bounded model checking explores finite trees.
        let mut tuning = Tuning::DEFAULT;
        if !context.is_alone {
            tuning.schedule.max_plain = tuning.schedule.max_plain_in_portfolio;
        }
        let options = SymexOptions { threshold, order, seed, strict, tuning, ..Default::default() };
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
    // Leaks are checked where runs end: the memory that is lost may be what is havocked of a loop.
    let has_leaks = analyses.program().checks.iter().any(|check| check.kind == CheckKind::Leak);
    // What a loop of one stack changes is looked for on that stack; others may have changed their frames meanwhile.
    let can_abstract = !has_leaks && !analyses.program().has_stacks();
    let Some(threshold) = options.threshold.filter(|_| can_abstract) else {
        return explore_plainly(analyses, options, budget, watcher);
    };
    let tuning = &options.tuning;
    let order = (options.order.unwrap_or(Order::Nested), options.seed);
    let abstraction = Abstraction::new(analyses, board, threshold, tuning);
    let refiner = Refiner::new(analyses, (&tuning.refinement, &tuning.feasibility), budget, board);
    let explorer = Explorer::new(analyses, order, options.strict, tuning, budget, watcher);
    let mut explorer = explorer.abstracting(abstraction, Some(refiner));
    if options.also_plain
        && let Some(answer) = explore_alternately(&mut explorer, analyses, options, budget)
    {
        return answer;
    }
    let end = explorer.explore();
    answer(&mut explorer, end, tuning)
}

/// Symbolic execution without abstraction.
fn explore_plainly(analyses: &Analyses, options: &SymexOptions, budget: &Budget, watcher: &dyn Watcher) -> Answer {
    let order = (options.order.unwrap_or(options.tuning.schedule.plain_order), options.seed);
    let mut explorer = Explorer::new(analyses, order, options.strict, &options.tuning, budget, watcher);
    let end = explorer.explore();
    answer(&mut explorer, end, &options.tuning)
}

/// Explores with and without abstraction in alternation, until one of them has an answer or it is time to give up the plain one.
fn explore_alternately(
    explorer: &mut Explorer,
    analyses: &Analyses,
    options: &SymexOptions,
    budget: &Budget,
) -> Option<Answer> {
    let tuning = &options.tuning.schedule;
    let plain_budget = Budget { memory: budget.memory / tuning.memory_share, ..budget.clone() };
    let order = (options.order.unwrap_or(tuning.plain_order), options.seed);
    let mut plain = Explorer::new(analyses, order, options.strict, &options.tuning, &plain_budget, &());
    let (mut slice, mut spent) = (tuning.first_slice, Duration::ZERO);
    loop {
        let plain_slice = slice / if spent < tuning.early { tuning.early_share } else { tuning.late_share };
        match plain.explore_until(Instant::now() + plain_slice) {
            Err(Stop::Paused) if spent < tuning.max_plain => spent += plain_slice,
            Err(Stop::Paused | Stop::Unknown(_) | Stop::Spurious) => return None,
            end @ (Ok(()) | Err(Stop::Violated(_))) => return Some(answer(&mut plain, end, &options.tuning)),
        }
        match explorer.explore_until(Instant::now() + slice) {
            Err(Stop::Paused) => slice = slice * 3 / 2,
            end => return Some(answer(explorer, end, &options.tuning)),
        }
    }
}

/// What the end of an exploration means.
fn answer(explorer: &mut Explorer, end: Result<(), Stop>, tuning: &Tuning) -> Answer {
    let unknown = |why, explorer: &Explorer| Answer::Unknown(Unknown { why, explored: explorer.explored() });
    match end {
        Ok(()) => {
            let assumed = std::mem::take(&mut explorer.verdict.assumed);
            Answer::Holds(proof(explorer, tuning), assumed)
        }
        Err(Stop::Violated(violation)) => Answer::Violated(violation),
        Err(Stop::Unknown(why)) => unknown(why, explorer),
        // Only explorations with a fixed precision end so, or with a moment to pause at.
        Err(Stop::Spurious | Stop::Paused) => unknown(WhyUnknown::Cancelled, explorer),
    }
}

/// The proof by a finished exploration.
fn proof(explorer: &mut Explorer, tuning: &Tuning) -> Proof {
    let Explorer { sym, feasibility, abstraction, reached, statistics, .. } = explorer;
    let states = reached.points().count() as u64;
    let Some(abstraction) = abstraction.as_mut().filter(|_| states > 0) else {
        return Proof::Bounded { bound: statistics.max_visits, steps: statistics.steps };
    };
    let max_states = tuning.evidence.max_states;
    let invariants = evidence::invariants(sym, feasibility, abstraction, reached, max_states).map(Arc::new);
    let authors = |entry: &Entry| abstraction.exchange.authors(entry.key, &entry.invariants);
    let strengthened_by = reached.entries().flat_map(authors).collect();
    let predicates = Arc::new(evidence::predicates(sym, abstraction));
    let reached = Arc::new(evidence::reached_states(sym, abstraction, reached, statistics.max_visits));
    let (paths, refinements) = (statistics.paths, statistics.refinements);
    let tree = AbstractTree { states, paths, refinements, strengthened_by, predicates, reached };
    Proof::Abstraction { invariants, tree }
}

#[cfg(test)]
pub(crate) mod tests;
