//! What facts mean, executable: the judge of all that is inferred.

use crate::fact::{Arrangement, Fact, Linear, Relation, Term};
use crate::point::{NAN, Point, Scalar, VarId, float_number};
use crate::sample::{Sample, Value};

impl Fact {
    /// Whether the fact holds of a sample of the point. A fact about what the point does not have, such as a bound of an
    /// integer's kind for a float, holds of no sample.
    pub fn holds(&self, point: &Point, sample: &Sample) -> bool {
        let view = View { point, sample };
        match self {
            Fact::OneOf(term, patterns) => view.each(*term, |_, p| patterns.contains(&p)),
            Fact::Differs(term, pattern) => view.each(*term, |_, p| p != *pattern),
            Fact::AtLeast(term, least) => view.each_integer(*term, |number| number >= *least),
            Fact::AtMost(term, most) => view.each_integer(*term, |number| number <= *most),
            Fact::NotNan(term) => view.each_float(*term, |_| true),
            Fact::FloatAtLeast(term, least) => view.each_float(*term, |v| v >= f64::from_bits(*least)),
            Fact::FloatAtMost(term, most) => view.each_float(*term, |v| v <= f64::from_bits(*most)),
            Fact::Remainder { term, modulus, remainder } => {
                view.each_integer(*term, |number| number.rem_euclid(*modulus as i128) == *remainder as i128)
            }
            Fact::Bits { term, mask, value } => view.each(*term, |_, p| p & mask == *value),
            Fact::Compare(a, relation, b) => view.pairs(*a, *b, |x, y| related(*relation, x.1, y.1)),
            Fact::SameBits { left, right, mask } => view.pairs(*left, *right, |x, y| x.0 & mask == y.0 & mask),
            Fact::Linear(sum) => view.sum(sum) == Some(0),
            Fact::LinearModulo(sum, bits) => {
                // What is lost beyond 128 bits is a multiple of any such power.
                view.wrapped_sum(sum).is_some_and(|s| *bits <= 64 && s & ((1i128 << bits) - 1) == 0)
            }
            Fact::Arranged(array, arrangement) => view.steps(*array, |a, b| arranged(*arrangement, a, b)),
            Fact::Step(array, step) => view.is_integer_array(*array) && view.steps(*array, |a, b| b - a == *step),
            Fact::Indexed { array, factor, offset } => {
                let fits = |(i, e): (usize, i128)| factor.checked_mul(i as i128)?.checked_add(*offset).map(|v| v == e);
                view.is_integer_array(*array)
                    && view.numbers(*array).into_iter().enumerate().all(|pair| fits(pair) == Some(true))
            }
            Fact::Pointwise(a, relation, b) => {
                let (a, b) = (view.numbers(*a), view.numbers(*b));
                a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| related(*relation, *x, *y))
            }
            Fact::Member(term, array) => {
                let elements = view.numbers(*array);
                view.each(*term, |number, _| elements.iter().any(|e| related(Relation::Equal, number, *e)))
            }
            Fact::Any(facts) => facts.iter().any(|fact| fact.holds(point, sample)),
            Fact::Implies(condition, fact) => !condition.holds(point, sample) || fact.holds(point, sample),
        }
    }
}

/// Of the numbers of two values.
pub(crate) fn related(relation: Relation, a: i128, b: i128) -> bool {
    let is_nan = a == NAN || b == NAN;
    match relation {
        Relation::Equal => !is_nan && a == b,
        Relation::Less => !is_nan && a < b,
        Relation::LessOrEqual => !is_nan && a <= b,
        Relation::NotEqual => is_nan || a != b,
    }
}

fn arranged(arrangement: Arrangement, a: i128, b: i128) -> bool {
    match arrangement {
        Arrangement::Uniform => related(Relation::Equal, a, b),
        Arrangement::StrictlyUp => related(Relation::Less, a, b),
        Arrangement::StrictlyDown => related(Relation::Less, b, a),
        Arrangement::Up => related(Relation::LessOrEqual, a, b),
        Arrangement::Down => related(Relation::LessOrEqual, b, a),
    }
}

