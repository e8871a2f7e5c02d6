//! Terms as trees: what grammars are written with and answers are given in.
//!
//! The trees keep what was written, calls of defined functions included, because an answer must be a word of the grammar.
//! [`Expr::expand`] replaces calls by bodies for everything that computes.

use crate::op::Op;
use crate::sort::{Sort, Value};
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// An input of the function by its position; in the body of a [`Function`], a parameter.
    Input(u32),
    /// In a production: the place of a nonterminal's term.
    Hole(u32),
    Const(Value),
    Apply(Op, Vec<Expr>),
    Call(Arc<Function>, Vec<Expr>),
}

/// A defined function: a name for a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<(String, Sort)>,
    pub result: Sort,
    pub body: Expr,
}

impl Expr {
    /// The number of nodes: operators, calls, inputs and constants.
    pub fn size(&self) -> usize {
        match self {
            Expr::Input(_) | Expr::Const(_) => 1,
            Expr::Hole(_) => 0,
            Expr::Apply(_, operands) | Expr::Call(_, operands) => 1 + operands.iter().map(Expr::size).sum::<usize>(),
        }
    }

    /// The number of choices, those in the bodies of called functions included.
    pub fn branches(&self) -> usize {
        let below = |operands: &[Expr]| operands.iter().map(Expr::branches).sum::<usize>();
        match self {
            Expr::Input(_) | Expr::Hole(_) | Expr::Const(_) => 0,
            Expr::Apply(op, operands) => (*op == Op::Ite) as usize + below(operands),
            Expr::Call(function, operands) => function.body.branches() + below(operands),
        }
    }

    /// The sort, given those of inputs and holes; `None` where operands do not suit their operator.
    pub fn sort(&self, inputs: &[Sort], holes: &[Sort]) -> Option<Sort> {
        let sorts = |operands: &[Expr]| operands.iter().map(|e| e.sort(inputs, holes)).collect::<Option<Vec<_>>>();
        match self {
            Expr::Input(at) => inputs.get(*at as usize).copied(),
            Expr::Hole(at) => holes.get(*at as usize).copied(),
            Expr::Const(value) => Some(value.sort()),
            Expr::Apply(op, operands) => op.result(&sorts(operands)?),
            Expr::Call(function, operands) => {
                let wanted = function.parameters.iter().map(|(_, sort)| *sort);
                wanted.eq(sorts(operands)?).then_some(function.result)
            }
        }
    }

    /// The same term with terms in place of its holes.
    pub fn fill(&self, terms: &[Expr]) -> Expr {
        match self {
            Expr::Hole(at) => terms[*at as usize].clone(),
            Expr::Input(_) | Expr::Const(_) => self.clone(),
            Expr::Apply(op, operands) => Expr::Apply(*op, operands.iter().map(|e| e.fill(terms)).collect()),
            Expr::Call(function, operands) => {
                Expr::Call(function.clone(), operands.iter().map(|e| e.fill(terms)).collect())
            }
        }
    }

    /// The same term with bodies in place of calls.
    pub fn expand(&self) -> Expr {
        match self {
            Expr::Input(_) | Expr::Hole(_) | Expr::Const(_) => self.clone(),
            Expr::Apply(op, operands) => Expr::Apply(*op, operands.iter().map(Expr::expand).collect()),
            Expr::Call(function, operands) => {
                let operands: Vec<Expr> = operands.iter().map(Expr::expand).collect();
                function.body.expand().with_inputs(&operands)
            }
        }
    }

    /// The same term with terms in place of its inputs.
    fn with_inputs(&self, terms: &[Expr]) -> Expr {
        match self {
            Expr::Input(at) => terms[*at as usize].clone(),
            Expr::Hole(_) | Expr::Const(_) => self.clone(),
            Expr::Apply(op, operands) => Expr::Apply(*op, operands.iter().map(|e| e.with_inputs(terms)).collect()),
            Expr::Call(function, operands) => {
                Expr::Call(function.clone(), operands.iter().map(|e| e.with_inputs(terms)).collect())
            }
        }
    }

    /// Nodes of the expanded term, without expanding it.
    pub fn expanded_size(&self) -> usize {
        match self {
            Expr::Input(_) | Expr::Const(_) | Expr::Hole(_) => 1,
            Expr::Apply(_, operands) => {
                operands.iter().map(Expr::expanded_size).fold(1, |sum, size| sum.saturating_add(size))
            }
            Expr::Call(function, operands) => {
                let sizes: Vec<usize> = operands.iter().map(Expr::expanded_size).collect();
                function.body.size_with(&sizes)
            }
        }
    }

    /// Nodes of the expanded term if its inputs are terms of these sizes.
    fn size_with(&self, inputs: &[usize]) -> usize {
        let sum = |operands: &[Expr]| operands.iter().map(|e| e.size_with(inputs)).fold(1, usize::saturating_add);
        match self {
            Expr::Input(at) => inputs.get(*at as usize).copied().unwrap_or(1),
            Expr::Const(_) | Expr::Hole(_) => 1,
            Expr::Apply(_, operands) => sum(operands),
            Expr::Call(function, operands) => {
                let sizes: Vec<usize> = operands.iter().map(|e| e.size_with(inputs)).collect();
                function.body.size_with(&sizes)
            }
        }
    }

    /// How often a hole occurs.
    pub fn occurrences(&self, hole: u32) -> usize {
        match self {
            Expr::Hole(at) => (*at == hole) as usize,
            Expr::Input(_) | Expr::Const(_) => 0,
            Expr::Apply(_, operands) | Expr::Call(_, operands) => operands.iter().map(|e| e.occurrences(hole)).sum(),
        }
    }

    /// Has it a hole?
    pub fn has_holes(&self) -> bool {
        match self {
            Expr::Hole(_) => true,
            Expr::Input(_) | Expr::Const(_) => false,
            Expr::Apply(_, operands) | Expr::Call(_, operands) => operands.iter().any(Expr::has_holes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_expanded() {
        let word = Sort::Bv(8);
        let one = Expr::Const(Value::bv(8, 1));
        let next = Arc::new(Function {
            name: "next".to_string(),
            parameters: vec![("a".to_string(), word)],
            result: word,
            body: Expr::Apply(Op::BvAdd, vec![Expr::Input(0), one.clone()]),
        });
        let call = |operand: Expr| Expr::Call(next.clone(), vec![operand]);
        let term = call(call(Expr::Input(1)));
        assert_eq!(term.size(), 3);
        assert_eq!(term.sort(&[Sort::Bool, word], &[]), Some(word));
        assert_eq!(term.sort(&[word, Sort::Bool], &[]), None);
        let inner = Expr::Apply(Op::BvAdd, vec![Expr::Input(1), one.clone()]);
        let expanded = Expr::Apply(Op::BvAdd, vec![inner, one]);
        assert_eq!(term.expand(), expanded);
        assert_eq!(term.expanded_size(), expanded.size());
    }
}
