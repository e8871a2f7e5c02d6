//! Counts of bits and the order of bytes, built from the other operators.
//!
//! They are not operators of their own: halving gives circuits of logarithmic depth that no back end would improve on,
//! and constants fold through them.

use crate::terms::{TermId, Terms};

impl Terms {
    /// Zeros above the highest set bit, in the operand's width; the width for zero.
    pub fn bv_clz(&mut self, a: TermId) -> TermId {
        self.count_zeros(a, true)
    }

    /// Zeros below the lowest set bit, in the operand's width; the width for zero.
    pub fn bv_ctz(&mut self, a: TermId) -> TermId {
        self.count_zeros(a, false)
    }

    /// Halves the operand: if the half where the count begins is zero, its width counts and the other half is looked at.
    fn count_zeros(&mut self, a: TermId, from_top: bool) -> TermId {
        let width = self.width(a);
        let mut rest = a;
        let mut count = self.bv(width, 0);
        while self.width(rest) > 1 {
            let size = self.width(rest);
            // The half where the count goes on; the other one, padded to it with ones below or above, is searched first.
            let half = size / 2;
            let (near, far) = if from_top {
                (self.extract(rest, size - 1, size - half), self.extract(rest, size - half - 1, 0))
            } else {
                (self.extract(rest, half - 1, 0), self.extract(rest, size - 1, half))
            };
            let zero = self.bv(half, 0);
            let near_is_zero = self.eq(near, zero);
            let near = if size - half > half {
                let pad = self.bv(1, 1);
                if from_top { self.concat(near, pad) } else { self.concat(pad, near) }
            } else {
                near
            };
            let (step, none) = (self.bv(width, half as u128), self.bv(width, 0));
            let step = self.ite(near_is_zero, step, none);
            count = self.bv_add(count, step);
            rest = self.ite(near_is_zero, far, near);
        }
        let zero = self.bv(1, 0);
        let last_is_zero = self.eq(rest, zero);
        let last = self.bool_to_bv(last_is_zero, width);
        self.bv_add(count, last)
    }

    /// The number of set bits, in the operand's width: bits are added in pairs, pairs in pairs, and so on.
    pub fn bv_popcount(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let mut sums: Vec<TermId> = (0..width).map(|i| self.extract(a, i, i)).collect();
        while sums.len() > 1 {
            let size = (self.width(sums[0]) + 1).min(width);
            sums = sums
                .chunks(2)
                .map(|pair| {
                    let first = self.zero_extend(pair[0], size);
                    match pair.get(1) {
                        Some(second) => {
                            let second = self.zero_extend(*second, size);
                            self.bv_add(first, second)
                        }
                        None => first,
                    }
                })
                .collect();
        }
        self.zero_extend(sums[0], width)
    }

    /// The bytes in reverse order. The width is a multiple of eight.
    pub fn bv_bswap(&mut self, a: TermId) -> TermId {
        debug_assert!(self.width(a).is_multiple_of(8));
        let mut result = self.extract(a, 7, 0);
        for byte in 1..self.width(a) / 8 {
            let next = self.extract(a, byte * 8 + 7, byte * 8);
            result = self.concat(result, next);
        }
        result
    }
}
