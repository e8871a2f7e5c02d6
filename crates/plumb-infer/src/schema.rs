//! A point made ready: the scalar terms of its variables as columns, and which of them are related with each other.

use crate::fact::Term;
use crate::options::Options;
use crate::point::{Point, Scalar, Sort, VarId};
use crate::sample::{Sample, Value};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    pub term: Term,
    pub scalar: Scalar,
    pub group: u32,
}

impl Column {
    pub fn comparable(&self, other: &Column) -> bool {
        self.group == other.group && self.scalar.comparable(other.scalar)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ArrayColumn {
    pub var: VarId,
    pub element: Scalar,
    pub group: u32,
}

#[derive(Debug)]
pub struct Schema {
    pub point: Point,
    pub options: Options,
    pub columns: Vec<Column>,
    pub arrays: Vec<ArrayColumn>,
    /// Integer columns that equations may relate.
    pub linear: Vec<Vec<usize>>,
    /// Integer columns of one width that congruences modulo two to the width may relate.
    pub modular: Vec<(u32, Vec<usize>)>,
}

/// The values of all columns in one sample, as patterns and as numbers.
pub struct Row {
    pub patterns: Vec<u64>,
    pub numbers: Vec<i128>,
    /// Samples of one origin are not independent of each other.
    pub origin: Option<u64>,
}

impl Schema {
    pub fn new(point: Point, options: Options) -> Schema {
        let mut columns = Vec::new();
        let mut arrays = Vec::new();
        for var in point.ids() {
            let variable = point.variable(var);
            let group = variable.group;
            match variable.sort {
                Sort::Scalar(scalar) => columns.push(Column { term: Term::Var(var), scalar, group }),
                Sort::Array { element, len } => {
                    arrays.push(ArrayColumn { var, element, group });
                    if len.is_none() {
                        let scalar = Scalar::Int { bits: 64, signed: false };
                        columns.push(Column { term: Term::Size(var), scalar, group });
                    }
                }
            }
        }
        let linear = gather(&columns, |column| column.scalar.is_integer().then_some(column.group));
        let modular = gather(&columns, |column| match column.scalar {
            Scalar::Int { bits, .. } if bits > 1 && matches!(column.term, Term::Var(_)) => Some((bits, column.group)),
            _ => None,
        });
        let linear = linear.into_iter().map(|(_, list)| list).collect();
        let modular = modular.into_iter().map(|((bits, _), list)| (bits, list)).collect();
        Schema { point, options, columns, arrays, linear, modular }
    }

    pub fn row(&self, sample: &Sample, origin: Option<u64>) -> Row {
        let pattern = |column: &Column| match (column.term, &sample.values[column.term.variable().0 as usize]) {
            (Term::Var(_), Value::Scalar(pattern)) => *pattern,
            (_, Value::Array(elements)) => elements.len() as u64,
            (_, Value::Scalar(_)) => 0,
        };
        let patterns: Vec<u64> = self.columns.iter().map(pattern).collect();
        let numbers = self.columns.iter().zip(&patterns).map(|(column, p)| column.scalar.number(*p)).collect();
        Row { patterns, numbers, origin }
    }
}

/// Lists of two columns at least with one key, in the order of keys.
fn gather<K: Ord + Copy>(columns: &[Column], key: impl Fn(&Column) -> Option<K>) -> Vec<(K, Vec<usize>)> {
    let mut lists = std::collections::BTreeMap::<K, Vec<usize>>::new();
    for (at, column) in columns.iter().enumerate() {
        if let Some(key) = key(column) {
            lists.entry(key).or_default().push(at);
        }
    }
    lists.into_iter().filter(|(_, list)| list.len() > 1).collect()
}
