//! Answers as C functions.
//!
//! The function has the value of the term for all values of its parameters. Bit-vectors are unsigned integers, printed by
//! `plumb-term`. Integers are mathematical: parameters are `int`, or `long long` where the examples need it, and
//! everything is computed in a type that no intermediate result can leave; a term that needs more than 128 bits is refused.
//! The choices at the top of a term become `if`s.
//!
//! SMT-LIB leaves division by zero of integers open; in C it is undefined.

use crate::Problem;
use crate::expr::Expr;
use crate::op::Op;
use crate::oracle::{bits_of, int_bits, lower};
use crate::sort::{Sort, Value};
use plumb_term::c_print::{CModel, CName, expression};
use plumb_term::{SymbolId, TermId, Terms};
use std::fmt;

/// Why there is no C for a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Intermediate results need so many bits.
    TooWide(u32),
    /// Integers inside of bit-vector expressions.
    Mixed,
    TooLong,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TooWide(bits) => write!(f, "intermediate results need {bits} bits, and C has types of 128"),
            Refusal::Mixed => f.write_str("integers inside of bit-vector expressions have no counterpart"),
            Refusal::TooLong => f.write_str("an expression would be too long"),
        }
    }
}

/// What C's types are.
const MODEL: CModel = CModel { int_bits: 32, has_int128: true };

/// Bytes of one expression.
const LONGEST: usize = 1 << 20;

/// A type for integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
enum Integer {
    Int,
    Long,
    Wide,
}

impl Integer {
    fn holding(bits: u32) -> Result<Integer, Refusal> {
        match bits {
            0..=32 => Ok(Integer::Int),
            33..=64 => Ok(Integer::Long),
            65..=128 => Ok(Integer::Wide),
            _ => Err(Refusal::TooWide(bits)),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Integer::Int => "int",
            Integer::Long => "long long",
            Integer::Wide => "__int128",
        }
    }
}

/// The definition of a C function by a term.
pub fn function(problem: &Problem, expr: &Expr) -> Result<String, Refusal> {
    let expanded = expr.expand();
    let parameter_bits = parameter_bits(problem);
    let bits = int_bits(&expanded, parameter_bits);
    let names = c_names(problem);
    let printer = Printer {
        inputs: problem.inputs.iter().map(|(_, sort)| *sort).collect(),
        names: &names,
        parameter: Integer::holding(parameter_bits)?,
        arithmetic: Integer::holding(bits.widest)?,
    };
    let result = match problem.output {
        Sort::Int => Integer::holding(bits.value)?.name().to_string(),
        sort => printer.type_name(sort),
    };
    let parameters: Vec<String> =
        names.iter().zip(&printer.inputs).map(|(name, sort)| format!("{} {name}", printer.type_name(*sort))).collect();
    let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
    let mut text = printer.support_functions(&expanded);
    text += &format!("{result} {}({parameters}) {{\n", c_name(&problem.name, "f"));
    printer.statements(&expanded, 1, &mut text)?;
    text += "}\n";
    Ok(text)
}

/// Bits of integer parameters: those of `int`, unless some example has more.
fn parameter_bits(problem: &Problem) -> u32 {
    let integers = problem.inputs.iter().enumerate().filter(|(_, (_, sort))| *sort == Sort::Int);
    let lanes = integers.flat_map(|(input, _)| problem.examples.input(input));
    let most = lanes.map(|lane| bits_of(*lane as i64)).max().unwrap_or(1);
    if most <= 32 { 32 } else { 64 }
}

/// Names of the inputs in C, all different.
fn c_names(problem: &Problem) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, (name, _)) in problem.inputs.iter().enumerate() {
        let mut name = c_name(name, &format!("in{at}"));
        while names.contains(&name) || name == c_name(&problem.name, "f") {
            name.push('_');
        }
        names.push(name);
    }
    names
}

/// The name itself if C can have it.
fn c_name(name: &str, otherwise: &str) -> String {
    const KEYWORDS: &str = "auto break case char const continue default do double else enum extern float for goto if inline \
        int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile \
        while asm typeof main bool true false nullptr alignas alignof constexpr static_assert thread_local";
    let is_identifier = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let is_taken = KEYWORDS.split_whitespace().any(|word| word == name) || name.starts_with("smt_");
    if is_identifier && !is_taken { name.to_string() } else { otherwise.to_string() }
}

/// Bits of the type that holds a bit-vector.
fn container(width: u32) -> u32 {
    width.next_power_of_two().max(8)
}

