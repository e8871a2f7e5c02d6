//! Expressions.
//!
//! Operands that count as not evaluated must not fault: while the arm of a choice is evaluated, its condition guards what
//! is noted ([`Memo::guard`]).

mod operators;
pub(crate) mod pattern;

use crate::fault::FaultKind;
use crate::state::State;
use crate::sym::Sym;
use crate::value::Value;
use plumb_ir::expr::{ExprId, ExprKind};
use plumb_ir::index::TiVec;
use plumb_ir::program::{Function, ObjRef};
use plumb_ir::ty::Ty;
use plumb_term::TermId;

/// Values of the expressions of the edge at hand.
#[derive(Default)]
pub(crate) struct Memo {
    values: TiVec<ExprId, Option<(u64, Value)>>,
    edge: u64,
    /// Conditions of the arms being evaluated; empty outside of arms.
    guard: Vec<TermId>,
}

impl<'p> Sym<'p> {
    /// What was evaluated before is forgotten: the state has changed.
    pub(crate) fn next_edge(&mut self) {
        self.scratch.memo.edge += 1;
    }

    pub(crate) fn eval(&mut self, state: &mut State, id: ExprId) -> Value {
        let program: &'p plumb_ir::program::Program = self.program;
        let function = program.function(state.func());
        self.eval_in(state, function, id)
    }

    /// A condition as a term.
    pub(crate) fn eval_condition(&mut self, state: &mut State, id: ExprId) -> TermId {
        let program: &'p plumb_ir::program::Program = self.program;
        self.truth(state, program.function(state.func()), id)
    }

    fn truth(&mut self, state: &mut State, function: &'p Function, id: ExprId) -> TermId {
        let value = self.eval_in(state, function, id);
        self.term_of(&value, Ty::BOOL)
    }

    fn eval_in(&mut self, state: &mut State, function: &'p Function, id: ExprId) -> Value {
        let expr = function.exprs.get(id);
        match expr.kind {
            ExprKind::Const(bits) => return Value::Const(bits),
            ExprKind::Var(var) => {
                if let Some(value) = state.register(var) {
                    return value.clone();
                }
                // Nobody has given it a value: it has one, whatever it is, and keeps it.
                let value = self.unspecified(expr.ty);
                state.set_register(var, value.clone());
                return value;
            }
            _ => {}
        }
        if let Some(Some((edge, value))) = self.scratch.memo.values.get(id)
            && *edge == self.scratch.memo.edge
        {
            return value.clone();
        }
        let value = self.compute(state, function, id);
        if self.scratch.memo.guard.is_empty() {
            if id >= self.scratch.memo.values.next_key() {
                self.scratch.memo.values.resize(function.exprs.len(), None);
            }
            self.scratch.memo.values[id] = Some((self.scratch.memo.edge, value.clone()));
        }
        value
    }

