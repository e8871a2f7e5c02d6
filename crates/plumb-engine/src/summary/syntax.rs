//! Syntactic constraints: which constants and operators a summary's term may have (section 3.1).
//!
//! They are those of the function and of what it calls. Always there are the constants -1, 0, 1 and 2, addition, subtraction,
//! choices, equality, and the signed or unsigned order that the function uses. Where a function has few different results,
//! these are constants too: they may come out of a table. A function that repeats itself may have products, quotients and
//! remainders: loops of additions and subtractions are what they are without an instruction for them.

use super::examples::palette;
use super::scalar::Words;
use crate::summary::tuning::TUNING;
use plumb_ir::analysis::Analyses;
use plumb_ir::expr::{BinOp, CastOp, ExprKind, Sign, UnOp};
use plumb_ir::program::{FuncId, Function};
use plumb_ir::ty::Ty;
use plumb_synth::{Expr, Grammar, GrammarError, NonterminalId, Op, Sort, Value};
use std::collections::BTreeSet;

/// What the terms of a function's summary are made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Syntax {
    width: u32,
    /// As words.
    constants: Vec<u64>,
    unary: Vec<Op>,
    binary: Vec<Op>,
    comparisons: Vec<Op>,
    /// Conversions to so many bits and back, by zeros or by the sign.
    cuts: BTreeSet<(u32, bool)>,
}

impl Syntax {
    /// `outputs` are the words that examples have as results.
    pub fn of(analyses: &Analyses, func: FuncId, words: &Words<'_>, outputs: &BTreeSet<u64>) -> Syntax {
        let program = analyses.program();
        let called = analyses.resolved_calls().reachable(func);
        let Sort::Bv(width) = words.sort() else { unreachable!("words are bit-vectors") };
        let mask = words.sort().mask();
        let mut syntax = Syntax {
            width,
            constants: Vec::new(),
            unary: Vec::new(),
            binary: vec![Op::BvAdd, Op::BvSub],
            comparisons: vec![Op::Eq],
            cuts: BTreeSet::new(),
        };
        let own =
            palette::constants(program, &called, TUNING.max_constants).into_iter().map(|number| number as u64 & mask);
        let few =
            if outputs.len() <= TUNING.max_output_constants { outputs.iter().copied().collect() } else { Vec::new() };
        for word in [0, 1, mask, 2].into_iter().chain(own).chain(few) {
            if !syntax.constants.contains(&word) {
                syntax.constants.push(word);
            }
        }
        for &id in &called {
            syntax.add_operators(program.function(id));
        }
        let repeats =
            |id: &FuncId| !analyses.shape(*id).loops.loops.is_empty() || analyses.resolved_calls().is_recursive(*id);
        if called.iter().any(repeats) {
            let is_signed = syntax.comparisons.iter().any(|op| matches!(op, Op::BvSlt | Op::BvSle));
            let sign = if is_signed { Sign::Signed } else { Sign::Unsigned };
            for op in [BinOp::Mul, BinOp::Div, BinOp::Rem] {
                syntax.add_binary(op, sign);
            }
        }
        let has_order = syntax.comparisons.iter().any(|op| *op != Op::Eq);
        if !has_order {
            syntax.comparisons.extend([Op::BvSlt, Op::BvSle]);
        }
        syntax
    }

    fn add_operators(&mut self, function: &Function) {
        let exprs = &function.exprs;
        for id in exprs.ids() {
            match exprs.kind(id) {
                ExprKind::Binary(op, sign, a, _) if matches!(exprs.ty(a), Ty::Int(2..)) => self.add_binary(op, sign),
                // Of integers that floats are.
                ExprKind::Binary(op, _, a, _) if exprs.ty(a).is_float() => self.add_binary(op, Sign::Signed),
                ExprKind::Unary(UnOp::Neg, _, _) if matches!(exprs.ty(id), Ty::Int(_)) => {
                    add(&mut self.unary, Op::BvNeg)
                }
                ExprKind::Unary(UnOp::Not, _, _) if matches!(exprs.ty(id), Ty::Int(2..)) => {
                    add(&mut self.unary, Op::BvNot);
                }
                ExprKind::Cast(CastOp::Int { to, .. }, from) => {
                    if let (Ty::Int(from), Ty::Int(bits @ 2..)) = (exprs.ty(from), exprs.ty(id))
                        && bits < from
                        && (bits as u32) < self.width
                    {
                        self.cuts.insert((bits as u32, to == Sign::Signed));
                    }
                }
                _ => {}
            }
        }
    }

