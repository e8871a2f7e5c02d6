//! Bench: guided simulation on the bundled examples. For each, the time until the bug of the `-DBUG` variant is found, for
//! three seeds, and the speed on the correct variant, where the search never ends by itself.
//!
//! The exit code is 1 when a bug is not found in time, or a correct program is said to be wrong.

use plumb_c::diag::{Diagnostics, render};
use plumb_c::driver::{FrontOptions, load_program};
use plumb_c::preprocess::{MacroFlag, PreprocessOptions};
use plumb_c::source::SourceMap;
use plumb_engine::board::Board;
use plumb_engine::simulate::{SimulateOptions, simulate};
use plumb_engine::{Answer, Budget, Cancel};
use plumb_evidence::replay;
use plumb_ir::analysis::Analyses;
use plumb_ir::program::Program;
use plumb_ir::property::PropertySet;
use plumb_ir::{PrepareOptions, prepare};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const EXAMPLES: [(&str, &[&str]); 4] = [
    ("cruise", &["cruise.c"]),
    ("elevator", &["elevator.c"]),
    ("charger", &["charger.c", "bench.c"]),
    ("traffic", &["traffic.c"]),
];
const SEEDS: [u64; 3] = [0, 1, 2];
const LIMIT: Duration = Duration::from_secs(120);
/// How long the speed on a correct program is measured.
const MEASURED: Duration = Duration::from_secs(5);
const MEMORY: u64 = 1 << 30;

fn main() -> ExitCode {
    let mut is_good = true;
    println!("{:10}{:>30}{:>16}{:>14}", "example", "seconds to the bug, by seed", "M steps/s", "branches");
    for (name, files) in EXAMPLES {
        match example(name, files) {
            Ok(line) => println!("{line}"),
            Err(complaint) => {
                eprintln!("{name}: {complaint}");
                is_good = false;
            }
        }
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn example(name: &str, files: &[&str]) -> Result<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let files: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    let buggy = load(&files, vec![MacroFlag::Define("BUG".to_string())])?;
    let mut times = String::new();
    for seed in SEEDS {
        let (answer, time) = search(&buggy, seed, LIMIT);
        let Answer::Violated(violation) = answer else {
            return Err(format!("the bug is not found in {LIMIT:?} with seed {seed}"));
        };
        replay(&buggy, &violation, &budget(LIMIT)).map_err(|error| error.to_string())?;
        times += &format!("{:10.2}", time.as_secs_f64());
    }
    let correct = load(&files, Vec::new())?;
    let (answer, time) = search(&correct, SEEDS[0], MEASURED);
    let explored = match answer {
        Answer::Unknown(unknown) => unknown.explored,
        Answer::Violated(_) | Answer::Holds(..) => return Err(format!("the correct program: {answer:?}")),
    };
    let speed = explored.steps as f64 / time.as_secs_f64() / 1e6;
    let branches = format!("{}/{}", explored.branches, explored.all_branches);
    Ok(format!("{name:10}{times}{speed:16.1}{branches:>14}"))
}

fn search(program: &Program, seed: u64, limit: Duration) -> (Answer, Duration) {
    let start = Instant::now();
    let options = SimulateOptions { seed, yields_processor: false };
    (simulate(&Analyses::new(program), &options, &budget(limit), &Board::default(), &()), start.elapsed())
}

fn budget(limit: Duration) -> Budget {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Budget { deadline: Some(Instant::now() + limit), memory: MEMORY, threads, cancel: Cancel::new() }
}

fn load(files: &[PathBuf], macros: Vec<MacroFlag>) -> Result<Program, String> {
    let preprocess = PreprocessOptions { macros, ..PreprocessOptions::default() };
    let options = FrontOptions { preprocess, library: Some(plumb_ir::library::source), ..FrontOptions::default() };
    let rendered =
        |diags: &Diagnostics, sources: &SourceMap| diags.iter().map(|d| render(d, sources, false)).collect::<String>();
    let loaded = load_program(files, &options).map_err(|failed| rendered(&failed.diags, &failed.sources))?;
    let mut diags = Diagnostics::new();
    let prepared = prepare(&loaded.hir, &PropertySet::default(), &PrepareOptions::default(), &mut diags);
    prepared.ok_or_else(|| rendered(&diags, &loaded.hir.sources))
}
