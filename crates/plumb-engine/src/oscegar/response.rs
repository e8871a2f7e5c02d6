//! Requests that are never answered (property P1 of the paper): lassos of the composition.
//!
//! A request is open from its check edge to the next answer; whether one is, is part of a state. A run violates the property if from
//! some moment on a request stays open for ever. The environment is *fair*: what it may do again and again it does again and
//! again. So the states that such a run passes infinitely often are a strongly connected set that every transition which the environment
//! alone decides about stays in, and that is no part of a loop which is known to end ([`super::termination`]). The others rest on variables that the abstraction has forgotten, and may be avoided.
//!
//! **Soundness.** Without such a set the property holds: the infinitely repeated states of a violating run are one. If all transitions
//! stay in the set, every run that comes there violates it, and a lasso through it is the claim, which is replayed: its state
//! repeats, and the request is open. If some leave it, they depend on forgotten variables, which are tracked.
//!
//! Fairness guarantees interrupts where a task has touched something that others see or called the kernel, and while the system idles. A task that
//! computes for ever without any of that starves the rest: an interrupt may occur there, and may never.

use super::composition::{Composition, Job, NodeId, Trail, Transition, Workspace};
use super::mini_os::{Executable, Trace};
use super::tuning::TUNING;
use super::{Cegar, Verdict};
use crate::answer::{Answer, Violation, WhyUnknown};
use crate::replay::realise::Realiser;
use plumb_ir::analysis::graph::Graph;
use plumb_ir::check::{CheckId, CheckKind};
use plumb_ir::index::{TiSlice, TiVec};
use plumb_ir::program::{FuncId, Loc};
use plumb_solve::{Outcome, Solver};
use plumb_sym::{Given, Input, Next, State, inputs_of};
use plumb_term::TermId;
use std::collections::{BTreeSet, VecDeque};

/// States in which a request can stay open for ever, in a fair environment.
struct Unanswered {
    states: BTreeSet<NodeId>,
    /// Transitions that leave them, if forgotten variables have the values for it.
    exits: Vec<usize>,
    /// They rest on interrupts that fairness does not guarantee.
    with_unfair_interrupts: bool,
}

