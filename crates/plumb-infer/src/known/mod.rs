//! What reported facts imply, by small rules.
//!
//! Facts are assumed one after the other and tested for following from those before. A rule that is missing makes a list of facts
//! longer, never wrong; that none is wrong the laws check by enumeration (`tests/laws.rs`).
//!
//! ```text
//!   ranges    values, bounds, remainders and bits of one term
//!   equations linear combinations, over the integers and modulo powers of two
//!   orders    comparisons, closed under transitivity
//!   arrays    how elements follow each other
//! ```

mod arrays;
mod equations;
#[cfg(test)]
mod laws;
mod orders;
mod ranges;

use crate::fact::{Fact, Linear, Relation, Term};
use crate::point::{Scalar, Sort, VarId};
use crate::schema::Schema;
use equations::Equations;
use orders::Orders;
use ranges::Range;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Of a sum that is a multiple of every power of two.
const ZERO: u32 = u32::MAX;

/// The terms of a point by number: columns, then the elements of arrays.
struct Terms {
    list: Vec<(Term, Scalar)>,
    index: FxHashMap<Term, usize>,
    /// Arrays of which every sample has the same number of elements.
    lengths: FxHashMap<VarId, u32>,
}

#[derive(Clone)]
pub struct Known {
    terms: Arc<Terms>,
    /// The first of equal terms: of integers, pointers, and elements of arrays that are equal pointwise.
    leaders: Vec<usize>,
    /// By leader.
    ranges: Vec<Range>,
    equations: Equations,
    orders: Orders,
    /// Sums that are multiples of two to a power, or [`ZERO`].
    sums: Vec<(Linear, u32)>,
    /// Those that no other part keeps.
    facts: FxHashSet<Fact>,
}

impl Known {
    pub fn new(schema: &Schema) -> Known {
        let mut list: Vec<(Term, Scalar)> = schema.columns.iter().map(|column| (column.term, column.scalar)).collect();
        list.extend(schema.arrays.iter().map(|array| (Term::Each(array.var), array.element)));
        let index = list.iter().enumerate().map(|(at, (term, _))| (*term, at)).collect();
        let ranges = list.iter().map(|(_, scalar)| Range::of(*scalar)).collect();
        let length = |var: VarId| match schema.point.variable(var).sort {
            Sort::Array { len: Some(len), .. } => Some((var, len)),
            _ => None,
        };
        let lengths = schema.point.ids().filter_map(length).collect();
        let count = list.len();
        Known {
            terms: Arc::new(Terms { list, index, lengths }),
            leaders: (0..count).collect(),
            ranges,
            equations: Equations::new(count),
            orders: Orders::new(count),
            sums: Vec::new(),
            facts: FxHashSet::default(),
        }
    }

    fn at(&self, term: Term) -> Option<usize> {
        self.terms.index.get(&term).map(|at| self.leaders[*at])
    }

    fn scalar(&self, term: Term) -> Option<Scalar> {
        self.terms.index.get(&term).map(|at| self.terms.list[*at].1)
    }

    fn range(&self, term: Term) -> Option<&Range> {
        self.at(term).map(|at| &self.ranges[at])
    }

    /// The fact holds from now on.
    pub fn assume(&mut self, fact: &Fact) {
        match fact {
            Fact::OneOf(term, patterns) => self.assume_values(*term, patterns),
            Fact::Compare(a, Relation::Equal, b) => self.assume_equal(*a, *b),
            Fact::Compare(a, relation @ (Relation::Less | Relation::LessOrEqual), b) => {
                self.assume_order(*a, *b, *relation == Relation::Less)
            }
            Fact::Linear(sum) => {
                let row = self.integer_row(sum.terms().iter().map(|(f, t)| (*f as i128, *t)), sum.constant());
                if let Some(row) = row {
                    self.equations.assume(&row);
                    self.sums.push((sum.clone(), ZERO));
                }
            }
            Fact::LinearModulo(sum, bits) => {
                let row = self.integer_row(sum.terms().iter().map(|(f, t)| (*f as i128, *t)), sum.constant());
                if let Some(row) = row {
                    self.equations.assume_modulo(&row, *bits);
                    self.sums.push((sum.clone(), *bits));
                }
            }
            Fact::AtLeast(term, number) => self.narrow(*term, |range| range.least = range.least.max(*number)),
            Fact::AtMost(term, number) => self.narrow(*term, |range| range.most = range.most.min(*number)),
            Fact::NotNan(term) => self.narrow(*term, |range| range.may_be_nan = false),
            Fact::FloatAtLeast(term, pattern) => self.narrow(*term, |range| range.float_at_least(*pattern)),
            Fact::FloatAtMost(term, pattern) => self.narrow(*term, |range| range.float_at_most(*pattern)),
            Fact::Differs(term, pattern) => {
                if let Some(scalar) = self.scalar(*term).filter(|s| !matches!(s, Scalar::Float(_))) {
                    let number = scalar.number(*pattern);
                    self.narrow(*term, |range| range.excluded.push(number));
                }
            }
            Fact::Remainder { term, modulus, remainder } => {
                self.narrow(*term, |range| range.remainders.push((*modulus, *remainder)));
                self.assume_low_bits(*term, modulus.trailing_zeros(), *remainder);
            }
            Fact::Bits { term, mask, value } => {
                if let Some(scalar) = self.scalar(*term) {
                    self.narrow(*term, |range| range.bits.push((scalar.bits(), *mask, *value)));
                }
                self.assume_low_bits(*term, mask.trailing_ones(), *value);
            }
            Fact::SameBits { left, right, mask } => {
                self.facts.insert(fact.clone());
                self.assume_same_low_bits(*left, *right, mask.trailing_ones());
            }
            Fact::Pointwise(a, Relation::Equal, b) => self.assume_same_array(*a, *b, fact),
            Fact::Indexed { array, factor, offset } => {
                self.facts.insert(self.normal(fact));
                self.assume_indexed(*array, *factor, *offset);
            }
            Fact::Compare(_, Relation::NotEqual, _)
            | Fact::Arranged(..)
            | Fact::Step(..)
            | Fact::Pointwise(..)
            | Fact::Member(..)
            | Fact::Any(_)
            | Fact::Implies(..) => {
                self.facts.insert(self.normal(fact));
            }
        }
    }

