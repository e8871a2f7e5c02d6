//! The exploration: the CPA algorithm over the block graph.
//!
//! A node is taken from the waitlist. First its block's targets are looked at under its region: one that seems to be met is a
//! counterexample ([`super::cegar`]). Then each end of the block gives abstract successors; those that no reached state covers
//! become a new node. Removals ask for single steps again.

use super::LA;
use super::arg::{Again, Arg, NodeId, Step};
use super::block::EntryId;
use super::cegar::Prefixes;
use super::domain::{Domain, Post, Product, Queries};
use super::domains::interval::IntervalDomain;
use super::domains::predicate::PredicateDomain;
use super::domains::value::ValueDomain;
use super::graph::{BlockGraph, Entry};
use super::order::{SearchOrder, Waitlist};
use super::tracking::Tracking;
use super::tuning::Tuning;
use crate::answer::{Explored, Violation, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Progress, Watcher};
use crate::predicates::exchange::Exchange;
use crate::predicates::feasibility::{Feasibility, PathSolver};
use crate::predicates::precision::PrecisionFunction;
use crate::predicates::refinement::Refiner;
use crate::predicates::targets::{Target, targets_of_step};
use crate::predicates::valuations::Valuations;
use crate::predicates::verdict::Verdict;
use crate::predicates::vocabulary::Vocabulary;
use plumb_ir::analysis::Analyses;
use plumb_solve::Outcome;
use plumb_sym::{EventLog, Sym};
use plumb_term::{Evaluator, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::time::Instant;

/// Bounds of registers, values of some variables, and predicates.
pub type Combined<'a> = Product<IntervalDomain<'a>, Product<ValueDomain, PredicateDomain>>;

/// Why an exploration ends before everything was explored.
pub enum Stop {
    Violated(Violation),
    Unknown(WhyUnknown),
}

impl From<WhyUnknown> for Stop {
    fn from(why: WhyUnknown) -> Stop {
        Stop::Unknown(why)
    }
}

/// What is still to be done.
#[derive(Clone, Copy, Debug)]
enum Work {
    /// Everything from a node.
    Expand(NodeId),
    /// One block of a node that was expanded before.
    Again(Step),
}

impl Work {
    fn node(self) -> NodeId {
        match self {
            Work::Expand(node) => node,
            Work::Again(step) => step.node,
        }
    }
}

/// The targets of a block that are still looked for.
struct BlockTargets {
    /// Targets that were not looked for any more when the list was made.
    dismissed: usize,
    list: Vec<(Target, TermId)>,
    /// When one of them is met.
    any: TermId,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub transfers: u64,
    pub successors: u64,
    pub refinements: u32,
}

pub struct Explorer<'a> {
    pub analyses: &'a Analyses,
    pub tuning: Tuning,
    pub budget: &'a Budget,
    watcher: &'a dyn Watcher,
    pub sym: Sym<'a>,
    pub graph: BlockGraph<'a>,
    pub arg: Arg<Combined<'a>>,
    waitlist: Waitlist<'a, Work>,
    pub domain: Combined<'a>,
    pub feasibility: Feasibility,
    pub valuations: Valuations,
    pub vocabulary: Vocabulary,
    /// What the refiner has chosen. Domains track it in their own ways.
    pub precision: PrecisionFunction,
    pub exchange: Exchange<'a>,
    pub refiner: Refiner<'a>,
    pub verdict: Verdict<'a>,
    pub statistics: Statistics,
    pub prefixes: Prefixes,
    pub tracking: Tracking,
    /// Targets that are not looked at any more: they are reasons against a proof already.
    dismissed: BTreeSet<(EntryId, Target)>,
    targets: FxHashMap<EntryId, BlockTargets>,
    started: Instant,
    reported: Instant,
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
        let program = analyses.program();
        let values = ValueDomain::new(&tuning.values);
        let predicates = PredicateDomain::new(tuning.predicates.is_cartesian);
        let intervals = IntervalDomain::new(analyses, tuning.abstraction.max_shared_invariants);
        let changes = PathSolver::new(budget, &tuning.feasibility);
        Explorer {
            analyses,
            tuning: *tuning,
            budget,
            watcher,
            sym: Sym::new(program),
            graph: BlockGraph::new(analyses, budget, &tuning.blocks, changes),
            arg: Arg::default(),
            waitlist: Waitlist::new(order),
            domain: Product(intervals, Product(values, predicates)),
            feasibility: Feasibility::new(budget, &tuning.feasibility),
            valuations: Valuations::new(&tuning.abstraction),
            vocabulary: Vocabulary::new(tuning.abstraction.max_scalars),
            precision: PrecisionFunction::new(0),
            exchange: Exchange::new(LA, board, tuning.abstraction.max_shared_invariants),
            refiner: Refiner::new(analyses, (&tuning.refinement, &tuning.feasibility), budget, board),
            verdict: Verdict::new(program, is_strict, tuning.exploration.max_failed_replays),
            statistics: Statistics::default(),
            prefixes: Prefixes::default(),
            tracking: Tracking::default(),
            dismissed: BTreeSet::new(),
            targets: FxHashMap::default(),
            started: Instant::now(),
            reported: Instant::now(),
        }
    }

    pub fn explored(&self) -> Explored {
        Explored {
            runs: self.statistics.transfers,
            steps: self.graph.steps,
            states: self.arg.len() as u64,
            ..Explored::default()
        }
    }

    /// Explores everything. When it returns without a stop, no target can be met.
    pub fn explore(&mut self) -> Result<(), Stop> {
        self.graph.build(&mut self.sym)?;
        let _span = tracing::info_span!("reachability").entered();
        let start = self.domain.start();
        let root = self.arg.add(BlockGraph::START, vec![start], None, 0);
        self.wait(Work::Expand(root));
        let end = self.follow_waitlist();
        tracing::info!(
            transfers = self.statistics.transfers,
            abstract_successors = self.statistics.successors,
            refinements = u64::from(self.statistics.refinements),
            removed_nodes = self.arg.removed,
            max_abstract_states = self.arg.len() as u64
        );
        match end {
            Err(Stop::Unknown(why @ (WhyUnknown::Timeout | WhyUnknown::Cancelled | WhyUnknown::OutOfMemory))) => {
                // A reason that lies in the program says more than one that lies in the budget.
                Err(Stop::Unknown(self.verdict.obstacle.take().unwrap_or(why)))
            }
            end => end,
        }
    }

    fn follow_waitlist(&mut self) -> Result<(), Stop> {
        while let Some(work) = self.waitlist.pop() {
            if self.arg.node(work.node()).is_removed {
                continue;
            }
            self.check_budget()?;
            match work {
                Work::Again(step) => self.take(step)?,
                Work::Expand(node) => self.expand(node)?,
            }
        }
        Ok(self.verdict.conclude()?)
    }

    fn check_budget(&mut self) -> Result<(), WhyUnknown> {
        let memory = self.sym.terms.heap_bytes() as u64;
        if self.budget.is_over() || self.budget.is_full(memory) {
            return Err(self.budget.why_stopped());
        }
        if self.reported.elapsed() >= self.tuning.exploration.report_interval {
            self.reported = Instant::now();
            let (explored, elapsed) = (self.explored(), self.started.elapsed());
            self.watcher.progress(&Progress { explored, elapsed, kept: self.waitlist.len() as u64, memory });
        }
        Ok(())
    }

    fn wait(&mut self, work: Work) {
        let node = self.arg.node(work.node());
        self.waitlist.push(self.graph.entry(node.entry), node.depth, work);
    }

    /// Looks at the targets of a node's block, and takes all its ends.
    fn expand(&mut self, id: NodeId) -> Result<(), Stop> {
        while let Some(target) = self.met_target(id)? {
            self.counterexample(id, target)?;
            if self.arg.node(id).is_removed {
                return Ok(());
            }
        }
        self.note_ends(id);
        let edges = self.graph.entry(self.arg.node(id).entry).edges.clone();
        for edge in edges {
            self.take(Step { node: id, edge })?;
        }
        Ok(())
    }

    /// The region of a node as conditions on its entry's state.
    pub fn region(&mut self, id: NodeId) -> Vec<TermId> {
        let node = self.arg.node(id);
        let entry = self.graph.entry(node.entry);
        let elements = node.elements.clone();
        let mut queries = Queries {
            sym: &mut self.sym,
            feasibility: &mut self.feasibility,
            valuations: &mut self.valuations,
            vocabulary: &mut self.vocabulary,
        };
        region_of(&mut self.domain, &mut queries, entry, &elements)
    }

    /// One end of a node's block: the abstract successors that nothing covers become a node.
    fn take(&mut self, step: Step) -> Result<(), Stop> {
        self.statistics.transfers += 1;
        let stamp = self.tracking.stamp;
        let mut conditions = self.region(step.node);
        let edge = self.graph.edge(step.edge);
        conditions.extend(&edge.conditions);
        match self.feasibility.solver.check(&mut self.sym, &conditions, None) {
            Outcome::Unsat => return Ok(()),
            Outcome::Unknown(why) => return Err(Stop::Unknown(why.into())),
            Outcome::Sat => {}
        }
        let to = self.graph.entry(edge.to);
        let post = Post { edge: step.edge, to, state: &edge.state, conditions: &conditions };
        let mut queries = Queries {
            sym: &mut self.sym,
            feasibility: &mut self.feasibility,
            valuations: &mut self.valuations,
            vocabulary: &mut self.vocabulary,
        };
        let found = self.domain.transfer(&mut queries, &post)?;
        self.statistics.successors += found.len() as u64;
        let mut new = Vec::new();
        for element in merged(&self.domain, found) {
            if self.arg.cover(&self.domain, step, to.id, &element) {
                self.verdict.has_surviving_run = true;
            } else {
                new.push(element);
            }
        }
        let to = to.id;
        if !new.is_empty() {
            let node = self.arg.add(to, new, Some(step), stamp);
            self.wait(Work::Expand(node));
        }
        Ok(())
    }

    /// Removes a node and everything that was reached from it, and lets others come again that it has covered.
    pub fn remove(&mut self, node: NodeId) {
        let Again { steps } = self.arg.remove_subtree(node);
        let arg = &self.arg;
        self.waitlist.retain(|work| !arg.node(work.node()).is_removed);
        for step in steps {
            self.wait(Work::Again(step));
        }
    }

    /// Notes whether a run ends in a node's block without a fault.
    fn note_ends(&mut self, id: NodeId) {
        if self.verdict.has_surviving_run {
            return;
        }
        let mut conditions = self.region(id);
        let ends = self.graph.entry(self.arg.node(id).entry).ends.clone();
        conditions.push(self.sym.terms.or_all(ends));
        if self.feasibility.solver.check(&mut self.sym, &conditions, None) == Outcome::Sat {
            self.verdict.has_surviving_run = true;
        }
    }
}

