//! `plumb synth`: functions from examples.

use crate::args::{Args, SynthArgs};
use crate::check::{DEFAULT_TIMEOUT, interrupt, threads};
use crate::load;
use crate::report::{Exit, Failure, Output};
use crate::watchdog::{LastWord, Watchdog};
use plumb_c::diag::{Diagnostic, Diagnostics};
use plumb_c::source::{SourceMap, Span};
use plumb_engine::Cancel;
use plumb_synth::sygus::{self, Task};
use plumb_synth::{Answer, Budget, Ended, Ranked, c_print, synthesise, synthesise_against};
use serde::Serialize;
use std::sync::Arc;
use std::time::Instant;

pub fn synth(args: &Args, synth: &SynthArgs, out: &mut Output) -> Exit {
    let shown = synth.file.display().to_string();
    let text = match std::fs::read(&synth.file).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => {
            return out
                .failure(&load::failure(format!("`{shown}` is not a text file"), "name a file in SyGuS-IF (.sl)"));
        }
        Err(error) => {
            return out
                .failure(&load::failure(format!("cannot read `{shown}`: {error}"), "name a file in SyGuS-IF (.sl)"));
        }
    };
    let script = match sygus::parse(&text) {
        Ok(script) => script,
        Err(error) => return out.failure(&failure(&shown, text, &error)),
    };
    let cancel = Cancel::new();
    interrupt::cancel_on_signal(&cancel);
    let deadline = Instant::now().checked_add(args.timeout.unwrap_or(DEFAULT_TIMEOUT));
    let watchdog = Watchdog::start(deadline, cancel.clone(), LastWord::of(args.json, print_timeout));
    let budget = Budget {
        deadline,
        candidates: synth.candidates.unwrap_or(u64::MAX),
        memory: args.memory / 2,
        threads: threads::threads(synth.threads, args.memory, out),
        cancel: cancel.flag(),
        seed: synth.seed,
        ..Budget::default()
    };
    let solved: Vec<Solved> = script.tasks.iter().map(|task| solve(task, &budget)).collect();
    watchdog.dismiss();
    print_results(args, synth, &text, &script.tasks, &solved, out)
}

/// What is reported if the search does not end in time.
fn print_timeout(out: &mut Output) -> Exit {
    if out.is_json() {
        out.json(&SynthDoc { outcome: name(Outcome::Open), functions: Vec::new() });
    } else {
        out.line(name(Outcome::Open));
        out.line("; the timeout was reached");
    }
    Exit::Open
}

/// A diagnostic of the reader, as all others look.
fn failure(name: &str, text: String, error: &sygus::Diagnostic) -> Failure {
    let mut sources = SourceMap::new();
    let base = match sources.add(name, text) {
        Ok(unit) => sources.units()[unit].base(),
        Err(_) => return load::failure(format!("`{name}` is too large"), "make it smaller"),
    };
    let span = Span::new(base + error.span.start, base + error.span.end);
    let mut diagnostic = Diagnostic::error(span, error.message.clone()).label(error.label.clone());
    diagnostic.help = error.help.clone();
    let mut diags = Diagnostics::new();
    diags.push(diagnostic);
    Failure { sources: Arc::new(sources), diags }
}

/// What the search came to for one function.
struct Solved {
    ranked: Ranked,
    outcome: Outcome,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// All constraints hold.
    Solved,
    /// Examples contradict each other.
    Infeasible,
    Open,
}

fn solve(task: &Task, budget: &Budget) -> Solved {
    let (ranked, is_solved) = match &task.reference {
        None => {
            let ranked = synthesise(&task.problem, budget);
            let is_solved = ranked.complete().is_some();
            (ranked, is_solved)
        }
        Some((reference, _)) => {
            let refined = synthesise_against(&task.problem, reference, budget);
            (refined.ranked, refined.is_proved)
        }
    };
    let outcome = match is_solved {
        true => Outcome::Solved,
        false if ranked.satisfiable < ranked.examples => Outcome::Infeasible,
        false => Outcome::Open,
    };
    Solved { ranked, outcome }
}

impl Solved {
    fn why(&self) -> &'static str {
        match (self.outcome, self.ranked.ended) {
            (Outcome::Infeasible, _) => "some constraints contradict each other",
            (_, Ended::Exhausted) => "the grammar has no term that satisfies the examples, or none was enumerated",
            (_, Ended::Candidates) => "the bound on terms was reached",
            (_, Ended::Memory) => "the memory limit was reached",
            (_, Ended::Stopped | Ended::Complete) => "the timeout was reached",
        }
    }
}

