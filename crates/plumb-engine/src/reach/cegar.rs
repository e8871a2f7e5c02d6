//! Counterexamples: whether a run takes the blocks of an abstract path, and which precision excludes them if none does.
//!
//! The blocks of the path are followed once more without abstraction ([`super::exact`]). If the formula is satisfiable, its model is
//! replayed on the concrete machine. If not, the shortest prefix that no run takes is cut at its entries, and the refiner looks for predicates
//! that exclude it ([`crate::predicates::refinement`]). From the first node that lacks one of them on, the path is removed with its
//! subtree: lazy abstraction (Henzinger, Jhala, Majumdar, Sutre 2002).

use super::abstraction::{Abstraction, Element, Precisions};
use super::arg::{NodeId, Step};
use super::block::{Arrival, Block, BlockStop, EntryId};
use super::domain::{Domain, Post, Product};
use super::domains::predicate::Scope;
use super::exact::{Exact, ExactBlocks};
use super::explore::Explorer;
use super::graph::{BlockGraph, EdgeId};
use super::monitor::Stop;
use crate::answer::{StatePart, WhyUnknown};
use crate::predicates::refinement::{Cut, Known, LoopPredicate, TraceFormula};
use crate::predicates::targets::Target;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::program::{ObjRef, VarRef};
use plumb_solve::Outcome;
use plumb_sym::{Input, State, Sym};
use plumb_term::{Assignment, Evaluator, Sort, Substitution, TermId};
use std::collections::BTreeSet;

/// The blocks of the graph, each by its entry.
struct GraphBlocks<'g, 'a>(&'g mut BlockGraph<'a>);

impl ExactBlocks for GraphBlocks<'_, '_> {
    type Step = EdgeId;
    type Begin = EntryId;

    fn start(&mut self, _: &mut Sym) -> (EntryId, State) {
        (BlockGraph::START, self.0.entry(BlockGraph::START).state.clone())
    }

    fn explore(&mut self, sym: &mut Sym, begin: EntryId, state: State) -> Result<Block, BlockStop> {
        self.0.follow(sym, begin, state)
    }

    fn arrival<'b>(&self, block: &'b Block, step: &EdgeId) -> Option<(&'b Arrival, EntryId)> {
        let edge = self.0.edge(*step);
        let arrival = block.arrivals.iter().find(|arrival| arrival.place == edge.place)?;
        Some((arrival, edge.to))
    }
}

