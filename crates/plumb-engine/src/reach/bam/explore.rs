//! The exploration of blocks: each by itself, the blocks that it calls when they are needed.
//!
//! The program's own block is explored as lazy abstraction explores a program. A call in the block of a node is answered by the
//! reachability graph of the callee for the abstract states in which it is entered ([`super::calls`]); if there is none, it is
//! explored first. In a callee a target that seems to be met is noted and left to the callers: in the program's block, where the
//! whole path is known, it is a counterexample ([`super::refine`]).

use super::super::abstraction::{Abstraction, Element, Precisions, merged};
use super::super::arg::{NodeId, Step};
use super::super::block::EntryId;
use super::super::domain::{Domain, Post, Product};
use super::super::exact::ExactPaths;
use super::super::graph::Entry;
use super::super::monitor::{Monitor, Stop};
use super::super::reached::{Reached, Work};
use super::super::targets::Targets;
use super::blocks::{BlockId, Blocks};
use super::cache::{BlockReach, Cache, ReachId};
use super::order::BlockOrder;
use super::path::PathPlace;
use super::{BAM, BamOptions};
use crate::answer::{Explored, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Watcher};
use crate::predicates::verdict::Verdict;
use plumb_ir::analysis::Analyses;
use plumb_ir::index::TiVec;
use plumb_ir::program::FuncId;
use plumb_solve::Outcome;
use plumb_sym::Position;
use plumb_term::TermId;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub transfers: u64,
    pub successors: u64,
    pub refinements: u32,
    /// Reachability graphs of functions that were explored.
    pub explored: u64,
    /// Functions that became parts of their callers' blocks, since no predicate at their entries was enough.
    pub inlined: u32,
    pub removed: u64,
}

pub struct Bam<'a> {
    pub analyses: &'a Analyses,
    pub options: BamOptions,
    pub board: &'a Board,
    pub monitor: Monitor<'a>,
    pub blocks: Blocks<'a>,
    pub abstraction: Abstraction<'a>,
    pub precisions: Precisions<'a>,
    /// By function, how often the precision of its locations has changed.
    pub precision_changes: FxHashMap<FuncId, u32>,
    pub reaches: TiVec<ReachId, BlockReach<'a>>,
    pub cache: Cache,
    pub targets: Targets,
    pub verdict: Verdict<'a>,
    pub exact: ExactPaths<'a, Position<Option<EntryId>>, PathPlace>,
    pub statistics: Statistics,
    order: BlockOrder<'a>,
    /// Blocks have changed: everything is explored again.
    pub must_restart: bool,
}

/// The reachability graph of the program's own block.
pub const PROGRAM: ReachId = ReachId(0);

