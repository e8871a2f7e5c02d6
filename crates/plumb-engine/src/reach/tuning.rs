//! The numbers that tune abstract reachability, with the reason for each. None of them has to do with soundness: they decide
//! how long something is tried, and when the engine says UNKNOWN instead.

use crate::predicates::tuning::{AbstractionTuning, FeasibilityTuning, RefinementTuning};
use plumb_answer::tuning;
use plumb_sym::Counting;
use std::time::Duration;

tuning! { pub struct Tuning {
    blocks: BlockTuning = BlockTuning::DEFAULT,
    exploration: ExplorationTuning = ExplorationTuning::DEFAULT,
    values: ValueTuning = ValueTuning::DEFAULT,
    predicates: PredicateTuning = PredicateTuning::DEFAULT,
    // A solver holds the formulas of all blocks and is asked about them again and again: it is kept much longer than one for
    // single paths.
    feasibility: FeasibilityTuning = FeasibilityTuning { max_solver_gates: 4_000_000, ..FeasibilityTuning::DEFAULT },
    abstraction: AbstractionTuning = AbstractionTuning { max_valuations: 2_000, ..AbstractionTuning::DEFAULT },
    // The conditions of a block are those of all its paths, and any of them may be what is missing. A query is about several blocks
    // with all their paths: few of them make a core smaller.
    refinement: RefinementTuning = RefinementTuning {
        max_candidates: 1_500,
        max_values: 8,
        max_minimisations: 12,
        ..RefinementTuning::DEFAULT
    },
}}

tuning! { pub struct BlockTuning {
    /// Steps between two looks at the budget: a step takes microseconds.
    steps_per_check: u32 = 256,
    /// Iterations that are followed inside of a block, not counting those that constants decide: of loops that cannot be abstracted.
    max_iterations: u32 = 40,
    /// Calls of a function inside of itself that are followed inside of a block.
    max_recursion: u32 = 12,
    /// Abstract entries of loops: each costs a block. More of them come of calls in very many contexts.
    max_entries: usize = 4_000,
    /// Conflicts of the question whether a pointer changes in an iteration.
    max_change_conflicts: u64 = 10_000,
    /// Iterations that constants decide count in portions, so that every block is finite.
    counting: Counting = Counting {
        free_iterations: 20_000,
        free_symbolic_iterations: 2_000,
        free_conditions: u32::MAX,
        free_calls: 1_000,
    },
}}

tuning! { pub struct ExplorationTuning {
    /// Time between two reports of progress to the watcher.
    report_interval: Duration = Duration::from_millis(200),
    /// Models that may fail to replay on the concrete machine before violations are no longer looked for.
    max_failed_replays: u32 = 40,
    /// Exact states of counterexamples that are kept for the next ones: those begin alike, but a state keeps its terms.
    max_kept_prefixes: usize = 400,
    /// Abstract states of one loop, beyond which nobody would want to read the invariant.
    max_invariant_states: usize = 200,
}}

tuning! { pub struct ValueTuning {
    /// Values of one variable at one loop head, beyond which it is no state variable but a counter: predicates are better.
    max_values: usize = 40,
    /// Values of one variable that one block leaves, beyond which the variable may be anything there.
    max_values_at_once: usize = 24,
    /// Abstract successors of one block over one abstract state.
    max_successors: usize = 4_000,
}}

tuning! { pub struct PredicateTuning {
    /// Only whether each predicate must hold or must not: no valuations of several predicates together.
    is_cartesian: bool = false,
    /// Which other loop heads get a predicate that one of them needs.
    scope: super::domains::predicate::Scope = super::domains::predicate::Scope::Location,
}}
