//! Runs every `tests/cases/<area>/<name>.c` (or `.i`, `.sl`, `.oil`) through the real binary and compares with what the file says it expects.
//! Each is a test `area/name`, so that one can be run alone: `cargo test -p plumb --test cases -- firmware/barriers`.
//!
//! Comments that begin with a word and a colon steer a case; in `.sl` files they begin with `;`:
//! ```text
//!   // args: run --seed 3       the command, without the file (default: run)
//!   // files: part.inc other.inc  more C files of the folder, given after the case itself
//!   // arch: 32 64              once for each machine (default: 64)
//!   // expect: exit 1           the exit code (default: 0)
//!   // expect: last TEXT        the last line of standard output
//!   // expect: stdout TEXT      a part of standard output; `stderr TEXT` likewise; `no-stdout`, `no-stderr` for absence
//!   // expect: reason TEXT      a part of the reason of UNKNOWN; of several such lines one must hold
//!   // then: run --inputs {tmp}/x  a second command on the same files; `then TEXT` expects a part of its standard output
//!   // expect: then-exit 1      the exit code of the second command (default: 0)
//!   // expect: file NAME TEXT   a part of the file that the commands wrote to {tmp}, a directory of the case's own
//!   // gcc: yes [FLAGS]         gcc's program must print the same and exit with the same status
//!   // verdict: FALSE(no-overflow)  the last line of the engines that decide the case too (see `engines`)
//!   // unknown: bmc TEXT       this engine need not decide the case; TEXT is a part of its reason (see `engines`)
//! ```
//!
//! A case that expects no answer (exit 2 of `check`) must name the reason, a part of what follows `no answer: `, with
//! `expect: stdout` or `expect: reason`.

mod directives;
mod engines;

