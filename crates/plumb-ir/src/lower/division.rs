//! Which divisions a compiled program carries out whenever control comes to them.
//!
//! A division without a quotient stops a compiled program, so that a proof may suppose that no run has one, but only where the
//! compiler makes a division of it. gcc leaves out, without optimisation too, what has no effect on a value that is used: operands of
//! expressions that are discarded (`x / y;`), conditions between which nothing happens (`if (x / y) ;`), and whatever folding decides
//! without the operand: `x / x`, `0 / x`, `1 / x`, `x / -1`, `(x / y) * 0`, `(x / y & 4) == 2`, `u % v < v`.
//!
//! The walk goes from where a value is used for sure (stored, handed to a function, returned, decided by) down to its divisions,
//! and gives up at every operator that may fold. It knows few operators that do not; a division that it does not come to is not
//! supposed to stop anything.

use super::Context;
use super::facts::Facts;
use crate::expr::Sign;
use plumb_c::hir::{
    AssignOp, BinaryOp, Block, Body, Builtin, Callee, CastKind, Expr, ExprKind, Initializer, Stmt, StmtKind,
};
use plumb_c::sema::libc_types::is_known_to_compilers;
use plumb_c::types::{IntKind, Type};
use rustc_hash::FxHashSet;

/// What is known of the use of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// The compiler may do without the value.
    Maybe,
    /// It is combined with a constant, cut, or divided: the compiler knows of no division what would decide that, but may know it of
    /// other operators.
    Direct,
    /// It is an operand beside a variable. Truth values are not looked at, since compilers know that they are 0 or 1.
    Operand,
    /// It decides where control goes.
    Truth,
    /// It is stored, handed to a function or returned.
    Stored,
}

/// The divisions of a body that are carried out, by address: the tree does not move while a function is lowered.
pub(super) fn carried_out(cx: &Context, body: &Body, facts: &Facts) -> FxHashSet<*const Expr> {
    let mut walk = Walk { cx, facts, found: FxHashSet::default() };
    walk.block(&body.block);
    walk.found
}

struct Walk<'w, 'a> {
    cx: &'w Context<'a>,
    facts: &'w Facts,
    found: FxHashSet<*const Expr>,
}

