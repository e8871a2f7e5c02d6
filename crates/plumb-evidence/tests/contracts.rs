//! Proofs by contracts: what the validator makes of them and of what is none.

mod support;

use plumb_contract::{Atom, Cell, Contract, summarised, unit_of};
use plumb_engine::bmc::{BmcOptions, bmc};
use plumb_engine::board::Board;
use plumb_engine::kind::kind;
use plumb_engine::{Answer, Proof};
use plumb_evidence::contract::header;
use plumb_evidence::{
    Rules, Subject, Task, TaskFile, Validation, certificate, correctness_witness, validate, validate_certificate,
};
use plumb_solve::SolverChoice;

use plumb_ir::analysis::Analyses;
use plumb_ir::program::{FuncId, GlobalVar, LocalVar, Program};
use plumb_ir::ty::Ty;
use plumb_term::{TermId, Terms, Value as TermValue};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use support::{Case, How, budget, case, case_with, reload};

const HEAD: &str = "extern void __assert_fail(void); extern int __VERIFIER_nondet_int(void);\n\
                    #define CHECK(e) do { if (!(e)) __assert_fail(); } while (0)\n";

/// A function that recurs, one that changes a global, and one with a loop that calls it.
const PROGRAM: &str = "int level;\n\
    int f91(int x) { if (x > 100) return x - 10; return f91(f91(x + 11)); }\n\
    void raise(int by) { if (by > 0 && by <= 10 && level < 100) level += by; if (level > 100) level = 100; }\n\
    unsigned fill(unsigned n) { unsigned i = 0; n &= 63; while (i < n) { raise(1); i++; } return i; }\n\
    int main(void) { int x = __VERIFIER_nondet_int(); CHECK(x > 100 || f91(x) == 91);\n\
    while (__VERIFIER_nondet_int()) { raise(x); unsigned n = fill((unsigned)x); CHECK(n < 64); CHECK(level <= 100); } return 0; }";

fn task(case: &Case) -> Task {
    let name = case.file.display().to_string();
    Task {
        files: vec![TaskFile { name, content: std::fs::read(&case.file).unwrap() }],
        specification: "CHECK( init(main()), LTL(G assert) )".to_string(),
        created: SystemTime::UNIX_EPOCH,
        version: "test".to_string(),
        command_line: None,
        configuration: None,
    }
}

fn judge(program: &Program, task: &Task, text: &str, strict: bool) -> Validation {
    let specification = |_| task.specification.clone();
    let reload = |_: &plumb_evidence::Edits| Err("certificates need no text".to_string());
    let solvers = SolverChoice::default();
    let rules = Rules { strict, solvers: &solvers };
    let subject = Subject { program, task, specification: &specification, reload: &reload, rules };
    validate_certificate(&subject, text, &budget(Duration::from_secs(60)))
}

fn function(program: &Program, name: &str) -> FuncId {
    program.find_function(name).unwrap()
}

/// The constants of the contracts, each of which matters.
#[derive(Clone, Copy, Debug)]
struct Constants {
    threshold: u128,
    low: u128,
    less: u128,
    level: u128,
    most: u128,
}

const RIGHT: Constants = Constants { threshold: 100, low: 91, less: 10, level: 100, most: 63 };

fn case_of(terms: &mut Terms, requires: TermId, ensures: &[TermId]) -> plumb_contract::Case {
    plumb_contract::Case { requires, ensures: terms.and_all(ensures.iter().copied()) }
}

