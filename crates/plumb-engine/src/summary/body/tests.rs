use super::*;
use crate::summary::by_hand::of_parameters;
use crate::summary::examples::{NotReturned, Outcome, Prober};
use crate::summary::similarity::Similarity;
use crate::test_program::program;
use plumb_exec::Rng;
use plumb_ir::derive::Runs;
use plumb_ir::derive::replace_body::replace_body;
use plumb_synth::{Oracle, Sort, Value};

/// The function's body replaced by a term, ready to be called.
fn summarised(program: &Program, signature: &Signature, expr: Expr, range: Option<(i128, i128)>) -> Prober {
    let similarity = Similarity::default();
    let summary =
        Summary { signature: signature.clone(), expr, complexity: 0, similarity, range, constraints: Vec::new() };
    let body = summary_body(program, &summary).unwrap().body;
    let derived = replace_body(program, signature.func, body, Runs::Unrelated).unwrap();
    Prober::new(&derived.program, signature).unwrap()
}

/// Random terms of every operator on bit-vectors.
struct Terms {
    rng: Rng,
    inputs: Vec<Sort>,
}

const BINARY: &[Op] = &[
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
const COMPARISONS: &[Op] =
    &[Op::Eq, Op::Distinct, Op::BvUlt, Op::BvUle, Op::BvUgt, Op::BvUge, Op::BvSlt, Op::BvSle, Op::BvSgt, Op::BvSge];
const LOGICAL: &[Op] = &[Op::And, Op::Or, Op::Xor, Op::Implies, Op::Eq, Op::Distinct];

impl Terms {
    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.rng.below(list.len() as u64) as usize]
    }

    fn two(&mut self, op: Op, sort: Sort, depth: u32) -> Expr {
        Expr::Apply(op, vec![self.term(sort, depth - 1), self.term(sort, depth - 1)])
    }

    fn term(&mut self, sort: Sort, depth: u32) -> Expr {
        match sort {
            Sort::Bool => self.truth(depth),
            Sort::Bv(width) => self.word(width, depth),
            Sort::Int => unreachable!("there are no integers"),
        }
    }

    fn truth(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return Expr::Const(Value::bool(self.rng.below(2) == 0));
        }
        match self.rng.below(4) {
            0 => {
                let op = *self.pick(LOGICAL);
                self.two(op, Sort::Bool, depth)
            }
            1 => Expr::Apply(Op::Not, vec![self.truth(depth - 1)]),
            _ => {
                let (op, width) = (*self.pick(COMPARISONS), *self.pick(&[1, 8, 32]));
                self.two(op, Sort::Bv(width), depth)
            }
        }
    }

    fn leaf(&mut self, width: u32) -> Expr {
        let sort = Sort::Bv(width);
        let fitting: Vec<u32> = (0..self.inputs.len() as u32).filter(|at| self.inputs[*at as usize] == sort).collect();
        if !fitting.is_empty() && self.rng.below(3) > 0 {
            return Expr::Input(*self.pick(&fitting));
        }
        let value = match self.rng.below(3) {
            0 => self.rng.below(4),
            1 => self.rng.below(3).wrapping_neg(),
            _ => self.rng.next(),
        };
        Expr::Const(Value::bv(width, value))
    }

    fn word(&mut self, width: u32, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf(width);
        }
        let one = |this: &mut Self, op: Op, width: u32| Expr::Apply(op, vec![this.word(width, depth - 1)]);
        match self.rng.below(12) {
            0 => one(self, Op::BvNot, width),
            1 => one(self, Op::BvNeg, width),
            2 => {
                let count = self.rng.below(70) as u32;
                one(self, if count.is_multiple_of(2) { Op::RotateLeft(count) } else { Op::RotateRight(count) }, width)
            }
            3 if width > 1 => {
                let low = 1 + self.rng.below(width as u64 - 1) as u32;
                Expr::Apply(Op::Concat, vec![self.word(width - low, depth - 1), self.word(low, depth - 1)])
            }
            4 if width > 1 => {
                let from = 1 + self.rng.below(width as u64 - 1) as u32;
                let op =
                    if from.is_multiple_of(2) { Op::ZeroExtend(width - from) } else { Op::SignExtend(width - from) };
                one(self, op, from)
            }
            5 if width < 60 => {
                let lo = self.rng.below(4) as u32;
                one(self, Op::Extract { hi: lo + width - 1, lo }, width + lo)
            }
            6 => {
                let (c, a, b) = (self.truth(depth - 1), self.word(width, depth - 1), self.word(width, depth - 1));
                Expr::Apply(Op::Ite, vec![c, a, b])
            }
            7 if width == 1 => {
                let op = *self.pick(&[Op::BvRedOr, Op::BvRedAnd]);
                one(self, op, 32)
            }
            8 if width == 1 => self.two(Op::BvComp, Sort::Bv(8), depth),
            _ => {
                let op = *self.pick(BINARY);
                self.two(op, Sort::Bv(width), depth)
            }
        }
    }
}

