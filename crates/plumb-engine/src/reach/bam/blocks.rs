//! The blocks of a program: functions that are called more than once, each with a block graph of its own, and the rest.
//!
//! The graph of a function is made once from its reduced entry state, callees first. Where the function is called, its exits are
//! expanded: the caller's block has their formulas under the values of the call. An exit behind a loop has symbols for what the
//! loop has havocked, and a *guard*: that the function is left from the abstract entry of that loop. What is known of these symbols
//! depends on abstract states and is no part of the formula ([`super::calls`]).
//!
//! **Soundness.** That of [`plumb_sym::Sym::expand`]. A run leaves a function once, from one abstract entry: the guard of that entry
//! can be true and all others false, so that guards that exclude each other exclude no run. A function that cannot be reduced, or
//! of whose formula something is not known (a gap or a doubt), is no block but is followed where it is called.

use super::super::block::{BlockCall, BlockCalls, BlockEnds, EntryId, Run, loops_around};
use super::super::graph::{BlockGraph, Entry, Subject};
use super::tuning::BamTuning;
use crate::answer::WhyUnknown;
use crate::budget::Budget;
use crate::predicates::feasibility::PathSolver;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::{LoopId, LoopKey};
use plumb_ir::program::{FuncId, VarRef};
use plumb_ir::ty::Ty;
use plumb_sym::{Changes, EventLog, Next, ReducedEntry, ReducedExit, Step, Sym, direct_call};
use plumb_term::{Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Entries and ends of one graph have so many numbers.
const NUMBERS: u32 = 1 << 17;

/// Stands for the loop of a predicate that is about the entry of a function.
pub const FUNCTION_ENTRY: LoopId = LoopId(u32::MAX);

/// The body of a function, or what is left of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BlockId {
    Program,
    Function(FuncId),
}

/// What callers need of a function that is a block.
pub struct FunctionBlock {
    pub entry: ReducedEntry,
    pub start: EntryId,
    /// With the abstract entry from whose block they are reached.
    exits: Vec<(EntryId, ReducedExit)>,
    /// Abstract states of the function say something that its formula does not: it has loops, or calls blocks that have.
    pub has_loops: bool,
    /// It can meet a target, or calls blocks that can.
    pub has_targets: bool,
    /// The entry at which its reduced entry states are abstracted.
    pub gate: Entry,
}

/// The functions that are blocks, as callers see them.
#[derive(Default)]
pub struct Summaries {
    blocks: FxHashMap<FuncId, Rc<FunctionBlock>>,
    /// Calls whose exits were expanded.
    pub expansions: u64,
}

impl BlockCalls for Summaries {
    fn expand(&mut self, sym: &mut Sym, run: &mut Run, calls: &mut Vec<BlockCall>) -> Option<Step> {
        let (func, edge) = direct_call(sym, &run.state)?;
        let block = self.blocks.get(&func)?.clone();
        self.expansions += 1;
        let (mut instance, mut log) = sym.instance(&mut run.state, edge);
        let sound = sym.terms.not(run.state.fault);
        let path = sym.terms.and(run.state.path.term(), sound);
        let mut guards: Vec<(EntryId, TermId)> = Vec::new();
        for (from, _) in block.exits.iter().filter(|(from, _)| *from != block.start) {
            if guards.iter().all(|(known, _)| known != from) {
                guards.push((*from, sym.terms.fresh_symbol("left_from", Sort::Bool)));
            }
        }
        let mut states = Vec::with_capacity(block.exits.len());
        for (from, exit) in &block.exits {
            let Some(mut state) = sym.expand(&block.entry, exit, &mut instance, edge) else {
                log.gaps.push(path);
                continue;
            };
            for literal in choice(sym, &guards, *from) {
                state.path.push(literal, &mut sym.terms);
            }
            if !state.path.is_impossible() {
                states.push(state);
            }
        }
        let mut call_stack = run.state.call_stack();
        call_stack.push((run.state.func(), sym.program.function(run.state.func()).edge(edge).to));
        let (instance, loops) = (RefCell::new(instance), loops_around(&run.position));
        calls.push(BlockCall { number: self.expansions as u32, func, path, instance, call_stack, loops, guards });
        let next = match states.len() {
            1 => {
                run.state = states.remove(0);
                Next::Moved
            }
            _ => Next::Split(states),
        };
        Some(Step { next, log })
    }
}

