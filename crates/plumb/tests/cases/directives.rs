//! What a case file says about itself, and what is wrong with that.

use crate::engines::ENGINES;
use std::path::Path;

/// What a case expects of standard output, of standard error, of the second command and of the files that were written.
pub enum Expectation {
    Stdout(String),
    NoStdout(String),
    Stderr(String),
    NoStderr(String),
    /// Of the standard output of the second command.
    Then(String),
    File {
        name: String,
        text: String,
        /// Or it must not be.
        is_there: bool,
    },
}

#[derive(Default)]
pub struct Case {
    pub args: Vec<String>,
    pub then: Option<Vec<String>>,
    pub files: Vec<String>,
    pub arches: Vec<String>,
    pub exit: i32,
    pub then_exit: i32,
    pub last: Option<String>,
    pub expectations: Vec<Expectation>,
    /// Reasons of UNKNOWN of which one is given: which one may hang on the speed of the machine.
    pub alternatives: Vec<String>,
    /// The flags for gcc, where gcc's program is the oracle.
    pub gcc: Option<Vec<String>>,
    /// The verdict of the engines of [`super::engines`], where that is a violation.
    pub verdict: Option<String>,
    /// Engines that need not decide a case of [`super::engines`], and a part of the reason that each then gives.
    pub unknown: Vec<(String, String)>,
}

impl Case {
    pub fn read(path: &Path) -> Result<Case, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("cannot be read: {error}"))?;
        Case::parse(&String::from_utf8_lossy(&bytes))
    }

    fn parse(text: &str) -> Result<Case, String> {
        let mut case = Case::default();
        let mut single: Vec<String> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let Some((key, value)) = directive(line) else { continue };
            let (name, is_repeatable) = case.take(key, value).map_err(|what| format!("line {}: {what}", at + 1))?;
            if !is_repeatable {
                if single.contains(&name) {
                    return Err(format!("line {}: `{name}` is there already", at + 1));
                }
                single.push(name);
            }
        }
        if case.args.is_empty() {
            case.args.push("run".to_string());
        }
        if case.arches.is_empty() {
            case.arches.push("64".to_string());
        }
        let expects_of_then = case.expectations.iter().any(|e| matches!(e, Expectation::Then(_)));
        if case.then.is_none() && (expects_of_then || single.iter().any(|name| name == "expect: then-exit")) {
            return Err("expects something of a second command, but has no `then:`".to_string());
        }
        if case.exit == 2 && !case.says_why() {
            return Err("expects no answer, but not why: `expect: stdout REASON` is missing".to_string());
        }
        Ok(case)
    }

    /// Takes in a directive; its name, and whether there may be several of that name.
    fn take(&mut self, key: &str, value: &str) -> Result<(String, bool), String> {
        let words = || value.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        match key {
            "args" => self.args = words(),
            "then" => self.then = Some(words()),
            "files" => self.files = words(),
            "arch" => self.arches = words(),
            "gcc" => match words().split_first() {
                Some((yes, flags)) if yes == "yes" => self.gcc = Some(flags.to_vec()),
                Some(_) | None => return Err("`gcc:` takes `yes`, and flags".to_string()),
            },
            "verdict" => self.verdict = Some(value.to_string()),
            "expect" => return self.expect(value),
            "unknown" => {
                let (engine, reason) = value.split_once(' ').ok_or("`unknown:` takes an engine and the reason")?;
                if !ENGINES.contains(&engine) {
                    return Err(format!("`{engine}` is none of the engines that cases are run with"));
                }
                self.unknown.push((engine.to_string(), reason.to_string()));
                return Ok((format!("unknown: {engine}"), false));
            }
            other => return Err(format!("unknown directive `{other}`")),
        }
        if value.is_empty() { Err(format!("`{key}:` says nothing")) } else { Ok((key.to_string(), false)) }
    }

    fn expect(&mut self, value: &str) -> Result<(String, bool), String> {
        let (what, text) = value.split_once(' ').ok_or_else(|| format!("expects nothing of `{value}`"))?;
        let owned = text.to_string();
        let code = || text.parse::<i32>().map_err(|_| format!("`{text}` is no exit code"));
        let expectation = match what {
            "exit" | "then-exit" | "last" => {
                match what {
                    "exit" => self.exit = code()?,
                    "then-exit" => self.then_exit = code()?,
                    _ => self.last = Some(owned),
                }
                return Ok((format!("expect: {what}"), false));
            }
            "reason" => {
                self.alternatives.push(owned);
                return Ok((format!("expect: {what}"), true));
            }
            "stdout" => Expectation::Stdout(owned),
            "no-stdout" => Expectation::NoStdout(owned),
            "stderr" => Expectation::Stderr(owned),
            "no-stderr" => Expectation::NoStderr(owned),
            "then" => Expectation::Then(owned),
            "file" | "no-file" => {
                let (name, text) = text.split_once(' ').ok_or("expects nothing of the file's content")?;
                Expectation::File { name: name.to_string(), text: text.to_string(), is_there: what == "file" }
            }
            other => return Err(format!("unknown expectation `{other}`")),
        };
        self.expectations.push(expectation);
        Ok((format!("expect: {what}"), true))
    }

    pub fn is_check(&self) -> bool {
        self.args.first().is_some_and(|command| command == "check")
    }

    /// Whether something is expected that an engine which does nothing would not print.
    fn says_why(&self) -> bool {
        self.reasons().next().is_some() || !self.is_check() && self.last.is_some()
    }

    /// The expectations that can name a reason: more than a word of what follows `no answer: `.
    pub fn reasons(&self) -> impl Iterator<Item = &str> {
        let alternatives = self.alternatives.iter().map(String::as_str);
        let expected = self.expectations.iter().filter_map(|expectation| match expectation {
            Expectation::Stdout(text) => {
                let reason = text.split_once("no answer").map_or(text.as_str(), |(_, reason)| reason);
                let reason = reason.trim_start_matches([':', ' ']);
                (!self.is_check() || reason.contains(' ')).then_some(reason)
            }
            _ => None,
        });
        alternatives.chain(expected)
    }
}

