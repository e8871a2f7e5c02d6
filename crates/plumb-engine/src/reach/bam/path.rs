//! Counterexamples unfolded: the path of an abstract counterexample through the graphs of blocks, as one path of the program.
//!
//! A path of the program's graph goes through calls, which models of its steps answer: whether they are made, and from which abstract
//! entry the callee is left. There the path goes on in the graph of the callee, from its entry to the node that the model is in,
//! and so on inwards. What comes out is a list of *cuts*, the places where the exploration has abstracted: entries of functions, and
//! loop heads in all activations.

use super::super::abstraction::Element;
use super::super::arg::{NodeId, Step};
use super::super::block::{EntryId, LoopAround};
use super::super::domain::{Domain, Post};
use super::super::graph::EdgeId;
use super::super::monitor::Stop;
use super::blocks::choice;
use super::cache::{Child, ReachId};
use super::calls::TargetReached;
use super::explore::{Bam, PROGRAM};
use crate::answer::WhyUnknown;
use crate::predicates::targets::Target;
use plumb_ir::program::{FuncId, Loc};
use plumb_term::{Assignment, Evaluator, TermId};

/// A place that all explorations of a program name alike.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PathPlace {
    pub call_stack: Vec<(FuncId, Loc)>,
    pub at: (FuncId, Loc),
    pub loops: Vec<LoopAround>,
}

/// The call of an activation: the activation that makes it, and the node and number of the call there.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    pub activation: usize,
    pub node: NodeId,
    pub call: usize,
}

/// A block on the path, with what is around it.
pub struct Activation {
    pub reach: ReachId,
    pub caller: Option<Caller>,
    /// Its entry states were abstracted.
    pub has_gate: bool,
    call_stack: Vec<(FuncId, Loc)>,
    loops: Vec<LoopAround>,
}

#[derive(Clone, Copy, Debug)]
pub enum CutKind {
    /// The entry of the activation's function.
    Gate,
    /// A loop head.
    Head { node: NodeId, edge: EdgeId },
}

pub struct PathCut {
    pub activation: usize,
    pub kind: CutKind,
    pub element: Element,
    /// From which abstract entries the calls before it were left, in the block that the path comes from.
    pub choices: Vec<TermId>,
    /// The node of the program's graph in whose block it is, or which it is.
    pub top: NodeId,
}

pub struct UnfoldedPath {
    pub activations: Vec<Activation>,
    pub cuts: Vec<PathCut>,
    /// Where the target is met, with the node of that block.
    pub end: (usize, NodeId),
    /// Choices of the calls before the target.
    pub choices: Vec<TermId>,
    pub entry: EntryId,
    pub target: Target,
}

impl UnfoldedPath {
    /// The place of a loop head on it.
    pub fn place(&self, bam: &Bam, cut: &PathCut) -> Option<PathPlace> {
        let CutKind::Head { edge, .. } = cut.kind else { return None };
        let activation = &self.activations[cut.activation];
        let graph = bam.blocks.graph(bam.reach(activation.reach).block);
        let (calls, at, loops) = graph.edge(edge).place.parts();
        Some(PathPlace {
            call_stack: activation.call_stack.iter().chain(calls).copied().collect(),
            at,
            loops: activation.loops.iter().copied().chain(loops).collect(),
        })
    }

    /// The activation in whose symbols conditions are before a cut, or before the target.
    pub fn level(&self, cut: Option<&PathCut>) -> usize {
        let (mut at, is_gate) = match cut {
            Some(cut) => (cut.activation, matches!(cut.kind, CutKind::Gate)),
            None => (self.end.0, false),
        };
        if is_gate {
            at = self.activations[at].caller.map_or(0, |caller| caller.activation);
        }
        // What is exact is part of its caller.
        while !self.activations[at].has_gate
            && let Some(caller) = self.activations[at].caller
        {
            at = caller.activation;
        }
        at
    }
}

/// The path as it is built.
struct Unfolding {
    activations: Vec<Activation>,
    cuts: Vec<PathCut>,
    /// By activation, the choices in the block at hand.
    choices: Vec<Vec<TermId>>,
    top: NodeId,
}

