//! Control, calls, memory objects, limits, probes, coverage, traces and snapshots, on programs written by hand.

mod support;

use plumb_c::target::Target;
use plumb_exec::*;
use plumb_ir::check::CheckKind;
use plumb_ir::expr::{BinOp, ExprKind, LeakRoots, Sign};
use plumb_ir::program::*;
use plumb_ir::ty::{Bits, Ty};
use std::sync::Arc;
use support::*;

/// `for (i = 0; i < n; i++) sum += i; return sum;` with the loop head at location 2.
fn sum() -> Function {
    let mut b = Body::new("sum", &[I32], Some(I32));
    let head = b.loc();
    let (i, total) = (b.var(I32), b.var(I32));
    let zero = b.int(0, 32);
    b.assign(i, zero);
    b.step(Op::Assign { to: Place::Var(total), value: zero });
    b.goto(head);
    b.at = head;
    let (iv, n) = (b.get(i, I32), b.param(0));
    let cond = b.binary(BinOp::Lt, Sign::Signed, iv, n);
    let (body, done) = (b.loc(), b.loc());
    b.branch(cond, body, done);
    b.at = body;
    let tv = b.get(total, I32);
    let next = b.binary(BinOp::Add, Sign::Signed, tv, iv);
    b.assign(total, next);
    let one = b.int(1, 32);
    let next = b.binary(BinOp::Add, Sign::Signed, iv, one);
    let here = b.at;
    b.edge(here, head, Op::Assign { to: Place::Var(i), value: next });
    b.at = done;
    b.ret(Some(tv));
    b.finish()
}

fn bits(value: i128) -> Bits {
    Bits::new(value as u128, 32)
}

#[test]
fn loops_count_their_steps_exactly() {
    let program = program(Target::LP64, vec![sum()]);
    let image = image(&program);
    for n in [0, 1, 2, 1000] {
        let mut machine = Machine::at_function(image.clone(), FuncId(0), &[bits(n)]);
        let outcome = machine.run(&mut ZeroInputs, Limits::default());
        assert_eq!(outcome, Outcome::Returned(Some(bits(n * (n - 1) / 2))));
        // Two assignments and a jump; three edges a iteration; the exit and the return.
        assert_eq!(machine.steps(), 3 + 3 * n as u64 + 2);
    }
}

#[test]
fn a_run_stops_at_its_limit_and_goes_on() {
    let program = program(Target::LP64, vec![sum()]);
    let image = image(&program);
    let mut machine = Machine::at_function(image.clone(), FuncId(0), &[bits(5000)]);
    let mut runs = 0;
    let outcome = loop {
        let before = machine.steps();
        match machine.run(&mut ZeroInputs, Limits::steps(10)) {
            Outcome::StepLimit => assert!((10..=13).contains(&(machine.steps() - before))),
            other => break other,
        }
        runs += 1;
    };
    assert!(runs > 1000);
    assert_eq!(outcome, Outcome::Returned(Some(bits(4999 * 2500))));
    assert_eq!(machine.steps(), 15_005);
    assert_eq!(machine.run(&mut ZeroInputs, Limits::default()), outcome, "an ended run stays ended");
}

#[test]
fn probes_stop_at_the_loop_head_and_snapshots_branch_from_there() {
    let program = program(Target::LP64, vec![sum()]);
    let options = CompileOptions { probes: vec![(FuncId(0), Loc(2))].into(), ..CompileOptions::default() };
    let image = Arc::new(Image::compile(&program, &options).unwrap());
    let mut machine = Machine::at_function(image.clone(), FuncId(0), &[bits(7)]);
    let stops = StopSet::all(&image);
    let mut snapshots = Vec::new();
    let outcome = loop {
        match machine.run_until(&mut ZeroInputs, Limits::default(), &stops) {
            Outcome::Probe(ProbeId(0)) => {
                assert_eq!(machine.position().0, FuncId(0));
                snapshots.push((machine.snapshot(), machine.local(LocalVar(1)).unwrap(), machine.steps()));
            }
            other => break other,
        }
    };
    assert_eq!(outcome, Outcome::Returned(Some(bits(21))));
    assert_eq!(snapshots.len(), 8);
    for (iteration, (snapshot, i, steps)) in snapshots.iter().enumerate().rev() {
        assert_eq!((i.u64(), *steps), (iteration as u64, 3 + 3 * iteration as u64));
        assert!(machine.restore(snapshot));
        machine.set_local(LocalVar(0), bits(10));
        assert_eq!(machine.run(&mut ZeroInputs, Limits::default()), Outcome::Returned(Some(bits(45))));
    }
}

