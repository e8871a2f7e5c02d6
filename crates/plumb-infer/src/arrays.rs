//! What is kept of arrays: their elements as of one variable, how they follow each other, how they depend on the index, and how
//! they compare with scalars and with other arrays.

use crate::chance::{Chance, Evidence};
use crate::fact::{Arrangement, Fact, Relation, Term};
use crate::hull::Hull;
use crate::pairs::Compared;
use crate::point::{Scalar, VarId};
use crate::sample::{Sample, Value};
use crate::schema::{ArrayColumn, Row, Schema};
use crate::single::{Candidate, Single};

#[derive(Clone, Debug)]
pub struct Arrays {
    each: Vec<Array>,
    scalars: Vec<ScalarPair>,
    pointwise: Vec<ArrayPair>,
    scalar_pairs: usize,
    array_pairs: usize,
}

#[derive(Clone, Debug)]
struct Array {
    column: ArrayColumn,
    elements: Single,
    /// Neighbours, in their order.
    neighbours: Compared,
    steps: Steps,
    /// Indices and elements.
    indexed: Hull,
    /// Samples with elements, and with neighbours.
    filled: u64,
    adjacent: u64,
    longest: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Steps {
    None,
    Always(i128),
    Differ,
}

/// An array and a scalar that its elements may be compared with.
#[derive(Clone, Debug)]
struct ScalarPair {
    array: usize,
    column: usize,
    compared: Compared,
    is_member: bool,
}

#[derive(Clone, Debug)]
struct ArrayPair {
    left: usize,
    right: usize,
    compared: Compared,
}

impl Array {
    fn new(column: ArrayColumn, schema: &Schema) -> Array {
        Array {
            column,
            elements: Single::new(column.element, &schema.options),
            neighbours: Compared::default(),
            steps: Steps::None,
            indexed: Hull::new(2),
            filled: 0,
            adjacent: 0,
            longest: 0,
        }
    }

    fn add(&mut self, patterns: &[u64], numbers: &[i128]) {
        self.filled += u64::from(!numbers.is_empty());
        self.adjacent += u64::from(numbers.len() > 1);
        self.longest = self.longest.max(numbers.len());
        for (pattern, number) in patterns.iter().zip(numbers) {
            self.elements.add(*pattern, *number);
        }
        for pair in numbers.windows(2) {
            self.neighbours.add(pair[0], pair[1]);
        }
        if !self.column.element.is_integer() {
            return;
        }
        for pair in numbers.windows(2) {
            let step = pair[1] - pair[0];
            self.steps = match self.steps {
                Steps::None => Steps::Always(step),
                Steps::Always(known) if known == step => self.steps,
                _ => Steps::Differ,
            };
        }
        for (index, number) in numbers.iter().enumerate() {
            self.indexed.add([index as i128, *number].into_iter());
        }
    }

    fn candidates(&self, schema: &Schema, evidence: Evidence) -> Vec<Candidate> {
        let var = self.column.var;
        // Elements of one sample are evidence once; those of further samples may be the same again.
        let of_elements = self.longest as f64 + evidence.of(self.filled as f64) - 1.0;
        let of_neighbours = self.longest as f64 + evidence.of(self.adjacent as f64) - 2.0;
        let all = self.elements.count();
        let elements = Evidence::new(all, of_elements.max(0.0) as u64);
        let mut list = self.elements.candidates(Term::Each(var), elements, &schema.options);
        let is_address = matches!(self.column.element, Scalar::Pointer { .. });
        let arrangement = match self.neighbours.relation() {
            Some((Relation::Equal, _)) => Some(Arrangement::Uniform),
            Some((Relation::Less, false)) => Some(Arrangement::StrictlyUp),
            Some((Relation::Less, true)) => Some(Arrangement::StrictlyDown),
            Some((_, false)) => Some(Arrangement::Up),
            Some((_, true)) => Some(Arrangement::Down),
            None => None,
        };
        if let Some(arrangement) = arrangement.filter(|a| *a == Arrangement::Uniform || !is_address) {
            list.push(Candidate::new(Fact::Arranged(var, arrangement), Chance::coin(of_neighbours)));
        }
        if let Steps::Always(step) = self.steps {
            // The first step says what it is.
            list.push(Candidate::new(Fact::Step(var, step), Chance::coin(of_neighbours - 1.0)));
        }
        for equation in self.indexed.equations(&[0, 1], 0) {
            let factor = |column: usize| equation.parts.iter().find(|(_, c)| *c == column).map_or(0, |(f, _)| *f);
            if factor(1).abs() == 1 {
                let (factor, offset) = (-factor(0) * factor(1), -equation.constant * factor(1));
                let chance = Chance::repeated(self.elements.spread.collision(), of_elements - 2.0);
                list.push(Candidate::new(Fact::Indexed { array: var, factor, offset }, chance));
            }
        }
        list
    }
}

impl Arrays {
    pub fn new(schema: &Schema) -> Arrays {
        let each: Vec<Array> = schema.arrays.iter().map(|column| Array::new(*column, schema)).collect();
        let mut scalars = Vec::new();
        let mut pointwise = Vec::new();
        for (i, array) in schema.arrays.iter().enumerate() {
            let fits = |group: u32, scalar: Scalar| group == array.group && scalar.comparable(array.element);
            for (j, column) in schema.columns.iter().enumerate() {
                if matches!(column.term, Term::Var(_)) && fits(column.group, column.scalar) {
                    scalars.push(ScalarPair { array: i, column: j, compared: Compared::default(), is_member: true });
                }
            }
            for (j, other) in schema.arrays.iter().enumerate().skip(i + 1) {
                if fits(other.group, other.element) {
                    pointwise.push(ArrayPair { left: i, right: j, compared: Compared::default() });
                }
            }
        }
        let (scalar_pairs, array_pairs) = (scalars.len(), pointwise.len());
        Arrays { each, scalars, pointwise, scalar_pairs, array_pairs }
    }

