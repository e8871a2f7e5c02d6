//! Abstract reachability: lazy abstraction over blocks, with several abstract domains.
//!
//! **Idea.** Lazy abstraction (Henzinger, Jhala, Majumdar, Sutre 2002) builds a graph of abstract states, from the start along the
//! program, until every new one is covered by one that was reached before. A path of it to an error that no run takes shows
//! which predicates are missing, and only the part of the graph that lacks them is built again. With adjustable-block encoding
//! (Beyer, Keremoglu, Wendler 2010) abstract states are computed at loop heads only; what lies in between is one formula.
//!
//! In the order in which the engine works:
//!
//! ```text
//!   block      from one loop head along all paths to the next: step and join
//!   graph      the block graph: abstract entries of loops, and the blocks between them
//!   explore    the CPA algorithm: nodes from the waitlist, abstract successors, covering
//!     order      the search order
//!     domain     what an abstract domain is: transfer, merge, stop; the product of two
//!     domains/   predicates, values, intervals
//!     abstraction what abstract states are computed with, and what refinement has found
//!     reached    the waitlist, and the abstract reachability graph (arg)
//!     targets    what a proof has to exclude
//!     monitor    time and memory
//!   cegar      counterexamples: followed exactly, confirmed or refined away
//!     tracking which domain tracks what the refiner has chosen
//!   evidence   the certificate's reached set, and invariants
//!   bam/       block-abstraction memoisation, an engine of its own on these parts
//!   tuning     all numbers, with reasons
//! ```
//!
//! **What is ours.** An abstract entry of a loop havocks only what its iterations modify, and keeps the rest as symbolic values with the
//! path condition. It does not depend on abstract states, so every block's formula is made once and asked about under all
//! regions and precisions: a refinement makes no block again. A node is a set of abstract states, so that one query is about
//! many. Variables that refinement compares with constants are tracked by their values; predicates come from the refiner that
//! symbolic execution has ([`crate::predicates::refinement`]), over the formulas of whole blocks.
//!
//! **Soundness.** By induction over a run: at a loop head it is in a state of the entry ([`graph`]) and in an abstract state that was
//! reached there ([`arg`]); faults, gaps and doubts of blocks are targets like checks. So an exploration that ends without any of them is a
//! proof. A violation is a model of exact blocks, which is replayed.
//!
//! **Knobs.** The search order, and [`Tuning`]. Unbounded recursion, loops that make objects and loops with two entries are not abstracted:
//! the answer is UNKNOWN with that reason. Programs with several stacks and checks for leaks are declined.

mod abstraction;
mod arg;
pub mod bam;
mod block;
mod cegar;
mod domain;
mod domains;
mod evidence;
mod exact;
mod explore;
mod graph;
mod monitor;
mod order;
mod reached;
mod targets;
#[cfg(test)]
mod tests;
mod tracking;
mod tuning;

pub use bam::BlockAbstraction;
pub use tuning::Tuning;

use crate::answer::{Answer, Explored, Unknown, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Watcher};
use crate::engine::{About, Answers, Context, Engine, Order, Schedule, Task};
use explore::Explorer;
use monitor::Stop;
use order::{BreadthFirst, DepthFirst, InnerFirst, NearestFirst, SearchOrder};
use plumb_ir::analysis::Analyses;
use plumb_ir::check::CheckKind;
use plumb_ir::program::Program;

/// Lazy abstraction.
pub struct La;

pub(crate) const LA: &str = "la";

impl Engine for La {
    fn about(&self) -> About {
        About {
            name: LA,
            help: "lazy abstraction: predicates, values and intervals at loop heads, whole blocks in between, refinement",
            answers: Answers::Both,
            parameter: None,
            schedule: Schedule { in_default_run: false, ends_first: Some(1), ..Schedule::default() },
        }
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[("--order", "breadth")]
    }

    fn takes_order(&self, order: Order) -> bool {
        !matches!(order, Order::Coverage | Order::Random)
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        let options = ReachOptions { order: task.options.order, strict: task.options.strict, tuning: Tuning::DEFAULT };
        reach(&task.analyses, &options, context.budget, context.board, context.watcher)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ReachOptions {
    pub order: Option<Order>,
    /// A proof shows that there is no undefined behaviour.
    pub strict: bool,
    pub tuning: Tuning,
}

impl Default for ReachOptions {
    fn default() -> ReachOptions {
        ReachOptions { order: None, strict: false, tuning: Tuning::DEFAULT }
    }
}

/// Why nothing is said of a program, if so.
fn beyond_blocks(program: &Program) -> Option<WhyUnknown> {
    // What a loop of one stack changes is looked for on that stack; others may have changed their frames meanwhile.
    if program.has_stacks() {
        return Some(WhyUnknown::Stacks);
    }
    // Leaks are checked where runs end: the memory that is lost may be what is havocked of a loop.
    program.checks.iter().any(|check| check.kind == CheckKind::Leak).then_some(WhyUnknown::Endless)
}

pub fn reach(
    analyses: &Analyses,
    options: &ReachOptions,
    budget: &Budget,
    board: &Board,
    watcher: &dyn Watcher,
) -> Answer {
    let unknown = |why, explored| Answer::Unknown(Unknown { why, explored });
    if let Some(why) = beyond_blocks(analyses.program()) {
        return unknown(why, Explored::default());
    }
    let order: Box<dyn SearchOrder + '_> = match options.order {
        Some(Order::Depth) => Box::new(DepthFirst),
        Some(Order::Nested) => Box::new(InnerFirst),
        Some(Order::Tour(metric)) => Box::new(NearestFirst { analyses, metric }),
        Some(Order::Breadth | Order::Coverage | Order::Random) | None => Box::new(BreadthFirst),
    };
    let mut explorer = Explorer::new(analyses, order, options.strict, &options.tuning, budget, board, watcher);
    match explorer.explore() {
        Ok(()) => {
            let assumed = std::mem::take(&mut explorer.verdict.assumed);
            Answer::Holds(evidence::proof(&mut explorer), assumed)
        }
        Err(Stop::Violated(violation)) => Answer::Violated(violation),
        Err(Stop::Unknown(why)) => unknown(why, explorer.explored()),
    }
}
