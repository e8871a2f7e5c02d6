//! Bench: the front end against gcc's. Parsing, typing and lowering a file of 150,000 preprocessed lines may take four
//! times what `gcc -fsyntax-only -w` takes on the same file, side by side, best of three.
//!
//! `PLUMB_BENCH_SOURCE` names a preprocessed file for --arch 64 (the sqlite amalgamation, say); otherwise the bench
//! writes a program of its own. The exit code is 1 when the limit is passed.

#[path = "../../tests/oracle/mod.rs"]
mod oracle;

mod synthetic;

use oracle::{Arch, TempDir, run};
use plumb_c::diag::Diagnostics;
use plumb_c::names::Names;
use plumb_c::source::SourceMap;
use plumb_c::target::Target;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

const LIMIT: f64 = 4.0;
const REPEAT: usize = 3;
/// As much as the driver gives the front end.
const STACK: usize = 1 << 30;

/// Times of the phases of one run.
#[derive(Clone, Copy)]
struct Phases {
    parse: Duration,
    check: Duration,
    lower: Duration,
}

impl Phases {
    fn total(self) -> Duration {
        self.parse + self.check + self.lower
    }
}

fn main() -> ExitCode {
    let dir = TempDir::new("frontend");
    let file = match std::env::var_os("PLUMB_BENCH_SOURCE") {
        Some(path) => PathBuf::from(path),
        None => dir.write("synthetic.i", synthetic::program(150_000)),
    };
    let text = match std::fs::read(&file) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            return ExitCode::FAILURE;
        }
    };
    let lines = text.lines().count();
    let worker = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || (0..REPEAT).map(|_| front_end(&text)).collect::<Result<Vec<Phases>, String>>());
    let runs = worker.expect("threads can be started").join();
    let best = match runs {
        Ok(Ok(runs)) => runs.into_iter().min_by_key(|p| p.total()).expect("the bench repeats at least once"),
        Ok(Err(complaint)) => {
            eprintln!("{}: {complaint}", file.display());
            return ExitCode::FAILURE;
        }
        Err(_) => return ExitCode::FAILURE,
    };
    let ours = best.total();
    println!("{} lines: parse {:?}, check {:?}, lower {:?}", lines, best.parse, best.check, best.lower);
    println!("plumb {:.3} s, {:.0} lines/s", ours.as_secs_f64(), lines as f64 / ours.as_secs_f64());
    let Some(theirs) = gcc_time(&file) else {
        println!("gcc is missing or rejects the file: nothing to compare with");
        return ExitCode::SUCCESS;
    };
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    println!("gcc -fsyntax-only {:.3} s, ratio {ratio:.2} (limit {LIMIT})", theirs.as_secs_f64());
    if ratio <= LIMIT { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn front_end(text: &str) -> Result<Phases, String> {
    let mut names = Names::new();
    let mut diagnostics = Diagnostics::new();
    let target = Target::LP64;

    let start = Instant::now();
    let mut sources = SourceMap::new();
    let library_text = plumb_ir::library::all(&target);
    let (Ok(library), Ok(unit)) = (sources.add("library.c", library_text), sources.add("bench.i", text.to_string()))
    else {
        return Err("the source is too large".to_string());
    };
    let library = plumb_c::parse::parse_unit(&sources.units()[library], &mut names, &mut diagnostics);
    let unit = plumb_c::parse::parse_unit(&sources.units()[unit], &mut names, &mut diagnostics);
    let parse = start.elapsed();

    let start = Instant::now();
    let sources = Arc::new(sources);
    let program = plumb_c::sema::check(&[unit], Some(&library), sources.clone(), names, target, &mut diagnostics);
    let check = start.elapsed();

    let start = Instant::now();
    let lowered = program.as_ref().and_then(|program| {
        let options = plumb_ir::lower::LowerOptions { entry_optional: true, ..Default::default() };
        plumb_ir::lower::lower(program, &options, &plumb_ir::property::PropertySet::none(), &mut diagnostics)
    });
    let lower = start.elapsed();
    match lowered {
        Some(_) => Ok(Phases { parse, check, lower }),
        None => {
            let first = diagnostics.iter().next().map(|d| plumb_c::diag::render(d, &sources, false));
            Err(first.unwrap_or_else(|| "no program and no diagnostic".to_string()))
        }
    }
}

/// The best time of gcc's syntax check.
fn gcc_time(file: &Path) -> Option<Duration> {
    if !oracle::exists("gcc") {
        return None;
    }
    let mut best: Option<Duration> = None;
    for _ in 0..REPEAT {
        let mut command = oracle::gcc(Arch::Lp64);
        command.arg("-fsyntax-only").arg(file);
        let done = run(&mut command, Duration::from_secs(300));
        if !done.success() {
            return None;
        }
        best = Some(best.map_or(done.elapsed, |b| b.min(done.elapsed)));
    }
    best
}
