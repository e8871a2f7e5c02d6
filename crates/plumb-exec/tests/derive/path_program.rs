//! A path program runs along its path, and only runs of the original do.

use crate::run::{Listed, Run, is_cut_off, run};
use plumb_exec::{Outcome, Rng, SeedInputs};
use plumb_ir::derive::Derived;
use plumb_ir::derive::path_program::path_program;
use plumb_ir::program::{Callee, EdgeId, FuncId, Op, Program};
use plumb_ir::verify::verify;

#[derive(Default, Debug)]
pub struct Counts {
    /// Paths that the same inputs lead along.
    pub along: u64,
    pub checks_broken: u64,
    /// Runs with other inputs that came to the end of the path, and ended in the same way at home.
    pub home: u64,
    pub stepped_over: u64,
    pub edges: u64,
}

const LONGEST: usize = 1500;

pub fn check(program: &Program, seed: u64, counts: &mut Counts) {
    let mut rng = Rng(seed);
    for round in 0..4 {
        let original = run(program, &mut SeedInputs::new(seed * 8 + round));
        let longest = original.path.len().min(LONGEST);
        let mut length = if round == 0 { longest } else { rng.below(longest as u64 + 1) as usize };
        // A call at the end of a path is one that the path steps over.
        while length > 0 && length < original.path.len() && runs_callee(program, original.path[length - 1]) {
            length -= 1;
        }
        let whole = &original.path[..length];
        let path = match round % 2 {
            0 => whole.to_vec(),
            _ => stepping_over(program, whole, &mut rng, counts),
        };
        let derived = path_program(program, &path).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(verify(&derived.program), Vec::<String>::new());
        counts.edges += path.len() as u64;
        along(program, &derived, &original, whole, seed, counts);
        for other in 0..4 {
            home(program, &derived, seed * 64 + other, counts);
        }
    }
}

fn runs_callee(program: &Program, (func, edge): (FuncId, EdgeId)) -> bool {
    matches!(program.function(func).edge(edge).op, Op::Call { callee: Callee::Direct(_) | Callee::Indirect(_), .. })
}

/// Leaves out what some of the calls do that return on the path.
fn stepping_over(
    program: &Program,
    path: &[(FuncId, EdgeId)],
    rng: &mut Rng,
    counts: &mut Counts,
) -> Vec<(FuncId, EdgeId)> {
    let returns = |(func, edge): (FuncId, EdgeId)| matches!(program.function(func).edge(edge).op, Op::Return(_));
    let mut result = Vec::new();
    let mut at = 0;
    while at < path.len() {
        result.push(path[at]);
        at += 1;
        if !runs_callee(program, path[at - 1]) || rng.below(2) == 0 {
            continue;
        }
        let mut depth = 1;
        let mut end = at;
        while end < path.len() && depth > 0 {
            depth += runs_callee(program, path[end]) as i32;
            depth -= returns(path[end]) as i32;
            end += 1;
        }
        // One that is still running cannot be stepped over.
        if depth == 0 && end < path.len() {
            at = end;
            counts.stepped_over += 1;
        }
    }
    result
}

/// The edges of a run at home.
fn edges_home(derived: &Derived, run: &Run) -> Vec<(FuncId, EdgeId)> {
    run.path.iter().filter_map(|&(func, edge)| derived.provenance.edge(func, edge).original()).collect()
}

/// The path of a run. A fault in the condition of a branch is told of the first of its edges, of which the derived
/// program may have only the other: both stand for the location here.
fn settled(program: &Program, mut path: Vec<(FuncId, EdgeId)>, outcome: &Outcome) -> Vec<(FuncId, EdgeId)> {
    if let (Outcome::Fault { .. }, Some((func, edge))) = (outcome, path.last_mut()) {
        let function = program.function(*func);
        *edge = function.out_edges(function.edge(*edge).from).next().unwrap_or(*edge);
    }
    path
}

/// The inputs that the path was made of lead along it.
fn along(
    program: &Program,
    derived: &Derived,
    original: &Run,
    path: &[(FuncId, EdgeId)],
    seed: u64,
    counts: &mut Counts,
) {
    let is_whole = path.len() == original.path.len();
    let run = run(&derived.program, &mut Listed::new(original.values()));
    let edges = edges_home(derived, &run);
    let (edges, path) = (settled(program, edges, &run.outcome), settled(program, path.to_vec(), &run.outcome));
    assert_eq!(edges, path, "seed {seed}: {:?} for {:?}", run.outcome, original.outcome);
    if is_whole {
        if let Outcome::CheckFailed { check, .. } = original.outcome {
            let Outcome::CheckFailed { check: broken, .. } = run.outcome else {
                panic!("seed {seed}: {:?}", run.outcome)
            };
            assert_eq!(derived.provenance.check(broken).original(), Some(check));
            counts.checks_broken += 1;
        }
    } else {
        assert!(matches!(run.outcome, Outcome::Stopped { .. }), "seed {seed}: {:?}", run.outcome);
    }
    counts.along += 1;
}

/// Whatever inputs lead along the path lead along it at home.
fn home(program: &Program, derived: &Derived, seed: u64, counts: &mut Counts) {
    let derived_run = run(&derived.program, &mut SeedInputs::new(seed));
    if matches!(derived_run.outcome, Outcome::AssumptionFailed(_)) || is_cut_off(&derived_run.outcome) {
        return;
    }
    let inputs = derived.provenance.inputs_home(&derived_run.values());
    let original = run(program, &mut Listed::new(inputs));
    let edges = settled(program, edges_home(derived, &derived_run), &derived_run.outcome);
    let path = settled(program, original.path, &original.outcome);
    assert!(path.starts_with(&edges), "seed {seed}: {:?}, {:?}", derived_run.outcome, original.outcome);
    if let Outcome::CheckFailed { check, .. } = derived_run.outcome {
        let Outcome::CheckFailed { check: broken, .. } = original.outcome else { panic!("{:?}", original.outcome) };
        assert_eq!(derived.provenance.check(check).original(), Some(broken));
    }
    counts.home += 1;
}
