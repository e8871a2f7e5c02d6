//! The composition of the kernel with the abstract application, explored state by state.
//!
//! A state of the composition is a symbolic state at a cut. In it the kernel's variables, the places of all stacks and what the
//! precision keeps are constants; the rest is arbitrary. Its transitions are the feasible blocks that begin in it, each with the
//! kernel's part run to its end. Two states with the same canonical form have the same transitions, so that each is
//! explored once. Refinement bases are composed by what of their traces a state has behind it ([`super::refinement_base`]).
//!
//! **Soundness.** Every run of the program up to a cut is a run of the composition: a block is followed by the symbolic semantics, a
//! cut only forgets, and a refinement base removes transitions that no run takes. An exploration without an alarm has met
//! no feasible violation, fault or gap.

use super::blocks::{Blocks, Cut};
use super::fairness::{Guard, is_given_anew};
use super::partition::{Class, Partition};
use super::precision::{Level, Precision};
use super::refinement_base::{Progress, RefinementBase};
use super::termination::TerminatingLoops;
use super::tuning::TUNING;
use crate::answer::WhyUnknown;
use crate::budget::Budget;
use crate::query::QuerySolver;
use plumb_ir::analysis::Analyses;
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::index::TiVec;
use plumb_ir::program::{FuncId, Loc, Op};
use plumb_ir::ty::Bits;
use plumb_solve::{Outcome, ValueSets};
use plumb_sym::{Assumed, CanonicalForm, Fate, Next, Path, State, StateCell, Sym, Value};
use plumb_term::TermId;
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct NodeId(pub u32);

plumb_ir::index::index_types!(NodeId);

/// The path through a block: which of the states that a step split into was followed, each time.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Trail {
    pub choices: Vec<u16>,
    pub steps: u32,
}

/// What a monitor of a response property says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ResponseEvent {
    Request,
    Response,
}

pub(super) struct Transition {
    pub from: NodeId,
    pub to: NodeId,
    pub trail: Trail,
    /// On what it depends whether the environment can take it.
    pub guard: Guard,
    /// The watched request was answered in the block.
    pub is_answered: bool,
    /// An interrupt occurs in the block at a point where the task touches nothing that others see.
    pub is_unfair_interrupt: bool,
}

pub(super) struct Node {
    pub state: State,
    pub form: Arc<CanonicalForm>,
    /// The transition by which it was reached first; none for the initial state.
    pub reached_by: Option<usize>,
    /// A request is open.
    pub is_pending: bool,
    pub progress: Progress,
}

/// What may go wrong in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    Check(CheckId),
    Fault(Assumed),
    /// Something that is not modelled.
    Gap,
}

/// A block in which something may go wrong, from a state on.
pub(super) struct Alarm {
    pub from: NodeId,
    /// Up to and with the step in which it happens.
    pub trail: Trail,
    pub failure: Failure,
    /// In the abstract state.
    pub when: TermId,
}

/// Everything that explorations share.
pub(super) struct Job<'j> {
    pub analyses: &'j Analyses,
    pub blocks: &'j Blocks,
    pub terminating: &'j TerminatingLoops,
    pub budget: &'j Budget,
}

/// Everything that outlives one exploration: terms, the solver, and what symbols stand for.
pub(super) struct Workspace<'p> {
    pub sym: Sym<'p>,
    pub queries: QuerySolver,
    pub precision: Precision,
    /// Scalars that symbols stand for since a cut.
    pub cells: FxHashMap<TermId, StateCell>,
    pub steps: u64,
    pub values: ValueSets,
    /// Cuts before visible statements forget something in this exploration.
    pub cuts_statements: bool,
    /// Queries that the solver was asked.
    pub asked: u64,
}

/// Whether some run takes a path. One that the solver does not decide is explored, and nobody may rely on its being taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Feasibility {
    Feasible,
    Infeasible,
    Undecided,
}

pub(super) enum Explored {
    Done,
    /// There are states that have not been explored.
    Paused,
    Alarm(Alarm),
    GaveUp(WhyUnknown),
}

