//! How many examples, and at what cost.

pub struct ExamplesTuning {
    /// Examples of a function, as in the paper (section 5.3).
    pub most: usize,
    /// Calls that the search for them may make.
    pub calls: u64,
    /// Steps of the machine that all calls together may take: about a second.
    pub steps: u64,
    /// Examples beyond which balancing has enough to choose from.
    pub enough: usize,
    /// Inputs in a row that were all tried before: the input space is nearly exhausted.
    pub repetitions: u32,
    /// An input space of at most so many elements is tried as a whole.
    pub enumerated: u128,
    /// One output has at most the whole divided by this, or by the number of outputs if that is less.
    pub least_share: usize,
    /// Of examples inside of the ranges at the calls to those outside.
    pub inside_per_outside: usize,
    /// Examples outside that are kept in any case.
    pub least_outside: usize,
    /// Constants of the function that mutations use.
    pub constants: usize,
    pub paths: PathsTuning,
}

pub const TUNING: ExamplesTuning = ExamplesTuning {
    most: 10_000,
    calls: 60_000,
    steps: 200_000_000,
    enough: 25_000,
    repetitions: 3_000,
    enumerated: 4_096,
    least_share: 20,
    inside_per_outside: 7,
    least_outside: 64,
    constants: 48,
    paths: PATHS,
};

/// Samples for the inference of a unit's contract: fewer do, since what is inferred from them is proved or refuted, and
/// counterexamples join them.
pub const UNIT: ExamplesTuning = ExamplesTuning {
    most: 1_000,
    calls: 3_000,
    steps: 5_000_000,
    enough: 1_500,
    repetitions: 300,
    enumerated: 512,
    paths: PathsTuning { queries: 60, steps: 6_000, terms: 300_000, ..PATHS },
    ..TUNING
};

/// A sample that tells whether a summary fits its function: milliseconds, and without questions to the solver.
pub const SAMPLE: ExamplesTuning = ExamplesTuning {
    most: 400,
    calls: 800,
    steps: 2_000_000,
    enough: 500,
    repetitions: 200,
    enumerated: 256,
    paths: PathsTuning { queries: 0, steps: 0, varied: 0, ..PATHS },
    ..TUNING
};

pub struct PathsTuning {
    /// Paths that the solver is asked about.
    pub queries: u32,
    /// Conflicts of one question: branches that are harder are left to mutation.
    pub conflicts: u64,
    /// Questions about one branch: the first one covers it, others give inputs of other paths through it.
    pub queries_per_branch: u32,
    /// Symbolic steps of all paths.
    pub steps: u64,
    /// Of one path: what comes late in it has been done by others.
    pub steps_of_path: u64,
    /// Calls in progress. Splitting a state costs as much as it has of them.
    pub depth: usize,
    /// Terms of all paths.
    pub terms: usize,
    /// Paths that return of which more inputs may be asked for.
    pub varied: usize,
    /// Outputs with fewer examples are rare.
    pub rare: usize,
    /// Questions about one path to a rare output.
    pub queries_of_rare: u32,
}

const PATHS: PathsTuning = PathsTuning {
    queries: 1_500,
    conflicts: 2_000,
    queries_per_branch: 6,
    steps: 60_000,
    steps_of_path: 4_000,
    depth: 64,
    terms: 3_000_000,
    varied: 64,
    rare: 16,
    queries_of_rare: 24,
};
