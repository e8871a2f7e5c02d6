//! Knobs of the exploration with the kernel in the loop.

use plumb_answer::tuning;
use std::time::Duration;

tuning! { pub struct Tuning {
    /// Values that a variable of the application may have at one place before it is forgotten there: loop counters of busy waits
    /// run to millions, states of controllers have a handful of values, sensor thresholds some dozen.
    most_values: usize = 48,
    /// The same for locals in registers, most of which count iterations.
    most_local_values: usize = 6,
    /// The same for how long an alarm has to go: alarms of one counter with cycles that do not divide each other come in many
    /// phases, which multiply the states, and most properties hold in all of them for the same reason.
    most_times: usize = 8,
    /// Values of which a variable that is no constant is distinguished at a cut. The product over all such variables is
    /// bounded by `most_cases`.
    most_constants: usize = 12,
    most_cases: usize = 96,
    /// Steps of one block before any loop head ends it: loops of the kernel and of library models have a few dozen iterations.
    longest_block: u32 = 200_000,
    /// Refinement bases that are composed at a time, and the longest trace of one. Each restarts the exploration; beyond that
    /// variables are tracked.
    most_bases: usize = 6,
    longest_trace: usize = 63,
    /// Refinements before the engine gives up.
    most_refinements: u32 = 200,
    /// Queries after which the solver is replaced, and ranges of values for which none is needed.
    solver_queries: u64 = 128,
    most_ranges: usize = 32,
    /// States at which a look is taken whether variables have turned out to have too many values, so that it pays to begin anew, or whether a
    /// request is open for ever already. Then whenever there are twice as many.
    first_look: usize = 256,
    /// Conflicts spent on whether a block is feasible; what is not decided counts as feasible.
    block_conflicts: u64 = 20_000,
    /// Conflicts spent on a counterexample trace.
    trace_conflicts: u64 = 200_000,
    /// Transitions with values of the environment's that are tried in search of some of which one is always possible.
    most_choices: usize = 16,
    /// Beside other engines a program without tasks gets so much time, and no more than one in so many parts of it.
    sequential_slice: Duration = Duration::from_secs(2),
    sequential_share: u32 = 10,
    /// How often the loop of a lasso is unwound in search of a state that repeats.
    most_rounds: usize = 4,
}}

pub const TUNING: Tuning = Tuning::DEFAULT;
