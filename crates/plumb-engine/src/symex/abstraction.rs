//! Implicit predicate abstraction at loop heads: from the states that come to a head to the states that paths go on from.
//!
//! The abstraction of a state is its entry's state together with a valuation of the predicates ([`super::reached_set`]).
//! No abstract post-condition is computed: the valuations are those that the path condition of the arriving path allows.

use super::SYMEXIA;
use super::evidence::ConcreteVisits;
use super::loop_heads::LoopHeads;
use super::path::SymbolicPath;
use super::reached_set::{AbstractionPoint, Entry};
use super::tuning::Tuning;
use crate::answer::{StatePart, WhyUnknown};
use crate::board::Board;
use crate::predicates::exchange::Exchange;
use crate::predicates::feasibility::Feasibility;
use crate::predicates::precision::{PrecisionFunction, as_equation};
use crate::predicates::refinement::Known;
use crate::predicates::valuations::Valuations;
use crate::predicates::vocabulary::Vocabulary;
use crate::predicates::{Valuation, literals};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_sym::{State, Sym, Value};
use plumb_term::{Assignment, Evaluator, Sort, TermId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub struct Abstraction<'a> {
    pub analyses: &'a Analyses,
    pub precision: PrecisionFunction,
    pub vocabulary: Vocabulary,
    pub loops: LoopHeads,
    pub valuations: Valuations,
    pub concrete_visits: ConcreteVisits,
    pub exchange: Exchange<'a>,
}

/// What a path goes on with from an abstract state.
pub struct AbstractState {
    pub state: State,
    pub predicate_values: Arc<[TermId]>,
    pub model: Option<Arc<Assignment>>,
}

