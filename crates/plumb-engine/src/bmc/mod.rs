//! Bounded model checking.
//!
//! **Idea.** All runs up to a bound are unrolled into symbolic states ([`crate::unroll`]); a check that may break becomes a
//! formula over the inputs, and a solver looks for inputs that break it (Biere, Cimatti, Clarke, Zhu 1999; the anchor for C
//! is CBMC). Deeper bounds go on from the states that were put aside, in the same solver: what was encoded stays.
//!
//! **Soundness.** A violation is a model's inputs, and is run on the machine before it is said: a model that rests on what the
//! machine has settled otherwise (where objects lie, which NaN) is none, leaves no proof, and the search goes on. The
//! property holds if no formula of a check or of something not modelled has a model, and neither has the path of any state
//! left aside: then the states were all runs that there are. Faults that have a model are supposed not to happen
//! ([`plumb_sym::Assumed`]). Every *unsatisfiable* is the solver's, which has no models to forget.
//!
//! ```text
//!   goals    formulas of checks, faults and states left aside, put to the solver
//! ```
//!
//! **Knobs.** The last bound, if the user wants one. It grows by a third from round to round.

mod goals;

use crate::answer::{Answer, Explored, Proof, Unknown, WhyUnknown};
use crate::budget::{Budget, Progress, Watcher};
use crate::engine::{Answers, Context, Engine, Options, Schedule, Task};
use crate::unroll::{NEVER, Pause, Unroller};
use goals::{Goals, Verdict};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use std::time::Instant;

#[derive(Clone, Debug, Default)]
pub struct BmcOptions {
    /// Stop after this bound.
    pub bound: Option<u32>,
    /// Loops that are turned so often and no further, whatever the bound.
    pub loops: Vec<(LoopKey, u32)>,
    /// A proof shows that there is no undefined behaviour.
    pub strict: bool,
}

pub struct Bmc;

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn help(&self) -> &'static str {
        "bounded model checking, all runs up to ever larger bounds"
    }

    fn answers(&self) -> Answers {
        Answers::Both
    }

    fn schedule(&self) -> Schedule {
        // Deeper bounds give way to a proof.
        Schedule { memory_quarters: 3, ends_first: Some(3), ..Schedule::default() }
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        let Options { unwind, unwind_loops, strict, .. } = &task.options;
        let options = BmcOptions { bound: *unwind, loops: unwind_loops.clone(), strict: *strict };
        bmc(&task.analyses, &options, context.budget, context.watcher)
    }
}

pub fn bmc(analyses: &Analyses, options: &BmcOptions, budget: &Budget, watcher: &dyn Watcher) -> Answer {
    let started = Instant::now();
    let mut unroller = Unroller::new(analyses);
    unroller.fixed = options.loops.iter().copied().collect();
    let mut goals = Goals::new(analyses.program(), budget);
    let last = options.bound.unwrap_or(NEVER - 1);
    let mut bound = 1.min(last);
    loop {
        let pause = unroller.unroll(bound, budget);
        let explored = explored(&unroller, bound);
        let memory = unroller.sym.terms.heap_bytes() as u64;
        watcher.progress(&Progress { explored, elapsed: started.elapsed(), kept: unroller.aside.len() as u64, memory });
        let unknown = |why| Answer::Unknown(Unknown { why, explored });
        let is_end = pause == Pause::Budget || unroller.aside.iter().all(|aside| aside.wants > last);
        match goals.checks(&mut unroller, !is_end) {
            Verdict::Violated(violation) => return Answer::Violated(violation),
            Verdict::Open(why) => return unknown(goals.reason(why)),
            Verdict::Fine => {}
        }
        if pause == Pause::Budget {
            let why = match () {
                _ if budget.cancel.is_cancelled() => WhyUnknown::Cancelled,
                _ if budget.is_over() => WhyUnknown::Timeout,
                _ => WhyUnknown::OutOfMemory,
            };
            return unknown(goals.reason(why));
        }
        match goals.rest(&mut unroller) {
            Some(why) => return unknown(goals.reason(why)),
            // States that turn out to be none leave checks that may wait no longer.
            None if unroller.aside.is_empty() && !is_end => continue,
            None if unroller.aside.is_empty() => {
                return match goals.obstacles(&mut unroller, options.strict) {
                    Err(why) => unknown(why),
                    Ok(assumed) => Answer::Holds(Proof::Bounded { bound, steps: unroller.steps }, assumed),
                };
            }
            None => {}
        }
        if unroller.aside.iter().all(|aside| aside.wants > last) {
            return unknown(goals.reason(WhyUnknown::Bound(bound)));
        }
        bound = (bound + (bound / 3).max(1)).min(last);
    }
}

fn explored(unroller: &Unroller, bound: u32) -> Explored {
    Explored { steps: unroller.steps, deepest: bound as u64, ..Explored::default() }
}
