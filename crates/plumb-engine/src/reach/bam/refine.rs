//! Counterexamples: whether a run takes an unfolded path, and which precision excludes it if none does.
//!
//! The path is followed once more without abstraction and with all calls followed, from loop head to loop head: if the formula is satisfiable, its
//! model is replayed on the concrete machine. If not, the shortest prefix that no run takes is cut where the exploration has
//! abstracted it, at loop heads and entries of functions, and the refiner looks for predicates at these places
//! ([`crate::predicates::refinement`]). A segment is a formula of the block that it ends in; what lies in callees that have
//! returned is instantiated there. What was found changes the precision of the functions that it is about, and of no others: their
//! graphs, and those of their callers, are explored again when the path comes there again.
//!
//! Where no predicates at these places exclude a path, what the entries of functions keep is too little. The functions
//! on the path are then parts of their callers' blocks, as lazy abstraction has them all.

use super::super::arg::NodeId;
use super::super::block::{Arrival, Block, BlockExplorer, BlockStop, EntryId, KnownEnds, Run};
use super::super::domain::Product;
use super::super::exact::{Exact, ExactBlocks};
use super::super::graph::Edge;
use super::super::monitor::Stop;
use super::super::tuning::BlockTuning;
use super::blocks::{BlockId, Blocks, FUNCTION_ENTRY};
use super::calls::TargetReached;
use super::explore::{Bam, PROGRAM};
use super::path::{CutKind, PathCut, PathPlace, UnfoldedPath};
use crate::answer::WhyUnknown;
use crate::budget::Budget;
use crate::predicates::refinement::{Cut, Known, LoopPredicate, TraceFormula};
use crate::predicates::targets::Target;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_solve::Outcome;
use plumb_sym::{Input, Position, State, Sym};
use plumb_term::{Sort, TermId};
use std::collections::BTreeSet;

/// All loops around a loop head of an exact path have one entry each.
const EXACT: Option<EntryId> = Some(EntryId(0));

/// Blocks from loop head to loop head, in which all calls are followed.
struct WholeBlocks<'b, 'a> {
    blocks: &'b mut Blocks<'a>,
    analyses: &'a Analyses,
    budget: &'a Budget,
    tuning: &'b BlockTuning,
}

impl ExactBlocks for WholeBlocks<'_, '_> {
    type Step = PathPlace;
    type Begin = Position<Option<EntryId>>;

    fn start(&mut self, sym: &mut Sym) -> (Position<Option<EntryId>>, State) {
        let state = sym.start();
        (Position::start(&state), state)
    }

    fn explore(
        &mut self,
        sym: &mut Sym,
        position: Position<Option<EntryId>>,
        state: State,
    ) -> Result<Block, BlockStop> {
        let WholeBlocks { blocks, analyses, budget, tuning } = self;
        let ends = KnownEnds { ends: &blocks.ends, known: usize::MAX };
        let mut explorer = BlockExplorer { sym, analyses, ends, calls: None, is_function: false, budget, tuning };
        let block = explorer.explore(Run { state, position })?;
        blocks.steps += block.steps;
        Ok(block)
    }

    fn arrival<'b>(&self, block: &'b Block, step: &PathPlace) -> Option<(&'b Arrival, Position<Option<EntryId>>)> {
        let is_there = |(calls, at, loops): (&[_], _, Vec<_>)| {
            calls == &step.call_stack[..] && at == step.at && loops == step.loops
        };
        let arrival = block.arrivals.iter().find(|arrival| is_there(arrival.place.parts()))?;
        let mut position = arrival.run.position.clone();
        position.restart(arrival.key.1, EXACT);
        Some((arrival, position))
    }
}

