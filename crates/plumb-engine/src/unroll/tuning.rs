//! Knobs of unwinding.

pub struct Tuning {
    /// Steps between two looks at the budget.
    pub slice: u32,
    /// Iterations of a loop that is not abstracted, in all its activations together: where there are more, it had
    /// better be abstracted, known trip count or not.
    pub max_iterations: u32,
}

pub const TUNING: Tuning = Tuning { slice: 512, max_iterations: 4_000 };
