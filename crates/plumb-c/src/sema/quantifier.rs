//! CBMC's quantifiers over constant ranges: `__CPROVER_forall { int i; (0 <= i && i < 10) ==> a[i] == 0 }`.
//!
//! The range is what the comparisons of the variable with constants leave: in front of `==>` for `forall`, and anywhere in
//! the conjunction for `exists`. Outside of it the whole is true or false by these comparisons alone, so it is the
//! conjunction or disjunction of its instances, each of which is a block that declares the variable with its value.

use super::Sema;
use super::convert::{error_node, int_node};
use crate::ast::{self, BinaryOp, Block, BlockItem, Declaration, Init, Stmt, StmtKind, UnaryOp};
use crate::hir::Expr;
use crate::names::Name;
use crate::source::Span;
use crate::types::{IntKind, TypeTable};

/// Values that a quantified variable may have.
const MOST_INSTANCES: i128 = 4096;

impl Sema<'_> {
    pub(crate) fn quantifier(&mut self, forall: bool, variable: &Declaration, body: &ast::Expr, span: Span) -> Expr {
        let Some((name, kind)) = self.quantified(variable, span) else { return error_node(span) };
        let Some((low, high)) = self.quantified_range(forall, name, kind, body) else {
            self.error_help(
                span,
                format!("the range of '{}' is not constant", self.text(name)),
                "bound it from both sides by constants of its signedness: `(0 <= i && i < 10) ==> ...`, or `... && ...` for \
                 exists",
            );
            return error_node(span);
        };
        if high - low >= MOST_INSTANCES {
            self.error_help(
                span,
                format!("the range of '{}' has more than {MOST_INSTANCES} values", self.text(name)),
                "check the property with a loop",
            );
            return error_node(span);
        }
        let instances = (low..=high).map(|value| instance(variable, value, body)).collect();
        match joined(instances, forall) {
            Some(whole) => self.expr(&whole),
            None => int_node(forall as i128, TypeTable::INT, span),
        }
    }

    /// The name and type of the variable.
    fn quantified(&mut self, variable: &Declaration, span: Span) -> Option<(Name, IntKind)> {
        let named = match &variable.declarators[..] {
            [only] if only.init.is_none() => only.declarator.name,
            _ => None,
        };
        let kind = named.and_then(|name| {
            let value = ast::Expr { kind: ast::ExprKind::Ident(name), span };
            let (e, _) = self.unevaluated(&block_with(variable.clone(), value));
            self.types.int_kind(e.ty.ty)
        });
        let found = named.zip(kind);
        if found.is_none() {
            self.error_help(span, "a quantifier declares one integer variable", "write `{ int i; ... }`");
        }
        found
    }

    /// The values for which the comparisons with constants hold.
    fn quantified_range(&mut self, forall: bool, name: Name, kind: IntKind, body: &ast::Expr) -> Option<(i128, i128)> {
        let mut conjuncts = Vec::new();
        match &body.kind {
            ast::ExprKind::LogicalOr(not, _) if forall => {
                if let ast::ExprKind::Unary(UnaryOp::Not, range) = &not.kind {
                    collect_conjuncts(range, &mut conjuncts);
                }
            }
            _ if forall => {}
            _ => collect_conjuncts(body, &mut conjuncts),
        }
        let is_signed = kind.is_signed(&self.types.target);
        let bits = kind.bytes(&self.types.target) * 8;
        // What a small type can hold is a range in itself.
        let whole = match (bits, is_signed) {
            _ if kind == IntKind::Bool => Some((0, 1)),
            (8, true) => Some((-128, 127)),
            (8, false) => Some((0, 255)),
            _ => None,
        };
        let (mut low, mut high) = (whole.map(|w| w.0).or((!is_signed).then_some(0)), whole.map(|w| w.1));
        for conjunct in conjuncts {
            let ast::ExprKind::Binary(op, a, b) = &conjunct.kind else { continue };
            let is_variable = |e: &ast::Expr| matches!(&e.kind, ast::ExprKind::Ident(n) if *n == name);
            let (op, other) = match (is_variable(a), is_variable(b)) {
                (true, false) => (*op, b),
                (false, true) => (mirrored(*op), a),
                _ => continue,
            };
            let Some(bound) = self.bound(other, is_signed) else { continue };
            match op {
                BinaryOp::Lt => high = Some(high.map_or(bound - 1, |h| h.min(bound - 1))),
                BinaryOp::Le => high = Some(high.map_or(bound, |h| h.min(bound))),
                BinaryOp::Gt => low = Some(low.map_or(bound + 1, |l| l.max(bound + 1))),
                BinaryOp::Ge => low = Some(low.map_or(bound, |l| l.max(bound))),
                _ => {}
            }
        }
        low.zip(high)
    }

    /// A constant that the variable is compared with as the numbers that both are: no conversion changes either.
    fn bound(&mut self, e: &ast::Expr, variable_is_signed: bool) -> Option<i128> {
        let (e, _) = self.unevaluated(e);
        let value = self.try_const_int(&e)?;
        let kind = self.types.int_kind(e.ty.ty)?;
        let is_signed = kind.is_signed(&self.types.target) || kind.rank() < IntKind::Int.rank();
        let same = if variable_is_signed { is_signed } else { value >= 0 };
        same.then_some(value)
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

fn collect_conjuncts<'e>(e: &'e ast::Expr, out: &mut Vec<&'e ast::Expr>) {
    match &e.kind {
        ast::ExprKind::LogicalAnd(a, b) => {
            collect_conjuncts(a, out);
            collect_conjuncts(b, out);
        }
        _ => out.push(e),
    }
}

/// `({ declaration; value; })`.
fn block_with(declaration: Declaration, value: ast::Expr) -> ast::Expr {
    let span = value.span;
    let items =
        vec![BlockItem::Declaration(declaration), BlockItem::Statement(Stmt { kind: StmtKind::Expr(value), span })];
    ast::Expr { kind: ast::ExprKind::StmtExpr(Box::new(Block { items, span })), span }
}

/// The body for one value of the variable.
fn instance(variable: &Declaration, value: i128, body: &ast::Expr) -> ast::Expr {
    let span = variable.span;
    let long = ast::LongSuffix::None;
    let size = ast::ExprKind::Int { value: value.unsigned_abs(), decimal: true, unsigned: false, long };
    let mut number = ast::Expr { kind: size, span };
    if value < 0 {
        number = ast::Expr { kind: ast::ExprKind::Unary(UnaryOp::Neg, Box::new(number)), span };
    }
    let mut declaration = variable.clone();
    declaration.declarators.iter_mut().for_each(|d| d.init = Some(Init::Expr(number.clone())));
    block_with(declaration, body.clone())
}

/// All of them, or any, as a balanced tree; `None` if there are none.
fn joined(mut list: Vec<ast::Expr>, all: bool) -> Option<ast::Expr> {
    while list.len() > 1 {
        let mut next = Vec::with_capacity(list.len().div_ceil(2));
        let mut rest = list.into_iter();
        while let Some(a) = rest.next() {
            let span = a.span;
            next.push(match rest.next() {
                Some(b) => {
                    let (a, b) = (Box::new(a), Box::new(b));
                    let kind = if all { ast::ExprKind::LogicalAnd(a, b) } else { ast::ExprKind::LogicalOr(a, b) };
                    ast::Expr { kind, span }
                }
                None => a,
            });
        }
        list = next;
    }
    list.pop()
}
