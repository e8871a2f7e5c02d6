//! Multiplication: partial products summed up row by row, or column by column; by a constant, over its signed digits.

use super::add::{add, subtract, with_carry};
use super::{Word, as_constant, constant, mask, resize};
use crate::aig::{Aig, Lit};

/// How partial products are summed up. Both have the same gates; in searches each is up to a quarter faster than the other by
/// family (columns on factoring, rows on division and float products), so the simpler one is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// One ripple-carry adder per row.
    Rows,
    /// Full adders per column, carries kept aside until the end (Wallace, 1964).
    Columns,
}

/// The low `width` bits of the product of two words.
pub fn multiply(aig: &mut Aig, a: &[Lit], b: &[Lit], width: usize) -> Word {
    let (a, b) = (&a[..a.len().min(width)], &b[..b.len().min(width)]);
    let digits = |word: &[Lit]| as_constant(word).map(|value| signed_digits(value, width));
    match (digits(a), digits(b)) {
        (_, Some(digits)) => by_digits(aig, a, &digits, width),
        (Some(digits), None) => by_digits(aig, b, &digits, width),
        (None, None) => by_scheme(aig, a, b, width, Scheme::Rows),
    }
}

pub fn by_scheme(aig: &mut Aig, a: &[Lit], b: &[Lit], width: usize, scheme: Scheme) -> Word {
    // The word with more constant bits gives the rows: rows of zeros cost nothing.
    let constants = |word: &[Lit]| word.iter().filter(|bit| bit.is_constant()).count();
    let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
    match scheme {
        Scheme::Rows => rows(aig, a, b, width),
        Scheme::Columns => columns(aig, a, b, width),
    }
}

fn rows(aig: &mut Aig, a: &[Lit], b: &[Lit], width: usize) -> Word {
    let mut sum = constant(0, width);
    // Bits of the sum that earlier rows can have reached.
    let mut reached = 0;
    for (i, &bit) in b.iter().enumerate() {
        if bit == Lit::FALSE || i >= width {
            continue;
        }
        let row = mask(aig, &a[..a.len().min(width - i)], bit);
        let end = i + row.len();
        if reached <= i {
            sum[i..end].copy_from_slice(&row);
        } else {
            let (part, carry) = with_carry(aig, &sum[i..end], &row, Lit::FALSE);
            sum[i..end].copy_from_slice(&part);
            if end < width {
                sum[end] = carry;
            }
        }
        reached = (end + 1).min(width);
    }
    sum
}

fn columns(aig: &mut Aig, a: &[Lit], b: &[Lit], width: usize) -> Word {
    let mut columns: Vec<Vec<Lit>> = vec![Vec::new(); width];
    for (i, &y) in b.iter().enumerate() {
        for (j, &x) in a.iter().enumerate().take(width.saturating_sub(i)) {
            let product = aig.and(x, y);
            if product != Lit::FALSE {
                columns[i + j].push(product);
            }
        }
    }
    let mut sum = Word::with_capacity(width);
    for at in 0..width {
        let mut column = std::mem::take(&mut columns[at]);
        // First in, first out: early bits are added to early bits.
        let mut head = 0;
        while column.len() - head > 1 {
            let [x, y] = [column[head], column[head + 1]];
            let z = if column.len() - head > 2 { column[head + 2] } else { Lit::FALSE };
            head = (head + 3).min(column.len());
            let (bit, carry) = aig.full_adder(x, y, z);
            column.push(bit);
            if at + 1 < width && carry != Lit::FALSE {
                columns[at + 1].push(carry);
            }
        }
        sum.push(column.get(head).copied().unwrap_or(Lit::FALSE));
    }
    sum
}

/// The digits -1, 0, 1 of a number with no two neighbours set: the fewest there can be (Reitwiesner, 1960). Modulo
/// `2^width`, so that a long run of ones at the top is a single -1.
fn signed_digits(value: u128, width: usize) -> Vec<i8> {
    let mut digits = vec![0i8; width];
    let mut carry = false;
    let bit = |i: usize| i < width && i < 128 && value >> i & 1 != 0;
    for (i, digit) in digits.iter_mut().enumerate() {
        let here = bit(i) ^ carry;
        let generated = bit(i) && carry;
        if here && bit(i + 1) {
            *digit = -1;
            carry = true;
        } else {
            *digit = here as i8;
            carry = generated;
        }
    }
    digits
}

fn by_digits(aig: &mut Aig, a: &[Lit], digits: &[i8], width: usize) -> Word {
    let mut sum: Option<Word> = None;
    // Positive digits first, so that the sum starts with a plain word if it can.
    let mut order: Vec<usize> = (0..width).filter(|&i| digits[i] != 0).collect();
    order.sort_by_key(|&i| (digits[i] < 0, i));
    for i in order {
        let mut row = constant(0, i);
        row.extend_from_slice(a);
        let row = resize(&row, width);
        sum = Some(match (sum, digits[i] > 0) {
            (None, true) => row,
            (None, false) => subtract(aig, &constant(0, width), &row),
            (Some(sum), true) => add(aig, &sum, &row),
            (Some(sum), false) => subtract(aig, &sum, &row),
        });
    }
    sum.unwrap_or_else(|| constant(0, width))
}
