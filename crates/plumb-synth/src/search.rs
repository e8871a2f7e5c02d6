//! The search: rounds (`round.rs`) on growing samples of the examples.
//!
//! An answer for the sample is judged on all examples. If it fails on some, these join the sample and another round begins:
//! examples that the answers get right anyway cost nothing.

use crate::Problem;
use crate::budget::{Budget, Ended};
use crate::examples::Examples;
use crate::random::Random;
use crate::rank::{Effort, Ranked, Ranking};
use crate::round::Round;
use crate::rules::Rules;
use crate::tuning::SEARCH as TUNING;
use rustc_hash::FxHashMap;

/// Searches for terms of the problem's grammar that satisfy its examples.
pub fn synthesise(problem: &Problem, budget: &Budget) -> Ranked {
    let examples = &problem.examples;
    let (distinct, satisfiable) = examples.achievable();
    let rules = Rules::new(&problem.grammar, examples);
    let mut search = Search {
        rules: &rules,
        distinct: examples.select(&distinct),
        ranking: Ranking::new(examples, budget.answers),
        effort: Effort::default(),
        budget,
    };
    let ended = search.run(&distinct, satisfiable);
    let Search { ranking, effort, .. } = search;
    Ranked { answers: ranking.into_answers(), examples: examples.len(), satisfiable, ended, effort }
}

struct Search<'a> {
    rules: &'a Rules,
    /// Of the examples those that a function can satisfy together.
    distinct: Examples,
    ranking: Ranking<'a>,
    effort: Effort,
    budget: &'a Budget,
}

impl Search<'_> {
    /// `distinct` are the places among all examples of those that are searched with.
    fn run(&mut self, distinct: &[usize], satisfiable: usize) -> Ended {
        let mut random = Random::new(self.budget.seed);
        let mut sample = self.first_sample(&mut random);
        let mut small_steps = 0;
        loop {
            self.effort.rounds += 1;
            self.effort.sample = sample.len();
            let is_all = sample.len() == self.distinct.len();
            let examples = self.distinct.select(&sample);
            let candidates = self.budget.candidates.saturating_sub(self.effort.candidates);
            let budget = Budget { candidates, ..self.budget.clone() };
            let mut round = Round::new(self.rules, &examples, &budget, is_all);
            let ended = round.run(&mut random);
            self.effort.candidates += round.candidates();
            self.effort.size = round.size();
            let Some(expr) = round.answer() else {
                if let Some(expr) = round.best_effort() {
                    self.ranking.add(expr);
                }
                return ended;
            };
            let satisfied = self.ranking.add(expr);
            if self.ranking.most_satisfied() == satisfiable {
                return Ended::Complete;
            }
            let is_new = |at: &usize| !satisfied[distinct[*at]] && !sample.contains(at);
            let mut failed: Vec<usize> = (0..distinct.len()).filter(is_new).collect();
            if failed.is_empty() {
                // Columns and oracle disagree: nothing that a larger sample would change.
                return Ended::Exhausted;
            }
            random.shuffle(&mut failed);
            let more = (sample.len() / 2).max(TUNING.least_growth);
            small_steps += usize::from(failed.len() < TUNING.least_growth);
            failed.truncate(more);
            let left = more - failed.len();
            sample.extend(failed);
            if small_steps > TUNING.small_steps {
                // A few failures in every round: other examples bring what would fail in the next ones.
                let mut others: Vec<usize> = (0..self.distinct.len()).filter(|at| !sample.contains(at)).collect();
                random.shuffle(&mut others);
                sample.extend(others.into_iter().take(left));
            }
            if self.budget.is_over() {
                return Ended::Stopped;
            }
        }
    }

    /// All examples if there are few, or else some with outputs as different as possible.
    fn first_sample(&self, random: &mut Random) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.distinct.len()).collect();
        if order.len() <= TUNING.first_sample {
            return order;
        }
        random.shuffle(&mut order);
        let mut seen: FxHashMap<u64, usize> = FxHashMap::default();
        let mut ranked: Vec<(usize, usize)> = Vec::with_capacity(order.len());
        for (place, example) in order.iter().enumerate() {
            let times = seen.entry(self.distinct.output()[*example]).or_default();
            ranked.push((*times, place));
            *times += 1;
        }
        ranked.sort_unstable();
        ranked.into_iter().take(TUNING.first_sample).map(|(_, place)| order[place]).collect()
    }
}
