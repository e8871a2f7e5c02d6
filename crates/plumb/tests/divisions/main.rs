//! Oracle: divisions without a quotient. A proof may suppose that no run has one where a compiled program stops
//! (`plumb-ir/src/lower/division.rs`), and which divisions gcc leaves out is an argument about gcc. Random programs divide inputs, in
//! all kinds of expressions, and fail after divisions without a quotient; bounded model checking judges them:
//!
//! * TRUE: gcc's program without optimisation must not fail for any choice of telling inputs. With optimisation it may, but only for
//!   inputs with which a division traps without;
//! * FALSE: gcc's program must fail with the inputs of the counterexample.
//!
//! Longer runs: `PLUMB_DIVISION_COUNT` (programs, default 100), `PLUMB_DIVISION_SEED`.

#[path = "../oracle/mod.rs"]
mod oracle;

mod generate;

use generate::program;
use oracle::{Arch, Random, TempDir, env_number, gcc, gcc_build, keep, parallel, plumb, run, say};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What inputs are; conversions to their types make more of them.
const VALUES: [&str; 15] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "-7",
    "100",
    "127",
    "-128",
    "2147483647",
    "-2147483648",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
];
const OPTIMISATIONS: [&str; 2] = ["-O1", "-O2"];

#[test]
fn proofs_suppose_traps_that_gcc_makes() {
    let archs = oracle::testable_archs();
    if archs.is_empty() {
        return;
    }
    let count = env_number("PLUMB_DIVISION_COUNT", 100) as usize;
    let first = env_number("PLUMB_DIVISION_SEED", 1);
    let dir = TempDir::new("divisions");
    let drivers: Vec<PathBuf> = archs.iter().map(|&arch| driver(&dir, arch)).collect();
    let results = parallel(count, |index| {
        let seed = first + index as u64;
        let arch = archs[index % archs.len()];
        let program = program(&mut Random::new(seed));
        judge(&program, arch, &drivers[index % archs.len()]).map_err(|complaint| {
            let kept = keep(&format!("division-{seed}-{}.c", arch.name()), &program);
            format!("seed {seed}, --arch {}: {complaint}; {}", arch.name(), kept.display())
        })
    });
    let of = |outcome: Outcome| results.iter().flatten().filter(|&&other| other == outcome).count();
    let supposing = of(Outcome::Supposing) + of(Outcome::FailsOptimised);
    say(format!(
        "divisions: {count} programs from seed {first}, {supposing} proofs that suppose traps ({} of programs that fail with \
         optimisation), {} that suppose nothing, {} counterexamples, {} not known",
        of(Outcome::FailsOptimised),
        of(Outcome::Proved),
        of(Outcome::Violated),
        of(Outcome::Unknown),
    ));
    let complaints: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(20 * supposing > count, "the programs say nothing");
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// A proof that supposes that no run divides without a quotient.
    Supposing,
    /// As before, and the program fails with optimisation, where it traps without.
    FailsOptimised,
    /// A proof that supposes nothing.
    Proved,
    Violated,
    Unknown,
}

fn judge(program: &str, arch: Arch, driver: &Path) -> Result<Outcome, String> {
    let dir = TempDir::new("divisions");
    let compiled = Compiled { source: dir.write("program.c", program), dir, arch, driver };
    let answer = answer(&compiled.source, arch)?;
    match answer["verdict"].as_str() {
        Some("FALSE") => judge_inputs(&answer, &compiled),
        Some("TRUE") => judge_proof(&answer, &compiled),
        _ => Ok(Outcome::Unknown),
    }
}

fn judge_inputs(answer: &Value, compiled: &Compiled) -> Result<Outcome, String> {
    let inputs: Vec<&str> = answer["inputs"].as_array().into_iter().flatten().filter_map(value).collect();
    match compiled.runs("-O0", &[&["one"], &inputs[..]].concat())?.as_str() {
        "f" => Ok(Outcome::Violated),
        end => Err(format!("FALSE, but gcc's program ends by {end} with the inputs {inputs:?}")),
    }
}

fn judge_proof(answer: &Value, compiled: &Compiled) -> Result<Outcome, String> {
    let all = [&["all"], &VALUES[..]].concat();
    let plain = compiled.runs("-O0", &all)?;
    if let Some(at) = plain.find('f') {
        return Err(format!("TRUE, but gcc's program fails with the inputs {:?}", inputs_of(at)));
    }
    let supposed = answer["undefinedBehaviour"].as_array();
    let mut outcome = match supposed.is_some_and(|supposed| !supposed.is_empty()) {
        true => Outcome::Supposing,
        false => Outcome::Proved,
    };
    for level in OPTIMISATIONS {
        let optimised = compiled.runs(level, &all)?;
        let mut ends = plain.chars().zip(optimised.chars());
        if let Some(at) = ends.position(|ends| ends == ('e', 'f')) {
            return Err(format!("TRUE, but gcc's program fails with {level} and the inputs {:?}", inputs_of(at)));
        }
        if optimised.contains('f') {
            outcome = Outcome::FailsOptimised;
        }
    }
    Ok(outcome)
}

struct Compiled<'d> {
    dir: TempDir,
    source: PathBuf,
    arch: Arch,
    driver: &'d Path,
}

impl Compiled<'_> {
    /// How runs end with an optimisation, by a letter for each.
    fn runs(&self, level: &str, arguments: &[&str]) -> Result<String, String> {
        let binary = self.dir.path().join(format!("program{level}"));
        let options = [self.driver.as_os_str(), OsStr::new("-Dmain=program_main"), OsStr::new(level)];
        gcc_build(self.arch, &self.source, &binary, &options)?;
        let done = run(Command::new(&binary).args(arguments), Duration::from_secs(60));
        if done.success() { Ok(done.stdout) } else { Err(format!("the program does not run: {}", done.describe())) }
    }
}

/// The value of an input that the driver gives.
fn value(input: &Value) -> Option<&str> {
    let origin = input["origin"].as_str()?;
    let is_given = origin.starts_with("__VERIFIER_nondet_") || origin == "missing";
    input["value"].as_str().filter(|_| is_given)
}

/// The first inputs of a run, by its place among all.
fn inputs_of(at: usize) -> [&'static str; 3] {
    let many = VALUES.len();
    [at / many / many, at / many % many, at % many].map(|digit| VALUES[digit])
}

fn answer(file: &Path, arch: Arch) -> Result<Value, String> {
    let mut command = plumb();
    command.arg("check").arg(file).args(["--engine", "bmc", "--timeout", "20", "--arch", arch.name(), "--json"]);
    let done = run(&mut command, Duration::from_secs(60));
    if done.timed_out() {
        return Ok(Value::Null);
    }
    serde_json::from_str(&done.stdout).map_err(|_| format!("no answer: {}", done.describe()))
}

/// The object file that runs programs.
fn driver(dir: &TempDir, arch: Arch) -> PathBuf {
    let source = dir.write("driver.c", include_str!("driver.c"));
    let object = dir.path().join(format!("driver-{}.o", arch.name()));
    let done = run(gcc(arch).arg("-c").arg("-o").arg(&object).arg(source), Duration::from_secs(60));
    assert!(done.success(), "{}", done.describe());
    object
}