#[test]
fn bodies_mean_what_the_terms_mean() {
    let text = "unsigned f(unsigned a, int b, unsigned c) { return a + b + c; }
        int main(void) { return f(input(), input(), input()); }";
    let program = program(text);
    let signature = of_parameters(&program, "f");
    let sorts = vec![Sort::Bv(32); 3];
    let mut terms = Terms { rng: Rng(7), inputs: sorts.clone() };
    let mut rng = Rng(11);
    let mut operators = std::collections::HashSet::new();
    for round in 0..1500 {
        let expr = terms.word(32, 1 + round % 5);
        note_operators(&expr, &mut operators);
        let oracle = Oracle::new(&expr, &sorts, 1).unwrap();
        let mut prober = summarised(&program, &signature, expr.clone(), None);
        for _ in 0..6 {
            let inputs: Vec<u64> = (0..3).map(|_| value(&mut rng)).collect();
            let values: Vec<Value> = inputs.iter().map(|input| Value::bv(32, *input)).collect();
            let wanted = oracle.value(&values).unwrap().lane();
            assert_eq!(prober.call(&inputs), Outcome::Returned(wanted), "{expr:?} of {inputs:x?}");
        }
    }
    // All operators but the parametric ones, which have other numbers each time, and those on integers.
    assert!(BINARY.iter().chain(COMPARISONS).chain(LOGICAL).all(|op| operators.contains(op)));
    assert!([Op::BvComp, Op::BvRedOr, Op::BvRedAnd, Op::Concat, Op::Ite].iter().all(|op| operators.contains(op)));
}

fn note_operators(expr: &Expr, into: &mut std::collections::HashSet<Op>) {
    if let Expr::Apply(op, operands) = expr {
        into.insert(*op);
        operands.iter().for_each(|operand| note_operators(operand, into));
    }
}

fn value(rng: &mut Rng) -> u64 {
    let word = match rng.below(4) {
        0 => rng.below(40),
        1 => rng.below(3).wrapping_neg(),
        2 => 0x8000_0000,
        _ => rng.next(),
    };
    word & 0xffff_ffff
}

#[test]
fn inputs_are_extended_and_results_cut() {
    let text = "signed char f(signed char a, unsigned char b) { return a + b; }
        int main(void) { return f(input(), input()); }";
    let program = program(text);
    let mut signature = of_parameters(&program, "f");
    signature.output.is_signed = true;
    let less = Expr::Apply(Op::BvSlt, vec![Expr::Input(0), Expr::Input(1)]);
    let sum = Expr::Apply(Op::BvAdd, vec![Expr::Input(0), Expr::Input(1)]);
    let choice = Expr::Apply(Op::Ite, vec![less, sum, Expr::Const(Value::bv(32, 0x155))]);
    let mut prober = summarised(&program, &signature, choice, None);
    // -1 < 255, and the sum is 254; 127 is not below 3.
    assert_eq!(prober.call(&[0xff, 0xff]), Outcome::Returned(0xfe));
    assert_eq!(prober.call(&[0x7f, 3]), Outcome::Returned(0x55));
}

#[test]
fn results_out_of_range_are_assumed_away() {
    let program = program("int f(int a) { return a % 3; } int main(void) { return f(input()); }");
    let signature = of_parameters(&program, "f");
    let mut prober = summarised(&program, &signature, Expr::Input(0), Some((-2, 2)));
    assert_eq!(prober.call(&[2]), Outcome::Returned(2));
    assert_eq!(prober.call(&[0xffff_fffe]), Outcome::Returned(0xffff_fffe));
    assert_eq!(prober.call(&[3]), Outcome::NotReturned(NotReturned::Assumption));
    assert_eq!(prober.call(&[0x8000_0000]), Outcome::NotReturned(NotReturned::Assumption));
}

#[test]
fn nondeterministic_bodies_return_any_value_of_the_range() {
    let program = program("int f(int a) { return a > 0; } int main(void) { return f(input()); }");
    let signature = of_parameters(&program, "f");
    let body = nondeterministic_body(&program, &signature, Some((0, 2))).body;
    let input = program.inputs.next_key();
    let derived = replace_body(&program, signature.func, body, Runs::Unrelated).unwrap();
    let choice = plumb_ir::analysis::signature::Scalar {
        name: "f()".into(),
        source: Source::External(input),
        ty: signature.output,
    };
    let asked = Signature { inputs: vec![choice], ..signature };
    let mut prober = Prober::new(&derived.program, &asked).unwrap();
    assert_eq!(prober.call(&[2]), Outcome::Returned(2));
    assert_eq!(prober.call(&[3]), Outcome::NotReturned(NotReturned::Assumption));
}

#[test]
fn values_from_outside_and_memory_are_read() {
    let text = "int speed, table[4], *keep; int f(int *p) { return p[1] + speed + table[3] + input(); }
        int main(void) { int q[2] = { input(), input() }; keep = table; speed = input(); table[3] = input(); return f(q); }";
    let program = program(text);
    let func = program.find_function("f").unwrap();
    let table = program.objects.iter_enumerated().find(|(_, info)| &*info.name == "table").unwrap().0;
    let speed = program.vars.iter_enumerated().find(|(_, info)| &*info.name == "speed").unwrap().0;
    let scalar = |source: Source| plumb_ir::analysis::signature::Scalar {
        name: "x".into(),
        source,
        ty: crate::summary::by_hand::INT,
    };
    let param = plumb_ir::program::LocalVar(0);
    // The body asks for an input of its own, with the number after the program's.
    let external = program.inputs.next_key();
    let sources =
        [Source::Pointee(param, 4), Source::Global(speed), Source::Object(table, 12), Source::External(external)];
    let inputs = sources.map(scalar).to_vec();
    let signature = Signature { func, inputs, output: crate::summary::by_hand::INT };
    let sum = (1..4).fold(Expr::Input(0), |sum, at| {
        let ten = Expr::Apply(Op::BvMul, vec![sum, Expr::Const(Value::bv(32, 10))]);
        Expr::Apply(Op::BvAdd, vec![ten, Expr::Input(at)])
    });
    let mut prober = summarised(&program, &signature, sum, None);
    assert_eq!(prober.call(&[1, 2, 3, 4]), Outcome::Returned(1234));
}
