//! A unit breaks a check of a case exactly where the values that the machine has before and after the call break the case.

use crate::formula;
use crate::observed::{Observed, begin, end};
use crate::run::{self, is_cut_off, run_observed};
use plumb_contract::{Atom, Cell, Contract, Unit, unit_of};
use plumb_exec::{InputSource, Machine, Outcome, RegionFill, Rng, SeedInputs, TracePhase};
use plumb_ir::analysis::Analyses;
use plumb_ir::input::{InputId, InputOrigin, InputSite};
use plumb_ir::program::{Callee, Op, Program};
use plumb_ir::ty::{Bits, Ty};
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
    /// Calls that were compared about what pointers to objects of callers point to.
    pub behind: u64,
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

pub fn speaks_of_pointees(contract: &Contract) -> bool {
    contract.symbols.iter().any(|symbol| matches!(symbol.atom, Atom::Exit(Cell::Pointee(..))))
}

/// Numbers by chance, small ones where they choose what an argument points to: few are possible.
struct SmallChoices {
    others: SeedInputs,
    rng: Rng,
}

impl InputSource for SmallChoices {
    fn scalar(&mut self, id: InputId, site: &InputSite) -> Option<Bits> {
        match (&site.origin, site.cty, site.ty) {
            (InputOrigin::EntryArgument(..), None, Some(Ty::Int(32))) => Some(Bits::new(self.rng.below(4) as u128, 32)),
            _ => self.others.scalar(id, site),
        }
    }

    fn region(&mut self, id: InputId, site: &InputSite, size: u64) -> Option<RegionFill> {
        self.others.region(id, site, size)
    }
}

fn call(unit: &Unit, contract: &Contract, seed: u64, counts: &mut Counts) {
    let program = &unit.derived.program;
    let mut entry = None;
    let mut observed: Option<Observed> = None;
    let mut machine = Machine::new(run::image(program));
    let mut inputs = SmallChoices { others: SeedInputs::new(seed), rng: Rng(seed) };
    let run = run_observed(&mut machine, &mut inputs, run::STEPS, &mut |event, _| {
        let at = (event.func, event.edge);
        let Op::Call { to, callee: Callee::Direct(callee), .. } = program.function(at.0).edge(at.1).op else { return };
        if callee != unit.body || at.0 != program.start {
            return;
        }
        match event.phase {
            TracePhase::Call => entry = Some(begin(program, event.machine, at)),
            TracePhase::Done => {
                observed = Some(end(program, event.machine, entry.take().expect("it has begun"), to));
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
    counts.behind += u64::from(speaks_of_pointees(contract));
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
