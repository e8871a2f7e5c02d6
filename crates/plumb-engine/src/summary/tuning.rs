//! The numbers that tune summaries by example, with the reason for each. Those of the search for examples are in [`super::examples`].

use plumb_answer::tuning;
use std::time::Duration;

tuning! { pub struct Tuning {
    /// Contexts with more vertices are not searched for users outside of them: the call counts as dependent.
    max_context: usize = 50_000,
    /// Locations that may be visited for all globals together: a second or two. Beyond it every read of a global sees every write.
    max_global_visits: u64 = 100_000_000,
    /// Of sixteen mutated inputs, so many may leave the ranges of the calls.
    outside_of_sixteen: u64 = 2,
    /// Of eight parents, so many are chosen for having done something new.
    pioneers_of_eight: u64 = 2,
    /// Steps of one call. A function that takes longer is no auxiliary one.
    max_call_steps: u64 = 200_000,
    /// Examples get one in so many parts of a function's time.
    examples_share: u32 = 3,
    /// Nodes of a term that is worth it.
    max_choice_nodes: usize = 600,
    /// Choices of a term that is pruned: every one of them is tried.
    max_pruned_choices: usize = 40,
    /// Constants of a grammar: every one of them makes every size of terms more expensive.
    max_constants: usize = 24,
    /// Results that become constants, if there are no more.
    max_output_constants: usize = 12,
    /// Constraints at the start, chosen at random.
    first_constraints: usize = 4,
    /// After so many replacements in a row without an improvement a constraint joins C instead: more of them are needed to tell the
    /// function from what is like it.
    max_replacements: u32 = 8,
    /// Of a run of the synthesiser without any answer, this many in a row end the process.
    max_failures: u32 = 5,
    /// Candidates beyond the first complete answer, in search of a smaller one.
    improvement_candidates: u64 = 50_000,
    /// Bytes of one run, at most.
    max_synthesis_bytes: u64 = 512 << 20,
    /// Examples that pruned terms are compared on: there are many of these terms.
    pruning_sample: usize = 600,
    /// Nodes that a search may have, of some microseconds each. A thousand is usual for fifty candidates.
    max_search_nodes: u32 = 20_000,
    /// Multipliers that are tried for one bound.
    multipliers: u32 = 20,
    /// Narrower ranges are not halved where nothing is decided; with each decision they may be half as wide. Where savings and
    /// means make up for each other the bound is nearly the same over a wide range of means, and only decisions lower it.
    least_width: f64 = 0.1,
    /// Unrollings are doubled up to here: a ranking that changes later is the limit's in all but name.
    max_unrolling: u32 = 64,
    /// Nodes of a term without definitions in it. A text of a few lines may stand for a term that no memory has room for.
    max_entry_nodes: usize = 100_000,
    /// How much less accuracy or output coverage a summary may have on a fresh sample than it had on the sample when it was stored.
    max_loss: f64 = 0.05,
    /// Larger files are no entries.
    max_entry_bytes: u64 = 16 << 20,
    /// The sample of a summary that is stored after its time gets so long at most.
    sample_time: Duration = Duration::from_millis(500),
    /// Terms that are synthesised for one function, one after the other, ...
    synthesis_iterations: u32 = 200,
    /// ... unless so many in a row are no improvement.
    synthesis_patience: u32 = 40,
    /// Candidates that one run of the synthesiser may examine: one synthesis makes many such runs.
    synthesis_candidates: u64 = 1_000_000,
    /// Scores of selections that are closer than this are the same: sums of floats in another order differ by less.
    same_score: f64 = 1e-9,
}}

pub const TUNING: Tuning = Tuning::DEFAULT;
