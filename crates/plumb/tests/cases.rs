//! Runs every `tests/cases/<area>/<name>.c` through the real binary and compares with what the file says it expects.
//!
//! Lines at the top of a case steer it:
//! ```text
//!   // args: run --seed 3       the command, without the file (default: run)
//!   // files: part.inc other.inc  more C files of the folder, given after the case itself
//!   // arch: 32 64              once for each machine (default: 64)
//!   // expect: exit 1           the exit code (default: 0)
//!   // expect: last TEXT        the last line of standard output
//!   // expect: stdout TEXT      a part of standard output; `stderr TEXT` likewise; `no-stdout`, `no-stderr` for absence
//!   // then: run --inputs {tmp}/x  a second command on the same files; `then TEXT` expects a part of its standard output
//!   // expect: file NAME TEXT   a part of the file that the commands wrote to {tmp}, a directory of the case's own
//!   // gcc: yes [FLAGS]         gcc's program must print the same and exit with the same status
//! ```

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")
}

/// What a case file says about itself.
#[derive(Default)]
struct Case {
    args: Vec<String>,
    then: Option<Vec<String>>,
    files: Vec<String>,
    arches: Vec<String>,
    exit: i32,
    last: Option<String>,
    contains: Vec<(String, String)>,
    gcc: Option<Vec<String>>,
}

impl Case {
    fn read(path: &Path) -> Case {
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        let mut case = Case::default();
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        for line in text.lines() {
            let Some((key, value)) = line.strip_prefix("// ").and_then(|l| l.split_once(": ")) else { continue };
            match key {
                "args" => case.args = words(value),
                "then" => case.then = Some(words(value)),
                "files" => case.files = words(value),
                "arch" => case.arches = words(value),
                "gcc" => case.gcc = Some(words(value.strip_prefix("yes").unwrap())),
                "expect" => {
                    let (what, rest) = value.split_once(' ').unwrap();
                    match what {
                        "exit" => case.exit = rest.parse().unwrap(),
                        "last" => case.last = Some(rest.to_string()),
                        _ => case.contains.push((what.to_string(), rest.to_string())),
                    }
                }
                _ => {}
            }
        }
        if case.args.is_empty() {
            case.args.push("run".to_string());
        }
        if case.arches.is_empty() {
            case.arches.push("64".to_string());
        }
        case
    }
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

fn plumb(path: &Path, case: &Case, args: &[String], arch: &str, scratch: &Scratch) -> Output {
    let has = |flag: &str| args.iter().any(|a| a == flag);
    let folder = scratch.0.display().to_string();
    Command::new(env!("CARGO_BIN_EXE_plumb"))
        .args(args.iter().map(|arg| arg.replace("{tmp}", &folder)))
        .args(if has("--arch") { vec![] } else { vec!["--arch", arch] })
        .args(["--color", "never"])
        .args(if has("--timeout") { vec![] } else { vec!["--timeout", "60"] })
        .arg(path.file_name().unwrap())
        .args(&case.files)
        .current_dir(path.parent().unwrap())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Checks one case on one machine; the complaints, if any.
fn check(path: &Path, case: &Case, arch: &str) -> Vec<String> {
    let scratch = Scratch::new(path, arch);
    let output = plumb(path, case, &case.args, arch, &scratch);
    let then = case.then.as_ref().map(|args| plumb(path, case, args, arch, &scratch));
    let then = then.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned());
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = stdout.lines().last().unwrap_or("");
    let mut complaints = Vec::new();
    let mut expect = |holds: bool, what: String| {
        if !holds {
            complaints.push(what);
        }
    };
    expect(output.status.code() == Some(case.exit), format!("exit {:?}, expected {}", output.status.code(), case.exit));
    if let Some(wanted) = &case.last {
        expect(last == wanted, format!("last line `{last}`, expected `{wanted}`"));
    }
    for (what, text) in &case.contains {
        let holds = match what.as_str() {
            "stdout" => stdout.contains(text),
            "stderr" => stderr.contains(text),
            "no-stdout" => !stdout.contains(text),
            "no-stderr" => !stderr.contains(text),
            "then" => then.contains(text),
            "file" => {
                let (name, text) = text.split_once(' ').unwrap();
                std::fs::read_to_string(scratch.0.join(name)).is_ok_and(|content| content.contains(text))
            }
            other => panic!("{}: unknown expectation `{other}`", path.display()),
        };
        expect(holds, format!("{what} `{text}` does not hold"));
    }
    if let Some(flags) = &case.gcc
        && let Some(oracle) = gcc(path, case, arch, flags)
    {
        let ours = stdout.strip_suffix(&format!("{last}\n")).unwrap_or(&stdout);
        let theirs = String::from_utf8_lossy(&oracle.stdout).into_owned();
        expect(ours == theirs, format!("gcc's program prints\n{theirs}\nbut here it is\n{ours}"));
        if let Some(status) = oracle.status.code() {
            let wanted = format!("exited with status {status}");
            expect(last == wanted, format!("gcc's program {wanted}, but here: {last}"));
        }
    }
    if !complaints.is_empty() && !stderr.is_empty() {
        complaints.push(format!("standard error:\n{stderr}"));
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

/// All cases of an area, on two threads.
fn area(name: &str) {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(cases().join(name)).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "c" || e == "i"));
    paths.sort();
    assert!(!paths.is_empty(), "no cases in {name}");
    let next = std::sync::atomic::AtomicUsize::new(0);
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    let case = Case::read(path);
                    for arch in &case.arches {
                        for complaint in check(path, &case, arch) {
                            let file = path.file_name().unwrap().to_string_lossy();
                            failures.lock().unwrap().push(format!("{name}/{file} ({arch}): {complaint}"));
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} complaints:\n{}", failures.len(), failures.join("\n"));
}

/// A test for each folder of cases.
macro_rules! areas {
    ($($test:ident: $folder:literal,)*) => {
        $(
            #[test]
            fn $test() {
                area($folder);
            }
        )*

        #[test]
        fn no_folder_is_forgotten() {
            let known = [$($folder),*];
            for entry in std::fs::read_dir(cases()).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                assert!(known.contains(&name.as_str()), "no test runs the cases in `{name}`");
            }
        }
    };
}

areas! {
    certificates: "certificate",
    checks: "check",
    dialect: "dialect",
    firmware: "firmware",
    library: "library",
    linking: "link",
    parse_errors: "parse-errors",
    properties: "property",
    races: "race",
    runs: "run",
    shows: "show",
    symbolic: "symbolic",
    validation: "validate",
}
