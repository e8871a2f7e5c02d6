//! Synthesis of a function's summary from examples, step by step (section 3.2).
//!
//! **Idea.** The synthesiser sees a small set of constraints C, not all examples X: with too many of them its terms become
//! large. A term f' for C is evaluated on all of X, and what it gets wrong decides about the next constraints:
//!
//! * as long as some output of X is never given correctly, an example of such an output joins C (from `O_diff`);
//! * once all outputs are covered, an example that f' has wrong replaces a constraint of C (from `I_diff`).
//!
//! The best term so far is replaced by f' if f' has no more branches than the function, and covers more outputs, or as many
//! with more accuracy. The process ends with a term that is right about all of X, or with its budget.
//!
//! **Variant.** Without output coverage (the paper's PBEAR-cov) no constraint replaces another, whatever the terms are like: C
//! loses only what the synthesiser could not satisfy. Accuracy alone decides about the best term.
//!
//! **Ours.** A term with more branches than the function is replaced by one with fewer (`choices.rs`), and while there are such
//! terms C does not grow. Where replacements bring nothing for a while, C grows by one. The synthesiser's answer to a part of
//! the constraints is evaluated too, and constraints that it could not satisfy in time leave C. Pairs that refinement has
//! corrected are in every C, and a term that breaks one is no summary.

mod judge;
mod question;
#[cfg(test)]
mod tests;

pub(super) use question::input_names;

use super::Summary;
use super::complexity::{complexity, term_complexity};
use super::examples::{Example, Examples};
use super::scalar::{Words, is_integral, narrower_range};
use super::similarity::Comparison;
use super::syntax::Syntax;
use crate::budget::Budget;
use crate::summary::tuning::TUNING;
use judge::{Best, Judge};
use plumb_exec::Rng;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::Signature;
use question::Question;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Which summaries are preferred, and how long they are looked for.
#[derive(Clone, Debug)]
pub struct SynthesisOptions {
    /// False for the variant that prefers accuracy to output coverage and replaces no constraints.
    pub uses_coverage: bool,
    pub seed: u64,
    /// Terms that are synthesised, one after the other.
    pub iterations: u32,
    /// Terms in a row that are no improvement.
    pub patience: u32,
    /// Candidates that one run of the synthesiser may examine.
    pub candidates: u64,
    pub threads: usize,
}

impl Default for SynthesisOptions {
    fn default() -> SynthesisOptions {
        SynthesisOptions {
            uses_coverage: true,
            seed: 0,
            iterations: TUNING.synthesis_iterations,
            patience: TUNING.synthesis_patience,
            candidates: TUNING.synthesis_candidates,
            threads: 1,
        }
    }
}

/// The constraints that a synthesis starts with.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// Pairs that a summary must not break: corrections of counterexamples.
    pub required: Vec<Example>,
    /// The constraints of an earlier summary; without any, a few examples at random.
    pub chosen: Vec<Example>,
}

/// A summary of the signature's function that satisfies all required pairs; `None` if there is none within the budget.
pub fn synthesise_summary(
    analyses: &Analyses,
    signature: &Signature,
    examples: &Examples,
    constraints: &Constraints,
    options: &SynthesisOptions,
    budget: &Budget,
) -> Option<Summary> {
    let _span = tracing::info_span!("synthesis").entered();
    let words = Words::of(&analyses.program().target, signature)?;
    let all = with_required(examples, &constraints.required);
    if all.is_empty() || signature.inputs.is_empty() || !has_integral_results(signature, &all) {
        return None;
    }
    let wanted = |example: &Example| words.wanted(signature.output, example.output);
    let outputs: BTreeSet<u64> = all.iter().filter_map(wanted).collect();
    let grammar = Syntax::of(analyses, signature.func, &words, &outputs).grammar(signature.inputs.len()).ok()?;
    let most_complex = complexity(analyses, signature.func);
    let name = analyses.program().function(signature.func).name.to_string();
    let judge = Judge::new((words, signature), &all, &constraints.required, most_complex, options.uses_coverage);
    let question = Question { name, words, signature, grammar, options, budget };
    let mut process = Process::new(&all, question, judge, constraints);
    process.run();
    let Best { expr, comparison, constraints } = process.best?;
    Some(Summary {
        signature: signature.clone(),
        complexity: term_complexity(&expr),
        similarity: comparison.similarity,
        range: output_range(analyses, signature),
        constraints,
        expr,
    })
}

/// Whether all results are integers: a term computes nothing else, be the type of the result what it may.
pub fn has_integral_results(signature: &Signature, examples: &[Example]) -> bool {
    examples.iter().all(|example| is_integral(signature.output, example.output))
}

/// X, with the corrected pairs among it.
fn with_required(examples: &Examples, required: &[Example]) -> Vec<Example> {
    let mut seen: FxHashSet<&[u64]> = FxHashSet::default();
    // Corrections first: they win over an example with the same inputs.
    let list = required.iter().chain(&examples.list).filter(|example| seen.insert(&example.inputs));
    list.cloned().collect()
}

