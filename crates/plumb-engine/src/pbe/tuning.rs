//! The numbers that tune the engine, with the reason for each. None of them has to do with soundness.

use crate::budget::Budget;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Making examples and summaries gets one in so many parts of the time: what is not found early is rarely found.
    pub synthesis_share: u32,
    /// And no more than this.
    pub max_synthesis: Duration,
    /// Solving the path of the first alarm with the original functions gets this time, that of the second one twice as much and
    /// so on, and none more than one in `filter_share` parts of what is left: a path that is harder than that is corrected
    /// by its wrong pairs alone.
    pub filter_step: Duration,
    pub filter_share: u32,
    /// Synthesis anew, in a refinement, gets one in so many parts of what is left.
    pub resynthesis_share: u32,
    pub max_resynthesis: Duration,
    /// The paths that were found infeasible are solved with the new summaries for at most one in so many parts.
    pub recheck_share: u32,
    /// A function that has been synthesised anew so often is returned to the original.
    pub max_refinements: u32,
}

pub const TUNING: Tuning = Tuning {
    synthesis_share: 8,
    max_synthesis: Duration::from_secs(30),
    filter_step: Duration::from_secs(5),
    filter_share: 4,
    resynthesis_share: 10,
    max_resynthesis: Duration::from_secs(20),
    recheck_share: 10,
    max_refinements: 60,
};

impl Tuning {
    pub fn synthesis_slice(&self, budget: &Budget) -> Budget {
        slice(budget, self.synthesis_share, self.max_synthesis)
    }

    pub fn filter_slice(&self, budget: &Budget, alarms: u32) -> Budget {
        slice(budget, self.filter_share, self.filter_step.saturating_mul(alarms))
    }

    pub fn resynthesis_slice(&self, budget: &Budget) -> Budget {
        slice(budget, self.resynthesis_share, self.max_resynthesis)
    }

    pub fn recheck_slice(&self, budget: &Budget) -> Budget {
        slice(budget, self.recheck_share, Duration::MAX)
    }
}

/// A part of the time that is left.
fn slice(budget: &Budget, share: u32, most: Duration) -> Budget {
    let now = Instant::now();
    let part = budget.deadline.map(|end| end.saturating_duration_since(now) / share);
    let deadline = now.checked_add(part.unwrap_or(most).min(most));
    Budget { deadline: deadline.or(budget.deadline), ..budget.clone() }
}
