//! Which offsets a term can be: a rest modulo a number.
//!
//! Offsets wrap at the width of pointers, so a multiple of 12 that was multiplied out may be any multiple of 4. Numbers that
//! are no powers of two are kept only where the product cannot wrap: where the factor is a narrower number extended.

use plumb_term::{BinaryOp, Kind, TermId, Terms, UnaryOp};

/// All values that are `rest` modulo `modulus`; with modulus 0 only `rest` itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stride {
    pub modulus: u64,
    pub rest: u64,
}

const ANY: Stride = Stride { modulus: 1, rest: 0 };
const DEEPEST: u32 = 8;

impl Stride {
    pub fn of(term: TermId, terms: &Terms) -> Stride {
        stride(term, terms, DEEPEST)
    }

    /// The rest modulo another number, where there is only one.
    pub fn rest_of(self, unit: u64) -> Option<u64> {
        (unit == 1 || self.modulus.is_multiple_of(unit)).then_some(self.rest % unit)
    }

    /// The values below a limit.
    pub fn below(self, limit: u64) -> impl Iterator<Item = u64> {
        let step = if self.modulus == 0 { u64::MAX } else { self.modulus };
        std::iter::successors(Some(self.rest), move |at| at.checked_add(step)).take_while(move |at| *at < limit)
    }

    /// How many values there are below a limit.
    pub fn count_below(self, limit: u64) -> u64 {
        match self.modulus {
            0 => u64::from(self.rest < limit),
            modulus => limit.saturating_sub(self.rest).div_ceil(modulus),
        }
    }

    fn new(modulus: u64, rest: u64) -> Stride {
        match modulus {
            0 => Stride { modulus, rest },
            _ => Stride { modulus, rest: rest % modulus },
        }
    }

    fn join(self, other: Stride) -> Stride {
        let apart = self.rest.abs_diff(other.rest);
        Stride::new(gcd(gcd(self.modulus, other.modulus), apart), self.rest)
    }

