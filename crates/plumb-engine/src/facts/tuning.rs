//! Knobs of sampling and of guessing candidate invariants.

use std::time::Duration;

pub struct Tuning {
    /// Steps of all sample runs together.
    pub all_steps: u64,
    /// The time that they may take: provers wait for it.
    pub sampling_time: Duration,
    /// Different states kept of a loop head. Guessing is linear in them.
    pub max_rows: usize,
    /// So many more from other engines' runs.
    pub max_rows_of_others: usize,
    /// Sample runs.
    pub max_runs: u64,
    /// Visits of one head in one run, after which the run no longer stops there.
    pub max_visits: u32,
    /// States to continue from.
    pub max_snapshots: usize,
    /// Steps of one run between two stops.
    pub run_steps: u64,
    /// What a stop costs, in steps.
    pub stop_steps: u64,
    /// Runs without a new state after which no more are made.
    pub stale_runs: u64,
    /// Quantities observed at one head.
    pub max_quantities: usize,
    /// The largest coefficient of a linear equation: larger ones are coincidence.
    pub max_coefficient: i64,
    /// The largest constant of a linear equation.
    pub max_constant: i64,
    /// Quantities in one linear equation or condition.
    pub max_summands: usize,
    /// Remainders are distinguished up to this divisor.
    pub max_divisor: u64,
    /// Increments up to this suggest a congruence.
    pub max_step: u128,
    /// The largest coefficient in a condition of the program.
    pub max_factor: i64,
    /// Quantities that are compared pairwise.
    pub max_paired: usize,
    /// A quantity with no more values than this may be the state of a state machine.
    pub max_enumerated: usize,
    /// With no more quantities than this, bounds of their sums are guessed.
    pub max_summed: usize,
    /// States in which a condition must have held for facts to be guessed from them.
    pub min_rows: usize,
    /// Conditions under which facts are guessed.
    pub max_conditions: usize,
    /// Facts guessed at one head.
    pub max_facts: usize,
}

pub const TUNING: Tuning = Tuning {
    all_steps: 25_000_000,
    sampling_time: Duration::from_millis(2500),
    max_rows: 1500,
    max_rows_of_others: 1500,
    max_runs: 20_000,
    max_visits: 150,
    max_snapshots: 300,
    run_steps: 400_000,
    stop_steps: 40,
    stale_runs: 2_000,
    max_quantities: 160,
    max_coefficient: 4096,
    max_constant: 1 << 40,
    max_summands: 4,
    max_divisor: 6,
    max_step: 64,
    max_factor: 1 << 16,
    max_paired: 20,
    max_enumerated: 8,
    max_summed: 8,
    min_rows: 5,
    max_conditions: 40,
    max_facts: 4000,
};
