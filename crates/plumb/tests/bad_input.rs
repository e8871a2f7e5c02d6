//! Input that is no program at all: each kind gets a diagnostic and exit code 3, never a panic or a hang.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file in a folder of this test run.
fn file(name: &str, content: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("plumb-bad-input-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn plumb(path: &Path, change: impl FnOnce(&mut Command)) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.args(["run", "--color", "never"]).arg(path).stdin(Stdio::null());
    change(&mut command);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The file is refused with a message that has all these parts, and nothing looks like a result.
fn refused(path: &Path, parts: &[&str]) {
    let (code, stdout, stderr) = plumb(path, |_| {});
    assert_eq!(code, Some(3), "{}: {stderr}", path.display());
    assert_eq!(stdout, "", "{}", path.display());
    assert!(stderr.contains("help: "), "{}: no next step in {stderr}", path.display());
    assert!(!stderr.contains("internal error"), "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{}: no `{part}` in {stderr}", path.display());
    }
}

#[test]
fn files_that_cannot_be_read() {
    refused(Path::new("/nowhere/at/all.c"), &["/nowhere/at/all.c", "does not exist"]);
    refused(&std::env::temp_dir(), &["is a directory"]);
    refused(&file("empty.c", b""), &["empty.c", "is empty"]);
}

#[test]
fn binary_garbage() {
    let bytes: Vec<u8> = (0u32..4000).map(|i| (i.wrapping_mul(2654435761) >> 13) as u8).collect();
    refused(&file("garbage.c", &bytes), &["garbage.c"]);
    let no_nul: Vec<u8> = bytes.iter().map(|b| b | 0x80).collect();
    refused(&file("high.i", &no_nul), &["high.i"]);
    let printable: Vec<u8> = bytes.iter().map(|b| 33 + b % 90).collect();
    refused(&file("printable.i", &printable), &["printable.i:1:"]);
}

#[test]
fn deep_nesting() {
    let deep = 100_000;
    let table: [(&str, String); 6] = [
        ("parentheses.i", format!("int main(void) {{ return {}0{}; }}", "(".repeat(deep), ")".repeat(deep))),
        ("blocks.i", format!("int main(void) {{ {} {} }}", "{".repeat(deep), "}".repeat(deep))),
        ("unary.i", format!("int main(void) {{ int x = 0; return {}x; }}", "!".repeat(deep))),
        ("initialiser.i", format!("int x = {}0{};", "{".repeat(deep), "}".repeat(deep))),
        ("declarator.i", format!("int {}x{};", "(".repeat(deep), ")".repeat(deep))),
        ("statements.i", format!("int main(void) {{ {} ; }}", "if (1) ".repeat(deep))),
    ];
    for (name, text) in table {
        refused(&file(name, text.as_bytes()), &[name]);
    }
}

#[test]
fn long_but_flat_programs_are_fine() {
    let sum = format!("int main(void) {{ int x = 1; return ({}0) > 0; }}", "x + ".repeat(10_000));
    let (code, stdout, stderr) = plumb(&file("sum.i", sum.as_bytes()), |_| {});
    assert_eq!((code, stdout.trim()), (Some(0), "exited with status 1"), "{stderr}");
    let chain: String = (0..5_000).map(|i| format!("if (x == {i}) y = {i}; else ")).collect();
    let text = format!("int main(void) {{ int x = 4321, y = 0; {chain} y = -1; return y == 4321; }}");
    let (code, stdout, stderr) = plumb(&file("else.i", text.as_bytes()), |_| {});
    assert_eq!((code, stdout.trim()), (Some(0), "exited with status 1"), "{stderr}");
}

#[test]
fn no_compiler_to_preprocess_with() {
    let path = file("fine.c", b"int main(void) { return 0; }\n");
    let (code, _, stderr) = plumb(&path, |c| {
        c.env("PATH", "");
    });
    assert_eq!(code, Some(3));
    assert!(stderr.contains("no C compiler") && stderr.contains("help: "), "{stderr}");
}

#[test]
fn wrong_usage() {
    let path = file("usage.c", b"int main(void) { return 0; }\n");
    for flags in [
        &["--no-such-flag"][..],
        &["--arch", "128"],
        &["--checks", "nonsense"],
        &["--property", "/nowhere.prp"],
        &["--inputs", "/nowhere.txt"],
        &["--entry", "nobody"],
    ] {
        let (code, stdout, stderr) = plumb(&path, |c| {
            c.args(flags);
        });
        assert_eq!((code, stdout.as_str()), (Some(3), ""), "{flags:?}: {stderr}");
        assert!(!stderr.is_empty(), "{flags:?}");
    }
}

#[test]
fn trouble_as_json() {
    let path = file("error.i", b"int main(void) { return x; }\n");
    let (code, stdout, _) = plumb(&path, |c| {
        c.arg("--json");
    });
    let value: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(code, Some(3));
    assert_eq!(value["outcome"], "error");
    assert_eq!(value["diagnostics"][0]["place"]["line"], 1);
}

/// A reader that closes the pipe early must not make us panic.
#[test]
fn a_closed_pipe_is_no_error() {
    let text = "int printf(const char *, ...);\nint main(void) { for (int i = 0; i < 200000; i++) printf(\"%d\\n\", i); return 0; }";
    let path = file("pipe.i", text.as_bytes());
    let mut child = Command::new(env!("CARGO_BIN_EXE_plumb"))
        .arg("run")
        .arg(&path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("internal error"));
    assert!(output.status.code().is_some());
}