/// `f91`: two cases; `raise`: the level keeps to its bound; `fill`: so does the level, and the result.
fn contracts(program: &Program, constants: Constants) -> Vec<Contract> {
    let int = Ty::Int(32);
    let mut f91 = Contract::trivial(function(program, "f91"));
    let x = f91.symbol(program, Atom::Entry(Cell::Parameter(LocalVar(0))), int, true);
    let result = f91.symbol(program, Atom::Result, int, true);
    let terms = &mut f91.terms;
    let [threshold, low, less] = [constants.threshold, constants.low, constants.less].map(|n| terms.bv(32, n));
    let is_low = terms.bv_sle(x, threshold);
    let is_high = terms.not(is_low);
    let is_bound = terms.eq(result, low);
    let moved = terms.bv_sub(x, less);
    let is_moved = terms.eq(result, moved);
    f91.cases = vec![case_of(terms, is_low, &[is_bound]), case_of(terms, is_high, &[is_moved])];

    let level = Cell::Global(GlobalVar(program.vars.position(|v| &*v.name == "level").unwrap().0));
    let mut raise = Contract::trivial(function(program, "raise"));
    keeps_level(program, &mut raise, level, constants.level, None);

    let mut fill = Contract::trivial(function(program, "fill"));
    let result = fill.symbol(program, Atom::Result, int, false);
    let most = fill.terms.bv(32, constants.most);
    let is_small = fill.terms.bv_ule(result, most);
    keeps_level(program, &mut fill, level, constants.level, Some(is_small));
    vec![f91, raise, fill]
}

fn keeps_level(program: &Program, contract: &mut Contract, level: Cell, most: u128, more: Option<TermId>) {
    let [before, after] =
        [Atom::Entry(level), Atom::Exit(level)].map(|at| contract.symbol(program, at, Ty::Int(32), true));
    let terms = &mut contract.terms;
    let most = terms.bv(32, most);
    let [requires, ensures] = [before, after].map(|at| terms.bv_sle(at, most));
    let ensures = [Some(ensures), more].into_iter().flatten().collect::<Vec<_>>();
    let case = case_of(terms, requires, &ensures);
    contract.cases.push(case);
}

/// A proof of a derived program, if an engine finds one.
fn proof(program: &Program) -> Result<Proof, String> {
    let analyses = &Analyses::new(program);
    let time = Duration::from_secs(30);
    let bounded = BmcOptions { bound: Some(80), ..BmcOptions::default() };
    let answers = [
        kind(analyses, false, &budget(time), &Board::default(), &()),
        bmc(analyses, &bounded, &budget(time), &Board::default(), &()),
    ];
    let mut why = String::new();
    for answer in answers {
        match answer {
            Answer::Holds(proof, assumed) if assumed.is_empty() => return Ok(proof),
            other => why += &format!("{other:?}; "),
        }
    }
    Err(why)
}

fn modular(program: &Program, contracts: Vec<Contract>) -> Result<Proof, String> {
    let analyses = Analyses::new(program);
    let mut units = Vec::new();
    for contract in &contracts {
        let unit = unit_of(&analyses, contract, &contracts)?;
        let name = &program.function(contract.func).name;
        units.push((contract.func, proof(&unit.derived.program).map_err(|why| format!("{name}: {why}"))?));
    }
    let top = Box::new(proof(&summarised(&analyses, &contracts)?.derived.program)?);
    Ok(Proof::Modular { contracts: Arc::new(contracts), units, top })
}

struct Proved {
    case: Case,
    task: Task,
    proof: Proof,
    /// The certificate of its proof.
    whole: Value,
}

fn proved() -> Proved {
    let case = case(&format!("{HEAD}{PROGRAM}"));
    let proof = modular(&case.program, contracts(&case.program, RIGHT)).unwrap();
    let task = task(&case);
    let whole = serde_json::from_str(&certificate(&case.program, Some(&proof), &task)).unwrap();
    Proved { case, task, proof, whole }
}

#[test]
fn a_modular_proof_is_confirmed() {
    let Proved { case, task, whole, .. } = proved();
    let validation = judge(&case.program, &task, &whole.to_string(), false);
    let Validation::Confirmed(how) = &validation else { panic!("{validation:?}") };
    assert!(how.contains("`f91`, `raise`, `fill`"), "{how}");
    // f91 is recursive: how deep, nothing says.
    assert!(how.contains("overflows the stack"), "{how}");
    let strict = judge(&case.program, &task, &whole.to_string(), true);
    assert!(matches!(strict, Validation::Rejected(_)), "{strict:?}");
}

