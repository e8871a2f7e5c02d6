//! Bounded model checking.
//!
//! **Idea.** All runs up to a bound are unrolled into symbolic states ([`crate::unroll`]); a check that may break becomes a
//! formula over the inputs, and a solver looks for inputs that break it (Biere, Cimatti, Clarke, Zhu 1999; the anchor for C
//! is CBMC). Deeper bounds go on from the frontier, the states that the bound has stopped, in the same solver: what was encoded
//! stays.
//!
//! **Three searches.** Small bounds first is right for small programs. A reactive loop may violate a check in its tenth
//! iteration if a small loop within it iterates sixteen times, or in its six-hundredth where those within wait only
//! once; small bounds of all loops reach neither in time, since each of them unwinds everything in vain. So the checks met so far
//! are looked at each time that the terms have doubled in number; and where there are many, a second search begins with a
//! larger bound, and a third one leaves loops within others at a small bound. Whichever has the fewest terms goes on.
//!
//! **Soundness.** A violation is a model's inputs, and is replayed on the machine before it is reported: a model that rests on a
//! choice which the machine makes otherwise (where objects lie, which NaN) does not replay, rules out a proof, and the search
//! goes on. The property holds if no formula of a check or of something not modelled is satisfiable, and the path of every
//! state of the frontier is infeasible: then the states were all runs. Faults that are satisfiable are assumed not to happen
//! ([`plumb_sym::Assumed`]).
//!
//! ```text
//!   search     one unwinding with its solver, from bound to bound
//!   goals      formulas of checks, faults and the frontier, put to the solver
//!   uncovered  inputs for branches that no run has taken, posted for concrete search
//!   finished   complete bounds and dead locations, posted for others
//!   tuning     knobs
//! ```
//!
//! **Knobs.** The last bound, if the user wants one. It grows by a third from round to round. Others in [`tuning`].

mod finished;
mod goals;
mod search;
mod tuning;
mod uncovered;

use crate::answer::{Answer, Unknown, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Watcher};
use crate::engine::{About, Answers, Context, Engine, Options, Schedule, Task};
use crate::host::resident_bytes;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use search::{Job, Search};
use std::time::Instant;
use tuning::TUNING;

#[derive(Clone, Debug, Default)]
pub struct BmcOptions {
    /// Stop after this bound.
    pub bound: Option<u32>,
    /// Loops that are unwound so often and no further, whatever the bound.
    pub loops: Vec<(LoopKey, u32)>,
    /// A proof shows that there is no undefined behaviour.
    pub strict: bool,
}

pub struct Bmc;

const NAME: &str = "bmc";

impl Engine for Bmc {
    fn about(&self) -> About {
        About {
            name: NAME,
            help: "bounded model checking, all runs up to ever larger bounds",
            answers: Answers::Both,
            parameter: None,
            // Deeper bounds give way to a proof.
            schedule: Schedule {
                memory_quarters: 3,
                yields_to_tasks: true,
                ends_first: Some(3),
                ..Schedule::default()
            },
        }
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[("--unwind", "increasing bounds"), ("--unwind-loop", "none")]
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        let Options { unwind, unwind_loops, strict, .. } = &task.options;
        let options = BmcOptions { bound: *unwind, loops: unwind_loops.clone(), strict: *strict };
        bmc(&task.analyses, &options, context.budget, context.board, context.watcher)
    }
}

pub fn bmc(analyses: &Analyses, options: &BmcOptions, budget: &Budget, board: &Board, watcher: &dyn Watcher) -> Answer {
    let job = Job { analyses, options, budget, board, watcher, started: Instant::now() };
    let mut searches = vec![Search::new(&job, 1, None)];
    let mut may_split = options.bound.is_none();
    loop {
        let smaller = |best: usize, at: usize| if searches[at].terms() < searches[best].terms() { at } else { best };
        let at = (1..searches.len()).fold(0, smaller);
        match searches[at].round(&job) {
            Some(Answer::Unknown(Unknown { why: WhyUnknown::OutOfMemory, .. })) if searches.len() > 1 => {
                searches.truncate(1);
            }
            Some(Answer::Unknown(Unknown { why: WhyUnknown::Bound(_), .. })) if searches.len() > 1 => {
                searches.remove(at);
            }
            Some(answer) => return answer,
            None => {}
        }
        // What the first one needs later is kept free.
        if resident_bytes().is_some_and(|bytes| bytes > budget.memory / 3) {
            searches.truncate(1);
            may_split = false;
        }
        if may_split && searches[0].terms() > TUNING.early_terms {
            may_split = false;
            searches.push(Search::new(&job, TUNING.large_bound, None));
            searches.push(Search::new(&job, TUNING.large_bound, Some(TUNING.nested_bound)));
        }
    }
}
