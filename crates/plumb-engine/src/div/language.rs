//! What the contract of one unit can say: its symbols, facts over them as formulas, and what these make of a call.
//!
//! A call is a list of patterns, one for each symbol, in the order of the contract. Facts speak of variables, which are single
//! symbols or arrays of several. All NaNs are one value to them: which one an operation gives is open, so that a contract that
//! distinguished them would say nothing about a result of the caller's.

use super::formula::{Formulas, Shape};
use plumb_contract::{Atom, Case, Contract, Symbol};
use plumb_infer::{Fact, Point, Role, Sample, Scalar, Sort as Kind, Value as SampleValue, Variable};
use plumb_ir::program::{FuncId, Program};
use plumb_ir::ty::Ty;
use plumb_term::{Assignment, BitVec, Evaluator, Format, Sort, TermId, Terms, Value};

/// The values of one call, by symbol.
pub type Values = Box<[u64]>;

/// A place that facts speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub atom: Atom,
    pub ty: Ty,
    pub is_signed: bool,
}

/// A part of the summary: a set of entry states and what holds after calls from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    pub requires: TermId,
    pub ensures: Vec<Clause>,
}

/// A fact about calls, perhaps only about those from some entry states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Clause {
    pub when: TermId,
    pub then: TermId,
}

impl Clause {
    pub fn always(then: TermId) -> Clause {
        Clause { when: TermId::bool(true), then }
    }
}

pub struct Language {
    /// With the arena and the symbols. Its cases are made of pairs.
    contract: Contract,
    point: Point,
    /// By variable of the point.
    shapes: Vec<Shape>,
    /// Symbols whose powers of two are the last variables of the point, and of how many bits these are.
    powers: Vec<usize>,
    power_bits: u32,
}

impl Language {
    /// Of a point whose variables are kept at some places: one for a scalar, one for each element of an array.
    pub fn new(program: &Program, func: FuncId, point: Point, places: &[Vec<Place>]) -> Language {
        let mut contract = Contract::trivial(func);
        let mut shapes = Vec::new();
        for (variable, places) in point.variables.iter().zip(places) {
            let mut patterns = Vec::new();
            for place in places {
                let symbol = contract.symbol(program, place.atom, place.ty, place.is_signed);
                patterns.push(pattern(&mut contract.terms, symbol));
            }
            shapes.push(match (variable.sort, &patterns[..]) {
                (Kind::Scalar(_), [pattern]) => Shape::Scalar(*pattern),
                _ => Shape::Array(patterns),
            });
        }
        Language { contract, point, shapes, powers: Vec::new(), power_bits: 64 }
    }

    /// Adds variables that follow from others (Daikon's derived variables): for integers at the entry two to their power, which
    /// functions that call themselves twice grow by. They have as many bits as what the function returns and leaves, so that
    /// sums which wrap around are seen to be equal.
    pub fn add_powers(&mut self, most: usize) {
        let outputs = self.contract.symbols.iter().filter_map(|symbol| match (symbol.atom, symbol.ty) {
            (Atom::Exit(_) | Atom::Result, Ty::Int(bits @ 8..=64)) => Some(bits as u32),
            _ => None,
        });
        self.power_bits = outputs.max().unwrap_or(64);
        let is_number = |symbol: &Symbol| matches!((symbol.atom, symbol.ty), (Atom::Entry(_), Ty::Int(8..=64)));
        let numbers: Vec<usize> =
            (0..self.contract.symbols.len()).filter(|at| is_number(&self.contract.symbols[*at])).take(most).collect();
        for at in numbers {
            let Symbol { term, is_signed, .. } = self.contract.symbols[at];
            let terms = &mut self.contract.terms;
            let wide = if is_signed { terms.resize_signed(term, 64) } else { terms.resize_unsigned(term, 64) };
            let bits = self.power_bits;
            let (one, zero, limit) = (terms.bv(bits, 1), terms.bv(bits, 0), terms.bv(64, bits as u128));
            let count = terms.resize_unsigned(wide, bits);
            let power = terms.bv_shl(one, count);
            let is_small = terms.bv_ult(wide, limit);
            let power = terms.ite(is_small, power, zero);
            let name = format!(
                "2^{}",
                self.contract.terms.as_symbol(term).map_or("", |id| self.contract.terms.symbol_name(id))
            );
            let sort = Kind::Scalar(Scalar::Int { bits, signed: false });
            self.point.variables.push(Variable::new(&name, sort, Role::Old));
            self.shapes.push(Shape::Scalar(power));
            self.powers.push(at);
        }
    }

