//! A slice breaks the checks that the program breaks, and what it breaks the program breaks unless something that was
//! removed keeps it from getting there.

use crate::run::{Listed, Run, is_cut_off, run};
use plumb_exec::{InputSource, InputValue, Outcome, RegionFill, SeedInputs};
use plumb_ir::analysis::Analyses;
use plumb_ir::check::CheckId;
use plumb_ir::derive::path_program::path_program;
use plumb_ir::derive::slice::slice;
use plumb_ir::derive::{Derived, Runs};
use plumb_ir::input::{InputId, InputSite};
use plumb_ir::program::{EdgeId, FuncId, Op, Program};
use plumb_ir::ty::Bits;
use plumb_ir::verify::verify;
use std::collections::HashSet;

const LONGEST_PATH: usize = 1000;

#[derive(Default, Debug)]
pub struct Counts {
    /// Runs of the original whose counterparts in the slice were compared.
    pub runs: u64,
    pub broken: u64,
    /// Runs of slices that broke a check, and the check broke at home.
    pub home: u64,
    /// The original did not get as far, as the slice says it may not.
    pub kept_from: u64,
    pub same: u64,
    pub derived_twice: u64,
    pub slices: u64,
    pub edges: u64,
    pub edges_kept: u64,
}

pub fn check(program: &Program, seed: u64, counts: &mut Counts) {
    let analyses = Analyses::new(program);
    let whole = sliced(&analyses, &|_| true, counts);
    for round in 0..6 {
        let original = run(program, &mut SeedInputs::new(seed * 8 + round));
        forth(program, &whole, &original, seed, counts);
        if let Outcome::CheckFailed { check, .. } = original.outcome {
            let of_one = sliced(&analyses, &|wanted: CheckId| wanted == check, counts);
            forth(program, &of_one, &original, seed, counts);
            back(program, &of_one, seed * 64 + round, counts);
        }
        back(program, &whole, seed * 64 + round, counts);
    }
}

fn sliced(analyses: &Analyses, wanted: &dyn Fn(CheckId) -> bool, counts: &mut Counts) -> Sliced {
    let derived = slice(analyses, wanted);
    assert_eq!(verify(&derived.program), Vec::<String>::new());
    let program = analyses.program();
    let functions = derived.program.function_ids();
    let of = |id: FuncId| derived.provenance.functions[id].edges.iter().filter_map(|edge| edge.original());
    // Returns stay whether they matter or not.
    let matters = |&(func, edge): &(FuncId, EdgeId)| !matches!(program.function(func).edge(edge).op, Op::Return(_));
    let kept: HashSet<_> = functions.flat_map(of).filter(matters).collect();
    counts.slices += 1;
    counts.same += (derived.provenance.runs == Runs::Same) as u64;
    counts.edges += program.functions.iter().map(|f| f.edges.len() as u64).sum::<u64>();
    counts.edges_kept += kept.len() as u64;
    Sliced { derived, kept }
}

struct Sliced {
    derived: Derived,
    kept: HashSet<(FuncId, EdgeId)>,
}

impl Sliced {
    fn kept_part(&self, path: impl Iterator<Item = (FuncId, EdgeId)>) -> Vec<(FuncId, EdgeId)> {
        path.filter(|edge| self.kept.contains(edge)).collect()
    }

    fn home(&self, run: &Run) -> Vec<(FuncId, EdgeId)> {
        let home = run.path.iter().filter_map(|&(func, edge)| self.derived.provenance.edge(func, edge).original());
        self.kept_part(home)
    }
}

