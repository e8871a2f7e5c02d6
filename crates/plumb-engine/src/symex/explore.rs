//! The exploration of the tree of paths.

use super::branch::Branch;
use super::meeting::FEW;
use super::order::{Look, Order, Waiting};
use super::points::{EntryId, Points};
use super::precision::{PrecisionFunction, Vocabulary};
use super::questions::{Possible, Questions};
use super::refine::Refiner;
use super::targets::Hit;
use super::trail::{PointId, Sign, Trails, is_decision, leave_faults};
use super::valuations::KnownGroups;
use crate::answer::{Explored, Violation, WhyUnknown};
use crate::board::Board;
use crate::budget::{Budget, Progress, Watcher};
use crate::realise::Realiser;
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::analysis::shape::FunctionShape;
use plumb_ir::program::{FuncId, Program};
use plumb_sym::{Assumed, Changes, Next, State, Step, Sym};
use plumb_term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Steps between two looks at the budget, and between two at the time.
const SLICE: u32 = 512;
const SHORT_SLICE: u32 = 16;
/// Conditions of a path that cost as much as a step, when it gets another one.
const DEAR: u32 = 16;
/// Terms have 32-bit names.
const MOST_TERMS: usize = 1 << 31;
/// Calls of a function inside of calls of it, beyond which it seems to be endless.
const DEEP: usize = 40;
const TELLING: Duration = Duration::from_millis(200);

/// Why an exploration ends before it has seen everything.
pub enum Stop {
    Violated(Violation),
    Unknown(WhyUnknown),
    /// An abstract counterexample that is none, where nobody wants to refine.
    Abstract,
    /// It may go on later.
    Paused,
}

/// A visit of a head before the abstraction begins there.
pub struct Concrete {
    pub key: LoopKey,
    pub state: State,
    pub conditions: Vec<TermId>,
    pub point: Option<PointId>,
}

pub struct Explorer<'a> {
    pub analyses: &'a Analyses,
    pub program: &'a Program,
    pub budget: &'a Budget,
    pub board: &'a Board,
    watcher: &'a dyn Watcher,
    started: Instant,
    told: Instant,
    pub sym: Sym<'a>,
    pub questions: Questions,
    pub(super) known_groups: KnownGroups,
    pub(super) waiting: Waiting<Branch>,
    pub(super) trails: Trails,
    /// `None`: paths are never abstracted.
    pub precision: Option<PrecisionFunction>,
    pub vocabulary: Vocabulary,
    pub points: Points,
    /// What turns of loops change, as far as it was seen.
    pub(super) changes: FxHashMap<LoopKey, Changes>,
    /// Loops that are never abstracted: they make objects, or have no head of their own.
    pub(super) plain: FxHashSet<LoopKey>,
    /// Loops that paths do not enter together.
    pub apart: FxHashSet<LoopKey>,
    /// Loops of which turns were seen that constants do not decide.
    pub(super) undecided: FxHashSet<LoopKey>,
    pub concrete: Vec<Concrete>,
    /// Loops of which visits were left out of those.
    pub more_concrete: FxHashSet<LoopKey>,
    /// Paths at one place that do not become one yet.
    pub most_apart: usize,
    pub(super) refiner: Option<Refiner>,
    /// What stands between the end of the exploration and a proof.
    pub(super) obstacle: Option<WhyUnknown>,
    /// Nothing may be supposed not to happen.
    pub strict: bool,
    /// What a proof supposes not to happen.
    pub assumed: BTreeSet<Assumed>,
    /// A path was followed to an end that is no fault, or without end.
    pub(super) has_survivor: bool,
    pub(super) failures: u32,
    pub(super) realiser: Realiser<'a>,
    /// How often everything has begun again.
    beginnings: u32,
    pub refinements: u32,
    pub steps: u64,
    pub paths: u64,
    /// The most visits of a head that count.
    pub deepest: u32,
    /// The most frames, and the function that was called once too often inside of itself with the step at which it was.
    frames: usize,
    recursive: Option<(FuncId, u64)>,
    pub(super) until_look: u32,
    /// When to pause.
    pause: Option<Instant>,
}

