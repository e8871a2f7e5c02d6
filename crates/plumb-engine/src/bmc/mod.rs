//! Bounded model checking.
//!
//! **Idea.** All runs up to a bound are unrolled into symbolic states ([`crate::unroll`]); a check that may break becomes a
//! formula over the inputs, and a solver looks for inputs that break it (Biere, Cimatti, Clarke, Zhu 1999; the anchor for C
//! is CBMC). Deeper bounds go on from the frontier, the states that the bound has stopped, in the same solver: what was encoded
//! stays. While a bound unwinds into very many terms, the checks met so far are looked at each time that their number has
//! doubled.
//!
//! **Soundness.** A violation is a model's inputs, and is replayed on the machine before it is reported: a model that rests on a
//! choice which the machine makes otherwise (where objects lie, which NaN) does not replay, rules out a proof, and the search
//! goes on. The property holds if no formula of a check or of something not modelled is satisfiable, and the path of every
//! state of the frontier is infeasible: then the states were all runs. Faults that are satisfiable are assumed not to happen
//! ([`plumb_sym::Assumed`]).
//!
//! ```text
//!   goals      formulas of checks, faults and the frontier, put to the solver
//!   finished   complete bounds and dead locations, posted for others
//!   tuning     knobs
//! ```
//!
//! **Knobs.** The last bound, if the user wants one. It grows by a third from round to round. Others in [`tuning`].

mod finished;
mod goals;
mod tuning;

use crate::answer::{Answer, Explored, Proof, Unknown, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Progress, Watcher};
use crate::engine::{About, Answers, Context, Engine, Options, Schedule, Task};
use crate::unroll::{NEVER, Pause, Unroller};
use goals::{Goals, Patience, Verdict};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
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
            schedule: Schedule { memory_quarters: 3, ends_first: Some(3), ..Schedule::default() },
        }
    }

    fn run(&self, task: &Task, context: &Context) -> Answer {
        let Options { unwind, unwind_loops, strict, .. } = &task.options;
        let options = BmcOptions { bound: *unwind, loops: unwind_loops.clone(), strict: *strict };
        bmc(&task.analyses, &options, context.budget, context.board, context.watcher)
    }
}

pub fn bmc(analyses: &Analyses, options: &BmcOptions, budget: &Budget, board: &Board, watcher: &dyn Watcher) -> Answer {
    let started = Instant::now();
    let mut unroller = Unroller::new(analyses);
    unroller.pause_at = TUNING.early_terms;
    unroller.fixed = options.loops.iter().copied().collect();
    let mut goals = Goals::new(analyses.program(), budget);
    let last = options.bound.unwrap_or(NEVER - 1);
    let mut bound = 1.min(last);
    loop {
        let pause = unroller.unroll(bound, budget);
        let explored = Explored { steps: unroller.steps, deepest: bound as u64, ..Explored::default() };
        let (kept, memory) = (unroller.frontier.len() as u64, unroller.sym.terms.heap_bytes() as u64);
        watcher.progress(&Progress { explored, elapsed: started.elapsed(), kept, memory });
        let unknown = |why| Answer::Unknown(Unknown { why, explored });
        let is_end = pause == Pause::Budget || unroller.frontier.iter().all(|state| state.needs_bound > last);
        let patience = match pause {
            Pause::Terms => Patience::Early,
            _ if is_end => Patience::Last,
            Pause::Bound | Pause::Budget => Patience::Deferral,
        };
        match goals.checks(&mut unroller, patience) {
            Verdict::Violated(violation) => return Answer::Violated(violation),
            Verdict::Open(why) => return unknown(goals.reason(why)),
            Verdict::Fine => {}
        }
        match pause {
            Pause::Terms => {
                unroller.pause_at = 2 * unroller.sym.terms.len();
                continue;
            }
            Pause::Budget => return unknown(goals.reason(budget.why_stopped())),
            Pause::Bound => {}
        }
        match goals.drop_infeasible_frontier(&mut unroller) {
            Some(why) => return unknown(goals.reason(why)),
            // No state is feasible any more: deferred checks have to be decided.
            None if unroller.frontier.is_empty() && !is_end => continue,
            None if unroller.frontier.is_empty() => {
                return match goals.assumptions_of_proof(&mut unroller, options.strict) {
                    Err(why) => unknown(why),
                    Ok(assumed) => Answer::Holds(Proof::Bounded { bound, steps: unroller.steps }, assumed),
                };
            }
            None => {}
        }
        finished::post(analyses, &unroller, board);
        if unroller.frontier.iter().all(|state| state.needs_bound > last) {
            return unknown(goals.reason(WhyUnknown::Bound(bound)));
        }
        bound = (bound + (bound / 3).max(1)).min(last);
    }
}