/// A chain of comparisons as lowering makes of a switch: returns the index of the case, or 100.
fn switch(values: &[i128]) -> Function {
    let mut b = Body::new("switch", &[I32], Some(I32));
    let x = b.param(0);
    for (i, value) in values.iter().enumerate() {
        let constant = b.int(*value, 32);
        let cond = b.binary(BinOp::Eq, Sign::Signed, x, constant);
        let (yes, no) = (b.loc(), b.loc());
        b.branch(cond, yes, no);
        b.at = yes;
        let index = b.int(i as i128, 32);
        b.ret(Some(index));
        b.at = no;
    }
    let other = b.int(100, 32);
    b.ret(Some(other));
    b.finish()
}

#[test]
fn switches_of_all_densities() {
    let dense: Vec<i128> = (3..40).rev().collect();
    let sparse: Vec<i128> = (0..30).map(|i| i * i * 1000 - 50_000).collect();
    let holes: Vec<i128> = vec![-1, 0, 1, 2, 9, 10, -3];
    for values in [dense, sparse, holes, vec![5, 6]] {
        let program = program(Target::LP64, vec![switch(&values)]);
        let image = image(&program);
        let near = values.iter().flat_map(|v| [v - 1, *v, v + 1]);
        for x in near.chain([i32::MIN as i128, i32::MAX as i128]) {
            let mut machine = Machine::at_function(image.clone(), FuncId(0), &[bits(x)]);
            let expected = values.iter().position(|v| *v == x).unwrap_or(100);
            let outcome = machine.run(&mut ZeroInputs, Limits::default());
            assert_eq!(outcome, Outcome::Returned(Some(bits(expected as i128))), "{x} of {values:?}");
            let steps = values.iter().position(|v| *v == x).map_or(values.len(), |p| p + 1) + 1;
            assert_eq!(machine.steps(), steps as u64);
        }
    }
}

/// `f(n) = n == 0 ? 0 : n + f(n - 1)`, through a pointer if asked, with a local object that keeps n over the call.
fn recursive(indirect: bool) -> Function {
    let mut b = Body::new("f", &[I32], Some(I32));
    let object = b.object(4, 4);
    let result = b.var(I32);
    let n = b.param(0);
    let addr = b.addr(object);
    b.store(addr, n);
    let zero = b.int(0, 32);
    let cond = b.binary(BinOp::Eq, Sign::Signed, n, zero);
    let (yes, no) = (b.loc(), b.loc());
    b.branch(cond, yes, no);
    b.at = yes;
    b.ret(Some(zero));
    b.at = no;
    let one = b.int(1, 32);
    let less = b.binary(BinOp::Sub, Sign::Signed, n, one);
    let callee = if indirect {
        Callee::Indirect(b.push(ExprKind::FuncAddr(FuncId(0)), Ty::Ptr))
    } else {
        Callee::Direct(FuncId(0))
    };
    b.call(Some(result), callee, vec![less]);
    let kept = b.load(addr, I32);
    let value = b.get(result, I32);
    let sum = b.binary(BinOp::Add, Sign::Signed, kept, value);
    b.ret(Some(sum));
    b.finish()
}