impl Cegar<'_> {
    /// The same of the part of the composition that has been explored. Only a run that violates the property says anything.
    pub(super) fn response_so_far(&mut self, job: &Job, composition: &Composition) -> Option<Verdict> {
        let request = request(job)?;
        let endless = endless(job, &mut self.work, composition)?;
        match self.lasso(job, composition, &endless, request) {
            Verdict::Answer(Answer::Unknown(_)) => None,
            verdict => Some(verdict),
        }
    }

    /// Whether a request can stay open for ever; none if every one is answered.
    pub(super) fn response(&mut self, job: &Job, composition: &Composition) -> Option<Verdict> {
        let request = request(job)?;
        let endless = endless(job, &mut self.work, composition);
        let found = match endless {
            Some(found) => found,
            None => unanswered(job, &mut self.work, composition, true)?,
        };
        if !found.exits.is_empty() {
            self.refinements.count += 1;
            return Some(match self.refinements.track_exits(job, &mut self.work, composition, &found.exits) {
                true => Verdict::Spurious,
                false => Verdict::Answer(self.unknown(WhyUnknown::NotRefined(self.refinements.count))),
            });
        }
        Some(self.lasso(job, composition, &found, request))
    }

    /// Goes around a loop of the states, ever more often, until a concrete state repeats.
    fn lasso(&mut self, job: &Job, composition: &Composition, found: &Unanswered, request: CheckId) -> Verdict {
        let first = *found.states.first().expect("a component has a state");
        let stem = composition.path_to(first);
        let round = cycle(composition, &found.states, first, found.with_unfair_interrupts);
        let mut why = WhyUnknown::NotReplayed(request, None);
        for rounds in 1..=TUNING.most_rounds {
            let mut transitions = stem.clone();
            (0..rounds).for_each(|_| transitions.extend(&round));
            let trace = Trace::along(composition, &transitions);
            match self.work.execute(job, composition, &trace, None) {
                Executable::Unknown(reason) => return Verdict::Answer(self.unknown(reason)),
                Executable::No { block } => {
                    let has_learned = self.refinements.exclude(job, &mut self.work, composition, &trace, block, None);
                    return match has_learned {
                        true => Verdict::Spurious,
                        false => Verdict::Answer(self.unknown(WhyUnknown::NotRefined(self.refinements.count))),
                    };
                }
                Executable::Yes { inputs, asked, when } => {
                    let ends: Vec<usize> = (0..=rounds)
                        .map(|n| (stem.len() + n * round.len()).checked_sub(1).map_or(0, |block| asked[block]))
                        .collect();
                    match self.claim(job, request, (&inputs, &ends), when) {
                        Ok(violation) => return Verdict::Answer(Answer::Violated(violation)),
                        Err(reason) => why = reason,
                    }
                }
            }
        }
        Verdict::Answer(self.unknown(why))
    }

    /// A model in which all rounds have the same inputs, as a run.
    fn claim(
        &mut self,
        job: &Job,
        request: CheckId,
        (inputs, ends): (&[Input], &[usize]),
        when: TermId,
    ) -> Result<Violation, WhyUnknown> {
        let mut conditions = vec![when];
        for pair in ends.windows(3) {
            let [before, between, after] = [pair[0], pair[1], pair[2]];
            for (one, next) in inputs[before..between].iter().zip(&inputs[between..after]) {
                if let (Given::Scalar(a, _), Given::Scalar(b, _)) = (&one.given, &next.given)
                    && self.work.sym.terms.sort(*a) == self.work.sym.terms.sort(*b)
                {
                    conditions.push(self.work.sym.terms.eq(*a, *b));
                }
            }
        }
        if self.work.ask(job, &conditions, TUNING.trace_conflicts) != Outcome::Sat {
            match self.work.ask(job, &[when], TUNING.trace_conflicts) {
                Outcome::Sat => {}
                Outcome::Unsat | Outcome::Unknown(_) => return Err(WhyUnknown::NotReplayed(request, None)),
            }
        }
        let model = self.work.queries.solver.model();
        let model = model.ok_or_else(WhyUnknown::no_model)?;
        let claim = Violation { check: request, inputs: inputs_of(&self.work.sym, inputs, model) };
        Realiser::new(job.analyses.program()).realise(&claim, job.budget)
    }
}

/// The check that says that somebody waits for an answer.
fn request(job: &Job) -> Option<CheckId> {
    let mut checks = job.analyses.program().checks.iter_enumerated();
    checks.find(|(_, check)| check.kind == CheckKind::Request).map(|(request, _)| request)
}

/// Strongly connected states that no run leaves unless an interrupt occurs that fairness does not guarantee. Unexplored transitions
/// leave them as well.
fn endless(job: &Job, work: &mut Workspace, composition: &Composition) -> Option<Unanswered> {
    unanswered(job, work, composition, false).filter(|found| found.exits.is_empty())
}

