//! Static features of programs, by which a distance metric is chosen (Table 4.1 and section 7.2 of Lee's thesis; see
//! [`super::target_distance`] for the metrics).
//!
//! ```text
//!   structure   locations, edges, loops, calls and cyclomatic complexity by function: of a flow graph
//!   variables   which variables conditions depend on
//!   of_program  both, of a program
//! ```
//!
//! The names and definitions are the thesis's. The numbers are those of Plumb's automata, not of CPAchecker's, whose locations and
//! intermediate variables are others: features of one tool mean nothing to a model that was trained on another's.

pub mod of_program;
pub mod structure;
pub mod variables;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use structure::Structure;
pub use variables::{Variable, VariableFacts};

/// A row of Table 4.1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureInfo {
    pub category: &'static str,
    pub name: &'static str,
    pub description: &'static str,
}

const fn row(category: &'static str, name: &'static str, description: &'static str) -> FeatureInfo {
    FeatureInfo { category, name, description }
}

/// Table 4.1, in its order. Indices into it are what decision trees ask for.
pub const FEATURES: [FeatureInfo; 25] = [
    row("locations", "LOCS", "number of program locations"),
    row("locations", "MXLOFN", "maximum number of locations per function"),
    row("locations", "AVLOFN", "average number of locations per function"),
    row("locations", "SDLOFN", "standard deviation of the number of locations per function"),
    row("edges", "EDGES", "number of control-flow edges"),
    row("edges", "MXEGFN", "maximum number of control-flow edges per function"),
    row("edges", "AVEGFN", "average number of control-flow edges per function"),
    row("edges", "SDEGFN", "standard deviation of the number of control-flow edges per function"),
    row("loops", "LOOPS", "number of loops in a program"),
    row("loops", "MXLPFN", "maximum number of loops per function"),
    row("loops", "AVLPFN", "average number of loops per function"),
    row("loops", "SDLPFN", "standard deviation of the number of loops per function"),
    row("functions", "FUNCS", "number of functions in a program"),
    row("functions", "MXCALLS", "maximum number of function calls per function"),
    row("functions", "AVCALLS", "average number of function calls per function"),
    row("functions", "SDCALLS", "standard deviation of the number of function calls per function"),
    row("variables", "VARS", "number of variables used in conditions, and of those that they depend on"),
    row("variables", "VARSASM", "number of variables used in conditions"),
    row("variables", "VARSLOOP", "number of variables used in loop exit conditions"),
    row("variables", "VARSINC", "number of variables that count up or down in for statements"),
    row("variables", "FIELDS", "number of bit-fields that conditions depend on"),
    row("complexity", "MXCC", "maximum cyclomatic complexity per function"),
    row("complexity", "SMCC", "sum of cyclomatic complexity per function"),
    row("complexity", "AVCC", "average cyclomatic complexity per function"),
    row("complexity", "SDCC", "standard deviation of cyclomatic complexity per function"),
];

/// The values of all features of one program, in the order of [`FEATURES`].
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, f64>", into = "BTreeMap<String, f64>")]
pub struct Features {
    values: [f64; FEATURES.len()],
}

impl Features {
    pub fn new(structure: &Structure, variables: &VariableFacts) -> Features {
        let counts = variables.counts();
        let [locs, edges, loops, calls, complexity] = structure.statistics();
        let mut values = Vec::with_capacity(FEATURES.len());
        values.extend([locs.sum, locs.max, locs.average, locs.deviation]);
        values.extend([structure.edges() as f64, edges.max, edges.average, edges.deviation]);
        values.extend([loops.sum, loops.max, loops.average, loops.deviation]);
        values.extend([structure.functions.len() as f64, calls.max, calls.average, calls.deviation]);
        values.extend(counts.map(|count| count as f64));
        values.extend([complexity.max, complexity.sum, complexity.average, complexity.deviation]);
        Features { values: values.try_into().expect("four rows of each category, and five of variables") }
    }

    /// By the index of its row in [`FEATURES`].
    pub fn value(&self, index: usize) -> f64 {
        self.values[index]
    }

    pub fn get(&self, name: &str) -> Option<f64> {
        index_of(name).map(|index| self.values[index])
    }

    /// With the rows of the table, in its order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static FeatureInfo, f64)> + '_ {
        FEATURES.iter().zip(self.values)
    }

    /// From values by name: each feature once, and nothing else.
    pub fn from_names(mut by_name: BTreeMap<String, f64>) -> Result<Features, String> {
        let mut values = [0.0; FEATURES.len()];
        for (value, feature) in values.iter_mut().zip(&FEATURES) {
            *value = by_name.remove(feature.name).ok_or_else(|| format!("the feature {} is missing", feature.name))?;
            if !value.is_finite() || *value < 0.0 {
                return Err(format!("the feature {} is {value}, not a count", feature.name));
            }
        }
        match by_name.into_keys().next() {
            None => Ok(Features { values }),
            Some(name) => Err(format!("there is no feature `{name}`")),
        }
    }
}

/// The row of a feature's name.
pub fn index_of(name: &str) -> Option<usize> {
    FEATURES.iter().position(|feature| feature.name == name)
}

impl TryFrom<BTreeMap<String, f64>> for Features {
    type Error = String;

    fn try_from(by_name: BTreeMap<String, f64>) -> Result<Features, String> {
        Features::from_names(by_name)
    }
}

impl From<Features> for BTreeMap<String, f64> {
    fn from(features: Features) -> BTreeMap<String, f64> {
        features.iter().map(|(feature, value)| (feature.name.to_string(), value)).collect()
    }
}

#[cfg(test)]
mod tests;
