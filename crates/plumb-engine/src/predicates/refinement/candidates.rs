//! Candidate predicates, and where they come from.
//!
//! Sources are tried one after the other, those first whose candidates are likelier to hold beyond this one path
//! ([`Source`], in this order). Conditions of the counterexample are about values; what they say of the parts of a state
//! at a cut is found by replacing values with the symbols of predicates.

use super::super::exchange::Exchange;
use super::super::precision::as_equation;
use super::super::tuning::RefinementTuning;
use super::super::vocabulary::Vocabulary;
use super::path_atoms::ModelPath;
use super::trace_formula::{Cut, TraceFormula};
use super::{Known, TrackedValues};
use crate::answer::StatePart;
use crate::board::Board;
use crate::budget::Budget;
use crate::facts::conditions::Conditions;
use crate::facts::suggest::{Suggestions, of_interval, suggest};
use crate::facts::{Fact, Quantity, Samples};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_sym::{State, Sym};
use plumb_term::{Assignment, BinaryOp, Kind, Sort, Substitution, TermId, Terms, UnaryOp, cone, free_symbols};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::sync::Arc;

/// Where a predicate comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// The loop has it already.
    Precision,
    /// With [`Effort::SamplesFirst`]: as `Sampled`, and as `Conditional`.
    SampledFirst,
    ConditionalFirst,
    /// Conditions of the segment after the cut; and about the same parts: conditions anywhere in the program, bounds of the
    /// interval analysis, and what other engines have posted.
    Own,
    /// Facts that hold in all sample runs ([`crate::facts`]).
    Sampled,
    /// Conditions of later segments that have to do with the contradiction, carried backwards to the cut (weakest
    /// preconditions).
    Carried,
    /// Values and relations of the parts on the path without abstraction (strongest postconditions).
    Observed,
    /// Conditions about parts that the loop does not modify: paths that decide otherwise in one iteration than in another.
    Unmodified,
    /// Facts that hold in sample runs whenever another one does.
    Conditional,
}

/// Which sources are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Those that cost little.
    Quick,
    Thorough,
    /// All, sample runs before the others.
    SamplesFirst,
}

#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub key: LoopKey,
    pub source: Source,
    /// The step whose condition it comes from. A path often has several reasons to be infeasible; one near to its end is
    /// more often a reason for others that end there.
    pub step: u64,
    pub term: TermId,
}

#[derive(Default)]
struct Candidates {
    list: Vec<Candidate>,
    known: FxHashSet<(LoopKey, TermId)>,
}

impl Candidates {
    /// Adds a condition that is new, and no constant.
    fn add(&mut self, terms: &Terms, candidate: Candidate) {
        let term = match terms.kind(candidate.term) {
            Kind::Unary(UnaryOp::Not, inner) => inner,
            _ => candidate.term,
        };
        if terms.as_bool(term).is_none() && self.known.insert((candidate.key, term)) {
            self.list.push(Candidate { term, ..candidate });
        }
    }

    /// The variables at a cut that terms of the segment after it depend on. Gives their values before the cut, which are terms of
    /// the segment before it.
    fn add_dependencies(
        &mut self,
        sym: &mut Sym,
        vocabulary: &mut Vocabulary,
        cut: &Cut,
        symbols: &FxHashMap<TermId, TermId>,
        needed: &[TermId],
    ) -> Vec<TermId> {
        let mut before = Vec::new();
        for symbol in free_symbols(&sym.terms, needed) {
            let value = sym.terms.symbol_term(symbol);
            let Some(variable) = symbols.get(&value).copied() else { continue };
            if sym.terms.as_symbol(variable).is_none() || !matches!(sym.terms.sort(variable), Sort::Bv(_)) {
                continue;
            }
            let candidate = Candidate { key: cut.key, source: Source::Carried, step: 0, term: variable };
            self.add(&sym.terms, candidate);
            before.extend(vocabulary.instantiate(sym, variable, &cut.before).filter(|term| !sym.terms.is_const(*term)));
        }
        before
    }

