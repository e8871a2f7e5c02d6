//! Oracle: fuzzing. Mutated C goes through lexer, parser, type checker and lowering in this process, and what survives
//! through the checks, promotion and the concrete machine. Whatever the input, the phases end soon and return
//! diagnostics or a result: a panic, a hang, a stack overflow or a malformed automaton is our bug.
//!
//! A panicking input is reduced and kept. The input of each worker is on disk while it runs, so that one that kills the
//! process is found there too. Longer runs: `PLUMB_FUZZ_SECONDS` (default 5), `PLUMB_FUZZ_SEED`, `PLUMB_FUZZ_SEEDS` (a
//! folder of further C files to mutate).

#[path = "../oracle/mod.rs"]
mod oracle;

mod mutate;
mod seeds;

use oracle::{Random, env_number, keep, say};
use plumb_c::diag::Diagnostics;
use plumb_c::names::Names;
use plumb_c::source::SourceMap;
use plumb_c::target::Target;
use plumb_exec::{CompileOptions, Image, Limits, Machine, SeedInputs};
use plumb_ir::lower::LowerOptions;
use plumb_ir::program::Program;
use plumb_ir::property::{CheckSelection, PropertySet};
use plumb_ir::verify::verify;
use plumb_ir::{PrepareOptions, prepare};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const HANG: Duration = Duration::from_secs(10);
/// As much as the driver gives the front end.
const STACK: usize = 1 << 30;

/// How far inputs got: fuzzing that only ever meets the first syntax error tests little.
static PARSED: AtomicUsize = AtomicUsize::new(0);
static TYPED: AtomicUsize = AtomicUsize::new(0);

/// What the watchdog sees of a worker.
#[derive(Default)]
struct Worker {
    current: Mutex<Option<(Instant, String)>>,
}

/// One input for each place that panicked.
type Panics = BTreeMap<String, String>;

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

#[test]
fn mutated_c_never_breaks_the_front_end() {
    let seeds = seeds::all();
    let seconds = env_number("PLUMB_FUZZ_SECONDS", 5);
    let first_seed = env_number("PLUMB_FUZZ_SEED", 1);
    let end = Instant::now() + Duration::from_secs(seconds);
    let count = std::thread::available_parallelism().map_or(1, |n| n.get());
    let workers: Vec<Worker> = (0..count).map(|_| Worker::default()).collect();
    let inputs = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let panics: Mutex<Panics> = Mutex::default();
    let ordinary_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |l| format!("{}:{}: ", l.file(), l.line()));
        let text = info.payload_as_str().unwrap_or("a panic without a message");
        LAST_PANIC.with(|last| *last.borrow_mut() = format!("{place}{text}"));
    }));
    std::thread::scope(|scope| {
        for (index, worker) in workers.iter().enumerate() {
            let (seeds, inputs, stop, panics) = (&seeds, &inputs, &stop, &panics);
            let body = move || {
                let mut random = Random::new(first_seed.wrapping_mul(7919).wrapping_add(index as u64));
                while Instant::now() < end && !stop.load(Ordering::Relaxed) {
                    let input = mutate::mutate(&mut random, seeds);
                    let _ = std::fs::write(scratch(index), &input);
                    set(worker, Some((Instant::now(), input.clone())));
                    if let Some(message) = panic_of(&input) {
                        let place = place_of(&message);
                        let known = panics.lock().is_ok_and(|p| p.contains_key(&place));
                        if !known {
                            let reduced = reduce(worker, &input, &place);
                            if let Ok(mut panics) = panics.lock() {
                                panics.insert(place, format!("/* {message} */\n{reduced}"));
                            }
                        }
                    }
                    set(worker, None);
                    inputs.fetch_add(1, Ordering::Relaxed);
                }
            };
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body).expect("threads can be started");
        }
        while Instant::now() < end {
            std::thread::sleep(Duration::from_millis(100));
            if let Some(input) = workers.iter().find_map(hanging) {
                // A hung thread cannot be stopped, so the process ends here.
                say(format!("hangs: {}", keep("fuzz-hang.c", input).display()));
                std::process::exit(1);
            }
        }
    });
    std::panic::set_hook(ordinary_hook);
    for index in 0..count {
        let _ = std::fs::remove_file(scratch(index));
    }
    let inputs = inputs.into_inner();
    let panics = panics.into_inner().expect("workers do not panic outside of the front end");
    for (number, (place, input)) in panics.iter().enumerate() {
        say(format!("panics: {place}: {}", keep(&format!("fuzz-panic-{number}.c"), input).display()));
    }
    let (parsed, typed) = (PARSED.load(Ordering::Relaxed), TYPED.load(Ordering::Relaxed));
    let rate = inputs as u64 / seconds.max(1);
    say(format!("fuzz: {inputs} inputs in {seconds} s, {rate} a second; {parsed} parse, {typed} type-check"));
    assert!(panics.is_empty(), "{} places panic", panics.len());
}