/// There are no contracts in a program that looks for leaks. A certificate claims none, and what is confirmed is the program.
#[test]
fn contracts_that_cannot_be_derived_are_not_claimed() {
    let text = "static void half(int v, int *low) { *low = v & 7; }\n\
                int main(void) { int l = 0; half(__VERIFIER_nondet_int(), &l); return l; }";
    let case = case_with(&format!("{HEAD}{text}"), &How { checks: "all", ..How::default() });
    let mut half = Contract::trivial(function(&case.program, "half"));
    let low = half.symbol(&case.program, Atom::Exit(Cell::Pointee(LocalVar(1), 0)), Ty::Int(32), true);
    let three = half.terms.bv(32, 3);
    let ensures = half.terms.eq(low, three);
    half.cases = vec![plumb_contract::Case { requires: TermId::bool(true), ensures }];
    let part = || Proof::Bounded { bound: 12, steps: 0 };
    let units = vec![(half.func, part())];
    let proof = Proof::Modular { contracts: Arc::new(vec![half]), units, top: Box::new(part()) };
    let task = task(&case);
    let text = certificate(&case.program, Some(&proof), &task);
    assert!(!text.contains("contracts"), "{text}");
    let validation = judge(&case.program, &task, &text, false);
    assert!(matches!(&validation, Validation::Confirmed(how) if !how.contains("contract")), "{validation:?}");
}

/// What the functions do, by hand.
fn reference(name: &str, argument: i32, level: i32) -> (i32, i32) {
    fn f91(x: i32) -> i32 {
        if x > 100 { x - 10 } else { 91 }
    }
    fn raise(by: i32, level: i32) -> i32 {
        let level = if by > 0 && by <= 10 && level < 100 { level.wrapping_add(by) } else { level };
        level.min(100)
    }
    match name {
        "f91" => (f91(argument), level),
        "raise" => (0, raise(argument, level)),
        "fill" => {
            let n = argument & 63;
            (n, (0..n).fold(level, |level, _| raise(1, level)))
        }
        _ => panic!("there is no {name}"),
    }
}

/// Whether some call does not keep the contract, as far as calls were tried.
fn is_broken(program: &Program, contract: &Contract) -> bool {
    let name = &program.function(contract.func).name;
    let bv = |value: i32| TermValue::Bv(plumb_term::BitVec::new(32, value as u32 as u128));
    let numbers =
        [i32::MIN, -1000, -12, -11, -10, -1, 0, 1, 2, 9, 10, 11, 62, 63, 64, 65, 88, 89, 90, 91, 92, 98, 99, 100];
    let more = [101, 102, 103, 107, 110, 111, 112, 1000, 65535, i32::MAX - 1, i32::MAX];
    let numbers: Vec<i32> = numbers.into_iter().chain(more).collect();
    let calls = numbers.iter().flat_map(|x| numbers.iter().map(move |level| (*x, *level)));
    calls.into_iter().any(|(x, level)| {
        let (result, after) = reference(name, x, level);
        let value = |atom: Atom| match atom {
            Atom::Result => Some(bv(result)),
            Atom::Entry(Cell::Parameter(_)) => Some(bv(x)),
            Atom::Entry(_) => Some(bv(level)),
            Atom::Exit(_) => Some(bv(after)),
        };
        contract.broken_case(value).is_some()
    })
}

/// Contracts with other constants, each with what was changed.
fn other_constants(program: &Program) -> Vec<(String, Vec<Contract>)> {
    type Field = fn(&mut Constants) -> &mut u128;
    let fields: [(&str, Field); 5] = [
        ("threshold", |c| &mut c.threshold),
        ("low", |c| &mut c.low),
        ("less", |c| &mut c.less),
        ("level", |c| &mut c.level),
        ("most", |c| &mut c.most),
    ];
    let mut changed = Vec::new();
    for (name, field) in fields {
        let right = *field(&mut RIGHT.clone());
        let near = [right + 1, right - 1, right + 2, right - 2, right + 3, right - 3, right + 7, right - 7];
        let far = [right * 2, right * 3, right * 5, right + 1000, right << 8, right ^ 16, right ^ 64, right ^ 128];
        let others: BTreeSet<u128> =
            near.into_iter().chain(far).chain([0, 1, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]).collect();
        for other in others.into_iter().filter(|other| *other != right) {
            let mut constants = RIGHT;
            *field(&mut constants) = other;
            changed.push((format!("{name} is {other}"), contracts(program, constants)));
        }
    }
    changed
}