#[test]
fn recursion_with_objects() {
    for indirect in [false, true] {
        for target in [Target::LP64, Target::ILP32] {
            let program = program(target, vec![recursive(indirect)]);
            assert_eq!(result(&program, &[bits(20_000)]), Outcome::Returned(Some(bits(200_010_000))));
            let outcome = result(&program, &[bits(-1)]);
            assert!(matches!(outcome, Outcome::Fault { kind: FaultKind::StackOverflow, .. }), "{outcome:?}");
        }
        // 16 KiB of stack on a 16-bit target.
        let program = program(Target::AVR, vec![recursive(indirect)]);
        assert_eq!(result(&program, &[bits(100)]), Outcome::Returned(Some(bits(5050))));
        assert!(matches!(result(&program, &[bits(20_000)]), Outcome::Fault { kind: FaultKind::StackOverflow, .. }));
    }
}

#[test]
fn calls_of_what_is_no_function_fault() {
    for address in [0u64, 3, 0x1_0000 + 16, 0x7f00_0000_0000] {
        let mut b = Body::new("f", &[], None);
        let target = b.push(ExprKind::Const(Bits::new(address as u128, 64)), Ty::Ptr);
        b.call(None, Callee::Indirect(target), vec![]);
        b.ret(None);
        let outcome = run(&program(Target::LP64, vec![b.finish()]));
        assert!(matches!(outcome, Outcome::Fault { kind: FaultKind::BadCall { .. }, .. }), "{outcome:?}");
    }
    // Another type of argument, or a result that is not returned, is no match; an argument too many is ignored.
    for (arg, result, fits) in [(I32, None, true), (I64, None, false), (I32, Some(I32), false)] {
        let mut b = Body::new("f", &[], None);
        let target = b.push(ExprKind::FuncAddr(FuncId(1)), Ty::Ptr);
        let value = b.push(ExprKind::Const(Bits::ONE), arg);
        let to = result.map(|ty| b.var(ty));
        b.call(to, Callee::Indirect(target), vec![value, value]);
        b.ret(None);
        let mut g = Body::new("g", &[I32], None);
        g.ret(None);
        let outcome = run(&program(Target::LP64, vec![b.finish(), g.finish()]));
        assert_eq!(outcome == Outcome::Returned(None), fits, "{outcome:?}");
    }
}

#[test]
fn faults_of_memory() {
    let access = |write: bool, read_only: bool, offset: i128, size: u8| {
        let mut b = Body::new("f", &[], None);
        let base = b.addr(ObjRef::Global(GlobalObj(0)));
        let offset = b.int(offset, 64);
        let addr = b.push(ExprKind::PtrAdd(base, offset), Ty::Ptr);
        if write {
            let value = b.int(1, size);
            b.store(addr, value);
        } else {
            let value = b.load(addr, Ty::Int(size));
            let var = b.var(Ty::Int(size));
            b.assign(var, value);
        }
        b.ret(None);
        let mut program = program(Target::LP64, vec![b.finish()]);
        program.objects = Arc::new(vec![static_object(12, 4, read_only, vec![])].into());
        run(&program)
    };
    for size in [8u8, 16, 24, 32, 64, 128] {
        let bytes = size as i128 / 8;
        for offset in -9..24 {
            let inside = offset >= 0 && offset + bytes <= 12;
            for read_only in [false, true] {
                assert_eq!(access(false, read_only, offset, size) == Outcome::Returned(None), inside);
                let written = access(true, read_only, offset, size);
                assert_eq!(written == Outcome::Returned(None), inside && !read_only);
                if inside && read_only {
                    let is_right = matches!(written, Outcome::Fault { kind: FaultKind::ReadOnlyWrite { .. }, .. });
                    assert!(is_right, "{written:?}");
                }
            }
        }
    }
}

