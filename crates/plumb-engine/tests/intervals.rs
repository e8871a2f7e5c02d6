//! Oracle: what runs hold in their registers lies in the sets of the interval analysis.
//!
//! The bundled cases and examples are run with random inputs and stopped at the heads of loops.

mod common;

use common::program;
use plumb_exec::{CompileOptions, Image, Limits, Machine, Outcome, ProbeId, SeedInputs, StopSet, TracePhase};
use plumb_ir::analysis::Analyses;
use plumb_ir::analysis::loops::Loops;
use plumb_ir::index::TiVec;
use plumb_ir::program::{Callee, FuncId, Loc, Op, Program, VarRef};
use plumb_ir::ty::{Bits, Ty};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const RUNS: u64 = 12;
const STOPS: u32 = 400;
const STEPS: u64 = 200_000;

/// The integer registers of a function and of the program.
fn registers(program: &Program, func: FuncId) -> Vec<VarRef> {
    let is_number = |ty: Ty| matches!(ty, Ty::Int(width) if width <= 64);
    let locals = program.function(func).vars.iter_enumerated().filter(|(_, v)| is_number(v.ty));
    let globals = program.vars.iter_enumerated().filter(|(_, v)| is_number(v.ty));
    let locals = locals.map(|(var, _)| VarRef::Local(var));
    locals.chain(globals.map(|(var, _)| VarRef::Global(var))).collect()
}

fn read(machine: &Machine, var: VarRef) -> Option<Bits> {
    match var {
        VarRef::Global(var) => Some(machine.global(var)),
        VarRef::Local(var) => machine.local(var),
    }
}

/// How many values were compared.
fn compare(program: &Program, file: &Path) -> u64 {
    let analyses = Analyses::new(program);
    let Some(intervals) = analyses.intervals() else { return 0 };
    let heads: TiVec<ProbeId, (FuncId, Loc)> = program
        .function_ids()
        .flat_map(|func| Loops::of(program.function(func)).loops.into_iter().map(move |one| (func, one.head)))
        .collect();
    let options = CompileOptions { probes: heads.clone(), ..CompileOptions::default() };
    let Ok(image) = Image::compile(program, &options) else { return 0 };
    let image = Arc::new(image);
    let stops = StopSet::all(&image);
    let mut machine = Machine::new(image);
    let start = machine.snapshot();
    let mut compared = 0;
    for seed in 0..RUNS {
        machine.restore(&start);
        let mut inputs = SeedInputs::new(seed);
        for _ in 0..STOPS {
            let Outcome::Probe(id) = machine.run_until(&mut inputs, Limits::steps(STEPS), &stops) else { break };
            let (func, head) = heads[id];
            assert!(intervals.is_reached(func, head), "{}: a head that is reached", file.display());
            for var in registers(program, func) {
                let (Some(set), Some(bits)) = (intervals.at(func, head, var), read(&machine, var)) else { continue };
                // A register that nobody has written yet may hold anything above its width.
                let bits = Bits::new(bits.u128(), set.width);
                let name = &program.function(func).name;
                assert!(set.contains(bits), "{}: {var:?} of {name} is {bits:?}, not in {set:?}", file.display());
                compared += 1;
            }
        }
    }
    compared
}

/// What calls return is in the set of the function's results. How many were compared.
fn compare_results(program: &Program, file: &Path) -> u64 {
    let analyses = Analyses::new(program);
    let Some(intervals) = analyses.intervals() else { return 0 };
    let options = CompileOptions { trace: true, ..CompileOptions::default() };
    let Ok(image) = Image::compile(program, &options) else { return 0 };
    let image = Arc::new(image);
    let mut compared = 0;
    for seed in 0..RUNS / 4 {
        let mut machine = Machine::new(image.clone());
        let limits = Limits::steps(STEPS / 20);
        machine.run_traced(&mut SeedInputs::new(seed), limits, &StopSet::default(), &mut |event| {
            let op = &program.function(event.func).edge(event.edge).op;
            let (Op::Call { to: Some(to), callee: Callee::Direct(callee), .. }, TracePhase::Done) = (op, event.phase)
            else {
                return;
            };
            let (Some(set), Some(bits)) = (intervals.result(*callee), read(event.machine, *to)) else { return };
            let name = &program.function(*callee).name;
            assert!(set.contains(bits), "{}: {name} returns {bits:?}, not in {set:?}", file.display());
            compared += 1;
        });
    }
    compared
}

/// Deep expressions make deep recursion: the command line gives it a stack like this.
const STACK: usize = 256 << 20;

#[test]
fn values_of_runs_are_in_their_sets() {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(compare_all).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn compare_all() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut compared, mut results) = (0, 0);
    for area in ["check", "symbolic", "run", "library"] {
        let folder = root.join("tests/cases").join(area);
        let Ok(files) = std::fs::read_dir(&folder) else { continue };
        let mut files: Vec<PathBuf> = files.filter_map(|f| Some(f.ok()?.path())).collect();
        files.retain(|f| f.extension().is_some_and(|e| e == "c"));
        files.sort();
        for file in files {
            if let Some(program) = program(file.clone()) {
                compared += compare(&program, &file);
                results += compare_results(&program, &file);
            }
        }
    }
    assert!(compared > 10_000 && results > 10_000, "only {compared} values, {results} results");
}
