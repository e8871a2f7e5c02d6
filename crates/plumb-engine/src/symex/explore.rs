//! The exploration of the tree of paths.

use super::branch::Branch;
use super::order::{Look, Order, Waiting};
use super::points::{Entry, EntryId, Points, Visited};
use super::precision::{PrecisionFunction, Vocabulary};
use super::questions::{Possible, Questions};
use super::refine::{Refiner, Spurious, equation};
use super::trail::{End, Lists, PointId, Sign, Target, Trails, is_decision, leave_faults, walk};
use crate::answer::{Explored, Held, Violation, WhyUnknown};
use crate::bmc::inputs_of;
use crate::budget::{Budget, Progress, Watcher};
use crate::realise::realise;
use crate::unroll::abstraction::LoopKey;
use crate::unroll::shape::Shape;
use plumb_ir::analysis::loops::Loops;
use plumb_ir::check::CheckKind;
use plumb_ir::program::{FuncId, Program, VarRef};
use plumb_ir::ty::Ty;
use plumb_solve::Outcome;
use plumb_sym::{Changes, State, Step, Sym, Value};
use plumb_term::{BinaryOp, Evaluator, Kind, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps between two looks at the budget.
const SLICE: u32 = 512;
/// Terms have 32-bit names.
const MOST_TERMS: usize = 1 << 31;
/// Abstract states that one path may have at a head.
const MOST_VALUATIONS: usize = 1_000;
/// Violations that turn out to be none before no more are tried.
const MOST_FAILURES: u32 = 40;
/// States at heads, before the abstraction, that are kept to tell invariants.
const MOST_CONCRETE: usize = 500;
/// Calls of a function inside of calls of it, beyond which it seems to be endless.
const DEEP: usize = 40;
const TELLING: Duration = Duration::from_millis(200);

/// Why an exploration ends before it has seen everything.
pub enum Stop {
    Violated(Violation),
    Unknown(WhyUnknown),
    /// An abstract counterexample that is none, where nobody wants to refine.
    Abstract,
}

/// What came of looking at a target.
enum Hit {
    /// The path goes on.
    Goes,
    /// It is gone: the precision is finer now.
    Gone,
}

/// A visit of a head before the abstraction begins there.
pub struct Concrete {
    pub key: LoopKey,
    pub state: State,
    pub conditions: Vec<TermId>,
    pub point: Option<PointId>,
}

pub struct Explorer<'a> {
    pub program: &'a Program,
    pub budget: &'a Budget,
    watcher: &'a dyn Watcher,
    started: Instant,
    told: Instant,
    pub sym: Sym<'a>,
    pub questions: Questions,
    shapes: Vec<Option<Arc<Shape>>>,
    waiting: Waiting<Branch>,
    trails: Trails,
    /// `None`: paths are never abstracted.
    pub precision: Option<PrecisionFunction>,
    pub vocabulary: Vocabulary,
    pub points: Points,
    /// What turns of loops change, as far as it was seen.
    changes: FxHashMap<LoopKey, Changes>,
    /// Loops that are never abstracted: they make objects, or have no head of their own.
    plain: FxHashSet<LoopKey>,
    /// Loops that paths do not enter together.
    pub apart: FxHashSet<LoopKey>,
    /// Loops of which turns were seen that constants do not decide.
    undecided: FxHashSet<LoopKey>,
    pub concrete: Vec<Concrete>,
    /// Loops of which visits were left out of those.
    pub more_concrete: FxHashSet<LoopKey>,
    refiner: Option<Refiner>,
    /// What stands between the end of the exploration and a proof.
    obstacle: Option<WhyUnknown>,
    failures: u32,
    /// How often everything has begun again.
    beginnings: u32,
    pub refinements: u32,
    pub steps: u64,
    pub paths: u64,
    /// The most visits of a head that count.
    pub deepest: u32,
    /// The most frames, and the function that was called once too often inside of itself.
    frames: usize,
    recursive: Option<FuncId>,
    until_look: u32,
}

