//! Jumps with many targets: `switch` and computed `goto`, both chains of two-way branches.

use super::cond::branch_targets;
use super::function::{Case, JumpTarget, Lowerer};
use crate::expr::{BinOp, ExprId, Sign};
use crate::program::BranchKind;
use crate::ty::Ty;
use plumb_c::hir::{self, Stmt};
use plumb_c::source::Span;

impl<'a> Lowerer<'_, 'a> {
    pub(super) fn switch(&mut self, value: &'a hir::Expr, body: &'a Stmt, span: Span) {
        let cty = value.ty.ty;
        let value = self.value(value);
        let value = self.b.reusable(value, span);
        let head = self.b.here();
        let after = self.b.new_loc();
        self.breaks.push(JumpTarget { loc: after, alive: self.endings.len() });
        self.switches.push(Vec::new());
        // What stands before the first `case` is not reached.
        self.b.stop();
        let outside = self.endings.len();
        self.stmt(body);
        self.end_scope(outside, span);
        self.b.jump(after, span);
        self.breaks.pop();
        let cases = self.switches.pop().unwrap_or_default();
        self.b.at(head);
        self.dispatch(value, self.cx.sign(cty), &cases, after, span);
        self.b.at(after);
    }

    pub(super) fn define_case(&mut self, range: Option<(i128, i128)>, span: Span) {
        let loc = self.b.new_loc();
        self.b.continue_at(loc, span);
        match self.switches.last_mut() {
            Some(cases) => cases.push(Case { range, loc, span }),
            None => self.cx.broken_promise(span, "a case outside of a switch"),
        }
    }

    /// Tests the cases in the order of the source; what matches none goes to `default` or behind the statement.
    fn dispatch(&mut self, value: ExprId, sign: Sign, cases: &[Case], after: crate::program::Loc, span: Span) {
        for case in cases {
            let Some((low, high)) = case.range else {
                continue;
            };
            if low > high {
                continue;
            }
            let cond = self.in_range(value, sign, low, high);
            let next = self.b.new_loc();
            let (yes, no) = branch_targets(BranchKind::Switch, case.loc, next);
            self.b.branch(cond, yes, no, case.span);
            self.b.at(next);
        }
        let rest = cases.iter().find(|c| c.range.is_none()).map_or(after, |c| c.loc);
        self.b.jump(rest, span);
    }

    fn in_range(&mut self, value: ExprId, sign: Sign, low: i128, high: i128) -> ExprId {
        let ty = self.b.ty(value);
        let least = self.b.int(low, ty);
        if low == high {
            return self.b.binary(BinOp::Eq, sign, value, least);
        }
        let greatest = self.b.int(high, ty);
        let above = self.b.binary(BinOp::Le, sign, least, value);
        let below = self.b.binary(BinOp::Le, sign, value, greatest);
        self.b.and(above, below)
    }

    /// `goto *target`: labels are numbers, and the target is compared with each whose address is taken.
    pub(super) fn computed_goto(&mut self, target: &'a hir::Expr, span: Span) {
        let target = self.value(target);
        let target = self.b.save(target, span);
        let target = self.b.reusable(target, span);
        let labels = self.body.into_iter().flat_map(|b| b.labels.iter_enumerated());
        for (label, _) in labels.filter(|(_, l)| l.address_taken) {
            let address = self.b.int(label.number() as i128, Ty::Ptr);
            let cond = self.b.binary(BinOp::Eq, Sign::Unsigned, target, address);
            let (there, next) = (self.b.new_loc(), self.b.new_loc());
            let (yes, no) = branch_targets(BranchKind::Goto, there, next);
            self.b.branch(cond, yes, no, span);
            self.b.at(there);
            self.goto(label, span);
            self.b.at(next);
        }
        self.unsupported("a computed goto to an address that is not a label of this function", span);
    }
}
