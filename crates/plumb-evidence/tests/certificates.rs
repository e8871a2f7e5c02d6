//! What the validator makes of certificates: those of proofs are confirmed, and none confirms a program that can be violated.

mod support;

use plumb_engine::bmc::{BmcOptions, bmc};
use plumb_engine::board::Board;
use plumb_engine::div::Div;
use plumb_engine::engine::{self, Context, Engine, Options};
use plumb_engine::kind::kind;
use plumb_engine::symex::{SymexOptions, symex};
use plumb_engine::{Answer, Proof};
use plumb_evidence::certificate::digest;
use plumb_evidence::{Rules, Subject, Task, TaskFile, Validation, certificate, validate_certificate};
use plumb_ir::analysis::Analyses;
use plumb_ir::program::Program;
use plumb_solve::SolverChoice;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use support::{budget, case};

const HEAD: &str = "extern void __assert_fail(void); extern int __VERIFIER_nondet_int(void);\n\
                    extern _Bool __VERIFIER_nondet_bool(void);\n#define CHECK(e) do { if (!(e)) __assert_fail(); } while (0)\n";

/// Programs with a hole, what makes them correct, and what does not. The automaton is of the same shape with each.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    (
        "int main(void) { int x = 0; while (1) { if (__VERIFIER_nondet_bool()) x = HOLE; else x--; if (x < 0) x = 0; CHECK(x <= 10); } }",
        "x < 10 ? x + 1 : 0",
        &["x < 11 ? x + 1 : 0", "x < 10 ? x + 7 : 0"],
    ),
    (
        "struct s { int a : 4; int b : 4; } s;\nint main(void) { while (__VERIFIER_nondet_bool()) { s.a++; s.b HOLE; } CHECK(((s.a + s.b) & 15) == 0); }",
        "--",
        &["-= 2", "++"],
    ),
    (
        "int main(void) { int mode = 0, n = 0; while (1) { int m = mode; n = m ? 10 : 0; mode = __VERIFIER_nondet_bool();\n\
         while (__VERIFIER_nondet_bool()) { if (m && n < 20) n++; if (!m && n > -10) n -= HOLE; } CHECK(m ? n >= 10 : n <= 0); } }",
        "1",
        &["-1", "m - 1"],
    ),
    (
        "static int c; static int up(void) { static int k; return k += HOLE; }\n\
         int main(void) { while (__VERIFIER_nondet_bool()) { c++; CHECK(up() == c); } return 0; }",
        "1",
        &["2", "c > 3 ? 2 : 1"],
    ),
    (
        "int main(void) { unsigned n = __VERIFIER_nondet_int() & 15, s = 0; for (unsigned i = 0; i < n; i++) s += HOLE; CHECK(s == 2 * n); }",
        "2",
        &["3", "i > 9 ? 1 : 2"],
    ),
    // Nothing but constants decides whether this loop goes on: whoever follows it first has to know how far.
    (
        "int main(void) { unsigned w = 1; int stop = 0; while (!stop) { w = w * (__VERIFIER_nondet_int() | HOLE) + 2 * w; CHECK(w & 1); } }",
        "1",
        &["2", "8"],
    ),
];

fn program(text: &str, hole: &str) -> support::Case {
    case(&format!("{HEAD}{}", text.replace("HOLE", hole)))
}

fn task(content: &str) -> Task {
    Task {
        files: vec![TaskFile { name: "program.c".to_string(), content: content.as_bytes().to_vec() }],
        specification: "CHECK( init(main()), LTL(G assert) )".to_string(),
        created: SystemTime::UNIX_EPOCH,
        version: "test".to_string(),
        command_line: None,
        configuration: None,
    }
}

fn judge(program: &Program, task: &Task, text: &str) -> Validation {
    let specification = |_| task.specification.clone();
    let reload = |_: &plumb_evidence::Edits| Err("certificates need no text".to_string());
    let solvers = SolverChoice::default();
    let rules = Rules { strict: false, solvers: &solvers };
    let subject = Subject { program, task, specification: &specification, reload: &reload, rules };
    validate_certificate(&subject, text, &budget(Duration::from_secs(60)))
}

