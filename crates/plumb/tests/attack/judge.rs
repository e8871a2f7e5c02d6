//! What Plumb says of a program whose truth is known, engine by engine, and what its evidence is worth: witnesses and
//! certificates are validated, harnesses compiled and run.

use crate::oracle::{self, Finished, TempDir, run};
use crate::sample::{Mode, Program};
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

pub const ENGINES: [&str; 10] = ["auto", "simulate", "bmc", "kind", "symexia", "symex", "la", "bam", "pbe", "div"];

/// The status of a program with a harness that breaks the property.
const VIOLATED: i32 = 86;

/// What a harness may say that does not fail; other notes are no reason.
const EXCUSES: [&str; 3] = [
    "the harness cannot set ",
    "the harness cannot keep gcc from folding ",
    "gcc computes arithmetic in the narrower type",
];

/// How long a run may take beyond its time-out before it is ended by force, which is a defect. Tests share machines.
const GRACE: Duration = Duration::from_secs(60);
/// A witness says less than the proof, and may be beyond the validator. A certificate has to be checked, on a busy machine too.
const WITNESS_SECONDS: u64 = 3;
const CERTIFICATE_SECONDS: u64 = 60;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    True,
    False,
    Unknown,
}

/// What `plumb validate` said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Validation {
    Confirmed,
    Rejected,
    Unknown,
}

/// What became of a harness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HarnessRun {
    Fails,
    /// It does not, and its notes say so.
    Cannot,
}

/// One engine on one program.
pub struct Judgement {
    pub verdict: Verdict,
    pub witness: Option<Validation>,
    pub certificate: Option<Validation>,
    pub harness: Option<HarnessRun>,
    pub elapsed: Duration,
    pub timeout: Duration,
}

/// A program before the engines.
pub struct Judge<'a> {
    pub program: &'a Program,
    pub mode: Mode,
    dir: TempDir,
    /// Harnesses of several engines are often the same text, and so is what they claim.
    harnesses: HashMap<String, Result<HarnessRun, String>>,
    validations: HashMap<String, Result<Validation, String>>,
}