    fn add_binary(&mut self, op: BinOp, sign: Sign) {
        let is_signed = sign == Sign::Signed;
        let by_sign = |signed: Op, unsigned: Op| if is_signed { signed } else { unsigned };
        match op {
            BinOp::Mul => add(&mut self.binary, Op::BvMul),
            BinOp::Div => add(&mut self.binary, by_sign(Op::BvSdiv, Op::BvUdiv)),
            BinOp::Rem => add(&mut self.binary, by_sign(Op::BvSrem, Op::BvUrem)),
            BinOp::And => add(&mut self.binary, Op::BvAnd),
            BinOp::Or => add(&mut self.binary, Op::BvOr),
            BinOp::Xor => add(&mut self.binary, Op::BvXor),
            BinOp::Shl => add(&mut self.binary, Op::BvShl),
            BinOp::Shr => add(&mut self.binary, by_sign(Op::BvAshr, Op::BvLshr)),
            BinOp::Lt | BinOp::Le => {
                add(&mut self.comparisons, by_sign(Op::BvSlt, Op::BvUlt));
                add(&mut self.comparisons, by_sign(Op::BvSle, Op::BvUle));
            }
            BinOp::Add | BinOp::Sub | BinOp::Eq | BinOp::Ne => {}
            // Of floats only.
            BinOp::IeeeRem | BinOp::Min | BinOp::Max | BinOp::Copysign => {}
        }
    }

    /// The grammar of terms over so many inputs.
    pub fn grammar(&self, inputs: usize) -> Result<Grammar, GrammarError> {
        let word = Sort::Bv(self.width);
        let sorts = vec![word; inputs];
        let mut grammar = Grammar::new("Start", word);
        let start = grammar.start();
        let truth = grammar.add_nonterminal("Cond", Sort::Bool);
        let mut put =
            |to: NonterminalId, template: Expr, holes: &[NonterminalId]| grammar.add(to, template, holes, &sorts);
        for input in 0..inputs {
            put(start, Expr::Input(input as u32), &[])?;
        }
        for &constant in &self.constants {
            put(start, Expr::Const(Value::bv(self.width, constant)), &[])?;
        }
        let hole = |at: u32| Expr::Hole(at);
        for &op in &self.unary {
            put(start, Expr::Apply(op, vec![hole(0)]), &[start])?;
        }
        for &(bits, is_signed) in &self.cuts {
            let low = Expr::Apply(Op::Extract { hi: bits - 1, lo: 0 }, vec![hole(0)]);
            let more = self.width - bits;
            let back = if is_signed { Op::SignExtend(more) } else { Op::ZeroExtend(more) };
            put(start, Expr::Apply(back, vec![low]), &[start])?;
        }
        for &op in &self.binary {
            put(start, Expr::Apply(op, vec![hole(0), hole(1)]), &[start, start])?;
        }
        put(start, Expr::Apply(Op::Ite, vec![hole(0), hole(1), hole(2)]), &[truth, start, start])?;
        for &op in &self.comparisons {
            put(truth, Expr::Apply(op, vec![hole(0), hole(1)]), &[start, start])?;
        }
        put(truth, Expr::Apply(Op::Not, vec![hole(0)]), &[truth])?;
        for op in [Op::And, Op::Or] {
            put(truth, Expr::Apply(op, vec![hole(0), hole(1)]), &[truth, truth])?;
        }
        Ok(grammar)
    }
}

fn add(list: &mut Vec<Op>, op: Op) {
    if !list.contains(&op) {
        list.push(op);
    }
}
