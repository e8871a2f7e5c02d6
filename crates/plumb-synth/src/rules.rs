//! A grammar made ready for the search.
//!
//! * A production that is only another nonterminal adds nothing to a term: the other's productions are taken over.
//! * Nonterminals that then have the same productions become one, so that their terms are enumerated once.
//! * "Any constant" becomes a pool: small numbers, bounds, and what the examples have.
//! * A production `ite(C, X, Y)`, written out or as the body of a defined function, is a *choice*: decision trees are made
//!   of it (`unify.rs`). If `C` is more than a hole, a nonterminal is added whose terms are the instances of `C`.

use crate::code::{Code, Leaf};
use crate::examples::Examples;
use crate::expr::Expr;
use crate::grammar::{Grammar, NonterminalId, Production};
use crate::op::Op;
use crate::sort::{Sort, Value};

#[derive(Clone, Debug)]
pub struct Rules {
    pub inputs: Vec<Sort>,
    pub nonterminals: Vec<Symbol>,
    pub start: usize,
    pub rules: Vec<Rule>,
    /// Inputs and constants of all templates.
    pub leaves: Vec<Leaf>,
}

#[derive(Clone, Debug)]
pub struct Symbol {
    pub sort: Sort,
    /// Its rules, leaves first and choices last.
    pub rules: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Rule {
    /// What it adds to an answer.
    pub template: Expr,
    /// The same without calls of defined functions.
    pub expanded: Expr,
    /// The nonterminal of each hole.
    pub holes: Vec<usize>,
    pub code: Code,
    /// Nodes of the template.
    pub cost: usize,
    /// Do the two holes commute?
    pub is_symmetric: bool,
    pub choice: Option<Choice>,
}

/// A rule that chooses between the terms in two of its holes.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The nonterminal of conditions.
    pub condition: usize,
    /// The holes that a condition fills: one with the condition itself, or those of its own holes in order.
    pub parts: Vec<u32>,
    /// The condition is a hole of the template.
    pub is_plain: bool,
    pub then: u32,
    pub otherwise: u32,
}

/// Constants of a pool at most.
const MAX_POOL: usize = 256;

impl Rules {
    pub fn new(grammar: &Grammar, examples: &Examples) -> Rules {
        let inputs = examples.input_sorts();
        let closed: Vec<Vec<(Expr, Vec<usize>)>> =
            (0..grammar.nonterminals().len()).map(|at| closed_productions(grammar, at, examples)).collect();
        let sorts: Vec<Sort> = grammar.nonterminals().iter().map(|nonterminal| nonterminal.sort).collect();
        let merged = merge(&sorts, &closed);
        let mut names: Vec<usize> = merged.clone();
        names.sort_unstable();
        names.dedup();
        let place = |at: usize| names.binary_search(&merged[at]).expect("every representative has a place");
        let mut rules = Rules {
            inputs,
            nonterminals: names.iter().map(|at| Symbol { sort: sorts[*at], rules: Vec::new() }).collect(),
            start: place(grammar.start().index()),
            rules: Vec::new(),
            leaves: Vec::new(),
        };
        for (symbol, at) in names.iter().enumerate() {
            for (template, holes) in &closed[*at] {
                let holes: Vec<usize> = holes.iter().map(|hole| place(*hole)).collect();
                rules.add(symbol, template.clone(), holes);
            }
        }
        for symbol in 0..rules.nonterminals.len() {
            let all = &rules.rules;
            rules.nonterminals[symbol].rules.sort_by_key(|rule| (all[*rule].choice.is_some(), all[*rule].holes.len()));
        }
        rules
    }