/// A run of the original has its counterpart in the slice.
fn forth(program: &Program, sliced: &Sliced, original: &Run, seed: u64, counts: &mut Counts) {
    if is_cut_off(&original.outcome) || matches!(original.outcome, Outcome::Fault { .. }) {
        return;
    }
    let kept = original.inputs.iter().filter(|given| sliced.kept.contains(&given.at));
    let mut listed = Listed::new(kept.map(|given| (given.id, given.value.clone())).collect());
    let counterpart = run(&sliced.derived.program, &mut listed);
    let context = || format!("seed {seed}: {:?}, {:?}, {:?}", counterpart.outcome, original.outcome, listed.astray);
    let expected = sliced.kept_part(original.path.iter().copied());
    let got = sliced.home(&counterpart);
    if got != expected {
        let at = got.iter().zip(&expected).position(|(a, b)| a != b);
        let place = at.map(|at| program.function(expected[at].0).name.clone());
        panic!("{} at {at:?} in {place:?} of {} and {}", context(), got.len(), expected.len());
    }
    let same = match (&original.outcome, &counterpart.outcome) {
        (Outcome::CheckFailed { check, .. }, Outcome::CheckFailed { check: broken, .. }) => {
            counts.broken += 1;
            sliced.derived.provenance.check(*broken).original() == Some(*check)
        }
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    assert!(same, "{}", context());
    counts.runs += 1;
    path_of_slice(sliced, &counterpart, seed, counts);
}

/// What is derived twice maps home through both: the path program of a slice's run.
fn path_of_slice(sliced: &Sliced, run_of_slice: &Run, seed: u64, counts: &mut Counts) {
    if run_of_slice.path.len() > LONGEST_PATH {
        return;
    }
    let path = path_program(&sliced.derived.program, &run_of_slice.path).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let along = run(&path.program, &mut Listed::new(run_of_slice.values()));
    let provenance = path.provenance.after(&sliced.derived.provenance);
    let home = along.path.iter().filter_map(|&(func, edge)| provenance.edge(func, edge).original());
    assert_eq!(sliced.kept_part(home), sliced.home(run_of_slice), "seed {seed}");
    let expected = match sliced.derived.provenance.runs {
        Runs::Same => Runs::Fewer,
        Runs::More | Runs::Fewer | Runs::Unrelated => Runs::Unrelated,
    };
    assert_eq!(provenance.runs, expected);
    counts.derived_twice += 1;
}

/// Answers the inputs of a slice's run where the slice has kept them, and zeros elsewhere.
struct Filled<'a> {
    listed: Listed,
    kept: &'a HashSet<InputId>,
}

impl InputSource for Filled<'_> {
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        if self.kept.contains(&id) { self.listed.scalar(id, site) } else { Some(Bits::ZERO) }
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        if self.kept.contains(&id) { self.listed.region(id, site, size) } else { Some(RegionFill::Zero) }
    }
}

/// The inputs that are asked for by kept edges only; `None` if one is asked for by others as well.
fn kept_inputs(program: &Program, sliced: &Sliced) -> Option<HashSet<InputId>> {
    let (mut kept, mut removed) = (HashSet::new(), HashSet::new());
    for func in program.function_ids() {
        let function = program.function(func);
        for edge in function.edge_ids() {
            if let Op::Havoc { input, .. } = function.edge(edge).op {
                let list = if sliced.kept.contains(&(func, edge)) { &mut kept } else { &mut removed };
                list.insert(input);
            }
        }
    }
    kept.is_disjoint(&removed).then_some(kept)
}

/// A run of the slice that breaks a check has its counterpart at home, or something keeps the original from getting
/// there.
fn back(program: &Program, sliced: &Sliced, seed: u64, counts: &mut Counts) {
    let derived_run = run(&sliced.derived.program, &mut SeedInputs::new(seed));
    let Outcome::CheckFailed { check, .. } = derived_run.outcome else { return };
    let Some(kept) = kept_inputs(program, sliced) else { return };
    let home: Vec<(InputId, InputValue)> = sliced.derived.provenance.inputs_home(&derived_run.values());
    let original = run(program, &mut Filled { listed: Listed::new(home), kept: &kept });
    let expected = sliced.derived.provenance.check(check).original();
    match original.outcome {
        Outcome::CheckFailed { check, .. } if Some(check) == expected => {
            assert_eq!(sliced.kept_part(original.path.iter().copied()), sliced.home(&derived_run), "seed {seed}");
            counts.home += 1;
        }
        // A fault, a limit, or a check that the slice does not have.
        Outcome::Fault { .. } | Outcome::StepLimit | Outcome::CheckFailed { .. }
            if sliced.derived.provenance.runs == Runs::More =>
        {
            let part = sliced.kept_part(original.path.iter().copied());
            assert!(sliced.home(&derived_run).starts_with(&part), "seed {seed}");
            counts.kept_from += 1;
        }
        Outcome::StepLimit => {}
        other => panic!("seed {seed}: {:?} in the slice, {other:?} at home", derived_run.outcome),
    }
}
