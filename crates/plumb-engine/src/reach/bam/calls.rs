//! What the calls in a node's block contribute: the abstract states in which callees are entered and left, and the targets that
//! they may meet.
//!
//! The formula of a block has, for a call of another block, the callee's exits with the symbols of what its loops have havocked. What
//! the callee's reachability graph says of these symbols is a condition beside the formula: if the callee is left from an
//! abstract entry, then in one of the abstract states that were reached there. Conditions of a callee are terms over its own symbols; at a
//! call they are instantiated, so that they are made once.
//!
//! **Soundness.** A run that makes the call enters the callee in a state of the gate's abstract states, since the transfer leaves none
//! out; its states at loop heads of the callee are then in abstract states of the graph, and so the condition holds of it. The conditions of
//! the calls of a graph's first block stay true of all that follows in the activation: their symbols are fixed.

use super::super::abstraction::{Element, merged};
use super::super::arg::NodeId;
use super::super::block::EntryId;
use super::super::domain::{Domain, Post, Product};
use super::super::graph::EdgeId;
use super::super::monitor::Stop;
use super::blocks::{BlockId, FUNCTION_ENTRY, FunctionBlock};
use super::cache::{Child, ReachId};
use super::explore::Bam;
use crate::answer::WhyUnknown;
use crate::predicates::targets::Target;
use plumb_ir::program::FuncId;
use plumb_solve::Outcome;
use plumb_term::{Assignment, Evaluator, TermId};
use std::rc::Rc;

/// A target that is met: through calls, each with the node of the callee in whose block the run is, under a model of the
/// caller's block.
pub struct TargetReached {
    pub calls: Vec<(usize, NodeId)>,
    pub entry: EntryId,
    pub target: Target,
    pub model: Assignment,
}

/// A target with the calls to it, and the entry in whose block it is.
type FoundTarget = (Vec<(usize, NodeId)>, EntryId, Target);

/// The numbers of edges into gates begin here, beyond those of all graphs.
const FIRST_GATE_EDGE: u32 = 1 << 31;

