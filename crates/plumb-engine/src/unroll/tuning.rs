//! Knobs of unwinding.

use plumb_answer::tuning;

tuning! { pub struct Tuning {
    /// Steps between two looks at the budget.
    slice: u32 = 512,
    /// Iterations of a loop that is not abstracted, in all its activations together: where there are more, it had
    /// better be abstracted, known trip count or not.
    max_iterations: u32 = 4_000,
}}

pub const TUNING: Tuning = Tuning::DEFAULT;
