//! Statements.

use super::cond::branch_targets;
use super::function::{Ending, JumpTarget, Lowerer, Slot};
use super::types::Class;
use crate::expr::ExprId;
use crate::input::InputOrigin;
use crate::program::{BranchKind, Intrinsic, Loc, LoopKind, VarRef};
use plumb_c::hir::{self, ExprKind, Stmt, StmtKind};
use plumb_c::source::Span;
use plumb_c::types::TyId;

impl<'a> Lowerer<'_, 'a> {
    pub(super) fn block(&mut self, block: &'a hir::Block) {
        let outside = self.endings.len();
        self.start_scope(&block.locals, block.span);
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        self.end_scope(outside, block.span);
    }

    /// Brings the objects to life that end with a scope.
    fn start_scope(&mut self, locals: &[hir::LocalId], span: Span) {
        for &id in locals {
            let Slot::Scoped(var) = self.slots[id] else { continue };
            let Some(local) = self.body.map(|b| b.local(id)) else { continue };
            let size = self.cx.size_of(local.ty.ty);
            let size = self.b.size(size);
            self.intrinsic(Intrinsic::StackAlloc, vec![size], Some(VarRef::Local(var)), span);
            self.endings.push(Ending::Free(var));
            if self.facts.skipped[id] {
                self.havoc_local(id, InputOrigin::Uninitialised, span);
            }
        }
    }

    /// The end of a scope: everything is done that is to be done beyond the first `kept` endings.
    pub(super) fn end_scope(&mut self, kept: usize, span: Span) {
        self.run_endings(kept, span);
        self.endings.truncate(kept);
    }

    /// The same on a path that leaves, while the scope goes on elsewhere.
    pub(super) fn run_endings(&mut self, kept: usize, span: Span) {
        for i in (kept..self.endings.len()).rev() {
            match self.endings[i] {
                Ending::Free(var) => {
                    let address = self.b.local(var);
                    self.intrinsic(Intrinsic::StackFree, vec![address], None, span);
                }
                Ending::Call(call) => self.discard(call),
            }
        }
    }

    /// The calls of cleanup functions on a path that returns; objects end with the activation.
    pub(super) fn clean_up(&mut self, span: Span) {
        for i in (0..self.endings.len()).rev() {
            if let Ending::Call(call) = self.endings[i] {
                self.full_expression(span);
                self.discard(call);
            }
        }
    }

    /// A statement expression's block: the value of its last statement.
    pub(super) fn block_value(&mut self, block: &'a hir::Block, cty: TyId) -> Option<ExprId> {
        let Some((last, first)) = block.stmts.split_last().filter(|_| !self.cx.is_void(cty)) else {
            self.block(block);
            return None;
        };
        let outside = self.endings.len();
        self.start_scope(&block.locals, block.span);
        for stmt in first {
            self.stmt(stmt);
        }
        let mut value = self.last_value(last);
        if self.endings.len() > outside {
            value = value.map(|v| self.keep_value(v, cty, last.span));
        }
        self.end_scope(outside, block.span);
        value
    }

    /// A value whose storage is about to die.
    fn keep_value(&mut self, value: ExprId, cty: TyId, span: Span) -> ExprId {
        match self.cx.class(cty) {
            Class::Record => {
                let copy = self.record_object("value", cty, span);
                self.copy_record_anew(copy, value, cty, span);
                copy
            }
            Class::Scalar(_) | Class::Void => self.b.save(value, span),
        }
    }

    fn last_value(&mut self, stmt: &'a Stmt) -> Option<ExprId> {
        match &stmt.kind {
            StmtKind::Expr(e) if !self.cx.is_void(e.ty.ty) => {
                self.full_expression(stmt.span);
                Some(self.value(e))
            }
            StmtKind::Label { label, body } => {
                self.define_label(*label, stmt.span);
                self.last_value(body)
            }
            _ => {
                self.stmt(stmt);
                None
            }
        }
    }

    pub(super) fn stmt(&mut self, stmt: &'a Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => {
                self.full_expression(span);
                self.discard(e);
            }
            StmtKind::Declare { local, init } => self.declare(*local, init.as_ref(), span),
            StmtKind::Defer(call) => self.endings.push(Ending::Call(call)),
            StmtKind::VlaSize { local, len } => {
                self.full_expression(len.span);
                let place = self.local_place(*local);
                let value = self.value(len);
                let word = self.b.word();
                let value = self.fit(value, len.ty.ty, word);
                self.write(place, value, len.ty.ty, span);
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { cond, then, otherwise } => self.if_stmt(cond, then, otherwise.as_deref(), span),
            StmtKind::While { cond, body } => self.while_stmt(cond, body, span),
            StmtKind::DoWhile { body, cond } => self.do_while(body, cond, span),
            StmtKind::For { init, cond, step, body, scope } => {
                let outside = self.endings.len();
                self.start_scope(scope, span);
                self.for_stmt(init, cond.as_ref(), step.as_ref(), body, span);
                self.end_scope(outside, span);
            }
            StmtKind::Switch { value, body } => {
                self.full_expression(value.span);
                self.switch(value, body, span);
            }
            StmtKind::Case { low, high, body } => {
                self.define_case(Some((*low, *high)), span);
                self.stmt(body);
            }
            StmtKind::Default { body } => {
                self.define_case(None, span);
                self.stmt(body);
            }
            StmtKind::Label { label, body } => {
                self.define_label(*label, span);
                self.stmt(body);
            }
            StmtKind::Goto(label) => self.goto(*label, span),
            StmtKind::GotoComputed(target) => {
                self.full_expression(target.span);
                self.computed_goto(target, span);
            }
            StmtKind::Break => self.leave(self.breaks.last().copied(), span),
            StmtKind::Continue => self.leave(self.continues.last().copied(), span),
            StmtKind::Return(value) => {
                // Programs end here as well, after the expression.
                self.full_expression(span);
                value.iter().for_each(|value| self.full_expression(value.span));
                self.return_stmt(value.as_ref(), span);
            }
            StmtKind::Asm(asm) => {
                self.full_expression(span);
                self.assembly(asm, span);
            }
        }
    }

    /// Notes where a full expression of the user's is.
    fn full_expression(&mut self, span: Span) {
        if self.is_user_code() {
            self.cx.full_expressions.push(span);
        }
    }

    /// Whether the function is one of the program's own, and not a library model.
    pub(super) fn is_user_code(&self) -> bool {
        self.id.is_some_and(|id| !self.cx.hir.function(id).is_library)
    }

    fn declare(&mut self, local: hir::LocalId, init: Option<&'a hir::Initializer>, span: Span) {
        if let Slot::Vla(var) = self.slots[local] {
            self.allocate_array(local, var, span);
        } else if init.is_none() {
            self.havoc_local(local, InputOrigin::Uninitialised, span);
        }
        if let Some(init) = init {
            // An initialiser is one full expression, however many parts it has.
            let whole = init.parts.iter().map(|part| part.value.span).reduce(Span::to);
            whole.into_iter().for_each(|whole| self.full_expression(whole));
            self.initialise(local, init, span);
        }
    }

    fn allocate_array(&mut self, local: hir::LocalId, var: crate::program::LocalVar, span: Span) {
        let Some(info) = self.body.map(|b| b.local(local)) else {
            return;
        };
        self.check_array_size(info.ty.ty, span);
        let size = self.dynamic_size(info.ty.ty);
        let size = self.b.reusable(size, span);
        self.intrinsic(Intrinsic::StackAlloc, vec![size], Some(VarRef::Local(var)), span);
        self.endings.push(Ending::Free(var));
        let name = info.name.map_or_else(|| "%hidden".into(), |n| self.cx.hir.names.shared(n));
        let addr = self.b.local(var);
        self.havoc_region(addr, size, InputOrigin::Uninitialised(name), span);
    }

    fn if_stmt(&mut self, cond: &'a hir::Expr, then: &'a Stmt, otherwise: Option<&'a Stmt>, span: Span) {
        let (yes, join) = (self.b.new_loc(), self.b.new_loc());
        let no = if otherwise.is_some() { self.b.new_loc() } else { join };
        let (if_true, if_false) = branch_targets(BranchKind::If, yes, no);
        self.full_expression(cond.span);
        self.branch(cond, if_true, if_false);
        self.b.at(yes);
        self.scoped(then);
        self.b.jump(join, span);
        if let Some(otherwise) = otherwise {
            self.b.at(no);
            self.scoped(otherwise);
            self.b.jump(join, span);
        }
        self.b.at(join);
    }

    /// A statement that is a block of its own (C11 6.8.4p3, 6.8.5p5).
    fn scoped(&mut self, stmt: &'a Stmt) {
        let outside = self.endings.len();
        self.stmt(stmt);
        self.end_scope(outside, stmt.span);
    }

    /// A loop's body, with the places that `break` and `continue` lead to.
    fn loop_body(&mut self, body: &'a Stmt, after: Loc, next: Loc) {
        let alive = self.endings.len();
        self.breaks.push(JumpTarget { loc: after, alive });
        self.continues.push(JumpTarget { loc: next, alive });
        self.scoped(body);
        self.continues.pop();
        self.breaks.pop();
    }

    fn while_stmt(&mut self, cond: &'a hir::Expr, body: &'a Stmt, span: Span) {
        let (head, inside, after) = (self.b.new_loc(), self.b.new_loc(), self.b.new_loc());
        self.b.continue_at(head, span);
        self.b.add_loop(LoopKind::While, head, span);
        let (enter, leave) = branch_targets(BranchKind::While, inside, after);
        self.full_expression(cond.span);
        self.branch(cond, enter, leave);
        self.b.at(inside);
        self.loop_body(body, after, head);
        self.b.jump(head, span);
        self.b.at(after);
    }

    fn do_while(&mut self, body: &'a Stmt, cond: &'a hir::Expr, span: Span) {
        let (inside, test, after) = (self.b.new_loc(), self.b.new_loc(), self.b.new_loc());
        self.b.continue_at(inside, span);
        self.b.add_loop(LoopKind::DoWhile, inside, span);
        self.loop_body(body, after, test);
        self.b.continue_at(test, span);
        let (repeat, leave) = branch_targets(BranchKind::DoWhile, inside, after);
        self.full_expression(cond.span);
        self.branch(cond, repeat, leave);
        self.b.at(after);
    }

    fn for_stmt(
        &mut self,
        init: &'a [Stmt],
        cond: Option<&'a hir::Expr>,
        step: Option<&'a hir::Expr>,
        body: &'a Stmt,
        span: Span,
    ) {
        for stmt in init {
            self.stmt(stmt);
        }
        let (head, inside) = (self.b.new_loc(), self.b.new_loc());
        let (next, after) = (self.b.new_loc(), self.b.new_loc());
        self.b.continue_at(head, span);
        self.b.add_loop(LoopKind::For, head, span);
        match cond {
            Some(cond) => {
                let (enter, leave) = branch_targets(BranchKind::For, inside, after);
                self.full_expression(cond.span);
                self.branch(cond, enter, leave);
            }
            None => self.b.jump(inside, span),
        }
        self.b.at(inside);
        self.loop_body(body, after, next);
        self.b.continue_at(next, span);
        if let Some(step) = step {
            self.full_expression(step.span);
            self.discard(step);
        }
        self.b.jump(head, span);
        self.b.at(after);
    }

    fn leave(&mut self, target: Option<JumpTarget>, span: Span) {
        match target {
            Some(target) => {
                self.run_endings(target.alive, span);
                self.b.jump(target.loc, span);
            }
            None => self.cx.broken_promise(span, "a jump out of nothing"),
        }
    }

    pub(super) fn goto(&mut self, label: hir::LabelId, span: Span) {
        let kept = self.facts.label_endings[label] as usize;
        self.run_endings(kept, span);
        self.b.jump(self.labels[label], span);
    }

    fn define_label(&mut self, label: hir::LabelId, span: Span) {
        let loc = self.labels[label];
        self.b.continue_at(loc, span);
        if let Some(info) = self.body.and_then(|b| b.labels.get(label)) {
            let name = self.cx.hir.names.shared(info.name);
            self.b.add_label(name, loc);
        }
    }

    fn return_stmt(&mut self, value: Option<&'a hir::Expr>, span: Span) {
        let Some(value) = value else {
            return self.fall_off_the_end(span);
        };
        match self.cx.class(self.ret) {
            Class::Void => {
                self.discard(value);
                self.return_value(None, span);
            }
            Class::Record => {
                let value = self.value(value);
                self.return_record(value, span);
            }
            Class::Scalar(ty) => {
                let cty = value.ty.ty;
                let is_void = matches!(value.kind, ExprKind::Call { .. }) && self.cx.is_void(cty);
                if is_void {
                    self.discard(value);
                    return self.fall_off_the_end(span);
                }
                let value = self.value(value);
                let value = self.fit(value, cty, ty);
                self.return_value(Some(value), span);
            }
        }
    }
}
