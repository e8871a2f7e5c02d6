//! `plumb run`: one execution of the program on the concrete machine.

mod trace;

use crate::args::{Args, RunArgs};
use crate::load::{self, Needs};
use crate::report::{Exit, Failure, Output};
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::source::{Place, Span};
use plumb_evidence::report::{self, Assumption, BrokenCheck, ReadInput};
use plumb_exec::{
    CompileOptions, FileInputs, Image, InputSource, InputValue, Limits, Machine, Outcome, Output as Sink, Recorder,
    SeedInputs, Site, StopSet, input_file,
};
use plumb_ir::input::InputId;
use plumb_ir::program::Program;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Steps between two looks at the clock.
const SLICE: u64 = 5_000_000;

pub fn run(args: &Args, run: &RunArgs, out: &mut Output) -> Exit {
    match execute(args, run, out) {
        Ok(ended) => ended.print(args, out),
        Err(failure) => out.failure(&failure),
    }
}

/// A run that is over.
struct Ended {
    program: Arc<Program>,
    end: End,
    /// Where the user is informed of it.
    reported_at: Option<Site>,
    steps: u64,
    inputs: Vec<(InputId, InputValue)>,
    /// Captured only for JSON.
    stdout: Vec<u8>,
    /// The program's output ended inside a line.
    inside_line: bool,
}

enum End {
    Outcome(Outcome),
    StepLimit(u64),
    Timeout,
}

fn execute(args: &Args, run: &RunArgs, out: &Output) -> Result<Ended, Failure> {
    let mut inputs = Recorder::new(inputs(run)?);
    let program = load::program(args, Needs { promotion: true, entry: true }, out)?;
    let options = CompileOptions { trace: run.trace, ..CompileOptions::default() };
    let image = Image::compile(&program, &options).map_err(|error| {
        let help = "make static data smaller, or choose a machine with a larger address space by --arch";
        Failure::of(Diagnostic::error(Span::NONE, error.to_string()).help(help))
    })?;
    let image = Arc::new(image);
    let mut machine = Machine::new(image.clone());
    let inside_line = Arc::new(AtomicBool::new(false));
    machine.set_output(match args.json {
        true => Sink::Capture(Vec::new()),
        false => Sink::writer(Lines { out: std::io::stdout(), inside: inside_line.clone() }),
    });
    let end = until_end(args, run, &mut machine, &mut inputs);
    Ok(Ended {
        program: image.program().clone(),
        reported_at: reported_site(&end, &machine),
        end,
        steps: machine.steps(),
        inputs: inputs.record,
        stdout: machine.output().captured().to_vec(),
        inside_line: inside_line.load(Ordering::Relaxed),
    })
}

/// Where the user is told that a run ended.
fn reported_site(end: &End, machine: &Machine) -> Option<Site> {
    let End::Outcome(outcome) = end else { return None };
    let check = match outcome {
        Outcome::CheckFailed { check, .. } => Some(*check),
        _ => None,
    };
    let mut calls: Vec<Site> = machine.calls().collect();
    calls.reverse();
    let site = outcome.site()?;
    plumb_evidence::reported_site(machine.image().program(), check, site, &calls).or(Some(site))
}

/// Runs in slices, so that the clock is looked at now and then.
fn until_end(args: &Args, run: &RunArgs, machine: &mut Machine, inputs: &mut dyn InputSource) -> End {
    let deadline = args.timeout.map(|t| Instant::now() + t);
    let program = machine.image().program().clone();
    let mut trace = trace::Trace::new(program);
    loop {
        let left = run.steps.saturating_sub(machine.steps());
        if left == 0 {
            return End::StepLimit(run.steps);
        }
        let limits = Limits { steps: left.min(SLICE), memory: args.memory, ..Limits::default() };
        let outcome = match run.trace {
            true => machine.run_traced(inputs, limits, &StopSet::default(), &mut |event| trace.event(event)),
            false => machine.run(inputs, limits),
        };
        if outcome != Outcome::StepLimit {
            return End::Outcome(outcome);
        }
        if deadline.is_some_and(|d| Instant::now() >= d) {
            return End::Timeout;
        }
    }
}

fn inputs(run: &RunArgs) -> Result<Box<dyn InputSource>, Failure> {
    let Some(path) = &run.inputs else { return Ok(Box::new(SeedInputs::new(run.seed))) };
    let inputs = read_inputs(path).map_err(|message| {
        let help = "write one value per line, in the order in which the program asks; `#` starts a comment";
        Failure::of(Diagnostic::error(Span::NONE, message).help(help))
    })?;
    Ok(Box::new(inputs))
}

fn read_inputs(path: &Path) -> Result<FileInputs, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read `{shown}`: {e}"))?;
    FileInputs::parse(&text).map_err(|e| format!("`{shown}`, {e}"))
}

impl Ended {
    fn print(&self, args: &Args, out: &mut Output) -> Exit {
        let (exit, line) = self.verdict();
        if args.json {
            out.json(&self.document(&line));
        } else {
            if self.inside_line {
                out.line("");
            }
            self.warn_of_open_values(out);
            out.line(&line);
        }
        exit
    }

