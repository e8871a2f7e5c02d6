//! Folding iterations that repeat: a block of up to eight iterations that comes again and again is shown once.
//!
//! Two iterations are alike if they read the same inputs, decide the same and change the same variables; the values that
//! variables take may go on.

use super::Iteration;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// The longest block that is looked for.
const LONGEST: usize = 8;

/// A block of iterations, and how many iterations after it repeat it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub iterations: Range<usize>,
    pub repeated: Range<usize>,
}

pub(super) fn fold(iterations: &[Iteration]) -> Vec<Block> {
    let shapes: Vec<u64> = iterations.iter().map(shape).collect();
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < shapes.len() {
        let (mut length, mut end) = (1, at + 1);
        for period in 1..=LONGEST {
            let reach = repeated_until(&shapes, at, period);
            // Longer blocks must pay: what they save beyond what is shown.
            if reach >= at + 2 * period && reach - at - period > end - at - length {
                (length, end) = (period, reach);
            }
        }
        blocks.push(Block { iterations: at..at + length, repeated: at + length..end });
        at = end;
    }
    blocks
}

/// The end of the whole blocks of a period that equal the first.
fn repeated_until(shapes: &[u64], at: usize, period: usize) -> usize {
    let mut end = at + period;
    while end + period <= shapes.len() && shapes[end..end + period] == shapes[at..at + period] {
        end += period;
    }
    end
}

fn shape(iteration: &Iteration) -> u64 {
    let mut hasher = FxHasher::default();
    for input in &iteration.inputs {
        (&input.name, &input.value).hash(&mut hasher);
    }
    for decision in &iteration.decisions {
        (decision.place.line, decision.place.column, decision.taken, decision.times).hash(&mut hasher);
    }
    for change in &iteration.changes {
        change.name.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Input;

    fn iterations(values: &[&str]) -> Vec<Iteration> {
        let input = |v: &&str| Input { name: "x".to_string(), value: v.to_string(), place: None, is_idle: false };
        values.iter().map(|v| Iteration { inputs: vec![input(v)], ..Iteration::default() }).collect()
    }

    #[test]
    fn equal_iterations_become_one_block() {
        let blocks = fold(&iterations(&["a", "b", "b", "b", "b", "c"]));
        let expected = [
            Block { iterations: 0..1, repeated: 1..1 },
            Block { iterations: 1..2, repeated: 2..5 },
            Block { iterations: 5..6, repeated: 6..6 },
        ];
        assert_eq!(blocks, expected);
    }

    #[test]
    fn alternating_iterations_become_one_block() {
        let blocks = fold(&iterations(&["a", "b", "a", "b", "a", "b", "a"]));
        assert_eq!(blocks[0], Block { iterations: 0..2, repeated: 2..6 });
        assert_eq!(blocks[1], Block { iterations: 6..7, repeated: 7..7 });
    }

    #[test]
    fn blocks_cover_every_iteration_once() {
        let blocks = fold(&iterations(&["a", "a", "b", "c", "b", "c", "b", "c", "c", "c", "d"]));
        let mut at = 0;
        for block in blocks {
            assert_eq!(block.iterations.start, at);
            assert_eq!(block.iterations.end, block.repeated.start);
            at = block.repeated.end;
        }
        assert_eq!(at, 11);
    }
}
