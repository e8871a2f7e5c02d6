//! Which values a term can have: those with a rest modulo a number.
//!
//! Numbers wrap at their width, so a multiple of 12 that was multiplied out may be any multiple of 4. Numbers that
//! are no powers of two are kept only where nothing can wrap: where products and sums of the greatest values do not.

use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::terms::{TermId, Terms};
use rustc_hash::FxHashMap;

/// All values that are `rest` modulo `modulus`; with modulus 0 only `rest` itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stride {
    pub modulus: u64,
    pub rest: u64,
    most: u64,
}

const ANY: Stride = Stride { modulus: 1, rest: 0, most: u64::MAX };

/// The strides of an arena's terms, each computed once.
#[derive(Default, Debug)]
pub struct Strides {
    known: FxHashMap<TermId, Stride>,
}

impl Strides {
    /// The terms are always those of one arena.
    pub fn of(&mut self, root: TermId, terms: &Terms) -> Stride {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            let waiting = stack.len();
            let needed = operands(term, terms).into_iter().flatten();
            stack.extend(needed.filter(|operand| !self.known.contains_key(operand)));
            if stack.len() == waiting {
                let found = stride(term, terms, |operand| self.known[&operand]);
                self.known.insert(term, found);
                stack.pop();
            }
        }
        self.known[&root]
    }
}

/// The operands whose strides say something about that of the term.
fn operands(term: TermId, terms: &Terms) -> [Option<TermId>; 2] {
    match terms.kind(term) {
        Kind::Binary(BinaryOp::BvAdd | BinaryOp::BvSub | BinaryOp::BvMul | BinaryOp::Concat, a, b) => {
            [Some(a), Some(b)]
        }
        Kind::Binary(BinaryOp::BvShl, a, _) => [Some(a), None],
        Kind::Ite(_, a, b) if terms.width(term) > 0 => [Some(a), Some(b)],
        Kind::Unary(UnaryOp::ZeroExtend | UnaryOp::SignExtend, a) => [Some(a), None],
        _ => [None, None],
    }
}

impl Stride {
    /// No value is greater.
    pub fn most(self) -> u64 {
        self.most
    }

    /// The rest modulo another number, where there is only one.
    pub fn rest_of(self, unit: u64) -> Option<u64> {
        (unit == 1 || self.modulus.is_multiple_of(unit)).then_some(self.rest % unit)
    }

    /// The values below a limit.
    pub fn below(self, limit: u64) -> impl Iterator<Item = u64> {
        let step = if self.modulus == 0 { u64::MAX } else { self.modulus };
        let limit = self.limit(limit);
        std::iter::successors(Some(self.rest), move |at| at.checked_add(step)).take_while(move |at| *at < limit)
    }

    /// How many values there are below a limit.
    pub fn count_below(self, limit: u64) -> u64 {
        let limit = self.limit(limit);
        match self.modulus {
            0 => u64::from(self.rest < limit),
            modulus => limit.saturating_sub(self.rest).div_ceil(modulus),
        }
    }

    fn limit(self, limit: u64) -> u64 {
        self.most.checked_add(1).map_or(limit, |most| most.min(limit))
    }

    fn new(modulus: u64, rest: u64) -> Stride {
        match modulus {
            0 => Stride { modulus, rest, most: rest },
            _ => Stride { modulus, rest: rest % modulus, most: u64::MAX },
        }
    }

    fn at_most(self, most: u64) -> Stride {
        Stride { most: self.most.min(most), ..self }
    }

    fn join(self, other: Stride) -> Stride {
        let distance = self.rest.abs_diff(other.rest);
        let joined = Stride::new(gcd(gcd(self.modulus, other.modulus), distance), self.rest);
        Stride { most: self.most.max(other.most), ..joined }
    }

