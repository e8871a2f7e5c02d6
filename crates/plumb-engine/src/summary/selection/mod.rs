//! Which summaries are used together: the subset with the best score.
//!
//! After Kim and Choi, "PBE-Based Selective Abstraction and Refinement for Efficient Property Falsification of Embedded
//! Software" (FSE 2024), section 3.3.2:
//!
//! ```text
//!   score(S) = alpha (1 - norm(complexity(P_k with S))) + beta norm(accuracy(S)) + gamma norm(coverage(S))
//! ```
//!
//! `P_k` is the program with loops unrolled `k` times, `norm` min-max normalisation over the subsets; accuracy and coverage are
//! means over the calls of summaries that `P_k with S` makes. A summary that is put in the place of a function takes the
//! calls away that the function makes.
//!
//! **Shape of the objective.** Let `full(j)` be the complexity of one call of `j` with nothing replaced, and `n(j, S)` the calls
//! of `j` that `P_k with S` makes. Each of them is a topmost replaced call of the unrolled program and saves
//! `full(j) - summary(j)`, so complexity is `full(main)` minus the sum of `n(j, S) (full(j) - summary(j))`. Accuracy and
//! coverage are normalised by the same numbers for all subsets, so that beta and gamma fold into one value per candidate.
//! The score is a linear function of the numbers of calls plus the mean of those values over the calls.
//!
//! **Extremes**, which `norm` needs, without looking at all subsets: a mean lies between the smallest and the largest of
//! what it is taken over, and a single candidate attains each; complexity is smallest where every function on its own takes
//! the simpler of body and summary, callees first, and largest where it takes the other one (all and none, if every summary
//! is simpler than its function). The empty set counts for complexity only: without summaries there is no mean.
//!
//! ```text
//!   search    branch and bound          unrolled   calls and branches of the program unrolled k times
//! ```

use crate::summary::tuning::TUNING;
mod search;
mod unrolled;

pub use unrolled::{Unrolled, unrolled};

/// The weights of the score, as section 5.3 of the paper has them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    pub complexity: f64,
    pub accuracy: f64,
    pub coverage: f64,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights { complexity: 2.0, accuracy: 1.0, coverage: 3.0 }
    }
}

/// A summary that could be used.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// Branches of the summary.
    pub complexity: f64,
    /// From 0 to 1, both.
    pub accuracy: f64,
    pub coverage: f64,
}

/// A chosen subset.
#[derive(Clone, PartialEq, Debug)]
pub struct Selection {
    /// By candidate: whether its summary is used.
    pub chosen: Vec<bool>,
    pub score: f64,
    /// Unrollings of loops at which the choice was made.
    pub k: u32,
    /// The choice was the same at the last two numbers of unrollings, and the search was complete.
    pub is_stable: bool,
    /// Nodes of the last search.
    pub nodes: u32,
}

/// The best subset. `program` gives the calls and branches of the program unrolled `k` times; unrollings are doubled until the
/// choice and the order of the single candidates stay. `None` if no candidate is called.
pub fn select(candidates: &[Candidate], weights: Weights, program: impl Fn(u32) -> Unrolled) -> Option<Selection> {
    let mut last: Option<(Vec<bool>, Vec<usize>)> = None;
    let mut k = 1;
    loop {
        let unrolled = program(k);
        let objective = Objective::new(candidates, weights, &unrolled)?;
        let best = search::best(&objective);
        let ranking = (best.chosen, objective.order_of_singles());
        let is_stable = last.as_ref() == Some(&ranking);
        if is_stable || k >= TUNING.max_unrolling {
            let is_stable = is_stable && best.is_complete;
            return Some(Selection { chosen: ranking.0, score: best.score, k, is_stable, nodes: best.nodes });
        }
        last = Some(ranking);
        k *= 2;
    }
}

/// The score of subsets, with everything worked out that is the same for all.
pub struct Objective<'a> {
    unrolled: &'a Unrolled,
    /// Candidates, callers before those they call.
    order: Vec<usize>,
    /// By candidate: what one call of its summary adds to the score by being simpler, and what it adds to the mean.
    saving: Vec<f64>,
    value: Vec<f64>,
    /// The score's share of complexity with nothing replaced.
    base: f64,
}