#[derive(Default)]
pub(super) struct Composition {
    pub nodes: TiVec<NodeId, Node>,
    pub transitions: Vec<Transition>,
    /// States whose blocks have not been followed.
    open: VecDeque<NodeId>,
    index: FxHashMap<(Arc<CanonicalForm>, bool, Progress), NodeId>,
}

/// A block with the classes that were chosen for the values of tracked variables so far.
type Chosen = (Vec<Class>, Walk);

/// A block that is being followed.
#[derive(Clone)]
struct Walk {
    state: State,
    trail: Trail,
    is_pending: bool,
    is_answered: bool,
    is_unfair_interrupt: bool,
    /// Values that the environment gave in the block.
    given: Vec<TermId>,
    /// What the block decided, once it has ended.
    decided: Vec<TermId>,
    /// The solver did not find out whether any run takes it.
    is_undecided: bool,
    /// Conditions of the path when it began.
    path_len: u32,
    /// Heads of loops of the kernel that it has passed: the stack, how deep in calls, and the place.
    passed: Vec<(u32, usize, FuncId, Loc)>,
}

impl Walk {
    fn from(state: State, is_pending: bool) -> Walk {
        Walk {
            path_len: state.path.len(),
            passed: vec![(state.current_stack(), state.depth(), state.func(), state.loc)],
            state,
            trail: Trail::default(),
            is_pending,
            is_answered: false,
            is_unfair_interrupt: false,
            given: Vec::new(),
            decided: Vec::new(),
            is_undecided: false,
        }
    }
}

impl Composition {
    /// The initial state, not explored yet.
    pub fn start(job: &Job, work: &mut Workspace, bases: &[RefinementBase]) -> Composition {
        let mut composition = Composition::default();
        work.cuts_statements = work.precision.forgets_visible(job.blocks);
        let mut start = work.sym.start();
        work.forget(job, &mut start, Cut::Statement);
        let first = (Walk::from(start, false), Progress::default());
        let first = composition.add(job, work, None, bases, first);
        composition.open.extend(first);
        composition
    }

    /// Explores everything, or up to the first alarm, or until there are so many states.
    pub fn explore(&mut self, job: &Job, work: &mut Workspace, bases: &[RefinementBase], most: usize) -> Explored {
        while let Some(node) = self.open.pop_front() {
            if job.budget.is_over() || job.budget.is_full(0) {
                return Explored::GaveUp(job.budget.why_stopped());
            }
            match self.expand(job, work, node, bases) {
                Ok(new) => self.open.extend(new),
                Err(stop) => return stop,
            }
            if self.nodes.len() >= most {
                return Explored::Paused;
            }
        }
        Explored::Done
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// The transitions from the initial state to a node, along which it was reached first.
    pub fn path_to(&self, node: NodeId) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = node;
        while let Some(transition) = self.node(at).reached_by {
            path.push(transition);
            at = self.transitions[transition].from;
        }
        path.reverse();
        path
    }

    /// All blocks that begin in a state. The states that are new.
    fn expand(
        &mut self,
        job: &Job,
        work: &mut Workspace,
        from: NodeId,
        bases: &[RefinementBase],
    ) -> Result<Vec<NodeId>, Explored> {
        let node = self.node(from);
        let mut open = vec![Walk::from(node.state.clone(), node.is_pending)];
        let mut new = Vec::new();
        while let Some(mut walk) = open.pop() {
            match work.follow(job, &mut walk, &mut open).map_err(|stop| stop.at(from))? {
                None => {}
                Some(cut) => {
                    match work.feasibility(job, &walk.state.path).map_err(Explored::GaveUp)? {
                        Feasibility::Infeasible => continue,
                        found => walk.is_undecided = found == Feasibility::Undecided,
                    }
                    for mut case in work.cases(job, walk, cut).map_err(Explored::GaveUp)? {
                        let progress = self.node(from).progress.clone();
                        case.state.fault = TermId::bool(false);
                        new.extend(self.add(job, work, Some(from), bases, (case, progress)));
                    }
                }
            }
        }
        Ok(new)
    }

