//! What the search tries and how long, with the reasons. The values were chosen on public benchmarks of the SyGuS competition
//! (bit-vectors) and on summaries of embedded functions (integers with many inputs).

pub struct SearchTuning {
    /// Examples of the first round. Enough to tell functions from each other that were not made to agree, few enough for
    /// short columns.
    pub first_sample: usize,
    /// Candidates that a rule with a choice may make in one size. Small choices inside of other terms are found this way; trees
    /// find the large ones.
    pub choice_candidates: u64,
    /// An answer to part of the examples is not taken at once if its tree has more leaves than one for so many examples: it
    /// lists the sample rather than explains it, and would fail on the others.
    pub examples_per_leaf: usize,
    /// Examples that a composed term must cover: more than the pair that it was made for.
    pub worth_covering: u32,
    /// Pairs of examples, after each size, for which terms are composed.
    pub pairs: usize,
    /// Examples without any term for each of which one is composed. More of them say that terms are too small yet.
    pub singles: usize,
    /// Examples that a sample grows by at least, if there are so many failures.
    pub least_growth: usize,
    /// Rounds with fewer failures than that before samples are filled up with other examples.
    pub small_steps: usize,
}

pub const SEARCH: SearchTuning = SearchTuning {
    first_sample: 32,
    choice_candidates: 20_000,
    examples_per_leaf: 6,
    worth_covering: 3,
    pairs: 8,
    singles: 3,
    least_growth: 8,
    small_steps: 3,
};

pub struct TreeTuning {
    /// Covers that a tree chooses from, the largest ones. Every node looks at all of them several times.
    pub covers: usize,
    /// Labels of a node; examples beyond have a label in common. The first ones have most of the information.
    pub labels: usize,
    /// Conditions that a node chooses from, the smallest ones: a tenth of a second for each node with many labels.
    pub conditions: usize,
    /// Nodes on a path. What walks a tree recurses, and a reader of answers has its own limit.
    pub depth: usize,
}

pub const TREES: TreeTuning = TreeTuning { covers: 4096, labels: 24, conditions: 400_000, depth: 300 };

pub struct PropagationTuning {
    /// Inversions after a size: at least this many, and else one for so many candidates that were examined. An inversion
    /// costs several times what a candidate costs.
    pub least_steps: u64,
    pub candidates_per_step: u64,
    /// Terms that a goal with open bits is compared with, one by one.
    pub scanned: usize,
    /// Terms that are put beside the goal of an inner inverse.
    pub inner_width: usize,
    /// Terms that are indexed by their values on a pair of examples.
    pub indexed: usize,
}

pub const PROPAGATION: PropagationTuning = PropagationTuning {
    least_steps: 50_000,
    candidates_per_step: 6,
    scanned: 4096,
    inner_width: 512,
    indexed: 100_000,
};
