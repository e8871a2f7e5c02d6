//! One run of the synthesiser.

use super::SynthesisOptions;
use crate::budget::Budget;
use crate::summary::examples::Example;
use crate::summary::scalar::Words;
use crate::summary::similarity::{Evaluation, columns};
use crate::summary::tuning::TUNING;
use plumb_ir::analysis::signature::Signature;
use plumb_synth::{Budget as SearchBudget, Expr, Grammar, Problem};

/// What is asked of the synthesiser, but for the constraints.
pub struct Question<'a> {
    pub name: String,
    pub words: Words<'a>,
    pub signature: &'a Signature,
    pub grammar: Grammar,
    pub options: &'a SynthesisOptions,
    pub budget: &'a Budget,
}

/// A term, and the constraints that it breaks.
pub struct Found {
    pub expr: Expr,
    pub unsatisfied: Vec<usize>,
}

impl Question<'_> {
    /// A term for the constraints, or for as many of them as the synthesiser could satisfy.
    pub fn ask(&self, constraints: &[Example], iteration: u32) -> Option<Found> {
        let problem = Problem {
            name: self.name.clone(),
            inputs: input_names(self.signature).into_iter().map(|name| (name, self.words.sort())).collect(),
            output: self.words.sort(),
            grammar: self.grammar.clone(),
            examples: columns(&self.words, self.signature, constraints),
        };
        let budget = SearchBudget {
            deadline: self.budget.deadline,
            candidates: self.options.candidates,
            improvement: TUNING.improvement_candidates,
            memory: TUNING.max_synthesis_bytes.min(self.budget.memory / 2),
            threads: self.options.threads,
            cancel: self.budget.cancel.flag(),
            seed: self.options.seed.wrapping_add(iteration as u64),
            answers: 1,
        };
        let ranked = plumb_synth::synthesise(&problem, &budget);
        let expr = ranked.best()?.expr.clone();
        let right = Evaluation::new(self.words, self.signature, constraints).compare(&expr).is_right;
        let unsatisfied = (0..constraints.len()).filter(|&at| !right[at]).collect();
        Some(Found { expr, unsatisfied })
    }
}

/// Names of the inputs, all different.
pub fn input_names(signature: &Signature) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for scalar in &signature.inputs {
        let mut name = scalar.name.to_string();
        while names.contains(&name) {
            name.push('\'');
        }
        names.push(name);
    }
    names
}
