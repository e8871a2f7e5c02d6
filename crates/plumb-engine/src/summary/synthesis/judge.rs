//! What a term is worth: the evaluation of summaries and the rule for the best one.

use crate::summary::choices::{pruned, with_fewer_choices};
use crate::summary::complexity::term_complexity;
use crate::summary::examples::Example;
use crate::summary::scalar::Words;
use crate::summary::similarity::{Comparison, Evaluation};
use crate::summary::tuning::TUNING;
use plumb_ir::analysis::signature::Signature;
use plumb_synth::Expr;

pub struct Judge<'a> {
    /// On all of X.
    evaluation: Evaluation<'a>,
    /// On a part of it.
    sample: Evaluation<'a>,
    required: Evaluation<'a>,
    /// Branches of the function.
    most_complex: usize,
    uses_coverage: bool,
}

/// The best term so far.
pub struct Best {
    pub expr: Expr,
    pub comparison: Comparison,
    /// The constraints that it was synthesised from.
    pub constraints: Vec<Example>,
}

impl<'a> Judge<'a> {
    pub fn new(
        (words, signature): (Words<'a>, &'a Signature),
        all: &[Example],
        required: &[Example],
        most_complex: usize,
        uses_coverage: bool,
    ) -> Judge<'a> {
        Judge {
            evaluation: Evaluation::new(words, signature, all),
            sample: Evaluation::new(words, signature, &all[..all.len().min(TUNING.pruning_sample)]),
            required: Evaluation::new(words, signature, required),
            most_complex,
            uses_coverage,
        }
    }

    pub fn compare(&self, expr: &Expr) -> Comparison {
        self.evaluation.compare(expr)
    }

    pub fn is_complex(&self, expr: &Expr) -> bool {
        term_complexity(expr) > self.most_complex
    }

    /// The term itself if it has no more branches than the function, or else one like it that has not.
    fn simplified(&self, expr: Expr) -> Option<Expr> {
        if !self.is_complex(&expr) {
            return Some(expr);
        }
        let value = |expr: &Expr| self.sample.compare(expr).similarity.rank(self.uses_coverage);
        with_fewer_choices(&expr, self.most_complex).or_else(|| pruned(&expr, self.most_complex, value))
    }

    /// The update rule for the best summary: a term that is simple, keeps the required pairs, and covers more outputs or as
    /// many with more accuracy. Whether the term became it.
    pub fn update(&self, best: &mut Option<Best>, expr: Expr, constraints: impl Iterator<Item = Example>) -> bool {
        let Some(expr) = self.simplified(expr) else { return false };
        let rank = |comparison: &Comparison| comparison.similarity.rank(self.uses_coverage);
        let comparison = self.compare(&expr);
        let keeps_required = self.required.compare(&expr).similarity.is_exact();
        let is_better = best.as_ref().is_none_or(|best| rank(&comparison) > rank(&best.comparison));
        if keeps_required && is_better {
            *best = Some(Best { expr, comparison, constraints: constraints.collect() });
        }
        keeps_required && is_better
    }
}
