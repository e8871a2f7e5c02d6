//! The constructors: one method of [`Terms`] per operator, and those that are built from others.
//!
//! A constructor folds constants, puts the operands of commutative operators in order (constants last, else by id),
//! tries the rules of [`crate::rewrite`], and finds or makes the term when none applies. Operands of
//! wrong sorts are errors of the caller, caught by debug assertions.

mod array;
mod boolean;
mod bv;
mod count;
mod float;

use crate::eval;
use crate::op::{BinaryOp, Kind, UnaryOp};
use crate::rewrite;
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

/// Rules inside of rules are asked down to here, which bounds the stack.
const MAX_DEPTH: u32 = 64;
/// So many constructions inside of one ask rules, which bounds its cost.
const MAX_WORK: u32 = 1000;

impl Terms {
    /// What a rule makes of a term that is not there yet, or the term itself.
    fn rewritten(&mut self, kind: Kind, sort: Sort, rules: impl FnOnce(&mut Terms) -> Option<TermId>) -> TermId {
        if self.depth == 0 {
            self.work = 0;
        }
        if self.depth >= MAX_DEPTH || self.work >= MAX_WORK {
            return self.make(kind, sort);
        }
        self.work += 1;
        self.depth += 1;
        let found = rules(self);
        self.depth -= 1;
        found.unwrap_or_else(|| self.make(kind, sort))
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, a: TermId, sort: Sort) -> TermId {
        if op != UnaryOp::ConstArray
            && let Some(value) = self.constant(a)
        {
            return self.value(&eval::unary(op, &value, sort));
        }
        let kind = Kind::Unary(op, a);
        self.rewritten(kind, sort, |terms| rewrite::unary(terms, op, a, sort))
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId, sort: Sort) -> TermId {
        let (a, b) = if op.is_commutative() { self.in_order(a, b) } else { (a, b) };
        if self.is_const(a)
            && let (Some(x), Some(y)) = (self.constant(a), self.constant(b))
        {
            return self.value(&eval::binary(op, &x, &y));
        }
        let kind = Kind::Binary(op, a, b);
        self.rewritten(kind, sort, |terms| rewrite::binary(terms, op, a, b, sort))
    }

    /// Constants last, else by id.
    fn in_order(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let swap = match (self.is_const(a), self.is_const(b)) {
            (true, false) => true,
            (false, true) => false,
            (true, true) | (false, false) => b < a,
        };
        if swap { (b, a) } else { (a, b) }
    }

    /// The same operator on other operands, rewritten. Leaves stay as they are.
    pub fn rebuild(&mut self, id: TermId, operands: &[TermId]) -> TermId {
        let sort = self.sort(id);
        match (self.kind(id), operands) {
            (Kind::Unary(op, _), [a]) => self.unary(op, *a, sort),
            (Kind::Binary(op, ..), [a, b]) => self.binary(op, *a, *b, sort),
            (Kind::Ite(..), [c, a, b]) => self.ite(*c, *a, *b),
            (Kind::Fma(..), [a, b, c]) => self.float_fma(*a, *b, *c),
            (Kind::Store(..), [a, i, v]) => self.store(*a, *i, *v),
            (Kind::Extract { hi, lo, .. }, [a]) => self.extract(*a, hi, lo),
            (Kind::Const | Kind::Symbol(_), _) => id,
            (kind, _) => {
                debug_assert!(false, "{} operands for {kind:?}", operands.len());
                id
            }
        }
    }
}
