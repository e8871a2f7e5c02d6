//! Bench: snapshots of the concrete machine. Search will branch from millions of them, so for a program with a megabyte
//! of live state, taking a snapshot, changing one page and going back may take 20 microseconds in all.
//!
//! The exit code is 1 when it takes longer, or when going back does not bring the old state back.

use plumb_c::diag::Diagnostics;
use plumb_c::names::Names;
use plumb_c::source::SourceMap;
use plumb_c::target::Target;
use plumb_exec::{CompileOptions, Image, Limits, Machine, Outcome, ZeroInputs};
use plumb_ir::lower::{LowerOptions, lower};
use plumb_ir::property::PropertySet;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Fills a megabyte, then changes one byte of one page per round. A global counts the rounds.
const PROGRAM: &str = "
    static unsigned char state[1 << 20];
    static unsigned rounds;
    int main(void) {
        for (unsigned i = 0; i < sizeof state; i++) state[i] = (unsigned char)(i * 7 + 1);
        for (;;) {
            state[(rounds * 5003u) % sizeof state]++;
            rounds++;
        }
    }
";
const FILL_STEPS: u64 = 8 << 20;
const CYCLES: u32 = 20_000;
const LIMIT: Duration = Duration::from_micros(20);

fn main() -> ExitCode {
    let image = match compile() {
        Ok(image) => image,
        Err(complaint) => {
            eprintln!("{complaint}");
            return ExitCode::FAILURE;
        }
    };
    let mut machine = Machine::new(image);
    if machine.run(&mut ZeroInputs, Limits::steps(FILL_STEPS)) != Outcome::StepLimit {
        eprintln!("the program ends although it should not");
        return ExitCode::FAILURE;
    }
    let steps = machine.steps();
    let mut only_snapshots = Duration::ZERO;
    let start = Instant::now();
    for _ in 0..CYCLES {
        let before = Instant::now();
        let snapshot = machine.snapshot();
        let taken = Instant::now();
        // A round is a handful of edges, and a run ends at the first jump after its steps.
        machine.run(&mut ZeroInputs, Limits::steps(1));
        let changed = Instant::now();
        machine.restore(&snapshot);
        only_snapshots += (taken - before) + changed.elapsed();
    }
    let cycle = start.elapsed() / CYCLES;
    println!("snapshot and restore: {:?}; with one page changed between them: {cycle:?}", only_snapshots / CYCLES);
    if machine.steps() != steps {
        eprintln!("going back left {} steps, not {steps}", machine.steps());
        return ExitCode::FAILURE;
    }
    if cycle <= LIMIT { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn compile() -> Result<Arc<Image>, String> {
    let mut sources = SourceMap::new();
    sources.add("snapshot.c", PROGRAM.to_string()).map_err(|_| "the program is too large")?;
    let sources = Arc::new(sources);
    let (mut names, mut diagnostics) = (Names::new(), Diagnostics::new());
    let unit = plumb_c::parse::parse_unit(&sources.units()[0], &mut names, &mut diagnostics);
    let checked = plumb_c::sema::check(&[unit], None, sources.clone(), names, Target::LP64, &mut diagnostics);
    let (options, properties) = (LowerOptions::default(), PropertySet::none());
    let program =
        checked.and_then(|checked| lower(&checked, &options, &properties, &mut diagnostics)).ok_or_else(|| {
            diagnostics.iter().map(|d| plumb_c::diag::render(d, &sources, false)).collect::<Vec<_>>().concat()
        })?;
    let image = Image::compile(&program, &CompileOptions::default()).map_err(|error| error.to_string())?;
    Ok(Arc::new(image))
}