impl Explorer<'_> {
    /// A node's block seems to meet a target.
    pub fn counterexample(&mut self, id: NodeId, target: Target) -> Result<(), Stop> {
        let mut steps: Vec<Step> = Vec::new();
        let mut at = self.reached.arg.node(id).parent;
        while let Some(step) = at {
            steps.push(step);
            at = self.reached.arg.node(step.node).parent;
        }
        steps.reverse();
        let entry = self.reached.arg.node(id).entry;
        let (sym, ends) = (&mut self.abstraction.sym, steps.iter().map(|step| step.edge));
        let (blocks, states) = match self.exact.follow(sym, &mut GraphBlocks(&mut self.graph), ends, target) {
            Err(why) if why.is_budget() => return Err(Stop::Unknown(why)),
            Err(why) => {
                self.dismiss(entry, target, why);
                return Ok(());
            }
            Ok(Exact::Reached { condition, inputs, states }) => {
                match self.exact.solve(&mut self.abstraction.sym, &[condition]) {
                    Outcome::Sat => return self.confirm(entry, target, &inputs, condition),
                    Outcome::Unsat => (steps.len(), states),
                    Outcome::Unknown(why) => {
                        self.dismiss(entry, target, why.into());
                        return Ok(());
                    }
                }
            }
            Ok(Exact::Infeasible { blocks, states }) => (blocks, states),
        };
        self.statistics.refinements += 1;
        let goal = (blocks == steps.len()).then_some(target);
        match self.refine(id, &steps, (blocks, goal), &states) {
            Some(pivot) => self.reached.remove(&self.graph, pivot),
            None => {
                let why = "an abstract counterexample cannot be excluded".to_string();
                self.dismiss(entry, target, WhyUnknown::GaveUp(why));
            }
        }
        Ok(())
    }

    /// A feasible path meets the target: a violation, or the reason why there will be no proof.
    fn confirm(&mut self, entry: EntryId, target: Target, inputs: &[Input], condition: TermId) -> Result<(), Stop> {
        let Some(solver) = self.exact.solver() else { return Ok(()) };
        let sym = &mut self.abstraction.sym;
        let why = match self.verdict.confirm(sym, solver, self.monitor.budget, (target, inputs), condition) {
            Ok(violation) => return Err(Stop::Violated(violation)),
            Err(why) => why,
        };
        self.dismiss(entry, target, why);
        Ok(())
    }

    /// Refines the precision against the first blocks of a path, and against its target if that is what no run meets. Gives the
    /// first node that lacks what was found.
    fn refine(
        &mut self,
        last: NodeId,
        steps: &[Step],
        (blocks, target): (usize, Option<Target>),
        states: &[State],
    ) -> Option<NodeId> {
        let _span = tracing::info_span!("refinement").entered();
        // Nodes at the cuts: those that the first blocks lead to.
        let nodes: Vec<NodeId> = steps.iter().skip(1).map(|step| step.node).chain([last]).take(blocks).collect();
        let mut trace = self.trace_formula(steps, blocks, target);
        let (elements, models) = self.elements_on_path(&nodes, &steps[..blocks], trace.path_conditions.last());
        trace.models = models;
        self.precisions.exchange.read(&mut self.abstraction.sym, &mut self.abstraction.vocabulary);
        let mut is_one_path = false;
        let keys: BTreeSet<LoopKey> = trace.cuts.iter().map(|cut| cut.key).collect();
        loop {
            let mut without_progress: Vec<LoopPredicate> = Vec::new();
            let found = self.choose(&nodes, &trace, states, &mut without_progress);
            if let Some((chosen, pivot)) = found {
                for (key, term) in &chosen {
                    self.track_one(*key, *term);
                }
                keys.into_iter().for_each(|key| self.track(key));
                return Some(pivot);
            }
            // Values that would exclude the path are not known where it goes: predicates may say enough of them.
            without_progress.retain(|(_, term)| self.abstraction.sym.terms.sort(*term) != Sort::Bool);
            let Product(_, Product(values, _)) = &mut self.abstraction.domain;
            let cuts = &trace.cuts;
            without_progress.retain(|(key, symbol)| {
                let mut here = elements.iter().zip(cuts).filter(|(_, cut)| cut.key == *key);
                here.any(|((_, (known, _)), _)| values.is_vague((*key, *symbol), known))
            });
            if without_progress.is_empty() {
                if is_one_path || elements.is_empty() {
                    return None;
                }
                // The blocks have many paths: one of them is excluded, and the next counterexample takes another.
                is_one_path = true;
                trace.restrict_to_models(&mut self.abstraction.sym);
                continue;
            }
            without_progress.iter().for_each(|(key, symbol)| values.give_up_symbol(*key, *symbol));
        }
    }

    /// The abstract states of nodes that a path goes through, the last one first chosen by a model of what comes after it.
    /// With the models: each takes one path through the segment after the node, the first one through the segment before all.
    fn elements_on_path(
        &mut self,
        nodes: &[NodeId],
        steps: &[Step],
        last: Option<&Vec<TermId>>,
    ) -> (Vec<Element>, Vec<Option<Assignment>>) {
        let mut models: Vec<Option<Assignment>> = vec![None; nodes.len() + 1];
        let mut after: Vec<TermId> = last.cloned().unwrap_or_default();
        let mut found: Vec<Element> = Vec::with_capacity(nodes.len());
        for (at, (node, step)) in nodes.iter().zip(steps).enumerate().rev() {
            let entry = self.graph.entry(self.reached.arg.node(*node).entry);
            let elements = self.reached.arg.node(*node).elements.clone();
            let mut conditions = std::mem::take(&mut after);
            let (domain, mut queries) = self.abstraction.parts();
            let mut cubes = Vec::with_capacity(elements.len());
            for element in &elements {
                let cube = domain.condition(&mut queries, entry, element);
                cubes.push(queries.sym.terms.and_all(cube));
            }
            conditions.push(queries.sym.terms.or_all(cubes.iter().copied()));
            let Some(model) = queries.feasibility.model_of(queries.sym, &conditions) else {
                return (Vec::new(), models);
            };
            let mut evaluator = Evaluator::new(&model);
            let holds = cubes.iter().position(|cube| evaluator.holds(&queries.sym.terms, *cube));
            let Some(element) = holds.and_then(|at| elements.into_iter().nth(at)) else {
                return (Vec::new(), models);
            };
            let edge = self.graph.edge(step.edge);
            let post = Post { edge: step.edge, to: entry, state: &edge.state, conditions: &[] };
            after = edge.conditions.clone();
            after.extend(domain.post_condition(&mut queries, &post, &element));
            found.push(element);
            models[at + 1] = Some(model);
        }
        models[0] = self.abstraction.feasibility.model_of(&mut self.abstraction.sym, &after);
        found.reverse();
        (found, models)
    }

    /// What excludes a path, and the first of its nodes that lacks some of it. Without such a node, what was chosen in vain.
    fn choose(
        &mut self,
        nodes: &[NodeId],
        trace: &TraceFormula,
        states: &[State],
        without_progress: &mut Vec<LoopPredicate>,
    ) -> Option<(Vec<LoopPredicate>, NodeId)> {
        let Explorer { abstraction, precisions, reached, .. } = self;
        let Abstraction { sym, domain, vocabulary, .. } = abstraction;
        let Precisions { precision, exchange, refiner, tracking } = precisions;
        let lacking = |chosen: &[LoopPredicate]| {
            let lacks = |id: &NodeId, cut: &Cut| {
                let is_lacking = |one: &LoopPredicate| tracking.is_newer(one, reached.arg.node(*id).stamp);
                chosen.iter().any(|one| one.0 == cut.key && is_lacking(one))
            };
            nodes.iter().zip(&trace.cuts).find(|(id, cut)| lacks(id, cut)).map(|(id, _)| *id)
        };
        let Product(_, Product(values, _)) = domain;
        let values = Some(values.tracked_values());
        let known = &mut Known { precision, vocabulary, exchange, values };
        let is_progress = |chosen: &[LoopPredicate]| {
            let is_progress = lacking(chosen).is_some();
            if !is_progress {
                without_progress.extend(chosen);
            }
            is_progress
        };
        let chosen = refiner.refine(sym, known, (trace, states), is_progress)?;
        let pivot = lacking(&chosen)?;
        Some((chosen, pivot))
    }

    /// The formula of a path, cut at its entries.
    fn trace_formula(&mut self, steps: &[Step], blocks: usize, target: Option<Target>) -> TraceFormula {
        let mut trace = TraceFormula::default();
        for (at, step) in steps[..blocks].iter().enumerate() {
            let edge = self.graph.edge(step.edge);
            self.add_segment(&mut trace, at, edge.from, &edge.conditions.clone());
            let edge = self.graph.edge(step.edge);
            let entry = self.graph.entry(edge.to);
            let Some(key) = entry.key else { continue };
            trace.cuts.push(Cut {
                entry: edge.to.0,
                key,
                havocked: entry.havocked.registers.keys().copied().collect(),
                step: at as u64 + 1,
                before: edge.state.clone(),
                after: entry.state.clone(),
            });
        }
        let last = match (target, steps.get(blocks)) {
            (None, Some(step)) => (self.graph.edge(step.edge).from, self.graph.edge(step.edge).conditions.clone()),
            (target, _) => {
                let from = steps.last().map_or(BlockGraph::START, |step| self.graph.edge(step.edge).to);
                let log = &self.graph.entry(from).log;
                (from, target.map(|target| target.condition(log, &mut self.abstraction.sym)).into_iter().collect())
            }
        };
        self.add_segment(&mut trace, blocks, last.0, &last.1);
        trace
    }

    /// A segment: its path condition, and what of it is not known where it begins.
    fn add_segment(&self, trace: &mut TraceFormula, at: usize, from: EntryId, conditions: &[TermId]) {
        let known = self.graph.entry(from).state.path.since(0);
        let new = conditions.iter().filter(|condition| !known.contains(condition));
        trace.conditions.extend(new.map(|condition| (at as u64, *condition)));
        trace.path_conditions.push(conditions.to_vec());
    }
}

