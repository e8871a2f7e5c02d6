//! Lengths of shortest paths.

use std::ops::Add;

/// The length of a shortest path, or that there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Distance(u64);

impl Distance {
    pub const ZERO: Distance = Distance(0);
    /// There is no path. Greater than every finite distance.
    pub const INFINITE: Distance = Distance(u64::MAX);

    pub const fn new(length: u64) -> Distance {
        Distance(length)
    }

    pub fn finite(self) -> Option<u64> {
        self.is_finite().then_some(self.0)
    }

    pub fn is_finite(self) -> bool {
        self != Distance::INFINITE
    }

    /// A number in the same order, for keys of waitlists.
    pub fn rank(self) -> u64 {
        self.0
    }
}

impl Add for Distance {
    type Output = Distance;

    fn add(self, other: Distance) -> Distance {
        Distance(self.0.saturating_add(other.0))
    }
}

impl Add<u64> for Distance {
    type Output = Distance;

    fn add(self, weight: u64) -> Distance {
        Distance(self.0.saturating_add(weight))
    }
}

impl std::fmt::Display for Distance {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.finite() {
            Some(length) => write!(f, "{length}"),
            None => f.write_str("infinite"),
        }
    }
}
