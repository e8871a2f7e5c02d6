//! Examples that are written around the application of a function: `(= (bvadd #x01 (f #x00)) #x02)` says what `f` gives for zero.
//!
//! **Idea.** An operator that is a bijection in the one operand that has the application is undone on the value: sums, differences,
//! negations, complements, exclusive ors. Others may have many solutions or none, and such a constraint is no example.

use super::command::ground;
use super::sexpr::{Kind, Sexpr};
use super::term::{Globals, Result, Scope};
use crate::expr::Expr;
use crate::op::Op;
use crate::sort::{Sort, Value};

/// Whether one of the names occurs in a term.
pub fn mentions(term: &Sexpr, names: &[String]) -> bool {
    match term.list() {
        Some(list) => list.iter().any(|part| mentions(part, names)),
        None => term.symbol().is_some_and(|symbol| names.iter().any(|name| name == symbol)),
    }
}

/// The application in a term of which all else is constant, and what it must give for the term to have a value.
pub fn isolate<'a>(globals: &Globals, term: &'a Sexpr, value: Value) -> Result<Option<(&'a Sexpr, Value)>> {
    let is_application = |term: &Sexpr| {
        let name = term.head().or_else(|| term.symbol());
        name.is_some_and(|name| globals.unknowns.iter().any(|unknown| unknown == name))
    };
    if is_application(term) {
        return Ok(Some((term, value)));
    }
    let (Some(name), Some([_, operands @ ..])) = (term.head(), term.list()) else { return Ok(None) };
    let inside = |operand: &&Sexpr| mentions(operand, &globals.unknowns);
    let Some(at) = operands.iter().position(|operand| inside(&operand)) else { return Ok(None) };
    let mut others = Vec::new();
    for (_, other) in operands.iter().enumerate().filter(|(place, _)| *place != at) {
        if inside(&other) {
            return Ok(None);
        }
        let Ok((expr, sort)) = globals.term(other, &mut Scope::default()) else { return Ok(None) };
        if sort != value.sort() {
            return Ok(None);
        }
        others.push(expr);
    }
    let Some(op) = Op::by_name(name, operands.len()) else { return Ok(None) };
    let Some(inverse) = undone(op, at, &others, value) else { return Ok(None) };
    isolate(globals, &operands[at], ground(&inverse, term.span)?)
}

/// The operand in a place for which an operator gives the value.
fn undone(op: Op, at: usize, others: &[Expr], value: Value) -> Option<Expr> {
    let result = Expr::Const(value);
    let take = |op: Op| others.iter().fold(result.clone(), |left, other| Expr::Apply(op, vec![left, other.clone()]));
    Some(match (op, at, others.len()) {
        (Op::BvAdd, _, 1..) => take(Op::BvSub),
        (Op::IntAdd, _, 1..) => take(Op::IntSub),
        (Op::BvXor, _, 1..) => take(Op::BvXor),
        (Op::Xor, _, 1..) => take(Op::Xor),
        (Op::BvSub, 0, 1) => take(Op::BvAdd),
        (Op::IntSub, 0, 1) => take(Op::IntAdd),
        (Op::BvSub | Op::IntSub, 1, 1) => Expr::Apply(op, vec![others[0].clone(), result]),
        (Op::BvNeg | Op::BvNot | Op::IntNeg | Op::Not, 0, 0) => Expr::Apply(op, vec![result]),
        _ => return None,
    })
    .filter(|_| value.sort() != Sort::Bool || matches!(op, Op::Xor | Op::Not))
}

/// A term with values for variables; `None` where it binds names of its own.
pub fn substitute(term: &Sexpr, values: &[(String, Sexpr)]) -> Option<Sexpr> {
    let kind = match &term.kind {
        Kind::List(_) if matches!(term.head(), Some("let" | "forall" | "exists")) => return None,
        Kind::List(list) => Kind::List(list.iter().map(|part| substitute(part, values)).collect::<Option<_>>()?),
        Kind::Symbol(symbol) => match values.iter().find(|(name, _)| name == symbol) {
            Some((_, value)) => value.kind.clone(),
            None => term.kind.clone(),
        },
        other => other.clone(),
    };
    Some(Sexpr { kind, span: term.span })
}