    fn add(&mut self, symbol: usize, template: Expr, holes: Vec<usize>) {
        let expanded = template.expand();
        let sorts: Vec<Sort> = holes.iter().map(|hole| self.nonterminals[*hole].sort).collect();
        let code = Code::new(&expanded, &self.inputs, &sorts, &mut self.leaves);
        let choice = self.choice(&expanded, &holes);
        let is_symmetric = holes.len() == 2 && holes[0] == holes[1] && code.single().is_some_and(Op::is_commutative);
        let rule = Rule { cost: template.size(), template, expanded, holes, code, is_symmetric, choice };
        let same = self.nonterminals[symbol].rules.iter().any(|at| {
            let known = &self.rules[*at];
            known.template == rule.template && known.holes == rule.holes
        });
        if !same {
            self.rules.push(rule);
            self.nonterminals[symbol].rules.push(self.rules.len() - 1);
        }
    }

    /// The choice that a rule is, if it is one.
    fn choice(&mut self, expanded: &Expr, holes: &[usize]) -> Option<Choice> {
        let Expr::Apply(Op::Ite, operands) = expanded else { return None };
        let [condition, Expr::Hole(then), Expr::Hole(otherwise)] = operands.as_slice() else { return None };
        let (then, otherwise) = (*then, *otherwise);
        if [then, otherwise].iter().any(|hole| expanded.occurrences(*hole) != 1) {
            return None;
        }
        if let Expr::Hole(hole) = condition {
            let plain =
                Choice { condition: holes[*hole as usize], parts: vec![*hole], is_plain: true, then, otherwise };
            return (expanded.occurrences(*hole) == 1).then_some(plain);
        }
        let parts: Vec<u32> = (0..holes.len() as u32).filter(|hole| condition.occurrences(*hole) > 0).collect();
        if parts.len() + 2 != holes.len() || parts.is_empty() {
            return None;
        }
        let place = |hole: u32| parts.iter().position(|part| *part == hole).unwrap_or(0) as u32;
        let renumbered: Vec<Expr> = (0..holes.len() as u32).map(|hole| Expr::Hole(place(hole))).collect();
        let instance = condition.fill(&renumbered);
        self.nonterminals.push(Symbol { sort: Sort::Bool, rules: Vec::new() });
        let symbol = self.nonterminals.len() - 1;
        self.add(symbol, instance, parts.iter().map(|part| holes[*part as usize]).collect());
        Some(Choice { condition: symbol, parts, is_plain: false, then, otherwise })
    }

    pub fn sort(&self, nonterminal: usize) -> Sort {
        self.nonterminals[nonterminal].sort
    }
}

/// The productions of a nonterminal and of those that it may become without adding anything.
fn closed_productions(grammar: &Grammar, at: usize, examples: &Examples) -> Vec<(Expr, Vec<usize>)> {
    let mut seen = vec![at];
    let mut productions = Vec::new();
    let mut next = 0;
    while next < seen.len() {
        let nonterminal = &grammar.nonterminals()[seen[next]];
        next += 1;
        for production in &nonterminal.productions {
            match production {
                Production::Term { template: Expr::Hole(hole), holes } => {
                    let target = holes[*hole as usize].index();
                    if !seen.contains(&target) {
                        seen.push(target);
                    }
                }
                Production::Term { template, holes } => {
                    productions.push((template.clone(), holes.iter().copied().map(NonterminalId::index).collect()));
                }
                Production::AnyConstant => {
                    let pool = constants(nonterminal.sort, examples);
                    productions.extend(pool.into_iter().map(|value| (Expr::Const(value), Vec::new())));
                }
            }
        }
    }
    productions
}

/// For every nonterminal the first one that has the same productions.
fn merge(sorts: &[Sort], productions: &[Vec<(Expr, Vec<usize>)>]) -> Vec<usize> {
    let mut merged: Vec<usize> = (0..sorts.len()).collect();
    loop {
        let same = |a: usize, b: usize, merged: &[usize]| {
            let has = |list: &[(Expr, Vec<usize>)], (template, holes): &(Expr, Vec<usize>)| {
                list.iter().any(|(other, others)| {
                    other == template && others.iter().map(|h| merged[*h]).eq(holes.iter().map(|h| merged[*h]))
                })
            };
            sorts[a] == sorts[b]
                && productions[a].iter().all(|production| has(&productions[b], production))
                && productions[b].iter().all(|production| has(&productions[a], production))
        };
        let next: Vec<usize> = (0..sorts.len())
            .map(|at| (0..at).find(|other| same(*other, at, &merged)).map_or(at, |o| merged[o]))
            .collect();
        if next == merged {
            return merged;
        }
        merged = next;
    }
}