impl Bam<'_> {
    /// The path to a target that a node of the program's graph seems to meet.
    pub fn unfold(&mut self, node: NodeId, reached: TargetReached) -> Result<UnfoldedPath, Stop> {
        let outermost =
            Activation { reach: PROGRAM, caller: None, has_gate: true, call_stack: Vec::new(), loops: Vec::new() };
        let mut path =
            Unfolding { activations: vec![outermost], cuts: Vec::new(), choices: vec![Vec::new()], top: node };
        let TargetReached { calls, entry, target, mut model } = reached;
        let (mut activation, mut at) = (0, node);
        self.unfold_to(&mut path, activation, at, &model)?;
        for (call, callee_node) in calls {
            self.unfold_calls(&mut path, (activation, at), &model, call)?;
            let reach = path.activations[activation].reach;
            let inner = self.pull_back(reach, at, call, &model);
            let Some(callee) = self.enter(&mut path, Caller { activation, node: at, call }, &inner) else {
                return Err(no_model().into());
            };
            (activation, at, model) = (callee, callee_node, inner);
            self.unfold_to(&mut path, activation, at, &model)?;
        }
        let count = self.entry_of(path.activations[activation].reach, at).calls.len();
        self.unfold_calls(&mut path, (activation, at), &model, count)?;
        let Unfolding { activations, cuts, choices, .. } = path;
        let mut path = UnfoldedPath { activations, cuts, end: (activation, at), choices: Vec::new(), entry, target };
        path.choices = choices[path.level(None)].clone();
        Ok(path)
    }

    /// Unfolds a graph's path to a node, whose block a model goes through.
    fn unfold_to(
        &mut self,
        path: &mut Unfolding,
        activation: usize,
        node: NodeId,
        model: &Assignment,
    ) -> Result<(), Stop> {
        let id = path.activations[activation].reach;
        let mut steps: Vec<Step> = Vec::new();
        let mut at = self.reach(id).reached.arg.node(node).parent;
        while let Some(step) = at {
            steps.push(step);
            at = self.reach(id).reached.arg.node(step.node).parent;
        }
        // Backwards: each step is taken by a run that comes into the abstract state that goes on.
        let (mut found, mut to, mut after) = (Vec::with_capacity(steps.len()), node, model.clone());
        for step in steps {
            let element = self.element_in(id, to, &after);
            let mut conditions = self.conditions(id, step.node)?.to_vec();
            let Bam { blocks, abstraction, reaches, .. } = self;
            let graph = blocks.graph(reaches[id].block);
            let edge = graph.edge(step.edge);
            conditions.extend(&edge.conditions);
            let post = Post { edge: step.edge, to: graph.entry(edge.to), state: &edge.state, conditions: &[] };
            let (domain, mut queries) = abstraction.parts();
            conditions.extend(domain.post_condition(&mut queries, &post, &element));
            let before = queries.feasibility.model_of(queries.sym, &conditions);
            let before = before.ok_or_else(no_model)?;
            found.push((step, to, element, before.clone()));
            (to, after) = (step.node, before);
        }
        while let Some((step, to, element, before)) = found.pop() {
            if activation == 0 {
                path.top = step.node;
            }
            let calls = self.entry_of(id, step.node).calls.len();
            self.unfold_calls(path, (activation, step.node), &before, calls)?;
            if activation == 0 {
                path.top = to;
            }
            let choices = std::mem::take(&mut path.choices[activation]);
            let kind = CutKind::Head { node: to, edge: step.edge };
            path.cuts.push(PathCut { activation, kind, element, choices, top: path.top });
        }
        Ok(())
    }

    /// The abstract state of a node that a model is in.
    fn element_in(&mut self, id: ReachId, node: NodeId, model: &Assignment) -> Element {
        let Bam { blocks, abstraction, reaches, .. } = self;
        let reach = &reaches[id];
        let entry = blocks.graph(reach.block).entry(reach.reached.arg.node(node).entry);
        let elements = &reach.reached.arg.node(node).elements;
        let (domain, mut queries) = abstraction.parts();
        let mut evaluator = Evaluator::new(model);
        let holds = elements.iter().find(|element| {
            let cube = domain.condition(&mut queries, entry, element);
            cube.iter().all(|literal| evaluator.holds(&queries.sym.terms, *literal))
        });
        holds.or(elements.first()).cloned().unwrap_or_else(|| domain.start())
    }

    /// Unfolds those of the first calls of a node's block that a model makes and returns from.
    fn unfold_calls(
        &mut self,
        path: &mut Unfolding,
        (activation, node): (usize, NodeId),
        model: &Assignment,
        count: usize,
    ) -> Result<(), Stop> {
        let id = path.activations[activation].reach;
        for call in 0..count {
            let one = &self.entry_of(id, node).calls[call];
            let (func, condition, guards) = (one.func, one.path, one.guards.clone());
            let mut evaluator = Evaluator::new(model);
            if !evaluator.holds(&self.abstraction.sym.terms, condition) {
                continue;
            }
            let left_from = guards.iter().find(|(_, guard)| evaluator.holds(&self.abstraction.sym.terms, *guard));
            let left_from = left_from.map(|(entry, _)| *entry);
            let Some(block) = self.blocks.function(func).filter(|block| block.has_loops) else { continue };
            let inner = self.pull_back(id, node, call, model);
            let Some(callee) = self.enter(path, Caller { activation, node, call }, &inner) else { continue };
            let reach = path.activations[callee].reach;
            let at = match left_from {
                None => Some(self.reach(reach).root),
                Some(entry) => self.node_in(reach, entry, &inner)?,
            };
            let Some(at) = at else { return Err(no_model().into()) };
            self.unfold_to(path, callee, at, &inner)?;
            let calls = self.entry_of(reach, at).calls.len();
            self.unfold_calls(path, (callee, at), &inner, calls)?;
            let from = left_from.unwrap_or(block.start);
            let literals = choice(&mut self.abstraction.sym, &guards, from);
            path.choices[activation].extend(literals);
        }
        Ok(())
    }

    /// The node of a graph at an abstract entry that a model is in.
    fn node_in(&mut self, id: ReachId, entry: EntryId, model: &Assignment) -> Result<Option<NodeId>, Stop> {
        let nodes = self.nodes_at(id, entry);
        for node in &nodes {
            let conditions = self.conditions(id, *node)?;
            let mut evaluator = Evaluator::new(model);
            if conditions.iter().all(|one| evaluator.holds(&self.abstraction.sym.terms, *one)) {
                return Ok(Some(*node));
            }
        }
        Ok(nodes.first().copied())
    }

    /// Enters the callee of a call, in the abstract entry state that a model is in.
    fn enter(&mut self, path: &mut Unfolding, caller: Caller, model: &Assignment) -> Option<usize> {
        let id = path.activations[caller.activation].reach;
        let Child::Explored(reach) = *self.reach(id).children.get(&(caller.node, caller.call))? else { return None };
        let call = &self.entry_of(id, caller.node).calls[caller.call];
        let (func, around) = (call.func, &path.activations[caller.activation]);
        let call_stack = around.call_stack.iter().chain(&call.call_stack).copied().collect();
        let loops = around.loops.iter().chain(&call.loops).copied().collect();
        let block = self.blocks.function(func)?;
        let activation = path.activations.len();
        let has_gate = block.has_loops;
        path.activations.push(Activation { reach, caller: Some(caller), has_gate, call_stack, loops });
        path.choices.push(Vec::new());
        if has_gate {
            let gate = self.reach(reach).gate.clone();
            let (domain, mut queries) = self.abstraction.parts();
            let mut evaluator = Evaluator::new(model);
            let holds = gate.iter().find(|element| {
                let cube = domain.condition(&mut queries, &block.gate, element);
                cube.iter().all(|literal| evaluator.holds(&queries.sym.terms, *literal))
            });
            let element = holds.or(gate.first()).cloned().unwrap_or_else(|| domain.start());
            // Calls before this one are left where the model leaves them.
            let choices = path.choices[caller.activation].clone();
            path.cuts.push(PathCut { activation, kind: CutKind::Gate, element, choices, top: path.top });
        }
        Some(activation)
    }
}

fn no_model() -> WhyUnknown {
    WhyUnknown::GaveUp("an abstract counterexample cannot be unfolded".to_string())
}