    /// Whether the fact follows.
    pub fn implies(&self, fact: &Fact) -> bool {
        match fact {
            Fact::OneOf(term, patterns) => self.has_values(*term, patterns),
            Fact::AtLeast(term, number) => {
                self.range(*term).is_some_and(|range| range.tight_least() >= *number)
                    || self.sum_is(Sign::NotNegative, [(1, *term)], -number)
            }
            Fact::AtMost(term, number) => {
                self.range(*term).is_some_and(|range| range.tight_most() <= *number)
                    || self.sum_is(Sign::NotNegative, [(-1, *term)], *number)
            }
            Fact::NotNan(term) => self.range(*term).is_some_and(|range| !range.may_be_nan),
            Fact::FloatAtLeast(term, pattern) => self.range(*term).is_some_and(|r| r.is_float_at_least(*pattern)),
            Fact::FloatAtMost(term, pattern) => self.range(*term).is_some_and(|r| r.is_float_at_most(*pattern)),
            Fact::Differs(term, pattern) => self.excludes(*term, *pattern),
            Fact::Remainder { term, modulus, remainder } => self.has_remainder(*term, *modulus, *remainder),
            Fact::Bits { term, mask, value } => self.has_bits(*term, *mask, *value),
            Fact::SameBits { left, right, mask } => self.have_same_bits(*left, *right, *mask),
            Fact::Compare(a, relation, b) => self.compares(*a, *relation, *b),
            Fact::Linear(sum) => {
                let row = self.integer_row(sum.terms().iter().map(|(f, t)| (*f as i128, *t)), sum.constant());
                row.is_some_and(|row| self.equations.is_zero(&row))
            }
            Fact::LinearModulo(sum, bits) => {
                let row = self.integer_row(sum.terms().iter().map(|(f, t)| (*f as i128, *t)), sum.constant());
                row.is_some_and(|row| self.equations.is_multiple(&row, *bits))
            }
            Fact::Any(facts) => self.facts.contains(fact) || facts.iter().any(|one| self.implies(one)),
            Fact::Implies(condition, then) => self.facts.contains(fact) || self.implies(then) || condition == then,
            Fact::Arranged(..) | Fact::Step(..) | Fact::Indexed { .. } | Fact::Pointwise(..) | Fact::Member(..) => {
                self.has_array_fact(fact)
            }
        }
    }

    fn narrow(&mut self, term: Term, change: impl FnOnce(&mut Range)) {
        if let Some(at) = self.at(term) {
            change(&mut self.ranges[at]);
        }
    }

    fn assume_equal(&mut self, a: Term, b: Term) {
        self.assume_order(a, b, false);
        self.assume_order(b, a, false);
        let is_each = |term: Term| matches!(term, Term::Each(_));
        let is_float = |term: Term| matches!(self.scalar(term), Some(Scalar::Float(_)));
        // An empty array has no element that could be equal; equal floats may have different bits.
        if is_each(a) || is_each(b) || is_float(a) || is_float(b) {
            return;
        }
        if let Some(row) = self.integer_row([(1, a), (-1, b)], 0) {
            self.equations.assume(&row);
        }
        self.unite(a, b);
    }

    /// The two terms are one from now on.
    fn unite(&mut self, a: Term, b: Term) {
        let (Some(a), Some(b)) = (self.at(a), self.at(b)) else { return };
        let (first, second) = (a.min(b), a.max(b));
        if first == second {
            return;
        }
        let other = self.ranges[second].clone();
        self.ranges[first].meet(other);
        self.leaders.iter_mut().filter(|leader| **leader == second).for_each(|leader| *leader = first);
    }

    /// A sum of integers and pointers as a row of factors by term, the constant last. `None` with other terms.
    fn integer_row(&self, parts: impl IntoIterator<Item = (i128, Term)>, constant: i128) -> Option<Vec<i128>> {
        let mut row = vec![0i128; self.terms.list.len() + 1];
        for (factor, term) in parts {
            let at = *self.terms.index.get(&term)?;
            if matches!(term, Term::Each(_)) || matches!(self.terms.list[at].1, Scalar::Float(_)) {
                return None;
            }
            row[at] += factor;
        }
        row[self.terms.list.len()] = constant;
        Some(row)
    }

    /// Whether a sum always has the sign.
    fn sum_is(&self, sign: Sign, parts: impl IntoIterator<Item = (i128, Term)>, constant: i128) -> bool {
        let Some(row) = self.integer_row(parts, constant) else { return false };
        let bounds = |at: usize| {
            let range = &self.ranges[self.leaders[at]];
            (range.tight_least(), range.tight_most())
        };
        self.equations.bounds(&row, &bounds).into_iter().any(|(least, most)| match sign {
            Sign::NotNegative => least >= 0,
            Sign::Positive => least > 0,
            Sign::NotZero => least > 0 || most < 0,
        })
    }
}

/// What the sign of a sum may be asked to be.
#[derive(Clone, Copy)]
enum Sign {
    NotNegative,
    Positive,
    NotZero,
}
