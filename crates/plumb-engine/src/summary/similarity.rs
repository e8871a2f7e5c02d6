//! Similarity of a summary and its function (Definition 2), and where they differ.

use super::examples::Example;
use super::scalar::Words;
use plumb_ir::analysis::signature::Signature;
use plumb_synth::{Examples as Columns, Expr, Value, evaluate};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Counts over one set of examples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Similarity {
    pub correct: usize,
    pub examples: usize,
    /// Outputs that the summary gives correctly for some example.
    pub covered: usize,
    pub outputs: usize,
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

impl Similarity {
    pub fn accuracy(&self) -> f64 {
        ratio(self.correct, self.examples)
    }

    pub fn coverage(&self) -> f64 {
        ratio(self.covered, self.outputs)
    }

    pub fn is_exact(&self) -> bool {
        self.correct == self.examples
    }

    pub fn covers_all(&self) -> bool {
        self.covered == self.outputs
    }

    /// What is to be compared, of counts over the same examples: coverage and then accuracy, or accuracy alone.
    pub fn rank(&self, by_coverage: bool) -> (usize, usize) {
        (if by_coverage { self.covered } else { 0 }, self.correct)
    }
}

/// What a term gives on examples, compared with what the function gave.
pub struct Comparison {
    pub similarity: Similarity,
    /// Which examples it has right.
    pub is_right: Vec<bool>,
    /// The outputs that it gives correctly for some example.
    pub covered: BTreeSet<u64>,
}

/// Examples as columns of words, computed once.
pub struct Evaluation<'a> {
    words: Words<'a>,
    signature: &'a Signature,
    columns: Columns,
    /// Patterns.
    outputs: Vec<u64>,
    distinct: usize,
}

impl<'a> Evaluation<'a> {
    pub fn new(words: Words<'a>, signature: &'a Signature, examples: &[Example]) -> Evaluation<'a> {
        let outputs: Vec<u64> = examples.iter().map(|example| example.output).collect();
        let distinct = outputs.iter().collect::<BTreeSet<_>>().len();
        Evaluation { words, signature, columns: columns(&words, signature, examples), outputs, distinct }
    }

    pub fn compare(&self, expr: &Expr) -> Comparison {
        let given = evaluate(expr, &self.columns);
        let right = |at: usize| {
            let given = given.as_ref().map(|words| self.words.output(self.signature.output, words[at]));
            given == Some(self.outputs[at])
        };
        let is_right: Vec<bool> = (0..self.outputs.len()).map(right).collect();
        let covered: BTreeSet<u64> =
            self.outputs.iter().zip(&is_right).filter(|(_, right)| **right).map(|(output, _)| *output).collect();
        let similarity = Similarity {
            correct: is_right.iter().filter(|right| **right).count(),
            examples: is_right.len(),
            covered: covered.len(),
            outputs: self.distinct,
        };
        Comparison { similarity, is_right, covered }
    }
}

/// Examples for the synthesiser. A result that no word stands for becomes the word that is nearest: no term is ever right
/// about it, and [`Evaluation`] says so.
pub fn columns(words: &Words<'_>, signature: &Signature, examples: &[Example]) -> Columns {
    let sort = words.sort();
    let mut columns = Columns::new(&vec![sort; signature.inputs.len()], sort);
    for example in examples {
        let inputs: Vec<Value> = signature
            .inputs
            .iter()
            .zip(&example.inputs)
            .map(|(scalar, pattern)| Value::bv(words.width, words.input(scalar.ty, *pattern)))
            .collect();
        let output = Value::bv(words.width, words.input(signature.output, example.output));
        columns.push(&inputs, output).expect("all columns have the sort of words");
    }
    columns
}
