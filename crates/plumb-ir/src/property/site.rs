//! A place that checks are made for: the edges that leave one location.

use super::selection::CheckSelection;
use crate::check::CheckKind;
use crate::expr::{ExprId, ExprKind};
use crate::fold;
use crate::form;
use crate::make::Make;
use crate::program::{Function, Program};
use plumb_c::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// A condition that must hold before the edges run.
pub(super) struct Requirement {
    pub kind: CheckKind,
    pub cond: ExprId,
    pub message: String,
    pub span: Span,
}

pub(super) struct Site<'a> {
    pub program: &'a Program,
    pub function: &'a Function,
    pub make: Make<'a>,
    pub span: Span,
    pub found: Vec<Requirement>,
    selection: CheckSelection,
    /// The expression at hand is evaluated only if this holds.
    guard: Option<ExprId>,
    seen: FxHashSet<(ExprId, Option<ExprId>)>,
    fingerprints: form::Fingerprints,
    /// What is in `found`, by kind and fingerprint: a long expression has many conditions.
    required: FxHashMap<(CheckKind, u64), Vec<ExprId>>,
}

impl<'a> Site<'a> {
    pub fn new(program: &'a Program, function: &'a Function, make: Make<'a>, selection: CheckSelection) -> Site<'a> {
        Site {
            program,
            function,
            make,
            span: Span::NONE,
            found: Vec::new(),
            selection,
            guard: None,
            seen: FxHashSet::default(),
            fingerprints: form::Fingerprints::default(),
            required: FxHashMap::default(),
        }
    }

    pub fn wants(&self, kind: CheckKind) -> bool {
        self.selection.contains(kind)
    }

    /// Makes a check, unless it cannot fail or is there already.
    pub fn require(&mut self, kind: CheckKind, cond: ExprId, message: String) {
        let cond = match self.guard {
            Some(guard) => {
                let otherwise = self.make.not(guard);
                self.make.or(otherwise, cond)
            }
            None => cond,
        };
        let exprs = &*self.make.exprs;
        if fold::constant(exprs, cond, self.make.target).is_some_and(|value| !value.is_zero()) {
            return;
        }
        let fingerprint = self.fingerprints.of(exprs, cond);
        let alike = self.required.entry((kind, fingerprint)).or_default();
        if alike.iter().any(|&other| form::same(exprs, other, cond, &mut 200)) {
            return;
        }
        alike.push(cond);
        self.found.push(Requirement { kind, cond, message, span: self.span });
    }

    /// Calls `apply` on the expression and all its parts in order of evaluation, operands first.
    pub fn walk(&mut self, id: ExprId, apply: &mut impl FnMut(&mut Site<'a>, ExprId)) {
        if self.seen.contains(&(id, None)) || !self.seen.insert((id, self.guard)) {
            return;
        }
        match self.make.exprs.kind(id) {
            ExprKind::And(a, b) => {
                self.walk(a, apply);
                self.walk_if(a, b, apply);
            }
            ExprKind::Or(a, b) => {
                self.walk(a, apply);
                let otherwise = self.make.not(a);
                self.walk_if(otherwise, b, apply);
            }
            ExprKind::Ite(c, a, b) => {
                self.walk(c, apply);
                self.walk_if(c, a, apply);
                let otherwise = self.make.not(c);
                self.walk_if(otherwise, b, apply);
            }
            kind => kind.operands().for_each(|operand| self.walk(operand, apply)),
        }
        apply(self, id);
    }

    fn walk_if(&mut self, cond: ExprId, id: ExprId, apply: &mut impl FnMut(&mut Site<'a>, ExprId)) {
        if !has_operators(self, id) {
            return;
        }
        let outer = self.guard;
        self.guard = Some(match outer {
            Some(guard) => self.make.and(guard, cond),
            None => cond,
        });
        self.walk(id, apply);
        self.guard = outer;
    }
}

/// Registers, constants and addresses need no checks and so no guard.
fn has_operators(site: &Site<'_>, id: ExprId) -> bool {
    site.make.exprs.kind(id).operands().next().is_some()
}
