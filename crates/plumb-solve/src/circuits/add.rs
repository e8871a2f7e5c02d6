//! Adders, all of ripple-carry kind: the shortest in gates and clauses, which counts more for a SAT solver than depth.

use super::{Word, not};
use crate::aig::{Aig, Lit};

/// The sum of two words of one width and a carry, with the carry out.
pub fn with_carry(aig: &mut Aig, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
    let mut sum = Word::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let (bit, next) = aig.full_adder(x, y, carry);
        sum.push(bit);
        carry = next;
    }
    (sum, carry)
}

pub fn add(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let last = a.len() - 1;
    let (mut sum, carry) = with_carry(aig, &a[..last], &b[..last], Lit::FALSE);
    let half = aig.xor(a[last], b[last]);
    sum.push(aig.xor(half, carry));
    sum
}

pub fn subtract(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    with_carry(aig, a, &not(b), Lit::TRUE).0
}

/// The difference, and whether it needed no borrow: whether `a >= b`.
pub fn subtract_checked(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Lit) {
    with_carry(aig, a, &not(b), Lit::TRUE)
}

/// The word plus one bit.
pub fn increment(aig: &mut Aig, a: &[Lit], by: Lit) -> (Word, Lit) {
    let mut carry = by;
    let sum = a
        .iter()
        .map(|&bit| {
            let sum = aig.xor(bit, carry);
            carry = aig.and(bit, carry);
            sum
        })
        .collect();
    (sum, carry)
}

pub fn negate(aig: &mut Aig, a: &[Lit]) -> Word {
    increment(aig, &not(a), Lit::TRUE).0
}

/// The negation where `when` holds, else the word itself.
pub fn negate_if(aig: &mut Aig, when: Lit, a: &[Lit]) -> Word {
    let flipped: Word = a.iter().map(|&bit| aig.xor(bit, when)).collect();
    increment(aig, &flipped, when).0
}