/// The first states of that kind, if there are any: those with the fewest exits first.
/// With unfair interrupts, transitions in which one occurs may be taken or not; without them they are not taken.
fn unanswered(
    job: &Job,
    work: &mut Workspace,
    composition: &Composition,
    with_unfair_interrupts: bool,
) -> Option<Unanswered> {
    let len = composition.nodes.len();
    let mut alive: TiVec<NodeId, bool> = composition.nodes.iter().map(|node| node.is_pending).collect();
    let may_be_taken = |t: &Transition| with_unfair_interrupts || !t.is_unfair_interrupt;
    let stays = |t: &Transition, alive: &TiSlice<NodeId, bool>| {
        !t.is_answered && may_be_taken(t) && alive[t.from] && alive[t.to]
    };
    let mut leaving: TiVec<NodeId, Vec<usize>> = vec![Vec::new(); len].into();
    for (at, transition) in composition.transitions.iter().enumerate() {
        leaving[transition.from].push(at);
    }
    loop {
        let edges: Vec<(u32, u32)> =
            composition.transitions.iter().filter(|t| stays(t, &alive)).map(|t| (t.from.0, t.to.0)).collect();
        let graph = Graph::new(len, &edges);
        let nodes: Vec<u32> = (0..len as u32).filter(|node| alive[NodeId(*node)]).collect();
        let components = graph.components(&nodes, |node| alive[NodeId(node)]);
        let mut found: Vec<Unanswered> = Vec::new();
        let mut has_changed = false;
        for component in components {
            let states: BTreeSet<NodeId> = component.iter().map(|node| NodeId(*node)).collect();
            let is_inside = |t: &Transition| !t.is_answered && may_be_taken(t) && states.contains(&t.to);
            let all = || component.iter().flat_map(|node| &leaving[NodeId(*node)]).copied();
            let has_cycle = all().any(|at| is_inside(&composition.transitions[at]));
            let mut exits = Vec::new();
            for node in &component {
                let is_exit = |t: &Transition| !is_inside(t) && !t.is_unfair_interrupt;
                let outside = leaving[NodeId(*node)].iter().filter(|at| is_exit(&composition.transitions[**at]));
                let outside: Vec<usize> = outside.copied().collect();
                let mut is_left = || {
                    let before = &composition.node(NodeId(*node)).state.path;
                    let outside: Vec<&Transition> = outside.iter().map(|at| &composition.transitions[*at]).collect();
                    work.can_always_take_one(job, before, &outside)
                };
                if !has_cycle || is_left() {
                    alive[NodeId(*node)] = false;
                    has_changed = true;
                }
                exits.extend(outside);
            }
            let inside: Vec<usize> = all().filter(|at| is_inside(&composition.transitions[*at])).collect();
            if has_cycle && work.is_in_ending_loop(job, composition, &component, &inside) {
                has_changed = true;
                component.iter().for_each(|node| alive[NodeId(*node)] = false);
            }
            found.push(Unanswered { states, exits, with_unfair_interrupts });
        }
        if !has_changed {
            return found.into_iter().min_by_key(|one| (one.exits.len(), one.states.first().copied()));
        }
    }
}