/// Constants worth trying where any constant may be used.
fn constants(sort: Sort, examples: &Examples) -> Vec<Value> {
    let mask = sort.mask();
    let mut pool: Vec<u64> = match sort {
        Sort::Bool => vec![0, 1],
        Sort::Int => vec![0, 1, u64::MAX, 2],
        Sort::Bv(width) => vec![0, 1, mask, 2, u64::from(width - 1), 1 << (width - 1), mask >> 1],
    };
    let mut add = |lanes: &[u64]| {
        for lane in lanes {
            if pool.len() < MAX_POOL && !pool.contains(lane) {
                pool.push(*lane);
            }
        }
    };
    if examples.output_sort() == sort {
        add(examples.output());
    }
    for (input, _) in examples.input_sorts().iter().enumerate().filter(|(_, input)| **input == sort) {
        add(examples.input(input));
    }
    let mut values: Vec<Value> = pool.into_iter().map(|lane| Value::from_lane(sort, lane)).collect();
    let mut seen = Vec::new();
    values.retain(|value| {
        let is_new = !seen.contains(value);
        seen.push(*value);
        is_new
    });
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonterminals_with_the_same_terms_are_one() {
        let mut grammar = Grammar::new("Start", Sort::Int);
        let start = grammar.start();
        let number = grammar.add_nonterminal("N", Sort::Int);
        let inputs = [Sort::Int];
        grammar.add(start, Expr::Hole(0), &[number], &inputs).unwrap();
        grammar.add(number, Expr::Input(0), &[], &inputs).unwrap();
        let sum = Expr::Apply(Op::IntAdd, vec![Expr::Hole(0), Expr::Hole(1)]);
        grammar.add(number, sum, &[number, start], &inputs).unwrap();
        let rules = Rules::new(&grammar, &Examples::new(&inputs, Sort::Int));
        assert_eq!((rules.nonterminals.len(), rules.rules.len()), (1, 2));
        assert!(rules.rules[1].is_symmetric);
    }

    #[test]
    fn a_defined_choice_has_its_conditions_enumerated() {
        let word = Sort::Bv(8);
        let body = Expr::Apply(
            Op::Ite,
            vec![
                Expr::Apply(Op::Eq, vec![Expr::Input(0), Expr::Const(Value::bv(8, 1))]),
                Expr::Input(1),
                Expr::Input(2),
            ],
        );
        let parameters = ["x", "y", "z"].map(|name| (name.to_string(), word)).to_vec();
        let function = crate::expr::Function { name: "if0".to_string(), parameters, result: word, body };
        let mut grammar = Grammar::new("Start", word);
        let start = grammar.start();
        grammar.add(start, Expr::Input(0), &[], &[word]).unwrap();
        let call = Expr::Call(std::sync::Arc::new(function), vec![Expr::Hole(0), Expr::Hole(1), Expr::Hole(2)]);
        grammar.add(start, call, &[start, start, start], &[word]).unwrap();
        let rules = Rules::new(&grammar, &Examples::new(&[word], word));
        let choice = rules.rules.iter().find_map(|rule| rule.choice.as_ref()).unwrap();
        assert_eq!((choice.then, choice.otherwise, choice.parts.as_slice()), (1, 2, [0].as_slice()));
        assert_eq!(rules.sort(choice.condition), Sort::Bool);
        assert_eq!(rules.nonterminals[choice.condition].rules.len(), 1);
    }
}