    /// Two to the power of a value.
    fn power(&self, at: usize, values: &[u64]) -> u64 {
        let Symbol { ty, is_signed, .. } = self.contract.symbols[at];
        let Ty::Int(bits) = ty else { return 0 };
        let unused = 64 - bits as u32;
        let number = if is_signed { ((values[at] << unused) as i64 >> unused) as u64 } else { values[at] };
        if number < self.power_bits as u64 { 1 << number } else { 0 }
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.contract.terms
    }

    pub fn symbols(&self) -> &[Symbol] {
        &self.contract.symbols
    }

    pub fn point(&self) -> &Point {
        &self.point
    }

    /// The contract that some pairs are.
    pub fn contract(&mut self, pairs: &[Pair]) -> Contract {
        let mut cases: Vec<Case> = Vec::new();
        let terms = &mut self.contract.terms;
        for pair in pairs {
            for clause in &pair.ensures {
                let requires = terms.and(pair.requires, clause.when);
                match cases.iter_mut().find(|case| case.requires == requires) {
                    Some(case) => case.ensures = terms.and(case.ensures, clause.then),
                    None => cases.push(Case { requires, ensures: clause.then }),
                }
            }
        }
        Contract { cases, ..self.contract.clone() }
    }

    /// The term of a fact.
    pub fn formula(&mut self, fact: &Fact) -> Option<TermId> {
        Formulas { point: &self.point, shapes: &self.shapes }.fact(&mut self.contract.terms, fact)
    }

    /// That a symbol has a value. An array is one variable of the point and several symbols.
    pub fn is_value(&mut self, symbol: usize, value: u64) -> TermId {
        let term = self.contract.symbols[symbol].term;
        let terms = &mut self.contract.terms;
        let value = with_one_nan(terms.sort(term), value);
        let bits = pattern(terms, term);
        let width = terms.width(bits);
        let value = terms.bv(width, value as u128);
        terms.eq(bits, value)
    }

    /// A fact as a clause.
    pub fn clause(&mut self, fact: &Fact) -> Option<Clause> {
        match fact {
            Fact::Implies(when, then) if self.is_about_entry(when) => {
                Some(Clause { when: self.formula(when)?, then: self.formula(then)? })
            }
            _ => Some(Clause::always(self.formula(fact)?)),
        }
    }

    fn is_about_entry(&self, fact: &Fact) -> bool {
        let is_entry = |role: Role| matches!(role, Role::Old | Role::Entry);
        fact.variables().iter().all(|var| is_entry(self.point.variable(*var).role))
    }

    /// A call as the inference takes it.
    pub fn sample(&self, values: &[u64]) -> Sample {
        let powers = self.powers.iter().map(|at| self.power(*at, values));
        let symbols = self.contract.symbols.iter().map(|symbol| self.contract.terms.sort(symbol.term));
        let mut rest = symbols.zip(values).map(|(sort, pattern)| with_one_nan(sort, *pattern)).chain(powers);
        let value = |shape: &Shape| match shape {
            Shape::Scalar(_) => SampleValue::Scalar(rest.next().unwrap_or(0)),
            Shape::Array(elements) => SampleValue::Array(rest.by_ref().take(elements.len()).collect()),
        };
        Sample::new(self.shapes.iter().map(value).collect())
    }

