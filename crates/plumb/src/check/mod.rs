//! `plumb check`: whether the program can break its properties.
//!
//! ```text
//!   vacuous     programs that have nothing to check
//!   interrupt   Ctrl-C
//!   progress    the line on a terminal
//!   confirm     an engine's answer, replayed or validated
//!   verdict     what broken properties are called
//!   files       evidence that is written
//!   summaries   function summaries that are written
//!   print_report  text and JSON
//!   threads     how many there is room for
//! ```
//!
//! All of it goes into one [`Report`], which is rendered at the end.

mod confirm;
pub mod files;
pub mod interrupt;
mod print_report;
mod progress;
mod summaries;
pub mod threads;
pub mod vacuous;
pub mod verdict;

use crate::args::{Args, CheckArgs, EngineChoice, LoopBound, SummaryArgs};
use crate::load::{self, Needs, Wanted};
use crate::report::{Exit, Failure, Output};
use crate::stats::Listener;
use crate::watchdog::{LastWord, Watchdog};
use confirm::Job;
use plumb_c::diag::Diagnostic;
use plumb_c::source::{Place, Span};
use plumb_engine::engine::{Options, SummaryOptions};
use plumb_engine::host::peak_bytes;
use plumb_engine::portfolio::{Outcome, portfolio};
use plumb_engine::registry::Registry;
use plumb_engine::summary::cache::Cache;
use plumb_engine::summary::export::Exported;
use plumb_engine::{Answer, Budget, Cancel, Explored, Unknown, WhyUnknown};
use plumb_evidence::report::{Cause, Finding, Limits, Statistics, Times, View, assumptions};
use plumb_evidence::{Report, Style};
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::analysis::loops::{Loops, place_of};
use plumb_ir::program::Program;
use print_report::{Form, print_report};
use progress::Line;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vacuous::{Vacuous, vacuous};

pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(900);

pub fn check(args: &Args, check: &CheckArgs, out: &mut Output) -> Exit {
    let start = Instant::now();
    let listener = (check.stats || check.stats_json.is_some()).then(Listener::install);
    let cancel = Cancel::new();
    let form = form(args, check);
    let not_read = Report::of(Finding::unknown(Cause::NotRead { timeout: timeout(args) }));
    let watchdog = Watchdog::start(start.checked_add(timeout(args)), cancel.clone(), last_word(&not_read, form));
    let report = examine(args, check, start, cancel, &watchdog, out);
    watchdog.dismiss();
    if let Some(bytes) = peak_bytes() {
        tracing::info!(max_bytes = bytes);
    }
    let statistics = listener.map(|listener| listener.statistics());
    if let (Some(statistics), Some(file)) = (&statistics, &check.stats_json)
        && let Err(failure) = write_statistics(statistics, file)
    {
        return out.failure(&failure);
    }
    match report {
        Ok(report) => print_report(&Report { statistics, ..report }, form, out),
        Err(failure) => out.failure(&failure),
    }
}

fn write_statistics(statistics: &Statistics, file: &Path) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(statistics).expect("names as keys, and numbers") + "\n";
    std::fs::write(file, text).map_err(|error| {
        let message = format!("cannot write {}: {error}", file.display());
        Failure::of(Diagnostic::error(Span::NONE, message).help("name a file in a directory that exists"))
    })
}

fn form(args: &Args, check: &CheckArgs) -> Form {
    let style = Style { color: args.color_results, full: check.full_trace };
    match args.json {
        true => Form::Json,
        false => Form::Text(View { style, statistics: check.stats }),
    }
}

/// What is reported if the time is over before more is known.
fn last_word(report: &Report, form: Form) -> LastWord {
    LastWord::of(matches!(form, Form::Json), |out| print_report(report, form, out))
}

fn timeout(args: &Args) -> Duration {
    args.timeout.unwrap_or(DEFAULT_TIMEOUT)
}

