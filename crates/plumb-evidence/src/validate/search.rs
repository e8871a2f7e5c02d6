//! The rest of a run whose waypoints leave inputs open, searched for symbolically.
//!
//! Paths are followed one by one with the number of waypoints that they have passed. A call whose returned value is the next
//! waypoint's business splits a path in two: the value is the one that the waypoint says, and the waypoint is passed, or it
//! is not. Where a check can break behind the last waypoint, a model's inputs are handed to whoever runs them. If no
//! path is left, no run is as the witness says.

use super::annotate::is_at;
use super::content::{Waypoint, WaypointKind};
use super::tuning::TUNING;
use super::violation::{Number, as_input, demanded, number};
use crate::witness::locate::Locator;
use plumb_answer::Budget;
use plumb_exec::{InputValue, float_bits};
use plumb_ir::check::CheckId;
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::program::{BranchKind, Callee, EdgeId, FuncId, HavocPlace, Op, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_sym::{EventLog, Given, Next, Obligation, State, Sym, inputs_of, sort_of};
use plumb_term::{Sort, TermId};
use std::collections::BTreeMap;
use std::time::Instant;

pub(super) enum Search<T> {
    Found(T),
    /// No run is as the witness says.
    Nothing,
    Open(String),
}

/// Inputs of a run.
pub(super) type Inputs = Vec<(InputId, InputValue)>;

/// A path.
struct Node {
    state: State,
    /// The next waypoint.
    next: usize,
    /// Calls in progress, by stack: where their expressions end, and where the program's own functions leave their results.
    calls: BTreeMap<u32, Vec<(u32, Option<VarRef>)>>,
}

struct Searcher<'a, 'p, T> {
    sym: Sym<'p>,
    log: EventLog,
    locator: &'a Locator<'a>,
    waypoints: &'a [&'a Waypoint],
    solver: BitSolver,
    axioms: usize,
    open: Vec<Node>,
    /// Runs a violation of a check, and says what it is worth.
    accept: &'a mut dyn FnMut(CheckId, Inputs) -> Option<T>,
}

/// Why a search ends early.
enum End<T> {
    Found(T),
    Open(String),
}

type Going<T> = Result<(), End<T>>;

pub(super) fn search<T>(
    program: &Program,
    locator: &Locator<'_>,
    waypoints: &[&Waypoint],
    budget: &Budget,
    accept: &mut dyn FnMut(CheckId, Inputs) -> Option<T>,
) -> Search<T> {
    let until = Instant::now() + TUNING.search_time;
    let until = budget.deadline.map_or(until, |deadline| deadline.min(until));
    let mut solver = BitSolver::new();
    let cancel = Some(budget.cancel.flag());
    solver.set_limits(Limits { conflicts: None, deadline: Some(until), cancel });
    let mut sym = Sym::new(program);
    let start = Node { state: sym.start(), next: 0, calls: BTreeMap::new() };
    let mut searcher =
        Searcher { sym, log: EventLog::default(), locator, waypoints, solver, axioms: 0, open: vec![start], accept };
    let mut steps = 0;
    while let Some(node) = searcher.open.pop() {
        steps += 1;
        if steps > TUNING.max_search_steps || steps % 64 == 0 && Instant::now() >= until {
            return Search::Open("there are too many runs to look for it".to_string());
        }
        match searcher.advance(node) {
            Ok(()) => {}
            Err(End::Found(found)) => return Search::Found(found),
            Err(End::Open(why)) => return Search::Open(why),
        }
    }
    match searcher.log.unknowns().any(|gap| gap != TermId::bool(false)) {
        true => Search::Open("some runs use memory in a way that is not modelled".to_string()),
        false => Search::Nothing,
    }
}

impl<T> Searcher<'_, '_, T> {
    fn open<R>(&self, why: &str) -> Result<R, End<T>> {
        Err(End::Open(why.to_string()))
    }

    fn is_possible(&mut self, condition: TermId) -> Result<bool, End<T>> {
        self.sym.feed_axioms(&mut self.axioms, |terms, axiom| self.solver.assert(terms, axiom));
        match self.solver.check(&mut self.sym.terms, &[condition]) {
            Outcome::Sat => Ok(true),
            Outcome::Unsat => Ok(false),
            Outcome::Unknown(why) => Err(End::Open(why.to_string())),
        }
    }

    fn waypoint(&self, node: &Node) -> Option<&WaypointKind> {
        self.waypoints.get(node.next).map(|w| &w.kind)
    }

