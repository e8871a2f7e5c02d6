//! Why a race has no answer.

use super::Member;
use crate::answer::{Unknown, WhyUnknown};
use crate::budget::Budget;

/// Why none of the engines has an answer: a reason that lies in the program rather than in the budget, if there is one.
pub fn best_reason(open: Vec<(Member, Unknown)>, budget: &Budget) -> Unknown {
    let most = open.iter().map(|(_, unknown)| unknown.explored).max_by_key(|e| (e.locations, e.branches, e.steps));
    let explored = most.unwrap_or_default();
    let rank = |why: &WhyUnknown| match why {
        WhyUnknown::Defect(_) | WhyUnknown::CannotRun(_) | WhyUnknown::NotReplayed(_, None) => 0,
        WhyUnknown::Unsupported(_) => 1,
        WhyUnknown::Fault(..) => 2,
        WhyUnknown::LooseModel(_) | WhyUnknown::OutsidePointer(_) | WhyUnknown::NotReplayed(_, Some(_)) => 3,
        WhyUnknown::Addresses => 4,
        // One that says what and where is better.
        WhyUnknown::Faults(Some(_)) => 5,
        WhyUnknown::Gap(Some(_)) => 6,
        WhyUnknown::Faults(None) | WhyUnknown::Gap(None) => 7,
        WhyUnknown::Bound(_) => 8,
        WhyUnknown::OutOfMemory => 9,
        WhyUnknown::Timeout | WhyUnknown::Cancelled => 10,
        WhyUnknown::Recursion(_) => 11,
        WhyUnknown::Solver(_)
        | WhyUnknown::GaveUp(_)
        | WhyUnknown::NotInductive(_)
        | WhyUnknown::NotRefined(_)
        | WhyUnknown::Endless
        | WhyUnknown::Values(_) => 12,
        WhyUnknown::NoThread(_) => 13,
        WhyUnknown::NotApplicable(_) | WhyUnknown::Stacks | WhyUnknown::OneSchedule => 14,
    };
    let why = open.into_iter().map(|(_, unknown)| unknown.why).min_by_key(rank);
    let why = match why {
        _ if budget.cancel.is_cancelled() => WhyUnknown::Cancelled,
        Some(why) => why,
        None => WhyUnknown::NoThread("no engine was selected".to_string()),
    };
    Unknown { why, explored }
}
