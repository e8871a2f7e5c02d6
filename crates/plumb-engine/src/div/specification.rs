//! What is known of a unit: its contract as far as it is proved, and samples of its runs.
//!
//! The contract's arena has a symbol for every value that a sample has, in the same order: what the unit is called with, what it
//! leaves, what it returns.

use super::conditions::conditions;
use super::formula::{Formulas, Shape};
use super::tuning::TUNING;
use super::units::{Unit, cell, sort};
use crate::answer::Proof;
use crate::budget::Budget;
use crate::summary::examples::{Prober, collect_for_unit};
use plumb_contract::{Atom, Case, Contract};
use plumb_infer::{Fact, Inference, Options, Point, Relation, Sample, Scalar, Term, VarId};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::signature::Source;
use plumb_ir::program::VarRef;
use plumb_sym::Assumed;
use plumb_term::{Assignment, BitVec, Evaluator, Sort, TermId, Terms, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The values of one call: at the entry, at the exit, the result.
pub type Values = Box<[u64]>;

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

/// A proof of a unit, and what it assumes, about the original program.
#[derive(Clone, Debug)]
pub struct UnitProof {
    pub proof: Proof,
    pub assumed: BTreeSet<Assumed>,
}

/// How a call went.
pub enum Run {
    Returned(Values),
    /// The run ended, or took too long.
    NotReturned,
}

pub struct Specification {
    pub unit: Unit,
    /// With the arena and the symbols. Its cases are made of the pairs.
    contract: Contract,
    /// The partition.
    pub pairs: Vec<Pair>,
    /// Of the contract that the pairs are.
    pub proof: Option<UnitProof>,
    /// Entry states whose calls were run to be stated one by one.
    pub points: usize,
    point: Point,
    shapes: Vec<Shape>,
    /// Conditions on entry states by which they may be told apart.
    pub vocabulary: Vec<(Fact, TermId)>,
    prober: Prober,
    samples: Vec<Values>,
    known: FxHashSet<Values>,
    seed: u64,
}

impl Specification {
    /// A specification that promises nothing; `None` if the unit cannot be run.
    pub fn new(analyses: &Analyses, unit: Unit) -> Option<Specification> {
        let program = analyses.program();
        let mut prober = Prober::of_unit(program, unit.func, &unit.entry)?;
        prober.limit = TUNING.sample_steps;
        let mut contract = Contract::trivial(unit.func);
        let entry = unit.entry.iter().filter_map(|scalar| Some((Atom::Entry(cell(scalar.source)?), scalar.ty)));
        let exit = unit.exit.iter().filter_map(|scalar| Some((Atom::Exit(cell(scalar.source)?), scalar.ty)));
        let result = unit.result.map(|ty| (Atom::Result, ty));
        let mut shapes = Vec::new();
        for (atom, ty) in entry.chain(exit).chain(result) {
            let symbol = contract.symbol(program, atom, ty.ty, ty.is_signed);
            shapes.push(Shape::Scalar(pattern(&mut contract.terms, symbol)));
        }
        let always = Pair { requires: TermId::bool(true), ensures: Vec::new() };
        let mut specification = Specification {
            point: unit.exit_point(),
            unit,
            contract,
            pairs: vec![always],
            proof: None,
            points: 0,
            shapes,
            vocabulary: Vec::new(),
            prober,
            samples: Vec::new(),
            known: FxHashSet::default(),
            seed: 0,
        };
        specification.vocabulary = specification.conditions(analyses);
        Some(specification)
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.contract.terms
    }

    /// The symbols, in the order of samples.
    pub fn symbols(&self) -> &[plumb_contract::Symbol] {
        &self.contract.symbols
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

    /// The contract that is proved.
    pub fn proved(&mut self) -> Contract {
        let pairs = self.pairs.clone();
        self.contract(&pairs)
    }

    /// The term of a fact.
    pub fn formula(&mut self, fact: &Fact) -> Option<TermId> {
        Formulas { point: &self.point, shapes: &self.shapes }.fact(&mut self.contract.terms, fact)
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
        fact.variables().iter().all(|var| (var.0 as usize) < self.unit.entry.len())
    }

    /// The values of a call as those of the symbols.
    fn assignment(&self, values: &[u64]) -> Assignment {
        let mut assignment = Assignment::new();
        for (symbol, pattern) in self.contract.symbols.iter().zip(values) {
            let terms = &self.contract.terms;
            let Some(id) = terms.as_symbol(symbol.term) else { continue };
            assignment.set(id, value_of(terms.sort(symbol.term), *pattern));
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
        self.hold(&[condition], values) == [true]
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

    /// The first of some pairs that a call belongs to.
    pub fn pair_of(&self, pairs: &[Pair], values: &[u64]) -> Option<usize> {
        pairs.iter().position(|pair| self.holds(pair.requires, values))
    }

    /// Calls the unit's original from an entry state.
    pub fn run(&mut self, analyses: &Analyses, entry: &[u64]) -> Run {
        self.seed += 1;
        self.prober.limit = TUNING.run_steps;
        let run = self.call(analyses, entry);
        self.prober.limit = TUNING.sample_steps;
        run
    }

    fn call(&mut self, analyses: &Analyses, entry: &[u64]) -> Run {
        let outcome = match self.unit.asks {
            true => self.prober.call_seeded(entry, self.seed),
            false => self.prober.call(entry),
        };
        let Some(result) = outcome.returned() else { return Run::NotReturned };
        let target = &analyses.program().target;
        let mut values: Vec<u64> = entry.to_vec();
        for scalar in &self.unit.exit {
            let Some(value) = self.prober.after(scalar.source, scalar.ty.ty.bytes(target)) else {
                return Run::NotReturned;
            };
            values.push(value & mask(scalar.ty.ty.bits(target)));
        }
        if let Some(ty) = self.unit.result {
            values.push(result & mask(ty.ty.bits(target)));
        }
        Run::Returned(values.into())
    }

    /// Finds samples.
    pub fn collect(&mut self, analyses: &Analyses, budget: &Budget, seed: u64) {
        let slice = super::decide::part(budget, TUNING.samples_slice);
        let found = collect_for_unit(analyses, self.unit.func, &self.unit.entry, &mut self.prober, &slice, seed);
        let mut entries: Vec<Box<[u64]>> = found.list.into_iter().map(|example| example.inputs).collect();
        if self.unit.entry.is_empty() {
            entries.push(Box::default());
        }
        let rounds = if self.unit.asks { 4 } else { 1 };
        for _ in 0..rounds {
            for entry in &entries {
                self.seed += 1;
                if let Run::Returned(values) = self.call(analyses, entry) {
                    self.add(values);
                }
            }
        }
    }

    /// Takes in a sample.
    pub fn add(&mut self, values: Values) {
        if self.samples.len() < 2 * TUNING.samples && self.known.insert(values.clone()) {
            self.samples.push(values);
        }
    }

    /// Tries entry states near to one: each value a little larger and smaller, zero, negated and swapped with its neighbour.
    pub fn sample_near(&mut self, analyses: &Analyses, entry: &[u64]) {
        let target = &analyses.program().target;
        let count = entry.len();
        for at in 0..count.min(8) {
            let bits = mask(self.unit.entry[at].ty.ty.bits(target));
            let old = entry[at];
            let others = [old.wrapping_add(1), old.wrapping_sub(1), 0, 1, old.wrapping_neg(), old >> 1, old << 1];
            for new in others.map(|value| value & bits).into_iter().filter(|new| *new != old) {
                let mut changed = entry.to_vec();
                changed[at] = new;
                if let Run::Returned(values) = self.call(analyses, &changed) {
                    self.add(values);
                }
            }
            if at + 1 < count && self.unit.entry[at].ty == self.unit.entry[at + 1].ty {
                let mut changed = entry.to_vec();
                changed.swap(at, at + 1);
                if let Run::Returned(values) = self.call(analyses, &changed) {
                    self.add(values);
                }
            }
        }
    }

    /// Whether nothing was ever promised.
    pub fn proof_is_trivial(&self) -> bool {
        self.pairs.iter().all(|pair| pair.ensures.is_empty())
    }

    pub fn samples(&self) -> &[Values] {
        &self.samples
    }

    /// Facts that hold of some samples, simplest first. With conditions, facts under those of the program too.
    pub fn infer<'s>(
        &self,
        samples: impl IntoIterator<Item = &'s Values>,
        confidence: f64,
        with_conditions: bool,
    ) -> Vec<Fact> {
        let conditions = match with_conditions {
            true => self.vocabulary.iter().take(CONDITIONS).map(|(fact, _)| fact.clone()).collect(),
            false => Vec::new(),
        };
        let options = Options {
            confidence,
            max_conditions: if with_conditions { 2 * CONDITIONS } else { 0 },
            conditions,
            ..Options::default()
        };
        let mut inference = Inference::new(self.point.clone(), options);
        for values in samples {
            // Values are cut to their types where they are read.
            let added = inference.add(&Sample::of_scalars(values));
            debug_assert!(added.is_ok(), "{added:?}");
        }
        inference.facts().into_iter().map(|likely| likely.fact).collect()
    }

    pub fn point(&self) -> &Point {
        &self.point
    }

    /// Whether a fact holds of a call.
    pub fn fact_holds(&self, fact: &Fact, values: &[u64]) -> bool {
        fact.holds(&self.point, &Sample::of_scalars(values))
    }

    /// Conditions on the entry: of the program's branches, signs, orders.
    fn conditions(&mut self, analyses: &Analyses) -> Vec<(Fact, TermId)> {
        let program = analyses.program();
        let mut facts: Vec<Fact> = Vec::new();
        let called = analyses.resolved_calls().reachable(self.unit.func);
        for func in std::iter::once(self.unit.func).chain(called) {
            let is_own = func == self.unit.func;
            let found = conditions(program.function(func), &|var| match var {
                VarRef::Local(var) if is_own => self.variable(Source::Parameter(var)),
                VarRef::Local(_) => None,
                VarRef::Global(var) => self.variable(Source::Global(var)),
            });
            facts.extend(found);
        }
        let count = self.unit.entry.len() as u32;
        for at in 0..count {
            let term = Term::Var(VarId(at));
            match sort(self.unit.entry[at as usize].ty) {
                Some(Scalar::Bool) => facts.push(Fact::constant(term, 0)),
                Some(Scalar::Int { signed, .. }) => {
                    facts.push(Fact::AtLeast(term, 1));
                    facts.push(Fact::constant(term, 0));
                    if signed {
                        facts.push(Fact::AtLeast(term, 0));
                    }
                }
                Some(Scalar::Float(_) | Scalar::Pointer { .. }) | None => {}
            }
            for other in at + 1..count {
                let (a, b) = (self.unit.entry[at as usize].ty, self.unit.entry[other as usize].ty);
                if a == b && matches!(sort(a), Some(Scalar::Int { .. })) {
                    let other = Term::Var(VarId(other));
                    facts.push(Fact::Compare(term, Relation::Less, other));
                    facts.push(Fact::Compare(other, Relation::Less, term));
                }
            }
        }
        let mut list: Vec<(Fact, TermId)> = Vec::new();
        for fact in facts {
            if list.len() == TUNING.vocabulary {
                break;
            }
            let Some(term) = self.formula(&fact) else { continue };
            let negation = self.contract.terms.not(term);
            let is_new = list.iter().all(|(_, known)| *known != term && *known != negation);
            if is_new && self.contract.terms.as_bool(term).is_none() {
                list.push((fact, term));
            }
        }
        list
    }

    /// The variable for a place at the entry.
    fn variable(&self, source: Source) -> Option<(Term, Scalar)> {
        let at = self.unit.entry.iter().position(|scalar| scalar.source == source)?;
        Some((Term::Var(VarId(at as u32)), sort(self.unit.entry[at].ty)?))
    }
}

/// Conditions of the program under which facts are looked for.
const CONDITIONS: usize = 12;

fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits.clamp(1, 64))
}

/// The bit-vector of a symbol's pattern.
fn pattern(terms: &mut Terms, symbol: TermId) -> TermId {
    match terms.sort(symbol) {
        Sort::Bool => terms.bool_to_bv(symbol, 1),
        Sort::Float(_) => terms.float_to_bits(symbol),
        Sort::Bv(_) | Sort::Array { .. } => symbol,
    }
}

fn value_of(sort: Sort, pattern: u64) -> Value {
    match sort {
        Sort::Bool => Value::Bool(pattern & 1 == 1),
        Sort::Float(format) => Value::Float(format, BitVec::new(format.width(), pattern as u128)),
        Sort::Bv(width) => Value::Bv(BitVec::new(width, pattern as u128)),
        Sort::Array { .. } => Value::zero(sort),
    }
}
