//! Oracle: other solvers. Certificates of the cases are checked with z3, cvc5 and bitwuzla in the place of Plumb's own solver,
//! as far as these are installed: what it confirms they confirm, and what it rejects they reject.

mod oracle;

use oracle::{TempDir, exists, parallel, plumb, run, say};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const SOLVERS: [&str; 3] = ["z3", "cvc5", "bitwuzla"];

/// A case whose certificate is validated.
struct Case {
    file: PathBuf,
    check: String,
    validate: String,
}

#[test]
fn other_solvers_judge_certificates_alike() {
    let (there, missing): (Vec<&str>, Vec<&str>) = SOLVERS.into_iter().partition(|name| exists(name));
    if !missing.is_empty() {
        say(format!("second solver: skipped, not installed: {}", missing.join(", ")));
    }
    let cases = cases();
    assert!(cases.len() > 20, "{} cases have certificates", cases.len());
    let results = parallel(cases.len(), |index| judged(&cases[index], &there));
    let confirmed = results.iter().flatten().filter(|is_confirmed| **is_confirmed).count();
    say(format!("second solver: {} cases, {confirmed} confirmed, {}", cases.len(), there.join(", ")));
    let complaints: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(confirmed > 20);
}

fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let folders = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let mut files: Vec<PathBuf> =
        folders.flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())).collect();
    files.sort();
    files.into_iter().filter_map(case).collect()
}

fn case(file: PathBuf) -> Option<Case> {
    let text = std::fs::read_to_string(&file).ok().filter(|_| file.extension().is_some_and(|end| end == "c"))?;
    let after = |label: &str| text.lines().find_map(|line| line.strip_prefix(label)).map(str::to_string);
    let validate = after("// then: validate ").filter(|words| words.contains("--certificate"))?;
    Some(Case { check: after("// args: check ")?, validate, file })
}

/// Whether every solver confirms the certificate, as Plumb's own does, or all reject it.
fn judged(case: &Case, solvers: &[&str]) -> Result<bool, String> {
    let dir = TempDir::new("second-solver");
    let command = |name: &str, words: &str| {
        let mut command = plumb();
        command.current_dir(case.file.parent().unwrap()).arg(name);
        command.args(words.replace("{tmp}", &dir.path().display().to_string()).split_whitespace());
        command.arg(case.file.file_name().unwrap());
        command
    };
    // Each solver's questions go to a folder of their own.
    let validated = |solver: &str| {
        let words = case.validate.replace("{tmp}/queries", &format!("{{tmp}}/queries-{solver}"));
        last_line(&mut command("validate", &format!("--solver {solver} {words}")))
    };
    last_line(&mut command("check", &case.check));
    let own = validated("own");
    for solver in solvers {
        let theirs = validated(solver);
        if theirs != own {
            return Err(format!("{}: Plumb's solver: {own}; {solver}: {theirs}", case.file.display()));
        }
    }
    Ok(own.starts_with("confirmed"))
}

fn last_line(command: &mut Command) -> String {
    let done = run(command, Duration::from_secs(120));
    done.stdout.lines().last().map_or_else(|| done.describe(), str::to_string)
}
