//! The language of facts. What each means is in its comment and, executable, in `holds.rs`.

use crate::point::{Point, Scalar, Sort, VarId};

/// What a fact speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Term {
    /// The value of a scalar variable.
    Var(VarId),
    /// The number of elements of an array.
    Size(VarId),
    /// Every element of an array: a fact about it holds if it holds of each, and so of an empty array.
    Each(VarId),
}

impl Term {
    pub fn variable(self) -> VarId {
        match self {
            Term::Var(var) | Term::Size(var) | Term::Each(var) => var,
        }
    }

    /// `None` where the variable's sort has no such term.
    pub fn scalar(self, point: &Point) -> Option<Scalar> {
        match (self, point.variable(self.variable()).sort) {
            (Term::Var(_), Sort::Scalar(scalar)) => Some(scalar),
            (Term::Size(_), Sort::Array { .. }) => Some(Scalar::Int { bits: 64, signed: false }),
            (Term::Each(_), Sort::Array { element, .. }) => Some(element),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Relation {
    Equal,
    Less,
    LessOrEqual,
    NotEqual,
}

/// How an array's elements follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Arrangement {
    /// All elements are equal.
    Uniform,
    StrictlyUp,
    StrictlyDown,
    Up,
    Down,
}

/// Multiples of terms and a constant, added up: of one term at least, each once and in order, the first with a positive factor.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Linear {
    terms: Vec<(i64, Term)>,
    constant: i128,
}

/// The largest factor and constant of a sum. Sums of them and of 64-bit numbers fit into 128 bits.
pub(crate) const MAX_FACTOR: i128 = i64::MAX as i128;
pub(crate) const MAX_CONSTANT: i128 = 1 << 126;
const MAX_TERMS: usize = 4;

impl Linear {
    /// Puts the sum into its normal form: divided by what all factors and the constant have in common. `None` if no term is
    /// left, or the numbers or terms are too many.
    pub fn new(terms: impl IntoIterator<Item = (i128, Term)>, constant: i128) -> Option<Linear> {
        let mut merged: Vec<(i128, Term)> = Vec::new();
        for (factor, term) in terms {
            match merged.iter_mut().find(|(_, t)| *t == term) {
                Some((sum, _)) => *sum = sum.checked_add(factor)?,
                None => merged.push((factor, term)),
            }
        }
        merged.retain(|(factor, _)| *factor != 0);
        merged.sort_by_key(|(_, term)| *term);
        let first = merged.first()?.0;
        let common = merged.iter().fold(constant.unsigned_abs(), |g, (factor, _)| gcd(g, factor.unsigned_abs()));
        let divisor = if first < 0 { -(common as i128) } else { common as i128 };
        let small = |factor: &i128| factor.abs() <= MAX_FACTOR;
        let constant = constant / divisor;
        let factors: Vec<i128> = merged.iter().map(|(factor, _)| factor / divisor).collect();
        if merged.len() > MAX_TERMS || constant.abs() > MAX_CONSTANT || !factors.iter().all(small) {
            return None;
        }
        let terms = factors.iter().zip(&merged).map(|(factor, (_, term))| (*factor as i64, *term)).collect();
        Some(Linear { terms, constant })
    }

    pub fn terms(&self) -> &[(i64, Term)] {
        &self.terms
    }

