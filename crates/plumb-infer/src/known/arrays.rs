//! How elements of arrays follow each other.

use super::Known;
use crate::fact::{Arrangement, Fact, Relation, Term};
use crate::point::{Scalar, VarId};

impl Known {
    /// Two arrays are equal element by element: facts about one are facts about the other.
    pub(super) fn assume_same_array(&mut self, a: VarId, b: VarId, fact: &Fact) {
        self.facts.insert(fact.clone());
        let (x, y) = (self.scalar(Term::Each(a)), self.scalar(Term::Each(b)));
        if x == y && !matches!(x, Some(Scalar::Float(_))) {
            self.unite(Term::Each(a), Term::Each(b));
        }
        self.assume_size(a, b);
    }

    /// Of an array of fixed length every element is one of a few.
    pub(super) fn assume_indexed(&mut self, array: VarId, factor: i128, offset: i128) {
        const MAX_LENGTH: u32 = 64;
        let term = Term::Each(array);
        let (Some(scalar), Some(length)) = (self.scalar(term), self.terms.lengths.get(&array)) else { return };
        if *length > MAX_LENGTH {
            return;
        }
        let (least, most) = scalar.limits();
        let numbers = (0..*length as i128).map(|index| factor.saturating_mul(index).saturating_add(offset));
        let patterns: Vec<u64> =
            numbers.filter(|number| (least..=most).contains(number)).map(|number| scalar.pattern(number)).collect();
        self.assume_values(term, &patterns);
    }

    fn assume_size(&mut self, a: VarId, b: VarId) {
        let (a, b) = (Term::Size(a), Term::Size(b));
        if self.at(a).is_some() && self.at(b).is_some() {
            self.assume(&Fact::equal(a, b));
        }
    }

    /// The first of equal arrays.
    fn array(&self, array: VarId) -> VarId {
        match self.at(Term::Each(array)) {
            Some(at) => self.terms.list[at].0.variable(),
            None => array,
        }
    }

    /// The fact about the first of equal arrays.
    pub(super) fn normal(&self, fact: &Fact) -> Fact {
        match fact {
            Fact::Arranged(array, arrangement) => Fact::Arranged(self.array(*array), *arrangement),
            Fact::Step(array, step) => Fact::Step(self.array(*array), *step),
            Fact::Indexed { array, factor, offset } => {
                Fact::Indexed { array: self.array(*array), factor: *factor, offset: *offset }
            }
            Fact::Pointwise(a, relation, b) => Fact::Pointwise(self.array(*a), *relation, self.array(*b)),
            Fact::Member(term, array) => Fact::Member(*term, self.array(*array)),
            _ => fact.clone(),
        }
    }

    pub(super) fn has_array_fact(&self, fact: &Fact) -> bool {
        let fact = self.normal(fact);
        if self.facts.contains(&fact) {
            return true;
        }
        match fact {
            Fact::Arranged(array, arrangement) => self.is_arranged(array, arrangement),
            Fact::Step(array, step) => self.step(array) == Some(step),
            Fact::Indexed { array, factor: 0, offset } => self.constant(array) == Some(offset),
            Fact::Pointwise(a, relation, b) => self.is_pointwise(a, relation, b),
            _ => false,
        }
    }

    /// What every element of an integer array is.
    fn constant(&self, array: VarId) -> Option<i128> {
        let scalar = self.scalar(Term::Each(array))?;
        self.range(Term::Each(array))?.constant().filter(|_| scalar.is_integer())
    }

    /// The step from one element to the next.
    fn step(&self, array: VarId) -> Option<i128> {
        let mut steps = self.facts.iter().filter_map(|fact| match fact {
            Fact::Indexed { array: other, factor, .. } if *other == array => Some(*factor),
            Fact::Step(other, step) if *other == array => Some(*step),
            Fact::Arranged(other, Arrangement::Uniform) if *other == array => Some(0),
            _ => None,
        });
        let is_integer = self.scalar(Term::Each(array)).is_some_and(Scalar::is_integer);
        steps.next().or_else(|| self.constant(array).map(|_| 0)).filter(|_| is_integer)
    }

    fn is_arranged(&self, array: VarId, arrangement: Arrangement) -> bool {
        let has = |other: Arrangement| self.facts.contains(&Fact::Arranged(array, other));
        let constant = self.range(Term::Each(array)).is_some_and(|range| range.constant().is_some());
        let uniform = constant || has(Arrangement::Uniform);
        match (arrangement, self.step(array)) {
            (Arrangement::Uniform, step) => uniform || step == Some(0),
            (Arrangement::StrictlyUp, step) => step.is_some_and(|step| step > 0),
            (Arrangement::StrictlyDown, step) => step.is_some_and(|step| step < 0),
            (Arrangement::Up, step) => uniform || has(Arrangement::StrictlyUp) || step.is_some_and(|step| step >= 0),
            (Arrangement::Down, step) => {
                uniform || has(Arrangement::StrictlyDown) || step.is_some_and(|step| step <= 0)
            }
        }
    }

    /// Bounds say how elements compare, but the sizes must be known to be equal: as both are of one fixed length, or by facts.
    fn is_pointwise(&self, a: VarId, relation: Relation, b: VarId) -> bool {
        let sizes = match (self.at(Term::Size(a)), self.at(Term::Size(b))) {
            (Some(x), Some(y)) => x == y,
            (None, None) => self.terms.lengths.get(&a) == self.terms.lengths.get(&b),
            _ => false,
        };
        sizes && self.compares(Term::Each(a), relation, Term::Each(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::point::{Point, Role, Sort, Variable};
    use crate::schema::Schema;

    #[test]
    fn elements_compare_pointwise_where_sizes_are_equal() {
        let element = Scalar::Int { bits: 8, signed: true };
        let known = |len: [Option<u32>; 2]| {
            let array = |len| Variable::new("a", Sort::Array { element, len }, Role::State);
            let schema = Schema::new(Point::new(len.map(array).to_vec()), Options::default());
            let mut known = Known::new(&schema);
            known.assume(&Fact::AtMost(Term::Each(VarId(0)), 0));
            known.assume(&Fact::AtLeast(Term::Each(VarId(1)), 1));
            known
        };
        let less = Fact::Pointwise(VarId(0), Relation::Less, VarId(1));
        assert!(known([Some(2), Some(2)]).implies(&less));
        assert!(!known([Some(2), Some(3)]).implies(&less));
        assert!(!known([None, Some(2)]).implies(&less));
        let mut sized = known([None, None]);
        assert!(!sized.implies(&less));
        sized.assume(&Fact::equal(Term::Size(VarId(0)), Term::Size(VarId(1))));
        assert!(sized.implies(&less));
    }
}