    /// Adds the end of a block, and the transition that leads there unless a refinement base removes it. The state, if it is new.
    fn add(
        &mut self,
        job: &Job,
        work: &mut Workspace,
        from: Option<NodeId>,
        bases: &[RefinementBase],
        (walk, progress): (Walk, Progress),
    ) -> Option<NodeId> {
        let depth = walk.state.depth();
        let form = Arc::new(work.sym.canonical(job.analyses, &walk.state, depth).form);
        let progress = progress.after(bases, &walk.trail, &form)?;
        let key = (form.clone(), walk.is_pending, progress.clone());
        let next = self.nodes.next_key();
        let to = *self.index.entry(key).or_insert(next);
        let transition = from.map(|from| {
            let before = &self.nodes[from].state.path;
            let guard = work.guard(before, &walk.given, &walk.decided, walk.is_undecided);
            self.transitions.push(Transition {
                from,
                to,
                guard,
                is_answered: walk.is_answered,
                is_unfair_interrupt: walk.is_unfair_interrupt,
                trail: walk.trail.clone(),
            });
            self.transitions.len() - 1
        });
        if to != next {
            return None;
        }
        let state = walk.state;
        self.nodes.push(Node { state, form, reached_by: transition, is_pending: walk.is_pending, progress });
        Some(to)
    }
}

/// Why a block is not followed to its end.
enum Stop {
    Alarm(Trail, Failure, TermId),
    GaveUp(WhyUnknown),
}

impl Stop {
    fn at(self, from: NodeId) -> Explored {
        match self {
            Stop::Alarm(trail, failure, when) => Explored::Alarm(Alarm { from, trail, failure, when }),
            Stop::GaveUp(why) => Explored::GaveUp(why),
        }
    }
}

impl<'p> Workspace<'p> {
    /// Follows a block to the next cut, which is returned; none if the run ends. Other paths are left open.
    fn follow(&mut self, job: &Job, walk: &mut Walk, open: &mut Vec<Walk>) -> Result<Option<Cut>, Stop> {
        loop {
            let cut = job.blocks.cut_at(walk.state.func(), walk.state.loc);
            let is_long = walk.trail.steps > TUNING.longest_block;
            match cut {
                Cut::Loop if walk.trail.steps > 0 => return Ok(Some(cut)),
                Cut::Statement if walk.trail.steps > 0 && self.cuts_statements => return Ok(Some(cut)),
                Cut::InnerLoop if is_long => return Ok(Some(Cut::Loop)),
                Cut::KernelLoop | Cut::Point if walk.trail.steps > 0 => {
                    let head = (walk.state.current_stack(), walk.state.depth(), walk.state.func(), walk.state.loc);
                    if is_long || walk.passed.contains(&head) {
                        return Ok(Some(Cut::Loop));
                    }
                    if cut == Cut::Point {
                        return Ok(Some(Cut::Statement));
                    }
                    walk.passed.push(head);
                }
                Cut::None | Cut::InnerLoop | Cut::KernelLoop | Cut::Point | Cut::Statement | Cut::Loop => {}
            }
            self.observe(walk);
            if job.blocks.begins_handler(walk.state.func(), walk.state.loc) {
                walk.is_unfair_interrupt |= job.blocks.is_at_private_point(&walk.state.call_stack());
            }
            if walk.trail.steps % 1024 == 1023 && job.budget.is_over() {
                return Err(Stop::GaveUp(job.budget.why_stopped()));
            }
            let step = self.sym.step(&mut walk.state);
            walk.trail.steps += 1;
            self.steps += 1;
            for input in &step.log.inputs {
                let origin = &job.analyses.program().input(input.id).origin;
                if let (plumb_sym::Given::Scalar(term, _), true) = (&input.given, is_given_anew(origin)) {
                    walk.given.push(*term);
                }
            }
            if !step.log.has_no_target() {
                self.judge(job, walk, &step.log)?;
            }
            match step.next {
                Next::Moved => {}
                Next::Ended => return Ok(None),
                Next::Split(states) => {
                    let before = walk.clone();
                    for (number, state) in states.into_iter().enumerate().rev() {
                        let mut trail = before.trail.clone();
                        trail.choices.push(number as u16);
                        let other = Walk { state, trail, ..before.clone() };
                        match number {
                            0 => *walk = other,
                            _ => open.push(other),
                        }
                    }
                }
            }
        }
    }