/// That a function is left from an abstract entry: the first whose guard holds, or the start.
pub fn choice(sym: &mut Sym, guards: &[(EntryId, TermId)], from: EntryId) -> Vec<TermId> {
    let mut literals = Vec::new();
    for (entry, guard) in guards {
        if *entry == from {
            literals.push(*guard);
            break;
        }
        literals.push(sym.terms.not(*guard));
    }
    literals
}

pub struct Blocks<'a> {
    analyses: &'a Analyses,
    budget: &'a Budget,
    tuning: BamTuning,
    pub summaries: Rc<RefCell<Summaries>>,
    graphs: BTreeMap<BlockId, BlockGraph<'a>>,
    /// At whose heads the blocks of loops end: the same in all graphs, once they are made.
    pub ends: BlockEnds,
    /// Functions that are followed where they are called.
    inlined: FxHashSet<FuncId>,
    /// Those that may be blocks, callees first, with their numbers.
    candidates: Vec<(FuncId, u32)>,
    /// Steps of all block formulas that were made.
    pub steps: u64,
    /// Block graphs that were made.
    pub made: u64,
}

impl<'a> Blocks<'a> {
    pub fn new(analyses: &'a Analyses, budget: &'a Budget, tuning: &BamTuning) -> Blocks<'a> {
        let program = analyses.program();
        let calls = analyses.resolved_calls();
        let reachable: FxHashSet<FuncId> = calls.reachable(program.start).into_iter().collect();
        let is_called = |func: &FuncId| {
            let sites = calls.callers(*func).iter().filter(|(caller, _)| reachable.contains(caller));
            reachable.contains(func) && sites.count() >= tuning.min_call_sites
        };
        let functions = calls.bottom_up().iter().copied().filter(is_called).take(tuning.max_blocks);
        let candidates = functions.zip((1..).map(|number| number * NUMBERS)).collect();
        Blocks {
            analyses,
            budget,
            tuning: *tuning,
            summaries: Rc::default(),
            graphs: BTreeMap::new(),
            ends: BlockEnds::default(),
            inlined: FxHashSet::default(),
            candidates,
            steps: 0,
            made: 0,
        }
    }

    pub fn graph(&self, id: BlockId) -> &BlockGraph<'a> {
        &self.graphs[&id]
    }

    /// A function that is a block.
    pub fn function(&self, func: FuncId) -> Option<Rc<FunctionBlock>> {
        self.summaries.borrow().blocks.get(&func).cloned()
    }

    /// Of how many functions there are graphs.
    pub fn len(&self) -> usize {
        self.summaries.borrow().blocks.len()
    }

    /// A function is no block any more.
    pub fn inline(&mut self, func: FuncId) {
        self.inlined.insert(func);
    }

    /// Makes the graphs that there are not, or that others were made under.
    pub fn build(&mut self, sym: &mut Sym) -> Result<(), WhyUnknown> {
        let _span = tracing::info_span!("blocks").entered();
        loop {
            let mut changed: FxHashSet<FuncId> = FxHashSet::default();
            for (func, first) in self.candidates.clone() {
                let id = BlockId::Function(func);
                if self.inlined.contains(&func) {
                    let was_block = self.graphs.remove(&id).is_some();
                    self.summaries.borrow_mut().blocks.remove(&func);
                    changed.extend(was_block.then_some(func));
                } else if self.is_outdated(id, func, &changed) {
                    changed.insert(func);
                    let block = self.function_block(sym, func, first)?;
                    if let Some(block) = block {
                        self.summaries.borrow_mut().blocks.insert(func, Rc::new(block));
                    } else {
                        self.inline(func);
                        self.graphs.remove(&id);
                        self.summaries.borrow_mut().blocks.remove(&func);
                    }
                }
            }
            let start = self.analyses.program().start;
            let is_outdated = self.is_outdated(BlockId::Program, start, &changed);
            if is_outdated {
                self.make(sym, BlockId::Program, None, 0)?;
            }
            if changed.is_empty() && !is_outdated {
                tracing::info!(blocks = self.len() as u64, block_steps = self.steps, block_graphs = self.made);
                return Ok(());
            }
        }
    }

    /// Whether a graph has to be made: there is none, a function that is called from it has changed, or a loop that it unwinds ends
    /// blocks elsewhere, or cannot be abstracted.
    fn is_outdated(&self, id: BlockId, func: FuncId, changed: &FxHashSet<FuncId>) -> bool {
        let Some(graph) = self.graphs.get(&id) else { return true };
        graph.unwound.iter().any(|key| self.ends.contains(*key))
            || graph.entries().filter_map(|entry| entry.key).any(|key| self.ends.never.contains(&key))
            || !changed.is_empty()
                && self.analyses.resolved_calls().reachable(func).iter().any(|one| changed.contains(one))
    }

    fn make(
        &mut self,
        sym: &mut Sym,
        id: BlockId,
        start: Option<plumb_sym::State>,
        first: u32,
    ) -> Result<(), WhyUnknown> {
        let changes = PathSolver::new(self.budget, &self.tuning.reach.feasibility);
        let calls: Rc<RefCell<dyn BlockCalls + 'a>> = self.summaries.clone();
        let graph = BlockGraph::new(self.analyses, self.budget, &self.tuning.reach.blocks, changes);
        let mut graph = graph.of(Subject::Part { start, first, calls });
        graph.ends = std::mem::take(&mut self.ends);
        let built = graph.build(sym);
        self.ends = std::mem::take(&mut graph.ends);
        self.steps += graph.steps;
        self.made += 1;
        built?;
        self.graphs.insert(id, graph);
        Ok(())
    }

    /// Makes the graph of a function, unless it cannot be a block.
    fn function_block(&mut self, sym: &mut Sym, func: FuncId, first: u32) -> Result<Option<FunctionBlock>, WhyUnknown> {
        let Ok(entry) = sym.reduced_entry(self.analyses, func) else { return Ok(None) };
        let id = BlockId::Function(func);
        match self.make(sym, id, Some(entry.state.clone()), first) {
            Err(why) if why.is_budget() => return Err(why),
            Err(_) => return Ok(None),
            Ok(()) => {}
        }
        let graph = self.graph(id);
        let is_unknown = |log: &EventLog| log.unknowns().any(|one| one != TermId::bool(false));
        let mut exits = Vec::new();
        let (mut has_loops, mut has_targets) = (false, false);
        for at in graph.entries() {
            if is_unknown(&at.log) {
                return Ok(None);
            }
            exits.extend(at.exits.iter().map(|exit| (at.id, exit.clone())));
            has_loops |= at.key.is_some();
            has_targets |= !at.log.has_no_target();
            for callee in at.calls.iter().filter_map(|call| self.function(call.func)) {
                has_loops |= callee.has_loops;
                has_targets |= callee.has_targets;
            }
        }
        if !exits.iter().all(|(_, exit)| sym.is_expandable(&entry, exit)) {
            return Ok(None);
        }
        let start = graph.start();
        let gate = self.gate(func, &entry, EntryId(first + NUMBERS - 1));
        Ok(Some(FunctionBlock { entry, start, exits, has_loops, has_targets, gate }))
    }

    /// The entry of a function as domains see it: they know locations as heads of loops.
    fn gate(&self, func: FuncId, entry: &ReducedEntry, id: EntryId) -> Entry {
        let program = self.analyses.program();
        let function = program.function(func);
        let mut havocked = Changes::default();
        let effects = self.analyses.mod_ref().function(func);
        let globals = effects.reads.registers.iter().chain(&effects.writes.registers);
        let params = function.vars.iter_enumerated().take(function.param_count as usize);
        let params = params.filter(|(_, info)| info.ty != Ty::Ptr).map(|(var, _)| var);
        let all = globals.map(|var| VarRef::Global(*var)).chain(params.map(VarRef::Local));
        for var in all {
            havocked.registers.entry(var).or_default();
        }
        let key: LoopKey = (func, FUNCTION_ENTRY);
        let mut gate = Entry::new(id, Some(key), entry.state.clone());
        gate.havocked = havocked;
        gate
    }
}