    /// Tells of values that every library has fixed and that were chosen here: what the run does with them says little.
    fn warn_of_open_values(&self, out: &Output) {
        let is_open = |id: &InputId| self.program.input(*id).origin.is_open(self.program.input(*id).ty);
        let open = self.inputs.iter().map(|(id, _)| *id).filter(is_open);
        let names: BTreeSet<String> = open.map(|id| input_file::origin_text(&self.program.input(id).origin)).collect();
        let mut diags = Diagnostics::new();
        for name in names {
            diags.push(
                Diagnostic::warning(Span::NONE, format!("the value of `{name}` is not that of a real library"))
                    .help("Plumb bounds what it returns and does not compute it; the run took one of these values"),
            );
        }
        out.diagnostics(&diags, &self.program.sources);
    }

    /// How the process ends and the last line of output.
    fn verdict(&self) -> (Exit, String) {
        let outcome = match &self.end {
            End::Timeout => return (Exit::Open, "timeout".to_string()),
            End::StepLimit(limit) => return (Exit::Open, format!("step limit of {limit} reached")),
            End::Outcome(outcome) => outcome,
        };
        match outcome {
            Outcome::Exited(code) => (Exit::Done, format!("exited with status {}", code & 0xff)),
            Outcome::Returned(_) => (Exit::Done, "exited with status 0".to_string()),
            Outcome::Aborted => (Exit::Done, "aborted".to_string()),
            Outcome::CheckFailed { check, site } => {
                (Exit::Violated, report::violated(&self.program, *check, self.reported_at.unwrap_or(*site)))
            }
            Outcome::Unsupported { check, .. } => {
                let message = &self.program.check(*check).message;
                (Exit::Open, format!("not supported: {message}{}", self.at(outcome)))
            }
            Outcome::Fault { kind, .. } => (Exit::Open, format!("fault: {kind}{}", self.at(outcome))),
            Outcome::AssumptionFailed(_) => (Exit::Open, format!("assumption failed{}", self.at(outcome))),
            Outcome::NoInput { input, .. } => {
                let origin = input_file::origin_text(&self.program.input(*input).origin);
                (Exit::Open, format!("no input left for {origin}{}", self.at(outcome)))
            }
            Outcome::Stopped { .. } | Outcome::StepLimit | Outcome::Probe(_) => {
                (Exit::Open, outcome.describe(&self.program))
            }
        }
    }

    /// ` at file:line:column`, where there is a place.
    fn at(&self, outcome: &Outcome) -> String {
        report::at(&self.program.sources, self.span(outcome))
    }

    fn span(&self, outcome: &Outcome) -> Span {
        self.reported_at.or(outcome.site()).map_or(Span::NONE, |site| report::span_of(&self.program, site))
    }

    fn document<'a>(&'a self, message: &'a str) -> RunDoc<'a> {
        let outcome = match &self.end {
            End::Outcome(outcome) => Some(outcome),
            End::StepLimit(_) | End::Timeout => None,
        };
        let check = match outcome {
            Some(Outcome::CheckFailed { check, .. } | Outcome::Unsupported { check, .. }) => Some(*check),
            Some(_) | None => None,
        };
        RunDoc {
            outcome: self.name(),
            message,
            steps: self.steps,
            stdout: String::from_utf8_lossy(&self.stdout),
            inputs: report::inputs(&self.program, &self.inputs),
            assumptions: report::assumptions(&self.program),
            exit_code: match outcome {
                Some(Outcome::Exited(code)) => Some(code & 0xff),
                Some(_) | None => None,
            },
            check: check.map(|check| BrokenCheck::as_called(&self.program, check)),
            place: outcome.and_then(|outcome| self.program.sources.place(self.span(outcome))),
        }
    }

    fn name(&self) -> &'static str {
        match &self.end {
            End::Timeout => "timeout",
            End::StepLimit(_) => "step-limit",
            End::Outcome(outcome) => match outcome {
                Outcome::Exited(_) | Outcome::Returned(_) => "exited",
                Outcome::Aborted => "aborted",
                Outcome::CheckFailed { .. } => "violated",
                Outcome::Unsupported { .. } => "unsupported",
                Outcome::Fault { .. } => "fault",
                Outcome::AssumptionFailed(_) => "assumption-failed",
                Outcome::NoInput { .. } => "no-input",
                Outcome::Stopped { .. } | Outcome::StepLimit | Outcome::Probe(_) => "stopped",
            },
        }
    }
}

/// A run that is over, as JSON has it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunDoc<'a> {
    outcome: &'static str,
    message: &'a str,
    steps: u64,
    stdout: Cow<'a, str>,
    inputs: Vec<ReadInput>,
    assumptions: Vec<Assumption>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    /// The check that failed, or that stands for what is not modelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<BrokenCheck>,
    place: Option<Place>,
}

/// Standard output that remembers whether a line is open, since the outcome goes on a line of its own.
struct Lines {
    out: std::io::Stdout,
    inside: Arc<AtomicBool>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if let Some(&last) = bytes.last() {
            self.inside.store(last != b'\n', Ordering::Relaxed);
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
