//! Accelerated loops against the same loops with every iteration by itself: values, steps, places and counts of edges, at random limits.

mod support;

use plumb_c::target::Target;
use plumb_exec::*;
use plumb_ir::expr::{BinOp, ExprId, Sign};
use plumb_ir::program::*;
use plumb_ir::ty::{Bits, Ty};
use std::sync::Arc;
use support::*;

const WIDTHS: [u8; 4] = [8, 16, 32, 64];

/// A random loop over four variables of random widths and two program registers, with branches and an inner loop that counts to a constant.
struct Sketch<'a> {
    rng: &'a mut Rng,
    b: Body,
    vars: Vec<(VarRef, u8)>,
}

impl Sketch<'_> {
    fn pick(&mut self, n: u64) -> u64 {
        self.rng.below(n)
    }

    fn any_var(&mut self) -> (VarRef, u8) {
        let at = self.pick(self.vars.len() as u64) as usize;
        self.vars[at]
    }

    fn constant(&mut self, bits: u8) -> ExprId {
        let value = match self.pick(6) {
            0 => self.pick(5) as i128 - 2,
            1 => 1,
            2 => -1,
            3 => self.pick(200) as i128,
            4 => (1i128 << (bits - 1)) - 2 + self.pick(4) as i128,
            _ => self.rng.next() as i128,
        };
        self.b.int(value, bits)
    }

    fn step(&mut self) {
        let (var, bits) = self.any_var();
        let ty = Ty::Int(bits);
        match self.pick(8) {
            0 => {
                let value = self.constant(bits);
                self.b.assign(var, value);
            }
            1 => {
                let same: Vec<(VarRef, u8)> = self.vars.iter().copied().filter(|(_, other)| *other == bits).collect();
                let from = same[self.pick(same.len() as u64) as usize].0;
                let value = self.b.get(from, ty);
                self.b.assign(var, value);
            }
            _ => {
                let (old, by) = (self.b.get(var, ty), self.constant(bits));
                let op = if self.pick(2) == 0 { BinOp::Add } else { BinOp::Sub };
                let value = self.b.binary(op, Sign::Plain, old, by);
                self.b.assign(var, value);
            }
        }
    }

    fn condition(&mut self) -> ExprId {
        let (var, bits) = self.any_var();
        let ty = Ty::Int(bits);
        let a = self.b.get(var, ty);
        let same: Vec<(VarRef, u8)> = self.vars.iter().copied().filter(|(_, other)| *other == bits).collect();
        let b = match self.pick(3) {
            0 => {
                let other = same[self.pick(same.len() as u64) as usize].0;
                self.b.get(other, ty)
            }
            _ => self.constant(bits),
        };
        let sign = if self.pick(2) == 0 { Sign::Signed } else { Sign::Unsigned };
        match self.pick(4) {
            0 => self.b.binary(BinOp::Eq, Sign::Plain, a, b),
            1 => self.b.binary(BinOp::Ne, Sign::Plain, a, b),
            2 => self.b.binary(BinOp::Lt, sign, a, b),
            _ => self.b.binary(BinOp::Le, sign, a, b),
        }
    }

    /// `if (..) { .. } else { .. }`
    fn decision(&mut self) {
        let cond = self.condition();
        let (yes, no, end) = (self.b.loc(), self.b.loc(), self.b.loc());
        self.b.branch(cond, yes, no);
        for arm in [yes, no] {
            self.b.at = arm;
            if self.pick(3) > 0 {
                self.step();
            }
            self.b.goto(end);
        }
        self.b.at = end;
    }

    /// `for (v = 0; v < n; v++) ..`
    fn inner(&mut self) {
        let counter = self.b.var(I32);
        let (zero, one, most) = (self.b.int(0, 32), self.b.int(1, 32), self.pick(5) as i128);
        let most = self.b.int(most, 32);
        self.b.assign(counter, zero);
        let (head, body, end) = (self.b.loc(), self.b.loc(), self.b.loc());
        self.b.goto(head);
        self.b.at = head;
        let value = self.b.get(counter, I32);
        let cond = self.b.binary(BinOp::Lt, Sign::Signed, value, most);
        self.b.branch(cond, body, end);
        self.b.at = body;
        self.step();
        let next = self.b.binary(BinOp::Add, Sign::Plain, value, one);
        self.b.assign(counter, next);
        self.b.goto(head);
        self.b.at = end;
    }
}

