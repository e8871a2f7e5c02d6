//! Comparisons of two terms, closed under transitivity.

use super::{Known, Sign};
use crate::fact::{Fact, Relation, Term};
use crate::point::Scalar;

#[derive(Clone)]
pub struct Orders {
    count: usize,
    /// Row by row: whether a term is at most another, and if so whether it is less.
    below: Vec<Option<bool>>,
}

impl Orders {
    pub fn new(count: usize) -> Orders {
        Orders { count, below: vec![None; count * count] }
    }

    fn get(&self, a: usize, b: usize) -> Option<bool> {
        if a == b { Some(false) } else { self.below[a * self.count + b] }
    }

    /// `through` says of a term whether orders may be composed there.
    fn add(&mut self, a: usize, b: usize, strict: bool, through: &dyn Fn(usize) -> bool) {
        let ends = |from: usize, of: &dyn Fn(usize) -> Option<bool>| -> Vec<(usize, bool)> {
            let others = (0..self.count).filter(|other| *other == from || through(from));
            others.filter_map(|other| of(other).map(|strict| (other, strict))).collect()
        };
        let below = ends(a, &|x| self.get(x, a));
        let above = ends(b, &|y| self.get(b, y));
        for (x, first) in &below {
            for (y, last) in &above {
                let cell = &mut self.below[x * self.count + y];
                *cell = Some(cell.unwrap_or(false) || strict || *first || *last);
            }
        }
    }
}

impl Known {
    pub(super) fn assume_order(&mut self, a: Term, b: Term, strict: bool) {
        let terms = self.terms.clone();
        let (Some(x), Some(y)) = (terms.index.get(&a), terms.index.get(&b)) else { return };
        // Of an empty array every element is less and greater than anything.
        let through = |at: usize| !matches!(terms.list[at].0, Term::Each(_));
        self.orders.add(*x, *y, strict, &through);
        if matches!(terms.list[*x].1, Scalar::Float(_)) {
            for (term, other) in [(a, b), (b, a)] {
                if !matches!(other, Term::Each(_)) {
                    self.narrow(term, |range| range.may_be_nan = false);
                }
            }
        }
    }

    fn order(&self, a: Term, b: Term) -> Option<bool> {
        let (x, y) = (*self.terms.index.get(&a)?, *self.terms.index.get(&b)?);
        if x == y && matches!(self.terms.list[x], (Term::Each(_), _) | (_, Scalar::Float(_))) {
            return None;
        }
        self.orders.get(x, y)
    }

    pub(super) fn compares(&self, a: Term, relation: Relation, b: Term) -> bool {
        match relation {
            Relation::Equal => self.are_equal(a, b),
            Relation::Less => self.is_below(a, b, true),
            Relation::LessOrEqual => self.is_below(a, b, false),
            Relation::NotEqual => {
                self.facts.contains(&Fact::Compare(a, relation, b))
                    || self.is_below(a, b, true)
                    || self.is_below(b, a, true)
                    || self.never_equal(a, b)
            }
        }
    }

    fn are_equal(&self, a: Term, b: Term) -> bool {
        let same_scalar = || {
            let is_scalar = |term: Term| !matches!(term, Term::Each(_));
            is_scalar(a)
                && is_scalar(b)
                && !matches!(self.scalar(a), Some(Scalar::Float(_)))
                && self.at(a) == self.at(b)
        };
        let both_orders = || self.order(a, b).is_some() && self.order(b, a).is_some();
        let by_equations = || self.integer_row([(1, a), (-1, b)], 0).is_some_and(|row| self.equations.is_zero(&row));
        let by_bounds = || match (self.range(a), self.range(b)) {
            (Some(x), Some(y)) => x.constant().is_some() && x.constant() == y.constant(),
            _ => false,
        };
        same_scalar() || both_orders() || by_equations() || by_bounds()
    }

    fn is_below(&self, a: Term, b: Term, strict: bool) -> bool {
        let by_order = match self.order(a, b) {
            Some(is_strict) => is_strict || !strict,
            None => false,
        };
        let by_bounds = match (self.range(a), self.range(b)) {
            (Some(x), Some(y)) if !x.may_be_nan && !y.may_be_nan => {
                let (most, least) = (x.tight_most(), y.tight_least());
                if strict { most < least } else { most <= least }
            }
            _ => false,
        };
        let sign = if strict { Sign::Positive } else { Sign::NotNegative };
        by_order || by_bounds || self.sum_is(sign, [(1, b), (-1, a)], 0) || !strict && self.are_equal(a, b)
    }

    fn never_equal(&self, a: Term, b: Term) -> bool {
        let is_float = matches!(self.scalar(a), Some(Scalar::Float(_)));
        let by_values = match (self.range(a), self.range(b)) {
            (Some(x), Some(y)) if !is_float => x.has_no_number_of(y) || y.has_no_number_of(x),
            _ => false,
        };
        by_values || self.sum_is(Sign::NotZero, [(1, a), (-1, b)], 0)
    }
}
