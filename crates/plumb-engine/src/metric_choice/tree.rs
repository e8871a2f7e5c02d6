//! Decision trees over features, learned by recursive partitioning.
//!
//! CART (Breiman, Friedman, Olshen and Stone 1984), as R's `rpart` has it: a node is split at the value of a feature that lowers
//! the Gini impurity most, as long as it has enough records; then subtrees are replaced by leaves that do not lower the number of
//! misclassified records enough for their size (cost-complexity pruning). Of equally good splits the first feature of Table 4.1
//! and the smallest value are taken, so that the same records in any order give the same tree.

use plumb_ir::analysis::features::{FEATURES, Features, index_of};
use plumb_ir::analysis::target_distance::Metric;
use serde::{Deserialize, Serialize};

/// The knobs of learning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeTuning {
    /// Records that a node must have to be split: `minsplit` of `rpart`.
    pub min_split: usize,
    /// Records that a leaf must have: `minbucket`, a third of it.
    pub min_leaf: usize,
    /// A split must lower the errors of the whole tree by this share of the root's: `cp`.
    pub complexity: f64,
    /// `maxdepth`.
    pub max_depth: u32,
}

impl TreeTuning {
    pub const DEFAULT: TreeTuning = TreeTuning { min_split: 20, min_leaf: 7, complexity: 0.01, max_depth: 30 };
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Tree {
    Leaf {
        metric: Metric,
        /// Records that came here in training, by best metric.
        records: [usize; 4],
    },
    Split {
        #[serde(with = "feature_name")]
        feature: usize,
        /// Smaller values go to `yes`.
        below: f64,
        yes: Box<Tree>,
        no: Box<Tree>,
    },
}

/// A program and its best metric.
pub type Example<'a> = (&'a Features, Metric);

impl Tree {
    pub fn learn(examples: &[Example], tuning: &TreeTuning) -> Tree {
        let tree = grow(examples.to_vec(), tuning, 0);
        let errors = errors(&counts(examples));
        tree.pruned(tuning.complexity * errors as f64).0
    }

    pub fn choose(&self, features: &Features) -> Metric {
        match self {
            Tree::Leaf { metric, .. } => *metric,
            Tree::Split { feature, below, yes, no } => {
                let next = if features.value(*feature) < *below { yes } else { no };
                next.choose(features)
            }
        }
    }

    pub fn leaves(&self) -> usize {
        match self {
            Tree::Leaf { .. } => 1,
            Tree::Split { yes, no, .. } => yes.leaves() + no.leaves(),
        }
    }

    /// Records by best metric.
    fn records(&self) -> [usize; 4] {
        match self {
            Tree::Leaf { records, .. } => *records,
            Tree::Split { yes, no, .. } => {
                let (a, b) = (yes.records(), no.records());
                std::array::from_fn(|at| a[at] + b[at])
            }
        }
    }

    /// The subtree with the smallest cost, errors plus `price` for each leaf, the smallest of several; and its cost.
    fn pruned(self, price: f64) -> (Tree, f64) {
        let records = self.records();
        let as_leaf = errors(&records) as f64 + price;
        match self {
            Tree::Leaf { .. } => (self, as_leaf),
            Tree::Split { feature, below, yes, no } => {
                let ((yes, yes_cost), (no, no_cost)) = (yes.pruned(price), no.pruned(price));
                if as_leaf <= yes_cost + no_cost {
                    return (leaf(records), as_leaf);
                }
                (Tree::Split { feature, below, yes: Box::new(yes), no: Box::new(no) }, yes_cost + no_cost)
            }
        }
    }

    /// Indented lines for people.
    pub fn text(&self) -> String {
        let mut lines = String::new();
        self.write(&mut lines, 0);
        lines
    }

    fn write(&self, lines: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        match self {
            Tree::Leaf { metric, records } => {
                let by_metric: Vec<String> =
                    Metric::ALL.iter().zip(records).map(|(metric, count)| format!("{metric} {count}")).collect();
                lines.push_str(&format!("{indent}{metric} ({})\n", by_metric.join(", ")));
            }
            Tree::Split { feature, below, yes, no } => {
                lines.push_str(&format!("{indent}{} < {below}:\n", FEATURES[*feature].name));
                yes.write(lines, depth + 1);
                lines.push_str(&format!("{indent}else:\n"));
                no.write(lines, depth + 1);
            }
        }
    }
}

fn counts(examples: &[Example]) -> [usize; 4] {
    let mut counts = [0; 4];
    examples.iter().for_each(|(_, metric)| counts[*metric as usize] += 1);
    counts
}

fn errors(counts: &[usize; 4]) -> usize {
    counts.iter().sum::<usize>() - counts.iter().max().unwrap_or(&0)
}

/// The first of the most frequent metrics.
fn leaf(records: [usize; 4]) -> Tree {
    let most = records.iter().max().copied().unwrap_or(0);
    let first = Metric::ALL.into_iter().find(|metric| records[*metric as usize] == most);
    Tree::Leaf { metric: first.unwrap_or(Metric::St), records }
}

/// The Gini impurity of a node times the number of its records.
fn impurity(counts: &[usize; 4]) -> f64 {
    let all = counts.iter().sum::<usize>() as f64;
    if all == 0.0 { 0.0 } else { all - counts.iter().map(|count| (*count as f64).powi(2)).sum::<f64>() / all }
}

fn grow(examples: Vec<Example>, tuning: &TreeTuning, depth: u32) -> Tree {
    let records = counts(&examples);
    if examples.len() < tuning.min_split || depth >= tuning.max_depth || errors(&records) == 0 {
        return leaf(records);
    }
    let Some((feature, below)) = best_split(&examples, &records, tuning) else { return leaf(records) };
    let (yes, no): (Vec<Example>, Vec<Example>) =
        examples.into_iter().partition(|(features, _)| features.value(feature) < below);
    let grown = |part| Box::new(grow(part, tuning, depth + 1));
    Tree::Split { feature, below, yes: grown(yes), no: grown(no) }
}

/// Differences of impurities below this are rounding.
const EPSILON: f64 = 1e-9;

fn best_split(examples: &[Example], records: &[usize; 4], tuning: &TreeTuning) -> Option<(usize, f64)> {
    let mut best: Option<(f64, usize, f64)> = None;
    let whole = impurity(records);
    for feature in 0..FEATURES.len() {
        let mut sorted: Vec<(f64, Metric)> =
            examples.iter().map(|(features, metric)| (features.value(feature), *metric)).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (mut left, mut right) = ([0; 4], *records);
        for at in 1..sorted.len() {
            let (value, metric) = sorted[at - 1];
            left[metric as usize] += 1;
            right[metric as usize] -= 1;
            let next = sorted[at].0;
            if value == next || at < tuning.min_leaf || sorted.len() - at < tuning.min_leaf {
                continue;
            }
            let gain = whole - impurity(&left) - impurity(&right);
            if gain > best.map_or(EPSILON, |(known, ..)| known + EPSILON) {
                best = Some((gain, feature, value + (next - value) / 2.0));
            }
        }
    }
    best.map(|(_, feature, below)| (feature, below))
}

/// Features are written by name.
mod feature_name {
    use super::{FEATURES, index_of};
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(feature: &usize, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(FEATURES[*feature].name)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
        let name = String::deserialize(deserializer)?;
        index_of(&name).ok_or_else(|| serde::de::Error::custom(format!("there is no feature `{name}`")))
    }
}
