//! The best subset by branch and bound.
//!
//! The score of a subset is what its calls of summaries save, plus the mean of their values. Of subsets whose mean lies
//! between `p` and `q` the score is at most the savings plus `q`, where the sum of `value - p` over the calls is not negative. That
//! condition is paid for by a Lagrange multiplier, any value of which gives a bound: the best sum of
//! `saving + multiplier (value - p)` over the calls is found candidate by candidate, callees first, since a call is worth its own
//! term or what the calls in its body are worth, whichever is more. A node of the search is a range of means and a decision about some
//! candidates. The range is halved while its width is much of what the bound is too large by; else the candidate is
//! decided for which summary and body are worth most nearly the same, which is where the relaxation is wrong if it is.

use super::{Objective, calls};
use crate::summary::tuning::TUNING;

pub struct Best {
    pub chosen: Vec<bool>,
    pub score: f64,
    /// False where the search was given up; the answer is the best that was found.
    pub is_complete: bool,
    /// What the search cost.
    pub nodes: u32,
}

/// Part of the subsets: those whose mean value lies in the range, and that agree with the decisions.
struct Part {
    range: (f64, f64),
    /// By candidate: whether it is chosen, where that is decided.
    choices: Vec<Option<bool>>,
}

pub fn best(objective: &Objective) -> Best {
    let mut search = Search { objective, best: greedy(objective) };
    let undecided = vec![None; objective.value.len()];
    let largest = objective.value.iter().copied().fold(0.0, f64::max);
    let mut waiting = vec![Part { range: (0.0, largest), choices: undecided }];
    let mut nodes = 0;
    while let Some(part) = waiting.pop() {
        nodes += 1;
        if nodes > TUNING.max_search_nodes {
            break;
        }
        search.split(part, &mut waiting);
    }
    let (chosen, score) = search.best;
    Best { chosen, score, is_complete: nodes <= TUNING.max_search_nodes, nodes }
}

/// For every candidate's number of calls, the candidates in order of what a call adds, as long as the score grows: a good
/// subset to start with, and the best one where all are called equally often and none calls another.
fn greedy(objective: &Objective) -> (Vec<bool>, f64) {
    let count = objective.value.len();
    let mut best = (vec![false; count], f64::NEG_INFINITY);
    let all = calls(objective.unrolled, &objective.order, &vec![false; count]);
    let mut total = 0.0;
    for step in 0..count {
        total += all[objective.order[step]];
        let adds = |i: usize| objective.saving[i] + objective.value[i] / total.max(1.0);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| adds(b).total_cmp(&adds(a)));
        let mut chosen = vec![false; count];
        for i in order {
            chosen[i] = true;
            if let Some(score) = objective.score(&chosen).filter(|score| *score > best.1) {
                best = (chosen.clone(), score);
            }
        }
    }
    best
}

struct Search<'a, 'b> {
    objective: &'a Objective<'b>,
    best: (Vec<bool>, f64),
}

/// The best subset for terms that do not depend on how many calls there are.
struct Relaxed {
    chosen: Vec<bool>,
    /// By candidate: how much more the better choice is worth for one call.
    margin: Vec<f64>,
    sum: Sum,
}

impl Search<'_, '_> {
    /// Drops a part that has no better subset, or cuts it in two.
    fn split(&mut self, part: Part, waiting: &mut Vec<Part>) {
        let Part { range: (p, q), mut choices } = part;
        let Some((relaxed, excess)) = self.promising(&choices, (p, q)) else { return };
        self.note(&relaxed.chosen);
        // Those that are not called need no decision: where all others are decided there is one subset left.
        let counts = calls(self.objective.unrolled, &self.objective.order, &relaxed.chosen);
        let is_open = |&i: &usize| choices[i].is_none() && counts[i] > 0.0;
        let open = (0..choices.len()).filter(is_open).min_by(|&i, &j| relaxed.margin[i].total_cmp(&relaxed.margin[j]));
        let Some(candidate) = open else { return };
        let decided = choices.iter().flatten().count() as i32;
        if q - p > excess / 2.0 && q - p > TUNING.least_width * 0.5f64.powi(decided) {
            let middle = (p + q) / 2.0;
            waiting.push(Part { range: (p, middle), choices: choices.clone() });
            waiting.push(Part { range: (middle, q), choices });
            return;
        }
        for choice in [!relaxed.chosen[candidate], relaxed.chosen[candidate]] {
            choices[candidate] = Some(choice);
            waiting.push(Part { range: (p, q), choices: choices.clone() });
        }
    }

    fn note(&mut self, chosen: &[bool]) {
        if let Some(score) = self.objective.score(chosen).filter(|score| *score > self.best.1) {
            self.best = (chosen.to_vec(), score);
        }
    }

    /// `None` if no subset of the part has a better score than the best one known; else how far the bound is above it.
    fn promising(&self, choices: &[Option<bool>], (p, q): (f64, f64)) -> Option<(Relaxed, f64)> {
        let target = self.best.1 + TUNING.same_score - self.objective.base - q;
        let mut tightest = self.relaxed(choices, p, 0.0);
        let (mut low, mut high) = (0.0, None);
        let mut next = self.objective.saving.iter().map(|saving| saving.abs()).fold(f64::MIN_POSITIVE, f64::max);
        for _ in 0..TUNING.multipliers {
            if tightest.sum.worth <= target {
                return None;
            }
            // Without a multiplier the condition holds already, or the last one is as good as any.
            if low == 0.0 && high.is_none() && tightest.sum.above >= 0.0 {
                break;
            }
            let relaxed = self.relaxed(choices, p, next);
            if relaxed.sum.above >= 0.0 {
                high = Some(next)
            } else {
                low = next
            }
            next = match high {
                None => next * 8.0,
                Some(high) if low == 0.0 => high / 8.0,
                Some(high) => (low + high) / 2.0,
            };
            if relaxed.sum.worth < tightest.sum.worth {
                tightest = relaxed;
            }
        }
        let excess = tightest.sum.worth - target;
        (excess > 0.0).then_some((tightest, excess))
    }

    /// The subset with the largest sum of `saving + multiplier (value - mean)` over the calls of summaries that it makes.
    fn relaxed(&self, choices: &[Option<bool>], mean: f64, multiplier: f64) -> Relaxed {
        let Objective { unrolled, order, saving, value, .. } = self.objective;
        let mut per_call = vec![Sum::default(); order.len()];
        let (mut chosen, mut margin) = (vec![false; order.len()], vec![0.0; order.len()]);
        for &i in order.iter().rev() {
            let mut body = Sum::default();
            unrolled.inside[i].iter().for_each(|&(callee, times)| body.add(times, per_call[callee]));
            let above = value[i] - mean;
            let summary = Sum { worth: saving[i] + multiplier * above, above };
            margin[i] = (summary.worth - body.worth).abs();
            chosen[i] = choices[i].unwrap_or(summary.worth > body.worth);
            per_call[i] = if chosen[i] { summary } else { body };
        }
        let mut sum = Sum::default();
        unrolled.from_outside.iter().zip(&per_call).for_each(|(&times, &of_call)| sum.add(times, of_call));
        Relaxed { chosen, margin, sum }
    }
}

/// What calls of summaries add up to.
#[derive(Clone, Copy, Default)]
struct Sum {
    worth: f64,
    /// How far their values are above the mean.
    above: f64,
}

impl Sum {
    fn add(&mut self, times: f64, other: Sum) {
        self.worth += times * other.worth;
        self.above += times * other.above;
    }
}