    /// What monitors say at the edge that is taken next.
    fn observe(&self, walk: &mut Walk) {
        match response_event(&self.sym, &walk.state) {
            Some(ResponseEvent::Request) => walk.is_pending = true,
            Some(ResponseEvent::Response) => {
                walk.is_answered |= walk.is_pending;
                walk.is_pending = false;
            }
            None => {}
        }
    }

    /// Whether something can go wrong in a step.
    fn judge(&mut self, job: &Job, walk: &Walk, log: &plumb_sym::EventLog) -> Result<(), Stop> {
        let checks = log.obligations.iter().map(|o| (Failure::Check(o.check), o.broken));
        let faults = log.faults.iter().map(|fault| (Failure::Fault(Assumed::of(fault)), fault.when));
        let gaps = log.unknowns().map(|when| (Failure::Gap, when));
        for (failure, when) in checks.chain(faults).chain(gaps).collect::<Vec<_>>() {
            match self.ask(job, &[when], TUNING.trace_conflicts) {
                Outcome::Unsat => {}
                Outcome::Sat => return Err(Stop::Alarm(walk.trail.clone(), failure, when)),
                Outcome::Unknown(why) => return Err(Stop::GaveUp(why.into())),
            }
        }
        Ok(())
    }

    /// Whether a condition can hold.
    fn feasibility(&mut self, job: &Job, path: &Path) -> Result<Feasibility, WhyUnknown> {
        let condition = path.term();
        let known = self.sym.terms.as_bool(condition).or_else(|| self.is_feasible_by_symbol(path));
        if let Some(value) = known {
            return Ok(if value { Feasibility::Feasible } else { Feasibility::Infeasible });
        }
        match self.ask(job, &[condition], TUNING.block_conflicts) {
            Outcome::Unsat => Ok(Feasibility::Infeasible),
            Outcome::Sat => Ok(Feasibility::Feasible),
            Outcome::Unknown(_) if job.budget.is_over() => Err(job.budget.why_stopped()),
            Outcome::Unknown(_) => Ok(Feasibility::Undecided),
        }
    }

    /// The same where each condition of a path is about one number: these do not depend on each other.
    fn is_feasible_by_symbol(&mut self, path: &Path) -> Option<bool> {
        let mut by_symbol: FxHashMap<plumb_term::SymbolId, Vec<TermId>> = FxHashMap::default();
        for condition in path.since(0) {
            let (symbol, _) = self.values.of(&self.sym.terms, condition)?;
            by_symbol.entry(symbol).or_default().push(condition);
        }
        let terms = &self.sym.terms;
        let mut is_feasible = true;
        for conditions in by_symbol.values() {
            is_feasible &= self.values.decide(terms, conditions)?.is_some();
        }
        Some(is_feasible)
    }

    /// Asks the solver. A solver that has seen much is slow about little: it is replaced now and then.
    pub fn ask(&mut self, job: &Job, conditions: &[TermId], conflicts: u64) -> Outcome {
        self.asked += 1;
        if self.asked.is_multiple_of(TUNING.solver_queries) {
            self.queries = QuerySolver::default();
        }
        self.queries.check(&mut self.sym, conditions, Some(conflicts), job.budget)
    }

    /// Whether a condition on numbers follows from those of a path.
    pub fn is_implied(&mut self, path: &Path, condition: TermId) -> bool {
        let mut contrary = path.clone();
        let not = self.sym.terms.not(condition);
        contrary.push(not, &mut self.sym.terms);
        contrary.is_impossible() || self.is_feasible_by_symbol(&contrary) == Some(false)
    }

