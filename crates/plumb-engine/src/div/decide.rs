//! One program decided by one engine after the other: a unit with its contract, or the whole with contracts for bodies.
//!
//! Programs without loops need bounded model checking only. Others are unwound a little, which finds violations that are
//! near, then proved by induction and by abstraction, in slices of time that grow from round to round. Where there are several
//! processors the engines work at once after the first round. They exchange what they find out over a board of their own: it is about this
//! program.
//!
//! With `--unwind` nothing is decided beyond the bound, and what no run within it violates is no proof.

use super::rests_on_runs;
use super::tuning::TUNING;
use crate::answer::{Answer, Explored, Unknown, WhyUnknown};
use crate::bmc::{Bmc, BmcOptions, bmc};
use crate::board::Board;
use crate::budget::Budget;
use crate::engine::{Engine, Options};
use crate::kind::{KInduction, kind};
use crate::portfolio::portfolio;
use crate::symex::{SymexOptions, Symexia, symex};
use plumb_ir::analysis::Analyses;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How programs are decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DecideOptions {
    /// Faults may not be supposed away.
    pub strict: bool,
    /// The user wants loops and recursion unwound so often and no further.
    pub unwind: Option<u32>,
    /// A run that faults ends the search: the program has more runs than the original, which need not have that one.
    pub is_derived: bool,
}

impl DecideOptions {
    pub fn of(options: &Options) -> DecideOptions {
        DecideOptions { strict: options.strict, unwind: options.unwind, is_derived: false }
    }

    /// For a program with contracts, or a unit.
    pub fn of_derived(self) -> DecideOptions {
        DecideOptions { is_derived: true, ..self }
    }
}

/// A proof, a violation that the machine has confirmed, or what stands in the way of both.
pub fn decide(analyses: &Analyses, decide_options: DecideOptions, budget: &Budget) -> Answer {
    let DecideOptions { strict, unwind, is_derived } = decide_options;
    let board = Board::default();
    let bounded = |bound: Option<u32>, budget: &Budget| {
        bmc(analyses, &BmcOptions { bound, strict, ..BmcOptions::default() }, budget, &board, &())
    };
    if unwind.is_some() || !may_run_long(analyses) {
        return bounded(unwind, budget);
    }
    let (mut bound, mut slice) = (TUNING.first_bound, TUNING.first_slice);
    let mut last = Unknown { why: WhyUnknown::Timeout, explored: Explored::default() };
    while !budget.is_over() {
        let part = part(budget, slice);
        match bounded(Some(bound), &part) {
            Answer::Unknown(unknown) if is_hopeless(&unknown.why, is_derived) => return Answer::Unknown(unknown),
            Answer::Unknown(unknown) => last = better(last, unknown),
            answer => return answer,
        }
        let part = self::part(budget, slice);
        match kind(analyses, strict, &part, &board, &()) {
            Answer::Unknown(_) => {}
            answer => return answer,
        }
        let part = self::part(budget, slice);
        let options = SymexOptions { threshold: Some(0), strict, ..SymexOptions::default() };
        match symex(analyses, &options, &part, &board, &()) {
            Answer::Unknown(_) => {}
            answer => return answer,
        }
        if budget.threads > 1 && !budget.is_over() {
            return match at_once(analyses, strict, budget) {
                Answer::Unknown(unknown) => Answer::Unknown(better(last, unknown)),
                answer => answer,
            };
        }
        bound = bound.saturating_mul(4);
        slice = slice.saturating_mul(2);
    }
    Answer::Unknown(last)
}

/// An answer, and what it is about.
pub enum OfProgram {
    WithContracts(Answer),
    Original(Answer),
}