    /// What stays true of a sum that may wrap.
    fn power_of_two(self) -> Stride {
        match self.modulus {
            0 => self,
            modulus => Stride::new(1 << modulus.trailing_zeros(), self.rest).at_most(self.most),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The stride of a term, from those of its [`operands`].
fn stride(term: TermId, terms: &Terms, of: impl Fn(TermId) -> Stride) -> Stride {
    if let Some(value) = terms.as_u64(term) {
        return Stride::new(0, value);
    }
    let width = terms.width(term);
    let found = match terms.kind(term) {
        Kind::Binary(BinaryOp::BvAdd, a, b) => add(of(a), of(b), width),
        Kind::Binary(BinaryOp::BvSub, a, b) => {
            let (a, b) = (of(a).power_of_two(), of(b).power_of_two());
            let modulus = gcd(a.modulus, b.modulus);
            if modulus == 0 { ANY } else { Stride::new(modulus, modulus + a.rest % modulus - b.rest % modulus) }
        }
        Kind::Binary(BinaryOp::BvMul, a, b) => match (terms.as_u64(a), terms.as_u64(b)) {
            (Some(factor), _) => times(factor, of(b), width),
            (_, Some(factor)) => times(factor, of(a), width),
            (None, None) => {
                let twos = |s: Stride| if s.rest == 0 { s.modulus.trailing_zeros().min(32) } else { 0 };
                Stride::new(1 << (twos(of(a)) + twos(of(b))).min(32), 0)
            }
        },
        Kind::Binary(BinaryOp::BvShl, a, count) => match terms.as_u64(count) {
            Some(count) if count < 32 => times(1 << count, of(a), width),
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
        Kind::Ite(_, a, b) if width > 0 => of(a).join(of(b)),
        Kind::Unary(UnaryOp::ZeroExtend, a) => of(a),
        Kind::Unary(UnaryOp::SignExtend, a) => match of(a).power_of_two() {
            Stride { modulus: 0, .. } => ANY,
            // The sign's copies are a multiple of every power of two up to the narrower width.
            stride => Stride { most: u64::MAX, ..stride.bounded(terms.width(a)) },
        },
        _ => ANY,
    };
    found.at_most(greatest(width))
}

/// The greatest number of so many bits.
fn greatest(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
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
    let most = a.most.checked_add(b.most).filter(|most| *most <= greatest(width));
    let (a, b) = if most.is_some() { (a, b) } else { (a.power_of_two(), b.power_of_two()) };
    let modulus = gcd(a.modulus, b.modulus);
    if modulus == 0 {
        return ANY;
    }
    Stride::new(modulus, a.rest % modulus + b.rest % modulus).at_most(most.unwrap_or(u64::MAX))
}

fn times(factor: u64, stride: Stride, width: u32) -> Stride {
    let most = stride.most.checked_mul(factor).filter(|most| *most <= greatest(width));
    let product = match (stride.modulus.checked_mul(factor), stride.rest.checked_mul(factor)) {
        (Some(0), _) | (None, _) | (_, None) => Stride::new(factor.max(1), 0),
        (Some(modulus), Some(rest)) => Stride::new(modulus, rest),
    };
    match most {
        Some(most) => product.at_most(most),
        None => product.power_of_two(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitvec::BitVec;
    use crate::eval::{Assignment, Evaluator};
    use crate::sort::Sort;
    use crate::value::Value;

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
            // A number just below zero, from which a constant leads back.
            let (less, more) = (k(&mut terms, (1 << 64) - 4), k(&mut terms, 16));
            let negative = terms.ite(cond, times12, less);
            let back = terms.bv_add(negative, more);
            let far = terms.bv_add(negative, times12);
            list.extend([times4, times12, shifted, plus, sum, difference, product, choice, negative, back, far]);
        }
        for term in list {
            let stride = Strides::default().of(term, &terms);
            let symbol = terms.as_symbol(narrow).unwrap();
            for value in 0..256u128 {
                let mut assignment = Assignment::new();
                assignment.set(symbol, Value::Bv(BitVec::new(8, value)));
                let got = Evaluator::new(&assignment).value(&terms, term).as_bits().unwrap().to_u64().unwrap();
                assert!(got % stride.modulus.max(1) == stride.rest % stride.modulus.max(1), "{got} {stride:?}");
                assert!(got <= stride.most, "{got} {stride:?}");
            }
        }
    }

    /// Choices among constants, one in the other: as pointers that lead through a list have them.
    #[test]
    fn deep_choices_have_a_stride() {
        let mut terms = Terms::new();
        let mut offset = terms.bv(64, 0);
        for i in 1..10_000u128 {
            let condition = terms.fresh_symbol("c", Sort::Bool);
            let other = terms.bv(64, i % 15 * 16);
            offset = terms.ite(condition, other, offset);
        }
        let eight = terms.bv(64, 8);
        let field = terms.bv_add(offset, eight);
        let stride = Strides::default().of(field, &terms);
        assert_eq!((stride.modulus, stride.rest, stride.most()), (16, 8, 14 * 16 + 8));
        assert_eq!(stride.count_below(1000), 15);
    }

    #[test]
    fn values_below_a_limit_are_counted() {
        let stride = Stride::new(12, 8);
        assert_eq!(stride.below(40).collect::<Vec<_>>(), [8, 20, 32]);
        assert_eq!(stride.count_below(40), 3);
        assert_eq!(Stride::new(0, 3).below(4).collect::<Vec<_>>(), [3]);
    }
}
