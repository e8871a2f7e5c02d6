//! Comparisons. The order is the carry chain of a subtraction, without its sum.

use super::Word;
use crate::aig::{Aig, Lit};

pub fn equal(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let bits: Word = a.iter().zip(b).map(|(&x, &y)| aig.iff(x, y)).collect();
    // Constants decide without gates for the rest.
    if bits.contains(&Lit::FALSE) {
        return Lit::FALSE;
    }
    aig.all(&bits)
}

pub fn is_zero(aig: &mut Aig, a: &[Lit]) -> Lit {
    !aig.any(a)
}

pub fn less(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    chain(aig, a, b, Lit::FALSE)
}

pub fn less_or_equal(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    chain(aig, a, b, Lit::TRUE)
}

pub fn signed_less(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    signed_chain(aig, a, b, Lit::FALSE)
}

pub fn signed_less_or_equal(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    signed_chain(aig, a, b, Lit::TRUE)
}

/// From the least significant bit up: `b` is greater so far, or nothing differs and `tie`.
fn chain(aig: &mut Aig, a: &[Lit], b: &[Lit], tie: Lit) -> Lit {
    a.iter().zip(b).fold(tie, |below, (&x, &y)| aig.majority(!x, y, below))
}

fn signed_chain(aig: &mut Aig, a: &[Lit], b: &[Lit], tie: Lit) -> Lit {
    let last = a.len() - 1;
    let below = chain(aig, &a[..last], &b[..last], tie);
    aig.majority(a[last], !b[last], below)
}
