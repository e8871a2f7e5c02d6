//! The grammar that answers are words of.

use crate::expr::Expr;
use crate::op::Op;
use crate::sort::{Sort, Value};
use std::fmt;

/// A nonterminal of one grammar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NonterminalId(pub u32);

impl NonterminalId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grammar {
    nonterminals: Vec<Nonterminal>,
    start: NonterminalId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nonterminal {
    pub name: String,
    pub sort: Sort,
    pub productions: Vec<Production>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Production {
    /// A term with terms of nonterminals in its holes.
    Term { template: Expr, holes: Vec<NonterminalId> },
    /// Any constant of the nonterminal's sort.
    AnyConstant,
}

/// Why a production is not one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GrammarError {
    /// A hole without a nonterminal, or a nonterminal that the grammar does not have.
    UnknownNonterminal,
    /// Operands do not suit their operator.
    IllTyped,
    /// The term's sort is not the nonterminal's.
    WrongSort { wanted: Sort, given: Sort },
}

impl fmt::Display for GrammarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GrammarError::UnknownNonterminal => f.write_str("the production has a hole without a nonterminal"),
            GrammarError::IllTyped => f.write_str("operands do not suit their operator"),
            GrammarError::WrongSort { wanted, given } => {
                write!(f, "the production is a term of sort {given}, but its nonterminal has sort {wanted}")
            }
        }
    }
}

impl std::error::Error for GrammarError {}

impl Grammar {
    /// A grammar with its start symbol, which has no productions yet.
    pub fn new(name: &str, sort: Sort) -> Grammar {
        let start = Nonterminal { name: name.to_string(), sort, productions: Vec::new() };
        Grammar { nonterminals: vec![start], start: NonterminalId(0) }
    }

    pub fn start(&self) -> NonterminalId {
        self.start
    }

    pub fn nonterminals(&self) -> &[Nonterminal] {
        &self.nonterminals
    }

    pub fn nonterminal(&self, id: NonterminalId) -> &Nonterminal {
        &self.nonterminals[id.index()]
    }

    pub fn add_nonterminal(&mut self, name: &str, sort: Sort) -> NonterminalId {
        self.nonterminals.push(Nonterminal { name: name.to_string(), sort, productions: Vec::new() });
        NonterminalId(self.nonterminals.len() as u32 - 1)
    }

    /// Adds a production whose template has `holes` in its places; `inputs` are the sorts of the function's inputs.
    pub fn add(
        &mut self,
        to: NonterminalId,
        template: Expr,
        holes: &[NonterminalId],
        inputs: &[Sort],
    ) -> Result<(), GrammarError> {
        if holes.iter().chain([&to]).any(|hole| hole.index() >= self.nonterminals.len()) {
            return Err(GrammarError::UnknownNonterminal);
        }
        let sorts: Vec<Sort> = holes.iter().map(|hole| self.nonterminal(*hole).sort).collect();
        let given = template.sort(inputs, &sorts).ok_or(GrammarError::IllTyped)?;
        let wanted = self.nonterminal(to).sort;
        if given != wanted {
            return Err(GrammarError::WrongSort { wanted, given });
        }
        self.nonterminals[to.index()].productions.push(Production::Term { template, holes: holes.to_vec() });
        Ok(())
    }

    /// Adds all constants of the nonterminal's sort.
    pub fn add_any_constant(&mut self, to: NonterminalId) {
        self.nonterminals[to.index()].productions.push(Production::AnyConstant);
    }

