//! Synthesis against a reference implementation, by counterexamples.
//!
//! The reference gives the outputs of examples, the search a term that satisfies them, and `plumb-solve` the answer whether
//! the term differs from the reference somewhere: such an input is the next example (Solar-Lezama et al., ASPLOS 2006). Only
//! what the solver shows equal is an answer. The solver decides bit-vectors; integers are refused by the reader of files.

use crate::Problem;
use crate::budget::{Budget, Ended};
use crate::expr::Expr;
use crate::oracle::{self, Oracle};
use crate::rank::Ranked;
use crate::search::synthesise;
use crate::sort::{Sort, Value};
use plumb_solve::{BitSolver, Limits, Outcome, Solver};
use plumb_term::{TermId, Terms};

/// A term over the inputs that the function must equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    pub expr: Expr,
}

/// What came of the search.
#[derive(Clone, Debug)]
pub struct Refined {
    /// The answers to the examples of the last round; those that came before the counterexamples are among them.
    pub ranked: Ranked,
    /// The examples of the last round.
    pub problem: Problem,
    /// Whether the best answer equals the reference on all inputs: the solver has shown it.
    pub is_proved: bool,
}

/// Searches for a term that equals the reference on all inputs and satisfies the problem's examples.
pub fn synthesise_against(problem: &Problem, reference: &Reference, budget: &Budget) -> Refined {
    let mut problem = problem.clone();
    let mut left = budget.candidates;
    let sorts: Vec<Sort> = problem.inputs.iter().map(|(_, sort)| *sort).collect();
    let oracle = Oracle::new(&reference.expr, &sorts, 64);
    for inputs in first_inputs(&sorts) {
        add(&mut problem, oracle.as_ref(), &inputs);
    }
    loop {
        let mut ranked = synthesise(&problem, &Budget { candidates: left, ..budget.clone() });
        left -= ranked.effort.candidates.min(left);
        let Some(answer) = ranked.complete().map(|answer| answer.expr.clone()) else {
            return Refined { ranked, problem, is_proved: false };
        };
        match difference(&answer, reference, &sorts, budget) {
            Verdict::Equal => return Refined { ranked, problem, is_proved: true },
            Verdict::Differ(inputs) if add(&mut problem, oracle.as_ref(), &inputs) => {}
            Verdict::Differ(_) | Verdict::Unknown => {
                ranked.ended = Ended::Stopped;
                return Refined { ranked, problem, is_proved: false };
            }
        }
    }
}

/// Adds the example of these inputs; false if the reference has no value for them.
fn add(problem: &mut Problem, oracle: Option<&Oracle>, inputs: &[Value]) -> bool {
    let output = oracle.and_then(|oracle| oracle.value(inputs));
    output.is_some_and(|output| problem.examples.push(inputs, output).is_ok())
}

/// Inputs to begin with: small numbers and bounds.
fn first_inputs(sorts: &[Sort]) -> Vec<Vec<Value>> {
    let pick = |choice: usize, at: usize, sort: &Sort| {
        let mask = sort.mask();
        let lanes = [0, 1, mask, 5, mask ^ mask >> 1, 0x5a3c_96e1_7b42_d8f0];
        Value::from_lane(*sort, lanes[(choice * (at + 1) + at) % lanes.len()])
    };
    let inputs = |choice: usize| sorts.iter().enumerate().map(|(at, sort)| pick(choice, at, sort)).collect();
    (0..6).map(inputs).collect()
}

enum Verdict {
    Equal,
    Differ(Vec<Value>),
    Unknown,
}

/// An input on which a term and the reference differ, according to the solver.
fn difference(answer: &Expr, reference: &Reference, sorts: &[Sort], budget: &Budget) -> Verdict {
    let expanded = [answer, &reference.expr].map(Expr::expand);
    // Integers may occur inside, as constants: they have as many bits as they need.
    let int_bits = expanded.iter().map(|expr| oracle::int_bits(expr, 1).widest).max().unwrap_or(1);
    if int_bits > oracle::MAX_INT_BITS {
        return Verdict::Unknown;
    }
    let mut terms = Terms::new();
    let symbol = |(at, sort): (usize, &Sort)| terms.symbol(&format!("in{at}"), oracle::term_sort(*sort, int_bits));
    let inputs: Vec<TermId> = sorts.iter().enumerate().map(symbol).collect();
    let [a, b] = expanded.map(|expr| oracle::lower(&expr, &inputs, int_bits, &mut terms));
    if a.defined != TermId::TRUE || b.defined != TermId::TRUE {
        return Verdict::Unknown;
    }
    let differ = terms.ne(a.term, b.term);
    let mut solver = BitSolver::new();
    solver.set_limits(Limits { conflicts: None, deadline: budget.deadline, cancel: Some(budget.cancel.clone()) });
    solver.assert(&mut terms, differ);
    match solver.check(&mut terms, &[]) {
        Outcome::Unsat => Verdict::Equal,
        Outcome::Unknown(_) => Verdict::Unknown,
        Outcome::Sat => {
            let value = |(input, sort): (&TermId, &Sort)| match solver.value(&terms, *input)? {
                plumb_term::Value::Bool(value) => Some(Value::bool(value)),
                plumb_term::Value::Bv(bits) => Some(Value::from_lane(*sort, bits.to_u64()?)),
                plumb_term::Value::Float(..) | plumb_term::Value::Array(_) => None,
            };
            match inputs.iter().zip(sorts).map(value).collect() {
                Some(values) => Verdict::Differ(values),
                None => Verdict::Unknown,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::Examples;
    use crate::grammar::Grammar;
    use crate::op::Op;

    /// A function of a byte with these operators on `x`, 1 and each other.
    fn problem(ops: &[Op]) -> Problem {
        let sort = Sort::Bv(8);
        let mut grammar = Grammar::new("S", sort);
        let start = grammar.start();
        grammar.add(start, Expr::Input(0), &[], &[sort]).unwrap();
        grammar.add(start, Expr::Const(Value::bv(8, 1)), &[], &[sort]).unwrap();
        for op in ops {
            let two = Expr::Apply(*op, vec![Expr::Hole(0), Expr::Hole(1)]);
            grammar.add(start, two, &[start, start], &[sort]).unwrap();
        }
        let inputs = vec![("x".to_string(), sort)];
        Problem { name: "f".to_string(), inputs, output: sort, grammar, examples: Examples::new(&[sort], sort) }
    }

    /// The lowest bit that is set: `x & -x`.
    fn lowest_bit() -> Reference {
        let negated = Expr::Apply(Op::BvNeg, vec![Expr::Input(0)]);
        Reference { expr: Expr::Apply(Op::BvAnd, vec![Expr::Input(0), negated]) }
    }

    #[test]
    fn the_solver_shows_what_is_an_answer() {
        let refined = synthesise_against(&problem(&[Op::BvAnd, Op::BvSub]), &lowest_bit(), &Budget::default());
        assert!(refined.is_proved);
        let answer = &refined.ranked.best().unwrap().expr;
        let oracle = Oracle::new(answer, &[Sort::Bv(8)], 1).unwrap();
        for x in 0..=255u8 {
            let value = oracle.value(&[Value::bv(8, u64::from(x))]);
            assert_eq!(value, Some(Value::bv(8, u64::from(x & x.wrapping_neg()))));
        }
    }

    #[test]
    fn a_grammar_without_the_function_gives_no_answer() {
        let refined = synthesise_against(&problem(&[Op::BvAnd, Op::BvOr]), &lowest_bit(), &Budget::default());
        assert!(!refined.is_proved);
        assert_eq!(refined.ranked.ended, Ended::Exhausted);
    }
}