impl Walk<'_, '_> {
    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Defer(e) => self.discarded(e),
            StmtKind::Declare { init: Some(init), .. } => self.initializer(init, Use::Stored),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { cond, then, otherwise } => {
                let acts = self.acts(then) || otherwise.as_ref().is_some_and(|stmt| self.acts(stmt));
                self.value(cond, if acts { Use::Truth } else { Use::Maybe });
                self.stmt(then);
                otherwise.iter().for_each(|stmt| self.stmt(stmt));
            }
            // A loop ends by its condition, whatever is in it.
            StmtKind::While { cond, body } | StmtKind::DoWhile { cond, body } => {
                self.value(cond, Use::Truth);
                self.stmt(body);
            }
            StmtKind::For { init, cond, step, body, .. } => {
                init.iter().for_each(|stmt| self.stmt(stmt));
                cond.iter().for_each(|cond| self.value(cond, Use::Truth));
                step.iter().for_each(|step| self.discarded(step));
                self.stmt(body);
            }
            // One that has no cases, or impossible ones, needs no value.
            StmtKind::Switch { value, body } => {
                self.value(value, Use::Maybe);
                self.stmt(body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } | StmtKind::Label { body, .. } => self.stmt(body),
            StmtKind::Return(Some(value)) => self.value(value, Use::Stored),
            StmtKind::Empty
            | StmtKind::Declare { init: None, .. }
            | StmtKind::VlaSize { .. }
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Asm(_) => {}
        }
    }

    fn initializer(&mut self, init: &Initializer, use_: Use) {
        init.parts.iter().for_each(|part| self.value(&part.value, use_));
    }

    /// Whether a statement does something that no compiler leaves out.
    fn acts(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Expr(e) => self.has_effect(e),
            StmtKind::Block(block) => block.stmts.iter().any(|stmt| self.acts(stmt)),
            StmtKind::If { then, otherwise, .. } => {
                self.acts(then) || otherwise.as_ref().is_some_and(|stmt| self.acts(stmt))
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
                self.acts(body)
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } | StmtKind::Label { body, .. } => self.acts(body),
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => true,
            StmtKind::Switch { .. }
            | StmtKind::Empty
            | StmtKind::Declare { .. }
            | StmtKind::Defer(_)
            | StmtKind::VlaSize { .. }
            | StmtKind::GotoComputed(_)
            | StmtKind::Asm(_) => false,
        }
    }

    /// Whether an expression stores or calls something, at its top. Calls that a compiler may know to have no effect do not count.
    fn has_effect(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Assign { .. } | ExprKind::CompoundAssign { .. } | ExprKind::IncDec { .. } => true,
            ExprKind::Call { callee, .. } => self.is_made_anyway(callee),
            ExprKind::Cast { value, .. } => self.has_effect(value),
            ExprKind::Comma(a, b) => self.has_effect(a) || self.has_effect(b),
            _ => false,
        }
    }

    /// Whether a call is made although nobody uses its result.
    fn is_made_anyway(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Direct(id) => {
                let function = self.cx.hir.function(*id);
                let name = self.cx.hir.names.text(function.name);
                let is_own = function.body.is_some() && !function.is_library && !is_known_to_compilers(name);
                function.noreturn || is_own && !function.effects.changes_nothing()
            }
            // The type of the function may promise that it changes nothing.
            Callee::Pointer(_) => false,
        }
    }

    fn discarded(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Cast { kind: CastKind::ToVoid | CastKind::NoOp, value, .. } => self.discarded(value),
            ExprKind::Comma(a, b) => {
                self.discarded(a);
                self.discarded(b);
            }
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => {
                self.value(a, if self.has_effect(b) { Use::Truth } else { Use::Maybe });
                self.discarded(b);
            }
            ExprKind::Cond { cond, then: Some(then), otherwise, .. } => {
                let acts = self.has_effect(then) || self.has_effect(otherwise);
                self.value(cond, if acts { Use::Truth } else { Use::Maybe });
                self.discarded(then);
                self.discarded(otherwise);
            }
            ExprKind::StmtExpr(block) => self.block(block),
            _ => self.value(e, Use::Maybe),
        }
    }

    /// What is evaluated to find an lvalue.
    fn place(&mut self, place: &Expr, use_: Use) {
        let use_ = if use_ == Use::Maybe { Use::Maybe } else { Use::Stored };
        match &place.kind {
            ExprKind::Deref(pointer) => self.value(pointer, use_),
            ExprKind::Member { base, .. } => self.place(base, use_),
            ExprKind::CompoundLiteral { init, .. } => self.initializer(init, use_),
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Func(_) => {}
            _ => self.value(place, use_),
        }
    }

    fn value(&mut self, e: &Expr, use_: Use) {
        let truth = if matches!(use_, Use::Stored | Use::Truth) { Use::Truth } else { Use::Maybe };
        let stored = if use_ == Use::Stored { Use::Stored } else { Use::Maybe };
        match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::SizeofVla(_)
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Func(_) => {}
            ExprKind::Deref(_) | ExprKind::Member { .. } | ExprKind::CompoundLiteral { .. } => self.place(e, use_),
            ExprKind::Load(place) => self.place(place, use_),
            // An address is true, whatever it is of.
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.place(place, stored),
            ExprKind::Cast { kind, value, .. } => self.cast(*kind, e, value, use_),
            ExprKind::Neg(value) | ExprKind::BitNot(value) => {
                self.value(value, if matches!(use_, Use::Stored | Use::Operand) { Use::Operand } else { Use::Maybe });
            }
            ExprKind::Not(value) => self.value(value, truth),
            ExprKind::Binary(op, a, b) => self.binary(e, *op, (a, b), use_),
            ExprKind::PtrAdd { pointer, index, .. } => {
                self.value(pointer, stored);
                self.value(index, stored);
            }
            ExprKind::PtrDiff(a, b) => {
                self.value(a, Use::Maybe);
                self.value(b, Use::Maybe);
            }
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => {
                // Where the second operand folds, the first may not be needed; where the first one does, it decides whether control
                // comes to the second.
                self.value(a, if self.is_steady(b) { truth } else { Use::Maybe });
                self.value(b, truth);
            }
            ExprKind::Cond { cond, then, otherwise, .. } => {
                let differ = then.as_ref().is_some_and(|then| self.is_steady(then) && self.is_steady(otherwise));
                let is_apart = then.as_ref().is_some_and(|then| !alike(then, otherwise) && !is_comparison(cond));
                self.value(cond, if differ && is_apart && use_ == Use::Stored { Use::Truth } else { Use::Maybe });
                then.iter().for_each(|then| self.value(then, stored));
                self.value(otherwise, stored);
            }
            ExprKind::Comma(a, b) => {
                self.discarded(a);
                self.value(b, use_);
            }
            ExprKind::Assign { target, value } => {
                self.place(target, Use::Stored);
                self.value(value, Use::Stored);
            }
            ExprKind::CompoundAssign { op, target, value, .. } => self.compound(e, *op, target, value),
            ExprKind::IncDec { target, .. } => self.place(target, Use::Stored),
            ExprKind::Call { callee, args } => {
                let is_made = self.is_made_anyway(callee);
                if let Callee::Pointer(pointer) = callee {
                    self.value(pointer, Use::Stored);
                }
                args.iter().for_each(|arg| self.value(arg, if is_made { Use::Stored } else { Use::Maybe }));
            }
            ExprKind::Builtin { op: Builtin::Expect, args } => {
                args.iter().take(1).for_each(|arg| self.value(arg, use_));
                args.iter().skip(1).for_each(|arg| self.value(arg, Use::Maybe));
            }
            ExprKind::Builtin { args, .. } => args.iter().for_each(|arg| self.value(arg, Use::Maybe)),
            ExprKind::StmtExpr(block) => {
                if let Some((last, stmts)) = block.stmts.split_last() {
                    stmts.iter().for_each(|stmt| self.stmt(stmt));
                    match &last.kind {
                        StmtKind::Expr(value) => self.value(value, use_),
                        _ => self.stmt(last),
                    }
                }
            }
            ExprKind::VaArg { list } => self.place(list, Use::Stored),
        }
    }

    fn cast(&mut self, kind: CastKind, e: &Expr, value: &Expr, use_: Use) {
        let (to, from) = (self.cx.size_of(e.ty.ty), self.cx.size_of(value.ty.ty));
        let use_ = match (kind, use_) {
            (CastKind::ToVoid, _) => return self.discarded(value),
            (CastKind::NoOp, use_) => use_,
            (CastKind::IntToInt, Use::Stored) if to >= from => Use::Stored,
            (CastKind::IntToInt, Use::Direct) if to == from => Use::Direct,
            (CastKind::IntToInt, Use::Stored | Use::Operand) => Use::Direct,
            (CastKind::IntToFloat, Use::Stored) => Use::Direct,
            (CastKind::ToBool, Use::Stored | Use::Truth) => Use::Truth,
            _ => Use::Maybe,
        };
        self.value(value, use_);
    }

    fn compound(&mut self, e: &Expr, op: AssignOp, target: &Expr, value: &Expr) {
        self.place(target, Use::Stored);
        let divides = matches!(op, AssignOp::Arith(BinaryOp::Div | BinaryOp::Rem));
        let use_ = match self.is_fixed(target) {
            true => Use::Maybe,
            false if divides && self.is_opaque(value) && !mentions(value, target) => {
                self.found.insert(std::ptr::from_ref(e));
                Use::Direct
            }
            false if divides => Use::Maybe,
            false => Use::Operand,
        };
        self.value(value, use_);
    }

    fn binary(&mut self, e: &Expr, op: BinaryOp, (a, b): (&Expr, &Expr), use_: Use) {
        let (in_a, in_b) = match (constant(a), constant(b)) {
            _ if use_ == Use::Maybe => (Use::Maybe, Use::Maybe),
            _ if is_comparison(e) => match use_ {
                Use::Stored | Use::Truth => self.compared(op, a, b),
                _ => (Use::Maybe, Use::Maybe),
            },
            (Some(_), Some(_)) => (Use::Maybe, Use::Maybe),
            _ if !self.is_integer(e) => (Use::Maybe, Use::Maybe),
            (dividend, None) if matches!(op, BinaryOp::Div | BinaryOp::Rem) => {
                // An unsigned quotient is true if the dividend is not less than the divisor.
                let is_replaced = use_ == Use::Truth && op == BinaryOp::Div && self.is_unsigned(e);
                let has_dividend = match dividend {
                    Some(value) => value.unsigned_abs() > 1,
                    None => self.is_opaque(a) || has_division(a),
                };
                if has_dividend && !is_replaced && self.is_opaque(b) && !mentions(a, b) && !mentions(b, a) {
                    self.found.insert(std::ptr::from_ref(e));
                    (Use::Direct, Use::Direct)
                } else {
                    (Use::Maybe, Use::Maybe)
                }
            }
            _ if !matches!(use_, Use::Stored | Use::Operand) => (Use::Maybe, Use::Maybe),
            (None, Some(value)) if keeps(op, value) => (Use::Direct, Use::Maybe),
            (Some(value), None) if keeps(op, value) && !matches!(op, BinaryOp::Shl | BinaryOp::Shr) => {
                (Use::Maybe, Use::Direct)
            }
            (None, None) if are_apart(a, b) => {
                let side = |other: &Expr| if self.is_opaque(other) { Use::Operand } else { Use::Maybe };
                (side(b), side(a))
            }
            _ => (Use::Maybe, Use::Maybe),
        };
        self.value(a, in_a);
        self.value(b, in_b);
    }

    /// The uses of the operands of a comparison.
    fn compared(&self, op: BinaryOp, a: &Expr, b: &Expr) -> (Use, Use) {
        let side = |one: &Expr, is_certain: bool| match is_certain && self.has_any_value(one) {
            true => Use::Direct,
            false => Use::Maybe,
        };
        // Every type of a value has the small numbers.
        let is_small = |value: i128| match op {
            BinaryOp::Eq | BinaryOp::Ne => (0..=100).contains(&value),
            _ => (1..=100).contains(&value),
        };
        match (constant(a), constant(b)) {
            (Some(_), Some(_)) => (Use::Maybe, Use::Maybe),
            (None, Some(value)) => (side(a, is_small(value) && !self.is_unsigned_quotient(a)), Use::Maybe),
            (Some(value), None) => (Use::Maybe, side(b, is_small(value) && !self.is_unsigned_quotient(b))),
            (None, None) => {
                let apart = are_apart(a, b);
                (side(a, apart && self.is_opaque(b)), side(b, apart && self.is_opaque(a)))
            }
        }
    }

    fn is_integer(&self, e: &Expr) -> bool {
        matches!(self.cx.hir.types.get(e.ty.ty), Type::Int(_) | Type::Enum(_))
    }

    fn is_unsigned(&self, e: &Expr) -> bool {
        self.cx.sign(e.ty.ty) == Sign::Unsigned
    }

    fn is_unsigned_quotient(&self, e: &Expr) -> bool {
        let e = strip(e);
        matches!(e.kind, ExprKind::Binary(BinaryOp::Div, ..)) && self.is_unsigned(e)
    }

    /// Whether no compiler knows more of a value than its type: it is a division, or read from memory.
    fn has_any_value(&self, e: &Expr) -> bool {
        match &strip(e).kind {
            ExprKind::Load(place) => {
                let is_bool = self.cx.hir.types.int_kind(place.ty.ty) == Some(IntKind::Bool);
                !self.is_fixed(place) && is_whole(place) && !is_bool
            }
            _ => is_division(e),
        }
    }

    /// Whether an lvalue may be folded to the value that it was initialised with.
    fn is_fixed(&self, place: &Expr) -> bool {
        place.ty.quals.is_const
            || match &place.kind {
                ExprKind::Member { base, .. } => self.is_fixed(base),
                ExprKind::Local(_) | ExprKind::Global(_) => false,
                ExprKind::Deref(_) => false,
                _ => true,
            }
    }

    /// Whether no compiler folds an expression to a constant: it is a variable, a call, or made of one with operators that keep it.
    fn is_opaque(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Load(place) => !self.is_fixed(place),
            ExprKind::Call { callee, .. } => match callee {
                // Of functions that compilers know they may know the result.
                Callee::Direct(id) => !is_known_to_compilers(self.cx.hir.names.text(self.cx.hir.function(*id).name)),
                Callee::Pointer(_) => true,
            },
            ExprKind::Cast { kind: CastKind::IntToInt | CastKind::NoOp, value, .. } => self.is_opaque(value),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => match (constant(a), constant(b)) {
                (None, Some(_)) => self.is_opaque(a),
                (Some(_), None) => self.is_opaque(b),
                (None, None) => self.is_opaque(a) && self.is_opaque(b) && !mentions(a, b) && !mentions(b, a),
                (Some(_), Some(_)) => false,
            },
            ExprKind::Binary(BinaryOp::Mul, a, b) => match (constant(a), constant(b)) {
                (None, Some(value)) => value != 0 && self.is_opaque(a),
                (Some(value), None) => value != 0 && self.is_opaque(b),
                (None, None) => self.is_opaque(a) && self.is_opaque(b),
                (Some(_), Some(_)) => false,
            },
            _ => false,
        }
    }

    /// Whether an operand of `&&`, `||` and `?:` is neither a constant nor folded to one: variables, and comparisons of a variable
    /// with a small number.
    fn is_steady(&self, e: &Expr) -> bool {
        let is_variable =
            |e: &Expr| matches!(&strip(e).kind, ExprKind::Load(place) if !self.is_fixed(place) && is_whole(place));
        match &e.kind {
            _ if self.facts.has_effect(e) => true,
            ExprKind::Not(value) => self.is_steady(value),
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) if constant(b).is_some_and(|b| (0..2).contains(&b)) => {
                is_variable(a)
            }
            _ => is_variable(e),
        }
    }
}

