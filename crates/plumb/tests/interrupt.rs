//! Ctrl-C and termination: a search that is asked to stop tells what it has, soon, as an answer like any other.
#![cfg(unix)]

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

fn search() -> Child {
    // A correct program: nothing but a signal or the timeout ends the search.
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/elevator/elevator.c");
    Command::new(env!("CARGO_BIN_EXE_plumb"))
        .args(["check", "--timeout", "300"])
        .arg(example)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, name: &str) {
    let done = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    assert!(done.success());
}

/// How the process ends; it must do so within a minute, however slow the computer is.
fn end(child: &mut Child) -> (ExitStatus, String) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            let mut text = String::new();
            child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
            return (status, text);
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("the process goes on after a signal");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn stops_with_an_answer(name: &str) {
    let mut child = search();
    std::thread::sleep(Duration::from_secs(3));
    signal(&child, name);
    let (status, text) = end(&mut child);
    assert_eq!(status.code(), Some(2), "{text}");
    assert!(text.contains("no answer: the search was interrupted\nexplored: "), "{text}");
    assert_eq!(text.lines().last(), Some("UNKNOWN"));
}

#[test]
fn an_interrupt_gives_what_there_is() {
    stops_with_an_answer("INT");
}

#[test]
fn so_does_termination() {
    stops_with_an_answer("TERM");
}