struct Printer<'a> {
    inputs: Vec<Sort>,
    names: &'a [String],
    parameter: Integer,
    arithmetic: Integer,
}

impl Printer<'_> {
    fn type_name(&self, sort: Sort) -> String {
        let name = match sort {
            Sort::Bool => "_Bool",
            Sort::Int => self.parameter.name(),
            Sort::Bv(width) => match container(width) {
                8 => "unsigned char",
                16 => "unsigned short",
                32 => "unsigned int",
                _ => "unsigned long long",
            },
        };
        name.to_string()
    }

    /// Functions for operators that C does not have.
    fn support_functions(&self, expr: &Expr) -> String {
        let ty = self.arithmetic.name();
        let mut text = String::new();
        if uses(expr, Op::IntDiv) {
            text += &format!(
                "static {ty} smt_div({ty} a, {ty} b) {{\n    {ty} q = a / b;\n    \
                 return a % b < 0 ? (b > 0 ? q - 1 : q + 1) : q;\n}}\n\n"
            );
        }
        if uses(expr, Op::IntMod) {
            text += &format!(
                "static {ty} smt_mod({ty} a, {ty} b) {{\n    {ty} r = a % b;\n    \
                 return r < 0 ? (b > 0 ? r + b : r - b) : r;\n}}\n\n"
            );
        }
        if uses(expr, Op::IntAbs) {
            text += &format!("static {ty} smt_abs({ty} a) {{\n    return a < 0 ? -a : a;\n}}\n\n");
        }
        text
    }

    fn statements(&self, expr: &Expr, depth: usize, out: &mut String) -> Result<(), Refusal> {
        let indent = "    ".repeat(depth);
        let mut expr = expr;
        while let Expr::Apply(Op::Ite, operands) = expr {
            let [condition, then, otherwise] = operands.as_slice() else { break };
            *out += &format!("{indent}if ({}) {{\n", self.value(condition)?);
            self.statements(then, depth + 1, out)?;
            *out += &format!("{indent}}}\n");
            expr = otherwise;
        }
        *out += &format!("{indent}return {};\n", self.value(expr)?);
        Ok(())
    }

    /// An expression, without the parentheses that it may need.
    fn value(&self, expr: &Expr) -> Result<String, Refusal> {
        let text = if self.has_integers(expr) { self.integer(expr)? } else { self.bits(expr)? };
        let is_wrapped = text.starts_with('(') && closes_at_end(&text);
        Ok(if is_wrapped { text[1..text.len() - 1].to_string() } else { text })
    }

    fn has_integers(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Input(at) => self.inputs[*at as usize] == Sort::Int,
            Expr::Const(value) => value.sort() == Sort::Int,
            Expr::Hole(_) => false,
            Expr::Apply(_, operands) | Expr::Call(_, operands) => operands.iter().any(|e| self.has_integers(e)),
        }
    }

    /// An expression without integers, by `plumb-term`.
    fn bits(&self, expr: &Expr) -> Result<String, Refusal> {
        let mut terms = Terms::new();
        let input = |(at, sort): (usize, &Sort)| -> TermId {
            let name = format!("in{at}");
            match sort {
                Sort::Bool | Sort::Int => terms.symbol(&name, plumb_term::Sort::Bool),
                Sort::Bv(width) => {
                    let whole = terms.symbol(&name, plumb_term::Sort::Bv(container(*width)));
                    terms.extract(whole, width - 1, 0)
                }
            }
        };
        let inputs: Vec<TermId> = self.inputs.iter().enumerate().map(input).collect();
        let term = lower(expr, &inputs, 1, &mut terms).term;
        let name = |symbol: SymbolId| {
            let at: usize = terms.symbol_name(symbol).strip_prefix("in")?.parse().ok()?;
            Some(CName { text: self.names[at].clone(), is_signed: false })
        };
        expression(&terms, term, MODEL, &name, LONGEST).map_err(|_| Refusal::TooLong)
    }

    /// An operand that has integers in it, or none.
    fn operand(&self, expr: &Expr) -> Result<String, Refusal> {
        if self.has_integers(expr) { self.integer(expr) } else { self.bits(expr).map(|text| format!("({text})")) }
    }

    fn integer(&self, expr: &Expr) -> Result<String, Refusal> {
        match expr {
            Expr::Input(at) => {
                let name = &self.names[*at as usize];
                let is_narrow = self.inputs[*at as usize] == Sort::Int && self.parameter < self.arithmetic;
                Ok(if is_narrow { format!("({}){name}", self.arithmetic.name()) } else { name.clone() })
            }
            Expr::Const(value) => Ok(self.constant(*value)),
            Expr::Hole(_) | Expr::Call(..) => unreachable!("the term is expanded and has no holes"),
            Expr::Apply(op, operands) => {
                let list: Vec<String> = operands.iter().map(|e| self.operand(e)).collect::<Result<_, _>>()?;
                let joined = |sign: &str| format!("({})", list.join(&format!(" {sign} ")));
                match op {
                    Op::Not => Ok(format!("(!{})", list[0])),
                    Op::And => Ok(joined("&&")),
                    Op::Or => Ok(joined("||")),
                    Op::Xor => Ok(joined("^")),
                    Op::Implies => Ok(format!("(!{} || {})", list[0], list[1])),
                    Op::Eq => Ok(joined("==")),
                    Op::Distinct => Ok(joined("!=")),
                    Op::Ite => Ok(format!("({} ? {} : {})", list[0], list[1], list[2])),
                    Op::IntNeg => Ok(format!("(-{})", list[0])),
                    Op::IntAdd => Ok(joined("+")),
                    Op::IntSub => Ok(joined("-")),
                    Op::IntMul => Ok(joined("*")),
                    Op::IntRem => Ok(joined("%")),
                    Op::IntLe => Ok(joined("<=")),
                    Op::IntLt => Ok(joined("<")),
                    Op::IntGe => Ok(joined(">=")),
                    Op::IntGt => Ok(joined(">")),
                    Op::IntDiv => Ok(format!("smt_div({}, {})", list[0], list[1])),
                    Op::IntMod => Ok(format!("smt_mod({}, {})", list[0], list[1])),
                    Op::IntAbs => Ok(format!("smt_abs({})", list[0])),
                    _ => Err(Refusal::Mixed),
                }
            }
        }
    }

    fn constant(&self, value: Value) -> String {
        let Some(number) = value.as_int() else { return value.lane().to_string() };
        let suffix = if self.arithmetic == Integer::Int { "" } else { "ll" };
        // The most negative numbers have no literals.
        let text = match number {
            i64::MIN => format!("(-{}ll - 1)", i64::MAX),
            number if number == i64::from(i32::MIN) && suffix.is_empty() => format!("(-{} - 1)", i32::MAX),
            number if number < 0 => format!("(-{}{suffix})", number.unsigned_abs()),
            number => format!("{number}{suffix}"),
        };
        if self.arithmetic == Integer::Wide { format!("(__int128){text}") } else { text }
    }
}