/// What the function can return, where the interval analysis knows more than the type says.
pub fn output_range(analyses: &Analyses, signature: &Signature) -> Option<(i128, i128)> {
    if signature.output.ty.is_float() {
        return None;
    }
    narrower_range(signature.output, &analyses.intervals()?.result(signature.func)?)
}

struct Process<'a> {
    /// X.
    all: &'a [Example],
    /// C; whether it is a required pair.
    constraints: Vec<(Example, bool)>,
    question: Question<'a>,
    judge: Judge<'a>,
    best: Option<Best>,
    rng: Rng,
    /// Terms in a row that were no improvement.
    stale: u32,
    /// Runs of the synthesiser in a row without an answer.
    failures: u32,
}

impl<'a> Process<'a> {
    fn new(all: &'a [Example], question: Question<'a>, judge: Judge<'a>, constraints: &Constraints) -> Process<'a> {
        let rng = Rng(question.options.seed);
        let required = constraints.required.iter().map(|pair| (pair.clone(), true)).collect();
        let mut process =
            Process { all, constraints: required, question, judge, best: None, rng, stale: 0, failures: 0 };
        process.start(&constraints.chosen);
        process
    }

    fn start(&mut self, chosen: &[Example]) {
        for example in chosen {
            self.add(example.clone());
        }
        for _ in 0..if chosen.is_empty() { TUNING.first_constraints } else { 0 } {
            let at = self.rng.below(self.all.len() as u64) as usize;
            self.add(self.all[at].clone());
        }
    }

    /// Adds a constraint, unless there is one for these inputs already.
    fn add(&mut self, example: Example) {
        let Question { words, signature, .. } = &self.question;
        let is_expressible = words.wanted(signature.output, example.output).is_some();
        if is_expressible && self.constraints.iter().all(|(known, _)| known.inputs != example.inputs) {
            self.constraints.push((example, false));
        }
    }

    fn run(&mut self) {
        let options = self.question.options;
        for iteration in 0..options.iterations {
            if self.question.budget.is_over() || self.stale > options.patience || !self.step(iteration) {
                return;
            }
        }
    }

    /// One term, its evaluation, and the next constraints. Whether there is more to do.
    fn step(&mut self, iteration: u32) -> bool {
        let pairs: Vec<Example> = self.constraints.iter().map(|(pair, _)| pair.clone()).collect();
        let Some(found) = self.question.ask(&pairs, iteration) else {
            self.failures += 1;
            return self.failures <= TUNING.max_failures && self.drop_one();
        };
        self.failures = 0;
        let comparison = self.judge.compare(&found.expr);
        let is_complex = self.judge.is_complex(&found.expr);
        let is_best = self.judge.update(&mut self.best, found.expr, pairs.into_iter());
        self.stale = if is_best { 0 } else { self.stale + 1 };
        if comparison.similarity.is_exact() {
            return false;
        }
        let next = self.next_constraints(&comparison, is_complex);
        self.drop_unsatisfied(&found.unsatisfied);
        self.select(next);
        true
    }

    /// The examples that the next constraint is chosen from, by the selection rules.
    fn next_constraints(&self, comparison: &Comparison, is_complex: bool) -> Next {
        let wrong = || (0..self.all.len()).filter(|&at| !comparison.is_right[at]);
        if !self.question.options.uses_coverage {
            return Next { from: wrong().collect(), replaces: false };
        }
        if comparison.similarity.covers_all() {
            let is_time_to_grow = self.stale > 0 && self.stale.is_multiple_of(TUNING.max_replacements);
            return Next { from: wrong().collect(), replaces: is_complex || !is_time_to_grow };
        }
        let is_uncovered = |at: &usize| !comparison.covered.contains(&self.all[*at].output);
        // More constraints would make a complex term more complex still.
        Next { from: wrong().filter(is_uncovered).collect(), replaces: is_complex }
    }

    fn select(&mut self, next: Next) {
        if next.from.is_empty() {
            return;
        }
        let at = next.from[self.rng.below(next.from.len() as u64) as usize];
        if next.replaces {
            self.drop_one();
        }
        self.add(self.all[at].clone());
    }

    /// Drops a constraint that is not required, at random; whether there was one.
    fn drop_one(&mut self) -> bool {
        let free: Vec<usize> = (0..self.constraints.len()).filter(|&at| !self.constraints[at].1).collect();
        if free.is_empty() {
            return false;
        }
        self.constraints.remove(free[self.rng.below(free.len() as u64) as usize]);
        true
    }

    /// Drops constraints that the synthesiser could not satisfy within its budget.
    fn drop_unsatisfied(&mut self, unsatisfied: &[usize]) {
        for &at in unsatisfied.iter().rev() {
            if !self.constraints[at].1 {
                self.constraints.remove(at);
            }
        }
    }
}

/// Examples, one of which becomes a constraint; in addition, or in place of another.
struct Next {
    from: Vec<usize>,
    replaces: bool,
}
