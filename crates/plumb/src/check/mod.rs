//! `plumb check`: whether the program can break its properties.
//!
//! ```text
//!   vacuous     programs that have nothing to check
//!   interrupt   Ctrl-C
//!   progress    the line on a terminal
//!   verdict     what answers are called
//!   files       evidence that is written
//!   tell        text and JSON
//!   threads     how many there is room for
//! ```
//!
//! An engine's violation is a claim. It becomes FALSE when a run from scratch has broken the same check. Claims that do not
//! replay end in the portfolio, which goes on with other engines; one that comes as far as here is a defect of ours, and
//! the answer is UNKNOWN.

pub mod files;
pub mod interrupt;
mod progress;
mod tell;
pub mod threads;
mod vacuous;
pub mod verdict;

use crate::args::{Args, CheckArgs, EngineChoice, LoopBound};
use crate::load::{self, Needs, Wanted};
use crate::report::{Exit, Failure, Output, at, span_of};
use crate::stats::Statistics;
use crate::validate;
use crate::watchdog::{EVIDENCE, LastWord, Watchdog};
use plumb_c::diag::Diagnostic;
use plumb_c::source::{Place, Span};
use plumb_engine::Assumed;
use plumb_engine::engine::Options;
use plumb_engine::portfolio::portfolio;
use plumb_engine::registry::Registry;
use plumb_engine::{AbstractTree, Answer, Budget, Cancel, Explored, OpenChoice, Proof, Unknown, Violation, WhyUnknown};
use plumb_evidence::{
    Counterexample, NotReplayed, Replay, Style, Validation, certificate, in_c, minimise, replay, validate_certificate,
};
use plumb_exec::input_file;
use plumb_ir::analysis::loops::LoopKey;
use plumb_ir::analysis::loops::{LoopId, Loops, place_of};
use plumb_ir::check::CheckId;
use plumb_ir::program::Program;
use progress::Line;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tell::{Evidence, Finding, Report, Size, Times};
use vacuous::{Vacuous, vacuous};

pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(900);

pub fn check(args: &Args, check: &CheckArgs, out: &mut Output) -> Exit {
    let start = Instant::now();
    let statistics = (check.stats || check.stats_json.is_some()).then(Statistics::install);
    let cancel = Cancel::new();
    let late = format!("the program was not read within the timeout of {} s", timeout(args).as_secs_f64());
    let late = LastWord::of(args.json, |out| tell::open(args.json, &late, out));
    let watchdog = Watchdog::start(start.checked_add(timeout(args)), cancel.clone(), late);
    let report = examine(args, check, start, cancel, &watchdog, out);
    watchdog.dismiss();
    if let Some(statistics) = statistics
        && let Err(failure) = tell_statistics(args, check, &statistics, out)
    {
        return out.failure(&failure);
    }
    match report {
        Ok(report) => report.tell(args.json, out),
        Err(failure) => out.failure(&failure),
    }
}

