//! Folding of long lists: what follows itself is written once, with a count.
//!
//! From front to back, the block of at most [`LONGEST`] items is taken that saves most by being repeated right behind
//! itself; what is in a block is folded the same way.

use std::hash::Hash;

/// A part of a folded list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Folded<T> {
    One(T),
    /// The block, so many times.
    Repeated(usize, Vec<Folded<T>>),
}

/// Blocks longer than this are not looked for.
const LONGEST: usize = 256;

/// What a repeated block costs besides its items.
const OVERHEAD: usize = 2;

pub fn fold<T: Eq + Hash>(items: &[T]) -> Vec<Folded<&T>> {
    // Numbers are cheaper to compare than what they stand for.
    let mut numbers = rustc_hash::FxHashMap::default();
    let ids: Vec<usize> = items
        .iter()
        .map(|item| {
            let next = numbers.len();
            *numbers.entry(item).or_insert(next)
        })
        .collect();
    fold_range(items, &ids, LONGEST)
}

fn fold_range<'a, T>(items: &'a [T], ids: &[usize], longest: usize) -> Vec<Folded<&'a T>> {
    let mut folded = Vec::new();
    let mut at = 0;
    while at < ids.len() {
        match best_block(&ids[at..], longest) {
            Some((len, count)) => {
                let block = fold_range(&items[at..at + len], &ids[at..at + len], len - 1);
                folded.push(Folded::Repeated(count, block));
                at += len * count;
            }
            None => {
                folded.push(Folded::One(&items[at]));
                at += 1;
            }
        }
    }
    folded
}

/// The length of the block at the front that saves most, and how often it is there. Of equals the shortest.
fn best_block(ids: &[usize], longest: usize) -> Option<(usize, usize)> {
    let mut best = None;
    let mut most = OVERHEAD;
    for len in 1..=longest.min(ids.len() / 2) {
        let same = ids.iter().zip(&ids[len..]).take_while(|(a, b)| a == b).count();
        let count = same / len + 1;
        let saved = len * (count - 1);
        if saved > most {
            most = saved;
            best = Some((len, count));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unfold(items: &[Folded<&u8>], out: &mut Vec<u8>) {
        for item in items {
            match item {
                Folded::One(value) => out.push(**value),
                Folded::Repeated(count, block) => (0..*count).for_each(|_| unfold(block, out)),
            }
        }
    }

    #[test]
    fn folded_lists_unfold_to_themselves() {
        let mut rng = crate::inputs::Rng(1);
        for round in 0..2000 {
            let symbols = 1 + round % 3;
            let list: Vec<u8> = (0..rng.below(60)).map(|_| rng.below(symbols) as u8).collect();
            let mut back = Vec::new();
            unfold(&fold(&list), &mut back);
            assert_eq!(back, list);
        }
    }

    #[test]
    fn turns_with_equal_values_inside_nest() {
        let list: Vec<u8> = [0, 0, 0, 0, 0, 0, 7].repeat(50);
        let zeros = Folded::Repeated(6, vec![Folded::One(&0)]);
        assert_eq!(fold(&list), [Folded::Repeated(50, vec![zeros, Folded::One(&7)])]);
    }
}