/// The whole pipeline on one text, for a data model chosen by the text so that both are met.
fn pipeline(text: &str) {
    let target = if text.len().is_multiple_of(2) { Target::LP64 } else { Target::ILP32 };
    let mut sources = SourceMap::new();
    let Ok(unit) = sources.add("fuzz.c", text.to_string()) else {
        return;
    };
    let mut names = Names::new();
    let mut diagnostics = Diagnostics::new();
    let tree = plumb_c::parse::parse_unit(&sources.units()[unit], &mut names, &mut diagnostics);
    if diagnostics.has_errors() {
        return;
    }
    PARSED.fetch_add(1, Ordering::Relaxed);
    let sources = Arc::new(sources);
    let Some(program) = plumb_c::sema::check(&[tree], None, sources, names, target, &mut diagnostics) else {
        return;
    };
    TYPED.fetch_add(1, Ordering::Relaxed);
    let options = LowerOptions { volatile_inputs: true, ..LowerOptions::default() };
    let options = PrepareOptions { lowering: options, promotion: true, ..PrepareOptions::default() };
    if let Some(program) = prepare(&program, &every_check(), &options, &mut diagnostics) {
        behind_the_front_end(&program);
    }
}

fn every_check() -> PropertySet {
    let mut properties = PropertySet::default();
    if let Ok(all) = CheckSelection::parse("all,unsigned-overflow,conversion") {
        properties.checks.add_all(all);
    }
    properties
}

/// Verifies and runs a little: a program that the front end lets through must be one that the rest can bear.
fn behind_the_front_end(program: &Program) {
    let broken = verify(program);
    assert!(broken.is_empty(), "malformed automata: {}", broken[0]);
    if let Ok(image) = Image::compile(program, &CompileOptions::default()) {
        let limits = Limits { memory: 1 << 26, ..Limits::steps(20_000) };
        Machine::new(Arc::new(image)).run(&mut SeedInputs::new(1), limits);
    }
}

fn panic_of(text: &str) -> Option<String> {
    let result = catch_unwind(AssertUnwindSafe(|| pipeline(text)));
    result.err().map(|_| LAST_PANIC.with(|last| last.take()))
}

/// The file and line of a panic's message, which tell one bug from another.
fn place_of(message: &str) -> String {
    message.split(": ").next().unwrap_or(message).to_string()
}

/// Removes ever smaller pieces while the same place panics.
fn reduce(worker: &Worker, input: &str, place: &str) -> String {
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut parts: Vec<String> = mutate::tokens(input).into_iter().map(str::to_string).collect();
    let mut piece = parts.len() / 2;
    while piece > 0 && Instant::now() < deadline {
        let mut at = 0;
        while at < parts.len() && Instant::now() < deadline {
            let end = (at + piece).min(parts.len());
            let candidate: String = parts[..at].iter().chain(&parts[end..]).map(String::as_str).collect();
            set(worker, Some((Instant::now(), candidate.clone())));
            if panic_of(&candidate).is_some_and(|message| place_of(&message) == place) {
                parts.drain(at..end);
            } else {
                at = end;
            }
        }
        piece /= 2;
    }
    parts.concat()
}

fn set(worker: &Worker, state: Option<(Instant, String)>) {
    *worker.current.lock().expect("the lock is held for assignments only") = state;
}

fn hanging(worker: &Worker) -> Option<String> {
    let current = worker.current.lock().expect("the lock is held for assignments only");
    current.as_ref().filter(|(since, _)| since.elapsed() > HANG).map(|(_, input)| input.clone())
}

fn scratch(worker: usize) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-current-{worker}.c"))
}
