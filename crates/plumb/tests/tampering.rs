//! Witnesses that somebody has changed are rejected.
//!
//! Witnesses of both kinds are made by `plumb check` from cases; each is confirmed as it is, and rejected with
//! any one of many changes. A change that leaves a correct witness is none: they are chosen so that each matters.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A program, the flags that its answer needs, and changes of its own: what is replaced by what, everywhere.
struct Program {
    file: &'static str,
    flags: &'static [&'static str],
    own: &'static [(&'static str, &'static str)],
}

const KIND: &[&str] = &["--engine", "kind"];

const PROVED: &[Program] = &[
    Program {
        file: "tests/cases/validate/counter.c",
        flags: KIND,
        own: &[
            // Not inductive, not true at first, too weak.
            ("x < 11", "x < 10"),
            ("x >= 0", "x > 0"),
            ("x >= 0", "x >= 3"),
            ("x < 11", "x <= 11"),
            ("x < 11", "x < 11 || x > 20"),
            ("x >= 0", "1"),
            ("x < 11", "x < 11 && x != 7"),
            ("x >= 0", "x >= 0 && x % 2 == 0"),
        ],
    },
    Program {
        file: "tests/cases/validate/for-loop.c",
        flags: KIND,
        own: &[
            ("i >= last", "i > last"),
            ("i >= last", "i <= last"),
            ("last >= 0", "last >= 0 && last < 100"),
            ("last >= 0", "1"),
            ("i >= 0", "i >= 1"),
        ],
    },
    Program {
        file: "tests/cases/validate/nested.c",
        flags: KIND,
        own: &[("level < 6", "level < 5"), ("level < 6", "1")],
    },
    Program {
        file: "tests/cases/validate/members.c",
        flags: KIND,
        own: &[("turns < 8", "turns < 7"), ("turns >= 0", "t.water >= 0"), ("turns", "t.level")],
    },
    Program { file: "tests/cases/validate/deep.c", flags: KIND, own: &[] },
    Program { file: "tests/cases/validate/assertion.c", flags: KIND, own: &[("G assert", "G ! overflow")] },
];

const CONTRACTS: &[Program] = &[
    Program {
        file: "tests/cases/contract/witness.c",
        flags: &["--engine", "div"],
        own: &[("level < 21", "level < 20"), ("level < 21", "level < 22"), ("level < 21", "level >= 0")],
    },
    Program {
        file: "tests/cases/div/mccarthy.c",
        flags: &["--engine", "div"],
        own: &[("result == 91", "result == 90"), ("result == 91", "result >= 91")],
    },
];

const BROKEN: &[Program] = &[
    Program {
        file: "tests/cases/validate/combination.c",
        flags: &[],
        own: &[
            ("\\\\result == 17", "\\\\result == 18"),
            ("\\\\result == 17\"", "\\\\result == 170000000000\""),
            ("\\\\result == 21", "\\\\result == -21"),
        ],
    },
    Program {
        file: "tests/cases/validate/sequence.c",
        flags: &[],
        own: &[
            ("\\\\result == 3", "\\\\result == 2"),
            ("\\\\result == 1\"", "\\\\result == 2\""),
            ("\\\\result == 4", "\\\\result == 0"),
        ],
    },
    Program { file: "tests/cases/validate/uninitialised.c", flags: &[], own: &[("x == 1234", "x == 1235")] },
    Program {
        file: "tests/cases/validate/devices.c",
        flags: &[],
        own: &[("\\\\result == 200", "\\\\result == 199"), ("\\\\result == 0\"", "\\\\result == 3\"")],
    },
    Program {
        file: "tests/cases/validate/overflow.c",
        flags: &["--checks", "overflow"],
        own: &[("! overflow", "! call(reach_error())")],
    },
];

fn plumb(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_plumb"))
        .args(args)
        .args(["--color", "never", "--timeout", "60"])
        .current_dir(ROOT)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("plumb-tampering-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn witness(program: &Program, folder: &Path) -> String {
    let path = folder.join(program.file.replace('/', "-")).with_extension("yml");
    let shown = path.display().to_string();
    let mut args = vec!["check", program.file, "--witness", &shown];
    args.extend(program.flags);
    let (_, out) = plumb(&args);
    std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} gives no witness: {out}", program.file))
}

