//! The value of a term under an assignment, with an explicit stack and a memo.

use super::operators;
use crate::op::Kind;
use crate::terms::{SymbolId, TermId, Terms};
use crate::value::Value;
use rustc_hash::FxHashMap;

/// Values of symbols. Symbols without one count as zero.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: FxHashMap<SymbolId, Value>,
}

impl Assignment {
    pub fn new() -> Assignment {
        Assignment::default()
    }

    pub fn set(&mut self, symbol: SymbolId, value: Value) {
        self.values.insert(symbol, value);
    }

    pub fn get(&self, symbol: SymbolId) -> Option<&Value> {
        self.values.get(&symbol)
    }

    /// In no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &Value)> {
        self.values.iter().map(|(symbol, value)| (*symbol, value))
    }
}

/// Evaluates terms of one arena under one assignment; what it has seen it keeps. Of an `ite` only the arm that counts is
/// evaluated.
#[derive(Clone, Debug)]
pub struct Evaluator<'a> {
    assignment: &'a Assignment,
    places: Places,
    values: Vec<Value>,
}

/// Where values of terms are kept.
#[derive(Clone, Debug)]
enum Places {
    /// Of the few terms that were asked for: most evaluators see a small part of a large arena.
    Few(FxHashMap<TermId, u32>),
    /// By term, its place and one more; zero where it has none.
    Many(Vec<u32>),
}

/// So many terms are few.
const FEW: usize = 256;

impl Places {
    #[inline]
    fn get(&self, term: TermId) -> Option<usize> {
        match self {
            Places::Few(places) => places.get(&term).map(|place| *place as usize),
            Places::Many(places) => match places.get(term.index()) {
                None | Some(0) => None,
                Some(place) => Some(*place as usize - 1),
            },
        }
    }

    fn set(&mut self, term: TermId, place: usize, terms: &Terms) {
        match self {
            Places::Few(places) if places.len() < FEW => {
                places.insert(term, place as u32);
            }
            Places::Few(places) => {
                let mut many = vec![0; terms.len()];
                places.iter().for_each(|(term, place)| many[term.index()] = place + 1);
                many[term.index()] = place as u32 + 1;
                *self = Places::Many(many);
            }
            Places::Many(places) => {
                if places.len() < terms.len() {
                    places.resize(terms.len(), 0);
                }
                places[term.index()] = place as u32 + 1;
            }
        }
    }
}

impl<'a> Evaluator<'a> {
    pub fn new(assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator { assignment, places: Places::Few(FxHashMap::default()), values: Vec::new() }
    }

    pub fn value(&mut self, terms: &Terms, root: TermId) -> Value {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.get(term).is_ok() {
                stack.pop();
                continue;
            }
            match self.step(terms, term) {
                Ok(value) => {
                    self.places.set(term, self.values.len(), terms);
                    self.values.push(value);
                    stack.pop();
                }
                Err(missing) => stack.push(missing),
            }
        }
        self.get(root).cloned().unwrap_or_else(|_| Value::zero(terms.sort(root)))
    }

    /// The value, or the term that has none yet.
    fn get(&self, term: TermId) -> Result<&Value, TermId> {
        self.places.get(term).map(|place| &self.values[place]).ok_or(term)
    }

    /// Is the truth value true?
    pub fn holds(&mut self, terms: &Terms, term: TermId) -> bool {
        self.value(terms, term) == Value::Bool(true)
    }

    /// The value from those of the operands, or an operand that is needed first.
    fn step(&self, terms: &Terms, term: TermId) -> Result<Value, TermId> {
        let get = |id: TermId| self.get(id);
        Ok(match terms.kind(term) {
            Kind::Const => terms.constant(term).unwrap_or_else(|| Value::zero(terms.sort(term))),
            Kind::Symbol(symbol) => match self.assignment.get(symbol) {
                Some(value) => value.clone(),
                None => Value::zero(terms.sort(term)),
            },
            Kind::Unary(op, a) => operators::unary(op, get(a)?, terms.sort(term)),
            Kind::Binary(op, a, b) => operators::binary(op, get(a)?, get(b)?),
            Kind::Ite(condition, a, b) => {
                let taken = *get(condition)? == Value::Bool(true);
                get(if taken { a } else { b })?.clone()
            }
            Kind::Fma(a, b, c) => operators::fma(get(a)?, get(b)?, get(c)?),
            Kind::Store(array, index, element) => match (get(array)?, get(index)?, get(element)?) {
                (Value::Array(array), Value::Bv(index), Value::Bv(element)) => {
                    Value::Array(array.store(index, element))
                }
                (array, ..) => array.clone(),
            },
            Kind::Extract { value, hi, lo } => match get(value)? {
                Value::Bv(bits) => Value::Bv(bits.extract(hi, lo)),
                other => other.clone(),
            },
        })
    }
}