/// Targets: what a proof has to exclude.
impl Explorer<'_> {
    /// A target that a node's block seems to meet.
    fn met_target(&mut self, id: NodeId) -> Result<Option<Target>, Stop> {
        let entry = self.arg.node(id).entry;
        let any = self.targets_of(entry);
        if any == TermId::bool(false) {
            return Ok(None);
        }
        let mut conditions = self.region(id);
        conditions.push(any);
        match self.feasibility.solver.check(&mut self.sym, &conditions, None) {
            Outcome::Unsat => return Ok(None),
            Outcome::Unknown(why) => return Err(Stop::Unknown(why.into())),
            Outcome::Sat => {}
        }
        let Some(model) = self.feasibility.solver.model() else {
            return Err(WhyUnknown::Solver("the solver gave no model of a satisfiable query".to_string()).into());
        };
        let mut evaluator = Evaluator::new(model);
        let all = self.targets.get(&entry).map_or(&[][..], |targets| &targets.list);
        let met = all.iter().find(|(_, condition)| evaluator.holds(&self.sym.terms, *condition));
        met.map(|(target, _)| Some(*target))
            .ok_or_else(|| WhyUnknown::Solver("the solver's model does not satisfy the formula".to_string()).into())
    }

    /// When a block meets a target that is still looked for.
    fn targets_of(&mut self, id: EntryId) -> TermId {
        let dismissed = self.dismissed.len() + self.verdict.assumed.len() + usize::from(!self.verdict.can_prove());
        if let Some(known) = self.targets.get(&id)
            && known.dismissed == dismissed
        {
            return known.any;
        }
        let log = &self.graph.entry(id).log;
        let list = targets_of_block(log, &self.verdict, |target| self.dismissed.contains(&(id, target)));
        let any = self.sym.terms.or_all(list.iter().map(|(_, condition)| *condition));
        self.targets.insert(id, BlockTargets { dismissed, list, any });
        any
    }

    /// A target of a block is not looked for any more: what stands against a proof is noted.
    pub fn dismiss(&mut self, entry: EntryId, target: Target, why: WhyUnknown) {
        self.verdict.not_excluded(target, why);
        self.dismissed.insert((entry, target));
    }
}