impl Bam<'_> {
    /// A node of the program's graph seems to meet a target.
    pub fn counterexample(&mut self, node: NodeId, reached: TargetReached) -> Result<(), Stop> {
        let (entry, target) = (reached.entry, reached.target);
        let path = match self.unfold(node, reached) {
            Ok(path) => path,
            Err(Stop::Unknown(why)) if !why.is_budget() => {
                self.dismiss(entry, target, why);
                return Ok(());
            }
            Err(stop) => return Err(stop),
        };
        let (heads, states) = match self.follow_exactly(&path) {
            Err(why) if why.is_budget() => return Err(Stop::Unknown(why)),
            Err(why) => {
                self.dismiss(entry, target, why);
                return Ok(());
            }
            Ok(Exact::Reached { condition, inputs, states }) => {
                match self.exact.solve(&mut self.abstraction.sym, &[condition]) {
                    Outcome::Sat => return self.confirm(&path, &inputs, condition),
                    Outcome::Unsat => (None, states),
                    Outcome::Unknown(why) => {
                        self.dismiss(entry, target, why.into());
                        return Ok(());
                    }
                }
            }
            Ok(Exact::Infeasible { blocks: heads, states }) => (Some(heads), states),
        };
        self.statistics.refinements += 1;
        let _span = tracing::info_span!("refinement").entered();
        match self.refine(&path, heads, &states) {
            Some(pivot) => self.explore_again(&path, pivot),
            None if self.inline_blocks(&path) => {}
            None => {
                let why = "an abstract counterexample cannot be excluded".to_string();
                self.dismiss(entry, target, WhyUnknown::GaveUp(why));
            }
        }
        Ok(())
    }

    fn confirm(&mut self, path: &UnfoldedPath, inputs: &[Input], condition: TermId) -> Result<(), Stop> {
        let Some(solver) = self.exact.solver() else { return Ok(()) };
        let claim = (path.target, inputs);
        match self.verdict.confirm(&mut self.abstraction.sym, solver, self.monitor.budget, claim, condition) {
            Ok(violation) => Err(Stop::Violated(violation)),
            Err(why) => {
                self.dismiss(path.entry, path.target, why);
                Ok(())
            }
        }
    }

    /// A target of a block is not looked for any more: what stands against a proof is noted.
    fn dismiss(&mut self, entry: EntryId, target: Target, why: WhyUnknown) {
        self.targets.dismiss(&mut self.verdict, entry, target, why);
    }

    /// Follows a path without abstraction, as far as a run gets.
    fn follow_exactly(&mut self, path: &UnfoldedPath) -> Result<Exact, WhyUnknown> {
        let places: Vec<PathPlace> = path.cuts.iter().filter_map(|cut| path.place(self, cut)).collect();
        let tuning = &self.options.tuning.reach.blocks;
        let mut blocks =
            WholeBlocks { blocks: &mut self.blocks, analyses: self.analyses, budget: self.monitor.budget, tuning };
        self.exact.follow(&mut self.abstraction.sym, &mut blocks, places.into_iter(), path.target)
    }
}