    pub fn add(&mut self, row: &Row, sample: &Sample) {
        if self.each.is_empty() {
            return;
        }
        let patterns = |var: VarId| match &sample.values[var.0 as usize] {
            Value::Array(elements) => &elements[..],
            Value::Scalar(_) => &[],
        };
        let numbers = |array: &Array| {
            patterns(array.column.var).iter().map(|p| array.column.element.number(*p)).collect::<Vec<i128>>()
        };
        let all: Vec<Vec<i128>> = self.each.iter().map(numbers).collect();
        for (array, numbers) in self.each.iter_mut().zip(&all) {
            array.add(patterns(array.column.var), numbers);
        }
        self.scalars.retain_mut(|pair| {
            let number = row.numbers[pair.column];
            all[pair.array].iter().for_each(|element| pair.compared.add(*element, number));
            pair.is_member &= number != crate::point::NAN && all[pair.array].contains(&number);
            pair.is_member || !pair.compared.is_unrelated()
        });
        self.pointwise.retain_mut(|pair| {
            let (a, b) = (&all[pair.left], &all[pair.right]);
            a.iter().zip(b).for_each(|(x, y)| pair.compared.add(*x, *y));
            a.len() == b.len() && !pair.compared.is_unrelated()
        });
    }

    pub fn candidates(&self, schema: &Schema, singles: &[Single], evidence: Evidence) -> Vec<Candidate> {
        let mut list: Vec<Candidate> = self.each.iter().flat_map(|array| array.candidates(schema, evidence)).collect();
        for pair in &self.scalars {
            let array = &self.each[pair.array];
            let (each, scalar) = (Term::Each(array.column.var), schema.columns[pair.column].term);
            let (left, right) = (&array.elements.spread, &singles[pair.column].spread);
            let is_address = matches!(array.column.element, Scalar::Pointer { .. });
            let times = evidence.of(array.filled as f64);
            let mut push =
                |fact: Fact, chance: Chance| list.push(Candidate::new(fact, chance.among(self.scalar_pairs)));
            match pair.compared.relation() {
                Some((Relation::Equal, _)) => {
                    push(Fact::equal(each, scalar), Chance::repeated(left.equal(right), times))
                }
                Some((relation, false)) if !is_address => {
                    push(Fact::Compare(each, relation, scalar), Chance::repeated(left.at_most(right), times))
                }
                Some((relation, true)) if !is_address => {
                    push(Fact::Compare(scalar, relation, each), Chance::repeated(right.at_most(left), times))
                }
                _ => {}
            }
            if pair.is_member {
                let once = left.equal(right) * array.longest as f64;
                push(Fact::Member(scalar, array.column.var), Chance::repeated(once, times));
            }
        }
        for pair in &self.pointwise {
            let (a, b) = (&self.each[pair.left], &self.each[pair.right]);
            let (left, right) = (&a.elements.spread, &b.elements.spread);
            let times = a.longest as f64 + evidence.of(a.filled as f64) - 1.0;
            let (fact, chance) = match pair.compared.relation() {
                Some((Relation::Equal, _)) => (Relation::Equal, left.equal(right)),
                Some((relation, false)) => (relation, left.at_most(right)),
                Some((relation, true)) => (relation, right.at_most(left)),
                None => continue,
            };
            let is_address = matches!(a.column.element, Scalar::Pointer { .. });
            if is_address && fact != Relation::Equal {
                continue;
            }
            let (x, y) = match pair.compared.relation() {
                Some((_, true)) => (b.column.var, a.column.var),
                _ => (a.column.var, b.column.var),
            };
            let chance = Chance::repeated(chance, times).among(self.array_pairs);
            list.push(Candidate::new(Fact::Pointwise(x, fact, y), chance));
        }
        list
    }
}
