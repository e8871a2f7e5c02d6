//! Standard output: text or one JSON document, diagnostics, exit codes.

use crate::args::Args;
use plumb_c::diag::{Diagnostic, Diagnostics, Severity, render};
use plumb_c::source::{Place, SourceMap};
use serde::Serialize;
use std::io::Write;

/// How the process ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The job is done: shown, or run to the program's own end.
    Done,
    /// A property is broken.
    Violated,
    /// No answer either way.
    Open,
    /// Bad input or usage, or a bug of ours.
    Trouble,
}

impl Exit {
    pub fn code(self) -> i32 {
        match self {
            Exit::Done => 0,
            Exit::Violated => 1,
            Exit::Open => 2,
            Exit::Trouble => 3,
        }
    }
}

/// Why there is no program to work on.
#[derive(Debug)]
pub struct Failure {
    pub sources: std::sync::Arc<SourceMap>,
    pub diags: Diagnostics,
}

impl Failure {
    pub fn of(diagnostic: Diagnostic) -> Failure {
        let mut diags = Diagnostics::new();
        diags.push(diagnostic);
        Failure { sources: std::sync::Arc::default(), diags }
    }
}

/// Standard output. A reader who has seen enough closes the pipe: that ends our writing, and is no error.
pub struct Output {
    out: Sink,
    closed: bool,
    json: bool,
    color: bool,
}

enum Sink {
    Stdout(std::io::BufWriter<std::io::Stdout>),
    Memory(Vec<u8>),
}

impl Output {
    pub fn new(args: &Args) -> Output {
        let out = Sink::Stdout(std::io::BufWriter::new(std::io::stdout()));
        Output { out, closed: false, json: args.json, color: args.color }
    }

    /// What would be written, for later.
    pub fn to_memory(json: bool) -> Output {
        Output { out: Sink::Memory(Vec::new()), closed: false, json, color: false }
    }

    /// What was written, where it was kept.
    pub fn into_memory(self) -> Vec<u8> {
        match self.out {
            Sink::Stdout(_) => Vec::new(),
            Sink::Memory(bytes) => bytes,
        }
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        let written = match &mut self.out {
            _ if self.closed => return,
            Sink::Stdout(out) => out.write_all(bytes),
            Sink::Memory(kept) => kept.write_all(bytes),
        };
        self.closed = written.is_err();
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub fn line(&mut self, line: &str) {
        self.bytes(line.as_bytes());
        self.bytes(b"\n");
    }

    /// One document in a line, its keys in alphabetical order: that of a `Value`, however a struct is declared.
    pub fn json(&mut self, value: &impl Serialize) {
        let value = serde_json::to_value(value).expect("a document has text as keys, and nothing that fails");
        self.line(&value.to_string());
    }

    pub fn is_json(&self) -> bool {
        self.json
    }

    pub fn finish(self) {
        if let Sink::Stdout(mut out) = self.out {
            let _ = out.flush();
        }
    }

    /// Tells why there is nothing to work on: on standard error, or as JSON.
    pub fn failure(&mut self, failure: &Failure) -> Exit {
        if self.json {
            let diagnostics = diagnostics(&failure.diags, &failure.sources);
            self.json(&FailureDoc { outcome: "error", diagnostics });
        } else {
            self.diagnostics(&failure.diags, &failure.sources);
            let hidden = failure.diags.error_count().saturating_sub(Diagnostics::MAX_ERRORS);
            if hidden > 0 {
                eprintln!("... and {hidden} more errors");
            }
        }
        Exit::Trouble
    }

    /// Warnings and errors as text on standard error.
    pub fn diagnostics(&self, diags: &Diagnostics, sources: &SourceMap) {
        let mut stderr = std::io::stderr().lock();
        for diagnostic in diags.iter() {
            let _ = stderr.write_all(render(diagnostic, sources, self.color).as_bytes());
        }
    }
}

/// A diagnostic, as JSON has it.
#[derive(Serialize)]
struct DiagnosticDoc<'a> {
    severity: &'static str,
    message: &'a str,
    label: &'a str,
    help: Option<&'a str>,
    place: Option<Place>,
}

/// Why there is nothing to work on, as JSON has it.
#[derive(Serialize)]
struct FailureDoc<'a> {
    outcome: &'static str,
    diagnostics: Vec<DiagnosticDoc<'a>>,
}

fn diagnostics<'a>(diags: &'a Diagnostics, sources: &SourceMap) -> Vec<DiagnosticDoc<'a>> {
    let one = |d: &'a Diagnostic| DiagnosticDoc {
        severity: match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: &d.message,
        label: &d.label,
        help: d.help.as_deref(),
        place: sources.place(d.span),
    };
    diags.iter().map(one).collect()
}

/// A panic is a bug of ours: it is reported as such, and its exit code is never a verdict's.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or("an unknown place".to_string(), |l| format!("{}:{}", l.file(), l.line()));
        let payload = info.payload();
        let what = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let mut stderr = std::io::stderr().lock();
        let _ = writeln!(
            stderr,
            "error: Plumb {} has an internal error at {place}: {}\n  help: this is a bug in Plumb, not in your program; \
             please report it with the command and the file that shows it",
            env!("CARGO_PKG_VERSION"),
            what.unwrap_or("no message")
        );
    }));
}