/// Refinement.
impl Bam<'_> {
    /// Refines the precision against a path, or against its prefix to a loop head that no run gets to. Gives the first cut
    /// that lacks what was found.
    fn refine(&mut self, path: &UnfoldedPath, heads: Option<usize>, states: &[State]) -> Option<usize> {
        let is_head = |cut: &PathCut| matches!(cut.kind, CutKind::Head { .. });
        // Cuts up to the loop head that no run gets to.
        let count = match heads {
            Some(heads) => path.cuts.iter().enumerate().filter(|(_, cut)| is_head(cut)).nth(heads)?.0,
            None => path.cuts.len(),
        };
        let mut trace = self.trace_formula(path, count, heads.is_none());
        let mut exact: Vec<State> = Vec::with_capacity(count);
        let mut heads_so_far = 0;
        for cut in &path.cuts[..count] {
            heads_so_far += usize::from(is_head(cut));
            // At an entry there is none: the one before it is of another function, or as good.
            match states.get(heads_so_far.saturating_sub(1)) {
                Some(state) => exact.push(state.clone()),
                None => break,
            }
        }
        for conditions in &trace.path_conditions {
            let model = self.abstraction.feasibility.model_of(&mut self.abstraction.sym, conditions);
            trace.models.push(model);
        }
        let precisions = &mut self.precisions;
        precisions.exchange.read(&mut self.abstraction.sym, &mut self.abstraction.vocabulary);
        let mut is_one_path = false;
        let keys: BTreeSet<LoopKey> = trace.cuts.iter().map(|cut| cut.key).collect();
        loop {
            let mut without_progress: Vec<LoopPredicate> = Vec::new();
            if let Some((chosen, pivot)) = self.choose(path, &trace, &exact, &mut without_progress) {
                for one in chosen {
                    self.track(one);
                }
                for key in keys {
                    for predicate in self.precisions.precision.predicates(key).to_vec() {
                        self.track((key, predicate));
                    }
                }
                return Some(pivot);
            }
            // Values that would exclude the path are not known where it goes: predicates may say enough of them.
            without_progress.retain(|(_, term)| self.abstraction.sym.terms.sort(*term) != Sort::Bool);
            let Product(_, Product(values, _)) = &mut self.abstraction.domain;
            without_progress.retain(|(key, symbol)| {
                let mut here = path.cuts.iter().zip(&trace.cuts).filter(|(_, cut)| cut.key == *key);
                here.any(|(cut, _)| values.is_vague((*key, *symbol), &cut.element.1.0))
            });
            if without_progress.is_empty() {
                if is_one_path {
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

    /// Tracks what was chosen; the functions that it is about have another precision then.
    fn track(&mut self, one: LoopPredicate) {
        let Bam { abstraction, precisions, precision_changes, .. } = self;
        let refiner = (&precisions.refiner, &mut abstraction.vocabulary);
        if precisions.tracking.track(&mut abstraction.sym, &mut abstraction.domain, refiner, one) {
            *precision_changes.entry(one.0.0).or_default() += 1;
        }
    }

    /// What excludes a path, and the first of its cuts that lacks some of it. Without such a cut, what was chosen in vain.
    fn choose(
        &mut self,
        path: &UnfoldedPath,
        trace: &TraceFormula,
        states: &[State],
        without_progress: &mut Vec<LoopPredicate>,
    ) -> Option<(Vec<LoopPredicate>, usize)> {
        let stamps: Vec<u32> = path.cuts.iter().map(|cut| self.stamp(path, cut)).collect();
        let Bam { abstraction, precisions, .. } = self;
        let tracking = &precisions.tracking;
        let lacking = |chosen: &[LoopPredicate]| {
            let lacks =
                |stamp: u32, cut: &Cut| chosen.iter().any(|one| one.0 == cut.key && tracking.is_newer(one, stamp));
            stamps.iter().zip(&trace.cuts).position(|(stamp, cut)| lacks(*stamp, cut))
        };
        let Product(_, Product(values, _)) = &abstraction.domain;
        let values = Some(values.tracked_values());
        let known = &mut Known {
            precision: &mut precisions.precision,
            vocabulary: &mut abstraction.vocabulary,
            exchange: &mut precisions.exchange,
            values,
        };
        let is_progress = |chosen: &[LoopPredicate]| {
            let is_progress = lacking(chosen).is_some();
            if !is_progress {
                without_progress.extend(chosen);
            }
            is_progress
        };
        let chosen = precisions.refiner.refine(&mut abstraction.sym, known, (trace, states), is_progress)?;
        let pivot = lacking(&chosen)?;
        Some((chosen, pivot))
    }

    /// Changes of the precision before the abstract states at a cut were made.
    fn stamp(&self, path: &UnfoldedPath, cut: &PathCut) -> u32 {
        let reach = self.reach(path.activations[cut.activation].reach);
        match cut.kind {
            CutKind::Gate => reach.stamp,
            CutKind::Head { node, .. } => reach.reached.arg.node(node).stamp,
        }
    }

    /// The formula of the first cuts of a path: to its target, or to the loop head behind them.
    fn trace_formula(&mut self, path: &UnfoldedPath, count: usize, to_target: bool) -> TraceFormula {
        let mut trace = TraceFormula::default();
        for (at, cut) in path.cuts[..count].iter().enumerate() {
            let conditions = self.conditions_before(path, Some(cut));
            self.add_segment(path, &mut trace, at, conditions);
            let next = path.cuts.get(at + 1).filter(|_| at + 1 < count || !to_target);
            let cut = self.cut(path, (at, cut), path.level(next));
            trace.cuts.push(cut);
        }
        let last = path.cuts.get(count).filter(|_| !to_target);
        let conditions = self.conditions_before(path, last);
        self.add_segment(path, &mut trace, count, conditions);
        trace
    }

    /// A segment: its path condition, and what of it is not known where it begins.
    fn add_segment(&mut self, path: &UnfoldedPath, trace: &mut TraceFormula, at: usize, conditions: Vec<TermId>) {
        let known = match at.checked_sub(1).map(|before| &path.cuts[before]) {
            Some(PathCut { activation, kind: CutKind::Head { node, .. }, .. }) => {
                self.entry_of(path.activations[*activation].reach, *node).state.path.since(0)
            }
            Some(_) | None => Vec::new(),
        };
        let new = conditions.iter().filter(|condition| !known.contains(condition));
        trace.conditions.extend(new.map(|condition| (at as u64, *condition)));
        trace.path_conditions.push(conditions);
    }

    /// What holds on the path to a cut, or to the target, in the symbols of the block that the path ends in.
    fn conditions_before(&mut self, path: &UnfoldedPath, cut: Option<&PathCut>) -> Vec<TermId> {
        let Some(cut) = cut else {
            let (activation, node) = path.end;
            let reach = path.activations[activation].reach;
            let target = {
                let Bam { blocks, abstraction, reaches, .. } = self;
                let one = &reaches[reach];
                let entry = blocks.graph(one.block).entry(one.reached.arg.node(node).entry);
                path.target.condition(&entry.log, &mut abstraction.sym)
            };
            let mut conditions = vec![target];
            let mut at = activation;
            while at != path.level(None)
                && let Some(caller) = path.activations[at].caller
            {
                let around = path.activations[caller.activation].reach;
                for condition in &mut conditions {
                    *condition = self.at_call(around, caller.node, caller.call, *condition);
                }
                conditions.push(self.entry_of(around, caller.node).calls[caller.call].path);
                at = caller.activation;
            }
            conditions.extend(&path.choices);
            return conditions;
        };
        let mut conditions = match cut.kind {
            CutKind::Head { edge, .. } => self.edge(path, cut.activation, edge).conditions.clone(),
            CutKind::Gate => match path.activations[cut.activation].caller {
                Some(caller) => {
                    let around = path.activations[caller.activation].reach;
                    let call = &self.entry_of(around, caller.node).calls[caller.call];
                    let mut all = call.instance.borrow().caller().path.since(0);
                    all.push(call.path);
                    all
                }
                None => Vec::new(),
            },
        };
        conditions.extend(&cut.choices);
        conditions
    }

    fn edge(&self, path: &UnfoldedPath, activation: usize, edge: super::super::graph::EdgeId) -> &Edge {
        self.blocks.graph(self.reach(path.activations[activation].reach).block).edge(edge)
    }

    /// A cut, for a segment behind it that is in the symbols of an activation.
    fn cut(&mut self, path: &UnfoldedPath, (at, cut): (usize, &PathCut), level: usize) -> Cut {
        let activation = &path.activations[cut.activation];
        let step = at as u64 + 1;
        match cut.kind {
            CutKind::Head { node, edge } => {
                let before = self.edge(path, cut.activation, edge).state.clone();
                let entry = self.entry_of(activation.reach, node);
                let (id, key) = (entry.id.0, entry.key.expect("a loop head has a loop"));
                let havocked = entry.havocked.registers.keys().copied().collect();
                let after = self.lifted(path, (cut.activation, level), entry.state.clone());
                Cut { entry: id, key, havocked, step, before, after }
            }
            CutKind::Gate => {
                let BlockId::Function(func) = self.reach(activation.reach).block else {
                    unreachable!("only functions have gates")
                };
                let block = self.blocks.function(func).expect("a function on the path is a block");
                let before = self.instantiate_from(path, cut.activation, block.gate.state.clone());
                let havocked = block.gate.havocked.registers.keys().copied().collect();
                let after = self.lifted(path, (cut.activation, level), block.gate.state.clone());
                Cut { entry: block.gate.id.0, key: (func, FUNCTION_ENTRY), havocked, step, before, after }
            }
        }
    }

    /// A state of an activation in the symbols of one around it.
    fn lifted(&mut self, path: &UnfoldedPath, (mut inner, level): (usize, usize), mut state: State) -> State {
        while inner != level
            && let Some(caller) = path.activations[inner].caller
        {
            state = self.instantiate_from(path, inner, state);
            inner = caller.activation;
        }
        state
    }

    /// A state of an activation in the symbols of its caller.
    fn instantiate_from(&mut self, path: &UnfoldedPath, activation: usize, state: State) -> State {
        let Some(caller) = path.activations[activation].caller else { return state };
        let around = path.activations[caller.activation].reach;
        let Bam { blocks, abstraction, reaches, .. } = self;
        let reach = &reaches[around];
        let call = &blocks.graph(reach.block).entry(reach.reached.arg.node(caller.node).entry).calls[caller.call];
        let Some(callee) = blocks.function(call.func) else { return state };
        abstraction.sym.instantiate_state(&callee.entry, &mut call.instance.borrow_mut(), &state)
    }

    /// The path is explored again from where a cut lacks what was found: in the program's graph, from the first node behind it.
    fn explore_again(&mut self, path: &UnfoldedPath, pivot: usize) {
        let cut = &path.cuts[pivot];
        if cut.activation == 0
            && let CutKind::Head { node, .. } = cut.kind
        {
            self.remove(node);
            return;
        }
        let top = cut.top;
        self.reach_mut(PROGRAM).forget_calls(top);
        let mut behind = path.cuts[pivot..].iter().filter(|cut| cut.activation == 0);
        if let Some(PathCut { kind: CutKind::Head { node, .. }, .. }) = behind.next() {
            self.remove(*node);
        }
    }

    /// The functions on a path become parts of their callers' blocks. Whether there are any.
    fn inline_blocks(&mut self, path: &UnfoldedPath) -> bool {
        let mut functions: Vec<_> = Vec::new();
        for activation in path.activations.iter().filter(|one| one.has_gate) {
            if let BlockId::Function(func) = self.reach(activation.reach).block {
                functions.push(func);
            }
        }
        functions.sort_unstable();
        functions.dedup();
        self.statistics.inlined += functions.len() as u32;
        for func in &functions {
            self.blocks.inline(*func);
        }
        self.must_restart |= !functions.is_empty();
        !functions.is_empty()
    }
}
