//! The exploration: the CPA algorithm over the block graph.
//!
//! A node is taken from the waitlist. First its block's targets are looked at under its region: one that seems to be met is a
//! counterexample ([`super::cegar`]). Then each end of the block gives abstract successors; those that no reached state covers
//! become a new node. Removals ask for single steps again.

use super::LA;
use super::abstraction::{Abstraction, Precisions, merged};
use super::arg::{NodeId, Step};
use super::block::EntryId;
use super::domain::{Domain, Post};
use super::exact::ExactPaths;
use super::graph::{BlockGraph, EdgeId};
use super::monitor::{Monitor, Stop};
use super::order::SearchOrder;
use super::reached::{Reached, Work};
use super::targets::Targets;
use super::tuning::Tuning;
use crate::answer::{Explored, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Watcher};
use crate::predicates::feasibility::PathSolver;
use crate::predicates::targets::Target;
use crate::predicates::verdict::Verdict;
use plumb_ir::analysis::Analyses;
use plumb_solve::Outcome;
use plumb_term::{Evaluator, TermId};

#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub transfers: u64,
    pub successors: u64,
    pub refinements: u32,
}

pub struct Explorer<'a> {
    pub analyses: &'a Analyses,
    pub tuning: Tuning,
    pub monitor: Monitor<'a>,
    pub graph: BlockGraph<'a>,
    pub reached: Reached<'a>,
    pub abstraction: Abstraction<'a>,
    pub precisions: Precisions<'a>,
    targets: Targets,
    pub exact: ExactPaths<'a, EntryId, EdgeId>,
    pub verdict: Verdict<'a>,
    pub statistics: Statistics,
}

