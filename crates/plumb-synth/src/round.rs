//! One round: the search for a term that satisfies a sample of the examples.
//!
//! It enumerates terms size by size (`enumerate.rs`), and after each size tries to make an answer of them: by looking it up, by
//! inverting operators from the wanted output on (`propagate.rs`) and by a decision tree (`unify.rs`). The first answer is
//! not always taken; a larger size may have a smaller one, or one that explains the sample rather than lists it.

use crate::budget::{Budget, Ended};
use crate::code::evaluate;
use crate::enumerate::{Enumerator, Step};
use crate::examples::Examples;
use crate::expr::Expr;
use crate::propagate;
use crate::random::Random;
use crate::rules::Rules;
use crate::tuning::SEARCH as TUNING;
use crate::unify::{self, Covers, Target, Unifier};
use rustc_hash::FxHashMap;

pub struct Round<'a> {
    examples: &'a Examples,
    budget: &'a Budget,
    /// Whether the sample has all examples, so that its answer is the last.
    is_all: bool,
    target: Target,
    enumerator: Enumerator<'a>,
    /// By the nonterminals that may be leaves of trees.
    covers: FxHashMap<usize, Covers>,
    /// The smallest answer, with its size.
    best: Option<(usize, Expr)>,
    /// The tree that misses fewest examples, if there is no answer.
    partial: Option<(u32, Expr)>,
    /// Candidates after which the best answer is taken.
    accept_at: u64,
}

impl<'a> Round<'a> {
    pub fn new(rules: &'a Rules, examples: &'a Examples, budget: &'a Budget, is_all: bool) -> Round<'a> {
        Round {
            examples,
            budget,
            is_all,
            target: Target::new(examples),
            enumerator: Enumerator::new(rules, examples, TUNING.choice_candidates),
            covers: leaf_nonterminals(rules).into_iter().map(|leaf| (leaf, Covers::default())).collect(),
            best: None,
            partial: None,
            accept_at: u64::MAX,
        }
    }

    /// Terms that were examined.
    pub fn candidates(&self) -> u64 {
        self.enumerator.examined
    }

    /// The size up to which all terms were enumerated.
    pub fn size(&self) -> usize {
        self.enumerator.size
    }

    /// The answer to the sample.
    pub fn answer(&self) -> Option<&Expr> {
        self.best.as_ref().map(|(_, expr)| expr)
    }

    /// What satisfies most of the sample.
    pub fn best_effort(&self) -> Option<&Expr> {
        self.partial.as_ref().map(|(_, expr)| expr)
    }

    /// Searches until there is an answer to take, or why there is none.
    pub fn run(&mut self, random: &mut Random) -> Ended {
        let start = self.enumerator.rules.start;
        let exact = (!self.examples.has_forbidden()).then(|| self.target.column.clone());
        loop {
            let step = self.enumerator.next_size(exact.as_deref(), self.budget);
            if let Step::Found(term) = step {
                let expr = self.enumerator.expr(start, term);
                self.propose(expr, 1);
                return Ended::Complete;
            }
            for (nonterminal, covers) in &mut self.covers {
                covers.update(&self.enumerator, *nonterminal, &self.target, self.budget);
            }
            self.cover_more(random);
            self.compose();
            self.unify();
            match step {
                Step::Ended(ended) => return ended,
                Step::Done | Step::Found(_) if self.enumerator.is_exhausted() => return Ended::Exhausted,
                Step::Done | Step::Found(_) => {}
            }
            let next = self.enumerator.examined.saturating_add(self.enumerator.next_candidates());
            if self.best.is_some() && next > self.accept_at {
                return Ended::Complete;
            }
        }
    }

    /// Takes in an answer to the sample, a tree with so many leaves.
    fn propose(&mut self, expr: Expr, leaves: usize) {
        let size = expr.size();
        if self.best.as_ref().is_none_or(|(known, _)| size < *known) {
            self.best = Some((size, expr));
        }
        let is_explained = leaves <= 1 || leaves * TUNING.examples_per_leaf <= self.examples.len();
        let patience = if self.is_all || !is_explained { self.budget.improvement } else { 0 };
        self.accept_at = self.accept_at.min(self.enumerator.examined.saturating_add(patience));
    }

    /// An answer by inverse operators.
    fn compose(&mut self) {
        if let Some(expr) = propagate::compose(&self.enumerator, self.examples, self.budget)
            // Inverses know nothing of forbidden outputs.
            && evaluate(&expr, self.examples).is_some_and(|column| self.target.is_met_by(&column))
        {
            self.propose(expr, 1);
        }
    }

    /// An answer, or the best effort, by a decision tree.
    fn unify(&mut self) {
        let start = self.enumerator.rules.start;
        let Some(unified) = Unifier::new(&self.enumerator, &self.covers, self.budget).unify(start) else { return };
        let is_best_effort = self.partial.as_ref().is_none_or(|(known, _)| unified.missed < *known);
        if unified.missed == 0 {
            let expr = unify::expr(&self.enumerator, &unified.tree);
            self.propose(expr, unify::leaves(&unified.tree));
        } else if is_best_effort {
            self.partial = Some((unified.missed, unify::expr(&self.enumerator, &unified.tree)));
        }
    }

    /// Composes terms for examples that no enumerated term explains: for pairs of them, in the hope that one branch of the
    /// function is responsible for both and for others; and for single ones, if they are the last that have no term at all.
    fn cover_more(&mut self, random: &mut Random) {
        let (enumerator, examples, target, budget) = (&self.enumerator, self.examples, &self.target, self.budget);
        let covers = self.covers.entry(enumerator.rules.start).or_default();
        let add = |covers: &mut Covers, lanes: &[usize], least: u32| {
            if let Some(expr) = propagate::compose_for(enumerator, examples, lanes, budget)
                && let Some(column) = evaluate(&expr, examples)
            {
                let bits = target.agreement(&column);
                if bits.iter().map(|word| word.count_ones()).sum::<u32>() >= least {
                    covers.add_extra(bits, expr);
                }
            }
        };
        for _ in 0..TUNING.pairs {
            let poor = covers.poorly_covered(examples.len(), TUNING.worth_covering);
            if poor.len() < TUNING.worth_covering as usize || budget.is_over() {
                break;
            }
            let first = random.below(poor.len());
            let second = (first + 1 + random.below(poor.len() - 1)) % poor.len();
            add(covers, &[poor[first], poor[second]], TUNING.worth_covering);
        }
        let uncovered = covers.poorly_covered(examples.len(), 1);
        if uncovered.len() <= TUNING.singles {
            uncovered.iter().for_each(|lane| add(covers, &[*lane], 1));
        }
    }
}

/// The nonterminals that may be leaves of trees from the start symbol on, itself included.
fn leaf_nonterminals(rules: &Rules) -> Vec<usize> {
    let mut found = vec![rules.start];
    let mut next = 0;
    while next < found.len() {
        for rule in &rules.nonterminals[found[next]].rules {
            let rule = &rules.rules[*rule];
            let Some(choice) = &rule.choice else { continue };
            for hole in [choice.then, choice.otherwise] {
                let nonterminal = rule.holes[hole as usize];
                if !found.contains(&nonterminal) {
                    found.push(nonterminal);
                }
            }
        }
        next += 1;
    }
    found
}
