//! One unwinding with its solver, from bound to bound.

use super::goals::{Effort, Goals, Verdict};
use super::tuning::TUNING;
use super::uncovered::Uncovered;
use super::{BmcOptions, finished};
use crate::answer::{Answer, Explored, Proof, Unknown, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Progress, Watcher};
use crate::unroll::{NEVER, Pause, Unroller};
use plumb_ir::analysis::Analyses;
use std::time::Instant;

/// What a program is searched with.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub analyses: &'a Analyses,
    pub options: &'a BmcOptions,
    pub budget: &'a Budget,
    pub board: &'a Board,
    pub watcher: &'a dyn Watcher,
    pub started: Instant,
}

pub(super) struct Search<'a> {
    unroller: Unroller<'a>,
    goals: Goals<'a>,
    uncovered: Uncovered,
    bound: u32,
    /// The last bound.
    last: u32,
}

impl<'a> Search<'a> {
    /// One that begins with a bound, and has one of its own for loops within others.
    pub fn new(job: &Job<'a>, bound: u32, nested: Option<u32>) -> Search<'a> {
        let mut unroller = Unroller::new(job.analyses);
        unroller.pause_at = TUNING.early_terms;
        unroller.fixed = job.options.loops.iter().copied().collect();
        unroller.nested = nested;
        let last = job.options.bound.unwrap_or(NEVER - 1);
        let (goals, uncovered) = (Goals::new(job.analyses.program(), job.budget), Uncovered::default());
        Search { unroller, goals, uncovered, bound: bound.min(last), last }
    }

    /// How large it is.
    pub fn terms(&self) -> usize {
        self.unroller.sym.terms.len()
    }

    /// Unwinds up to the bound or until there are many more terms, and asks the solver. Gives the answer if there is one.
    pub fn round(&mut self, job: &Job) -> Option<Answer> {
        let Search { unroller, goals, uncovered, bound, last } = self;
        let (bound, last) = (*bound, *last);
        let pause = unroller.unroll(bound, job.budget);
        let explored = Explored { steps: unroller.seen.steps, deepest: bound as u64, ..Explored::default() };
        let (kept, memory) = (unroller.frontier.len() as u64, unroller.sym.terms.heap_bytes() as u64);
        job.watcher.progress(&Progress { explored, elapsed: job.started.elapsed(), kept, memory });
        let unknown = |why| Some(Answer::Unknown(Unknown { why, explored }));
        let is_end = pause == Pause::Budget || unroller.frontier.iter().all(|state| state.needs_bound > last);
        let effort = match pause {
            Pause::Terms => Effort::EarlyCheck,
            _ if is_end => Effort::Final,
            Pause::Bound | Pause::Budget => Effort::Deferrable,
        };
        match goals.checks(unroller, effort) {
            Verdict::Violated(violation) => return Some(Answer::Violated(violation)),
            Verdict::Open(why) => return unknown(goals.reason(why)),
            Verdict::Fine => {}
        }
        match pause {
            Pause::Terms => {
                unroller.pause_at = 2 * unroller.sym.terms.len();
                return None;
            }
            Pause::Budget => return unknown(goals.reason(job.budget.why_stopped())),
            Pause::Bound => {}
        }
        match goals.drop_infeasible_frontier(unroller) {
            Some(why) => return unknown(goals.reason(why)),
            // No state is feasible any more: deferred checks have to be decided.
            None if unroller.frontier.is_empty() && !is_end => return None,
            None if unroller.frontier.is_empty() => {
                return match goals.assumptions_of_proof(unroller, job.options.strict) {
                    Err(why) => unknown(why),
                    Ok(assumed) => Some(Answer::Holds(Proof::Bounded { bound, steps: unroller.seen.steps }, assumed)),
                };
            }
            None => {}
        }
        finished::post(job.analyses, unroller, job.board);
        uncovered.post(unroller, &mut goals.queries, job.board, job.budget);
        if unroller.frontier.iter().all(|state| state.needs_bound > last) {
            return unknown(goals.reason(WhyUnknown::Bound(bound)));
        }
        self.bound = (bound + (bound / 3).max(1)).min(last);
        None
    }
}