impl<'a> Bam<'a> {
    pub fn new(
        analyses: &'a Analyses,
        options: &BamOptions,
        budget: &'a Budget,
        board: &'a Board,
        watcher: &'a dyn Watcher,
    ) -> Bam<'a> {
        let tuning = &options.tuning.reach;
        Bam {
            analyses,
            options: *options,
            board,
            monitor: Monitor::new(budget, watcher, tuning.exploration.report_interval),
            blocks: Blocks::new(analyses, budget, &options.tuning),
            abstraction: Abstraction::new(analyses, tuning, budget),
            precisions: Precisions::new(BAM, analyses, tuning, budget, board),
            precision_changes: FxHashMap::default(),
            reaches: TiVec::new(),
            cache: Cache::default(),
            targets: Targets::default(),
            verdict: Verdict::new(analyses.program(), options.strict, tuning.exploration.max_failed_replays),
            exact: ExactPaths::new(budget, &tuning.feasibility, tuning.exploration.max_kept_prefixes),
            statistics: Statistics::default(),
            order: BlockOrder::new(analyses, options.order),
            must_restart: false,
        }
    }

    pub fn explored(&self) -> Explored {
        Explored {
            runs: self.statistics.transfers,
            steps: self.blocks.steps,
            states: self.reaches.iter().map(|reach| reach.reached.arg.len() as u64).sum(),
            ..Explored::default()
        }
    }

    /// Explores everything. When it returns without a stop, no target can be met.
    pub fn explore(&mut self) -> Result<(), Stop> {
        let end = self.explore_until_stable();
        tracing::info!(
            blocks = self.blocks.len() as u64,
            expansions = self.blocks.summaries.borrow().expansions,
            explored_blocks = self.statistics.explored,
            cache_hits = self.cache.hits,
            transfers = self.statistics.transfers,
            abstract_successors = self.statistics.successors,
            refinements = u64::from(self.statistics.refinements),
            inlined_blocks = u64::from(self.statistics.inlined),
            removed_nodes = self.statistics.removed
        );
        end.map_err(|stop| stop.explained(&mut self.verdict))
    }

    fn explore_until_stable(&mut self) -> Result<(), Stop> {
        loop {
            self.must_restart = false;
            self.blocks.build(&mut self.abstraction.sym)?;
            self.forget_graphs();
            let start = self.analyses.program().start;
            self.new_reach(BlockId::Program, start, Vec::new(), Vec::new());
            self.follow(PROGRAM)?;
            if !self.must_restart {
                return Ok(self.verdict.conclude()?);
            }
        }
    }

    /// Nothing that was said of entries and their blocks holds any more.
    pub fn forget_graphs(&mut self) {
        let Product(intervals, Product(values, predicates)) = &mut self.abstraction.domain;
        intervals.forget_entries();
        values.forget_entries();
        predicates.forget_entries();
        self.reaches.clear();
        self.cache.clear();
        self.targets.forget_entries();
        self.exact.clear();
    }

    pub fn reach(&self, id: ReachId) -> &BlockReach<'a> {
        &self.reaches[id]
    }

    pub fn reach_mut(&mut self, id: ReachId) -> &mut BlockReach<'a> {
        &mut self.reaches[id]
    }

    /// The abstract entry that a node is at.
    pub fn entry_of(&self, id: ReachId, node: NodeId) -> &Entry {
        let reach = self.reach(id);
        self.blocks.graph(reach.block).entry(reach.reached.arg.node(node).entry)
    }

    /// A reachability graph with its first node.
    pub fn new_reach(
        &mut self,
        block: BlockId,
        func: FuncId,
        gate: Vec<Element>,
        gate_conditions: Vec<TermId>,
    ) -> ReachId {
        let stamp = self.precisions.tracking.stamp;
        let (order, entry_state) = self.order.of_block(self.analyses, func);
        let graph = self.blocks.graph(block);
        let mut reached = Reached::new(order);
        let root = reached.add(graph, graph.start(), vec![self.abstraction.domain.start()], None, stamp);
        self.reaches.push_and_get_key(BlockReach {
            block,
            gate,
            gate_conditions,
            reached,
            root,
            children: FxHashMap::default(),
            conditions: FxHashMap::default(),
            targets: FxHashMap::default(),
            unsafe_nodes: Vec::new(),
            stamp,
            entry_state,
        })
    }

    /// A node of one graph calls the block of another: distances are those of this call.
    pub fn note_call(&self, (caller, node, call): (ReachId, NodeId, usize), callee: ReachId) {
        let states = (self.reach(caller).entry_state, self.reach(callee).entry_state);
        let calls = &self.entry_of(caller, node).calls[call].call_stack;
        self.order.call(self.analyses, states, calls);
    }

    /// Follows the waitlist of a graph.
    pub fn follow(&mut self, id: ReachId) -> Result<(), Stop> {
        while let Some(work) = self.reach_mut(id).reached.next_work() {
            self.check_budget()?;
            match work {
                Work::Again(step) => self.take(id, step)?,
                Work::Expand(node) => self.expand(id, node)?,
            }
            if self.must_restart {
                return Ok(());
            }
        }
        Ok(())
    }

    fn check_budget(&mut self) -> Result<(), WhyUnknown> {
        let memory = self.abstraction.sym.terms.heap_bytes() as u64;
        if self.reaches.len() > self.options.tuning.max_cached {
            return Err(WhyUnknown::GaveUp("blocks are entered in too many abstract states".to_string()));
        }
        if self.monitor.is_due() {
            self.monitor.report(self.explored(), self.reach(PROGRAM).reached.waiting(), memory);
        }
        self.monitor.check(memory)
    }

    /// Looks at the targets of a node's block, and takes all its ends.
    fn expand(&mut self, id: ReachId, node: NodeId) -> Result<(), Stop> {
        if id == PROGRAM {
            while let Some(reached) = self.reached_target(id, node)? {
                self.counterexample(node, reached)?;
                if self.must_restart || self.reach(id).reached.arg.node(node).is_removed {
                    return Ok(());
                }
            }
            self.note_ends(node)?;
        } else if self.may_meet_target(id, node)? {
            self.reach_mut(id).unsafe_nodes.push(node);
        }
        let edges = self.entry_of(id, node).edges.clone();
        for edge in edges {
            self.take(id, Step { node, edge })?;
        }
        Ok(())
    }

    /// One end of a node's block: the abstract successors that nothing covers become a node.
    fn take(&mut self, id: ReachId, step: Step) -> Result<(), Stop> {
        self.statistics.transfers += 1;
        let stamp = self.precisions.tracking.stamp;
        let mut conditions = self.conditions(id, step.node)?.to_vec();
        let Bam { blocks, abstraction, reaches, .. } = self;
        let graph = blocks.graph(reaches[id].block);
        let edge = graph.edge(step.edge);
        conditions.extend(&edge.conditions);
        match abstraction.check(&conditions) {
            Outcome::Unsat => return Ok(()),
            Outcome::Unknown(why) => return Err(Stop::Unknown(why.into())),
            Outcome::Sat => {}
        }
        let to = graph.entry(edge.to);
        let post = Post { edge: step.edge, to, state: &edge.state, conditions: &conditions };
        let (domain, mut queries) = abstraction.parts();
        let found = domain.transfer(&mut queries, &post)?;
        self.statistics.successors += found.len() as u64;
        let reach = &mut reaches[id];
        let mut new = Vec::new();
        for element in merged(domain, found) {
            if reach.reached.arg.cover(domain, step, to.id, &element) {
                // A function is explored without a look at whether any run calls it.
                self.verdict.has_surviving_run |= id == PROGRAM;
            } else {
                new.push(element);
            }
        }
        let to = to.id;
        if !new.is_empty() {
            reach.reached.add(graph, to, new, Some(step), stamp);
        }
        Ok(())
    }

    /// Removes a node of the program's graph and everything that was reached from it, and lets others come again that it has
    /// covered.
    pub fn remove(&mut self, node: NodeId) {
        let Bam { reaches, blocks, statistics, .. } = self;
        let BlockReach { reached, block, .. } = &mut reaches[PROGRAM];
        let before = reached.arg.removed;
        reached.remove(blocks.graph(*block), node);
        statistics.removed += reached.arg.removed - before;
    }

    /// Notes whether a run ends in a node's block without a fault.
    fn note_ends(&mut self, node: NodeId) -> Result<(), Stop> {
        if self.verdict.has_surviving_run {
            return Ok(());
        }
        let mut conditions = self.conditions(PROGRAM, node)?.to_vec();
        let ends = self.entry_of(PROGRAM, node).ends.clone();
        conditions.push(self.abstraction.sym.terms.or_all(ends));
        if self.abstraction.check(&conditions) == Outcome::Sat {
            self.verdict.has_surviving_run = true;
        }
        Ok(())
    }
}
