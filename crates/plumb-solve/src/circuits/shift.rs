//! Barrel shifters and normalisation: one row of multiplexers per bit of the count.

use super::Word;
use crate::aig::{Aig, Lit};

/// Rows that a shifter of `width` bits needs; higher bits of the count shift everything out.
fn rows(width: usize) -> usize {
    (usize::BITS - (width - 1).leading_zeros()) as usize
}

/// `word << count`; what is shifted out is lost, also when the count is beyond the width.
pub fn left(aig: &mut Aig, word: &[Lit], count: &[Lit]) -> Word {
    left_filling(aig, word, count, Lit::FALSE)
}

/// As `left`, with another literal than false coming in.
pub fn left_filling(aig: &mut Aig, word: &[Lit], count: &[Lit], fill: Lit) -> Word {
    let mut reversed: Word = word.iter().rev().copied().collect();
    reversed = right_filling(aig, &reversed, count, fill);
    reversed.reverse();
    reversed
}

/// `word >> count`, with zeros coming in.
pub fn right(aig: &mut Aig, word: &[Lit], count: &[Lit]) -> Word {
    right_filling(aig, word, count, Lit::FALSE)
}

/// `word >> count`, with copies of the sign coming in.
pub fn right_signed(aig: &mut Aig, word: &[Lit], count: &[Lit]) -> Word {
    match word.last() {
        Some(&sign) => right_filling(aig, word, count, sign),
        None => Word::new(),
    }
}

fn right_filling(aig: &mut Aig, word: &[Lit], count: &[Lit], fill: Lit) -> Word {
    let rows = rows(word.len()).min(count.len());
    let beyond = aig.any(&count[rows..]);
    let mut result = word.to_vec();
    for (row, &bit) in count[..rows].iter().enumerate() {
        if bit == Lit::FALSE {
            continue;
        }
        let step = 1usize << row;
        for i in 0..result.len() {
            let from = result.get(i + step).copied().unwrap_or(fill);
            result[i] = aig.mux(bit, from, result[i]);
        }
    }
    result.iter().map(|&bit| aig.mux(beyond, fill, bit)).collect()
}

/// `word >> count` with zeros coming in, where every bit shifted out is or-ed into the lowest one.
pub fn right_sticky(aig: &mut Aig, word: &[Lit], count: &[Lit]) -> Word {
    let rows = rows(word.len()).min(count.len());
    let beyond = aig.any(&count[rows..]);
    let mut result = word.to_vec();
    let mut sticky = Lit::FALSE;
    for (row, &bit) in count[..rows].iter().enumerate() {
        let step = (1usize << row).min(result.len());
        let lost = aig.any(&result[..step]);
        let lost = aig.and(bit, lost);
        sticky = aig.or(sticky, lost);
        for i in 0..result.len() {
            let from = result.get(i + step).copied().unwrap_or(Lit::FALSE);
            result[i] = aig.mux(bit, from, result[i]);
        }
    }
    let anything = aig.any(&result);
    let lost = aig.and(beyond, anything);
    sticky = aig.or(sticky, lost);
    for bit in &mut result {
        *bit = aig.and(*bit, !beyond);
    }
    result[0] = aig.or(result[0], sticky);
    result
}

/// Shifts left until the highest bit is set; gives the word and the count. All zeros stay zeros, with any count.
pub fn normalise(aig: &mut Aig, word: &[Lit]) -> (Word, Word) {
    let mut result = word.to_vec();
    let mut count = Word::new();
    for row in (0..rows(word.len())).rev() {
        let step = 1usize << row;
        let top = result.len() - step.min(result.len());
        let shift = !aig.any(&result[top..]);
        for i in (0..result.len()).rev() {
            let from = if i >= step { result[i - step] } else { Lit::FALSE };
            result[i] = aig.mux(shift, from, result[i]);
        }
        count.push(shift);
    }
    count.reverse();
    (result, count)
}