/// Statistics go before the answer: the last line is the verdict.
fn tell_statistics(args: &Args, check: &CheckArgs, statistics: &Statistics, out: &mut Output) -> Result<(), Failure> {
    let summary = statistics.summary();
    // The one JSON document has no room for lines.
    if check.stats && !args.json {
        summary.lines().iter().for_each(|line| out.line(line));
    }
    if let Some(file) = &check.stats_json {
        let text = serde_json::to_string_pretty(&summary).unwrap_or_default() + "\n";
        std::fs::write(file, text).map_err(|error| {
            let message = format!("cannot write {}: {error}", file.display());
            Failure::of(Diagnostic::error(Span::NONE, message).help("name a file in a directory that exists"))
        })?;
    }
    Ok(())
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
    let program = load::instrumented(args, &wanted, Needs { promotion: true, entry: true }, out)?;
    let mut times = Times { load: start.elapsed(), ..Times::default() };
    let style = Style { color: args.color_results, full: check.full_trace };
    if let Some(how) = vacuous(args, &wanted, &program)? {
        let holds = |why: &str| {
            let written = files::write_proof(check, &wanted, &program, None);
            Finding::Holds { why: why.to_string(), assumed: BTreeSet::new(), written }
        };
        let finding = match how {
            Vacuous::Holds => holds("no function of the program has what must not be reached"),
            Vacuous::Uncalled => holds("no function that a run can get to has what must not be reached"),
            Vacuous::Constant => holds("every assertion of the program is constant, or where no run gets to"),
            Vacuous::Wraps => holds("signed overflow is defined to wrap wherever the program has arithmetic"),
            Vacuous::Unseen => Finding::Open("the program has nothing that the chosen checks look at".to_string()),
        };
        return Ok(Report { program, finding, explored: None, times, style });
    }
    let timeout = timeout(args);
    interrupt::cancel_on_signal(&cancel);
    let threads = threads::threads(check.threads, args.memory, out);
    let budget = Budget { deadline: start.checked_add(timeout), memory: args.memory, threads, cancel };
    let late = why_unknown(&WhyUnknown::Timeout, &program, timeout, args.memory);
    watchdog.update(LastWord::of(args.json, |out| tell::open(args.json, &late, out)));
    let strict = load::is_strict(args, &program);
    let unwind_loops = loop_bounds(&check.unwind_loop, &program)?;
    let options = Options { strict, unwind: check.unwind, unwind_loops, ..Options::default() };
    let line = Arc::new(Line::new());
    // Who wants a proof checked leaves time for it.
    let searching = match check.validated {
        true => Budget { deadline: start.checked_add(timeout / 3 * 2), ..budget.clone() },
        false => budget.clone(),
    };
    let answer = search(check, options, &program, &searching, line.clone());
    times.search = start.elapsed() - times.load;
    let (finding, explored) = match answer {
        Answer::Holds(proof, assumed) => {
            if !check.validated {
                let why = why_it_holds(&proof);
                let finding = Finding::Holds { why, assumed: assumed.clone(), written: Vec::new() };
                let brief = Report { program: program.clone(), finding, explored: None, times, style };
                watchdog.update(LastWord::of(args.json, |out| brief.tell(args.json, out)));
            }
            (holds(args, check, &wanted, &program, (&proof, assumed), &budget, &line), line.explored())
        }
        Answer::Unknown(Unknown { why, explored }) => {
            // An engine that was left behind has not told what it saw; its last report has.
            let explored = Some(explored).filter(|e| *e != Explored::default()).or(line.explored());
            (Finding::Open(why_unknown(&why, &program, timeout, args.memory)), explored)
        }
        Answer::Violated(claim) => {
            (confirm(args, check, &wanted, &program, &claim, &budget, &line, watchdog), line.explored())
        }
    };
    line.end();
    times.evidence = start.elapsed() - times.load - times.search;
    Ok(Report { program, finding, explored, times, style })
}