    pub fn constant(&self) -> i128 {
        self.constant
    }
}

pub fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// "Number" below is an integer's mathematical value by its sort, 0 or 1 for a truth value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Fact {
    /// The bit pattern is one of these, which are sorted. For floats that is bitwise: 0.0 is not -0.0.
    OneOf(Term, Vec<u64>),
    /// Equality is of numbers and addresses; of floats as IEEE 754 has it: a NaN equals nothing and is less than nothing,
    /// 0.0 equals -0.0.
    Compare(Term, Relation, Term),
    /// The sum of factors times numbers, and the constant, is zero over the integers.
    Linear(Linear),
    /// The sum is a multiple of two to this power. The terms are integers.
    LinearModulo(Linear, u32),
    /// The number is at least this.
    AtLeast(Term, i128),
    AtMost(Term, i128),
    /// The float is no NaN.
    NotNan(Term),
    /// The float is no NaN and at least the float with this pattern of 64 bits.
    FloatAtLeast(Term, u64),
    FloatAtMost(Term, u64),
    /// The bit pattern is not this; of arrays, that none of the elements is.
    Differs(Term, u64),
    /// The number leaves this remainder, which is at least zero, with the modulus, which is at least 2.
    Remainder {
        term: Term,
        modulus: u64,
        remainder: u64,
    },
    /// The bits of the mask are these.
    Bits {
        term: Term,
        mask: u64,
        value: u64,
    },
    /// Both patterns are the same under the mask.
    SameBits {
        left: Term,
        right: Term,
        mask: u64,
    },
    Arranged(VarId, Arrangement),
    /// Each element is the one before plus the step, as numbers.
    Step(VarId, i128),
    /// The element at index `i` is `factor * i + offset`, as numbers.
    Indexed {
        array: VarId,
        factor: i128,
        offset: i128,
    },
    /// Both arrays have one size, and elements at one index have the relation.
    Pointwise(VarId, Relation, VarId),
    /// Some element equals the scalar.
    Member(Term, VarId),
    /// One of several holds.
    Any(Vec<Fact>),
    /// The second holds wherever the first does.
    Implies(Box<Fact>, Box<Fact>),
}

impl Fact {
    pub fn constant(term: Term, pattern: u64) -> Fact {
        Fact::OneOf(term, vec![pattern])
    }

    pub fn equal(a: Term, b: Term) -> Fact {
        Fact::Compare(a, Relation::Equal, b)
    }

    /// The variables that it is about, sorted.
    pub fn variables(&self) -> Vec<VarId> {
        let mut list = Vec::new();
        self.collect(&mut list);
        list.sort();
        list.dedup();
        list
    }

    fn collect(&self, list: &mut Vec<VarId>) {
        match self {
            Fact::OneOf(term, _)
            | Fact::AtLeast(term, _)
            | Fact::AtMost(term, _)
            | Fact::NotNan(term)
            | Fact::FloatAtLeast(term, _)
            | Fact::FloatAtMost(term, _)
            | Fact::Differs(term, _)
            | Fact::Remainder { term, .. }
            | Fact::Bits { term, .. } => list.push(term.variable()),
            Fact::Compare(a, _, b) | Fact::SameBits { left: a, right: b, .. } => {
                list.extend([a.variable(), b.variable()])
            }
            Fact::Linear(sum) | Fact::LinearModulo(sum, _) => {
                list.extend(sum.terms.iter().map(|(_, term)| term.variable()))
            }
            Fact::Arranged(array, _) | Fact::Step(array, _) | Fact::Indexed { array, .. } => list.push(*array),
            Fact::Pointwise(a, _, b) => list.extend([*a, *b]),
            Fact::Member(term, array) => list.extend([term.variable(), *array]),
            Fact::Any(facts) => facts.iter().for_each(|fact| fact.collect(list)),
            Fact::Implies(condition, fact) => {
                condition.collect(list);
                fact.collect(list);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_a_normal_form() {
        let (x, y) = (Term::Var(VarId(0)), Term::Var(VarId(1)));
        let sum = Linear::new([(4, y), (-2, x), (0, Term::Size(VarId(2)))], 6).unwrap();
        assert_eq!((sum.terms(), sum.constant()), (&[(1, x), (-2, y)][..], -3));
        assert_eq!(Linear::new([(1, x), (-1, x)], 1), None);
        assert_eq!(Linear::new([(MAX_FACTOR + 1, x), (1, y)], 0), None);
    }
}
