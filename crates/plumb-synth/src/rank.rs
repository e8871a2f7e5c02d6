//! Answers, best first: by the number of examples that they satisfy, then by size.

use crate::budget::Ended;
use crate::examples::Examples;
use crate::expr::Expr;
use crate::oracle;

/// A term of the grammar with what `plumb-term`'s evaluator says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub expr: Expr,
    /// How many examples it satisfies.
    pub satisfied: usize,
    pub size: usize,
}

/// How much was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Terms that were examined.
    pub candidates: u64,
    /// How often the search began anew with more examples.
    pub rounds: usize,
    /// Examples of the last round.
    pub sample: usize,
    /// The size up to which the last round had enumerated all terms.
    pub size: usize,
}

#[derive(Clone, Debug)]
pub struct Ranked {
    /// Best first, no two the same.
    pub answers: Vec<Answer>,
    pub examples: usize,
    /// How many examples a function can satisfy: fewer than all if some contradict each other.
    pub satisfiable: usize,
    pub ended: Ended,
    pub effort: Effort,
}

impl Ranked {
    /// The best answer.
    pub fn best(&self) -> Option<&Answer> {
        self.answers.first()
    }

    /// The best answer, if it satisfies all examples.
    pub fn complete(&self) -> Option<&Answer> {
        self.best().filter(|answer| answer.satisfied == self.examples)
    }
}

/// Collects answers.
#[derive(Debug)]
pub struct Ranking<'a> {
    examples: &'a Examples,
    answers: Vec<Answer>,
    most: usize,
}

impl<'a> Ranking<'a> {
    pub fn new(examples: &'a Examples, most: usize) -> Ranking<'a> {
        Ranking { examples, answers: Vec::new(), most: most.max(1) }
    }

    /// Judges a term and takes it in; which examples it satisfies.
    pub fn add(&mut self, expr: &Expr) -> Vec<bool> {
        let satisfied = oracle::satisfied(expr, self.examples);
        if self.answers.iter().all(|known| known.expr != *expr) {
            let count = satisfied.iter().filter(|holds| **holds).count();
            self.answers.push(Answer { expr: expr.clone(), satisfied: count, size: expr.size() });
            // Stable: of equal ones the first.
            self.answers.sort_by_key(|answer| (std::cmp::Reverse(answer.satisfied), answer.size));
            self.answers.truncate(self.most);
        }
        satisfied
    }

    pub fn into_answers(self) -> Vec<Answer> {
        self.answers
    }

    /// The most examples that an answer satisfies.
    pub fn most_satisfied(&self) -> usize {
        self.answers.first().map_or(0, |answer| answer.satisfied)
    }
}