    /// Every term of the theory of one sort over these inputs: what a function without a grammar of its own may be.
    ///
    /// Of integers that is linear arithmetic, without products. Of bit-vectors it is the operators on one width.
    pub fn full(output: Sort, inputs: &[Sort]) -> Grammar {
        let mut grammar = Grammar::new("Start", output);
        let mut sorts = vec![output, Sort::Bool];
        sorts.extend(inputs);
        let mut nonterminals: Vec<(Sort, NonterminalId)> = vec![(output, grammar.start)];
        for sort in sorts {
            if nonterminals.iter().all(|(known, _)| *known != sort) {
                nonterminals.push((sort, grammar.add_nonterminal(&format!("N{}", nonterminals.len()), sort)));
            }
        }
        let of = |wanted: Sort| nonterminals.iter().find(|(sort, _)| *sort == wanted).map(|(_, id)| *id);
        let Some(truth) = of(Sort::Bool) else { return grammar };
        for &(sort, id) in &nonterminals {
            for (at, _) in inputs.iter().enumerate().filter(|(_, input)| **input == sort) {
                grammar.put(id, Expr::Input(at as u32), &[]);
            }
            let (own, comparisons): (&[Op], &[Op]) = match sort {
                Sort::Bool => (&[Op::And, Op::Or], &[]),
                Sort::Int => (&[Op::IntAdd, Op::IntSub], &[Op::IntLe, Op::Eq]),
                Sort::Bv(_) => (BV_OPERATORS, &[Op::BvUlt, Op::BvSlt, Op::Eq]),
            };
            match sort {
                Sort::Bool => {
                    grammar.put(id, Expr::Const(Value::bool(true)), &[]);
                    grammar.put(id, Expr::Const(Value::bool(false)), &[]);
                    grammar.put(id, Expr::Apply(Op::Not, vec![Expr::Hole(0)]), &[id]);
                }
                Sort::Int => grammar.add_any_constant(id),
                Sort::Bv(_) => {
                    grammar.add_any_constant(id);
                    grammar.put(id, Expr::Apply(Op::BvNot, vec![Expr::Hole(0)]), &[id]);
                    grammar.put(id, Expr::Apply(Op::BvNeg, vec![Expr::Hole(0)]), &[id]);
                }
            }
            let two = |op: &Op| Expr::Apply(*op, vec![Expr::Hole(0), Expr::Hole(1)]);
            for op in own {
                grammar.put(id, two(op), &[id, id]);
            }
            for op in comparisons {
                grammar.put(truth, two(op), &[id, id]);
            }
            let choice = Expr::Apply(Op::Ite, vec![Expr::Hole(0), Expr::Hole(1), Expr::Hole(2)]);
            grammar.put(id, choice, &[truth, id, id]);
        }
        grammar
    }

    fn put(&mut self, to: NonterminalId, template: Expr, holes: &[NonterminalId]) {
        self.nonterminals[to.index()].productions.push(Production::Term { template, holes: holes.to_vec() });
    }
}

const BV_OPERATORS: &[Op] = &[
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn productions_are_checked() {
        let mut grammar = Grammar::new("Start", Sort::Int);
        let start = grammar.start();
        let truth = grammar.add_nonterminal("B", Sort::Bool);
        let less = Expr::Apply(Op::IntLt, vec![Expr::Hole(0), Expr::Input(0)]);
        assert_eq!(grammar.add(truth, less.clone(), &[start], &[Sort::Int]), Ok(()));
        let wrong = GrammarError::WrongSort { wanted: Sort::Int, given: Sort::Bool };
        assert_eq!(grammar.add(start, less.clone(), &[start], &[Sort::Int]), Err(wrong));
        assert_eq!(grammar.add(truth, less.clone(), &[truth], &[Sort::Int]), Err(GrammarError::IllTyped));
        assert_eq!(grammar.add(truth, less, &[NonterminalId(7)], &[Sort::Int]), Err(GrammarError::UnknownNonterminal));
    }

    #[test]
    fn the_full_grammar_is_well_typed() {
        for (output, inputs) in [
            (Sort::Int, vec![Sort::Int, Sort::Bool]),
            (Sort::Bv(8), vec![Sort::Bv(8), Sort::Bv(16)]),
            (Sort::Bool, vec![Sort::Int]),
        ] {
            let grammar = Grammar::full(output, &inputs);
            for nonterminal in grammar.nonterminals() {
                for production in &nonterminal.productions {
                    let Production::Term { template, holes } = production else { continue };
                    let sorts: Vec<Sort> = holes.iter().map(|hole| grammar.nonterminal(*hole).sort).collect();
                    assert_eq!(template.sort(&inputs, &sorts), Some(nonterminal.sort));
                }
            }
        }
    }
}