/// Contracts with other cases.
fn other_cases(program: &Program) -> Vec<(String, Vec<Contract>)> {
    let mut changed = Vec::new();
    let mut change = |what: &str, how: &dyn Fn(&mut Vec<Contract>)| {
        let mut list = contracts(program, RIGHT);
        how(&mut list);
        changed.push((what.to_string(), list));
    };
    for at in 0..3 {
        change(&format!("no case of {at}"), &|list| list[at].cases.clear());
        change(&format!("contract {at} is gone"), &|list| drop(list.remove(at)));
        change(&format!("contract {at} is there twice"), &|list| list.push(list[at].clone()));
        change(&format!("everything is required by {at}"), &|list| {
            list[at].cases.iter_mut().for_each(|case| case.requires = TermId::bool(true));
        });
        change(&format!("nothing is possible in {at}"), &|list| {
            list[at].cases.iter_mut().for_each(|case| case.ensures = TermId::bool(false));
        });
        change(&format!("the requirement of {at} is negated"), &|list| {
            let Contract { terms, cases, .. } = &mut list[at];
            cases.iter_mut().for_each(|case| case.requires = terms.not(case.requires));
        });
        change(&format!("what {at} ensures is negated"), &|list| {
            let Contract { terms, cases, .. } = &mut list[at];
            cases.iter_mut().for_each(|case| case.ensures = terms.not(case.ensures));
        });
        change(&format!("contract {at} is of main"), &|list| list[at].func = function(program, "main"));
        change(&format!("contract {at} is of the start"), &|list| list[at].func = program.start);
        change(&format!("contract {at} is of no function"), &|list| list[at].func = FuncId(10_000));
        change(&format!("contract {at} is of the next"), &|list| {
            list[at].func = list[(at + 1) % 3].func;
        });
    }
    change("the cases are in the other order", &|list| list[0].cases.reverse());
    change("the first case is gone", &|list| list[0].cases = list[0].cases[1..].to_vec());
    change("the second case is gone", &|list| list[0].cases.truncate(1));
    change("the requirements are swapped", &|list| {
        let [a, b] = &mut list[0].cases[..] else { panic!("two cases") };
        std::mem::swap(&mut a.requires, &mut b.requires);
    });
    change("the symbols stand for each other", &|list| {
        let [a, b] = &mut list[0].symbols[..] else { panic!("two symbols") };
        std::mem::swap(&mut a.atom, &mut b.atom);
    });
    change("before is after", &|list| {
        for symbol in &mut list[1].symbols {
            symbol.atom = match symbol.atom {
                Atom::Entry(cell) => Atom::Exit(cell),
                Atom::Exit(cell) => Atom::Entry(cell),
                Atom::Result => Atom::Result,
            };
        }
    });
    changed
}

/// A certificate with other contracts and the proofs of the right ones: rejected, unless what it says is so.
#[test]
fn tampered_contracts_are_rejected() {
    let Proved { case, task, proof, .. } = proved();
    let program = &case.program;
    let Proof::Modular { units, top, .. } = &proof else { panic!("a modular proof") };
    let data = |list: &[Contract]| -> Value {
        // The proofs are not written with the programs of the others, of which there may be none.
        let proof = Proof::Modular { contracts: Arc::new(list.to_vec()), units: Vec::new(), top: top.clone() };
        serde_json::from_str::<Value>(&certificate(program, Some(&proof), &task)).unwrap()["proof"]["contracts"].clone()
    };
    let whole: Value = serde_json::from_str(&certificate(program, Some(&proof), &task)).unwrap();
    let (mut rejected, mut confirmed, mut unwritten) = (0, Vec::new(), 0);
    for (what, list) in other_constants(program).into_iter().chain(other_cases(program)) {
        let mut forged = whole.clone();
        let changed = data(&list);
        // A contract that is none of the program is not written.
        if changed.is_null() {
            unwritten += 1;
            continue;
        }
        forged["proof"]["contracts"] = changed;
        match judge(program, &task, &forged.to_string(), false) {
            Validation::Rejected(_) => rejected += 1,
            Validation::Confirmed(_) => {
                assert!(!list.iter().any(|contract| is_broken(program, contract)), "{what}");
                confirmed.push(what);
            }
            Validation::Unknown(why) => panic!("{what}: {why}"),
        }
    }
    assert_eq!(units.len(), 3);
    eprintln!("{rejected} rejected, {unwritten} not written, confirmed: {confirmed:?}");
    assert!(rejected >= 100, "{rejected} rejected, confirmed: {confirmed:?}");
    assert!(!contracts(program, RIGHT).iter().any(|contract| is_broken(program, contract)));
}

