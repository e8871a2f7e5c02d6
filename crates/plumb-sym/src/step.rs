//! What an edge does to a state.

use crate::log::{EventLog, Given, Input, Obligation};
use crate::state::State;
use crate::sym::Sym;
use crate::value::{Value, sort_of};
use plumb_ir::check::CheckId;
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::input::InputId;
use plumb_ir::program::{Callee, Edge, EdgeId, HavocPlace, Op, Place, VarRef};
use plumb_ir::ty::Ty;
use plumb_term::{BinaryOp, Kind, Sort, TermId, UnaryOp};
use rustc_hash::FxHashSet;

/// Terms that are looked through for values as they were given.
const MOST_GIVEN: usize = 4_096;

/// What a step comes to.
#[derive(Debug)]
pub struct Step {
    pub next: Next,
    pub log: EventLog,
}

/// How a state goes on.
#[derive(Debug)]
pub enum Next {
    /// Along the only edge that is feasible: the state itself has moved.
    Moved,
    /// Along several edges, or into several functions.
    Split(Vec<State>),
    /// The run is over.
    Ended,
}

impl<'p> Sym<'p> {
    /// Takes a state over the edges that leave its location.
    pub fn step(&mut self, state: &mut State) -> Step {
        let next = self.leave_location(state);
        Step { next, log: std::mem::take(&mut self.scratch.log) }
    }

    fn leave_location(&mut self, state: &mut State) -> Next {
        let program: &'p plumb_ir::program::Program = self.program;
        let function = program.function(state.func());
        self.next_edge();
        let mut edges = function.out_edges(state.loc);
        match (edges.next(), edges.next()) {
            (None, _) => Next::Ended,
            (Some(only), None) => self.take(state, function.edge(only)),
            (Some(_), Some(_)) => self.branch(state),
        }
    }

    /// A decision: exactly one of the edges' conditions holds.
    fn branch(&mut self, state: &mut State) -> Next {
        let program = self.program;
        let function = program.function(state.func());
        let mut feasible: Vec<(TermId, EdgeId)> = Vec::new();
        let mut others = TermId::bool(true);
        let all: Vec<EdgeId> = function.out_edges(state.loc).collect();
        for (i, id) in all.iter().enumerate() {
            let cond = match function.edge(*id).op {
                // What is left when none of the others is taken.
                _ if i + 1 == all.len() => others,
                Op::Assume { cond, .. } => self.eval_condition(state, cond),
                // Several edges are always assumptions.
                Op::Assign { .. } | Op::Havoc { .. } | Op::Call { .. } | Op::Return(_) | Op::Check { .. } => continue,
            };
            match self.terms.as_bool(cond) {
                Some(true) => {
                    state.loc = function.edge(*id).to;
                    return Next::Moved;
                }
                Some(false) => {}
                None => feasible.push((cond, *id)),
            }
            let not = self.terms.not(cond);
            others = self.terms.and(others, not);
        }
        let mut split = Vec::with_capacity(feasible.len());
        for (cond, id) in feasible {
            let mut path = state.path.clone();
            path.push(cond, &mut self.terms);
            if !path.is_impossible() {
                split.push((path, function.edge(id).to));
            }
        }
        match split.len() {
            0 => Next::Ended,
            1 => {
                let (path, loc) = split.remove(0);
                state.path = path;
                state.loc = loc;
                Next::Moved
            }
            _ => Next::Split(split.into_iter().map(|(path, loc)| State { path, loc, ..state.clone() }).collect()),
        }
    }

    /// Whether a check compares what comes from outside as it is, and so is an assumption.
    fn is_assumed(&mut self, state: &mut State, cond: ExprId, check: CheckId) -> bool {
        if !self.program.check(check).of_inputs {
            return false;
        }
        match self.program.function(state.func()).exprs.kind(cond) {
            ExprKind::Binary(_, _, value, _) => {
                let value = self.eval(state, value);
                matches!(value, Value::Term(term) if self.is_as_given(term))
            }
            _ => false,
        }
    }

