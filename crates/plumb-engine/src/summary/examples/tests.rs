use super::*;
use crate::summary::by_hand::{FUNCTIONS, INT, of_parameters, subject, with_examples};
use crate::test_program::{budget, program};
use plumb_ir::analysis::signature::{Scalar, Source};
use plumb_ir::input::InputOrigin;
use plumb_ir::program::{GlobalObj, GlobalVar, LocalVar, Op, Program};
use std::collections::{BTreeMap, BTreeSet};

fn gcd(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn input(name: &str, source: Source) -> Scalar {
    Scalar { name: name.into(), source, ty: INT }
}

fn global(program: &Program, name: &str) -> Option<GlobalVar> {
    program.vars.iter_enumerated().find(|(_, info)| &*info.name == name).map(|(id, _)| id)
}

fn object(program: &Program, name: &str) -> Option<GlobalObj> {
    program.objects.iter_enumerated().find(|(_, info)| &*info.name == name).map(|(id, _)| id)
}

#[test]
fn calls_give_what_the_function_returns() {
    let program = program(FUNCTIONS);
    let mut prober = Prober::new(&program, &of_parameters(&program, "check")).unwrap();
    for (a, b) in [(0, 0), (12, 18), (-12, 18), (7, 0), (1 << 20, 48)] {
        let outcome = prober.call(&[a as u32 as u64, b as u32 as u64]);
        assert_eq!(outcome, Outcome::Returned(gcd(a, b).unsigned_abs() as u64), "{a} {b}");
    }
    let mut crc = Prober::new(&program, &of_parameters(&program, "crc")).unwrap();
    assert_eq!(crc.call(&[0, 1]), Outcome::Returned(7));
    assert_eq!(crc.call(&[7, 0x80]), Outcome::Returned(crc_of(0x87)));
}

/// The checksum of one byte, as the definition says.
fn crc_of(byte: u8) -> u64 {
    (0..8).fold(byte, |crc, _| if crc & 0x80 != 0 { crc << 1 ^ 7 } else { crc << 1 }) as u64
}

#[test]
fn calls_that_do_not_return_say_why() {
    let text = "extern void exit(int);
        int odd(int x) { if (x == 0) return 1 / x; if (x == 1) exit(3); while (x == 2); if (x == 3) reach_error();
            return x; }
        int main(void) { return odd(input()); }";
    let program = program(text);
    let mut prober = Prober::new(&program, &of_parameters(&program, "odd")).unwrap();
    let outcomes: Vec<Outcome> = (0..5).map(|x| prober.call(&[x])).collect();
    let reasons = [NotReturned::Fault, NotReturned::Exit, NotReturned::StepLimit, NotReturned::Check];
    assert_eq!(outcomes[..4], reasons.map(Outcome::NotReturned));
    assert_eq!(outcomes[4], Outcome::Returned(4));
}

#[test]
fn inputs_are_put_where_the_signature_says() {
    let text = "int speed, *keep; struct point { int x, y; }; int table[4]; int *hide(int *p) { keep = p; return p; }
        int sum(int a, struct point *p) { int s = input(); return a + 10 * speed + 100 * p->y + 1000 * table[2] + 10000 * s; }
        int main(void) { struct point p = { input(), input() }; speed = input(); table[2] = input(); hide(table);
            return sum(input(), &p); }";
    let program = program(text);
    let func = program.find_function("sum").unwrap();
    let external = program.function(func).edges.iter().find_map(|edge| match edge.op {
        Op::Havoc { input, .. } if matches!(program.input(input).origin, InputOrigin::Nondet(_)) => Some(input),
        _ => None,
    });
    let inputs = vec![
        input("speed", Source::Global(global(&program, "speed").unwrap())),
        input("a", Source::Parameter(LocalVar(0))),
        input("table[2]", Source::Object(object(&program, "table").unwrap(), 8)),
        input("p->y", Source::Pointee(LocalVar(1), 4)),
        input("input()", Source::External(external.unwrap())),
    ];
    let signature = Signature { func, inputs, output: INT };
    let mut prober = Prober::new(&program, &signature).unwrap();
    assert_eq!(plumb_ir::verify::verify(prober.program()), Vec::<String>::new());
    assert_eq!(prober.call(&[2, 1, 4, 3, 5]), Outcome::Returned(54321));
    assert_eq!(prober.call(&[0, 0, 1, 0, 0]), Outcome::Returned(1000));
}

#[test]
fn a_signature_that_does_not_suit_is_refused() {
    let program = program("int f(int a) { return a; } int main(void) { return f(input()); }");
    let signature = of_parameters(&program, "f");
    let wrong = |inputs: Vec<Scalar>| Prober::new(&program, &Signature { inputs, ..signature.clone() }).is_none();
    assert!(wrong(vec![input("b", Source::Parameter(LocalVar(1)))]));
    assert!(wrong(vec![input("p", Source::Pointee(LocalVar(0), 0))]));
    assert!(wrong(vec![input("o", Source::Object(GlobalObj(4000), 0))]));
}

#[test]
fn the_solver_finds_what_chance_does_not() {
    let text =
        "int lock(int a, int b) { if (a * 3 == b - 1000001) { if (b == 1300034) return 7; return 3; } return 0; }
        int main(void) { return lock(input(), input()); }";
    let subject = subject(text, "lock");
    let found = |output: u64| subject.examples.list.iter().find(|example| example.output == output);
    assert!(found(3).is_some());
    assert_eq!(found(7).unwrap().inputs[..], [100_011, 1_300_034]);
    assert_eq!(subject.examples.branches, 4);
}

/// Every condition is reached only by inputs that satisfy all before it.
#[test]
fn long_chains_of_conditions_are_passed() {
    let conditions: Vec<String> = (1..30).map(|at| format!("x[{at}] != x[{}] * 3 + {at}", at - 1)).collect();
    let tests: Vec<String> = conditions.iter().map(|condition| format!("if ({condition}) return 0;")).collect();
    let text = format!(
        "int f(int *x) {{ {} return 1; }} int main(void) {{ int x[30]; for (int i = 0; i < 30; i++) x[i] = input();
        return f(x); }}",
        tests.join(" ")
    );
    let program = program(&text);
    let func = program.find_function("f").unwrap();
    let inputs = (0..30).map(|at| input(&format!("x[{at}]"), Source::Pointee(LocalVar(0), at * 4))).collect();
    let subject = with_examples(Analyses::new(&program), Signature { func, inputs, output: INT });
    assert_eq!(subject.examples.branches, 58);
    assert!(subject.examples.list.iter().filter(|example| example.output == 1).count() > 10);
}