    /// A candidate that says which value a variable has becomes the variable, the likeliest of them for each.
    fn track_values(&mut self, terms: &Terms, values: &TrackedValues) {
        let mut likeliest: FxHashMap<(LoopKey, TermId), usize> = FxHashMap::default();
        let mut kept: Vec<Candidate> = Vec::with_capacity(self.list.len());
        for candidate in self.list.drain(..) {
            let variable = as_equation(terms, candidate.term).map_or(candidate.term, |(variable, _)| variable);
            let variable = Some((candidate.key, variable));
            let is_number = |one: &(LoopKey, TermId)| matches!(terms.sort(one.1), Sort::Bv(_));
            match variable.filter(|one| is_number(one) && !values.given_up.contains(one)) {
                None if terms.sort(candidate.term) == Sort::Bool => kept.push(candidate),
                None => {}
                Some(one) => match likeliest.get(&one) {
                    Some(at) => {
                        let known = &mut kept[*at];
                        known.source = known.source.min(candidate.source);
                        known.step = known.step.max(candidate.step);
                    }
                    None => {
                        likeliest.insert(one, kept.len());
                        kept.push(Candidate { term: one.1, ..candidate });
                    }
                },
            }
        }
        self.list = kept;
    }

    /// The likelier ones first, and not too many.
    fn sorted(mut self, terms: &Terms, max_candidates: usize) -> Vec<Candidate> {
        self.list.sort_by_key(|c| (c.source, Reverse(c.step), cone(terms, &[c.term]).len()));
        let mut counts: FxHashMap<(LoopKey, Source), usize> = FxHashMap::default();
        self.list.retain(|c| {
            let count = counts.entry((c.key, c.source)).or_default();
            *count += 1;
            *count <= max_candidates
        });
        self.list
    }
}

/// A condition with the number of its step.
type StepCondition = (u64, TermId);
/// A symbol of predicates with the part that it stands for.
type Part = (TermId, StatePart);

/// What candidates are made of.
pub struct Sources<'a> {
    analyses: &'a Analyses,
    tuning: RefinementTuning,
    budget: &'a Budget,
    board: &'a Board,
    pub conditions: Conditions,
    samples: Option<Arc<Samples>>,
    /// Facts that hold in the samples, by loop.
    suggested: FxHashMap<LoopKey, Suggestions>,
}