impl<'a> Objective<'a> {
    /// `None` if no candidate is called.
    pub fn new(candidates: &[Candidate], weights: Weights, unrolled: &'a Unrolled) -> Option<Objective<'a>> {
        let order = unrolled.callers_first();
        let nothing = vec![false; candidates.len()];
        let counts = calls(unrolled, &order, &nothing);
        let called: Vec<usize> = (0..candidates.len()).filter(|&i| counts[i] > 0.0).collect();
        let range = |of: fn(&Candidate) -> f64| {
            let values = called.iter().map(|&i| of(&candidates[i]));
            let (low, high) = (values.clone().reduce(f64::min)?, values.reduce(f64::max)?);
            Some((low, high - low))
        };
        let norm = |value: f64, (low, width): (f64, f64)| if width > 0.0 { (value - low) / width } else { 0.0 };
        let (accuracy, coverage) = (range(|c| c.accuracy)?, range(|c| c.coverage)?);
        let value = candidates
            .iter()
            .map(|c| weights.accuracy * norm(c.accuracy, accuracy) + weights.coverage * norm(c.coverage, coverage));
        let value: Vec<f64> = value.collect();
        let full = per_call(unrolled, &order, |_, body| body);
        let least = per_call(unrolled, &order, |i, body| body.min(candidates[i].complexity));
        let most = per_call(unrolled, &order, |i, body| body.max(candidates[i].complexity));
        let of_program = |cost: &[f64]| unrolled.total(cost);
        let (low, width) = (of_program(&least), of_program(&most) - of_program(&least));
        let unit = if width > 0.0 { weights.complexity / width } else { 0.0 };
        let saving = candidates.iter().zip(&full).map(|(c, full)| unit * (full - c.complexity)).collect();
        let base = weights.complexity - unit * (of_program(&full) - low);
        Some(Objective { unrolled, order, saving, value, base })
    }

    /// The score of a subset; `None` if it makes no call of a summary.
    pub fn score(&self, chosen: &[bool]) -> Option<f64> {
        let counts = calls(self.unrolled, &self.order, chosen);
        let used = || (0..chosen.len()).filter(|&i| chosen[i]);
        let total: f64 = used().map(|i| counts[i]).sum();
        let saved: f64 = used().map(|i| counts[i] * self.saving[i]).sum();
        let mean = used().map(|i| counts[i] * self.value[i]).sum::<f64>() / total;
        (total > 0.0).then_some(self.base + saved + mean)
    }

    /// The candidates by the score that each has alone, the best first.
    fn order_of_singles(&self) -> Vec<usize> {
        let mut chosen = vec![false; self.value.len()];
        let mut scores = Vec::new();
        for i in 0..chosen.len() {
            chosen[i] = true;
            scores.push(self.score(&chosen).unwrap_or(f64::NEG_INFINITY));
            chosen[i] = false;
        }
        let mut order: Vec<usize> = (0..chosen.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        order
    }
}

/// How often each candidate is called in the program in which the chosen ones are replaced.
fn calls(unrolled: &Unrolled, order: &[usize], chosen: &[bool]) -> Vec<f64> {
    let mut counts = unrolled.from_outside.clone();
    for &caller in order.iter().filter(|&&i| !chosen[i]) {
        for &(callee, times) in &unrolled.inside[caller] {
            counts[callee] += counts[caller] * times;
        }
    }
    counts
}

/// The complexity of one call of each candidate, where `choose` is given that of its body.
fn per_call(unrolled: &Unrolled, order: &[usize], choose: impl Fn(usize, f64) -> f64) -> Vec<f64> {
    let mut cost = vec![0.0; order.len()];
    for &i in order.iter().rev() {
        let below: f64 = unrolled.inside[i].iter().map(|&(callee, times)| times * cost[callee]).sum();
        cost[i] = choose(i, unrolled.branches[i] + below);
    }
    cost
}

#[cfg(test)]
mod tests;
