//! Which examples are kept: outputs in fair shares, and most inputs such as the program's calls have.

use super::mutate::Collector;
use super::tuning::{ExamplesTuning, TUNING};
use super::{Example, Origin};

/// Chooses among all examples.
pub fn balanced(mut collector: Collector<'_>) -> Vec<Example> {
    let inside: Vec<bool> = collector.examples.iter().map(|e| collector.palette.is_inside(&e.inputs)).collect();
    let inside_count = inside.iter().filter(|is_inside| **is_inside).count();
    let most_outside = (inside_count / TUNING.inside_per_outside).max(TUNING.least_outside);
    let mut outside_left = if inside_count == 0 { usize::MAX } else { most_outside };
    let mut groups = std::mem::take(&mut collector.by_output);
    for group in &mut groups {
        shuffle(group, &mut collector.rng);
        // Inputs of calls first, then what the solver and special values found.
        group.sort_by_key(|&at| (!inside[at], collector.examples[at].origin == Origin::Mutation));
    }
    // Rare outputs first, so that they have the first claim on inputs from outside.
    groups.sort_by_key(Vec::len);
    let limit = level(&groups.iter().map(Vec::len).collect::<Vec<_>>(), &TUNING);
    let mut chosen: Vec<usize> = Vec::new();
    for group in &groups {
        let mut taken = 0;
        for &at in group {
            if taken == limit || chosen.len() == TUNING.most {
                break;
            }
            // The only example of an output is kept wherever it lies.
            if !inside[at] && taken > 0 {
                if outside_left == 0 {
                    continue;
                }
                outside_left -= 1;
            }
            taken += 1;
            chosen.push(at);
        }
    }
    shuffle(&mut chosen, &mut collector.rng);
    let examples = collector.examples;
    chosen.into_iter().map(|at| examples[at].clone()).collect()
}

/// How many examples one output may have, by the numbers of examples that outputs have.
fn level(counts: &[usize], tuning: &ExamplesTuning) -> usize {
    if counts.len() < 2 {
        return tuning.most;
    }
    let share = (tuning.most / counts.len()).max(tuning.most / tuning.least_share);
    let total = |level: usize| counts.iter().map(|count| (*count).min(level)).sum::<usize>();
    // The largest level at which all fit.
    let (mut low, mut high) = (1, share);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if total(middle) <= tuning.most { low = middle } else { high = middle - 1 }
    }
    low
}

fn shuffle(list: &mut [usize], rng: &mut plumb_exec::Rng) {
    for end in (1..list.len()).rev() {
        list.swap(end, rng.below(end as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_outputs_leave_room_for_others() {
        let level = |counts: &[usize]| level(counts, &TUNING);
        assert_eq!(level(&[20_000]), 10_000);
        assert_eq!(level(&[20_000, 10]), 5_000);
        assert_eq!(level(&[20_000, 20_000, 20_000, 7]), 2_500);
        // Many outputs: the total decides.
        let many = vec![100; 400];
        assert_eq!(level(&many), 25);
        let mixed: Vec<usize> = std::iter::repeat_n(1, 5_000).chain([20_000]).collect();
        assert_eq!(level(&mixed), 500);
    }
}
