//! The exploration of p-simple paths (Algorithm 2 of the paper, as a loop over a waitlist).

use super::abstraction::Abstraction;
use super::evidence::finished_invariants;
use super::history::{Histories, HistoryItem};
use super::merging::{join_all, merge};
use super::monitor::{Monitor, Statistics};
use super::path::SymbolicPath;
use super::reached_set::{EntryId, ReachedSet};
use super::replay::is_decision;
use super::tuning::Tuning;
use super::waitlist::{Order, Rank, Waitlist};
use crate::answer::{Explored, Violation, WhyUnknown};
use crate::budget::{Budget, Watcher};
use crate::predicates::feasibility::{Feasibility, PathFeasibility};
use crate::predicates::refinement::Refiner;
use crate::predicates::targets::distance_to_error;
use crate::predicates::verdict::Verdict;
use plumb_exec::Site;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::forward::Locations;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::analysis::target_distance::Distance;
use plumb_sym::{Next, State, Step, Sym};
use std::sync::Arc;
use std::time::Instant;

/// Why an exploration ends before every path was followed.
pub enum Stop {
    Violated(Violation),
    Unknown(WhyUnknown),
    /// A spurious counterexample, where the precision is fixed.
    Spurious,
    /// It may go on later.
    Paused,
}

impl From<WhyUnknown> for Stop {
    fn from(why: WhyUnknown) -> Stop {
        Stop::Unknown(why)
    }
}

/// What becomes of a path after its targets were looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    GoesOn,
    /// A refinement has removed it.
    Removed,
}

pub struct Explorer<'a> {
    pub(super) analyses: &'a Analyses,
    tuning: Tuning,
    pub(super) sym: Sym<'a>,
    pub(super) feasibility: Feasibility,
    waitlist: Waitlist<SymbolicPath>,
    pub(super) reached: ReachedSet,
    pub(super) histories: Histories,
    /// `None`: symbolic execution without abstraction.
    pub(super) abstraction: Option<Abstraction<'a>>,
    /// `None`: the precision is fixed.
    pub(super) refiner: Option<Refiner<'a>>,
    pub(super) verdict: Verdict<'a>,
    pub(super) monitor: Monitor<'a>,
    pub(super) statistics: Statistics,
}

