//! The numbers that tune the engine, with the reason for each. None of them has to do with soundness.

use plumb_answer::tuning;
use std::time::Duration;

tuning! {
    pub struct Tuning {
        /// Iterations of loops that are unwound first: violations of wrong candidates are near.
        first_bound: u32 = 6,
        /// What each engine gets of the time in the first round.
        first_slice: Duration = Duration::from_millis(500),
        /// To show that nothing is known against a unit that promises nothing.
        trivial_slice: Duration = Duration::from_secs(2),
        /// To prove a contract once. A unit is small; one that takes longer is not decided.
        proof_slice: Duration = Duration::from_secs(4),
        /// To prove one again when all else is proved. What did not take long before may take longer on a busy machine.
        longest_slice: Duration = Duration::from_secs(16),
        /// And no more than one in so many parts of what is left.
        proof_share: u32 = 8,
        /// To find samples of a unit.
        samples_slice: Duration = Duration::from_millis(500),
        /// Machine steps of one run for samples, and of one whose result is wanted.
        sample_steps: u64 = 20_000,
        run_steps: u64 = 5_000_000,
        /// Calls with small values everywhere.
        small_samples: usize = 200,
        /// Samples of a unit that are kept.
        samples: usize = 2_000,
        /// To prove facts about locations where the user has set no time.
        invariants_slice: Duration = Duration::from_secs(60),
        /// Conditions on the entry by which summaries are partitioned.
        vocabulary: usize = 64,
        /// Facts of one inference that become candidates: the first are the simplest.
        facts: usize = 48,
        /// Facts about a part that become candidates.
        part_facts: usize = 16,
        /// Counterexamples to one contract before the rest of its candidates is dropped.
        counterexamples: usize = 64,
        /// Clauses that are tried one by one where they cannot be decided together.
        one_by_one: usize = 12,
        /// Attempts to prove something of one unit in the whole run; then its calls run the original again.
        attempts: usize = 300,
        /// Of one without loops and recursion, whose original costs little.
        attempts_of_short: usize = 40,
        /// And one refinement of it gets one in so many parts of the time that is left.
        short_share: u32 = 40,
        /// Times that a partition is chosen anew after a counterexample that samples did not show.
        repartitions: usize = 12,
        /// Entry states of each part of a partition that the solver chooses: samples may have none there (section 4 of the paper).
        diverse_inputs: usize = 10,
        /// Bits of each value that chance decides about: with more, most choices contradict the part's condition.
        wished_bits: usize = 3,
        /// Point pairs of a unit; then its calls run the original again.
        points: usize = 24,
        /// Calls of a recursive unit that are stated one by one, from the innermost on.
        table: usize = 64,
        /// Cases of a unit.
        cases: usize = 48,
        /// Refinements after which the original is tried between others: the paper's programs need at most five.
        refinements_alone: u32 = 5,
        /// For one in so many parts of the time so far.
        original_share: u32 = 3,
        /// To decide the program with contracts before the original gets as much, and so on, twice as much each time.
        top_slice: Duration = Duration::from_secs(6),
        /// To find out which contracts an alarm needs.
        blame_slice: Duration = Duration::from_secs(2),
        /// To solve the path of an alarm with the original functions.
        filter_slice: Duration = Duration::from_secs(3),
        /// Conflicts of a question about formulas of contracts.
        conflicts: u64 = 10_000,
        /// Scalars at the entry, and at the exit: contracts of functions that use more speak of the first of them.
        entry_scalars: usize = 24,
        exit_scalars: usize = 16,
        /// Parts of one object that a contract speaks of: of a larger one it would speak of nothing else.
        object_parts: usize = 16,
        /// Arrays of at least so many elements are one variable: facts about each element of others say more.
        array_length: usize = 6,
        /// Conditions of the program under which facts are looked for.
        conditions: usize = 12,
        /// Conditions times variables: an inference takes time for each.
        columns: usize = 200,
        /// Samples times variables. What is inferred of some samples the others refute before it is tried.
        values: usize = 20_000,
        /// Numbers at the entry of a recursive function whose powers of two facts speak of.
        powers: usize = 2,
        /// Of facts that become candidates. What is wrong costs a counterexample, what is missing a refinement.
        confidence: f64 = 0.9,
        /// Facts that exclude a call and are considered.
        excluding_facts: usize = 12,
        /// Bits of the sums in facts: a fact that needs wider ones has no term.
        sum_bits: u32 = 128,
        /// Calls of one unit in one alarm that are looked at.
        spurious_calls: usize = 8,
        /// Runs of a unit that asks for values from outside: one of them may be the call.
        runs_of_call: usize = 16,
        /// Steps and terms of the path of an alarm: longer ones have conditions about everything.
        path_steps: usize = 20_000,
        path_terms: usize = 200_000,
        /// A candidate with more terms than this is about one path only.
        candidate_terms: usize = 400,
        /// Candidates for other engines that one contract makes of one call.
        call_candidates: usize = 32,
    }
}

pub const TUNING: Tuning = Tuning::DEFAULT;
