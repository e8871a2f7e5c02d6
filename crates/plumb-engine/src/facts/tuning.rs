//! Knobs of sampling and of guessing candidate invariants.

use plumb_answer::tuning;
use std::time::Duration;

tuning! { pub struct Tuning {
    /// Steps of all sample runs together.
    all_steps: u64 = 25_000_000,
    /// The time that they may take: provers wait for it.
    sampling_time: Duration = Duration::from_millis(2500),
    /// Different states kept of a loop head. Guessing is linear in them.
    max_rows: usize = 1500,
    /// So many more from other engines' runs.
    max_rows_of_others: usize = 1500,
    /// Sample runs.
    max_runs: u64 = 20_000,
    /// Visits of one head in one run, after which the run no longer stops there.
    max_visits: u32 = 150,
    /// States to continue from.
    max_snapshots: usize = 300,
    /// Steps of one run between two stops.
    run_steps: u64 = 400_000,
    /// What a stop costs, in steps.
    stop_steps: u64 = 40,
    /// Runs without a new state after which no more are made.
    stale_runs: u64 = 2_000,
    /// Constants of the program that inputs and bounds are taken from.
    max_constants: usize = 200,
    /// Quantities observed at one head.
    max_quantities: usize = 160,
    /// The largest coefficient of a linear equation: larger ones are coincidence.
    max_coefficient: i128 = 4096,
    /// The largest constant of a linear equation.
    max_equation_constant: i128 = 1 << 40,
    /// Quantities in one linear equation or condition.
    max_summands: usize = 4,
    /// Remainders are distinguished up to this divisor.
    max_divisor: u64 = 6,
    /// Increments up to this suggest a congruence.
    max_step: u128 = 64,
    /// Operators that a condition of the program is looked through for linear combinations.
    max_depth: u32 = 6,
    /// The largest coefficient in a condition of the program.
    max_factor: i64 = 1 << 16,
    /// Constants of the program below what was seen that are tried as a lower bound ...
    tried_below: usize = 3,
    /// ... and above it as an upper one.
    tried_above: usize = 5,
    /// Quantities that are compared pairwise.
    max_paired: usize = 20,
    /// A quantity with no more values than this may be the state of a state machine.
    max_enumerated: usize = 8,
    /// With no more quantities than this, bounds of their sums are guessed.
    max_summed: usize = 8,
    /// States in which a condition must hold for facts to be guessed from them.
    min_rows: usize = 5,
    /// Conditions under which facts are guessed.
    max_conditions: usize = 40,
    /// Facts guessed at one head.
    max_facts: usize = 4000,
}}

pub const TUNING: Tuning = Tuning::DEFAULT;
