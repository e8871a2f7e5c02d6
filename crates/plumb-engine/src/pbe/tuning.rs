//! The numbers that tune the engine, with the reason for each. None of them has to do with soundness.

use crate::budget::Budget;
use plumb_answer::tuning;
use std::time::{Duration, Instant};

tuning! {
    pub struct Tuning {
        /// Without a second processor the original is searched for one in so many parts of the time before summaries are made.
        first_share: u32 = 16,
        /// And no longer than this.
        max_first: Duration = Duration::from_secs(5),
        /// How often it is looked whether the search or the summaries are finished.
        poll: Duration = Duration::from_millis(2),
        /// Making examples and summaries gets one in so many parts of the time: what is not found early is rarely found.
        synthesis_share: u32 = 8,
        /// And no more than this.
        max_synthesis: Duration = Duration::from_secs(30),
        /// Solving the path of the first alarm with the original functions gets this time, that of the second one twice as much and
        /// so on, and none more than one in `filter_share` parts of what is left: a path that is harder than that is corrected
        /// by its wrong pairs alone.
        filter_step: Duration = Duration::from_secs(15),
        filter_share: u32 = 4,
        /// So many infeasible paths are kept; each is solved again with every new summary.
        max_paths: usize = 30,
        /// Synthesis anew, in a refinement, gets one in so many parts of what is left.
        resynthesis_share: u32 = 6,
        max_resynthesis: Duration = Duration::from_secs(60),
        /// Of that, examples that a summary out of the cache does not have yet get one in so many parts.
        examples_share: u32 = 3,
        /// The paths that were found infeasible are solved with the new summaries for at most one in so many parts.
        recheck_share: u32 = 10,
        /// A function that has been synthesised anew so often is returned to the original.
        max_refinements: u32 = 60,
    }
}

pub const TUNING: Tuning = Tuning::DEFAULT;

impl Tuning {
    pub fn first_slice(&self, budget: &Budget) -> Budget {
        slice(budget, self.first_share, self.max_first)
    }

    pub fn synthesis_slice(&self, budget: &Budget) -> Budget {
        slice(budget, self.synthesis_share, self.max_synthesis)
    }

    pub fn filter_slice(&self, budget: &Budget, alarms: u32) -> Budget {
        slice(budget, self.filter_share, self.filter_step.saturating_mul(alarms))
    }

    pub fn resynthesis_slice(&self, budget: &Budget) -> Budget {
        slice(budget, self.resynthesis_share, self.max_resynthesis)
    }

    pub fn examples_slice(&self, budget: &Budget) -> Budget {
        budget.part(self.examples_share)
    }

    pub fn recheck_slice(&self, budget: &Budget) -> Budget {
        slice(budget, self.recheck_share, Duration::MAX)
    }
}

/// A part of the time that is left, and no more than so much.
fn slice(budget: &Budget, share: u32, most: Duration) -> Budget {
    let part = budget.part(share);
    let latest = Instant::now().checked_add(most);
    Budget { deadline: part.deadline.into_iter().chain(latest).min(), ..part }
}