/// Changes of what a witness says of itself.
fn metadata(text: &str) -> Vec<(String, String)> {
    let line = |key: &str| text.lines().find(|l| l.trim_start().starts_with(key)).unwrap().to_string();
    let mut changed = Vec::new();
    let mut change = |what: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        changed.push((what.to_string(), text.replace(from, to)));
    };
    let hash = text.split('"').find(|word| word.len() == 64).unwrap();
    let other = if hash.starts_with('0') { "1" } else { "0" };
    change("hash", hash, &format!("{other}{}", &hash[1..]));
    change("no hash", hash, "");
    let version = line("format_version:");
    change("version", &version, "    format_version: \"1.0\"");
    change("data model", "LP64", "ILP32");
    change("language", "language: \"C\"", "language: \"Java\"");
    let specification = line("specification:");
    change("specification", &specification, "      specification: \"CHECK( init(main()), LTL(G ! call(other())) )\"");
    change("entry function", "init(main())", "init(start())");
    change("no specification", &specification, "");
    change("no task", "    task:", "    job:");
    change("unknown entry", "entry_type: \"", "entry_type: \"un");
    change("truncated", text, &text[..text.len() / 3]);
    change("twice", text, &format!("{text}{text}"));
    let other = match text.contains("violation_sequence") {
        true => text.replace("violation_sequence", "invariant_set"),
        false => text.replace("invariant_set", "violation_sequence"),
    };
    change("other entry", text, &other);
    changed
}

/// The text with the n-th occurrence of something replaced.
fn nth(text: &str, n: usize, from: &str, to: &str) -> Option<String> {
    let (at, _) = text.match_indices(from).nth(n)?;
    Some(format!("{}{to}{}", &text[..at], &text[at + from.len()..]))
}

/// Changes of every invariant, or waypoint, one at a time.
fn places(text: &str, list: &str) -> Vec<(String, String)> {
    let content = text.find("  content:").unwrap();
    let (head, content) = text.split_at(content);
    let mut changed = Vec::new();
    let count = content.matches(list).count();
    let numbers = |key: &str| -> Vec<u32> {
        content.lines().filter_map(|l| l.trim_start().strip_prefix(key)?.trim().parse().ok()).collect()
    };
    let (lines, columns) = (numbers("line:"), numbers("column:"));
    for n in 0..count.min(5) {
        let (before, item) = content.split_at(content.match_indices(list).nth(n).unwrap().0);
        let mut change = |what: &str, from: &str, to: &str| {
            if let Some(item) = nth(item, 0, from, to) {
                changed.push((format!("{what} {n}"), format!("{head}{before}{item}")));
            }
        };
        change("first line", &format!("line: {}\n", lines[n]), "line: 1\n");
        change("far line", &format!("line: {}\n", lines[n]), "line: 9999\n");
        change("column", &format!("column: {}\n", columns[n]), &format!("column: {}\n", columns[n] + 1));
        change("file", "file_name: \"", "file_name: \"no-");
        change("no line", "line:", "lain:");
    }
    changed
}

fn invariants(text: &str) -> Vec<(String, String)> {
    let mut changed = places(text, "- invariant:");
    let values: Vec<&str> =
        text.lines().filter_map(|l| l.trim_start().strip_prefix("value: \"")?.strip_suffix('"')).collect();
    for (n, value) in values.iter().enumerate().take(4) {
        let from = format!("value: \"{value}\"");
        let occurrence = values[..n].iter().filter(|v| *v == value).count();
        let claims = [
            "0".to_string(),
            format!("!({value})"),
            format!("({value}) && 1 > 2"),
            format!("({value}) && no_such_name == 0"),
            format!("({value}) && __VERIFIER_nondet_int() == 0"),
            format!("{value}), (1"),
            format!("{value}; 1"),
            format!("({value}"),
            format!("({value}) && *(int *)0 == 0"),
            format!("({value}) && 1 / (1 - 1) == 0"),
            String::new(),
        ];
        for claim in claims {
            let tampered = nth(text, occurrence, &from, &format!("value: \"{claim}\"")).unwrap();
            changed.push((format!("invariant {n} is `{claim}`"), tampered));
        }
    }
    let kind = ("unknown type", text.replace("loop_invariant", "loop_variant"));
    let function = ("function", text.replacen("function: \"", "function: \"not_", 1));
    let format = ("format", text.replacen("c_expression", "lisp", 1));
    changed.extend([kind, function, format].map(|(what, text)| (what.to_string(), text)));
    // Deeper inductions may do without invariants.
    if text.contains("k-induction 0") {
        let lost = text.find("  content:").map(|at| format!("{}  content: []\n", &text[..at])).unwrap();
        changed.push(("nothing left".to_string(), lost));
    }
    changed
}

