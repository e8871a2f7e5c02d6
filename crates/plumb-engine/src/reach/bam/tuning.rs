//! The numbers that tune block-abstraction memoisation, with the reason for each. Those of the reachability analysis itself are
//! those of lazy abstraction.

use super::super::tuning::Tuning;
use plumb_answer::tuning;

tuning! { pub struct BamTuning {
    reach: Tuning = Tuning::DEFAULT,
    /// Call sites of a function, below which it is part of its caller's block: nothing is used again.
    min_call_sites: usize = 2,
    /// Functions that are blocks: each has a graph with numbers of its own.
    max_blocks: usize = 4_000,
    /// Reachability graphs that are kept of all blocks, beyond which the precisions of their entries are no help any more.
    max_cached: usize = 20_000,
    /// Call contexts of graphs that are written one by one into a certificate: where there are more, lazy abstraction proves the
    /// program again.
    max_contexts: usize = 20_000,
}}
