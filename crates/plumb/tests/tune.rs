//! `plumb tune` from history files to a model.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("plumb-tune-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn plumb(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.args(args).args(["--color", "never"]).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The features that `plumb show` prints of a program with so many functions, as a record has them.
fn features(folder: &Folder, functions: usize) -> serde_json::Value {
    let callees: Vec<String> =
        (0..functions).map(|at| format!("static int f{at}(int x) {{ return x + {at}; }}\n")).collect();
    let calls: Vec<String> = (0..functions).map(|at| format!("x = f{at}(x);")).collect();
    let text = format!(
        "{}int main(int argc, char **argv) {{ int x = argc; {} return x > 7; }}\n",
        callees.concat(),
        calls.concat()
    );
    folder.write("program.c", &text);
    let output = plumb(&folder.0, &["show", "features", "--json", "program.c"]);
    let document: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(document["features"]["FUNCS"], (functions + 1) as f64);
    document["features"].clone()
}

/// One record: small programs are solved faster with `st`, others with `lf` only.
fn record(program: &str, features: &serde_json::Value, is_small: bool) -> String {
    let run = |solved: bool, seconds: f64| serde_json::json!({ "solved": solved, "seconds": seconds });
    let runs = match is_small {
        true => {
            serde_json::json!({ "st": run(true, 1.0), "bb": run(true, 90.0), "lh": run(true, 90.0), "lf": run(true, 90.0) })
        }
        false => {
            serde_json::json!({ "st": run(false, 900.0), "bb": run(false, 900.0), "lh": run(false, 900.0), "lf": run(true, 5.0) })
        }
    };
    serde_json::json!({ "program": program, "engine": "bam", "features": features, "runs": runs }).to_string()
}

#[test]
fn a_model_is_learned_from_a_history() {
    let folder = Folder::new("learn");
    let (small, large) = (features(&folder, 2), features(&folder, 9));
    let lines = |range: std::ops::Range<usize>| -> String {
        let line = |at: usize| {
            let is_small = at.is_multiple_of(2);
            record(&format!("{at}.c"), if is_small { &small } else { &large }, is_small) + "\n"
        };
        range.map(line).collect()
    };
    folder.write("first.jsonl", &lines(0..14));
    folder.write("second.jsonl", &lines(14..30));
    let output = plumb(&folder.0, &["tune", "first.jsonl", "second.jsonl", "-o", "model.json"]);
    let text = stdout(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("bam: learned from 30 of 30 programs, 2 leaves"), "{text}");
    assert!(text.contains("st          15 solved"), "{text}");
    assert!(text.contains("chosen      30 solved         90.0 s"), "{text}");
    let model = std::fs::read_to_string(folder.0.join("model.json")).unwrap();
    let model: serde_json::Value = serde_json::from_str(&model).unwrap();
    assert_eq!(model["trained_on"].as_array().unwrap().len(), 30);
    assert_eq!(model["tree"]["yes"]["metric"], "st");
    assert_eq!(model["tree"]["no"]["metric"], "lf");
}

#[test]
fn what_gives_no_model_is_said() {
    let folder = Folder::new("wrong");
    let features = features(&folder, 1);
    let one = record("a.c", &features, true);
    folder.write("few.jsonl", &one);
    folder.write("twice.jsonl", &format!("{one}\n{one}\n"));
    folder.write("none.jsonl", "");
    folder.write("other.jsonl", &record("b.c", &features, true).replace("\"bam\"", "\"la\""));
    for (args, message) in [
        (vec!["few.jsonl"], "1 records of bam differ by at least 40 seconds; a model needs 20"),
        (vec!["twice.jsonl"], "line 2: `a.c` has a record for the engine bam already"),
        (vec!["few.jsonl", "few.jsonl"], "has a record of `a.c` that an earlier file has too"),
        (vec!["none.jsonl"], "the history has no record"),
        (vec!["few.jsonl", "other.jsonl"], "records of several engines"),
        (vec!["few.jsonl", "--engine", "la"], "there is no record of the engine `la`"),
        (vec!["missing.jsonl"], "cannot read `missing.jsonl`"),
    ] {
        let output = plumb(&folder.0, &[&["tune"], &args[..]].concat());
        assert_eq!(output.status.code(), Some(3), "{args:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(message), "{args:?}: {told}");
    }
}