impl<'a> Explorer<'a> {
    pub fn new(
        analyses: &'a Analyses,
        order: Box<dyn SearchOrder + 'a>,
        is_strict: bool,
        tuning: &Tuning,
        budget: &'a Budget,
        board: &'a Board,
        watcher: &'a dyn Watcher,
    ) -> Explorer<'a> {
        let changes = PathSolver::new(budget, &tuning.feasibility);
        Explorer {
            analyses,
            tuning: *tuning,
            monitor: Monitor::new(budget, watcher, tuning.exploration.report_interval),
            graph: BlockGraph::new(analyses, budget, &tuning.blocks, changes),
            reached: Reached::new(order),
            abstraction: Abstraction::new(analyses, tuning, budget),
            precisions: Precisions::new(LA, analyses, tuning, budget, board),
            targets: Targets::default(),
            exact: ExactPaths::new(budget, &tuning.feasibility, tuning.exploration.max_kept_prefixes),
            verdict: Verdict::new(analyses.program(), is_strict, tuning.exploration.max_failed_replays),
            statistics: Statistics::default(),
        }
    }

    pub fn explored(&self) -> Explored {
        Explored {
            runs: self.statistics.transfers,
            steps: self.graph.steps,
            states: self.reached.arg.len() as u64,
            ..Explored::default()
        }
    }

    /// Explores everything. When it returns without a stop, no target can be met.
    pub fn explore(&mut self) -> Result<(), Stop> {
        self.graph.build(&mut self.abstraction.sym)?;
        let _span = tracing::info_span!("reachability").entered();
        let start = self.abstraction.domain.start();
        self.reached.add(&self.graph, BlockGraph::START, vec![start], None, 0);
        let end = self.follow_waitlist();
        tracing::info!(
            transfers = self.statistics.transfers,
            abstract_successors = self.statistics.successors,
            refinements = u64::from(self.statistics.refinements),
            removed_nodes = self.reached.arg.removed,
            max_abstract_states = self.reached.arg.len() as u64
        );
        end.map_err(|stop| stop.explained(&mut self.verdict))
    }

    fn follow_waitlist(&mut self) -> Result<(), Stop> {
        while let Some(work) = self.reached.next_work() {
            self.check_budget()?;
            match work {
                Work::Again(step) => self.take(step)?,
                Work::Expand(node) => self.expand(node)?,
            }
        }
        Ok(self.verdict.conclude()?)
    }

    fn check_budget(&mut self) -> Result<(), WhyUnknown> {
        let memory = self.abstraction.sym.terms.heap_bytes() as u64;
        if self.monitor.is_due() {
            self.monitor.report(self.explored(), self.reached.waiting(), memory);
        }
        self.monitor.check(memory)
    }

    /// Looks at the targets of a node's block, and takes all its ends.
    fn expand(&mut self, id: NodeId) -> Result<(), Stop> {
        while let Some(target) = self.reached_target(id)? {
            self.counterexample(id, target)?;
            if self.reached.arg.node(id).is_removed {
                return Ok(());
            }
        }
        self.note_ends(id);
        let edges = self.graph.entry(self.reached.arg.node(id).entry).edges.clone();
        for edge in edges {
            self.take(Step { node: id, edge })?;
        }
        Ok(())
    }

    /// The region of a node as conditions on its entry's state.
    fn region(&mut self, id: NodeId) -> Vec<TermId> {
        let node = self.reached.arg.node(id);
        self.abstraction.region(self.graph.entry(node.entry), &node.elements)
    }

    /// One end of a node's block: the abstract successors that nothing covers become a node.
    fn take(&mut self, step: Step) -> Result<(), Stop> {
        self.statistics.transfers += 1;
        let stamp = self.precisions.tracking.stamp;
        let mut conditions = self.region(step.node);
        let edge = self.graph.edge(step.edge);
        conditions.extend(&edge.conditions);
        match self.abstraction.check(&conditions) {
            Outcome::Unsat => return Ok(()),
            Outcome::Unknown(why) => return Err(Stop::Unknown(why.into())),
            Outcome::Sat => {}
        }
        let to = self.graph.entry(edge.to);
        let post = Post { edge: step.edge, to, state: &edge.state, conditions: &conditions };
        let (domain, mut queries) = self.abstraction.parts();
        let found = domain.transfer(&mut queries, &post)?;
        self.statistics.successors += found.len() as u64;
        let mut new = Vec::new();
        for element in merged(domain, found) {
            if self.reached.arg.cover(domain, step, to.id, &element) {
                self.verdict.has_surviving_run = true;
            } else {
                new.push(element);
            }
        }
        if !new.is_empty() {
            self.reached.add(&self.graph, to.id, new, Some(step), stamp);
        }
        Ok(())
    }

    /// Notes whether a run ends in a node's block without a fault.
    fn note_ends(&mut self, id: NodeId) {
        if self.verdict.has_surviving_run {
            return;
        }
        let mut conditions = self.region(id);
        let ends = self.graph.entry(self.reached.arg.node(id).entry).ends.clone();
        conditions.push(self.abstraction.sym.terms.or_all(ends));
        if self.abstraction.check(&conditions) == Outcome::Sat {
            self.verdict.has_surviving_run = true;
        }
    }
}

/// Targets: what a proof has to exclude.
impl Explorer<'_> {
    /// A target that a node's block seems to meet.
    fn reached_target(&mut self, id: NodeId) -> Result<Option<Target>, Stop> {
        let entry = self.graph.entry(self.reached.arg.node(id).entry);
        let any = self.targets.any(&mut self.abstraction.sym, &self.verdict, entry.id, &entry.log);
        if any == TermId::bool(false) {
            return Ok(None);
        }
        let mut conditions = self.region(id);
        conditions.push(any);
        match self.abstraction.check(&conditions) {
            Outcome::Unsat => return Ok(None),
            Outcome::Unknown(why) => return Err(Stop::Unknown(why.into())),
            Outcome::Sat => {}
        }
        let Some(model) = self.abstraction.feasibility.solver.model() else {
            return Err(WhyUnknown::no_model().into());
        };
        let mut evaluator = Evaluator::new(model);
        let entry = self.graph.entry(self.reached.arg.node(id).entry);
        let met = self
            .targets
            .known(entry.id)
            .iter()
            .find(|(_, condition)| evaluator.holds(&self.abstraction.sym.terms, *condition));
        met.map(|(target, _)| Some(*target)).ok_or_else(|| WhyUnknown::wrong_model().into())
    }

    /// A target of a block is not looked for any more: what stands against a proof is noted.
    pub fn dismiss(&mut self, entry: EntryId, target: Target, why: WhyUnknown) {
        self.targets.dismiss(&mut self.verdict, entry, target, why);
    }
}