    fn is_at_offset(&self, node: &Node, offset: Option<u32>) -> bool {
        let location = offset.and_then(|offset| self.locator.exact(offset));
        self.waypoints.get(node.next).zip(location).is_some_and(|(next, location)| is_at(&next.place, &location))
    }

    /// Takes a path over the edges from its location.
    fn advance(&mut self, node: Node) -> Going<T> {
        let Node { mut state, next, calls } = node;
        let program = self.sym.program;
        let (func, loc, depth, stack) = (state.func(), state.loc, state.depth(), state.current_stack());
        let function = program.function(func);
        let edges: Vec<EdgeId> = function.out_edges(loc).collect();
        let step = self.sym.step(&mut state);
        let given = step.log.inputs.first().map(|input| input.given.clone());
        let obligations = step.log.obligations.clone();
        self.log.append(step.log);
        self.end_at_checks(next, &obligations)?;
        let states = match step.next {
            Next::Ended => return Ok(()),
            Next::Moved => vec![state],
            Next::Split(states) => states,
        };
        let is_split = states.len() > 1;
        for state in states {
            let mut one = Node { state, next, calls: calls.clone() };
            if is_split && !self.is_possible(one.state.path.term())? {
                continue;
            }
            if !one.state.has_stack(stack) {
                one.calls.remove(&stack);
            }
            let moved = one.state.depth();
            match edges[..] {
                [only] => match &function.edge(only).op {
                    op if op.stack_intrinsic().is_some() => self.open.push(one),
                    Op::Call { to, callee, .. } if moved > depth => {
                        let end = function.edge(only).span.end;
                        // What functions without a body return is asked for inside of them.
                        let is_own = matches!(callee, Callee::Direct(f) if program.function(*f).has_body);
                        one.calls.entry(stack).or_default().push((end, to.filter(|_| is_own)));
                        let enters = self.waypoint(&one) == Some(&WaypointKind::FunctionEnter);
                        one.next += usize::from(enters && self.is_at_offset(&one, end.checked_sub(1)));
                        self.open.push(one);
                    }
                    Op::Return(_) if moved < depth => match one.calls.entry(stack).or_default().pop() {
                        Some((end, Some(to))) => {
                            let ty = self.sym.register_type(&one.state, to);
                            let value = self.sym.register_term(&one.state, to);
                            self.returned(one, end, value.map(|value| (value, ty)), None)?;
                        }
                        Some((_, None)) | None => self.open.push(one),
                    },
                    Op::Havoc { to: HavocPlace::Var(_), input } => {
                        let end = match program.input(*input).origin {
                            InputOrigin::Nondet(_) => Some(function.edge(only).span.end),
                            InputOrigin::External(_) => {
                                one.calls.get(&stack).and_then(|calls| calls.last()).map(|(end, _)| *end)
                            }
                            _ => None,
                        };
                        match (end, &given) {
                            (Some(end), Some(Given::Scalar(term, ty))) => {
                                self.returned(one, end, Some((*term, *ty)), Some(*input))?;
                            }
                            _ => self.open.push(one),
                        }
                    }
                    _ => self.open.push(one),
                },
                _ => self.branched(one, func, &edges)?,
            }
        }
        Ok(())
    }

    /// Looks whether the run may end here as the witness says.
    fn end_at_checks(&mut self, next: usize, met: &[Obligation]) -> Going<T> {
        for obligation in met {
            if next < self.waypoints.len() || !self.is_possible(obligation.broken)? {
                continue;
            }
            let Some(inputs) = self.model() else { return self.open("the solver has no model") };
            if let Some(found) = (self.accept)(obligation.check, inputs) {
                return Err(End::Found(found));
            }
        }
        Ok(())
    }

    /// A value has been returned by a call that ends somewhere: as the next waypoint says, or not.
    fn returned(&mut self, node: Node, end: u32, value: Option<(TermId, Ty)>, input: Option<InputId>) -> Going<T> {
        let Some(WaypointKind::FunctionReturn(constraint)) = self.waypoint(&node).cloned() else {
            self.open.push(node);
            return Ok(());
        };
        if !self.is_at_offset(&node, end.checked_sub(1)) {
            self.open.push(node);
            return Ok(());
        }
        let Some((term, ty)) = value else { return self.open("a returned value is not known") };
        let Some(wanted) = number(&constraint, "\\result") else {
            return self.open(&format!("the constraint `{constraint}` is not supported here"));
        };
        let wanted = match input {
            Some(input) => as_input(self.sym.program, self.sym.program.input(input), wanted),
            None => plain(wanted, ty),
        };
        let passes = match wanted {
            Some(wanted) => self.equals(term, ty, wanted),
            None => TermId::bool(false),
        };
        self.fork(node, passes).map(|passed| self.open.extend(passed))
    }

