//! The numbers that tune predicate abstraction, with the reason for each. None of them has to do with soundness.

use plumb_answer::tuning;

tuning! { pub struct FeasibilityTuning {
    /// Conflicts after which a path is taken to be feasible: following it is sound, and cheaper than waiting.
    max_conflicts: u64 = 20_000,
    /// Terms below a condition, beyond which it is taken to depend on everything.
    max_condition_terms: usize = 4_000,
    /// Gates of a solver, beyond which a new one takes its place unless its first query alone took more than half of them.
    max_solver_gates: usize = 20_000,
    /// Answers that are cached.
    max_cached: usize = 100_000,
    /// Ranges of a set of values: a condition on one number rarely has more than a few.
    max_ranges: usize = 256,
    /// Ends of ranges that are tried as values of a number.
    max_candidate_values: usize = 6,
    /// Depth and number of terms that intervals are computed for in one query.
    max_interval_depth: u32 = 60,
    max_interval_terms: usize = 2_000,
}}

tuning! { pub struct AbstractionTuning {
    /// Abstract states that one path may have at a loop head.
    max_valuations: usize = 1_000,
    /// Groups of predicates whose valuations are cached.
    max_cached_groups: usize = 50_000,
    /// Scalars in memory that conditions are translated to predicates over.
    max_scalars: usize = 2_000,
    /// Invariants of other engines that a loop's entries assume: every visit of its head has to establish them.
    max_shared_invariants: usize = 50,
}}

tuning! { pub struct RefinementTuning {
    /// Terms of a predicate: a larger one is about this path only.
    max_predicate_terms: usize = 60,
    /// Candidates of one location and source.
    max_candidates: usize = 200,
    /// Parts of a state between which relations are looked for: their number is quadratic.
    max_related_parts: usize = 8,
    /// Values of one state variable that become predicates at once.
    max_values: usize = 64,
    /// From so many state variables on a loop is taken to be a state machine with many of them, and it gets up to
    /// `max_variables_at_once` more of them from one counterexample.
    many_variables: usize = 3,
    max_variables_at_once: usize = 8,
    /// Refinements by predicates over the same symbols before facts that hold in all sample runs are preferred.
    patience: u32 = 3,
    /// Conflicts for a query about a whole counterexample.
    max_conflicts: u64 = 50_000,
    /// Queries for making a core smaller.
    max_minimisations: usize = 60,
}}