fn examine(
    args: &Args,
    check: &CheckArgs,
    start: Instant,
    cancel: Cancel,
    watchdog: &Watchdog,
    out: &Output,
) -> Result<Report, Failure> {
    let wanted = Wanted::new(args)?;
    check.summaries.summaries.as_deref().map_or(Ok(()), summaries::prepare)?;
    let program = {
        let _span = tracing::info_span!("front end").entered();
        load::instrumented(args, &wanted, Needs { promotion: true, entry: true }, out)?
    };
    let assumptions = assumptions(&program);
    let mut times = Times { load: start.elapsed(), ..Times::default() };
    interrupt::cancel_on_signal(&cancel);
    let threads = threads::threads(check.threads, args.memory, out);
    let limits = Limits { timeout: timeout(args), memory: args.memory };
    let budget = Budget { deadline: start.checked_add(limits.timeout), memory: args.memory, threads, cancel };
    let unwind_loops = loop_bounds(&check.unwind_loop, &program)?;
    let line = Arc::new(Line::new());
    let job = Job { args, check, wanted: &wanted, program: &program, line: &line };
    if let Some(how) = vacuous(args, &wanted, &program)? {
        let finding = nothing_to_search(how, &job, &budget);
        return Ok(Report { seconds: Some(times), assumptions, ..Report::of(finding) });
    }
    let base = |finding| Report { assumptions: assumptions.clone(), ..Report::of(finding) };
    let known = |report: &Report| watchdog.update(last_word(report, form(args, check)));
    known(&base(Finding::unknown(Cause::of(&WhyUnknown::Timeout, &program, &limits))));
    let strict = load::is_strict(args, &program);
    let options = Options { strict, unwind: check.unwind, unwind_loops, ..Options::default() };
    // Who wants a proof checked leaves time for it.
    let searching = match check.validated {
        true => Budget { deadline: start.checked_add(limits.timeout / 3 * 2), ..budget.clone() },
        false => budget.clone(),
    };
    let Outcome { answer, engine } = search(check, options, &program, &searching, line.clone(), out);
    times.search = start.elapsed() - times.load;
    let _span = tracing::info_span!("evidence").entered();
    let base = move |finding| Report { engine: engine.map(str::to_string), seconds: Some(times), ..base(finding) };
    let (finding, explored) = match answer {
        Answer::Holds(proof, assumed) => {
            (job.proof(&proof, &assumed, &budget, |brief| known(&base(brief))), line.explored())
        }
        Answer::Unknown(Unknown { why, explored }) => {
            // An engine that was left behind has not reported what it saw; its last report has.
            let explored = Some(explored).filter(|e| *e != Explored::default()).or(line.explored());
            (Finding::unknown(Cause::of(&why, &program, &limits)), explored)
        }
        Answer::Violated(claim) => (job.violation(&claim, &budget, |brief| known(&base(brief))), line.explored()),
    };
    line.end();
    times.evidence = start.elapsed() - times.load - times.search;
    Ok(Report { explored, seconds: Some(times), ..base(finding) })
}

/// The answer for a program that has nothing to search for.
fn nothing_to_search(how: Vacuous, job: &Job, budget: &Budget) -> Finding {
    let because = match how {
        Vacuous::Holds => "no function of the program contains an error location",
        Vacuous::Uncalled => "no reachable function contains an error location",
        Vacuous::Constant => "every assertion of the program is constant or unreachable",
        Vacuous::Wraps => "signed overflow is defined to wrap wherever the program has arithmetic",
        Vacuous::Unseen => return Finding::unknown(Cause::NothingToCheck),
    };
    job.nothing_to_break(because, budget)
}

/// The loops that bounds are meant for.
fn loop_bounds(bounds: &[LoopBound], program: &Program) -> Result<Vec<(LoopKey, u32)>, Failure> {
    let mut found = Vec::new();
    for bound in bounds {
        let before = found.len();
        for func in program.function_ids() {
            let function = program.function(func);
            let loops = Loops::of(function);
            for (id, one) in loops.loops.iter_enumerated() {
                let is_meant = |place: Place| {
                    place.line == bound.line
                        && bound.file.as_ref().is_none_or(|file| Path::new(&*place.file).ends_with(file))
                };
                if place_of(program, function, one.head).is_some_and(is_meant) {
                    found.push(((func, id), bound.iterations));
                }
            }
        }
        if found.len() == before {
            let file = bound.file.as_ref().map(|file| format!(" of {file}")).unwrap_or_default();
            let message = format!("there is no loop on line {}{file}", bound.line);
            let help = "name the line where the loop begins";
            return Err(Failure::of(Diagnostic::error(Span::NONE, message).help(help)));
        }
    }
    Ok(found)
}

fn summary_options(args: &SummaryArgs) -> SummaryOptions {
    SummaryOptions {
        concrete_filter: args.alarm_filter == "concrete",
        ignore_output_coverage: args.no_output_coverage,
        cache: if args.no_cache { None } else { Cache::of_user() },
        export: args.summaries.is_some().then(Exported::default),
    }
}

fn search(
    check: &CheckArgs,
    options: Options,
    program: &Program,
    budget: &Budget,
    line: Arc<Line>,
    out: &Output,
) -> Outcome {
    let (engines, parameter) = match &check.engine {
        EngineChoice::Auto => (Registry::standard().default_run(), None),
        EngineChoice::One(engine, parameter) => (vec![*engine], *parameter),
    };
    let options = Options {
        seed: check.seed,
        order: check.order,
        parameter,
        no_exchange: check.no_exchange,
        summaries: summary_options(&check.summaries),
        ..options
    };
    let outcome = portfolio(program, &engines, &options, budget, line);
    if let (Some(folder), Some(exported)) = (&check.summaries.summaries, &options.summaries.export) {
        summaries::write(folder, exported, out);
    }
    outcome
}
