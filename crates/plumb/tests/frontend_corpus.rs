//! Oracle: real C files. `plumb show ir` must bring nearly all of a corpus down to automata and must never panic, crash
//! or hang on the rest. It catches us wherever real headers, kernel code or generated code use C that our own cases do
//! not know.
//!
//! Two ways to name the files, neither set by default (the corpora are not part of the project):
//!
//! * `PLUMB_CORPUS`: a list file with `path arch` on each line (`#` starts a comment; without an arch, 32).
//! * `PLUMB_CORPUS_ROOT`: a checkout of the SV-COMP benchmarks' `c` folder, from which `PLUMB_CORPUS_SAMPLE` files (1000)
//!   are drawn at random (`PLUMB_CORPUS_SEED`) among those that `gcc -fsyntax-only -w` accepts.
//!
//! `PLUMB_CORPUS_PERCENT` (98) is the part that must succeed.

mod oracle;

use oracle::{Arch, Random, env_number, parallel, run, say};
use std::path::{Path, PathBuf};
use std::time::Duration;

const TIME_LIMIT: Duration = Duration::from_secs(60);

struct Task {
    path: PathBuf,
    arch: Arch,
}

enum Outcome {
    Success,
    /// The first diagnostic.
    Diagnosed(String),
    /// A panic, a signal or an exit code that means neither success nor bad input.
    Crashed(String),
    TimedOut,
}

#[test]
fn corpus_reaches_the_ir() {
    let tasks = if let Some(list) = std::env::var_os("PLUMB_CORPUS") {
        listed(Path::new(&list))
    } else if let Some(root) = std::env::var_os("PLUMB_CORPUS_ROOT") {
        sampled(Path::new(&root))
    } else {
        say("skipped: neither PLUMB_CORPUS nor PLUMB_CORPUS_ROOT names a corpus");
        return;
    };
    let outcomes = parallel(tasks.len(), |index| show_ir(&tasks[index]));
    let (mut success, mut diagnosed, mut crashed, mut timed_out) = (0, 0, 0, 0);
    for (task, outcome) in tasks.iter().zip(outcomes) {
        let (word, detail) = match outcome {
            Outcome::Success => {
                success += 1;
                continue;
            }
            Outcome::Diagnosed(first) => {
                diagnosed += 1;
                ("rejected", first)
            }
            Outcome::Crashed(how) => {
                crashed += 1;
                ("CRASHED", how)
            }
            Outcome::TimedOut => {
                timed_out += 1;
                ("TIMED OUT", String::new())
            }
        };
        say(format!("{word} {} --arch {}\n{detail}", task.path.display(), task.arch.name()));
    }
    let total = tasks.len();
    say(format!(
        "corpus: {success} of {total} succeed, {diagnosed} rejected, {crashed} crashed, {timed_out} timed out"
    ));
    assert_eq!((crashed, timed_out), (0, 0), "crashes and time-outs");
    let percent = env_number("PLUMB_CORPUS_PERCENT", 98) as usize;
    assert!(success * 100 >= percent * total, "fewer than {percent} % succeed");
}

fn show_ir(task: &Task) -> Outcome {
    let mut command = oracle::plumb();
    command.args(["show", "ir"]).arg(&task.path).args(["--arch", task.arch.name()]);
    let done = run(&mut command, TIME_LIMIT);
    let Some(status) = done.status else {
        return Outcome::TimedOut;
    };
    if status.success() {
        return Outcome::Success;
    }
    let from_error = done.stderr.find("error").map_or("", |at| &done.stderr[at..]);
    let first: Vec<&str> = from_error.lines().take(5).collect();
    if status.code() != Some(3) || done.stderr.contains("internal error") || first.is_empty() {
        return Outcome::Crashed(done.describe());
    }
    Outcome::Diagnosed(first.join("\n"))
}

fn listed(list: &Path) -> Vec<Task> {
    let text = std::fs::read_to_string(list).expect("PLUMB_CORPUS names a readable list");
    let mut tasks = Vec::new();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let mut words = line.split_whitespace();
        if let Some(path) = words.next() {
            let arch = words.next().map_or(Arch::Ilp32, |a| Arch::parse(a).expect("an arch is 32 or 64"));
            tasks.push(Task { path: path.into(), arch });
        }
    }
    tasks
}

fn sampled(root: &Path) -> Vec<Task> {
    let mut files = Vec::new();
    collect(root, &mut files);
    files.sort();
    Random::new(env_number("PLUMB_CORPUS_SEED", 1)).shuffle(&mut files);
    let wanted = env_number("PLUMB_CORPUS_SAMPLE", 1000) as usize;
    let mut tasks = Vec::new();
    for chunk in files.chunks(64) {
        let accepted = parallel(chunk.len(), |index| {
            let arch = family_arch(&chunk[index], root);
            let mut command = oracle::gcc(arch);
            command.arg("-fsyntax-only").arg(&chunk[index]);
            run(&mut command, TIME_LIMIT).success().then_some(arch)
        });
        let accepted = chunk.iter().zip(accepted).filter_map(|(path, arch)| arch.map(|arch| (path.clone(), arch)));
        tasks.extend(accepted.map(|(path, arch)| Task { path, arch }));
        if tasks.len() >= wanted {
            tasks.truncate(wanted);
            break;
        }
    }
    say(format!("corpus: {} files drawn from {}", tasks.len(), files.len()));
    tasks
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).expect("the corpus is readable");
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            files.push(path);
        }
    }
}

/// The data model of a file's family, as the benchmarks' own build has it: the `Makefile` of a family's folder says
/// `CC.Arch := 64` where it needs that, and `Makefile.config` makes 32 the default. The categories' `.cfg` files agree
/// except for families that serve in categories of both models.
fn family_arch(file: &Path, root: &Path) -> Arch {
    for folder in file.ancestors().skip(1).take_while(|folder| folder.starts_with(root)) {
        let Ok(makefile) = std::fs::read_to_string(folder.join("Makefile")) else {
            continue;
        };
        let setting = makefile.lines().find_map(|line| line.trim().strip_prefix("CC.Arch")?.split(":=").nth(1));
        if let Some(arch) = setting.and_then(|value| Arch::parse(value.trim())) {
            return arch;
        }
    }
    Arch::Ilp32
}
