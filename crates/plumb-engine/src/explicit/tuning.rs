//! Knobs of explicit-state search.

use plumb_answer::tuning;

tuning! { pub struct Tuning {
    /// Steps between two looks at the clock, and at whether a run that asks for nothing goes round in a circle. A prime, so that loops
    /// are met at all their places.
    slice: u64 = 20_011,
    /// Slices after which a run that asks for nothing and is not seen to repeat itself is given up.
    most_slices: u32 = 2_000,
    /// Values that are tried of an input that has more than can be enumerated, besides 0 and 1: constants of the program. Each
    /// multiplies the states.
    constants: usize = 4,
    /// Inputs of so many values are enumerated: those of 8 bits.
    enumerable_bits: u32 = 8,
    /// Bytes that a state to be explored takes besides its pages, and one that was visited, roughly.
    open_bytes: u64 = 1_500,
    visited_bytes: u64 = 40,
    /// States between two reports of progress.
    report: u64 = 4_096,
}}

pub const TUNING: Tuning = Tuning::DEFAULT;