    pub fn fact_holds(&self, fact: &Fact, values: &[u64]) -> bool {
        fact.holds(&self.point, &self.sample(values))
    }

    fn assignment(&self, values: &[u64]) -> Assignment {
        let mut assignment = Assignment::new();
        let terms = &self.contract.terms;
        for (symbol, pattern) in self.contract.symbols.iter().zip(values) {
            if let Some(id) = terms.as_symbol(symbol.term) {
                assignment.set(id, value_of(terms.sort(symbol.term), *pattern));
            }
        }
        assignment
    }

    /// Which of some conditions hold of a call.
    pub fn hold(&self, conditions: &[TermId], values: &[u64]) -> Vec<bool> {
        let assignment = self.assignment(values);
        let mut evaluator = Evaluator::new(&assignment);
        conditions.iter().map(|condition| evaluator.holds(&self.contract.terms, *condition)).collect()
    }

    pub fn holds(&self, condition: TermId, values: &[u64]) -> bool {
        condition == TermId::bool(true) || self.hold(&[condition], values) == [true]
    }

    /// Whether some pairs allow a call.
    pub fn allow(&self, pairs: &[Pair], values: &[u64]) -> bool {
        let assignment = self.assignment(values);
        let mut evaluator = Evaluator::new(&assignment);
        let terms = &self.contract.terms;
        pairs.iter().all(|pair| {
            !evaluator.holds(terms, pair.requires)
                || pair.ensures.iter().all(|c| !evaluator.holds(terms, c.when) || evaluator.holds(terms, c.then))
        })
    }

    /// Drops the clauses that a call breaks; whether there are any.
    pub fn refute(&self, pairs: &mut [Pair], values: &[u64]) -> bool {
        let mut is_refuted = false;
        for pair in pairs.iter_mut().filter(|pair| !pair.ensures.is_empty()) {
            if !self.holds(pair.requires, values) {
                continue;
            }
            let conditions: Vec<TermId> = pair.ensures.iter().flat_map(|clause| [clause.when, clause.then]).collect();
            let held = self.hold(&conditions, values);
            let mut at = 0;
            let before = pair.ensures.len();
            pair.ensures.retain(|_| {
                at += 2;
                !held[at - 2] || held[at - 1]
            });
            is_refuted |= pair.ensures.len() < before;
        }
        is_refuted
    }

    /// The first of some pairs that a call belongs to.
    pub fn pair_of(&self, pairs: &[Pair], values: &[u64]) -> Option<usize> {
        pairs.iter().position(|pair| self.holds(pair.requires, values))
    }
}

/// The bit-vector of a symbol's pattern, where all NaNs have one.
pub fn pattern(terms: &mut Terms, symbol: TermId) -> TermId {
    match terms.sort(symbol) {
        Sort::Bool => terms.bool_to_bv(symbol, 1),
        Sort::Float(format) => {
            let (is_nan, bits) = (terms.float_is_nan(symbol), terms.float_to_bits(symbol));
            let nan = terms.bv(format.width(), format.canonical_nan());
            terms.ite(is_nan, nan, bits)
        }
        Sort::Bv(_) | Sort::Array { .. } => symbol,
    }
}

/// The same of a value.
fn with_one_nan(sort: Sort, pattern: u64) -> u64 {
    let Sort::Float(format) = sort else { return pattern };
    let is_nan = match format {
        Format::F32 => f32::from_bits(pattern as u32).is_nan(),
        Format::F64 => f64::from_bits(pattern).is_nan(),
        _ => false,
    };
    if is_nan { format.canonical_nan() as u64 } else { pattern }
}

pub fn value_of(sort: Sort, pattern: u64) -> Value {
    match sort {
        Sort::Bool => Value::Bool(pattern & 1 == 1),
        Sort::Float(format) => Value::Float(format, BitVec::new(format.width(), pattern as u128)),
        Sort::Bv(width) => Value::Bv(BitVec::new(width, pattern as u128)),
        Sort::Array { .. } => Value::zero(sort),
    }
}