impl Bam<'_> {
    /// What is known of the states of a node and of the runs through its block: its region, the abstract states in which its
    /// block was entered, and what its calls contribute.
    pub fn conditions(&mut self, id: ReachId, node: NodeId) -> Result<Rc<[TermId]>, Stop> {
        if let Some(known) = self.reach(id).conditions.get(&node) {
            return Ok(known.clone());
        }
        let reach = self.reach(id);
        let (root, mut all) = (reach.root, reach.gate_conditions.clone());
        let elements = reach.reached.arg.node(node).elements.clone();
        let entry = self.blocks.graph(reach.block).entry(reach.reached.arg.node(node).entry);
        all.extend(self.abstraction.region(entry, &elements));
        if node != root {
            self.add_calls(id, root, &mut all)?;
        }
        self.add_calls(id, node, &mut all)?;
        let all: Rc<[TermId]> = all.into();
        self.reach_mut(id).conditions.insert(node, all.clone());
        Ok(all)
    }

    /// Adds what the calls of a node's block contribute, one after the other.
    fn add_calls(&mut self, id: ReachId, node: NodeId, all: &mut Vec<TermId>) -> Result<(), Stop> {
        for call in 0..self.entry_of(id, node).calls.len() {
            match self.child(id, node, call, all)? {
                Child::Exact => {}
                Child::Infeasible => {
                    let path = self.entry_of(id, node).calls[call].path;
                    all.push(self.abstraction.sym.terms.not(path));
                }
                Child::Explored(callee) => {
                    let path = self.entry_of(id, node).calls[call].path;
                    let root = self.reach(callee).root;
                    let begins = self.conditions(callee, root)?;
                    all.push(self.implied(id, node, call, path, &[begins]));
                    for (from, guard) in self.entry_of(id, node).calls[call].guards.clone() {
                        let mut reached = Vec::new();
                        for at in self.nodes_at(callee, from) {
                            reached.push(self.conditions(callee, at)?);
                        }
                        all.push(self.implied(id, node, call, guard, &reached));
                    }
                }
            }
        }
        all.retain(|condition| *condition != TermId::bool(true));
        Ok(())
    }

    /// The nodes of a graph at an abstract entry.
    pub fn nodes_at(&self, id: ReachId, entry: EntryId) -> Vec<NodeId> {
        self.reach(id).reached.arg.nodes_at(entry)
    }

    /// That one of several conjunctions of the callee holds at a call, if something does.
    fn implied(
        &mut self,
        id: ReachId,
        node: NodeId,
        call: usize,
        premise: TermId,
        alternatives: &[Rc<[TermId]>],
    ) -> TermId {
        let terms = &mut self.abstraction.sym.terms;
        let cubes: Vec<TermId> = alternatives.iter().map(|all| terms.and_all(all.iter().copied())).collect();
        let any = terms.or_all(cubes);
        let any = self.at_call(id, node, call, any);
        let terms = &mut self.abstraction.sym.terms;
        let not = terms.not(premise);
        terms.or(not, any)
    }

    /// A term of a callee at a call.
    pub fn at_call(&mut self, id: ReachId, node: NodeId, call: usize, term: TermId) -> TermId {
        let Bam { blocks, abstraction, reaches, .. } = self;
        let reach = &reaches[id];
        let call = &blocks.graph(reach.block).entry(reach.reached.arg.node(node).entry).calls[call];
        let Some(callee) = blocks.function(call.func) else { return TermId::bool(true) };
        abstraction.sym.instantiate(&callee.entry, &mut call.instance.borrow_mut(), term)
    }

    /// The reachability graph that answers a call of a node's block, under what is known of the runs up to it.
    fn child(&mut self, id: ReachId, node: NodeId, call: usize, known: &[TermId]) -> Result<Child, Stop> {
        if let Some(child) = self.reach(id).children.get(&(node, call)) {
            return Ok(*child);
        }
        let func = self.entry_of(id, node).calls[call].func;
        let missing = || WhyUnknown::GaveUp("a called function is no longer a block".to_string());
        let block = self.blocks.function(func).ok_or_else(missing)?;
        let child = match &*block {
            FunctionBlock { has_loops: false, has_targets: false, .. } => Child::Exact,
            // Its formula is exact whatever it is entered with.
            FunctionBlock { has_loops: false, .. } => {
                Child::Explored(self.cached((id, node, call), func, &block, Vec::new())?)
            }
            FunctionBlock { .. } => {
                let elements = self.entry_states(id, node, call, &block, known)?;
                match elements.is_empty() {
                    true => Child::Infeasible,
                    false => Child::Explored(self.cached((id, node, call), func, &block, elements)?),
                }
            }
        };
        self.reach_mut(id).children.insert((node, call), child);
        Ok(child)
    }

    /// The abstract states in which a call enters its callee, in order.
    fn entry_states(
        &mut self,
        id: ReachId,
        node: NodeId,
        call: usize,
        callee: &FunctionBlock,
        known: &[TermId],
    ) -> Result<Vec<Element>, Stop> {
        let Bam { blocks, abstraction, reaches, statistics, .. } = self;
        let reach = &reaches[id];
        let entry = blocks.graph(reach.block).entry(reach.reached.arg.node(node).entry);
        let one = &entry.calls[call];
        let mut conditions = known.to_vec();
        conditions.push(one.path);
        // Without predicates a call that is never made enters the block in the state in which others do.
        let key = (one.func, FUNCTION_ENTRY);
        let Product(_, Product(values, predicates)) = &abstraction.domain;
        if values.has_precision(key) || !predicates.precision(key).is_empty() {
            match abstraction.check(&conditions) {
                Outcome::Unsat => return Ok(Vec::new()),
                Outcome::Unknown(why) => return Err(Stop::Unknown(why.into())),
                Outcome::Sat => {}
            }
        }
        let mut instance = one.instance.borrow_mut();
        let state = abstraction.sym.instantiate_state(&callee.entry, &mut instance, &callee.entry.state);
        drop(instance);
        let edge = EdgeId(FIRST_GATE_EDGE + one.number);
        let post = Post { edge, to: &callee.gate, state: &state, conditions: &conditions };
        let (domain, mut queries) = abstraction.parts();
        let found = domain.transfer(&mut queries, &post)?;
        statistics.transfers += 1;
        statistics.successors += found.len() as u64;
        let mut found = merged(domain, found);
        found.sort();
        Ok(found)
    }

    /// The finished reachability graph of a function for abstract entry states.
    fn cached(
        &mut self,
        call: (ReachId, NodeId, usize),
        func: FuncId,
        block: &FunctionBlock,
        elements: Vec<Element>,
    ) -> Result<ReachId, Stop> {
        let key = (func, elements, self.version(func));
        if let Some(known) = self.cache.get(&key) {
            return Ok(known);
        }
        let elements = key.1.clone();
        let conditions = match elements.is_empty() {
            true => Vec::new(),
            false => self.abstraction.region(&block.gate, &elements),
        };
        let callee = self.new_reach(BlockId::Function(func), func, elements, conditions);
        self.note_call(call, callee);
        self.statistics.explored += 1;
        self.follow(callee)?;
        self.cache.insert(key, callee);
        Ok(callee)
    }

    /// Changes of all precisions that the exploration of a function depends on.
    fn version(&self, func: FuncId) -> u32 {
        let inside = self.analyses.resolved_calls().reachable(func);
        inside.iter().filter_map(|one| self.precision_changes.get(one)).sum()
    }
}