struct View<'a> {
    point: &'a Point,
    sample: &'a Sample,
}

impl View<'_> {
    fn array(&self, var: VarId) -> &[u64] {
        match &self.sample.values[var.0 as usize] {
            Value::Array(elements) => elements,
            Value::Scalar(_) => &[],
        }
    }

    fn numbers(&self, array: VarId) -> Vec<i128> {
        let Some(scalar) = Term::Each(array).scalar(self.point) else { return Vec::new() };
        self.array(array).iter().map(|e| scalar.number(*e)).collect()
    }

    fn is_integer_array(&self, array: VarId) -> bool {
        Term::Each(array).scalar(self.point).is_some_and(Scalar::is_integer)
    }

    /// The patterns that a term stands for: one, or those of all elements.
    fn patterns(&self, term: Term) -> Option<(Scalar, &[u64], u64)> {
        let scalar = term.scalar(self.point)?;
        Some(match (term, &self.sample.values[term.variable().0 as usize]) {
            (Term::Var(_), Value::Scalar(pattern)) => (scalar, std::slice::from_ref(pattern), 0),
            (Term::Size(_), Value::Array(elements)) => (scalar, &[], elements.len() as u64),
            (Term::Each(_), Value::Array(elements)) => (scalar, elements, 0),
            _ => return None,
        })
    }

    /// Whether a condition on number and pattern holds of all that a term stands for.
    fn each(&self, term: Term, condition: impl Fn(i128, u64) -> bool) -> bool {
        match (term, self.patterns(term)) {
            (_, None) => false,
            (Term::Size(_), Some((scalar, _, size))) => condition(scalar.number(size), size),
            (_, Some((scalar, list, _))) => list.iter().all(|p| condition(scalar.number(*p), *p)),
        }
    }

    fn each_integer(&self, term: Term, condition: impl Fn(i128) -> bool) -> bool {
        term.scalar(self.point).is_some_and(Scalar::is_integer) && self.each(term, |number, _| condition(number))
    }

    fn each_float(&self, term: Term, condition: impl Fn(f64) -> bool) -> bool {
        let Some(scalar @ Scalar::Float(_)) = term.scalar(self.point) else { return false };
        self.each(term, |_, pattern| {
            let value = scalar.float(pattern);
            float_number(value) != NAN && condition(value)
        })
    }

    /// Whether a condition holds of each pair of what two terms stand for, as pattern and number.
    fn pairs(&self, a: Term, b: Term, condition: impl Fn((u64, i128), (u64, i128)) -> bool) -> bool {
        self.each(a, |x, p| self.each(b, |y, q| condition((p, x), (q, y))))
    }

    fn steps(&self, array: VarId, condition: impl Fn(i128, i128) -> bool) -> bool {
        self.numbers(array).windows(2).all(|pair| condition(pair[0], pair[1]))
    }

    /// The number of an integer.
    fn integer(&self, term: Term) -> Option<i128> {
        let (scalar, list, size) = self.patterns(term)?;
        match term {
            Term::Var(_) if scalar.is_integer() => Some(scalar.number(*list.first()?)),
            Term::Size(_) => Some(size as i128),
            _ => None,
        }
    }

    fn sum(&self, sum: &Linear) -> Option<i128> {
        let mut total = sum.constant();
        for (factor, term) in sum.terms() {
            total = total.checked_add((*factor as i128).checked_mul(self.integer(*term)?)?)?;
        }
        Some(total)
    }

    fn wrapped_sum(&self, sum: &Linear) -> Option<i128> {
        let mut total = sum.constant();
        for (factor, term) in sum.terms() {
            total = total.wrapping_add((*factor as i128).wrapping_mul(self.integer(*term)?));
        }
        Some(total)
    }
}
