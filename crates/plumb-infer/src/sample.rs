//! Samples: the values of a point's variables at one time.

use crate::point::{Point, Scalar, Sort};
use std::fmt;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Scalar(u64),
    Array(Vec<u64>),
}

/// One value for each variable of a point, in its order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Sample {
    pub values: Vec<Value>,
}

impl Sample {
    pub fn new(values: Vec<Value>) -> Sample {
        Sample { values }
    }

    pub fn of_scalars(patterns: &[u64]) -> Sample {
        Sample { values: patterns.iter().map(|p| Value::Scalar(*p)).collect() }
    }

    /// Whether each value is one of its variable's sort.
    pub(crate) fn check(&self, point: &Point) -> Result<(), WrongSample> {
        if self.values.len() != point.variables.len() {
            return Err(WrongSample::Count { expected: point.variables.len(), found: self.values.len() });
        }
        for (value, variable) in self.values.iter().zip(&point.variables) {
            let fits = match (value, variable.sort) {
                (Value::Scalar(pattern), Sort::Scalar(scalar)) => fits(scalar, *pattern),
                (Value::Array(elements), Sort::Array { element, len }) => {
                    len.is_none_or(|len| elements.len() == len as usize) && elements.iter().all(|e| fits(element, *e))
                }
                _ => false,
            };
            if !fits {
                return Err(WrongSample::Sort { variable: variable.name.clone() });
            }
        }
        Ok(())
    }
}

fn fits(scalar: Scalar, pattern: u64) -> bool {
    pattern & !scalar.mask() == 0
}

/// Why a sample was not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WrongSample {
    Count { expected: usize, found: usize },
    Sort { variable: String },
}

impl fmt::Display for WrongSample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongSample::Count { expected, found } => {
                write!(f, "the sample has {found} values, the point {expected} variables")
            }
            WrongSample::Sort { variable } => write!(f, "the value of `{variable}` is none of its sort"),
        }
    }
}

impl std::error::Error for WrongSample {}
