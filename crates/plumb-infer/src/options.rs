//! What an inference looks for, and how sure it wants to be.

use crate::fact::Fact;

#[derive(Clone, Debug)]
pub struct Options {
    /// Facts are reported whose chance to hold by coincidence is at most one minus this. With 0 all facts are reported that
    /// hold of the samples.
    pub confidence: f64,
    /// The largest set of values that is reported.
    pub max_values: usize,
    /// Columns of one group beyond this take no part in relations of three.
    pub max_ternary: usize,
    /// So many columns take part in congruences of three, which are costlier than equations.
    pub max_ternary_modular: usize,
    /// Whether `x != y` is looked for.
    pub disequalities: bool,
    /// Numbers of which it is reported that a variable, or no element, is them.
    pub constants: Vec<i128>,
    /// Conditions of the caller under which facts are looked for, such as those of the program's branches.
    pub conditions: Vec<Fact>,
    /// Conditions under which facts are looked for, of the caller and of the inference itself; fewer where a point has many
    /// variables. 0 for none.
    pub max_conditions: usize,
    /// A variable with at most so many values gives a condition for each.
    pub max_cases: usize,
    /// Whether facts are left out that relate what has nothing to do with each other: see `unrelated.rs`.
    pub related_only: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            confidence: 0.99,
            max_values: 8,
            max_ternary: 128,
            max_ternary_modular: 24,
            disequalities: false,
            constants: vec![0],
            conditions: Vec::new(),
            max_conditions: 32,
            max_cases: 4,
            related_only: true,
        }
    }
}

impl Options {
    /// Everything that holds of the samples, however likely by chance.
    pub fn everything() -> Options {
        Options { confidence: 0.0, ..Options::default() }
    }
}