impl<'a> Explorer<'a> {
    pub fn new(
        program: &'a Program,
        order: Order,
        seed: u64,
        budget: &'a Budget,
        watcher: &'a dyn Watcher,
    ) -> Explorer<'a> {
        let mut sym = Sym::new(program);
        let start = sym.start();
        let mut waiting = Waiting::new(order, seed);
        waiting.push(Look { place: 0, depth: 0, nest: Vec::new() }, Branch::new(start));
        Explorer {
            program,
            budget,
            watcher,
            started: Instant::now(),
            told: Instant::now(),
            sym,
            questions: Questions::new(budget),
            shapes: vec![None; program.functions.len()],
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
            refiner: None,
            obstacle: None,
            failures: 0,
            beginnings: 0,
            refinements: 0,
            steps: 0,
            paths: 0,
            deepest: 0,
            frames: 0,
            recursive: None,
            until_look: SLICE,
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

    /// Follows all paths. When it comes to an end, no target can be reached.
    pub fn explore(&mut self) -> Result<(), Stop> {
        'next: while let Some(group) = self.waiting.pop_group(|a, b| a.is_entering() && b.is_entering()) {
            let (due, others): (Vec<Branch>, Vec<Branch>) = group.into_iter().partition(|one| self.is_due(one));
            let beginnings = self.beginnings;
            for branch in others {
                self.follow(branch)?;
                if self.beginnings != beginnings {
                    continue 'next;
                }
            }
            self.enter(due)?;
        }
        match self.obstacle.take() {
            Some(why) => Err(Stop::Unknown(why)),
            None => Ok(()),
        }
    }

    pub fn shape(&mut self, func: FuncId) -> Arc<Shape> {
        let program = self.program;
        self.shapes[func.0 as usize].get_or_insert_with(|| Arc::new(Shape::of(program.function(func)))).clone()
    }

    fn wait(&mut self, branch: Branch) {
        let place = (branch.state.func().0 as u64) << 32 | branch.state.loc.0 as u64;
        let nest = if self.waiting.is_nested() { branch.nest(|func| self.shape(func)) } else { Vec::new() };
        self.waiting.push(Look { place, depth: branch.decisions, nest }, branch);
    }

    fn look_at_budget(&mut self) -> Result<(), Stop> {
        self.until_look -= 1;
        if self.until_look > 0 {
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
            _ if self.budget.is_over() => self.recursive.map_or(WhyUnknown::Timeout, WhyUnknown::Recursion),
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
            if branch.is_at_head {
                match self.at_head(branch)? {
                    Some(on) => branch = on,
                    None => return Ok(()),
                }
            }
            self.steps += 1;
            let decides = is_decision(self.program, &branch.state);
            let lists = Lists::of(&self.sym);
            let before = branch.state.path.clone();
            let exits = if decides { self.exits(&branch) } else { Vec::new() };
            let went = self.sym.step(&mut branch.state);
            if let Hit::Gone = self.targets(&branch, &before, lists)? {
                return Ok(());
            }
            lists.restore(&mut self.sym);
            let by_constants = matches!(went, Step::Went) && branch.state.path.len() == before.len();
            if !by_constants && self.has_decided(exits) {
                return Ok(());
            }
            branch.steps += 1;
            match went {
                Step::Ended => {
                    self.paths += 1;
                    return Ok(());
                }
                Step::Went => {
                    if !self.goes_on(&mut branch, before.len(), decides) {
                        self.paths += 1;
                        return Ok(());
                    }
                }
                Step::Split(states) => {
                    let mut next: Option<Branch> = None;
                    for state in states {
                        let mut one = Branch { state, ..branch.clone() };
                        if self.goes_on(&mut one, before.len(), decides)
                            && let Some(other) = next.replace(one)
                        {
                            self.wait(other);
                        }
                    }
                    match next {
                        Some(one) => self.wait(one),
                        None => self.paths += 1,
                    }
                    return Ok(());
                }
            }
        }
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
        branch.arrive(&shape, new.is_empty(), self.sym.terms.len());
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
        let around = branch.at_exit(&shape).filter(|one| one.entry.is_none());
        around.map(|one| (func, one.id)).filter(|key| !self.undecided.contains(key)).collect()
    }

