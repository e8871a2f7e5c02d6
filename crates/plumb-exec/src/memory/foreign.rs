//! What memory from outside holds in random runs (`plumb-ir`'s `lower/foreign.rs`).
//!
//! There is far more of it than could be written down, so a page is made of a seed when it is touched. Programs look for null,
//! for small numbers and flags, and go on through pointers: a word is one of these.

use super::page::PAGE_SIZE;
use plumb_ir::input_value::Rng;
use std::ops::Range;

/// Pointers lead to beginnings of pieces so far apart: few structures are larger.
const PIECE: u64 = 1 << 16;

/// A pointer into memory from outside, given its addresses.
pub fn pointer(rng: &mut Rng, addresses: &Range<u64>) -> u64 {
    addresses.start + rng.below((addresses.end - addresses.start) / PIECE) * PIECE
}

/// Fills a page, given its number and the addresses of all.
pub(super) fn fill(data: &mut [u8; PAGE_SIZE as usize], page: u64, seed: u64, addresses: &Range<u64>) {
    let mut rng = Rng(seed ^ page.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let word = if addresses.end <= 1 << 32 { 4 } else { 8 };
    for bytes in data.chunks_exact_mut(word) {
        bytes.copy_from_slice(&one(&mut rng, addresses).to_le_bytes()[..word]);
    }
}

fn one(rng: &mut Rng, addresses: &Range<u64>) -> u64 {
    match rng.below(8) {
        0 | 1 => 0,
        2 => rng.below(4) | rng.below(4) << 32,
        3 => rng.below(256) | rng.below(256) << 32,
        4 => rng.next(),
        _ => pointer(rng, addresses),
    }
}
