//! A report survives JSON, and so does its text.

use super::cause::RestsOn;
use super::*;
use crate::contract::CaseText;
use crate::story::{Call, Change, Decision, Ending, Input, Iteration, Style};
use plumb_ir::check::CheckKind;
use plumb_ir::program::AssumptionKind;
use std::collections::BTreeMap;

fn place(line: u32) -> Place {
    Place { file: "a \"b\"\n.c".into(), line, column: 7 }
}

fn broken() -> BrokenCheck {
    BrokenCheck { kind: CheckKind::Free, message: "what `p` points to — again".to_string(), place: Some(place(3)) }
}

fn value(name: &str, value: &str) -> NamedValue {
    NamedValue { name: name.to_string(), value: value.to_string() }
}

fn counterexample() -> Counterexample {
    let input = |value: &str, is_idle: bool| Input {
        name: "sensor".to_string(),
        value: value.to_string(),
        place: (!is_idle).then(|| place(5)),
        is_idle,
    };
    let decision = Decision { text: "x > 3".to_string(), taken: true, times: 2, place: place(8) };
    let change = Change { name: "mode".to_string(), before: "IDLE".to_string(), after: "BUSY".to_string() };
    let iteration = Iteration {
        inputs: vec![input("-1", false), input("0", true)],
        decisions: vec![decision.clone()],
        changes: vec![change],
    };
    Counterexample {
        check: broken(),
        main: Some(place(4)),
        input_count: 6,
        timeline: None,
        iterations: vec![Iteration::default(), iteration.clone(), iteration.clone(), iteration],
        ending: Ending {
            line: "free(p);".to_string(),
            function: "main".to_string(),
            inside: Some("free".to_string()),
            values: vec![value("p", "&buffer")],
            decision: Some(decision),
            calls: vec![Call { text: "drop(p)".to_string(), place: place(9), values: vec![value("n", "3")] }],
        },
    }
}

fn violated(counterexample: Option<Counterexample>) -> Finding {
    let read = ReadInput { value: "5".to_string(), origin: "sensor".to_string(), place: Some(place(5)) };
    let file = |result| EvidenceFile { kind: EvidenceKind::Harness, path: "h.c".to_string(), result };
    Finding::Violated(Box::new(Violated {
        property: "valid-free".to_string(),
        reason: format!("violated: {}", broken()),
        check: broken(),
        place: broken().place,
        inputs: vec![read.clone(), ReadInput { place: None, ..read }],
        inputs_found: 70,
        input_changes: Some(InputChanges { found: 9, now: 1 }),
        counterexample,
        files: vec![
            file(FileResult::Notes(vec!["cc h.c a.c".to_string()])),
            file(FileResult::Notes(Vec::new())),
            file(FileResult::Error("no room".to_string())),
        ],
    }))
}

fn proofs() -> Vec<ProofSummary> {
    vec![
        ProofSummary::NothingToBreak { because: "there is nothing".to_string() },
        ProofSummary::OnlyRun { steps: u64::MAX },
        ProofSummary::Bounded { bound: 3, steps: 12 },
        ProofSummary::Induction { k: 0, loops: true },
        ProofSummary::Induction { k: 0, loops: false },
        ProofSummary::Induction { k: 2, loops: true },
        ProofSummary::Modular {
            functions: vec!["f".to_string()],
            top: Box::new(ProofSummary::Induction { k: 0, loops: true }),
        },
        ProofSummary::Modular {
            functions: vec!["f".to_string(), "g".to_string()],
            top: Box::new(ProofSummary::Bounded { bound: 3, steps: 12 }),
        },
        ProofSummary::Abstraction {
            states: 1,
            paths: 2,
            refinements: 3,
            predicates: 4,
            strengthened_by: vec!["kind".to_string()],
            invariants: false,
        },
    ]
}

fn causes() -> Vec<Cause> {
    let because = || "it is so".to_string();
    let timeout = Duration::from_nanos(12_345_678_901);
    vec![
        Cause::NotRead { timeout },
        Cause::Timeout { timeout },
        Cause::OutOfMemory { mebibytes: 7 },
        Cause::Cancelled,
        Cause::NothingToCheck,
        Cause::Unsupported { check: BrokenCheck { place: None, ..broken() } },
        Cause::LooseModel { origin: "sin".to_string() },
        Cause::NotReplayed { check: broken(), rests_on: None },
        Cause::NotReplayed { check: broken(), rests_on: Some(RestsOn::Addresses) },
        Cause::NotReplayed { check: broken(), rests_on: Some(RestsOn::NanPattern) },
        Cause::NotReplayed { check: broken(), rests_on: Some(RestsOn::Unassigned) },
        Cause::NoTimeToReplay { place: Some(place(1)), because: because() },
        Cause::WrongClaim { check: broken(), because: because() },
        Cause::NotValidated { proof: proofs()[1].to_string(), because: because() },
        Cause::Addresses,
        Cause::Bound { bound: 4 },
        Cause::Faults { description: None, check: None, place: None },
        Cause::Faults {
            description: Some("divides".to_string()),
            check: Some(CheckKind::DivisionByZero),
            place: Some(place(2)),
        },
        Cause::Faults { description: Some("divides".to_string()), check: None, place: None },
        Cause::Gap { description: None, place: Some(place(2)) },
        Cause::Gap { description: Some("divides".to_string()), place: None },
        Cause::OutsidePointer { check: broken() },
        Cause::NoThread { because: because() },
        Cause::Defect { because: because() },
        Cause::Recursion { function: "f".to_string() },
        Cause::NotInductive { depth: 9 },
        Cause::Endless,
        Cause::Solver { because: because() },
        Cause::Fault { fault: "division by zero".to_string(), place: Some(place(6)) },
        Cause::NotApplicable { because: because() },
        Cause::Stacks,
        Cause::OneSchedule,
        Cause::Values { origin: because() },
        Cause::CannotRun { because: because() },
    ]
}

