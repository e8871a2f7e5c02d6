//! Oracle: gcc. What `plumb infer --prove` says is proved of random programs must hold wherever their compiled runs come by: at
//! entries, loops and exits.
//!
//! ```text
//!   program   random programs with a hook at every place that facts are about
//!   check     facts as C that gcc compiles
//! ```
//!
//! Longer runs: `PLUMB_FACTS_COUNT` (programs, default 24), `PLUMB_FACTS_SEED` (the first seed), `PLUMB_FACTS_RUNS` (runs of each).

#[path = "../oracle/mod.rs"]
mod oracle;

mod check;
mod program;

use check::{Fact, Kind, checked};
use oracle::{Arch, Random, TempDir, env_number, gcc_build, gcc_for, keep, parallel, plumb, run, say};
use program::Program;
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

/// How a program ends in which a fact does not hold.
const REFUTED: i32 = 86;

#[derive(Default)]
struct Counts {
    likely: usize,
    proved: usize,
    /// In words that C does not have.
    skipped: usize,
    /// Programs in which a fact that is not proved does not hold: what the runs can see.
    refuted: usize,
}

#[test]
fn what_is_proved_holds_in_every_run() {
    if !gcc_for(Arch::Lp64) {
        return;
    }
    let count = env_number("PLUMB_FACTS_COUNT", 24) as usize;
    let first = env_number("PLUMB_FACTS_SEED", 1);
    let results = parallel(count, |index| judge(first + index as u64));
    let mut total = Counts::default();
    let mut complaints = Vec::new();
    for result in results {
        match result {
            Ok(counts) => {
                total.likely += counts.likely;
                total.proved += counts.proved;
                total.skipped += counts.skipped;
                total.refuted += counts.refuted;
            }
            Err(complaint) => complaints.push(complaint),
        }
    }
    let Counts { likely, proved, skipped, refuted } = total;
    say(format!(
        "proved facts: {count} programs, {likely} facts, {proved} proved, {skipped} of these not checked; others are refuted in {refuted} programs"
    ));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(proved >= 4 * count, "so few proved facts show nothing");
    assert!(skipped * 20 <= proved, "too many are not checked");
    assert!(refuted * 20 >= count, "runs that refute nothing show nothing");
}

fn judge(seed: u64) -> Result<Counts, String> {
    let program = Program::random(&mut Random::new(seed));
    let dir = TempDir::new("facts");
    let text = program.text(&|_, _| String::new());
    let file = dir.write("program.c", &text);
    let report = |what: &str, text: &str| {
        let path = keep(&format!("facts-{seed}.c"), text);
        format!("seed {seed}: {what}: {}", path.display())
    };
    let mut infer = plumb();
    infer.arg("infer").arg(&file).args(["--prove", "--json", "--runs", "40", "--timeout", "20"]);
    let done = run(&mut infer, Duration::from_secs(120));
    if !done.success() {
        return Err(report(&done.describe(), &text));
    }
    let answer: Value = serde_json::from_str(&done.stdout).map_err(|error| report(&error.to_string(), &text))?;
    let facts = facts(&answer);
    let mut counts = Counts { likely: facts.len(), ..Counts::default() };
    let proved: Vec<&Fact> = facts.iter().filter(|fact| fact.proved).collect();
    counts.proved = proved.len();
    counts.skipped = proved.iter().filter(|fact| fact.in_c().is_none()).count();
    let judged = |facts: &[&Fact]| -> Result<(bool, String, String), String> {
        let text = checked(&program, facts);
        let (file, binary) = (dir.write("checked.c", &text), dir.path().join("checked"));
        gcc_build(Arch::Lp64, &file, &binary, &[]).map_err(|error| report(&error, &text))?;
        let runs = env_number("PLUMB_FACTS_RUNS", 3000).to_string();
        let done = run(Command::new(&binary).args([seed.to_string(), runs]), Duration::from_secs(120));
        match done.status.and_then(|status| status.code()) {
            Some(0) => Ok((true, text, done.stdout)),
            Some(REFUTED) => Ok((false, text, done.stdout)),
            _ => Err(report(&done.describe(), &text)),
        }
    };
    let (holds, text, told) = judged(&proved)?;
    if !holds {
        return Err(report(&format!("REFUTED: {told}"), &text));
    }
    let others: Vec<&Fact> = facts.iter().filter(|fact| !fact.proved).collect();
    counts.refuted = usize::from(!judged(&others)?.0);
    Ok(counts)
}

fn facts(answer: &Value) -> Vec<Fact> {
    let mut list = Vec::new();
    for place in answer["places"].as_array().into_iter().flatten() {
        let kind = match place["kind"].as_str() {
            Some("entry") => Kind::Entry,
            Some("loop") => Kind::Loop,
            Some("exit") => Kind::Exit,
            other => panic!("a kind of places that this test does not know: {other:?}"),
        };
        let function = place["function"].as_str().expect("places are in functions");
        for fact in place["facts"].as_array().into_iter().flatten() {
            list.push(Fact {
                function: function.to_string(),
                kind,
                text: fact["text"].as_str().expect("facts have texts").to_string(),
                proved: fact["proved"] == Value::Bool(true),
            });
        }
    }
    list
}
