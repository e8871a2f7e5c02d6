//! A unit breaks a check of a case exactly where the values that the machine has before and after the call break the case.

use crate::formula;
use crate::globals::Globals;
use crate::observed::{Observed, arguments, result};
use crate::run::{self, is_cut_off, run_observed};
use plumb_contract::{Contract, Unit, unit_of};
use plumb_exec::{Machine, Outcome, Rng, SeedInputs, TracePhase};
use plumb_ir::analysis::Analyses;
use plumb_ir::program::{Callee, Op, Program};
use plumb_ir::verify::verify;

#[derive(Default, Debug)]
pub struct Counts {
    pub units: u64,
    pub refused: u64,
    /// Calls that keep the contract, and those that do not.
    pub kept: u64,
    pub broken: u64,
    /// Runs that end before the call returns.
    pub ended: u64,
}

pub fn check(program: &Program, seed: u64, counts: &mut Counts) {
    let analyses = Analyses::new(program);
    let mut rng = Rng(seed);
    for func in analyses.resolved_calls().reachable(program.start) {
        if func == program.start || Some(func) == program.entry {
            continue;
        }
        let Some(contract) = formula::contract(&analyses, func, &mut rng) else {
            counts.refused += 1;
            continue;
        };
        // A contract that promises nothing for the calls inside, so that they go on.
        let inner = Contract { cases: Vec::new(), ..contract.clone() };
        let Ok(unit) = unit_of(&analyses, &contract, &[inner]) else {
            counts.refused += 1;
            continue;
        };
        assert_eq!(verify(&unit.derived.program), Vec::<String>::new());
        counts.units += 1;
        for round in 0..6 {
            call(&unit, &contract, seed * 16 + round, counts);
        }
    }
}

fn call(unit: &Unit, contract: &Contract, seed: u64, counts: &mut Counts) {
    let program = &unit.derived.program;
    let mut entry = None;
    let mut observed: Option<Observed> = None;
    let mut machine = Machine::new(run::image(program));
    let run = run_observed(&mut machine, &mut SeedInputs::new(seed), run::STEPS, &mut |event, _| {
        let at = (event.func, event.edge);
        let Op::Call { to, callee: Callee::Direct(callee), .. } = program.function(at.0).edge(at.1).op else { return };
        if callee != unit.body || at.0 != program.start {
            return;
        }
        match event.phase {
            TracePhase::Call => {
                entry = Some((arguments(program, event.machine, at), Globals::of(program, event.machine)));
            }
            TracePhase::Done => {
                let (args, before) = entry.take().expect("it has begun");
                let after = Globals::of(program, event.machine);
                observed = Some(Observed { args, before, after, result: result(event.machine, to) });
            }
        }
    });
    let Some(observed) = observed.filter(|_| !is_cut_off(&run.outcome)) else {
        counts.ended += 1;
        return;
    };
    let name = &program.function(contract.func).name;
    let expected = observed.broken_case(contract).expect("a unit has its arguments in registers");
    let failed = match run.outcome {
        Outcome::CheckFailed { check, .. } => unit.checks.iter().find(|one| one.check == check).map(|one| one.of),
        _ => None,
    };
    match (expected, failed) {
        (None, None) => {
            assert!(matches!(run.outcome, Outcome::Exited { .. }), "seed {seed}, {name}: {:?}", run.outcome);
            counts.kept += 1;
        }
        (Some(case), Some(Some((broken, _)))) => {
            assert_eq!(case, broken, "seed {seed}, {name}");
            counts.broken += 1;
        }
        (expected, failed) => panic!("seed {seed}, {name}: {expected:?}, {failed:?}, {:?}", run.outcome),
    }
}