impl<'a> Explorer<'a> {
    pub fn new(
        analyses: &'a Analyses,
        (order, seed): (Order, u64),
        is_strict: bool,
        tuning: &Tuning,
        budget: &'a Budget,
        watcher: &'a dyn Watcher,
    ) -> Explorer<'a> {
        let program = analyses.program();
        let mut explorer = Explorer {
            analyses,
            tuning: *tuning,
            sym: Sym::new(program),
            feasibility: Feasibility::new(budget, &tuning.feasibility),
            waitlist: Waitlist::new(order, seed),
            reached: ReachedSet::default(),
            histories: Histories::default(),
            abstraction: None,
            refiner: None,
            verdict: Verdict::new(program, is_strict, tuning.exploration.max_failed_replays),
            monitor: Monitor::new(budget, watcher, &tuning.exploration),
            statistics: Statistics::default(),
        };
        let start = explorer.sym.start();
        explorer.waitlist.add(analyses, SymbolicPath::new(start));
        explorer
    }

    /// Abstracts paths, and refines the precision if there is a refiner.
    pub fn abstracting(mut self, abstraction: Abstraction<'a>, refiner: Option<Refiner<'a>>) -> Explorer<'a> {
        self.abstraction = Some(abstraction);
        self.refiner = refiner;
        self
    }

    pub fn explored(&self) -> Explored {
        self.statistics.explored(self.reached.len())
    }

    /// Explores until a moment, and a little longer.
    pub fn explore_until(&mut self, moment: Instant) -> Result<(), Stop> {
        self.monitor.pause = Some(moment);
        let end = self.explore();
        self.monitor.pause = None;
        end
    }

    /// Follows all paths. When it returns without a stop, no target can be met.
    pub fn explore(&mut self) -> Result<(), Stop> {
        let _span = tracing::info_span!("exploration").entered();
        let before = self.statistics;
        let end = match self.follow_waitlist() {
            Err(Stop::Unknown(why)) => Err(Stop::Unknown(self.best_reason(why))),
            end => end,
        };
        tracing::info!(
            symbolic_steps = self.statistics.steps - before.steps,
            paths = self.statistics.paths - before.paths,
            refinements = u64::from(self.statistics.refinements - before.refinements),
            max_abstract_states = self.reached.len() as u64
        );
        end
    }

    fn follow_waitlist(&mut self) -> Result<(), Stop> {
        'next: loop {
            // All paths that are not followed to their ends are in the waitlist now.
            self.post_finished_loops();
            let Some(group) = self.waitlist.pop_group(SymbolicPath::can_merge) else { break };
            let abstraction = self.abstraction.as_ref();
            let should_abstract = |path: &SymbolicPath| abstraction.is_some_and(|one| one.should_abstract(path));
            let (mut entering, others): (Vec<_>, Vec<_>) = group.into_iter().partition(should_abstract);
            let restarts = self.statistics.restarts;
            for path in self.merge_many(others) {
                // Following one path may remove what another came from.
                if !self.reached.is_removed(path.point) {
                    self.follow(path)?;
                }
                if self.statistics.restarts != restarts {
                    continue 'next;
                }
            }
            entering.retain(|path| !self.reached.is_removed(path.point));
            self.enter(entering)?;
            if self.monitor.should_pause() {
                return Err(Stop::Paused);
            }
        }
        Ok(self.verdict.conclude()?)
    }

    /// A reason that lies in the program says more than one that lies in the budget.
    fn best_reason(&mut self, why: WhyUnknown) -> WhyUnknown {
        let recursion = || self.statistics.endless_recursion().map(WhyUnknown::Recursion);
        let of_budget = match why {
            WhyUnknown::Timeout if self.monitor.budget.cancel.is_cancelled() => WhyUnknown::Cancelled,
            WhyUnknown::Timeout => recursion().unwrap_or(why),
            WhyUnknown::Cancelled | WhyUnknown::OutOfMemory => why,
            _ => return why,
        };
        self.verdict.obstacle.take().unwrap_or(of_budget)
    }

    /// Paths that come to the same location become one where they are many.
    fn merge_many(&mut self, paths: Vec<SymbolicPath>) -> Vec<SymbolicPath> {
        if paths.len() <= self.tuning.exploration.merge_above || paths.iter().any(|path| !path.is_at_join) {
            return paths;
        }
        merge(&mut self.sym, &mut self.histories, self.analyses, self.monitor.budget, paths)
    }

    /// Follows a path until it ends, splits, waits for others, or is covered.
    fn follow(&mut self, mut path: SymbolicPath) -> Result<(), Stop> {
        loop {
            if self.monitor.step(&self.sym.terms)? {
                let explored = self.explored();
                self.monitor.report(explored, self.waitlist.len(), &self.sym.terms);
                if self.monitor.should_pause() {
                    self.waitlist.add(self.analyses, path);
                    return Ok(());
                }
            }
            if path.is_at_head {
                match self.at_loop_head(path)? {
                    Some(on) => path = on,
                    None => return Ok(()),
                }
            }
            self.statistics.steps += 1;
            let decides = is_decision(self.analyses.program(), &path.state);
            let before = path.state.path.clone();
            let site = self.site(&path.state);
            let constant_exits = match &self.abstraction {
                Some(abstraction) if decides => abstraction.loops.constant_exits(self.analyses, &path),
                _ => Vec::new(),
            };
            let Step { next, log } = self.sym.step(&mut path.state);
            if self.check_targets(&path, site, &before, &log)? == Fate::Removed {
                return Ok(());
            }
            let by_constants = matches!(next, Next::Moved) && path.state.path.len() == before.len();
            if !by_constants && self.note_input_dependent(constant_exits) {
                return Ok(());
            }
            path.steps += 1;
            match next {
                Next::Ended => {
                    self.statistics.paths += 1;
                    self.note_end(&path);
                    return Ok(());
                }
                Next::Moved => {
                    if !self.continue_path(&mut path, before.len(), decides) {
                        self.statistics.paths += 1;
                        return Ok(());
                    }
                    if path.is_at_join && self.waitlist.len() > 0 {
                        self.waitlist.add(self.analyses, path);
                        return Ok(());
                    }
                }
                Next::Split(states) => {
                    self.split(path, states, before.len(), decides);
                    return Ok(());
                }
            }
        }
    }

    /// The feasible ones of a path's successors wait to be followed, the last one on top.
    fn split(&mut self, path: SymbolicPath, states: Vec<State>, conditions: u32, decides: bool) {
        let mut is_feasible = false;
        for state in states {
            let mut successor = SymbolicPath { state, ..path.clone() };
            if self.continue_path(&mut successor, conditions, decides) {
                is_feasible = true;
                self.waitlist.add(self.analyses, successor);
            }
        }
        self.statistics.paths += u64::from(!is_feasible);
    }

    /// Brings a path up to date that has made a step. Whether it is feasible.
    fn continue_path(&mut self, path: &mut SymbolicPath, conditions: u32, decides: bool) -> bool {
        self.sym.exclude_faulted_runs(&mut path.state);
        if path.state.path.is_impossible() {
            return false;
        }
        let new = path.state.path.since(conditions);
        if !new.is_empty() {
            let mut known = path.path_condition();
            known.retain(|condition| !new.contains(condition));
            self.monitor.charge(known.len());
            match self.feasibility.extend(&mut self.sym, &known, &new, path.model.as_ref()) {
                PathFeasibility::Infeasible => return false,
                PathFeasibility::Feasible(model) => path.model = model,
            }
        }
        if decides {
            let decision = HistoryItem::Decision(path.state.func(), path.state.loc);
            path.history = self.histories.append(path.history, decision);
            path.decisions += 1;
        }
        self.statistics.note_depth(&path.state, self.tuning.exploration.deep_recursion);
        let shape = self.analyses.shape(path.state.func());
        path.advance(shape, new.is_empty(), self.sym.terms.len(), &self.tuning.exploration.counting);
        let can_join = self.abstraction.is_some() && self.waitlist.is_nested();
        path.is_at_join = can_join && !path.is_at_head && shape.is_meeting(path.state.loc);
        true
    }

    /// Notes whether a path that has ended did so without a fault.
    fn note_end(&mut self, path: &SymbolicPath) {
        if self.verdict.has_surviving_run || path.state.path.is_impossible() {
            return;
        }
        let sound = self.sym.terms.not(path.state.fault);
        let known = path.path_condition();
        let survives = self.feasibility.extend(&mut self.sym, &known, &[sound], path.model.as_ref());
        if let PathFeasibility::Feasible(_) = survives {
            self.verdict.has_surviving_run = true;
        }
    }

    /// The location of a state's next step.
    fn site(&self, state: &State) -> Option<Site> {
        let func = state.func();
        let function = self.analyses.program().function(func);
        function.out_edges(state.loc).next().map(|edge| Site { func, edge, loc: state.loc })
    }
}

