//! Sets of targets: sparse bit vectors, sorted by word.

/// Pairs of word number and bits, in order, none empty.
#[derive(Clone, Default, Debug)]
pub struct Set {
    words: Vec<(u32, u64)>,
}

impl Set {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The number of words, which is what operations cost.
    pub fn cost(&self) -> usize {
        self.words.len()
    }

    pub fn insert(&mut self, item: u32) -> bool {
        let (word, bit) = (item / 64, 1u64 << (item % 64));
        match self.words.binary_search_by_key(&word, |w| w.0) {
            Ok(at) => {
                let old = self.words[at].1;
                self.words[at].1 |= bit;
                old & bit == 0
            }
            Err(at) => {
                self.words.insert(at, (word, bit));
                true
            }
        }
    }

    /// Adds all items of another set; tells whether any is new.
    pub fn union(&mut self, other: &Set) -> bool {
        if self.contains_all(other) {
            return false;
        }
        let mut merged = Vec::with_capacity(self.words.len() + other.words.len());
        let (mut a, mut b) = (self.words.iter().peekable(), other.words.iter().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (Some(&&(x, p)), Some(&&(y, q))) => {
                    if x <= y {
                        a.next();
                    }
                    if y <= x {
                        b.next();
                    }
                    merged.push((
                        x.min(y),
                        if x == y {
                            p | q
                        } else if x < y {
                            p
                        } else {
                            q
                        },
                    ));
                }
                (Some(&&word), None) | (None, Some(&&word)) => {
                    merged.push(word);
                    a.next();
                    b.next();
                }
                (None, None) => break,
            }
        }
        self.words = merged;
        true
    }

    fn contains_all(&self, other: &Set) -> bool {
        let mut mine = self.words.iter();
        other
            .words
            .iter()
            .all(|&(word, bits)| mine.by_ref().find(|w| w.0 >= word).is_some_and(|w| w.0 == word && bits & !w.1 == 0))
    }

    /// The items that the other set lacks.
    pub fn minus(&self, other: &Set) -> Set {
        let mut rest = other.words.iter().peekable();
        let mut words = Vec::new();
        for &(word, bits) in &self.words {
            while rest.peek().is_some_and(|w| w.0 < word) {
                rest.next();
            }
            let known = rest.peek().filter(|w| w.0 == word).map_or(0, |w| w.1);
            if bits & !known != 0 {
                words.push((word, bits & !known));
            }
        }
        Set { words }
    }

    /// The items in both sets.
    pub fn intersection(&self, other: &Set) -> Set {
        let missing = self.minus(other);
        self.minus(&missing)
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().flat_map(|&(word, bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    word * 64 + bit
                })
            })
        })
    }
}

impl FromIterator<u32> for Set {
    fn from_iter<I: IntoIterator<Item = u32>>(items: I) -> Set {
        let mut items: Vec<u32> = items.into_iter().collect();
        items.sort_unstable();
        let mut words: Vec<(u32, u64)> = Vec::new();
        for item in items {
            let (word, bit) = (item / 64, 1u64 << (item % 64));
            match words.last_mut() {
                Some(last) if last.0 == word => last.1 |= bit,
                _ => words.push((word, bit)),
            }
        }
        Set { words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn agrees_with_the_standard_sets() {
        let mut state = 7u64;
        let mut random = move |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        for _ in 0..500 {
            let mut make = || {
                let mut set = Set::default();
                let mut model = BTreeSet::new();
                for _ in 0..random(20) {
                    let item = random(400) as u32;
                    assert_eq!(set.insert(item), model.insert(item));
                }
                (set, model)
            };
            let ((mut a, ma), (b, mb)) = (make(), make());
            let list = |s: &Set| s.iter().collect::<Vec<_>>();
            assert_eq!(list(&a.minus(&b)), ma.difference(&mb).copied().collect::<Vec<_>>());
            assert_eq!(list(&a.intersection(&b)), ma.intersection(&mb).copied().collect::<Vec<_>>());
            assert_eq!(a.union(&b), !mb.is_subset(&ma));
            assert_eq!(list(&a), ma.union(&mb).copied().collect::<Vec<_>>());
        }
    }
}
