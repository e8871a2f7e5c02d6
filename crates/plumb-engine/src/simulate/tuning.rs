//! Knobs of guided simulation. Sizes bound memory or keep each decision cheap; shares and rates were chosen on embedded
//! controllers and loop programs, where they matter within a factor of two.

use plumb_answer::tuning;
use std::time::Duration;

tuning! { pub struct Tuning {
    /// Steps of the first round. Each is twice as long as the one before ...
    first_round: u64 = 50_000,
    /// ... up to this.
    longest_round: u64 = 40_000_000,
    /// How long a search that shares processors runs at full speed.
    full_speed_time: Duration = Duration::from_secs(12),
    /// After that, one that has found no new branch for half of its time rests so many times as long as it works.
    rest_factor: u32 = 2,
    /// How often it looks for a request to stop while it rests.
    poll: Duration = Duration::from_millis(20),
    /// Stack of a thread.
    stack: usize = 64 << 20,
    /// The corpus has as many entries as fit if each takes this much.
    entry_bytes: u64 = 640 << 10,
    /// But not fewer than this ...
    min_entries: u64 = 64,
    /// ... nor more.
    max_entries: u64 = 6000,
    /// The last comparisons of one kind in a run, of which the nearest are looked at ...
    max_occurrences: usize = 64,
    /// ... so many.
    tried_occurrences: usize = 4,
    /// Steps from one loop head to the next, at first ...
    segment_steps: u64 = 400_000,
    /// ... and where many segments are cut off.
    longest_segment: u64 = 400_000_000,
    /// One run from the start in so many stops at no loop head ...
    unstopped_every: u64 = 4,
    /// ... and as long as such runs find nothing new, ever fewer, down to this.
    unstopped_at_least: u64 = 1024,
    /// A pointer from outside is null one time in so many: programs look at that first.
    null_every: u64 = 6,
    /// Steps between two looks at the clock.
    slice: u64 = 250_000,
    /// Longer input scripts are not mutated.
    longest_script: usize = 512,
    /// Parts of a trace that are repeated are fewer than this ...
    max_repeated_parts: u64 = 8,
    /// ... and repeated up to so many inputs.
    longest_repetition: usize = 1 << 14,
    /// Steps from the start to a state that a seed is sometimes extended back over.
    short_path: u64 = 10_000,
    /// Loop heads after the inputs of another engine: what they unlock is looked at for a while.
    suggested_length: u64 = 256,
    /// The weight of a state with something never seen before.
    novel_weight: f64 = 16.0,
    /// States that weigh less are kept only so many loop heads after the last one kept: neighbours are alike.
    min_spacing: u32 = 4,
    /// A snapshot is taken after so many loop heads at the latest, to return to when an assumption fails ...
    max_heads_to_snapshot: u32 = 16,
    /// ... or after so many inputs.
    max_inputs_to_snapshot: usize = 256,
    /// Calls in progress: runaway recursion is expensive and seldom leads anywhere.
    max_call_depth: u32 = 10_000,
    /// Memory that the program may use, if the budget has so much.
    program_memory: u64 = 1 << 28,
    /// More distinct values of a feature than this are put into classes.
    max_distinct: usize = 24,
    /// Features that take part in pairs.
    max_paired: usize = 48,
    /// Features of one loop head.
    max_features: usize = 160,
    /// Elements of each array that are features.
    array_elements: u64 = 16,
    /// Inputs before a comparison that are matched with its operands.
    lookback: usize = 512,
    /// Matches that are reported.
    max_matches: usize = 128,
    /// Changes without progress before the repair of an assumption is given up.
    max_repair_misses: usize = 48,
    /// Changes of one run in all.
    max_repairs: usize = 2000,
    /// Longer runs are not repaired.
    longest_repair: usize = 1 << 14,
    /// Seeds kept that took a branch first.
    max_first_seeds: usize = 256,
    /// States shared in one exchange.
    max_shared_states: usize = 48,
    /// News shared in one exchange.
    max_shared_news: usize = 64,
    /// States posted after one round: later ones of a round resemble those before them.
    max_posted_states: usize = 256,
    /// Steps of the first run between two looks at the clock.
    first_run_slice: u64 = 1_000_000,
    /// Changes suggested by a comparison that are tried.
    max_suggestions: usize = 16,
    /// Further changes to return to the path.
    max_followups: usize = 8,
    /// Steps of hill climbing on the branch distance.
    hill_climbing_steps: usize = 48,
    /// Constants kept for an input site.
    max_constants: usize = 64,
    /// Values kept that did something new.
    max_good_values: usize = 16,
    /// Credits are halved when one reaches this, so that old successes fade ...
    max_credit: u32 = 40,
    /// ... and none falls below this, so that every way of drawing stays in use.
    min_credit: u32 = 4,
    /// A run that has read so many inputs since the last loop head ends.
    max_inputs: usize = 700_000,
    /// Input lists longer than this are freed after the run.
    usual_inputs: usize = 1 << 14,
    /// Set operations for the points-to analysis, which take a second or two ...
    points_to_operations: u64 = 20_000_000,
    /// ... and no more than so many for each millisecond of what time there is.
    points_to_operations_per_ms: u64 = 5_000,
    /// Pairs of features are remembered by their hash in a table of this many bits for each loop head: half a megabyte.
    pair_bits: u32 = 22,
    /// Larger regions are filled with zeros, which cost nothing: a program may allocate as much as an input says.
    largest_pattern: u64 = 1 << 16,
}}

pub const TUNING: Tuning = Tuning::DEFAULT;