/// The proofs that engines find.
fn proofs(program: &Program) -> Vec<Proof> {
    let analyses = &Analyses::new(program);
    let time = Duration::from_secs(20);
    let abstracting = SymexOptions { threshold: Some(0), ..SymexOptions::default() };
    let bounded = BmcOptions { bound: Some(40), ..BmcOptions::default() };
    let board = Board::default();
    let answers = [
        kind(analyses, false, &budget(time), &board, &()),
        symex(analyses, &abstracting, &budget(time), &board, &()),
        bmc(analyses, &bounded, &budget(time), &board, &()),
    ];
    let proof = |answer| match answer {
        Answer::Holds(proof, _) => Some(proof),
        Answer::Violated(_) => panic!("a correct program is called wrong"),
        Answer::Unknown(_) => None,
    };
    answers.into_iter().filter_map(proof).collect()
}

#[test]
fn proofs_are_confirmed() {
    for (text, hole, _) in PROGRAMS {
        let case = program(text, hole);
        let found = proofs(&case.program);
        assert!(!found.is_empty(), "{text}");
        for proof in found {
            let task = task(text);
            let certificate = certificate(&case.program, Some(&proof), &task);
            let validation = judge(&case.program, &task, &certificate);
            assert!(matches!(validation, Validation::Confirmed(_)), "{text}: {proof:?}: {validation:?}");
        }
    }
}

/// What `div` proves of the loop of a unit strengthens a proof by abstraction, whose certificate contains it.
#[test]
fn invariants_of_units_are_part_of_certificates() {
    let text = "static int count(int n) { int i = 0; while (i < 1000) { i++; if (n == i) break; } return i; }
        int main(void) { int r = 0; while (__VERIFIER_nondet_bool()) {
            r = count(__VERIFIER_nondet_int()); CHECK(r >= 0 && r <= 1000); } }";
    let case = case(&format!("{HEAD}{text}"));
    let (board, budget) = (Board::default(), budget(Duration::from_secs(60)));
    let analyses = Arc::new(Analyses::new(&case.program));
    let asked = engine::Task { analyses: analyses.clone(), options: Options::default() };
    let context = Context { budget: &budget, board: &board, watcher: &(), is_alone: true, has_few_processors: false };
    let modular = Div.run(&asked, &context);
    let abstracting = SymexOptions { threshold: Some(0), also_plain: false, ..SymexOptions::default() };
    let strengthened = symex(&analyses, &abstracting, &budget, &board, &());
    match &strengthened {
        Answer::Holds(Proof::Abstraction { tree, .. }, _) => assert!(tree.strengthened_by.contains("div"), "{tree:?}"),
        other => panic!("{other:?}"),
    }
    let inductive = kind(&analyses, false, &budget, &board, &());
    for answer in [modular, strengthened, inductive] {
        let Answer::Holds(proof, _) = answer else { panic!("{answer:?}") };
        let task = task(text);
        let validation = judge(&case.program, &task, &certificate(&case.program, Some(&proof), &task));
        assert!(matches!(validation, Validation::Confirmed(_)), "{proof:?}: {validation:?}");
    }
}

/// The proof of a correct program is none of one that can be violated, whatever the certificate says it is about.
#[test]
fn no_proof_confirms_a_wrong_program() {
    for (text, hole, wrong) in PROGRAMS {
        let right = program(text, hole);
        for proof in proofs(&right.program) {
            let task = task(text);
            for hole in *wrong {
                let other = program(text, hole);
                let certificate = certificate(&right.program, Some(&proof), &task);
                let mut forged: Value = serde_json::from_str(&certificate).unwrap();
                forged["automata"] = json!(digest(&other.program));
                let validation = judge(&other.program, &task, &forged.to_string());
                assert!(!matches!(validation, Validation::Confirmed(_)), "{text}, {hole}: {validation:?}");
            }
        }
    }
}