/// Loop heads: a path goes on as it is, enters the loop abstractly, or comes to an abstract state once more.
impl Explorer<'_> {
    /// A path is at the head of a loop. Gives it back if it goes on as it is.
    fn at_loop_head(&mut self, mut path: SymbolicPath) -> Result<Option<SymbolicPath>, Stop> {
        let Some((key, head)) = path.loop_key().zip(path.innermost_loop()) else { return Ok(Some(path)) };
        let (visits, entry) = (head.counted, head.tag);
        self.statistics.max_visits = self.statistics.max_visits.max(visits);
        if entry.is_none() && visits > 0 && self.note_input_dependent(vec![key]) {
            return Ok(None);
        }
        let Some(abstraction) = &mut self.abstraction else {
            path.is_at_head = false;
            return Ok(Some(path));
        };
        if abstraction.should_abstract(&path) {
            // Others may come.
            self.waitlist.add(self.analyses, path);
            return Ok(None);
        }
        path.is_at_head = false;
        match entry {
            Some(entry) => self.visit(path, entry, false).map(|()| None),
            None => {
                abstraction.concrete_visits.record(key, &path);
                Ok(Some(path))
            }
        }
    }

    /// Notes that not only constants decide loops. Where one of them should have been abstracted before, the exploration
    /// starts over: paths may have been merged since. That is at most once for each loop.
    fn note_input_dependent(&mut self, mut keys: Vec<LoopKey>) -> bool {
        let Some(abstraction) = &mut self.abstraction else { return false };
        keys.retain(|key| !abstraction.loops.is_input_dependent(*key));
        if !abstraction.loops.note_input_dependent(&abstraction.precision, keys) {
            return false;
        }
        abstraction.concrete_visits.clear();
        self.statistics.restarts += 1;
        self.waitlist.retain(|_| false);
        self.reached = ReachedSet::default();
        self.histories = Histories::default();
        let start = self.sym.start();
        self.waitlist.add(self.analyses, SymbolicPath::new(start));
        true
    }

    /// Paths enter a loop abstractly.
    fn enter(&mut self, mut paths: Vec<SymbolicPath>) -> Result<(), Stop> {
        let Some(abstraction) = &mut self.abstraction else { return Ok(()) };
        let Some(key) = paths.first().and_then(SymbolicPath::loop_key) else { return Ok(()) };
        let live = &self.analyses.shape(key.0).live;
        let is_separate = paths.len() > 1 && abstraction.loops.entered_separately.contains(&key);
        let joined = if is_separate { None } else { join_all(&mut self.sym, &paths, live) };
        let Some(state) = joined else {
            abstraction.loops.entered_separately.insert(key);
            return paths.into_iter().try_for_each(|one| self.enter(vec![one]));
        };
        paths.iter_mut().for_each(|path| path.is_at_head = false);
        let arrivals = paths.iter().cloned().map(Arc::new).collect();
        let entry = abstraction.build_entry(&mut self.sym, &mut self.feasibility, key, arrivals, state);
        let Some(entry) = entry else { return Ok(()) };
        let entry = self.reached.add_entry(entry);
        for mut path in paths {
            path.set_entry(entry);
            self.visit(path, entry, true)?;
        }
        Ok(())
    }

    /// A path comes to the head of a loop that it has entered abstractly: it goes on from each of its abstract states that
    /// was not reached before.
    fn visit(&mut self, path: SymbolicPath, id: EntryId, is_arrival: bool) -> Result<(), Stop> {
        let Some(abstraction) = &mut self.abstraction else { return Ok(()) };
        let entry = self.reached.entry(id);
        if entry.is_removed {
            return Ok(());
        }
        let live = &self.analyses.shape(path.state.func()).live;
        if !is_arrival && !abstraction.loops.modifies_only_havocked(&mut self.sym, entry, &path.state, live) {
            self.rebuild(id);
            return Ok(());
        }
        if !abstraction.keeps_invariants(&mut self.sym, &mut self.feasibility, entry, &path) {
            self.rebuild(id);
            return Ok(());
        }
        let valuations = abstraction.valuations_of(&mut self.sym, &mut self.feasibility, entry, &path)?;
        let path = Arc::new(path);
        for valuation in valuations {
            if self.reached.cover(id, &valuation, &path) {
                self.verdict.has_surviving_run = true;
                continue;
            }
            let entry = self.reached.entry(id);
            let start = abstraction.abstract_state(&mut self.sym, &mut self.feasibility, entry, &valuation);
            let point = self.reached.add_point(id, path.clone(), valuation);
            let Some(start) = start else { continue };
            let history = self.histories.append(path.history, HistoryItem::Point(point, path.steps));
            let successor = SymbolicPath {
                state: start.state,
                predicate_values: start.predicate_values,
                position: path.position.clone(),
                history,
                decisions: path.decisions,
                steps: path.steps,
                point: Some(point),
                exits: Arc::default(),
                model: start.model,
                is_at_head: false,
                is_at_join: false,
            };
            self.waitlist.add(self.analyses, successor);
        }
        Ok(())
    }

    /// Now and then, posts invariants of loops that no path of the waitlist can come to again: every run at their heads is in
    /// one of the abstract states. Where something stands between the exploration and a proof, paths may not be all runs.
    fn post_finished_loops(&mut self) {
        let Some(abstraction) = &mut self.abstraction else { return };
        if !self.verdict.can_prove() || !abstraction.exchange.is_time_to_post(self.statistics.refinements) {
            return;
        }
        let waiting = self.waitlist.iter().flat_map(|path| path.state.pending_locations());
        let ahead = Locations::forward(self.analyses.program(), self.analyses.call_graph(), waiting);
        let is_finished = |key: LoopKey| !ahead.contains(key.0, self.analyses.shape(key.0).head(key.1));
        let max_states = self.tuning.evidence.max_states;
        let facts = finished_invariants(&mut self.sym, abstraction, &self.reached, is_finished, max_states);
        abstraction.exchange.post_proved(&mut self.sym, &mut abstraction.vocabulary, &facts);
    }

    /// Removes what was reached through an entry, and lets its paths enter the loop again.
    pub(super) fn rebuild(&mut self, entry: EntryId) {
        let again = self.reached.remove(entry);
        let reached = &self.reached;
        self.waitlist.retain(|path| !reached.is_removed(path.point));
        for path in again {
            let path = SymbolicPath { is_at_head: true, is_at_join: false, ..(*path).clone() };
            self.waitlist.add(self.analyses, path);
        }
    }
}

impl Waitlist<SymbolicPath> {
    fn add(&mut self, analyses: &Analyses, path: SymbolicPath) {
        let location = (path.state.func().0 as u64) << 32 | path.state.loc.0 as u64;
        let nesting = if self.is_nested() { path.nesting(analyses) } else { Vec::new() };
        let distance = self.metric().map_or(Distance::ZERO, |metric| distance_to_error(analyses, metric, &path.state));
        self.push(Rank { location, depth: path.decisions, nesting, distance }, path);
    }
}
