//! The programs that contracts make.

mod support;

use plumb_contract::{Atom, Case, Cell, Contract, summarised, unbounded_stack, unit_of};
use plumb_exec::{CompileOptions, FnInputs, Image, InputValue, Limits, Machine, Outcome};
use plumb_ir::analysis::Analyses;
use plumb_ir::derive::Origin;
use plumb_ir::input::{InputId, InputOrigin};
use plumb_ir::program::{GlobalObj, LocalVar, Program};
use plumb_ir::ty::{Bits, Ty};
use plumb_ir::verify::verify;
use plumb_term::TermId;
use std::sync::Arc;
use support::{function, global, parameter, program, result};

const MC_CARTHY: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    int f91(int x) { if (x > 100) return x - 10; return f91(f91(x + 11)); }
    int main(void) { int x = __VERIFIER_nondet_int(); int r = f91(x); if (x <= 100 && r != 91) reach_error(); return 0; }";

/// `x <= 100 ==> result == 91`, `x > 100 ==> result == x - 10`.
fn mc_carthy(program: &Program, below: u128) -> Contract {
    let mut contract = Contract::trivial(function(program, "f91"));
    let (x, r) = (parameter(program, &mut contract, 0), result(program, &mut contract));
    let terms = &mut contract.terms;
    let (hundred, low, ten) = (terms.bv(32, 100), terms.bv(32, below), terms.bv(32, 10));
    let is_low = terms.bv_sle(x, hundred);
    let is_high = terms.not(is_low);
    let less = terms.bv_sub(x, ten);
    let ensures = [terms.eq(r, low), terms.eq(r, less)];
    contract.cases =
        vec![Case { requires: is_low, ensures: ensures[0] }, Case { requires: is_high, ensures: ensures[1] }];
    contract
}

/// Runs with the inputs of each origin.
fn run(program: &Program, mut input: impl FnMut(&InputOrigin) -> i32) -> Outcome {
    let image = Arc::new(Image::compile(program, &CompileOptions::default()).expect("the program can be compiled"));
    let sites = program.inputs.clone();
    let mut source = FnInputs(|id: InputId| {
        let width = sites[id].ty.map_or(32, |ty| ty.bits(&program.target));
        Some(InputValue::Scalar(Bits::new(input(&sites[id].origin) as u128, width)))
    });
    Machine::new(image).run(&mut source, Limits::steps(100_000))
}

#[test]
fn callers_see_what_the_contract_says_and_nothing_else() {
    let program = program(MC_CARTHY);
    let analyses = Analyses::new(&program);
    let made = summarised(&analyses, &[mc_carthy(&program, 91)]).unwrap();
    assert_eq!(verify(&made.derived.program), Vec::<String>::new());
    let outcome = |x: i32, r: i32| {
        run(&made.derived.program, |origin| if matches!(origin, InputOrigin::Summary(_)) { r } else { x })
    };
    assert!(matches!(outcome(5, 91), Outcome::Returned { .. } | Outcome::Exited { .. }), "{:?}", outcome(5, 91));
    assert!(matches!(outcome(5, 90), Outcome::AssumptionFailed { .. }), "{:?}", outcome(5, 90));
    assert!(matches!(outcome(200, 91), Outcome::AssumptionFailed { .. }), "{:?}", outcome(200, 91));
    assert!(matches!(outcome(200, 190), Outcome::Returned { .. } | Outcome::Exited { .. }));
    // A contract that says something else lets the check fail.
    let wrong = summarised(&analyses, &[mc_carthy(&program, 92)]).unwrap();
    let outcome = run(&wrong.derived.program, |origin| if matches!(origin, InputOrigin::Summary(_)) { 92 } else { 5 });
    assert!(matches!(outcome, Outcome::CheckFailed { .. }), "{outcome:?}");
}

#[test]
fn a_unit_runs_the_body_once_and_contracts_inside() {
    let program = program(MC_CARTHY);
    let analyses = Analyses::new(&program);
    let contract = mc_carthy(&program, 91);
    let unit = unit_of(&analyses, &contract, std::slice::from_ref(&contract)).unwrap();
    assert_eq!(verify(&unit.derived.program), Vec::<String>::new());
    assert_eq!(unit.derived.provenance.functions[unit.body].function, Origin::Original(contract.func));
    assert_eq!(unit.checks.len(), 2);
    let outcome = |x: i32, inner: i32| {
        run(&unit.derived.program, |origin| if matches!(origin, InputOrigin::Summary(_)) { inner } else { x })
    };
    // f91(99) calls f91(110) and f91 of what that gives. The contract says 100 of the first: no run goes on with 91.
    assert!(matches!(outcome(99, 91), Outcome::AssumptionFailed { .. }));
    assert!(matches!(outcome(150, 0), Outcome::Exited { .. }));
    assert!(matches!(outcome(5, 91), Outcome::Exited { .. }), "{:?}", outcome(5, 91));
    // A body that does not keep its contract: f91(100) calls f91(111) and f91(101).
    let wrong = unit_of(&analyses, &mc_carthy(&program, 90), &[]).unwrap();
    let mut inner = [101, 91].into_iter();
    let outcome = run(&wrong.derived.program, |origin| match origin {
        InputOrigin::Summary(_) => inner.next().unwrap(),
        _ => 100,
    });
    assert!(matches!(outcome, Outcome::CheckFailed { check, .. } if check == wrong.checks[0].check), "{outcome:?}");
    assert_eq!(unbounded_stack(&analyses, &[contract]), Some(function(&program, "f91")));
}

