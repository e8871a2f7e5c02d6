//! Knobs of unwinding.

use plumb_answer::tuning;
use plumb_sym::Counting;

tuning! { pub struct Tuning {
    /// Steps between two looks at the budget.
    slice: u32 = 512,
    /// Iterations of a loop that is not abstracted, in all its activations together: where there are more, it had
    /// better be abstracted, known trip count or not.
    max_iterations: u32 = 4_000,
    /// Of iterations and calls that constants decide. A bound of 1 thus covers loops of up to 20,000 iterations of known number.
    counting: Counting = Counting {
        free_iterations: 20_000,
        free_symbolic_iterations: 128,
        free_conditions: u32::MAX,
        free_calls: 1_000,
    },
    /// Terms have 32-bit names. The check is made between steps, so that there is room for what a step adds.
    max_terms: usize = 1 << 31,
}}

pub const TUNING: Tuning = Tuning::DEFAULT;
