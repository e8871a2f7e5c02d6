//! Knobs of the validator. None decides what counts as a proof: where one is reached, the answer is "not decided".

use plumb_answer::tuning;
use plumb_sym::Counting;
use std::time::Duration;

tuning! { pub struct Tuning {
    /// Depths of induction that are tried where the witness proposes none.
    depths: [u32; 4] = [0, 1, 2, 3],
    /// Deeper inductions are not tried.
    deepest_induction: u32 = 64,
    /// Iterations of loops without invariants.
    bounds: [u32; 4] = [3, 9, 27, 81],
    /// ... and the most that a proof may ask for.
    max_iterations: u32 = 1_000_000,
    /// Explorations for one depth of induction: each but the last has learned something.
    max_rounds: usize = 120,
    /// Of iterations that constants decide one of so many counts; recursion that they decide ends at a depth.
    counting: Counting = Counting {
        free_iterations: 20_000,
        free_symbolic_iterations: 20_000,
        free_conditions: u32::MAX,
        free_calls: u32::MAX,
    },
    /// Frames that are followed.
    max_frames: usize = 2_000,
    /// Recursive calls that are followed, whatever the bound of loops.
    min_recursion: u32 = 8,
    /// Paths that are followed through the claims of one loop head.
    max_claim_paths: usize = 2_000,
    /// Steps of symbolic states between two polls of the budget.
    symbolic_slice: u32 = 256,
    /// Visits of a loop's head before one is in a context of its entries.
    max_visits: u32 = 16,
    /// Conflicts of the question whether a pointer changes.
    pointer_conflicts: u64 = 20_000,
    /// Bytes that a term takes, with all that is around it.
    term_bytes: u64 = 512,
    /// Inputs with more bits have too many values to try each of them in a search of all states.
    max_enumerated_bits: u32 = 8,
    /// Steps between two polls of the budget there; a run that asks for nothing is looked at so often, too.
    state_slice: u64 = 10_007,
    /// Operations of the points-to analysis.
    points_to_operations: u64 = 20_000_000,
    /// Bytes that a state takes which is to be followed, besides its pages,
    open_state_bytes: u64 = 1_000,
    /// ... and one that was.
    visited_state_bytes: u64 = 40,
    /// Guesses at what a violation's witness leaves open, before the search for it,
    first_guesses: u64 = 3,
    /// ... all guesses,
    guesses: u64 = 60,
    /// ... and how long they may take.
    guessing_time: Duration = Duration::from_secs(10),
    /// Values that are made up for one run.
    max_made_up: u32 = 3_000_000,
    /// Steps of a run with made-up values: with others it may end sooner.
    max_made_up_steps: u64 = 100_000_000,
    /// Steps of the search for a violation, all paths together,
    max_search_steps: u32 = 60_000,
    /// ... and how long they may take.
    search_time: Duration = Duration::from_secs(20),
    /// Assumptions that are listed one by one.
    max_assumptions_shown: usize = 12,
    /// Lines that the declaration of a function with a contract has at most.
    max_declaration_lines: u32 = 40,
    /// Characters of an invariant. People and tools write shorter ones; the compiler has to parse it.
    max_invariant_length: usize = 20_000,
    /// Nesting of a witness's YAML. Deeper text is no witness, and what reads the tree is recursive.
    max_yaml_depth: usize = 64,
    /// Nodes that aliases of YAML may copy: enough for locations and functions that a witness names often.
    max_yaml_copies: usize = 100_000,
}}

pub const TUNING: Tuning = Tuning::DEFAULT;
