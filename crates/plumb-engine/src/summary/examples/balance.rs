//! Which examples are kept: outputs in fair shares, and most inputs such as the program's calls have.

use super::mutate::Collector;
use super::tuning::ExamplesTuning;
use super::{Example, Origin};
use plumb_exec::Rng;

/// Chooses among all examples.
pub fn balanced(mut collector: Collector<'_>) -> Vec<Example> {
    let inside: Vec<bool> = collector.examples.iter().map(|e| collector.palette.is_inside(&e.inputs)).collect();
    let mut groups = std::mem::take(&mut collector.by_output);
    for group in &mut groups {
        shuffle(group, &mut collector.rng);
        // First what the solver and special values found.
        group.sort_by_key(|&at| collector.examples[at].origin == Origin::Mutation);
    }
    let tuning = collector.tuning;
    let shares = shares(&groups.iter().map(Vec::len).collect::<Vec<_>>(), tuning, &mut collector.rng);
    let mut chosen: Vec<usize> = Vec::new();
    let mut outside = Vec::new();
    for (group, share) in groups.iter().zip(shares) {
        let (of_calls, others): (Vec<usize>, Vec<usize>) = group.iter().partition(|&&at| inside[at]);
        let most_outside = match of_calls.len() {
            // No call of the program has the output: a few examples of it will do.
            0 => share.min(tuning.least_outside),
            _ => share / (tuning.inside_per_outside + 1),
        };
        let outside_count = others.len().min(most_outside);
        chosen.extend(of_calls.iter().take(share - outside_count));
        outside.extend(others.iter().take(outside_count));
    }
    // A minority, wherever it comes from; all there is, if calls have inputs that were never tried.
    if !chosen.is_empty() {
        shuffle(&mut outside, &mut collector.rng);
        outside.truncate((chosen.len() / tuning.inside_per_outside).max(tuning.least_outside));
    }
    chosen.extend(outside);
    shuffle(&mut chosen, &mut collector.rng);
    let examples = collector.examples;
    chosen.into_iter().map(|at| examples[at].clone()).collect()
}

/// How many examples each output may have, by the numbers of examples that outputs have.
///
/// One output has at most its share of the whole if there are others. Where most outputs are rare, common ones keep a half
/// together: functions return them most of the time.
fn shares(counts: &[usize], tuning: &ExamplesTuning, rng: &mut Rng) -> Vec<usize> {
    if counts.len() < 2 {
        return counts.iter().map(|count| (*count).min(tuning.most)).collect();
    }
    let share = (tuning.most / counts.len()).max(tuning.most / tuning.least_share);
    let fair = level(counts.iter().copied(), tuning.most, share).max(1);
    let is_common = |count: usize| count > fair;
    let common = counts.iter().copied().filter(|count| is_common(*count));
    let of_common = level(common, tuning.most / 2, share).max(fair);
    let mut left = tuning.most;
    let mut shares = vec![0; counts.len()];
    let mut order: Vec<usize> = (0..counts.len()).collect();
    shuffle(&mut order, rng);
    order.sort_by_key(|&at| !is_common(counts[at]));
    for at in order {
        let most = if is_common(counts[at]) { of_common } else { fair };
        shares[at] = counts[at].min(most).min(left);
        left -= shares[at];
    }
    shares
}

/// The largest level up to `most` at which so many fit.
fn level(counts: impl Iterator<Item = usize> + Clone, room: usize, most: usize) -> usize {
    let total = |level: usize| counts.clone().map(|count| count.min(level)).sum::<usize>();
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if total(middle) <= room { low = middle } else { high = middle - 1 }
    }
    low
}

fn shuffle(list: &mut [usize], rng: &mut Rng) {
    for end in (1..list.len()).rev() {
        list.swap(end, rng.below(end as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::examples::tuning::TUNING;

    #[test]
    fn common_outputs_leave_room_for_others() {
        let shares = |counts: &[usize]| shares(counts, &TUNING, &mut Rng(1));
        assert_eq!(shares(&[20_000]), [10_000]);
        assert_eq!(shares(&[20_000, 10]), [5_000, 10]);
        assert_eq!(shares(&[20_000, 20_000, 20_000, 7]), [2_500, 2_500, 2_500, 7]);
        // Common ones beside many rare ones have a half.
        let counts: Vec<usize> = std::iter::repeat_n(1, 15_000).chain([9_000; 30]).collect();
        let given = shares(&counts);
        let common: usize = given[15_000..].iter().sum();
        assert!(given[15_000..].iter().all(|share| *share <= 500));
        assert_eq!((common, given.iter().sum::<usize>()), (4_980, 10_000));
        assert_eq!(shares(&[100; 400]), [25; 400]);
        assert!(given.iter().zip(&counts).all(|(given, count)| given <= count));
    }
}