/// A function, as JSON has it.
#[derive(Serialize)]
struct FunctionDoc {
    name: String,
    outcome: &'static str,
    definition: Option<String>,
    c: Option<String>,
    satisfied: usize,
    examples: usize,
    size: usize,
    candidates: u64,
}

#[derive(Serialize)]
struct SynthDoc {
    outcome: &'static str,
    functions: Vec<FunctionDoc>,
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Solved => "solved",
        Outcome::Infeasible => "infeasible",
        Outcome::Open => "fail",
    }
}

fn print_results(
    args: &Args,
    synth: &SynthArgs,
    text: &str,
    tasks: &[Task],
    solved: &[Solved],
    out: &mut Output,
) -> Exit {
    let worst = solved.iter().map(|solved| solved.outcome).max().unwrap_or(Outcome::Open);
    let exit = match worst {
        Outcome::Solved => Exit::Done,
        Outcome::Infeasible => Exit::Violated,
        Outcome::Open => Exit::Open,
    };
    if args.json {
        let functions = tasks.iter().zip(solved).map(|(task, solved)| document(task, solved)).collect();
        out.json(&SynthDoc { outcome: name(worst), functions });
        return exit;
    }
    if synth.c {
        for (task, solved) in tasks.iter().zip(solved) {
            if let Err(why) = print_c(task, solved, out) {
                let message = format!("`{}` cannot be written in C: {why}", task.problem.name);
                return out.failure(&load::failure(message, "leave out --c"));
            }
        }
        return exit;
    }
    if worst != Outcome::Solved {
        out.line(name(worst));
        for (task, solved) in tasks.iter().zip(solved) {
            print_open(text, task, solved, out);
        }
        return exit;
    }
    out.line("(");
    for (task, answer) in tasks.iter().zip(solved.iter().filter_map(|solved| solved.ranked.best())) {
        out.line(&sygus::define_fun(&task.problem, &answer.expr));
    }
    out.line(")");
    exit
}

/// Why there is no answer, and the best that there is, in comments.
fn print_open(text: &str, task: &Task, solved: &Solved, out: &mut Output) {
    if solved.outcome == Outcome::Solved {
        return;
    }
    out.line(&format!("; {}: {}", task.problem.name, solved.why()));
    if solved.outcome == Outcome::Infeasible
        && let Some((a, b)) = task.problem.examples.contradiction()
    {
        let line = |at: usize| sygus::Diagnostic::new(task.examples[at], "").place(text).0;
        out.line(&format!("; the constraints on lines {} and {} contradict each other", line(a), line(b)));
    }
    if let Some(Answer { expr, satisfied, .. }) = solved.ranked.best() {
        out.line(&format!("; best effort, {satisfied} of {} examples:", solved.ranked.examples));
        out.line(&format!("; {}", sygus::define_fun(&task.problem, expr)));
    }
}

fn print_c(task: &Task, solved: &Solved, out: &mut Output) -> Result<(), c_print::Refusal> {
    let Some(answer) = solved.ranked.best() else {
        out.line(&format!("/* {}: {} */", task.problem.name, solved.why()));
        return Ok(());
    };
    let text = c_print::function(&task.problem, &answer.expr)?;
    if solved.outcome != Outcome::Solved {
        let (satisfied, examples) = (answer.satisfied, solved.ranked.examples);
        out.line(&format!("/* best effort, {satisfied} of {examples} examples: {} */", solved.why()));
    }
    out.text(&text);
    Ok(())
}

fn document(task: &Task, solved: &Solved) -> FunctionDoc {
    let best = solved.ranked.best();
    FunctionDoc {
        name: task.problem.name.clone(),
        outcome: name(solved.outcome),
        definition: best.map(|answer| sygus::define_fun(&task.problem, &answer.expr)),
        c: best.and_then(|answer| c_print::function(&task.problem, &answer.expr).ok()),
        satisfied: best.map_or(0, |answer| answer.satisfied),
        examples: solved.ranked.examples,
        size: best.map_or(0, |answer| answer.size),
        candidates: solved.ranked.effort.candidates,
    }
}
