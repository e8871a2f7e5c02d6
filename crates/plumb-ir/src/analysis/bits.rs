//! Sets of small numbers as bits, for facts of data-flow analyses.

/// A set of numbers below a size fixed at creation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitSet {
    words: Box<[u64]>,
}

impl BitSet {
    pub fn new(size: usize) -> BitSet {
        BitSet { words: vec![0; size.div_ceil(64)].into() }
    }

    pub fn contains(&self, item: usize) -> bool {
        self.words[item / 64] >> (item % 64) & 1 != 0
    }

    /// Adds an item; tells whether it is new.
    pub fn insert(&mut self, item: usize) -> bool {
        let word = &mut self.words[item / 64];
        let old = *word;
        *word |= 1 << (item % 64);
        *word != old
    }

    pub fn remove(&mut self, item: usize) {
        self.words[item / 64] &= !(1 << (item % 64));
    }

    /// Adds all items of the other set; tells whether any is new.
    pub fn union(&mut self, other: &BitSet) -> bool {
        let mut changed = false;
        for (word, new) in self.words.iter_mut().zip(&other.words) {
            changed |= *new & !*word != 0;
            *word |= new;
        }
        changed
    }

    pub fn intersection(&self, other: &BitSet) -> BitSet {
        BitSet { words: self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect() }
    }

    pub fn intersects(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// The other numbers below the size that it was created with.
    pub fn complement(&self, size: usize) -> BitSet {
        let others = |(i, word): (usize, &u64)| !word & (u64::MAX >> (64 - (size - i * 64).min(64)));
        BitSet { words: self.words.iter().enumerate().map(others).collect() }
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    i * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_back_in_order() {
        let mut set = BitSet::new(200);
        for item in [199, 0, 64, 63] {
            assert!(set.insert(item));
        }
        assert!(!set.insert(64));
        set.remove(63);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 64, 199]);
        let mut other = BitSet::new(200);
        assert!(other.union(&set) && !other.union(&set) && other.contains(199));
    }

    #[test]
    fn a_complement_has_what_the_set_has_not() {
        for size in [0, 1, 63, 64, 65, 130] {
            let mut set = BitSet::new(size);
            (0..size).step_by(3).for_each(|item| _ = set.insert(item));
            let others = set.complement(size);
            assert_eq!(set.len() + others.len(), size);
            assert!((0..size).all(|item| set.contains(item) != others.contains(item)));
            assert!(!set.intersects(&others) && set.intersection(&others).is_empty());
            assert!(size == 0 || set.intersects(&set) && set.intersection(&set) == set);
        }
    }
}