impl Workspace<'_> {
    /// Whether no run stays in a component for ever, since all of it lies in one loop of one activation that is known to end: what goes
    /// around that loop passes its head. What does not pass it, an inner loop or a call that does not return, must end by itself.
    fn is_in_ending_loop(&mut self, job: &Job, composition: &Composition, component: &[u32], inside: &[usize]) -> bool {
        let state = |node: u32| &composition.node(NodeId(node)).state;
        let Some(first) = component.first().map(|node| state(*node)) else { return false };
        let stack = first.current_stack();
        (1..=first.depth()).any(|depth| {
            let frame = |state: &State| (state.current_stack() == stack).then(|| frame_at(state, depth)).flatten();
            let Some((func, _)) = frame(first) else { return false };
            let loops = job.terminating.loops_of(func);
            loops.into_iter().any(|head| {
                let is_in = |state: &State| {
                    frame(state).is_some_and(|(other, loc)| other == func && job.terminating.is_in(func, head, loc))
                };
                // A call that goes on at the head is not there before it returns.
                let is_head = |state: &State| state.depth() == depth && state.loc == head;
                if !component.iter().all(|node| is_in(state(*node))) {
                    return false;
                }
                let mut others = Vec::new();
                for at in inside {
                    let transition = &composition.transitions[*at];
                    match self.passes(state(transition.from.0).clone(), &transition.trail, &is_in, &is_head) {
                        Passes::Head => {}
                        Passes::Inside => others.push(*at),
                        Passes::Outside => return false,
                    }
                }
                others.len() < inside.len() && self.all_end(job, composition, component, &others)
            })
        })
    }

    /// Whether no run stays among some states by some transitions for ever.
    fn all_end(&mut self, job: &Job, composition: &Composition, states: &[u32], transitions: &[usize]) -> bool {
        let edge = |at: &usize| (composition.transitions[*at].from.0, composition.transitions[*at].to.0);
        let edges: Vec<(u32, u32)> = transitions.iter().map(edge).collect();
        let graph = Graph::new(composition.nodes.len(), &edges);
        let are_among: BTreeSet<u32> = states.iter().copied().collect();
        graph.components(states, |node| are_among.contains(&node)).into_iter().all(|component| {
            let nodes: BTreeSet<u32> = component.iter().copied().collect();
            let is_inside = |at: &usize| nodes.contains(&edge(at).0) && nodes.contains(&edge(at).1);
            let inside: Vec<usize> = transitions.iter().copied().filter(|at| is_inside(at)).collect();
            inside.is_empty() || self.is_in_ending_loop(job, composition, &component, &inside)
        })
    }

    /// What the states of a block are, from the one that it begins in.
    fn passes(
        &mut self,
        mut state: State,
        trail: &Trail,
        is_in: &dyn Fn(&State) -> bool,
        is_head: &dyn Fn(&State) -> bool,
    ) -> Passes {
        let mut choices = trail.choices.iter();
        let mut passed_head = is_head(&state);
        for _ in 0..trail.steps {
            match self.sym.step(&mut state).next {
                Next::Moved => {}
                Next::Ended => return Passes::Outside,
                Next::Split(states) => match choices.next().and_then(|at| states.into_iter().nth(*at as usize)) {
                    Some(chosen) => state = chosen,
                    None => return Passes::Outside,
                },
            }
            if !is_in(&state) {
                return Passes::Outside;
            }
            passed_head |= is_head(&state);
        }
        if passed_head { Passes::Head } else { Passes::Inside }
    }
}

/// Where a block passes, seen from a loop.
enum Passes {
    Head,
    /// By other locations of the loop only.
    Inside,
    Outside,
}

/// The function of an activation of the running stack, counted from 1, and where it is.
fn frame_at(state: &State, depth: usize) -> Option<(FuncId, Loc)> {
    match state.call_stack().get(depth - 1) {
        Some(caller) => Some(*caller),
        None if depth == state.depth() => Some((state.func(), state.loc)),
        None => None,
    }
}

/// A shortest path through some states from one of them back to it.
fn cycle(
    composition: &Composition,
    states: &BTreeSet<NodeId>,
    first: NodeId,
    with_unfair_interrupts: bool,
) -> Vec<usize> {
    let mut leaving: TiVec<NodeId, Vec<usize>> = vec![Vec::new(); composition.nodes.len()].into();
    for (at, t) in composition.transitions.iter().enumerate() {
        if states.contains(&t.from)
            && states.contains(&t.to)
            && !t.is_answered
            && (with_unfair_interrupts || !t.is_unfair_interrupt)
        {
            leaving[t.from].push(at);
        }
    }
    let mut reached_by: TiVec<NodeId, Option<usize>> = vec![None; composition.nodes.len()].into();
    let mut open = VecDeque::from([first]);
    while let Some(node) = open.pop_front() {
        for at in &leaving[node] {
            let to = composition.transitions[*at].to;
            if to == first {
                let mut path = vec![*at];
                let mut back = node;
                while back != first {
                    let by = reached_by[back].expect("it was reached");
                    path.push(by);
                    back = composition.transitions[by].from;
                }
                path.reverse();
                return path;
            }
            if reached_by[to].is_none() {
                reached_by[to] = Some(*at);
                open.push_back(to);
            }
        }
    }
    Vec::new()
}