/// Targets: what a proof has to exclude.
impl Bam<'_> {
    fn own_targets(&self, id: ReachId, node: NodeId) -> Vec<(Target, TermId)> {
        let entry = self.entry_of(id, node);
        self.targets.of_block(&self.verdict, entry.id, &entry.log)
    }

    /// When a node's block meets a target, in itself or in a callee.
    fn any_target(&mut self, id: ReachId, node: NodeId) -> Result<TermId, Stop> {
        let dismissed = self.targets.dismissed(&self.verdict);
        if let Some((known, any)) = self.reach(id).targets.get(&node)
            && *known == dismissed
        {
            return Ok(*any);
        }
        let mut all: Vec<TermId> = self.own_targets(id, node).into_iter().map(|(_, condition)| condition).collect();
        for (_, _, condition) in self.targets_of_calls(id, node)? {
            all.push(condition);
        }
        let any = self.abstraction.sym.terms.or_all(all);
        self.reach_mut(id).targets.insert(node, (dismissed, any));
        Ok(any)
    }

    /// By call of a node's block and node of the callee, when a target is met there.
    fn targets_of_calls(&mut self, id: ReachId, node: NodeId) -> Result<Vec<(usize, NodeId, TermId)>, Stop> {
        // The calls are explored.
        self.conditions(id, node)?;
        let mut found = Vec::new();
        for call in 0..self.entry_of(id, node).calls.len() {
            let Some(Child::Explored(callee)) = self.reach(id).children.get(&(node, call)).copied() else { continue };
            for at in self.reach(callee).unsafe_nodes.clone() {
                let mut all = self.conditions(callee, at)?.to_vec();
                all.push(self.any_target(callee, at)?);
                let met = self.abstraction.sym.terms.and_all(all);
                let met = self.at_call(id, node, call, met);
                let path = self.entry_of(id, node).calls[call].path;
                found.push((call, at, self.abstraction.sym.terms.and(path, met)));
            }
        }
        Ok(found)
    }

    /// Whether the block of a node seems to meet a target.
    pub fn may_meet_target(&mut self, id: ReachId, node: NodeId) -> Result<bool, Stop> {
        let conditions = self.conditions(id, node)?;
        let any = self.any_target(id, node)?;
        if any == TermId::bool(false) {
            return Ok(false);
        }
        let mut conditions = conditions.to_vec();
        conditions.push(any);
        match self.abstraction.check(&conditions) {
            Outcome::Unsat => Ok(false),
            Outcome::Sat => Ok(true),
            Outcome::Unknown(why) => Err(Stop::Unknown(why.into())),
        }
    }

    /// A target that a node's block seems to meet, with a model.
    pub fn reached_target(&mut self, id: ReachId, node: NodeId) -> Result<Option<TargetReached>, Stop> {
        if !self.may_meet_target(id, node)? {
            return Ok(None);
        }
        let Some(model) = self.abstraction.feasibility.solver.model().cloned() else {
            return Err(WhyUnknown::no_model().into());
        };
        let (calls, entry, target) =
            self.find_target(id, node, &model)?.ok_or_else(|| Stop::from(WhyUnknown::wrong_model()))?;
        Ok(Some(TargetReached { calls, entry, target, model }))
    }

    /// The target that a model of a node's block meets.
    fn find_target(&mut self, id: ReachId, node: NodeId, model: &Assignment) -> Result<Option<FoundTarget>, Stop> {
        let own = self.own_targets(id, node);
        let of_calls = self.targets_of_calls(id, node)?;
        let mut evaluator = Evaluator::new(model);
        let terms = &self.abstraction.sym.terms;
        if let Some((target, _)) = own.iter().find(|(_, condition)| evaluator.holds(terms, *condition)) {
            return Ok(Some((Vec::new(), self.entry_of(id, node).id, *target)));
        }
        let met = of_calls.into_iter().find(|(_, _, condition)| evaluator.holds(terms, *condition));
        let Some((call, at, _)) = met else { return Ok(None) };
        let Some(Child::Explored(callee)) = self.reach(id).children.get(&(node, call)).copied() else {
            return Ok(None);
        };
        let inner = self.pull_back(id, node, call, model);
        Ok(self.find_target(callee, at, &inner)?.map(|(mut calls, entry, target)| {
            calls.insert(0, (call, at));
            (calls, entry, target)
        }))
    }

    /// A model of a caller's block as one of the callee's.
    pub fn pull_back(&self, id: ReachId, node: NodeId, call: usize, model: &Assignment) -> Assignment {
        let call = &self.entry_of(id, node).calls[call];
        self.abstraction.sym.pull_back(&call.instance.borrow(), model)
    }
}