/// The states of an entry that are in one of several abstract states, as conditions: what all of them have in common, and that
/// one of them holds.
pub fn region_of<D: Domain>(
    domain: &mut D,
    queries: &mut Queries,
    entry: &Entry,
    elements: &[D::Element],
) -> Vec<TermId> {
    let mut cubes: Vec<Vec<TermId>> =
        elements.iter().map(|element| domain.condition(queries, entry, element)).collect();
    let first: Vec<TermId> = cubes.first().cloned().unwrap_or_default();
    let mut common: Vec<TermId> = Vec::new();
    for literal in first {
        if cubes.iter().all(|cube| cube.contains(&literal)) && !common.contains(&literal) {
            common.push(literal);
        }
    }
    for cube in &mut cubes {
        cube.retain(|literal| !common.contains(literal));
    }
    let cubes: Vec<TermId> = cubes.into_iter().map(|cube| queries.sym.terms.and_all(cube)).collect();
    common.push(queries.sym.terms.or_all(cubes));
    common.retain(|literal| *literal != TermId::bool(true));
    common
}

/// The targets that a block may meet and that still matter: each with its condition. A target of an entry that was dismissed does not.
pub fn targets_of_block(
    log: &EventLog,
    verdict: &Verdict,
    is_dismissed: impl Fn(Target) -> bool,
) -> Vec<(Target, TermId)> {
    let mut list = targets_of_step(log, verdict);
    list.retain(|(target, _)| !is_dismissed(*target));
    list
}

/// The merge operator, applied to the abstract states that one transfer gives.
pub fn merged<D: Domain>(domain: &D, found: Vec<D::Element>) -> Vec<D::Element> {
    let mut all: Vec<D::Element> = Vec::with_capacity(found.len());
    let mut exact: FxHashSet<D::Element> = FxHashSet::default();
    for element in found {
        if !exact.insert(element.clone()) {
            continue;
        }
        match all.iter_mut().find_map(|one| Some((domain.merge(one, &element)?, one))) {
            Some((both, one)) => *one = both,
            None => all.push(element),
        }
    }
    all
}
