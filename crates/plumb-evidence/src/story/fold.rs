//! Folding turns that repeat: a block of up to eight turns that comes again and again is shown once.
//!
//! Two turns are alike if they read the same inputs, decide the same and change the same variables; the values that
//! variables take may go on.

use super::Turn;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// The longest block that is looked for.
const LONGEST: usize = 8;

/// A block of turns, and how many turns after it repeat it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub turns: Range<usize>,
    pub repeated: Range<usize>,
}

pub(super) fn fold(turns: &[Turn]) -> Vec<Block> {
    let looks: Vec<u64> = turns.iter().map(look).collect();
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < looks.len() {
        let (mut length, mut end) = (1, at + 1);
        for period in 1..=LONGEST {
            let reach = repeated_until(&looks, at, period);
            // Longer blocks must pay: what they save beyond what is shown.
            if reach >= at + 2 * period && reach - at - period > end - at - length {
                (length, end) = (period, reach);
            }
        }
        blocks.push(Block { turns: at..at + length, repeated: at + length..end });
        at = end;
    }
    blocks
}

/// The end of the whole blocks of a period that equal the first.
fn repeated_until(looks: &[u64], at: usize, period: usize) -> usize {
    let mut end = at + period;
    while end + period <= looks.len() && looks[end..end + period] == looks[at..at + period] {
        end += period;
    }
    end
}

fn look(turn: &Turn) -> u64 {
    let mut hasher = FxHasher::default();
    for input in &turn.inputs {
        (&input.name, &input.value).hash(&mut hasher);
    }
    for decision in &turn.decisions {
        (decision.place.line, decision.place.column, decision.taken, decision.times).hash(&mut hasher);
    }
    for change in &turn.changes {
        change.name.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Input;

    fn turns(values: &[&str]) -> Vec<Turn> {
        let input = |v: &&str| Input { name: "x".to_string(), value: v.to_string(), place: None, is_idle: false };
        values.iter().map(|v| Turn { inputs: vec![input(v)], ..Turn::default() }).collect()
    }

    #[test]
    fn equal_turns_become_one_block() {
        let blocks = fold(&turns(&["a", "b", "b", "b", "b", "c"]));
        let expected = [
            Block { turns: 0..1, repeated: 1..1 },
            Block { turns: 1..2, repeated: 2..5 },
            Block { turns: 5..6, repeated: 6..6 },
        ];
        assert_eq!(blocks, expected);
    }

    #[test]
    fn alternating_turns_become_one_block() {
        let blocks = fold(&turns(&["a", "b", "a", "b", "a", "b", "a"]));
        assert_eq!(blocks[0], Block { turns: 0..2, repeated: 2..6 });
        assert_eq!(blocks[1], Block { turns: 6..7, repeated: 7..7 });
    }

    #[test]
    fn blocks_cover_every_turn_once() {
        let blocks = fold(&turns(&["a", "a", "b", "c", "b", "c", "b", "c", "c", "c", "d"]));
        let mut at = 0;
        for block in blocks {
            assert_eq!(block.turns.start, at);
            assert_eq!(block.turns.end, block.repeated.start);
            at = block.repeated.end;
        }
        assert_eq!(at, 11);
    }
}