fn random_loop(rng: &mut Rng) -> Program {
    let globals: Vec<u8> = (0..2).map(|_| WIDTHS[rng.below(4) as usize]).collect();
    let mut s = Sketch { rng, b: Body::new("loop", &[], Some(I32)), vars: Vec::new() };
    for (at, bits) in globals.iter().enumerate() {
        s.vars.push((VarRef::Global(GlobalVar(at as u32)), *bits));
    }
    for _ in 0..4 {
        let bits = WIDTHS[s.pick(4) as usize];
        let var = s.b.var(Ty::Int(bits));
        let value = s.constant(bits);
        s.b.assign(var, value);
        s.vars.push((var, bits));
    }
    let (head, body, end) = (s.b.loc(), s.b.loc(), s.b.loc());
    s.b.goto(head);
    s.b.at = head;
    // A loop that tests first, or last.
    let tests_first = s.pick(2) == 0;
    if tests_first {
        let cond = s.condition();
        s.b.branch(cond, body, end);
    } else {
        s.b.goto(body);
    }
    s.b.at = body;
    for _ in 0..1 + s.pick(4) {
        match s.pick(6) {
            0 => s.decision(),
            1 => s.inner(),
            _ => s.step(),
        }
    }
    if tests_first {
        s.b.goto(head);
    } else {
        let cond = s.condition();
        s.b.branch(cond, head, end);
    }
    s.b.at = end;
    let zero = s.b.int(0, 32);
    s.b.ret(Some(zero));
    let mut program = program(Target::LP64, vec![s.b.finish()]);
    let info = |bits: u8| GlobalVarInfo {
        name: "g".into(),
        ty: Ty::Int(bits),
        cty: None,
        init: ScalarInit::Const(Bits::new(3, bits as u32)),
        span: plumb_c::source::Span::NONE,
    };
    program.vars = Arc::new(globals.iter().map(|bits| info(*bits)).collect());
    program
}

#[test]
fn accelerated_loops_are_the_loops() {
    let mut rng = Rng(12);
    let (mut ended, mut saved) = (0, 0);
    for seed in 0..6_000 {
        let program = random_loop(&mut rng);
        let options = CompileOptions { coverage: seed % 2 == 0, ..CompileOptions::default() };
        let plain = CompileOptions { unaccelerated: true, ..options.clone() };
        let (fast, slow) = (Image::compile(&program, &options).unwrap(), Image::compile(&program, &plain).unwrap());
        saved += usize::from(fast.listing(FuncId(0)) != slow.listing(FuncId(0)));
        let (mut fast, mut slow) = (Machine::new(Arc::new(fast)), Machine::new(Arc::new(slow)));
        let function = program.function(FuncId(0));
        for _ in 0..12 {
            let limits = Limits::steps([1, 7, 100, 3_000, 20_000][rng.below(5) as usize]);
            let (a, b) = (fast.run(&mut ZeroInputs, limits), slow.run(&mut ZeroInputs, limits));
            assert_eq!((&a, fast.steps(), fast.position()), (&b, slow.steps(), slow.position()), "program {seed}");
            for at in 0..function.vars.len() as u32 {
                assert_eq!(fast.local(LocalVar(at)), slow.local(LocalVar(at)), "program {seed}, variable {at}");
            }
            for at in 0..program.vars.len() as u32 {
                assert_eq!(fast.global(GlobalVar(at)), slow.global(GlobalVar(at)), "program {seed}, register {at}");
            }
            for at in (0..function.edges.len() as u32).map(EdgeId) {
                assert_eq!(fast.coverage(FuncId(0), at), slow.coverage(FuncId(0), at), "program {seed}, edge {at:?}");
            }
            if a != Outcome::StepLimit {
                ended += 1;
                break;
            }
        }
    }
    // Loops of all kinds are there, or the comparison says nothing.
    assert!(ended > 1_000 && saved > 1_500, "{ended} ended, {saved} accelerated");
}

/// `for (x = 0; x < 2^31; x++) ;`
#[test]
fn long_loops_end() {
    let mut b = Body::new("count", &[], Some(I64));
    let head = b.loc();
    let x = b.var(I64);
    let (zero, one, most) = (b.int(0, 64), b.int(1, 64), b.int(1 << 31, 64));
    b.assign(x, zero);
    b.goto(head);
    b.at = head;
    let value = b.get(x, I64);
    let cond = b.binary(BinOp::Lt, Sign::Unsigned, value, most);
    let (body, end) = (b.loc(), b.loc());
    b.branch(cond, body, end);
    b.at = body;
    let next = b.binary(BinOp::Add, Sign::Plain, value, one);
    let here = b.at;
    b.edge(here, head, Op::Assign { to: Place::Var(x), value: next });
    b.at = end;
    b.ret(Some(value));
    let program = program(Target::LP64, vec![b.finish()]);
    let mut machine = machine(&program);
    let outcome = machine.run(&mut ZeroInputs, Limits::default());
    assert_eq!(outcome, Outcome::Returned(Some(Bits::new(1 << 31, 64))));
    assert_eq!(machine.steps(), 2 + 2 * (1 << 31) + 2);
}
