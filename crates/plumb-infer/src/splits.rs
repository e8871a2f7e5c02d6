//! Facts that hold under a condition: the templates over the samples of which the condition holds.
//!
//! Conditions are those of the caller, truth values, null pointers, signs, orders of inputs at an exit, and the values of variables that have
//! few. Which there are does not depend on the order of samples: a variable's values become conditions when they are seen and stop being any
//! when they have become too many.

use crate::core::Core;
use crate::fact::{Fact, Relation, Term};
use crate::point::{Role, Scalar};
use crate::sample::Sample;
use crate::schema::{Row, Schema};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Splits {
    fixed: Vec<(Fact, Core)>,
    cases: Vec<Cases>,
}

/// A variable with few values.
#[derive(Clone, Debug)]
struct Cases {
    column: usize,
    /// `None` when they have become too many.
    values: Option<BTreeMap<u64, Core>>,
}

/// The cost of a condition grows with the square of the number of columns.
const BUDGET: usize = 100_000;

impl Splits {
    pub fn new(schema: &Schema) -> Splits {
        let limit = schema.options.max_conditions.min(BUDGET / (schema.columns.len().pow(2) + 1));
        let mut known: FxHashSet<Fact> = FxHashSet::default();
        let all = schema.options.conditions.iter().cloned().chain(conditions_of(schema, limit));
        let different = all.filter(|condition| known.insert(condition.clone())).take(limit);
        let fixed = different.map(|condition| (condition, Core::new(schema))).collect();
        let is_int = |column: &usize| matches!(schema.columns[*column].scalar, Scalar::Int { bits, .. } if bits > 1);
        let columns = inputs_first(schema).into_iter().filter(is_int).take(limit / 2);
        let cases = columns.map(|column| Cases { column, values: Some(BTreeMap::new()) }).collect();
        Splits { fixed, cases }
    }

    pub fn add(&mut self, schema: &Schema, row: &Row, sample: &Sample) {
        for (condition, core) in &mut self.fixed {
            if condition.holds(&schema.point, sample) {
                core.add(schema, row, sample);
            }
        }
        for case in &mut self.cases {
            let Some(values) = &mut case.values else { continue };
            let pattern = row.patterns[case.column];
            if !values.contains_key(&pattern) && values.len() == schema.options.max_cases {
                case.values = None;
                continue;
            }
            values.entry(pattern).or_insert_with(|| Core::new(schema)).add(schema, row, sample);
        }
    }

    /// The conditions with what is known of the samples that satisfy them.
    pub fn conditions<'a>(&'a self, schema: &'a Schema) -> impl Iterator<Item = (Fact, &'a Core)> {
        let fixed = self.fixed.iter().map(|(condition, core)| (condition.clone(), core));
        let cases = self.cases.iter().flat_map(|case| {
            let term = schema.columns[case.column].term;
            case.values.iter().flatten().map(move |(pattern, core)| (Fact::constant(term, *pattern), core))
        });
        fixed.chain(cases)
    }
}

/// Columns in an order in which those that a caller decides come first.
fn inputs_first(schema: &Schema) -> Vec<usize> {
    let mut columns: Vec<usize> = (0..schema.columns.len()).collect();
    columns.sort_by_key(|column| match schema.point.variable(schema.columns[*column].term.variable()).role {
        Role::Old | Role::Entry | Role::State => 0,
        Role::Result => 1,
        Role::Exit => 2,
    });
    columns
}

/// Conditions in the order in which they are worth trying; of orders no more than so many.
fn conditions_of(schema: &Schema, limit: usize) -> Vec<Fact> {
    let (mut plain, mut signs, mut orders) = (Vec::new(), Vec::new(), Vec::new());
    let columns = inputs_first(schema);
    let role = |column: usize| schema.point.variable(schema.columns[column].term.variable()).role;
    // What a function does may hang on how its inputs compare; elsewhere such conditions say little and are many.
    let is_input = |column: usize| matches!(role(column), Role::Old);
    for (i, &at) in columns.iter().enumerate() {
        let column = schema.columns[at];
        let term = column.term;
        match column.scalar {
            Scalar::Bool => plain.extend([Fact::constant(term, 0), Fact::constant(term, 1)]),
            Scalar::Pointer { .. } => plain.extend([Fact::constant(term, 0), Fact::Differs(term, 0)]),
            Scalar::Int { .. } if role(at) == Role::Entry => {}
            Scalar::Int { signed: true, .. } => {
                signs.extend([Fact::AtLeast(term, 1), Fact::AtMost(term, 0), Fact::AtMost(term, -1)]);
            }
            Scalar::Int { signed: false, .. } if matches!(term, Term::Var(_)) => {
                signs.extend([Fact::constant(term, 0), Fact::Differs(term, 0)]);
            }
            Scalar::Int { .. } | Scalar::Float(_) => {}
        }
        for &other in columns[i + 1..].iter().filter(|other| is_input(at) && is_input(**other)) {
            if orders.len() >= limit {
                break;
            }
            let (a, b) = (column, schema.columns[other]);
            if a.comparable(&b) && matches!((a.scalar, b.scalar), (Scalar::Int { .. }, Scalar::Int { .. })) {
                orders.extend([
                    Fact::Compare(a.term, Relation::Less, b.term),
                    Fact::Compare(b.term, Relation::Less, a.term),
                    Fact::equal(a.term, b.term),
                ]);
            }
        }
    }
    // Signs of some and orders of some.
    let share = signs.len().min(schema.options.max_conditions / 2);
    let rest = signs.split_off(share);
    plain.into_iter().chain(signs).chain(orders).chain(rest).collect()
}
