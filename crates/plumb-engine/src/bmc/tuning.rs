//! Knobs of bounded model checking.

pub struct Tuning {
    /// Conflicts after which several checks at once are given up for one after the other.
    pub joint_conflicts: u64,
    /// Conflicts after which checks are deferred until the program is unwound further: what is hard to refute within a
    /// bound may be easy to violate beyond it. Twice as many the next time.
    pub deferral_conflicts: u64,
    /// Conflicts spent on proving that a state of the frontier is infeasible.
    pub frontier_conflicts: u64,
    /// Models of one check that do not replay before the check is left to other engines: each costs a query and a run.
    pub max_false_claims: u32,
    /// Conflicts spent on proving that a fault is infeasible.
    pub fault_conflicts: u64,
    /// In a larger frontier, states that a model does not reach are not asked about one by one.
    pub max_single_frontier: usize,
}

pub const TUNING: Tuning = Tuning {
    joint_conflicts: 50_000,
    deferral_conflicts: 10_000,
    frontier_conflicts: 20_000,
    max_false_claims: 8,
    fault_conflicts: 20_000,
    max_single_frontier: 32,
};