impl<'a> Abstraction<'a> {
    pub fn new(analyses: &'a Analyses, board: &'a Board, threshold: u32, tuning: &Tuning) -> Abstraction<'a> {
        Abstraction {
            analyses,
            precision: PrecisionFunction::new(threshold),
            vocabulary: Vocabulary::new(tuning.abstraction.max_scalars),
            loops: LoopHeads::default(),
            valuations: Valuations::new(&tuning.abstraction),
            concrete_visits: ConcreteVisits::new(tuning.evidence.max_concrete_visits),
            exchange: Exchange::new(SYMEXIA, board, tuning.abstraction.max_shared_invariants),
        }
    }

    /// What refinement reads and changes.
    pub fn known(&mut self) -> Known<'_, 'a> {
        Known {
            precision: &mut self.precision,
            vocabulary: &mut self.vocabulary,
            exchange: &mut self.exchange,
            values: None,
        }
    }

    pub fn should_abstract(&self, path: &SymbolicPath) -> bool {
        self.loops.should_abstract(self.analyses, &self.precision, path)
    }

    /// The entry of a loop for paths that come to it, whose states have been joined; `None` if none of them is feasible.
    pub fn build_entry(
        &mut self,
        sym: &mut Sym,
        feasibility: &mut Feasibility,
        key: LoopKey,
        arrivals: Vec<Arc<SymbolicPath>>,
        mut state: State,
    ) -> Option<Entry> {
        let modified = self.loops.modified(self.analyses, key);
        sym.forget(&mut state, modified);
        let havocked = modified.clone();
        let (mut predicates, mut instances) = (Vec::new(), Vec::new());
        for predicate in self.precision.predicates(key) {
            if let Some(term) = self.vocabulary.instantiate(sym, *predicate, &state) {
                predicates.push(*predicate);
                instances.push(term);
            }
        }
        let empty = Some(Arc::new(Assignment::new()));
        let mut model = feasibility.extend_by_each(sym, Vec::new(), &state.path.since(0), empty)?;
        self.exchange.read(sym, &mut self.vocabulary);
        let mut invariants = self.exchange.invariants(key);
        let mut assumed = Vec::new();
        invariants.retain(|invariant| {
            let instance = self.vocabulary.instantiate(sym, *invariant, &state);
            assumed.extend(instance);
            instance.is_some()
        });
        match feasibility.extend_by_each(sym, state.path.since(0), &assumed, model.clone()) {
            Some(strengthened) => {
                assumed.into_iter().for_each(|holds| state.path.push(holds, &mut sym.terms));
                model = strengthened;
            }
            // Invariants that exclude the states which came here are none.
            None => invariants.drain(..).for_each(|one| self.exchange.drop_invariant(key, one)),
        }
        let reached = FxHashMap::default();
        Some(Entry {
            key,
            arrivals,
            havocked,
            state,
            model,
            invariants,
            predicates,
            instances,
            reached,
            is_removed: false,
        })
    }

    /// Whether a path that comes to an entry's head establishes the invariants that the entry assumes. Those that it may
    /// break are dropped, and the entry has to be built again.
    pub fn keeps_invariants(
        &mut self,
        sym: &mut Sym,
        feasibility: &mut Feasibility,
        entry: &Entry,
        path: &SymbolicPath,
    ) -> bool {
        let mut open: Vec<(TermId, TermId)> = Vec::new();
        let path_condition = path.path_condition();
        let mut intervals = feasibility.intervals(sym, &path_condition);
        for invariant in &entry.invariants {
            let instance = self.vocabulary.instantiate(sym, *invariant, &path.state).unwrap_or(TermId::bool(false));
            if intervals.truth(&sym.terms, instance) != Some(true) {
                open.push((*invariant, instance));
            }
        }
        let mut keeps_all = true;
        while !open.is_empty() {
            let broken: Vec<TermId> = open.iter().map(|(_, instance)| sym.terms.not(*instance)).collect();
            let broken = sym.terms.or_all(broken);
            let Err(model) = feasibility.refute(sym, &path_condition, broken) else { break };
            keeps_all = false;
            // Without a model nobody knows which of them is broken.
            let mut evaluator = model.as_ref().map(Evaluator::new);
            let mut is_broken = |instance| evaluator.as_mut().is_none_or(|one| !one.holds(&sym.terms, instance));
            let broken: Vec<_> = open.extract_if(.., |(_, instance)| is_broken(*instance)).collect();
            broken.into_iter().for_each(|(invariant, _)| self.exchange.drop_invariant(entry.key, invariant));
        }
        keeps_all
    }

    /// Whether others have proved invariants that an entry could assume and does not.
    pub fn lacks_invariants(&self, entry: &Entry) -> bool {
        self.exchange.invariants(entry.key).iter().any(|invariant| !entry.invariants.contains(invariant))
    }

    /// The valuations of an entry's predicates with which a path comes to its head.
    pub fn valuations_of(
        &mut self,
        sym: &mut Sym,
        feasibility: &mut Feasibility,
        entry: &Entry,
        path: &SymbolicPath,
    ) -> Result<Vec<Valuation>, WhyUnknown> {
        let instances = self.instances(sym, entry, &path.state);
        self.valuations.enumerate(sym, feasibility, &path.path_condition(), &instances)
    }

    /// The state that paths go on from with a valuation; `None` if no state has it.
    pub fn abstract_state(
        &mut self,
        sym: &mut Sym,
        feasibility: &mut Feasibility,
        entry: &Entry,
        valuation: &Valuation,
    ) -> Option<AbstractState> {
        let mut state = entry.state.clone();
        let holding = entry.predicates.iter().zip(valuation.iter()).filter(|(_, holds)| **holds);
        let equations: Vec<_> = holding.filter_map(|(one, _)| as_equation(&sym.terms, *one)).collect();
        for (symbol, value) in equations {
            // A constant in the state saves queries.
            match self.vocabulary.parts(sym, entry.key.0, symbol).as_deref() {
                Some([(_, StatePart::Register(var))]) if entry.havocked.registers.contains_key(var) => {
                    state.set_register(*var, Value::of_term(value, &sym.terms));
                }
                Some([(_, part @ (StatePart::Bytes(..) | StatePart::Behind { .. }))]) => {
                    sym.set_forgotten(&mut state, &entry.havocked, *part, value);
                }
                _ => {}
            }
        }
        let mut predicate_values = literals(sym, &entry.instances, valuation);
        predicate_values.retain(|literal| *literal != TermId::bool(true));
        let path = state.path.since(0);
        let model = feasibility.extend_by_each(sym, path, &predicate_values, entry.model.clone())?;
        Some(AbstractState { state, predicate_values: predicate_values.into(), model })
    }

    /// The conditions under which the first path to an abstraction point comes there.
    pub fn arrival_condition(&mut self, sym: &mut Sym, entry: &Entry, point: &AbstractionPoint) -> Vec<TermId> {
        let mut conditions = point.arrival.path_condition();
        let instances = self.instances(sym, entry, &point.arrival.state);
        conditions.extend(literals(sym, &instances, &point.valuation));
        conditions
    }

    /// The predicates of an entry in a state that comes to it.
    fn instances(&mut self, sym: &mut Sym, entry: &Entry, state: &State) -> Vec<TermId> {
        let instance = |predicate: &TermId| {
            let term = self.vocabulary.instantiate(sym, *predicate, state);
            // A predicate about a part that the state does not have may hold or not.
            term.unwrap_or_else(|| sym.terms.fresh_symbol("unknown", Sort::Bool))
        };
        entry.predicates.iter().map(instance).collect()
    }
}