/// Changes of the text of a certificate, none of which leaves a proof.
#[test]
fn tampered_parts_are_rejected() {
    let Proved { case, task, whole, .. } = proved();
    let mut changes: Vec<(String, Value)> = vec![
        ("/proof/units".into(), json!([])),
        ("/proof/contracts".into(), json!([])),
        ("/proof/contracts/0/symbols".into(), json!([])),
        ("/proof/contracts/0/lines".into(), json!([])),
        ("/proof/contracts/1/symbols/0/place".into(), json!({"entry": {"global-register": 1000}})),
        (
            "/proof/contracts/1/symbols/0/place".into(),
            json!({"entry": {"global-bytes": {"object": 0, "offset": 1u64 << 63}}}),
        ),
        ("/proof/contracts/1/symbols/0/place".into(), json!({"entry": {"pointee": {"parameter": 0, "offset": 0}}})),
        ("/proof/contracts/1/symbols/0/place".into(), json!({"exit": {"parameter": 0}})),
        ("/proof/contracts/1/symbols/0/place".into(), json!("result")),
        ("/proof/contracts/0/symbols/0/line".into(), json!(1_000)),
        ("/proof/contracts/0/cases/0/requires".into(), json!(1_000)),
        ("/proof/contracts/0/cases/0".into(), json!({"requires": 0})),
        ("/proof/contracts/0/function".into(), json!(10_000)),
        ("/proof/top/method".into(), json!("belief")),
        ("/proof/top".into(), json!({"method": "unwinding"})),
        ("/proof/top".into(), whole["proof"].clone()),
        ("/proof/units/0/proof".into(), whole["proof"].clone()),
        ("/proof/units/0/function".into(), json!(10_000)),
        ("/proof/units/0/function".into(), whole["proof"]["units"][1]["function"].clone()),
        ("/automata".into(), json!("0")),
    ];
    for unit in 0..3 {
        let mut fewer = whole["proof"]["units"].clone();
        fewer.as_array_mut().unwrap().remove(unit);
        changes.push(("/proof/units".into(), fewer));
        let mut twice = whole["proof"]["units"].clone();
        let one = twice[unit].clone();
        twice.as_array_mut().unwrap().push(one);
        changes.push(("/proof/units".into(), twice));
    }
    // Facts of loops: those of `fill`, and those of `main`.
    let parts = ["/proof/units/2/proof", "/proof/top"];
    for part in parts {
        let lines = whole.pointer(&format!("{part}/formulas/lines")).map_or(0, |lines| lines.as_array().unwrap().len());
        for line in 0..lines {
            for text in ["", "bv8 const", "bool Eq 7000 1", "bool Not"] {
                changes.push((format!("{part}/formulas/lines/{line}"), json!(text)));
            }
        }
        if lines > 0 {
            changes.push((format!("{part}/loops/0/head/location"), json!(100_000)));
            changes.push((format!("{part}/loops/0/head/function"), json!(100_000)));
            changes.push((format!("{part}/loops/0/facts"), json!([1_000_000])));
            changes.push((format!("{part}/formulas/symbols"), json!([])));
        }
    }
    assert!(changes.len() >= 40, "only {} changes", changes.len());
    for (place, value) in changes {
        let mut changed = whole.clone();
        *changed.pointer_mut(&place).unwrap_or_else(|| panic!("there is no {place}")) = value.clone();
        let validation = judge(&case.program, &task, &changed.to_string(), false);
        assert!(matches!(validation, Validation::Rejected(_)), "{place} := {value}: {validation:?}");
    }
}

fn judge_witness(case: &Case, task: &Task, text: &str) -> Validation {
    let specification = |_| task.specification.clone();
    let reload = |edits: &plumb_evidence::Edits| reload(case, edits);
    let solvers = SolverChoice::default();
    let rules = Rules { strict: false, solvers: &solvers };
    let subject = Subject { program: &case.program, task, specification: &specification, reload: &reload, rules };
    validate(&subject, text, &budget(Duration::from_secs(60))).1
}