/// Does the parenthesis that a text begins with close at its end?
fn closes_at_end(text: &str) -> bool {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1 == text.len();
        }
    }
    false
}

fn uses(expr: &Expr, wanted: Op) -> bool {
    match expr {
        Expr::Input(_) | Expr::Hole(_) | Expr::Const(_) => false,
        Expr::Apply(op, operands) => *op == wanted || operands.iter().any(|operand| uses(operand, wanted)),
        Expr::Call(function, operands) => {
            uses(&function.body, wanted) || operands.iter().any(|operand| uses(operand, wanted))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::Examples;
    use crate::grammar::Grammar;

    fn problem(sort: Sort, names: &[&str]) -> Problem {
        let inputs: Vec<(String, Sort)> = names.iter().map(|name| (name.to_string(), sort)).collect();
        let examples = Examples::new(&vec![sort; names.len()], sort);
        Problem { name: "f".to_string(), inputs, output: sort, grammar: Grammar::new("S", sort), examples }
    }

    #[test]
    fn choices_become_statements() {
        let less = Expr::Apply(Op::IntLt, vec![Expr::Input(0), Expr::Input(1)]);
        let sum = Expr::Apply(Op::IntAdd, vec![Expr::Input(0), Expr::Const(Value::int(-1))]);
        let choice = Expr::Apply(Op::Ite, vec![less, sum, Expr::Input(1)]);
        let text = function(&problem(Sort::Int, &["x", "int"]), &choice).unwrap();
        let wanted = "long long f(int x, int in1) {\n    if ((long long)x < (long long)in1) {\n        \
                      return (long long)x + (-1ll);\n    }\n    return (long long)in1;\n}\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let square = |expr: Expr| Expr::Apply(Op::IntMul, vec![expr.clone(), expr]);
        let fourth = square(square(Expr::Input(0)));
        assert!(function(&problem(Sort::Int, &["x"]), &fourth).unwrap().contains("__int128"));
        assert_eq!(function(&problem(Sort::Int, &["x"]), &square(fourth)), Err(Refusal::TooWide(256)));
    }
}
