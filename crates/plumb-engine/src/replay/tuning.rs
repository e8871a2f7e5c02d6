//! Knobs of replays.

use plumb_answer::tuning;

tuning! { pub struct Tuning {
    /// Steps between two polls of the budget.
    slice: u64 = 1_000_000,
    /// The same for the inputs of a model.
    model_slice: u64 = 10_000_000,
    /// How far from a word from outside a pointer may lie that was computed from it, in bytes: what structures and small
    /// arrays have. A violation by one farther away counts as the program's own.
    outside_reach: u64 = 1 << 20,
    /// Bytes of a region from outside in which words are looked for; a larger one has none that are known.
    max_outside_bytes: u64 = 1 << 16,
}}

pub const TUNING: Tuning = Tuning::DEFAULT;
