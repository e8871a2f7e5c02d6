//! What the oracles share that enumerate interleavings: the variables of their programs, and random numbers.

/// The shared variables.
pub const VARS: [&str; 3] = ["x", "y", "z"];

pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}