#[test]
fn a_witness_has_contracts_and_is_confirmed() {
    let Proved { case, task, proof, .. } = proved();
    let text = correctness_witness(&case.program, Some(&proof), &task).unwrap();
    for line in [
        "format_version: \"2.1\"",
        "  - contract:",
        "type: \"function_contract\"",
        "function: \"f91\"",
        "requires: \"1\"",
        "ensures: \"(!(\\\\at(x, Old) < 101) || (\\\\result == 91)) && ",
        "ensures: \"(!(\\\\at(level, Old) < 101) || (level < 101))\"",
        "format: \"ext_c_expression\"",
        "  - invariant:",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let validation = judge_witness(&case, &task, &text);
    assert!(matches!(&validation, Validation::Confirmed(how) if how.contains("`f91`")), "{validation:?}\n{text}");
    // Contracts with an end that is not theirs, and with a place that is not.
    let changes = [
        ("result == 91", "result == 90"),
        ("result == 91", "result >= 91"),
        ("(level < 101)", "(level < 100)"),
        ("(level < 101)", "1"),
        ("|| (level < 101)", "&& (level < 101)"),
        ("at(level, Old) < 101", "at(level, Old) < 102"),
        ("at(level, Old)", "at(level, Here)"),
        ("requires: \"1\"", "requires: \"0\""),
        ("requires: \"1\"", "requires: \"no_such_name\""),
        ("requires: \"1\"", "requires: \"1 / 0\""),
        ("requires: \"1\"", "requires: \"level < 50\""),
        ("requires: \"1\"", "requires: \"\\\\result == 1\""),
        ("ensures: \"", "ensures: \"(level = 0) == 0 && "),
        ("ensures: \"", "ensures: \"f91(101) == 91 && "),
        ("ensures: \"", "ensures: \"\\\\at(level++, Old) < 200 && "),
        ("ensures: \"", "ensures: \"1 / (level - level) == 0 && "),
        ("ensures: \"", "ensures: \"1); f91("),
        ("function: \"f91\"", "function: \"raise\""),
        ("function: \"f91\"", "function: \"no_such_function\""),
        ("format: \"ext_c_expression\"", "format: \"lisp\""),
        ("type: \"function_contract\"", "type: \"function_promise\""),
        ("- contract:", "- promise:"),
        ("2.1", "3.0"),
    ];
    for (from, to) in changes {
        assert!(text.contains(from), "{from}\n{text}");
        let changed = text.replace(from, to);
        let validation = judge_witness(&case, &task, &changed);
        assert!(matches!(validation, Validation::Rejected(_)), "{from} -> {to}: {validation:?}");
    }
}

/// A witness of somebody else.
fn foreign(task: &Task, entries: &[(&str, u32, &str, &str)]) -> String {
    use std::fmt::Write;
    let case = support::case("int main(void) { return 0; }");
    let mut empty = correctness_witness(&case.program, None, task).unwrap().replace("2.0", "2.1");
    empty = empty.replace("  content: []\n", "  content:\n").replace("nothing to break", "somebody");
    for (function, line, requires, ensures) in entries {
        let escaped = |text: &str| text.replace('\\', "\\\\");
        let _ = writeln!(
            empty,
            "  - contract:\n      type: function_contract\n      location:\n        file_name: \"{}\"\n        line: {line}\n        \
             function: \"{function}\"\n      requires: \"{}\"\n      ensures: \"{}\"\n      format: ext_c_expression",
            task.files[0].name,
            escaped(requires),
            escaped(ensures)
        );
    }
    empty
}

#[test]
fn contracts_of_others_are_checked_at_both_ends() {
    let program = |start: &str| {
        case(&format!(
            "{HEAD}extern short __VERIFIER_nondet_short(void);\nint sum(short a, short b) {{\n  if (b == 0) return a;\n  \
             return 1 + sum(a, b - 1);\n}}\nint main(void) {{\n  short x = __VERIFIER_nondet_short(), y = __VERIFIER_nondet_short();\n  \
             if ({start}) return 0;\n  int r = sum(x, y);\n  CHECK(r == x + y);\n  return 0;\n}}"
        ))
    };
    let right = program("y < 0");
    let ensures = "\\result == \\at(a, Old) + \\at(b, Old)";
    let task_right = task(&right);
    let validation = judge_witness(&right, &task_right, &foreign(&task_right, &[("sum", 4, "b >= 0", ensures)]));
    assert!(matches!(&validation, Validation::Confirmed(how) if how.contains("stack")), "{validation:?}");
    // A caller that does not do what is required; a contract that requires too much, or says too little.
    let wrong = program("y < -3");
    let task_wrong = task(&wrong);
    let validation = judge_witness(&wrong, &task_wrong, &foreign(&task_wrong, &[("sum", 4, "b >= 0", ensures)]));
    assert!(matches!(&validation, Validation::Rejected(why) if why.contains("precondition")), "{validation:?}");
    for (requires, ensures) in [
        ("b >= 2", ensures),
        ("b >= 0", "\\result >= 0"),
        ("b >= 0", "1"),
        ("b >= 0", "\\result == a + b + 1"),
        ("b >= 0", "\\result == a - b"),
        ("1", "0"),
    ] {
        let text = foreign(&task_right, &[("sum", 4, requires, ensures)]);
        let validation = judge_witness(&right, &task_right, &text);
        assert!(matches!(validation, Validation::Rejected(_)), "{requires}, {ensures}: {validation:?}");
    }
    // Two contracts of one function must both hold.
    let both = |other: &str| foreign(&task_right, &[("sum", 4, "b >= 0", ensures), ("sum", 4, "1", other)]);
    let validation = judge_witness(&right, &task_right, &both("\\result == \\old(a) + \\old(b)"));
    assert!(matches!(validation, Validation::Confirmed(_)), "{validation:?}");
    let validation = judge_witness(&right, &task_right, &both("\\result != 6"));
    assert!(matches!(validation, Validation::Rejected(_)), "{validation:?}");
}

const SPECIAL: &str = "int g; struct s { int a, b; } t; extern int ask(void);\n\
    int never(int x) { return x + 1; }\n\
    void put(int *p) { *p = 7; }\n\
    int shrink(int n) { if (n > 15) n = 15; while (n > 10) n = n - 1; return n; }\n\
    int by_pointer(int x) { return x > 0; }\n\
    int (*op)(int) = by_pointer;\n\
    void stop(int x) { if (x > 3) { g = 5; __assert_fail(); } g = 1; }\n\
    int get(struct s *p) { return p->a; } int both(struct s v) { return v.a + v.b; } int first(const int *p) { return *p; }\n\
    int main(void) { t.a = 3; CHECK(get(&t) == 3); CHECK(both(t) == 3 + t.b); int here[2] = { 4, 5 }; CHECK(first(here) == 4);\n\
    int mine; put(&mine); CHECK(mine == 7); int x = __VERIFIER_nondet_int(); CHECK(shrink(x) <= 10);\n\
    int r = op(x); CHECK(r >= 0); stop(x & 3); CHECK(g == 1); return 0; }";

#[test]
fn functions_that_are_not_like_others() {
    let case = case(&format!("{HEAD}{SPECIAL}"));
    let task = task(&case);
    let validated = |entries: &[(&str, u32, &str, &str)]| judge_witness(&case, &task, &foreign(&task, entries));
    let confirmed = |entries: &[(&str, u32, &str, &str)]| {
        let validation = validated(entries);
        assert!(matches!(validation, Validation::Confirmed(_)), "{entries:?}: {validation:?}");
    };
    let rejected = |entries: &[(&str, u32, &str, &str)]| {
        let validation = validated(entries);
        assert!(matches!(validation, Validation::Rejected(_)), "{entries:?}: {validation:?}");
    };
    // Nothing calls it: what it promises is shown all the same.
    confirmed(&[("never", 4, "1", "\\result == \\old(x) + 1 || \\old(x) == 2147483647")]);
    rejected(&[("never", 4, "1", "\\result == \\old(x) + 2")]);
    // It writes to a local of its caller: its contract is checked where it is called.
    confirmed(&[("put", 5, "1", "*p == 7")]);
    rejected(&[("put", 5, "1", "*p == 8")]);
    rejected(&[("put", 5, "p == 0", "1")]);
    // A pointer that is null in no call, structures by value, a local of the caller.
    confirmed(&[("get", 10, "1", "\\result == p->a"), ("both", 10, "1", "\\result == v.a + v.b || v.a > 1000")]);
    rejected(&[("get", 10, "1", "\\result == p->b + 7")]);
    confirmed(&[("get", 10, "p != 0", "\\result == p->a")]);
    confirmed(&[("first", 10, "1", "\\result == \\at(*p, Old)")]);
    rejected(&[("first", 10, "1", "\\result == 5")]);
    // So is that of the function that runs start with.
    confirmed(&[("main", 11, "1", "\\result == 0")]);
    rejected(&[("main", 11, "1", "\\result == 1")]);
    // Indirect calls run the contract as well.
    confirmed(&[("by_pointer", 7, "1", "\\result == 0 || \\result == 1")]);
    rejected(&[("by_pointer", 7, "1", "\\result <= 1")]);
    rejected(&[("by_pointer", 7, "x > 0", "\\result == 1")]);
    // A check inside: the contract must keep callers from it.
    confirmed(&[("stop", 9, "x <= 3", "g == 1")]);
    rejected(&[("stop", 9, "1", "g == 1")]);
    rejected(&[("stop", 9, "x <= 3", "1")]);
    // Conditions that are undefined where they are evaluated, and not where that is excluded.
    rejected(&[("by_pointer", 7, "1 / 0", "1")]);
    rejected(&[("by_pointer", 7, "1", "\\at(1 / x, Old) <= 1 && \\result >= 0")]);
    rejected(&[("by_pointer", 7, "1", "1 / \\result == 1 && \\result >= 0")]);
    confirmed(&[("by_pointer", 7, "1", "\\result == 0 || 1 / \\result == 1")]);
    confirmed(&[("stop", 9, "x <= 3 && 6 / (x + 1) >= 1", "g == 1")]);
    rejected(&[("stop", 9, "x <= 3 && 6 / (x - 1) <= 6", "g == 1")]);
    // It changes its parameter: nobody knows which value is meant.
    let unknown = validated(&[("shrink", 6, "1", "\\result <= n")]);
    assert!(matches!(&unknown, Validation::Unknown(why) if why.contains("`n`")), "{unknown:?}");
    // Its loop has no invariant, and the contract needs none.
    confirmed(&[("shrink", 6, "1", "\\result <= 10")]);
    // No definition is there, or none of that name.
    rejected(&[("ask", 3, "1", "1")]);
    rejected(&[("never", 5, "1", "1")]);
    rejected(&[("printf", 4, "1", "1")]);
    // A function without a result has none.
    rejected(&[("stop", 9, "x <= 3", "\\result == 1")]);
}

/// A `_Bool` that is read through a pointer is assumed to be 0 or 1 if it comes from outside. What a function leaves there does not.
#[test]
fn what_a_function_leaves_is_no_input() {
    let text = "_Bool flag; void spoil(void) { *(unsigned char *)&flag = 2; }\n\
                int main(void) { spoil(); _Bool *q = &flag; CHECK(*q != 2); return 0; }";
    let case = case(&format!("{HEAD}{text}"));
    let task = task(&case);
    let validation = judge_witness(&case, &task, &foreign(&task, &[("spoil", 3, "1", "1")]));
    assert!(matches!(&validation, Validation::Rejected(why) if why.contains("_Bool")), "{validation:?}");
    let contracts = vec![Contract::trivial(function(&case.program, "spoil"))];
    assert!(modular(&case.program, contracts).is_err());
}

#[test]
fn a_header_has_comments_above_prototypes() {
    let case = case(&format!("{HEAD}{PROGRAM}"));
    let text = header(&case.program, &contracts(&case.program, RIGHT));
    for line in [
        "  @ ensures (\\old(x) < 101) ==> (\\result == 91);",
        "  @ ensures (\\old(level) < 101) ==> (level < 101);",
        "int f91(int x);",
        "void raise(int by);",
        "unsigned fill(unsigned n);",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}