    /// What stays true of a sum that may wrap.
    fn power_of_two(self) -> Stride {
        match self.modulus {
            0 => self,
            modulus => Stride::new(1 << modulus.trailing_zeros(), self.rest),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn stride(term: TermId, terms: &Terms, depth: u32) -> Stride {
    if let Some(value) = terms.as_u64(term) {
        return Stride { modulus: 0, rest: value };
    }
    if depth == 0 {
        return ANY;
    }
    let of = |t: TermId| stride(t, terms, depth - 1);
    let width = terms.width(term);
    match terms.kind(term) {
        Kind::Binary(BinaryOp::BvAdd, a, b) => add(of(a), of(b), width),
        Kind::Binary(BinaryOp::BvSub, a, b) => {
            let (a, b) = (of(a).power_of_two(), of(b).power_of_two());
            let modulus = gcd(a.modulus, b.modulus);
            if modulus == 0 { ANY } else { Stride::new(modulus, modulus + a.rest % modulus - b.rest % modulus) }
        }
        Kind::Binary(BinaryOp::BvMul, a, b) => match (terms.as_u64(a), terms.as_u64(b)) {
            (Some(factor), _) => times(factor, b, of(b), terms, width),
            (_, Some(factor)) => times(factor, a, of(a), terms, width),
            (None, None) => {
                let twos = |s: Stride| if s.rest == 0 { s.modulus.trailing_zeros().min(32) } else { 0 };
                Stride::new(1 << (twos(of(a)) + twos(of(b))).min(32), 0)
            }
        },
        Kind::Binary(BinaryOp::BvShl, a, count) => match terms.as_u64(count) {
            Some(count) if count < 32 => times(1 << count, a, of(a), terms, width),
            Some(_) | None => ANY,
        },
        Kind::Binary(BinaryOp::Concat, high, low) => {
            let low_width = terms.width(low);
            match (terms.as_u64(low), low_width) {
                (Some(rest), 0..=32) => {
                    let high = of(high);
                    match high.modulus {
                        0 => ANY,
                        modulus if modulus < 1 << 31 => {
                            Stride::new(modulus << low_width, (high.rest << low_width) | rest)
                        }
                        _ => Stride::new(1 << low_width, rest),
                    }
                }
                _ => of(low).power_of_two().bounded(low_width),
            }
        }
        Kind::Ite(_, a, b) => of(a).join(of(b)),
        Kind::Unary(UnaryOp::ZeroExtend, a) => of(a),
        Kind::Unary(UnaryOp::SignExtend, a) => match of(a).power_of_two() {
            Stride { modulus: 0, .. } => ANY,
            // The sign's copies are a multiple of every power of two up to the narrower width.
            stride => stride.bounded(terms.width(a)),
        },
        _ => ANY,
    }
}

impl Stride {
    /// Powers of two above a width say nothing.
    fn bounded(self, width: u32) -> Stride {
        match self.modulus {
            0 => Stride::new(1 << width.min(32), self.rest),
            modulus if width < 64 && modulus > 1 << width => Stride::new(1 << width, self.rest),
            _ => self,
        }
    }
}

fn add(a: Stride, b: Stride, width: u32) -> Stride {
    // A sum with a constant wraps only by a constant: the rest modulo a number that is no power of two changes then, so
    // it is kept only if the constant is small and the other is not near the end.
    let exact = match (a, b) {
        (Stride { modulus: 0, rest: c }, other) | (other, Stride { modulus: 0, rest: c })
            if c < 1 << 31 && width > 32 =>
        {
            Some((other, c))
        }
        _ => None,
    };
    if let Some((other, c)) = exact
        && let Some(rest) = other.rest.checked_add(c)
        && !other.modulus.is_power_of_two()
    {
        // Only values below the object's size are asked for, so one that has wrapped is one of an access that faults.
        return Stride::new(other.modulus, rest);
    }
    let (a, b) = (a.power_of_two(), b.power_of_two());
    let modulus = gcd(a.modulus, b.modulus);
    if modulus == 0 { ANY } else { Stride::new(modulus, a.rest % modulus + b.rest % modulus) }
}

fn times(factor: u64, operand: TermId, stride: Stride, terms: &Terms, width: u32) -> Stride {
    let narrow = match terms.kind(operand) {
        Kind::Unary(UnaryOp::ZeroExtend, a) => Some(terms.width(a)),
        _ => None,
    };
    let fits = narrow.is_some_and(|n| n + (64 - factor.leading_zeros()) < width);
    let product = match (stride.modulus.checked_mul(factor), stride.rest.checked_mul(factor)) {
        (Some(0), _) | (None, _) | (_, None) => Stride::new(factor.max(1), 0),
        (Some(modulus), Some(rest)) => Stride::new(modulus, rest),
    };
    if fits || factor == 0 { product } else { product.power_of_two() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{Assignment, BitVec, Evaluator, Sort, Value};

    /// Every value that a term takes is one that its stride allows.
    #[test]
    fn values_follow_the_stride() {
        let mut terms = Terms::new();
        let narrow = terms.symbol("i", Sort::Bv(8));
        let (i, s) = (terms.zero_extend(narrow, 64), terms.sign_extend(narrow, 64));
        let k = |terms: &mut Terms, v: u128| terms.bv(64, v);
        let (c4, c12, c8, c3) = (k(&mut terms, 4), k(&mut terms, 12), k(&mut terms, 8), k(&mut terms, 3));
        let mut list = Vec::new();
        for index in [i, s] {
            let times4 = terms.bv_mul(index, c4);
            let times12 = terms.bv_mul(index, c12);
            let shifted = terms.bv_shl(index, c3);
            let plus = terms.bv_add(times12, c8);
            let sum = terms.bv_add(times4, plus);
            let difference = terms.bv_sub(times12, times4);
            let product = terms.bv_mul(times4, shifted);
            let cond = terms.bv_ult(index, c8);
            let choice = terms.ite(cond, plus, times4);
            list.extend([times4, times12, shifted, plus, sum, difference, product, choice]);
        }
        for term in list {
            let stride = Stride::of(term, &terms);
            let symbol = terms.as_symbol(narrow).unwrap();
            for value in 0..256u128 {
                let mut assignment = Assignment::new();
                assignment.set(symbol, Value::Bv(BitVec::new(8, value)));
                let got = Evaluator::new(&assignment).value(&terms, term).as_bits().unwrap().to_u64().unwrap();
                let wrapped = got > 1 << 40;
                let fits = stride.modulus.is_power_of_two() || !wrapped;
                assert!(
                    !fits || got % stride.modulus.max(1) == stride.rest % stride.modulus.max(1),
                    "{got} {stride:?}"
                );
            }
        }
    }

    #[test]
    fn values_below_a_limit_are_counted() {
        let stride = Stride { modulus: 12, rest: 8 };
        assert_eq!(stride.below(40).collect::<Vec<_>>(), [8, 20, 32]);
        assert_eq!(stride.count_below(40), 3);
        assert_eq!(Stride { modulus: 0, rest: 3 }.below(4).collect::<Vec<_>>(), [3]);
    }
}
