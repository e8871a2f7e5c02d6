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

/// A proof is welcome, and no answer within the time is no mistake; a violation would be one.
#[test]
fn correct_examples_are_not_blamed() {
    for name in ["charger", "cruise", "elevator", "traffic"] {
        let mut check = Command::new(env!("CARGO_BIN_EXE_plumb"));
        let output = check.args(["check", "--timeout", "3"]).args(files(name)).stdin(Stdio::null()).output().unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        let verdict = (output.status.code(), stdout.lines().last());
        let is_right = matches!(verdict, (Some(0), Some("TRUE")) | (Some(2), Some("UNKNOWN")));
        assert!(is_right, "{name}: {}", text(&output));
    }
}
