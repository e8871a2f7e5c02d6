//! Input/output pairs, a column of lanes for each input and one for the output.
//!
//! An example may also say what the output is *not*.

use crate::sort::{Sort, Value};
use rustc_hash::FxHashMap;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examples {
    inputs: Vec<Column>,
    output: Column,
    /// Which outputs are forbidden ones.
    forbidden: Vec<bool>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Column {
    sort: Sort,
    lanes: Vec<u64>,
}

/// A pair whose values are not of the function's sorts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongSorts;

impl Examples {
    pub fn new(inputs: &[Sort], output: Sort) -> Examples {
        let column = |sort: Sort| Column { sort, lanes: Vec::new() };
        Examples { inputs: inputs.iter().copied().map(column).collect(), output: column(output), forbidden: Vec::new() }
    }

    pub fn push(&mut self, inputs: &[Value], output: Value) -> Result<(), WrongSorts> {
        let wanted = self.inputs.iter().map(|column| column.sort);
        if !wanted.eq(inputs.iter().map(|value| value.sort())) || output.sort() != self.output.sort {
            return Err(WrongSorts);
        }
        for (column, value) in self.inputs.iter_mut().zip(inputs) {
            column.lanes.push(value.lane());
        }
        self.output.lanes.push(output.lane());
        self.forbidden.push(false);
        Ok(())
    }

    /// An output that these inputs must not have.
    pub fn push_forbidden(&mut self, inputs: &[Value], output: Value) -> Result<(), WrongSorts> {
        if output.sort() == Sort::Bool {
            return self.push(inputs, Value::bool(output.lane() == 0));
        }
        self.push(inputs, output)?;
        if let Some(last) = self.forbidden.last_mut() {
            *last = true;
        }
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.output.lanes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.output.lanes.is_empty()
    }

    pub fn input_sorts(&self) -> Vec<Sort> {
        self.inputs.iter().map(|column| column.sort).collect()
    }

    pub fn output_sort(&self) -> Sort {
        self.output.sort
    }

    pub fn input(&self, input: usize) -> &[u64] {
        &self.inputs[input].lanes
    }

    pub fn output(&self) -> &[u64] {
        &self.output.lanes
    }

    pub fn inputs_of(&self, example: usize) -> Vec<Value> {
        self.inputs.iter().map(|column| Value::from_lane(column.sort, column.lanes[example])).collect()
    }

    pub fn output_of(&self, example: usize) -> Value {
        Value::from_lane(self.output.sort, self.output.lanes[example])
    }

    pub fn is_forbidden(&self, example: usize) -> bool {
        self.forbidden[example]
    }

    pub fn has_forbidden(&self) -> bool {
        self.forbidden.contains(&true)
    }

    /// Some of the examples, in that order.
    pub fn select(&self, examples: &[usize]) -> Examples {
        let select = |column: &Column| Column {
            sort: column.sort,
            lanes: examples.iter().map(|&example| column.lanes[example]).collect(),
        };
        Examples {
            inputs: self.inputs.iter().map(select).collect(),
            output: select(&self.output),
            forbidden: examples.iter().map(|&example| self.forbidden[example]).collect(),
        }
    }

    /// Two examples that no function satisfies both, if there are any: the first such pair of two wanted outputs, or of a
    /// wanted and a forbidden one.
    pub fn contradiction(&self) -> Option<(usize, usize)> {
        let mut by_input: FxHashMap<Vec<u64>, Vec<usize>> = FxHashMap::default();
        for example in 0..self.len() {
            let key: Vec<u64> = self.inputs.iter().map(|column| column.lanes[example]).collect();
            let known = by_input.entry(key).or_default();
            let contradicts = |other: &&usize| {
                let is_equal = self.output.lanes[**other] == self.output.lanes[example];
                match (self.forbidden[**other], self.forbidden[example]) {
                    (false, false) => !is_equal,
                    (true, true) => false,
                    (true, false) | (false, true) => is_equal,
                }
            };
            if let Some(other) = known.iter().find(contradicts) {
                return Some((*other, example));
            }
            known.push(example);
        }
        None
    }

    /// Examples that a function can satisfy together, and how many of all it satisfies then. For every distinct input these
    /// are the output that satisfies most examples, the first of such, or else what is forbidden.
    pub fn achievable(&self) -> (Vec<usize>, usize) {
        let mut by_input: FxHashMap<Vec<u64>, Vec<usize>> = FxHashMap::default();
        let mut order = Vec::new();
        for example in 0..self.len() {
            let key: Vec<u64> = self.inputs.iter().map(|column| column.lanes[example]).collect();
            let examples = by_input.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                Vec::new()
            });
            examples.push(example);
        }
        let (mut chosen, mut satisfiable) = (Vec::new(), 0);
        for key in &order {
            let examples = &by_input[key];
            let satisfied = |output: u64| {
                let holds = |at: &&usize| (self.output.lanes[**at] == output) != self.forbidden[**at];
                examples.iter().filter(holds).count()
            };
            let wanted = examples.iter().filter(|at| !self.forbidden[**at]);
            // `max_by_key` gives the last of equal ones, and the first is wanted.
            match wanted.rev().max_by_key(|at| satisfied(self.output.lanes[**at])) {
                Some(best) => {
                    chosen.push(*best);
                    satisfiable += satisfied(self.output.lanes[*best]);
                }
                None => {
                    let is_first = |at: &&usize| {
                        let first = examples.iter().find(|first| self.output.lanes[**first] == self.output.lanes[**at]);
                        first == Some(*at)
                    };
                    chosen.extend(examples.iter().filter(is_first));
                    satisfiable += examples.len();
                }
            }
        }
        (chosen, satisfiable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_contradict_each_other_are_counted() {
        let mut examples = Examples::new(&[Sort::Int], Sort::Int);
        for (input, output) in [(1, 5), (2, 7), (1, 6), (1, 6), (2, 7), (3, 0), (3, 1)] {
            examples.push(&[Value::int(input)], Value::int(output)).unwrap();
        }
        assert_eq!(examples.contradiction(), Some((0, 2)));
        assert_eq!(examples.achievable(), (vec![2, 1, 5], 5));
        // 1 is not 6: five and six are right twice each, and five comes first.
        examples.push_forbidden(&[Value::int(1)], Value::int(6)).unwrap();
        examples.push_forbidden(&[Value::int(4)], Value::int(0)).unwrap();
        examples.push_forbidden(&[Value::int(4)], Value::int(0)).unwrap();
        assert_eq!(examples.achievable(), (vec![0, 1, 5, 8], 7));
        assert_eq!(examples.push(&[Value::bool(true)], Value::int(0)), Err(WrongSorts));
        assert_eq!(examples.select(&[1, 3]).output(), [7, 6]);
    }
}
