//! Knobs of bounded model checking.

use plumb_answer::tuning;

tuning! { pub struct Tuning {
    /// Terms after which the checks met so far are looked at before the program is unwound as far as the bound allows, and
    /// conflicts spent on them: a loop with a known trip count has thousands of iterations within a bound of 1, and may
    /// violate a check in its tenth. The next look is at twice as many terms.
    early_terms: usize = 100_000,
    early_conflicts: u64 = 50_000,
    /// The bound with which the other searches begin, and the one of loops within others in the third.
    large_bound: u32 = 16,
    nested_bound: u32 = 2,
    /// Conflicts after which several checks at once are given up for one after the other.
    joint_conflicts: u64 = 50_000,
    /// Conflicts after which checks are deferred until the program is unwound further: what is hard to refute within a
    /// bound may be easy to violate beyond it. Twice as many the next time.
    deferral_conflicts: u64 = 10_000,
    /// Conflicts spent on proving that a state of the frontier is infeasible.
    frontier_conflicts: u64 = 20_000,
    /// Models of one check that do not replay before the check is left to other engines: each costs a query and a run.
    max_false_claims: u32 = 8,
    /// Conflicts spent on proving that a fault is infeasible.
    fault_conflicts: u64 = 20_000,
    /// Branches that no run has taken: how many the solver is asked about at a bound, how often about each, and with how many
    /// conflicts. It is help for another engine, so all of it together costs less than a deferred check.
    uncovered_branches: usize = 8,
    uncovered_tries: u32 = 3,
    uncovered_conflicts: u64 = 1_000,
    /// In a larger frontier, states that a model does not reach are not asked about one by one.
    max_single_frontier: usize = 32,
}}

pub const TUNING: Tuning = Tuning::DEFAULT;