/// Whether an lvalue is no bit-field, whose width bounds its values.
fn is_whole(place: &Expr) -> bool {
    matches!(place.kind, ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Deref(_))
}

fn strip(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast { kind: CastKind::IntToInt | CastKind::NoOp, value, .. } => strip(value),
        _ => e,
    }
}

fn constant(e: &Expr) -> Option<i128> {
    match &strip(e).kind {
        ExprKind::Int(value) => Some(*value),
        _ => None,
    }
}

fn is_comparison(e: &Expr) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(&e.kind, ExprKind::Binary(Eq | Ne | Lt | Le | Gt | Ge, ..))
}

/// Whether a division beside this constant is needed.
fn keeps(op: BinaryOp, constant: i128) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitXor => true,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::Mul => (1..=i128::from(i32::MAX)).contains(&constant),
        BinaryOp::Div | BinaryOp::Rem => (2..=100).contains(&constant),
        BinaryOp::Shl | BinaryOp::Shr => (0..8).contains(&constant),
        _ => false,
    }
}

/// Whether the value is that of a division.
fn is_division(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => true,
        ExprKind::Cast { kind: CastKind::NoOp, value, .. } => is_division(value),
        _ => false,
    }
}

/// The operands of an expression, as far as they are looked at here; `None` for expressions that are not.
fn operands(e: &Expr) -> Option<Vec<&Expr>> {
    Some(match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Func(_) => vec![],
        ExprKind::Load(a)
        | ExprKind::Deref(a)
        | ExprKind::AddrOf(a)
        | ExprKind::Decay(a)
        | ExprKind::Member { base: a, .. }
        | ExprKind::Cast { value: a, .. }
        | ExprKind::Neg(a)
        | ExprKind::BitNot(a)
        | ExprKind::Not(a) => vec![a],
        ExprKind::Binary(_, a, b)
        | ExprKind::PtrAdd { pointer: a, index: b, .. }
        | ExprKind::PtrDiff(a, b)
        | ExprKind::LogicalAnd(a, b)
        | ExprKind::LogicalOr(a, b) => vec![a, b],
        ExprKind::Call { callee: Callee::Direct(_), args } => args.iter().collect(),
        _ => return None,
    })
}