#[test]
fn deep_recursion_does_not_use_up_the_search() {
    let text = "int fib(int n) { if (n < 1) return 0; if (n == 1) return 1; return fib(n - 1) + fib(n - 2); }
        int main(void) { return fib(input()); }";
    let subject = subject(text, "fib");
    let outputs: BTreeSet<u64> = subject.examples.list.iter().map(|example| example.output).collect();
    assert!(outputs.len() > 10, "{outputs:?}");
    assert_eq!(subject.examples.branches, 4);
}

#[test]
fn examples_are_different_balanced_and_the_same_for_the_same_seed() {
    for name in ["check", "process", "median", "root", "crc", "limit"] {
        let first = subject(FUNCTIONS, name);
        let again = subject(FUNCTIONS, name);
        assert_eq!(first.examples.list, again.examples.list, "{name}");
        let list = &first.examples.list;
        // `limit` has one input for most outputs, and the two others have their share.
        let least = if name == "limit" { 1_000 } else { 5_000 };
        assert!((least..=10_000).contains(&list.len()), "{name}: {}", list.len());
        let distinct: BTreeSet<&[u64]> = list.iter().map(|example| &*example.inputs).collect();
        assert_eq!(distinct.len(), list.len(), "{name}");
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        list.iter().for_each(|example| *counts.entry(example.output).or_default() += 1);
        let share = (10_000 / counts.len()).max(500);
        assert!(counts.values().all(|count| *count <= share), "{name}: {counts:?}");
        let mut prober = first.prober;
        let holds = |example: &Example| prober.call(&example.inputs) == Outcome::Returned(example.output);
        assert!(list.iter().take(500).all(holds), "{name}");
    }
}

#[test]
fn small_input_spaces_are_tried_as_a_whole() {
    let text = "int f(unsigned char x) { return x % 7; } int main(void) { return f(input()); }";
    let subject = subject(text, "f");
    assert_eq!(subject.examples.list.len(), 256);
}

#[test]
fn inputs_of_calls_are_preferred() {
    let text = "int f(int x, int y) { return x * 2 + y; }
        int main(void) { int x = input(); if (x < 10 || x > 40) return 0; return f(x, input()); }";
    let analyses = Analyses::new(&program(text));
    let signature = of_parameters(analyses.program(), "f");
    let subject = with_examples(analyses, signature);
    let is_inside = |example: &&Example| (10..=40).contains(&(example.inputs[0] as u32 as i32));
    let (all, inside) = (subject.examples.list.len(), subject.examples.list.iter().filter(is_inside).count());
    assert!(inside * 4 >= all * 3, "{inside} of {all}");
    assert!(inside < all);
}

#[test]
fn a_spent_budget_ends_the_search() {
    let analyses = Analyses::new(&program(FUNCTIONS));
    let signature = of_parameters(analyses.program(), "check");
    let mut prober = Prober::new(analyses.program(), &signature).unwrap();
    let budget = budget();
    budget.cancel.cancel();
    assert!(collect(&analyses, &signature, &mut prober, &budget, 1).calls < 100);
}
