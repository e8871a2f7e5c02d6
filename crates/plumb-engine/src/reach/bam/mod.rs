//! Block-abstraction memoisation (BAM): functions as blocks that are explored by themselves, and whose results are
//! used again.
//!
//! **Idea.** D. Wonisch and H. Wehrheim, *Predicate analysis with block-abstraction memoization* (ICFEM 2012): the abstract state at
//! the entry of a block is *reduced* to what the block reads and touches, the block is explored by itself, and the abstract states at its exits are
//! *expanded* where it was entered. A cache answers the next entry with the same reduced state and precision. N. Lee's thesis
//! (*A Novel Target Directed Model Checking*, KAIST 2022) directs it to the error (section 7.1).
//!
//! In the order in which the engine works:
//!
//! ```text
//!   blocks     which functions are blocks; their block graphs, made once; calls expanded
//!   explore    the program's block, and those of functions when they are called
//!     calls    what calls contribute: entry states, exits, targets
//!     cache    reachability graphs by block, reduced entry states and precision
//!     order    the search order, distances under the calls of a block
//!   refine     counterexamples: followed exactly, confirmed or refined away
//!     path     unfolded through cached blocks
//!   evidence   the unfolded reached set
//!   tuning     all numbers, with reasons
//! ```
//!
//! **What is ours.** Functions are reduced in the symbolic semantics ([`plumb_sym::ReducedEntry`]): the formula of a block is made once, over
//! symbols for what is read, and the caller's formula has it with these symbols replaced. So relations between entry and exit values need no
//! predicates where there is no loop between them, and behind a loop they need those of the loop only. A function without loops and without
//! targets is never explored: its formula is the summary. Everything else is lazy abstraction's: domains, refiner, waitlist.
//! A function whose entries no predicates describe well enough becomes a part of its callers' blocks.
//!
//! **Soundness.** By induction over a run: it is in abstract states of the program's graph at its loop heads, and in those of the callee's
//! graph for the reduced entry state at the callee's ([`calls`]). Targets in callees are targets of all callers that can get there.
//! A violation is a model of the unfolded path with all calls followed, and is replayed. A proof says what is reached at each loop
//! head under each call stack ([`evidence`]); it is checked with all calls followed.
//!
//! **Knobs.** The search order, and [`BamTuning`]. Functions to which pointers come in, that allocate or that are recursive are followed
//! where they are called; unbounded recursion is the reason of an UNKNOWN.

mod blocks;
mod cache;
mod calls;
mod evidence;
mod explore;
mod order;
mod path;
mod refine;
#[cfg(test)]
mod tests;
mod tuning;

pub use tuning::BamTuning;

use super::monitor::Stop;
use crate::answer::{Answer, Explored, Unknown};
use crate::board::Board;
use crate::budget::{Budget, Watcher};
use crate::engine::{About, Answers, Context, Engine, Order, Schedule, Task};
use explore::Bam;
use plumb_ir::analysis::Analyses;

/// Block-abstraction memoisation.
pub struct BlockAbstraction;

pub(crate) const BAM: &str = "bam";

impl Engine for BlockAbstraction {
    fn about(&self) -> About {
        About {
            name: BAM,
            help: "block-abstraction memoisation: functions explored once for each reduced entry state, and used again where they are called",
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
        let options = BamOptions { order: task.options.order, strict: task.options.strict, tuning: BamTuning::DEFAULT };
        bam(&task.analyses, &options, context.budget, context.board, context.watcher)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct BamOptions {
    pub order: Option<Order>,
    /// A proof shows that there is no undefined behaviour.
    pub strict: bool,
    pub tuning: BamTuning,
}

impl Default for BamOptions {
    fn default() -> BamOptions {
        BamOptions { order: None, strict: false, tuning: BamTuning::DEFAULT }
    }
}

pub fn bam(analyses: &Analyses, options: &BamOptions, budget: &Budget, board: &Board, watcher: &dyn Watcher) -> Answer {
    let unknown = |why, explored| Answer::Unknown(Unknown { why, explored });
    if let Some(why) = super::beyond_blocks(analyses.program()) {
        return unknown(why, Explored::default());
    }
    let mut bam = Bam::new(analyses, options, budget, board, watcher);
    match bam.explore() {
        Ok(()) => evidence::answer(bam),
        Err(Stop::Violated(violation)) => Answer::Violated(violation),
        Err(Stop::Unknown(why)) => unknown(why, bam.explored()),
    }
}
