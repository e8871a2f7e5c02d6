//! Knobs of the k-induction.

use plumb_answer::tuning;
use std::time::Duration;

tuning! { pub struct Tuning {
    /// Iterations of a loop, other than by constants, before it is abstracted: fewer than a proof by unwinding needs,
    /// enough to see that a loop is not left at once.
    free_iterations: u32 = 2,
    /// The last `k`. Proofs that need more are rare, and the step grows with `k`.
    max_k: u32 = 24,
    /// Times that an exploration is repeated because it has learned what a loop changes, or met another loop.
    max_restarts: u32 = 60,
    /// Loops that others have proved to end within so many iterations are unwound, not abstracted. The validator
    /// unwinds them too.
    max_followed: u32 = 16,
    /// Proving candidates gets one in so many parts of the time that is left.
    fixpoint_share: u32 = 3,
    /// Before any candidate is tried, `k` grows so far.
    early_k: u32 = 3,
    /// These steps get one in so many parts of the time that is left.
    early_share: u32 = 8,
    /// When they are enough, invariants for better evidence are sought for as long as that took, but no less than this ...
    min_better_evidence: Duration = Duration::from_millis(200),
    /// ... and no more than this.
    max_better_evidence: Duration = Duration::from_secs(1),
    /// Before more candidates are sought, `k` grows so far: a deeper step is often enough, and cheap.
    quick_k: u32 = 8,
    /// The deeper steps get one in so many parts of the time that is left.
    quick_share: u32 = 6,
    /// Conflicts of a query that can be asked again with more invariants.
    step_conflicts: u64 = 200_000,
    /// Strengthening gets one in so many parts of the time that is left, before each `k`.
    strengthening_share: u32 = 2,
    /// Proving that assumed faults cannot happen gets as long as the proof took, but no less than this ...
    min_excluding: Duration = Duration::from_millis(500),
    /// ... and no more than this.
    max_excluding: Duration = Duration::from_secs(10),
    /// Shares of a run without a time limit are shares of this.
    longest_budget: Duration = Duration::from_secs(900),
    /// Conflicts of a query about one candidate. One that needs more is dropped.
    single_conflicts: u64 = 1_000,
    /// Conflicts of a query about many candidates at once, at least.
    least_conflicts: u64 = 100,
    /// Conflicts of a query about faults.
    fault_conflicts: u64 = 8_000,
    /// Conditions of one counterexample to induction that are combined.
    max_conditions: usize = 90,
    /// Candidates against one counterexample to induction, by the number of their conditions.
    max_clauses: [usize; 3] = [90, 500, 700],
    /// Times that candidates are added against the predecessors of such states, as IC3 does, before the candidates are
    /// dropped.
    max_blocked: u32 = 200,
    /// Options of the SAT solver for proving candidates: thousands of small queries about short unrollings. `lucky`: guesses of whole
    /// assignments before each query take longer than the query. `inprobing`: sums that have to be equal need it; `inprobeint`:
    /// but not after every few conflicts, which of many easy queries takes most of the time. `congruence`: gates are hashed already.
    sat_options: [(&'static str, i32); 4] = [("lucky", 0), ("inprobing", 1), ("inprobeint", 2_000), ("congruence", 0)],
}}

pub const TUNING: Tuning = Tuning::DEFAULT;