/// A directive is a comment that begins with one word and a colon; no line of C begins with a semicolon and a word.
fn directive(line: &str) -> Option<(&str, &str)> {
    let comment = line.strip_prefix("//").or_else(|| line.strip_prefix("; "))?;
    let (key, value) = comment.trim_start().split_once(':')?;
    let is_word = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    let is_apart = value.is_empty() || value.starts_with(' ');
    (is_word && is_apart).then(|| (key, value.trim_start()))
}

/// What the reader of directives must refuse, and why.
pub fn refuses_what_it_does_not_know() -> Result<(), String> {
    let table = [
        ("// expcet: exit 1\n", "unknown directive `expcet`"),
        ("//Args: check\n", "unknown directive `Args`"),
        ("; Args: synth\n", "unknown directive `Args`"),
        ("int x;\n// expect: stdoud text\n", "line 2: unknown expectation `stdoud`"),
        ("// expect: exit one\n", "`one` is no exit code"),
        ("// expect: exit\n", "expects nothing of `exit`"),
        ("// expect: exit 1\n// expect: exit 1\n", "`expect: exit` is there already"),
        ("// args: check\n// args: run\n", "`args` is there already"),
        ("// gcc: no\n", "`gcc:` takes `yes`"),
        ("// expect: then TRUE\n", "has no `then:`"),
        ("// expect: then-exit 1\n", "has no `then:`"),
        ("// args: check\n// expect: exit 2\n// expect: last UNKNOWN\n", "but not why"),
        ("// args: check\n// expect: exit 2\n// expect: stdout UNKNOWN\n", "but not why"),
        ("// args: check\n// expect: exit 2\n// expect: stdout no answer\n", "but not why"),
        ("// expect: exit 2\n", "but not why"),
        ("// unknown: bmc\n", "takes an engine and the reason"),
        ("// unknown: bcm no reason\n", "`bcm` is none of the engines"),
        ("// unknown: bmc too deep\n// unknown: bmc too long\n", "`unknown: bmc` is there already"),
    ];
    for (text, complaint) in table {
        match Case::parse(text) {
            Err(what) if what.contains(complaint) => {}
            Err(what) => return Err(format!("{text:?} is refused with `{what}` instead of `{complaint}`")),
            Ok(_) => return Err(format!("{text:?} is taken")),
        }
    }
    let prose = "// See https://example.org: there.\n// A sentence: this is none.\nint x; // expcet: 1\n";
    let fine = "// args: check\n// expect: exit 2\n// expect: last UNKNOWN\n// expect: stdout no answer: by depth 3\n";
    [prose, fine].iter().try_for_each(|text| Case::parse(text).map(drop))
}
