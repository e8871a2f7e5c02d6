//! Knobs of guided simulation. Sizes bound memory or keep each decision cheap; shares and rates were chosen on embedded
//! controllers and loop programs, where they matter within a factor of two.

use std::time::Duration;

pub struct Tuning {
    /// Steps of the first round. Each is twice as long as the one before ...
    pub first_round: u64,
    /// ... up to this.
    pub longest_round: u64,
    /// How long a search that shares processors runs at full speed.
    pub full_speed_time: Duration,
    /// After that, one that has found no new branch for half of its time rests so many times as long as it works.
    pub rest_factor: u32,
    /// How often it looks for a request to stop while it rests.
    pub poll: Duration,
    /// Stack of a thread.
    pub stack: usize,
    /// The corpus has as many entries as fit if each takes this much.
    pub entry_bytes: u64,
    /// Steps from one loop head to the next, at first ...
    pub segment_steps: u64,
    /// ... and where many segments are cut off.
    pub longest_segment: u64,
    /// Steps between two looks at the clock.
    pub slice: u64,
    /// Longer input scripts are not mutated.
    pub longest_script: usize,
    /// The weight of a state with something never seen before.
    pub novel_weight: f64,
    /// States that weigh less are kept only so many loop heads after the last one kept: neighbours are alike.
    pub min_spacing: u32,
    /// A snapshot is taken after so many loop heads at the latest, to return to when an assumption fails ...
    pub max_heads_to_snapshot: u32,
    /// ... or after so many inputs.
    pub max_inputs_to_snapshot: usize,
    /// Calls in progress: runaway recursion is expensive and seldom leads anywhere.
    pub max_call_depth: u32,
    /// Memory that the program may use, if the budget has so much.
    pub program_memory: u64,
    /// More distinct values of a feature than this are put into classes.
    pub max_distinct: usize,
    /// Features that take part in pairs.
    pub max_paired: usize,
    /// Features of one loop head.
    pub max_features: usize,
    /// Elements of each array that are features.
    pub array_elements: u64,
    /// Inputs before a comparison that are matched with its operands.
    pub lookback: usize,
    /// Matches that are reported.
    pub max_matches: usize,
    /// Changes without progress before the repair of an assumption is given up.
    pub max_repair_misses: usize,
    /// Changes of one run in all.
    pub max_repairs: usize,
    /// Longer runs are not repaired.
    pub longest_repair: usize,
    /// Seeds kept that took a branch first.
    pub max_first_seeds: usize,
    /// News shared in one exchange.
    pub max_shared_news: usize,
    /// States posted after one round: later ones of a round resemble those before them.
    pub max_posted_states: usize,
    /// Steps of the first run between two looks at the clock.
    pub first_run_slice: u64,
    /// Changes suggested by a comparison that are tried.
    pub max_suggestions: usize,
    /// Further changes to return to the path.
    pub max_followups: usize,
    /// Steps of hill climbing on the branch distance.
    pub hill_climbing_steps: usize,
    /// Constants kept for an input site.
    pub max_constants: usize,
    /// Values kept that did something new.
    pub max_good_values: usize,
    /// Credits are halved when one reaches this, so that old successes fade ...
    pub max_credit: u32,
    /// ... and none falls below this, so that every way of drawing stays in use.
    pub min_credit: u32,
    /// A run that has read so many inputs since the last loop head ends.
    pub max_inputs: usize,
    /// Input lists longer than this are freed after the run.
    pub usual_inputs: usize,
}

pub const TUNING: Tuning = Tuning {
    first_round: 50_000,
    longest_round: 40_000_000,
    full_speed_time: Duration::from_secs(12),
    rest_factor: 2,
    poll: Duration::from_millis(20),
    stack: 64 << 20,
    entry_bytes: 640 << 10,
    segment_steps: 400_000,
    longest_segment: 400_000_000,
    slice: 250_000,
    longest_script: 512,
    novel_weight: 16.0,
    min_spacing: 4,
    max_heads_to_snapshot: 16,
    max_inputs_to_snapshot: 256,
    max_call_depth: 10_000,
    program_memory: 1 << 28,
    max_distinct: 24,
    max_paired: 48,
    max_features: 160,
    array_elements: 16,
    lookback: 512,
    max_matches: 128,
    max_repair_misses: 48,
    max_repairs: 2000,
    longest_repair: 1 << 14,
    max_first_seeds: 256,
    max_shared_news: 64,
    max_posted_states: 256,
    first_run_slice: 1_000_000,
    max_suggestions: 16,
    max_followups: 8,
    hill_climbing_steps: 48,
    max_constants: 64,
    max_good_values: 16,
    max_credit: 40,
    min_credit: 4,
    max_inputs: 700_000,
    usual_inputs: 1 << 14,
};