    /// Whether a number is a symbol or a part of one, a truth value, or a choice between such, be it by way of arrays in
    /// which only such numbers have been stored.
    fn is_as_given(&self, term: TermId) -> bool {
        let mut seen = FxHashSet::from_iter([term]);
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            let parts = match self.terms.kind(term) {
                Kind::Symbol(_) => continue,
                Kind::Const if self.terms.as_u64(term).is_some_and(|value| value <= 1) => continue,
                Kind::Extract { value, .. } if matches!(self.terms.kind(value), Kind::Symbol(_)) => continue,
                Kind::Unary(UnaryOp::ZeroExtend, bit) if self.terms.width(bit) == 1 => continue,
                Kind::Binary(BinaryOp::Select, array, _) => [array, array],
                Kind::Ite(_, a, b) => [a, b],
                Kind::Store(before, _, element) => [before, element],
                Kind::Const | Kind::Extract { .. } | Kind::Unary(..) | Kind::Binary(..) | Kind::Fma(..) => {
                    return false;
                }
            };
            open.extend(parts.into_iter().filter(|part| seen.insert(*part)));
            if seen.len() > MOST_GIVEN {
                return false;
            }
        }
        true
    }

    fn take(&mut self, state: &mut State, edge: &'p Edge) -> Next {
        match &edge.op {
            Op::Assign { to: Place::Var(var), value } => {
                let value = self.eval(state, *value);
                state.set_register(*var, value);
                state.loc = edge.to;
                Next::Moved
            }
            Op::Assign { to: Place::Mem(addr), value } => {
                let ty = self.program.function(state.func()).exprs.ty(*value);
                let pointer = self.eval(state, *addr);
                let value = self.eval(state, *value);
                self.store(state, &pointer, value, ty);
                state.loc = edge.to;
                self.unless_faulted(state)
            }
            Op::Assume { cond, .. } => {
                let cond = self.eval_condition(state, *cond);
                self.restrict(state, cond, edge)
            }
            Op::Check { cond, check } => {
                let is_assumed = self.is_assumed(state, *cond, *check);
                let cond = self.eval_condition(state, *cond);
                if !is_assumed {
                    let fails = self.terms.not(cond);
                    let sound = self.terms.not(state.fault);
                    let broken = self.terms.and_all([state.path.term(), fails, sound]);
                    if broken != TermId::bool(false) {
                        self.scratch.log.obligations.push(Obligation { check: *check, broken });
                    }
                }
                self.restrict(state, cond, edge)
            }
            Op::Havoc { to, input } => {
                let havocked = match to {
                    HavocPlace::Var(var) => {
                        self.read_input(state, *var, *input);
                        None
                    }
                    HavocPlace::Region { addr, size } => {
                        let (pointer, size) = (self.eval(state, *addr), self.eval(state, *size));
                        self.havoc_range(state, &pointer, &size)
                    }
                    HavocPlace::Objects { addr, extent } => {
                        let pointer = self.eval(state, *addr);
                        self.havoc_objects(state, &pointer, *extent)
                    }
                };
                if let Some((region, size)) = havocked {
                    let path = state.path.term();
                    self.scratch.log.inputs.push(Input { id: *input, path, given: Given::Region(region, size) });
                }
                state.loc = edge.to;
                self.unless_faulted(state)
            }
            Op::Call { to, callee: Callee::Direct(func), args } => {
                let args: Vec<Value> = args.iter().map(|a| self.eval(state, *a)).collect();
                self.enter(state, *func, args, *to, edge);
                Next::Moved
            }
            Op::Call { to, callee: Callee::Indirect(pointer), args } => {
                let pointer = self.eval(state, *pointer);
                self.call_indirect(state, &pointer, args, *to, edge)
            }
            Op::Call { to, callee: Callee::Intrinsic(intrinsic), args } if intrinsic.is_about_stacks() => {
                let args: Vec<Value> = args.iter().map(|a| self.eval(state, *a)).collect();
                match self.stack_intrinsic(state, *intrinsic, &args, *to, edge) {
                    Next::Moved => self.unless_faulted(state),
                    step @ (Next::Split(_) | Next::Ended) => step,
                }
            }
            Op::Call { to, callee: Callee::Intrinsic(intrinsic), args } => {
                let args: Vec<Value> = args.iter().map(|a| self.eval(state, *a)).collect();
                let step = self.intrinsic(state, *intrinsic, &args, *to);
                state.loc = edge.to;
                match step {
                    Next::Moved => self.unless_faulted(state),
                    Next::Split(_) | Next::Ended => step,
                }
            }
            Op::Return(value) => {
                let value = value.map(|v| self.eval(state, v));
                self.leave(state, value)
            }
        }
    }

    /// A run that faults whatever its inputs is over.
    fn unless_faulted(&mut self, state: &State) -> Next {
        if state.fault == TermId::bool(true) || state.fault == state.path.term() && !state.path.is_empty() {
            return Next::Ended;
        }
        Next::Moved
    }

    /// Goes on where a condition holds.
    fn restrict(&mut self, state: &mut State, cond: TermId, edge: &Edge) -> Next {
        state.path.push(cond, &mut self.terms);
        state.loc = edge.to;
        if state.path.is_impossible() { Next::Ended } else { Next::Moved }
    }

    fn read_input(&mut self, state: &mut State, var: VarRef, input: InputId) {
        let program = self.program;
        let site = program.input(input);
        let ty = self.register_type(state, var);
        let name = format!("in{}", input.0);
        let term = if site.is_bool && ty != Ty::BOOL {
            let bit = self.terms.fresh_symbol(&name, Sort::Bool);
            self.terms.bool_to_bv(bit, ty.bits(&program.target))
        } else {
            let symbol = self.terms.fresh_symbol(&name, sort_of(ty, &program.target));
            if ty == Ty::Ptr {
                self.note_outside(symbol);
            }
            symbol
        };
        self.scratch.log.inputs.push(Input { id: input, path: state.path.term(), given: Given::Scalar(term, ty) });
        state.set_register(var, Value::Term(term));
    }
}
