//! Comparisons, on patterns where those suffice and on unpacked numbers, and the smaller or larger of two numbers.

use super::{Unpacked, classify};
use crate::aig::{Aig, Lit};
use crate::circuits::{Word, compare};
use plumb_term::Format;

/// The three relations of two numbers; all false if one is NaN.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    pub less: Lit,
    pub equal: Lit,
}

impl Relation {
    pub fn less_or_equal(self, aig: &mut Aig) -> Lit {
        aig.or(self.less, self.equal)
    }
}

/// Of magnitudes and signs to numbers: `below` and `above` order the magnitudes, which are both zero or not.
fn relate(aig: &mut Aig, signs: (Lit, Lit), below: Lit, above: Lit, both_zero: Lit, ordered: Lit) -> Relation {
    let (sign_x, sign_y) = signs;
    let differ = aig.xor(sign_x, sign_y);
    let magnitudes_equal = aig.and(!below, !above);
    let same = aig.and(magnitudes_equal, !differ);
    let equal = aig.or(same, both_zero);
    let within = aig.mux(sign_x, above, below);
    let less = aig.mux(differ, sign_x, within);
    let less = aig.and(less, !both_zero);
    Relation { less: aig.and(less, ordered), equal: aig.and(equal, ordered) }
}

/// Of two patterns. Only formats without a stored integer bit order their patterns as their numbers.
pub fn relate_patterns(aig: &mut Aig, format: Format, x: &[Lit], y: &[Lit]) -> Relation {
    let magnitude = x.len() - 1;
    let (class_x, class_y) = (classify(aig, format, x), classify(aig, format, y));
    let below = compare::less(aig, &x[..magnitude], &y[..magnitude]);
    let above = compare::less(aig, &y[..magnitude], &x[..magnitude]);
    let both_zero = aig.and(class_x.zero, class_y.zero);
    let ordered = aig.and(!class_x.nan, !class_y.nan);
    relate(aig, (x[magnitude], y[magnitude]), below, above, both_zero, ordered)
}

pub fn relate_unpacked(aig: &mut Aig, x: &Unpacked, y: &Unpacked) -> Relation {
    let below = magnitude_less(aig, x, y);
    let above = magnitude_less(aig, y, x);
    let both_zero = aig.and(x.zero, y.zero);
    let ordered = aig.and(!x.nan, !y.nan);
    relate(aig, (x.sign, y.sign), below, above, both_zero, ordered)
}

fn magnitude_less(aig: &mut Aig, x: &Unpacked, y: &Unpacked) -> Lit {
    let whole = |number: &Unpacked| -> Word { [&number.significand[..], &number.exponent[..]].concat() };
    let less = compare::signed_less(aig, &whole(x), &whole(y));
    // Zeros are below and infinities above everything else.
    let less = aig.or(less, x.zero);
    let less = aig.or(less, y.infinite);
    let never = aig.or(y.zero, x.infinite);
    aig.and(less, !never)
}

/// Whether minNum (`less`) or maxNum picks the first operand: a number rather than a NaN; of equal values the second.
pub fn picks_first(aig: &mut Aig, nan_x: Lit, nan_y: Lit, relation: Relation, less: bool) -> Lit {
    let ordered_less = if less {
        relation.less
    } else {
        let not_greater = relation.less_or_equal(aig);
        !not_greater
    };
    let first = aig.and(!nan_x, ordered_less);
    aig.or(nan_y, first)
}