#[test]
fn statics_start_as_initialised() {
    let mut b = Body::new("f", &[], Some(I64));
    let base = b.addr(ObjRef::Global(GlobalObj(0)));
    let at = |b: &mut Body, offset: i128, ty: Ty| {
        let offset = b.int(offset, 64);
        let addr = b.push(ExprKind::PtrAdd(base, offset), Ty::Ptr);
        b.load(addr, ty)
    };
    // s[0] is a pointer to s + 16, where 0x55 lies.
    let pointer = at(&mut b, 0, Ty::Ptr);
    let value = b.load(pointer, I64);
    b.ret(Some(value));
    let mut program = program(Target::LP64, vec![b.finish()]);
    let bytes = DatumValue::Bytes(Box::new([0x55, 1]));
    let init =
        vec![Datum { offset: 0, value: DatumValue::Object(GlobalObj(0), 16) }, Datum { offset: 16, value: bytes }];
    program.objects = Arc::new(vec![static_object(24, 8, false, init)].into());
    assert_eq!(run(&program), Outcome::Returned(Some(Bits::new(0x155, 64))));
}

#[test]
fn checks_assumptions_and_inputs() {
    // x = input; assume(x > 0); check(x != 5)
    let mut b = Body::new("f", &[], Some(I32));
    let x = b.var(I32);
    b.step(Op::Havoc { to: HavocPlace::Var(x), input: INPUT });
    let (xv, zero, five) = (b.get(x, I32), b.int(0, 32), b.int(5, 32));
    let positive = b.binary(BinOp::Lt, Sign::Signed, zero, xv);
    b.step(Op::Assume { cond: positive, branch: None });
    let cond = b.binary(BinOp::Ne, Sign::Signed, xv, five);
    b.step(Op::Check { cond, check: CHECK });
    b.ret(Some(xv));
    let mut program = program(Target::LP64, vec![b.finish()]);
    program.inputs = Arc::new(vec![input(Some(I32))].into());
    for kind in [CheckKind::Assertion, CheckKind::Unsupported] {
        program.checks = Arc::new(vec![check(kind)].into());
        let image = image(&program);
        let run = |values: &[i128]| {
            let list = values.iter().map(|v| InputValue::Scalar(Bits::new(*v as u128, 32)));
            let mut machine = Machine::new(image.clone());
            let outcome = machine.run(&mut ListInputs::new(list), Limits::default());
            (outcome, machine)
        };
        assert_eq!(run(&[7]).0, Outcome::Returned(Some(bits(7))));
        assert!(matches!(run(&[0]).0, Outcome::AssumptionFailed(site) if site.edge == EdgeId(1)));
        let (failed, machine) = run(&[5]);
        match kind {
            CheckKind::Assertion => assert!(matches!(failed, Outcome::CheckFailed { check: CHECK, .. })),
            _ => assert!(matches!(failed, Outcome::Unsupported { check: CHECK, .. })),
        }
        assert_eq!(machine.steps(), 3, "the failing edge counts");
        let (none, mut machine) = run(&[]);
        assert!(matches!(none, Outcome::NoInput { input: INPUT, .. }));
        let mut more = FnInputs(|_| Some(InputValue::Scalar(bits(9))));
        assert_eq!(machine.run(&mut more, Limits::default()), Outcome::Returned(Some(bits(9))));
    }
}

