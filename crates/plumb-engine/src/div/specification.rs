//! What is known of a unit: its contract as far as it is proved, and samples of its runs.

use super::conditions::conditions;
use super::language::{Language, Pair, Values};
use super::questions::entry_states;
use super::runs::{Run, Runs};
use super::tuning::TUNING;
use super::units::{Unit, sort};
use crate::answer::Proof;
use crate::board::LoopFact;
use crate::budget::Budget;
use plumb_contract::Contract;
use plumb_exec::Rng;
use plumb_infer::{Fact, Inference, Options, Relation, Scalar, Term, VarId};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::pointsto::{Object, Target, Targets};
use plumb_ir::analysis::signature::{Source, aliases, split};
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::program::{FuncId, VarRef};
use plumb_sym::Assumed;
use plumb_term::TermId;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What was shown of a unit, and what that assumes, about the original program.
#[derive(Clone, Debug)]
pub struct UnitProof {
    pub shown: Shown,
    pub assumed: BTreeSet<Assumed>,
    /// What holds at the heads of the unit's own loops, whoever calls it.
    pub invariants: Vec<LoopFact>,
}

/// How much of a unit was seen.
#[derive(Clone, Debug)]
pub enum Shown {
    /// Everything.
    Proof(Proof),
    /// No call within an unwinding bound breaks the contract. It is no proof, and no answer that rests on it is.
    UpTo(u32),
}

pub struct Specification {
    pub unit: Unit,
    pub language: Language,
    /// The partition, and what is proved of its parts.
    pub pairs: Vec<Pair>,
    /// Of the contract that the pairs are.
    pub proof: Option<UnitProof>,
    /// Entry states whose calls are stated one by one.
    pub points: usize,
    /// The entry states among them that were found by way of inner calls ([`super::table`]).
    pub table: FxHashSet<Box<[u64]>>,
    /// Attempts to prove something of it, and how many it is worth.
    pub attempts: usize,
    worth: usize,
    /// Conditions on entry states by which they may be distinguished.
    pub vocabulary: Vec<(Fact, TermId)>,
    pub runs: Runs,
}

impl Specification {
    /// A specification that promises nothing; `None` if the unit cannot be run.
    pub fn new(analyses: &Analyses, unit: Unit) -> Option<Specification> {
        let (point, places) = unit.exit_point();
        let mut language = Language::new(analyses.program(), unit.func, point, &places);
        if analyses.resolved_calls().is_recursive(unit.func) {
            language.add_powers(TUNING.powers);
        }
        let runs = Runs::new(analyses, &unit)?;
        let worth = if analyses.runs_long(unit.func) { TUNING.attempts } else { TUNING.attempts_of_short };
        let vocabulary = vocabulary(analyses, &unit, &mut language);
        let always = Pair { requires: TermId::bool(true), ensures: Vec::new() };
        Some(Specification {
            unit,
            language,
            pairs: vec![always],
            proof: None,
            points: 0,
            table: FxHashSet::default(),
            attempts: 0,
            worth,
            vocabulary,
            runs,
        })
    }

    /// The contract that is proved.
    pub fn contract(&mut self) -> Contract {
        self.language.contract(&self.pairs)
    }

    /// Whether so much was tried that its calls had better run the original.
    pub fn is_spent(&self, attempts: usize) -> bool {
        self.attempts + attempts >= self.worth
    }

    /// Whether nothing was ever promised.
    pub fn is_trivial(&self) -> bool {
        self.pairs.iter().all(|pair| pair.ensures.is_empty())
    }

    /// Whether the contract allows a call.
    pub fn allows(&self, values: &[u64]) -> bool {
        self.language.allow(&self.pairs, values)
    }

    pub fn samples(&self) -> &[Values] {
        self.runs.samples()
    }

    pub fn add(&mut self, values: Values) {
        self.runs.add(values);
    }

    /// Calls the unit's original from the entry state of a call.
    pub fn run(&mut self, analyses: &Analyses, call: &[u64]) -> Run {
        self.runs.run(&analyses.program().target, &self.unit, &call[..self.unit.entry.len()])
    }

    /// Finds samples, by all means or near to the entry state of a call.
    pub fn collect(&mut self, analyses: &Analyses, budget: &Budget, seed: u64) {
        self.runs.collect(analyses, &self.unit, budget, seed);
    }

    pub fn sample_near(&mut self, analyses: &Analyses, call: &[u64]) {
        self.runs.sample_near(&analyses.program().target, &self.unit, &call[..self.unit.entry.len()]);
    }

    /// Samples from entry states that satisfy a condition, which the solver chooses.
    pub fn diversify(&mut self, analyses: &Analyses, requires: TermId, budget: &Budget) {
        let count = self.unit.entry.len();
        let rng = &mut Rng(self.samples().len() as u64 + 1);
        for entry in entry_states(&mut self.language, count, requires, rng, budget) {
            self.runs.sample(&analyses.program().target, &self.unit, &entry);
        }
    }

