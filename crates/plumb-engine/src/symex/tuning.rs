//! The numbers that tune the engine, with the reason for each. None of them has to do with soundness: they decide how long
//! something is tried, and when the engine says UNKNOWN instead.

use super::waitlist::Order;
use plumb_sym::Counting;
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    pub schedule: ScheduleTuning,
    pub exploration: ExplorationTuning,
    pub feasibility: FeasibilityTuning,
    pub abstraction: AbstractionTuning,
    pub refinement: RefinementTuning,
    pub evidence: EvidenceTuning,
}

/// How the exploration with abstraction shares its time with one without.
#[derive(Clone, Copy, Debug)]
pub struct ScheduleTuning {
    /// How long the abstraction runs before the plain exploration has its first slice. Many tasks take less than that.
    pub first_slice: Duration,
    /// While the plain exploration has had less than this, it gets one in `early_share` parts of the abstraction's time:
    /// small finite trees are explored by then. After that it gets one in `late_share` parts.
    pub early: Duration,
    pub early_share: u32,
    pub late_share: u32,
    /// The plain exploration ends after this time: a tree that is not explored by then is rarely finite.
    pub max_plain: Duration,
    /// Beside other engines it ends after this time: bounded model checking explores most finite trees as well.
    pub max_plain_in_portfolio: Duration,
    /// The plain exploration gets one in so many parts of the memory.
    pub memory_share: u64,
    /// The order of the plain exploration: new code first finds violations soonest.
    pub plain_order: Order,
}

#[derive(Clone, Copy, Debug)]
pub struct ExplorationTuning {
    /// Steps between two checks of memory, progress and the pause: a step takes microseconds.
    pub steps_per_check: u32,
    /// Steps between two readings of the clock: a step with solver queries may take milliseconds.
    pub steps_per_clock: u32,
    /// So many conditions of a path make a new one cost as much as a step.
    pub conditions_per_step: u32,
    /// Terms have 32-bit names.
    pub max_terms: usize,
    /// Active calls of one function beyond which the recursion is reported as the reason of a timeout.
    pub deep_recursion: usize,
    /// Time between two reports of progress to the watcher.
    pub report_interval: Duration,
    /// Models that may fail to replay on the concrete machine before violations are no longer looked for.
    pub max_failed_replays: u32,
    /// Iterations that constants decide count in portions, so that the number of visits is finite on every path. They all
    /// count once the path has decided a dozen other things in the loop: it has many siblings then.
    pub counting: Counting,
}

#[derive(Clone, Copy, Debug)]
pub struct FeasibilityTuning {
    /// Models that are tried before the solver is asked. More of them cost more than they save.
    pub recent_models: usize,
    /// Conflicts after which a path is taken to be feasible: following it is sound, and cheaper than waiting.
    pub max_conflicts: u64,
    /// Terms below a condition, beyond which it is taken to depend on everything.
    pub max_condition_terms: usize,
    /// Gates of a solver, beyond which a new one takes its place unless its first query alone took more than half of them.
    pub max_solver_gates: usize,
    /// Answers that are cached.
    pub max_cached: usize,
    /// Ranges of a set of values: a condition on one number rarely has more than a few.
    pub max_ranges: usize,
    /// Ends of ranges that are tried as values of a number.
    pub max_candidate_values: usize,
    /// Depth and number of terms that intervals are computed for in one query.
    pub max_interval_depth: u32,
    pub max_interval_terms: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct AbstractionTuning {
    /// Abstract states that one path may have at a loop head.
    pub max_valuations: usize,
    /// Groups of predicates whose valuations are cached.
    pub max_cached_groups: usize,
    /// Scalars in memory that conditions are translated to predicates over.
    pub max_scalars: usize,
    /// Invariants of other engines that a loop's entries assume: every visit of its head has to establish them.
    pub max_shared_invariants: usize,
    /// More paths than this at one location become one: few paths are easier for the solver one by one, since constants differ.
    pub merge_above: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct RefinementTuning {
    /// Terms of a predicate: a larger one is about this path only.
    pub max_predicate_terms: usize,
    /// Candidates of one location and source.
    pub max_candidates: usize,
    /// Parts of a state between which relations are looked for: their number is quadratic.
    pub max_related_parts: usize,
    /// Values of one state variable that become predicates at once.
    pub max_values: usize,
    /// From so many state variables on a loop is taken to be a state machine with many of them, and it gets up to
    /// `max_variables_at_once` more of them from one counterexample.
    pub many_variables: usize,
    pub max_variables_at_once: usize,
    /// Refinements by predicates over the same symbols before what held in sample runs is preferred.
    pub patience: u32,
    /// Conflicts for a query about a whole counterexample.
    pub max_conflicts: u64,
    /// Candidates that are tried as the only new one, and conflicts for each.
    pub max_single_candidates: usize,
    pub single_conflicts: u64,
    /// Queries for making a core smaller.
    pub max_minimisations: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct EvidenceTuning {
    /// States at loop heads before the abstraction that are kept for invariants.
    pub max_concrete_visits: usize,
    /// Abstract states of one loop, beyond which nobody would want to read the invariant.
    pub max_states: usize,
    /// Debug builds check the interpolants of counterexamples up to this size.
    pub max_checked_predicates: usize,
    pub max_checked_cuts: usize,
}

impl Tuning {
    pub const DEFAULT: Tuning = Tuning {
        schedule: ScheduleTuning {
            first_slice: Duration::from_millis(200),
            early: Duration::from_secs(3),
            early_share: 2,
            late_share: 8,
            max_plain: Duration::from_secs(10),
            max_plain_in_portfolio: Duration::from_secs(2),
            memory_share: 3,
            plain_order: Order::Coverage,
        },
        exploration: ExplorationTuning {
            steps_per_check: 512,
            steps_per_clock: 16,
            conditions_per_step: 16,
            max_terms: 1 << 31,
            deep_recursion: 40,
            report_interval: Duration::from_millis(200),
            max_failed_replays: 40,
            counting: Counting {
                free_iterations: 20_000,
                free_symbolic_iterations: 128,
                free_conditions: 12,
                free_calls: 1_000,
            },
        },
        feasibility: FeasibilityTuning {
            recent_models: 8,
            max_conflicts: 20_000,
            max_condition_terms: 4_000,
            max_solver_gates: 20_000,
            max_cached: 100_000,
            max_ranges: 256,
            max_candidate_values: 6,
            max_interval_depth: 60,
            max_interval_terms: 2_000,
        },
        abstraction: AbstractionTuning {
            max_valuations: 1_000,
            max_cached_groups: 50_000,
            max_scalars: 2_000,
            max_shared_invariants: 50,
            merge_above: 16,
        },
        refinement: RefinementTuning {
            max_predicate_terms: 60,
            max_candidates: 200,
            max_related_parts: 8,
            max_values: 64,
            many_variables: 3,
            max_variables_at_once: 8,
            patience: 3,
            max_conflicts: 50_000,
            max_single_candidates: 40,
            single_conflicts: 5_000,
            max_minimisations: 60,
        },
        evidence: EvidenceTuning {
            max_concrete_visits: 500,
            max_states: 200,
            max_checked_predicates: 12,
            max_checked_cuts: 16,
        },
    };

    /// With another number of paths above which they are merged.
    pub const fn merging_above(mut self, paths: usize) -> Tuning {
        self.abstraction.merge_above = paths;
        self
    }
}