#[test]
fn recorded_inputs_replay() {
    let mut b = Body::new("f", &[], Some(I64));
    let object = b.object(64, 8);
    let (x, sum) = (b.var(I64), b.var(I64));
    let (addr, size) = (b.addr(object), b.int(64, 64));
    b.step(Op::Havoc { to: HavocPlace::Region { addr, size }, input: plumb_ir::input::InputId(1) });
    let first = b.load(addr, I64);
    b.assign(sum, first);
    for _ in 0..20 {
        b.step(Op::Havoc { to: HavocPlace::Var(x), input: INPUT });
        let (xv, sv, three) = (b.get(x, I64), b.get(sum, I64), b.int(3, 64));
        let scaled = b.binary(BinOp::Mul, Sign::Signed, sv, three);
        let next = b.binary(BinOp::Add, Sign::Signed, scaled, xv);
        b.assign(sum, next);
    }
    let value = b.get(sum, I64);
    b.ret(Some(value));
    let mut program = program(Target::LP64, vec![b.finish()]);
    program.inputs = Arc::new(vec![input(Some(I64)), input(None)].into());
    let image = image(&program);
    for seed in 0..20 {
        let mut recorder = Recorder::new(SeedInputs::new(seed));
        let outcome = Machine::new(image.clone()).run(&mut recorder, Limits::default());
        assert_eq!(Machine::new(image.clone()).run(&mut recorder.replay(), Limits::default()), outcome);
        let text = input_file::write(&recorder.record, &program);
        let mut file = FileInputs::parse(&text).unwrap();
        assert_eq!(Machine::new(image.clone()).run(&mut file, Limits::default()), outcome, "{text}");
    }
}

#[test]
fn coverage_and_traces_tell_every_edge() {
    let program = program(Target::LP64, vec![sum()]);
    let options = CompileOptions { coverage: true, trace: true, ..CompileOptions::default() };
    let image = Arc::new(Image::compile(&program, &options).unwrap());
    let mut machine = Machine::at_function(image.clone(), FuncId(0), &[bits(4)]);
    let mut seen = Vec::new();
    let outcome = machine.run_traced(&mut ZeroInputs, Limits::default(), &StopSet::default(), &mut |event| {
        seen.push((event.edge, event.machine.local(LocalVar(2)).unwrap().u64()));
    });
    assert_eq!(outcome, Outcome::Returned(Some(bits(6))));
    assert_eq!(machine.steps(), 3 + 3 * 4 + 2);
    assert_eq!(seen.len() as u64, machine.steps());
    for edge in program.function(FuncId(0)).edge_ids() {
        let count = seen.iter().filter(|(e, _)| *e == edge).count() as u64;
        assert_eq!(machine.coverage(FuncId(0), edge), count);
        assert!(count > 0);
    }
    assert_eq!(seen.last().unwrap().1, 6);
}

#[test]
fn questions_about_memory() {
    let mut b = Body::new("f", &[Ty::Int(64)], Some(I32));
    let heap = b.var(Ty::Ptr);
    let size = b.int(40, 64);
    b.call(Some(heap), Callee::Intrinsic(Intrinsic::HeapAlloc), vec![size, size]);
    let base = b.get(heap, Ty::Ptr);
    let offset = b.param(0);
    let addr = b.push(ExprKind::PtrAdd(base, offset), Ty::Ptr);
    let four = b.int(4, 64);
    let questions = [
        b.push(ExprKind::InBounds { base, addr, size: four, write: false }, Ty::BOOL),
        b.push(ExprKind::IsLive(addr), Ty::BOOL),
        b.push(ExprKind::SameObject(base, addr), Ty::BOOL),
        b.push(ExprKind::Freeable(addr), Ty::BOOL),
        b.push(ExprKind::HeapEmpty, Ty::BOOL),
        b.push(ExprKind::NoLeak(LeakRoots::Possible), Ty::BOOL),
    ];
    let answer = b.var(I32);
    let zero = b.int(0, 32);
    b.assign(answer, zero);
    for (i, question) in questions.into_iter().enumerate() {
        let (old, wide, shift) = (b.get(answer, I32), b.cast(Sign::Unsigned, question, 32), b.int(i as i128, 32));
        let bit = b.binary(BinOp::Shl, Sign::Plain, wide, shift);
        let next = b.binary(BinOp::Or, Sign::Plain, old, bit);
        b.assign(answer, next);
    }
    let (old, left) = (b.get(answer, I32), b.push(ExprKind::BytesLeft(addr), Ty::Int(64)));
    let left = b.cast(Sign::Unsigned, left, 32);
    let eight = b.int(8, 32);
    let left = b.binary(BinOp::Shl, Sign::Plain, left, eight);
    let next = b.binary(BinOp::Or, Sign::Plain, old, left);
    b.assign(answer, next);
    let value = b.get(answer, I32);
    b.ret(Some(value));
    let program = program(Target::LP64, vec![b.finish()]);
    let ask = |offset: i128| match result(&program, &[Bits::new(offset as u128, 64)]) {
        Outcome::Returned(Some(bits)) => (bits.u64() & 0xff, bits.u64() >> 8),
        other => panic!("{other:?}"),
    };
    // The heap is never empty, and the object is not lost: a register of the active function refers to it.
    assert_eq!(ask(0), (0b10_1111, 40));
    assert_eq!(ask(36), (0b10_0111, 4));
    assert_eq!(ask(37), (0b10_0110, 3));
    assert_eq!(ask(40), (0b10_0110, 0));
    assert_eq!(ask(41), (0b10_0000, 0));
    assert_eq!(ask(-1), (0b10_0000, 0));
}