impl<'a> Judge<'a> {
    pub fn new(program: &'a Program, mode: Mode) -> Judge<'a> {
        let dir = TempDir::new("attack");
        dir.write("program.c", &program.text);
        Judge { program, mode, dir, harnesses: HashMap::new(), validations: HashMap::new() }
    }

    fn plumb(&self, subcommand: &str) -> Command {
        let mut plumb = oracle::plumb();
        plumb.current_dir(self.dir.path()).args([subcommand, "program.c"]).args(self.program.arguments());
        plumb
    }

    /// Engines that cannot answer get little time: what they could say is wrong.
    fn timeout(&self, engine: &str) -> f32 {
        let is_hopeless = match engine {
            "kind" => self.program.is_broken,
            "simulate" => !self.program.is_broken,
            "bmc" | "symex" | "pbe" => !self.program.is_broken && self.mode == Mode::States,
            _ => false,
        };
        if is_hopeless { 0.1 } else { 3.0 }
    }

    /// `Err` is a defect of Plumb.
    pub fn judge(&mut self, engine: &str) -> Result<Judgement, String> {
        let seconds = self.timeout(engine);
        let timeout = Duration::from_secs_f32(seconds);
        let mut check = self.plumb("check");
        check.args(["--engine", engine, "--minimise", "1", "--timeout", &seconds.to_string()]);
        check.args(["--witness", "witness.yml", "--harness", "harness.c"]);
        if oracle::knows_certificates() {
            check.args(["--certificate", "certificate"]);
        }
        let done = run(&mut check, timeout + GRACE);
        let verdict = verdict(&done)?;
        if verdict != Verdict::Unknown && (verdict == Verdict::False) != self.program.is_broken {
            return Err(format!("WRONG: {}", done.describe()));
        }
        let mut judgement =
            Judgement { verdict, witness: None, certificate: None, harness: None, elapsed: done.elapsed, timeout };
        match verdict {
            Verdict::Unknown => {}
            Verdict::True => {
                judgement.witness = Some(self.validate("--witness", "witness.yml")?);
                if oracle::knows_certificates() {
                    let validation = self.validate("--certificate", "certificate")?;
                    if validation == Validation::Rejected {
                        return Err("the certificate is rejected".to_string());
                    }
                    judgement.certificate = Some(validation);
                }
            }
            Verdict::False => {
                judgement.witness = Some(self.validate("--witness", "witness.yml")?);
                judgement.harness = Some(self.run_harness(&done.stdout)?);
            }
        }
        Ok(judgement)
    }

    fn validate(&mut self, flag: &str, file: &str) -> Result<Validation, String> {
        let text = std::fs::read_to_string(self.dir.path().join(file)).map_err(|error| error.to_string())?;
        // A witness also says how and when it was made.
        let is_claim = |line: &&str| !["uuid:", "creation_time:", "command_line:"].contains(&first_word(line));
        let claims: Vec<&str> = text.lines().filter(is_claim).collect();
        let key = format!("{flag}\n{}", claims.join("\n"));
        if let Some(known) = self.validations.get(&key) {
            return known.clone();
        }
        let validation = self.run_validator(flag, file);
        self.validations.insert(key, validation.clone());
        validation
    }

    fn run_validator(&self, flag: &str, file: &str) -> Result<Validation, String> {
        let seconds = if flag == "--certificate" { CERTIFICATE_SECONDS } else { WITNESS_SECONDS };
        let args = [flag, file, "--timeout", &seconds.to_string()];
        let done = run(self.plumb("validate").args(args), Duration::from_secs(seconds) + GRACE);
        no_defect(&done)?;
        match done.status.and_then(|status| status.code()) {
            Some(0) => Ok(Validation::Confirmed),
            Some(1) => Ok(Validation::Rejected),
            Some(2) => Ok(Validation::Unknown),
            _ => Err(format!("plumb validate {flag}: {}", done.describe())),
        }
    }

    /// Builds the harness as the output of `plumb check` says and runs it.
    fn run_harness(&mut self, output: &str) -> Result<HarnessRun, String> {
        let mut lines = output.lines().skip_while(|line| !line.starts_with("wrote the harness to ")).skip(1);
        let Some(compile) = lines.next() else { return Err(format!("no harness was written: {output}")) };
        let mut notes = lines.take_while(|line| line.starts_with("    ")).map(str::trim);
        let is_excused = notes.any(|note| EXCUSES.iter().any(|excuse| note.starts_with(excuse)));
        let text = std::fs::read_to_string(self.dir.path().join("harness.c")).map_err(|error| error.to_string())?;
        let key = format!("{compile}\n{text}");
        let dir = self.dir.path();
        self.harnesses.entry(key).or_insert_with(|| run_harness(dir, compile.trim(), is_excused)).clone()
    }
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

fn run_harness(dir: &Path, compile: &str, is_excused: bool) -> Result<HarnessRun, String> {
    let built = run(Command::new("sh").current_dir(dir).args(["-c", compile]), Duration::from_secs(300));
    if !built.success() {
        return Err(format!("the harness does not compile: {compile}: {}", built.describe()));
    }
    // Names in a sanitizer's report take longer than all the rest.
    let done =
        run(Command::new("./a.out").current_dir(dir).env("ASAN_OPTIONS", "symbolize=0"), Duration::from_secs(60));
    match done.status.and_then(|status| status.code()) {
        Some(VIOLATED) => Ok(HarnessRun::Fails),
        _ if is_excused => Ok(HarnessRun::Cannot),
        _ => Err(format!("the harness does not fail: {compile}: {}", done.describe())),
    }
}

/// The last line and the status must say the same.
fn verdict(done: &Finished) -> Result<Verdict, String> {
    no_defect(done)?;
    let last = done.stdout.lines().last().unwrap_or_default();
    match done.status.and_then(|status| status.code()) {
        Some(0) if last == "TRUE" => Ok(Verdict::True),
        Some(1) if last.starts_with("FALSE(") => Ok(Verdict::False),
        Some(2) if last == "UNKNOWN" => Ok(Verdict::Unknown),
        _ => Err(format!("no verdict: {}", done.describe())),
    }
}

fn no_defect(done: &Finished) -> Result<(), String> {
    if done.timed_out() {
        return Err(format!("the time-out is not kept: {}", done.describe()));
    }
    let signs = ["panicked", "internal error", "defect of Plumb"];
    let output = [&done.stdout, &done.stderr];
    match signs.iter().any(|sign| output.iter().any(|text| text.contains(sign))) {
        true => Err(done.describe()),
        false => Ok(()),
    }
}