/// The loops that bounds are meant for.
fn loop_bounds(bounds: &[LoopBound], program: &Program) -> Result<Vec<(LoopKey, u32)>, Failure> {
    let mut found = Vec::new();
    for bound in bounds {
        let before = found.len();
        for func in program.function_ids() {
            let function = program.function(func);
            let loops = Loops::of(function);
            for (i, one) in loops.loops.iter().enumerate() {
                let is_meant = |place: Place| {
                    place.line == bound.line
                        && bound.file.as_ref().is_none_or(|file| Path::new(&*place.file).ends_with(file))
                };
                if place_of(program, function, one.head).is_some_and(is_meant) {
                    found.push(((func, LoopId(i as u32)), bound.turns));
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

fn search(check: &CheckArgs, options: Options, program: &Program, budget: &Budget, line: Arc<Line>) -> Answer {
    let (engines, parameter) = match &check.engine {
        EngineChoice::Auto => (Registry::standard().default_run(), None),
        EngineChoice::One(engine, parameter) => (vec![*engine], *parameter),
    };
    let options =
        Options { seed: check.seed, order: check.order, parameter, no_exchange: check.no_exchange, ..options };
    portfolio(program, &engines, &options, budget, line)
}

/// What it may take to tell a run turn by turn. A longer one is told as a whole.
const TELLING: Duration = Duration::from_secs(5);
/// Violations with more steps than this are told as they were found: trying others would take too long.
const LONG_RUN: u64 = 100_000_000;

/// Makes evidence of a claim, or says that it is none.
#[allow(clippy::too_many_arguments)]
fn confirm(
    args: &Args,
    check: &CheckArgs,
    wanted: &Wanted,
    program: &Program,
    claim: &Violation,
    budget: &Budget,
    line: &Line,
    watchdog: &Watchdog,
) -> Finding {
    // Evidence gets a little time beyond the deadline: a claim that nobody can replay is worth nothing.
    let end = budget.deadline.map(|end| end.max(Instant::now() + EVIDENCE));
    let budget = &Budget { deadline: end, ..budget.clone() };
    let property = |replay: &Replay| verdict::property(program.check(replay.check).kind, wanted);
    let replayed = |replay: &Replay| {
        let word = |out: &mut Output| tell::replayed(args.json, program, property(replay), replay, out);
        watchdog.update(LastWord::of(args.json, word));
    };
    let made = evidence(check, program, claim, budget, &replayed, line);
    match made {
        Ok(mut evidence) => {
            line.phase("writing evidence");
            evidence.written = files::write(args, check, wanted, program, &evidence.replay, budget);
            Finding::Violated(property(&evidence.replay), Box::new(evidence))
        }
        Err(why @ NotReplayed::OutOfTime) => {
            let place = at(&program.sources, program.check(claim.check).span);
            Finding::Open(format!("a violation was found{place}, but {why}"))
        }
        Err(why) => {
            let check = program.check(claim.check);
            let place = at(&program.sources, check.span);
            Finding::Open(format!(
                "internal error: the engine claims that a check is broken ({}{place}), but {why}; this is a defect of \
                 Plumb, please report it with the source",
                check.message
            ))
        }
    }
}

/// Replays a claim and makes the most of it, keeping some of the time for telling it.
fn evidence(
    check: &CheckArgs,
    program: &Program,
    claim: &Violation,
    budget: &Budget,
    watch: &dyn Fn(&Replay),
    line: &Line,
) -> Result<Evidence, NotReplayed> {
    line.phase("replaying a violation");
    // Ctrl-C is about the search, and about what follows this run.
    let mut replayed = replay(program, claim, &Budget { cancel: Cancel::new(), ..budget.clone() })?;
    watch(&replayed);
    let mut size = Size { found: replayed.inputs.len(), changes: None };
    let can_shrink = !replayed.inputs.is_empty() && replayed.steps <= LONG_RUN;
    if !check.minimise.is_zero() && can_shrink {
        line.phase("making the counterexample smaller");
        let end = Instant::now().checked_add(check.minimise);
        let latest = budget.deadline.and_then(|end| end.checked_sub(EVIDENCE / 2));
        let deadline = [latest, end].into_iter().flatten().min();
        let minimised = minimise(program, &replayed, &Budget { deadline, ..budget.clone() })?;
        size.changes = Some((minimised.changes_before, minimised.changes));
        replayed = minimised.replay;
    }
    line.phase("telling the counterexample");
    let latest = budget.deadline.and_then(|end| end.checked_sub(EVIDENCE / 4));
    let end = Instant::now().checked_add(TELLING);
    let deadline = [latest, end].into_iter().flatten().min();
    let counterexample = Counterexample::new(program, &replayed, &Budget { deadline, ..budget.clone() })?;
    Ok(Evidence { replay: replayed, size, counterexample, written: Vec::new() })
}

/// Tells a proof, and writes what it rests on.
fn holds(
    args: &Args,
    check: &CheckArgs,
    wanted: &Wanted,
    program: &Program,
    (proof, assumed): (&Proof, BTreeSet<Assumed>),
    budget: &Budget,
    line: &Line,
) -> Finding {
    let mut why = why_it_holds(proof);
    if let (true, Proof::Abstraction { tree, .. }) = (check.verbose, proof) {
        why += &predicates(program, tree);
    }
    if check.validated {
        line.phase("validating the proof");
        match confirmed(args, wanted, program, proof, budget) {
            Ok(how) => {
                let _ = write!(why, "\nvalidated: {how}");
            }
            Err(not) => return Finding::Open(format!("a proof was found ({why}), but the validator {not}")),
        }
    }
    let written = files::write_proof(check, wanted, program, Some(proof));
    Finding::Holds { why, assumed, written }
}

/// How the validator confirms a proof, or what it says otherwise.
fn confirmed(
    args: &Args,
    wanted: &Wanted,
    program: &Program,
    proof: &Proof,
    budget: &Budget,
) -> Result<String, String> {
    let validation = validate::examined(args, wanted, program, |subject| {
        let text = certificate(program, Some(proof), subject.task);
        validate_certificate(subject, &text, budget)
    })?;
    match validation {
        Validation::Confirmed(how) => Ok(how),
        Validation::Rejected(why) => Err(format!("does not accept it: {why}")),
        Validation::Unknown(why) => Err(format!("came to no end: {why}")),
    }
}

/// The predicates that a proof rests on, by loop.
fn predicates(program: &Program, tree: &AbstractTree) -> String {
    let mut text = String::new();
    for (place, list) in in_c(program, &tree.predicates) {
        let place = place.map_or_else(String::new, |place| format!(" at {}:{}", place.file, place.line));
        for predicate in list {
            let _ = write!(text, "\n    predicate of the loop{place}: {predicate}");
        }
    }
    text
}

fn why_it_holds(proof: &Proof) -> String {
    match proof {
        Proof::OnlyRun { steps } => {
            format!("the program asks for no input, and its only run of {steps} steps breaks no check")
        }
        Proof::Induction { k: 0, .. } => {
            "every turn of every loop that begins in what was shown of it breaks no check".to_string()
        }
        Proof::Induction { k, .. } => {
            format!("no check breaks after {k} turns of a loop in which none did (k-induction)")
        }
        Proof::Abstraction { tree, invariants } => {
            let told = match invariants {
                Some(_) => "",
                None => "; no invariants can be told of them, the exhausted tree is the evidence",
            };
            format!(
                "no abstract path breaks a check: {} abstract states at loop heads, {} paths, {} refinements, {} \
                 predicates{told}",
                tree.states,
                tree.paths,
                tree.refinements,
                tree.predicates.loops.iter().map(|l| l.facts.len()).sum::<usize>()
            )
        }
        Proof::Bounded { bound, steps } => format!(
            "no run turns a loop further than what was unrolled (bound {bound}, {steps} symbolic steps), and none breaks a \
             check"
        ),
    }
}

fn why_unknown(why: &WhyUnknown, program: &Program, timeout: Duration, memory: u64) -> String {
    match why {
        WhyUnknown::Timeout => format!("no violation was found within the timeout of {} s", timeout.as_secs_f64()),
        WhyUnknown::OutOfMemory => format!("the search would need more than {} MiB (--memory)", memory >> 20),
        WhyUnknown::Cancelled => "the search was interrupted".to_string(),
        WhyUnknown::Unsupported(check) => {
            let info = program.check(*check);
            let place = at(&program.sources, info.span);
            format!("no violation was found, and some runs end at what is not modelled: {}{place}", info.message)
        }
        WhyUnknown::LooseModel(input) => {
            let origin = input_file::origin_text(&program.input(*input).origin);
            format!("a violation was found only with a value of {origin} that real libraries need not return")
        }
        WhyUnknown::NotReplayed(check, choice) => not_replayed(program, *check, *choice),
        WhyUnknown::Addresses => {
            "the only run breaks no check, but may go another way where objects lie elsewhere in memory or the library \
             is another"
                .to_string()
        }
        WhyUnknown::Bound(bound) => {
            format!("no run breaks a check within the bound of {bound} turns, but some go further (--unwind)")
        }
        WhyUnknown::Faults(site) => {
            let place = site.map_or(String::new(), |site| at(&program.sources, span_of(program, site)));
            format!(
                "no check is broken, but some runs may end by undefined behaviour{place}, such as an access outside of \
                 objects or a division by zero, or use memory in a way that is not modelled"
            )
        }
        WhyUnknown::Recursion(func) => {
            format!("calls of `{}` go ever deeper; recursion is not abstracted", program.function(*func).name)
        }
        WhyUnknown::NotInductive(k) => format!("induction up to depth {k} shows nothing"),
        WhyUnknown::Endless => {
            "memory that is lost in runs which never end is not looked for, so that induction proves nothing"
                .to_string()
        }
        WhyUnknown::Solver(why) => why.clone(),
        WhyUnknown::Fault(kind, site) => {
            let place = at(&program.sources, span_of(program, *site));
            format!("the program asks for no input, and its run ends in a fault that no check looks for: {kind}{place}")
        }
        WhyUnknown::CannotRun(why) => format!("the program cannot be run: {why}"),
    }
}

/// A model of a solver breaks a check, and no run of the machine does.
fn not_replayed(program: &Program, check: CheckId, choice: Option<OpenChoice>) -> String {
    let info = program.check(check);
    let place = at(&program.sources, info.span);
    let rests_on = match choice {
        Some(OpenChoice::Addresses) => {
            "where objects lie at other addresses than on the concrete machine, which C leaves open"
        }
        Some(OpenChoice::NanPattern) => {
            "where an operation gives a NaN of another sign or payload than on the concrete machine, which C leaves open"
        }
        Some(OpenChoice::Unassigned) => "with a value of a variable that nobody has assigned",
        None => {
            return format!(
                "internal error: an engine's model breaks a check ({}{place}) but does not replay on the concrete \
                 machine; this is a defect of Plumb, please report it with the source",
                info.message
            );
        }
    };
    format!("a violation ({}{place}) was found only {rests_on}; the run of its inputs there breaks none", info.message)
}