    /// Puts the path on which a condition does not hold aside, and gives the one that has passed the waypoint.
    fn fork(&mut self, node: Node, passes: TermId) -> Result<Option<Node>, End<T>> {
        let mut other = Node { state: node.state.clone(), next: node.next, calls: node.calls.clone() };
        let fails = self.sym.terms.not(passes);
        other.state.path.push(fails, &mut self.sym.terms);
        if self.is_possible(other.state.path.term())? {
            self.open.push(other);
        }
        let mut passed = node;
        passed.state.path.push(passes, &mut self.sym.terms);
        passed.next += 1;
        Ok(if self.is_possible(passed.state.path.term())? { Some(passed) } else { None })
    }

    fn equals(&mut self, term: TermId, ty: Ty, wanted: Bits) -> TermId {
        let terms = &mut self.sym.terms;
        let constant = match sort_of(ty, &self.sym.program.target) {
            Sort::Bool => TermId::bool(!wanted.is_zero()),
            Sort::Bv(width) => terms.bv(width, wanted.u128()),
            Sort::Float(format) => terms.float_const(format, wanted.u128()),
            Sort::Array { .. } => return TermId::bool(false),
        };
        if terms.sort(term) == terms.sort(constant) { terms.eq(term, constant) } else { TermId::bool(false) }
    }

    /// A path has taken one of several edges.
    fn branched(&mut self, mut node: Node, func: FuncId, edges: &[EdgeId]) -> Going<T> {
        let function = self.sym.program.function(func);
        let mut taken = edges.iter().filter(|edge| function.edge(**edge).to == node.state.loc);
        let (Some(edge), rest) = (taken.next(), taken.next()) else {
            self.open.push(node);
            return Ok(());
        };
        let edge = function.edge(*edge);
        let keyword = match edge.op {
            Op::Assume { branch: Some(branch), .. } if !function.is_library => {
                let is_waypoint = matches!(branch.kind, BranchKind::If | BranchKind::While | BranchKind::For);
                self.locator.keyword(edge.span.start).filter(|_| is_waypoint).map(|at| (at, branch.taken))
            }
            _ => None,
        };
        let Some((keyword, taken)) = keyword.filter(|(at, _)| self.is_at_offset(&node, Some(*at))) else {
            self.open.push(node);
            return Ok(());
        };
        if rest.is_some() {
            return self.open("a branch goes the same way whatever its condition");
        }
        while let Some(WaypointKind::Assumption(text)) = self.waypoint(&node).cloned() {
            if !self.is_at_offset(&node, Some(keyword)) {
                break;
            }
            let Some(holds) = self.assumption(&node, func, &text) else {
                return self.open(&format!("the constraint `{text}` is not supported here"));
            };
            match self.fork(node, holds)? {
                Some(passed) => node = passed,
                None => return Ok(()),
            }
        }
        let passes = self.waypoint(&node) == Some(&WaypointKind::Branching(taken));
        node.next += usize::from(passes && self.is_at_offset(&node, Some(keyword)));
        self.open.push(node);
        Ok(())
    }

    /// An assumption about locals.
    fn assumption(&mut self, node: &Node, func: FuncId, text: &str) -> Option<TermId> {
        let mut all = TermId::bool(true);
        for (local, ty, wanted) in demanded(self.sym.program.function(func), text)? {
            let term = self.sym.register_term(&node.state, VarRef::Local(local))?;
            let wanted = plain(wanted, ty)?;
            let equal = self.equals(term, ty, wanted);
            all = self.sym.terms.and(all, equal);
        }
        Some(all)
    }

    /// The inputs of the run that the solver has found.
    fn model(&self) -> Option<Inputs> {
        self.solver.model().map(|model| inputs_of(&self.sym, &self.log.inputs, model))
    }
}

/// A number as a value of a type, which it may have as a signed or as an unsigned one.
fn plain(wanted: Number, ty: Ty) -> Option<Bits> {
    match (ty, wanted) {
        (Ty::Int(width), Number::Integer(value)) => {
            let bits = Bits::new(value as u128, width as u32);
            (bits.signed(width as u32) == value || bits.u128() as i128 == value).then_some(bits)
        }
        (Ty::Ptr, Number::Integer(value)) => (value == 0).then_some(Bits::ZERO),
        (Ty::Float(format), wanted) => Some(float_bits(wanted.float(), format)),
        (Ty::Int(_) | Ty::Ptr, Number::Float(_)) => None,
    }
}