/// Changes that make a certificate of the counter no certificate, or one that shows too little.
#[test]
fn tampered_certificates_are_rejected() {
    let (text, hole, _) = PROGRAMS[0];
    let case = program(text, hole);
    let task = task(text);
    for proof in proofs(&case.program) {
        let whole: Value = serde_json::from_str(&certificate(&case.program, Some(&proof), &task)).unwrap();
        let formulas = "/proof/formulas/lines";
        let lines = whole.pointer(formulas).unwrap().as_array().unwrap().len();
        let mut changes: Vec<(String, Value)> = vec![
            ("/format".into(), json!("certificate")),
            ("/version".into(), json!(2)),
            ("/machine".into(), json!("32")),
            ("/specification".into(), json!("CHECK( init(main()), LTL(G ! overflow) )")),
            ("/automata".into(), json!("0")),
            ("/files/0/sha256".into(), json!("0")),
            ("/proof/method".into(), json!("belief")),
            (formulas.into(), json!([])),
            ("/proof/formulas/symbols".into(), json!([])),
            ("/proof/formulas/symbols/0/part".into(), json!({"local-register": 1000})),
            ("/proof/formulas/symbols/0/part".into(), json!({"global-bytes": {"object": 0, "offset": 1u64 << 63}})),
            ("/proof/formulas/symbols/0/line".into(), json!(1_000_000)),
            ("/proof/formulas".into(), json!({"lines": [], "symbols": [], "more": 1})),
        ];
        for line in 0..lines {
            for text in ["", "bv8 const", "bool Eq 7000 1", "bv32 symbol", "bool Not"] {
                changes.push((format!("{formulas}/{line}"), json!(text)));
            }
        }
        let (list, facts) = match proof {
            Proof::Induction { .. } => ("loops", "facts"),
            _ => ("entries", "predicates"),
        };
        let at = |rest: &str| format!("/proof/{list}/0/{rest}");
        changes.push((format!("/proof/{list}"), json!("none")));
        changes.push((at("head/location"), json!(0)));
        changes.push((at("head/location"), json!(100_000)));
        changes.push((at("head/function"), json!(100_000)));
        changes.push((at(facts), json!([1_000_000])));
        if list == "entries" {
            changes.extend([
                (at("states"), json!([])),
                (at("states"), json!(["2"])),
                (at("states/0"), json!("01010101010101010101")),
                (at("arrivals"), json!([])),
                (at("arrivals"), json!([[3, 0]])),
                (at("call_stack"), json!([])),
                (at("call_stack/0/location"), json!(100_000)),
            ]);
        }
        assert!(changes.len() > 20);
        for (place, value) in changes {
            let mut changed = whole.clone();
            *changed.pointer_mut(&place).unwrap_or_else(|| panic!("there is no {place}")) = value.clone();
            let validation = judge(&case.program, &task, &changed.to_string());
            assert!(matches!(validation, Validation::Rejected(_)), "{place} := {value}: {validation:?}");
        }
    }
    assert!(matches!(judge(&case.program, &task, "{"), Validation::Rejected(_)));
}

/// How far the copy goes depends on how often the other loop has iterated: the certificate says how runs leave that loop.
const LEFT_APART: &str = "static const char *const units[3] = {\"m\", \"kg\", \"mol\"};\n\
    static unsigned long length(const char *s) { unsigned long n = 0; while (s[n] != 0) n++; return n; }\n\
    static void copy(char *to, const char *s) { unsigned long i = 0; while ((to[i] = s[i]) != 0) i = i + 1; }\n\
    int main(void) { while (__VERIFIER_nondet_int()) { unsigned u = __VERIFIER_nondet_int(); if (u > 2) continue;\n\
    unsigned long n = length(units[u]); CHECK(n == u + HOLE); char t[4]; copy(t, units[u]); CHECK(t[n] == 0); } return 0; }";

