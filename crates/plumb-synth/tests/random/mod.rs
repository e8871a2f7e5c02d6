//! Random terms, grammars and values.

#![allow(dead_code)]

use plumb_synth::{Expr, Function, Grammar, NonterminalId, Op, Production, Sort, Value};
use std::sync::Arc;

/// The same numbers for the same seed.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ b >> 31
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Often a small number or a bound.
    pub fn value(&mut self, sort: Sort) -> Value {
        let lane = match (sort, self.below(4)) {
            (Sort::Int, 0) => self.next() as i32 as i64 as u64,
            (Sort::Int, _) => (self.below(41) as i64 - 20) as u64,
            (_, 0) => self.pick(&[0, 1, sort.mask(), sort.mask() >> 1, sort.mask() ^ sort.mask() >> 1]),
            (_, 1) => self.below(10) as u64,
            _ => self.next(),
        };
        Value::from_lane(sort, lane)
    }
}

pub const BV: &[Op] = &[
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvNand,
    Op::BvNor,
    Op::BvXnor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvSmod,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
];
pub const BV_TESTS: &[Op] =
    &[Op::BvUlt, Op::BvUle, Op::BvUgt, Op::BvUge, Op::BvSlt, Op::BvSle, Op::BvSgt, Op::BvSge, Op::Eq, Op::Distinct];
pub const INT: &[Op] = &[Op::IntAdd, Op::IntSub, Op::IntMul, Op::IntDiv, Op::IntMod, Op::IntRem];
pub const INT_TESTS: &[Op] = &[Op::IntLe, Op::IntLt, Op::IntGe, Op::IntGt, Op::Eq, Op::Distinct];
pub const TRUTH: &[Op] = &[Op::And, Op::Or, Op::Xor, Op::Implies, Op::Eq, Op::Distinct];

/// A random term of a sort over inputs of these sorts, nested no deeper than `depth`.
pub fn term(random: &mut Random, sort: Sort, inputs: &[Sort], depth: usize) -> Expr {
    let suitable: Vec<u32> = (0..inputs.len() as u32).filter(|at| inputs[*at as usize] == sort).collect();
    if depth == 0 || random.below(8) == 0 {
        return match suitable.is_empty() || random.below(3) == 0 {
            true => Expr::Const(random.value(sort)),
            false => Expr::Input(random.pick(&suitable)),
        };
    }
    operator(random, sort, inputs, depth)
}

fn operator(random: &mut Random, sort: Sort, inputs: &[Sort], depth: usize) -> Expr {
    let kind = random.below(6);
    let tested = inputs.iter().copied().find(|input| *input != Sort::Bool).unwrap_or(Sort::Bool);
    let op = match (sort, kind) {
        (_, 0) => Op::Ite,
        (Sort::Bool, 1) => Op::Not,
        (Sort::Bool, 2) => random.pick(TRUTH),
        (Sort::Bool, _) => match tested {
            Sort::Bool => random.pick(TRUTH),
            Sort::Int => random.pick(INT_TESTS),
            Sort::Bv(_) => random.pick(BV_TESTS),
        },
        (Sort::Int, 1) => random.pick(&[Op::IntNeg, Op::IntAbs]),
        (Sort::Int, _) => random.pick(INT),
        (Sort::Bv(_), 1) => random.pick(&[Op::BvNot, Op::BvNeg, Op::RotateLeft(3), Op::RotateRight(1)]),
        (Sort::Bv(_), _) => random.pick(BV),
    };
    let operands: Vec<Sort> = match (op, sort, kind) {
        (Op::Ite, ..) => vec![Sort::Bool, sort, sort],
        (Op::Not | Op::IntNeg | Op::IntAbs | Op::BvNot | Op::BvNeg | Op::RotateLeft(_) | Op::RotateRight(_), ..) => {
            vec![sort]
        }
        (_, Sort::Bool, 2) => vec![Sort::Bool; 2],
        (_, Sort::Bool, _) => vec![tested; 2],
        _ => vec![sort; 2],
    };
    Expr::Apply(op, operands.into_iter().map(|sort| term(random, sort, inputs, depth - 1)).collect())
}

/// A grammar for a sort with some operators, a defined function and a choice.
pub fn grammar(random: &mut Random, sort: Sort, inputs: &[Sort]) -> Grammar {
    let mut grammar = Grammar::new("Start", sort);
    let start = grammar.start();
    let truth = grammar.add_nonterminal("B", Sort::Bool);
    let mut add = |to: NonterminalId, template: Expr, holes: &[NonterminalId]| {
        grammar.add(to, template, holes, inputs).expect("the production is well typed");
    };
    for at in (0..inputs.len()).filter(|at| inputs[*at] == sort) {
        add(start, Expr::Input(at as u32), &[]);
    }
    for _ in 0..2 {
        add(start, Expr::Const(random.value(sort)), &[]);
    }
    let two = |op: Op| Expr::Apply(op, vec![Expr::Hole(0), Expr::Hole(1)]);
    let (operators, tests) = if sort == Sort::Int { (INT, INT_TESTS) } else { (BV, BV_TESTS) };
    for _ in 0..3 {
        add(start, two(random.pick(operators)), &[start, start]);
    }
    let body = Expr::Apply(random.pick(operators), vec![Expr::Input(0), Expr::Const(random.value(sort))]);
    let function = Function { name: "g".to_string(), parameters: vec![("a".to_string(), sort)], result: sort, body };
    add(start, Expr::Call(Arc::new(function), vec![Expr::Hole(0)]), &[start]);
    add(truth, two(random.pick(tests)), &[start, start]);
    if random.below(2) == 0 {
        add(truth, Expr::Apply(Op::Not, vec![Expr::Hole(0)]), &[truth]);
    }
    add(start, Expr::Apply(Op::Ite, vec![Expr::Hole(0), Expr::Hole(1), Expr::Hole(2)]), &[truth, start, start]);
    grammar
}

/// A random word of a grammar that is nested no deeper than `depth`, if it can be.
pub fn word(random: &mut Random, grammar: &Grammar, nonterminal: NonterminalId, depth: usize) -> Option<Expr> {
    let productions = &grammar.nonterminal(nonterminal).productions;
    for _ in 0..20 {
        let Production::Term { template, holes } = &productions[random.below(productions.len())] else { continue };
        if depth == 0 && !holes.is_empty() {
            continue;
        }
        let below: Option<Vec<Expr>> = holes.iter().map(|hole| word(random, grammar, *hole, depth - 1)).collect();
        if let Some(below) = below {
            return Some(template.fill(&below));
        }
    }
    None
}

/// Is a term a word of the grammar?
pub fn is_word(grammar: &Grammar, nonterminal: NonterminalId, expr: &Expr) -> bool {
    let derives = |production: &Production| match production {
        Production::AnyConstant => matches!(expr, Expr::Const(_)),
        Production::Term { template, holes } => matches(grammar, template, holes, expr),
    };
    grammar.nonterminal(nonterminal).productions.iter().any(derives)
}

fn matches(grammar: &Grammar, template: &Expr, holes: &[NonterminalId], expr: &Expr) -> bool {
    let all = |a: &[Expr], b: &[Expr]| {
        a.len() == b.len() && a.iter().zip(b).all(|(template, expr)| matches(grammar, template, holes, expr))
    };
    match (template, expr) {
        (Expr::Hole(at), _) => is_word(grammar, holes[*at as usize], expr),
        (Expr::Apply(a, below), Expr::Apply(b, operands)) => a == b && all(below, operands),
        (Expr::Call(a, below), Expr::Call(b, operands)) => a == b && all(below, operands),
        _ => template == expr,
    }
}