    fn compute(&mut self, state: &mut State, function: &'p Function, id: ExprId) -> Value {
        let expr = function.exprs.get(id);
        let ty = expr.ty;
        match expr.kind {
            ExprKind::Const(bits) => Value::Const(bits),
            ExprKind::Var(_) => self.eval_in(state, function, id),
            ExprKind::Addr(ObjRef::Global(object)) => Value::Addr(crate::value::ObjId(object.0), 0),
            ExprKind::Addr(ObjRef::Local(object)) => Value::Addr(state.frame().objects[object], 0),
            ExprKind::FuncAddr(func) => Value::Addr(self.function_object(func), 0),
            ExprKind::Load(addr) => {
                let pointer = self.eval_in(state, function, addr);
                self.guarded(state, |sym, state| sym.load(state, &pointer, ty))
            }
            ExprKind::Unary(op, sign, a) => {
                let value = self.eval_in(state, function, a);
                self.zeros_of_zero(state, op, sign, function.exprs.ty(a), &value);
                self.unary(op, function.exprs.ty(a), &value)
            }
            ExprKind::Binary(op, sign, a, b) => {
                let x = self.eval_in(state, function, a);
                let y = self.eval_in(state, function, b);
                self.binary(state, op, sign, function.exprs.ty(a), &x, &y)
            }
            ExprKind::Cast(op, a) => {
                let value = self.eval_in(state, function, a);
                self.cast(op, function.exprs.ty(a), ty, &value)
            }
            ExprKind::Ite(cond, a, b) => {
                let cond = self.truth(state, function, cond);
                let x = self.arm(state, function, cond, a);
                let not = self.terms.not(cond);
                let y = self.arm(state, function, not, b);
                match (x, y) {
                    (Some(x), Some(y)) => self.choose(cond, &x, &y, ty),
                    (Some(only), None) | (None, Some(only)) => only,
                    (None, None) => Value::FALSE,
                }
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let is_and = matches!(expr.kind, ExprKind::And(..));
                let x = self.truth(state, function, a);
                // The second operand counts where the first has not decided.
                let is_open = if is_and { x } else { self.terms.not(x) };
                let y = self.arm(state, function, is_open, b).unwrap_or(Value::bool(is_and));
                let y = self.term_of(&y, Ty::BOOL);
                let term = if is_and { self.terms.and(x, y) } else { self.terms.or(x, y) };
                Value::of_term(term, &self.terms)
            }
            ExprKind::PtrAdd(pointer, by) => {
                let pointer = self.eval_in(state, function, pointer);
                let by = self.eval_in(state, function, by);
                self.pointer_add(&pointer, &by)
            }
            ExprKind::PtrDiff(a, b) => {
                let x = self.eval_in(state, function, a);
                let y = self.eval_in(state, function, b);
                self.note_stale(state, &x, &y);
                self.pointer_diff(&x, &y)
            }
            ExprKind::Extract { value, lo } => {
                let from = function.exprs.ty(value);
                let value = self.eval_in(state, function, value);
                self.extract_bits(&value, from, lo, ty)
            }
            ExprKind::Insert { base, value, lo } => {
                let inner = function.exprs.ty(value);
                let base = self.eval_in(state, function, base);
                let value = self.eval_in(state, function, value);
                self.insert_bits(&base, ty, &value, inner, lo)
            }
            ExprKind::Fma(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|e| self.eval_in(state, function, e));
                self.fma(ty, &a, &b, &c)
            }
            ExprKind::InBounds { base, addr, size, write } => {
                let base = self.eval_in(state, function, base);
                let addr = self.asked_pointer(state, function, addr);
                let size = self.eval_in(state, function, size);
                self.in_bounds(state, &base, &addr, &size, write)
            }
            ExprKind::Callable { pointer, like } => {
                let pointer = self.asked_pointer(state, function, pointer);
                self.callable(&pointer, like)
            }
            ExprKind::Freeable(pointer) => {
                let pointer = self.asked_pointer(state, function, pointer);
                self.freeable(state, &pointer)
            }
            ExprKind::IsLive(pointer) => {
                let pointer = self.asked_pointer(state, function, pointer);
                self.points_to_life(state, &pointer)
            }
            ExprKind::SameObject(a, b) => {
                let [x, y] = [a, b].map(|pointer| self.asked_pointer(state, function, pointer));
                self.same_object(state, &x, &y)
            }
            ExprKind::BytesLeft(pointer) => {
                let pointer = self.asked_pointer(state, function, pointer);
                self.bytes_left(state, &pointer)
            }
            ExprKind::ObjectOffset(pointer) => {
                let pointer = self.asked_pointer(state, function, pointer);
                self.object_offset(state, &pointer)
            }
            ExprKind::NoLeak(roots) => self.guarded(state, |sym, state| sym.no_leak(state, roots)),
            ExprKind::HeapEmpty => self.guarded(state, |sym, state| sym.heap_empty(state)),
        }
    }

    /// An operand that counts as evaluated only under a condition; `None` if that never holds.
    fn arm(&mut self, state: &mut State, function: &'p Function, cond: TermId, id: ExprId) -> Option<Value> {
        match self.terms.as_bool(cond) {
            Some(true) => Some(self.eval_in(state, function, id)),
            Some(false) => None,
            None => {
                self.scratch.memo.guard.push(cond);
                let value = self.eval_in(state, function, id);
                self.scratch.memo.guard.pop();
                Some(value)
            }
        }
    }

    /// Does something that may fault under the conditions of the arms around it.
    fn guarded<T>(&mut self, state: &mut State, f: impl FnOnce(&mut Self, &mut State) -> T) -> T {
        if self.scratch.memo.guard.is_empty() {
            return f(self, state);
        }
        let path = state.path.clone();
        for cond in self.scratch.memo.guard.clone() {
            state.path.push(cond, &mut self.terms);
        }
        let result = f(self, state);
        state.path = path;
        result
    }

    /// The pointer that a question is about. About a number that may or may not be an object's address it has no good answer.
    fn asked_pointer(&mut self, state: &mut State, function: &'p Function, id: ExprId) -> Value {
        let pointer = self.eval_in(state, function, id);
        let pointer = self.with_foreign_places(&pointer);
        let places = self.places(&pointer);
        let lost = self.lost_question(&places);
        if lost != TermId::bool(false) {
            self.guarded(state, |sym, state| sym.doubt(state, lost));
        }
        pointer
    }

    /// Notes that pointers are compared one of which is, or may be, to a dead object.
    fn note_stale(&mut self, state: &mut State, a: &Value, b: &Value) {
        let stale = self.stale(state, a, b);
        self.fault_here(state, FaultKind::StaleComparison, stale.certain);
        if stale.unclear != TermId::bool(false) {
            self.guarded(state, |sym, state| sym.doubt(state, stale.unclear));
        }
    }

    /// Notes that the run goes wrong under a condition, in the arms around.
    fn fault_here(&mut self, state: &mut State, kind: FaultKind, condition: TermId) {
        if condition != TermId::bool(false) {
            self.guarded(state, |sym, state| sym.note_fault(state, kind, condition));
        }
    }
}