/// How loops are left is proposed by the certificate and believed by nobody.
#[test]
fn exits_that_were_tampered_with_prove_nothing_wrong() {
    let right = program(LEFT_APART, "1");
    let task = task(LEFT_APART);
    let abstracting = SymexOptions { threshold: Some(0), ..SymexOptions::default() };
    let budget = budget(Duration::from_secs(60));
    let answer = symex(&Analyses::new(&right.program), &abstracting, &budget, &Board::default(), &());
    let Answer::Holds(proof, _) = answer else { panic!("{answer:?}") };
    let whole: Value = serde_json::from_str(&certificate(&right.program, Some(&proof), &task)).unwrap();
    assert!(matches!(judge(&right.program, &task, &whole.to_string()), Validation::Confirmed(_)));
    let entries = whole.pointer("/proof/entries").unwrap().as_array().unwrap();
    let (mut malformed, mut others) = (Vec::new(), vec![whole.clone()]);
    for (number, entry) in entries.iter().enumerate() {
        let Some(exits) = entry.get("exits") else { continue };
        let at = |rest: &str| format!("/proof/entries/{number}/exits{rest}");
        let changed = |place: String, value: Value| {
            let mut changed = whole.clone();
            *changed.pointer_mut(&place).unwrap_or_else(|| panic!("there is no {place}")) = value;
            changed
        };
        malformed.push(changed(at("/0/0/head/location"), json!(0)));
        malformed.push(changed(at("/0/0/head/function"), json!(1_000)));
        malformed.push(changed(at(""), json!([exits[0], exits[0], exits[0], exits[0], exits[0]])));
        others.push(changed(at("/0"), json!([])));
        others.extend([0, 1, 2, 3, 100].map(|count| changed(at("/0/0/iterations"), json!(count))));
    }
    assert!(others.len() > 6, "some exits are told");
    for certificate in &malformed {
        let validation = judge(&right.program, &task, &certificate.to_string());
        assert!(matches!(validation, Validation::Rejected(_)), "{validation:?}");
    }
    for hole in ["2", "u"] {
        let wrong = program(LEFT_APART, hole);
        for certificate in &mut others {
            certificate["automata"] = json!(digest(&wrong.program));
            let validation = judge(&wrong.program, &task, &certificate.to_string());
            assert!(!matches!(validation, Validation::Confirmed(_)), "{hole}: {validation:?}");
        }
    }
}

/// The unwinding may be as long as the certificate says, here with an input that decides every iteration.
#[test]
fn long_unwindings_are_confirmed() {
    let text = "static int a[6000]; int main(void) { int c = __VERIFIER_nondet_int();\n\
                for (int i = 0; i < 6000; i++) { if (c > 5) break; a[i] = 10; }\n\
                for (int i = 0; i < 6000; i++) { if (c <= 5) CHECK(a[i] == (HOLE)); } }";
    for (hole, is_right) in [("10", true), ("i % 6000", false), ("i < 5999 ? 10 : 11", false)] {
        let (case, task) = (program(text, hole), task(text));
        let mut claimed: Value = serde_json::from_str(&certificate(&case.program, None, &task)).unwrap();
        claimed["proof"] = json!({"method": "unwinding", "bound": 6_001});
        let validation = judge(&case.program, &task, &claimed.to_string());
        assert_eq!(matches!(validation, Validation::Confirmed(_)), is_right, "{hole}: {validation:?}");
    }
}