/// Every finding, each once with all that may be there and once with nothing.
fn reports() -> Vec<Report> {
    let mut findings: Vec<Finding> = causes().into_iter().map(Finding::unknown).collect();
    for proof in proofs() {
        findings.push(Finding::Holds(Holds::new(proof.clone())));
        findings.push(Finding::Holds(Holds {
            predicates: vec![LoopPredicate { place: Some(place(4)), predicate: "x < 3".to_string() }],
            contracts: vec![contract(0), contract(1), contract(2)],
            validated: Some("every loop".to_string()),
            undefined_behaviour: (0..20).map(undefined).collect(),
            files: vec![EvidenceFile {
                kind: EvidenceKind::Certificate,
                path: "c.json".to_string(),
                result: FileResult::Notes(Vec::new()),
            }],
            ..Holds::new(proof)
        }));
    }
    findings.extend([violated(Some(counterexample())), violated(None)]);
    findings.into_iter().flat_map(|finding| [Report::of(finding.clone()), full(finding)]).collect()
}

fn contract(cases: usize) -> ContractText {
    let case = |n: usize| CaseText {
        requires: if n == 0 { "1".to_string() } else { "\\old(x) > 0".to_string() },
        ensures: vec!["\\result == 1".to_string(), "g < 7".to_string()],
    };
    ContractText {
        function: "f".to_string(),
        place: (cases > 0).then(|| place(3)),
        cases: (0..cases).map(case).collect(),
        inexpressible_conditions: 2 - cases,
    }
}

fn undefined(line: u32) -> UndefinedBehaviour {
    UndefinedBehaviour {
        assumed: "no run divides by zero".to_string(),
        check: (line > 3).then_some(CheckKind::DivisionByZero),
        place: (line > 1).then(|| place(line)),
    }
}

fn full(finding: Finding) -> Report {
    let assumption = |kind, name: &str| Assumption { kind, name: name.to_string(), place: Some(place(2)) };
    let phase =
        Phase { time: Duration::from_nanos(3_000_000_007), entered: 4, counters: [("queries".to_string(), 2)].into() };
    let engine = EngineStatistics {
        phases: BTreeMap::from([("search".to_string(), phase)]),
        counters: BTreeMap::from([("max_terms".to_string(), u64::MAX)]),
    };
    Report {
        finding,
        engine: Some("bmc".to_string()),
        explored: Some(Explored { runs: 3, steps: 12_345, deepest: 1, all_locations: 9, ..Explored::default() }),
        seconds: Some(Times {
            load: Duration::from_nanos(1),
            search: Duration::from_nanos(86_400_123_456_789),
            evidence: Duration::from_micros(33),
        }),
        assumptions: vec![
            assumption(AssumptionKind::ExternalEffects, "sensor"),
            assumption(AssumptionKind::Assembly, "cli"),
            assumption(AssumptionKind::ProgramMemory, "table"),
        ],
        statistics: Some(Statistics { engines: BTreeMap::from([("bmc".to_string(), engine)]) }),
    }
}

#[test]
fn json_gives_the_report_back() {
    for report in reports() {
        let json = serde_json::to_string(&report).unwrap();
        let back: Report = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
        assert_eq!(back, report, "{json}");
        for view in [false, true].map(|all| View { style: Style { color: all, full: all }, statistics: all }) {
            assert_eq!(back.text(view), report.text(view));
        }
    }
}

#[test]
fn the_last_line_is_the_verdict() {
    let last = |finding| Report::of(finding).text(View::default()).lines().last().map(str::to_string);
    assert_eq!(last(violated(None)).as_deref(), Some("FALSE(valid-free)"));
    assert_eq!(last(Finding::unknown(Cause::Cancelled)).as_deref(), Some("UNKNOWN"));
    assert_eq!(last(Finding::Holds(Holds::new(ProofSummary::OnlyRun { steps: 1 }))).as_deref(), Some("TRUE"));
}

#[test]
fn statistics_are_printed_for_those_who_ask() {
    let report = full(Finding::unknown(Cause::Cancelled));
    let text = report.text(View { statistics: true, ..View::default() });
    assert!(text.starts_with("stats: bmc: search 3.000 s in 4; queries 2\n"));
    assert!(!report.text(View::default()).contains("stats:"));
}

#[test]
fn amounts_have_three_digits() {
    let texts = [0, 9_999, 10_000, 12_345, 99_960, 999_499, 999_500, 9_996_000, u64::MAX].map(amount);
    assert_eq!(
        texts,
        ["0", "9999", "10.0 k", "12.3 k", "100 k", "999 k", "1.00 M", "10.0 M", "18.4 E"].map(String::from)
    );
}
