//! Bench: how formula construction grows with the bound, on a loop of constant body. A table of symbolic steps, terms, bytes and
//! time for 10 to 40,000 iterations.
//!
//! The exit code is 1 when the cost of an iteration grows with the bound. Where the terms outgrow the processor's caches an iteration gets
//! dearer once, about twofold; the last rows, which are beyond that, tell whether it goes on.

use plumb_c::diag::{Diagnostics, render};
use plumb_c::driver::{FrontOptions, load_program};
use plumb_c::source::SourceMap;
use plumb_engine::unroll::{Pause, Unroller};
use plumb_engine::{Budget, Cancel};
use plumb_ir::analysis::Analyses;
use plumb_ir::program::Program;
use plumb_ir::property::PropertySet;
use plumb_ir::{PrepareOptions, prepare};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const BOUNDS: [u32; 6] = [10, 100, 1_000, 10_000, 20_000, 40_000];
/// What an iteration may cost more than with the bound before. Small bounds are measured with the program's own size in them, and
/// times with noise.
const MOST_GROWTH: f64 = 1.4;
/// The same for the time of bounds up to which the caches may be outgrown.
const WITH_CACHES: f64 = 2.5;
const CACHED: u32 = 10_000;
/// Shorter times are noise.
const SHORTEST: Duration = Duration::from_millis(2);

struct Row {
    steps: u64,
    terms: usize,
    bytes: usize,
    time: Duration,
}

fn main() -> ExitCode {
    let program = match load() {
        Ok(program) => program,
        Err(complaint) => {
            eprintln!("{complaint}");
            return ExitCode::FAILURE;
        }
    };
    println!("{:>12}{:>12}{:>12}{:>14}{:>12}", "iterations", "steps", "terms", "bytes", "ms");
    let mut is_good = true;
    let mut last: Option<(u32, Row)> = None;
    for bound in BOUNDS {
        let row = unroll(&program, bound);
        let milliseconds = row.time.as_secs_f64() * 1e3;
        println!("{bound:12}{:12}{:12}{:14}{milliseconds:12.2}", row.steps, row.terms, row.bytes);
        if let Some((before, last)) = &last {
            let factor = bound as f64 / *before as f64;
            let bytes = row.bytes as f64 / last.bytes as f64 / factor;
            let time = row.time.as_secs_f64() / last.time.max(SHORTEST).as_secs_f64() / factor;
            if bytes > MOST_GROWTH || time > if bound <= CACHED { WITH_CACHES } else { MOST_GROWTH } {
                eprintln!("{bound} iterations: each takes {bytes:.1} times the memory and {time:.1} times the time");
                is_good = false;
            }
        }
        last = Some((bound, row));
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The best of some unrollings.
fn unroll(program: &Program, bound: u32) -> Row {
    let once = || {
        let budget = Budget { deadline: None, memory: u64::MAX, threads: 1, cancel: Cancel::new() };
        let analyses = Analyses::new(program);
        let mut unroller = Unroller::new(&analyses);
        let started = Instant::now();
        assert_eq!(unroller.unroll(bound, &budget), Pause::Bound);
        let (time, terms) = (started.elapsed(), &unroller.sym.terms);
        Row { steps: unroller.seen.steps, terms: terms.len(), bytes: terms.heap_bytes(), time }
    };
    let rows = [once(), once(), once()];
    rows.into_iter().min_by_key(|row| row.time).unwrap_or_else(once)
}

fn load() -> Result<Program, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/unroll/controller.c");
    let options = FrontOptions { library: Some(plumb_ir::library::source), ..FrontOptions::default() };
    let rendered =
        |diags: &Diagnostics, sources: &SourceMap| diags.iter().map(|d| render(d, sources, false)).collect::<String>();
    let loaded = load_program(&[file], &options).map_err(|failed| rendered(&failed.diags, &failed.sources))?;
    let mut diags = Diagnostics::new();
    let prepared = prepare(&loaded.hir, &PropertySet::default(), &PrepareOptions::default(), &mut diags);
    prepared.ok_or_else(|| rendered(&diags, &loaded.hir.sources))
}
