//! The report is data: what `--json` writes reads back as the report that the text is rendered from.

use plumb_evidence::report::{Cause, Finding, Report, View};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SENSOR: &str = "
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#ifndef ROUNDS
#define ROUNDS 3
#endif
static int mode;
int main(void)
{
    for (int i = 0, rounds = ROUNDS; i < rounds; i++) {
        int value = __VERIFIER_nondet_int();
        if (value == 7)
            mode++;
        assert(mode < LIMIT);
    }
    return 100 / __VERIFIER_nondet_int();
}
";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("plumb-report-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("sensor.c"), SENSOR).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn check(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.args(["check", "sensor.c", "--color", "never", "--timeout", "120"]).args(args).current_dir(folder);
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The text without measured times.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("found in ") {
        // `found in 12 ms with one input`
        Some(rest) => format!("found {}\n", rest.split(' ').skip(2).collect::<Vec<_>>().join(" ")),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// The report of a check, which must tell in text what the same check tells without `--json`.
fn report(name: &str, args: &[&str]) -> Report {
    let folder = Folder::new(name);
    let json = check(&folder.0, &[args, &["--json"]].concat());
    let report: Report = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
    let written: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_value(&report).unwrap(), written);
    let text = check(&folder.0, args);
    assert_eq!(timeless(&report.text(View::default())), timeless(&text));
    report
}

#[test]
fn a_violation() {
    let args = ["-DLIMIT=2", "--engine", "bmc", "--inputs", "in.txt", "--harness", "h.c", "--witness", "w.yml"];
    let report = report("violation", &args);
    let Finding::Violated(violated) = &report.finding else { panic!("{report:?}") };
    assert_eq!((&*violated.property, report.engine.as_deref()), ("unreach-call", Some("bmc")));
    assert_eq!(violated.files.len(), 3);
    let counterexample = violated.counterexample.as_ref().unwrap();
    assert_eq!(counterexample.check, violated.check);
    assert_eq!(counterexample.input_count, violated.inputs.len());
}

#[test]
fn a_proof() {
    let report = report("proof", &["-DLIMIT=4", "--engine", "bmc", "--certificate", "c.json", "--validated"]);
    let Finding::Holds(holds) = &report.finding else { panic!("{report:?}") };
    assert_eq!(holds.undefined_behaviour.len(), 1);
    assert!(holds.validated.is_some() && holds.files.len() == 1);
    assert_eq!(report.engine.as_deref(), Some("bmc"));
}

#[test]
fn no_answer() {
    let endless = "-DROUNDS=__VERIFIER_nondet_int()";
    let report = report("unknown", &["-DLIMIT=4", endless, "--engine", "bmc", "--unwind", "1"]);
    let Finding::Unknown(unknown) = &report.finding else { panic!("{report:?}") };
    assert_eq!(unknown.cause, Cause::Bound { bound: 1 });
    assert_eq!(report.engine, None);
}

#[test]
fn statistics_are_part_of_it() {
    let folder = Folder::new("statistics");
    let args = ["-DLIMIT=4", "--engine", "bmc", "--stats", "--stats-json", "stats.json", "--json"];
    let report: Report = serde_json::from_str(&check(&folder.0, &args)).unwrap();
    let statistics = report.statistics.clone().unwrap();
    assert!(statistics.engines["bmc"].phases["total"].entered == 1, "{statistics:?}");
    let file = std::fs::read_to_string(folder.0.join("stats.json")).unwrap();
    assert_eq!(serde_json::from_str::<plumb_evidence::report::Statistics>(&file).unwrap(), statistics);
    let text = report.text(View { statistics: true, ..View::default() });
    assert!(text.starts_with("stats: ") && text.ends_with("TRUE\n"), "{text}");
}