impl<'a> Sources<'a> {
    pub fn new(analyses: &'a Analyses, tuning: &RefinementTuning, budget: &'a Budget, board: &'a Board) -> Sources<'a> {
        let conditions = Conditions::of(analyses.program());
        let suggested = FxHashMap::default();
        Sources { analyses, tuning: *tuning, budget, board, conditions, samples: None, suggested }
    }

    /// Facts that hold whenever a sample run comes to a loop head.
    fn suggestions(&mut self, key: LoopKey) -> &Suggestions {
        let samples = self.samples.get_or_insert_with(|| self.board.samples(self.analyses, self.budget));
        self.suggested.entry(key).or_insert_with(|| match samples.heads.get(&key) {
            Some(seen) => suggest(seen, &samples.constants, &samples.conditions(key), &|_| true),
            None => Suggestions::default(),
        })
    }

    /// Candidates against a counterexample, the likelier ones first.
    pub fn candidates(
        &mut self,
        sym: &mut Sym,
        known: &mut Known,
        (trace, exact_states): (&TraceFormula, &[State]),
        effort: Effort,
    ) -> Vec<Candidate> {
        let mut candidates = Candidates::default();
        let mut later: Vec<StepCondition> = Vec::new();
        let mut needed: Vec<TermId> = Vec::new();
        for (at, cut) in trace.cuts.iter().enumerate().rev() {
            let mut own: Vec<StepCondition> = Vec::new();
            for (step, condition) in trace.conditions_after(at) {
                own.extend(atoms(&sym.terms, condition).into_iter().map(|atom| (step, atom)));
            }
            if let Some(model) = trace.model_of(at + 1) {
                let mut path = ModelPath::new(model);
                for (step, condition) in trace.conditions_after(at).collect::<Vec<_>>() {
                    own.extend(path.atoms(&mut sym.terms, condition).into_iter().map(|atom| (step, atom)));
                }
            }
            let live = &self.analyses.shape(cut.key.0).live;
            let symbols = known.vocabulary.symbols_of_values(sym, &cut.after, live);
            let mut finder =
                AtCut { cut, vocabulary: known.vocabulary, tuning: &self.tuning, candidates: &mut candidates };
            let parts = finder.add_from_conditions(sym, &symbols, &own, &later, effort);
            if known.values.is_some() {
                needed.extend(own.iter().map(|(_, atom)| *atom));
                needed = candidates.add_dependencies(sym, known.vocabulary, cut, &symbols, &needed);
            }
            let mut facts = self.known_facts(known.exchange, cut, &parts);
            if effort != Effort::Quick {
                let suggestions = self.suggestions(cut.key);
                let lists = [(Source::Sampled, &suggestions.plain), (Source::Conditional, &suggestions.conditional)];
                for (source, list) in lists {
                    facts.extend(list.iter().filter(|f| is_about(f, &parts)).map(|fact| (source, fact.clone())));
                }
                let mut finder =
                    AtCut { cut, vocabulary: known.vocabulary, tuning: &self.tuning, candidates: &mut candidates };
                if let Some(state) = exact_states.get(at) {
                    finder.add_from_values(sym, &parts, state);
                }
            }
            let template = known.vocabulary.template_state(sym, cut.key.0);
            for (source, fact) in facts {
                if let Some(term) = fact.term(sym, &template) {
                    candidates.add(&sym.terms, Candidate { key: cut.key, source, step: 0, term });
                }
            }
            let conditions = own.into_iter().chain(later).collect();
            let model = trace.model_of(at);
            later = carry_back(sym, known.vocabulary, (cut, model), symbols, conditions, &self.tuning);
        }
        if effort == Effort::SamplesFirst {
            for candidate in &mut candidates.list {
                candidate.source = match candidate.source {
                    Source::Sampled => Source::SampledFirst,
                    Source::Conditional => Source::ConditionalFirst,
                    other => other,
                };
            }
        }
        if let Some(values) = &known.values {
            candidates.track_values(&sym.terms, values);
        }
        candidates.sorted(&sym.terms, self.tuning.max_candidates)
    }

    /// What the program compares, the interval analysis knows and other engines have posted about parts.
    fn known_facts(&self, exchange: &Exchange, cut: &Cut, parts: &[Part]) -> Vec<(Source, Fact)> {
        let (func, head) = (cut.key.0, cut.after.loc);
        let mut found: Vec<Fact> =
            self.conditions.seen_by(func).filter(|fact| is_about(fact, parts)).cloned().collect();
        for (_, part) in parts {
            if let (StatePart::Register(var), Some(intervals)) = (part, self.analyses.intervals())
                && let Some(value) = intervals.at(func, head, *var)
            {
                let quantity = Quantity { part: StatePart::Register(*var), width: value.width };
                found.extend(of_interval(quantity, &value));
            }
        }
        found.extend(exchange.facts(cut.key).filter(|fact| is_about(fact, parts)).cloned());
        found.into_iter().map(|fact| (Source::Own, fact)).collect()
    }
}

/// Candidates at one cut.
struct AtCut<'c> {
    cut: &'c Cut,
    vocabulary: &'c mut Vocabulary,
    tuning: &'c RefinementTuning,
    candidates: &'c mut Candidates,
}

impl AtCut<'_> {
    /// From the conditions of the segment after the cut and of later ones. Gives the parts that they are about.
    fn add_from_conditions(
        &mut self,
        sym: &mut Sym,
        symbols: &FxHashMap<TermId, TermId>,
        own: &[StepCondition],
        later: &[StepCondition],
        effort: Effort,
    ) -> Vec<Part> {
        let key = self.cut.key;
        let modified = &self.cut.havocked;
        let mut replacement = Substitution::new(symbols.iter().map(|(value, symbol)| (*value, *symbol)));
        let mut parts: Vec<Part> = Vec::new();
        let all = own.iter().map(|one| (Source::Own, one)).chain(later.iter().map(|one| (Source::Carried, one)));
        for (source, (step, atom)) in all {
            let term = replacement.apply(&mut sym.terms, *atom);
            let Some(found) = self.vocabulary.parts(sym, key.0, term) else {
                // It is about inputs too. What is known of its parts may help nevertheless.
                let found = self.vocabulary.parts_within(sym, key.0, term);
                add_new(&mut parts, &found);
                continue;
            };
            if found.is_empty() || cone(&sym.terms, &[term]).len() > self.tuning.max_predicate_terms {
                continue;
            }
            let is_unmodified = found.iter().all(|(_, part)| match part {
                StatePart::Register(var) => !modified.contains(var),
                StatePart::Bytes(..) | StatePart::Behind { .. } => false,
            });
            let source = if is_unmodified { Source::Unmodified } else { source };
            if effort != Effort::Quick || source == Source::Own {
                self.candidates.add(&sym.terms, Candidate { key, source, step: *step, term });
            }
            add_new(&mut parts, &found);
        }
        parts
    }

    /// From the values of parts in a state without abstraction: constants, and how they relate.
    fn add_from_values(&mut self, sym: &mut Sym, parts: &[Part], state: &State) {
        let key = self.cut.key;
        if state.func() != key.0 {
            return;
        }
        let mut found = Vec::new();
        let mut related: Vec<(TermId, TermId)> = Vec::new();
        for (symbol, _) in parts {
            let Some(value) = self.vocabulary.instantiate(sym, *symbol, state) else { continue };
            if sym.terms.is_const(value) {
                found.push(sym.terms.eq(*symbol, value));
            }
            if matches!(sym.terms.sort(*symbol), Sort::Bv(2..=64)) && related.len() < self.tuning.max_related_parts {
                related.push((*symbol, value));
            }
        }
        let terms = &mut sym.terms;
        for (i, (x, u)) in related.iter().enumerate() {
            for (y, v) in &related[i + 1..] {
                if terms.sort(*x) != terms.sort(*y) {
                    continue;
                }
                found.push(terms.eq(*x, *y));
                found.push(terms.bv_sle(*x, *y));
                found.push(terms.bv_sle(*y, *x));
                found.push(terms.bv_ule(*x, *y));
                found.push(terms.bv_ule(*y, *x));
                let offset = terms.bv_sub(*u, *v);
                if terms.is_const(offset) {
                    let difference = terms.bv_sub(*x, *y);
                    found.push(terms.eq(difference, offset));
                }
            }
        }
        for term in found {
            self.candidates.add(&sym.terms, Candidate { key, source: Source::Observed, step: 0, term });
        }
    }
}