impl<'a> Explorer<'a> {
    pub fn new(
        analyses: &'a Analyses,
        order: Order,
        seed: u64,
        budget: &'a Budget,
        board: &'a Board,
        watcher: &'a dyn Watcher,
    ) -> Explorer<'a> {
        let program = analyses.program();
        let mut sym = Sym::new(program);
        let start = sym.start();
        let mut waiting = Waiting::new(order, seed);
        waiting.push(Look { place: 0, depth: 0, nest: Vec::new() }, Branch::new(start));
        Explorer {
            analyses,
            program,
            budget,
            board,
            watcher,
            started: Instant::now(),
            told: Instant::now(),
            sym,
            questions: Questions::new(budget),
            known_groups: KnownGroups::default(),
            waiting,
            trails: Trails::default(),
            precision: None,
            vocabulary: Vocabulary::default(),
            points: Points::default(),
            changes: FxHashMap::default(),
            plain: FxHashSet::default(),
            apart: FxHashSet::default(),
            undecided: FxHashSet::default(),
            concrete: Vec::new(),
            more_concrete: FxHashSet::default(),
            most_apart: FEW,
            refiner: None,
            obstacle: None,
            strict: false,
            assumed: BTreeSet::new(),
            has_survivor: false,
            failures: 0,
            realiser: Realiser::new(program),
            beginnings: 0,
            refinements: 0,
            steps: 0,
            paths: 0,
            deepest: 0,
            frames: 0,
            recursive: None,
            until_look: SLICE,
            pause: None,
        }
    }

    /// Abstracts paths by a precision function, and refines it if there is someone who does.
    pub fn abstracting(mut self, precision: PrecisionFunction, refiner: Option<Refiner>) -> Explorer<'a> {
        self.precision = Some(precision);
        self.refiner = refiner;
        self
    }

    pub fn explored(&self) -> Explored {
        Explored {
            runs: self.paths,
            steps: self.steps,
            deepest: self.deepest as u64,
            states: self.points.points.len() as u64,
            ..Explored::default()
        }
    }

    /// Follows all paths until a moment, and one more.
    pub fn explore_until(&mut self, moment: Instant) -> Result<(), Stop> {
        self.pause = Some(moment);
        let end = self.explore();
        self.pause = None;
        end
    }

    /// Follows all paths. When it comes to an end, no target can be reached.
    pub fn explore(&mut self) -> Result<(), Stop> {
        let _span = tracing::info_span!("exploration").entered();
        let (steps, paths, refinements) = (self.steps, self.paths, self.refinements);
        let end = self.explore_waiting();
        tracing::info!(
            symbolic_steps = self.steps - steps,
            paths = self.paths - paths,
            refinements = u64::from(self.refinements - refinements),
            max_abstract_states = self.points.points.len() as u64
        );
        end
    }

    fn explore_waiting(&mut self) -> Result<(), Stop> {
        'next: while let Some(group) = self.waiting.pop_group(Branch::goes_together) {
            let (mut due, others): (Vec<Branch>, Vec<Branch>) = group.into_iter().partition(|one| self.is_due(one));
            let beginnings = self.beginnings;
            for branch in self.met(others) {
                // Following one may take away what others came from.
                if !self.points.is_gone(branch.point) {
                    self.follow(branch)?;
                }
                if self.beginnings != beginnings {
                    continue 'next;
                }
            }
            due.retain(|branch| !self.points.is_gone(branch.point));
            self.enter(due)?;
            if self.is_pausing() {
                return Err(Stop::Paused);
            }
        }
        // A proof that supposes away every run is none.
        let vacuous = self.assumed.first().filter(|_| !self.has_survivor).map(|first| WhyUnknown::fault(*first));
        match self.obstacle.take().or(vacuous) {
            Some(why) => Err(Stop::Unknown(why)),
            None => Ok(()),
        }
    }

    fn is_pausing(&self) -> bool {
        self.pause.is_some_and(|moment| Instant::now() >= moment)
    }

    pub fn shape(&self, func: FuncId) -> &'a FunctionShape {
        self.analyses.shape(func)
    }

    pub(super) fn wait(&mut self, branch: Branch) {
        let place = (branch.state.func().0 as u64) << 32 | branch.state.loc.0 as u64;
        let nest = if self.waiting.is_nested() { branch.nest(self.analyses) } else { Vec::new() };
        self.waiting.push(Look { place, depth: branch.decisions, nest }, branch);
    }

    pub(super) fn look_at_budget(&mut self) -> Result<(), Stop> {
        self.until_look -= 1;
        // Steps may be slow.
        let is_late = self.until_look.is_multiple_of(SHORT_SLICE) && self.budget.is_over();
        if self.until_look > 0 && !is_late {
            return Ok(());
        }
        self.until_look = SLICE;
        let memory = self.sym.terms.heap_bytes() as u64;
        if self.told.elapsed() >= TELLING {
            self.told = Instant::now();
            let (explored, elapsed) = (self.explored(), self.started.elapsed());
            self.watcher.progress(&Progress { explored, elapsed, kept: self.waiting.len() as u64, memory });
        }
        let why = match () {
            _ if self.budget.cancel.is_cancelled() => WhyUnknown::Cancelled,
            _ if self.budget.is_over() => self.recursion().map_or(WhyUnknown::Timeout, WhyUnknown::Recursion),
            _ if self.sym.terms.len() > MOST_TERMS || self.budget.is_full(memory) => WhyUnknown::OutOfMemory,
            _ => return Ok(()),
        };
        // A reason that lies in the program says more.
        Err(Stop::Unknown(self.obstacle.take().unwrap_or(why)))
    }

    /// Follows a path until it ends or splits.
    fn follow(&mut self, mut branch: Branch) -> Result<(), Stop> {
        loop {
            self.look_at_budget()?;
            if self.until_look == SLICE && self.is_pausing() {
                self.wait(branch);
                return Ok(());
            }
            if branch.is_at_head {
                match self.at_head(branch)? {
                    Some(on) => branch = on,
                    None => return Ok(()),
                }
            }
            self.steps += 1;
            let decides = is_decision(self.program, &branch.state);
            let before = branch.state.path.clone();
            let site = self.site(&branch.state);
            let exits = if decides { self.exits(&branch) } else { Vec::new() };
            let Step { next, log } = self.sym.step(&mut branch.state);
            if let Hit::Gone = self.targets(&branch, site, &before, &log)? {
                return Ok(());
            }
            let by_constants = matches!(next, Next::Moved) && branch.state.path.len() == before.len();
            if !by_constants && self.has_decided(exits) {
                return Ok(());
            }
            branch.steps += 1;
            match next {
                Next::Ended => {
                    self.paths += 1;
                    self.note_survivor(&branch);
                    return Ok(());
                }
                Next::Moved => {
                    if !self.goes_on(&mut branch, before.len(), decides) {
                        self.paths += 1;
                        return Ok(());
                    }
                    if branch.is_at_meeting && self.waiting.len() > 0 {
                        self.wait(branch);
                        return Ok(());
                    }
                }
                Next::Split(states) => {
                    let mut last: Option<Branch> = None;
                    for state in states {
                        let mut one = Branch { state, ..branch.clone() };
                        if self.goes_on(&mut one, before.len(), decides)
                            && let Some(other) = last.replace(one)
                        {
                            self.wait(other);
                        }
                    }
                    match last {
                        Some(one) => self.wait(one),
                        None => self.paths += 1,
                    }
                    return Ok(());
                }
            }
        }
    }

    /// Notes whether a path that has ended did so without a fault.
    fn note_survivor(&mut self, branch: &Branch) {
        if self.has_survivor || branch.state.path.is_impossible() {
            return;
        }
        let sound = self.sym.terms.not(branch.state.fault);
        let known = branch.conditions();
        let survives = self.questions.is_possible(&mut self.sym, &known, &[sound], branch.values.as_ref());
        self.has_survivor = matches!(survives, Possible::Yes(_));
    }

    /// Brings a path up to date that has made a step. Whether it is possible.
    fn goes_on(&mut self, branch: &mut Branch, conditions: u32, decides: bool) -> bool {
        leave_faults(&mut self.sym, &mut branch.state);
        let path = &branch.state.path;
        if path.is_impossible() {
            return false;
        }
        let new = path.since(conditions);
        if !new.is_empty() {
            let mut known = branch.conditions();
            known.retain(|condition| !new.contains(condition));
            // Long paths are dear.
            self.until_look = self.until_look.saturating_sub(known.len() as u32 / DEAR).max(1);
            match self.questions.is_possible(&mut self.sym, &known, &new, branch.values.as_ref()) {
                Possible::No => return false,
                Possible::Yes(values) => branch.values = values,
            }
        }
        if decides {
            let sign = Sign::Went(branch.state.func(), branch.state.loc);
            branch.trail = self.trails.add(branch.trail, sign);
            branch.decisions += 1;
        }
        self.look_at_depth(&branch.state);
        let shape = self.shape(branch.state.func());
        branch.arrive(shape, new.is_empty(), self.sym.terms.len());
        branch.is_at_meeting = self.joins() && !branch.is_at_head && shape.is_meeting(branch.state.loc);
        true
    }

    /// Loops around a path of which it was not known yet that something else than constants decides them, and that may be left
    /// here.
    fn exits(&mut self, branch: &Branch) -> Vec<LoopKey> {
        if self.precision.is_none() {
            return Vec::new();
        }
        let func = branch.state.func();
        let shape = self.shape(func);
        let around = branch.at_exit(shape).filter(|one| one.tag.is_none());
        around.map(|one| (func, one.id)).filter(|key| !self.undecided.contains(key)).collect()
    }

    /// Loops turn out not to be decided by constants. Where one of them should have been abstracted, everything begins again:
    /// paths may have met since. That is at most once for each loop.
    pub(super) fn has_decided(&mut self, exits: Vec<LoopKey>) -> bool {
        let is_due = |key: &LoopKey| {
            self.precision.as_ref().is_some_and(|p| p.threshold(*key) == 0) && !self.plain.contains(key)
        };
        let begins_again = exits.iter().any(is_due);
        self.undecided.extend(exits);
        if begins_again {
            self.beginnings += 1;
            self.waiting.retain(|_| false);
            self.points = Points::default();
            self.trails = Trails::default();
            self.concrete.clear();
            self.more_concrete.clear();
            let start = self.sym.start();
            self.wait(Branch::new(start));
        }
        begins_again
    }

    /// Notes recursion that goes deeper than it ever did.
    fn look_at_depth(&mut self, state: &State) {
        if state.depth() <= self.frames {
            return;
        }
        self.frames = state.depth();
        let func = state.func();
        if state.frames().filter(|frame| frame.func == func).count() > DEEP {
            self.recursive = Some((func, self.steps));
        }
    }

    /// A function whose calls were still getting deeper not long ago.
    fn recursion(&self) -> Option<FuncId> {
        self.recursive.filter(|(_, step)| *step > self.steps / 2).map(|(func, _)| func)
    }

    /// Removes what came of an entry, and begins there once more.
    pub(super) fn make_again(&mut self, entry: EntryId) {
        let again = self.points.discard(entry);
        let points = &self.points;
        self.waiting.retain(|branch| !points.is_gone(branch.point));
        for branch in again {
            self.wait(Branch { is_at_head: true, is_at_meeting: false, ..(*branch).clone() });
        }
    }
}