/// A claim that all states were visited is as good as the visit: the counter's states are few, and from those of a wrong one a
/// violation is met; a number of 32 bits, an access that leaves its object, a pointer that becomes a number leave it open.
#[test]
fn all_states_are_visited_again() {
    const HEAD: &str =
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void);\n";
    let validation = |text: &str| {
        let (case, task) = (case(&format!("{HEAD}{}", text.replace("CHECK", "assert"))), task(text));
        let mut forged: Value = serde_json::from_str(&certificate(&case.program, None, &task)).unwrap();
        forged["proof"] = json!({"method": "all-states"});
        judge(&case.program, &task, &forged.to_string())
    };
    let (counter, right, wrong) = PROGRAMS[0];
    match validation(&counter.replace("HOLE", right)) {
        Validation::Confirmed(how) => {
            assert!(how.contains("states at which it asks for an input were visited"), "{how}")
        }
        other => panic!("{other:?}"),
    }
    for hole in wrong {
        let validation = validation(&counter.replace("HOLE", hole));
        assert!(matches!(validation, Validation::Rejected(_)), "{hole}: {validation:?}");
    }
    let open = [
        ("int main(void) { CHECK(__VERIFIER_nondet_int() != 5); }", "more values"),
        ("int a[2], b; int main(void) { int i = 2 * __VERIFIER_nondet_bool(); a[i] = 1; CHECK(!b); }", "invalid write"),
        ("int a; int main(void) { CHECK((long)&a != 0x1234); return __VERIFIER_nondet_bool(); }", "where objects lie"),
        ("int main(void) { int i = __VERIFIER_nondet_bool(); CHECK(5 / i == 5); }", "division"),
    ];
    for (text, reason) in open {
        match validation(text) {
            Validation::Unknown(why) => assert!(why.contains(reason), "{text}: {why}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    let endless = validation("int main(void) { int i = __VERIFIER_nondet_bool(); for (;;) { i ^= 1; CHECK(i < 2); } }");
    assert!(matches!(endless, Validation::Confirmed(_)), "{endless:?}");
}

/// No state violates that a request is answered at last: whoever looks at states one by one may not say that it is.
#[test]
fn answers_to_requests_are_not_confirmed() {
    let text = "extern void __plumb_request(void); extern void __plumb_response(void);\n\
                int main(void) { __plumb_request(); while (1) { if (__VERIFIER_nondet_bool()) __plumb_response(); } }";
    let (case, task) = (program(text, ""), task(text));
    for proof in [json!({"method": "all-states"}), json!({"method": "unwinding", "bound": 3})] {
        let mut claimed: Value = serde_json::from_str(&certificate(&case.program, None, &task)).unwrap();
        claimed["proof"] = proof;
        let validation = judge(&case.program, &task, &claimed.to_string());
        assert!(matches!(validation, Validation::Unknown(_)), "{validation:?}");
    }
}

/// A register that is dead at the head keeps an old value where an iteration begins: nothing may be said of it.
#[test]
fn dead_registers_prove_nothing() {
    let text = "int main(void) { int x = 0, d = 0; while (__VERIFIER_nondet_bool()) { d = 1; x = x + d; } CHECK(x != 2); return 0; }";
    let case = program(text, "");
    let function = case.program.function_ids().find(|f| &*case.program.function(*f).name == "main").unwrap();
    let main = case.program.function(function);
    let register = |name: &str| main.vars.iter().position(|var| &*var.name == name).unwrap();
    let head = main.loops.first().unwrap().head;
    let task = task(text);
    let mut forged: Value = serde_json::from_str(&certificate(&case.program, None, &task)).unwrap();
    forged["proof"] = json!({
        "method": "induction",
        "k": 0,
        "formulas": {
            "lines": [
                "bv32 symbol x", "bv32 symbol d", "bv32 const 0x0", "bv32 const 0x1", "bool Eq 0 2", "bool Eq 1 2",
                "bool And 4 5", "bool Eq 1 3", "bool Or 6 7"
            ],
            "symbols": [
                {"line": 0, "part": {"local-register": register("x")}, "name": "x"},
                {"line": 1, "part": {"local-register": register("d")}, "name": "d"}
            ]
        },
        "loops": [{"head": {"function": function.0, "location": head.0, "place": ""}, "facts": [8]}]
    });
    let validation = judge(&case.program, &task, &forged.to_string());
    assert!(matches!(validation, Validation::Rejected(_)), "{validation:?}");
}
