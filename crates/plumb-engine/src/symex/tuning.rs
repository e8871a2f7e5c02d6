//! The numbers that tune the engine, with the reason for each. None of them has to do with soundness: they decide how long
//! something is tried, and when the engine says UNKNOWN instead.

use super::waitlist::Order;
use crate::predicates::tuning::{AbstractionTuning, FeasibilityTuning, RefinementTuning};
use plumb_answer::tuning;
use plumb_sym::Counting;
use std::time::Duration;

tuning! { pub struct Tuning {
    schedule: ScheduleTuning = ScheduleTuning::DEFAULT,
    exploration: ExplorationTuning = ExplorationTuning::DEFAULT,
    feasibility: FeasibilityTuning = FeasibilityTuning::DEFAULT,
    abstraction: AbstractionTuning = AbstractionTuning::DEFAULT,
    refinement: RefinementTuning = RefinementTuning::DEFAULT,
    evidence: EvidenceTuning = EvidenceTuning::DEFAULT,
}}

tuning! { /// How the exploration with abstraction shares its time with one without.
pub struct ScheduleTuning {
    /// How long the abstraction runs before the plain exploration has its first slice. Many tasks take less than that.
    first_slice: Duration = Duration::from_millis(200),
    /// While the plain exploration has had less than this, it gets one in `early_share` parts of the abstraction's time:
    /// small finite trees are explored by then. After that it gets one in `late_share` parts.
    early: Duration = Duration::from_secs(3),
    early_share: u32 = 2,
    late_share: u32 = 8,
    /// The plain exploration ends after this time: a tree that is not explored by then is rarely finite.
    max_plain: Duration = Duration::from_secs(10),
    /// Beside other engines it ends after this time: bounded model checking explores most finite trees as well.
    max_plain_in_portfolio: Duration = Duration::from_secs(2),
    /// The plain exploration gets one in so many parts of the memory.
    memory_share: u64 = 3,
    /// The order of the plain exploration: new code first finds violations soonest.
    plain_order: Order = Order::Coverage,
}}

tuning! { pub struct ExplorationTuning {
    /// Steps between two checks of memory, progress and the pause: a step takes microseconds.
    steps_per_check: u32 = 512,
    /// Steps between two readings of the clock: a step with solver queries may take milliseconds.
    steps_per_clock: u32 = 16,
    /// So many conditions of a path make a new one cost as much as a step.
    conditions_per_step: u32 = 16,
    /// The same as where all paths are unrolled.
    max_terms: usize = crate::unroll::tuning::TUNING.max_terms,
    /// Active calls of one function beyond which the recursion is reported as the reason of a timeout.
    deep_recursion: usize = 40,
    /// Time between two reports of progress to the watcher.
    report_interval: Duration = Duration::from_millis(200),
    /// More paths than this at one location become one: few paths are easier for the solver one by one, since constants differ.
    merge_above: usize = 16,
    /// Models that may fail to replay on the concrete machine before violations are no longer looked for.
    max_failed_replays: u32 = 40,
    /// Iterations that constants decide count in portions, so that the number of visits is finite on every path. They all
    /// count once the path has decided a dozen other things in the loop: it has many siblings then.
    counting: Counting = Counting {
        free_iterations: 20_000,
        free_symbolic_iterations: 128,
        free_conditions: 12,
        free_calls: 1_000,
    },
}}

tuning! { pub struct EvidenceTuning {
    /// States at loop heads before the abstraction that are kept for invariants.
    max_concrete_visits: usize = 500,
    /// Abstract states of one loop, beyond which nobody would want to read the invariant.
    max_states: usize = 200,
}}