    /// Loops turn out not to be decided by constants. Where one of them should have been abstracted, everything begins again:
    /// paths may have met since. That is at most once for each loop.
    fn has_decided(&mut self, exits: Vec<LoopKey>) -> bool {
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
            self.recursive = Some(func);
        }
    }

    /// Looks at what the last step may have met.
    fn targets(&mut self, branch: &Branch, before: &plumb_sym::Path, lists: Lists) -> Result<Hit, Stop> {
        let mut met: Vec<(Target, TermId)> = Vec::new();
        let path = before.term();
        for at in lists.obligations..self.sym.obligations.len() {
            let obligation = self.sym.obligations[at];
            met.push((Target::Check(obligation.check), obligation.broken));
        }
        // What cannot be proved any more need not be asked.
        if self.obstacle.is_none() {
            let own = |target, list: &[TermId]| list.iter().map(|term| (target, *term)).collect::<Vec<_>>();
            met.extend(own(Target::Fault, &self.sym.faults[lists.faults..]));
            met.extend(own(Target::Gap, &self.sym.gaps[lists.gaps..]));
            met.extend(own(Target::Doubt, &self.sym.doubts[lists.doubts..]));
        }
        for (target, when) in met {
            let mut known = before.since(0);
            known.extend(branch.given.iter());
            let when = beyond(&self.sym.terms, when, path);
            if let Possible::Yes(_) = self.questions.is_possible(&mut self.sym, &known, &[when], branch.values.as_ref())
                && let Hit::Gone = self.hit(branch, target)?
            {
                return Ok(Hit::Gone);
            }
        }
        Ok(Hit::Goes)
    }

    /// A path seems to meet a target.
    fn hit(&mut self, branch: &Branch, target: Target) -> Result<Hit, Stop> {
        let signs = self.trails.list(branch.trail);
        let inputs = self.sym.inputs.len();
        let mut states = Vec::new();
        let plain = walk(&mut self.sym, &signs, branch.steps, target, &mut |_, state: &mut State, _, _| {
            states.push(state.clone());
        });
        if let End::Arrived(met) = plain.end {
            let mut conditions: Vec<TermId> = plain.conditions.iter().map(|(_, condition)| *condition).collect();
            conditions.push(met);
            match self.questions.ask(&mut self.sym, &conditions, None) {
                Outcome::Sat => return self.real(target, inputs),
                Outcome::Unsat => {}
                Outcome::Unknown(why) => {
                    self.obstacle.get_or_insert(why.into());
                    return Ok(Hit::Goes);
                }
            }
        }
        if branch.point.is_none() {
            // The question was about a part of the path only.
            return Ok(Hit::Goes);
        }
        let Some(mut refiner) = self.refiner.take() else { return Err(Stop::Abstract) };
        let spurious = Spurious { signs, steps: branch.steps, target, states };
        let refined = refiner.refine(self, &spurious);
        self.refiner = Some(refiner);
        self.refinements += 1;
        for entry in refined {
            if !self.points.entry(entry).is_gone {
                self.make_again(entry);
            }
        }
        if self.points.is_gone(branch.point) {
            return Ok(Hit::Gone);
        }
        // A counterexample that stays is no proof.
        self.obstacle.get_or_insert(WhyUnknown::Solver("an abstract counterexample cannot be excluded".to_string()));
        Ok(Hit::Goes)
    }

    /// A run meets the target.
    fn real(&mut self, target: Target, inputs: usize) -> Result<Hit, Stop> {
        let why = match target {
            Target::Check(check) if self.program.check(check).kind == CheckKind::Unsupported => {
                WhyUnknown::Unsupported(check)
            }
            Target::Check(check) if self.failures < MOST_FAILURES => {
                let Some(model) = self.questions.model() else { return Ok(Hit::Goes) };
                let claim = Violation { check, inputs: inputs_of(&self.sym, &self.sym.inputs[inputs..], model) };
                self.failures += 1;
                match realise(self.program, claim, self.budget) {
                    Ok(violation) => return Err(Stop::Violated(violation)),
                    Err(why) => why,
                }
            }
            Target::Check(_) => return Ok(Hit::Goes),
            Target::Fault | Target::Gap => WhyUnknown::Faults,
            Target::Doubt => WhyUnknown::Addresses,
        };
        self.obstacle.get_or_insert(why);
        Ok(Hit::Goes)
    }

    /// Removes what came of an entry, and begins there once more.
    fn make_again(&mut self, entry: EntryId) {
        let again = self.points.discard(entry);
        let points = &self.points;
        self.waiting.retain(|branch| !points.is_gone(branch.point));
        for branch in again {
            self.wait(Branch { is_at_head: true, ..(*branch).clone() });
        }
    }

    /// Whether a path comes to a loop that it is to enter abstractly.
    fn is_due(&mut self, branch: &Branch) -> bool {
        let Some(precision) = &self.precision else { return false };
        let func = branch.state.func();
        let Some(around) = branch.spots.last().and_then(|spot| spot.loops.last()) else { return false };
        let key = (func, around.id);
        branch.is_entering()
            && around.visits >= precision.threshold(key)
            && (around.visits > 0 || self.undecided.contains(&key))
            && !self.plain.contains(&key)
            && !self.shape(func).loops.get(key.1).irreducible
    }

    /// A path is at the head of a loop. Gives it back if it goes on as it is.
    fn at_head(&mut self, mut branch: Branch) -> Result<Option<Branch>, Stop> {
        let func = branch.state.func();
        let Some(around) = branch.head() else { return Ok(Some(branch)) };
        let (key, visits, entry) = ((func, around.id), around.visits, around.entry);
        self.deepest = self.deepest.max(visits);
        let is_known = entry.is_some() || visits == 0 || self.precision.is_none() || self.undecided.contains(&key);
        if !is_known && self.has_decided(vec![key]) {
            return Ok(None);
        }
        if self.is_due(&branch) {
            // Others may come.
            self.wait(branch);
            return Ok(None);
        }
        branch.is_at_head = false;
        if let Some(entry) = entry {
            self.visit(branch, entry, false)?;
            return Ok(None);
        }
        if self.precision.is_some() {
            self.note_concrete(key, &branch);
        }
        Ok(Some(branch))
    }

    fn note_concrete(&mut self, key: LoopKey, branch: &Branch) {
        if self.concrete.len() >= MOST_CONCRETE {
            self.more_concrete.insert(key);
            return;
        }
        let conditions = branch.conditions();
        self.concrete.push(Concrete { key, state: branch.state.clone(), conditions, point: branch.point });
    }

    /// Paths enter a loop abstractly.
    fn enter(&mut self, mut group: Vec<Branch>) -> Result<(), Stop> {
        let Some(key) = group.first_mut().and_then(|one| Some((one.state.func(), one.head()?.id))) else {
            return Ok(());
        };
        if group.len() > 1 && self.apart.contains(&key) {
            return group.into_iter().try_for_each(|one| self.enter(vec![one]));
        }
        let shape = self.shape(key.0);
        let mut joined: Option<State> = None;
        for branch in &mut group {
            branch.is_at_head = false;
            let mut state = branch.state.clone();
            for given in branch.given.iter() {
                state.path.push(*given, &mut self.sym.terms);
            }
            joined = Some(match joined {
                Some(other) => self.sym.join(other, state, &shape.live),
                None => state,
            });
        }
        let Some(mut state) = joined else { return Ok(()) };
        let program = self.program;
        let forgotten = self.changes.entry(key).or_insert_with(|| assigned(program, key));
        self.sym.forget(&mut state, forgotten);
        let forgotten = forgotten.clone();
        let all = self.precision.as_ref().map_or(Vec::new(), |p| p.predicates(key).to_vec());
        let (mut predicates, mut terms) = (Vec::new(), Vec::new());
        for predicate in all {
            if let Some(term) = self.vocabulary.at(&mut self.sym, predicate, &state) {
                predicates.push(predicate);
                terms.push(term);
            }
        }
        let arrivals: Vec<Arc<Branch>> = group.iter().cloned().map(Arc::new).collect();
        let visited = FxHashMap::default();
        let entry = Entry { key, arrivals, forgotten, state, predicates, terms, visited, is_gone: false };
        let entry = self.points.add_entry(entry);
        for mut branch in group {
            branch.head().into_iter().for_each(|around| around.entry = Some(entry));
            self.visit(branch, entry, true)?;
        }
        Ok(())
    }

    /// A path comes to the head of a loop that it has entered abstractly: for each of its abstract states that is new it goes
    /// on from there.
    fn visit(&mut self, branch: Branch, id: EntryId, is_arrival: bool) -> Result<(), Stop> {
        if self.points.entry(id).is_gone {
            return Ok(());
        }
        let shape = self.shape(branch.state.func());
        let entry = self.points.entry(id);
        let key = entry.key;
        if !is_arrival {
            let mut changes = entry.forgotten.clone();
            match self.sym.note_changes(&entry.state, &branch.state, &shape.live, &mut changes) {
                Ok(false) => {}
                Ok(true) => {
                    self.changes.entry(key).or_default().merge(&changes);
                    self.make_again(id);
                    return Ok(());
                }
                Err(_) => {
                    self.plain.insert(key);
                    self.make_again(id);
                    return Ok(());
                }
            }
        }
        let predicates = self.points.entry(id).predicates.clone();
        let mut said = Vec::with_capacity(predicates.len());
        for predicate in predicates {
            let term = self.vocabulary.at(&mut self.sym, predicate, &branch.state);
            // Every state at the head has the parts that the entry's state has.
            said.push(term.unwrap_or(TermId::bool(false)));
        }
        let valuations = self.valuations(&branch.conditions(), &said)?;
        let branch = Arc::new(branch);
        for valuation in valuations {
            if let Some(visited) = self.points.entry_mut(id).visited.get_mut(&valuation) {
                visited.turned_away.push(branch.clone());
                continue;
            }
            let entry = self.points.entry(id);
            let (mut state, terms) = (entry.state.clone(), entry.terms.clone());
            let equations = entry.predicates.iter().zip(valuation.iter()).filter(|(_, holds)| **holds);
            for (predicate, _) in equations {
                let known = equation(&self.sym.terms, *predicate);
                if let Some((var, value)) = known.and_then(|(part, value)| {
                    let parts = self.vocabulary.parts(&mut self.sym, key.0, part)?;
                    let [(_, Held::Register(var))] = parts[..] else { return None };
                    entry.forgotten.registers.contains_key(&var).then_some((var, value))
                }) {
                    state.set_register(var, Value::of_term(value, &self.sym.terms));
                }
            }
            let point = self.points.add_point(id, branch.point);
            let given: Vec<TermId> = terms
                .iter()
                .zip(valuation.iter())
                .map(|(term, holds)| if *holds { *term } else { self.sym.terms.not(*term) })
                .filter(|term| *term != TermId::bool(true))
                .collect();
            let visited = Visited { point, turned_away: Vec::new() };
            self.points.entry_mut(id).visited.insert(valuation, visited);
            if given.contains(&TermId::bool(false)) {
                continue;
            }
            let trail = self.trails.add(branch.trail, Sign::Point(point, branch.steps));
            let (spots, steps, decisions) = (branch.spots.clone(), branch.steps, branch.decisions);
            let point = Some(point);
            self.wait(Branch {
                state,
                given: given.into(),
                spots,
                trail,
                decisions,
                steps,
                point,
                values: None,
                is_at_head: false,
            });
        }
        Ok(())
    }

    /// The valuations of terms under conditions that can hold.
    pub fn valuations(&mut self, conditions: &[TermId], terms: &[TermId]) -> Result<Vec<Box<[bool]>>, Stop> {
        // What is among the conditions need not be asked.
        let known: FxHashSet<TermId> = conditions.iter().copied().collect();
        let mut said = Vec::with_capacity(terms.len());
        for term in terms {
            let opposite = self.sym.terms.not(*term);
            said.push(match () {
                _ if known.contains(term) => TermId::bool(true),
                _ if known.contains(&opposite) => TermId::bool(false),
                _ => *term,
            });
        }
        let terms = &said[..];
        let constant: Option<Vec<bool>> = terms.iter().map(|term| self.sym.terms.as_bool(*term)).collect();
        if let Some(constant) = constant {
            return Ok(vec![constant.into()]);
        }
        let mut conditions = conditions.to_vec();
        let mut found: Vec<Box<[bool]>> = Vec::new();
        loop {
            match self.questions.ask(&mut self.sym, &conditions, None) {
                Outcome::Unsat => return Ok(found),
                Outcome::Unknown(why) => return Err(Stop::Unknown(why.into())),
                Outcome::Sat => {}
            }
            if found.len() >= MOST_VALUATIONS {
                let why = "a loop has too many abstract states".to_string();
                return Err(Stop::Unknown(WhyUnknown::Solver(why)));
            }
            let Some(model) = self.questions.model() else {
                let why = "the solver's model is none".to_string();
                return Err(Stop::Unknown(WhyUnknown::Solver(why)));
            };
            let mut evaluator = Evaluator::new(model);
            let valuation: Vec<bool> = terms.iter().map(|term| evaluator.holds(&self.sym.terms, *term)).collect();
            let mut other = TermId::bool(false);
            for (term, holds) in terms.iter().zip(&valuation) {
                let differs = if *holds { self.sym.terms.not(*term) } else { *term };
                other = self.sym.terms.or(other, differs);
            }
            found.push(valuation.into());
            conditions.push(other);
            self.look_at_budget()?;
        }
    }
}

/// The registers that a loop's own edges assign. What calls change, memory, and where pointers may point is seen when a turn
/// is over.
fn assigned(program: &Program, key: LoopKey) -> Changes {
    let function = program.function(key.0);
    let loops = Loops::of(function);
    let body = &loops.get(key.1).body;
    let mut changes = Changes::default();
    for edge in body.iter().flat_map(|loc| function.out_edges(*loc)).map(|edge| function.edge(edge)) {
        if let Some(var) = edge.op.written() {
            let ty = match var {
                VarRef::Global(var) => program.var(var).ty,
                VarRef::Local(var) => function.var(var).ty,
            };
            if ty != Ty::Ptr {
                changes.registers.entry(var).or_default();
            }
        }
    }
    changes
}

/// What a condition says beyond the path that it begins with.
pub fn beyond(terms: &Terms, condition: TermId, path: TermId) -> TermId {
    match terms.kind(condition) {
        Kind::Binary(BinaryOp::And, a, b) if a == path => b,
        Kind::Binary(BinaryOp::And, a, b) if b == path => a,
        _ => condition,
    }
}
