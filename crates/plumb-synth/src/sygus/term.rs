//! Terms, sorts and constants as SMT-LIB writes them.

use super::sexpr::{Diagnostic, Kind, Sexpr};
use crate::expr::{Expr, Function};
use crate::grammar::NonterminalId;
use crate::op::Op;
use crate::sort::{MAX_WIDTH, Sort, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Larger terms, after the expansion of calls and `let`, are refused.
const MAX_SIZE: usize = 1_000_000;

/// Names that hold for the whole file.
#[derive(Default)]
pub struct Globals {
    pub sorts: FxHashMap<String, Sort>,
    pub functions: FxHashMap<String, Arc<Function>>,
    /// Functions to be synthesised: constraints speak of them, terms may not.
    pub unknowns: Vec<String>,
}

/// Names that a term may use.
#[derive(Default)]
pub struct Scope {
    pub inputs: Vec<(String, Sort)>,
    pub nonterminals: Vec<(String, Sort, NonterminalId)>,
    /// Nonterminals in the order in which the term has them.
    pub holes: Vec<NonterminalId>,
    bound: Vec<(String, Expr, Sort)>,
}

impl Scope {
    pub fn of(inputs: &[(String, Sort)]) -> Scope {
        Scope { inputs: inputs.to_vec(), ..Scope::default() }
    }
}

pub type Result<T> = std::result::Result<T, Diagnostic>;

impl Globals {
    pub fn sort(&self, sexpr: &Sexpr) -> Result<Sort> {
        let wrong = |message: String| Err(Diagnostic::new(sexpr.span, message).label("not supported"));
        match (sexpr.symbol(), sexpr.list()) {
            (Some("Bool"), _) => Ok(Sort::Bool),
            (Some("Int"), _) => Ok(Sort::Int),
            (Some(name), _) => match self.sorts.get(name) {
                Some(sort) => Ok(*sort),
                None => wrong(format!("the sort `{name}` is not supported; there are Bool, Int and bit-vectors")),
            },
            (_, Some(list)) => {
                let words: Vec<Option<&str>> = list.iter().map(Sexpr::symbol).collect();
                let width = match (words.as_slice(), list) {
                    ([Some("_"), Some("BitVec"), None], [_, _, width]) => width,
                    ([Some("BitVec"), None], [_, width]) => width,
                    _ => return wrong("the sort is not supported; there are Bool, Int and bit-vectors".to_string()),
                };
                match numeral(width)? {
                    bits if (1..=MAX_WIDTH).contains(&bits) => Ok(Sort::Bv(bits)),
                    bits => wrong(format!("bit-vectors of {bits} bits are not supported, only of 1 to {MAX_WIDTH}")),
                }
            }
            _ => wrong(format!("a sort is expected, not {sexpr}")),
        }
    }

    /// A term with its sort.
    pub fn term(&self, sexpr: &Sexpr, scope: &mut Scope) -> Result<(Expr, Sort)> {
        let (expr, sort) = self.term_inside(sexpr, scope)?;
        if expr.expanded_size() > MAX_SIZE {
            return Err(Diagnostic::new(sexpr.span, format!("the term has more than {MAX_SIZE} nodes")));
        }
        Ok((expr, sort))
    }

    fn term_inside(&self, sexpr: &Sexpr, scope: &mut Scope) -> Result<(Expr, Sort)> {
        if let Some(value) = constant(sexpr)? {
            return Ok((Expr::Const(value), value.sort()));
        }
        match &sexpr.kind {
            Kind::Symbol(name) => self.name(sexpr, name, scope),
            Kind::List(list) => self.application(sexpr, list, scope),
            Kind::Keyword(_) | Kind::Decimal(_) | Kind::Text(_) => {
                Err(Diagnostic::new(sexpr.span, format!("a term is expected, not {sexpr}")))
            }
            Kind::Numeral(_) | Kind::Hex(_) | Kind::Binary(_) => {
                Err(Diagnostic::new(sexpr.span, format!("the constant {sexpr} is not supported")))
            }
        }
    }

    fn name(&self, sexpr: &Sexpr, name: &str, scope: &mut Scope) -> Result<(Expr, Sort)> {
        if let Some((_, expr, sort)) = scope.bound.iter().rev().find(|(bound, ..)| bound == name) {
            return Ok((expr.clone(), *sort));
        }
        if let Some((_, sort, id)) = scope.nonterminals.iter().find(|(known, ..)| known == name) {
            let hole = Expr::Hole(scope.holes.len() as u32);
            scope.holes.push(*id);
            return Ok((hole, *sort));
        }
        if let Some(at) = scope.inputs.iter().position(|(input, _)| input == name) {
            return Ok((Expr::Input(at as u32), scope.inputs[at].1));
        }
        if self.functions.contains_key(name) {
            return self.call(sexpr, name, Vec::new());
        }
        Err(Diagnostic::new(sexpr.span, format!("`{name}` is not declared")).label("unknown name"))
    }

    fn application(&self, sexpr: &Sexpr, list: &[Sexpr], scope: &mut Scope) -> Result<(Expr, Sort)> {
        let Some((head, rest)) = list.split_first() else {
            return Err(Diagnostic::new(sexpr.span, "a term is expected, not an empty list"));
        };
        match head.symbol() {
            Some("let") => return self.bind(sexpr, rest, scope),
            Some(name @ ("forall" | "exists" | "!" | "match" | "lambda" | "as")) => {
                return Err(Diagnostic::new(head.span, format!("`{name}` is not supported in terms")));
            }
            Some(_) | None => {}
        }
        let operands: Vec<(Expr, Sort)> = rest.iter().map(|e| self.term_inside(e, scope)).collect::<Result<_>>()?;
        let op = match (head.symbol(), head.list()) {
            (Some(name), _) => {
                if self.functions.contains_key(name) {
                    return self.call(sexpr, name, operands);
                }
                if self.unknowns.iter().any(|unknown| unknown == name) {
                    let message = format!("`{name}` is to be synthesised and cannot be used in a term");
                    return Err(Diagnostic::new(head.span, message));
                }
                Op::by_name(name, operands.len())
            }
            (_, Some(indexed)) => match indexed.split_first() {
                Some((under, [name, indices @ ..])) if under.symbol() == Some("_") => {
                    let indices: Vec<u32> = indices.iter().map(numeral).collect::<Result<_>>()?;
                    name.symbol().and_then(|name| Op::indexed(name, &indices))
                }
                _ => None,
            },
            _ => None,
        };
        let Some(op) = op else {
            let message = format!("the operator {head} is not supported");
            return Err(Diagnostic::new(head.span, message).label("unknown operator"));
        };
        let (operands, sorts): (Vec<Expr>, Vec<Sort>) = operands.into_iter().unzip();
        if let Some(unfolded) = chain(op, &operands, &sorts) {
            return Ok((unfolded, Sort::Bool));
        }
        match op.result(&sorts) {
            Some(sort) => Ok((Expr::Apply(op, operands), sort)),
            None => {
                let sorts: Vec<String> = sorts.iter().map(Sort::to_string).collect();
                let message = format!("`{}` does not take operands of sorts {}", op.name(), sorts.join(", "));
                Err(Diagnostic::new(sexpr.span, message))
            }
        }
    }

    fn call(&self, sexpr: &Sexpr, name: &str, operands: Vec<(Expr, Sort)>) -> Result<(Expr, Sort)> {
        let function = self.functions[name].clone();
        let (operands, sorts): (Vec<Expr>, Vec<Sort>) = operands.into_iter().unzip();
        if !function.parameters.iter().map(|(_, sort)| *sort).eq(sorts) {
            let wanted: Vec<String> = function.parameters.iter().map(|(_, sort)| sort.to_string()).collect();
            let message = format!("`{name}` takes operands of sorts {}", wanted.join(", "));
            return Err(Diagnostic::new(sexpr.span, message));
        }
        let sort = function.result;
        Ok((Expr::Call(function, operands), sort))
    }

    /// `let`: all terms are read before any name is bound.
    fn bind(&self, sexpr: &Sexpr, rest: &[Sexpr], scope: &mut Scope) -> Result<(Expr, Sort)> {
        let wrong = || Diagnostic::new(sexpr.span, "`let` takes a list of names with terms, and a term");
        let [bindings, body] = rest else { return Err(wrong()) };
        if !scope.nonterminals.is_empty() {
            return Err(Diagnostic::new(sexpr.span, "`let` is not supported in grammars"));
        }
        let mut new = Vec::new();
        for binding in bindings.list().ok_or_else(wrong)? {
            let Some([name, term]) = binding.list() else { return Err(wrong()) };
            let (expr, sort) = self.term(term, scope)?;
            new.push((name.symbol().ok_or_else(wrong)?.to_string(), expr, sort));
        }
        let before = scope.bound.len();
        scope.bound.extend(new);
        let result = self.term(body, scope);
        scope.bound.truncate(before);
        result
    }
}

/// Relations of more than two operands: of every two neighbours, or of every two for `distinct`. In a grammar a nonterminal
/// stands for another term in every place, so that nothing with one can be written twice.
fn chain(op: Op, operands: &[Expr], sorts: &[Sort]) -> Option<Expr> {
    let is_relation =
        operands.len() > 2 && op.result(&sorts[..2]) == Some(Sort::Bool) && !op.folds() && op != Op::Implies;
    if !is_relation || sorts.iter().any(|sort| *sort != sorts[0]) || operands.iter().any(has_holes) {
        return None;
    }
    let pair = |a: usize, b: usize| Expr::Apply(op, vec![operands[a].clone(), operands[b].clone()]);
    let last = operands.len() - 1;
    let pairs: Vec<Expr> = match op {
        Op::Distinct => (0..last).flat_map(|a| (a + 1..=last).map(move |b| (a, b))).map(|(a, b)| pair(a, b)).collect(),
        _ => (0..last).map(|a| pair(a, a + 1)).collect(),
    };
    Some(Expr::Apply(Op::And, pairs))
}

fn has_holes(expr: &Expr) -> bool {
    match expr {
        Expr::Hole(_) => true,
        Expr::Input(_) | Expr::Const(_) => false,
        Expr::Apply(_, operands) | Expr::Call(_, operands) => operands.iter().any(has_holes),
    }
}

/// A numeral that is a count.
pub fn numeral(sexpr: &Sexpr) -> Result<u32> {
    match &sexpr.kind {
        Kind::Numeral(digits) => {
            digits.parse().map_err(|_| Diagnostic::new(sexpr.span, format!("the number `{digits}` is too large here")))
        }
        _ => Err(Diagnostic::new(sexpr.span, format!("a number is expected, not {sexpr}"))),
    }
}

/// The constant that an expression is, negative integers included.
fn constant(sexpr: &Sexpr) -> Result<Option<Value>> {
    let too_large = || {
        Diagnostic::new(sexpr.span, "integer constants beyond 64 bits are not supported").label("does not fit 64 bits")
    };
    let integer = |text: String| text.parse().map(|value| Some(Value::int(value))).map_err(|_| too_large());
    let bits = |digits: &str, radix: u32, width: u32| match u64::from_str_radix(digits, radix) {
        Ok(bits) if width <= MAX_WIDTH => Ok(Some(Value::bv(width, bits))),
        _ => {
            let message = format!("bit-vectors of {width} bits are not supported, only of 1 to {MAX_WIDTH}");
            Err(Diagnostic::new(sexpr.span, message))
        }
    };
    match &sexpr.kind {
        Kind::Numeral(digits) => integer(digits.clone()),
        Kind::Hex(digits) => bits(digits, 16, digits.len() as u32 * 4),
        Kind::Binary(digits) => bits(digits, 2, digits.len() as u32),
        Kind::Symbol(name) => match name.as_str() {
            "true" => Ok(Some(Value::bool(true))),
            "false" => Ok(Some(Value::bool(false))),
            _ => match name.strip_prefix('-') {
                Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                    integer(name.clone())
                }
                _ => Ok(None),
            },
        },
        Kind::List(list) => match list.as_slice() {
            [minus, Sexpr { kind: Kind::Numeral(digits), .. }] if minus.symbol() == Some("-") => {
                integer(format!("-{digits}"))
            }
            [under, name, width] if under.symbol() == Some("_") => {
                let Some(digits) = name.symbol().and_then(|name| name.strip_prefix("bv")) else { return Ok(None) };
                let width = numeral(width)?;
                let is_wide = digits.parse::<u64>().is_ok_and(|bits| width < 64 && bits >> width.min(63) != 0);
                if is_wide || width == 0 {
                    return Err(Diagnostic::new(sexpr.span, format!("`{digits}` does not fit {width} bits")));
                }
                bits(digits, 10, width)
            }
            _ => Ok(None),
        },
        Kind::Keyword(_) | Kind::Decimal(_) | Kind::Text(_) => Ok(None),
    }
}