#[test]
fn program_registers_and_snapshots() {
    // g = g * 3 + input, forever.
    let mut b = Body::new("f", &[], None);
    let x = b.var(I32);
    let g = VarRef::Global(GlobalVar(0));
    let head = b.at;
    b.step(Op::Havoc { to: HavocPlace::Var(x), input: INPUT });
    let (gv, xv, three) = (b.get(g, I32), b.get(x, I32), b.int(3, 32));
    let scaled = b.binary(BinOp::Mul, Sign::Plain, gv, three);
    let next = b.binary(BinOp::Add, Sign::Plain, scaled, xv);
    let here = b.at;
    b.edge(here, head, Op::Assign { to: Place::Var(g), value: next });
    let mut program = program(Target::LP64, vec![b.finish()]);
    program.inputs = Arc::new(vec![input(Some(I32))].into());
    program.vars = Arc::new(
        vec![GlobalVarInfo {
            name: "g".into(),
            ty: I32,
            cty: None,
            init: ScalarInit::Const(Bits::ONE),
            span: plumb_c::source::Span::NONE,
        }]
        .into(),
    );
    let mut machine = machine(&program);
    let mut inputs = SeedInputs::new(1);
    let mut snapshots = Vec::new();
    for _ in 0..50 {
        snapshots.push((machine.snapshot(), inputs.clone(), machine.global(GlobalVar(0))));
        assert_eq!(machine.run(&mut inputs, Limits::steps(20)), Outcome::StepLimit);
    }
    for i in (0..49).rev() {
        let (snapshot, inputs, value) = &snapshots[i];
        assert!(machine.restore(snapshot));
        assert_eq!(machine.global(GlobalVar(0)), *value);
        machine.run(&mut inputs.clone(), Limits::steps(20));
        assert_eq!(machine.global(GlobalVar(0)), snapshots[i + 1].2);
    }
}

/// Search runs machines on several threads and passes snapshots between them.
#[test]
fn machines_and_snapshots_cross_threads() {
    fn crosses<T: Send>() {}
    fn shared<T: Send + Sync>() {}
    crosses::<Machine>();
    shared::<Snapshot>();
    shared::<Image>();
    let program = program(Target::LP64, vec![sum()]);
    let image = image(&program);
    let mut machine = Machine::at_function(image.clone(), FuncId(0), &[bits(1000)]);
    machine.run(&mut ZeroInputs, Limits::steps(500));
    let snapshot = machine.snapshot();
    let threads = (0..4).map(|_| {
        let (image, snapshot) = (image.clone(), snapshot.clone());
        std::thread::spawn(move || {
            let mut machine = Machine::new(image);
            assert!(machine.restore(&snapshot));
            machine.run(&mut ZeroInputs, Limits::default())
        })
    });
    for thread in threads.collect::<Vec<_>>() {
        assert_eq!(thread.join().unwrap(), Outcome::Returned(Some(bits(499_500))));
    }
}