impl Explorer<'_> {
    /// Hands what the refiner has chosen for a loop head to the domains: a variable that was compared with a constant to the
    /// value domain, unless it had too many values; everything else to the predicate domain.
    pub fn track(&mut self, key: LoopKey) {
        for predicate in self.precisions.precision.predicates(key).to_vec() {
            for (key, predicate) in self.in_scope(key, predicate) {
                self.track_one(key, predicate);
            }
        }
    }

    fn track_one(&mut self, key: LoopKey, predicate: TermId) {
        let Abstraction { sym, vocabulary, domain, .. } = &mut self.abstraction;
        let Precisions { refiner, tracking, .. } = &mut self.precisions;
        tracking.track(sym, domain, (refiner, vocabulary), (key, predicate));
    }

    /// The loop heads that get a predicate, each with the predicate in its own symbols: those at which all its parts are seen.
    fn in_scope(&mut self, key: LoopKey, predicate: TermId) -> Vec<LoopPredicate> {
        let mut found = vec![(key, predicate)];
        let scope = self.tuning.predicates.scope;
        let parts = self.abstraction.vocabulary.parts(&mut self.abstraction.sym, key.0, predicate);
        let Some(parts) = parts.filter(|_| scope != Scope::Location) else { return found };
        let is_global = |part: &StatePart| match part {
            StatePart::Register(VarRef::Global(_)) | StatePart::Bytes(ObjRef::Global(_), _) => true,
            StatePart::Register(VarRef::Local(_)) | StatePart::Bytes(ObjRef::Local(_), _) => false,
            // Its symbols are those of one function.
            StatePart::Behind { .. } => false,
        };
        let others: BTreeSet<LoopKey> = self.graph.entries().filter_map(|entry| entry.key).collect();
        for other in others.into_iter().filter(|other| *other != key) {
            let shape = self.analyses.shape(other.0);
            let head = shape.head(other.1);
            let is_seen = |part: &StatePart| match part {
                _ if is_global(part) => true,
                StatePart::Register(var) => other.0 == key.0 && shape.live.is_live(head, *var),
                StatePart::Bytes(..) => other.0 == key.0,
                StatePart::Behind { pointer, .. } => other.0 == key.0 && shape.live.is_live(head, *pointer),
            };
            let is_near = scope == Scope::Program || other.0 == key.0;
            if !is_near || !parts.iter().all(|(_, part)| is_seen(part)) {
                continue;
            }
            let template = self.abstraction.vocabulary.template_state(&mut self.abstraction.sym, other.0);
            let pairs: Option<Vec<(TermId, TermId)>> = parts
                .iter()
                .map(|(symbol, part)| {
                    Some((
                        *symbol,
                        self.abstraction.sym.part_term(&template, *part, self.abstraction.sym.terms.width(*symbol))?,
                    ))
                })
                .collect();
            let Some(pairs) = pairs else { continue };
            found.push((other, Substitution::new(pairs).apply(&mut self.abstraction.sym.terms, predicate)));
        }
        found
    }
}
