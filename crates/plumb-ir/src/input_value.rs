//! Values of inputs: what a run was given, or is to be given, at an input site.

use crate::ty::Bits;
use std::collections::BTreeMap;

/// One input, as it was given or is to be given.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InputValue {
    Scalar(Bits),
    Region(RegionFill),
}

/// What the bytes of a region become.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RegionFill {
    Zero,
    /// The bytes from the start; the rest is zero, and what is too much is left out.
    Bytes(Vec<u8>),
    /// Pseudo-random bytes from a seed.
    Pattern(u64),
    /// Bytes by offset; the rest is zero. For regions that are too large to write down.
    Sparse(BTreeMap<u64, u8>),
}

impl RegionFill {
    /// The bytes themselves, for a region of a size.
    pub fn bytes(&self, size: usize) -> Vec<u8> {
        let mut bytes = match self {
            RegionFill::Zero => Vec::new(),
            RegionFill::Bytes(bytes) => bytes[..bytes.len().min(size)].to_vec(),
            RegionFill::Sparse(bytes) => {
                let inside = bytes.range(..size as u64);
                let mut all = vec![0; inside.clone().next_back().map_or(0, |(at, _)| *at as usize + 1)];
                inside.for_each(|(at, byte)| all[*at as usize] = *byte);
                all
            }
            RegionFill::Pattern(seed) => {
                let mut rng = Rng(*seed);
                let words = (0..size.div_ceil(8)).flat_map(|_| rng.next().to_le_bytes());
                words.take(size).collect()
            }
        };
        bytes.resize(size, 0);
        bytes
    }
}

/// A small generator of pseudo-random numbers (the splitmix64 sequence): the same seed gives the same run everywhere.
#[derive(Clone, Debug)]
pub struct Rng(pub u64);

impl Rng {
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        ((self.next() as u128 * limit as u128) >> 64) as u64
    }
}