fn contracts(text: &str) -> Vec<(String, String)> {
    let is_column = |what: &str| what.starts_with("column");
    let mut changed: Vec<_> = places(text, "- contract:").into_iter().filter(|(what, _)| !is_column(what)).collect();
    let ensures: Vec<&str> =
        text.lines().filter_map(|l| l.trim_start().strip_prefix("ensures: \"")?.strip_suffix('"')).collect();
    for (n, value) in ensures.iter().enumerate() {
        let claims = [
            "0".to_string(),
            format!("!({value})"),
            format!("({value}) && no_such_name == 0"),
            format!("({value}) && __VERIFIER_nondet_int() == 0"),
            format!("{value}), (1"),
            format!("({value}"),
            format!("({value}) && *(int *)0 == 0"),
            format!("({value}) && 1 / (1 - 1) == 0"),
            format!("({value}) && \\\\at(1, There) == 1"),
            "1".to_string(),
            String::new(),
        ];
        for claim in claims {
            let tampered = text.replace(&format!("ensures: \"{value}\""), &format!("ensures: \"{claim}\""));
            changed.push((format!("contract {n} ensures `{claim}`"), tampered));
        }
    }
    for requires in ["0", "no_such_name", "", "1 / 0", "*(int *)0 == 0", "\\\\result == 1"] {
        let tampered = text.replace("requires: \"1\"", &format!("requires: \"{requires}\""));
        changed.push((format!("contracts require `{requires}`"), tampered));
    }
    let kind = ("unknown type", text.replace("function_contract", "function_promise"));
    let function = ("function", text.replacen("function: \"", "function: \"not_", 1));
    let format = ("format", text.replacen("ext_c_expression", "lisp", 1));
    changed.extend([kind, function, format].map(|(what, text)| (what.to_string(), text)));
    changed
}

fn waypoints(text: &str) -> Vec<(String, String)> {
    let mut changed = places(text, "- segment:");
    for n in 0..text.matches("value: \"true\"").count().min(6) {
        changed.push((format!("branch {n}"), nth(text, n, "value: \"true\"", "value: \"false\"").unwrap()));
    }
    for n in 0..text.matches("value: \"false\"").count().min(6) {
        changed.push((format!("other branch {n}"), nth(text, n, "value: \"false\"", "value: \"true\"").unwrap()));
    }
    // Neighbours in the other order.
    let starts: Vec<usize> = text.match_indices("  - segment:").map(|(at, _)| at).collect();
    for (n, around) in starts.windows(3).enumerate().take(3) {
        let [first, second, end] = [around[0], around[1], around[2]];
        let (a, b) = (&text[first..second], &text[second..end]);
        changed.push((format!("order {n}"), format!("{}{b}{a}{}", &text[..first], &text[end..])));
    }
    let target = text.match_indices("  - segment:").last().unwrap().0;
    let more = [
        ("no target", text[..target].to_string()),
        ("two targets", format!("{text}{}", &text[target..])),
        ("target first", {
            let content = text.find("  - segment:").unwrap();
            format!("{}{}{}", &text[..content], &text[target..], &text[content..target])
        }),
        ("target avoided", {
            let (path, target) = text.split_at(target);
            format!("{path}{}", target.replace("follow", "avoid"))
        }),
        ("unknown waypoint", text.replacen("type: \"target\"", "type: \"goal\"", 1)),
        ("target is a branch", text.replacen("type: \"target\"", "type: \"branching\"", 1)),
    ];
    changed.extend(more.map(|(what, text)| (what.to_string(), text)));
    changed
}

/// Validates a text; the exit code and the last line.
fn validated(program: &Program, folder: &Path, number: usize, text: &str) -> (Option<i32>, String) {
    let path = folder.join(format!("{number}.yml"));
    std::fs::write(&path, text).unwrap();
    let shown = path.display().to_string();
    let mut args = vec!["validate", program.file, "--witness", &shown];
    args.extend(program.flags.iter().filter(|flag| !["--engine", "kind", "div"].contains(flag)));
    plumb(&args)
}

fn all_rejected(name: &str, programs: &[Program], content: fn(&str) -> Vec<(String, String)>, least: usize) {
    let folder = scratch(name);
    let mut work: Vec<(&Program, String, String)> = Vec::new();
    for program in programs {
        let text = witness(program, &folder);
        let (code, out) = validated(program, &folder, 0, &text);
        assert_eq!(code, Some(0), "{}: {out}\n{text}", program.file);
        let own = program.own.iter().map(|(from, to)| {
            assert!(text.contains(from), "{}: {from}\n{text}", program.file);
            (format!("{from} -> {to}"), text.replace(from, to))
        });
        let changes = metadata(&text).into_iter().chain(content(&text)).chain(own);
        work.extend(changes.filter(|(_, changed)| *changed != text).map(|(what, changed)| (program, what, changed)));
    }
    assert!(work.len() >= least, "only {} changes", work.len());
    let next = AtomicUsize::new(0);
    let passed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((program, what, text)) = work.get(number) else { return };
                    let (code, out) = validated(program, &folder, number + 1, text);
                    if code != Some(1) {
                        passed.lock().unwrap().push(format!("{}: {what}: {out}", program.file));
                    }
                }
            });
        }
    });
    let _ = std::fs::remove_dir_all(&folder);
    let passed = passed.into_inner().unwrap();
    assert!(passed.is_empty(), "{} of {} changes:\n{}", passed.len(), work.len(), passed.join(""));
}

#[test]
fn changed_invariants_are_rejected() {
    all_rejected("proved", PROVED, invariants, 150);
}

#[test]
fn changed_violations_are_rejected() {
    all_rejected("broken", BROKEN, waypoints, 100);
}

#[test]
fn changed_contracts_are_rejected() {
    all_rejected("contracts", CONTRACTS, contracts, 60);
}
