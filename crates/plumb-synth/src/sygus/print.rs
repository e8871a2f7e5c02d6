//! Answers as SyGuS-IF writes them.

use super::sexpr::is_symbol_byte;
use crate::Problem;
use crate::expr::Expr;
use std::fmt::Write;

/// The definition of a function by a term.
pub fn define_fun(problem: &Problem, expr: &Expr) -> String {
    let parameters: Vec<String> =
        problem.inputs.iter().map(|(name, sort)| format!("({} {sort})", symbol(name))).collect();
    let mut text = format!("(define-fun {} ({}) {} ", symbol(&problem.name), parameters.join(" "), problem.output);
    term(expr, problem, &mut text);
    text.push(')');
    text
}

/// A name, in bars where it needs them.
pub fn symbol(name: &str) -> String {
    let is_simple = !name.is_empty()
        && name.bytes().all(|byte| is_symbol_byte(&byte))
        && !name.starts_with(|first: char| first.is_ascii_digit());
    if is_simple { name.to_string() } else { format!("|{name}|") }
}

fn term(expr: &Expr, problem: &Problem, out: &mut String) {
    let mut apply = |name: &str, operands: &[Expr]| {
        let _ = write!(out, "({name}");
        for operand in operands {
            out.push(' ');
            term(operand, problem, out);
        }
        out.push(')');
    };
    match expr {
        Expr::Apply(op, operands) => apply(&op.name(), operands),
        Expr::Call(function, operands) if operands.is_empty() => out.push_str(&symbol(&function.name)),
        Expr::Call(function, operands) => apply(&symbol(&function.name), operands),
        Expr::Input(at) => out.push_str(&symbol(&problem.inputs[*at as usize].0)),
        Expr::Const(value) => {
            let _ = write!(out, "{value}");
        }
        Expr::Hole(at) => {
            let _ = write!(out, "?{at}");
        }
    }
}
