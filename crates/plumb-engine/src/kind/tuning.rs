//! Knobs of the k-induction.

use std::time::Duration;

pub struct Tuning {
    /// Iterations of a loop, other than by constants, before it is abstracted: fewer than a proof by unwinding needs,
    /// enough to see that a loop is not left at once.
    pub free_iterations: u32,
    /// The last `k`. Proofs that need more are rare, and the step grows with `k`.
    pub max_k: u32,
    /// Times that an exploration is repeated because it has learned what a loop changes, or met another loop.
    pub max_restarts: u32,
    /// Loops that others have proved to end within so many iterations are unwound, not abstracted. The validator
    /// unwinds them too.
    pub max_followed: u32,
    /// Proving candidates gets one in so many parts of the time that is left.
    pub fixpoint_share: u32,
    /// Before any candidate is tried, `k` grows so far.
    pub early_k: u32,
    /// These steps get one in so many parts of the time that is left.
    pub early_share: u32,
    /// When they are enough, invariants for better evidence are sought for as long as that took, but no less than this ...
    pub min_better_evidence: Duration,
    /// ... and no more than this.
    pub max_better_evidence: Duration,
    /// Before more candidates are sought, `k` grows so far: a deeper step is often enough, and cheap.
    pub quick_k: u32,
    /// The deeper steps get one in so many parts of the time that is left.
    pub quick_share: u32,
    /// Conflicts of a query that can be asked again with more invariants.
    pub step_conflicts: u64,
    /// Strengthening gets one in so many parts of the time that is left, before each `k`.
    pub strengthening_share: u32,
    /// Proving that assumed faults cannot happen gets as long as the proof took, but no less than this ...
    pub min_excluding: Duration,
    /// ... and no more than this.
    pub max_excluding: Duration,
    /// Shares of a run without a time limit are shares of this.
    pub longest_budget: Duration,
    /// Conflicts of a query about one candidate. One that needs more is dropped.
    pub single_conflicts: u64,
    /// Conflicts of a query about many candidates at once, at least.
    pub least_conflicts: u64,
    /// Conflicts of a query about faults.
    pub fault_conflicts: u64,
    /// Conditions of one counterexample to induction that are combined.
    pub max_conditions: usize,
    /// Candidates against one counterexample to induction, by the number of their conditions.
    pub max_clauses: [usize; 3],
    /// Times that candidates are added against the predecessors of such states, as IC3 does, before the candidates are
    /// dropped.
    pub max_blocked: u32,
}

pub const TUNING: Tuning = Tuning {
    free_iterations: 2,
    max_k: 24,
    max_restarts: 60,
    max_followed: 16,
    fixpoint_share: 3,
    early_k: 3,
    early_share: 8,
    min_better_evidence: Duration::from_millis(200),
    max_better_evidence: Duration::from_secs(1),
    quick_k: 8,
    quick_share: 6,
    step_conflicts: 200_000,
    strengthening_share: 2,
    min_excluding: Duration::from_millis(500),
    max_excluding: Duration::from_secs(10),
    longest_budget: Duration::from_secs(900),
    single_conflicts: 1_000,
    least_conflicts: 100,
    fault_conflicts: 8_000,
    max_conditions: 90,
    max_clauses: [90, 500, 700],
    max_blocked: 200,
};