/// Whether there is, or may be, a division by what is no constant in an expression.
fn has_division(e: &Expr) -> bool {
    let divides = matches!(&e.kind, ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, b) if constant(b).is_none());
    divides || operands(e).is_none_or(|operands| operands.into_iter().any(has_division))
}

/// Whether an expression contains, or may contain, another one.
fn mentions(e: &Expr, part: &Expr) -> bool {
    alike(e, part) || operands(e).is_none_or(|operands| operands.into_iter().any(|operand| mentions(operand, part)))
}

/// Whether two operands have nothing in common by which a compiler could do without a division in one of them.
fn are_apart(a: &Expr, b: &Expr) -> bool {
    let divide_both = has_division(a) && has_division(b);
    let overlap = mentions(a, b) || mentions(b, a);
    !divide_both && !overlap
}

/// Whether two expressions have, or may have, the same text.
fn alike(a: &Expr, b: &Expr) -> bool {
    let (a, b) = (strip(a), strip(b));
    match (&a.kind, &b.kind) {
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Global(a), ExprKind::Global(b)) => a == b,
        (ExprKind::Member { field: x, .. }, ExprKind::Member { field: y, .. }) if x != y => false,
        (ExprKind::Binary(x, ..), ExprKind::Binary(y, ..)) if x != y => false,
        _ if std::mem::discriminant(&a.kind) != std::mem::discriminant(&b.kind) => false,
        _ => match (operands(a), operands(b)) {
            (Some(x), Some(y)) => x.len() == y.len() && x.iter().zip(y).all(|(a, b)| alike(a, b)),
            _ => true,
        },
    }
}