/// Decides a program with contracts. Loose contracts may make it harder than the original: if that is given, since nobody else looks at
/// it, the two take turns that become longer and longer.
pub fn decide_alternating(
    with_contracts: &Analyses,
    decide_options: DecideOptions,
    original: Option<(&Analyses, DecideOptions)>,
    budget: &Budget,
) -> OfProgram {
    let mut slice = TUNING.top_slice;
    loop {
        let turn = if original.is_some() { part(budget, slice) } else { budget.clone() };
        let answer = {
            let _span = tracing::info_span!("top").entered();
            decide(with_contracts, decide_options, &turn)
        };
        let is_cut_off = match &answer {
            Answer::Unknown(unknown) => turn.is_over() && !budget.is_over() && !rests_on_runs(&unknown.why),
            Answer::Holds(..) | Answer::Violated(_) => false,
        };
        let Some((original, decide_options)) = original.filter(|_| is_cut_off) else {
            return OfProgram::WithContracts(answer);
        };
        if let Some(answer) = decide_original(original, decide_options, &part(budget, slice)) {
            return OfProgram::Original(answer);
        }
        slice = slice.saturating_mul(2);
    }
}

/// The answer for the original, if there is one in time.
pub fn decide_original(analyses: &Analyses, decide_options: DecideOptions, budget: &Budget) -> Option<Answer> {
    let _span = tracing::info_span!("original").entered();
    match decide(analyses, decide_options, budget) {
        Answer::Unknown(_) => None,
        answer => Some(answer),
    }
}

/// The engines at once, as long as there is time.
fn at_once(analyses: &Analyses, strict: bool, budget: &Budget) -> Answer {
    let engines: [&'static dyn Engine; 3] = [&KInduction, &Bmc, &Symexia];
    let options = Options { strict, ..Options::default() };
    portfolio(analyses.program(), &engines, &options, budget, Arc::new(())).answer
}

/// Whether some run may go round a loop, or call a function inside of itself.
fn may_run_long(analyses: &Analyses) -> bool {
    let calls = analyses.resolved_calls();
    let has_loops = |func| !analyses.shape(func).loops.loops.is_empty();
    calls.reachable(analyses.program().start).into_iter().any(|func| calls.is_recursive(func) || has_loops(func))
}

/// No other engine knows better.
fn is_hopeless(why: &WhyUnknown, is_derived: bool) -> bool {
    match why {
        WhyUnknown::Unsupported(_) | WhyUnknown::CannotRun(_) | WhyUnknown::Cancelled => true,
        // The solver has found one: there is no proof.
        WhyUnknown::Faults(_) | WhyUnknown::Gap(_) => is_derived,
        _ => false,
    }
}

/// The reason that says more. A bound that nobody asked for is none: it tells how far the search has got.
fn better(old: Unknown, new: Unknown) -> Unknown {
    match (&old.why, &new.why) {
        (_, WhyUnknown::Bound(_)) => Unknown { explored: new.explored, ..old },
        (WhyUnknown::Timeout, WhyUnknown::Timeout) if new.explored == Explored::default() => old,
        (WhyUnknown::Timeout, _) => new,
        _ => old,
    }
}

/// At most so much of the time that is left.
pub fn part(budget: &Budget, most: Duration) -> Budget {
    let end = Instant::now().checked_add(most);
    let deadline = match (budget.deadline, end) {
        (Some(deadline), Some(end)) => Some(deadline.min(end)),
        (deadline, end) => deadline.or(end),
    };
    Budget { deadline, ..budget.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_nobody_asked_for_is_no_reason() {
        let unknown = |why, deepest| Unknown { why, explored: Explored { deepest, ..Explored::default() } };
        let first = better(unknown(WhyUnknown::Timeout, 0), unknown(WhyUnknown::Bound(6), 6));
        assert_eq!((&first.why, first.explored.deepest), (&WhyUnknown::Timeout, 6));
        let last = better(first.clone(), unknown(WhyUnknown::Timeout, 0));
        assert_eq!((last.why, last.explored.deepest), (WhyUnknown::Timeout, 6));
        assert_eq!(better(first, unknown(WhyUnknown::NotInductive(9), 0)).why, WhyUnknown::NotInductive(9));
    }
}
