//! The bundled examples: gcc takes them without a warning, their bugs are found, and the harness makes gcc's own program fail.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const EXAMPLES: [(&str, &[&str]); 5] = [
    ("charger", &["charger.c", "bench.c"]),
    ("cruise", &["cruise.c"]),
    ("elevator", &["elevator.c"]),
    ("traffic", &["traffic.c"]),
    ("incubator", &["incubator.c"]),
];

fn files(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let (_, files) = EXAMPLES.iter().find(|(other, _)| *other == name).unwrap();
    files.iter().map(|file| folder.join(file)).collect()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

#[test]
fn gcc_has_nothing_to_say() {
    for (name, _) in EXAMPLES {
        for flag in ["-DCORRECT", "-DBUG"] {
            for file in files(name) {
                let flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-c", "-o", "/dev/null", flag];
                let output = Command::new("gcc").args(flags).arg(&file).output().unwrap();
                assert!(output.status.success(), "{name} {flag}: {}", text(&output));
            }
        }
    }
}

/// Finds the bug, and sees gcc's program fail with the inputs.
fn is_found_and_fails(name: &str, assertion: &str) {
    let folder = std::env::temp_dir().join(format!("plumb-example-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (harness, binary) = (folder.join("harness.c"), folder.join("program"));
    let mut check = Command::new(env!("CARGO_BIN_EXE_plumb"));
    check.args(["check", "-DBUG", "--timeout", "120", "--color", "never", "--harness"]).arg(&harness).args(files(name));
    let output = check.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains(assertion), "{}", text(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().last(), Some("FALSE(unreach-call)"));
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-DBUG"]).args(files(name)).arg(&harness).arg("-o").arg(&binary);
    let built = gcc.output().unwrap();
    assert!(built.status.success(), "{}", text(&built));
    let ran = Command::new(&binary).stdin(Stdio::null()).output().unwrap();
    assert!(!ran.status.success());
    assert!(text(&ran).contains(assertion), "{}", text(&ran));
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn the_chargers_timer_is_found_and_fails() {
    is_found_and_fails("charger", "seconds <= CHARGE_LIMIT");
}

#[test]
fn the_jammed_button_is_found_and_fails() {
    is_found_and_fails("traffic", "asked <= 1u");
}

/// The verdict of a correct example, and what was said on the way.
fn verdict_of_correct(name: &str, timeout: &str) -> (String, String) {
    let mut check = Command::new(env!("CARGO_BIN_EXE_plumb"));
    let args = ["check", "--color", "never", "--timeout", timeout];
    let output = check.args(args).args(files(name)).stdin(Stdio::null()).output().unwrap();
    let last = String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_string();
    let code = match &*last {
        "TRUE" => 0,
        "UNKNOWN" => 2,
        _ => 1,
    };
    assert_eq!(output.status.code(), Some(code), "{name}: {}", text(&output));
    (last, text(&output))
}

#[test]
fn the_correct_incubator_is_proved() {
    let (last, said) = verdict_of_correct("incubator", "120");
    assert_eq!(last, "TRUE", "{said}");
}

/// The share of branches that were taken, from `67 of 80 branches`.
fn taken_branches(said: &str) -> Option<f64> {
    let (before, _) = said.split_once(" branches")?;
    let mut words = before.rsplit(' ');
    let all: f64 = words.next()?.parse().ok()?;
    words.next().filter(|of| *of == "of")?;
    Some(words.next()?.parse::<f64>().ok()? / all)
}

/// Controllers that nobody has proved yet: a proof is welcome. Without one they are searched until the time is over, and most of
/// their branches are taken; a violation would be a mistake.
#[test]
fn correct_controllers_are_searched_and_not_blamed() {
    for name in ["charger", "cruise", "elevator", "traffic"] {
        let (last, said) = verdict_of_correct(name, "5");
        if last != "TRUE" {
            assert_eq!(last, "UNKNOWN", "{name}: {said}");
            assert!(said.contains("no violation was found within the timeout"), "{name}: {said}");
            assert!(taken_branches(&said).is_some_and(|share| share > 0.5), "{name}: {said}");
        }
    }
}