#[test]
fn a_contract_that_promises_nothing_has_a_check() {
    let program = program(MC_CARTHY);
    let analyses = Analyses::new(&program);
    let unit = unit_of(&analyses, &Contract::trivial(function(&program, "f91")), &[]).unwrap();
    assert_eq!((unit.checks.len(), unit.checks[0].of), (1, None));
    assert!(plumb_ir::property::can_meet_a_check(&unit.derived.program));
}

const COUNTER: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    int count, table[4]; void bump(int by) { count += by; table[by & 3] = count; }
    static int (*op)(int); static int twice(int x) { return x + x; } static int once(int x) { return x; }
    int *where, *kept; void put(int *p) { *p = 1; } void store(void) { *kept = 1; } void *malloc(unsigned long); void make(void) { where = malloc(4); }
    int main(void) { int x = __VERIFIER_nondet_int(); bump(x); if (count != x) reach_error(); op = x ? twice : once;
      int mine; put(&mine); kept = &mine; store(); make(); return op(x) + mine; }";

#[test]
fn what_a_function_may_write_is_arbitrary_within_the_contract() {
    let program = program(COUNTER);
    let analyses = Analyses::new(&program);
    let mut contract = Contract::trivial(function(&program, "bump"));
    let (by, [old, new]) = (parameter(&program, &mut contract, 0), global(&program, &mut contract, "count"));
    let sum = contract.terms.bv_add(old, by);
    let ensures = contract.terms.eq(new, sum);
    contract.cases.push(Case { requires: TermId::bool(true), ensures });
    let made = summarised(&analyses, std::slice::from_ref(&contract)).unwrap();
    let body = made.derived.program.function(contract.func);
    let havocs = body.edges.iter().filter(|e| matches!(e.op, plumb_ir::program::Op::Havoc { .. })).count();
    assert_eq!(havocs, 2, "count and table");
    let mut places = vec![Atom::Entry(Cell::Parameter(LocalVar(0)))];
    places.extend(contract.symbols[1..].iter().map(|symbol| symbol.atom));
    assert_eq!(contract.symbols.iter().map(|symbol| symbol.atom).collect::<Vec<_>>(), places);
    assert_eq!(made.installed[&contract.func].atoms[0], LocalVar(0));
    assert_eq!(unbounded_stack(&analyses, &[contract]), None);
}

#[test]
fn what_cannot_be_named_or_said_is_refused() {
    let program = program(COUNTER);
    let analyses = Analyses::new(&program);
    let refused = |contract: Contract| summarised(&analyses, &[contract]).unwrap_err();
    let trivial = |name: &str| Contract::trivial(function(&program, name));
    assert!(refused(trivial("store")).contains("an object of a call of main"));
    assert!(summarised(&analyses, &[trivial("put")]).is_ok());
    assert!(refused(trivial("make")).contains("allocates"));
    assert!(refused(trivial("main")).contains("where runs start"));
    assert!(refused(Contract::trivial(program.start)).contains("where runs start"));
    let two = summarised(&analyses, &[trivial("bump"), trivial("bump")]).unwrap_err();
    assert!(two.contains("two contracts"), "{two}");

    let int = Ty::Int(32);
    let with = |atom: Atom, ty: Ty| {
        let mut contract = trivial("bump");
        contract.symbol(&program, atom, ty, true);
        refused(contract)
    };
    assert!(with(Atom::Result, int).contains("does not have"));
    let wide = Ty::Int(64);
    let table = GlobalObj::from(usize::from(program.objects.position(|o| &*o.name == "table").unwrap()));
    assert!(with(Atom::Exit(Cell::Object(table, 12)), wide).contains("does not have"));
    assert!(with(Atom::Entry(Cell::Parameter(LocalVar(0))), wide).contains("does not have"));
    let mut about_exit = trivial("bump");
    let [_, new] = global(&program, &mut about_exit, "count");
    let zero = about_exit.terms.bv(32, 0);
    let requires = about_exit.terms.eq(new, zero);
    about_exit.cases.push(Case { requires, ensures: TermId::bool(true) });
    assert!(refused(about_exit).contains("stands for nothing"));
}