    /// Facts that hold of some samples, simplest first. With conditions, facts under those of the program too.
    pub fn infer<'s>(
        &self,
        samples: impl IntoIterator<Item = &'s Values>,
        confidence: f64,
        with_conditions: bool,
    ) -> Vec<Fact> {
        // What an inference costs grows with both.
        let most = (TUNING.columns / self.language.point().variables.len().max(1)).clamp(2, TUNING.conditions);
        let conditions = match with_conditions {
            true => self.vocabulary.iter().take(most).map(|(fact, _)| fact.clone()).collect(),
            false => Vec::new(),
        };
        let max_conditions = if with_conditions { 2 * most } else { 0 };
        let options = Options { confidence, max_conditions, conditions, ..Options::default() };
        let samples: Vec<&Values> = samples.into_iter().collect();
        let stride = (samples.len() * self.language.point().variables.len() / TUNING.values).max(1);
        let mut inference = Inference::new(self.language.point().clone(), options);
        for values in samples.into_iter().step_by(stride) {
            // Values are cut to their types where they are read.
            let added = inference.add(&self.language.sample(values));
            debug_assert!(added.is_ok(), "{added:?}");
        }
        inference.facts().into_iter().map(|likely| likely.fact).collect()
    }
}

/// Conditions on the entry: of the program's branches, signs, orders.
fn vocabulary(analyses: &Analyses, unit: &Unit, language: &mut Language) -> Vec<(Fact, TermId)> {
    let program = analyses.program();
    let mut facts: Vec<Fact> = Vec::new();
    let called = analyses.resolved_calls().reachable(unit.func).into_iter().filter(|func| *func != unit.func);
    for func in std::iter::once(unit.func).chain(called) {
        let function = program.function(func);
        let parameters = if func == unit.func { aliases(function) } else { BTreeMap::new() };
        let behind = |address: ExprId| {
            let (base, sum, indices) = split(function, address, program);
            match function.exprs.kind(base) {
                ExprKind::Var(VarRef::Local(var)) if indices.is_empty() => {
                    Some(Source::Pointee(*parameters.get(&var)?, u64::try_from(sum).ok()?))
                }
                _ => None,
            }
        };
        facts.extend(conditions(function, &|expr| match function.exprs.kind(expr) {
            ExprKind::Var(VarRef::Local(var)) if func == unit.func => scalar(unit, Source::Parameter(var)),
            ExprKind::Var(VarRef::Global(var)) => scalar(unit, Source::Global(var)),
            ExprKind::Load(address) => scalar(unit, loaded(analyses, func, address).or_else(|| behind(address))?),
            _ => None,
        }));
    }
    let scalars: Vec<(Term, Scalar)> = unit.entry.iter().filter_map(|one| scalar(unit, one.source)).collect();
    for (at, (term, sort)) in scalars.iter().enumerate() {
        match sort {
            Scalar::Bool => facts.push(Fact::constant(*term, 0)),
            Scalar::Int { signed, .. } => {
                facts.push(Fact::AtLeast(*term, 1));
                facts.push(Fact::constant(*term, 0));
                if *signed {
                    facts.push(Fact::AtMost(*term, -1));
                }
            }
            Scalar::Float(_) | Scalar::Pointer { .. } => {}
        }
        for (other, other_sort) in &scalars[at + 1..] {
            if sort == other_sort && matches!(sort, Scalar::Int { .. }) {
                facts.push(Fact::Compare(*term, Relation::Less, *other));
                facts.push(Fact::Compare(*other, Relation::Less, *term));
            }
        }
    }
    let mut list: Vec<(Fact, TermId)> = Vec::new();
    for fact in facts {
        if list.len() == TUNING.vocabulary {
            break;
        }
        let Some(term) = language.formula(&fact) else { continue };
        let negation = language.terms().not(term);
        let is_new = list.iter().all(|(_, known)| *known != term && *known != negation);
        if is_new && language.terms().as_bool(term).is_none() {
            list.push((fact, term));
        }
    }
    list
}

/// What is loaded from an address, if it is always the same part of a static object.
fn loaded(analyses: &Analyses, func: FuncId, address: ExprId) -> Option<Source> {
    match analyses.points_to().targets(func, address) {
        Targets::Known(list) => match list[..] {
            [Target { object: Object::Global(object), offset: Some(offset) }] => {
                Some(Source::Object(object, u64::try_from(offset).ok()?))
            }
            _ => None,
        },
        Targets::Unknown => None,
    }
}

/// The variable of a scalar at the entry; elements of arrays have none of their own.
fn scalar(unit: &Unit, source: Source) -> Option<(Term, Scalar)> {
    let variable = unit.entry_variable(source)?;
    let ty = unit.entry.iter().find(|scalar| scalar.source == source)?.ty;
    Some((Term::Var(VarId(variable as u32)), sort(ty)?))
}