    /// Forgets what the precision does not keep.
    fn forget(&mut self, job: &Job, state: &mut State, cut: Cut) {
        let place = place_of(state);
        let precision = &mut self.precision;
        let forgotten =
            self.sym.forget_scalars(state, &mut |cell, value| fate(precision, job.blocks, (place, cut), cell, value));
        self.cells.extend(forgotten.into_iter().map(|(cell, symbol, _)| (symbol, cell)));
    }

    /// The states into which a cut splits the end of a block: by the constants that the precision tells variables apart by.
    fn cases(&mut self, job: &Job, walk: Walk, cut: Cut) -> Result<Vec<Walk>, WhyUnknown> {
        let mut open: Vec<(Value, Partition)> = Vec::new();
        let precision = &self.precision;
        if precision.has_cases() {
            let mut state = walk.state.clone();
            self.sym.forget_scalars(&mut state, &mut |cell, value| {
                if let (Some(partition), None) = (precision.partition(cell), value.as_const()) {
                    open.push((value.clone(), partition.clone()));
                }
                Fate::Keep
            });
        }
        let mut cases: Vec<Chosen> = vec![(Vec::new(), walk)];
        for (value, partition) in &open {
            let mut split = Vec::new();
            for (chosen, walk) in cases {
                split.extend(self.split(job, (chosen, walk), value, partition)?);
            }
            cases = split;
            if cases.len() > TUNING.most_cases {
                return Err(WhyUnknown::GaveUp("a block ends in too many cases".to_string()));
            }
        }
        let mut ends = Vec::new();
        for (chosen, mut walk) in cases {
            let place = place_of(&walk.state);
            let precision = &mut self.precision;
            let mut chosen = chosen.into_iter();
            // Of each scalar that is forgotten, if it has been split by classes.
            let mut classes: Vec<Option<Class>> = Vec::new();
            let forgotten = self.sym.forget_scalars(&mut walk.state, &mut |cell, value| {
                let class = match value.as_const().is_none() && precision.partition(cell).is_some() {
                    true => chosen.next(),
                    false => None,
                };
                let fate = match &class {
                    Some(Class::Constant(constant)) => Fate::Become(Bits::new(*constant, 128)),
                    Some(_) => Fate::Forget,
                    None => fate(precision, job.blocks, (place, cut), cell, value),
                };
                if fate == Fate::Forget {
                    classes.push(class);
                }
                fate
            });
            walk.decided = walk.state.path.since(walk.path_len);
            if !self.precision.keeps_paths || cut == Cut::Loop {
                walk.state.path = Default::default();
            }
            for ((cell, symbol, value), class) in forgotten.into_iter().zip(classes) {
                self.cells.insert(symbol, cell);
                let Some(partition) = self.precision.partition(cell).cloned() else { continue };
                let class = match (class, value.as_const(), self.sym.terms.sort(symbol)) {
                    (Some(class), ..) => class,
                    (None, Some(bits), plumb_term::Sort::Bv(width)) => partition.class_of(bits, width),
                    (None, Some(_), _) => Class::Others,
                    (None, None, _) => Class::Any,
                };
                let is_in = self.is_in(symbol, &class, &partition);
                walk.state.path.push(is_in, &mut self.sym.terms);
            }
            ends.push(walk);
        }
        Ok(ends)
    }

    /// One case for each class that a value can be in.
    fn split(
        &mut self,
        job: &Job,
        (chosen, walk): Chosen,
        value: &Value,
        partition: &Partition,
    ) -> Result<Vec<Chosen>, WhyUnknown> {
        let Value::Term(term) = value else { return Ok(vec![(with(&chosen, Class::Any), walk)]) };
        let classes = match self.sym.terms.sort(*term) {
            plumb_term::Sort::Bv(width) => partition.classes(width),
            _ => partition.unordered().classes(1),
        };
        let mut cases = Vec::new();
        for class in classes {
            let is_in = self.is_in(*term, &class, partition);
            let mut case = walk.clone();
            case.state.path.push(is_in, &mut self.sym.terms);
            let found = self.feasibility(job, &case.state.path)?;
            if found != Feasibility::Infeasible {
                case.is_undecided = found == Feasibility::Undecided;
                cases.push((with(&chosen, class), case));
            }
        }
        Ok(cases)
    }