use directives::{Case, Expectation};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn main() {
    let mut arguments = Arguments::from_args();
    // Cases may themselves use several threads; limits in seconds need processors.
    arguments.test_threads.get_or_insert(2);
    let mut trials =
        vec![Trial::test("directives", || directives::refuses_what_it_does_not_know().map_err(Failed::from))];
    for folder in entries(&cases()) {
        let area = name_of(&folder);
        if !folder.is_dir() {
            trials.push(failing(area, "is no folder of cases"));
            continue;
        }
        let mut paths = entries(&folder);
        paths.retain(|path| path.extension().is_some_and(|e| e == "c" || e == "i" || e == "sl" || e == "oil"));
        if paths.is_empty() {
            trials.push(failing(area, "has no cases"));
            continue;
        }
        trials.extend(paths.into_iter().map(|path| {
            let name = format!("{area}/{}", path.file_stem().unwrap_or_default().to_string_lossy());
            Trial::test(name, move || run(&path))
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn failing(name: String, why: &'static str) -> Trial {
    Trial::test(name, move || Err(Failed::from(why)))
}

/// A case, on all its machines.
fn run(path: &Path) -> Result<(), Failed> {
    let case = Case::read(path)?;
    let mut complaints = Vec::new();
    for arch in &case.arches {
        let scratch = Scratch::new(path, arch);
        let own = plumb(path, &case, &case.args, arch, &scratch);
        let mut found = check(path, &case, &own, arch, &scratch);
        found.extend(engines::disagreements(path, &case, &own, arch, &scratch));
        complaints.extend(found.into_iter().map(|complaint| format!("({arch}) {complaint}")));
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
}

/// A directory that is gone when the case is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(path: &Path, arch: &str) -> Scratch {
        let area = path.parent().unwrap().file_name().unwrap().to_string_lossy();
        let name = path.file_stem().unwrap().to_string_lossy();
        let folder = std::env::temp_dir().join(format!("plumb-case-{}-{area}-{name}-{arch}.d", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a command came to.
struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Ran {
    fn last(&self) -> &str {
        self.stdout.lines().last().unwrap_or("")
    }

    /// What was violated: the line that says it, which names the check and what is wrong.
    fn violated(&self) -> Option<&str> {
        self.stdout.lines().find(|line| line.starts_with("violated: "))
    }

    /// Why there is no answer, where there is none.
    fn reason(&self) -> Option<&str> {
        self.stdout.lines().find_map(|line| Some(line.split_once("no answer: ")?.1))
    }
}

fn plumb(path: &Path, case: &Case, args: &[String], arch: &str, scratch: &Scratch) -> Ran {
    let has = |flag: &str| args.iter().any(|a| a == flag);
    let folder = scratch.0.display().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_plumb"))
        .args(args.iter().map(|arg| arg.replace("{tmp}", &folder)))
        .args(if has("--arch") { vec![] } else { vec!["--arch", arch] })
        .args(["--color", "never"])
        .args(if has("--timeout") { vec![] } else { vec!["--timeout", "60"] })
        .arg(path.file_name().unwrap())
        .args(&case.files)
        .current_dir(path.parent().unwrap())
        // What is kept between runs is the case's own, and nobody else's.
        .env("XDG_CACHE_HOME", scratch.0.join("cache"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Checks one case on one machine; the complaints, if any.
fn check(path: &Path, case: &Case, ran: &Ran, arch: &str, scratch: &Scratch) -> Vec<String> {
    let then = case.then.as_ref().map(|args| plumb(path, case, args, arch, scratch));
    let mut complaints = Vec::new();
    let mut expect = |holds: bool, what: String| {
        if !holds {
            complaints.push(what);
        }
    };
    expect(ran.code == Some(case.exit), format!("exit {:?}, expected {}", ran.code, case.exit));
    if let Some(wanted) = &case.last {
        expect(ran.last() == wanted, format!("last line `{}`, expected `{wanted}`", ran.last()));
    }
    if let Some(then) = &then {
        let Ran { code, stdout, stderr } = then;
        let what = format!("exit {code:?} of the second command, expected {}:\n{stdout}{stderr}", case.then_exit);
        expect(*code == Some(case.then_exit), what);
    }
    for expectation in &case.expectations {
        let (what, text, holds) = match expectation {
            Expectation::Stdout(text) => ("stdout", text, ran.stdout.contains(text)),
            Expectation::NoStdout(text) => ("no-stdout", text, !ran.stdout.contains(text)),
            Expectation::Stderr(text) => ("stderr", text, ran.stderr.contains(text)),
            Expectation::NoStderr(text) => ("no-stderr", text, !ran.stderr.contains(text)),
            Expectation::Then(text) => ("then", text, then.as_ref().is_some_and(|then| then.stdout.contains(text))),
            Expectation::File { name, text, is_there } => {
                let content = std::fs::read_to_string(scratch.0.join(name));
                let what = if *is_there { "file" } else { "no-file" };
                (what, text, content.is_ok_and(|content| content.contains(text) == *is_there))
            }
        };
        expect(holds, format!("{what} `{text}` does not hold"));
    }
    if case.is_check() && case.exit == 2 {
        let reason = ran.reason().unwrap_or_default();
        let is_named = case.reasons().any(|named| reason.contains(named));
        expect(is_named, format!("none of what is expected of standard output names the reason: {reason}"));
    }
    if let Some(flags) = &case.gcc
        && let Some(oracle) = gcc(path, case, arch, flags)
    {
        let last = ran.last();
        let ours = ran.stdout.strip_suffix(&format!("{last}\n")).unwrap_or(&ran.stdout);
        let theirs = String::from_utf8_lossy(&oracle.stdout).into_owned();
        expect(ours == theirs, format!("gcc's program prints\n{theirs}\nbut here it is\n{ours}"));
        if let Some(status) = oracle.status.code() {
            let wanted = format!("exited with status {status}");
            expect(last == wanted, format!("gcc's program {wanted}, but here: {last}"));
        }
    }
    if !complaints.is_empty() && !ran.stderr.is_empty() {
        complaints.push(format!("standard error:\n{}", ran.stderr));
    }
    complaints
}

/// What gcc's program does; `None` where gcc cannot build for that machine.
fn gcc(path: &Path, case: &Case, arch: &str, flags: &[String]) -> Option<Output> {
    let machine = format!("-m{arch}");
    let folder = path.parent().unwrap();
    if arch != "64" {
        let probe =
            Command::new("gcc").args([&machine, "-E", "-include", "stdio.h", "-xc", "/dev/null"]).output().unwrap();
        if !probe.status.success() {
            eprintln!("skipped: {}: gcc cannot build for `{machine}` here", path.display());
            return None;
        }
    }
    let binary =
        std::env::temp_dir().join(format!("plumb-case-{}-{}-{arch}", std::process::id(), path.file_stem()?.to_str()?));
    let built = Command::new("gcc")
        .args(["-O0", "-w", "-fwrapv", &machine, "-xc"])
        .args(flags)
        .arg(path)
        .args(case.files.iter().map(|f| folder.join(f)))
        .args(["-lm", "-o"])
        .arg(&binary)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&binary).stdin(Stdio::null()).output().unwrap();
    let _ = std::fs::remove_file(&binary);
    Some(output)
}
