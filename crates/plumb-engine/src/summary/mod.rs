//! Function summaries: what engines share that put something simpler in the place of functions.
//!
//! ```text
//!   choose       which functions and which of their calls are worth a summary, and why
//!   examples     pairs of inputs and outputs from runs of one function
//!   scalar       inputs and outputs as words            syntax       what a summary's term may be made of
//!   similarity   accuracy and output coverage           complexity   branches
//!   choices      terms with fewer choices
//!   synthesis    a summary out of examples, made better step by step
//!   all          summaries of several functions at once
//!   body         a summary as the body of its function
//!   selection    which of the summaries are used together
//!   cache        summaries on disk                      export       summaries as C
//!   tuning       knobs
//! ```
//!
//! A summary made from examples is neither sound nor complete: what is found with it is a candidate, and nothing is ever
//! proved with it.

pub mod all;
pub mod body;
#[cfg(test)]
mod by_hand;
pub mod cache;
mod choices;
pub mod choose;
pub mod complexity;
pub mod examples;
pub mod export;
mod scalar;
pub mod selection;
pub mod similarity;
mod syntax;
pub mod synthesis;
mod tuning;

use examples::Example;
use plumb_ir::analysis::signature::Signature;
use plumb_synth::Expr;
use similarity::Similarity;

/// A term in place of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    pub signature: Signature,
    /// Over the words of the signature's inputs; its value is the word of the result.
    pub expr: Expr,
    /// Its branches (Definition 1).
    pub complexity: usize,
    /// Accuracy and output coverage on the examples (Definition 2).
    pub similarity: Similarity,
    /// What the function returns in the program, where that is less than its type has.
    pub range: Option<(i128, i128)>,
    /// The constraints C that it was synthesised from.
    pub constraints: Vec<Example>,
}

impl Summary {
    pub fn accuracy(&self) -> f64 {
        self.similarity.accuracy()
    }

    pub fn coverage(&self) -> f64 {
        self.similarity.coverage()
    }
}
