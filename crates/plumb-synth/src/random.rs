//! Chance that is the same for the same seed.

use plumb_solve::random::Random as Words;

#[derive(Clone, Debug)]
pub struct Random(Words);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Words::new(seed))
    }

    #[cfg(test)]
    pub fn next(&mut self) -> u64 {
        self.0.word()
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound as u64) as usize
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }
}
