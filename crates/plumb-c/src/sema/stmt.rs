//! Statements: blocks, control flow, labels, `switch`, inline assembly.
//!
//! A labelled statement in a block becomes a label on an empty statement followed by the statement itself, so that the value of a
//! statement expression is found in its last statement.

use super::convert::{Class, error_node};
use super::expr::is_lvalue;
use super::query::has_effect;
use super::{Sema, SwitchContext};
use crate::ast::{self, BlockItem, ForInit, StmtKind as Ast};
use crate::hir::{self, AsmStmt, Block, Expr, LabelId, Stmt, StmtKind};
use crate::names::Name;
use crate::source::Span;
use crate::types::TypeTable;
use rustc_hash::FxHashMap;

impl Sema<'_> {
    /// The body of the function in `self.function`, in a scope of its own within the parameters'.
    pub(crate) fn function_body(&mut self, block: &ast::Block) -> Block {
        if let Some(f) = &mut self.function
            && f.label_scopes.is_empty()
        {
            f.label_scopes.push(FxHashMap::default());
        }
        let body = self.block(block);
        self.check_labels();
        body
    }

    pub(crate) fn block(&mut self, block: &ast::Block) -> Block {
        let label_scopes = self.function.as_ref().map_or(0, |f| f.label_scopes.len());
        self.push_scope();
        let mut stmts = Vec::with_capacity(block.items.len());
        for item in &block.items {
            if self.diags.saturated() {
                break;
            }
            self.block_item(item, &mut stmts);
        }
        let locals = self.pop_scope();
        if let Some(f) = &mut self.function {
            f.label_scopes.truncate(label_scopes);
        }
        Block { stmts, locals, span: block.span }
    }

    fn block_item(&mut self, item: &BlockItem, out: &mut Vec<Stmt>) {
        match item {
            BlockItem::Declaration(d) => self.local_declaration(d, out),
            BlockItem::Statement(s) => self.block_statement(s, out),
            BlockItem::StaticAssert(s) => self.static_assert(s),
            BlockItem::LocalLabels(names) => self.local_labels(names),
            BlockItem::NestedFunction(f) => self.error_help(
                f.span,
                "functions inside functions are not supported",
                "move the function to file scope and pass what it uses as parameters",
            ),
        }
    }

    fn block_statement(&mut self, mut s: &ast::Stmt, out: &mut Vec<Stmt>) {
        while let Ast::Label { name, body, .. } = &s.kind {
            if let Some(label) = self.define_label(*name, s.span) {
                let body = Box::new(Stmt { kind: StmtKind::Empty, span: s.span });
                out.push(Stmt { kind: StmtKind::Label { label, body }, span: s.span });
            }
            s = body;
        }
        let mark = self.pending_mark();
        let kind = self.statement_kind(s);
        out.extend(self.take_pending(mark));
        out.push(Stmt { kind, span: s.span });
    }

    fn statement(&mut self, s: &ast::Stmt) -> Stmt {
        let mark = self.pending_mark();
        let kind = self.statement_kind(s);
        let stmt = Stmt { kind, span: s.span };
        let mut lengths = self.take_pending(mark);
        if lengths.is_empty() {
            return stmt;
        }
        lengths.push(stmt);
        Stmt { kind: StmtKind::Block(Block { stmts: lengths, locals: Vec::new(), span: s.span }), span: s.span }
    }

    fn boxed(&mut self, s: &ast::Stmt) -> Box<Stmt> {
        Box::new(self.statement(s))
    }

    fn statement_kind(&mut self, s: &ast::Stmt) -> StmtKind {
        match &s.kind {
            Ast::Empty => StmtKind::Empty,
            Ast::Expr(e) => StmtKind::Expr(self.rvalue(e)),
            Ast::Block(block) => StmtKind::Block(self.block(block)),
            Ast::If { cond, then, otherwise } => {
                let cond = self.condition(cond);
                let then = self.boxed(then);
                let otherwise = otherwise.as_ref().map(|s| self.boxed(s));
                StmtKind::If { cond, then, otherwise }
            }
            Ast::While { cond, body } => {
                let cond = self.condition(cond);
                StmtKind::While { cond, body: self.loop_body(body) }
            }
            Ast::DoWhile { body, cond } => {
                let body = self.loop_body(body);
                StmtKind::DoWhile { body, cond: self.condition(cond) }
            }
            Ast::For { init, cond, step, body } => self.for_loop(init, cond.as_ref(), step.as_ref(), body),
            Ast::Switch { value, body } => self.switch(value, body),
            Ast::Case { low, high, body } => self.case(low, high.as_ref(), body, s.span),
            Ast::Default { body } => self.default_case(body, s.span),
            Ast::Label { name, body, .. } => {
                let label = self.define_label(*name, s.span);
                let body = self.boxed(body);
                match label {
                    Some(label) => StmtKind::Label { label, body },
                    None => body.kind,
                }
            }
            Ast::Goto(name) => self.label(*name, s.span).map_or(StmtKind::Empty, StmtKind::Goto),
            Ast::GotoComputed(target) => {
                let target = self.rvalue(target);
                let pointer = self.void_pointer();
                StmtKind::GotoComputed(self.convert_for_assign(target, pointer.into(), "computed goto"))
            }
            Ast::Break => self.break_statement(s.span),
            Ast::Continue => self.continue_statement(s.span),
            Ast::Return(value) => self.return_statement(value.as_ref(), s.span),
            Ast::Asm(asm) => self.asm(asm),
        }
    }

    fn condition(&mut self, e: &ast::Expr) -> Expr {
        let e = self.rvalue(e);
        self.check_scalar(e)
    }

    fn loop_body(&mut self, body: &ast::Stmt) -> Box<Stmt> {
        self.change_loop_depth(1);
        let body = self.boxed(body);
        self.change_loop_depth(-1);
        body
    }

    fn change_loop_depth(&mut self, by: isize) {
        if let Some(f) = &mut self.function {
            f.loop_depth = f.loop_depth.saturating_add_signed(by);
        }
    }

    fn for_loop(
        &mut self,
        init: &ForInit,
        cond: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
    ) -> StmtKind {
        self.push_scope();
        let mut first = Vec::new();
        match init {
            ForInit::None => {}
            ForInit::Expr(e) => {
                let mark = self.pending_mark();
                let value = self.rvalue(e);
                first.extend(self.take_pending(mark));
                first.push(Stmt { span: value.span, kind: StmtKind::Expr(value) });
            }
            ForInit::Declaration(d) => self.local_declaration(d, &mut first),
        }
        let cond = cond.map(|e| self.condition(e));
        let step = step.map(|e| self.rvalue(e));
        let body = self.loop_body(body);
        let scope = self.pop_scope();
        StmtKind::For { init: first, cond, step, body, scope }
    }

    fn break_statement(&mut self, span: Span) -> StmtKind {
        if self.function.as_ref().is_none_or(|f| f.loop_depth == 0 && f.switches.is_empty()) {
            self.error(span, "'break' outside a loop or switch");
        }
        StmtKind::Break
    }

    fn continue_statement(&mut self, span: Span) -> StmtKind {
        if self.function.as_ref().is_none_or(|f| f.loop_depth == 0) {
            self.error(span, "'continue' outside a loop");
        }
        StmtKind::Continue
    }

    fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt) -> StmtKind {
        let value = self.rvalue(value);
        let value = match self.class(value.ty.ty) {
            Class::Int(_) => self.promote(value),
            Class::Error => value,
            Class::Void | Class::Float(_) | Class::Pointer(_) | Class::Array | Class::Function | Class::Record(_) => {
                let shown = self.show(value.ty.ty);
                self.error(value.span, format!("a switch needs an integer, and this has type '{shown}'"));
                error_node(value.span)
            }
        };
        let context = SwitchContext { ty: value.ty.ty, cases: Vec::new(), has_default: false };
        if let Some(f) = &mut self.function {
            f.switches.push(context);
        }
        let body = self.boxed(body);
        if let Some(context) = self.function.as_mut().and_then(|f| f.switches.pop()) {
            self.check_cases(context.cases);
        }
        StmtKind::Switch { value, body }
    }

    /// Reports values that two cases share.
    fn check_cases(&mut self, mut cases: Vec<(i128, i128, Span)>) {
        cases.sort_by_key(|&(low, _, span)| (low, span.start));
        let mut covered: Option<i128> = None;
        for (low, high, span) in cases {
            if covered.is_some_and(|c| low <= c) {
                self.error(span, format!("the value {low} has a case already"));
            }
            covered = covered.max(Some(high));
        }
    }

    fn case(&mut self, low: &ast::Expr, high: Option<&ast::Expr>, body: &ast::Stmt, span: Span) -> StmtKind {
        let Some(ty) = self.function.as_ref().and_then(|f| f.switches.last()).map(|s| s.ty) else {
            self.error(span, "'case' outside a switch");
            return self.statement_kind(body);
        };
        let first = self.case_value(low, ty);
        let last = match high {
            Some(high) => self.case_value(high, ty),
            None => first,
        };
        let (Some(first), Some(last)) = (first, last) else { return self.statement_kind(body) };
        if first <= last
            && let Some(context) = self.function.as_mut().and_then(|f| f.switches.last_mut())
        {
            context.cases.push((first, last, span));
        }
        StmtKind::Case { low: first, high: last, body: self.boxed(body) }
    }

    fn case_value(&mut self, e: &ast::Expr, ty: crate::types::TyId) -> Option<i128> {
        let value = self.const_int(e, "the value of this case")?;
        match self.class(ty) {
            Class::Int(kind) => Some(self.wrap_int(value, kind)),
            _ => None,
        }
    }

    fn default_case(&mut self, body: &ast::Stmt, span: Span) -> StmtKind {
        match self.function.as_mut().and_then(|f| f.switches.last_mut()) {
            None => {
                self.error(span, "'default' outside a switch");
                return self.statement_kind(body);
            }
            Some(context) if context.has_default => self.error(span, "this switch has a default already"),
            Some(context) => context.has_default = true,
        }
        StmtKind::Default { body: self.boxed(body) }
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> StmtKind {
        let Some(value) = value else { return StmtKind::Return(None) };
        let Some(ret) = self.function.as_ref().map(|f| f.ret) else { return StmtKind::Return(None) };
        let value = self.rvalue(value);
        if ret.ty != TypeTable::VOID {
            return StmtKind::Return(Some(self.convert_for_assign(value, ret, "return")));
        }
        // The value is computed for its effects only.
        let value = self.discard(value, span);
        let stmts = vec![Stmt { kind: StmtKind::Expr(value), span }, Stmt { kind: StmtKind::Return(None), span }];
        StmtKind::Block(Block { stmts, locals: Vec::new(), span })
    }

    fn asm(&mut self, asm: &ast::AsmStmt) -> StmtKind {
        let mut outputs = Vec::with_capacity(asm.outputs.len());
        let mut inputs = Vec::with_capacity(asm.inputs.len());
        let mut ties = Vec::new();
        for operand in &asm.outputs {
            let target = self.expr(&operand.value);
            if self.is_error(&target) {
                continue;
            }
            if !is_lvalue(&target) {
                self.error(target.span, "an output of inline assembly must be an object");
                continue;
            }
            // "+r" is read as well; an operand with effects is left to its evaluation as an output.
            if operand.constraint.contains(&b'+') && !has_effect(&target) {
                let read = self.loaded(target.clone());
                ties.push((outputs.len(), inputs.len()));
                inputs.push(read);
            }
            outputs.push(target);
        }
        let mut memory_inputs = Vec::new();
        for (index, operand) in asm.inputs.iter().enumerate() {
            let place = self.expr(&operand.value);
            if operand.constraint.contains(&b'm') && is_lvalue(&place) && !has_effect(&place) {
                memory_inputs.push((asm.outputs.len() + index, place));
            }
            let value = self.rvalue(&operand.value);
            if self.is_error(&value) {
                continue;
            }
            let matching =
                std::str::from_utf8(&operand.constraint).ok().and_then(|c| c.trim_start_matches('%').parse().ok());
            if let Some(output) = matching.filter(|&output: &usize| output < outputs.len()) {
                ties.push((output, inputs.len()));
            }
            inputs.push(value);
        }
        let labels = asm.labels.iter().filter_map(|(name, span)| self.label(*name, *span)).collect();
        // Assembly that says nothing of what it changes may change whatever it can name.
        let says_nothing = asm.outputs.is_empty() && asm.inputs.is_empty() && asm.clobbers.is_empty();
        let clobbers_memory = says_nothing || asm.clobbers.iter().any(|c| c == b"memory");
        let template = asm.template.clone();
        StmtKind::Asm(Box::new(AsmStmt { template, outputs, inputs, memory_inputs, ties, clobbers_memory, labels }))
    }

    /// `__label__ a, b;`: the names denote labels of this block.
    fn local_labels(&mut self, names: &[(Name, Span)]) {
        let mut scope = FxHashMap::default();
        for (name, span) in names {
            if let Some(label) = self.new_label(*name, *span) {
                scope.insert(*name, label);
            }
        }
        if let Some(f) = &mut self.function {
            f.label_scopes.push(scope);
        }
    }

    fn new_label(&mut self, name: Name, span: Span) -> Option<LabelId> {
        let f = self.function.as_mut()?;
        let id = f.labels.push_and_get_key(hir::Label { name, address_taken: false, span });
        f.defined_labels.push(false);
        Some(id)
    }

    /// The label that a name denotes, perhaps one defined further down. `None`, reported, outside functions.
    pub(crate) fn label(&mut self, name: Name, span: Span) -> Option<LabelId> {
        let Some(f) = &self.function else {
            self.error(span, "a label can be used only inside a function");
            return None;
        };
        if let Some(&id) = f.label_scopes.iter().rev().find_map(|scope| scope.get(&name)) {
            return Some(id);
        }
        let id = self.new_label(name, span)?;
        if let Some(scope) = self.function.as_mut().and_then(|f| f.label_scopes.first_mut()) {
            scope.insert(name, id);
        }
        Some(id)
    }

    fn define_label(&mut self, name: Name, span: Span) -> Option<LabelId> {
        if self.text(name).starts_with("__CPROVER_ASYNC_") {
            self.error_help(
                span,
                "labels '__CPROVER_ASYNC_*' start a thread in CBMC, and threads are not supported",
                "call the function in sequence, or leave it out",
            );
        }
        let id = self.label(name, span)?;
        let f = self.function.as_mut()?;
        if std::mem::replace(f.defined_labels.get_mut(id)?, true) {
            let text = self.text(name);
            self.error(span, format!("the label '{text}' is defined twice"));
            return None;
        }
        f.labels[id].span = span;
        Some(id)
    }

    /// Reports labels that are used and not defined.
    fn check_labels(&mut self) {
        let Some(f) = &self.function else { return };
        let missing: Vec<(Name, Span)> =
            f.labels.iter().zip(&f.defined_labels).filter(|(_, d)| !**d).map(|(l, _)| (l.name, l.span)).collect();
        for (name, span) in missing {
            let text = self.text(name);
            self.error_help(
                span,
                format!("the label '{text}' is used but not defined"),
                "put the label on a statement of this function",
            );
        }
    }
}