/// Conditions after a cut as conditions before it: in the state that came, they are conditions of the segment before.
fn carry_back(
    sym: &mut Sym,
    vocabulary: &mut Vocabulary,
    (cut, model): (&Cut, Option<&Assignment>),
    symbols: FxHashMap<TermId, TermId>,
    conditions: Vec<StepCondition>,
    tuning: &RefinementTuning,
) -> Vec<StepCondition> {
    let mut pairs: Vec<(TermId, TermId)> = Vec::new();
    for (value, symbol) in symbols {
        if let Some(before) = vocabulary.instantiate(sym, symbol, &cut.before)
            && before != value
        {
            pairs.push((value, before));
        }
    }
    let mut back = Substitution::new(pairs);
    let mut carried: Vec<StepCondition> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut path = model.map(ModelPath::new);
    for (step, atom) in conditions {
        let before = back.apply(&mut sym.terms, atom);
        if let Some(path) = &mut path {
            let atoms = path.atoms(&mut sym.terms, before);
            let small = atoms.into_iter().filter(|atom| cone(&sym.terms, &[*atom]).len() <= tuning.max_predicate_terms);
            carried.extend(small.filter(|atom| seen.insert(*atom)).map(|atom| (step, atom)));
        }
        // Substitution makes terms larger; simplification at the next cut may make them smaller again.
        if cone(&sym.terms, &[before]).len() <= 4 * tuning.max_predicate_terms {
            let new = atoms(&sym.terms, before).into_iter().filter(|atom| seen.insert(*atom));
            carried.extend(new.map(|atom| (step, atom)));
        }
    }
    carried.sort_by_key(|(step, _)| Reverse(*step));
    carried.truncate(tuning.max_candidates);
    carried
}

fn add_new(parts: &mut Vec<Part>, found: &[Part]) {
    for part in found {
        if !parts.contains(part) {
            parts.push(*part);
        }
    }
}

/// Whether a fact is about parts only.
pub fn is_about(fact: &Fact, parts: &[Part]) -> bool {
    let is_part = |quantity: &Quantity| parts.iter().any(|(_, part)| *part == quantity.part);
    fact.quantities().iter().all(is_part)
}

/// The conditions that a condition is made of.
fn atoms(terms: &Terms, condition: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut stack = vec![condition];
    let mut seen = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) || terms.is_const(term) {
            continue;
        }
        match terms.kind(term) {
            Kind::Unary(UnaryOp::Not, a) => stack.push(a),
            Kind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => stack.extend([a, b]),
            Kind::Binary(BinaryOp::Eq, a, b) if terms.sort(a) == Sort::Bool => stack.extend([a, b]),
            Kind::Ite(c, a, b) => stack.extend([c, a, b]),
            _ => found.push(term),
        }
    }
    found
}