    /// That a term is in a class.
    fn is_in(&mut self, term: TermId, class: &Class, partition: &Partition) -> TermId {
        match class {
            Class::Any => TermId::bool(true),
            Class::Constant(constant) => self.equals(term, *constant).unwrap_or(TermId::bool(false)),
            Class::Others => {
                let mut others = TermId::bool(true);
                for constant in partition.constants() {
                    if let Some(same) = self.equals(term, constant) {
                        let differs = self.sym.terms.not(same);
                        others = self.sym.terms.and(others, differs);
                    }
                }
                others
            }
            Class::Between(low, high) => {
                let plumb_term::Sort::Bv(width) = self.sym.terms.sort(term) else { return TermId::bool(true) };
                let terms = &mut self.sym.terms;
                let above = low.map_or(TermId::bool(true), |low| {
                    let low = terms.bv_signed(width, low);
                    terms.bv_slt(low, term)
                });
                let below = high.map_or(TermId::bool(true), |high| {
                    let high = terms.bv_signed(width, high);
                    terms.bv_slt(term, high)
                });
                terms.and(above, below)
            }
        }
    }

    /// That a term is a constant; none where the constant is not of its sort.
    fn equals(&mut self, term: TermId, constant: u128) -> Option<TermId> {
        match self.sym.terms.sort(term) {
            plumb_term::Sort::Bool => {
                let not = self.sym.terms.not(term);
                Some(if constant == 0 { not } else { term })
            }
            plumb_term::Sort::Bv(width) if width >= 128 || constant >> width == 0 => {
                let constant = self.sym.terms.bv(width, constant);
                Some(self.sym.terms.eq(term, constant))
            }
            _ => None,
        }
    }
}

fn with(chosen: &[Class], next: Class) -> Vec<Class> {
    chosen.iter().cloned().chain([next]).collect()
}

/// What happens to a scalar that is not distinguished by constants.
fn fate(precision: &mut Precision, blocks: &Blocks, (place, cut): (u64, Cut), cell: StateCell, value: &Value) -> Fate {
    match (value.as_const(), precision.level(blocks, cell)) {
        (_, Level::Forgotten) => Fate::Forget,
        (Some(_), Level::Exact) => Fate::Keep,
        (Some(bits), Level::Classes(set)) if set.has_constant(bits.u128()) => Fate::Keep,
        (Some(_), Level::Classes(_)) => Fate::Forget,
        (Some(bits), Level::Values | Level::Cases(_)) => {
            if cut != Cut::Loop || precision.admits(blocks, place, cell, bits) { Fate::Keep } else { Fate::Forget }
        }
        // Up to the next loop head, what no other task sees stays as it is.
        (None, _) => match cell {
            StateCell::Local(..) | StateCell::Memory(..) if cut != Cut::Loop => Fate::Keep,
            _ => Fate::Forget,
        },
    }
}

/// Where all stacks are.
fn place_of(state: &State) -> u64 {
    let mut hasher = FxHasher::default();
    state.current_stack().hash(&mut hasher);
    state.pending_locations().hash(&mut hasher);
    hasher.finish()
}

/// What the edge that a state takes next says to monitors.
pub(super) fn response_event(sym: &Sym, state: &State) -> Option<ResponseEvent> {
    let function = sym.program.function(state.func());
    let mut edges = function.out_edges(state.loc);
    let edge = edges.next()?;
    let Op::Check { check, .. } = &function.edge(edge).op else { return None };
    match sym.program.check(*check).kind {
        CheckKind::Request => Some(ResponseEvent::Request),
        CheckKind::Response => Some(ResponseEvent::Response),
        _ => None,
    }
}
